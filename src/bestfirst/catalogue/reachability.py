"""Reachability: how many vertices can be reached from each vertex of a directed graph.

A vertex is reached from another when a way along the edges leads there; every vertex reaches itself. Cycles, loops and parallel
edges are welcome.

    n, m     numbers of vertices and edges
    x, y     an edge from x to y; vertices are numbered from 1
    counts   an answer: for each vertex in order, how many it reaches, itself included

The work is done by `bestfirst.search.reachability`; the methods are explained in docs/problems/reachability.md.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Literal, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens
from bestfirst.graphs import Graph
from bestfirst.result import Interrupted, Solution, Status
from bestfirst.search import reachability as engine

#: A vertex takes about 200 bytes and more beside its edges.
MAX_VERTICES, MAX_EDGES = 100_000_000, 1_000_000_000

PRUNINGS: dict[str, Pruning] = {}

#: The checker works on so many bits at a time.
_CHECKED_BITS = 1 << 30

Edge = tuple[int, int]


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="reachability", forbid_unknown_fields=True):
    """A directed graph: the number of vertices, and the edges. Raises ValueError for an edge to a vertex that there is not."""

    version: Literal[1] = 1
    vertices: int
    edges: tuple[Edge, ...]

    def __post_init__(self) -> None:
        if not 0 <= self.vertices <= MAX_VERTICES:
            raise ValueError(f"there are {self.vertices} vertices, there must be 0 to {MAX_VERTICES}")
        for number, (x, y) in enumerate(self.edges, 1):
            if not (1 <= x <= self.vertices and 1 <= y <= self.vertices):
                raise ValueError(f"edge {number} is ({x}, {y}), but vertices are numbered from 1 to {self.vertices}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="reachability"):
    """How many vertices each vertex reaches; when the status is stopped, no more than it reaches."""

    version: Literal[1] = 1
    status: Status
    counts: tuple[int, ...]


def read(text: str) -> Iterator[Instance]:
    """Read N and M, then M edges `x y`; vertices are numbered from 1. What follows is read as the next graph.

    Raises InputError where the text is bad, also when there is no graph at all.
    """
    tokens = Tokens(text)
    while True:
        n = tokens.take_integer("the number of vertices N", 0, MAX_VERTICES)
        m = tokens.take_integer("the number of edges M", 0, MAX_EDGES)
        edges = tokens.take_rows(m, "edge", (("the vertex x", 1, n), ("the vertex y", 1, n)))
        yield Instance(vertices=n, edges=tuple(zip(*edges.T.tolist(), strict=True)))
        if tokens.at_end():
            return


def write_instance(instance: Instance) -> str:
    """The judge format of an instance."""
    return f"{instance.vertices} {len(instance.edges)}\n" + "".join(f"{x} {y}\n" for x, y in instance.edges)


def write(answer: Answer) -> str:
    """One line for each vertex in order: how many vertices it reaches. Raises ValueError when the counting was stopped."""
    if answer.status is not Status.OPTIMAL:
        raise ValueError("the counting was stopped: the counts are only lower bounds")
    return "".join(f"{count}\n" for count in answer.counts)


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a number for each vertex of these instances. Raises InputError where the text has another form, or says more."""
    tokens = Tokens(text)
    columns = (("the count", 0, MAX_VERTICES),)
    counts = [tokens.take_rows(instance.vertices, "vertex", columns)[:, 0].tolist() for instance in instances]
    tokens.require_end("expected the end: every vertex has its count")
    return [Answer(status=Status.OPTIMAL, counts=tuple(count)) for count in counts]


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Count; the `value` of the solution is an array of the counts. Raises Interrupted (with what is known) on Ctrl-C."""
    ends = np.fromiter(itertools.chain.from_iterable(instance.edges), np.int64).reshape(-1, 2) - 1
    graph = Graph.from_edges(ends[:, 0], ends[:, 1], vertices=instance.vertices)
    try:
        return _solution(engine.reachability(graph, **options))
    except Interrupted as stop:
        raise Interrupted(_solution(stop.solution)) from None


def _solution(found: engine.Reachability) -> Solution:
    return Solution(
        found.status,
        cost=None,
        moves=None,
        bound=None,
        stats=found.stats,
        engine="reachability",
        why=found.why,
        stopped_by=found.stopped_by,
        value=found.count,
    )


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    return Answer(status=solution.status, counts=tuple(solution.value.tolist()))


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Count and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first count that is wrong, found by counting again in another way; None when all are right.

    In an answer that was stopped, a count is wrong only when it is too large.
    """
    if answer.status not in (Status.OPTIMAL, Status.STOPPED):
        return f"the status is {answer.status}, but every graph has its counts"
    if len(answer.counts) != instance.vertices:
        return f"there are {len(answer.counts)} counts for {instance.vertices} vertices"
    for vertex, (claimed, right) in enumerate(zip(answer.counts, _counts(instance), strict=True), 1):
        if claimed > right or (claimed < right and answer.status is Status.OPTIMAL):
            return f"vertex {vertex} reaches {right} {'vertex' if right == 1 else 'vertices'}, itself included, not {claimed}"
        if claimed < 1:
            return f"vertex {vertex} reaches itself, but its count is {claimed}"
    return None


