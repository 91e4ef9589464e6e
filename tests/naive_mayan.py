"""The Mayan game by brute force: a slow, obvious twin of bestfirst.catalogue.mayan_game.

A board is a dict from cells (x, y) to colours. Every legal move is tried, in the wanted order: also left moves that swap, and
swaps of equal blocks. Nothing is remembered and nothing is cut.
"""

from __future__ import annotations


def board_of(columns):
    return {(x, y): colour for x, column in enumerate(columns) for y, colour in enumerate(column)}


def first_solution(board, n, width):
    """The lexicographically first moves that clear the board in exactly n moves, or None."""
    if n == 0:
        return None if board else ()
    for move in legal_moves(board, width):
        rest = first_solution(after(board, move), n - 1, width)
        if rest is not None:
            return (move, *rest)
    return None


def legal_moves(board, width):
    return [(x, y, g) for x, y in sorted(board) for g in (1, -1) if 0 <= x + g < width]


def after(board, move):
    x, y, g = move
    board = dict(board)
    here, there = board.pop((x, y)), board.pop((x + g, y), None)
    board[x + g, y] = here
    if there is not None:
        board[x, y] = there
    board = fallen(board)
    while gone := vanishing(board):
        board = fallen({cell: colour for cell, colour in board.items() if cell not in gone})
    return board


def fallen(board):
    heights = {}
    result = {}
    for x, y in sorted(board):
        result[x, heights.get(x, 0)] = board[x, y]
        heights[x] = heights.get(x, 0) + 1
    return result


def vanishing(board):
    gone = set()
    for (x, y), colour in board.items():
        for line in ([(x - 1, y), (x, y), (x + 1, y)], [(x, y - 1), (x, y), (x, y + 1)]):
            if all(board.get(cell) == colour for cell in line):
                gone.update(line)
    return gone


def fewest_moves(board, width, limit):
    """The length of a shortest solution, if it is at most `limit`; otherwise None."""
    for n in range(limit + 1):
        if first_solution(board, n, width) is not None:
            return n
    return None
