"""Exact cover: known numbers of solutions, all subsets, the promised tree, pauses, limits, bad input; both kernels."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst
import exact_covers
import naive_exact_cover as naive
from bestfirst import CheckpointError, Interrupted, Limits, Status, checkpoint, control, count_exact_covers, exact_cover
from bestfirst.control import EXHAUSTED, FOUND, FULL, PAUSED
from bestfirst.search.cover import COUNT, FIRST, LIST
from bestfirst.search.cover_links import LinkSearch
from bestfirst.search.cover_masks import MaskSearch
from bestfirst.search.exact_cover import read_cover

pytestmark = pytest.mark.slow  # takes half a minute

KERNELS = [MaskSearch, LinkSearch]

# The example of the field's textbook (Knuth 7.2.2.1, formula (5)), and its only cover.
SMALL = [list(option) for option in ("ce", "adg", "bcf", "adf", "bg", "deg")]
SMALL_COVER = (0, 3, 4)


def search_with(kernel, options, mode, *, primary=None, secondary=(), compiled=None):
    return kernel(read_cover(options, primary, secondary), mode, {"compiled": compiled})


def finish(search, stop_at=1 << 40):
    while (outcome := search.advance(stop_at)) == FULL:
        assert search.grow(None)
    return outcome


def count_with(kernel, options, **arguments):
    search = search_with(kernel, options, COUNT, **arguments)
    assert finish(search) == EXHAUSTED
    return search


# --- known answers ----------------------------------------------------------------------------------------------------


def test_the_textbook_example():
    solution = exact_cover(SMALL)
    assert sorted(solution.moves) == list(SMALL_COVER)
    assert (solution.status, solution.cost, solution.bound, solution.count) == (Status.OPTIMAL, 3, 3, None)
    uneven = exact_cover([["a"], ["b"], ["a", "b"]])  # the first cover met is not the one with the fewest options
    assert (uneven.status, uneven.moves, uneven.bound) == (Status.FEASIBLE, (0, 1), 1)
    counted = count_exact_covers(SMALL)
    assert (counted.count, counted.status, counted.cost) == (1, Status.OPTIMAL, 3)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    ("options", "secondary", "known"),
    [
        *((*exact_covers.queens(n), known) for n, known in [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92)]),
        *((exact_covers.latin_square(n), (), known) for n, known in [(1, 1), (2, 2), (3, 12), (4, 576)]),
        *((exact_covers.langford(n), (), known) for n, known in [(3, 2), (4, 2), (5, 0), (6, 0), (7, 52), (8, 300)]),
        (exact_covers.dominoes(6, 6), (), 6728),
        (exact_covers.dominoes(3, 3), (), 0),
    ],
)
def test_known_numbers_of_solutions(kernel, options, secondary, known):
    search = count_with(kernel, options, secondary=secondary)
    assert search.count() == known
    assert (search.best() is None) == (known == 0)


@pytest.mark.parametrize(("height", "width", "known"), [(3, 20, 2), (4, 15, 368), (5, 12, 1010), (6, 10, 2339)])
def test_pentominoes_in_a_box(height, width, known):
    solution = count_exact_covers(exact_covers.pentominoes(height, width))
    assert solution.count == 4 * known  # each with its rotation and mirror images
    assert (solution.cost, solution.bound, solution.status) == (12, 12, Status.OPTIMAL)
    assert "bit sets" in solution.why


@pytest.mark.parametrize("kernel", KERNELS)
def test_larger_known_numbers(kernel):
    options, diagonals = exact_covers.queens(11)
    assert count_with(kernel, options, secondary=diagonals).count() == 2680
    assert count_with(kernel, exact_covers.latin_square(5)).count() == 161_280
    assert count_with(kernel, exact_covers.langford(11)).count() == 35_584


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_sudoku(kernel):
    clues = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    options, triples = exact_covers.sudoku(clues)
    search = count_with(kernel, options)
    length, chosen = search.best()
    assert (search.count(), length) == (1, 81)
    digits = {(r, c): k for r, c, k in (triples[o] for o in chosen)}
    grid = "".join(str(digits[r, c]) for r in range(9) for c in range(9))
    assert grid == "812753649943682175675491283154237896369845721287169534521974368438526917796318452"


# --- against the twins --------------------------------------------------------------------------------------------------


@st.composite
def instances(draw, most=10):
    items = draw(st.integers(1, 6))
    options = draw(st.lists(st.sets(st.integers(0, items - 1), min_size=1), max_size=most))
    secondary = draw(st.sets(st.integers(0, items - 1)))
    return [sorted(option) for option in options if option - secondary], sorted(secondary)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("compiled", [True, False])
@given(instance=instances(), fill=st.sampled_from([0, 60, 130]))
def test_all_covers(kernel, compiled, instance, fill):
    options, secondary = instance
    primary = naive.primary_items(options, secondary)
    expected = naive.all_covers(options, primary, secondary)
    covers, tried = naive.walk(options, primary)
    unused = [f"unused {i}" for i in range(fill)]  # moves the secondary items into further words
    arguments = {"secondary": [*unused, *secondary], "compiled": compiled}
    counted = count_with(kernel, options, **arguments)
    assert counted.count() == len(expected) == len(covers)
    assert counted.stats().generated == tried + 1
    listing = search_with(kernel, options, LIST, **arguments)
    assert finish(listing) == EXHAUSTED
    assert listing.listed() == covers
    assert {tuple(sorted(cover)) for cover in covers} == expected
    first = search_with(kernel, options, FIRST, **arguments)
    assert finish(first) == (FOUND if covers else EXHAUSTED)
    assert first.best() == ((len(covers[0]), covers[0]) if covers else None)
    if covers:
        fewest = min(covers, key=len)
        assert counted.best() == (len(fewest), fewest)
        assert first.progress().bound <= len(fewest)


@given(instance=instances())
def test_the_public_functions(instance):
    options, secondary = instance
    primary = naive.primary_items(options, secondary)
    covers, _ = naive.walk(options, primary)
    assert list(bestfirst.exact_covers(options, secondary=secondary)) == covers
    solution, counted = exact_cover(options, secondary=secondary), count_exact_covers(options, secondary=secondary)
    assert counted.count == len(covers)
    if not covers:
        assert (solution.status, counted.status) == (Status.INFEASIBLE, Status.INFEASIBLE)
        return
    assert (solution.moves, solution.cost) == (covers[0], len(covers[0]))
    least = min(map(len, covers))
    assert solution.bound <= least <= solution.cost
    assert (solution.status is Status.OPTIMAL) <= (solution.cost == least)
    assert (counted.status, counted.cost) == (Status.OPTIMAL, least)


@pytest.mark.parametrize("seed", range(6))
def test_the_kernels_walk_the_same_tree(seed):
    rng = random.Random(seed)
    items = rng.choice([24, 70, 150])
    options = [rng.sample(range(items), rng.randint(2, 6)) for _ in range(rng.choice([100, 250]))]
    limit = Limits(nodes=20_000)
    options = [[*option, items] for option in options[:40]] + options[40:]
    cover = read_cover(options, None, [items])
    masks, links = (control.run(kernel(cover, COUNT, {}), {"limits": limit}) for kernel in KERNELS)
    assert (masks.count, masks.moves, masks.stopped_by) == (links.count, links.moves, links.stopped_by)
    assert (masks.stats.generated, masks.stats.expanded) == (links.stats.generated, links.stats.expanded)


def test_many_options_of_an_item_are_counted_exactly():
    """More than 7 options everywhere: the tally of bits is full, and the items are counted one by one."""
    options = [[0, i % 9, 9 + i % 11] if i % 9 else [0, 9 + i % 11] for i in range(99)] + [[i % 9, 9] for i in range(1, 9)] * 9
    primary = naive.primary_items(options, ())
    covers, tried = naive.walk(options, primary)
    for kernel in KERNELS:
        search = count_with(kernel, options)
        assert (search.count(), search.stats().generated) == (len(covers), tried + 1)


# --- the forms of the input -----------------------------------------------------------------------------------------------


class Matrix:
    """What SciPy's csr_array shows of itself."""

    format = "csr"

    def __init__(self, dense):
        dense = np.asarray(dense)
        self.shape = dense.shape
        rows, self.indices = np.nonzero(dense)
        self.data = dense[rows, self.indices]
        self.indptr = np.searchsorted(rows, np.arange(len(dense) + 1))


