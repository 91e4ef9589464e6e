import contextlib
import random
import xml.etree.ElementTree as ElementTree
from collections import Counter

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import naive_mayan as naive
from bestfirst.catalogue import mayan_game as mayan
from bestfirst.formats.tokens import InputError
from bestfirst.kernel import exact, interpreting
from bestfirst.operations import UNREACHABLE
from bestfirst.render import mayan_game as render
from bestfirst.result import Limits, Status

pytestmark = pytest.mark.slow  # takes half a minute

SAMPLE = "3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n"
SAMPLE_OUTPUT = "2 1 1\n3 1 1\n3 0 1\n"


def sample():
    (instance,) = mayan.read(SAMPLE)
    return instance


def small_instances(seed, number):
    """Boards of all shapes, many of them with runs at the start, with few colours so that many can be cleared."""
    rng = random.Random(seed)
    for _ in range(number):
        width, rows = rng.choice((1, 2, 3, 3, 3, 3, 4, 5)), rng.randint(1, 4)
        n = rng.choice((0, 1, 2, 2, 3)) if width <= 3 else rng.choice((0, 1, 2, 2))
        colours = rng.choice((1, 2, 2, 3))
        columns = tuple(tuple(rng.randint(1, colours) for _ in range(rng.randint(0, rows))) for _ in range(width))
        yield mayan.Instance(n=n, columns=columns, rows=rows)


def twin(instance):
    return naive.first_solution(naive.board_of(instance.columns), instance.n, len(instance.columns))


def expected(moves):
    return mayan.Answer(status=Status.INFEASIBLE if moves is None else Status.OPTIMAL, moves=moves)


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    instance = sample()
    answer = mayan.solve(instance)
    assert mayan.write(answer) == SAMPLE_OUTPUT
    assert mayan.check(instance, answer) is None


def test_same_answer_as_brute_force():
    solved = Counter()
    for instance in small_instances(1, 2500):
        answer = mayan.solve(instance)
        assert answer == expected(twin(instance)), instance
        assert mayan.check(instance, answer) is None
        solved[instance.n, answer.moves is not None] += 1
    assert min(solved[n, True] for n in range(4)) > 10


def test_made_boards_have_the_same_answer_as_brute_force():
    for seed in range(60):
        instance = mayan.generate(seed, n=2 + seed % 2, columns=3 + seed % 3, rows=5, colours=3, solvable=True)
        answer = mayan.solve(instance)
        assert answer == expected(twin(instance)), instance


@pytest.mark.parametrize("pruning", [*mayan.PRUNINGS, "all"])
def test_same_answer_without_a_pruning(pruning):
    without = set(mayan.PRUNINGS) if pruning == "all" else {pruning}
    more = 0
    for seed in range(60):
        solvable = seed % 2 == 0
        instance = mayan.generate(seed, n=3, colours=3 if solvable else 2, blocks=14, solvable=solvable)
        full, less = mayan.search(instance), mayan.search(instance, without)
        assert mayan.answer(instance, less) == mayan.answer(instance, full)
        assert less.stats.generated >= full.stats.generated
        more += less.stats.generated > full.stats.generated
    assert more > 0


def test_interpreted_search_is_the_same():
    for seed in range(25):
        instance = mayan.generate(seed, n=2, colours=3, blocks=15, solvable=[True, None][seed % 2])
        for without in ((), ("first-wait", "mirror"), ("few", "spread")):
            compiled, interpreted = (mayan.search(instance, without, compiled=compiled) for compiled in (True, False))
            assert interpreted.moves == compiled.moves
            for count in ("expanded", "generated", "duplicates", "pruned"):
                assert getattr(interpreted.stats, count) == getattr(compiled.stats, count)


