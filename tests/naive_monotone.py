"""Slow twins for missile defence: all ways to give each missile to a part, and the question as CP-SAT sees it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence


def fewest_parts(heights: Sequence[int]) -> int:
    """Give each missile to each part that can take it, or begin a part for it. Exponential: up to about 9 missiles."""
    best = len(heights)

    def give(number: int, parts: list[list[int]]) -> None:
        nonlocal best
        if len(parts) >= best:
            return
        if number == len(heights):
            best = len(parts)
            return
        for part in parts:
            if is_monotone([*part, heights[number]]):
                part.append(heights[number])
                give(number + 1, parts)
                part.pop()
        give(number + 1, [*parts, [heights[number]]])

    give(0, [])
    return best


def is_monotone(heights: Sequence[int]) -> bool:
    pairs = list(itertools.pairwise(heights))
    return all(a < b for a, b in pairs) or all(a > b for a, b in pairs)


def fewest_parts_by_subsets(heights: Sequence[int]) -> int:
    """For each set of missiles that increasing parts take: the longest chains that keep parts apart. O(2^n × n^2)."""
    n = len(heights)

    def longest(chosen: list[int], apart) -> int:
        lengths: list[int] = []
        for at, height in enumerate(chosen):
            lengths.append(1 + max((lengths[i] for i in range(at) if apart(chosen[i], height)), default=0))
        return max(lengths, default=0)

    return min(
        longest([heights[i] for i in range(n) if chosen >> i & 1], lambda a, b: a >= b)
        + longest([heights[i] for i in range(n) if not chosen >> i & 1], lambda a, b: a <= b)
        for chosen in range(1 << n)
    )


def fewest_parts_by_cp_sat(heights: Sequence[int], at_most: int) -> int:
    """Each missile gets a part below `at_most`; each part gets a direction; pairs that go the other way are apart."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    n = len(heights)
    takes = [[model.new_bool_var("") for _ in range(at_most)] for _ in range(n)]
    rises = [model.new_bool_var("") for _ in range(at_most)]
    used = [model.new_bool_var("") for _ in range(at_most)]
    for row in takes:
        model.add_exactly_one(row)
        for part in range(at_most):
            model.add_implication(row[part], used[part])
    for i in range(n):
        for j in range(i + 1, n):
            for part in range(at_most):
                both = [takes[i][part].negated(), takes[j][part].negated()]
                if heights[i] <= heights[j]:
                    model.add_bool_or([*both, rises[part]])
                if heights[i] >= heights[j]:
                    model.add_bool_or([*both, rises[part].negated()])
    model.minimize(sum(used))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value)
