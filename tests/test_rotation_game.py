"""The problem rotation game: answers as slow twins find them, distances as published, a checker, formats, pictures."""

import random
import re
import xml.etree.ElementTree as ET

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_rotation as naive
from bestfirst.catalogue import rotation_game as problem
from bestfirst.catalogue import rotation_game_search as engine
from bestfirst.formats.tokens import InputError
from bestfirst.kernel import interpreting
from bestfirst.ranking import rank_combination, unrank_combination
from bestfirst.render import rotation_game as render
from bestfirst.result import Interrupted, Limits, Status

SAMPLE = """\
1 1 1 1 3 2 3 2 3 1 3 2 2 3 1 2 2 2 3 1 2 1 3 3
1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3
0
"""
SAMPLE_OUTPUT = "AC\n2\nDDHH\n2\n"

#: Layouts of eight cells by their distance from the centre, as published.
COUNTS = [1, 8, 44, 208, 876, 3220, 10498, 30236, 73982, 146466, 208170, 178588, 72941, 10045, 188]


boards = st.permutations([1, 2, 3] * 8).map(lambda cells: problem.Instance(cells=tuple(cells)))


def as_text(instance):
    return "".join(map(str, instance.cells))


def solved(moves, value):
    return problem.Answer(status=Status.OPTIMAL, cost=len(moves), bound=len(moves), moves=moves, value=value)


@pytest.fixture
def from_home():
    """A walk that nothing has been asked of."""
    engine._kept.clear()
    yield
    engine._kept.clear()


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    instances = list(problem.read(SAMPLE))
    answers = [problem.solve(instance) for instance in instances]
    assert "".join(map(problem.write, answers)) == SAMPLE_OUTPUT
    assert problem.read_answers(SAMPLE_OUTPUT, instances) == answers
    assert [problem.check(*pair) for pair in zip(instances, answers, strict=True)] == [None, None]


@given(st.integers(0, 10**6), st.integers(0, 3))
def test_near_boards_are_solved_as_by_the_twin(seed, moves):
    instance = problem.generate(seed, moves=moves)
    answer = problem.solve(instance)
    assert (answer.moves, answer.value) == naive.first_way(as_text(instance))
    assert answer.cost <= moves


def test_boards_are_solved_as_by_deepening():
    for seed in range(40):
        instance = problem.generate(seed, moves=6)
        answer = problem.solve(instance)
        assert (answer.moves, answer.value) == naive.first_way_by_deepening(as_text(instance))


@pytest.mark.compiled_only
def test_distances_of_all_layouts_are_the_published_ones(from_home):
    search = engine.RotationSearch(problem.generate(1).cells, engine.new_walk(), {})
    walk = search.walk
    while (unmet := np.flatnonzero(walk.distance == engine.UNMET)).size:
        with interpreting():
            search.board.layouts[:] = int(unrank_combination(int(unmet[0]), 8, 24))
        search.advance(1 << 40)
    with interpreting():
        numbers = [rank_combination(int(layout)) for layout in walk.queue[::1000]]
    assert np.bincount(walk.distance).tolist() == COUNTS
    assert len(set(walk.queue.tolist())) == engine.LAYOUTS == sum(COUNTS)
    low, high = walk.queue[::1000] & 4095, walk.queue[::1000] >> 12
    assert (search.rules.number[low] + search.rules.number[4096 + high]).tolist() == numbers


@pytest.mark.compiled_only
@given(boards)
def test_any_board(instance):
    """The first move leads to the first of the boards that are nearest, and from there on it is their answer."""
    answer = problem.solve(instance)
    assert problem.check(instance, answer) is None
    children = {}
    for letter in naive.TURNS:
        after = naive.turned(as_text(instance), letter)
        children[letter] = problem.solve(problem.Instance(cells=tuple(map(int, after))))
    nearest = min(child.cost for child in children.values())
    if answer.cost == 0:
        assert answer.moves == ""
    else:
        assert answer.cost == 1 + nearest
        first = next(letter for letter, child in children.items() if child.cost == nearest)
        assert answer.moves == first + children[first].moves


