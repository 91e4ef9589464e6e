"""What the searches for the k best walks between two vertices share: the result, and the distances to the target, found first."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np

from bestfirst.control import FOUND, RunOptions
from bestfirst.graphs import Graph, Walk
from bestfirst.result import Solution, Stats, Status
from bestfirst.search.compiled import BOUND, NONE, OWN, STOP_AT
from bestfirst.search.explicit import GraphSearch, forward_tree, new_tree, settle

ENUMERATING = OWN  #: 1 once all distances to the target are known
SOURCE = OWN + 1
FOUND_WALKS = OWN + 2
OWN_OF_WALKS = OWN + 3  #: from here on counters belong to the engine


@dataclass(frozen=True, eq=False)
class Walks(Sequence[Walk]):
    """The answer of `shortest_walks` and `shortest_simple_paths`: a sequence of walks, cheapest first.

    status   optimal: these are the k cheapest, or, when fewer than k, all there are; infeasible: there is none; feasible: stopped
             early, these are the cheapest but more may follow; stopped: stopped before the first
    costs    (found,) int64: what each costs, in order; a walk itself is made when `walks[i]` asks for it
    bound    walks not listed cost at least this; None when it is known that there are none
    """

    status: Status
    costs: np.ndarray
    bound: int | None
    stats: Stats
    stopped_by: str | None
    _graph: Graph = field(repr=False)
    _start: int = field(repr=False)
    _arcs_of: Callable[[int], Sequence[int] | np.ndarray] = field(repr=False)

    def __len__(self) -> int:
        return len(self.costs)

    @overload
    def __getitem__(self, index: int) -> Walk: ...
    @overload
    def __getitem__(self, index: slice) -> list[Walk]: ...
    def __getitem__(self, index: int | slice) -> Walk | list[Walk]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        position = range(len(self))[index]
        return self._graph.walk_along(self._start, self._arcs_of(position))


class WalkListing(GraphSearch):
    """A search that finds the distances of all vertices to the target and then lists walks, cheapest first."""

    def __init__(self, graph: Graph, source: int, target: int, k: int, options: RunOptions, **settings: Any) -> None:
        super().__init__(graph, options, source=source, target=target, k=k, **settings)
        self.k = k
        self.tree, self.heap = new_tree(graph, [target])
        self.counters[SOURCE] = source

    @abc.abstractmethod
    def begin(self, cost: int) -> None:
        """Make the cheapest walk, which costs `cost`, the first to be listed; `tree.via` holds arcs of the graph now."""

    @abc.abstractmethod
    def list_more(self) -> int:
        """Run the kernel that lists walks."""

    @abc.abstractmethod
    def costs(self) -> np.ndarray:
        """The costs of the walks found, in order, at the beginning of an array."""

    @abc.abstractmethod
    def may_have_more(self) -> bool:
        """Whether there may be walks beyond those found."""

    @abc.abstractmethod
    def arcs_of(self, position: int) -> Sequence[int] | np.ndarray:
        """The arcs of a walk found. O(its length)."""

    def advance(self, stop_at: int) -> int:
        c = self.counters
        c[STOP_AT] = stop_at
        if not c[ENUMERATING]:
            outcome = self.call(settle, self.graph.reversed_arcs[0], self.tree, self.heap, c)
            cost = int(self.tree.distance[c[SOURCE]])
            c[BOUND] = min(int(c[BOUND]), cost)
            if outcome == FOUND:
                self.tree = forward_tree(self.graph, self.tree)
                c[ENUMERATING] = 1
                if cost < NONE:
                    c[BOUND] = cost
                    self.begin(cost)
            elif stop_at > 0:  # at 0, both kernels are called, to be compiled
                return outcome
        return self.list_more()

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        return (int(self.costs()[0]), ()) if self.counters[FOUND_WALKS] else None

    def result(self, solution: Solution) -> Walks:
        found, source = int(self.counters[FOUND_WALKS]), int(self.counters[SOURCE])
        more = solution.stopped_by is not None or self.may_have_more()
        costs = self.costs()[:found].copy()
        bound = int(self.counters[BOUND]) if more else None
        return Walks(solution.status, costs, bound, solution.stats, solution.stopped_by, self.graph, source, self.arcs_of)


def check_count(k: int) -> None:
    """Raise TypeError or ValueError unless `k` is a number of walks to look for."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)):
        raise TypeError(f"k is a whole number, not {type(k).__name__}")
    if not 1 <= k < 1 << 31:
        raise ValueError(f"k is {k}; it must be from 1 to 2^31 - 1")
