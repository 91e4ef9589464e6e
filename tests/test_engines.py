"""The compiled engines against the naive twins: cost, status, moves, tie rule; compiled and interpreted with equal counts."""

import random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst
import naive
from bestfirst import CostError, Limits, Status
from bestfirst.control import run
from bestfirst.replay import cost_of, replay
from bestfirst.search import a_star as a_star_module
from bestfirst.search.a_star import AStarMode, AStarSearch
from bestfirst.store.queues import HeapQueue
from problems import (
    MAX_COST,
    UNREACHABLE,
    Line,
    Pancakes,
    PlainTiles,
    Switches,
    Tiles,
    graph,
    numbers,
    problem,
    random_graph,
    scrambled,
    shuffled,
    tiles,
)

pytestmark = pytest.mark.slow  # compiles many problems


def lexicographic_a_star(problem, start, **options):
    return bestfirst.a_star(problem, start, ties="lexicographic", **options)


#: Engines that find the lexicographically first of the best solutions when every cost is at least 1.
LEXICOGRAPHIC = [bestfirst.ida_star, bestfirst.iterative_deepening, lexicographic_a_star]


def answer(solution):
    """All that must not depend on how a search is run."""
    s = solution.stats
    counts = (s.expanded, s.generated, s.duplicates, s.pruned, s.reopened)
    return solution.status, solution.cost, solution.moves, solution.bound, counts


def both(engine, problem, start, *args, **options):
    """The answer compiled, after a check that the interpreter gives the same one with the same counts."""
    compiled = engine(problem, start, *args, compiled=True, **options)
    interpreted = engine(problem, start, *args, compiled=False, **options)
    assert answer(compiled) == answer(interpreted)
    return compiled


def verify(solution, problem, start, least):
    """The solution is a best one, and its moves are real."""
    if least is None:
        assert solution.status is Status.INFEASIBLE
        assert solution.cost is solution.moves is solution.bound is None
        return
    assert solution.status is Status.OPTIMAL
    assert solution.cost == solution.bound == least
    assert cost_of(problem, start, solution.moves) == least
    *_, last = replay(problem, start, solution.moves)
    assert problem.is_goal(last)


@st.composite
def graphs(draw, least=1, most=5):
    """An InformedGraph of up to seven vertices and its plain edges; the bound is admissible, seldom consistent."""
    n = draw(st.integers(1, 7))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.lists(st.tuples(vertex, st.integers(least, most)), max_size=4), min_size=n, max_size=n))
    goals = draw(st.sets(vertex, max_size=2))
    return with_bound(edges, goals, draw(st.lists(st.integers(0, 9), min_size=n, max_size=n)))


def with_bound(edges, goals, slack):
    """True distances less `slack`; UNREACHABLE where no goal is in reach, if the slack is even."""

    def successors(state):
        return [(k, child, cost) for k, (child, cost) in enumerate(edges[state])]

    bound = []
    for state, less in enumerate(slack):
        distance = naive.least_cost(state, successors, goals.__contains__)
        bound.append(max(0, distance - less) if distance is not None else 0 if less % 2 else UNREACHABLE)
    return graph(edges, goals, bound), successors, goals.__contains__


# --- random graphs --------------------------------------------------------------------------------------------------------


@given(graphs(least=0))
def test_a_star_finds_a_cheapest_solution(case):
    instance, successors, is_goal = case
    verify(both(bestfirst.a_star, instance, 0), instance, 0, naive.least_cost(0, successors, is_goal))


@given(graphs(least=0))
def test_the_tie_rule_does_not_change_the_cost_when_moves_are_free(case):
    instance, successors, is_goal = case
    verify(both(lexicographic_a_star, instance, 0), instance, 0, naive.least_cost(0, successors, is_goal))


@pytest.mark.parametrize("engine", LEXICOGRAPHIC)
def test_cheapest_and_first_in_move_order(engine):
    @given(graphs())
    def check(case):
        instance, successors, is_goal = case
        least = naive.least_cost(0, successors, is_goal)
        # Without a bound that tells dead ends, a depth-first engine never gives up where paths go on for ever.
        endless = engine is bestfirst.iterative_deepening or 0 in instance.bound
        limits = Limits(nodes=300) if least is None and endless and engine is not lexicographic_a_star else None
        solution = both(engine, instance, 0, limits=limits)
        if limits is not None and solution.status is Status.STOPPED:
            return
        verify(solution, instance, 0, least)
        if least is not None:
            assert solution.moves == naive.first_solution(0, successors, is_goal, least)

    check()


