"""The search behind push-box: fewest pushes, then fewest moves, then the first of these answers in order.

    cell       row * stride + column on a board with a column of walls on its right and a row of walls above and below
    d, e       directions 0 … 3: N, S, W, E; `steps[d]` leads to the next cell
    state      4 * cell + d: the box is on `cell` and was last pushed in direction d, so the man is on cell - steps[d], *side* d

The man has to be looked at only right after a push: there are 4 states a cell instead of one for each place of the man. Which
pushes can follow depends on whether the man can walk from side d to side e while the box is in the way.

1. *Blocks.* That can be told for all cells at once: two neighbours of a cell are joined without it unless it is a cut vertex
   between them. One depth-first search finds out.

    found, low  (cells,) int32: when a cell was found, from 1, and the first-found cell that its subtree leads back to
    back        (cells,) uint8: bits 0-1 the direction in which the cell was found, from bit 2 on the next direction to try
    turn        (cells,) uint16: bit 4 * d + e: with the box here and the man at side d, it can be pushed in direction e
    pieces      (4,) int64: for the cell at hand, the piece of the board in which each side is; see `piece`

2. *Pushes.* A breadth-first search over states, by layers, until the box is on its target.

    mark        (4 cells,) uint8: bit 0 met, bit 1 whether its layer is odd, bits 2-3 (phase 3) the direction of its best push
    queue       (4 cells,) uint32: states in the order in which they were met

3. *Moves.* The queue backwards: of each state that lies on a way of fewest pushes, the fewest moves that are left. Only here,
   and only where the direction changes, are walks measured: a breadth-first search around the box, mostly a few cells.

    left        (4 cells,) int64: 1 + moves left; 0 when no way of fewest pushes leads through the state
    near        (cells,) int64: base + steps from where the walk at hand begins; less than base when it was not met
    waiting     (cells,) uint32: queue of the walk

4. *Trace.* The pushes made so far determine the state. So the first push in the order N, S, W, E that keeps to the fewest moves,
   state after state, gives the first sequence of pushes; between two pushes the walk is the first of the shortest ones.

    letters     (moves,) uint8: d for a walk, 4 + d for a push

A general engine knows neither that the order compares pushes first nor that walks need a look only on ways of fewest pushes;
with a state for each place of box and man the 200 × 200 board has 1.6 · 10^9 states, here it has 160,000.

Source of phase 1: J. Hopcroft and R. Tarjan, Algorithm 447, Communications of the ACM 16 (1973).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, FULL, PAUSED, RunOptions
from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.search.compiled import BOUND, DUPLICATES, EXPANDED, GENERATED, OWN, STOP_AT
from bestfirst.search.explicit import ArraySearch

PHASE = OWN
AT = OWN + 1  #: blocks: the cell; pushes and moves: a place in the queue; trace: the cell of the box
TIME = OWN + 2  #: blocks: how many cells were found
USED = OWN + 3  #: length of the queue
LAYER = OWN + 4  #: where the layer at hand ends; where the last one begins
SOLVED = OWN + 5  #: 1: the box has been on its target
BASE = OWN + 6  #: of the walk at hand
TOP = OWN + 7  #: its largest distance
TOTAL = OWN + 8  #: moves of the answer
WRITTEN = OWN + 9  #: how many are in `letters`
MAN = OWN + 10  #: trace: the cell of the man
CHOICE = OWN + 11  #: the direction of the next push

_BLOCKS, _TURNS, _WALK, _PUSHES, _MOVES, _TRACE = range(6)

#: The phase has ended: an outcome that the kernels keep to themselves.
_NEXT = 100

#: A walk that is not to stop at any side.
_NO_SIDE = 16

#: States are numbered in 32 bits.
MAX_CELLS = (1 << 30) - 1


class Board(NamedTuple):
    """What is given; `floor` (cells,) uint8: 0 = wall; `steps` (4,) int64."""

    floor: np.ndarray
    steps: np.ndarray
    man: int
    box: int
    target: int


class Blocks(NamedTuple):
    """See the legend."""

    found: np.ndarray
    low: np.ndarray
    back: np.ndarray
    turn: np.ndarray
    pieces: np.ndarray


class Memory(NamedTuple):
    """See the legend."""

    mark: np.ndarray
    queue: np.ndarray
    left: np.ndarray
    near: np.ndarray
    waiting: np.ndarray
    letters: np.ndarray


@kernel
def search_board(board: Board, blocks: Blocks, memory: Memory, counters: np.ndarray) -> Int:
    """Go through the phases until the budget is used up; see `control` for the outcomes."""
    outcome = integer(_NEXT)
    while outcome == _NEXT:
        phase = counters[PHASE]
        if phase == _BLOCKS:
            outcome = find_blocks(board, blocks, counters)
        elif phase == _TURNS:
            outcome = find_turns(board, blocks, counters)
        elif phase == _WALK:
            outcome = first_walk(board, memory, counters)
        elif phase == _PUSHES:
            outcome = find_pushes(board, blocks, memory, counters)
        elif phase == _MOVES:
            outcome = count_moves(board, blocks, memory, counters)
        else:
            return trace(board, memory, counters)
        if outcome == _NEXT:
            counters[PHASE] = phase + 1
    return outcome


@kernel
def find_blocks(board: Board, blocks: Blocks, counters: np.ndarray) -> Int:
    """Search depth-first from the box through the cells joined to it. O(cells)."""
    stop_at = counters[STOP_AT]
    generated = counters[GENERATED]
    time = counters[TIME]
    cell = counters[AT]
    outcome = integer(PAUSED)
    if time == 0 and generated < stop_at:
        time = integer(1)
        cell = integer(board.box)
        blocks.found[unsigned(cell)] = time
        blocks.low[unsigned(cell)] = time
    while generated < stop_at:
        direction = integer(blocks.back[unsigned(cell)]) >> 2
        if direction == 4:
            if cell == board.box:
                outcome = integer(_NEXT)
                break
            above = cell - board.steps[unsigned(blocks.back[unsigned(cell)] & 3)]
            blocks.low[unsigned(above)] = min(blocks.low[unsigned(above)], blocks.low[unsigned(cell)])
            cell = above
            continue
        blocks.back[unsigned(cell)] += 4
        beside = cell + board.steps[unsigned(direction)]
        if board.floor[unsigned(beside)] == 0:
            continue
        if blocks.found[unsigned(beside)] == 0:
            time += 1
            generated += 1
            blocks.found[unsigned(beside)] = time
            blocks.low[unsigned(beside)] = time
            blocks.back[unsigned(beside)] = direction
            cell = beside
        else:
            blocks.low[unsigned(cell)] = min(blocks.low[unsigned(cell)], blocks.found[unsigned(beside)])
    counters[GENERATED] = generated
    counters[TIME] = time
    counters[AT] = 0 if outcome == _NEXT else cell
    return outcome


@kernel
def find_turns(board: Board, blocks: Blocks, counters: np.ndarray) -> Int:
    """Fill `turn` from what the depth-first search found, cell by cell. O(cells)."""
    cell = counters[AT]
    cells = board.floor.shape[0]
    while counters[GENERATED] < counters[STOP_AT]:
        end = min(cell + 1024, cells)
        while cell < end:
            if blocks.found[unsigned(cell)] > 0:
                blocks.turn[unsigned(cell)] = turns_at(board, blocks, cell)
            cell += 1
        counters[GENERATED] += cell - counters[AT]
        counters[AT] = cell
        if cell == cells:
            counters[AT] = 0
            return integer(_NEXT)
    return integer(PAUSED)


@kernel
def turns_at(board: Board, blocks: Blocks, cell: Int) -> Int:
    """The bits of `turn` for one cell."""
    for d in range(4):
        blocks.pieces[unsigned(d)] = piece(board, blocks, cell, d)
    turns = integer(0)
    for e in range(4):
        side = blocks.pieces[unsigned(e)]
        if side >= 0 and blocks.pieces[unsigned(e ^ 1)] >= 0:  # floor to stand on, and floor ahead: the opposite side
            for d in range(4):
                if blocks.pieces[unsigned(d)] == side:
                    turns |= integer(1) << (4 * d + e)
    return turns


@kernel
def piece(board: Board, blocks: Blocks, cell: Int, d: Int) -> Int:
    """In which piece of the board side d of a cell is when the cell is taken out; -1 for a wall.

    Each child of the cell in the tree of the depth-first search from whose subtree nothing leads above the cell is a piece of
    its own, named by when it was found; all the rest is piece 0.
    """
    side = cell - board.steps[unsigned(d)]
    if board.floor[unsigned(side)] == 0:
        return integer(-1)
    when = integer(blocks.found[unsigned(side)])
    here = integer(blocks.found[unsigned(cell)])
    if when < here:
        return integer(0)
    child = integer(0)
    low = integer(0)
    for e in range(4):
        beside = cell + board.steps[unsigned(e)]
        its = integer(blocks.found[unsigned(beside)])
        if here < its <= when and its > child and integer(blocks.back[unsigned(beside)] & 3) == e:
            child = its
            low = integer(blocks.low[unsigned(beside)])
    return child if low >= here else integer(0)


@kernel
def walk(board: Board, memory: Memory, man: Int, box: Int, sides: Int, end: Int, counters: np.ndarray) -> Int:
    """Measure ways of the man from `man` around `box`: until all `sides` (bit e for side e) or `end` are met, or all there is.

    The base to subtract from `near`, which holds the steps to cells that were met. O(cells met).
    """
    base = counters[TOP] + 1
    near = memory.near
    waiting = memory.waiting
    near[unsigned(man)] = base
    waiting[0] = man
    head = integer(0)
    tail = integer(1)
    while head < tail:
        cell = integer(waiting[unsigned(head)])
        head += 1
        counters[TOP] = near[unsigned(cell)] + 1
        for d in range(4):
            beside = cell + board.steps[unsigned(d)]
            if beside == box:
                sides &= ~(integer(1) << d)
            elif board.floor[unsigned(beside)] != 0 and near[unsigned(beside)] < base:
                near[unsigned(beside)] = near[unsigned(cell)] + 1
                waiting[unsigned(tail)] = beside
                tail += 1
        if sides == 0 or cell == end:
            break
    counters[BASE] = base
    counters[GENERATED] += head
    return base


@kernel
def first_walk(board: Board, memory: Memory, counters: np.ndarray) -> Int:
    """Measure the ways from the man's first place to the sides of the box; enter the states after the first push. O(cells)."""
    if counters[GENERATED] >= counters[STOP_AT]:
        return integer(PAUSED)
    wanted = integer(0)
    for e in range(4):
        step = board.steps[unsigned(e)]
        if board.floor[unsigned(board.box + step)] != 0 and board.floor[unsigned(board.box - step)] != 0:
            wanted |= integer(1) << e
    base = walk(board, memory, board.man, board.box, wanted, 0, counters)
    for e in range(4):
        if (wanted >> e) & 1 != 0 and memory.near[unsigned(board.box - board.steps[unsigned(e)])] >= base:
            enter(board, memory, board.box, e, 1, counters)
    return integer(_NEXT)


