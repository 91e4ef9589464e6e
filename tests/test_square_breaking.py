"""The problem square breaking: numbers as slow twins and CP-SAT find them, full boards, a checker, formats, pictures."""

import itertools
import random
import re
import xml.etree.ElementTree as ET

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_squares as naive
from bestfirst.catalogue import square_breaking as problem
from bestfirst.catalogue.square_breaking_search import PRUNINGS, SquareSearch
from bestfirst.control import PAUSED
from bestfirst.formats.tokens import InputError
from bestfirst.render import square_breaking as render
from bestfirst.result import Interrupted, Limits, Status
from bestfirst.search.compiled import GENERATED

pytestmark = pytest.mark.slow  # compiles much


SAMPLE = "2\n2\n0\n3\n3 12 17 23\n"
SAMPLE_OUTPUT = "3\n3\n"

#: Of full boards; the first five are published, the others half the cells and one more.
FULL = {1: 1, 2: 3, 3: 6, 4: 9, 5: 14, 6: 19, 7: 26, 8: 33}


@st.composite
def boards(draw, most=2):
    size = draw(st.integers(1, most))
    numbers = st.integers(1, problem.count_matches(size))
    return problem.Instance(size=size, missing=tuple(draw(st.lists(numbers, unique=True, max_size=8))))


def is_right(instance, answer, fewest):
    """Whether an answer is optimal with so many matches, which break all squares."""
    assert problem.check(instance, answer) is None
    assert naive.breaks_all(instance.size, instance.missing, answer.matches)
    return (answer.status, answer.cost, answer.bound, len(answer.matches)) == (Status.OPTIMAL, fewest, fewest, fewest)


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    instances = list(problem.read(SAMPLE))
    answers = [problem.solve(instance) for instance in instances]
    assert "".join(map(problem.write, answers)) == SAMPLE_OUTPUT
    claims = problem.read_answers(SAMPLE_OUTPUT, instances)
    assert [claim.cost for claim in claims] == [answer.cost for answer in answers]
    assert [problem.check(*pair) for pair in zip(instances * 2, answers + claims, strict=True)] == [None] * 4


@settings(max_examples=200)
@given(boards())
def test_small_boards_need_as_many_as_the_twin_says(instance):
    assert is_right(instance, problem.solve(instance), naive.fewest(instance.size, instance.missing))


def test_boards_of_nine_cells_need_as_many_as_the_twin_says():
    for seed in range(150):
        instance = problem.generate(seed, size=3, missing=4 + seed % 9)
        assert is_right(instance, problem.solve(instance), naive.fewest(3, instance.missing))


@pytest.mark.compiled_only
def test_larger_boards_need_as_many_as_cp_sat_says():
    pytest.importorskip("ortools")
    for seed in range(20):
        size = 4 + seed % 3
        instance = problem.generate(seed, size=size, missing=4 * size - 10 + seed % 4)
        assert is_right(instance, problem.solve(instance), naive.fewest_by_cp_sat(size, instance.missing))


@pytest.mark.compiled_only
@pytest.mark.parametrize("size", FULL)
def test_full_boards(size):
    instance = problem.Instance(size=size)
    assert is_right(instance, problem.solve(instance), FULL[size])


@pytest.mark.compiled_only
def test_turned_boards_need_as_many():
    for seed in range(30):
        size = 5
        instance = problem.generate(seed, size=size, missing=3)
        place = {match: number for number, match in enumerate(naive.matches(size), 1)}
        turned = []
        for match in instance.missing:
            points = [(column, size - row) for row, column in naive.matches(size)[match - 1]]
            turned.append(place[tuple(sorted(points))])
        assert problem.solve(problem.Instance(size=size, missing=tuple(turned))).cost == problem.solve(instance).cost


def test_nothing_to_break():
    for missing in ((1,), (1, 2, 3, 4)):
        assert problem.solve(problem.Instance(size=1, missing=missing)).matches == ()


def test_without_a_pruning_the_number_is_the_same():
    for seed in range(25):
        instance = problem.generate(seed, size=3 + seed % 2, missing=3 + seed % 2 * 9)
        usual = problem.solve(instance)
        for names in [*((name,) for name in PRUNINGS), tuple(PRUNINGS)]:
            assert is_right(instance, problem.solve(instance, without=names), usual.cost)
    with pytest.raises(ValueError, match="no pruning speed"):
        problem.search(problem.generate(1), without=("speed",))


