r"""The search of circuit repair: a 0-1 breadth-first search over the corners of a board.

    R, C      rows and columns of tiles; corners are (0, 0) to (R, C)
    useful    the wire of a tile that joins two corners with an even sum of coordinates: `\` where row + column is even, else `/`
    closed    a tile whose wire is not the useful one: to pass it costs 1 turn; an *open* one costs nothing

A wire changes both coordinates by 1, so from (0, 0) only corners with an even sum are ever reached, and only by useful wires.
So a tile is a connection, open or closed, between two corners, whichever of the two signs it shows.

Everything about a place of the board is in one byte: the tile, and the corner at its upper left. There is a column of places
without a tile on the right, which the next row shares as its left side, a row of them above and two below; so no step looks
whether it leaves the board.

    stride    C + 1;  the place of tile or corner (row, column) is (row + 1) · stride + column + 1
    place     ((R + 3) · stride + 2,) uint8: tile (0 none, OPEN, CLOSED) + WAITING + REACHED + MOVE · number of the last move
    stack     uint32: corners reached at the cost at hand that are still to be looked at
    queue     uint32, a ring: corners to which a closed tile leads, cheapest first

A generic engine keeps every state in a hash table, with its cost and its parent. Here a corner takes half a byte of a table in
which neighbours lie side by side; docs/problems/circuit-repair.md has the figures.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, FULL, PAUSED, RunOptions
from bestfirst.graphs import MAX_SIZE
from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.search.compiled import BOUND, DEPTH, EXPANDED, GENERATED, OWN, STOP_AT
from bestfirst.search.explicit import ArraySearch
from bestfirst.store import enlarged

OPEN, CLOSED, _TILE = 1, 2, 3
WAITING = 4  #: in the queue
REACHED = 8  #: its cost is final
MOVE = 16

TOP = OWN  #: corners on the stack
HEAD = OWN + 1  #: corners that have left the queue
TAIL = OWN + 2  #: corners that have entered it
LEVEL_END = OWN + 3  #: of those the first so many cost no more than the cost at hand, the others 1 more

_ROOM = 1 << 12  #: places in stack and queue at first; a power of 2


class Corners(NamedTuple):
    """The memory of a search; see the legend."""

    place: np.ndarray
    stack: np.ndarray
    queue: np.ndarray


@kernel(inline=True)
def look(corners: Corners, tile: Int, corner: Int, move: Int, top: Int, tail: Int) -> Any:
    """Follow a tile to a corner; the new sizes of stack and queue.

    Which of the two the corner enters, if any, is as random as the board: a branch would be guessed wrong every other time. So it
    is written behind the end of both, and only the ends depend on the case.
    """
    kind = integer(corners.place[unsigned(tile)]) & _TILE
    known = integer(corners.place[unsigned(corner)])
    is_reached = integer((kind == OPEN) & (known & REACHED == 0))
    is_waiting = integer((kind == CLOSED) & (known & (REACHED | WAITING) == 0))
    corners.stack[unsigned(top)] = corner
    corners.queue[unsigned(tail & (corners.queue.shape[0] - 1))] = corner
    kept = known if is_reached | is_waiting == 0 else (known & _TILE) | (MOVE * move)
    corners.place[unsigned(corner)] = kept | (REACHED * is_reached) | (WAITING * is_waiting)
    return top + is_reached, tail + is_waiting


@kernel
def spread(corners: Corners, stride: Int, target: Int, counters: np.ndarray) -> Int:
    """Reach corners, cheapest first, until the target is reached or the budget is used up. O(1) a corner."""
    place = corners.place
    top, head, tail = counters[TOP], counters[HEAD], counters[TAIL]
    expanded = integer(0)
    budget = counters[STOP_AT] - counters[GENERATED]
    ring = corners.queue.shape[0] - 1
    outcome = PAUSED
    while expanded < budget:
        if integer(place[unsigned(target)]) & REACHED != 0:
            outcome = FOUND
            break
        if top + 4 > corners.stack.shape[0] or tail - head + 4 > ring:
            outcome = FULL
            break
        if top > 0:
            top -= 1
            corner = integer(corners.stack[unsigned(top)])
        elif head == tail:
            outcome = EXHAUSTED
            break
        else:
            if head == counters[LEVEL_END]:
                counters[LEVEL_END] = tail
                counters[DEPTH] += 1
            corner = integer(corners.queue[unsigned(head & ring)])
            head += 1
            known = integer(place[unsigned(corner)])
            if known & REACHED != 0:
                continue
            place[unsigned(corner)] = known ^ (WAITING | REACHED)
        expanded += 1
        top, tail = look(corners, corner - stride - 1, corner - stride - 1, 0, top, tail)
        top, tail = look(corners, corner - stride, corner - stride + 1, 1, top, tail)
        top, tail = look(corners, corner - 1, corner + stride - 1, 2, top, tail)
        top, tail = look(corners, corner, corner + stride + 1, 3, top, tail)
    counters[BOUND] = counters[DEPTH]
    counters[EXPANDED] += expanded
    counters[GENERATED] += expanded
    counters[TOP], counters[HEAD], counters[TAIL] = top, head, tail
    return outcome


@kernel
def trace(place: np.ndarray, stride: Int, target: Int, turned: np.ndarray) -> Int:
    """Go back from the target along the last moves and write down the closed tiles, last to first; their number."""
    count = integer(0)
    corner = target
    while corner != stride + 1:
        move = integer(place[unsigned(corner)]) // MOVE
        corner -= (stride if move >= 2 else -stride) + (1 if move & 1 else -1)
        tile = corner - (0 if move >= 2 else stride) - (0 if move & 1 else 1)
        if integer(place[unsigned(tile)]) & _TILE == CLOSED:
            turned[unsigned(count)] = tile
            count += 1
    return count


class RepairSearch(ArraySearch):
    """The search at work on a board of letters, (R, C) uint8, with R + C even."""

    engine = "circuit_repair"
    why = "0-1 breadth-first search on the corners: a tile costs 1 to turn, or nothing"
    parts = ("corners",)

    def __init__(self, letters: np.ndarray, options: RunOptions) -> None:
        super().__init__([letters], options)
        rows, columns = letters.shape
        if (rows + 4) * (columns + 1) > MAX_SIZE:
            raise ValueError(f"a board of {rows} × {columns} tiles is too large: places are numbered in 32 bits")
        self.stride = columns + 1
        self.target = (rows + 1) * self.stride + columns + 1
        place = np.zeros((rows + 3) * self.stride + 2, np.uint8)
        tiles = place[self.stride + 1 :][: rows * self.stride].reshape(rows, self.stride)[:, :-1]
        odd = np.arange(columns + 1, dtype=np.uint8) & 1
        for row in (0, 1):
            np.bitwise_and(letters[row::2], 1, out=tiles[row::2])  # 1 for /, 0 for the other
            tiles[row::2] ^= odd[row : row + columns]  # 0 for the useful wire
        tiles += OPEN
        place[self.stride + 1] |= REACHED
        self.corners = Corners(place, np.zeros(_ROOM, np.uint32), np.zeros(_ROOM, np.uint32))
        self.corners.stack[0] = self.stride + 1
        self.counters[TOP] = 1
        self.ended = False

    def advance(self, stop_at: int) -> int:
        self.counters[STOP_AT] = stop_at
        outcome = self.call(spread, self.corners, np.int64(self.stride), np.int64(self.target), self.counters)
        self.ended = outcome == FOUND
        return outcome

    def enlarge(self) -> None:
        place, stack, queue = self.corners
        if self.counters[TOP] + 4 > len(stack):
            stack = enlarged(stack, 2 * len(stack))
        else:
            entered = np.arange(self.counters[HEAD], self.counters[TAIL])
            larger = np.zeros(2 * len(queue), np.uint32)
            larger[entered % len(larger)] = queue[entered % len(queue)]
            queue = larger
        self.corners = Corners(place, stack, queue)

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """The cost, and the tiles to turn as (row, column) from 1, in the order of the way."""
        if not self.ended:
            return None
        cost = int(self.counters[DEPTH])
        turned = np.zeros(cost, np.uint32)
        self.call(trace, self.corners.place, np.int64(self.stride), np.int64(self.target), turned)
        rows, columns = np.divmod(turned[::-1].astype(np.int64) - 1, self.stride)
        return cost, tuple(zip(rows.tolist(), (columns + 1).tolist(), strict=True))
