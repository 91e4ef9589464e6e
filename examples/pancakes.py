"""Pancake sorting: turn over the upper part of a stack, again and again, until the pancakes lie in order of size.

Run it: python examples/pancakes.py

The most turns that a stack of 1, 2, 3 … pancakes can need, the pancake numbers, are 0, 1, 3, 4, 5, 7, 8, 9, 10 … (A058986).
"""

from typing import NamedTuple

import numpy as np

import bestfirst


@bestfirst.problem
class Pancakes(NamedTuple):
    """A state: the sizes of the pancakes, 0 the smallest, from the top to the bottom."""

    size: int

    def move_count(self):
        return self.size - 1

    def move_name(self, move):
        return f"turn {move + 2}"

    def apply(self, state, move):
        upper, lower = 0, move + 1
        while upper < lower:
            pancake = state[upper]
            state[upper] = state[lower]
            state[lower] = pancake
            upper += 1
            lower -= 1
        return 1

    def is_goal(self, state):
        return self.lower_bound(state) == 0

    def gap(self, state, place):
        """1 when the pancake in this place and the one below, or the plate, are no neighbours in size; else 0."""
        below = state[place + 1] if place + 1 < self.size else self.size
        return 1 if abs(state[place] - below) > 1 else 0

    def lower_bound(self, state):
        """The number of gaps: a turn can close only one (M. Helmert, Landmark heuristics for the pancake problem, 2010)."""
        gaps = 0
        for place in range(self.size):
            gaps += self.gap(state, place)
        return gaps

    # The rest only makes the search faster.

    def preview(self, state, move):
        """A turn changes the gap below the part that is turned, and no other."""
        below = state[move + 2] if move + 2 < self.size else self.size
        gap = 1 if abs(state[0] - below) > 1 else 0
        return 1, gap - self.gap(state, move + 1)

    def undo(self, state, move):
        self.apply(state, move)

    def inverse(self, move):
        return move

    def draw(self, state):
        return "\n".join(("=" * (2 * pancake + 1)).center(2 * self.size - 1).rstrip() for pancake in state)


def stack(*sizes):
    """The state for these sizes, from the top to the bottom."""
    return np.array(sizes, np.int8)


if __name__ == "__main__":
    bestfirst.print_steps(bestfirst.solve(Pancakes(7), stack(3, 6, 0, 5, 2, 4, 1)))
    for size in range(1, 10):  # turns are their own inverse: the farthest from the sorted stack need as many turns to get there
        print(f"{size} pancakes:", bestfirst.explore(Pancakes(size), stack(*range(size))))
