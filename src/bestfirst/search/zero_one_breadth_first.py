"""0-1 breadth-first search: a cheapest solution when every move costs 0 or 1."""

from __future__ import annotations

from typing import Any, Unpack

from bestfirst.control import RunOptions, run, takes_run_options
from bestfirst.result import Solution
from bestfirst.search.a_star import AStarSearch, Ties, ZeroOneMode


@takes_run_options
def zero_one_breadth_first(problem: Any, start: Any, *, ties: Ties = "any", **options: Unpack[RunOptions]) -> Solution:
    """Find a cheapest solution when every move costs 0 or 1.

    Requires: apply, is_goal. Costs of 0 and 1.
    Uses: inverse, follows, canonical.

    The frontier holds two costs at a time: two buckets, which do what the two ends of a queue do. `start` and `ties` as for
    a_star. Time O(states × moves), memory as for a_star.

    Raises what a_star raises; CostError for a cost above 1.
    """
    return run(AStarSearch("zero_one_breadth_first", ZeroOneMode(), problem, start, options, ties), options)