@kernel
def enter(board: Board, memory: Memory, box: Int, e: Int, odd: Int, counters: np.ndarray) -> None:
    """Push the box from `box` in direction e: the state, if it is new, goes into the queue."""
    ahead = box + board.steps[unsigned(e)]
    state = 4 * ahead + e
    counters[GENERATED] += 1
    if memory.mark[unsigned(state)] != 0:
        counters[DUPLICATES] += 1
    else:
        memory.mark[unsigned(state)] = 1 + 2 * odd
        memory.queue[unsigned(counters[USED])] = state
        counters[USED] += 1
        if ahead == board.target:
            counters[SOLVED] = 1


@kernel
def find_pushes(board: Board, blocks: Blocks, memory: Memory, counters: np.ndarray) -> Int:
    """Search breadth-first over states, until the end of the layer in which the box is on its target. O(cells)."""
    at = counters[AT]
    outcome = integer(PAUSED)
    while counters[GENERATED] < counters[STOP_AT]:
        if at == counters[LAYER]:  # the states from here on took one push more
            counters[BOUND] += 1
            if counters[SOLVED] != 0:
                at = counters[USED] - 1
                outcome = integer(_NEXT)
                break
            if at == counters[USED]:
                outcome = integer(EXHAUSTED)
                break
            counters[LAYER] = counters[USED]
        state = integer(memory.queue[unsigned(at)])
        box = state >> 2
        turns = integer(blocks.turn[unsigned(box)]) >> (4 * (state & 3))
        at += 1
        counters[EXPANDED] += 1
        counters[GENERATED] += 1
        for e in range(4):
            if (turns >> e) & 1 != 0:
                enter(board, memory, box, e, (counters[BOUND] + 1) & 1, counters)
    counters[AT] = at
    return outcome


