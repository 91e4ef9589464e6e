"""Sliding tiles (179): the fewest moves that put the tiles of a board in order, the 8-puzzle and its larger relatives.

A board has one cell less tiles than cells. A move slides the blank up, down, left or right: the tile that was there takes its
place. In order means 1, 2, 3 … row by row, and the blank last. Wanted is the lexicographically first of the shortest sequences,
in the order u, d, l, r.

    tiles      the board row by row, 0 for the blank
    n          number of cells, which are numbered row by row
    home       of tile t the cell t - 1, of the blank the last cell
    moves      an answer: the letters u, d, l, r, which way the blank goes
    tables     for groups of tiles, how many of their own moves bring them home; see `search.tile_tables`
    twin       on a square board, what a tile or cell becomes when rows and columns change places

The bound and its proof: docs/problems/sliding-tiles.md.
"""

from __future__ import annotations

import dataclasses
import functools
import logging
import pathlib
import random
import time
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.prunings import Pruning
from bestfirst.catalogue.sliding_tiles_search import LETTERS, TileSearch
from bestfirst.control import RunOptions, run
from bestfirst.files import write_whole
from bestfirst.formats.tokens import InputError, Tokens, shown
from bestfirst.kernel.cache import TABLE_SUFFIX, folder
from bestfirst.kernel.fingerprint import fingerprint
from bestfirst.result import Interrupted, Limits, Solution, Stats, Status
from bestfirst.search import tile_tables
from bestfirst.search.tile_tables import MAX_CELLS, TileTables, TileTableSearch, table_size, tables_of

log = logging.getLogger("bestfirst")

PRUNINGS: dict[str, Pruning] = {}

TIES = "the lexicographically first moves in the order u, d, l, r"

#: Boards of up to so many cells have one table of all tiles, in which the way home is read off.
EXACT_CELLS = 10

#: Tables of up to so many entries are made without being asked for.
_MOST_ENTRIES = 1 << 23

#: Up to so many when they are asked for.
_MOST_LARGE_ENTRIES = 1 << 27

#: Good groups of tiles; on other boards they are taken in order, as many as the entries allow.
_GROUPS = {
    (4, 4): ((4, 7, 8, 11, 12, 15), (1, 2, 5, 6, 9, 10), (3, 13, 14)),
}
_LARGE_GROUPS = {
    (4, 4): ((1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11, 12, 13, 14, 15)),
    (5, 5): ((13, 18, 19, 20, 23, 24), (11, 12, 16, 17, 21, 22), (4, 5, 9, 10, 14, 15), (1, 2, 3, 6, 7, 8)),
}

_ENGINES = ("tables", "large_tables")

_BLANK = "x"

Tiles = tuple[int, ...]


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="sliding-tiles", forbid_unknown_fields=True):
    """A board. Raises ValueError unless it has each tile once and one blank (0), and at most 64 cells."""

    version: Literal[1] = 1
    rows: int = 3
    columns: int = 3
    tiles: Tiles

    def __post_init__(self) -> None:
        for what, side in (("rows", self.rows), ("columns", self.columns)):
            _require(side >= 1, f"{what} is {side}, it must be at least 1")
        _require_size(self.rows, self.columns)
        cells = self.rows * self.columns
        _require(
            len(self.tiles) == cells, f"there are {len(self.tiles)} tiles for {self.rows} × {self.columns} cells, 0 included"
        )
        missing = sorted(set(range(cells)) - set(self.tiles))
        _require(not missing, f"the tiles must be 0 to {cells - 1}, each once; {missing[0] if missing else None} is missing")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="sliding-tiles"):
    """The moves, and what is proved; `reason` says why there are none, where the board cannot be put in order."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: number of moves
    bound: int | None  #: no sequence is shorter
    moves: str | None
    reason: str | None = None


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


def _require_size(rows: int, columns: int) -> None:
    _require(rows * columns <= MAX_CELLS, f"a board of {rows} × {columns} has more than {MAX_CELLS} cells")


# --- judge format -------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Read nine tokens, 1 to 8 and x; before a board of another size stands its size as one token, such as 4x4.

    What follows is read as the next board. Raises InputError where the text is bad, also when there is no board at all.
    """
    tokens = Tokens(text)
    while True:
        rows, columns = _read_size(tokens)
        cells = rows * columns
        board: dict[int, None] = {}
        for number in range(1, cells + 1):
            token = tokens.take(f"tile {number} of {cells}")
            plain = token.text.isascii() and token.text.isdigit() and len(token.text) < 4
            value = 0 if token.text == _BLANK else int(token.text) if plain else -1
            if not (token.text == _BLANK or 0 < value < cells):
                token.fail(f"tile {number} of {cells} is {shown(token.text)}; tiles are 1 to {cells - 1}, and x for the blank")
            if value in board:
                token.fail(f"{token.text} is there twice")
            board[value] = None
        yield Instance(rows=rows, columns=columns, tiles=tuple(board))
        if tokens.at_end():
            return


