"""Slow twins for bus schedules: lines from the first arrival on, and whole numbers of each line as CP-SAT finds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def fewest_lines(arrivals: Sequence[int]) -> int | None:
    """The first arrival that is left must be the first of its line: try all intervals. Exponential. None when nothing does."""
    if not arrivals:
        return 0
    first = min(arrivals)
    best = None
    for interval in range(first + 1, 60 - first):
        rest = list(arrivals)
        try:
            for minute in range(first, 60, interval):
                rest.remove(minute)
        except ValueError:
            continue
        more = fewest_lines(rest)
        if more is not None and (best is None or more + 1 < best):
            best = more + 1
    return best


def fewest_lines_by_cp_sat(arrivals: Sequence[int]) -> int | None:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    observed = Counter(arrivals)
    taken = {
        (first, interval): model.new_int_var(0, len(arrivals), "")
        for first in range(60)
        for interval in range(first + 1, 60 - first)
        if all(observed[minute] for minute in range(first, 60, interval))
    }
    for minute in range(60):
        model.add(sum(taken[line] for line in taken if minute in range(line[0], 60, line[1])) == observed[minute])
    model.minimize(sum(taken.values()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    assert status == cp_model.OPTIMAL
    return round(solver.objective_value)
