"""Flood-It: fewest moves that make a board one colour, and the first such sequence in the order of the colours.

A *region* is a maximal connected set of cells of one colour. A move takes all regions of one colour that touch the regions taken
so far. Symbols:

    n, K, W      regions, colours, 64-bit words of a set of regions;  regions are numbered by distance from the start, which is 0
    c, d         a colour, as its rank among the colours of the board
    M_c          all regions of colour c
    A, V, F      the state: regions taken; those and their neighbours (*seen*); F = V \\ A, the *frontier*
    remaining    colours with a region outside A, as a mask;  colour c is *completable* when it is remaining and M_c ⊆ V
    h*(A)        fewest moves from A to the end

Three facts carry the search. All rest on *monotony*: from a larger A the same moves lead to a larger A.

**Completable colours first.** If c is completable, some best sequence from A begins with c. Proof: c has to be played; move its
first play to the front. The set taken is then a superset at every later point, since that play takes all of M_c in either place.
So h*(A) = 1 + h*(A ∪ M_c), a state with completable colours needs no branching, and `normalise` plays them all.

**Useless moves.** A move that completes no colour and whose regions see nothing new is in no best sequence. Proof: its colour must
be played again later, that play takes those regions too, and nothing in between depends on them: leave the first one out.

**Commuting moves.** Let d have *failed* at a state u: it is proved that no sequence from u beginning with d keeps within the budget
of u. Then d *sleeps* below u: it need not be played from any state s below u as long as no new region of colour d has been seen
between u and s. Proof: let s have a solution beginning with d, and let x lead from u to s. All regions that d takes from s lie in
the frontier of u. So d x takes a superset of x d, with the same number of moves, and d would not have failed at u. The claim
"s cannot be solved within its budget" is therefore true whenever the search makes it (by induction over the order in which such
claims are made: each uses only earlier ones), whatever the path to s was, and it may be kept in the table without a condition.

The bound counts, for a state with no completable colour, *blind steps* that take the whole frontier at once: h*(A) ≥ 1 + h*(V),
since each single move takes a part of F and h* falls when A grows. With the equation for completable colours this gives
a bound after at most n steps: blind steps until some colour is completable, complete it, and so on (A. Puchert, 2013).

**Critical paths** strengthen a run of blind steps. Let the run have made t steps, L_0 … L_t the frontiers on the way, and E the
colours completable now. A region of L_t is t + 1 moves away from A: it is taken by move t + 1 only if the first t moves spell the
colours of a shortest path to it. If the regions of M_c in L_t have no such word in common, then c is not completed by any t + 1
moves. If this holds for every c in E, then no colour is complete after t + 1 moves, whichever they are, and one more blind step
is justified. Whether a common word exists is decided on the safe side: each target keeps the set of regions from which shortest
paths lead to it (its *cone*), and going back layer by layer all cones are restricted to the colours that occur in each of them.

The search is IDA* over normalised states with a table of proved bounds. When the optimum is known, a second phase goes through its
solution move by move and tries every smaller colour with the moves that are left; a success gives the solution to go on with.
A completable colour that is smaller is moved to the front of the rest of the solution at once, by the first fact.

Memory of the search; a *row* is a set of regions:

    unions   (groups · 16, W)  row 16 g + m: neighbours of the regions 4 g + i for the bits i of m
    sets     (rows, W)         scratch rows (SEEN, FROM, NEW, FRONT), n + 2 layers, CONES cones, then two rows a node: A and V
    masks    (slots, 2)        of a node: its remaining colours, and those asleep in it or failed
    facts    (slots, 4)        of a node: moves from its parent, estimate of the moves from there over it, colour, regions seen
    order    (slots,)          children, the most promising first
    frames   (n + 1, 5)        of the nodes on the path: node, budget, first child, end of the children, next child
    witness  (n,)              the best sequence known
    proved   (capacity,)       lower bound of h* of each state in the table
    key      (W,)              a set of regions to look up
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any, NamedTuple, Unpack

import numpy as np

from bestfirst.checkpoint import Snapshot
from bestfirst.control import FOUND, FULL, PAUSED, RunOptions, run
from bestfirst.kernel import exact, integer, interpreting, is_interpreting, kernel, population_count, structure, trailing_zeros, unsigned
from bestfirst.operations import ILLEGAL, problem
from bestfirst.result import Solution
from bestfirst.search.compiled import (
    BOUND,
    COUNTERS,
    DEPTH,
    DUPLICATES,
    EXPANDED,
    GENERATED,
    INCUMBENT,
    NONE,
    OWN,
    PRUNED,
    STOP_AT,
    CompiledSearch,
    enlarged,
)
from bestfirst.store.state_table import StateTable, grown, state_table

#: The prunings that can be switched off; the answer is the same without them.
PRUNINGS = {
    "critical-paths": "one more blind step where the last regions of a colour have no common shortest way",
    "completable-colours": "a colour that can be finished now is finished now",
    "useless-moves": "a move that opens nothing and finishes no colour is dropped",
    "commuting-moves": "a colour that failed sleeps until new regions of it are seen",
    "table": "bounds proved for a state are kept for when it is met again",
    "move-order": "children with a small estimate, then those that see many regions, are searched first",
}

MAX_COLOURS = 64
_LARGEST_WIDTH = 4  #: sets of up to this many words have code of their own

# Counters of this engine.
PHASE = OWN  #: what the running query is for
FRAMES = OWN + 1  #: nodes on the path of the running query; 0: none is running
DECIDED = OWN + 2  #: moves at the front of the witness that are final
TRIED = OWN + 3  #: colour to be tried next in place of the first move that is not final
ROOT_PAID = OWN + 4  #: moves that normalised the start
LEXICOGRAPHIC = OWN + 5  #: 1: go on to the first best sequence
REMEMBER = OWN + 6  #: 0: no table; 1: a table; 2: one that takes no more states
CRITICAL = OWN + 7
COMPLETABLE = OWN + 8
USELESS = OWN + 9
COMMUTING = OWN + 10
ORDERED = OWN + 11
WON = OWN + 12  #: 1: the query that has just ended found a solution
PENDING = OWN + 13  #: 1: the running query, or the one that has just ended, is about the colour TRIED

_STARTING, _DEEPENING, _REFINING = 0, 1, 2  # phases

# Rows of `sets`.
_SEEN, _FROM, _NEW, _FRONT = 0, 1, 2, 3
_LAYERS = 4
_CONES = 24

# Columns of `masks`, `facts` and `frames`.
_REMAINING, _ASLEEP = 0, 1
_PAID, _ESTIMATE, _COLOUR, _COVER = 0, 1, 2, 3
_NODE, _BUDGET, _FIRST, _END, _NEXT = 0, 1, 2, 3, 4

# Nodes with a part of their own; children come after them.
_RAW = 0  #: after the moves that are final, not normalised
_ROOT = 1  #: root of the running query
_SPARE = 2
_CHILDREN = 3

_UNLIMITED = 1 << 40


# --- the board as a graph of regions ------------------------------------------------------------------------------------


@structure
class Regions(NamedTuple):
    """A board contracted to its regions, numbered by distance from the start, which is region 0."""

    neighbours: np.ndarray  #: (n, W) uint64: the regions next to each region
    members: np.ndarray  #: (K, W) uint64: the regions of each colour
    values: np.ndarray  #: (K,) int64: the colours as they stand on the board, ascending
    region: np.ndarray  #: (rows, columns) int64: the region of each cell
    width: tuple[int, ...]  #: W zeros, to make W known to the compiler; empty when sets have many words


def contract(board: np.ndarray, start_row: int = 0, start_col: int = 0) -> Regions:
    """The regions of a board of any integers, flooded from the cell (`start_row`, `start_col`). O(cells).

    Raises ValueError when the board is not a rectangle of integers, the start is outside, or there are too many colours.
    """
    if board.ndim != 2 or board.size == 0 or board.dtype.kind not in "iu":
        raise ValueError(f"a board must be a rectangle of integers, not an array of {board.dtype} with shape {board.shape}")
    rows, columns = board.shape
    if not (0 <= start_row < rows and 0 <= start_col < columns):
        raise ValueError(f"the start ({start_row}, {start_col}) lies outside the board of {rows} rows and {columns} columns")
    values, colours = np.unique(board, return_inverse=True)
    if len(values) > MAX_COLOURS:
        raise ValueError(f"the board has {len(values)} colours; at most {MAX_COLOURS} can be searched")
    cells = np.ascontiguousarray(colours.reshape(board.shape), np.int64)
    if is_interpreting():
        cells = exact(cells)
    region, neighbours, members = _contract(cells, start_row, start_col, len(values))
    words = members.shape[1]
    return Regions(neighbours, members, values.astype(np.int64), region, (0,) * words if words <= _LARGEST_WIDTH else ())


@kernel
def _contract(cells: np.ndarray, start_row: int, start_col: int, colours: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Number the regions in breadth-first order; returns what `Regions` calls region, neighbours and members."""
    rows, columns = cells.shape
    region = np.full((rows, columns), -1, np.int64)
    first = np.zeros(4 * rows * columns + 1, np.int64)  # a cell each of the regions to come, those met twice included
    inside = np.zeros(rows * columns, np.int64)  # cells of the region at hand
    first[0] = start_row * columns + start_col
    waiting = 1
    regions = 0
    position = 0
    while position < waiting:
        cell = first[position]
        position += 1
        if region[cell // columns, cell % columns] >= 0:
            continue
        region[cell // columns, cell % columns] = regions
        inside[0] = cell
        size = 1
        done = 0
        while done < size:
            row, column = inside[done] // columns, inside[done] % columns
            done += 1
            for side in range(4):
                r = row + (side == 2) - (side == 0)
                c = column + (side == 1) - (side == 3)
                if r < 0 or c < 0 or r >= rows or c >= columns or region[r, c] >= 0:
                    continue
                if cells[r, c] == cells[row, column]:
                    region[r, c] = regions
                    inside[size] = r * columns + c
                    size += 1
                else:
                    first[waiting] = r * columns + c
                    waiting += 1
        regions += 1

    words = (regions + 63) // 64
    neighbours = np.zeros((regions, words), np.uint64)
    members = np.zeros((colours, words), np.uint64)
    for row in range(rows):
        for column in range(columns):
            here = region[row, column]
            members[cells[row, column], here >> 6] |= unsigned(1) << unsigned(here & 63)
            for side in range(2):
                r, c = row + side, column + 1 - side
                if r < rows and c < columns and region[r, c] != here:
                    there = region[r, c]
                    neighbours[here, there >> 6] |= unsigned(1) << unsigned(there & 63)
                    neighbours[there, here >> 6] |= unsigned(1) << unsigned(here & 63)
    return region, neighbours, members


# --- Flood-It as a problem for every engine ------------------------------------------------------------------------------


@problem
class FloodIt(NamedTuple):
    """The game for the general engines: the state is the set of regions taken, a move is the rank of a colour."""

    regions: Regions

    def start(self) -> np.ndarray:
        """The state in which only the start is taken."""
        state = np.zeros(self.regions.members.shape[1], np.uint64)
        state[0] = 1
        return state

    def move_count(self) -> int:
        """One move a colour."""
        return self.regions.members.shape[0]

    def move_name(self, move: int) -> str:
        """The colour as it stands on the board."""
        return str(int(self.regions.values[move]))

    def apply(self, state: np.ndarray, move: int) -> int:
        """Take the regions of a colour on the frontier; illegal when there are none. O(n W)."""
        found = False
        neighbours, members = self.regions.neighbours, self.regions.members
        words = state.shape[0]
        for v in range(neighbours.shape[0]):
            bit = unsigned(1) << unsigned(v & 63)
            if members[move, v >> 6] & bit == 0 or state[v >> 6] & bit != 0:
                continue
            touches = False
            for w in range(words):
                # Two regions of one colour are never neighbours, so taking one does not put another on the frontier.
                touches = touches or neighbours[v, w] & state[w] != 0
            if touches:
                state[v >> 6] |= bit
                found = True
        return 1 if found else ILLEGAL

    def is_goal(self, state: np.ndarray) -> bool:
        """Whether every region is taken."""
        taken = 0
        for w in range(state.shape[0]):
            taken += integer(population_count(state[w]))
        return taken == self.regions.neighbours.shape[0]

    def lower_bound(self, state: np.ndarray) -> int:
        """The number of colours that are left. O(K W)."""
        members = self.regions.members
        left = 0
        for c in range(members.shape[0]):
            outside = False
            for w in range(state.shape[0]):
                outside = outside or members[c, w] & ~state[w] != 0
            left += 1 if outside else 0
        return left


# --- operations on sets of regions ---------------------------------------------------------------------------------------


class Memory(NamedTuple):
    """The working memory; shapes in the legend above."""

    unions: np.ndarray
    sets: np.ndarray
    masks: np.ndarray
    facts: np.ndarray
    order: np.ndarray
    frames: np.ndarray
    witness: np.ndarray
    proved: np.ndarray
    key: np.ndarray
    counters: np.ndarray


@kernel
def _words(width: tuple[int, ...], members: np.ndarray) -> int:
    """W, as a constant where the type of `width` says it."""
    return len(width) if len(width) > 0 else members.shape[1]


@kernel
def _taken_row(sets: np.ndarray, masks: np.ndarray, slot: int) -> int:
    """Row of the regions taken in a node; the regions seen are in the next row."""
    return sets.shape[0] - 2 * (masks.shape[0] - slot)


@kernel
def _fill_unions(unions: np.ndarray, neighbours: np.ndarray) -> None:
    """Unions of the neighbours of any of four regions with consecutive numbers."""
    for row in range(unions.shape[0]):
        m = row & 15
        if m == 0:
            for w in range(unions.shape[1]):
                unions[row, w] = 0
        else:
            region = (row >> 4) * 4 + integer(trailing_zeros(unsigned(m)))
            rest = row - m + (m & (m - 1))
            for w in range(unions.shape[1]):
                near = neighbours[region, w] if region < neighbours.shape[0] else unsigned(0)
                unions[row, w] = unions[rest, w] | near


@kernel
def _take(unions: np.ndarray, sets: np.ndarray, source: int, seen: int, new: int, words: int) -> bool:
    """See the neighbours of the regions in row `source`: add them to row `seen`; those not there before become row `new`.

    Four words at a time are kept in registers. Returns whether there were any.
    """
    any_new = unsigned(0)
    for block in range(0, words, 4):
        u0 = unsigned(0)
        u1 = unsigned(0)
        u2 = unsigned(0)
        u3 = unsigned(0)
        for w in range(words):
            bits = sets[unsigned(source), unsigned(w)]
            while bits != unsigned(0):
                shift = trailing_zeros(bits) & unsigned(60)
                piece = (bits >> shift) & unsigned(15)
                bits ^= piece << shift
                row = unsigned(256 * w) + (shift << unsigned(2)) + piece
                u0 |= unions[row, unsigned(block)]
                if block + 1 < words:
                    u1 |= unions[row, unsigned(block + 1)]
                if block + 2 < words:
                    u2 |= unions[row, unsigned(block + 2)]
                if block + 3 < words:
                    u3 |= unions[row, unsigned(block + 3)]
        any_new |= _add(sets, seen, new, block, u0)
        if block + 1 < words:
            any_new |= _add(sets, seen, new, block + 1, u1)
        if block + 2 < words:
            any_new |= _add(sets, seen, new, block + 2, u2)
        if block + 3 < words:
            any_new |= _add(sets, seen, new, block + 3, u3)
    return any_new != unsigned(0)


@kernel
def _add(sets: np.ndarray, seen: int, new: int, w: int, union: int) -> int:
    before = sets[unsigned(seen), unsigned(w)]
    fresh = union & ~before
    sets[unsigned(seen), unsigned(w)] = before | union
    sets[unsigned(new), unsigned(w)] = fresh
    return fresh


@kernel
def _within(members: np.ndarray, c: int, sets: np.ndarray, row: int, words: int) -> bool:
    """Whether all regions of colour c are in a row."""
    outside = unsigned(0)
    for w in range(words):
        outside |= members[unsigned(c), unsigned(w)] & ~sets[unsigned(row), unsigned(w)]
    return outside == unsigned(0)


@kernel
def _meets(members: np.ndarray, c: int, sets: np.ndarray, row: int, words: int) -> bool:
    """Whether a region of colour c is in a row."""
    inside = unsigned(0)
    for w in range(words):
        inside |= members[unsigned(c), unsigned(w)] & sets[unsigned(row), unsigned(w)]
    return inside != unsigned(0)


@kernel
def _completable(members: np.ndarray, remaining: int, sets: np.ndarray, seen: int, words: int) -> int:
    """The remaining colours all of whose regions are seen, as a mask."""
    found = unsigned(0)
    rest = remaining
    while rest != unsigned(0):
        c = trailing_zeros(rest)
        rest &= rest - unsigned(1)
        if _within(members, c, sets, seen, words):
            found |= unsigned(1) << c
    return found


@kernel
def _count(mask: int) -> int:
    return integer(population_count(mask))


# --- the bound -----------------------------------------------------------------------------------------------------------


@kernel
def _bound(
    unions: np.ndarray,
    members: np.ndarray,
    sets: np.ndarray,
    taken: int,
    remaining: int,
    limit: int,
    normal: bool,
    critical: bool,
    layers: int,
    words: int,
) -> int:
    """Lower bound of h* of the node with the rows `taken` and `taken` + 1; as soon as it exceeds `limit`, what is proved then.

    `normal`: no colour is completable. O(n W) with a small factor.
    """
    for w in range(words):
        seen = sets[unsigned(taken + 1), unsigned(w)]
        sets[unsigned(_SEEN), unsigned(w)] = seen
        sets[unsigned(_LAYERS), unsigned(w)] = seen & ~sets[unsigned(taken), unsigned(w)]
    moves = 0
    t = 0
    ready = unsigned(0) if normal else _completable(members, remaining, sets, _SEEN, words)
    while remaining != unsigned(0):
        if ready != unsigned(0):
            moves += _count(ready)
            remaining &= ~ready
            if remaining == unsigned(0) or moves + _count(remaining) > limit:
                break
            _complete_layer(unions, members, sets, ready, _LAYERS + t, words)
            t = 0
            ready = _completable(members, remaining, sets, _SEEN, words)
            continue
        moves += 1
        if moves + _count(remaining) > limit:
            break
        _take(unions, sets, _LAYERS + t, _SEEN, _LAYERS + t + 1, words)
        t += 1
        ready = _completable(members, remaining, sets, _SEEN, words)
        if critical and ready != unsigned(0) and _unreachable(unions, members, sets, ready, t, layers, words):
            ready = unsigned(0)
    return moves + _count(remaining)


@kernel
def _complete_layer(unions: np.ndarray, members: np.ndarray, sets: np.ndarray, ready: int, layer: int, words: int) -> None:
    """Take the regions of the colours `ready` from the frontier in row `layer`; the new frontier becomes layer 0."""
    for w in range(words):
        chosen = unsigned(0)
        rest = ready
        while rest != unsigned(0):
            chosen |= members[trailing_zeros(rest), unsigned(w)]
            rest &= rest - unsigned(1)
        front = sets[unsigned(layer), unsigned(w)]
        sets[unsigned(_FROM), unsigned(w)] = front & chosen
        sets[unsigned(_LAYERS), unsigned(w)] = front & ~chosen
    _take(unions, sets, _FROM, _SEEN, _NEW, words)
    for w in range(words):
        sets[unsigned(_LAYERS), unsigned(w)] |= sets[unsigned(_NEW), unsigned(w)]


@kernel
def _unreachable(unions: np.ndarray, members: np.ndarray, sets: np.ndarray, ready: int, t: int, layers: int, words: int) -> bool:
    """Whether no colour in `ready` can be complete after t + 1 moves, by critical paths."""
    rest = ready
    while rest != unsigned(0):
        if not _meets(members, trailing_zeros(rest), sets, _LAYERS + t, words):
            return False
        rest &= rest - unsigned(1)
    rest = ready
    while rest != unsigned(0):
        if _has_common_word(unions, members, sets, trailing_zeros(rest), t, layers, words):
            return False
        rest &= rest - unsigned(1)
    return True


@kernel
def _has_common_word(
    unions: np.ndarray, members: np.ndarray, sets: np.ndarray, c: int, t: int, layers: int, words: int
) -> bool:
    """Whether some t colours may spell shortest paths to all regions of colour c in layer t.

    Looks at no more than CONES regions: to leave some out can only make the answer "yes".
    """
    cones = _LAYERS + layers
    targets = 0
    for w in range(words):
        bits = members[unsigned(c), unsigned(w)] & sets[unsigned(_LAYERS + t), unsigned(w)]
        while bits != unsigned(0) and targets < _CONES:
            for q in range(words):
                sets[unsigned(cones + targets), unsigned(q)] = unsigned(0)
            sets[unsigned(cones + targets), unsigned(w)] = bits & ~(bits - unsigned(1))
            bits &= bits - unsigned(1)
            targets += 1
    if targets <= 1:
        return True
    every = (unsigned(1) << unsigned(members.shape[0] - 1)) * unsigned(2) - unsigned(1)
    for layer in range(t - 1, -1, -1):
        common = every
        for target in range(targets):
            row = cones + target
            for w in range(words):
                sets[unsigned(_NEW), unsigned(w)] = unsigned(0)
            _take(unions, sets, row, _NEW, _FROM, words)
            for w in range(words):
                sets[unsigned(row), unsigned(w)] = sets[unsigned(_NEW), unsigned(w)] & sets[unsigned(_LAYERS + layer), unsigned(w)]
            rest = common
            while rest != unsigned(0):
                d = trailing_zeros(rest)
                rest &= rest - unsigned(1)
                if not _meets(members, d, sets, row, words):
                    common &= ~(unsigned(1) << d)
            if common == unsigned(0):
                return False
        if layer > 0:
            _restrict(members, sets, cones, targets, common, words)
    return True


@kernel
def _restrict(members: np.ndarray, sets: np.ndarray, cones: int, targets: int, common: int, words: int) -> None:
    """Leave in each cone only regions of the colours `common`."""
    for w in range(words):
        chosen = unsigned(0)
        rest = common
        while rest != unsigned(0):
            chosen |= members[trailing_zeros(rest), unsigned(w)]
            rest &= rest - unsigned(1)
        for target in range(targets):
            sets[unsigned(cones + target), unsigned(w)] &= chosen


# --- nodes ---------------------------------------------------------------------------------------------------------------


@kernel
def _play(
    unions: np.ndarray, members: np.ndarray, sets: np.ndarray, masks: np.ndarray, parent: int, c: int, child: int, words: int
) -> bool:
    """Make `child` the state after playing c in `parent`, unless that is a useless move. Returns whether it is not useless."""
    old = _taken_row(sets, masks, parent)
    row = _taken_row(sets, masks, child)
    for w in range(words):
        taken = sets[unsigned(old), unsigned(w)]
        seen = sets[unsigned(old + 1), unsigned(w)]
        moved = seen & ~taken & members[unsigned(c), unsigned(w)]
        sets[unsigned(_FROM), unsigned(w)] = moved
        sets[unsigned(row), unsigned(w)] = taken | moved
        sets[unsigned(row + 1), unsigned(w)] = seen
    masks[unsigned(child), _REMAINING] = masks[unsigned(parent), _REMAINING]
    useful = _take(unions, sets, _FROM, row + 1, _NEW, words)
    if _within(members, c, sets, row, words):
        masks[unsigned(child), _REMAINING] &= ~(unsigned(1) << unsigned(c))
        useful = True
    return useful


@kernel
def _complete(
    unions: np.ndarray, members: np.ndarray, sets: np.ndarray, masks: np.ndarray, slot: int, ready: int, words: int
) -> None:
    """Play the completable colours `ready` in a node."""
    row = _taken_row(sets, masks, slot)
    masks[unsigned(slot), _REMAINING] &= ~ready
    for w in range(words):
        chosen = unsigned(0)
        rest = ready
        while rest != unsigned(0):
            chosen |= members[trailing_zeros(rest), unsigned(w)]
            rest &= rest - unsigned(1)
        taken = sets[unsigned(row), unsigned(w)]
        sets[unsigned(_FROM), unsigned(w)] = chosen & ~taken
        sets[unsigned(row), unsigned(w)] = taken | chosen
    _take(unions, sets, _FROM, row + 1, _NEW, words)


@kernel
def _normalise(unions: np.ndarray, members: np.ndarray, sets: np.ndarray, masks: np.ndarray, slot: int, words: int) -> int:
    """Play completable colours in a node until there are none; returns how many were played."""
    seen = _taken_row(sets, masks, slot) + 1
    moves = 0
    while True:
        ready = _completable(members, masks[unsigned(slot), _REMAINING], sets, seen, words)
        if ready == unsigned(0):
            return moves
        moves += _count(ready)
        _complete(unions, members, sets, masks, slot, ready, words)


@kernel
def _asleep(members: np.ndarray, sets: np.ndarray, masks: np.ndarray, parent: int, child: int, words: int) -> int:
    """Of the colours that sleep or failed in `parent`, those of which nothing new is seen in `child`."""
    old = _taken_row(sets, masks, parent) + 1
    row = _taken_row(sets, masks, child) + 1
    for w in range(words):
        sets[unsigned(_NEW), unsigned(w)] = sets[unsigned(row), unsigned(w)] & ~sets[unsigned(old), unsigned(w)]
    rest = masks[unsigned(parent), _ASLEEP] & masks[unsigned(child), _REMAINING]
    found = rest
    while rest != unsigned(0):
        c = trailing_zeros(rest)
        rest &= rest - unsigned(1)
        if _meets(members, c, sets, _NEW, words):
            found &= ~(unsigned(1) << c)
    return found


@kernel
def _copy(sets: np.ndarray, masks: np.ndarray, source: int, target: int, words: int) -> None:
    """Make node `target` the same state as `source`, with nothing asleep."""
    old = _taken_row(sets, masks, source)
    row = _taken_row(sets, masks, target)
    for w in range(words):
        sets[unsigned(row), unsigned(w)] = sets[unsigned(old), unsigned(w)]
        sets[unsigned(row + 1), unsigned(w)] = sets[unsigned(old + 1), unsigned(w)]
    masks[unsigned(target), _REMAINING] = masks[unsigned(source), _REMAINING]
    masks[unsigned(target), _ASLEEP] = unsigned(0)


@kernel
def _known(table: StateTable, proved: np.ndarray, key: np.ndarray, sets: np.ndarray, taken: int, words: int) -> int:
    """The lower bound in the table; 0 when there is none."""
    for w in range(words):
        key[unsigned(w)] = sets[unsigned(taken), unsigned(w)]
    number = table.number_at(table.locate(key, table.tag(key)))
    return np.int64(proved[unsigned(number)]) if number >= 0 else 0


@kernel
def _remember(
    table: StateTable, proved: np.ndarray, key: np.ndarray, sets: np.ndarray, taken: int, bound: int, more: bool, words: int
) -> None:
    """Put a lower bound into the table; without `more`, only if the state is there."""
    for w in range(words):
        key[unsigned(w)] = sets[unsigned(taken), unsigned(w)]
    tag = table.tag(key)
    position = table.locate(key, tag)
    number = table.number_at(position)
    if number >= 0:
        proved[unsigned(number)] = max(np.int64(proved[unsigned(number)]), bound)
    elif more:
        proved[unsigned(table.insert(position, key, tag))] = bound


# --- the search ----------------------------------------------------------------------------------------------------------


@kernel
def search_regions(game: FloodIt, memory: Memory, table: StateTable) -> int:
    """Advance the search until the node budget is used up; see `control` for the outcomes."""
    counters, frames, masks, facts, order = memory.counters, memory.frames, memory.masks, memory.facts, memory.order
    slots = masks.shape[0]
    colours = game.regions.members.shape[0]
    while counters[GENERATED] < counters[STOP_AT]:
        depth = counters[FRAMES] - 1
        if depth < 0:
            if _next_query(game, memory, table):
                return FOUND
            continue
        node = frames[depth, _NODE]
        if frames[depth, _NEXT] < 0:
            if frames[depth, _FIRST] + colours > slots or not (counters[REMEMBER] != 1 or table.has_room(1)):
                return FULL
            if _expand(game, memory, table, depth):
                _record(game, memory)
                counters[WON] = 1
                counters[FRAMES] = 0
            continue
        position = frames[depth, _NEXT]
        if position > frames[depth, _FIRST]:
            masks[node, _ASLEEP] |= unsigned(1) << unsigned(facts[order[position - 1], _COLOUR])
        if position == frames[depth, _END]:
            if counters[REMEMBER] == 1 and not table.has_room(1):
                return FULL
            _fail(game, memory, table, node, frames[depth, _BUDGET])
            counters[FRAMES] = depth
            continue
        frames[depth, _NEXT] = position + 1
        child = order[position]
        _descend(game, memory, table, depth, node, child)
    return PAUSED


@kernel
def _fail(game: FloodIt, memory: Memory, table: StateTable, node: int, budget: int) -> None:
    """Note that a node cannot be solved within its budget."""
    counters = memory.counters
    if counters[REMEMBER] != 0:
        words = _words(game.regions.width, game.regions.members)
        taken = _taken_row(memory.sets, memory.masks, node)
        _remember(table, memory.proved, memory.key, memory.sets, taken, budget + 1, counters[REMEMBER] == 1, words)


@kernel
def _descend(game: FloodIt, memory: Memory, table: StateTable, depth: int, node: int, child: int) -> None:
    """Put a child on the path, unless it has failed since it was generated."""
    counters, frames, sets, masks = memory.counters, memory.frames, memory.sets, memory.masks
    words = _words(game.regions.width, game.regions.members)
    budget = frames[depth, _BUDGET] - memory.facts[child, _PAID]
    if counters[REMEMBER] != 0 and frames[depth, _NEXT] > frames[depth, _FIRST] + 1:
        if _known(table, memory.proved, memory.key, sets, _taken_row(sets, masks, child), words) > budget:
            counters[DUPLICATES] += 1
            return
    asleep = unsigned(0)
    if counters[COMMUTING] == 1:
        asleep = _asleep(game.regions.members, sets, masks, node, child, words)
    masks[child, _ASLEEP] = asleep
    frames[depth + 1, _NODE] = child
    frames[depth + 1, _BUDGET] = budget
    frames[depth + 1, _FIRST] = frames[depth, _END]
    frames[depth + 1, _NEXT] = -1
    counters[FRAMES] = depth + 2
    counters[DEPTH] = depth + 1


@kernel
def _expand(game: FloodIt, memory: Memory, table: StateTable, depth: int) -> bool:
    """Generate the children of the last node on the path; True, with the winning child in NEXT, when one is solved."""
    counters, frames, sets, masks, facts, order = (
        memory.counters, memory.frames, memory.sets, memory.masks, memory.facts, memory.order,
    )
    members, unions = game.regions.members, memory.unions
    words = _words(game.regions.width, members)
    useless, completable, ordered = counters[USELESS] == 1, counters[COMPLETABLE] == 1, counters[ORDERED] == 1
    node, budget, first = frames[depth, _NODE], frames[depth, _BUDGET], frames[depth, _FIRST]
    old = _taken_row(sets, masks, node)
    counters[EXPANDED] += 1
    frames[depth, _NEXT] = first
    child = first
    for w in range(words):
        sets[unsigned(_FRONT), unsigned(w)] = sets[unsigned(old + 1), unsigned(w)] & ~sets[unsigned(old), unsigned(w)]
    rest = masks[node, _REMAINING] & ~masks[node, _ASLEEP]
    while rest != unsigned(0):
        c = trailing_zeros(rest)
        rest &= rest - unsigned(1)
        if not _meets(members, c, sets, _FRONT, words):
            continue
        useful = _play(unions, members, sets, masks, node, c, child, words)
        if useless and not useful:
            continue
        counters[GENERATED] += 1
        paid = 1
        if completable:
            paid += _normalise(unions, members, sets, masks, child, words)
        estimate = _estimate(game, memory, table, child, budget - paid)
        if estimate > budget - paid:
            masks[node, _ASLEEP] |= unsigned(1) << c
            continue
        facts[child, _PAID] = paid
        facts[child, _ESTIMATE] = estimate + paid
        facts[child, _COLOUR] = integer(c)
        place = child
        if ordered:
            row = _taken_row(sets, masks, child) + 1
            cover = 0
            for w in range(words):
                cover += _count(sets[unsigned(row), unsigned(w)])
            facts[child, _COVER] = cover
            while place > first and _is_better(facts, child, order[place - 1]):
                order[place] = order[place - 1]
                place -= 1
        order[place] = child
        child += 1
        if masks[child - 1, _REMAINING] == unsigned(0):
            order[first] = child - 1
            frames[depth, _NEXT] = first + 1
            return True
    frames[depth, _END] = child
    return False


@kernel
def _is_better(facts: np.ndarray, a: int, b: int) -> bool:
    """Whether child a is searched before child b, which was generated before it."""
    if facts[a, _ESTIMATE] != facts[b, _ESTIMATE]:
        return facts[a, _ESTIMATE] < facts[b, _ESTIMATE]
    return facts[a, _COVER] > facts[b, _COVER]


@kernel
def _estimate(game: FloodIt, memory: Memory, table: StateTable, slot: int, budget: int) -> int:
    """A lower bound of h* of a node, exact as to whether it exceeds the budget only; counts what is cut."""
    counters, sets, masks = memory.counters, memory.sets, memory.masks
    members = game.regions.members
    words = _words(game.regions.width, members)
    normal = counters[COMPLETABLE] == 1
    remaining = masks[slot, _REMAINING]
    row = _taken_row(sets, masks, slot)
    least = _count(remaining)
    if normal and least > 0:
        least += 1  # the last region of no colour is seen yet
    if least == 0 or least > budget:
        if least > budget:
            counters[PRUNED] += 1
        return least
    if counters[REMEMBER] != 0:
        known = _known(table, memory.proved, memory.key, sets, row, words)
        if known > budget:
            counters[DUPLICATES] += 1
        if known > 0:
            return known
    layers = memory.witness.shape[0] + 2
    bound = _bound(
        memory.unions, members, sets, row, remaining, budget, normal, counters[CRITICAL] == 1, layers, words
    )
    if bound > budget:
        counters[PRUNED] += 1
    return bound


@kernel
def _begin(memory: Memory, budget: int, asleep: int) -> None:
    """Start a query: can the root be solved within the budget?"""
    frames = memory.frames
    memory.masks[_ROOT, _ASLEEP] = asleep
    frames[0, _NODE] = _ROOT
    frames[0, _BUDGET] = budget
    frames[0, _FIRST] = _CHILDREN
    frames[0, _NEXT] = -1
    memory.counters[FRAMES] = 1
    memory.counters[DEPTH] = 0


@kernel
def _next_query(game: FloodIt, memory: Memory, table: StateTable) -> bool:
    """Judge the query that has ended and begin the next one. Returns whether the search is over."""
    counters = memory.counters
    won = counters[WON] == 1
    counters[WON] = 0
    if counters[PHASE] == _STARTING:
        counters[PHASE] = _DEEPENING
        won = _start(game, memory, table)
    elif counters[PHASE] == _DEEPENING and not won:
        counters[BOUND] += 1
    if counters[PHASE] == _DEEPENING:
        if not won:
            _begin(memory, counters[BOUND] - counters[ROOT_PAID], unsigned(0))
            return False
        counters[INCUMBENT] = counters[BOUND]
        counters[PHASE] = _REFINING
        return counters[LEXICOGRAPHIC] == 0
    return _refine(game, memory, table, won)


@kernel
def _start(game: FloodIt, memory: Memory, table: StateTable) -> bool:
    """Set up the first node and the first threshold. Returns whether the start needs no search."""
    counters, sets, masks, members = memory.counters, memory.sets, memory.masks, game.regions.members
    words = _words(game.regions.width, members)
    _fill_unions(memory.unions, game.regions.neighbours)
    row = _taken_row(sets, masks, _RAW)
    for w in range(words):
        sets[row, w] = unsigned(1 if w == 0 else 0)
        sets[row + 1, w] = sets[row, w] | game.regions.neighbours[0, w]
    for c in range(members.shape[0]):
        if not _within(members, c, sets, row, words):
            masks[_RAW, _REMAINING] |= unsigned(1) << unsigned(c)
    _copy(sets, masks, _RAW, _ROOT, words)
    if counters[COMPLETABLE] == 1:
        counters[ROOT_PAID] = _normalise(memory.unions, members, sets, masks, _ROOT, words)
    counters[BOUND] = counters[ROOT_PAID] + _estimate(game, memory, table, _ROOT, _UNLIMITED)
    if masks[_ROOT, _REMAINING] != unsigned(0):
        return False
    _record(game, memory)
    return True


@kernel
def _refine(game: FloodIt, memory: Memory, table: StateTable, won: bool) -> bool:
    """One step of the second phase: try one colour in place of a move of the witness. Returns whether all are final."""
    counters, masks = memory.counters, memory.masks
    at, c = counters[DECIDED], counters[TRIED]
    if at == counters[INCUMBENT]:
        return True
    if c == memory.witness[at]:
        _decide(game, memory)
    elif counters[PENDING] == 1:
        counters[PENDING] = 0
        if not won:
            _refuse(memory)
    else:
        _try(game, memory, table)
    return False


@kernel
def _refuse(memory: Memory) -> None:
    """The colour TRIED is not the next move; nor need it be later, until new regions of it are seen."""
    counters = memory.counters
    if counters[COMMUTING] == 1:
        memory.masks[_RAW, _ASLEEP] |= unsigned(1) << unsigned(counters[TRIED])
    counters[TRIED] += 1


@kernel
def _decide(game: FloodIt, memory: Memory) -> None:
    """Make the next move of the witness final."""
    counters, sets, masks, members = memory.counters, memory.sets, memory.masks, game.regions.members
    words = _words(game.regions.width, members)
    _play(memory.unions, members, sets, masks, _RAW, counters[TRIED], _SPARE, words)
    asleep = _asleep(members, sets, masks, _RAW, _SPARE, words)
    _copy(sets, masks, _SPARE, _RAW, words)
    masks[_RAW, _ASLEEP] = asleep
    counters[DECIDED] += 1
    counters[TRIED] = 0
    counters[PENDING] = 0


@kernel
def _try(game: FloodIt, memory: Memory, table: StateTable) -> None:
    """Judge the colour TRIED as the next move, or begin a query about it."""
    counters, sets, masks, members = memory.counters, memory.sets, memory.masks, game.regions.members
    words = _words(game.regions.width, members)
    at, c = counters[DECIDED], counters[TRIED]
    row = _taken_row(sets, masks, _RAW)
    bit = unsigned(1) << unsigned(c)
    if masks[_RAW, _REMAINING] & ~masks[_RAW, _ASLEEP] & bit == unsigned(0):
        counters[TRIED] += 1
        return
    for w in range(words):
        sets[_FRONT, w] = sets[row + 1, w] & ~sets[row, w]
    if not _meets(members, c, sets, _FRONT, words):
        counters[TRIED] += 1
        return
    if _within(members, c, sets, row + 1, words):
        _move_forward(memory.witness, at, c)
        return
    useful = _play(memory.unions, members, sets, masks, _RAW, c, _ROOT, words)
    counters[GENERATED] += 1
    if counters[USELESS] == 1 and not useful:
        _refuse(memory)
        return
    budget = counters[INCUMBENT] - at - 1
    if counters[COMPLETABLE] == 1:
        budget -= _normalise(memory.unions, members, sets, masks, _ROOT, words)
    if _estimate(game, memory, table, _ROOT, budget) > budget:
        _refuse(memory)
    elif masks[_ROOT, _REMAINING] == unsigned(0):
        _record(game, memory)
    else:
        counters[PENDING] = 1
        _begin(memory, budget, _asleep(members, sets, masks, _RAW, _ROOT, words))


@kernel
def _move_forward(witness: np.ndarray, at: int, c: int) -> None:
    """Move the next play of a completable colour to position `at`."""
    k = at
    while witness[k] != c:
        k += 1
    while k > at:
        witness[k] = witness[k - 1]
        k -= 1
    witness[at] = c


@kernel
def _record(game: FloodIt, memory: Memory) -> None:
    """Write the solution that the running query has found into the witness, behind the moves that are final."""
    counters, sets, masks, members = memory.counters, memory.sets, memory.masks, game.regions.members
    words = _words(game.regions.width, members)
    length = counters[DECIDED]
    _copy(sets, masks, _RAW, _SPARE, words)
    if counters[PHASE] == _REFINING:
        length = _record_move(memory, members, counters[TRIED], length, words)
    length = _record_completable(memory, members, length, words)
    for depth in range(counters[FRAMES]):
        child = memory.order[memory.frames[depth, _NEXT] - 1]
        length = _record_move(memory, members, memory.facts[child, _COLOUR], length, words)
        length = _record_completable(memory, members, length, words)


@kernel
def _record_move(memory: Memory, members: np.ndarray, c: int, length: int, words: int) -> int:
    _play(memory.unions, members, memory.sets, memory.masks, _SPARE, c, _SPARE, words)
    memory.witness[length] = c
    return length + 1


@kernel
def _record_completable(memory: Memory, members: np.ndarray, length: int, words: int) -> int:
    """Play and record what `_normalise` played here."""
    sets, masks = memory.sets, memory.masks
    ready = unsigned(0)
    while memory.counters[COMPLETABLE] == 1:
        ready = _completable(members, masks[_SPARE, _REMAINING], sets, _taken_row(sets, masks, _SPARE) + 1, words)
        if ready == unsigned(0):
            break
        _complete(memory.unions, members, sets, masks, _SPARE, ready, words)
        while ready != unsigned(0):
            memory.witness[length] = integer(trailing_zeros(ready))
            length += 1
            ready &= ready - unsigned(1)
    return length


# --- from Python ---------------------------------------------------------------------------------------------------------


class FloodSearch(CompiledSearch):
    """The search of one board; `without` names prunings to be switched off."""

    engine = "flood_it"
    kernel = search_regions

    def __init__(
        self, regions: Regions, options: RunOptions, *, lexicographic: bool = True, without: Set[str] = frozenset()
    ) -> None:
        unknown = sorted(set(without) - set(PRUNINGS))
        if unknown:
            raise ValueError(f"there is no pruning {unknown[0]!r}; there are: {', '.join(PRUNINGS)}")
        game = FloodIt(regions)
        super().__init__(game, game.start(), options, lexicographic=lexicographic, without=sorted(without))
        self.regions = regions
        n, words = regions.neighbours.shape
        slots = _CHILDREN + 8 * len(regions.members) + 64
        counters = np.zeros(COUNTERS, np.int64)
        counters[INCUMBENT] = NONE
        counters[GENERATED] = 1  # the start
        counters[LEXICOGRAPHIC] = lexicographic
        for counter, name in _SWITCHES.items():
            counters[counter] = name not in without
        self.memory = Memory(
            unions=np.empty((16 * -(-n // 4), words), np.uint64),
            sets=np.zeros((_LAYERS + n + 2 + _CONES + 2 * slots, words), np.uint64),
            masks=np.zeros((slots, 2), np.uint64),
            facts=np.zeros((slots, 4), np.int64),
            order=np.zeros(slots, np.int64),
            frames=np.zeros((n + 1, 5), np.int64),
            witness=np.zeros(n, np.int64),
            proved=np.zeros(_STATES, np.int32),
            key=np.zeros(words, np.uint64),
            counters=counters,
        )
        self.table = state_table(_STATES, words)

    def arguments(self) -> tuple[Any, ...]:
        return (self.memory, self.table)

    def bytes(self) -> int:
        return super().bytes() + sum(array.nbytes for array in self.table)

    def grow(self, room: int | None) -> bool:
        """Double the table, or let it take no more states when there is no room for that; or double the stack."""
        m = self.memory
        if self.counters[REMEMBER] == 1 and not self.table.has_room(1):
            states = 2 * len(self.table.states)
            if room is not None and self.bytes() + 3 * sum(array.nbytes for array in self.table) > room:
                self.counters[REMEMBER] = 2
            else:
                self.table = grown(self.table, states)
                self.memory = m._replace(proved=enlarged(m.proved, states))
            return True
        slots = len(m.masks)
        self.memory = m._replace(
            sets=enlarged(m.sets, len(m.sets) + 2 * slots),
            masks=enlarged(m.masks, 2 * slots),
            facts=enlarged(m.facts, 2 * slots),
            order=enlarged(m.order, 2 * slots),
        )
        return room is None or self.bytes() <= room

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        cost = int(self.counters[INCUMBENT])
        if cost == NONE:
            return None
        return cost, tuple(self.regions.values[self.memory.witness[:cost]].tolist())

    def context(self) -> tuple[Any, Any]:
        return None, None  # the moves are colours as they stand on the board, not the move numbers of FloodIt

    def save(self) -> Snapshot:
        header, arrays = super().save()
        return Snapshot(header, {**arrays, **{f"table_{name}": array for name, array in self.table._asdict().items()}})

    def restore(self, snapshot: Snapshot) -> None:
        arrays = dict(snapshot.arrays)
        table = {name: arrays.pop(f"table_{name}") for name in StateTable._fields}
        super().restore(Snapshot(snapshot.header, arrays))
        self.table = StateTable(**table)


_STATES = 1024  #: room in the table at first

_SWITCHES = {
    CRITICAL: "critical-paths",
    COMPLETABLE: "completable-colours",
    USELESS: "useless-moves",
    COMMUTING: "commuting-moves",
    REMEMBER: "table",
    ORDERED: "move-order",
}


def solve_regions(
    regions: Regions, *, lexicographic: bool = True, without: Set[str] = frozenset(), **options: Unpack[RunOptions]
) -> Solution:
    """Find fewest moves, proved, as colours of the board; with `lexicographic` the first such sequence in their order.

    When the search is stopped after the optimum is known, the answer is an optimal sequence that may not be the first one.

    Raises ValueError for the name of a pruning that does not exist; Interrupted on Ctrl-C.
    """
    return run(FloodSearch(regions, options, lexicographic=lexicographic, without=without), options)
