"""Run a search in slices: limits, Ctrl-C, progress, checkpoints – the same for every engine.

A search is data: its whole working memory is a handful of arrays, and `advance` goes on where it stopped (design record
0003). So nothing has to be interrupted: a slice of about a twentieth of a second ends by itself, and between two slices
the clock, the limits and the interrupt flag are looked at in plain Python.
"""

from __future__ import annotations

import abc
import dataclasses
import inspect
import logging
import os
import pathlib
import signal
import textwrap
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple, TypedDict, TypeVar

from bestfirst import checkpoint as checkpoints
from bestfirst.replay import verify
from bestfirst.result import Interrupted, Limits, Solution, Stats, Status

log = logging.getLogger("bestfirst")

# What `advance` returns.
PAUSED = 0  #: the node budget is used up; call again
FOUND = 1  #: a best solution, proved
EXHAUSTED = 2  #: there is no (better) solution, proved
FULL = 3  #: an array is full; call `grow`, then again
NEGATIVE_COST = 4  #: a move costs less than 0
HUGE_COST = 5  #: a cost goes beyond MAX_COST
UNEVEN_COST = 6  #: moves of different cost in an engine that needs equal ones
ZERO_COST = 7  #: a move of cost 0 in an engine that needs positive ones
NOT_ZERO_ONE = 8  #: a move that costs more than 1 in an engine that needs 0 and 1

_SLICE_SECONDS = 0.05
_PROGRESS_SECONDS = 0.25

_COST_MESSAGES = {
    NEGATIVE_COST: "a move has a negative cost; every engine needs costs of 0 or more",
    HUGE_COST: "a move costs more than 2^40 - 1, or a path more than 2^60; scale the costs down",
    UNEVEN_COST: "two moves differ in cost; this engine needs equal costs (a_star handles any)",
    NOT_ZERO_ONE: "a move costs more than 1; this engine needs costs of 0 and 1 (a_star handles any)",
    ZERO_COST: "a move costs 0; this engine needs costs of at least 1 (a_star handles 0)",
}


class CostError(ValueError):
    """A cost that an engine cannot handle; the message says which engine can."""

    def __init__(self, outcome: int) -> None:
        super().__init__(_COST_MESSAGES[outcome])
        self.outcome = outcome


class Progress(NamedTuple):
    """A search as seen from outside while it runs."""

    engine: str
    bound: int  #: no solution costs less
    incumbent: int | None  #: cost of the best solution so far
    depth: int  #: moves from the start to the node being looked at
    expanded: int
    generated: int
    bytes: int
    seconds: float

    def __str__(self) -> str:
        best = "" if self.incumbent is None else f", best {self.incumbent}"
        counts = f"{self.expanded:,} expanded, {self.generated:,} generated, {self.bytes / 2**20:,.1f} MiB, {self.seconds:.1f} s"
        return f"{self.engine}: bound {self.bound}{best}, depth {self.depth}; {counts}"

    def __repr__(self) -> str:
        return f"<Progress {self}>"


class RunOptions(TypedDict, total=False):
    """The options that every engine takes.

    limits       Limits(time=seconds, nodes=…, memory=bytes): where to stop with what is known by then
    progress     called with a Progress a few times a second, for example `print`
    interrupted  asked between two slices of a search; True stops it as Ctrl-C does
    checkpoint   file to keep the search in, written every minute and when it is stopped (not in bestfirst.plain)
    resume       such a file, to go on from
    compiled     False: run in the interpreter, slowly, where breakpoints and print work
    """

    limits: Limits | None
    progress: Callable[[Progress], None] | None
    interrupted: Callable[[], bool] | None
    checkpoint: str | os.PathLike[str] | None
    resume: str | os.PathLike[str] | None
    compiled: bool | None


F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")


def takes_run_options(function: F) -> F:
    """Show the RunOptions, which a function takes as `**options`, in its signature and in its help."""
    signature = inspect.signature(function)
    named = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind.__forward_arg__)
        for name, kind in RunOptions.__annotations__.items()
    ]
    function.__signature__ = signature.replace(parameters=[*named, *options])  # type: ignore[attr-defined]
    described = inspect.cleandoc(RunOptions.__doc__ or "").partition("\n\n")[2]
    function.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\nOptions:\n\n{textwrap.indent(described, '    ')}\n"
    return function


