"""Push-box: contest boards and larger ones, from text to text, beside a textbook C++ program."""

from __future__ import annotations

import pathlib
import subprocess
from typing import Any

from benchmarks.report import Table, compile_cpp, timed
from bestfirst.catalogue import push_box

#: Rows, columns, walls, boards (seeds 1, 2, …), only solvable ones, whether the C++ program is asked too.
SETS = (
    (20, 20, 60, 1000, False, True),
    (20, 20, 60, 100, True, True),
    (200, 200, 4000, 1, True, True),
    (200, 200, 8000, 1, True, True),
    (1000, 1000, 100_000, 1, True, False),
    (2000, 2000, 400_000, 1, True, False),
)


def run(data: pathlib.Path | None) -> list[Table]:
    push_box.search(push_box.generate(1))  # compiles
    rows: list[list[Any]] = []
    for height, width, walls, count, solvable, with_cpp in SETS:
        wanted = {"rows": height, "columns": width, "walls": walls, "solvable": True if solvable else None}
        boards = [push_box.generate(seed, **wanted) for seed in range(1, count + 1)]
        name = f"{height:,} × {width:,}, {walls:,} walls{', solvable' if solvable else ''}"
        rows.append([name, count, *measured(boards, with_cpp)])
    notes = (
        "Random boards of the generator, milliseconds for the whole set, the best of three. *Read*: from the judge format to instances with everything"
        " checked. *Solve*: to the solutions. *Write*: to the judge format. C++: breadth-first over the box and the side of the man, with a"
        " search of the man for every state that stops when all sides are met, g++ -O2, reading and writing left out: to be compared with *solve*."
        " The outputs are equal. The largest boards would take the C++ program hours, and were left out."
    )
    columns = ["boards", "number", "pushes, most", "moves, most", "read", "solve", "write", "C++"]
    return [Table("Push-box", notes, columns, rows)]


def measured(boards: list[push_box.Instance], with_cpp: bool) -> list[Any]:
    text = "".join(map(push_box.write_instance, boards)) + "0 0\n"
    times = []
    for _ in range(3):
        instances, reading = timed(lambda: list(push_box.read(text)))
        solutions, solving = timed(lambda i=instances: [push_box.search(instance) for instance in i])
        output, writing = timed(lambda i=instances, s=solutions: written(i, s))
        times.append([1000 * reading, 1000 * solving, 1000 * writing])
    pushes = max(solution.cost or 0 for solution in solutions)
    moves = max(len(solution.moves or ()) for solution in solutions)
    return [pushes, moves, *map(min, zip(*times, strict=True)), in_cpp(text, output) if with_cpp else None]


def written(instances: list[push_box.Instance], solutions: list[Any]) -> str:
    pairs = enumerate(zip(instances, solutions, strict=True), 1)
    return "".join(push_box.write(push_box.answer(instance, solution), case) for case, (instance, solution) in pairs)


def in_cpp(text: str, expected: str) -> float | None:
    """The best milliseconds of three runs; None without a compiler."""
    path = compile_cpp("push_box", "-O2")
    if path is None:
        return None
    runs = [subprocess.run([path], input=text, capture_output=True, text=True, check=True) for _ in range(3)]
    assert runs[0].stdout == expected, "push_box: the outputs differ"
    return min(1000 * float(done.stderr) for done in runs)
