"""Rotation game (181): turn the lines of a #-shaped board until its eight centre cells are equal, in the fewest moves.

The board has 24 cells in two columns and two rows of seven, numbered row by row; eight of them hold a 1, eight a 2, eight a 3.
Each of the moves A to H turns a line by one cell; what leaves it at one end comes in at the other. Wanted is the
lexicographically first of the shortest sequences, whichever number ends in the centre.

    cells      the numbers of the 24 cells, row by row
    moves      an answer: letters A to H
    value      the number in the centre after them

The method and its proof: docs/problems/rotation-game.md.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, Unpack

import msgspec

from bestfirst.catalogue.prunings import Pruning
from bestfirst.catalogue.rotation_game_search import CENTRE, LINES, search_cells
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import InputError, Tokens, shown
from bestfirst.result import Solution, Status

LETTERS = "ABCDEFGH"

PRUNINGS: dict[str, Pruning] = {}

TIES = "the lexicographically first moves"

_NO_MOVES = ("No", "moves", "needed")

_CELLS, _EACH = 24, 8


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="rotation-game", forbid_unknown_fields=True):
    """A board. Raises ValueError unless it has 24 numbers, eight each of 1, 2 and 3."""

    version: Literal[1] = 1
    cells: tuple[int, ...]

    def __post_init__(self) -> None:
        _require(len(self.cells) == _CELLS, f"there are {len(self.cells)} cells, there must be {_CELLS}")
        for number, value in enumerate(self.cells, 1):
            _require(1 <= value <= 3, f"cell {number} is {value}, it must be from 1 to 3")
        for value in (1, 2, 3):
            count = self.cells.count(value)
            _require(count == _EACH, f"{value} is there {count} times, it must be there {_EACH} times")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="rotation-game"):
    """The moves, the number that they bring to the centre, and what is proved."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: number of moves
    bound: int | None  #: no sequence is shorter
    moves: str | None
    value: int | None


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


# --- judge format -------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Yield the boards of a text, 24 numbers each, until 0 or the end of the text.

    Line ends mean no more than blanks. Raises InputError, when it comes to it, where the text is something else.
    """
    tokens = Tokens(text)
    case = 0
    while not tokens.at_end():
        case += 1
        cells: list[int] = []
        for number in range(1, _CELLS + 1):
            token = tokens.peek()
            value = tokens.take_integer(f"cell {number} of {_CELLS} (board {case})", 0 if number == 1 else 1, 3)
            if value == 0:
                return
            if cells.count(value) == _EACH and token is not None:
                token.fail(f"{value} is there a ninth time (board {case}); each of 1, 2 and 3 must be there {_EACH} times")
            cells.append(value)
        yield Instance(cells=tuple(cells))


def write_instance(instance: Instance) -> str:
    """The judge format of a board, without the final 0."""
    return " ".join(map(str, instance.cells)) + "\n"


def write(answer: Answer) -> str:
    """The moves, or `No moves needed`, and the number in the centre, a line each. Raises ValueError when they are not proved."""
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the search was stopped: it takes at least {answer.bound} moves")
    return f"{answer.moves or ' '.join(_NO_MOVES)}\n{answer.value}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read moves and the number in the centre for each board. Raises InputError where the text is something else, or longer."""
    tokens = Tokens(text)
    answers = [_read_answer(tokens, case) for case in range(1, len(instances) + 1)]
    tokens.require_end(f"expected the end of the text after {len(instances)} answers")
    return answers


def _read_answer(tokens: Tokens, case: int) -> Answer:
    token = tokens.take(f"the moves for board {case}")
    moves = "" if token.text == _NO_MOVES[0] else token.text
    if moves:
        for column, letter in enumerate(moves, token.column):
            if letter not in LETTERS:
                message = f"expected moves A to H, or `{' '.join(_NO_MOVES)}`, found {shown(moves)}"
                raise InputError(message, token.line, column)
    else:
        for word in _NO_MOVES[1:]:
            token = tokens.take(f"`{' '.join(_NO_MOVES)}`")
            if token.text != word:
                token.fail(f"expected `{' '.join(_NO_MOVES)}`, found {shown(token.text)}")
    value = tokens.take_integer(f"the number in the centre (board {case})", 1, 3)
    return Answer(status=Status.OPTIMAL, cost=len(moves), bound=len(moves), moves=moves, value=value)


