"""What a search is asked for and what it answers: Limits, Status, Stats, Solution."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from typing import Any


class Status(StrEnum):
    """What is proved about an answer."""

    OPTIMAL = "optimal"  #: this is a best solution, proved
    INFEASIBLE = "infeasible"  #: there is no solution, proved
    FEASIBLE = "feasible"  #: a solution, not proved best: the optimum lies in [bound, cost]
    STOPPED = "stopped"  #: no solution yet: any solution costs at least `bound`


@dataclasses.dataclass(frozen=True, slots=True)
class Limits:
    """Where a search must stop; None is no limit. A stopped search still answers with what it knows."""

    time: float | None = None  #: seconds
    nodes: int | None = None  #: generated nodes
    memory: int | None = None  #: bytes of the search's own arrays

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value is None:
                continue
            kind, kinds = ("a number", (int, float)) if field.name == "time" else ("a whole number", (int,))
            if not isinstance(value, kinds):
                raise TypeError(f"the limit {field.name}={value!r} must be {kind}")
            if not value >= 0:
                raise ValueError(f"the limit {field.name}={value!r} must not be negative")


@dataclasses.dataclass(frozen=True, slots=True)
class Stats:
    """What a search did. A node is *generated* each time a move leads to it and *expanded* when its moves are tried."""

    expanded: int = 0
    generated: int = 0
    duplicates: int = 0  #: generated states that were known already, by a way at least as cheap
    pruned: int = 0  #: generated nodes cut by the bound
    reopened: int = 0  #: expanded states reached again by a cheaper way
    peak_bytes: int = 0  #: largest size of the search's own arrays
    seconds: float = 0.0  #: wall time, without the compilation of the engine's main kernel

    @property
    def nodes_per_second(self) -> float:
        """Generated nodes per second of wall time."""
        return self.generated / self.seconds if self.seconds else 0.0


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Solution:
    """The answer of an engine: a cost, the moves, and what is proved about them."""

    status: Status
    cost: int | Fraction | None  #: cost of `moves`; None when there is no solution (yet)
    moves: tuple[Any, ...] | None  #: what to do, first to last; move numbers, or labels in the tier of plain values
    bound: int | Fraction | None  #: no solution costs less; None when infeasible
    stats: Stats
    engine: str
    why: str = ""  #: why this engine was chosen, when `solve` chose it
    stopped_by: str | None = None  #: "time", "nodes", "memory" or "interrupt"
    nearest: tuple[Any, ...] | None = None  #: without a solution: moves to a state, of those met, with the least lower bound
    maximised: bool = False  #: the optimum is the largest value: `cost` is a gain, and no solution gains more than `bound`
    count: int | None = None  #: number of solutions, by the engines that count; only a lower bound when `stopped_by` is set
    problem: Any = None
    start: Any = None
    value: Any = None  #: what was asked for where that is neither cost nor moves, such as a map of distances

    def whole_numbers(self) -> tuple[int | None, int | None]:
        """Cost and bound as Python integers, of an engine whose costs are whole numbers."""
        return (
            None if self.cost is None else int(self.cost),
            None if self.bound is None else int(self.bound),
        )

    @property
    def move_names(self) -> tuple[str, ...] | None:
        """The moves by name."""
        from bestfirst.operations import move_name

        if self.moves is None:
            return None
        return tuple(move_name(self.problem, move) for move in self.moves)

    def states(self) -> Iterator[Any]:
        """Every state on the way, from the start to the goal, by making the moves in the interpreter."""
        from bestfirst.replay import replay

        if self.moves is None or self.problem is None:
            raise ValueError("there is nothing to replay: no solution, or one whose engine keeps no problem object")
        return replay(self.problem, self.start, self.moves)

    def __str__(self) -> str:
        what = "gain" if self.maximised else "cost"
        if self.status is Status.INFEASIBLE:
            head = "no solution (proved)"
        elif self.status is Status.OPTIMAL and self.cost is None:
            head = "complete (proved)"
        elif self.cost is None and self.value is not None:
            head = f"stopped ({self.stopped_by}), not complete"
        elif self.cost is None:
            limit = "gains at most" if self.maximised else "costs at least"
            head = f"stopped ({self.stopped_by}): any solution {limit} {self.bound}"
        elif self.status is Status.OPTIMAL:
            head = f"{what} {self.cost} (optimal, proved)"
        else:
            side = "most" if self.maximised else "least"
            head = f"{what} {self.cost} (not proved: the optimum is at {side} {self.bound})"
        if self.count is not None:
            head = f"{'' if self.stopped_by is None else 'at least '}{self.count:,} solutions; {head}"
        s = self.stats
        return f"{head}; {self.engine}: {s.expanded:,} expanded, {s.generated:,} generated, {s.seconds:.3f} s"

    def __repr__(self) -> str:
        return f"<Solution {self}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the steps drawn, if there are any."""
        from bestfirst.render.steps import html

        return html(self)


class Interrupted(KeyboardInterrupt):
    """Raised when Ctrl-C stops a search; `solution` holds what was found and proved until then.

    It is what the function would have returned: a Solution, or Walks, Distances, an Exploration …
    """

    def __init__(self, solution: Any) -> None:
        super().__init__("search interrupted")
        self.solution = solution
