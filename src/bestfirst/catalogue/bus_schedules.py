"""Bus schedules: explain the arrivals at a stop within an hour by the fewest lines.

A line has a first arrival a and an interval d > a; it comes in the minutes a, a + d, a + 2d, … up to 59, at least twice, and
every one of its arrivals has been observed. Each arrival belongs to exactly one line; several lines may be alike.

    arrivals     minutes 0 to 59, as many times each as buses came in it
    lines        an answer: pairs (a, d)

The search is in `bus_schedules_search`; docs/problems/bus-schedules.md explains it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, Unpack

import msgspec

from bestfirst.catalogue.bus_schedules_search import MINUTES, search_arrivals
from bestfirst.catalogue.prunings import Kind, Pruning, require_known
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens
from bestfirst.result import Solution, Status

#: Counts of a minute must fit into 16 bits, and the levels of the search into memory.
MAX_ARRIVALS = 10_000

PRUNINGS = {
    "order": Pruning(
        Kind.ORDER,
        "lines are taken in the order of their numbers of arrivals, longest first",
        "a set of lines can be taken in any order; in this one the bound rises soonest",
    ),
    "covered": Pruning(
        Kind.FEASIBILITY,
        "no line is passed over when those after it would leave a minute without a line that comes in it",
        "each arrival needs a line, and what is passed over is not taken later",
    ),
    "lengths": Pruning(
        Kind.BOUND,
        "each arrival takes at least 1/n of a line, n being the arrivals of the longest line left that comes in its minute",
        "a line of n arrivals gives each of them 1/n, and none of them is on a line left that is longer than theirs",
    ),
    "memory": Pruning(
        Kind.MEMORY,
        "the same arrivals are not looked at again with lines left out or fewer lines allowed",
        "with more lines to choose from and as many allowed they could not be explained",
    ),
}

Line = tuple[int, int]


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="bus-schedules", forbid_unknown_fields=True):
    """The arrivals, in any order. Raises ValueError when there is none, or too many, or one is no minute."""

    version: Literal[1] = 1
    arrivals: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.arrivals) <= MAX_ARRIVALS:
            raise ValueError(f"there are {len(self.arrivals)} arrivals, there must be 1 to {MAX_ARRIVALS}")
        for number, minute in enumerate(self.arrivals, 1):
            if not 0 <= minute < MINUTES:
                raise ValueError(f"arrival {number} is in minute {minute}, it must be from 0 to {MINUTES - 1}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="bus-schedules"):
    """The number of lines and, when they are known, the lines; without cost when no lines make up the arrivals."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: number of lines
    bound: int | None  #: fewer than that do not do
    lines: tuple[Line, ...] | None  #: first arrivals and intervals


# --- formats ------------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Yield the cases of a text: a number n and n minutes, until the text ends.

    Raises InputError, when it comes to it, where the text is something else, also when it is empty.
    """
    tokens = Tokens(text)
    while True:
        count = tokens.take_integer("the number of arrivals", 1, MAX_ARRIVALS)
        minutes = tokens.take_rows(count, "arrival", (("the minute", 0, MINUTES - 1),))
        yield Instance(arrivals=tuple(minutes[:, 0].tolist()))
        if tokens.at_end():
            return


def write_instance(instance: Instance) -> str:
    """The judge format of a case."""
    return f"{len(instance.arrivals)}\n{' '.join(map(str, instance.arrivals))}\n"


def write(answer: Answer) -> str:
    """The fewest lines. Raises ValueError when they are not proved, and when there are none: the format has no word for that."""
    if answer.status is Status.INFEASIBLE:
        raise ValueError("no lines make up these arrivals; the judge format promises that some do")
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the search was stopped: at least {answer.bound} lines are needed")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a number for each case. Raises InputError where the text is something else, or longer."""
    tokens = Tokens(text)
    answers = []
    for case, instance in enumerate(instances, 1):
        cost = tokens.take_integer(f"the number of lines for case {case}", 1, len(instance.arrivals))
        answers.append(Answer(status=Status.OPTIMAL, cost=cost, bound=cost, lines=None))
    tokens.require_end("expected the end: every case has its answer")
    return answers


# --- solver -------------------------------------------------------------------------------------------------------------


