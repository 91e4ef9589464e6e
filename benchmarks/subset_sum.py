"""Subset sum beside the textbook's meet in the middle in C++."""

from __future__ import annotations

import pathlib
import random
import subprocess
from typing import Any

import bestfirst
from benchmarks.report import Table, compile_cpp, timed


def run(data: pathlib.Path | None) -> list[Table]:
    rng = random.Random(1)
    program = compile_cpp("subset_sum", "-O2")
    rows: list[list[Any]] = []
    for name, numbers in (
        ("40 numbers below 2^31", [rng.randrange(1, 1 << 31) for _ in range(40)]),
        ("46 numbers below 2^31", [rng.randrange(1, 1 << 31) for _ in range(46)]),
        ("46 numbers of 55 bits, no hit", [rng.randrange(1 << 50, 1 << 55) for _ in range(46)]),
        ("50 numbers of 55 bits, no hit", [rng.randrange(1 << 50, 1 << 55) for _ in range(50)]),
        ("46 numbers below 10^6", [rng.randrange(1, 10**6) for _ in range(46)]),
        ("100,000 numbers below 1,000", [rng.randrange(1, 1000) for _ in range(100_000)]),
    ):
        target = sum(numbers) // 2
        solution, seconds = min(
            (timed(lambda n=numbers, t=target: bestfirst.subset_sum(n, t)) for _ in range(4)), key=lambda r: r[1]
        )
        assert solution.status == "optimal"
        cpp = _cpp(program, numbers, target, target - solution.cost) if program and len(numbers) <= 50 else None
        method = solution.why.partition(":")[0]
        rows.append([name, method, solution.stats.peak_bytes / 2**20, seconds, cpp, cpp / seconds if cpp else None])
    notes = (
        "The largest sum up to half of the total, with the subset, proved. Best of four for us, of three for C++; the C++ program is"
        " `benchmarks/cpp/subset_sum.cpp` (both halves sorted with std::sort, two pointers), g++ -O2; it gives the sum only. Ratio: its"
        " time over ours. Where it cannot hold its lists its column is empty."
    )
    columns = ["numbers", "method", "MiB", "seconds", "C++ s", "ratio to C++"]
    return [Table("Subset sum", notes, columns, rows)]


def _cpp(program: pathlib.Path, numbers: list[int], target: int, known: int) -> float:
    text = " ".join(map(str, [len(numbers), target, *numbers]))
    outputs = [subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.split() for _ in range(3)]
    assert int(outputs[0][0]) == known
    return min(float(output[1]) for output in outputs)