@pytest.mark.compiled_only
def test_limits_stop_and_a_stopped_search_goes_on(tmp_path):
    instance = problem.Instance(size=5)
    whole = problem.search(instance)
    kept = tmp_path / "kept.npz"
    stopped = problem.search(instance, limits=Limits(nodes=500), checkpoint=kept)
    assert (stopped.status, stopped.stopped_by, stopped.bound) == (Status.FEASIBLE, "nodes", 13)
    answer = problem.answer(instance, stopped)
    assert problem.check(instance, answer) is None
    assert naive.breaks_all(5, (), answer.matches)
    with pytest.raises(ValueError, match="at least 13"):
        problem.write(answer)
    again = problem.search(instance, resume=kept)
    assert (again.moves, again.stats.generated) == (whole.moves, whole.stats.generated)
    with pytest.raises(Interrupted) as caught:
        problem.search(instance, interrupted=lambda: True)
    assert caught.value.solution.bound == 0 < whole.cost <= caught.value.solution.cost


def test_a_search_stopped_again_and_again_is_the_same():
    instance = problem.generate(1, size=4, missing=6)
    job = SquareSearch(*problem._complete_squares(instance), {}, without=frozenset())
    while job.advance(int(job.counters[GENERATED]) + 1) == PAUSED:
        pass
    whole = problem.search(instance)
    assert job.best() == (whole.cost, whole.moves)
    assert job.stats().generated == whole.stats.generated


def test_interpreted_search_is_the_same():
    for seed in range(4):
        instance = problem.generate(seed, size=4, missing=6)
        compiled, interpreted = problem.search(instance), problem.search(instance, compiled=False)
        assert (interpreted.moves, interpreted.stats.generated) == (compiled.moves, compiled.stats.generated)


# --- checker ------------------------------------------------------------------------------------------------------------


def test_mutated_answers_are_faults_or_right():
    rng, right = random.Random(3), 0
    for seed in range(300):
        instance = problem.generate(seed, size=3, missing=2)
        matches = list(problem.solve(instance).matches)
        matches[rng.randrange(len(matches))] = rng.randint(1, 24)
        if rng.random() < 0.5:
            matches.append(rng.randint(1, 24))
        fair = len(set(matches)) == len(matches) and not set(matches) & set(instance.missing)
        is_valid = fair and naive.breaks_all(3, instance.missing, matches)
        answer = problem.Answer(status=Status.OPTIMAL, cost=len(matches), bound=len(matches), matches=tuple(matches))
        assert (problem.check(instance, answer) is None) == is_valid
        right += is_valid
    assert 0 < right < 300


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, None),
        ({"matches": (1, 2, 3)}, "the square of 1 × 1 cells from row 2, column 1 is complete"),
        ({"matches": (4, 7, 9)}, "the square of 2 × 2 cells from row 1, column 1 is complete"),
        ({"matches": (1, 1, 9)}, "no match 1, or it is taken away twice"),
        ({"matches": (1, 7, 13)}, "there is no match 13"),
        ({"matches": (1, 7)}, "the cost is 3, but there are 2 matches"),
        ({"cost": 2, "bound": 3, "matches": None}, "its bound is 3"),
        ({"status": Status.FEASIBLE, "bound": 4}, "the bound is 4, but the cost is only 3"),
        ({"status": Status.FEASIBLE, "bound": 2}, None),
        ({"status": Status.INFEASIBLE}, "taking away all matches is one"),
        ({"status": Status.STOPPED}, "its status is stopped"),
        ({"cost": None, "matches": None}, "the cost is missing"),
        ({"status": Status.STOPPED, "cost": None, "bound": 2, "matches": None}, None),
    ],
)
def test_checker_messages(changes, message):
    instance = problem.Instance(size=2)
    matches = next(m for m in itertools.combinations(range(1, 13), 3) if naive.breaks_all(2, (), m))
    fault = problem.check(
        instance, problem.Answer(**{"status": Status.OPTIMAL, "cost": 3, "bound": 3, "matches": matches, **changes})
    )
    assert (fault is None) if message is None else (message in fault)
    taken = problem.Answer(status=Status.OPTIMAL, cost=1, bound=1, matches=(2,))
    assert "match 2 is missing already" in problem.check(problem.Instance(size=1, missing=(2,)), taken)


