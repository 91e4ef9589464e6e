"""Explicit graphs: one small immutable type, made from the forms in which people have graphs, and a problem for every engine.

    n, m     numbers of vertices and of arcs
    vertex   a number from 0 to n - 1; `names` maps them to what the user calls them
    arc      a directed connection; arcs lie sorted by source ("compressed sparse rows"), in the order given for each source
    edge     what was given: one arc, or the two directions of an undirected edge; `number` tells the edge of an arc, so that
             parallel edges stay apart in an answer

SciPy and NetworkX are never imported here: only an object of theirs, already imported by whoever made it, is looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.operations import ILLEGAL, MAX_COST, UNREACHABLE, problem
from bestfirst.result import Solution

#: Vertices and arcs are numbered in 32 bits; the last number stands for "none".
MAX_SIZE = (1 << 32) - 2


class Arcs(NamedTuple):
    """A graph as kernels see it: the arcs out of v are numbers first[v] to first[v + 1] - 1.

    first (n + 1,) int64, target (m,) uint32, weight (m,) int64
    """

    first: np.ndarray
    target: np.ndarray
    weight: np.ndarray


class Walk(NamedTuple):
    """A way through a graph: its cost, its vertices by name (or number), and the numbers of the edges between them."""

    cost: int
    vertices: tuple[Any, ...]
    edges: tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """A directed graph with whole, non-negative weights; parallel edges and loops are welcome. Its arrays are read-only.

    arcs     the arrays, see `Arcs`
    number   (m,) int64: the edge, as it was given, that each arc belongs to
    names    the name of each vertex, or None when vertices are called by number
    """

    arcs: Arcs
    number: np.ndarray
    names: tuple[Hashable, ...] | None = None

    @classmethod
    def from_edges(
        cls,
        source: Any,
        target: Any,
        weight: Any = None,
        *,
        vertices: int | None = None,
        names: Iterable[Hashable] | None = None,
        directed: bool = True,
    ) -> Graph:
        """Make a graph of edges source[i] → target[i], numbered by i. O(n + m).

        source, target   one-dimensional, whole numbers from 0 (not names)
        weight           one for each edge, whole numbers from 0 to 2^40 - 1 (floats only when they are whole); None: 1 each
        vertices         how many; None: one more than the largest number that occurs
        names            distinct hashable names of the vertices, in order
        directed         False: every edge may be walked both ways; a loop still counts once

        Raises TypeError for what is not numbers, ValueError for numbers out of range; each says where.
        """
        label = None if names is None else tuple(names)
        if label is not None and len(set(label)) != len(label):
            raise ValueError("two vertices have the same name")
        if vertices is None and label is not None:
            vertices = len(label)
        if vertices is not None and not 0 <= vertices <= MAX_SIZE:
            raise ValueError(f"a graph has 0 to {MAX_SIZE} vertices, not {vertices}")
        most = MAX_SIZE if vertices is None else vertices
        ends = [
            _whole_numbers(given, f"the {what} of edge", most - 1) for given, what in ((source, "source"), (target, "target"))
        ]
        tails, heads = ends
        n = int(max((int(end.max()) + 1 for end in ends if end.size), default=0)) if vertices is None else vertices
        weights = np.ones(len(tails), np.int64) if weight is None else _whole_numbers(weight, "the weight of edge", MAX_COST)
        if not len(tails) == len(heads) == len(weights):
            raise ValueError(f"there are {len(tails)} sources, {len(heads)} targets and {len(weights)} weights")
        if label is not None and len(label) != n:
            raise ValueError(f"there are {len(label)} names for {n} vertices")
        number = np.arange(len(tails))
        if not directed:
            twice = np.flatnonzero(tails != heads)
            both = np.argsort(np.concatenate([number, twice]), kind="stable")  # the two arcs of an edge side by side
            tails, heads = np.concatenate([tails, heads[twice]])[both], np.concatenate([heads, tails[twice]])[both]
            number = np.concatenate([number, twice])[both]
            weights = weights[number]
        if len(tails) > MAX_SIZE:
            raise ValueError(f"a graph has at most {MAX_SIZE} arcs, not {len(tails)}")
        first, order = sorted_by(tails, n)
        return cls(_arcs(first, heads[order], weights[order]), _frozen(number[order]), label)

    @property
    def vertex_count(self) -> int:
        """How many vertices there are."""
        return len(self.arcs.first) - 1

    @property
    def arc_count(self) -> int:
        """How many arcs there are; an undirected edge has two."""
        return len(self.arcs.target)

    @cached_property
    def source(self) -> np.ndarray:
        """(m,) uint32: where each arc begins."""
        return _frozen(np.repeat(np.arange(self.vertex_count, dtype=np.uint32), np.diff(self.arcs.first)))

    @cached_property
    def reversed_arcs(self) -> tuple[Arcs, np.ndarray]:
        """All arcs turned round, and (m,) uint32: which arc of this graph each of them is. O(n + m), computed once."""
        first, order = sorted_by(self.arcs.target, self.vertex_count)
        return _arcs(first, self.source[order], self.arcs.weight[order]), _frozen(order)

    def reversed(self) -> Graph:
        """The graph with all arcs turned round; edges keep their numbers, vertices their names."""
        arcs, position = self.reversed_arcs
        return Graph(arcs, _frozen(self.number[position]), self.names)

    @cached_property
    def _index(self) -> dict[Hashable, int]:
        return {name: vertex for vertex, name in enumerate(self.names or ())}

    def vertex(self, name: Any) -> int:
        """The number of the vertex of this name (without names: of this number). Raises ValueError, TypeError."""
        if self.names is not None:
            try:
                return self._index[name]
            except KeyError:
                raise ValueError(f"the graph has no vertex {name!r}") from None
            except TypeError:
                raise TypeError(f"a name of a vertex is hashable; {type(name).__name__} is not") from None
        if isinstance(name, bool) or not isinstance(name, (int, np.integer)):
            raise TypeError(f"the vertices of this graph are called by number, not by {type(name).__name__}")
        if not 0 <= name < self.vertex_count:
            raise ValueError(f"the graph has no vertex {name}; there are {self.vertex_count}, numbered from 0")
        return int(name)

    def vertices(self, names: Any) -> list[int]:
        """The numbers of one vertex, or of those in a list, set or array."""
        if isinstance(names, np.ndarray):
            names = names.tolist()
        return [self.vertex(name) for name in (names if isinstance(names, (list, set)) else [names])]

    def name(self, vertex: int) -> Any:
        """What the user calls a vertex."""
        return vertex if self.names is None else self.names[vertex]

    def walk_along(self, start: int, arcs: Sequence[int] | np.ndarray) -> Walk:
        """The walk that begins at vertex number `start` and takes these arcs."""
        taken = np.asarray(arcs, np.int64)
        visited = [start, *self.arcs.target[taken].tolist()]
        cost = int(self.arcs.weight[taken].sum())
        return Walk(cost, tuple(map(self.name, visited)), tuple(self.number[taken].tolist()))

    def walk(self, solution: Solution) -> Walk:
        """The walk that an engine found for a `graph_problem` of this graph. Raises ValueError when it found none."""
        if solution.moves is None:
            raise ValueError("there is no walk: the solution has no moves")
        vertex = int(solution.start)
        arcs = []
        for move in solution.moves:
            arcs.append(int(self.arcs.first[vertex]) + move)
            vertex = int(self.arcs.target[arcs[-1]])
        return self.walk_along(int(solution.start), arcs)

    def __repr__(self) -> str:
        return f"<Graph: {self.vertex_count} vertices, {self.arc_count} arcs>"


def as_graph(data: Any, weight: str | None = "weight") -> Graph:
    """Return `data` as a Graph.

    * A Graph is returned as it is.
    * A SciPy matrix or array in CSR or COO form: entry (i, j) is an edge i → j. Explicit zeros are edges of weight 0, entries
      stored twice are parallel edges, and edges are numbered as the entries are stored. `weight=None` ignores the values.
    * A NetworkX graph of any of the four kinds: vertices keep their names, `weight` is the attribute of the edges to read (None:
      1 each; an edge without the attribute is an error, not a 1), and edges are numbered in the order of `G.edges`.

    Raises TypeError for anything else and ValueError for weights that are not whole numbers from 0 to 2^40 - 1.
    """
    if isinstance(data, Graph):
        return data
    sparse, networkx = sys.modules.get("scipy.sparse"), sys.modules.get("networkx")
    if sparse is not None and sparse.issparse(data):
        return _from_sparse(data, weighted=weight is not None)
    if networkx is not None and isinstance(data, networkx.Graph):
        return _from_networkx(data, weight)
    raise TypeError(f"a graph is a bestfirst.Graph, a SciPy CSR matrix or a NetworkX graph, not {type(data).__name__}")


def _from_sparse(matrix: Any, weighted: bool) -> Graph:
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"the matrix of a graph is square, not of shape {matrix.shape}")
    n = matrix.shape[0]
    if matrix.format == "csr":
        source, target = np.repeat(np.arange(n), np.diff(matrix.indptr)), matrix.indices
    elif matrix.format == "coo":
        source, target = matrix.row, matrix.col
    else:
        raise TypeError(f"a matrix in {matrix.format.upper()} form cannot tell edges of weight 0 from none; pass matrix.tocsr()")
    return Graph.from_edges(source, target, matrix.data if weighted else None, vertices=n)


def _from_networkx(graph: Any, weight: str | None) -> Graph:
    names = tuple(graph)
    index = {name: vertex for vertex, name in enumerate(names)}
    source, target, weights = [], [], []
    for tail, head, attributes in graph.edges(data=True):
        source.append(index[tail])
        target.append(index[head])
        if weight is not None:
            if weight not in attributes:
                raise ValueError(f"the edge {tail!r} – {head!r} has no {weight!r}; weight=None makes every edge 1")
            weights.append(attributes[weight])
    given = None if weight is None else weights
    return Graph.from_edges(source, target, given, names=names, directed=graph.is_directed())


# --- a problem for the engines ------------------------------------------------------------------------------------------


@problem(state=int)
class GraphProblem(NamedTuple):
    """Walking in a graph: a state is the number of a vertex, move k its k-th arc.

    degree (the largest number of arcs out of a vertex), first, target, weight as in `Arcs`; goal (n,) uint8, bound (n,) int64
    """

    degree: int
    first: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    goal: np.ndarray
    bound: np.ndarray

    def move_count(self) -> Int:
        """As many as the vertex with the most arcs has."""
        return self.degree

    def apply(self, state: Int, move: Int) -> Any:
        """Take the arc, if there is one of this number."""
        arc = self.first[unsigned(state)] + integer(move)
        if arc >= self.first[unsigned(state + 1)]:
            return integer(state), integer(ILLEGAL)
        return integer(self.target[unsigned(arc)]), integer(self.weight[unsigned(arc)])

    def is_goal(self, state: Int) -> Any:
        """Whether this is one of the targets."""
        return self.goal[unsigned(state)] != 0

    def lower_bound(self, state: Int) -> Int:
        """The bound that was given; 0 without one."""
        return self.bound[unsigned(state)]


def graph_problem(
    graph: Any, source: Any, target: Any, *, weight: str | None = "weight", bound: Any = None
) -> tuple[GraphProblem, int]:
    """The search for a cheapest walk from `source` to `target`, as a problem and its start: `a_star(*graph_problem(…))`.

    graph            a Graph, or what `as_graph` takes (`weight` is for it)
    source           a vertex, by name or number
    target           a vertex, or a list, set or array of them: any one will do
    bound            None, or for each vertex (in their order) a whole number that never exceeds its distance to a target
                     (UNREACHABLE where there is no way)

    Move k is the k-th arc of a vertex; `graph.walk(solution)` tells the walk by vertices and edges. An engine tries as many moves
    in every vertex as the vertex with the most arcs has: for graphs with a hub, `distances` is the better tool.

    Raises TypeError and ValueError, saying what is wrong with which argument.
    """
    graph = as_graph(graph, weight)
    n = graph.vertex_count
    start = graph.vertex(source)
    goal = np.zeros(n, np.uint8)
    goal[graph.vertices(target)] = 1
    bounds = np.zeros(n, np.int64) if bound is None else _whole_numbers(bound, "the bound of vertex", UNREACHABLE)
    if len(bounds) != n:
        raise ValueError(f"there are {len(bounds)} bounds for {n} vertices")
    degree = int(np.diff(graph.arcs.first).max(initial=0))
    arcs = graph.arcs if graph.arc_count else _arcs(graph.arcs.first, np.zeros(1, np.uint32), np.zeros(1, np.int64))
    return GraphProblem(max(degree, 1), arcs.first, arcs.target, arcs.weight, goal, bounds), start


# --- helpers ------------------------------------------------------------------------------------------------------------


def _frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def _arcs(first: np.ndarray, target: np.ndarray, weight: np.ndarray) -> Arcs:
    return Arcs(_frozen(first), _frozen(target.astype(np.uint32)), _frozen(weight.astype(np.int64)))


def _whole_numbers(values: Any, what: str, most: int) -> np.ndarray:
    """`values` as an int64 array, each from 0 to `most`; `what` and its position name a bad one."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise TypeError(f"{what} … must come in one dimension, not {array.ndim}")
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.dtype.kind == "O" and all(isinstance(value, (int, np.integer)) for value in array.tolist()):
        bad = next((i for i, value in enumerate(array.tolist()) if not 0 <= value <= most), None)
    elif array.dtype.kind in "iuf":
        bad = next(iter(np.flatnonzero(~((array >= 0) & (array <= most) & (array == np.floor(array)))).tolist()), None)
    else:
        raise TypeError(f"{what} … must be whole numbers, not {array.dtype}")
    if bad is not None:
        raise ValueError(f"{what} {bad} is {array[bad]}; it must be a whole number from 0 to {most}")
    return array.astype(np.int64)


def sorted_by(key: np.ndarray, keys: int) -> tuple[np.ndarray, np.ndarray]:
    """A stable order of positions by key (each below `keys`), and where each key begins in it. O(len + keys).

    Returns first (keys + 1,) int64 and order (len,) uint32.
    """
    first = np.zeros(keys + 1, np.int64)
    np.cumsum(np.bincount(key, minlength=keys), out=first[1:])
    order = np.empty(len(key), np.uint32)
    _place(key.astype(np.uint32), first[:-1].copy(), order)
    return first, order


@kernel
def _place(key: np.ndarray, position: np.ndarray, order: np.ndarray) -> None:
    for i in range(key.shape[0]):
        k = unsigned(key[unsigned(i)])
        order[unsigned(position[k])] = i
        position[k] += 1
