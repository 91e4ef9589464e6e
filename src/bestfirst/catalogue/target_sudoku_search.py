"""The search of target sudoku: branch and bound with prices.

    cell, digit   from 0; a digit d counts d + 1
    line          a digit in a row (9 · row + digit), in a column (81 + 9 · column + digit) or in a box (162 + 9 · box + digit)
    left          of a cell: a bit for each digit that it may still have, and DONE when its digit was taken from its peers
    price         of a line: any number, in units of 1 / SCALE. A digit in a cell *yields* weight · (d + 1) less its three prices
    frame         FRAME words: the `left` of 81 cells, 243 prices, and the bound of what the frame stands for
    best          (82,) int64: the largest sum so far, -1 while there is none, and the digits of its cells, 1 to 9

The bound: whatever the prices are, a full grid has each line once, so its sum is the sum of all prices and of what its digits
yield. What a cell yields is at most the best that its digits yield. The sum of these is a bound for all grids in a frame, and it
comes down when lines that several cells want get dearer and lines that none wants get cheaper: Lagrangian relaxation with the
subgradient method (M. Held and R. Karp 1971; M. L. Fisher, Management Science 27, 1981). All sums are of integers.
"""

from __future__ import annotations

import functools
from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from bestfirst.catalogue.prunings import Kind, Pruning
from bestfirst.control import EXHAUSTED, PAUSED, Progress, RunOptions
from bestfirst.kernel import Int, integer, kernel, population_count, trailing_zeros, unsigned
from bestfirst.search.compiled import BOUND, DEPTH, EXPANDED, GENERATED, OWN, PRUNED, STOP_AT
from bestfirst.search.explicit import ArraySearch

CELLS, DIGITS, LINES, PEERS = 81, 9, 243, 20

SCALE = 256

DONE = 1 << 9
_ALL = DONE - 1

#: Words of a frame, and where prices and bound are in it.
PRICES = CELLS
TOP = PRICES + LINES
FRAME = TOP + 1

FRAMES = OWN  #: the counter of frames in use

#: Times that prices are changed in the first frame and in the others, until the bound does what it can.
_ROOT_ROUNDS, _ROUNDS = 250, 12

WEIGHTS = tuple(6 + min(i, j, 8 - i, 8 - j) for i in range(9) for j in range(9))

#: No sum is larger: every cell would have a 9.
MOST = 9 * sum(WEIGHTS)

PRUNINGS = {
    "hidden-singles": Pruning(
        Kind.FEASIBILITY, "a digit with one cell left in a row, column or box goes there", "each must stand somewhere in it"
    ),
    "bound": Pruning(
        Kind.BOUND, "leave what cannot beat the best sum so far", "the bound is never too small: see the page"
    ),
    "prices": Pruning(Kind.BOUND, "change prices to bring the bound down", "the bound is right for any prices"),
    "losses": Pruning(
        Kind.BOUND,
        "a digit that yields so much less than the best of its cell that the bound with it is no better than the best sum goes",
        "the bound holds for the grids with this digit, too",
    ),
    "fewest-candidates": Pruning(
        Kind.ORDER, "guess in a cell with the fewest digits left", "each order of guesses meets all grids that are left"
    ),
    "best-digit-first": Pruning(
        Kind.ORDER, "guess the digit that yields most", "each order of guesses meets all grids that are left"
    ),
}  # fmt: skip

#: Bits of `switches`, in the order of PRUNINGS.
HIDDEN, BOUNDED, PRICED, LOSSES, FEWEST, ORDERED = (1 << i for i in range(6))


class Rules(NamedTuple):
    """Tables, int64."""

    weight: np.ndarray  #: (81,)
    peers: np.ndarray  #: (81 × 20,) the cells in the row, column and box of a cell
    units: np.ndarray  #: (27 × 9,) the cells of each row, column and box
    lines: np.ndarray  #: (81 × 3,) the lines of digit 0 in each cell


class Work(NamedTuple):
    """The search; see the legend."""

    given: np.ndarray  #: (81,) int64, 0 for a blank
    stack: np.ndarray  #: (83 × FRAME,) int64
    best: np.ndarray
    wanted: np.ndarray  #: (243,) int64: cells that want a line; scratch


