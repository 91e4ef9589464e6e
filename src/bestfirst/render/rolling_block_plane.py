"""Pictures of rolling blocks on the plane: where they are around (0, 0), with an answer how far each is, and the ways."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.rolling_block_plane import Answer, Instance, way
from bestfirst.render.boards import Cell, Panel, boards_svg

#: Ways of more rolls are not written out.
_LONGEST = 60

#: Only blocks whose coordinates are at most this are drawn.
_REACH = 12

_FLOOR, _GOAL, _UPRIGHT, _LYING = "#eceff1", "#a5d6a7", "#64b5f6", "#90caf9"


def text(instance: Instance, color: bool) -> str:
    """The questions, a line each."""
    return "".join(f"{question}\n" for question in _questions(instance))


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The questions with their answers and, where they are not long, the ways; x grows to the right, y upwards."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    questions = list(_questions(instance))
    width = max(map(len, questions))
    lines = []
    for number, (question, rolls) in enumerate(zip(questions, answer.rolls, strict=True)):
        if rolls < 0:
            lines.append(f"{question:{width}}  not known: the work was stopped")
            continue
        letters = way(instance.poses[number], instance.x[number], instance.y[number]) if rolls <= _LONGEST else ""
        lines.append(f"{question:{width}}  {on}{rolls}{off}  {letters}".rstrip())
    yield "\n".join(lines) + "\n"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The plane around (0, 0), y upwards, with the blocks that are there: their poses, or how many rolls they need.

    Where blocks would overlap, the first is drawn.
    """
    fills: dict[tuple[int, int], Cell] = {}
    hidden = 0
    for number, (pose, x, y) in enumerate(zip(instance.poses, instance.x, instance.y, strict=True)):
        cells = {(x, y), (x + (pose == "V"), y + (pose == "H"))}
        if cells & fills.keys() or max(map(abs, (*sum(cells, ()),))) > _REACH:
            hidden += 1
            continue
        label = pose if answer is None else str(answer.rolls[number]) if answer.rolls[number] >= 0 else "?"
        fills |= dict.fromkeys(cells, (_UPRIGHT if pose == "U" else _LYING, label))
    fills.setdefault((0, 0), (_GOAL, "O"))
    side = range(-_REACH, _REACH + 1)
    cells_drawn = [[fills.get((x, y), (_FLOOR, "")) for x in side] for y in reversed(side)]
    what = "poses" if answer is None else "fewest rolls"
    caption = f"{what}; x and y from {-_REACH} to {_REACH}"
    if hidden:
        caption += f"; {hidden} not drawn"
    return boards_svg("Rolling block on the plane", (len(side), len(side)), [Panel(caption, cells_drawn)])


def _questions(instance: Instance) -> Iterator[str]:
    return (f"{pose} {x} {y}" for pose, x, y in zip(instance.poses, instance.x, instance.y, strict=True))
