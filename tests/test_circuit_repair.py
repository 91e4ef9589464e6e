"""Circuit repair: as few tiles as two slow programs need, a checker that misses nothing, formats, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import naive_circuit as naive
from bestfirst.catalogue import circuit_repair as problem
from bestfirst.formats.tokens import InputError
from bestfirst.plain import uniform_cost
from bestfirst.render import circuit_repair as render
from bestfirst.result import Limits, Status

SAMPLE = "1\n3 5\n\\\\/\\\\\n\\\\///\n/\\\\\\\\\n"


@st.composite
def instances(draw, tiles=12, side=6):
    rows = draw(st.integers(1, side))
    columns = draw(st.integers(1, min(side, tiles // rows)))
    return problem.Instance(cells=tuple(draw(st.text("/\\", min_size=columns, max_size=columns)) for _ in range(rows)))


def by_uniform_cost(instance):
    """The textbook's search, in plain Python."""
    cells = instance.cells
    rows, columns = len(cells), len(cells[0])

    def successors(corner):
        i, j = corner
        for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            x, y = i + min(down, 0), j + min(right, 0)
            if 0 <= x < rows and 0 <= y < columns:
                yield (x + 1, y + 1), (i + down, j + right), int(cells[x][y] != ("\\" if down == right else "/"))

    return uniform_cost((0, 0), successors, lambda corner: corner == (rows, columns)).cost


def is_right(instance, answer, cost):
    """Whether an answer says that so many tiles are turned, and turns them."""
    assert problem.check(instance, answer) is None
    if cost is None:
        return answer == problem.Answer(status=Status.INFEASIBLE, cost=None, bound=None, turned=None)
    return (answer.status, answer.cost, answer.bound, len(set(answer.turned))) == (Status.OPTIMAL, cost, cost, cost) and (
        naive.is_joined(naive.turned(instance.cells, set(answer.turned)))
    )


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == "1\n"
    assert answer.turned == ((3, 4),)
    assert is_right(instance, answer, 1)


@given(instances())
@example(problem.Instance(cells=("\\",)))
@example(problem.Instance(cells=("/",)))
@example(problem.Instance(cells=("//",)))
def test_no_set_of_fewer_tiles_is_enough(instance):
    assert is_right(instance, problem.solve(instance), naive.fewest_turns(instance.cells))


@given(instances(tiles=150, side=40))
def test_larger_boards_as_the_textbook_solves_them(instance):
    cost = by_uniform_cost(instance)
    assert is_right(instance, problem.solve(instance), cost)
    assert is_right(instance, problem.solve(instance, compiled=False), cost)
    assert problem.solve(instance, compiled=False) == problem.solve(instance)


@pytest.mark.parametrize("backslashes", [0, 20, 50, 80, 100])
def test_boards_of_many_tiles_as_the_textbook_solves_them(backslashes):
    for seed, (rows, columns) in enumerate(((60, 60), (1, 301), (301, 1), (2, 200), (41, 77))):
        instance = problem.generate(seed, rows=rows, columns=columns, backslashes=backslashes)
        answer = problem.solve(instance)
        assert problem.check(instance, answer) is None
        assert answer.cost == by_uniform_cost(instance)


def test_queue_and_stack_grow():
    """A board of closed tiles needs nothing but the queue, one of open tiles nothing but the stack."""
    size = 300
    parity = np.add.outer(np.arange(size), np.arange(size)) % 2
    for turned, cost in ((1, size), (0, 0)):
        cells = tuple("".join("\\/"[p ^ turned] for p in row) for row in parity.tolist())
        instance = problem.Instance(cells=cells)
        solution = problem.search(instance)
        assert solution.cost == cost
        assert problem.check(instance, problem.answer(instance, solution)) is None
        assert solution.stats.expanded <= (size + 1) ** 2 // 2 + 1


def test_a_stopped_search_tells_a_bound_and_is_resumed(tmp_path):
    instance = problem.generate(5, rows=200, columns=200, backslashes=25)
    whole = problem.search(instance)
    bounds = set()
    for nodes in (0, 1, 500, 5000, whole.stats.generated - 1):
        kept = tmp_path / f"{nodes}.npz"
        solution = problem.search(instance, limits=Limits(nodes=nodes), checkpoint=kept)
        answer = problem.answer(instance, solution)
        assert (answer.status, answer.cost, answer.turned, solution.stopped_by) == (Status.STOPPED, None, None, "nodes")
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
    from bestfirst.catalogue.circuit_repair_search import RepairSearch

    with pytest.raises(ValueError, match="numbered in 32 bits"):
        RepairSearch(np.broadcast_to(np.uint8(47), (70_000, 70_000)), {})


