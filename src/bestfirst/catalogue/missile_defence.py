"""Missile defence: split a sequence of heights into the fewest subsequences that strictly increase or strictly decrease.

Each system shoots down missiles of ever greater heights, or of ever smaller ones; every missile is shot down by one of them.

    heights      whole numbers, in the order in which the missiles come; missiles are numbered from 1
    part         a subsequence of an answer: its missiles, and whether it increases
    split        i increasing and d decreasing parts; the search asks which splits do, those with the fewest parts first

The search is in `missile_defence_search`; docs/problems/missile-defence.md explains it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, Unpack

import msgspec

from bestfirst.catalogue.missile_defence_search import MAX_LENGTH, search_heights
from bestfirst.catalogue.prunings import Kind, Pruning, require_known
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens
from bestfirst.result import Solution, Status

MAX_HEIGHT = 1 << 62

PRUNINGS = {
    "order": Pruning(
        Kind.ORDER,
        "of two parts that can take a missile the one whose last height is nearer to its own is tried first",
        "both are tried unless the first does",
    ),
    "lookahead": Pruning(
        Kind.FEASIBILITY,
        "missiles to come that only one kind of part can take are placed first, and equal ones must find a part each",
        "they have no other choice whatever happens to the rest, and equal heights never share a part",
    ),
    "covers": Pruning(
        Kind.BOUND,
        "splits are left out whose increasing and decreasing parts cannot cover enough missiles, each kind on its own",
        "Greene's theorem gives the most missiles that i increasing parts can cover, and that d decreasing ones can",
    ),
    "memory": Pruning(
        Kind.MEMORY,
        "a state is left at once when one that failed at the same missile was as good in each part",
        "what the worse one can do with the missiles to come the better one can do too",
    ),
}


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="missile-defence", forbid_unknown_fields=True):
    """The heights. Raises ValueError when there is none, or too many, or one is beyond 2^62."""

    version: Literal[1] = 1
    heights: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.heights) <= MAX_LENGTH:
            raise ValueError(f"there are {len(self.heights)} missiles, there must be 1 to {MAX_LENGTH}")
        for number, height in enumerate(self.heights, 1):
            if not -MAX_HEIGHT <= height <= MAX_HEIGHT:
                raise ValueError(f"the height of missile {number} is {height}, it must be from -2^62 to 2^62")


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A subsequence: the numbers of its missiles, from 1."""

    increasing: bool
    missiles: tuple[int, ...]


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="missile-defence"):
    """The number of parts and, when they are known, the parts."""

    version: Literal[1] = 1
    status: Status
    cost: int  #: number of parts
    bound: int  #: fewer than that do not do
    parts: tuple[Part, ...] | None


# --- formats ------------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Yield the cases of a text: a number n and n heights, until n is 0 or the text ends.

    Raises InputError, when it comes to it, where the text is something else.
    """
    tokens = Tokens(text)
    for case in itertools.count(1):
        if tokens.at_end():
            return
        length = tokens.take_integer(f"the number of missiles of case {case}", 0, MAX_LENGTH)
        if length == 0:
            return
        column = (("the height", -MAX_HEIGHT, MAX_HEIGHT),)
        yield Instance(heights=tuple(tokens.take_rows(length, "missile", column)[:, 0].tolist()))


def write_instance(instance: Instance) -> str:
    """The judge format of a case, without the final 0."""
    return f"{len(instance.heights)}\n{' '.join(map(str, instance.heights))}\n"


def write(answer: Answer) -> str:
    """The fewest parts. Raises ValueError when they are not proved."""
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the search was stopped: {answer.bound} to {answer.cost} subsequences are needed")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a number for each case. Raises InputError where the text is something else, or longer."""
    tokens = Tokens(text)
    answers = []
    for case, instance in enumerate(instances, 1):
        cost = tokens.take_integer(f"the number of subsequences for case {case}", 1, len(instance.heights))
        answers.append(Answer(status=Status.OPTIMAL, cost=cost, bound=cost, parts=None))
    tokens.require_end("expected the end: every case has its answer")
    return answers


# --- solver -------------------------------------------------------------------------------------------------------------


