"""Sudoku, all sizes: two slow programs' solutions and counts, switches, formats, checker, generator, ratings, pictures."""

import itertools
import random
import xml.etree.ElementTree as ET

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_sudoku as naive
from bestfirst import Interrupted, count_exact_covers
from bestfirst.catalogue import sudoku as problem
from bestfirst.catalogue import sudoku_16, sudoku_bands
from bestfirst.catalogue.sudoku_rating import TECHNIQUES
from bestfirst.formats.tokens import InputError
from bestfirst.render import sudoku as render
from bestfirst.render import sudoku_16 as render_16
from bestfirst.result import Limits, Status

pytestmark = pytest.mark.slow  # compiles much

SAMPLE = """\
4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
......52..8.4......3...9...5.1...6..2..7........3.....6...1..........7.4.......3.
end
"""
SAMPLE_OUT = """\
417369825632158947958724316825437169791586432346912758289643571573291684164875293
416837529982465371735129468571298643293746185864351297647913852359682714128574936
"""


def instance(cells, box=(3, 3)):
    return problem.Instance(box=box, cells=cells)


def random_small(seed, box):
    """Givens, some of them wrong, on a grid small enough for the twin."""
    rng = random.Random(seed)
    n = box[0] * box[1]
    full = problem.generate(seed, rows=box[0], columns=box[1], clues=n * n, unique=False).cells
    share = rng.uniform(0.2, 0.8)
    cells = [digit if rng.random() < share else "." for digit in full]
    for at in rng.sample(range(n * n), rng.choice((0, 0, 1, 2))):
        cells[at] = rng.choice(problem.LETTERS[1 : n + 1])
    return instance("".join(cells), box)


def as_cover(grid):
    """Count by the general engine for exact covers."""
    n = grid.box[0] * grid.box[1]
    options = []
    for at, given_digit in enumerate(grid.cells):
        i, j = divmod(at, n)
        b = i // grid.box[0] * grid.box[0] + j // grid.box[1]
        for digit in problem.LETTERS[1 : n + 1]:
            if given_digit in (".", digit):
                options.append([("cell", at), ("row", i, digit), ("column", j, digit), ("box", b, digit)])
    items = [("cell", at) for at in range(n * n)]
    items += [(kind, i, digit) for kind in ("row", "column", "box") for i in range(n) for digit in problem.LETTERS[1 : n + 1]]
    return count_exact_covers(options, primary=items).count


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    cases = list(problem.read(SAMPLE))
    assert "".join(problem.write(problem.solve(case)) for case in cases) == SAMPLE_OUT
    answers = [problem.answer(case, found) for case, found in zip(cases, problem.search_many(cases), strict=True)]
    assert "".join(map(problem.write, answers)) == SAMPLE_OUT


@pytest.mark.parametrize("box", [(2, 2), (1, 3), (2, 3), (3, 2), (1, 4), (4, 1)])
def test_small_grids_have_the_solutions_that_trying_finds(box):
    met = set()
    n = box[0] * box[1]
    for seed in range(60):
        grid = random_small(seed, box)
        if grid.cells.count(".") > 24:
            continue
        expected = list(itertools.islice(naive.solutions(grid.cells, box, problem.LETTERS[1 : n + 1]), 200))
        for without in (None, [*problem.PRUNINGS][seed % 5 :]):
            found = problem.search(grid, without, count=200)
            assert found.count == len(expected)
            assert problem.check(grid, problem.answer(grid, found)) is None
            assert found.value is None or found.value.cells in expected
        met.add(min(len(expected), 2))
    assert met == {0, 1, 2}


def test_both_searches_count_what_exact_cover_counts():
    met = set()
    for seed in range(120):
        rng = random.Random(seed)
        full = problem.generate(seed % 7, clues=81, unique=False).cells
        few = rng.sample(range(81), rng.randint(24, 50))
        cells = ["." if at not in few else digit for at, digit in enumerate(full)]
        if seed % 3 == 0:
            cells[rng.choice(few)] = rng.choice("123456789")
        grid = instance("".join(cells))
        quick, general = problem.search(grid, count=5000), problem.search(grid, (), count=5000)
        assert quick.count == general.count
        assert quick.status == general.status
        for found in (quick, general):
            assert problem.check(grid, problem.answer(grid, found)) is None
        if quick.count < 5000 and seed < 40:
            assert quick.count == as_cover(grid)
        met.add(min(quick.count, 2))
    assert met == {0, 1, 2}


