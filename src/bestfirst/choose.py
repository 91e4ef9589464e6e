"""`solve`: pick an engine from what the problem defines, and say why."""

from __future__ import annotations

import dataclasses
from typing import Any, Unpack

from bestfirst.control import UNEVEN_COST, CostError, RunOptions
from bestfirst.operations import defines
from bestfirst.result import Solution


def solve(problem: Any, start: Any, **options: Unpack[RunOptions]) -> Solution:
    """Find a cheapest solution with the engine that suits what the problem defines; `solution.why` says which and why.

    Requires: apply, is_goal.

    * With `lower_bound`, and `undo` or `preview` to walk cheaply: IDA*, whose memory stays small however long it runs.
    * With `lower_bound` alone: A*, which looks at every state once.
    * Without a bound: breadth-first search, or, when moves turn out to differ in cost, A* without a bound (uniform-cost search).

    Raises what the engine raises.
    """
    from bestfirst.search.a_star import a_star
    from bestfirst.search.breadth_first import breadth_first
    from bestfirst.search.ida_star import ida_star

    if defines(problem, "lower_bound"):
        if defines(problem, "undo") or defines(problem, "preview"):
            why = "it defines lower_bound and a cheap way to make and take back moves: IDA* needs next to no memory"
            return dataclasses.replace(ida_star(problem, start, **options), why=why)
        why = "it defines lower_bound: A* expands only states that the bound does not rule out"
        return dataclasses.replace(a_star(problem, start, **options), why=why)
    try:
        why = "it defines no lower_bound, and its moves cost the same: breadth-first search sees every state once"
        return dataclasses.replace(breadth_first(problem, start, **options), why=why)
    except CostError as error:
        if error.outcome != UNEVEN_COST:
            raise
    why = "it defines no lower_bound, and its moves differ in cost: A* without a bound is uniform-cost search"
    return dataclasses.replace(a_star(problem, start, **options), why=why)
