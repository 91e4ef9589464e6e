"""What the engines share that keep a table of states: the first state, room for more, the way back, checkpoints."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestfirst.checkpoint import Snapshot
from bestfirst.kernel import exact, interpreting
from bestfirst.operations import ILLEGAL, problem_name
from bestfirst.replay import BrokenProblem
from bestfirst.search.compiled import CompiledSearch
from bestfirst.store.state_table import MAX_STATES, StateTable, grown, slots_for


def next_capacity(table: StateTable, now: int, row_bytes: float, room: int | None) -> int | None:
    """How many states to make room for: twice as many, or fewer when `room` bytes are near; None when it is of no use."""
    rows = len(table.states)
    for factor in (4.0 if rows < 1 << 16 else 2.0, 1.5, 1.2):
        wanted = min(int(rows * factor) + 64, MAX_STATES)
        size = wanted * (8 * table.states.shape[1] + row_bytes) + 8 * slots_for(wanted)
        if room is None or now + size <= room:  # old and new exist side by side for a moment
            return wanted if wanted > rows else None
    return None


def insert_state(table: StateTable, words: np.ndarray) -> bool:
    """Add a state to a table that has room for it, in the interpreter; False when it is there already."""
    with interpreting():
        view, state = exact(table), exact(words)
        tag = view.tag(state)
        position = view.locate(state, tag)
        if view.number_at(position) >= 0:
            return False
        view.insert(position, state, tag)
        return True


class TableSearch(CompiledSearch):
    """An engine with a table of states beside its memory."""

    table: StateTable

    first: int = 0  #: number of the start that the solution comes from

    def root_bounds(self, mode: Any) -> list[int]:
        """Bounds of the starts as the mode sees them, computed in the interpreter."""
        bounds = []
        with interpreting():
            problem = exact(self.problem)
            for words in self.roots:
                state = exact(self.view(words.copy()))
                if mode.maximises():
                    bounds.append(-int(problem._upper_bound(state)))
                else:
                    bounds.append(int(problem._lower_bound(state)) if mode.is_informed() else 0)
        return bounds

    def insert_roots(self) -> int:
        """Make the starts the first states of the table, in its canonical forms; how many there are, equal ones being one."""
        different = []
        for root in range(len(self.roots)):
            words = self.roots[root].copy()
            with interpreting():
                exact(self.problem)._make_canonical(exact(self.view(words)))
            if insert_state(self.table, words):
                different.append(root)
        self.start = [self.start[root] for root in different]
        self.roots = self.roots[different]
        return len(different)

    def path_to(self, number: int) -> tuple[int, ...]:
        """The moves from a start to a state, by `memory.parent` and `memory.move`."""
        roots = len(self.start)
        numbers = [number]
        while numbers[-1] >= roots:
            numbers.append(int(self.memory.parent[numbers[-1]]))
        self.first = numbers.pop()
        numbers.reverse()
        if not self.problem._is_symmetric():
            return tuple(int(self.memory.move[number]) for number in numbers)
        return self.real_moves(numbers)

    def real_moves(self, numbers: list[int]) -> tuple[int, ...]:
        """The cheapest moves from the start through states like those of these numbers. O(length × moves)."""
        moves = []
        with interpreting():
            problem = exact(self.problem)
            words = exact(self.roots[self.first].copy())
            for number in numbers:
                options = []
                for move in range(problem._move_count()):
                    child = exact(words.copy())
                    cost = problem._apply(exact(self.view(child)), move)
                    if cost != ILLEGAL:
                        like = exact(child.copy())
                        problem._make_canonical(exact(self.view(like)))
                        if np.array_equal(like, self.table.states[number]):
                            options.append((cost, move, child))
                if not options:
                    raise BrokenProblem(
                        f"canonical of {problem_name(self.problem)} puts two states into one class whose moves lead elsewhere"
                    )
                _, move, words = min(options, key=lambda option: option[:2])
                moves.append(move)
        return tuple(moves)

    def root(self) -> int:
        return self.first

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