def _read_size(tokens: Tokens) -> tuple[int, int]:
    """Take the size, if there is one: 3 × 3 otherwise."""
    token = tokens.peek()
    sides = [] if token is None else token.text.split(_BLANK)
    if token is None or len(sides) != 2 or not all(side.isascii() and side.isdigit() and len(side) < 4 for side in sides):
        return 3, 3
    rows, columns = map(int, sides)
    if not (rows >= 1 and columns >= 1 and rows * columns <= MAX_CELLS):
        raise InputError(f"the size is {token.text}; a board has 1 to {MAX_CELLS} cells", token.line, token.column)
    tokens.take("the size")
    return rows, columns


def write_instance(instance: Instance) -> str:
    """The judge format of a board: one line, or for another size than 3 × 3 a line for the size and for each row."""
    names = [str(tile) if tile else _BLANK for tile in instance.tiles]
    if (instance.rows, instance.columns) == (3, 3):
        return " ".join(names) + "\n"
    width = instance.columns
    rows = [" ".join(names[at : at + width]) for at in range(0, len(names), width)]
    return "\n".join([f"{instance.rows}x{width}", *rows]) + "\n"


def write(answer: Answer) -> str:
    """The moves on a line, or `unsolvable`. Raises ValueError when the search was stopped."""
    if answer.status is Status.INFEASIBLE:
        return "unsolvable\n"
    _require(answer.status is Status.OPTIMAL, f"the search was stopped: it takes at least {answer.bound} moves")
    return f"{answer.moves}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a line for each board; an empty one is a sequence of no moves. Raises InputError for other letters, or more lines."""
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines()]
    answers = []
    for number, line in enumerate([*lines, *[""] * (len(instances) - len(lines))], 1):
        if number > len(instances):
            if line:
                raise InputError("expected the end: every board has its line", number, 1)
        elif line == "unsolvable":
            answers.append(Answer(status=Status.INFEASIBLE, cost=None, bound=None, moves=None))
        elif line.strip(LETTERS):
            column = next(i for i, letter in enumerate(line, 1) if letter not in LETTERS)
            raise InputError(f"expected moves u, d, l, r or `unsolvable`, found {shown(line[column - 1 :])}", number, column)
        else:
            answers.append(Answer(status=Status.OPTIMAL, cost=len(line), bound=len(line), moves=line))
    return answers


# --- tables -------------------------------------------------------------------------------------------------------------


def groups_of(rows: int, columns: int, *, large: bool = False, most_bytes: int | None = None) -> tuple[Tiles, ...]:
    """Which tiles share a table; with `most_bytes`, so that the tables and the making of them take no more, if possible."""
    cells = rows * columns
    if cells <= EXACT_CELLS:
        return (tuple(range(1, cells)),)
    most = _MOST_LARGE_ENTRIES if large else _MOST_ENTRIES
    groups = (_LARGE_GROUPS if large else _GROUPS).get((rows, columns)) or _in_order(cells, most)
    while most_bytes is not None and max(map(len, groups)) > 1 and _bytes_needed(cells, groups) > most_bytes:
        most = table_size(cells, max(map(len, groups))) - 1
        groups = _in_order(cells, most)
    return groups


def _in_order(cells: int, most: int) -> tuple[Tiles, ...]:
    """The tiles in groups as large as tables of so many entries allow."""
    size = max((k for k in range(1, cells - 1) if table_size(cells, k) <= most), default=1)
    return tuple(tuple(range(first, min(first + size, cells))) for first in range(1, cells, size))


def _bytes_needed(cells: int, groups: Sequence[Tiles]) -> int:
    """About as much memory as making the tables takes: a byte an entry, and three bits for each of some three states."""
    sizes = [table_size(cells, len(group)) for group in groups]
    return sum(sizes) + max(sizes) * 9 // 8 + (1 << 20)


