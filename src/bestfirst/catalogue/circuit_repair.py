r"""Circuit repair: turn as few tiles of a board as possible so that a wire leads from one corner to the opposite one.

Each tile carries a wire along one of its diagonals: from upper left to lower right, or from upper right to lower left. Turning a
tile by 90 degrees swaps the two. Wires that end in the same corner of tiles are joined. Wanted: the fewest tiles to turn
so that the upper left corner of the board is joined to its lower right one. Of the best answers it is any, but always the
same one.

    cells      rows of / and \
    turned     an answer: the tiles to turn, (row, column) from 1, in the order in which the current meets them

The search is in circuit_repair_search.py; docs/problems/circuit-repair.md explains it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.circuit_repair_search import RepairSearch
from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import RunOptions
from bestfirst.formats.boards import board_rows, letters_of, require_board
from bestfirst.formats.tokens import Tokens, shown
from bestfirst.result import Solution, Stats, Status
from bestfirst.search.explicit import finish

MAX_SIDE, MAX_CASES = 1_000_000, 1_000_000

PRUNINGS: dict[str, Pruning] = {}

CASES = "counted"

TILES = "/\\"
NO_SOLUTION = "NO SOLUTION"

Tile = tuple[int, int]


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="circuit-repair", forbid_unknown_fields=True):
    """A board, a string for each row. Raises ValueError when it is not a rectangle of / and backslashes."""

    version: Literal[1] = 1
    cells: tuple[str, ...]

    def __post_init__(self) -> None:
        require_board(self.cells, TILES)


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="circuit-repair"):
    """How many tiles to turn, and which: None when only their number is known, or when there is no solution (yet)."""

    version: Literal[1] = 1
    status: Status
    cost: int | None
    bound: int | None  #: it takes no fewer; None when there is no solution
    turned: tuple[Tile, ...] | None


def read(text: str) -> Iterator[Instance]:
    """Read the number T of cases, then for each R and C and R rows of C tiles without blanks. What follows is read likewise.

    Raises InputError where the text is bad, also when there is no T at all.
    """
    tokens = Tokens(text)
    while True:
        for _ in range(tokens.take_integer("the number of cases T", 0, MAX_CASES)):
            r = tokens.take_integer("the number of rows R", 1, MAX_SIDE)
            c = tokens.take_integer("the number of columns C", 1, MAX_SIDE)
            yield Instance(cells=tokens.take_board("the board", r, c, TILES))
        if tokens.at_end():
            return


def write_instance(instance: Instance) -> str:
    """The judge format of one board, as the only case."""
    return f"1\n{len(instance.cells)} {len(instance.cells[0])}\n" + "\n".join(instance.cells) + "\n"


def write(answer: Answer) -> str:
    """One line: the number of tiles to turn, or NO SOLUTION. Raises ValueError when it is not proved."""
    if answer.status is Status.INFEASIBLE:
        return f"{NO_SOLUTION}\n"
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the number is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a number or NO SOLUTION for each instance. Raises InputError where the text has another form, or says more."""
    tokens = Tokens(text)
    answers = [_read_answer(tokens, f"the number of tiles for case {case}") for case in range(1, len(instances) + 1)]
    tokens.require_end("expected the end: every case has its answer")
    return answers


