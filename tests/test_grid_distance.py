"""The problem grid distance: answers as a slow twin finds them, a checker that misses nothing, formats, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import naive_grids as naive
from bestfirst.catalogue import grid_distance as problem
from bestfirst.formats.tokens import InputError
from bestfirst.render import grid_distance as render
from bestfirst.result import Limits, Status

SAMPLE = "3 4\n0001\n0011\n0110\n"
SAMPLE_OUTPUT = "3 2 1 0\n2 1 0 0\n1 0 0 1\n"


@st.composite
def instances(draw, letters="0001", side=6):
    rows, columns = draw(st.integers(1, side)), draw(st.integers(1, side))
    return problem.Instance(cells=tuple(draw(st.text(letters, min_size=columns, max_size=columns)) for _ in range(rows)))


def optimal(distances):
    return problem.Answer(status=Status.OPTIMAL, distances=tuple(map(tuple, distances)))


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == SAMPLE_OUTPUT
    assert problem.check(instance, answer) is None
    assert problem.read_answers(SAMPLE_OUTPUT, [instance]) == [answer]


@given(st.one_of(instances(), instances(letters="0001##")))
@example(problem.Instance(cells=("0",)))
@example(problem.Instance(cells=("#",)))
def test_distances_are_those_of_the_twin_and_the_checker_agrees(instance):
    answer = problem.solve(instance)
    assert answer == optimal(naive.grid_distances(instance.cells))
    assert problem.check(instance, answer) is None


def test_the_method_is_named():
    plain, walled = (problem.search(problem.Instance(cells=cells)) for cells in (("10",), ("1#",)))
    assert (plain.why, walled.why) == ("no walls: two sweeps", "walls: a breadth-first search")


@pytest.mark.parametrize("walls", [0, 900])
def test_a_stopped_search_and_what_is_known_then(walls, tmp_path):
    instance = problem.generate(1, rows=60, columns=60, ones=9, walls=walls)
    kept = tmp_path / "kept.npz"
    solution = problem.search(instance, limits=Limits(nodes=2000 if walls else 5000), checkpoint=kept)
    answer, whole = problem.answer(instance, solution), problem.solve(instance)
    assert answer.status is Status.STOPPED
    assert problem.check(instance, answer) is None
    pairs = [pair for rows in zip(answer.distances, whole.distances, strict=True) for pair in zip(*rows, strict=True)]
    assert {known == right for known, right in pairs if known != -1} == {True}
    with pytest.raises(ValueError, match="not all distances"):
        problem.write(answer)
    assert problem.solve(instance, resume=kept) == whole


# --- checker ------------------------------------------------------------------------------------------------------------


@given(instances(letters="0001#"), st.randoms(use_true_random=False))
def test_checker_finds_every_fault(instance, rng):
    right = [list(row) for row in naive.grid_distances(instance.cells)]
    for _ in range(5):
        wrong = [list(row) for row in right]
        for _ in range(rng.choice((1, 1, 2, 4))):
            row = rng.randrange(len(wrong))
            wrong[row][rng.randrange(len(wrong[row]))] += rng.choice((-2, -1, 1, 2))
        assert (problem.check(instance, optimal(wrong)) is None) == (wrong == right)


@given(instances(letters="0001#"), st.integers(-3, 3))
def test_checker_finds_distances_that_are_all_off(instance, by):
    right = naive.grid_distances(instance.cells)
    shifted = [[max(-1, distance + by) if distance > 0 else distance for distance in row] for row in right]
    assert (problem.check(instance, optimal(shifted)) is None) == (optimal(shifted) == optimal(right))


@pytest.mark.parametrize(
    ("distances", "message"),
    [
        (((0, 1, -1),), "the distances do not have the shape of the matrix, 2 × 3"),
        (((0, 1), (1, 2)), "the distances do not have the shape"),
        (((0, 1, -1), (1, 2, 3)), None),
        (((1, 1, -1), (1, 2, 3)), "row 1, column 1: the distance is 1, but this is a 1"),
        (((0, 1, 4), (1, 2, 3)), "row 1, column 3: the distance is 4, but this is a wall"),
        (((0, 0, -1), (1, 2, 3)), "row 1, column 2: the distance is 0, but this is no 1"),
        (((0, 1, -1), (1, 2, 4)), "row 2, column 2: the distance is 2, but a neighbour has 4"),
        (((0, 1, -1), (1, 2, 2)), "row 2, column 3: the distance is 2, but no neighbour has 1"),
        (((0, 1, -1), (1, 2, -1)), "row 2, column 2: the distance is 2, but a neighbour has -1"),
        (((0, -1, -1), (1, 2, 3)), "row 1, column 2: the distance is -1, but a neighbour can be reached"),
    ],
)
def test_checker_messages(distances, message):
    instance = problem.Instance(cells=("10#", "000"))
    fault = problem.check(instance, optimal(distances))
    assert fault is None if message is None else fault.startswith(message)


def test_checker_of_other_statuses():
    instance = problem.Instance(cells=("10#", "000"))
    for status, distances, message in (
        (Status.STOPPED, ((0, 1, -1), (-1, -1, -1)), None),
        (Status.STOPPED, ((-1, 1, -1), (-1, -1, -1)), None),
        (Status.STOPPED, ((0, 2, -1), (-1, -1, -1)), "row 1, column 1"),
        (Status.INFEASIBLE, ((0, 1, -1), (1, 2, 3)), "the status is infeasible"),
    ):
        fault = problem.check(instance, problem.Answer(status=status, distances=distances))
        assert fault is None if message is None else fault.startswith(message)


# --- formats ------------------------------------------------------------------------------------------------------------


@given(instances(), instances(), instances(letters="01#"))
def test_text_and_json_there_and_back(one, other, walled):
    text = problem.write_instance(one) + problem.write_instance(other)
    assert list(problem.read(text)) == [one, other]
    assert list(problem.read("\ufeff" + text.replace("\n", "\r\n"))) == [one, other]
    assert list(problem.read(" ".join(text.split()))) == [one, other]
    answers = [problem.solve(one), problem.solve(other)]
    assert problem.read_answers("".join(map(problem.write, answers)), [one, other]) == answers
    for instance in (one, walled):
        answer = problem.solve(instance)
        assert msgspec.json.decode(msgspec.json.encode(instance), type=problem.Instance) == instance
        assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer
    if any("#" in row for row in walled.cells):
        with pytest.raises(ValueError, match="no walls"):
            problem.write_instance(walled)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of rows N is expected"),
        ("2", (1, 2), "the number of columns M is expected"),
        ("0 3", (1, 1), "at least 1"),
        ("2 -3", (1, 3), "at least 1"),
        ("2 3\n010\n", (2, 4), "row 2 of 2 of the matrix is expected"),
        ("2 3\n010\n0120\n", (3, 3), "row 2 of 2 has '2'; cells are 0 and 1"),
        ("2 3\n010\n01#\n", (3, 3), "row 2 of 2 has '#'"),
        ("2 3\n010\n01\n", (3, 1), "row 2 of 2 has 2 cells, there must be 3"),
        ("2 3\n0 1 0\n", (2, 1), "row 1 of 2 has 1 cells, there must be 3"),
        ("1 3\n0101\n", (2, 1), "row 1 of 1 has 4 cells"),
        ("1 3\n010\nx", (3, 1), "found 'x'"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("3 2 1 0\n2 1 0 0\n1 0 0", (3, 6), r"the distance in column 4 \(row 3 of 3\)"),
        (SAMPLE_OUTPUT + "0", (4, 1), "every cell has its distance"),
        ("3 2 1 -2", (1, 7), "at least -1"),
        ("3 2 x", (1, 5), "'x'"),
    ],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, list(problem.read(SAMPLE)))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cells": ()}, "the matrix is empty"),
        ({"cells": ("",)}, "the matrix is empty"),
        ({"cells": ("01", "011")}, "row 2 has 3 cells, row 1 has 2"),
        ({"cells": ("01", "0x")}, "row 2, column 2 is 'x'"),
        ({"cells": ("01", "0\ud800")}, "row 2, column 2 is"),
        ({"cells": ((0, 1),)}, "str"),
        ({"cells": ("01",), "walls": ()}, "walls"),
        ({"version": 2, "cells": ("01",)}, "version"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "grid-distance", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    rng = random.Random(1)
    for seed in range(30):
        rows, columns = rng.randint(1, 9), rng.randint(1, 9)
        ones = rng.randint(0, rows * columns)
        walls = rng.randint(0, rows * columns - ones)
        instance = problem.generate(seed, rows=rows, columns=columns, ones=ones, walls=walls)
        assert instance == problem.generate(seed, rows=rows, columns=columns, ones=ones, walls=walls)
        text = "".join(instance.cells)
        assert (len(instance.cells), len(text), text.count("1"), text.count("#")) == (rows, rows * columns, ones, walls)
    assert len({problem.generate(seed) for seed in range(30)}) == 30
    for bad in ({"rows": 0}, {"columns": -1}, {"ones": -1}, {"walls": -1}, {"ones": 30, "walls": 31}):
        with pytest.raises(ValueError, match="no matrix"):
            problem.generate(1, **bad)


def test_pictures_show_every_cell():
    for seed in range(20):
        instance = problem.generate(seed, rows=1 + seed % 5, columns=4, ones=seed % 3, walls=seed % 2)
        answer = problem.solve(instance)
        for color in (False, True):
            plain = render.text(instance, color).replace("\x1b[7m", "").replace("\x1b[0m", "")
            assert tuple(plain.splitlines()) == instance.cells
            (shown,) = render.text_steps(instance, answer, color)
            words = shown.replace("\x1b[7m", "").replace("\x1b[0m", "").replace("#", "-1").replace("- ", "-1 ").split()
            expected = [str(distance) for row in answer.distances for distance in row]
            assert [word if word != "-" else "-1" for word in words] == expected
            assert ("\x1b" in shown) == (color and "1" in "".join(instance.cells))
        cells = sum(map(len, instance.cells))
        for picture, numbers in (
            (render.svg(instance), ["1"] * "".join(instance.cells).count("1")),
            (render.svg(instance, answer), [str(d) for row in answer.distances for d in row if d >= 0]),
        ):
            elements = list(ET.fromstring(picture).iter())
            assert [element.get("class") for element in elements].count("cell") == cells
            assert [e.text for e in elements if e.tag.endswith("text") and e.get("class") is None] == numbers


def test_pictures_of_a_large_matrix_and_of_a_stopped_search():
    large = problem.generate(1, rows=150, columns=3)
    picture = render.svg(large, problem.solve(large))
    assert "the first 100 × 3" in picture
    assert picture.count('class="cell"') == 300
    stopped = problem.Answer(status=Status.STOPPED, distances=((-1, -1),))
    two = problem.Instance(cells=("01",))
    assert next(render.text_steps(two, stopped, False)).startswith("as far as known")
    assert "(stopped)" in render.svg(two, stopped)
