"""A* on plain Python values, and the searches that are A* with another f or other costs.

a_star, weighted_a_star, uniform_cost, zero_one_breadth_first.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Literal, Unpack

from bestfirst.control import EXHAUSTED, FOUND, NOT_ZERO_ONE, PAUSED, CostError, RunOptions, run, takes_run_options
from bestfirst.plain.search import Cost, PlainSearch, Successors
from bestfirst.result import Solution

Ties = Literal["any", "lexicographic"]


class AStarSearch(PlainSearch):
    """A* at work: `g` and `way` hold the cheapest way found to each state, `heap` the frontier by (f, -g, newest).

    f = cost + weight × bound; with a weight above 1 the incumbent costs at most that many times the optimum.
    """

    def __init__(
        self,
        engine: str,
        start: Any,
        successors: Successors,
        is_goal: Callable[[Any], bool],
        lower_bound: Callable[[Any], Any] | None,
        ties: Ties = "any",
        weight: Fraction = Fraction(1),
    ) -> None:
        if ties not in ("any", "lexicographic"):
            raise ValueError(f"ties must be 'any' or 'lexicographic', not {ties!r}")
        self.engine = engine
        super().__init__(start, successors, is_goal, lower_bound)
        self.all_ties = ties == "lexicographic"
        self.weight = weight
        self.g: dict[Any, Cost] = dict.fromkeys(self.starts, 0)
        self.way: dict[Any, tuple[Any, Any, Cost]] = {}  # state before, move, its cost
        self.heap: list[tuple[Cost, Cost, int, Any]] = []
        self.closed: set[Any] = set()
        self.goal: Any = None
        self.started = False
        self.first_moves: tuple[Any, ...] | None = None

    def advance(self, stop_at: int) -> int:
        if stop_at and not self.started:
            self.started = True
            for start in self.starts:
                self.note_goal(start)
                self.push(start, self.weighted(self.f(0, start), 0))
            self.bound = min(self.f(0, start) for start in self.starts)
        while self.generated < stop_at:
            if not self.heap or self.is_beaten(self.heap[0][0]):
                return self.finish()
            f, _, _, state = heapq.heappop(self.heap)
            if state in self.closed:
                continue
            self.closed.add(state)
            self.expanded += 1
            self.bound = max(self.bound, self.unweighted(f))
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
            own_f = self.f(g, child)
            child_f = max(f, self.weighted(own_f, g))
            if child_f == math.inf or self.is_beaten(child_f) or self.is_beaten(own_f):
                self.pruned += 1
                continue
            if child in self.closed:
                self.closed.remove(child)
                self.reopened += 1
            self.g[child] = g
            self.way[child] = (state, move, cost)
            self.note_goal(child)
            self.push(child, child_f)

    def weighted(self, f: Any, g: Cost) -> Any:
        """F with the bound's share multiplied."""
        return f if self.weight == 1 or f == math.inf else g + self.weight * (f - g)

    def unweighted(self, f: Cost) -> Cost:
        """What the optimum costs at least when all f in the frontier are at least `f`."""
        return f if self.weight == 1 else f / self.weight

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
        self.bound = max(self.bound, min(self.incumbent, self.unweighted(self.incumbent)))
        self.proves_best = self.bound == self.incumbent
        if self.all_ties:
            self.first_moves = self.walk()
        return FOUND

    def walk(self) -> tuple[Any, ...]:
        """The first optimal solution in move order: depth first along steps that lie on cheapest ways, each state once."""
        entered: set[Any] = set()
        for start in self.starts:
            moves = self.walk_from(start, entered)
            if moves is not None:
                self.start = start
                return moves
        raise AssertionError("an optimal solution was found before")

    def walk_from(self, start: Any, entered: set[Any]) -> tuple[Any, ...] | None:
        """The same from one start; None when no optimal solution begins there."""
        if self.incumbent == 0 and self.is_goal(start):
            return ()
        entered.add(start)
        path = [(start, self.children(start))]
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
        return None

    def known_states(self) -> int:
        return len(self.g)

    def best(self) -> tuple[Any, tuple[Any, ...]] | None:
        if self.incumbent is None:
            return None
        if self.first_moves is not None:
            return self.incumbent, self.first_moves
        moves, state = [], self.goal
        total: Cost = 0
        while state in self.way and state not in self.starts:
            state, move, cost = self.way[state]
            moves.append(move)
            total += cost
        self.start = state
        # Stopped early, `total` may be less than the incumbent's g: a state on the way was reopened since.
        return total, tuple(reversed(moves))


class ZeroOneSearch(AStarSearch):
    """A* without a bound that refuses costs other than 0 and 1."""

    def children(self, state: Any) -> Iterator[tuple[Any, Any, Cost]]:
        for move, child, cost in super().children(state):
            if cost not in (0, 1):
                raise CostError(NOT_ZERO_ONE)
            yield move, child, cost


@takes_run_options
def a_star(
    start: Any,
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

    `start`: a state, or several as `Starts([…])`; `solution.start` tells from which one the solution comes.
    `ties="lexicographic"`: the first of the cheapest solutions in the order in which `successors` yields the moves, at the price
    of expanding every state whose f equals the optimum. Time O(states × log states), memory O(states).

    Raises TypeError for what cannot be hashed or is no (move, state, cost), ValueError for a negative cost, Interrupted on
    Ctrl-C. Source: Hart, Nilsson and Raphael (1968).
    """
    return run(AStarSearch("a_star", start, successors, is_goal, lower_bound, ties), options)


@takes_run_options
def weighted_a_star(
    start: Any,
    successors: Successors,
    is_goal: Callable[[Any], bool],
    lower_bound: Callable[[Any], Any],
    weight: float,
    **options: Unpack[RunOptions],
) -> Solution:
    """Find a solution that costs at most `weight` times the optimum, by A* with the lower bound multiplied by `weight`.

    Requires: successors, is_goal, lower_bound (admissible). Costs, `start`, errors as for a_star; `weight`: 1 or more.

    `solution.bound` is what the optimum costs at least: `solution.cost <= weight * solution.bound`. The status is `optimal` when
    they are equal. Source: I. Pohl (1970).
    """
    exact = Fraction(weight)
    if exact < 1:
        raise ValueError(f"the weight {weight!r} must be at least 1")
    return run(AStarSearch("weighted_a_star", start, successors, is_goal, lower_bound, weight=exact), options)


@takes_run_options
def uniform_cost(
    start: Any,
    successors: Successors,
    is_goal: Callable[[Any], bool],
    *,
    ties: Ties = "any",
    **options: Unpack[RunOptions],
) -> Solution:
    """Find a cheapest solution by expanding states in order of their cost: a_star without a bound.

    Requires: successors, is_goal. Costs, `start`, `ties`, time, memory and errors as for a_star. Source: E. W. Dijkstra (1959).
    """
    return run(AStarSearch("uniform_cost", start, successors, is_goal, None, ties), options)


@takes_run_options
def zero_one_breadth_first(
    start: Any,
    successors: Successors,
    is_goal: Callable[[Any], bool],
    *,
    ties: Ties = "any",
    **options: Unpack[RunOptions],
) -> Solution:
    """Find a cheapest solution when every move costs 0 or 1: uniform_cost that makes sure of the costs.

    Requires: successors, is_goal. Costs of 0 and 1. `start`, `ties`, time and memory as for a_star.

    Raises what a_star raises; CostError for any other cost.
    """
    return run(ZeroOneSearch("zero_one_breadth_first", start, successors, is_goal, None, ties), options)
