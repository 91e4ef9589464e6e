"""All optimal solutions, compiled and on plain values, against two naive twins; what must not be counted, or not be answered."""

import itertools
import math
import random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst
import naive
import naive_optimal_solutions as naive_optimal
import test_plain
from bestfirst import BrokenProblem, CostError, Limits, Status, checkpoint, plain
from bestfirst.control import FULL, PAUSED
from bestfirst.search import optimal_solutions as module
from bestfirst.search.optimal_solutions import OptimalSolutionsSearch
from problems import MAX_COST, Pancakes, PlainTiles, Switches, graph, numbers, problem, random_graph, scrambled, shuffled, tiles
from test_engines import both, graphs, lexicographic_a_star, with_bound

pytestmark = pytest.mark.slow  # compiles many problems


def ladder(length, rungs=2):
    """A path of `length` steps, each of which can be made in `rungs` ways."""
    return graph([[(i + 1, 1)] * rungs for i in range(length)] + [[]], {length})


def grid(side):
    """Ways from one corner of a square to the other, right and down."""
    cells = range(side * side)
    edges = [
        [(cell + step, 1) for step, inside in ((1, (cell + 1) % side), (side, cell + side in cells)) if inside] for cell in cells
    ]
    return graph(edges, {side * side - 1})


def verify(case, start=0):
    """Count and list agree with the enumeration, or both say that there is no end of them."""
    instance, successors, is_goal = case
    expected = naive_optimal.all_optimal(start, successors, is_goal)
    if expected is None:
        for compiled in (True, False):
            with pytest.raises(ValueError, match="infinitely many"):
                bestfirst.count_optimal(instance, start, compiled=compiled)
            with pytest.raises(ValueError, match="infinitely many"):
                next(bestfirst.all_optimal(instance, start, compiled=compiled))
        return
    solution = both(bestfirst.count_optimal, instance, start)
    assert solution.count == len(expected)
    assert solution.moves == (expected[0] if expected else None)
    assert solution.status is (Status.OPTIMAL if expected else Status.INFEASIBLE)
    assert solution.cost == naive.least_cost(start, successors, is_goal)
    for compiled in (True, False):
        assert list(bestfirst.all_optimal(instance, start, compiled=compiled)) == expected


@given(graphs())
def test_random_graphs(case):
    verify(case)


@given(graphs(least=0, most=1))
def test_random_graphs_with_moves_that_cost_nothing(case):
    verify(case)


def test_many_graphs_with_bounds_that_lead_astray():
    rng = random.Random(21)
    endless = 0
    for _ in range(400):
        edges, goals = random_graph(rng, vertices=8, least=rng.randint(0, 1), most=rng.choice((1, 3)))
        case = with_bound(edges, goals, [2 * rng.randint(0, 4) for _ in edges])
        instance, successors, is_goal = case
        expected = naive_optimal.all_optimal(0, successors, is_goal)
        if expected is None:
            endless += 1
            with pytest.raises(ValueError, match="infinitely many"):
                bestfirst.count_optimal(instance, 0)
        else:
            assert bestfirst.count_optimal(instance, 0).count == len(expected)
            assert list(bestfirst.all_optimal(instance, 0)) == expected
    assert endless > 10


def test_larger_graphs_by_a_second_method():
    rng = random.Random(22)
    largest = 0
    for _ in range(40):
        n = rng.randint(30, 80)
        edges = [[(min(n - 1, v + rng.randint(1, 4)), rng.randint(1, 2)) for _ in range(4)] for v in range(n - 1)] + [[]]
        instance, successors, is_goal = with_bound(edges, {n - 1}, [2 * rng.randint(0, 9) for _ in range(n)])
        expected = naive_optimal.count_optimal(0, successors, is_goal)
        assert bestfirst.count_optimal(instance, 0).count == expected
        assert plain.count_optimal(0, successors, is_goal).count == expected
        largest = max(largest, expected)
    assert largest > 10_000


