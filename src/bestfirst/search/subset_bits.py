"""Subset sum by dynamic programming over a set of bits: bit s says that s is a sum of some of the numbers looked at.

reached    (target div 64 + 1,) uint64: the set;  bit s mod 64 of word s div 64
newest     (target + 1,) uint8, uint16 or int32: the number with which s became a sum; that sum without it was one before

Taking number w in shifts the whole set by w and adds it to itself: one step a word, from the highest to the lowest, so that each
word is made of words that are still the old ones.

Source: the method is folklore; R. Bellman, Dynamic Programming (1957), for the recurrence.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, PAUSED, RunOptions
from bestfirst.kernel import Int, kernel, trailing_zeros, unsigned
from bestfirst.search.compiled import EXPANDED, GENERATED, OWN, STOP_AT
from bestfirst.search.subset import Instance, SubsetSearch, Sums

STEP = OWN  #: numbers that are taken in
WORD = OWN + 1  #: the next word to make for this one
HIGHEST = OWN + 2  #: sum of the numbers taken in, at most the target

_ALL = 0xFFFFFFFFFFFFFFFF


class Memory(NamedTuple):
    """The working memory; shapes in the legend above."""

    reached: np.ndarray
    newest: np.ndarray
    counters: np.ndarray


@kernel
def search_bits(sums: Sums, memory: Memory) -> Int:
    """Advance until the budget of words is used up; see `control` for the outcomes."""
    counters = memory.counters
    reached = memory.reached
    target = sums.target
    top_word = target >> 6
    top_bit = unsigned(1) << unsigned(target & 63)
    top_mask = top_bit | (top_bit - unsigned(1))
    while counters[GENERATED] < counters[STOP_AT]:
        step = counters[STEP]
        if counters[WORD] < 0:
            if reached[unsigned(top_word)] & top_bit != unsigned(0):
                return FOUND
            if step == sums.numbers.shape[0]:
                return EXHAUSTED
        number = sums.numbers[step]
        if counters[WORD] < 0:
            counters[HIGHEST] = min(target, counters[HIGHEST] + number)
            counters[WORD] = counters[HIGHEST] >> 6
            counters[EXPANDED] += 1
        words = number >> 6
        shift = unsigned(number & 63)
        begin = counters[WORD]
        end = max(words - 1, begin - (counters[STOP_AT] - counters[GENERATED]))
        for w in range(begin, end, -1):
            shifted = (reached[unsigned(w - words)] << shift) & unsigned(_ALL)
            if shift != unsigned(0) and w > words:
                shifted |= reached[unsigned(w - words - 1)] >> (unsigned(64) - shift)
            fresh = shifted & ~reached[unsigned(w)]
            if w == top_word:
                fresh &= top_mask
            if fresh != unsigned(0):
                reached[unsigned(w)] |= fresh
                while fresh != unsigned(0):
                    memory.newest[unsigned(w) * unsigned(64) + trailing_zeros(fresh)] = step
                    fresh &= fresh - unsigned(1)
        counters[GENERATED] += begin - end
        counters[WORD] = end
        if end == words - 1:
            counters[WORD] = -1
            counters[STEP] = step + 1
    return PAUSED


class BitsSearch(SubsetSearch):
    """Dynamic programming over a set of bits at work."""

    kernel = search_bits

    def __init__(self, instance: Instance, options: RunOptions) -> None:
        super().__init__(instance, options)
        n, target = len(instance.sums.numbers), int(instance.sums.target)
        reached = np.zeros(target // 64 + 1, np.uint64)
        reached[0] = 1
        self.start_counters[WORD] = -1
        self.memory = Memory(reached, np.zeros(target + 1, newest_type(n)), self.start_counters)
        self.why = f"dynamic programming over a set of bits: the sums are at most {target:,} (in units of {instance.unit:,})"

    def enlarge(self, room: int | None) -> bool:
        return False  # nothing is ever full

    def chosen(self) -> list[int] | None:
        top = int(np.flatnonzero(self.memory.reached)[-1])
        left = 64 * top + int(self.memory.reached[top]).bit_length() - 1
        found = []
        while left > 0:
            position = int(self.memory.newest[left])
            found.append(position)
            left -= int(self.instance.sums.numbers[position])
        return found


def newest_type(n: int) -> type[np.integer]:
    """The smallest dtype for the position of a number."""
    return np.uint8 if n <= 1 << 8 else np.uint16 if n <= 1 << 16 else np.int32


def bytes_needed(n: int, target: int) -> int:
    """Size of the arrays for n numbers and a target."""
    return target // 8 + (target + 1) * np.dtype(newest_type(n)).itemsize + 1024
