"""The k shortest walks between two vertices of a graph; vertices and edges may repeat.

    s, t        source and target
    h           distance of a vertex to t: `tree.distance`;  `tree.via` is the arc by which a cheapest walk to t goes on
    sidetrack   an arc u → v that is not via[u], from where t can be reached; it costs delta = weight + h[v] - h[u] ≥ 0 more than
                going straight. A walk from s to t is the sequence of its sidetracks, and costs h[s] + the sum of their deltas
    heap        of a vertex v: all sidetracks that begin on the way from v straight to t, least delta on top; in it every walk
                finds its next sidetrack. The heap of v is that of the next vertex melded with v's own sidetracks; what they share
                is kept once (a persistent leftist heap), and a heap is made only when a walk comes to need it
    entry       a node of such a heap: delta, arc, left and right (entries, 0 = none), rank (length of the way right)
    root        (n,) uint32: top of the heap of a vertex;  made (n,) uint8: 1 when it has been made
    candidate   a walk waiting in the queue: its last sidetrack (an entry) and the walk (`prefix`, by its candidate number) that
                the sidetracks before it make. Candidate 0 is the walk without any
    found       (k,) uint32: the candidates in order of cost, the answer

When a walk leaves the queue, three take its place: its last sidetrack replaced by either child in the heap, or followed by the
top of the heap of the vertex it leads to. Each walk comes up exactly once, and never before a cheaper one.

Sources: D. Eppstein, Finding the k shortest paths, SIAM J. Computing 28 (1998); lazily: V. M. Jiménez and A. Marzal, A lazy
version of Eppstein's k shortest paths algorithm, WEA 2003; leftist heaps: C. A. Crane (1972).
"""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, FULL, HUGE_COST, PAUSED, RunOptions
from bestfirst.graphs import Arcs, Graph, as_graph
from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.operations import MAX_TOTAL
from bestfirst.search.compiled import BOUND, EXPANDED, GENERATED, NONE, STOP_AT
from bestfirst.search.explicit import NO_ARC, Tree, checked_size, finish, straight_on
from bestfirst.search.walks import FOUND_WALKS, OWN_OF_WALKS, SOURCE, WalkListing, Walks, check_count
from bestfirst.store import enlarged
from bestfirst.store.queues import BucketQueue, HeapQueue, bucket_queue, heap_queue, larger_queue

ENTRIES = OWN_OF_WALKS  #: heap entries in use, from 1
CANDIDATES = OWN_OF_WALKS + 1
HIGHEST = OWN_OF_WALKS + 2  #: the largest cost that the queue must have room for
SKIPPED = OWN_OF_WALKS + 3  #: 1: the empty walk is not counted

#: The ways right through two leftist heaps of up to 2^32 entries together are no longer.
_SPINE = 64

#: With weights below this, a bucket for each cost is up to three times as fast as a heap.
_SMALL_WEIGHTS = 1 << 16


class Heaps(NamedTuple):
    """The heaps of all vertices; shapes in the legend. `stack` (n,) uint32 and `spine` are scratch space."""

    delta: np.ndarray
    arc: np.ndarray
    left: np.ndarray
    right: np.ndarray
    rank: np.ndarray
    root: np.ndarray
    made: np.ndarray
    stack: np.ndarray
    spine: np.ndarray


class Candidates(NamedTuple):
    """Walks met, and those found, in order."""

    entry: np.ndarray
    prefix: np.ndarray
    found: np.ndarray
    cost: np.ndarray


@kernel(inline=True)
def new_entry(heaps: Heaps, counters: np.ndarray, delta: Int, arc: Int) -> Int:
    """Number of a fresh heap entry without children."""
    entry = counters[ENTRIES]
    counters[ENTRIES] = entry + 1
    heaps.delta[unsigned(entry)] = delta
    heaps.arc[unsigned(entry)] = arc
    heaps.left[unsigned(entry)] = 0
    heaps.right[unsigned(entry)] = 0
    heaps.rank[unsigned(entry)] = 1
    return entry


@kernel(inline=True)
def meld(heaps: Heaps, counters: np.ndarray, a: Int, b: Int, fresh: Int) -> Int:
    """Root of a heap of all entries of heaps `a` and `b`. O(log size).

    Entries before `fresh` belong to other heaps too, and are copied.
    """
    depth = 0
    while a != 0 and b != 0:
        if heaps.delta[unsigned(b)] < heaps.delta[unsigned(a)]:
            a, b = b, a
        following = integer(heaps.right[unsigned(a)])
        if a < fresh:
            copy = new_entry(heaps, counters, heaps.delta[unsigned(a)], heaps.arc[unsigned(a)])
            heaps.left[unsigned(copy)] = heaps.left[unsigned(a)]
            a = copy
        heaps.spine[unsigned(depth)] = a
        depth += 1
        a = following
    rest = a + b  # one of them is 0
    while depth > 0:
        depth -= 1
        top = heaps.spine[unsigned(depth)]
        left = integer(heaps.left[unsigned(top)])
        if heaps.rank[unsigned(left)] < heaps.rank[unsigned(rest)]:
            left, rest = rest, left
        heaps.left[unsigned(top)] = left
        heaps.right[unsigned(top)] = rest
        heaps.rank[unsigned(top)] = heaps.rank[unsigned(rest)] + 1
        rest = top
    return rest


