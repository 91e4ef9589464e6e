"""Depth-first search below a cost threshold on plain Python values: depth_first, iterative_deepening and ida_star."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Unpack

from bestfirst.control import EXHAUSTED, FOUND, PAUSED, RunOptions, run, takes_run_options
from bestfirst.plain.search import Cost, PlainSearch, State, Successors
from bestfirst.result import Solution


class ContourSearch(PlainSearch):
    """The depth-first engines differ in the threshold (None: rising) and in whether a goal must cost exactly as much.

    `path` holds a record for each state from the start to the present one: state, cost, move that led there, children to come.
    A rising threshold is also the proved bound; children that are on the path already are left out then. With a fixed one, states
    met before at the same cost are left out (`met`); an exact cost may need to pass a state again at another cost.
    """

    def __init__(
        self,
        engine: str,
        start: State,
        successors: Successors,
        is_goal: Callable[[Any], bool],
        lower_bound: Callable[[Any], Any] | None = None,
        threshold: Cost | None = None,
        exact: bool = False,
    ) -> None:
        self.engine = engine
        super().__init__(start, successors, is_goal, lower_bound)
        self.rises = threshold is None
        self.proves_best = self.rises or exact
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
            self.bound = self.f(0, self.start)
            if self.rises:
                self.threshold = self.bound
            if self.bound == math.inf or self.bound > self.threshold:
                return EXHAUSTED
            if self.enter(self.start, 0, None):
                return FOUND
        while self.generated < stop_at:
            if not self.path:
                if not self.rises or self.following == math.inf:
                    return EXHAUSTED
                self.bound = self.threshold = self.following
                self.following = math.inf
                self.enter(self.start, 0, None)
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
        if (child in self.on_path) if self.rises else ((child, g) in self.met):
            self.duplicates += 1
            return True
        f = self.f(g, child)
        if f > self.threshold:
            self.pruned += 1
            self.following = min(self.following, f)
            return True
        return False

    def enter(self, state: Any, g: Cost, move: Any) -> bool:
        """Put a state on the path; True when it is a goal that counts."""
        self.path.append((state, g, move, self.children(state)))
        if (not self.exact or g == self.threshold) and self.is_goal(state):
            self.incumbent = g
            self.moves = tuple(record[2] for record in self.path[1:])
            return True
        self.expanded += 1
        if self.rises:
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
    start: State,
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
    start: State, successors: Successors, is_goal: Callable[[Any], bool], **options: Unpack[RunOptions]
) -> Solution:
    """Find a cheapest solution by depth-first searches to a cost that rises from 0; the first one in move order.

    Requires: successors, is_goal. Memory O(length of the solution); time: all paths up to the optimal cost.

    Raises TypeError for what cannot be hashed or is no (move, state, cost), ValueError for a negative cost, Interrupted on
    Ctrl-C. Source: R. E. Korf (1985).
    """
    return run(ContourSearch("iterative_deepening", start, successors, is_goal), options)


@takes_run_options
def ida_star(
    start: State,
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
