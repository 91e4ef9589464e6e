"""Pictures of sudoku: the grid with bars between the boxes; what is found beside what is given."""

from __future__ import annotations

import html
from collections.abc import Iterator

from bestfirst.catalogue.sudoku import LETTERS, Answer, Instance, conflict
from bestfirst.result import Status

_UNIT, _MARGIN, _TITLE = 34, 14, 28  # pixels
_SHOWN = 8.2  # pixels a letter of the title

_STYLE = (
    "text{font-family:system-ui,sans-serif;font-size:17px;text-anchor:middle}"
    ".title{font-size:14px;font-weight:600;text-anchor:start;fill:#161616}"
    ".given{fill:#161616;font-weight:700}.found{fill:#1f5fa8}"
    ".thin{stroke:#b0bec5}.thick{stroke:#161616;stroke-width:2}"
)


def text(instance: Instance, color: bool) -> str:
    """The grid, a blank between cells, bars between boxes; a line names two givens that exclude each other."""
    fault = conflict(instance)
    return grid_text(instance, instance.cells, color) + ("" if fault is None else f"{fault}\n")


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The grid filled, the givens bold; and how many solutions there are, when that was counted. There are no steps."""
    yield grid_text(instance, answer.cells or instance.cells, color) + f"{outcome(instance, answer)}\n"


def grid_text(instance: Instance, cells: str, color: bool, letters: str = LETTERS) -> str:
    """A grid as text, its digits shown as these letters."""
    rows, columns = instance.box
    n = rows * columns
    shown = [letters[LETTERS.index(letter)] for letter in cells]
    if color:
        shown = [
            f"\x1b[1m{letter}\x1b[0m" if given != "." else letter for letter, given in zip(shown, instance.cells, strict=True)
        ]
    lines = []
    for i in range(n):
        if i and i % rows == 0:
            lines.append("-+-".join(["-" * (2 * columns - 1)] * rows))
        row = shown[n * i : n * (i + 1)]
        lines.append(" | ".join(" ".join(row[j : j + columns]) for j in range(0, n, columns)))
    return "\n".join(lines) + "\n"


def outcome(instance: Instance, answer: Answer) -> str:
    """What is known, in a line."""
    if answer.status is Status.INFEASIBLE:
        return conflict(instance) or "no solution"
    if answer.status is Status.STOPPED:
        return "not known"
    if answer.count is None:
        return "solved"
    return f"{answer.count}{' or more' if answer.more else ''} solution{'' if answer.count == 1 and not answer.more else 's'}"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The grid as a complete SVG document; with an answer what was found in blue."""
    return grid_svg(title_of(instance, answer), instance, None if answer is None else answer.cells, LETTERS)


def title_of(instance: Instance, answer: Answer | None) -> str:
    """The size, and with an answer what is known."""
    n = instance.box[0] * instance.box[1]
    return f"Sudoku {n} × {n}" + ("" if answer is None else f": {outcome(instance, answer)}")


def grid_svg(title: str, instance: Instance, cells: str | None, letters: str) -> str:
    """A grid as a complete SVG document, with what was found; its digits shown as these letters."""
    side = instance.box[0] * instance.box[1] * _UNIT
    width, height = max(side, int(_SHOWN * len(title))) + 2 * _MARGIN, side + 2 * _MARGIN + _TITLE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{html.escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text class="title" x="{_MARGIN}" y="{_MARGIN + 8}">{html.escape(title)}</text>',
        f'<g transform="translate({_MARGIN} {_MARGIN + _TITLE})">',
        *_lines(instance, side),
        *_digits(instance, cells or instance.cells, letters),
        "</g></svg>",
    ]
    return "\n".join(parts) + "\n"


def _lines(instance: Instance, side: int) -> Iterator[str]:
    rows, columns = instance.box
    for kind, every in (("thin", False), ("thick", True)):
        for i in range(rows * columns + 1):
            at = i * _UNIT
            if (i % rows == 0) == every:
                yield f'<line class="{kind}" x1="0" y1="{at}" x2="{side}" y2="{at}"/>'
            if (i % columns == 0) == every:
                yield f'<line class="{kind}" x1="{at}" y1="0" x2="{at}" y2="{side}"/>'


def _digits(instance: Instance, cells: str, letters: str) -> Iterator[str]:
    n = instance.box[0] * instance.box[1]
    for at, (given, letter) in enumerate(zip(instance.cells, cells, strict=True)):
        if letter != ".":
            kind = "found" if given == "." else "given"
            x, y = at % n * _UNIT + _UNIT // 2, at // n * _UNIT + 23
            yield f'<text class="{kind}" x="{x}" y="{y}">{letters[LETTERS.index(letter)]}</text>'
