"""Distances in grids: as a slow twin, SciPy and the definition find them; pausing, limits, odd shapes, bad arrays."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

import naive_grids as naive
from bestfirst.checkpoint import CheckpointError
from bestfirst.control import PAUSED
from bestfirst.result import Interrupted, Limits, Status
from bestfirst.search.compiled import GENERATED
from bestfirst.search.grid_distances import SpreadSearch, SweepSearch, grid_distances


@st.composite
def grids(draw, letters="01#", side=7):
    rows, columns = draw(st.integers(1, side)), draw(st.integers(1, side))
    weighted = st.sampled_from(letters + "00")
    return ["".join(draw(weighted) for _ in range(columns)) for _ in range(rows)]


def arrays(cells):
    letters = np.array([list(row) for row in cells])
    return letters == "1", letters == "#"


@given(grids(letters="01"))
def test_without_walls(cells):
    source, _ = arrays(cells)
    expected = naive.grid_distances(cells)
    found = grid_distances(source)
    assert found.status is Status.OPTIMAL
    assert found.distance.tolist() == [list(row) for row in expected]
    places = np.argwhere(source)
    for place, distance in np.ndenumerate(found.distance):
        assert distance == min((abs(place - other).sum() for other in places), default=-1)
    around = grid_distances(source, np.zeros_like(source))
    assert around.distance.tolist() == found.distance.tolist()


@given(grids())
def test_with_walls(cells):
    found = grid_distances(*arrays(cells))
    assert found.distance.tolist() == [list(row) for row in naive.grid_distances(cells)]


@pytest.mark.parametrize("shape", [(1, 1), (1, 3000), (3000, 1), (257, 129), (600, 500)])
@pytest.mark.parametrize("share", [0.0003, 0.01, 0.6])
def test_larger_grids_as_scipy_finds_them(shape, share):
    rng = np.random.default_rng(7)
    source = rng.random(shape) < share
    source[0, -1] = True
    expected = ndimage.distance_transform_cdt(~source, metric="taxicab")
    assert (grid_distances(source).distance == expected).all()
    assert (grid_distances(source, np.zeros(shape, bool)).distance == expected).all()


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (1, 1), (3, 4)])
def test_without_sources_nothing_is_known(shape):
    for walls in (None, np.zeros(shape, bool), np.ones(shape, bool)):
        found = grid_distances(np.zeros(shape, bool), walls)
        assert found.status is Status.OPTIMAL
        assert found.distance.shape == shape
        assert (found.distance == -1).all()


def test_a_long_way_through_a_maze():
    walls = np.zeros((41, 41), bool)
    walls[1::4, :-1] = walls[3::4, 1:] = True
    source = np.zeros_like(walls)
    source[0, 0] = True
    found = grid_distances(source, walls)
    assert found.distance[-1, -1] == found.distance.max() == 21 * 40 + 40


def searches(seed):
    rng = random.Random(seed)
    shape = rng.randint(1, 12), rng.randint(1, 12)
    kinds = np.array([rng.choice("0001#") for _ in range(shape[0] * shape[1])]).reshape(shape)
    source, walls = kinds == "1", kinds == "#"
    return (
        (lambda: SweepSearch(source.view(np.uint8), {}), grid_distances(source).distance),
        (lambda: SpreadSearch(source.view(np.uint8), walls.view(np.uint8), {}), grid_distances(source, walls).distance),
    )


def test_paused_and_saved_anywhere_it_gives_the_same():
    pauses = 0
    for seed in range(30):
        rng = random.Random(seed)
        for make, expected in searches(seed):
            search = make()
            while search.advance(int(search.counters[GENERATED]) + rng.randint(1, 40)) == PAUSED:
                snapshot = search.save()
                search = make()
                search.restore(snapshot)
                pauses += 1
            stats = search.stats()
            assert finished(search).tolist() == expected.tolist()
            assert stats.generated == stats.expanded
    assert pauses > 100


def finished(search):
    class Solved:
        status, stats, stopped_by = Status.OPTIMAL, None, None

    return search.result(Solved).distance


def test_a_stopped_search_knows_only_what_is_right():
    partly = 0
    rng = np.random.default_rng(3)
    source, walls = rng.random((60, 50)) < 0.01, rng.random((60, 50)) < 0.3
    walls &= ~source
    for given_walls in (None, walls):
        whole = grid_distances(source, given_walls)
        for nodes in (0, 10, 500, 1000, 1700, 3100, 4000, 5900):
            found = grid_distances(source, given_walls, limits=Limits(nodes=nodes))
            if found.stopped_by is None:
                assert found.status is Status.OPTIMAL
                continue
            assert (found.status, found.stopped_by) == (Status.STOPPED, "nodes")
            known = found.distance != -1
            assert (found.distance[known] == whole.distance[known]).all()
            partly += 0 < known.sum() < (whole.distance != -1).sum()
    assert partly >= 4


def test_interpreted_it_is_the_same():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        source, walls = rng.random((9, 8)) < 0.1, rng.random((9, 8)) < 0.3
        walls &= ~source
        for given_walls in (None, walls):
            compiled, interpreted = (grid_distances(source, given_walls, compiled=kind) for kind in (True, False))
            assert (compiled.distance == interpreted.distance).all()
            assert compiled.stats.generated == interpreted.stats.generated


def test_resumed_from_a_file_and_refused_for_another_grid(tmp_path):
    source = np.zeros((300, 300), bool)
    source[7, 9] = True
    kept = tmp_path / "kept.npz"
    for walls in (None, np.zeros_like(source)):
        grid_distances(source, walls, limits=Limits(nodes=20_000), checkpoint=kept)
        assert (grid_distances(source, walls, resume=kept).distance == grid_distances(source).distance).all()
        with pytest.raises(CheckpointError):
            grid_distances(source.T.copy(), walls, resume=kept)


def test_interrupted():
    with pytest.raises(Interrupted) as caught:
        grid_distances(np.ones((300, 300), bool), interrupted=lambda: True)
    assert caught.value.solution.status is Status.STOPPED
    assert (caught.value.solution.distance == -1).all()


def test_what_is_given_is_left_alone():
    source = np.array([[0, 3, 0]], np.int8)
    assert grid_distances(source).distance.tolist() == [[1, 0, 1]]
    assert grid_distances([[False, True]], [[True, False]]).distance.tolist() == [[-1, 0]]
    assert source.tolist() == [[0, 3, 0]]


@pytest.mark.parametrize(
    ("sources", "walls", "error", "message"),
    [
        ([0, 1], None, ValueError, "two dimensions, not 1"),
        ([[0.5]], None, TypeError, "float64"),
        ([["1"]], None, TypeError, "truth values or whole numbers"),
        ([[0, 1]], [[0]], ValueError, r"shape \(1, 2\), the walls \(1, 1\)"),
        ([[0, 0], [0, 1]], [[0, 0], [1, 1]], ValueError, "row 1, column 1 is both"),
        (np.broadcast_to(np.zeros((), bool), (1 << 20, 1 << 20)), None, ValueError, "too large"),
        (np.broadcast_to(np.zeros((), bool), (1, (1 << 28) + 1)), None, ValueError, "too large"),
    ],
)
def test_bad_arrays_are_refused(sources, walls, error, message):
    with pytest.raises(error, match=message):
        grid_distances(sources, walls)
