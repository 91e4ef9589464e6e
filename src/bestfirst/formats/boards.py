"""Boards as strings, one for each row: what is wrong with one, and its letters as an array. Fast for millions of cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def consists_of(text: str, letters: str) -> bool:
    """Whether a text has no other characters than these ASCII letters."""
    return not text.encode("utf-8", "surrogatepass").translate(None, letters.encode())


def listed(letters: str) -> str:
    """The letters as they are named in a sentence: `0, 1 and #`."""
    return f"{', '.join(letters[:-1])} and {letters[-1]}"


def require_board(cells: Sequence[str], letters: str, what: str) -> None:
    """Raise ValueError unless the rows make a rectangle, not empty, of these ASCII letters; `what` names the board."""
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


def board_letters(cells: Sequence[str]) -> np.ndarray:
    """The ASCII codes of a board, (rows, columns) uint8; read-only."""
    return np.frombuffer("".join(cells).encode("ascii"), np.uint8).reshape(len(cells), -1)


def board_rows(letters: np.ndarray) -> tuple[str, ...]:
    """The strings of a board of ASCII codes: the way back."""
    rows, columns = letters.shape
    text = letters.tobytes().decode("ascii")
    return tuple(text[at : at + columns] for at in range(0, rows * columns, columns))
