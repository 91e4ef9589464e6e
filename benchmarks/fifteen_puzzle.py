"""The generic compiled IDA* on a 15-puzzle written as a user writes it, beside C++ and beside Python libraries."""

from __future__ import annotations

import pathlib
import random
import subprocess
from typing import Any

import simpleai.search
from examples.fifteen_puzzle import board, puzzle

import bestfirst
from benchmarks.report import Table, compile_cpp, timed
from bestfirst import plain

INSTANCES = pathlib.Path(__file__).parent / "korf_1985.txt"

_STEPS = {"up": -4, "left": -1, "right": 1, "down": 4}
_GOAL = tuple(range(16))


def instances() -> list[tuple[int, int, int, list[int]]]:
    """Number, length, nodes and tiles of the published boards."""
    lines = [line.split("|") for line in INSTANCES.read_text().splitlines() if not line.startswith("#")]
    return [(int(n), int(length), int(nodes), list(map(int, tiles.split()))) for n, length, nodes, tiles in lines]


def run(data: pathlib.Path | None) -> list[Table]:
    return [beside_cpp(), beside_python()]


def beside_cpp() -> Table:
    programs = [compile_cpp("fifteen_puzzle"), compile_cpp("fifteen_puzzle", "-march=native")]
    problem = puzzle()
    bestfirst.ida_star(problem, board(list(_GOAL)))
    rows: list[list[Any]] = []
    for number, length, nodes, tiles in instances():
        solution = bestfirst.ida_star(problem, board(tiles))
        assert (solution.cost, solution.stats.generated) == (length, nodes), f"instance {number}: not the published count"
        times = [_cpp_seconds(program, tiles, length, nodes) for program in programs]
        rows.append(_row(number, length, nodes, solution.stats.seconds, *times))
    totals = [sum(row[column] for row in rows) if rows[0][column] is not None else None for column in (2, 3, 4, 5)]
    rows.append(_row("all", "", *totals))
    notes = (
        "The first ten of Korf's hundred random boards (R. E. Korf 1985). The problem is `examples/fifteen_puzzle.py`, the engine the"
        " generic `bestfirst.ida_star`; the peer is `benchmarks/cpp/fifteen_puzzle.cpp`, a recursive IDA* with the Manhattan distance kept"
        " up to date, compiled by g++ -O3, and by g++ -O3 -march=native. Both know the sizes of the board as constants."
        " Nodes equal the published counts exactly, in all. Ratio: our nodes per second over those of C++; where it is below 1 the"
        " C++ program is faster."
    )
    columns = ["board", "moves", "nodes", "bestfirst s", "C++ s", "native s", "bestfirst M nodes/s", "ratio to C++", "to native"]
    return Table("IDA* on the 15-puzzle, beside C++", notes, columns, rows)


def _cpp_seconds(program: pathlib.Path | None, tiles: list[int], length: int, nodes: int) -> float | None:
    if program is None:
        return None
    output = subprocess.run([program, *map(str, tiles)], capture_output=True, text=True, check=True).stdout.split()
    assert (int(output[0]), int(output[1])) == (length, nodes)
    return float(output[2])


def _row(name: Any, length: Any, nodes: int, ours: float, *peers: float | None) -> list[Any]:
    return [name, length, nodes, ours, *peers, nodes / ours / 1e6, *(None if peer is None else peer / ours for peer in peers)]


def beside_python() -> Table:
    random_ = random.Random(1)
    boards = [_walk(random_, 60) for _ in range(5)]
    problem = puzzle()
    ways = {
        "bestfirst.ida_star, compiled": lambda tiles: bestfirst.ida_star(problem, board(list(tiles))),
        "bestfirst.a_star, compiled": lambda tiles: bestfirst.a_star(problem, board(list(tiles))),
        "bestfirst.plain.ida_star": lambda tiles: plain.ida_star(tiles, _successors, _is_goal, _distance),
        "bestfirst.plain.a_star": lambda tiles: plain.a_star(tiles, _successors, _is_goal, _distance),
    }
    rows: list[list[Any]] = []
    costs: list[int | None] = []
    for name, solve in ways.items():
        solve(_GOAL)
        solutions, seconds = timed(lambda solve=solve: [solve(tiles) for tiles in boards])
        costs = [solution.cost for solution in solutions]
        nodes = sum(solution.stats.generated for solution in solutions)
        rows.append([name, sum(c or 0 for c in costs), nodes, seconds, nodes / seconds])
    results, seconds = timed(lambda: [simpleai.search.astar(_SimpleAI(tiles), graph_search=True) for tiles in boards])
    assert [result.cost for result in results] == costs
    rows.append(["simpleai astar", sum(costs), None, seconds, None])
    notes = (
        "Five boards made by random walks of 60 moves from the goal (seed 1), the same rules and bound each time; simpleai does not report"
        " nodes. All find the same optimal lengths."
    )
    return Table(
        "The 15-puzzle in Python", notes, ["engine", "moves in all", "generated nodes", "seconds", "nodes per second"], rows
    )


def _walk(random_: random.Random, length: int) -> tuple[int, ...]:
    tiles = _GOAL
    for _ in range(length):
        tiles = random_.choice([child for _, child, _ in _successors(tiles)])
    return tiles


def _successors(tiles: tuple[int, ...]) -> list[tuple[str, tuple[int, ...], int]]:
    blank = tiles.index(0)
    row, column = divmod(blank, 4)
    found = []
    for move, allowed in (("up", row > 0), ("left", column > 0), ("right", column < 3), ("down", row < 3)):
        if allowed:
            child = list(tiles)
            cell = blank + _STEPS[move]
            child[blank], child[cell] = child[cell], 0
            found.append((move, tuple(child), 1))
    return found


def _is_goal(tiles: tuple[int, ...]) -> bool:
    return tiles == _GOAL


def _distance(tiles: tuple[int, ...]) -> int:
    return sum(abs(t // 4 - cell // 4) + abs(t % 4 - cell % 4) for cell, t in enumerate(tiles) if t)


class _SimpleAI(simpleai.search.SearchProblem):  # type: ignore[misc]
    def actions(self, state: Any) -> list[Any]:
        return [(move, child) for move, child, _ in _successors(state)]

    def result(self, state: Any, action: Any) -> Any:
        return action[1]

    def is_goal(self, state: Any) -> bool:
        return _is_goal(state)

    def cost(self, state: Any, action: Any, state2: Any) -> int:
        return 1

    def heuristic(self, state: Any) -> int:
        return _distance(state)
