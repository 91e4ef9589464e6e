"""Sudoku 16 × 16 (169): fill a grid of 16 × 16 cells so that every row, column and box of 4 × 4 has every letter once.

The letters are A to P; some cells are given. A grid may have no solution, one, or many; of many it is any, but always the same.

    rows    the grid: 16 strings of 16 letters A to P, `-` for a blank

This is sudoku (166) with other letters: search, checker and generator are those of sudoku.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, Unpack

import msgspec

from bestfirst.catalogue import sudoku
from bestfirst.control import RunOptions
from bestfirst.formats.boards import require_board, rows_of
from bestfirst.formats.tokens import Tokens
from bestfirst.result import Solution, Status

LETTERS = "-ABCDEFGHIJKLMNOP"

PRUNINGS = sudoku.PRUNINGS

SIDE = 16

_BOX = (4, 4)

_TO_SUDOKU = str.maketrans(LETTERS, sudoku.LETTERS[: SIDE + 1])
_FROM_SUDOKU = str.maketrans(sudoku.LETTERS[: SIDE + 1], LETTERS)


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="sudoku-16", forbid_unknown_fields=True):
    """A grid. Raises ValueError unless it has 16 rows of 16 letters."""

    version: Literal[1] = 1
    rows: tuple[str, ...]

    def __post_init__(self) -> None:
        require_board(self.rows, LETTERS, "grid")
        if (len(self.rows), len(self.rows[0])) != (SIDE, SIDE):
            raise ValueError(f"the grid has {len(self.rows)} × {len(self.rows[0])} cells, it must have {SIDE} × {SIDE}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="sudoku-16"):
    """A solution and, when it was asked for, how many there are."""

    version: Literal[1] = 1
    status: Status
    rows: tuple[str, ...] | None
    count: int | None = None
    more: bool | None = None  #: whether the counting ended before all were met


def plain(instance: Instance) -> sudoku.Instance:
    """The same grid with the digits of sudoku."""
    return sudoku.Instance(box=_BOX, cells="".join(instance.rows).translate(_TO_SUDOKU))


def plain_answer(answer: Answer) -> sudoku.Answer:
    """The same answer with the digits of sudoku."""
    cells = None if answer.rows is None else "".join(answer.rows).translate(_TO_SUDOKU)
    return sudoku.Answer(status=answer.status, cells=cells, count=answer.count, more=answer.more)


def _lettered(instance: sudoku.Instance) -> Instance:
    return Instance(rows=_rows(instance.cells))


def _rows(cells: str) -> tuple[str, ...]:
    return rows_of(cells.translate(_FROM_SUDOKU), SIDE)


def read(text: str) -> Iterator[Instance]:
    """Read grids of 16 rows of 16 letters to the end of the text; blank lines between them do not matter.

    Raises InputError, when it comes to it, where the text is bad.
    """
    tokens = Tokens(text)
    while not tokens.at_end():
        yield Instance(rows=tokens.take_board("the grid", SIDE, SIDE, LETTERS))


def write_instance(instance: Instance) -> str:
    """The judge format of a grid."""
    return "".join(f"{row}\n" for row in instance.rows) + "\n"


def write(answer: Answer) -> str:
    """The rows of the solution, or `No solution`, and an empty line.

    When a count was asked for, it follows the rows on a line, with a + when there may be more. Raises ValueError when the search
    was stopped.
    """
    if answer.status is Status.INFEASIBLE:
        return "No solution\n\n"
    if answer.status is not Status.OPTIMAL or answer.rows is None:
        raise ValueError("it is not known: the search was stopped")
    count = [] if answer.count is None else [f"{answer.count}{'+' if answer.more else ''}"]
    return "".join(f"{line}\n" for line in (*answer.rows, *count)) + "\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read 16 rows, perhaps a count, or `No solution` for each instance. Raises InputError where the text is bad."""
    tokens = Tokens(text)
    answers = [_read_answer(tokens, case) for case in range(1, len(instances) + 1)]
    tokens.require_end(f"expected the end of the text after {len(instances)} answers")
    return answers


def _read_answer(tokens: Tokens, case: int) -> Answer:
    first = tokens.peek()
    if first is not None and first.text == "No":
        tokens.take("`No solution`")
        second = tokens.take("`No solution`")
        if second.text != "solution":
            second.fail("expected `No solution`")
        return Answer(status=Status.INFEASIBLE, rows=None)
    rows = tokens.take_board(f"the answer for grid {case}", SIDE, SIDE, LETTERS[1:])
    following = tokens.peek()
    if following is None or not following.text[0].isdigit():
        return Answer(status=Status.OPTIMAL, rows=rows)
    digits = following.text.removesuffix("+")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        following.fail("expected a number of solutions")
    tokens.take("a number of solutions")
    return Answer(status=Status.OPTIMAL, rows=rows, count=int(digits), more=following.text.endswith("+"))


def search(
    instance: Instance, without: Collection[str] = (), *, count: int | None = None, **options: Unpack[RunOptions]
) -> Solution:
    """Find a solution, as `sudoku.search` does; `value` is a `sudoku.Found`.

    `count`: count the solutions, up to so many. `without`: names of PRUNINGS to switch off. Raises what `sudoku.search` raises.
    """
    return sudoku.search(plain(instance), without, count=count, **options)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the grid, as a value that can be kept."""
    found = sudoku.answer(plain(instance), solution)
    rows = None if found.cells is None else _rows(found.cells)
    return Answer(status=found.status, rows=rows, count=found.count, more=found.more)


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found."""
    if answer.rows is not None:
        try:
            require_board(answer.rows, LETTERS, "answer")
        except ValueError as error:
            return str(error)
    return sudoku.check(plain(instance), plain_answer(answer))


def difference(answer: Answer, best: Answer) -> str | None:
    """Why a valid answer is not as good as the best: it misses a solution, or counts wrong."""
    return sudoku.difference(plain_answer(answer), plain_answer(best))


def rate(instance: Instance) -> sudoku.Rating:
    """How hard a grid is, as for sudoku."""
    return sudoku.rate(plain(instance))


def generate(seed: int, *, clues: int | None = None, unique: bool = True, solvable: bool = True) -> Instance:
    """A grid, the same for the same arguments.

    Letters are taken from a full grid in random order, as long as it has one solution (or, with unique=False, any), until so many
    clues are left; without a number, until none can go (a third of the cells). solvable=False: one clue is then changed so that
    no solution is left, but no two clues exclude each other. Raises ValueError where there is no such grid.
    """
    return _lettered(sudoku.generate(seed, rows=4, columns=4, clues=clues, unique=unique, solvable=solvable))