def test_a_number_of_grids_known_from_elsewhere():
    empty = {(2, 2): 288, (1, 4): 576, (1, 3): 12}  # sudokus and Latin squares (OEIS A107739, A002860)
    for box, known in empty.items():
        n = box[0] * box[1]
        assert problem.search(instance("." * n * n, box), count=10**6).count == known


@pytest.mark.parametrize("name", [*problem.PRUNINGS])
def test_without_any_pruning_the_answers_are_the_same(name):
    for seed in range(8):
        grid = problem.generate(seed, clues=30 - seed % 3, unique=seed % 2 == 0, solvable=seed % 4 != 2)
        usual, other = problem.search(grid, count=300), problem.search(grid, [name], count=300)
        assert (usual.count, usual.status) == (other.count, other.status)
        assert usual.count != 1 or usual.value == other.value
    with pytest.raises(ValueError, match="there is no pruning x"):
        problem.search(grid, ["x"])


@pytest.mark.parametrize(("rows", "columns"), [(2, 4), (3, 4), (3, 5), (4, 4)])
def test_larger_grids_with_one_solution(rows, columns):
    grid = problem.generate(rows, rows=rows, columns=columns)
    found = problem.solve(grid, count=2)
    assert (found.status, found.count, found.more) == (Status.OPTIMAL, 1, False)
    assert problem.check(grid, found) is None


def test_a_grid_of_25_digits():
    grid = problem.generate(1, rows=5, columns=5, clues=400, unique=False)
    assert problem.check(grid, problem.solve(grid)) is None
    blank = instance("." * 625, (5, 5))
    assert problem.check(blank, problem.solve(blank)) is None


def test_interpreted_and_compiled_are_the_same():
    grid = problem.generate(4)
    for without in (None, ()):
        one, other = problem.search(grid, without, count=2), problem.search(grid, without, count=2, compiled=False)
        assert (one.value, one.count, one.stats.generated) == (other.value, other.count, other.stats.generated)


def test_many_grids_at_once_are_as_one_by_one():
    grids = [problem.generate(seed, solvable=seed % 5 != 0) for seed in range(15)] + [random_small(3, (3, 3))]
    for count in (None, 2, 50):
        many = problem.search_many(grids, count=count)
        alone = [problem.search(grid, count=count) for grid in grids]
        assert [problem.answer(grid, one) for grid, one in zip(grids, many, strict=False)] == [
            problem.answer(grid, one) for grid, one in zip(grids, alone, strict=False)
        ]
    assert len(problem.search_many([*grids, random_small(1, (2, 2))])) == 17
    stopped = problem.search_many(grids, limits=Limits(nodes=4))
    assert stopped[-1].stopped_by == "nodes"
    assert len(stopped) <= 4
    with pytest.raises(Interrupted) as caught:
        problem.search_many(grids, interrupted=lambda: True)
    assert [one.status for one in caught.value.solution] == [Status.STOPPED]
    with pytest.raises(TypeError, match="uint8"):
        problem.solve_many(np.zeros((1, 81)))
    with pytest.raises(ValueError, match="from 0 to 9"):
        problem.solve_many(np.full((1, 81), 10, np.uint8))


@pytest.mark.parametrize("without", [None, ()])
def test_a_stopped_search_is_honest_and_is_resumed(without, tmp_path):
    grid = instance("." * 27 + problem.generate(1, clues=81, unique=False).cells[27:54] + "." * 27)
    whole = problem.search(grid, without, count=3000)
    assert whole.count == 3000
    for nodes in (0, 1, 40, 1500):
        kept = tmp_path / f"{nodes}.npz"
        part = problem.search(grid, without, count=3000, limits=Limits(nodes=nodes), checkpoint=kept)
        assert part.stopped_by == "nodes"
        assert part.status is (Status.STOPPED if part.value is None else Status.FEASIBLE)
        with pytest.raises(ValueError, match="the search was stopped"):
            problem.write(problem.answer(grid, part))
        again = problem.search(grid, without, count=3000, resume=kept)
        assert (again.value, again.count, again.stats.generated) == (whole.value, whole.count, whole.stats.generated)
    with pytest.raises(ValueError, match="from 1 to"):
        problem.search(grid, count=0)


