"""A checkpoint is whole or not there, and is refused, with the reason, where it does not belong."""

import errno
import logging
import os
import random

import numpy as np
import pytest

import bestfirst
from bestfirst import CheckpointError, Limits, Status, checkpoint, version
from bestfirst.checkpoint import Snapshot, load, store
from problems import PlainTiles, Tiles, scrambled, tiles
from test_control import layered
from test_engines import answer

INSTANCE = layered(random.Random(4))
STOP = Limits(nodes=30)


@pytest.fixture
def file(tmp_path):
    """A checkpoint of a_star, early in its search."""
    path = tmp_path / "search"
    bestfirst.a_star(INSTANCE, 0, limits=STOP, checkpoint=path)
    return path


def resumed(path, engine=bestfirst.a_star, instance=INSTANCE, start=0, **options):
    return engine(instance, start, resume=path, compiled=False, **options)


def test_what_was_stored_is_loaded(tmp_path):
    arrays = {"a": np.arange(5, dtype=np.uint8), "b": np.zeros((0, 3)), "c": np.array(7)}
    store(Snapshot({"engine": "none", "seconds": 1.5}, arrays), tmp_path / "x")
    header, found = load(tmp_path / "x")
    assert header == {"format": checkpoint.FORMAT, "engine": "none", "seconds": 1.5}
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert (found[name] == array).all()
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
    assert os.listdir(tmp_path) == ["x"]


def test_it_is_resumed_where_it_belongs(file):
    assert answer(resumed(file)) == answer(bestfirst.a_star(INSTANCE, 0))


def test_another_start(file):
    with pytest.raises(CheckpointError, match="another start state"):
        resumed(file, start=1)


def test_another_engine(file):
    engines = [bestfirst.a_star, bestfirst.ida_star, bestfirst.breadth_first, bestfirst.iterative_deepening]
    even = INSTANCE._replace(cost=np.ones_like(INSTANCE.cost))
    for one in engines:
        one(even, 0, limits=STOP, checkpoint=file, compiled=False)
        for other in engines:
            if other is not one:
                with pytest.raises(CheckpointError, match=f"belongs to the engine {one.__name__}, not {other.__name__}"):
                    resumed(file, other, instance=even)


def test_other_settings(file, tmp_path):
    with pytest.raises(CheckpointError, match=r"settings.*any.*lexicographic"):
        resumed(file, ties="lexicographic")
    path = tmp_path / "other"
    bestfirst.depth_first(INSTANCE, 0, 14, exact=True, limits=STOP, checkpoint=path)
    for cost, exact in ((13, True), (14, False)):
        with pytest.raises(CheckpointError, match="settings"):
            bestfirst.depth_first(INSTANCE, 0, cost, exact=exact, resume=path)


def test_other_data(file):
    costs = INSTANCE.cost.copy()
    costs[5] += 1
    with pytest.raises(CheckpointError, match="another problem"):
        resumed(file, instance=INSTANCE._replace(cost=costs))


def test_other_rules(tmp_path):
    puzzle, start = tiles(3, 2), scrambled(tiles(3, 2), random.Random(1), 40)
    path = tmp_path / "tiles"
    bestfirst.a_star(puzzle, start, limits=Limits(nodes=10), checkpoint=path, compiled=False)
    with pytest.raises(CheckpointError, match="its rules or its data differ"):
        resumed(path, instance=tiles(3, 2, PlainTiles), start=start)
    before = Tiles.is_goal
    try:
        Tiles.is_goal = lambda self, state: state[0] == 0  # the same name and the same data, but another goal
        with pytest.raises(CheckpointError, match="its rules or its data differ"):
            resumed(path, instance=puzzle, start=start)
    finally:
        Tiles.is_goal = before
    assert resumed(path, instance=puzzle, start=start).status is Status.OPTIMAL


def test_another_version(file, monkeypatch):
    monkeypatch.setattr("bestfirst.search.compiled.__version__", "99.0")
    with pytest.raises(CheckpointError, match=rf"written by bestfirst {version.__version__}, this is 99.0"):
        resumed(file)


