"""Depth-first search below a cost threshold, the loop behind depth_first, iterative_deepening and ida_star.

One array state is changed in place. The stack holds *records*, each a move that is still to be made or, once made, is to be
taken back; so the records marked MADE are the path from the start to the current state. An expansion previews all moves and
pushes those whose cost plus bound stays within the threshold, in reverse order, so that the first move is on top.

    move     (slots,) uint32, a move; MADE is added once it is made; ROOT is the record of the start
    bound    (slots,) int64, lower bound of the state that the move leads to
    cost     (slots,) int64, cost of the path to there
    state    (W,) words of the current state;  child: scratch space for one more
    saved    (rows, W) words of the states on the path, when the problem cannot undo
    h, g, f  bound, cost of the path, their sum
    table    states met at each cost, when `remember` is on: key = state words and g

Sources: iterative deepening A*: R. E. Korf, Depth-first iterative-deepening, Artificial Intelligence 27 (1985).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestfirst.checkpoint import Snapshot
from bestfirst.control import (
    EXHAUSTED,
    FOUND,
    FULL,
    HUGE_COST,
    NEGATIVE_COST,
    PAUSED,
    ZERO_COST,
    RunOptions,
)
from bestfirst.kernel import as_move, kernel, unsigned
from bestfirst.problem import ILLEGAL, MAX_COST, NO_MOVE, UNREACHABLE
from bestfirst.search.compiled import (
    BOUND,
    COUNTERS,
    DEPTH,
    DUPLICATES,
    EXPANDED,
    GENERATED,
    INCUMBENT,
    NONE,
    OWN,
    PRUNED,
    STOP_AT,
    CompiledSearch,
    enlarged,
)
from bestfirst.search.graph import start_bound, with_table, without_table
from bestfirst.store.state_table import StateTable, grown, state_table

TOP = OWN  #: number of records on the stack
FOLLOWING = OWN + 1  #: least f that was cut in this iteration
ROOT_BOUND = OWN + 2  #: lower bound of the start
ITERATE = OWN + 3  #: 1: raise the threshold until a goal is found; 0: only one threshold
EXACT = OWN + 4  #: 1: a goal counts only when its cost equals the threshold
INFORMED = OWN + 5  #: 1: use the problem's lower bound
REMEMBER = OWN + 6  #: 1: skip states met before at the same cost; 2: the same, but add no more states

_MADE = np.uint32(1 << 31)
_ROOT = np.uint32((1 << 31) - 1)


class Memory(NamedTuple):
    """The working memory; shapes in the legend above."""

    state: np.ndarray
    child: np.ndarray
    saved: np.ndarray
    move: np.ndarray
    bound: np.ndarray
    cost: np.ndarray
    counters: np.ndarray


@kernel
def search_contours(
    problem: Any, memory: Memory, table: StateTable, key: np.ndarray, state: np.ndarray, child: np.ndarray, saved: np.ndarray
) -> int:
    """Advance the search until the node budget is used up; see `control` for the outcomes. O(moves) a node."""
    counters = memory.counters
    moves = problem._move_count()
    slots = memory.move.shape[0]
    rows = saved.shape[0]
    stop_at = counters[STOP_AT]
    generated = counters[GENERATED]
    expanded = counters[EXPANDED]
    pruned = counters[PRUNED]
    threshold = counters[BOUND]
    following = counters[FOLLOWING]
    depth = counters[DEPTH]
    top = unsigned(counters[TOP])
    informed = counters[INFORMED] == 1
    exact = counters[EXACT] == 1
    remember = counters[REMEMBER] != 0
    outcome = PAUSED
    while generated < stop_at:
        while top > unsigned(0) and memory.move[top - unsigned(1)] >= _MADE:
            top -= unsigned(1)
            if memory.move[top] != _MADE + _ROOT:
                depth -= 1
                problem._restore(state, as_move(memory.move[top] - _MADE), saved, unsigned(depth))
        if top == unsigned(0):
            if counters[ITERATE] == 0 or following >= UNREACHABLE:
                outcome = EXHAUSTED
                break
            threshold = following
            following = NONE
            memory.move[0] = _ROOT
            top = unsigned(1)
        if top + unsigned(moves) > unsigned(slots) or depth >= rows:
            outcome = FULL
            break
        if remember and not table.has_room(1):
            outcome = FULL
            break

        record = top - unsigned(1)
        last = as_move(memory.move[record])
        h = memory.bound[record]
        g = memory.cost[record]
        memory.move[record] = last + _MADE
        if last == _ROOT:
            last = as_move(NO_MOVE)
        else:
            problem._save(state, saved, unsigned(depth))
            problem._apply(state, last)
            depth += 1
        if (h == 0 or not informed) and (not exact or g == threshold) and problem._is_goal(state):
            counters[INCUMBENT] = g
            outcome = FOUND
            break
        if exact and g == threshold:
            continue
        if remember and _met_before(table, memory.state, key, g, counters):
            continue

        expanded += 1
        base = top
        for reverse in range(moves):
            move = as_move(moves - 1 - reverse)
            if not exact and problem._is_inverse(last, move):
                continue
            if not problem._follows(state, last, move):
                continue
            cost, child_h = problem._child_bound(state, move, h, child)
            if cost <= 0 or cost > MAX_COST:
                if cost == ILLEGAL:
                    continue
                outcome = ZERO_COST if cost == 0 else NEGATIVE_COST if cost < 0 else HUGE_COST
                break
            generated += 1
            f = g + cost + (child_h if informed else 0)
            if f <= threshold:
                memory.move[top] = move
                memory.bound[top] = child_h
                memory.cost[top] = g + cost
                top += unsigned(1)
            else:
                pruned += 1
                if f < following:
                    following = f
        if outcome != PAUSED:
            top = base
            break
    counters[GENERATED] = generated
    counters[EXPANDED] = expanded
    counters[PRUNED] = pruned
    counters[BOUND] = threshold
    counters[FOLLOWING] = following
    counters[DEPTH] = depth
    counters[TOP] = np.int64(top)
    return outcome


@kernel
def _met_before(table: StateTable, words: np.ndarray, key: np.ndarray, g: int, counters: np.ndarray) -> bool:
    """Whether this state was met at the same cost; if not, it is now."""
    last = words.shape[0]
    for i in range(last):
        key[unsigned(i)] = words[unsigned(i)]
    key[unsigned(last)] = unsigned(g)
    tag = table.tag(key)
    position = table.locate(key, tag)
    if table.number_at(position) >= 0:
        counters[DUPLICATES] += 1
        return True
    if counters[REMEMBER] == 1:
        table.insert(position, key, tag)
    return False


class ContourSearch(CompiledSearch):
    """The three depth-first engines differ only in these settings."""

    kernel = search_contours

    def __init__(
        self,
        engine: str,
        problem: Any,
        start: Any,
        options: RunOptions,
        *,
        threshold: int | None = None,
        exact: bool = False,
        informed: bool = False,
        remember: bool = False,
    ) -> None:
        self.engine = engine
        if informed:
            self.requires = ("apply", "is_goal", "lower_bound")
        super().__init__(problem, start, options, threshold=threshold, exact=exact, remember=remember)
        root_bound = start_bound(problem, self.view(self.words.copy()))
        c = np.zeros(COUNTERS, np.int64)
        c[ITERATE] = threshold is None
        first = (root_bound if informed else 0) if threshold is None else threshold
        c[BOUND] = c[FOLLOWING] = min(first, UNREACHABLE)
        c[EXACT], c[INFORMED], c[REMEMBER] = exact, informed, remember
        c[INCUMBENT] = NONE
        c[GENERATED] = 1  # the start
        slots = 4 * problem._move_count() + 64
        self.memory = Memory(
            state=self.words.copy(),
            child=np.zeros_like(self.words),
            saved=np.zeros((32, len(self.words)), np.uint64),
            move=np.zeros(slots, np.uint32),
            bound=np.zeros(slots, np.int64),
            cost=np.zeros(slots, np.int64),
            counters=c,
        )
        self.memory.bound[0] = root_bound
        if threshold is not None:
            c[FOLLOWING] = NONE
            if root_bound <= threshold or not informed:
                self.memory.move[0] = _ROOT
                c[TOP] = 1
        self.table = state_table(1024 if remember else 1, len(self.words) + 1)

    def arguments(self) -> tuple[Any, ...]:
        m = self.memory
        key = np.zeros(len(self.words) + 1, np.uint64)
        return (m, self.table, key, self.view(m.state), self.view(m.child), self.view(m.saved))

    def bytes(self) -> int:
        return super().bytes() + sum(array.nbytes for array in self.table)

    def grow(self, room: int | None) -> bool:
        """Double the stack; double the table, or keep it as it is when there is no room for more."""
        m = self.memory
        if self.counters[REMEMBER] == 1 and not self.table.has_room(1):
            more = 2 * len(self.table.states)
            if room is not None and self.bytes() + 3 * sum(array.nbytes for array in self.table) > room:
                self.counters[REMEMBER] = 2
            else:
                self.table = grown(self.table, more)
            return True
        self.memory = m._replace(
            saved=enlarged(m.saved, 2 * len(m.saved)),
            move=enlarged(m.move, 2 * len(m.move)),
            bound=enlarged(m.bound, 2 * len(m.bound)),
            cost=enlarged(m.cost, 2 * len(m.cost)),
        )
        return room is None or self.bytes() <= room

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        cost = int(self.counters[INCUMBENT])
        if cost == NONE:
            return None
        made = self.memory.move[: self.counters[TOP]]
        made = made[made >= _MADE] - _MADE
        return cost, tuple(int(move) for move in made[1:])

    def save(self) -> Snapshot:
        return with_table(super().save(), self.table)

    def restore(self, snapshot: Snapshot) -> None:
        snapshot, self.table = without_table(snapshot)
        super().restore(snapshot)