@given(test_plain.graphs(least=0, most=3))
def test_plain_values(case):
    successors, is_goal, lower_bound = case
    expected = naive_optimal.all_optimal("v0", successors, is_goal)
    for bound in (None, lower_bound):
        if expected is None:
            with pytest.raises(ValueError, match="infinitely many"):
                plain.count_optimal("v0", successors, is_goal, bound)
            continue
        solution = plain.count_optimal("v0", successors, is_goal, bound)
        assert solution.count == len(expected)
        assert solution.moves == (expected[0] if expected else None)
        assert solution.cost == naive.least_cost("v0", successors, is_goal)
        assert list(plain.all_optimal("v0", successors, is_goal, bound)) == expected


# --- known answers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [1, 2, 3, 10, 17, 33, 34, 40])
def test_ways_through_a_square(side):
    expected = math.comb(2 * side - 2, side - 1)
    assert bestfirst.count_optimal(grid(side), 0).count == expected
    successors, is_goal = naive.rules(grid(side), 2)
    assert plain.count_optimal(0, successors, is_goal).count == expected


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 62, 63, 64, 65, 127, 128, 129, 300])
def test_numbers_beyond_64_bits_are_exact(length):
    solution = both(bestfirst.count_optimal, ladder(length), 0)
    assert solution.count == 2**length
    assert solution.moves == (0,) * length


def test_a_sum_of_four_large_numbers_carries():
    assert bestfirst.count_optimal(ladder(81, rungs=3), 0).count == 3**81
    assert bestfirst.count_optimal(ladder(30, rungs=255), 0).count == 255**30


@pytest.mark.parametrize("size", [1, 4, 6])
def test_every_order_of_moves_that_commute_is_a_solution(size):
    """`follows` lets the search try one order only."""
    lamps = Switches(np.array([1 << i for i in range(size)]), np.ones(size, np.int64), (1 << size) - 1)
    solution = both(bestfirst.count_optimal, lamps, 0)
    assert solution.count == math.factorial(size)
    assert list(bestfirst.all_optimal(lamps, 0)) == list(itertools.permutations(range(size)))


@given(st.lists(st.tuples(st.integers(0, 15), st.integers(0, 2)), min_size=1, max_size=5), st.integers(0, 15))
def test_follows_and_inverse_hide_no_solution(switches, goal):
    lamps = Switches(np.array([m for m, _ in switches]), np.array([p for _, p in switches]), goal)
    successors, is_goal = naive.rules(lamps, len(switches))
    verify((lamps, successors, is_goal))


def test_sliding_tiles_against_a_second_method():
    puzzle = tiles(3, 2)
    successors, is_goal = naive.rules(tiles(3, 2, PlainTiles), 4)
    rng = random.Random(5)
    starts = [scrambled(puzzle, rng, 40) for _ in range(25)]
    starts.sort(key=lambda start: bestfirst.count_optimal(puzzle, start).count)
    counts = set()
    for start in (starts[0], *starts[-2:]):
        position = tuple(start.tolist())
        solution = bestfirst.count_optimal(puzzle, start)
        assert solution.count == naive_optimal.count_optimal(position, successors, is_goal)
        assert solution.moves == lexicographic_a_star(puzzle, start).moves
        listed = list(bestfirst.all_optimal(puzzle, start))
        assert listed == sorted(set(listed))
        assert len(listed) == solution.count
        for moves in listed:
            state, cost = naive.follow(position, successors, moves)
            assert is_goal(state)
            assert cost == solution.cost
        counts.add(solution.count)
    assert len(counts) > 1


