"""What a benchmark returns, the machine it ran on, and the page made from it."""

from __future__ import annotations

import datetime
import importlib.metadata
import pathlib
import platform
import subprocess
import time
from collections.abc import Callable
from typing import Any, NamedTuple


class Table(NamedTuple):
    """One table of results; every cell is a number or a text, `notes` says how it was measured."""

    title: str
    notes: str
    columns: list[str]
    rows: list[list[Any]]


def machine() -> dict[str, str]:
    """Processor and versions."""
    packages = ("bestfirst", "numba", "llvmlite", "numpy", "scipy", "networkx", "rustworkx", "igraph", "simpleai", "didppy")
    versions = {name: importlib.metadata.version(name) for name in packages}
    compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True, check=False).stdout.partition("\n")[0]
    return {
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **versions,
        "c++": compiler or "none",
        "date": datetime.date.today().isoformat(),
    }


def _processor() -> str:
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    """The result of a call and its wall time in seconds."""
    start = time.perf_counter()
    result = function()
    return result, time.perf_counter() - start


def compile_cpp(name: str, *flags: str) -> pathlib.Path | None:
    """Compile benchmarks/cpp/NAME.cpp with g++ -O3 and more flags (a later -O wins); None without a compiler."""
    folder = pathlib.Path(__file__).parent
    program = folder / "work" / "".join([name, *flags]).replace("=", "-")
    program.parent.mkdir(exist_ok=True)
    try:
        subprocess.run(["g++", "-O3", *flags, "-o", program, folder / "cpp" / f"{name}.cpp"], check=True)
    except FileNotFoundError:
        return None
    return program


def page(sections: dict[str, Any]) -> str:
    """The Markdown page."""
    lines = [
        "# Benchmarks",
        "",
        "Made by `make bench`; do not edit. Effort (nodes) stands beside time, so that an algorithm can be told from a kernel. Where a",
        "peer is faster, the table says so. Times are wall times on one thread, warm (kernels compiled) unless a table says otherwise;",
        "on a shared machine they vary by some ten per cent from run to run.",
    ]
    for section in sections.values():
        about = ", ".join(f"{name} {version}" for name, version in section["machine"].items())
        for table in (Table(**table) for table in section["tables"]):
            lines += ["", f"## {table.title}", "", table.notes, "", *_table(table)]
        lines += ["", f"*Measured with: {about}.*"]
    return "\n".join(lines) + "\n"


def _table(table: Table) -> list[str]:
    head = "| " + " | ".join(table.columns) + " |"
    rule = "|" + "|".join("---" if index == 0 else "---:" for index in range(len(table.columns))) + "|"
    return [head, rule, *("| " + " | ".join(map(_cell, row)) + " |" for row in table.rows)]


def _cell(value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return "–" if value is None else str(value)
