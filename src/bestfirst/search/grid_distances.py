"""Distances in a grid: from each cell to the nearest source, by steps to the four side-neighbours.

    source      (rows × columns,) uint8: 1 = a source
    distance    int32: the distance of a cell, row by row; -1 (UNKNOWN) while there is none

Without walls two *sweeps* do it. The distance is |vertical steps| + |horizontal steps|, so the nearest source is found column by
column and then row by row. Downwards every cell learns how far the nearest source above it is; upwards each row takes over from
the row below, then a run from left to right and one back spread what it knows along the row. After that the row is final: what
lies above it came down, what lies below came up.

    far         more than any distance; stands for "no source yet"

With walls it is a *breadth-first search* from all sources at once. The grid then has a column of walls on its right and a row of
walls above and below, so that no step needs to look whether it leaves the grid.

    stride      columns + 1
    queue       (cells,) uint32: cells in the order in which they were reached

Source of the sweeps: A. Rosenfeld and J. L. Pfaltz, Sequential operations in digital picture processing, J. ACM 13 (1966).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Unpack

import numpy as np

from bestfirst.control import FOUND, PAUSED, RunOptions
from bestfirst.graphs import MAX_SIZE
from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.result import Solution, Stats, Status
from bestfirst.search.compiled import BOUND, EXPANDED, GENERATED, OWN, STOP_AT
from bestfirst.search.explicit import ArraySearch, finish

UNKNOWN, _WALL = -1, -2

ROW = OWN  #: sweeps: the row at hand, rows downwards and then rows upwards
HEAD = OWN + 1  #: breadth-first: how many cells have left the queue
TAIL = OWN + 2  #: breadth-first: how many have entered it

#: Distances, and sums of them, must fit into 32 bits.
_MAX_SIDE = 1 << 28


class Cells(NamedTuple):
    """What a search works on; see the legend. The queue of the sweeps is empty."""

    distance: np.ndarray
    queue: np.ndarray


@kernel
def sweep(source: np.ndarray, cells: Cells, rows: Int, columns: Int, counters: np.ndarray) -> Int:
    """Sweep down and up, row by row, until the first row is final (FOUND) or the budget is used up. O(1) a cell and sweep."""
    far = np.int32(rows + columns)  # all in 32 bits where cells do not wait for each other: then several are done at once
    distance = cells.distance
    while counters[GENERATED] < counters[STOP_AT]:
        number = counters[ROW]
        if number == 2 * rows or columns == 0:
            return FOUND
        downwards = number < rows
        row = number if downwards else 2 * rows - 1 - number
        at = row * columns
        if downwards and row == 0:
            for cell in range(at, at + columns):
                distance[unsigned(cell)] = np.int32(0) if source[unsigned(cell)] != 0 else far
        elif downwards:
            for cell in range(at, at + columns):
                beside = np.int32(distance[unsigned(cell - columns)] + 1)
                distance[unsigned(cell)] = np.int32(0) if source[unsigned(cell)] != 0 else beside
        else:
            if row < rows - 1:
                for cell in range(at, at + columns):
                    here = distance[unsigned(cell)]
                    beside = np.int32(distance[unsigned(cell + columns)] + 1)
                    distance[unsigned(cell)] = beside if beside < here else here
            near = integer(far)
            for cell in range(at, at + columns):
                near = min(near + 1, integer(distance[unsigned(cell)]))
                distance[unsigned(cell)] = near
            for back in range(1, columns + 1):
                cell = at + columns - back
                near = min(near + 1, integer(distance[unsigned(cell)]))
                distance[unsigned(cell)] = near
        counters[ROW] = number + 1
        counters[GENERATED] += columns
        counters[EXPANDED] += columns
    return PAUSED


@kernel(inline=True)
def enter(cells: Cells, cell: Int, near: Int, tail: Int) -> Int:
    """Put a cell into the queue unless it was reached before; the new length of the queue."""
    if cells.distance[unsigned(cell)] == UNKNOWN:
        cells.distance[unsigned(cell)] = near
        cells.queue[unsigned(tail)] = cell
        return tail + 1
    return tail


@kernel
def spread(cells: Cells, stride: Int, counters: np.ndarray) -> Int:
    """Take cells from the queue until it is empty (FOUND) or the budget is used up. O(1) a cell."""
    head = counters[HEAD]
    tail = counters[TAIL]
    begin = head
    stop = head + counters[STOP_AT] - counters[GENERATED]
    outcome = PAUSED
    while head < stop:
        if head == tail:
            outcome = FOUND
            break
        cell = integer(cells.queue[unsigned(head)])
        near = integer(cells.distance[unsigned(cell)]) + 1
        head += 1
        tail = enter(cells, cell - stride, near, tail)
        tail = enter(cells, cell - 1, near, tail)
        tail = enter(cells, cell + 1, near, tail)
        tail = enter(cells, cell + stride, near, tail)
    if head < tail:
        counters[BOUND] = integer(cells.distance[unsigned(cells.queue[unsigned(head)])])
    counters[GENERATED] += head - begin
    counters[EXPANDED] += head - begin
    counters[HEAD] = head
    counters[TAIL] = tail
    return outcome


@dataclass(frozen=True, eq=False)
class GridDistances:
    """The answer of `grid_distances`.

    status      optimal: every distance is known; stopped: those that are not -1 are
    distance    (rows, columns) int32: steps to the nearest source; -1 at walls and where no way leads
    why         which method did it, in words
    """

    status: Status
    distance: np.ndarray
    stats: Stats
    stopped_by: str | None
    why: str


class SweepSearch(ArraySearch):
    """The sweeps at work."""

    engine = "grid_distances"
    parts = ("cells",)

    def __init__(self, source: np.ndarray, options: RunOptions) -> None:
        super().__init__([np.array(source.shape), source], options)
        self.shape = source.shape
        self.source = source.ravel()
        self.cells = Cells(np.empty(source.size, np.int32), np.empty(0, np.uint32))
        self.ended = False

    def advance(self, stop_at: int) -> int:
        self.counters[STOP_AT] = stop_at
        rows, columns = (np.int64(side) for side in self.shape)
        outcome = self.call(sweep, self.source, self.cells, rows, columns, self.counters)
        self.ended = outcome == FOUND
        return outcome

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        return (0, ()) if self.ended else None

    def result(self, solution: Solution) -> GridDistances:
        rows = self.shape[0]
        distance = self.cells.distance.reshape(self.shape)
        distance[: min(rows, max(0, 2 * rows - int(self.counters[ROW])))] = UNKNOWN
        if not self.source.any():
            distance[:] = UNKNOWN
        return GridDistances(solution.status, distance, solution.stats, solution.stopped_by, "no walls: two sweeps")


class SpreadSearch(ArraySearch):
    """The breadth-first search at work."""

    engine = "grid_distances"
    parts = ("cells",)

    def __init__(self, source: np.ndarray, wall: np.ndarray, options: RunOptions) -> None:
        super().__init__([np.array(source.shape), source, wall], options)
        rows, columns = source.shape
        padded = np.full((rows + 2, columns + 1), _WALL, np.int32)
        padded[1:-1, :-1] = np.where(wall != 0, np.int32(_WALL), np.int32(UNKNOWN))
        padded[1:-1, :-1][source != 0] = 0
        starts = np.flatnonzero(padded == 0)
        queue = np.empty(int((padded != _WALL).sum()), np.uint32)
        queue[: len(starts)] = starts
        self.shape = padded.shape
        self.cells = Cells(padded.ravel(), queue)
        self.counters[TAIL] = len(starts)
        self.ended = False

    def advance(self, stop_at: int) -> int:
        self.counters[STOP_AT] = stop_at
        outcome = self.call(spread, self.cells, np.int64(self.shape[1]), self.counters)
        self.ended = outcome == FOUND
        return outcome

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        return (0, ()) if self.ended else None

    def result(self, solution: Solution) -> GridDistances:
        distance = np.maximum(self.cells.distance, UNKNOWN, out=self.cells.distance).reshape(self.shape)[1:-1, :-1]
        return GridDistances(solution.status, distance, solution.stats, solution.stopped_by, "walls: a breadth-first search")


def grid_distances(sources: Any, walls: Any = None, **options: Unpack[RunOptions]) -> GridDistances:
    """Find for every cell of a grid the fewest steps to a source; a step leads to one of the four side-neighbours.

    sources   two-dimensional array of truth values or whole numbers; cells other than 0 are sources
    walls     None, or an array of the same shape; cells other than 0 cannot be entered

    Time O(cells). Memory 5 bytes a cell; with walls 12. Without walls a stopped search knows the last rows, with walls the
    cells nearest to sources.

    Raises TypeError and ValueError for bad arrays, Interrupted (its `solution` is the partial GridDistances) on Ctrl-C.
    """
    source = _grid(sources, "sources")
    search: ArraySearch
    if walls is None:
        search = SweepSearch(source, options)
    else:
        wall = _grid(walls, "walls")
        if wall.shape != source.shape:
            raise ValueError(f"the sources have shape {source.shape}, the walls {wall.shape}")
        if np.any(source & wall):
            row, column = np.argwhere(source & wall)[0].tolist()
            raise ValueError(f"the cell in row {row}, column {column} is both a source and a wall")
        search = SpreadSearch(source, wall, options)
    found: GridDistances = finish(search, options)
    return found


def _grid(values: Any, what: str) -> np.ndarray:
    """An array of 0 and 1, uint8."""
    array = np.asarray(values)
    if array.dtype.kind not in "biu":
        raise TypeError(f"the {what} must be truth values or whole numbers, not {array.dtype}")
    if array.ndim != 2:
        raise ValueError(f"the {what} must have two dimensions, not {array.ndim}")
    if max(array.shape) > _MAX_SIDE or (array.shape[0] + 2) * (array.shape[1] + 1) > MAX_SIZE:
        raise ValueError(f"a grid of {array.shape[0]} × {array.shape[1]} cells is too large: cells are numbered in 32 bits")
    return np.ascontiguousarray(array != 0).view(np.uint8)
