"""Ghost chase: the earliest second at which a boy and a girl can meet before two ghosts have taken the way.

The boy makes up to three steps a second, the girl up to one; a step leads to one of the four neighbours of a cell. Walls stop
people, not ghosts. Each second begins with the ghosts: after second k they have taken all cells within Manhattan distance 2k of
their starts. Nobody may enter a taken cell, nor be in one when it is taken. They meet when they are in the same cell at
the end of a second. Of the best answers it is any, but always the same one.

    cells         rows of . (free), X (a wall), M (the boy), G (the girl) and Z (a ghost, twice)
    boy, girl     an answer: for each second the steps, up to three and one of U L R D (up, left, right, down)

The search is in ghost_chase_search.py; docs/problems/ghost-chase.md explains it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.ghost_chase_search import ChaseSearch
from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import RunOptions
from bestfirst.formats.boards import board_rows, letters_of, require_board
from bestfirst.formats.tokens import Tokens, read_numbers
from bestfirst.result import Solution, Status
from bestfirst.search.explicit import finish

MAX_SIDE, MAX_CASES = 1_000_000, 1_000_000

PRUNINGS: dict[str, Pruning] = {}

CASES = "counted"

CELLS = ".XMGZ"

#: What must be on a board, and how often.
_PEOPLE = {"M": ("boy M", 1), "G": ("girl G", 1), "Z": ("ghosts Z", 2)}

#: How many boards `generate` tries for a wanted property.
TRIES = 300


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="ghost-chase", forbid_unknown_fields=True):
    """A board, a string for each row. Raises ValueError unless it is a rectangle with one M, one G and two Z."""

    version: Literal[1] = 1
    cells: tuple[str, ...]

    def __post_init__(self) -> None:
        require_board(self.cells, CELLS)
        letters = letters_of(self.cells)
        for letter, (name, wanted) in _PEOPLE.items():
            found = np.count_nonzero(letters == ord(letter))
            if found != wanted:
                raise ValueError(f"the board has {found} {name}, there must be {wanted}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="ghost-chase"):
    """The second at which they meet, and what each does in every second: None when only the second is known, or there is none."""

    version: Literal[1] = 1
    status: Status
    cost: int | None
    bound: int | None  #: they meet no earlier; None when they never can
    boy: tuple[str, ...] | None
    girl: tuple[str, ...] | None


def read(text: str) -> Iterator[Instance]:
    """Read the number T of cases, then for each n and m and n rows of m cells without blanks. What follows is read likewise.

    Raises InputError where the text is bad, also when there is no T at all.
    """
    tokens = Tokens(text)
    while True:
        for _ in range(tokens.take_integer("the number of cases T", 0, MAX_CASES)):
            yield _read_case(tokens)
        if tokens.at_end():
            return


def _read_case(tokens: Tokens) -> Instance:
    begin = tokens.peek()
    n = tokens.take_integer("the number of rows n", 1, MAX_SIDE)
    m = tokens.take_integer("the number of columns m", 1, MAX_SIDE)
    cells = tokens.take_board("the board", n, m, CELLS)
    try:
        return Instance(cells=cells)
    except ValueError as error:
        assert begin is not None  # the size stands there
        begin.fail(str(error))


def write_instance(instance: Instance) -> str:
    """The judge format of one board, as the only case."""
    return f"1\n{len(instance.cells)} {len(instance.cells[0])}\n" + "\n".join(instance.cells) + "\n"


def write(answer: Answer) -> str:
    """One line: the earliest second, or -1. Raises ValueError when it is not proved."""
    if answer.status is Status.INFEASIBLE:
        return "-1\n"
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the second is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a second or -1 for each instance. Raises InputError where the text has another form, or says more."""
    seconds = read_numbers(text, len(instances), "the second", -1)
    return [_claimed(second) for second in seconds]


def _claimed(second: int) -> Answer:
    if second == -1:
        return Answer(status=Status.INFEASIBLE, cost=None, bound=None, boy=None, girl=None)
    return Answer(status=Status.OPTIMAL, cost=second, bound=second, boy=None, girl=None)


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Find the earliest second; the `moves` of the solution are the steps of both in each second, its `cost` is the second.

    Infeasible when they can never meet. Time O(cells). Raises Interrupted on Ctrl-C.
    """
    solution: Solution = finish(ChaseSearch(letters_of(instance.cells), options), options)
    return solution


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    boy = girl = None
    if solution.moves is not None:
        boy, girl = (tuple(steps[person] for steps in solution.moves) for person in (0, 1))
    cost, bound = solution.whole_numbers()
    return Answer(status=solution.status, cost=cost, bound=bound, boy=boy, girl=girl)


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------

_OFFSETS = {"U": (-1, 0), "L": (0, -1), "R": (0, 1), "D": (1, 0)}


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That they cannot meet earlier cannot be seen by following them.
    """
    if answer.status is Status.OPTIMAL and (answer.cost is None or answer.cost != answer.bound):
        return f"the answer is called optimal, but the second is {answer.cost} and the bound {answer.bound}"
    if answer.status in (Status.INFEASIBLE, Status.STOPPED) and answer.cost is not None:
        return f"the answer has a second, but its status is {answer.status}"
    if answer.cost is not None and answer.cost < 1:
        return f"they meet in second {answer.cost}, but the first second is 1"
    if answer.boy is None and answer.girl is None:
        return None
    if answer.boy is None or answer.girl is None:
        return "the answer has the steps of one person only"
    for name, steps in (("boy", answer.boy), ("girl", answer.girl)):
        if len(steps) != answer.cost:
            return f"the {name} has steps for {len(steps)} seconds, not {answer.cost}"
    return _check_steps(instance, answer.boy, answer.girl)


