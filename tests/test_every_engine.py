"""Every engine in the register: best cost, real moves, several starts, symmetry, limits, pausing, compiled as interpreted.

A new engine is covered by its line in ENGINES.
"""

import random
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

import bestfirst
import naive
from bestfirst import Limits, Status
from bestfirst.replay import cost_of, replay
from problems import ILLEGAL, MAX_COST, UNREACHABLE, Graph, InformedGraph, graph, problem, random_graph


class Engine(NamedTuple):
    """An engine and what it is for."""

    run: object
    costs: tuple[int, int] = (1, 6)  #: least and greatest cost of a move
    needs_exits: bool = False  #: does not end where paths go round in circles and no bound tells
    symmetric: bool = True  #: uses `canonical`
    several: bool = True  #: takes several starts
    first: bool = False  #: finds the first of the best solutions in move order


def lexicographic_a_star(problem, start, **options):
    return bestfirst.a_star(problem, start, ties="lexicographic", **options)


def ida_star_with_table(problem, start, **options):
    return bestfirst.ida_star(problem, start, table_bytes=1 << 12, **options)


def ida_star_with_a_tiny_table(problem, start, **options):
    return bestfirst.ida_star(problem, start, table_bytes=64, **options)


def barely_weighted_a_star(problem, start, **options):
    return bestfirst.weighted_a_star(problem, start, 1, **options)


def turned_round(instance):
    """The arrays of a graph with its edges turned round: degree, first, target, cost."""
    edges = instance.first[-1]
    target, cost = instance.target[:edges], instance.cost[:edges]
    sources = np.repeat(np.arange(len(instance.goal)), np.diff(instance.first))
    counts = np.bincount(target, minlength=len(instance.goal))
    by_target = np.argsort(target, kind="stable")
    first = np.concatenate([[0], np.cumsum(counts)])
    return max(1, int(counts.max(initial=0))), first, np.append(sources[by_target], 0), np.append(cost[by_target], 0)


def from_both_ends(instance, start, **options):
    reverse = Graph(*turned_round(instance), instance.goal)
    goals = np.flatnonzero(instance.goal).tolist()
    if not goals:  # the engine wants one, so one that cannot be reached is added
        goals = [len(instance.goal)]
        instance = instance._replace(first=np.append(instance.first, instance.first[-1]))
        reverse = reverse._replace(first=np.append(reverse.first, reverse.first[-1]))
    return bestfirst.bidirectional_breadth_first(instance, start, goals, reverse=reverse, **options)


def a_star_from_both_ends(instance, start, **options):
    """With a bound for the way back that is admissible and hardly ever consistent."""
    n = len(instance.goal)
    edges = [list(map(tuple, np.stack([instance.target[a:b], instance.cost[a:b]], 1))) for a, b in pairwise(instance.first)]
    starts = start if isinstance(start, list) else [start]
    from_starts = [naive.distances(one, plain(edges)) for one in starts]
    least = [min((found[state] for found in from_starts if state in found), default=None) for state in range(n)]
    bound = [UNREACHABLE if cost is None else max(0, cost - state % 3 * 2) for state, cost in enumerate(least)]
    reverse = InformedGraph(*turned_round(instance), instance.goal, np.array([*bound, UNREACHABLE]))
    goals = np.flatnonzero(instance.goal).tolist()
    if not goals:  # the engine wants one, so one that cannot be reached is added
        goals = [n]
        instance = instance._replace(first=np.append(instance.first, instance.first[-1]), bound=np.append(instance.bound, 0))
        reverse = reverse._replace(first=np.append(reverse.first, reverse.first[-1]))
    return bestfirst.bidirectional_a_star(instance, start, goals, reverse=reverse, **options)


