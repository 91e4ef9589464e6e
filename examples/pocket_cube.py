"""The 2×2×2 cube: the fewest turns for any position, and how many positions there are at each distance.

Run it: python examples/pocket_cube.py

One of the eight corners may be held still, since turning the whole cube changes nothing: 7! · 3^6 = 3,674,160 positions. Every
one is at most 11 moves from the solved cube when a half turn is one move, 14 when it is two. The numbers of positions at each
distance, 1, 9, 54, 321 … and 1, 6, 27, 120 …, are A079761 and A079762.
"""

from typing import NamedTuple

import numpy as np

import bestfirst
from bestfirst.ranking import arrangements, rank_arrangement, unrank_arrangement
from bestfirst.replay import replay

#: The seven places, by their faces: up, right, front, down, left, back. The corner in D, B, L is held.
PLACES = ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DRB")


@bestfirst.problem
class Cube(NamedTuple):
    """The 2×2×2 cube with one corner held. State: which corner is in each of the seven places, then how each is twisted.

    source (faces, 7): the place from which a quarter turn brings a corner;  twist (faces, 7): by how much it twists it
    """

    source: np.ndarray
    twist: np.ndarray
    turns: int  # of a face: 3, or 2 when only quarter turns are moves

    def move_count(self):
        return 3 * self.turns

    def move_name(self, move):
        return "URF"[move // self.turns] + ("", "", "2", "'")[self.quarters(move)]

    def quarters(self, move):
        turn = move % self.turns
        return turn + 1 if self.turns == 3 else 2 * turn + 1

    def apply(self, state, move):
        face = move // self.turns
        for _ in range(self.quarters(move)):
            corners, twists = 0, 0
            for place in range(7):
                come = self.source[face, place]
                corners |= state[come] << (4 * place)
                twists |= ((state[7 + come] + self.twist[face, place]) % 3) << (4 * place)
            for place in range(7):
                state[place] = (corners >> (4 * place)) & 15
                state[7 + place] = (twists >> (4 * place)) & 15
        return 1

    def inverse(self, move):
        return move - 2 * (move % self.turns) + self.turns - 1

    def is_goal(self, state):
        return self.rank(state) == 0

    def state_count(self):
        return arrangements(7, 7) * 729

    def rank(self, state):
        number = rank_arrangement(state, 7, 7)
        for place in range(7, 13):
            number = 3 * number + state[place]
        return number

    def unrank(self, rank, state):
        total = 0
        for place in range(12, 6, -1):
            state[place] = rank % 3
            total += rank % 3
            rank //= 3
        state[13] = -total % 3
        unrank_arrangement(rank, state, 7, 7)

    def draw(self, state):
        """The cube unfolded: U above F, D below it, L, R and B beside it; each sticker as the face that it belongs to."""
        colour = {"DBL": "DBL"}
        for place, corner, twist in zip(PLACES, state[:7], state[7:], strict=True):
            colour[place] = "".join(PLACES[corner][(i - twist) % 3] for i in range(3))
        places = "ULB UBR UFL URF  ULB UFL  UFL URF  URF UBR  UBR ULB  DBL DLF  DLF DFR  DFR DRB  DRB DBL  DLF DFR DBL DRB"
        stickers = [
            colour[place][place.index(face)] for face, place in zip("UUUULLFFRRBBLLFFRRBBDDDD", places.split(), strict=True)
        ]
        rows = [stickers[0:2], stickers[2:4], stickers[4:12], stickers[12:20], stickers[20:22], stickers[22:24]]
        pairs = [[row[i] + row[i + 1] for i in range(0, len(row), 2)] for row in rows]
        return "\n".join(" ".join(row if len(row) > 1 else ["  ", *row]) for row in pairs)


def cube(turns):
    """The cube: 3 for half turns as one move (9 moves), 2 for quarter turns only (6 moves)."""
    source = [[3, 0, 1, 2, 4, 5, 6], [4, 1, 2, 0, 6, 5, 3], [1, 5, 2, 3, 0, 4, 6]]
    twist = [[0] * 7, [2, 0, 0, 1, 1, 0, 2], [1, 2, 0, 0, 2, 1, 0]]
    return Cube(np.array(source, np.int64), np.array(twist, np.int64), turns)


def solved():
    """Every corner in its place, untwisted."""
    return np.array([*range(7), *[0] * 7], np.int8)


def scrambled(moves):
    """The cube after moves of `cube(3)`, such as "U R2 F'"."""
    puzzle = cube(3)
    names = [puzzle.move_name(move) for move in range(puzzle.move_count())]
    *_, state = replay(puzzle, solved(), map(names.index, moves.split()))
    return state


if __name__ == "__main__":
    position = scrambled("R U' F2 R' U2 F")
    bestfirst.print_steps(bestfirst.solve(cube(3), position))
    print("in quarter turns:", bestfirst.solve(cube(2), position))
    print(bestfirst.explore(cube(2), solved()).counts)
    table = bestfirst.distance_table(cube(3), solved())
    print(table.counts)
    (hard, *_) = table.states(11)
    print(*table.solve(hard).move_names)
