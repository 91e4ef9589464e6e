"""How many vertices can be reached from each vertex of a graph.

    C          number of strongly connected components, which take the place of vertices: within one, all reach the same. They are
               numbered so that arcs lead to smaller numbers
    size       (C,) int64: vertices in a component
    first, target   the arcs between components, no two alike, sorted by source and then by *falling* target
    last       (C,) int64: the arcs of c that are still of use are first[c] … last[c] - 1
    total      (C,) int64: vertices reached, so far

Two methods. While few components are reached from each, a *search* from each counts them. The largest component is the *hub*:
what it reaches is found once, and a search from a component that reaches the hub looks only for what the hub does not reach
(most graphs have one component that most others lead to or come from).

Once the searches have looked at more arcs than the other way would cost, *bit sets* take over: row c holds a bit for each
component that c reaches, its own among them, and is the union of the rows of the targets of its arcs. To bound the memory the
columns are done in blocks of 512, one after another over the same rows. Since c reaches only smaller numbers, a block concerns
only rows and arc targets from its first column on.

Blocks come from last to first. When the arcs of c are taken by falling target, and the row has the bit of a target already, that
arc adds nothing – the target is reached by another arc – neither in this block nor in those to come, and it is dropped for good.
So a block sees a graph that has been reduced to what matters (its transitive reduction) but for the arcs into the block itself.

    rows       (C × 8,) uint64: the bits of the block at hand
    plane      bit sets of columns: plane p of a word holds the columns whose size has bit p; the number of vertices that a row
               stands for is then the sum of 2^p × (bits in both). Word w has planes plane_first[w] … plane_first[w + 1] - 1

Sources: the union of rows over the condensation: P. Purdom, BIT 10 (1970); counts from planes of bits are folklore.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Unpack

import numpy as np

from bestfirst.control import FOUND, PAUSED, RunOptions
from bestfirst.graphs import Graph, as_graph, sorted_by
from bestfirst.kernel import Int, integer, kernel, population_count, unsigned
from bestfirst.result import Solution, Stats, Status
from bestfirst.search.compiled import EXPANDED, GENERATED, OWN, STOP_AT
from bestfirst.search.components import strongly_connected_components
from bestfirst.search.explicit import GraphSearch, finish

COUNTED = OWN  #: the components before this one were counted by searches
BUDGET = OWN + 1  #: arcs that the searches may look at
LOOKED_AT = OWN + 2  #: arcs that they did look at
BLOCK = OWN + 3  #: the block at hand; the searches end at -1 blocks to do
ROW = OWN + 4  #: the next row of it
WITH_BITS = OWN + 5  #: 1: the bit sets have taken over
HUB = OWN + 6

_WORDS = 8
_COLUMNS = 64 * _WORDS

#: A search takes as long for one arc as the bit sets for so many words.
_WORDS_PER_ARC = 8


class Condensation(NamedTuple):
    """The components and the arcs between them; see the legend."""

    size: np.ndarray
    first: np.ndarray
    last: np.ndarray
    target: np.ndarray


class Reached(NamedTuple):
    """Counts, and what the searches need, all (C,).

    stamp uint32: c + 1 = met from c;  waiting uint32;  to_hub, from_hub uint8: 1 = reaches the hub, is reached by it
    """

    total: np.ndarray
    stamp: np.ndarray
    to_hub: np.ndarray
    from_hub: np.ndarray
    waiting: np.ndarray


class BitSets(NamedTuple):
    """The bits of one block and the planes of all columns; see the legend. `shift`: the p of each plane."""

    rows: np.ndarray
    plane_first: np.ndarray
    plane: np.ndarray
    shift: np.ndarray


@kernel(inline=True)
def search_from(graph: Condensation, reached: Reached, c: Int, hub: Int) -> Int:
    """Count the vertices reached from component `c`, all smaller components being counted; how many arcs it looked at."""
    begin = graph.first[unsigned(c)]
    end = graph.last[unsigned(c)]
    to_hub = c == hub
    for arc in range(begin, end):
        to_hub = to_hub or reached.to_hub[unsigned(graph.target[unsigned(arc)])] != 0
    total = integer(0)
    if to_hub:
        reached.to_hub[unsigned(c)] = 1
        if c != hub:
            total = reached.total[unsigned(hub)]
    stamp = c + 1
    reached.stamp[unsigned(c)] = stamp
    reached.waiting[0] = c
    waiting = integer(1)
    looked_at = integer(0)
    while waiting > 0:
        waiting -= 1
        member = integer(reached.waiting[unsigned(waiting)])
        total += graph.size[unsigned(member)]
        if c == hub:
            reached.from_hub[unsigned(member)] = 1
        begin = graph.first[unsigned(member)]
        end = graph.last[unsigned(member)]
        looked_at += 1 + end - begin
        for arc in range(begin, end):
            target = unsigned(graph.target[unsigned(arc)])
            if reached.stamp[target] != stamp and not (to_hub and reached.from_hub[target] != 0):
                reached.stamp[target] = stamp
                reached.waiting[unsigned(waiting)] = target
                waiting += 1
    reached.total[unsigned(c)] = total
    return looked_at


@kernel
def search_from_each(graph: Condensation, reached: Reached, counters: np.ndarray) -> Int:
    """Count by a search from each component, until all are counted (FOUND) or the budget is used up. O(arcs looked at)."""
    while counters[GENERATED] < counters[STOP_AT]:
        c = counters[COUNTED]
        if c == graph.size.shape[0]:
            return FOUND
        if counters[LOOKED_AT] > counters[BUDGET]:
            return PAUSED
        looked_at = search_from(graph, reached, c, counters[HUB])
        counters[LOOKED_AT] += looked_at
        counters[GENERATED] += looked_at
        counters[EXPANDED] += 1
        counters[COUNTED] = c + 1
    return PAUSED


@kernel(inline=True)
def unite_beyond(rows: np.ndarray, target: np.ndarray, begin: Int, end: Int, high: Int, row: Int) -> Int:
    """Make a row the union of the rows of its targets from `high` on; the first arc that is not one of them.

    The row is kept in registers, which is what makes this loop fast; it does most of the work.
    """
    nothing: Int = np.uint64(0)
    a = b = c = d = e = f = g = h = nothing
    arc = begin
    while arc < end:
        t = integer(target[unsigned(arc)])
        if t < high:
            break
        arc += 1
        other = unsigned(t * _WORDS)
        a |= rows[other]
        b |= rows[other + unsigned(1)]
        c |= rows[other + unsigned(2)]
        d |= rows[other + unsigned(3)]
        e |= rows[other + unsigned(4)]
        f |= rows[other + unsigned(5)]
        g |= rows[other + unsigned(6)]
        h |= rows[other + unsigned(7)]
    place = unsigned(row)
    rows[place] = a
    rows[place + unsigned(1)] = b
    rows[place + unsigned(2)] = c
    rows[place + unsigned(3)] = d
    rows[place + unsigned(4)] = e
    rows[place + unsigned(5)] = f
    rows[place + unsigned(6)] = g
    rows[place + unsigned(7)] = h
    return arc


@kernel(inline=True)
def unite_within(rows: np.ndarray, target: np.ndarray, begin: Int, end: Int, low: Int, row: Int) -> Int:
    """Add to a row the rows of its targets within the block that begins at `low`, unless their bits are in it already.

    The arcs to the latter are dropped: those after them move up. Returns the new end of the arcs.
    """
    kept = begin
    arc = begin
    while arc < end:
        t = integer(target[unsigned(arc)])
        if t < low:
            break
        arc += 1
        column = t - low
        if (rows[unsigned(row + (column >> 6))] >> np.uint64(column & 63)) & np.uint64(1) == 0:
            target[unsigned(kept)] = t
            kept += 1
            for word in range(_WORDS):
                rows[unsigned(row + word)] |= rows[unsigned(t * _WORDS + word)]
    if kept == arc:
        return end
    while arc < end:
        target[unsigned(kept)] = target[unsigned(arc)]
        kept += 1
        arc += 1
    return kept


@kernel(inline=True)
def vertices_in(bits: BitSets, row: Int, block: Int) -> Int:
    """How many vertices the bits of a row stand for."""
    total = integer(0)
    for word in range(_WORDS):
        value = bits.rows[unsigned(row + word)]
        if value != 0:
            at = block * _WORDS + word
            for plane in range(bits.plane_first[unsigned(at)], bits.plane_first[unsigned(at + 1)]):
                total += integer(population_count(value & bits.plane[unsigned(plane)])) << bits.shift[unsigned(plane)]
    return total


@kernel
def unite_rows(graph: Condensation, reached: Reached, bits: BitSets, counters: np.ndarray) -> Int:
    """Advance through rows and blocks, until all are done (FOUND) or the budget is used up. O(8) an arc and block."""
    rows = bits.rows
    components = graph.size.shape[0]
    counted = counters[COUNTED]
    generated = counters[GENERATED]
    block = counters[BLOCK]
    c = counters[ROW]
    outcome = PAUSED
    while generated < counters[STOP_AT]:
        if c == components:
            block -= 1
            if block < 0:
                outcome = FOUND
                break
            c = block * _COLUMNS
        low = block * _COLUMNS
        high = low + _COLUMNS
        row = c * _WORDS
        end = graph.last[unsigned(c)]
        arc = unite_beyond(rows, graph.target, graph.first[unsigned(c)], end, high, row)
        if c < high:
            rows[unsigned(row + ((c - low) >> 6))] = np.uint64(1) << np.uint64((c - low) & 63)
        if arc < end:
            graph.last[unsigned(c)] = unite_within(rows, graph.target, arc, end, low, row)
        if c >= counted:
            reached.total[unsigned(c)] += vertices_in(bits, row, block)
        generated += 1 + arc - graph.first[unsigned(c)]
        c += 1
    counters[GENERATED] = generated
    counters[BLOCK] = block
    counters[ROW] = c
    return outcome


@dataclass(frozen=True, eq=False)
class Reachability:
    """The answer of `reachability`.

    status      optimal: the counts are right; stopped: they are lower bounds
    count       (n,) int64: how many vertices can be reached from each, itself included
    component   (n,) uint32: strongly connected component, as `strongly_connected_components` numbers them
    why         which method did it, in words
    """

    status: Status
    count: np.ndarray
    component: np.ndarray
    stats: Stats
    stopped_by: str | None
    why: str


class ReachabilitySearch(GraphSearch):
    """The counting at work."""

    engine = "reachability"
    parts = ("condensation", "reached", "bits")

    def __init__(self, graph: Graph, options: RunOptions) -> None:
        super().__init__(graph, options)
        self.component = strongly_connected_components(graph)
        self.condensation = condensation(graph, self.component)
        count = len(self.condensation.size)
        kinds = (np.int64, np.uint32, np.uint8, np.uint8, np.uint32)
        self.reached = Reached(*(np.zeros(count, kind) for kind in kinds))
        self.counters[HUB] = np.argmax(self.condensation.size) if count else 0
        self.bits = BitSets(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(0, np.int64))
        words = -(-count // 64)
        self.counters[BUDGET] = words * (len(self.condensation.target) + count) // (2 * _WORDS_PER_ARC)
        self.ended = False

    def advance(self, stop_at: int) -> int:
        """Search from each; when that takes too long, go over to bit sets."""
        self.counters[STOP_AT] = stop_at
        if not self.counters[WITH_BITS]:
            outcome = self.call(search_from_each, self.condensation, self.reached, self.counters)
            if outcome == PAUSED and self.counters[LOOKED_AT] > self.counters[BUDGET]:
                self.bits = bit_sets(self.condensation.size)
                self.counters[BLOCK] = len(self.bits.plane_first) // _WORDS
                self.counters[ROW] = len(self.condensation.size)
                self.counters[WITH_BITS] = 1
        else:
            outcome = self.call(unite_rows, self.condensation, self.reached, self.bits, self.counters)
        self.ended = outcome == FOUND
        return outcome

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        return (0, ()) if self.ended else None

    def result(self, solution: Solution) -> Reachability:
        why = (
            "many components are reached from each: rows of bits" if self.counters[WITH_BITS] else "a search from each component"
        )
        count = np.maximum(self.reached.total, self.condensation.size)[self.component]
        return Reachability(solution.status, count, self.component, solution.stats, solution.stopped_by, why)


def condensation(graph: Graph, component: np.ndarray) -> Condensation:
    """The graph of components: no loops, no parallel arcs, the arcs of each by falling target. O(n + m)."""
    size = np.bincount(component).astype(np.int64)
    source, target = component[graph.source], component[graph.arcs.target]
    between = source != target
    source, target = source[between], target[between]
    _, by_target = sorted_by(target, len(size))
    source, target = source[by_target[::-1]], target[by_target[::-1]]
    _, by_source = sorted_by(source, len(size))  # stable: the targets stay in falling order
    source, target = source[by_source], target[by_source]
    fresh = np.ones(len(source), bool)
    fresh[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    source, target = source[fresh], target[fresh]
    first = np.searchsorted(source, np.arange(len(size) + 1))
    return Condensation(size, first[:-1].astype(np.int64), first[1:].astype(np.int64), target.astype(np.uint32))


def bit_sets(size: np.ndarray) -> BitSets:
    """Empty rows, and the planes of columns of these sizes."""
    blocks = -(-len(size) // _COLUMNS)
    padded = np.zeros(blocks * _COLUMNS, np.int64)
    padded[: len(size)] = size
    planes = [
        np.packbits(((padded >> p) & 1).astype(np.uint8), bitorder="little").view("<u8")
        for p in range(int(size.max()).bit_length())
    ]
    table = np.stack(planes, axis=1)  # (words, planes)
    word, shift = np.nonzero(table)
    first = np.searchsorted(word, np.arange(len(table) + 1))
    return BitSets(
        np.zeros(len(size) * _WORDS, np.uint64),
        first.astype(np.int64),
        table[word, shift].astype(np.uint64),
        shift.astype(np.int64),
    )


def reachability(graph: Any, **options: Unpack[RunOptions]) -> Reachability:
    """Count the vertices that can be reached from each vertex, itself included.

    graph   a Graph, or what `as_graph` takes; weights do not matter. Cycles, loops and parallel edges are welcome

    Time: O(n + m), and then, for C components with A arcs between them, at most about C × (C + A) / 128 word operations (a
    fraction of it when few are reached from each, or when arcs are implied by others). Memory about 120 bytes a
    component and, while components are contracted, 40 an arc.

    Raises TypeError for what is no graph, Interrupted (its `solution` holds lower bounds) on Ctrl-C.
    """
    graph = as_graph(graph, None)
    found: Reachability = finish(ReachabilitySearch(graph, options), options)
    return found