ENGINES = {
    "breadth_first": Engine(bestfirst.breadth_first, costs=(2, 2)),
    "breadth_first, free moves": Engine(bestfirst.breadth_first, costs=(0, 0)),
    "a_star": Engine(bestfirst.a_star, costs=(0, 6)),
    "a_star, lexicographic": Engine(lexicographic_a_star, first=True),
    "uniform_cost": Engine(bestfirst.uniform_cost, costs=(0, 6)),
    "weighted_a_star": Engine(barely_weighted_a_star, costs=(0, 6)),
    "zero_one_breadth_first": Engine(bestfirst.zero_one_breadth_first, costs=(0, 1)),
    "iterative_deepening": Engine(bestfirst.iterative_deepening, needs_exits=True, symmetric=False, first=True),
    "ida_star": Engine(bestfirst.ida_star, needs_exits=True, symmetric=False, first=True),
    "ida_star, table": Engine(ida_star_with_table, needs_exits=True, first=True),
    "ida_star, tiny table": Engine(ida_star_with_a_tiny_table, needs_exits=True, first=True),
    "bidirectional_a_star": Engine(a_star_from_both_ends, costs=(0, 6), symmetric=False),
    "bidirectional_breadth_first": Engine(from_both_ends, costs=(2, 2), symmetric=False),
    "count_optimal": Engine(bestfirst.count_optimal, several=False, symmetric=False, first=True),
    "branch_and_bound": Engine(bestfirst.branch_and_bound, costs=(0, 6), needs_exits=True, symmetric=False, first=True),
}


def counts(solution):
    s = solution.stats
    return solution.status, solution.cost, solution.moves, solution.bound, (s.expanded, s.generated, s.duplicates, s.pruned)


def plain(edges):
    return lambda state: [(k, child, cost) for k, (child, cost) in enumerate(edges[state])]


def least_cost(edges, goals, starts):
    costs = [naive.least_cost(start, plain(edges), goals.__contains__) for start in starts]
    return min((cost for cost in costs if cost is not None), default=None)


def informed(edges, goals, rng):
    """The graph with an admissible bound, often inconsistent, that tells all dead ends."""
    bound = []
    for state in range(len(edges)):
        distance = naive.least_cost(state, plain(edges), goals.__contains__)
        bound.append(UNREACHABLE if distance is None else max(0, distance - rng.choice((0, 0, 1, 5))))
    return graph(edges, goals, bound)


def acyclic(edges):
    """The same without edges to the same or an earlier vertex."""
    return [[(child, cost) for child, cost in out if child > state] for state, out in enumerate(edges)]


