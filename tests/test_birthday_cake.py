"""Birthday cake: the surfaces that two slow programs find, every pruning off, checker, formats, limits."""

import random

import msgspec
import pytest

import naive_cake as naive
from bestfirst.catalogue import birthday_cake as problem
from bestfirst.formats.tokens import InputError
from bestfirst.render import birthday_cake as render
from bestfirst.result import Limits, Status

pytestmark = pytest.mark.slow  # one kernel

Layer = problem.Layer


def cake(volume, layers):
    return problem.Instance(volume=volume, layers=layers)


def test_sample():
    (instance,) = problem.read("100\n2\n")
    answer = problem.solve(instance)
    assert problem.write(answer) == "68\n"
    assert problem.check(instance, answer) is None


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_surfaces_of_the_twins(layers):
    """All volumes up to 120: tables on one side, and for some of them every cake tried."""
    table = naive.least_surfaces(120, layers)
    for volume in range(1, 121):
        answer = problem.solve(cake(volume, layers))
        assert answer.cost == table[volume], volume
        assert (answer.status is Status.INFEASIBLE) == (table[volume] is None)
        assert problem.check(cake(volume, layers), answer) is None
        if volume % 7 == 0:
            assert naive.least_surface(volume, layers) == table[volume]


def test_more_layers():
    rng = random.Random(4)
    for _ in range(60):
        layers = rng.randint(3, 5)
        volume = rng.randint((layers * (layers + 1) // 2) ** 2 - 5, 420)
        answer = problem.solve(cake(volume, layers))
        assert answer.cost == naive.least_surface(volume, layers), (volume, layers)
        assert problem.check(cake(volume, layers), answer) is None


def test_each_pruning_switched_off_gives_the_same():
    rng = random.Random(5)
    switches = [{name} for name in problem.PRUNINGS] + [set(problem.PRUNINGS)]
    for _ in range(25):
        instance = cake(rng.randint(30, 300), rng.randint(1, 4))
        best = problem.solve(instance)
        for without in switches:
            answer = problem.solve(instance, without=without)
            assert (answer.status, answer.cost) == (best.status, best.cost), (instance, without)
            assert problem.check(instance, answer) is None


def test_the_bound_never_overestimates_and_all_modes_agree():
    rng = random.Random(6)
    for _ in range(12):
        instance = cake(rng.randint(150, 700), rng.randint(3, 5))
        solution = problem.search(instance)
        if solution.cost is None:
            assert problem.search(instance, without={"filling"}).cost is None
            continue
        game, paid = solution.problem, 0
        states = list(solution.states())
        for state, following, move in zip(states, states[1:], solution.moves, strict=False):
            assert game.lower_bound(state) <= solution.cost - paid
            copy = state.copy()
            paid += game.apply(copy, move)
            assert (copy == following).all()
        assert paid == solution.cost
        assert problem.search(instance, without={"filling"}).cost == solution.cost
        assert problem.search(instance, compiled=False).cost == solution.cost


def test_numbers_of_contests():
    """What a textbook program in C++ says (benchmarks/cpp/birthday_cake.cpp)."""
    for volume, layers, cost in ((1000, 3, 316), (10_000, 3, 1404), (10_000, 5, 1436), (10_000, 10, 1673), (20_000, 7, 2309)):
        answer = problem.solve(cake(volume, layers))
        assert (answer.status, answer.cost) == (Status.OPTIMAL, cost)
        assert problem.check(cake(volume, layers), answer) is None


def test_limits_claim_nothing():
    instance = cake(100_000, 12)
    bounds = []
    for nodes in (0, 10, 1000, 100_000):
        solution = problem.search(instance, limits=Limits(nodes=nodes))
        assert solution.status is Status.STOPPED
        answer = problem.answer(instance, solution)
        assert problem.check(instance, answer) is None
        assert str(answer.bound) in render.svg(instance, answer)
        bounds.append(solution.bound)
        with pytest.raises(ValueError, match="stopped"):
            problem.write(answer)
    assert bounds == sorted(bounds)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"layers": None}, None),
        ({"cost": 67, "bound": 67}, "the surface of the layers is 68, the answer says 67"),
        ({"bound": 60}, "the answer is called optimal"),
        ({"status": Status.INFEASIBLE}, "there is a cake, but the status is infeasible"),
        ({"status": Status.INFEASIBLE, "cost": None, "layers": None}, None),
        ({"layers": ()}, "there are 0 layers"),
        ({"layers": "first"}, "there are 1 layers"),
        ({"layers": "swapped"}, "layer 2 is not smaller"),
        ({"layers": "taller"}, "the volume of the layers is"),
        ({"layers": (Layer(9, 2), Layer(0, 1))}, "both must be at least 1"),
    ],
)
def test_mutated_answers_are_caught(changes, words):
    instance = cake(100, 2)
    right = problem.solve(instance)
    low, high = right.layers
    shapes = {"first": (low,), "swapped": (high, low), "taller": (low._replace(height=low.height + 1), high)}
    if isinstance(changes.get("layers"), str):
        changes = {"layers": shapes[changes["layers"]]}
    fault = problem.check(instance, msgspec.structs.replace(right, **changes))
    assert (fault is None) if words is None else (words in fault)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the volume N is expected"),
        ("100", (1, 4), "the number of layers M is expected"),
        ("100 x", (1, 5), "'x'"),
        ("0 2", (1, 1), "at least 1"),
        ("100 -1", (1, 5), "at least 1"),
        ("99999999999 2", (1, 1), "at most"),
        ("100 2\n3", (2, 2), "the number of layers M is expected"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


def test_answers_are_read():
    instances = list(problem.read("100 2 5 3"))
    best, none = problem.read_answers("68\n0\n", instances)
    assert (best.cost, none.status) == (68, Status.INFEASIBLE)
    assert problem.write(none) == "0\n"
    for text, message in (("68", "case 2"), ("68 0 1", "expected the end"), ("68 x", "'x'")):
        with pytest.raises(InputError, match=message):
            problem.read_answers(text, instances)


def test_generated_cakes_are_as_wanted():
    for seed in range(12):
        assert problem.solve(problem.generate(seed, volume=400, solvable=True)).status is Status.OPTIMAL
        assert problem.solve(problem.generate(seed, volume=400, solvable=False)).status is Status.INFEASIBLE
        assert problem.generate(seed, layers=4).layers == 4
    with pytest.raises(ValueError, match="the smallest has 225"):
        problem.generate(1, volume=100, layers=5, solvable=True)
