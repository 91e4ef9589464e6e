"""Read text as tokens that know where they stand, so that every complaint names line and column."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

import numpy as np

_TOKEN = re.compile(r"\S+")

#: More digits than this are refused before Python is asked to convert them.
_MAX_DIGITS = 30

#: About as many numbers are read at a time.
_BLOCK = 4000


class InputError(ValueError):
    """Bad input: what is wrong, and where (line and column from 1)."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.message = message
        self.line = line
        self.column = column


class Token(NamedTuple):
    """A run of characters without white space, and its place (from 1)."""

    text: str
    line: int
    column: int

    def fail(self, message: str) -> NoReturn:
        """Raise an InputError at this token."""
        raise InputError(message, self.line, self.column)


class Tokens:
    """The tokens of a text, one after another; a byte order mark and CRLF line ends are accepted."""

    def __init__(self, text: str) -> None:
        self._text = text.removeprefix("\ufeff")
        self._position = 0  # everything before it has been taken or is white space
        self._line, self._line_start = 1, 0  # of the position

    def at_end(self) -> bool:
        """Whether no token is left."""
        return self.peek() is None

    def peek(self) -> Token | None:
        """The next token, not taken."""
        match = _TOKEN.search(self._text, self._position)
        if match is None:
            return None
        self._go_to(match.start())
        return Token(match.group(), self._line, match.start() - self._line_start + 1)

    def take(self, what: str) -> Token:
        """Take the next token; `what` names it in the complaint when the text ends here."""
        token = self.peek()
        if token is None:
            lines = self._text.splitlines() or [""]
            raise InputError(f"the text ends where {what} is expected", len(lines), len(lines[-1]) + 1)
        self._position += len(token.text)
        return token

    def require_end(self, complaint: str) -> None:
        """Raise an InputError with this complaint at the next token, unless there is none."""
        extra = self.peek()
        if extra is not None:
            extra.fail(complaint)

    def _go_to(self, position: int) -> None:
        """Move the position forward and keep count of lines."""
        lines = (self._text[self._position : position] + ".").splitlines()
        if len(lines) > 1:
            self._line += len(lines) - 1
            self._line_start = position + 1 - len(lines[-1])
        self._position = position

    def take_integer(self, what: str, low: int | None = None, high: int | None = None) -> int:
        """Take a whole number within [low, high]."""
        token = self.take(what)
        digits = token.text[1:] if token.text[0] in "+-" else token.text
        if not (digits.isascii() and digits.isdigit()):
            token.fail(f"expected {what}, a whole number, found {shown(token.text)}")
        if len(digits) > _MAX_DIGITS:
            token.fail(f"{what} has {len(digits)} digits, which is too many")
        value = int(token.text)
        if low is not None and value < low:
            token.fail(f"{what} is {value}, it must be at least {low}")
        if high is not None and value > high:
            token.fail(f"{what} is {value}, it must be at most {high}")
        return value

    def take_rows(self, count: int, row: str, columns: Sequence[tuple[str, int, int]]) -> np.ndarray:
        """Take `count` rows of whole numbers: an array (count, columns) of int64. Much faster than one by one.

        row       what complaints call a row, as in "the source (edge 3 of 7)"
        columns   name, least and largest value of each column
        """
        blocks = [np.zeros((0, len(columns)), np.int64)]
        most = max(1, _BLOCK // len(columns))
        for done in range(0, count, most):
            size = min(most, count - done)
            block = self._plain_rows(size, columns)
            if block is None:  # something is unusual; the slow way finds out what
                names = (f"{row} {number} of {count}" for number in range(done + 1, done + size + 1))
                values = [[self.take_integer(f"{what} ({name})", *bounds) for what, *bounds in columns] for name in names]
                block = np.array(values, np.int64)
            blocks.append(block)
        return np.concatenate(blocks)

    def take_board(self, what: str, rows: int, columns: int, letters: str, row: str = "row") -> tuple[str, ...]:
        """Take `rows` words of `columns` of these ASCII letters. Much faster than one by one.

        what, row   what complaints call the board and a word of it, as in "row 2 of 3 of the matrix"
        """
        board = self._plain_board(rows, columns, letters)
        if board is None:  # something is unusual; the slow way finds out what
            names = (f"{row} {number} of {rows}" for number in range(1, rows + 1))
            board = tuple(self._take_row(name, what, columns, letters) for name in names)
        return board

    def _plain_board(self, rows: int, columns: int, letters: str) -> tuple[str, ...] | None:
        """Take so many rows if they are as they should be, with little white space between them, otherwise nothing."""
        chunk = self._text[self._position : self._position + rows * (columns + 2) + 2]
        words = chunk.split(None, rows)
        board = tuple(words[:rows])
        size = len(chunk) - (len(words[rows]) if len(words) > rows else 0)
        is_cut = self._position + size < len(self._text) and not chunk[size - 1].isspace()
        if is_cut or len(board) != rows or set(map(len, board)) != {columns} or not consists_of(chunk[:size], letters + " \r\n"):
            return None
        lines, pairs = chunk.count("\n", 0, size), chunk.count("\r\n", 0, size)
        if rows * columns + lines + pairs == size and lines > 0:  # there is no other white space: counting lines is cheap
            self._line += lines
            self._line_start = self._position + chunk.rindex("\n", 0, size) + 1
            self._position += size
        else:
            self._go_to(self._position + size)
        return board

    def _take_row(self, row: str, what: str, columns: int, letters: str) -> str:
        token = self.take(f"{row} of {what}")
        if not consists_of(token.text, letters):
            place = next(i for i, letter in enumerate(token.text) if letter not in letters)
            message = f"{row} has {shown(token.text[place])}; cells are {listed(letters)}"
            raise InputError(message, token.line, token.column + place)
        if len(token.text) != columns:
            token.fail(f"{row} has {len(token.text)} cells, there must be {columns}")
        return token.text

    def _plain_rows(self, count: int, columns: Sequence[tuple[str, int, int]]) -> np.ndarray | None:
        """Take so many rows if they are digits and blanks only and in range, otherwise nothing."""
        match = _plain_numbers(count * len(columns)).match(self._text, self._position)
        if match is None:
            return None
        values = np.array([*map(int, match.group().split())], np.int64).reshape(count, len(columns))
        low, high = (np.array(bounds) for bounds in zip(*(bounds for _, *bounds in columns), strict=True))
        if ((values < low) | (values > high)).any():
            return None
        self._go_to(match.end())
        return values


@functools.lru_cache(16)
def _plain_numbers(count: int) -> re.Pattern[str]:
    """So many numbers, of digits that fit into 64 bits, each followed by white space or the end."""
    return re.compile(rf"(?:\s*[0-9]{{1,18}}(?!\S)){{{count}}}", re.ASCII)


def read_numbers(text: str, count: int, what: str, low: int) -> list[int]:
    """Read an output of one whole number for each case, of `low` or more; raises InputError where it is something else."""
    tokens = Tokens(text)
    numbers = [tokens.take_integer(f"{what} for case {case}", low) for case in range(1, count + 1)]
    tokens.require_end("expected the end: every case has its answer")
    return numbers


def shown(text: str) -> str:
    """`text` as it may stand in a message: quoted, cut when long, control characters escaped."""
    cut = text if len(text) <= 40 else text[:37] + "..."
    return repr(cut) if text.isprintable() else ascii(cut)


def consists_of(text: str, letters: str) -> bool:
    """Whether a text has no other characters than these ASCII letters."""
    return not text.encode("utf-8", "surrogatepass").translate(None, letters.encode())


def listed(letters: str) -> str:
    """The letters as they are named in a sentence: `0, 1 and #`."""
    return f"{', '.join(letters[:-1])} and {letters[-1]}"
