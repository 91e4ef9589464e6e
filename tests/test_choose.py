"""`solve` picks an engine by what the problem defines, and says which and why."""

import random

import numpy as np
import pytest

import bestfirst
from bestfirst import CostError, Limits, Status
from problems import PlainTiles, graph, scrambled, tiles


@pytest.mark.parametrize(
    ("instance", "start", "engine", "reason"),
    [
        (tiles(3, 2), None, "ida_star", "IDA* needs next to no memory"),
        (tiles(3, 2, PlainTiles), None, "a_star", "expands only states that the bound does not rule out"),
        (graph([[(1, 1)], [(2, 1)], []], {2}), 0, "breadth_first", "its moves cost the same"),
        (graph([[(1, 1), (2, 9)], [(2, 2)], []], {2}), 0, "a_star", "uniform-cost search"),
    ],
)
def test_the_engine_follows_from_what_is_defined(instance, start, engine, reason):
    if start is None:
        start = scrambled(instance, random.Random(1), 20)
    solution = bestfirst.solve(instance, start, compiled=False)
    assert solution.status is Status.OPTIMAL
    assert solution.engine == engine
    assert reason in solution.why


def test_options_are_passed_on():
    start = np.array([0, 2, 1, 3, 4, 5, 6, 7, 8, 0], np.int8)
    for kind in (tiles(3, 3), tiles(3, 3, PlainTiles)):
        solution = bestfirst.solve(kind, start, compiled=False, limits=Limits(nodes=500))
        assert solution.stopped_by == "nodes"
        assert solution.why


def test_costs_that_no_engine_takes_are_refused():
    with pytest.raises(CostError, match="negative"):
        bestfirst.solve(graph([[(1, -1)], []], {1}), 0, compiled=False)
    with pytest.raises(TypeError, match=r"put @bestfirst\.problem on its class"):
        bestfirst.solve(object(), 0)
