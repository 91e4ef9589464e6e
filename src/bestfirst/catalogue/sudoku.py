"""Sudoku (166): fill a grid so that every row, column and box has every digit once.

The grid has n × n cells, most often 9 × 9, and is made of boxes of r × c cells, where r · c = n; n is at most 25. Some cells are
given. Digits beyond 9 are written A, B, C … A grid may have no solution, one, or many; of many it is any, but always the same.

    box       (rows, columns) of a box
    cells     the cells row by row, a letter each: `.` for a blank, 1 to 9, A to P for 10 to 25

The searches are in sudoku_bands.py (9 × 9) and sudoku_boxes.py (any size); docs/problems/sudoku.md explains them.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, NamedTuple, NoReturn, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue import sudoku_boxes
from bestfirst.catalogue.prunings import require_known
from bestfirst.catalogue.sudoku_bands import BandSearch
from bestfirst.catalogue.sudoku_boxes import MOST_DIGITS, BoxSearch
from bestfirst.catalogue.sudoku_rating import hardest_technique
from bestfirst.control import RunOptions, run_as
from bestfirst.formats.tokens import InputError, consists_of, listed, shown
from bestfirst.result import Interrupted, Limits, Solution, Stats, Status

LETTERS = ".123456789ABCDEFGHIJKLMNOP"

PRUNINGS = sudoku_boxes.PRUNINGS

#: The most solutions that can be counted.
MAX_COUNT = 1 << 60

#: How many grids `generate` tries for a wanted number of clues.
TRIES = 200

#: Nodes after which `generate` takes a grid for one with several solutions.
_PATIENCE = 2000

_NO_SOLUTION = "No solution"

_TO_NUMBERS = bytes.maketrans(LETTERS.encode(), bytes(range(len(LETTERS))))
_TO_LETTERS = bytes.maketrans(bytes(range(len(LETTERS))), LETTERS.encode())


def _box_of(n: int) -> tuple[int, int]:
    """The box of a grid of n × n cells that is nearest to a square, and not higher than wide."""
    rows = max(rows for rows in range(1, math.isqrt(n) + 1) if n % rows == 0)
    return rows, n // rows


#: The boxes of the text formats, by n: all sizes that are no primes.
BOXES = {n: _box_of(n) for n in range(4, MOST_DIGITS + 1) if _box_of(n)[0] > 1}

#: What a line of n² letters is a grid of; 16 letters are a row of 16 × 16 cells.
_LINES = {n * n: n for n in BOXES if n > 4}


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="sudoku", forbid_unknown_fields=True):
    """A grid. Raises ValueError for boxes of no size, or cells of another number or with other letters."""

    version: Literal[1] = 1
    box: tuple[int, int] = (3, 3)
    cells: str

    def __post_init__(self) -> None:
        n = self.box[0] * self.box[1]
        if min(self.box) < 1 or n > MOST_DIGITS:
            raise ValueError(f"a box has {self.box[0]} × {self.box[1]} cells, it must have 1 to {MOST_DIGITS}")
        if len(self.cells) != n * n:
            raise ValueError(f"there are {len(self.cells)} cells, there must be {n} × {n}")
        if not consists_of(self.cells, LETTERS[: n + 1]):
            at = next(at for at, letter in enumerate(self.cells) if letter not in LETTERS[: n + 1])
            raise ValueError(f"{place(at, n)} is {self.cells[at]!r}; cells are {listed(LETTERS[: n + 1])}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="sudoku"):
    """A solution and, when it was asked for, how many there are."""

    version: Literal[1] = 1
    status: Status
    cells: str | None
    count: int | None = None
    more: bool | None = None  #: whether the counting ended before all were met


class Found(NamedTuple):
    """The `value` of a solution: the cells of the first one met, and whether there may be more than `count`."""

    cells: str
    more: bool


def place(at: int, n: int) -> str:
    """A cell as messages name it."""
    return f"row {at // n + 1}, column {at % n + 1}"


# --- judge format -------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Read grids, each a line of all its cells (81 for 9 × 9; `.` or 0 is blank), until `end` or the end of the text.

    A grid may also stand in n lines of n cells, as in .sdk files: with blanks, bars and lines of - + = between them. Lines that
    begin with # or [ are left out. Boxes are as near to a square as n allows: 2 × 3 for n = 6. Raises InputError, when it comes
    to it, where the text is bad.
    """
    rows: list[str] = []
    number = 0
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        cells = line.strip()
        if not cells or cells[0] in "#[":
            continue
        if cells == "end" and not rows:
            return
        if len(cells) != 81 or rows:
            cells = "".join(cells.replace("|", " ").split())
            if consists_of(cells, "-+="):
                continue
        n = len(rows[0]) if rows else _LINES.get(len(cells), len(cells))
        if len(cells) in _LINES and not rows:
            yield _grid(cells, n, line, number)
            continue
        if rows and len(cells) != n:
            message = f"row {len(rows) + 1} of a grid has {len(cells)} cells, there must be {n}"
            raise InputError(message, number, 1 + len(line) - len(line.lstrip()))
        if n not in BOXES:
            message = f"a line of {n} cells is no grid and no row of one: a 9 × 9 grid has 81, a row of one 9"
            raise InputError(message, number, 1 + len(line) - len(line.lstrip()))
        _require_letters(cells, n, line, number)
        rows.append(cells)
        if len(rows) == n:
            yield Instance(box=BOXES[n], cells="".join(rows).replace("0", "."))
            rows = []
    if rows:
        raise InputError(f"the text ends after {len(rows)} of {len(rows[0])} rows of a grid", number + 1, 1)