# --- formats ------------------------------------------------------------------------------------------------------------


def test_text_and_json_there_and_back():
    instances = [problem.generate(seed, size=1 + seed % 4, missing=seed % 5) for seed in range(12)]
    texts = [problem.write_instance(instance) for instance in instances]
    assert [list(problem.read(text)) for text in texts] == [[instance] for instance in instances]
    text = f"{len(texts)}\n" + "".join(text.partition("\n")[2] for text in texts)
    assert list(problem.read(text + " what follows is not read")) == instances
    assert list(problem.read("\ufeff" + text.replace("\n", "\r\n"))) == instances
    assert list(problem.read("0")) == []
    answers = [problem.solve(instance) for instance in instances]
    written = "".join(map(problem.write, answers))
    claims = problem.read_answers("\ufeff" + written.replace("\n", "\r\n"), instances)
    assert [claim.cost for claim in claims] == [answer.cost for answer in answers]
    for value in (*instances, *answers):
        assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of boards T is expected"),
        ("-1", (1, 1), "T is -1"),
        ("1\n", (1, 2), "the size n of board 1 is expected"),
        ("1\n0 0", (2, 1), "the size n of board 1 is 0, it must be at least 1"),
        ("1\n21 0", (2, 1), "at most 20"),
        ("1\n2 13", (2, 3), "missing matches of board 1 is 13, it must be at most 12"),
        ("1\n2 2 5 13", (2, 7), "missing match 2 of 2 \\(board 1\\) is 13"),
        ("1\n2 2 5 x", (2, 7), "found 'x'"),
        ("1\n2 2 5\n5", (3, 1), "match 5 is missing twice \\(board 1\\)"),
        ("1\n2 2 5", (2, 6), "missing match 2 of 2"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [("", (1, 1), "for board 1 is expected"), ("-3", (1, 1), "it must be at least 0"), ("3 4", (1, 3), "expected the end")],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, [problem.generate(1)])
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"size": 0}, "the size is 0"),
        ({"size": 21}, "from 1 to 20"),
        ({"size": 1, "missing": [5]}, "there is no match 5; matches are 1 to 4"),
        ({"size": 1, "missing": [2, 2]}, "a match is missing twice"),
        ({"size": 1, "version": 2}, "version"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "square-breaking", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(20):
        assert problem.generate(seed) == problem.generate(seed)
        assert len(problem.generate(seed, size=3, missing=seed).missing) == seed
    assert len({problem.generate(seed) for seed in range(20)}) == 20
    for wrong in ({"size": 0}, {"size": 21}, {"size": 1, "missing": 5}, {"missing": -1}):
        with pytest.raises(ValueError, match="there is no board"):
            problem.generate(1, **wrong)


def test_pictures():
    instance = problem.Instance(size=2, missing=(3, 7))
    answer = problem.Answer(status=Status.OPTIMAL, cost=2, bound=2, matches=(1, 12))
    assert list(render.text_steps(instance, answer, False)) == [
        "+--+--+\n   |  |\n+--+  +\n|  |  |\n+--+--+\n",
        "+xx+--+\n   |  |\n+--+  +\n|  |  |\n+--+xx+\n",
    ]
    assert (
        re.sub("\x1b\\[[0-9;]*m", "", list(render.text_steps(instance, answer, True))[1])
        == list(render.text_steps(instance, answer, False))[1]
    )
    for solved, taken in ((None, 0), (answer, 2)):
        classes = [element.get("class") for element in ET.fromstring(render.svg(instance, solved)).iter()]
        assert (classes.count("match"), classes.count("taken")) == (10 - taken, taken)
    assert ": 2 matches" in render.svg(instance, answer)
    stopped = problem.Answer(status=Status.FEASIBLE, cost=2, bound=1, matches=(1, 12))
    assert "2 matches or fewer, at least 1" in render.svg(instance, stopped)
