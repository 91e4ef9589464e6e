"""Pictures of programs with two registers: a line for each operation, and as SVG a column for each register."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from bestfirst.catalogue.two_register_power import Answer, Instance, Step, steps
from bestfirst.result import Status

_LINE, _MARGIN, _COLUMN, _LETTER = 26, 16, 120, 8  # pixels

_NO_PROGRAM = Answer(status=Status.STOPPED, cost=None, bound=0, operations=None)


def text(instance: Instance, color: bool) -> str:
    """What is wanted."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    return f"{on}x^{instance.power} from x and 1{off}\n"


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """What is found, then both registers at the start and after each operation."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    yield f"{on}{_caption(instance, answer)}{off}\n"
    for number, step in enumerate(steps(instance, answer)):
        registers = "   ".join(f"{name} = x^{exponent:<8}" for name, exponent in zip("AB", step.exponents, strict=True))
        yield f"{number:3}. {_done(step):10}  {registers}".rstrip() + "\n"


def _done(step: Step) -> str:
    if step.operation is None:
        return "start"
    target, left, sign, right = step.operation
    return f"{target} = {left} {sign} {right}"


def _caption(instance: Instance, answer: Answer) -> str:
    found = f"at least {answer.bound} operations (stopped)" if answer.cost is None else f"{answer.cost} operations"
    return f"x^{instance.power}: {found}"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The start or, with an answer, all operations; the register that changes stands out."""
    shown = list(steps(instance, answer or _NO_PROGRAM))
    title = f"x^{instance.power}" if answer is None else _caption(instance, answer)
    width = max(3 * _COLUMN, _LETTER * len(title)) + 2 * _MARGIN
    height = (len(shown) + 1) * _LINE + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        "<style>text{font-family:system-ui,sans-serif;font-size:13px;fill:#161616}"
        ".title,.changed{font-weight:600}.changed{fill:#b71c1c}</style>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text class="title" x="{_MARGIN}" y="{_MARGIN + 12}">{escape(title)}</text>',
    ]
    for number, step in enumerate(shown):
        y = _MARGIN + 12 + (number + 1) * _LINE
        parts.append(f'<text class="step" x="{_MARGIN}" y="{y}">{number}. {escape(_done(step))}</text>')
        for column, (name, exponent) in enumerate(zip("AB", step.exponents, strict=True), 1):
            kind = ' class="changed"' if step.operation is not None and step.operation.target == name else ""
            parts.append(f'<text{kind} x="{_MARGIN + column * _COLUMN}" y="{y}">{name} = x^{exponent}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