def _grid(cells: str, n: int, line: str, number: int) -> Instance:
    _require_letters(cells, n, line, number)
    return Instance(box=BOXES[n], cells=cells.replace("0", "."))


def _require_letters(cells: str, n: int, line: str, number: int) -> None:
    """Raise InputError at the first letter that is no cell."""
    letters = f"0{LETTERS[: n + 1]}"
    if not consists_of(cells, letters):
        bad = next(letter for letter in cells if letter not in letters)
        raise InputError(f"found {shown(bad)}; cells are {listed(letters)}", number, line.index(bad) + 1)


def write_instance(instance: Instance) -> str:
    """The judge format of a grid, without the final `end`. Raises ValueError when it does not tell the boxes."""
    n = instance.box[0] * instance.box[1]
    if BOXES.get(n) != instance.box:
        raise ValueError(f"the judge format has no boxes of {instance.box[0]} × {instance.box[1]} cells; JSON has any")
    if n * n not in _LINES:
        return "".join(f"{instance.cells[at : at + n]}\n" for at in range(0, n * n, n))
    return f"{instance.cells}\n"


def write(answer: Answer) -> str:
    """The cells of the solution on a line, or `No solution`.

    When a count was asked for, it follows after a blank, with a + when there may be more. Raises ValueError when the search was
    stopped.
    """
    if answer.status is Status.INFEASIBLE:
        return f"{_NO_SOLUTION}\n"
    if answer.status is not Status.OPTIMAL:
        raise ValueError("it is not known: the search was stopped")
    return f"{answer.cells}\n" if answer.count is None else f"{answer.cells} {answer.count}{'+' if answer.more else ''}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a line for each instance: cells, perhaps a count, or `No solution`. Raises InputError where the text is bad."""
    lines = [(number, line) for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1) if line.strip()]
    if len(lines) < len(instances):
        raise InputError(f"the text ends where the answer for grid {len(lines) + 1} is expected", len(text.splitlines()) + 1, 1)
    if len(lines) > len(instances):
        raise InputError(f"expected the end of the text after {len(instances)} answers", lines[len(instances)][0], 1)
    return [_read_answer(line, number, instance) for (number, line), instance in zip(lines, instances, strict=True)]


def _read_answer(line: str, number: int, instance: Instance) -> Answer:
    def fail(message: str) -> NoReturn:
        raise InputError(message, number, 1)

    if " ".join(line.split()) == _NO_SOLUTION:
        return Answer(status=Status.INFEASIBLE, cells=None)
    cells, *counts = line.split()
    if len(cells) != len(instance.cells) or len(counts) > 1:
        fail(f"expected {len(instance.cells)} cells or `{_NO_SOLUTION}`, found {shown(line.strip())}")
    if not counts:
        return Answer(status=Status.OPTIMAL, cells=cells)
    digits = counts[0].removesuffix("+")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        fail(f"expected a number of solutions, found {shown(counts[0])}")
    return Answer(status=Status.OPTIMAL, cells=cells, count=int(digits), more=counts[0].endswith("+"))


# --- search -------------------------------------------------------------------------------------------------------------


