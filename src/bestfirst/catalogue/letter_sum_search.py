"""The search of letter sums: a letter gets a digit, and what follows from it for the others is drawn first.

    base      of the numbers, 2 to 36; digits are 0 to base - 1
    letter    numbered from 0; its *domain* is the set of digits that it may still have, as bits; it is *known* when that is one
    column    from the right, from 0. In column i   sum of factor × digit + carry[i] = base × carry[i + 1],   where the factor
              of a letter counts it on the left side less on the right; the first and the last carry are 0
    equation  that of a column, or the sum or difference of the equations of two columns
    c0, c1    least and largest value of what comes in, carry[i] or the sum or difference of two such; d0, d1: of what goes out
    row       what is known at a depth of the search: the domain of each letter, then the least and then the largest value of
              each carry

    Puzzle    `first` (equations + 1,): the terms of equation e are first[e] to first[e + 1]; `letter`, `factor` (terms,) of each;
              `column` (2 × equations,): the columns of each equation, the second -1 where there is one; `sign` of the second;
              `begin` (letters + 1,), `equation` (terms,): likewise the equations of a letter; `user_begin` (carries + 1,),
              `user`: likewise those of a carry; `like` (letters,): the letter before this one that has the same factors in all
              columns, or -1; int64 all
    Work      `rows`: one row after another; `letter`, `left`: which letter is tried at a depth, and its digits not yet tried;
              `queue` (2 × equations,): those to be looked at, first the *urgent* ones, in which a letter has just become known;
              `queued` (equations,): where they are, see _IS_WAITING; `weight` (equations,): 1 + how often one could not hold;
              `digits` (letters,): the first solution; int64 all

No engine for any problem is used, as nearly all of a node's work is to narrow domains and carries equation by equation, which
needs its own data; copying a row for each node costs little beside that.
"""

from __future__ import annotations

import math
from collections.abc import Set
from typing import Any, NamedTuple

import numpy as np

from bestfirst.catalogue.prunings import Kind, Pruning, require_known
from bestfirst.control import EXHAUSTED, FOUND, PAUSED, RunOptions
from bestfirst.kernel import Int, integer, kernel, population_count, trailing_zeros, unsigned
from bestfirst.result import Solution
from bestfirst.search.compiled import DEPTH, EXPANDED, GENERATED, OWN, PRUNED, STOP_AT
from bestfirst.search.explicit import ArraySearch

SOLUTIONS = OWN  #: met so far
COUNTING = OWN + 1  #: how many solutions to count at most; 0: not to go on after the first
URGENT = OWN + 2  #: equations in the first part of the queue
WAITING = OWN + 3  #: and in the second
OPEN_COLUMNS = OWN + 4  #: from here on: whether a pruning is on
PARTNERS = OWN + 5
LAST_PLACES = OWN + 6
NARROWEST = OWN + 7

PRUNINGS = {
    "open-columns": Pruning(
        Kind.FEASIBILITY,
        "bounds the carries and digits of a column with unknown letters",
        "the least and the largest that all others add bound what is left for one",
    ),
    "column-pairs": Pruning(
        Kind.FEASIBILITY,
        "uses the sum and the difference of two columns as equations, too, where these have fewer letters than both",
        "what holds for two columns holds for their sum and their difference",
    ),
    "partners": Pruning(
        Kind.FEASIBILITY,
        "where one or two letters of a column are unknown, keeps the digits that make it right",
        "a digit without a partner that makes the column right is in no solution",
    ),
    "last-places": Pruning(
        Kind.FEASIBILITY,
        "where there are as many letters as digits, gives a digit to the only letter that may have it",
        "every digit is the digit of some letter then",
    ),
    "like-letters": Pruning(
        Kind.EQUIVALENT,
        "puts letters with equal factors in all columns in ascending order",
        "exchanging their digits makes a solution of a solution",
    ),
    "narrowest": Pruning(
        Kind.ORDER,
        "tries next the letter with the fewest digits for the failures in its columns, not the next from the right",
        "every letter must get its digit, and any may be the next",
    ),
}

