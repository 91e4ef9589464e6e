"""Mayan game: clear a board of coloured blocks in exactly n moves.

Blocks stand in columns, without gaps. A move swaps a block with its left or right neighbour, or slides it into an empty
neighbour cell. Then blocks fall, all runs of three or more equal blocks in a row or a column vanish at the same time, blocks
fall again, and so on until nothing vanishes. Nothing falls or vanishes before the first move. Wanted is the lexicographically
first solution, comparing x, then y, then right (1) before left (-1).

    n          the number of moves, exactly
    x, y       column from the left and row from the bottom, both from 0
    g          direction of a move: 1 right, -1 left
    move       x << (bits + 1) | y << 1 | (1 for left, 0 for right): numbers grow in the wanted order
    column     an integer, four bits a cell, the bottom cell lowest; 0 is an empty cell
    mask       a set of cells of a column: bit 4·y stands for row y
    tally      an integer for each colour: `bits` bits a column say how many of its blocks stand there; the total is above
    state      (columns + colours,) int64: the columns, then the tallies

The bound and why prunings lose nothing: docs/problems/mayan-game.md.
Source: NOIP 2011, day 1, problem 3.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.prunings import Kind, Pruning, require_known
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens
from bestfirst.kernel import integer, kernel, trailing_zeros, unsigned
from bestfirst.operations import ILLEGAL, UNREACHABLE, problem
from bestfirst.result import Solution, Status
from bestfirst.search.depth_first import depth_first

#: What the packing of a state allows.
MAX_COLUMNS, MAX_ROWS, MAX_COLOURS, MAX_MOVES = 13, 15, 15, 1_000_000

#: The judge format: columns, rows, largest colour.
_COLUMNS, _ROWS, _COLOURS = 5, 7, 10

Move = tuple[int, int, int]
Columns = tuple[tuple[int, ...], ...]


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="mayan-game", forbid_unknown_fields=True):
    """A board, its columns from left to right, each from the bottom up, and the exact number of moves.

    Colours are any positive numbers, at most 15 different ones; at most 13 columns and 15 rows.
    """

    version: int = 1
    n: int
    columns: Columns
    rows: int = _ROWS

    def __post_init__(self) -> None:
        _require(self.version == 1, f"version {self.version} is not known; this is version 1")
        _require(0 <= self.n <= MAX_MOVES, f"n is {self.n}, it must be from 0 to {MAX_MOVES}")
        _require(1 <= self.rows <= MAX_ROWS, f"rows is {self.rows}, it must be from 1 to {MAX_ROWS}")
        width = len(self.columns)
        _require(1 <= width <= MAX_COLUMNS, f"there are {width} columns, there must be 1 to {MAX_COLUMNS}")
        for x, column in enumerate(self.columns):
            _require(len(column) <= self.rows, f"column {x} has {len(column)} blocks in {self.rows} rows")
            _require(all(colour >= 1 for colour in column), f"column {x} has a colour that is not positive")
        colours = len(_palette(self))
        _require(colours <= MAX_COLOURS, f"there are {colours} colours, at most {MAX_COLOURS} are possible")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="mayan-game"):
    """The moves (x, y, g), g = 1 for right and -1 for left; None when there is no solution or none is known."""

    version: int = 1
    status: Status
    moves: tuple[Move, ...] | None

    def __post_init__(self) -> None:
        _require(self.version == 1, f"version {self.version} is not known; this is version 1")
        solved = self.status in (Status.OPTIMAL, Status.FEASIBLE)
        _require(solved == (self.moves is not None), f"the status {self.status} does not go with moves {self.moves}")


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


def _palette(instance: Instance) -> list[int]:
    """The colours on the board, in increasing order."""
    return sorted({colour for column in instance.columns for colour in column})


# --- judge format -------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Read n and five columns, as often as they come: tokens `n`, then per column colours 1–10 bottom to top, then 0.

    Raises InputError where the text is bad, also when there is no case at all.
    """
    tokens = Tokens(text)
    while True:
        n = tokens.take_integer("the number of moves n", 0, MAX_MOVES)
        yield Instance(n=n, columns=tuple(_read_column(tokens, x) for x in range(_COLUMNS)))
        if tokens.at_end():
            return