def cases(engine, seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        edges, goals = random_graph(rng, 9, *engine.costs)
        if engine.needs_exits:
            edges = acyclic(edges)
        yield rng, edges, goals, informed(edges, goals, rng)


@pytest.fixture(params=ENGINES.values(), ids=ENGINES.keys())
def engine(request):
    return request.param


def assert_best(solution, instance, least):
    if least is None:
        assert solution.status is Status.INFEASIBLE
        assert solution.cost is solution.moves is solution.bound is None
        return
    assert (solution.status, solution.cost, solution.bound) == (Status.OPTIMAL, least, least)
    assert cost_of(instance, solution.start, solution.moves) == least
    *_, last = replay(instance, solution.start, solution.moves)
    assert instance.is_goal(last)


def test_the_cost_is_least_and_the_moves_are_real(engine):
    for _, edges, goals, instance in cases(engine, 1, 300):
        solution = engine.run(instance, 0)
        assert_best(solution, instance, least_cost(edges, goals, [0]))
        if engine.first and solution.moves is not None:
            best = naive.first_solution(0, plain(edges), goals.__contains__, solution.cost)
            assert solution.moves == tuple(best)


@pytest.mark.slow
def test_several_starts(engine):
    if not engine.several:
        with pytest.raises(ValueError, match="one start"):
            engine.run(graph([[], []], {0}, [0, 0]), [0, 1])
        return
    for rng, edges, goals, instance in cases(engine, 2, 150):
        starts = [rng.randrange(len(edges)) for _ in range(rng.randint(1, 4))]
        solution = engine.run(instance, starts)
        assert_best(solution, instance, least_cost(edges, goals, starts))
        assert solution.cost is None or solution.start in starts


def test_compiled_as_interpreted(engine):
    for _, _, _, instance in cases(engine, 3, 25):
        assert counts(engine.run(instance, 0, compiled=True)) == counts(engine.run(instance, 0, compiled=False))


def test_limits_stop_it_and_what_it_says_then_is_true(engine):
    for rng, edges, goals, instance in cases(engine, 4, 100):
        solution = engine.run(instance, 0, limits=Limits(nodes=rng.randint(0, 12)))
        least = least_cost(edges, goals, [0])
        if solution.stopped_by is None:
            assert_best(solution, instance, least)
            continue
        assert solution.stopped_by == "nodes"
        assert solution.status is (Status.STOPPED if solution.cost is None else Status.FEASIBLE)
        assert least is None or solution.bound <= least
        if solution.cost is not None:
            assert cost_of(instance, 0, solution.moves) == solution.cost >= least


@pytest.mark.slow
def test_stopping_and_resuming_changes_nothing(engine, tmp_path):
    path = tmp_path / "search"
    for rng, _, _, instance in cases(engine, 5, 12):
        starts = [0, len(instance.goal) - 1] if engine.several else 0
        whole = engine.run(instance, starts, compiled=False)
        nodes, solution = 1, engine.run(instance, starts, compiled=False, limits=Limits(nodes=1), checkpoint=path)
        while solution.stopped_by is not None:
            nodes += rng.randint(1, 5)
            solution = engine.run(instance, starts, compiled=False, limits=Limits(nodes=nodes), checkpoint=path, resume=path)
        assert counts(solution) == counts(whole)


# --- symmetry ---------------------------------------------------------------------------------------------------------------


@problem
class Ring(NamedTuple):
    """A ring of beads, 0 or 1; a move turns a bead and the next one over, at a cost by its colour. All 0 is the goal.

    Rotations of a ring are alike: which bead is number 0 matters to no move and to no goal.
    """

    beads: int
    is_dear: bool  #: turning a 1 over costs 2

    def move_count(self):
        return self.beads

    def apply(self, state, move):
        cost = 1 + state[move] * self.is_dear
        if state[move] == 0 and state[(move + 1) % self.beads] == 0:
            return ILLEGAL
        state[move] ^= 1
        state[(move + 1) % self.beads] ^= 1
        return cost

    def is_goal(self, state):
        return self.lower_bound(state) == 0

    def lower_bound(self, state):
        total = 0
        for bead in range(self.beads):
            total += state[bead]
        return total // 2


@problem
class SymmetricRing(NamedTuple):
    """The same, with its symmetry: the least of all rotations stands for them."""

    beads: int
    is_dear: bool  #: turning a 1 over costs 2

    move_count = Ring.move_count
    apply = Ring.apply
    is_goal = Ring.is_goal
    lower_bound = Ring.lower_bound

    def canonical(self, state):
        n = self.beads
        best = 0
        for start in range(1, n):
            for i in range(n):
                a = state[(start + i) % n]
                b = state[(best + i) % n]
                if a != b:
                    if a < b:
                        best = start
                    break
        for _ in range(best):
            first = state[0]
            for i in range(n - 1):
                state[i] = state[i + 1]
            state[n - 1] = first


SYMMETRIC = {name: engine for name, engine in ENGINES.items() if engine.symmetric}


@pytest.mark.slow
@pytest.mark.parametrize("name", SYMMETRIC)
def test_symmetry_saves_states_and_the_moves_are_real(name):
    engine = SYMMETRIC[name]
    dear = engine.costs[1] > 2
    rng = random.Random(6)
    saved = 0
    for _ in range(12):
        beads = rng.randint(3, 9)
        start = np.array([rng.randint(0, 1) for _ in range(beads)], np.int8)
        with_all = engine.run(Ring(beads, dear), start)
        solution = engine.run(SymmetricRing(beads, dear), start)
        assert (solution.status, solution.cost) == (with_all.status, with_all.cost)
        if solution.moves is not None:
            assert_best(solution, SymmetricRing(beads, dear), with_all.cost)
        assert counts(solution) == counts(engine.run(SymmetricRing(beads, dear), start, compiled=False))
        saved += with_all.stats.expanded - solution.stats.expanded
    assert saved > 0


@pytest.mark.slow
def test_a_banned_move_breaks_the_symmetry():
    rng = random.Random(11)
    differs = 0
    for _ in range(60):
        beads = rng.randint(3, 7)
        start = np.array([rng.randint(0, 1) for _ in range(beads)], np.int8)
        banned = rng.sample(range(beads), rng.randint(1, 2))
        expected = bestfirst.a_star(bestfirst.without_moves(Ring(beads, True), banned), start)
        solution = bestfirst.a_star(bestfirst.without_moves(SymmetricRing(beads, True), banned), start)
        assert (solution.status, solution.cost) == (expected.status, expected.cost)
        differs += expected.cost != bestfirst.a_star(Ring(beads, True), start).cost
    assert differs > 0  # else the test shows nothing


@pytest.mark.slow
def test_lexicographic_ties_hold_with_symmetry_too():
    rng = random.Random(7)
    for _ in range(20):
        beads = rng.randint(3, 7)
        start = np.array([rng.randint(0, 1) for _ in range(beads)], np.int8)
        first = lexicographic_a_star(Ring(beads, True), start)
        assert lexicographic_a_star(SymmetricRing(beads, True), start).moves == first.moves


@problem(state=int)
class Undirected(NamedTuple):
    """A graph whose edges can be gone both ways, at their own costs; move k of a vertex leads along its k-th edge or nowhere.

    target, cost, bound: (vertices, degree), (vertices, degree), (vertices,). Moves 2k and 2k + 1 take each other back.
    """

    target: np.ndarray
    cost: np.ndarray
    bound: np.ndarray

    def move_count(self):
        return self.target.shape[1]

    def apply(self, state, move):
        if self.target[state, move] < 0:
            return state, ILLEGAL
        return self.target[state, move], self.cost[state, move]

    def inverse(self, move):
        return move ^ 1

    def is_goal(self, state):
        return self.bound[state] == 0 and state == len(self.bound) - 1

    def lower_bound(self, state):
        return self.bound[state]


def undirected(rng):
    """Random edges, each with a number of its own at both ends, so that going back is the inverse move."""
    n, kinds = rng.randint(2, 8), rng.randint(1, 4)
    target = np.full((n, 2 * kinds), -1)
    cost = np.ones((n, 2 * kinds), np.int64)
    for _ in range(rng.randint(1, 3 * n)):
        a, b, kind = rng.randrange(n), rng.randrange(n), rng.randrange(kinds)
        if a != b and target[a, 2 * kind] < 0 and target[b, 2 * kind + 1] < 0:
            target[a, 2 * kind], target[b, 2 * kind + 1] = b, a
            cost[a, 2 * kind], cost[b, 2 * kind + 1] = rng.randint(1, 4), rng.randint(1, 4)
    edges = [[(int(t), int(c)) if t >= 0 else None for t, c in zip(*row, strict=True)] for row in zip(target, cost, strict=True)]

    def successors(state):
        return [(k, *edge) for k, edge in enumerate(edges[state]) if edge is not None]

    costs = [naive.least_cost(state, successors, {n - 1}.__contains__) for state in range(n)]
    bound = [
        UNREACHABLE if c is None else max(0, c - rng.choice((0, 1, 3))) if state < n - 1 else 0 for state, c in enumerate(costs)
    ]
    return Undirected(target, cost, np.array(bound)), costs[0], successors


@pytest.mark.slow
@pytest.mark.parametrize("table_bytes", [0, 32, 1 << 12])
def test_going_straight_back_is_left_out_without_harm(table_bytes):
    rng = random.Random(10)
    for _ in range(400):
        instance, least, successors = undirected(rng)
        solution = bestfirst.ida_star(instance, 0, table_bytes=table_bytes)
        assert solution.cost == least
        if least is not None:
            goal = {len(instance.bound) - 1}.__contains__
            assert solution.moves == naive.first_solution(0, successors, goal, least)
        assert bestfirst.a_star(instance, 0).cost == least
        assert bestfirst.breadth_first(instance._replace(cost=np.ones_like(instance.cost)), 0).status is solution.status


# --- weights, 0 and 1, branch and bound ---------------------------------------------------------------------------------------


def test_a_weighted_answer_is_as_good_as_promised():
    rng = random.Random(8)
    worse = 0
    for _ in range(400):
        edges, goals = random_graph(rng, 9, 0, 6)
        weight = rng.choice((1, 1.3, 2, 5, 1024))
        instance = informed(edges, goals, rng)
        solution = bestfirst.weighted_a_star(instance, 0, weight)
        least = least_cost(edges, goals, [0])
        if least is None:
            assert solution.status is Status.INFEASIBLE
            continue
        assert solution.bound <= least <= solution.cost <= weight * solution.bound
        assert (solution.status is Status.OPTIMAL) == (solution.bound == solution.cost)
        assert cost_of(instance, 0, solution.moves) == solution.cost
        worse += solution.cost > least
    assert worse > 0  # else the test shows nothing
    for weight in (0.5, 2000, float("nan")):
        with pytest.raises(ValueError, match="the weight"):
            bestfirst.weighted_a_star(instance, 0, weight)


def test_zero_one_refuses_other_costs():
    with pytest.raises(bestfirst.CostError, match="more than 1"):
        bestfirst.zero_one_breadth_first(graph([[(1, 2)], []], {1}), 0)


def test_the_nearest_state_when_there_is_no_way():
    edges = [[(1, 1), (2, 1)], [(3, 1)], [], []]
    instance = graph(edges, set(), [9, 4, 2, 3])
    solution = bestfirst.a_star(instance, 0)
    assert (solution.status, solution.nearest) == (Status.INFEASIBLE, (1,))


@problem
class Knapsack(NamedTuple):
    """Take things, in order, into a bag; state: the next thing, the room left. Gain: what they are worth."""

    weight: np.ndarray
    worth: np.ndarray

    move_names = ("take", "leave")

    def apply(self, state, move):
        thing = state[0]
        if thing == len(self.weight):
            return ILLEGAL
        if move == 0 and self.weight[thing] > state[1]:
            return ILLEGAL
        state[0] = thing + 1
        if move == 1:
            return 0
        state[1] -= self.weight[thing]
        return self.worth[thing]

    def is_goal(self, state):
        return state[0] == len(self.weight)

    def upper_bound(self, state):
        total = 0
        for thing in range(state[0], len(self.weight)):
            if self.weight[thing] <= state[1]:
                total += self.worth[thing]
        return total


@pytest.mark.slow
def test_branch_and_bound_maximises(tmp_path):
    rng = random.Random(9)
    for _ in range(60):
        n = rng.randint(1, 9)
        weight = [rng.randint(1, 9) for _ in range(n)]
        worth = [rng.randint(0, 9) for _ in range(n)]
        room = rng.randint(0, 30)
        bags = [[k for k in range(n) if mask >> k & 1] for mask in range(1 << n)]
        gains = {tuple(0 if k in bag else 1 for k in range(n)): sum(worth[k] for k in bag)
                 for bag in bags if sum(weight[k] for k in bag) <= room}  # fmt: skip
        most = max(gains.values())
        bag, start = Knapsack(np.array(weight), np.array(worth)), np.array([0, room])
        solution = bestfirst.branch_and_bound(bag, start, maximise=True)
        assert (solution.status, solution.cost, solution.bound, solution.maximised) == (Status.OPTIMAL, most, most, True)
        assert solution.moves == min(moves for moves, gain in gains.items() if gain == most)
        assert counts(solution) == counts(bestfirst.branch_and_bound(bag, start, maximise=True, compiled=False))
        stopped = bestfirst.branch_and_bound(bag, start, maximise=True, limits=Limits(nodes=rng.randint(1, 12)))
        assert stopped.bound >= most >= (stopped.cost or 0)
    assert "gain" in str(solution)


def test_branch_and_bound_needs_an_upper_bound_to_maximise():
    with pytest.raises(TypeError, match="requires upper_bound"):
        bestfirst.branch_and_bound(graph([[]], {0}, [0]), 0, maximise=True)


@pytest.mark.slow
def test_branch_and_bound_refuses_totals_beyond_its_numbers():
    loop = graph([[(0, MAX_COST)]], set(), [0])
    with pytest.raises(bestfirst.CostError, match="2\\^60"):
        bestfirst.branch_and_bound(loop, 0)
    with pytest.raises(bestfirst.CostError, match="2\\^60"):
        bestfirst.branch_and_bound(Endless(0), 0, maximise=True)


@problem(state=int)
class Endless(NamedTuple):
    """One move, that gains as much as may be, for ever."""

    unused: int

    moves = 1

    def apply(self, state, move):
        return state + 1, MAX_COST

    def is_goal(self, state):
        return False

    def upper_bound(self, state):
        return MAX_COST


def test_starts_of_different_form_are_told():
    with pytest.raises(TypeError, match="the same form"):
        bestfirst.a_star(Ring(3, False), [np.zeros(3, np.int8), np.zeros(3, np.int16)])
    with pytest.raises(ValueError, match="at least one start"):
        bestfirst.a_star(Ring(3, False), [])


def test_an_informed_graph_is_what_the_engines_are_tested_with():
    assert isinstance(next(cases(ENGINES["a_star"], 1, 1))[3], InformedGraph)