@given(graphs(least=1, most=1))
def test_breadth_first_finds_the_first_of_the_shortest(case):
    instance, successors, is_goal = case
    least = naive.least_cost(0, successors, is_goal)
    solution = both(bestfirst.breadth_first, instance, 0)
    verify(solution, instance, 0, least)
    if least is not None:
        assert solution.moves == naive.first_solution(0, successors, is_goal, least)


@pytest.mark.parametrize("exact", [False, True])
def test_depth_first_finds_the_first_solution_within_a_cost(exact):
    @given(graphs(), st.integers(0, 12))
    def check(case, cost):
        instance, successors, is_goal = case
        solution = both(bestfirst.depth_first, instance, 0, cost, exact=exact)
        expected = naive.first_solution(0, successors, is_goal, cost, exact)
        assert solution.moves == expected
        if expected is None:
            assert solution.status is Status.INFEASIBLE
            return
        assert solution.status is (Status.OPTIMAL if exact else Status.FEASIBLE)
        assert solution.cost == cost_of(instance, 0, solution.moves) <= cost
        assert not exact or solution.cost == cost
        assert solution.bound <= naive.least_cost(0, successors, is_goal) or exact

    check()


def test_depth_first_does_not_depend_on_the_memory_for_its_table():
    rng = random.Random(3)
    for _ in range(5):
        edges = [[(rng.randrange(30), rng.randint(1, 3)) for _ in range(4)] for _ in range(30)]
        instance, *_ = with_bound(edges, {29}, [99] * 30)
        roomy = bestfirst.depth_first(instance, 0, 14, exact=True)
        room = roomy.stats.peak_bytes // 2
        tight = bestfirst.depth_first(instance, 0, 14, exact=True, limits=Limits(memory=max(room, 60_000)))
        assert (tight.status, tight.moves) == (roomy.status, roomy.moves)


@pytest.mark.parametrize("engine", [bestfirst.a_star, lexicographic_a_star, bestfirst.ida_star])
def test_many_graphs_with_bounds_that_lead_astray(engine):
    rng = random.Random(engine.__name__)
    for _ in range(400):
        edges, goals = random_graph(rng, vertices=9, most=9)
        instance, successors, is_goal = with_bound(edges, goals, [2 * rng.randint(0, 8) for _ in edges])
        least = naive.least_cost(0, successors, is_goal)
        solution = engine(instance, 0)
        verify(solution, instance, 0, least)
        if least is not None and engine is not bestfirst.a_star:
            assert solution.moves == naive.first_solution(0, successors, is_goal, least)


def test_a_star_expands_nothing_that_cannot_be_better():
    """Behind the goal, and at its f, there is a state that must be left alone."""
    instance = graph([[(1, 1), (2, 1)], [(1, 1)], [(2, 1)]], {1}, [1, 0, 0])
    assert both(bestfirst.a_star, instance, 0).stats.expanded == 1
    assert both(bestfirst.a_star, instance, 1).stats.expanded == 0


# --- bounds that are not consistent ------------------------------------------------------------------------------------------


def test_the_smallest_graph_where_a_search_that_does_not_reopen_is_wrong():
    # Start -1-> A -1-> B -3-> goal, start -3-> B. The bound of A is 4, of all others 0: B is expanded at cost 3 first.
    edges = [[(2, 3), (1, 1)], [(2, 1)], [(3, 3)], []]
    instance = graph(edges, {3}, [0, 4, 0, 0])
    for engine in (bestfirst.a_star, lexicographic_a_star, bestfirst.ida_star):
        solution = both(engine, instance, 0)
        assert (solution.cost, solution.moves) == (5, (1, 0, 0))
    assert bestfirst.a_star(instance, 0).stats.reopened == 1


def test_reopening_in_martellis_family_costs_exponential_work_and_keeps_the_optimum():
    # A. Martelli, Artificial Intelligence 8 (1977): with such bounds A* expands about 2^n states.
    n = 6
    edges = [[] for _ in range(n + 1)]
    for i in range(2, n + 1):
        for j in range(1, i):
            edges[i].append((j, 2 ** (i - 2) - 2 ** (j - 1) + i - j))
    edges[1].append((0, 2 ** (n - 1) + n))
    bound = [0, *(2 ** (n - 1) + 2 ** (n - 1) - 2 ** (i - 1) + n - i + 1 for i in range(1, n + 1))]

    def successors(state):
        return [(k, child, cost) for k, (child, cost) in enumerate(edges[state])]

    true = [naive.least_cost(state, successors, lambda s: s == 0) for state in range(n + 1)]
    instance = graph(edges, {0}, [min(b, t) for b, t in zip(bound, true, strict=True)])
    verify(both(bestfirst.a_star, instance, n), instance, n, true[n])


