"""Cloud drift: what two slow programs say, schedules that obey, a checker that misses nothing, formats, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_cloud as naive
from bestfirst.catalogue import cloud_drift as problem
from bestfirst.formats.tokens import InputError
from bestfirst.render import cloud_drift as render
from bestfirst.result import Limits, Status

pytestmark = pytest.mark.slow  # compiles much

WET = "1" * 16
DRY = "0" * 16

SAMPLE_DAYS = (
    (DRY,),
    (DRY,) * 7,
    (DRY, "0010000100000000", "0000000001000001", DRY, DRY, DRY, DRY),
)
SAMPLE = "".join(f"{len(days)}\n" + "".join(" ".join(day) + "\n" for day in days) for days in SAMPLE_DAYS) + "0\n"


@st.composite
def instances(draw, days=12, feasts=20):
    seed, percent = draw(st.integers(0, 10**6)), draw(st.integers(0, feasts))
    solvable = draw(st.sampled_from([None, True]))
    return problem.generate(seed, days=draw(st.integers(1, days)), feasts=percent * (3 if solvable else 1), solvable=solvable)


def is_right(instance, answer, possible):
    """Whether an answer says so, with a schedule that obeys."""
    assert problem.check(instance, answer) is None
    if not possible:
        return answer == problem.Answer(status=Status.INFEASIBLE, places=None)
    return answer.status is Status.OPTIMAL and naive.is_schedule(instance.days, answer.places)


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    cases = list(problem.read(SAMPLE))
    assert tuple(case.days for case in cases) == SAMPLE_DAYS
    for case in cases:
        answer = problem.solve(case)
        assert problem.write(answer) == "1\n"
        assert is_right(case, answer, True)


@settings(max_examples=25)
@given(instances())
def test_answers_are_those_of_all_cells_day_by_day(instance):
    answer = problem.solve(instance)
    assert is_right(instance, answer, naive.is_possible(instance.days))


def test_answers_are_those_of_all_schedules():
    met = set()
    for seed in range(25):
        instance = problem.generate(seed, days=1 + seed % 9, feasts=seed % 5 * 6)
        possible = naive.by_trying(instance.days)
        assert is_right(instance, problem.solve(instance), possible)
        met.add(possible)
    assert met == {True, False}


def test_interpreted_and_compiled_are_the_same():
    instance = problem.generate(2, days=12, feasts=40, solvable=True)
    assert problem.search(instance, compiled=False).value == problem.search(instance).value


@pytest.mark.parametrize("days", [7, 8, 100, 101, 1000])
def test_long_calendars_made_round_a_schedule(days):
    for feasts in (0, 30, 60, 100):
        instance = problem.generate(days, days=days, feasts=feasts, solvable=True)
        assert is_right(instance, problem.solve(instance), True)


@pytest.mark.parametrize(
    ("days", "possible"),
    [
        ((WET,), False),
        ((DRY, WET), False),
        (("0000011001100000",), False),  # a feast in the middle on the first day
        (("1001000000001001",) * 6, True),  # no corner for six days
        (("1001000000001001",) * 7, False),
        (("1000000000000000",) * 6 + (DRY,), True),  # one corner waits until the seventh day
        (("1000000000000000",) * 7, False),
        (("1000000000000001",) * 6 + (DRY,), False),  # two corners cannot
    ],
)
def test_small_cases(days, possible):
    instance = problem.Instance(days=days)
    assert naive.is_possible(days) == possible
    assert is_right(instance, problem.solve(instance), possible)


def test_a_stopped_search_knows_nothing_and_is_resumed(tmp_path):
    instance = problem.generate(3, days=500, feasts=30, solvable=True)
    whole = problem.search(instance)
    for nodes in (0, 1, 250, 499):
        kept = tmp_path / f"{nodes}.npz"
        solution = problem.search(instance, limits=Limits(nodes=nodes), checkpoint=kept)
        answer = problem.answer(instance, solution)
        assert (answer.status, answer.places, solution.stopped_by) == (Status.STOPPED, None, "nodes")
        assert solution.stats.generated == nodes
        with pytest.raises(ValueError, match="the search was stopped"):
            problem.write(answer)
        assert problem.search(instance, resume=kept).value == whole.value
    assert problem.search(instance, limits=Limits(memory=1000)).stopped_by == "memory"


# --- checker ------------------------------------------------------------------------------------------------------------


def test_checker_finds_every_fault():
    rng = random.Random(1)
    verdicts = set()
    for seed in range(60):
        instance = problem.generate(seed, days=rng.randint(1, 20), feasts=rng.choice((0, 0, 10, 30)), solvable=True)
        best = problem.solve(instance)
        for _ in range(20):
            places = list(best.places)
            for _ in range(rng.randint(1, 2)):
                change = rng.randrange(8)
                if change == 0:
                    places = places[:-1] if rng.random() < 0.5 else [*places, "4"]
                else:
                    places[rng.randrange(len(places))] = rng.choice("0123456789")
                places = places or ["4"]
            claimed = "".join(places)
            answer = problem.Answer(status=Status.OPTIMAL, places=claimed)
            right = naive.is_schedule(instance.days, claimed)
            assert (problem.check(instance, answer) is None) == right
            verdicts.add((right, claimed == best.places))
    assert verdicts >= {(False, False), (True, False)}


@pytest.mark.parametrize(
    ("status", "places", "message"),
    [
        ("optimal", "4102860", None),
        ("optimal", None, None),
        ("infeasible", None, None),
        ("stopped", None, None),
        ("feasible", "4102860", "the status is feasible"),
        ("infeasible", "4102860", "the answer has a schedule, but its status is infeasible"),
        ("optimal", "410286", "the schedule has 6 days, the calendar 7"),
        ("optimal", "4x02860", "day 2: 'x' is no place"),
        ("optimal", "3102860", "day 1: the cloud is not over the middle"),
        ("optimal", "4002860", "day 2: the cloud moves from 4 to 0, in no one direction"),
        ("optimal", "4112860", "day 2: it rains on the feast in row 1, column 2"),
        ("optimal", "4347860", "day 7: the cell in row 1, column 3 is without rain for 7 days"),
    ],
)
def test_checker_messages(status, places, message):
    days = (DRY, "0100000000000000" if places == "4112860" else DRY, *(DRY,) * 5)
    fault = problem.check(problem.Instance(days=days), problem.Answer(status=Status(status), places=places))
    assert fault is None if message is None else message in fault


# --- formats ------------------------------------------------------------------------------------------------------------


@given(instances(), instances())
def test_text_and_json_there_and_back(one, other):
    text = problem.write_instance(one) + problem.write_instance(other)
    for shown in (text, text + "0\n", text + "0\nwhatever"):
        assert list(problem.read(shown)) == [one, other]
    assert list(problem.read("\ufeff" + text.replace("\n", "\r\n"))) == [one, other]
    assert list(problem.read("\n".join(text.split()))) == [one, other]
    answers = [problem.solve(one), problem.solve(other)]
    read = problem.read_answers("".join(map(problem.write, answers)), [one, other])
    assert read == [msgspec.structs.replace(answer, places=None) for answer in answers]
    for answer in answers:
        assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer
    assert msgspec.json.decode(msgspec.json.encode(one), type=problem.Instance) == one


def test_no_cases_are_no_cases():
    assert list(problem.read("")) == list(problem.read("0\n")) == []


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("-1", (1, 1), "at least 0"),
        ("x", (1, 1), "the number of days n"),
        ("1\n0 0 0", (2, 6), "mark 4 of 16 of the calendar is expected"),
        ("1\n0 0 2 0 0 0 0 0 0 0 0 0 0 0 0 0\n0", (2, 5), "mark 3 of 16 has '2'; cells are 0 and 1"),
        ("1\n0 00 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n0", (2, 3), "mark 2 of 16 has 2 cells"),
        ("1\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nend", (3, 1), "'end'"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("1 1", (1, 4), "the answer for case 3"),
        ("1 1 1 1", (1, 7), "every case has its answer"),
        ("1 2 1", (1, 3), "at most 1"),
        ("yes", (1, 1), "'yes'"),
    ],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, list(problem.read(SAMPLE)))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"days": ()}, "the calendar is empty"),
        ({"days": ("0" * 15,)}, "a day has 15 marks, there must be 16"),
        ({"days": (DRY, "0" * 17)}, "row 2 has 17 cells"),
        ({"days": ("000000000000000x",)}, "row 1, column 16 is 'x'"),
        ({"days": (DRY,), "town": 4}, "town"),
        ({"version": 2, "days": (DRY,)}, "version"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "cloud-drift", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(30):
        options = {"days": 9, "feasts": 20, "solvable": [True, False, None][seed % 3]}
        instance = problem.generate(seed, **options)
        assert instance == problem.generate(seed, **options)
        assert len(instance.days) == 9
        if seed % 3 < 2:
            assert naive.is_possible(instance.days) == (seed % 3 == 0)
    assert len({problem.generate(seed) for seed in range(30)}) == 30
    for days in range(1, 40):
        full = problem.generate(days, days=days, feasts=100, solvable=True)
        assert {day.count("0") for day in full.days} == {4}
        assert problem.solve(full).status is Status.OPTIMAL
    for bad in ({"days": 0}, {"feasts": -1}, {"feasts": 101}):
        with pytest.raises(ValueError, match="no calendar"):
            problem.generate(1, **bad)
    with pytest.raises(ValueError, match="each of 300 calendars has a schedule"):
        problem.generate(1, days=3, feasts=0, solvable=False)


def test_pictures_show_every_day():
    for seed in range(6):
        instance = problem.generate(seed, days=9, feasts=20, solvable=seed % 2 == 0)
        answer = problem.solve(instance)
        lines = render.text(instance, False).split("\n\n")
        assert [day.split("\n", 1)[1].replace("\n", "") for day in lines] == [
            day.replace("0", ".").replace("1", "*") for day in instance.days
        ]
        for color in (False, True):
            shown = list(render.text_steps(instance, answer, color))
            assert len(shown) == 9 + (answer.places is None)
            assert {day.count("#") for day in shown[:9]} == {0 if answer.places is None else 4}
            assert ("\x1b" in "".join(shown)) == (color and answer.places is not None)
        for picture, clouds in ((render.svg(instance), 0), (render.svg(instance, answer), 9 * (answer.places is not None))):
            kinds = [element.get("class") for element in ET.fromstring(picture).iter()]
            assert kinds.count("cloud") == clouds
            assert kinds.count("cell feast") == "".join(instance.days).count("1")
            assert kinds.count("cell") == "".join(instance.days).count("0")


def test_pictures_of_a_long_calendar_and_of_a_stopped_search():
    long = problem.generate(1, days=300, feasts=20, solvable=True)
    assert "the first 200" in render.svg(long, problem.solve(long))
    stopped = problem.Answer(status=Status.STOPPED, places=None)
    assert "not known" in render.svg(problem.generate(1), stopped)
    assert list(render.text_steps(problem.generate(1), stopped, False))[-1] == "not known\n"
