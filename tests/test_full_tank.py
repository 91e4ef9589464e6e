"""Full tank: costs as two slow programs find them, a checker that misses nothing, formats, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import naive_tank as naive
from bestfirst.catalogue import full_tank as problem
from bestfirst.catalogue.full_tank_search import MAX_NUMBER
from bestfirst.cli.check import _check_case
from bestfirst.cli.failures import ExitCode, Failure
from bestfirst.cli.files import Case
from bestfirst.cli.options import LimitOptions
from bestfirst.formats.tokens import InputError
from bestfirst.render import full_tank as render
from bestfirst.result import Limits, Status

SAMPLE = "5 5\n10 10 20 12 13\n0 1 9\n0 2 8\n1 2 1\n1 3 11\n2 3 7\n2\n10 0 3\n20 1 4\n"
SAMPLE_OUTPUT = "170\nimpossible\n"


@st.composite
def instances(draw, cities=6, roads=12, capacity=9, queries=3):
    n = draw(st.integers(1, cities))
    city, number = st.integers(0, n - 1), st.integers(0, capacity)
    return problem.Instance(
        prices=tuple(draw(st.lists(number, min_size=n, max_size=n))),
        roads=tuple(draw(st.lists(st.tuples(city, city, number), max_size=roads))),
        queries=tuple(draw(st.lists(st.tuples(number, city, city), max_size=queries))),
    )


def twin(instance, method=naive.textbook):
    return tuple(method(instance.prices, instance.roads, *query) for query in instance.queries)


def is_right(instance, answer, costs):
    """Whether an answer has these costs, and plans that cost as much."""
    assert problem.check(instance, answer) is None
    paid = tuple(
        None if plan is None else naive.follows(instance.prices, instance.roads, *query, plan)
        for query, plan in zip(instance.queries, answer.plans, strict=True)
    )
    return (answer.status, answer.costs, paid) == (Status.OPTIMAL, costs, costs)


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == SAMPLE_OUTPUT
    assert is_right(instance, answer, (170, None))


@given(instances())
@example(problem.Instance(prices=(3,), roads=(), queries=((0, 0, 0), (5, 0, 0))))
@example(problem.Instance(prices=(3, 0), roads=((0, 1, 0),), queries=((0, 0, 1),)))
def test_costs_are_those_of_two_slow_programs(instance):
    costs = twin(instance)
    assert twin(instance, naive.by_rounds) == costs
    answer = problem.solve(instance)
    assert is_right(instance, answer, costs)
    assert problem.solve(instance, compiled=False) == answer


@pytest.mark.parametrize("dearest", [1, 3, 50, 1000])
def test_middling_maps_as_the_textbook_solves_them(dearest):
    met = set()
    for seed in range(24):
        cities, roads, capacity, longest = ((30, 60, 25, 12), (40, 45, 60, 9), (12, 60, 12, 12), (25, 40, 40, 3))[seed % 4]
        instance = problem.generate(
            seed, cities=cities, roads=roads, capacity=capacity, longest=longest, dearest=dearest, queries=4
        )
        costs = twin(instance)
        assert is_right(instance, problem.solve(instance), costs)
        met |= {cost is None for cost in costs}
    assert met == {True, False}


def test_a_long_way_with_ever_cheaper_and_ever_dearer_cities():
    for prices in (range(60, 0, -1), range(1, 61), [1 + 7 * city % 60 for city in range(60)]):
        roads = tuple((city, city + 1, 1 + city % 4) for city in range(59))
        instance = problem.Instance(prices=tuple(prices), roads=roads, queries=((4, 0, 59), (11, 59, 0), (40, 0, 59), (3, 0, 59)))
        assert is_right(instance, problem.solve(instance), twin(instance))


def test_costs_beyond_32_bits_and_the_largest_numbers():
    road = ((0, 1, MAX_NUMBER),)
    big = problem.Instance(prices=(MAX_NUMBER, MAX_NUMBER), roads=road, queries=((MAX_NUMBER - 1, 0, 1),))
    assert problem.solve(big).costs == (None,)
    chain = tuple((city, city + 1, 3) for city in range(40))
    dear = problem.Instance(prices=(MAX_NUMBER,) * 41, roads=chain, queries=((4, 0, 40),))
    assert is_right(dear, problem.solve(dear), (120 * MAX_NUMBER,))


def test_a_stopped_search_has_the_first_answers_and_is_resumed(tmp_path):
    instance = problem.generate(4, cities=60, roads=130, queries=12, capacity=60, longest=20, dearest=90, solvable=True)
    whole = problem.search(instance)
    counts = set()
    for nodes in (0, 1, whole.stats.generated // 3, whole.stats.generated // 2, whole.stats.generated - 1):
        kept = tmp_path / f"{nodes}.npz"
        solution = problem.search(instance, limits=Limits(nodes=nodes), checkpoint=kept)
        answer = problem.answer(instance, solution)
        assert (answer.status, solution.stopped_by) == (Status.STOPPED, "nodes")
        assert solution.value == whole.value[: len(solution.value)]
        assert problem.check(instance, answer) is None
        counts.add(len(answer.costs))
        with pytest.raises(ValueError, match=f"only the first {len(answer.costs)} queries"):
            problem.write(answer)
        resumed = problem.search(instance, resume=kept)
        assert resumed.value == whole.value
        assert resumed.stats.generated == whole.stats.generated
    assert len(counts) > 2
    assert problem.search(instance, limits=Limits(memory=1000)).stopped_by == "memory"


def test_memory_grows():
    instance = problem.generate(1, cities=400, roads=1200, queries=2, capacity=400, longest=400, dearest=1000, solvable=True)
    solution = problem.search(instance)
    assert solution.stats.peak_bytes > problem.search(instance, limits=Limits(nodes=0)).stats.peak_bytes
    assert is_right(instance, problem.answer(instance, solution), twin(instance))


# --- checker ------------------------------------------------------------------------------------------------------------


def mutated(rng, plan):
    plan = [list(step) for step in plan]
    change = rng.randrange(5)
    if change == 0 or not plan:
        plan.insert(rng.randint(0, len(plan)), [rng.randint(-1, 9), rng.randint(0, 11)])
    elif change == 1:
        del plan[rng.randrange(len(plan))]
    elif change == 2:
        plan[rng.randrange(len(plan))][0] += rng.choice((-1, 1, 2))
    elif change == 3:
        plan[rng.randrange(len(plan))][1] = rng.randint(0, 11)
    else:
        plan = plan[:-1]
    return tuple(map(tuple, plan))


def test_checker_finds_every_fault():
    rng = random.Random(1)
    verdicts = set()
    for seed in range(80):
        instance = problem.generate(seed, queries=1, solvable=True)
        best = problem.solve(instance)
        for _ in range(20):
            plan = best.plans[0]
            for _ in range(rng.randint(1, 2)):
                plan = mutated(rng, plan)
            paid = naive.follows(instance.prices, instance.roads, *instance.queries[0], plan)
            cost = paid if paid is not None and rng.random() < 0.5 else best.costs[0]
            answer = problem.Answer(status=Status.OPTIMAL, costs=(cost,), plans=(plan,))
            assert (problem.check(instance, answer) is None) == (paid is not None and paid == cost)
            verdicts.add((paid == cost, plan == best.plans[0]))
    assert verdicts >= {(False, False), (True, False)}


@pytest.mark.parametrize(
    ("status", "costs", "plans", "message"),
    [
        ("optimal", (10, None), (((2, 1), (3, 2)), None), None),
        ("optimal", (10, None), None, None),
        ("stopped", (10,), (((2, 1), (3, 2)),), None),
        ("infeasible", (10, None), None, "the status is infeasible"),
        ("optimal", (10,), None, "there are 1 costs for 2 queries"),
        ("stopped", (10, None, 3), None, "there are 3 costs for 2 queries"),
        ("optimal", (-1, None), None, "query 1: the cost is -1"),
        ("optimal", (10, None), (((2, 1), (3, 2)),), "there are 1 plans for 2 costs"),
        ("optimal", (10, None), (None, None), "query 1: a cost and a plan belong together"),
        ("optimal", (10, None), (((-1, 1),), None), "query 1: step 1: -1 units cannot be bought"),
        ("optimal", (10, None), (((5, 1),), None), "step 1: the tank would hold 5 units, it holds 4"),
        ("optimal", (10, None), (((2, 3),), None), "step 1: there is no road 3"),
        ("optimal", (10, None), (((2, 2),), None), "step 1: road 2 is between 1 and 2, but the car is in 0"),
        ("optimal", (10, None), (((1, 1),), None), "step 1: road 1 takes 2 units, but there are 1"),
        ("optimal", (10, None), (((2, 1),), None), "the plan ends in 1, not in 2"),
        ("optimal", (10, None), (((3, 1), (2, 2)), None), "the plan costs 8, not 10"),
    ],
)
def test_checker_messages(status, costs, plans, message):
    instance = problem.Instance(prices=(2, 2, 9), roads=((0, 1, 2), (1, 2, 3)), queries=((4, 0, 2), (2, 0, 2)))
    instance = instance if message != "the plan costs 8, not 10" else msgspec.structs.replace(instance, prices=(2, 1, 9))
    fault = problem.check(instance, problem.Answer(status=Status(status), costs=costs, plans=plans))
    assert fault is None if message is None else message in fault


def test_check_on_the_command_line_compares_query_by_query():
    (instance,) = problem.read(SAMPLE)
    case = Case(instance, 1, True, "input")
    (right,) = problem.read_answers(SAMPLE_OUTPUT, [instance])
    assert _check_case(problem, case, right, "output", True, LimitOptions()) == ExitCode.ANSWERED
    for text, message in (
        ("171 impossible", "query 1: it claims cost 171, but the best is 170"),
        ("170 5", "query 2: it claims cost 5, but the best is impossible"),
        ("impossible impossible", "query 1: it claims that it is impossible, but the best is 170"),
    ):
        (wrong,) = problem.read_answers(text, [instance])
        with pytest.raises(Failure, match=message):
            _check_case(problem, case, wrong, "output", True, LimitOptions())


# --- formats ------------------------------------------------------------------------------------------------------------


@given(instances(), instances())
def test_text_and_json_there_and_back(one, other):
    text = problem.write_instance(one) + problem.write_instance(other)
    assert list(problem.read(text)) == [one, other]
    assert list(problem.read("\ufeff" + text.replace("\n", "\r\n"))) == [one, other]
    assert list(problem.read(" ".join(text.split()))) == [one, other]
    answers = [problem.solve(one), problem.solve(other)]
    read = problem.read_answers("".join(map(problem.write, answers)), [one, other])
    assert read == [msgspec.structs.replace(answer, plans=None) for answer in answers]
    for answer in answers:
        assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer
    assert msgspec.json.decode(msgspec.json.encode(one), type=problem.Instance) == one


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of cities n is expected"),
        ("0 0", (1, 1), "at least 1"),
        ("2 1\n5", (2, 2), r"the price \(city 2 of 2\) is expected"),
        ("2 1\n5 -1", (2, 3), "at least 0"),
        ("2 1\n5 9999999999", (2, 3), f"at most {MAX_NUMBER}"),
        ("2 1\n5 6\n0 2 4", (3, 3), r"the city v \(road 1 of 1\) is 2, it must be at most 1"),
        ("2 1\n5 6\n0 1 x", (3, 5), "the fuel d"),
        ("2 1\n5 6\n0 1 4", (3, 6), "the number of queries q is expected"),
        ("2 1\n5 6\n0 1 4\n1\n3 0", (5, 4), r"the end E \(query 1 of 1\) is expected"),
        ("2 0\n5 6\n0\nend", (4, 1), "found 'end'"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("170", (1, 4), "the cost of query 2"),
        ("170\nimpossible\n3", (3, 1), "every query has its answer"),
        ("-170", (1, 1), "at least 0"),
        ("170\nnever", (2, 1), "expected the cost of query 2 or impossible, found 'never'"),
    ],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, list(problem.read(SAMPLE)))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prices": ()}, "there are 0 cities"),
        ({"prices": (3, -1)}, "the price in city 1 is -1"),
        ({"prices": (3, MAX_NUMBER + 1)}, "the price in city 1 is 1073741825"),
        ({"roads": ((0, 2, 1),)}, "road 1 is between 0 and 2"),
        ({"roads": ((0, 1, -1),)}, "the fuel for road 1 is -1"),
        ({"queries": ((-1, 0, 1),)}, "the capacity of query 1 is -1"),
        ({"queries": ((1, 0, 2),)}, "query 1 is from 0 to 2"),
        ({"roads": ((0, 1),)}, "length 3"),
        ({"version": 2}, "version"),
        ({"cars": 1}, "cars"),
    ],
)
def test_bad_json_is_refused(change, message):
    values = {"problem": "full-tank", "prices": (3, 4), "roads": ((0, 1, 2),), "queries": ((5, 0, 1),), **change}
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert(values, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(30):
        options = {"cities": 7, "roads": 9, "queries": 5, "solvable": [True, False, None][seed % 3]}
        instance = problem.generate(seed, **options)
        assert instance == problem.generate(seed, **options)
        assert (len(instance.prices), len(instance.roads), len(instance.queries)) == (7, 9, 5)
        possible = {cost is not None for cost in twin(instance)}
        assert seed % 3 == 2 or possible == {seed % 3 == 0}
    assert len({problem.generate(seed) for seed in range(30)}) == 30
    for bad, message in (
        ({"cities": 0}, "at least 1"),
        ({"queries": -1}, "at least 1, roads and queries at least 0"),
        ({"solvable": True, "roads": 4}, "as many roads as cities - 1"),
        ({"solvable": True, "capacity": 8}, "a capacity of at least"),
        ({"solvable": False, "cities": 1}, "at least 2 cities"),
    ):
        with pytest.raises(ValueError, match=message):
            problem.generate(1, **bad)


def test_pictures_show_roads_and_plans():
    for seed in range(10):
        instance = problem.generate(seed, solvable=[True, None][seed % 2])
        answer = problem.solve(instance)
        for color in (False, True):
            assert len(render.text(instance, color).splitlines()) == 1 + 6 + 10 + 3
            shown = list(render.text_steps(instance, answer, color))
            assert len(shown) == 3
            for picture, cost, plan in zip(shown, answer.costs, answer.plans, strict=True):
                lines = picture.splitlines()
                assert ("impossible" in lines[0]) == (cost is None)
                assert len(lines) == (1 if plan is None else 2 + len(plan))
                assert plan is None or f"paid {cost}" in lines[-1]
                assert ("\x1b" in picture) == color
        first = next((plan for plan in answer.plans if plan is not None), ())
        for picture, used in ((render.svg(instance), set()), (render.svg(instance, answer), {road for _, road in first})):
            kinds = [element.get("class") for element in ET.fromstring(picture).iter()]
            assert kinds.count("edge marked") == len(used)
            assert kinds.count("edge") == 10 - len(used)


def test_pictures_of_a_stopped_search():
    stopped = problem.Answer(status=Status.STOPPED, costs=(), plans=())
    assert list(render.text_steps(problem.generate(1), stopped, False)) == [
        "the search was stopped: the other queries have no answer\n"
    ]
    assert "edge marked" not in render.svg(problem.generate(1), stopped)
