"""A* from both ends on plain Python values, for a cheapest solution at any costs and with a bound on each side.

Why it ends with a best one stands in `bestfirst.search.bidirectional_a_star`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, Unpack

from bestfirst.control import EXHAUSTED, FOUND, PAUSED, RunOptions, run, takes_run_options
from bestfirst.operations import UNREACHABLE
from bestfirst.plain.bidirectional import TwoWay, goal_states, move_between
from bestfirst.plain.search import Cost, PlainSearch, State, Successors, checked_bound, checked_children, no_bound
from bestfirst.replay import BrokenProblem
from bestfirst.result import Solution


class Side:
    """The states met from one end: `g` the cheapest way found to each, `way` the state before it and the move.

    `waiting` holds open states whose f is beyond the proved bound, as (f, number, state), `ready` the others, as (g, number,
    state). Entries may be outdated: `ready_at` tells at which g a state is ready.
    """

    def __init__(self, ends: Iterable[State], neighbours: Successors, bound_of: Callable[[Any], Any]) -> None:
        self.neighbours = neighbours
        self.bound_of = bound_of
        self.g: dict[Any, Cost] = dict.fromkeys(ends, 0)
        self.way: dict[Any, tuple[Any, Any]] = {}
        self.waiting: list[tuple[Cost, int, Any]] = []
        self.ready: list[tuple[Cost, int, Any]] = []
        self.ready_at: dict[Any, Cost] = {}
        self.closed: set[Any] = set()
        self.pushed = 0

    def lower_bound(self, state: Any) -> Cost:
        """The checked lower bound of a state; less than 0 says no more than 0."""
        return max(checked_bound(self.bound_of(state)), 0)

    def open(self, state: Any, f: Cost, bound: Cost) -> None:
        """Put a state, met at a new g, into one of the queues; among equals the newest is expanded first."""
        self.pushed -= 1
        self.closed.discard(state)
        self.ready_at.pop(state, None)
        if f > bound:
            heapq.heappush(self.waiting, (f, self.pushed, state))
        else:
            self.make_ready(state)

    def make_ready(self, state: Any) -> None:
        """Put a state among those that are ready."""
        self.ready_at[state] = self.g[state]
        heapq.heappush(self.ready, (self.g[state], self.pushed, state))

    def raise_to(self, bound: Cost) -> None:
        """Make all states ready whose f is up to the bound, and put one that is not outdated first."""
        while self.waiting and self.waiting[0][0] <= bound:
            state = heapq.heappop(self.waiting)[2]
            if state not in self.closed and state not in self.ready_at:
                self.pushed -= 1
                self.make_ready(state)
        while self.ready and self.ready_at.get(self.ready[0][2]) != self.ready[0][0]:
            heapq.heappop(self.ready)

    def close_first(self) -> Any:
        """Take out the first state that is ready, to be expanded."""
        state = heapq.heappop(self.ready)[2]
        del self.ready_at[state]
        self.closed.add(state)
        return state

    def path(self, state: Any) -> list[tuple[Any, Any]]:
        """The states on the way from `state` to its end, without it, each with the move that was made there."""
        steps = []
        while state in self.way:
            steps.append(self.way[state])
            state = steps[-1][0]
        return steps


class BidirectionalAStarSearch(PlainSearch):
    """NBS at work."""

    engine = "bidirectional_a_star"

    def __init__(
        self,
        start: Any,
        successors: Successors,
        goals: Any,
        predecessors: Successors,
        lower_bound: Callable[[Any], Any] | None,
        backward_bound: Callable[[Any], Any] | None,
    ) -> None:
        ends = goal_states(goals)
        super().__init__(start, successors, set(ends).__contains__, lower_bound)
        self.sides = (
            Side(self.starts, TwoWay(successors, predecessors), self.bound_of),
            Side(ends, TwoWay(predecessors, successors), backward_bound or no_bound),
        )
        self.generated += len(self.sides[1].g)
        self.growing = 0  # the side whose state of the pair is next
        self.meeting: Any = None
        self.started = False

    def advance(self, stop_at: int) -> int:
        if stop_at and not self.started:
            self.started = True
            self.begin()
        while self.generated < stop_at:
            if self.growing == 0 and not self.find_pair():
                return EXHAUSTED if self.incumbent is None else FOUND
            self.expand(self.sides[self.growing], self.sides[1 - self.growing])
            self.growing = 1 - self.growing
        return PAUSED

    def begin(self) -> None:
        """Open the ends, after a look whether the bounds are for them."""
        for side, other, kind in zip(self.sides, self.sides[::-1], ("goal", "start"), strict=True):
            for end in other.g:
                if side.lower_bound(end) > 0:
                    raise ValueError(f"the bound of the {kind} {end!r} is {side.lower_bound(end)}, where it must be 0")
            for end in side.g:
                if side.lower_bound(end) < UNREACHABLE:
                    side.open(end, side.lower_bound(end), -1)
        for start in filter(self.is_goal, self.starts):
            self.incumbent, self.meeting = 0, start

    def find_pair(self) -> bool:
        """Raise the bound until the first states that are ready make a pair within it; False when the search has ended."""
        forward, backward = self.sides
        while self.incumbent is None or self.bound < self.incumbent:
            forward.raise_to(self.bound)
            backward.raise_to(self.bound)
            if not (forward.waiting or forward.ready) or not (backward.waiting or backward.ready):
                break
            lowest = [side.waiting[0][0] for side in self.sides if side.waiting]
            if forward.ready and backward.ready:
                lowest.append(forward.ready[0][0] + backward.ready[0][0])
                if lowest[-1] <= self.bound:
                    return True
            self.bound = min(lowest)
        if self.incumbent is not None:
            self.bound = self.incumbent
        return False

    def expand(self, side: Side, other: Side) -> None:
        """Try all moves from the first state that is ready."""
        state = side.close_first()
        self.expanded += 1
        for move, child, cost in checked_children(state, side.neighbours):
            self.generated += 1
            g = side.g[state] + cost
            if child in side.g and side.g[child] <= g:
                self.duplicates += 1
                continue
            h = side.lower_bound(child)
            if h >= UNREACHABLE or (self.incumbent is not None and g + h >= self.incumbent):
                self.pruned += 1
                continue
            self.reopened += child in side.closed
            side.g[child] = g
            side.way[child] = (state, move)
            side.open(child, g + h, self.bound)
            if child in other.g and (self.incumbent is None or g + other.g[child] < self.incumbent):
                self.incumbent, self.meeting = g + other.g[child], child

    def known_states(self) -> int:
        return sum(len(side.g) for side in self.sides)

    def best(self) -> tuple[Any, tuple[Any, ...]] | None:
        if self.incumbent is None:
            return None
        way = self.sides[0].path(self.meeting)[::-1]
        states = [state for state, _ in way] + [self.meeting] + [state for state, _ in self.sides[1].path(self.meeting)]
        self.start = states[0]
        steps = [move_between(*step, self.successors) for step in pairwise(states)]
        total = sum(cost for _, cost in steps)
        # Stopped early, `total` may be less than the incumbent: a state on the way was reopened since.
        if total > self.incumbent or (total < self.incumbent and self.bound >= self.incumbent):
            raise BrokenProblem("predecessors must be the opposite of successors, at the same costs")
        return total, tuple(move for move, _ in steps)


@takes_run_options
def bidirectional_a_star(
    start: State,
    successors: Successors,
    goals: State | Iterable[State],
    predecessors: Successors,
    lower_bound: Callable[[Any], Any] | None = None,
    backward_bound: Callable[[Any], Any] | None = None,
    **options: Unpack[RunOptions],
) -> Solution:
    """Find a cheapest solution by searching from the start and from the goals, with a lower bound on each side.

    Requires: successors, and `predecessors`, which yields (move, state before, cost); where every move can be taken back at the
    same cost, so that the successors of a state are also the states before it, give `successors` once more. Any exact costs of 0
    or more. The moves in the answer are those of `successors`; what `predecessors` yields as a move is not used. That the two are
    opposites is tried at the first states on each side; beyond them it is your promise, on which the proof rests.
    Uses: lower_bound, never more than the least cost from a state to any of the goals given here; backward_bound, never more than
    that from a start to a state. States are reopened, so neither need be consistent.

    goals   one state, or several in a list, a set or any other iterable that cannot be hashed

    The solution is determined, but need not be the first in the order of `successors`. Time O(states × log states), memory
    O(states met).

    Raises TypeError for what cannot be hashed or is no (move, state, cost), ValueError for a negative cost, a bound that is not 0
    at an end or when there is no goal, BrokenProblem when a step back turns out to be no move forward at its cost, Interrupted
    on Ctrl-C.
    Source: J. Chen, R. C. Holte, S. Zilles and N. R. Sturtevant, IJCAI 2017.
    """
    return run(BidirectionalAStarSearch(start, successors, goals, predecessors, lower_bound, backward_bound), options)