@pytest.mark.parametrize(
    ("columns", "n", "moves"),
    [
        (((), (), (), (), ()), 0, ()),
        (((), (), (), (), ()), 1, None),
        (((1,), (), (), (), ()), 0, None),
        (((1,), (), (), (), ()), 1, None),
        # one slide clears; the second move needs something to move
        (((1,), (1,), (), (1,), ()), 1, ((3, 0, -1),)),
        # a wait comes first: it swaps the equal blocks (0, 0) and (1, 0)
        (((1,), (1,), (), (1,), ()), 2, ((0, 0, 1), (3, 0, -1))),
        # a run at the start vanishes only with the first move, for which swapping equal blocks is enough
        (((1,), (1,), (1,), (), ()), 1, ((0, 0, 1),)),
        (((1,), (1,), (1,), (), ()), 0, None),
        # the block in the corner belongs to two runs, which vanish at the same time
        (((1, 1, 1), (1,), (1,), (), ()), 1, ((0, 0, 1),)),
        # what lies above a run falls into a new run
        (((2, 1), (1,), (1,), (2,), (2,)), 1, None),
        (((1, 2), (1, 2), (2, 1, 2), (), ()), 1, None),
    ],
)
def test_small_cases(columns, n, moves):
    instance = mayan.Instance(n=n, columns=columns)
    assert twin(instance) == moves
    assert mayan.solve(instance).moves == moves


def test_leaving_out_all_equal_swaps_would_lose_solutions():
    """Why they are kept: of the boards that can be cleared, some cannot without a swap of equal blocks."""

    def without_equal_swaps(board, n, width):
        if n == 0:
            return not board
        for x, y, g in naive.legal_moves(board, width):
            equal = board[x, y] == board.get((x + g, y))
            if not equal and without_equal_swaps(naive.after(board, (x, y, g)), n - 1, width):
                return True
        return False

    lost = 0
    for instance in small_instances(2, 600):
        if mayan.solve(instance).moves is not None:
            lost += not without_equal_swaps(naive.board_of(instance.columns), instance.n, len(instance.columns))
    assert lost > 0


def test_all_equal_swaps_lead_to_the_same_board():
    for instance in small_instances(3, 500):
        board, width = naive.board_of(instance.columns), len(instance.columns)
        waits = [(x, y, g) for x, y, g in naive.legal_moves(board, width) if board.get((x + g, y)) == board[x, y]]
        assert len({tuple(sorted(naive.after(board, wait).items())) for wait in waits}) <= 1


def test_a_left_swap_is_the_right_swap_of_the_neighbour():
    for instance in small_instances(4, 300):
        board, width = naive.board_of(instance.columns), len(instance.columns)
        for x, y, g in naive.legal_moves(board, width):
            if g == -1 and (x - 1, y) in board:
                assert (x - 1, y, 1) < (x, y)
                assert naive.after(board, (x, y, -1)) == naive.after(board, (x - 1, y, 1))


def bound(instance):
    game, state = mayan._as_problem(instance, ())
    with interpreting():
        return exact(game).lower_bound(exact(state))


def test_bound_never_overestimates():
    values = Counter()
    for seed in range(400):
        rng = random.Random(seed)
        colours = rng.randint(1, 4)
        columns = tuple(tuple(rng.randint(1, colours) for _ in range(rng.randint(0, 4))) for _ in range(rng.randint(1, 5)))
        lengths = (
            n for n in range(5) if mayan.solve(mayan.Instance(n=n, columns=columns), without=("few", "spread")).moves is not None
        )
        fewest = next(lengths, None)
        h = bound(mayan.Instance(n=0, columns=columns))
        assert fewest is None or h <= fewest, columns
        values[h] += 1
    assert set(values) >= {0, 1, 2, 3, UNREACHABLE}


