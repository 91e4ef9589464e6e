"""Subset sum (171): the heaviest of the sets of items that weigh at most W together.

    weights   of the items, which are numbered from 1; 0 is allowed
    limit     W
    items     an answer: the numbers of the items taken, ascending; of the best sets any, but for the same input and memory limit
              always the same one. An item of weight 0 is never taken

The work is done by `bestfirst.search.subset_sum`, which also chooses between its methods; docs/subset-sum.md explains them.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Sequence
from typing import Literal, Unpack

import msgspec

from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens, read_numbers
from bestfirst.result import Interrupted, Solution, Status
from bestfirst.search.subset_sum import MAX_SUM, subset_sum

MAX_ITEMS = 100_000_000

#: Nothing is to be switched off: each of the three methods of the engine looks at every sum that can matter.
PRUNINGS: dict[str, Pruning] = {}


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="subset-sum", forbid_unknown_fields=True):
    """Weights and a limit. Raises ValueError for negative numbers, and for weights of more than 2^62 together."""

    version: Literal[1] = 1
    limit: int
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 0 <= self.limit <= MAX_SUM:
            raise ValueError(f"the limit is {self.limit}, it must be from 0 to {MAX_SUM}")
        if self.weights and min(self.weights) < 0:
            number = next(i for i, weight in enumerate(self.weights, 1) if weight < 0)
            raise ValueError(f"item {number} has weight {self.weights[number - 1]}, it must be at least 0")
        if sum(self.weights) > MAX_SUM:
            raise ValueError(f"the items weigh {sum(self.weights)} together, it must be at most {MAX_SUM}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="subset-sum"):
    """The weight reached and the items taken; `items` is None when only the weight is known."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: the weight of the items taken
    bound: int | None  #: no set within the limit weighs more
    items: tuple[int, ...] | None


def read(text: str) -> Iterator[Instance]:
    """Read W and N, then N weights of 0 or more. What follows is read as the next case.

    Raises InputError where the text is bad, also when there is no case at all.
    """
    tokens = Tokens(text)
    while True:
        first = tokens.peek()
        limit = tokens.take_integer("the limit W", 0, MAX_SUM)
        n = tokens.take_integer("the number of items N", 0, MAX_ITEMS)
        weights = tuple(tokens.take_rows(n, "item", (("the weight", 0, MAX_SUM),)).ravel().tolist())
        if first is not None and sum(weights) > MAX_SUM:
            first.fail(f"the items of this case weigh {sum(weights)} together, it must be at most {MAX_SUM}")
        yield Instance(limit=limit, weights=weights)
        if tokens.at_end():
            return


def write_instance(instance: Instance) -> str:
    """The judge format of an instance."""
    return f"{instance.limit} {len(instance.weights)}\n" + "".join(f"{weight}\n" for weight in instance.weights)


def write(answer: Answer) -> str:
    """The weight on a line. Raises ValueError when it is not proved to be the largest."""
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the largest weight is not known: the search was stopped, it is at most {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read one number for each instance, taken as the claim that it is the largest; raises InputError."""
    costs = read_numbers(text, len(instances), "the weight", 0)
    return [Answer(status=Status.OPTIMAL, cost=cost, bound=cost, items=None) for cost in costs]


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Find the heaviest set within the limit: its items are the `moves` of the solution, its weight the `cost`.

    Raises Interrupted on Ctrl-C.
    """
    try:
        return _solution(instance, subset_sum(instance.weights, instance.limit, **options))
    except Interrupted as stop:
        raise Interrupted(_solution(instance, stop.solution)) from None


def _solution(instance: Instance, found: Solution) -> Solution:
    """The engine counts what is missing to the limit; here it is what is reached."""
    missing, least = found.whole_numbers()
    return dataclasses.replace(
        found,
        cost=None if missing is None else instance.limit - missing,
        bound=None if least is None else instance.limit - least,
        moves=None if found.moves is None else tuple(place + 1 for place in found.moves),
        maximised=True,
        problem=None,
        start=None,
    )


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    return Answer(status=solution.status, cost=cost, bound=bound, items=solution.moves)


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of every engine."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That no other set weighs more cannot be seen from one, unless a single item could be added to it.
    """
    return _check_claim(instance, answer) or _check_items(instance, answer)


def _check_claim(instance: Instance, answer: Answer) -> str | None:
    """Whether status, numbers and items fit together."""
    status, cost, bound = answer.status, answer.cost, answer.bound
    if status is Status.INFEASIBLE:
        return "the answer says that there is no set, but to take nothing is allowed"
    if status is Status.STOPPED:
        return None if cost is None and answer.items is None else "the answer has a set, but its status is stopped"
    if cost is None:
        return f"the status is {status}, but the weight is missing"
    if status is Status.OPTIMAL and bound != cost:
        return f"the answer is called optimal with weight {cost}, but its bound is {bound}"
    if bound is not None and bound < cost:
        return f"the bound is {bound}, but the weight is {cost}"
    if cost > instance.limit:
        return f"the weight is {cost}, more than the limit of {instance.limit}"
    if cost > sum(instance.weights):
        return f"the weight is {cost}, but all items weigh only {sum(instance.weights)}"
    return None


def _check_items(instance: Instance, answer: Answer) -> str | None:
    """Take the items."""
    if answer.items is None or answer.cost is None:
        return None
    taken: set[int] = set()
    for item in answer.items:
        if not 1 <= item <= len(instance.weights):
            return f"there is no item {item}"
        if item in taken:
            return f"item {item} is taken twice"
        taken.add(item)
    weight = sum(instance.weights[item - 1] for item in taken)
    if weight != answer.cost:
        return f"the items weigh {weight}, not {answer.cost}"
    if answer.status is Status.OPTIMAL:
        for item, more in enumerate(instance.weights, 1):
            if item not in taken and 0 < more <= instance.limit - weight:
                return f"item {item} could be taken as well, so this is not the best"
    return None


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, items: int = 20, heaviest: int = 1000, share: int = 50, exact: bool | None = None) -> Instance:
    """Items of random weights from 1 to the heaviest, the same for the same arguments.

    share: the limit in per cent of the weight of all items. exact=True: some items drawn, about so many per cent, weigh exactly
    the limit; False: no set does, by the remainders of the weights when divided by twice the number of items; None: either.
    Raises ValueError for numbers that make no items.
    """
    unit = 2 * items + 2 if exact is False else 1
    if items < 0 or not 0 <= share <= 100 or not unit <= heaviest <= MAX_SUM // max(items, 1):
        raise ValueError(f"there are no {items} items of weights up to {heaviest} with a limit of {share} per cent")
    rng = random.Random(seed)
    if exact is False:
        weights = [unit * rng.randint(0, heaviest // unit - 1) + 1 for _ in range(items)]
        return Instance(limit=sum(weights) * share // 100 // unit * unit + unit - 1, weights=tuple(weights))
    weights = [rng.randint(1, heaviest) for _ in range(items)]
    limit = sum(weights) * share // 100
    if exact:
        limit = sum(rng.sample(weights, round(items * share / 100)))
    return Instance(limit=limit, weights=tuple(weights))