#: Of an equation: is it in a part of the queue, and has it been looked at as an urgent one since it was put into the other?
_IS_WAITING, _IS_URGENT, _IS_DONE = 1, 2, 4

_DIGITS = 36  #: of the largest base

#: Sums and differences of columns are made in puzzles of so many columns; in longer ones there is more than enough to go by.
_MOST_PAIRED = 64

_SWITCHES = {OPEN_COLUMNS: "open-columns", PARTNERS: "partners", LAST_PLACES: "last-places", NARROWEST: "narrowest"}


class Puzzle(NamedTuple):
    """See the legend."""

    first: np.ndarray
    letter: np.ndarray
    factor: np.ndarray
    column: np.ndarray
    sign: np.ndarray
    begin: np.ndarray
    equation: np.ndarray
    user_begin: np.ndarray
    user: np.ndarray
    like: np.ndarray


class Work(NamedTuple):
    """See the legend."""

    rows: np.ndarray
    letter: np.ndarray
    left: np.ndarray
    queue: np.ndarray
    queued: np.ndarray
    weight: np.ndarray
    digits: np.ndarray


@kernel(inline=True)
def _least(domain: Int) -> Int:
    return integer(trailing_zeros(unsigned(domain)))


@kernel(inline=True)
def _largest(domain: Int) -> Int:
    for shift in (1, 2, 4, 8, 16, 32):
        domain |= domain >> shift
    return integer(population_count(unsigned(domain))) - 1


