"""The 15-puzzle with additive pattern databases: what they cost and what they save."""

from __future__ import annotations

import pathlib
from typing import Any

from examples import fifteen_puzzle, fifteen_puzzle_patterns

import bestfirst
from benchmarks.fifteen_puzzle import instances
from benchmarks.report import Table
from bestfirst.kernel.fingerprint import fingerprint

WORK = pathlib.Path(__file__).parent / "work"

PARTS = {
    "5-5-5": ([1, 2, 3, 4, 5], [6, 7, 8, 9, 12], [10, 11, 13, 14, 15]),
    "6-6-3": ([1, 4, 5, 8, 9, 12], [6, 7, 10, 11, 14, 15], [2, 3, 13]),
    "7-8": ([9, 10, 11, 12, 13, 14, 15], [1, 2, 3, 4, 5, 6, 7, 8]),
}


def run(data: pathlib.Path | None) -> list[Table]:
    sets = {name: [database(tiles) for tiles in parts] for name, parts in PARTS.items()}
    return [tables(sets), solving(sets, data)]


def database(tiles: list[int]) -> bestfirst.PatternDatabase:
    """The table of some tiles; the large ones are kept in a file."""
    if len(tiles) < 7:
        fifteen_puzzle_patterns.database(tiles[:2])  # compiles
        return fifteen_puzzle_patterns.database(tiles)
    pattern = fifteen_puzzle_patterns.pattern(tiles)
    path = WORK / f"tiles-{fingerprint(type(pattern), *pattern)[:16]}.pdb"
    if not path.exists():
        WORK.mkdir(exist_ok=True)
        fifteen_puzzle_patterns.database(tiles).save(path)
    return bestfirst.load_pattern_database(path, pattern)


def tables(sets: dict[str, list[bestfirst.PatternDatabase]]) -> Table:
    rows = []
    for name, parts in sets.items():
        for part in parts:
            s = part.stats
            size = len(part.bound.pattern.tiles)
            rows.append(
                [name, size, s.expanded, s.generated, part.bytes, s.peak_bytes / 2**20, s.seconds, s.generated / s.seconds / 1e6]
            )
    notes = (
        "Made by the generic `bestfirst.pattern_database` from the pattern in `examples/fifteen_puzzle_patterns.py`, on one thread. A state"
        " is the cells of the tiles and the region of the blank; the table keeps, for the cells alone, the least cost over the regions."
    )
    columns = ["set", "tiles", "states", "moves tried", "table bytes", "peak MiB", "seconds", "M moves/s"]
    return Table("15-puzzle pattern databases: making them", notes, columns, rows)


def solving(sets: dict[str, list[bestfirst.PatternDatabase]], data: pathlib.Path | None) -> Table:
    file = None if data is None else data / "sliding-tiles" / "korf15_first40.txt"
    boards = published(file) if file is not None and file.exists() else instances()
    rows: list[list[Any]] = []
    for name, parts in sets.items():
        puzzle = fifteen_puzzle_patterns.puzzle(bestfirst.additive(*parts))
        bestfirst.ida_star(puzzle, fifteen_puzzle_patterns.board(list(range(16))))
        nodes, seconds = 0, 0.0
        for number, length, _, tiles in boards:
            solution = bestfirst.ida_star(puzzle, fifteen_puzzle_patterns.board(tiles))
            assert solution.cost == length, f"board {number}: {solution.cost}, not {length}"
            nodes += solution.stats.generated
            seconds += solution.stats.seconds
        rows.append(
            [name, sum(part.bytes for part in parts), nodes, seconds, seconds / len(boards) * 1000, nodes / seconds / 1e6]
        )
    plain = fifteen_puzzle.puzzle()
    first = min(boards, key=lambda board: board[2])
    bestfirst.ida_star(plain, fifteen_puzzle.board(list(range(16))))
    easy = bestfirst.ida_star(plain, fifteen_puzzle.board(first[3]))
    assert easy.stats.generated == first[2]
    rows.append(["Manhattan distance (published nodes)", 0, sum(board[2] for board in boards), None, None, None])
    notes = (
        f"IDA* on {len(boards)} of Korf's hundred random boards (R. E. Korf 1985), all lengths as published. Another solver, with its own 7-8"
        " databases, a reflected look-up and code for this puzzle alone, reports 4.6 ms a board on its machine: it is faster."
    )
    columns = ["databases", "bytes", "nodes", "seconds", "ms a board", "M nodes/s"]
    return Table("15-puzzle pattern databases: IDA*", notes, columns, rows)


def published(file: pathlib.Path) -> list[tuple[int, int, int, list[int]]]:
    """Number, length, nodes and tiles of the boards of a file."""
    boards = []
    for line in file.read_text().splitlines():
        if not line.startswith("#"):
            head, _, tiles = line.partition("|")
            number, _, length, nodes = map(int, head.split())
            boards.append((number, length, nodes, [int(tile) for tile in tiles.split()]))
    return boards
