"""Fewest steps on a board: a piece that stands on cells, in one of a few poses, and steps by fixed offsets.

A knight has one pose and eight steps, a block that rolls has three poses and four steps from each. Every step can be taken back,
so distances to and from a place are equal. The search is breadth-first: from both ends, always the end with fewer places in its
last layer, or, without a goal, from the start until nothing more can be reached.

    place      a cell and a pose, as a number: (row × stride + column) × width + pose; width is the number of poses, rounded up
               to a power of two. The board has a margin of closed cells, so that no step needs to look whether it leaves the
               board; the margin on the right of a row is on the left of the next
    mark       (places,) uint8, what is known of a place: CLOSED, OPEN, or 1 + 3 × end + (distance from that end) mod 3. Places
               one step apart differ by at most 1 in distance, so that modulo 3 is enough to find the way back
    ring       (ends, capacity) uint32: the places of an end's last two layers, in a ring; capacity is a power of two
    jump       (width, steps) int64: what a step adds to the number of a place, for each pose
    end        0 is the start, 1 the goal. Counters of an end stand at NAME + end

That is a byte for each place, where the engines for any problem need 24 or more, and no hashing: which is why this is an engine
of its own.

When an end, at distance a, meets a place that the other one has marked, the way through it is a shortest one. Let b be the
distance up to which the other end has marked everything. A way of at most a + b steps would have a place within a of one end and
within b of the other, which would have been met before; and the way found has a + 1 + b.

Sources: E. F. Moore, The shortest path through a maze (1959); from both ends: T. A. J. Nicholson, Computer J. 9 (1966).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, FULL, PAUSED, RunOptions, takes_run_options
from bestfirst.graphs import MAX_SIZE
from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.result import Solution
from bestfirst.search.compiled import BOUND, DEPTH, EXPANDED, GENERATED, OWN, STOP_AT
from bestfirst.search.explicit import ArraySearch, finish

OPEN, CLOSED = 0, 255

HEAD = OWN  #: how many places have left the ring
TAIL = OWN + 2  #: how many have entered it
LAYER_END = OWN + 4  #: the layer at hand ends here
FAR = OWN + 6  #: distance of the layer at hand
END = OWN + 8  #: whose turn it is
MEETING = OWN + 9  #: the place from which a step led to a place of the other end
STEP = OWN + 10  #: that step; or NO_STEP: start and goal are one

NO_STEP = -1

Steps = Sequence[Sequence[Any]]


class Memory(NamedTuple):
    """What a search works on; see the legend."""

    mark: np.ndarray
    ring: np.ndarray


@kernel
def grow_layers(memory: Memory, jump: np.ndarray, counters: np.ndarray) -> Int:
    """Take places from the rings until the ends meet (FOUND), one of them can go no further (EXHAUSTED), a ring is FULL, or the
    budget is used up. O(steps) a place.
    """
    mark = memory.mark
    ring = memory.ring
    ends = ring.shape[0]
    capacity = ring.shape[1]
    inside = capacity - 1
    poses = jump.shape[0] - 1
    steps = jump.shape[1]
    while True:
        end = counters[END]
        if counters[HEAD + end] == counters[LAYER_END + end]:
            if counters[TAIL + end] == counters[HEAD + end]:
                return EXHAUSTED
            counters[LAYER_END + end] = counters[TAIL + end]
            counters[FAR + end] += 1
            counters[DEPTH] = counters[FAR] + counters[FAR + 1]
            counters[BOUND] = counters[DEPTH] + ends - 1
            goal_is_smaller = counters[TAIL + 1] - counters[HEAD + 1] < counters[TAIL] - counters[HEAD]
            end = 1 if ends == 2 and goal_is_smaller else 0
            counters[END] = end
        own = 1 + 3 * end + (counters[FAR + end] + 1) % 3
        other = 4 - 3 * end
        head = counters[HEAD + end]
        tail = counters[TAIL + end]
        begin = head
        last = min(counters[LAYER_END + end], head + counters[STOP_AT] - counters[GENERATED])
        outcome = PAUSED
        while head < last:
            if tail - head > capacity - steps:
                outcome = FULL
                break
            place = integer(ring[unsigned(end), unsigned(head & inside)])
            pose = place & poses
            head += 1
            for step in range(steps):
                beside = place + jump[unsigned(pose), unsigned(step)]
                found = integer(mark[unsigned(beside)])
                if found == OPEN:
                    mark[unsigned(beside)] = own
                    ring[unsigned(end), unsigned(tail & inside)] = beside
                    tail += 1
                elif other <= found < other + 3:
                    counters[MEETING] = place
                    counters[STEP] = step
                    outcome = FOUND
                    break
            if outcome != PAUSED:
                break
        counters[HEAD + end] = head
        counters[TAIL + end] = tail
        counters[GENERATED] += head - begin
        counters[EXPANDED] += head - begin
        if outcome != PAUSED or counters[GENERATED] >= counters[STOP_AT]:
            return outcome


@kernel
def trace(mark: np.ndarray, jump: np.ndarray, place: Int, end: Int, way: np.ndarray) -> Int:
    """Write into `way` the steps from a place to an end that is len(way) steps away; the end. O(steps) for each."""
    poses = jump.shape[0] - 1
    for walked in range(way.shape[0]):
        nearer = 1 + 3 * end + (way.shape[0] - walked - 1) % 3
        for step in range(jump.shape[1]):
            beside = place + jump[unsigned(place & poses), unsigned(step)]
            if integer(mark[unsigned(beside)]) == nearer:
                way[unsigned(walked)] = step
                place = beside
                break
    return place


class StepSearch(ArraySearch):
    """The search at work."""

    engine = "fewest_steps"
    parts = ("memory",)

    def __init__(self, board: np.ndarray, steps: Steps, places: Sequence[Sequence[int]], options: RunOptions) -> None:
        """`places`: the start, and the goal if there is one, each (row, column, pose)."""
        super().__init__([board, np.array(steps), np.array(places)], options)
        rows, columns, poses = board.shape
        shifts = np.array(steps, np.int64)
        beyond, beside = (int(abs(shifts[..., axis]).max()) for axis in (0, 1))
        above = beyond + 1  # one more, because what leaves a row on the left comes into the margin of the row before
        width = 1 << (poses - 1).bit_length()
        stride = columns + beside
        if (rows + above + beyond) * stride * width > MAX_SIZE:
            raise ValueError(f"a board of {rows} × {columns} cells is too large: places are numbered in 32 bits")
        mark = np.full((rows + above + beyond, stride, width), CLOSED, np.uint8)
        np.copyto(mark[above : above + rows, :columns, :poses], np.uint8(OPEN), where=board)
        self.jump = np.zeros((width, shifts.shape[1]), np.int64)
        self.jump[:poses] = (shifts[..., 0] * stride + shifts[..., 1]) * width + shifts[..., 2] - np.arange(poses)[:, None]
        self.back = _back(shifts)
        self.after = shifts[..., 2]
        self.ends = len(places)
        self.memory = Memory(mark.ravel(), np.zeros((self.ends, 1 << 12), np.uint32))
        self.ended = False
        c = self.counters
        c[BOUND] = self.ends - 1
        for end, (row, column, pose) in enumerate(places):
            place = ((row + above) * stride + column) * width + pose
            if self.memory.mark[place] != OPEN:
                c[MEETING], c[STEP], c[BOUND] = place, NO_STEP, 0
                self.ended = True
                return
            self.memory.mark[place] = 1 + 3 * end
            self.memory.ring[end, 0] = place
            c[TAIL + end] = c[LAYER_END + end] = 1

    def advance(self, stop_at: int) -> int:
        self.counters[STOP_AT] = stop_at
        if self.ended:
            return FOUND
        outcome = self.call(grow_layers, self.memory, self.jump, self.counters)
        if outcome == EXHAUSTED and self.ends == 1:
            outcome = FOUND  # how far the farthest place is
        self.ended = outcome == FOUND
        return outcome

    def enlarge(self) -> None:
        """Twice the room, with what is in the rings moved to where it belongs then."""
        ends, capacity = self.memory.ring.shape
        ring = np.zeros((ends, 2 * capacity), np.uint32)
        for end in range(ends):
            held = np.arange(self.counters[HEAD + end], self.counters[TAIL + end])
            ring[end, held % (2 * capacity)] = self.memory.ring[end, held % capacity]
        self.memory = self.memory._replace(ring=ring)

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        if not self.ended:
            return None
        if self.ends == 1:
            return int(self.counters[FAR]), ()
        way = self.way()
        return len(way), way

    def way(self) -> tuple[int, ...]:
        """The steps from start to goal."""
        c = self.counters
        end, place, step = int(c[END]), int(c[MEETING]), int(c[STEP])
        if step == NO_STEP:
            return ()
        far = int(c[FAR + end]), int(c[FAR + 1 - end])
        width = len(self.jump)
        here, there = (np.empty(length, np.uint8) for length in far)
        pose = place % width
        self.call(trace, self.memory.mark, self.jump, place, end, here)
        self.call(trace, self.memory.mark, self.jump, place + int(self.jump[pose, step]), 1 - end, there)
        if end == 0:
            return (*self.taken_back(pose, here), step, *there.tolist())
        pose_there = int(self.after[pose, step])
        return (*self.taken_back(pose_there, there), int(self.back[pose, step]), *here.tolist())

    def taken_back(self, pose: int, way: np.ndarray) -> list[int]:
        """The steps that lead along a way from its end to its beginning, where the pose is the given one."""
        if len(self.after) == 1:
            reverse: list[int] = self.back[0, way[::-1]].tolist()
            return reverse
        back, after, found = self.back.tolist(), self.after.tolist(), []
        for step in way.tolist():
            found.append(back[pose][step])
            pose = after[pose][step]
        return found[::-1]

    def result(self, solution: Solution) -> Solution:
        if self.ends == 2:
            return dataclasses.replace(solution, why="breadth-first from both ends")
        return dataclasses.replace(solution, moves=None, why="breadth-first until nothing more is reached")


def _back(shifts: np.ndarray) -> np.ndarray:
    """For each pose and step the step that takes it back. Raises ValueError when there is none."""
    back = np.empty(shifts.shape[:2], np.int64)
    for pose, step in np.ndindex(back.shape):
        rows, columns, after = shifts[pose, step].tolist()
        found = np.flatnonzero((shifts[after] == (-rows, -columns, pose)).all(axis=1))
        if len(found) == 0:
            raise ValueError(
                f"step {step} from pose {pose} cannot be taken back: pose {after} has no step {(-rows, -columns, pose)}"
            )
        back[pose, step] = found[0]
    return back


@takes_run_options
def fewest_steps(board: Any, steps: Any, start: Any, goal: Any = None, **options: Unpack[RunOptions]) -> Solution:
    """Find a way of fewest steps from start to goal; without a goal, how far away the farthest place is that can be reached.

    board         (rows, columns, poses): where the piece may stand, in which pose; cells other than 0 are open. Two dimensions
                  when there is one pose
    steps         for each pose a list of steps (rows, columns, pose afterwards), as many for each; for one pose simply a list of
                  (rows, columns). Every step must have one that takes it back
    start, goal   (row, column, pose), or (row, column) when there is one pose; rows and columns are counted from 0

    The moves of the solution are numbers of steps, from 0; of all shortest ways always the same one. Without a goal it has a cost
    and no moves.

    Time O(places × steps), about half of it when start and goal are in the open. Memory a byte a place, poses rounded up to a
    power of two, and 8 bytes for each place of the two last layers.

    Raises TypeError and ValueError for a bad board, steps or places, Interrupted on Ctrl-C.
    """
    array = _board(board)
    poses = array.shape[2]
    table = _steps(steps, poses, flat=np.ndim(board) == 2)
    places = [_place(array, start, "start")]
    if goal is not None:
        places.append(_place(array, goal, "goal"))
    found: Solution = finish(StepSearch(array, table, places, options), options)
    return found


def _board(board: Any) -> np.ndarray:
    array = np.asarray(board)
    if array.dtype.kind not in "biu":
        raise TypeError(f"the board must be truth values or whole numbers, not {array.dtype}")
    if array.ndim not in (2, 3) or array.size == 0:
        raise ValueError(f"the board must have two or three dimensions and a cell at least; its shape is {array.shape}")
    return array.astype(bool, copy=False).reshape(*array.shape[:2], -1)


def _steps(steps: Any, poses: int, flat: bool) -> Steps:
    try:
        table = np.array(steps)
    except ValueError:
        table = np.empty(0)
    if flat and table.ndim == 2 and table.shape[1] == 2:
        table = np.concatenate([table, np.zeros((len(table), 1), table.dtype)], axis=1)[None]
    if table.ndim != 3 or table.shape[0] != poses or table.shape[1] == 0 or table.shape[2] != 3 or table.dtype.kind not in "iu":
        raise ValueError(f"the steps must be (rows, columns, pose afterwards), equally many for each of {poses} poses")
    if table[..., :2].min() < -MAX_SIZE or table[..., :2].max() > MAX_SIZE:
        raise ValueError("a step is longer than any board")
    if (table[..., 2] < 0).any() or (table[..., 2] >= poses).any():
        raise ValueError(f"a step leads to a pose that there is not; poses are numbered from 0 to {poses - 1}")
    checked: Steps = table.tolist()
    return checked


def _place(board: np.ndarray, place: Any, what: str) -> tuple[int, ...]:
    numbers = tuple(place) if isinstance(place, (tuple, list, np.ndarray)) else ()
    if len(numbers) == 2 and board.shape[2] == 1:
        numbers = (*numbers, 0)
    if len(numbers) != 3 or not all(isinstance(number, (int, np.integer)) for number in numbers):
        raise TypeError(f"the {what} must be (row, column{', pose' if board.shape[2] > 1 else ''}), not {place!r}")
    if not all(0 <= number < side for number, side in zip(numbers, board.shape, strict=True)):
        raise ValueError(f"the {what} {place!r} is not on the board, whose shape is {board.shape}")
    if not board[numbers]:
        raise ValueError(f"the {what} {place!r} is not open")
    return tuple(map(int, numbers))
