"""Knight distance: fewest moves of a knight from K to H on a board with blocked cells.

The knight moves as in chess: two cells along a row or column and one across, jumping over whatever is between. It may not come
down on a blocked cell.

    .        free            *    blocked
    K, H     start and goal, one of each
    hour     a move, by the direction in which it points on a clock: 1 is one to the right and two up (towards the first row), 2
             two to the right and one up, then 4, 5, 7, 8, 10, 11

The search is `bestfirst.search.fewest_steps`; docs/problems/knight-distance.md explains it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Unpack

import msgspec

from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import RunOptions
from bestfirst.formats.boards import letters_of, places_of, require_board, rows_of, take_board
from bestfirst.formats.tokens import Tokens, read_numbers
from bestfirst.result import Solution, Status
from bestfirst.search.fewest_steps import fewest_steps

MAX_SIDE = 1_000_000

PRUNINGS: dict[str, Pruning] = {}

#: How many boards `generate` tries for a wanted property.
TRIES = 300

_LETTERS = ".*KH"

#: What an hour adds to row and column.
_SHIFTS = {1: (-2, 1), 2: (-1, 2), 4: (1, 2), 5: (2, 1), 7: (2, -1), 8: (1, -2), 10: (-1, -2), 11: (-2, -1)}


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="knight-distance", forbid_unknown_fields=True):
    """A board, a string for each row. Raises ValueError when it is not a rectangle of . * K H with one K and one H."""

    version: Literal[1] = 1
    cells: tuple[str, ...]

    def __post_init__(self) -> None:
        require_board(self.cells, _LETTERS)
        fault = _fault(self.cells)
        if fault is not None:
            message, row, column = fault
            raise ValueError(f"row {row + 1}, column {column + 1}: {message}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="knight-distance"):
    """The fewest moves and what they are, as hours; no hours when only their number is known, neither when there is no way."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: how many moves
    bound: int | None  #: fewer do not do; None when no number does
    hours: tuple[int, ...] | None


def _fault(cells: Sequence[str]) -> tuple[str, int, int] | None:
    """What is wrong with K and H, and at which cell, counted from 0."""
    for letter, what in (("K", "knight"), ("H", "goal")):
        found = places_of(cells, letter)
        if not found:
            return f"there is no {what} {letter} on this board", 0, 0
        if len(found) > 1:
            return f"there is a {what} {letter} already", *found[1]
    return None


def read(text: str) -> Iterator[Instance]:
    """Read C and R, columns first, then R rows of C letters . * K H without blanks. What follows is read as the next board.

    Raises InputError where the text is bad, also when there is no board at all.
    """
    tokens = Tokens(text)
    while True:
        columns = tokens.take_integer("the number of columns C", 1, MAX_SIDE)
        rows = tokens.take_integer("the number of rows R", 1, MAX_SIDE)
        board = take_board(tokens, rows, columns, _LETTERS)
        fault = _fault(board.cells)
        if fault is not None:
            message, row, column = fault
            board.fail(row, column, message)
        yield Instance(cells=board.cells)
        if tokens.at_end():
            return


def write_instance(instance: Instance) -> str:
    """The judge format of a board."""
    return f"{len(instance.cells[0])} {len(instance.cells)}\n" + "\n".join(instance.cells) + "\n"