def search(instance: Instance, without: Collection[str] = (), **options: Unpack[RunOptions]) -> Solution:
    """Find the fewest parts: `moves` are pairs of whether one increases and the places of its missiles, from 0.

    There is always an answer; when the search is stopped it is at first a greedy one. `without` names PRUNINGS to switch off;
    the number of parts stays the same.

    Exponential time; memory O(n × parts), and up to 64 MiB for states that failed. Raises ValueError for an unknown pruning,
    Interrupted on Ctrl-C.
    """
    require_known(without, PRUNINGS)
    return search_heights(instance.heights, options, without)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the heights, as a value that can be kept."""
    moves = solution.moves or ()
    parts = tuple(Part(increasing=rises, missiles=tuple(place + 1 for place in places)) for rises, places in moves)
    cost, bound = solution.whole_numbers()
    return Answer(status=solution.status, cost=cost or 0, bound=bound or 0, parts=parts)


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That fewer parts do not do cannot be seen from those that do.
    """
    return _check_claim(instance, answer) or _check_parts(instance, answer)


def _check_claim(instance: Instance, answer: Answer) -> str | None:
    """Whether status, cost and bound fit together."""
    if answer.status not in (Status.OPTIMAL, Status.FEASIBLE):
        return f"the status is {answer.status}, but every sequence can be split"
    if not 1 <= answer.cost <= len(instance.heights):
        return f"it claims {answer.cost} subsequences, there can be 1 to {len(instance.heights)}"
    if answer.status is Status.OPTIMAL and answer.bound != answer.cost:
        return f"the answer is called optimal with {answer.cost} subsequences, but its bound is {answer.bound}"
    if answer.bound > answer.cost:
        return f"the bound is {answer.bound}, but there are only {answer.cost} subsequences"
    most = max(instance.heights.count(height) for height in set(instance.heights))
    if answer.cost < most:
        return f"it claims {answer.cost} subsequences, but {most} missiles are equally high"
    return None


def _check_parts(instance: Instance, answer: Answer) -> str | None:
    """Shoot the missiles down."""
    if answer.parts is None:
        return None
    if len(answer.parts) != answer.cost:
        return f"it claims {answer.cost} subsequences, but there are {len(answer.parts)}"
    taken: dict[int, int] = {}
    for number, part in enumerate(answer.parts, 1):
        if not part.missiles:
            return f"subsequence {number} is empty"
        for missile in part.missiles:
            if not 1 <= missile <= len(instance.heights):
                return f"subsequence {number}: there is no missile {missile}"
            if missile in taken:
                return f"missile {missile} is in subsequences {taken[missile]} and {number}"
            taken[missile] = number
        for one, other in itertools.pairwise(part.missiles):
            if one > other:
                return f"subsequence {number}: missile {other} comes before missile {one}"
            low, high = instance.heights[one - 1], instance.heights[other - 1]
            if not (low < high if part.increasing else low > high):
                relation = "above" if part.increasing else "below"
                return (
                    f"subsequence {number}: missile {other}, of height {high}, is not {relation} missile {one}, of height {low}"
                )
    missing = next((missile for missile in range(1, len(instance.heights) + 1) if missile not in taken), None)
    return None if missing is None else f"missile {missing} is in no subsequence"


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, length: int = 50, values: int | None = None, needed: int | None = None) -> Instance:
    """A random sequence, the same for the same arguments.

    length: how many missiles there are. values: heights are drawn from 1 … values; without, all are different.
    needed: instead, a shortest sequence of different heights that needs so many parts, with needed × (needed + 1) / 2 missiles:
    decreasing runs of 1, 2, … missiles in some order, each run above those before it. Of these runs d decreasing parts can
    complete d; the longest that is left has at least needed - d missiles, which need an increasing part each.

    Raises ValueError for numbers out of range.
    """
    rng = random.Random(seed)
    if needed is not None:
        _require_within("needed", needed, 140)
        sizes = list(range(1, needed + 1))
        rng.shuffle(sizes)
        ends = itertools.accumulate(sizes)
        return Instance(heights=tuple(end - place for size, end in zip(sizes, ends, strict=True) for place in range(size)))
    _require_within("length", length, MAX_LENGTH)
    if values is None:
        return Instance(heights=tuple(rng.sample(range(1, length + 1), length)))
    _require_within("values", values, MAX_HEIGHT)
    return Instance(heights=tuple(rng.randint(1, values) for _ in range(length)))


def _require_within(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise ValueError(f"{name} is {value}, it must be from 1 to {most}")
