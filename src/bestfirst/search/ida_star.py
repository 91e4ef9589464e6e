"""Iterative deepening A*: a best solution in memory proportional to its length."""

from __future__ import annotations

from typing import Any, Unpack

from bestfirst.control import RunOptions, run, takes_run_options
from bestfirst.result import Solution
from bestfirst.search.contour import ContourSearch, IdaStarMode


@takes_run_options
def ida_star(problem: Any, start: Any, **options: Unpack[RunOptions]) -> Solution:
    """Find a cheapest solution by depth-first searches below a threshold that rises to the least value cut before.

    Requires: apply, is_goal, lower_bound (admissible; it need not be consistent). Costs of at least 1.
    Uses: preview, undo, inverse, follows.

    Among the cheapest solutions the one returned is the lexicographically first in move order (provided that `follows`
    keeps it, see `Operations.follows`). Memory: O(length of the solution × moves). Time: the states below the last
    threshold as often as they can be reached; good when few ways lead to a state, bad on graphs with many.

    Raises TypeError for a missing operation or a start of the wrong form, CostError for a cost of 0 or less,
    Interrupted on Ctrl-C. Source: R. E. Korf, Artificial Intelligence 27 (1985) 97-109.
    """
    return run(ContourSearch("ida_star", IdaStarMode(), problem, start, options), options)