def _read_column(tokens: Tokens, x: int) -> tuple[int, ...]:
    column: list[int] = []
    while True:
        token = tokens.peek()
        colour = tokens.take_integer(f"a colour of column {x}, or the 0 that ends it", 0, _COLOURS)
        if colour == 0:
            return tuple(column)
        if len(column) == _ROWS and token is not None:
            token.fail(f"column {x} has more than {_ROWS} blocks; expected the 0 that ends it")
        column.append(colour)


def write_instance(instance: Instance) -> str:
    """The judge format of an instance of five columns, seven rows and colours 1–10; ValueError for any other."""
    _require(len(instance.columns) == _COLUMNS and instance.rows == _ROWS, "the judge format has 5 columns and 7 rows")
    _require(max(_palette(instance), default=1) <= _COLOURS, f"the judge format has colours 1 to {_COLOURS}")
    lines = [" ".join(map(str, (*column, 0))) for column in instance.columns]
    return "\n".join([str(instance.n), *lines]) + "\n"


def write(answer: Answer) -> str:
    """One line `x y g` a move, or `-1`; nothing at all for a solution of no moves.

    Raises ValueError for an answer that is not known, for which the format has no words.
    """
    if answer.moves is not None:
        return "".join(f"{x} {y} {g}\n" for x, y, g in answer.moves)
    _require(answer.status is Status.INFEASIBLE, "the search was stopped: there is nothing to print")
    return "-1\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read the output for these instances. Raises InputError where it has another form, or says more."""
    tokens = Tokens(text)
    answers = [_read_answer(tokens, instance) for instance in instances]
    tokens.require_end("expected the end: every case has its answer")
    return answers


def _read_answer(tokens: Tokens, instance: Instance) -> Answer:
    token = tokens.peek()
    printed = instance.n > 0 or any(instance.columns)  # otherwise solved, with nothing to print: a -1 is the next case's
    if printed and token is not None and token.text == "-1":
        tokens.take("-1")
        return Answer(status=Status.INFEASIBLE, moves=None)
    return Answer(status=Status.OPTIMAL, moves=tuple(_read_move(tokens) for _ in range(instance.n)))


def _read_move(tokens: Tokens) -> Move:
    x = tokens.take_integer("the column x of a move", 0, MAX_COLUMNS - 1)
    y = tokens.take_integer("the row y of a move", 0, MAX_ROWS - 1)
    token = tokens.peek()
    g = tokens.take_integer("the direction of a move, 1 or -1", -1, 1)
    if g == 0 and token is not None:
        token.fail("the direction of a move is 0, it must be 1 (right) or -1 (left)")
    return x, y, g


# --- search -------------------------------------------------------------------------------------------------------------

#: The lowest bit of each of fifteen cells.
_LOW = int("1" * MAX_ROWS, 16)


@kernel(inline=True)
def _equal_cells(a: int, b: int) -> int:
    """Mask of the rows in which two columns have blocks of the same colour."""
    occupied = a | (a >> 1)
    occupied |= occupied >> 2
    different = a ^ b
    different |= different >> 1
    different |= different >> 2
    return occupied & ~different & _LOW


