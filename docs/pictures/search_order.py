"""Draw in which order each engine expands the cells of one small map: python docs/pictures/search_order.py

The numbers are those of the real searches, in the tier of plain values: a cell is counted when its moves are first asked for.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any
from unittest import mock

from bestfirst import plain
from bestfirst.plain import bidirectional

MAP = """\
.........
....~#...
.S..~#.G.
....~#...
.........
"""
# S start, G goal, # wall; entering a ~ costs 3, any other cell 1.

CELL = 34
HERE = pathlib.Path(__file__).parent
ROWS = MAP.split()
START, GOAL = ((r, row.index(sign)) for sign in "SG" for r, row in enumerate(ROWS) if sign in row)

Cell = tuple[int, int]


def neighbours(cell: Cell) -> list[tuple[str, Cell, int]]:
    """The moves up, left, right, down."""
    row, column = cell
    steps = {"up": (row - 1, column), "left": (row, column - 1), "right": (row, column + 1), "down": (row + 1, column)}
    return [
        (name, (r, c), 3 if ROWS[r][c] == "~" else 1)
        for name, (r, c) in steps.items()
        if 0 <= r < len(ROWS) and 0 <= c < len(ROWS[0]) and ROWS[r][c] != "#"
    ]


def equal_costs(cell: Cell) -> list[tuple[str, Cell, int]]:
    """The same where every move costs 1."""
    return [(name, other, 1) for name, other, _ in neighbours(cell)]


def free_or_one(cell: Cell) -> list[tuple[str, Cell, int]]:
    """The same where entering a ~ costs 1 and every other move nothing."""
    return [(name, other, int(cost == 3)) for name, other, cost in neighbours(cell)]


def costs_back(cell: Cell) -> list[tuple[str, Cell, int]]:
    """The cells before this one: as many as after it, at the cost of entering this one."""
    return [(name, other, 3 if ROWS[cell[0]][cell[1]] == "~" else 1) for name, other, _ in neighbours(cell)]


def is_goal(cell: Cell) -> bool:
    """The one cell marked G."""
    return cell == GOAL


def distance(cell: Cell, end: Cell = GOAL) -> int:
    """Steps to the goal, or another cell, if there were no walls."""
    return abs(cell[0] - end[0]) + abs(cell[1] - end[1])


def distance_from_start(cell: Cell) -> int:
    """Steps from the start if there were no walls."""
    return distance(cell, START)


Moves = Callable[[Cell], list[tuple[str, Cell, int]]]

#: A search, and the rules of its moves, forward and where it has them backward.
ENGINES: dict[str, tuple[Callable[..., Any], *tuple[Moves, ...]]] = {
    "breadth_first": (lambda moves: plain.breadth_first(START, moves, is_goal), equal_costs),
    "uniform_cost": (lambda moves: plain.uniform_cost(START, moves, is_goal), neighbours),
    "zero_one_breadth_first": (lambda moves: plain.zero_one_breadth_first(START, moves, is_goal), free_or_one),
    "a_star": (lambda moves: plain.a_star(START, moves, is_goal, distance), neighbours),
    "weighted_a_star": (lambda moves: plain.weighted_a_star(START, moves, is_goal, distance, 3), neighbours),
    "depth_first": (lambda moves: plain.depth_first(START, moves, is_goal, 40), equal_costs),
    "iterative_deepening": (lambda moves: plain.iterative_deepening(START, moves, is_goal), equal_costs),
    "ida_star": (lambda moves: plain.ida_star(START, moves, is_goal, distance), equal_costs),
    "branch_and_bound": (lambda moves: plain.branch_and_bound(START, moves, is_goal, distance), equal_costs),
    "bidirectional_breadth_first": (
        lambda moves, back: plain.bidirectional_breadth_first(START, moves, GOAL, back),
        equal_costs,
        equal_costs,
    ),
    "bidirectional_a_star": (
        lambda moves, back: plain.bidirectional_a_star(START, moves, GOAL, back, distance, distance_from_start),
        neighbours,
        costs_back,
    ),
}


def order(name: str) -> tuple[dict[Cell, int], list[Cell]]:
    """When each cell was first expanded, counted from 1, and the cells on the way found."""
    engine, *rules = ENGINES[name]
    first: dict[Cell, int] = {}

    def noted(moves: Moves) -> Moves:
        def asked(cell: Cell) -> list[tuple[str, Cell, int]]:
            first.setdefault(cell, len(first) + 1)
            return moves(cell)

        return asked

    # The engines that search from both ends also ask to see whether moves can be taken back: those are no expansions.
    with mock.patch.object(bidirectional, "TRIED_STATES", 0):
        solution = engine(*map(noted, rules))
    way = [START]
    for move in solution.moves:
        way.append(next(cell for name, cell, _ in neighbours(way[-1]) if name == move))
    return first, way


def svg(name: str) -> str:
    """The map with the numbers, the later the darker, and the way found."""
    first, way = order(name)
    width, height = CELL * len(ROWS[0]), CELL * len(ROWS)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">']
    for r, row in enumerate(ROWS):
        for c, sign in enumerate(row):
            number = first.get((r, c))
            shade = 0 if number is None else 0.15 + 0.6 * number / len(first)
            fill = "#444" if sign == "#" else "#fff" if number is None else f"rgba(30,110,180,{shade:.2f})"
            parts.append(f'<rect x="{c * CELL}" y="{r * CELL}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="#999"/>')
            text = sign if sign in "SG" else str(number or sign.replace("#", "").replace(".", ""))
            size = 15 if sign in "SG" else 12
            place = f'x="{c * CELL + CELL // 2}" y="{r * CELL + CELL // 2 + 5}"'
            parts.append(f'<text {place} font-family="sans-serif" font-size="{size}" text-anchor="middle">{text}</text>')
    points = " ".join(f"{c * CELL + CELL // 2},{r * CELL + CELL // 2}" for r, c in way)
    parts.append(f'<polyline points="{points}" fill="none" stroke="#d33" stroke-width="3" stroke-opacity="0.7"/>')
    return "\n".join([*parts, "</svg>\n"])


if __name__ == "__main__":
    for name in ENGINES:
        (HERE / f"{name}.svg").write_text(svg(name), encoding="utf-8")
