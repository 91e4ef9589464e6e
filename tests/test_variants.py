"""Other goals and banned moves, against the naive twins, in engines of each kind."""

import random

import numpy as np
import pytest

import bestfirst
import naive
from bestfirst import Status
from bestfirst.operations import defines
from problems import graph, random_graph, scrambled, tiles

pytestmark = pytest.mark.slow  # compiles many problems


@pytest.mark.parametrize("engine", [bestfirst.a_star, bestfirst.uniform_cost, bestfirst.ida_star])
def test_banned_moves_of_random_graphs(engine):
    rng = random.Random(1)
    for _ in range(150):
        edges, goals = random_graph(rng)
        edges = [[(child, cost) for child, cost in out if child > state] for state, out in enumerate(edges)]
        instance = graph(edges, goals, [0] * len(edges))
        banned = {move for move in range(instance.degree) if rng.random() < 0.3}

        def successors(state, edges=edges, banned=banned):
            return [(k, child, cost) for k, (child, cost) in enumerate(edges[state]) if k not in banned]

        least = naive.least_cost(0, successors, goals.__contains__)
        solution = engine(bestfirst.without_moves(instance, banned), 0)
        assert solution.cost == least
        assert least is None or banned.isdisjoint(solution.moves)


@pytest.mark.parametrize("compiled", [True, False])
def test_tiles_without_a_move_and_with_other_goals(compiled):
    rng = random.Random(2)
    puzzle = tiles(2, 3)
    for _ in range(5):
        start, goals = scrambled(puzzle, rng, 12), [scrambled(puzzle, rng, 12) for _ in range(3)]
        variant = bestfirst.with_goals(puzzle, goals)
        assert not defines(variant, "lower_bound")
        assert defines(variant, "inverse")
        solution = bestfirst.breadth_first(variant, start, compiled=compiled)
        among = {tuple(goal.tolist()) for goal in goals}
        successors = naive.array_rules(puzzle, start.dtype)
        assert solution.cost == naive.least_cost(tuple(start.tolist()), successors, among.__contains__)
        assert tuple(list(solution.states())[-1].tolist()) in among
        up = bestfirst.without_moves(puzzle, ["U"])
        assert bestfirst.ida_star(up, start, compiled=compiled, limits=bestfirst.Limits(nodes=5000)).moves is None or (
            0 not in bestfirst.ida_star(up, start, compiled=compiled).moves
        )
        assert bestfirst.solve(variant, goals[0]).cost == 0


def test_both_at_once_and_names():
    puzzle = tiles(2, 3)
    start = scrambled(puzzle, random.Random(3), 10)
    variant = bestfirst.without_moves(bestfirst.with_goals(puzzle, start), ["L", 3])
    assert bestfirst.solve(variant, start).cost == 0
    assert bestfirst.check_problem(variant, start).ok


def test_integer_goals_and_mistakes():
    instance = graph([[(1, 1)], [(2, 1)], []], {0})
    assert bestfirst.solve(bestfirst.with_goals(instance, [2, 1]), 0).cost == 1
    assert bestfirst.solve(bestfirst.with_goals(instance, 2), 0).cost == 2
    assert bestfirst.solve(bestfirst.with_goals(instance, [2]), [1, 0]).cost == 1
    assert bestfirst.solve(bestfirst.with_goals(instance, 7), 0).status is Status.INFEASIBLE
    with pytest.raises(ValueError, match="at least one goal"):
        bestfirst.with_goals(instance, [])
    with pytest.raises(ValueError, match="there is no move 9"):
        bestfirst.without_moves(instance, [9])
    with pytest.raises(ValueError, match="there is no move 'fly'"):
        bestfirst.without_moves(instance, ["fly"])
    with pytest.raises(TypeError, match="one length"):
        bestfirst.with_goals(tiles(2, 3), [np.zeros(3, np.int8), np.zeros(4, np.int8)])