def test_one_of_the_hardest_eight_puzzle_positions_against_layers_of_a_dictionary():
    start = (8, 0, 6, 5, 4, 7, 2, 3, 1)
    ways, known, depth = {start: 1}, set(), 0
    while tuple(range(9)) not in ways:
        known |= ways.keys()
        following = {}
        for cells, number in ways.items():
            blank = cells.index(0)
            for other in range(9):
                if abs(blank // 3 - other // 3) + abs(blank % 3 - other % 3) == 1:
                    child = list(cells)
                    child[blank], child[other] = child[other], 0
                    if tuple(child) not in known:
                        following[tuple(child)] = following.get(tuple(child), 0) + number
        ways, depth = following, depth + 1
    solution = bestfirst.count_optimal(tiles(3, 3), np.array([*start, 1], np.int8))
    assert (solution.cost, solution.count) == (depth, ways[tuple(range(9))]) == (31, 40)


# --- what counts ------------------------------------------------------------------------------------------------------------


def test_moves_to_the_same_state_are_different_solutions():
    assert list(bestfirst.all_optimal(ladder(2, 2), 0)) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_a_solution_ends_in_the_first_goal_it_reaches():
    instance = graph([[(1, 2), (2, 2)], [(2, 0), (1, 0)], []], {1, 2})  # a move of cost 0 from goal to goal, and one in place
    assert list(bestfirst.all_optimal(instance, 0)) == [(0,), (1,)]
    assert bestfirst.count_optimal(instance, 0).count == 2
    successors, is_goal = naive.rules(instance, 2)
    assert list(plain.all_optimal(0, successors, is_goal)) == [(0,), (1,)]


def test_a_start_that_is_a_goal_has_one_solution_without_moves():
    instance = graph([[(0, 0), (0, 1)]], {0})
    solution = both(bestfirst.count_optimal, instance, 0)
    assert (solution.count, solution.cost, solution.moves) == (1, 0, ())
    assert list(bestfirst.all_optimal(instance, 0)) == [()]
    assert list(plain.all_optimal(0, lambda v: [("stay", 0, 0)], lambda v: True)) == [()]


def test_without_a_solution_the_count_is_0():
    solution = both(bestfirst.count_optimal, graph([[(0, 1)], []], {1}), 0)
    assert (solution.status, solution.count) == (Status.INFEASIBLE, 0)
    assert list(bestfirst.all_optimal(graph([[(0, 1)], []], {1}), 0)) == []
    assert plain.count_optimal(0, lambda v: [], lambda v: False).count == 0
    assert list(plain.all_optimal(0, lambda v: [], lambda v: False)) == []


def test_free_cycles_beside_the_way_do_no_harm():
    edges = [[(1, 1), (2, 0)], [(4, 1)], [(3, 0)], [(2, 0)], []]  # 2 and 3 form a cycle from which no goal can be reached
    assert both(bestfirst.count_optimal, graph(edges, {4}), 0).count == 1
    edges[3].append((4, 3))  # now one can, but it costs more
    assert both(bestfirst.count_optimal, graph(edges, {4}), 0).count == 1
    edges[3][-1] = (4, 2)
    with pytest.raises(ValueError, match="infinitely many"):
        bestfirst.count_optimal(graph(edges, {4}), 0)


# --- limits, pauses, errors ---------------------------------------------------------------------------------------------------


def test_at_most_and_lazily():
    large = ladder(100)
    assert list(bestfirst.all_optimal(large, 0, 3)) == [(0,) * 100, (*(0,) * 99, 1), (*(0,) * 98, 1, 0)]
    assert len(list(itertools.islice(bestfirst.all_optimal(large, 0), 1000))) == 1000
    assert list(bestfirst.all_optimal(large, 0, 0)) == []
    assert len(list(bestfirst.all_optimal(ladder(3), 0, at_most=100))) == 8
    successors, is_goal = naive.rules(large, 2)
    assert list(plain.all_optimal(0, successors, is_goal, at_most=1)) == [(0,) * 100]
    for listing in (lambda n: bestfirst.all_optimal(large, 0, n), lambda n: plain.all_optimal(0, successors, is_goal, at_most=n)):
        with pytest.raises(ValueError, match="at_most is -1"):
            listing(-1)
        with pytest.raises(TypeError):
            listing(1.5)


def advance(search, stop_at):
    while (outcome := search.advance(stop_at)) == FULL:
        assert search.grow(None)
    return outcome


@pytest.mark.parametrize("steps", [1, 7])
def test_it_pauses_and_goes_on_in_both_phases(monkeypatch, tmp_path, steps):
    monkeypatch.setattr(module, "_STEPS", steps)
    instance = ladder(65)
    make = lambda: OptimalSolutionsSearch(instance, 0, {"compiled": False})  # noqa: E731
    search, pauses, counts = make(), 0, set()
    while advance(search, search.progress().generated + 20) == PAUSED:
        pauses += 1
        counts.add((search.count(), search.best() is not None))
        checkpoint.store(search.save(), tmp_path / "search")
        search = make()
        search.restore(checkpoint.load(tmp_path / "search"))
    assert pauses > 20
    assert {(0, False), (1, True)} <= counts
    assert search.count() == 2**65
    assert search.best() == (65, (0,) * 65)


def test_stopped_by_nodes_it_has_counted_none():
    solution = bestfirst.count_optimal(ladder(200), 0, limits=Limits(nodes=100))
    assert (solution.status, solution.count, solution.stopped_by) == (Status.STOPPED, 0, "nodes")
    successors, is_goal = naive.rules(ladder(200), 2)
    assert plain.count_optimal(0, successors, is_goal, limits=Limits(nodes=100)).count == 0


def test_stopped_by_memory_while_counting_it_has_proved_the_optimum():
    instance = ladder(1000)
    search = bestfirst.a_star(instance, 0, ties="lexicographic")
    seen = set()
    for memory in range(search.stats.peak_bytes // 3, search.stats.peak_bytes + 120_000, 15_000):
        solution = bestfirst.count_optimal(instance, 0, limits=Limits(memory=memory))
        assert solution.stats.peak_bytes <= memory
        assert solution.stopped_by == "memory"  # 2^1000 takes 128 bytes and more for each state
        if solution.moves is None:
            assert solution.count == 0
        else:
            assert (solution.status, solution.count, solution.cost, solution.bound) == (Status.FEASIBLE, 1, 1000, 1000)
        seen.add(solution.count)
    assert seen == {0, 1}


def test_listing_without_memory_is_no_short_list(monkeypatch):
    monkeypatch.setattr("bestfirst.control.free_memory", lambda: 10_000)
    with pytest.raises(MemoryError, match="all optimal solutions"):
        list(bestfirst.all_optimal(ladder(5000), 0))


def test_costs_are_refused_as_by_a_star():
    for compiled in (True, False):
        with pytest.raises(CostError, match="negative"):
            bestfirst.count_optimal(graph([[(1, -1)], []], {1}), 0, compiled=compiled)
        with pytest.raises(CostError, match=r"2\^40"):
            bestfirst.count_optimal(graph([[(1, MAX_COST + 1)], []], {1}), 0, compiled=compiled)
    assert bestfirst.count_optimal(graph([[(1, MAX_COST), (1, MAX_COST)], []], {1}), 0).count == 2
    assert bestfirst.count_optimal(numbers(3), 0).count == 1


def test_follows_that_hides_a_state_is_seen():
    @problem(state=int)
    class Narrow(NamedTuple):
        goal: int

        moves = 3

        def apply(self, state, move):
            return state + move + 1, 1

        def is_goal(self, state):
            return state >= self.goal

        def follows(self, state, last, move):
            return move != last

    for compiled in (True, False):
        with pytest.raises(BrokenProblem, match="follows"):
            bestfirst.count_optimal(Narrow(9), 0, compiled=compiled)


def test_a_bound_that_overestimates_is_seen_when_it_leaves_no_way():
    instance = graph([[(1, 1)], []], {1}, bound=[10, 0])
    for compiled in (True, False):
        with pytest.raises(BrokenProblem, match="lower_bound"):
            bestfirst.count_optimal(instance, 0, compiled=compiled)
    with pytest.raises(BrokenProblem, match="lower_bound"):
        plain.count_optimal(0, lambda v: [("go", 1, 1)], lambda v: v == 1, lambda v: 10 - 10 * v)


def test_arrays_as_states():
    stack = Pancakes(4)
    rng = random.Random(3)
    successors, is_goal = naive.rules(stack, 3)
    for _ in range(5):
        start = shuffled(4, rng.randrange(1000))
        expected = naive_optimal.all_optimal(tuple(start.tolist()), successors, is_goal)
        assert both(bestfirst.count_optimal, stack, start).count == len(expected)
        assert list(bestfirst.all_optimal(stack, start)) == expected
