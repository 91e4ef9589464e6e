"""The compiled search of Flood-It against breadth-first search over boards, exact distances, and itself run otherwise."""

import numpy as np
import pytest

from bestfirst.catalogue import flood_it_search as flood
from bestfirst.control import EXHAUSTED, FOUND, FULL
from bestfirst.kernel import interpreting, kernel
from bestfirst.result import Limits, Status
from bestfirst.search.a_star import a_star
from bestfirst.search.breadth_first import breadth_first
from bestfirst.search.ida_star import ida_star
from naive_flood import best, play

pytestmark = pytest.mark.slow  # compiles for boards of several sizes


def random_board(rng, cells=20, colours=6):
    rows = int(rng.integers(1, 6))
    columns = int(rng.integers(1, cells // rows + 1))
    board = rng.integers(0, rng.integers(1, colours + 1), (rows, columns))
    return board, (int(rng.integers(rows)), int(rng.integers(columns)))


def as_tuple(board):
    return tuple(map(tuple, board.tolist()))


def solve(board, start=(0, 0), **options):
    return flood.solve_regions(flood.contract(board, *start), **options)


def counts(solution):
    s = solution.stats
    return solution.moves, s.expanded, s.generated, s.duplicates, s.pruned


def test_first_of_the_shortest_sequences():
    rng = np.random.default_rng(1)
    for _ in range(2000):
        board, start = random_board(rng, cells=14)
        solution = solve(board, start)
        assert solution.status is Status.OPTIMAL
        assert solution.moves == best(as_tuple(board), start), (board, start)
        assert solution.cost == solution.bound == len(solution.moves)


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (2, 7), (3, 3)])
def test_shapes(shape):
    rng = np.random.default_rng(2)
    for _ in range(40):
        board = rng.integers(0, 4, shape)
        start = (int(rng.integers(shape[0])), int(rng.integers(shape[1])))
        assert solve(board, start).moves == best(as_tuple(board), start)


def test_colours_keep_their_values_and_order():
    board = np.array([[7, -3, 900], [-3, 7, 900]])
    assert solve(board).moves == best(as_tuple(board))


def test_one_colour_needs_no_move():
    solution = solve(np.full((3, 4), 5))
    assert (solution.status, solution.cost, solution.moves) == (Status.OPTIMAL, 0, ())


def test_64_colours_at_most():
    row = np.arange(64)[None, :]
    assert solve(row).moves == tuple(range(1, 64))
    with pytest.raises(ValueError, match="65 colours; at most 64"):
        flood.contract(np.arange(65)[None, :])


@pytest.mark.parametrize("board", [np.zeros((0, 3), int), np.zeros(3, int), np.zeros((2, 2))])
def test_what_is_no_board(board):
    with pytest.raises(ValueError, match="rectangle of integers"):
        flood.contract(board)


def test_a_colour_beyond_63_bits():
    with pytest.raises(ValueError, match="does not fit"):
        flood.contract(np.array([[1 << 63, 1]], np.uint64))


def test_start_outside():
    with pytest.raises(ValueError, match="outside the board of 2 rows and 3 columns"):
        flood.contract(np.zeros((2, 3), int), 2, 0)


def test_unknown_pruning():
    with pytest.raises(ValueError, match="no pruning magic"):
        solve(np.eye(3, dtype=int), without={"magic"})


@pytest.mark.parametrize("name", flood.PRUNINGS)
def test_without_a_pruning_the_answer_is_the_same(name):
    rng = np.random.default_rng(3)
    with_it = without_it = 0
    for _ in range(40):
        board = rng.integers(0, 6, (8, 8))
        assert solve(board, without={name}).moves == solve(board).moves
        normal, other = solve(board, lexicographic=False), solve(board, without={name}, lexicographic=False)
        assert other.cost == normal.cost
        with_it += normal.stats.generated
        without_it += other.stats.generated
    assert with_it != without_it  # so the switch does something


def test_without_any_pruning():
    rng = np.random.default_rng(4)
    for _ in range(100):
        board, start = random_board(rng, cells=12, colours=4)
        assert solve(board, start, without=set(flood.PRUNINGS)).moves == best(as_tuple(board), start)