def search(
    instance: Instance, without: Collection[str] | None = None, *, count: int | None = None, **options: Unpack[RunOptions]
) -> Solution:
    """Find a solution; `value` is a Found, of None where there is none. Infeasible when that is proved.

    count     count the solutions, up to so many; 2 tells whether there is only one
    without   names of PRUNINGS to switch off. They belong to the search for all sizes; 9 × 9 cells have a quicker one of their
              own, which is used when nothing is given here, not even an empty list

    A node is a position between two guesses. Raises ValueError for an unknown pruning and a count that is out of range, and
    Interrupted on Ctrl-C.
    """
    require_known(without or (), PRUNINGS)
    _require_count(count)
    grid = _numbers(instance.cells)
    most = count or 1
    if instance.box == (3, 3) and without is None:
        bands = BandSearch(grid.reshape(1, -1), most, options)
        return run_as(bands, options, lambda found: _solution(instance, found, bands.work.solutions, count))
    boxes = BoxSearch(grid, instance.box, most, without or (), options)
    return run_as(boxes, options, lambda found: _solution(instance, found, boxes.work.solution, count))


def _require_count(count: int | None) -> None:
    if count is not None and not 1 <= count <= MAX_COUNT:
        raise ValueError(f"count={count} must be from 1 to 2^60")


def search_many(instances: Sequence[Instance], *, count: int | None = None, **options: Unpack[RunOptions]) -> list[Solution]:
    """The solutions that `search` finds, of many grids: those of 9 × 9 cells at once, and without statistics.

    Raises what `search` raises; Interrupted carries the solutions so far, and a stopped one of the grid where it was.
    """
    if any(instance.box != (3, 3) for instance in instances):
        return [search(instance, count=count, **options) for instance in instances]
    grids = _numbers("".join(instance.cells for instance in instances)).reshape(-1, 81)
    try:
        batch = solve_many(grids, count or 1, **options)
    except Interrupted as stop:
        raise Interrupted(_solutions(instances, stop.solution, count)) from None
    return _solutions(instances, batch, count)


def _solutions(instances: Sequence[Instance], batch: Batch, count: int | None) -> list[Solution]:
    whole = batch.solution
    solutions: list[Solution] = []
    for instance, numbers, met in zip(instances, batch.solutions, batch.counts.tolist(), strict=True):
        stopped = whole.stopped_by if len(solutions) == batch.done else None
        status = (Status.OPTIMAL if met else Status.INFEASIBLE) if stopped is None else Status.FEASIBLE if met else Status.STOPPED
        found = Solution(status, None, None, None, Stats(), whole.engine, whole.why, stopped, count=met)
        solutions.append(_solution(instance, found, numbers, count))
        if stopped is not None:
            break
    return solutions


def _solution(instance: Instance, found: Solution, numbers: np.ndarray, count: int | None) -> Solution:
    why = found.why
    value = None
    if found.count:
        value = Found(_letters(numbers), found.count == count or found.stopped_by is not None)
    elif found.status is Status.INFEASIBLE and (fault := conflict(instance)) is not None:
        why = fault
    counted = found.count if count is not None else None
    return dataclasses.replace(found, cost=None, moves=None, bound=None, value=value, count=counted, why=why)


def _numbers(cells: str) -> np.ndarray:
    writable = bytearray(cells.encode("ascii").translate(_TO_NUMBERS))  # a kernel is compiled again for what is not
    return np.frombuffer(writable, np.uint8)


def _letters(numbers: np.ndarray) -> str:
    return numbers.tobytes().translate(_TO_LETTERS).decode("ascii")


class Batch(NamedTuple):
    """What became of many grids of 9 × 9 cells."""

    solutions: np.ndarray  #: (n, 81) uint8: the first solution met of each, zeros where there is none
    counts: np.ndarray  #: (n,) int64: how many solutions, no more than were asked for
    done: int  #: how many grids are done; all, unless the search was stopped
    solution: Solution  #: how the search ended


