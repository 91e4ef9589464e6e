"""Pictures of sliding tiles: boards for a terminal, and SVG with one board for each step."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bestfirst.catalogue.sliding_tiles import Answer, Instance, Step, steps
from bestfirst.result import Status

_WAYS = {"u": "up", "d": "down", "l": "left", "r": "right"}

_UNIT, _MARGIN, _GAP, _TITLE, _CAPTION = 30, 14, 18, 30, 18  # pixels
_NARROWEST = 70  # pixels: room for a caption below a narrow board
_HOME, _AWAY = "#b8dcc0", "#f3ead2"

_NO_MOVES = Answer(status=Status.FEASIBLE, cost=None, bound=None, moves="")


def text(instance: Instance, color: bool) -> str:
    """The board, one line a row, `·` for the blank; with `color`, tiles at home stand out."""
    return _text_board(next(steps(instance, _NO_MOVES)), color)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """Yield the board at the start and after each move, under a line that names it; or why there are no moves."""
    if answer.status is Status.INFEASIBLE:
        yield f"unsolvable: {answer.reason or 'the tiles cannot be put in order'}\n"
        return
    for number, step in enumerate(steps(instance, answer)):
        head = "start" if step.move is None else f"move {number}: {_WAYS[step.move]}"
        yield f"{head}\n{_text_board(step, color)}"


def _text_board(step: Step, color: bool) -> str:
    width = len(str(len(step.board) * len(step.board[0]) - 1))
    lines = []
    for row, tiles in enumerate(step.board):
        cells = (_text_cell(tile, row * len(tiles) + column + 1, width, color) for column, tile in enumerate(tiles))
        lines.append(" ".join(cells) + "\n")
    return "".join(lines)


def _text_cell(tile: int, home: int, width: int, color: bool) -> str:
    shown = f"{tile or '·':>{width}}"
    return f"\x1b[1;32m{shown}\x1b[0m" if color and tile == home else shown


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The board as a complete SVG document; with an answer the boards after all moves too. Tiles at home are green."""
    shown = list(steps(instance, answer or _NO_MOVES))
    rows, columns = instance.rows, instance.columns
    title = f"Sliding tiles, {rows} × {columns}{_outcome(answer)}"
    width, height = max(columns * _UNIT, _NARROWEST) + _GAP, rows * _UNIT + _CAPTION + _GAP
    across = min(len(shown), max(1, round(math.sqrt(1.6 * len(shown) * height / width))))
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
        parts += [f'<g transform="translate({left} {top})">', *_svg_board(step), _caption(number, step, rows, columns), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _outcome(answer: Answer | None) -> str:
    if answer is None:
        return ""
    if answer.status is Status.INFEASIBLE:
        return ": cannot be put in order"
    if answer.cost is None:
        return f": at least {answer.bound} moves"
    return f": {answer.cost} {'move' if answer.cost == 1 else 'moves'}"


def _svg_board(step: Step) -> Iterator[str]:
    rows, columns = len(step.board), len(step.board[0])
    yield f'<rect class="board" width="{columns * _UNIT}" height="{rows * _UNIT}" rx="3" fill="#5d4a37"/>'
    for row, tiles in enumerate(step.board):
        for column, tile in enumerate(tiles):
            if tile == 0:
                continue
            x, y = column * _UNIT, row * _UNIT
            fill = _HOME if tile == row * columns + column + 1 else _AWAY
            edge = ' stroke="#b3261e" stroke-width="2"' if step.left == (row, column) else ""
            side = _UNIT - 3
            yield f'<rect class="tile" x="{x + 1.5}" y="{y + 1.5}" width="{side}" height="{side}" rx="4" fill="{fill}"{edge}/>'
            yield f'<text class="number" x="{x + _UNIT / 2:g}" y="{y + 19}" fill="#1a1a1a">{tile}</text>'


def _caption(number: int, step: Step, rows: int, columns: int) -> str:
    caption = "start" if step.move is None else f"{number}. {_WAYS[step.move]}"
    x, y = columns * _UNIT / 2, rows * _UNIT + 14
    return f'<text class="caption" x="{x:g}" y="{y}" font-size="11" fill="#37474f">{caption}</text>'
