"""What can go wrong, as one message and one exit code each."""

from __future__ import annotations

import os
from enum import IntEnum


class ExitCode(IntEnum):
    """What the program's exit code says; a signal gives 128 and its number (Ctrl-C: 130)."""

    ANSWERED = 0
    FAULT = 1  #: `check` or `explain` found something wrong
    BAD_INPUT = 2  #: also bad usage, files that cannot be read or written, checkpoints that do not fit
    LIMIT = 3  #: stopped at a limit, with no proof
    BUG = 70
    CLOSED_PIPE = 141  #: nobody reads our output any more, as after `| head -1`


class Failure(Exception):
    """The reason to stop: a complete message for the user, without the program's name."""

    def __init__(self, message: str, code: ExitCode = ExitCode.BAD_INPUT) -> None:
        super().__init__(message)
        self.code = code


def cannot(action: str, error: OSError) -> Failure:
    """The failure for a file that cannot be read or written."""
    return Failure(f"cannot {action}: {os.strerror(error.errno) if error.errno else error}")
