"""The distance to the nearest goal for every state of a space."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Unpack

import numpy as np

from bestfirst.control import RunOptions, run_as, takes_run_options
from bestfirst.kernel import exact, interpreting
from bestfirst.operations import defines, problem_name
from bestfirst.replay import IllegalMove, step, verify
from bestfirst.result import Solution, Stats, Status
from bestfirst.search.compiled import require_operations, state_words
from bestfirst.search.listed_space import ListedSearch
from bestfirst.search.ranked_space import RankedSearch


class DistanceTable:
    """The distance to the nearest goal for every state from which one can be reached."""

    def __init__(self, search: RankedSearch | ListedSearch, solution: Solution) -> None:
        self.problem = search.problem
        self.stopped_by = solution.stopped_by  #: "time", "nodes", "memory" or "interrupt": then only near states are known
        self.counts = search.layer_sizes(self.complete)  #: number of states so many moves away, as far as it is certain
        self.stats = solution.stats
        self._search = search
        search.finish()

    @property
    def complete(self) -> bool:
        """Whether every state was met from which a goal can be reached."""
        return self.stopped_by is None

    @property
    def total(self) -> int:
        """Number of states from which a goal can be reached, or when stopped only those counted."""
        return sum(self.counts)

    @property
    def distances(self) -> np.ndarray:
        """(state_count,) uint8, or wider where that is too little: moves to the nearest goal, by number of the state.

        The largest value of the dtype stands for states from which no goal can be reached. A problem may hold this array as a
        field and return `self.distances[self.rank(state)]`, times the cost of a move, as its lower bound: a perfect one.
        Raises TypeError for a problem that does not number its states.
        """
        if isinstance(self._search, ListedSearch):
            raise TypeError(f"{problem_name(self.problem)} does not number its states: define rank, unrank and state_count")
        if not self.complete:
            raise ValueError(f"the table is not complete: it was stopped ({self.stopped_by})")
        entries: np.ndarray = self._search.memory.entries
        return entries

    def distance(self, state: Any) -> int | None:
        """Least cost from `state` to a goal; None when there is no way. O(1).

        Raises ValueError when the table was stopped before the state was met.
        """
        depth = self._search.depth_of(state)
        if depth is None:
            if not self.complete:
                raise ValueError(f"not known: the table was stopped ({self.stopped_by}) at depth {len(self.counts)}")
            return None
        return depth * self._search.unit

    def states(self, moves: int) -> Iterator[Any]:
        """The states that are so many moves away from a goal."""
        return self._search.states_at(moves)

    def solve(self, state: Any) -> Solution:
        """A cheapest solution, the lexicographically first in move order, by going down the distances. O(length × moves).

        Runs in the interpreter. Raises ValueError as `distance` does.
        """
        distance = self.distance(state)
        stats = Stats(expanded=len(self.counts) if distance is None else distance // self._search.unit)
        if distance is None:
            return Solution(Status.INFEASIBLE, None, None, None, stats, "distance_table", problem=self.problem, start=state)
        moves, current = [], state
        for rest in range(distance, 0, -self._search.unit):
            move, current = self._descend(current, rest - self._search.unit)
            moves.append(move)
        verify(self.problem, state, moves, distance)
        start = state.copy() if isinstance(state, np.ndarray) else state
        return Solution(
            Status.OPTIMAL, distance, tuple(moves), distance, stats, "distance_table", problem=self.problem, start=start
        )

    def _descend(self, state: Any, distance: int) -> tuple[int, Any]:
        """The first move that leads to a state at this distance, and that state."""
        for move in range(self.problem._move_count()):
            try:
                child, _ = step(self.problem, state, move)
            except IllegalMove:
                continue
            if self.distance(child) == distance:
                return move, child
        raise ValueError(
            f"no move leads from the state {state} nearer to a goal, though it was reached from one: inverse breaks its promise, "
            "or the moves of the backward problem are not those of the problem taken back"
        )

    def __str__(self) -> str:
        head = "" if self.complete else f"stopped ({self.stopped_by}): "
        return f"{head}{self.total:,} states, at most {len(self.counts) - 1} moves from a goal; {self.stats.seconds:.3f} s"

    def __repr__(self) -> str:
        return f"<DistanceTable {self}>"


@takes_run_options
def distance_table(problem: Any, *goals: Any, backward: Any = None, **options: Unpack[RunOptions]) -> DistanceTable:
    """Find the distance to the nearest goal for every state, by walking breadth-first from the goals.

    Requires: apply, is_goal (true of all the goals given, and of no other state that can reach them), inverse. All moves cost
    the same.
    Uses: rank, unrank, state_count.

    `backward`: instead of `inverse`, a problem with the same states and numbers whose moves are those of `problem` taken back.
    Stopped by a limit, the table knows the states that are near; Ctrl-C raises Interrupted, whose `solution` is that table.

    With numbered states, memory is 1 byte a number (2 when the distances exceed 254 moves) and 2 bits while it is made, and time
    O(numbers × depth / 32 + states × moves); without, W × 8 + 10 to W × 8 + 40 bytes a state (W words of 64 bits) and
    O(states × moves).

    Raises TypeError for a missing operation or goals of the wrong form, ValueError for a goal that is none or was not given,
    CostError for unequal costs, BrokenProblem for a number outside the space.
    """
    require_operations("distance_table", problem, ("apply", "is_goal"))
    require_way_back("distance_table", problem, backward)
    require_goals("distance_table", problem, goals)
    settings: dict[str, Any] = {"backward": backward, "seeks_goals": True}
    search: RankedSearch | ListedSearch
    if defines(problem, "rank"):
        search = RankedSearch("distance_table", problem, goals, options, keeps_depths=True, **settings)
    else:
        search = ListedSearch("distance_table", problem, goals, options, **settings)
    return run_as(search, options, lambda solution: DistanceTable(search, solution))


def require_way_back(name: str, problem: Any, backward: Any) -> None:
    """Raise TypeError unless it is known how moves are taken back."""
    if backward is not None:
        require_operations(name, backward, ("apply",))
    elif not defines(problem, "inverse"):
        raise TypeError(
            f"{name} walks from the goals, so it must know how moves are taken back: let {problem_name(problem)} "
            "define inverse, or give a problem with the moves taken back as `backward`"
        )


def require_goals(name: str, problem: Any, goals: tuple[Any, ...]) -> None:
    """Raise ValueError unless there are goals, and they are such."""
    if not goals:
        raise ValueError(f"give {name} the goals, at least one")
    for goal in goals:
        state_words(problem, goal)
        with interpreting():
            holds = exact(problem).is_goal(goal if problem.integer_state else exact(goal))
        if not holds:
            raise ValueError(f"the state {goal} is no goal of {problem_name(problem)}: is_goal is false")