@problem
class MayanGame(NamedTuple):
    """The game as a problem; a move costs 1. The legend of states and moves is at the head of the module."""

    columns: int
    colours: int
    bits: int  #: of a column in a tally, and of y in the number of a move
    shifts: np.ndarray  #: (2^(bits·columns),) uint8: a tally without its total -> one-column shifts that its colour needs
    first_wait: bool  #: of the moves that swap equal blocks, try only the first
    mirror: bool  #: leave out left moves that swap
    few: bool  #: give up when a colour has one or two blocks
    spread: bool  #: use `shifts` in the bound

    def move_count(self) -> int:
        """Numbers of moves; some name cells above the board, which are always empty."""
        return self.columns << (self.bits + 1)

    def move_name(self, move: int) -> str:
        """`x y g`, as in the judge format."""
        return "{} {} {}".format(*_move_of(self, move))

    def apply(self, state: Any, move: int) -> int:
        """Swap or slide, then let fall and vanish."""
        x = integer(move) >> (self.bits + 1)
        row = 4 * ((integer(move) >> 1) & ((1 << self.bits) - 1))
        other = x - 1 if move & 1 else x + 1
        if other < 0 or other >= self.columns:
            return ILLEGAL
        a = (state[unsigned(x)] >> row) & 15
        b = (state[unsigned(other)] >> row) & 15
        if a == 0 or (b != 0 and self.mirror and move & 1):
            return ILLEGAL
        if a == b:
            if self.first_wait and self._waits_before(state, min(x, other), row):
                return ILLEGAL
        elif b != 0:
            self._swap(state, x, other, row)
        else:
            self._slide(state, x, other, row)
        while self._vanish(state):
            pass
        return 1

    def is_goal(self, state: Any) -> bool:
        """Whether the board is empty."""
        blocks = 0
        for x in range(self.columns):
            blocks |= state[unsigned(x)]
        return blocks == 0

    def lower_bound(self, state: Any) -> int:
        """A move shifts at most two blocks, of different colours, by a column each."""
        fields = self.bits * self.columns
        least, total = 0, 0
        for colour in range(self.colours):
            tally = state[unsigned(self.columns + colour)]
            if tally == 0:
                continue
            least = max(least, 1)
            if (tally >> fields) < 3:
                if self.few:
                    return UNREACHABLE
            elif self.spread:
                needed = integer(self.shifts[unsigned(tally & ((1 << fields) - 1))])
                least = max(least, needed)
                total += needed
        return max(least, (total + 1) >> 1)

    def _waits_before(self, state: Any, x: int, row: int) -> bool:
        """Whether a pair of equal neighbours comes before the one at (x, row), (x + 1, row)."""
        for i in range(x):
            if _equal_cells(state[unsigned(i)], state[unsigned(i + 1)]) != 0:
                return True
        return _equal_cells(state[unsigned(x)], state[unsigned(x + 1)]) & ((1 << row) - 1) != 0

    def _swap(self, state: Any, x: int, other: int, row: int) -> None:
        a = (state[unsigned(x)] >> row) & 15
        b = (state[unsigned(other)] >> row) & 15
        difference = (a ^ b) << row
        state[unsigned(x)] ^= difference
        state[unsigned(other)] ^= difference
        change = (1 << (self.bits * other)) - (1 << (self.bits * x))
        state[unsigned(self.columns + a - 1)] += change
        state[unsigned(self.columns + b - 1)] -= change

    def _slide(self, state: Any, x: int, other: int, row: int) -> None:
        """Take the block out of its column and drop it on the other."""
        a = (state[unsigned(x)] >> row) & 15
        column, top = state[unsigned(other)], 0
        while column >> top != 0:
            top += 4
        state[unsigned(other)] = column | a << top
        state[unsigned(x)] = _without_cell(state[unsigned(x)], row)
        state[unsigned(self.columns + a - 1)] += (1 << (self.bits * other)) - (1 << (self.bits * x))

    def _vanish(self, state: Any) -> bool:
        """Remove all runs that are there now, and let fall; whether there were any.

        pair[x] is the mask of rows in which columns x and x + 1 are equal; `farther`, `left`, `right` are pair[x - 2],
        pair[x - 1] and pair[x], all from before anything was removed.
        """
        found = False
        farther, left = 0, 0
        right = self._pair(state, 0)
        for x in range(self.columns):
            column = state[unsigned(x)]
            beyond = self._pair(state, x + 1)
            rise = _equal_cells(column, column >> 4)
            rise &= rise >> 4
            mask = rise | rise << 4 | rise << 8 | farther & left | left & right | right & beyond
            if mask != 0:
                found = True
                self._remove(state, x, mask)
            farther, left, right = left, right, beyond
        return found

    def _pair(self, state: Any, x: int) -> int:
        if x + 1 >= self.columns:
            return 0
        return _equal_cells(state[unsigned(x)], state[unsigned(x + 1)])

    def _remove(self, state: Any, x: int, mask: int) -> None:
        one_block = (1 << (self.bits * self.columns)) + (1 << (self.bits * x))
        column = state[unsigned(x)]
        while mask != 0:
            row = integer(trailing_zeros(mask))
            state[unsigned(self.columns + ((column >> row) & 15) - 1)] -= one_block
            column = _without_cell(column, row)
            mask = (mask & (mask - 1)) >> 4  # what is above has fallen by one cell
        state[unsigned(x)] = column


