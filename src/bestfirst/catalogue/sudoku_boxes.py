"""The search of sudoku for boxes of any size: singles, locked candidates, and guesses where most depends on them.

    n          cells in a row, digits, cells in a box; up to 25.  cell, digit   from 0
    option     a digit in a cell: number n · cell + digit
    item       what needs exactly one option: a cell, or a digit in a row, a column or a box; 4 n² of them, these kinds in this
               order, n² each:  cell;  n · row + digit;  n · column + digit;  n · box + digit
    left       of an item: a word with a bit for each option that it still has (bit digit, column, row, or place in the box), and
               DONE when it is settled
    frame      the `left` of all items, then how many are not done, then a bit for each digit that lost options since locked
               candidates were looked for
    weight     of an item: 1 and how often it was the one that ran out of options
    grid, solution    (n²,) uint8: 0 for a blank and 1 to n

Sudoku is an exact cover; what the general engine does with lists or bit sets is here a word for an item. A guess takes an option
of the item with the fewest for its weight, then leaves it out. That weights find the part of a grid where the trouble is:
F. Boussemart, F. Hemery, C. Lecoutre, L. Sais, Boosting systematic search by weighting constraints (ECAI 2004).
"""

from __future__ import annotations

import functools
from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from bestfirst.catalogue.prunings import Kind, Pruning
from bestfirst.control import FOUND, PAUSED, RunOptions
from bestfirst.kernel import Int, integer, kernel, population_count, trailing_zeros, unsigned
from bestfirst.search.compiled import DEPTH, EXPANDED, GENERATED, STOP_AT
from bestfirst.search.explicit import ArraySearch

MOST_DIGITS = 25

DONE = 1 << 31

#: Instead of the number of items in a frame: an item has no option left.
NO_WAY = (1 << 32) - 1

PRUNINGS = {
    "naked-singles": Pruning(
        Kind.FEASIBILITY, "a cell with one digit left gets it", "no solution has another digit there"
    ),
    "hidden-singles": Pruning(
        Kind.FEASIBILITY, "a digit with one cell left in a row, column or box goes there", "each must stand somewhere in it"
    ),
    "locked-candidates": Pruning(
        Kind.FEASIBILITY,
        "a digit that fits a row or column only inside one box is taken out of the rest of the box, and the other way round",
        "it stands in what both share, once",
    ),
    "fewest-candidates": Pruning(
        Kind.ORDER, "guess where few options are left, not in the first blank cell", "each order of guesses meets all solutions"
    ),
    "weights": Pruning(
        Kind.ORDER,
        "guess rather where options ran out before, and begin again when more is known of that",
        "each order of guesses meets all solutions, and a new beginning leaves out none",
    ),
}  # fmt: skip

#: Bits of `switches`, in the order of PRUNINGS.
NAKED, HIDDEN, LOCKED, FEWEST, WEIGHTS = (1 << i for i in range(5))


class Shape(NamedTuple):
    """Tables for a size of boxes."""

    items: np.ndarray  #: (n³ × 4,) uint16: the items of each option
    bits: np.ndarray  #: (n³ × 4,) uint8: its bit in each of them
    options: np.ndarray  #: (4 n² × n,) uint16: the option of a bit of an item
    crossings: (
        np.ndarray
    )  #: (crossings × 4,) uint32: line and box (their items for digit 0) that share cells, and these as bits of both


class Work(NamedTuple):
    """The grid and the search in it; see the legend."""

    grid: np.ndarray
    solution: np.ndarray
    stack: np.ndarray
    queue: np.ndarray  #: (4 n²,) uint16: items with one option left, while they wait
    weight: np.ndarray
    numbers: np.ndarray  #: (4,) int64: COUNT, FRAMES, QUEUED, RESTART


#: Solutions met; frames in use; items in the queue; the node at which to begin again.
COUNT, FRAMES, QUEUED, RESTART = range(4)

#: Nodes before the first of the new beginnings, each of which comes after twice as many as the one before.
_FIRST_RESTART = 500


@functools.cache
def shape(rows: int, columns: int) -> Shape:
    """The tables for boxes of so many rows and columns."""
    n = rows * columns
    row, column, digit = (part.ravel() for part in np.indices((n, n, n)))
    box = row // rows * rows + column // columns
    place = row % rows * columns + column % columns
    squares = n * n
    items = np.stack(
        [n * row + column, squares + n * row + digit, 2 * squares + n * column + digit, 3 * squares + n * box + digit]
    )
    bits = np.stack([digit, column, row, place])
    options = np.zeros(4 * squares * n, np.uint16)
    options[items * n + bits] = np.arange(n**3)
    crossings: dict[tuple[int, int], tuple[int, int]] = {}
    for kind in (1, 2):
        for i in np.flatnonzero(digit == 0):
            key = int(items[kind, i]), int(items[3, i])
            old = crossings.get(key, (0, 0))
            crossings[key] = old[0] | 1 << int(bits[kind, i]), old[1] | 1 << int(bits[3, i])
    table = np.array([[*key, *shared] for key, shared in crossings.items()], np.uint32)
    return Shape(items.T.ravel().astype(np.uint16), bits.T.ravel().astype(np.uint8), options, table.ravel())


