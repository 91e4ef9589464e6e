"""The linear program of bin packing: how often each pattern is used, in fractions, so that the fewest bins hold all items.

    T          types of items;  weight (T,) int64, capacity C as in bin_packing_search.py
    left       (T,) int64: how many items of each type are to be packed;  target: into how many bins
    pattern    a set of items that fits into a bin, no more of a type than are left; number p is types[begin[p] : begin[p + 1]]
    row        of the program: a type of which items are left;  active: the type of a row;  row_of: the row of a type
    basis      (T,) int32: the pattern of each row, or -1 - t for one with as many items of type t alone as fit
    inverse    (rows × rows,) of the matrix of the basis;  x: how often its patterns are used;  y: the dual value of an item

The program is solved by column generation (Gilmore and Gomory 1961): while there is a pattern whose items are worth more than 1,
by y, it comes into the basis. The pattern worth most is found by dynamic programming in whole numbers, from y rounded down to
units of 1 / UNIT. Any such prices prove a bound, whatever the rounding: if no pattern is worth more than z, a bin is paid with z,
so all items need at least (what they are worth) / z bins (Farley 1990). So only bounds in whole numbers are believed; the
floating-point numbers merely guide. As long as they help, prices are drawn towards weight / C, which calms them (Wentges 1997).

The patterns used most are fixed, again and again, and what is left is handed back to bin completion.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import PAUSED
from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.search.compiled import GENERATED, STOP_AT

UNIT = 1 << 30

FITS, TOO_MANY, GIVEN_UP = 1, 2, 3  #: how a program ends: its items fit into the bins in fractions; do not; it is not known
_GO_ON, _NO_BETTER = 4, 5

_MOST_TYPES, _MOST_CELLS = 400, 1 << 22
_MOST_PATTERNS, _MOST_IN_ONE = 4096, 64

_CALM = 0.7  #: the share of weight / C in the prices, at first
_CLOSE, _BETTER, _TINY = 1e-4, 1e-6, 1e-9

ROWS, PATTERNS, TARGET, FIXED, STEPS = range(5)


class Program(NamedTuple):
    """The arrays; see the legend.

    value, other   (C + 1,) int64: the largest worth of items of a weight, before and after an item
    taken          (n × (C + 1),) uint8: whether it takes the item;  copies: the row of each item
    fixed          the types in fixed patterns, one behind the other;  fixed_begin: where each begins
    numbers        ROWS … STEPS;  calm: the share of weight / C in the prices
    """

    left: np.ndarray
    active: np.ndarray
    row_of: np.ndarray
    inverse: np.ndarray
    x: np.ndarray
    y: np.ndarray
    column: np.ndarray
    basis: np.ndarray
    begin: np.ndarray
    types: np.ndarray
    fits: np.ndarray
    price: np.ndarray
    value: np.ndarray
    other: np.ndarray
    taken: np.ndarray
    copies: np.ndarray
    fixed: np.ndarray
    fixed_begin: np.ndarray
    numbers: np.ndarray
    calm: np.ndarray


@kernel
def start(weight: np.ndarray, capacity: Int, program: Program) -> Int:
    """Begin with a pattern for each type alone; how many rows there are.

    The demands are made uneven by a trifle, against cycling.
    """
    rows = integer(0)
    for t in range(weight.shape[0]):
        if program.left[unsigned(t)] > 0:
            program.active[unsigned(rows)] = t
            program.row_of[unsigned(t)] = rows
            rows += 1
    program.numbers[ROWS] = rows
    program.numbers[STEPS] = 0
    for i in range(rows * rows):
        program.inverse[unsigned(i)] = 0.0
    for i in range(rows):
        kind = program.active[unsigned(i)]
        alone = min(program.left[unsigned(kind)], capacity // weight[unsigned(kind)])
        program.inverse[unsigned(i * rows + i)] = 1.0 / alone
        program.x[unsigned(i)] = (program.left[unsigned(kind)] + 1e-9 * ((i * 7919) % 101 + 1)) / alone
        program.basis[unsigned(i)] = -1 - kind
    for p in range(program.numbers[PATTERNS]):
        program.fits[unsigned(p)] = has_items(program, p)
    return rows


@kernel(inline=True)
def has_items(program: Program, p: Int) -> Int:
    """Whether the items of a pattern, equal ones side by side, are left."""
    same = integer(0)
    for i in range(program.begin[unsigned(p)], program.begin[unsigned(p + 1)]):
        t = program.types[unsigned(i)]
        same = same + 1 if i > program.begin[unsigned(p)] and program.types[unsigned(i - 1)] == t else integer(1)
        if same > program.left[unsigned(t)]:
            return 0
    return 1


@kernel
def improve(weight: np.ndarray, capacity: Int, program: Program, counters: np.ndarray) -> Int:
    """Go on until the program fits into the target or cannot, is given up, or the budget is used up. O(rows²) a step."""
    numbers, x, y, inverse = program.numbers, program.x, program.y, program.inverse
    rows = numbers[ROWS]
    while counters[GENERATED] < counters[STOP_AT]:
        counters[GENERATED] += rows
        numbers[STEPS] += 1
        total: Any = 0.0
        for i in range(rows):
            total += x[unsigned(i)]
        if total <= numbers[TARGET] + _CLOSE:
            return FITS
        if numbers[STEPS] > 200 * rows + 2000:
            return GIVEN_UP
        for j in range(rows):
            y[unsigned(j)] = 0.0
        for i in range(rows):
            for j in range(rows):
                y[unsigned(j)] += inverse[unsigned(i * rows + j)]
        best = integer(-1)
        most = 1.0 + _BETTER
        for p in range(numbers[PATTERNS]):
            if program.fits[unsigned(p)] == 1:
                worth = worth_of(program, p)
                if worth > most:
                    most, best = worth, integer(p)
        if best < 0:
            outcome = new_pattern(weight, capacity, program, counters)
            if outcome == _NO_BETTER:
                continue
            if outcome != _GO_ON:
                return outcome
            best = numbers[PATTERNS] - 1
        if not bring_in(program, best):
            return GIVEN_UP
    return PAUSED


@kernel(inline=True)
def worth_of(program: Program, p: Int) -> Any:
    """What the items of a pattern are worth by y."""
    worth: Any = 0.0
    for i in range(program.begin[unsigned(p)], program.begin[unsigned(p + 1)]):
        worth += program.y[unsigned(program.row_of[unsigned(program.types[unsigned(i)])])]
    return worth


@kernel
def new_pattern(weight: np.ndarray, capacity: Int, program: Program, counters: np.ndarray) -> Int:
    """Find the pattern worth most by the prices, and add it (_GO_ON) where it is worth more than 1 by y, too. O(items × C)."""
    numbers, price, value, other = program.numbers, program.price, program.value, program.other
    rows = numbers[ROWS]
    calm = program.calm[0]
    all_items = integer(0)
    for c in range(capacity + 1):
        value[unsigned(c)] = 0
    count = integer(0)
    for i in range(rows):
        t = program.active[unsigned(i)]
        w = weight[unsigned(t)]
        price[unsigned(i)] = int(max(0.0, calm * w / capacity + (1.0 - calm) * program.y[unsigned(i)]) * UNIT)
        worth = price[unsigned(i)]
        all_items += worth * program.left[unsigned(t)]
        if worth == 0:
            continue
        for _ in range(min(program.left[unsigned(t)], capacity // w)):
            base = count * (capacity + 1)
            for c in range(w):
                other[unsigned(c)] = value[unsigned(c)]
                program.taken[unsigned(base + c)] = 0
            for c in range(w, capacity + 1):
                with_it = value[unsigned(c - w)] + worth
                is_better = with_it > value[unsigned(c)]
                other[unsigned(c)] = with_it if is_better else value[unsigned(c)]
                program.taken[unsigned(base + c)] = is_better
            for c in range(capacity + 1):
                value[unsigned(c)] = other[unsigned(c)]
            program.copies[unsigned(count)] = i
            count += 1
    counters[GENERATED] += count * (capacity + 1) // 256
    most = value[unsigned(capacity)]
    if all_items > most * numbers[TARGET]:
        return TOO_MANY
    if calm == 0.0 and most <= UNIT + UNIT // 500_000:
        return FITS  # as well as can be told
    p = numbers[PATTERNS]
    at = integer(program.begin[unsigned(p)])
    if p + 1 == program.fits.shape[0] or at + _MOST_IN_ONE > program.types.shape[0]:
        return GIVEN_UP
    room = capacity
    last = at
    for k in range(count - 1, -1, -1):
        if program.taken[unsigned(k * (capacity + 1) + room)] == 1:
            kind = program.active[unsigned(program.copies[unsigned(k)])]
            if last == at + _MOST_IN_ONE:
                return GIVEN_UP
            program.types[unsigned(last)] = kind
            last += 1
            room -= integer(weight[unsigned(kind)])
    program.begin[unsigned(p + 1)] = last
    if worth_of(program, p) <= 1.0 + _BETTER:
        program.calm[0] = 0.5 * calm if calm > 0.1 else 0.0
        return FITS if calm == 0.0 else _NO_BETTER
    program.fits[unsigned(p)] = 1
    numbers[PATTERNS] = p + 1
    return _GO_ON


@kernel
def bring_in(program: Program, p: Int) -> Any:
    """Bring a pattern into the basis, in place of the one that is used up first; False where numbers fail. O(rows²)."""
    rows = program.numbers[ROWS]
    inverse, x, column, y = program.inverse, program.x, program.column, program.y
    for i in range(rows):
        column[unsigned(i)] = 0.0
    for k in range(program.begin[unsigned(p)], program.begin[unsigned(p + 1)]):
        row = program.row_of[unsigned(program.types[unsigned(k)])]
        for i in range(rows):
            column[unsigned(i)] += inverse[unsigned(i * rows + row)]
    out = integer(-1)
    much: Any = 0.0
    for i in range(rows):
        if column[unsigned(i)] > _TINY:
            ratio = x[unsigned(i)] / column[unsigned(i)]
            if out < 0 or ratio < much:
                out = integer(i)
                much = ratio
    if out < 0:
        return False
    factor = 1.0 / column[unsigned(out)]
    for j in range(rows):
        y[unsigned(j)] = inverse[unsigned(out * rows + j)] * factor  # scratch space: y is made anew at each step
    for i in range(rows):
        share = column[unsigned(i)]
        if i != out and abs(share) > 1e-12:
            x[unsigned(i)] -= much * share
            for j in range(rows):
                inverse[unsigned(i * rows + j)] -= share * y[unsigned(j)]
    for j in range(rows):
        inverse[unsigned(out * rows + j)] = y[unsigned(j)]
    x[unsigned(out)] = much
    program.basis[unsigned(out)] = p
    return True


class Patterns:
    """The linear program at work, and the patterns that were fixed."""

    def __init__(self, weight: np.ndarray, capacity: int, n: int) -> None:
        self.weight, self.capacity = weight, capacity
        t = len(weight)
        longest = min(n, capacity // int(weight[-1]), _MOST_IN_ONE)
        self.program = Program(
            left=np.zeros(t, np.int64),
            active=np.zeros(t, np.int64),
            row_of=np.zeros(t, np.int64),
            inverse=np.zeros(t * t),
            x=np.zeros(t),
            y=np.zeros(t),
            column=np.zeros(t),
            basis=np.zeros(t, np.int32),
            begin=np.zeros(_MOST_PATTERNS + 1, np.int32),
            types=np.zeros(_MOST_PATTERNS * longest + _MOST_IN_ONE, np.int32),
            fits=np.zeros(_MOST_PATTERNS, np.uint8),
            price=np.zeros(t, np.int64),
            value=np.zeros(capacity + 1, np.int64),
            other=np.zeros(capacity + 1, np.int64),
            taken=np.zeros(n * (capacity + 1), np.uint8),
            copies=np.zeros(n, np.int32),
            fixed=np.zeros(n, np.int32),
            fixed_begin=np.zeros(n + 1, np.int32),
            numbers=np.zeros(5, np.int64),
            calm=np.zeros(1),
        )

    @staticmethod
    def is_for(weight: np.ndarray, n: int, capacity: int) -> bool:
        """Whether the program is small enough."""
        return len(weight) <= _MOST_TYPES and n * (capacity + 1) <= _MOST_CELLS

    @property
    def bins_left(self) -> int:
        """Bins that are not filled by fixed patterns."""
        return int(self.program.numbers[TARGET])

    @property
    def is_whole(self) -> bool:
        """Whether no pattern is fixed."""
        return bool(self.program.numbers[FIXED] == 0)

    @property
    def fixed(self) -> list[list[int]]:
        """The types in each fixed pattern."""
        ends = self.program.fixed_begin[: int(self.program.numbers[FIXED]) + 1].tolist()
        return [self.program.fixed[a:b].tolist() for a, b in itertools.pairwise(ends)]

    def begin(self, count: np.ndarray, bins: int) -> None:
        """Ask about all items anew; the patterns known so far are kept."""
        self.program.left[:] = count
        self.program.numbers[TARGET] = bins
        self.program.numbers[FIXED] = 0
        self.program.calm[0] = _CALM

    def fix(self, attempt: int) -> np.ndarray:
        """Fix the patterns that are used at least once, or the one used most, and return what is left.

        The first time of all it is the one that comes so many places, `attempt`, after it.
        """
        p = self.program
        x = p.x[: int(p.numbers[ROWS])]
        order = np.argsort(-x, kind="stable")
        chosen = [int(i) for i in order if x[i] > 0.99]
        if not chosen or (self.is_whole and attempt > 0):
            chosen = [int(order[min(attempt, len(order) - 1) if self.is_whole else 0])]
        for i in chosen:
            types = self._types(int(p.basis[i]))
            for _ in range(max(1, int(x[i] + 0.01))):
                self._fix(types)
        p.calm[0] = _CALM
        return p.left

    def _types(self, number: int) -> list[int]:
        p = self.program
        if number >= 0:
            types: list[int] = p.types[p.begin[number] : p.begin[number + 1]].tolist()
            return types
        t = -1 - number
        return [t] * min(int(p.left[t]), self.capacity // int(self.weight[t]))

    def _fix(self, types: list[int]) -> None:
        """Fill a bin with these items, where they are left."""
        p = self.program
        used, times = np.unique(types, return_counts=True)
        if p.numbers[TARGET] == 0 or not types or (p.left[used] < times).any():
            return
        p.left[used] -= times
        k = int(p.numbers[FIXED])
        begin = int(p.fixed_begin[k])
        p.fixed[begin : begin + len(types)] = types
        p.fixed_begin[k + 1] = begin + len(types)
        p.numbers[FIXED] += 1
        p.numbers[TARGET] -= 1
