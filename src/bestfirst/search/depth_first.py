"""Depth-first search to a fixed cost: the first solution in move order."""

from __future__ import annotations

import operator
from typing import Any, Unpack

from bestfirst.control import RunOptions, run, takes_run_options
from bestfirst.operations import MAX_TOTAL
from bestfirst.result import Solution
from bestfirst.search.contour import ContourSearch, ExactMode, FixedMode


@takes_run_options
def depth_first(
    problem: Any,
    start: Any,
    cost: int,
    *,
    exact: bool = False,
    remember: bool = True,
    **options: Unpack[RunOptions],
) -> Solution:
    """Find the first solution in move order that costs at most `cost`, or exactly `cost` when `exact`.

    Requires: apply, is_goal. Costs of at least 1.
    Uses: lower_bound (cuts what cannot end within `cost`), preview, undo, follows, and inverse unless `exact`: solutions that go
    straight back are then left out, while an exact number of moves may need them.

    With `remember`, a state met again at the same cost is not searched twice; the table of such states grows up to the memory
    limit and is then used as it is. The answer is the same either way.

    With `exact` the status is "optimal" (all solutions cost the same, and this is the first), otherwise the solution is only
    "feasible": a cheaper one may exist. "infeasible" is proved in both cases.

    Raises TypeError for a missing operation or a start of the wrong form, CostError for a cost of 0 or less,
    Interrupted on Ctrl-C.
    """
    cost = operator.index(cost)
    if not 0 <= cost <= MAX_TOTAL:
        raise ValueError(f"the cost {cost} must be from 0 to 2^60")
    mode = ExactMode() if exact else FixedMode()
    return run(ContourSearch("depth_first", mode, problem, start, options, cost, remember), options)
