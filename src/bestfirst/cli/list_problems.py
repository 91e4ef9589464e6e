"""`bestfirst list`: the catalogue, group by group."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from bestfirst import catalogue
from bestfirst.cli import streams, tables


def list_problems(*words: Annotated[str, Parameter(help="Show only problems with all these words.")]) -> None:
    """List the problems of the catalogue, or those that have all the WORDS in their names or summaries.

    Example: bestfirst list flood
    """
    shown = [entry for entry in catalogue.REGISTER if _matches(entry, words)]
    if not shown:
        streams.say(f"bestfirst: no problem has the words {' '.join(words)}")
        return
    for group, numbers in catalogue.GROUPS.items():
        table = tables.table("number", "name", "title", "标题", "asks for", numbers=("number",))
        table.show_header = False
        for entry in sorted(entry for entry in shown if entry.number in numbers):
            table.add_row(str(entry.number), entry.slug, entry.title, entry.title_zh, entry.summary)
        if table.row_count:
            streams.out(f"{group}\n{tables.rendered(table)}\n")


def _matches(entry: catalogue.Entry, words: tuple[str, ...]) -> bool:
    text = " ".join(map(str, entry)).casefold()
    return all(word.casefold() in text for word in words)