def _counts(instance: Instance) -> list[int]:
    """A set of vertices for each vertex, as an integer, grown along the edges until nothing changes; some columns at a time."""
    n = instance.vertices
    following: list[list[int]] = [[] for _ in range(n)]
    for x, y in instance.edges:
        following[x - 1].append(y - 1)
    order = _last_first(following)
    counts = [0] * n
    width = max(1, _CHECKED_BITS // max(n, 1))
    for low in range(0, n, width):
        reached = [1 << (vertex - low) if low <= vertex < low + width else 0 for vertex in range(n)]
        changed = True
        while changed:
            changed = False
            for vertex in order:
                grown = reached[vertex]
                for other in following[vertex]:
                    grown |= reached[other]
                changed = changed or grown != reached[vertex]
                reached[vertex] = grown
        counts = [count + found.bit_count() for count, found in zip(counts, reached, strict=True)]
    return counts


def _last_first(following: Sequence[Sequence[int]]) -> list[int]:
    """The vertices in the order in which a depth-first walk leaves them: without cycles, each comes after all it leads to."""
    order: list[int] = []
    met = bytearray(len(following))
    for root in range(len(following)):
        if met[root]:
            continue
        met[root] = 1
        path = [(root, iter(following[root]))]
        while path:
            vertex, onwards = path[-1]
            fresh = next((other for other in onwards if not met[other]), None)
            if fresh is None:
                order.append(vertex)
                path.pop()
            else:
                met[fresh] = 1
                path.append((fresh, iter(following[fresh])))
    return order


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, vertices: int = 10, edges: int = 12, acyclic: bool = True) -> Instance:
    """A graph of random edges, the same for the same arguments.

    acyclic: along some hidden order of the vertices, so that there are no cycles (nor loops); otherwise between any two vertices.
    Raises ValueError for numbers that make no graph.
    """
    most = MAX_EDGES if vertices >= (2 if acyclic else 1) else 0
    if not (0 <= vertices <= MAX_VERTICES and 0 <= edges <= most):
        raise ValueError(f"there is no such graph of {vertices} vertices and {edges} edges")
    rng = random.Random(seed)
    order = list(range(1, vertices + 1))
    rng.shuffle(order)
    return Instance(vertices=vertices, edges=tuple(_random_edge(rng, order, acyclic) for _ in range(edges)))


def _random_edge(rng: random.Random, order: Sequence[int], acyclic: bool) -> Edge:
    if not acyclic:
        return rng.choice(order), rng.choice(order)
    i, j = sorted(rng.sample(range(len(order)), 2))
    return order[i], order[j]