# --- costs -----------------------------------------------------------------------------------------------------------------


def two_steps(first, second=1):
    return graph([[(1, first)], [(2, second)], []], {2}, [0, 0, 0])


@pytest.mark.parametrize("engine", [*LEXICOGRAPHIC, bestfirst.a_star])
def test_the_largest_cost_is_right_and_one_more_is_refused(engine):
    assert both(engine, two_steps(MAX_COST), 0).cost == 1 << 40
    for compiled in (True, False):
        with pytest.raises(CostError, match=r"more than 2\^40 - 1"):
            engine(two_steps(MAX_COST + 1), 0, compiled=compiled)


@pytest.mark.parametrize("engine", [*LEXICOGRAPHIC, bestfirst.a_star, bestfirst.breadth_first])
def test_negative_costs_are_refused(engine):
    for compiled in (True, False):
        with pytest.raises(CostError, match="negative"):
            engine(two_steps(-1), 0, compiled=compiled)


@pytest.mark.parametrize("engine", [bestfirst.ida_star, bestfirst.iterative_deepening])
def test_engines_without_a_memory_refuse_a_cost_of_0(engine):
    for compiled in (True, False):
        with pytest.raises(CostError, match="costs 0"):
            engine(two_steps(0), 0, compiled=compiled)


def test_breadth_first_refuses_unequal_costs_but_any_equal_ones_will_do():
    for compiled in (True, False):
        with pytest.raises(CostError, match="differ in cost"):
            bestfirst.breadth_first(two_steps(1, 2), 0, compiled=compiled)
    for cost in (0, 7, MAX_COST):
        assert both(bestfirst.breadth_first, two_steps(cost, cost), 0).cost == 2 * cost


def test_a_wide_range_of_costs_moves_the_queue_to_a_heap():
    rng = random.Random(8)
    for _ in range(10):
        n = 40
        edges = [[(rng.randrange(n), rng.choice((1, 1 << 10, MAX_COST))) for _ in range(3)] for _ in range(n)]
        instance, successors, is_goal = with_bound(edges, {n - 1}, [0 if rng.random() < 0.2 else 10**15] * n)
        least = naive.least_cost(0, successors, is_goal)
        verify(both(bestfirst.a_star, instance, 0), instance, 0, least)
        verify(both(lexicographic_a_star, instance, 0), instance, 0, least)
    search = AStarSearch("a_star", AStarMode(), two_steps(1 << 30), 0, {"compiled": True})
    assert run(search, {}).cost == (1 << 30) + 1
    assert isinstance(search.queue, HeapQueue)


# --- growth: every array of a search fills up at some time --------------------------------------------------------------------


def test_an_expansion_broken_off_for_want_of_room_is_finished():
    # Table, entries and keys of the queue run out within one expansion. Each of the 300 spokes leads to a way of its own.
    rng = random.Random(5)
    for spokes in (120, 200, 250, 254, 255, 300):
        edges = [[(1 + i, rng.randint(1, 200)) for i in range(spokes)]]
        edges += [[(1 + spokes + i, rng.randint(1, 5000)) for _ in range(rng.randint(1, 3))] for i in range(spokes)]
        edges += [[(1 + 2 * spokes, rng.randint(1, 5000))] for _ in range(spokes)]
        edges += [[]]
        instance, successors, is_goal = with_bound(edges, {1 + 2 * spokes}, [10**9] * (2 * spokes + 2))
        solution = both(bestfirst.a_star, instance, 0)
        verify(solution, instance, 0, naive.least_cost(0, successors, is_goal))


def test_an_expansion_is_not_lost_when_table_and_queue_are_full_at_once():
    # In the middle of an expansion the next key is too high for the queue, the table is so full that it is enlarged first,
    # and the queue has no entries left for a whole expansion either: three rounds of growing for one expansion.
    search = AStarSearch("a_star", AStarMode(), fan(24), 0, {"compiled": False})
    shrink(search, rows=24 + 1)
    solution = run(search, {})
    assert solution.cost == 501