def _read_answer(tokens: Tokens, what: str) -> Answer:
    first, second = NO_SOLUTION.split()
    token = tokens.peek()
    if token is not None and token.text == first:
        tokens.take(first)
        word = tokens.take(second)
        if word.text != second:
            word.fail(f"expected {second}, found {shown(word.text)}")
        return Answer(status=Status.INFEASIBLE, cost=None, bound=None, turned=None)
    cost = tokens.take_integer(what, 0)
    return Answer(status=Status.OPTIMAL, cost=cost, bound=cost, turned=None)


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Find the fewest tiles to turn; the `moves` of the solution are those tiles, its `cost` is their number.

    Infeasible when the numbers of rows and columns differ by an odd number. Time O(tiles). Raises Interrupted on Ctrl-C.
    """
    letters = letters_of(instance.cells)
    if sum(letters.shape) % 2:
        why = "rows + columns is odd, and a wire never leads from an even corner to an odd one"
        return Solution(Status.INFEASIBLE, None, None, None, Stats(), RepairSearch.engine, why)
    solution: Solution = finish(RepairSearch(letters, options), options)
    return solution


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    return Answer(status=solution.status, cost=cost, bound=bound, turned=solution.moves)


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That fewer tiles are not enough cannot be seen by turning them.
    """
    rows, columns = len(instance.cells), len(instance.cells[0])
    if answer.status is Status.INFEASIBLE:
        if (rows + columns) % 2 == 0:
            return f"on a board of {rows} × {columns} tiles there is a solution: turn those of a zigzag as it needs them"
        return None if answer.cost is None and answer.turned is None else "the answer turns tiles, but its status is infeasible"
    if answer.status is Status.OPTIMAL and (answer.cost is None or answer.cost != answer.bound):
        return f"the answer is called optimal, but the number is {answer.cost} and the bound {answer.bound}"
    if answer.cost is not None and (rows + columns) % 2:
        return f"on a board of {rows} × {columns} tiles there is no solution: a wire changes row + column by an even number"
    return None if answer.turned is None else _check_turned(instance, answer)


def _check_turned(instance: Instance, answer: Answer) -> str | None:
    """Turn the tiles and follow the wires."""
    rows, columns = len(instance.cells), len(instance.cells[0])
    board = [bytearray(row, "ascii") for row in instance.cells]
    turned: set[Tile] = set()
    for row, column in answer.turned or ():
        if not (1 <= row <= rows and 1 <= column <= columns):
            return f"there is no tile in row {row}, column {column}"
        if (row, column) in turned:
            return f"the tile in row {row}, column {column} is turned twice"
        turned.add((row, column))
        board[row - 1][column - 1] ^= ord("/") ^ ord("\\")
    if len(turned) != answer.cost:
        return f"{len(turned)} tiles are turned, not {answer.cost}"
    return (
        None if _is_joined(board) else "with these tiles turned, no wire leads from the upper left corner to the lower right one"
    )


def _is_joined(board: Sequence[bytearray]) -> bool:
    """Whether wires lead from the first corner to the last."""
    rows, columns = len(board), len(board[0])
    met = [bytearray(columns + 1) for _ in range(rows + 1)]
    met[0][0] = 1
    waiting = [(0, 0)]
    while waiting:
        i, j = waiting.pop()
        for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            row, column = i + min(down, 0), j + min(right, 0)
            if not (0 <= row < rows and 0 <= column < columns and board[row][column] == ord("\\" if down == right else "/")):
                continue
            if not met[i + down][j + right]:
                met[i + down][j + right] = 1
                waiting.append((i + down, j + right))
    return met[rows][columns] == 1


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, rows: int = 3, columns: int = 5, backslashes: int = 50, solvable: bool = True) -> Instance:
    r"""A board of random tiles, the same for the same arguments.

    backslashes: per cent of tiles that carry \; many of them make a board easy. solvable=False: one column more or less where
    it takes that to make rows + columns odd, so that there is no solution; True: to make it even.
    Raises ValueError for numbers that make no board.
    """
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE and 0 <= backslashes <= 100):
        raise ValueError(f"there is no board of {rows} × {columns} tiles, {backslashes} per cent of them backslashes")
    if (rows + columns) % 2 == solvable:
        columns += 1 if columns == 1 else -1
    drawn = np.frombuffer(random.Random(seed).randbytes(rows * columns), np.uint8).reshape(rows, columns)
    slash, backslash = map(np.uint8, TILES.encode())
    return Instance(cells=board_rows(np.where(drawn < round(2.56 * backslashes), backslash, slash)))


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A board, and the tile that has just been turned (None at the start)."""

    cells: tuple[str, ...]
    turned: Tile | None


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield the board and what it looks like after each turn."""
    cells = list(instance.cells)
    yield Step(tuple(cells), None)
    for row, column in answer.turned or ():
        line = cells[row - 1]
        other = TILES.replace(line[column - 1], "")
        cells[row - 1] = f"{line[: column - 1]}{other}{line[column:]}"
        yield Step(tuple(cells), (row, column))
