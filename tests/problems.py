"""Small problems that the tests share, so that each is compiled once. The only file that imports from `bestfirst.operations`."""

import random
from typing import NamedTuple

import numpy as np

from bestfirst.operations import ILLEGAL, MAX_COST, UNREACHABLE, Operations, defines, move_name, problem

__all__ = [
    "ILLEGAL",
    "MAX_COST",
    "UNREACHABLE",
    "Graph",
    "InformedGraph",
    "Line",
    "Operations",
    "Pancakes",
    "PlainTiles",
    "Switches",
    "Tiles",
    "defines",
    "graph",
    "manhattan",
    "move_name",
    "numbers",
    "problem",
    "random_graph",
    "scrambled",
    "shuffled",
    "tiles",
]


@problem(state=int)
class Graph(NamedTuple):
    """An explicit graph; a state is the number of a vertex, move k its k-th edge. Parallel edges and loops are welcome.

    first (n + 1,), target (edges,), cost (edges,), goal (n,)
    """

    degree: int
    first: np.ndarray
    target: np.ndarray
    cost: np.ndarray
    goal: np.ndarray

    def move_count(self):
        return self.degree

    def apply(self, state, move):
        edge = self.first[state] + move
        if edge >= self.first[state + 1]:
            return state, ILLEGAL
        return self.target[edge], self.cost[edge]

    def is_goal(self, state):
        return self.goal[state] != 0


@problem(state=int)
class InformedGraph(NamedTuple):
    """A Graph with a lower bound for each vertex; `bound` may be any numbers that never exceed the true distance."""

    degree: int
    first: np.ndarray
    target: np.ndarray
    cost: np.ndarray
    goal: np.ndarray
    bound: np.ndarray

    move_count = Graph.move_count
    apply = Graph.apply
    is_goal = Graph.is_goal

    def lower_bound(self, state):
        return self.bound[state]


def graph(edges, goals, bound=None):
    """A Graph (an InformedGraph, with `bound`) from a list, for each vertex, of its edges (target, cost)."""
    n = len(edges)
    first = np.cumsum([0] + [len(out) for out in edges])
    flat = [edge for out in edges for edge in out]
    target = np.array([t for t, _ in flat] or [0], np.int64)
    cost = np.array([c for _, c in flat] or [0], np.int64)
    goal = np.array([v in goals for v in range(n)], np.uint8)
    fields = (max(1, *map(len, edges), 1), first, target, cost, goal)
    return Graph(*fields) if bound is None else InformedGraph(*fields, np.array(bound, np.int64))


def random_graph(rng, vertices=8, least=1, most=6):
    """Edges and goals of a random graph: sparse or dense, with loops and parallel edges, perhaps without a goal in reach."""
    n = rng.randint(1, vertices)
    density = rng.choice((1, 2, 3))
    edges = [[(rng.randrange(n), rng.randint(least, most)) for _ in range(rng.randint(0, density + 1))] for _ in range(n)]
    goals = set(rng.sample(range(n), rng.choice((0, 1, 1, 1, min(n, 3)))))
    return edges, goals


@problem
class Tiles(NamedTuple):
    """Sliding tiles on any rectangle, goal 0, 1, 2 … with the blank first. State: the tile on each cell, then the blank's cell.

    The blank moves up, left, right or down. neighbour (cells, 4): the cell there, or -1; distance (tile, cell): Manhattan.
    """

    cells: int
    neighbour: np.ndarray
    distance: np.ndarray

    move_names = "ULRD"

    def apply(self, state, move):
        blank = state[self.cells]
        cell = self.neighbour[blank, move]
        if cell < 0:
            return ILLEGAL
        state[blank] = state[cell]
        state[cell] = 0
        state[self.cells] = cell
        return 1

    def undo(self, state, move):
        self.apply(state, 3 - move)

    def inverse(self, move):
        return 3 - move

    def is_goal(self, state):
        return self.lower_bound(state) == 0

    def lower_bound(self, state):
        total = 0
        for cell in range(self.cells):
            if state[cell] != 0:
                total += self.distance[state[cell], cell]
        return total

    def preview(self, state, move):
        blank = state[self.cells]
        cell = self.neighbour[blank, move]
        if cell < 0:
            return ILLEGAL, 0
        tile = state[cell]
        return 1, self.distance[tile, blank] - self.distance[tile, cell]


