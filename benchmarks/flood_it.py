"""Flood-It: random boards of our own, and with --data the boards of the ColorFill project with their known optima."""

from __future__ import annotations

import pathlib
import resource
import statistics
import subprocess
import sys
from typing import Any

from benchmarks.report import Table, timed
from bestfirst import Limits
from bestfirst.catalogue import flood_it

#: rows, columns, colours, how many
RANDOM_SETS = ((8, 8, 6, 1000), (14, 14, 6, 100), (10, 10, 15, 60), (18, 18, 6, 30))

#: Milliseconds a board of ColorFill's best solver, measured by its author on his machine (smack42/ColorFill).
PUBLISHED_SETS = {"14x14x6": 5.0, "10x10x15": 8.6, "18x18x6": 165.0}


def run(data: pathlib.Path | None) -> list[Table]:
    tables = [own_boards()]
    if data is not None:
        tables.append(published_boards(data))
    return tables


def own_boards() -> Table:
    rows = []
    for height, width, colours, count in RANDOM_SETS:
        boards = [flood_it.generate(seed, rows=height, columns=width, colours=colours) for seed in range(count)]
        rows.append([f"{height}×{width}, {colours} colours", count, *measure(boards)])
    notes = (
        "Random boards of the generator, seeds 0, 1, 2 …, start in the corner. *Any*: some shortest sequence; *first*: the"
        " lexicographically smallest one, which is what `solve` gives. All in one process, contraction of the board included."
    )
    return Table("Flood-It, random boards", notes, ["boards", "number", *_COLUMNS], rows)


def published_boards(data: pathlib.Path) -> Table:
    rows: list[list[Any]] = []
    for name, colorfill in PUBLISHED_SETS.items():
        boards = list(flood_it.read((data / "flood-it" / f"{name}.in").read_text()))
        optimal = list(map(int, (data / "flood-it" / f"{name}.optimal").read_text().split()))
        assert [flood_it.solve(board, ties="any").cost for board in boards] == optimal, f"{name}: an optimum is wrong"
        rows.append([name, len(boards), *measure(boards), colorfill, peak_mebibytes(data, name)])
    notes = (
        "Boards of the public ColorFill project; every optimum equals the known one. ColorFill: mean milliseconds of its best solver, as"
        " its author measured them on his machine, any shortest sequence. Memory: largest resident set of a process that solves"
        " the whole set, Python and compiler included."
    )
    columns = ["boards", "number", *_COLUMNS, "ColorFill ms", "peak MiB"]
    return Table("Flood-It, published boards", notes, columns, rows)


_COLUMNS = ["moves, mean", "any: ms, mean", "any: ms, max", "any: expanded, mean", "first: ms, mean", "first: ms, max"]


def measure(boards: list[flood_it.Instance]) -> list[Any]:
    """Mean optimum; milliseconds and nodes with and without the lexicographic pass."""
    for board in boards:  # boards of another size may need another kernel
        flood_it.search(board, limits=Limits(nodes=1))
    cells: list[Any] = []
    for ties in ("any", "lexicographic"):
        runs = [timed(lambda board=board, ties=ties: flood_it.search(board, ties=ties)) for board in boards]
        times = [1000 * seconds for _, seconds in runs]
        if ties == "any":
            cells.append(statistics.mean(solution.cost for solution, _ in runs))
        cells += [statistics.mean(times), max(times)]
        if ties == "any":
            cells.append(round(statistics.mean(solution.stats.expanded for solution, _ in runs)))
    return cells


def peak_mebibytes(data: pathlib.Path, name: str) -> int:
    """Peak memory of a process of its own that solves one set."""
    code = f"from benchmarks.flood_it import solve_set; solve_set({str(data)!r}, {name!r})"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return int(output) // 1024


def solve_set(data: str, name: str) -> None:
    """Solve a whole set and print the largest resident set in KiB."""
    for board in flood_it.read((pathlib.Path(data) / "flood-it" / f"{name}.in").read_text()):
        flood_it.solve(board)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
