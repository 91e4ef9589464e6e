"""Depth-first search below a cost threshold on plain Python values: the loop behind all its depth-first engines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Unpack

from bestfirst.control import EXHAUSTED, FOUND, PAUSED, RunOptions, run, takes_run_options
from bestfirst.plain.search import Cost, PlainSearch, Successors
from bestfirst.result import Solution


class ContourSearch(PlainSearch):
    """The depth-first engines differ in the threshold (None: rising), in whether a goal must cost exactly as much, and in whether
    the search goes on below each solution's cost (`improves`) until there is no better one.

    `path` holds a record for each state from the start to the present one: state, cost, move that led there, children to come.
    A rising threshold is also the proved bound; children that are on the path already are left out then. With a fixed one, states
    met before at the same cost are left out (`met`); an exact cost may need to pass a state again at another cost.
    """

    def __init__(
        self,
        engine: str,
        start: Any,
        successors: Successors,
        is_goal: Callable[[Any], bool],
        lower_bound: Callable[[Any], Any] | None = None,
        threshold: Cost | None = None,
        exact: bool = False,
        improves: bool = False,
    ) -> None:
        self.engine = engine
        super().__init__(start, successors, is_goal, lower_bound)
        self.rises = threshold is None
        self.improves = improves
        self.proves_best = self.rises or exact or improves
        self.waiting: list[Any] = []  # starts that are still to be searched below this threshold, last first
        self.exact = exact
        self.threshold: Cost = threshold if threshold is not None else 0
        self.following: Any = math.inf
        self.path: list[tuple[Any, Cost, Any, Iterator[tuple[Any, Any, Cost]]]] = []
        self.on_path: set[Any] = set()
        self.met: set[tuple[Any, Cost]] = set()
        self.moves: tuple[Any, ...] | None = None
        self.started = False

    def advance(self, stop_at: int) -> int:
        if stop_at and not self.started:
            self.started = True
            self.bound = min(self.f(0, start) for start in self.starts)
            if self.rises:
                self.following = self.bound
            else:
                self.waiting = self.starts[::-1]
        while self.generated < stop_at:
            if not self.path:
                if not self.waiting:
                    if not self.rises or self.following == math.inf:
                        return EXHAUSTED if self.incumbent is None else FOUND
                    self.bound = self.threshold = self.following
                    self.following = math.inf
                    self.waiting = self.starts[::-1]
                start = self.waiting.pop()
                if not self.is_beyond(self.f(0, start)) and self.enter(start, 0, None):
                    return FOUND
                continue
            state, g, _, children = self.path[-1]
            for move, child, cost in children:
                self.generated += 1
                if self.is_cut(child, g + cost):
                    continue
                if self.enter(child, g + cost, move):
                    return FOUND
                break
            else:
                self.path.pop()
                self.on_path.discard(state)
        return PAUSED

    def is_cut(self, child: Any, g: Cost) -> bool:
        """Whether the search need not enter a child that costs g."""
        if (child in self.on_path) if self.rises or self.improves else ((child, g) in self.met):
            self.duplicates += 1
            return True
        if self.is_beyond(self.f(g, child)):
            self.pruned += 1
            return True
        return False

    def is_beyond(self, f: Cost) -> bool:
        """Whether f is cut by the threshold, or by the incumbent."""
        if self.improves and self.incumbent is not None:
            return f >= self.incumbent
        if f > self.threshold:
            self.following = min(self.following, f)
            return True
        return f == math.inf

    def enter(self, state: Any, g: Cost, move: Any) -> bool:
        """Put a state on the path; True when it is a goal that counts."""
        self.path.append((state, g, move, self.children(state)))
        if (not self.exact or g == self.threshold) and self.is_goal(state):
            self.incumbent = g
            self.moves = tuple(record[2] for record in self.path[1:])
            self.start = self.path[0][0]
            if not self.improves:
                return True
            self.path.pop()  # costs only grow from here
            return False
        self.expanded += 1
        if self.rises or self.improves:
            self.on_path.add(state)
        else:
            self.met.add((state, g))
        return False

    def known_states(self) -> int:
        return len(self.path) + len(self.met)

    def depth(self) -> int:
        return max(0, len(self.path) - 1)

    def best(self) -> tuple[Any, tuple[Any, ...]] | None:
        return None if self.moves is None else (self.incumbent, self.moves)


@takes_run_options
def depth_first(
    start: Any,
    successors: Successors,
    is_goal: Callable[[Any], bool],
    cost: Cost,
    lower_bound: Callable[[Any], Any] | None = None,
    *,
    exact: bool = False,
    **options: Unpack[RunOptions],
) -> Solution:
    """Find the first solution, in the order in which `successors` yields the moves, of at most (or exactly) this cost.

    Requires: successors, is_goal. Uses: lower_bound (admissible).

    With `exact` all solutions cost the same and the first is the answer ("optimal"); otherwise a cheaper one may exist and the
    status is "feasible". Memory O(states × costs).

    Raises TypeError for what cannot be hashed or is no (move, state, cost), ValueError for a negative cost, Interrupted on
    Ctrl-C.
    """
    if cost < 0:
        raise ValueError(f"the cost {cost} must not be negative")
    return run(ContourSearch("depth_first", start, successors, is_goal, lower_bound, cost, exact), options)


@takes_run_options
def iterative_deepening(
    start: Any, successors: Successors, is_goal: Callable[[Any], bool], **options: Unpack[RunOptions]
) -> Solution:
    """Find a cheapest solution by depth-first searches to a cost that rises from 0; the first one in move order.

    Requires: successors, is_goal. Memory O(length of the solution); time: all paths up to the optimal cost.

    Raises TypeError for what cannot be hashed or is no (move, state, cost), ValueError for a negative cost, Interrupted on
    Ctrl-C. Source: R. E. Korf (1985).
    """
    return run(ContourSearch("iterative_deepening", start, successors, is_goal), options)


@takes_run_options
def ida_star(
    start: Any,
    successors: Successors,
    is_goal: Callable[[Any], bool],
    lower_bound: Callable[[Any], Any],
    **options: Unpack[RunOptions],
) -> Solution:
    """Find a cheapest solution by depth-first searches below a threshold on cost plus lower bound; the first one in move order.

    Requires: successors, is_goal, lower_bound (admissible). Memory O(length of the solution).

    Raises TypeError for what cannot be hashed or is no (move, state, cost), ValueError for a negative cost, Interrupted on
    Ctrl-C. Source: R. E. Korf (1985).
    """
    return run(ContourSearch("ida_star", start, successors, is_goal, lower_bound), options)


@takes_run_options
def branch_and_bound(
    start: Any,
    successors: Successors,
    is_goal: Callable[[Any], bool],
    lower_bound: Callable[[Any], Any] | None = None,
    **options: Unpack[RunOptions],
) -> Solution:
    """Find a cheapest solution by going down depth first and cutting what cannot beat the best solution so far.

    Requires: successors, is_goal. Any exact costs of 0 or more. Uses: lower_bound (admissible).

    States on the path are not entered again, so it ends on any finite set of states, but it may look at every path. The first
    solution comes early; stopped, the best so far is returned as `feasible`. Among the cheapest the first in order.
    `start`: a state, or several as `Starts([…])`. Memory O(longest path).

    Raises TypeError for what cannot be hashed or is no (move, state, cost), ValueError for a negative cost, Interrupted on
    Ctrl-C. Source: A. H. Land and A. G. Doig (1960).
    """
    return run(
        ContourSearch("branch_and_bound", start, successors, is_goal, lower_bound, math.inf, improves=True),  # type: ignore[arg-type]
        options,
    )
