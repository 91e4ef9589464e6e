"""Exact search in Python: fewest, cheapest, best – proved.

    import bestfirst
    solution = bestfirst.solve(problem, start)      # picks an engine
    solution.cost, solution.moves, solution.status, solution.bound, solution.stats

Describe a problem with `@bestfirst.problem` (see `bestfirst.Operations`) and give it to one of the engines below, or use
`bestfirst.plain` for any hashable Python value. The catalogue of ready problems is `bestfirst.catalogue`. Names are loaded when
they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from bestfirst.version import __version__

if TYPE_CHECKING:
    from bestfirst.checking import CheckReport, check_problem
    from bestfirst.checkpoint import CheckpointError
    from bestfirst.choose import solve
    from bestfirst.control import CostError, Progress
    from bestfirst.kernel import CompileError
    from bestfirst.operations import ILLEGAL, MAX_COST, UNREACHABLE, Operations, problem
    from bestfirst.replay import BrokenProblem
    from bestfirst.result import Interrupted, Limits, Solution, Stats, Status
    from bestfirst.search.a_star import a_star
    from bestfirst.search.breadth_first import breadth_first
    from bestfirst.search.depth_first import depth_first
    from bestfirst.search.distance_table import DistanceTable, distance_table
    from bestfirst.search.exact_cover import count_exact_covers, exact_cover, exact_covers
    from bestfirst.search.explore import Exploration, explore
    from bestfirst.search.ida_star import ida_star
    from bestfirst.search.iterative_deepening import iterative_deepening
    from bestfirst.search.pattern_database import PatternDatabase, additive, greatest, load_pattern_database, pattern_database
    from bestfirst.search.subset_sum import count_subset_sums, subset_sum

_HOMES = {
    "BrokenProblem": "replay",
    "CheckReport": "checking",
    "CheckpointError": "checkpoint",
    "CompileError": "kernel",
    "CostError": "control",
    "DistanceTable": "search.distance_table",
    "Exploration": "search.explore",
    "ILLEGAL": "operations",
    "Interrupted": "result",
    "Limits": "result",
    "MAX_COST": "operations",
    "Operations": "operations",
    "PatternDatabase": "search.pattern_database",
    "Progress": "control",
    "Solution": "result",
    "Stats": "result",
    "Status": "result",
    "UNREACHABLE": "operations",
    "a_star": "search.a_star",
    "additive": "search.pattern_database",
    "breadth_first": "search.breadth_first",
    "check_problem": "checking",
    "count_exact_covers": "search.exact_cover",
    "count_subset_sums": "search.subset_sum",
    "depth_first": "search.depth_first",
    "distance_table": "search.distance_table",
    "exact_cover": "search.exact_cover",
    "exact_covers": "search.exact_cover",
    "explore": "search.explore",
    "greatest": "search.pattern_database",
    "ida_star": "search.ida_star",
    "iterative_deepening": "search.iterative_deepening",
    "load_pattern_database": "search.pattern_database",
    "pattern_database": "search.pattern_database",
    "problem": "operations",
    "solve": "choose",
    "subset_sum": "search.subset_sum",
}

__all__ = [
    "ILLEGAL",
    "MAX_COST",
    "UNREACHABLE",
    "BrokenProblem",
    "CheckReport",
    "CheckpointError",
    "CompileError",
    "CostError",
    "DistanceTable",
    "Exploration",
    "Interrupted",
    "Limits",
    "Operations",
    "PatternDatabase",
    "Progress",
    "Solution",
    "Stats",
    "Status",
    "__version__",
    "a_star",
    "additive",
    "breadth_first",
    "check_problem",
    "count_exact_covers",
    "count_subset_sums",
    "depth_first",
    "distance_table",
    "exact_cover",
    "exact_covers",
    "explore",
    "greatest",
    "ida_star",
    "iterative_deepening",
    "load_pattern_database",
    "pattern_database",
    "problem",
    "solve",
    "subset_sum",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bestfirst' has no attribute {name!r}")
    return getattr(importlib.import_module(f"bestfirst.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
