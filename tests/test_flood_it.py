"""Flood-It: formats, checker, generator, pictures, and every engine against the slow twin."""

import contextlib
import pathlib
import random
import re
import xml.etree.ElementTree as ElementTree

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.catalogue import flood_it
from bestfirst.catalogue.flood_it import Answer, Instance
from bestfirst.formats.tokens import InputError
from bestfirst.render import flood_it as pictures
from bestfirst.result import Interrupted, Limits, Solution, Stats, Status
from naive_flood import best, play

pytestmark = pytest.mark.slow  # takes half a minute

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
SAMPLE = "2\n0 0\n0 0\n3\n0 1 2\n1 1 2\n2 2 1\n0\n"
ENGINES = (None, "flood_it", "a_star", "ida_star", "breadth_first")


def proved(*colours):
    return Answer(status=Status.OPTIMAL, cost=len(colours), bound=len(colours), colours=colours)


def small_boards(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        rows, columns, colours = rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 4)
        start = (rng.randrange(rows), rng.randrange(columns))
        yield flood_it.generate(rng.randrange(10**9), rows=rows, columns=columns, colours=colours, start=start)


boards = st.integers(1, 4).flatmap(
    lambda columns: st.lists(st.tuples(*[st.integers(0, flood_it.MAX_COLOUR)] * columns), min_size=1, max_size=4).map(tuple)
)


# --- judge format and JSON ----------------------------------------------------------------------------------------------


def test_the_sample():
    instances = list(flood_it.read(SAMPLE))
    answers = [flood_it.solve(instance) for instance in instances]
    assert "".join(map(flood_it.write, answers)) == "0\n3\n"
    assert [answer.colours for answer in answers] == [(), (1, 2, 1)]


@pytest.mark.parametrize(
    "text",
    [
        SAMPLE.replace("\n", "\r\n"),
        "\ufeff" + SAMPLE,
        SAMPLE.removesuffix("0\n"),
        SAMPLE.replace("\n", " "),
        SAMPLE + "what follows the 0 is not read",
    ],
    ids=["CRLF", "byte order mark", "no final 0", "one line", "text after the 0"],
)
def test_forms_of_the_same_text(text):
    assert list(flood_it.read(text)) == list(flood_it.read(SAMPLE))


@pytest.mark.parametrize("text", ["", "\n", "0\n", "\ufeff", " 0"])
def test_no_boards(text):
    assert list(flood_it.read(text)) == []


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("x", 1, 1, "expected the size of a board, a whole number, found 'x'"),
        ("-1", 1, 1, "the size of a board is -1, it must be at least 0"),
        ("2\n0 1\n0 a\n", 3, 3, "expected a colour (board 1, row 2 of 2), a whole number, found 'a'"),
        ("2\n0 1\n0\n", 3, 2, "the text ends where a colour (board 1, row 2 of 2) is expected"),
        ("1\n-1\n", 2, 1, "is -1, it must be at least 0"),
        ("1\n1000000001\n", 2, 1, "is 1000000001, it must be at most 1000000000"),
        ("1\n" + "9" * 5000, 2, 1, "has 5000 digits, which is too many"),
        ("1\n0.5\n", 2, 1, "found '0.5'"),
        ("1\n-+0\n", 2, 1, "found '-+0'"),
    ],
)
def test_bad_text_is_named_with_its_place(text, line, column, says):
    with pytest.raises(InputError) as error:
        list(flood_it.read(text))
    assert (error.value.line, error.value.column) == (line, column)
    assert says in error.value.message


def test_boards_before_a_bad_one_are_read():
    instances = flood_it.read("1\n5\n2\n0 0\n0 ?\n")
    assert next(instances).board == ((5,),)
    with pytest.raises(InputError):
        next(instances)


@given(st.text(alphabet="0123-+ x\n\r\t\ufeff.٣"))
def test_whatever_the_text_only_input_errors_come_out(text):
    with contextlib.suppress(InputError):
        for instance in flood_it.read(text):
            assert len(instance.board) == len(instance.board[0])


