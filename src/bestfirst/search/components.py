"""Strongly connected components, numbered so that arcs between them lead from larger numbers to smaller ones.

    order    (n,) uint32: when a vertex was met, from 1; 0 = not yet
    low      (n,) uint32: the earliest vertex still on the stack that is known to be reachable from here
    path     (n,) uint32: the vertices being explored, each with its next arc in `following` (n,) int64
    stack    (n,) uint32: vertices met whose component is not complete

Source: R. E. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Computing 1 (1972), without recursion.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestfirst.graphs import Arcs, as_graph
from bestfirst.kernel import Int, integer, kernel, unsigned

_INCOMPLETE = (1 << 32) - 1


@kernel
def number_components(
    arcs: Arcs,
    component: np.ndarray,
    order: np.ndarray,
    low: np.ndarray,
    path: np.ndarray,
    following: np.ndarray,
    stack: np.ndarray,
) -> Int:
    """Fill in `component`, all _INCOMPLETE before; the number of components. O(n + m)."""
    met = integer(0)
    stacked = integer(0)
    components = integer(0)
    for root in range(component.shape[0]):
        if order[unsigned(root)] != 0:
            continue
        entered = integer(root)  # a vertex to begin with, or -1
        depth = integer(0)
        while True:
            if entered >= 0:
                met += 1
                order[unsigned(entered)] = met
                low[unsigned(entered)] = met
                following[unsigned(entered)] = arcs.first[unsigned(entered)]
                path[unsigned(depth)] = entered
                depth += 1
                stack[unsigned(stacked)] = entered
                stacked += 1
                entered = integer(-1)
            vertex = integer(path[unsigned(depth - 1)])
            arc = following[unsigned(vertex)]
            if arc < arcs.first[unsigned(vertex + 1)]:
                following[unsigned(vertex)] = arc + 1
                target = integer(arcs.target[unsigned(arc)])
                if order[unsigned(target)] == 0:
                    entered = target
                elif component[unsigned(target)] == _INCOMPLETE:
                    low[unsigned(vertex)] = min(low[unsigned(vertex)], order[unsigned(target)])
                continue
            if low[unsigned(vertex)] == order[unsigned(vertex)]:
                while True:
                    stacked -= 1
                    member = integer(stack[unsigned(stacked)])
                    component[unsigned(member)] = components
                    if member == vertex:
                        break
                components += 1
            depth -= 1
            if depth == 0:
                break
            above = integer(path[unsigned(depth - 1)])
            low[unsigned(above)] = min(low[unsigned(above)], low[unsigned(vertex)])
    return components


def strongly_connected_components(graph: Any) -> np.ndarray:
    """Return the number of the strongly connected component of each vertex: two are in one when each can reach the other.

    graph   a Graph, or what `as_graph` takes; weights do not matter

    (n,) uint32, numbers from 0; an arc between two components leads from the larger number to the smaller (a reverse topological
    order). O(n + m) time; 28 bytes a vertex while it runs. Raises TypeError for what is no graph.
    """
    graph = as_graph(graph, None)
    n = graph.vertex_count
    component = np.full(n, _INCOMPLETE, np.uint32)
    order, low, path, stack = (np.zeros(n, np.uint32) for _ in range(4))
    number_components(graph.arcs, component, order, low, path, np.zeros(n, np.int64), stack)
    return component
