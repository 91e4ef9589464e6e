"""Rolling block on the plane: fewest rolls of a 1×1×2 block over an unbounded floor until it stands upright on (0, 0).

Many questions are answered at once, one a line: a pose and the cell (x, y) of the block. A roll turns the block over one of its
lower edges; the floor has no end in any direction, and coordinates may be negative.

    U x y    upright on (x, y)
    V x y    lying on (x, y) and (x + 1, y)
    H x y    lying on (x, y) and (x, y + 1)
    along    the coordinate in which the block lies (of an upright one x), counted so that the formula is the same for all
    across   the other coordinate, without its sign
    p, q     how often the block lies down and stands up again along the first coordinate, and along the second
    j, i     rolls sideways, which change the first coordinate, and the second

The formula and its proof: docs/problems/rolling-block-plane.md. It needs no search, so it is NumPy over all lines at once.
"""

from __future__ import annotations

import dataclasses
import functools
import random
import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import FOUND, PAUSED, RunOptions
from bestfirst.formats.tokens import Tokens
from bestfirst.result import Solution, Status
from bestfirst.search.compiled import EXPANDED, GENERATED, STOP_AT
from bestfirst.search.explicit import ArraySearch, finish

#: Coordinates are at most this far from 0: then all sums fit into 64 bits.
MAX_COORDINATE = 10**18

PRUNINGS: dict[str, Pruning] = {}

CASES = "single"

_POSES = "UVH"
_UNKNOWN = -1


class Instance(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="rolling-block-plane", forbid_unknown_fields=True
):
    """The questions: a letter U, V or H for each, and as many x and y. Raises ValueError where they do not fit together."""

    version: Literal[1] = 1
    poses: str
    x: tuple[int, ...]
    y: tuple[int, ...]

    def __post_init__(self) -> None:
        if not len(self.poses) == len(self.x) == len(self.y) > 0:
            counts = f"{len(self.poses)} poses, {len(self.x)} x and {len(self.y)} y"
            raise ValueError(f"there are {counts}; as many of each are needed, one at least")
        if self.poses.strip(_POSES):
            number, pose = next((i, pose) for i, pose in enumerate(self.poses, 1) if pose not in _POSES)
            raise ValueError(f"pose {number} is {pose!r}; poses are U, V and H")
        for name, values in (("x", self.x), ("y", self.y)):
            if max(values) > MAX_COORDINATE or min(values) < -MAX_COORDINATE:
                raise ValueError(f"a coordinate {name} is farther than 10^18 from 0")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="rolling-block-plane"):
    """Fewest rolls for each question; when the status is stopped, those that are not known are -1."""

    version: Literal[1] = 1
    status: Status
    rolls: tuple[int, ...]


def read(text: str) -> Iterator[Instance]:
    """Read lines `C x y` to the end: C is U, V or H. All of them together are one case. A text without any is none.

    Raises InputError where the text is bad.
    """
    lines = _plain_lines(text)
    if lines is None:  # something is unusual; the slow way finds out what
        lines = _lines(Tokens(text))
    if lines[0]:
        yield Instance(poses=lines[0], x=lines[1], y=lines[2])


Lines = tuple[str, tuple[int, ...], tuple[int, ...]]


#: In place of the letters, so that a text of all lines is one of numbers only; farther than any coordinate.
_CODES = {pose: 2 * MAX_COORDINATE + number for number, pose in enumerate(_POSES)}


#: A sign that is not the beginning of a number; NumPy would read one as 0, or end a number there.
_ODD_SIGN = re.compile(r"[+-](?![0-9])|\S[+-]")


