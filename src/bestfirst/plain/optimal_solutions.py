"""All optimal solutions on plain Python values: how many there are, and one after another in the order of `successors`.

Why the tight moves (those with g(child) = g(state) + cost) between expanded states are exactly the optimal solutions, and why a
cycle among them is always seen, stands in `bestfirst.search.optimal_solutions`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Unpack

from bestfirst.control import EXHAUSTED, FOUND, PAUSED, RunOptions, run, takes_run_options
from bestfirst.plain.a_star import AStarSearch
from bestfirst.plain.search import State, Successors
from bestfirst.replay import BrokenProblem
from bestfirst.result import Solution


class OptimalSolutionsSearch(AStarSearch):
    """A* to all states with f up to the optimum, then the counting.

    ways    the number of optimal ways on from each state that is counted
    ends    the goals in which solutions end
    path    from the start: state, tight moves to come;  on_path: the same states;  sums: their numbers of ways so far
    cyclic  states of the path that a move from further along leads back to
    """

    engine = "count_optimal"

    def __init__(
        self,
        start: Any,
        successors: Successors,
        is_goal: Callable[[Any], bool],
        lower_bound: Callable[[Any], Any] | None,
    ) -> None:
        super().__init__(self.engine, start, successors, is_goal, lower_bound, "lexicographic")
        if len(self.starts) > 1:
            raise ValueError(f"{self.engine} counts from one start, not from {len(self.starts)}")
        self.ways: dict[Any, int] = {}
        self.ends: set[Any] = set()
        self.path: list[tuple[Any, Iterator[tuple[Any, Any]]]] = []
        self.sums: list[int] = []
        self.on_path: set[Any] = set()
        self.cyclic: set[Any] = set()
        self.is_counting = False

    def advance(self, stop_at: int) -> int:
        return self.count_on() if self.is_counting else super().advance(stop_at)

    def finish(self) -> int:
        """The frontier holds nothing better; what is left is to count."""
        if self.incumbent is None:
            return EXHAUSTED
        self.bound = self.incumbent
        self.is_counting = True
        self.enter(self.start)
        return PAUSED

    def enter(self, state: Any) -> None:
        """Count the ways on from a state, new to the counting: 1 in a goal, otherwise it is put on the path."""
        if self.g[state] == self.incumbent and self.is_goal(state):
            self.ways[state] = 1
            self.ends.add(state)
        else:
            self.path.append((state, self.tight_moves(state)))
            self.sums.append(0)
            self.on_path.add(state)

    def tight_moves(self, state: Any) -> Iterator[tuple[Any, Any]]:
        """The moves from a state that lie on cheapest ways to expanded states."""
        for move, child, cost in self.children(state):
            if child in self.closed and self.g[child] == self.g[state] + cost:
                yield move, child

    def count_on(self) -> int:
        """Count the ways on from some states."""
        for _ in range(self.first_slice):
            if not self.path:
                return self.finish_counting()
            state, steps = self.path[-1]
            for _, child in steps:
                if child in self.on_path:
                    self.cyclic.add(child)
                    continue
                if child not in self.ways:
                    self.enter(child)
                if child not in self.ways:
                    break
                self.sums[-1] += self.ways[child]
            else:
                self.leave(state)
        return PAUSED

    def leave(self, state: Any) -> None:
        """All moves from the last state of the path are counted."""
        self.path.pop()
        self.on_path.remove(state)
        ways = self.ways[state] = self.sums.pop()
        if ways and state in self.cyclic:
            raise ValueError(
                "there are infinitely many optimal solutions: moves that cost 0 lead round in a cycle on the way to a goal "
                "(a_star finds one of them)"
            )
        if self.sums:
            self.sums[-1] += ways

    def finish_counting(self) -> int:
        """The answer is there."""
        if not self.ways[self.start]:
            raise BrokenProblem("no cheapest way leads to the goal found; lower_bound must be more than a true distance")
        self.first_moves = next(self.solutions())
        return FOUND

    def count(self) -> int:
        return self.ways.get(self.start, int(self.is_counting))

    def solutions(self) -> Iterator[tuple[Any, ...]]:
        """All optimal solutions in the order of `successors`, once they are counted: each step taken is part of one."""
        if self.start in self.ends:
            yield ()
            return
        moves: list[Any] = []
        path = [self.steps_from(self.start)]
        while path:
            for move, child in path[-1]:
                if child in self.ends:
                    yield (*moves, move)
                    continue
                moves.append(move)
                path.append(self.steps_from(child))
                break
            else:
                path.pop()
                del moves[-1:]

    def steps_from(self, state: Any) -> Iterator[tuple[Any, Any]]:
        """The moves from a state that are parts of optimal solutions."""
        return ((move, child) for move, child in self.tight_moves(state) if self.ways.get(child))


@takes_run_options
def count_optimal(
    start: State,
    successors: Successors,
    is_goal: Callable[[Any], bool],
    lower_bound: Callable[[Any], Any] | None = None,
    **options: Unpack[RunOptions],
) -> Solution:
    """Count the optimal solutions: `solution.count`, exact however large; `solution.moves` is the first in the order of moves.

    Requires: successors, is_goal. Any exact costs of 0 or more. Uses: lower_bound (admissible, need not be consistent).

    A solution is a sequence of moves that ends in the first goal it reaches; everything that `successors` yields counts as a move
    of its own, also two to the same state. Without a solution the count is 0. A search that is stopped has counted none, or 1
    when the optimum is proved. Time and memory as for `a_star` with `ties="lexicographic"`, twice.

    Raises ValueError when moves that cost 0 make the solutions infinitely many; otherwise as `a_star`.
    """
    return run(OptimalSolutionsSearch(start, successors, is_goal, lower_bound), options)


def all_optimal(
    start: State,
    successors: Successors,
    is_goal: Callable[[Any], bool],
    lower_bound: Callable[[Any], Any] | None = None,
    *,
    at_most: int | None = None,
) -> Iterator[tuple[Any, ...]]:
    """All optimal solutions, or the first `at_most`, one after another in the order in which `successors` yields the moves.

    Requires, uses, counts as different and raises what `count_optimal` does. The search is made when the first one is asked for.
    """
    if at_most is not None and operator.index(at_most) < 0:
        raise ValueError(f"at_most is {at_most}; it must be 0 or more, or None for all")
    return islice(_listed(OptimalSolutionsSearch(start, successors, is_goal, lower_bound)), at_most)


def _listed(search: OptimalSolutionsSearch) -> Iterator[tuple[Any, ...]]:
    if run(search, {}).moves is not None:
        yield from search.solutions()