@kernel
def count_moves(board: Board, blocks: Blocks, memory: Memory, counters: np.ndarray) -> Int:
    """Go back through the queue and count the moves left from each state on a way of fewest pushes.

    O(cells) and the walks: O(cells) each, at worst.
    """
    at = counters[AT]
    while counters[GENERATED] < counters[STOP_AT]:
        if at < 0:
            begin_trace(board, memory, counters)
            return integer(_NEXT)
        state = integer(memory.queue[unsigned(at)])
        counters[GENERATED] += 1
        if at < counters[LAYER]:
            turns = integer(blocks.turn[unsigned(state >> 2)]) >> (4 * (state & 3))
            choose_push(board, memory, state, turns & 15, counters)
        elif state >> 2 == board.target:
            memory.left[unsigned(state)] = 1
        at -= 1
        counters[AT] = at
    return integer(PAUSED)


@kernel
def choose_push(board: Board, memory: Memory, state: Int, turns: Int, counters: np.ndarray) -> None:
    """Find `left` and the best push of a state, all states of later layers having theirs."""
    box = state >> 2
    last = state & 3
    odd = memory.mark[unsigned(state)] & 2
    useful = integer(0)
    for e in range(4):
        if (turns >> e) & 1 != 0:
            after = 4 * (box + board.steps[unsigned(e)]) + e
            # Only the next layer counts: earlier ones have no `left` yet, and the same layer is not of the other parity.
            if memory.left[unsigned(after)] != 0 and memory.mark[unsigned(after)] & 2 != odd:
                useful |= integer(1) << e
    sides = useful & ~(integer(1) << last)
    man = box - board.steps[unsigned(last)]
    base = walk(board, memory, man, box, sides, 0, counters) if sides != 0 else integer(0)
    best = integer(0)
    for e in range(4):
        if (useful >> e) & 1 != 0:
            side = box - board.steps[unsigned(e)]
            steps = memory.near[unsigned(side)] - base if e != last else integer(0)
            moves = steps + 1 + memory.left[unsigned(4 * (box + board.steps[unsigned(e)]) + e)]
            if best == 0 or moves < best:
                best = moves
                memory.mark[unsigned(state)] = (memory.mark[unsigned(state)] & 3) | (e << 2)
    memory.left[unsigned(state)] = best


