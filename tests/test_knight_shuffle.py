"""Knight shuffle: answers as a slow twin and a second engine find them, published counts, mutated answers, formats, pictures."""

import random

import msgspec
import pytest

import naive_shuffle
from bestfirst import Limits, Status, a_star
from bestfirst.catalogue import knight_shuffle as game
from bestfirst.formats.tokens import InputError
from bestfirst.render import knight_shuffle as picture

SAMPLE = "2\n10110\n01*11\n10111\n01001\n00000\n01011\n110*1\n01110\n01010\n00100\n"

#: Boards at each distance, from a breadth-first search through all 67,603,900.
COUNTS = [1, 8, 14, 38, 148, 368, 1001]


def instance_of(board):
    return game.Instance(cells=tuple(board[at : at + 5] for at in range(0, 25, 5)))


def leads_to_the_goal(board, jumps):
    for row, column in jumps:
        following = [child for child in naive_shuffle.jumps(board) if child.index("*") == 5 * row + column and 0 <= column < 5]
        if not following:
            return False
        (board,) = following
    return board == naive_shuffle.GOAL


def test_sample():
    answers = [game.solve(instance) for instance in game.read(SAMPLE)]
    assert "".join(map(game.write, answers)) == "7\n-1\n"
    assert answers[1].status is Status.INFEASIBLE
    assert [game.check(*pair) for pair in zip(game.read(SAMPLE), answers, strict=True)] == [None, None]


def test_all_boards_near_the_goal_and_published_counts():
    layers = naive_shuffle.layers(6)
    assert list(map(len, layers)) == COUNTS
    rng = random.Random(1)
    for distance, boards in enumerate(layers):
        for board in rng.sample(sorted(boards), min(40, len(boards))):
            instance = instance_of(board)
            answer = game.solve(instance)
            assert (answer.status, answer.cost) == (Status.OPTIMAL, distance)
            assert game.check(instance, answer) is None
            for most, status in ((distance, Status.OPTIMAL), (distance - 1, Status.INFEASIBLE), (None, Status.OPTIMAL)):
                if most != -1:
                    limited = msgspec.structs.replace(instance, most=most)
                    assert game.solve(limited).status is status
                    assert game.check(limited, answer) is None or status is Status.INFEASIBLE


@pytest.mark.parametrize("seed", range(8))
def test_boards_far_away_by_three_searches(seed):
    """IDA* with a limit, both ends without one, A* without a limit."""
    instance = game.generate(seed, jumps=4 + 2 * seed, most=None)
    answer = game.solve(instance)
    assert game.check(instance, answer) is None
    assert answer.cost <= 4 + 2 * seed
    assert answer.cost == a_star(game.GAME, game.state_of(instance.cells)).cost
    limited = game.solve(msgspec.structs.replace(instance, most=15))
    assert limited.cost == (answer.cost if answer.cost <= 15 else None)


@pytest.mark.parametrize(("board", "distance"), [("*010100010111011011001100", 24), ("*010010011001011101011100", 30)])
def test_boards_whose_distance_a_search_through_all_boards_gave(board, distance):
    instance = msgspec.structs.replace(instance_of(board), most=None)
    answer = game.solve(instance)
    assert (answer.status, answer.cost) == (Status.OPTIMAL, distance)
    assert game.check(instance, answer) is None


def test_the_bound_never_overestimates():
    for distance, boards in enumerate(naive_shuffle.layers(6)):
        for board in boards:
            bound = game.GAME.lower_bound(game.state_of(instance_of(board).cells))
            assert bound <= distance
            assert (bound - distance) % 2 == 0


def test_a_stopped_search_claims_nothing():
    instance = game.generate(0, most=None)
    stopped = game.solve(instance, limits=Limits(nodes=1000))
    assert stopped.status is Status.STOPPED
    assert game.check(instance, stopped) is None
    with pytest.raises(ValueError, match="at least"):
        game.write(stopped)