def _check_steps(instance: Instance, boy: Sequence[str], girl: Sequence[str]) -> str | None:
    """Follow both."""
    ghosts = [_find(instance, "Z", number) for number in (0, 1)]
    places = {"boy": _find(instance, "M"), "girl": _find(instance, "G")}
    for second, both in enumerate(zip(boy, girl, strict=True), 1):
        for (name, place), steps, most in zip(places.items(), both, (3, 1), strict=True):
            if _is_taken(ghosts, place, second):
                return f"second {second}: the cell of the {name} is taken by a ghost"
            if len(steps) > most:
                return f"second {second}: the {name} makes {len(steps)} steps, {most} at most"
            for step in steps:
                if step not in _OFFSETS:
                    return f"second {second}: {step!r} is no step; steps are U, L, R and D"
                place = place[0] + _OFFSETS[step][0], place[1] + _OFFSETS[step][1]  # noqa: PLW2901
                if not (0 <= place[0] < len(instance.cells) and 0 <= place[1] < len(instance.cells[0])):
                    return f"second {second}: the {name} leaves the board"
                if instance.cells[place[0]][place[1]] == "X":
                    return f"second {second}: the {name} walks into a wall"
                if _is_taken(ghosts, place, second):
                    return f"second {second}: the {name} enters a cell taken by a ghost"
            places[name] = place
    return None if places["boy"] == places["girl"] else "in the end they are not in the same cell"


def _find(instance: Instance, letter: str, number: int = 0) -> tuple[int, int]:
    """Row and column, from 0, of a letter; `number` of them come before it."""
    rows = ((i, row) for i, row in enumerate(instance.cells) if letter in row)
    places = ((i, j) for i, row in rows for j, cell in enumerate(row) if cell == letter)
    return next(itertools.islice(places, number, None))


def _is_taken(ghosts: Sequence[tuple[int, int]], place: tuple[int, int], second: int) -> bool:
    return any(abs(place[0] - i) + abs(place[1] - j) <= 2 * second for i, j in ghosts)


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, rows: int = 8, columns: int = 12, walls: int = 20, solvable: bool | None = None) -> Instance:
    """A board with people, ghosts and walls anywhere, the same for the same arguments.

    walls: per cent of the cells. solvable=True: they can meet; False: they cannot; None: either. Raises ValueError for numbers
    that make no board, and when none of TRIES boards is as wanted.
    """
    cells = rows * columns
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE and cells >= 4 and 0 <= walls <= 100):
        raise ValueError(f"there is no board of {rows} × {columns} cells, {walls} per cent walls, with two people and two ghosts")
    rng = random.Random(seed)
    for _ in range(1 if solvable is None else TRIES):
        drawn = np.frombuffer(rng.randbytes(cells), np.uint8) < round(2.56 * walls)
        letters = np.where(drawn, np.uint8(ord("X")), np.uint8(ord(".")))
        letters[rng.sample(range(cells), 4)] = np.frombuffer(b"MGZZ", np.uint8)
        instance = Instance(cells=board_rows(letters.reshape(rows, columns)))
        if solvable is None or solvable == (search(instance).status is Status.OPTIMAL):
            return instance
    raise ValueError(f"on none of {TRIES} boards they {'can' if solvable else 'cannot'} meet; allow more or fewer walls")


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """Where the people are at the end of a second (0: at the start), as (row, column) from 0, and the cells passed in it."""

    second: int
    boy: tuple[int, int]
    girl: tuple[int, int]
    passed: tuple[tuple[int, int], ...]  #: by the boy, the last one included


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield the start and the end of each second."""
    boy, girl = _find(instance, "M"), _find(instance, "G")
    yield Step(0, boy, girl, ())
    for second, both in enumerate(zip(answer.boy or (), answer.girl or (), strict=True), 1):
        passed = [boy]
        for step in both[0]:
            passed.append((passed[-1][0] + _OFFSETS[step][0], passed[-1][1] + _OFFSETS[step][1]))
        boy = passed[-1]
        for step in both[1]:
            girl = girl[0] + _OFFSETS[step][0], girl[1] + _OFFSETS[step][1]
        yield Step(second, boy, girl, tuple(passed[1:]))