def fan(width):
    """The start has `width` children, the last of which, at a high cost, is the only one that leads to the goal: 501 in all."""
    out = [(1 + i, 1) for i in range(width - 1)] + [(width, 500)]
    return graph([out, *[[] for _ in range(width - 1)], [(width + 1, 1)], []], {width + 1}, [0] * (width + 2))


def shrink(search, rows):
    """Give a search that has not begun arrays of just this many rows."""
    m = search.memory
    search.memory = m._replace(**{name: getattr(m, name)[:rows].copy() for name in ("g", "parent", "move", "closed")})
    search.table = search.table._replace(states=search.table.states[:rows].copy())
    queue = search.queue
    search.queue = queue._replace(node=queue.node[:rows].copy(), following=queue.following[:rows].copy())


@pytest.mark.parametrize("length", [62, 63, 64, 65, 200])
@pytest.mark.parametrize("engine", [bestfirst.ida_star, lexicographic_a_star, bestfirst.breadth_first])
def test_long_solutions_keep_the_tie_rule(engine, length):
    # Two ways through every diamond: the first one must be taken each time.
    edges = [edges for i in range(0, 3 * length, 3) for edges in ([(i + 1, 1), (i + 2, 1)], [(i + 3, 1)], [(i + 3, 1)])]
    bound = [distance for i in range(length) for distance in (2 * (length - i), 2 * (length - i) - 1, 2 * (length - i) - 1)]
    instance = graph([*edges, []], {3 * length}, [*bound, 0])
    solution = both(engine, instance, 0)
    assert (solution.cost, solution.moves) == (2 * length, (0,) * (2 * length))


def test_a_search_stopped_in_the_second_phase_of_the_tie_rule_has_real_moves(monkeypatch):
    monkeypatch.setattr(a_star_module, "_WALK_STEPS", 1)
    edges = [[(i + 1, 1), (i + 1, 1)] for i in range(30)] + [[]]
    instance = graph(edges, {30}, [0] * 31)
    search = AStarSearch("a_star", AStarMode(), instance, 0, {"compiled": False}, "lexicographic")
    outcomes = []
    for _ in range(100):
        outcomes.append(search.advance(10_000))
        cost, moves = search.best()
        assert cost == cost_of(instance, 0, moves) == 30
    assert set(outcomes) == {a_star_module.PAUSED, a_star_module.FOUND}
    assert search.best() == (30, (0,) * 30)


def test_more_than_255_moves():
    count = 300
    lamps = Switches(np.array([1 << (i % 60) for i in range(count - 1)] + [7 << 60], np.int64), np.ones(count, np.int64), 7 << 60)
    for engine in (lexicographic_a_star, bestfirst.breadth_first):
        solution = engine(lamps, 0, compiled=False)
        assert (solution.cost, solution.moves) == (1, (count - 1,))
    wide = graph([[(0, 1)] * 299 + [(1, 1)], [(1, 1)] * 299 + [(2, 1)], []], {2}, [2, 1, 0])
    for engine in (bestfirst.a_star, lexicographic_a_star, bestfirst.ida_star):
        assert engine(wide, 0, compiled=False).moves == (299, 299)
    assert both(bestfirst.breadth_first, wide, 0).moves == (299, 299)


# --- states ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [0, -(1 << 63), (1 << 63) - 8, -3])
def test_integer_states_up_to_the_limits_of_64_bits(start):
    line = numbers(goal=start + 7, low=start, high=start + 7)
    solution = both(bestfirst.breadth_first, line, start)
    assert (solution.cost, solution.moves) == (7, (0,) * 7)
    for engine in (bestfirst.a_star, bestfirst.ida_star, lexicographic_a_star):
        assert engine(line, start, compiled=False).moves == (0,) * 7


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_any_integer_dtype(dtype):
    stack = Pancakes(5)
    start = shuffled(5, 4).astype(dtype)
    successors, is_goal = naive.rules(stack, 4)
    least = naive.least_cost(tuple(start.tolist()), successors, is_goal)
    first = naive.first_solution(tuple(start.tolist()), successors, is_goal, least)
    for engine in (bestfirst.a_star, lexicographic_a_star, bestfirst.iterative_deepening):
        solution = engine(stack, start, compiled=False)
        verify(solution, stack, start, least)
        if engine is not bestfirst.a_star:
            assert solution.moves == first