@given(boards, st.data())
def test_json_round_trip(board, data):
    start = (data.draw(st.integers(0, len(board) - 1)), data.draw(st.integers(0, len(board[0]) - 1)))
    instance = Instance(board=board, start=start)
    encoded = msgspec.json.encode(instance)
    assert msgspec.json.decode(encoded, type=Instance) == instance
    assert msgspec.json.decode(encoded)["problem"] == "flood-it"


@given(st.lists(boards.filter(lambda board: len(board) == len(board[0])), max_size=3))
def test_judge_format_round_trip(squares):
    instances = [Instance(board=board) for board in squares]
    text = "".join(map(flood_it.write_instance, instances))
    assert list(flood_it.read(text)) == instances
    assert list(flood_it.read(text + "0\n")) == instances


def test_what_the_judge_format_cannot_say():
    with pytest.raises(ValueError, match="square boards only"):
        flood_it.write_instance(Instance(board=((0, 1),)))
    with pytest.raises(ValueError, match="top left"):
        flood_it.write_instance(Instance(board=((0, 1), (1, 0)), start=(1, 1)))


@pytest.mark.parametrize("answer", [proved(1, 2, 1), Answer(status=Status.STOPPED, cost=None, bound=4, colours=None)])
def test_answers_as_json(answer):
    assert msgspec.json.decode(msgspec.json.encode(answer), type=Answer) == answer


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"board": []}, "the board is empty"),
        ({"board": [[]]}, "the board is empty"),
        ({"board": [[0, 1], [0]]}, "row 1 of the board has 1 cells, row 0 has 2"),
        ({"board": [[0, -1]]}, r"`int` >= 0 - at `\$.board\[0\]\[1\]`"),
        ({"board": [[0, 10**9 + 1]]}, r"`int` <= 1000000000 - at `\$.board\[0\]\[1\]`"),
        ({"board": [[0, "a"]]}, r"Expected `int`, got `str` - at `\$.board\[0\]\[1\]`"),
        ({"board": [[0]], "start": [0, 1]}, r"the start \(0, 1\) is not on the board, which has 1 rows and 1 columns"),
        ({"board": [[0]], "start": [-1, 0]}, "is not on the board"),
        ({"board": [[0]], "version": 2}, r"2 - at `\$.version`"),
        ({"board": [[0]], "problem": "mayan-game"}, "'mayan-game'"),
        ({}, "missing required field `board`"),
    ],
)
def test_bad_json_is_named(fields, says):
    encoded = msgspec.json.encode({"problem": "flood-it", **fields})
    with pytest.raises(msgspec.ValidationError, match=says):
        msgspec.json.decode(encoded, type=Instance)


@pytest.mark.parametrize("board", [((0, -1),), ((0, 10**9 + 1),), ()])
def test_bad_values_are_refused_in_python_too(board):
    with pytest.raises(ValueError, match="board"):
        Instance(board=board)


def test_read_answers():
    instances = list(flood_it.read(SAMPLE))
    answers = flood_it.read_answers("0\r\n3\n", instances)
    assert [answer.cost for answer in answers] == [0, 3]
    assert [flood_it.check(*pair) for pair in zip(instances, answers, strict=True)] == [None, None]


@pytest.mark.parametrize(
    ("text", "says"),
    [("0\n", "moves for board 2"), ("0\n3\n1\n", "end of the text after 2 answers"), ("0\n-3\n", "at least 0"), ("", "board 1")],
)
def test_bad_answers_are_named(text, says):
    with pytest.raises(InputError, match=says):
        flood_it.read_answers(text, list(flood_it.read(SAMPLE)))


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=Status.FEASIBLE, cost=5, bound=3, colours=(1, 2, 1, 2, 1)),
        Answer(status=Status.STOPPED, cost=None, bound=3, colours=None),
    ],
)
def test_what_is_not_proved_is_not_written(answer):
    with pytest.raises(ValueError, match="at least 3"):
        flood_it.write(answer)


