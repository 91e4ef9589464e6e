"""`solve` picks an engine by what the problem defines, and says which and why."""

import random

import numpy as np
import pytest

import bestfirst
from bestfirst import CostError, Limits, Status
from problems import PlainTiles, graph, numbers, scrambled, tiles


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


def test_a_search_that_fell_back_to_a_star_is_resumed(tmp_path):
    length = 3000
    edges = [[(v + 1, 1 + v % 2)] for v in range(length)] + [[]]
    instance, file = graph(edges, {length}), tmp_path / "search"
    whole = bestfirst.solve(instance, 0)
    stopped = bestfirst.solve(instance, 0, limits=Limits(nodes=2000), checkpoint=file)
    assert stopped.stopped_by == "nodes"
    resumed = bestfirst.solve(instance, 0, resume=file)
    assert (resumed.cost, resumed.engine, resumed.stats.generated) == (whole.cost, "a_star", whole.stats.generated)


def test_an_interrupted_solution_says_why_the_engine_was_chosen():
    with pytest.raises(bestfirst.Interrupted) as stop:
        bestfirst.solve(numbers(1 << 30), 0, interrupted=lambda: True)
    assert "A* expands" in stop.value.solution.why
