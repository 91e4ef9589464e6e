"""Push-box: Sokoban with one box, with the fewest pushes, and among those with the fewest moves in all.

The man walks north, south, west and east on the floor. He can push the box, never pull it, when the cell behind it is floor. The
box must come to its target. Of the answers with the fewest pushes, and among them the fewest moves in all, the one is given whose
pushes, read alone, come first in the order N, S, W, E, and among those the one whose walks come first in the order n, s, w, e.

    cells     rows of # (wall), . (floor), S (the man), B (the box), T (its target), + (the man on it), * (the box on it)
    moves     an answer: n s w e for a walk to the next cell, N S W E for a push
    cost      pushes;  total  moves in all

The search is in `push_box_search`; docs/problems/push-box.md explains it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, NoReturn, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue import push_box_search
from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import RunOptions
from bestfirst.formats.boards import places_of, require_board, rows_of, take_board
from bestfirst.formats.tokens import InputError, Token, Tokens, shown
from bestfirst.result import Solution, Status
from bestfirst.search.explicit import finish

MAX_SIDE = 1_000_000

#: How many boards `generate` tries for a wanted property.
TRIES = 300

PRUNINGS: dict[str, Pruning] = {}

TIES = "the first sequence of pushes in the order N, S, W, E, then the first walks in the order n, s, w, e"

Cell = tuple[int, int]
Notation = Literal["judge", "xsb"]

#: Who stands where: letters of cells that hold the man, the box, the target.
_WHO = (("man", "S+", "S"), ("box", "B*", "B"), ("target", "T+*", "T"))

_FROM_XSB = str.maketrans(" -_.@$", "...TSB")
_TO_XSB = str.maketrans(".TSB", "-.@$")
_TO_LURD = str.maketrans("nsweNSWE", "udlrUDLR")
_FROM_LURD = str.maketrans("udlrUDLR", "nsweNSWE")
_XSB_ROW = re.compile(r"(?=.*\S)[#@+$*. _-]+")
_XSB_MAN = re.compile(r"^[#@$*. _-]*[@+][#@$*. _-]*\r?$", re.MULTILINE)


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="push-box", forbid_unknown_fields=True):
    """A board; `notation` says how it and its answer are written. Raises ValueError when it is no board with one box."""

    version: Literal[1] = 1
    cells: tuple[str, ...]
    notation: Notation = "judge"

    def __post_init__(self) -> None:
        require_board(self.cells, "#.SBT+*")
        board = "".join(self.cells)
        for name, letters, letter in _WHO:
            count = sum(map(board.count, letters))
            if count != 1:
                raise ValueError(f"the board has {count or 'no'} {name} {letter}, it must have one")

    def place(self, letters: str) -> Cell:
        """Row and column, from 0, of the cell that has one of these letters."""
        return divmod(max(map("".join(self.cells).find, letters)), len(self.cells[0]))


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="push-box"):
    """The moves and their numbers; no moves when there is no answer or it is not known."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: pushes
    bound: int | None  #: no answer has fewer pushes; None when there is none
    total: int | None  #: moves in all
    moves: str | None
    notation: Notation = "judge"


