"""Pictures of book sort: the row at the start and after each move, with the two blocks that change places next."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.book_sort import Answer, Instance, Step, steps
from bestfirst.render.boards import Panel, boards_svg
from bestfirst.result import Status

_PLAIN, _FIRST, _SECOND = "#eceff1", "#f6c177", "#9ccfd8"

_NO_MOVES = Answer(status=Status.STOPPED, cost=None, bound=0, blocks=None)


def text(instance: Instance, color: bool) -> str:
    """The row on a line."""
    return _line(Step(instance.books, None), color)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """A line for the start and after each move: the blocks that change places next are in brackets."""
    for number, step in enumerate(steps(instance, answer)):
        yield f"{_caption(number, answer)}\n{_line(step, color)}"


def _line(step: Step, color: bool) -> str:
    words = [str(book) for book in step.books]
    if step.move is not None:
        i, j, k = step.move
        parts = " ".join(words[:i]), " ".join(words[i:j]), " ".join(words[j:k]), " ".join(words[k:])
        on, off = ("\x1b[7m", "\x1b[0m") if color else ("[", "]")
        words = [parts[0], f"{on}{parts[1]}{off}", f"{on}{parts[2]}{off}", parts[3]]
    return " ".join(word for word in words if word) + "\n"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The row as a complete SVG document; with an answer the rows after all moves too."""
    panels = [
        Panel(_caption(number, answer), [[(_fill(step, place), str(book)) for place, book in enumerate(step.books)]])
        for number, step in enumerate(steps(instance, answer or _NO_MOVES))
    ]
    return boards_svg("Book sort", (1, len(instance.books)), panels)


def _fill(step: Step, place: int) -> str:
    if step.move is None or not step.move[0] <= place < step.move[2]:
        return _PLAIN
    return _FIRST if place < step.move[1] else _SECOND


def _caption(number: int, answer: Answer | None) -> str:
    if number > 0:
        return f"after move {number}"
    if answer is None or answer.cost is not None:
        return "start"
    return (
        "start; more moves are needed than wanted" if answer.bound is None else f"start; at least {answer.bound} moves are needed"
    )
