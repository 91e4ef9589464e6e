"""Tables as text."""

from __future__ import annotations

import io
import shutil
import sys

from rich.console import Console
from rich.table import Table


def table(*columns: str, numbers: tuple[str, ...] = ()) -> Table:
    """An empty table with these headings; the columns in `numbers` are set to the right."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column, justify="right" if column in numbers else "left", no_wrap=column in numbers)
    return made


def rendered(content: Table) -> str:
    """A table for standard output: as wide as the terminal, or as wide as it gets in a file, and there without colour."""
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else 1000
    buffer = io.StringIO()
    Console(file=buffer, width=width, force_terminal=terminal, highlight=False, markup=False).print(content)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"
