"""The engines for any hashable Python value, without compilation: what one tries first.

A problem is three functions: `successors(state)` yields `(move, next_state, cost)`, `is_goal(state)`, and for the informed
engines `lower_bound(state)`. Moves are labels of any kind. Limits, progress, Ctrl-C and the Solution are those of the compiled
engines; only checkpoints are not offered here.
"""

from bestfirst.plain.a_star import a_star, uniform_cost, weighted_a_star, zero_one_breadth_first
from bestfirst.plain.bidirectional import bidirectional_breadth_first
from bestfirst.plain.bidirectional_a_star import bidirectional_a_star
from bestfirst.plain.breadth_first import breadth_first
from bestfirst.plain.contour import branch_and_bound, depth_first, ida_star, iterative_deepening
from bestfirst.plain.optimal_solutions import all_optimal, count_optimal
from bestfirst.plain.search import Starts

__all__ = [
    "Starts",
    "a_star",
    "all_optimal",
    "bidirectional_a_star",
    "bidirectional_breadth_first",
    "branch_and_bound",
    "breadth_first",
    "count_optimal",
    "depth_first",
    "ida_star",
    "iterative_deepening",
    "uniform_cost",
    "weighted_a_star",
    "zero_one_breadth_first",
]
