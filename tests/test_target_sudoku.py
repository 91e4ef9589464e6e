"""Target sudoku: what all completions and an integer program say, each switch, formats, checker, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import numpy as np
import pytest

import naive_target as naive
from bestfirst import exact_covers
from bestfirst.catalogue import sudoku
from bestfirst.catalogue import target_sudoku as problem
from bestfirst.catalogue.target_sudoku_search import WEIGHTS
from bestfirst.formats.tokens import InputError
from bestfirst.render import target_sudoku as render
from bestfirst.result import Limits, Status

pytestmark = pytest.mark.slow  # compiles much

SAMPLES = {
    "7..9....11....59.....2...8...5.2...3......648413........7..2.9.2.1.6.8.4.8.5.4.12": 2829,
    "...7.24539....8...74...5.1.195.8.....7.....25.3.5791.8...6.1....6.9....1........6": 2852,
}


def few_solutions(seed, most=3000, least=24):
    """A grid with some solutions, or without any."""
    rng = random.Random(seed)
    for tried in range(100):
        cells = list(problem.generate(100 * seed + tried, clues=rng.randint(least, 45)).cells)
        if seed % 5 == 0:
            cells[rng.randrange(81)] = rng.choice("123456789")
        grid = problem.Instance(cells="".join(cells))
        if sudoku.search(sudoku.Instance(cells=grid.cells), count=most + 1).count <= most:
            return grid
    raise AssertionError(f"no such grid: {seed}")


def all_sums(cells):
    """The sums of all completions, which the general engine for exact cover lists."""
    options, sums = [], []
    for at, given in enumerate(cells):
        i, j = divmod(at, 9)
        for digit in "123456789" if given == "." else given:
            sums.append(problem.weight(i, j) * int(digit))
            options.append([("cell", at), ("row", i, digit), ("column", j, digit), ("box", i // 3, j // 3, digit)])
    items = [("cell", at) for at in range(81)]
    items += [(kind, i, digit) for kind in ("row", "column") for i in range(9) for digit in "123456789"]
    items += [("box", i, j, digit) for i in range(3) for j in range(3) for digit in "123456789"]
    return [sum(sums[option] for option in cover) for cover in exact_covers(options, primary=items)]


def by_cp_sat(cells):
    """The largest sum as an integer program."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    there = {(i, j, d): model.new_bool_var("") for i in range(9) for j in range(9) for d in range(1, 10)}
    for a in range(9):
        for b in range(1, 10):
            model.add_exactly_one(there[a, j, b] for j in range(9))
            model.add_exactly_one(there[i, a, b] for i in range(9))
            model.add_exactly_one(there[a // 3 * 3 + k // 3, a % 3 * 3 + k % 3, b] for k in range(9))
            model.add_exactly_one(there[a, b - 1, d] for d in range(1, 10))
    for at, digit in enumerate(cells):
        if digit != ".":
            model.add(there[at // 9, at % 9, int(digit)] == 1)
    model.maximize(sum(problem.weight(i, j) * d * var for (i, j, d), var in there.items()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return round(solver.objective_value) if solver.solve(model) == cp_model.OPTIMAL else None


def test_samples():
    for cells, total in SAMPLES.items():
        grid = problem.Instance(cells=cells)
        best = problem.solve(grid)
        assert (best.status, best.cost, best.bound) == (Status.OPTIMAL, total, total)
        assert problem.check(grid, best) is None


def test_weights():
    assert tuple(problem.weight(i, j) for i in range(9) for j in range(9)) == WEIGHTS


def test_sums_are_the_largest_of_all_completions():
    met = set()
    for seed in range(600):
        grid = few_solutions(seed)
        best = problem.solve(grid)
        expected = max(all_sums(grid.cells), default=None)
        assert best.cost == expected
        assert best.status is (Status.INFEASIBLE if expected is None else Status.OPTIMAL)
        assert problem.check(grid, best) is None
        met.add(expected is None)
    assert met == {True, False}


def test_sums_are_the_largest_that_trying_finds():
    for seed in range(12):
        grid = few_solutions(seed, least=42)
        assert problem.solve(grid).cost == naive.largest(grid.cells)


@pytest.mark.parametrize("clues", [30, 26, 24])
def test_sums_are_those_of_an_integer_program(clues):
    for seed in range(2):
        grid = problem.generate(seed, clues=clues)
        best = problem.solve(grid)
        assert best.cost == by_cp_sat(grid.cells)
        assert problem.check(grid, best) is None


@pytest.mark.parametrize("name", [*problem.PRUNINGS])
def test_without_any_pruning_the_sum_is_the_same(name):
    for seed in range(12):
        grid = few_solutions(seed)
        usual, other = problem.solve(grid), problem.solve(grid, without=[name])
        assert (usual.status, usual.cost) == (other.status, other.cost)
        assert problem.check(grid, other) is None
    with pytest.raises(ValueError, match="there is no pruning x"):
        problem.search(grid, ["x"])


def test_symmetric_grids_have_equal_sums():
    for seed in range(12):
        cells = problem.generate(seed, clues=18 + seed).cells
        board = np.array(list(cells)).reshape(9, 9)
        turned = [board, board.T, board[::-1], np.rot90(board)]
        assert len({problem.solve(problem.Instance(cells="".join(other.ravel()))).cost for other in turned}) == 1


def test_interpreted_and_compiled_are_the_same():
    grid = few_solutions(3)
    one, other = problem.search(grid), problem.search(grid, compiled=False)
    assert (one.moves, one.cost, one.stats.generated) == (other.moves, other.cost, other.stats.generated)


def test_a_stopped_search_has_a_bound_and_is_resumed(tmp_path):
    grid = problem.generate(1, clues=8)
    whole = problem.search(grid)
    assert whole.maximised
    bounds = []
    for nodes in (0, 1, 60, 150, whole.stats.generated - 1):
        kept = tmp_path / f"{nodes}.npz"
        part = problem.search(grid, limits=Limits(nodes=nodes), checkpoint=kept)
        assert part.stopped_by == "nodes"
        assert (part.cost or 0) <= whole.cost <= part.bound
        bounds.append(part.bound)
        stopped = problem.answer(grid, part)
        assert problem.check(grid, stopped) is None
        with pytest.raises(ValueError, match=f"at most {part.bound}"):
            problem.write(stopped)
        again = problem.search(grid, resume=kept)
        assert (again.cost, again.moves, again.stats.generated) == (whole.cost, whole.moves, whole.stats.generated)
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[1] < bounds[0] == 5130


def test_checker_finds_every_fault():
    grid = problem.Instance(cells=next(iter(SAMPLES)))
    best = problem.solve(grid)
    rng = random.Random(1)
    for _ in range(200):
        cells = list(best.cells)
        i, j = rng.sample(range(81), 2)
        cells[i], cells[j] = cells[j], cells[i]
        changed = msgspec.structs.replace(best, cells="".join(cells))
        assert (problem.check(grid, changed) is None) == (changed == best)
    for change, message in (
        ({"cost": 2828}, "bound is 2829"),
        ({"cost": 2828, "bound": 2828}, "the sum of the grid is 2829, not 2828"),
        ({"cost": None}, "the sum is None"),
        ({"status": Status.INFEASIBLE}, "the sum is 2829"),
        ({"status": Status.STOPPED, "cost": None}, "there is a grid"),
        ({"status": Status.FEASIBLE, "bound": 2000}, "more than its bound"),
    ):
        assert message in problem.check(grid, msgspec.structs.replace(best, **change))


def test_text_and_json_there_and_back():
    grids = [problem.generate(seed, clues=20 + seed, solvable=seed != 9) for seed in range(3, 10)]
    text = "".join(map(problem.write_instance, grids))
    for shown in (text, "\ufeff" + text.replace("\n", "\r\n"), "\n".join(text.split())):
        assert list(problem.read(shown)) == grids
    answers = [problem.solve(grid) for grid in grids]
    assert answers[-1].status is Status.INFEASIBLE
    written = "".join(map(problem.write, answers))
    assert written.endswith("\n-1\n")
    assert problem.read_answers(written, grids) == [msgspec.structs.replace(answer, cells=None) for answer in answers]
    for grid, best in zip(grids, answers, strict=True):
        assert msgspec.json.decode(msgspec.json.encode(grid), type=problem.Instance) == grid
        assert msgspec.json.decode(msgspec.json.encode(best), type=problem.Answer) == best
    assert list(problem.read("")) == []


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("1 2 3", (1, 6), "column 4 .row 1 of 9. is expected"),
        ("0 " * 80 + "10", (1, 161), "at most 9"),
        ("0 " * 81 + "x", (1, 163), "'x'"),
        ("-1", (1, 1), "at least 0"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


def test_bad_answers_and_bad_json_are_named():
    grids = [problem.generate(1)]
    for text, message in (("", "the sum for grid 1"), ("5 6", "after 1 answers"), ("-2", "at least -1"), ("x", "'x'")):
        with pytest.raises(InputError, match=message):
            problem.read_answers(text, grids)
    for cells, message in (("." * 80, "there are 80 cells"), ("x" + "." * 80, "row 1, column 1 is 'x'")):
        with pytest.raises(msgspec.ValidationError, match=message):
            msgspec.convert({"problem": "target-sudoku", "cells": cells}, problem.Instance)


def test_generator_and_pictures():
    grid = problem.generate(5, clues=25)
    assert grid == problem.generate(5, clues=25)
    assert grid.cells.count(".") == 56
    with pytest.raises(ValueError, match="no 82 clues"):
        problem.generate(1, clues=82)
    best = problem.solve(grid)
    assert f"sum {best.cost}\n" in next(render.text_steps(grid, best, False))
    kinds = [element.get("class") for element in ET.fromstring(render.svg(grid, best)).iter()]
    assert (kinds.count("given"), kinds.count("found")) == (25, 56)
    stopped = problem.solve(grid, limits=Limits(nodes=0))
    assert "not known, at most 5130" in render.svg(grid, stopped)
    none = problem.solve(problem.generate(2, clues=30, solvable=False))
    assert "no solution" in next(render.text_steps(grid, none, False))
    assert "given twice" in render.text(problem.Instance(cells="55" + "." * 79), False)