def is_flooded_by(board, moves):
    flooded = as_tuple(board)
    for colour in moves:
        flooded = play(flooded, (0, 0), colour)
    return len({cell for row in flooded for cell in row}) == 1


def test_sets_of_several_words():
    board = np.random.default_rng(11).integers(0, 5, (14, 14))
    assert flood.contract(board).width == (0, 0, 0)
    solution = solve(board)
    assert is_flooded_by(board, solution.moves)
    assert solve(board, lexicographic=False).cost == solution.cost


def test_sets_of_many_words():
    """Their code does not know W; on smaller sets it does the same as the code that does."""
    chessboard = np.indices((17, 17)).sum(axis=0) % 2
    assert flood.contract(chessboard).width == ()
    assert solve(chessboard).moves == (1, 0) * 16
    for side, colours in ((8, 6), (14, 5)):
        regions = flood.contract(np.random.default_rng(11).integers(0, colours, (side, side)))
        assert counts(flood.solve_regions(regions._replace(width=()))) == counts(flood.solve_regions(regions))


def exact_distances(regions):
    """h* of every state on the way, by the rules of FloodIt: {state as bytes: (state, moves)}."""
    game = flood.FloodIt(regions)
    known = {}

    def distance(state):
        key = state.tobytes()
        if key not in known:
            known[key] = (state, 0)
            if not game.is_goal(state):
                children = []
                for move in range(game.move_count()):
                    child = state.copy()
                    if game.apply(child, move) == 1:
                        children.append(distance(child))
                known[key] = (state, 1 + min(children))
        return known[key][1]

    distance(game.start())
    return known


@kernel
def compiled_bound(width, graph, colour, layers, sets, node, limit, normal, critical):
    return flood._bound(width, graph, colour, layers, sets, node, limit, normal, critical)


@pytest.mark.parametrize("critical", [False, True])
def test_the_bound_never_overestimates(critical):
    rng = np.random.default_rng(5)
    states = tight = 0
    for number in range(1500):
        rows, columns = (4, 4) if number < 60 else (3, 3)
        board = rng.integers(0, 4, (rows, columns))
        regions = flood.contract(board, int(rng.integers(rows)), int(rng.integers(columns)))
        search = flood.FloodSearch(regions, {})
        search.advance(2)
        sets, layers = search.memory.sets, search.memory.layers
        graph, colour = regions.graph, regions.colour
        neighbours = [graph[flood._UNIONS + 256 * (v >> 3) + (1 << (v & 7)), 0] for v in range(len(colour))]
        for state, moves in exact_distances(regions).values():
            taken = int(state[0])
            seen, remaining = taken, 0
            for v in range(len(colour)):
                if taken >> v & 1:
                    seen |= int(neighbours[v])
                else:
                    remaining |= 1 << int(colour[v])
            sets[flood._SPARE : flood._SPARE + 4, 0] = taken, seen, remaining, 0
            bounds = [
                compiled_bound(regions.width, graph, colour, layers, sets, flood._SPARE, np.int64(limit), False, critical)
                for limit in (1000, moves, moves - 1)
            ]
            assert bounds[0] <= moves
            assert bounds[1] <= moves  # the early end, too
            assert bounds[2] <= moves
            states += 1
            tight += bounds[0] == moves
    assert states > 2000
    assert tight > states // 2


def paused(regions, rng, **settings):
    """The search, stopped at random places and moved to another object there."""
    search = flood.FloodSearch(regions, {}, **settings)
    while True:
        outcome = search.advance(int(search.counters[flood.GENERATED]) + int(rng.integers(1, 40)))
        if outcome == FOUND:
            return search
        assert outcome != EXHAUSTED
        if outcome == FULL:
            assert search.grow(None)
        snapshot = search.save()
        copy = type(snapshot)(snapshot.header, {name: array.copy() for name, array in snapshot.arrays.items()})
        search = flood.FloodSearch(regions, {}, **settings)
        search.restore(copy)


