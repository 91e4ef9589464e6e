"""The problem missile defence: as slow twins and CP-SAT answer it, a checker that misses nothing, formats, pictures."""

import itertools
import random
import xml.etree.ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_monotone as naive
from bestfirst.catalogue import missile_defence as problem
from bestfirst.catalogue import missile_defence_search as engine
from bestfirst.formats.tokens import InputError
from bestfirst.render import missile_defence as render
from bestfirst.result import Limits, Status

SAMPLE = "5\n3 5 2 4 1\n0\n"


def sequence(*heights):
    return problem.Instance(heights=heights)


def claimed(cost, parts=None, status=Status.OPTIMAL, bound=None):
    return problem.Answer(status=status, cost=cost, bound=cost if bound is None else bound, parts=parts)


def hard(seed, length=40, values=12):
    return problem.generate(seed, length=length, values=values)


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == "2\n"
    assert problem.check(instance, answer) is None
    assert problem.read_answers("2\n", [instance]) == [claimed(2)]


@pytest.mark.compiled_only
def test_all_short_sequences_are_answered_as_by_the_twin():
    for heights in (*itertools.permutations(range(6)), *itertools.product(range(3), repeat=6)):
        instance = sequence(*heights)
        answer = problem.solve(instance)
        assert answer.status is Status.OPTIMAL
        assert answer.cost == naive.fewest_parts(heights)
        assert problem.check(instance, answer) is None


@given(st.lists(st.integers(0, 9), min_size=1, max_size=11))
def test_as_both_twins_find_it(heights):
    instance = sequence(*heights)
    answer = problem.solve(instance)
    assert answer.cost == naive.fewest_parts_by_subsets(heights)
    assert problem.check(instance, answer) is None
    if len(heights) <= 7:
        assert answer.cost == naive.fewest_parts(heights)


@pytest.mark.compiled_only
@pytest.mark.parametrize(("length", "values"), [(18, None), (18, 4), (20, 7), (22, None), (22, 30)])
def test_as_cp_sat_finds_it(length, values):
    for seed in range(3):
        instance = problem.generate(seed, length=length, values=values)
        answer = problem.solve(instance)
        assert answer.cost == naive.fewest_parts_by_cp_sat(instance.heights, answer.cost)


@pytest.mark.compiled_only
def test_every_pruning_saves_work_and_changes_no_answer():
    generated = dict.fromkeys(problem.PRUNINGS, 0)
    usual = 0
    for seed in range(30):
        instance = problem.generate(seed, length=30, values=random.Random(seed).choice([None, 5, 9]))
        best = problem.search(instance)
        usual += best.stats.generated
        for name in problem.PRUNINGS:
            solution = problem.search(instance, without={name})
            assert (solution.status, solution.cost) == (Status.OPTIMAL, best.cost), name
            assert problem.check(instance, problem.answer(instance, solution)) is None
            generated[name] += solution.stats.generated
    assert all(count > usual for count in generated.values()), (generated, usual)
    plain = problem.search(problem.generate(1, length=16), without=problem.PRUNINGS)
    assert plain.cost == problem.solve(problem.generate(1, length=16)).cost
    with pytest.raises(ValueError, match="there is no pruning depth"):
        problem.search(instance, without={"depth"})


def test_sequences_of_known_answer():
    assert problem.solve(sequence(7)).cost == 1
    assert problem.solve(sequence(*range(300))).cost == 1
    assert problem.solve(sequence(*range(300, 0, -1))).cost == 1
    assert problem.solve(sequence(*[5] * 40)).cost == 40
    assert problem.solve(sequence(*[1, 2, 3] * 10)).cost == 10
    assert problem.solve(sequence(-(1 << 62), 1 << 62, 0, -1, 1)).cost == 2


@pytest.mark.compiled_only
def test_shortest_sequences_that_need_so_many():
    for needed in range(1, 14):
        for seed in range(3):
            assert problem.solve(problem.generate(seed, needed=needed)).cost == needed


