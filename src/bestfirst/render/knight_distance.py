"""Pictures of a knight's way: the board, and the board after each move; the knight is @, and x where it has been."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.knight_distance import Answer, Instance, steps
from bestfirst.render.boards import MOST_DRAWN, Cell, Panel, boards_svg, corner
from bestfirst.result import Status

_KNIGHT, _PAST = "@", "x"
_FILLS = {"*": "#607d8b", ".": "#eceff1", "K": "#90caf9", "H": "#a5d6a7", _PAST: "#bbdefb", _KNIGHT: "#64b5f6"}


def text(instance: Instance, color: bool) -> str:
    """The board, one line a row; on a terminal K and H stand out."""
    board = "\n".join(instance.cells) + "\n"
    return _highlighted(board, "KH") if color else board


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """A caption and the board for the start and after each move."""
    rows = [list(row) for row in instance.cells]
    last = None
    for number, step in enumerate(steps(instance, answer)):
        if last is not None:
            rows[last[0]][last[1]] = _PAST
        last = step.row, step.column
        rows[step.row][step.column] = _KNIGHT
        board = "".join("".join(row) + "\n" for row in rows)
        yield f"{_caption(number, step.hour, answer)}\n{_highlighted(board, _KNIGHT) if color else board}"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The board; with an answer the numbers of the moves stand where they lead."""
    shape = len(instance.cells), len(instance.cells[0])
    drawn = [[_cell(letter) for letter in row] for row in corner(instance.cells)]
    caption = "K knight, H goal"
    if answer is not None:
        caption = _caption(0, None, answer) if answer.hours is None else f"{answer.cost} moves"
        for number, step in enumerate(steps(instance, answer)):
            if number and step.row < MOST_DRAWN and step.column < MOST_DRAWN:
                drawn[step.row][step.column] = (_FILLS[_PAST if number != answer.cost else "H"], str(number))
    return boards_svg(f"Knight distance: {shape[0]} × {shape[1]}", shape, [Panel(caption, drawn)])


def _cell(letter: str) -> Cell:
    return _FILLS[letter], "" if letter == "." else letter


def _caption(number: int, hour: int | None, answer: Answer) -> str:
    if hour is not None:
        return f"move {number}: {hour} o'clock"
    if answer.status is Status.INFEASIBLE:
        return "start; the goal cannot be reached"
    return "start" if answer.cost is not None else f"start; at least {answer.bound} moves are needed"


def _highlighted(board: str, letters: str) -> str:
    for letter in letters:
        board = board.replace(letter, f"\x1b[7m{letter}\x1b[0m")
    return board
