"""Standard output and standard error: UTF-8 whatever the locale, nothing half written, no traceback when one is closed.

Everything that the program prints goes through `out` (answers) or `say` (messages). A status line is text on a terminal that
the next message replaces.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import select
import sys
import threading
from typing import NoReturn

_CLEAR_LINE = "\r\x1b[K"

_status_shown = False

_writing = threading.Lock()  # held while an answer is half written


class OutputError(Exception):
    """Standard output cannot be written; `__cause__` says why."""


def prepare() -> None:
    """Fill the places of closed standard streams, so that no other file gets their numbers, and make all of them UTF-8."""
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:  # opened the wrong way round for 0 and 1: using them is an error, as it was before
            os.open(os.devnull, mode)
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    for stream, errors in ((sys.stdout, "surrogateescape"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)


def out(text: str) -> None:
    """Write to standard output, at once. Raises BrokenPipeError when nobody reads any more, OutputError when it fails."""
    if sys.stdout.isatty():
        erase_status()
    try:
        with _writing:
            sys.stdout.write(text)
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError from error


def say(text: str) -> None:
    """Write a message and a line end to standard error; a closed one is no reason to stop."""
    erase_status()
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


def read_standard_input() -> bytes:
    """All of standard input. Raises OSError."""
    with open(0, "rb", closefd=False) as file:
        return file.read()


def end_process(code: int) -> NoReturn:
    """End the process, without taking Numba apart piece by piece (a tenth of a second), nor a complaint about closed streams."""
    atexit._run_exitfuncs()
    os._exit(code)  # `out` and `say` have left nothing in the buffers


def end_process_now(message: str, code: int) -> NoReturn:
    """End the process from any thread, with a message."""
    text = f"{_CLEAR_LINE if _status_shown else ''}{message}\n".encode()
    _writing.acquire(timeout=0.1)
    with contextlib.suppress(OSError, ValueError):
        if select.select([], [2], [], 0)[1]:  # a pipe that nobody empties must not hold us
            os.write(2, text)
    os._exit(code)


# --- the terminal -------------------------------------------------------------------------------------------------------


def has_colour() -> bool:
    """Whether pictures on standard output may be coloured."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def has_status() -> bool:
    """Whether there is a terminal to show a status line on."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def show_status(text: str) -> None:
    """Show a line on the terminal in place of the one before."""
    global _status_shown
    if not has_status():
        return
    import shutil

    width = shutil.get_terminal_size().columns - 1
    _status_shown = True  # before it is there: a signal may end the process in between
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(_CLEAR_LINE + text[:width])
        sys.stderr.flush()


def erase_status() -> None:
    """Take the status line away."""
    global _status_shown
    if _status_shown:
        _status_shown = False
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(_CLEAR_LINE)
            sys.stderr.flush()
