"""Pictures of the Mayan game: boards as terminal text and SVG, y upwards, one board for every sub-step of an answer.

A block shows its colour's number, so that no picture relies on colour alone. Marked blocks are in brackets (text) or framed
(SVG): the two cells of a move, or the runs that are about to vanish.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bestfirst.catalogue.mayan_game import Answer, Instance, Move, Phase, Step, steps
from bestfirst.result import Status

#: Fill of colours 1 to 15 (beyond, they repeat), as SVG and as one of the terminal's 256 colours; all light enough for dark ink.
_FILLS = (
    ("#f28e2b", 208), ("#76b7e5", 110), ("#ffd94a", 221), ("#7fc97f", 114), ("#f4a3c1", 218),
    ("#c5a5e0", 183), ("#c9b18b", 180), ("#5fd3c4", 79), ("#ff8a80", 210), ("#cfd8dc", 252),
    ("#b5d33d", 149), ("#8fa8ff", 111), ("#e6c8ff", 225), ("#ffc9a3", 223), ("#a8e6ff", 159),
)  # fmt: skip

_CAPTIONS = {Phase.START: "start", Phase.FELL: "blocks fall", Phase.RUNS: "these vanish"}


def text(instance: Instance, color: bool) -> str:
    """The board; with `color`, blocks have a coloured ground (ANSI, 256 colours)."""
    return _text_board(next(iter(steps(instance, _NO_MOVES))), color)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """Every sub-step: a caption and the board."""
    for step in steps(instance, answer):
        yield f"{_caption(step, answer)}\n{_text_board(step, color)}"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The board, or with an answer every sub-step side by side, as one self-contained SVG document."""
    shown = answer or _NO_MOVES
    return _svg_document(list(steps(instance, shown)), shown)


_NO_MOVES = Answer(status=Status.FEASIBLE, moves=())


def _caption(step: Step, answer: Answer) -> str:
    if step.phase is Phase.MOVED and answer.moves is not None:
        x, y, g = answer.moves[step.number - 1]
        return f"move {step.number}: ({x}, {y}) {'right' if g == 1 else 'left'}"
    if not any(map(any, step.board)):
        return "cleared"
    return _CAPTIONS[step.phase]


# --- text ---------------------------------------------------------------------------------------------------------------


def _text_board(step: Step, color: bool) -> str:
    board, marked = step.board, set(step.marked)
    width = max(len(str(colour)) for column in board for colour in column)
    rows = range(len(board[0]) - 1, -1, -1)
    label = len(str(len(rows) - 1))
    lines = [
        f"{y:{label}} " + "".join(_text_cell(board[x][y], width, (x, y) in marked, color) for x in range(len(board))).rstrip()
        for y in rows
    ]
    foot = " " * (label + 1) + "".join(f" {x:>{width}} " for x in range(len(board))).rstrip()
    return "\n".join([*lines, foot]) + "\n"


def _text_cell(colour: int, width: int, marked: bool, color: bool) -> str:
    symbol = f"{colour or '.':>{width}}"
    cell = f"[{symbol}]" if marked else f" {symbol} "
    if not color or colour == 0:
        return cell
    return f"\x1b[38;5;16;48;5;{_fill(colour)[1]}m{cell}\x1b[0m"


def _fill(colour: int) -> tuple[str, int]:
    return _FILLS[(colour - 1) % len(_FILLS)]


# --- SVG ----------------------------------------------------------------------------------------------------------------

_CELL, _GAP, _CAPTION, _LABEL = 30, 26, 24, 16
_PANELS_A_ROW = 6

_STYLE = (
    "text{font-family:system-ui,sans-serif;font-size:12px;fill:#37474f;text-anchor:middle}"
    ".caption{font-size:13px;font-weight:600}"
    ".board{fill:#fafafa;stroke:#b0bec5}"
    ".block{stroke:#0000002e}"
    ".number{fill:#1a1a1a;font-weight:600}"
    ".moved{fill:none;stroke:#1a1a1a;stroke-width:2.5}"
    ".runs{fill:none;stroke:#c62828;stroke-width:2.5;stroke-dasharray:4 2}"
    ".arrow{fill:none;stroke:#1a1a1a;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}"
)


def _svg_document(shown: Collection[Step], answer: Answer) -> str:
    board = next(iter(shown)).board
    columns, rows = len(board), len(board[0])
    panel_width = max(columns * _CELL + _LABEL, 130) + _GAP
    panel_height = rows * _CELL + _CAPTION + _LABEL + _GAP
    across = min(len(shown), _PANELS_A_ROW)
    width, height = across * panel_width + _GAP, -(-len(shown) // across) * panel_height + _GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>Mayan game: {columns} columns, {rows} rows</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for number, step in enumerate(shown):
        left = _GAP + number % across * panel_width
        top = _GAP + number // across * panel_height
        parts.append(f'<g transform="translate({left} {top})">')
        parts.extend(_panel(step, _caption(step, answer), _arrow_of(step, answer)))
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _arrow_of(step: Step, answer: Answer) -> Move | None:
    return answer.moves[step.number - 1] if step.phase is Phase.MOVED and answer.moves is not None else None


def _panel(step: Step, caption: str, arrow: Move | None) -> Iterator[str]:
    columns, rows = len(step.board), len(step.board[0])
    yield f'<text class="caption" x="{_LABEL + columns * _CELL / 2:g}" y="10">{caption}</text>'
    yield f'<rect class="board" x="{_LABEL}" y="{_CAPTION}" width="{columns * _CELL}" height="{rows * _CELL}" rx="5"/>'
    for x in range(columns):
        yield f'<text x="{_middle(x):g}" y="{_CAPTION + rows * _CELL + 14}">{x}</text>'
    for y in range(rows):
        yield f'<text x="7" y="{_baseline(rows, y):g}">{y}</text>'
    for x, column in enumerate(step.board):
        for y, colour in enumerate(column):
            if colour:
                yield _square("block", x, rows - 1 - y, f' fill="{_fill(colour)[0]}"')
                yield f'<text class="number" x="{_middle(x):g}" y="{_baseline(rows, y):g}">{colour}</text>'
    for x, y in step.marked:
        yield _square(step.phase.value, x, rows - 1 - y, "")
    if arrow is not None:
        yield _arrow(arrow, rows)


def _middle(x: int) -> float:
    return _LABEL + (x + 0.5) * _CELL


def _baseline(rows: int, y: int) -> float:
    return _CAPTION + (rows - 0.5 - y) * _CELL + 4


def _square(kind: str, x: int, row: int, attributes: str) -> str:
    left, top, side = _LABEL + x * _CELL + 2, _CAPTION + row * _CELL + 2, _CELL - 4
    return f'<rect class="{kind}" x="{left}" y="{top}" width="{side}" height="{side}" rx="5"{attributes}/>'


def _arrow(move: Move, rows: int) -> str:
    """From the old cell of the moved block to its new one, along the lower edge of both."""
    x, y, g = move
    height = _CAPTION + (rows - y) * _CELL - 7
    start, end = _middle(x), _middle(x + g)
    return f'<path class="arrow" d="M{start:g} {height}H{end:g}m{-3 * g} -3l{3 * g} 3l{-3 * g} 3"/>'
