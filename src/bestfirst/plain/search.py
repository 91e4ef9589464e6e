"""What the engines for plain Python values share: the functions of a problem, the counts, checks of what they return."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from bestfirst.control import Progress, Search
from bestfirst.operations import UNREACHABLE
from bestfirst.result import Stats

State = Hashable
Cost = int | Fraction
Successors = Callable[[Any], Iterable[tuple[Any, Any, Any]]]

#: Bytes of bookkeeping for one state beside the state itself: entries of dictionaries, tuples and the queue.
_STATE_OVERHEAD = 300


class Starts(tuple[Any, ...]):
    """Several start states: `Starts([a, b, c])` in place of one. (A list would look like a state that is a list.)"""


class PlainSearch(Search):
    """An engine at work on plain values."""

    first_slice = 16  # what a successor function takes is not known beforehand

    def __init__(
        self,
        start: Any,
        successors: Successors,
        is_goal: Callable[[Any], bool],
        lower_bound: Callable[[Any], Any] | None = None,
    ) -> None:
        self.starts = list(dict.fromkeys(map(_hashable, start if isinstance(start, Starts) else [start])))
        if not self.starts:
            raise ValueError(f"{self.engine} needs at least one start state")
        self.start = self.starts[0]  #: in the end the one that the solution comes from
        self.successors = successors
        self.is_goal = is_goal
        self.bound_of = lower_bound or no_bound
        self.bound: Cost = 0
        self.incumbent: Cost | None = None
        self.generated = len(self.starts)
        self.expanded = self.duplicates = self.pruned = self.reopened = 0

    def children(self, state: Any) -> Iterator[tuple[Any, Any, Cost]]:
        """The checked successors of a state. Counting is the caller's work."""
        return checked_children(state, self.successors)

    def f(self, g: Cost, state: Any) -> Any:
        """Cost so far plus lower bound; infinite, not just large, when the bound says that no goal is in reach."""
        bound = self.lower_bound(state)
        return math.inf if bound >= UNREACHABLE else g + bound

    def lower_bound(self, state: Any) -> Cost:
        """The checked lower bound of a state; infinity means the same as UNREACHABLE."""
        return checked_bound(self.bound_of(state))

    def known_states(self) -> int:
        """How many states are kept."""
        return 1

    def grow(self, room: int | None) -> bool:
        """Python values grow by themselves."""
        return True

    def depth(self) -> int:
        """Moves from the start to the node being looked at, where the engine knows."""
        return 0

    def progress(self) -> Progress:
        """Where the search stands; bytes are an estimate."""
        size = self.known_states() * (sys.getsizeof(self.start) + _STATE_OVERHEAD)
        incumbent: Any = self.incumbent
        bound: Any = self.bound
        return Progress(self.engine, bound, incumbent, self.depth(), self.expanded, self.generated, size, 0.0)

    def stats(self) -> Stats:
        """Counts so far."""
        return Stats(self.expanded, self.generated, self.duplicates, self.pruned, self.reopened)

    def context(self) -> tuple[Any, Any]:
        """There is no problem object; the start is kept."""
        return None, self.start


def _hashable(start: Any) -> Any:
    try:
        hash(start)
    except TypeError:
        raise TypeError(
            f"the start state is a {type(start).__name__}, which cannot be hashed: use a tuple, a string, a frozenset …"
        ) from None
    return start


def checked_children(state: Any, successors: Successors) -> Iterator[tuple[Any, Any, Cost]]:
    """What `successors` yields for a state. Raises TypeError or ValueError for what is no (move, state, cost)."""
    for item in successors(state):
        try:
            move, child, cost = item
        except (TypeError, ValueError):
            raise TypeError(f"successors must yield (move, next_state, cost), not {item!r}") from None
        yield move, child, checked_cost(cost)


def checked_cost(cost: Any) -> Cost:
    """Return a cost if it is exact and not negative. Raises TypeError or ValueError with what to do instead."""
    if isinstance(cost, Fraction):
        exact: Cost = cost
    elif hasattr(cost, "__index__"):  # int, and the integers of NumPy
        exact = int(cost)
    else:
        raise TypeError(f"the cost {cost!r} is not exact: use whole numbers (scale them up) or fractions.Fraction")
    if exact < 0:
        raise ValueError(f"the cost {cost} of a move is negative; every engine needs costs of 0 or more")
    return exact


def checked_bound(bound: Any) -> Cost:
    """Return a lower bound if it is exact; infinity as UNREACHABLE. Raises TypeError with what to do instead."""
    if isinstance(bound, float) and bound == math.inf:
        return UNREACHABLE
    if not (isinstance(bound, Fraction) or hasattr(bound, "__index__")):
        raise TypeError(f"the lower bound {bound!r} is not exact: use whole numbers or fractions.Fraction")
    exact: Cost = bound
    return exact


def no_bound(state: Any) -> int:
    """What stands in for a lower bound where none is given."""
    return 0
