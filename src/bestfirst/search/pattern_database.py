"""Pattern databases: lower bounds looked up in a table of exact costs of a smaller, abstract problem.

pattern    the abstract problem: its states are what is left of a state when only some parts are looked at. It numbers its states,
           and `entry(full)` tells under which entry of the table a state of the full problem lies.
entries    (state_count div merge,) uint8, or wider: least cost in the pattern from any of the `merge` states of an entry

Sources: J. C. Culberson and J. Schaeffer, Pattern databases (1998); R. E. Korf and A. Felner, Disjoint pattern database
heuristics (2002), for additive ones and for leaving the blank out of the table.
"""

from __future__ import annotations

import dataclasses
import pathlib
from os import PathLike
from typing import Any, NamedTuple, Unpack

import numpy as np

from bestfirst import checkpoint
from bestfirst.checkpoint import CheckpointError, Snapshot
from bestfirst.control import RunOptions, run_as, takes_run_options
from bestfirst.kernel import Int, integer, structure, unsigned
from bestfirst.kernel.fingerprint import fingerprint
from bestfirst.operations import UNREACHABLE, defines
from bestfirst.result import Solution, Stats
from bestfirst.search.compiled import require_operations
from bestfirst.search.distance_table import require_goals, require_way_back
from bestfirst.search.ranked_space import RankedSearch, unmet

_WHAT = "pattern database"


@structure
class PatternBound(NamedTuple):
    """The table of a pattern, to be held by a problem in a field: `self.pattern.bound(state)` is a lower bound."""

    pattern: Any
    entries: np.ndarray
    unit: Int  #: cost of a move of the pattern
    unmet: Int  #: the entry of states from which the pattern cannot be solved

    def bound(self, state: Any) -> Int:
        """Lower bound of a state of the full problem; UNREACHABLE when no goal can be reached. O(1) look-ups."""
        entry = integer(self.entries[unsigned(self.pattern.entry(state))])
        return UNREACHABLE if entry == self.unmet else entry * self.unit


@structure
class SumBound(NamedTuple):
    """Two bounds that may be added, because no cost is counted in both."""

    first: Any
    second: Any

    def bound(self, state: Any) -> Int:
        """The sum of the two; UNREACHABLE when one of them is."""
        first = self.first.bound(state)
        second = self.second.bound(state)
        return UNREACHABLE if first >= UNREACHABLE or second >= UNREACHABLE else first + second


@structure
class GreatestBound(NamedTuple):
    """Two bounds of which the greater one counts."""

    first: Any
    second: Any

    def bound(self, state: Any) -> Int:
        """The greater of the two."""
        return max(self.first.bound(state), self.second.bound(state))


class PatternDatabase:
    """A table of costs for a pattern; `bound` is what a problem holds."""

    def __init__(self, bound: PatternBound, merge: int, counts: tuple[int, ...], stopped_by: str | None, stats: Stats) -> None:
        self.bound = bound
        self.merge = merge
        self.counts = counts  #: number of states of the pattern at each distance, in moves that count
        self.stopped_by = stopped_by  #: "time", "nodes", "memory" or "interrupt": then states that were not met have a low bound
        self.stats = stats

    @property
    def complete(self) -> bool:
        """Whether every state of the pattern has its exact cost."""
        return self.stopped_by is None

    @property
    def bytes(self) -> int:
        """Size of the table."""
        return int(self.bound.entries.nbytes)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the table to a file, with a stamp of the pattern's rules and data, whole or not at all. Raises OSError."""
        header = {
            "what": _WHAT,
            "pattern": _stamp(self.bound.pattern),
            "unit": self.bound.unit,
            "merge": self.merge,
            "counts": list(self.counts),
            "stopped_by": self.stopped_by,
            "stats": dataclasses.asdict(self.stats),
        }
        checkpoint.store(Snapshot(header, {"entries": self.bound.entries}), pathlib.Path(path), private=False)

    def __str__(self) -> str:
        head = "" if self.complete else f"stopped ({self.stopped_by}): "
        return f"{head}{len(self.bound.entries):,} entries, {self.bytes:,} bytes; {self.stats.seconds:.3f} s"

    def __repr__(self) -> str:
        return f"<PatternDatabase {self}>"


