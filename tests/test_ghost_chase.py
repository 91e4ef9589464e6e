"""Ghost chase: the second that two slow programs find, a checker that misses nothing, formats, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_ghosts as naive
from bestfirst.catalogue import ghost_chase as problem
from bestfirst.formats.tokens import InputError
from bestfirst.plain import breadth_first
from bestfirst.render import ghost_chase as render
from bestfirst.result import Limits, Status

pytestmark = pytest.mark.slow  # compiles much

SAMPLE = """3
5 6
XXXXXX
XZ..ZX
XXXXXX
M.G...
......
5 6
XXXXXX
XZZ..X
XXXXXX
M.....
..G...
10 10
..........
..X.......
..M.X...X.
X.........
.X..X.X.X.
.........X
..XX....X.
X....G...X
...ZX.X...
...Z..X..X
"""


@st.composite
def instances(draw, side=6, letters="...X"):
    rows = draw(st.integers(1, side))
    columns = draw(st.integers(-(-4 // rows), side))
    cells = draw(st.lists(st.sampled_from(letters), min_size=rows * columns, max_size=rows * columns))
    people = draw(st.lists(st.integers(0, rows * columns - 1), min_size=4, max_size=4, unique=True))
    for place, letter in zip(people, "MGZZ", strict=True):
        cells[place] = letter
    return problem.Instance(cells=tuple("".join(cells[at : at + columns]) for at in range(0, rows * columns, columns)))


def is_right(instance, answer, second):
    """Whether an answer says that they meet in this second, and how."""
    assert problem.check(instance, answer) is None
    if second is None:
        return answer == problem.Answer(status=Status.INFEASIBLE, cost=None, bound=None, boy=None, girl=None)
    return (
        (answer.status, answer.cost, answer.bound) == (Status.OPTIMAL, second, second)
        and len(answer.boy) == second
        and naive.follows(instance.cells, answer.boy, answer.girl)
    )


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    cases = list(problem.read(SAMPLE))
    assert "".join(problem.write(problem.solve(case)) for case in cases) == "1\n1\n-1\n"
    for case, second in zip(cases, (1, 1, None), strict=True):
        assert is_right(case, problem.solve(case), second)


@given(instances(side=9, letters="....X"))
def test_the_second_is_that_of_all_places_second_by_second(instance):
    second = naive.earliest(instance.cells)
    assert is_right(instance, problem.solve(instance), second)
    assert problem.solve(instance, compiled=False) == problem.solve(instance)


@given(instances(side=4))
def test_the_second_is_that_of_states_of_both_at_once(instance):
    start, successors = naive.together(instance.cells)
    found = breadth_first(start, successors, lambda state: state[1] == state[2])
    assert is_right(instance, problem.solve(instance), found.cost)


@pytest.mark.parametrize("walls", [0, 30, 40])
def test_boards_of_many_cells(walls):
    met = set()
    for seed in range(12):
        rows, columns = ((40, 40), (1, 90), (90, 2), (25, 60))[seed % 4]
        instance = problem.generate(seed, rows=rows, columns=columns, walls=walls if seed % 4 in (0, 3) else 0)
        second = naive.earliest(instance.cells)
        assert is_right(instance, problem.solve(instance), second)
        met.add(second is None)
    assert met == {True, False}


@pytest.mark.parametrize(
    ("cells", "second"),
    [
        (("M...G..........Z", "..............ZX"), 1),  # three steps and one
        (("M....G..........Z", "...............ZX"), 2),
        (("G....M..........Z", "...............ZX"), 2),
        (("MXG.............Z", "XXX............ZX"), None),  # walled in until the ghosts come
        (("G.Z", "M.Z"), None),  # side by side, and taken before the first step
        (("G...Z", "M...Z"), 1),
        (("ZM.....................G.", "Z........................"), None),  # the boy is taken at once
    ],
)
def test_small_cases(cells, second):
    instance = problem.Instance(cells=cells)
    assert naive.earliest(cells) == second
    assert is_right(instance, problem.solve(instance), second)


def test_queues_grow():
    cells = np.full((600, 600), ord("."), np.uint8)
    for place, letter in (((300, 300), "M"), ((0, 599), "G"), ((599, 0), "Z"), ((599, 1), "Z")):
        cells[place] = ord(letter)
    cells[1, 599] = cells[0, 598] = ord("X")
    instance = problem.Instance(cells=tuple(row.tobytes().decode() for row in cells))
    solution = problem.search(instance)
    assert solution.status is Status.INFEASIBLE
    assert solution.stats.peak_bytes > 602 * 601 + 2 * 4 * 4096


def test_a_stopped_search_tells_a_bound_and_is_resumed(tmp_path):
    instance = problem.generate(8, rows=200, columns=200, walls=35, solvable=True)
    whole = problem.search(instance)
    bounds = set()
    for nodes in (0, 1, whole.stats.generated // 9, whole.stats.generated // 2, whole.stats.generated - 1):
        kept = tmp_path / f"{nodes}.npz"
        solution = problem.search(instance, limits=Limits(nodes=nodes), checkpoint=kept)
        answer = problem.answer(instance, solution)
        assert (answer.status, answer.cost, answer.boy, solution.stopped_by) == (Status.STOPPED, None, None, "nodes")
        assert solution.stats.generated == nodes
        assert answer.bound <= whole.cost
        assert problem.check(instance, answer) is None
        bounds.add(answer.bound)
        with pytest.raises(ValueError, match=f"at least {answer.bound}"):
            problem.write(answer)
        assert problem.solve(instance, resume=kept) == problem.answer(instance, whole)
    assert len(bounds) > 2
    assert problem.search(instance, limits=Limits(memory=1000)).stopped_by == "memory"


def test_boards_too_large_to_number_are_refused():
    from bestfirst.catalogue.ghost_chase_search import ChaseSearch

    with pytest.raises(ValueError, match="numbered in 32 bits"):
        ChaseSearch(np.broadcast_to(np.uint8(46), (70_000, 70_000)), {})


# --- checker ------------------------------------------------------------------------------------------------------------


def mutated(rng, steps):
    steps = list(steps)
    i = rng.randrange(len(steps))
    change = rng.randrange(5)
    if change == 0:
        steps[i] += rng.choice("ULRDx")
    elif change == 1:
        steps[i] = steps[i][:-1]
    elif change == 2:
        steps[i] = "".join(rng.sample(steps[i], len(steps[i])))
    elif change == 3:
        steps[i] = rng.choice("ULRD") + steps[i][1:]
    else:
        steps = steps[:i] if rng.random() < 0.5 else [*steps, ""]
    return tuple(steps)


def test_checker_finds_every_fault():
    rng = random.Random(1)
    verdicts = set()
    for seed in range(60):
        instance = problem.generate(seed, rows=7, columns=7, solvable=True)
        best = problem.solve(instance)
        for _ in range(20):
            boy, girl = best.boy, best.girl
            for _ in range(rng.randint(1, 2)):
                boy, girl = (mutated(rng, boy or ("",)), girl) if rng.random() < 0.6 else (boy, mutated(rng, girl or ("",)))
            cost = rng.choice((best.cost, len(boy)))
            answer = problem.Answer(status=Status.OPTIMAL, cost=cost, bound=cost, boy=boy, girl=girl)
            right = cost == len(boy) and cost > 0 and naive.follows(instance.cells, boy, girl)
            assert (problem.check(instance, answer) is None) == right
            verdicts.add((right, (boy, girl) == (best.boy, best.girl)))
    assert verdicts >= {(False, False), (True, False)}


@pytest.mark.parametrize(
    ("status", "cost", "bound", "boy", "girl", "message"),
    [
        ("optimal", 2, 2, ("RRD", ""), ("", "D"), None),
        ("feasible", 3, 2, ("RRD", "", ""), ("", "D", ""), None),
        ("optimal", 2, 2, None, None, None),
        ("infeasible", None, None, None, None, None),
        ("stopped", None, 2, None, None, None),
        ("optimal", 2, 1, None, None, "the second is 2 and the bound 1"),
        ("optimal", None, None, None, None, "the second is None"),
        ("infeasible", 2, None, ("RRD", ""), ("", "D"), "the answer has a second, but its status is infeasible"),
        ("optimal", 0, 0, (), (), "they meet in second 0, but the first second is 1"),
        ("optimal", 2, 2, ("RRD", ""), None, "the steps of one person only"),
        ("optimal", 2, 2, ("RRD",), ("", "D"), "the boy has steps for 1 seconds, not 2"),
        ("optimal", 2, 2, ("RRDR", ""), ("", "D"), "second 1: the boy makes 4 steps, 3 at most"),
        ("optimal", 2, 2, ("RRD", ""), ("", "LD"), "second 2: the girl makes 2 steps, 1 at most"),
        ("optimal", 2, 2, ("RRd", ""), ("", "D"), "second 1: 'd' is no step"),
        ("optimal", 2, 2, ("U", ""), ("", "D"), "second 1: the boy leaves the board"),
        ("optimal", 2, 2, ("DR", ""), ("", "D"), "second 1: the boy walks into a wall"),
        ("optimal", 2, 2, ("RR", ""), ("", "D"), "in the end they are not in the same cell"),
        ("optimal", 5, 5, ("RRD", "", "", "", ""), ("", "D", "", "", ""), "second 5: the cell of the boy is taken by a ghost"),
        ("optimal", 3, 3, ("RRD", "RRR", "RRR"), ("", "", ""), "second 3: the boy enters a cell taken by a ghost"),
    ],
)
def test_checker_messages(status, cost, bound, boy, girl, message):
    instance = problem.Instance(cells=("M.G...........", ".X..........ZZ"))
    answer = problem.Answer(status=Status(status), cost=cost, bound=bound, boy=boy, girl=girl)
    fault = problem.check(instance, answer)
    assert fault is None if message is None else message in fault


# --- formats ------------------------------------------------------------------------------------------------------------


@given(instances(), instances())
def test_text_and_json_there_and_back(one, other):
    text = problem.write_instance(one) + problem.write_instance(other)
    assert list(problem.read(text)) == [one, other]
    assert list(problem.read("\ufeff" + text.replace("\n", "\r\n"))) == [one, other]
    assert list(problem.read(" ".join(text.split()))) == [one, other]
    answers = [problem.solve(one), problem.solve(other)]
    read = problem.read_answers("".join(map(problem.write, answers)), [one, other])
    assert read == [msgspec.structs.replace(answer, boy=None, girl=None) for answer in answers]
    for answer in answers:
        assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer
    assert msgspec.json.decode(msgspec.json.encode(one), type=problem.Instance) == one


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of cases T is expected"),
        ("1\n2", (2, 2), "the number of columns m is expected"),
        ("1\n0 4", (2, 1), "at least 1"),
        ("1\n1 4\n", (2, 4), "row 1 of 1 of the board is expected"),
        ("1\n1 4\nMGZz\n", (3, 4), "row 1 of 1 has 'z'; cells are ., X, M, G and Z"),
        ("1\n1 5\nMGZZ\n", (3, 1), "row 1 of 1 has 4 cells, there must be 5"),
        ("1\n1 4\n.GZZ\n", (2, 1), "the board has 0 boy M, there must be 1"),
        ("1\n1 5\nMMGZZ\n", (2, 1), "the board has 2 boy M, there must be 1"),
        ("1\n1 5\nMGGZZ\n", (2, 1), "the board has 2 girl G, there must be 1"),
        ("1\n1 5\nMGZZZ\n", (2, 1), "the board has 3 ghosts Z, there must be 2"),
        ("2\n1 4\nMGZZ\n", (3, 5), "the number of rows n is expected"),
        ("1\n1 4\nMGZZ\nend", (4, 1), "found 'end'"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the second for case 1"),
        ("1\n1\n-1\n1", (4, 1), "every case has its answer"),
        ("-2", (1, 1), "at least -1"),
        ("never", (1, 1), "'never'"),
    ],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, list(problem.read(SAMPLE)))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cells": ()}, "the board is empty"),
        ({"cells": ("MGZZ", ".")}, "row 2 has 1 cells, row 1 has 4"),
        ({"cells": ("MGZZ", "...x")}, "row 2, column 4 is 'x'"),
        ({"cells": ("MGZ.",)}, "the board has 1 ghosts Z"),
        ({"cells": ("MGZZ",), "ghosts": ()}, "ghosts"),
        ({"version": 2, "cells": ("MGZZ",)}, "version"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "ghost-chase", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(30):
        options = {"rows": 5, "columns": 7, "walls": 30, "solvable": [True, False, None][seed % 3]}
        instance = problem.generate(seed, **options)
        assert instance == problem.generate(seed, **options)
        assert (len(instance.cells), len(instance.cells[0])) == (5, 7)
        if seed % 3 < 2:
            assert (naive.earliest(instance.cells) is not None) == (seed % 3 == 0)
    assert len({problem.generate(seed) for seed in range(30)}) == 30
    assert "X" not in "".join(problem.generate(1, walls=0).cells)
    assert "." not in "".join(problem.generate(1, walls=100).cells)
    for bad in ({"rows": 0}, {"rows": 1, "columns": 3}, {"walls": 101}):
        with pytest.raises(ValueError, match="no board"):
            problem.generate(1, **bad)
    with pytest.raises(ValueError, match="none of 300 boards they can meet"):
        problem.generate(1, rows=2, columns=2, solvable=True)


def test_pictures_show_every_second():
    for seed in range(10):
        instance = problem.generate(seed, solvable=seed % 3 > 0)
        answer = problem.solve(instance)
        assert tuple(render.text(instance, False).split()) == instance.cells
        for color in (False, True):
            shown = list(render.text_steps(instance, answer, color))
            if answer.boy is None:
                assert shown[1:] == ["they cannot meet\n"]
                continue
            assert len(shown) == 1 + answer.cost
            assert shown[-1].count("@") == 1
            for second, board in enumerate(shown):
                cells = board.replace("\x1b[7m", "").replace("\x1b[0m", "").splitlines()[1:]
                for place in naive.places(cells, "." if second else "z"):
                    assert naive.is_free(instance.cells, place, second)
                for place in naive.places(cells, "z"):
                    assert not naive.is_free(instance.cells, place, second)
            assert ("\x1b" in "".join(shown)) == color
        for picture, lines in ((render.svg(instance), 0), (render.svg(instance, answer), 2 * (answer.boy is not None))):
            kinds = [element.get("class") or "" for element in ET.fromstring(picture).iter()]
            assert sum(kind.startswith("cell") for kind in kinds) == 8 * 12
            assert kinds.count("cell wall") == "".join(instance.cells).count("X")
            assert kinds.count("letter") == 4
            assert kinds.count("boy") + kinds.count("girl") == lines
            assert ("cell taken" in kinds) <= (lines > 0)


def test_pictures_of_a_large_board_and_of_a_stopped_search():
    large = problem.generate(1, rows=4, columns=150, walls=0)
    picture = render.svg(large, problem.solve(large))
    assert "the first 4 × 100" in picture
    stopped = problem.Answer(status=Status.STOPPED, cost=None, bound=7, boy=None, girl=None)
    assert "second 7 at the earliest" in render.svg(problem.generate(1), stopped)
    assert list(render.text_steps(problem.generate(1), stopped, False))[1:] == ["they meet in second 7 at the earliest\n"]
