"""What the two exact cover searches share: the instance, what happens at a solution, counters, status.

items      (entries,) int32: the items of option 0, then of option 1, …; primary items have the numbers below `primary`
starts     (m + 1,) int64: option o is items[starts[o] : starts[o + 1]];  m: number of options
n          number of items
chosen     (primary + 1,) int32: the options on the way from the root to the node, one a level
fewest     like chosen: the cover with the fewest options met so far, the first of them
listing    flat int32: solutions as they are met, each its length and its options; of length 0 when they are not listed
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import FOUND, PAUSED, RunOptions
from bestfirst.kernel import Int, kernel, unsigned
from bestfirst.search.compiled import BOUND, COUNTERS, DEPTH, GENERATED, INCUMBENT, NONE, OWN, KernelSearch

SOLUTIONS = OWN  #: how many were met
MODE = OWN + 1
LISTED = OWN + 2  #: how much of `listing` is in use
BRANCHED = OWN + 3  #: 1: the item to branch on is chosen at this depth

# Values of MODE.
FIRST = 0
COUNT = 1
LIST = 2

GO_ON = -1

_LISTING = 1 << 14


class Cover(NamedTuple):
    """An exact cover problem; shapes in the legend above."""

    items: np.ndarray
    starts: np.ndarray
    primary: int
    n: int

    def option_of_entry(self) -> np.ndarray:
        """The option that each of `items` belongs to."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


@kernel
def report(chosen: np.ndarray, fewest: np.ndarray, listing: np.ndarray, counters: np.ndarray) -> Int:
    """Take note of the solution in `chosen`; return an outcome of `control`, or GO_ON."""
    length = counters[DEPTH]
    counters[SOLUTIONS] += 1
    if length < counters[INCUMBENT]:
        counters[INCUMBENT] = length
        for i in range(length):
            fewest[unsigned(i)] = chosen[unsigned(i)]
    if counters[MODE] == FIRST:
        return FOUND
    if counters[MODE] == COUNT:
        return GO_ON
    at = counters[LISTED]
    listing[unsigned(at)] = length
    for i in range(length):
        listing[unsigned(at + 1 + i)] = chosen[unsigned(i)]
    counters[LISTED] = at + 1 + length
    return PAUSED if counters[LISTED] + chosen.shape[0] > listing.shape[0] else GO_ON


class CoverSearch(KernelSearch):
    """A search for exact covers at work; a subclass brings kernel and memory."""

    engine = "exact_cover"
    first_slice = 64  # a node of a large problem takes long

    def __init__(self, cover: Cover, mode: int, options: RunOptions) -> None:
        super().__init__(cover, None, options, mode=mode)
        c = np.zeros(COUNTERS, np.int64)
        c[INCUMBENT] = NONE
        c[GENERATED] = 1
        c[MODE] = mode
        c[BOUND] = fewest_options(cover)
        self.common: dict[str, np.ndarray] = {
            "chosen": np.zeros(cover.primary + 1, np.int32),
            "fewest": np.zeros(cover.primary + 1, np.int32),
            "listing": np.zeros(_LISTING + cover.primary + 1 if mode == LIST else 0, np.int32),
            "counters": c,
        }

    def advance(self, stop_at: int) -> int:
        outcome = super().advance(stop_at)
        c = self.counters
        # Every cover is as good as any when all have as few options as there can be; else only all of them tell the best.
        self.proves_best = bool(c[MODE] != FIRST or c[INCUMBENT] == c[BOUND])
        return outcome

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        length = int(self.counters[INCUMBENT])
        return None if length == NONE else (length, tuple(self.memory.fewest[:length].tolist()))

    def count(self) -> int | None:
        return int(self.counters[SOLUTIONS]) if self.counters[MODE] == COUNT else None

    def listed(self) -> list[tuple[int, ...]]:
        """The solutions met since the last call."""
        values = self.memory.listing[: self.counters[LISTED]].tolist()
        self.counters[LISTED] = 0
        found, at = [], 0
        while at < len(values):
            after = at + 1 + values[at]
            found.append(tuple(values[at + 1 : after]))
            at = after
        return found


def fewest_options(cover: Cover) -> int:
    """A lower bound on the number of options in a cover: each covers at most as many primary items as the largest."""
    if cover.primary == 0:
        return 0
    sizes = np.bincount(cover.option_of_entry()[cover.items < cover.primary], minlength=1)
    return -(-cover.primary // max(1, int(sizes.max(initial=0))))
