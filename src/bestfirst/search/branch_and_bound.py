"""Depth-first branch and bound: any solution first, then ever better ones, at last the proof."""

from __future__ import annotations

from typing import Any, Unpack

from bestfirst.control import RunOptions, run, takes_run_options
from bestfirst.result import Solution
from bestfirst.search.contour import ContourSearch, MaximisingMode, MinimisingMode


@takes_run_options
def branch_and_bound(problem: Any, start: Any, *, maximise: bool = False, **options: Unpack[RunOptions]) -> Solution:
    """Find a best solution by going down depth first and cutting what cannot beat the best solution so far.

    Requires: apply, is_goal; to maximise also upper_bound. Costs, or gains, of 0 or more. Every sequence of moves must come to an
    end, as where each move adds a part to something; where moves lead round in circles take ida_star or a_star.
    Uses: lower_bound (when it minimises; admissible), preview, undo, inverse, follows.

    Among the best solutions the lexicographically first in move order is returned. Stopped early, the best so far is returned as
    `feasible`, and `solution.bound` is the bound of the start: the optimum lies between the two. `start`: a state or a list of
    states.

    Time O(all paths that are not cut), memory O(the longest path).

    Raises TypeError for a missing operation or a start of the wrong form, CostError for a negative cost, Interrupted on Ctrl-C.
    Source: A. H. Land and A. G. Doig, An automatic method of solving discrete programming problems, Econometrica 28 (1960).
    """
    mode = MaximisingMode() if maximise else MinimisingMode()
    return run(ContourSearch("branch_and_bound", mode, problem, start, options), options)