def test_tables_by_their_meaning():
    made = sudoku_bands.tables()
    for shape in range(512):
        orders = [order for order in itertools.permutations(range(3)) if all(shape >> 3 * i + b & 1 for i, b in enumerate(order))]
        used = {(row, box) for order in orders for row, box in enumerate(order)}
        assert made.ways[shape] == sum(1 << 3 * row + box for row, box in used)
        cells = {9 * row + 3 * box + j for row, box in used for j in range(3)}
        assert made.possible[shape] == sum(1 << cell for cell in cells)


# --- checker ------------------------------------------------------------------------------------------------------------


def test_checker_finds_every_fault():
    rng = random.Random(1)
    verdicts = set()
    for seed in range(40):
        grid = random_small(seed, (2, 3))
        every = list(itertools.islice(naive.solutions(grid.cells, (2, 3), "123456"), 50))
        for cells in every[:3]:
            for _ in range(10):
                changed = list(cells)
                for _ in range(rng.randint(0, 2)):
                    i, j = rng.randrange(36), rng.randrange(36)
                    changed[i], changed[j] = changed[j], changed[i]
                claim = problem.Answer(status=Status.OPTIMAL, cells="".join(changed))
                right = "".join(changed) in every or (
                    len(every) == 50
                    and next(naive.solutions(claim.cells, (2, 3), "123456"), None) is not None
                    and all(a in (".", b) for a, b in zip(grid.cells, claim.cells, strict=False))
                )
                assert (problem.check(grid, claim) is None) == right
                verdicts.add(right)
    assert verdicts == {True, False}


@pytest.mark.parametrize(
    ("status", "cells", "count", "message"),
    [
        ("optimal", "1234341221434321", None, None),
        ("optimal", "1234341221434321", 1, None),
        ("infeasible", None, 0, None),
        ("optimal", None, None, "no cells"),
        ("infeasible", "1234341221434321", None, "has cells"),
        ("optimal", "1234341221434321", 0, "counts 0"),
        ("optimal", "123434122143432", None, "15 cells"),
        ("optimal", "123434122143432.", None, "row 4, column 4 is '.'"),
        ("optimal", "4123341221434321", None, "row 1, column 1 is 4, but 1 is given"),
        ("optimal", "1234341221434322", None, "row 4 has no 1"),
    ],
)
def test_checker_messages(status, cells, count, message):
    claim = problem.Answer(status=Status(status), cells=cells, count=count)
    fault = problem.check(instance("1" + "." * 15, (2, 2)), claim)
    assert fault is None if message is None else message in fault


def test_difference_and_conflicts():
    one = problem.Answer(status=Status.OPTIMAL, cells="x", count=3, more=False)
    none = problem.Answer(status=Status.INFEASIBLE, cells=None)
    assert "there is one" in problem.difference(none, one)
    assert problem.difference(one, msgspec.structs.replace(one, count=None)) is None
    assert "counts 3" in problem.difference(one, msgspec.structs.replace(one, count=2))
    bad = instance("5...5" + "." * 76)
    assert problem.conflict(bad) == "row 1 has 5 given twice, in row 1, column 1 and row 1, column 5"
    found = problem.search(bad)
    assert found.status is Status.INFEASIBLE
    assert found.why == problem.conflict(bad)
    assert problem.write(problem.answer(bad, found)) == "No solution\n"


# --- formats ------------------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from([(2, 2), (2, 3), (3, 3), (2, 4)]))
def test_text_and_json_there_and_back(seed, box):
    grid = random_small(seed, box)
    text = problem.write_instance(grid) * 2
    for shown in (text, text + "end\n", text + "end\nwhat ever", "\ufeff" + text.replace("\n", "\r\n"), text.replace(".", "0")):
        assert list(problem.read(shown)) == [grid, grid]
    assert list(problem.read(render.text(grid, False).split("given twice")[0].rpartition("\n")[0] + "\n")) == [grid]
    assert msgspec.json.decode(msgspec.json.encode(grid), type=problem.Instance) == grid
    for count in (None, 3):
        best = problem.solve(grid, count=count)
        (read,) = problem.read_answers(problem.write(best), [grid])
        assert read.cells == best.cells
        if best.cells is not None:
            assert read == best
        assert msgspec.json.decode(msgspec.json.encode(best), type=problem.Answer) == best


