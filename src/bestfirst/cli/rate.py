"""`bestfirst rate`: how hard an instance is, where the problem knows."""

from __future__ import annotations

from typing import Annotated

import msgspec
from cyclopts import Parameter

from bestfirst import catalogue
from bestfirst.cli import files, streams
from bestfirst.cli.failures import Failure
from bestfirst.cli.options import Flag, InputFile, ProblemName


def rate(
    problem: ProblemName,
    file: InputFile = "-",
    /,
    *,
    json: Annotated[bool, Flag, Parameter(help="Print a rating as one line of JSON.")] = False,
) -> None:
    """Say of each instance of FILE (standard input when left out) how hard it is, in a line.

    Example: bestfirst rate sudoku puzzles.txt
    """
    entry = catalogue.find(problem)
    module = catalogue.module(entry)
    if not hasattr(module, "rate"):
        raise Failure(f"{entry.slug} has no ratings")
    for case in files.cases(module, files.read_text(file)):
        rating = module.rate(case.instance)
        streams.out(msgspec.json.encode(rating).decode() + "\n" if json else f"{rating}\n")
