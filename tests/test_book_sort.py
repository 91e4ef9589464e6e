"""Book sort: distances as a slow twin and published counts give them, prunings off, hard rows, mutated answers, formats."""

import itertools
import random

import msgspec
import pytest

import naive_books
from bestfirst import Limits, Status, explore
from bestfirst.catalogue import book_sort as books
from bestfirst.formats.tokens import InputError
from bestfirst.render import book_sort as picture

SAMPLE = "3\n6\n1 3 4 6 2 5\n5\n5 4 3 2 1\n10\n6 8 5 3 4 7 2 9 1 10\n"

#: Rows at each distance (OEIS A164366).
COUNTS = {
    5: [1, 20, 68, 31],
    6: [1, 35, 259, 380, 45],
    7: [1, 56, 770, 2700, 1513],
    9: [1, 120, 4284, 52512, 191636, 114327],
}


def distance(row, **options):
    return books.search(books.Instance(books=tuple(row), most=None), **options).cost


def test_sample():
    instances = list(books.read(SAMPLE))
    answers = [books.solve(instance) for instance in instances]
    assert "".join(map(books.write, answers)) == "2\n3\n5 or more\n"
    assert [books.check(*pair) for pair in zip(instances, answers, strict=True)] == [None] * 3
    assert books.write(books.solve(msgspec.structs.replace(instances[2], most=None))) == "5 or more\n"


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_all_rows_of_few_books(n):
    layers = naive_books.layers(n)
    assert n not in COUNTS or list(map(len, layers)) == COUNTS[n]
    for far, rows in enumerate(layers):
        for row in sorted(rows):
            instance = books.Instance(books=row, most=None)
            answer = books.solve(instance)
            assert answer.cost == far
            assert books.check(instance, answer) is None
            limited = books.Instance(books=row, most=2)
            assert books.solve(limited).cost == (far if far <= 2 else None)


def counts(n):
    game = books.BookSort(n, books._triples(n), 0, 1, 0)
    return list(explore(game, books.state_of(range(1, n + 1))).counts)


def test_published_counts():
    assert counts(7) == COUNTS[7]


@pytest.mark.slow
def test_published_counts_of_nine_books():
    assert counts(9) == COUNTS[9]


def test_the_bound_and_gluing_on_all_rows_of_six_books():
    """The bound is never more than the distance; a row and its glued form are equally far."""
    game = books.BookSort(6, books._triples(6), 0, 1, 1)
    distances = {row: far for far, rows in enumerate(naive_books.layers(6)) for row in rows}
    for row, far in distances.items():
        state = books.state_of(row)
        assert game.lower_bound(state) <= far
        glued = tuple(((game.canonical(state) >> 4 * place) & 15) + 1 for place in range(6))
        assert distances[glued] == far


def test_every_pruning_may_be_left_out():
    rng = random.Random(1)
    for _ in range(25):
        row = rng.sample(range(1, 7), 6)
        for name in books.PRUNINGS:
            assert distance(row, without=[name]) == distance(row)
    for seed in range(10):
        row = books.generate(seed, books=12).books
        for name in ("table", "adjacencies"):
            assert distance(row, without=[name]) == distance(row)
    with pytest.raises(ValueError, match="no pruning magic"):
        distance((1, 2), without={"magic"})


@pytest.mark.parametrize("n", [8, 10, 13])
def test_a_row_turned_round(n):
    """Known: it takes half of n + 1 moves, rounded up."""
    assert distance(range(n, 0, -1)) == (n + 2) // 2


def test_a_row_and_its_inverse_are_equally_far():
    for seed in range(12):
        row = books.generate(seed, books=13).books
        inverse = [row.index(book) + 1 for book in range(1, 14)]
        assert distance(row) == distance(inverse)


def test_a_row_farther_than_half():
    """One of the rows of 13 books that take 8 moves, more than half of 14 (I. Elias and T. Hartman)."""
    assert distance((4, 3, 2, 1, 5, 13, 12, 11, 10, 9, 8, 7, 6)) == 8


def test_a_stopped_search_claims_nothing():
    instance = books.Instance(books=tuple(range(15, 0, -1)), most=None)
    stopped = books.solve(instance, limits=Limits(nodes=100))
    assert stopped.status is Status.STOPPED
    assert books.check(instance, stopped) is None
    assert books.write(stopped) == "5 or more\n"  # so much is proved
    near = books.Instance(books=(3, 2, 1, 4, 6, 5), most=None)
    with pytest.raises(ValueError, match="at least"):
        books.write(books.solve(near, limits=Limits(nodes=1)))


