"""`solve`: pick an engine from what the problem defines, and say why."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable
from typing import Any, Unpack

from bestfirst.checkpoint import engine_of
from bestfirst.control import UNEVEN_COST, CostError, RunOptions, takes_run_options
from bestfirst.operations import defines
from bestfirst.result import Interrupted, Solution


@takes_run_options
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
            return _run(ida_star, why, problem, start, options)
        why = "it defines lower_bound: A* expands only states that the bound does not rule out"
        return _run(a_star, why, problem, start, options)
    resume = options.get("resume")
    if resume is None or engine_of(pathlib.Path(resume)) != "a_star":
        try:
            why = "it defines no lower_bound, and its moves cost the same: breadth-first search sees every state once"
            return _run(breadth_first, why, problem, start, options)
        except CostError as error:
            if error.outcome != UNEVEN_COST:
                raise
    why = "it defines no lower_bound, and its moves differ in cost: A* without a bound is uniform-cost search"
    return _run(a_star, why, problem, start, options)


def _run(engine: Callable[..., Solution], why: str, problem: Any, start: Any, options: RunOptions) -> Solution:
    try:
        return dataclasses.replace(engine(problem, start, **options), why=why)
    except Interrupted as interrupted:
        raise Interrupted(dataclasses.replace(interrupted.solution, why=why)) from None
