"""Grid distance: for every cell of a matrix of 0 and 1, the number of steps to the nearest 1.

A step leads to one of the four neighbours of a cell that share a side with it. In JSON a matrix may also have walls, which cannot
be entered.

    cells       rows of 0, 1 and # (a wall)
    distances   an answer: rows of numbers; -1 at walls, and where no way leads to a 1

The work is done by `bestfirst.search.grid_distances`; the methods are explained in docs/problems/grid-distance.md.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Literal, Unpack

import msgspec

from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import RunOptions
from bestfirst.formats.boards import letters_of, require_board, rows_of
from bestfirst.formats.tokens import Tokens
from bestfirst.result import Interrupted, Solution, Status
from bestfirst.search.grid_distances import GridDistances, grid_distances

MAX_SIDE = 1_000_000

PRUNINGS: dict[str, Pruning] = {}

_WALL = "#"


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="grid-distance", forbid_unknown_fields=True):
    """A matrix, a string for each row. Raises ValueError when it is not a rectangle of 0, 1 and #."""

    version: Literal[1] = 1
    cells: tuple[str, ...]

    def __post_init__(self) -> None:
        require_board(self.cells, "01#", "matrix")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="grid-distance"):
    """The distances; when the status is stopped, those that are not known are -1 too."""

    version: Literal[1] = 1
    status: Status
    distances: tuple[tuple[int, ...], ...]


def read(text: str) -> Iterator[Instance]:
    """Read N and M, then N rows of M digits 0 or 1 without blanks. What follows is read as the next matrix.

    Raises InputError where the text is bad, also when there is no matrix at all.
    """
    tokens = Tokens(text)
    while True:
        n = tokens.take_integer("the number of rows N", 1, MAX_SIDE)
        m = tokens.take_integer("the number of columns M", 1, MAX_SIDE)
        yield Instance(cells=tokens.take_board("the matrix", n, m, "01"))
        if tokens.at_end():
            return


def write_instance(instance: Instance) -> str:
    """The judge format of a matrix. Raises ValueError when it has walls."""
    if any(_WALL in row for row in instance.cells):
        raise ValueError("the judge format has no walls; JSON has")
    return f"{len(instance.cells)} {len(instance.cells[0])}\n" + "".join(f"{row}\n" for row in instance.cells)


def write(answer: Answer) -> str:
    """One line for each row: the distances, separated by blanks; -1 everywhere when there is no 1.

    Raises ValueError when the search was stopped.
    """
    if answer.status is not Status.OPTIMAL:
        raise ValueError("the search was stopped: not all distances are known")
    texts = [*map(str, range(max(map(max, answer.distances)) + 1)), "-1"]  # the last one is also at index -1
    return "".join(" ".join(map(texts.__getitem__, row)) + "\n" for row in answer.distances)


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read as many numbers as each of these matrices has cells. Raises InputError where they are not."""
    tokens = Tokens(text)
    answers = []
    for instance in instances:
        columns = [(f"the distance in column {column + 1}", -1, 2 * MAX_SIDE) for column in range(len(instance.cells[0]))]
        rows = tokens.take_rows(len(instance.cells), "row", columns).tolist()
        answers.append(Answer(status=Status.OPTIMAL, distances=tuple(map(tuple, rows))))
    tokens.require_end("expected the end: every cell has its distance")
    return answers


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Find the distances; the `value` of the solution is an array of them. Raises Interrupted (with what is known) on Ctrl-C."""
    letters = letters_of(instance.cells)
    walls = letters == ord(_WALL)
    try:
        return _solution(grid_distances(letters == ord("1"), walls if walls.any() else None, **options))
    except Interrupted as stop:
        raise Interrupted(_solution(stop.solution)) from None


def _solution(found: GridDistances) -> Solution:
    return Solution(
        found.status,
        cost=None,
        moves=None,
        bound=None,
        stats=found.stats,
        engine="grid_distances",
        why=found.why,
        stopped_by=found.stopped_by,
        value=found.distance,
    )


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    return Answer(status=solution.status, distances=tuple(map(tuple, solution.value.tolist())))


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first distance that cannot be right; None when all are right. No search is needed.

    Distances are right when sources have 0, when side-neighbours differ by at most 1, and when every other cell has a neighbour
    that is nearer by 1 (docs/problems/grid-distance.md has the proof). In an answer that was stopped cells may be unknown; those
    that are not are compared with their neighbours only.
    """
    if answer.status not in (Status.OPTIMAL, Status.STOPPED):
        return f"the status is {answer.status}, but every matrix has its distances"
    if [*map(len, answer.distances)] != [*map(len, instance.cells)]:
        return f"the distances do not have the shape of the matrix, {len(instance.cells)} × {len(instance.cells[0])}"
    for row, distances in enumerate(answer.distances):
        for column, distance in enumerate(distances):
            fault = _fault(instance, answer, row, column, distance)
            if fault is not None:
                return f"row {row + 1}, column {column + 1}: the distance is {distance}, but {fault}"
    return None


def _fault(instance: Instance, answer: Answer, row: int, column: int, distance: int) -> str | None:
    """What contradicts the distance of a cell."""
    complete = answer.status is Status.OPTIMAL
    cell = instance.cells[row][column]
    if cell == _WALL:
        return None if distance == -1 else "this is a wall"
    if cell == "1" and distance != 0 and (complete or distance != -1):
        return "this is a 1"
    beside = []
    for i, j in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= i < len(instance.cells) and 0 <= j < len(instance.cells[0]) and instance.cells[i][j] != _WALL:
            beside.append(answer.distances[i][j])
    if distance == -1:
        return "a neighbour can be reached" if complete and max(beside, default=-1) >= 0 else None
    if cell == "0" and distance < 1:
        return "this is no 1"
    known = [other for other in beside if other >= 0 or complete]
    if any(abs(other - distance) > 1 for other in known):
        return f"a neighbour has {next(other for other in known if abs(other - distance) > 1)}"
    if cell == "0" and complete and distance - 1 not in beside:
        return f"no neighbour has {distance - 1}"
    return None


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, rows: int = 6, columns: int = 10, ones: int = 4, walls: int = 0) -> Instance:
    """A matrix with so many cells of 1 and so many walls, anywhere; the same for the same arguments.

    Raises ValueError for numbers that make no matrix.
    """
    cells = rows * columns
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE and ones >= 0 and walls >= 0 and ones + walls <= cells):
        raise ValueError(f"there is no matrix of {rows} × {columns} cells with {ones} of 1 and {walls} walls")
    letters = bytearray(b"0" * cells)
    for number, cell in enumerate(random.Random(seed).sample(range(cells), ones + walls)):
        letters[cell] = ord("1" if number < ones else _WALL)
    return Instance(cells=rows_of(letters.decode(), columns))
