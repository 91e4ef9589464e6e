"""Breadth-first search on plain Python values: fewest moves."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Unpack

from bestfirst.control import EXHAUSTED, FOUND, PAUSED, UNEVEN_COST, RunOptions, run, takes_run_options
from bestfirst.plain.search import Cost, PlainSearch, Successors
from bestfirst.result import Solution


class BreadthFirstSearch(PlainSearch):
    """Breadth-first search at work: `way` leads back from each state to the start."""

    engine = "breadth_first"

    def __init__(self, start: Any, successors: Successors, is_goal: Callable[[Any], bool]) -> None:
        super().__init__(start, successors, is_goal)
        self.way: dict[Any, tuple[Any, Any, int]] = dict.fromkeys(
            self.starts, (None, None, 0)
        )  # state before, move, moves so far
        self.frontier: deque[Any] = deque()
        self.unit: Cost | None = None
        self.goal: Any = None
        self.unverified: deque[Any] = deque()  # states of the last layer whose moves may still turn out to differ in cost
        self.started = False

    def advance(self, stop_at: int) -> int:
        if stop_at and not self.started:
            self.started = True
            self.frontier.extend(self.starts)
            for start in self.starts:
                if self.is_goal(start):
                    return self.found(start)
        if self.incumbent is not None:
            return self.verify()
        while self.generated < stop_at:
            if not self.frontier:
                return EXHAUSTED
            state = self.frontier.popleft()
            self.expanded += 1
            depth = self.way[state][2] + 1
            for move, child, cost in self.children(state):
                if cost != self.unit:
                    if self.unit is not None:
                        return UNEVEN_COST
                    self.unit = cost
                if self.incumbent is not None:
                    continue  # only the costs of the rest matter
                self.generated += 1
                if child in self.way:
                    self.duplicates += 1
                    continue
                self.way[child] = (state, move, depth)
                if self.is_goal(child):
                    self.found(child)
                else:
                    self.frontier.append(child)
            if self.incumbent is not None:
                self.unverified += [other for other in self.frontier if self.way[other][2] < depth]
                return self.verify()
            self.bound = max(self.bound, depth * (self.unit or 0))
        return PAUSED

    def found(self, state: Any) -> int:
        """Note a goal."""
        self.goal = state
        self.incumbent = self.way[state][2] * (self.unit or 0)
        return FOUND

    def verify(self) -> int:
        """Check that the rest of the last layer has no move of another cost, which might lead to a goal more cheaply."""
        for _ in range(min(self.first_slice, len(self.unverified))):
            if any(cost != self.unit for _, _, cost in self.children(self.unverified.popleft())):
                return UNEVEN_COST
        return PAUSED if self.unverified else FOUND

    def known_states(self) -> int:
        return len(self.way)

    def best(self) -> tuple[Any, tuple[Any, ...]] | None:
        if self.incumbent is None:
            return None
        self.start, moves = moves_to(self.goal, self.way)
        return self.incumbent, moves


def moves_to(state: Any, way: dict[Any, tuple[Any, Any, Any]]) -> tuple[Any, tuple[Any, ...]]:
    """The start that `state` is reached from, and the moves; a start's entry has no move and 0 moves so far."""
    moves = []
    while way[state][2]:
        state, move, _ = way[state]
        moves.append(move)
    return state, tuple(reversed(moves))


@takes_run_options
def breadth_first(start: Any, successors: Successors, is_goal: Callable[[Any], bool], **options: Unpack[RunOptions]) -> Solution:
    """Find a solution with the fewest moves; the first one in the order in which `successors` yields the moves.

    Requires: successors, is_goal. All moves cost the same. `start`: a state, or several as `Starts([…])`.

    Time and memory O(states). Raises TypeError for what cannot be hashed or is no (move, state, cost), CostError for unequal
    costs, Interrupted on Ctrl-C.
    """
    return run(BreadthFirstSearch(start, successors, is_goal), options)
