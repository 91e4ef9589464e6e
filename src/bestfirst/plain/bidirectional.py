"""Breadth-first search from both ends on plain Python values: fewest moves.

Why the first meeting is a best one stands in `bestfirst.search.bidirectional`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, Unpack

from bestfirst.control import EXHAUSTED, FOUND, PAUSED, UNEVEN_COST, RunOptions, run, takes_run_options
from bestfirst.plain.search import Cost, PlainSearch, State, Successors, checked_children
from bestfirst.replay import BrokenProblem
from bestfirst.result import Solution

#: From so many states on each side every step is tried backwards; to try all of them would cost more than the search.
TRIED_STATES = 16


class TwoWay:
    """The neighbours of the states of one side, with a look, at the first of them, whether the other side's lead back."""

    def __init__(self, neighbours: Successors, back: Successors) -> None:
        self.neighbours, self.back = neighbours, back
        self.untried = TRIED_STATES

    def __call__(self, state: Any) -> Iterator[tuple[Any, Any, Any]]:
        if self.untried == 0:
            yield from self.neighbours(state)
            return
        self.untried -= 1
        for move, child, cost in checked_children(state, self.neighbours):
            if all(before != state or paid != cost for _, before, paid in checked_children(child, self.back)):
                raise _no_return(state, child, cost, self.neighbours is self.back)
            yield move, child, cost


class Side:
    """The states met from one end: `way` leads back from each to its end, `layer` is to be expanded, `following` comes next."""

    def __init__(self, ends: Iterable[State], neighbours: Successors) -> None:
        self.neighbours = neighbours
        self.way: dict[Any, tuple[Any, Any] | None] = dict.fromkeys(ends)  # state before, move
        self.layer: list[Any] = list(self.way)[::-1]  # the next one to expand stands last
        self.following: list[Any] = []

    def path(self, state: Any) -> list[tuple[Any, Any]]:
        """The states on the way from `state` to its end, without it, each with the move that was made there."""
        steps = []
        while (step := self.way[state]) is not None:
            steps.append(step)
            state = step[0]
        return steps


class BidirectionalSearch(PlainSearch):
    """Breadth-first search from both ends at work."""

    engine = "bidirectional_breadth_first"

    def __init__(self, start: Any, successors: Successors, goals: Any, predecessors: Successors) -> None:
        ends = goal_states(goals)
        super().__init__(start, successors, set(ends).__contains__)
        self.forward = Side(self.starts, TwoWay(successors, predecessors))
        self.backward = Side(ends, TwoWay(predecessors, successors))
        self.growing, self.other = self.forward, self.backward
        self.generated += len(ends)
        self.unit: Cost | None = None
        self.layers = 0  # that both sides have grown
        self.meeting: Any = None

    def advance(self, stop_at: int) -> int:
        for start in self.starts if stop_at and self.incumbent is None else []:
            if self.is_goal(start):
                self.incumbent, self.meeting = 0, start
        if self.incumbent == 0 and self.is_goal(self.meeting):
            return FOUND
        if self.incumbent is not None:
            return self.verify()
        while self.generated < stop_at:
            if not self.growing.layer and not self.next_layer():
                return EXHAUSTED
            outcome = self.expand(self.growing.layer.pop())
            if outcome != PAUSED:
                return outcome
        return PAUSED

    def next_layer(self) -> bool:
        """Begin the next layer, on the smaller side; False when a side has nothing left."""
        side = self.growing
        side.layer, side.following = side.following[::-1], []
        if not side.layer:
            return False
        self.layers += 1
        self.bound = (self.layers + 1) * (self.unit or 0)
        if len(self.forward.layer) <= len(self.backward.layer):
            self.growing, self.other = self.forward, self.backward
        else:
            self.growing, self.other = self.backward, self.forward
        return True

    def expand(self, state: Any) -> int:
        """Try all moves from a state; where the other side knows a child, look only at the costs of the rest."""
        self.expanded += 1
        for move, child, cost in checked_children(state, self.growing.neighbours):
            if cost != self.unit:
                if self.unit is not None:
                    return UNEVEN_COST
                self.unit = self.bound = cost
            if self.incumbent is not None:
                continue
            self.generated += 1
            if child in self.growing.way:
                self.duplicates += 1
                continue
            self.growing.way[child] = (state, move)
            self.growing.following.append(child)
            if child in self.other.way:
                self.incumbent, self.meeting = self.bound, child
        return PAUSED if self.incumbent is None else self.verify()

    def verify(self) -> int:
        """Check that the rest of the layer has no move of another cost, which might be part of a cheaper solution."""
        layer = self.growing.layer
        for _ in range(min(self.first_slice, len(layer))):
            if any(cost != self.unit for _, _, cost in checked_children(layer.pop(), self.growing.neighbours)):
                return UNEVEN_COST
        return PAUSED if layer else FOUND

    def known_states(self) -> int:
        return len(self.forward.way) + len(self.backward.way)

    def depth(self) -> int:
        return self.layers

    def best(self) -> tuple[Any, tuple[Any, ...]] | None:
        if self.incumbent is None:
            return None
        way = self.forward.path(self.meeting)
        self.start = way[-1][0] if way else self.meeting
        moves = [move for _, move in reversed(way)]
        state = self.meeting
        for following, _ in self.backward.path(self.meeting):
            moves.append(move_between(state, following, self.successors)[0])
            state = following
        return self.incumbent, tuple(moves)