class Search(abc.ABC):
    """An engine at work on one problem: something that can advance, grow, be saved and be asked."""

    engine: str

    #: Whether FOUND means that no solution is better.
    proves_best: bool = True

    #: Whether larger is better.
    maximises: bool = False

    #: Why this way of searching was chosen, where an engine has several.
    why: str = ""

    def nearest(self) -> tuple[Any, ...] | None:
        """The moves to a state, of those met, whose lower bound is least; None when the engine does not know."""
        return None

    #: Nodes to generate before the clock is looked at for the first time.
    first_slice: int = 1024

    @abc.abstractmethod
    def advance(self, stop_at: int) -> int:
        """Go on until `generated` reaches `stop_at`; return one of the outcomes above."""

    @abc.abstractmethod
    def grow(self, room: int | None) -> bool:
        """Enlarge what is full, using at most `room` bytes in all; False when that is impossible."""

    @abc.abstractmethod
    def progress(self) -> Progress:
        """Where the search stands (`seconds` is filled in by the caller)."""

    @abc.abstractmethod
    def stats(self) -> Stats:
        """Counts so far (`seconds` and `peak_bytes` are filled in by the caller)."""

    @abc.abstractmethod
    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """Cost and moves of the best solution so far."""

    def count(self) -> int | None:
        """How many solutions were met so far, if this search counts them."""
        return None

    def context(self) -> tuple[Any, Any]:
        """The problem and the start that the solution belongs to."""
        return None, None

    def verify_moves(self, moves: tuple[Any, ...], cost: Any) -> None:
        """Raise BrokenProblem unless the moves, made again in the interpreter, are a solution of this cost."""
        problem, start = self.context()
        if problem is not None:
            verify(problem, start, moves, cost)

    def save(self) -> checkpoints.Snapshot:
        """The search as arrays and a header."""
        raise checkpoints.CheckpointError(f"{self.engine} on plain Python values cannot be saved to a file")

    def restore(self, snapshot: checkpoints.Snapshot) -> None:
        """Go on from a snapshot of the same problem and engine."""
        raise checkpoints.CheckpointError(f"{self.engine} on plain Python values cannot be resumed from a file")


def run(search: Search, options: RunOptions) -> Solution:
    """Advance a search until it ends or must stop, and say what is known then.

    Raises Interrupted on Ctrl-C, carrying the partial solution; CostError for costs that the engine cannot handle; BrokenProblem
    when the moves found, made again in the interpreter, do not do what the search says;
    CheckpointError when the file to resume from does not fit.
    """
    return _Run(search, options).run()


def run_as(search: Search, options: RunOptions, result: Callable[[Solution], R]) -> R:
    """`run` for a search that makes something else than a solution: `result` makes it, of what is known at the end.

    Raises as `run` does; Interrupted then carries that result.
    """
    try:
        return result(run(search, options))
    except Interrupted as stop:
        raise Interrupted(result(stop.solution)) from None


