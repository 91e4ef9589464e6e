"""Bin packing: the fewest bins as slow twins and CP-SAT find them, mutated answers, stopped searches, formats, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_packing
from bestfirst import Limits, Status
from bestfirst.catalogue import bin_packing as problem
from bestfirst.catalogue import bin_packing_search
from bestfirst.control import run
from bestfirst.formats.tokens import InputError
from bestfirst.kernel import interpreting
from bestfirst.render import bin_packing as render

SAMPLE = "5 1996\n1\n2\n1994\n12\n29\n"


def instances(most=10, capacity=40):
    capacities = st.integers(1, capacity)
    return capacities.flatmap(
        lambda c: st.builds(problem.Instance, capacity=st.just(c), weights=st.lists(st.integers(1, c), max_size=most).map(tuple))
    )


def random_instance(rng, most):
    """Weights cut from bins that are nearly full, at times with some changed, in small or large units."""
    capacity = rng.choice((20, 30, 97, 100_003))
    weights = []
    while len(weights) < most - 3:
        cuts = sorted(rng.sample(range(1, capacity), rng.choice((1, 2, 2, 3))))
        weights += [end - begin for begin, end in zip([0, *cuts], [*cuts, capacity], strict=True)]
    weights = [rng.randint(1, capacity) if rng.random() < 0.1 else weight for weight in weights]
    rng.shuffle(weights)
    return problem.Instance(capacity=capacity, weights=tuple(weights[: rng.randint(0, most)]))


@pytest.fixture
def patterns_at_once(monkeypatch):
    """Let the linear program begin after a few nodes, and hand little to bin completion."""
    for name, value in (("_FIRST_NODES", 3), ("_DESCENT_NODES", 2), ("_FEW_ITEMS", 4), ("_DIVE_NODES", 20), ("_PATH_ITEMS", 1)):
        monkeypatch.setattr(bin_packing_search, name, value)


def by_cp_sat(instance):
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    n = len(instance.weights)
    used = [model.new_bool_var("") for _ in range(n)]
    inside = [[model.new_bool_var("") for _ in range(n)] for _ in range(n)]
    for i in range(n):
        model.add_exactly_one(inside[i])
    for b in range(n):
        load = sum(weight * inside[i][b] for i, weight in enumerate(instance.weights))
        model.add(load <= instance.capacity * used[b])
        if b:
            model.add_implication(used[b], used[b - 1])
    model.minimize(sum(used))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value)


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == "2\n"
    assert problem.check(instance, answer) is None


@pytest.mark.parametrize("seed", range(4))
def test_fewest_bins_as_the_twin_finds(seed):
    rng = random.Random(seed)
    searched = 0
    for _ in range(250):
        instance = random_instance(rng, 11)
        solution = problem.search(instance)
        answer = problem.answer(instance, solution)
        assert (answer.status, answer.cost) == (Status.OPTIMAL, naive_packing.fewest_bins(instance.weights, instance.capacity))
        assert problem.check(instance, answer) is None
        searched += solution.stats.generated > 0
    assert searched > 4  # not settled by the bound and the first packing


def test_patterns_as_the_twin_finds(patterns_at_once):
    rng = random.Random(5)
    through_patterns = 0
    for _ in range(400):
        instance = random_instance(rng, 12)
        search = bin_packing_search.PackingSearch(np.array(instance.weights, np.int64), instance.capacity, {})
        assert run(search, {}).cost == naive_packing.fewest_bins(instance.weights, instance.capacity)
        through_patterns += search.patterns is not None and bool(search.program.numbers.any())
    assert through_patterns > 10


def test_cut_from_full_bins(patterns_at_once):
    for seed in range(6):
        instance = problem.generate(seed, items=30, capacity=200, triplets=True)
        answer = problem.solve(instance)
        assert (answer.status, answer.cost) == (Status.OPTIMAL, 10)
        assert problem.check(instance, answer) is None


@pytest.mark.slow
def test_published_kinds_are_solved():
    for parameters in ({"items": 120}, {"items": 250}, {"items": 60, "triplets": True}, {"items": 120, "triplets": True}):
        for seed in range(5):
            instance = problem.generate(seed, capacity=1000 if "triplets" in parameters else 150, **parameters)
            answer = problem.solve(instance)
            assert answer.status is Status.OPTIMAL
            assert problem.check(instance, answer) is None
            assert "triplets" not in parameters or answer.cost == parameters["items"] // 3


@pytest.mark.slow
def test_fewest_bins_as_cp_sat_finds():
    for seed in range(8):
        instance = problem.generate(seed, items=11, capacity=100, lightest=15 + 5 * (seed % 3), heaviest=60)
        assert problem.solve(instance).cost == by_cp_sat(instance)


def test_large_numbers():
    most = problem.MAX_CAPACITY
    instance = problem.Instance(capacity=most, weights=(most, most // 2, most - most // 2, *[most // 3] * 6, most - 1, 1))
    answer = problem.solve(instance)
    assert (answer.cost, problem.check(instance, answer)) == (5, None)


def test_many_items():
    rng = random.Random(3)
    instance = problem.Instance(capacity=10**6, weights=tuple(rng.randint(1, 10**6) for _ in range(20_000)))
    answer = problem.solve(instance, limits=Limits(nodes=1000))
    assert problem.check(instance, answer) is None
    assert answer.bound <= answer.cost <= answer.bound + 300


@pytest.mark.parametrize("name", problem.PRUNINGS)
def test_a_pruning_does_not_change_the_number(name, patterns_at_once):
    rng = random.Random(name)
    for _ in range(60):
        instance = random_instance(rng, 10)
        answer = problem.answer(instance, problem.search(instance, without={name}))
        assert answer.cost == naive_packing.fewest_bins(instance.weights, instance.capacity)
        assert problem.check(instance, answer) is None


def test_a_pruning_that_does_not_exist():
    with pytest.raises(ValueError, match="no pruning luck; there are: patterns"):
        problem.search(next(problem.read(SAMPLE)), without={"luck"})


def test_interpreted_with_the_same_counts(patterns_at_once):
    for seed in range(3):
        instance = problem.generate(seed, items=12, capacity=60, triplets=True)
        solution = problem.search(instance)
        slow = problem.search(instance, compiled=False)
        assert (solution.moves, solution.stats.generated) == (slow.moves, slow.stats.generated)


# --- stopped, and gone on ---------------------------------------------------------------------------------------------


def test_stopped_at_a_limit_and_gone_on_from_a_file(patterns_at_once, tmp_path):
    hard = problem.generate(4, items=45, capacity=300, triplets=True)
    whole = problem.search(hard)
    file = tmp_path / "search.npz"
    solution = problem.search(hard, limits=Limits(nodes=7), checkpoint=file)
    stops = 0
    while solution.stopped_by is not None:
        stops += 1
        answer = problem.answer(hard, solution)
        assert answer.status is Status.FEASIBLE
        assert answer.bound <= whole.cost <= answer.cost
        assert problem.check(hard, answer) is None
        more = solution.stats.generated + 7 + solution.stats.generated // 3
        solution = problem.search(hard, limits=Limits(nodes=more), checkpoint=file, resume=file)
    assert stops > 3
    assert (solution.moves, solution.stats.generated) == (whole.moves, whole.stats.generated)


def test_little_memory(monkeypatch):
    monkeypatch.setattr(bin_packing_search, "_STATES", 1)
    hard = problem.generate(3, items=120, capacity=1000, triplets=True)
    solution = problem.search(hard, without={"patterns"}, limits=Limits(memory=60_000, nodes=200_000))
    assert solution.stopped_by in ("memory", "nodes")
    assert solution.stats.peak_bytes < 120_000
    assert problem.check(hard, problem.answer(hard, solution)) is None


# --- the bound ---------------------------------------------------------------------------------------------------------


@given(instances(9))
def test_the_bound_never_overestimates(instance):
    types, count = np.unique(np.array(instance.weights, np.int64), return_counts=True)
    bound = bin_packing_search.bins_needed(types[::-1].copy(), count[::-1].copy(), instance.capacity)
    assert -(-sum(instance.weights) // instance.capacity) <= bound
    assert bound <= naive_packing.fewest_bins(instance.weights, instance.capacity)


# --- checker ------------------------------------------------------------------------------------------------------------


def is_packing(instance, bins):
    items = sorted(item for items in bins for item in items)
    loads = [sum(instance.weights[item - 1] for item in items) for items in bins if items] if items else []
    return items == list(range(1, len(instance.weights) + 1)) and all(bins) and max(loads, default=0) <= instance.capacity


def test_checker_finds_every_fault():
    rng = random.Random(2)
    verdicts = set()
    for _ in range(60):
        instance = random_instance(rng, 9)
        if not instance.weights:
            continue
        best = problem.solve(instance)
        for _ in range(20):
            bins = [list(items) for items in best.bins]
            a, b = rng.choice(bins), rng.choice(bins)
            change = rng.randrange(4)
            if change == 0:
                b.append(a.pop())
            elif change == 1:
                a[0], b[0] = b[0], a[0]
            elif change == 2:
                a[0] = rng.randint(0, len(instance.weights) + 1)
            else:
                bins.remove(a)
            bins = tuple(map(tuple, bins))
            answer = problem.Answer(status=Status.OPTIMAL, cost=len(bins), bound=len(bins), bins=bins)
            if all(1 <= item <= len(instance.weights) for items in bins for item in items):
                assert (problem.check(instance, answer) is None) == is_packing(instance, bins)
                verdicts.add((is_packing(instance, bins), bins == best.bins))
            else:
                assert "there is no item" in problem.check(instance, answer) or "bins hold" in problem.check(instance, answer)
    assert verdicts >= {(False, False), (True, True), (True, False)}


@pytest.mark.parametrize(
    ("status", "cost", "bound", "bins", "message"),
    [
        ("optimal", 2, 2, ((1, 2), (3,)), None),
        ("feasible", 3, 2, ((1,), (2,), (3,)), None),
        ("stopped", None, 2, None, None),
        ("infeasible", None, None, None, "a bin for each item is one"),
        ("optimal", None, None, None, "the number of bins is missing"),
        ("stopped", 2, 2, None, "its status is stopped"),
        ("optimal", 2, 1, None, "its bound is 1"),
        ("feasible", 2, 3, None, "the bound is 3"),
        ("optimal", 4, 4, None, "some are empty"),
        ("optimal", 1, 1, None, "1 bins hold 10, but the items weigh 14"),
        ("optimal", 2, 2, ((1, 2, 3),), "there are 1 bins"),
        ("optimal", 2, 2, ((1, 2), ()), "bin 2 is empty"),
        ("optimal", 2, 2, ((1, 2), (4,)), "there is no item 4"),
        ("optimal", 2, 2, ((1, 2), (2, 3)), "item 2 is packed twice"),
        ("optimal", 2, 2, ((1,), (2, 3)), "bin 2 holds 11"),
        ("optimal", 2, 2, ((1,), (3,)), "item 2 is in no bin"),
    ],
)
def test_checker_messages(status, cost, bound, bins, message):
    instance = problem.Instance(capacity=10, weights=(3, 6, 5))
    fault = problem.check(instance, problem.Answer(status=Status(status), cost=cost, bound=bound, bins=bins))
    assert fault is None if message is None else message in fault


# --- formats ------------------------------------------------------------------------------------------------------------


@given(instances(), instances())
def test_text_and_json_there_and_back(one, other):
    text = problem.write_instance(one) + problem.write_instance(other)
    assert list(problem.read(text)) == [one, other]
    assert list(problem.read("\ufeff" + text.replace("\n", "\r\n"))) == [one, other]
    answers = [problem.solve(one), problem.solve(other)]
    read = problem.read_answers("".join(map(problem.write, answers)), [one, other])
    assert read == [msgspec.structs.replace(answer, bins=None) for answer in answers]
    assert msgspec.json.decode(msgspec.json.encode(one), type=problem.Instance) == one
    assert msgspec.json.decode(msgspec.json.encode(answers[0]), type=problem.Answer) == answers[0]


def test_what_is_not_proved_is_not_written():
    with pytest.raises(ValueError, match="it is at least 2"):
        problem.write(problem.Answer(status=Status.FEASIBLE, cost=3, bound=2, bins=None))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of items N is expected"),
        ("-1 5", (1, 1), "at least 0"),
        ("1 0\n1", (1, 3), "the capacity W is 0"),
        ("1 100000000001\n1", (1, 3), "at most 100000000000"),
        ("1", (1, 2), "the capacity W is expected"),
        ("2 10\n5\n11", (3, 1), r"the weight \(item 2 of 2\) is 11, it must be at most 10"),
        ("2 10\n5\n0", (3, 1), "at least 1"),
        ("2 10\n5", (2, 2), r"the weight \(item 2 of 2\) is expected"),
        ("2 10\n5 4.5", (2, 3), "a whole number"),
        ("1 10\n5\nend", (3, 1), "found 'end'"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(("text", "message"), [("", "case 1"), ("2 2", "every case has its answer"), ("-2", "at least 0")])
def test_bad_answers_are_named(text, message):
    with pytest.raises(InputError, match=message):
        problem.read_answers(text, list(problem.read(SAMPLE)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"capacity": 0}, "the capacity is 0"),
        ({"capacity": 10**12}, "the capacity is 1000000000000"),
        ({"weights": (1, 6)}, "item 2 has weight 6"),
        ({"weights": (0,)}, "item 1 has weight 0"),
        ({"weights": (1.5,)}, "float"),
        ({"bins": 1}, "bins"),
    ],
)
def test_bad_json_is_refused(change, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "bin-packing", "capacity": 5, "weights": (1, 2), **change}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(10):
        instance = problem.generate(seed, items=20, capacity=50, lightest=3, heaviest=9)
        assert instance == problem.generate(seed, items=20, capacity=50, lightest=3, heaviest=9)
        assert (len(instance.weights), instance.capacity) == (20, 50)
        assert all(3 <= weight <= 9 for weight in instance.weights)
        assert sum(problem.generate(seed, items=21, capacity=50, triplets=True).weights) == 7 * 50
    assert len({problem.generate(seed) for seed in range(20)}) == 20
    for bad in ({"items": -1}, {"lightest": 0}, {"heaviest": 151}, {"items": 4, "triplets": True}, {"capacity": 8}):
        with pytest.raises(ValueError, match="there are no"):
            problem.generate(1, **bad)


def test_pictures_show_items_and_bins():
    for seed in range(5):
        instance = problem.generate(seed, items=3 * seed)
        answer = problem.solve(instance)
        for color in (False, True):
            assert len(render.text(instance, color).splitlines()) == 1 + len(instance.weights)
            (packing,) = render.text_steps(instance, answer, color)
            assert len(packing.splitlines()) == 1 + answer.cost
            assert ("\x1b" in packing) == color
        for picture, bars in ((render.svg(instance), len(instance.weights)), (render.svg(instance, answer), answer.cost)):
            kinds = [element.get("class") for element in ET.fromstring(picture).iter()]
            assert kinds.count("segment") == len(instance.weights)
            assert kinds.count("frame") == bars
    stopped = problem.Answer(status=Status.FEASIBLE, cost=9, bound=7, bins=None)
    assert "9 bins, at least 7" in next(render.text_steps(instance, stopped, False))
    assert "the first 200 of 300" in render.svg(problem.generate(1, items=300))


def test_interpreted_kernels_need_no_compiler():
    with interpreting():
        assert problem.solve(problem.generate(2, items=9)).status is Status.OPTIMAL
