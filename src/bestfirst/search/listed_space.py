"""Breadth-first through a space whose states have no numbers: every state met is kept in a table.

words     (2, W) uint64: the state being expanded and one of its children; `pair` is the same memory in the states' dtype
table     the states met, numbered in the order in which they were met, which is that of their depths
layers    (≥ depth + 2,) int64: number of the first state at each depth, and at the next one
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FULL, HUGE_COST, NEGATIVE_COST, PAUSED, UNEVEN_COST, ZERO_COST, RunOptions
from bestfirst.kernel import Int, as_move, exact, interpreting, kernel, unsigned
from bestfirst.operations import ILLEGAL, MAX_COST
from bestfirst.search.compiled import (
    BOUND,
    COUNTERS,
    DEPTH,
    DUPLICATES,
    EXPANDED,
    GENERATED,
    INCUMBENT,
    NONE,
    STOP_AT,
)
from bestfirst.search.graph import TableSearch, insert_state
from bestfirst.search.layers import OWN_OF_LAYERS, UNIT, SpaceWalk
from bestfirst.store import enlarged
from bestfirst.store.state_table import StateTable, state_table

SEEKS_GOALS = OWN_OF_LAYERS  #: 1: a goal at a depth above 0 is a mistake

# What the kernel returns beside the outcomes of `control`.
_MISSED_GOAL = 101


class Memory(NamedTuple):
    """The working memory beside the table; shapes in the legend above."""

    words: np.ndarray
    layers: np.ndarray
    counters: np.ndarray


@kernel
def list_layers(problem: Any, backward: Any, memory: Memory, table: StateTable, pair: np.ndarray) -> Int:
    """Advance until the node budget is used up; `backward` makes the moves. O(moves × W) an expansion.

    Besides the outcomes of `control`: a goal beyond depth 0.
    """
    words = memory.words
    layers = memory.layers
    counters = memory.counters
    state_words = words[0]
    child_words = words[1]
    moves = backward._move_count()
    stop_at = counters[STOP_AT]
    generated = counters[GENERATED]
    duplicates = counters[DUPLICATES]
    unit = counters[UNIT]
    head = counters[EXPANDED]
    depth = counters[DEPTH]
    outcome = PAUSED
    while generated < stop_at:
        if head == layers[unsigned(depth + 1)]:
            if head == table.used[0]:
                outcome = EXHAUSTED
                break
            if depth + 2 == layers.shape[0]:
                outcome = FULL
                break
            depth += 1
            layers[unsigned(depth + 1)] = table.used[0]
        if not table.has_room(moves):
            outcome = FULL
            break
        for i in range(words.shape[1]):
            state_words[unsigned(i)] = table.states[unsigned(head), unsigned(i)]
        if counters[SEEKS_GOALS] != 0 and depth > 0 and problem._is_goal(pair[0]):
            outcome = _MISSED_GOAL
            break
        for step in range(moves):
            for i in range(words.shape[1]):
                child_words[unsigned(i)] = state_words[unsigned(i)]
            cost = backward._apply(pair[1], as_move(step))
            if cost == ILLEGAL:
                continue
            if cost != unit:
                if cost <= 0 or cost > MAX_COST or unit != NONE:
                    outcome = NEGATIVE_COST if cost < 0 else ZERO_COST if cost == 0 else UNEVEN_COST
                    if cost > MAX_COST:
                        outcome = HUGE_COST
                    break
                unit = cost
            generated += 1
            tag = table.tag(child_words)
            position = table.locate(child_words, tag)
            if table.number_at(position) < 0:
                table.insert(position, child_words, tag)
            else:
                duplicates += 1
        if outcome != PAUSED:
            break
        head += 1
    counters[UNIT] = unit
    counters[GENERATED] = generated
    counters[DUPLICATES] = duplicates
    counters[EXPANDED] = head
    counters[DEPTH] = depth
    counters[BOUND] = depth if unit == NONE else depth * unit
    return outcome


class ListedSearch(SpaceWalk, TableSearch):
    """A walk through a space without numbers, from `starts`."""

    kernel = list_layers

    def __init__(
        self,
        engine: str,
        problem: Any,
        starts: tuple[Any, ...],
        options: RunOptions,
        *,
        backward: Any = None,
        seeks_goals: bool = False,
        farthest: int = 0,
    ) -> None:
        self.engine = engine
        self.backward = problem if backward is None else backward
        super().__init__(problem, list(starts), options, seeks_goals=seeks_goals)
        self.farthest = farthest
        self.table = state_table(256 + len(starts) + self.backward._move_count(), self.roots.shape[1])
        for words in self.roots:
            insert_state(self.table, words)
        c = np.zeros(COUNTERS, np.int64)
        c[GENERATED] = self.table.used[0]
        c[UNIT] = c[INCUMBENT] = NONE
        c[SEEKS_GOALS] = seeks_goals
        layers = np.zeros(64, np.int64)
        layers[1] = self.table.used[0]
        self.memory = Memory(np.zeros((2, self.roots.shape[1]), np.uint64), layers, c)

    def advance(self, stop_at: int) -> int:
        outcome = super().advance(stop_at)
        if outcome == _MISSED_GOAL:
            state = self.state(int(self.counters[EXPANDED]))
            raise ValueError(f"the state {state} is a goal as well: give {self.engine} all goals")
        return outcome

    def arguments(self) -> tuple[Any, ...]:
        return (self.backward, self.memory, self.table, self.view(self.memory.words))

    def enlarge(self, room: int | None) -> bool:
        if self.table.has_room(self.backward._move_count()):
            self.memory = self.memory._replace(layers=enlarged(self.memory.layers, 2 * len(self.memory.layers)))
            return True
        return self.enlarge_table(0, room) is not None

    # what is known

    def place(self, words: np.ndarray) -> int:
        """Number of a state in the table; -1 when it was not met."""
        with interpreting():
            table = exact(self.table)
            return int(table.number_at(table.locate(exact(words), table.tag(exact(words)))))

    def state(self, number: int) -> Any:
        """The state with a number."""
        return self.state_of(self.table.states[number])

    def layer_sizes(self, is_complete: bool) -> tuple[int, ...]:
        """How many states there are at each depth, as far as it is certain: all of a layer are met once it is begun."""
        return tuple(np.diff(self.memory.layers[: int(self.counters[DEPTH]) + 2]).tolist())

    def farthest_states(self) -> tuple[Any, ...]:
        """Some of the states at the last depth, those met first."""
        first, end = self.memory.layers[int(self.counters[DEPTH]) :][:2].tolist()
        return tuple(map(self.state, range(first, min(end, first + self.farthest))))

    def depth_of(self, state: Any) -> int | None:
        """Depth of a state; None when it was not met."""
        number = self.place(self.words_of(state))
        layers = self.memory.layers[: int(self.counters[DEPTH]) + 2]
        return None if number < 0 or number >= layers[-1] else int(np.searchsorted(layers, number, side="right")) - 1

    def states_at(self, depth: int) -> Iterator[Any]:
        """The states at a depth, in the order in which they were met."""
        if 0 <= depth <= int(self.counters[DEPTH]):
            yield from map(self.state, range(*self.memory.layers[depth : depth + 2].tolist()))

    def finish(self) -> None:
        """Give back the memory that only the walk needed: there is none."""
