"""Pictures of sudoku 16 × 16: those of sudoku, with letters A to P."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue import sudoku
from bestfirst.catalogue.sudoku_16 import LETTERS, Answer, Instance, plain, plain_answer
from bestfirst.render.sudoku import grid_svg, grid_text, outcome, title_of


def text(instance: Instance, color: bool) -> str:
    """The grid, a blank between cells, bars between boxes; a line names two givens that exclude each other."""
    fault = sudoku.conflict(plain(instance))
    lines = "" if fault is None else f"{fault}\n"
    return grid_text(plain(instance), plain(instance).cells, color, LETTERS) + lines


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The grid filled, the givens bold; and how many solutions there are, when that was counted. There are no steps."""
    grid, found = plain(instance), plain_answer(answer)
    yield grid_text(grid, found.cells or grid.cells, color, LETTERS) + f"{outcome(grid, found)}\n"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The grid as a complete SVG document; with an answer what was found in blue."""
    found = None if answer is None else plain_answer(answer)
    return grid_svg(title_of(plain(instance), found), plain(instance), None if found is None else found.cells, LETTERS)
