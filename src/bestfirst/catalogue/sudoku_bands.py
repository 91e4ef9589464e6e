"""The search of sudoku on 9 × 9 cells: the places of a digit as words of 27 bits, many grids one after another.

    band       three rows of cells, 27 of them; bit 9 · row + column of a word is a cell of the band
    places     of a digit in a band: a word, the cells where it may still stand; number 9 · band + digit, 27 in all
    frame      FRAME words: the 27 places, then for each band the *open* cells (whose digit is not settled), then a bit for each
               digit that is *waiting*: its places have changed and not been looked at since
    stack      frames, one for each guess that is being tried, and one for scratch
    segment    three cells of a row in one box; nine in a band, bit 3 · row + box of its *shape*, which says where any places are
    upright    the same for columns: for each stack of boxes nine bits, bit 3 · band + column, which say where any places are
    grids, solutions    (n × 81,) uint8: 0 for a blank and 1 to 9;  counts   (n,) int64

A digit stands in each row of a band once and in each box once, so its three segments are one in each row and box: six ways. What
no way left allows is taken out by looking the shape up; likewise for the columns of a stack. This finds hidden singles and locked
candidates at once. A cell is settled when its segment is the only one of its row and its column the only one of its box.

The words for bands and the tables for shapes are the idea of the solvers JCZSolve (zhouyundong) and fsss2 (dobrichev).

Why not the search for all sizes alone: this one is ten times as fast (docs/problems/sudoku.md), and most grids are of this size.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from bestfirst.control import FOUND, PAUSED, RunOptions
from bestfirst.kernel import Int, integer, kernel, population_count, trailing_zeros, unsigned
from bestfirst.search.compiled import DEPTH, EXPANDED, GENERATED, OWN, STOP_AT
from bestfirst.search.explicit import ArraySearch

CELLS, DIGITS, BANDS = 81, 9, 3
PLACES = BANDS * DIGITS

OPEN = PLACES
WAITING = OPEN + BANDS
FRAME = 32

ALL = (1 << 27) - 1
_ROW = (1 << 9) - 1

#: A guess settles a cell at least; and there is the first frame, and one for scratch.
MAX_FRAMES = CELLS + 2

GRID = OWN  #: the counter of grids that are done
FRAMES = OWN + 1  #: frames in use; 0 between two grids


class Tables(NamedTuple):
    """What is looked up, all uint32."""

    segments: np.ndarray  #: (512,) by row: which of its three segments have places, 3 bits
    possible: np.ndarray  #: (512,) by shape: the cells of segments that one of the six ways uses
    alone: np.ndarray  #: (512,) by shape: the cells of segments that are the only possible one of their row
    narrow: np.ndarray  #: (512,) by columns with places: cells of columns that are the only one of their box
    apart: np.ndarray  #: (512,) by columns with places: the same bits, three for each stack, these 9 bits apart
    ways: np.ndarray  #: (512,) by shape: what of it one of the six ways uses
    only: np.ndarray  #: (27,) by cell: the cells of the band left to a digit that stands there


class Work(NamedTuple):
    """Grids and what becomes of them; see the legend."""

    grids: np.ndarray
    solutions: np.ndarray
    counts: np.ndarray
    stack: np.ndarray


@functools.cache
def tables() -> Tables:
    """The tables, made once."""
    segment = [0b111 << (9 * (i // 3) + 3 * (i % 3)) for i in range(9)]
    orders = [sum(1 << (3 * row + box) for row, box in enumerate(order)) for order in itertools.permutations(range(3))]
    ways = [_union(order for order in orders if order & shape == order) for shape in range(512)]
    single = [[bits & 7 << at if (bits >> at & 7).bit_count() == 1 else 0 for at in (0, 3, 6)] for bits in range(512)]
    columns = [
        [sum(1 << box for box in range(3) if row >> 3 * box & 7) for row in range(512)],
        [_union(segment[i] for i in range(9) if way >> i & 1) for way in ways],
        [_union(segment[i] for i in range(9) if way & 7 << i // 3 * 3 == 1 << i) for way in ways],
        [sum(alone) * (1 | 1 << 9 | 1 << 18) for alone in single],
        [bits & 7 | (bits >> 3 & 7) << 9 | (bits >> 6) << 18 for bits in range(512)],
        ways,
        [_left_beside(cell) for cell in range(27)],
    ]
    return Tables(*(np.array(column, np.uint32) for column in columns))


def _union(sets: Iterable[int]) -> int:
    return functools.reduce(int.__or__, sets, 0)


def _left_beside(cell: int) -> int:
    """The cells of a band that share no row and no box with a cell, and the cell."""
    row, box = cell // 9, cell % 9 // 3
    gone = _ROW << 9 * row | 0b111 << 3 * box | 0b111 << (9 + 3 * box) | 0b111 << (18 + 3 * box)
    return ALL & ~gone | 1 << cell


@kernel(inline=True)
def enter(tables: Tables, grids: np.ndarray, begin: Int, stack: np.ndarray) -> None:
    """Make the first frame from the givens of a grid."""
    for k in range(PLACES):
        stack[unsigned(k)] = ALL
        stack[unsigned(FRAME + k)] = 0  # the givens, in the second frame, which is not in use yet
    for b in range(BANDS):
        stack[unsigned(OPEN + b)] = ALL
    stack[unsigned(WAITING)] = 511
    for cell in range(CELLS):
        digit = integer(grids[unsigned(begin + cell)]) - 1
        if digit < 0:
            continue
        band, place = cell // 27, cell % 27
        k = 9 * band + digit
        column = (1 << (cell % 9)) * (1 | 1 << 9 | 1 << 18)
        stack[unsigned(k)] &= tables.only[unsigned(place)]
        stack[unsigned(FRAME + k)] |= 1 << place
        for other in range(BANDS):
            if other != band:
                stack[unsigned(9 * other + digit)] &= ALL ^ column
    for b in range(BANDS):
        given = integer(0)
        for digit in range(DIGITS):
            given |= integer(stack[unsigned(FRAME + 9 * b + digit)])
        for digit in range(DIGITS):
            k = 9 * b + digit
            stack[unsigned(k)] &= (ALL ^ given) | integer(stack[unsigned(FRAME + k)])


@kernel(inline=True)
def shape_of(tables: Tables, here: Int) -> Int:
    """Which of the nine segments of a band have places."""
    return (
        unsigned(tables.segments[here & unsigned(_ROW)])
        | (unsigned(tables.segments[(here >> unsigned(9)) & unsigned(_ROW)]) << unsigned(3))
        | (unsigned(tables.segments[here >> unsigned(18)]) << unsigned(6))
    )


@kernel(inline=True)
def columns_of(here: Int) -> Int:
    """Which of the nine columns of a band have places."""
    return (here | (here >> unsigned(9)) | (here >> unsigned(18))) & unsigned(_ROW)


@kernel(inline=True)
def cells_of(upright: Int) -> Int:
    """The cells in the columns that are allowed: three bits for each stack, 9 bits apart."""
    row = (upright & unsigned(0o7)) | ((upright >> unsigned(6)) & unsigned(0o70)) | ((upright >> unsigned(12)) & unsigned(0o700))
    return row | (row << unsigned(9)) | (row << unsigned(18))


@kernel(inline=True)
def close(tables: Tables, stack: np.ndarray, base: Int, k: Int, here: Int, shape: Int, columns: Int) -> Int:
    """Take the cells that these places settle from the other digits, which then wait: a bit for each."""
    waiting = unsigned(0)
    band = k // unsigned(DIGITS)
    opened = unsigned(base + OPEN) + band
    cells = here & unsigned(tables.alone[shape]) & unsigned(tables.narrow[columns]) & unsigned(stack[opened])
    if cells != 0:
        stack[opened] ^= cells
        keep = unsigned(ALL) ^ cells
        for digit in range(DIGITS):
            at = unsigned(base + digit) + unsigned(DIGITS) * band
            before = unsigned(stack[at])
            after = before & keep
            stack[at] = after
            waiting |= unsigned(before != after) << unsigned(digit)
        stack[unsigned(base) + k] = here
    return waiting


@kernel(inline=True)
def settle(tables: Tables, stack: np.ndarray, base: Int) -> Int:
    """Take out all that cannot be, until no digit is waiting; 0 when one has no way left."""
    waiting = unsigned(stack[unsigned(base + WAITING)])
    while waiting != 0:
        digit = unsigned(trailing_zeros(waiting))
        at = unsigned(base) + digit
        here1, here2, here3 = unsigned(stack[at]), unsigned(stack[at + unsigned(9)]), unsigned(stack[at + unsigned(18)])
        shape1, shape2, shape3 = unsigned(0), unsigned(0), unsigned(0)
        columns1, columns2, columns3 = unsigned(0), unsigned(0), unsigned(0)
        changed = True
        while changed:
            shape1, shape2, shape3 = shape_of(tables, here1), shape_of(tables, here2), shape_of(tables, here3)
            here1 &= unsigned(tables.possible[shape1])
            here2 &= unsigned(tables.possible[shape2])
            here3 &= unsigned(tables.possible[shape3])
            columns1, columns2, columns3 = columns_of(here1), columns_of(here2), columns_of(here3)
            upright = (
                unsigned(tables.apart[columns1])
                | (unsigned(tables.apart[columns2]) << unsigned(3))
                | (unsigned(tables.apart[columns3]) << unsigned(6))
            )
            left = unsigned(tables.ways[upright & unsigned(_ROW)])
            middle = unsigned(tables.ways[(upright >> unsigned(9)) & unsigned(_ROW)])
            right = unsigned(tables.ways[upright >> unsigned(18)])
            if left == 0 or middle == 0 or right == 0:
                return 0
            allowed = left | (middle << unsigned(9)) | (right << unsigned(18))
            changed = allowed != upright
            if changed:
                here1 &= cells_of(allowed)
                here2 &= cells_of(allowed >> unsigned(3))
                here3 &= cells_of(allowed >> unsigned(6))
        stack[at], stack[at + unsigned(9)], stack[at + unsigned(18)] = here1, here2, here3
        waiting |= close(tables, stack, base, digit, here1, shape1, columns1)
        waiting |= close(tables, stack, base, digit + unsigned(9), here2, shape2, columns2)
        waiting |= close(tables, stack, base, digit + unsigned(18), here3, shape3, columns3)
        waiting &= ~(unsigned(1) << digit)
    stack[unsigned(base + WAITING)] = 0
    return 1


@kernel(inline=True)
def choose(tables: Tables, stack: np.ndarray, base: Int) -> Int:
    """Give cells with one digit left that digit (-1), or choose a guess: 128 · digit + cell; -2 when a cell has none left."""
    scratch = base + FRAME
    pairs, waiting = unsigned(0), unsigned(0)
    some = integer(-1)  # a cell with few digits left, where none has two
    is_triple = False
    for band in range(BANDS):
        one, two, three, four = unsigned(0), unsigned(0), unsigned(0), unsigned(0)
        for digit in range(DIGITS):
            here = unsigned(stack[unsigned(base + DIGITS * band + digit)])
            four |= three & here
            three |= two & here
            two |= one & here
            one |= here
        if one != unsigned(ALL):
            return -2
        still = unsigned(stack[unsigned(base + OPEN + band)])
        single = still & (one ^ two)
        if single != 0:
            waiting |= place(tables, stack, base + DIGITS * band, single)
        stack[unsigned(scratch + band)] = still & (two ^ three)
        pairs |= still & (two ^ three)
        triples = still & (three ^ four)
        if triples != 0 and not is_triple:
            some, is_triple = 27 * band + trailing_zeros(triples), True
        if some < 0 and still != 0:
            some = 27 * band + trailing_zeros(still)
    if waiting != 0:
        stack[unsigned(base + WAITING)] = waiting
        return -1
    if pairs != 0:
        return choose_pair(stack, base)
    digit, bit = integer(0), unsigned(1) << unsigned(some % 27)
    while unsigned(stack[unsigned(base + some // 27 * DIGITS + digit)]) & bit == 0:
        digit += 1
    return 128 * digit + some


@kernel(inline=True)
def place(tables: Tables, stack: np.ndarray, first: Int, cells: Int) -> Int:
    """Give each of these cells of a band the one digit it has left; a bit for each digit that changes."""
    waiting = unsigned(0)
    for digit in range(DIGITS):
        here = unsigned(stack[unsigned(first + digit)])
        settled = here & cells
        if settled != 0:
            waiting |= unsigned(1) << unsigned(digit)
            while settled != 0:
                here &= unsigned(tables.only[unsigned(trailing_zeros(settled))])
                settled &= settled - unsigned(1)
            stack[unsigned(first + digit)] = here
    return waiting


@kernel(inline=True)
def choose_pair(stack: np.ndarray, base: Int) -> Int:
    """The guess in a cell with two digits left: of the digit in most such cells, where the other one is in most of them."""
    scratch = base + FRAME
    most, chosen = integer(-1), integer(0)
    for digit in range(DIGITS):
        count = integer(0)
        for band in range(BANDS):
            here = unsigned(stack[unsigned(base + DIGITS * band + digit)])
            count += population_count(unsigned(stack[unsigned(scratch + band)]) & here)
        stack[unsigned(scratch + BANDS + digit)] = count
        if count > most:
            most, chosen = count, digit
    most, cell = integer(-1), integer(0)
    for band in range(BANDS):
        cells = unsigned(stack[unsigned(scratch + band)]) & unsigned(stack[unsigned(base + DIGITS * band + chosen)])
        for digit in range(DIGITS):
            here = cells & unsigned(stack[unsigned(base + DIGITS * band + digit)])
            count = integer(stack[unsigned(scratch + BANDS + digit)])
            if digit != chosen and here != 0 and count > most:
                most, cell = count, 27 * band + trailing_zeros(here)
    return 128 * chosen + cell


@kernel(inline=True)
def guess(tables: Tables, stack: np.ndarray, base: Int, digit: Int, cell: Int) -> None:
    """Put a frame in which the cell has the digit above the one in which it has not."""
    k, bit = cell // 27 * DIGITS + digit, unsigned(1) << unsigned(cell % 27)
    for i in range(FRAME):
        stack[unsigned(base + FRAME + i)] = stack[unsigned(base + i)]
    stack[unsigned(base + FRAME + k)] &= tables.only[unsigned(cell % 27)]
    stack[unsigned(base + k)] ^= bit
    waiting = unsigned(1) << unsigned(digit)
    stack[unsigned(base + FRAME + WAITING)] = waiting
    stack[unsigned(base + WAITING)] = waiting


@kernel(inline=True)
def keep_solution(work: Work, grid: Int, base: Int) -> None:
    """Copy a frame in which all cells are settled."""
    for k in range(PLACES):
        cells = unsigned(work.stack[unsigned(base + k)])
        while cells != 0:
            work.solutions[unsigned(CELLS * grid + k // DIGITS * 27 + trailing_zeros(cells))] = 1 + k % DIGITS
            cells &= cells - unsigned(1)


@kernel
def solve_bands(tables: Tables, work: Work, most: Int, counters: np.ndarray) -> Int:
    """Count the solutions of each grid, no further than `most`, and keep the first: FOUND after the last grid, PAUSED before."""
    stack = work.stack
    grids = len(work.counts)
    generated, stop_at = counters[GENERATED], counters[STOP_AT]
    grid, frames = counters[GRID], counters[FRAMES]
    outcome = FOUND
    while grid < grids:
        if generated >= stop_at:
            outcome = PAUSED
            break
        generated += 1
        if frames == 0:
            enter(tables, work.grids, CELLS * grid, stack)
            frames = integer(1)
        base = (frames - 1) * FRAME
        chosen = integer(-1)
        while chosen == -1:
            chosen = integer(-2)
            if settle(tables, stack, base):
                if stack[unsigned(base + OPEN)] | stack[unsigned(base + OPEN + 1)] | stack[unsigned(base + OPEN + 2)] == 0:
                    if work.counts[unsigned(grid)] == 0:
                        keep_solution(work, grid, base)
                    work.counts[unsigned(grid)] += 1
                    if work.counts[unsigned(grid)] == most:
                        frames = integer(1)
                else:
                    chosen = integer(choose(tables, stack, base))
        if chosen >= 0:
            guess(tables, stack, base, chosen // 128, chosen % 128)
            frames += 1
        else:
            frames -= 1
            if frames == 0:
                grid += 1
    counters[GENERATED] = counters[EXPANDED] = generated
    counters[GRID], counters[FRAMES], counters[DEPTH] = grid, frames, frames
    return outcome


class BandSearch(ArraySearch):
    """The search at work on grids, (n, 81) uint8."""

    engine = "sudoku_bands"
    why = "9 × 9 cells: places of digits as words of 27 bits"
    parts = ("work",)

    def __init__(self, grids: np.ndarray, most: int, options: RunOptions) -> None:
        super().__init__([grids], options, most=most)
        self.most = most
        self.tables = tables()
        self.work = Work(
            grids.ravel(),
            np.zeros(grids.size, np.uint8),
            np.zeros(len(grids), np.int64),
            np.zeros(MAX_FRAMES * FRAME, np.uint32),
        )

    def advance(self, stop_at: int) -> int:
        """Go on until `generated` reaches `stop_at`."""
        self.counters[STOP_AT] = stop_at
        return self.call(solve_bands, self.tables, self.work, self.most, self.counters)

    def best(self) -> tuple[int, tuple[int, ...]] | None:
        """Whether all grids done so far have solutions; there is no cost."""
        return (0, ()) if self.work.counts.all() else None

    def count(self) -> int:
        """How many solutions were met, of all grids."""
        return int(self.work.counts.sum())

    def done(self) -> int:
        """How many grids are done."""
        return int(self.counters[GRID])
