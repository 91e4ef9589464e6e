"""explore and distance_table: against published layers, slow twins, each other and the engines that solve one state."""

import random
from typing import NamedTuple

import numpy as np
import pytest
from examples.pocket_cube import cube

import bestfirst
from bestfirst import BrokenProblem, CheckpointError, CostError, Interrupted, Limits, Status, checkpoint, distance_table, explore
from bestfirst.control import EXHAUSTED, FULL, PAUSED
from bestfirst.kernel import exact, interpreting, kernel
from bestfirst.search.listed_space import ListedSearch
from bestfirst.search.ranked_space import RankedSearch, first_marked, set_mark, widened
from naive import distances, distances_to, rules
from problems import ILLEGAL, Tiles, graph, numbers, problem, scrambled, tiles
from spaces import CUBE_HALF_TURNS, CUBE_QUARTER_TURNS, KNIGHTS, LAYERS, Flips, board, knights, ranked, ranked_tiles, stack

pytestmark = pytest.mark.slow  # compiles many problems


def histogram(depths):
    """How often 0, 1, 2 … stand among the values."""
    return tuple(np.bincount(list(depths)).tolist())


def random_space(rng, vertices=30, two_way=False):
    """Edges of a graph, each of cost 1, perhaps in both directions."""
    n = rng.randint(1, vertices)
    edges = [[] for _ in range(n)]
    for _ in range(rng.randint(0, 2 * n)):
        a, b = rng.randrange(n), rng.randrange(n)
        edges[a].append((b, 1))
        if two_way:
            edges[b].append((a, 1))
    return edges


def turned(edges):
    """The same edges in the other direction."""
    back = [[] for _ in edges]
    for a, out in enumerate(edges):
        for b, cost in out:
            back[b].append((a, cost))
    return back


# --- the number of states at each depth ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LAYERS)
def test_published_layers(name):
    space, start, expected = LAYERS[name]
    found = explore(space, start)
    assert found.counts == expected
    assert (found.complete, found.total, found.depth) == (True, sum(expected), len(expected) - 1)
    assert found.stats.expanded == found.total
    assert len({state.tobytes() for state in found.farthest}) == len(found.farthest) == min(64, expected[-1])
    for state in found.farthest[:2]:
        assert explore(space, state, limits=Limits(nodes=1)).counts in ((), (1,))


@pytest.mark.parametrize(("turns", "expected"), [(3, CUBE_HALF_TURNS), (2, CUBE_QUARTER_TURNS)])
def test_all_positions_of_the_pocket_cube(turns, expected):
    assert explore(cube(turns), stack(7)).counts == expected
    table = distance_table(cube(turns), stack(7))
    assert table.counts == expected == tuple(np.bincount(table.distances).tolist())
    assert table.distances.nbytes == sum(expected)


def test_all_positions_of_the_knights():
    space, start = knights()
    found = explore(space, start)
    assert found.counts == KNIGHTS
    assert found.stats.peak_bytes < 17 << 20  # two bits a state


@pytest.mark.parametrize("seed", range(40))
def test_explore_finds_what_the_twin_finds(seed):
    rng = random.Random(seed)
    edges = random_space(rng)
    plain_graph = graph(edges, set())
    starts = [rng.randrange(len(edges)) for _ in range(rng.randint(1, 3))]
    successors, _ = rules(plain_graph, plain_graph.degree)
    reached = [distances(start, successors) for start in starts]
    nearest = {v: min(d[v] for d in reached if v in d) for v in range(len(edges)) if any(v in d for d in reached)}
    last = {v for v, depth in nearest.items() if depth == max(nearest.values())}
    answers = []
    for space in (plain_graph, ranked(plain_graph, rng)):
        for compiled in (True, False):
            found = explore(space, *starts, compiled=compiled)
            assert found.counts == histogram(nearest.values())
            assert set(found.farthest) == last
            answers.append((found.counts, found.stats.expanded, found.stats.generated, found.stats.duplicates))
    assert len(set(answers)) == 1


def test_ranked_and_listed_agree_on_arrays_compiled_and_interpreted():
    expected = LAYERS["tiles 3×2"][2]
    for space in (ranked_tiles(3, 2), tiles(3, 2)):
        for compiled in (True, False):
            assert explore(space, board(6), compiled=compiled).counts == expected
    assert explore(tiles(3, 3), board(9)).counts == LAYERS["tiles 3×3, blank in a corner"][2]


