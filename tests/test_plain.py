"""The engines for plain Python values against the naive twins; and what they say to values that they cannot take."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from bestfirst import CostError, Limits, Status, plain
from problems import UNREACHABLE


@st.composite
def graphs(draw, least=1, most=5):
    """Vertices are strings, moves are labels; parallel edges and loops. The bound is admissible, seldom consistent."""
    n = draw(st.integers(1, 7))
    vertex = st.integers(0, n - 1).map("v{}".format)
    edges = draw(st.lists(st.lists(st.tuples(vertex, st.integers(least, most)), max_size=4), min_size=n, max_size=n))
    goals = draw(st.sets(vertex, max_size=2))
    slack = draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))

    def successors(state):
        return [(f"edge {k}", child, cost) for k, (child, cost) in enumerate(edges[int(state[1:])])]

    def lower_bound(state):
        distance = naive.least_cost(state, successors, goals.__contains__)
        less = slack[int(state[1:])]
        return max(0, distance - less) if distance is not None else 0 if less % 2 else UNREACHABLE

    return successors, goals.__contains__, lower_bound


def verify(solution, case, least, first=False):
    successors, is_goal, _ = case
    if least is None:
        assert (solution.status, solution.cost, solution.moves) == (Status.INFEASIBLE, None, None)
        return
    assert (solution.status, solution.cost, solution.bound) == (Status.OPTIMAL, least, least)
    state, cost = naive.follow("v0", successors, solution.moves)
    assert is_goal(state)
    assert cost == least
    if first:
        assert solution.moves == naive.first_solution("v0", successors, is_goal, least)


@given(graphs(least=0))
def test_a_star(case):
    successors, is_goal, lower_bound = case
    least = naive.least_cost("v0", successors, is_goal)
    verify(plain.a_star("v0", successors, is_goal), case, least)
    verify(plain.a_star("v0", successors, is_goal, lower_bound), case, least)
    verify(plain.a_star("v0", successors, is_goal, lower_bound, ties="lexicographic"), case, least)


@given(graphs())
def test_cheapest_and_first_in_order(case):
    successors, is_goal, lower_bound = case
    least = naive.least_cost("v0", successors, is_goal)
    verify(plain.a_star("v0", successors, is_goal, lower_bound, ties="lexicographic"), case, least, first=True)
    verify(plain.ida_star("v0", successors, is_goal, lower_bound), case, least, first=True)
    verify(plain.iterative_deepening("v0", successors, is_goal), case, least, first=True)


@given(graphs(most=1))
def test_breadth_first(case):
    successors, is_goal, _ = case
    verify(plain.breadth_first("v0", successors, is_goal), case, naive.least_cost("v0", successors, is_goal), first=True)


@given(graphs(), st.integers(0, 12), st.booleans(), st.booleans())
def test_depth_first(case, cost, exact, informed):
    successors, is_goal, lower_bound = case
    solution = plain.depth_first("v0", successors, is_goal, cost, lower_bound if informed else None, exact=exact)
    assert solution.moves == naive.first_solution("v0", successors, is_goal, cost, exact)
    if solution.moves is not None:
        assert solution.status is (Status.OPTIMAL if exact else Status.FEASIBLE)
        assert solution.cost == naive.follow("v0", successors, solution.moves)[1]


@pytest.mark.parametrize("nodes", range(1, 60, 3))
def test_a_stopped_search_brackets_the_optimum(nodes):
    optimum = 11  # 1 + 2 + 2, doubled

    def successors(state):
        return [("+1", state + 1, 2), ("+2", state + 2, 3), ("*2", 2 * state, 5)]

    for engine in (plain.a_star, plain.iterative_deepening):
        solution = engine(1, successors, lambda state: state == 10, limits=Limits(nodes=nodes))
        assert solution.bound <= optimum
        assert solution.cost is None or solution.cost >= optimum
        assert solution.stopped_by in (None, "nodes")
    assert plain.a_star(1, successors, lambda state: state == 10).cost == optimum


def two_steps(cost):
    return lambda state: [("go", state + 1, cost)]


INFORMED = [
    lambda successors, is_goal, start=0: plain.a_star(start, successors, is_goal),
    lambda successors, is_goal, start=0: plain.breadth_first(start, successors, is_goal),
    lambda successors, is_goal, start=0: plain.ida_star(start, successors, is_goal, lambda state: 0),
    lambda successors, is_goal, start=0: plain.iterative_deepening(start, successors, is_goal),
    lambda successors, is_goal, start=0: plain.depth_first(start, successors, is_goal, 100),
]


@pytest.mark.parametrize("engine", INFORMED)
def test_every_engine_refuses_what_it_cannot_take(engine):
    def is_goal(state):
        return state == 2

    with pytest.raises(TypeError, match="the start state is a list, which cannot be hashed"):
        engine(two_steps(1), is_goal, [0])
    with pytest.raises(TypeError, match="unhashable"):
        engine(lambda state: [("go", [1], 1)], is_goal)
    for item in (("go", 1), ("go", 1, 1, 1), 5, None):
        with pytest.raises(TypeError, match=r"successors must yield \(move, next_state, cost\), not"):
            engine(lambda state, item=item: [item], is_goal)
    for cost in (1.0, "1", None, float("nan")):
        with pytest.raises(TypeError, match="is not exact"):
            engine(two_steps(cost), is_goal)
    with pytest.raises(ValueError, match="is negative"):
        engine(two_steps(-1), is_goal)


@pytest.mark.parametrize("engine", INFORMED)
def test_every_engine_takes_any_exact_cost(engine):
    for cost in (1, True, np.int8(1), Fraction(1, 3), 10**30 if engine is not INFORMED[4] else 2):
        solution = engine(two_steps(cost), lambda state: state == 2)
        assert solution.cost == 2 * cost
        assert solution.moves == ("go", "go")


def test_unequal_costs_are_refused_by_breadth_first():
    with pytest.raises(CostError, match="differ in cost"):
        plain.breadth_first(0, lambda state: [("a", state + 1, 1), ("b", state + 2, 2)], lambda state: state == 9)


def test_moves_and_states_of_any_kind_and_a_generator():
    def successors(state):
        for letter in sorted(state):
            yield letter, state - {letter}, 1

    solution = plain.breadth_first(frozenset("abc"), successors, lambda state: not state)
    assert solution.moves == ("a", "b", "c")


def test_an_error_in_a_function_comes_through():
    with pytest.raises(ZeroDivisionError):
        plain.a_star(0, lambda state: [("go", 1, 1)], lambda state: 1 / state)
    with pytest.raises(ValueError, match="ties must be"):
        plain.a_star(0, two_steps(1), bool, ties="last")
    with pytest.raises(ValueError, match="must not be negative"):
        plain.depth_first(0, two_steps(1), bool, -1)


def test_reopening():
    edges = {"s": [("b", 3), ("a", 1)], "a": [("b", 1)], "b": [("t", 3)], "t": []}
    bound = {"s": 0, "a": 4, "b": 0, "t": 0}
    solution = plain.a_star("s", lambda v: [(w, w, c) for w, c in edges[v]], "t".__eq__, bound.__getitem__)
    assert (solution.cost, solution.moves, solution.stats.reopened) == (5, ("a", "b", "t"), 1)


def test_a_partial_result_costs_what_its_moves_cost():
    """By an inconsistent bound, a state on the way to the incumbent (25) is reopened just before the search is stopped."""
    edges = {0: [(1, 5), (2, 1)], 1: [(3, 20)], 2: [(1, 1)], 3: []}
    bound = {0: 0, 1: 0, 2: 6, 3: 0}
    solution = plain.a_star(
        0, lambda v: [((v, w), w, cost) for w, cost in edges[v]], lambda v: v == 3, bound.get, limits=Limits(nodes=5)
    )
    assert solution.moves == ((0, 2), (2, 1), (1, 3))
    assert solution.cost == 22


def test_a_dear_move_to_the_goal_does_not_hide_a_cheap_way():
    edges = {0: [(3, 10), (1, 1)], 1: [(2, 1)], 2: [(3, 1)], 3: []}
    with pytest.raises(CostError, match="differ in cost"):
        plain.breadth_first(0, lambda v: [(w, w, cost) for w, cost in edges[v]], lambda v: v == 3)


@pytest.mark.parametrize("bound", [float("nan"), 0.5, None])
def test_a_bound_that_is_not_exact_is_refused(bound):
    for engine in (plain.a_star, plain.ida_star):
        with pytest.raises(TypeError, match="lower bound"):
            engine(0, lambda v: [("step", v + 1, 1)], lambda v: v == 3, lambda v: bound)


def test_an_infinite_bound_means_unreachable():
    solution = plain.a_star(0, lambda v: [("step", v + 1, 1)], lambda v: v == 9, lambda v: float("inf") if v == 3 else 0)
    assert solution.status is Status.INFEASIBLE


# --- the variants of A*, branch and bound, several starts -----------------------------------------------------------------------

SEVERAL = {
    "a_star": lambda start, case: plain.a_star(start, *case),
    "a_star, lexicographic": lambda start, case: plain.a_star(start, *case, ties="lexicographic"),
    "uniform_cost": lambda start, case: plain.uniform_cost(start, *case[:2]),
    "weighted_a_star": lambda start, case: plain.weighted_a_star(start, *case, 1),
    "ida_star": lambda start, case: plain.ida_star(start, *case),
    "branch_and_bound": lambda start, case: plain.branch_and_bound(start, *case),
    "branch_and_bound without a bound": lambda start, case: plain.branch_and_bound(start, *case[:2]),
}


@pytest.mark.parametrize("engine", SEVERAL.values(), ids=SEVERAL.keys())
def test_one_start_and_several(engine):
    @given(graphs(), st.lists(st.integers(0, 6).map("v{}".format), min_size=1, max_size=3))
    def check(case, starts):
        successors, is_goal, _ = case
        starts = [start for start in starts if exists(successors, start)] or ["v0"]
        costs = [naive.least_cost(start, successors, is_goal) for start in starts]
        least = min((cost for cost in costs if cost is not None), default=None)
        limited = engine is SEVERAL["ida_star"] and least is None
        if limited:
            return  # a bound that does not tell dead ends lets it go round for ever
        solution = engine(plain.Starts(starts), case)
        assert solution.cost == least
        if least is None:
            assert solution.status is Status.INFEASIBLE
            return
        assert (solution.status, solution.bound) == (Status.OPTIMAL, least)
        assert solution.start in starts
        state, cost = naive.follow(solution.start, successors, solution.moves)
        assert is_goal(state)
        assert cost == least
        if len(starts) == 1:
            assert engine(starts[0], case).moves == solution.moves

    check()


def exists(successors, state):
    try:
        successors(state)
    except IndexError:
        return False
    return True


@given(graphs(least=0))
def test_costs_of_0_and_1_or_none(case):
    successors, is_goal, _ = case

    def cut_off(state):
        return [(move, child, min(cost, 1)) for move, child, cost in successors(state)]

    for ties in ("any", "lexicographic"):
        solution = plain.zero_one_breadth_first("v0", cut_off, is_goal, ties=ties)
        expected = plain.uniform_cost("v0", cut_off, is_goal, ties=ties)
        assert solution.cost == naive.least_cost("v0", cut_off, is_goal)
        assert (solution.status, solution.moves, solution.stats.generated) == (
            expected.status,
            expected.moves,
            expected.stats.generated,
        )
    for cost in (2, Fraction(1, 2)):
        with pytest.raises(CostError, match="costs of 0 and 1"):
            plain.zero_one_breadth_first(0, lambda state, cost=cost: [("go", state + 1, cost)], lambda state: state == 3)


def test_breadth_first_from_several_starts():
    def successors(n):
        return [("up", n + 1, 1)] if n < 10 else []

    solution = plain.breadth_first(plain.Starts([0, 7, 3]), successors, lambda n: n == 9)
    assert (solution.cost, solution.start) == (2, 7)
    assert plain.breadth_first(plain.Starts([4, 5]), successors, lambda n: n == 5).cost == 0
    with pytest.raises(ValueError, match="at least one start"):
        plain.breadth_first(plain.Starts([]), successors, lambda n: n == 9)


@given(graphs(least=0), st.sampled_from([1, 1.5, 3, Fraction(7, 3)]))
def test_a_weighted_answer_is_as_good_as_promised(case, weight):
    successors, is_goal, _ = case
    solution = plain.weighted_a_star("v0", *case, weight)
    least = naive.least_cost("v0", successors, is_goal)
    if least is None:
        assert solution.status is Status.INFEASIBLE
        return
    assert solution.bound <= least <= solution.cost <= Fraction(weight) * solution.bound
    assert (solution.status is Status.OPTIMAL) == (solution.bound == solution.cost)
    assert naive.follow("v0", successors, solution.moves)[1] == solution.cost


def test_branch_and_bound_is_anytime():
    def successors(n):
        return [("slow", n + 1, 3), ("fast", n + 2, 5)] if n < 20 else []

    whole = plain.branch_and_bound(0, successors, lambda n: n == 20)
    assert (whole.status, whole.cost) == (Status.OPTIMAL, 50)
    stopped = plain.branch_and_bound(0, successors, lambda n: n == 20, limits=Limits(nodes=60))
    assert (stopped.status, stopped.bound) == (Status.FEASIBLE, 0)
    assert stopped.cost >= 50
