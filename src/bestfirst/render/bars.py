"""Bars made of segments, one below the other, as SVG and as lines of text: what is put together to a length."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import NamedTuple

#: No more bars, and no more segments of a bar, are drawn.
MOST_BARS, MOST_SEGMENTS = 200, 100

_WIDTH, _HEIGHT, _GAP, _CAPTION, _TITLE = 720, 20, 6, 110, 34  # pixels
_FILLS = ("#8ecae6", "#ffd166", "#b7e4c7", "#f4a9a8", "#cdb4db", "#e9c46a")
_LEAST_FOR_TEXT = 22


class Bar(NamedTuple):
    """What stands before it, and the lengths of its segments; `strong` makes it stand out."""

    caption: str
    lengths: Sequence[int]
    strong: bool = False


def bars_svg(title: str, bars: Sequence[Bar], whole: int) -> str:
    """One self-contained document; `whole` is the length of the frame behind each bar, 0 for none."""
    shown = bars[:MOST_BARS]
    if len(bars) > MOST_BARS:
        title += f" (drawn: the first {MOST_BARS} of {len(bars)})"
    longest = max([whole, 1, *(sum(bar.lengths) for bar in shown)])
    height = _TITLE + len(shown) * (_HEIGHT + _GAP) + _GAP
    width = max(_CAPTION + _WIDTH + 2 * _GAP, 8 * len(title) + 2 * _GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{html.escape(title)}</title>",
        "<style>text{font-family:system-ui,sans-serif;font-size:11px;fill:#161616}.title{font-size:14px;font-weight:600}"
        ".length{text-anchor:middle}.frame{fill:#f1f3f5;stroke:#adb5bd}.segment{stroke:#fff}.strong{stroke:#c1121f;stroke-width:2}"
        "</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text class="title" x="{_GAP}" y="{_TITLE - 12}">{html.escape(title)}</text>',
    ]
    for number, bar in enumerate(shown):
        parts += _drawn(bar, _TITLE + number * (_HEIGHT + _GAP), whole, longest)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _drawn(bar: Bar, top: int, whole: int, longest: int) -> list[str]:
    """The elements of a bar."""
    parts = [f'<text class="caption" x="{_GAP}" y="{top + 14}">{html.escape(bar.caption)}</text>']
    if whole:
        frame = f'x="{_CAPTION}" y="{top}" width="{_WIDTH * whole / longest:.1f}" height="{_HEIGHT}"'
        parts.append(f'<rect class="frame" {frame}/>')
    left = 0
    kind = "segment strong" if bar.strong else "segment"
    for number, length in enumerate(bar.lengths[:MOST_SEGMENTS]):
        x, wide = _CAPTION + _WIDTH * left / longest, _WIDTH * length / longest
        fill = _FILLS[number % len(_FILLS)]
        parts.append(f'<rect class="{kind}" x="{x:.1f}" y="{top}" width="{wide:.1f}" height="{_HEIGHT}" fill="{fill}"/>')
        if wide >= _LEAST_FOR_TEXT:
            parts.append(f'<text class="length" x="{x + wide / 2:.1f}" y="{top + 14}">{length}</text>')
        left += length
    return parts