# --- checker ------------------------------------------------------------------------------------------------------------


@given(instances(), st.randoms(use_true_random=False))
def test_checker_finds_every_fault(instance, rng):
    best = problem.solve(instance)
    if best.turned is None:
        return
    tiles = [(i, j) for i in range(0, len(instance.cells) + 2) for j in range(0, len(instance.cells[0]) + 2)]
    for _ in range(8):
        turned = list(best.turned)
        for _ in range(rng.randint(1, 2)):
            change = rng.randrange(3)
            if change == 0 or not turned:
                turned.append(rng.choice(tiles))
            elif change == 1:
                del turned[rng.randrange(len(turned))]
            else:
                turned[rng.randrange(len(turned))] = rng.choice(tiles)
        on_board = all(1 <= i <= len(instance.cells) and 1 <= j <= len(instance.cells[0]) for i, j in turned)
        joined = on_board and naive.is_joined(naive.turned(instance.cells, set(turned)))
        cost = rng.choice((best.cost, len(turned)))
        answer = problem.Answer(status=Status.OPTIMAL, cost=cost, bound=cost, turned=tuple(turned))
        right = joined and len(set(turned)) == len(turned) == cost
        assert (problem.check(instance, answer) is None) == right


@pytest.mark.parametrize(
    ("cells", "status", "cost", "bound", "turned", "message"),
    [
        (("/\\", "//"), "optimal", 2, 2, ((1, 1), (2, 2)), None),
        (("/\\", "//"), "feasible", 2, 1, ((1, 1), (2, 2)), None),
        (("/\\", "//"), "optimal", 2, 2, None, None),
        (("/\\", "//"), "stopped", None, 1, None, None),
        (("/\\",), "infeasible", None, None, None, None),
        (("/\\", "//"), "optimal", 2, 2, ((1, 1), (3, 2)), "there is no tile in row 3, column 2"),
        (("/\\", "//"), "optimal", 2, 2, ((1, 1), (1, 1)), "the tile in row 1, column 1 is turned twice"),
        (("/\\", "//"), "optimal", 1, 1, ((1, 1), (2, 2)), "2 tiles are turned, not 1"),
        (("/\\", "//"), "optimal", 1, 1, ((1, 1),), "with these tiles turned, no wire leads"),
        (("/\\", "//"), "optimal", 2, 1, ((1, 1), (2, 2)), "the number is 2 and the bound 1"),
        (("/\\", "//"), "optimal", None, None, None, "the number is None"),
        (("/\\", "//"), "infeasible", None, None, None, "on a board of 2 × 2 tiles there is a solution"),
        (("/\\",), "optimal", 0, 0, (), "on a board of 1 × 2 tiles there is no solution"),
        (("/\\",), "infeasible", 0, None, (), "the answer turns tiles, but its status is infeasible"),
    ],
)
def test_checker_messages(cells, status, cost, bound, turned, message):
    answer = problem.Answer(status=Status(status), cost=cost, bound=bound, turned=turned)
    fault = problem.check(problem.Instance(cells=cells), answer)
    assert fault is None if message is None else message in fault


# --- formats ------------------------------------------------------------------------------------------------------------


