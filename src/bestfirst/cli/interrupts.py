"""Ctrl-C and the wish of the system that we end, obeyed at once and wherever the program is.

A running search asks `requested` between two slices and hands back what it knows. Everywhere else there is nothing to keep, so a
thread that waits for signals ends the process. That works while the main thread loads a library, compiles in C++ or waits for
input, and no exception has to travel through code that does not expect it.
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

#: Seconds between two looks at a search that has not begun to work.
_PATIENCE = 0.02


class _Watch:
    received: int | None = None  #: the signal that came
    searching = False
    working = False  #: the search has asked `requested`: it will stop by itself


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
    """Inside this block a search runs that asks `requested`."""
    _watch.working = False
    _watch.searching = True
    try:
        yield
    finally:
        _watch.searching = False


def requested() -> bool:
    """Whether the running search shall stop; from the first time that it asks, it has something to keep."""
    _watch.working = True
    return _watch.received is not None


def exit_code() -> int | None:
    """The code to end with when a signal came, otherwise None."""
    return None if _watch.received is None else 128 + _watch.received


def _obey(number: int) -> signal._HANDLER:
    """Take over a signal unless it is ignored (as under nohup); return the handler before."""
    before = signal.getsignal(number)
    if before is not signal.SIG_IGN:
        signal.signal(number, _leave_to_thread)
    return before


def _leave_to_thread(number: int, frame: FrameType | None) -> None:
    """Do nothing: the waiting thread has been woken already."""


def _wait_for_signals(reader: int) -> None:
    while numbers := os.read(reader, 1):
        if numbers[0] in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            _watch.received = numbers[0]
            _end_unless_working(numbers[0])
    os.close(reader)


def _end_unless_working(number: int) -> None:
    """End the process, unless there is a search that will stop by itself; commands look at `exit_code` after each one."""
    from bestfirst.cli import streams

    if _watch.searching:
        while _watch.searching and not _watch.working and not _is_compiling():
            time.sleep(_PATIENCE)  # it will soon have something to keep, be compiling, or be over
        if _watch.working or not _watch.searching:
            return
    streams.end_process_now("bestfirst: interrupted", 128 + number)


def _is_compiling() -> bool:
    """Whether the main thread is inside Numba's own Python code, which running kernels are not."""
    identity = threading.main_thread().ident
    frame = None if identity is None else sys._current_frames().get(identity)
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] in ("numba", "llvmlite"):
            return True
        frame = frame.f_back
    return False
