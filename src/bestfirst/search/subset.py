"""What the subset sum searches share: the reduced instance, and the way back to the numbers as they were given.

numbers    (n,) int64 ≥ 1, in descending order, none above `target`, without a common divisor
target     int64, at most the sum of the numbers; a total of everything is at most 2^62, so no sum wraps
place      of a number: its index in the input
unit       what all numbers were divided by
best       the largest sum ≤ target found so far, or -1
"""

from __future__ import annotations

import abc
from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import Progress, RunOptions
from bestfirst.kernel import Int
from bestfirst.search.compiled import BOUND, COUNTERS, GENERATED, INCUMBENT, NONE, KernelSearch


class Sums(NamedTuple):
    """A subset sum problem for a kernel; see the legend above."""

    numbers: np.ndarray
    target: Int


class Instance(NamedTuple):
    """A reduced problem and what it stands for."""

    sums: Sums
    places: tuple[int, ...]  #: of the numbers in `sums`
    fixed: tuple[int, ...]  #: places of numbers that are in the subset anyway
    zeros: int  #: how many numbers 0 there are
    unit: int
    given: tuple[int, ...]  #: all numbers as they were given
    wanted: int  #: the target as it was given


class SubsetSearch(KernelSearch):
    """A search for a subset at work; a subclass brings kernel and memory."""

    engine = "subset_sum"
    first_slice = 1 << 16  # of very small steps

    def __init__(self, instance: Instance, options: RunOptions, **settings: Any) -> None:
        super().__init__(instance.sums, None, options, method=type(self).__name__, wanted=instance.wanted, **settings)
        self.instance = instance
        reachable = min(instance.sums.target * instance.unit + sum(instance.given[i] for i in instance.fixed), instance.wanted)
        self.start_counters = np.zeros(COUNTERS, np.int64)
        self.start_counters[GENERATED] = 1
        self.start_counters[INCUMBENT] = NONE
        self.start_counters[BOUND] = min(instance.wanted - reachable, NONE - 1)

    @abc.abstractmethod
    def chosen(self) -> list[int] | None:
        """Which of the reduced numbers, by position, make the best sum so far."""

    def progress(self) -> Progress:
        progress = super().progress()
        if progress.incumbent is None:
            return progress
        return progress._replace(incumbent=progress.bound + self.instance.unit * progress.incumbent)

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        positions = self.chosen()
        if positions is None:
            return None
        places = sorted([*self.instance.fixed, *(self.instance.places[p] for p in positions)])
        return self.instance.wanted - sum(self.instance.given[place] for place in places), tuple(places)


def subset_with_sum(numbers: np.ndarray, value: int) -> list[int]:
    """Positions of numbers whose sum is `value`, which is known to be one. O(2^(n/2)) time and memory, n to about 40."""
    half = len(numbers) // 2
    left, right = all_sums(numbers[:half]), all_sums(numbers[half:])
    order = np.argsort(right, kind="stable")
    at = np.minimum(np.searchsorted(right[order], value - left), len(right) - 1)
    mask_left = int(np.flatnonzero(right[order[at]] == value - left)[0])
    mask = mask_left | int(order[at[mask_left]]) << half
    return [p for p in range(len(numbers)) if mask >> p & 1]


def all_sums(numbers: np.ndarray) -> np.ndarray:
    """(2^n,) int64: the sum of every subset, in the order of the subsets read as binary numbers."""
    sums = np.zeros(1, np.int64)
    for number in numbers.tolist():
        sums = np.concatenate([sums, sums + number])
    return sums
