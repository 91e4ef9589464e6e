"""The problem bus schedules: the judged inputs, answers as slow twins and CP-SAT find them, a checker, formats, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_buses as naive
from bestfirst.catalogue import bus_schedules as problem
from bestfirst.catalogue import bus_schedules_search as engine
from bestfirst.cli import main
from bestfirst.formats.tokens import InputError
from bestfirst.render import bus_schedules as render
from bestfirst.result import Limits, Status

SAMPLE = "17\n0 3 5 13 13 15 21 26 27 29 37 39 39 45 51 52 53\n"

#: The seven judged inputs of the olympiad, with the fewest lines.
JUDGED = (
    (
        3,
        "0 3 5 13 13 15 21 26 27 29 37 39 39 45 51 52 53",
    ),
    (
        3,
        "2 3 13 19 19 24 35 35 40 46 51 57",
    ),
    (
        4,
        "0 1 3 5 5 6 7 9 12 13 13 13 15 18 19 21 21 21 24 25 27 29 29 30 31 33 36 37 37 37 39 42 43 45 45 45 "
        "48 49 51 53 53 54 55 57",
    ),
    (
        5,
        "0 1 2 3 5 6 9 10 12 12 13 14 15 17 18 21 22 24 25 26 27 28 29 30 33 34 36 37 38 39 41 42 44 45 46 48 "
        "49 50 51 53 54 57 58",
    ),
    (
        7,
        "0 2 3 5 6 6 8 10 14 19 20 22 24 26 26 29 32 32 38 38 39 42 44 45 50 52 56 56 57 58 58",
    ),
    (
        11,
        "0 1 2 5 6 9 11 11 15 15 16 17 18 19 21 21 26 26 28 31 33 33 35 36 36 36 36 39 41 43 46 47 51 53 53 54 55 56 57 57",
    ),
    (
        17,
        "0 0 1 1 2 2 2 3 3 5 6 6 7 10 11 12 13 13 13 14 17 17 19 20 20 21 22 22 23 25 25 26 26 26 27 27 "
        "27 29 30 32 33 34 37 37 38 39 41 41 41 42 43 44 46 46 46 47 47 48 48 49 50 52 52 52 55 55 57 57 59 59",
    ),
)


lines = st.tuples(st.integers(0, 29), st.integers(1, 59)).filter(lambda line: line[0] < line[1] < 60 - line[0])


def arrivals(*minutes):
    return problem.Instance(arrivals=minutes)


def of_lines(chosen):
    return arrivals(*(minute for first, interval in chosen for minute in range(first, 60, interval)))


def claimed(cost, taken=None, status=Status.OPTIMAL, bound=None):
    return problem.Answer(status=status, cost=cost, bound=cost if bound is None else bound, lines=taken)


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == "3\n"
    assert problem.check(instance, answer) is None
    assert problem.read_answers("3\n", [instance]) == [claimed(3)]


@pytest.mark.parametrize(("fewest", "minutes"), JUDGED)
def test_judged_inputs(fewest, minutes):
    instance = arrivals(*map(int, minutes.split()))
    answer = problem.solve(instance)
    assert (answer.status, answer.cost) == (Status.OPTIMAL, fewest)
    assert problem.check(instance, answer) is None


@given(st.lists(lines, min_size=1, max_size=4))
def test_as_the_twin_finds_it(chosen):
    instance = of_lines([line for line in chosen if 60 // line[1] < 12] or [(3, 20)])
    answer = problem.solve(instance)
    assert answer.cost == naive.fewest_lines(instance.arrivals)
    assert problem.check(instance, answer) is None


@pytest.mark.compiled_only
def test_possible_or_not_as_the_twin_says():
    """Few minutes, often without lines that make them up."""
    impossible = 0
    for seed in range(1500):
        rng = random.Random(seed)
        chosen = [(0, 20), (10, 15), (5, 25), (7, 30), (20, 21), (0, 30), (15, 16)]
        minutes = sorted({minute for a, d in rng.choices(chosen, k=3) for minute in range(a, 60, d)})
        instance = arrivals(*rng.choices(minutes, k=rng.randint(2, 9)), *minutes[: rng.randint(0, 3)])
        answer, fewest = problem.solve(instance), naive.fewest_lines(instance.arrivals)
        assert answer.status is (Status.INFEASIBLE if fewest is None else Status.OPTIMAL)
        assert answer.cost == fewest
        assert problem.check(instance, answer) is None
        impossible += fewest is None
    assert 100 < impossible < 1490


@pytest.mark.compiled_only
def test_as_cp_sat_finds_it():
    for seed in range(12):
        instance = problem.generate(seed, lines=10, most=60)
        answer = problem.solve(instance)
        assert answer.cost == naive.fewest_lines_by_cp_sat(instance.arrivals)
        assert problem.check(instance, answer) is None
    assert naive.fewest_lines_by_cp_sat((1, 2, 40)) is None


@pytest.mark.compiled_only
def test_every_pruning_saves_work_and_changes_no_answer():
    few = [problem.generate(seed, lines=4, most=20) for seed in range(30)]
    many = [problem.generate(seed, lines=13, most=44) for seed in range(4)]
    for name, instances in (("covered", few), ("lengths", few), ("order", many), ("memory", many)):
        usual = less = 0
        for instance in [*few, *(many if instances is many else [])]:
            best, solution = problem.search(instance), problem.search(instance, without={name})
            assert (solution.status, solution.cost) == (Status.OPTIMAL, best.cost), name
            assert problem.check(instance, problem.answer(instance, solution)) is None
            usual += best.stats.generated
            less += solution.stats.generated
        assert less > 1.2 * usual, name
    small = of_lines([(3, 17), (0, 20), (9, 22)])
    assert problem.search(small, without=problem.PRUNINGS).cost == 3
    for name in problem.PRUNINGS:
        assert problem.solve(arrivals(0, 20, 40, 40, 40), without={name}).status is Status.INFEASIBLE
    with pytest.raises(ValueError, match="there is no pruning depth"):
        problem.search(small, without={"depth"})


def test_no_lines_at_all():
    for minutes in ((5,), (31, 45), (0, 1, 2), (0, 0), (0, 20, 40, 40), (59,) * 50):
        answer = problem.solve(arrivals(*minutes))
        assert (answer.status, answer.cost, answer.bound) == (Status.INFEASIBLE, None, None)
        assert problem.check(arrivals(*minutes), answer) is None
        with pytest.raises(ValueError, match="no lines make up these arrivals"):
            problem.write(answer)


def test_the_program_says_that_no_lines_do(tmp_path, capsys):
    path = tmp_path / "arrivals.txt"
    path.write_text(SAMPLE + "2\n31 45\n" + SAMPLE)
    assert main(["solve", "bus-schedules", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == "3\n"
    assert "case 2: no lines make up these arrivals" in said.err


@pytest.mark.compiled_only
def test_many_equal_lines():
    assert problem.solve(of_lines([(0, 1)] * 150)).cost == 150
    assert problem.solve(of_lines([(2, 7)] * 40 + [(0, 1)])).cost == 41
    assert problem.solve(of_lines([(0, 30)] * 5000)).cost == 5000


# --- stopping, resuming, interpreting -----------------------------------------------------------------------------------


@pytest.mark.compiled_only
def test_stopped_resumed_and_paused_anywhere(tmp_path):
    instance = arrivals(*map(int, JUDGED[-1][1].split()))
    whole = problem.search(instance)
    kept = tmp_path / "kept.npz"
    stopped = problem.solve(instance, limits=Limits(nodes=100), checkpoint=kept)
    assert (stopped.status, stopped.cost) == (Status.STOPPED, None)
    assert 10 < stopped.bound <= whole.cost
    assert problem.check(instance, stopped) is None
    with pytest.raises(ValueError, match=f"at least {stopped.bound} lines"):
        problem.write(stopped)
    resumed = problem.search(instance, resume=kept)
    assert (resumed.cost, resumed.moves, resumed.stats.generated) == (whole.cost, whole.moves, whole.stats.generated)
    paused = engine.LineSearch(instance.arrivals, {})
    rng = random.Random(1)
    while paused.advance(paused.progress().generated + rng.randint(1, 9)) == 0:
        assert paused.progress().bound <= whole.cost
    assert paused.best() == (whole.cost, whole.moves)
    assert paused.stats().generated == whole.stats.generated


def test_interpreted_as_compiled():
    for instance in (of_lines([(3, 17), (0, 20), (9, 22), (3, 30)]), arrivals(0, 20, 40, 50), *problem.read(SAMPLE)):
        one, other = problem.search(instance), problem.search(instance, compiled=False)
        assert (one.cost, one.moves, one.stats.generated) == (other.cost, other.moves, other.stats.generated)


# --- checker ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (claimed(2, status=Status.FEASIBLE), "the status is feasible"),
        (claimed(2, status=Status.STOPPED), "there are lines, but the status is stopped"),
        (claimed(2, bound=1), "it has 2 lines and its bound is 1"),
        (claimed(0), "it has 0 lines"),
        (claimed(2, ((0, 20),)), "claims 2 lines, but there are 1"),
        (claimed(2, ((0, 20), (10, 10))), "line 2: the first arrival is 10, the interval 10"),
        (claimed(2, ((0, 20), (-1, 10))), "line 2: the first arrival is -1"),
        (claimed(2, ((0, 20), (20, 40))), "line 2 comes only once: in minute 20, and not before minute 60"),
        (claimed(2, ((0, 20), (10, 11))), "in minute 21 0 buses were observed, but 1 come"),
        (claimed(1, ((0, 20),)), "in minute 10 1 buses were observed, but 0 come"),
    ],
)
def test_checker_messages(answer, message):
    assert message in problem.check(arrivals(0, 10, 20, 35, 40), answer)


@pytest.mark.compiled_only
def test_changed_answers_are_caught():
    rng = random.Random(1)
    for seed in range(60):
        instance = problem.generate(seed, lines=4, most=30)
        answer = problem.solve(instance)
        changed = list(answer.lines)
        at = rng.randrange(len(changed))
        changed[at] = (changed[at][0] + rng.choice((0, 0, 1)), changed[at][1] + rng.choice((-1, 1)))
        assert problem.check(instance, claimed(answer.cost, tuple(changed))) is not None


# --- formats ------------------------------------------------------------------------------------------------------------


def test_text_and_json_there_and_back():
    several = [problem.generate(seed, lines=2 + seed % 3) for seed in range(9)]
    text = "".join(map(problem.write_instance, several))
    for same in (text, "\ufeff" + text.replace("\n", "\r\n"), " ".join(text.split())):
        assert list(problem.read(same)) == several
    answers = [problem.solve(instance) for instance in several]
    read = problem.read_answers("".join(map(problem.write, answers)), several)
    assert [answer.cost for answer in read] == [answer.cost for answer in answers]
    for instance, answer in zip(several, answers, strict=True):
        assert msgspec.json.decode(msgspec.json.encode(instance), type=problem.Instance) == instance
        assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of arrivals is expected"),
        ("0", (1, 1), "at least 1"),
        ("10001", (1, 1), "at most 10000"),
        ("3\n1 2", (2, 4), r"the minute \(arrival 3 of 3\) is expected"),
        ("2\n1 60", (2, 3), "at most 59"),
        ("2\n1 x", (2, 3), "found 'x'"),
        ("2\n1 30\n-1", (3, 1), "at least 1"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "message"), [("", "case 1 is expected"), ("3 3", "every case has its answer"), ("0", "at least 1")]
)
def test_bad_answers_are_named(text, message):
    with pytest.raises(InputError, match=message):
        problem.read_answers(text, list(problem.read(SAMPLE)))


@pytest.mark.parametrize(
    ("values", "message"),
    [({"arrivals": []}, "0 arrivals"), ({"arrivals": [1, 60]}, "arrival 2"), ({"arrivals": [1], "more": 1}, "more")],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "bus-schedules", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    assert problem.generate(5) == problem.generate(5) != problem.generate(6)
    for seed in range(10):
        instance = problem.generate(seed, lines=4, longest=20, most=40)
        assert len(instance.arrivals) <= 40
        assert problem.solve(instance).cost <= 4
        impossible = problem.generate(seed, lines=4, longest=20, most=40, possible=False)
        assert len(impossible.arrivals) <= 41
        assert problem.solve(impossible).status is Status.INFEASIBLE
    for bad in ({"lines": 0}, {"longest": 60}, {"most": 1}, {"lines": 100, "longest": 1, "possible": False}):
        with pytest.raises(ValueError, match=r"it must be|there must be|of 1000 times"):
            problem.generate(1, **bad)


def test_pictures():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    ruler, row = render.text(instance, False).splitlines()
    assert (ruler[10:12], row[:6], row[13], row[39]) == ("10", "1..1.1", "2", "2")
    (rows,) = render.text_steps(instance, answer, False)
    shown = [{at for at, letter in enumerate(row[:60]) if letter == "o"} for row in rows.splitlines()[3:]]
    assert shown == [set(range(first, 60, interval)) for first, interval in answer.lines]
    assert "\x1b[3" in next(render.text_steps(instance, answer, True))
    classes = [e.get("class") for e in ET.fromstring(render.svg(instance, answer)).iter()]
    assert [classes.count(name) for name in ("minute", "bus", "line")] == [15, 17, 3]
    impossible = arrivals(31, 45)
    assert "no lines make them up" in render.svg(impossible, problem.solve(impossible))
    stopped = claimed(None, status=Status.STOPPED, bound=2)
    assert "at least 2 lines" in next(render.text_steps(impossible, stopped, False))
