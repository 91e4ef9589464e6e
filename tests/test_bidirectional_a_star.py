"""A* from both ends, compiled and on plain values, against Dijkstra's algorithm, a_star and brute force."""

import random
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst
import naive
from bestfirst import BrokenProblem, CheckpointError, CostError, Limits, Status, checkpoint, control, plain
from bestfirst.control import FULL, PAUSED
from bestfirst.search import bidirectional_a_star as module
from bestfirst.search.bidirectional_a_star import BidirectionalAStarSearch
from bestfirst.store import queues, state_table
from bestfirst.store.queues import BucketQueue, HeapQueue
from problems import MAX_COST, UNREACHABLE, InformedGraph, Switches, Tiles, graph, manhattan, numbers, problem, scrambled, tiles
from test_bidirectional import functions, opposite, verify
from test_engines import answer, both

pytestmark = pytest.mark.slow  # compiles many problems


def two_bounds(edges, starts, goals, cut):
    """Admissible bounds for the ways to the goals, and from the starts: the true costs, which are returned too, less `cut()`."""

    def bound(ends, way):
        found = [naive.distances(end, lambda s: [(k, t, c) for k, (t, c) in enumerate(way[s])]) for end in ends]
        least = [min((costs[state] for costs in found if state in costs), default=None) for state in range(len(edges))]
        return [UNREACHABLE if cost is None else max(0, cost - cut()) for cost in least], least

    return bound(goals, opposite(edges)), bound(starts, edges)


def informed_pair(edges, starts, goals, cut):
    """The graph, the graph turned round, both with bounds, and the optimum from each start."""
    (to_goal, costs), (from_start, _) = two_bounds(edges, starts, goals, cut)
    return graph(edges, set(goals), to_goal), graph(opposite(edges), set(starts), from_start), costs


@st.composite
def directed(draw):
    """Edges with loops and parallel ones and costs of 0, up to three goals, and how far the bounds fall short."""
    n = draw(st.integers(1, 8))
    vertex = st.integers(0, n - 1)
    edge = st.tuples(vertex, st.integers(0, 6))
    edges = draw(st.lists(st.lists(edge, max_size=3), min_size=n, max_size=n))
    goals = draw(st.lists(vertex, min_size=1, max_size=3))
    return edges, goals, draw(st.lists(st.integers(0, 9), min_size=2 * n, max_size=2 * n))


@given(directed())
def test_directed_graphs(case):
    edges, goals, cuts = case
    instance, reverse, costs = informed_pair(edges, [0], goals, iter(cuts).__next__)
    solution = both(bestfirst.bidirectional_a_star, instance, 0, goals, reverse=reverse)
    verify(solution, instance, 0, goals, costs[0])


@given(directed())
def test_plain_values(case):
    edges, goals, cuts = case
    (to_goal, costs), (from_start, _) = two_bounds(edges, [0], goals, iter(cuts).__next__)
    successors, predecessors = functions(edges)
    solution = plain.bidirectional_a_star(0, successors, goals, predecessors, to_goal.__getitem__, from_start.__getitem__)
    assert solution.cost == solution.bound == costs[0]
    assert solution.status is (Status.INFEASIBLE if costs[0] is None else Status.OPTIMAL)
    if costs[0] is not None:
        state, cost = naive.follow(0, successors, solution.moves)
        assert state in goals
        assert cost == costs[0]


def large_case(rng):
    """A random graph that has ways of many steps, and a cut of its bounds."""
    n = rng.randint(20, 80)
    dearest = rng.choice((1, 3, 20))
    edges = [[(rng.randrange(n), rng.randint(0, dearest)) for _ in range(rng.randint(0, 3))] for _ in range(n)]
    if rng.random() < 0.5:  # a ring, along which ways are long
        edges = [[((v + rng.randint(1, 6)) % n, rng.randint(0, dearest)) for _ in range(3)] for v in range(n)]
    cuts = rng.choice(((0,), (0, 1), (0, 5, 40), (0, 1000, 1000, 1000), (1000,)))
    return edges, lambda: rng.choice(cuts)


