"""Subset sum by balanced dynamic programming: only sums close to the target, in time that is linear in n for bounded numbers.

r          the largest number;  the sums looked at are those in target - r + 1 … target + r, at index sum - (target - r + 1)
numbers    1, 2, … in this legend and in the values below, as in the paper;  t: the number just looked at
b          the break number: the numbers before it fit together, with it they do not
rows       flat int32, row t - b + 1 of 2r values for each t ≥ b - 1.  The value of a sum in row t: the largest s such that it
           is a sum of all numbers below s and of some of s … t; none is left out below s, none is taken above t.
           0 for sums up to the target that are none, 1 for those above it

Take the numbers before b. While the sum is at most the target, add a number (from b on); while it is above, leave one out (before
b). Every subset that is worth having is made by such a *balanced* sequence, and its sums never leave the window.

Source: D. Pisinger, Linear time algorithms for knapsack problems with bounded weights, J. Algorithms 33 (1999).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, FULL, PAUSED, RunOptions
from bestfirst.kernel import Int, kernel, unsigned
from bestfirst.search.compiled import EXPANDED, GENERATED, OWN, STOP_AT
from bestfirst.search.subset import Instance, SubsetSearch, Sums
from bestfirst.store import enlarged

BREAK = OWN  #: b
STEP = OWN + 1  #: t: rows up to this one are made


class Memory(NamedTuple):
    """The working memory; shapes in the legend above."""

    rows: np.ndarray
    counters: np.ndarray


@kernel
def search_balanced(sums: Sums, memory: Memory) -> Int:
    """Advance until the budget is used up; see `control` for the outcomes. O(r) a row, and O(b × r) in all for leaving out."""
    counters = memory.counters
    numbers = sums.numbers
    rows = memory.rows
    r = numbers[0]
    while counters[GENERATED] < counters[STOP_AT]:
        old = (counters[STEP] - counters[BREAK] + 1) * 2 * r
        if rows[unsigned(old + r - 1)] > 0:  # the target itself
            return FOUND
        if counters[STEP] == numbers.shape[0]:
            return EXHAUSTED
        new = old + 2 * r
        if new + 2 * r > rows.shape[0]:
            return FULL
        counters[STEP] += 1
        number = numbers[counters[STEP] - 1]
        for i in range(2 * r):
            rows[unsigned(new + i)] = rows[unsigned(old + i)]
        for i in range(r):
            rows[unsigned(new + i + number)] = max(rows[unsigned(new + i + number)], rows[unsigned(old + i)])
        steps = 3 * r
        for i in range(r + number - 1, r - 1, -1):
            above = rows[unsigned(new + i)]
            below = rows[unsigned(old + i)]
            for s in range(above - 1, below - 1, -1):
                less = i - numbers[unsigned(s - 1)]
                rows[unsigned(new + less)] = max(rows[unsigned(new + less)], s)
            steps += max(0, above - below)
        counters[GENERATED] += steps
        counters[EXPANDED] += 1
    return PAUSED


class BalancedSearch(SubsetSearch):
    """Balanced dynamic programming at work."""

    kernel = search_balanced

    def __init__(self, instance: Instance, options: RunOptions) -> None:
        super().__init__(instance, options)
        numbers, target = instance.sums
        r = int(numbers[0])
        before = np.concatenate([[0], np.cumsum(numbers)])  # sums of the first numbers
        b = int(np.searchsorted(before, target, side="right"))
        rows = np.zeros(4 * 2 * r, np.int32)
        rows[r : 2 * r] = 1
        rows[int(before[b - 1]) - (target - r + 1)] = b
        self.start_counters[BREAK] = b
        self.start_counters[STEP] = b - 1
        self.memory = Memory(rows, self.start_counters)
        self.why = f"balanced dynamic programming: the numbers are at most {r:,} (in units of {instance.unit:,})"

    def enlarge(self, room: int | None) -> bool:
        old, numbers = self.memory.rows, self.instance.sums.numbers
        row, all_rows = 2 * int(numbers[0]), len(numbers) - int(self.counters[BREAK]) + 3
        for factor in (2.0, 1.25):
            size = min(int(len(old) // row * factor) + 1, all_rows) * row
            if room is None or self.bytes() + 4 * size <= room:  # old and new exist side by side for a moment
                self.memory = self.memory._replace(rows=enlarged(old, size))
                return True
        return False

    def chosen(self) -> list[int] | None:
        """Walk back from the best sum: each value came from the row before, by a number taken in, or by one left out."""
        numbers = self.instance.sums.numbers.tolist()
        b, t = int(self.counters[BREAK]), int(self.counters[STEP])
        r = numbers[0]
        rows = self.memory.rows.reshape(-1, 2 * r)
        at = int(np.flatnonzero(rows[t - b + 1, :r])[-1])
        taken = set(range(1, b))
        while t >= b:
            row, before = rows[t - b + 1], rows[t - b]
            number, value = numbers[t - 1], int(row[at])
            if before[at] == value:
                t -= 1
            elif 0 <= at - number < r and before[at - number] == value:
                taken.add(t)
                at -= number
                t -= 1
            else:
                taken.remove(value)
                at += numbers[value - 1]
        return [t - 1 for t in taken]


def bytes_needed(n: int, largest: int) -> int:
    """Size of the rows if all are made, twice: while they grow, the old and the new ones exist side by side."""
    return 2 * 4 * 2 * largest * (n + 3)