@kernel(inline=True)
def _without_cell(column: int, row: int) -> int:
    """The column after the cell at bit `row` is taken out and those above it have fallen."""
    return column & ((1 << row) - 1) | column >> (row + 4) << row


def _move_of(game: MayanGame, move: int) -> Move:
    return move >> (game.bits + 1), (move >> 1) & ((1 << game.bits) - 1), -1 if move & 1 else 1


#: `shifts` counts to this: more are not told apart.
_MOST_SHIFTS = 4

#: `shifts` is not used for boards for which it would have more entries (as the 5×7 board has 2^15).
_LARGEST_TABLE = 1 << 21


@functools.cache
def _shift_table(columns: int, bits: int) -> np.ndarray:
    """For each way in which a colour can be spread over the columns: how many shifts of a block by a column it needs."""
    shape = (1 << bits,) * columns
    clipped = np.minimum(np.arange(1 << bits), 3)
    patterns = np.reshape([_clears(p) for p in itertools.product(range(4), repeat=columns)], (4,) * columns)
    needed = np.where(patterns[np.ix_(*[clipped] * columns)], 0, _MOST_SHIFTS).astype(np.uint8)
    more = np.minimum(np.arange(1 << bits) + 1, (1 << bits) - 1)  # the largest number stands for all larger ones
    for distance in range(1, _MOST_SHIFTS):
        near = needed < distance
        reached = np.zeros(shape, bool)
        for source, target in itertools.permutations(range(columns), 2):
            if abs(source - target) == 1:
                beside = np.moveaxis(near.take(more, axis=target), source, 0)
                np.moveaxis(reached, source, 0)[1:] |= beside[:-1]
        needed[reached & ~near] = distance
    return needed.ravel()  # the order of the columns does not matter: a mirrored spread needs as much


@functools.cache
def _clears(blocks: tuple[int, ...]) -> bool:
    """Whether blocks of one colour can vanish in their columns as far as numbers tell; 3 stands for three or more.

    A column of one or two has no vertical run, so each of its blocks is in a horizontal run of its own.
    """
    needy = [x for x, number in enumerate(blocks) if number in (1, 2)]
    if not needy:
        return True
    for first, last in itertools.combinations(range(len(blocks)), 2):
        run = range(first, last + 1)
        if len(run) >= 3 and needy[0] in run and all(blocks[x] for x in run):
            rest = (n - 1 if x in run and n < 3 else n for x, n in enumerate(blocks))
            if _clears(tuple(rest)):
                return True
    return False


