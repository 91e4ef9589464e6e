"""Breadth-first search from both ends, compiled and on plain values, against the naive twin and breadth_first."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst
import naive
from bestfirst import BrokenProblem, CheckpointError, CostError, Limits, Status, checkpoint, control, plain
from bestfirst.control import FULL, PAUSED
from bestfirst.replay import cost_of, replay
from bestfirst.search import layers
from bestfirst.search.bidirectional import BidirectionalSearch
from bestfirst.search.compiled import BOUND
from problems import MAX_COST, Pancakes, PlainTiles, Switches, graph, numbers, random_graph, scrambled, tiles
from test_engines import answer, both

pytestmark = pytest.mark.slow  # compiles many problems


def opposite(edges):
    """The edges of the graph with every edge turned round; their numbers have nothing to do with those of `edges`."""
    back = [[] for _ in edges]
    for state in reversed(range(len(edges))):
        for target, cost in edges[state]:
            back[target].append((state, cost))
    return back


def pair(edges, goals=()):
    return graph(edges, set(goals)), graph(opposite(edges), {0})


def least_cost(edges, start, goals):
    return naive.least_cost(start, lambda s: [(k, t, c) for k, (t, c) in enumerate(edges[s])], goals.__contains__)


def verify(solution, problem, start, goals, least):
    if least is None:
        assert (solution.status, solution.cost, solution.moves, solution.bound) == (Status.INFEASIBLE, None, None, None)
        return
    assert (solution.status, solution.cost, solution.bound) == (Status.OPTIMAL, least, least)
    assert cost_of(problem, start, solution.moves) == least
    *_, last = replay(problem, start, solution.moves)
    assert last in goals


@st.composite
def directed(draw, most=1):
    """Edges of up to nine vertices, with loops and parallel ones, and up to three goals."""
    n = draw(st.integers(1, 9))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.lists(st.tuples(vertex, st.integers(1, most)), max_size=3), min_size=n, max_size=n))
    return edges, draw(st.lists(vertex, min_size=1, max_size=3))


@given(directed())
def test_directed_graphs(case):
    edges, goals = case
    problem, reverse = pair(edges)
    solution = both(bestfirst.bidirectional_breadth_first, problem, 0, goals, reverse=reverse)
    verify(solution, problem, 0, goals, least_cost(edges, 0, goals))


@given(directed(most=2))
def test_unequal_costs_are_refused_or_do_not_matter(case):
    edges, goals = case
    problem, reverse = pair(edges)
    for compiled in (True, False):
        try:
            solution = bestfirst.bidirectional_breadth_first(problem, 0, goals, reverse=reverse, compiled=compiled)
        except CostError:
            assert len({cost for out in edges for _, cost in out}) == 2
        else:
            verify(solution, problem, 0, goals, least_cost(edges, 0, goals))


def test_many_large_graphs():
    rng = random.Random(31)
    statuses = set()
    for _ in range(300):
        n = rng.randint(20, 120)
        density = rng.choice((1, 2, 2, 3))
        edges = [[(rng.randrange(n), 5) for _ in range(rng.randint(0, density))] for _ in range(n)]
        if rng.random() < 0.3:  # undirected, and its own reverse
            edges = [out + back for out, back in zip(edges, opposite(edges), strict=True)]
        goals = rng.sample(range(n), rng.choice((1, 1, 2, 10)))
        problem, reverse = pair(edges, goals)
        solution = bestfirst.bidirectional_breadth_first(problem, 0, goals, reverse=reverse)
        verify(solution, problem, 0, goals, least_cost(edges, 0, goals))
        assert solution.cost == bestfirst.breadth_first(problem, 0).cost
        statuses.add(solution.status)
    assert statuses == {Status.OPTIMAL, Status.INFEASIBLE}


def test_undirected_graphs_are_their_own_reverse():
    rng = random.Random(32)
    for _ in range(100):
        edges, _ = random_graph(rng, vertices=12, most=1)
        edges = [out + back for out, back in zip(edges, opposite(edges), strict=True)]
        problem, goal = graph(edges, set()), rng.randrange(len(edges))
        solution = bestfirst.bidirectional_breadth_first(problem, 0, goal, reverse=problem)
        verify(solution, problem, 0, [goal], least_cost(edges, 0, [goal]))


@given(st.lists(st.integers(1, 63), min_size=1, max_size=7, unique=True), st.integers(0, 63), st.integers(0, 9))
def test_moves_that_are_their_own_inverse_and_commute(masks, goal, price):
    lamps = Switches(np.array(masks), np.full(len(masks), price), goal)
    solution = both(bestfirst.bidirectional_breadth_first, lamps, 0, goal)
    successors, is_goal = naive.rules(lamps, len(masks))
    verify(solution, lamps, 0, [goal], naive.least_cost(0, successors, is_goal))


def test_sliding_tiles_to_any_position():
    puzzle = tiles(3, 2)
    solved = np.array([0, 1, 2, 3, 4, 5, 0], np.int8)
    successors, _ = naive.rules(tiles(3, 2, PlainTiles), 4)
    rng = random.Random(33)
    for _ in range(4):
        start, target, other = (scrambled(puzzle, rng, 40) for _ in range(3))
        distance = naive.distances(tuple(start.tolist()), successors)
        for goals in (target, [target, other], [target, other, solved, target], np.stack([other, solved])):
            rows = [goals] if getattr(goals, "ndim", 0) == 1 else list(goals)
            solution = bestfirst.bidirectional_breadth_first(puzzle, start, goals)
            assert solution.cost == min(distance[tuple(row.tolist())] for row in rows)
            *_, last = solution.states()
            assert any((last == row).all() for row in rows)
    both(bestfirst.bidirectional_breadth_first, puzzle, start, [target, solved])
    assert bestfirst.bidirectional_breadth_first(puzzle, start, target.astype(np.int64)).status is Status.OPTIMAL


def test_eight_puzzle_against_a_star_and_the_known_radius():
    puzzle = tiles(3, 3)
    solved = np.array([*range(9), 0], np.int8)
    hardest = np.array([8, 0, 6, 5, 4, 7, 2, 3, 1, 1], np.int8)  # 31 moves, the most that any position takes
    solution = both(bestfirst.bidirectional_breadth_first, puzzle, hardest, solved)
    assert solution.cost == 31
    assert solution.stats.generated < 20_000  # breadth_first: 302,275
    rng = random.Random(34)
    for _ in range(10):
        start = scrambled(puzzle, rng, 60)
        assert bestfirst.bidirectional_breadth_first(puzzle, start, solved).cost == bestfirst.a_star(puzzle, start).cost


# --- ends -------------------------------------------------------------------------------------------------------------------


def test_a_start_that_is_a_goal():
    problem, reverse = pair([[(1, 1)], []])
    for goals in (0, [0], [1, 0]):
        solution = both(bestfirst.bidirectional_breadth_first, problem, 0, goals, reverse=reverse)
        assert (solution.status, solution.cost, solution.moves) == (Status.OPTIMAL, 0, ())
    lonely = graph([[]], set())
    assert both(bestfirst.bidirectional_breadth_first, lonely, 0, 0, reverse=lonely).cost == 0


def test_either_side_can_be_the_one_that_ends():
    wide = [[(v, 1) for v in range(1, 30)], *([(v + 30, 1)] for v in range(29)), *([(v + 30, 1)] for v in range(29))]
    wide = [*wide[:30], *[[] for _ in range(60)]]
    problem, reverse = pair(wide)
    for goals, expanded in ((89, 1), ([80, 81, 82, 83], 4)):  # goals that no move leads to: the backward side ends at once
        solution = both(bestfirst.bidirectional_breadth_first, problem, 0, goals, reverse=reverse)
        assert solution.status is Status.INFEASIBLE
        assert solution.stats.expanded <= expanded + 1
    solution = both(bestfirst.bidirectional_breadth_first, problem, 88, 40, reverse=reverse)
    assert solution.status is Status.INFEASIBLE
    assert solution.stats.expanded == 1


def test_the_smaller_side_is_grown():
    # From the start the ways part, ten at each step; the goal is at the end of one of them, and only one way leads back.
    edges, layer, count = [], 1, 0
    for _ in range(4):
        edges += [[(count + layer + 10 * i + k, 1) for k in range(10)] for i in range(layer)]
        count, layer = count + layer, 10 * layer
    edges += [[] for _ in range(layer)]
    problem, reverse = pair(edges)
    solution = bestfirst.bidirectional_breadth_first(problem, 0, len(edges) - 1, reverse=reverse)
    assert (solution.cost, solution.moves) == (4, (9, 9, 9, 9))
    assert solution.stats.expanded <= 4


def test_ways_of_many_layers():
    line = numbers(0, high=100_000, stride=1)
    # `forward` and `back` take each other back, and the line is its own reverse.
    solution = bestfirst.bidirectional_breadth_first(line, 10, 3_010, reverse=line)
    assert solution.moves == (0,) * 3_000
    assert bestfirst.bidirectional_breadth_first(line, 50_000, 0, reverse=line, limits=Limits(nodes=6_000)).stopped_by == "nodes"


# --- costs, limits, pauses ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cost", [0, 7, MAX_COST])
def test_any_equal_cost(cost):
    problem, reverse = pair([[(1, cost)], [(2, cost)], [(3, cost)], []])
    solution = both(bestfirst.bidirectional_breadth_first, problem, 0, 3, reverse=reverse)
    assert (solution.cost, solution.moves) == (3 * cost, (0, 0, 0))


def test_costs_that_no_engine_takes():
    for cost, message in ((-1, "negative"), (MAX_COST + 1, r"2\^40"), (1 << 62, r"2\^40")):
        problem, reverse = pair([[(1, cost)], [(2, cost)], []])
        for compiled in (True, False):
            with pytest.raises(CostError, match=message):
                bestfirst.bidirectional_breadth_first(problem, 0, 2, reverse=reverse, compiled=compiled)


def test_a_total_beyond_all_limits_is_refused():
    line = numbers(0, high=1 << 40)._replace(forward_cost=MAX_COST, back_cost=MAX_COST)
    search = BidirectionalSearch(line, 0, 1 << 39, line, {})
    assert search.advance(20) == PAUSED
    search.counters[BOUND] = (1 << 60) - MAX_COST + 1  # after a million layers it would be there
    with pytest.raises(CostError, match=r"2\^60"):
        control.run(search, {})


def test_a_dear_move_where_the_sides_meet_does_not_hide_a_cheap_way():
    edges = [[(1, 1), (2, 1)], [(3, 1)], [(3, 0)], []]
    problem, reverse = pair(edges)
    for compiled in (True, False):
        with pytest.raises(CostError, match="differ in cost"):
            bestfirst.bidirectional_breadth_first(problem, 0, 3, reverse=reverse, compiled=compiled)


def two_trees():
    puzzle = tiles(3, 3)
    rng = random.Random(35)
    return puzzle, scrambled(puzzle, rng, 200), [np.array([*range(9), 0], np.int8), scrambled(puzzle, rng, 30)]


def test_a_stopped_search_brackets_the_optimum():
    puzzle, start, goals = two_trees()
    whole = bestfirst.bidirectional_breadth_first(puzzle, start, goals)
    bounds = []
    for nodes in range(1, whole.stats.generated + 4, whole.stats.generated // 40):
        solution = bestfirst.bidirectional_breadth_first(puzzle, start, goals, limits=Limits(nodes=nodes))
        if solution.stopped_by is None:
            assert answer(solution) == answer(whole)
            continue
        assert solution.bound <= whole.cost
        assert solution.cost is None
        bounds.append(solution.bound)
    assert bounds == sorted(bounds)
    assert bounds[-1] >= whole.cost - 1


def test_a_memory_limit_is_kept():
    puzzle = tiles(3, 3)
    start = np.array([0, 2, 1, 3, 4, 5, 6, 7, 8, 0], np.int8)
    for engine_limit in (100_000, 200_000):
        solution = bestfirst.bidirectional_breadth_first(
            puzzle, start, np.array([*range(9), 0], np.int8), limits=Limits(memory=engine_limit)
        )
        assert (solution.status, solution.stopped_by) == (Status.STOPPED, "memory")
        assert engine_limit // 5 < solution.stats.peak_bytes <= engine_limit


def test_a_position_of_the_other_parity_is_never_met():
    start, goal = np.array([0, 2, 1, 3, 4, 5, 0], np.int8), np.array([*range(6), 0], np.int8)
    solution = both(bestfirst.bidirectional_breadth_first, tiles(3, 2), start, goal)
    assert (solution.status, solution.cost) == (Status.INFEASIBLE, None)
    assert 360 <= solution.stats.expanded < 720  # all of one half


def advance(search, stop_at):
    while (outcome := search.advance(stop_at)) == FULL:
        assert search.grow(None)
    return outcome


def test_a_search_in_pieces_is_the_same_search(monkeypatch, tmp_path):
    monkeypatch.setattr(layers, "_VERIFY_STATES", 5)
    puzzle, start, goals = two_trees()
    make = lambda: BidirectionalSearch(puzzle, start, goals, None, {"compiled": False})  # noqa: E731
    whole = make()
    while advance(whole, 1 << 40) == PAUSED:
        pass
    rng = random.Random(36)
    pieces, pauses, met = make(), 0, 0
    while advance(pieces, pieces.progress().generated + rng.randint(1, 300)) == PAUSED:
        pauses += 1
        met += pieces.best() is not None
        checkpoint.store(pieces.save(), tmp_path / "search")
        pieces = make()
        pieces.restore(checkpoint.load(tmp_path / "search"))
    assert pauses > 10
    assert met > 1  # also while costs were verified
    assert pieces.best() == whole.best()
    assert pieces.stats() == whole.stats()


def test_a_checkpoint_belongs_to_its_goals_and_its_reverse(tmp_path):
    line, file = numbers(0), tmp_path / "search"
    first = bestfirst.bidirectional_breadth_first(line, 0, 500, reverse=line, limits=Limits(nodes=50), checkpoint=file)
    assert first.stopped_by == "nodes"
    for goal, reverse in ((501, line), (500, line._replace(high=1000))):
        with pytest.raises(CheckpointError, match="settings"):
            bestfirst.bidirectional_breadth_first(line, 0, goal, reverse=reverse, resume=file)
    resumed = bestfirst.bidirectional_breadth_first(line, 0, 500, reverse=line, resume=file)
    assert answer(resumed) == answer(bestfirst.bidirectional_breadth_first(line, 0, 500, reverse=line))


# --- what cannot be taken -----------------------------------------------------------------------------------------------------


def test_a_missing_way_back_is_named():
    problem, _ = pair([[(1, 1)], []])
    with pytest.raises(TypeError, match="requires inverse, which Graph does not define, or a problem for the way back"):
        bestfirst.bidirectional_breadth_first(problem, 0, 1)
    with pytest.raises(TypeError, match="is not a problem"):
        bestfirst.bidirectional_breadth_first(problem, 0, 1, reverse=(1, 2))
    with pytest.raises(TypeError, match="integers and arrays"):
        bestfirst.bidirectional_breadth_first(problem, 0, 1, reverse=Pancakes(3))


@pytest.mark.parametrize(
    ("goals", "error", "message"),
    [
        ([], ValueError, "there is no goal"),
        ("abc", TypeError, "goals must be a state of Graph or several, not str"),
        (None, TypeError, "goals must be a state of Graph or several, not NoneType"),
        (1.5, TypeError, "goals must be"),
        ([0, 1.5], TypeError, "goal 1 is float"),
        (1 << 63, TypeError, "the goal, 9223372036854775808, does not fit into 64 bits"),
    ],
)
def test_goals_of_the_wrong_form_are_named(goals, error, message):
    problem, reverse = pair([[(1, 1)], []])
    with pytest.raises(error, match=message):
        bestfirst.bidirectional_breadth_first(problem, 0, goals, reverse=reverse)


@pytest.mark.parametrize(
    ("goals", "error", "message"),
    [
        (7, TypeError, "goals must be a state of Tiles or several, not int"),
        ([1, 2, 3], TypeError, "goal 0 is int"),
        (np.zeros(7), TypeError, "the goal is float64"),
        (np.zeros(6, np.int8), ValueError, r"the goal has the shape \(6,\), the start \(7,\)"),
        ([np.full(7, 300)], ValueError, "goal 0 holds a number that int8"),
        (np.zeros((0, 7), np.int8), ValueError, "there is no goal"),
    ],
)
def test_goals_that_are_no_such_arrays_are_named(goals, error, message):
    puzzle = tiles(3, 2)
    with pytest.raises(error, match=message):
        bestfirst.bidirectional_breadth_first(puzzle, np.array([0, 1, 2, 3, 4, 5, 0], np.int8), goals)


def test_a_wrong_reverse_is_seen():
    edges = [[(1, 1)], [(2, 1)], [(3, 1)], []]
    problem, reverse = pair(edges)
    for other in (problem, graph([[(1, 1)], [(0, 1)], [(1, 1)], [(1, 1)]], set())):  # a way back that is none; one move wrong
        with pytest.raises(BrokenProblem, match="is not taken back by any of Graph"):
            bestfirst.bidirectional_breadth_first(problem, 0, 3, reverse=other, compiled=False)
    # Right at both ends, wrong between them; the start has dead ends, so that the backward side is grown to there.
    problem, reverse = pair([[(1, 1), (4, 1), (5, 1)], [(2, 1)], [(3, 1)], [], [], []])
    inside = graph([[], [(0, 1)], [(0, 1)], [(2, 1)], [(0, 1)], [(0, 1)]], set())
    with pytest.raises(BrokenProblem, match="is not taken back by any of Graph"):
        bestfirst.bidirectional_breadth_first(problem, 0, 3, reverse=inside, compiled=False)
    assert bestfirst.bidirectional_breadth_first(problem, 0, 3, reverse=reverse, compiled=False).cost == 3


def test_the_goals_alone_are_the_goals():
    problem, reverse = pair([[(1, 1)], [(2, 1)], []], goals={1})
    assert bestfirst.bidirectional_breadth_first(problem, 0, 2, reverse=reverse).cost == 2


# --- plain values -------------------------------------------------------------------------------------------------------------


def functions(edges):
    back = opposite(edges)
    return (
        lambda v: [(f"to {t} by {k}", t, c) for k, (t, c) in enumerate(edges[v])],
        lambda v: [("back", t, c) for t, c in back[v]],
    )


@given(directed(most=2))
def test_plain_values(case):
    edges, goals = case
    successors, predecessors = functions(edges)
    try:
        solution = plain.bidirectional_breadth_first(0, successors, goals, predecessors)
    except CostError:
        assert len({cost for out in edges for _, cost in out}) == 2
        return
    least = least_cost(edges, 0, goals)
    assert solution.cost == least
    assert solution.status is (Status.INFEASIBLE if least is None else Status.OPTIMAL)
    if least is not None:
        state, cost = naive.follow(0, successors, solution.moves)
        assert state in goals
        assert cost == least


def test_plain_values_agree_with_the_compiled_engine():
    rng = random.Random(37)
    for _ in range(100):
        n = rng.randint(5, 60)
        edges = [[(rng.randrange(n), 1) for _ in range(rng.randint(0, 3))] for _ in range(n)]
        problem, reverse = pair(edges)
        successors = lambda v, edges=edges: [(k, t, c) for k, (t, c) in enumerate(edges[v])]  # noqa: E731
        _, predecessors = functions(edges)
        goal = rng.randrange(n)
        slow = plain.bidirectional_breadth_first(0, successors, goal, predecessors)
        fast = bestfirst.bidirectional_breadth_first(problem, 0, goal, reverse=reverse)
        assert (slow.status, slow.cost) == (fast.status, fast.cost)
        assert slow.stats.expanded == fast.stats.expanded


def test_words_one_letter_apart():
    words = {"cold", "cord", "card", "ward", "warm", "word", "worm", "corm"}

    def successors(word):
        for other in sorted(words):
            if sum(a != b for a, b in zip(word, other, strict=True)) == 1:
                yield other, other, 1

    solution = plain.bidirectional_breadth_first("cold", successors, "warm", successors)
    assert (solution.cost, len(solution.moves), solution.moves[-1]) == (4, 4, "warm")
    for nodes in range(1, solution.stats.generated):
        stopped = plain.bidirectional_breadth_first("cold", successors, "warm", successors, limits=Limits(nodes=nodes))
        assert stopped.bound <= 4
    assert plain.bidirectional_breadth_first("cold", successors, ["warm", "card"], successors).cost == 2
    assert plain.bidirectional_breadth_first("cold", successors, {"cold"}, successors).moves == ()


def test_what_plain_values_must_be():
    def successors(state):
        return [("go", state + 1, 1)]

    with pytest.raises(ValueError, match="there is no goal"):
        plain.bidirectional_breadth_first(0, successors, [], successors)
    with pytest.raises(TypeError, match="cannot be hashed"):
        plain.bidirectional_breadth_first([0], successors, 1, successors)
    with pytest.raises(TypeError, match="unhashable"):
        plain.bidirectional_breadth_first(0, successors, [[1]], successors)
    with pytest.raises(TypeError, match="must yield"):
        plain.bidirectional_breadth_first(0, lambda state: [(1, 2)], 5, successors)
    wide = lambda state: [("go", state + 1, 1), ("leap", state + 100, 1)]  # noqa: E731
    with pytest.raises(BrokenProblem, match="none leads back: predecessors must be the opposite"):
        plain.bidirectional_breadth_first(0, wide, 4, lambda state: [("back", state - 2, 1)])


ONE_WAY = {0: [(1, 1), (2, 1)], 1: [(3, 1)], 2: [(3, 1)], 3: []}


@pytest.mark.parametrize("engine", [plain.bidirectional_breadth_first, plain.bidirectional_a_star])
def test_moves_that_cannot_be_taken_back_are_seen(engine):
    """With its own successors as the way back a one-way street would look like a dead end, and the proof would be wrong."""

    def streets(state):
        return [(child, child, cost) for child, cost in ONE_WAY[state]]

    def against(state):
        return [(before, before, cost) for before, out in ONE_WAY.items() for child, cost in out if child == state]

    assert engine(0, streets, 3, against).cost == 2
    with pytest.raises(BrokenProblem, match="not every move can be taken back, so predecessors= must be a function of its own"):
        engine(0, streets, 3, streets)
    with pytest.raises(BrokenProblem, match="from 0 to 1 at cost 1, but none leads back: predecessors must be the opposite"):
        engine(0, streets, 3, lambda state: [step for step in against(state) if step[1] != 0])
    with pytest.raises(BrokenProblem, match="at the same costs"):
        engine(0, streets, 3, lambda state: [(move, before, cost + 1) for move, before, cost in against(state)])
    upward = lambda state: [("up", state + 1, 1)] if state < 5 else []  # noqa: E731
    with pytest.raises(BrokenProblem, match="not every move can be taken back"):
        engine(0, upward, 5, upward)
    with pytest.raises(TypeError, match="predecessors"):
        engine(0, streets, 3)
