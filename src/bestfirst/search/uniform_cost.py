"""Uniform-cost search (Dijkstra): a cheapest solution without a bound."""

from __future__ import annotations

from typing import Any, Unpack

from bestfirst.control import RunOptions, run, takes_run_options
from bestfirst.result import Solution
from bestfirst.search.a_star import AStarSearch, Ties, UniformMode


@takes_run_options
def uniform_cost(problem: Any, start: Any, *, ties: Ties = "any", **options: Unpack[RunOptions]) -> Solution:
    """Find a cheapest solution by expanding states in order of their cost; a lower bound, if the problem has one, is not used.

    Requires: apply, is_goal. Any costs of 0 or more.
    Uses: inverse, follows, canonical.

    `start` and `ties` as for a_star; so are queue, time and memory.

    Raises what a_star raises.
    Source: E. W. Dijkstra, A note on two problems in connexion with graphs, Numerische Mathematik 1 (1959).
    """
    return run(AStarSearch("uniform_cost", UniformMode(), problem, start, options, ties), options)
