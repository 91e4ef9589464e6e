"""Pattern databases: exact in the pattern, never above the truth in the full problem, refused where they do not belong."""

import pathlib
import random
from typing import NamedTuple

import numpy as np
import pytest
from examples import fifteen_puzzle, fifteen_puzzle_patterns

import bestfirst
from bestfirst import (
    UNREACHABLE,
    CheckpointError,
    Interrupted,
    Limits,
    Status,
    additive,
    distance_table,
    greatest,
    load_pattern_database,
    pattern_database,
)
from bestfirst.kernel import exact, interpreting, kernel
from bestfirst.search.ranked_space import RankedSearch
from naive import distances, rules
from problems import ILLEGAL, Graph, graph, manhattan, problem
from spaces import BlankPattern, RankedGraph, blank_pattern, ranked, ranked_tiles
from spaces import board as tiles_in_order

pytestmark = pytest.mark.slow  # compiles many problems

KORF = pathlib.Path(__file__).parents[1] / "benchmarks" / "korf_1985.txt"


def with_blank(width, height, chosen, **options):
    """A database by the plain pattern, whose blank moves for nothing."""
    pattern, goal = blank_pattern(width, height, chosen)
    return pattern_database(pattern, goal, merge=width * height - len(chosen), **options)


FIVE = ([1, 2, 3, 4, 5], [6, 7, 8, 9, 12], [10, 11, 13, 14, 15])


@pytest.fixture(scope="module")
def eight():
    """Two databases that share the tiles of the 8-puzzle."""
    return [with_blank(3, 3, chosen) for chosen in ([1, 2, 3, 4], [5, 6, 7, 8])]


@pytest.fixture(scope="module")
def fifteen():
    """Three databases of five tiles each."""
    return [fifteen_puzzle_patterns.database(chosen) for chosen in FIVE]


# --- the tables -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chosen", [[1], [5], [1, 2], [5, 3, 1], [4, 1, 2, 3], [1, 2, 3, 4, 5]], ids=str)
def test_entries_are_the_costs_of_the_twin(chosen):
    pattern, goal = blank_pattern(3, 2, chosen)
    successors, _ = rules(pattern, 4)
    cost = distances(tuple(goal.tolist()), successors)  # moves go both ways at the same cost
    least = {}
    for state, d in cost.items():
        with interpreting():
            entry = exact(pattern)._rank(exact(pattern.state(state))) // (6 - len(chosen))
        least[entry] = min(d, least.get(entry, d))
    for compiled in (True, False):
        database = with_blank(3, 2, chosen, compiled=compiled)
        entries = database.bound.entries
        assert {i: d for i, d in enumerate(entries.tolist()) if d != 255} == least
        assert database.counts == tuple(np.bincount(list(cost.values())).tolist())


@pytest.mark.parametrize(
    ("rows", "columns", "chosen"), [(3, 3, [1, 2, 5]), (3, 3, [8, 7, 6, 4]), (2, 4, [1, 4, 6]), (4, 4, [1, 6, 11])]
)
def test_two_models_of_the_blank_give_the_same_table(rows, columns, chosen):
    one = with_blank(columns, rows, chosen)
    other = fifteen_puzzle_patterns.database(chosen, rows, columns)
    assert (one.bound.entries == other.bound.entries).all()
    assert len(one.counts) == len(other.counts)


@problem(state=int)
class Thirds(NamedTuple):
    """A graph whose vertices are numbered otherwise; entry: of the full problem, which has the same states."""

    degree: int
    first: np.ndarray
    target: np.ndarray
    cost: np.ndarray
    goal: np.ndarray
    number: np.ndarray
    vertex: np.ndarray
    merge: int

    move_count = Graph.move_count
    apply = Graph.apply
    is_goal = Graph.is_goal
    state_count = RankedGraph.state_count
    rank = RankedGraph.rank
    unrank = RankedGraph.unrank

    def entry(self, full):
        return self.number[full] // self.merge


