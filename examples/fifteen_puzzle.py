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

    distance: np.ndarray  # at tile × 16 + cell: moves that a tile needs at least from a cell to its home
    neighbour: np.ndarray  # at cell × 4 + move: the cell that the blank moves to, or EDGE

    move_names = ("up", "left", "right", "down")

    def apply(self, state, move):
        blank = state[16]
        cell = self.neighbour[blank * 4 + move]
        if cell == EDGE:
            return ILLEGAL
        state[blank] = state[cell]
        state[cell] = 0
        state[16] = cell
        return 1

    def is_goal(self, state):
        return self.lower_bound(state) == 0

    def lower_bound(self, state):
        total = 0
        for cell in range(16):
            total += self.distance[state[cell] * 16 + cell]
        return total

    # The rest only makes the search faster.

    def preview(self, state, move):
        blank = state[16]
        cell = self.neighbour[blank * 4 + move]
        if cell == EDGE:
            return ILLEGAL, 0
        tile = state[cell]
        return 1, self.distance[tile * 16 + blank] - self.distance[tile * 16 + cell]

    def undo(self, state, move):
        self.apply(state, self.inverse(move))

    def inverse(self, move):
        return 3 - move


def neighbours(side):
    """For each cell of a square board and each move the cell that the blank moves to, or EDGE."""
    cells = [(row, column) for row in range(side) for column in range(side)]
    around = [((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) for r, c in cells]
    return [[cells.index(to) if to in cells else EDGE for to in steps] for steps in around]


def puzzle():
    """The problem."""
    cells = [divmod(cell, 4) for cell in range(16)]
    distance = [[abs(r - hr) + abs(c - hc) for r, c in cells] for hr, hc in cells]
    distance[0] = [0] * 16  # the blank does not count
    return Tiles(np.array(distance, np.int64).ravel(), np.array(neighbours(4), np.uint8).ravel())


def board(tiles):
    """The state for these tiles, row by row."""
    return np.array([*tiles, tiles.index(0)], np.uint8)


if __name__ == "__main__":
    tiles = [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15]
    solution = bestfirst.solve(puzzle(), board(tiles))
    print(solution)
    print(solution.why)
    print(*solution.move_names)
