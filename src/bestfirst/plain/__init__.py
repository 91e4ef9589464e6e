"""The engines for any hashable Python value, without compilation: what one tries first.

A problem is three functions: `successors(state)` yields `(move, next_state, cost)`, `is_goal(state)`, and for the informed
engines `lower_bound(state)`. Moves are labels of any kind. Limits, progress, Ctrl-C and the Solution are those of the compiled
engines; only checkpoints are not offered here.
"""

from bestfirst.plain.a_star import a_star
from bestfirst.plain.bidirectional import bidirectional_breadth_first
from bestfirst.plain.breadth_first import breadth_first
from bestfirst.plain.contour import depth_first, ida_star, iterative_deepening
from bestfirst.plain.optimal_solutions import all_optimal, count_optimal

__all__ = [
    "a_star",
    "all_optimal",
    "bidirectional_breadth_first",
    "breadth_first",
    "count_optimal",
    "depth_first",
    "ida_star",
    "iterative_deepening",
]