def test_many_large_graphs():
    rng = random.Random(51)
    for _ in range(250):
        edges, cut = large_case(rng)
        starts, goals = (rng.sample(range(len(edges)), rng.choice((1, 1, 3))) for _ in range(2))
        instance, reverse, costs = informed_pair(edges, starts, goals, cut)
        solution = bestfirst.bidirectional_a_star(instance, starts, goals, reverse=reverse)
        least = min((costs[start] for start in starts if costs[start] is not None), default=None)
        verify(solution, instance, solution.start, goals, least)
        assert solution.start in starts
        assert solution.cost == bestfirst.a_star(instance, starts).cost


def test_plain_values_agree_with_the_compiled_engine():
    rng = random.Random(52)
    for _ in range(60):
        edges, cut = large_case(rng)
        goal = rng.randrange(len(edges))
        instance, reverse, costs = informed_pair(edges, [0], [goal], cut)
        successors, predecessors = functions(edges)
        slow = plain.bidirectional_a_star(
            0, successors, goal, predecessors, instance.bound.tolist().__getitem__, reverse.bound.tolist().__getitem__
        )
        fast = bestfirst.bidirectional_a_star(instance, 0, goal, reverse=reverse)
        assert slow.cost == fast.cost == costs[0]
        assert slow.bound == fast.bound


def test_a_small_graph_where_a_search_that_does_not_reopen_is_wrong():
    # S -1-> A -1-> B and S -3-> B; B -3-> C; C -1-> D -1-> G and C -3-> G. The bounds of A and, backward, of D are 6, true ones,
    # all others 0: B and C are expanded at cost 3 first. Without reopening the answer would be 9.
    edges = [[(1, 1), (2, 3)], [(2, 1)], [(3, 3)], [(4, 1), (5, 3)], [(5, 1)], []]
    instance, reverse = graph(edges, {5}, [0, 6, 0, 0, 0, 0]), graph(opposite(edges), {0}, [0, 0, 0, 0, 6, 0])
    solution = both(bestfirst.bidirectional_a_star, instance, 0, 5, reverse=reverse)
    assert (solution.cost, solution.moves) == (7, (0, 0, 0, 0, 0))
    assert solution.stats.reopened == 2
    successors, predecessors = functions(edges)
    slow = plain.bidirectional_a_star(
        0, successors, 5, predecessors, [0, 6, 0, 0, 0, 0].__getitem__, [0, 0, 0, 0, 6, 0].__getitem__
    )
    assert (slow.cost, slow.stats.reopened) == (7, 2)


def test_detours_that_are_met_late():
    # A chain of steps that can be made at once or, cheaper, by a detour whose bounds are true, while all others are low.
    rng = random.Random(59)
    reopened = 0
    for _ in range(80):
        edges = [[]]
        for _ in range(rng.randint(3, 12)):
            here, there = len(edges) - 1, len(edges) + 1
            cost = rng.randint(1, 4)
            edges[here] += [(there, 2 * cost + rng.randint(0, 6)), (here + 1, cost)]
            edges += [[(there, cost)], []]
        goal = len(edges) - 1
        instance, reverse, costs = informed_pair(edges, [0], [goal], lambda: 0)
        for one in (instance, reverse):
            one.bound[::2] //= rng.choice((2, 3, 1000))
        solution = both(bestfirst.bidirectional_a_star, instance, 0, goal, reverse=reverse)
        verify(solution, instance, 0, [goal], costs[0])
        reopened += solution.stats.reopened
    assert reopened > 50


@st.composite
def lamps(draw):
    masks = draw(st.lists(st.integers(1, 63), min_size=1, max_size=7))
    prices = draw(st.lists(st.sampled_from((0, 1, 2, 10)), min_size=len(masks), max_size=len(masks)))
    return Switches(np.array(masks), np.array(prices), draw(st.integers(0, 63)))


@given(lamps())
def test_moves_that_commute_at_unequal_costs(switches):
    # `follows` leaves out orders on both sides; what one leaves out the other may need.
    solution = both(bestfirst.bidirectional_a_star, switches, 0, switches.goal)
    successors, is_goal = naive.rules(switches, len(switches.mask))
    verify(solution, switches, 0, [switches.goal], naive.least_cost(0, successors, is_goal))


