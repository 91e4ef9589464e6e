"""Fewest steps on boards: as slow twins and the breadth-first engine find them; ways replayed, pauses, limits, bad arguments."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_steps as naive
from bestfirst.control import FOUND, FULL, PAUSED
from bestfirst.result import Interrupted, Limits, Status
from bestfirst.search.compiled import GENERATED
from bestfirst.search.fewest_steps import StepSearch, fewest_steps

KNIGHT = [(i, j) for i in (-2, -1, 1, 2) for j in (-2, -1, 1, 2) if abs(i) != abs(j)]
KING = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
#: Two poses: along rows three cells at a time, along columns one; a step sideways changes the pose.
TWO_POSES = [[(0, -3, 0), (0, 3, 0), (-1, 1, 1), (2, 0, 1)], [(-1, 0, 1), (1, 0, 1), (1, -1, 0), (-2, 0, 0)]]
MANY_POSES = [[(0, 1, (pose + 1) % 5), (0, -1, (pose - 1) % 5)] for pose in range(5)]


def neighbours_of(board, steps):
    board = board if board.ndim == 3 else board[..., None]
    table = [[(*step, 0) if len(step) == 2 else step for step in of] for of in (steps if len(np.shape(steps)) == 3 else [steps])]

    def neighbours(place):
        row, column, pose = place
        for rows, columns, after in table[pose]:
            i, j = row + rows, column + columns
            if 0 <= i < board.shape[0] and 0 <= j < board.shape[1] and board[i, j, after]:
                yield i, j, after

    neighbours.table = table
    return neighbours


@st.composite
def cases(draw):
    steps, poses = draw(st.sampled_from([(KNIGHT, 1), (KING, 1), (TWO_POSES, 2), (MANY_POSES, 5)]))
    shape = (draw(st.integers(1, 7)), draw(st.integers(1, 7)), poses)
    cells = draw(st.lists(st.sampled_from((0, 1, 1, 1)), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    board = np.array(cells, bool).reshape(shape)
    start, goal = (tuple(draw(st.integers(0, side - 1)) for side in shape) for _ in range(2))
    board[start] = board[goal] = True
    return board, steps, start, goal


@given(cases())
def test_as_the_twin_finds_it_and_the_way_leads_there(case):
    board, steps, start, goal = case
    neighbours = neighbours_of(board, steps)
    if board.shape[2] == 1:
        solution = fewest_steps(board[..., 0], steps, start[:2], goal[:2])
    else:
        solution = fewest_steps(board, steps, start, goal)
    expected = naive.fewest(start, goal, neighbours)
    assert solution.cost == expected
    assert solution.status is (Status.INFEASIBLE if expected is None else Status.OPTIMAL)
    if expected is None:
        return
    assert len(solution.moves) == expected
    place = start
    for move in solution.moves:
        rows, columns, after = neighbours.table[place[2]][move]
        reached = place[0] + rows, place[1] + columns, after
        assert reached in list(neighbours(place))
        place = reached
    assert place == goal
    other = fewest_steps(board, neighbours.table, goal, start)
    assert other.cost == expected


@given(cases())
def test_without_a_goal_the_farthest_place_counts(case):
    board, steps, start, _ = case
    neighbours = neighbours_of(board, steps)
    solution = fewest_steps(board, neighbours.table, start)
    layers = list(naive.layers(start, neighbours))
    assert (solution.status, solution.cost, solution.moves) == (Status.OPTIMAL, len(layers) - 1, None)
    assert solution.stats.expanded == sum(map(len, layers))


def test_a_long_way_and_full_rings():
    walls = np.zeros((41, 41), bool)
    walls[1::4, :-1] = walls[3::4, 1:] = True
    steps = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    assert fewest_steps(~walls, steps, (0, 0), (40, 40)).cost == 21 * 40 + 40
    board = np.ones((701, 701), bool)
    search = StepSearch(board[..., None], neighbours_of(board, KNIGHT).table, [(350, 350, 0)], {})
    while (outcome := search.advance(board.size + 1)) == FULL:
        search.grow(None)
    assert outcome == FOUND
    assert search.memory.ring.shape[1] > 4096
    assert search.best() == (234, ())
    assert search.stats().expanded == board.size
    assert fewest_steps(board, KNIGHT, (0, 0), (700, 700)).cost == 468


def test_a_closed_end_is_noticed_at_once():
    board = np.ones((500, 500), bool)
    board[497:, 497:] = False
    board[499, 499] = True
    for ends in (((0, 0), (499, 499)), ((499, 499), (0, 0))):
        solution = fewest_steps(board, KNIGHT, *ends)
        assert solution.status is Status.INFEASIBLE
        assert solution.stats.expanded < 5


def search_of(seed):
    rng = random.Random(seed)
    shape = rng.randint(2, 14), rng.randint(2, 14), 2
    board = np.array([rng.random() < 0.85 for _ in range(int(np.prod(shape)))]).reshape(shape)
    start, goal = (tuple(rng.randrange(side) for side in shape) for _ in range(2))
    board[start] = board[goal] = True
    places = [start, goal] if rng.random() < 0.7 else [start]
    return (lambda: StepSearch(board, TWO_POSES, places, {})), fewest_steps(board, TWO_POSES, *places)


def test_paused_and_saved_anywhere_it_gives_the_same():
    pauses = 0
    for seed in range(40):
        rng = random.Random(seed)
        make, expected = search_of(seed)
        search = make()
        while search.advance(int(search.counters[GENERATED]) + rng.randint(1, 30)) == PAUSED:
            snapshot = search.save()
            if rng.random() < 0.2:
                search.grow(None)
                snapshot = search.save()
            search = make()
            search.restore(snapshot)
            pauses += 1
        best = search.best()
        assert (None if best is None else best[0]) == expected.cost
        assert expected.moves is None or best[1] == expected.moves
        assert search.stats().expanded == expected.stats.expanded
    assert pauses > 60


def test_stopped_with_a_bound_that_holds_and_resumed(tmp_path):
    board, kept = np.ones((90, 90), bool), tmp_path / "kept.npz"
    for goal in ((89, 89), None):
        whole = fewest_steps(board, KNIGHT, (0, 0), goal)
        for nodes in (0, 1, 100, 2000, 4000):
            stopped = fewest_steps(board, KNIGHT, (0, 0), goal, limits=Limits(nodes=nodes), checkpoint=kept)
            assert (stopped.status, stopped.stopped_by, stopped.cost) == (Status.STOPPED, "nodes", None)
            assert 0 <= stopped.bound <= whole.cost
            assert stopped.bound >= nodes // 200
            resumed = fewest_steps(board, KNIGHT, (0, 0), goal, resume=kept)
            assert (resumed.cost, resumed.moves, resumed.stats.expanded) == (whole.cost, whole.moves, whole.stats.expanded)
    assert fewest_steps(board, KNIGHT, (0, 0), limits=Limits(memory=100)).stopped_by == "memory"
    with pytest.raises(Interrupted) as caught:
        fewest_steps(board, KNIGHT, (0, 0), interrupted=lambda: True)
    assert caught.value.solution.status is Status.STOPPED


def test_interpreted_it_is_the_same():
    rng = np.random.default_rng(1)
    for _ in range(10):
        board = rng.random((8, 9)) < 0.8
        board[0, 0] = board[7, 8] = True
        for goal in ((7, 8), (0, 0), None):
            one, other = (fewest_steps(board, KNIGHT, (0, 0), goal, compiled=kind) for kind in (True, False))
            assert (one.cost, one.moves, one.stats.expanded) == (other.cost, other.moves, other.stats.expanded)


BOARD = np.ones((3, 3), bool)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.ones(3, bool), KNIGHT, (0, 0)), "two or three dimensions"),
        ((np.ones((0, 3), bool), KNIGHT, (0, 0)), "a cell at least"),
        ((BOARD, [(1, 2)], (0, 0)), r"step 0 from pose 0 cannot be taken back: pose 0 has no step \(-1, -2, 0\)"),
        ((BOARD, [], (0, 0)), "the steps must be"),
        ((BOARD, [(1, 2), (1,)], (0, 0)), "the steps must be"),
        ((BOARD, [(0.5, 1), (-0.5, -1)], (0, 0)), "the steps must be"),
        ((BOARD, [[(1, 2, 1)]], (0, 0)), "a pose that there is not"),
        ((BOARD, [(1 << 40, 0), (-(1 << 40), 0)], (0, 0)), "longer than any board"),
        ((BOARD, [(-(1 << 63), 0), (0, 0)], (0, 0)), "longer than any board"),
        ((BOARD, [(1 << 31, 0), (-(1 << 31), 0)], (0, 0)), "too large"),
        ((BOARD, KNIGHT, (0, 3)), r"the start \(0, 3\) is not on the board"),
        ((BOARD, KNIGHT, (0, 0), (-1, 0)), r"the goal \(-1, 0\) is not on the board"),
        ((~BOARD, KNIGHT, (0, 0)), "not open"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        fewest_steps(*arguments)


def test_arguments_of_wrong_types():
    for arguments, message in (
        ((np.ones((3, 3)), KNIGHT, (0, 0)), "not float64"),
        ((BOARD, KNIGHT, 0), "the start must be"),
        ((BOARD, KNIGHT, (0, 1.5)), "the start must be"),
        ((np.ones((2, 2, 2), bool), TWO_POSES, (0, 0)), "pose"),
    ):
        with pytest.raises(TypeError, match=message):
            fewest_steps(*arguments)
