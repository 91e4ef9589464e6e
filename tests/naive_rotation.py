"""Slow twins for the rotation game, on whole boards drawn as text: shortest first sequences, and distances of layouts."""

import itertools
from collections import deque

#: Names of the cells:
#:     . . a . b . .
#:     . . c . d . .
#:     e f g h i j k
#:     . . l . m . .
#:     n o p q r s t
#:     . . u . v . .
#:     . . w . x . .
NAMES = "abcdefghijklmnopqrstuvwx"

#: The seven cells of each move, so that each takes the number of the next.
TURNS = {
    "A": "acglpuw", "B": "bdimrvx", "C": "kjihgfe", "D": "tsrqpon",
    "E": "xvrmidb", "F": "wuplgca", "G": "nopqrst", "H": "efghijk",
}  # fmt: skip

CENTRE = "ghilmpqr"


def turned(board, letter):
    """The board, a string of 24, after a move."""
    after, line = list(board), [NAMES.index(name) for name in TURNS[letter]]
    for cell, following in zip(line, line[1:] + line[:1], strict=True):
        after[cell] = board[following]
    return "".join(after)


def centre(board):
    return {board[NAMES.index(name)] for name in CENTRE}


def first_way(board):
    """(moves, number in the centre): breadth-first on whole boards, in the order A to H."""
    if len(centre(board)) == 1:
        return "", int(min(centre(board)))
    seen, queue = {board}, deque([(board, "")])
    while queue:
        board, moves = queue.popleft()
        for letter in TURNS:
            after = turned(board, letter)
            if after not in seen:
                seen.add(after)
                if len(centre(after)) == 1:
                    return moves + letter, int(min(centre(after)))
                queue.append((after, moves + letter))
    raise AssertionError("every board can be solved")


def first_way_by_deepening(board):
    """The same by trying all sequences, the shorter and then the first ones first, where enough cells of the centre are right."""
    return next(way for depth in itertools.count() if (way := _try(board, depth, "")) is not None)


def _try(board, depth, moves):
    inside = [board[NAMES.index(name)] for name in CENTRE]
    wrong = 8 - max(map(inside.count, "123"))
    if wrong == 0 or wrong > depth:
        return (moves, int(inside[0])) if wrong == 0 else None
    ways = (_try(turned(board, letter), depth - 1, moves + letter) for letter in TURNS)
    return next((way for way in ways if way is not None), None)