def build_tables(rows: int, columns: int, *, large: bool = False, **options: Unpack[RunOptions]) -> bool:
    """Make the tables for boards of this size and keep them in the cache folder, unless they are there; False when stopped.

    `large`: those that are only made when asked for. For the 15-puzzle 577 MB in half a minute, 1.1 GB of memory while they are
    made; for the 24-puzzle 510 MB. From then on every search uses them.
    """
    Instance(rows=rows, columns=columns, tiles=tuple(range(rows * columns)))  # refuses sizes that are not possible
    return min(rows, columns) == 1 or isinstance(
        _tables(rows, columns, groups_of(rows, columns, large=large), options), TileTables
    )


def _tables(rows: int, columns: int, groups: tuple[Tiles, ...], options: RunOptions) -> TileTables | Solution:
    """The tables, from memory, from the cache folder, or made now; when that was stopped, what the engine says."""
    known = _known_tables(rows, columns, groups)
    if known is not None:
        return known
    if sum(table_size(rows * columns, len(group)) for group in groups) > _MOST_ENTRIES:
        log.info("sliding tiles: making large tables, once")
    search = TileTableSearch(rows, columns, groups, options)
    solution = run(search, options)
    tables = search.result(solution)
    if tables is None:
        return solution
    _in_memory[rows, columns, groups] = tables
    path = _path(rows, columns, groups)
    if path is not None and rows * columns > EXACT_CELLS:
        try:
            write_whole(path, lambda file: np.save(file, tables.entries), durable=False)
        except OSError as error:
            log.warning("sliding tiles: the tables could not be kept: %s", error)
    return tables


#: Tables that this process has made or read.
_in_memory: dict[tuple[int, int, tuple[Tiles, ...]], TileTables] = {}


def _known_tables(rows: int, columns: int, groups: tuple[Tiles, ...]) -> TileTables | None:
    """The tables, if they are in memory or in the cache folder."""
    if (rows, columns, groups) in _in_memory:
        return _in_memory[rows, columns, groups]
    path = _path(rows, columns, groups)
    if path is None or not path.exists():
        return None
    try:
        entries = np.asarray(np.load(path, mmap_mode="c", allow_pickle=False))  # what is never looked up is never read
    except (OSError, ValueError, EOFError):  # damaged: they are made again
        return None
    expected = sum(table_size(rows * columns, len(group)) for group in groups)
    if entries.shape != (expected,) or entries.dtype != np.uint8:
        return None
    tables = _in_memory[rows, columns, groups] = tables_of(rows * columns, groups, entries)
    return tables


def _path(rows: int, columns: int, groups: tuple[Tiles, ...]) -> pathlib.Path | None:
    """Where the tables are kept: under a name that changes with the program that makes them."""
    place = folder()
    return None if place is None else place / f"tiles-{rows}x{columns}-{_stamp(groups)[:32]}{TABLE_SUFFIX}"


@functools.cache
def _stamp(groups: tuple[Tiles, ...]) -> str:
    made_by = (tile_tables.count_regions, tile_tables.find_steps, tile_tables.fill_turns, tile_tables.grow_layers)
    return fingerprint(*made_by, groups)


# --- search -------------------------------------------------------------------------------------------------------------


def search(instance: Instance, *, engine: str | None = None, **options: Unpack[RunOptions]) -> Solution:
    """Find the lexicographically first of the shortest sequences; Infeasible, with the reason in `why`, when there is none.

    engine   tables: those that are made within a second or so where they are not in the cache folder yet; large_tables: larger
             ones, which for the 15-puzzle take half a minute. None: the large ones if they are in the cache folder, else
             the others.

    The time limit holds for making tables as well, the node limit for the search. A memory limit chooses smaller tables.
    ValueError for an unknown engine; Interrupted on Ctrl-C.
    """
    _require(engine in (None, *_ENGINES), f"the engine {engine!r} is not for this problem; there are: {', '.join(_ENGINES)}")
    rows, columns = instance.rows, instance.columns
    reason = _why_unsolvable(instance)
    if reason is not None:
        return Solution(Status.INFEASIBLE, None, None, None, Stats(), "parity", reason)
    if min(rows, columns) == 1:
        return _along_a_line(instance)
    begin = time.perf_counter()
    limits = options.get("limits") or Limits()
    large = engine == "large_tables"
    groups = groups_of(rows, columns, large=large, most_bytes=limits.memory)
    if (
        engine is None
        and limits.memory is None
        and _known_tables(rows, columns, groups_of(rows, columns, large=True)) is not None
    ):
        groups = groups_of(rows, columns, large=True)
    why = f"tables of {' + '.join(str(len(group)) for group in groups)} tiles"
    building: RunOptions = {**options, "limits": dataclasses.replace(limits, nodes=None), "checkpoint": None, "resume": None}
    try:
        tables = _tables(rows, columns, groups, building)
    except Interrupted as stop:
        raise Interrupted(_without_tables(instance, stop.solution)) from None
    if isinstance(tables, Solution):
        return _without_tables(instance, tables)
    if limits.time is not None:
        limits = dataclasses.replace(limits, time=max(0.0, limits.time - (time.perf_counter() - begin)))
    options = {**options, "limits": limits}
    return run(TileSearch(rows, columns, instance.tiles, tables, why, options), options)


