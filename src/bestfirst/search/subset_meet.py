"""Subset sum by meeting in the middle: as many numbers in two lists as memory allows, and a branch and bound for the rest.

left, right  (l,), (r,) int64: the small numbers, dealt out in turn;  outer: (k,) int64, the large ones, descending
a, b         int64: the sums of all subsets of `left` (of `right`), ascending, those above the target cut off
rest         (k + 1,) int64: the sum of outer[d:] and of all small numbers
stage        (k,) uint8 a level of the branch and bound: _NEW, _WITH or _WITHOUT the number
offset       sum of the outer numbers taken
picked       (k,) uint8: which outer numbers the best sum takes

A list grows by one number w in place: the sums without w and those with w are merged, the largest first. That writes at i + j + 1
and reads at i and j, so it never overtakes what it still has to read, and no list is ever sorted. For each choice of outer
numbers two pointers walk through the lists, one up, one down.

Source: E. Horowitz and S. Sahni, Computing partitions with applications to the knapsack problem, J. ACM 21 (1974). R. Schroeppel
and A. Shamir, SIAM J. Computing 10 (1981), need still less memory, at the price of an operation on a heap for each sum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, PAUSED, RunOptions
from bestfirst.kernel import Int, kernel, unsigned
from bestfirst.search.compiled import DEPTH, EXPANDED, GENERATED, INCUMBENT, OWN, PRUNED, STOP_AT
from bestfirst.search.subset import Instance, SubsetSearch, Sums, subset_with_sum

PHASE = OWN
STEP = OWN + 1  #: numbers that are in the growing list
LENGTH_A = OWN + 2
LENGTH_B = OWN + 3
UP = OWN + 4  #: pointer i of a scan (of a merge: into the sums without the number)
DOWN = OWN + 5  #: pointer j of a scan (of a merge: into the sums to which it is added)
OFFSET = OWN + 6
BEST = OWN + 7
BEST_A = OWN + 8  #: the part of BEST that is a sum of `left`; BEST_B, of `right`
BEST_B = OWN + 9
COUNTING = OWN + 10  #: 1: count the subsets whose sum is the target
NUMBER = OWN + 11  #: how many were met

# Values of PHASE.
_GROW_A = 0
_GROW_B = 1
_BRANCH = 2
_SCAN = 3

# Values of `stage`.
_NEW = 0
_WITH = 1
_WITHOUT = 2


class Memory(NamedTuple):
    """The working memory; shapes in the legend above."""

    a: np.ndarray
    b: np.ndarray
    left: np.ndarray
    right: np.ndarray
    outer: np.ndarray
    rest: np.ndarray
    stage: np.ndarray
    picked: np.ndarray
    counters: np.ndarray


@kernel
def search_meet(sums: Sums, memory: Memory) -> Int:
    """Advance until the budget of steps is used up; see `control` for the outcomes. A step: a sum made, or a pointer moved."""
    counters = memory.counters
    while counters[GENERATED] < counters[STOP_AT]:
        if counters[PHASE] == _GROW_A:
            _grow(memory.a, memory.left, sums.target, counters, LENGTH_A)
        elif counters[PHASE] == _GROW_B:
            _grow(memory.b, memory.right, sums.target, counters, LENGTH_B)
        elif counters[PHASE] == _BRANCH:
            if _branch(sums, memory) == EXHAUSTED:
                return EXHAUSTED
        elif counters[COUNTING] == 1:
            _scan_counting(sums, memory)
        else:
            _scan(sums, memory)
            if counters[BEST] == sums.target:
                return FOUND
    return PAUSED


@kernel
def _grow(sums: np.ndarray, numbers: np.ndarray, target: Int, counters: np.ndarray, length_at: Int) -> None:
    """Let the list grow by its next number, or by as much of it as the budget allows."""
    if counters[STEP] == numbers.shape[0]:
        counters[STEP] = 0
        counters[PHASE] += 1
        counters[UP] = counters[DOWN] = 0  # the other list has one sum, 0
        return
    number = numbers[counters[STEP]]
    i = counters[UP]
    j = counters[DOWN]
    begin = j
    end = max(-1, j - (counters[STOP_AT] - counters[GENERATED]))
    while j > end:
        without = sums[unsigned(i)]
        with_it = sums[unsigned(j)] + number
        is_larger = without > with_it
        sums[unsigned(i + j + 1)] = without if is_larger else with_it
        i -= 1 if is_larger else 0
        j -= 0 if is_larger else 1
    counters[UP] = i
    counters[DOWN] = j
    counters[GENERATED] += begin - j
    if j < 0:  # the sums up to i stay where they are; i is not below 0, as sums[0] = 0 is the least
        length = _count_up_to(sums, 2 * counters[length_at], target)
        counters[length_at] = length
        counters[STEP] += 1
        counters[UP] = counters[DOWN] = length - 1


@kernel
def _count_up_to(sums: np.ndarray, length: Int, target: Int) -> Int:
    """How many of the first `length` sums, which ascend, are at most the target."""
    low: Int = 0
    high = length
    while low < high:
        middle = (low + high) >> 1
        if sums[unsigned(middle)] <= target:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _branch(sums: Sums, memory: Memory) -> Int:
    """Go on to the next choice of outer numbers that may lead to more than BEST, and begin its scan; or return EXHAUSTED."""
    counters = memory.counters
    outer = memory.outer
    stage = memory.stage
    while counters[GENERATED] < counters[STOP_AT]:
        d = counters[DEPTH]
        if d < 0:
            return EXHAUSTED
        counters[GENERATED] += 1
        if d == outer.shape[0]:
            counters[DEPTH] -= 1
            if counters[OFFSET] + memory.rest[d] > counters[BEST]:
                counters[PHASE] = _SCAN
                counters[UP] = 0
                counters[DOWN] = _count_up_to(memory.b, counters[LENGTH_B], sums.target - counters[OFFSET]) - 1
                counters[EXPANDED] += 1
                return PAUSED
            counters[PRUNED] += 1
        elif stage[d] == _NEW and counters[OFFSET] + memory.rest[d] <= counters[BEST]:
            counters[PRUNED] += 1
            counters[DEPTH] -= 1
        elif stage[d] == _NEW and counters[OFFSET] + outer[d] <= sums.target:
            stage[d] = _WITH
            counters[OFFSET] += outer[d]
            counters[DEPTH] += 1
        elif stage[d] == _WITHOUT:
            stage[d] = _NEW
            counters[DEPTH] -= 1
        else:
            if stage[d] == _WITH:
                counters[OFFSET] -= outer[d]
            stage[d] = _WITHOUT
            counters[DEPTH] += 1
    return PAUSED


@kernel
def _scan(sums: Sums, memory: Memory) -> None:
    """Walk through the lists for the largest sum that fits: each is best for one of its pointers' places."""
    counters = memory.counters
    a = memory.a
    b = memory.b
    i = counters[UP]
    j = counters[DOWN]
    limit = sums.target - counters[OFFSET]
    best = counters[BEST] - counters[OFFSET]
    best_a: Int = -1
    end = counters[LENGTH_A]
    begin = i - j
    last = begin + counters[STOP_AT] - counters[GENERATED]  # i - j grows by one a step
    while i < end and j >= 0 and i - j < last and best < limit:
        own = a[unsigned(i)]
        value = own + b[unsigned(j)]
        fits = value <= limit
        is_better = fits and value > best
        best = value if is_better else best
        best_a = own if is_better else best_a
        i += 1 if fits else 0
        j -= 0 if fits else 1
    counters[UP] = i
    counters[DOWN] = j
    counters[GENERATED] += i - j - begin
    if best_a >= 0:
        _note(sums, memory, best_a, best - best_a)
    if i == end or j < 0:
        counters[PHASE] = _BRANCH