@kernel(inline=True)
def remove(tables: Shape, work: Work, base: Int, option: Int, digit: Int, items: Int, switches: Int) -> Int:
    """Take an option out; 0 when an item has none left. Items that now have one are queued."""
    stack = work.stack
    alive = integer(1)
    for kind in range(4):
        item = integer(tables.items[unsigned(4 * option + kind)])
        at = unsigned(base + item)
        left = unsigned(stack[at]) & ~(unsigned(1) << unsigned(tables.bits[unsigned(4 * option + kind)]))
        stack[at] = left
        if left == 0:
            work.weight[unsigned(item)] += 1
            alive = integer(0)
        elif left & (left - unsigned(1)) == 0 and switches & (NAKED if kind == 0 else HIDDEN):
            work.queue[unsigned(work.numbers[QUEUED])] = item
            work.numbers[QUEUED] += 1
    stack[unsigned(base + items + 1)] |= unsigned(1) << unsigned(digit)
    return alive


@kernel
def take(tables: Shape, work: Work, base: Int, option: Int, n: Int, switches: Int) -> Int:
    """Take an option: the others of its items go. 0 when an item has none left."""
    stack = work.stack
    items = 4 * n * n
    alive = integer(1)
    for kind in range(4):
        item = integer(tables.items[unsigned(4 * option + kind)])
        bit = unsigned(1) << unsigned(tables.bits[unsigned(4 * option + kind)])
        others = unsigned(stack[unsigned(base + item)]) & ~bit
        while others != 0:
            other = integer(tables.options[unsigned(n * item + trailing_zeros(others))])
            others &= others - unsigned(1)
            alive &= remove(tables, work, base, other, other % n, items, switches)
        stack[unsigned(base + item)] = bit | unsigned(DONE)
    stack[unsigned(base + items)] -= 4
    return alive


@kernel
def enter(tables: Shape, work: Work, n: Int) -> Int:
    """Make the first frame from the givens; 0 when they exclude each other."""
    stack, items = work.stack, 4 * n * n
    for item in range(items):
        stack[unsigned(item)] = (1 << n) - 1
    stack[unsigned(items)] = items
    stack[unsigned(items + 1)] = (1 << n) - 1
    work.numbers[QUEUED] = 0
    for cell in range(n * n):
        digit = integer(work.grid[unsigned(cell)]) - 1
        if digit >= 0:
            if (unsigned(stack[unsigned(cell)]) >> unsigned(digit)) & unsigned(1) == 0:
                return 0
            if take(tables, work, 0, n * cell + digit, n, 0) == 0:
                return 0
    return 1


@kernel
def queue_singles(work: Work, base: Int, n: Int, switches: Int) -> None:
    """Queue the items of a frame that have one option left."""
    work.numbers[QUEUED] = 0
    for item in range(4 * n * n):
        left = unsigned(work.stack[unsigned(base + item)])
        if left & (left - unsigned(1)) == 0 and switches & (NAKED if item < n * n else HIDDEN):
            work.queue[unsigned(work.numbers[QUEUED])] = item
            work.numbers[QUEUED] += 1


@kernel
def lock(tables: Shape, work: Work, base: Int, n: Int, switches: Int) -> Int:
    """Look for locked candidates of the digits that lost options; 0 when an item has none left."""
    stack, items = work.stack, 4 * n * n
    digits = unsigned(stack[unsigned(base + items + 1)])
    stack[unsigned(base + items + 1)] = 0
    crossings = len(tables.crossings) // 4
    while digits != 0:
        digit = integer(trailing_zeros(digits))
        digits &= digits - unsigned(1)
        for i in range(crossings):
            line = integer(tables.crossings[unsigned(4 * i)]) + digit
            box = integer(tables.crossings[unsigned(4 * i + 1)]) + digit
            in_line = unsigned(stack[unsigned(base + line)])
            in_box = unsigned(stack[unsigned(base + box)])
            if (in_line | in_box) & unsigned(DONE):
                continue
            in_line &= ~unsigned(tables.crossings[unsigned(4 * i + 2)])
            in_box &= ~unsigned(tables.crossings[unsigned(4 * i + 3)])
            if (in_line == 0) == (in_box == 0):
                continue
            item, others = (box, in_box) if in_line == 0 else (line, in_line)
            while others != 0:
                option = integer(tables.options[unsigned(n * item + trailing_zeros(others))])
                others &= others - unsigned(1)
                if remove(tables, work, base, option, digit, items, switches) == 0:
                    return 0
    return 1


@kernel
def settle(tables: Shape, work: Work, base: Int, n: Int, switches: Int) -> Int:
    """Draw all conclusions; 0 when an item has no option left."""
    stack, items = work.stack, 4 * n * n
    while True:
        while work.numbers[QUEUED] > 0:
            work.numbers[QUEUED] -= 1
            item = integer(work.queue[unsigned(work.numbers[QUEUED])])
            left = unsigned(stack[unsigned(base + item)])
            if left & unsigned(DONE):
                continue
            option = integer(tables.options[unsigned(n * item + trailing_zeros(left))])
            if take(tables, work, base, option, n, switches) == 0:
                return 0
        if switches & LOCKED == 0 or stack[unsigned(base + items + 1)] == 0:
            return 1
        if lock(tables, work, base, n, switches) == 0:
            return 0


