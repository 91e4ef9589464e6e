"""`bestfirst solve`: instances in, best answers out, one after another."""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import os
import pathlib
import shlex
from collections.abc import Iterator
from types import ModuleType
from typing import Annotated, Any, Literal

import msgspec
from cyclopts import Parameter

from bestfirst import catalogue
from bestfirst.cli import files, interrupts, running, streams
from bestfirst.cli.failures import ExitCode, Failure, cannot
from bestfirst.cli.options import (
    Flag,
    InputFile,
    LimitOptions,
    NoLeadingZeros,
    ProblemName,
    Verbose,
    converter,
    whole_number,
)
from bestfirst.result import Solution, Status

#: Cases that are solved together, by problems that can.
_AT_ONCE = 1000


@dataclasses.dataclass(frozen=True)
class _Job:
    """What to do with every case."""

    entry: catalogue.Entry
    module: ModuleType
    options: dict[str, Any]  #: of the search
    json: bool
    steps: bool
    svg: str | None
    stats: bool


def solve(
    problem: ProblemName,
    file: InputFile = "-",
    /,
    *,
    json: Annotated[bool, Flag, Parameter(help="Print an answer as one line of JSON, with what the search did.")] = False,
    steps: Annotated[bool, Flag, Parameter(help="Draw the positions one after another instead.")] = False,
    svg: Annotated[str | None, Parameter(help="Draw each answer to this file (OUT-1.svg, OUT-2.svg … for several).")] = None,
    stats: Annotated[bool, Flag, Parameter(help="Print what the search did, to standard error.")] = False,
    engine: Annotated[str | None, Parameter(help="The search to use, where the problem has several.")] = None,
    ties: Annotated[
        Literal["any", "lexicographic"] | None, Parameter(help="Which of the best answers, where the problem can choose.")
    ] = None,
    count: Annotated[
        int | None,
        Parameter(converter=converter(whole_number), help="Count the solutions, up to so many, where the problem can."),
    ] = None,
    no_leading_zeros: NoLeadingZeros = False,
    limits: LimitOptions = LimitOptions(),  # noqa: B008  # immutable
    checkpoint: Annotated[str | None, Parameter(help="Keep the search in this file, to go on later.", group="Limits")] = None,
    resume: Annotated[
        str | None, Parameter(help="Go on from this file, and keep the search there again.", group="Limits")
    ] = None,
    verbose: Verbose = False,
) -> int:
    """Solve the instances of FILE (standard input when left out) and print the answers in judge format.

    A case that is stopped at a limit prints a question mark there, so that the answers of the others keep their places; what is
    known of it goes to standard error. The next case is then tried, and the exit code is 3 in the end.

    Example: bestfirst solve flood-it board.txt

    Example: bestfirst solve flood-it board.txt --json --time 10s

    Example: bestfirst solve flood-it board.txt --checkpoint search.npz, then --resume search.npz
    """
    entry = catalogue.find(problem)
    module = catalogue.module(entry)
    if json and steps:
        raise Failure("--json and --steps do not go together")
    running.show_log(verbose)
    options: dict[str, Any] = {"limits": limits.limits(), **_search_options(entry, module, engine=engine, ties=ties, count=count)}
    job = _Job(entry, module, options, json, steps, svg, stats)
    if file in files.STANDARD_INPUT and os.isatty(0):
        streams.say("bestfirst: reading from the terminal; Ctrl-D ends the input")
    source = files.read_text(file, no_leading_zeros)
    if checkpoint is not None or resume is not None:
        return _solve_with_checkpoint(job, source, file, checkpoint, resume)
    code = ExitCode.ANSWERED
    for case, solution in _solved(job, source, at_once=limits == LimitOptions() and not (json or stats)):
        _tell(job, case, solution)
        if interrupts.exit_code() is not None or solution.stopped_by == "interrupt":
            return interrupts.exit_code() or 130
        if solution.stopped_by is not None:
            code = ExitCode.LIMIT
    return code


def _search_options(entry: catalogue.Entry, module: ModuleType, **given: Any) -> dict[str, Any]:
    options = {name: value for name, value in given.items() if value is not None}
    for name in options:
        if name not in inspect.signature(module.search).parameters:
            raise Failure(f"{entry.slug} has no --{name}")
    return options


def _solve_with_checkpoint(job: _Job, source: files.Text, file: str, checkpoint: str | None, resume: str | None) -> int:
    case = files.single_case(job.module, source, "--resume" if checkpoint is None else "--checkpoint")
    keep = checkpoint or resume or ""
    if checkpoint is not None:
        _require_writable_folder(checkpoint)
    job.options.update(checkpoint=keep, resume=resume)
    solution = running.search(job.module, case.instance, case.name, **job.options)
    _tell(job, case, solution)
    if solution.stopped_by is None:
        return interrupts.exit_code() or ExitCode.ANSWERED
    if pathlib.Path(keep).is_file():
        again = shlex.join(["bestfirst", "solve", job.entry.slug, file, "--resume", keep])
        streams.say(f"bestfirst: the search is kept in {keep}; go on with: {again}")
    if solution.stopped_by == "interrupt":
        return interrupts.exit_code() or 130
    return ExitCode.LIMIT


