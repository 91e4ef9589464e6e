"""All 181,440 positions of the 8-puzzle: time and bytes a state, beside a C++ program with std::unordered_map."""

from __future__ import annotations

import pathlib
import subprocess
from typing import Any, NamedTuple

import numpy as np
from examples.fifteen_puzzle import EDGE, board, neighbours

import bestfirst
from benchmarks.report import Table, compile_cpp, timed
from bestfirst import ILLEGAL

STATES, DEPTH = 181_440, 31


@bestfirst.problem(state=int)
class PackedEight(NamedTuple):
    """The 8-puzzle in one integer, four bits a cell, the blank's cell above them; without a goal, so that all is searched."""

    neighbour: np.ndarray

    move_names = ("up", "left", "right", "down")

    def apply(self, state: Any, move: Any) -> Any:
        blank = state >> 36
        cell = np.int64(self.neighbour[blank, move])
        if cell == EDGE:
            return state, ILLEGAL
        tile = (state >> (4 * cell)) & 15
        tiles = (state & 0xFFFFFFFFF) ^ (tile << (4 * cell)) | (tile << (4 * blank))
        return (cell << 36) | tiles, 1

    def is_goal(self, state: Any) -> bool:
        return False


@bestfirst.problem
class ArrayEight(NamedTuple):
    """The same with a state of bytes, as in `examples/fifteen_puzzle.py`."""

    neighbour: np.ndarray

    move_names = ("up", "left", "right", "down")

    def apply(self, state: Any, move: Any) -> Any:
        blank = state[-1]
        cell = self.neighbour[blank, move]
        if cell == EDGE:
            return ILLEGAL
        state[blank] = state[cell]
        state[cell] = 0
        state[-1] = cell
        return 1

    def is_goal(self, state: Any) -> bool:
        return False


def run(data: pathlib.Path | None) -> list[Table]:
    neighbour = np.array(neighbours(3), np.uint8)
    packed = sum(tile << (4 * cell) for cell, tile in enumerate(range(9)))
    rows: list[list[Any]] = []
    for engine in (bestfirst.breadth_first, bestfirst.a_star):
        for name, problem, start in (
            ("integer states", PackedEight(neighbour), packed),
            ("array states", ArrayEight(neighbour), board(list(range(9)))),
        ):
            engine(problem, start)
            solution, seconds = min((timed(lambda e=engine, p=problem, s=start: e(p, s)) for _ in range(5)), key=lambda r: r[1])
            assert solution.status == "infeasible"
            assert solution.stats.expanded == STATES
            rows.append(
                [f"{engine.__name__}, {name}", solution.stats.expanded, seconds * 1000, solution.stats.peak_bytes / STATES]
            )
    program = compile_cpp("eight_puzzle")
    if program:
        outputs = [subprocess.run([program], capture_output=True, text=True, check=True).stdout.split() for _ in range(5)]
        states, depth, _, size = outputs[0]
        assert (int(states), int(depth)) == (STATES, DEPTH)
        rows.append(["C++ std::unordered_map, breadth-first", STATES, min(float(o[2]) for o in outputs) * 1000, float(size)])
    notes = (
        "Best of five. Bytes are the peak of all arrays (for C++: of all heap blocks) over the number of states; ours include the room"
        " left for growth. The peer is `benchmarks/cpp/eight_puzzle.cpp`."
    )
    return [Table("The whole 8-puzzle", notes, ["program", "states", "milliseconds", "bytes a state"], rows)]
