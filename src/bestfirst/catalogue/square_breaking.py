"""Square breaking (182): take away the fewest matches so that no complete square is left.

Matches lie on the lines of a grid of n × n cells, 2n(n + 1) of them when none is missing. A square of k × k cells is complete
when all 4k matches on its border are there; what is inside does not matter. Of several smallest sets it is any, but always the
same one.

    match      numbered from 1, row by row: n horizontal ones, n + 1 vertical ones, n horizontal ones, and so on
    missing    the matches that are not there at the beginning
    matches    an answer: those to take away, in ascending order
    cell       (row, column) from 0, in pictures and messages from 1

The search is in square_breaking_search.py; docs/problems/square-breaking.md explains it.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Literal, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue import square_breaking_search
from bestfirst.catalogue.square_breaking_search import SquareSearch
from bestfirst.control import RunOptions, run
from bestfirst.formats.tokens import Tokens
from bestfirst.result import Solution, Status

PRUNINGS = square_breaking_search.PRUNINGS

CASES = "counted"

#: Cells a side at most: a larger board could only be bracketed, and its squares alone would fill the memory.
MAX_SIZE = 20

_MOST_CASES = 1_000_000


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="square-breaking", forbid_unknown_fields=True):
    """A board. Raises ValueError for a size out of range and for missing matches that are none, or named twice."""

    version: Literal[1] = 1
    size: int
    missing: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.size <= MAX_SIZE:
            raise ValueError(f"the size is {self.size}, it must be from 1 to {MAX_SIZE}")
        for match in self.missing:
            if not 1 <= match <= count_matches(self.size):
                raise ValueError(f"there is no match {match}; matches are 1 to {count_matches(self.size)}")
        if len(set(self.missing)) != len(self.missing):
            raise ValueError("a match is missing twice")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="square-breaking"):
    """The matches to take away and what is proved; `matches` is None when only their number is known."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: number of matches
    bound: int | None  #: fewer are not enough
    matches: tuple[int, ...] | None


def count_matches(size: int) -> int:
    """How many matches a board has when none is missing."""
    return 2 * size * (size + 1)


# --- judge format -------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Read T, then for each of T boards its size n, the number k of missing matches, and these.

    Raises InputError, when it comes to it, where the text is bad.
    """
    tokens = Tokens(text)
    cases = tokens.take_integer("the number of boards T", 0, _MOST_CASES)
    for case in range(1, cases + 1):
        size = tokens.take_integer(f"the size n of board {case}", 1, MAX_SIZE)
        most = count_matches(size)
        count = tokens.take_integer(f"the number k of missing matches of board {case}", 0, most)
        missing: list[int] = []
        for number in range(1, count + 1):
            token = tokens.peek()
            match = tokens.take_integer(f"missing match {number} of {count} (board {case})", 1, most)
            if match in missing and token is not None:
                token.fail(f"match {match} is missing twice (board {case})")
            missing.append(match)
        yield Instance(size=size, missing=tuple(missing))


def write_instance(instance: Instance) -> str:
    """The judge format of one board, as a text of its own: T is 1."""
    return f"1\n{instance.size}\n{' '.join(map(str, (len(instance.missing), *instance.missing)))}\n"


def write(answer: Answer) -> str:
    """The number of matches on a line. Raises ValueError when it is not proved to be the smallest."""
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the smallest number is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read one number for each board, taken as the claim that it is the smallest; raises InputError."""
    tokens = Tokens(text)
    costs = [tokens.take_integer(f"the number of matches for board {case}", 0) for case in range(1, len(instances) + 1)]
    tokens.require_end(f"expected the end of the text after {len(instances)} answers")
    return [Answer(status=Status.OPTIMAL, cost=cost, bound=cost, matches=None) for cost in costs]


# --- search -------------------------------------------------------------------------------------------------------------


def search(instance: Instance, without: Collection[str] = frozenset(), **options: Unpack[RunOptions]) -> Solution:
    """Find a smallest set of matches, which are the `moves`. A stopped search knows one from the beginning.

    without   prunings to switch off, by their names in PRUNINGS

    Exponential time; memory O(n⁵) bits. Raises ValueError for the name of a pruning that does not exist, Interrupted on Ctrl-C.
    """
    return run(SquareSearch(*_complete_squares(instance), options, without=frozenset(without)), options)


