"""Weighted A*: a solution that costs at most w times the optimum, sooner."""

from __future__ import annotations

from typing import Any, Unpack

from bestfirst.control import RunOptions, run, takes_run_options
from bestfirst.result import Solution
from bestfirst.search.a_star import MAX_WEIGHT, AStarSearch, WeightedMode


@takes_run_options
def weighted_a_star(problem: Any, start: Any, weight: float, **options: Unpack[RunOptions]) -> Solution:
    """Find a solution that costs at most `weight` times the optimum, by A* with the lower bound multiplied by `weight`.

    Requires: apply, is_goal, lower_bound (admissible; it need not be consistent). Any costs of 0 or more.
    Uses: inverse, follows, canonical.

    `weight`: 1 to 1024, used in steps of 1/1024, rounded down. The larger, the sooner the search ends and the worse its
    answer may be. `solution.bound` is what the optimum costs at least, so that `solution.cost <= weight * solution.bound`; the
    status is `optimal` when the two are equal, else `feasible`. `start`: a state or a list of states.

    Time and memory as for a_star, mostly for far fewer states.

    Raises what a_star raises; ValueError for a weight out of range.
    Source: I. Pohl, Heuristic search viewed as path finding in a graph, Artificial Intelligence 1 (1970).
    """
    if not 1 <= weight <= MAX_WEIGHT:
        raise ValueError(f"the weight {weight!r} must lie between 1 and {MAX_WEIGHT}")
    return run(AStarSearch("weighted_a_star", WeightedMode(), problem, start, options, weight=weight), options)