def write(answer: Answer) -> str:
    """The number of moves on a line, or -1 when there is no way. Raises ValueError when it is not known."""
    if answer.status is Status.INFEASIBLE:
        return "-1\n"
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the number is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a number or -1 for each of these boards. Raises InputError where the text is something else, or says more."""
    costs = read_numbers(text, len(instances), "the number of moves", -1)
    return [_claimed(cost) for cost in costs]


def _claimed(cost: int) -> Answer:
    if cost == -1:
        return Answer(status=Status.INFEASIBLE, cost=None, bound=None, hours=None)
    return Answer(status=Status.OPTIMAL, cost=cost, bound=cost, hours=None)


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Find fewest moves; those of the solution are numbers, 0 to 7 for the hours in their order. Raises Interrupted on Ctrl-C."""
    (start,), (goal,) = places_of(instance.cells, "K"), places_of(instance.cells, "H")
    return fewest_steps(letters_of(instance.cells) != ord("*"), list(_SHIFTS.values()), start, goal, **options)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    hours = None if solution.moves is None else tuple(map(list(_SHIFTS).__getitem__, solution.moves))
    return Answer(status=solution.status, cost=cost, bound=bound, hours=hours)


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    The moves are made one by one. That fewer would not do cannot be seen by making them.
    """
    status, cost = answer.status, answer.cost
    if status is Status.OPTIMAL:
        if cost is None:
            return "the answer is called optimal, but there is no number of moves"
        if answer.bound != cost:
            return f"the number of moves is {cost}, but the bound is {answer.bound}"
        return None if answer.hours is None else _check_moves(instance, answer.hours, cost)
    if status is Status.FEASIBLE:
        return "the status is feasible, but a search from both ends has no way before it has a shortest one"
    if cost is not None or answer.hours is not None:
        return f"the answer has a number of moves, but its status is {status}"
    return None


def _check_moves(instance: Instance, hours: Sequence[int], cost: int) -> str | None:
    if len(hours) != cost:
        return f"there are {len(hours)} moves, but their number is said to be {cost}"
    at = _find(instance, "K")
    for number, hour in enumerate(hours, 1):
        if hour not in _TARGETS:
            return f"move {number} is {hour}; moves are 1, 2, 4, 5, 7, 8, 10 and 11 o'clock"
        at = _after(at, hour)
        row, column = at
        if not (0 <= row < len(instance.cells) and 0 <= column < len(instance.cells[0])):
            return f"move {number}, {hour} o'clock, leaves the board, to row {row + 1}, column {column + 1}"
        if instance.cells[row][column] == "*":
            return f"move {number}, {hour} o'clock, leads to row {row + 1}, column {column + 1}, which is blocked"
    if at != _find(instance, "H"):
        return f"after the last move the knight is in row {at[0] + 1}, column {at[1] + 1}, not at the goal"
    return None


#: Where an hour points, from the clock: cells to the right, and upwards. Not taken from the table of the search.
_TARGETS = {1: (1, 2), 2: (2, 1), 4: (2, -1), 5: (1, -2), 7: (-1, -2), 8: (-2, -1), 10: (-2, 1), 11: (-1, 2)}


def _after(at: tuple[int, int], hour: int) -> tuple[int, int]:
    right, up = _TARGETS[hour]
    return at[0] - up, at[1] + right


def _find(instance: Instance, letter: str) -> tuple[int, int]:
    return next((number, row.index(letter)) for number, row in enumerate(instance.cells) if letter in row)


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, rows: int = 8, columns: int = 12, blocked: int = 30, solvable: bool | None = None) -> Instance:
    """A board with so many blocked cells anywhere, and K and H anywhere else; the same for the same arguments.

    solvable=True: the knight can reach the goal; False: it cannot; None: either. Raises ValueError for numbers that make no
    board, and when none of TRIES boards is as wanted.
    """
    cells = rows * columns
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE and 0 <= blocked <= cells - 2):
        raise ValueError(f"there is no board of {rows} × {columns} cells with {blocked} blocked ones, K and H")
    rng = random.Random(seed)
    for _ in range(1 if solvable is None else TRIES):
        letters = bytearray(b"." * cells)
        for number, cell in enumerate(rng.sample(range(cells), blocked + 2)):
            letters[cell] = ord("KH"[number] if number < 2 else "*")
        instance = Instance(cells=rows_of(letters.decode(), columns))
        if solvable is None or solvable == (search(instance).status is Status.OPTIMAL):
            return instance
    raise ValueError(f"none of {TRIES} boards is as wanted; block more or fewer cells")


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """Where the knight is, row and column from 0, and the move that led there (None at the start)."""

    row: int
    column: int
    hour: int | None


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield the start and where each move leads; the start alone when no moves are known."""
    at = _find(instance, "K")
    yield Step(*at, None)
    for hour in answer.hours or ():
        at = _after(at, hour)
        yield Step(*at, hour)