class _Run:
    def __init__(self, search: Search, options: RunOptions) -> None:
        unknown = sorted(set(options) - set(RunOptions.__annotations__))
        if unknown:
            raise TypeError(f"unknown option {unknown[0]!r}; engines take {', '.join(RunOptions.__annotations__)}")
        self.search = search
        self.limits = options.get("limits") or Limits()
        self.report = options.get("progress")
        self.interrupted = options.get("interrupted") or bool
        path = options.get("checkpoint")
        self.checkpoint = pathlib.Path(path) if path is not None else None
        if self.checkpoint is not None:  # what cannot be saved is told now, not after hours
            search.save()
            if self.checkpoint.is_dir() or not os.access(self.checkpoint.absolute().parent, os.W_OK):
                raise checkpoints.CheckpointError(f"the checkpoint {self.checkpoint} cannot be written")
        self.seconds_before = 0.0
        resume = options.get("resume")
        if resume is not None:
            snapshot = checkpoints.load(pathlib.Path(resume))
            search.restore(snapshot)
            self.seconds_before = float(snapshot.header["seconds"])
        self.peak_bytes = 0

    def run(self) -> Solution:
        with _InterruptFlag() as interrupt:
            self.search.advance(0)  # compiles, and generates nothing: the clock starts after it
            self.started = self.reported = self.saved = time.perf_counter()
            outcome, stopped_by = self.loop(interrupt)
        solution = self.solution(outcome, stopped_by)
        if stopped_by is not None:
            self.save()
        # Also when the search has ended in that very slice: Ctrl-C is meant for the caller's loop as well.
        if interrupt.is_set or stopped_by == "interrupt":
            raise Interrupted(solution)
        return solution

    def loop(self, interrupt: _InterruptFlag) -> tuple[int, str | None]:
        slice_nodes = self.search.first_slice
        while True:
            stopped_by = "interrupt" if interrupt.is_set or self.interrupted() else self.exceeded()
            if stopped_by is not None:
                return PAUSED, stopped_by
            before, clock = self.search.progress().generated, time.perf_counter()
            stop_at = before + slice_nodes
            if self.limits.nodes is not None:
                stop_at = min(stop_at, self.limits.nodes)
            outcome = self.search.advance(stop_at)
            if outcome == FULL:
                if not self.grow():
                    return PAUSED, "memory"
            elif outcome in _COST_MESSAGES:
                raise CostError(outcome)
            elif outcome != PAUSED:
                return outcome, None
            done = self.search.progress().generated - before
            slice_nodes = next_slice(slice_nodes, done, time.perf_counter() - clock)
            self.between_slices()

    def exceeded(self) -> str | None:
        if self.limits.nodes is not None and self.search.progress().generated >= self.limits.nodes:
            return "nodes"
        if self.limits.time is not None and self.elapsed() >= self.limits.time:
            return "time"
        if self.limits.memory is not None and self.search.progress().bytes > self.limits.memory:
            return "memory"
        return None

    def elapsed(self) -> float:
        return time.perf_counter() - self.started

    def grow(self) -> bool:
        self.peak_bytes = max(self.peak_bytes, self.search.progress().bytes)
        room = self.limits.memory
        if room is None and (free := free_memory()) is not None:
            room = self.search.progress().bytes + free
        try:
            return self.search.grow(room)
        except MemoryError:
            return False

    def between_slices(self) -> None:
        now = time.perf_counter()
        if self.report is not None and now - self.reported >= _PROGRESS_SECONDS:
            self.reported = now
            self.report(self.search.progress()._replace(seconds=self.seconds_before + self.elapsed()))
        if self.checkpoint is not None and now - self.saved >= checkpoints.INTERVAL_SECONDS:
            self.save()
            self.saved = time.perf_counter()

    def save(self) -> None:
        if self.checkpoint is None:
            return
        snapshot = self.search.save()
        snapshot.header["seconds"] = self.seconds_before + self.elapsed()
        try:
            checkpoints.store(snapshot, self.checkpoint)
        except OSError as error:
            log.warning("the checkpoint could not be written: %s", error)

    def solution(self, outcome: int, stopped_by: str | None) -> Solution:
        progress = self.search.progress()
        stats = dataclasses.replace(
            self.search.stats(),
            peak_bytes=max(self.peak_bytes, progress.bytes),
            seconds=self.seconds_before + self.elapsed(),
        )
        best = self.search.best()
        nearest = self.search.nearest() if best is None else None
        cost, moves = best if best is not None else (None, None)
        bound: int | None = progress.bound
        if stopped_by is not None:
            status = Status.STOPPED if best is None else Status.FEASIBLE
        elif best is None:
            status, bound = Status.INFEASIBLE, None
        elif self.search.proves_best:
            status, bound = Status.OPTIMAL, cost
        else:
            status = Status.FEASIBLE
        problem, start = self.search.context()
        if moves is not None:
            self.search.verify_moves(moves, cost)
        return Solution(
            status,
            cost,
            moves,
            bound,
            stats,
            self.search.engine,
            self.search.why,
            stopped_by,
            nearest,
            self.search.maximises,
            self.search.count(),
            problem,
            start,
        )


def free_memory() -> int | None:
    """What may be used without a limit: nine tenths of the bytes that are free; None where the system does not tell."""
    try:
        pages, size = os.sysconf("SC_AVPHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
    return int(0.9 * pages * size)


def next_slice(nodes: int, done: int, seconds: float) -> int:
    """As many nodes as take about a twentieth of a second, at most four times as many as before."""
    if done <= 0 or seconds <= 0:
        return nodes
    return max(1, min(4 * nodes, int(done / seconds * _SLICE_SECONDS) + 1))


class _InterruptFlag:
    """Inside the block Ctrl-C sets a flag instead of raising, so that no array is left half-written."""

    def __init__(self) -> None:
        self.is_set = False
        self._before: Any = None
        self._installed = False

    def __enter__(self) -> _InterruptFlag:
        in_main_thread = threading.current_thread() is threading.main_thread()
        if in_main_thread and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._set)
            self._installed = True
        return self

    def _set(self, number: int, frame: FrameType | None) -> None:
        if self.is_set:  # pressed again: a slice hangs, in somebody's Python code perhaps
            raise KeyboardInterrupt
        self.is_set = True

    def __exit__(self, *exception: object) -> None:
        if self._installed:
            signal.signal(signal.SIGINT, self._before)