def test_mutated_answers_are_caught():
    rng = random.Random(3)
    for seed in range(6):
        instance = game.generate(seed, jumps=9)
        answer = game.solve(instance)
        for _ in range(40):
            jumps = list(answer.jumps)
            place = rng.randrange(len(jumps))
            jumps[place] = (rng.randrange(-1, 6), rng.randrange(-1, 6))
            fault = game.check(instance, msgspec.structs.replace(answer, jumps=tuple(jumps)))
            assert (fault is None) == leads_to_the_goal("".join(instance.cells), jumps)
        for wrong in (
            {"cost": answer.cost + 1, "bound": answer.cost + 1},
            {"bound": answer.cost - 1},
            {"jumps": answer.jumps[:-1]},
            {"status": Status.INFEASIBLE},
            {"status": Status.STOPPED},
            {"cost": None},
            {"status": Status.FEASIBLE, "cost": None, "jumps": None},
            {"cost": 17, "bound": 17, "jumps": None},
        ):
            assert game.check(instance, msgspec.structs.replace(answer, **wrong)) is not None


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of cases T is expected"),
        ("x", (1, 1), "the number of cases T, a whole number, found 'x'"),
        ("1\n10110\n", (2, 6), "row 2 of 5 of the board is expected"),
        ("1\n10110\n01*1\n10111\n01001\n00000\n", (3, 1), "row 2 of 5 has 4 cells, there must be 5"),
        ("1\n10110\n01*11\n10121\n01001\n00000\n", (4, 4), "row 3 of 5 has '2'; cells are 0, 1 and \\*"),
        ("1\n10110\n01111\n10111\n01001\n00000\n", (2, 1), "there are 0 gaps"),
        ("1\n10110\n01*11\n10111\n01001\n00001\n", (2, 1), "there are 13 white knights 1, there must be 12"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(game.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize("text", ["", "x", "-2", "7 -1 3"])
def test_bad_answers_are_named(text):
    with pytest.raises(InputError):
        game.read_answers(text, list(game.read(SAMPLE)))


@pytest.mark.parametrize("cells", [(), ("1",), ("11111",) * 5, ("11111", "01111", "00*11", "00001", "0000"), ("*****",) * 5])
def test_bad_boards_are_refused(cells):
    with pytest.raises(ValueError, match=r"board|gaps|row"):
        game.Instance(cells=cells)


def test_round_trips():
    for seed in range(20):
        instance = game.generate(seed, jumps=seed)
        assert list(game.read(game.write_instance(instance).replace("\n", "\r\n"))) == [instance]
        answer = game.solve(instance)
        assert msgspec.json.decode(msgspec.json.encode(instance), type=game.Instance) == instance
        assert msgspec.json.decode(msgspec.json.encode(answer), type=game.Answer) == answer
        (claimed,) = game.read_answers(game.write(answer), [instance])
        assert claimed == msgspec.structs.replace(answer, jumps=None)
        assert game.check(instance, claimed) is None
        assert game.generate(seed, jumps=seed) == instance
    with pytest.raises(ValueError, match="-1 jumps"):
        game.generate(1, jumps=-1)
    for most in (-1, 40):
        with pytest.raises(ValueError, match="most is"):
            game.generate(1, most=most)
    with pytest.raises(ValueError, match="at most 15"):
        game.write_instance(game.generate(1, most=None))


def test_pictures():
    instance = game.generate(5, jumps=4)
    answer = game.solve(instance)
    boards = list(picture.text_steps(instance, answer, color=False))
    assert len(boards) == answer.cost + 1
    assert boards[-1].split("\n", 1)[1].split() == list(game.GOAL)
    assert picture.text(instance, color=False).split() == list(instance.cells)
    assert "\x1b[7m" in picture.text(instance, color=True)
    assert picture.svg(instance, answer).count('class="board"') == answer.cost + 1
    assert picture.svg(instance).count('class="board"') == 1
    far = game.generate(0, most=None)
    assert "at least" in picture.svg(far, game.solve(far, limits=Limits(nodes=1000)))