def test_shifts_of_one_colour_are_fewest_by_brute_force():
    """`_shift_table` against its definition: breadth-first over all spreads of at most six blocks, nothing clipped."""

    def can_clear(spread):
        if not any(spread):
            return True
        width = len(spread)
        removals = [tuple(k if x == i else 0 for x in range(width)) for i in range(width) for k in (3, 4, 5)]
        removals += [tuple(int(i <= x < j) for x in range(width)) for i in range(width) for j in range(i + 3, width + 1)]
        # runs that cross share a cell: each crossing keeps one block in its column
        removals += [
            tuple(max(a, 3 if x == i else 0) for x, a in enumerate(r)) for r in removals for i in range(width) if r[i] == 1
        ]
        rests = [tuple(a - b for a, b in zip(spread, removal, strict=True)) for removal in removals]
        return any(min(rest) >= 0 and can_clear(rest) for rest in rests)

    def fewest(spread):
        frontier, seen = {spread}, {spread}
        for distance in range(4):
            if any(can_clear(s) for s in frontier):
                return distance
            frontier = {t for s in frontier for t in shifted(s)} - seen
            seen |= frontier
        return 4

    def shifted(spread):
        for x, number in enumerate(spread):
            for other in (x - 1, x + 1):
                if number and 0 <= other < len(spread):
                    yield tuple(k - (i == x) + (i == other) for i, k in enumerate(spread))

    table = mayan._shift_table(4, 3)
    rng = random.Random(5)
    for _ in range(150):
        spread = [0] * 4
        for _ in range(rng.randint(1, 6)):
            spread[rng.randrange(4)] += 1
        assert table[sum(number << (3 * x) for x, number in enumerate(spread))] == fewest(tuple(spread)), spread


@pytest.mark.parametrize(("columns", "rows"), [(1, 7), (2, 3), (8, 7), (5, 15), (13, 15), (3, 1)])
def test_other_sizes(columns, rows):
    """The largest packing, and boards too wide for the table of shifts."""
    for seed in range(4):
        instance = mayan.generate(seed, n=2, columns=columns, rows=rows, colours=4)
        answer = mayan.solve(instance)
        assert answer == mayan.solve(instance, without=tuple(mayan.PRUNINGS))
        assert mayan.check(instance, answer) is None
    if max(columns, rows) >= 7 and columns >= 3:
        instance = mayan.generate(1, n=2, columns=columns, rows=rows, colours=15, solvable=True)
        answer = mayan.solve(instance)
        assert answer == expected(twin(instance))


def test_fifteen_colours_of_any_number_on_the_largest_board():
    columns = tuple(tuple(1000 * (1 + (x + 5 * y) % 15) for y in range(15)) for x in range(13))
    instance = mayan.Instance(n=1, columns=columns, rows=15)
    assert mayan.solve(instance).moves is None
    columns = tuple(tuple(1000 * (1 + y) for y in range(15)) for x in range(13))
    instance = mayan.Instance(n=1, columns=columns, rows=15)
    assert mayan.solve(instance).moves == ((0, 0, 1),)


def test_stops_at_a_limit():
    instance = mayan.generate(17, n=5, colours=3, blocks=35)
    solution = mayan.search(instance, limits=Limits(nodes=1000))
    answer = mayan.answer(instance, solution)
    assert answer.status is Status.STOPPED
    assert answer.moves is None
    assert mayan.check(instance, answer) is None
    with pytest.raises(ValueError, match="nothing to print"):
        mayan.write(answer)


@pytest.mark.parametrize("colours", range(2, 11))
def test_full_boards_with_five_moves_take_seconds(colours):
    for seed in range(3):
        solution = mayan.search(mayan.generate(seed, n=5, colours=colours, blocks=35))
        assert solution.stats.seconds < 10


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="mirror, first-wait, few, spread, remember"):
        mayan.search(sample(), without=("mirrors",))
    with pytest.raises(ValueError, match="depth_first"):
        mayan.search(sample(), engine="a_star")


# --- checker ------------------------------------------------------------------------------------------------------------


def clears(instance, moves):
    """By the twin's rules: whether the moves are legal, as many as asked for, and clear the board."""
    board, width = naive.board_of(instance.columns), len(instance.columns)
    for move in moves:
        if move not in naive.legal_moves(board, width):
            return False
        board = naive.after(board, move)
    return len(moves) == instance.n and not board