@pytest.mark.compiled_only
def test_lanes_of_eight_and_of_sixteen_bits_agree():
    """The same order of more heights: a high missile before all others needs wider lanes, and never another part."""
    for seed in range(6):
        heights = problem.generate(seed, length=45).heights
        padding = range(400, 200, -1)  # a decreasing part that any best answer can begin with, or that is a part of its own
        answer = problem.solve(sequence(*heights))
        wide = problem.search(sequence(*heights, *(1000 + i for i in range(100)), *(3000 - i for i in range(100))))
        assert answer.cost <= wide.cost <= answer.cost + 2
        assert problem.solve(sequence(*padding, *heights)).cost in (answer.cost, answer.cost + 1)


# --- stopping, resuming, interpreting -----------------------------------------------------------------------------------


@pytest.mark.compiled_only
def test_stopped_resumed_and_paused_anywhere(tmp_path):
    instance = hard(3)
    whole = problem.search(instance)
    kept = tmp_path / "kept.npz"
    stopped = problem.solve(instance, limits=Limits(nodes=200), checkpoint=kept)
    assert stopped.status is Status.FEASIBLE
    assert stopped.bound <= whole.cost <= stopped.cost
    assert problem.check(instance, stopped) is None
    with pytest.raises(ValueError, match="subsequences are needed"):
        problem.write(stopped)
    resumed = problem.search(instance, resume=kept)
    assert (resumed.cost, resumed.moves, resumed.stats.generated) == (whole.cost, whole.moves, whole.stats.generated)
    paused = engine.MonotoneSearch(instance.heights, {})
    rng = random.Random(1)
    while paused.advance(paused.progress().generated + rng.randint(1, 60)) == 0:
        assert paused.progress().bound <= whole.cost <= paused.progress().incumbent
    assert paused.best() == (whole.cost, whole.moves)
    assert paused.stats().generated == whole.stats.generated
    tiny = problem.search(instance, limits=Limits(memory=1000))
    assert (tiny.status, tiny.stopped_by) == (Status.FEASIBLE, "memory")


def test_interpreted_as_compiled():
    for seed in range(4):
        instance = problem.generate(seed, length=16, values=[None, 4][seed % 2])
        one, other = problem.search(instance), problem.search(instance, compiled=False)
        assert (one.cost, one.moves, one.stats.generated) == (other.cost, other.moves, other.stats.generated)


def test_a_long_sequence_has_bounds():
    instance = problem.generate(1, length=600)
    answer = problem.solve(instance, limits=Limits(nodes=0))
    assert 15 <= answer.bound <= answer.cost <= 34  # k(k + 1)/2 ≤ 600 for what can be needed
    assert problem.check(instance, answer) is None


# --- checker ------------------------------------------------------------------------------------------------------------


def part(increasing, *missiles):
    return problem.Part(increasing=increasing, missiles=missiles)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (claimed(2, status=Status.INFEASIBLE), "every sequence can be split"),
        (claimed(0), "claims 0"),
        (claimed(6), "claims 6 subsequences, there can be 1 to 5"),
        (claimed(3, bound=2), "its bound is 2"),
        (claimed(2, bound=3, status=Status.FEASIBLE), "the bound is 3"),
        (claimed(1), "2 missiles are equally high"),
        (claimed(2, (part(True, 1, 2),)), "there are 1"),
        (claimed(2, (part(True, 1, 2), part(True))), "subsequence 2 is empty"),
        (claimed(2, (part(True, 1, 2), part(False, 3, 6))), "there is no missile 6"),
        (claimed(2, (part(True, 1, 2), part(False, 2, 3))), "missile 2 is in subsequences 1 and 2"),
        (claimed(2, (part(True, 2, 1), part(False, 3))), "missile 1 comes before missile 2"),
        (claimed(2, (part(False, 1, 2), part(False, 3))), "missile 2, of height 5, is not below missile 1, of height 3"),
        (claimed(2, (part(True, 1, 4), part(False, 2, 3))), "missile 4, of height 3, is not above missile 1, of height 3"),
        (claimed(2, (part(True, 1, 2), part(False, 3))), "missile 4 is in no subsequence"),
    ],
)
def test_checker_messages(answer, message):
    assert message in problem.check(sequence(3, 5, 2, 3, 1), answer)


