"""Pictures of a rolling block: the map, and the map after each roll; the cells under the block are @."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.rolling_block import Answer, Instance, Step, steps
from bestfirst.render.boards import Cell, Panel, boards_svg, corner
from bestfirst.result import Status

_BLOCK = "@"
_FILLS = {"#": "#455a64", ".": "#eceff1", "E": "#ffcc80", "X": "#cfd8dc", "O": "#a5d6a7", _BLOCK: "#64b5f6"}
_DIRECTIONS = {"L": "left", "R": "right", "U": "up", "D": "down"}


def text(instance: Instance, color: bool) -> str:
    """The map, one line a row; on a terminal start and goal stand out."""
    board = "\n".join(instance.cells) + "\n"
    return _highlighted(board, "XO") if color else board


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """A caption and the map for the start and after each roll."""
    for number, step in enumerate(steps(instance, answer)):
        board = "\n".join(_with_block(instance, step)) + "\n"
        yield f"{_caption(number, step, answer)}\n{_highlighted(board, _BLOCK) if color else board}"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The map, with an answer the map after each roll, side by side."""
    rows, columns = len(instance.cells), len(instance.cells[0])
    title = f"Rolling block: {rows} × {columns}"
    panels: Iterator[Panel]
    if answer is None:
        panels = iter([Panel("X start, O goal, E fragile", [_drawn_row(row) for row in corner(instance.cells)])])
    else:
        panels = (_panel(instance, number, step, answer) for number, step in enumerate(steps(instance, answer)))
    return boards_svg(title, (rows, columns), panels)


def _panel(instance: Instance, number: int, step: Step, answer: Answer) -> Panel:
    rows = _with_block(instance, step)
    return Panel(_caption(number, step, answer), [_drawn_row(row) for row in corner(rows)])


def _drawn_row(row: str) -> list[Cell]:
    return [(_FILLS[cell], cell if cell in "EXO@" else "") for cell in row]


def _with_block(instance: Instance, step: Step) -> list[str]:
    """The rows with the block in its place."""
    rows = list(instance.cells)
    for i, j in step.under:
        rows[i] = f"{rows[i][:j]}{_BLOCK}{rows[i][j + 1 :]}"
    return rows


def _caption(number: int, step: Step, answer: Answer) -> str:
    if step.roll is not None:
        return f"roll {number}: {_DIRECTIONS[step.roll]}"
    if answer.status is Status.INFEASIBLE:
        return "start; the goal cannot be reached"
    return "start" if answer.cost is not None else f"start; at least {answer.bound} rolls are needed"


def _highlighted(board: str, letters: str) -> str:
    for letter in letters:
        board = board.replace(letter, f"\x1b[7m{letter}\x1b[0m")
    return board