# --- checker ------------------------------------------------------------------------------------------------------------


BOARD = Instance(board=((0, 1, 2), (1, 1, 2), (2, 2, 1)))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (proved(1, 2, 7), r"move 3 \(colour 7\): there is no such colour on the board"),
        (proved(0, 1, 2, 1), "move 1 .* changes nothing"),
        (proved(1, 1, 2), "move 2 .* changes nothing"),
        (proved(2, 1, 2, 1), "move 1 .* takes no cell"),
        (proved(1, 2), "after the last move 1 cells still have other colours"),
        (Answer(status=Status.OPTIMAL, cost=2, bound=2, colours=(1, 2, 1)), "the cost is 2, but there are 3 colours"),
        (Answer(status=Status.OPTIMAL, cost=3, bound=2, colours=(1, 2, 1)), "called optimal with cost 3, but its bound is 2"),
        (Answer(status=Status.FEASIBLE, cost=3, bound=4, colours=(1, 2, 1)), "the bound is 4, but the cost is only 3"),
        (Answer(status=Status.FEASIBLE, cost=None, bound=2, colours=None), "the cost is missing"),
        (Answer(status=Status.STOPPED, cost=3, bound=2, colours=(1, 2, 1)), "its status is stopped"),
        (Answer(status=Status.INFEASIBLE, cost=None, bound=None, colours=None), "no solution"),
        (Answer(status=Status.OPTIMAL, cost=1, bound=1, colours=None), "2 colours lie outside"),
        (Answer(status=Status.OPTIMAL, cost=6, bound=6, colours=None), "at least 6 moves are said to be needed, but 4"),
    ],
)
def test_faults_are_named(answer, says):
    fault = flood_it.check(BOARD, answer)
    assert fault is not None
    assert re.search(says, fault)


def test_partial_answers_may_be_wasteful_and_unknown():
    assert flood_it.check(BOARD, Answer(status=Status.FEASIBLE, cost=4, bound=2, colours=(2, 1, 2, 1))) is None
    assert flood_it.check(BOARD, Answer(status=Status.STOPPED, cost=None, bound=2, colours=None)) is None


def mutations(colours, alphabet):
    """Each sequence with one move dropped, doubled, changed, or swapped with the next."""
    for i, colour in enumerate(colours):
        yield (*colours[:i], *colours[i + 1 :])
        yield (*colours[:i], colour, *colours[i:])
        yield (*colours[:i], *colours[i + 1 : i + 2], colour, *colours[i + 2 :])
        for other in alphabet:
            yield (*colours[:i], other, *colours[i + 1 :])


def test_every_mutation_is_caught_or_is_right():
    caught = 0
    for instance in small_boards(1, 100):
        shortest = best(instance.board, instance.start)
        assert flood_it.check(instance, proved(*shortest)) is None
        for colours in mutations(shortest, range(5)):
            board = instance.board
            for colour in colours:
                board = play(board, instance.start, colour)
            right = len({cell for row in board for cell in row}) == 1 and len(colours) == len(shortest)
            fault = flood_it.check(instance, proved(*colours))
            assert (fault is None) == right, (instance, colours, fault)
            caught += not right
    assert caught > 500


# --- search -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_agrees_with_the_twin(engine):
    for instance in small_boards(2, 300):
        answer = flood_it.solve(instance, engine=engine)
        shortest = best(instance.board, instance.start)
        assert answer.status is Status.OPTIMAL
        assert (answer.cost, answer.bound) == (len(shortest), len(shortest)), instance
        assert flood_it.check(instance, answer) is None
        if engine in (None, "flood_it"):
            assert answer.colours == shortest, instance


