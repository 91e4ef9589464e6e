"""Pictures of missile defence: the heights, and the subsequences of an answer, as lines of text and as lines through dots."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.missile_defence import Answer, Instance, Part
from bestfirst.result import Status

#: Of longer sequences the first so many missiles are drawn.
MOST_DRAWN = 400

_STEP, _HEIGHT, _MARGIN, _TITLE = 14, 320, 24, 28  # pixels
_RISING, _FALLING = "#1f77b4", "#c0392b"


def text(instance: Instance, color: bool) -> str:
    """The heights, twenty in a row."""
    heights = list(map(str, instance.heights))
    width = max(map(len, heights))
    rows = (heights[at : at + 20] for at in range(0, len(heights), 20))
    return "".join(" ".join(f"{height:>{width}}" for height in row) + "\n" for row in rows)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The heights of each subsequence on a line: there are no steps on the way."""
    lines = [_outcome(answer)]
    for part in answer.parts or ():
        heights = " ".join(str(instance.heights[missile - 1]) for missile in part.missiles)
        on, off = (f"\x1b[{34 if part.increasing else 31}m", "\x1b[0m") if color else ("", "")
        lines.append(f"{on}{'increasing' if part.increasing else 'decreasing'}{off}  {heights}")
    yield "\n".join(lines) + "\n"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """A dot for each missile, in order from left to right, higher ones above; with an answer a line along each subsequence."""
    count = min(len(instance.heights), MOST_DRAWN)
    rank = {height: number for number, height in enumerate(sorted(set(instance.heights[:count])))}
    step = _HEIGHT / max(1, len(rank) - 1)
    places = [(_MARGIN + _STEP * i, _MARGIN + _TITLE + _HEIGHT - step * rank[instance.heights[i]]) for i in range(count)]
    more = "" if count == len(instance.heights) else f", the first {count} of {len(instance.heights)}"
    title = f"Missile defence{'' if answer is None else f': {_outcome(answer)}'}{more}"
    width, height = max(_STEP * count, 9 * len(title)) + 2 * _MARGIN, _HEIGHT + _TITLE + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        'font-family="system-ui, sans-serif">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text class="title" x="{_MARGIN}" y="{_MARGIN}" font-size="14">{title}</text>',
        *(_line(part, places) for part in (answer.parts or () if answer is not None else ())),
        *(
            f'<circle class="missile" cx="{x:g}" cy="{y:.1f}" r="3.5" fill="#263238"><title>{number}: {height}</title></circle>'
            for number, ((x, y), height) in enumerate(zip(places, instance.heights[:count], strict=True), 1)
        ),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _line(part: Part, places: list[tuple[int, float]]) -> str:
    points = " ".join(f"{x:g},{y:.1f}" for x, y in (places[missile - 1] for missile in part.missiles if missile <= len(places)))
    colour = _RISING if part.increasing else _FALLING
    return f'<polyline class="part" points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"/>'


def _outcome(answer: Answer) -> str:
    if answer.status is not Status.OPTIMAL:
        return f"{answer.cost} subsequences, at least {answer.bound} are needed"
    return f"{answer.cost} {'subsequence' if answer.cost == 1 else 'subsequences'}"
