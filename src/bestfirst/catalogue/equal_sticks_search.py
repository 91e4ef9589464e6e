"""The search of equal sticks: for each length that may be, can the pieces be packed into bins of this capacity, all of them full?

    pieces       (n,) int64;  total: their sum
    candidate    position in `lengths`: total / k for k = n … 1 where this is a whole number, no shorter than the longest piece
    inner        the PackingSearch for the candidate, which has no slack;  done: what those before it did, (3,) int64

The last candidate is the total itself, so there always is an answer; until it is known, the answer is that one stick.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from bestfirst.catalogue import bin_packing_search
from bestfirst.catalogue.bin_packing_search import PackingSearch
from bestfirst.catalogue.prunings import Kind, Pruning, require_known
from bestfirst.checkpoint import CheckpointError, Snapshot, require_equal
from bestfirst.control import FOUND, FULL, PAUSED, Progress, RunOptions
from bestfirst.search.compiled import BOUND, DEPTH, DUPLICATES, EXPANDED, GENERATED, INCUMBENT, OWN
from bestfirst.search.explicit import ArraySearch

_OF_PACKING = ("patterns", "waste", "table")

PRUNINGS = {
    "sums": Pruning(
        Kind.FEASIBILITY,
        "leaves out lengths that no pieces have together",
        "some pieces make the first stick",
    ),
    **{name: bin_packing_search.PRUNINGS[name] for name in _OF_PACKING},
}

#: Sums are found up to so many pieces times total: a few milliseconds, since it is done before any limit is looked at.
_MOST_BITS = 1 << 27

CANDIDATE = OWN
_ADDED = (GENERATED, EXPANDED, DUPLICATES)


class SticksSearch(ArraySearch):
    """The search at work on pieces of length ≥ 1, at least one; `without` names prunings to switch off."""

    engine = "equal_sticks"
    why = "length by length, by the packing of full bins"
    first_slice = PackingSearch.first_slice
    parts = ()

    def __init__(self, pieces: np.ndarray, options: RunOptions, without: Collection[str] = ()) -> None:
        require_known(without, PRUNINGS)
        super().__init__([pieces], options, without=sorted(without))
        self.pieces, self.options = pieces, options
        # In full bins only items of the same weight can be exchanged: little is saved by that, and packings are found later.
        self.without_inner = ["dominance", *(name for name in without if name in _OF_PACKING)]
        if "sums" in without:
            self.without_inner.append("capacity")  # which is the same for bins
        self.lengths = _lengths(pieces.tolist(), "sums" not in without)
        self.done = np.zeros(len(_ADDED), np.int64)
        self._open(0)

    def _open(self, candidate: int) -> None:
        """Begin with a candidate."""
        c, length = self.counters, self.lengths[candidate]
        c[CANDIDATE] = candidate
        c[BOUND] = length
        c[INCUMBENT] = self.lengths[-1]
        self.sticks = self.lengths[-1] // length
        self.inner = PackingSearch(self.pieces, length, self.options, self.without_inner, bins=self.sticks)

    def advance(self, stop_at: int) -> int:
        """Go from candidate to candidate; one is over in no time where its bound and first packing settle it."""
        c = self.counters
        while True:
            outcome = self.inner.advance(stop_at - int(self.done[0]))
            for counter, before in zip(_ADDED, self.done, strict=True):
                c[counter] = before + self.inner.counters[counter]
            c[DEPTH] = self.inner.counters[DEPTH]
            if outcome in (PAUSED, FULL):
                return outcome
            if self.inner.counters[INCUMBENT] <= self.sticks:
                c[INCUMBENT] = self.lengths[c[CANDIDATE]]
                return FOUND
            self.done[:] = [c[counter] for counter in _ADDED]
            self._open(int(c[CANDIDATE]) + 1)

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """The length, and the stick of each piece, longest first."""
        length = int(self.counters[INCUMBENT])
        if length != self.lengths[self.counters[CANDIDATE]]:
            return length, (0,) * len(self.pieces)
        return length, tuple(self.inner.packing.bin_of.tolist())

    def progress(self) -> Progress:
        return super().progress()._replace(incumbent=int(self.counters[INCUMBENT]))

    def grow(self, room: int | None) -> bool:
        return self.inner.grow(None if room is None else room - self.counters.nbytes)

    def arrays(self) -> Iterator[tuple[str, np.ndarray]]:
        yield "counters", self.counters
        yield "done", self.done
        for name, array in self.inner.arrays():
            yield f"inner_{name}", array

    def bytes(self) -> int:
        return self.counters.nbytes + self.done.nbytes + self.inner.bytes()

    def restore(self, snapshot: Snapshot) -> None:
        require_equal(snapshot, self.header())
        inner = {name.removeprefix("inner_"): array for name, array in snapshot.arrays.items() if name.startswith("inner_")}
        try:
            self._open(int(snapshot.arrays["counters"][CANDIDATE]))
            self.counters, self.done = snapshot.arrays["counters"], snapshot.arrays["done"]
        except (KeyError, IndexError):
            raise CheckpointError("the checkpoint is damaged: it does not hold the arrays that it should") from None
        self.inner.restore(Snapshot(self.inner.save().header, inner))


def _lengths(pieces: list[int], only_sums: bool) -> list[int]:
    """The lengths that sticks may have, ascending."""
    total, longest = sum(pieces), max(pieces)
    lengths = [total // sticks for sticks in range(min(len(pieces), total // longest), 0, -1) if total % sticks == 0]
    if only_sums and len(pieces) * total <= _MOST_BITS:
        sums = 1
        for piece in pieces:
            sums |= sums << piece
        lengths = [length for length in lengths if sums >> length & 1]
    return lengths
