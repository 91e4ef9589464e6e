"""Problems of the catalogue at contest size and beyond, from text to text, beside textbook C++ programs."""

from __future__ import annotations

import pathlib
import subprocess
from types import ModuleType
from typing import Any

import numpy as np
import scipy.ndimage

from benchmarks.report import Table, compile_cpp, timed
from bestfirst.catalogue import (
    bin_packing,
    birthday_cake,
    book_sort,
    bus_schedules,
    circuit_repair,
    cloud_drift,
    equal_sticks,
    full_tank,
    ghost_chase,
    grid_distance,
    knight_distance,
    knight_shuffle,
    kth_walk,
    letter_sum,
    milkweed,
    missile_defence,
    reachability,
    rolling_block,
    rolling_block_plane,
    rotation_game,
    sliding_tiles,
    square_breaking,
    subset_sum,
    target_sudoku,
    two_register_power,
)
from bestfirst.search.grid_distances import grid_distances

#: Module, C++ program, what to call the instance, generator's parameters.
CASES: tuple[tuple[ModuleType, str, str, dict[str, Any]], ...] = (
    (bin_packing, "bin_packing", "18 items, triplets", {"items": 18, "capacity": 100_000, "triplets": True}),
    (bin_packing, "bin_packing", "21 items, triplets", {"items": 21, "capacity": 1000, "triplets": True}),
    (equal_sticks, "equal_sticks", "64 pieces, cut from 16 sticks", {"pieces": 64, "sticks": 16}),
    (equal_sticks, "equal_sticks", "64 pieces, one stick", {"pieces": 64, "one": True}),
    (subset_sum, "subset_sum_problem", "46 items below 2^31", {"items": 46, "heaviest": 2**31 - 1}),
    (
        subset_sum,
        "subset_sum_problem",
        "46 items below 9 × 10^7, the limit is no sum",
        {"items": 46, "heaviest": 90_000_000, "exact": False},
    ),
    (birthday_cake, "birthday_cake", "N near 20,000, M = 10", {"volume": 20_000, "layers": 10}),
    (birthday_cake, "birthday_cake", "N near 100,000, M = 10", {"volume": 100_000, "layers": 10}),
    (birthday_cake, "birthday_cake", "N near 1,000,000, M = 3", {"volume": 1_000_000, "layers": 3}),
    (reachability, "reachability", "30,000 vertices, 30,000 edges", {"vertices": 30_000, "edges": 30_000}),
    (reachability, "reachability", "20,000 vertices, 100,000 edges", {"vertices": 20_000, "edges": 100_000}),
    (grid_distance, "grid_distance", "1,000 × 1,000, 1,000 of 1", {"rows": 1000, "columns": 1000, "ones": 1000}),
    (circuit_repair, "circuit_repair", "500 × 500", {"rows": 500, "columns": 500}),
    (circuit_repair, "circuit_repair", "5,000 × 5,000", {"rows": 5000, "columns": 5000}),
    (
        circuit_repair,
        "circuit_repair",
        "5,000 × 5,000, 20 % backslashes",
        {"rows": 5000, "columns": 5000, "backslashes": 20},
    ),
    (cloud_drift, "cloud_drift", "365 days, 20 % feasts", {"days": 365, "feasts": 20, "solvable": True}),
    (cloud_drift, "cloud_drift", "100,000 days, no feast", {"days": 100_000, "feasts": 0}),
    (cloud_drift, "cloud_drift", "100,000 days, 20 % feasts", {"days": 100_000, "feasts": 20, "solvable": True}),
    (
        full_tank,
        "full_tank",
        "1,000 cities, 10,000 roads, C ≤ 100, 100 queries",
        {"cities": 1000, "roads": 10_000, "queries": 100, "capacity": 100, "longest": 100, "dearest": 100, "solvable": True},
    ),
    (
        full_tank,
        "full_tank",
        "1,000 cities, 3,000 roads up to 20, C ≤ 100, 100 queries",
        {"cities": 1000, "roads": 3000, "queries": 100, "capacity": 100, "longest": 20, "dearest": 100, "solvable": True},
    ),
    (
        full_tank,
        "full_tank",
        "10,000 cities, 30,000 roads, C ≤ 1,000, 20 queries",
        {"cities": 10_000, "roads": 30_000, "queries": 20, "capacity": 1000, "longest": 100, "dearest": 1000, "solvable": True},
    ),
    (
        full_tank,
        "full_tank",
        "10,000 cities, 30,000 roads up to 1,000, C ≤ 1,000, 5 queries",
        {"cities": 10_000, "roads": 30_000, "queries": 5, "capacity": 1000, "longest": 1000, "dearest": 1000, "solvable": True},
    ),
    (ghost_chase, "ghost_chase", "800 × 800, 20 % walls", {"rows": 800, "columns": 800}),
    (ghost_chase, "ghost_chase", "5,000 × 5,000, 20 % walls", {"rows": 5000, "columns": 5000}),
    (ghost_chase, "ghost_chase", "5,000 × 5,000, no way", {"rows": 5000, "columns": 5000, "walls": 0, "solvable": False}),
    (
        rolling_block,
        "rolling_block",
        "500 × 500, 5% holes, 10% fragile",
        {"rows": 500, "columns": 500, "holes": 12_500, "fragile": 25_000},
    ),
    (
        rolling_block,
        "rolling_block",
        "2,000 × 2,000, 5% holes, 10% fragile",
        {"rows": 2000, "columns": 2000, "holes": 200_000, "fragile": 400_000},
    ),
    (
        rolling_block_plane,
        "rolling_block_plane",
        "1,000,000 lines, coordinates to 10^9",
        {"lines": 1_000_000, "farthest": 10**9},
    ),
    (
        knight_distance,
        "knight_distance",
        "150 × 150, 20% blocked",
        {"rows": 150, "columns": 150, "blocked": 4500},
    ),
    (
        knight_distance,
        "knight_distance",
        "2,000 × 2,000, 20% blocked",
        {"rows": 2000, "columns": 2000, "blocked": 800_000},
    ),
    (milkweed, "milkweed", "100 × 100, 20% rock", {"rows": 100, "columns": 100, "rocks": 2000}),
    (milkweed, "milkweed", "2,000 × 2,000, 20% rock", {"rows": 2000, "columns": 2000, "rocks": 800_000}),
    (
        kth_walk,
        "kth_walk",
        "1,000 vertices, 10,000 edges, K = 1,000",
        {"vertices": 1000, "edges": 10_000, "longest": 1000, "k": 1000},
    ),
    (
        kth_walk,
        "kth_walk",
        "20,000 vertices, 100,000 edges, K = 100,000",
        {"vertices": 20_000, "edges": 100_000, "longest": 1000, "k": 100_000},
    ),
    (sliding_tiles, "sliding_tiles", "8-puzzle", {}),
    (sliding_tiles, "sliding_tiles", "15-puzzle", {"rows": 4, "columns": 4}),
    (book_sort, "book_sort", "15 books after 4 random moves", {"moves": 4}),
    (book_sort, "book_sort", "15 books after 5 random moves", {"moves": 5}),
    (two_register_power, "two_register_power", "P = 3973", {"least": 3973, "most": 3973}),
    (two_register_power, "two_register_power", "P = 19,531", {"least": 19_531, "most": 19_531}),
    (knight_shuffle, "knight_shuffle", "after 30 random jumps", {"jumps": 30}),
    (bus_schedules, "bus_schedules", "17 lines, at most 45 arrivals", {"lines": 17, "most": 45}),
    (missile_defence, "missile_defence", "50 heights, seed 1", {}),
    (missile_defence, "missile_defence", "50 of 20 heights", {"values": 20}),
    (square_breaking, "square_breaking", "full, n = 5", {"missing": 0}),
    (square_breaking, "square_breaking", "full, n = 7", {"size": 7, "missing": 0}),
    (square_breaking, "square_breaking", "n = 7, 7 missing", {"size": 7, "missing": 7}),
    (letter_sum, "letter_sum", "two words of 10 letters, base 10", {"unique": True}),
    (letter_sum, "letter_sum", "two words of 18 letters, base 18", {"base": 18, "unique": True}),
    (target_sudoku, "target_sudoku", "24 clues, 3,713 completions", {"clues": 24}),
    (target_sudoku, "target_sudoku", "20 clues, 432,044 completions", {"clues": 20}),
    (rotation_game, "rotation_game", "random board, layouts walked before", {}),
)


