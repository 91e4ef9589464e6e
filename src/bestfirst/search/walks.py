"""The k best walks as a result: costs at once, each walk when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np

from bestfirst.graphs import Graph, Walk
from bestfirst.result import Stats, Status


@dataclass(frozen=True, eq=False)
class Walks(Sequence[Walk]):
    """The answer of `shortest_walks` and `shortest_simple_paths`: a sequence of walks, cheapest first.

    status   optimal: these are the k cheapest, or, when fewer than k, all there are; infeasible: there is none; feasible: stopped
             early, these are the cheapest but more may follow; stopped: stopped before the first
    costs    (found,) int64: what each costs, in order; a walk itself is made when `walks[i]` asks for it
    bound    walks not listed cost at least this; None when there are none
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


def check_count(k: int) -> None:
    """Raise TypeError or ValueError unless `k` is a number of walks to look for."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)):
        raise TypeError(f"k is a whole number, not {type(k).__name__}")
    if not 1 <= k < 1 << 31:
        raise ValueError(f"k is {k}; it must be from 1 to 2^31 - 1")
