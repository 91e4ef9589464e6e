"""Pictures of push-box: the board, and for an answer one board for each push with the walk that leads to it."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.push_box import Answer, Cell, Instance, Position, Step, steps
from bestfirst.result import Status

#: Of longer answers only so many boards are drawn as SVG.
MOST_BOARDS = 60

_UNIT, _MARGIN, _TITLE, _CAPTION, _GAP = 18, 14, 30, 18, 16  # pixels
_ACROSS = 1200  #: boards are put side by side up to this width
_COLORS = {"S": "\x1b[1;34m", "+": "\x1b[1;34m", "B": "\x1b[1;33m", "*": "\x1b[1;32m", "T": "\x1b[1;31m", "o": "\x1b[36m"}

_STYLE = (
    "text{font-family:system-ui,sans-serif;font-size:11px;fill:#37474f}"
    ".title{font-size:14px;font-weight:600}"
    ".floor{fill:#f5f1e6;stroke:#90a4ae}.wall{fill:#546e7a}"
    ".target{fill:none;stroke:#c62828;stroke-width:3}"
    ".box{fill:#ffb74d;stroke:#6d4c41;stroke-width:2}.man{fill:#1565c0}"
    ".trail{fill:none;stroke:#1565c0;stroke-width:2;stroke-dasharray:3 2}"
)


def text(instance: Instance, color: bool) -> str:
    """The board: # wall, . floor, S man, B box, T target, + man on target, * box on target."""
    return _text_board(instance, next(steps(instance, _NO_MOVES)), color)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The start, then the board after each push; the cells that the man walked through before it are marked o."""
    for step in steps(instance, answer):
        yield f"{_caption(step)}\n{_text_board(instance, step, color)}"


_NO_MOVES = Answer(status=Status.STOPPED, cost=None, bound=None, total=None, moves=None)


def _caption(step: Step) -> str:
    return f"push {step.number}: {step.moves}" if step.number else "start"


def _text_board(instance: Instance, step: Step, color: bool) -> str:
    target = instance.place("T+*")
    rows = [[cell if cell == "#" else "." for cell in row] for row in instance.cells]
    rows[target[0]][target[1]] = "T"
    for row, column in step.trail:
        rows[row][column] = "o"
    for (row, column), letter, on_target in ((step.position.man, "S", "+"), (step.position.box, "B", "*")):
        rows[row][column] = on_target if (row, column) == target else letter
    return "".join("".join(_shown(cell, color) for cell in line) + "\n" for line in rows)


def _shown(cell: str, color: bool) -> str:
    return f"{_COLORS[cell]}{cell}\x1b[0m" if color and cell in _COLORS else cell


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The board; with an answer one board for each push, the walk before it as a dashed line. The walls are drawn once."""
    shown = list(steps(instance, answer or _NO_MOVES))
    boards = shown[: MOST_BOARDS + 1]
    rows, columns = len(instance.cells), len(instance.cells[0])
    wide, high = max(columns * _UNIT, 90) + _GAP, rows * _UNIT + _CAPTION + _GAP
    across = max(1, min(len(boards), _ACROSS // wide))
    title = _title(instance, answer, len(boards) < len(shown))
    width = max(across * wide, 9 * len(title)) + 2 * _MARGIN
    height = -(-len(boards) // across) * high + _TITLE + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}</style>",
        f'<defs><g id="board">{"".join(_walls(instance))}</g></defs>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text class="title" x="{_MARGIN}" y="{_MARGIN + 12}">{title}</text>',
    ]
    for number, step in enumerate(boards):
        left = _MARGIN + number % across * wide
        top = _MARGIN + _TITLE + number // across * high
        caption = _caption(step) if answer is not None else ""
        parts.append(f'<g class="step" transform="translate({left} {top})"><text y="10">{caption}</text>')
        parts.append(f'<g transform="translate(0 {_CAPTION})"><use href="#board"/>')
        parts.extend([_trail(step.trail), *_pieces(step.position), "</g></g>"])
    return "\n".join([*parts, "</svg>"]) + "\n"


def _title(instance: Instance, answer: Answer | None, cut: bool) -> str:
    title = f"Push-box: {len(instance.cells)} × {len(instance.cells[0])}"
    if answer is None:
        return title
    if answer.moves is None:
        return f"{title}, {'impossible' if answer.status is Status.INFEASIBLE else f'at least {answer.bound} pushes (stopped)'}"
    return f"{title}, {answer.cost} pushes, {answer.total} moves" + (f" (drawn: the first {MOST_BOARDS} pushes)" if cut else "")


def _walls(instance: Instance) -> Iterator[str]:
    """Floor, target, and a rectangle for each run of walls in a row."""
    rows, columns = len(instance.cells), len(instance.cells[0])
    yield f'<rect class="floor" width="{columns * _UNIT}" height="{rows * _UNIT}"/>'
    row, column = instance.place("T+*")
    yield f'<circle class="target" cx="{_middle(column)}" cy="{_middle(row)}" r="6"/>'
    for row, cells in enumerate(instance.cells):
        column = cells.find("#")
        while column >= 0:
            length = len(cells[column:]) - len(cells[column:].lstrip("#"))
            place = f'x="{column * _UNIT}" y="{row * _UNIT}"'
            yield f'<rect class="wall" {place} width="{length * _UNIT}" height="{_UNIT}"/>'
            column = cells.find("#", column + length)


def _trail(trail: tuple[Cell, ...]) -> str:
    points = " ".join(f"{_middle(column)},{_middle(row)}" for row, column in trail)
    return f'<polyline class="trail" points="{points}"/>' if len(trail) > 1 else ""


def _pieces(position: Position) -> Iterator[str]:
    row, column = position.box
    side = _UNIT - 6
    yield f'<rect class="box" x="{column * _UNIT + 3}" y="{row * _UNIT + 3}" width="{side}" height="{side}" rx="2"/>'
    row, column = position.man
    yield f'<circle class="man" cx="{_middle(column)}" cy="{_middle(row)}" r="5"/>'


def _middle(cell: int) -> int:
    return cell * _UNIT + _UNIT // 2