def puts_in_order(row, blocks):
    for i, j, k in blocks:
        if not 0 <= i < j < k <= len(row):
            return False
        row = row[:i] + row[j:k] + row[i:j] + row[k:]
    return row == tuple(sorted(row))


def test_mutated_answers_are_caught_or_right():
    rng = random.Random(2)
    for seed in range(6):
        instance = books.generate(seed, books=7, most=None)
        answer = books.solve(instance)
        for _ in range(40):
            blocks = list(answer.blocks)
            blocks[rng.randrange(len(blocks))] = tuple(rng.randrange(-1, 9) for _ in range(3))
            fault = books.check(instance, msgspec.structs.replace(answer, blocks=tuple(blocks)))
            assert (fault is None) == puts_in_order(instance.books, blocks)
        for wrong in (
            {"cost": answer.cost + 1, "bound": answer.cost + 1},
            {"bound": answer.cost - 1},
            {"blocks": answer.blocks[:-1]},
            {"status": Status.INFEASIBLE},
            {"status": Status.STOPPED},
            {"status": Status.FEASIBLE},
            {"cost": None},
        ):
            assert books.check(instance, msgspec.structs.replace(answer, **wrong)) is not None
    limited = books.Instance(books=(2, 1), most=0)
    assert books.check(limited, books.Answer(status=Status.OPTIMAL, cost=1, bound=1, blocks=None)) is not None


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of cases T is expected"),
        ("x", (1, 1), "the number of cases T, a whole number, found 'x'"),
        ("1\n16\n", (2, 1), "the number of books n \\(case 1\\) is 16, it must be at most 15"),
        ("1\n3\n1 2", (3, 4), "book 3 of 3 \\(case 1\\) is expected"),
        ("1\n3\n1 2 4", (3, 5), "book 3 of 3 \\(case 1\\) is 4, it must be at most 3"),
        ("1\n3\n1 2 1", (3, 5), "book 1 is there already"),
        ("1\n1\n1\n7", (4, 1), "expected the end of the text"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(books.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize("text", ["", "x", "-2", "2 3", "2 3 5", "2 3 5 or less", "2 3 6", "2 3 4 4"])
def test_bad_answers_are_named(text):
    with pytest.raises(InputError):
        books.read_answers(text, list(books.read(SAMPLE)))


@pytest.mark.parametrize(
    ("row", "most"), [((), 4), (range(1, 17), 4), ((1, 1), 4), ((0, 1), 4), ((1, 3), 4), ((2, 1), -1), ((2, 1), 8)]
)
def test_bad_rows_are_refused(row, most):
    with pytest.raises(ValueError, match=r"book|most"):
        books.Instance(books=tuple(row), most=most)


def test_round_trips():
    for seed, n in itertools.product(range(4), (1, 2, 6, 9, 15)):
        instance = books.generate(seed, books=n, moves=3)
        assert list(books.read("\ufeff" + books.write_instance(instance).replace("\n", "\r\n"))) == [instance]
        answer = books.solve(instance)
        assert answer.cost <= 3
        assert msgspec.json.decode(msgspec.json.encode(instance), type=books.Instance) == instance
        assert msgspec.json.decode(msgspec.json.encode(answer), type=books.Answer) == answer
        (claimed,) = books.read_answers(books.write(answer), [instance])
        assert claimed == msgspec.structs.replace(answer, blocks=None)
        assert books.check(instance, claimed) is None
        assert books.generate(seed, books=n, moves=3) == instance
    for wrong in ({"books": 0}, {"books": 16}, {"moves": -1}):
        with pytest.raises(ValueError, match="there is no row"):
            books.generate(1, **wrong)
    with pytest.raises(ValueError, match="at most 4"):
        books.write_instance(books.generate(1, most=None))


def test_pictures():
    instance = books.generate(5, books=9, moves=3)
    answer = books.solve(instance)
    rows = list(picture.text_steps(instance, answer, color=False))
    assert len(rows) == answer.cost + 1
    assert rows[0].count("[") == 2
    assert rows[-1].endswith("1 2 3 4 5 6 7 8 9\n")
    assert "\x1b[7m" in next(picture.text_steps(instance, answer, color=True))
    assert picture.text(instance, color=False).split() == list(map(str, instance.books))
    assert picture.svg(instance, answer).count('class="board"') == answer.cost + 1
    assert picture.svg(instance).count('class="board"') == 1
    far = books.generate(1, most=None)
    assert "at least" in picture.svg(far, books.solve(far, limits=Limits(nodes=10)))
