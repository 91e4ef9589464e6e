"""Pancake sorting beside DIDPPy, a solver for problems stated as dynamic programs, on the same model with the same bound."""

from __future__ import annotations

import pathlib
import random
from typing import Any

import didppy
import numpy as np
from examples.pancakes import Pancakes

import bestfirst
from benchmarks.report import Table, timed

SIZES = (14, 20, 40)
STACKS = 10


def run(data: pathlib.Path | None) -> list[Table]:
    rows: list[list[Any]] = []
    for size in SIZES:
        rng = random.Random(size)
        stacks = [rng.sample(range(size), size) for _ in range(STACKS)]
        problem = Pancakes(size)
        optima = {}
        for engine in (bestfirst.a_star, bestfirst.ida_star):
            engine(problem, np.arange(size, dtype=np.int8))
            nodes, seconds, optima[engine] = 0, 0.0, []
            for stack in stacks:
                solution, used = timed(lambda e=engine, p=problem, s=stack: e(p, np.array(s, np.int8)))
                nodes, seconds = nodes + solution.stats.expanded, seconds + used
                optima[engine].append(solution.cost)
            rows.append([size, f"bestfirst {engine.__name__}", nodes // STACKS, seconds / STACKS * 1000])
        nodes, seconds, found = 0, 0.0, []
        for stack in stacks:
            solution, used = timed(lambda s=stack: didppy.CAASDy(model(s), quiet=True).search())
            assert solution.is_optimal
            nodes, seconds = nodes + solution.expanded, seconds + used
            found.append(solution.cost)
        rows.append([size, "DIDPPy CAASDy", nodes // STACKS, seconds / STACKS * 1000])
        assert found == optima[bestfirst.a_star] == optima[bestfirst.ida_star]
    notes = (
        f"Means over {STACKS} random stacks of each size, optima equal. Ours is `examples/pancakes.py`; for DIDPPy each place holds a"
        " number, a turn is a transition, the gap bound a dual bound; CAASDy is its A*. (CABS, its anytime search, found no"
        " solution of 20 pancakes within 20 seconds.) The time for DIDPPy includes building the model from Python, for ours compilation is left out, as in all tables."
    )
    return [Table("Pancakes beside DIDPPy", notes, ["pancakes", "program", "expansions", "milliseconds"], rows)]


def model(stack: list[int]) -> didppy.Model:
    """Pancake sorting for DIDPPy: one element variable a place, the plate below them fixed."""
    size = len(stack)
    m = didppy.Model()
    sizes = m.add_object_type(number=size + 1)
    place = [m.add_element_var(object_type=sizes, target=pancake) for pancake in stack]
    for turned in range(2, size + 1):
        effects = [(place[i], place[turned - 1 - i]) for i in range(turned)]
        m.add_transition(didppy.Transition(name=str(turned), cost=1 + didppy.IntExpr.state_cost(), effects=effects))
    m.add_base_case([place[i] == i for i in range(size)])
    gaps = m.add_int_table([[int(abs(a - b) > 1) for b in range(size + 1)] for a in range(size + 1)])
    m.add_dual_bound(sum((gaps[place[i], place[i + 1]] for i in range(size - 1)), gaps[place[size - 1], size]))
    return m
