"""IDA* for sliding tiles, with the tables of `search.tile_tables`.

    board      (n,) int64: the tile of each cell, 0 for the blank
    cell_of    (2 n,) int64: the cell of each tile; then, on a square board, the same of its twin
    twin       the board with rows and columns exchanged: tile and cell become those of the other side of the diagonal. It takes
               as many moves, but its tiles are in other groups
    shape      (2 × groups,) uint64: the cells of each group of tiles as bits, of the board and of the twin
    value      (2 × groups,) int64: the distance of each group
    total      sum of the distances of the groups; twin_total: of the twin
    records    (slots × 3,) int64: for each move on the way the move, and the values that it changed, as they were before

Why not `ida_star`: a move changes the distance of one group of the board and of one of the twin. Here these are looked up once
and taken back from the stack, and the twin is only asked where the board's own sum does not cut. The generic one, whose problem
keeps nothing aside, looks up six values where this looks up one or two.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, FULL, PAUSED, RunOptions
from bestfirst.kernel import Int, kernel, unsigned
from bestfirst.search.compiled import BOUND, DEPTH, EXPANDED, GENERATED, INCUMBENT, NONE, OWN, PRUNED, STOP_AT
from bestfirst.search.explicit import ArraySearch
from bestfirst.search.tile_tables import TileTables
from bestfirst.store import enlarged

#: Up, down, left, right; the opposite of a move is move ^ 1.
LETTERS = "udlr"

MOVE = OWN  #: the next to try
TOTAL = OWN + 1
TWIN_TOTAL = OWN + 2
FOLLOWING = OWN + 3  #: the least length that was cut in this iteration
BLANK = OWN + 4

_RECORD = 3


class Board(NamedTuple):
    """What does not change in a search."""

    beside: np.ndarray  #: (n × 4,) int64: the cell up, down, left, right of each, or -1
    twin: np.ndarray  #: (n,) int64: the cell on the other side of the diagonal; empty unless there is a twin


class Memory(NamedTuple):
    """The working memory; see the legend."""

    board: np.ndarray
    cell_of: np.ndarray
    shape: np.ndarray
    value: np.ndarray
    records: np.ndarray


@kernel
def look_up_all(tables: TileTables, memory: Memory, twins: Int, counters: np.ndarray) -> Int:
    """Fill in `shape`, `value` and the sums; the greater sum."""
    n = memory.board.shape[0]
    groups = tables.start.shape[0]
    for side in range(1 + twins):
        total = 0
        for group in range(groups):
            shape = unsigned(0)
            for i in range(tables.first[unsigned(group)], tables.first[unsigned(group + 1)]):
                shape |= unsigned(1) << unsigned(memory.cell_of[unsigned(side * n + tables.tiles[unsigned(i)])])
            value = tables.value(memory.cell_of, side * n, group, shape, 0, 0)
            memory.shape[unsigned(side * groups + group)] = shape
            memory.value[unsigned(side * groups + group)] = value
            total += value
        counters[TOTAL + side] = total
    return max(counters[TOTAL], counters[TWIN_TOTAL])


@kernel
def search_tiles(tables: TileTables, fixed: Board, memory: Memory, counters: np.ndarray) -> Int:
    """Advance until the node budget is used up; see `control` for the outcomes. O(size of a group) a node.

    counters[BOUND] is the threshold: longer ways are cut.
    """
    board, cell_of, shape, value, records = memory
    n = board.shape[0]
    groups = tables.start.shape[0]
    has_twin = fixed.twin.shape[0] > 0
    budget = counters[STOP_AT] - counters[GENERATED]
    threshold = counters[BOUND]
    depth = counters[DEPTH]
    total = counters[TOTAL]
    twin_total = counters[TWIN_TOTAL]
    blank = counters[BLANK]
    move = counters[MOVE]
    following = counters[FOLLOWING]
    pruned = 0
    expanded = 0
    outcome = PAUSED
    last = records[unsigned(_RECORD * (depth - 1))] if depth > 0 else -1
    while budget > 0:
        if total == 0:
            counters[INCUMBENT] = depth
            outcome = FOUND
            break
        if move == 4:
            if depth == 0:
                if following == NONE:
                    outcome = EXHAUSTED
                    break
                threshold = following
                following = NONE
                move = 0
                expanded += 1
                continue
            depth -= 1
            at = _RECORD * depth
            move = records[unsigned(at)]
            cell = blank
            blank = fixed.beside[unsigned(4 * cell + (move ^ 1))]
            tile = board[unsigned(blank)]
            group = tables.part_of[unsigned(tile)]
            total += records[unsigned(at + 1)] - value[unsigned(group)]
            value[unsigned(group)] = records[unsigned(at + 1)]
            shape[unsigned(group)] ^= (unsigned(1) << unsigned(cell)) | (unsigned(1) << unsigned(blank))
            cell_of[unsigned(tile)] = cell
            board[unsigned(cell)] = tile
            board[unsigned(blank)] = 0
            # From here on `blank` is where the blank was before the move, and `cell` where the tile goes back to.
            if has_twin:
                other = fixed.twin[unsigned(tile - 1)] + 1
                group = groups + tables.part_of[unsigned(other)]
                back = fixed.twin[unsigned(cell)]
                twin_total += records[unsigned(at + 2)] - value[unsigned(group)]
                value[unsigned(group)] = records[unsigned(at + 2)]
                shape[unsigned(group)] ^= (unsigned(1) << unsigned(back)) | (unsigned(1) << unsigned(fixed.twin[unsigned(blank)]))
                cell_of[unsigned(n + other)] = back
            last = records[unsigned(at - _RECORD)] if depth > 0 else -1
            move += 1
            continue
        this = move
        move += 1
        cell = fixed.beside[unsigned(4 * blank + this)]
        if cell < 0 or this ^ 1 == last:
            continue
        budget -= 1
        tile = board[unsigned(cell)]
        group = tables.part_of[unsigned(tile)]
        moved = shape[unsigned(group)] ^ ((unsigned(1) << unsigned(cell)) | (unsigned(1) << unsigned(blank)))
        near = tables.value(cell_of, 0, group, moved, tile, blank)
        length = depth + 1 + total - value[unsigned(group)] + near
        if length > threshold:
            following = min(following, length)
            pruned += 1
            continue
        if 3 * depth == records.shape[0]:
            move = this
            budget += 1
            outcome = FULL
            break
        at = _RECORD * depth
        if has_twin:
            other = fixed.twin[unsigned(tile - 1)] + 1
            twin_group = tables.part_of[unsigned(other)]
            to = fixed.twin[unsigned(blank)]
            place = groups + twin_group
            twin_moved = shape[unsigned(place)] ^ (
                (unsigned(1) << unsigned(fixed.twin[unsigned(cell)])) | (unsigned(1) << unsigned(to))
            )
            twin_near = tables.value(cell_of, n, twin_group, twin_moved, other, to)
            length = depth + 1 + twin_total - value[unsigned(place)] + twin_near
            if length > threshold:
                following = min(following, length)
                pruned += 1
                continue
            records[unsigned(at + 2)] = value[unsigned(place)]
            twin_total += twin_near - value[unsigned(place)]
            value[unsigned(place)] = twin_near
            shape[unsigned(place)] = twin_moved
            cell_of[unsigned(n + other)] = to
        records[unsigned(at)] = this
        records[unsigned(at + 1)] = value[unsigned(group)]
        total += near - value[unsigned(group)]
        value[unsigned(group)] = near
        shape[unsigned(group)] = moved
        cell_of[unsigned(tile)] = blank
        board[unsigned(blank)] = tile
        board[unsigned(cell)] = 0
        blank = cell
        last = this
        depth += 1
        expanded += 1
        move = 0
    counters[GENERATED] = counters[STOP_AT] - budget
    counters[EXPANDED] += expanded
    counters[PRUNED] += pruned
    counters[BOUND] = threshold
    counters[DEPTH] = depth
    counters[TOTAL] = total
    counters[TWIN_TOTAL] = twin_total
    counters[BLANK] = blank
    counters[MOVE] = move
    counters[FOLLOWING] = following
    return outcome


class TileSearch(ArraySearch):
    """A search for the first of the shortest ways home; `solution.moves` are indexes into LETTERS."""

    engine = "tile_search"
    parts = ("memory",)

    def __init__(
        self, rows: int, columns: int, tiles: tuple[int, ...], tables: TileTables, why: str, options: RunOptions
    ) -> None:
        super().__init__([np.array([rows, columns, *tiles]), tables.first, tables.tiles], options)
        n, groups = rows * columns, len(tables.start)
        self.tables, self.why = tables, why
        cells = [divmod(cell, columns) for cell in range(n)]
        beside = [
            r * columns + c if 0 <= r < rows and 0 <= c < columns else -1
            for row, column in cells
            for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        ]
        has_twin = rows == columns and groups > 1  # one table of all tiles is exact
        twin = np.array([column * columns + row for row, column in cells] if has_twin else [], np.int64)
        self.fixed = Board(np.array(beside, np.int64), twin)
        cell_of = np.zeros(2 * n, np.int64)
        cell_of[:n] = np.argsort(tiles)
        if has_twin:
            cell_of[n + 1 + twin[:-1]] = twin[cell_of[1:n]]
        shape, value = np.zeros(2 * groups, np.uint64), np.zeros(2 * groups, np.int64)
        self.memory = Memory(np.array(tiles, np.int64), cell_of, shape, value, np.zeros(64 * _RECORD, np.int64))
        c = self.counters
        c[BLANK] = cell_of[0]
        c[FOLLOWING] = c[INCUMBENT] = NONE
        c[GENERATED] = 1
        c[BOUND] = self.call(look_up_all, tables, self.memory, int(has_twin), c)

    def advance(self, stop_at: int) -> int:
        """Go on until `generated` reaches `stop_at`."""
        self.counters[STOP_AT] = stop_at
        return self.call(search_tiles, self.tables, self.fixed, self.memory, self.counters)

    def enlarge(self) -> None:
        """Make room for twice as many moves."""
        self.memory = self.memory._replace(records=enlarged(self.memory.records, 2 * len(self.memory.records)))

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """The way home, once it is found."""
        cost = int(self.counters[INCUMBENT])
        return None if cost == NONE else (cost, tuple(self.memory.records[: cost * _RECORD : _RECORD].tolist()))

    def bytes(self) -> int:
        """Size of the search's own arrays and of the tables."""
        return super().bytes() + self.tables.entries.nbytes
