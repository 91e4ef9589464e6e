"""Boards of cells as SVG, side by side: one panel for each position, with a caption above it."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

#: Of larger boards only the corner of so many rows and columns is drawn.
MOST_DRAWN = 100

#: No more panels than have so many cells together.
MOST_CELLS = 20_000

_UNIT, _GAP, _CAPTION, _TITLE, _LETTER = 24, 22, 22, 30, 8  # pixels; _LETTER is the width of one
_WIDEST = 1400

Cell = tuple[str, str]  # its fill, and the text in it


class Panel(NamedTuple):
    """A position: what is above it, and its cells, row by row; of a large board the corner will do."""

    caption: str
    cells: Sequence[Sequence[Cell]]


def corner(cells: Sequence[str]) -> list[str]:
    """The part of a board that is drawn."""
    return [row[:MOST_DRAWN] for row in cells[:MOST_DRAWN]]


def boards_svg(title: str, shape: tuple[int, int], panels: Iterable[Panel]) -> str:
    """One self-contained document; the title also says when not all of it is drawn. `shape`: rows and columns of the boards."""
    rows, columns = (min(side, MOST_DRAWN) for side in shape)
    if max(shape) > MOST_DRAWN:
        title += f" (drawn: the first {rows} × {columns})"
    most = max(1, MOST_CELLS // (rows * columns))
    shown = list(islice(panels, most + 1))
    if len(shown) > most:
        title += f" (the first {most} positions)" if most > 1 else " (the first position)"
        shown = shown[:most]
    width = max(columns * _UNIT, *(_LETTER * len(panel.caption) for panel in shown)) + _GAP
    height = rows * _UNIT + _CAPTION + _GAP
    across = max(1, min(len(shown), _WIDEST // width))
    whole = max(across * width, _LETTER * len(title)) + _GAP, -(-len(shown) // across) * height + _TITLE + _GAP
    size = f'viewBox="0 0 {whole[0]} {whole[1]}" width="{whole[0]}" height="{whole[1]}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{html.escape(title)}</title>",
        "<style>text{font-family:system-ui,sans-serif;font-size:11px;fill:#161616;text-anchor:middle}"
        ".title{text-anchor:start;font-size:14px;font-weight:600}.caption{text-anchor:start;font-size:12px}.cell{stroke:#fff}</style>",
        f'<rect width="{whole[0]}" height="{whole[1]}" fill="#ffffff"/>',
        f'<text class="title" x="{_GAP}" y="{_TITLE - 8}">{html.escape(title)}</text>',
    ]
    for number, panel in enumerate(shown):
        left, top = _GAP + number % across * width, _TITLE + number // across * height
        parts += [f'<g class="board" transform="translate({left} {top})">', *_drawn(panel), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _drawn(panel: Panel) -> Iterator[str]:
    yield f'<text class="caption" x="0" y="{_CAPTION - 8}">{html.escape(panel.caption)}</text>'
    for i, row in enumerate(panel.cells):
        for j, (fill, label) in enumerate(row):
            x, y = j * _UNIT, _CAPTION + i * _UNIT
            text = f'<text x="{x + _UNIT // 2}" y="{y + 16}">{html.escape(label)}</text>' if label else ""
            yield f'<rect class="cell" x="{x}" y="{y}" width="{_UNIT}" height="{_UNIT}" fill="{fill}"/>{text}'
