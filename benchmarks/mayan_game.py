"""The Mayan game: full boards with five moves, most of which have no solution, so that everything must be refuted."""

from __future__ import annotations

import pathlib
import statistics

from benchmarks.report import Table, timed
from bestfirst.catalogue import mayan_game


def run(data: pathlib.Path | None) -> list[Table]:
    rows = []
    for colours in (3, 4, 5, 6, 8, 10):
        boards = [mayan_game.generate(seed, n=5, colours=colours, blocks=35) for seed in range(10)]
        mayan_game.search(boards[0])
        runs = [timed(lambda board=board: mayan_game.search(board)) for board in boards]
        solved = sum(solution.status == "optimal" for solution, _ in runs)
        times = [seconds for _, seconds in runs]
        nodes = round(statistics.mean(solution.stats.generated for solution, _ in runs))
        rows.append([colours, len(boards), solved, statistics.mean(times), max(times), nodes])
    notes = "Ten full boards of 5 × 7 blocks for each number of colours (generator, seeds 0 … 9), n = 5, no run of three at the start."
    columns = ["colours", "boards", "of them solvable", "seconds, mean", "seconds, max", "generated, mean"]
    return [Table("Mayan game, full boards, five moves", notes, columns, rows)]
