"""The k shortest paths between two vertices of a graph that meet no vertex twice.

    s, t         source and target
    h            distance of a vertex to t in the whole graph: `tree.distance`;  `tree.via` is the arc by which one goes on
    subproblem   all simple paths that begin as a path found (`parent`) does, up to its vertex number `spur`, and leave
                 the spur by another arc than all paths found that begin so. It waits in the queue under a lower bound of its
                 cheapest path, and is solved only when it comes up; then it waits under the exact cost
    path         of a solved subproblem: `length` arcs in `trail` from `begin` on (begin = -1: not solved)
    blocked      vertices of the common beginning, the spur included: those with mark = stamp
    clear        said of a vertex: the way by the tree from here to t meets no blocked vertex

A path found is split into the subproblems of all its vertices from its own spur on, so that every path belongs to exactly one.
A subproblem is solved by A* with h as the bound, which ends at the first clear vertex that it takes: from there the tree is best.

Sources: J. Y. Yen, Management Science 17 (1971); E. L. Lawler, Management Science 18 (1972), splitting; A. W. Brander and
M. C. Sinclair (1995), a survey; G. Feng, Networks 64 (2014), clear vertices; D. Kurz and P. Mutzel, ISAAC 2016, solving when it
comes up.
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
from bestfirst.store.four_heap import FourHeap
from bestfirst.store.queues import HeapQueue, heap_queue, larger_queue

SUBPROBLEMS = OWN_OF_WALKS
TRAIL = OWN_OF_WALKS + 1  #: arcs of `trail` in use
STAMP = OWN_OF_WALKS + 2

#: No path has this cost: a subproblem without one.
_NO_PATH = NONE


class Subproblems(NamedTuple):
    """Rows of (parent, spur, begin, length); and the paths found, in order: `found` the subproblem, `cost` its cost."""

    parent: np.ndarray
    spur: np.ndarray
    begin: np.ndarray
    length: np.ndarray
    found: np.ndarray
    cost: np.ndarray
    trail: np.ndarray


class Scratch(NamedTuple):
    """What one subproblem needs; a value counts only when its stamp is that of the subproblem.

    mark (n,): stamp = blocked;  clear (n,): 2 stamp = clear, 2 stamp + 1 = not;
    seen (n,): `g` (cost from s) and `via` (arc it came by) are valid;  banned (m,): arcs that may not leave the spur; all int64
    """

    mark: np.ndarray
    clear: np.ndarray
    seen: np.ndarray
    banned: np.ndarray
    g: np.ndarray
    via: np.ndarray


@kernel(inline=True)
def ban_arcs(sub: Subproblems, banned: np.ndarray, stamp: Int, number: Int) -> None:
    """Ban the arcs by which the paths found that share the beginning of a subproblem leave its spur."""
    index = sub.spur[unsigned(number)]
    while number != 0 and sub.spur[unsigned(number)] == index:
        number = integer(sub.parent[unsigned(number)])
        banned[unsigned(sub.trail[unsigned(sub.begin[unsigned(number)] + index)])] = stamp


@kernel(inline=True)
def is_clear(arcs: Arcs, tree: Tree, scratch: Scratch, stamp: Int, vertex: Int) -> Any:
    """Whether a vertex is clear; remembered for all vertices passed."""
    end = vertex
    while scratch.mark[unsigned(end)] != stamp and scratch.clear[unsigned(end)] < 2 * stamp:
        if tree.via[unsigned(end)] == NO_ARC:
            scratch.clear[unsigned(end)] = 2 * stamp
            break
        end = integer(arcs.target[unsigned(tree.via[unsigned(end)])])
    verdict = 2 * stamp + 1 if scratch.mark[unsigned(end)] == stamp else scratch.clear[unsigned(end)]
    while vertex != end:
        scratch.clear[unsigned(vertex)] = verdict
        vertex = integer(arcs.target[unsigned(tree.via[unsigned(vertex)])])
    return verdict == 2 * stamp


@kernel(inline=True)
def write_path(
    arcs: Arcs, source: np.ndarray, tree: Tree, sub: Subproblems, scratch: Scratch, counters: np.ndarray, number: Int, last: Int
) -> None:
    """Write the path of a solved subproblem: its beginning, the way that A* found to `last`, and on by the tree.

    The tree does not come back to that way: no vertex of it but `last` is clear. There must be room for n arcs.
    """
    stamp = counters[STAMP]
    begin = counters[TRAIL]
    shared = sub.begin[unsigned(sub.parent[unsigned(number)])]
    at = begin
    for i in range(integer(sub.spur[unsigned(number)])):
        sub.trail[unsigned(at)] = sub.trail[unsigned(shared + i)]
        at += 1
    vertex = last
    while scratch.mark[unsigned(vertex)] != stamp:
        at += 1
        vertex = integer(source[unsigned(scratch.via[unsigned(vertex)])])
    back = at
    vertex = last
    while scratch.mark[unsigned(vertex)] != stamp:
        back -= 1
        sub.trail[unsigned(back)] = scratch.via[unsigned(vertex)]
        vertex = integer(source[unsigned(scratch.via[unsigned(vertex)])])
    vertex = last
    while tree.via[unsigned(vertex)] != NO_ARC:
        sub.trail[unsigned(at)] = tree.via[unsigned(vertex)]
        at += 1
        vertex = integer(arcs.target[unsigned(tree.via[unsigned(vertex)])])
    sub.begin[unsigned(number)] = begin
    sub.length[unsigned(number)] = at - begin
    counters[TRAIL] = at


@kernel(inline=True)
def solve(
    arcs: Arcs,
    source: np.ndarray,
    tree: Tree,
    heap: FourHeap,
    sub: Subproblems,
    scratch: Scratch,
    counters: np.ndarray,
    number: Int,
) -> Int:
    """Find and write the cheapest path of a subproblem; its cost, or _NO_PATH. At most O(m log m)."""
    counters[STAMP] += 1
    stamp = counters[STAMP]
    shared = sub.begin[unsigned(sub.parent[unsigned(number)])]
    vertex = counters[SOURCE]
    cost = integer(0)
    scratch.mark[unsigned(vertex)] = stamp
    for i in range(integer(sub.spur[unsigned(number)])):
        taken = sub.trail[unsigned(shared + i)]
        cost += arcs.weight[unsigned(taken)]
        vertex = integer(arcs.target[unsigned(taken)])
        scratch.mark[unsigned(vertex)] = stamp
    ban_arcs(sub, scratch.banned, stamp, number)
    heap.clear()
    lowest = cost
    while True:
        for arc in range(arcs.first[unsigned(vertex)], arcs.first[unsigned(vertex + 1)]):
            counters[GENERATED] += 1
            target = integer(arcs.target[unsigned(arc)])
            h = tree.distance[unsigned(target)]
            if h == NONE or scratch.mark[unsigned(target)] == stamp or scratch.banned[unsigned(arc)] == stamp:
                continue
            g = cost + arcs.weight[unsigned(arc)]
            if scratch.seen[unsigned(target)] != stamp or g < scratch.g[unsigned(target)]:
                scratch.seen[unsigned(target)] = stamp
                scratch.g[unsigned(target)] = g
                scratch.via[unsigned(target)] = arc
                heap.push(g + h, target)
        while True:  # to the next entry that is not outdated
            if heap.size() == 0:
                return integer(_NO_PATH)
            lowest = heap.lowest()
            vertex = heap.pop()
            cost = scratch.g[unsigned(vertex)]
            if lowest == cost + tree.distance[unsigned(vertex)]:
                break
        counters[EXPANDED] += 1
        if is_clear(arcs, tree, scratch, stamp, vertex):
            write_path(arcs, source, tree, sub, scratch, counters, number, vertex)
            return lowest


@kernel(inline=True)
def split(
    arcs: Arcs, tree: Tree, queue: HeapQueue, sub: Subproblems, scratch: Scratch, counters: np.ndarray, number: Int
) -> None:
    """Put the subproblems of a path found into the queue; there must be room for as many as it has arcs."""
    counters[STAMP] += 1
    stamp = counters[STAMP]
    ban_arcs(sub, scratch.banned, stamp, number)
    begin = sub.begin[unsigned(number)]
    index = integer(sub.spur[unsigned(number)])
    vertex = counters[SOURCE]
    cost = integer(0)
    for i in range(integer(sub.length[unsigned(number)])):
        scratch.mark[unsigned(vertex)] = stamp
        taken = integer(sub.trail[unsigned(begin + i)])
        bound = integer(_NO_PATH)
        if i >= index:
            for arc in range(arcs.first[unsigned(vertex)], arcs.first[unsigned(vertex + 1)]):
                counters[GENERATED] += 1
                target = integer(arcs.target[unsigned(arc)])
                h = tree.distance[unsigned(target)]
                if (
                    h < NONE
                    and arc != taken
                    and scratch.mark[unsigned(target)] != stamp
                    and scratch.banned[unsigned(arc)] != stamp
                ):
                    bound = min(bound, cost + arcs.weight[unsigned(arc)] + h)
        if bound < _NO_PATH:
            fresh = counters[SUBPROBLEMS]
            counters[SUBPROBLEMS] = fresh + 1
            sub.parent[unsigned(fresh)] = number
            sub.spur[unsigned(fresh)] = i
            sub.begin[unsigned(fresh)] = -1
            queue.push(bound, fresh, fresh)
        cost += arcs.weight[unsigned(taken)]
        vertex = integer(arcs.target[unsigned(taken)])


@kernel
def list_paths(
    arcs: Arcs,
    source: np.ndarray,
    tree: Tree,
    heap: FourHeap,
    sub: Subproblems,
    scratch: Scratch,
    queue: HeapQueue,
    counters: np.ndarray,
    k: Int,
) -> Int:
    """Take subproblems from the queue until k paths are found; see `control` for the outcomes."""
    while counters[GENERATED] < counters[STOP_AT]:
        if counters[FOUND_WALKS] == k:
            return FOUND
        if queue.size() == 0:
            return EXHAUSTED
        counters[BOUND] = queue.lowest()
        if counters[BOUND] > MAX_TOTAL:
            return HUGE_COST
        number = integer(queue.node[0])
        counters[GENERATED] += 1
        if sub.begin[unsigned(number)] < 0:
            if counters[TRAIL] + tree.via.shape[0] > sub.trail.shape[0]:
                return FULL
            cost = solve(arcs, source, tree, heap, sub, scratch, counters, number)
            if cost > counters[BOUND]:
                queue.pop()
                if cost < _NO_PATH:
                    queue.push(cost, number, number)
                continue
        found = counters[FOUND_WALKS]
        more = integer(sub.length[unsigned(number)])
        if counters[SUBPROBLEMS] + more > sub.parent.shape[0] or not queue.has_room(0, more) or found == sub.found.shape[0]:
            return FULL
        queue.pop()
        sub.found[unsigned(found)] = number
        sub.cost[unsigned(found)] = counters[BOUND]
        counters[FOUND_WALKS] = found + 1
        if found + 1 < k:
            split(arcs, tree, queue, sub, scratch, counters, number)
    return PAUSED


class SimplePathSearch(WalkListing):
    """The search for the k shortest simple paths at work."""

    engine = "shortest_simple_paths"
    parts = ("tree", "heap", "sub", "scratch", "queue")

    def __init__(self, graph: Graph, source: int, target: int, k: int, options: RunOptions) -> None:
        super().__init__(graph, source, target, k, options)
        n, m = graph.vertex_count, graph.arc_count
        self.sub = Subproblems(
            parent=np.zeros(256, np.uint32),
            spur=np.zeros(256, np.uint32),
            begin=np.zeros(256, np.int64),
            length=np.zeros(256, np.uint32),
            found=np.zeros(64, np.uint32),
            cost=np.zeros(64, np.int64),
            trail=np.zeros(2 * n + 256, np.uint32),
        )
        self.scratch = Scratch(
            mark=np.zeros(n, np.int64),
            clear=np.zeros(n, np.int64),
            seen=np.zeros(n, np.int64),
            banned=np.zeros(m, np.int64),
            g=np.zeros(n, np.int64),
            via=np.zeros(n, np.uint32),
        )
        self.queue: Any = heap_queue(256)

    def begin(self, cost: int) -> None:
        """The first subproblem is that of all simple paths; the tree solves it."""
        trail = straight_on(self.graph, self.tree, int(self.counters[SOURCE]), None)
        self.sub.trail[: len(trail)] = trail
        self.sub.length[0] = self.counters[TRAIL] = len(trail)
        self.queue.push(cost, 0, 0)
        self.counters[SUBPROBLEMS] = 1

    def list_more(self) -> int:
        graph, k = self.graph, np.int64(self.k)
        memory = (self.tree, self.heap, self.sub, self.scratch, self.queue, self.counters)
        return self.call(list_paths, graph.arcs, graph.source, *memory, k)

    def enlarge(self) -> None:
        sub = self.sub
        more = int(sub.length[self.queue.node[0]])
        groups = (
            (("parent", "spur", "begin", "length"), int(self.counters[SUBPROBLEMS]) + more),
            (("found", "cost"), int(self.counters[FOUND_WALKS]) + 1),
            (("trail",), int(self.counters[TRAIL]) + self.graph.vertex_count),
        )
        for names, wanted in groups:
            rows = len(getattr(sub, names[0]))
            if wanted > rows:
                sub = sub._replace(**{name: enlarged(getattr(sub, name), checked_size(2 * wanted)) for name in names})
        self.sub = sub
        if not self.queue.has_room(0, more):
            self.queue = larger_queue(self.queue, 0, more)

    def costs(self) -> np.ndarray:
        return self.sub.cost

    def may_have_more(self) -> bool:
        return bool(self.counters[FOUND_WALKS] == self.k)

    def arcs_of(self, position: int) -> np.ndarray:
        number = self.sub.found[position]
        begin = int(self.sub.begin[number])
        return self.sub.trail[begin : begin + int(self.sub.length[number])]


def shortest_simple_paths(
    graph: Any, source: Any, target: Any, k: int, *, weight: str | None = "weight", **options: Unpack[RunOptions]
) -> Walks:
    """Find the k cheapest paths from `source` to `target` that meet no vertex twice; parallel edges make different paths.

    graph    a Graph, or what `as_graph` takes (`weight` is for it)
    source   a vertex, by name or number; so is target. When they are the same, the only such path has no edge
    k        how many; when there are fewer, all of them are found and the length of the answer says so

    The result is that of `shortest_walks`.

    Time O(k l m log m) at worst, where l is the length of a path; nearly always a subproblem is solved by a look at a few
    vertices, and the time is that of splitting, O(k l d) for d arcs out of a vertex. Memory about 44 bytes a vertex and 20 an arc
    beside the graph, and up to 64 bytes for each vertex of a path found.

    Raises TypeError and ValueError for bad arguments, CostError when a path costs more than 2^60, Interrupted (its `solution` is
    the partial Walks) on Ctrl-C.
    """
    check_count(k)
    graph = as_graph(graph, weight)
    search = SimplePathSearch(graph, graph.vertex(source), graph.vertex(target), int(k), options)
    found: Walks = finish(search, options)
    return found