@problem
class PlainTiles(NamedTuple):
    """The same puzzle with nothing but what is needed: no undo, inverse, preview."""

    cells: int
    neighbour: np.ndarray
    distance: np.ndarray

    move_names = "ULRD"

    apply = Tiles.apply
    is_goal = Tiles.is_goal
    lower_bound = Tiles.lower_bound

    def state(self, values):
        return np.array(values, np.int8)


def tiles(width, height, kind=Tiles):
    """The puzzle on a board of this size."""
    cells = width * height
    neighbour = np.full((cells, 4), -1, np.int8)
    for cell in range(cells):
        row, column = divmod(cell, width)
        for move, (down, right) in enumerate([(-1, 0), (0, -1), (0, 1), (1, 0)]):
            if 0 <= row + down < height and 0 <= column + right < width:
                neighbour[cell, move] = cell + down * width + right
    return kind(cells, neighbour, manhattan(width, height))


def manhattan(width, height):
    """Table of distances: row = tile, column = cell where it lies."""
    cells = range(width * height)
    return np.array([[abs(a // width - b // width) + abs(a % width - b % width) for b in cells] for a in cells], np.int8)


def scrambled(puzzle, rng, moves, dtype=np.int8):
    """A state reached from the goal by random moves."""
    state = np.array([*range(puzzle.cells), 0], dtype)
    for _ in range(moves):
        puzzle.apply(state, rng.randrange(4))
    return state


@problem
class Pancakes(NamedTuple):
    """A stack of numbered pancakes, in order from the top in the goal; move k turns the upper k + 2 over and costs k + 1."""

    size: int

    def move_count(self):
        return self.size - 1

    def apply(self, state, move):
        i, j = 0, move + 1
        while i < j:
            upper, lower = state[i], state[j]
            state[i] = lower
            state[j] = upper
            i += 1
            j -= 1
        return move + 1

    def is_goal(self, state):
        in_place = 0
        for i in range(self.size):
            in_place += state[i] == i
        return in_place == self.size

    def state(self, values):
        return np.array(values, np.int8)


@problem(state=int)
class Switches(NamedTuple):
    """Lamps as bits of the state; switch k turns over the lamps of mask[k]. Switches commute, so one order is enough."""

    mask: np.ndarray
    price: np.ndarray
    goal: int

    def move_count(self):
        return self.mask.shape[0]

    def apply(self, state, move):
        return state ^ self.mask[move], self.price[move]

    def is_goal(self, state):
        return state == self.goal

    def follows(self, state, last, move):
        return move >= last

    def inverse(self, move):
        return move


@problem(state=int)
class Line(NamedTuple):
    """Whole numbers from `low` to `high`; forward and back by `stride`. With room enough a search runs for hours."""

    goal: int
    low: int
    high: int
    stride: int
    forward_cost: int
    back_cost: int

    move_names = ("forward", "back")

    def apply(self, state, move):
        if move == 0:
            if state > self.high - self.stride:
                return state, ILLEGAL
            return state + self.stride, self.forward_cost
        if state < self.low + self.stride:
            return state, ILLEGAL
        return state - self.stride, self.back_cost

    def is_goal(self, state):
        return state == self.goal

    def lower_bound(self, state):
        return 0


def numbers(goal, high=1 << 40, low=0, stride=1, forward_cost=1, back_cost=1):
    """A Line."""
    return Line(goal, low, high, stride, forward_cost, back_cost)


def shuffled(size, seed):
    """A permutation as an array of int8."""
    values = list(range(size))
    random.Random(seed).shuffle(values)
    return np.array(values, np.int8)