def goal_states(goals: Any) -> list[Any]:
    """One goal, or several in an iterable that cannot be hashed, as a list. Raises ValueError when there is none."""
    ends = [goals] if isinstance(goals, Hashable) else list(goals)
    if not ends:
        raise ValueError("there is no goal; give at least one state")
    return ends


def move_between(state: Any, following: Any, successors: Successors) -> tuple[Any, Cost]:
    """The cheapest move from one state to the other, of several the first, and its cost. Raises BrokenProblem if none is."""
    steps = [(move, cost) for move, child, cost in checked_children(state, successors) if child == following]
    if not steps:
        raise _no_return(following, state)
    return min(steps, key=lambda step: step[1])


def _no_return(state: Any, child: Any, cost: Cost | None = None, same: bool = False) -> BrokenProblem:
    """The error for a step of one side that the other side does not know; `same`: one function is given for both."""
    at = "" if cost is None else f" at cost {cost}"
    if same:
        advice = "not every move can be taken back, so predecessors= must be a function of its own, with the states before"
    else:
        advice = "predecessors must be the opposite of successors, at the same costs"
    return BrokenProblem(f"a step leads from {state!r} to {child!r}{at}, but none leads back: {advice}")


@takes_run_options
def bidirectional_breadth_first(
    start: State,
    successors: Successors,
    goals: State | Iterable[State],
    predecessors: Successors,
    **options: Unpack[RunOptions],
) -> Solution:
    """Find a solution with the fewest moves by growing layers of states from the start and from the goals until they meet.

    Requires: successors, and `predecessors`, which yields (move, state before, cost); where every move can be taken back, so that
    the successors of a state are also the states before it, give `successors` once more. All moves cost the same. The moves in
    the answer are those of `successors`; what `predecessors` yields as a move is not used. That the two are opposites is tried
    at the first states on each side; beyond them it is your promise, on which the proof rests.

    goals   one state, or several in a list, a set or any other iterable that cannot be hashed

    The side whose layer is smaller is grown. The solution is determined, but need not be the first in the order of `successors`.
    Time and memory O(states met), about 2 b^(d/2) for b moves a state and a solution of d moves.

    Raises TypeError for what cannot be hashed or is no (move, state, cost), ValueError when there is no goal, CostError for
    unequal costs, BrokenProblem when a step back turns out to be no move forward, Interrupted on Ctrl-C.
    Source: I. Pohl, Bi-directional search, Machine Intelligence 6 (1971).
    """
    return run(BidirectionalSearch(start, successors, goals, predecessors), options)
