"""Read text as tokens that know where they stand, so that every complaint names line and column."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

_TOKEN = re.compile(r"\S+")

#: More digits than this are refused before Python is asked to convert them.
_MAX_DIGITS = 30


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
        lines = text.removeprefix("\ufeff").splitlines()
        self._tokens = [
            Token(match.group(), number, match.start() + 1)
            for number, line in enumerate(lines, 1)
            for match in _TOKEN.finditer(line)
        ]
        self._position = 0
        self._end = (len(lines), len(lines[-1]) + 1) if lines else (1, 1)

    def at_end(self) -> bool:
        """Whether no token is left."""
        return self._position == len(self._tokens)

    def peek(self) -> Token | None:
        """The next token, not taken."""
        return None if self.at_end() else self._tokens[self._position]

    def take(self, what: str) -> Token:
        """Take the next token; `what` names it in the complaint when the text ends here."""
        if self.at_end():
            raise InputError(f"the text ends where {what} is expected", *self._end)
        self._position += 1
        return self._tokens[self._position - 1]

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


def shown(text: str) -> str:
    """`text` as it may stand in a message: quoted, cut when long, control characters escaped."""
    cut = text if len(text) <= 40 else text[:37] + "..."
    return repr(cut) if text.isprintable() else ascii(cut)
