"""The slow twin of Flood-It: breadth-first search over whole boards, by the rules and nothing else."""

from __future__ import annotations

Board = tuple[tuple[int, ...], ...]
Cell = tuple[int, int]


def best(board: Board, start: Cell = (0, 0)) -> tuple[int, ...]:
    """The lexicographically first of the shortest colour sequences.

    Boards are met in the order of the first shortest sequence that leads to them, so the first finished one is the answer.
    """
    colours = sorted({colour for row in board for colour in row})
    known, layer = {board}, [(board, ())]
    if len(colours) == 1:
        return ()
    while True:
        following: list[tuple[Board, tuple[int, ...]]] = []
        for old, moves in layer:
            for colour in colours:
                new = play(old, start, colour)
                if len({cell for row in new for cell in row}) == 1:
                    return (*moves, colour)
                if new not in known:
                    known.add(new)
                    following.append((new, (*moves, colour)))
        layer = following


def play(board: Board, start: Cell, colour: int) -> Board:
    """The board after the region of `start` is recoloured."""
    rows = [list(row) for row in board]
    old = rows[start[0]][start[1]]
    if old == colour:
        return board
    stack = [start]
    while stack:
        row, column = stack.pop()
        if 0 <= row < len(rows) and 0 <= column < len(rows[0]) and rows[row][column] == old:
            rows[row][column] = colour
            stack += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return tuple(map(tuple, rows))
