"""A* on plain Python values: a cheapest solution."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from typing import Any, Literal, Unpack

from bestfirst.control import EXHAUSTED, FOUND, PAUSED, RunOptions, run, takes_run_options
from bestfirst.plain.search import Cost, PlainSearch, State, Successors
from bestfirst.result import Solution

Ties = Literal["any", "lexicographic"]


class AStarSearch(PlainSearch):
    """A* at work: `g` and `way` hold the cheapest way found to each state, `heap` the frontier by (f, -g, newest)."""

    engine = "a_star"

    def __init__(
        self,
        start: State,
        successors: Successors,
        is_goal: Callable[[Any], bool],
        lower_bound: Callable[[Any], Any] | None,
        ties: Ties,
    ) -> None:
        if ties not in ("any", "lexicographic"):
            raise ValueError(f"ties must be 'any' or 'lexicographic', not {ties!r}")
        super().__init__(start, successors, is_goal, lower_bound)
        self.all_ties = ties == "lexicographic"
        self.g: dict[Any, Cost] = {start: 0}
        self.way: dict[Any, tuple[Any, Any, Cost]] = {}  # state before, move, its cost
        self.heap: list[tuple[Cost, Cost, int, Any]] = []
        self.closed: set[Any] = set()
        self.goal: Any = None
        self.started = False
        self.first_moves: tuple[Any, ...] | None = None

    def advance(self, stop_at: int) -> int:
        if stop_at and not self.started:
            self.started = True
            self.bound = self.f(0, self.start)
            self.note_goal(self.start)
            self.push(self.start, self.bound)
        while self.generated < stop_at:
            if not self.heap or self.is_beaten(self.heap[0][0]):
                return self.finish()
            f, _, _, state = heapq.heappop(self.heap)
            if state in self.closed:
                continue
            self.closed.add(state)
            self.expanded += 1
            self.bound = max(self.bound, f)
            self.expand(state, f)
        return PAUSED

    def expand(self, state: Any, f: Cost) -> None:
        """Try all moves from a state; its f is passed on to children whose own is less (pathmax)."""
        for move, child, cost in self.children(state):
            self.generated += 1
            g = self.g[state] + cost
            if child in self.g and self.g[child] <= g:
                self.duplicates += 1
                continue
            child_f = max(f, self.f(g, child))
            if child_f == math.inf or self.is_beaten(child_f):
                self.pruned += 1
                continue
            if child in self.closed:
                self.closed.remove(child)
                self.reopened += 1
            self.g[child] = g
            self.way[child] = (state, move, cost)
            self.note_goal(child)
            self.push(child, child_f)

    def push(self, state: Any, f: Cost) -> None:
        """Put a state into the frontier."""
        if f < math.inf:
            heapq.heappush(self.heap, (f, -self.g[state], -self.generated, state))

    def note_goal(self, state: Any) -> None:
        """Make a goal the incumbent if it is the cheapest so far."""
        if (self.incumbent is None or self.g[state] < self.incumbent) and self.is_goal(state):
            self.incumbent, self.goal = self.g[state], state

    def is_beaten(self, f: Cost) -> bool:
        """Whether the incumbent makes states of this f needless."""
        return self.incumbent is not None and (f > self.incumbent if self.all_ties else f >= self.incumbent)

    def finish(self) -> int:
        """The frontier holds nothing better."""
        if self.incumbent is None:
            return EXHAUSTED
        if self.all_ties:
            self.first_moves = self.walk()
        return FOUND

    def walk(self) -> tuple[Any, ...]:
        """The first optimal solution in move order: depth first along steps that lie on cheapest ways, each state once."""
        if self.goal == self.start:
            return ()
        entered = {self.start}
        path = [(self.start, self.children(self.start))]
        moves: list[Any] = []
        while path:
            state, steps = path[-1]
            for move, child, cost in steps:
                if child in entered or self.g.get(child) != self.g[state] + cost:
                    continue
                entered.add(child)
                moves.append(move)
                if self.g[child] == self.incumbent and self.is_goal(child):
                    return tuple(moves)
                path.append((child, self.children(child)))
                break
            else:
                path.pop()
                del moves[max(0, len(path) - 1) :]
        raise AssertionError("an optimal solution was found before")

    def known_states(self) -> int:
        return len(self.g)

    def best(self) -> tuple[Any, tuple[Any, ...]] | None:
        if self.incumbent is None:
            return None
        if self.first_moves is not None:
            return self.incumbent, self.first_moves
        moves, state = [], self.goal
        total: Cost = 0
        while state in self.way and state != self.start:
            state, move, cost = self.way[state]
            moves.append(move)
            total += cost
        # Stopped early, `total` may be less than the incumbent's g: a state on the way was reopened since.
        return total, tuple(reversed(moves))


@takes_run_options
def a_star(
    start: State,
    successors: Successors,
    is_goal: Callable[[Any], bool],
    lower_bound: Callable[[Any], Any] | None = None,
    *,
    ties: Ties = "any",
    **options: Unpack[RunOptions],
) -> Solution:
    """Find a cheapest solution by expanding states in order of cost so far plus lower bound.

    Requires: successors, is_goal. Any exact costs of 0 or more (int, Fraction).
    Uses: lower_bound (admissible; states are reopened, so it need not be consistent; without one: uniform-cost search).

    `ties="lexicographic"`: the first of the cheapest solutions in the order in which `successors` yields the moves, at the price
    of expanding every state whose f equals the optimum. Time O(states × log states), memory O(states).

    Raises TypeError for what cannot be hashed or is no (move, state, cost), ValueError for a negative cost, Interrupted on
    Ctrl-C. Source: Hart, Nilsson and Raphael (1968).
    """
    return run(AStarSearch(start, successors, is_goal, lower_bound, ties), options)
