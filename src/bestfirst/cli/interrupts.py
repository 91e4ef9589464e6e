"""Ctrl-C and the wish of the system that we end, obeyed at once and wherever the program is.

While a search runs, the search itself sees the flag between two slices and hands back what it knows (bestfirst.control).
Everywhere else there is nothing to save, so a thread that waits for signals ends the process. That also works while the main
thread loads a library, compiles in C++ or waits for input, and no exception travels through code that does not expect it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType

#: Seconds that a search has to react before we look whether it is not yet running but being compiled.
_PATIENCE = 0.1


class _Watch:
    received: int | None = None  #: the first signal that came
    searching = False
    working = False  #: the search has shown progress, so there is something to keep


_watch = _Watch()


@contextlib.contextmanager
def watching() -> Iterator[None]:
    """Obey signals inside this block. Elsewhere than on POSIX systems, Ctrl-C stays an exception."""
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        yield
        return
    _watch.received = None
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = {number: _obey(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    wakeup_before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_wait_for_signals, args=(reader,), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(wakeup_before)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(writer)


@contextlib.contextmanager
def searching() -> Iterator[None]:
    """Inside this block a search runs that handles SIGINT itself; other signals are turned into it."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is _ignore:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # what bestfirst.control takes over
    _watch.working = False
    _watch.searching = True
    try:
        yield
    finally:
        _watch.searching = False
        if handler is _ignore:
            signal.signal(signal.SIGINT, handler)


def note_progress() -> None:
    """From now on the running search has something to keep."""
    _watch.working = True


def exit_code() -> int | None:
    """The code to end with when a signal came, otherwise None."""
    return None if _watch.received is None else 128 + _watch.received


def _obey(number: int) -> signal._HANDLER:
    """Take over a signal unless it is ignored (as under nohup); return the handler before."""
    before = signal.getsignal(number)
    if before is not signal.SIG_IGN:
        signal.signal(number, _ignore if number == signal.SIGINT else _pass_on)
    return before


def _ignore(number: int, frame: FrameType | None) -> None:
    """Do nothing: the waiting thread has been woken already."""


def _pass_on(number: int, frame: FrameType | None) -> None:
    signal.raise_signal(signal.SIGINT)


def _wait_for_signals(reader: int) -> None:
    while numbers := os.read(reader, 1):
        if numbers[0] not in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            continue
        if _watch.received is None:
            _watch.received = numbers[0]
        if _watch.searching:
            time.sleep(_PATIENCE)
            if _watch.working or not _is_compiling():
                continue
        from bestfirst.cli import streams

        streams.leave("bestfirst: interrupted", 128 + _watch.received)
    os.close(reader)


def _is_compiling() -> bool:
    """Whether the main thread is inside Numba's own Python code, which running kernels are not."""
    identity = threading.main_thread().ident
    frame = None if identity is None else sys._current_frames().get(identity)
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] in ("numba", "llvmlite"):
            return True
        frame = frame.f_back
    return False
