"""The towers of Hanoi with four pegs (the Reve's puzzle): move all discs to the last peg, never a disc onto a smaller one.

Run it: python examples/towers_of_hanoi.py

The fewest moves for 1, 2, 3 … discs are 1, 3, 5, 9, 13, 17, 25, 33, 41, 49 … (A007664): the numbers of J. S. Frame and
B. M. Stewart (1941), proved to be fewest for four pegs by T. Bousch, La quatrième tour de Hanoï (2014).
"""

from typing import NamedTuple

import bestfirst
from bestfirst import ILLEGAL

PEGS = 4


@bestfirst.problem(state=int)
class Hanoi(NamedTuple):
    """A state, as bits: the peg of each disc, two bits a disc, those of the smallest disc lowest."""

    discs: int

    move_names = tuple(f"{source} to {target}" for source in "ABCD" for target in "ABCD")

    def apply(self, state, move):
        source, target = move // PEGS, move % PEGS
        for disc in range(self.discs):
            peg = (state >> (2 * disc)) & 3
            if peg == target:  # before any disc on the source: a smaller disc lies on top there
                return state, ILLEGAL
            if peg == source:
                return state ^ ((source ^ target) << (2 * disc)), 1
        return state, ILLEGAL

    def inverse(self, move):
        return move % PEGS * PEGS + move // PEGS

    def is_goal(self, state):
        return state == (1 << (2 * self.discs)) - 1

    def lower_bound(self, state):
        """Every disc that is not yet on the last peg must move there."""
        away = 0
        for disc in range(self.discs):
            away += (state >> (2 * disc)) & 3 != PEGS - 1
        return away

    def canonical(self, state):
        """The pegs B and C are alike: of two states that differ by exchanging them, the one whose largest disc there is on B.

        A search that remembers states then meets only about half of them.
        """
        for disc in range(self.discs - 1, -1, -1):
            peg = (state >> (2 * disc)) & 3
            if peg == 1:
                return state
            if peg == 2:
                break
        exchanged = 0
        for disc in range(self.discs):
            peg = (state >> (2 * disc)) & 3
            exchanged |= (3 - peg if peg in (1, 2) else peg) << (2 * disc)
        return exchanged

    def draw(self, state):
        pegs = [[disc for disc in range(self.discs) if (state >> (2 * disc)) & 3 == peg] for peg in range(PEGS)]
        return "\n".join(
            " ".join([name, *(str(disc + 1) for disc in reversed(peg))]) for name, peg in zip("ABCD", pegs, strict=True)
        )


START = 0  # all discs on the first peg


if __name__ == "__main__":
    bestfirst.print_steps(bestfirst.solve(Hanoi(4), START))
    for discs in range(1, 11):
        print(f"{discs:2} discs:", bestfirst.a_star(Hanoi(discs), START))