def _plain_lines(text: str) -> Lines | None:
    """The lines if they are as they should be, otherwise nothing. Nothing is done for each of them in Python."""
    text = text.removeprefix("\ufeff")
    if ("+" in text or "-" in text) and _ODD_SIGN.search(text):
        return None
    count = sum(map(text.count, _POSES))
    for pose, code in _CODES.items():
        text = text.replace(pose, str(code))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)  # so older NumPy complains of a text that is not all numbers
            numbers = np.fromstring(text, np.int64, sep=" ")  # what does not fit into 64 bits becomes their largest number
    except (ValueError, DeprecationWarning):
        return None
    if count == 0 or len(numbers) != 3 * count:
        return None
    poses, coordinates = numbers[::3] - _CODES["U"], numbers.reshape(-1, 3)[:, 1:]
    if poses.min() < 0 or poses.max() >= len(_POSES):
        return None
    if coordinates.min() < -MAX_COORDINATE or coordinates.max() > MAX_COORDINATE:
        return None
    letters = np.frombuffer(_POSES.encode(), np.uint8)[poses].tobytes().decode()
    return letters, tuple(numbers[1::3].tolist()), tuple(numbers[2::3].tolist())


def _lines(tokens: Tokens) -> Lines:
    """The same, token by token."""
    poses, xs, ys = [], [], []
    while (token := tokens.peek()) is not None:
        if token.text not in (*_POSES,):
            token.fail(f"expected U, V or H, found {token.text[:40]!r}")
        poses.append(tokens.take("a pose").text)
        xs.append(tokens.take_integer("the coordinate x", -MAX_COORDINATE, MAX_COORDINATE))
        ys.append(tokens.take_integer("the coordinate y", -MAX_COORDINATE, MAX_COORDINATE))
    return "".join(poses), tuple(xs), tuple(ys)


def write_instance(instance: Instance) -> str:
    """The judge format of the questions."""
    return "".join(f"{pose} {x} {y}\n" for pose, x, y in zip(instance.poses, instance.x, instance.y, strict=True))


def write(answer: Answer) -> str:
    """A line with the number of rolls for each question. Raises ValueError when the work was stopped."""
    if answer.status is not Status.OPTIMAL:
        raise ValueError("the work was stopped: not all numbers are known")
    return "\n".join(map(str, answer.rolls)) + "\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a number for each question. Raises InputError where the text is something else, or says more."""
    tokens = Tokens(text)
    columns = (("the number of rolls", 0, 4 * MAX_COORDINATE),)
    answers = []
    for instance in instances:
        rolls = tokens.take_rows(len(instance.poses), "question", columns)
        answers.append(Answer(status=Status.OPTIMAL, rolls=tuple(rolls[:, 0].tolist())))
    tokens.require_end("expected the end: every question has its answer")
    return answers


# --- the formula --------------------------------------------------------------------------------------------------------


class _Lines(NamedTuple):
    """What is known of each question, (lines,) int64."""

    rolls: np.ndarray


class PlaneWork(ArraySearch):
    """The formula at work, some lines at a time; GENERATED counts them."""

    engine = "closed form"
    parts = ("lines",)
    why = "the plane has no walls"

    def __init__(self, instance: Instance, options: RunOptions) -> None:
        self.pose = np.frombuffer(instance.poses.encode("ascii"), np.uint8)
        self.x, self.y = (np.array(values, np.int64) for values in (instance.x, instance.y))
        super().__init__([self.pose, self.x, self.y], options)
        self.lines = _Lines(np.full(len(self.pose), _UNKNOWN, np.int64))

    def advance(self, stop_at: int) -> int:
        """Answer lines until `stop_at` of them are answered."""
        done = slice(int(self.counters[GENERATED]), min(stop_at, len(self.pose)))
        if done.start < done.stop:
            self.lines.rolls[done] = fewest_rolls(self.pose[done], self.x[done], self.y[done])
            self.counters[[STOP_AT, GENERATED, EXPANDED]] = done.stop
        return FOUND if done.stop == len(self.pose) else PAUSED

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """Not a cost, but whether all is done."""
        return (0, ()) if self.counters[GENERATED] == len(self.pose) else None

    def result(self, solution: Solution) -> Solution:
        """The numbers are the `value`."""
        return dataclasses.replace(solution, cost=None, moves=None, bound=None, value=self.lines.rolls)


