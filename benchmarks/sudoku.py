"""Sudoku: grids of the generator, and with --data the collections of hard ones, to the proof that there is no second solution."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.report import Table, compile_cpp, timed
from bestfirst import Limits
from bestfirst.catalogue import sudoku
from bestfirst.catalogue.sudoku import BOXES, Instance

#: The file of a collection, and what it holds.
COLLECTIONS = {
    "seventeen_clues_3000": "17 clues",
    "very_hard_1500": "very hard",
    "hardest_2011_375": "hardest of 2011",
}


def run(data: pathlib.Path | None) -> list[Table]:
    own = [sudoku.generate(seed) for seed in range(300)]
    rows = [row("generated, minimal", own)]
    tables = []
    if data is not None:
        folder = data / "sudoku"
        for name, title in COLLECTIONS.items():
            rows.append(row(title, list(sudoku.read((folder / f"{name}.txt").read_text()))))
        tables.append(large(folder))
    notes = (
        "Grids of 9 × 9 cells a second, each to the proof that it has no second solution; one thread, the best of five. *At once*: `solve_many`"
        " on an array. *One by one*: `search` for each instance. *Any size*: the search for all sizes, one by one. C++: bit masks, the cell with the"
        " fewest digits first, g++ -O2, also to the second solution."
    )
    return [Table("Sudoku", notes, ["grids", "number", "at once", "one by one", "any size", "C++"], rows), *tables]


def row(title: str, grids: Sequence[Instance]) -> list[Any]:
    numbers = np.array([[int(letter.replace(".", "0")) for letter in grid.cells] for grid in grids], np.uint8)
    batch = sudoku.solve_many(numbers, 2)  # compiles
    assert (batch.counts == 1).all()
    n, some = len(grids), grids[:100]
    for without in (None, ()):
        sudoku.search(grids[0], without)
    at_once = n / min(timed(lambda: sudoku.solve_many(numbers, 2))[1] for _ in range(5))
    one_by_one, any_size = (
        len(some) / min(timed(lambda w=without: [sudoku.search(grid, w, count=2) for grid in some])[1] for _ in range(5))
        for without in (None, ())
    )
    return [title, n, at_once, one_by_one, any_size, in_cpp(grids)]


def in_cpp(grids: Sequence[Instance]) -> float | None:
    path = compile_cpp("sudoku", "-O2")
    if path is None:
        return None
    text = "".join(map(sudoku.write_instance, grids)) + "end\n"
    done = subprocess.run([path, "2"], input=text, capture_output=True, text=True, check=True)
    assert done.stdout == "".join(
        sudoku.write(sudoku.answer(g, s)) for g, s in zip(grids, sudoku.search_many(grids), strict=True)
    )
    return len(grids) / float(done.stderr)


def large(folder: pathlib.Path) -> Table:
    rows = []
    for n in (16, 25):
        lines = [
            line.split("|")[1]
            for line in (folder / f"{n}x{n}.txt").read_text().splitlines()
            if "|" in line and not line.startswith("#")
        ]
        cells = ["".join(letter if letter.isalnum() else "." for letter in line) for line in lines]
        grids = [Instance(box=BOXES[n], cells=line) for line in cells]
        sudoku.search(grids[0], count=2)
        solutions = [sudoku.search(grid, count=2, limits=Limits(time=10)) for grid in grids]
        times = [solution.stats.seconds for solution in solutions]
        proved = sum(solution.stopped_by is None for solution in solutions)
        solved = sum(solution.value is not None for solution in solutions)
        rows.append([f"{n} × {n}", len(grids), solved, proved, 1000 * float(np.median(times)), 1000 * max(times)])
    notes = "Grids from the examples of Gecode, to the proof that there is no second solution, ten seconds each at most; milliseconds."
    return Table("Sudoku, larger grids", notes, ["grids", "number", "solved", "proved", "median", "longest"], rows)
