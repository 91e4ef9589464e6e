"""The problem sliding tiles: answers as a slow twin finds them, tables, a checker that misses nothing, formats, pictures."""

import functools
import math
import random
import xml.etree.ElementTree as ET

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_tiles as naive
from bestfirst.catalogue import sliding_tiles as problem
from bestfirst.catalogue.sliding_tiles_search import TileSearch
from bestfirst.control import run
from bestfirst.formats.tokens import InputError
from bestfirst.render import sliding_tiles as render
from bestfirst.result import Limits, Status
from bestfirst.search.ida_star import ida_star
from bestfirst.search.tile_tables import UNMET, TileTableSearch

pytestmark = pytest.mark.slow  # makes tables

SAMPLE = "2 3 4 1 5 x 7 6 8\n"
SAMPLE_OUTPUT = "ullddrurdllurdruldr\n"

SIZES = [(3, 3), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (1, 1), (1, 2), (1, 5), (4, 1)]


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Tables are kept in a folder of the test's own, and only there."""
    monkeypatch.setattr(problem, "folder", lambda: tmp_path)
    monkeypatch.setattr(problem, "_in_memory", {size: t for size, t in problem._in_memory.items() if len(size[2]) != 2})


distances = functools.cache(naive.distances)


def twin(instance):
    return naive.first_way(instance.tiles, instance.rows, instance.columns, distances(instance.rows, instance.columns))


def solved(moves):
    return problem.Answer(status=Status.OPTIMAL, cost=len(moves), bound=len(moves), moves=moves)


def by_tables(instance, parts, **options):
    """A search with tables of these groups of tiles."""
    search = TileTableSearch(instance.rows, instance.columns, parts, {})
    tables = search.result(run(search, {}))
    return run(TileSearch(instance.rows, instance.columns, instance.tiles, tables, "", options), options)


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == SAMPLE_OUTPUT
    assert problem.check(instance, answer) is None
    assert problem.read_answers(SAMPLE_OUTPUT, [instance]) == [answer]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_first_shortest_way_is_that_of_the_twin(rows, columns):
    for seed in range(60):
        instance = problem.generate(seed, rows=rows, columns=columns, solvable=None)
        answer = problem.solve(instance)
        assert answer.moves == twin(instance), instance
        assert answer.status is (Status.INFEASIBLE if answer.moves is None else Status.OPTIMAL)
        assert (answer.reason is None) == (answer.moves is not None)
        assert problem.check(instance, answer) is None


def test_depths_of_all_boards_of_the_8_puzzle():
    """Counts as published: 181,440 boards, the two farthest 31 moves away."""
    search = TileTableSearch(3, 3, [range(1, 9)], {})
    run(search, {})
    counts = np.bincount(search.entries)
    assert counts[UNMET] == math.factorial(9) // 2
    assert counts[:32].tolist() == [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110, 23952,
        20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "columns", "parts"),
    [(3, 3, [(1, 2, 3), (5, 4, 8), (6, 7)]), (2, 4, [(1, 2, 5), (3, 4, 7, 6)]), (3, 3, [(8,), (1, 2, 3, 4, 5, 6), (7,)])],
)
def test_tables_hold_the_distances_of_the_twin(rows, columns, parts):
    search = TileTableSearch(rows, columns, parts, {})
    run(search, {})
    start = 0
    for part in parts:
        expected = naive.pattern_distances(part, rows, columns)
        size = math.perm(rows * columns, len(part))
        entries = search.entries[start : start + size]
        assert sorted(expected.values()) == sorted(entries[entries != UNMET].tolist())
        start += size
    for seed in range(40):
        instance = problem.generate(seed, rows=rows, columns=columns)
        tables = search.result(run(search, {"limits": Limits()}))
        at_start = TileSearch(rows, columns, instance.tiles, tables, "", {})
        cells = [[instance.tiles.index(tile) for tile in part] for part in parts]
        values = list(map(_looked_up, parts, cells, [rows] * 3, [columns] * 3))
        assert at_start.memory.value[: len(parts)].tolist() == values


@functools.cache
def _pattern(part, rows, columns):
    return naive.pattern_distances(part, rows, columns)


def _looked_up(part, cells, rows, columns):
    return _pattern(tuple(part), rows, columns)[tuple(cells)]


@pytest.mark.parametrize("parts", [[(1, 2, 3), (5, 4, 8), (6, 7)], [(i,) for i in range(1, 9)]])
def test_search_with_small_tables_finds_the_first_shortest_way(parts):
    for seed in range(12):
        instance = problem.generate(seed, moves=3 * seed)
        solution = by_tables(instance, parts)
        assert problem.answer(instance, solution).moves == twin(instance)
        assert solution.bound == solution.cost