@kernel
def _scan_counting(sums: Sums, memory: Memory) -> None:
    """Walk through the lists for all pairs whose sum is the target."""
    counters = memory.counters
    a = memory.a
    b = memory.b
    i = counters[UP]
    j = counters[DOWN]
    limit = sums.target - counters[OFFSET]
    end = counters[LENGTH_A]
    begin = i - j
    last = begin + counters[STOP_AT] - counters[GENERATED]
    while i < end and j >= 0 and i - j < last:
        own = a[unsigned(i)]
        other = b[unsigned(j)]
        if own + other < limit:
            i += 1
        elif own + other > limit:
            j -= 1
        else:
            if counters[NUMBER] == 0:
                _note(sums, memory, own, other)
                counters[BEST] = sums.target - 1  # so that others are not ruled out
            i_before = i
            j_before = j
            while i < end and a[unsigned(i)] == own:
                i += 1
            while j >= 0 and b[unsigned(j)] == other:
                j -= 1
            counters[NUMBER] += (i - i_before) * (j_before - j)
    counters[UP] = i
    counters[DOWN] = j
    counters[GENERATED] += i - j - begin
    if i == end or j < 0:
        counters[PHASE] = _BRANCH


@kernel
def _note(sums: Sums, memory: Memory, of_left: Int, of_right: Int) -> None:
    """Keep a subset: the outer numbers taken and two sums."""
    counters = memory.counters
    counters[BEST] = counters[OFFSET] + of_left + of_right
    counters[BEST_A] = of_left
    counters[BEST_B] = of_right
    counters[INCUMBENT] = sums.target - counters[BEST]
    for d in range(memory.stage.shape[0]):
        memory.picked[d] = memory.stage[d] == _WITH