def tiles_to(target, width, height):
    """The puzzle whose bound is for the ways to this position."""
    puzzle = tiles(width, height)
    cell_of = np.argsort(target[:-1])
    return Tiles(puzzle.cells, puzzle.neighbour, manhattan(width, height)[cell_of])


def test_eight_puzzle_against_a_star():
    puzzle, solved = tiles(3, 3), np.array([*range(9), 0], np.int8)
    hardest = np.array([8, 0, 6, 5, 4, 7, 2, 3, 1, 1], np.int8)  # 31 moves, the most that any position takes
    rng = random.Random(53)
    for start in [hardest, *(scrambled(puzzle, rng, 80) for _ in range(10))]:
        expected = bestfirst.a_star(puzzle, start).cost
        for reverse in (None, tiles_to(start, 3, 3)):
            solution = bestfirst.bidirectional_a_star(puzzle, start, solved, reverse=reverse)
            assert (solution.cost, solution.status) == (expected, Status.OPTIMAL)
            assert len(solution.moves) == expected
            *_, last = solution.states()
            assert (last == solved).all()
    both(bestfirst.bidirectional_a_star, puzzle, start, solved, reverse=tiles_to(start, 3, 3))


def test_the_other_half_of_the_positions_is_never_met():
    start, goal = np.array([0, 2, 1, 3, 4, 5, 0], np.int8), np.array([*range(6), 0], np.int8)
    solution = both(bestfirst.bidirectional_a_star, tiles(3, 2), start, goal)
    assert (solution.status, solution.cost, solution.bound) == (Status.INFEASIBLE, None, None)
    assert 360 <= solution.stats.expanded <= 720


@problem(state=int)
class Mirrored(NamedTuple):
    """Numbers round a clock, one on or back; each is like its mirror image."""

    hours: int

    move_names = ("on", "back")

    def apply(self, state, move):
        return (state + 1 - 2 * move) % self.hours, 1 + move

    def is_goal(self, state):
        return state == 0

    def canonical(self, state):
        return min(state, self.hours - state)


def test_any_state_can_be_a_goal_also_one_that_is_like_another():
    clock = Mirrored(12)
    for goal in range(12):
        least = min(goal, 2 * (12 - goal) % 24)
        with pytest.raises(TypeError, match="requires inverse"):
            bestfirst.bidirectional_a_star(clock, 0, goal)
        solution = bestfirst.bidirectional_a_star(clock, 0, goal, reverse=Backward(12))
        assert solution.cost == least


@problem(state=int)
class Backward(NamedTuple):
    """The way back on the clock."""

    hours: int

    move_names = ("on", "back")

    def apply(self, state, move):
        return (state - 1 + 2 * move) % self.hours, 1 + move

    def is_goal(self, state):
        return state == 0


# --- ends, costs --------------------------------------------------------------------------------------------------------------


def line_of(costs):
    edges = [[(k + 1, cost)] for k, cost in enumerate(costs)] + [[]]
    return graph(edges, {len(costs)}), graph(opposite(edges), {0})


def test_a_start_that_is_a_goal():
    instance, reverse = line_of([1])
    for goals in (0, [0], [1, 0]):
        solution = both(bestfirst.bidirectional_a_star, instance, 0, goals, reverse=reverse)
        assert (solution.status, solution.cost, solution.moves) == (Status.OPTIMAL, 0, ())
    lonely = graph([[]], set())
    assert both(bestfirst.bidirectional_a_star, lonely, 0, 0, reverse=lonely).cost == 0


def test_a_side_without_a_way_ends_the_search():
    wide = [[(v, 1) for v in range(1, 30)], *([] for _ in range(30))]
    instance, reverse = graph(wide, set()), graph(opposite(wide), set())
    solution = both(bestfirst.bidirectional_a_star, instance, 0, 30, reverse=reverse)
    assert (solution.status, solution.stats.expanded) == (Status.INFEASIBLE, 2)
    nowhere = graph(wide, set(), [UNREACHABLE] * 30 + [0])
    solution = both(bestfirst.bidirectional_a_star, nowhere, 0, 30, reverse=reverse)
    assert (solution.status, solution.stats.expanded) == (Status.INFEASIBLE, 0)


