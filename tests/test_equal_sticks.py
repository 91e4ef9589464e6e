"""Equal sticks: the smallest length as a slow twin and CP-SAT find it, hard cases, mutated answers, formats, pictures."""

import logging
import random
import xml.etree.ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_packing
from bestfirst import Limits, Status
from bestfirst.catalogue import bin_packing_search
from bestfirst.catalogue import equal_sticks as problem
from bestfirst.checkpoint import CheckpointError
from bestfirst.formats.tokens import InputError
from bestfirst.render import equal_sticks as render

SAMPLE = "9\n5 2 1 5 2 1 5 2 1\n4\n1 2 3 4\n0\n"

instances = st.builds(problem.Instance, pieces=st.lists(st.integers(1, 12), min_size=1, max_size=9).map(tuple))


def random_instance(rng, most):
    """Pieces that may be cut from equal sticks, at times with one changed."""
    sticks = rng.randint(1, 4)
    instance = problem.generate(rng.random(), pieces=rng.randint(sticks, most), longest=rng.choice((4, 9, 50)), sticks=sticks)
    pieces = list(instance.pieces)
    if rng.random() < 0.3:
        pieces[0] = rng.randint(1, 9)
    return problem.Instance(pieces=tuple(pieces))


@pytest.fixture
def patterns_at_once(monkeypatch):
    """Let the linear program begin after a few nodes, and hand little to bin completion."""
    for name, value in (("_DECISION_NODES", 3), ("_FEW_ITEMS", 4), ("_DIVE_NODES", 20), ("_PATH_ITEMS", 1)):
        monkeypatch.setattr(bin_packing_search, name, value)