class MeetSearch(SubsetSearch):
    """Meeting in the middle at work; `room` bytes are for the lists."""

    kernel = search_meet

    def __init__(self, instance: Instance, options: RunOptions, room: int, is_counting: bool = False) -> None:
        super().__init__(instance, options, counting=is_counting)
        numbers: np.ndarray = instance.sums.numbers
        target = instance.sums.target
        k = len(numbers) - numbers_in_lists(len(numbers), room)
        left, right = numbers[k::2], numbers[k + 1 :: 2]
        counters = self.start_counters
        counters[LENGTH_A] = counters[LENGTH_B] = 1
        counters[COUNTING] = is_counting
        counters[BEST] = target - 1 if is_counting else -1
        self.memory = Memory(
            a=np.zeros(1 << len(left), np.int64),
            b=np.zeros(1 << len(right), np.int64),
            left=left[::-1].copy(),
            right=right[::-1].copy(),
            outer=numbers[:k].copy(),
            rest=np.append(numbers[:k], numbers[k:].sum())[::-1].cumsum()[::-1].copy(),
            stage=np.zeros(k, np.uint8),
            picked=np.zeros(k, np.uint8),
            counters=counters,
        )
        self.why = f"meet in the middle: {len(left)} and {len(right)} numbers in lists, {k} by branch and bound"

    def enlarge(self, room: int | None) -> bool:
        return False  # nothing is ever full

    def count(self) -> int | None:
        return int(self.counters[NUMBER]) << self.instance.zeros if self.counters[COUNTING] else None

    def chosen(self) -> list[int] | None:
        m, n = self.memory, len(self.instance.sums.numbers)
        if not self.counters[NUMBER] and (self.counters[COUNTING] or self.counters[BEST] < 0):
            return None
        k = len(m.outer)
        found = np.flatnonzero(m.picked).tolist()
        for side, numbers, value in ((0, m.left, self.counters[BEST_A]), (1, m.right, self.counters[BEST_B])):
            places = range(k + side, n, 2)[::-1]  # of these numbers, which ascend
            found += [places[p] for p in subset_with_sum(numbers, int(value))]
        return found


def numbers_in_lists(n: int, room: int) -> int:
    """How many of n numbers the two lists can be made of in `room` bytes: lists of 2^l and 2^r sums of 8 bytes, l - r ≤ 1."""
    count = 0
    while count < n and 8 * ((1 << (count + 2) // 2) + (1 << (count + 1) // 2)) <= room:
        count += 1
    return count
