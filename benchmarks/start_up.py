"""What one waits for: imports, commands, and the compilation of a kernel with an empty and a filled cache."""

from __future__ import annotations

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
from typing import Any

from benchmarks.report import Table, timed

ROOT = pathlib.Path(__file__).parent.parent
REPEATS = 11

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import bestfirst": ["-c", "import bestfirst"],
    "import numba (for comparison)": ["-c", "import numba"],
    "bestfirst --help": ["-m", "bestfirst", "--help"],
    "bestfirst list": ["-m", "bestfirst", "list"],
    "bestfirst solve flood-it (small board)": ["-m", "bestfirst", "solve", "flood-it", "examples/flood-it-small.txt"],
    "bestfirst solve mayan-game (example)": ["-m", "bestfirst", "solve", "mayan-game", "examples/mayan-game.txt"],
}

_ENGINE = """
import time
from examples.fifteen_puzzle import board, puzzle
import bestfirst
problem, start = puzzle(), board([1, 0, *range(2, 16)])
begin = time.perf_counter()
getattr(bestfirst, {engine!r})(problem, start)
print(time.perf_counter() - begin)
"""


def run(data: pathlib.Path | None) -> list[Table]:
    return [commands(), kernels()]


def commands() -> Table:
    rows: list[list[Any]] = []
    for name, arguments in COMMANDS.items():
        _call(arguments)
        times = [1000 * timed(lambda arguments=arguments: _call(arguments))[1] for _ in range(REPEATS)]
        rows.append([name, min(times), statistics.median(times)])
    return Table("Start-up", f"Whole processes, warm, {REPEATS} runs each.", ["command", "ms, best", "ms, median"], rows)


def kernels() -> Table:
    rows: list[list[Any]] = []
    for engine in ("ida_star", "a_star", "breadth_first"):
        with tempfile.TemporaryDirectory() as folder:
            cold, warm = (float(_call(["-c", _ENGINE.format(engine=engine)], BESTFIRST_CACHE_DIR=folder)) for _ in range(2))
        rows.append([engine, cold, warm])
    notes = (
        "The first call of an engine on the 15-puzzle in a new process, import of Numba included; the solution takes one move."
    )
    return Table("Compilation", notes, ["engine", "empty cache, s", "filled cache, s"], rows)


def _call(arguments: list[str], **environment: str) -> str:
    env = {**os.environ, **environment}
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout
