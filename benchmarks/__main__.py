"""Run the benchmarks and write benchmarks/results.json and docs/benchmarks.md.

    python -m benchmarks [--only NAME …] [--data FOLDER]

FOLDER may hold published instances that are not part of the project (see benchmarks/README.md).
"""

from __future__ import annotations

import argparse
import importlib
import json
import pathlib
import sys

from benchmarks.report import Table, machine, page

ROOT = pathlib.Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results.json"
PAGE = ROOT / "docs" / "benchmarks.md"

SECTIONS = (
    "fifteen_puzzle",
    "eight_puzzle",
    "flood_it",
    "sudoku",
    "mayan_game",
    "exact_cover",
    "subset_sum",
    "pancakes",
    "graphs",
    "whole_spaces",
    "pattern_databases",
    "contest_programs",
    "addition_chain",
    "push_box",
    "string_rewriting",
    "start_up",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="*", choices=SECTIONS, default=SECTIONS, help="run only these sections")
    parser.add_argument("--data", type=pathlib.Path, help="folder with published instances")
    options = parser.parse_args()

    old = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    sections = old.get("sections", {})
    for name in options.only:
        print(f"{name} …", file=sys.stderr, flush=True)
        tables: list[Table] = importlib.import_module(f"benchmarks.{name}").run(options.data)
        sections[name] = {"machine": machine(), "tables": [table._asdict() for table in tables]}
        RESULTS.write_text(json.dumps({"sections": sections}, indent=1, ensure_ascii=False) + "\n")
        PAGE.write_text(page({name: sections[name] for name in SECTIONS if name in sections}))
    print(f"written: {RESULTS.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