def search(instance: Instance, without: Collection[str] = (), **options: Unpack[RunOptions]) -> Solution:
    """Find the fewest lines, which are the `moves`: pairs (a, d), ascending. Infeasible when no lines make up the arrivals.

    Of equally few lines any are given, always the same. `without` names PRUNINGS to switch off; the number stays the same.

    Exponential time; memory 10 MB and O(arrivals × possible lines). Raises ValueError for an unknown pruning, Interrupted on
    Ctrl-C.
    """
    require_known(without, PRUNINGS)
    return search_arrivals(instance.arrivals, options, without)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the arrivals, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    return Answer(status=solution.status, cost=cost, bound=bound, lines=solution.moves)


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That fewer lines do not do, or none at all, cannot be seen from those that do.
    """
    return _check_claim(answer) or _check_lines(instance, answer)


def _check_claim(answer: Answer) -> str | None:
    """Whether status, cost, bound and lines fit together."""
    status, cost, bound = answer.status, answer.cost, answer.bound
    if status is Status.FEASIBLE:
        return "the status is feasible, but the first lines that are found are proved to be the fewest"
    if status is not Status.OPTIMAL:
        return None if (cost, answer.lines) == (None, None) else f"there are lines, but the status is {status}"
    if cost is None or cost < 1 or bound != cost:
        return f"the answer is called optimal, but it has {cost} lines and its bound is {bound}"
    if answer.lines is not None and len(answer.lines) != cost:
        return f"it claims {cost} lines, but there are {len(answer.lines)}"
    return None


def _check_lines(instance: Instance, answer: Answer) -> str | None:
    """Let the buses come."""
    if answer.lines is None:
        return None
    come: Counter[int] = Counter()
    for number, (first, interval) in enumerate(answer.lines, 1):
        if not 0 <= first < interval:
            return f"line {number}: the first arrival is {first}, the interval {interval}; it must be longer"
        if first + interval >= MINUTES:
            return f"line {number} comes only once: in minute {first}, and not before minute {first + interval}"
        come.update(range(first, MINUTES, interval))
    observed = Counter(instance.arrivals)
    for minute in range(MINUTES):
        if come[minute] != observed[minute]:
            return f"in minute {minute} {observed[minute]} buses were observed, but {come[minute]} come"
    return None


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(
    seed: int, *, lines: int = 12, longest: int = MINUTES - 1, most: int | None = None, possible: bool = True
) -> Instance:
    """Arrivals of random lines, the same for the same arguments.

    lines: of so many lines; fewer may do. longest: intervals are at most so long. most: there are at most so many arrivals.
    possible: without, one arrival more, in a minute in which no line can come.

    Lines are drawn up to 1000 times until all that holds; otherwise, and for numbers out of range, it raises ValueError.
    """
    rng = random.Random(seed)
    if not 1 <= lines <= MAX_ARRIVALS // MINUTES:
        raise ValueError(f"there are {lines} lines, there must be 1 to {MAX_ARRIVALS // MINUTES}")
    if not 1 <= longest < MINUTES:
        raise ValueError(f"the longest interval is {longest}, it must be from 1 to {MINUTES - 1}")
    choices = [(a, d) for a in range(MINUTES // 2) for d in range(a + 1, min(longest, MINUTES - 1 - a) + 1)]
    for _ in range(1000):
        minutes = sorted(minute for a, d in rng.choices(choices, k=lines) for minute in range(a, MINUTES, d))
        extra = None if possible else _minute_of_no_line(minutes)
        if (most is None or len(minutes) <= most) and (possible or extra is not None):
            return Instance(arrivals=tuple(minutes if extra is None else sorted([*minutes, extra])))
    raise ValueError(f"of 1000 times, {lines} random lines never made such arrivals; take fewer lines, or ask for less")


def _minute_of_no_line(minutes: Sequence[int]) -> int | None:
    """A minute in which no line could come if a bus came in it."""
    observed = set(minutes)
    for extra in range(MINUTES - 1, -1, -1):
        lines = ((a, d) for a in range(MINUTES // 2) for d in range(a + 1, MINUTES - a))
        if not any(extra in range(a, MINUTES, d) and observed.issuperset({*range(a, MINUTES, d)} - {extra}) for a, d in lines):
            return extra
    return None
