"""Cloud drift: can a cloud move over a town so that no cell dries out and no feast gets wet?

The town has 4 × 4 cells, the cloud covers 2 × 2 of them and rains on these. On the first day it is over the middle. Each day it
then stays or moves 1 or 2 cells in one of the four directions, never out of the town. A cell with a mark on a day must not get
rain on that day. No cell may be without rain on 7 days in a row; the first day counts. Of the possible schedules it is any, but
always the same one.

    days      a string of 16 marks for each day, the cells row by row: 1 a feast, 0 none
    places    an answer: where the cloud is, a digit for each day: 3 · row + column of its upper left cell

The search is in cloud_drift_search.py; docs/problems/cloud-drift.md explains it.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.cloud_drift_search import DriftSearch
from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import RunOptions
from bestfirst.formats.boards import board_rows, letters_of, require_board, rows_of
from bestfirst.formats.tokens import Tokens
from bestfirst.result import Interrupted, Solution, Status
from bestfirst.search.explicit import finish

MAX_DAYS = 100_000_000

PRUNINGS: dict[str, Pruning] = {}

CELLS = 16

#: How many calendars `generate` tries for a wanted property.
TRIES = 300


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="cloud-drift", forbid_unknown_fields=True):
    """The marks of each day. Raises ValueError where they are not 16 of 0 and 1, or there is no day."""

    version: Literal[1] = 1
    days: tuple[str, ...]

    def __post_init__(self) -> None:
        require_board(self.days, "01", "calendar")
        if len(self.days[0]) != CELLS:
            raise ValueError(f"a day has {len(self.days[0])} marks, there must be {CELLS}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="cloud-drift"):
    """Whether it is possible (optimal) or not (infeasible), and a schedule; None when it is not known, or there is none."""

    version: Literal[1] = 1
    status: Status
    places: str | None


def read(text: str) -> Iterator[Instance]:
    """Read n and n rows of 16 marks with blanks between them, again and again, until n is 0 or the text ends.

    Raises InputError, when it comes to it, where the text is bad.
    """
    tokens = Tokens(text)
    while not tokens.at_end():
        n = tokens.take_integer("the number of days n", 0, MAX_DAYS)
        if n == 0:
            return
        marks = "".join(tokens.take_board("the calendar", CELLS * n, 1, "01", "mark"))
        yield Instance(days=rows_of(marks, CELLS))


def write_instance(instance: Instance) -> str:
    """The judge format of an instance, without the final 0."""
    return f"{len(instance.days)}\n" + "".join(f"{' '.join(day)}\n" for day in instance.days)


def write(answer: Answer) -> str:
    """One line: 1 when it is possible, 0 when it is not. Raises ValueError when it is not known."""
    if answer.status not in (Status.OPTIMAL, Status.INFEASIBLE):
        raise ValueError("it is not known: the search was stopped")
    return "1\n" if answer.status is Status.OPTIMAL else "0\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read 1 or 0 for each instance. Raises InputError where the text has another form, or says more."""
    tokens = Tokens(text)
    claims = [tokens.take_integer(f"the answer for case {case}, 1 or 0", 0, 1) for case in range(1, len(instances) + 1)]
    tokens.require_end("expected the end: every case has its answer")
    return [Answer(status=Status.OPTIMAL if claim else Status.INFEASIBLE, places=None) for claim in claims]


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Find a schedule; the `value` of the solution is the string of places. Infeasible when there is none.

    Time O(n), memory O(√n) beside the instance. Raises Interrupted on Ctrl-C.
    """
    marks = letters_of(instance.days).reshape(-1, 4, 4) == ord("1")
    try:
        return _solution(*finish(DriftSearch(marks, options), options))
    except Interrupted as stop:
        raise Interrupted(_solution(*stop.solution)) from None


def _solution(found: Solution, places: np.ndarray | None) -> Solution:
    value = None if places is None else (places + ord("0")).tobytes().decode("ascii")
    return dataclasses.replace(found, cost=None, moves=None, bound=None, value=value)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    return Answer(status=solution.status, places=solution.value)


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That there is no schedule cannot be seen from an answer.
    """
    if answer.status is Status.FEASIBLE:
        return "the status is feasible, but a schedule is right or wrong"
    if answer.places is None:
        return None
    if answer.status is not Status.OPTIMAL:
        return f"the answer has a schedule, but its status is {answer.status}"
    if len(answer.places) != len(instance.days):
        return f"the schedule has {len(answer.places)} days, the calendar {len(instance.days)}"
    last_rain = [0] * CELLS
    row, column = 1, 1
    for day, (place, marks) in enumerate(zip(answer.places, instance.days, strict=True), 1):
        if place not in "012345678":
            return f"day {day}: {place!r} is no place; places are 0 to 8"
        before = row, column
        row, column = divmod(int(place), 3)
        if day == 1 and (row, column) != before:
            return "day 1: the cloud is not over the middle"
        if row != before[0] and column != before[1]:
            return f"day {day}: the cloud moves from {3 * before[0] + before[1]} to {place}, in no one direction"
        for cell in (4 * row + column, 4 * row + column + 1, 4 * row + column + 4, 4 * row + column + 5):
            if marks[cell] == "1":
                return f"day {day}: it rains on the feast in row {cell // 4 + 1}, column {cell % 4 + 1}"
            last_rain[cell] = day
        dry = next((cell for cell in range(CELLS) if day - last_rain[cell] >= 7), None)
        if dry is not None:
            return f"day {day}: the cell in row {dry // 4 + 1}, column {dry % 4 + 1} is without rain for 7 days"
    return None


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, days: int = 14, feasts: int = 8, solvable: bool | None = None) -> Instance:
    """A calendar with a feast in so many per cent of the cells and days, the same for the same arguments.

    solvable=True: a schedule is drawn first, and no feast is put where it rains then; False: there is none; None: either. Raises
    ValueError for numbers that make no calendar, and when none of TRIES calendars is as wanted.
    """
    if not (1 <= days <= MAX_DAYS and 0 <= feasts <= 100):
        raise ValueError(f"there is no calendar of {days} days with {feasts} per cent of feasts")
    rng = random.Random(seed)
    for _ in range(TRIES):
        drawn = np.frombuffer(rng.randbytes(CELLS * days), np.uint8).reshape(days, 4, 4) < round(2.56 * feasts)
        if solvable:
            places = np.array(_schedule(rng, days))
            for cell in (0, 1, 4, 5):
                drawn[np.arange(days), places // 3 + cell // 4, places % 3 + cell % 4] = False
        instance = Instance(days=board_rows(drawn.reshape(days, CELLS) + np.uint8(ord("0"))))
        if solvable is not False or search(instance).status is Status.INFEASIBLE:
            return instance
    raise ValueError(f"each of {TRIES} calendars has a schedule; allow more feasts")


def _schedule(rng: random.Random, days: int) -> list[int]:
    """Places round and round the town, in 1 or 2 days from corner to corner, in at most 7 for all four; the first time in 6."""
    ring = [0, 1, 2, 5, 8, 7, 6, 3][:: rng.choice((1, -1))]
    at = rng.choice([i for i, place in enumerate(ring) if place % 2 == 1])
    places, lengths = [4, ring[at], ring[(at + 1) % 8]], [0]
    at += 1
    while len(places) < days:
        lengths.append(rng.choice((1, 2)) if len(lengths) > 3 and sum(lengths[-3:]) < 6 else 1)
        at += 2
        places += [ring[(at - 1) % 8], ring[at % 8]][-lengths[-1] :]
    return places[:days]


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A day (from 1), its marks, and the place of the cloud (None when it is not known)."""

    day: int
    marks: str
    place: int | None


def steps(instance: Instance, answer: Answer | None = None) -> Iterator[Step]:
    """Yield every day."""
    places = None if answer is None else answer.places
    for day, marks in enumerate(instance.days, 1):
        yield Step(day, marks, None if places is None else int(places[day - 1]))
