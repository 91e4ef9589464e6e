"""Pictures of bin packing: the items, or the bins with the items in them."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.bin_packing import Answer, Instance
from bestfirst.render.bars import Bar, bars_svg
from bestfirst.result import Status


def text(instance: Instance, color: bool) -> str:
    """The capacity, then the weights, numbered."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    width = len(str(len(instance.weights)))
    lines = [f"{on}{_question(instance)}{off}"]
    lines += [f"item {number:{width}}   weight {weight}" for number, weight in enumerate(instance.weights, 1)]
    return "\n".join(lines) + "\n"


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The packing: one line for each bin, with its load and the weights in it."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    width, wide = len(str(answer.cost)), len(str(instance.capacity))
    lines = [f"{on}{_question(instance)}{_found(answer)}{off}"]
    for number, items in enumerate(answer.bins or (), 1):
        weights = [instance.weights[item - 1] for item in items]
        lines.append(f"bin {number:{width}}   {sum(weights):{wide}} = {' + '.join(map(str, weights))}")
    yield "\n".join(lines) + "\n"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """A bar for each item; with a packing one for each bin, before a frame as long as the capacity."""
    if answer is None or answer.bins is None:
        bars = [Bar(f"item {number}", (weight,)) for number, weight in enumerate(instance.weights, 1)]
    else:
        bars = [
            Bar(f"bin {number}", [instance.weights[item - 1] for item in items]) for number, items in enumerate(answer.bins, 1)
        ]
    title = _question(instance) + ("" if answer is None else _found(answer))
    return bars_svg(title, bars, instance.capacity)


def _question(instance: Instance) -> str:
    return f"{len(instance.weights)} items into bins of capacity {instance.capacity}"


def _found(answer: Answer) -> str:
    if answer.cost is None:
        return f": at least {answer.bound} bins are needed"
    return f": {answer.cost} bins" if answer.status is Status.OPTIMAL else f": {answer.cost} bins, at least {answer.bound}"