def _require_writable_folder(path: str) -> None:
    """Better now than after hours of search."""
    folder = pathlib.Path(path).parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise cannot(f"write {path}", PermissionError(13, "") if folder.is_dir() else FileNotFoundError(2, ""))


def _solved(job: _Job, source: files.Text, *, at_once: bool) -> Iterator[tuple[files.Case, Solution]]:
    """Yield the cases with their solutions; many cases are solved at once where limits or counts do not part them."""
    cases = files.cases(job.module, source)
    if not (at_once and hasattr(job.module, "search_many")):
        for case in cases:
            yield case, running.search(job.module, case.instance, case.name, **job.options)
        return
    bad = None
    while bad is None:
        many = []
        try:
            for case in itertools.islice(cases, _AT_ONCE):
                many.append(case)  # those before a bad one are kept
        except Failure as failure:
            bad = failure
        if not many:
            break
        solutions = running.search_many(job.module, [case.instance for case in many], source.name, **job.options)
        yield from zip(many, solutions, strict=False)
    if bad is not None:
        raise bad


def _tell(job: _Job, case: files.Case, solution: Solution) -> None:
    """Print what is asked for."""
    answer = job.module.answer(case.instance, solution)
    proved = solution.status in (Status.OPTIMAL, Status.INFEASIBLE)
    if job.json:
        streams.out(_as_json(answer, solution))
    elif job.steps:
        streams.out(_pictures(job, case, answer, solution))
    elif proved:
        streams.out(_written(job.module, answer, case))
    elif solution.stopped_by != "interrupt":
        streams.out("?\n")
    if not proved and not job.json:
        streams.say(f"bestfirst: {case.name}: {running.outcome(solution)}")
    if job.svg is not None:
        files.write_whole(_numbered(job.svg, case), catalogue.renderer(job.entry).svg(case.instance, answer))
    if job.stats:
        streams.say(_stats_table(case, solution))


def _written(module: ModuleType, answer: Any, case: files.Case) -> str:
    """The judge format of an answer; some number them. Raises Failure for an answer that the format does not foresee."""
    numbered = "case" in inspect.signature(module.write).parameters
    try:
        text: str = module.write(answer, case.number) if numbered else module.write(answer)
    except ValueError as error:
        raise Failure(f"{case.name}: {error}") from None
    return text


def _as_json(answer: Any, solution: Solution) -> str:
    """The answer's own fields, what is proved, and what the search did."""
    fields = msgspec.to_builtins(answer)
    found = {"status": solution.status, "cost": solution.cost, "bound": solution.bound}
    about = {"engine": solution.engine, "why": solution.why, "stopped_by": solution.stopped_by}
    head = {name: fields[name] for name in ("problem", "version")}
    value = {**head, **found, **fields, **about, "stats": dataclasses.asdict(solution.stats)}
    return msgspec.json.encode(value).decode() + "\n"


def _pictures(job: _Job, case: files.Case, answer: Any, solution: Solution) -> str:
    boards = catalogue.renderer(job.entry).text_steps(case.instance, answer, streams.has_colour())
    head, foot = ("", "") if case.alone else (f"case {case.number}\n\n", "\n")
    return head + "".join(f"{board.rstrip()}\n\n" for board in boards) + f"{running.outcome(solution)}\n{foot}"


def _numbered(path: str, case: files.Case) -> str:
    """The file for the picture of a case: OUT.svg, or OUT-1.svg, OUT-2.svg … for several; a device takes all of them."""
    stem, extension = os.path.splitext(path)
    return path if case.alone or files.is_device(path) else f"{stem}-{case.number}{extension}"


def _stats_table(case: files.Case, solution: Solution) -> str:
    did = solution.stats
    rows = {
        "status": solution.status if solution.stopped_by is None else f"{solution.status}, stopped by {solution.stopped_by}",
        "cost": "none" if solution.cost is None else solution.cost,
        "bound": "none" if solution.bound is None else solution.bound,
        "engine": f"{solution.engine} ({solution.why})" if solution.why else solution.engine,
        "expanded": f"{did.expanded:,}",
        "generated": f"{did.generated:,}",
        "duplicates": f"{did.duplicates:,}",
        "pruned": f"{did.pruned:,}",
        "reopened": f"{did.reopened:,}",
        "peak memory": running.short_bytes(did.peak_bytes),
        "seconds": f"{did.seconds:.3f}",
        "nodes a second": f"{did.nodes_per_second:,.0f}",
    }
    head = [] if case.alone else [case.name]
    return "\n".join([*head, *(f"{name:14}  {value}" for name, value in rows.items())])