def test_cycles_without_cost():
    edges = [[(1, 0), (0, 0)], [(0, 0), (2, 0)], [(1, 0), (3, 5)], [(2, 0)]]
    instance, reverse = graph(edges, {3}), graph(opposite(edges), {0})
    assert both(bestfirst.bidirectional_a_star, instance, 0, 3, reverse=reverse).moves == (0, 1, 1)


@pytest.mark.parametrize(
    "costs", [(1 << 14, 1), ((1 << 14) - 1, 0, 1), (1, 1 << 20, 3, 1 << 20), (MAX_COST,) * 5, (0, 0, 0), (MAX_COST, 0, 1)]
)
def test_costs_of_any_size(costs):
    instance, reverse = line_of(costs)
    solution = both(bestfirst.bidirectional_a_star, instance, 0, len(costs), reverse=reverse)
    assert (solution.cost, solution.moves) == (sum(costs), (0,) * len(costs))
    to_goal = [sum(costs[k:]) for k in range(len(costs) + 1)]
    from_start = [sum(costs[:k]) for k in range(len(costs) + 1)]
    instance, reverse = instance_with(instance, to_goal), instance_with(reverse, from_start)
    solution = both(bestfirst.bidirectional_a_star, instance, 0, len(costs), reverse=reverse)
    assert solution.cost == sum(costs)


def instance_with(instance, bound):
    return InformedGraph(*instance, np.array(bound, np.int64))


def test_bounds_of_any_size():
    instance, reverse = line_of([1, 1, 1])
    for low in (-1, -(1 << 62)):
        less = instance_with(instance, [low] * 4)
        assert both(bestfirst.bidirectional_a_star, less, 0, 3, reverse=reverse).cost == 3


def test_costs_that_no_engine_takes():
    for cost, message in ((-1, "negative"), (MAX_COST + 1, r"2\^40"), (1 << 62, r"2\^40")):
        instance, reverse = line_of([1, cost, 1])
        for compiled in (True, False):
            with pytest.raises(CostError, match=message):
                bestfirst.bidirectional_a_star(instance, 0, 3, reverse=reverse, compiled=compiled)


def test_a_total_beyond_all_limits_is_refused():
    line = numbers(0, high=1 << 40)._replace(forward_cost=MAX_COST, back_cost=MAX_COST)
    search = BidirectionalAStarSearch(line, 0, 1 << 39, line, {})
    while search.advance(20) == FULL:
        assert search.grow(None)
    search.sides[0].g[:] += (1 << 60) - 4 * MAX_COST  # after a million moves it would be there
    search.sides[0].ready.key[:] += (1 << 60) - 4 * MAX_COST
    search.sides[0].waiting.key[:] += (1 << 60) - 4 * MAX_COST
    with pytest.raises(CostError, match=r"2\^60"):
        control.run(search, {})


# --- limits, pauses -----------------------------------------------------------------------------------------------------------


