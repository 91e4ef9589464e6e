"""Boards as strings, one for each row: reading one, what is wrong with one, its letters as an array.

    cells      rows of a board, a string each
    letters    the characters that may stand in it, ASCII

Boards may have 10^8 cells: nothing here is done for each cell in Python unless there is a fault to name.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

import numpy as np

from bestfirst.formats.tokens import InputError, Tokens, consists_of, listed


class Board(NamedTuple):
    """Rows that were read, and a cursor before the first of them, to find the place of a fault."""

    cells: tuple[str, ...]
    before: Tokens

    def fail(self, row: int, column: int, message: str) -> NoReturn:
        """Raise an InputError at a cell, counted from 0."""
        tokens = copy.copy(self.before)
        for _ in range(row):
            tokens.take("a row")
        token = tokens.take("a row")
        raise InputError(message, token.line, token.column + column)


def take_board(tokens: Tokens, rows: int, columns: int, letters: str) -> Board:
    """Take `rows` rows of `columns` letters each. Raises InputError at the first row that is not so."""
    before = copy.copy(tokens)
    return Board(tokens.take_board("the board", rows, columns, letters), before)


def require_board(cells: Sequence[str], letters: str, what: str = "board") -> None:
    """Raise ValueError unless the rows make a rectangle, not empty, of these letters; `what` names the board."""
    if not cells or not cells[0]:
        raise ValueError(f"the {what} is empty, it must have at least one cell")
    columns = len(cells[0])
    if set(map(len, cells)) != {columns}:
        number, row = next((number, row) for number, row in enumerate(cells, 1) if len(row) != columns)
        raise ValueError(f"row {number} has {len(row)} cells, row 1 has {columns}")
    if not consists_of("".join(cells), letters):
        at = next(at for at, cell in enumerate("".join(cells)) if cell not in letters)
        i, j = divmod(at, columns)
        raise ValueError(f"row {i + 1}, column {j + 1} is {cells[i][j]!r}; cells are {listed(letters)}")


def places_of(cells: Sequence[str], letter: str) -> list[tuple[int, int]]:
    """Row and column, from 0, of every cell with this letter. For letters that are few."""
    found = []
    for number, row in enumerate(cells):
        column = row.find(letter)
        while column >= 0:
            found.append((number, column))
            column = row.find(letter, column + 1)
    return found


def letters_of(cells: Sequence[str]) -> np.ndarray:
    """The board as an array (rows, columns) of uint8, the codes of its letters."""
    return np.frombuffer("".join(cells).encode("ascii"), np.uint8).reshape(len(cells), -1)


def rows_of(text: str, columns: int) -> tuple[str, ...]:
    """The rows of a board that stand in a text one after another."""
    return tuple(text[at : at + columns] for at in range(0, len(text), columns))


def board_rows(letters: np.ndarray) -> tuple[str, ...]:
    """The rows of a board of ASCII codes (rows, columns): the way back from `letters_of`."""
    return rows_of(letters.tobytes().decode("ascii"), letters.shape[1])
