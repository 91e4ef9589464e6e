"""Knight shuffle (195): twelve white and twelve black knights on 5×5 cells jump into the gap until all stand right.

    cells     five rows of 1 (a white knight), 0 (a black one) and * (the gap)
    jumps     an answer: the cells, row and column from 0, from which a knight jumps into the gap
    most      more jumps than these are not wanted; None: as many as it takes
    state     bits 0 … 24: the white knights, row by row, 0 at the gap; 25 … 29: the cell of the gap; above: jumps left

Up to so many jumps IDA* is used; without a limit, breadth-first search from both ends: docs/problems/knight-shuffle.md.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import RunOptions
from bestfirst.formats.boards import places_of, require_board, rows_of, take_board
from bestfirst.formats.tokens import Tokens, read_numbers
from bestfirst.kernel import integer, population_count, unsigned
from bestfirst.operations import ILLEGAL, UNREACHABLE, problem
from bestfirst.result import Solution, Status
from bestfirst.search.bidirectional import bidirectional_breadth_first
from bestfirst.search.ida_star import ida_star

GOAL = ("11111", "01111", "00*11", "00001", "00000")

#: The judge format asks for no more jumps than this.
MOST_ASKED = 15

#: No board is farther away (a complete breadth-first search through all of them).
FARTHEST = 39

MAX_CASES = 1_000_000

PRUNINGS: dict[str, Pruning] = {}

CASES = "counted"

_SIDE, _LETTERS, _WHITE = 5, "01*", 12
_CELLS = _SIDE * _SIDE
_ABOVE = 30  #: from this bit on a state holds the jumps left
_KNIGHTS, _BOARD = (1 << _CELLS) - 1, (1 << _ABOVE) - 1

#: From the gap to the knight that jumps; number 7 - m leads back from where number m led.
_OFFSETS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))

Cell = tuple[int, int]


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="knight-shuffle", forbid_unknown_fields=True):
    """A board, five strings, and the most jumps. Raises ValueError unless there are 12 times 1, 12 times 0 and one *."""

    version: Literal[1] = 1
    cells: tuple[str, ...]
    most: int | None = MOST_ASKED

    def __post_init__(self) -> None:
        require_board(self.cells, _LETTERS)
        if (len(self.cells), len(self.cells[0])) != (_SIDE, _SIDE):
            raise ValueError(f"the board has {len(self.cells)} × {len(self.cells[0])} cells, it must have {_SIDE} × {_SIDE}")
        fault = _fault(self.cells)
        if fault is not None:
            raise ValueError(fault)
        if self.most is not None and not 0 <= self.most <= FARTHEST:
            raise ValueError(f"most is {self.most}, it must be from 0 to {FARTHEST}, or null")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="knight-shuffle"):
    """The jumps and their number; no jumps when only the number is known, neither when more than `most` are needed."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: how many jumps
    bound: int | None  #: fewer do not do; None when more than `most` are needed
    jumps: tuple[Cell, ...] | None


def _fault(cells: Sequence[str]) -> str | None:
    gaps, white = len(places_of(cells, "*")), len(places_of(cells, "1"))
    if gaps != 1:
        return f"there are {gaps} gaps *, there must be one"
    if white != _WHITE:
        return f"there are {white} white knights 1, there must be {_WHITE}"
    return None


# --- judge format -------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Read T, then T boards of five rows of five letters 0 1 *. What follows is read as another T.

    Raises InputError where the text is bad, also when there is no T at all.
    """
    tokens = Tokens(text)
    while True:
        for _ in range(tokens.take_integer("the number of cases T", 0, MAX_CASES)):
            board = take_board(tokens, _SIDE, _SIDE, _LETTERS)
            fault = _fault(board.cells)
            if fault is not None:
                board.fail(0, 0, fault)
            yield Instance(cells=board.cells)
        if tokens.at_end():
            return


def write_instance(instance: Instance) -> str:
    """The judge format of a board, as a text of one case. Raises ValueError for another limit than the judge format has."""
    if instance.most != MOST_ASKED:
        raise ValueError(f"the judge format asks for at most {MOST_ASKED} jumps, not {instance.most}; JSON has other limits")
    return "1\n" + "\n".join(instance.cells) + "\n"


def write(answer: Answer) -> str:
    """The number of jumps on a line, or -1 when too many are needed. Raises ValueError when it is not known."""
    if answer.status is Status.INFEASIBLE:
        return "-1\n"
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the number is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a number or -1 for each of these boards. Raises InputError where the text is something else, or says more."""
    costs = read_numbers(text, len(instances), "the number of jumps", -1)
    return [_claimed(cost) for cost in costs]


