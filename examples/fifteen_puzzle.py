"""The 15-puzzle as a problem of one's own: the class a user writes, and a board to solve.

Run it: python examples/fifteen_puzzle.py
"""

from typing import NamedTuple

import numpy as np

import bestfirst
from bestfirst import ILLEGAL

EDGE = 255


@bestfirst.problem
class Tiles(NamedTuple):
    """Slide tiles until they lie in order, the blank (0) first. A state: the tile of each cell, then the blank's cell."""

    distance: np.ndarray  # (tiles, cells): moves that a tile needs at least from a cell to its home
    neighbour: np.ndarray  # (cells, moves): the cell that the blank moves to, or EDGE

    move_names = ("up", "left", "right", "down")

    def apply(self, state, move):
        blank = state[-1]
        cell = self.neighbour[blank, move]
        if cell == EDGE:
            return ILLEGAL
        state[blank] = state[cell]
        state[cell] = 0
        state[-1] = cell
        return 1

    def is_goal(self, state):
        return self.lower_bound(state) == 0

    def lower_bound(self, state):
        total = 0
        for cell in range(len(state) - 1):
            total += self.distance[state[cell], cell]
        return total

    # The rest only makes the search faster.

    def preview(self, state, move):
        blank = state[-1]
        cell = self.neighbour[blank, move]
        if cell == EDGE:
            return ILLEGAL, 0
        tile = state[cell]
        return 1, self.distance[tile, blank] - self.distance[tile, cell]

    def undo(self, state, move):
        self.apply(state, self.inverse(move))

    def inverse(self, move):
        return 3 - move


def puzzle(rows, columns):
    """The problem for a board of this size."""
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    distance = [[abs(r - hr) + abs(c - hc) for r, c in cells] for hr, hc in cells]
    distance[0] = [0] * len(cells)  # the blank does not count
    neighbour = [
        [cells.index(to) if to in cells else EDGE for to in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))] for r, c in cells
    ]
    return Tiles(np.array(distance, np.int64), np.array(neighbour, np.uint8))


def board(tiles):
    """The state for these tiles, row by row."""
    return np.array([*tiles, tiles.index(0)], np.uint8)


if __name__ == "__main__":
    tiles = [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15]
    solution = bestfirst.solve(puzzle(4, 4), board(tiles))
    print(solution)
    print(solution.why)
    print(*solution.move_names)
