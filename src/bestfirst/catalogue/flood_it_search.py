r"""Flood-It: fewest moves that make a board one colour, and the first such sequence in the order of the colours.

A *region* is a maximal connected set of cells of one colour. A move takes all regions of one colour that touch the regions taken
so far. Symbols:

    n, K, W      regions, colours, 64-bit words of a set of regions;  regions are numbered by distance from the start, which is 0
    c, d         a colour, as its rank among the colours of the board
    M_c          all regions of colour c
    A, V, F      the state: regions taken; those and their neighbours (*seen*); F = V \ A, the *frontier*
    remaining    colours with a region outside A, as a mask;  colour c is *completable* when it is remaining and M_c ⊆ V
    h*(A)        fewest moves from A to the end

Three facts carry the search. All rest on *monotony*: from a larger A the same moves lead to a larger A.

**Completable colours first.** If c is completable, some best sequence from A begins with c. Proof: c has to be played; move its
first play to the front. The set taken is then a superset at every later point, since that play takes all of M_c in either place.
So h*(A) = 1 + h*(A ∪ M_c), a state with completable colours needs no branching, and `normalise` plays them all.

**Useless moves.** A move that completes no colour and whose regions see nothing new is in no best sequence. Proof: its colour
must be played again later, that play takes those regions too, and nothing in between depends on them: leave the first one out.

**Commuting moves.** Let d have *failed* at a state u: it is proved that no sequence from u beginning with d keeps within the
budget of u. Then d *sleeps* below u: it need not be played from a state s below u as long as no new region of colour d has been
seen between u and s. Proof: suppose that s has a solution d y within its budget, and let x lead from u to s. All regions that d
takes from s lie in the frontier of u already. So d x takes a superset of what x d takes, d x y is a solution from u with as many
moves as x d y, which is within the budget of u, and d would not have failed at u. Hence every claim "s has no solution within
its budget" is true as a statement about s alone, whatever the path to s was: by induction over the order in which the claims
are made, since each uses only earlier ones. It may be kept in the table without a condition. The solution found is unaffected:
colours are only left out where no solution can begin with them.

The bound counts, for a state with no completable colour, *blind steps* that take the whole frontier at once: h*(A) ≥ 1 + h*(V),
since each single move takes a part of F and h* falls when A grows. With the equation for completable colours this gives
a bound after at most n steps: blind steps until some colour is completable, complete it, and so on (A. Puchert).

**Critical paths** strengthen a run of blind steps. Let the run have made t steps, L_0 … L_t the frontiers on the way, and E the
colours completable now. A region of L_t is t + 1 moves away from A: it is taken by move t + 1 only if the first t moves spell the
colours of a shortest path to it. If the regions of M_c in L_t have no such word in common, then c is not completed by any t + 1
moves. If this holds for every c in E, then no colour is complete after t + 1 moves, whichever they are, and one more blind step
is justified. Whether a common word exists is decided on the safe side: each target keeps the set of regions from which shortest
paths lead to it (its *cone*), and going back layer by layer all cones are restricted to the colours that occur in each of them.

The search begins with a *dive*: without a limit, always on to the most promising child, down to a sequence that is not proved
best. Then it is IDA* over normalised states with a table of proved bounds, with limits up to the length of that sequence.
When the optimum is known, a last phase goes through its solution move by move and tries every smaller colour with the moves
that are left; a success gives the solution to go on with. Colours that have failed sleep here, too. A completable colour that
is smaller is moved to the front of the rest of the solution at once, by the first fact. A useless move is in no best
sequence, so it is not in the first one.

The board (`Regions`) and the memory of the search; a *set* is a row of W words, a bit a region:

    graph    (64 + 256 ⌈n/8⌉, W) set c: the regions of colour c;
                                 set UNIONS + 256 g + m: the neighbours of the regions 8 g + i for the bits i of m
    sets     (4 slots, W)        four rows a node: A, V, and in the first word of the others its remaining colours and those that
                                 sleep in it or failed;  a node is named by its first row;  slot 0 is scratch space
    layers   (28 + n + 2, W)     scratch space of the bound: SEEN, FROM, NEW, WATCHED; cones from CONES on; L_t in row LAYERS + t
    facts    (slots, 4)          of a node: moves from its parent, estimate of the moves from there over it, colour, regions seen
    order    (slots,)            children, the most promising first
    frames   (n + 1, 5)          of the nodes on the path: node, budget, slot of the first child, end of the children, next child
    witness  (n,)                the shortest sequence found
    proved   (capacity,)         lower bound of h* of each state in the table
    key      (W,)                a set to look up
    width    W zeros             the length of this tuple tells the compiler W; it is empty for large W
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any, NamedTuple, Unpack

import numpy as np

from bestfirst.catalogue.prunings import Kind, Pruning, require_known
from bestfirst.control import FOUND, FULL, PAUSED, RunOptions, run
from bestfirst.kernel import exact, integer, is_interpreting, kernel, population_count, structure, trailing_zeros, unsigned
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
)
from bestfirst.search.graph import TableSearch
from bestfirst.store import enlarged
from bestfirst.store.state_table import StateTable, state_table

#: The prunings that can be switched off; the answer is the same without them.
PRUNINGS = {
    "critical-paths": Pruning(
        Kind.BOUND,
        "one more blind step where the last regions of a colour have no common shortest way",
        "a colour's last move comes after every one of its regions has been reached",
    ),
    "completable-colours": Pruning(
        Kind.EQUIVALENT,
        "a colour that can be finished now is finished now",
        "the move must come some time, and coming first it takes nothing from the others",
    ),
    "useless-moves": Pruning(
        Kind.EQUIVALENT,
        "a move that opens nothing and finishes no colour is dropped",
        "a later move of that colour takes the same regions",
    ),
    "commuting-moves": Pruning(
        Kind.EQUIVALENT,
        "a colour that failed sleeps until new regions of it are seen",
        "the two moves lead to the same regions in either order",
    ),
    "table": Pruning(
        Kind.MEMORY,
        "bounds proved for a state are kept for when it is met again",
        "what is left to do depends on the regions taken alone",
    ),
    "move-order": Pruning(
        Kind.ORDER,
        "children with a small estimate, then those that see many regions, come first: an optimum is found sooner",
        "all are tried in the end",
    ),
}

MAX_COLOURS = 64
_LARGEST_WIDTH = 4  #: sets of up to this many words have code of their own
_STATES = 8192  #: room in the table at first

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
PENDING = OWN + 13  #: 1: the query that runs, or has just ended, is about the colour TRIED

_STARTING, _DIVING, _DEEPENING, _REFINING = 0, 1, 2, 3  # phases

#: A word of a set, or a mask of colours: uint64 in compiled code, a Python integer in the interpreter.
Word = Any


def _constants(*values: int) -> Any:
    """Constants that kernels are called with: NumPy integers, or else Numba compiles the kernel anew for each of them."""
    return tuple(np.int64(value) for value in values)


# Rows of `graph`, of slot 0 of `sets`, and of `layers`; of the latter two the first three mean the same.
_UNIONS = 64
_SEEN, _FROM, _NEW, _FRONT, _WATCHED = _constants(0, 1, 2, 3, 3)
_CONES, _MOST_CONES = 4, 24
_LAYERS = _CONES + _MOST_CONES

# Rows of a node after its first, columns of `facts` and `frames`.
_REMAINING, _ASLEEP = 2, 3
_PAID, _ESTIMATE, _COLOUR, _COVER = 0, 1, 2, 3
_NODE, _BUDGET, _FIRST, _END, _NEXT = 0, 1, 2, 3, 4

# Nodes with a part of their own: the one after the moves that are final, not normalised; the root of the running query; a spare.
_RAW, _ROOT, _SPARE = _constants(4, 8, 12)
_TOP, _CHILDREN = _constants(0, 4)  # depth of a root, slot of its first child

(_UNLIMITED,) = _constants(1 << 40)


# --- the board as a graph of regions ------------------------------------------------------------------------------------


@structure
class Regions(NamedTuple):
    """A board contracted to its regions, numbered by distance from the start, which is region 0."""

    graph: np.ndarray  #: (64 + 256 ⌈n/8⌉, W) uint64, see the legend
    colour: np.ndarray  #: (n,) int64: rank of the colour of each region
    values: np.ndarray  #: (K,) int64: the colours as they stand on the board, ascending
    region: np.ndarray  #: (rows, columns) int64: the region of each cell
    width: tuple[int, ...]


def contract(board: np.ndarray, start_row: int = 0, start_col: int = 0) -> Regions:
    """The regions of a board of any integers, flooded from the cell (`start_row`, `start_col`). O(cells).

    Raises ValueError when the board is not a rectangle of integers, the start is outside, or there are too many colours.
    """
    if board.ndim != 2 or board.size == 0 or board.dtype.kind not in "iu":
        raise ValueError(f"a board must be a rectangle of integers, not an array of {board.dtype} with shape {board.shape}")
    rows, columns = board.shape
    if not (0 <= start_row < rows and 0 <= start_col < columns):
        raise ValueError(f"the start ({start_row}, {start_col}) lies outside the board of {rows} rows and {columns} columns")
    values = np.unique(board)
    if int(values[-1]) > np.iinfo(np.int64).max:
        raise ValueError(f"the colour {values[-1]} does not fit into 64 bits with a sign")
    if len(values) > MAX_COLOURS:
        raise ValueError(f"the board has {len(values)} colours; at most {MAX_COLOURS} can be searched")
    cells = np.searchsorted(values, board)
    if is_interpreting():
        cells = exact(cells)
    region, colour, graph = _contract(cells, start_row, start_col)
    words = graph.shape[1]
    return Regions(graph, colour, values.astype(np.int64), region, (0,) * words if words <= _LARGEST_WIDTH else ())


@kernel(allocates=True)
def _contract(cells: np.ndarray, start_row: int, start_col: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Number the regions in breadth-first order; returns what `Regions` calls region, colour and graph."""
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
    colour = np.zeros(regions, np.int64)
    graph = np.zeros((_UNIONS + 256 * ((regions + 7) // 8), words), np.uint64)
    for row in range(rows):
        for column in range(columns):
            here = region[row, column]
            colour[here] = cells[row, column]
            graph[colour[here], here >> 6] |= unsigned(1) << unsigned(here & 63)
            for side in range(2):
                r, c = row + side, column + 1 - side
                if r < rows and c < columns and region[r, c] != here:
                    there = region[r, c]
                    graph[_single(here), there >> 6] |= unsigned(1) << unsigned(there & 63)
                    graph[_single(there), here >> 6] |= unsigned(1) << unsigned(here & 63)
    for row in range(_UNIONS, graph.shape[0]):
        m = (row - _UNIONS) & 255
        if m & (m - 1) != 0:
            for w in range(words):
                graph[row, w] = graph[row - m + (m & (m - 1)), w] | graph[row - (m & (m - 1)), w]
    return region, colour, graph


@kernel(inline=True)
def _single(region: int) -> int:
    """Row of `graph` with the neighbours of one region."""
    return _UNIONS + 256 * (region >> 3) + (1 << (region & 7))


# --- Flood-It as a problem for every engine ------------------------------------------------------------------------------


@problem
class FloodIt(NamedTuple):
    """The game for the general engines: the state is the set of regions taken, a move is the rank of a colour."""

    regions: Regions

    def start(self) -> np.ndarray:
        """The state in which only the start is taken."""
        state = np.zeros(self.regions.graph.shape[1], np.uint64)
        state[0] = 1
        return state

    def move_count(self) -> int:
        """One move a colour."""
        return len(self.regions.values)

    def move_name(self, move: int) -> str:
        """The colour as it stands on the board."""
        return str(int(self.regions.values[move]))

    def apply(self, state: np.ndarray, move: int) -> int:
        """Take the regions of a colour on the frontier; illegal when there are none. O(n W)."""
        graph, colour = self.regions.graph, self.regions.colour
        found = False
        for v in range(colour.shape[0]):
            bit = unsigned(1) << unsigned(v & 63)
            if colour[v] != move or state[v >> 6] & bit != 0:
                continue
            near = unsigned(0)
            for w in range(state.shape[0]):
                # Regions of one colour are never neighbours, so that taking one does not put another on the frontier.
                near |= graph[_single(v), w] & state[w]
            if near != 0:
                state[v >> 6] |= bit
                found = True
        return 1 if found else ILLEGAL

    def is_goal(self, state: np.ndarray) -> bool:
        """Whether every region is taken."""
        taken = 0
        for w in range(state.shape[0]):
            taken += integer(population_count(state[w]))
        return bool(taken == self.regions.colour.shape[0])

    def lower_bound(self, state: np.ndarray) -> int:
        """The number of colours that are left. O(K W)."""
        left = 0
        for c in range(self.regions.values.shape[0]):
            outside = unsigned(0)
            for w in range(state.shape[0]):
                outside |= self.regions.graph[c, w] & ~state[w]
            left += 1 if outside != 0 else 0
        return left


# --- operations on sets of regions ---------------------------------------------------------------------------------------


@kernel(inline=True)
def _words(width: tuple[int, ...], sets: np.ndarray) -> int:
    """W, as a constant where the type of `width` says it."""
    return len(width) if len(width) > 0 else integer(sets.shape[1])


@kernel(inline=True)
def _take(width: tuple[int, ...], graph: np.ndarray, sets: np.ndarray, source: int, seen: int, new: int) -> bool:
    """See the neighbours of the regions in row `source`: add them to row `seen`; those not there before become row `new`.

    Four words at a time are kept in registers. Returns whether there were any.
    """
    words = _words(width, sets)
    fresh = unsigned(0)
    for block in range(0, words, 4):
        u0 = unsigned(0)
        u1 = unsigned(0)
        u2 = unsigned(0)
        u3 = unsigned(0)
        for w in range(words):
            bits = sets[unsigned(source), unsigned(w)]
            while bits != unsigned(0):
                shift = trailing_zeros(bits) & unsigned(56)
                piece = (bits >> shift) & unsigned(255)
                bits ^= piece << shift
                row = unsigned(_UNIONS + 2048 * w) + (shift << unsigned(5)) + piece
                u0 |= graph[row, unsigned(block)]
                if block + 1 < words:
                    u1 |= graph[row, unsigned(block + 1)]
                if block + 2 < words:
                    u2 |= graph[row, unsigned(block + 2)]
                if block + 3 < words:
                    u3 |= graph[row, unsigned(block + 3)]
        fresh |= _see(sets, seen, new, block, u0)
        if block + 1 < words:
            fresh |= _see(sets, seen, new, block + 1, u1)
        if block + 2 < words:
            fresh |= _see(sets, seen, new, block + 2, u2)
        if block + 3 < words:
            fresh |= _see(sets, seen, new, block + 3, u3)
    return bool(fresh != unsigned(0))


@kernel(inline=True)
def _see(sets: np.ndarray, seen: int, new: int, w: int, union: Word) -> Word:
    """Word w of what `_take` does; returns what is new."""
    before = sets[unsigned(seen), unsigned(w)]
    fresh = union & ~before
    sets[unsigned(seen), unsigned(w)] = before | union
    sets[unsigned(new), unsigned(w)] = fresh
    return fresh


@kernel(inline=True)
def _within(width: tuple[int, ...], graph: np.ndarray, c: int, sets: np.ndarray, row: int) -> bool:
    """Whether all regions of colour c are in a row; the farthest ones, most often missing, are looked for first."""
    words = _words(width, sets)
    for back in range(words):
        w = unsigned(words - 1 - back)
        if graph[unsigned(c), w] & ~sets[unsigned(row), w] != unsigned(0):
            return False
    return True


@kernel(inline=True)
def _meets(width: tuple[int, ...], graph: np.ndarray, c: int, sets: np.ndarray, row: int) -> bool:
    """Whether a region of colour c is in a row."""
    inside = unsigned(0)
    for w in range(_words(width, sets)):
        inside |= graph[unsigned(c), unsigned(w)] & sets[unsigned(row), unsigned(w)]
    return bool(inside != unsigned(0))


@kernel(inline=True)
def _completable(width: tuple[int, ...], graph: np.ndarray, remaining: Word, sets: np.ndarray, seen: int) -> Word:
    """The remaining colours all of whose regions are seen, as a mask."""
    found = unsigned(0)
    rest = remaining
    while rest != unsigned(0):
        c = integer(trailing_zeros(rest))
        if _within(width, graph, c, sets, seen):
            found |= rest & ~(rest - unsigned(1))
        rest &= rest - unsigned(1)
    return found


@kernel(inline=True)
def _of_colours(graph: np.ndarray, colours: Word, w: int) -> Word:
    """Word w of the set of all regions of some colours."""
    chosen = unsigned(0)
    rest = colours
    while rest != unsigned(0):
        chosen |= graph[trailing_zeros(rest), unsigned(w)]
        rest &= rest - unsigned(1)
    return chosen


@kernel(inline=True)
def _count(mask: Word) -> int:
    """Number of colours in a mask, or of regions in a word."""
    count: int = integer(population_count(mask))
    return count


@kernel(inline=True)
def _bit(c: int) -> Word:
    """The mask of one colour."""
    return unsigned(1) << unsigned(c)


# --- the bound -----------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def _bound(
    width: tuple[int, ...],
    graph: np.ndarray,
    colour: np.ndarray,
    layers: np.ndarray,
    sets: np.ndarray,
    node: int,
    limit: int,
    normal: bool,
    critical: bool,
) -> int:
    """Lower bound of h* of a node; as soon as it exceeds `limit`, what is proved then.

    `normal`: no colour is completable in the node. O(n W) with a small factor.
    """
    for w in range(_words(width, layers)):
        seen = sets[unsigned(node + 1), unsigned(w)]
        layers[unsigned(_SEEN), unsigned(w)] = seen
        layers[unsigned(_LAYERS), unsigned(w)] = seen & ~sets[unsigned(node), unsigned(w)]
    remaining = sets[unsigned(node + _REMAINING), unsigned(0)]
    _watch(width, graph, layers, remaining)
    full = unsigned(0)  # remaining colours of which all regions are seen
    if not normal:
        full = _completable(width, graph, remaining, layers, _SEEN)
    ready = full
    moves = 0
    t = 0
    while remaining != unsigned(0):
        if ready != unsigned(0):
            moves += _count(ready)
            remaining &= ~ready
            if remaining == unsigned(0) or moves + _count(remaining) > limit:
                break
            _complete_layer(width, graph, layers, ready, _LAYERS + t)
            t = 0
            full = _filled(width, graph, colour, layers)
            ready = full
        else:
            moves += 1
            if moves + _count(remaining) > limit:
                break
            _take(width, graph, layers, _LAYERS + t, _SEEN, _LAYERS + t + 1)
            t += 1
            full |= _filled(width, graph, colour, layers)
            ready = full
            if critical and ready != unsigned(0) and _is_out_of_reach(width, graph, layers, ready, remaining, t):
                ready = unsigned(0)
    return moves + _count(remaining)


@kernel(inline=True)
def _watch(width: tuple[int, ...], graph: np.ndarray, layers: np.ndarray, remaining: Word) -> None:
    """Write into row WATCHED one region that is not seen of each remaining colour that has one."""
    for w in range(_words(width, layers)):
        layers[unsigned(_WATCHED), unsigned(w)] = unsigned(0)
    rest = remaining
    while rest != unsigned(0):
        _watch_colour(width, graph, layers, integer(trailing_zeros(rest)))
        rest &= rest - unsigned(1)


@kernel(inline=True)
def _watch_colour(width: tuple[int, ...], graph: np.ndarray, layers: np.ndarray, c: int) -> bool:
    """Watch a region of colour c that is not seen, far from the start; False when there is none."""
    words = _words(width, layers)
    for back in range(words):
        w = unsigned(words - 1 - back)
        outside = graph[unsigned(c), w] & ~layers[unsigned(_SEEN), w]
        if outside != unsigned(0):
            layers[unsigned(_WATCHED), w] |= outside & ~(outside - unsigned(1))
            return True
    return False


@kernel(inline=True)
def _filled(width: tuple[int, ...], graph: np.ndarray, colour: np.ndarray, layers: np.ndarray) -> Word:
    """The colours of which the last region has been seen since the last call, as a mask. O(W) when nothing watched is seen."""
    found = unsigned(0)
    for w in range(_words(width, layers)):
        hits = layers[unsigned(_WATCHED), unsigned(w)] & layers[unsigned(_SEEN), unsigned(w)]
        layers[unsigned(_WATCHED), unsigned(w)] ^= hits
        while hits != unsigned(0):
            c = colour[unsigned(64 * w) + trailing_zeros(hits)]
            hits &= hits - unsigned(1)
            if not _watch_colour(width, graph, layers, c):
                found |= _bit(c)
    return found


@kernel(inline=True)
def _complete_layer(width: tuple[int, ...], graph: np.ndarray, layers: np.ndarray, ready: Word, layer: int) -> None:
    """Take the regions of the colours `ready` from the frontier in row `layer`; the new frontier becomes layer 0."""
    for w in range(_words(width, layers)):
        chosen = _of_colours(graph, ready, w)
        front = layers[unsigned(layer), unsigned(w)]
        layers[unsigned(_FROM), unsigned(w)] = front & chosen
        layers[unsigned(_LAYERS), unsigned(w)] = front & ~chosen
    _take(width, graph, layers, _FROM, _SEEN, _NEW)
    for w in range(_words(width, layers)):
        layers[unsigned(_LAYERS), unsigned(w)] |= layers[unsigned(_NEW), unsigned(w)]


@kernel(inline=True)
def _is_out_of_reach(width: tuple[int, ...], graph: np.ndarray, layers: np.ndarray, ready: Word, remaining: Word, t: int) -> bool:
    """Whether no colour in `ready` can be complete after t + 1 moves, by critical paths."""
    rest = ready
    while rest != unsigned(0):
        if not _meets(width, graph, integer(trailing_zeros(rest)), layers, _LAYERS + t):
            return False
        rest &= rest - unsigned(1)
    rest = ready
    while rest != unsigned(0):
        if _has_common_word(width, graph, layers, integer(trailing_zeros(rest)), remaining, t):
            return False
        rest &= rest - unsigned(1)
    return True


@kernel(inline=True)
def _has_common_word(width: tuple[int, ...], graph: np.ndarray, layers: np.ndarray, c: int, remaining: Word, t: int) -> bool:
    """Whether some t colours may spell shortest paths to all regions of colour c in layer t ≥ 1.

    Looks at MOST_CONES regions at most: leaving some out can only turn the answer into "yes".
    """
    words = _words(width, layers)
    layer = _LAYERS + t - 1
    common = remaining
    targets = 0
    for w in range(words):
        bits = graph[unsigned(c), unsigned(w)] & layers[unsigned(layer + 1), unsigned(w)]
        while bits != unsigned(0) and targets < _MOST_CONES:
            near = _single(64 * w + integer(trailing_zeros(bits)))
            bits &= bits - unsigned(1)
            cone = _CONES + targets
            for q in range(words):
                layers[unsigned(cone), unsigned(q)] = graph[unsigned(near), unsigned(q)] & layers[unsigned(layer), unsigned(q)]
            common = _colours_in(width, graph, layers, cone, common)
            if common == unsigned(0):
                return False
            targets += 1
    if targets <= 1:
        return True
    while layer > _LAYERS:
        layer -= 1
        for w in range(words):
            chosen = _of_colours(graph, common, w)
            for cone in range(_CONES, _CONES + targets):
                layers[unsigned(cone), unsigned(w)] &= chosen
        common = remaining
        for cone in range(_CONES, _CONES + targets):
            for w in range(words):
                layers[unsigned(_NEW), unsigned(w)] = unsigned(0)
            _take(width, graph, layers, cone, _NEW, _FROM)
            for w in range(words):
                layers[unsigned(cone), unsigned(w)] = layers[unsigned(_NEW), unsigned(w)] & layers[unsigned(layer), unsigned(w)]
            common = _colours_in(width, graph, layers, cone, common)
            if common == unsigned(0):
                return False
    return True


@kernel(inline=True)
def _colours_in(width: tuple[int, ...], graph: np.ndarray, sets: np.ndarray, row: int, colours: Word) -> Word:
    """Those of some colours that occur in a row."""
    found = unsigned(0)
    rest = colours
    while rest != unsigned(0):
        if _meets(width, graph, integer(trailing_zeros(rest)), sets, row):
            found |= rest & ~(rest - unsigned(1))
        rest &= rest - unsigned(1)
    return found


# --- nodes ---------------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def _play(width: tuple[int, ...], graph: np.ndarray, sets: np.ndarray, parent: int, c: int, child: int) -> bool:
    """Make `child` the state after playing c in `parent`. Returns whether the move is useful."""
    for w in range(_words(width, sets)):
        taken = sets[unsigned(parent), unsigned(w)]
        seen = sets[unsigned(parent + 1), unsigned(w)]
        moved = seen & ~taken & graph[unsigned(c), unsigned(w)]
        sets[unsigned(_FROM), unsigned(w)] = moved
        sets[unsigned(child), unsigned(w)] = taken | moved
        sets[unsigned(child + 1), unsigned(w)] = seen
    remaining = sets[unsigned(parent + _REMAINING), unsigned(0)]
    useful = _take(width, graph, sets, _FROM, child + 1, _NEW)
    if _within(width, graph, c, sets, child):
        remaining &= ~_bit(c)
        useful = True
    sets[unsigned(child + _REMAINING), unsigned(0)] = remaining
    return useful


@kernel(inline=True)
def _complete(width: tuple[int, ...], graph: np.ndarray, sets: np.ndarray, node: int, ready: Word) -> None:
    """Play the completable colours `ready` in a node."""
    sets[unsigned(node + _REMAINING), unsigned(0)] &= ~ready
    for w in range(_words(width, sets)):
        chosen = _of_colours(graph, ready, w)
        taken = sets[unsigned(node), unsigned(w)]
        sets[unsigned(_FROM), unsigned(w)] = chosen & ~taken
        sets[unsigned(node), unsigned(w)] = taken | chosen
    _take(width, graph, sets, _FROM, node + 1, _NEW)


@kernel(inline=True)
def _normalise(width: tuple[int, ...], graph: np.ndarray, sets: np.ndarray, node: int) -> int:
    """Play completable colours in a node until there are none; returns how many were played."""
    moves = 0
    while True:
        ready = _completable(width, graph, sets[unsigned(node + _REMAINING), unsigned(0)], sets, node + 1)
        if ready == unsigned(0):
            return moves
        moves += _count(ready)
        _complete(width, graph, sets, node, ready)


@kernel(inline=True)
def _front(width: tuple[int, ...], sets: np.ndarray, node: int) -> None:
    """Write the frontier of a node into row FRONT."""
    for w in range(_words(width, sets)):
        sets[unsigned(_FRONT), unsigned(w)] = sets[unsigned(node + 1), unsigned(w)] & ~sets[unsigned(node), unsigned(w)]


@kernel(inline=True)
def _asleep(width: tuple[int, ...], graph: np.ndarray, sets: np.ndarray, parent: int, child: int) -> Word:
    """Of the colours that sleep or failed in `parent`, those of which nothing new is seen in `child`."""
    for w in range(_words(width, sets)):
        sets[unsigned(_NEW), unsigned(w)] = sets[unsigned(child + 1), unsigned(w)] & ~sets[unsigned(parent + 1), unsigned(w)]
    rest = sets[unsigned(parent + _ASLEEP), unsigned(0)] & sets[unsigned(child + _REMAINING), unsigned(0)]
    found = rest
    while rest != unsigned(0):
        if _meets(width, graph, integer(trailing_zeros(rest)), sets, _NEW):
            found &= ~(rest & ~(rest - unsigned(1)))
        rest &= rest - unsigned(1)
    return found


@kernel(inline=True)
def _copy(width: tuple[int, ...], sets: np.ndarray, source: int, target: int) -> None:
    """Make node `target` the same state as `source`, with nothing asleep."""
    for w in range(_words(width, sets)):
        sets[target, w] = sets[source, w]
        sets[target + 1, w] = sets[source + 1, w]
    sets[target + _REMAINING, 0] = sets[source + _REMAINING, 0]
    sets[target + _ASLEEP, 0] = unsigned(0)


# --- the search ----------------------------------------------------------------------------------------------------------


class Memory(NamedTuple):
    """The working memory; shapes in the legend above."""

    sets: np.ndarray
    layers: np.ndarray
    facts: np.ndarray
    order: np.ndarray
    frames: np.ndarray
    witness: np.ndarray
    proved: np.ndarray
    key: np.ndarray
    counters: np.ndarray


@kernel
def search_regions(game: FloodIt, memory: Memory, table: StateTable) -> int:
    """Advance the search until the node budget is used up; see `control` for the outcomes."""
    counters, frames, sets, facts, order = memory.counters, memory.frames, memory.sets, memory.facts, memory.order
    graph, colour, width = game.regions.graph, game.regions.colour, game.regions.width
    slots = order.shape[0]
    colours = game.regions.values.shape[0]
    while counters[GENERATED] < counters[STOP_AT]:
        depth = counters[FRAMES] - 1
        if depth < 0:
            if _next_query(width, graph, colour, memory, colours):
                return FOUND
            continue
        node, position, first = frames[depth, _NODE], frames[depth, _NEXT], frames[depth, _FIRST]
        if position < 0:
            if first + colours > slots:
                return FULL
            if _expand(width, graph, colour, memory, table, depth):
                _record(width, graph, memory)
                counters[WON] = 1
                counters[FRAMES] = 0
            continue
        if position > first and counters[COMMUTING] == 1:
            sets[node + _ASLEEP, 0] |= _bit(facts[order[position - 1], _COLOUR])
        budget = frames[depth, _BUDGET]
        if position == frames[depth, _END]:
            if counters[REMEMBER] != 0 and node != _RAW and not _remember(width, memory, table, node, budget + 1):
                return FULL
            counters[FRAMES] = depth
            continue
        frames[depth, _NEXT] = position + 1
        child = 4 * order[position]
        budget -= facts[order[position], _PAID]
        if counters[REMEMBER] != 0 and position > first and _known(width, sets, memory.key, memory.proved, table, child) > budget:
            counters[DUPLICATES] += 1
            continue
        sets[child + _ASLEEP, 0] = _asleep(width, graph, sets, node, child)
        _push(memory, depth + 1, child, budget, frames[depth, _END])
    return PAUSED


@kernel(inline=True)
def _push(memory: Memory, depth: int, node: int, budget: int, first: int) -> None:
    """Put a node on the path."""
    frames = memory.frames
    frames[depth, _NODE] = node
    frames[depth, _BUDGET] = budget
    frames[depth, _FIRST] = first
    frames[depth, _NEXT] = -1
    memory.counters[FRAMES] = depth + 1
    memory.counters[DEPTH] = depth


@kernel(inline=True)
def _known(width: tuple[int, ...], sets: np.ndarray, key: np.ndarray, proved: np.ndarray, table: StateTable, node: int) -> int:
    """The lower bound of a node's state in the table; 0 when there is none."""
    for w in range(_words(width, sets)):
        key[unsigned(w)] = sets[unsigned(node), unsigned(w)]
    number = table.number_at(table.locate(key, table.tag(key)))
    return integer(proved[unsigned(number)]) if number >= 0 else 0


@kernel(inline=True)
def _remember(width: tuple[int, ...], memory: Memory, table: StateTable, node: int, bound: int) -> bool:
    """Put a lower bound into the table; False when the table has to grow for it."""
    for w in range(_words(width, memory.sets)):
        memory.key[unsigned(w)] = memory.sets[unsigned(node), unsigned(w)]
    tag = table.tag(memory.key)
    position = table.locate(memory.key, tag)
    number = table.number_at(position)
    if number < 0:
        if memory.counters[REMEMBER] == 2:
            return True
        if not table.has_room(1):
            return False
        number = table.insert(position, memory.key, tag)
        memory.proved[unsigned(number)] = 0
    memory.proved[unsigned(number)] = max(np.int64(memory.proved[unsigned(number)]), bound)
    return True


@kernel
def _expand(width: tuple[int, ...], graph: np.ndarray, colour: np.ndarray, memory: Memory, table: StateTable, depth: int) -> bool:
    """Generate the children of the last node on the path; True, with the winning child before NEXT, when one is solved."""
    counters, frames, sets, facts, order = memory.counters, memory.frames, memory.sets, memory.facts, memory.order
    layers = memory.layers
    node, budget, first = frames[depth, _NODE], frames[depth, _BUDGET], frames[depth, _FIRST]
    normal, critical = counters[COMPLETABLE] == 1, counters[CRITICAL] == 1
    useless, ordered, remembering = counters[USELESS] == 1, counters[ORDERED] == 1, counters[REMEMBER] != 0
    counters[EXPANDED] += 1
    frames[depth, _NEXT] = first
    end = first
    _front(width, sets, node)
    rest = sets[node + _REMAINING, 0] & ~sets[node + _ASLEEP, 0]
    if node == _RAW:
        rest &= _bit(counters[TRIED])
    while rest != unsigned(0):
        c = integer(trailing_zeros(rest))
        rest &= rest - unsigned(1)
        if not _meets(width, graph, c, sets, _FRONT):
            continue
        child = 4 * end
        useful = _play(width, graph, sets, node, c, child)
        if useless and not useful:
            continue
        counters[GENERATED] += 1
        paid = 1
        if normal:
            paid += _normalise(width, graph, sets, child)
        left = budget - paid
        remaining = sets[child + _REMAINING, 0]
        solved = remaining == unsigned(0) and left >= 0
        estimate = _count(remaining) + (1 if normal else 0)  # in a normalised state no colour is completable
        known = 0
        if not solved and estimate <= left:
            known = _known(width, sets, memory.key, memory.proved, table, child) if remembering else 0
            estimate = known if known > 0 else _bound(width, graph, colour, layers, sets, child, left, normal, critical)
        if not solved and estimate > left:
            counters[DUPLICATES if known > left else PRUNED] += 1
            if counters[COMMUTING] == 1:
                sets[node + _ASLEEP, 0] |= _bit(c)
            continue
        facts[end, _PAID] = paid
        facts[end, _COLOUR] = c
        if solved:
            order[first] = end
            frames[depth, _NEXT] = first + 1
            return True
        facts[end, _ESTIMATE] = estimate + paid
        place = end
        if ordered:
            cover = 0
            for w in range(_words(width, sets)):
                cover += _count(sets[unsigned(child + 1), unsigned(w)])
            facts[end, _COVER] = cover
            while place > first and _is_better(facts, end, order[place - 1]):
                order[place] = order[place - 1]
                place -= 1
        order[place] = end
        end += 1
    frames[depth, _END] = end
    return False


@kernel(inline=True)
def _is_better(facts: np.ndarray, a: int, b: int) -> bool:
    """Whether child a is searched before child b, which was generated before it."""
    if facts[a, _ESTIMATE] != facts[b, _ESTIMATE]:
        return bool(facts[a, _ESTIMATE] < facts[b, _ESTIMATE])
    return bool(facts[a, _COVER] > facts[b, _COVER])


@kernel
def _next_query(width: tuple[int, ...], graph: np.ndarray, colour: np.ndarray, memory: Memory, colours: int) -> bool:
    """Judge the query that has ended and begin the next one. Returns whether the search is over."""
    counters = memory.counters
    won = counters[WON] == 1
    counters[WON] = 0
    if counters[PHASE] == _REFINING:
        if not won and counters[PENDING] == 1:
            counters[TRIED] += 1
        counters[PENDING] = 0
        return _refine(width, graph, memory)
    if counters[PHASE] == _STARTING:
        counters[PHASE] = _DIVING
        _start(width, graph, colour, memory, colours)
    elif counters[PHASE] == _DIVING:
        counters[PHASE] = _DEEPENING
    elif not won:
        counters[BOUND] += 1
    if counters[BOUND] == counters[INCUMBENT]:
        counters[PHASE] = _REFINING
        return bool(counters[LEXICOGRAPHIC] == 0)
    limit = _UNLIMITED if counters[PHASE] == _DIVING else counters[BOUND]
    memory.sets[_ROOT + _ASLEEP, 0] = unsigned(0)
    _push(memory, _TOP, _ROOT, limit - counters[ROOT_PAID], _CHILDREN)
    return False


@kernel(inline=True)
def _start(width: tuple[int, ...], graph: np.ndarray, colour: np.ndarray, memory: Memory, colours: int) -> None:
    """Set up the first node and the first threshold; record the solution when the start needs no search."""
    counters, sets = memory.counters, memory.sets
    sets[_RAW, 0] = unsigned(1)
    for w in range(_words(width, sets)):
        sets[_RAW + 1, w] = sets[_RAW, w] | graph[_UNIONS + 1, w]
    for c in range(colours):
        if not _within(width, graph, c, sets, _RAW):
            sets[_RAW + _REMAINING, 0] |= _bit(c)
    _copy(width, sets, _RAW, _ROOT)
    normal = counters[COMPLETABLE] == 1
    if normal:
        counters[ROOT_PAID] = _normalise(width, graph, sets, _ROOT)
    critical = counters[CRITICAL] == 1
    bound = _bound(width, graph, colour, memory.layers, sets, _ROOT, _UNLIMITED, normal, critical)
    counters[BOUND] = counters[ROOT_PAID] + bound
    if bound == 0:
        _record(width, graph, memory)


@kernel(inline=True)
def _refine(width: tuple[int, ...], graph: np.ndarray, memory: Memory) -> bool:
    """One step of the second phase: judge the colour TRIED as the next final move. Returns whether all are final."""
    counters, sets = memory.counters, memory.sets
    at, c = counters[DECIDED], counters[TRIED]
    if at == counters[INCUMBENT]:
        return True
    _front(width, sets, _RAW)
    if c == memory.witness[at]:
        _play(width, graph, sets, _RAW, c, _SPARE)
        asleep = _asleep(width, graph, sets, _RAW, _SPARE)
        _copy(width, sets, _SPARE, _RAW)
        sets[_RAW + _ASLEEP, 0] = asleep
        counters[DECIDED] = at + 1
        counters[TRIED] = 0
    elif sets[_RAW + _ASLEEP, 0] & _bit(c) != unsigned(0) or not _meets(width, graph, c, sets, _FRONT):
        counters[TRIED] = c + 1
    elif _within(width, graph, c, sets, _RAW + 1):
        _move_forward(memory.witness, at, c)
    else:
        counters[PENDING] = 1
        _push(memory, _TOP, _RAW, counters[INCUMBENT] - at, _CHILDREN)
    return False


@kernel(inline=True)
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
def _record(width: tuple[int, ...], graph: np.ndarray, memory: Memory) -> None:
    """Write the solution that the running query has found into the witness, behind the moves that are final."""
    counters, sets, witness = memory.counters, memory.sets, memory.witness
    length = counters[DECIDED]
    depth = 0
    _copy(width, sets, _RAW, _SPARE)
    while True:
        ready = unsigned(0)
        if counters[COMPLETABLE] == 1 and (depth > 0 or counters[PHASE] != _REFINING):
            ready = _completable(width, graph, sets[_SPARE + _REMAINING, 0], sets, _SPARE + 1)
        if ready != unsigned(0):
            _complete(width, graph, sets, _SPARE, ready)
        elif depth < counters[FRAMES]:
            c = memory.facts[memory.order[memory.frames[depth, _NEXT] - 1], _COLOUR]
            _play(width, graph, sets, _SPARE, c, _SPARE)
            ready = _bit(c)
            depth += 1
        else:
            break
        while ready != unsigned(0):
            witness[length] = integer(trailing_zeros(ready))
            length += 1
            ready &= ready - unsigned(1)
    counters[INCUMBENT] = length


# --- from Python ---------------------------------------------------------------------------------------------------------


class FloodSearch(TableSearch):
    """The search of one board; `without` names prunings to be switched off."""

    engine = "flood_it"
    kernel = search_regions
    first_slice = 8192

    def __init__(
        self, regions: Regions, options: RunOptions, *, lexicographic: bool = True, without: Set[str] = frozenset()
    ) -> None:
        require_known(without, PRUNINGS)
        game = FloodIt(regions)
        super().__init__(game, game.start(), options, lexicographic=lexicographic, without=sorted(without))
        self.regions = regions
        n, words = len(regions.colour), regions.graph.shape[1]
        slots = _CHILDREN + 8 * len(regions.values) + 64
        counters = np.zeros(COUNTERS, np.int64)
        counters[INCUMBENT] = NONE
        counters[GENERATED] = 1  # the start
        counters[LEXICOGRAPHIC] = lexicographic
        for counter, name in _SWITCHES.items():
            counters[counter] = name not in without
        self.memory = Memory(
            sets=np.zeros((4 * slots, words), np.uint64),
            layers=np.zeros((_LAYERS + n + 2, words), np.uint64),
            facts=np.zeros((slots, 4), np.int64),
            order=np.zeros(slots, np.int64),
            frames=np.zeros((n + 1, 5), np.int64),
            witness=np.zeros(n, np.int64),
            proved=np.zeros(_STATES, np.int32),
            key=np.zeros(words, np.uint64),
            counters=counters,
        )
        self.table = state_table(_STATES, words)

    def bytes(self) -> int:
        """Size of the arrays of the search and of the regions."""
        return super().bytes() + sum(part.nbytes for part in self.regions if isinstance(part, np.ndarray))

    def arguments(self) -> tuple[Any, ...]:
        """What the kernel takes after the problem."""
        return (self.memory, self.table)

    def enlarge(self, room: int | None) -> bool:
        """Enlarge the table, or let it take no more states when there is no room for that; or double the stack."""
        m = self.memory
        if self.counters[REMEMBER] == 1 and not self.table.has_room(1):
            rows = self.enlarge_table(m.proved.itemsize, room)
            if rows is None:
                self.counters[REMEMBER] = 2
            else:
                self.memory = m._replace(proved=enlarged(m.proved, rows))
            return True
        slots = 2 * len(m.order)
        self.memory = m._replace(sets=enlarged(m.sets, 4 * slots), facts=enlarged(m.facts, slots), order=enlarged(m.order, slots))
        return room is None or self.bytes() <= room

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """Cost and colours of the shortest sequence found so far, which there is when the dive has ended."""
        cost = int(self.counters[INCUMBENT])
        if cost == NONE:
            return None
        return cost, tuple(self.regions.values[self.memory.witness[:cost]].tolist())

    def context(self) -> tuple[Any, Any]:
        """Nothing: the moves are colours as they stand on the board, not the move numbers of FloodIt."""
        return None, None


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

    When the search is stopped, the answer is the shortest sequence found so far: at first that of the dive, later an optimal one
    that may not be the first in the order.

    Raises ValueError for the name of a pruning that does not exist; Interrupted on Ctrl-C.
    """
    return run(FloodSearch(regions, options, lexicographic=lexicographic, without=without), options)
