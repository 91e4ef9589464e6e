"""Milkweed: in which week does a spreading weed take the last of the grass that it can reach?

In week 0 it is on one cell. Each week it spreads to all eight neighbours of its cells that are not rock.

    .        grass    *    rock
    x, y     column and row of the start, from 1; row 1 is at the bottom
    weeks    an answer: the week in which the last reachable cell is taken; 0 when the weed cannot leave its cell

The search is `bestfirst.search.fewest_steps` without a goal; docs/problems/milkweed.md explains it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import RunOptions
from bestfirst.formats.boards import letters_of, require_board, rows_of, take_board
from bestfirst.formats.tokens import Tokens, read_numbers
from bestfirst.result import Solution, Status
from bestfirst.search.fewest_steps import fewest_steps

MAX_SIDE = 1_000_000

PRUNINGS: dict[str, Pruning] = {}

#: How many fields `generate` tries for a wanted property.
TRIES = 300

_LETTERS = ".*"

_NEIGHBOURS = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="milkweed", forbid_unknown_fields=True):
    """A field, a string for each row from the top down, and the start. Raises ValueError where they do not fit together."""

    version: Literal[1] = 1
    cells: tuple[str, ...]
    x: int
    y: int

    def __post_init__(self) -> None:
        require_board(self.cells, _LETTERS)
        for name, value, most in (("x", self.x, len(self.cells[0])), ("y", self.y, len(self.cells))):
            if not 1 <= value <= most:
                raise ValueError(f"{name} is {value}, it must be from 1 to {most}")
        if self.cells[-self.y][self.x - 1] == "*":
            raise ValueError(f"the start in column {self.x}, row {self.y} from the bottom is rock")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="milkweed"):
    """The number of weeks; when the status is stopped, only that it is at least `bound`."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: weeks
    bound: int | None


def read(text: str) -> Iterator[Instance]:
    """Read X, Y, Mx and My – columns, rows, column and row of the start, row 1 at the bottom – then Y rows of X letters . and *,
    from the top down. What follows is read as the next field.

    Raises InputError where the text is bad, also when there is no field at all.
    """
    tokens = Tokens(text)
    while True:
        columns = tokens.take_integer("the number of columns X", 1, MAX_SIDE)
        rows = tokens.take_integer("the number of rows Y", 1, MAX_SIDE)
        x = tokens.take_integer("the start's column Mx", 1, columns)
        y = tokens.take_integer("the start's row My", 1, rows)
        board = take_board(tokens, rows, columns, _LETTERS)
        if board.cells[-y][x - 1] == "*":
            board.fail(rows - y, x - 1, f"the start in column {x}, row {y} from the bottom is rock")
        yield Instance(cells=board.cells, x=x, y=y)
        if tokens.at_end():
            return


def write_instance(instance: Instance) -> str:
    """The judge format of a field."""
    cells = instance.cells
    return f"{len(cells[0])} {len(cells)} {instance.x} {instance.y}\n" + "\n".join(cells) + "\n"


def write(answer: Answer) -> str:
    """The number of weeks on a line. Raises ValueError when it is not known."""
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the number is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a number for each of these fields. Raises InputError where the text is something else, or says more."""
    weeks = read_numbers(text, len(instances), "the number of weeks", 0)
    return [Answer(status=Status.OPTIMAL, cost=cost, bound=cost) for cost in weeks]


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Find the number of weeks, which is the `cost` of the solution; it has no moves. Raises Interrupted on Ctrl-C."""
    start = len(instance.cells) - instance.y, instance.x - 1
    return fewest_steps(letters_of(instance.cells) != ord("*"), _NEIGHBOURS, start, **options)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    cost, bound = (None if number is None else int(number) for number in (solution.cost, solution.bound))
    return Answer(status=solution.status, cost=cost, bound=bound)


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- the weeks, for checker and pictures --------------------------------------------------------------------------------


class Step(NamedTuple):
    """A week, and the cells taken in it: numbers of cells, row by row from the top."""

    week: int
    taken: np.ndarray


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Let the weed spread week by week, by the rules; nothing of the answer is used. O(cells) in all, and some time a week."""
    columns = len(instance.cells[0]) + 1  # one of rock on the right, and so on the left of the next row
    rock = ("*" * columns).encode()
    field = rock + b"".join(f"{row}*".encode() for row in instance.cells) + rock + b"*"
    grass = np.frombuffer(field, np.uint8) == ord(".")
    around = np.array([-columns - 1, -columns, -columns + 1, -1, 1, columns - 1, columns, columns + 1])
    taken = np.array([(len(instance.cells) - instance.y + 1) * columns + instance.x - 1])
    week = 0
    while taken.size:
        grass[taken] = False
        row, column = np.divmod(taken, columns)
        yield Step(week, np.sort((row - 1) * (columns - 1) + column))
        beside = (taken[:, None] + around).ravel()
        taken = np.unique(beside[grass[beside]])
        week += 1


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer; None when nothing is. The weed is grown week by week, by the rules."""
    if answer.status is Status.STOPPED and answer.cost is not None:
        return f"the answer is {answer.cost} weeks, but its status is stopped"
    if answer.status not in (Status.OPTIMAL, Status.STOPPED):
        return f"the status is {answer.status}, but the weed always comes to an end"
    last = 0
    for step in steps(instance, answer):
        last = step.week
    if answer.status is Status.STOPPED:
        return None if answer.bound is None or answer.bound <= last else f"at least {answer.bound} weeks, but it takes {last}"
    if answer.cost != last:
        return f"the answer is {answer.cost} weeks, but the last grass is taken in week {last}"
    return None if answer.bound == last else f"the answer is {last} weeks, but the bound is {answer.bound}"


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, rows: int = 6, columns: int = 12, rocks: int = 25, cut_off: bool | None = None) -> Instance:
    """A field with so many rocks anywhere, and a start anywhere else; the same for the same arguments.

    cut_off=True: some grass cannot be reached; False: all can; None: either. Raises ValueError for numbers that make no field,
    and when none of TRIES fields is as wanted.
    """
    cells = rows * columns
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE and 0 <= rocks < cells):
        raise ValueError(f"there is no field of {rows} × {columns} cells with {rocks} rocks and a start")
    rng = random.Random(seed)
    for _ in range(1 if cut_off is None else TRIES):
        letters = bytearray(b"." * cells)
        start, *others = rng.sample(range(cells), rocks + 1)
        for cell in others:
            letters[cell] = ord("*")
        instance = Instance(cells=rows_of(letters.decode(), columns), x=start % columns + 1, y=rows - start // columns)
        if cut_off is None or cut_off == (search(instance).stats.expanded < cells - rocks):
            return instance
    raise ValueError(f"none of {TRIES} fields is as wanted; put down more or fewer rocks")