@pytest.mark.parametrize("near", [0, 2, 1 << 10])
@pytest.mark.parametrize("seed", range(25))
def test_moves_that_cost_nothing(seed, near, monkeypatch):
    """Costs of 0 and of one other kind, in any graph; also when every step back is taken by going through the marks again."""
    monkeypatch.setattr("bestfirst.search.ranked_space._NEAR", near)
    rng = random.Random(seed)
    merge = rng.randint(1, 3)
    n, unit = merge * rng.randint(1, 12), rng.choice((1, 1, 5))
    forward, back = [[] for _ in range(n)], [[] for _ in range(n)]
    for _ in range(rng.randint(0, 3 * n)):
        a, b, cost = rng.randrange(n), rng.randrange(n), rng.choice((0, unit))
        forward[a].append((b, cost))
        back[b].append((a, cost))
    goals = set(rng.sample(range(n), rng.randint(1, min(n, 2))))
    successors, _ = rules(graph(forward, goals), 99)
    reached = {v: distances(v, successors) for v in range(n)}
    truth = {v: min((d[g] for g in goals if g in d), default=UNREACHABLE) for v, d in reached.items()}
    numbered = ranked(graph(forward, goals), rng)
    pattern = Thirds(*numbered, merge)
    backward = Thirds(*graph(back, goals), numbered.number, numbered.vertex, merge)
    free = {v for v, d in truth.items() if d == 0}
    pattern = pattern._replace(goal=np.array([v in free for v in range(n)], np.uint8))
    counts = []
    for compiled in (True, False) if near > 2 else (False,):
        database = pattern_database(pattern, *goals, merge=merge, backward=backward, compiled=compiled)
        with interpreting():
            found = [exact(database.bound).bound(v) for v in range(n)]
        groups = [pattern.number[v] // merge for v in range(n)]
        assert found == [min(truth[v] for v in range(n) if groups[v] == groups[u]) for u in range(n)]
        counts.append(database.counts)
        assert sum(database.counts) == sum(d != UNREACHABLE for d in truth.values())
    assert len(set(counts)) == 1


# --- bounds -----------------------------------------------------------------------------------------------------------------


@kernel
def bounds_of_all(space, bound, state, found):
    for number in range(found.shape[0]):
        space.unrank(number, state)
        found[number] = bound.bound(state)


def test_no_bound_is_above_a_distance_in_the_whole_eight_puzzle(eight):
    table = distance_table(ranked_tiles(3, 3), tiles_in_order(9))
    solvable = table.distances != 255
    truth = table.distances[solvable].astype(np.int64)
    found = {}
    bounds = {"first": eight[0].bound, "second": eight[1].bound, "sum": additive(*eight), "greatest": greatest(*eight)}
    for name, bound in bounds.items():
        values = np.zeros(len(table.distances), np.int64)
        bounds_of_all(ranked_tiles(3, 3), bound, np.zeros(10, np.int8), values)
        found[name] = values[solvable]
        assert (found[name] <= truth).all()
    assert (found["sum"] == found["first"] + found["second"]).all()
    assert (found["greatest"] == np.maximum(found["first"], found["second"])).all()
    whole = with_blank(3, 3, [1, 2, 3, 4, 5, 6, 7, 8])  # nothing left out but the blank, which is where there is no tile
    values = np.zeros(len(table.distances), np.int64)
    bounds_of_all(ranked_tiles(3, 3), whole.bound, np.zeros(10, np.int8), values)
    assert (values[solvable] == truth).all()
    assert (values[~solvable] == UNREACHABLE).all()


def test_the_sum_lies_between_manhattan_and_the_moves_made(fifteen):
    bound = additive(*fifteen)
    puzzle = fifteen_puzzle_patterns.puzzle(bound)
    far = manhattan(4, 4)
    rng = random.Random(8)
    with interpreting():
        exact_puzzle = exact(puzzle)
        for _ in range(10):
            state, moves = exact(fifteen_puzzle_patterns.board(list(range(16)))), 0
            assert exact_puzzle.lower_bound(state) == 0
            for _ in range(150):
                if exact_puzzle.apply(state, rng.randrange(4)) == ILLEGAL:
                    continue
                moves += 1
                now = exact_puzzle.lower_bound(state)
                assert now <= moves
                assert now >= sum(int(far[tile, state[tile]]) for tile in range(1, 16))


def test_a_table_with_the_blank_is_consistent():
    pattern, goal = blank_pattern(3, 2, [1, 2, 3])
    entries = pattern_database(pattern, goal).bound.entries
    state, falls = np.zeros(4, np.int8), set()
    with interpreting():
        for number in range(len(entries)):
            for move in range(4):
                exact(pattern).unrank(number, exact(state))
                cost = exact(pattern).apply(exact(state), move)
                if cost != ILLEGAL:
                    falls.add(int(entries[number]) - int(entries[exact(pattern).rank(exact(state))]) - cost)
    assert max(falls) == 0


def test_check_problem_finds_nothing_wrong_and_finds_a_part_counted_twice(fifteen):
    start = fifteen_puzzle_patterns.board([1, 2, 6, 3, 4, 5, 10, 7, 8, 9, 0, 11, 12, 13, 14, 15])
    how = {"walks": 2, "length": 6, "distances": 2}
    report = bestfirst.check_problem(fifteen_puzzle_patterns.puzzle(additive(*fifteen)), start, **how)
    assert report.ok
    assert {finding.message.partition(":")[0] for finding in report.findings} <= {"is not consistent"}
    twice = additive(fifteen[0], fifteen[0], fifteen[1])
    report = bestfirst.check_problem(fifteen_puzzle_patterns.puzzle(twice), start, **how)
    assert "lower_bound: is above the true distance" in str(report)
    pattern = fifteen_puzzle_patterns.pattern([1, 2, 3])
    assert bestfirst.check_problem(pattern, pattern.goal(), walks=3).ok


def test_published_lengths(fifteen):
    puzzle = fifteen_puzzle_patterns.puzzle(additive(*fifteen))
    boards = [line.split("|") for line in KORF.read_text().splitlines() if not line.startswith("#")]
    assert len(boards) == 10
    for _, length, nodes, tiles in boards:
        solution = bestfirst.ida_star(puzzle, fifteen_puzzle_patterns.board([int(tile) for tile in tiles.split()]))
        assert (solution.status, solution.cost) == (Status.OPTIMAL, int(length))
        assert solution.stats.generated < int(nodes) / 3  # of those with the Manhattan distance


def test_short_boards_take_fewer_nodes_than_with_manhattan(fifteen):
    plain = fifteen_puzzle.puzzle()
    puzzle = fifteen_puzzle_patterns.puzzle(additive(*fifteen))
    tiles = [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15]
    expected = bestfirst.ida_star(plain, fifteen_puzzle.board(tiles))
    for engine in (bestfirst.ida_star, bestfirst.a_star):
        solution = engine(puzzle, fifteen_puzzle_patterns.board(tiles))
        assert (solution.cost, solution.status) == (expected.cost, Status.OPTIMAL)
        assert solution.stats.generated < expected.stats.generated
    near = fifteen_puzzle_patterns.board([1, 2, 6, 3, 4, 5, 10, 7, 8, 9, 0, 11, 12, 13, 14, 15])
    interpreted = bestfirst.ida_star(puzzle, near, compiled=False)
    compiled = bestfirst.ida_star(puzzle, near)
    assert (interpreted.moves, interpreted.stats.generated) == (compiled.moves, compiled.stats.generated)


def test_unreachable_is_not_added_up(eight):
    apart = graph([[(0, 1)], [(1, 1)], [(2, 1)]], {0})
    one = pattern_database(Thirds(*ranked(apart, random.Random(1)), 1), 0, backward=Thirds(*ranked(apart, random.Random(1)), 1))
    with interpreting():
        for bound in (additive(one, one, one, one, one), greatest(one, one)):
            assert exact(bound).bound(0) == 0
            assert exact(bound).bound(1) == UNREACHABLE


# --- limits -----------------------------------------------------------------------------------------------------------------


def test_a_stopped_database_is_a_lower_bound():
    whole = with_blank(3, 3, [1, 2, 3, 4])
    for nodes in (1, 100, 5000, 30_000):
        part = with_blank(3, 3, [1, 2, 3, 4], limits=Limits(nodes=nodes))
        assert (part.complete, part.stopped_by) == (False, "nodes")
        assert (part.bound.entries <= whole.bound.entries).all()
        assert part.counts == whole.counts[: len(part.counts)]
        near = whole.bound.entries < len(part.counts)
        assert (part.bound.entries[near] == whole.bound.entries[near]).all()
        assert part.bound.entries.max() == len(part.counts)
    with pytest.raises(Interrupted) as stop:
        with_blank(3, 3, [1, 2, 3, 4], interrupted=lambda: True)
    assert stop.value.solution.stopped_by == "interrupt"
    with pytest.raises(MemoryError, match="needs 6,804 bytes, more than there are"):
        with_blank(3, 3, [1, 2, 3, 4], limits=Limits(memory=1000))


def test_stopped_and_resumed(tmp_path):
    whole = with_blank(3, 3, [1, 2, 3, 4])
    with_blank(3, 3, [1, 2, 3, 4], limits=Limits(nodes=9000), checkpoint=tmp_path / "walk")
    resumed = with_blank(3, 3, [1, 2, 3, 4], resume=tmp_path / "walk")
    assert (resumed.bound.entries == whole.bound.entries).all()
    assert resumed.stats.generated == whole.stats.generated
    with pytest.raises(CheckpointError, match="another problem"):
        with_blank(3, 3, [1, 2, 3, 5], resume=tmp_path / "walk")


def test_every_pause_is_harmless():
    pattern, goal = blank_pattern(3, 2, [1, 2, 3])
    settings = {"keeps_depths": True, "merge": 3, "seeks_goals": True, "allows_zero": True}
    whole, pieces = (RankedSearch("pattern_database", pattern, (goal,), {}, **settings) for _ in range(2))
    while not whole.advance(1 << 40):
        pass
    while not pieces.advance(int(pieces.counters[1]) + 1):
        pass
    assert (whole.memory.entries == pieces.memory.entries).all()
    assert whole.stats() == pieces.stats()


# --- files ------------------------------------------------------------------------------------------------------------------


def test_what_is_saved_is_loaded_for_the_same_pattern_only(tmp_path, eight):
    path = tmp_path / "first"
    eight[0].save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["first"]
    loaded = load_pattern_database(path, eight[0].bound.pattern)
    assert (loaded.bound.entries == eight[0].bound.entries).all()
    assert (loaded.merge, loaded.counts, loaded.complete, loaded.stats) == (5, eight[0].counts, True, eight[0].stats)
    assert loaded.bound._replace(entries=0, pattern=0) == eight[0].bound._replace(entries=0, pattern=0)
    for other in (eight[1].bound.pattern, blank_pattern(3, 3, [1, 2, 3])[0], blank_pattern(4, 3, [1, 2, 3, 4])[0]):
        with pytest.raises(
            CheckpointError, match="made for another pattern than this BlankPattern: its rules or its data differ"
        ):
            load_pattern_database(path, other)
    before = BlankPattern.is_goal
    try:
        BlankPattern.is_goal = lambda self, state: True
        with pytest.raises(CheckpointError, match="its rules or its data differ"):
            load_pattern_database(path, eight[0].bound.pattern)
    finally:
        BlankPattern.is_goal = before


def test_files_that_are_none(tmp_path, eight):
    pattern = eight[0].bound.pattern
    with pytest.raises(CheckpointError, match="there is no pattern database"):
        load_pattern_database(tmp_path / "nothing", pattern)
    (tmp_path / "text").write_text("3 4")
    with pytest.raises(CheckpointError, match="is not a bestfirst pattern database, or is damaged"):
        load_pattern_database(tmp_path / "text", pattern)
    bestfirst.explore(ranked_tiles(3, 3), tiles_in_order(9), limits=Limits(nodes=5), checkpoint=tmp_path / "walk")
    with pytest.raises(CheckpointError, match="is not a bestfirst pattern database"):
        load_pattern_database(tmp_path / "walk", pattern)
    eight[0].save(tmp_path / "first")
    whole = (tmp_path / "first").read_bytes()
    for size in range(0, len(whole), len(whole) // 20):
        (tmp_path / "first").write_bytes(whole[:size])
        with pytest.raises(CheckpointError, match="damaged"):
            load_pattern_database(tmp_path / "first", pattern)


# --- what is refused --------------------------------------------------------------------------------------------------------


def test_what_is_refused(eight):
    pattern, goal = blank_pattern(3, 3, [1, 2, 3])
    with pytest.raises(TypeError, match=r"requires entry\(self, full\), which RankedTiles does not define"):
        pattern_database(ranked_tiles(3, 3), tiles_in_order(9))
    with pytest.raises(ValueError, match="3024 is no multiple of 5"):
        pattern_database(pattern, goal, merge=5)
    for merge in (0, -1, 1.5, True):
        with pytest.raises(ValueError, match="merge="):
            pattern_database(pattern, goal, merge=merge)
    with pytest.raises(ValueError, match="give pattern_database the goals"):
        pattern_database(pattern)
    with pytest.raises(ValueError, match="is no goal of BlankPattern"):
        pattern_database(pattern, np.array([1, 2, 4, 0], np.int8))
    with pytest.raises(ValueError, match="additive needs at least one bound"):
        additive()
    with pytest.raises(TypeError, match="greatest takes pattern databases and their bounds, not ndarray"):
        greatest(eight[0], eight[0].bound.entries)
    assert additive(eight[0]) is eight[0].bound
