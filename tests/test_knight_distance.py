"""The problem knight distance: as a slow twin finds it, ways replayed, a checker that misses nothing, formats, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import networkx
import pytest

import naive_steps as naive
from bestfirst.catalogue import knight_distance as problem
from bestfirst.formats.tokens import InputError
from bestfirst.render import knight_distance as render
from bestfirst.result import Limits, Status

SAMPLE = """10 11
..........
....*.....
..........
...*.*....
.......*..
..*..*...H
*.........
...*...*..
.K........
...*.....*
..*....*..
"""
IMPOSSIBLE = problem.Answer(status=Status.INFEASIBLE, cost=None, bound=None, hours=None)
HOURS = (1, 2, 4, 5, 7, 8, 10, 11)


def optimal(cost, hours=None):
    return problem.Answer(status=Status.OPTIMAL, cost=cost, bound=cost, hours=hours)


def instances(seeds):
    for seed in seeds:
        rng = random.Random(seed)
        rows, columns = rng.randint(1, 7), rng.randint(2, 7)
        yield problem.generate(seed, rows=rows, columns=columns, blocked=rng.randint(0, (rows * columns - 2) // 2))


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == "5\n"
    assert len(answer.hours) == 5
    assert problem.check(instance, answer) is None


def test_as_the_twin_finds_it_and_the_checker_agrees():
    possible = 0
    for instance in instances(range(400)):
        answer = problem.solve(instance)
        expected = naive.fewest_knight_moves(instance.cells)
        assert answer == (IMPOSSIBLE if expected is None else optimal(expected, answer.hours))
        assert problem.check(instance, answer) is None
        possible += expected is not None
    assert 100 < possible < 300


def test_larger_boards_as_networkx_finds_them():
    for seed in range(4):
        instance = problem.generate(seed, rows=60, columns=80, blocked=2000)
        graph = networkx.Graph()
        free = {(i, j): cell for i, row in enumerate(instance.cells) for j, cell in enumerate(row) if cell != "*"}
        for i, j in free:
            others = ((i + a, j + b) for a, b in ((1, 2), (2, 1), (1, -2), (2, -1)))
            graph.add_edges_from(((i, j), other) for other in others if other in free)
        start, goal = (next(place for place, cell in free.items() if cell == letter) for letter in "KH")
        if start in graph and goal in graph and networkx.has_path(graph, start, goal):
            assert problem.solve(instance).cost == networkx.shortest_path_length(graph, start, goal)
        else:
            assert problem.solve(instance) == IMPOSSIBLE


def test_an_open_board_corner_to_corner():
    for n, moves in ((4, 2), (8, 6), (100, 66), (301, 200)):
        rows = ["." * n] * n
        rows[0], rows[-1] = "K" + "." * (n - 1), "." * (n - 1) + "H"
        assert problem.solve(problem.Instance(cells=tuple(rows))).cost == moves


def test_a_stopped_search_has_a_bound_and_goes_on(tmp_path):
    instance = problem.generate(3, rows=90, columns=90, blocked=2000, solvable=True)
    kept, whole = tmp_path / "kept.npz", problem.solve(instance)
    stopped = problem.solve(instance, limits=Limits(nodes=200), checkpoint=kept)
    assert stopped.status is Status.STOPPED
    assert 0 < stopped.bound <= whole.cost
    assert problem.check(instance, stopped) is None
    with pytest.raises(ValueError, match=f"at least {stopped.bound}"):
        problem.write(stopped)
    assert problem.solve(instance, resume=kept) == whole


# --- checker ------------------------------------------------------------------------------------------------------------


def test_changed_moves_are_caught_or_are_another_way():
    caught = 0
    for instance in instances(range(300)):
        answer = problem.solve(instance)
        if answer.cost is None:
            continue
        rng = random.Random(answer.cost)
        hours = list(answer.hours)
        hours[rng.randrange(len(hours))] = rng.choice(HOURS)
        fault = problem.check(instance, optimal(len(hours), tuple(hours)))
        assert (fault is None) == leads_to_goal(instance.cells, hours)
        caught += fault is not None
        for wrong in (optimal(answer.cost - 1, answer.hours), optimal(answer.cost - 1, answer.hours[:-1])):
            assert problem.check(instance, wrong) is not None
    assert caught > 60


def leads_to_goal(cells, hours):
    """By the numbers on a clock whose hands are as long as the move: the nearest cell to where an hour points."""
    at = {cell: complex(j, -i) for i, row in enumerate(cells) for j, cell in enumerate(row) if cell in "KH"}
    place = at["K"]
    for hour in hours:
        points = {complex(a, b): 12 for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)}
        hand = 5**0.5 * 1j * complex(0.8660254037844387, -0.5) ** hour
        place += min(points, key=lambda point, hand=hand: abs(point - hand))
        i, j = -int(place.imag), int(place.real)
        if not (0 <= i < len(cells) and 0 <= j < len(cells[0])) or cells[i][j] == "*":
            return False
    return place == at["H"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (optimal(2, (4, 2)), None),
        (optimal(2), None),
        (IMPOSSIBLE, None),  # only a search can tell
        (optimal(None), "there is no number of moves"),
        (problem.Answer(status=Status.OPTIMAL, cost=2, bound=1, hours=(4, 2)), "the number of moves is 2, but the bound is 1"),
        (optimal(3, (4, 2)), "there are 2 moves, but their number is said to be 3"),
        (optimal(2, (4, 3)), "move 2 is 3; moves are"),
        (optimal(1, (1,)), "move 1, 1 o'clock, leaves the board, to row -1, column 2"),
        (optimal(1, (5,)), "move 1, 5 o'clock, leads to row 3, column 2, which is blocked"),
        (optimal(1, (4,)), "after the last move the knight is in row 2, column 3, not at the goal"),
        (problem.Answer(status=Status.FEASIBLE, cost=2, bound=1, hours=(4, 2)), "the status is feasible"),
        (problem.Answer(status=Status.STOPPED, cost=None, bound=1, hours=None), None),
        (problem.Answer(status=Status.STOPPED, cost=2, bound=1, hours=None), "its status is stopped"),
    ],
)
def test_checker_messages(answer, message):
    fault = problem.check(problem.Instance(cells=("K...H", ".....", ".*...")), answer)
    assert fault is None if message is None else message in fault


# --- formats ------------------------------------------------------------------------------------------------------------


def test_text_and_json_there_and_back():
    several = list(instances(range(30)))
    text = "".join(map(problem.write_instance, several))
    for same in (text, "\ufeff" + text.replace("\n", "\r\n"), " ".join(text.split()), text.rstrip("\n")):
        assert list(problem.read(same)) == several
    answers = [problem.solve(instance) for instance in several]
    costs = [answer.cost for answer in problem.read_answers("".join(map(problem.write, answers)), several)]
    assert costs == [answer.cost for answer in answers]
    for instance, answer in zip(several, answers, strict=True):
        assert msgspec.json.decode(msgspec.json.encode(instance), type=problem.Instance) == instance
        assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of columns C is expected"),
        ("3", (1, 2), "the number of rows R is expected"),
        ("0 3", (1, 1), "at least 1"),
        ("3 1\nK.", (2, 1), "row 1 of 1 has 2 cells, there must be 3"),
        ("2 3\nK.\n.H\n", (3, 3), "row 3 of 3 of the board is expected"),
        ("3 1\nK?H", (2, 2), r"row 1 of 1 has '\?'; cells are ., \*, K and H"),
        ("3 1\n..H", (2, 1), "there is no knight K"),
        ("3 1\nK..", (2, 1), "there is no goal H"),
        ("3 2\nK.H\n..H\n", (3, 3), "there is a goal H already"),
        ("3 2\nK.H\n.K.\n", (3, 2), "there is a knight K already"),
        ("3 1\nK.H\nx", (3, 1), "found 'x'"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [("", (1, 1), "case 1 is expected"), ("5 5", (1, 3), "every case has its answer"), ("-2", (1, 1), "at least -1")],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, list(problem.read(SAMPLE)))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cells": ()}, "empty"),
        ({"cells": ("K.H", "..")}, "row 2 has 2 cells, row 1 has 3"),
        ({"cells": ("K.H", "..x")}, "row 2, column 3 is 'x'"),
        ({"cells": ("..H",)}, "no knight"),
        ({"cells": ("K.H", "H..")}, "row 2, column 1: there is a goal H already"),
        ({"cells": ("K.H",), "version": 2}, "version"),
        ({"cells": ("K.H",), "more": 2}, "more"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "knight-distance", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(20):
        instance = problem.generate(seed, rows=6, columns=7, blocked=9)
        assert instance == problem.generate(seed, rows=6, columns=7, blocked=9)
        text = "".join(instance.cells)
        assert (len(instance.cells), len(text), text.count("*"), text.count("K"), text.count("H")) == (6, 42, 9, 1, 1)
        for solvable in (True, False):
            answer = problem.solve(problem.generate(seed, rows=5, columns=5, blocked=10, solvable=solvable))
            assert (answer.status is Status.OPTIMAL) == solvable
    assert len({problem.generate(seed) for seed in range(30)}) == 30
    for bad in ({"rows": 0}, {"blocked": -1}, {"blocked": 95}):
        with pytest.raises(ValueError, match="there is no board"):
            problem.generate(1, **bad)
    with pytest.raises(ValueError, match="none of 300 boards"):
        problem.generate(1, rows=2, columns=2, blocked=0, solvable=True)


@pytest.mark.parametrize("instance", [*instances(range(12))])
def test_pictures_show_every_position(instance):
    answer = problem.solve(instance)
    assert render.text(instance, False) == "\n".join(instance.cells) + "\n"
    assert "\x1b[7mH\x1b[0m" in render.text(instance, True)
    boards = list(render.text_steps(instance, answer, False))
    positions = list(problem.steps(instance, answer))
    assert len(boards) == len(positions) == len(answer.hours or ()) + 1
    for number, (board, step) in enumerate(zip(boards, positions, strict=True)):
        rows = board.splitlines()[1:]
        assert rows[step.row][step.column] == "@"
        assert [board.partition("\n")[2].count(letter) for letter in "@x"] == [1, number]
    assert all("\x1b" in board for board in render.text_steps(instance, answer, True))
    cells = len(instance.cells) * len(instance.cells[0])
    for picture in (render.svg(instance), render.svg(instance, answer)):
        elements = list(ET.fromstring(picture).iter())
        assert [element.get("class") for element in elements].count("cell") == cells
        texts = [element.text for element in elements if element.tag.endswith("text") and element.get("class") is None]
        assert texts.count("K") == 1
        assert texts.count("*") == "".join(instance.cells).count("*")
    assert {str(number) for number in range(1, 1 + (answer.cost or 0))} <= set(texts)


def test_pictures_of_large_boards_and_of_a_stopped_search():
    large = problem.generate(1, rows=150, columns=130, blocked=0)
    picture = render.svg(large, problem.solve(large))
    assert "the first 100 × 100" in picture
    assert picture.count('class="cell"') == 10_000
    stopped = problem.Answer(status=Status.STOPPED, cost=None, bound=3, hours=None)
    assert "at least 3 moves" in next(render.text_steps(large, stopped, False))
    assert "at least 3 moves" in render.svg(large, stopped)
