"""Addition chains: numbers of contest size and larger ones, and all lengths up to 8,192, beside a textbook C++ program."""

from __future__ import annotations

import pathlib
import subprocess
from typing import Any

from benchmarks.report import Table, compile_cpp, timed
from bestfirst.catalogue import addition_chain

#: Numbers to be reached; the second of each pair says whether the C++ program ends within minutes.
CASES = (
    ("all to 100", range(1, 101), True),
    ("127, 191, 379", (127, 191, 379), True),
    ("607, 1087", (607, 1087), True),
    ("ten hard ones to 10,000", (7612, 9399, 9837, 6271, 7675, 8719, 9787, 9899, 5709, 5907), False),
    ("100,003", (100_003,), False),
    ("1,000,003", (1_000_003,), False),
    ("1,048,573", (1_048_573,), False),
)


def run(data: pathlib.Path | None) -> list[Table]:
    addition_chain.search(addition_chain.Instance(n=1000))  # compiles
    rows = [[name, *measured(numbers, in_cpp)] for name, numbers, in_cpp in CASES]
    rows.append(["lengths of all to 8,192", None, None, timed(lambda: addition_chain.lengths(8192))[1], None])
    notes = (
        "Seconds for all numbers of a row together, one after another. C++: iterative deepening from the logarithm up, larger sums first, no"
        " sum twice, a cut where doubling falls short, g++ -O2 (– where it takes more than minutes)."
    )
    return [Table("Addition chains", notes, ["numbers", "longest", "generated", "bestfirst", "C++"], rows)]


def measured(numbers: Any, has_time: bool) -> list[Any]:
    solutions, seconds = timed(lambda: [addition_chain.search(addition_chain.Instance(n=n)) for n in numbers])
    lengths = [solution.cost for solution in solutions]
    cpp = in_cpp(numbers, lengths) if has_time else None
    return [max(lengths), sum(solution.stats.generated for solution in solutions), seconds, cpp]


def in_cpp(numbers: Any, lengths: list[int]) -> float | None:
    """Seconds; None without a compiler."""
    path = compile_cpp("addition_chain", "-O2")
    if path is None:
        return None
    text = "".join(f"{n}\n" for n in (*numbers, 0))
    done = subprocess.run([path], input=text, capture_output=True, text=True, check=True)
    assert [len(line.split()) - 1 for line in done.stdout.splitlines()] == lengths, "addition_chain: the lengths differ"
    return float(done.stderr)
