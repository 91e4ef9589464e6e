"""`bestfirst explain`: what each pruning saves, by switching them off in turn."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Annotated, Any

from cyclopts import Parameter

from bestfirst import catalogue
from bestfirst.cli import files, interrupts, running, streams, tables
from bestfirst.cli.failures import ExitCode, Failure
from bestfirst.cli.options import LimitOptions, NoLeadingZeros, ProblemName, Verbose
from bestfirst.result import Solution

_DEFAULT = LimitOptions(time=60.0)


def explain(
    problem: ProblemName,
    file: Annotated[str | None, Parameter(help="Instances in judge format or JSON; - is standard input.")] = None,
    /,
    *,
    no_leading_zeros: NoLeadingZeros = False,
    limits: LimitOptions = _DEFAULT,
    verbose: Verbose = False,
) -> int:
    """Solve each instance again and again, each time with one pruning switched off, and show what that costs.

    The answer must be as good each time; when it is not, that is a fault (exit code 1). A run ends at the limits, which are one
    minute unless others are given. Without FILE an instance is generated.

    Example: bestfirst explain flood-it board.txt
    """
    entry = catalogue.find(problem)
    module = catalogue.module(entry)
    if not module.PRUNINGS:
        raise Failure(f"{entry.slug} has no prunings to switch off: see bestfirst solve {entry.slug} --stats")
    running.show_log(verbose)
    for case in _cases(entry, module, file, no_leading_zeros):
        streams.out("" if case.alone else f"case {case.number}\n")
        streams.out(_explained(module, case, limits))
        if interrupts.exit_code() is not None:
            return interrupts.exit_code() or 130
    return ExitCode.ANSWERED


def _cases(entry: catalogue.Entry, module: ModuleType, file: str | None, no_leading_zeros: bool) -> Any:
    if file is not None:
        return files.cases(module, files.read_text(file, no_leading_zeros))
    wish = {"solvable": True} if "solvable" in inspect.signature(module.generate).parameters else {}
    options = "".join(f" --{name}" for name in wish)
    streams.say(f"bestfirst: no file given, so this is the instance of: bestfirst generate {entry.slug} --seed 1{options}")
    return [files.Case(module.generate(1, **wish), 1, True, entry.slug)]


def _explained(module: ModuleType, case: files.Case, limits: LimitOptions) -> str:
    """The table of one case. Raises Failure when an answer depends on a pruning."""
    counts = ("expanded", "generated", "times", "seconds")
    table = tables.table("without", *counts, "kind", "what it does", numbers=counts)
    usual = _solved(module, case, (), limits)
    table.add_row("(all on)", *_row(usual, usual), "", "")
    for name, pruning in module.PRUNINGS.items():
        if interrupts.exit_code() is not None:
            break
        solution = _solved(module, case, (name,), limits)
        if usual.stopped_by is None and solution.stopped_by is None:
            _require_as_good(module, case, name, usual, solution)
        table.add_row(name, *_row(solution, usual), pruning.kind.value, pruning.what)
    return tables.rendered(table)


def _solved(module: ModuleType, case: files.Case, without: tuple[str, ...], limits: LimitOptions) -> Solution:
    return running.search(module, case.instance, case.name, without=without, limits=limits.limits())


def _require_as_good(module: ModuleType, case: files.Case, name: str, usual: Solution, solution: Solution) -> None:
    answers = module.answer(case.instance, usual), module.answer(case.instance, solution)
    fault = running.difference(module, answers[1], answers[0])
    if fault is not None:
        raise Failure(f"{case.name}: the answer depends on the pruning {name}: without it {fault}", ExitCode.FAULT)


def _row(solution: Solution, usual: Solution) -> list[str]:
    did = solution.stats
    more = ">" if solution.stopped_by is not None else ""
    times = did.generated / max(usual.stats.generated, 1)
    return [f"{more}{did.expanded:,}", f"{more}{did.generated:,}", f"{more}{times:.2f}", f"{more}{did.seconds:.3f}"]
