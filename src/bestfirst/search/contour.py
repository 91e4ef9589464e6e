"""Depth-first search below a cost threshold, the loop behind depth_first, iterative_deepening and ida_star.

One array state is changed in place. The stack holds a *record* for each move on the path from the start to the current state:
the move, and what is needed to go on with its siblings once it is taken back. A child is previewed, and made only when its cost
plus bound stays within the threshold.

    records  (slots × 4,) int64: the move made; of the state in which it was made: h, rest and back
    state    (W,) words of the current state;  child: scratch space for one more
    saved    (slots, W) words of the states on the path, each at the number of its record, when the problem cannot undo
    h        lower bound of the current state;  rest: the threshold minus the cost of the path, what may still be spent
    back     the move that is not tried because it would take the last one straight back
    move     the next to try in the current state
    table    states met at each cost, when the mode remembers: key = state words and g, the cost of the path

Sources: iterative deepening A*: R. E. Korf, Depth-first iterative-deepening, Artificial Intelligence 27 (1985).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

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
from bestfirst.kernel import Int, as_move, kernel, structure, unsigned
from bestfirst.operations import ILLEGAL, MAX_COST, MAX_TOTAL, NO_MOVE, UNREACHABLE, defines
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
)
from bestfirst.search.graph import TableSearch, start_bound
from bestfirst.store import enlarged
from bestfirst.store.state_table import StateTable, state_table

FOLLOWING = OWN  #: least f that was cut in this iteration
ITERATE = OWN + 1  #: 1: raise the threshold until a goal is found; 0: only one threshold
REMEMBER = OWN + 2  #: GROWING or FROZEN
THRESHOLD = OWN + 3  #: nodes with f beyond it are cut; a rising threshold is also the proved bound
ARRIVED = OWN + 4  #: 1: the current state is yet to be visited
H = OWN + 5
REST = OWN + 6
BACK = OWN + 7
MOVE = OWN + 8

GROWING = 1  #: the table of states takes new ones
FROZEN = 2  #: it does not, because the memory limit is reached or because it is not wanted (and then it stays empty)

# A record begins at its number << _TO_RECORD; these are the places in it.
_TO_RECORD = np.uint64(2)
_H = np.uint64(1)
_REST = np.uint64(2)
_BACK = np.uint64(3)


def _mode(name: str, *, informed: bool, exact: bool, remembers: bool) -> Any:
    """A type with these three answers, so that the compiler sees constants: each mode is compiled on its own."""

    class Mode(NamedTuple):
        unused: int = 0  # a compiled structure needs a field

    Mode.__name__ = Mode.__qualname__ = name
    answers = {"is_informed": informed, "is_exact": exact, "remembers": remembers}
    for method, answer in answers.items():
        setattr(Mode, method, _constant(answer))
    return structure(Mode)


def _constant(answer: bool) -> Any:
    def constant(self: Any) -> Any:
        return answer

    return constant


# Whether the problem's lower bound is used; a goal counts only when its cost equals the threshold; states met before at the same
# cost are skipped.
IdaStarMode = _mode("IdaStarMode", informed=True, exact=False, remembers=False)
UninformedMode = _mode("UninformedMode", informed=False, exact=False, remembers=False)
FixedMode = _mode("FixedMode", informed=True, exact=False, remembers=True)
ExactMode = _mode("ExactMode", informed=True, exact=True, remembers=True)


class Memory(NamedTuple):
    """The working memory; shapes in the legend above."""

    state: np.ndarray
    child: np.ndarray
    saved: np.ndarray
    records: np.ndarray
    counters: np.ndarray


@kernel
def search_contours(
    problem: Any,
    mode: Any,
    memory: Memory,
    table: StateTable,
    key: np.ndarray,
    state: np.ndarray,
    child: np.ndarray,
    saved: np.ndarray,
) -> Int:
    """Advance the search until the node budget is used up; see `control` for the outcomes. O(moves) a node."""
    counters = memory.counters
    records = memory.records
    moves = as_move(problem._move_count())
    budget = counters[STOP_AT] - counters[GENERATED]
    expanded = counters[EXPANDED]
    depth = unsigned(counters[DEPTH])
    arrived = counters[ARRIVED] != 0
    h = counters[H]
    rest = counters[REST]
    back = as_move(counters[BACK])
    move = as_move(counters[MOVE])
    outcome = PAUSED
    while budget > 0:
        if arrived:
            if mode.remembers() and counters[REMEMBER] == GROWING and not table.has_room(1):
                outcome = FULL
                break
            arrived = False
            may_end = (h == 0 or not mode.is_informed()) and (rest == 0 or not mode.is_exact())
            if may_end and problem._is_goal(state):
                counters[INCUMBENT] = counters[THRESHOLD] - rest
                outcome = FOUND
                break
            move = as_move(0)
            spent = mode.is_exact() and rest == 0
            if spent or (mode.remembers() and _met_before(table, memory.state, key, counters[THRESHOLD] - rest, counters)):
                move = moves
            else:
                expanded += 1
        # Nodes that need no visit are expanded without leaving this loop; its locals fit into the registers, just so.
        while budget > 0:
            if move == back:
                move = as_move(move + 1)
            if move >= moves:
                if depth == unsigned(0):
                    outcome = _next_iteration(counters)
                    if outcome != PAUSED:
                        break
                    rest = counters[THRESHOLD]
                    arrived = True
                    break
                depth -= unsigned(1)
                at = depth << _TO_RECORD
                made = as_move(records[at])
                problem._restore(state, made, saved, depth)
                h = records[at + _H]
                rest = records[at + _REST]
                back = as_move(records[at + _BACK])
                move = as_move(made + 1)
                continue
            this = move
            move = as_move(move + 1)
            at = depth << _TO_RECORD
            if not problem._follows(state, _last(records, depth), this):
                continue
            cost, child_h = problem._child_bound(state, this, h, child)
            if cost == ILLEGAL:
                continue
            if cost <= 0 or cost > MAX_COST:
                outcome = ZERO_COST if cost == 0 else NEGATIVE_COST if cost < 0 else HUGE_COST
                break
            child_rest = rest - cost
            excess = (child_h if mode.is_informed() else 0) - child_rest
            if excess > 0:
                budget -= 1
                counters[PRUNED] += 1
                counters[FOLLOWING] = min(counters[FOLLOWING], excess + counters[THRESHOLD])
                continue
            if at == unsigned(records.shape[0]):
                move = this
                outcome = FULL
                break
            budget -= 1
            problem._save(state, saved, depth)
            problem._apply(state, this)
            records[at] = this
            records[at + _H] = h
            records[at + _REST] = rest
            records[at + _BACK] = back
            depth += unsigned(1)
            h = child_h
            rest = child_rest
            back = as_move(NO_MOVE) if mode.is_exact() else problem._back(this)
            if h == 0 or not mode.is_informed() or mode.remembers():
                arrived = True
                break
            expanded += 1
            move = as_move(0)
        if not arrived:
            break
    counters[GENERATED] = counters[STOP_AT] - budget
    counters[EXPANDED] = expanded
    counters[DEPTH] = np.int64(depth)
    counters[ARRIVED] = np.int64(arrived)
    counters[H] = h
    counters[REST] = rest
    counters[BACK] = np.int64(back)
    counters[MOVE] = np.int64(move)
    return outcome


@kernel(inline=True)
def _next_iteration(counters: np.ndarray) -> Int:
    """Raise the threshold to the least f that was cut; PAUSED, or the outcome when there is none."""
    following = counters[FOLLOWING]
    if counters[ITERATE] == 0 or following >= UNREACHABLE:
        return EXHAUSTED
    if following > MAX_TOTAL:
        return HUGE_COST
    counters[THRESHOLD] = counters[BOUND] = following
    counters[FOLLOWING] = NONE
    return PAUSED


@kernel(inline=True)
def _last(records: np.ndarray, depth: Int) -> Int:
    """The move that led to the current state."""
    return as_move(records[(depth - unsigned(1)) << _TO_RECORD]) if depth > unsigned(0) else as_move(NO_MOVE)


@kernel(inline=True)
def _met_before(table: StateTable, words: np.ndarray, key: np.ndarray, g: Int, counters: np.ndarray) -> Any:
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
    if counters[REMEMBER] == GROWING:
        table.insert(position, key, tag)
    return False


class ContourSearch(TableSearch):
    """The depth-first engines differ only in mode and threshold (None: rising)."""

    kernel = search_contours

    def __init__(
        self,
        engine: str,
        mode: Any,
        problem: Any,
        start: Any,
        options: RunOptions,
        threshold: int | None = None,
        remember: bool = True,
    ) -> None:
        self.engine = engine
        self.mode = mode
        if isinstance(mode, IdaStarMode):
            self.requires = ("apply", "is_goal", "lower_bound")
        super().__init__(problem, start, options, mode=type(mode).__name__, threshold=threshold, remember=remember)
        bound = start_bound(problem, self.view(self.words.copy())) if mode.is_informed() else 0
        self.proves_best = threshold is None or mode.is_exact()
        first = min(bound if threshold is None else threshold, UNREACHABLE)
        c = np.zeros(COUNTERS, np.int64)
        c[GENERATED] = 1  # the start
        c[BOUND] = c[H] = bound
        c[INCUMBENT] = NONE
        c[ITERATE] = threshold is None
        c[REMEMBER] = GROWING if remember else FROZEN
        c[FOLLOWING] = c[THRESHOLD] = c[REST] = first
        c[ARRIVED] = threshold is not None and bound <= threshold
        c[BACK] = NO_MOVE
        c[MOVE] = problem._move_count()  # nothing to try before the start is visited
        slots = 64
        self.memory = Memory(
            state=self.words.copy(),
            child=np.zeros_like(self.words),
            saved=np.zeros((1 if defines(problem, "undo") else slots, len(self.words)), np.uint64),
            records=np.zeros(slots << int(_TO_RECORD), np.int64),
            counters=c,
        )
        self.table = state_table(1024 if mode.remembers() and remember else 1, len(self.words) + 1)

    def arguments(self) -> tuple[Any, ...]:
        m = self.memory
        key = np.zeros(len(self.words) + 1, np.uint64)
        return (self.mode, m, self.table, key, self.view(m.state), self.view(m.child), self.view(m.saved))

    def enlarge(self, room: int | None) -> bool:
        """Enlarge the table, or freeze it when there is no room for that; else double the stack."""
        m = self.memory
        if self.mode.remembers() and self.counters[REMEMBER] == GROWING and not self.table.has_room(1):
            if self.enlarge_table(0, room) is None:
                self.counters[REMEMBER] = FROZEN
            return True
        self.memory = m._replace(records=enlarged(m.records, 2 * len(m.records)))
        if len(m.saved) > 1:
            self.memory = self.memory._replace(saved=enlarged(m.saved, 2 * len(m.saved)))
        return room is None or self.bytes() <= room

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        cost = int(self.counters[INCUMBENT])
        if cost == NONE:
            return None
        moves = self.memory.records[: self.counters[DEPTH] << int(_TO_RECORD) : 1 << int(_TO_RECORD)]
        return cost, tuple(moves.tolist())
