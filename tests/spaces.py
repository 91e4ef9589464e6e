"""Problems with numbered states, and the published sizes of their layers."""

from typing import NamedTuple

import numpy as np

from bestfirst.ranking import (
    arrangements,
    combinations,
    rank_arrangement,
    rank_combination,
    rank_packed,
    unrank_arrangement,
    unrank_combination,
)
from problems import ILLEGAL, Graph, Tiles, problem, tiles


@problem
class RankedTiles(NamedTuple):
    """The sliding tiles of `problems.Tiles`, numbered by their permutation; half of the numbers cannot be reached."""

    cells: int
    neighbour: np.ndarray

    move_names = "ULRD"

    apply = Tiles.apply
    inverse = Tiles.inverse

    def is_goal(self, state):
        in_place = 0
        for cell in range(self.cells):
            in_place += state[cell] == cell
        return in_place == self.cells

    def state_count(self):
        return arrangements(self.cells, self.cells)

    def rank(self, state):
        return rank_arrangement(state, self.cells, self.cells)

    def unrank(self, rank, state):
        unrank_arrangement(rank, state, self.cells, self.cells)
        for cell in range(self.cells):
            if state[cell] == 0:
                state[self.cells] = cell


def ranked_tiles(width, height):
    """The puzzle on a board of this size."""
    return RankedTiles(width * height, tiles(width, height).neighbour)


def board(cells, blank=0):
    """The tiles in order with the blank in a cell, as a state."""
    others = list(range(1, cells))
    others.insert(blank, 0)
    return np.array([*others, blank], np.int8)


@problem
class Flips(NamedTuple):
    """Pancakes, each flip for 1; `burnt` pancakes have two sides. State: the pancakes from the top, then their sides."""

    size: int
    burnt: int

    def move_count(self):
        return self.size - (1 - self.burnt)

    def apply(self, state, move):
        i, j = 0, move + (1 - self.burnt)
        while i <= j:
            upper, lower = state[i], state[j]
            upper_side, lower_side = state[self.size + i], state[self.size + j]
            state[i], state[j] = lower, upper
            state[self.size + i], state[self.size + j] = lower_side ^ self.burnt, upper_side ^ self.burnt
            i += 1
            j -= 1
        return 1

    def inverse(self, move):
        return move

    def is_goal(self, state):
        return self.rank(state) == 0

    def state_count(self):
        return arrangements(self.size, self.size) << (self.size * self.burnt)

    def rank(self, state):
        number = rank_arrangement(state, self.size, self.size)
        for i in range(self.size * self.burnt):
            number = 2 * number + state[self.size + i]
        return number

    def unrank(self, rank, state):
        for i in range(self.size - 1, -1, -1):
            state[self.size + i] = rank & self.burnt
            rank >>= self.burnt
        unrank_arrangement(rank, state, self.size, self.size)


@problem
class BlankPattern(NamedTuple):
    """Some tiles and the blank, whose other moves cost 0. State: the cells of the tiles, then the blank's."""

    cells: int
    neighbour: np.ndarray
    tiles: np.ndarray

    move_names = "ULRD"

    def apply(self, state, move):
        count = self.tiles.shape[0]
        blank = state[count]
        cell = self.neighbour[blank, move]
        if cell < 0:
            return ILLEGAL
        state[count] = cell
        for i in range(count):
            if state[i] == cell:
                state[i] = blank
                return 1
        return 0

    def inverse(self, move):
        return 3 - move

    def is_goal(self, state):
        in_place = state[self.tiles.shape[0]] == 0
        for i in range(self.tiles.shape[0]):
            in_place = in_place and state[i] == self.tiles[i]
        return in_place

    def state_count(self):
        return arrangements(self.tiles.shape[0] + 1, self.cells)

    def rank(self, state):
        return rank_arrangement(state, self.tiles.shape[0] + 1, self.cells)

    def unrank(self, rank, state):
        unrank_arrangement(rank, state, self.tiles.shape[0] + 1, self.cells)

    def entry(self, full):
        """Of a state of tiles by cell."""
        where = 0
        for cell in range(self.cells):
            for i in range(self.tiles.shape[0]):
                if full[cell] == self.tiles[i]:
                    where |= cell << (4 * i)
        return rank_packed(where, self.tiles.shape[0], self.cells)

    def state(self, values):
        return np.array(values, np.int8)


def blank_pattern(width, height, chosen):
    """The pattern of some of the tiles, and its goal."""
    return BlankPattern(width * height, tiles(width, height).neighbour, np.array(chosen, np.int8)), np.array(
        [*chosen, 0], np.int8
    )


def stack(size):
    """Pancakes in order."""
    return np.array([*range(size), *[0] * size], np.int8)


