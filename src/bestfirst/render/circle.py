"""A directed graph as SVG: vertices on a circle, clockwise from the top, edges as arrows; parallel ones bend apart.

(x, y)   pixels from the middle of the circle, y downwards
bend     how far the middle of an arrow lies to the left of the straight way
"""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

#: Of larger graphs only the first vertices are drawn.
MOST_DRAWN = 60

_HALF_WIDTH, _HALF_HEIGHT = 21, 17
_BETWEEN = 60  # pixels from vertex to vertex
_EDGE = 52  # pixels between the circle and the edge of the picture
_LOOP = 15  # pixels that each further loop at a vertex needs

_STYLE = (
    "text{font-family:system-ui,sans-serif;font-size:12px;fill:#161616;text-anchor:middle}"
    ".title{text-anchor:start;font-size:14px;font-weight:600}"
    ".vertex{stroke:#5a5a5a}.marked.vertex{stroke:#b3261e;stroke-width:2.5}"
    ".name{font-weight:600}.note{font-size:11px;fill:#37474f}"
    ".edge{fill:none;stroke:#90a4ae;stroke-width:1.5;marker-end:url(#tip)}"
    ".marked.edge{stroke:#b3261e;stroke-width:2.5;marker-end:url(#marked-tip)}"
    ".label{font-size:11px;paint-order:stroke;stroke:#fff;stroke-width:3px}"
)


class Vertex(NamedTuple):
    """A vertex as it is drawn: name, what stands below it, how strongly it is filled (0 to 1), whether it is framed."""

    name: str
    note: str = ""
    fill: float = 0.0
    marked: bool = False


class Edge(NamedTuple):
    """An edge between two vertices by position, and what stands beside it."""

    source: int
    target: int
    label: str = ""
    marked: bool = False


def graph_svg(title: str, vertices: Sequence[Vertex], edges: Sequence[Edge]) -> str:
    """The graph as a complete document; of more than MOST_DRAWN vertices the first ones and the edges between them."""
    drawn = vertices[:MOST_DRAWN]
    if len(drawn) < len(vertices):
        title += f" (drawn: the first {len(drawn)} of {len(vertices)} vertices)"
    radius = 0.0 if len(drawn) < 2 else max(70.0, len(drawn) * _BETWEEN / (2 * math.pi))
    loops = Counter(edge.source for edge in edges if edge.source == edge.target)
    side = 2 * (radius + _EDGE + _LOOP * max(loops.values(), default=0))
    width, height = max(side, 8.5 * len(title) + 24), side + 24
    angles = [2 * math.pi * i / max(len(drawn), 1) for i in range(len(drawn))]
    places = [(radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles]
    parallel: Counter[tuple[int, int]] = Counter()
    arrows = []
    for edge in edges:
        if max(edge.source, edge.target) < len(drawn):
            arrows.append(_arrow(edge, places, parallel[edge[:2]]))
            parallel[edge[:2]] += 1
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
        f' height="{height:.0f}" role="img">',
        f"<title>{html.escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        f"<defs>{_tip('tip', '#90a4ae')}{_tip('marked-tip', '#b3261e')}</defs>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
        f'<text class="title" x="12" y="22">{html.escape(title)}</text>',
        f'<g transform="translate({width / 2:.0f} {24 + side / 2:.0f})">',
        *arrows,
        *map(_box, drawn, places),
        "</g>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _tip(name: str, colour: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse"'
        f' orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
    )


def _box(vertex: Vertex, place: tuple[float, float]) -> str:
    x, y = place
    shade = "#{:02x}{:02x}{:02x}".format(*(round(255 - vertex.fill * (255 - full)) for full in (118, 183, 229)))
    kind = " marked" if vertex.marked else ""
    note = f'<text class="note" x="{x:.1f}" y="{y + 12:.1f}">{html.escape(vertex.note)}</text>' if vertex.note else ""
    return (
        f'<rect class="vertex{kind}" x="{x - _HALF_WIDTH:.1f}" y="{y - _HALF_HEIGHT:.1f}" width="{2 * _HALF_WIDTH}"'
        f' height="{2 * _HALF_HEIGHT}" rx="7" fill="{shade}"/>'
        f'<text class="name" x="{x:.1f}" y="{y + (-2 if note else 4):.1f}">{html.escape(vertex.name)}</text>{note}'
    )


def _arrow(edge: Edge, places: Sequence[tuple[float, float]], number: int) -> str:
    """The arrow of the `number`-th edge, from 0, between the same two vertices."""
    (x0, y0), (x1, y1) = places[edge.source], places[edge.target]
    length = math.hypot(x1 - x0, y1 - y0)
    if edge.source == edge.target:
        path, label = _loop((x0, y0), 24 + 2 * _LOOP / 3 * number)
    else:
        bend = 8 + 16 * number
        across = (y1 - y0) / length, (x0 - x1) / length
        control = (x0 + x1) / 2 + 2 * bend * across[0], (y0 + y1) / 2 + 2 * bend * across[1]
        label = (x0 + x1) / 2 + bend * across[0], (y0 + y1) / 2 + bend * across[1]
        begin, end = _border((x0, y0), control), _border((x1, y1), control)
        path = "M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}".format(*begin, *control, *end)
    kind = " marked" if edge.marked else ""
    text = f'<text class="label" x="{label[0]:.1f}" y="{label[1] + 4:.1f}">{html.escape(edge.label)}</text>' if edge.label else ""
    return f'<path class="edge{kind}" d="{path}"/>{text}'


def _border(place: tuple[float, float], towards: tuple[float, float]) -> tuple[float, float]:
    """Where the way from the middle of a box leaves it."""
    dx, dy = towards[0] - place[0], towards[1] - place[1]
    scale = 1 / max(abs(dx) / (_HALF_WIDTH + 1), abs(dy) / (_HALF_HEIGHT + 1))
    return place[0] + dx * scale, place[1] + dy * scale


def _loop(place: tuple[float, float], size: float) -> tuple[str, tuple[float, float]]:
    """An arrow from a box, outwards and back, and where its label stands."""
    x, y = place
    far = math.hypot(x, y)
    out = (x / far, y / far) if far else (0.0, -1.0)
    begin, end = ((x + 2 * size * (out[0] + side * out[1]), y + 2 * size * (out[1] - side * out[0])) for side in (0.7, -0.7))
    corners = (*_border(place, begin), *begin, *end, *_border(place, end))
    label = x + (size + 16) * out[0], y + (size + 16) * out[1]
    return "M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}".format(*corners), label