@given(instances(), instances())
def test_text_and_json_there_and_back(one, other):
    text = problem.write_instance(one) + problem.write_instance(other)
    assert list(problem.read(text)) == [one, other]
    assert list(problem.read("\ufeff" + text.replace("\n", "\r\n"))) == [one, other]
    assert list(problem.read(" ".join(text.split()))) == [one, other]
    together = "2\n" + "".join(problem.write_instance(instance).removeprefix("1\n") for instance in (one, other))
    assert list(problem.read(together)) == [one, other]
    answers = [problem.solve(one), problem.solve(other)]
    read = problem.read_answers("".join(map(problem.write, answers)), [one, other])
    assert read == [msgspec.structs.replace(answer, turned=None) for answer in answers]
    for answer in answers:
        assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer
    assert msgspec.json.decode(msgspec.json.encode(one), type=problem.Instance) == one


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of cases T is expected"),
        ("-1", (1, 1), "at least 0"),
        ("1", (1, 2), "the number of rows R is expected"),
        ("1\n2", (2, 2), "the number of columns C is expected"),
        ("1\n0 2", (2, 1), "at least 1"),
        ("1\n2 2\n/\\\n", (3, 3), "row 2 of 2 of the board is expected"),
        ("1\n2 2\n/\\\n/|\n", (4, 2), r"row 2 of 2 has '\|'; cells are / and \\"),
        ("1\n2 2\n/\\\n/\\/\n", (4, 1), "row 2 of 2 has 3 cells, there must be 2"),
        ("1\n2 2\n/ \\\n/\\\n", (3, 1), "row 1 of 2 has 1 cells, there must be 2"),
        ("2\n1 1\n/\n", (3, 2), "the number of rows R is expected"),
        ("1\n1 1\n/\nend", (4, 1), "found 'end'"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


def test_no_cases_are_no_cases():
    assert list(problem.read("0\n")) == []


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of tiles for case 1"),
        ("1 1", (1, 3), "every case has its answer"),
        ("-1", (1, 1), "at least 0"),
        ("NO", (1, 3), "SOLUTION is expected"),
        ("NO SOLUTIONS", (1, 4), "expected SOLUTION, found 'SOLUTIONS'"),
        ("none", (1, 1), "'none'"),
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
        ({"cells": ("/", "//")}, "row 2 has 2 cells, row 1 has 1"),
        ({"cells": ("/\\", "/x")}, "row 2, column 2 is 'x'"),
        ({"cells": ("/\ud800",)}, "row 1, column 2 is"),
        ({"cells": ("/",), "turned": ()}, "turned"),
        ({"version": 2, "cells": ("/",)}, "version"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "circuit-repair", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    rng = random.Random(1)
    for seed in range(30):
        rows, columns, solvable = rng.randint(1, 9), rng.randint(1, 9), rng.random() < 0.5
        instance = problem.generate(seed, rows=rows, columns=columns, solvable=solvable)
        assert instance == problem.generate(seed, rows=rows, columns=columns, solvable=solvable)
        assert len(instance.cells) == rows
        assert abs(len(instance.cells[0]) - columns) <= 1
        assert (by_uniform_cost(instance) is not None) == solvable
    assert len({problem.generate(seed) for seed in range(30)}) == 30
    for percent, expected in ((0, {"/"}), (100, {"\\"}), (50, {"/", "\\"})):
        assert set("".join(problem.generate(1, rows=20, columns=20, backslashes=percent).cells)) == expected
    for bad in ({"rows": 0}, {"columns": -1}, {"backslashes": 101}):
        with pytest.raises(ValueError, match="no board"):
            problem.generate(1, **bad)


def test_pictures_show_every_tile_and_turn():
    for seed in range(10):
        instance = problem.generate(seed, rows=4, columns=6, solvable=seed % 3 > 0)
        answer = problem.solve(instance)
        assert render.text(instance, False).split() == list(instance.cells)
        for color in (False, True):
            shown = list(render.text_steps(instance, answer, color))
            if answer.turned is None:
                assert shown[1:] == ["no solution\n"]
                continue
            assert len(shown) == 1 + answer.cost
            board = tuple(shown[-1].replace("\x1b[7m", "").replace("\x1b[0m", "").splitlines()[1:])
            assert board == naive.turned(instance.cells, set(answer.turned))
            assert ("\x1b" in "".join(shown)) == (color and answer.cost > 0)
        for picture, turned in ((render.svg(instance), ()), (render.svg(instance, answer), answer.turned or ())):
            kinds = [element.get("class") for element in ET.fromstring(picture).iter()]
            assert kinds.count("tile turned") == kinds.count("wire turned") == len(turned)
            assert kinds.count("tile") == sum(map(len, instance.cells)) - len(turned)


def test_pictures_of_a_large_board_and_of_a_stopped_search():
    large = problem.generate(1, rows=150, columns=4)
    picture = render.svg(large, problem.solve(large))
    assert "the first 100 × 4" in picture
    assert picture.count('class="end"') == 1
    stopped = problem.Answer(status=Status.STOPPED, cost=None, bound=7, turned=None)
    assert "at least 7" in render.svg(problem.generate(1), stopped)
    assert list(render.text_steps(problem.generate(1), stopped, False))[1:] == ["at least 7 to turn\n"]
