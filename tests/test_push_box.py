"""The problem push-box: the first of all best answers as brute force finds it, a checker, two notations, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_push_box as naive
from bestfirst.catalogue import push_box as problem
from bestfirst.catalogue import push_box_search
from bestfirst.checkpoint import CheckpointError
from bestfirst.control import FULL, PAUSED
from bestfirst.formats.tokens import InputError
from bestfirst.render import push_box as render
from bestfirst.result import Limits, Status

pytestmark = pytest.mark.slow  # compiles much

SAMPLE = """\
1 7
SB....T
1 7
SB..#.T
7 11
###########
#T##......#
#.#.#..####
#....B....#
#.######..#
#.....S...#
###########
8 4
....
.##.
.#..
.#..
.#.B
.##S
....
###T
0 0
"""
SAMPLE_OUTPUT = """\
Maze #1
EEEEE

Maze #2
Impossible.

Maze #3
eennwwWWWWeeeeeesswwwwwwwnNN

Maze #4
swwwnnnnnneeesssSSS

"""


@st.composite
def instances(draw, side=7):
    rows, columns = draw(st.integers(1, side)), draw(st.integers(3, side))
    walls = draw(st.integers(0, min(rows * columns - 3, rows * columns // 3)))
    instance = problem.generate(draw(st.integers(0, 10**6)), rows=rows, columns=columns, walls=walls)
    return draw(st.sampled_from([instance, instance, man_on_target(instance)]))


def man_on_target(instance):
    rows = (row.replace("T", ".").replace("S", "+") for row in instance.cells)
    return problem.Instance(cells=tuple(rows))


def in_xsb(instance):
    return problem.Instance(cells=instance.cells, notation="xsb")


def claim(letters, **changes):
    """An answer of these moves that says what is true of them."""
    pushes = sum(map(str.isupper, letters))
    fields = {"status": Status.OPTIMAL, "cost": pushes, "bound": pushes, "total": len(letters), "moves": letters}
    return problem.Answer(**{**fields, **changes})


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    instances = list(problem.read(SAMPLE))
    answers = [problem.solve(instance) for instance in instances]
    assert "".join(problem.write(answer, case) for case, answer in enumerate(answers, 1)) == SAMPLE_OUTPUT
    assert [problem.check(*pair) for pair in zip(instances, answers, strict=True)] == [None] * 4
    assert problem.read_answers(SAMPLE_OUTPUT, instances) == answers


@given(instances())
def test_the_answer_is_the_first_of_all_best_ones(instance):
    answer = problem.solve(instance)
    assert problem.check(instance, answer) is None
    assert (answer.cost, answer.total) == (naive.best_cost(instance.cells) or (None, None))
    first = naive.first_answer(instance.cells)
    assert first is None or answer.moves == (first or None)


def test_the_tie_rule_on_boards_with_many_best_answers():
    by_pushes = by_walks = 0
    for seed in range(250):
        rng = random.Random(seed)
        rows, columns = rng.randint(4, 6), rng.randint(4, 6)
        instance = problem.generate(seed, rows=rows, columns=columns, walls=rng.randint(0, 5), solvable=True)
        answers = naive.best_answers(instance.cells, 3000)
        if answers is not None and len(answers) > 1:
            several = len({tuple(filter(str.isupper, answer)) for answer in answers}) > 1
            by_pushes, by_walks = by_pushes + several, by_walks + (not several)
            assert problem.solve(instance).moves == min(answers, key=naive.rank)
    assert min(by_pushes, by_walks) > 10


@pytest.mark.parametrize(
    ("cells", "walks_decide"),
    [
        (("T...", "....", "..B.", "...S"), False),
        (("S...", "....", "..B.", "..T."), True),
    ],
)
def test_pushes_are_compared_before_walks(cells, walks_decide):
    answers = naive.best_answers(cells, 10**5)
    pushes = {tuple(filter(str.isupper, answer)) for answer in answers}
    assert len(answers) > 1
    assert (len(pushes) == 1) == walks_decide
    first = problem.solve(problem.Instance(cells=cells)).moves
    assert first == min(answers, key=naive.rank)
    # Letter by letter another one may come first: that is not the rule.
    assert walks_decide or first != min(answers, key=lambda text: [naive.ORDER.index(letter.lower()) for letter in text])


def test_box_on_its_target_needs_no_moves():
    instance = problem.Instance(cells=("S*",))
    assert problem.solve(instance) == claim("")
    assert problem.write(problem.solve(instance), 7) == "Maze #7\n\n\n"


def test_more_pushes_with_fewer_moves_are_not_taken():
    # Pushing once around the corner would save walking; the fewest pushes come first.
    for seed in range(40):
        instance = problem.generate(seed, rows=9, columns=9, walls=20, solvable=True)
        costs = naive.settled(instance.cells)
        target = instance.place("T+*")
        least = min(cost for (_, box), cost in costs.items() if box == target)
        answer = problem.solve(instance)
        assert (answer.cost, answer.total) == least


def test_interpreted_and_paused_anywhere_it_is_the_same():
    for seed in range(4):
        rng = random.Random(seed)
        instance = problem.generate(seed, rows=7, columns=7, walls=10, solvable=seed > 0)
        whole, slow = problem.search(instance), problem.search(instance, compiled=False)
        for field in ("generated", "expanded", "duplicates"):
            assert getattr(slow.stats, field) == getattr(whole.stats, field)
        floor = np.array([[cell != "#" for cell in row] for row in instance.cells])
        places = [instance.place(letters) for letters in ("S+", "B*", "T+*")]
        search = push_box_search.PushSearch(push_box_search.board_of(floor, *places), {})
        outcome = PAUSED
        while outcome in (PAUSED, FULL):
            outcome = search.advance(search.stats().generated + rng.randint(1, 9))
            if outcome == FULL:
                assert search.grow(None)
        assert slow.moves == whole.moves == (None if search.best() is None else search.best()[1])


def test_a_stopped_search_and_what_is_known_then(tmp_path):
    instance = problem.generate(3, rows=40, columns=40, walls=300, solvable=True)
    whole = problem.solve(instance)
    kept = tmp_path / "kept.npz"
    total = problem.search(instance).stats.generated
    for nodes in (0, 1000, total // 2, total - 1):
        solution = problem.search(instance, limits=Limits(nodes=nodes), checkpoint=kept)
        answer = problem.answer(instance, solution)
        assert (answer.status, answer.moves) == (Status.STOPPED, None)
        assert answer.bound <= whole.cost
        assert problem.check(instance, answer) is None
        with pytest.raises(ValueError, match="stopped"):
            problem.write(answer)
        assert problem.solve(instance, resume=kept) == whole
    with pytest.raises(CheckpointError):
        problem.search(problem.generate(4, rows=40, columns=40, walls=300), resume=kept)
    assert problem.search(instance, limits=Limits(memory=1000)).stopped_by == "memory"


def test_walks_are_measured_only_where_the_push_turns():
    # Behind the box the man could go round only by a long way; nothing asks for it.
    cells = ("SB" + "." * 197 + "T", "." + "#" * 198 + ".", "." * 200)
    solution = problem.search(problem.Instance(cells=cells))
    assert "".join(solution.moves) == "E" * 198
    assert solution.stats.generated < 15 * 600


# --- checker ------------------------------------------------------------------------------------------------------------


@given(instances(), st.randoms(use_true_random=False))
def test_a_changed_answer_is_caught_or_also_right(instance, rng):
    answer = problem.solve(instance)
    if not answer.moves:
        return
    floor, man, box, target = naive.parts(instance.cells)
    for _ in range(6):
        at, letter = rng.randrange(len(answer.moves)), rng.choice("nsweNSWE")
        change = rng.choice((letter, "", letter + answer.moves[at]))
        moves = answer.moves[:at] + change + answer.moves[at + 1 :]
        position = (man, box)
        for one in moves:
            position = dict(naive.moves_from(floor, position)).get(one) if position else None
        right = position is not None and position[1] == target
        assert (problem.check(instance, claim(moves)) is None) == right


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (claim("EE"), None),
        (claim("E"), "after the last move the box is in row 1, column 3, not on its target"),
        (claim("EEE"), "move 3 (E): the box would be pushed into a wall or off the board"),
        (claim("eE"), "move 1 (e): the box is in the way, this would be a push"),
        (claim("nEE"), "move 1 (n): the man would walk into a wall"),
        (claim("sEE"), "move 1 (s): the man would walk into a wall"),
        (claim("WEE"), "move 1 (W): the man would walk into a wall"),
        (claim("EwE"), "move 3 (E): there is no box to push"),
        (claim("xEE"), "move 1 is 'x'"),
        (claim("EE", total=3), "it claims 2 pushes and 3 moves in all, but there are 2 and 2"),
        (claim("EE", cost=1, bound=1), "it claims 1 pushes"),
        (claim("EE", bound=1), "the number of pushes is 2, but the bound is 1"),
        (claim("EE", moves=None), "the answer is called optimal, but there are no moves"),
        (claim("EE", status=Status.FEASIBLE), "the status is feasible"),
        (claim("EE", status=Status.STOPPED), "there is an answer, but its status is stopped"),
        (claim("EE", status=Status.INFEASIBLE), "there is an answer, but its status is infeasible"),
        (problem.Answer(status=Status.STOPPED, cost=None, bound=1, total=None, moves=None), None),
    ],
)
def test_checker_messages(answer, message):
    fault = problem.check(problem.Instance(cells=("SB.T", "##.#")), answer)
    assert fault is None if message is None else fault.startswith(message)


# --- formats ------------------------------------------------------------------------------------------------------------


@given(instances(), instances())
def test_text_and_json_there_and_back(one, other):
    levels = [in_xsb(one), in_xsb(other)]
    assert list(problem.read("".join(map(problem.write_instance, levels)))) == levels
    pairs = [(instance, problem.solve(instance)) for instance in (one, other, *levels)]
    for instance, answer in pairs:
        assert msgspec.json.decode(msgspec.json.encode(instance), type=problem.Instance) == instance
        assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer
        assert problem.read_answers(problem.write(answer), [instance]) == [answer]
    judge = [instance for instance in (one, other) if not any("+" in row for row in instance.cells)]
    text = "".join(map(problem.write_instance, judge))
    for ending in ("0 0\n", ""):
        assert list(problem.read(text + ending)) == judge
        assert list(problem.read("\ufeff" + (text + ending).replace("\n", "\r\n"))) == judge
    for instance in {one, other} - set(judge):
        with pytest.raises(ValueError, match=r"JSON and \.xsb"):
            problem.write_instance(instance)


def test_xsb():
    first, second = problem.read("\ufeff#####\r\n#@$.#\r\n#####\r\nLevel 2\r\n  ####\r\n###__+#\r\n#-$ -#\r\n")
    assert first.cells == ("#####", "#SBT#", "#####")
    assert second.cells == ("..####.", "###..+#", "#.B..#.")
    answers = [problem.solve(first), problem.solve(second)]
    assert [problem.write(answer) for answer in answers] == ["R\n", "Impossible.\n"]
    assert problem.read_answers("R\nImpossible.\n\n", [first, second]) == answers
    walked = problem.Instance(cells=("...", ".BS", "..T"), notation="xsb")
    assert (problem.solve(walked).moves, problem.write(problem.solve(walked))) == ("nwSwsE", "ulDldR\n")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("2", (1, 2), "the number of columns C is expected"),
        ("x", (1, 1), "the number of rows R, a whole number, found 'x'"),
        ("-1 3", (1, 1), "at least 0"),
        ("2 0", (1, 3), "at least 1"),
        ("0 2", (1, 3), "at most 0"),
        ("2 3\nSBT\n", (2, 4), "row 2 of 2 of the board is expected"),
        ("2 3\nSBT\n..x\n", (3, 3), "row 2 of 2 has 'x'; cells are #, ., S, B and T"),
        ("2 3\nSBT\n....\n", (3, 1), "has 4 cells, there must be 3"),
        ("1 5\nSB..T\n\n2 3\nSB.\n...\n0 0", (4, 1), "board 2 has no target T"),
        ("2 3\nSBT\n..S\n", (3, 3), "board 1 has a second man S"),
        ("1 5\nSBTB.\n", (2, 4), "board 1 has a second box B"),
        ("#####\n#@$ #\n#####\n", (1, 1), "the level has no target"),
        ("#####\n#@$.#\n#.###\n", (3, 2), "the level has a second target"),
        ("; a\n######\n#@$.$#\n", (3, 5), "the level has a second box"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


def test_a_good_board_before_a_bad_one_is_read_and_nothing_after_the_end():
    cases = problem.read("1 3\nSBT\n1 3\nSBx\n")
    assert next(cases).cells == ("SBT",)
    with pytest.raises(InputError):
        next(cases)
    assert list(problem.read("1 3\nSBT\n0 0\nanything")) == [problem.Instance(cells=("SBT",))]
    assert list(problem.read("")) == []


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "ends where 'Maze #1' is expected"),
        ("Maze #2\nE\n", (1, 1), "expected Maze #1"),
        ("Maze #1", (2, 1), "moves for case 1 are expected"),
        ("Maze #1\nEx\n", (2, 2), "found 'x'"),
        ("Maze #1\nEE\nMaze #2\nE", (3, 1), "expected an empty line"),
        ("Maze #1\nEE\n\nMaze #2\nE\n\nMaze #3\n", (7, 1), "expected the end"),
    ],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, [problem.Instance(cells=("SBT",))] * 2)
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cells": ()}, "the board is empty"),
        ({"cells": ("SBT", "..")}, "row 2 has 2 cells, row 1 has 3"),
        ({"cells": ("SBT", "..x")}, "row 2, column 3 is 'x'"),
        ({"cells": ("SB.",)}, "no target T"),
        ({"cells": ("SBT+",)}, "2 man S"),
        ({"cells": ("SBT*",)}, "2 box B"),
        ({"cells": ("SBT",), "notation": "sok"}, "notation"),
        ({"cells": ("SBT",), "boxes": 1}, "boxes"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "push-box", **values}, problem.Instance)


def test_a_board_too_large_is_refused():
    floor = np.broadcast_to(np.array(True), (1 << 15, 1 << 15))
    with pytest.raises(ValueError, match="too large"):
        push_box_search.board_of(floor, (0, 0), (0, 1), (0, 2))


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(30):
        rng = random.Random(seed)
        rows, columns = rng.randint(1, 9), rng.randint(3, 9)
        walls = rng.randint(0, rows * columns - 3)
        instance = problem.generate(seed, rows=rows, columns=columns, walls=walls)
        assert instance == problem.generate(seed, rows=rows, columns=columns, walls=walls)
        assert (len(instance.cells), len(instance.cells[0]), "".join(instance.cells).count("#")) == (rows, columns, walls)
        for solvable in (True, False):
            wanted = problem.generate(seed, solvable=solvable)
            assert (naive.best_cost(wanted.cells) is not None) == solvable
    for bad in ({"rows": 0}, {"walls": -1}, {"walls": 62}):
        with pytest.raises(ValueError, match="there is no board"):
            problem.generate(1, **bad)
    with pytest.raises(ValueError, match="none of"):
        problem.generate(1, rows=2, columns=2, walls=1, solvable=True)


def test_steps_and_pictures():
    for seed in range(12):
        instance = problem.generate(seed, solvable=[True, None][seed % 2])
        answer = problem.solve(instance)
        shown = list(problem.steps(instance, answer))
        assert len(shown) == 1 + (answer.cost or 0)
        assert "".join(step.moves for step in shown) == (answer.moves or "")
        assert all(len(step.trail) == len(step.moves) for step in shown)
        if answer.moves:
            assert shown[-1].position.box == instance.place("T+*")
        for color in (False, True):
            assert ("\x1b" in render.text(instance, color)) == color
            boards = list(render.text_steps(instance, answer, color))
            assert len(boards) == len(shown)
            assert all(len(board.splitlines()) == 9 for board in boards)
        assert tuple(render.text(instance, False).splitlines()) == instance.cells
        for picture, count in ((render.svg(instance), 1), (render.svg(instance, answer), len(shown))):
            kinds = [element.get("class") for element in ET.fromstring(picture).iter()]
            assert [kinds.count(kind) for kind in ("step", "box", "man", "target")] == [count, count, count, 1]
            walls = [e for e in ET.fromstring(picture).iter() if e.get("class") == "wall"]
            assert sum(int(wall.get("width")) for wall in walls) == 18 * "".join(instance.cells).count("#")


def test_pictures_of_a_long_answer_and_of_no_answer():
    instance = problem.Instance(cells=("SB" + "." * 80 + "T",))
    picture = render.svg(instance, problem.solve(instance))
    assert "the first 60 pushes" in picture
    assert picture.count('class="step"') == 61
    blocked = problem.Instance(cells=("SB#T",))
    assert "impossible" in render.svg(blocked, problem.solve(blocked))
    stopped = problem.Answer(status=Status.STOPPED, cost=None, bound=3, total=None, moves=None)
    assert "at least 3 pushes" in render.svg(blocked, stopped)
