"""How large a space is: the number of states at each depth, the farthest states."""

from __future__ import annotations

import dataclasses
from typing import Any, Unpack

from bestfirst.control import RunOptions, run_as, takes_run_options
from bestfirst.operations import defines
from bestfirst.result import Solution, Stats
from bestfirst.search.listed_space import ListedSearch
from bestfirst.search.ranked_space import RankedSearch


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Exploration:
    """What `explore` found."""

    counts: tuple[int, ...]  #: number of states at each depth; when stopped, of the depths that are complete
    farthest: tuple[Any, ...]  #: some states at the last depth; () when stopped
    stats: Stats
    stopped_by: str | None = None  #: "time", "nodes", "memory" or "interrupt"

    @property
    def complete(self) -> bool:
        """Whether every state that can be reached was met."""
        return self.stopped_by is None

    @property
    def total(self) -> int:
        """Number of states: all that can be reached, or when stopped only those counted."""
        return sum(self.counts)

    @property
    def depth(self) -> int:
        """The last depth that was counted; -1 when none was."""
        return len(self.counts) - 1

    def __str__(self) -> str:
        head = "" if self.complete else f"stopped ({self.stopped_by}): at least "
        s = self.stats
        return f"{head}{self.total:,} states, depth {self.depth}; {s.generated:,} generated, {s.seconds:.3f} s"

    def __repr__(self) -> str:
        return f"<Exploration {self}>"


@takes_run_options
def explore(problem: Any, *starts: Any, farthest: int = 64, **options: Unpack[RunOptions]) -> Exploration:
    """Walk breadth-first through all states that can be reached from the starts.

    Requires: apply. All moves cost the same.
    Uses: rank, unrank, state_count.

    `farthest`: how many of the states at the last depth to keep. Stopped by a limit, it tells the counts of all depths that are
    complete; Ctrl-C raises Interrupted, whose `solution` is that Exploration.

    With numbered states, memory is 2 bits a state, and time O(numbers × depth / 32 + states × moves); without, W × 8 + 10 to
    W × 8 + 40 bytes a state that is reached (W words of 64 bits), and O(states × moves).

    Raises TypeError for a missing operation or starts of the wrong form, CostError for unequal costs, BrokenProblem for a number
    outside the space. Source: R. E. Korf, Minimizing disk I/O in two-bit breadth-first search (2008).
    """
    if not starts:
        raise ValueError("give explore at least one start state")
    if isinstance(farthest, bool) or not isinstance(farthest, int) or farthest < 0:
        raise ValueError(f"farthest={farthest!r} must be a whole number of 0 or more")
    kind: Any = RankedSearch if defines(problem, "rank") else ListedSearch
    search = kind("explore", problem, starts, options, farthest=farthest)
    return run_as(search, options, lambda solution: _exploration(search, solution))


def _exploration(search: Any, solution: Solution) -> Exploration:
    is_complete = solution.stopped_by is None
    farthest = search.farthest_states() if is_complete else ()
    return Exploration(search.layer_sizes(is_complete), farthest, solution.stats, solution.stopped_by)
