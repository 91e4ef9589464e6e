"""The problem milkweed: as a slow twin finds it, a checker that misses nothing, formats, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import pytest

import naive_steps as naive
from bestfirst.catalogue import milkweed as problem
from bestfirst.formats.tokens import InputError
from bestfirst.render import milkweed as render
from bestfirst.result import Limits, Status

SAMPLE = "4 3 1 1\n....\n..*.\n.**.\n"


def optimal(cost):
    return problem.Answer(status=Status.OPTIMAL, cost=cost, bound=cost)


def instances(seeds):
    for seed in seeds:
        rng = random.Random(seed)
        rows, columns = rng.randint(1, 8), rng.randint(1, 8)
        yield problem.generate(seed, rows=rows, columns=columns, rocks=rng.randint(0, (rows * columns - 1) * 2 // 3))


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == "4\n"
    assert problem.check(instance, answer) is None
    assert problem.read_answers("4\n", [instance]) == [answer]


def test_as_the_twin_finds_it_and_the_checker_agrees():
    for instance in instances(range(400)):
        answer = problem.solve(instance)
        weeks = naive.milkweed(instance.cells, instance.x, instance.y)
        assert answer == optimal(len(weeks) - 1)
        assert problem.check(instance, answer) is None
        columns = len(instance.cells[0])
        grown = [{divmod(cell, columns) for cell in step.taken.tolist()} for step in problem.steps(instance, answer)]
        assert grown == weeks
        for wrong in (-1, 1, 2, 1 << 70):
            assert problem.check(instance, optimal(answer.cost + wrong)) is not None


def test_open_fields_and_a_maze():
    for rows, columns, x, y, weeks in ((1, 1, 1, 1, 0), (60, 90, 1, 1, 89), (60, 90, 45, 1, 59), (60, 90, 40, 30, 50)):
        assert problem.solve(problem.Instance(cells=("." * columns,) * rows, x=x, y=y)) == optimal(weeks)
    open_row, left, right = "." * 41, "." + "*" * 40, "*" * 40 + "."
    maze = tuple((open_row, right, open_row, left)[i % 4] for i in range(41))
    instance = problem.Instance(cells=maze, x=1, y=41)
    assert problem.solve(instance) == optimal(len(naive.milkweed(maze, 1, 41)) - 1)
    assert problem.solve(instance).cost > 800


def test_a_stopped_search_has_a_bound_and_goes_on(tmp_path):
    instance = problem.generate(3, rows=60, columns=60, rocks=600)
    kept, whole = tmp_path / "kept.npz", problem.solve(instance)
    stopped = problem.solve(instance, limits=Limits(nodes=500), checkpoint=kept)
    assert (stopped.status, stopped.cost) == (Status.STOPPED, None)
    assert 0 < stopped.bound <= whole.cost
    assert problem.check(instance, stopped) is None
    assert "at least" in problem.check(instance, msgspec.structs.replace(stopped, bound=whole.cost + 1))
    with pytest.raises(ValueError, match=f"at least {stopped.bound}"):
        problem.write(stopped)
    assert problem.solve(instance, resume=kept) == whole


def test_checker_messages():
    (instance,) = problem.read(SAMPLE)
    for answer, message in (
        (optimal(5), "the answer is 5 weeks, but the last grass is taken in week 4"),
        (optimal(None), "the answer is None weeks"),
        (problem.Answer(status=Status.OPTIMAL, cost=4, bound=3), "the answer is 4 weeks, but the bound is 3"),
        (problem.Answer(status=Status.STOPPED, cost=4, bound=3), "the answer is 4 weeks, but its status is stopped"),
        (problem.Answer(status=Status.INFEASIBLE, cost=None, bound=None), "the status is infeasible"),
    ):
        assert problem.check(instance, answer).startswith(message)


# --- formats ------------------------------------------------------------------------------------------------------------


def test_text_and_json_there_and_back():
    several = list(instances(range(30)))
    text = "".join(map(problem.write_instance, several))
    for same in (text, "\ufeff" + text.replace("\n", "\r\n"), " ".join(text.split()), text.rstrip("\n")):
        assert list(problem.read(same)) == several
    answers = [problem.solve(instance) for instance in several]
    assert problem.read_answers("".join(map(problem.write, answers)), several) == answers
    for instance, answer in zip(several, answers, strict=True):
        assert msgspec.json.decode(msgspec.json.encode(instance), type=problem.Instance) == instance
        assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of columns X is expected"),
        ("3 1", (1, 4), "the start's column Mx is expected"),
        ("0 3 1 1", (1, 1), "at least 1"),
        ("3 1 4 1\n...", (1, 5), "at most 3"),
        ("3 1 1 2\n...", (1, 7), "at most 1"),
        ("3 1 1 1\n..", (2, 1), "row 1 of 1 has 2 cells, there must be 3"),
        ("3 1 1 1\n..M", (2, 3), r"row 1 of 1 has 'M'; cells are . and \*"),
        ("3 2 1 1\n...\n", (2, 4), "row 2 of 2 of the board is expected"),
        ("3 2 2 1\n...\n.*.\n", (3, 2), "the start in column 2, row 1 from the bottom is rock"),
        ("3 1 1 1\n...\nx", (3, 1), "found 'x'"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [("", (1, 1), "case 1 is expected"), ("4 4", (1, 3), "every case has its answer"), ("-1", (1, 1), "at least 0")],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, list(problem.read(SAMPLE)))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cells": (), "x": 1, "y": 1}, "empty"),
        ({"cells": ("...", ".."), "x": 1, "y": 1}, "row 2 has 2 cells, row 1 has 3"),
        ({"cells": ("..M",), "x": 1, "y": 1}, "row 1, column 3 is 'M'"),
        ({"cells": ("...",), "x": 4, "y": 1}, "x is 4, it must be from 1 to 3"),
        ({"cells": ("...",), "x": 1, "y": 0}, "y is 0, it must be from 1 to 1"),
        ({"cells": ("...", "*.."), "x": 1, "y": 1}, "is rock"),
        ({"cells": ("...",), "x": 1, "y": 1, "more": 2}, "more"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "milkweed", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(20):
        instance = problem.generate(seed, rows=6, columns=7, rocks=9)
        assert instance == problem.generate(seed, rows=6, columns=7, rocks=9)
        text = "".join(instance.cells)
        assert (len(instance.cells), len(text), text.count("*")) == (6, 42, 9)
        for cut_off in (True, False):
            instance = problem.generate(seed, rows=6, columns=7, rocks=15, cut_off=cut_off)
            reached = sum(map(len, naive.milkweed(instance.cells, instance.x, instance.y)))
            assert (reached < 42 - 15) == cut_off
    assert len({problem.generate(seed) for seed in range(30)}) == 30
    for bad in ({"rows": 0}, {"rocks": -1}, {"rocks": 72}):
        with pytest.raises(ValueError, match="there is no field"):
            problem.generate(1, **bad)
    with pytest.raises(ValueError, match="none of 300 fields"):
        problem.generate(1, rocks=0, cut_off=True)


@pytest.mark.parametrize("instance", [*instances(range(12))])
def test_pictures_show_every_week(instance):
    answer = problem.solve(instance)
    weeks = naive.milkweed(instance.cells, instance.x, instance.y)
    plain = render.text(instance, False)
    assert plain.replace("M", ".") == "\n".join(instance.cells) + "\n"
    assert plain.splitlines()[-instance.y][instance.x - 1] == "M"
    assert "\x1b[7mM\x1b[0m" in render.text(instance, True)
    boards = list(render.text_steps(instance, answer, False))
    assert len(boards) == len(weeks)
    for week, board in enumerate(boards):
        caption, *rows = board.splitlines()
        assert caption == f"week {week}"
        assert {(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell == "@"} == weeks[week]
        assert sum(row.count("x") for row in rows) == sum(map(len, weeks[:week]))
    assert all("\x1b" in board for board in render.text_steps(instance, answer, True))
    for picture, count in ((render.svg(instance), 0), (render.svg(instance, answer), sum(map(len, weeks)))):
        elements = list(ET.fromstring(picture).iter())
        assert [e.get("class") for e in elements].count("cell") == len("".join(instance.cells))
        texts = [e.text for e in elements if e.tag.endswith("text") and e.get("class") is None]
        assert sum(text.isdigit() for text in texts) == count


def test_pictures_of_a_large_field_and_of_a_stopped_search():
    large = problem.generate(1, rows=150, columns=130, rocks=0)
    assert "the first 100 × 100" in render.svg(large, problem.solve(large))
    stopped = problem.Answer(status=Status.STOPPED, cost=None, bound=3)
    assert "at least 3 weeks" in next(render.text_steps(large, stopped, False))
    assert "at least 3 weeks" in render.svg(large, stopped)