def _along_a_line(instance: Instance) -> Solution:
    """In one row or column the tiles are in order already, and the blank goes to its end."""
    steps = len(instance.tiles) - 1 - instance.tiles.index(0)
    moves = (LETTERS.index("r" if instance.rows == 1 else "d"),) * steps
    return Solution(
        Status.OPTIMAL, steps, moves, steps, Stats(expanded=steps, generated=steps), "line", "tiles cannot pass each other"
    )


def _without_tables(instance: Instance, stopped: Solution) -> Solution:
    """What is known when the tables could not be made: every tile must go home by its rows and columns."""
    bound = 0
    for cell, tile in enumerate(instance.tiles):
        if tile:
            bound += sum(
                abs(a - b) for a, b in zip(divmod(cell, instance.columns), divmod(tile - 1, instance.columns), strict=True)
            )
    why = "stopped while the tables were made"
    return Solution(Status.STOPPED, None, None, bound, stopped.stats, stopped.engine, why, stopped.stopped_by)


def _why_unsolvable(instance: Instance) -> str | None:
    """The reason, or None for a board that can be put in order. Source: W. W. Johnson and W. E. Story (1879)."""
    if min(instance.rows, instance.columns) == 1:
        order = [tile for tile in instance.tiles if tile]
        return None if order == sorted(order) else "in a single line tiles cannot pass each other"
    exchanges, seen = 0, set()
    for first in range(len(instance.tiles)):
        cell = first
        while cell not in seen:  # once round a cycle of the permutation, which takes an exchange less than it has cells
            seen.add(cell)
            exchanges += cell != first
            cell = (instance.tiles[cell] - 1) % len(instance.tiles)
    row, column = divmod(instance.tiles.index(0), instance.columns)
    steps = instance.rows - 1 - row + instance.columns - 1 - column
    if exchanges % 2 == steps % 2:
        return None
    kinds = ("an even", "an odd")
    return (
        f"order takes {kinds[exchanges % 2]} number of exchanges, but the blank comes home by {kinds[steps % 2]} number of moves,"
        " each of which is an exchange"
    )


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the board, as a value that can be kept."""
    moves = None if solution.moves is None else "".join(LETTERS[move] for move in solution.moves)
    cost, bound = solution.whole_numbers()
    reason = solution.why if solution.status is Status.INFEASIBLE else None
    return Answer(status=solution.status, cost=cost, bound=bound, moves=moves, reason=reason)


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker: the rules once more, simply -------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That no shorter sequence exists cannot be seen by making its moves; that there is none at all can.
    """
    return _check_claim(instance, answer) or _check_moves(instance, answer)


def _check_claim(instance: Instance, answer: Answer) -> str | None:
    """Whether status, cost, bound and moves fit together, and whether the board can be put in order."""
    status, cost, bound, moves = answer.status, answer.cost, answer.bound, answer.moves
    if (status is Status.INFEASIBLE) == _can_be_ordered(instance):
        can = "cannot" if status is not Status.INFEASIBLE else "can"
        return f"the status is {status}, but the tiles {can} be put in order"
    has_moves = status in (Status.OPTIMAL, Status.FEASIBLE)
    if (moves is not None) != has_moves or (cost is not None) != has_moves:
        return f"the status {status} does not go with moves {moves} and cost {cost}"
    if moves is not None and cost != len(moves):
        return f"the cost is {cost}, but there are {len(moves)} moves"
    if status is Status.OPTIMAL and bound != cost:
        return f"the answer is called optimal with cost {cost}, but its bound is {bound}"
    if bound is not None and cost is not None and bound > cost:
        return f"the bound is {bound}, but the cost is only {cost}"
    return None


def _can_be_ordered(instance: Instance) -> bool:
    """By counting the pairs of tiles that stand in the wrong order: on boards of odd width no move changes their parity."""
    order = [tile for tile in instance.tiles if tile]
    if min(instance.rows, instance.columns) == 1:
        return order == sorted(order)
    wrong = sum(a > b for i, a in enumerate(order) for b in order[i + 1 :])
    if instance.columns % 2 == 0:  # a move up or down passes an odd number of tiles
        wrong += instance.rows - 1 - instance.tiles.index(0) // instance.columns
    return wrong % 2 == 0