def test_a_board_with_two_ways_for_two_values_gets_the_first():
    """Ways of several values are equally short; whichever is first wins."""
    found, walk = set(), engine.new_walk()
    for seed in range(300):
        instance = problem.generate(seed, moves=5)
        answer = problem.solve(instance)
        search = engine.RotationSearch(instance.cells, walk, {})
        search.advance(1 << 40)
        last = [value for value in (1, 2, 3) if search.board.layouts[value - 1]]
        assert last == [answer.value]
        found.add(answer.value)
    assert found == {1, 2, 3}


def test_limits_stop_and_a_stopped_search_goes_on(from_home, tmp_path):
    instance = problem.generate(5, moves=7)
    kept = tmp_path / "kept.npz"
    stopped = problem.search(instance, limits=Limits(nodes=2000), checkpoint=kept)
    assert (stopped.status, stopped.stopped_by) == (Status.STOPPED, "nodes")
    answer = problem.answer(instance, stopped)
    assert problem.check(instance, answer) is None
    with pytest.raises(ValueError, match="at least"):
        problem.write(answer)
    again = problem.search(instance, resume=kept)
    engine._kept.clear()
    whole = problem.search(instance)
    assert stopped.bound <= whole.cost
    assert (again.moves, again.stats.generated) == (whole.moves, whole.stats.generated)
    engine._kept.clear()
    for limits in (Limits(time=0), Limits(memory=1 << 20), Limits(nodes=0)):
        assert problem.search(instance, limits=limits).status is Status.STOPPED
    assert problem.search(instance).moves == whole.moves


def test_a_walk_goes_on_where_it_was_stopped(from_home):
    instance = problem.generate(5, moves=7)
    whole = problem.search(instance)
    engine._kept.clear()
    pieces = 0
    while (solution := problem.search(instance, limits=Limits(nodes=501))).status is Status.STOPPED:
        assert 0 < solution.bound <= whole.cost
        pieces += 1
    assert pieces > 3
    assert solution.moves == whole.moves


def test_what_was_interrupted_is_begun_again(from_home):
    instance = problem.generate(5, moves=7)
    with pytest.raises(Interrupted):
        problem.search(instance, interrupted=lambda: True)
    assert problem.check(instance, problem.solve(instance)) is None


def test_interpreted_search_is_the_same(from_home):
    instance = problem.generate(3, moves=4)
    compiled = problem.search(instance)
    engine._kept.clear()
    interpreted = problem.search(instance, compiled=False)
    assert (interpreted.moves, interpreted.stats.generated) == (compiled.moves, compiled.stats.generated)


# --- checker ------------------------------------------------------------------------------------------------------------


def test_mutated_answers_are_faults_or_right():
    rng = random.Random(1)
    right = 0
    for seed in range(300):
        instance = problem.generate(seed, moves=4)
        answer = problem.solve(instance)
        moves, value = list(answer.moves), rng.choice((answer.value, answer.value, rng.randint(1, 3)))
        at = rng.randrange(len(moves) + 1)
        moves[at : at + rng.choice((0, 1))] = rng.choice(("", *naive.TURNS, "AF", "HC"))
        board = as_text(instance)
        for letter in moves:
            board = naive.turned(board, letter)
        is_right = naive.centre(board) == {str(value)}
        assert (problem.check(instance, solved("".join(moves), value)) is None) == is_right
        right += is_right
    assert 0 < right < 300


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, None),
        ({"moves": "ABF"}, "the centre is"),
        ({"moves": "Ax"}, "move 2 is 'x'; moves are A to H"),
        ({"value": 1}, "the number in the centre is 2, not 1"),
        ({"cost": 3}, "the cost is 3, but there are 2 moves"),
        ({"bound": 0}, "called optimal with cost 2, but its bound is 0"),
        ({"bound": 3, "status": Status.FEASIBLE}, "the bound is 3"),
        ({"moves": None}, "does not go with moves None"),
        ({"value": None}, "and value None"),
        ({"status": Status.INFEASIBLE}, "every board can be solved"),
        ({"moves": None, "cost": None, "value": None, "status": Status.STOPPED, "bound": 1}, None),
    ],
)
def test_checker_messages(changes, message):
    instance = next(problem.read(SAMPLE))
    length = len(changes.get("moves") or "AC")
    fields = {"status": Status.OPTIMAL, "cost": length, "bound": length, "moves": "AC", "value": 2, **changes}
    fault = problem.check(instance, problem.Answer(**fields))
    assert (fault is None) if message is None else (message in fault)


