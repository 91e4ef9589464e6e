"""The problem rolling block: as a slow twin finds it, ways replayed, a checker that misses nothing, formats, pictures."""

import os
import pathlib
import random
import xml.etree.ElementTree as ET

import msgspec
import pytest

import naive_steps as naive
from bestfirst.catalogue import rolling_block as problem
from bestfirst.formats.tokens import InputError
from bestfirst.render import rolling_block as render
from bestfirst.result import Limits, Status

SAMPLE = """7 7
#######
#..X###
#..##O#
#....E#
#....E#
#.....#
#######
0 0
"""
THREE = "1 4\nX..O\n3 3\nXX.\n#..\n..O\n1 2\nXO\n"
IMPOSSIBLE = problem.Answer(status=Status.INFEASIBLE, cost=None, bound=None, rolls=None)


def optimal(cost, rolls=None):
    return problem.Answer(status=Status.OPTIMAL, cost=cost, bound=cost, rolls=rolls)


def instances(seeds):
    for seed in seeds:
        rng = random.Random(seed)
        rows, columns = rng.randint(1, 6), rng.randint(2, 6)
        if rows * columns < 4:
            continue
        cells = rows * columns - 3
        holes = rng.randint(0, cells // 4)
        fragile = rng.randint(0, min(cells - holes, cells // 3))
        yield problem.generate(seed, rows=rows, columns=columns, holes=holes, fragile=fragile)


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == "10\n"
    assert answer.cost == len(answer.rolls) == 10
    assert problem.check(instance, answer) is None


def test_as_the_twin_finds_it_and_the_checker_agrees():
    possible = 0
    for instance in instances(range(400)):
        answer = problem.solve(instance)
        expected = naive.fewest_rolls(instance.cells)
        assert answer.cost == expected
        assert problem.check(instance, answer) is None
        assert answer == (IMPOSSIBLE if expected is None else optimal(expected, answer.rolls))
        possible += expected is not None
    assert 100 < possible < 300


def test_turned_and_mirrored_it_is_as_far():
    for instance in instances(range(60)):
        turned = problem.Instance(cells=tuple(map("".join, zip(*instance.cells, strict=True))))
        mirrored = problem.Instance(cells=tuple(row[::-1] for row in instance.cells))
        costs = {problem.solve(one).cost for one in (instance, turned, mirrored)}
        assert len(costs) == 1


def test_published_levels():
    """Levels of a well-known game that have no switches; BESTFIRST_DATA names the folder that has bloxorz/plain_levels.in."""
    folder = pathlib.Path(os.environ.get("BESTFIRST_DATA", "")) / "bloxorz"
    if not folder.exists():
        pytest.skip("the folder BESTFIRST_DATA has no bloxorz")
    expected = [int(line.split()[1]) for line in (folder / "plain_levels.optimal").read_text().splitlines()]
    assert [problem.solve(one).cost for one in problem.read((folder / "plain_levels.in").read_text())] == expected


def test_an_open_board():
    """Diagonally across n × n cells of floor it takes two rolls for every three cells."""
    for n in (4, 40, 130):
        cells = ["." * n] * n
        cells[0], cells[-1] = "X" + "." * (n - 1), "." * (n - 1) + "O"
        assert problem.solve(problem.Instance(cells=tuple(cells))).cost == 4 * (n - 1) // 3


def test_fragile_floor_carries_a_block_that_lies():
    (lying, standing) = problem.read("1 8\nX..E..OE\n1 7\nX.EE..O\n")
    assert problem.solve(lying) == IMPOSSIBLE  # it would stand on the E
    assert problem.solve(standing) == IMPOSSIBLE
    (over,) = problem.read("1 7\nXEE.EEO\n")
    assert problem.solve(over) == optimal(4, "RRRR")


def test_a_stopped_search_has_a_bound_and_goes_on(tmp_path):
    instance = problem.generate(3, rows=60, columns=60, holes=100, fragile=100, solvable=True)
    kept, whole = tmp_path / "kept.npz", problem.solve(instance)
    stopped = problem.solve(instance, limits=Limits(nodes=300), checkpoint=kept)
    assert stopped.status is Status.STOPPED
    assert 0 < stopped.bound <= whole.cost
    assert problem.check(instance, stopped) is None
    with pytest.raises(ValueError, match=f"at least {stopped.bound}"):
        problem.write(stopped)
    assert problem.solve(instance, resume=kept) == whole


# --- checker ------------------------------------------------------------------------------------------------------------


def test_changed_rolls_are_caught_or_are_another_way():
    caught = 0
    for instance in instances(range(300)):
        answer = problem.solve(instance)
        if answer.cost is None:
            continue
        rng = random.Random(answer.cost)
        rolls = list(answer.rolls)
        rolls[rng.randrange(len(rolls))] = rng.choice("LRUD")
        changed = optimal(len(rolls), "".join(rolls))
        fault = problem.check(instance, changed)
        assert (fault is None) == leads_to_goal(instance, changed.rolls)
        caught += fault is not None
        for wrong in (optimal(answer.cost - 1, answer.rolls), optimal(answer.cost - 1, answer.rolls[:-1])):
            assert problem.check(instance, wrong) is not None
    assert caught > 60


def leads_to_goal(instance, rolls):
    """By the solid of the twin: the neighbour in the direction of the roll."""
    at = {c: frozenset((i, j) for i, row in enumerate(instance.cells) for j, d in enumerate(row) if c == d) for c in "XO"}
    place = at["X"]
    directions = {"L": (1, -1), "R": (1, 1), "U": (0, -1), "D": (0, 1)}
    neighbours = naive.block_neighbours(instance.cells)
    for roll in rolls:
        axis, sign = directions[roll]
        middle = sum(cell[axis] for cell in place) / len(place)
        ahead = [other for other in neighbours(place) if sign * (sum(c[axis] for c in other) / len(other) - middle) > 0]
        if not ahead:
            return False
        (place,) = ahead
    return place == at["O"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (optimal(2, "RR"), None),
        (optimal(2), None),
        (IMPOSSIBLE, None),  # only a search can tell
        (optimal(None), "there is no number of rolls"),
        (problem.Answer(status=Status.OPTIMAL, cost=2, bound=1, rolls="RR"), "the number of rolls is 2, but the bound is 1"),
        (optimal(3, "RR"), "there are 2 rolls, but their number is said to be 3"),
        (optimal(2, "RX"), "roll 2 is 'X'"),
        (optimal(1, "L"), "roll 1, L: the block leaves the board at row 1, column -1"),
        (optimal(1, "D"), "roll 1, D: there is no floor at row 2, column 1"),
        (optimal(1, "R"), "after the last roll the block lies on row 1, column 2 and row 1, column 3, not upright on the goal"),
        (optimal(0, ""), "after the last roll the block stands upright on row 1, column 1, not"),
        (problem.Answer(status=Status.FEASIBLE, cost=2, bound=1, rolls="RR"), "the status is feasible"),
        (problem.Answer(status=Status.STOPPED, cost=None, bound=1, rolls=None), None),
        (problem.Answer(status=Status.STOPPED, cost=2, bound=1, rolls=None), "its status is stopped"),
    ],
)
def test_checker_messages(answer, message):
    fault = problem.check(problem.Instance(cells=("X..O", "#...", "....")), answer)
    assert fault is None if message is None else message in fault


def test_checker_on_fragile_floor():
    instance = problem.Instance(cells=("X.EE..O",))
    assert "upright on fragile floor at row 1, column 4" in problem.check(instance, optimal(2, "RR"))


# --- formats ------------------------------------------------------------------------------------------------------------


def test_several_cases_and_both_ends():
    expected = [problem.write(problem.solve(one)) for one in problem.read(THREE)]
    assert expected[0] == "2\n"
    assert expected[2] == "Impossible\n"
    for text in (THREE, THREE + "0 0", THREE + "0 0\nno more is read", "\ufeff" + THREE.replace("\n", "\r\n") + "0 0\r\n"):
        cases = list(problem.read(text))
        assert [problem.write(problem.solve(one)) for one in cases] == expected
        answers = problem.read_answers("".join(expected), cases)
        assert [answer.cost for answer in answers] == [problem.solve(one).cost for one in cases]
    assert list(problem.read("")) == list(problem.read("0 0")) == []


def test_text_and_json_there_and_back():
    several = list(instances(range(30)))
    text = "".join(map(problem.write_instance, several)) + "0 0\n"
    assert list(problem.read(text)) == several
    assert list(problem.read(" ".join(text.split()))) == several
    for instance in several:
        answer = problem.solve(instance)
        assert msgspec.json.decode(msgspec.json.encode(instance), type=problem.Instance) == instance
        assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("x", (1, 1), "the number of rows N, a whole number, found 'x'"),
        ("-1 3", (1, 1), "at least 0"),
        ("3", (1, 2), "the number of columns M is expected"),
        ("3 0", (1, 3), "at least 1"),
        ("0 3", (1, 3), "at most 0"),
        ("1 3\nX.", (2, 1), "row 1 of 1 has 2 cells, there must be 3"),
        ("1 3\nX.OO", (2, 1), "row 1 of 1 has 4 cells"),
        ("1 3\nX?O", (2, 2), r"row 1 of 1 has '\?'; cells are #, ., E, X and O"),
        ("2 3\nX.O\n", (2, 4), "row 2 of 2 of the board is expected"),
        ("1 3\n..O", (2, 1), "there is no start X"),
        ("1 3\nX..", (2, 1), "there is no goal O"),
        ("2 3\nX.O\n..O\n", (3, 3), "there is a goal O already"),
        ("2 3\nX.O\n.X.\n", (3, 2), "not beside the other one: there are two starts"),
        ("1 5\nX.X.O\n", (2, 3), "not beside the other one"),
        ("2 3\nXXO\nX..\n", (3, 1), "there are two cells X already"),
        ("1 3\nX.O\n1", (3, 2), "the number of columns M is expected"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("2 ", (1, 3), "the number of rolls for case 2 is expected"),
        ("2 -1 3", (1, 3), "at least 0"),
        ("2 impossible 3", (1, 3), "'impossible'"),
        ("2 7 Impossible 4", (1, 16), "every case has its answer"),
    ],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, list(problem.read(THREE)))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cells": ()}, "empty"),
        ({"cells": ("X.O", "..")}, "row 2 has 2 cells, row 1 has 3"),
        ({"cells": ("X.O", "..x")}, "row 2, column 3 is 'x'"),
        ({"cells": ("..O",)}, "no start"),
        ({"cells": ("X.O", "O..")}, "row 2, column 1: there is a goal O already"),
        ({"cells": ("X.O",), "version": 2}, "version"),
        ({"cells": ("X.O",), "more": 2}, "more"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "rolling-block", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(20):
        for lying in (None, True, False):
            instance = problem.generate(seed, rows=6, columns=7, holes=9, fragile=5, lying=lying)
            assert instance == problem.generate(seed, rows=6, columns=7, holes=9, fragile=5, lying=lying)
            text = "".join(instance.cells)
            assert (len(instance.cells), len(text), text.count("#"), text.count("O")) == (6, 42, 9, 1)
            assert text.count("X") in ((1, 2) if lying is None else (2,) if lying else (1,))
            assert text.count("E") in (4, 5)
        for solvable in (True, False):
            answer = problem.solve(problem.generate(seed, solvable=solvable))
            assert (answer.status is Status.OPTIMAL) == solvable
    assert len({problem.generate(seed) for seed in range(30)}) == 30
    for bad in ({"rows": 0}, {"holes": -1}, {"fragile": -1}, {"holes": 80, "fragile": 15}):
        with pytest.raises(ValueError, match="there is no map"):
            problem.generate(1, **bad)
    for bad in ({"lying": True, "rows": 1, "columns": 2}, {"solvable": True, "rows": 1, "columns": 2}):
        with pytest.raises(ValueError, match="none of 300 maps"):
            problem.generate(1, holes=0, fragile=0, **bad)


@pytest.mark.parametrize("instance", [*instances(range(12))])
def test_pictures_show_every_position(instance):
    answer = problem.solve(instance)
    assert render.text(instance, False) == "\n".join(instance.cells) + "\n"
    assert "\x1b[7mO\x1b[0m" in render.text(instance, True)
    boards = list(render.text_steps(instance, answer, False))
    positions = list(problem.steps(instance, answer))
    assert len(boards) == len(positions) == len(answer.rolls or "") + 1
    for board, step in zip(boards, positions, strict=True):
        rows = board.splitlines()[1:]
        assert [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell == "@"] == list(step.under)
    assert boards[0].startswith("start" if answer.cost is not None else "start; the goal cannot be reached")
    assert all("\x1b" in board for board in render.text_steps(instance, answer, True))
    cells = len(instance.cells) * len(instance.cells[0])
    for picture, count in ((render.svg(instance), 1), (render.svg(instance, answer), len(boards))):
        classes = [element.get("class") for element in ET.fromstring(picture).iter()]
        assert (classes.count("board"), classes.count("cell")) == (count, count * cells)


def test_pictures_of_large_boards_and_of_a_stopped_search():
    large = problem.generate(1, rows=150, columns=130, holes=0, fragile=0)
    picture = render.svg(large, problem.solve(large))
    assert "the first 100 × 100" in picture
    assert "the first 2 positions" in picture
    assert picture.count('class="cell"') == 20_000
    stopped = problem.Answer(status=Status.STOPPED, cost=None, bound=3, rolls=None)
    assert "at least 3 rolls" in next(render.text_steps(large, stopped, False))
