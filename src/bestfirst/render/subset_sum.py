"""Pictures of subset sum: the items, those taken marked, and together as one bar before the limit."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.subset_sum import Answer, Instance
from bestfirst.render.bars import Bar, bars_svg
from bestfirst.result import Status


def text(instance: Instance, color: bool) -> str:
    """The limit, then the weights, numbered."""
    return _text(instance, _question(instance), frozenset(), color)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The same, with the items taken marked."""
    yield _text(instance, _question(instance) + _found(answer), frozenset(answer.items or ()), color)


def _text(instance: Instance, title: str, taken: frozenset[int], color: bool) -> str:
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    width, wide = len(str(len(instance.weights))), len(str(max(instance.weights, default=0)))
    lines = [f"{on}{title}{off}"]
    for number, weight in enumerate(instance.weights, 1):
        line = f"item {number:{width}}   weight {weight:{wide}}"
        lines.append(f"{on}{line}   taken{off}" if number in taken else line)
    return "\n".join(lines) + "\n"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """A bar for each item; with an answer, above them, the items taken one behind the other before a frame up to the limit."""
    taken = () if answer is None else answer.items or ()
    bars = [Bar(f"item {number}", (weight,), number in taken) for number, weight in enumerate(instance.weights, 1)]
    title = _question(instance)
    if answer is not None:
        title += _found(answer)
        bars.insert(0, Bar("together", [instance.weights[item - 1] for item in taken]))
    return bars_svg(title, bars, min(instance.limit, sum(instance.weights)))


def _question(instance: Instance) -> str:
    return f"{len(instance.weights)} items, up to {instance.limit}"


def _found(answer: Answer) -> str:
    if answer.cost is None:
        return f": at most {answer.bound}"
    return f": {answer.cost}" if answer.status is Status.OPTIMAL else f": {answer.cost}, at most {answer.bound}"
