"""Pattern databases of sliding tiles: for some of the tiles, the fewest of their own moves that bring all of them home.

cells      n = rows × columns, numbered row by row; the home of tile t is cell t - 1, that of the blank the last cell
part       the k tiles of one table; each tile of the board is in one part, so that the tables of all parts may be added
shape      which k cells the tiles of a part stand on, as bits; shapes are numbered by `rank_combination`
slot       place of a tile among the cells of its shape, in increasing order
order      the slots of a part's tiles, numbered lexicographically: 0 … k! - 1
region     a connected set of cells without tiles of the part, in which the blank moves without cost; the regions of all shapes
           are numbered through. A walk visits the states (region, order): a bit each, W words of 64 bits a region
step       a tile that moves into a cell of the region beside it: the region that it leads to, and the `turn` of the orders, -1
           when they stay as they are, as they do when a tile moves sideways
entries    for all parts, one after another: at start + shape × k! + order the distance, uint8, the least over the regions

Why not `pattern_database`: there a state is found, made and numbered one at a time. Here the states of a region have the same
steps: one sideways is made for 64 orders by one instruction, another one by looking up each order in a table of at most
k! numbers, which stays in the processor's cache. The part of eight tiles of the 15-puzzle takes half a minute, not a
quarter of an hour.

Sources: R. E. Korf and A. Felner, Disjoint pattern database heuristics (2002). Layers as bit sets are folklore.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import FOUND, FULL, PAUSED, RunOptions
from bestfirst.kernel import Int, integer, interpreting, kernel, population_count, structure, trailing_zeros, unsigned
from bestfirst.ranking import combinations, rank_combination, rank_packed, unrank_combination, unrank_packed
from bestfirst.result import Solution
from bestfirst.search.compiled import BOUND, DEPTH, EXPANDED, GENERATED, OWN, STOP_AT
from bestfirst.search.explicit import ArraySearch

POSITION = OWN  #: the next region to expand, or to settle
SETTLING = OWN + 1  #: 0: the states of this depth are being expanded; 1: those of the next depth are being told apart
IN_LAYER = OWN + 2  #: states settled at the next depth
PART = OWN + 3  #: the part being made; not of the kernel

#: The largest distance that is written; a longer one counts as this, which is still a lower bound.
_MOST = 254

#: The entry of an arrangement that was not met.
UNMET = 255

#: Cells of the largest board: so that halves of a shape can be looked up.
MAX_CELLS = 36


@structure
class TileTables(NamedTuple):
    """The tables of all parts, to be held by a search.

    The number of a shape is the sum of two look-ups, for its cells below and from h = n div 2 on: how many of its k cells lie
    below is known from those above.
    """

    first: np.ndarray  #: (parts + 1,) int64: where the tiles of each part begin in `tiles`
    tiles: np.ndarray  #: (n - 1,) int64
    part_of: np.ndarray  #: (n,) int64, by tile
    start: np.ndarray  #: (parts,) int64: where the entries of each part begin
    orders: np.ndarray  #: (parts,) int64: k!
    low: np.ndarray  #: (2^h,) uint32
    high: np.ndarray  #: (parts × 2^(n - h),) uint32
    entries: np.ndarray  #: (all,) uint8

    def value(self, cell_of: np.ndarray, base: Int, part: Int, shape: Int, moved: Int, to: Int) -> Int:
        """Distance of a part whose tiles t are at cell_of[base + t], but the tile `moved` at the cell `to`. O(k).

        `shape`: the cells of the part as bits, unsigned.
        """
        begin = self.first[unsigned(part)]
        end = self.first[unsigned(part + 1)]
        rest = shape
        order = unsigned(0)
        for i in range(begin, end):
            tile = self.tiles[unsigned(i)]
            cell = to if tile == moved else integer(cell_of[unsigned(base + tile)])
            bit = unsigned(1) << unsigned(cell)
            order = order * unsigned(end - i) + unsigned(population_count(rest & (bit - unsigned(1))))
            rest ^= bit
        lows = unsigned(self.low.shape[0])
        half = unsigned(trailing_zeros(lows))
        number = unsigned(self.low[shape & (lows - unsigned(1))])
        highs = unsigned(part) << (unsigned(self.part_of.shape[0]) - half)
        number += unsigned(self.high[highs + (shape >> half)])
        return integer(
            self.entries[unsigned(self.start[unsigned(part)]) + number * unsigned(self.orders[unsigned(part)]) + order]
        )


class Steps(NamedTuple):
    """What can be done in each region of one part; see the legend."""

    region_shape: np.ndarray  #: (regions,) uint32
    first: np.ndarray  #: (regions + 1,) int64: where the steps of each region begin
    target: np.ndarray  #: (steps,) uint32: the region that a step leads to
    turn: np.ndarray  #: (steps,) int32: which row of `turns`, or -1
    turns: np.ndarray  #: (turns × k!,) uint32: the order that each order becomes


class Layers(NamedTuple):
    """The states of a walk as bits, (regions × W,) uint64 each, and which regions have any in `following`."""

    visited: np.ndarray
    current: np.ndarray
    following: np.ndarray
    touched: np.ndarray  #: (regions,) uint8


@kernel(inline=True)
def _region(free: Int, cell: Int, columns: Int, left: Int) -> Int:
    """The cells, as bits, that the blank can reach from a cell through free ones; `left` is the first column as bits."""
    right = unsigned(left) << unsigned(columns - 1)
    region = unsigned(1) << unsigned(cell)
    while True:
        wider = region | (region << unsigned(columns)) | (region >> unsigned(columns))
        wider |= ((region & ~right) << unsigned(1)) | ((region & ~unsigned(left)) >> unsigned(1))
        wider &= free
        if wider == region:
            return region
        region = wider


@kernel
def count_regions(n: Int, k: Int, columns: Int, left: Int, first_region: np.ndarray) -> Int:
    """Fill in, for every shape, the number of its first region; the number of regions, which is also the last entry."""
    every = (unsigned(1) << unsigned(n)) - unsigned(1)
    regions = 0
    for number in range(combinations(k, n)):
        first_region[unsigned(number)] = regions
        free = every & ~unsigned(unrank_combination(number, k, n))
        rest = free
        while rest != unsigned(0):
            rest &= ~_region(free, trailing_zeros(rest), columns, left)
            regions += 1
    first_region[unsigned(combinations(k, n))] = regions
    return regions


@kernel
def find_steps(n: Int, k: Int, columns: Int, left: Int, first_region: np.ndarray, steps: Steps, turn_of: np.ndarray) -> Int:
    """Fill in all steps but the table of turns; the number of steps. turn_of (k × k,) int32: -1, then the turn between slots."""
    every = (unsigned(1) << unsigned(n)) - unsigned(1)
    region_number = 0
    found = 0
    turns = 0
    for number in range(combinations(k, n)):
        shape = unsigned(unrank_combination(number, k, n))
        free = every & ~shape
        rest = free
        while rest != unsigned(0):
            region = _region(free, trailing_zeros(rest), columns, left)
            rest &= ~region
            steps.region_shape[unsigned(region_number)] = number
            steps.first[unsigned(region_number)] = found
            region_number += 1
            cells = region
            while cells != unsigned(0):
                to = integer(trailing_zeros(cells))
                cells &= cells - unsigned(1)
                for side in range(4):
                    cell = to + (columns if side == 0 else -columns if side == 1 else 1 if side == 2 else -1)
                    beyond_row = (side == 2 and cell % columns == 0) or (side == 3 and to % columns == 0)
                    if cell < 0 or cell >= n or beyond_row or (shape >> unsigned(cell)) & unsigned(1) == unsigned(0):
                        continue
                    after = shape ^ (unsigned(1) << unsigned(cell)) ^ (unsigned(1) << unsigned(to))
                    steps.target[unsigned(found)] = (
                        _region_number(every & ~after, cell, columns, left) + first_region[unsigned(rank_combination(after))]
                    )
                    a = integer(population_count(shape & ((unsigned(1) << unsigned(cell)) - unsigned(1))))
                    b = integer(population_count(after & ((unsigned(1) << unsigned(to)) - unsigned(1))))
                    turn = -1
                    if a != b:
                        turn = integer(turn_of[unsigned(a * k + b)])
                        if turn < 0:
                            turn = turns
                            turn_of[unsigned(a * k + b)] = turn
                            turns += 1
                    steps.turn[unsigned(found)] = turn
                    found += 1
    steps.first[unsigned(region_number)] = found
    return found


@kernel(inline=True)
def _region_number(free: Int, cell: Int, columns: Int, left: Int) -> Int:
    """Which of the regions of the free cells, from 0, has the cell."""
    number = 0
    rest = free
    while True:
        region = _region(free, trailing_zeros(rest), columns, left)
        if (region >> unsigned(cell)) & unsigned(1) != unsigned(0):
            return number
        rest &= ~region
        number += 1


@kernel
def fill_turns(turns: np.ndarray, turn_of: np.ndarray, k: Int, orders: Int) -> Int:
    """Fill in what the orders become when the tile in slot a goes to slot b and those between close up; how many entries."""
    filled = 0
    for slots in range(k * k):
        if turn_of[unsigned(slots)] < 0:
            continue
        a = slots // k
        b = slots % k
        row = integer(turn_of[unsigned(slots)]) * orders
        for order in range(orders):
            before = unrank_packed(order, k, k)
            after = unsigned(0)
            for i in range(k):
                slot = integer((before >> unsigned(4 * i)) & unsigned(15))
                if slot == a:
                    slot = b
                elif a < slot <= b:
                    slot -= 1
                elif b <= slot < a:
                    slot += 1
                after |= unsigned(slot) << unsigned(4 * i)
            turns[unsigned(row + order)] = rank_packed(after, k, k)
            filled += 1
    return filled


@kernel
def grow_layers(steps: Steps, layers: Layers, entries: np.ndarray, orders: Int, counters: np.ndarray) -> Int:
    """Visit the states depth by depth until the budget is used up, or until there are no more (FOUND). O(1) a step of a state.

    The states at counters[DEPTH] are in `current`. `entries` are those of the part alone.
    """
    regions = steps.region_shape.shape[0]
    words = (orders + 63) >> 6
    stop_at = counters[STOP_AT]
    generated = counters[GENERATED]
    while generated < stop_at:
        position = counters[POSITION]
        if position == regions:
            counters[POSITION] = 0
            counters[SETTLING] = 1 - counters[SETTLING]
            if counters[SETTLING] == 0:
                counters[DEPTH] += 1
                counters[BOUND] = counters[DEPTH]
                if counters[IN_LAYER] == 0:
                    counters[GENERATED] = generated
                    return FOUND
                counters[IN_LAYER] = 0
            continue
        if counters[SETTLING] == 0:
            states = _expand(steps, layers, orders, words, position)
            counters[EXPANDED] += states
            generated += states * (steps.first[unsigned(position + 1)] - steps.first[unsigned(position)])
        elif layers.touched[unsigned(position)] != 0:
            layers.touched[unsigned(position)] = 0
            at = integer(steps.region_shape[unsigned(position)]) * orders
            counters[IN_LAYER] += _settle(layers, entries, at, position * words, words, min(_MOST, counters[DEPTH] + 1))
        else:
            for word in range(position * words, (position + 1) * words):
                layers.current[unsigned(word)] = unsigned(0)
        counters[POSITION] = position + 1
    counters[GENERATED] = generated
    return PAUSED


@kernel(inline=True)
def _expand(steps: Steps, layers: Layers, orders: Int, words: Int, region: Int) -> Int:
    """Make all steps of the current states of a region; the number of states."""
    base = region * words
    states = 0
    for word in range(base, base + words):
        states += integer(population_count(layers.current[unsigned(word)]))
    if states == 0:
        return 0
    for step in range(steps.first[unsigned(region)], steps.first[unsigned(region + 1)]):
        target = integer(steps.target[unsigned(step)])
        turn = integer(steps.turn[unsigned(step)])
        layers.touched[unsigned(target)] = 1
        to = unsigned(target * words)
        if turn < 0:
            for word in range(words):
                layers.following[to + unsigned(word)] |= layers.current[unsigned(base + word)]
            continue
        row = unsigned(turn * orders)
        for word in range(words):
            bits = layers.current[unsigned(base + word)]
            while bits != unsigned(0):
                order = unsigned(word << 6) + unsigned(trailing_zeros(bits))
                bits &= bits - unsigned(1)
                turned = unsigned(steps.turns[row + order])
                layers.following[to + (turned >> unsigned(6))] |= unsigned(1) << (turned & unsigned(63))
    return states


@kernel(inline=True)
def _settle(layers: Layers, entries: np.ndarray, entry: Int, base: Int, words: Int, depth: Int) -> Int:
    """Of the states of a region that steps led to, make those that were not visited before the current ones; their number."""
    states = 0
    for word in range(words):
        at = unsigned(base + word)
        bits = layers.following[at] & ~layers.visited[at]
        layers.following[at] = unsigned(0)
        layers.visited[at] |= bits
        layers.current[at] = bits
        states += integer(population_count(bits))
        while bits != unsigned(0):
            order = unsigned(entry + (word << 6)) + unsigned(trailing_zeros(bits))
            bits &= bits - unsigned(1)
            if entries[order] == UNMET:
                entries[order] = depth
    return states


# --- making them --------------------------------------------------------------------------------------------------------


def table_size(cells: int, tiles: int) -> int:
    """Entries of the table of so many tiles: one for each way to place them."""
    return math.perm(cells, tiles)


def tables_of(cells: int, parts: Sequence[Sequence[int]], entries: np.ndarray) -> TileTables:
    """The tables of these parts over their entries, one part after another."""
    sizes = [table_size(cells, len(part)) for part in parts]
    part_of = np.zeros(cells, np.int64)
    for number, part in enumerate(parts):
        part_of[list(part)] = number
    half = cells // 2
    by_size = {k: _high_numbers(cells, half, k) for k in {len(part) for part in parts}}
    return TileTables(
        first=np.cumsum([0, *map(len, parts)]).astype(np.int64),
        tiles=np.array([tile for part in parts for tile in part], np.int64),
        part_of=part_of,
        start=np.cumsum([0, *sizes[:-1]]).astype(np.int64),
        orders=np.array([math.factorial(len(part)) for part in parts], np.int64),
        low=_numbers(half, 0, np.zeros(1 << half, np.int64)),
        high=np.concatenate([by_size[len(part)] for part in parts]),
        entries=entries,
    )


def _high_numbers(cells: int, half: int, k: int) -> np.ndarray:
    """What the cells from `half` on add to the number of a shape of k cells, for every set of them."""
    count = np.bitwise_count(np.arange(1 << (cells - half))).astype(np.int64)
    return _numbers(cells - half, half, k - count)


def _numbers(bits: int, first: int, below: np.ndarray) -> np.ndarray:
    """For every set of so many cells from `first` on, preceded by `below` lower ones: what they add to a shape's number.

    The i-th cell of a shape, from 1, adds the number of ways to choose i of the cells before it.
    """
    sets, position, total = np.arange(1 << bits), below.copy(), np.zeros(1 << bits, np.int64)
    for bit in range(bits):
        has = (sets >> bit) & 1 == 1
        position += has
        ways = np.array([math.comb(first + bit, i) if i >= 0 else 0 for i in range(int(position.max()) + 1)])
        total[has] += ways[np.clip(position[has], 0, None)]
    return (total & 0xFFFFFFFF).astype(np.uint32)


class TileTableSearch(ArraySearch):
    """The making of the tables of several parts, one after another, of a board of at least two rows and two columns."""

    engine = "tile_tables"
    parts = ("steps", "layers")

    steps: Steps
    layers: Layers

    def __init__(self, rows: int, columns: int, tiles: Sequence[Sequence[int]], options: RunOptions) -> None:
        super().__init__([np.array([rows, columns, *part]) for part in tiles], options)
        self.rows, self.columns, self.tiles = rows, columns, tiles
        self.n = rows * columns
        self.entries = np.full(sum(table_size(self.n, len(part)) for part in tiles), UNMET, np.uint8)
        self.counters[PART] = -1
        self.begin_part()

    def begin_part(self) -> None:
        """Find the steps of the next part, and begin its walk at the home of its tiles."""
        c = self.counters
        part = self.tiles[int(c[PART]) + 1]
        c[[POSITION, SETTLING, IN_LAYER, DEPTH, BOUND]] = 0
        c[PART] += 1
        self.orders = math.factorial(len(part))
        self.steps = self.find_steps(len(part))
        words = (self.orders + 63) // 64
        regions = len(self.steps.region_shape)
        # Zeros of the system, which take no memory before they are written.
        visited, current, following = (np.zeros(regions * words, np.uint64) for _ in range(3))
        self.layers = Layers(visited, current, following, np.zeros(regions, np.uint8))
        slots = np.argsort(np.argsort(part))
        with interpreting():
            order = rank_packed(sum(int(slot) << (4 * i) for i, slot in enumerate(slots)), len(part), len(part))
            shape = rank_combination(sum(1 << (tile - 1) for tile in part))
        region = self.home_region(part, int(shape))
        for bits in (self.layers.visited, self.layers.current):
            bits[region * words + order // 64] = np.uint64(1 << (order % 64))
        self.own_entries()[shape * self.orders + order] = 0

    def own_entries(self) -> np.ndarray:
        """The entries of the part being made."""
        number = int(self.counters[PART])
        start = sum(table_size(self.n, len(part)) for part in self.tiles[:number])
        return self.entries[start : start + table_size(self.n, len(self.tiles[number]))]

    def home_region(self, part: Sequence[int], shape: int) -> int:
        """The number of the region that the blank is in at home."""
        free = (1 << self.n) - 1
        for tile in part:
            free ^= 1 << (tile - 1)
        first = int(np.searchsorted(self.steps.region_shape, shape))
        with interpreting():
            return first + int(_region_number(free, self.n - 1, self.columns, self.left))

    @property
    def left(self) -> int:
        """The cells of the first column, as bits."""
        return sum(1 << (row * self.columns) for row in range(self.rows))

    def find_steps(self, k: int) -> Steps:
        """The steps of all parts of k tiles."""
        n, columns, shapes = self.n, self.columns, math.comb(self.n, k)
        first_region = np.zeros(shapes + 1, np.int64)
        regions = self.call(count_regions, n, k, columns, self.left, first_region)
        most = shapes * (self.rows * (columns - 1) + columns * (self.rows - 1))  # each pair of neighbours, once
        steps = Steps(
            region_shape=np.zeros(regions, np.uint32),
            first=np.zeros(regions + 1, np.int64),
            target=np.zeros(most, np.uint32),
            turn=np.zeros(most, np.int32),
            turns=np.zeros(0, np.uint32),
        )
        turn_of = np.full(k * k, -1, np.int32)
        found = self.call(find_steps, n, k, columns, self.left, first_region, steps, turn_of)
        orders = math.factorial(k)
        turns = np.zeros((int(turn_of.max()) + 1) * orders, np.uint32)
        self.call(fill_turns, turns, turn_of, k, orders)
        return steps._replace(target=steps.target[:found].copy(), turn=steps.turn[:found].copy(), turns=turns)

    def advance(self, stop_at: int) -> int:
        self.counters[STOP_AT] = stop_at
        outcome = self.call(grow_layers, self.steps, self.layers, self.own_entries(), self.orders, self.counters)
        return FULL if outcome == FOUND and self.counters[PART] + 1 < len(self.tiles) else outcome

    def enlarge(self) -> None:
        """Go on to the next part."""
        del self.layers
        self.begin_part()

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        return 0, ()

    def bytes(self) -> int:
        return super().bytes() + self.entries.nbytes

    def result(self, solution: Solution) -> TileTables | None:
        """The tables; None when they were not finished."""
        return None if solution.stopped_by is not None else tables_of(self.n, self.tiles, self.entries)
