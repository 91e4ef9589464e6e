"""Pictures of grid distances: the matrix, and the distances as numbers on colours that fade with them."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.grid_distance import Answer, Instance
from bestfirst.result import Status

#: Of larger matrices only the corner of so many rows and columns is drawn as SVG.
MOST_DRAWN = 100

_UNIT, _MARGIN, _TITLE = 26, 14, 28  # pixels
_NEAR, _FAR, _WALL, _UNKNOWN = (33, 102, 172), (247, 251, 255), "#424242", "#eeeeee"


def text(instance: Instance, color: bool) -> str:
    """The matrix, one line a row; on a terminal each 1 stands out."""
    on, off = ("\x1b[7m", "\x1b[0m") if color else ("", "")
    return "".join(row.replace("1", f"{on}1{off}") + "\n" for row in instance.cells)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The distances, in columns of one width; walls are #, cells that no way leads from (or not known) are `-`."""
    width = max(len(str(distance)) for row in answer.distances for distance in row)
    lines = [] if answer.status is Status.OPTIMAL else ["as far as known, since the search was stopped:"]
    for cells, distances in zip(instance.cells, answer.distances, strict=True):
        row = (_text_cell(cell, distance, width, color) for cell, distance in zip(cells, distances, strict=True))
        lines.append(" ".join(row))
    yield "\n".join(lines) + "\n"


def _text_cell(cell: str, distance: int, width: int, color: bool) -> str:
    shown = f"{'#' if cell == '#' else '-' if distance < 0 else distance:>{width}}"
    return f"\x1b[7m{shown}\x1b[0m" if color and distance == 0 else shown


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The matrix, with an answer the distances: 1 dark, the farther the lighter. Every colour has its number in it."""
    rows, columns = len(instance.cells), len(instance.cells[0])
    title = f"Grid distance: {rows} × {columns}"
    if answer is not None and answer.status is not Status.OPTIMAL:
        title += " (stopped)"
    shown = [row[:MOST_DRAWN] for row in instance.cells[:MOST_DRAWN]]
    if max(rows, columns) > MOST_DRAWN:
        title += f" (drawn: the first {len(shown)} × {len(shown[0])})"
    most = 1 if answer is None else max(1, *(max(row[:MOST_DRAWN]) for row in answer.distances[:MOST_DRAWN]))
    width = max(len(shown[0]) * _UNIT, 9 * len(title)) + 2 * _MARGIN
    height = len(shown) * _UNIT + _TITLE + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{title}</title>",
        "<style>text{font-family:system-ui,sans-serif;font-size:11px;text-anchor:middle}"
        ".title{text-anchor:start;font-size:14px;font-weight:600}rect{stroke:#fff}</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text class="title" x="{_MARGIN}" y="{_MARGIN + 12}">{title}</text>',
        f'<g transform="translate({_MARGIN} {_MARGIN + _TITLE})">',
    ]
    for row, line in enumerate(shown):
        for column, cell in enumerate(line):
            distance = (0 if cell == "1" else -1) if answer is None else answer.distances[row][column]
            label = "1" if answer is None else str(distance)
            parts.append(_square(row, column, _fill(cell, distance, distance / most), label if distance >= 0 else ""))
    return "\n".join([*parts, "</g>", "</svg>"]) + "\n"


def _fill(cell: str, distance: int, share: float) -> str:
    if distance < 0:
        return _WALL if cell == "#" else _UNKNOWN
    return "#{:02x}{:02x}{:02x}".format(*(round(a + share * (b - a)) for a, b in zip(_NEAR, _FAR, strict=True)))


def _square(row: int, column: int, fill: str, label: str) -> str:
    x, y = column * _UNIT, row * _UNIT
    ink = "#ffffff" if int(fill[1:3], 16) < 150 else "#161616"
    number = f'<text x="{x + _UNIT // 2}" y="{y + 17}" fill="{ink}">{label}</text>' if label else ""
    return f'<rect class="cell" x="{x}" y="{y}" width="{_UNIT}" height="{_UNIT}" fill="{fill}"/>{number}'
