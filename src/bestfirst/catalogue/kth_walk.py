"""K-th walk: the length of the k-th shortest walk between two vertices of a directed graph.

A walk may meet vertices and use edges more than once, also its first and last vertex. It has at least one edge: when both ends
are the same vertex, the walk that does not move does not count. Two walks are different when their sequences of edges are, so
parallel edges make different walks. With `simple`, which only JSON has, no vertex may be met twice.

    n, m     numbers of vertices and edges
    a, b, l  an edge from a to b of length l; vertices and edges are numbered from 1
    s, t, k  first vertex, last vertex, and which of the walks, from 1
    edges    an answer: the numbers of the walk's edges; of walks of equal length any, but always the same one

The work is done by `bestfirst.search.shortest_walks`; the method is explained in docs/graphs.md.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens, read_numbers
from bestfirst.graphs import Graph
from bestfirst.operations import MAX_COST
from bestfirst.result import Interrupted, Solution, Status
from bestfirst.search.shortest_simple_paths import shortest_simple_paths
from bestfirst.search.shortest_walks import shortest_walks
from bestfirst.search.walks import Walks

MAX_VERTICES, MAX_EDGES, MAX_K = 100_000_000, 1_000_000_000, (1 << 31) - 1

PRUNINGS: dict[str, Pruning] = {}

#: How many graphs `generate` tries for a wanted property.
TRIES = 300

Edge = tuple[int, int, int]


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="kth-walk", forbid_unknown_fields=True):
    """A graph of edges (a, b, length), and the question. Raises ValueError where they do not fit together."""

    version: Literal[1] = 1
    vertices: int
    edges: tuple[Edge, ...]
    source: int
    target: int
    k: int
    simple: bool = False

    def __post_init__(self) -> None:
        _require(1 <= self.vertices <= MAX_VERTICES, f"there are {self.vertices} vertices, there must be 1 to {MAX_VERTICES}")
        _require(1 <= self.k <= MAX_K, f"k is {self.k}, it must be from 1 to {MAX_K}")
        for what in ("source", "target"):
            vertex = getattr(self, what)
            _require(1 <= vertex <= self.vertices, f"the {what} is {vertex}, vertices are numbered from 1 to {self.vertices}")
        for number, (a, b, length) in enumerate(self.edges, 1):
            if not (1 <= a <= self.vertices and 1 <= b <= self.vertices):
                raise ValueError(f"edge {number} is from {a} to {b}, but vertices are numbered from 1 to {self.vertices}")
            if not 0 <= length <= MAX_COST:
                raise ValueError(f"edge {number} has length {length}, it must be from 0 to {MAX_COST}")
        _require(not self.simple or self.source != self.target, "from a vertex to itself there is no way that meets none twice")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="kth-walk"):
    """The length of the k-th walk and its edges: no edges when only the length is known, neither when there is no such walk."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: its length
    bound: int | None  #: it is no shorter; None when there is none
    edges: tuple[int, ...] | None


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


def read(text: str) -> Iterator[Instance]:
    """Read N and M, then M edges `A B L`, then S, T and K; vertices are numbered from 1. What follows is read as the next case.

    Raises InputError where the text is bad, also when there is no case at all.
    """
    tokens = Tokens(text)
    while True:
        n = tokens.take_integer("the number of vertices N", 1, MAX_VERTICES)
        m = tokens.take_integer("the number of edges M", 0, MAX_EDGES)
        columns = (("the vertex A", 1, n), ("the vertex B", 1, n), ("the length L", 0, MAX_COST))
        edges = tokens.take_rows(m, "edge", columns)
        yield Instance(
            vertices=n,
            edges=tuple(zip(*edges.T.tolist(), strict=True)),
            source=tokens.take_integer("the first vertex S", 1, n),
            target=tokens.take_integer("the last vertex T", 1, n),
            k=tokens.take_integer("the number K of the walk", 1, MAX_K),
        )
        if tokens.at_end():
            return


def write_instance(instance: Instance) -> str:
    """The judge format of an instance. Raises ValueError when it asks for simple paths."""
    _require(not instance.simple, "the judge format asks for walks only; JSON also for simple paths")
    edges = "".join(f"{a} {b} {length}\n" for a, b, length in instance.edges)
    return f"{instance.vertices} {len(instance.edges)}\n{edges}{instance.source} {instance.target} {instance.k}\n"