def test_other_text_forms():
    cells = SAMPLE.split(maxsplit=1)[0]
    rows = [cells[at : at + 9] for at in range(0, 81, 9)]
    sdk = "#A somebody\n[Puzzle]\n" + "\n".join(rows) + "\n\n" + "\n".join(rows)
    assert [grid.cells for grid in problem.read(sdk)] == [cells, cells]
    assert list(problem.read("")) == list(problem.read("end\n")) == []


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("." * 80, (1, 1), "a line of 80 cells is no grid"),
        ("\n  " + "." * 7, (2, 3), "a line of 7 cells is no grid"),
        ("." * 80 + "x", (1, 81), "found 'x'; cells are 0, ., 1"),
        ("." * 9 + "\n" + "." * 8, (2, 1), "row 2 of a grid has 8 cells, there must be 9"),
        (".........\n" * 3, (4, 1), "ends after 3 of 9 rows"),
        ("....\n..5.\n", (2, 3), "found '5'"),
        ("." * 81 + "\nhello\n", (2, 1), "5 cells"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "answer for grid 1"),
        ("1234\n\n", "expected 81 cells"),
        ("No solution\n1\n", "after 1 answers"),
        ("1" * 81 + " x", "'x'"),
    ],
)
def test_bad_answers_are_named(text, message):
    with pytest.raises(InputError, match=message):
        problem.read_answers(text, list(problem.read(SAMPLE))[:1])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cells": "." * 80}, "there are 80 cells, there must be 9 × 9"),
        ({"cells": "x" + "." * 80}, "row 1, column 1 is 'x'"),
        ({"box": [5, 6], "cells": ""}, "1 to 25"),
        ({"box": [0, 6], "cells": ""}, "1 to 25"),
        ({"cells": "." * 81, "z": 1}, "z"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "sudoku", **values}, problem.Instance)
    with pytest.raises(ValueError, match="JSON has any"):
        problem.write_instance(instance("." * 16, (1, 4)))


# --- generator, ratings, pictures ---------------------------------------------------------------------------------------


def test_generator():
    for seed in range(6):
        grid = problem.generate(seed)
        assert grid == problem.generate(seed)
        rating = problem.rate(grid)
        assert (rating.solutions, rating.needless) == (1, 0)
        assert rating.technique in (*TECHNIQUES, "guessing")
        easy = problem.rate(problem.generate(seed, clues=40))
        assert (easy.clues, easy.solutions) == (40, 1)
        spoilt = problem.generate(seed, solvable=False)
        assert problem.solve(spoilt).status is Status.INFEASIBLE
        assert problem.conflict(spoilt) is None
    assert problem.rate(problem.generate(1, clues=0, unique=False)).solutions == 2
    for bad in ({"rows": 6, "columns": 5}, {"rows": 0}, {"clues": 82}):
        with pytest.raises(ValueError, match="cells"):
            problem.generate(1, **bad)
    with pytest.raises(ValueError, match="none of 200 grids"):
        problem.generate(1, rows=2, columns=2, clues=3)


@pytest.mark.parametrize(
    ("clues", "technique"),
    [
        ("....1.5.61...38..2..6..............95.8..7......39..4....8....3......1...5.1.279.", "trial"),
        ("534678912672195348198342567859761423426853791713924856961537284287419635...286179", "hidden single"),
        (SAMPLE.split(maxsplit=1)[0], "locked candidates"),
        (SAMPLE.split()[1], "subset"),
    ],
)
def test_ratings_of_known_grids(clues, technique):
    rating = problem.rate(instance(clues))
    assert rating.technique == technique
    assert f"hardest technique: {technique}" in str(rating)
    assert "given twice" in str(problem.rate(instance("5...5" + "." * 76)))


