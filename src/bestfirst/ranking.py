"""Numbers for arrangements and combinations: kernels that the methods `rank` and `unrank` of a problem may call.

n          how many different values there are: 0 … n - 1, n ≤ 64
k          how many of them stand in an arrangement; k = n for a permutation
values     array whose first k elements are the arrangement (the rest is not touched)
word       a combination: bit v is set when the value v is in it
rank       the place among all of the same kind: arrangements in lexicographic order, combinations in that of their words

Ranks must stay below 2^62: `arrangements(20, 20)` does, `arrangements(21, 21)` does not. An engine computes the number of states
in the interpreter and refuses more than it can number.

Sources: for arrangements by counting the bits below, R. E. Korf and P. Schultze, Large-scale parallel breadth-first search
(2005); for combinations the combinatorial number system, D. E. Knuth, The Art of Computer Programming 4A, 7.2.1.3.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bestfirst.kernel import Int, kernel, population_count, trailing_zeros, unsigned

#: choose[n, k], 0 where k > n.
_CHOOSE = np.array([[math.comb(n, k) for k in range(65)] for n in range(65)], np.uint64)

#: Up to so many values fit into a word, four bits each.
_PACKED = 16
_ALL_VALUES = np.uint64(0xFEDCBA9876543210)
_ONE_VALUE = np.uint64(15)
_ALL_BITS = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel(inline=True)
def arrangements(k: Int, n: Int) -> Int:
    """How many arrangements there are of k of n values: n (n - 1) … (n - k + 1). O(k)."""
    product: Int = 1
    for i in range(k):
        product *= n - i
    return product


@kernel(inline=True)
def rank_arrangement(values: Any, k: Int, n: Int) -> Int:
    """Rank, 0 … arrangements(k, n) - 1, of the first k of `values`, all different. O(k)."""
    used = unsigned(0)
    rank: Int = 0
    for i in range(k):
        value = unsigned(values[unsigned(i)])
        bit = unsigned(1) << value
        rank = rank * (n - i) + np.int64(value) - np.int64(population_count(used & (bit - unsigned(1))))
        used |= bit
    return rank


@kernel(inline=True)
def unrank_arrangement(rank: Int, values: Any, k: Int, n: Int) -> None:
    """Write the arrangement of this rank into the first k of `values`. O(k) when n ≤ 16, else O(k²)."""
    if n <= _PACKED:
        word = unrank_packed(rank, k, n)
        for i in range(k):
            values[unsigned(i)] = (word >> (unsigned(i) << unsigned(2))) & _ONE_VALUE
        return
    rest = unsigned(rank)
    for i in range(k - 1, -1, -1):
        size = unsigned(n - i)
        digit = rest % size  # how many of the values that are still free are smaller
        rest //= size
        for j in range(i + 1, k):
            values[unsigned(j)] += values[unsigned(j)] >= digit
        values[unsigned(i)] = digit


@kernel(inline=True)
def rank_packed(word: Int, k: Int, n: Int) -> Int:
    """Rank of an arrangement in a word, four bits a value, the first in the lowest ones; n ≤ 16. O(k)."""
    rest = unsigned(word)
    used = unsigned(0)
    rank: Int = 0
    for i in range(k):
        value = rest & _ONE_VALUE
        rest >>= unsigned(4)
        bit = unsigned(1) << value
        rank = rank * (n - i) + np.int64(value) - np.int64(population_count(used & (bit - unsigned(1))))
        used |= bit
    return rank


@kernel(inline=True)
def unrank_packed(rank: Int, k: Int, n: Int) -> Int:
    """The arrangement of this rank as an unsigned word, four bits a value, the first in the lowest ones; n ≤ 16. O(k)."""
    rest = unsigned(rank)
    digits = unsigned(0)  # how many of the values that are still free are smaller, for each place
    for i in range(k - 1, -1, -1):
        size = unsigned(n - i)
        digits = (digits << unsigned(4)) | (rest % size)
        rest //= size
    free = _ALL_VALUES  # four bits each, ascending
    word = unsigned(0)
    for i in range(k):
        place = unsigned(i) << unsigned(2)
        shift = ((digits >> place) & _ONE_VALUE) << unsigned(2)
        word |= ((free >> shift) & _ONE_VALUE) << place
        smaller = (unsigned(1) << shift) - unsigned(1)
        free = (free & smaller) | ((free >> unsigned(4)) & (smaller ^ _ALL_BITS))
    return word


@kernel(inline=True)
def combinations(k: Int, n: Int) -> Int:
    """How many combinations there are of k of n values. O(1)."""
    return np.int64(_CHOOSE[unsigned(n), unsigned(k)])


@kernel(inline=True)
def rank_combination(word: Int) -> Int:
    """Rank of `word` among all words with as many bits set. O(bits set)."""
    rest = unsigned(word)
    rank: Int = 0
    chosen = 0
    while rest != unsigned(0):
        chosen += 1
        rank += np.int64(_CHOOSE[trailing_zeros(rest), unsigned(chosen)])
        rest &= rest - unsigned(1)
    return rank


@kernel(inline=True)
def unrank_combination(rank: Int, k: Int, n: Int) -> Int:
    """The word of k of n bits that has this rank. O(n)."""
    word = 0
    value = n
    for chosen in range(k, 0, -1):
        value -= 1
        while np.int64(_CHOOSE[unsigned(value), unsigned(chosen)]) > rank:
            value -= 1
        rank -= np.int64(_CHOOSE[unsigned(value), unsigned(chosen)])
        word |= 1 << value
    return word
