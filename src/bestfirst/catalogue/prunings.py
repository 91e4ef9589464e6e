"""What the searches of the catalogue leave out, and why nothing is lost by it: for `show`, `explain` and the pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """The five ways to do less."""

    ORDER = "search order"  #: what fails, or succeeds, soonest is tried first
    EQUIVALENT = "equivalent branches"  #: of branches that lead to equally good answers one is enough
    FEASIBILITY = "feasibility"  #: a branch that cannot lead to any answer
    BOUND = "bound"  #: a branch that cannot lead to a better answer
    MEMORY = "memoisation"  #: what is known of a state is kept for when it is met again


class Pruning(NamedTuple):
    """One of them."""

    kind: Kind
    what: str  #: what it does, as part of a sentence
    why: str  #: why no best answer is lost: a proof in a line, or where it stands


def require_known(without: Iterable[str], prunings: Mapping[str, Pruning]) -> None:
    """Raise ValueError when `without` names a pruning that does not exist."""
    unknown = sorted(set(without) - set(prunings))
    if unknown:
        raise ValueError(f"there is no pruning {', '.join(unknown)}; there are: {', '.join(prunings)}")
