"""Kernels mean the same compiled and in the interpreter."""

import pathlib
import subprocess
import sys
import threading
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.kernel import (
    CompileError,
    exact,
    integer,
    interpreting,
    is_interpreting,
    kernel,
    population_count,
    structure,
    trailing_zeros,
    unsigned,
    wrapping_multiply,
)

WORD = st.integers(0, 2**64 - 1)


@kernel
def _words(a, b, out):
    out[0] = wrapping_multiply(a[0], b[0])
    out[1] = population_count(a[0])
    out[2] = trailing_zeros(a[0] | np.uint64(1 << 63))
    out[3] = a[unsigned(integer(b[0] & np.uint64(0)))]


@given(WORD, WORD)
def test_operations_on_words(a, b):
    arrays = [np.array([a], np.uint64), np.array([b], np.uint64)]
    compiled, interpreted = np.zeros(4, np.uint64), np.zeros(4, np.uint64)
    _words(*arrays, compiled)
    with interpreting():
        _words(*exact((*arrays, interpreted)))
    expected = [a * b % 2**64, bin(a).count("1"), ((a | 1 << 63) & -(a | 1 << 63)).bit_length() - 1, a]
    assert compiled.tolist() == interpreted.tolist() == expected


@structure
class Square(NamedTuple):
    side: int

    def area(self):
        return self.side * self.side


@structure
class Room(NamedTuple):
    floor: Square
    heights: np.ndarray

    def volume(self):
        return self.floor.area() * self.heights[0]


@kernel
def _volume(room):
    return room.volume()


@kernel
def _both(room, other):
    return _volume(room) + other.area()


def test_methods_of_structures_within_structures_and_kernels_within_kernels():
    room = Room(Square(100), np.array([100], np.int8))
    assert _volume(room) == _both(room, Square(0)) == 1_000_000  # not wrapped at 8 bits
    with interpreting():
        assert _volume(exact(room)) == 1_000_000


def test_exact_arrays_share_memory_and_read_whole_numbers():
    array = np.array([[200, 100]], np.uint8)
    view = exact((array, 1))[0]
    assert view[0, 0] + view[0, 1] == 300
    assert type(view[0][1]) is int
    assert (type(view.sum()), type((view == 0).all()), type(view.max())) == (int, bool, int)
    view[0, 0] = 7
    assert array[0, 0] == 7


def test_interpreting_is_nested_and_of_this_thread_alone():
    seen = []
    with interpreting():
        with interpreting():
            pass
        assert is_interpreting()
        thread = threading.Thread(target=lambda: seen.append(is_interpreting()))
        thread.start()
        thread.join()
    assert not is_interpreting()
    assert seen == [False]


def test_interpreting_ends_with_an_error():
    with pytest.raises(ZeroDivisionError), interpreting():
        _ = 1 // 0
    assert not is_interpreting()


def test_a_structure_must_be_a_named_tuple():
    with pytest.raises(TypeError, match=r"must be a typing.NamedTuple"):
        structure(int)


@kernel
def _half(value):
    return integer(value / 2)


def test_a_cost_that_is_no_whole_number_is_refused_when_compiled():
    with pytest.raises(CompileError, match="a whole number is needed here, not float"):
        _half(3)


def test_the_interpreter_needs_no_numba():
    """`compiled=False` compiles nothing, not even to enlarge a table."""
    code = """
import sys
sys.modules["numba"] = None
import bestfirst
from problems import numbers
solution = bestfirst.breadth_first(numbers(3000), 0, compiled=False)
print(solution.status, solution.stats.expanded > 1000)
"""
    folder = pathlib.Path(__file__).parent
    output = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True).stdout
    assert output == "optimal True\n"


def test_small_unsigned_differences_are_signed():
    @kernel
    def differences(a, b):
        left = a[0]
        left -= b[1]
        return a[0] - b[1], a[0] - b[1] > 1, left

    for one in (np.uint8, np.uint16, np.uint32):
        for other in (np.uint8, np.uint16, np.uint32):
            assert differences(np.array([1, 2], one), np.array([3, 4], other)) == (-3, False, -3)
