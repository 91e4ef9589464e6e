"""Exact cover by bit sets: each level keeps its own list of the options that are still possible, so nothing is ever undone.

W          words of 64 bits for a set of items; V: words that hold primary items (item i is bit i mod 64 of word i div 64)
levels     one list of options a level, one behind the other; a list of s options that begins at f has
           ids[f : f + s] int32, their numbers in ascending order, and
           words[f × W + w × s + i] uint64, word w of the items of its option i
frames     (primary + 2, 4) int64 a level: _FIRST and _SIZE of its list, _NEXT option to look at, _WORD of the branching item
bits       (primary + 2,) uint64: the bit of the branching item
uncovered  (primary + 2, V) uint64: the primary items to cover
clash      (m,) uint64: not 0 where an option of the list shares an item with the chosen one;  kept: (m,) int32, the others
tally      (4, W) uint64: the number of options an item has, in binary, one digit a row; a bit in the last row: 8 or more
sizes      (primary,) int32: these numbers, counted one by one where all are 8 or more

The loops run over whole lists, word by word, without branches: the compiler makes vector instructions of them. An option that
would leave some item without options is found by the first two, without making its list.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FULL, PAUSED, RunOptions
from bestfirst.kernel import Int, integer, kernel, trailing_zeros, unsigned
from bestfirst.search.compiled import DEPTH, EXPANDED, GENERATED, PRUNED, STOP_AT
from bestfirst.search.cover import BRANCHED, GO_ON, Cover, CoverSearch, report
from bestfirst.store import enlarged

_FIRST = 0
_SIZE = 1
_NEXT = 2
_WORD = 3

_MANY = 8


class Memory(NamedTuple):
    """The working memory; shapes in the legend above."""

    ids: np.ndarray
    words: np.ndarray
    frames: np.ndarray
    bits: np.ndarray
    uncovered: np.ndarray
    clash: np.ndarray
    kept: np.ndarray
    tally: np.ndarray
    sizes: np.ndarray
    chosen: np.ndarray
    fewest: np.ndarray
    listing: np.ndarray
    counters: np.ndarray


@kernel
def search_masks(cover: Cover, memory: Memory) -> Int:
    """Advance until the node budget is used up; see `control` for the outcomes. O(list × words) a node."""
    counters = memory.counters
    frames = memory.frames
    while counters[GENERATED] < counters[STOP_AT]:
        depth = counters[DEPTH]
        if depth < 0:
            return EXHAUSTED
        if counters[BRANCHED] == 0:
            if _is_covered(memory.uncovered[depth]):
                outcome = report(memory.chosen, memory.fewest, memory.listing, counters)
                counters[DEPTH] -= 1
                counters[BRANCHED] = 1
                if outcome != GO_ON:
                    return outcome
                continue
            _choose_item(memory, depth)
            counters[EXPANDED] += 1
            counters[BRANCHED] = 1
        place = _next_option(memory, depth)
        if place < 0:
            counters[DEPTH] -= 1
            continue
        first = frames[depth, _FIRST] + frames[depth, _SIZE]
        if first + frames[depth, _SIZE] > memory.ids.shape[0]:
            return FULL
        frames[depth, _NEXT] = place + 1
        counters[GENERATED] += 1
        if not _is_possible(memory, depth, place):
            counters[PRUNED] += 1
            continue
        memory.chosen[depth] = memory.ids[unsigned(frames[depth, _FIRST] + place)]
        _narrow(memory, depth, first)
        counters[DEPTH] = depth + 1
        counters[BRANCHED] = 0
    return PAUSED


@kernel
def _is_covered(uncovered: np.ndarray) -> Int:
    left = unsigned(0)
    for w in range(uncovered.shape[0]):
        left |= uncovered[unsigned(w)]
    return left == unsigned(0)


@kernel
def _choose_item(memory: Memory, depth: Int) -> None:
    """Choose the first of the uncovered items with the fewest options as the one to branch on."""
    tally = memory.tally
    uncovered = memory.uncovered
    memory.frames[depth, _NEXT] = 0
    for options in range(_MANY):
        for w in range(uncovered.shape[1]):
            items = uncovered[depth, unsigned(w)] & ~tally[3, unsigned(w)]
            for digit in range(3):
                row = tally[digit, unsigned(w)]
                items &= row if options >> digit & 1 else ~row
            if items != unsigned(0):
                memory.frames[depth, _WORD] = w
                memory.bits[depth] = items ^ (items & (items - unsigned(1)))
                return
    item = _first_of_fewest(memory, depth)
    memory.frames[depth, _WORD] = item >> 6
    memory.bits[depth] = unsigned(1) << unsigned(item & 63)


@kernel
def _first_of_fewest(memory: Memory, depth: Int) -> Int:
    """The item that `_choose_item` looks for, by counting."""
    sizes = memory.sizes
    size = memory.frames[depth, _SIZE]
    begin = memory.frames[depth, _FIRST] * memory.tally.shape[1]
    for item in range(sizes.shape[0]):
        sizes[unsigned(item)] = 0
    best = -1
    for w in range(memory.uncovered.shape[1]):
        uncovered = memory.uncovered[depth, unsigned(w)]
        for i in range(size):
            items = memory.words[unsigned(begin + w * size + i)] & uncovered
            while items != unsigned(0):
                sizes[unsigned(64 * w) + trailing_zeros(items)] += 1
                items &= items - unsigned(1)
        while uncovered != unsigned(0):
            item = 64 * w + integer(trailing_zeros(uncovered))
            if best < 0 or sizes[unsigned(item)] < sizes[unsigned(best)]:
                best = item
            uncovered &= uncovered - unsigned(1)
    return best


@kernel
def _next_option(memory: Memory, depth: Int) -> Int:
    """Place in the list of the next option that covers the branching item, or -1."""
    size = memory.frames[depth, _SIZE]
    begin = memory.frames[depth, _FIRST] * memory.tally.shape[1] + memory.frames[depth, _WORD] * size
    bit = memory.bits[depth]
    for i in range(memory.frames[depth, _NEXT], size):
        if memory.words[unsigned(begin + i)] & bit != unsigned(0):
            return i
    return -1


@kernel
def _is_possible(memory: Memory, depth: Int, place: Int) -> Int:
    """Mark what clashes with an option; False when some item is left without options."""
    words = memory.words
    clash = memory.clash
    size = memory.frames[depth, _SIZE]
    begin = memory.frames[depth, _FIRST] * memory.tally.shape[1]
    for i in range(size):
        clash[unsigned(i)] = unsigned(0)
    for w in range(memory.tally.shape[1]):
        own = words[unsigned(begin + w * size + place)]
        if own != unsigned(0):
            for i in range(size):
                clash[unsigned(i)] |= words[unsigned(begin + w * size + i)] & own
    for w in range(memory.uncovered.shape[1]):
        left = memory.uncovered[depth, unsigned(w)] & ~words[unsigned(begin + w * size + place)]
        memory.uncovered[depth + 1, unsigned(w)] = left
        if left != unsigned(0):
            reached = unsigned(0)
            for i in range(size):
                reached |= words[unsigned(begin + w * size + i)] if clash[unsigned(i)] == unsigned(0) else unsigned(0)
            if left & ~reached != unsigned(0):
                return False
    return True


@kernel
def _narrow(memory: Memory, depth: Int, first: Int) -> None:
    """Make the list of the next level, which begins at `first`, of the options without a clash, and the tally of it."""
    frames = memory.frames
    kept = memory.kept
    words = memory.words
    old_first = frames[depth, _FIRST]
    old_size = frames[depth, _SIZE]
    size = 0
    for i in range(old_size):
        kept[unsigned(size)] = i
        size += 1 if memory.clash[unsigned(i)] == unsigned(0) else 0
    for i in range(size):
        memory.ids[unsigned(first + i)] = memory.ids[unsigned(old_first + kept[unsigned(i)])]
    width = memory.tally.shape[1]
    for w in range(width):
        source = old_first * width + w * old_size
        target = first * width + w * size
        ones = unsigned(0)
        twos = unsigned(0)
        fours = unsigned(0)
        many = unsigned(0)
        for i in range(size):
            items = words[unsigned(source + kept[unsigned(i)])]
            words[unsigned(target + i)] = items
            carry = ones & items
            ones ^= items
            carry_on = twos & carry
            twos ^= carry
            many |= fours & carry_on
            fours ^= carry_on
        memory.tally[0, unsigned(w)] = ones
        memory.tally[1, unsigned(w)] = twos
        memory.tally[2, unsigned(w)] = fours
        memory.tally[3, unsigned(w)] = many
    frames[depth + 1, _FIRST] = first
    frames[depth + 1, _SIZE] = size


class MaskSearch(CoverSearch):
    """Exact cover by bit sets at work."""

    kernel = search_masks

    def __init__(self, cover: Cover, mode: int, options: RunOptions) -> None:
        super().__init__(cover, mode, options)
        m = len(cover.starts) - 1
        width, levels = max(1, -(-cover.n // 64)), cover.primary + 2
        primary = np.zeros(-(-cover.primary // 64) * 64, np.uint8)
        primary[: cover.primary] = 1
        frames = np.zeros((levels, 4), np.int64)
        frames[0, _SIZE] = m
        uncovered = np.zeros((levels, len(primary) // 64), np.uint64)
        uncovered[0] = np.packbits(primary, bitorder="little").view("<u8")
        words = np.zeros(2 * m * width, np.uint64)
        words[: m * width] = item_words(cover, width)
        self.memory = Memory(
            ids=np.concatenate([np.arange(m, dtype=np.int32), np.zeros(m, np.int32)]),
            words=words,
            frames=frames,
            bits=np.zeros(levels, np.uint64),
            uncovered=uncovered,
            clash=np.zeros(m, np.uint64),
            kept=np.zeros(m, np.int32),
            tally=np.full((4, width), ~np.uint64(0)),
            sizes=np.zeros(cover.primary, np.int32),
            **self.common,
        )

    def enlarge(self, room: int | None) -> bool:
        m = self.memory
        rows = len(m.ids) + len(m.ids) // 2 + len(m.kept)
        width = m.tally.shape[1]
        if room is not None and self.bytes() + rows * (4 + 8 * width) > room:  # old and new exist side by side for a moment
            return False
        self.memory = m._replace(ids=enlarged(m.ids, rows), words=enlarged(m.words, rows * width))
        return True


def item_words(cover: Cover, width: int) -> np.ndarray:
    """The items of all options as words, word 0 of all options first."""
    m = len(cover.starts) - 1
    words = np.zeros(m * width, np.uint64)
    bits = np.left_shift(np.uint64(1), (cover.items & 63).astype(np.uint64))
    np.bitwise_or.at(words, (cover.items >> 6) * m + cover.option_of_entry(), bits)
    return words