def test_how_many_of_the_farthest_are_kept():
    for space in (ranked_tiles(3, 2), tiles(3, 2)):
        assert explore(space, board(6), farthest=0).farthest == ()
        (only,) = explore(space, board(6)).farthest
        assert bestfirst.breadth_first(tiles(3, 2), only).cost == 21
    for wrong in (-1, 1.5, True, None):
        with pytest.raises(ValueError, match="farthest="):
            explore(ranked_tiles(3, 2), board(6), farthest=wrong)


@kernel
def marked(marks, mark, position, words, found):
    found[0] = first_marked(marks, mark, position, words)


def test_the_walk_over_marks_misses_none():
    rng = random.Random(5)
    for _ in range(300):
        size = rng.randint(1, 200)
        marks, values = np.zeros(size // 32 + 1, np.uint64), [rng.choice((0, 0, 1, 2, 3)) for _ in range(size)]
        with interpreting():
            for number, mark in enumerate(values):
                set_mark(exact(marks), number, rng.randint(0, 3))
                set_mark(exact(marks), number, mark)
        mark, position, words = rng.randint(1, 3), rng.randrange(size), rng.randint(1, 8)
        end = min(len(marks), position // 32 + words) * 32
        expected = next((i for i in range(position, min(size, end)) if values[i] == mark), end)
        found = np.zeros(1, np.int64)
        marked(marks, mark, position, words, found)
        assert found[0] == expected
        with interpreting():
            assert first_marked(exact(marks), mark, position, words) == expected


# --- distances ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_distances_are_those_of_the_twin(seed):
    rng = random.Random(seed)
    edges = random_space(rng, 15)
    goals = rng.sample(range(len(edges)), min(len(edges), rng.randint(1, 3)))
    forward, back = graph(edges, set(goals)), graph(turned(edges), set(goals))
    successors, _ = rules(forward, forward.degree)
    expected = distances_to(goals, successors, range(len(edges)))
    numbering = rng.random()
    for space, backward in (
        (forward, back),
        (ranked(forward, random.Random(numbering)), ranked(back, random.Random(numbering))),
    ):
        for compiled in (True, False):
            table = distance_table(space, *goals, backward=backward, compiled=compiled)
            assert table.counts == histogram(expected.values())
            for vertex in range(len(edges)):
                assert table.distance(vertex) == expected.get(vertex)
                solution, best = table.solve(vertex), bestfirst.breadth_first(forward, vertex)
                assert (solution.status, solution.cost, solution.moves) == (best.status, best.cost, best.moves)
            for depth in range(len(table.counts) + 1):
                assert set(table.states(depth)) == {v for v, d in expected.items() if d == depth}


def test_solutions_are_the_lexicographically_first_ones():
    puzzle = tiles(3, 3)
    table, listed = distance_table(ranked_tiles(3, 3), board(9)), distance_table(puzzle, board(9))
    rng = random.Random(2)
    for _ in range(30):
        state = scrambled(puzzle, rng, 80)
        best = bestfirst.ida_star(puzzle, state)
        for one in (table, listed):
            solution = one.solve(state)
            assert (solution.cost, solution.moves, solution.status) == (best.cost, best.moves, Status.OPTIMAL)
    assert table.counts == listed.counts == LAYERS["tiles 3×3, blank in a corner"][2]
    unsolvable = board(9)
    unsolvable[1], unsolvable[2] = 2, 1
    for one in (table, listed):
        assert one.distance(unsolvable) is None
        assert one.solve(unsolvable).status is Status.INFEASIBLE


@problem
class PerfectTiles(NamedTuple):
    """RankedTiles with its own table as the bound."""

    cells: int
    neighbour: np.ndarray
    distances: np.ndarray

    move_names = "ULRD"

    apply = Tiles.apply
    is_goal = Tiles.is_goal

    def lower_bound(self, state):
        number, used = 0, 0
        for cell in range(self.cells):
            smaller = 0
            for value in range(state[cell]):
                smaller += 1 - ((used >> value) & 1)
            number = number * (self.cells - cell) + smaller
            used |= 1 << state[cell]
        return self.distances[number]


def test_a_table_is_a_perfect_bound():
    table = distance_table(ranked_tiles(3, 3), board(9))
    perfect = PerfectTiles(9, tiles(3, 3).neighbour, table.distances)
    for state in (*explore(ranked_tiles(3, 3), board(9)).farthest, scrambled(tiles(3, 3), random.Random(1), 50)):
        solution = bestfirst.ida_star(perfect, state)
        assert solution.cost == table.distance(state) == solution.stats.expanded
        assert solution.moves == table.solve(state).moves


@problem(state=int)
class Road(NamedTuple):
    """Numbers from 0 to `end`; forward and back for `price`."""

    end: int
    price: int

    moves = 2

    def apply(self, state, move):
        following = state + 1 - 2 * move
        if following < 0 or following > self.end:
            return state, ILLEGAL
        return following, self.price

    def inverse(self, move):
        return 1 - move

    def is_goal(self, state):
        return state == 0

    def state_count(self):
        return self.end + 1

    def rank(self, state):
        return state

    def unrank(self, rank):
        return rank


@pytest.mark.parametrize("end", [0, 1, 62, 63, 64, 253, 254, 255, 256, 700])
def test_far_distances_and_dear_moves(end):
    table = distance_table(Road(end, 7), 0)
    assert table.distances.dtype == (np.uint8 if end < 255 else np.uint16)
    assert table.distances.tolist() == list(range(end + 1))
    assert table.counts == (1,) * (end + 1)
    assert table.distance(end) == 7 * end == table.solve(end).cost
    assert explore(Road(end, 7), end // 2).total == end + 1
    assert explore(numbers(-1, high=end), 0).counts == table.counts


def test_wider_entries_keep_what_they_say():
    wider = widened(np.array([0, 3, 254, 255], np.uint8), np.uint16)
    assert (wider.tolist(), wider.dtype) == ([0, 3, 254, 65535], np.uint16)


# --- limits, pauses, interruption ---------------------------------------------------------------------------------------


def searches():
    """A maker for every kind of walk."""
    rng = random.Random(3)
    space = graph(random_space(rng, 60, two_way=True), {0})
    return {
        "ranked": lambda: RankedSearch("explore", ranked_tiles(3, 3), (board(9),), {}, farthest=5),
        "ranked, with depths": lambda: RankedSearch("distance_table", ranked_tiles(4, 2), (board(8),), {}, keeps_depths=True),
        "ranked, far": lambda: RankedSearch("distance_table", Road(900, 1), (0,), {}, keeps_depths=True),
        "listed": lambda: ListedSearch("explore", tiles(3, 3), (board(9),), {}, farthest=5),
        "listed, several starts": lambda: ListedSearch("explore", space, (0, 1, 0, 2), {}),
        "listed, far": lambda: ListedSearch("explore", numbers(-1, high=900), (0,), {}),
    }


SEARCHES = searches()


def advance(search, stop_at):
    while (outcome := search.advance(stop_at)) == FULL:
        assert search.grow(None)
    return outcome


def known(search):
    return (
        search.layer_sizes(True),
        [str(s) for s in search.farthest_states()],
        search.stats(),
        search.progress()._replace(bytes=0),
    )


@pytest.mark.parametrize("scan_words", [1, 1 << 22])
@pytest.mark.parametrize("kind", SEARCHES)
def test_a_walk_in_pieces_is_the_same_walk(kind, scan_words, tmp_path):
    make = SEARCHES[kind]
    whole, pieces = make(), make()
    assert advance(whole, 1 << 40) == EXHAUSTED
    rng, pauses = random.Random(kind), 0
    while (last := advance(pieces, pieces.progress().generated + rng.randint(1, whole.stats().generated // 12))) == PAUSED:
        pauses += 1
        checkpoint.store(pieces.save(), tmp_path / "walk")
        pieces = make()
        pieces.restore(checkpoint.load(tmp_path / "walk"))
    assert pauses > 3
    assert last == EXHAUSTED
    assert known(pieces) == known(whole)
    for name in ("marks", "entries", "layers"):
        if hasattr(whole.memory, name):
            assert (getattr(pieces.memory, name) == getattr(whole.memory, name)).all()


def test_a_long_way_without_an_open_state_is_walked_in_steps(monkeypatch):
    monkeypatch.setattr("bestfirst.search.ranked_space._SCAN_WORDS", 1)
    search = RankedSearch("explore", ranked_tiles(3, 2), (board(6),), {"compiled": False})
    pauses = 0
    while advance(search, 1 << 40) == PAUSED:
        pauses += 1
    assert pauses > 100
    assert search.layer_sizes(True) == LAYERS["tiles 3×2"][2]


@pytest.mark.parametrize("space", [ranked_tiles(3, 3), tiles(3, 3)], ids=["ranked", "listed"])
def test_a_stopped_walk_tells_what_is_certain(space, tmp_path):
    expected = LAYERS["tiles 3×3, blank in a corner"][2]
    for nodes in (0, 1, 5, 1000, 100_000):
        found = explore(space, board(9), limits=Limits(nodes=nodes), checkpoint=tmp_path / "walk")
        assert (found.complete, found.stopped_by, found.farthest) == (False, "nodes", ())
        assert found.counts == expected[: len(found.counts)]
        assert str(found).startswith("stopped (nodes): at least")
        assert explore(space, board(9), resume=tmp_path / "walk").counts == expected
    assert len(found.counts) > 15
    with pytest.raises(CheckpointError, match="another start"):
        explore(space, board(9), board(9, 1), resume=tmp_path / "walk")
    with pytest.raises(CheckpointError, match="engine"):
        distance_table(space, board(9), resume=tmp_path / "walk")


@pytest.mark.parametrize("space", [ranked_tiles(3, 3), tiles(3, 3)], ids=["ranked", "listed"])
def test_a_stopped_table_knows_what_is_near(space):
    whole = distance_table(space, board(9))
    table = distance_table(space, board(9), limits=Limits(nodes=50_000))
    assert (table.complete, table.stopped_by) == (False, "nodes")
    assert table.counts == whole.counts[: len(table.counts)]
    for depth in (0, 5, len(table.counts) - 1):
        state = next(whole.states(depth))
        assert table.distance(state) == depth == table.solve(state).cost
    with pytest.raises(ValueError, match="not known: the table was stopped"):
        table.distance(next(whole.states(31)))


def test_memory_that_is_not_there(monkeypatch):
    for limits in (Limits(memory=100), Limits(memory=0)):
        found = explore(ranked_tiles(3, 3), board(9), limits=limits)
        assert (found.stopped_by, found.counts) == ("memory", ())
    assert explore(ranked_tiles(3, 3), board(9), limits=Limits(memory=100_000)).complete
    huge = Road(1 << 47, 1)  # two bits a state: more than any machine has free
    assert explore(huge, 0).stopped_by == "memory"
    assert distance_table(huge, 0).stopped_by == "memory"
    with pytest.raises(CheckpointError, match="more than there are"):
        explore(huge, 0, checkpoint="walk")
    wide = distance_table(Road(700_000, 1), 0, limits=Limits(memory=1_000_000))  # one byte a state, but not two
    assert (wide.stopped_by, wide.counts) == ("memory", (1,) * 254)
    listed = explore(tiles(3, 3), board(9), limits=Limits(memory=1 << 20))
    assert listed.stopped_by == "memory"
    assert listed.counts == LAYERS["tiles 3×3, blank in a corner"][2][: len(listed.counts)]


@pytest.mark.parametrize("space", [ranked_tiles(3, 3), tiles(3, 3)], ids=["ranked", "listed"])
def test_an_interrupted_walk_hands_over_what_it_knows(space):
    asked = []

    def interrupted():
        asked.append(1)
        return len(asked) > 3

    with pytest.raises(Interrupted) as stop:
        explore(space, board(9), interrupted=interrupted)
    assert stop.value.solution.stopped_by == "interrupt"
    assert stop.value.solution.counts == LAYERS["tiles 3×3, blank in a corner"][2][: len(stop.value.solution.counts)]
    with pytest.raises(Interrupted) as stop:
        distance_table(space, board(9), interrupted=lambda: True)
    assert stop.value.solution.complete is False


# --- what is refused ----------------------------------------------------------------------------------------------------


def test_what_is_no_space():
    with pytest.raises(ValueError, match="at least one start"):
        explore(tiles(3, 2))
    with pytest.raises(TypeError, match="is not a problem"):
        explore(3, 4)
    with pytest.raises(TypeError, match="states of Road are integers"):
        explore(Road(5, 1), board(6))
    for space in (ranked_tiles(3, 2), tiles(3, 2)):
        with pytest.raises(TypeError, match="the same form: 7 elements of int8, not 7 of int16"):
            explore(space, board(6), board(6).astype(np.int16))
    for end in (-1, 1 << 48, 1 << 70):
        with pytest.raises((ValueError, TypeError), match=r"can have 1 to|beyond 64 bits"):
            explore(Road(end, 1), 0)


def test_costs():
    for kind in (lambda g: g, lambda g: ranked(g, random.Random(1))):
        for costs, message in (((1, 2), "equal costs"), ((0, 0), "costs 0"), ((1, -1), "negative"), ((1 << 41, 1), "2\\^40")):
            space = kind(graph([[(1, costs[0])], [(0, costs[1])]], {0}))
            for compiled in (True, False):
                with pytest.raises(CostError, match=message):
                    explore(space, 0, compiled=compiled)


def test_goals():
    for space in (ranked_tiles(3, 2), tiles(3, 2)):
        with pytest.raises(ValueError, match="give distance_table the goals"):
            distance_table(space)
        with pytest.raises(ValueError, match="is no goal of"):
            distance_table(space, board(6, 1))
    space = graph([[(1, 1)], [(0, 1), (2, 1)], [(1, 1)]], {0, 2})
    for one in (space, ranked(space, random.Random(1))):
        for compiled in (True, False):
            with pytest.raises(ValueError, match="the state 2 is a goal as well"):
                distance_table(one, 0, backward=one, compiled=compiled)
        with pytest.raises(TypeError, match="define inverse, or give a problem with the moves taken back"):
            distance_table(one, 0)
    assert distance_table(space, 0, 2, backward=space).counts == (2, 1)
    with pytest.raises(TypeError, match="does not number its states"):
        _ = distance_table(space, 0, 2, backward=space).distances


def test_numbers_that_are_wrong():
    class Wrong(NamedTuple):
        top: int
        at: int
        instead: int

        moves = 2

        def apply(self, state, move):
            following = state + 1 - 2 * move
            return (following, 1) if 0 <= following <= self.top else (state, ILLEGAL)

        def is_goal(self, state):
            return state == 0

        def state_count(self):
            return self.top + 1

        def rank(self, state):
            return self.instead if state == self.at else state

        def unrank(self, rank):
            return rank

    wrong = problem(state=int)(Wrong)
    for instead in (-1, 21, 1 << 40):
        for compiled in (True, False):
            with pytest.raises(BrokenProblem, match=r"outside 0 … state_count - 1"):
                explore(wrong(20, 10, instead), 0, compiled=compiled)
        with pytest.raises(BrokenProblem, match="outside 0 … 20, for the state 10"):
            explore(wrong(20, 10, instead), 10)
    with pytest.raises(BrokenProblem, match="unrank does not take rank back: the state 10 has number 5, and that the state 5"):
        explore(wrong(20, 10, 5), 10)
    assert "unrank: does not take rank back" in str(bestfirst.check_problem(wrong(20, 10, 5), 9))
    assert "rank: is outside 0 … state_count - 1: 21, state_count is 21" in str(bestfirst.check_problem(wrong(20, 10, 21), 9))


def test_numbering_in_part_is_refused():
    class Half(NamedTuple):
        n: int
        moves = 2

        def apply(self, state, move):
            return 1

        def is_goal(self, state):
            return True

        def rank(self, state):
            return 0

    with pytest.raises(TypeError, match="numbers its states only in part: state_count is missing"):
        problem(Half)
    Half.state_count = lambda self: 1
    Half.unrank = lambda self, rank: None
    with pytest.raises(TypeError, match=r"Half.unrank must have the parameters \(self, rank, state\)"):
        problem(Half)
    Half.unrank = lambda self, rank, state: None
    with pytest.raises(TypeError, match=r"unrank must have the parameters \(self, rank\)"):
        problem(state=int)(Half)


def test_an_array_that_unrank_does_not_fill_is_found():
    class Partly(NamedTuple):
        n: int
        moves = 2

        def apply(self, state, move):
            state[0] = (state[0] + 1 + move) % self.n
            return 1

        def is_goal(self, state):
            return state[0] == 0

        def state_count(self):
            return self.n

        def rank(self, state):
            return state[0]

        def unrank(self, rank, state):
            state[0] = rank

    partly = problem(Partly)(5)
    assert "unrank: does not take rank back" in str(bestfirst.check_problem(partly, np.array([0, 0])))
    assert "unrank" not in str(bestfirst.check_problem(partly, np.array([0])))


@pytest.mark.parametrize("space", [Flips(4, 1), Flips(5, 0), cube(3), cube(2), ranked_tiles(3, 2)], ids=str)
def test_the_problems_of_this_file_keep_their_promises(space):
    start = board(6) if hasattr(space, "cells") else stack(getattr(space, "size", 7))
    assert bestfirst.check_problem(space, start, walks=3).ok