@takes_run_options
def pattern_database(
    pattern: Any, *goals: Any, merge: int = 1, backward: Any = None, **options: Unpack[RunOptions]
) -> PatternDatabase:
    """Make the table of a pattern: the least cost from each of its states to a goal, by walking breadth-first from the goals.

    `pattern` is a problem whose states are those of another problem with something left out; each of its moves costs no more than
    the same move of the full problem, and leads to what is left of the state that it leads to. Its moves cost the same, or 0.
    Bounds of several patterns may be added (`additive`) when each cost of the full problem is counted in at most one of them: let
    a move cost something only in the pattern whose part it moves.

    Requires: apply, is_goal (true of the goals given, and of no other state that can reach them), inverse, rank, unrank,
    state_count, and `entry(self, full)`: the entry of a state of the full problem, which is the number of what is left of it,
    divided by `merge`.

    `goals`: what is left of the goals of the full problem. `merge`: so many states with successive numbers share an entry, which
    holds the least of their costs (this makes the bound inconsistent, which engines allow); it must divide state_count.
    `backward`: as in `distance_table`.
    Stopped by a limit, the database is still a right bound, but a lower one; Ctrl-C raises Interrupted, whose `solution` is that.

    Memory: 1 byte an entry (2 when costs exceed 254 moves), and 2 bits a state while it is made. Time
    O(numbers × depth / 32 + states × moves). Raises what `distance_table` raises.
    """
    require_operations("pattern_database", pattern, ("apply", "is_goal"))
    if not defines(pattern, "entry"):
        raise TypeError(
            f"pattern_database requires entry(self, full), which {type(pattern).__name__} does not define: "
            "the entry of a state of the full problem"
        )
    if isinstance(merge, bool) or not isinstance(merge, int) or merge < 1:
        raise ValueError(f"merge={merge!r} must be a whole number of 1 or more")
    require_way_back("pattern_database", pattern, backward)
    require_goals("pattern_database", pattern, goals)
    search = RankedSearch(
        "pattern_database",
        pattern,
        goals,
        options,
        backward=backward,
        keeps_depths=True,
        merge=merge,
        seeks_goals=True,
        allows_zero=True,
    )
    return run_as(search, options, lambda solution: _database(search, merge, solution))


def _database(search: RankedSearch, merge: int, solution: Solution) -> PatternDatabase:
    counts = search.layer_sizes(solution.stopped_by is None)
    search.finish()
    entries = search.memory.entries
    no_way = unmet(entries)
    if solution.stopped_by is not None:  # who was not met is at least as far away as the depth that was begun
        if not search.fits:
            raise MemoryError(f"the pattern database needs {search.needed:,} bytes, more than there are")
        entries[entries == no_way] = len(counts)
    bound = PatternBound(search.problem, entries, search.unit, no_way)
    return PatternDatabase(bound, merge, counts, solution.stopped_by, solution.stats)


def load_pattern_database(path: str | PathLike[str], pattern: Any) -> PatternDatabase:
    """Read a table that `PatternDatabase.save` wrote for this pattern.

    Raises CheckpointError when the file is missing, damaged, or was made for other rules or other data.
    """
    header, arrays = checkpoint.load(pathlib.Path(path), _WHAT)
    if header.get("what") != _WHAT:
        raise CheckpointError(f"{path} is not a bestfirst {_WHAT}")
    if header.get("pattern") != _stamp(pattern):
        raise CheckpointError(
            f"{path} was made for another pattern than this {type(pattern).__name__}: its rules or its data differ"
        )
    entries = arrays["entries"]
    bound = PatternBound(pattern, entries, int(header["unit"]), unmet(entries))
    return PatternDatabase(bound, int(header["merge"]), tuple(header["counts"]), header["stopped_by"], Stats(**header["stats"]))


def _stamp(pattern: Any) -> str:
    return fingerprint(type(pattern), *pattern)


def additive(*bounds: Any) -> Any:
    """The sum of bounds of patterns that never count the same cost, as one bound for a field of a problem.

    Takes databases, or their bounds. That the patterns are disjoint is the caller's promise: `check_problem` on the full problem
    reports a sum above a true distance.
    """
    return _combined("additive", SumBound, bounds)


def greatest(*bounds: Any) -> Any:
    """The greatest of bounds, as one bound for a field of a problem. Takes databases, or their bounds."""
    return _combined("greatest", GreatestBound, bounds)


def _combined(name: str, kind: Any, bounds: tuple[Any, ...]) -> Any:
    if not bounds:
        raise ValueError(f"{name} needs at least one bound")
    total: Any = None
    for given in bounds:
        one = given.bound if isinstance(given, PatternDatabase) else given
        if not isinstance(one, (PatternBound, SumBound, GreatestBound)):
            raise TypeError(f"{name} takes pattern databases and their bounds, not {type(one).__name__}")
        total = one if total is None else kind(total, one)
    return total