@kernel
def begin_trace(board: Board, memory: Memory, counters: np.ndarray) -> None:
    """Choose the first push; the number of moves is then known."""
    useful = integer(0)
    for e in range(4):
        if memory.left[unsigned(4 * (board.box + board.steps[unsigned(e)]) + e)] != 0:
            useful |= integer(1) << e
    base = walk(board, memory, board.man, board.box, useful, 0, counters)
    for e in range(4):
        steps = memory.near[unsigned(board.box - board.steps[unsigned(e)])] - base
        if (useful >> e) & 1 != 0 and steps >= 0:
            moves = steps + memory.left[unsigned(4 * (board.box + board.steps[unsigned(e)]) + e)]
            if counters[TOTAL] == 0 or moves < counters[TOTAL]:
                counters[TOTAL] = moves
                counters[CHOICE] = e
    counters[AT] = board.box
    counters[MAN] = board.man


@kernel
def trace(board: Board, memory: Memory, counters: np.ndarray) -> Int:
    """Write the moves, push by push."""
    if memory.letters.shape[0] < counters[TOTAL]:
        return integer(FULL)
    while counters[GENERATED] < counters[STOP_AT]:
        box = counters[AT]
        if box == board.target:
            return integer(FOUND)
        e = counters[CHOICE]
        side = box - board.steps[unsigned(e)]
        if counters[MAN] != side:
            base = walk(board, memory, side, box, _NO_SIDE, counters[MAN], counters)
            walk_back(board, memory, side, base, counters)
        memory.letters[unsigned(counters[WRITTEN])] = 4 + e
        counters[WRITTEN] += 1
        counters[GENERATED] += 1
        counters[MAN] = box
        box += board.steps[unsigned(e)]
        counters[AT] = box
        counters[CHOICE] = integer(memory.mark[unsigned(4 * box + e)]) >> 2
    return integer(PAUSED)