@pytest.mark.parametrize("dtype", ["int8", "uint64"])
def test_dtypes_compiled(dtype):
    start = shuffled(5, 9).astype(dtype)
    both(bestfirst.a_star, Pancakes(5), start)


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ([1, 2], "are arrays"),
        (np.zeros((2, 2), np.int8), "one dimension"),
        (np.zeros(3), "float64"),
        (np.zeros(0, np.int8), "empty array"),
        (7, "are arrays"),
    ],
)
def test_a_start_of_the_wrong_form_is_named(start, message):
    with pytest.raises(TypeError, match=message):
        bestfirst.a_star(Pancakes(5), start)


@pytest.mark.parametrize(
    ("start", "message"), [(1.0, "float"), (True, "bool"), (1 << 63, "64 bits"), (np.zeros(2, np.int8), "ndarray")]
)
def test_an_integer_start_of_the_wrong_form_is_named(start, message):
    with pytest.raises(TypeError, match=message):
        bestfirst.a_star(two_steps(1), start)


def test_the_start_is_not_changed():
    puzzle = tiles(3, 2)
    start = scrambled(puzzle, random.Random(0), 30)
    before = start.copy()
    for engine in (bestfirst.ida_star, bestfirst.a_star, bestfirst.breadth_first):
        engine(puzzle, start, compiled=False)
    assert (start == before).all()


def test_a_missing_operation_is_named():
    from problems import Graph

    plain = Graph(*two_steps(1)[:-1])
    with pytest.raises(TypeError, match="ida_star requires lower_bound, which Graph does not define"):
        bestfirst.ida_star(plain, 0)
    with pytest.raises(TypeError, match=r"put @bestfirst\.problem on its class"):
        bestfirst.a_star((1, 2), 0)


# --- one puzzle with and without the optional operations -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def six_cells():
    """Distances to the goal of all positions of the 2 × 3 puzzle (moves can be taken back, so they are those from the goal)."""
    puzzle = tiles(3, 2, PlainTiles)
    successors, is_goal = naive.rules(puzzle, 4)
    return successors, is_goal, naive.distances((0, 1, 2, 3, 4, 5, 0), successors)


@pytest.mark.parametrize("kind", [Tiles, PlainTiles])
def test_tiles_with_and_without_undo_inverse_and_preview(kind, six_cells):
    successors, is_goal, distance = six_cells
    assert len(distance) == 360
    puzzle = tiles(3, 2, kind)
    near = sorted(position for position in distance if distance[position] <= 11)
    for position in random.Random(1).sample(near, 12):
        start = np.array(position, np.int8)
        first = naive.first_solution(position, successors, is_goal, distance[position])
        for engine in (bestfirst.ida_star, lexicographic_a_star, bestfirst.breadth_first):
            solution = engine(puzzle, start, compiled=False)
            verify(solution, puzzle, start, distance[position])
            assert solution.moves == first
    start = np.array(position, np.int8)
    both(bestfirst.ida_star, puzzle, start)


def test_depth_first_leaves_out_moves_that_go_straight_back(six_cells):
    successors, is_goal, distance = six_cells

    def onward(state):
        position, last = state
        return [(move, (child, move), cost) for move, child, cost in successors(position) if last is None or move != 3 - last]

    puzzle = tiles(3, 2)
    for position in random.Random(2).sample(sorted(distance), 8):
        for cost in (8, 9):
            solution = bestfirst.depth_first(puzzle, np.array(position, np.int8), cost, compiled=False)
            assert solution.moves == naive.first_solution((position, None), onward, lambda state: is_goal(state[0]), cost)
            exact = bestfirst.depth_first(puzzle, np.array(position, np.int8), cost, exact=True, compiled=False)
            assert exact.moves == naive.first_solution(position, successors, is_goal, cost, exact=True)


@given(st.lists(st.tuples(st.integers(1, 31), st.integers(1, 3)), min_size=1, max_size=6), st.integers(0, 31))
def test_moves_that_commute_need_only_one_order(switches, goal):
    lamps = Switches(np.array([m for m, _ in switches]), np.array([p for _, p in switches]), goal)
    successors, is_goal = naive.rules(lamps, len(switches))
    least = naive.least_cost(0, successors, is_goal)
    solution = lexicographic_a_star(lamps, 0, compiled=False)
    verify(solution, lamps, 0, least)
    verify(bestfirst.a_star(lamps, 0, compiled=False), lamps, 0, least)
    if least is not None:
        first = naive.first_solution(0, successors, is_goal, least)
        assert solution.moves == first
        assert bestfirst.iterative_deepening(lamps, 0, compiled=False).moves == first
    if len({p for _, p in switches}) == 1:
        verify(bestfirst.breadth_first(lamps, 0, compiled=False), lamps, 0, least)


