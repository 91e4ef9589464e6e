"""The 2×2×2 cube: eight corners, of which one may be held still, since turning the whole cube changes nothing.

Run it: python examples/pocket_cube.py

7! · 3^6 = 3,674,160 states; every one is at most 11 moves from the solved cube when a half turn is one move, 14 when it is two.
The numbers of states at each distance, 1, 9, 54, 321 … and 1, 6, 27, 120 …, are A079761 and A079762.
"""

from typing import NamedTuple

import numpy as np

import bestfirst

#: The seven places of corners that move, by their faces: up, right, front, down, left, back. The corner in D, B, L is held still.
PLACES = ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DRB")

#: For a quarter turn of U, R, F: the places in the order in which corners go round, and how far each is twisted when it arrives.
ROUND = ((0, 1, 2, 3), (3, 6, 4, 0), (4, 5, 1, 0))
TWIST = ((0, 0, 0, 0), (1, 2, 1, 2), (2, 1, 2, 1))


@bestfirst.problem
class PocketCube(NamedTuple):
    """A state: for each place, 3 × the corner that is there + its twist: which of its faces shows where its first one belongs."""

    move_cost: int

    move_names = ("U", "U2", "U'", "R", "R2", "R'", "F", "F2", "F'")

    def apply(self, state, move):
        face = move // 3
        for _ in range(move % 3 + 1):
            arriving = state[ROUND[face][3]]
            for i in range(4):
                place = ROUND[face][i]
                leaving = state[place]
                state[place] = arriving - arriving % 3 + (arriving + TWIST[face][i]) % 3
                arriving = leaving
        return self.move_cost

    def undo(self, state, move):
        self.apply(state, self.inverse(move))

    def inverse(self, move):
        return move - move % 3 + 2 - move % 3

    def is_goal(self, state):
        for place in range(len(PLACES)):
            if state[place] != 3 * place:
                return False
        return True

    def draw(self, state):
        """The cube unfolded: U above F, D below it, L, R and B beside it; each sticker as the face that it belongs to."""
        colour = {"DBL": "DBL"} | {
            place: "".join(PLACES[corner // 3][(i - corner) % 3] for i in range(3))
            for place, corner in zip(PLACES, state, strict=True)
        }
        places = "ULB UBR UFL URF  ULB UFL  UFL URF  URF UBR  UBR ULB  DBL DLF  DLF DFR  DFR DRB  DRB DBL  DLF DFR DBL DRB"
        stickers = [
            colour[place][place.index(face)] for face, place in zip("UUUULLFFRRBBLLFFRRBBDDDD", places.split(), strict=True)
        ]
        rows = [stickers[0:2], stickers[2:4], stickers[4:12], stickers[12:20], stickers[20:22], stickers[22:24]]
        pairs = [[row[i] + row[i + 1] for i in range(0, len(row), 2)] for row in rows]
        return "\n".join(" ".join(row if len(row) > 1 else ["  ", *row]) for row in pairs)


SOLVED = 3 * np.arange(7, dtype=np.int8)

HALF_TURNS = PocketCube(1)  # a half turn is one move
QUARTER_TURNS = bestfirst.without_moves(HALF_TURNS, ["U2", "R2", "F2"])  # a half turn is two


def scrambled(moves):
    """The cube after these moves, such as "U R2 F'"."""
    state = SOLVED.copy()
    for name in moves.split():
        HALF_TURNS.apply(state, HALF_TURNS.move_names.index(name))
    return state


if __name__ == "__main__":
    bestfirst.print_steps(bestfirst.solve(HALF_TURNS, scrambled("R U' F2 R' U2 F")))
    print("in quarter turns:", bestfirst.solve(QUARTER_TURNS, scrambled("R U' F2 R' U2 F")))