# --- formats ------------------------------------------------------------------------------------------------------------


def test_text_and_json_there_and_back():
    instances = [problem.generate(seed, moves=seed % 4) for seed in range(12)]
    text = "".join(map(problem.write_instance, instances))
    for ending in ("", "0\n", "0 what follows is not read"):
        assert list(problem.read(text + ending)) == instances
    assert list(problem.read("\ufeff" + text.replace("\n", "\r\n"))) == instances
    assert list(problem.read("")) == list(problem.read(" 0")) == []
    answers = [problem.solve(instance) for instance in instances]
    written = "".join(map(problem.write, answers))
    assert "No moves needed\n" in written
    assert problem.read_answers(written, instances) == answers
    assert problem.read_answers("\ufeff" + written.replace("\n", "\r\n"), instances) == answers
    for value in (*instances, *answers):
        assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("1 2 3", (1, 6), "cell 4 of 24 \\(board 1\\) is expected"),
        ("1 2 3\n4", (2, 1), "is 4, it must be at most 3"),
        ("1 2 0", (1, 5), "is 0, it must be at least 1"),
        ("1 2 x", (1, 5), "found 'x'"),
        ("-1", (1, 1), "is -1"),
        ("1 1 1 1 1 1 1 1\n1", (2, 1), "1 is there a ninth time \\(board 1\\)"),
        (SAMPLE.replace("0\n", "") + "3 1 99999999999999999999999999999999", (3, 5), "too many"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the moves for board 1 is expected"),
        ("AxC\n2", (1, 2), "expected moves A to H, or `No moves needed`, found 'AxC'"),
        ("No move needed\n2", (1, 4), "found 'move'"),
        ("AC\n4", (2, 1), "the number in the centre \\(board 1\\) is 4"),
        ("AC", (1, 3), "the number in the centre"),
        ("AC\n2\nAC", (3, 1), "expected the end of the text after 1 answers"),
    ],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, [problem.generate(1)])
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cells": [1, 2, 3]}, "there are 3 cells, there must be 24"),
        ({"cells": [1] * 8 + [2] * 8 + [4] * 8}, "cell 17 is 4"),
        ({"cells": [1] * 9 + [2] * 7 + [3] * 8}, "1 is there 9 times"),
        ({"version": 2, "cells": []}, "version"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "rotation-game", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(20):
        assert problem.generate(seed) == problem.generate(seed)
        assert len(naive.centre(as_text(problem.generate(seed, moves=0)))) == 1
        assert problem.solve(problem.generate(seed, moves=1)).cost <= 1
    assert len({problem.generate(seed) for seed in range(20)}) == 20
    with pytest.raises(ValueError, match="no -1 moves"):
        problem.generate(1, moves=-1)


def test_pictures_show_every_board():
    for seed, moves in ((1, 0), (2, 3), (3, 6)):
        instance = problem.generate(seed, moves=moves)
        answer = problem.solve(instance)
        texts = [as_text(instance)]
        for letter in answer.moves:
            texts.append(naive.turned(texts[-1], letter))
        for color in (False, True):
            shown = list(render.text_steps(instance, answer, color))
            plain = [re.sub("\x1b\\[[0-9;]*m", "", picture.partition("\n")[2]) for picture in shown]
            assert ["".join(picture.split()) for picture in plain] == texts
            assert render.text(instance, color) == shown[0].partition("\n")[2]
        classes = [element.get("class") for element in ET.fromstring(render.svg(instance, answer)).iter()]
        assert classes.count("board") == classes.count("caption") == len(texts)
        assert classes.count("cell") == 24 * len(texts)
        assert f"{answer.cost} move" in render.svg(instance, answer)
        assert [e.get("class") for e in ET.fromstring(render.svg(instance)).iter()].count("board") == 1
    stopped = problem.Answer(status=Status.STOPPED, cost=None, bound=4, moves=None, value=None)
    assert "at least 4 moves" in render.svg(instance, stopped)
