"""Subset sum: the largest sum of some of the numbers that is at most a target.

The instance is reduced first (numbers 0 or above the target play no part; a common divisor is taken out; all numbers are taken
where they fit together), then the cheapest of three methods is chosen, each in a module of its own.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import Any, Unpack

import numpy as np

from bestfirst.control import RunOptions, free_memory, run, takes_run_options
from bestfirst.result import Solution
from bestfirst.search import subset_balanced, subset_bits
from bestfirst.search.subset import Instance, SubsetSearch, Sums
from bestfirst.search.subset_balanced import BalancedSearch
from bestfirst.search.subset_bits import BitsSearch
from bestfirst.search.subset_meet import MeetSearch, numbers_in_lists

MAX_SUM = 1 << 62
MAX_COUNTED = 61

#: Without a limit: what leaves a process within 4 GiB.
_ROOM = (4 << 30) - (256 << 20)

# Nanoseconds a step takes, measured: a sum made or a pointer moved; a word of bits and a new bit; a value of a row.
_MEET_STEP = 4.0
_WORD = 1.0
_BIT = 2.0
_ROW_VALUE = 2.0


@takes_run_options
def subset_sum(numbers: Iterable[int], target: int, **options: Unpack[RunOptions]) -> Solution:
    """Find some of the numbers with the largest sum that is at most `target`.

    `numbers`: whole numbers of 0 or more, together at most 2^62; `target`: 0 or more.

    `solution.moves` are the places of the chosen numbers in the input, ascending; `solution.cost` is `target` less their sum. So
    a cost of 0 is an exact hit, and an `optimal` cost above 0 proves that no subset has exactly that sum. Among several subsets
    with the best sum any is returned, for the same input and memory limit always the same; a 0 is never chosen.

    With n numbers, the largest w, target t, the quickest of these is chosen, said in `solution.why`:
    meet in the middle, O(2^(n/2)) time and 16 × 2^(n/2) bytes; when the memory limit (4 GiB without one, less where less is free)
    allows only m < n numbers in the lists, a branch and bound chooses among the n - m largest, O(2^(n - m/2)) time at worst;
    dynamic programming over a set of bits, O(n × t / 64) time and about 1 to 4 bytes × t;
    balanced dynamic programming, O(n × w) time and, at most, 8 × n × w bytes.
    Each ends as soon as the target itself is met.

    Raises TypeError for what is not a whole number, ValueError for a negative one or a sum beyond 2^62; Interrupted on Ctrl-C.
    """
    instance = reduce(numbers, target)
    return run(_search(instance, options), options)


@takes_run_options
def count_subset_sums(numbers: Iterable[int], target: int, **options: Unpack[RunOptions]) -> Solution:
    """Count the subsets whose sum is exactly `target`: `solution.count`, or a lower bound when `solution.stopped_by` is set.

    Numbers are told apart by their places, and a 0 may be taken or not. `solution.moves` is one of these subsets; the status is
    `infeasible` when there is none. Arguments and errors as for `subset_sum`; at most 61 numbers may lie in 1 … target. Meets in
    the middle, at the costs given there.
    """
    instance = reduce(numbers, target, is_counting=True)
    if len(instance.places) > MAX_COUNTED:
        raise ValueError(
            f"{len(instance.places)} of the numbers are in 1 … target; subsets of at most {MAX_COUNTED} can be counted"
        )
    return run(MeetSearch(instance, options, _room(options), is_counting=True), options)


def reduce(numbers: Iterable[int], target: int, *, is_counting: bool = False) -> Instance:
    """Check the input and leave out what plays no part."""
    given = _whole_numbers(numbers)
    wanted = _whole_number(target, "the target")
    if wanted < 0:
        raise ValueError(f"the target is {wanted}; it must be 0 or more")
    if sum(given) > MAX_SUM:
        raise ValueError("the numbers add up to more than 2^62")
    places = sorted((p for p, number in enumerate(given) if 0 < number <= wanted), key=lambda p: (-given[p], p))
    total = sum(given[p] for p in places)
    unit = math.gcd(*(given[p] for p in places)) or 1
    fixed: list[int] = []
    goal = min(wanted, total) // unit
    if is_counting and (wanted > total or wanted % unit):
        places, goal, unit = [], 1, 1  # no subset: nothing adds up to 1
    elif not is_counting and wanted >= total:
        places, fixed, goal, unit = [], places, 0, 1
    reduced = np.array([given[p] // unit for p in places], np.int64)
    return Instance(Sums(reduced, goal), tuple(places), tuple(fixed), given.count(0), unit, tuple(given), wanted)


def _search(instance: Instance, options: RunOptions) -> SubsetSearch:
    """The search that takes least time, at worst, among those that have room."""
    room = _room(options)
    numbers, target = instance.sums
    n = len(numbers)
    largest = int(numbers[0]) if n else 0
    inside = numbers_in_lists(n, room)
    meet = _MEET_STEP * 2.0 ** min(1000.0, n - inside / 2 + 1)
    bits = n * (target / 64) * _WORD + target * _BIT
    balanced = 3.0 * n * largest * _ROW_VALUE
    if subset_bits.bytes_needed(n, target) > room:
        bits = math.inf
    if subset_balanced.bytes_needed(n, largest) > room:
        balanced = math.inf
    if n == 0 or meet <= min(bits, balanced):
        return MeetSearch(instance, options, room)
    return BitsSearch(instance, options) if bits <= balanced else BalancedSearch(instance, options)


def _room(options: RunOptions) -> int:
    """Bytes that the arrays may take."""
    limits = options.get("limits")
    if limits is not None and limits.memory is not None:
        return limits.memory - 4096  # for the small arrays
    free = free_memory()
    return _ROOM if free is None else min(_ROOM, free)


def _whole_numbers(numbers: Any) -> list[int]:
    if isinstance(numbers, (str, bytes)) or not isinstance(numbers, Iterable):
        raise TypeError(f"numbers must be an iterable of whole numbers, not {type(numbers).__name__}")
    found = [_whole_number(number, f"number {p}") for p, number in enumerate(numbers)]
    negative = next((p for p, number in enumerate(found) if number < 0), None)
    if negative is not None:
        raise ValueError(f"number {negative} is {found[negative]}; numbers must be 0 or more")
    return found


def _whole_number(value: Any, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__}") from None