# --- formats ------------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Read boards: each R and C, then R rows of C cells, until 0 0 or the end of the text; or levels in .xsb notation.

    A text with a row that has the man of .xsb, @ or +, is .xsb: # wall, @ man, $ box, . target, + man on target, * box on target,
    blank, - or _ floor. Rows may end early. Other lines, and empty ones, part the levels.

    Raises InputError where the text is bad.
    """
    text = text.removeprefix("\ufeff")
    yield from _read_xsb(text) if _XSB_MAN.search(text) else _read_judge(text)


def _read_judge(text: str) -> Iterator[Instance]:
    tokens = Tokens(text)
    case = 0
    while not tokens.at_end():
        case += 1
        size = tokens.peek()
        assert size is not None
        rows = tokens.take_integer("the number of rows R", 0, MAX_SIDE)
        columns = tokens.take_integer("the number of columns C", min(rows, 1), MAX_SIDE if rows else 0)
        if rows == 0:
            return
        board = take_board(tokens, rows, columns, "#.SBT")
        for name, _, letter in _WHO:
            _require_one(board.cells, letter, f"board {case} has", f"{name} {letter}", size.fail, board.fail)
        yield Instance(cells=board.cells)


def _require_one(
    cells: Sequence[str],
    letters: str,
    whose: str,
    name: str,
    fail: Callable[[str], NoReturn],
    fail_at: Callable[[int, int, str], NoReturn],
) -> None:
    """Fail, at the second or for the whole board, unless there is one of these letters."""
    found = sorted(place for letter in letters for place in places_of(cells, letter))
    if not found:
        fail(f"{whose} no {name}")
    if len(found) > 1:
        fail_at(*found[1], f"{whose} a second {name}; there must be one")


def _read_xsb(text: str) -> Iterator[Instance]:
    level: list[Token] = []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if _XSB_ROW.fullmatch(line):
            level.append(Token(line, number, 1))
            continue
        if any(one in row.text for row in level for one in "#@+"):
            yield _xsb_level(level)
        level = []


def _xsb_level(rows: Sequence[Token]) -> Instance:
    def fail_at(row: int, column: int, message: str) -> NoReturn:
        raise InputError(message, rows[row].line, rows[row].column + column)

    lines = [row.text.rstrip() for row in rows]
    for name, letters in (("man @", "@+"), ("box $", "$*"), ("target .", ".+*")):
        _require_one(lines, letters, "the level has", name, rows[0].fail, fail_at)
    width = max(map(len, lines))
    cells = tuple(line.ljust(width).translate(_FROM_XSB) for line in lines)
    return Instance(cells=cells, notation="xsb")


def write_instance(instance: Instance) -> str:
    """A board in its notation, in judge format without the final 0 0. Raises ValueError when + or * cannot be written."""
    if instance.notation == "xsb":
        return "".join(row.translate(_TO_XSB) + "\n" for row in instance.cells) + "\n"
    if any(one in row for row in instance.cells for one in "+*"):
        raise ValueError("in the judge format nothing stands on the target; JSON and .xsb have + and *")
    return f"{len(instance.cells)} {len(instance.cells[0])}\n" + "".join(f"{row}\n" for row in instance.cells)


def write(answer: Answer, case: int = 1) -> str:
    """A line `Maze #k` with the number of the case, the moves or `Impossible.`, an empty line; of a level in .xsb notation the
    moves in LURD notation: l u r d for walks, L U R D for pushes. Raises ValueError when the search was stopped.
    """
    if answer.status is not Status.INFEASIBLE and answer.moves is None:
        raise ValueError(f"the moves are not known: the search was stopped, there are at least {answer.bound} pushes")
    moves = "Impossible." if answer.moves is None else answer.moves
    if answer.notation == "xsb":
        return f"{moves if answer.moves is None else moves.translate(_TO_LURD)}\n"
    return f"Maze #{case}\n{moves}\n\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read what `write` writes for these boards. Raises InputError where the text is something else."""
    lines = [line.rstrip() for line in text.removeprefix("\ufeff").splitlines()]
    answers, at = [], 0
    for case, instance in enumerate(instances, 1):
        if instance.notation == "judge":
            at = _skip(lines, at, f"Maze #{case}")
        if at == len(lines):
            raise InputError(f"the text ends where the moves for case {case} are expected", at + 1, 1)
        answers.append(_read_moves(lines[at], at + 1, instance.notation))
        at += 1
        if instance.notation == "judge" and at < len(lines):
            at = _skip(lines, at, "")
    for number, line in enumerate(lines[at:], at + 1):
        if line:
            raise InputError("expected the end: every case has its answer", number, 1)
    return answers


def _skip(lines: Sequence[str], at: int, expected: str) -> int:
    """The place after a line that must be as expected."""
    if at == len(lines):
        raise InputError(f"the text ends where {expected!r} is expected", at + 1, 1)
    if " ".join(lines[at].split()) != expected:
        raise InputError(f"expected {expected or 'an empty line'}, found {shown(lines[at])}", at + 1, 1)
    return at + 1


def _read_moves(line: str, number: int, notation: Notation) -> Answer:
    if line == "Impossible.":
        return Answer(status=Status.INFEASIBLE, cost=None, bound=None, total=None, moves=None, notation=notation)
    letters = "nsweNSWE" if notation == "judge" else "udlrUDLR"
    bad = next((i for i, letter in enumerate(line) if letter not in letters), None)
    if bad is not None:
        raise InputError(f"expected moves, letters of {letters}, or Impossible., found {shown(line[bad:])}", number, bad + 1)
    moves = line if notation == "judge" else line.translate(_FROM_LURD)
    pushes = sum(map(str.isupper, moves))
    return Answer(status=Status.OPTIMAL, cost=pushes, bound=pushes, total=len(moves), moves=moves, notation=notation)


# --- solver -------------------------------------------------------------------------------------------------------------


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Find the answer that the rules want; the `cost` of the solution is the number of pushes, its `moves` are the letters.

    O(cells) time for the pushes and, at worst, O(cells) for each walk on a way of fewest pushes; 81 bytes a cell at most.

    Raises ValueError for a board too large, Interrupted on Ctrl-C.
    """
    floor = np.frombuffer("".join(instance.cells).encode(), np.uint8).reshape(len(instance.cells), -1) != ord("#")
    board = push_box_search.board_of(floor, *(instance.place(letters) for _, letters, _ in _WHO))
    found: Solution = finish(push_box_search.PushSearch(board, options), options)
    return found


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the board, as a value that can be kept."""
    moves = None if solution.moves is None else "".join(solution.moves)
    cost, bound = solution.whole_numbers()
    return Answer(
        status=solution.status,
        cost=cost,
        bound=bound,
        total=None if moves is None else len(moves),
        moves=moves,
        notation=instance.notation,
    )


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- the rules once more, simply: for the checker and the pictures ---------------------------------------------------------

