"""The problem rolling block on the plane: as breadth-first search finds it, ways replayed, checker, formats, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_steps as naive
from bestfirst.catalogue import rolling_block_plane as problem
from bestfirst.formats.tokens import InputError, Tokens
from bestfirst.render import rolling_block_plane as render
from bestfirst.result import Limits, Status

SAMPLE = "U 0 0\nH 0 0\nV 1 0\nU 3 3\nU 7 9\n"
FAR = 10**18


def instance_of(lines):
    poses, x, y = zip(*lines, strict=True)
    return problem.Instance(poses="".join(poses), x=x, y=y)


def optimal(rolls):
    return problem.Answer(status=Status.OPTIMAL, rolls=tuple(rolls))


def under(pose, x, y):
    return frozenset([(x, y), (x + (pose == "V"), y + (pose == "H"))])


@pytest.fixture(scope="module")
def window():
    """(pose, x, y) -> fewest rolls, for all coordinates up to 30, by growing layers of cells under the block on a large board.

    The board has 140 cells more on each side, and no position of the window needs more than 50 rolls of at most two cells.
    """
    middle = 170
    neighbours = naive.block_neighbours(["." * (2 * middle + 1)] * (2 * middle + 1))
    wanted = {under(p, x + middle, y + middle): (p, x, y) for p in "UVH" for x in range(-30, 31) for y in range(-30, 31)}
    found, met = {}, set()
    layer, depth = {under("U", middle, middle)}, 0
    while len(found) < len(wanted):
        found |= {wanted[place]: depth for place in layer if place in wanted}
        met |= layer
        layer = {other for place in layer for other in neighbours(place)} - met
        depth += 1
    assert depth < 60
    return found


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == "0\n4\n1\n4\n11\n"
    assert problem.check(instance, answer) is None
    assert problem.read_answers("0\n4\n1\n4\n11\n", [instance]) == [answer]


def test_the_formula_is_what_breadth_first_search_finds(window):
    instance = instance_of(window)
    answer = problem.solve(instance)
    assert answer == optimal(window.values())
    assert problem.check(instance, answer) is None


def test_the_ways_lead_to_the_goal_and_are_shortest(window):
    shift = {"L": (-1, 0), "R": (1, 0), "D": (0, -1), "U": (0, 1)}
    for (pose, x, y), rolls in window.items():
        if max(abs(x), abs(y)) > 12:
            continue
        letters = problem.way(pose, x, y)
        assert len(letters) == rolls
        (left, bottom), (right, top) = min(under(pose, x, y)), max(under(pose, x, y))
        for letter in letters:
            across, up = shift[letter]
            height = 2 if (left, bottom) == (right, top) else 1
            if across:
                left, right = (right + 1, right + height) if across > 0 else (left - height, left - 1)
            else:
                bottom, top = (top + 1, top + height) if up > 0 else (bottom - height, bottom - 1)
        assert (left, bottom, right, top) == (0, 0, 0, 0)


coordinates = st.integers(-FAR, FAR)


@given(st.lists(st.tuples(st.sampled_from("UVH"), coordinates, coordinates), min_size=1, max_size=9))
def test_far_away_and_by_symmetry(lines):
    """The twin cannot go there; but mirror images are as far, three cells farther are two rolls more, the checker agrees."""
    instance = instance_of(lines)
    answer = problem.solve(instance)
    assert problem.check(instance, answer) is None
    swapped = instance_of([({"V": "H", "H": "V"}.get(p, p), y, x) for p, x, y in lines])
    mirrored = instance_of([(p, max(-FAR, -x - (p == "V")), y) for p, x, y in lines])
    assert problem.solve(swapped) == answer
    if -FAR not in mirrored.x:
        assert problem.solve(mirrored) == answer
    for (pose, x, y), rolls in zip(lines, answer.rolls, strict=True):
        assert 2 * (abs(x) + abs(y)) // 3 <= rolls + 2
        nearer = instance_of([(pose, x - 3 if x > 0 else x + 3, y)])
        if abs(x) > 8:
            assert problem.solve(nearer).rolls == (rolls - 2,)


def test_the_plane_is_left_in_no_direction():
    """In one quadrant V 0 0 would need five rolls; leaving it, four are enough."""
    assert problem.solve(instance_of([("V", 0, 0)])).rolls == (4,)


def test_a_stopped_search_knows_the_first_lines(tmp_path):
    instance, kept = problem.generate(1, lines=5000), tmp_path / "kept.npz"
    whole = problem.solve(instance)
    stopped = problem.answer(instance, problem.search(instance, limits=Limits(nodes=2000), checkpoint=kept))
    assert stopped.status is Status.STOPPED
    assert stopped.rolls == whole.rolls[:2000] + (-1,) * 3000
    assert problem.check(instance, stopped) is None
    with pytest.raises(ValueError, match="not all numbers"):
        problem.write(stopped)
    assert problem.solve(instance, resume=kept) == whole
    assert problem.solve(instance, limits=Limits(memory=100)).status is Status.STOPPED


# --- checker ------------------------------------------------------------------------------------------------------------


@given(st.integers(0, 1000), st.sampled_from((8, 10**6, FAR)), st.data())
def test_checker_finds_every_fault(seed, farthest, data):
    instance = problem.generate(seed, farthest=farthest)
    right = problem.solve(instance).rolls
    at = data.draw(st.integers(0, len(right) - 1))
    wrong = list(right)
    wrong[at] += data.draw(st.sampled_from((-2, -1, 1, 2, 10**17)))
    assert problem.check(instance, optimal(wrong)).startswith(f"question {at + 1}")


def test_checker_messages():
    instance = instance_of([("V", 0, 0), ("U", 3, 3)])
    for answer, message in (
        (optimal([4, 5]), "question 2, U 3 3: the answer is 5, but the fewest rolls are 4"),
        (optimal([5, 4]), "question 1, V 0 0: the answer is 5, but the fewest rolls are 4"),
        (optimal([4]), "there are 1 numbers for 2 questions"),
        (optimal([4, 1 << 70]), "question 2: no way needs"),
        (optimal([4, -1]), "question 2"),
        (problem.Answer(status=Status.STOPPED, rolls=(4, -1)), None),
        (problem.Answer(status=Status.INFEASIBLE, rolls=(4, 4)), "the status is infeasible"),
    ):
        fault = problem.check(instance, answer)
        assert fault is None if message is None else fault.startswith(message)


# --- formats ------------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.integers(1, 20), st.sampled_from((0, 9, 10**9, FAR)))
def test_text_and_json_there_and_back(seed, lines, farthest):
    instance = problem.generate(seed, lines=lines, farthest=farthest)
    text = problem.write_instance(instance)
    for same in (
        text,
        text.rstrip("\n"),
        "\ufeff" + text.replace("\n", "\r\n"),
        " ".join(text.split()),
        text.replace(" ", "\t "),
    ):
        assert list(problem.read(same)) == [instance]
    answer = problem.solve(instance)
    assert problem.read_answers(problem.write(answer), [instance]) == [answer]
    assert msgspec.json.decode(msgspec.json.encode(instance), type=problem.Instance) == instance
    assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer


def test_no_lines_are_no_case_and_plus_signs_are_read():
    assert list(problem.read("")) == list(problem.read(" \n")) == []
    assert list(problem.read("U +3 -4")) == [instance_of([("U", 3, -4)])]


@pytest.mark.parametrize("text", ["U 3 +", "U 3 -", "U - 3 3", "U 3-4", "U 3+ 4", "U -+3 4", "U 3 4 -"])
def test_a_sign_alone_is_no_number(text):
    with pytest.raises(InputError):
        list(problem.read(text))


@given(st.integers(0, 2**32), st.integers(0, 3))
def test_the_quick_reader_reads_nothing_that_the_careful_one_refuses(seed, changes):
    rng = random.Random(seed)
    text = [
        f"{rng.choice('UVH')} {rng.randint(-20, 20)} {rng.choice('++- ')}{rng.randint(0, 10 ** rng.choice((1, 18, 20)))}\n"
        for _ in range(3)
    ]
    letters = list("".join(text))
    for _ in range(changes):
        letters[rng.randrange(len(letters))] = rng.choice(
            [*"UVHux0123456789+-.,_e \n\t\r\f\v\0", "\xa0", "\u2028", "²", "٣", "\ufeff", ""]
        )
    text = "".join(letters)
    quick = problem._plain_lines(text)
    if quick is not None:
        assert quick == problem._lines(Tokens(text))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("U 1 2\nX 1 2", (2, 1), "expected U, V or H, found 'X'"),
        ("U 1 2 3", (1, 7), "expected U, V or H, found '3'"),
        ("U 1 2\nV 1", (2, 4), "the coordinate y is expected"),
        ("U 1 2\nV", (2, 2), "the coordinate x is expected"),
        ("U1 2 3", (1, 1), "found 'U1'"),
        ("1 U 2", (1, 1), "found '1'"),
        ("UV 1 2", (1, 1), "found 'UV'"),
        ("U V 2", (1, 3), "the coordinate x, a whole number, found 'V'"),
        ("2000000000000000000 1 2", (1, 1), "expected U, V or H"),
        ("U 2000000000000000000 2", (1, 3), "at most 1000000000000000000"),
        ("U 1 2\nU 1 -1000000000000000001", (2, 5), "at least -1000000000000000000"),
        ("U 1 99999999999999999999", (1, 5), "at most"),
        ("U 1 -9223372036854775808", (1, 5), "at least"),
        ("U 1 1" + "0" * 40, (1, 5), "41 digits"),
        ("U 1.5 2", (1, 3), "'1.5'"),
        ("U 1_0 2", (1, 3), "'1_0'"),
        ("U ٣ 2", (1, 3), "a whole number"),
        ("u 1 2", (1, 1), "found 'u'"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("0\n4\n1\n4\n", (4, 2), "question 5 of 5"),
        ("0\n4\n1\n4\n11\n0", (6, 1), "every question has its answer"),
        ("0\n-4", (2, 1), "at least 0"),
        ("0\nx", (2, 1), "'x'"),
    ],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, list(problem.read(SAMPLE)))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"poses": "UV", "x": [1, 2], "y": [1]}, "2 poses, 2 x and 1 y"),
        ({"poses": "", "x": [], "y": []}, "one at least"),
        ({"poses": "UX", "x": [1, 2], "y": [1, 2]}, "pose 2 is 'X'"),
        ({"poses": "U", "x": [FAR + 1], "y": [1]}, "a coordinate x is farther"),
        ({"poses": "U", "x": [1], "y": [-FAR - 1]}, "a coordinate y is farther"),
        ({"poses": "U", "x": [1.5], "y": [1]}, "int"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "rolling-block-plane", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    rng = random.Random(1)
    for seed in range(30):
        lines, farthest, negative = rng.randint(1, 50), rng.randint(0, 99), rng.random() < 0.5
        instance = problem.generate(seed, lines=lines, farthest=farthest, negative=negative)
        assert instance == problem.generate(seed, lines=lines, farthest=farthest, negative=negative)
        assert len(instance.poses) == lines
        values = np.array([instance.x, instance.y])
        assert abs(values).max() <= farthest
        assert negative or values.min() >= 0
    assert len({problem.generate(seed) for seed in range(30)}) == 30
    for bad in ({"lines": 0}, {"farthest": -1}, {"farthest": FAR + 1}):
        with pytest.raises(ValueError, match="there are no"):
            problem.generate(1, **bad)


def test_pictures():
    instance = instance_of([("U", 3, 3), ("V", -2, 0), ("H", 5, 5), ("U", 5, 6), ("U", 3000, 0)])
    answer = problem.solve(instance)
    assert render.text(instance, False) == problem.write_instance(instance)
    (shown,) = render.text_steps(instance, answer, False)
    lines = shown.splitlines()
    assert lines[0].split() == ["U", "3", "3", "4", problem.way("U", 3, 3)]
    assert lines[4].split() == ["U", "3000", "0", "2000"]  # too long to write out
    (shown,) = render.text_steps(instance, answer, True)
    assert "\x1b[1m4\x1b[0m" in shown
    for picture, labels in ((render.svg(instance), "UVH"), (render.svg(instance, answer), map(str, answer.rolls[:3]))):
        elements = list(ET.fromstring(picture).iter())
        assert [element.get("class") for element in elements].count("cell") == 25 * 25
        texts = [element.text for element in elements if element.tag.endswith("text") and element.get("class") is None]
        assert set(texts) == {*labels, "O"}
        assert "2 not drawn" in picture
    stopped = problem.Answer(status=Status.STOPPED, rolls=(-1,) * 5)
    assert "not known" in next(render.text_steps(instance, stopped, False))
    assert ">?<" in render.svg(instance, stopped)
