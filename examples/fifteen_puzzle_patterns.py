"""The 15-puzzle with additive pattern databases: some of the tiles at a time, solved exactly, give a bound for all of them.

Run it: python examples/fifteen_puzzle_patterns.py
"""

import functools
from typing import NamedTuple

import numpy as np

import bestfirst
from bestfirst import ILLEGAL, ranking
from bestfirst.kernel import population_count, trailing_zeros, unsigned

EDGE = 255


@bestfirst.problem
class Tiles(NamedTuple):
    """Slide tiles until they lie in order, the blank (0) first. A state: the cell of each tile, then the tile of each cell."""

    bound: object  # of pattern databases
    neighbour: np.ndarray  # (cells, moves): the cell that the blank moves to, or EDGE

    move_names = ("up", "left", "right", "down")

    def apply(self, state, move):
        blank = state[0]
        cell = self.neighbour[blank, move]
        if cell == EDGE:
            return ILLEGAL
        cells = self.neighbour.shape[0]
        tile = state[cells + cell]
        state[cells + blank] = tile
        state[cells + cell] = 0
        state[tile] = blank
        state[0] = cell
        return 1

    def undo(self, state, move):
        self.apply(state, 3 - move)

    def inverse(self, move):
        return 3 - move

    def is_goal(self, state):
        in_place = 0
        for tile in range(self.neighbour.shape[0]):
            in_place += state[tile] == tile
        return in_place == self.neighbour.shape[0]

    def lower_bound(self, state):
        return self.bound.bound(state)


@bestfirst.problem(state=int)
class TilePattern(NamedTuple):
    """Some of the tiles; a move slides one of them by a cell and costs 1, moving the blank among the other cells costs nothing.

    A state, as bits: the cell of each of the tiles, four bits each; above them, a bit for each cell that the blank can reach.
    """

    tiles: np.ndarray
    neighbour: np.ndarray  # (cells, 4): the cell up, left, right, down, or EDGE
    region: np.ndarray  # (2^cells, cells): the cells, as bits, that the blank can reach from a cell when these are free

    def move_count(self):
        return 4 * self.tiles.shape[0]

    def apply(self, state, move):
        place = move & ~3
        cell = (state >> place) & 15
        to = np.int64(self.neighbour[cell, move & 3])
        above = 4 * self.tiles.shape[0]
        if to == EDGE or (state >> (above + to)) & 1 == 0:
            return state, ILLEGAL
        tiles = (state & ((1 << above) - 1)) ^ ((cell ^ to) << place)
        return tiles | (self.reach(tiles, cell) << above), 1

    def reach(self, tiles, blank):
        """The cells that the blank can reach from a cell."""
        return np.int64(self.region[self.free(tiles), blank])

    def free(self, tiles):
        """The cells without a tile of the pattern, as bits."""
        free = self.region.shape[0] - 1
        for i in range(self.tiles.shape[0]):
            free &= ~(1 << ((tiles >> (4 * i)) & 15))
        return free

    def inverse(self, move):
        return move ^ 3  # the same tile, the other way

    def is_goal(self, state):
        return state == self.goal()

    def goal(self):
        tiles = 0
        for i in range(self.tiles.shape[0]):
            tiles |= np.int64(self.tiles[i]) << (4 * i)
        return tiles | (self.reach(tiles, 0) << (4 * self.tiles.shape[0]))

    # Numbers: the arrangement of the tiles, then the lowest cell that the blank can reach, among those without a tile.

    def state_count(self):
        count, cells = self.tiles.shape[0], self.neighbour.shape[0]
        return ranking.arrangements(count, cells) * (cells - count)

    def rank(self, state):
        count, cells = self.tiles.shape[0], self.neighbour.shape[0]
        reached = state >> (4 * count)
        digit = np.int64(population_count(self.free(state) & ((reached & -reached) - 1)))
        return ranking.rank_packed(state, count, cells) * (cells - count) + digit

    def unrank(self, rank):
        count, cells = self.tiles.shape[0], self.neighbour.shape[0]
        tiles = np.int64(ranking.unrank_packed(rank // (cells - count), count, cells))
        free = self.free(tiles)
        for _ in range(rank % (cells - count)):
            free &= free - 1
        blank = np.int64(trailing_zeros(free))
        return tiles | (self.reach(tiles, blank) << (4 * count))

    def entry(self, full):
        tiles = unsigned(0)
        for i in range(self.tiles.shape[0]):
            tiles |= unsigned(full[self.tiles[i]]) << unsigned(4 * i)
        return ranking.rank_packed(tiles, self.tiles.shape[0], self.neighbour.shape[0])


def pattern(tiles, rows=4, columns=4):
    """The pattern of some of the tiles; a board of up to 16 cells."""
    return TilePattern(np.array(tiles, np.int64), neighbours(rows, columns), regions(rows, columns))


@functools.cache
def regions(rows, columns):
    """See TilePattern.region: from each cell, cells are added until nothing changes, for all sets of free cells at once."""
    around, cells = neighbours(rows, columns), rows * columns
    free = np.arange(1 << cells)[:, None]
    region = free & (1 << np.arange(cells))
    for _ in range(cells):
        for cell in range(cells):
            for other in around[cell][around[cell] != EDGE].tolist():
                region |= (((region >> cell) & 1) << other) & free
    return region.astype(np.uint16)


def database(tiles, rows=4, columns=4, **options):
    """Its table, without the blank."""
    of = pattern(tiles, rows, columns)
    return bestfirst.pattern_database(of, of.goal(), merge=rows * columns - len(tiles), **options)


def neighbours(rows, columns):
    """For each cell the one up, left, right, down, or EDGE."""
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    steps = [((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) for r, c in cells]
    return np.array([[cells.index(to) if to in cells else EDGE for to in around] for around in steps], np.uint8)


def puzzle(bound, rows=4, columns=4):
    """The problem for a board of this size."""
    return Tiles(bound, neighbours(rows, columns))


def board(tiles):
    """The state for these tiles, row by row."""
    return np.array([*(tiles.index(tile) for tile in range(len(tiles))), *tiles], np.uint8)


if __name__ == "__main__":
    parts = [database(tiles) for tiles in ([1, 2, 3, 4, 5], [6, 7, 8, 9, 12], [10, 11, 13, 14, 15])]
    print(*parts, sep="\n")
    tiles = [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15]
    print(bestfirst.ida_star(puzzle(bestfirst.additive(*parts)), board(tiles)))
