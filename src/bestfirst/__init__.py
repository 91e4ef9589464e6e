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
    from bestfirst.graphs import Graph, Walk, as_graph, graph_problem
    from bestfirst.kernel import CompileError
    from bestfirst.operations import ILLEGAL, MAX_COST, UNREACHABLE, Operations, problem
    from bestfirst.render.steps import Step, print_steps, save_svg, steps
    from bestfirst.replay import BrokenProblem
    from bestfirst.result import Interrupted, Limits, Solution, Stats, Status
    from bestfirst.search.a_star import a_star
    from bestfirst.search.bidirectional import bidirectional_breadth_first
    from bestfirst.search.bidirectional_a_star import bidirectional_a_star
    from bestfirst.search.branch_and_bound import branch_and_bound
    from bestfirst.search.breadth_first import breadth_first
    from bestfirst.search.components import strongly_connected_components
    from bestfirst.search.depth_first import depth_first
    from bestfirst.search.distance_table import DistanceTable, distance_table
    from bestfirst.search.distances import Distances, distances
    from bestfirst.search.exact_cover import count_exact_covers, exact_cover, exact_covers
    from bestfirst.search.explore import Exploration, explore
    from bestfirst.search.fewest_steps import fewest_steps
    from bestfirst.search.grid_distances import GridDistances, grid_distances
    from bestfirst.search.ida_star import ida_star
    from bestfirst.search.iterative_deepening import iterative_deepening
    from bestfirst.search.optimal_solutions import all_optimal, count_optimal
    from bestfirst.search.pattern_database import PatternDatabase, additive, greatest, load_pattern_database, pattern_database
    from bestfirst.search.reachability import Reachability, reachability
    from bestfirst.search.shortest_simple_paths import shortest_simple_paths
    from bestfirst.search.shortest_walks import shortest_walks
    from bestfirst.search.subset_sum import count_subset_sums, subset_sum
    from bestfirst.search.uniform_cost import uniform_cost
    from bestfirst.search.walks import Walks
    from bestfirst.search.weighted_a_star import weighted_a_star
    from bestfirst.search.zero_one_breadth_first import zero_one_breadth_first
    from bestfirst.variants import with_goals, without_moves

_HOMES = {
    "BrokenProblem": "replay",
    "CheckReport": "checking",
    "CheckpointError": "checkpoint",
    "CompileError": "kernel",
    "CostError": "control",
    "DistanceTable": "search.distance_table",
    "Distances": "search.distances",
    "Exploration": "search.explore",
    "Graph": "graphs",
    "GridDistances": "search.grid_distances",
    "ILLEGAL": "operations",
    "Interrupted": "result",
    "Limits": "result",
    "MAX_COST": "operations",
    "Operations": "operations",
    "PatternDatabase": "search.pattern_database",
    "Progress": "control",
    "Reachability": "search.reachability",
    "Solution": "result",
    "Stats": "result",
    "Status": "result",
    "Step": "render.steps",
    "UNREACHABLE": "operations",
    "Walk": "graphs",
    "Walks": "search.walks",
    "a_star": "search.a_star",
    "additive": "search.pattern_database",
    "all_optimal": "search.optimal_solutions",
    "as_graph": "graphs",
    "bidirectional_a_star": "search.bidirectional_a_star",
    "bidirectional_breadth_first": "search.bidirectional",
    "branch_and_bound": "search.branch_and_bound",
    "breadth_first": "search.breadth_first",
    "check_problem": "checking",
    "count_exact_covers": "search.exact_cover",
    "count_optimal": "search.optimal_solutions",
    "count_subset_sums": "search.subset_sum",
    "depth_first": "search.depth_first",
    "distance_table": "search.distance_table",
    "distances": "search.distances",
    "exact_cover": "search.exact_cover",
    "exact_covers": "search.exact_cover",
    "explore": "search.explore",
    "fewest_steps": "search.fewest_steps",
    "graph_problem": "graphs",
    "greatest": "search.pattern_database",
    "grid_distances": "search.grid_distances",
    "ida_star": "search.ida_star",
    "iterative_deepening": "search.iterative_deepening",
    "load_pattern_database": "search.pattern_database",
    "pattern_database": "search.pattern_database",
    "print_steps": "render.steps",
    "problem": "operations",
    "reachability": "search.reachability",
    "save_svg": "render.steps",
    "shortest_simple_paths": "search.shortest_simple_paths",
    "shortest_walks": "search.shortest_walks",
    "solve": "choose",
    "steps": "render.steps",
    "strongly_connected_components": "search.components",
    "subset_sum": "search.subset_sum",
    "uniform_cost": "search.uniform_cost",
    "weighted_a_star": "search.weighted_a_star",
    "with_goals": "variants",
    "without_moves": "variants",
    "zero_one_breadth_first": "search.zero_one_breadth_first",
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
    "Distances",
    "Exploration",
    "Graph",
    "GridDistances",
    "Interrupted",
    "Limits",
    "Operations",
    "PatternDatabase",
    "Progress",
    "Reachability",
    "Solution",
    "Stats",
    "Status",
    "Step",
    "Walk",
    "Walks",
    "__version__",
    "a_star",
    "additive",
    "all_optimal",
    "as_graph",
    "bidirectional_a_star",
    "bidirectional_breadth_first",
    "branch_and_bound",
    "breadth_first",
    "check_problem",
    "count_exact_covers",
    "count_optimal",
    "count_subset_sums",
    "depth_first",
    "distance_table",
    "distances",
    "exact_cover",
    "exact_covers",
    "explore",
    "fewest_steps",
    "graph_problem",
    "greatest",
    "grid_distances",
    "ida_star",
    "iterative_deepening",
    "load_pattern_database",
    "pattern_database",
    "print_steps",
    "problem",
    "reachability",
    "save_svg",
    "shortest_simple_paths",
    "shortest_walks",
    "solve",
    "steps",
    "strongly_connected_components",
    "subset_sum",
    "uniform_cost",
    "weighted_a_star",
    "with_goals",
    "without_moves",
    "zero_one_breadth_first",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bestfirst' has no attribute {name!r}")
    return getattr(importlib.import_module(f"bestfirst.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
