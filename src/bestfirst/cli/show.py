"""`bestfirst show`: what a problem is about, or what an instance looks like."""

from __future__ import annotations

import inspect
import textwrap
from types import ModuleType
from typing import Any

from bestfirst import catalogue
from bestfirst.cli import files, streams
from bestfirst.cli.options import InputFile, NoLeadingZeros, ProblemName

_WIDTH = 100


def show(problem: ProblemName, file: InputFile | None = None, /, *, no_leading_zeros: NoLeadingZeros = False) -> None:
    """Show what a problem is about; with a FILE, draw the instances in it.

    Example: bestfirst show flood-it

    Example: bestfirst show flood-it board.txt
    """
    entry = catalogue.find(problem)
    module = catalogue.module(entry)
    if file is None:
        streams.out(_page(entry, module))
        return
    renderer = catalogue.renderer(entry)
    for case in files.cases(module, files.read_text(file, no_leading_zeros)):
        head = "" if case.alone else f"case {case.number}\n"
        foot = "" if case.alone else "\n"
        streams.out(head + renderer.text(case.instance, streams.has_colour()) + foot)


def _page(entry: catalogue.Entry, module: ModuleType) -> str:
    slug = entry.slug
    sections = [
        f"{entry.title} · {entry.title_zh} · {entry.number} · {slug}",
        f"{entry.summary[:1].upper()}{entry.summary[1:]}.",
        *_prose(module),
        f"Input   {_first_paragraph(module.read)}",
        f"Output  {_first_paragraph(module.write)}",
    ]
    example = catalogue.renderer(entry).text(module.generate(1), streams.has_colour())
    width = max(map(len, module.PRUNINGS), default=0)
    prunings = "".join(
        textwrap.fill(
            f"{name:{width}}  {pruning.what} ({pruning.kind}; {pruning.why})",
            _WIDTH,
            initial_indent="  ",
            subsequent_indent=" " * (width + 4),
        )
        + "\n"
        for name, pruning in module.PRUNINGS.items()
    )
    return (
        "\n\n".join(textwrap.fill(section, _WIDTH) for section in sections)
        + f"\n\nAn instance (bestfirst generate {slug} --seed 1):\n\n{example}"
        + (f"\nWhat makes the search fast (bestfirst explain {slug}):\n{prunings}" if prunings else "")
        + f"\nTry:\n  bestfirst generate {slug} --seed 1 > instance.txt\n  bestfirst solve {slug} instance.txt --steps\n"
    )


def _prose(module: ModuleType) -> list[str]:
    """The rules: paragraphs of the module's docstring after its title, up to the legend of symbols."""
    prose = []
    for paragraph in inspect.cleandoc(module.__doc__ or "").split("\n\n")[1:]:
        if paragraph.startswith(" "):
            break
        prose.append(" ".join(paragraph.split()))
    return prose


def _first_paragraph(function: Any) -> str:
    """What a function's docstring says first, without what only programmers want to know."""
    return " ".join(inspect.cleandoc(function.__doc__ or "").split("\n\n")[0].split()).split(" Raises ")[0]