# --- search -------------------------------------------------------------------------------------------------------------


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Find the lexicographically first of the shortest sequences; `moves` are 0 to 7 for A to H. There always is one.

    The first searches of a process take some milliseconds, all others microseconds; 4 MB of memory are kept. Interrupted on
    Ctrl-C.
    """
    return search_cells(instance.cells, options)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the board, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    if solution.moves is None:
        return Answer(status=solution.status, cost=cost, bound=bound, moves=None, value=None)
    cell = CENTRE[0]  # where the number that ends there was before the moves
    for move in reversed(solution.moves):
        line = LINES[move]
        if cell in line:
            cell = line[(line.index(cell) + 1) % len(line)]
    moves = "".join(LETTERS[move] for move in solution.moves)
    return Answer(status=solution.status, cost=cost, bound=bound, moves=moves, value=instance.cells[cell])


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker: the rules once more, simply -------------------------------------------------------------------------------

Place = tuple[int, int]

#: Where the cells are in a square of seven: the two columns and two rows, read row by row.
PLACES: tuple[Place, ...] = tuple((row, column) for row in range(7) for column in range(7) if {row, column} & {2, 4})

#: For each letter: whether the line is a column, which one, and whether its numbers go down or to the right.
_TURNS = {
    "A": (True, 2, False), "B": (True, 4, False), "C": (False, 2, True), "D": (False, 4, True),
    "E": (True, 4, True), "F": (True, 2, True), "G": (False, 4, False), "H": (False, 2, False),
}  # fmt: skip


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That no shorter sequence exists cannot be seen by making its moves.
    """
    return _check_claim(answer) or _check_moves(instance, answer)


def _check_claim(answer: Answer) -> str | None:
    """Whether status, cost, bound, moves and value fit together."""
    status, cost, bound, moves, value = answer.status, answer.cost, answer.bound, answer.moves, answer.value
    if status is Status.INFEASIBLE:
        return "the status is infeasible, but every board can be solved"
    has_moves = status in (Status.OPTIMAL, Status.FEASIBLE)
    if any((part is not None) != has_moves for part in (moves, cost, value)):
        return f"the status {status} does not go with moves {moves}, cost {cost} and value {value}"
    if moves is not None and cost != len(moves):
        return f"the cost is {cost}, but there are {len(moves)} moves"
    if status is Status.OPTIMAL and bound != cost:
        return f"the answer is called optimal with cost {cost}, but its bound is {bound}"
    if bound is not None and cost is not None and bound > cost:
        return f"the bound is {bound}, but the cost is only {cost}"
    return None


def _check_moves(instance: Instance, answer: Answer) -> str | None:
    """Make the moves."""
    if answer.moves is None:
        return None
    board = _board(instance)
    for number, letter in enumerate(answer.moves, 1):
        if letter not in _TURNS:
            return f"move {number} is {letter!r}; moves are A to H"
        _turn(board, letter)
    centre = [board[row, column] for row, column in PLACES if 2 <= row <= 4 and 2 <= column <= 4]
    if len(set(centre)) > 1:
        return f"after the last move the centre is {' '.join(map(str, centre))}, which are not equal"
    if answer.value != centre[0]:
        return f"the number in the centre is {centre[0]}, not {answer.value}"
    return None


def _board(instance: Instance) -> dict[Place, int]:
    return dict(zip(PLACES, instance.cells, strict=True))


def _turn(board: dict[Place, int], letter: str) -> tuple[Place, ...]:
    """Turn the line of a letter; its places."""
    is_column, at, forward = _TURNS[letter]
    line = tuple((i, at) if is_column else (at, i) for i in range(7))
    numbers = [board[place] for place in line]
    turned = [numbers[-1], *numbers[:-1]] if forward else [*numbers[1:], numbers[0]]
    board.update(zip(line, turned, strict=True))
    return line


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, moves: int | None = None) -> Instance:
    """A board, the same for the same arguments: all boards are alike probable, or those that so many random moves lead to.

    moves: from a board with an equal centre, none of them straight back. Raises ValueError for a negative number.
    """
    rng = random.Random(seed)
    values = [1, 2, 3] * _EACH
    rng.shuffle(values)
    if moves is None:
        return Instance(cells=tuple(values))
    _require(moves >= 0, f"there are no {moves} moves")
    value = rng.choice((1, 2, 3))
    others = iter([other for other in values if other != value])
    board = {place: value if max(abs(place[0] - 3), abs(place[1] - 3)) <= 1 else next(others) for place in PLACES}
    back = ""
    for _ in range(moves):
        letter = rng.choice([letter for letter in LETTERS if letter != back])
        _turn(board, letter)
        back = "FEHGBADC"[LETTERS.index(letter)]
    return Instance(cells=tuple(board[place] for place in PLACES))


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A board on the way: the move that led there (None at the start), the numbers, and the places of the line turned."""

    move: str | None
    board: dict[Place, int]
    line: tuple[Place, ...]


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield the board at the start and after each move."""
    board = _board(instance)
    yield Step(None, dict(board), ())
    for letter in answer.moves or "":
        line = _turn(board, letter)
        yield Step(letter, dict(board), line)
