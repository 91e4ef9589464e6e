"""`bestfirst check`: is an output right, and is it best?"""

from __future__ import annotations

from types import ModuleType
from typing import Annotated, Any

from cyclopts import Parameter

from bestfirst import catalogue
from bestfirst.cli import files, interrupts, running, streams
from bestfirst.cli.failures import ExitCode, Failure
from bestfirst.cli.options import Flag, LimitOptions, NoLeadingZeros, ProblemName, Verbose
from bestfirst.result import Solution, Status


def check(
    problem: ProblemName,
    input: Annotated[str, Parameter(help="The instances, in judge format or JSON.")],
    output: Annotated[str, Parameter(help="The answers: judge format, or JSON lines from solve --json.")],
    /,
    *,
    strict: Annotated[
        bool, Flag, Parameter(help="A best answer that is not the one the tie rule wants is a fault, too.")
    ] = False,
    no_leading_zeros: NoLeadingZeros = False,
    limits: LimitOptions = LimitOptions(),  # noqa: B008  # immutable
    verbose: Verbose = False,
) -> int:
    """Check the answers in OUTPUT to the instances in INPUT: right by the rules, and best. The first fault is named.

    Each answer is replayed by a checker that shares no code with the solver, then the best answer is computed and compared. Exit
    code 1 for a fault; 3 when a limit stopped the search for a best answer before the comparison was made.

    Example: bestfirst check flood-it board.txt output.txt
    """
    module = catalogue.module(catalogue.find(problem))
    running.show_log(verbose)
    if input in files.STANDARD_INPUT and output in files.STANDARD_INPUT:
        raise Failure("INPUT and OUTPUT cannot both be standard input")
    cases = list(files.cases(module, files.read_text(input, no_leading_zeros)))
    source = files.read_text(output)
    try:
        answers = files.answers(module, source, [case.instance for case in cases])
    except Failure as failure:  # what somebody's program printed is under test: it is a fault, not bad usage
        raise Failure(str(failure), ExitCode.FAULT) from None
    code = ExitCode.ANSWERED
    for case, answer in zip(cases, answers, strict=True):
        name = source.name if case.alone else f"{source.name}: case {case.number}"
        code = max(code, _check_case(module, case, answer, name, strict, limits))
        if interrupts.exit_code() is not None:
            return interrupts.exit_code() or 130
    if code == ExitCode.ANSWERED:
        streams.out(f"{len(cases)} {'answer' if len(cases) == 1 else 'answers'}, right and best\n")
    return code


def _check_case(module: ModuleType, case: files.Case, answer: Any, name: str, strict: bool, limits: LimitOptions) -> ExitCode:
    """Raises Failure for a fault."""
    fault = module.check(case.instance, answer)
    if fault is None and answer.status is Status.STOPPED:
        fault = "there is no answer: the search was stopped"
    if fault is not None:
        raise Failure(f"{name}: {fault}", ExitCode.FAULT)
    solution = running.search(module, case.instance, case.name, limits=limits.limits())
    if solution.stopped_by is not None:
        _require_within(solution, getattr(answer, "cost", None), name)
        streams.say(f"bestfirst: {name}: right, but whether it is best is not known: {running.outcome(solution)}")
        return ExitCode.LIMIT
    best = module.answer(case.instance, solution)
    fault = running.difference(module, answer, best)
    if fault is not None:
        raise Failure(f"{name}: {fault}", ExitCode.FAULT)
    if hasattr(module, "TIES") and not _is_first(module, answer, best):
        message = f"{name}: right and best, but the tie rule wants another: {module.TIES}"
        if strict:
            raise Failure(message, ExitCode.FAULT)
        streams.say(f"bestfirst: {message}")
    return ExitCode.ANSWERED


def _require_within(solution: Solution, claimed: int | None, name: str) -> None:
    """Raise Failure for a claim that what is known of the best answer rules out."""
    if claimed is None:
        return
    sign, claim = (-1, f"{claimed}") if solution.maximised else (1, f"cost {claimed}")
    if solution.bound is not None and sign * claimed < sign * solution.bound:
        raise Failure(f"{name}: it claims {claim}, but {running.limit(solution)}", ExitCode.FAULT)
    if solution.cost is not None and sign * claimed > sign * solution.cost:
        raise Failure(f"{name}: it claims {claim}, but {solution.cost} is possible", ExitCode.FAULT)


def _is_first(module: ModuleType, answer: Any, best: Any) -> bool:
    """Whether the answer is the one that the tie rule wants, as far as it says what it did."""
    fields = [name for name in module.Answer.__struct_fields__ if name not in ("version", "status", "cost", "total", "bound")]
    return all(getattr(answer, name) in (None, getattr(best, name)) for name in fields)
