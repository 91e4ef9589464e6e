"""The 8-puzzle, drawn: slide tiles until they lie in order. A whole space small enough to know everything about.

Run it: python examples/eight_puzzle.py (writes eight_puzzle.svg)

Of the 9! = 362,880 arrangements half, 181,440, can be reached; the two farthest are 31 moves away
(P. D. A. Schofield, Complete solution of the eight puzzle, Machine Intelligence 1, 1967).
"""

from typing import NamedTuple

import numpy as np

import bestfirst
from bestfirst import ILLEGAL

SIDE = 3


@bestfirst.problem
class EightPuzzle(NamedTuple):
    """A state: the tile in each cell, row by row, 0 for the blank."""

    unit: int  # pixels a cell, in the picture

    move_names = ("up", "left", "right", "down")  # of the blank

    def apply(self, state, move):
        blank = 0
        while state[blank] != 0:
            blank += 1
        row, column = blank // SIDE, blank % SIDE
        if move == 0:
            row -= 1
        elif move == 1:
            column -= 1
        elif move == 2:
            column += 1
        else:
            row += 1
        if row < 0 or row == SIDE or column < 0 or column == SIDE:
            return ILLEGAL
        cell = row * SIDE + column
        state[blank] = state[cell]
        state[cell] = 0
        return 1

    def inverse(self, move):
        return 3 - move

    def is_goal(self, state):
        for cell in range(SIDE * SIDE):
            if state[cell] != cell:
                return False
        return True

    def lower_bound(self, state):
        """Each tile slides at least as many cells as it is from home (the Manhattan distance)."""
        total = 0
        for cell in range(SIDE * SIDE):
            tile = state[cell]
            if tile != 0:
                total += abs(tile // SIDE - cell // SIDE) + abs(tile % SIDE - cell % SIDE)
        return total

    def draw(self, state):
        size = SIDE * self.unit
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}"><rect width="{size}" height="{size}"/>']
        for cell, tile in enumerate(state):
            if tile != 0:
                x, y = cell % SIDE * self.unit, cell // SIDE * self.unit
                parts.append(f'<rect x="{x + 1}" y="{y + 1}" width="{self.unit - 2}" height="{self.unit - 2}" fill="#f0e0b0"/>')
                middle = f'x="{x + self.unit / 2}" y="{y + self.unit / 2}"'
                parts.append(f'<text {middle} text-anchor="middle" dominant-baseline="central">{tile}</text>')
        return "".join(parts) + "</svg>"


def board(tiles):
    """The state for a board written as digits, row by row."""
    return np.array([int(tile) for tile in tiles], np.int8)


HARDEST = board("876041253"), board("806547231")  # the two at distance 31


if __name__ == "__main__":
    solution = bestfirst.solve(EightPuzzle(24), HARDEST[1])
    print(solution)
    bestfirst.save_svg(solution, "eight_puzzle.svg")
    print(bestfirst.explore(EightPuzzle(24), board("012345678")).counts)