_TOWARDS = {"n": (-1, 0), "s": (1, 0), "w": (0, -1), "e": (0, 1)}


class Position(NamedTuple):
    """Where man and box are."""

    man: Cell
    box: Cell


def _moved(instance: Instance, position: Position, letter: str) -> Position | str:
    """The position after a move, or why it is not allowed."""
    (row, column), (down, right) = position.man, _TOWARDS[letter.lower()]
    ahead, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
    if not _is_floor(instance, ahead):
        return "the man would walk into a wall or off the board"
    if letter.islower():
        return "the box is in the way, this would be a push" if ahead == position.box else Position(ahead, position.box)
    if ahead != position.box:
        return "there is no box to push"
    return Position(ahead, beyond) if _is_floor(instance, beyond) else "the box would be pushed into a wall or off the board"


def _is_floor(instance: Instance, cell: Cell) -> bool:
    row, column = cell
    return 0 <= row < len(instance.cells) and 0 <= column < len(instance.cells[0]) and instance.cells[row][column] != "#"


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That there is no better one cannot be seen by making its moves.
    """
    return _check_claim(answer) or _check_moves(instance, answer)


def _check_claim(answer: Answer) -> str | None:
    """Whether status, numbers and moves fit together."""
    moves = answer.moves
    if answer.status is Status.FEASIBLE:
        return "the status is feasible, but the search gives no answer before it is proved best"
    if answer.status is not Status.OPTIMAL:
        if (answer.cost, answer.total, moves) != (None, None, None):
            return f"there is an answer, but its status is {answer.status}"
        return None
    if moves is None:
        return "the answer is called optimal, but there are no moves"
    if answer.cost != answer.bound:
        return f"the number of pushes is {answer.cost}, but the bound is {answer.bound}"
    pushes = sum(map(str.isupper, moves))
    if (answer.cost, answer.total) != (pushes, len(moves)):
        return f"it claims {answer.cost} pushes and {answer.total} moves in all, but there are {pushes} and {len(moves)}"
    return None


def _check_moves(instance: Instance, answer: Answer) -> str | None:
    """Make the moves."""
    if answer.moves is None:
        return None
    position = Position(instance.place("S+"), instance.place("B*"))
    for number, letter in enumerate(answer.moves, 1):
        if letter.lower() not in _TOWARDS:
            return f"move {number} is {letter!r}; moves are n s w e N S W E"
        after = _moved(instance, position, letter)
        if isinstance(after, str):
            return f"move {number} ({letter}): {after}"
        position = after
    row, column = position.box
    if position.box != instance.place("T+*"):
        return f"after the last move the box is in row {row + 1}, column {column + 1}, not on its target"
    return None


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, rows: int = 8, columns: int = 8, walls: int = 16, solvable: bool | None = None) -> Instance:
    """A board with so many walls, the man, the box and its target anywhere; the same for the same arguments.

    solvable=True: the box can be brought to its target; False: it cannot; None: either. Raises ValueError for numbers that make
    no board, and when none of TRIES boards is as wanted.
    """
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE and 0 <= walls <= rows * columns - 3):
        raise ValueError(f"there is no board of {rows} × {columns} cells with {walls} walls, a man, a box and a target")
    rng = random.Random(seed)
    for _ in range(1 if solvable is None else TRIES):
        instance = _random_board(rng, rows, columns, walls)
        if solvable is None or solvable == (search(instance).status is Status.OPTIMAL):
            return instance
    raise ValueError(f"none of {TRIES} boards is {'solvable' if solvable else 'unsolvable'}; allow more or fewer walls")


def _random_board(rng: random.Random, rows: int, columns: int, walls: int) -> Instance:
    letters = bytearray(b"." * (rows * columns))
    for number, cell in enumerate(rng.sample(range(rows * columns), walls + 3)):
        letters[cell] = b"SBT"[number] if number < 3 else ord("#")
    return Instance(cells=rows_of(letters.decode(), columns))


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """The start, or a push with the walk before it: its number, the moves, where the man has been on the way, what is where."""

    number: int  #: 0 for the start
    moves: str
    trail: tuple[Cell, ...]  #: the cells that the man walked through, from where he stood to where he pushed from
    position: Position


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield the start and the position after each push; only the start when no moves are known."""
    position = Position(instance.place("S+"), instance.place("B*"))
    yield Step(0, "", (), position)
    number, moves, trail = 0, "", [position.man]
    for letter in answer.moves or "":
        after = _moved(instance, position, letter)
        assert isinstance(after, Position), after
        position, moves = after, moves + letter
        if letter.islower():
            trail.append(position.man)
        else:
            number += 1
            yield Step(number, moves, tuple(trail), position)
            moves, trail = "", [position.man]
