"""Pictures of circuit repair: the board with its wires, and the tiles that an answer turns."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.circuit_repair import Answer, Instance, Step, steps
from bestfirst.result import Status

#: Of larger boards only the corner of so many rows and columns is drawn as SVG.
MOST_DRAWN = 100

_UNIT, _MARGIN, _TITLE = 24, 14, 28  # pixels

_STYLE = (
    ".title{font-family:system-ui,sans-serif;font-size:14px;font-weight:600}"
    ".tile{fill:#fafafa;stroke:#cfd8dc}.tile.turned{fill:#ffe0b2}"
    "line{stroke:#37474f;stroke-width:2.5;stroke-linecap:round}line.turned{stroke:#c62828}"
    ".end{fill:#2e7d32}"
)


def text(instance: Instance, color: bool) -> str:
    """The board, one line a row."""
    return "".join(f"{row}\n" for row in instance.cells)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The board, and after each turn again; on a terminal the tile just turned stands out."""
    for number, step in enumerate(steps(instance, answer)):
        caption = "start" if step.turned is None else "turn {}: row {}, column {}".format(number, *step.turned)
        yield f"{caption}\n{_text_board(step, color)}"
    if answer.turned is None:
        yield f"{_found(answer)}\n"


def _text_board(step: Step, color: bool) -> str:
    lines = list(step.cells)
    if color and step.turned is not None:
        row, column = step.turned
        line = lines[row - 1]
        lines[row - 1] = f"{line[: column - 1]}\x1b[7m{line[column - 1]}\x1b[0m{line[column:]}"
    return "".join(f"{line}\n" for line in lines)


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The board; with an answer as it is when all its tiles are turned, those in red on orange."""
    rows, columns = len(instance.cells), len(instance.cells[0])
    title = f"Circuit repair: {rows} × {columns} tiles"
    cells, turned = instance.cells, frozenset[tuple[int, int]]()
    if answer is not None:
        title += f", {_found(answer)}"
        turned = frozenset(answer.turned or ())
        *_, last = steps(instance, answer)
        cells = last.cells
    shown = [row[:MOST_DRAWN] for row in cells[:MOST_DRAWN]]
    if max(rows, columns) > MOST_DRAWN:
        title += f" (drawn: the first {len(shown)} × {len(shown[0])})"
    width = max(len(shown[0]) * _UNIT, 9 * len(title)) + 2 * _MARGIN
    height = len(shown) * _UNIT + _TITLE + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text class="title" x="{_MARGIN}" y="{_MARGIN + 12}">{title}</text>',
        f'<g transform="translate({_MARGIN} {_MARGIN + _TITLE})">',
    ]
    for row, line in enumerate(shown):
        for column, tile in enumerate(line):
            parts.append(_tile(row, column, tile, (row + 1, column + 1) in turned))
    parts.append('<circle class="end" cx="0" cy="0" r="5"/>')
    if len(shown) == rows and len(shown[0]) == columns:
        parts.append(f'<circle class="end" cx="{columns * _UNIT}" cy="{rows * _UNIT}" r="5"/>')
    return "\n".join([*parts, "</g>", "</svg>"]) + "\n"


def _tile(row: int, column: int, tile: str, is_turned: bool) -> str:
    x, y, kind = column * _UNIT, row * _UNIT, " turned" if is_turned else ""
    left, right = (x, x + _UNIT) if tile == "\\" else (x + _UNIT, x)
    line = f'<line class="wire{kind}" x1="{left}" y1="{y}" x2="{right}" y2="{y + _UNIT}"/>'
    return f'<rect class="tile{kind}" x="{x}" y="{y}" width="{_UNIT}" height="{_UNIT}"/>{line}'


def _found(answer: Answer) -> str:
    if answer.status is Status.INFEASIBLE:
        return "no solution"
    return f"{answer.cost} to turn" if answer.cost is not None else f"at least {answer.bound} to turn"