@functools.cache
def rules() -> Rules:
    """The tables, made once."""
    cells = range(CELLS)
    box = [cell // 27 * 3 + cell % 9 // 3 for cell in cells]
    units = [
        *([9 * i + j for j in range(9)] for i in range(9)),
        *([9 * i + j for i in range(9)] for j in range(9)),
        *([cell for cell in cells if box[cell] == b] for b in range(9)),
    ]
    peers = [sorted({peer for unit in units if cell in unit for peer in unit} - {cell}) for cell in cells]
    lines = [(9 * (cell // 9), 81 + 9 * (cell % 9), 162 + 9 * box[cell]) for cell in cells]
    return Rules(*(np.array(table, np.int64).ravel() for table in (WEIGHTS, peers, units, lines)))


@kernel(inline=True)
def yields(rules: Rules, stack: np.ndarray, base: Int, cell: Int, digit: Int) -> Int:
    """What a digit in a cell yields, in units of 1 / SCALE."""
    prices = base + PRICES + digit
    cost = integer(0)
    for i in range(3):
        cost += stack[unsigned(prices + rules.lines[unsigned(3 * cell + i)])]
    return SCALE * rules.weight[unsigned(cell)] * (digit + 1) - cost


@kernel
def settle(rules: Rules, stack: np.ndarray, base: Int, switches: Int) -> Int:
    """Take digits from the peers of cells that have them, and find hidden singles; 0 when a cell or digit has no way left."""
    changed = True
    while changed:
        changed = False
        for cell in range(CELLS):
            left = stack[unsigned(base + cell)]
            if left & (left - 1) == 0:
                if left == 0:
                    return 0
                stack[unsigned(base + cell)] = left | DONE
                changed = True
                for i in range(PEERS):
                    at = unsigned(base + rules.peers[unsigned(PEERS * cell + i)])
                    there = stack[at]
                    if there & left:
                        if there & _ALL == left:
                            return 0
                        stack[at] = there ^ left
        if changed or switches & HIDDEN == 0:
            continue
        for unit in range(27):
            once, twice = integer(0), integer(0)
            for i in range(9):
                left = stack[unsigned(base + rules.units[unsigned(9 * unit + i)])] & _ALL
                twice |= once & left
                once |= left
            if once != _ALL:
                return 0
            once ^= twice
            for i in range(9):
                at = unsigned(base + rules.units[unsigned(9 * unit + i)])
                single = stack[at] & once
                if single and stack[at] & DONE == 0 and single != stack[at]:
                    if single & (single - 1):
                        return 0
                    stack[at] = single
                    changed = True
    return 1


@kernel
def top(rules: Rules, work: Work, base: Int) -> Int:
    """The bound of a frame at its prices; counts in `wanted` how many cells want each line. O(cells × digits left)."""
    stack = work.stack
    total = integer(0)
    for line in range(LINES):
        work.wanted[unsigned(line)] = 0
        total += stack[unsigned(base + PRICES + line)]
    for cell in range(CELLS):
        left = stack[unsigned(base + cell)] & _ALL
        most, digit = integer(-(1 << 60)), integer(0)
        while left:
            d = integer(trailing_zeros(unsigned(left)))
            left &= left - 1
            here = yields(rules, stack, base, cell, d)
            if here >= most:
                most, digit = here, d
        total += most
        for i in range(3):
            work.wanted[unsigned(rules.lines[unsigned(3 * cell + i)] + digit)] += 1
    return total


@kernel(inline=True)
def change_prices(work: Work, base: Int, gap: Int) -> Int:
    """Make lines dearer that several cells want, and those cheaper that none wants, by so large a gap; 0 when none is so."""
    square = integer(0)
    for line in range(LINES):
        excess = work.wanted[unsigned(line)] - 1
        square += excess * excess
    if square == 0:
        return 0
    step = max(1, gap // square)
    for line in range(LINES):
        work.stack[unsigned(base + PRICES + line)] += step * (work.wanted[unsigned(line)] - 1)
    return 1


@kernel
def drop_losses(rules: Rules, work: Work, base: Int, room: Int) -> Int:
    """Take out digits that yield less than the best of their cell by more than `room`; whether there are any."""
    stack = work.stack
    dropped = integer(0)
    for cell in range(CELLS):
        left = stack[unsigned(base + cell)]
        if left & DONE:
            continue
        most = integer(-(1 << 60))
        rest = left
        while rest:
            most = max(most, yields(rules, stack, base, cell, integer(trailing_zeros(unsigned(rest)))))
            rest &= rest - 1
        rest = left
        while rest:
            digit = integer(trailing_zeros(unsigned(rest)))
            rest &= rest - 1
            if most - yields(rules, stack, base, cell, digit) > room:
                stack[unsigned(base + cell)] ^= 1 << digit
                dropped = integer(1)
    return dropped


@kernel
def evaluate(rules: Rules, work: Work, base: Int, rounds: Int, switches: Int) -> Int:
    """Draw conclusions and bring the bound down; 0 when nothing in the frame can be better than the best."""
    stack = work.stack
    if settle(rules, stack, base, switches) == 0:
        return 0
    if switches & BOUNDED == 0:
        return 1
    for i in range(rounds + 1):
        bound = top(rules, work, base)
        stack[unsigned(base + TOP)] = min(stack[unsigned(base + TOP)], bound // SCALE)
        room = bound - SCALE * (work.best[0] + 1)
        if work.best[0] >= 0 and room < 0:
            return 0
        if switches & LOSSES and work.best[0] >= 0 and drop_losses(rules, work, base, room):
            if settle(rules, stack, base, switches) == 0:
                return 0
            continue
        if i == rounds or switches & PRICED == 0:
            return 1
        if change_prices(work, base, room if work.best[0] >= 0 else bound // 64) == 0:
            return 1
    return 1


@kernel
def choose(rules: Rules, stack: np.ndarray, base: Int, switches: Int) -> Int:
    """A guess, 16 · cell + digit, or -1 when all cells have their digits."""
    chosen, fewest = integer(-1), integer(10)
    for cell in range(CELLS):
        left = stack[unsigned(base + cell)]
        count = integer(population_count(unsigned(left & _ALL)))
        if left & DONE == 0 and count < fewest and (chosen < 0 or switches & FEWEST):
            chosen, fewest = cell, count
    if chosen < 0:
        return -1
    left = stack[unsigned(base + chosen)] & _ALL
    digit, most = integer(trailing_zeros(unsigned(left))), integer(-(1 << 60))
    while left and switches & ORDERED:
        d = integer(trailing_zeros(unsigned(left)))
        left &= left - 1
        here = yields(rules, stack, base, chosen, d)
        if here > most:
            digit, most = d, here
    return 16 * chosen + digit


@kernel
def keep_best(rules: Rules, work: Work, base: Int) -> None:
    """Keep a full grid if it is better than the best so far."""
    total = integer(0)
    for cell in range(CELLS):
        digit = integer(trailing_zeros(unsigned(work.stack[unsigned(base + cell)])))
        total += rules.weight[unsigned(cell)] * (digit + 1)
    if total > work.best[0]:
        work.best[0] = total
        for cell in range(CELLS):
            work.best[unsigned(1 + cell)] = 1 + trailing_zeros(unsigned(work.stack[unsigned(base + cell)]))


@kernel
def search_target(rules: Rules, work: Work, switches: Int, counters: np.ndarray) -> Int:
    """Go on until nothing is left (EXHAUSTED) or the budget is used up (PAUSED)."""
    stack = work.stack
    generated, frames = counters[GENERATED], counters[FRAMES]
    outcome = EXHAUSTED
    while frames > 0 or generated == 0:
        if generated >= counters[STOP_AT]:
            outcome = PAUSED
            break
        rounds = integer(_ROUNDS)
        if generated == 0:
            frames, rounds = integer(1), integer(_ROOT_ROUNDS)
            for cell in range(CELLS):
                given = work.given[unsigned(cell)]
                stack[unsigned(cell)] = 1 << (given - 1) if given > 0 else _ALL
            stack[unsigned(TOP)] = counters[BOUND]
        generated += 1
        base = (frames - 1) * FRAME
        guess = integer(-2)
        if evaluate(rules, work, base, rounds, switches):
            guess = integer(choose(rules, stack, base, switches))
            if guess == -1:
                keep_best(rules, work, base)
        else:
            counters[PRUNED] += 1
        if guess < 0:
            frames -= 1
            continue
        counters[EXPANDED] += 1
        for i in range(FRAME):
            stack[unsigned(base + FRAME + i)] = stack[unsigned(base + i)]
        bit = 1 << (guess % 16)
        stack[unsigned(base + FRAME + guess // 16)] = bit
        stack[unsigned(base + guess // 16)] ^= bit
        frames += 1
    bound = work.best[0]
    for frame in range(frames):
        bound = max(bound, stack[unsigned(frame * FRAME + TOP)])
    if generated > 0:
        counters[BOUND] = bound
    counters[GENERATED], counters[FRAMES], counters[DEPTH] = generated, frames, frames
    return outcome


class TargetSearch(ArraySearch):
    """The search at work on givens, (81,) int64, 0 for a blank."""

    engine = "target_sudoku"
    why = "branch and bound, with prices for each digit in a row, column and box"
    parts = ("work",)
    maximises = True

    def __init__(self, given: np.ndarray, without: Collection[str], options: RunOptions) -> None:
        super().__init__([given], options, without=sorted(without))
        self.switches = sum(1 << i for i, name in enumerate(PRUNINGS) if name not in without)
        self.rules = rules()
        stack = np.zeros((CELLS + 2) * FRAME, np.int64)  # a guess settles a cell at least
        self.work = Work(given, stack, np.full(1 + CELLS, -1, np.int64), np.zeros(LINES, np.int64))
        self.counters[BOUND] = MOST

    def advance(self, stop_at: int) -> int:
        """Go on until `generated` reaches `stop_at`."""
        self.counters[STOP_AT] = stop_at
        return self.call(search_target, self.rules, self.work, self.switches, self.counters)

    def best(self) -> tuple[int, tuple[int, ...]] | None:
        """The largest sum and the digits of its grid."""
        total, *digits = self.work.best.tolist()
        return None if total < 0 else (total, tuple(digits))

    def progress(self) -> Progress:
        """With the largest sum so far."""
        total = int(self.work.best[0])
        return super().progress()._replace(incumbent=None if total < 0 else total)