def test_15_puzzles_are_solved_as_by_another_search():
    """The generic IDA* with the Manhattan distance, on boards near the ordered one; the twin's table is in use."""
    from examples.fifteen_puzzle import board, puzzle

    for seed in range(12):
        instance = problem.generate(seed, rows=4, columns=4, moves=34)
        turned = [(16 - tile) % 16 for tile in reversed(instance.tiles)]
        other = ida_star(puzzle(), board(turned))
        solution = problem.search(instance)
        assert solution.cost == other.cost
        assert problem.check(instance, problem.answer(instance, solution)) is None
        assert "6 + 6 + 3" in solution.why


def test_first_of_the_shortest_15_puzzle_ways():
    """All shortest ways by depth-first search in order; the first one met is the answer."""

    def first(tiles, depth, last):
        off = sum(abs(c // 4 - (t - 1) // 4) + abs(c % 4 - (t - 1) % 4) for c, t in enumerate(tiles) if t)
        if off == 0 or off > depth:
            return "" if off == 0 else None
        for letter, after in naive.neighbours(tiles, 4, 4):
            if letter + last not in ("ud", "du", "lr", "rl"):
                rest = first(after, depth - 1, letter)
                if rest is not None:
                    return letter + rest
        return None

    for seed in range(20):
        instance = problem.generate(seed, rows=4, columns=4, moves=18)
        answer = problem.solve(instance)
        assert answer.moves == first(instance.tiles, answer.cost, "")
        assert answer.cost == 0 or first(instance.tiles, answer.cost - 1, "") is None


def test_other_boards():
    for rows, columns, moves in ((3, 4, 30), (3, 5, 20), (2, 7, 25), (6, 6, 12)):
        instance = problem.generate(1, rows=rows, columns=columns, moves=moves)
        answer = problem.solve(instance, limits=Limits(memory=10 << 20))
        assert answer.cost <= moves
        assert answer.cost % 2 == moves % 2
        assert problem.check(instance, answer) is None


def test_reasons():
    exchanged = problem.Instance(tiles=(2, 1, 3, 4, 5, 6, 7, 8, 0))
    assert problem.solve(exchanged).reason.startswith(
        "order takes an odd number of exchanges, but the blank comes home by an even"
    )
    assert "cannot pass" in problem.solve(problem.Instance(rows=1, columns=3, tiles=(2, 0, 1))).reason


def test_limits_stop_and_a_stopped_search_goes_on(tmp_path):
    instance = problem.generate(5, rows=4, columns=4)
    whole = problem.search(instance)
    kept = tmp_path / "kept.npz"
    stopped = problem.search(instance, limits=Limits(nodes=5000), checkpoint=kept)
    assert (stopped.status, stopped.stopped_by) == (Status.STOPPED, "nodes")
    assert stopped.bound <= whole.cost
    answer = problem.answer(instance, stopped)
    assert problem.check(instance, answer) is None
    with pytest.raises(ValueError, match="at least"):
        problem.write(answer)
    again = problem.search(instance, resume=kept)
    assert (again.moves, again.stats.generated) == (whole.moves, whole.stats.generated)
    problem._in_memory.clear()
    for file in tmp_path.glob("*.npy"):
        file.unlink()
    without = problem.search(instance, limits=Limits(time=0))
    assert (without.status, without.stopped_by) == (Status.STOPPED, "time")
    assert 0 < without.bound <= whole.cost


def test_memory_limit_takes_smaller_tables():
    instance = problem.generate(1, rows=4, columns=4, moves=20)
    small = problem.search(instance, limits=Limits(memory=2 << 20))
    assert small.moves == problem.search(instance).moves
    assert "6 + 6" not in small.why
    assert small.stats.peak_bytes < 2 << 20


def test_interpreted_search_is_the_same():
    parts = [(1, 2, 3), (4, 5), (6, 7, 8)]
    for seed in range(4):
        instance = problem.generate(seed, moves=12)
        compiled, interpreted = by_tables(instance, parts), by_tables(instance, parts, compiled=False)
        assert (interpreted.moves, interpreted.stats.generated) == (compiled.moves, compiled.stats.generated)
    searches = [TileTableSearch(2, 3, [(1, 2), (3, 4, 5)], {"compiled": compiled}) for compiled in (True, False)]
    for search in searches:
        run(search, {})
    assert (searches[0].entries == searches[1].entries).all()


def test_tables_are_kept_and_damaged_ones_made_again(tmp_path):
    assert problem.build_tables(3, 4)
    (file,) = tmp_path.glob("tiles-3x4-*.npy")
    instance = problem.generate(2, rows=3, columns=4, moves=40)
    moves = problem.search(instance).moves
    for damage in (b"", file.read_bytes()[:1000]):
        file.write_bytes(damage)
        problem._in_memory.clear()
        assert problem.search(instance).moves == moves
    problem._in_memory.clear()
    assert problem.search(instance).moves == moves
    assert not problem.build_tables(4, 5, limits=Limits(time=0))


def test_engines():
    instance = problem.generate(1)
    assert problem.search(instance, engine="large_tables").moves == problem.search(instance, engine="tables").moves
    with pytest.raises(ValueError, match="there are: tables, large_tables"):
        problem.search(instance, engine="a_star")
    assert problem.groups_of(4, 4, large=True) == ((1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11, 12, 13, 14, 15))
    for rows, columns in ((4, 4), (5, 5), (3, 4), (6, 6), (2, 18), (3, 3)):
        for large in (False, True):
            groups = problem.groups_of(rows, columns, large=large)
            assert sorted(tile for group in groups for tile in group) == list(range(1, rows * columns))


# --- checker ------------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.sampled_from(SIZES[:6]))
def test_checker_knows_which_boards_can_be_ordered(seed, size):
    instance = problem.generate(seed, rows=size[0], columns=size[1], solvable=None)
    unsolvable = problem.Answer(status=Status.INFEASIBLE, cost=None, bound=None, moves=None)
    assert (problem.check(instance, unsolvable) is None) == (instance.tiles not in distances(*size))


def test_mutated_answers_are_faults_or_ways_home():
    rng = random.Random(1)
    for seed in range(150):
        instance = problem.generate(seed, rows=2, columns=3)
        moves = list(problem.solve(instance).moves)
        for _ in range(rng.choice((1, 2))):
            at = rng.randrange(len(moves) + 1)
            moves[at : at + rng.choice((0, 1))] = rng.choice(("", *"udlr"))
        board = instance.tiles
        for letter in moves:
            board = dict(naive.neighbours(board, 2, 3)).get(letter) if board else None
        right = board == (1, 2, 3, 4, 5, 0)
        assert (problem.check(instance, solved("".join(moves))) is None) == right


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"moves": "rr"}, "move 2 \\(r\\): the blank would leave"),
        ({"moves": "l"}, "after the last move tile 7 is not in its place"),
        ({"moves": "x"}, "move 1 is 'x'"),
        ({"moves": "rlr"}, None),
        ({"moves": "r", "cost": 2}, "the cost is 2, but there are 1 moves"),
        ({"moves": "r", "bound": 0}, "called optimal with cost 1, but its bound is 0"),
        ({"moves": "r", "bound": 2, "status": Status.FEASIBLE}, "the bound is 2"),
        ({"moves": None}, "does not go with moves None"),
        ({"moves": None, "cost": None, "status": Status.INFEASIBLE}, "but the tiles can be put in order"),
        ({"moves": None, "cost": None, "status": Status.STOPPED, "bound": 1}, None),
    ],
)
def test_checker_messages(changes, message):
    instance = problem.Instance(tiles=(1, 2, 3, 4, 5, 6, 7, 0, 8))
    length = len(changes["moves"] or "x")
    fields = {"status": Status.OPTIMAL, "cost": length, "bound": length, **changes}
    fault = problem.check(instance, problem.Answer(**fields))
    if message is None:
        assert fault is None
    else:
        with pytest.raises(ValueError, match=message):
            raise ValueError(fault)


