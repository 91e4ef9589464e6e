"""Target sudoku (183): fill a sudoku of 9 × 9 cells so that the weighted sum of its digits is largest.

A cell counts its digit times its weight: 10 in the centre, 9 in the ring of cells around it, and so on to 6 at the rim. Every
row, column and box must have every digit once; some cells are given. Of the best grids it is any, but always the same.

    cells    the cells row by row, a letter each: `.` for a blank, 1 to 9

The search is in target_sudoku_search.py; docs/problems/target-sudoku.md explains it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue import sudoku, target_sudoku_search
from bestfirst.catalogue.prunings import require_known
from bestfirst.catalogue.target_sudoku_search import TargetSearch
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens
from bestfirst.result import Solution, Status
from bestfirst.search.explicit import finish

PRUNINGS = target_sudoku_search.PRUNINGS

SIDE, CELLS = 9, 81

_COLUMNS = [(f"column {j}", 0, 9) for j in range(1, SIDE + 1)]


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="target-sudoku", forbid_unknown_fields=True):
    """A grid. Raises ValueError unless it has 81 cells of `.` and 1 to 9."""

    version: Literal[1] = 1
    cells: str

    def __post_init__(self) -> None:
        sudoku.Instance(cells=self.cells)


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="target-sudoku"):
    """The largest sum, and a grid that has it."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: the sum
    bound: int | None  #: no grid has a larger one
    cells: str | None


def read(text: str) -> Iterator[Instance]:
    """Read grids of 9 rows of 9 numbers, 0 for a blank, to the end of the text.

    Line ends mean no more than blanks. Raises InputError, when it comes to it, where the text is bad.
    """
    tokens = Tokens(text)
    while not tokens.at_end():
        rows = tokens.take_rows(SIDE, "row", _COLUMNS)
        yield Instance(cells="".join(map(str, rows.ravel().tolist())).replace("0", "."))


def write_instance(instance: Instance) -> str:
    """The judge format of a grid."""
    cells = instance.cells.replace(".", "0")
    return "".join(f"{' '.join(cells[at : at + SIDE])}\n" for at in range(0, CELLS, SIDE))


def write(answer: Answer) -> str:
    """The largest sum on a line, or -1 when the grid has no solution. Raises ValueError when it is not proved."""
    if answer.status is Status.INFEASIBLE:
        return "-1\n"
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the search was stopped: the largest sum is at most {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a sum, or -1, for each instance. Raises InputError where the text is something else, or longer."""
    tokens = Tokens(text)
    sums = [tokens.take_integer(f"the sum for grid {case}", -1, 10**6) for case in range(1, len(instances) + 1)]
    tokens.require_end(f"expected the end of the text after {len(instances)} answers")
    return [
        Answer(status=Status.INFEASIBLE, cost=None, bound=None, cells=None)
        if total < 0
        else Answer(status=Status.OPTIMAL, cost=total, bound=total, cells=None)
        for total in sums
    ]


def search(instance: Instance, without: Collection[str] = (), **options: Unpack[RunOptions]) -> Solution:
    """Find a grid with the largest sum; `cost` is the sum, `moves` are the digits of the cells. Infeasible when there is none.

    `without` names PRUNINGS to switch off; the sum stays the same. A stopped search has the best grid so far and a bound.
    Raises ValueError for an unknown pruning, Interrupted on Ctrl-C.
    """
    require_known(without, PRUNINGS)
    given = np.array([int(letter) for letter in instance.cells.replace(".", "0")], np.int64)
    solution: Solution = finish(TargetSearch(given, without, options), options)
    return solution


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the grid, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    cells = None if solution.moves is None else "".join(map(str, solution.moves))
    return Answer(status=solution.status, cost=cost, bound=bound, cells=cells)


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker: the rules alone -------------------------------------------------------------------------------------------


def weight(row: int, column: int) -> int:
    """Of a cell, by its distance from the centre (rows and columns from 0)."""
    return 10 - max(abs(row - 4), abs(column - 4))


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That no grid has a larger sum cannot be seen this way. An answer in judge format has no grid to look at.
    """
    status, cost, bound, cells = answer.status, answer.cost, answer.bound, answer.cells
    has_sum = status in (Status.OPTIMAL, Status.FEASIBLE)
    if (cost is not None) != has_sum:
        return f"the status is {status}, but the sum is {cost}"
    if cells is not None and cost is None:
        return f"the status is {status}, but there is a grid"
    if status is Status.OPTIMAL and bound != cost:
        return f"the answer is called optimal with {cost}, but its bound is {bound}"
    if cost is not None and bound is not None and cost > bound:
        return f"the sum is {cost}, more than its bound {bound}"
    if cells is None:
        return None
    fault = sudoku.check(sudoku.Instance(cells=instance.cells), sudoku.Answer(status=status, cells=cells))
    if fault is not None:
        return fault
    total = sum(weight(*divmod(at, SIDE)) * int(digit) for at, digit in enumerate(cells))
    return f"the sum of the grid is {total}, not {cost}" if total != cost else None


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, clues: int = 24, solvable: bool = True) -> Instance:
    """A grid with so many clues, the same for the same arguments; it may have many solutions.

    solvable=False: one clue is changed so that no solution is left, but no two clues exclude each other. Raises ValueError where
    there is no such grid.
    """
    return Instance(cells=sudoku.generate(seed, clues=clues, unique=False, solvable=solvable).cells)
