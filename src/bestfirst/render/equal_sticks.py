"""Pictures of equal sticks: the pieces, or the sticks they are joined to."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.equal_sticks import Answer, Instance
from bestfirst.render.bars import Bar, bars_svg
from bestfirst.result import Status


def text(instance: Instance, color: bool) -> str:
    """How many pieces there are, then their lengths, numbered."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    width = len(str(len(instance.pieces)))
    lines = [f"{on}{_question(instance)}{off}"]
    lines += [f"piece {number:{width}}   length {length}" for number, length in enumerate(instance.pieces, 1)]
    return "\n".join(lines) + "\n"


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The sticks, one a line, with the lengths of their pieces."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    sticks = answer.sticks or ()
    width = len(str(len(sticks)))
    lines = [f"{on}{_question(instance)}{_found(answer)}{off}"]
    for number, pieces in enumerate(sticks, 1):
        lines.append(f"stick {number:{width}}   {' + '.join(str(instance.pieces[piece - 1]) for piece in pieces)}")
    yield "\n".join(lines) + "\n"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """A bar for each piece, or for each stick."""
    title = _question(instance) + ("" if answer is None else _found(answer))
    if answer is None or answer.sticks is None:
        return bars_svg(title, [Bar(f"piece {number}", (length,)) for number, length in enumerate(instance.pieces, 1)], 0)
    sticks = [[instance.pieces[piece - 1] for piece in pieces] for pieces in answer.sticks]
    return bars_svg(title, [Bar(f"stick {number}", lengths) for number, lengths in enumerate(sticks, 1)], 0)


def _question(instance: Instance) -> str:
    return f"{len(instance.pieces)} pieces of equal sticks"


def _found(answer: Answer) -> str:
    if answer.cost is None:
        return f": of length {answer.bound} at least"
    return f": of length {answer.cost}" if answer.status is Status.OPTIMAL else f": of length {answer.bound} to {answer.cost}"