def _complete_squares(instance: Instance) -> tuple[np.ndarray, np.ndarray]:
    """Which matches each complete square has, small squares first; which of the squares of one cell are black on a chessboard."""
    has, is_black = _squares(instance.size)
    is_complete = np.count_nonzero(has[:, np.array(instance.missing, np.int64) - 1], axis=1) == 0
    return has[is_complete], is_black[is_complete[: len(is_black)]]


@functools.lru_cache(4)
def _squares(size: int) -> tuple[np.ndarray, np.ndarray]:
    """The same for a full board."""
    corners = [
        (side, row, column) for side in range(1, size + 1) for row in range(size + 1 - side) for column in range(size + 1 - side)
    ]
    has = np.zeros((len(corners), count_matches(size)), bool)
    period = 2 * size + 1
    for number, (side, row, column) in enumerate(corners):
        first = period * row + column  # the upper match in the corner
        for i in range(side):
            upper, left = first + i, first + size + period * i
            has[number, [upper, upper + period * side, left, left + side]] = True
    cell = np.arange(size * size)
    return has, (cell // size + cell % size) % 2 == 0


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the board, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    matches = None if solution.moves is None else tuple(match + 1 for match in solution.moves)
    return Answer(status=solution.status, cost=cost, bound=bound, matches=matches)


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That fewer matches would not do cannot be seen by taking some away.
    """
    return _check_claim(answer) or _check_matches(instance, answer)


def _check_claim(answer: Answer) -> str | None:
    """Whether status, cost, bound and matches fit together."""
    status, cost, bound, matches = answer.status, answer.cost, answer.bound, answer.matches
    if status is Status.INFEASIBLE:
        return "the answer says that there is no solution, but taking away all matches is one"
    if status is Status.STOPPED and (cost is not None or matches is not None):
        return "the answer has a solution, but its status is stopped"
    if status is not Status.STOPPED and cost is None:
        return f"the status is {status}, but the cost is missing"
    if matches is not None and cost != len(matches):
        return f"the cost is {cost}, but there are {len(matches)} matches"
    if status is Status.OPTIMAL and bound != cost:
        return f"the answer is called optimal with cost {cost}, but its bound is {bound}"
    if bound is not None and cost is not None and bound > cost:
        return f"the bound is {bound}, but the cost is only {cost}"
    return None


def _check_matches(instance: Instance, answer: Answer) -> str | None:
    """Take the matches away and look for a complete square."""
    if answer.matches is None:
        return None
    there = set(range(1, count_matches(instance.size) + 1)) - set(instance.missing)
    for match in answer.matches:
        if match in instance.missing:
            return f"match {match} is missing already"
        if match not in there:
            return f"there is no match {match}, or it is taken away twice"
        there.remove(match)
    size = instance.size
    for side in range(1, size + 1):
        for row in range(size + 1 - side):
            for column in range(size + 1 - side):
                if all(match in there for match in _border(size, side, row, column)):
                    return f"the square of {side} × {side} cells from row {row + 1}, column {column + 1} is complete"
    return None


def _border(size: int, side: int, row: int, column: int) -> Iterator[int]:
    """The matches around a square."""
    for i in range(side):
        yield horizontal(size, row, column + i)
        yield horizontal(size, row + side, column + i)
        yield vertical(size, row + i, column)
        yield vertical(size, row + i, column + side)


def horizontal(size: int, line: int, column: int) -> int:
    """The number of the match on a horizontal line, above the cells of that row."""
    return line * (2 * size + 1) + column + 1


def vertical(size: int, row: int, line: int) -> int:
    """The number of the match on a vertical line, left of the cells of that column."""
    return row * (2 * size + 1) + size + line + 1


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, size: int = 5, missing: int = 5) -> Instance:
    """A board with so many random matches missing, the same for the same arguments.

    Raises ValueError where there are not so many.
    """
    if not (1 <= size <= MAX_SIZE and 0 <= missing <= count_matches(size)):
        raise ValueError(f"there is no board of size {size} with {missing} matches missing; sizes are 1 to {MAX_SIZE}")
    away = random.Random(seed).sample(range(1, count_matches(size) + 1), missing)
    return Instance(size=size, missing=tuple(sorted(away)))
