"""Peg solitaire: a peg jumps over its neighbour into an empty hole, and the neighbour is taken out; leave a single peg.

Run it: python examples/peg_solitaire.py

Jumps in a row by one peg count as one move. The fewest moves on the triangle with 4, 5, 6 holes a side, with any hole empty at
first, are 5, 9 and 9 (G. I. Bell, Solving triangular peg solitaire, Journal of Integer Sequences 11, 2008; A127500).
"""

from typing import NamedTuple

import numpy as np

import bestfirst
from bestfirst import ILLEGAL


@bestfirst.problem(state=int)
class Pegs(NamedTuple):
    """A state, as bits: the holes with a peg; above them, when moves are counted, 1 + the hole that the last jump ended in."""

    jumps: np.ndarray  # (jumps, 3): the holes it starts from, goes over and ends in
    holes: int
    counts_moves: bool  # going on with the same peg costs nothing

    def move_count(self):
        return len(self.jumps)

    def move_name(self, move):
        source, _, target = self.jumps[move]
        return f"{source} to {target}"

    def apply(self, state, move):
        source, over, target = self.jumps[move, 0], self.jumps[move, 1], self.jumps[move, 2]
        if (state >> source) & 1 == 0 or (state >> over) & 1 == 0 or (state >> target) & 1 == 1:
            return state, ILLEGAL
        last = state >> self.holes
        pegs = self.pegs(state) ^ (1 << source) ^ (1 << over) ^ (1 << target)
        if not self.counts_moves:
            return pegs, 1
        return pegs | (target + 1) << self.holes, 0 if last == source + 1 else 1

    def pegs(self, state):
        return state & ((1 << self.holes) - 1)

    def is_goal(self, state):
        pegs = self.pegs(state)
        return pegs & (pegs - 1) == 0


def board(cells, directions, counts_moves=True):
    """The problem for holes at these (row, column), numbered in this order, with jumps in these directions."""
    number = {cell: hole for hole, cell in enumerate(cells)}
    jumps = []
    for row, column in cells:
        for down, right in directions:
            line = [(row + step * down, column + step * right) for step in range(3)]
            if all(cell in number for cell in line):
                jumps.append([number[cell] for cell in line])
    return Pegs(np.array(jumps, np.int64), len(cells), counts_moves)


def triangle(side, counts_moves=True):
    """A triangle with so many holes a side, numbered row by row from the top."""
    cells = [(row, column) for row in range(side) for column in range(row + 1)]
    return board(cells, [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)], counts_moves)


def english_cross():
    """The cross of 33 holes; hole 16 is in the centre. Every jump is a move of its own."""
    cells = [(row, column) for row in range(7) for column in range(7) if 2 <= row <= 4 or 2 <= column <= 4]
    return board(cells, [(0, 1), (0, -1), (1, 0), (-1, 0)], counts_moves=False)


def all_but(hole, puzzle):
    """The board with a single empty hole."""
    return ((1 << puzzle.holes) - 1) ^ (1 << hole)


if __name__ == "__main__":
    for side in (4, 5):
        puzzle = triangle(side)
        starts = [all_but(hole, puzzle) for hole in range(puzzle.holes)]
        solution = bestfirst.zero_one_breadth_first(puzzle, starts)
        print(f"{side} holes a side:", solution, ", ".join(solution.move_names), sep="\n")
    cross = english_cross()
    central = bestfirst.with_goals(cross, 1 << 16)  # from the centre to the centre
    solution = bestfirst.depth_first(central, all_but(16, cross), 31, exact=True)  # every jump takes one of 32 pegs
    print("English cross:", solution, ", ".join(solution.move_names), sep="\n")