def mutated(rng, moves):
    moves = list(moves)
    i = rng.randrange(len(moves))
    x, y, g = moves[i]
    change = rng.randrange(7)
    if change == 0:
        moves[i] = (x, y, -g)
    elif change == 1:
        moves[i] = (x + rng.choice((-1, 1)), y, g)
    elif change == 2:
        moves[i] = (x, y + rng.choice((-1, 1)), g)
    elif change == 3:
        moves[i] = (x + g, y, -g)
    elif change == 4:
        del moves[i]
    elif change == 5:
        moves.insert(i, moves[i])
    else:
        rng.shuffle(moves)
    return tuple(moves)


def test_checker_finds_every_fault():
    rng = random.Random(1)
    faults = Counter()
    for seed in range(60):
        instance = mayan.generate(seed, n=1 + seed % 3, colours=3, solvable=True)
        best = mayan.solve(instance)
        for _ in range(20):
            answer = expected(mutated(rng, best.moves))
            right = clears(instance, answer.moves)
            assert (mayan.check(instance, answer) is None) == right
            faults[right, answer == best] += 1
    assert set(faults) >= {(False, False), (True, False)}  # wrong answers, and right ones that do not come first


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ((), "there are 0 moves, there must be exactly 3"),
        (((2, 1, 1), (3, 1, 1), (3, 3, 1)), "move 3 (3, 3, 1): there is no block in cell (3, 3)"),
        (((2, 1, 1), (4, 1, 1), (3, 0, 1)), "move 2 (4, 1, 1): the block in cell (4, 1) would leave the board"),
        (((2, 1, 1), (3, 1, 0), (3, 0, 1)), "move 2 (3, 1, 0): the direction is 0, not 1 or -1"),
        (((5, 1, 1), (3, 1, 1), (3, 0, 1)), "move 1 (5, 1, 1): there is no cell (5, 1)"),
        (((2, 1, 1), (3, 1, 1), (3, 1, 1)), "12 blocks are left after the last move"),
        (((2, 1, 1), (3, 1, 1), (4, 0, -1)), None),
    ],
)
def test_checker_messages(moves, message):
    assert mayan.check(sample(), expected(moves)) == message


# --- text and JSON ------------------------------------------------------------------------------------------------------


def test_text_round_trip():
    for seed in range(50):
        instance = mayan.generate(seed, n=seed % 4, colours=10, solvable=[True, None][seed % 2])
        text = mayan.write_instance(instance)
        assert list(mayan.read(text)) == [instance]
        assert list(mayan.read("\ufeff" + text.replace("\n", "\r\n"))) == [instance]
        assert list(mayan.read(" ".join(text.split()))) == [instance]
        answer = mayan.solve(instance)
        assert mayan.read_answers(mayan.write(answer), [instance]) == [answer]


def test_several_cases_in_one_text():
    empty = mayan.Instance(n=0, columns=((),) * 5)
    stuck = mayan.Instance(n=0, columns=((1,), (), (), (), ()))
    instances = [sample(), empty, stuck, sample(), empty]
    assert list(mayan.read("".join(map(mayan.write_instance, instances)))) == instances
    answers = [mayan.solve(instance) for instance in instances]
    output = "".join(map(mayan.write, answers))
    assert output == SAMPLE_OUTPUT + "-1\n" + SAMPLE_OUTPUT
    assert mayan.read_answers(output, instances) == answers


def test_json_round_trip():
    instance = sample()
    answer = mayan.solve(instance)
    assert msgspec.json.decode(msgspec.json.encode(instance), type=mayan.Instance) == instance
    assert msgspec.json.decode(msgspec.json.encode(answer), type=mayan.Answer) == answer
    assert msgspec.json.decode(msgspec.json.encode(expected(None)), type=mayan.Answer) == expected(None)
    assert b'"problem":"mayan-game"' in msgspec.json.encode(instance)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "version 2 is not known"),
        ({"n": -1}, "n is -1"),
        ({"rows": 16}, "rows is 16"),
        ({"columns": ()}, "there are 0 columns"),
        ({"columns": ((1,),) * 14}, "there are 14 columns"),
        ({"columns": ((1, 2, 3),), "rows": 2}, "column 0 has 3 blocks in 2 rows"),
        ({"columns": ((1,), (2, 0))}, "column 1 has a colour that is not positive"),
        ({"columns": tuple((x, x + 20) for x in range(1, 9))}, "there are 16 colours, at most 15"),
    ],
)
def test_bad_instances_are_refused(change, message):
    values = {"n": 1, "columns": ((1,),), **change}
    with pytest.raises(ValueError, match=message):
        mayan.Instance(**values)
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "mayan-game", **values}, mayan.Instance)


