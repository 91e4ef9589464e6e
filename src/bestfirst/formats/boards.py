"""Read boards of letters – rows of equal length without blanks – and say where one is not as it should be.

    cells      rows of a board, a string each
    letters    the characters that may stand in it, ASCII

Boards may have 10^8 cells: nothing here is done for each cell in Python unless there is a fault to name.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

import numpy as np

from bestfirst.formats.tokens import InputError, Tokens, shown


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
    cells = tokens.take_lines(rows, columns)
    if cells is None or stray_cell(cells, letters) is not None:  # blanks in other places, or a fault
        tokens.go_back_to(before)
        cells = tuple(_take_row(tokens, f"row {row} of {rows}", columns, letters) for row in range(1, rows + 1))
    return Board(cells, before)


def _take_row(tokens: Tokens, what: str, columns: int, letters: str) -> str:
    token = tokens.take(f"{what} of the board")
    stray = stray_cell((token.text,), letters)
    if stray is not None:
        column = stray[1]
        message = f"{what} has {shown(token.text[column])}; cells are {listed(letters)}"
        raise InputError(message, token.line, token.column + column)
    if len(token.text) != columns:
        token.fail(f"{what} has {len(token.text)} cells, there must be {columns}")
    return token.text


def stray_cell(cells: Sequence[str], letters: str) -> tuple[int, int] | None:
    """Row and column, from 0, of the first cell that is none of the letters."""
    known = letters.encode("ascii")
    for number, row in enumerate(cells):
        if not row.isascii() or row.encode("ascii").translate(None, known):
            return number, next(column for column, cell in enumerate(row) if cell not in letters)
    return None


def require_board(cells: Sequence[str], letters: str) -> None:
    """Raise ValueError unless the rows are a rectangle of these letters, with a cell at least."""
    if not cells or not cells[0]:
        raise ValueError("the board is empty, it must have at least one cell")
    for number, row in enumerate(cells, 1):
        if len(row) != len(cells[0]):
            raise ValueError(f"row {number} has {len(row)} cells, row 1 has {len(cells[0])}")
    stray = stray_cell(cells, letters)
    if stray is not None:
        i, j = stray
        raise ValueError(f"row {i + 1}, column {j + 1} is {cells[i][j]!r}; cells are {listed(letters)}")


def listed(letters: str) -> str:
    """The letters as a sentence has them."""
    return f"{' '.join(letters[:-1])} and {letters[-1]}"


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
