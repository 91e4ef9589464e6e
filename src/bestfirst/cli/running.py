"""Run the search of a problem from the command line: limits, progress on the terminal, and the outcome in one sentence."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bestfirst.cli import interrupts, streams
from bestfirst.cli.failures import Failure
from bestfirst.result import Interrupted, Solution, Status

if TYPE_CHECKING:
    from bestfirst.control import Progress


def search(module: ModuleType, instance: Any, name: str, **options: Any) -> Solution:
    """Search; an interrupted search returns what it knows, `stopped_by` says "interrupt".

    Raises Failure for options that the problem refuses; `name` is how messages call the case.
    """
    solution: Solution = _run(module.search, instance, name, options)
    return solution


def search_many(module: ModuleType, instances: Sequence[Any], name: str, **options: Any) -> list[Solution]:
    """Search for all of them at once, where the problem can; when interrupted, fewer solutions, of which the last one says so."""
    solutions: list[Solution] = _run(module.search_many, instances, name, options)
    return solutions


def _run(search: Callable[..., Any], given: Any, name: str, options: dict[str, Any]) -> Any:
    from bestfirst.checkpoint import CheckpointError

    _load()
    try:
        with _compilation_shown(), interrupts.searching():
            return search(given, progress=_Reporter(), interrupted=interrupts.requested, **options)
    except Interrupted as interrupt:
        return interrupt.solution
    except CheckpointError as error:
        raise Failure(str(error)) from None
    except ValueError as error:  # also CostError
        raise Failure(f"{name}: {error}") from None
    finally:
        streams.erase_status()


def _load() -> None:
    """Import Numba now, while the process can still be ended at any moment, then collect garbage again."""
    from bestfirst.kernel import is_interpreting

    if not is_interpreting():
        import numba  # noqa: F401
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def outcome(solution: Solution) -> str:
    """What is known, in a sentence."""
    if solution.status is Status.OPTIMAL and solution.cost is None:
        return "complete, proved"
    if solution.status is Status.OPTIMAL:
        return f"{'' if solution.maximised else 'cost '}{solution.cost}, proved best"
    if solution.status is Status.INFEASIBLE:
        return "no solution, proved"
    reason = "interrupted" if solution.stopped_by == "interrupt" else f"stopped at the {solution.stopped_by} limit"
    if solution.stopped_by is None:
        reason = "not proved best"
    after = f"{reason} after {solution.stats.seconds:.1f} s and {solution.stats.generated:,} nodes"
    if solution.value is not None:
        return f"{after}: what is known so far is no full answer"
    bound = limit(solution) if solution.bound is not None else "nothing is proved"
    verb = "reaches" if solution.maximised else "costs"
    best = "no solution found so far" if solution.cost is None else f"the best so far {verb} {solution.cost}"
    return f"{after}: {best}, {bound}"


def limit(solution: Solution) -> str:
    """What the bound of a solution says."""
    return f"none {'reaches more' if solution.maximised else 'costs less'} than {solution.bound}"


def difference(module: ModuleType, answer: Any, best: Any) -> str | None:
    """Why a valid answer of a problem is not as good as the best one."""
    fault: str | None = getattr(module, "difference", _difference)(answer, best)
    return fault


def _difference(answer: Any, best: Any) -> str | None:
    """Why a valid answer is not as good as the best one."""
    if answer.status is Status.INFEASIBLE and best.status is not Status.INFEASIBLE:
        return "it says that there is no solution, but there is one"
    if answer.status is not Status.INFEASIBLE and best.status is Status.INFEASIBLE:
        return "it claims a solution, but there is none"
    for name in ("cost", "total"):
        claimed, least = getattr(answer, name, None), getattr(best, name, None)
        if claimed != least:
            return f"it claims {name} {claimed}, but the best is {least}"
    return None


def show_log(verbose: bool) -> None:
    """Show warnings on standard error, with `verbose` also what is merely worth knowing."""
    log = logging.getLogger("bestfirst")
    log.setLevel(logging.INFO if verbose else logging.WARNING)
    log.addHandler(_Handler())


class _Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        streams.say(f"bestfirst: {record.getMessage()}")


class _Reporter:
    """Shows progress on the status line; called by the search a few times a second."""

    def __init__(self) -> None:
        self.seconds, self.generated = 0.0, 0

    def __call__(self, now: Progress) -> None:
        if streams.has_status():
            streams.show_status(self.line(now))
        self.seconds, self.generated = now.seconds, now.generated

    def line(self, now: Progress) -> str:
        rate = (now.generated - self.generated) / max(now.seconds - self.seconds, 1e-9)
        best = "" if now.incumbent is None else f"  best {now.incumbent}"
        return (
            f"{now.engine}  {now.seconds:.0f} s  at least {now.bound}{best}  depth {now.depth}  "
            f"{short(now.generated)} nodes  {short(rate)}/s  {short_bytes(now.bytes)}"
        )


@contextmanager
def _compilation_shown() -> Iterator[None]:
    from bestfirst.kernel.cache import compile_listeners

    def show(kernel: str) -> None:
        streams.show_status("compiling … (first run only)")

    compile_listeners.append(show)
    try:
        yield
    finally:
        compile_listeners.remove(show)


def short(number: float) -> str:
    """A count in about three digits: 950, 12.3 k, 4.56 M."""
    for unit in ("", " k", " M", " G"):
        if number < 999.5:
            return f"{number:.0f}" if unit == "" else f"{number:.3g}{unit}"
        number /= 1000
    return f"{number:.0f} T"


def short_bytes(number: float) -> str:
    """An amount of memory in about three digits: 640 B, 1.5 KiB, 3.2 GiB."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if number < 1023.5:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.3g} {unit}"
        number /= 1024
    return f"{number:.3g} TiB"
