"""Iterative deepening A*: a best solution in memory proportional to its length."""

from __future__ import annotations

from typing import Any, Unpack

from bestfirst.control import RunOptions, run, takes_run_options
from bestfirst.result import Solution
from bestfirst.search.contour import ContourSearch, IdaStarMode, LearningMode


@takes_run_options
def ida_star(problem: Any, start: Any, *, table_bytes: int = 0, **options: Unpack[RunOptions]) -> Solution:
    """Find a cheapest solution by depth-first searches below a threshold that rises to the least value cut before.

    Requires: apply, is_goal, lower_bound (admissible; it need not be consistent). Costs of at least 1.
    Uses: preview, undo, inverse, follows; with a table canonical instead of follows.

    `start`: a state, or a list of states; `solution.start` tells from which one the solution comes.
    `table_bytes`: room for a table of states whose bound the search has raised, so that a state reached again, in the same
    iteration or a later one, is cut without being searched; when it is full the least useful are overwritten. Worth it where many
    ways lead to a state and looking one up is cheap beside searching below it.

    Among the cheapest solutions the one returned is the lexicographically first in move order (provided that `follows`
    keeps it, see `Operations.follows`), from the first start that has one.
    Memory: O(length of the solution) and the table. Time: the states below the last
    threshold as often as they can be reached; good when few ways lead to a state, bad on graphs with many.

    Raises TypeError for a missing operation or a start of the wrong form, CostError for a cost of 0 or less,
    Interrupted on Ctrl-C. Source: R. E. Korf, Artificial Intelligence 27 (1985) 97-109.
    """
    if table_bytes < 0:
        raise ValueError(f"table_bytes={table_bytes} must not be negative")
    mode = LearningMode() if table_bytes else IdaStarMode()
    return run(ContourSearch("ida_star", mode, problem, start, options, table_bytes=table_bytes), options)
