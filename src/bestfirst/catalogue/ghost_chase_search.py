"""The search of ghost chase: breadth-first from both people at once, second by second.

    k          the second at hand, from 1;  reach = 2k: cells no farther than this from the start of a ghost are taken
    R_p(k)     cells that person p can be in at the end of second k

Ghosts only ever take more. So whoever can be in a cell can wait there until it is taken, and R_p(k) is exactly the set of cells
that p has entered so far and that are not taken yet. They can meet in second k exactly when R_boy(k) and R_girl(k) share a cell.
It is noticed when the later of the two enters the cell: it is then not taken, so the other, who has entered it before, can still
be there.

A second has four *phases*: the boy's three steps and the girl's one. In each, the cells that the person entered last (a *layer*)
are taken from the queue, and those beside them entered that are no walls, not taken, and new to this person. A cell of that layer
which was taken meanwhile leads nowhere.

Everything about a cell is one byte. There is a column of walls on the right, which the next row shares as its left side, and one
row of them above and below; so no step looks whether it leaves the board.

    stride     columns + 1;  cell (row, column) is number (row + 1) · stride + column
    cell       ((rows + 2) · stride,) uint8: WALL + BOY + GIRL (entered by) + the last step of each, 2 bits
    queue      uint32, two rings of equal size, the boy's and the girl's
    ghosts     (4,) int64: row + 1 and column of the two ghosts

`bidirectional_breadth_first` takes turns between two ends of one space where every step costs the same. Here the ends have
different speeds and the space shrinks with time, so the loop is one of its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, FULL, PAUSED, RunOptions
from bestfirst.graphs import MAX_SIZE
from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.search.compiled import BOUND, DEPTH, EXPANDED, GENERATED, OWN, STOP_AT
from bestfirst.search.explicit import ArraySearch

WALL, BOY, GIRL = 1, 2, 4
_BOY_STEP, _GIRL_STEP = 3, 5  #: the bits of a cell from which on the last step stands

#: Names of the steps 0 to 3.
STEPS = "ULRD"

#: Steps a second.
BOY_SPEED, GHOST_SPEED = 3, 2

PHASE = OWN  #: 0 to 2: steps of the boy; 3: the step of the girl
MEETING = OWN + 1  #: where they meet
HEAD = OWN + 2  #: how many cells have left the queues of the boy and of the girl
TAIL = OWN + 4  #: how many have entered them
LAYER_END = OWN + 6  #: of those how many belong to the layer at hand and to those before it

_ROOM = 1 << 12  #: cells in each queue at first; a power of 2


class Cells(NamedTuple):
    """The memory of a search; see the legend."""

    cell: np.ndarray
    queue: np.ndarray


@kernel(inline=True)
def ghost_distance(ghosts: np.ndarray, row: Int, column: Int) -> Int:
    """Steps to the nearer ghost, walls or not."""
    one = abs(row - ghosts[0]) + abs(column - ghosts[1])
    other = abs(row - ghosts[2]) + abs(column - ghosts[3])
    return min(one, other)


@kernel
def spread(cells: Cells, stride: Int, ghosts: np.ndarray, person: Int, budget: Int, counters: np.ndarray) -> Int:
    """Enter the cells beside a person's layer, until all of it is done (PAUSED), they meet, or the budget is used up."""
    cell, queue = cells
    size = queue.shape[0] >> 1
    base = size * person
    head, tail, end = counters[HEAD + person], counters[TAIL + person], counters[LAYER_END + person]
    reach = GHOST_SPEED * counters[DEPTH]
    mine, other, shift = (BOY, GIRL, _BOY_STEP) if person == 0 else (GIRL, BOY, _GIRL_STEP)
    begin = head
    stop = min(end, head + budget)
    outcome = PAUSED
    while head < stop and outcome == PAUSED:
        if tail - head + 4 > size:
            outcome = FULL
            break
        at = integer(queue[unsigned(base + (head & (size - 1)))])
        head += 1
        row = integer(unsigned(at) // unsigned(stride))
        column = at - row * stride
        distance = ghost_distance(ghosts, row, column)
        if distance <= reach:
            continue
        for step in range(4):
            down = (step == 3) - (step == 0)
            right = (step == 2) - (step == 1)
            beside = at + down * stride + right
            known = integer(cell[unsigned(beside)])
            if known & (WALL | mine) != 0:
                continue
            if distance == reach + 1 and ghost_distance(ghosts, row + down, column + right) <= reach:
                continue
            cell[unsigned(beside)] = known | mine | (step << shift)
            queue[unsigned(base + (tail & (size - 1)))] = beside
            tail += 1
            if known & other != 0:
                counters[MEETING] = beside
                outcome = FOUND
                break
    counters[GENERATED] += head - begin
    counters[EXPANDED] += head - begin
    counters[HEAD + person] = head
    counters[TAIL + person] = tail
    return outcome


@kernel
def chase(cells: Cells, stride: Int, ghosts: np.ndarray, counters: np.ndarray) -> Int:
    """Go on until they meet (FOUND), nobody can enter a new cell (EXHAUSTED), or the budget is used up. O(cells) in all."""
    while counters[GENERATED] < counters[STOP_AT]:
        phase = counters[PHASE]
        person = integer(phase == BOY_SPEED)
        outcome = spread(cells, stride, ghosts, person, counters[STOP_AT] - counters[GENERATED], counters)
        if outcome != PAUSED:
            return outcome
        if counters[HEAD + person] == counters[LAYER_END + person]:
            counters[LAYER_END + person] = counters[TAIL + person]
            counters[PHASE] = 0 if person == 1 else phase + 1
            if person == 1:
                if counters[HEAD] == counters[TAIL] and counters[HEAD + 1] == counters[TAIL + 1]:
                    return EXHAUSTED
                counters[DEPTH] += 1
                counters[BOUND] = counters[DEPTH]
    return PAUSED


class ChaseSearch(ArraySearch):
    """The search at work on a board of letters, (rows, columns) uint8, with one M, one G and two Z."""

    engine = "ghost_chase"
    why = "breadth-first from both people, second by second"
    parts = ("cells",)

    def __init__(self, letters: np.ndarray, options: RunOptions) -> None:
        super().__init__([letters], options)
        rows, columns = letters.shape
        if (rows + 2) * (columns + 1) > MAX_SIZE:
            raise ValueError(f"a board of {rows} × {columns} cells is too large: cells are numbered in 32 bits")
        self.stride = columns + 1
        cell = np.full((rows + 2) * self.stride, WALL, np.uint8)
        board = cell.reshape(rows + 2, self.stride)[1:-1, :-1]
        np.equal(letters, ord("X"), out=board.view(bool))
        self.starts = [self._places(letters, name)[0] for name in "MG"]
        self.ghosts = np.array([divmod(place, self.stride) for place in self._places(letters, "Z")], np.int64).ravel()
        queue = np.zeros(2 * _ROOM, np.uint32)
        queue[[0, _ROOM]] = self.starts
        for person, start in enumerate(self.starts):
            cell[start] |= (BOY, GIRL)[person]
            self.counters[[TAIL + person, LAYER_END + person]] = 1
        self.counters[[DEPTH, BOUND]] = 1
        self.cells = Cells(cell, queue)
        self.ended = False

    def _places(self, letters: np.ndarray, name: str) -> list[int]:
        rows, columns = np.divmod(np.flatnonzero(letters.ravel() == ord(name)), letters.shape[1])
        places: list[int] = ((rows + 1) * self.stride + columns).tolist()
        return places

    def advance(self, stop_at: int) -> int:
        self.counters[STOP_AT] = stop_at
        outcome = self.call(chase, self.cells, np.int64(self.stride), self.ghosts, self.counters)
        self.ended = outcome == FOUND
        return outcome

    def enlarge(self) -> None:
        old = self.cells.queue.reshape(2, -1)
        new = np.zeros((2, 2 * old.shape[1]), np.uint32)
        for person in (0, 1):
            entered = np.arange(self.counters[HEAD + person], self.counters[TAIL + person])
            new[person, entered % new.shape[1]] = old[person, entered % old.shape[1]]
        self.cells = self.cells._replace(queue=new.ravel())

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """The second, and for each second the steps of the boy and of the girl."""
        if not self.ended:
            return None
        seconds = int(self.counters[DEPTH])
        boy, girl = self._way(0, _BOY_STEP), self._way(1, _GIRL_STEP)
        return seconds, tuple((boy[BOY_SPEED * k : BOY_SPEED * (k + 1)], girl[k : k + 1]) for k in range(seconds))

    def _way(self, person: int, shift: int) -> str:
        """The steps of a person from the start to where they meet."""
        back = self.stride, 1, -1, -self.stride
        at, steps = int(self.counters[MEETING]), []
        while at != self.starts[person]:
            step = int(self.cells.cell[at]) >> shift & 3
            steps.append(STEPS[step])
            at += back[step]
        return "".join(reversed(steps))
