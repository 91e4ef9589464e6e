"""Rolling block: fewest rolls of a 1×1×2 block over a map with holes, until it stands upright on the goal.

The block stands upright on one cell or lies on two. A roll turns it over one of its lower edges, in one of four directions. Every
cell under it must be floor; on fragile floor it may not stand upright.

    #        no floor            .    floor             E    fragile floor
    X        where it stands at the start: one cell, or two side by side; floor
    O        the goal; floor
    L R U D  rolls: to the left, right, up (towards the first row), down
    pose     upright; flat: on its cell and the next to the right; tall: on its cell and the next below

The search is `bestfirst.search.fewest_steps`, over (cell, pose); docs/problems/rolling-block.md explains it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import RunOptions
from bestfirst.formats.boards import Board, letters_of, places_of, require_board, rows_of, take_board
from bestfirst.formats.tokens import Tokens
from bestfirst.result import Solution, Status
from bestfirst.search.fewest_steps import fewest_steps

MAX_SIDE = 1_000_000

PRUNINGS: dict[str, Pruning] = {}

#: How many maps `generate` tries for a wanted property.
TRIES = 300

_LETTERS = "#.EXO"
_ROLLS = "LRUD"
_IMPOSSIBLE = "Impossible"

_UPRIGHT, _FLAT, _TALL = range(3)

#: For each pose, what L, R, U and D do: rows, columns, pose afterwards.
_STEPS = (
    ((0, -2, _FLAT), (0, 1, _FLAT), (-2, 0, _TALL), (1, 0, _TALL)),
    ((0, -1, _UPRIGHT), (0, 2, _UPRIGHT), (-1, 0, _FLAT), (1, 0, _FLAT)),
    ((0, -1, _TALL), (0, 1, _TALL), (-1, 0, _UPRIGHT), (2, 0, _UPRIGHT)),
)


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="rolling-block", forbid_unknown_fields=True):
    """A map, a string for each row. Raises ValueError when it is not a rectangle of # . E X O with one start and one goal."""

    version: Literal[1] = 1
    cells: tuple[str, ...]

    def __post_init__(self) -> None:
        require_board(self.cells, _LETTERS)
        fault = _fault(self.cells)
        if fault is not None:
            message, row, column = fault
            raise ValueError(f"row {row + 1}, column {column + 1}: {message}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="rolling-block"):
    """The fewest rolls and what they are, L R U D; no rolls when only their number is known, neither when there is no way."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: how many rolls
    bound: int | None  #: fewer do not do; None when no number does
    rolls: str | None


def _fault(cells: Sequence[str]) -> tuple[str, int, int] | None:
    """What is wrong with start and goal, and at which cell, counted from 0."""
    starts, goals = places_of(cells, "X"), places_of(cells, "O")
    if not starts:
        return "there is no start X on this board", 0, 0
    if not goals:
        return "there is no goal O on this board", 0, 0
    if len(goals) > 1:
        return "there is a goal O already", *goals[1]
    if len(starts) > 2:
        return "there are two cells X already, which is what a block lies on", *starts[2]
    (row, column), (other_row, other_column) = starts[0], starts[-1]
    if other_row - row + abs(other_column - column) > 1:
        return "this X is not beside the other one: there are two starts", other_row, other_column
    return None


def read(text: str) -> Iterator[Instance]:
    """Read N and M, then N rows of M letters # . E X O without blanks, as often as they come; `0 0` ends the input.

    Raises InputError where the text is bad. The end of the text is as good as `0 0`; no case at all is right.
    """
    tokens = Tokens(text)
    while not tokens.at_end():
        n = tokens.take_integer("the number of rows N", 0, MAX_SIDE)
        m = tokens.take_integer("the number of columns M", 0 if n == 0 else 1, 0 if n == 0 else MAX_SIDE)
        if n == 0:
            return
        board = take_board(tokens, n, m, _LETTERS)
        yield _instance(board)


def _instance(board: Board) -> Instance:
    fault = _fault(board.cells)
    if fault is not None:
        message, row, column = fault
        board.fail(row, column, message)
    return Instance(cells=board.cells)


def write_instance(instance: Instance) -> str:
    """The judge format of a map, without the `0 0` that may end the input."""
    return f"{len(instance.cells)} {len(instance.cells[0])}\n" + "\n".join(instance.cells) + "\n"


def write(answer: Answer) -> str:
    """The number of rolls on a line, or `Impossible`. Raises ValueError when it is not known."""
    if answer.status is Status.INFEASIBLE:
        return f"{_IMPOSSIBLE}\n"
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the number is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a number or `Impossible` for each of these maps. Raises InputError where the text is something else, or says more."""
    tokens = Tokens(text)
    answers = [_read_answer(tokens, f"the number of rolls for case {case}") for case in range(1, len(instances) + 1)]
    tokens.require_end("expected the end: every case has its answer")
    return answers


def _read_answer(tokens: Tokens, what: str) -> Answer:
    token = tokens.peek()
    if token is not None and token.text == _IMPOSSIBLE:
        tokens.take(what)
        return Answer(status=Status.INFEASIBLE, cost=None, bound=None, rolls=None)
    cost = tokens.take_integer(what, 0)
    return Answer(status=Status.OPTIMAL, cost=cost, bound=cost, rolls=None)


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Find fewest rolls; the `moves` of the solution are numbers of rolls, 0 to 3 for L R U D. Raises Interrupted on Ctrl-C."""
    letters = letters_of(instance.cells)
    floor = letters != ord("#")
    stands = np.zeros((*floor.shape, 3), bool)
    stands[..., _UPRIGHT] = floor & (letters != ord("E"))
    stands[:, :-1, _FLAT] = floor[:, :-1] & floor[:, 1:]
    stands[:-1, :, _TALL] = floor[:-1] & floor[1:]
    starts = places_of(instance.cells, "X")
    pose = _UPRIGHT if len(starts) == 1 else _FLAT if starts[0][0] == starts[1][0] else _TALL
    (goal,) = places_of(instance.cells, "O")
    return fewest_steps(stands, _STEPS, (*starts[0], pose), (*goal, _UPRIGHT), **options)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    rolls = None if solution.moves is None else bytes(solution.moves).translate(_ROLLS.encode().ljust(256)).decode()
    return Answer(status=solution.status, cost=cost, bound=bound, rolls=rolls)


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------

Cell = tuple[int, int]


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    The rolls are made one by one. That fewer would not do cannot be seen by making them.
    """
    status, cost = answer.status, answer.cost
    if status is Status.OPTIMAL:
        if cost is None:
            return "the answer is called optimal, but there is no number of rolls"
        if answer.bound != cost:
            return f"the number of rolls is {cost}, but the bound is {answer.bound}"
        return None if answer.rolls is None else _check_rolls(instance, answer.rolls, cost)
    if status is Status.FEASIBLE:
        return "the status is feasible, but a search from both ends has no way before it has a shortest one"
    if cost is not None or answer.rolls is not None:
        return f"the answer has a number of rolls, but its status is {status}"
    return None


def _check_rolls(instance: Instance, rolls: str, cost: int) -> str | None:
    if len(rolls) != cost:
        return f"there are {len(rolls)} rolls, but their number is said to be {cost}"
    under = _start(instance)
    for number, roll in enumerate(rolls, 1):
        if roll not in _ROLLS:
            return f"roll {number} is {roll!r}; rolls are L, R, U and D"
        under = _rolled(under, roll)
        fault = _unsafe(instance, under)
        if fault is not None:
            return f"roll {number}, {roll}: {fault}"
    if len(under) == 1 and instance.cells[under[0][0]][under[0][1]] == "O":
        return None
    return f"after the last roll the block {_described(under)}, not upright on the goal"


def _start(instance: Instance) -> list[Cell]:
    """The cells under the block, in reading order."""
    return [(i, j) for i, row in enumerate(instance.cells) for j, cell in enumerate(row) if cell == "X"]


def _rolled(under: list[Cell], roll: str) -> list[Cell]:
    """The cells under the block after a roll: beyond its edge, as many as it is high if it stands, one if it lies that way."""
    down, right = {"L": (0, -1), "R": (0, 1), "U": (-1, 0), "D": (1, 0)}[roll]
    if len(under) == 1:
        ((row, column),) = under
        return sorted([(row + down, column + right), (row + 2 * down, column + 2 * right)])
    along = under[0][0] == under[1][0] if right else under[0][1] == under[1][1]
    if along:
        row, column = under[1] if down + right > 0 else under[0]
        return [(row + down, column + right)]
    return [(row + down, column + right) for row, column in under]


def _unsafe(instance: Instance, under: list[Cell]) -> str | None:
    """Why the block cannot be there."""
    for row, column in under:
        if not (0 <= row < len(instance.cells) and 0 <= column < len(instance.cells[0])):
            return f"the block leaves the board at row {row + 1}, column {column + 1}"
        if instance.cells[row][column] == "#":
            return f"there is no floor at row {row + 1}, column {column + 1}"
    if len(under) == 1 and instance.cells[under[0][0]][under[0][1]] == "E":
        return f"the block stands upright on fragile floor at row {under[0][0] + 1}, column {under[0][1] + 1}"
    return None


def _described(under: list[Cell]) -> str:
    verb = "stands upright on" if len(under) == 1 else "lies on"
    return f"{verb} " + " and ".join(f"row {row + 1}, column {column + 1}" for row, column in under)


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(
    seed: int,
    *,
    rows: int = 8,
    columns: int = 12,
    holes: int = 20,
    fragile: int = 10,
    lying: bool | None = None,
    solvable: bool | None = None,
) -> Instance:
    """A map with so many holes and fragile cells anywhere, and start and goal anywhere else; the same for the same arguments.

    lying=True: the block lies at the start; False: it stands; None: either. solvable=True: it can reach the goal; False: it
    cannot; None: either. Raises ValueError for numbers that make no map, and when none of TRIES maps is as wanted.
    """
    cells = rows * columns
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE and holes >= 0 and fragile >= 0 and holes + fragile + 2 <= cells):
        raise ValueError(f"there is no map of {rows} × {columns} cells with {holes} holes and {fragile} fragile cells")
    rng = random.Random(seed)
    for _ in range(TRIES):
        instance = _random_instance(rng, (rows, columns), holes, fragile, rng.random() < 0.5 if lying is None else lying)
        if instance is not None and (solvable is None or solvable == (search(instance).status is Status.OPTIMAL)):
            return instance
    raise ValueError(f"none of {TRIES} maps is as wanted; allow more or fewer holes")


def _random_instance(rng: random.Random, shape: Cell, holes: int, fragile: int, lying: bool) -> Instance | None:
    """None when no floor is left beside the start for the block to lie on."""
    rows, columns = shape
    letters = bytearray(b"." * (rows * columns))
    drawn = rng.sample(range(rows * columns), holes + fragile + 2)
    for number, cell in enumerate(drawn[2:]):
        letters[cell] = ord("#" if number < holes else "E")
    start, goal = drawn[:2]
    letters[start], letters[goal] = ord("X"), ord("O")
    if lying:
        row, column = divmod(start, columns)
        beside = [start + 1] * (column + 1 < columns) + [start + columns] * (row + 1 < rows)
        free = [cell for cell in beside if letters[cell] in b".E"]
        if not free:
            return None
        letters[rng.choice(free)] = ord("X")
    return Instance(cells=rows_of(letters.decode(), columns))


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """The cells under the block, in reading order, and the roll that led there (None at the start)."""

    under: tuple[Cell, ...]
    roll: str | None


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield the start and where each roll leads; the start alone when no rolls are known."""
    under = _start(instance)
    yield Step(tuple(under), None)
    for roll in answer.rolls or "":
        under = _rolled(under, roll)
        yield Step(tuple(under), roll)
