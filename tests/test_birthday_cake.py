"""The problem birthday cake: as slow twins answer it, a checker that misses nothing, formats, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_cake as naive
from bestfirst.catalogue import birthday_cake as problem
from bestfirst.catalogue import birthday_cake_search as engine
from bestfirst.formats.tokens import InputError
from bestfirst.render import birthday_cake as render
from bestfirst.result import Limits, Status

SAMPLE = "100\n2\n"


def cake(volume, layers):
    return problem.Instance(volume=volume, layers=layers)


def claimed(cost, *layers, status=Status.OPTIMAL, bound=None):
    parts = tuple(problem.Layer(radius=radius, height=height) for radius, height in layers) or None
    return problem.Answer(status=status, cost=cost, bound=cost if bound is None else bound, layers=parts)


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == "68\n"
    assert answer.layers == (problem.Layer(radius=4, height=6), problem.Layer(radius=2, height=1))
    assert problem.check(instance, answer) is None
    assert problem.read_answers("68\n", [instance]) == [claimed(68)]


def test_the_twins_agree():
    for layers in range(1, 4):
        for volume in range(1, 70):
            assert naive.least_surface(volume, layers) == naive.least_surface_by_table(volume, layers)


@pytest.mark.compiled_only
def test_all_small_cakes_as_by_the_twin():
    impossible = 0
    for layers in range(1, 7):
        for volume in range(1, 200):
            answer = problem.solve(cake(volume, layers))
            assert answer.cost == naive.least_surface_by_table(volume, layers), (volume, layers)
            assert answer.status is (Status.INFEASIBLE if answer.cost is None else Status.OPTIMAL)
            assert problem.check(cake(volume, layers), answer) is None
            impossible += answer.cost is None
    assert impossible > 100


@given(st.integers(200, 420), st.integers(1, 6))
def test_cakes_as_by_the_twin(volume, layers):
    answer = problem.solve(cake(volume, layers))
    assert answer.cost == naive.least_surface_by_table(volume, layers)
    assert problem.check(cake(volume, layers), answer) is None


@pytest.mark.compiled_only
def test_no_pruning_changes_an_answer_and_each_saves_work():
    generated = dict.fromkeys(problem.PRUNINGS, 0)
    usual = 0
    for seed in range(40):
        instance = problem.generate(seed, volume=random.Random(seed).choice([300, 1500, 4000]), layers=seed % 4 + 3)
        best = problem.search(instance)
        usual += best.stats.generated
        for name in problem.PRUNINGS:
            solution = problem.search(instance, without={name})
            assert (solution.status, solution.cost) == (best.status, best.cost), (name, instance)
            assert problem.check(instance, problem.answer(instance, solution)) is None
            generated[name] += solution.stats.generated
    assert all(count > usual for count in generated.values()), (generated, usual)
    for volume in range(30, 90):
        plain = problem.search(cake(volume, 3), without=problem.PRUNINGS)
        assert plain.cost == naive.least_surface_by_table(volume, 3)
    with pytest.raises(ValueError, match="there is no pruning depth"):
        problem.search(instance, without={"depth"})


@pytest.mark.compiled_only
def test_large_cakes_as_by_the_textbook_bound():
    """The search with 2v / r as its bound and nothing kept is a second method."""
    for seed in range(12):
        instance = problem.generate(seed, volume=20_000)
        textbook = problem.search(instance, without={"penalty", "multiplier", "memory", "limit"})
        assert problem.search(instance).cost == textbook.cost


@pytest.mark.compiled_only
def test_known_cakes():
    assert problem.solve(cake(1, 1)).cost == 3
    assert problem.solve(cake(9_999_991, 1)).cost == 1 + 2 * 9_999_991  # a prime
    assert problem.solve(cake(10_000_000, 1)).cost == 140_000  # radius 200, height 250
    for layers in (10, 40):
        least = (layers * (layers + 1) // 2) ** 2
        assert problem.solve(cake(least, layers)).cost == layers**2 + layers * (layers + 1) * (2 * layers + 1) // 3
        for volume in (1, least - 1, least + 1, least + layers**2 - 1):
            assert problem.solve(cake(volume, layers)).status is Status.INFEASIBLE
    assert problem.write(problem.solve(cake(least - 1, layers))) == "0\n"
    for volume, layers, surface in ((1_000_000, 20, 32_449), (1_000_000, 40, 54_784)):
        answer = problem.solve(cake(volume, layers))
        assert (answer.status, answer.cost) == (Status.OPTIMAL, surface)
        assert problem.check(cake(volume, layers), answer) is None


# --- bounds -------------------------------------------------------------------------------------------------------------


@pytest.mark.compiled_only
def test_no_bound_overestimates():
    """Any cake drawn has at least the least surface, and no multiplier claims more of its side than there is."""
    rng = random.Random(1)
    for seed in range(200):
        instance = problem.generate(seed, volume=3000, layers=rng.randint(1, 8), solvable=True)
        search = engine.CakeSearch(instance.volume, instance.layers, {})
        least = search.counters[engine.LIMIT]
        best = problem.solve(instance)
        assert least <= best.cost
        layers = [(layer.radius, layer.height) for layer in best.layers]
        width = len(search.tables.squares) // (instance.layers + 1)
        for k in range(1, instance.layers):
            above = layers[-k:]
            for rho in range(above[0][0], 2 * width - 1):
                if search.tables.is_filled[rho]:
                    penalty = search.tables.penalty[(rho * (instance.layers + 1) + k) * width + above[0][0]]
                    assert penalty <= sum(2 * r * h * (rho - r) for r, h in above)


# --- stopping, resuming, interpreting -----------------------------------------------------------------------------------


@pytest.mark.compiled_only
def test_stopped_resumed_and_paused_anywhere(tmp_path):
    instance = cake(20_000, 10)
    whole = problem.search(instance)
    kept = tmp_path / "kept.npz"
    stopped = problem.solve(instance, limits=Limits(nodes=300), checkpoint=kept)
    assert stopped.status in (Status.FEASIBLE, Status.STOPPED)
    assert 0 < stopped.bound <= whole.cost
    assert problem.check(instance, stopped) is None
    with pytest.raises(ValueError, match="the search was stopped"):
        problem.write(stopped)
    resumed = problem.search(instance, resume=kept)
    assert (resumed.cost, resumed.moves, resumed.stats.generated) == (whole.cost, whole.moves, whole.stats.generated)
    paused = engine.CakeSearch(20_000, 10, {})
    rng = random.Random(1)
    while paused.advance(paused.progress().generated + rng.randint(1, 60)) == 0:
        progress = paused.progress()
        assert progress.bound <= whole.cost <= (progress.incumbent or whole.cost)
    assert paused.best() == (whole.cost, whole.moves)
    assert paused.stats().generated == whole.stats.generated
    feasible = problem.solve(instance, limits=Limits(nodes=whole.stats.generated - 1))
    assert (feasible.status, problem.check(instance, feasible)) == (Status.FEASIBLE, None)
    assert problem.search(instance, limits=Limits(memory=1000)).stopped_by == "memory"


def test_interpreted_as_compiled():
    for volume, layers in ((100, 2), (150, 1), (700, 4), (130, 4)):
        one, other = problem.search(cake(volume, layers)), problem.search(cake(volume, layers), compiled=False)
        assert (one.cost, one.moves, one.stats.generated) == (other.cost, other.moves, other.stats.generated)


# --- checker ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (claimed(None, (4, 6)), "no surface is claimed"),
        (claimed(None), "the status is optimal, but no"),
        (claimed(68, status=Status.INFEASIBLE), "but a surface is claimed"),
        (claimed(68, bound=67), "its bound is 67"),
        (claimed(68, bound=69, status=Status.FEASIBLE), "the bound is 69"),
        (claimed(68, (4, 6)), "there are 1 layers"),
        (claimed(68, (4, 6), (2, 0)), "both must be at least 1"),
        (claimed(68, (4, 6), (4, 1)), "layer 2 has the radius 4, it must be smaller than the 4 below"),
        (claimed(68, (4, 3), (2, 3)), "layer 2 has the height 3"),
        (claimed(68, (4, 6), (1, 1)), "the volume 97"),
        (claimed(67, (4, 6), (2, 1)), "the surface is 68, not 67"),
    ],
)
def test_checker_messages(answer, message):
    assert message in problem.check(cake(100, 2), answer)


@pytest.mark.compiled_only
def test_changed_answers_are_caught():
    rng = random.Random(1)
    for seed in range(60):
        instance = problem.generate(seed, volume=2000, layers=4, solvable=True)
        layers = [[layer.radius, layer.height] for layer in problem.solve(instance).layers]
        cost = problem.solve(instance).cost
        rng.choice(layers)[rng.randrange(2)] += rng.choice((-1, 1))
        assert problem.check(instance, claimed(cost, *layers)) is not None  # one number changed changes the volume


# --- formats ------------------------------------------------------------------------------------------------------------


def test_text_and_json_there_and_back():
    several = [problem.generate(seed, volume=300, solvable=[None, True][seed % 2]) for seed in range(8)]
    text = "".join(map(problem.write_instance, several))
    for same in (text, "\ufeff" + text.replace("\n", "\r\n"), " ".join(text.split())):
        assert list(problem.read(same)) == several
    answers = [problem.solve(instance) for instance in several]
    read = problem.read_answers("".join(map(problem.write, answers)), several)
    assert [(answer.status, answer.cost) for answer in read] == [(answer.status, answer.cost) for answer in answers]
    for instance, answer in zip(several, answers, strict=True):
        assert msgspec.json.decode(msgspec.json.encode(instance), type=problem.Instance) == instance
        assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the volume N"),
        ("x", (1, 1), "found 'x'"),
        ("0 2", (1, 1), "at least 1"),
        ("100", (1, 4), "the number of layers M"),
        ("100\n2\n10000001 2", (3, 1), "at most 10000000"),
        ("100 80", (1, 5), "at most 79"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(("text", "message"), [("", "for case 1"), ("68 2", "every case has its answer"), ("-1", "at least 0")])
def test_bad_answers_are_named(text, message):
    with pytest.raises(InputError, match=message):
        problem.read_answers(text, list(problem.read(SAMPLE)))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"volume": 0, "layers": 2}, "volume is 0"),
        ({"volume": 1 << 64, "layers": 2}, "volume is"),
        ({"volume": 9, "layers": 80}, "number of layers is 80"),
        ({"volume": 9, "layers": 2, "more": 1}, "more"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises((msgspec.ValidationError, ValueError), match=message):
        msgspec.json.decode(msgspec.json.encode({"problem": "birthday-cake", **values}), type=problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


@pytest.mark.compiled_only
def test_generator():
    assert problem.generate(5) == problem.generate(5) != problem.generate(6)
    for seed in range(20):
        drawn = problem.generate(seed, volume=700, layers=4)
        assert (630 <= drawn.volume <= 700, drawn.layers) == (True, 4)
        solvable = problem.generate(seed, volume=700, layers=4, solvable=True)
        assert 100 <= solvable.volume <= 700
        assert problem.solve(solvable).status is Status.OPTIMAL
        assert problem.solve(problem.generate(seed, layers=4, solvable=False)).status is Status.INFEASIBLE
    for bad in ({"volume": 0}, {"layers": 80}, {"layers": 0}):
        with pytest.raises(ValueError, match="it must be from 1 to"):
            problem.generate(1, **bad)
    with pytest.raises(ValueError, match="any volume"):
        problem.generate(1, layers=1, solvable=False)
    with pytest.raises(ValueError, match="more than 50"):
        problem.generate(1, volume=50, layers=4, solvable=True)


def test_pictures():
    instance = cake(700, 4)
    answer = problem.solve(instance)
    assert render.text(instance, False) == "volume 700π, 4 layers\n"
    (lines,) = render.text_steps(instance, answer, False)
    shown = [line.partition("radius ")[2] for line in lines.splitlines()[1:]]
    assert shown == [f"{layer.radius}, height {layer.height}" for layer in reversed(answer.layers)]
    assert "\x1b[3" in next(render.text_steps(instance, answer, True))
    classes = [e.get("class") for e in ET.fromstring(render.svg(instance, answer)).iter()]
    assert classes.count("layer") == 4
    assert ET.fromstring(render.svg(instance)) is not None
    assert "there is no such cake" in render.svg(cake(8, 2), problem.solve(cake(8, 2)))
    stopped = problem.solve(cake(20_000, 10), limits=Limits(nodes=0))
    assert f"it is at least {stopped.bound}π" in next(render.text_steps(cake(20_000, 10), stopped, False))
