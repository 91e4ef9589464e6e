"""Pictures of the rotation game: boards for a terminal, and SVG with one board for each step."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.rotation_game import Answer, Instance, Step, steps
from bestfirst.result import Status

_WAYS = {
    "A": "left column up", "B": "right column up", "C": "upper row right", "D": "lower row right",
    "E": "right column down", "F": "left column down", "G": "lower row left", "H": "upper row left",
}  # fmt: skip

#: Of the numbers 1 to 3: fill in SVG, and one of the terminal's 256 colours. All are light enough for dark ink.
_FILLS = {1: ("#f6c177", 215), 2: ("#8ec5e8", 117), 3: ("#b5d99c", 150)}

_SIDE = 7
_UNIT, _MARGIN, _GAP, _TITLE, _CAPTION = 22, 14, 22, 30, 20  # pixels
_PANELS_A_ROW = 6

_NO_MOVES = Answer(status=Status.FEASIBLE, cost=0, bound=None, moves="", value=None)


def text(instance: Instance, color: bool) -> str:
    """The board in seven lines; with `color`, numbers have a coloured ground (ANSI, 256 colours)."""
    return _text_board(next(steps(instance, _NO_MOVES)), color)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """Yield the board at the start and after each move, under a line that names it."""
    for number, step in enumerate(steps(instance, answer)):
        head = "start" if step.move is None else f"move {number}: {step.move}, {_WAYS[step.move]}"
        yield f"{head}\n{_text_board(step, color)}"


def _text_board(step: Step, color: bool) -> str:
    lines = []
    for row in range(_SIDE):
        values = [step.board.get((row, column)) for column in range(_SIDE)]
        last = max(column for column, value in enumerate(values) if value is not None)
        lines.append(" ".join(_text_cell(value, color) for value in values[: last + 1]) + "\n")
    return "".join(lines)


def _text_cell(value: int | None, color: bool) -> str:
    if value is None:
        return " "
    return f"\x1b[38;5;16;48;5;{_FILLS[value][1]}m{value}\x1b[0m" if color else str(value)


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The board as a complete SVG document; with an answer the boards after all moves too, the line just turned framed."""
    shown = list(steps(instance, answer or _NO_MOVES))
    title = f"Rotation game{_outcome(answer)}"
    width, height = max(_SIDE * _UNIT, 150) + _GAP, _SIDE * _UNIT + _CAPTION + _GAP
    across = min(len(shown), _PANELS_A_ROW)
    whole_width = max(across * width - _GAP, 9 * len(title)) + 2 * _MARGIN
    whole_height = -(-len(shown) // across) * height + _TITLE + 2 * _MARGIN - _GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole_width} {whole_height}" width="{whole_width}" '
        f'height="{whole_height}" role="img" font-family="system-ui, sans-serif" font-size="12" text-anchor="middle">',
        f"<title>{title}</title>",
        f'<rect width="{whole_width}" height="{whole_height}" fill="#ffffff"/>',
        f'<text class="title" x="{_MARGIN}" y="{_MARGIN + 12}" text-anchor="start" font-size="14">{title}</text>',
    ]
    for number, step in enumerate(shown):
        left, top = _MARGIN + number % across * width, _MARGIN + _TITLE + number // across * height
        parts += [f'<g class="board" transform="translate({left} {top})">', *_svg_board(number, step), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _outcome(answer: Answer | None) -> str:
    if answer is None:
        return ""
    if answer.cost is None:
        return f": at least {answer.bound} moves"
    return f": {answer.cost} {'move' if answer.cost == 1 else 'moves'}"


def _svg_board(number: int, step: Step) -> Iterator[str]:
    side = _UNIT - 3
    for (row, column), value in step.board.items():
        x, y = column * _UNIT, row * _UNIT
        edge = ' stroke="#b3261e" stroke-width="2"' if (row, column) in step.line else ""
        fill = _FILLS[value][0]
        yield f'<rect class="cell" x="{x + 1.5}" y="{y + 1.5}" width="{side}" height="{side}" rx="4" fill="{fill}"{edge}/>'
        yield f'<text class="number" x="{x + _UNIT / 2:g}" y="{y + 15}" fill="#1a1a1a">{value}</text>'
    caption = "start" if step.move is None else f"{number}. {step.move}: {_WAYS[step.move]}"
    middle, below = _SIDE * _UNIT / 2, _SIDE * _UNIT + 15
    yield f'<text class="caption" x="{middle:g}" y="{below}" font-size="11" fill="#37474f">{caption}</text>'