def test_another_format(file, monkeypatch):
    monkeypatch.setattr(checkpoint, "FORMAT", checkpoint.FORMAT + 1)
    with pytest.raises(CheckpointError, match=r"has format 1, this version of bestfirst reads 2"):
        resumed(file)


def test_a_missing_file(tmp_path):
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        resumed(tmp_path / "nothing")


@pytest.mark.parametrize("kind", ["empty", "text", "folder", "an array", "arrays without a header", "a header that is no object"])
def test_not_a_checkpoint(tmp_path, kind):
    path = tmp_path / "x"
    if kind == "folder":
        path.mkdir()
    elif kind == "an array":
        with path.open("wb") as out:
            np.save(out, np.arange(3))
    elif kind == "arrays without a header":
        with path.open("wb") as out:
            np.savez(out, a=np.arange(3))
    elif kind == "a header that is no object":
        with path.open("wb") as out:
            np.savez(out, header=np.frombuffer(b"[1, 2]", np.uint8))
    else:
        path.write_bytes(b"" if kind == "empty" else b"3 4\n1 2 3\n")
    with pytest.raises(CheckpointError, match="not a bestfirst checkpoint, or is damaged"):
        resumed(path)


def test_a_file_that_is_cut_off(file):
    whole = file.read_bytes()
    for size in {*range(0, len(whole), len(whole) // 60), *range(len(whole) - 30, len(whole))}:
        file.write_bytes(whole[:size])
        with pytest.raises(CheckpointError):
            resumed(file)


@pytest.mark.slow
def test_flipped_bytes_are_seen_or_do_not_matter(file):
    whole = file.read_bytes()
    expected = answer(bestfirst.a_star(INSTANCE, 0))
    rng = random.Random(1)
    places = {*range(0, 400), *range(len(whole) - 1200, len(whole)), *rng.sample(range(len(whole)), 300)}
    refused = 0
    for place in sorted(places):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ rng.randint(1, 255)]) + whole[place + 1 :])
        try:
            solution = resumed(file)
        except CheckpointError:
            refused += 1
        else:
            assert answer(solution) == expected, place
    assert refused > len(places) // 2


def full(*args, **kwargs):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("what", ["os.fsync", "os.replace", "numpy.savez"])
def test_a_full_disk_costs_the_new_checkpoint_only(file, monkeypatch, caplog, what):
    before = file.read_bytes()
    monkeypatch.setattr(what, full)
    with caplog.at_level(logging.WARNING, "bestfirst"):
        solution = bestfirst.a_star(INSTANCE, 0, limits=Limits(nodes=60), resume=file, checkpoint=file)
    assert (solution.status, solution.stopped_by) == (Status.STOPPED, "nodes")
    assert "No space left" in caplog.text
    assert file.read_bytes() == before
    assert os.listdir(file.parent) == [file.name]


def test_a_checkpoint_is_also_written_while_the_search_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr("bestfirst.control._SLICE_SECONDS", 0.001)
    path = tmp_path / "search"
    instance = layered(random.Random(4), layers=40)
    whole = bestfirst.ida_star(instance, 0, checkpoint=path, limits=Limits(nodes=50_000))
    path.rename(tmp_path / "last")
    seen = []

    def look(progress):
        seen.append(path.exists())

    monkeypatch.setattr("bestfirst.control._PROGRESS_SECONDS", 0.0)
    bestfirst.ida_star(instance, 0, checkpoint=path, progress=look, limits=Limits(nodes=50_000))
    assert True in seen
    assert whole.stats.generated >= 50_000


def test_an_interval_passes_before_the_disk_is_touched(tmp_path):
    path = tmp_path / "search"
    assert bestfirst.a_star(INSTANCE, 0, checkpoint=path).status is Status.OPTIMAL
    assert not path.exists()  # the search ended by itself: there is nothing to go on with
