"""Pictures of the knight shuffle: the board at the start and after each jump; a knight on the other colour's cell stands out."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.knight_shuffle import GOAL, Answer, Instance, Step, steps
from bestfirst.render.boards import Panel, boards_svg
from bestfirst.result import Status

_FILLS = {"1": "#eceff1", "0": "#90a4ae", "*": "#ffffff"}
_WRONG = {"1": "#f6c177", "0": "#e59866", "*": "#ffffff"}

_NO_JUMPS = Answer(status=Status.STOPPED, cost=None, bound=0, jumps=None)


def text(instance: Instance, color: bool) -> str:
    """The board, one line a row; with `color`, what does not stand right stands out."""
    return _text_board(instance.cells, color)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """A caption and the board for the start and after each jump."""
    for number, step in enumerate(steps(instance, answer)):
        yield f"{_caption(number, step, answer)}\n{_text_board(step.cells, color)}"


def _text_board(cells: tuple[str, ...], color: bool) -> str:
    lines = []
    for row, wanted in zip(cells, GOAL, strict=True):
        marked = (f"\x1b[7m{a}\x1b[0m" if color and a != b else a for a, b in zip(row, wanted, strict=True))
        lines.append("".join(marked) + "\n")
    return "".join(lines)


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The board as a complete SVG document; with an answer the boards after all jumps too."""
    shown = answer or _NO_JUMPS
    panels = [
        Panel(_caption(number, step, answer), [_row(*rows) for rows in zip(step.cells, GOAL, strict=True)])
        for number, step in enumerate(steps(instance, shown))
    ]
    return boards_svg("Knight shuffle", (len(GOAL), len(GOAL)), panels)


def _row(row: str, wanted: str) -> list[tuple[str, str]]:
    fills = (_FILLS if a == b else _WRONG for a, b in zip(row, wanted, strict=True))
    return [(fill[letter], letter) for fill, letter in zip(fills, row, strict=True)]


def _caption(number: int, step: Step, answer: Answer | None) -> str:
    if step.jump is not None:
        return f"{number}: from {step.jump[0] + 1}, {step.jump[1] + 1}"
    if answer is None or answer.cost is not None:
        return "start"
    return (
        "start; more jumps are needed than wanted" if answer.bound is None else f"start; at least {answer.bound} jumps are needed"
    )
