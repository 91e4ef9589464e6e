"""Pictures of square breaking: the matches, those to take away crossed out."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bestfirst.catalogue.square_breaking import Answer, Instance, horizontal, vertical
from bestfirst.result import Status

_UNIT, _MARGIN, _TITLE = 40, 20, 30  # pixels

_STYLE = (
    "text{font-family:system-ui,sans-serif;font-size:14px;font-weight:600;fill:#161616}"
    ".match{stroke:#8d5524;stroke-width:4;stroke-linecap:round}"
    ".taken{stroke:#c62828;stroke-width:3;stroke-dasharray:2 6;stroke-linecap:round}"
)


def text(instance: Instance, color: bool) -> str:
    """The board in lines of text."""
    return _text(instance, (), color)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The board alone, then with x for the matches that are taken away."""
    yield text(instance, color)
    if answer.matches is not None:
        yield _text(instance, answer.matches, color)


def _text(instance: Instance, taken: Collection[int], color: bool) -> str:
    on, off = ("\x1b[31m", "\x1b[0m") if color else ("", "")
    size, gone, missing = instance.size, set(taken), set(instance.missing)

    def shown(match: int, there: str) -> str:
        if match in gone:
            return f"{on}{'x' * len(there)}{off}"
        return " " * len(there) if match in missing else there

    lines = []
    for row in range(size + 1):
        lines.append("+" + "+".join(shown(horizontal(size, row, column), "--") for column in range(size)) + "+")
        if row < size:
            lines.append("  ".join(shown(vertical(size, row, line), "|") for line in range(size + 1)).rstrip())
    return "\n".join(lines) + "\n"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The board as a complete SVG document; matches that are taken away are red and dotted."""
    title = f"Square breaking{_outcome(answer)}"
    side = instance.size * _UNIT
    width, height = max(side, 8 * len(title)) + 2 * _MARGIN, side + 2 * _MARGIN + _TITLE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{_MARGIN}" y="{_MARGIN + 6}">{title}</text>',
        *_matches(instance, set(answer.matches or ()) if answer is not None else set()),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _outcome(answer: Answer | None) -> str:
    if answer is None:
        return ""
    if answer.cost is None:
        return f": at least {answer.bound} matches"
    least = "" if answer.status is Status.OPTIMAL else f" or fewer, at least {answer.bound}"
    return f": {answer.cost} {'match' if answer.cost == 1 else 'matches'}{least}"


def _matches(instance: Instance, taken: set[int]) -> Iterator[str]:
    size, missing = instance.size, set(instance.missing)
    for line in range(size + 1):
        for place in range(size):
            for match, x, y, across in (
                (horizontal(size, line, place), place, line, True),
                (vertical(size, place, line), line, place, False),
            ):
                if match in missing:
                    continue
                left, top = _MARGIN + x * _UNIT + 5 * across, _MARGIN + _TITLE + y * _UNIT + 5 * (not across)
                right, bottom = left + (_UNIT - 10) * across, top + (_UNIT - 10) * (not across)
                kind = "taken" if match in taken else "match"
                yield f'<line class="{kind}" x1="{left}" y1="{top}" x2="{right}" y2="{bottom}"/>'