def test_a_stopped_search_brackets_the_optimum():
    puzzle, solved = tiles(3, 3), np.array([*range(9), 0], np.int8)
    start = scrambled(puzzle, random.Random(54), 300)
    reverse = tiles_to(start, 3, 3)
    whole = bestfirst.bidirectional_a_star(puzzle, start, solved, reverse=reverse)
    bounds = []
    for nodes in range(0, whole.stats.generated, max(1, whole.stats.generated // 40)):
        solution = bestfirst.bidirectional_a_star(puzzle, start, solved, reverse=reverse, limits=Limits(nodes=nodes))
        assert solution.stopped_by == "nodes"
        assert solution.bound <= whole.cost
        assert solution.cost is None or solution.cost >= whole.cost
        bounds.append(solution.bound)
    assert bounds == sorted(bounds)
    assert bounds[0] == puzzle.lower_bound(start)


def test_an_answer_is_there_before_it_is_proved():
    rng = random.Random(55)
    found = 0
    for _ in range(40):
        edges, cut = large_case(rng)
        goal = rng.randrange(len(edges))
        instance, reverse, costs = informed_pair(edges, [0], [goal], cut)
        successors, predecessors = functions(edges)
        bounds = instance.bound.tolist().__getitem__, reverse.bound.tolist().__getitem__
        for nodes in range(2, 100, 11):
            limits = Limits(nodes=nodes)
            for solution in (
                bestfirst.bidirectional_a_star(instance, 0, goal, reverse=reverse, limits=limits),
                plain.bidirectional_a_star(0, successors, goal, predecessors, *bounds, limits=limits),
            ):
                if solution.stopped_by is not None and solution.cost is not None:
                    assert solution.status is Status.FEASIBLE
                    assert solution.bound <= costs[0] <= solution.cost
                    found += 1
    assert found > 20


def test_a_memory_limit_is_kept():
    puzzle, solved = tiles(3, 3), np.array([*range(9), 0], np.int8)
    start = np.array([0, 2, 1, 3, 4, 5, 6, 7, 8, 0], np.int8)
    for limit in (300_000, 1_000_000):
        solution = bestfirst.bidirectional_a_star(puzzle, start, solved, limits=Limits(memory=limit))
        assert (solution.status, solution.stopped_by) == (Status.STOPPED, "memory")
        assert limit // 5 < solution.stats.peak_bytes <= limit


def advance(search, stop_at):
    while (outcome := search.advance(stop_at)) == FULL:
        assert search.grow(None)
    return outcome


@pytest.mark.parametrize("buckets", [1 << 14, 64, 0])
def test_a_search_in_pieces_is_the_same_search(monkeypatch, tmp_path, buckets):
    monkeypatch.setattr(module, "_MAX_BUCKETS", buckets)
    rng = random.Random(56)
    n = 150
    edges = [[((v + rng.randint(1, 9)) % n, rng.randint(0, 30)) for _ in range(3)] for v in range(n)]
    instance, reverse, costs = informed_pair(edges, [0, 7], [70, 101], lambda: rng.choice((0, 900, 900, 900)))
    instance.bound[[0, 7]] = reverse.bound[[70, 101]] = 0
    make = lambda: BidirectionalAStarSearch(instance, [0, 7], [70, 101], reverse, {"compiled": False})  # noqa: E731
    whole = make()
    begins_with = type(whole.sides[0].ready)
    while advance(whole, 1 << 40) == PAUSED:
        pass
    assert whole.best()[0] == min(costs[0], costs[7])
    assert begins_with is (HeapQueue if buckets == 0 else BucketQueue)
    assert type(whole.sides[1].waiting) is (BucketQueue if buckets > 64 else HeapQueue)
    pieces, pauses = make(), 0
    while advance(pieces, pieces.progress().generated + rng.randint(1, 8)) == PAUSED:
        pauses += 1
        for side in pieces.sides:
            state_table.check(side.table)
            queues.check(side.waiting)
            queues.check(side.ready)
        checkpoint.store(pieces.save(), tmp_path / "search")
        pieces = make()
        pieces.restore(checkpoint.load(tmp_path / "search"))
    assert pauses > 10
    assert pieces.best() == whole.best()
    assert pieces.stats() == whole.stats()


def test_buckets_and_heaps_find_the_same_cost(monkeypatch):
    rng = random.Random(57)
    for _ in range(40):
        edges, cut = large_case(rng)
        goal = rng.randrange(len(edges))
        instance, reverse, costs = informed_pair(edges, [0], [goal], cut)
        for buckets in (1 << 14, 4, 0):
            monkeypatch.setattr(module, "_MAX_BUCKETS", buckets)
            assert bestfirst.bidirectional_a_star(instance, 0, goal, reverse=reverse).cost == costs[0]


def test_a_checkpoint_belongs_to_its_goals_and_its_reverse(tmp_path):
    line, file = numbers(0), tmp_path / "search"
    first = bestfirst.bidirectional_a_star(line, 0, 500, reverse=line, limits=Limits(nodes=50), checkpoint=file)
    assert first.stopped_by == "nodes"
    for goal, reverse in ((501, line), (500, line._replace(high=1000))):
        with pytest.raises(CheckpointError, match="settings"):
            bestfirst.bidirectional_a_star(line, 0, goal, reverse=reverse, resume=file)
    resumed = bestfirst.bidirectional_a_star(line, 0, 500, reverse=line, resume=file)
    assert answer(resumed) == answer(bestfirst.bidirectional_a_star(line, 0, 500, reverse=line))
    assert resumed.cost == 500


# --- what cannot be taken -----------------------------------------------------------------------------------------------------


def test_a_bound_for_other_goals_is_named():
    puzzle, solved = tiles(3, 2), np.array([*range(6), 0], np.int8)
    start = scrambled(puzzle, random.Random(58), 30)
    with pytest.raises(ValueError, match=r"lower_bound of Tiles is \d+ at a goal, where it must be 0"):
        bestfirst.bidirectional_a_star(puzzle, solved, start)
    with pytest.raises(ValueError, match=r"lower_bound of Tiles is \d+ at a start, where it must be 0"):
        bestfirst.bidirectional_a_star(puzzle, start, solved, reverse=puzzle)
    successors, predecessors = functions([[(1, 1)], []])
    with pytest.raises(ValueError, match="the bound of the goal 1 is 1"):
        plain.bidirectional_a_star(0, successors, 1, predecessors, lambda state: 1)
    with pytest.raises(ValueError, match="the bound of the start 0 is 1"):
        plain.bidirectional_a_star(0, successors, 1, predecessors, backward_bound=lambda state: 1)


def test_a_wrong_reverse_is_seen():
    instance, reverse = line_of([1, 2, 1])
    dear = reverse._replace(cost=reverse.cost + 1)
    for other in (instance, dear):  # a way back that is none; one at other costs
        with pytest.raises(BrokenProblem, match="is not taken back by any of Graph at its cost"):
            bestfirst.bidirectional_a_star(instance, 0, 3, reverse=other, compiled=False)
    # Right at both ends; in between a move back that is too cheap or too dear.
    instance, _ = line_of([1] * 6)
    for cost in (0, 3):
        inside = graph([[]] + [[(v - 1, cost if v == 5 else 1)] for v in range(1, 7)], {0})
        with pytest.raises(BrokenProblem, match="do not lead to a goal of Graph at their cost"):
            bestfirst.bidirectional_a_star(instance, 0, 6, reverse=inside, compiled=False)


def test_a_wrong_way_back_of_plain_values_is_seen():
    def successors(state):
        return [("on", state + 1, 1)]

    with pytest.raises(BrokenProblem, match="at the same costs"):
        plain.bidirectional_a_star(0, successors, 6, lambda s: [("back", s - 1, 0 if s == 5 else 1)])
    with pytest.raises(BrokenProblem, match="none leads back: predecessors must be the opposite"):
        plain.bidirectional_a_star(0, lambda s: [("on", s + 2, 1)], 6, lambda s: [("back", s - 1, 1)])


def test_what_plain_values_must_be():
    def successors(state):
        return [("go", state + 1, 1)]

    with pytest.raises(ValueError, match="there is no goal"):
        plain.bidirectional_a_star(0, successors, [], successors)
    with pytest.raises(TypeError, match="cannot be hashed"):
        plain.bidirectional_a_star([0], successors, 1, successors)
    with pytest.raises(TypeError, match="not exact"):
        plain.bidirectional_a_star(0, successors, 1, successors, lambda state: 0.5 * (state == 0))
    with pytest.raises(ValueError, match="negative"):
        plain.bidirectional_a_star(0, lambda state: [("go", state + 1, -1)], 5, successors)


def test_fractions_and_several_ends_of_plain_values():
    def successors(state):
        yield "half", state + 1, Fraction(1, 2)
        yield "leap", state + 3, 1

    def predecessors(state):
        yield "half", state - 1, Fraction(1, 2)
        yield "leap", state - 3, 1

    solution = plain.bidirectional_a_star(plain.Starts([0, 2]), successors, {9, 12}, predecessors)
    assert (solution.cost, solution.start) == (Fraction(5, 2), 2)
    assert sorted(solution.moves) == ["half", "leap", "leap"]
    there = plain.bidirectional_a_star(None, lambda state: [], [None, 1], lambda state: [])
    assert (there.cost, there.moves) == (0, ())
