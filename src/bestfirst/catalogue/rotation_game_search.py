"""The walk through the layouts of the rotation game: how far each is from home, and from there the first shortest way.

    layout     a set of eight of the 24 cells, those that hold one value, as bits
    home       the layout of the eight centre cells
    number     of a layout: how many layouts are smaller as integers; there are C(24, 8) = 735,471
    distance   (735,471,) uint8: moves between home and the layout of this number, or UNMET
    queue      (735,471,) uint32: the layouts in the order in which they were met
    ends       (2,) int64: how many of the queue have been expanded, and how many are in it
    layouts    (3,) uint32: those of the values 1, 2, 3; 0 for a value that the moves made do not bring home soonest

The values do not touch each other, and a move taken back is a move: one walk from home serves all values of all boards. It goes
on only as far as a board asks for, and the next board goes on from there.

Why not `distance_table`: it walks through all layouts before the first answer, in 62 ms, and goes down the distances in the
interpreter. This takes 30 ms for all layouts, and 7 ms for the fifth of them that a random board needs.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import FOUND, PAUSED, RunOptions, run
from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.result import Solution
from bestfirst.search.compiled import BOUND, DEPTH, EXPANDED, GENERATED, INCUMBENT, NONE, STOP_AT
from bestfirst.search.explicit import ArraySearch

#: The cells of a line, for the moves A to H: each number goes to the cell named before its own, the first one to the last.
LINES = (
    (0, 2, 6, 11, 15, 20, 22),
    (1, 3, 8, 12, 17, 21, 23),
    (10, 9, 8, 7, 6, 5, 4),
    (19, 18, 17, 16, 15, 14, 13),
    (23, 21, 17, 12, 8, 3, 1),
    (22, 20, 15, 11, 6, 2, 0),
    (13, 14, 15, 16, 17, 18, 19),
    (4, 5, 6, 7, 8, 9, 10),
)

CENTRE = (6, 7, 8, 11, 12, 15, 16, 17)

LAYOUTS = math.comb(24, 8)

UNMET = 255

#: No layout is farther from home (all have been met, and the tests compare the counts with published ones).
_FARTHEST = 14

#: A layout is looked up in halves of so many cells.
_HALF = 12

_HALVES = 1 << _HALF

_MOVES = len(LINES)


class Rules(NamedTuple):
    """Tables for both halves of a layout: what they become by each move, and what they add to its number."""

    moved: np.ndarray  #: (8 × 2 × 4096,) uint32
    number: np.ndarray  #: (2 × 4096,) uint32


class Walk(NamedTuple):
    """How far the walk has come; see the legend."""

    distance: np.ndarray
    queue: np.ndarray
    ends: np.ndarray


class Board(NamedTuple):
    """What is asked, and the way that was found."""

    layouts: np.ndarray  #: (3,) uint32
    moves: np.ndarray  #: (14,) int64


@kernel(inline=True)
def _moved(rules: Rules, layout: Int, move: Int) -> Int:
    at = unsigned(move * 2 * _HALVES)
    low = layout & unsigned(_HALVES - 1)
    return unsigned(rules.moved[at + low]) | unsigned(rules.moved[at + unsigned(_HALVES) + (layout >> unsigned(_HALF))])


@kernel(inline=True)
def _distance(rules: Rules, walk: Walk, layout: Int) -> Int:
    return walk.distance[_number(rules, layout)]


@kernel(inline=True)
def _number(rules: Rules, layout: Int) -> Int:
    low = layout & unsigned(_HALVES - 1)
    return unsigned(rules.number[low]) + unsigned(rules.number[unsigned(_HALVES) + (layout >> unsigned(_HALF))])


@kernel
def search_board(rules: Rules, walk: Walk, board: Board, counters: np.ndarray) -> Int:
    """Walk on until all layouts as near as the nearest of the board are met (FOUND), or the budget is used up.

    O(8 × layouts) in all, O(8 × 3 × length) when the walk has been there before.
    """
    stop_at = counters[STOP_AT]
    generated = counters[GENERATED]
    expanded = counters[EXPANDED]
    head = walk.ends[0]
    tail = walk.ends[1]
    depth = -1
    outcome = PAUSED
    while generated < stop_at:
        layout = unsigned(0)
        far = UNMET
        if head < tail:
            layout = unsigned(walk.queue[unsigned(head)])
            far = integer(_distance(rules, walk, layout))
        if far > depth:  # all layouts that are so far from home are in the queue
            depth = far
            least = _nearest(rules, walk, board)
            counters[BOUND] = min(least, depth + 1)
            if least <= depth:
                generated += _go_home(rules, walk, board, least)
                counters[INCUMBENT] = least
                outcome = FOUND
                break
        head += 1
        expanded += 1
        generated += _MOVES
        for move in range(_MOVES):
            child = _moved(rules, layout, move)
            number = _number(rules, child)
            if walk.distance[number] == UNMET:
                walk.distance[number] = depth + 1
                walk.queue[unsigned(tail)] = child
                tail += 1
    walk.ends[0] = head
    walk.ends[1] = tail
    counters[GENERATED] = generated
    counters[EXPANDED] = expanded
    counters[DEPTH] = depth
    return outcome


@kernel
def _nearest(rules: Rules, walk: Walk, board: Board) -> Int:
    least = UNMET
    for value in range(3):
        least = min(least, integer(_distance(rules, walk, unsigned(board.layouts[unsigned(value)]))))
    return least


@kernel
def _go_home(rules: Rules, walk: Walk, board: Board, least: Int) -> Int:
    """Write down the first of the shortest ways; how many layouts were looked at.

    Ways of all values that are nearest compete: a move is the first that brings any of them nearer, and those that it does not
    bring nearer are out, as no shortest way begins so for them.
    """
    layouts = board.layouts
    looked_at = 0
    for value in range(3):
        if _distance(rules, walk, unsigned(layouts[unsigned(value)])) > least:
            layouts[unsigned(value)] = 0
    for rest in range(least - 1, -1, -1):
        first = -1
        for move in range(_MOVES):
            for value in range(3):
                layout = unsigned(layouts[unsigned(value)])
                if layout != unsigned(0):
                    looked_at += 1
                    if _distance(rules, walk, _moved(rules, layout, move)) == rest:
                        first = move
            if first >= 0:
                break
        board.moves[unsigned(least - 1 - rest)] = first
        for value in range(3):
            layout = unsigned(layouts[unsigned(value)])
            if layout != unsigned(0):
                after = _moved(rules, layout, first)
                layouts[unsigned(value)] = after if _distance(rules, walk, after) == rest else unsigned(0)
    return looked_at


# --- the tables ---------------------------------------------------------------------------------------------------------


@functools.cache
def rules_of_the_game() -> Rules:
    """The tables, made once in a process."""
    has = (np.arange(_HALVES)[:, None] >> np.arange(_HALF)) & 1  # has[s, i]: whether set s has the cell i of its half
    becomes = np.arange(2 * _HALF)[:, None].repeat(_MOVES, axis=1)  # becomes[cell, move]
    for move, line in enumerate(LINES):
        becomes[line, move] = np.roll(line, 1)
    moved = np.stack([has @ (1 << becomes[half]) for half in (slice(0, _HALF), slice(_HALF, None))])
    return Rules(moved.transpose(2, 0, 1).astype(np.uint32).ravel(), _numbers(has))


def _numbers(has: np.ndarray) -> np.ndarray:
    """The i-th cell of a layout, from 1, adds the number of ways to choose i of the cells before it."""
    ways = np.array([[math.comb(cell, i) for i in range(2 * _HALF + 1)] for cell in range(2 * _HALF)])
    among_low = has.cumsum(axis=1)
    among_all = among_low + np.maximum(8 - has.sum(axis=1, keepdims=True), 0)
    cells = np.arange(_HALF)
    halves = [(has * ways[cells, among_low]).sum(axis=1), (has * ways[cells + _HALF, among_all]).sum(axis=1)]
    return np.concatenate(halves).astype(np.uint32)


def new_walk() -> Walk:
    """A walk that has met home alone."""
    walk = Walk(np.full(LAYOUTS, UNMET, np.uint8), np.zeros(LAYOUTS, np.uint32), np.array([0, 1], np.int64))
    home = sum(1 << cell for cell in CENTRE)
    number = rules_of_the_game().number
    walk.distance[int(number[home % _HALVES]) + int(number[_HALVES + home // _HALVES])] = 0
    walk.queue[0] = home
    return walk


#: The walk of this process, unless a search is going on with it.
_kept: list[Walk] = []


class RotationSearch(ArraySearch):
    """A search for the first of the shortest ways of one board; `solution.moves` are indexes into LINES."""

    engine = "rotation_walk"
    parts = ("walk", "board")
    first_slice = 1 << 16

    def __init__(self, cells: Sequence[int], walk: Walk, options: RunOptions) -> None:
        super().__init__([np.array(cells)], options)
        self.rules, self.walk = rules_of_the_game(), walk
        layouts = [sum(1 << cell for cell, number in enumerate(cells) if number == value) for value in (1, 2, 3)]
        self.board = Board(np.array(layouts, np.uint32), np.zeros(_FARTHEST, np.int64))
        self.counters[INCUMBENT] = NONE

    def advance(self, stop_at: int) -> int:
        """Go on until `generated` reaches `stop_at`."""
        self.counters[STOP_AT] = stop_at
        return self.call(search_board, self.rules, self.walk, self.board, self.counters)

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """The way, once it is found."""
        cost = int(self.counters[INCUMBENT])
        return None if cost == NONE else (cost, tuple(self.board.moves[:cost].tolist()))


def search_cells(cells: Sequence[int], options: RunOptions) -> Solution:
    """Search with the walk of this process. Raises what `control.run` raises.

    A search takes the walk away while it runs: another thread begins one of its own. What comes from a checkpoint, or from a
    search that broke off, is not kept.
    """
    try:
        walk = _kept.pop()
    except IndexError:
        walk = new_walk()
    search = RotationSearch(cells, walk, options)
    solution = run(search, options)
    if options.get("resume") is None:
        _kept[:] = [search.walk]
    return solution