def solve_many(grids: np.ndarray, count: int = 1, **options: Unpack[RunOptions]) -> Batch:
    """Solve many grids of 9 × 9 cells at once: 14,000 very hard ones a second, or 300,000 of 17 clues.

    grids    (n, 81) uint8: 0 for a blank and 1 to 9
    count    go on to so many solutions of each; 2 to see which have only one

    A limit holds for all of them together. Raises TypeError and ValueError for other arrays and counts, Interrupted on Ctrl-C.
    """
    if not (isinstance(grids, np.ndarray) and grids.dtype == np.uint8 and grids.ndim == 2 and grids.shape[1] == 81):
        raise TypeError("grids must be an array of uint8 with 81 numbers in each row")
    if len(grids) == 0 or grids.max() > 9:
        raise ValueError("there must be a grid at least, and its numbers must be from 0 to 9")
    _require_count(count)
    search = BandSearch(np.array(grids, order="C"), count, options)
    return run_as(
        search, options, lambda found: Batch(search.work.solutions.reshape(-1, 81), search.work.counts, search.done(), found)
    )


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the grid, as a value that can be kept."""
    cells, more = (None, False) if solution.value is None else solution.value
    return Answer(status=solution.status, cells=cells, count=solution.count, more=None if solution.count is None else more)


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker: the rules alone -------------------------------------------------------------------------------------------


def units(box: tuple[int, int]) -> Iterator[tuple[str, list[int]]]:
    """Yield every row, column and box: what it is called, and its cells."""
    rows, columns = box
    n = rows * columns
    for i in range(n):
        yield f"row {i + 1}", [n * i + j for j in range(n)]
        yield f"column {i + 1}", [n * j + i for j in range(n)]
        top, left = i // rows * rows, i % rows * columns
        yield f"box {i + 1}", [n * (top + j // columns) + left + j % columns for j in range(n)]


def conflict(instance: Instance) -> str | None:
    """The first two givens that exclude each other, named by cell; None when there are no such."""
    n = instance.box[0] * instance.box[1]
    for name, unit in units(instance.box):
        first: dict[str, int] = {}
        for cell in unit:
            digit = instance.cells[cell]
            if digit in first:
                return f"{name} has {digit} given twice, in {place(first[digit], n)} and {place(cell, n)}"
            if digit != ".":
                first[digit] = cell
    return None


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That there is no solution, or how many there are, cannot be seen this way.
    """
    status, cells, count = answer.status, answer.cells, answer.count
    if (cells is None) != (status in (Status.INFEASIBLE, Status.STOPPED)):
        return f"the status is {status}, but the answer has {'no ' if cells is None else ''}cells"
    if count is not None and (count < 0 or (count == 0) != (cells is None)):
        return f"the answer counts {count} solutions, and {'shows none' if cells is None else 'shows one'}"
    if cells is None:
        return None
    n = instance.box[0] * instance.box[1]
    if len(cells) != n * n:
        return f"the answer has {len(cells)} cells, there must be {n * n}"
    for at, (given, digit) in enumerate(zip(instance.cells, cells, strict=True)):
        if digit not in LETTERS[1 : n + 1]:
            return f"{place(at, n)} is {digit!r}, which is no digit"
        if given not in (".", digit):
            return f"{place(at, n)} is {digit}, but {given} is given there"
    for name, unit in units(instance.box):
        missing = set(LETTERS[1 : n + 1]) - {cells[cell] for cell in unit}
        if missing:
            return f"{name} has no {min(missing, key=LETTERS.index)}"
    return None


def difference(answer: Answer, best: Answer) -> str | None:
    """Why a valid answer is not as good as the best: it misses a solution, or counts wrong."""
    if answer.status is Status.INFEASIBLE and best.cells is not None:
        return "it says that there is no solution, but there is one"
    if None not in (answer.count, best.count) and not (answer.more or best.more) and answer.count != best.count:
        return f"it counts {answer.count} solutions, but there are {best.count}"
    return None


# --- rating -------------------------------------------------------------------------------------------------------------


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """How hard a grid is; what only a single solution gives a meaning to is None without one."""

    clues: int
    solutions: int  #: 0, 1, or 2 for more than one
    needless: int | None  #: clues any one of which could be left out; 0 for a minimal grid
    technique: str | None  #: the hardest that is needed, of sudoku_rating.TECHNIQUES
    nodes: int  #: positions between guesses of the search to the proof that there is no second solution, or to that one
    conflict: str | None

    def __str__(self) -> str:
        """A line."""
        if self.solutions != 1:
            many = "several solutions" if self.solutions else self.conflict or "no solution"
            return f"{self.clues} clues, {many}; {self.nodes:,} nodes"
        needless = "minimal" if self.needless == 0 else f"{self.needless} needless"
        return f"{self.clues} clues, {needless}; hardest technique: {self.technique}; {self.nodes:,} nodes"