@problem(state=int)
class Knights(NamedTuple):
    """12 black and 12 white knights and one free cell on a 5×5 board. State: the black ones as bits, above them the free cell."""

    jump: np.ndarray  # (25, 8): where a knight jumps from, or -1

    moves = 8

    def apply(self, state, move):
        free = state >> 25
        cell = np.int64(self.jump[free, move])
        if cell < 0:
            return state, ILLEGAL
        black = state & 0x1FFFFFF
        if (black >> cell) & 1:
            black ^= (1 << cell) | (1 << free)
        return (cell << 25) | black, 1

    def is_goal(self, state):
        return False

    def state_count(self):
        return 25 * combinations(12, 24)

    def rank(self, state):
        free = state >> 25
        black = state & 0x1FFFFFF
        below = black & ((1 << free) - 1)
        return free * combinations(12, 24) + rank_combination(below | ((black >> (free + 1)) << free))

    def unrank(self, rank):
        free = rank // combinations(12, 24)
        others = unrank_combination(rank % combinations(12, 24), 12, 24)
        below = others & ((1 << free) - 1)
        return (free << 25) | below | ((others >> free) << (free + 1))


def knights():
    """The problem, and the position that the puzzle asks for."""
    steps = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]
    jump = np.full((25, 8), -1, np.int8)
    for cell in range(25):
        row, column = divmod(cell, 5)
        for move, (down, right) in enumerate(steps):
            if 0 <= row + down < 5 and 0 <= column + right < 5:
                jump[cell, move] = cell + 5 * down + right
    picture = "111110111100*110000100000"
    black = sum(1 << cell for cell, letter in enumerate(picture) if letter == "1")
    return Knights(jump), (picture.index("*") << 25) | black


@problem(state=int)
class RankedGraph(NamedTuple):
    """`problems.Graph` with vertices that are numbered otherwise: number (n,), vertex (n,) its inverse."""

    degree: int
    first: np.ndarray
    target: np.ndarray
    cost: np.ndarray
    goal: np.ndarray
    number: np.ndarray
    vertex: np.ndarray

    move_count = Graph.move_count
    apply = Graph.apply
    is_goal = Graph.is_goal

    def state_count(self):
        return self.number.shape[0]

    def rank(self, state):
        return self.number[state]

    def unrank(self, rank):
        return self.vertex[rank]


def ranked(graph, rng):
    """A Graph with numbers in any order."""
    vertex = np.array(rng.sample(range(len(graph.goal)), len(graph.goal)), np.int64)
    return RankedGraph(*graph, np.argsort(vertex), vertex)


def counts(line):
    """Numbers of states at depth 0, 1, 2 …, as in a published table."""
    return tuple(map(int, line.split()))


LAYERS = {
    "tiles 3×2": (ranked_tiles(3, 2), board(6), counts("1 2 3 5 6 7 10 12 12 16 23 25 28 39 44 40 29 21 18 12 6 1")),
    "tiles 3×3, blank in a corner": (
        ranked_tiles(3, 3),
        board(9),
        counts(
            "1 2 4 8 16 20 39 62 116 152 286 396 748 1024 1893 2512 4485 5638 9529 10878 16993 17110 23952 20224 24047 15578"
            " 14560 6274 3910 760 221 2"
        ),
    ),
    "tiles 3×3, blank in the middle": (
        ranked_tiles(3, 3),
        board(9, 4),
        counts(
            "1 4 8 8 16 32 60 72 136 200 376 512 964 1296 2368 3084 5482 6736 11132 12208 18612 18444 24968 19632 22289 13600"
            " 11842 4340 2398 472 148"
        ),
    ),
    "pancakes 6": (Flips(6, 0), stack(6), counts("1 5 20 79 199 281 133 2")),
    "pancakes 9": (Flips(9, 0), stack(9), counts("1 8 56 391 2278 10666 38015 93585 132697 79379 5804")),
    "burnt pancakes 3": (Flips(3, 1), stack(3), counts("1 3 6 12 18 6 2")),
    "burnt pancakes 6": (Flips(6, 1), stack(6), counts("1 6 30 150 675 2340 6604 12795 15519 6957 959 43 1")),
}
CUBE_HALF_TURNS = counts("1 9 54 321 1847 9992 50136 227536 870072 1887748 623800 2644")
CUBE_QUARTER_TURNS = counts("1 6 27 120 534 2256 8969 33058 114149 360508 930588 1350852 782536 90280 276")
KNIGHTS = counts(
    "1 8 14 38 148 368 1001 2440 6468 14116 32825 64782 137262 240404 455522 716458 1224370 1720894 2645274 3327210 4594399"
    " 5148132 6372557 6345924 6997217 6160052 6002337 4635014 3942462 2634392 1921476 1086234 658300 300838 144842 49078 17065"
    " 3428 488 62"
)