def test_pictures():
    for grid in (problem.generate(1), random_small(0, (2, 3)), instance("55" + "." * 79)):
        best = problem.solve(grid, count=2)
        shown = next(render.text_steps(grid, best, True))
        assert render.outcome(grid, best) in shown
        assert shown.count("\x1b[1m") == len(grid.cells) - grid.cells.count(".")
        assert ("given twice" in render.text(grid, False)) == (problem.conflict(grid) is not None)
        kinds = [element.get("class") for element in ET.fromstring(render.svg(grid, best)).iter()]
        assert kinds.count("given") == len(grid.cells) - grid.cells.count(".")
        assert kinds.count("found") == (0 if best.cells is None else grid.cells.count("."))
    stopped = problem.Answer(status=Status.STOPPED, cells=None)
    assert "not known" in next(render.text_steps(grid, stopped, False))


# --- 16 × 16 ------------------------------------------------------------------------------------------------------------

LETTERED = """\
--A----C-----O-I
-J--A-B-P-CGF-H-
--D--F-I-E----P-
-G-EL-H----M-J--
----E----C--G---
-I--K-GA-B---E-J
D-GP--J-F----A--
-E---C-B--DP--O-
E--F-M--D--L-K-A
-C--------O-I-L-
H-P-C--F-A--B---
---G-OD---J----H
K---J----H-A-P-L
--B--P--E--K--A-
-H--B--K--FI-C--
--F---C--D--H-N-
"""


def test_letters():
    (grid,) = sudoku_16.read(LETTERED)
    best = sudoku_16.solve(grid, count=2)
    assert sudoku_16.check(grid, best) is None
    assert (best.count, best.more) == (1, False)
    assert sudoku_16.write(best).splitlines()[0] == "FPAHMJECNLBDKOGI"
    assert sudoku_16.write(best).endswith("\n1\n\n")
    assert sudoku_16.write(sudoku_16.solve(grid)).endswith("IAFJOECGLDPBHMNK\n\n")
    assert list(sudoku_16.read(sudoku_16.write_instance(grid) * 2)) == [grid, grid]
    assert list(sudoku_16.read("\ufeff" + LETTERED.replace("\n", "\r\n"))) == [grid]
    assert list(sudoku_16.read("")) == []
    none = sudoku_16.solve(sudoku_16.Instance(rows=("AA" + "-" * 14, *grid.rows[1:])))
    assert sudoku_16.write(none) == "No solution\n\n"
    answers = [best, none, sudoku_16.solve(grid)]
    assert sudoku_16.read_answers("".join(map(sudoku_16.write, answers)), [grid] * 3) == [
        best, msgspec.structs.replace(none, count=None, more=None), answers[2]
    ]  # fmt: skip
    wrong = msgspec.structs.replace(best, rows=(best.rows[1], best.rows[0], *best.rows[2:]))
    assert "given there" in sudoku_16.check(grid, wrong)
    assert "240 cells" in sudoku_16.check(grid, msgspec.structs.replace(best, rows=best.rows[1:]))
    assert sudoku_16.difference(best, best) is None
    assert sudoku_16.rate(grid).solutions == 1
    assert "F P A H | M J" in next(render_16.text_steps(grid, best, False))
    assert "- - A - | - -" in render_16.text(grid, False)
    assert render_16.svg(grid, best).count('class="found"') == "".join(grid.rows).count("-")
    assert msgspec.json.decode(msgspec.json.encode(best), type=sudoku_16.Answer) == best


def test_letters_generated_and_stopped():
    grid = sudoku_16.generate(1, clues=110)
    assert sudoku_16.search(grid, count=2).count == 1
    assert sudoku_16.solve(sudoku_16.generate(2, clues=120, solvable=False)).status is Status.INFEASIBLE
    stopped = sudoku_16.solve(grid, limits=Limits(nodes=0))
    assert (stopped.status, stopped.rows) == (Status.STOPPED, None)
    with pytest.raises(ValueError, match="stopped"):
        sudoku_16.write(stopped)


@pytest.mark.parametrize(
    ("text", "message"),
    [("A" * 15, "row 1 of 16"), (LETTERED[:-17], "row 16 of 16"), (LETTERED.replace("J", "Q"), "'Q'"), ("1" * 16, "'1'")],
)
def test_bad_letters_are_named(text, message):
    with pytest.raises(InputError, match=message):
        list(sudoku_16.read(text))
    with pytest.raises(msgspec.ValidationError, match="16 × 16"):
        msgspec.convert({"problem": "sudoku-16", "rows": ["A"]}, sudoku_16.Instance)