def _check_moves(instance: Instance, answer: Answer) -> str | None:
    """Make the moves."""
    if answer.moves is None:
        return None
    board = [list(row) for row in _rows(instance, instance.tiles)]
    row, column = divmod(instance.tiles.index(0), instance.columns)
    for number, letter in enumerate(answer.moves, 1):
        if letter not in LETTERS:
            return f"move {number} is {letter!r}; moves are u, d, l and r"
        down, right = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}[letter]
        if not (0 <= row + down < instance.rows and 0 <= column + right < instance.columns):
            return f"move {number} ({letter}): the blank would leave the board"
        board[row][column], board[row + down][column + right] = board[row + down][column + right], 0
        row, column = row + down, column + right
    tiles = [tile for line in board for tile in line]
    wrong = [tile for cell, tile in enumerate(tiles, 1) if tile not in (0, cell)]
    return f"after the last move tile {wrong[0]} is not in its place" if wrong else None


def _rows(instance: Instance, tiles: Sequence[int]) -> list[tuple[int, ...]]:
    return [tuple(tiles[at : at + instance.columns]) for at in range(0, len(tiles), instance.columns)]


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, rows: int = 3, columns: int = 3, moves: int | None = None, solvable: bool | None = True) -> Instance:
    """A board, the same for the same arguments: all boards are alike probable, or those that so many random moves lead to.

    moves: of the blank from the ordered board, none straight back. solvable=False: a board that cannot be put in order;
    None: either.
    Raises ValueError for sizes that are not possible, and when there is no such board.
    """
    _require(rows >= 1 and columns >= 1, f"there is no board of {rows} × {columns} cells")
    _require_size(rows, columns)
    rng = random.Random(seed)
    cells = rows * columns
    if moves is not None:
        _require(moves >= 0 and cells > 1, f"there is no walk of {moves} moves on {rows} × {columns} cells")
        _require(solvable is not False, "a board that moves lead to can be put in order")
        return Instance(rows=rows, columns=columns, tiles=_random_walk(rng, rows, columns, moves))
    tiles = list(range(cells))
    rng.shuffle(tiles)
    _require(solvable is not False or cells > 2, f"every board of {rows} × {columns} cells can be put in order")
    if min(rows, columns) == 1 and solvable is not None:
        order = list(range(1, cells)) if solvable else [*range(2, cells), 1]
        order.insert(tiles.index(0), 0)
        return Instance(rows=rows, columns=columns, tiles=tuple(order))
    instance = Instance(rows=rows, columns=columns, tiles=tuple(tiles))
    if solvable is None or solvable == (_why_unsolvable(instance) is None):
        return instance
    a, b = (tiles.index(tile) for tile in (1, 2))  # an exchange of two tiles changes whether it can
    tiles[a], tiles[b] = tiles[b], tiles[a]
    return Instance(rows=rows, columns=columns, tiles=tuple(tiles))


def _random_walk(rng: random.Random, rows: int, columns: int, moves: int) -> Tiles:
    tiles = [*range(1, rows * columns), 0]
    row, column, last = rows - 1, columns - 1, (0, 0)
    for _ in range(moves):
        ways = [
            (down, right)
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))
            if 0 <= row + down < rows and 0 <= column + right < columns
        ]
        others = [way for way in ways if way != (-last[0], -last[1])]
        last = rng.choice(others or ways)
        here, there = row * columns + column, (row + last[0]) * columns + column + last[1]
        tiles[here], tiles[there] = tiles[there], 0
        row, column = row + last[0], column + last[1]
    return tuple(tiles)


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A board on the way: the move that led there (None at the start), its rows, and the cell that the blank came from."""

    move: str | None
    board: tuple[tuple[int, ...], ...]
    left: tuple[int, int] | None


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield the board at the start and after each move."""
    tiles = list(instance.tiles)
    yield Step(None, tuple(_rows(instance, tiles)), None)
    for letter in answer.moves or "":
        blank = tiles.index(0)
        cell = blank + {"u": -instance.columns, "d": instance.columns, "l": -1, "r": 1}[letter]
        tiles[blank], tiles[cell] = tiles[cell], 0
        yield Step(letter, tuple(_rows(instance, tiles)), divmod(blank, instance.columns))