def test_a_sparse_matrix():
    dense = [[item in option for item in "abcdefg"] for option in SMALL]
    assert sorted(exact_cover(Matrix(dense)).moves) == list(SMALL_COVER)
    assert exact_cover(Matrix(np.pad(dense, ((0, 0), (0, 1))))).status is Status.INFEASIBLE  # a column that nothing covers
    assert sorted(exact_cover(Matrix(np.pad(dense, ((0, 0), (0, 1)))), secondary=[7]).moves) == list(SMALL_COVER)


def test_a_stored_zero_is_no_entry():
    matrix = Matrix([[1, 1], [1, 0], [0, 1]])
    assert count_exact_covers(matrix).count == 2
    matrix.data[1] = 0  # the first option now covers column 0 only
    assert count_exact_covers(matrix).count == 2
    assert {tuple(sorted(cover)) for cover in bestfirst.exact_covers(matrix)} == {(0, 2), (1, 2)}


@given(instance=instances())
def test_a_matrix_is_the_same_as_lists(instance):
    options, secondary = instance
    items = 1 + max((max(option) for option in options), default=0)
    dense = np.zeros((len(options), items), np.int8)
    for o, option in enumerate(options):
        dense[o, option] = 1
    secondary = [item for item in secondary if item < items]
    primary = [item for item in range(items) if item not in secondary]
    covers, _ = naive.walk(options, primary)
    assert list(bestfirst.exact_covers(Matrix(dense), secondary=secondary)) == covers
    assert list(bestfirst.exact_covers(options, primary=primary, secondary=secondary)) == covers


