"""Pictures of bus schedules: the hour as a row of sixty minutes, and below it one row for each line of an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bestfirst.catalogue.bus_schedules import Answer, Instance
from bestfirst.catalogue.bus_schedules_search import MINUTES
from bestfirst.result import Status

_UNIT, _ROW, _MARGIN, _LEFT = 15, 18, 20, 90  # pixels
_COLOURS = ("#1f77b4", "#c0392b", "#2e8b57", "#8e44ad", "#b9770e", "#16a085")


def text(instance: Instance, color: bool) -> str:
    """How many buses came, by tens of minutes: a dot for none, + for more than nine."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    return f"{on}{_ruler()}{off}\n{_row(Counter(instance.arrivals))}\n"


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The same, and a row for each line: there are no steps on the way."""
    rows = [text(instance, color), f"{_outcome(answer)}\n"]
    for number, (first, interval) in enumerate(answer.lines or ()):
        on, off = (f"\x1b[{31 + number % 6}m", "\x1b[0m") if color else ("", "")
        row = _row(Counter(range(first, MINUTES, interval))).replace("1", "o")
        rows.append(f"{on}{row}{off}  from {first}, every {interval}\n")
    yield "".join(rows)


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The hour from left to right, the buses of each minute stacked; with an answer the lines below it."""
    observed = Counter(instance.arrivals)
    lines = (answer.lines or ()) if answer is not None else ()
    title = f"Bus schedules: {len(instance.arrivals)} arrivals" + ("" if answer is None else f", {_outcome(answer)}")
    tallest = min(max(observed.values()), 20)
    base = _MARGIN + 30 + tallest * 8
    width, height = _LEFT + MINUTES * _UNIT + _MARGIN, base + 30 + len(lines) * _ROW + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="11" fill="#263238">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text class="title" x="{_MARGIN}" y="{_MARGIN}" font-size="14">{title}</text>',
    ]
    for minute in range(MINUTES):
        x = _LEFT + minute * _UNIT
        if minute % 5 == 0:
            parts.append(f'<text x="{x + 2}" y="{base + 14}">{minute}</text>')
        if observed[minute]:
            tall = min(observed[minute], 20) * 8
            tip = f"<title>minute {minute}: {observed[minute]}</title>"
            parts.append(f'<rect class="minute" x="{x}" y="{base - tall}" width="{_UNIT - 3}" height="{tall}">{tip}</rect>')
    for number, (first, interval) in enumerate(lines):
        y, colour = base + 30 + number * _ROW, _COLOURS[number % len(_COLOURS)]
        parts.append(f'<text class="line" x="{_MARGIN}" y="{y + 4}" fill="{colour}">{first} + {interval}·i</text>')
        for minute in range(first, MINUTES, interval):
            parts.append(f'<circle class="bus" cx="{_LEFT + minute * _UNIT + 6}" cy="{y}" r="5" fill="{colour}"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _ruler() -> str:
    return "".join(f"{minute:<10}" for minute in range(0, MINUTES, 10)).rstrip()


def _row(count: Counter[int]) -> str:
    return "".join("." if not count[t] else "+" if count[t] > 9 else str(count[t]) for t in range(MINUTES))


def _outcome(answer: Answer) -> str:
    if answer.status is Status.INFEASIBLE:
        return "no lines make them up"
    if answer.cost is None:
        return f"at least {answer.bound} lines"
    return f"{answer.cost} {'line' if answer.cost == 1 else 'lines'}"
