"""Pictures of birthday cakes: the layers seen from the side."""

from __future__ import annotations

import html
from collections.abc import Iterator

from bestfirst.catalogue.birthday_cake import Answer, Instance
from bestfirst.result import Status

_WIDTH, _HEIGHT, _MARGIN, _TITLE, _LETTER = 420, 260, 16, 34, 8  # pixels
_FILLS = ("#f4a9a8", "#ffd166", "#b7e4c7", "#8ecae6", "#cdb4db")


def text(instance: Instance, color: bool) -> str:
    """What is wanted."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    return f"{on}{_question(instance)}{off}\n"


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """What is found, and a line for each layer from the top down."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    lines = [f"{on}{_question(instance)}: {_found(answer)}{off}"]
    layers = answer.layers or ()
    for number in range(len(layers), 0, -1):
        radius, height = layers[number - 1]
        lines.append(f"layer {number:3}   radius {radius:4}   height {height:4}   side {2 * radius * height:6}")
    yield "\n".join(lines) + "\n"


def _question(instance: Instance) -> str:
    return f"{instance.layers} {'layer' if instance.layers == 1 else 'layers'} of {instance.volume}π"


def _found(answer: Answer) -> str:
    if answer.status is Status.INFEASIBLE:
        return "no such cake"
    return f"at least {answer.bound}π (stopped)" if answer.cost is None else f"outer surface {answer.cost}π"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The layers from the side, to scale."""
    title = _question(instance) + ("" if answer is None else f": {_found(answer)}")
    layers = () if answer is None or answer.layers is None else answer.layers
    width = max(_WIDTH, _LETTER * len(title)) + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_TITLE + _HEIGHT}" width="{width}"'
        f' height="{_TITLE + _HEIGHT}" role="img">',
        f"<title>{html.escape(title)}</title>",
        "<style>text{font-family:system-ui,sans-serif;font-size:14px;font-weight:600;fill:#161616}.layer{stroke:#5c4033}</style>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{_MARGIN}" y="22">{html.escape(title)}</text>',
    ]
    tall = sum(layer.height for layer in layers)
    unit = min((_WIDTH - 2 * _MARGIN) / max([1, *(2 * layer.radius for layer in layers)]), (_HEIGHT - _MARGIN) / max(tall, 1))
    foot = _TITLE + _HEIGHT - _MARGIN / 2
    for number, (radius, height) in enumerate(layers):
        foot -= height * unit
        parts.append(
            f'<rect class="layer" x="{_WIDTH / 2 - radius * unit:.1f}" y="{foot:.1f}" width="{2 * radius * unit:.1f}"'
            f' height="{height * unit:.1f}" fill="{_FILLS[number % len(_FILLS)]}"/>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"
