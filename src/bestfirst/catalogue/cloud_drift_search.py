"""The search of cloud drift: day by day, all that can be, as sets of bits.

    n        days
    place    of the cloud: 3 · row + column of its upper left cell, 0 to 8; 0, 2, 6 and 8 are the *corner places*, numbered 0 to 3
    age      of a corner of the town: days without rain up to today, 0 when it rains there; 0 to 6
    number   of four ages: a0 + 7 a1 + 49 a2 + 343 a3;  ALL = 1 + 7 + 49 + 343 added to it makes all of them older by a day

A cell of the town gets rain whenever the corner next to it does, so only corners can dry out, and a place with four ages is all
that matters of the past. Which of them can be on a day is, for each place, a *set* of numbers: SIZE words of BITS bits, a bit a
number. A whole set goes on by a day at once: the sets of the places in the same row and column are united; those with an age of
6 are taken out; the bits move up by ALL. At a corner place its age does not count, and becomes 0: the seven bits that differ in
this age alone are united where it is 0.

    Masks    a set each: `young` of the numbers without a 6; `others` (4 sets), the same but for one corner; `dry` (4): age 0
    Days     `blocked` (n,) int64: a bit for each place that may not be on that day; `kept`: the nine sets of every `block`-th
             day; `now`, `lines` (3 rows and 3 columns), `part`: scratch space;  `history`: the nine sets of each day of a block

The sets of all days would take 3 KiB a day. Only those of about √n days are kept; to find the days of an answer, last to first,
those between two of them are made again.

A loop over states one by one would be an engine's work, but 2,000 of them are possible on a day: docs/problems/cloud-drift.md
compares.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, PAUSED, RunOptions
from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.result import Solution
from bestfirst.search.compiled import DEPTH, EXPANDED, GENERATED, STOP_AT
from bestfirst.search.explicit import ArraySearch

PLACES, MIDDLE = 9, 4

AGES = 7
ALL = 1 + 7 + 49 + 343
BITS = 60  #: of a word; a few less than 64, so that shifted words are the same numbers whether compiled or not
SIZE = -(-(AGES**4) // BITS)
_FULL = (1 << BITS) - 1
_SETS = PLACES * SIZE  #: words of nine sets


class Masks(NamedTuple):
    """See the legend; int64."""

    young: np.ndarray
    others: np.ndarray
    dry: np.ndarray


class Days(NamedTuple):
    """See the legend; int64."""

    blocked: np.ndarray
    kept: np.ndarray
    now: np.ndarray
    lines: np.ndarray
    part: np.ndarray
    history: np.ndarray


@kernel(inline=True)
def corner_of(place: Int) -> Int:
    """The number of the corner that gets rain, -1 when none does."""
    if place % 2 == 1 or place == MIDDLE:
        return -1
    return (place % 3) // 2 + 2 * (place // 6)


@kernel
def shift(target: np.ndarray, at: Int, source: np.ndarray, begin: Int, by: Int) -> None:
    """Write a set moved up by so many bits (down, when negative) to target[at …]."""
    words = by // BITS
    up = by - words * BITS
    for i in range(SIZE):
        low, high = integer(0), integer(0)
        if 0 <= i - words < SIZE:
            high = source[unsigned(begin + i - words)] << up
        if 0 <= i - words - 1 < SIZE:
            low = source[unsigned(begin + i - words - 1)] >> (BITS - up)
        target[unsigned(at + i)] = (high | low) & _FULL


@kernel
def next_day(days: Days, masks: Masks, source: np.ndarray, begin: Int, target: np.ndarray, at: Int, blocked: Int) -> Int:
    """From the nine sets of a day make those of the next; whether any is not empty."""
    lines, part = days.lines, days.part
    for line in range(6):
        first, step = (3 * line, 1) if line < 3 else (line - 3, 3)
        for i in range(SIZE):
            word = source[unsigned(begin + first * SIZE + i)] | source[unsigned(begin + (first + step) * SIZE + i)]
            lines[unsigned(line * SIZE + i)] = word | source[unsigned(begin + (first + 2 * step) * SIZE + i)]
    anything = integer(0)
    for place in range(PLACES):
        here = at + place * SIZE
        if (blocked >> place) & 1:
            for i in range(SIZE):
                target[unsigned(here + i)] = 0
            continue
        row, column = place // 3 * SIZE, (3 + place % 3) * SIZE
        corner = corner_of(place)
        if corner < 0:
            for i in range(SIZE):
                part[unsigned(i)] = (lines[unsigned(row + i)] | lines[unsigned(column + i)]) & masks.young[unsigned(i)]
            shift(target, here, part, 0, ALL)
        else:
            unit = integer(1)
            for _ in range(corner):
                unit *= AGES
            for i in range(SIZE):
                union = lines[unsigned(row + i)] | lines[unsigned(column + i)]
                part[unsigned(i)] = union & masks.others[unsigned(corner * SIZE + i)]
            for down in (1, 2, 3):  # 0 + 1 + 2 + 3: every age from 0 to 6 has come down to 0
                shift(part, SIZE, part, 0, -down * unit)
                for i in range(SIZE):
                    part[unsigned(i)] |= part[unsigned(SIZE + i)]
            for i in range(SIZE):
                part[unsigned(i)] &= masks.dry[unsigned(corner * SIZE + i)]
            shift(target, here, part, 0, ALL - unit)
        for i in range(SIZE):
            anything |= target[unsigned(here + i)]
    return integer(anything != 0)


@kernel
def forecast(days: Days, masks: Masks, block: Int, counters: np.ndarray) -> Int:
    """Go on day by day to the last (FOUND), or until nothing can be (EXHAUSTED). O(1) a day."""
    now = days.now
    while counters[GENERATED] < counters[STOP_AT]:
        day = counters[DEPTH]
        if day == days.blocked.shape[0]:
            return FOUND
        if day == 0:
            possible = integer((days.blocked[0] >> MIDDLE) & 1 == 0)
            if possible:
                now[unsigned(MIDDLE * SIZE + ALL // BITS)] = 1 << (ALL % BITS)
        else:
            possible = next_day(days, masks, now, 0, now, _SETS, days.blocked[unsigned(day)])
            for i in range(_SETS):
                now[unsigned(i)] = now[unsigned(_SETS + i)]
        counters[GENERATED] += 1
        counters[EXPANDED] += 1
        if possible == 0:
            return EXHAUSTED
        if day % block == 0:
            for i in range(_SETS):
                days.kept[unsigned(day // block * _SETS + i)] = now[unsigned(i)]
        counters[DEPTH] = day + 1
    return PAUSED


@kernel(inline=True)
def holds(sets: np.ndarray, begin: Int, number: Int) -> Int:
    """Whether a number is in the set that begins there."""
    return (sets[unsigned(begin + number // BITS)] >> (number % BITS)) & 1


@kernel
def before(history: np.ndarray, begin: Int, place: Int, number: Int) -> Int:
    """A place and a number of the day before, as 2401 · place + number, from which these can be; the first of them."""
    corner = corner_of(place)
    unit = integer(0)
    if corner >= 0:
        unit = integer(1)
        for _ in range(corner):
            unit *= AGES
    for other in range(PLACES):
        if other % 3 != place % 3 and other // 3 != place // 3:
            continue
        for age in range(AGES if corner >= 0 else 1):
            old = number - ALL + unit + age * unit
            if holds(history, begin + other * SIZE, old):
                return AGES**4 * other + old
    return -1


@kernel
def trace(days: Days, masks: Masks, block: Int, places: np.ndarray) -> Int:
    """Find the place of each day, last to first; the number of days."""
    n = days.blocked.shape[0]
    history = days.history
    place, number = integer(-1), integer(0)
    for part in range((n - 1) // block, -1, -1):
        first = part * block
        last = min(first + block, n) - 1
        for i in range(_SETS):
            history[unsigned(i)] = days.kept[unsigned(part * _SETS + i)]
        for day in range(first + 1, last + 1):
            begin = (day - first - 1) * _SETS
            next_day(days, masks, history, begin, history, begin + _SETS, days.blocked[unsigned(day)])
        for day in range(last, first - 1, -1):
            begin = (day - first) * _SETS
            if place < 0:
                for found in range(PLACES * AGES**4):
                    if place < 0 and holds(history, begin + found // AGES**4 * SIZE, found % AGES**4):
                        place, number = found // AGES**4, found % AGES**4
            else:
                old = before(history, begin, place, number)
                place, number = old // AGES**4, old % AGES**4
            places[unsigned(day)] = place
    return n


class DriftSearch(ArraySearch):
    """The search at work on marks, (n, 4, 4) truth values."""

    engine = "cloud_drift"
    why = "all places and ages of the corners that can be, day by day, as sets of bits"
    parts = ("days",)

    def __init__(self, marks: np.ndarray, options: RunOptions) -> None:
        super().__init__([marks], options)
        n = len(marks)
        blocked = np.zeros(n, np.int64)
        for place in range(PLACES):
            row, column = divmod(place, 3)
            blocked |= marks[:, row : row + 2, column : column + 2].any(axis=(1, 2)).astype(np.int64) << place
        self.block = math.isqrt(n - 1) + 1
        self.masks = _masks()
        self.days = Days(
            blocked,
            np.zeros(-(-n // self.block) * _SETS, np.int64),
            np.zeros(2 * _SETS, np.int64),
            np.zeros(6 * SIZE, np.int64),
            np.zeros(2 * SIZE, np.int64),
            np.zeros(self.block * _SETS, np.int64),
        )
        self.outcome = PAUSED

    def advance(self, stop_at: int) -> int:
        self.counters[STOP_AT] = stop_at
        self.outcome = self.call(forecast, self.days, self.masks, self.block, self.counters)
        return self.outcome

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        return (0, ()) if self.outcome == FOUND else None

    def result(self, solution: Solution) -> tuple[Solution, np.ndarray | None]:
        """How it ended, and the place of each day, (n,) uint8."""
        if self.outcome != FOUND:
            return solution, None
        places = np.zeros(len(self.days.blocked), np.uint8)
        self.call(trace, self.days, self.masks, self.block, places)
        return solution, places


@functools.cache
def _masks() -> Masks:
    ages = np.arange(AGES**4)[:, None] // AGES ** np.arange(4) % AGES
    young = ages < AGES - 1
    others = [np.delete(young, corner, axis=1).min(axis=1) for corner in range(4)]
    dry = [ages[:, corner] == 0 for corner in range(4)]
    return Masks(_words([young.min(axis=1)]), _words(others), _words(dry))


def _words(sets: Sequence[np.ndarray]) -> np.ndarray:
    """Sets, as truth values of the numbers, as words."""
    bits = np.zeros((len(sets), SIZE * BITS), np.int64)
    bits[:, : AGES**4] = sets
    words: np.ndarray = (bits.reshape(-1, BITS) << np.arange(BITS)).sum(axis=1)
    return words