@kernel
def make_heap(arcs: Arcs, tree: Tree, heaps: Heaps, counters: np.ndarray, vertex: Int) -> Any:
    """Make the heap of `vertex`, after those on its way to the target; False when there is no room (what was made stays)."""
    waiting = 0
    while heaps.made[unsigned(vertex)] == 0:
        heaps.stack[unsigned(waiting)] = vertex
        waiting += 1
        if tree.via[unsigned(vertex)] == NO_ARC:
            break
        vertex = integer(arcs.target[unsigned(tree.via[unsigned(vertex)])])
    while waiting > 0:
        waiting -= 1
        v = integer(heaps.stack[unsigned(waiting)])
        begin = arcs.first[unsigned(v)]
        end = arcs.first[unsigned(v + 1)]
        fresh = counters[ENTRIES]
        if fresh + (end - begin) + _SPINE > heaps.delta.shape[0]:
            return False
        straight = tree.via[unsigned(v)]
        root = integer(0)
        for arc in range(begin, end):
            distance = tree.distance[unsigned(arcs.target[unsigned(arc)])]
            if arc != straight and distance < NONE:
                delta = arcs.weight[unsigned(arc)] + distance - tree.distance[unsigned(v)]
                root = meld(heaps, counters, root, new_entry(heaps, counters, delta, arc), fresh)
        if straight != NO_ARC:
            root = meld(heaps, counters, integer(heaps.root[unsigned(arcs.target[unsigned(straight)])]), root, fresh)
        heaps.root[unsigned(v)] = root
        heaps.made[unsigned(v)] = 1
    return True


@kernel
def list_walks(arcs: Arcs, tree: Tree, heaps: Heaps, candidates: Candidates, queue: Any, counters: np.ndarray, k: Int) -> Int:
    """Take walks from the queue until k are found; see `control` for the outcomes. O(log queue) a walk, beside making heaps."""
    while counters[GENERATED] < counters[STOP_AT]:
        if counters[FOUND_WALKS] == k:
            return FOUND
        if queue.size() == 0:
            return EXHAUSTED
        cost = queue.lowest()
        counters[BOUND] = cost
        if cost > MAX_TOTAL:
            return HUGE_COST
        found = counters[FOUND_WALKS]
        fresh = counters[CANDIDATES]
        if fresh + 3 > candidates.entry.shape[0] or found == candidates.found.shape[0]:
            return FULL
        number = queue.pop()
        entry = integer(candidates.entry[unsigned(number)])
        vertex = counters[SOURCE] if entry == 0 else integer(arcs.target[unsigned(heaps.arc[unsigned(entry)])])
        left = integer(heaps.left[unsigned(entry)])
        right = integer(heaps.right[unsigned(entry)])
        highest = cost
        for child in (left, right):
            if child != 0:
                highest = max(highest, cost + heaps.delta[unsigned(child)] - heaps.delta[unsigned(entry)])
        has_room = heaps.made[unsigned(vertex)] != 0 or make_heap(arcs, tree, heaps, counters, vertex)
        root = integer(heaps.root[unsigned(vertex)])
        if root != 0:
            highest = max(highest, cost + heaps.delta[unsigned(root)])
        if not has_room or not queue.has_room(highest, 3):
            queue.push(cost, number, number)
            counters[HIGHEST] = max(counters[HIGHEST], highest)
            return FULL
        for child in (left, right):
            if child != 0:
                candidates.entry[unsigned(fresh)] = child
                candidates.prefix[unsigned(fresh)] = candidates.prefix[unsigned(number)]
                queue.push(cost + heaps.delta[unsigned(child)] - heaps.delta[unsigned(entry)], fresh, fresh)
                fresh += 1
        if root != 0:
            candidates.entry[unsigned(fresh)] = root
            candidates.prefix[unsigned(fresh)] = number
            queue.push(cost + heaps.delta[unsigned(root)], fresh, fresh)
            fresh += 1
        if number != 0 or counters[SKIPPED] == 0:
            candidates.found[unsigned(found)] = number
            candidates.cost[unsigned(found)] = cost
            counters[FOUND_WALKS] = found + 1
        counters[EXPANDED] += 1
        counters[GENERATED] += 1 + fresh - counters[CANDIDATES]
        counters[CANDIDATES] = fresh
    return PAUSED


