"""The search of missile defence: a sequence into the fewest strictly increasing and strictly decreasing subsequences.

    n, m         how many elements there are, and how many different heights
    rank         (n,) uint16: the heights, numbered 1 … m from the lowest
    split        (i, d): i increasing and d decreasing parts are allowed; splits are searched in order of i + d
    tops         of a state: the last rank of each part. A part not begun has the top 0 if it increases, m + 1 if it decreases
    state        a position and the tops there: i of increasing parts, descending, then d of decreasing parts, ascending

A state that has elements to come asks only which of them lie above a top (below it, of a decreasing part). So a top whose
height does not come again is lowered to the next height that does (raised): states are equal more often by that. Of the
increasing parts the one with the highest top below an element takes it, of the decreasing parts the one with the lowest top above
it: if a best answer gives it to another, the two parts can exchange all that follows. So a state has two children at most.

A state is *better* than another at the same position if each of its increasing tops is at most, and each of its decreasing tops
at least, that of the other: what the other can do with the elements to come, it can do too. States that failed are kept, and
one that is no better than one of them fails as well. They are packed in words, a lane of 8 or 16 bits for each top, decreasing
ones as m + 1 - top; one subtraction compares all lanes of a word.

Why not a general engine: `depth_first` remembers equal states, but neither compares them nor looks ahead.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, PAUSED, Progress, RunOptions, run
from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.result import Solution
from bestfirst.search.compiled import BOUND, DEPTH, DUPLICATES, EXPANDED, GENERATED, INCUMBENT, OWN, PRUNED, STOP_AT
from bestfirst.search.explicit import ArraySearch

SPLIT = OWN  #: the split that is searched, or -1
POSITION = OWN + 1  #: the next element, or _BACK
LEVEL = OWN + 2  #: how many elements on the way had two children
RISING = OWN + 3  #: i of the split
FALLING = OWN + 4  #: d of the split
KEPT = OWN + 5  #: failed states are kept for each position, at most
LOOKAHEAD = OWN + 6  #: 1 where a pruning is on, also below
MEMORY = OWN + 7
ORDER = OWN + 8

_SWITCHES = {LOOKAHEAD: "lookahead", MEMORY: "memory", ORDER: "order"}

#: Position: the state failed, go back.
_BACK = -1

#: Choices for an element.
_UP, _DOWN, _TRIED = 0, 1, 2

#: Longer sequences would take too long before the first look at the clock, and their ranks must stay below 2^15.
MAX_LENGTH = 10_000

#: Failed states for each position: more save few nodes and cost more to compare with.
_MOST_KEPT = 256

#: Bytes for failed states.
_ROOM = 1 << 26


class Elements(NamedTuple):
    """The elements; see the legend."""

    rank: np.ndarray
    is_last: np.ndarray  #: (n,) uint8: whether the height does not come again
    left: np.ndarray  #: (n,) uint16: how many elements of this height there are from here on
    below: np.ndarray  #: (n,) uint16: if so, the next lower rank that does, or 0
    above: np.ndarray  #: (n,) uint16: the next higher one, or m + 1


class Memory(NamedTuple):
    """The working memory; `width` is the most parts that are tried."""

    splits: np.ndarray  #: (2 × splits,) int64
    tops: np.ndarray  #: ((n + 1) × width,) uint16: the state at each level
    position: np.ndarray  #: (n + 1,) int64: of the element with two children at each level
    rest: np.ndarray  #: (n + 1,) uint8: the choice left to be tried there
    choice: np.ndarray  #: (n,) uint8: of each element on the way
    label: np.ndarray  #: (n,) uint8: the choices of the best answer so far
    failed: np.ndarray  #: (n × KEPT × words,) uint64
    known: np.ndarray  #: (n,) int64: how many failed states there are
    hand: np.ndarray  #: (n,) int64: which of them is overwritten next, when there are KEPT
    packed: np.ndarray  #: (words,) uint64: the state that is compared
    forced: np.ndarray  #: (width,) int64: the tops as forced elements change them
    guard: np.ndarray  #: (1,) uint64: the highest bit of each lane
    form: np.ndarray  #: (2,) int64: bits of a lane, m + 1


@kernel
def search_splits(elements: Elements, memory: Memory, counters: np.ndarray) -> Int:
    """Search split after split until one does (FOUND), none is left (EXHAUSTED), or the budget of nodes is used up.

    A node is an element placed.
    """
    while counters[GENERATED] < counters[STOP_AT]:
        if counters[POSITION] == elements.rank.shape[0]:
            for p in range(elements.rank.shape[0]):
                memory.label[unsigned(p)] = memory.choice[unsigned(p)]
            counters[INCUMBENT] = counters[RISING] + counters[FALLING]
            return FOUND
        if counters[POSITION] != _BACK:
            _go_on(elements, memory, counters)
        elif not _go_back(elements, memory, counters) and not _next_split(memory, counters):
            return EXHAUSTED
    return PAUSED


@kernel
def _next_split(memory: Memory, counters: np.ndarray) -> bool:
    """Begin the next split; False when there is none."""
    split = counters[SPLIT] + 1
    if 2 * split == memory.splits.shape[0]:
        return False
    counters[SPLIT] = split
    rising = memory.splits[unsigned(2 * split)]
    falling = memory.splits[unsigned(2 * split + 1)]
    counters[RISING] = rising
    counters[FALLING] = falling
    counters[BOUND] = rising + falling
    counters[LEVEL] = 0
    counters[POSITION] = 0
    for j in range(rising):
        memory.tops[unsigned(j)] = 0
    for j in range(rising, rising + falling):
        memory.tops[unsigned(j)] = memory.form[1]
    for p in range(memory.known.shape[0]):
        memory.known[unsigned(p)] = 0
        memory.hand[unsigned(p)] = 0
    return True


@kernel
def _go_on(elements: Elements, memory: Memory, counters: np.ndarray) -> None:
    """Place elements until one has two children (its level is begun), none, or the end or the budget is reached."""
    n = elements.rank.shape[0]
    tops = memory.tops
    width = memory.forced.shape[0]
    rising = counters[RISING]
    parts = rising + counters[FALLING]
    level = counters[LEVEL]
    first = level * width
    p = counters[POSITION]
    while p < n and counters[GENERATED] < counters[STOP_AT]:
        counters[GENERATED] += 1
        x = integer(elements.rank[unsigned(p)])
        up = _taker_up(tops, first, rising, x)
        down = _taker_down(tops, first + rising, parts - rising, x)
        if up < 0 and down < 0:
            p = _BACK
            break
        if down < 0:
            _place(elements, memory, first, parts, rising, p, _UP, up)
        elif up < 0:
            _place(elements, memory, first, parts, rising, p, _DOWN, down)
        else:
            counters[EXPANDED] += 1
            if counters[MEMORY] == 1:
                _pack(memory, first, parts, rising)
                if _is_known(memory, p, counters[KEPT]):
                    counters[DUPLICATES] += 1
                    p = _BACK
                    break
            if counters[LOOKAHEAD] == 1 and not _forced_fit(elements, memory, first, parts, rising, p):
                counters[PRUNED] += 1
                p = _BACK
                break
            is_down_first = counters[ORDER] == 1 and tops[unsigned(down)] - x < x - tops[unsigned(up)]
            memory.position[unsigned(level)] = p
            memory.rest[unsigned(level)] = _UP if is_down_first else _DOWN
            for j in range(parts):
                tops[unsigned(first + width + j)] = tops[unsigned(first + j)]
            first += width
            level += 1
            if is_down_first:
                _place(elements, memory, first, parts, rising, p, _DOWN, down + width)
            else:
                _place(elements, memory, first, parts, rising, p, _UP, up + width)
        p += 1
    counters[POSITION] = p
    counters[LEVEL] = level
    counters[DEPTH] = level


@kernel
def _go_back(elements: Elements, memory: Memory, counters: np.ndarray) -> bool:
    """Keep the states that failed, up to one with a child left, and go to it; False when there is none."""
    width = memory.forced.shape[0]
    rising = counters[RISING]
    parts = rising + counters[FALLING]
    while counters[LEVEL] > 0:
        level = counters[LEVEL] - 1
        first = level * width
        p = memory.position[unsigned(level)]
        choice = integer(memory.rest[unsigned(level)])
        if choice != _TRIED:
            memory.rest[unsigned(level)] = _TRIED
            for j in range(parts):
                memory.tops[unsigned(first + width + j)] = memory.tops[unsigned(first + j)]
            first += width
            x = integer(elements.rank[unsigned(p)])
            if choice == _UP:
                taker = _taker_up(memory.tops, first, rising, x)
            else:
                taker = _taker_down(memory.tops, first + rising, parts - rising, x)
            _place(elements, memory, first, parts, rising, p, choice, taker)
            counters[POSITION] = p + 1
            return True
        counters[LEVEL] = level
        if counters[MEMORY] == 1:
            _pack(memory, first, parts, rising)
            _keep(memory, p, counters[KEPT])
    return False


@kernel(inline=True)
def _taker_up(tops: np.ndarray, first: Int, count: Int, x: Int) -> Int:
    """Index of the highest of these tops below x, or -1."""
    if count == 0 or tops[unsigned(first + count - 1)] >= x:
        return -1
    at = first
    while tops[unsigned(at)] >= x:
        at += 1
    return at


@kernel(inline=True)
def _taker_down(tops: np.ndarray, first: Int, count: Int, x: Int) -> Int:
    """Index of the lowest of these tops above x, or -1."""
    if count == 0 or tops[unsigned(first + count - 1)] <= x:
        return -1
    at = first
    while tops[unsigned(at)] <= x:
        at += 1
    return at


@kernel(inline=True)
def _place(elements: Elements, memory: Memory, first: Int, parts: Int, rising: Int, p: Int, choice: Int, taker: Int) -> None:
    """Give element p to the part at index `taker`; when its height does not come again, tops of that height move on."""
    memory.choice[unsigned(p)] = choice
    tops = memory.tops
    x = integer(elements.rank[unsigned(p)])
    tops[unsigned(taker)] = x
    if elements.is_last[unsigned(p)] == 1:
        for j in range(first, first + rising):
            if tops[unsigned(j)] == x:
                tops[unsigned(j)] = elements.below[unsigned(p)]
        for j in range(first + rising, first + parts):
            if tops[unsigned(j)] == x:
                tops[unsigned(j)] = elements.above[unsigned(p)]


@kernel
def _forced_fit(elements: Elements, memory: Memory, first: Int, parts: Int, rising: Int, p: Int) -> bool:
    """Whether the elements from p on that have no choice find a part, if all others are left out."""
    forced = memory.forced
    for j in range(parts):
        forced[unsigned(j)] = memory.tops[unsigned(first + j)]
    lowest = unsigned(max(0, rising - 1))
    highest = unsigned(max(0, parts - 1))
    for q in range(p, elements.rank.shape[0]):
        x = integer(elements.rank[unsigned(q)])
        left = integer(elements.left[unsigned(q)])
        if left > 1 and _takers(forced, parts, rising, x) < left:
            return False
        can_go_up = rising > 0 and forced[lowest] < x
        can_go_down = parts > rising and forced[highest] > x
        if can_go_up and can_go_down:
            continue
        if can_go_up:
            forced[unsigned(_taker_up(forced, 0, rising, x))] = x
        elif can_go_down:
            forced[unsigned(_taker_down(forced, rising, parts - rising, x))] = x
        else:
            return False
    return True


@kernel(inline=True)
def _takers(tops: np.ndarray, parts: Int, rising: Int, x: Int) -> Int:
    """How many parts can take an element x; of those equal to it, each can take one."""
    count = parts
    for j in range(rising):
        if tops[unsigned(j)] < x:
            break
        count -= 1
    for j in range(rising, parts):
        if tops[unsigned(j)] > x:
            break
        count -= 1
    return count


# --- states that failed -------------------------------------------------------------------------------------------------


@kernel
def _pack(memory: Memory, first: Int, parts: Int, rising: Int) -> None:
    """Write a state into the lanes of `packed`: smaller is better in each."""
    bits = memory.form[0]
    packed = memory.packed
    for w in range(packed.shape[0]):
        packed[unsigned(w)] = 0
    word: Int = 0
    shift = 0
    for j in range(parts):
        top = integer(memory.tops[unsigned(first + j)])
        lane = unsigned(top if j < rising else memory.form[1] - top)
        packed[unsigned(word)] |= lane << unsigned(shift)
        shift += bits
        if shift == 64:
            word += 1
            shift = 0


@kernel(inline=True)
def _is_better(guard: Int, better: np.ndarray, at: Int, worse: np.ndarray, beside: Int, words: Int) -> bool:
    """Whether no lane of the first state is above that of the second: then no subtraction borrows from its guard."""
    for w in range(words):
        difference = (worse[unsigned(beside + w)] | guard) - better[unsigned(at + w)]
        if difference & guard != guard:
            return False
    return True


@kernel
def _is_known(memory: Memory, p: Int, kept: Int) -> bool:
    """Whether a state that failed here is better than `packed`, or the same; if so, it comes to be looked at sooner."""
    words = memory.packed.shape[0]
    guard = memory.guard[0]
    failed = memory.failed
    begin = p * kept * words
    for e in range(memory.known[unsigned(p)]):
        at = begin + e * words
        if _is_better(guard, failed, at, memory.packed, 0, words):
            before = begin + (e // 2) * words
            for w in range(words):
                word = failed[unsigned(at + w)]
                failed[unsigned(at + w)] = failed[unsigned(before + w)]
                failed[unsigned(before + w)] = word
            return True
    return False


@kernel
def _keep(memory: Memory, p: Int, kept: Int) -> None:
    """Keep `packed` in place of one that it is better than, or else one more, or in place of the next in turn."""
    words = memory.packed.shape[0]
    guard = memory.guard[0]
    begin = p * kept * words
    count = memory.known[unsigned(p)]
    e: Int = 0
    while e < count and not _is_better(guard, memory.packed, 0, memory.failed, begin + e * words, words):
        e += 1
    if e == kept:
        e = memory.hand[unsigned(p)]
        memory.hand[unsigned(p)] = e + 1 if e + 1 < kept else 0
    elif e == count:
        memory.known[unsigned(p)] = count + 1
    for w in range(words):
        memory.failed[unsigned(begin + e * words + w)] = memory.packed[unsigned(w)]


# --- before the search --------------------------------------------------------------------------------------------------


@kernel
def find_neighbours(elements: Elements, left: np.ndarray, lower: np.ndarray, higher: np.ndarray) -> Int:
    """Fill in the other fields; how many heights there are. `left`, `lower`, `higher`: (m + 2,) zeros, to work with. O(n + m)."""
    n = elements.rank.shape[0]
    for p in range(n):
        left[elements.rank[unsigned(p)]] += 1
    for x in range(left.shape[0]):
        lower[unsigned(x)] = x - 1
        higher[unsigned(x)] = x + 1
    for p in range(n):
        x = integer(elements.rank[unsigned(p)])
        elements.left[unsigned(p)] = left[unsigned(x)]
        left[unsigned(x)] -= 1
        if left[unsigned(x)] == 0:
            elements.is_last[unsigned(p)] = 1
            elements.below[unsigned(p)] = lower[unsigned(x)]
            elements.above[unsigned(p)] = higher[unsigned(x)]
            higher[unsigned(lower[unsigned(x)])] = higher[unsigned(x)]
            lower[unsigned(higher[unsigned(x)])] = lower[unsigned(x)]
    return left.shape[0] - 2


@kernel
def label_greedily(
    rank: np.ndarray, label: np.ndarray, flipped: Int, end: np.ndarray, before: np.ndarray, best: np.ndarray
) -> Int:
    """Take the longest increasing or decreasing subsequence away until nothing is left; how often. O(parts × n × log n).

    `flipped` is m + 1; `end`, `before` and `best` are (n,) int64 to work with.
    """
    n = rank.shape[0]
    for p in range(n):
        label[unsigned(p)] = _TRIED
    left = n
    parts = 0
    while left > 0:
        parts += 1
        length = _longest(rank, label, 0, end, before)
        last = end[unsigned(length - 1)]
        for p in range(n):
            best[unsigned(p)] = before[unsigned(p)]
        choice = _UP
        falling = _longest(rank, label, flipped, end, before)
        if falling > length:
            length = falling
            last = end[unsigned(length - 1)]
            for p in range(n):
                best[unsigned(p)] = before[unsigned(p)]
            choice = _DOWN
        for _ in range(length):
            label[unsigned(last)] = choice
            last = best[unsigned(last)]
        left -= length
    return parts


@kernel
def _longest(rank: np.ndarray, label: np.ndarray, flipped: Int, end: np.ndarray, before: np.ndarray) -> Int:
    """Length of the longest increasing (with `flipped` decreasing) subsequence without label: end[length - 1], before[that] …"""
    length = 0
    for p in range(rank.shape[0]):
        if label[unsigned(p)] != _TRIED:
            continue
        x = abs(flipped - rank[unsigned(p)])
        low = 0
        high = length
        while low < high:
            middle = (low + high) >> 1
            if abs(flipped - rank[unsigned(end[unsigned(middle)])]) < x:
                low = middle + 1
            else:
                high = middle
        before[unsigned(p)] = end[unsigned(low - 1)] if low > 0 else -1
        end[unsigned(low)] = p
        length = max(length, low + 1)
    return length


@kernel
def fill_tableau(rank: np.ndarray, flipped: Int, cells: np.ndarray, begin: np.ndarray, size: np.ndarray) -> Int:
    """Insert the elements into the first rows of a Young tableau; how many are in them. O(n × rows × log n).

    `size` becomes the lengths of the rows: size[0] + … + size[i - 1] elements, and no more, can be covered by i strictly rising
    subsequences (C. Greene, 1974), with `flipped`, which is m + 1, by decreasing ones. Row r begins at cells[begin[r]] and has
    room for n / (r + 1) elements, as no row is longer than one above it.
    """
    for p in range(rank.shape[0]):
        x = abs(flipped - rank[unsigned(p)])
        row = 0
        while row < size.shape[0]:
            first = begin[unsigned(row)]
            low = first
            high = first + size[unsigned(row)]
            end = high
            while low < high:
                middle = (low + high) >> 1
                if cells[unsigned(middle)] < x:
                    low = middle + 1
                else:
                    high = middle
            if low == end:
                cells[unsigned(low)] = x
                size[unsigned(row)] += 1
                break
            bumped = integer(cells[unsigned(low)])
            cells[unsigned(low)] = x
            x = bumped
            row += 1
    return size.sum()


class MonotoneSearch(ArraySearch):
    """The search for the fewest parts of a sequence; `without` are names of prunings to switch off."""

    engine = "missile_defence"
    parts = ("memory",)

    def __init__(self, heights: Sequence[int], options: RunOptions, without: Collection[str] = ()) -> None:
        different, inverse = np.unique(np.array(heights, np.int64), return_inverse=True)
        n, m = len(heights), len(different)
        rank = (inverse + 1).astype(np.uint16)
        super().__init__([rank], options, without=sorted(without))
        self.elements = Elements(rank, np.zeros(n, np.uint8), *np.zeros((3, n), np.uint16))
        self.call(find_neighbours, self.elements, *np.zeros((3, m + 2), np.int64))
        label = np.zeros(n, np.uint8)
        self.call(label_greedily, rank, label, m + 1, *np.zeros((3, n), np.int64))
        greedy = len(monotone_parts(rank.tolist(), label.tolist()))
        splits = self.splits(greedy, m + 1, "covers" not in without)
        width = max(1, greedy - 1)
        bits = 8 if m + 1 < 1 << 7 else 16
        words = -(-width * bits // 64)
        limits = options.get("limits")
        room = _ROOM if limits is None or limits.memory is None else min(_ROOM, limits.memory // 2)
        kept = max(1, min(_MOST_KEPT, room // (8 * n * words))) if splits.size else 0
        levels = n + 1 if splits.size else 1
        self.memory = Memory(
            splits=splits,
            tops=np.zeros((levels + 1) * width, np.uint16),
            position=np.zeros(levels, np.int64),
            rest=np.zeros(levels, np.uint8),
            choice=np.zeros(n, np.uint8),
            label=label,
            failed=np.zeros(n * kept * words, np.uint64),
            known=np.zeros(n, np.int64),
            hand=np.zeros(n, np.int64),
            packed=np.zeros(words, np.uint64),
            forced=np.zeros(width, np.int64),
            guard=np.array([sum(1 << at + bits - 1 for at in range(0, 64, bits))], np.uint64),
            form=np.array([bits, m + 1], np.int64),
        )
        for counter, name in _SWITCHES.items():
            self.counters[counter] = name not in without
        self.counters[SPLIT] = -1
        self.counters[POSITION] = _BACK
        self.counters[KEPT] = kept
        self.counters[BOUND] = splits[:2].sum() if splits.size else greedy
        self.counters[INCUMBENT] = greedy

    def splits(self, greedy: int, flipped: int, is_bounded: bool) -> np.ndarray:
        """All splits with fewer than `greedy` parts that may do, those with the fewest parts, then with the most room, first."""
        n = len(self.elements.rank)
        most = np.zeros((2, greedy), np.int64)  # elements that so many increasing (decreasing) parts can cover
        room = n // np.arange(1, greedy)
        for side in (0, 1):
            size = np.zeros(greedy - 1, np.int64)
            cells, begin = np.zeros(room.sum(), np.uint16), room.cumsum() - room
            self.call(fill_tableau, self.elements.rank, side * flipped, cells, begin, size)
            most[side, 1:] = size.cumsum()
        found = [np.zeros(0, np.int64)]
        for parts in range(1, greedy):
            covered = most[0, : parts + 1] + most[1, parts::-1]
            rising = np.flatnonzero(covered >= n) if is_bounded else np.arange(parts + 1)
            if len(rising):
                rising = rising[np.argsort(-covered[rising], kind="stable")]
                found.append(np.stack((rising, parts - rising), axis=1).ravel())
        return np.concatenate(found)

    def advance(self, stop_at: int) -> int:
        """Go on until `generated` reaches `stop_at`."""
        self.counters[STOP_AT] = stop_at
        return self.call(search_splits, self.elements, self.memory, self.counters)

    def progress(self) -> Progress:
        """Where the search stands: at first with the greedy answer."""
        return super().progress()._replace(incumbent=int(self.counters[INCUMBENT]))

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """The parts: whether it increases, and the places of its elements from 0."""
        found = monotone_parts(self.elements.rank.tolist(), self.memory.label.tolist())
        return len(found), tuple(found)


def monotone_parts(ranks: Sequence[int], labels: Sequence[int]) -> list[tuple[bool, tuple[int, ...]]]:
    """The fewest parts in which those labelled _UP increase and the others decrease, in the order of their first elements."""
    tops: tuple[list[int], list[int]] = ([], [])  # negated for increasing parts, so that both ascend
    members: tuple[list[list[int]], list[list[int]]] = ([], [])
    for place, (rank, choice) in enumerate(zip(ranks, labels, strict=True)):
        x = -rank if choice == _UP else rank
        at = bisect_right(tops[choice], x)
        if at == len(tops[choice]):
            tops[choice].append(x)
            members[choice].append([place])
        else:
            tops[choice][at] = x
            members[choice][at].append(place)
    return sorted(
        ((choice == _UP, tuple(part)) for choice in (_UP, _DOWN) for part in members[choice]), key=lambda part: part[1][0]
    )


def search_heights(heights: Sequence[int], options: RunOptions, without: Collection[str] = ()) -> Solution:
    """The fewest parts, as `moves`. Raises what `control.run` raises."""
    return run(MonotoneSearch(heights, options, without), options)