def run(data: pathlib.Path | None) -> list[Table]:
    rows = [[module.__name__.rpartition(".")[2].replace("_", "-"), name, *measured(module, program, parameters)]
            for module, program, name, parameters in CASES]  # fmt: skip
    notes = (
        "Instances of the generators (seed 1), milliseconds, the best of three. *Read*: from the judge format to an instance with"
        " everything checked. *Solve*: from the instance to the solution. *Write*: to the judge format. C++: straightforward"
        " programs as for a contest, g++ -O2, from the numbers read to the numbers to write; to be compared with *solve*. The outputs are equal."
        " Where C++ needs less than about half a millisecond it is ahead: a search costs that much in Python before it begins."
        " Reading and writing are Python, and slower than in C++."
    )
    columns = ["problem", "instance", "read", "solve", "write", "C++"]
    return [Table("Contest programs", notes, columns, rows), grid_table()]


def grid_table() -> Table:
    """Large grids as arrays: the library function beside SciPy and, with walls, C++."""
    rng = np.random.default_rng(1)
    rows = []
    for side, share in ((1000, 0.0), (1000, 0.25), (10_000, 0.0), (10_000, 0.25)):
        source = rng.random((side, side)) < 1e-4
        walls = (rng.random((side, side)) < share) & ~source if share else None
        ours = min(timed(lambda s=source, w=walls: grid_distances(s, w))[1] for _ in range(3))
        scipy_ms = cpp_ms = None
        if walls is None:
            found, seconds = min((timed(lambda s=source: by_scipy(s)) for _ in range(2)), key=lambda measured: measured[1])
            assert (found == grid_distances(source).distance).all()
            scipy_ms = 1000 * seconds
        path = compile_cpp("grid_distance", "-O2")
        if path is not None:
            letters = np.where(source, b"1", b"0" if walls is None else np.where(walls, b"#", b"0"))
            text = f"{side} {side}\n".encode() + b"\n".join(map(bytes, letters)) + b"\n"
            runs = [subprocess.run([path, "quiet"], input=text, capture_output=True, check=True) for _ in range(2)]
            cpp_ms = min(1000 * float(done.stderr) for done in runs)
        rows.append([f"{side:,} × {side:,}", f"{share:.0%}", 1000 * ours, scipy_ms, cpp_ms])
    notes = (
        "Distances to the nearest of random sources, one cell in 10,000, milliseconds, as NumPy arrays. SciPy:"
        ' `scipy.ndimage.distance_transform_cdt(metric="taxicab")`, which knows no walls. C++: a breadth-first search from all sources with'
        " `std::queue`, g++ -O2, reading left out."
    )
    return Table("Distances in a grid", notes, ["cells", "walls", "bestfirst", "scipy", "C++"], rows)


def by_scipy(source: np.ndarray) -> np.ndarray:
    return scipy.ndimage.distance_transform_cdt(~source, metric="taxicab")


def measured(module: ModuleType, program: str, parameters: dict[str, Any]) -> list[float | None]:
    text = module.write_instance(module.generate(1, **parameters))
    module.search(module.generate(1))  # compiles
    times = []
    for _ in range(3):
        (instance,), reading = timed(lambda: list(module.read(text)))
        solution, solving = timed(lambda instance=instance: module.search(instance))
        output, writing = timed(lambda i=instance, s=solution: module.write(module.answer(i, s)))
        times.append([1000 * reading, 1000 * solving, 1000 * writing])
    return [*map(min, zip(*times, strict=True)), in_cpp(program, text, output)]


def in_cpp(program: str, text: str, expected: str) -> float | None:
    """The best milliseconds of three runs; None without a compiler."""
    path = compile_cpp(program, "-O2")
    if path is None:
        return None
    runs = [subprocess.run([path], input=text, capture_output=True, text=True, check=True) for _ in range(3)]
    assert runs[0].stdout == expected, f"{program}: the outputs differ"
    return min(1000 * float(done.stderr) for done in runs)
