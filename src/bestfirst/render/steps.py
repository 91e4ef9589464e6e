"""A solution step by step, drawn by the problem's own `draw`: in the terminal, as an SVG file, in a notebook.

step      the name of a move and the picture of the state it leads to; the first step is the start, without a move
picture   text, or an SVG document; for a problem that does not define `draw`, the state as text
"""

from __future__ import annotations

import html as markup
import math
import os
import pathlib
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, TextIO

import numpy as np

from bestfirst.kernel import exact, interpreting
from bestfirst.operations import defines, move_name, problem_name
from bestfirst.result import Solution

#: Steps that a notebook shows; a page with thousands of pictures helps nobody.
_SHOWN = 200

_GAP, _CAPTION, _LETTER = 16, 22, 8  # pixels: between pictures, height of a caption, width of its letters


class Step(NamedTuple):
    """A state on the way and the move that led to it."""

    move: str | None  #: name of the move; None at the start
    picture: str


def steps(solution: Solution) -> Iterator[Step]:
    """Yield the start and then every move of the solution with the state it leads to, drawn.

    The moves are made in the interpreter, one for each step that is asked for. Raises ValueError when there is no solution or
    its engine keeps no problem (bestfirst.plain), TypeError when `draw` returns no text.
    """
    states = solution.states()
    problem = solution.problem
    for move, state in zip((None, *(solution.moves or ())), states, strict=True):
        yield Step(None if move is None else move_name(problem, move), picture(problem, state))


def picture(problem: Any, state: Any) -> str:
    """The state drawn by the problem, or as text."""
    if not defines(problem, "draw"):
        return np.array2string(state, separator=" ", threshold=200) if isinstance(state, np.ndarray) else str(state)
    with interpreting():
        drawn = exact(problem).draw(exact(state) if isinstance(state, np.ndarray) else state)
    if not isinstance(drawn, str):
        raise TypeError(f"draw of {problem_name(problem)} must return a string, not {type(drawn).__name__}")
    return drawn


def print_steps(solution: Solution, file: TextIO | None = None) -> None:
    """Print the start, every move and the state it leads to.

    `file`: where to, standard output when left out. Raises what `steps` raises; ValueError for pictures in SVG.
    """
    for heading, drawn in _headed(solution):
        if _is_svg(drawn):
            raise ValueError(f"draw of {type(solution.problem).__name__} returns SVG, not text: use bestfirst.save_svg")
        print(f"{heading}\n{drawn.rstrip()}\n", file=file)
    print(solution, file=file)


def save_svg(solution: Solution, path: str | os.PathLike[str]) -> None:
    """Write all steps of the solution side by side into one SVG file.

    Each drawing must give its size in pixels, as `width` and `height` or by its `viewBox`. Raises what `steps` raises;
    ValueError for pictures in text, or without a size; OSError when the file cannot be written.
    """
    name = type(solution.problem).__name__
    panels = list(_headed(solution))
    if not all(_is_svg(drawn) for _, drawn in panels):
        raise ValueError(f"{name} does not draw SVG: let draw begin its string with <svg, or use bestfirst.print_steps")
    sizes = [_size(name, drawn) for _, drawn in panels]
    width = max(*(w for w, _ in sizes), *(_LETTER * len(heading) for heading, _ in panels)) + _GAP
    height = max(h for _, h in sizes) + _CAPTION + _GAP
    across = max(1, min(len(panels), math.ceil(math.sqrt(1.6 * len(panels) * height / width))))  # the whole about 16 : 10
    parts = []
    for number, (heading, drawn) in enumerate(panels):
        x, y = _GAP + number % across * width, _GAP + number // across * height
        caption = f'<text y="{_CAPTION - 8}">{markup.escape(heading)}</text>'
        parts.append(f'<g transform="translate({x:g} {y:g})">{caption}<g transform="translate(0 {_CAPTION})">{drawn}</g></g>')
    page = f'width="{_GAP + across * width:g}" height="{_GAP + math.ceil(len(panels) / across) * height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {page} font-family="system-ui, sans-serif" font-size="13">'
    body = "\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *parts, "</svg>\n"])
    pathlib.Path(path).write_text(body, encoding="utf-8")


def html(solution: Solution) -> str:
    """The solution for a notebook: what is proved, then its first steps side by side."""
    told = f"<p>{markup.escape(str(solution))}</p>"
    if solution.moves is None or solution.problem is None:
        return told
    panels = []
    for number, (heading, drawn) in enumerate(_headed(solution)):
        if number > _SHOWN:
            panels.append(f"<figure>… and {len(solution.moves) - _SHOWN:,} more moves</figure>")
            break
        shown = drawn if _is_svg(drawn) else f"<pre>{markup.escape(drawn)}</pre>"
        panels.append(f'<figure style="margin:0"><figcaption>{markup.escape(heading)}</figcaption>{shown}</figure>')
    return f'{told}<div style="display:flex;flex-wrap:wrap;gap:{_GAP}px">{"".join(panels)}</div>'


def _headed(solution: Solution) -> Iterator[tuple[str, str]]:
    """The steps, each with its heading."""
    for number, (move, drawn) in enumerate(steps(solution)):
        yield ("start" if move is None else f"{number}. {move}"), drawn


def _is_svg(drawn: str) -> bool:
    return drawn.startswith("<svg")


def _size(name: str, drawn: str) -> tuple[float, float]:
    """Width and height of an SVG document."""
    root = drawn[: drawn.find(">") + 1]
    given = [re.search(rf"""\s{side}=["']([\d.]+)(?:px)?["']""", root) for side in ("width", "height")]
    if given[0] and given[1]:
        return float(given[0][1]), float(given[1][1])
    box = re.search(r"""\sviewBox=["'][-\d.]+[ ,]+[-\d.]+[ ,]+([\d.]+)[ ,]+([\d.]+)["']""", root)
    if box is None:
        raise ValueError(f'draw of {name} gives no size: begin with <svg width="…" height="…">, in pixels')
    return float(box[1]), float(box[2])