class WalkSearch(WalkListing):
    """The search for the k shortest walks at work."""

    engine = "shortest_walks"
    parts = ("tree", "heap", "heaps", "candidates", "queue")

    def __init__(self, graph: Graph, source: int, target: int, k: int, count_empty: bool, options: RunOptions) -> None:
        super().__init__(graph, source, target, k, options, count_empty=count_empty)
        self.counters[SKIPPED] = source == target and not count_empty
        self.counters[ENTRIES] = 1
        n = graph.vertex_count
        room = 256 + int(np.diff(graph.arcs.first).max(initial=0))
        self.heaps = Heaps(
            delta=np.zeros(room, np.int64),
            arc=np.zeros(room, np.uint32),
            left=np.zeros(room, np.uint32),
            right=np.zeros(room, np.uint32),
            rank=np.zeros(room, np.uint8),
            root=np.zeros(n, np.uint32),
            made=np.zeros(n, np.uint8),
            stack=np.zeros(n, np.uint32),
            spine=np.zeros(_SPINE, np.int64),
        )
        self.candidates = Candidates(
            entry=np.zeros(256, np.uint32),
            prefix=np.zeros(256, np.uint32),
            found=np.zeros(256, np.uint32),
            cost=np.zeros(256, np.int64),
        )
        self.queue: BucketQueue | HeapQueue = bucket_queue(0, 64, 256)

    def begin(self, cost: int) -> None:
        small = int(self.graph.arcs.weight.max(initial=0)) < _SMALL_WEIGHTS
        self.queue = bucket_queue(cost, 64, 256) if small else heap_queue(256)
        self.queue.push(cost, 0, 0)
        self.counters[HIGHEST] = cost
        self.counters[CANDIDATES] = 1

    def list_more(self) -> int:
        arguments = (self.graph.arcs, self.tree, self.heaps, self.candidates, self.queue, self.counters, np.int64(self.k))
        return self.call(list_walks, *arguments)

    def enlarge(self) -> None:
        c = self.candidates
        if self.counters[CANDIDATES] + 3 > len(c.entry):
            c = c._replace(entry=enlarged(c.entry, checked_size(2 * len(c.entry))), prefix=enlarged(c.prefix, 2 * len(c.prefix)))
        if self.counters[FOUND_WALKS] == len(c.found):
            c = c._replace(found=enlarged(c.found, 2 * len(c.found)), cost=enlarged(c.cost, 2 * len(c.cost)))
        self.candidates = c
        by_entry = ("delta", "arc", "left", "right", "rank")
        degree = int(np.diff(self.graph.arcs.first).max(initial=0))
        if self.counters[ENTRIES] + degree + _SPINE > len(self.heaps.delta):
            room = checked_size(2 * len(self.heaps.delta) + degree)
            self.heaps = self.heaps._replace(**{name: enlarged(getattr(self.heaps, name), room) for name in by_entry})
        highest = int(self.counters[HIGHEST])
        if not self.queue.has_room(highest, 3):
            self.queue = larger_queue(self.queue, highest, 3)

    def costs(self) -> np.ndarray:
        return self.candidates.cost

    def may_have_more(self) -> bool:
        return bool(self.queue.size() > 0)

    def arcs_of(self, position: int) -> list[int]:
        sidetracks = []
        number = int(self.candidates.found[position])
        while number != 0:
            sidetracks.append(int(self.heaps.arc[self.candidates.entry[number]]))
            number = int(self.candidates.prefix[number])
        vertex = int(self.counters[SOURCE])
        arcs: list[int] = []
        for sidetrack in reversed(sidetracks):
            arcs += straight_on(self.graph, self.tree, vertex, int(self.graph.source[sidetrack]))
            arcs.append(sidetrack)
            vertex = int(self.graph.arcs.target[sidetrack])
        return arcs + straight_on(self.graph, self.tree, vertex, None)


def shortest_walks(
    graph: Any,
    source: Any,
    target: Any,
    k: int,
    *,
    count_empty: bool = True,
    weight: str | None = "weight",
    **options: Unpack[RunOptions],
) -> Walks:
    """Find the k cheapest walks from `source` to `target`; vertices and edges may repeat, parallel edges make different walks.

    graph         a Graph, or what `as_graph` takes (`weight` is for it)
    source        a vertex, by name or number; so is target. A walk may pass through the target and come back
    k             how many; when there are fewer, all of them are found and the length of the answer says so
    count_empty   whether, when source and target are the same vertex, the walk of no edge counts

    `walks.costs[k - 1]` is the cost of the k-th; `walks[i]` makes a walk, in time of its length.

    Time O(m log m + k log k). Memory about 30 bytes a vertex and 28 to 60 an arc beside the graph, and 60 to 90 bytes a walk.

    Raises TypeError and ValueError for bad arguments, CostError when a walk costs more than 2^60, Interrupted (its `solution` is
    the partial Walks) on Ctrl-C.
    """
    check_count(k)
    graph = as_graph(graph, weight)
    search = WalkSearch(graph, graph.vertex(source), graph.vertex(target), int(k), count_empty, options)
    found: Walks = finish(search, options)
    return found
