"""Iterative deepening: a cheapest solution without a bound and without memory."""

from __future__ import annotations

from typing import Any, Unpack

from bestfirst.control import RunOptions, run, takes_run_options
from bestfirst.result import Solution
from bestfirst.search.contour import ContourSearch, UninformedMode


@takes_run_options
def iterative_deepening(problem: Any, start: Any, **options: Unpack[RunOptions]) -> Solution:
    """Find a cheapest solution by depth-first searches to a cost that rises from 0.

    Requires: apply, is_goal. Costs of at least 1.
    Uses: undo, inverse, follows; a lower bound is not looked at (ida_star does).

    The solution is the lexicographically first of the cheapest in move order. Memory: O(length of the solution × moves).
    Time: all paths up to the optimal cost; it never ends when there is no solution and the paths go on for ever.

    Raises TypeError for a missing operation or a start of the wrong form, CostError for a cost of 0 or less,
    Interrupted on Ctrl-C. Source: R. E. Korf, Artificial Intelligence 27 (1985) 97-109.
    """
    return run(ContourSearch("iterative_deepening", UninformedMode(), problem, start, options), options)
