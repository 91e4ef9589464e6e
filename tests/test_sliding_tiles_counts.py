"""Node counts that the literature gives for sliding tiles must come out exactly."""

import numpy as np
import pytest

import bestfirst
from bestfirst import Status
from problems import PlainTiles, Tiles, tiles

# R. E. Korf, Artificial Intelligence 27 (1985) 97-109, instances 12 and 19: tiles in rows, optimal length, nodes generated
# by IDA* with Manhattan distance over all iterations, the root included; goal 0 … 15, the blank moves up, left, right, down,
# never straight back.
KORF = [
    ("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", 45, 546_344),
    ("7 11 8 3 14 0 6 15 1 4 13 9 5 12 2 10", 46, 1_280_495),
]


@pytest.mark.parametrize(("cells", "length", "nodes"), KORF)
def test_ida_star_generates_the_published_number_of_nodes(cells, length, nodes):
    cells = [int(cell) for cell in cells.split()]
    solution = bestfirst.ida_star(tiles(4, 4), np.array([*cells, cells.index(0)], np.int8))
    assert (solution.status, solution.cost, len(solution.moves)) == (Status.OPTIMAL, length, length)
    assert solution.stats.generated == nodes


@pytest.mark.parametrize("kind", [Tiles, PlainTiles])
def test_breadth_first_sees_the_whole_8_puzzle(kind):
    # 9!/2 states (P. D. A. Schofield, Machine Intelligence 1, 1967); with two tiles swapped no goal is in reach.
    solution = bestfirst.breadth_first(tiles(3, 3, kind), np.array([0, 2, 1, 3, 4, 5, 6, 7, 8, 0], np.int8))
    assert solution.status is Status.INFEASIBLE
    assert solution.stats.expanded == 181_440


def test_the_hardest_8_puzzles_take_31_moves():
    for text in ("8 7 6 0 4 1 2 5 3", "8 0 6 5 4 7 2 3 1"):
        cells = [int(cell) for cell in text.split()]
        start = np.array([*cells, cells.index(0)], np.int8)
        for engine in (bestfirst.breadth_first, bestfirst.ida_star, bestfirst.a_star):
            assert engine(tiles(3, 3), start).cost == 31
