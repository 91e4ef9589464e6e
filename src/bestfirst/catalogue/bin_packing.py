"""Bin packing (165): the fewest bins of a capacity that hold all items.

    n, capacity  number of items, and what a bin can hold
    weights      of the items, which are numbered from 1
    bins         an answer: the items in each bin, ascending; the bins by their first item. Of the best packings any, but always
                 the same one

The search is in bin_packing_search.py and bin_packing_patterns.py; docs/problems/bin-packing.md explains it.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Literal, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue import bin_packing_search
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens, read_numbers
from bestfirst.result import Interrupted, Solution, Status
from bestfirst.search.explicit import finish

#: So that no sum in the bounds comes near 2^63.
MAX_ITEMS, MAX_CAPACITY = 1_000_000, 100_000_000_000

PRUNINGS = bin_packing_search.PRUNINGS


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="bin-packing", forbid_unknown_fields=True):
    """A capacity and weights. Raises ValueError for numbers out of range, and for an item that fits into no bin."""

    version: Literal[1] = 1
    capacity: int
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 1 <= self.capacity <= MAX_CAPACITY:
            raise ValueError(f"the capacity is {self.capacity}, it must be from 1 to {MAX_CAPACITY}")
        if len(self.weights) > MAX_ITEMS:
            raise ValueError(f"there are {len(self.weights)} items, there can be {MAX_ITEMS}")
        if self.weights and (min(self.weights) < 1 or max(self.weights) > self.capacity):
            number = next(i for i, weight in enumerate(self.weights, 1) if not 1 <= weight <= self.capacity)
            raise ValueError(
                f"item {number} has weight {self.weights[number - 1]}, it must be from 1 to the capacity, {self.capacity}"
            )


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="bin-packing"):
    """The number of bins and the items in each; `bins` is None when only their number is known."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: number of bins
    bound: int | None  #: fewer bins are not enough
    bins: tuple[tuple[int, ...], ...] | None


def read(text: str) -> Iterator[Instance]:
    """Read N and W, then N weights from 1 to W. What follows is read as the next case.

    Raises InputError where the text is bad, also when there is no case at all.
    """
    tokens = Tokens(text)
    while True:
        n = tokens.take_integer("the number of items N", 0, MAX_ITEMS)
        capacity = tokens.take_integer("the capacity W", 1, MAX_CAPACITY)
        weights = tokens.take_rows(n, "item", (("the weight", 1, capacity),))
        yield Instance(capacity=capacity, weights=tuple(weights.ravel().tolist()))
        if tokens.at_end():
            return


def write_instance(instance: Instance) -> str:
    """The judge format of an instance."""
    return f"{len(instance.weights)} {instance.capacity}\n" + "".join(f"{weight}\n" for weight in instance.weights)


def write(answer: Answer) -> str:
    """The number of bins on a line. Raises ValueError when it is not proved to be the smallest."""
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the smallest number of bins is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read one number for each instance, taken as the claim that it is the smallest; raises InputError."""
    costs = read_numbers(text, len(instances), "the number of bins", 0)
    return [Answer(status=Status.OPTIMAL, cost=cost, bound=cost, bins=None) for cost in costs]


def search(instance: Instance, without: Collection[str] = (), **options: Unpack[RunOptions]) -> Solution:
    """Find a packing into fewest bins, which are the `moves` of the solution; `without` names prunings to switch off.

    Raises ValueError for the name of a pruning that does not exist, Interrupted on Ctrl-C.
    """
    weights = np.array(instance.weights, np.int64)
    at_work = bin_packing_search.PackingSearch(weights, instance.capacity, options, without)
    try:
        return _solution(weights, finish(at_work, options))
    except Interrupted as stop:
        raise Interrupted(_solution(weights, stop.solution)) from None


def _solution(weights: np.ndarray, found: Solution) -> Solution:
    """The solution with bins of item numbers for moves, given the bin of each item, heaviest first."""
    bins: dict[int, list[int]] = {}
    bin_of = np.zeros(len(weights), np.int64)
    bin_of[np.argsort(-weights, kind="stable")] = found.moves or ()
    for item, number in enumerate(bin_of.tolist(), 1):
        bins.setdefault(number, []).append(item)
    return dataclasses.replace(found, moves=tuple(map(tuple, bins.values())))


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    return Answer(status=solution.status, cost=cost, bound=bound, bins=solution.moves)


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of every engine."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That no packing has fewer bins cannot be seen from one, beyond what the weight of all items says.
    """
    return _check_claim(instance, answer) or _check_bins(instance, answer)