@kernel
def walk_back(board: Board, memory: Memory, side: Int, base: Int, counters: np.ndarray) -> None:
    """Write the first shortest walk of the man to a side, whose distances to it were measured."""
    man = counters[MAN]
    while man != side:
        nearer = memory.near[unsigned(man)] - 1
        d = integer(0)
        while memory.near[unsigned(man + board.steps[unsigned(d)])] != nearer:
            d += 1
        man += board.steps[unsigned(d)]
        memory.letters[unsigned(counters[WRITTEN])] = d
        counters[WRITTEN] += 1


#: Letters for the numbers in `letters`.
_LETTERS = b"nsweNSWE" + bytes(248)


class PushSearch(ArraySearch):
    """The search at work."""

    engine = "push_box"
    parts = ("blocks", "memory")
    first_slice = 1 << 16
    why = "one box: a state for each cell of the box and side of the man"

    def __init__(self, board: Board, options: RunOptions) -> None:
        super().__init__([board.floor, board.steps, np.array([board.man, board.box, board.target])], options)
        cells = board.floor.size
        self.board = board
        self.blocks = Blocks(
            found=np.zeros(cells, np.int32),
            low=np.zeros(cells, np.int32),
            back=np.zeros(cells, np.uint8),
            turn=np.zeros(cells, np.uint16),
            pieces=np.zeros(4, np.int64),
        )
        self.memory = Memory(
            mark=np.zeros(4 * cells, np.uint8),
            queue=np.empty(4 * cells, np.uint32),
            left=np.zeros(4 * cells, np.int64),
            near=np.zeros(cells, np.int64),
            waiting=np.empty(cells, np.uint32),
            letters=np.empty(0, np.uint8),
        )
        self.ended = False

    def advance(self, stop_at: int) -> int:
        """Go on; a box that is on its target needs no search."""
        self.counters[STOP_AT] = stop_at
        if stop_at > 0 and self.board.box == self.board.target:
            self.ended = True
            return FOUND
        outcome = self.call(search_board, self.board, self.blocks, self.memory, self.counters)
        self.ended = outcome == FOUND
        return outcome

    def enlarge(self) -> None:
        """Make room for the letters, whose number is known when the trace begins."""
        self.memory = self.memory._replace(letters=np.empty(int(self.counters[TOTAL]), np.uint8))

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """Pushes and letters, when the trace is done: until then nothing is proved to be the answer wanted."""
        if not self.ended:
            return None
        letters = self.memory.letters.tobytes().translate(_LETTERS).decode()
        return int(self.counters[BOUND]), tuple(letters)


def board_of(floor: np.ndarray, man: tuple[int, int], box: tuple[int, int], target: tuple[int, int]) -> Board:
    """The board of a rectangle of truth values, floor or not, and three places (row, column) in it.

    Raises ValueError for more than MAX_CELLS cells.
    """
    rows, columns = floor.shape
    stride = columns + 1
    if (rows + 2) * stride > MAX_CELLS:
        raise ValueError(f"a board of {rows} × {columns} cells is too large: states are numbered in 32 bits")
    padded = np.zeros((rows + 2, stride), np.uint8)
    padded[1:-1, :-1] = floor
    steps = np.array([-stride, stride, -1, 1], np.int64)
    return Board(padded.ravel(), steps, *((row + 1) * stride + column for row, column in (man, box, target)))