def test_the_examples():
    squares = list(flood_it.read((EXAMPLES / "flood-it.txt").read_text()))
    rectangle = msgspec.json.decode((EXAMPLES / "flood-it-rectangle.json").read_bytes(), type=Instance)
    answers = [flood_it.solve(instance) for instance in (*squares, rectangle)]
    assert [answer.cost for answer in answers] == [14, 12, 13, 6, 20, 11]
    assert all(flood_it.check(*pair) is None for pair in zip((*squares, rectangle), answers, strict=True))
    assert [flood_it.solve(instance, engine="a_star").cost for instance in (*squares[:4], rectangle)] == [14, 12, 13, 6, 11]


def test_any_of_the_shortest_sequences():
    for instance in small_boards(3, 100):
        answer = flood_it.solve(instance, ties="any")
        assert answer.cost == len(best(instance.board, instance.start))
        assert flood_it.check(instance, answer) is None


@pytest.mark.parametrize("pruning", flood_it.PRUNINGS)
def test_prunings_lose_nothing(pruning):
    for instance in small_boards(4, 60):
        assert flood_it.solve(instance, without={pruning}).colours == best(instance.board, instance.start)


@pytest.mark.parametrize("engine", ENGINES)
def test_colours_may_be_any_numbers(engine):
    instance = Instance(board=((7, 10**9, 12), (10**9, 10**9, 12), (12, 12, 10**9)))
    answer = flood_it.solve(instance, engine=engine)
    assert flood_it.check(instance, answer) is None
    assert answer.colours == (10**9, 12, 10**9)


def test_an_interrupted_generic_engine_answers_in_colours(monkeypatch):
    def interrupted_engine(game, start, ties):
        raise Interrupted(Solution(Status.FEASIBLE, 2, (0, 1), 1, Stats(), "a_star", problem=game, start=start))

    monkeypatch.setitem(flood_it._GENERIC_ENGINES, "a_star", interrupted_engine)
    with pytest.raises(Interrupted) as interrupted:
        flood_it.search(Instance(board=((3, 3, 8),)), engine="a_star")
    assert interrupted.value.solution.moves == (3, 8)


def test_a_stopped_search_says_what_it_knows():
    instance = flood_it.generate(1, rows=14)
    answer = flood_it.solve(instance, limits=Limits(nodes=1))
    assert answer.status in (Status.STOPPED, Status.FEASIBLE)
    assert flood_it.check(instance, answer) is None
    with pytest.raises(ValueError, match="not known"):
        flood_it.write(answer)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"engine": "dijkstra"}, "'dijkstra' is not one of flood_it, a_star, ida_star, breadth_first"),
        ({"ties": "first"}, "'first' is not one of lexicographic, any"),
        ({"engine": "a_star", "without": {"table"}}, "a_star has no prunings"),
        ({"without": {"no such pruning"}}, "no such pruning"),
    ],
)
def test_unknown_names_are_errors(options, says):
    with pytest.raises(ValueError, match=says):
        flood_it.solve(BOARD, **options)


# --- generator ----------------------------------------------------------------------------------------------------------


def test_generated_boards():
    instance = flood_it.generate(5, rows=3, columns=40, colours=4, start=(2, 39))
    assert (len(instance.board), len(instance.board[0]), instance.start) == (3, 40, (2, 39))
    assert {colour for row in instance.board for colour in row} == {0, 1, 2, 3}
    assert instance == flood_it.generate(5, rows=3, columns=40, colours=4, start=(2, 39))
    assert instance != flood_it.generate(6, rows=3, columns=40, colours=4, start=(2, 39))
    assert len(flood_it.generate(5, rows=9).board[0]) == 9


@pytest.mark.parametrize("optimum", [1, 3, 5])
def test_a_wanted_optimum(optimum):
    instance = flood_it.generate(5, rows=3, colours=3, optimum=optimum)
    assert len(best(instance.board)) == optimum