def test_pausing_changes_nothing():
    rng = np.random.default_rng(6)
    for lexicographic in (True, False):
        for _ in range(8):
            regions = flood.contract(rng.integers(0, 6, (8, 8)))
            solution = flood.solve_regions(regions, lexicographic=lexicographic)
            search = paused(regions, rng, lexicographic=lexicographic)
            assert search.best() == (solution.cost, solution.moves)
            stats = search.stats()
            assert (stats.expanded, stats.generated, stats.duplicates, stats.pruned) == counts(solution)[1:]


def test_interpreted_equals_compiled():
    rng = np.random.default_rng(7)
    for without in [(), *[(name,) for name in flood.PRUNINGS]]:
        for _ in range(4):
            board, start = random_board(rng, cells=25)
            compiled = solve(board, start, without=without)
            with interpreting():
                regions = flood.contract(board, *start)
            assert counts(flood.solve_regions(regions, without=without, compiled=False)) == counts(compiled)


def test_growing_and_a_table_that_may_not_grow():
    board = np.random.default_rng(16).integers(0, 6, (14, 14))
    free = solve(board)
    assert free.stats.expanded > flood._STATES  # so the table has grown
    memory = free.stats.peak_bytes - 1
    tight = solve(board, limits=Limits(memory=memory))
    assert tight.moves == free.moves
    assert tight.stats.peak_bytes <= memory


def test_the_board_counts_as_memory():
    regions = flood.contract(np.random.default_rng(11).integers(0, 6, (40, 40)))
    stopped = flood.solve_regions(regions, limits=Limits(memory=regions.graph.nbytes))
    assert (stopped.status, stopped.stopped_by) == (Status.STOPPED, "memory")
    assert stopped.stats.peak_bytes > regions.graph.nbytes


def test_stopped_searches_say_what_is_proved():
    board = np.random.default_rng(8).integers(0, 6, (8, 8))
    whole = solve(board)
    bounds, costs = [], []
    for nodes in range(1, whole.stats.generated, max(1, whole.stats.generated // 60)):
        part = solve(board, limits=Limits(nodes=nodes))
        assert part.status is (Status.STOPPED if part.moves is None else Status.FEASIBLE)
        bounds.append(part.bound)
        costs.append(1000 if part.cost is None else part.cost)
        if part.moves is not None:
            assert part.cost == len(part.moves)
            assert is_flooded_by(board, part.moves)
    assert bounds == sorted(bounds)
    assert costs == sorted(costs, reverse=True)
    assert bounds[-1] == costs[-1] == whole.cost  # the optimum, not yet the first sequence
    assert costs[0] == 1000  # nothing yet


def test_a_first_sequence_is_found_at_once():
    rng = np.random.default_rng(12)
    gaps = []
    for _ in range(40):
        board = rng.integers(0, 6, (14, 14))
        part = solve(board, limits=Limits(nodes=200))
        assert part.status is Status.FEASIBLE
        assert part.bound <= part.cost == len(part.moves)
        assert is_flooded_by(board, part.moves)
        gaps.append(part.cost - part.bound)
    assert max(gaps) > 0  # so they were not all best at once


def test_first_of_the_shortest_sequences_of_strips_and_many_colours():
    rng = np.random.default_rng(13)
    for _ in range(3000):
        rows = int(rng.integers(1, 4))
        columns = int(rng.integers(1, 12 // rows + 1))
        board = rng.integers(0, rng.integers(2, 10), (rows, columns))
        start = (int(rng.integers(rows)), int(rng.integers(columns)))
        assert solve(board, start).moves == best(as_tuple(board), start), (board, start)


def test_the_general_engines_agree():
    rng = np.random.default_rng(9)
    for _ in range(12):
        board, start = random_board(rng, cells=20, colours=4)
        regions = flood.contract(board, *start)
        game = flood.FloodIt(regions)
        cost = flood.solve_regions(regions).cost
        assert a_star(game, game.start(), compiled=False).cost == cost
        assert breadth_first(game, game.start(), compiled=False).cost == cost
        first = ida_star(game, game.start())
        assert tuple(int(game.move_name(move)) for move in first.moves) == flood.solve_regions(regions).moves
