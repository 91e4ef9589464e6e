"""Pictures of cloud drift: the town day by day, feasts and the cloud."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.cloud_drift import Answer, Instance, Step, steps
from bestfirst.result import Status

#: Of longer calendars only so many days are drawn as SVG.
MOST_DRAWN = 200

_UNIT, _GAP, _CAPTION, _ACROSS = 18, 16, 18, 10  # pixels; days a row

_STYLE = (
    "text{font-family:system-ui,sans-serif;font-size:11px;fill:#37474f;text-anchor:middle}"
    ".title{font-size:14px;font-weight:600;text-anchor:start}"
    ".cell{fill:#fafafa;stroke:#cfd8dc}.feast{fill:#ffcc80}.cloud{fill:#1565c0;fill-opacity:0.35;stroke:#1565c0;stroke-width:2}"
)


def text(instance: Instance, color: bool) -> str:
    """The days one after another: * a feast, . none."""
    return "\n".join(_text_day(step, color) for step in steps(instance))


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """Each day with the cloud: # where it rains; the days alone, and the answer, when there is no schedule."""
    for step in steps(instance, answer):
        yield _text_day(step, color)
    if answer.places is None:
        yield f"{_found(answer)}\n"


def _text_day(step: Step, color: bool) -> str:
    rain = _rain(step)
    on, off = ("\x1b[44m", "\x1b[0m") if color else ("", "")
    letters = [f"{on}#{off}" if cell in rain else "*" if mark == "1" else "." for cell, mark in enumerate(step.marks)]
    return f"day {step.day}\n" + "".join("".join(letters[row : row + 4]) + "\n" for row in range(0, 16, 4))


def _rain(step: Step) -> set[int]:
    """The cells that get rain."""
    if step.place is None:
        return set()
    first = step.place // 3 * 4 + step.place % 3
    return {first, first + 1, first + 4, first + 5}


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """All days side by side; feasts orange, the cloud blue."""
    shown = [step for step, _ in zip(steps(instance, answer), range(MOST_DRAWN), strict=False)]
    title = f"Cloud drift: {len(instance.days)} days"
    if answer is not None:
        title += f", {_found(answer)}"
    if len(shown) < len(instance.days):
        title += f" (drawn: the first {len(shown)})"
    panel_width, panel_height = 4 * _UNIT + _GAP, 4 * _UNIT + _GAP + _CAPTION
    across = min(len(shown), _ACROSS)
    width = max(across * panel_width + _GAP, 9 * len(title) + 2 * _GAP)
    height = -(-len(shown) // across) * panel_height + 2 * _GAP + _CAPTION
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text class="title" x="{_GAP}" y="{_GAP + 8}">{title}</text>',
    ]
    for number, step in enumerate(shown):
        left, top = _GAP + number % across * panel_width, _GAP + _CAPTION + number // across * panel_height
        parts.append(f'<g transform="translate({left} {top})">{_panel(step)}</g>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(step: Step) -> str:
    parts = [f'<text x="{2 * _UNIT}" y="12">day {step.day}</text>']
    for cell, mark in enumerate(step.marks):
        kind = "cell feast" if mark == "1" else "cell"
        x, y = cell % 4 * _UNIT, cell // 4 * _UNIT + _CAPTION
        parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{_UNIT}" height="{_UNIT}"/>')
    if step.place is not None:
        x, y, side = step.place % 3 * _UNIT, step.place // 3 * _UNIT + _CAPTION, 2 * _UNIT
        parts.append(f'<rect class="cloud" x="{x}" y="{y}" width="{side}" height="{side}" rx="8"/>')
    return "".join(parts)


def _found(answer: Answer) -> str:
    if answer.status is Status.INFEASIBLE:
        return "not possible"
    return "possible" if answer.status is Status.OPTIMAL else "not known"
