"""What the engines share that keep a table of states: the first state, room for more, the way back, checkpoints."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestfirst.checkpoint import Snapshot
from bestfirst.kernel import exact, interpreting
from bestfirst.search.compiled import CompiledSearch
from bestfirst.store.state_table import MAX_STATES, StateTable, grown, slots_for


def start_bound(problem: Any, state: np.ndarray) -> int:
    """Lower bound of the start, computed in the interpreter."""
    with interpreting():
        return int(exact(problem)._lower_bound(exact(state)))


def insert_start(table: StateTable, words: np.ndarray) -> None:
    """Make the start state number 0."""
    with interpreting():
        view = exact(table)
        tag = view.tag(exact(words))
        view.insert(view.locate(exact(words), tag), exact(words), tag)


def next_capacity(table: StateTable, now: int, row_bytes: float, room: int | None) -> int | None:
    """How many states to make room for: twice as many, or fewer when `room` bytes are near; None when it is of no use."""
    rows = len(table.states)
    for factor in (4.0 if rows < 1 << 16 else 2.0, 1.5, 1.2):
        wanted = min(int(rows * factor) + 64, MAX_STATES)
        size = wanted * (8 * table.states.shape[1] + row_bytes) + 8 * slots_for(wanted)
        if room is None or now + size <= room:  # old and new exist side by side for a moment
            return wanted if wanted > rows else None
    return None


def path_to(number: int, parent: np.ndarray, move: np.ndarray) -> tuple[int, ...]:
    """The moves from the start (number 0) to a state."""
    moves = []
    while number != 0:
        moves.append(int(move[number]))
        number = int(parent[number])
    return tuple(reversed(moves))


class TableSearch(CompiledSearch):
    """An engine with a table of states beside its memory."""

    table: StateTable

    def bytes(self) -> int:
        return super().bytes() + sum(array.nbytes for array in self.table)

    def enlarge_table(self, row_bytes: float, room: int | None) -> int | None:
        """Make room for more states; the new capacity, or None when `room` does not allow any."""
        rows = next_capacity(self.table, self.bytes(), row_bytes, room)
        if rows is not None:
            self.table = grown(self.table, rows)
        return rows

    def save(self) -> Snapshot:
        header, arrays = super().save()
        return Snapshot(header, {**arrays, **{f"table_{name}": array for name, array in self.table._asdict().items()}})

    def take(self, snapshot: Snapshot) -> None:
        arrays = dict(snapshot.arrays)
        self.table = StateTable(**{name: arrays.pop(f"table_{name}") for name in StateTable._fields})
        super().take(Snapshot(snapshot.header, arrays))
