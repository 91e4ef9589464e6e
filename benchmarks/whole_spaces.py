"""Whole spaces with numbered states: time and bytes a state."""

from __future__ import annotations

import pathlib

from examples.pocket_cube import cube, solved

import bestfirst
from benchmarks.report import Table

STATES = 3_674_160


def run(data: pathlib.Path | None) -> list[Table]:
    rows = []
    for name, turns in (("half and quarter turns", 3), ("quarter turns", 2)):
        for function in (bestfirst.explore, bestfirst.distance_table):
            function(cube(turns), solved(), limits=bestfirst.Limits(nodes=1000))
            found = function(cube(turns), solved())
            s = found.stats
            assert found.total == STATES
            depth = len(found.counts) - 1
            rows.append(
                [f"{function.__name__}, {name}", depth, s.generated, s.seconds, STATES / s.seconds / 1e6, s.peak_bytes / STATES]
            )
    notes = f"All {STATES:,} positions of the 2×2×2 cube (`examples/pocket_cube.py`), on one thread."
    columns = ["function", "depth", "moves tried", "seconds", "M states/s", "bytes a state"]
    return [Table("Whole spaces", notes, columns, rows)]