def test_an_optimum_that_never_comes_up():
    with pytest.raises(ValueError, match="needs 9 moves; met were 0, 1, 2"):
        flood_it.generate(5, rows=2, colours=3, optimum=9)


@pytest.mark.parametrize("sizes", [{"rows": 0}, {"columns": 0}, {"colours": 0}, {"start": (8, 0)}])
def test_sizes_that_make_no_board(sizes):
    with pytest.raises(ValueError, match="board"):
        flood_it.generate(1, **sizes)


# --- pictures -----------------------------------------------------------------------------------------------------------


def test_steps():
    boards = list(flood_it.steps(BOARD, proved(1, 2, 1)))
    assert boards[0] == BOARD.board
    assert boards[2] == ((2, 2, 2), (2, 2, 2), (2, 2, 1))
    assert boards[3] == ((1, 1, 1),) * 3
    assert list(flood_it.steps(BOARD, Answer(status=Status.OPTIMAL, cost=3, bound=3, colours=None))) == [BOARD.board]


def test_text():
    assert pictures.text(BOARD, color=False) == "0•1 2\n1 1 2\n2 2 1\n"
    assert pictures.text(Instance(board=((10, 1),), start=(0, 1)), color=False) == "10  1•\n"


def test_text_in_colour_is_the_same_text():
    colored = pictures.text(BOARD, color=True)
    assert colored.count("\x1b[48;2;") == 9
    plain = "".join(line.rstrip() + "\n" for line in re.sub(r"\x1b\[[\d;]*m", "", colored).splitlines())
    assert plain == pictures.text(BOARD, color=False)


def test_text_steps():
    shown = list(pictures.text_steps(BOARD, proved(1, 2, 1), color=False))
    assert shown[0] == "start\n0•1 2\n1 1 2\n2 2 1\n"
    assert shown[1] == "move 1: colour 1\n1•1•2\n1•1•2\n2 2 1\n"
    assert len(shown) == 4


def svg_elements(svg, name):
    return [element for element in ElementTree.fromstring(svg).iter() if element.get("class") == name]


def cells_drawn(svg):
    return sum(path.get("d").count("z") for path in svg_elements(svg, "cells"))


def test_svg_of_a_board():
    svg = pictures.svg(flood_it.generate(5, rows=7, columns=30, colours=20))
    assert cells_drawn(svg) == 210
    assert len(svg_elements(svg, "board")) == 1
    assert len({path.get("fill") for path in svg_elements(svg, "cells")}) == 20


def test_svg_of_an_answer():
    svg = pictures.svg(BOARD, proved(1, 2, 1))
    assert cells_drawn(svg) == 4 * 9
    assert len(svg_elements(svg, "board")) == len(svg_elements(svg, "caption")) == len(svg_elements(svg, "outline")) == 4
    assert [swatch.get("fill") for swatch in svg_elements(svg, "swatch")] == ["#56b4e9", "#009e73", "#56b4e9"]
    assert "Flood-It, 3 × 3, 3 colours: 3 moves<" in svg
    assert svg == pictures.svg(BOARD, proved(1, 2, 1))


def test_svg_of_what_is_not_proved():
    partial = Answer(status=Status.FEASIBLE, cost=3, bound=2, colours=(1, 2, 1))
    assert "3 moves (not proved, at least 2)" in pictures.svg(BOARD, partial)
    stopped = Answer(status=Status.STOPPED, cost=None, bound=1, colours=None)
    assert "at least 1 move<" in pictures.svg(BOARD, stopped)
    assert cells_drawn(pictures.svg(BOARD, stopped)) == 9


def test_the_outline_of_one_cell_has_four_sides():
    outline = svg_elements(pictures.svg(BOARD), "outline")[0].get("d")
    assert sorted(re.findall(r"M\d \d[hv]1", outline)) == ["M0 0h1", "M0 0v1", "M0 1h1", "M1 0v1"]


def test_shades_are_distinct():
    assert len({pictures.shade(colour) for colour in range(60)}) == 60