def test_preview_undo_and_copies_agree_in_the_counts():
    kinds = [tiles(3, 3), tiles(3, 3, PlainTiles)]
    start = scrambled(kinds[0], random.Random(4), 60)
    with_all, without = (bestfirst.ida_star(puzzle, start, compiled=False, limits=Limits(nodes=30_000)) for puzzle in kinds)
    assert with_all.cost == without.cost
    assert with_all.moves == without.moves
    assert with_all.stats.generated < without.stats.generated  # thanks to `inverse`


def test_a_problem_with_one_move_and_one_state():
    dead_end = graph([[]], set(), [0])
    start_is_goal = graph([[]], {0}, [0])
    for engine in (*LEXICOGRAPHIC, bestfirst.a_star, bestfirst.breadth_first):
        assert both(engine, dead_end, 0).status is Status.INFEASIBLE
        solution = both(engine, start_is_goal, 0)
        assert (solution.status, solution.cost, solution.moves) == (Status.OPTIMAL, 0, ())


def test_a_partial_result_costs_what_its_moves_cost():
    """By an inconsistent bound, a state on the way to the incumbent (25) is reopened just before the search is stopped."""
    instance = graph([[(1, 5), (2, 1)], [(3, 20)], [(1, 1)], []], {3}, bound=[0, 0, 6, 0])
    for compiled in (True, False):
        solution = bestfirst.a_star(instance, 0, limits=Limits(nodes=5), compiled=compiled)
        assert solution.status is Status.FEASIBLE
        assert solution.cost == cost_of(instance, 0, solution.moves) == 22


def test_a_dear_move_to_the_goal_does_not_hide_a_cheap_way():
    """Breadth-first search meets the goal by the first move, before it sees that the second one costs less."""
    instance = graph([[(3, 10), (1, 1)], [(2, 1)], [(3, 1)], []], {3})
    for compiled in (True, False):
        with pytest.raises(CostError, match="differ in cost"):
            bestfirst.breadth_first(instance, 0, compiled=compiled)
        assert bestfirst.solve(instance, 0, compiled=compiled).cost == 3


def test_classes_of_one_name_are_told_apart():
    def steps_of(step):
        @problem(state=int)
        class Same(NamedTuple):
            goal: int

            moves = 1

            def apply(self, state, move):
                return state + step, 1

            def is_goal(self, state):
                return state >= self.goal

        return Same

    assert [bestfirst.breadth_first(steps_of(step)(12), 0).cost for step in (1, 3, 4)] == [12, 4, 3]


def test_a_first_cost_beyond_all_limits_is_refused():
    for cost in (1 << 61, 1 << 62, (1 << 62) + 1):
        with pytest.raises(CostError, match=r"more than 2\^40"):
            bestfirst.breadth_first(graph([[(1, cost)], []], {1}), 0)


def test_the_solution_keeps_its_start():
    puzzle = tiles(3, 2)
    start = scrambled(puzzle, random.Random(3), 9)
    before = start.copy()
    solution = bestfirst.ida_star(puzzle, start)
    start[:] = 0
    assert next(iter(solution.states())).tolist() == before.tolist()


def test_fractional_costs_are_refused_in_the_interpreter_too():
    broken = type("Half", (Line,), {"apply": lambda self, state, move: (state + 1, 0.5)})
    with pytest.raises(TypeError):
        bestfirst.a_star(problem(state=int)(broken)(*numbers(5)), 0, compiled=False)


def test_a_list_in_a_field_is_refused():
    with pytest.raises(TypeError, match="the field goal is or holds a list"):
        bestfirst.a_star(numbers(5)._replace(goal=[5]), 0)


def test_a_broken_undo_is_no_wrong_answer():
    """The moves found are made again from the rules before they are called a solution."""
    broken = problem(type("Broken", (Tiles,), {"undo": lambda self, state, move: None}))
    puzzle = tiles(3, 2, broken)
    start = scrambled(puzzle, random.Random(4), 40)
    with pytest.raises(bestfirst.BrokenProblem, match="check_problem"):
        bestfirst.ida_star(puzzle, start)
