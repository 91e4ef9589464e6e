"""Pictures of milkweed: the field with M at the start, and the field week by week; @ is taken that week, x was before."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.milkweed import Answer, Instance, steps
from bestfirst.render.boards import MOST_DRAWN, Cell, Panel, boards_svg, corner
from bestfirst.result import Status

_FILLS = {"*": "#607d8b", ".": "#dcedc8", "M": "#ce93d8"}
_EARLY, _LATE = (206, 147, 216), (248, 236, 250)


def text(instance: Instance, color: bool) -> str:
    """The field, the top row first; on a terminal the start stands out."""
    board = "".join(f"{row}\n" for row in _with_start(instance))
    return board.replace("M", "\x1b[7mM\x1b[0m") if color else board


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """A caption and the field for each week; the caption of the first says when the answer is not known."""
    columns = len(instance.cells[0])
    letters = [list(row) for row in instance.cells]
    before: list[tuple[int, int]] = []
    for week, taken in steps(instance, answer):
        for row, column in before:
            letters[row][column] = "x"
        before = [divmod(cell, columns) for cell in taken.tolist()]
        for row, column in before:
            letters[row][column] = "@"
        board = "".join("".join(row) + "\n" for row in letters)
        note = "" if week or answer.status is Status.OPTIMAL else f"; the search was stopped, at least {answer.bound} weeks"
        yield f"week {week}{note}\n{board.replace('@', chr(27) + '[7m@' + chr(27) + '[0m') if color else board}"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The field; with an answer each cell with the week in which it is taken, the later the lighter."""
    shape = len(instance.cells), len(instance.cells[0])
    drawn = [[_cell(letter) for letter in row] for row in corner(_with_start(instance))]
    caption = "M start, * rock"
    if answer is not None:
        caption = f"{answer.cost} weeks" if answer.cost is not None else f"at least {answer.bound} weeks"
        weeks = list(steps(instance, answer))
        for week, taken in weeks:
            fill = "#{:02x}{:02x}{:02x}".format(
                *(round(a + week / len(weeks) * (b - a)) for a, b in zip(_EARLY, _LATE, strict=True))
            )
            for row, column in (divmod(cell, shape[1]) for cell in taken.tolist()):
                if row < MOST_DRAWN and column < MOST_DRAWN:
                    drawn[row][column] = (fill, str(week))
    return boards_svg(f"Milkweed: {shape[0]} × {shape[1]}", shape, [Panel(caption, drawn)])


def _with_start(instance: Instance) -> list[str]:
    rows = list(instance.cells)
    row = rows[-instance.y]
    rows[-instance.y] = f"{row[: instance.x - 1]}M{row[instance.x :]}"
    return rows


def _cell(letter: str) -> Cell:
    return _FILLS[letter], "" if letter == "." else letter