def _check_claim(instance: Instance, answer: Answer) -> str | None:
    """Whether status, numbers and bins fit together."""
    status, cost, bound = answer.status, answer.cost, answer.bound
    if status is Status.INFEASIBLE:
        return "the answer says that there is no packing, but a bin for each item is one"
    if cost is None:
        return f"the status is {status}, but the number of bins is missing" if status is not Status.STOPPED else None
    if status is Status.STOPPED:
        return "the answer has a number of bins, but its status is stopped"
    if status is Status.OPTIMAL and bound != cost:
        return f"the answer is called optimal with {cost} bins, but its bound is {bound}"
    if bound is not None and bound > cost:
        return f"the bound is {bound}, but there are only {cost} bins"
    if cost > len(instance.weights):
        return f"there are {cost} bins for {len(instance.weights)} items, so some are empty"
    if cost * instance.capacity < sum(instance.weights):
        return f"{cost} bins hold {cost * instance.capacity}, but the items weigh {sum(instance.weights)}"
    return None


def _check_bins(instance: Instance, answer: Answer) -> str | None:
    """Put the items into the bins."""
    if answer.bins is None:
        return None
    if answer.cost != len(answer.bins):
        return f"the cost is {answer.cost}, but there are {len(answer.bins)} bins"
    packed = set()
    for number, items in enumerate(answer.bins, 1):
        if not items:
            return f"bin {number} is empty"
        for item in items:
            if not 1 <= item <= len(instance.weights):
                return f"bin {number}: there is no item {item}"
            if item in packed:
                return f"bin {number}: item {item} is packed twice"
            packed.add(item)
        load = sum(instance.weights[item - 1] for item in items)
        if load > instance.capacity:
            return f"bin {number} holds {load}, more than the capacity of {instance.capacity}"
    missing = next((item for item in range(1, len(instance.weights) + 1) if item not in packed), None)
    return None if missing is None else f"item {missing} is in no bin"


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(
    seed: int, *, items: int = 18, capacity: int = 150, lightest: int = 20, heaviest: int = 100, triplets: bool = False
) -> Instance:
    """Items of random weights from the lightest to the heaviest, the same for the same arguments.

    triplets: the items are cut from full bins, three from each, so that a third as many bins is best; weights are about from a
    quarter to half of the capacity then, whatever the lightest and heaviest. Raises ValueError for numbers that make no items.
    """
    rng = random.Random(seed)
    if not triplets:
        if items < 0 or not 1 <= lightest <= heaviest <= capacity:
            raise ValueError(f"there are no {items} items of weights from {lightest} to {heaviest} for a capacity of {capacity}")
        return Instance(capacity=capacity, weights=tuple(rng.randint(lightest, heaviest) for _ in range(items)))
    if items < 0 or items % 3:
        raise ValueError(f"there are no triplets of {items} items: it must be a multiple of 3")
    if capacity < 20:
        raise ValueError(f"there are no triplets for a capacity of {capacity}: it must be at least 20")
    weights = []
    for _ in range(items // 3):
        large = rng.randint(38 * capacity // 100, 49 * capacity // 100)
        middle = rng.randint(capacity // 4, (capacity - large) // 2)
        weights += [large, middle, capacity - large - middle]
    rng.shuffle(weights)
    return Instance(capacity=capacity, weights=tuple(weights))
