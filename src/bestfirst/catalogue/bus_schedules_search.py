"""The search of bus schedules: the fewest lines that make up the arrivals of an hour.

    MINUTES     60
    line        a first arrival a and an interval d > a: it comes at a, a + d, … up to minute 59, at least twice
    lines       all that come only in minutes with arrivals, longest first (most arrivals), numbered from 0
    count       (60,) int64: arrivals in each minute that are not explained yet
    level       lines taken so far; a node is a choice of them in the order of their numbers, a line perhaps several times
    active      lines of a node: those that may be taken next, numbered from that of the last one on, which still fit
    k           lines allowed: 1, 2, … until a cover is found, or none can be found with any number

A node that goes on with its i-th active line never takes one before it. So the lines left get shorter and shorter: an arrival in
minute t is explained by a line of at most `longest[t]` arrivals, the most of any line left that comes in t, and so the arrivals
take at least the sum of 1 / longest[t] lines. One pass over the active lines from the last to the first adds them up for each i,
and ends at the last i that may do.

Why not `exact_cover`: it finds one cover after another and has no bound on their number; arrivals in the same minute, which are
alike, would be as many items.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, FULL, PAUSED, RunOptions, run
from bestfirst.kernel import Int, integer, kernel, unsigned, wrapping_multiply
from bestfirst.result import Solution
from bestfirst.search.compiled import BOUND, DEPTH, DUPLICATES, EXPANDED, GENERATED, INCUMBENT, NONE, OWN, PRUNED, STOP_AT
from bestfirst.search.explicit import ArraySearch

MINUTES = 60

ENTERING = OWN  #: 1: the node at DEPTH is new
MOST = OWN + 1  #: more lines than this there cannot be
COVERED = OWN + 2  #: 1 where a pruning is on, also below
LENGTHS = OWN + 3
MEMORY = OWN + 4
ENTRIES = OWN + 5  #: nodes that the table was told to keep

_SWITCHES = {COVERED: "covered", LENGTHS: "lengths", MEMORY: "memory"}

#: One line is worth so much, so that fractions are integers; rounded down, they never add up to too much.
_WHOLE = 1 << 40

#: Entries of the table of nodes that failed: at first, as many are cheap to make; and at most.
_FEW_ENTRIES, _MOST_ENTRIES = 1 << 9, 1 << 17

#: One bit for each minute.
_BITS = np.uint64(1) << np.arange(MINUTES, dtype=np.uint64)

#: A node that fails with any number of lines.
_ANY = 1 << 30

_WORDS = MINUTES // 4  # 16 bits a minute

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class Lines(NamedTuple):
    """The lines; each (lines,) int64, but `minutes` uint64."""

    first: np.ndarray
    interval: np.ndarray
    length: np.ndarray
    minutes: np.ndarray  #: in which they come, as bits


class Memory(NamedTuple):
    """The working memory; L levels."""

    waiting: np.ndarray  #: (60,) int64
    left: np.ndarray  #: (L,) int64: arrivals not explained
    active: np.ndarray  #: (L × lines,) int16
    size: np.ndarray  #: (L,) int64: how many are active
    at: np.ndarray  #: (L,) int64: which of them is taken
    last: np.ndarray  #: (L,) int64: the last of them that may do
    cut: np.ndarray  #: (L,) uint8: whether something below was left out that more lines might allow
    is_new: np.ndarray  #: (L,) uint8: whether the table is to keep the node when it fails
    longest: np.ndarray  #: (60,) int64
    packed: np.ndarray  #: (15,) uint64: `waiting`, four minutes a word
    key: np.ndarray  #: (entries × 15,) uint64: counts of nodes that failed
    since: np.ndarray  #: (entries,) int64: with active lines from this number on
    allowed: np.ndarray  #: (entries,) int64: and so many more lines allowed; 0 where there is no entry


@kernel
def search_lines(lines: Lines, memory: Memory, counters: np.ndarray) -> Int:
    """Go on until a cover is found (FOUND), there is none (EXHAUSTED), or the budget of nodes is used up."""
    width = lines.first.shape[0]
    while counters[GENERATED] < counters[STOP_AT]:
        level = counters[DEPTH]
        if counters[ENTERING] == 1:
            counters[ENTERING] = 0
            counters[GENERATED] += 1
            if memory.left[unsigned(level)] == 0:
                counters[INCUMBENT] = level
                return FOUND
            _enter(lines, memory, counters, level)
        elif memory.at[unsigned(level)] <= memory.last[unsigned(level)]:
            _take(lines, memory, level)
            counters[DEPTH] = level + 1
            counters[ENTERING] = 1
        else:
            is_cut = memory.cut[unsigned(level)] == 1
            if memory.is_new[unsigned(level)] == 1:
                if counters[ENTRIES] == memory.since.shape[0] < _MOST_ENTRIES:
                    return FULL
                counters[ENTRIES] += 1
                _remember(memory, integer(memory.active[unsigned(level * width)]), counters[BOUND] - level if is_cut else _ANY)
            if level > 0:
                counters[DEPTH] = level - 1
                if is_cut:
                    memory.cut[unsigned(level - 1)] = 1
                line = integer(memory.active[unsigned((level - 1) * width + memory.at[unsigned(level - 1)])])
                _add(lines, memory.waiting, line, 1)
                memory.at[unsigned(level - 1)] += 1
            elif not is_cut or counters[BOUND] == counters[MOST]:
                return EXHAUSTED
            else:
                counters[BOUND] += 1
                counters[ENTERING] = 1
    return PAUSED


@kernel(inline=True)
def _add(lines: Lines, count: np.ndarray, line: Int, change: Int) -> None:
    """Add to the arrivals of a line."""
    for t in range(lines.first[unsigned(line)], MINUTES, lines.interval[unsigned(line)]):
        count[unsigned(t)] += change


@kernel
def _take(lines: Lines, memory: Memory, level: Int) -> None:
    """Take the line whose turn it is; the lines from there on that still fit are active at the next level."""
    width = lines.first.shape[0]
    count = memory.waiting
    begin = level * width
    at = memory.at[unsigned(level)]
    taken = integer(memory.active[unsigned(begin + at)])
    _add(lines, count, taken, -1)
    memory.left[unsigned(level + 1)] = memory.left[unsigned(level)] - lines.length[unsigned(taken)]
    end = begin + width
    for i in range(begin + at, begin + memory.size[unsigned(level)]):
        line = integer(memory.active[unsigned(i)])
        t = lines.first[unsigned(line)]
        while t < MINUTES and count[unsigned(t)] > 0:
            t += lines.interval[unsigned(line)]
        if t >= MINUTES:
            memory.active[unsigned(end)] = line
            end += 1
    memory.size[unsigned(level + 1)] = end - begin - width


@kernel
def _enter(lines: Lines, memory: Memory, counters: np.ndarray, level: Int) -> None:
    """Find out which of the active lines may be the next."""
    allowed = counters[BOUND] - level
    memory.at[unsigned(level)] = 0
    memory.last[unsigned(level)] = -1
    memory.cut[unsigned(level)] = 0
    memory.is_new[unsigned(level)] = 0
    if allowed == 0:
        memory.cut[unsigned(level)] = 1
        return
    begin = level * lines.first.shape[0]
    size = memory.size[unsigned(level)]
    if counters[MEMORY] == 1 and size > 0:
        slot = _slot(memory)
        known = memory.allowed[unsigned(slot)]
        if known >= allowed and memory.since[unsigned(slot)] <= memory.active[unsigned(begin)] and _is_key(memory, slot):
            counters[DUPLICATES] += 1
            memory.cut[unsigned(level)] = known != _ANY
            return
        memory.is_new[unsigned(level)] = 1
    counters[EXPANDED] += 1
    last = _last_that_may_do(lines, memory, counters, level, begin, size, allowed)
    memory.last[unsigned(level)] = last
    if last < 0:
        counters[PRUNED] += 1


@kernel
def _last_that_may_do(lines: Lines, memory: Memory, counters: np.ndarray, level: Int, begin: Int, size: Int, allowed: Int) -> Int:
    """The last active line such that it and those after it may explain all, or -1. Notes whether more lines might change it."""
    count = memory.waiting
    longest = memory.longest
    bare = 0  # minutes with arrivals that no line left comes in
    for t in range(MINUTES):
        longest[unsigned(t)] = 0
        if count[unsigned(t)] > 0:
            bare += 1
    if counters[COVERED] == 0:
        bare = 0
    needed: Int = 0
    for i in range(size - 1, -1, -1):
        line = integer(memory.active[unsigned(begin + i)])
        length = lines.length[unsigned(line)]
        for t in range(lines.first[unsigned(line)], MINUTES, lines.interval[unsigned(line)]):
            before = longest[unsigned(t)]
            if before == 0:
                bare -= counters[COVERED]
                needed += count[unsigned(t)] * (_WHOLE // length)
                longest[unsigned(t)] = length
            elif before < length:
                needed -= count[unsigned(t)] * (_WHOLE // before - _WHOLE // length)
                longest[unsigned(t)] = length
        if bare == 0:
            if counters[LENGTHS] == 0 or needed <= allowed * _WHOLE:
                return i
            memory.cut[unsigned(level)] = 1
    return -1


# --- nodes that failed --------------------------------------------------------------------------------------------------


@kernel
def _slot(memory: Memory) -> Int:
    """Write the counts into `packed`; their place in the table."""
    packed = memory.packed
    mixed = unsigned(0)
    for w in range(_WORDS):
        word = unsigned(0)
        for t in range(4 * w + 3, 4 * w - 1, -1):
            word = (word << unsigned(16)) | unsigned(memory.waiting[unsigned(t)])
        packed[unsigned(w)] = word
        mixed = wrapping_multiply(mixed ^ word, _MULTIPLIER)
        mixed ^= mixed >> unsigned(29)
    return integer(mixed & unsigned(memory.since.shape[0] - 1))


@kernel(inline=True)
def _is_key(memory: Memory, slot: Int) -> bool:
    different = unsigned(0)
    for w in range(_WORDS):
        different |= memory.key[unsigned(slot * _WORDS + w)] ^ memory.packed[unsigned(w)]
    return bool(different == unsigned(0))


@kernel
def _remember(memory: Memory, since: Int, allowed: Int) -> None:
    """Keep a node that failed; it takes the place of another one."""
    slot = _slot(memory)
    for w in range(_WORDS):
        memory.key[unsigned(slot * _WORDS + w)] = memory.packed[unsigned(w)]
    memory.since[unsigned(slot)] = since
    memory.allowed[unsigned(slot)] = allowed


class LineSearch(ArraySearch):
    """The search for the fewest lines; `without` are names of prunings to switch off."""

    engine = "bus_schedules"
    parts = ("memory",)

    def __init__(self, arrivals: Sequence[int], options: RunOptions, without: Collection[str] = ()) -> None:
        count = np.bincount(np.array(arrivals, np.int64), minlength=MINUTES)
        super().__init__([count], options, without=sorted(without))
        lines = all_lines()
        chosen = np.flatnonzero((lines.minutes & ~np.bitwise_or.reduce(_BITS[count > 0])) == 0)
        if "order" in without:
            chosen = chosen[np.lexsort((lines.interval[chosen], lines.first[chosen]))]
        self.lines = Lines(*(field[chosen] for field in lines))
        width, levels = len(chosen), len(arrivals) // 2 + 2
        self.memory = Memory(
            waiting=count.copy(),
            left=np.zeros(levels, np.int64),
            active=np.zeros(levels * width, np.int16),
            size=np.zeros(levels, np.int64),
            at=np.zeros(levels, np.int64),
            last=np.zeros(levels, np.int64),
            cut=np.zeros(levels, np.uint8),
            is_new=np.zeros(levels, np.uint8),
            longest=np.zeros(MINUTES, np.int64),
            packed=np.zeros(_WORDS, np.uint64),
            key=np.zeros(_FEW_ENTRIES * _WORDS, np.uint64),
            since=np.zeros(_FEW_ENTRIES, np.int64),
            allowed=np.zeros(_FEW_ENTRIES, np.int64),
        )
        self.memory.left[0] = len(arrivals)
        self.memory.active[:width] = np.arange(width)
        self.memory.size[0] = width
        for counter, name in _SWITCHES.items():
            self.counters[counter] = name not in without
        self.counters[ENTERING] = 1
        self.counters[BOUND] = 1
        self.counters[MOST] = len(arrivals) // 2
        self.counters[INCUMBENT] = NONE

    def advance(self, stop_at: int) -> int:
        """Go on until `generated` reaches `stop_at`."""
        self.counters[STOP_AT] = stop_at
        return self.call(search_lines, self.lines, self.memory, self.counters)

    def enlarge(self) -> None:
        """Begin a larger table; what the small one kept is soon found again."""
        entries = 16 * len(self.memory.since)
        key, since, allowed = np.zeros(entries * _WORDS, np.uint64), *np.zeros((2, entries), np.int64)
        self.memory = self.memory._replace(key=key, since=since, allowed=allowed)
        self.counters[ENTRIES] = 0

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """The lines: first arrivals and intervals, in this order."""
        cost, width = int(self.counters[INCUMBENT]), len(self.lines.first)
        if cost == NONE:
            return None
        taken = [self.memory.active[level * width + self.memory.at[level]] for level in range(cost)]
        return cost, tuple(sorted((int(self.lines.first[line]), int(self.lines.interval[line])) for line in taken))


@functools.cache
def all_lines() -> Lines:
    """Every line there can be, longest first; of equally long ones those that begin last."""
    lines = [(first, interval) for first in range(MINUTES // 2) for interval in range(first + 1, MINUTES - first)]
    lines.sort(key=lambda line: (-len(range(line[0], MINUTES, line[1])), -line[0]))
    first, interval = np.array(lines, np.int64).T.copy()
    minutes = np.array([sum(1 << minute for minute in range(a, MINUTES, d)) for a, d in lines], np.uint64)
    return Lines(first, interval, (MINUTES - 1 - first) // interval + 1, minutes)


def search_arrivals(arrivals: Sequence[int], options: RunOptions, without: Collection[str] = ()) -> Solution:
    """The fewest lines, as `moves`; infeasible when no lines make up these arrivals. Raises what `control.run` raises."""
    return run(LineSearch(arrivals, options, without), options)
