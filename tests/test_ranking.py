"""Ranks of arrangements and combinations: every rank once, in order, and back."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.kernel import exact, interpreting, kernel
from bestfirst.ranking import (
    arrangements,
    combinations,
    rank_arrangement,
    rank_combination,
    unrank_arrangement,
    unrank_combination,
)


@kernel
def arrangement_there_and_back(rank, values, k, n, numbers):
    numbers[0] = arrangements(k, n)
    unrank_arrangement(rank, values, k, n)
    numbers[1] = rank_arrangement(values, k, n)


@kernel
def combination_there_and_back(rank, k, n, numbers):
    numbers[0] = combinations(k, n)
    numbers[1] = unrank_combination(rank, k, n)
    numbers[2] = rank_combination(numbers[1])


def both(function, *arguments):
    """Call a kernel compiled and interpreted, on copies; what the arrays hold afterwards, which must be the same."""
    results = []
    for is_compiled in (True, False):
        own = [np.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
        if is_compiled:
            function(*own)
        else:
            with interpreting():
                function(*exact(tuple(own)))
        results.append([a.tolist() for a in own if isinstance(a, np.ndarray)])
    assert results[0] == results[1]
    return results[0]


@pytest.mark.parametrize(("k", "n"), [(0, 3), (1, 1), (3, 5), (5, 5), (4, 7), (2, 16), (2, 17), (3, 18)])
def test_arrangements_come_in_lexicographic_order(k, n):
    for rank, expected in enumerate(itertools.permutations(range(n), k)):
        values, numbers = both(arrangement_there_and_back, rank, np.full(k + 1, 9, np.int8), k, n, np.zeros(2, np.int64))
        assert values == [*expected, 9]
        assert numbers == [math.perm(n, k), rank]


@given(st.integers(1, 40), st.data())
def test_long_arrangements(n, data):
    k = data.draw(st.integers(0, n).filter(lambda k: math.perm(n, k) < 1 << 62))
    expected = data.draw(st.permutations(range(n)))[:k]
    free, rank = list(range(n)), 0
    for value in expected:
        rank = rank * len(free) + free.index(value)
        free.remove(value)
    for dtype in (np.int8, np.uint8, np.int64):
        values, numbers = both(arrangement_there_and_back, rank, np.zeros(k + 1, dtype), k, n, np.zeros(2, np.int64))
        assert values[:k] == expected
        assert numbers == [math.perm(n, k), rank]


@pytest.mark.parametrize(("k", "n"), [(0, 0), (0, 5), (5, 5), (1, 6), (3, 7), (4, 8)])
def test_combinations_come_in_order(k, n):
    words = sorted(sum(1 << v for v in chosen) for chosen in itertools.combinations(range(n), k))
    for rank, word in enumerate(words):
        assert both(combination_there_and_back, rank, k, n, np.zeros(3, np.int64)) == [[len(words), word, rank]]


@given(st.sets(st.integers(0, 61)))
def test_long_combinations(chosen):
    word = sum(1 << v for v in chosen)
    rank = sum(math.comb(v, i) for i, v in enumerate(sorted(chosen), 1))
    expected = [math.comb(62, len(chosen)), word, rank]
    assert both(combination_there_and_back, rank, len(chosen), 62, np.zeros(3, np.int64)) == [expected]