def _as_problem(instance: Instance, without: Collection[str]) -> tuple[MayanGame, np.ndarray]:
    """The problem and its start state; colours are renumbered from 1."""
    colour_number = {colour: number for number, colour in enumerate(_palette(instance), 1)}
    columns, colours = len(instance.columns), len(colour_number)
    bits = max(3, instance.rows.bit_length())
    spread = "spread" not in without and 1 << (bits * columns) <= _LARGEST_TABLE
    game = MayanGame(
        columns=columns,
        colours=colours,
        bits=bits,
        shifts=_shift_table(columns, bits) if spread else np.zeros(1, np.uint8),
        first_wait="first-wait" not in without,
        mirror="mirror" not in without,
        few="few" not in without,
        spread=spread,
    )
    state = np.zeros(columns + colours, np.int64)
    for x, column in enumerate(instance.columns):
        for y, colour in enumerate(column):
            state[x] |= colour_number[colour] << (4 * y)
            state[columns + colour_number[colour] - 1] += (1 << (bits * columns)) + (1 << (bits * x))
    return game, state


def search(
    instance: Instance, without: Collection[str] = frozenset(), *, engine: str | None = None, **options: Unpack[RunOptions]
) -> Solution:
    """Find the lexicographically first solution of exactly n moves, or prove that there is none.

    `without` names PRUNINGS to switch off; the answer stays the same. ValueError for an unknown pruning or engine.
    """
    _require(engine in (None, "depth_first"), f"the engine {engine!r} is not for this problem; there is: depth_first")
    require_known(without, PRUNINGS)
    game, start = _as_problem(instance, without)
    return depth_first(game, start, instance.n, exact=True, remember="remember" not in without, **options)


def answer(instance: Instance, solution: Solution) -> Answer:
    """The answer that a solution of `search` gives."""
    if solution.moves is None:
        return Answer(status=solution.status, moves=None)
    return Answer(status=solution.status, moves=tuple(_move_of(solution.problem, move) for move in solution.moves))


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


PRUNINGS = {
    "mirror": Pruning(
        Kind.EQUIVALENT,
        "a left move onto a block is left out: the right move of that block does the same and comes first",
        "both swap the same two blocks",
    ),
    "first-wait": Pruning(
        Kind.EQUIVALENT,
        "of the moves that swap two equal blocks only the first is tried: all of them lead to the same board",
        "the swap itself changes nothing; what vanishes then is the same for all",
    ),
    "few": Pruning(
        Kind.FEASIBILITY,
        "a board with one or two blocks of some colour is given up: they can never vanish",
        "three of a colour vanish at least, and no move makes new blocks",
    ),
    "spread": Pruning(
        Kind.BOUND,
        "a bound on the moves left, from how far the blocks of each colour are from columns where they can vanish",
        "a move takes one block one column further: docs/problems/mayan-game.md",
    ),
    "remember": Pruning(
        Kind.MEMORY,
        "a board met again after the same number of moves is not searched twice",
        "what follows depends on the board and the moves left alone",
    ),
}

TIES = "the lexicographically first moves by x, then y, then 1 before -1"


# --- the rules once more, simply: for the checker, the generator and pictures -------------------------------------------
#
# A board is a list of columns, all of full height; board[x][y] is a colour, or 0 for an empty cell.

Board = list[list[int]]


def _board(instance: Instance) -> Board:
    return [list(column) + [0] * (instance.rows - len(column)) for column in instance.columns]


def _fault(board: Board, move: Move) -> str | None:
    """Why the move is not allowed."""
    x, y, g = move
    if g not in (1, -1):
        return f"the direction is {g}, not 1 or -1"
    if not (0 <= x < len(board) and 0 <= y < len(board[0])):
        return f"there is no cell ({x}, {y})"
    if board[x][y] == 0:
        return f"there is no block in cell ({x}, {y})"
    if not 0 <= x + g < len(board):
        return f"the block in cell ({x}, {y}) would leave the board"
    return None


def _exchange(board: Board, move: Move) -> None:
    x, y, g = move
    board[x][y], board[x + g][y] = board[x + g][y], board[x][y]


