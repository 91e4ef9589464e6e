"""All exact covers of well-known problems, beside dancing links in C++ and the package xcover."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Hashable
from itertools import chain
from typing import Any

from tests import exact_covers

import bestfirst
from benchmarks.report import Table, compile_cpp, timed


def run(data: pathlib.Path | None) -> list[Table]:
    program = compile_cpp("exact_cover", "-O2")
    queens, diagonals = exact_covers.queens(12)
    rows: list[list[Any]] = []
    for name, options, secondary, known in (
        ("6 × 10 pentominoes", exact_covers.pentominoes(6, 10), (), 9356),
        ("12 queens", queens, diagonals, 14_200),
        ("Latin squares of order 5", exact_covers.latin_square(5), (), 161_280),
        ("Langford pairs, n = 12", exact_covers.langford(12), (), 216_288),
        ("dominoes, 6 × 8", exact_covers.dominoes(6, 8), (), 167_089),
    ):
        bestfirst.count_exact_covers(options, secondary=secondary, limits=bestfirst.Limits(nodes=100))
        solution, counting = timed(lambda o=options, s=secondary: bestfirst.count_exact_covers(o, secondary=s))
        listed, listing = timed(lambda o=options, s=secondary: sum(1 for _ in bestfirst.exact_covers(o, secondary=s)))
        assert solution.count == listed == known
        peer = _xcover(options, secondary, known)
        nodes, cpp = _cpp(program, options, secondary, known) if program else (None, None)
        assert nodes in (None, solution.stats.generated)
        kernel = solution.why.partition(":")[0]
        rows.append(
            [name, known, solution.stats.generated, kernel, counting, listing, peer, cpp, cpp / counting if cpp else None]
        )
    notes = (
        "Seconds, warm, reading the input included (not for C++). Count: `count_exact_covers`; list: all covers through the iterator"
        " `exact_covers`. xcover 0.2 (`covers`, all covers through its iterator) is the Python package of the field, in Numba as well. The"
        " C++ program is `benchmarks/cpp/exact_cover.cpp`, g++ -O2; it walks the same tree, node for node. Ratio: its time over ours"
        " for counting; where it is below 1 the C++ program is faster."
    )
    columns = ["problem", "covers", "nodes", "kernel", "count s", "list s", "xcover s", "C++ s", "ratio to C++"]
    return [Table("Exact cover", notes, columns, rows)]


def _xcover(options: list[list[Hashable]], secondary: Any, known: int) -> float | None:
    try:
        from xcover import covers
    except ImportError:
        return None
    count, seconds = timed(lambda: sum(1 for _ in covers(options, secondary=list(dict.fromkeys(secondary)))))
    assert count == known
    return seconds


def _cpp(program: pathlib.Path, options: list[list[Hashable]], secondary: Any, known: int) -> tuple[int, float]:
    optional = set(secondary)
    items = dict.fromkeys(item for item in chain.from_iterable(options) if item not in optional)
    number = {item: i for i, item in enumerate(chain(items, dict.fromkeys(secondary)))}
    lines = [f"{len(options)} {len(number)} {len(items)}"]
    lines += [" ".join(map(str, [len(option), *(number[item] for item in option)])) for option in options]
    output = subprocess.run([program], input="\n".join(lines), capture_output=True, text=True, check=True).stdout.split()
    assert int(output[0]) == known
    return int(output[1]), float(output[2])
