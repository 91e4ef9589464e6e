"""Write docs/problems/README.md: which engine and which prunings each problem uses, and what each saves.

    python docs/problems/overview.py

The counts are of generated nodes, so they are the same on every machine.
"""

from __future__ import annotations

import pathlib
from typing import Any

from bestfirst.catalogue import GROUPS, REGISTER, Entry, module
from bestfirst.result import Limits

HERE = pathlib.Path(__file__).parent

SEEDS = range(1, 6)
LIMIT = Limits(nodes=3_000_000)

#: What is generated where the generator's own choice is too easy to show anything.
PARAMETERS: dict[str, dict[str, Any]] = {
    "addition-chain": {"least": 1000, "most": 8000},
    "bin-packing": {"items": 60, "triplets": True},
    "birthday-cake": {"volume": 100_000, "layers": 10},
    "book-sort": {"moves": 5, "most": None},
    "equal-sticks": {"pieces": 64, "sticks": 16},
    "flood-it": {"rows": 12, "colours": 6},
    "letter-sum": {"base": 22},
    "mayan-game": {"n": 5, "solvable": False},
    "missile-defence": {"values": 20},
}

HEAD = """\
# The problems, their engines and prunings

What each problem of the catalogue is solved with, and what its prunings save. A pruning is one of five kinds: *search order*
(what succeeds or fails soonest is tried first), *equivalent branches* (one is enough), *feasibility* (no answer can follow),
*bound* (no better answer can follow), *memoisation* (what is known of a state is kept). The last column says how many times
as many nodes are generated without it, over five generated instances; > where a run was stopped at three million nodes. What
looks like nothing here may decide on other instances: the pages show that, prove that nothing is lost, and say how long
things take. `bestfirst explain PROBLEM FILE` measures your instances.

Made by [overview.py](overview.py).
"""


def main() -> None:
    """Measure and write the page."""
    entries = {entry.number: entry for entry in REGISTER}
    parts = [HEAD]
    for group, numbers in GROUPS.items():
        parts.append(f"\n## {group}\n\n| problem | engine | pruning | kind | nodes without |\n|---|---|---|---|---:|\n")
        parts += [line for number in numbers if number in entries for line in rows(entries[number])]
    (HERE / "README.md").write_text("".join(parts), encoding="utf-8")


def rows(entry: Entry) -> list[str]:
    """The lines of one problem."""
    problem = module(entry)
    instances = [problem.generate(seed, **PARAMETERS.get(entry.slug, {})) for seed in SEEDS]
    solutions = [problem.search(instance, limits=LIMIT) for instance in instances]
    engine = " or ".join(dict.fromkeys(solution.engine.replace("_", " ") for solution in solutions))
    name = f"{entry.number} [{entry.title}]({entry.slug}.md)"
    usual = sum(solution.stats.generated for solution in solutions)
    lines = []
    for key, pruning in problem.PRUNINGS.items():
        others = [problem.search(instance, without={key}, limits=LIMIT) for instance in instances]
        more = ">" if any(other.stopped_by for other in others) else ""
        times = sum(other.stats.generated for other in others) / max(usual, 1)
        lines.append(f"| {name} | {engine} | {key} | {pruning.kind} | {more}{times:.2f} × |\n")
        name = engine = ""
    return lines or [f"| {name} | {engine} | nothing to switch off | | |\n"]


if __name__ == "__main__":
    main()
