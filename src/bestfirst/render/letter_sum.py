"""Pictures of letter sums: the words one below another, and the same in digits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bestfirst.catalogue.letter_sum import Answer, Instance
from bestfirst.render.boards import MOST_DRAWN, Cell, Panel, boards_svg
from bestfirst.result import Status

#: How digits are drawn.
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

_FILLS = ("#e3f2fd", "#fff3e0", "#ffffff")  # of the left side, of the right side, of no cell


def text(instance: Instance, color: bool) -> str:
    """The words one below another, those of the right side below a line."""
    return _text(_lines(instance), len(instance.left))


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The words, then the same in digits (after 9 come a, b, …), or that there is no solution."""
    yield text(instance, color)
    yield _text(_in_digits(instance, answer), len(instance.left)) if answer.digits is not None else f"{_outcome(answer)}\n"


def _lines(instance: Instance) -> list[tuple[str, str]]:
    """Sign and word of each line."""
    lines = []
    for words, first_sign in ((instance.left, " "), (instance.right, "=")):
        for number, word in enumerate(words):
            sign = first_sign if number == 0 else "+"
            lines.append(("-" if word[0] == "-" else sign, word.removeprefix("-")))
    return lines


def _in_digits(instance: Instance, answer: Answer) -> list[tuple[str, str]]:
    value = dict(zip(instance.names, answer.digits or (), strict=True))
    return [(sign, "".join(DIGITS[value[letter]] for letter in word)) for sign, word in _lines(instance)]


def _text(lines: Sequence[tuple[str, str]], above: int) -> str:
    width = max(len(word) for _, word in lines)
    rows = [f"{sign} {word:>{width}}" for sign, word in lines]
    return "\n".join([*rows[:above], "-" * (width + 2), *rows[above:]]) + "\n"


def _outcome(answer: Answer) -> str:
    if answer.status is Status.INFEASIBLE:
        return "no solution"
    if answer.count is not None:
        least = "" if answer.status is Status.OPTIMAL else "at least "
        return f"{least}{answer.count} {'solution' if answer.count == 1 else 'solutions'}"
    return "solved" if answer.status is Status.OPTIMAL else "not known"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The words as cells, one below another; beside them the same in digits where there is an answer."""
    lines = _lines(instance)
    panels = [_panel(f"base {instance.base}", lines, len(instance.left))]
    title = "Letter sum"
    if answer is not None:
        title += f": {_outcome(answer)}"
        if answer.digits is not None:
            panels.append(_panel("digits", _in_digits(instance, answer), len(instance.left)))
    return boards_svg(title, (len(lines), 1 + max(len(word) for _, word in lines)), panels)


def _panel(caption: str, lines: Sequence[tuple[str, str]], above: int) -> Panel:
    width = max(len(word) for _, word in lines)
    return Panel(
        caption, [_cells(sign, word, width, _FILLS[number >= above]) for number, (sign, word) in enumerate(lines[:MOST_DRAWN])]
    )


def _cells(sign: str, word: str, width: int, fill: str) -> list[Cell]:
    nothing = _FILLS[2]
    row = [(nothing, sign.strip()), *((nothing, "") for _ in range(width - len(word))), *((fill, letter) for letter in word)]
    return row[:MOST_DRAWN]
