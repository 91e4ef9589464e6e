"""Pictures of ghost chase: the board second by second, people on their way and cells that ghosts have taken."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.ghost_chase import Answer, Instance, Step, steps
from bestfirst.result import Status

#: Of larger boards only the corner of so many rows and columns is drawn as SVG.
MOST_DRAWN = 100

_UNIT, _MARGIN, _TITLE = 24, 14, 28  # pixels

_STYLE = (
    "text{font-family:system-ui,sans-serif;font-size:12px;fill:#1a1a1a;text-anchor:middle}"
    ".title{font-size:14px;font-weight:600;text-anchor:start}"
    ".cell{stroke:#cfd8dc}.free{fill:#fafafa}.wall{fill:#546e7a}.taken{fill:#d1c4e9}"
    "polyline{fill:none;stroke-width:3;stroke-linejoin:round;stroke-linecap:round}.boy{stroke:#1565c0}.girl{stroke:#c62828}"
)

_Ghosts = list[tuple[int, int]]


def text(instance: Instance, color: bool) -> str:
    """The board, one line a row."""
    return _text_board(instance, next(steps(instance, _NO_STEPS)), color)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The board at the start and after each second: `z` where ghosts are, `@` where both people are."""
    for step in steps(instance, answer):
        yield f"{f'second {step.second}' if step.second else 'start'}\n{_text_board(instance, step, color)}"
    if answer.boy is None:
        yield f"{_found(answer)}\n"


_NO_STEPS = Answer(status=Status.STOPPED, cost=None, bound=None, boy=None, girl=None)


def _text_board(instance: Instance, step: Step, color: bool) -> str:
    ghosts = _ghosts(instance)
    lines = []
    for i, row in enumerate(instance.cells):
        lines.append("".join(_text_cell(_letter(instance, ghosts, step, (i, j)), color) for j in range(len(row))))
    return "\n".join(lines) + "\n"


def _text_cell(letter: str, color: bool) -> str:
    return f"\x1b[7m{letter}\x1b[0m" if color and letter in "MG@" else letter


def _letter(instance: Instance, ghosts: _Ghosts, step: Step, place: tuple[int, int]) -> str:
    """What to show in a cell after a second."""
    if place in (step.boy, step.girl):
        return "@" if step.boy == step.girl else "M" if place == step.boy else "G"
    cell = instance.cells[place[0]][place[1]]
    if cell in "XZ":
        return cell
    return "z" if step.second and _is_taken(ghosts, place, step.second) else "."


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The board; with an answer both ways, the seconds where they end, and the cells that are taken by then."""
    rows, columns = len(instance.cells), len(instance.cells[0])
    title = f"Ghost chase: {rows} × {columns}"
    shown = list(steps(instance, answer or _NO_STEPS))
    if answer is not None:
        title += f", {_found(answer)}"
    drawn = min(rows, MOST_DRAWN), min(columns, MOST_DRAWN)
    if drawn != (rows, columns):
        title += f" (drawn: the first {drawn[0]} × {drawn[1]})"
    width = max(drawn[1] * _UNIT, 9 * len(title)) + 2 * _MARGIN
    height = drawn[0] * _UNIT + _TITLE + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text class="title" x="{_MARGIN}" y="{_MARGIN + 12}">{title}</text>',
        f'<g transform="translate({_MARGIN} {_MARGIN + _TITLE})">',
    ]
    ghosts, last = _ghosts(instance), shown[-1].second
    for i in range(drawn[0]):
        for j in range(drawn[1]):
            parts.append(_square(instance.cells[i][j], (i, j), last > 0 and _is_taken(ghosts, (i, j), last)))
    if last:
        inside = [step for step in shown if max(*step.boy, *step.girl) < MOST_DRAWN]
        boy = [inside[0].boy, *(place for step in inside for place in step.passed)] if inside else []
        parts.append(_line("boy", [place for place in boy if max(place) < MOST_DRAWN]))
        parts.append(_line("girl", [step.girl for step in inside]))
    return "\n".join([*parts, "</g>", "</svg>"]) + "\n"


def _square(cell: str, place: tuple[int, int], is_taken: bool) -> str:
    x, y = place[1] * _UNIT, place[0] * _UNIT
    kind = "wall" if cell == "X" else "taken" if is_taken else "free"
    letter = f'<text class="letter" x="{x + _UNIT // 2}" y="{y + 16}">{cell}</text>' if cell in "MGZ" else ""
    return f'<rect class="cell {kind}" x="{x}" y="{y}" width="{_UNIT}" height="{_UNIT}"/>{letter}'


def _line(kind: str, places: list[tuple[int, int]]) -> str:
    points = " ".join(f"{j * _UNIT + _UNIT // 2},{i * _UNIT + _UNIT // 2}" for i, j in places)
    return f'<polyline class="{kind}" points="{points}"/>'


def _ghosts(instance: Instance) -> _Ghosts:
    return [(i, j) for i, row in enumerate(instance.cells) for j, cell in enumerate(row) if cell == "Z"]


def _is_taken(ghosts: _Ghosts, place: tuple[int, int], second: int) -> bool:
    return any(abs(place[0] - i) + abs(place[1] - j) <= 2 * second for i, j in ghosts)


def _found(answer: Answer) -> str:
    if answer.status is Status.INFEASIBLE:
        return "they cannot meet"
    return (
        f"they meet in second {answer.cost}" if answer.cost is not None else f"they meet in second {answer.bound} at the earliest"
    )