def rate(instance: Instance) -> Rating:
    """How hard a grid is: the clues, whether any can go, the hardest technique that people need, the effort of the search."""
    found = search(instance, count=2)
    clues = [at for at, digit in enumerate(instance.cells) if digit != "."]
    needless = technique = None
    if found.count == 1:
        n = instance.box[0] * instance.box[1]
        fewer = [f"{instance.cells[:at]}.{instance.cells[at + 1 :]}" for at in clues]
        others = search_many([Instance(box=instance.box, cells=cells) for cells in fewer], count=2)
        needless = sum(other.count == 1 for other in others)
        technique = hardest_technique(instance.cells, LETTERS[1 : n + 1], [unit for _, unit in units(instance.box)])
    return Rating(
        clues=len(clues),
        solutions=found.count or 0,
        needless=needless,
        technique=technique,
        nodes=found.stats.generated,
        conflict=conflict(instance),
    )


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(
    seed: int,
    *,
    rows: int = 3,
    columns: int = 3,
    clues: int | None = None,
    unique: bool = True,
    solvable: bool = True,
) -> Instance:
    """A grid with boxes of so many rows and columns, the same for the same arguments.

    Digits are taken from a full grid in random order, as long as it has one solution (or, with unique=False, any), until so many
    clues are left; without a number, until none can go (a third of the cells). solvable=False: one clue is then changed so that
    no solution is left, but no two clues exclude each other. Raises ValueError for numbers that make no grid, and when none of
    TRIES grids has so few clues, or can be spoilt.
    """
    n = rows * columns
    if min(rows, columns) < 1 or n > MOST_DIGITS:
        raise ValueError(f"a box has {rows} × {columns} cells, it must have 1 to {MOST_DIGITS}")
    if clues is not None and not 0 <= clues <= n * n:
        raise ValueError(f"a grid of {n} × {n} cells has no {clues} clues")
    rng = random.Random(seed)
    for _ in range(TRIES):
        cells = _thinned(rng, _full_grid(rng, (rows, columns)), (rows, columns), clues, unique)
        instance = Instance(box=(rows, columns), cells="".join(cells))
        if clues is not None and n * n - cells.count(".") > clues:
            continue
        spoilt = instance if solvable else _spoilt(rng, instance)
        if spoilt is not None:
            return spoilt
    wish = "" if clues is None else f" of {clues} clues"
    raise ValueError(f"none of {TRIES} grids led to one{wish}; allow more clues" if solvable else "no such grid was found")


def _full_grid(rng: random.Random, box: tuple[int, int]) -> list[str]:
    """A solution of a grid in which only some boxes, no two in the same rows or columns, are filled at random."""
    rows, columns = box
    n = rows * columns
    while True:
        cells = ["."] * (n * n)
        for i in range(min(rows, columns)):
            for at, digit in enumerate(rng.sample(LETTERS[1 : n + 1], n)):
                cells[n * (rows * i + at // columns) + columns * i + at % columns] = digit
        found = _tried(Instance(box=box, cells="".join(cells)), 1)
        if found.value is not None:
            return list(found.value.cells)


def _thinned(rng: random.Random, cells: list[str], box: tuple[int, int], clues: int | None, unique: bool) -> list[str]:
    n = box[0] * box[1]
    least = clues if clues is not None else 0 if unique else n * n // 3
    left = n * n
    for at in rng.sample(range(n * n), n * n):
        if left == least:
            break
        digit, cells[at] = cells[at], "."
        if unique and _tried(Instance(box=box, cells="".join(cells)), 2).count != 1:
            cells[at] = digit
        else:
            left -= 1
    return cells


def _tried(instance: Instance, count: int) -> Solution:
    """Search for so many solutions; a search that is stopped counts as if it had found them."""
    found = search(instance, count=count, limits=Limits(nodes=_PATIENCE))
    return found if found.stopped_by is None else dataclasses.replace(found, count=count)


def _spoilt(rng: random.Random, instance: Instance) -> Instance | None:
    n = instance.box[0] * instance.box[1]
    given = [at for at, digit in enumerate(instance.cells) if digit != "."]
    for at in rng.sample(given, len(given)):
        for digit in rng.sample(LETTERS[1 : n + 1], n):
            cells = instance.cells[:at] + digit + instance.cells[at + 1 :]
            other = Instance(box=instance.box, cells=cells)
            if conflict(other) is None and _tried(other, 1).status is Status.INFEASIBLE:
                return other
    return None
