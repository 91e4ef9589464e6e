"""Depth-first search below a cost threshold, the loop behind depth_first, iterative_deepening and ida_star.

One array state is changed in place. The stack holds *records*, each a move that is still to be made or, once made, is to be
taken back; so the records marked MADE are the path from the start to the current state. An expansion previews all moves and
pushes those whose cost plus bound stays within the threshold, in reverse order, so that the first move is on top.

    records  (slots × 4,) int64: the move (MADE is added once it is made; ROOT is the record of the start); lower bound of the
             state that it leads to; cost of the path to there; how many siblings were generated up to this one, in reverse order
    state    (W,) words of the current state;  child: scratch space for one more
    saved    (slots, W) words of the states on the path, each at the number of its record, when the problem cannot undo
    h, g, f  bound, cost of the path, their sum
    table    states met at each cost, when the mode remembers: key = state words and g

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
from bestfirst.kernel import Int, as_move, integer, kernel, structure, unsigned
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

TOP = OWN  #: number of records on the stack
FOLLOWING = OWN + 1  #: least f that was cut in this iteration
ITERATE = OWN + 2  #: 1: raise the threshold until a goal is found; 0: only one threshold
REMEMBER = OWN + 3  #: GROWING or FROZEN
THRESHOLD = OWN + 4  #: nodes with f beyond it are cut; a rising threshold is also the proved bound

GROWING = 1  #: the table of states takes new ones
FROZEN = 2  #: it does not, because the memory limit is reached or because it is not wanted (and then it stays empty)

_MADE = np.int64(1 << 31)
_ROOT = np.int64((1 << 31) - 1)

# A record begins at its number << _TO_RECORD; these are the places in it.
_TO_RECORD = np.uint64(2)
_BOUND = np.uint64(1)
_COST = np.uint64(2)
_LATER = np.uint64(3)


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
    moves = problem._move_count()
    slots = records.shape[0] >> 2
    stop_at = counters[STOP_AT]
    generated = counters[GENERATED]
    expanded = counters[EXPANDED]
    pruned = counters[PRUNED]
    threshold = counters[THRESHOLD]
    following = counters[FOLLOWING]
    top = unsigned(counters[TOP])
    outcome = PAUSED
    while generated < stop_at:
        while top > unsigned(0) and records[(top - unsigned(1)) << _TO_RECORD] >= _MADE:
            top -= unsigned(1)
            if records[top << _TO_RECORD] != _MADE + _ROOT:
                problem._restore(state, as_move(records[top << _TO_RECORD] - _MADE), saved, top)
        if top == unsigned(0):
            if counters[ITERATE] == 0 or following >= UNREACHABLE:
                outcome = EXHAUSTED
                break
            if following > MAX_TOTAL:
                outcome = HUGE_COST
                break
            threshold = following
            counters[BOUND] = threshold
            following = NONE
            records[0] = _ROOT
            top = unsigned(1)
        if top + unsigned(moves) > unsigned(slots):
            outcome = FULL
            break
        if mode.remembers() and counters[REMEMBER] == GROWING and not table.has_room(1):
            outcome = FULL
            break

        record = (top - unsigned(1)) << _TO_RECORD
        last = as_move(records[record])
        h = records[record + _BOUND]
        g = records[record + _COST]
        records[record] = np.int64(last) + _MADE
        if last == _ROOT:
            last = as_move(NO_MOVE)
        else:
            problem._save(state, saved, top - unsigned(1))
            problem._apply(state, last)
        if (h == 0 or not mode.is_informed()) and (not mode.is_exact() or g == threshold) and problem._is_goal(state):
            counters[INCUMBENT] = g
            ahead = _generated_ahead(records, top)
            generated -= ahead
            pruned -= ahead - (integer(top) - _made(records, top))  # the other records are those ahead that were not pruned
            outcome = FOUND
            break
        if mode.is_exact() and g == threshold:
            continue
        if mode.remembers() and _met_before(table, memory.state, key, g, counters):
            continue

        expanded += 1
        base = top
        count = np.int64(0)
        for reverse in range(moves):
            move = as_move(moves - 1 - reverse)
            if not mode.is_exact() and problem._is_inverse(last, move):
                continue
            if not problem._follows(state, last, move):
                continue
            cost, child_h = problem._child_bound(state, move, h, child)
            if cost == ILLEGAL:
                continue
            if cost <= 0 or cost > MAX_COST:
                outcome = ZERO_COST if cost == 0 else NEGATIVE_COST if cost < 0 else HUGE_COST
                break
            count += 1
            f = g + cost + (child_h if mode.is_informed() else 0)
            if f <= threshold:
                at = top << _TO_RECORD
                records[at] = move
                records[at + _BOUND] = child_h
                records[at + _COST] = g + cost
                records[at + _LATER] = count
                top += unsigned(1)
            else:
                following = min(following, f)
        generated += count
        pruned += count - np.int64(top - base)
        if outcome != PAUSED:
            break
    counters[GENERATED] = generated
    counters[EXPANDED] = expanded
    counters[PRUNED] = pruned
    counters[THRESHOLD] = threshold
    counters[FOLLOWING] = following
    counters[DEPTH] = _made(records, top) - 1
    counters[TOP] = np.int64(top)
    return outcome


@kernel(inline=True)
def _made(records: np.ndarray, top: Int) -> Int:
    """How many records are made: those of the path, the start's among them."""
    count = np.int64(0)
    for i in range(top):
        count += records[unsigned(i) << _TO_RECORD] >= _MADE
    return count


@kernel(inline=True)
def _generated_ahead(records: np.ndarray, top: Int) -> Int:
    """How many of the nodes on the way to the goal were generated that a search child by child would not have reached."""
    ahead = np.int64(0)
    for i in range(top):
        record = unsigned(i) << _TO_RECORD
        if records[record] >= _MADE:
            ahead += records[record + _LATER] - 1
    return ahead


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
        c = np.zeros(COUNTERS, np.int64)
        c[ITERATE] = threshold is None
        c[BOUND] = bound
        c[THRESHOLD] = c[FOLLOWING] = min(bound if threshold is None else threshold, UNREACHABLE)
        c[REMEMBER] = GROWING if remember else FROZEN
        c[INCUMBENT] = NONE
        c[GENERATED] = 1  # the start
        slots = 4 * problem._move_count() + 64
        self.memory = Memory(
            state=self.words.copy(),
            child=np.zeros_like(self.words),
            saved=np.zeros((1 if defines(problem, "undo") else slots, len(self.words)), np.uint64),
            records=np.zeros(4 * slots, np.int64),
            counters=c,
        )
        self.memory.records[:4] = (_ROOT, bound, 0, 1)
        if threshold is not None and bound <= threshold:
            c[TOP] = 1
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
        moves = self.memory.records[: 4 * self.counters[TOP] : 4]
        made = moves[moves >= _MADE] - _MADE
        return cost, tuple(int(move) for move in made[1:])
