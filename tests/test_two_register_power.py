"""Two-register power: numbers as a slow twin, a table and a published one give them, prunings off, mutated programs, formats."""

import random

import msgspec
import pytest

import naive_registers
from bestfirst import Limits, Status, breadth_first
from bestfirst.catalogue import two_register_power as registers
from bestfirst.catalogue import two_register_power_table as tables
from bestfirst.formats.tokens import InputError
from bestfirst.render import two_register_power as picture

#: The fewest operations for 1 … 60, from a search through all pairs up to 62,000.
KNOWN = [
    0, 1, 2, 2, 3, 3, 4, 3, 4, 4, 5, 4, 5, 5, 5, 4, 5, 5, 6, 5, 6, 6, 6, 5, 6, 6, 6, 6, 7, 6, 6,
    5, 6, 6, 7, 6, 7, 7, 7, 6, 7, 7, 7, 7, 7, 7, 7, 6, 7, 7, 7, 7, 8, 7, 8, 7, 8, 8, 8, 7,
]  # fmt: skip


def cost(power, **options):
    return registers.search(registers.Instance(power=power), **options).cost


def test_sample():
    (instance,) = registers.read("31\n")
    answer = registers.solve(instance)
    assert registers.write(answer) == "6\n"
    assert registers.check(instance, answer) is None


def test_all_powers_that_few_operations_make():
    twin = naive_registers.fewest(8)
    for power in range(1, 300):
        answer = registers.solve(registers.Instance(power=power))
        assert answer.cost == twin.get(power, answer.cost)
        assert (answer.cost <= 8) == (power in twin)
        assert registers.check(registers.Instance(power=power), answer) is None
    assert [cost(power) for power in range(1, 61)] == KNOWN


def test_the_table_and_single_searches_agree():
    table = registers.fewest(3000)
    assert table[:61].tolist() == [0, *KNOWN]
    twin = naive_registers.fewest(9)
    assert all(table[power] == twin.get(power, table[power]) for power in range(3001))
    rng = random.Random(1)
    for power in rng.sample(range(1, 3001), 150):
        assert cost(power) == table[power]
    small, unsure = tables.table(200)
    assert small.tolist() == table[:201].tolist()
    assert len(unsure) == 0
    for most in (0, 20_001):
        with pytest.raises(ValueError, match="the limit is"):
            registers.fewest(most)
    assert registers.fewest(1).tolist() == [0, 0]


@pytest.mark.slow
def test_large_powers_by_two_methods():
    table = registers.fewest(20_000)
    assert table.max() == 18
    rng = random.Random(2)
    for power in rng.sample(range(10_000, 20_001), 40):
        assert cost(power) == table[power]


def test_every_pruning_may_be_left_out():
    rng = random.Random(3)
    for power in [*range(1, 24), *rng.sample(range(24, 60), 4)]:
        best = cost(power)
        for name in registers.PRUNINGS:
            assert cost(power, without=[name]) == best
    for power in range(1, 24):
        game = registers.TwoRegisters(power, 0, 0, 0, 0, 0)
        assert breadth_first(game, 1 << registers.BITS).cost == cost(power)
    with pytest.raises(ValueError, match="no pruning magic"):
        registers.search(registers.Instance(power=5), without={"magic"})


def test_the_bound_never_overestimates_anywhere():
    """For all pairs of small exponents, by a search without bounds that knows the distance of each from each power."""
    for power in (5, 7, 11, 12, 15, 21, 23, 27):
        game = registers.TwoRegisters(power, 1, 1, 1, 1, 1)
        for pair in [(a, b) for a in range(1, 31) for b in range(a)]:
            state = pair[0] << registers.BITS | pair[1]
            bound, layer, depth = game.lower_bound(state), {pair}, 0
            while depth < min(bound, 4) and not any(power in one for one in layer):
                layer = {child for one in layer for child in naive_registers.results(one)}
                depth += 1
            assert not any(power in one for one in layer) or depth >= min(bound, 4)


