"""Subset sum: each method against all subsets and against the others; known answers, pauses, limits, bad input."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_subset_sum as naive
from bestfirst import CheckpointError, Interrupted, Limits, Status, checkpoint, control, count_subset_sums, subset_sum
from bestfirst.control import EXHAUSTED, FOUND, FULL, PAUSED
from bestfirst.search.subset import subset_with_sum
from bestfirst.search.subset_balanced import BalancedSearch
from bestfirst.search.subset_bits import BitsSearch, newest_type
from bestfirst.search.subset_meet import MeetSearch, numbers_in_lists
from bestfirst.search.subset_sum import reduce

pytestmark = pytest.mark.slow  # compiles much

MAKERS = {
    "meet": lambda instance, options: MeetSearch(instance, options, 1 << 20),
    "meet, small lists": lambda instance, options: MeetSearch(instance, options, 8 * (2 + 4)),
    "branch and bound alone": lambda instance, options: MeetSearch(instance, options, 0),
    "bits": BitsSearch,
    "balanced": BalancedSearch,
}


def solve_with(method, numbers, target, **options):
    return control.run(MAKERS[method](reduce(numbers, target), options), options)


def is_right(solution, numbers, target, best):
    assert solution.status is Status.OPTIMAL
    assert len(set(solution.moves)) == len(solution.moves)
    assert list(solution.moves) == sorted(solution.moves)
    assert sum(numbers[place] for place in solution.moves) == best
    assert solution.cost == solution.bound == target - best


# --- against all subsets --------------------------------------------------------------------------------------------------

small = st.lists(st.integers(0, 60) | st.sampled_from([0, 1, 64, 128]), max_size=9)
large = st.lists(st.integers(0, 1 << 40) | st.sampled_from([1 << 58, (1 << 58) + 1]), max_size=8)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("method", MAKERS)
@given(numbers=small, data=st.data())
def test_small_numbers(method, compiled, numbers, data):
    target = data.draw(st.integers(0, sum(numbers) + 2))
    if not reduce(numbers, target).places and method in ("bits", "balanced"):
        return  # nothing left to choose: never given to these two
    solution = solve_with(method, numbers, target, compiled=compiled)
    is_right(solution, numbers, target, naive.best_sum(numbers, target))


@pytest.mark.parametrize("method", ["meet", "meet, small lists", "branch and bound alone"])
@given(numbers=large, data=st.data())
def test_large_numbers(method, numbers, data):
    target = data.draw(st.integers(0, sum(numbers) + 2))
    is_right(solve_with(method, numbers, target), numbers, target, naive.best_sum(numbers, target))


@given(numbers=small | large, data=st.data())
def test_the_public_functions(numbers, data):
    target = data.draw(st.integers(0, sum(numbers) + 2) | st.sampled_from([sum(numbers[::2]), sum(numbers)]))
    is_right(subset_sum(numbers, target), numbers, target, naive.best_sum(numbers, target))
    counted = count_subset_sums(numbers, target)
    assert counted.count == naive.count(numbers, target)
    if counted.count:
        is_right(counted, numbers, target, target)
    else:
        assert (counted.status, counted.moves) == (Status.INFEASIBLE, None)


@given(numbers=small, room=st.integers(0, 200), compiled=st.booleans(), data=st.data())
def test_counting_with_lists_of_any_size(numbers, room, compiled, data):
    target = data.draw(st.integers(0, sum(numbers)))
    search = MeetSearch(reduce(numbers, target, is_counting=True), {"compiled": compiled}, room, is_counting=True)
    assert control.run(search, {}).count == naive.count(numbers, target)


@pytest.mark.parametrize("method", ["bits", "balanced"])
@pytest.mark.parametrize("seed", range(8))
def test_many_small_numbers(method, seed):
    rng = random.Random(seed)
    step, most = rng.choice([(1, 9), (2, 40), (3, 300), (7, 70)])
    numbers = [step * rng.randint(1, most // step) for _ in range(rng.choice([30, 300]))] + [step * most + 1]
    target = rng.randint(sum(numbers) // 4, sum(numbers))
    is_right(solve_with(method, numbers, target), numbers, target, max(naive.reachable(numbers, target)))


@pytest.mark.parametrize("seed", range(6))
def test_the_methods_agree(seed):
    """Even numbers and an odd one that does not fit with a target in reach: nothing ends early."""
    rng = random.Random(seed)
    numbers = [2 * rng.randint(1, 2000) for _ in range(24)]
    numbers[rng.randrange(24)] += 1
    target = rng.randint(1, sum(numbers))
    costs = {method: solve_with(method, numbers, target).cost for method in MAKERS}
    assert len(set(costs.values())) == 1, costs


# --- known answers --------------------------------------------------------------------------------------------------------


def test_every_method_is_chosen_where_it_is_best():
    rng = random.Random(1)
    for least, most, n, words in [
        (1 << 40, 1 << 50, 30, "meet in the middle"),
        (1, 10**4, 100, "set of bits"),
        (1, 10, 20_000, "balanced"),
    ]:
        numbers = [rng.randint(least, most) for _ in range(n)]
        solution = subset_sum(numbers, sum(numbers[::3]))
        assert words in solution.why
        is_right(solution, numbers, sum(numbers[::3]), sum(numbers[::3]))


def test_numbers_without_a_hit():
    assert subset_sum([4, 6, 10, 14], 17).cost == 1
    assert subset_sum([3**i for i in range(30)], 2 * 3**29 - 1).cost == 2 * 3**29 - 1 - (3**30 - 1) // 2
    powers = [1 << i for i in range(40)]
    assert subset_sum(powers, 0b1011 << 35).moves == (35, 36, 38)
    assert count_subset_sums(powers, 12345).count == 1


def test_counts_known_in_closed_form():
    assert count_subset_sums([1] * 20, 10).count == 184_756
    assert count_subset_sums([7] * 30, 105).count == 155_117_520  # 30 choose 15
    assert count_subset_sums([0] * 70, 0).count == 1 << 70
    assert count_subset_sums([0, 0, 5], 5).count == 4
    assert count_subset_sums([2, 4], 3).count == 0
    assert count_subset_sums(range(1, 21), 105).count == 15_272  # A058377: half of these are the ways to sign 1 … 20
    assert count_subset_sums([5], 6).count == count_subset_sums([], 1).count == 0
    assert count_subset_sums([], 0).count == 1


def test_trivial_targets():
    for target in (0, 1, 2):
        assert subset_sum([3, 0, 5], target).moves == ()
    assert subset_sum([], 7).cost == 7
    assert subset_sum([3, 0, 5], 8).moves == subset_sum([3, 0, 5], 100).moves == (0, 2)
    assert subset_sum([3], 10**30).cost == 10**30 - 3
    assert subset_sum(np.array([3, 4], np.uint8), np.int16(4)).moves == (1,)


def test_sums_close_to_the_limit():
    numbers = [1 << 61, (1 << 61) - 1, 1]
    assert sum(numbers) == 1 << 61 << 1
    assert subset_sum(numbers, (1 << 62) - 1).moves == (0, 1)
    assert subset_sum(numbers, 1 << 62).moves == (0, 1, 2)
    with pytest.raises(ValueError, match="more than 2\\^62"):
        subset_sum([*numbers, 1], 5)


def test_46_numbers_without_a_hit():
    rng = random.Random(5)
    numbers = [rng.randrange(1 << 50, 1 << 55) for _ in range(46)]
    target = sum(numbers) // 2
    whole = subset_sum(numbers, target)
    other = solve_with_room(numbers, target, 1 << 22)
    assert whole.cost == other.cost
    assert "23 and 23 numbers in lists" in whole.why


def solve_with_room(numbers, target, room):
    return control.run(MeetSearch(reduce(numbers, target), {}, room), {})


@given(st.lists(st.integers(1, 50), max_size=9), st.data())
def test_a_subset_with_a_sum(numbers, data):
    value = sum(data.draw(st.lists(st.sampled_from(numbers), unique=True)) if len(set(numbers)) == len(numbers) > 0 else numbers)
    assert sum(numbers[p] for p in subset_with_sum(np.array(numbers, np.int64), value)) == value


def test_the_lists_fit_into_the_room():
    for room in range(0, 3000, 7):
        count = numbers_in_lists(100, room)
        size = 8 * (2 ** ((count + 1) // 2) + 2 ** (count // 2))
        following = 8 * (2 ** ((count + 2) // 2) + 2 ** ((count + 1) // 2))
        assert size <= max(room, 16)
        assert following > room
    assert numbers_in_lists(60, (4 << 30) - 1) == 55


def test_positions_fit_their_type():
    for n in (1, 256, 257, 65_536, 65_537, 1 << 30):
        assert np.iinfo(newest_type(n)).max >= n - 1


# --- pauses, limits -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", MAKERS)
def test_a_search_in_pieces_is_the_same_search(method, tmp_path):
    rng = random.Random(2)
    numbers = [2 * rng.randint(1, 200) for _ in range(15)] + [3]
    target = 1 + 2 * (2 * sum(numbers) // 5 // 2)
    numbers[-1] = target + 2  # odd and out of reach; without it all are even
    numbers.append(2)

    def make():
        return MAKERS[method](reduce(numbers, target), {})

    def finish(search, stop_at):
        while (outcome := search.advance(stop_at)) == FULL:
            assert search.grow(None)
        return outcome

    whole = make()
    outcome = finish(whole, 1 << 40)
    assert outcome in (FOUND, EXHAUSTED)
    pieces, pauses = make(), 0
    while (last := finish(pieces, pieces.progress().generated + rng.randint(1, 1 + whole.stats().generated // 10))) == PAUSED:
        pauses += 1
        checkpoint.store(pieces.save(), tmp_path / "search")
        pieces = make()
        pieces.restore(checkpoint.load(tmp_path / "search"))
    assert pauses > 2
    assert (last, pieces.best(), pieces.stats()) == (outcome, whole.best(), whole.stats())


def hard():
    rng = random.Random(3)
    numbers = [rng.randrange(1 << 50, 1 << 55) for _ in range(32)]
    return numbers, sum(numbers) // 2


def test_a_stopped_search_brackets_the_optimum(tmp_path):
    numbers, target = hard()
    whole = subset_sum(numbers, target)
    seen = set()
    for nodes in (1, 10_000, 1 << 17, (1 << 17) + 1000, 3 << 16):
        solution = subset_sum(numbers, target, limits=Limits(nodes=nodes), checkpoint=tmp_path / "file")
        seen.add(solution.status)
        assert solution.bound <= whole.cost
        if solution.cost is not None:
            assert whole.cost <= solution.cost == target - sum(numbers[place] for place in solution.moves)
    assert seen == {Status.STOPPED, Status.FEASIBLE}
    resumed = subset_sum(numbers, target, resume=tmp_path / "file")
    assert (resumed.moves, resumed.status, resumed.stats.generated) == (whole.moves, Status.OPTIMAL, whole.stats.generated)
    with pytest.raises(CheckpointError, match="settings"):
        subset_sum(numbers, target + 1, resume=tmp_path / "file")


def test_a_memory_limit_is_kept():
    numbers, target = hard()
    whole = subset_sum(numbers, target)
    solution = subset_sum(numbers, target, limits=Limits(memory=1 << 18))
    assert solution.stats.peak_bytes <= 1 << 18
    assert (solution.cost, solution.status) == (whole.cost, Status.OPTIMAL)
    assert subset_sum(numbers, target, limits=Limits(memory=0)).stopped_by == "memory"


def test_progress_is_in_the_units_of_the_input():
    numbers, target = [6 * (number >> 4) for number in hard()[0]], 6 * (hard()[1] >> 4) + 5
    reports = []
    solution = subset_sum(numbers, target, limits=Limits(memory=4160, time=1.0), progress=reports.append)
    costs = [report.incumbent for report in reports if report.incumbent is not None]
    assert costs
    assert costs == sorted(costs, reverse=True)
    assert min(costs) >= solution.cost >= solution.bound >= 5
    assert all(cost % 6 == 5 for cost in costs)


def test_an_interrupt_carries_the_best_so_far():
    numbers, target = hard()
    calls = iter(range(1000))
    with pytest.raises(Interrupted) as stop:
        subset_sum(numbers, target, limits=Limits(memory=4160), interrupted=lambda: next(calls) > 12)
    solution = stop.value.solution
    assert solution.stopped_by == "interrupt"
    assert solution.cost == target - sum(numbers[place] for place in solution.moves)


def test_a_stopped_count_is_a_lower_bound():
    numbers = list(range(1, 25))
    whole = count_subset_sums(numbers, 150, limits=Limits(memory=1 << 13))
    part = count_subset_sums(numbers, 150, limits=Limits(memory=1 << 13, nodes=whole.stats.generated // 2))
    assert 0 < part.count < whole.count
    assert part.stopped_by == "nodes"


# --- bad input ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [subset_sum, count_subset_sums])
@pytest.mark.parametrize(
    ("numbers", "target", "error", "words"),
    [
        (5, 5, TypeError, "numbers must be an iterable of whole numbers, not int"),
        ("12", 5, TypeError, "not str"),
        ([1, 2.5], 5, TypeError, "number 1 must be a whole number, not float"),
        ([1, 2], 5.0, TypeError, "the target must be a whole number, not float"),
        ([1, -2], 5, ValueError, "number 1 is -2; numbers must be 0 or more"),
        ([1], -1, ValueError, "the target is -1; it must be 0 or more"),
        ([1 << 62, 1], 5, ValueError, "the numbers add up to more than 2\\^62"),
    ],
)
def test_bad_input_is_named(function, numbers, target, error, words):
    with pytest.raises(error, match=words):
        function(numbers, target)


def test_too_many_numbers_to_count():
    with pytest.raises(ValueError, match="62 of the numbers are in 1 … target; subsets of at most 61"):
        count_subset_sums([1] * 62, 5)