def by_cp_sat(pieces, length):
    """Whether the pieces make sticks of this length."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    sticks = sum(pieces) // length
    inside = [[model.new_bool_var("") for _ in range(sticks)] for _ in pieces]
    for row in inside:
        model.add_exactly_one(row)
    for stick in range(sticks):
        model.add(sum(piece * row[stick] for piece, row in zip(pieces, inside, strict=True)) == length)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return status == cp_model.OPTIMAL


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    answers = [problem.solve(instance) for instance in problem.read(SAMPLE)]
    assert "".join(map(problem.write, answers)) == "6\n5\n"
    assert [problem.check(*pair) for pair in zip(problem.read(SAMPLE), answers, strict=True)] == [None, None]


def test_smallest_length_as_the_twin_finds():
    rng = random.Random(1)
    lengths = set()
    for _ in range(1000):
        instance = random_instance(rng, 10)
        answer = problem.solve(instance)
        assert (answer.status, answer.cost) == (Status.OPTIMAL, naive_packing.shortest_sticks(instance.pieces))
        assert problem.check(instance, answer) is None
        lengths.add(sum(instance.pieces) // answer.cost)
    assert lengths >= {1, 2, 3, 4}


def test_patterns_as_the_twin_finds(patterns_at_once):
    rng = random.Random(2)
    for _ in range(300):
        instance = random_instance(rng, 11)
        answer = problem.solve(instance)
        assert (answer.status, answer.cost) == (Status.OPTIMAL, naive_packing.shortest_sticks(instance.pieces))
        assert problem.check(instance, answer) is None


def test_lengths_as_cp_sat_finds():
    for seed in range(5):
        instance = problem.generate(seed, pieces=14, longest=20, sticks=3 + seed % 2)
        total, longest = sum(instance.pieces), max(instance.pieces)
        lengths = [length for length in range(longest, total + 1) if total % length == 0 and by_cp_sat(instance.pieces, length)]
        assert problem.solve(instance).cost == lengths[0]


def hard_cases():
    rng = random.Random(3)
    yield (50,) * 64, 50
    yield (50,) * 63 + (7,), 63 * 50 + 7
    yield problem.generate(1, pieces=64, one=True).pieces, None
    yield tuple(problem.generate(2, pieces=64, sticks=16).pieces), None
    even = [2 * rng.randint(1, 25) for _ in range(61)]
    yield (*even, 1, 49, 2 + -sum(even) % 8), None
    yield tuple([7 * rng.randint(1, 7) for _ in range(60)] + [1, 2, 3, 9]), None
    yield tuple(rng.choice((43, 47, 50)) for _ in range(64)), None


def test_hard_cases_of_64_pieces():
    for pieces, length in hard_cases():
        instance = problem.Instance(pieces=pieces)
        solution = problem.search(instance)
        answer = problem.answer(instance, solution)
        assert answer.status is Status.OPTIMAL
        assert length in (None, answer.cost)
        assert problem.check(instance, answer) is None
        assert solution.stats.generated < 2_000_000


def test_cut_from_sticks_is_never_longer():
    for seed in range(20):
        instance = problem.generate(seed, pieces=48, longest=40, sticks=12)
        assert problem.solve(instance).cost <= sum(instance.pieces) // 12


def test_large_numbers():
    most = problem.MAX_TOTAL
    instance = problem.Instance(pieces=(most // 4, most // 4 - 1, 1, most // 2 - 5, 2, 3))
    assert problem.solve(instance).cost == most // 2


@pytest.mark.parametrize("name", problem.PRUNINGS)
def test_a_pruning_does_not_change_the_length(name, patterns_at_once):
    rng = random.Random(name)
    for _ in range(80):
        instance = random_instance(rng, 9)
        answer = problem.answer(instance, problem.search(instance, without={name}))
        assert answer.cost == naive_packing.shortest_sticks(instance.pieces)
        assert problem.check(instance, answer) is None


def test_a_pruning_that_does_not_exist():
    with pytest.raises(ValueError, match="no pruning fullest-first; there are: sums"):
        problem.search(next(problem.read(SAMPLE)), without={"fullest-first"})


def test_interpreted_with_the_same_counts(patterns_at_once):
    for seed in range(3):
        instance = problem.generate(seed, pieces=12, longest=20, sticks=4)
        solution = problem.search(instance)
        slow = problem.search(instance, compiled=False)
        assert (solution.moves, solution.stats.generated) == (slow.moves, slow.stats.generated)


def test_stopped_at_a_limit_and_gone_on_from_a_file(patterns_at_once, tmp_path):
    hard = problem.Instance(pieces=(*(7 * i for i in range(1, 8)), *(7 * i for i in range(1, 8)), 1, 2, 3, 8, 14, 21, 7, 7))
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
    with pytest.raises(CheckpointError):
        problem.search(problem.generate(5), resume=file)


# --- checker ------------------------------------------------------------------------------------------------------------


def test_checker_finds_every_fault():
    rng = random.Random(2)
    verdicts = set()
    for _ in range(80):
        instance = random_instance(rng, 9)
        best = problem.solve(instance)
        for _ in range(15):
            sticks = [list(pieces) for pieces in best.sticks]
            a, b = rng.choice(sticks), rng.choice(sticks)
            change = rng.randrange(4)
            if change == 0:
                a[0], b[-1] = b[-1], a[0]
            elif change == 1:
                a.append(b.pop())
            elif change == 2:
                a[0] = rng.randint(1, len(instance.pieces))
            else:
                a.extend(b)
                sticks.remove(b)
            sticks = tuple(tuple(pieces) for pieces in sticks if pieces)
            right = sorted(p for pieces in sticks for p in pieces) == list(range(1, len(instance.pieces) + 1))
            right = right and {sum(instance.pieces[p - 1] for p in pieces) for pieces in sticks} == {best.cost}
            fault = problem.check(instance, msgspec.structs.replace(best, sticks=sticks))
            assert (fault is None) == right
            verdicts.add((right, sticks == best.sticks))
    assert verdicts >= {(False, False), (True, True), (True, False)}


@pytest.mark.parametrize(
    ("status", "cost", "bound", "sticks", "message"),
    [
        ("optimal", 5, 5, ((1, 4), (2, 3)), None),
        ("feasible", 10, 4, ((1, 2, 3, 4),), None),
        ("stopped", None, 4, None, None),
        ("infeasible", None, None, None, "all pieces make one"),
        ("stopped", 10, 4, None, "its status is stopped"),
        ("optimal", None, None, None, "the length is missing"),
        ("optimal", 5, 4, None, "its bound is 4"),
        ("feasible", 5, 6, None, "the bound is 6"),
        ("optimal", 3, 3, None, "there is a piece of length 4"),
        ("optimal", 4, 4, None, "does not divide that of all pieces, 10"),
        ("optimal", 5, 5, ((1, 4), (2, 5)), "stick 2: there is no piece 5"),
        ("optimal", 5, 5, ((1, 4), (2, 2)), "stick 2: piece 2 is used twice"),
        ("optimal", 5, 5, ((1, 3), (2, 4)), "stick 1 has length 4, not 5"),
        ("optimal", 5, 5, ((1, 4),), "piece 2 is in no stick"),
    ],
)
def test_checker_messages(status, cost, bound, sticks, message):
    instance = problem.Instance(pieces=(1, 2, 3, 4))
    fault = problem.check(instance, problem.Answer(status=Status(status), cost=cost, bound=bound, sticks=sticks))
    assert fault is None if message is None else message in fault


# --- formats ------------------------------------------------------------------------------------------------------------


@given(instances, instances)
def test_text_and_json_there_and_back(one, other):
    text = problem.write_instance(one) + problem.write_instance(other)
    assert list(problem.read(text)) == [one, other]
    assert list(problem.read("\ufeff" + text.replace("\n", "\r\n") + "0\nnot read")) == [one, other]
    answers = [problem.solve(one), problem.solve(other)]
    read = problem.read_answers("".join(map(problem.write, answers)), [one, other])
    assert read == [msgspec.structs.replace(answer, sticks=None) for answer in answers]
    assert msgspec.json.decode(msgspec.json.encode(one), type=problem.Instance) == one
    assert msgspec.json.decode(msgspec.json.encode(answers[0]), type=problem.Answer) == answers[0]


def test_long_pieces_are_left_out_with_a_warning(caplog):
    with caplog.at_level(logging.WARNING, logger="bestfirst"):
        cases = list(problem.read("3\n5 51 50\n2\n1 1\n"))
    assert [case.pieces for case in cases] == [(5, 50), (1, 1)]
    assert caplog.messages == ["case 1: pieces longer than 50 are left out: 1 of 3"]
    long = problem.Instance(pieces=(60, 60))
    assert problem.solve(long).cost == 60
    with pytest.raises(ValueError, match="JSON has them"):
        problem.write_instance(long)


def test_what_is_not_proved_is_not_written():
    with pytest.raises(ValueError, match="it is at least 4"):
        problem.write(problem.Answer(status=Status.FEASIBLE, cost=10, bound=4, sticks=None))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("-1", (1, 1), "the number of pieces n is -1"),
        ("2\n1", (2, 2), r"the length \(piece 2 of 2\) is expected"),
        ("2\n1 0", (2, 3), "at least 1"),
        ("2\n1 x", (2, 3), "'x'"),
        ("1\n1\n1\n51\n", (3, 1), "all pieces of this case are longer than 50"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place
    assert list(problem.read("")) == []


@pytest.mark.parametrize(("text", "message"), [("6", "case 2"), ("6 5 4", "every case has its answer"), ("0 1", "at least 1")])
def test_bad_answers_are_named(text, message):
    with pytest.raises(InputError, match=message):
        problem.read_answers(text, list(problem.read(SAMPLE)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pieces": ()}, "there are 0 pieces"),
        ({"pieces": (1, 0)}, "piece 2 has length 0"),
        ({"pieces": (10**11, 1)}, "have length 100000000001 together"),
        ({"pieces": (1.5,)}, "float"),
        ({"sticks": 1}, "sticks"),
    ],
)
def test_bad_json_is_refused(change, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "equal-sticks", "pieces": (1, 2), **change}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(15):
        instance = problem.generate(seed, pieces=11, longest=9, sticks=seed % 4)
        assert instance == problem.generate(seed, pieces=11, longest=9, sticks=seed % 4)
        assert len(instance.pieces) == 11
        assert all(1 <= piece <= 9 for piece in instance.pieces)
        if seed % 4:
            assert naive_packing.shortest_sticks(instance.pieces) <= sum(instance.pieces) // (seed % 4)
        alone = problem.generate(seed, pieces=2 + seed % 7, longest=2 + seed, one=True)
        assert naive_packing.shortest_sticks(alone.pieces) == sum(alone.pieces)
    assert len({problem.generate(seed) for seed in range(20)}) == 20
    for bad in ({"pieces": 0}, {"longest": 0}, {"sticks": -1}, {"pieces": 3, "sticks": 4}):
        with pytest.raises(ValueError, match="there are no"):
            problem.generate(1, **bad)
    with pytest.raises(ValueError, match="cannot be cut"):
        problem.generate(1, pieces=7, sticks=4, longest=1)
    with pytest.raises(ValueError, match="for one stick alone"):
        problem.generate(1, pieces=1, one=True)


def test_pictures_show_pieces_and_sticks():
    for seed in range(5):
        instance = problem.generate(seed, pieces=6 + seed, sticks=2 + seed % 2)
        answer = problem.solve(instance)
        for color in (False, True):
            assert len(render.text(instance, color).splitlines()) == 1 + len(instance.pieces)
            (picture,) = render.text_steps(instance, answer, color)
            assert len(picture.splitlines()) == 1 + len(answer.sticks)
            assert ("\x1b" in picture) == color
        for picture, bars in ((render.svg(instance), len(instance.pieces)), (render.svg(instance, answer), len(answer.sticks))):
            kinds = [element.get("class") for element in ET.fromstring(picture).iter()]
            assert (kinds.count("segment"), kinds.count("caption")) == (len(instance.pieces), bars)
    stopped = problem.Answer(status=Status.FEASIBLE, cost=90, bound=30, sticks=None)
    assert "of length 30 to 90" in next(render.text_steps(instance, stopped, False))
    unknown = problem.Answer(status=Status.STOPPED, cost=None, bound=30, sticks=None)
    assert "of length 30 at least" in render.svg(instance, unknown)
