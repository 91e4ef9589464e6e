"""The search of square breaking: ever more matches to take away, until so many are enough.

    match     numbered from 0; sets of matches are words of 64 bits, `span` of them
    square    one that is complete at the beginning, numbered from 0, small ones first; it is *live* until one of its matches is
              taken away; sets of squares are words of 64 bits, `words` of them
    banned    matches that are not to be taken in a branch, since branches that take them were tried before
    budget    how many matches may be taken away: it grows by one whenever so few have proved not to be enough

    Squares   `hit` (matches, words): the squares of a match; `sides` (squares, span): the matches of a square; `black`, `white`
              (words,): squares of one cell, by the colour of that cell on a chessboard; uint64 all
    Work      for each depth `live` (words), `banned` (span), `left` (span): the matches not yet tried there; `used` (span,):
              scratch space; uint64 all; `taken`: the match taken at each depth; `best`: the fewest matches known to be enough,
              both int64

An engine for any problem would have to carry the banned matches in its states and find the same square to branch on for each
move; here both are found once for a node.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any, NamedTuple

import numpy as np

from bestfirst.catalogue.prunings import Kind, Pruning, require_known
from bestfirst.control import FOUND, PAUSED, RunOptions
from bestfirst.kernel import Int, integer, kernel, population_count, trailing_zeros, unsigned
from bestfirst.search.compiled import BOUND, DEPTH, EXPANDED, GENERATED, INCUMBENT, OWN, PRUNED, STOP_AT
from bestfirst.search.explicit import ArraySearch

DISJOINT = OWN  #: from here on: whether a pruning is on
TRIED = OWN + 1
COVERED = OWN + 2
FEWEST = OWN + 3

PRUNINGS = {
    "disjoint-squares": Pruning(
        Kind.BOUND,
        "counts live squares that have no match in common, and leaves a branch where there are too many",
        "each of them takes a match of its own",
    ),
    "tried-matches": Pruning(
        Kind.EQUIVALENT,
        "bans a match from the branches after the one that takes it",
        "all sets with it have been tried there",
    ),
    "covered-matches": Pruning(
        Kind.EQUIVALENT,
        "does not take a match of the square when another of its matches breaks the same live squares and perhaps more",
        "the other may stand for it in any set",
    ),
    "fewest-matches": Pruning(
        Kind.ORDER,
        "branches on a square with the fewest matches that may be taken, not on the first",
        "every live square must be broken, and any may be the next",
    ),
}

_SWITCHES = {DISJOINT: "disjoint-squares", TRIED: "tried-matches", COVERED: "covered-matches", FEWEST: "fewest-matches"}


class Squares(NamedTuple):
    """See the legend."""

    hit: np.ndarray
    sides: np.ndarray
    black: np.ndarray
    white: np.ndarray


class Work(NamedTuple):
    """See the legend."""

    live: np.ndarray
    banned: np.ndarray
    left: np.ndarray
    used: np.ndarray
    taken: np.ndarray
    best: np.ndarray


@kernel(inline=True)
def _add_disjoint(squares: Squares, work: Work, row: Int, colour: np.ndarray, is_other: Int) -> Int:
    """How many live squares of a colour (or all others) can be added to the used matches, one after another."""
    words, span = squares.black.shape[0], work.used.shape[0]
    count = 0
    for word in range(words):
        live = work.live[unsigned(row * words + word)]
        mask = colour[unsigned(word)]
        live &= ~mask if is_other else mask
        while live != unsigned(0):
            square = 64 * word + integer(trailing_zeros(live))
            live &= live - unsigned(1)
            is_disjoint = True
            for i in range(span):
                free = squares.sides[unsigned(square * span + i)] & ~work.banned[unsigned(row * span + i)]
                if free & work.used[unsigned(i)] != unsigned(0):
                    is_disjoint = False
            if is_disjoint:
                count += 1
                for i in range(span):
                    free = squares.sides[unsigned(square * span + i)] & ~work.banned[unsigned(row * span + i)]
                    work.used[unsigned(i)] |= free
    return count


@kernel(inline=True)
def _disjoint(squares: Squares, work: Work, row: Int, colour: np.ndarray) -> Int:
    """A number of live squares without common matches: those of a colour first, which never have any, then others that fit."""
    for i in range(work.used.shape[0]):
        work.used[unsigned(i)] = 0
    return _add_disjoint(squares, work, row, colour, 0) + _add_disjoint(squares, work, row, colour, 1)


@kernel(inline=True)
def _chosen_square(squares: Squares, work: Work, row: Int, counters: np.ndarray) -> tuple[Int, Int]:
    """The live square to branch on and how many of its matches may be taken; -1 when none is live."""
    words, span = squares.black.shape[0], work.used.shape[0]
    chosen, fewest = integer(-1), integer(1 << 30)
    for word in range(words):
        live = work.live[unsigned(row * words + word)]
        while live != unsigned(0):
            square = 64 * word + integer(trailing_zeros(live))
            live &= live - unsigned(1)
            size = integer(0)
            for i in range(span):
                free = squares.sides[unsigned(square * span + i)] & ~work.banned[unsigned(row * span + i)]
                size += integer(population_count(free))
            if size < fewest:
                chosen, fewest = square, size
            if counters[FEWEST] == 0:
                return chosen, fewest
    return chosen, fewest


@kernel(inline=True)
def _covers(squares: Squares, work: Work, row: Int, one: Int, two: Int) -> Int:
    """Whether match `one` breaks all live squares that `two` breaks; of equals the one with the smaller number does."""
    words = squares.black.shape[0]
    is_equal = True
    for word in range(words):
        live = work.live[unsigned(row * words + word)]
        first, second = squares.hit[unsigned(one * words + word)] & live, squares.hit[unsigned(two * words + word)] & live
        if second & ~first != unsigned(0):
            return False
        if first != second:
            is_equal = False
    return not is_equal or one < two


@kernel(inline=True)
def _set_left(squares: Squares, work: Work, row: Int, square: Int, counters: np.ndarray) -> None:
    """Write down which matches of a square are to be tried."""
    span = work.used.shape[0]
    for i in range(span):
        free = squares.sides[unsigned(square * span + i)] & ~work.banned[unsigned(row * span + i)]
        work.used[unsigned(i)] = free
        work.left[unsigned(row * span + i)] = free
    if counters[COVERED] == 0:
        return
    for i in range(span):
        ones = work.used[unsigned(i)]
        while ones != unsigned(0):
            one = 64 * i + integer(trailing_zeros(ones))
            bit = ones & (~ones + unsigned(1))
            ones ^= bit
            is_covered = False
            for j in range(span):
                others = work.used[unsigned(j)]
                while others != unsigned(0) and not is_covered:
                    other = 64 * j + integer(trailing_zeros(others))
                    others &= others - unsigned(1)
                    if other != one and _covers(squares, work, row, other, one):
                        is_covered = True
            if is_covered:
                work.left[unsigned(row * span + i)] ^= bit


@kernel
def search_squares(squares: Squares, work: Work, counters: np.ndarray) -> Int:
    """Deepen until the budget is enough, or all that is known to be enough (FOUND), or the node budget is used up."""
    words, span = squares.black.shape[0], work.used.shape[0]
    depth, budget = counters[DEPTH], counters[BOUND]
    outcome = PAUSED
    while counters[GENERATED] < counters[STOP_AT]:
        match = integer(-1)
        if depth >= 0:  # depth -1: the root of the next budget is to be made
            for i in range(span):
                left = work.left[unsigned(depth * span + i)]
                if match < 0 and left != unsigned(0):
                    match = 64 * i + integer(trailing_zeros(left))
                    bit = left & (~left + unsigned(1))
                    work.left[unsigned(depth * span + i)] ^= bit
            if match < 0:
                depth -= 1
                if depth < 0:
                    budget += 1
                continue
            work.taken[unsigned(depth)] = match
        elif budget >= counters[INCUMBENT]:
            outcome = FOUND
            break
        counters[GENERATED] += 1
        row = depth + 1
        if match >= 0:
            for i in range(words):
                live = work.live[unsigned(depth * words + i)]
                work.live[unsigned(row * words + i)] = live & ~squares.hit[unsigned(match * words + i)]
            for i in range(span):
                work.banned[unsigned(row * span + i)] = work.banned[unsigned(depth * span + i)]
            if counters[TRIED] != 0:
                work.banned[unsigned(depth * span + match // 64)] |= unsigned(1) << unsigned(match % 64)
        else:
            for i in range(span):
                work.banned[unsigned(i)] = 0
        square, size = _chosen_square(squares, work, row, counters)
        if square < 0:
            for i in range(row):
                work.best[unsigned(i)] = work.taken[unsigned(i)]
            counters[INCUMBENT] = row
            outcome = FOUND
            break
        is_hopeless = size == 0 or row >= budget
        if not is_hopeless and counters[DISJOINT] != 0:
            is_hopeless = row + _disjoint(squares, work, row, squares.black) > budget
            if not is_hopeless:
                is_hopeless = row + _disjoint(squares, work, row, squares.white) > budget
        if is_hopeless:
            counters[PRUNED] += 1
            if depth < 0:
                budget += 1
            continue
        counters[EXPANDED] += 1
        depth = row
        _set_left(squares, work, row, square, counters)
    counters[DEPTH], counters[BOUND] = depth, budget
    return outcome


class SquareSearch(ArraySearch):
    """The search of a board. has: (squares, matches) bool, small squares first; is_black: (squares of one cell,) bool."""

    engine = "square_breaking"
    parts = ("work",)

    def __init__(self, has: np.ndarray, is_black: np.ndarray, options: RunOptions, *, without: Set[str]) -> None:
        require_known(without, PRUNINGS)
        super().__init__([has], options, without=sorted(without))
        squares, matches = has.shape
        colours = np.zeros((2, squares), bool)
        colours[0, : len(is_black)] = is_black
        colours[1, : len(is_black)] = ~is_black
        black, white = _words(colours)
        self.squares = Squares(_words(has.T).ravel(), _words(has).ravel(), black, white)
        taken = _greedy(has)
        depths, words, span = len(taken) + 2, len(black), -(-matches // 64)
        live = np.zeros((depths, words), np.uint64)
        live[0] = _words(np.ones((1, squares), bool))[0]
        self.work = Work(
            live.ravel(),
            np.zeros(depths * span, np.uint64),
            np.zeros(depths * span, np.uint64),
            np.zeros(span, np.uint64),
            np.zeros(depths, np.int64),
            np.array(taken, np.int64),
        )
        self.counters[DEPTH] = -1
        self.counters[INCUMBENT] = len(taken)
        for counter, name in _SWITCHES.items():
            self.counters[counter] = name not in without

    def advance(self, stop_at: int) -> int:
        self.counters[STOP_AT] = stop_at
        return self.call(search_squares, self.squares, self.work, self.counters)

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        cost = int(self.counters[INCUMBENT])
        return cost, tuple(sorted(self.work.best[:cost].tolist()))


def _words(sets: np.ndarray) -> np.ndarray:
    """Sets, a row of truth values each, as rows of words of 64 bits, at least one."""
    bits = np.zeros((len(sets), max(1, -(-sets.shape[1] // 64)) * 64), np.uint8)
    bits[:, : sets.shape[1]] = sets
    words: np.ndarray = np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    return words


def _greedy(has: np.ndarray) -> list[int]:
    """Matches that break all squares, each time one that breaks the most."""
    taken = []
    while len(has):
        taken.append(int(has.sum(axis=0).argmax()))
        has = has[~has[:, taken[-1]]]
    return taken