@pytest.mark.compiled_only
def test_changed_answers_are_caught():
    rng = random.Random(1)
    for seed in range(60):
        instance = hard(seed, 15, 9)
        answer = problem.solve(instance)
        parts = [list(one.missiles) for one in answer.parts]
        source, target = rng.choice(parts), rng.choice(parts)
        target.append(source.pop(rng.randrange(len(source))))
        target.sort()
        changed = tuple(part(old.increasing, *new) for old, new in zip(answer.parts, parts, strict=True))
        fault = problem.check(instance, claimed(answer.cost, changed))
        is_right = all(
            missiles
            and all(
                (instance.heights[a - 1] < instance.heights[b - 1]) == old.increasing
                and instance.heights[a - 1] != instance.heights[b - 1]
                for a, b in itertools.pairwise(missiles)
            )
            for old, missiles in zip(answer.parts, parts, strict=True)
        )
        assert (fault is None) == is_right


# --- formats ------------------------------------------------------------------------------------------------------------


def test_text_and_json_there_and_back():
    several = [problem.generate(seed, length=1 + seed, values=[None, 5][seed % 2]) for seed in range(12)]
    text = "".join(map(problem.write_instance, several)) + "0\n"
    for same in (text, "\ufeff" + text.replace("\n", "\r\n"), " ".join(text.split()), text + "not read"):
        assert list(problem.read(same)) == several
    assert list(problem.read("")) == []
    answers = [problem.solve(instance) for instance in several]
    read = problem.read_answers("".join(map(problem.write, answers)), several)
    assert [answer.cost for answer in read] == [answer.cost for answer in answers]
    for instance, answer in zip(several, answers, strict=True):
        assert msgspec.json.decode(msgspec.json.encode(instance), type=problem.Instance) == instance
        assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("x", (1, 1), "the number of missiles of case 1, a whole number, found 'x'"),
        ("-1", (1, 1), "at least 0"),
        ("10001", (1, 1), "at most 10000"),
        ("3\n1 2", (2, 4), r"the height \(missile 3 of 3\) is expected"),
        ("2\n1 2.5", (2, 3), "found '2.5'"),
        ("1 5\n2\n1 9999999999999999999", (3, 3), "at most 4611686018427387904"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "message"), [("", "case 1 is expected"), ("2 2", "every case has its answer"), ("0", "at least 1")]
)
def test_bad_answers_are_named(text, message):
    with pytest.raises(InputError, match=message):
        problem.read_answers(text, list(problem.read(SAMPLE)))


@pytest.mark.parametrize(
    ("values", "message"),
    [({"heights": []}, "0 missiles"), ({"heights": [1, 1 << 63]}, "missile 2"), ({"heights": [1], "more": 1}, "more")],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "missile-defence", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    assert problem.generate(5) == problem.generate(5) != problem.generate(6)
    assert sorted(problem.generate(1, length=30).heights) == list(range(1, 31))
    assert set(problem.generate(1, length=90, values=3).heights) == {1, 2, 3}
    assert sorted(problem.generate(2, needed=5).heights) == list(range(1, 16))
    for bad in ({"length": 0}, {"values": 0}, {"needed": 0}, {"length": 10_001}):
        with pytest.raises(ValueError, match="it must be from 1 to"):
            problem.generate(1, **bad)


def test_pictures():
    instance = problem.generate(2, length=23)
    answer = problem.solve(instance)
    assert list(map(int, render.text(instance, False).split())) == list(instance.heights)
    (lines,) = render.text_steps(instance, answer, False)
    shown = [list(map(int, line.split()[1:])) for line in lines.splitlines()[1:]]
    assert shown == [[instance.heights[missile - 1] for missile in one.missiles] for one in answer.parts]
    assert "\x1b[3" in next(render.text_steps(instance, answer, True))
    classes = [e.get("class") for e in ET.fromstring(render.svg(instance, answer)).iter()]
    assert (classes.count("missile"), classes.count("part")) == (23, answer.cost)
    long = problem.generate(1, length=500)
    stopped = problem.solve(long, limits=Limits(nodes=0))
    assert "the first 400 of 500" in render.svg(long)
    assert f"at least {stopped.bound} are needed" in render.svg(long, stopped)
    assert f"{stopped.cost} subsequences, at least {stopped.bound}" in next(render.text_steps(long, stopped, False))
