"""Pictures of addition chains: the sums one below the other, and as SVG terms on a line with an arc to each of their summands."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from bestfirst.catalogue.addition_chain import Answer, Instance, Step, steps
from bestfirst.result import Status

_UNIT, _MARGIN, _HEIGHT, _LETTER = 70, 40, 40, 8  # pixels: between terms, at the edge, of an arc for each term it spans


def text(instance: Instance, color: bool) -> str:
    """The number and its binary digits."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    return f"{on}from 1 to {instance.n}{off} (binary {instance.n:b})\n"


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """A line for each term: the term and the sum that it is."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    yield f"{on}{_caption(instance, answer)}{off}\n"
    shown = list(steps(instance, answer))
    width = len(str(shown[-1].term))
    for place, step in enumerate(shown):
        yield f"{place:3}. {on}{step.term:{width}}{off}{_sum(step, shown)}\n"


def _sum(step: Step, shown: list[Step]) -> str:
    larger, smaller = step.summands
    return f" = {shown[larger].term} + {shown[smaller].term}" if larger >= 0 else ""


def _caption(instance: Instance, answer: Answer) -> str:
    proved = "" if answer.status is Status.OPTIMAL else f" (stopped; at least {answer.bound} are needed)"
    return f"from 1 to {instance.n}: {answer.cost} additions{proved}"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The number alone or, with an answer, the terms of its chain from left to right, arcs leading to what they are sums of."""
    if answer is None:
        shown, title = [Step(1, (-1, -1)), Step(instance.n, (-1, -1))], f"from 1 to {instance.n}"
    else:
        shown, title = list(steps(instance, answer)), _caption(instance, answer)
    spans = [place - low for place, step in enumerate(shown) for low in step.summands if low >= 0]
    base = _MARGIN + 20 + _HEIGHT * max(spans, default=1) // 2
    unit = max(_UNIT, (_LETTER + 2) * len(str(shown[-1].term)))
    width = max(2 * _MARGIN + unit * (len(shown) - 1) + unit, _LETTER * len(title) + 2 * _MARGIN)
    height = base + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        "<style>text{font-family:system-ui,sans-serif;font-size:13px;fill:#161616;text-anchor:middle}"
        ".title{text-anchor:start;font-weight:600}path{fill:none;stroke:#78909c}.twice{stroke-width:3}</style>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text class="title" x="{_MARGIN // 2}" y="20">{escape(title)}</text>',
    ]
    for place, step in enumerate(shown):
        x = _MARGIN + unit * place
        for low in sorted({low for low in step.summands if low >= 0}):
            kind = ' class="twice"' if step.summands[0] == step.summands[1] else ""
            top = base - 16 - _HEIGHT * (place - low)
            parts.append(
                f'<path{kind} d="M{x} {base - 16} Q{(x + _MARGIN + unit * low) // 2} {top} {_MARGIN + unit * low} {base - 16}"/>'
            )
        parts.append(f'<text class="term" x="{x}" y="{base}">{step.term}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