def write(answer: Answer) -> str:
    """The length of the K-th shortest walk on a line, or -1 when there are fewer. Raises ValueError when it is not known."""
    if answer.status is Status.INFEASIBLE:
        return "-1\n"
    _require(answer.status is Status.OPTIMAL, f"the length is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a length or -1 for each instance. Raises InputError where the text has another form, or says more."""
    lengths = read_numbers(text, len(instances), "the length", -1)
    return [_claimed(length) for length in lengths]


def _claimed(length: int) -> Answer:
    if length == -1:
        return Answer(status=Status.INFEASIBLE, cost=None, bound=None, edges=None)
    return Answer(status=Status.OPTIMAL, cost=length, bound=length, edges=None)


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Find the k-th walk; the `moves` of the solution are the numbers of its edges, its `cost` is the length.

    Infeasible when there are fewer than k walks. Raises CostError when one is longer than 2^60, Interrupted on Ctrl-C.
    """
    edges = np.fromiter(itertools.chain.from_iterable(instance.edges), np.int64).reshape(-1, 3)
    graph = Graph.from_edges(edges[:, 0] - 1, edges[:, 1] - 1, edges[:, 2], vertices=instance.vertices)
    ends = instance.source - 1, instance.target - 1
    try:
        if instance.simple:
            return _solution(instance, shortest_simple_paths(graph, *ends, instance.k, **options))
        return _solution(instance, shortest_walks(graph, *ends, instance.k, count_empty=False, **options))
    except Interrupted as stop:
        raise Interrupted(_solution(instance, stop.solution)) from None


def _solution(instance: Instance, found: Walks) -> Solution:
    """What the list of walks says about the k-th."""
    cost = moves = None
    bound, status = found.bound, Status.STOPPED
    if len(found) == instance.k:
        cost = bound = int(found.costs[-1])
        moves = tuple(edge + 1 for edge in found[-1].edges)
        status = Status.OPTIMAL
    elif found.stopped_by is None:
        bound, status = None, Status.INFEASIBLE
    engine, why = ("shortest_simple_paths", "no vertex twice") if instance.simple else ("shortest_walks", "vertices may repeat")
    return Solution(status, cost, moves, bound, found.stats, engine, why, found.stopped_by)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    return Answer(status=solution.status, cost=cost, bound=bound, edges=solution.moves)


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That exactly k - 1 walks come before it cannot be seen by following one.
    """
    return _check_claim(answer) or _check_walk(instance, answer)


def _check_claim(answer: Answer) -> str | None:
    """Whether status, cost, bound and edges fit together."""
    status, cost, bound = answer.status, answer.cost, answer.bound
    if status is Status.OPTIMAL:
        if cost is None:
            return "the answer is called optimal, but there is no length"
        return f"the length is {cost}, but the bound is {bound}" if bound != cost else None
    if status is Status.FEASIBLE:
        return "the status is feasible, but a walk that may not be the k-th is no answer"
    if cost is not None or answer.edges is not None:
        return f"the answer has a walk, but its status is {status}"
    return None


def _check_walk(instance: Instance, answer: Answer) -> str | None:
    """Follow the edges."""
    if answer.edges is None:
        return None
    if not answer.edges:
        return "the walk has no edge, it must have at least one"
    at, total, met = instance.source, 0, {instance.source}
    for position, number in enumerate(answer.edges, 1):
        if not 1 <= number <= len(instance.edges):
            return f"step {position}: there is no edge {number}"
        a, b, length = instance.edges[number - 1]
        if a != at:
            return f"step {position}: edge {number} begins at vertex {a}, but the walk is at vertex {at}"
        if instance.simple and b in met:
            return f"step {position}: vertex {b} is met again"
        at, total = b, total + length
        met.add(b)
    if at != instance.target:
        return f"the walk ends at vertex {at}, not at vertex {instance.target}"
    return None if total == answer.cost else f"the walk has length {total}, not {answer.cost}"


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(
    seed: int,
    *,
    vertices: int = 6,
    edges: int = 12,
    longest: int = 9,
    k: int = 5,
    acyclic: bool = False,
    solvable: bool | None = None,
) -> Instance:
    """A graph of random edges and random ends, the same for the same arguments.

    longest: lengths are from 0 to this. acyclic: edges lead from smaller to larger numbers only. solvable=True: there are k
    walks; False: there are fewer; None: either. Raises ValueError for numbers that make no graph, and when none of TRIES graphs
    is as wanted.
    """
    if vertices < (2 if acyclic and edges else 1) or edges < 0 or longest < 0:
        raise ValueError(f"there is no such graph of {vertices} vertices and {edges} edges of lengths up to {longest}")
    rng = random.Random(seed)
    for _ in range(1 if solvable is None else TRIES):
        instance = _random_instance(rng, vertices, edges, longest, k, acyclic)
        if solvable is None or solvable == (search(instance).status is Status.OPTIMAL):
            return instance
    raise ValueError(f"none of {TRIES} graphs has {'' if solvable else 'fewer than '}{k} walks; allow more or fewer edges")


def _random_instance(rng: random.Random, vertices: int, edges: int, longest: int, k: int, acyclic: bool) -> Instance:
    numbers = range(1, vertices + 1)

    def ends() -> tuple[int, int]:
        a, b = sorted(rng.sample(numbers, 2)) if acyclic else (rng.choice(numbers), rng.choice(numbers))
        return a, b

    drawn = tuple((*ends(), rng.randint(0, longest)) for _ in range(edges))
    return Instance(vertices=vertices, edges=drawn, source=rng.choice(numbers), target=rng.choice(numbers), k=k)


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """Where a walk is: the vertex, the edge that led there (None at the start), the length up to there."""

    vertex: int
    edge: int | None
    length: int


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield the start and where each edge leads; nothing when no walk is known."""
    if answer.edges is None:
        return
    length = 0
    yield Step(instance.source, None, 0)
    for number in answer.edges:
        _, vertex, more = instance.edges[number - 1]
        length += more
        yield Step(vertex, number, length)
