"""The techniques by which people solve a sudoku, from the easiest on: which one does a grid need?

candidates    for each cell the set of digits that it may still have
units         rows, columns and boxes: lists of cells

A technique is tried only where all easier ones are stuck, so the hardest one that was used is the answer. Plain sets, no speed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence

Candidates = list[set[str]]
Units = Sequence[Sequence[int]]

GUESSING = "guessing"

#: What is said of larger grids when EASY techniques do not do: the others look at too many combinations there.
HARDER = "more than locked candidates"
EASY = 3
_MOST_DIGITS = 9

#: Cells or digits in the largest subset, lines in the largest fish.
_LARGEST = 4


class _Grid:
    def __init__(self, cells: str, digits: str, units: Units) -> None:
        self.units = units
        self.digits = digits
        self.candidates: Candidates = [set(digits) for _ in cells]
        pairs = [(one, set(one) & set(other), set(other)) for one, other in itertools.permutations(units, 2)]
        self.crossings = [(one, shared, other - shared) for one, shared, other in pairs if len(shared) > 1]
        self.peers = [{peer for unit in units if cell in unit for peer in unit} - {cell} for cell in range(len(cells))]
        for cell, digit in enumerate(cells):
            if digit != ".":
                self.candidates[cell] = {digit}
        for cell, digit in enumerate(cells):
            if digit != ".":
                self.discard(self.peers[cell], {digit})

    def discard(self, cells: Iterable[int], digits: set[str]) -> bool:
        """Take digits out of cells; whether anything changed."""
        changed = [cell for cell in cells if self.candidates[cell] & digits]
        for cell in changed:
            self.candidates[cell] -= digits
        return bool(changed)

    def put(self, cell: int, digit: str) -> bool:
        """Settle a cell; whether anything changed."""
        changed = self.discard([cell], set(self.digits) - {digit})
        return self.discard(self.peers[cell], {digit}) or changed

    def places(self, unit: Sequence[int], digit: str) -> list[int]:
        """The cells of a unit that may have the digit."""
        return [cell for cell in unit if digit in self.candidates[cell]]

    def is_solved(self) -> bool:
        return all(len(candidates) == 1 for candidates in self.candidates)

    def is_broken(self) -> bool:
        return not all(self.candidates) or any(
            not self.places(unit, digit) for unit in self.units for digit in self.digits if len(unit) == len(self.digits)
        )


def _hidden_single(grid: _Grid) -> bool:
    for unit, digit in itertools.product(grid.units, grid.digits):
        places = grid.places(unit, digit)
        if len(places) == 1 and grid.put(places[0], digit):
            return True
    return False


def _naked_single(grid: _Grid) -> bool:
    return any(len(left) == 1 and grid.put(cell, min(left)) for cell, left in enumerate(grid.candidates))


def _locked(grid: _Grid) -> bool:
    """A digit that has places in one unit only where another one crosses it: the rest of the other one loses it."""
    for one, shared, rest in grid.crossings:
        for digit in grid.digits:
            places = grid.places(one, digit)
            if places and shared.issuperset(places) and grid.discard(rest, {digit}):
                return True
    return False


def _subset(grid: _Grid) -> bool:
    """So many cells with so many digits between them, or so many digits with so many cells: a pair, triple or quadruple."""
    for size, unit in itertools.product(range(2, _LARGEST + 1), grid.units):
        open_cells = [cell for cell in unit if len(grid.candidates[cell]) > 1]
        for cells in itertools.combinations(open_cells, size):
            digits = set().union(*(grid.candidates[cell] for cell in cells))
            if len(digits) == size and grid.discard(set(unit) - set(cells), digits):
                return True
        open_digits = sorted(set().union(*(grid.candidates[cell] for cell in open_cells)))
        for chosen in itertools.combinations(open_digits, size):
            places = {cell for digit in chosen for cell in grid.places(unit, digit)}
            if len(places) == size and grid.discard(places, set(grid.digits) - set(chosen)):
                return True
    return False


def _fish(grid: _Grid) -> bool:
    """A digit that in so many rows has places in as many columns only, or the other way round: X-wing, swordfish, jellyfish."""
    n = len(grid.digits)
    rows = [range(n * i, n * (i + 1)) for i in range(n)]
    columns = [range(i, n * n, n) for i in range(n)]
    for size, digit, (lines, across) in itertools.product(
        range(2, _LARGEST + 1), grid.digits, ((rows, columns), (columns, rows))
    ):
        held = [(line, {cell % n if lines is rows else cell // n for cell in grid.places(line, digit)}) for line in lines]
        for chosen in itertools.combinations([(line, at) for line, at in held if 2 <= len(at) <= size], size):
            crossed = set().union(*(at for _, at in chosen))
            if len(crossed) == size:
                inside = {cell for line, _ in chosen for cell in line}
                if grid.discard({cell for i in crossed for cell in across[i]} - inside, {digit}):
                    return True
    return False


def _trial(grid: _Grid) -> bool:
    """A digit from which singles alone lead to a contradiction."""
    for cell in sorted(range(len(grid.candidates)), key=lambda cell: len(grid.candidates[cell])):
        if len(grid.candidates[cell]) == 1:
            continue
        for digit in sorted(grid.candidates[cell]):
            before = [set(left) for left in grid.candidates]
            grid.put(cell, digit)
            while not (broken := grid.is_broken()) and (_naked_single(grid) or _hidden_single(grid)):
                pass
            grid.candidates = before
            if broken:
                return grid.discard([cell], {digit})
    return False


#: From the easiest on.
TECHNIQUES: dict[str, Callable[[_Grid], bool]] = {
    "hidden single": _hidden_single,
    "naked single": _naked_single,
    "locked candidates": _locked,
    "subset": _subset,
    "fish": _fish,
    "trial": _trial,
}


def hardest_technique(cells: str, digits: str, units: Units) -> str:
    """The hardest of TECHNIQUES that a grid with one solution needs; GUESSING when they do not solve it.

    On grids of more than 9 digits only the EASY first ones are tried: HARDER when they do not solve it.
    """
    grid = _Grid(cells, digits, units)
    is_large = len(digits) > _MOST_DIGITS
    techniques = list(TECHNIQUES.values())[: EASY if is_large else None]
    hardest = 0
    while not grid.is_solved():
        used = next((i for i, technique in enumerate(techniques) if technique(grid)), None)
        if used is None:
            return HARDER if is_large else GUESSING
        hardest = max(hardest, used)
    return list(TECHNIQUES)[hardest]