@kernel(inline=True)
def _between(low: Int, high: Int, factor: Int, base: Int) -> Int:
    """The digits with low ≤ factor × digit ≤ high."""
    if factor == 1:
        least, largest = low, high
    elif factor == -1:
        least, largest = -high, -low
    elif factor > 0:
        least, largest = -(-low // factor), high // factor
    else:
        least, largest = -(high // -factor), -low // -factor
    least, largest = max(least, 0), min(largest, base - 1)
    return (2 << largest) - (1 << least) if least <= largest else 0


@kernel(inline=True)
def _moved(word: Int, by: Int) -> Int:
    """The bits of a word moved up, down where `by` is negative; bits above those of the base are left to be cut off."""
    if by >= 0:
        return word << by if by <= _DIGITS else 0
    return word >> -by if by >= -_DIGITS else 0


@kernel(inline=True)
def _mirrored(domain: Int) -> Int:
    """The digits 35 - d of a domain: its 36 bits the other way round."""
    domain = (domain >> 24) | (domain & 0xFFF000) | ((domain & 0xFFF) << 24)
    domain = ((domain >> 8) & 0x00F00F00F) | (domain & 0x0F00F00F0) | ((domain & 0x00F00F00F) << 8)
    domain = ((domain >> 2) & 0x333333333) | ((domain & 0x333333333) << 2)
    return ((domain >> 1) & 0x555555555) | ((domain & 0x555555555) << 1)


@kernel(inline=True)
def _enqueue(work: Work, counters: np.ndarray, equation: Int, is_urgent: Int) -> None:
    """Let an equation be looked at, an urgent one before all others."""
    queued = work.queued[unsigned(equation)]
    if queued & _IS_URGENT:
        return
    if is_urgent:
        work.queued[unsigned(equation)] = queued | _IS_URGENT
        work.queue[unsigned(counters[URGENT])] = equation
        counters[URGENT] += 1
        return
    work.queued[unsigned(equation)] = _IS_WAITING
    if queued == 0:
        work.queue[unsigned(len(work.queued) + counters[WAITING])] = equation
        counters[WAITING] += 1


@kernel(inline=True)
def _dequeue(work: Work, counters: np.ndarray) -> Int:
    """The next equation to be looked at; -1 when there is none."""
    if counters[URGENT] > 0:
        counters[URGENT] -= 1
        equation = work.queue[unsigned(counters[URGENT])]
        is_waiting = work.queued[unsigned(equation)] & _IS_WAITING != 0
        work.queued[unsigned(equation)] = _IS_WAITING | _IS_DONE if is_waiting else 0
        return equation
    while counters[WAITING] > 0:
        counters[WAITING] -= 1
        equation = work.queue[unsigned(len(work.queued) + counters[WAITING])]
        queued = work.queued[unsigned(equation)]
        work.queued[unsigned(equation)] = 0
        if queued & _IS_DONE == 0:
            return equation
    return -1


@kernel(inline=True)
def _set_carry(puzzle: Puzzle, work: Work, row: Int, carry: Int, least: Int, largest: Int, counters: np.ndarray) -> None:
    """Write down what a carry can be; when that is less than before, enqueue the equations that it is in."""
    rows, at, carries = work.rows, row + len(puzzle.like) + carry, len(puzzle.user_begin) - 1
    if rows[unsigned(at)] != least or rows[unsigned(at + carries)] != largest:
        rows[unsigned(at)], rows[unsigned(at + carries)] = least, largest
        for i in range(puzzle.user_begin[unsigned(carry)], puzzle.user_begin[unsigned(carry + 1)]):
            _enqueue(work, counters, puzzle.user[unsigned(i)], 0)


@kernel(inline=True)
def _keep(rows: np.ndarray, puzzle: Puzzle, row: Int, term: Int, digits: Int) -> Int:
    """Leave the letter of a term these digits alone: the letter as a bit when that changes something; -1 when none is left."""
    letter = puzzle.letter[unsigned(term)]
    domain = rows[unsigned(row + letter)]
    kept = domain & digits
    rows[unsigned(row + letter)] = kept
    return -1 if kept == 0 else 0 if kept == domain else integer(1) << letter


@kernel(inline=True)
def _carries(puzzle: Puzzle, rows: np.ndarray, row: Int, equation: Int) -> tuple[Int, Int, Int, Int]:
    """What may come in and go out: c0, c1, d0, d1."""
    at, span = row + len(puzzle.like), len(puzzle.user_begin) - 1
    low = unsigned(at + puzzle.column[unsigned(2 * equation)])
    high = low + unsigned(span)
    c0, c1, d0, d1 = rows[low], rows[high], rows[low + unsigned(1)], rows[high + unsigned(1)]
    second = puzzle.column[unsigned(2 * equation + 1)]
    if second < 0:
        return c0, c1, d0, d1
    low = unsigned(at + second)
    high = low + unsigned(span)
    if puzzle.sign[unsigned(equation)] > 0:
        return c0 + rows[low], c1 + rows[high], d0 + rows[low + unsigned(1)], d1 + rows[high + unsigned(1)]
    return c0 - rows[high], c1 - rows[low], d0 - rows[high + unsigned(1)], d1 - rows[low + unsigned(1)]


@kernel(inline=True)
def _settled(low: Int, high: Int, carries: tuple[Int, Int, Int, Int], base: Int) -> tuple[Int, Int, Int, Int]:
    """The carries narrowed to what low ≤ sum of the terms ≤ high allows; those in or those out are none when it cannot be.

    Steps of one instead of divisions: there are few, and divisions are slow.
    """
    c0, c1, d0, d1 = carries
    while True:
        while d0 <= d1 and base * d0 < low + c0:
            d0 += 1
        while d0 <= d1 and base * d1 > high + c1:
            d1 -= 1
        least, largest = max(c0, base * d0 - high), min(c1, base * d1 - low)
        if d0 > d1 or least > largest or (least == c0 and largest == c1):
            return least, largest, d0, d1
        c0, c1 = least, largest


@kernel(inline=True)
def _completing(rest: Int, factor: Int, carries: tuple[Int, Int, Int, Int], base: Int) -> Int:
    """The digits of a letter that make an equation right whose other terms are `rest` together."""
    c0, c1, d0, d1 = carries
    fit = integer(0)
    for carry in range(d0, d1 + 1):
        fit |= _between(base * carry - c1 - rest, base * carry - c0 - rest, factor, base)
    return fit


@kernel(inline=True)
def _pairs_of_any(
    one: Int, f: Int, two: Int, g: Int, rest: Int, carries: tuple[Int, Int, Int, Int], base: Int
) -> tuple[Int, Int]:
    """The digits of two letters, with factors f and g, that have a partner in the other domain; digit by digit."""
    fit, partners = integer(0), integer(0)
    left = one
    while left != 0:
        bit = left & -left
        left ^= bit
        found = _completing(rest + f * _least(bit), g, carries, base) & two & ~bit
        if found != 0:
            fit |= bit
            partners |= found
    return fit, partners


@kernel(inline=True)
def _pairs_of_units(
    one: Int, f: Int, two: Int, g: Int, rest: Int, carries: tuple[Int, Int, Int, Int], base: Int
) -> tuple[Int, Int]:
    """The same for factors 1 and -1: all digits at once, by moving the bits of one domain over those of the other."""
    c0, c1, d0, d1 = carries
    if f == g:
        one, two = _mirrored(one), _mirrored(two)
    fit, partners = integer(0), integer(0)
    for carry in range(d0, d1 + 1):
        for total in range(base * carry - c1 - rest, base * carry - c0 - rest + 1):
            wanted = f * total  # of one + two where f = g, of one - two otherwise
            if f == g:
                unequal = integer(-1)
                if wanted & 1 == 0 and 0 <= wanted < 2 * _DIGITS:
                    unequal ^= integer(1) << (wanted >> 1)
                fit |= _moved(two, wanted - _DIGITS + 1) & unequal
                partners |= _moved(one, wanted - _DIGITS + 1) & unequal
            elif wanted != 0:
                fit |= _moved(two, wanted)
                partners |= _moved(one, -wanted)
    return fit, partners


@kernel(inline=True)
def _narrow_pair(
    puzzle: Puzzle, rows: np.ndarray, row: Int, x: Int, y: Int, low: Int, carries: tuple[Int, Int, Int, Int], base: Int
) -> Int:
    """Leave the letters of the terms x and y, the only unknown ones, the digits that have partners; as `_narrow_equation`.

    low: the least sum of all terms
    """
    one, f = rows[unsigned(row + puzzle.letter[unsigned(x)])], puzzle.factor[unsigned(x)]
    two, g = rows[unsigned(row + puzzle.letter[unsigned(y)])], puzzle.factor[unsigned(y)]
    rest = low - f * (_least(one) if f > 0 else _largest(one)) - g * (_least(two) if g > 0 else _largest(two))
    if abs(f) == 1 and abs(g) == 1:
        fit, partners = _pairs_of_units(one, f, two, g, rest, carries, base)
    else:
        fit, partners = _pairs_of_any(one, f, two, g, rest, carries, base)
    changed = _keep(rows, puzzle, row, x, fit)
    return -1 if changed < 0 else changed | _keep(rows, puzzle, row, y, partners)


@kernel(inline=True)
def _narrow_equation(puzzle: Puzzle, work: Work, base: Int, row: Int, equation: Int, counters: np.ndarray) -> Int:
    """Narrow the carries and domains of an equation: the letters whose domains became smaller, as bits; -1 if it cannot hold."""
    rows = work.rows
    begin, end = puzzle.first[unsigned(equation)], puzzle.first[unsigned(equation + 1)]
    low, high, unknown = integer(0), integer(0), integer(0)  # the least and the largest sum of all terms
    x, y = integer(begin), integer(begin)  # the last two terms with unknown letters
    for term in range(begin, end):
        domain = rows[unsigned(row + puzzle.letter[unsigned(term)])]
        factor = puzzle.factor[unsigned(term)]
        least, largest = factor * _least(domain), factor * _largest(domain)
        if factor < 0:
            least, largest = largest, least
        low += least
        high += largest
        if domain & (domain - 1) != 0:
            unknown += 1
            x, y = term, x
    is_paired = 1 <= unknown <= 2 and counters[PARTNERS] != 0
    if unknown > 0 and counters[OPEN_COLUMNS] == 0 and not is_paired:
        return 0

    carries = _settled(low, high, _carries(puzzle, rows, row, equation), base)
    c0, c1, d0, d1 = carries
    if c0 > c1 or d0 > d1:
        return -1
    if puzzle.column[unsigned(2 * equation + 1)] < 0:
        column = puzzle.column[unsigned(2 * equation)]
        _set_carry(puzzle, work, row, column, c0, c1, counters)
        _set_carry(puzzle, work, row, column + 1, d0, d1, counters)
    if unknown == 0:
        return 0
    if is_paired and unknown == 2:
        return _narrow_pair(puzzle, rows, row, x, y, low, carries, base)
    if is_paired:
        domain, factor = rows[unsigned(row + puzzle.letter[unsigned(x)])], puzzle.factor[unsigned(x)]
        rest = low - factor * (_least(domain) if factor > 0 else _largest(domain))
        return _keep(rows, puzzle, row, x, _completing(rest, factor, carries, base))
    changed = integer(0)
    for term in range(begin, end):
        domain = rows[unsigned(row + puzzle.letter[unsigned(term)])]
        if domain & (domain - 1) != 0:
            factor = puzzle.factor[unsigned(term)]
            least, largest = factor * _least(domain), factor * _largest(domain)
            if factor < 0:
                least, largest = largest, least
            fit = _between(base * d0 - c1 - (high - largest), base * d1 - c0 - (low - least), factor, base)
            changed |= _keep(rows, puzzle, row, term, fit)
            if changed < 0:
                break
    return changed


@kernel(inline=True)
def _narrow_letters(puzzle: Puzzle, work: Work, row: Int, fresh: Int, counters: np.ndarray) -> Int:
    """Take known digits from all other letters, and enqueue the equations of all letters whose domains became smaller.

    fresh: the letters that became smaller before. -1 when a letter has no digit left.
    """
    rows, letters = work.rows, len(puzzle.like)
    while fresh != 0:
        letter = _least(fresh)
        fresh &= fresh - 1
        domain = rows[unsigned(row + letter)]
        is_known = integer(domain & (domain - 1) == 0)
        for i in range(puzzle.begin[unsigned(letter)], puzzle.begin[unsigned(letter + 1)]):
            _enqueue(work, counters, puzzle.equation[unsigned(i)], is_known)
        if is_known:
            for other in range(letters):
                if rows[unsigned(row + other)] & domain != 0 and other != letter:
                    rows[unsigned(row + other)] ^= domain
                    if rows[unsigned(row + other)] == 0:
                        return -1
                    fresh |= integer(1) << other
    return 0


@kernel(inline=True)
def _narrow_together(puzzle: Puzzle, work: Work, base: Int, row: Int, counters: np.ndarray) -> Int:
    """Keep like letters in order, and give digits to the only letters that may have them; as `_narrow_equation`."""
    rows, letters = work.rows, len(puzzle.like)
    if letters > base:
        return -1
    once, again, changed = integer(0), integer(0), integer(0)
    for letter in range(letters):
        domain = rows[unsigned(row + letter)]
        again |= once & domain
        once |= domain
        before = puzzle.like[unsigned(letter)]
        if before >= 0:
            other = rows[unsigned(row + before)]
            above = domain & ~((2 << _least(other)) - 1)
            below = other & ((1 << _largest(domain)) - 1)
            if above == 0 or below == 0:
                return -1
            if above != domain:
                rows[unsigned(row + letter)] = above
                changed |= integer(1) << letter
            if below != other:
                rows[unsigned(row + before)] = below
                changed |= integer(1) << before
    if letters < base or counters[LAST_PLACES] == 0:
        return changed
    if once != (1 << base) - 1:
        return -1
    once ^= again  # the digits that one letter alone may have
    for letter in range(letters):
        domain = rows[unsigned(row + letter)]
        only = domain & once
        if only not in (0, domain):
            if only & (only - 1) != 0:
                return -1
            rows[unsigned(row + letter)] = only
            changed |= integer(1) << letter
    return changed


@kernel(inline=True)
def _narrow(puzzle: Puzzle, work: Work, base: Int, row: Int, fresh: Int, counters: np.ndarray) -> Int:
    """Narrow until nothing changes: whether there may be a solution. The queue is empty afterwards."""
    while True:
        if fresh >= 0:
            fresh = _narrow_letters(puzzle, work, row, fresh, counters)
        if fresh < 0:
            break
        equation = _dequeue(work, counters)
        if equation >= 0:
            fresh = _narrow_equation(puzzle, work, base, row, equation, counters)
            if fresh < 0:
                work.weight[unsigned(equation)] += 1
        else:
            fresh = _narrow_together(puzzle, work, base, row, counters)
            if fresh == 0:
                return 1
    while _dequeue(work, counters) >= 0:
        pass
    return 0


@kernel(inline=True)
def _next_letter(puzzle: Puzzle, work: Work, row: Int, counters: np.ndarray) -> Int:
    """The letter to be tried next; -1 when all are known."""
    best, best_size, best_weight = -1, integer(1), integer(0)
    for letter in range(len(puzzle.like)):
        domain = work.rows[unsigned(row + letter)]
        if domain & (domain - 1) == 0:
            continue
        if counters[NARROWEST] == 0:
            return letter
        size, weight = integer(population_count(unsigned(domain))), integer(1)
        for i in range(puzzle.begin[unsigned(letter)], puzzle.begin[unsigned(letter + 1)]):
            weight += work.weight[unsigned(puzzle.equation[unsigned(i)])]
        if size * best_weight < best_size * weight:
            best, best_size, best_weight = letter, size, weight
    return best


@kernel
def search_letters(puzzle: Puzzle, work: Work, base: Int, counters: np.ndarray) -> Int:
    """Try digits, depth first, until a solution is met (FOUND), nothing is left (EXHAUSTED) or the budget is used up.

    At depth 0 there is no letter but one thing to try: what follows from the puzzle itself.
    """
    rows, letters = work.rows, len(puzzle.like)
    size = letters + 2 * (len(puzzle.user_begin) - 1)
    depth = counters[DEPTH]
    outcome = PAUSED
    while counters[GENERATED] < counters[STOP_AT]:
        while depth >= 0 and work.left[unsigned(depth)] == 0:
            depth -= 1
        if depth < 0:
            outcome = EXHAUSTED
            break
        counters[GENERATED] += 1
        digit = work.left[unsigned(depth)] & -work.left[unsigned(depth)]
        work.left[unsigned(depth)] ^= digit
        row = (depth + 1) * size
        for i in range(size):
            rows[unsigned(row + i)] = rows[unsigned(row - size + i)]
        fresh = integer(0)
        if depth == 0:
            for equation in range(len(puzzle.first) - 1):
                _enqueue(work, counters, equation, 0)
        else:
            letter = work.letter[unsigned(depth)]
            rows[unsigned(row + letter)] = digit
            fresh = integer(1) << letter
        if not _narrow(puzzle, work, base, row, fresh, counters):
            counters[PRUNED] += 1
            continue
        letter = _next_letter(puzzle, work, row, counters)
        if letter >= 0:
            counters[EXPANDED] += 1
            depth += 1
            work.letter[unsigned(depth)] = letter
            work.left[unsigned(depth)] = rows[unsigned(row + letter)]
            continue
        if counters[SOLUTIONS] == 0:
            for i in range(letters):
                work.digits[unsigned(i)] = _least(rows[unsigned(row + i)])
        counters[SOLUTIONS] += 1
        if counters[SOLUTIONS] >= counters[COUNTING]:
            outcome = FOUND
            break
    counters[DEPTH] = depth
    return outcome


class LetterSearch(ArraySearch):
    """The search of a puzzle. factors: (columns, letters) int64, columns from the right; not_zero: of each letter (letters,).

    counting: how many solutions to count at most; 0 to stop at the first.
    """

    engine = "letter_sum"
    parts = ("work",)

    def __init__(
        self,
        base: int,
        factors: np.ndarray,
        not_zero: np.ndarray,
        options: RunOptions,
        *,
        counting: int,
        without: Set[str],
    ) -> None:
        require_known(without, PRUNINGS)
        super().__init__([factors, not_zero], options, base=base, counting=counting, without=sorted(without))
        columns, letters = factors.shape
        self.base = base
        like = _like(factors, not_zero) if "like-letters" not in without else np.full(letters, -1)
        self.puzzle = _puzzle(factors, like, "column-pairs" not in without)
        equations = len(self.puzzle.sign)
        rows = np.zeros((letters + 2, letters + 2 * (columns + 1)), np.int64)
        rows[0, :letters] = (1 << base) - 1 - not_zero
        most = int(abs(factors).sum(axis=1).max())  # no carry is larger
        rows[0, letters + 1 : letters + columns] = -most
        rows[0, letters + columns + 2 : -1] = most
        depths = np.zeros((2, letters + 2), np.int64)
        depths[1, 0] = 1  # at depth 0 there is one thing to try
        queue, queued, weight = np.zeros(2 * equations, np.int64), np.zeros(equations, np.int64), np.ones(equations, np.int64)
        self.work = Work(rows.ravel(), depths[0], depths[1], queue, queued, weight, np.zeros(letters, np.int64))
        self.counters[COUNTING] = counting
        for counter, name in _SWITCHES.items():
            self.counters[counter] = name not in without

    def advance(self, stop_at: int) -> int:
        self.counters[STOP_AT] = stop_at
        return self.call(search_letters, self.puzzle, self.work, self.base, self.counters)

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        return (0, ()) if self.counters[SOLUTIONS] else None

    def count(self) -> int | None:
        """The solutions met, each with all that exchanging like letters makes of it; None unless they are counted.

        As many as there are to be counted stand for that many or more.
        """
        if not self.counters[COUNTING]:
            return None
        count, place = int(self.counters[SOLUTIONS]), [1] * len(self.puzzle.like)
        for letter, before in enumerate(self.puzzle.like.tolist()):
            if before >= 0:
                place[letter] = place[before] + 1
        return min(count * math.prod(place), int(self.counters[COUNTING]))

    def result(self, solution: Solution) -> tuple[Solution, np.ndarray | None]:
        """How it ended, and the digit of each letter, (letters,) int64."""
        return solution, self.work.digits if self.counters[SOLUTIONS] else None


def _puzzle(factors: np.ndarray, like: np.ndarray, with_pairs: bool) -> Puzzle:
    """The equations as lists."""
    columns, letters = factors.shape
    one, two, sign = _column_pairs(factors if with_pairs else factors[:1])
    rows = np.concatenate([factors, factors[one] + sign[:, None] * factors[two]])
    equation, letter = rows.nonzero()
    of_letter, equation_of_letter = rows.T.nonzero()
    first = np.concatenate([np.arange(columns), one])
    second = np.concatenate([np.full(columns, -1), two])
    # The carries of an equation: into and out of its first column, and, where there is one, of its second.
    carry = np.concatenate([first, first + 1, two, two + 1])
    user = np.concatenate([np.tile(np.arange(len(rows)), 2), np.tile(np.arange(columns, len(rows)), 2)])
    return Puzzle(
        _begins(equation, len(rows)),
        letter,
        rows[equation, letter],
        np.stack([first, second], axis=1).ravel(),
        np.concatenate([np.zeros(columns, np.int64), sign]),
        _begins(of_letter, letters),
        equation_of_letter,
        _begins(carry, columns + 1),
        user[np.argsort(carry, kind="stable")],
        like,
    )


def _column_pairs(factors: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns whose sum or difference has fewer letters than either: the first, the second, the sign of the second."""
    if len(factors) > _MOST_PAIRED:
        factors = factors[:0]
    terms = np.count_nonzero(factors, axis=1)
    fewer = np.minimum(terms[:, None], terms)
    found = []
    for sign in (1, -1):
        together = np.count_nonzero(factors[:, None] + sign * factors, axis=2)
        one, two = np.triu(together < fewer, 1).nonzero()
        found.append((one, two, np.full(len(one), sign)))
    one, two, signs = (np.concatenate(part) for part in zip(*found, strict=True))
    return one, two, signs


def _begins(keys: np.ndarray, count: int) -> np.ndarray:
    """Where each of `count` keys begins among the keys when they are sorted, and the end, (count + 1,)."""
    return np.concatenate([[0], np.bincount(keys, minlength=count).cumsum()])


def _like(factors: np.ndarray, not_zero: np.ndarray) -> np.ndarray:
    """For each letter the last one before it that can be exchanged with it, or -1."""
    last: dict[Any, int] = {}
    like = np.full(len(not_zero), -1)
    for letter, key in enumerate(zip(map(bytes, factors.T), not_zero.tolist(), strict=True)):
        like[letter] = last.get(key, -1)
        last[key] = letter
    return like