def test_answers_that_contradict_themselves_are_refused():
    with pytest.raises(ValueError, match="does not go with"):
        mayan.Answer(status=Status.OPTIMAL, moves=None)
    with pytest.raises(ValueError, match="does not go with"):
        mayan.Answer(status=Status.INFEASIBLE, moves=())
    with pytest.raises(ValueError, match="version 3"):
        mayan.Answer(version=3, status=Status.OPTIMAL, moves=())


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "the number of moves n"),
        ("x\n", 1, 1, "the number of moves n"),
        ("-1\n0 0 0 0 0", 1, 1, "at least 0"),
        ("1\n1 0\n", 2, 4, "a colour of column 1"),
        ("1\n1 2 0\n11 0\n", 3, 1, "at most 10"),
        ("1\n1 -2 0\n", 2, 3, "at least 0"),
        ("1\n0\n1 1 1 1 1 1 1 2 0\n", 3, 15, "column 1 has more than 7 blocks"),
        ("1\n0\n0\n0\n0\n1 2", 6, 4, "the 0 that ends it"),
        ("1\n0\n0\n0\n0\n0\n2\n", 7, 2, "a colour of column 0"),
        ("1\n0\n0\n1.5 0\n", 4, 1, "a whole number"),
    ],
)
def test_bad_input_is_named(text, line, column, message):
    with pytest.raises(InputError, match=message) as caught:
        list(mayan.read(text))
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "the column x of a move"),
        ("2 1 1\n3 1 1\n3 0\n", 3, 4, "the direction of a move"),
        ("2 1 1\n3 1 0\n3 0 1\n", 2, 5, "must be 1 .right. or -1 .left."),
        ("2 1 1\n3 1 2\n3 0 1\n", 2, 5, "at most 1"),
        (SAMPLE_OUTPUT + "0 0 1\n", 4, 1, "expected the end"),
        ("-1\n-1\n", 2, 1, "expected the end"),
    ],
)
def test_bad_output_is_named(text, line, column, message):
    with pytest.raises(InputError, match=message) as caught:
        mayan.read_answers(text, [sample()])
    assert (caught.value.line, caught.value.column) == (line, column)


def test_only_boards_of_the_judge_can_be_written():
    for instance in (
        mayan.Instance(n=1, columns=((),) * 4),
        mayan.Instance(n=1, columns=((),) * 5, rows=6),
        mayan.Instance(n=1, columns=((11,), (), (), (), ())),
    ):
        with pytest.raises(ValueError, match="the judge format has"):
            mayan.write_instance(instance)


@given(st.text(st.sampled_from("0123 \n\r\t-+x.٣\ufeff"), max_size=80), st.integers(0, len(SAMPLE)), st.integers(0, 8))
@example("-+", 0, 0)
@settings(max_examples=300, deadline=None)
def test_bad_text_raises_input_errors_only(junk, position, cut):
    for text in (junk, SAMPLE[:position] + junk + SAMPLE[position + cut :]):
        with contextlib.suppress(InputError):
            list(mayan.read(text))
        with contextlib.suppress(InputError):
            mayan.read_answers(text, [sample()])


# --- generator and pictures -----------------------------------------------------------------------------------------------


def test_generated_boards_are_as_wanted():
    for seed in range(30):
        for solvable in (True, False, None):
            instance = mayan.generate(seed, n=seed % 5, solvable=solvable)
            assert instance == mayan.generate(seed, n=seed % 5, solvable=solvable)
            board = naive.board_of(instance.columns)
            assert not naive.vanishing(board)
            if solvable is not None:
                assert (mayan.solve(instance).moves is not None) == solvable