def test_nothing_to_cover():
    assert list(bestfirst.exact_covers([])) == [()]
    solution = exact_cover([])
    assert (solution.status, solution.cost, solution.moves, solution.bound) == (Status.OPTIMAL, 0, (), 0)
    assert exact_cover([], primary=["x"]).status is Status.INFEASIBLE
    assert exact_cover([], secondary=["x"]).moves == ()


def test_an_item_that_no_option_covers():
    assert exact_cover([["a"]], primary=["a", "b"]).status is Status.INFEASIBLE
    assert count_exact_covers([["a"]], primary=["a", "b"]).count == 0


@pytest.mark.parametrize(
    ("options", "arguments", "error", "words"),
    [
        (5, {}, TypeError, "options must be an iterable of options, not int"),
        ("abc", {}, TypeError, "options must be an iterable of options, not str"),
        ([["a"], 3], {}, TypeError, "option 1 must be an iterable of items, not int"),
        (["ab"], {}, TypeError, "option 0 must be an iterable of items, not str"),
        ([[[1]]], {}, TypeError, "the items of option 0 must be hashable"),
        ([["a"]], {"secondary": "a"}, TypeError, "secondary is an iterable of items, not str"),
        ([["a"]], {"primary": 3}, TypeError, "primary is an iterable of items, not int"),
        ([["a"]], {"secondary": [[1]]}, TypeError, "the items of secondary must be hashable"),
        ([["b"], ["a", "b", "a"]], {}, ValueError, "option 1 names the item 'a' twice"),
        ([["a"], []], {}, ValueError, "option 1 has no primary item"),
        ([["a"], ["b"]], {"secondary": ["b"]}, ValueError, "option 1 has no primary item"),
        ([["a"], ["a", "b"]], {"primary": ["a"]}, ValueError, "option 1 names the item 'b', which is neither"),
        ([["a"]], {"primary": ["a"], "secondary": ["a"]}, ValueError, "the item 'a' is both primary and secondary"),
        (Matrix([[1, 1]]), {"secondary": [2]}, ValueError, "there is no column 2; the matrix has 2"),
    ],
)
def test_bad_input_is_named(options, arguments, error, words):
    for function in (exact_cover, count_exact_covers, bestfirst.exact_covers):
        with pytest.raises(error, match=words):
            function(options, **arguments)


