"""String rewriting: few rules and many, beside a textbook C++ program and the generic engine on Python strings."""

from __future__ import annotations

import pathlib
import subprocess
from typing import Any

from benchmarks.report import Table, compile_cpp, timed
from bestfirst.catalogue import string_rewriting
from bestfirst.plain import bidirectional_breadth_first

_A_TO_B = (("a", "b"), ("a", "c"), ("a", "d"), ("c", "b"), ("d", "b"), ("b", "d"))
_SWAPS = (("a", "b"), ("b", "c"), ("c", "a"), ("ab", "ba"), ("bc", "cb"), ("ac", "ca"))

#: Each instance with its name. The seeds are those of 40 for which the search had most to do.
INSTANCES = (
    ("ten of 20 letters changed, 6 rules", string_rewriting.Instance(source="a" * 20, target="b" * 10 + "a" * 10, rules=_A_TO_B)),
    ("too far apart, 6 rules", string_rewriting.Instance(source="a" * 20, target="abc" * 6 + "ab", rules=_SWAPS)),
    ("2 letters, 6 rules", string_rewriting.generate(22, letters=2, rules=6, longest=3, length=16, steps=10)),
    ("3 letters, 6 rules", string_rewriting.generate(4, letters=3, rules=6, longest=2, length=18, steps=10)),
    ("6 letters, 40 rules", string_rewriting.generate(24, letters=6, rules=40, longest=3, length=15, steps=9)),
)


def run(data: pathlib.Path | None) -> list[Table]:
    string_rewriting.search(string_rewriting.generate(1, solvable=True))  # compiles
    rows = [[name, *measured(instance)] for name, instance in INSTANCES]
    notes = (
        "Milliseconds from the instance to the solution, the best of three; C++ and Python once. C++: breadth-first from both ends in hash sets of"
        " `std::string`, g++ -O2. Python: `bestfirst.plain.bidirectional_breadth_first`, the generic engine for any hashable value (left out where"
        " it takes minutes). C++ and Python have no bounds by weights of letters, which is most of the difference on the first two. MiB: the"
        " search's own arrays."
    )
    columns = ["instance", "steps", "generated", "MiB", "bestfirst", "C++", "Python"]
    return [Table("String rewriting", notes, columns, rows)]


def measured(instance: string_rewriting.Instance) -> list[Any]:
    runs = [timed(lambda: string_rewriting.search(instance)) for _ in range(3)]
    solution = runs[0][0]
    output = string_rewriting.write(string_rewriting.answer(instance, solution))
    in_python = None
    if 0 < solution.stats.generated < 1_000_000:
        plain, seconds = timed(lambda: in_generic_engine(instance))
        assert plain.cost == solution.cost, "the generic engine finds another number of steps"
        in_python = 1000 * seconds
    ours = 1000 * min(seconds for _, seconds in runs)
    stats = solution.stats
    text = string_rewriting.write_instance(instance)
    return [solution.cost, stats.generated, stats.peak_bytes / 2**20, ours, in_cpp(text, output), in_python]


def in_generic_engine(instance: string_rewriting.Instance) -> Any:
    def neighbours(text: str, back: bool) -> list[tuple[int, str, int]]:
        made = []
        for number, sides in enumerate(instance.rules):
            x, y = sides[::-1] if back else sides
            place = text.find(x)
            while place >= 0:
                made.append((number, text[:place] + y + text[place + len(x) :], 1))
                place = text.find(x, place + 1)
        return made

    return bidirectional_breadth_first(
        instance.source, lambda text: neighbours(text, False), instance.target, predecessors=lambda text: neighbours(text, True)
    )


def in_cpp(text: str, expected: str) -> float | None:
    """Milliseconds; None without a compiler."""
    path = compile_cpp("string_rewriting", "-O2")
    if path is None:
        return None
    done = subprocess.run([path], input=text, capture_output=True, text=True, check=True)
    assert done.stdout == expected, "string_rewriting: the outputs differ"
    return 1000 * float(done.stderr)
