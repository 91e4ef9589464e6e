"""Least costs from one or several sources to every vertex of a graph: Dijkstra's algorithm.

The queue, the tree and the loop stand in `explicit`, because other searches begin with them.

Source: E. W. Dijkstra, A note on two problems in connexion with graphs, Numerische Mathematik 1 (1959).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from bestfirst.control import FOUND, RunOptions
from bestfirst.graphs import Graph, Walk, as_graph
from bestfirst.result import Solution, Stats, Status
from bestfirst.search.compiled import BOUND, NONE, STOP_AT
from bestfirst.search.explicit import NO_ARC, GraphSearch, finish, new_tree, settle


@dataclass(frozen=True, eq=False)
class Distances:
    """The answer of `distances`.

    distance    (n,) int64: the least cost from a source to each vertex; -1 where there is no way (or, stopped early, none proved)
    edge        (n,) int64: number of the last edge of a walk of that cost; -1 at the sources and where there is no way
    status      optimal; or stopped, and then vertices at -1 are at least `bound` away
    """

    status: Status
    distance: np.ndarray
    edge: np.ndarray
    bound: int
    stats: Stats
    stopped_by: str | None
    graph: Graph
    arc: np.ndarray  #: (m,) uint32: the arc of `edge`

    def walk_to(self, name: Any) -> Walk | None:
        """A cheapest walk from a source to this vertex; None when there is none."""
        vertex = self.graph.vertex(name)
        if self.distance[vertex] < 0:
            return None
        arcs = []
        while self.arc[vertex] != NO_ARC:
            arcs.append(int(self.arc[vertex]))
            vertex = int(self.graph.source[arcs[-1]])
        return self.graph.walk_along(vertex, arcs[::-1])


class DistanceSearch(GraphSearch):
    """Dijkstra's algorithm at work."""

    engine = "distances"
    parts = ("tree", "queue")

    def __init__(self, graph: Graph, sources: list[int], options: RunOptions) -> None:
        super().__init__(graph, options, sources=sorted(set(sources)))
        self.tree, self.queue = new_tree(graph, sources)
        self.ended = False

    def advance(self, stop_at: int) -> int:
        self.counters[STOP_AT] = stop_at
        outcome = self.call(settle, self.graph.arcs, self.tree, self.queue, self.counters)
        self.ended = outcome == FOUND
        return outcome

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        return (0, ()) if self.ended else None

    def result(self, solution: Solution) -> Distances:
        bound = int(self.counters[BOUND])
        known = self.tree.distance <= (NONE - 1 if self.ended else bound)
        arc = np.where(known, self.tree.via, np.uint32(NO_ARC))
        edge = np.full(len(arc), -1, np.int64)
        edge[arc != NO_ARC] = self.graph.number[arc[arc != NO_ARC]]
        distance = np.where(known, self.tree.distance, -1)
        return Distances(solution.status, distance, edge, bound, solution.stats, solution.stopped_by, self.graph, arc)


def distances(graph: Any, sources: Any, *, weight: str | None = "weight", **options: Unpack[RunOptions]) -> Distances:
    """Find the least cost from the nearest source to every vertex, and the last edge of a walk that has it.

    graph     a Graph, or what `as_graph` takes (`weight` is for it)
    sources   a vertex, or a list, set or array of them; distances *to* vertices are those from them in `graph.reversed()`

    Time O(m log m). Memory 12 bytes a vertex and 12 bytes an arc, beside the graph.

    Raises TypeError and ValueError for a bad graph or source, CostError when a distance exceeds 2^60, Interrupted (its `solution`
    is the partial Distances) on Ctrl-C.
    """
    graph = as_graph(graph, weight)
    found: Distances = finish(DistanceSearch(graph, graph.vertices(sources), options), options)
    return found