def fewest_rolls(pose: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The fewest rolls from each of these positions; `pose` holds the codes of the letters. All arrays (lines,)."""
    lying = pose != ord("U")
    along, across = np.where(pose == ord("H"), (y, x), (x, y))
    along = np.where(lying, np.where(along < 0, -along - 1, along) - 1, abs(along))
    across = abs(across)
    least_p, least_q = np.maximum(along // 3, 0), across // 3
    best = np.full(len(pose), np.iinfo(np.int64).max)
    for p in (least_p, least_p + 1):
        j = np.minimum(abs(along - 3 * least_p), abs(along - 3 * p))
        for q in (least_q, least_q + 1):
            i = np.minimum(across - 3 * least_q, abs(across - 3 * q))
            is_possible = ((j == 0) | (q > 0)) & ((i == 0) | (p > 0) | lying)
            np.minimum(best, 2 * p + 2 * q + i + j + lying, out=best, where=is_possible)
    return best


def way(pose: str, x: int, y: int) -> str:
    """A shortest way from a position, as letters: L and R roll to smaller and larger x, D and U to smaller and larger y.

    Takes time and memory as long as the way.
    """
    if pose == "H":
        return way("V", y, x).translate(str.maketrans("LRDU", "DULR"))
    lying = pose == "V"
    least_p, least_q = max(abs(2 * x + lying) - 3 * lying, 0) // 6, abs(y) // 3
    plans = (_plan(x, y, lying, p, q) for p in (least_p, least_p + 1) for q in (least_q, least_q + 1))
    return min((plan for plan in plans if plan is not None), key=len)


def _plan(x: int, y: int, lying: bool, p: int, q: int) -> str | None:
    """The shortest way that lies down p times along x and q times along y, if there is any, from the pose U or V.

    In halves of a cell the middle of the block is at (2x + lying, 2y); rolls along x and y move it by 3, rolls sideways by 2.
    """
    over_x = _rolls_over(-2 * x - lying, 2 * p + lying)
    over_y = _rolls_over(-2 * y, 2 * q)
    left_x, left_y = -2 * x - lying - 3 * sum(over_x), -2 * y - 3 * sum(over_y)
    if (left_x and q == 0) or (left_y and p == 0 and not lying):
        return None
    along_x = ["R" if sign > 0 else "L" for sign in over_x]
    along_y = ["U" if sign > 0 else "D" for sign in over_y]
    first = 0 if lying else 1  # before this roll the block lies along x
    along_x.insert(first, ("U" if left_y > 0 else "D") * (abs(left_y) // 2))
    along_y.insert(1, ("R" if left_x > 0 else "L") * (abs(left_x) // 2))
    return "".join(along_x + along_y)


def _rolls_over(distance: int, count: int) -> list[int]:
    """So many signs, whose sum times three is as near to the distance as it can be."""
    sums = range(-count, count + 1, 2)
    nearest = max(0, min(len(sums) - 1, (distance + 3 * count + 3) // 6))
    positive = (sums[nearest] + count) // 2
    return [1] * positive + [-1] * (count - positive)


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Answer all questions; the `value` of the solution is an array of the numbers. Raises Interrupted on Ctrl-C."""
    found: Solution = finish(PlaneWork(instance, options), options)
    return found


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the questions, as a value that can be kept."""
    return Answer(status=solution.status, rolls=tuple(solution.value.tolist()))


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------

#: The checker knows the rolls from every position whose coordinates are at most this; farther ones are moved nearer.
_NEAR = 8


def check(instance: Instance, answer: Answer) -> str | None:
    """The first number that is wrong; None when all are right.

    Near (0, 0) the numbers come from rolling back from there, by the rules. Farther away, three cells more are two rolls more
    (docs/problems/rolling-block-plane.md has the proof). In an answer that was stopped numbers may be unknown.
    """
    if answer.status not in (Status.OPTIMAL, Status.STOPPED):
        return f"the status is {answer.status}, but there is a way from everywhere"
    if len(answer.rolls) != len(instance.poses):
        return f"there are {len(answer.rolls)} numbers for {len(instance.poses)} questions"
    if max(answer.rolls) > 4 * MAX_COORDINATE:
        number = 1 + max(range(len(answer.rolls)), key=answer.rolls.__getitem__)
        return f"question {number}: no way needs {answer.rolls[number - 1]} rolls"
    rolls, expected = np.array(answer.rolls, np.int64), np.zeros(len(answer.rolls), np.int64)
    near = []
    for values in (instance.x, instance.y):
        coordinate = np.array(values, np.int64)
        times = np.maximum(0, (abs(coordinate) - _NEAR + 2) // 3)
        near.append(coordinate - 3 * times * np.sign(coordinate) + _NEAR)
        expected += 2 * times
    pose = np.array([_POSES.index(letter) for letter in instance.poses])
    expected += _table()[pose, near[0], near[1]]
    wrong = (rolls != expected) & ((answer.status is Status.OPTIMAL) | (rolls != -1))
    if not wrong.any():
        return None
    at = int(np.argmax(wrong))
    question = f"question {at + 1}, {instance.poses[at]} {instance.x[at]} {instance.y[at]}"
    return f"{question}: the answer is {rolls[at]}, but the fewest rolls are {expected[at]}"


@functools.cache
def _table() -> np.ndarray:
    """Fewest rolls by breadth-first search from (0, 0), for each pose and coordinates up to _NEAR."""
    side = range(-_NEAR, _NEAR + 1)
    wanted = {
        _under(pose, x, y): (number, x + _NEAR, y + _NEAR) for number, pose in enumerate(_POSES) for x in side for y in side
    }
    table = np.zeros((3, len(side), len(side)), np.int64)
    met, layer, depth, missing = set(), {_under("U", 0, 0)}, 0, set(wanted)
    while missing:
        for cells in layer & missing:
            table[wanted[cells]] = depth
        missing -= layer
        met |= layer
        layer = {other for cells in layer for other in _rolled(cells)} - met
        depth += 1
    return table


Cells = frozenset[tuple[int, int]]


def _under(pose: str, x: int, y: int) -> Cells:
    """The cells under the block."""
    return frozenset([(x, y), (x + (pose == "V"), y + (pose == "H"))])


def _rolled(cells: Cells) -> Iterator[Cells]:
    """The cells under the block after each of the four rolls: it comes down beside where it was, over as much as it was high."""
    (left, bottom), (right, top) = min(cells), max(cells)
    height = 3 - len(cells)
    for columns, rows in (
        (range(left - height, left), range(bottom, top + 1)),
        (range(right + 1, right + 1 + height), range(bottom, top + 1)),
        (range(left, right + 1), range(bottom - height, bottom)),
        (range(left, right + 1), range(top + 1, top + 1 + height)),
    ):
        yield frozenset((x, y) for x in columns for y in rows)


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, lines: int = 8, farthest: int = 12, negative: bool = True) -> Instance:
    """So many questions with any poses and coordinates up to `farthest`, also negative ones; the same for the same arguments.

    Raises ValueError for numbers that make no questions.
    """
    if lines < 1 or not 0 <= farthest <= MAX_COORDINATE:
        raise ValueError(f"there are no {lines} questions with coordinates up to {farthest}")
    rng = random.Random(seed)
    least = -farthest if negative else 0
    poses = "".join(rng.choices(_POSES, k=lines))
    x, y = (tuple(rng.randint(least, farthest) for _ in range(lines)) for _ in range(2))
    return Instance(poses=poses, x=x, y=y)
