"""Problems of the catalogue at contest size and beyond, from text to text, beside textbook C++ programs."""

from __future__ import annotations

import pathlib
import subprocess
from types import ModuleType
from typing import Any

from benchmarks.report import Table, compile_cpp, timed
from bestfirst.catalogue import kth_walk, reachability

#: Module, C++ program, what to call the instance, generator's parameters.
CASES: tuple[tuple[ModuleType, str, str, dict[str, Any]], ...] = (
    (reachability, "reachability", "30,000 vertices, 30,000 edges", {"vertices": 30_000, "edges": 30_000}),
    (reachability, "reachability", "20,000 vertices, 100,000 edges", {"vertices": 20_000, "edges": 100_000}),
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
)


def run(data: pathlib.Path | None) -> list[Table]:
    rows = [[module.__name__.rpartition(".")[2].replace("_", "-"), name, *measured(module, program, parameters)]
            for module, program, name, parameters in CASES]  # fmt: skip
    notes = (
        "Instances of the generators (seed 1), milliseconds, the best of three. *Read*: from the judge format to an instance with"
        " everything checked. *Solve*: from the instance to the solution. *Write*: to the judge format. C++: straightforward"
        " programs as for a contest, g++ -O2, from the numbers read to the numbers to write; to be compared with *solve*. The outputs are equal."
    )
    columns = ["problem", "instance", "read", "solve", "write", "C++"]
    return [Table("Contest programs", notes, columns, rows)]


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