# --- formats ------------------------------------------------------------------------------------------------------------


def test_text_and_json_there_and_back():
    instances = [problem.generate(seed, rows=r, columns=c, solvable=None) for seed, (r, c) in enumerate(SIZES * 3)]
    text = "".join(map(problem.write_instance, instances))
    assert list(problem.read(text)) == instances
    assert list(problem.read("\ufeff" + text.replace("\n", "\r\n"))) == instances
    answers = [problem.solve(instance) for instance in instances]
    plain = [msgspec.structs.replace(answer, reason=None) for answer in answers]
    assert problem.read_answers("".join(map(problem.write, answers)), instances) == plain
    for value in (*instances, *answers):
        assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value


def test_an_ordered_board_prints_an_empty_line():
    ordered = problem.Instance(tiles=(1, 2, 3, 4, 5, 6, 7, 8, 0))
    assert problem.write(problem.solve(ordered)) == "\n"
    for text in ("\n", "", "\n\n"):
        assert problem.read_answers(text, [ordered]) == [solved("")]
    assert problem.read_answers("\nunsolvable\nlr", [ordered] * 3)[2] == solved("lr")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "tile 1 of 9 is expected"),
        ("1 2 3\n4 5 6\n7 8", (3, 4), "tile 9 of 9 is expected"),
        ("1 2 3 4 5 6 7 8 9", (1, 17), "tile 9 of 9 is '9'; tiles are 1 to 8, and x"),
        ("1 2 3 4 5 6 7 8 0", (1, 17), "is '0'"),
        ("1 2 3 4 5 6 7 x x", (1, 17), "x is there twice"),
        ("1 2 3\n4 5 4 7 8 x", (2, 5), "4 is there twice"),
        ("1 2 -3", (1, 5), "'-3'"),
        ("1 2 ³", (1, 5), "'³'"),
        ("1 2 3 4 5 6 7 8 x\n1", (2, 2), "tile 2 of 9"),
        ("0x3", (1, 1), "the size is 0x3"),
        ("7x6 1", (1, 1), "a board has 1 to 36 cells"),
        ("2x2 1 2 3 4", (1, 11), "tile 4 of 4 is '4'"),
        ("4x", (1, 1), "tile 1 of 9 is '4x'"),
        ("1 2 99999999999999999999999", (1, 5), "tile 3 of 9"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(("text", "place"), [("uxd", (1, 2)), ("ud\nu", (2, 1)), ("unsolved", (1, 2))])
def test_bad_answers_are_named(text, place):
    with pytest.raises(InputError) as caught:
        problem.read_answers(text, [problem.generate(1)])
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"tiles": [1, 2, 3]}, "there are 3 tiles for 3 × 3"),
        ({"tiles": [1, 2, 3, 4, 5, 6, 7, 8, 8]}, "each once; 0 is missing"),
        ({"rows": 0, "columns": 3, "tiles": []}, "rows is 0"),
        ({"rows": 7, "columns": 6, "tiles": []}, "more than 36 cells"),
        ({"rows": 1, "columns": 2, "tiles": [1, -1]}, "0 is missing"),
        ({"version": 2, "tiles": []}, "version"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "sliding-tiles", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(40):
        for rows, columns in SIZES:
            for solvable in (True, False):
                if rows * columns <= 2 and not solvable:
                    continue
                instance = problem.generate(seed, rows=rows, columns=columns, solvable=solvable)
                assert instance == problem.generate(seed, rows=rows, columns=columns, solvable=solvable)
                assert (instance.tiles in distances(rows, columns)) == solvable
    for moves in range(12):
        instance = problem.generate(7, moves=moves)
        distance = distances(3, 3)[instance.tiles]
        assert distance <= moves
        assert distance % 2 == moves % 2
    assert len({problem.generate(seed) for seed in range(40)}) == 40
    for bad in ({"rows": 0}, {"rows": 9, "columns": 9}, {"moves": -1}, {"moves": 3, "solvable": False}):
        with pytest.raises(ValueError, match=r"no board|more than|no walk|can be put"):
            problem.generate(1, **bad)
    with pytest.raises(ValueError, match="every board"):
        problem.generate(1, rows=1, columns=2, solvable=False)


def test_pictures_show_every_board():
    for seed, (rows, columns) in enumerate(SIZES):
        instance = problem.generate(seed, rows=rows, columns=columns)
        answer = problem.solve(instance)
        boards = [step.board for step in problem.steps(instance, answer)]
        assert len(boards) == answer.cost + 1
        for color in (False, True):
            shown = list(render.text_steps(instance, answer, color))
            assert len(shown) == len(boards)
            for picture, board in zip(shown, boards, strict=True):
                plain = picture.replace("\x1b[1;32m", "").replace("\x1b[0m", "").replace("·", "0")
                assert [[int(word) for word in line.split()] for line in plain.splitlines()[1:]] == [list(row) for row in board]
        assert render.text(instance, False) == shown[0].replace("\x1b[1;32m", "").replace("\x1b[0m", "").partition("\n")[2]
        classes = [element.get("class") for element in ET.fromstring(render.svg(instance, answer)).iter()]
        assert classes.count("board") == classes.count("caption") == len(boards)
        assert classes.count("tile") == len(boards) * (rows * columns - 1)
        assert [e.get("class") for e in ET.fromstring(render.svg(instance)).iter()].count("board") == 1
    bad = problem.generate(1, solvable=False)
    assert next(render.text_steps(bad, problem.solve(bad), False)).startswith("unsolvable: order takes")
    assert "cannot be put in order" in render.svg(bad, problem.solve(bad))