def _claimed(cost: int) -> Answer:
    if cost == -1:
        return Answer(status=Status.INFEASIBLE, cost=None, bound=None, jumps=None)
    return Answer(status=Status.OPTIMAL, cost=cost, bound=cost, jumps=None)


# --- search -------------------------------------------------------------------------------------------------------------


@problem(state=int)
class KnightShuffle(NamedTuple):
    """The game for the engines; move m lets the knight at offset m from the gap jump."""

    source: np.ndarray  #: (25 × 8,) int64: the cell at each offset from each gap, -1 outside the board
    goal: int
    counted: int  #: 1: a state knows how many jumps are left; 0: there is no limit

    def move_count(self) -> int:
        """One for each offset."""
        return 8

    def apply(self, state: Any, move: Any) -> Any:
        """Jump from the cell at that offset into the gap."""
        gap = (state >> _CELLS) & 31
        left = state >> _ABOVE
        cell = self.source[8 * gap + move]
        if cell < 0 or left < self.counted:
            return state, ILLEGAL
        white = (state >> cell) & 1
        knights = (state & _KNIGHTS) ^ (white << cell) | (white << gap)
        return ((left - self.counted) << _ABOVE) | (cell << _CELLS) | knights, 1

    def is_goal(self, state: Any) -> bool:
        """Whether all stand right."""
        return bool(state & _BOARD == self.goal)

    def lower_bound(self, state: Any) -> int:
        """How many knights stand wrong, and one more where the colour of the gap's cell says that the number is odd or even.

        A jump moves one knight, and the gap to a cell of the other colour.
        """
        gap = (state >> _CELLS) & 31
        middle = self.goal >> _CELLS
        wrong = ((state ^ self.goal) & _KNIGHTS & ~(1 << gap)) | (1 << middle)  # in the middle every knight stands wrong
        bound: int = integer(population_count(unsigned(wrong))) - (1 if gap == middle else 0)
        bound += (bound + gap + middle) & 1  # cells next to each other in number differ in colour
        if self.counted == 1 and bound > state >> _ABOVE:
            return UNREACHABLE
        return bound

    def inverse(self, move: Any) -> Any:
        """The knight jumps back."""
        return 7 - move


def state_of(cells: Sequence[str]) -> int:
    """The state of a board."""
    board = "".join(cells)
    return board.index("*") << _CELLS | sum(1 << cell for cell, letter in enumerate(board) if letter == "1")


def _sources() -> np.ndarray:
    table = np.full(8 * _CELLS, -1, np.int64)
    for cell in range(_CELLS):
        for move, (i, j) in enumerate(_OFFSETS):
            row, column = cell // _SIDE + i, cell % _SIDE + j
            if 0 <= row < _SIDE and 0 <= column < _SIDE:
                table[8 * cell + move] = row * _SIDE + column
    return table


