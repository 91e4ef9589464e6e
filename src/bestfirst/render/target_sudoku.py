"""Pictures of target sudoku: those of sudoku, with the sum."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue import sudoku
from bestfirst.catalogue.target_sudoku import Answer, Instance
from bestfirst.render.sudoku import grid_svg, grid_text
from bestfirst.result import Status


def text(instance: Instance, color: bool) -> str:
    """The grid, a blank between cells, bars between boxes; a line names two givens that exclude each other."""
    fault = sudoku.conflict(_plain(instance))
    return grid_text(_plain(instance), instance.cells, color) + ("" if fault is None else f"{fault}\n")


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The grid filled, the givens bold, and its sum. There are no steps."""
    yield grid_text(_plain(instance), answer.cells or instance.cells, color) + f"{_outcome(answer)}\n"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The grid as a complete SVG document; with an answer what was found in blue, and the sum above."""
    title = "Target sudoku" + ("" if answer is None else f": {_outcome(answer)}")
    return grid_svg(title, _plain(instance), None if answer is None else answer.cells, sudoku.LETTERS)


def _plain(instance: Instance) -> sudoku.Instance:
    return sudoku.Instance(cells=instance.cells)


def _outcome(answer: Answer) -> str:
    if answer.status is Status.INFEASIBLE:
        return "no solution"
    if answer.cost is None:
        return f"not known, at most {answer.bound}"
    return f"sum {answer.cost}" + ("" if answer.status is Status.OPTIMAL else f", at most {answer.bound} is possible")
