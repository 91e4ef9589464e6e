"""Pictures of birthday cake: the layers from the side, as lines of text and as rectangles."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.birthday_cake import Answer, Instance
from bestfirst.result import Status

_WIDE = 60  #: letters for the bottom layer in text, at most
_WIDTH, _HEIGHT, _MARGIN, _TITLE = 480, 360, 24, 28  # pixels
_COLOURS = ("#f8bbd0", "#ffe0b2", "#fff9c4", "#d7ccc8")


def text(instance: Instance, color: bool) -> str:
    """What is asked."""
    return f"volume {instance.volume}π, {_layers(instance)}\n"


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The layers, the top one first, each with a bar as wide as it is in proportion: there are no steps on the way."""
    lines = [_outcome(instance, answer)]
    layers = answer.layers or ()
    for number in range(len(layers), 0, -1):
        layer = layers[number - 1]
        half = max(1, layer.radius * _WIDE // (2 * max(_WIDE // 2, layers[0].radius)))
        on, off = ("\x1b[35m", "\x1b[0m") if color else ("", "")
        bar = f"{on}{('#' * (2 * half)).center(_WIDE)}{off}"
        lines.append(f"{bar} radius {layer.radius}, height {layer.height}")
    yield "\n".join(lines) + "\n"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The layers from the side, to scale in each direction."""
    title = f"Birthday cake, volume {instance.volume}π, {_layers(instance)}"
    if answer is not None:
        title += f": {_outcome(instance, answer)}"
    layers = answer.layers or () if answer is not None else ()
    width = max(_WIDTH, 8 * len(title)) + 2 * _MARGIN
    height = (_HEIGHT if layers else 0) + _TITLE + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        'font-family="system-ui, sans-serif">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text class="title" x="{_MARGIN}" y="{_MARGIN}" font-size="14">{title}</text>',
    ]
    y = float(height - _MARGIN)
    total = sum(layer.height for layer in layers)
    for number, layer in enumerate(layers, 1):
        high, wide = _HEIGHT * layer.height / total, _WIDTH * layer.radius / layers[0].radius
        y -= high
        parts.append(
            f'<rect class="layer" x="{(width - wide) / 2:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" '
            f'fill="{_COLOURS[number % len(_COLOURS)]}" stroke="#4e342e">'
            f"<title>layer {number}: radius {layer.radius}, height {layer.height}</title></rect>"
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _layers(instance: Instance) -> str:
    return f"{instance.layers} {'layer' if instance.layers == 1 else 'layers'}"


def _outcome(instance: Instance, answer: Answer) -> str:
    if answer.status is Status.INFEASIBLE:
        return "there is no such cake"
    if answer.status is Status.OPTIMAL:
        return f"surface {answer.cost}π"
    found = "no cake found" if answer.cost is None else f"surface {answer.cost}π"
    return f"{found}, it is at least {answer.bound}π"