GAME, COUNTED_GAME = (KnightShuffle(_sources(), state_of(GOAL), counted) for counted in (0, 1))


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Find fewest jumps, moves of KnightShuffle; infeasible when more than `most` are needed. Raises Interrupted on Ctrl-C."""
    board = state_of(instance.cells)
    if instance.most is None:
        return bidirectional_breadth_first(GAME, board, GAME.goal, **options)
    return ida_star(COUNTED_GAME, instance.most << _ABOVE | board, **options)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the board, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    if solution.moves is None:
        return Answer(status=solution.status, cost=cost, bound=bound, jumps=None)
    (gap,) = places_of(instance.cells, "*")
    jumps = []
    for move in solution.moves:
        gap = gap[0] + _OFFSETS[move][0], gap[1] + _OFFSETS[move][1]
        jumps.append(gap)
    return Answer(status=solution.status, cost=cost, bound=bound, jumps=tuple(jumps))


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    The jumps are made one by one. That fewer would not do cannot be seen by making them.
    """
    status, cost = answer.status, answer.cost
    if status is Status.OPTIMAL:
        if cost is None:
            return "the answer is called optimal, but there is no number of jumps"
        if answer.bound != cost:
            return f"the number of jumps is {cost}, but the bound is {answer.bound}"
        if instance.most is not None and cost > instance.most:
            return f"the number of jumps is {cost}, but at most {instance.most} are wanted"
        return None if answer.jumps is None else _check_jumps(instance, answer.jumps, cost)
    if status is Status.FEASIBLE:
        return "the status is feasible, but the search has no way before it has a shortest one"
    if status is Status.INFEASIBLE and instance.most is None:
        return "the status is infeasible, but every board can be put in order"
    if cost is not None or answer.jumps is not None:
        return f"the answer has a number of jumps, but its status is {status}"
    return None


def _check_jumps(instance: Instance, jumps: Sequence[Cell], cost: int) -> str | None:
    if len(jumps) != cost:
        return f"there are {len(jumps)} jumps, but their number is said to be {cost}"
    board = [list(row) for row in instance.cells]
    for number, (row, column) in enumerate(jumps, 1):
        if not (0 <= row < _SIDE and 0 <= column < _SIDE):
            return f"jump {number} is from row {row + 1}, column {column + 1}, which is outside the board"
        gap_row, gap_column = _gap(board)
        if sorted((abs(row - gap_row), abs(column - gap_column))) != [1, 2]:
            return f"jump {number}: no knight jumps from row {row + 1}, column {column + 1} to the gap"
        board[gap_row][gap_column], board[row][column] = board[row][column], "*"
    for i, row_letters in enumerate(board):
        for j, letter in enumerate(row_letters):
            if letter != GOAL[i][j]:
                return f"after the last jump row {i + 1}, column {j + 1} is {letter}, it must be {GOAL[i][j]}"
    return None


def _gap(board: Sequence[Sequence[str]]) -> Cell:
    return next((i, j) for i in range(_SIDE) for j in range(_SIDE) if board[i][j] == "*")


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, jumps: int | None = None, most: int | None = MOST_ASKED) -> Instance:
    """A board, the same for the same arguments: all boards are alike probable, or those that so many random jumps lead to.

    jumps: from the goal, none of them straight back;  most: as in Instance. Raises ValueError for a negative number.
    """
    rng = random.Random(seed)
    if jumps is None:
        letters = list("1" * _WHITE + "0" * _WHITE + "*")
        rng.shuffle(letters)
        return Instance(cells=rows_of("".join(letters), _SIDE), most=most)
    if jumps < 0:
        raise ValueError(f"there are no {jumps} jumps")
    board = [list(row) for row in GOAL]
    gap, before = _gap(board), None
    for _ in range(jumps):
        around = [(gap[0] + i, gap[1] + j) for i, j in _OFFSETS]
        around = [cell for cell in around if cell != before and 0 <= cell[0] < _SIDE and 0 <= cell[1] < _SIDE]
        before, cell = gap, rng.choice(around)
        board[gap[0]][gap[1]], board[cell[0]][cell[1]] = board[cell[0]][cell[1]], "*"
        gap = cell
    return Instance(cells=tuple(map("".join, board)), most=most)


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A board on the way, and the cell from which a knight has just jumped (None at the start)."""

    cells: tuple[str, ...]
    jump: Cell | None


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield the board at the start and after each jump; the start alone when no jumps are known."""
    board = [list(row) for row in instance.cells]
    yield Step(instance.cells, None)
    for row, column in answer.jumps or ():
        gap_row, gap_column = _gap(board)
        board[gap_row][gap_column], board[row][column] = board[row][column], "*"
        yield Step(tuple(map("".join, board)), (row, column))
