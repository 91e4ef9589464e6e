"""Subset sum in the catalogue: the heaviest set as a slow twin and CP-SAT find it, mutated answers, formats, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_packing
from bestfirst import Limits, Status
from bestfirst.catalogue import subset_sum as problem
from bestfirst.formats.tokens import InputError
from bestfirst.render import subset_sum as render

SAMPLE = "20 5\n7\n5\n4\n18\n1\n"

instances = st.builds(
    problem.Instance,
    limit=st.integers(0, 100),
    weights=st.lists(st.integers(0, 40), max_size=9).map(tuple),
)


def random_instance(rng):
    unit = rng.choice((1, 7, 10**9))
    weights = tuple(unit * rng.randint(0, 60) + rng.randint(0, 2) for _ in range(rng.randrange(11)))
    return problem.Instance(limit=rng.randint(0, sum(weights) + 5), weights=weights)


def by_cp_sat(instance):
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    taken = [model.new_bool_var("") for _ in instance.weights]
    weight = sum(weight * one for weight, one in zip(instance.weights, taken, strict=True))
    model.add(weight <= instance.limit)
    model.maximize(weight)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value)


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == "19\n"
    assert answer.items == (4, 5)
    assert problem.check(instance, answer) is None


def test_heaviest_set_as_the_twin_finds():
    rng = random.Random(1)
    for _ in range(1500):
        instance = random_instance(rng)
        answer = problem.solve(instance)
        assert (answer.status, answer.cost) == (Status.OPTIMAL, naive_packing.heaviest_subset(instance.weights, instance.limit))
        assert answer.bound == answer.cost
        assert problem.check(instance, answer) is None


def test_heaviest_set_as_cp_sat_finds():
    for seed in range(10):
        instance = problem.generate(seed, items=14, heaviest=100_000, share=30 + 5 * seed, exact=[None, True, False][seed % 3])
        assert problem.solve(instance).cost == by_cp_sat(instance)


def test_a_set_that_weighs_exactly_the_limit_is_found_and_excluded():
    for seed in range(4):
        instance = problem.generate(seed, items=30, heaviest=2**31 - 1, exact=True)
        assert problem.solve(instance).cost == instance.limit
        instance = problem.generate(seed, items=30, heaviest=2**31 - 1, exact=False)
        answer = problem.solve(instance)
        assert answer.cost < instance.limit
        assert problem.check(instance, answer) is None


def test_the_limit_of_numbers():
    most = problem.MAX_SUM
    instance = problem.Instance(limit=most, weights=(most - 5, 3, 2))
    assert problem.solve(instance).cost == most
    assert problem.solve(problem.Instance(limit=most - 1, weights=(most - 5, 3, 2))).cost == most - 2


def test_stopped_at_a_limit_and_gone_on_from_a_file(tmp_path):
    hard = problem.generate(3, items=32, heaviest=2**50, exact=False)
    whole = problem.solve(hard)
    file = tmp_path / "search.npz"
    solution = problem.search(hard, limits=Limits(nodes=200_000), checkpoint=file)
    answer = problem.answer(hard, solution)
    assert answer.status is Status.FEASIBLE
    assert answer.cost <= whole.cost <= answer.bound <= hard.limit
    assert (solution.maximised, problem.check(hard, answer)) == (True, None)
    assert problem.solve(hard, resume=file) == whole
    stopped = problem.solve(hard, limits=Limits(nodes=0))
    assert (stopped.status, stopped.cost, problem.check(hard, stopped)) == (Status.STOPPED, None, None)


# --- checker ------------------------------------------------------------------------------------------------------------


def test_checker_finds_every_fault():
    rng = random.Random(2)
    verdicts = set()
    for _ in range(150):
        instance = random_instance(rng)
        best = problem.solve(instance)
        for _ in range(12):
            items = set(best.items)
            items ^= set(rng.sample(range(1, len(instance.weights) + 1), rng.randint(0, min(2, len(instance.weights)))))
            weight = sum(instance.weights[item - 1] for item in items)
            cost = weight + rng.choice((0, 0, 0, 1))
            status = rng.choice((Status.OPTIMAL, Status.FEASIBLE))
            bound = cost if status is Status.OPTIMAL else instance.limit
            fault = problem.check(instance, problem.Answer(status=status, cost=cost, bound=bound, items=tuple(sorted(items))))
            right = weight == cost <= instance.limit
            if status is Status.FEASIBLE or not right or cost == best.cost:
                assert (fault is None) == right
            verdicts.add((right, cost == best.cost, tuple(sorted(items)) == best.items))
    assert verdicts >= {(True, True, True), (True, True, False), (True, False, False), (False, False, False)}


@pytest.mark.parametrize(
    ("status", "cost", "bound", "items", "message"),
    [
        ("optimal", 19, 19, (4, 5), None),
        ("feasible", 18, 20, (4,), None),
        ("stopped", None, 20, None, None),
        ("infeasible", None, None, None, "to take nothing is allowed"),
        ("stopped", 18, 20, (4,), "its status is stopped"),
        ("optimal", None, None, None, "the weight is missing"),
        ("optimal", 18, 20, (4,), "its bound is 20"),
        ("feasible", 18, 17, (4,), "the bound is 17"),
        ("optimal", 21, 21, None, "more than the limit of 20"),
        ("optimal", 19, 19, (4, 6), "there is no item 6"),
        ("optimal", 19, 19, (4, 4), "item 4 is taken twice"),
        ("optimal", 19, 19, (4,), "the items weigh 18, not 19"),
        ("optimal", 18, 18, (4,), "item 5 could be taken as well"),
    ],
)
def test_checker_messages(status, cost, bound, items, message):
    (instance,) = problem.read(SAMPLE)
    fault = problem.check(instance, problem.Answer(status=Status(status), cost=cost, bound=bound, items=items))
    assert fault is None if message is None else message in fault
    claim = problem.Answer(status=Status.OPTIMAL, cost=9, bound=9, items=None)
    assert "all items weigh only 5" in problem.check(problem.Instance(limit=20, weights=(2, 3)), claim)


# --- formats ------------------------------------------------------------------------------------------------------------


@given(instances, instances)
def test_text_and_json_there_and_back(one, other):
    text = problem.write_instance(one) + problem.write_instance(other)
    assert list(problem.read(text)) == [one, other]
    assert list(problem.read("\ufeff" + text.replace("\n", "\r\n"))) == [one, other]
    answers = [problem.solve(one), problem.solve(other)]
    read = problem.read_answers("".join(map(problem.write, answers)), [one, other])
    assert read == [msgspec.structs.replace(answer, items=None) for answer in answers]
    assert msgspec.json.decode(msgspec.json.encode(one), type=problem.Instance) == one
    assert msgspec.json.decode(msgspec.json.encode(answers[0]), type=problem.Answer) == answers[0]


def test_what_is_not_proved_is_not_written():
    with pytest.raises(ValueError, match="it is at most 20"):
        problem.write(problem.Answer(status=Status.FEASIBLE, cost=3, bound=20, items=None))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the limit W is expected"),
        ("-1 0", (1, 1), "at least 0"),
        (f"{2**62 + 1} 0", (1, 1), "at most 4611686018427387904"),
        ("5", (1, 2), "the number of items N is expected"),
        ("5 2\n1", (2, 2), r"the weight \(item 2 of 2\) is expected"),
        ("5 1\n-1", (2, 1), "at least 0"),
        ("5 1\nx", (2, 1), "'x'"),
        (f"7 0\n5 2\n{2**62}\n1", (2, 1), "weigh 4611686018427387905 together"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(("text", "message"), [("", "case 1"), ("19 19", "every case has its answer"), ("-2", "at least 0")])
def test_bad_answers_are_named(text, message):
    with pytest.raises(InputError, match=message):
        problem.read_answers(text, list(problem.read(SAMPLE)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"limit": -1}, "the limit is -1"),
        ({"weights": (1, -6)}, "item 2 has weight -6"),
        ({"weights": (2**62, 1)}, "weigh 4611686018427387905 together"),
        ({"weights": (1.5,)}, "float"),
        ({"items": 1}, "items"),
    ],
)
def test_bad_json_is_refused(change, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "subset-sum", "limit": 5, "weights": (1, 2), **change}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(15):
        exact = [True, False, None][seed % 3]
        instance = problem.generate(seed, items=9, heaviest=500, share=40, exact=exact)
        assert instance == problem.generate(seed, items=9, heaviest=500, share=40, exact=exact)
        assert all(1 <= weight <= 500 for weight in instance.weights)
        if exact is not None:
            assert (naive_packing.heaviest_subset(instance.weights, instance.limit) == instance.limit) == exact
    assert len({problem.generate(seed) for seed in range(20)}) == 20
    for bad in ({"items": -1}, {"heaviest": 0}, {"share": 101}, {"heaviest": 2**62}, {"exact": False, "heaviest": 40}):
        with pytest.raises(ValueError, match="there are no"):
            problem.generate(1, **bad)


def test_pictures_show_the_items_taken():
    for seed in range(5):
        instance = problem.generate(seed, items=2 * seed)
        answer = problem.solve(instance)
        for color in (False, True):
            assert len(render.text(instance, color).splitlines()) == 1 + len(instance.weights)
            (picture,) = render.text_steps(instance, answer, color)
            assert picture.count("taken") == len(answer.items)
            assert ("\x1b" in picture) == color
        kinds = [element.get("class") for element in ET.fromstring(render.svg(instance, answer)).iter()]
        assert kinds.count("segment strong") == len(answer.items)
        assert kinds.count("segment") == len(instance.weights)
        assert render.svg(instance).count('class="segment"') == len(instance.weights)
    stopped = problem.Answer(status=Status.FEASIBLE, cost=9, bound=11, items=None)
    assert "9, at most 11" in next(render.text_steps(instance, stopped, False))
    assert "at most 11" in render.svg(instance, problem.Answer(status=Status.STOPPED, cost=None, bound=11, items=None))
