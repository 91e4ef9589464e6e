"""Measuring water: jugs without marks, a tap and a sink; pour until one jug holds the wanted amount.

Run it: python examples/water_jugs.py

Two published truths: with jugs of 3 and 5 litres, 4 litres take 6 steps; and eight litres, poured to and fro between jugs of
8, 5 and 3 litres without tap or sink, are halved in 7 (C. G. Bachet, Problèmes plaisants et délectables, 1612).
"""

from typing import NamedTuple

import numpy as np

import bestfirst
from bestfirst import ILLEGAL


@bestfirst.problem
class Jugs(NamedTuple):
    """A state: the litres in each jug."""

    capacity: np.ndarray  # (jugs,)
    wanted: int  # litres that some jug is to hold

    # A move takes water from one place to another. The jugs are the places 0, 1, …; the last place is the tap, and the sink.

    def move_count(self):
        places = len(self.capacity) + 1
        return places * places

    def move_name(self, move):
        jugs = len(self.capacity)
        source, target = divmod(move, jugs + 1)
        names = [f"the {litres}-litre jug" for litres in self.capacity]
        if source == jugs:
            return f"fill {names[target]}" if target < jugs else "nothing"
        return f"empty {names[source]}" if target == jugs else f"pour {names[source]} into {names[target]}"

    def apply(self, state, move):
        jugs = len(self.capacity)
        source, target = move // (jugs + 1), move % (jugs + 1)
        if source == target:
            return ILLEGAL
        if source == jugs:  # the tap
            state[target] = self.capacity[target]
        elif target == jugs:  # the sink
            state[source] = 0
        else:
            litres = min(state[source], self.capacity[target] - state[target])
            state[source] -= litres
            state[target] += litres
        return 1

    def is_goal(self, state):
        for litres in state:
            if litres == self.wanted:
                return True
        return False

    def draw(self, state):
        return "\n".join("█" * litres + "░" * (room - litres) for litres, room in zip(state, self.capacity, strict=True))


def jugs(*capacity, wanted):
    """The puzzle with a tap and a sink."""
    return Jugs(np.array(capacity, np.int64), wanted)


def halving(*capacity):
    """The puzzle without: the same rules, the moves that need a tap or a sink banned, the first jug's water halved in the end."""
    count = len(capacity)
    places = count + 1
    tap = [count * places + jug for jug in range(count)]
    sink = [jug * places + count for jug in range(count)]
    half = capacity[0] // 2
    pouring = bestfirst.without_moves(jugs(*capacity, wanted=half), tap + sink)
    return bestfirst.with_goals(pouring, np.array([half, half, 0]))


if __name__ == "__main__":
    bestfirst.print_steps(bestfirst.solve(jugs(3, 5, wanted=4), np.array([0, 0])))
    bestfirst.print_steps(bestfirst.solve(halving(8, 5, 3), np.array([8, 0, 0])))