def test_generator_keeps_to_its_limits():
    for seed in range(20):
        instance = mayan.generate(seed, n=4, columns=4, rows=5, colours=2, blocks=11)
        assert sum(map(len, instance.columns)) <= 11
        assert len(instance.columns) == 4
        assert {colour for column in instance.columns for colour in column} <= {1, 2}
    assert sum(map(len, mayan.generate(0, n=1, colours=10, blocks=35).columns)) == 35
    with pytest.raises(ValueError, match="no such board"):
        mayan.generate(0, n=2, columns=2, rows=2, solvable=True)
    with pytest.raises(ValueError, match="colours is 16"):
        mayan.generate(0, colours=16)


def test_steps_follow_the_twin():
    for seed in range(20):
        instance = mayan.generate(seed, n=3, solvable=True)
        answer = mayan.solve(instance)
        last = {}
        for step in mayan.steps(instance, answer):
            last[step.number] = {(x, y): c for x, column in enumerate(step.board) for y, c in enumerate(column) if c}
        board = naive.board_of(instance.columns)
        for number, move in enumerate(answer.moves, 1):
            assert last[number - 1] == board
            board = naive.after(board, move)
        assert last[instance.n] == board == {}


def test_steps_of_an_unsolvable_board_are_its_start():
    (step,) = mayan.steps(sample(), expected(None))
    assert step.phase is mayan.Phase.START


def test_text_pictures():
    instance = mayan.Instance(n=1, columns=((1, 12), (), (12,)), rows=3)
    assert render.text(instance, color=False) == "2   .   .   .\n1  12   .   .\n0   1   .  12\n    0   1   2\n"
    colored = render.text(instance, color=True)
    assert "\x1b[38;5;16;48;5;208m  1 \x1b[0m" in colored
    instance = sample()
    pictures = list(render.text_steps(instance, mayan.solve(instance), color=False))
    assert pictures[0].startswith("start\n")
    assert pictures[1].startswith("move 1: (2, 1) right\n")
    assert "1  0" not in pictures[1]
    assert "[1][3]" in pictures[1]
    assert pictures[-1].startswith("cleared\n")


def test_svg_pictures_are_xml():
    instance = sample()
    answer = mayan.solve(instance)
    for shown in (None, answer, expected(None)):
        picture = render.svg(instance, shown)
        assert picture == render.svg(instance, shown)
        root = ElementTree.fromstring(picture)
        blocks = root.findall(".//{*}rect[@class='block']")
        first = root.find(".//{*}g").findall("{*}rect[@class='block']")
        assert len(first) == 12
        assert (len(blocks) > 12) == (shown is answer)
    assert len(root.findall(".//{*}g")) == 1


# --- what the page says -------------------------------------------------------------------------------------------------

SIX_COLOURS = """5
1 4 1 6 5 5 1 0
2 2 5 3 4 2 3 0
4 2 2 3 2 6 3 0
1 1 5 2 4 6 2 0
4 3 3 2 1 4 4 0
"""

HARD = """5
1 3 2 3 1 1 3 0
3 1 3 2 2 3 1 0
2 3 1 3 3 1 2 0
3 2 3 2 1 2 3 0
1 3 2 1 2 1 2 0
"""


@pytest.mark.parametrize(
    ("without", "generated"),
    [(None, 9_846), ("mirror", 18_795), ("first-wait", 11_111), ("few", 10_116), ("spread", 858_624), ("remember", 41_191)],
)
def test_node_counts_of_the_page(without, generated):
    (instance,) = mayan.read(SIX_COLOURS)
    solution = mayan.search(instance, {without} - {None})
    assert solution.status is Status.INFEASIBLE
    assert solution.stats.generated == generated


def test_hardest_board_of_the_page_takes_seconds():
    (instance,) = mayan.read(HARD)
    solution = mayan.search(instance)
    assert (solution.status, solution.stats.generated) == (Status.INFEASIBLE, 1_333_236)
    assert solution.stats.seconds < 10