@kernel
def choose(work: Work, base: Int, n: Int, switches: Int) -> Int:
    """The item to guess at."""
    best, fewest, heaviest = integer(0), integer(1), integer(0)
    for item in range(4 * n * n):
        left = unsigned(work.stack[unsigned(base + item)])
        if left & unsigned(DONE):
            continue
        if switches & FEWEST == 0:
            return item
        count = integer(population_count(left))
        weight = integer(work.weight[unsigned(item)]) if switches & WEIGHTS else 1
        if count * heaviest < fewest * weight:
            best, fewest, heaviest = item, count, weight
    return best


@kernel
def guess(tables: Shape, work: Work, base: Int, n: Int, switches: Int) -> Int:
    """Put a frame with an option taken above the one without the option; 0 when the upper one leaves an item without any."""
    stack, items = work.stack, 4 * n * n
    item = integer(choose(work, base, n, switches))
    option = integer(tables.options[unsigned(n * item + trailing_zeros(unsigned(stack[unsigned(base + item)])))])
    for i in range(items + 2):
        stack[unsigned(base + items + 2 + i)] = stack[unsigned(base + i)]
    if remove(tables, work, base, option, option % n, items, 0) == 0:
        stack[unsigned(base + items)] = NO_WAY
    return take(tables, work, base + items + 2, option, n, switches)


@kernel
def solve_boxes(tables: Shape, work: Work, n: Int, most: Int, switches: Int, counters: np.ndarray) -> Int:
    """Count the solutions, no further than `most`, and keep the first: FOUND at the end, PAUSED before."""
    stack, items = work.stack, 4 * n * n
    size = items + 2
    generated, stop_at = counters[GENERATED], counters[STOP_AT]
    frames = work.numbers[FRAMES]
    outcome = FOUND
    while frames > 0 or generated == 0:
        if generated >= stop_at:
            outcome = PAUSED
            break
        generated += 1
        alive = integer(1)
        if generated == work.numbers[RESTART] and work.numbers[COUNT] == 0 and switches & WEIGHTS:
            work.numbers[RESTART] *= 2
            frames = integer(0)
        if frames == 0:
            frames = integer(1)
            alive = enter(tables, work, n)
            queue_singles(work, 0, n, switches)
        base = (frames - 1) * size
        if alive:
            alive = settle(tables, work, base, n, switches)
        if alive and stack[unsigned(base + items)] == 0:
            if work.numbers[COUNT] == 0:
                for cell in range(n * n):
                    work.solution[unsigned(cell)] = 1 + trailing_zeros(unsigned(stack[unsigned(base + cell)]))
            work.numbers[COUNT] += 1
            if work.numbers[COUNT] == most:
                frames = integer(0)
                break
            alive = integer(0)
        if alive:
            alive = guess(tables, work, base, n, switches)
            frames += 1
        if alive == 0:
            frames -= 1
            while frames > 0 and stack[unsigned((frames - 1) * size + items)] == NO_WAY:
                frames -= 1
            if frames > 0:
                queue_singles(work, (frames - 1) * size, n, switches)
    work.numbers[FRAMES] = frames
    counters[GENERATED], counters[EXPANDED], counters[DEPTH] = generated, generated, frames
    return outcome


class BoxSearch(ArraySearch):
    """The search at work on one grid, (n²,) uint8, with boxes of so many rows and columns."""

    engine = "sudoku_boxes"
    why = "a word for each cell, and for each digit in a row, column and box"
    parts = ("work",)

    def __init__(self, grid: np.ndarray, box: tuple[int, int], most: int, without: Collection[str], options: RunOptions) -> None:
        super().__init__([grid], options, box=box, most=most, without=sorted(without))
        self.n, self.most = box[0] * box[1], most
        self.switches = sum(1 << i for i, name in enumerate(PRUNINGS) if name not in without)
        self.shape = shape(*box)
        squares = self.n * self.n
        frames = np.count_nonzero(grid == 0) + 2  # a guess settles a cell at least
        self.work = Work(
            grid,
            np.zeros(squares, np.uint8),
            np.zeros(frames * (4 * squares + 2), np.uint32),
            np.zeros(4 * squares, np.uint16),
            np.ones(4 * squares, np.int64),
            np.array([0, 0, 0, _FIRST_RESTART], np.int64),
        )

    def advance(self, stop_at: int) -> int:
        """Go on until `generated` reaches `stop_at`."""
        self.counters[STOP_AT] = stop_at
        return self.call(solve_boxes, self.shape, self.work, self.n, self.most, self.switches, self.counters)

    def best(self) -> tuple[int, tuple[int, ...]] | None:
        """Whether there is a solution; it has no cost."""
        return (0, ()) if self.count() else None

    def count(self) -> int:
        """How many solutions were met."""
        return int(self.work.numbers[COUNT])