def test_the_bound_along_shortest_programs():
    rng = random.Random(4)
    for power in rng.sample(range(2, 3000), 60):
        answer = registers.solve(registers.Instance(power=power))
        game = registers.TwoRegisters(power, 1, 1, 1, 1, 1)
        for number, step in enumerate(registers.steps(registers.Instance(power=power), answer)):
            state = max(step.exponents) << registers.BITS | min(step.exponents)
            assert game.lower_bound(state) <= answer.cost - number


def test_a_stopped_search_claims_nothing():
    instance = registers.Instance(power=19_531)
    stopped = registers.solve(instance, limits=Limits(nodes=1000))
    assert stopped.status is Status.STOPPED
    assert registers.check(instance, stopped) is None
    with pytest.raises(ValueError, match="at least"):
        registers.write(stopped)


def makes_the_power(power, operations):
    pair = {"A": 1, "B": 0}
    for target, left, sign, right in operations:
        pair[target] = pair[left] + pair[right] if sign == "*" else pair[left] - pair[right]
        if pair[target] < 0:
            return False
    return power in pair.values()


def test_mutated_programs_are_caught_or_right():
    rng = random.Random(5)
    for seed in range(8):
        instance = registers.generate(seed, least=5, most=200)
        answer = registers.solve(instance)
        for _ in range(40):
            operations = list(answer.operations)
            place, field = rng.randrange(len(operations)), rng.choice(("target", "left", "right", "sign"))
            value = rng.choice("*/" if field == "sign" else "AB")
            operations[place] = operations[place]._replace(**{field: value})
            fault = registers.check(instance, msgspec.structs.replace(answer, operations=tuple(operations)))
            assert (fault is None) == makes_the_power(instance.power, operations)
        for wrong in (
            {"cost": answer.cost + 1, "bound": answer.cost + 1},
            {"bound": answer.cost - 1},
            {"operations": answer.operations[:-1]},
            {"operations": (answer.operations[0]._replace(left="C"), *answer.operations[1:])},
            {"status": Status.INFEASIBLE},
            {"status": Status.STOPPED},
            {"cost": None},
        ):
            assert registers.check(instance, msgspec.structs.replace(answer, **wrong)) is not None


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the power P is expected"),
        ("x", (1, 1), "the power P, a whole number, found 'x'"),
        ("\n 0", (2, 2), "the power P is 0, it must be at least 1"),
        ("1048576", (1, 1), "it must be at most 1048575"),
        ("5 6", (1, 3), "expected the end of the text"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(registers.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize("text", ["", "x", "-2", "7 7"])
def test_bad_answers_are_named(text):
    with pytest.raises(InputError):
        registers.read_answers(text, list(registers.read("31")))


def test_round_trips():
    for seed in range(20):
        instance = registers.generate(seed, most=500)
        assert list(registers.read("\ufeff" + registers.write_instance(instance).replace("\n", "\r\n"))) == [instance]
        answer = registers.solve(instance)
        assert msgspec.json.decode(msgspec.json.encode(instance), type=registers.Instance) == instance
        assert msgspec.json.decode(msgspec.json.encode(answer), type=registers.Answer) == answer
        (claimed,) = registers.read_answers(registers.write(answer), [instance])
        assert claimed == msgspec.structs.replace(answer, operations=None)
        assert registers.check(instance, claimed) is None
        assert registers.generate(seed, most=500) == instance
    with pytest.raises(ValueError, match="no power from 3 to 2"):
        registers.generate(1, least=3, most=2)
    for power in (0, 1 << 20):
        with pytest.raises(ValueError, match="the power is"):
            registers.Instance(power=power)


def test_pictures():
    instance = registers.Instance(power=31)
    answer = registers.solve(instance)
    lines = list(picture.text_steps(instance, answer, color=False))
    assert len(lines) == answer.cost + 2
    assert "x^31" in lines[-1]
    assert "\x1b[1m" in picture.text(instance, color=True)
    assert picture.svg(instance, answer).count('class="step"') == answer.cost + 1
    assert picture.svg(instance).count('class="step"') == 1
    far = registers.Instance(power=19_531)
    assert "at least" in picture.svg(far, registers.solve(far, limits=Limits(nodes=1000)))