def _fall(board: Board) -> None:
    for column in board:
        column.sort(key=lambda colour: colour == 0)  # a stable sort: empty cells go to the top, blocks keep their order


def _runs(board: Board) -> set[tuple[int, int]]:
    """All cells that are part of three equal blocks in a row or a column."""
    cells: set[tuple[int, int]] = set()
    for x, y, (dx, dy) in itertools.product(range(len(board)), range(len(board[0])), ((1, 0), (0, 1))):
        three = [(x + i * dx, y + i * dy) for i in range(3)]
        if three[2][0] < len(board) and three[2][1] < len(board[0]) and board[x][y] != 0:
            cells.update(three if len({board[i][j] for i, j in three}) == 1 else ())
    return cells


def _settle(board: Board) -> None:
    _fall(board)
    while runs := _runs(board):
        for x, y in runs:
            board[x][y] = 0
        _fall(board)


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with the answer by the rules; None when it clears the board in exactly n moves.

    That there is no solution, or none that comes first, cannot be told from the rules: that needs the solver.
    """
    if answer.moves is None:
        return None
    if len(answer.moves) != instance.n:
        return f"there are {len(answer.moves)} moves, there must be exactly {instance.n}"
    board = _board(instance)
    for number, move in enumerate(answer.moves, 1):
        fault = _fault(board, move)
        if fault is not None:
            return f"move {number} {move}: {fault}"
        _exchange(board, move)
        _settle(board)
    left = sum(colour != 0 for column in board for colour in column)
    return f"{left} blocks are left after the last move" if left else None


# --- generator ----------------------------------------------------------------------------------------------------------

_ATTEMPTS = 300


def generate(
    seed: int,
    *,
    n: int = 3,
    columns: int = _COLUMNS,
    rows: int = _ROWS,
    colours: int = 5,
    blocks: int | None = None,
    solvable: bool | None = None,
) -> Instance:
    """A random board without runs; `blocks` is the most it has.

    solvable=True: there is a solution of n moves; False: there is none, proved by the solver; None: either. Solvable boards are
    made backwards, from the empty board, and have about 3·n blocks. Raises ValueError when none is found.
    """
    rng = random.Random(seed)
    _require(1 <= colours <= MAX_COLOURS, f"colours is {colours}, it must be from 1 to {MAX_COLOURS}")
    Instance(n=n, columns=((),) * columns, rows=rows)  # refuses sizes that are not possible
    for _ in range(_ATTEMPTS):
        if solvable:
            board = _solvable_board(rng, n, columns, rows, colours)
        else:
            number = rng.randint(min(3, columns * rows), columns * rows) if blocks is None else blocks
            board = _stable_board(rng, columns, rows, colours, number)
        if board is None or (blocks is not None and _size(board) > blocks):
            continue
        instance = Instance(n=n, columns=tuple(tuple(c for c in column if c) for column in board), rows=rows)
        if solvable is not False or search(instance).status is Status.INFEASIBLE:
            return instance
    raise ValueError(f"no such board was found in {_ATTEMPTS} attempts; allow more blocks, colours or cells")


def _size(board: Board) -> int:
    return sum(colour != 0 for column in board for colour in column)


def _stable_board(rng: random.Random, columns: int, rows: int, colours: int, blocks: int) -> Board:
    """At most `blocks` blocks, dropped at random; a column ends early where every colour would make a run."""
    board = [[0] * rows for _ in range(columns)]
    open_columns = list(range(columns))
    while blocks > 0 and open_columns:
        x = rng.choice(open_columns)
        y = board[x].index(0)
        for colour in rng.sample(range(1, colours + 1), colours):
            board[x][y] = colour
            if not _runs(board):
                blocks -= 1
                break
            board[x][y] = 0
        if 0 not in board[x] or board[x][y] == 0:
            open_columns.remove(x)
    return board


def _solvable_board(rng: random.Random, n: int, columns: int, rows: int, colours: int) -> Board | None:
    """A board that n moves clear, made by taking back random moves from the empty board; None when that got stuck."""
    board = [[0] * rows for _ in range(columns)]
    for _ in range(n):
        earlier = next(filter(None, (_take_back(rng, board, colours) for _ in range(_ATTEMPTS))), None)
        if earlier is None:
            return None
        board = earlier
    return board


def _take_back(rng: random.Random, board: Board, colours: int) -> Board | None:
    """A board without runs from which some move leads to `board`; None when this random try fails."""
    earlier = [list(column) for column in board]
    x, y = rng.randrange(len(board)), rng.randrange(len(board[0]))
    length, colour = rng.choice((3, 3, 3, 4)), rng.randint(1, colours)
    run = [(x + i, y) for i in range(length)] if rng.random() < 0.5 else [(x, y + i) for i in range(length)]
    if not all(_insert(earlier, i, j, colour) for i, j in run):
        return None
    move = _move_back(rng, earlier, *rng.choice(run))
    later = [list(column) for column in earlier]
    _fall(later)
    if move is None or _runs(earlier) or later != earlier:
        return None
    _exchange(later, move)
    _settle(later)
    return earlier if later == board else None


def _move_back(rng: random.Random, board: Board, x: int, y: int) -> Move | None:
    """Take back, on the board, a move that may have brought the block at (x, y) there; the move, or None if it cannot be."""
    g, source, colour = rng.choice((1, -1)), y, board[x][y]
    if not 0 <= x + g < len(board):
        return None
    if rng.random() < 0.5 and not any(board[x][y + 1 :]):  # the top block slid here, from the same row or from above
        source = rng.randrange(y, len(board[0]))
        board[x][y] = 0
        if not _insert(board, x + g, source, colour):
            return None
    else:
        _exchange(board, (x, y, g))
    return x + g, source, -g


def _insert(board: Board, x: int, y: int, colour: int) -> bool:
    """Push a block into a column at row y, lifting those above; False when it cannot be there."""
    if not (0 <= x < len(board) and 0 <= y < len(board[0])) or board[x][-1] != 0 or (y > 0 and board[x][y - 1] == 0):
        return False
    board[x].insert(y, colour)
    board[x].pop()
    return True


# --- pictures -----------------------------------------------------------------------------------------------------------


class Phase(StrEnum):
    """What has just happened on a board of `steps`."""

    START = "start"
    MOVED = "moved"  #: a move was made; its cells are marked
    FELL = "fell"  #: blocks have fallen
    RUNS = "runs"  #: the marked blocks are about to vanish


class Step(NamedTuple):
    """A board on the way, as it is seen between two sub-steps."""

    phase: Phase
    number: int  #: of the move that this belongs to, from 1; 0 for the start
    board: tuple[tuple[int, ...], ...]  #: columns of full height, 0 for an empty cell
    marked: tuple[tuple[int, int], ...]  #: cells (x, y)


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Every board from the start to the last one, with the sub-steps of each move."""
    board = _board(instance)
    yield _step(Phase.START, 0, board)
    for number, move in enumerate(answer.moves or (), 1):
        _exchange(board, move)
        yield _step(Phase.MOVED, number, board, [move[:2], (move[0] + move[2], move[1])])
        moved = [list(column) for column in board]
        _fall(board)
        if board != moved:
            yield _step(Phase.FELL, number, board)
        while runs := _runs(board):
            yield _step(Phase.RUNS, number, board, runs)
            for x, y in runs:
                board[x][y] = 0
            _fall(board)
            yield _step(Phase.FELL, number, board)


def _step(phase: Phase, number: int, board: Board, marked: Collection[tuple[int, int]] = ()) -> Step:
    return Step(phase, number, tuple(map(tuple, board)), tuple(sorted(marked)))