def test_a_matrix_by_columns_is_refused():
    matrix = Matrix([[1]])
    matrix.format = "csc"
    with pytest.raises(TypeError, match="CSR"):
        exact_cover(matrix)


def test_an_unknown_option_of_the_engine():
    with pytest.raises(TypeError, match="unknown option 'color'"):
        exact_cover(SMALL, color=1)


# --- pauses, limits -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("mode", [FIRST, COUNT])
def test_a_search_in_pieces_is_the_same_search(kernel, mode, tmp_path):
    options = exact_covers.langford(7)
    whole = search_with(kernel, options, mode)
    outcome = finish(whole)
    rng = random.Random(1)
    pieces, pauses = search_with(kernel, options, mode), 0
    while (last := finish(pieces, pieces.progress().generated + rng.randint(1, 4))) == PAUSED:
        pauses += 1
        checkpoint.store(pieces.save(), tmp_path / "search")
        pieces = search_with(kernel, options, mode)
        pieces.restore(checkpoint.load(tmp_path / "search"))
    assert pauses > 3
    assert (last, pieces.best(), pieces.stats(), pieces.count()) == (outcome, whole.best(), whole.stats(), whole.count())


def test_a_stopped_count_is_a_lower_bound(tmp_path):
    options = exact_covers.langford(8)
    solution = count_exact_covers(options, limits=Limits(nodes=1000), checkpoint=tmp_path / "file")
    assert (solution.stopped_by, solution.status) == ("nodes", Status.FEASIBLE)
    assert 0 < solution.count < 300
    assert f"at least {solution.count} solutions" in str(solution)
    whole = count_exact_covers(options, resume=tmp_path / "file")
    assert (whole.count, whole.stopped_by) == (300, None)
    assert "300 solutions" in str(whole)
    assert "at least 300" not in str(whole)
    assert whole.stats.generated == count_exact_covers(options).stats.generated
    with pytest.raises(CheckpointError, match="settings"):
        exact_cover(options, resume=tmp_path / "file")
    with pytest.raises(CheckpointError, match="another problem"):
        count_exact_covers(exact_covers.langford(7), resume=tmp_path / "file")


@pytest.mark.parametrize("limit", ["time", "nodes", "memory"])
@pytest.mark.parametrize("function", [exact_cover, count_exact_covers])
def test_a_limit_of_0_stops_at_once(function, limit):
    solution = function(SMALL, limits=Limits(**{limit: 0}))
    assert (solution.status, solution.stopped_by, solution.moves, solution.bound) == (Status.STOPPED, limit, None, 3)
    assert solution.stats.generated == 1


def test_a_memory_limit_is_kept():
    options = exact_covers.pentominoes(6, 10)
    at_least = exact_cover(options, limits=Limits(nodes=1)).stats.peak_bytes
    solution = exact_cover(options, limits=Limits(memory=at_least + 1000))
    assert (solution.stopped_by, solution.status) == ("memory", Status.STOPPED)
    assert solution.stats.peak_bytes <= at_least + 1000


def test_an_interrupt_carries_what_was_counted():
    asked = itertools.count()
    with pytest.raises(Interrupted) as stop:
        count_exact_covers(exact_covers.dominoes(8, 8), interrupted=lambda: next(asked) > 3)
    assert stop.value.solution.count > 0
    assert stop.value.solution.stopped_by == "interrupt"


def test_covers_are_listed_lazily_and_in_full():
    few = list(itertools.islice(bestfirst.exact_covers(exact_covers.dominoes(30, 30)), 3))  # out of about 10^112
    assert len({tuple(sorted(cover)) for cover in few}) == 3
    every = list(bestfirst.exact_covers(exact_covers.dominoes(6, 6)))  # more than the buffer holds at once
    assert len(every) == len({tuple(sorted(cover)) for cover in every}) == 6728
    primary = naive.primary_items(exact_covers.dominoes(6, 6), ())
    assert all(naive.is_cover(cover, exact_covers.dominoes(6, 6), primary, ()) for cover in every[::500])
