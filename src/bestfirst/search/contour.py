"""Depth-first search below a cost threshold: the loop behind depth_first, iterative_deepening, ida_star, branch_and_bound.

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
    roots    (starts, W) words of the start states, searched one after another below each threshold;  root_h: their bounds
    keys     (entries, W) words of states whose bound was raised, when the mode learns;  bounds: what it was raised to
    least    (slots,) by how much what was cut below each state of the path exceeds the threshold at least, when the mode learns

A mode that learns does not ask `follows`: what it learns about a state must hold for every way there. Going straight back it
may leave out: a solution that does so, met later by another way, would lead through the state before, where the search that is
under way finds it or proves that it costs more than what may be spent there. A mode that improves lowers the threshold below
each solution it finds (branch and bound); one that maximises counts gains and upper bounds as negative costs and bounds.

Sources: iterative deepening A*: R. E. Korf, Depth-first iterative-deepening, Artificial Intelligence 27 (1985); raising the
bounds of remembered states: A. Reinefeld and T. A. Marsland, IEEE Trans. Pattern Analysis and Machine Intelligence 16 (1994).
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
from bestfirst.kernel import Int, as_move, kernel, unsigned
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
    search_mode,
)
from bestfirst.search.graph import TableSearch
from bestfirst.store import enlarged
from bestfirst.store.state_table import StateTable, hash_of, state_table

FOLLOWING = OWN  #: least f that was cut in this iteration
ITERATE = OWN + 1  #: 1: raise the threshold until a goal is found; 0: only one threshold
REMEMBER = OWN + 2  #: GROWING or FROZEN
THRESHOLD = OWN + 3  #: nodes with f beyond it are cut; a rising threshold is also the proved bound
ARRIVED = OWN + 4  #: 1: the current state is yet to be visited
H = OWN + 5
REST = OWN + 6
BACK = OWN + 7
MOVE = OWN + 8
ROOT = OWN + 9  #: number of the start that is being searched
IMPROVED = OWN + 10  #: 1: a better solution was found, the threshold is yet to be lowered

GROWING = 1  #: the table of states takes new ones
FROZEN = 2  #: it does not, because the memory limit is reached or because it is not wanted (and then it stays empty)

# A record begins at its number << _TO_RECORD; these are the places in it.
_TO_RECORD = np.uint64(2)
_H = np.uint64(1)
_REST = np.uint64(2)
_BACK = np.uint64(3)

_TO_PLACE = np.uint64(32)
_PLACES = 4


_QUESTIONS = ("is_informed", "is_exact", "remembers", "learns", "improves", "maximises")

# The lower bound is used; a goal counts only when its cost equals the threshold; states met before at the same cost are skipped;
# the rest stands in the legend.
IdaStarMode = search_mode("IdaStarMode", _QUESTIONS, "is_informed")
LearningMode = search_mode("LearningMode", _QUESTIONS, "is_informed", "learns")
UninformedMode = search_mode("UninformedMode", _QUESTIONS)
FixedMode = search_mode("FixedMode", _QUESTIONS, "is_informed", "remembers")
ExactMode = search_mode("ExactMode", _QUESTIONS, "is_informed", "is_exact", "remembers")
MinimisingMode = search_mode("MinimisingMode", _QUESTIONS, "is_informed", "improves")
MaximisingMode = search_mode("MaximisingMode", _QUESTIONS, "is_informed", "improves", "maximises")


class Memory(NamedTuple):
    """The working memory; shapes in the legend above."""

    state: np.ndarray
    child: np.ndarray
    saved: np.ndarray
    records: np.ndarray
    roots: np.ndarray
    root_h: np.ndarray
    keys: np.ndarray
    bounds: np.ndarray
    least: np.ndarray
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
            may_end = (h == 0 or not mode.is_informed() or mode.maximises()) and (rest == 0 or not mode.is_exact())
            found = may_end and problem._is_goal(state)
            if found:
                counters[INCUMBENT] = _sign(mode) * (counters[THRESHOLD] - rest)
                if not mode.improves():
                    outcome = FOUND
                    break
                counters[IMPROVED] = 1
            move = as_move(0)
            if mode.learns():
                memory.least[depth] = NONE
            if (
                (mode.is_exact() and rest == 0)
                or (found and not mode.maximises())
                or (mode.remembers() and _met_before(problem, memory, table, key, child, rest))
                or (mode.learns() and _is_known_to_exceed(problem, memory, child, depth, rest))
            ):
                move = moves
            else:
                expanded += 1
            if found:
                break
        # Nodes that need no visit are expanded without leaving this loop; its locals fit into the registers, just so.
        while budget > 0:
            if move == back:
                move = as_move(move + 1)
            if move >= moves:
                if depth == unsigned(0):
                    outcome = _next_root(mode, memory, counters)
                    if outcome != PAUSED:
                        break
                    h = memory.root_h[unsigned(counters[ROOT])]
                    rest = counters[THRESHOLD]
                    arrived = True
                    break
                if mode.learns():
                    _learn(problem, memory, child, depth, rest, back)
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
            if not mode.learns() and not problem._follows(state, _last(records, depth), this):
                continue
            if mode.maximises():
                cost, child_h = problem._child_upper_bound(state, this, child)
            else:
                cost, child_h = problem._child_bound(state, this, h, child)
            if cost == ILLEGAL:
                continue
            if cost < 0 or (cost == 0 and not mode.improves()) or cost > MAX_COST:
                outcome = ZERO_COST if cost == 0 else NEGATIVE_COST if cost < 0 else HUGE_COST
                break
            child_rest = rest - _sign(mode) * cost
            if mode.maximises() and child_rest > MAX_TOTAL:
                outcome = HUGE_COST
                break
            excess = (child_h if mode.is_informed() else 0) - child_rest
            if excess > 0:
                budget -= 1
                counters[PRUNED] += 1
                if mode.learns():
                    memory.least[depth] = min(memory.least[depth], excess)
                else:
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
            if h == 0 or not mode.is_informed() or mode.remembers() or mode.learns() or mode.maximises():
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
def _sign(mode: Any) -> Int:
    """What a cost or bound is multiplied by, so that less is better."""
    return -1 if mode.maximises() else 1


@kernel
def _next_root(mode: Any, memory: Memory, counters: np.ndarray) -> Int:
    """Go to the next start whose bound lies within the threshold, raising it when all are done; or say why there is none."""
    if mode.learns() and counters[ROOT] >= 0 and memory.least[0] < NONE:
        counters[FOLLOWING] = min(counters[FOLLOWING], counters[THRESHOLD] + memory.least[0])
        memory.least[0] = NONE
    while True:
        counters[ROOT] += 1
        if counters[ROOT] == memory.roots.shape[0]:
            following = counters[FOLLOWING]
            if mode.improves() and counters[INCUMBENT] == NONE and MAX_TOTAL < following < UNREACHABLE:
                return HUGE_COST
            if counters[ITERATE] == 0 or following >= UNREACHABLE:
                return EXHAUSTED
            if following > MAX_TOTAL:
                return HUGE_COST
            counters[THRESHOLD] = counters[BOUND] = following
            counters[FOLLOWING] = NONE
            counters[ROOT] = 0
        f = memory.root_h[unsigned(counters[ROOT])]
        if f <= counters[THRESHOLD]:
            for i in range(memory.state.shape[0]):
                memory.state[unsigned(i)] = memory.roots[unsigned(counters[ROOT]), unsigned(i)]
            return PAUSED
        counters[FOLLOWING] = min(counters[FOLLOWING], f)


@kernel(inline=True)
def _last(records: np.ndarray, depth: Int) -> Int:
    """The move that led to the current state."""
    return as_move(records[(depth - unsigned(1)) << _TO_RECORD]) if depth > unsigned(0) else as_move(NO_MOVE)


@kernel(inline=True)
def _take_canonical(problem: Any, memory: Memory, child: np.ndarray) -> None:
    """Put the representative of the current state into the scratch space."""
    for i in range(memory.state.shape[0]):
        memory.child[unsigned(i)] = memory.state[unsigned(i)]
    problem._make_canonical(child)


@kernel
def _met_before(problem: Any, memory: Memory, table: StateTable, key: np.ndarray, child: np.ndarray, rest: Int) -> Any:
    """Whether this state was met at the same cost; if not, it is now."""
    counters = memory.counters
    _take_canonical(problem, memory, child)
    last = memory.child.shape[0]
    for i in range(last):
        key[unsigned(i)] = memory.child[unsigned(i)]
    key[unsigned(last)] = unsigned(counters[THRESHOLD] - rest)
    tag = table.tag(key)
    position = table.locate(key, tag)
    if table.number_at(position) >= 0:
        counters[DUPLICATES] += 1
        return True
    if counters[REMEMBER] == GROWING:
        table.insert(position, key, tag)
    return False


@kernel(inline=True)
def _learned_place(memory: Memory) -> Int:
    """The entry of the scratch state, or the one to overwrite for it: among a few places that with the least bound."""
    entries = unsigned(memory.keys.shape[0])
    first = (hash_of(memory.child) >> _TO_PLACE) & (entries - unsigned(1))
    best = first
    for step in range(_PLACES):
        place = (first + unsigned(step)) & (entries - unsigned(1))
        if _is_learned(memory, place):
            return place
        if memory.bounds[place] < memory.bounds[best]:
            best = place
    return best


@kernel(inline=True)
def _is_learned(memory: Memory, place: Int) -> Any:
    """Whether the entry is that of the scratch state."""
    same = 0
    for i in range(memory.child.shape[0]):
        same += memory.keys[place, unsigned(i)] == memory.child[unsigned(i)]
    return same == memory.child.shape[0] and memory.bounds[place] > 0


@kernel
def _is_known_to_exceed(problem: Any, memory: Memory, child: np.ndarray, depth: Int, rest: Int) -> Any:
    """Whether what was learned about this state cuts it."""
    _take_canonical(problem, memory, child)
    place = _learned_place(memory)
    if not _is_learned(memory, place) or memory.bounds[place] <= rest:
        return False
    memory.counters[DUPLICATES] += 1
    memory.least[depth] = memory.bounds[place] - rest
    return True


@kernel
def _learn(problem: Any, memory: Memory, child: np.ndarray, depth: Int, rest: Int, back: Int) -> None:
    """Remember what the finished search below a state proved about it; pass it on to the state before."""
    least = memory.least[depth]
    before = depth - unsigned(1)
    memory.least[before] = min(memory.least[before], least)
    if back != as_move(NO_MOVE):  # back at a cost of 1 or more, and from there more than may be spent there
        least = min(least, memory.records[(before << _TO_RECORD) + _REST] - rest + 2)
    _take_canonical(problem, memory, child)
    place = _learned_place(memory)
    for i in range(memory.child.shape[0]):
        memory.keys[place, unsigned(i)] = memory.child[unsigned(i)]
    memory.bounds[place] = min(rest + least, np.int64(UNREACHABLE))


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
        table_bytes: int = 0,
    ) -> None:
        self.engine = engine
        self.mode = mode
        if isinstance(mode, (IdaStarMode, LearningMode)):
            self.requires = ("apply", "is_goal", "lower_bound")
        if mode.maximises():
            self.requires = ("apply", "is_goal", "upper_bound")
        super().__init__(
            problem, start, options, mode=type(mode).__name__, threshold=threshold, remember=remember, table_bytes=table_bytes
        )
        self.proves_best = threshold is None or mode.is_exact()
        self.maximises = mode.maximises()
        bounds = self.root_bounds(mode)
        c = np.zeros(COUNTERS, np.int64)
        c[GENERATED] = len(self.roots)
        c[BOUND] = max(-bound for bound in bounds) if mode.maximises() else min(bounds)
        c[INCUMBENT] = NONE
        c[REMEMBER] = GROWING if remember else FROZEN
        c[FOLLOWING] = NONE
        c[BACK] = NO_MOVE
        c[MOVE] = problem._move_count()  # nothing to try before the first start is visited
        c[ROOT] = -1
        if mode.improves():
            c[THRESHOLD] = 0 if mode.maximises() else MAX_TOTAL
        elif threshold is None:  # the first iteration begins as any other
            c[ITERATE] = 1
            c[FOLLOWING] = min(bounds)
            c[ROOT] = len(self.roots) - 1
        else:
            c[THRESHOLD] = threshold
        width = self.roots.shape[1]
        entries = 1 << max(0, int(table_bytes // (8 * width + 8)).bit_length() - 1) if mode.learns() else 1
        slots = 64
        self.memory = Memory(
            state=self.roots[0].copy(),
            child=np.zeros(width, np.uint64),
            saved=np.zeros((1 if defines(problem, "undo") else slots, width), np.uint64),
            records=np.zeros(slots << int(_TO_RECORD), np.int64),
            roots=self.roots,
            root_h=np.array(bounds, np.int64),
            keys=np.zeros((entries, width), np.uint64),
            bounds=np.zeros(entries, np.int64),
            least=np.full(slots + 1 if mode.learns() else 1, NONE, np.int64),
            counters=c,
        )
        self.moves: tuple[int, ...] = ()
        self.table = state_table(1024 if mode.remembers() and remember else 1, width + 1)

    def arguments(self) -> tuple[Any, ...]:
        m = self.memory
        key = np.zeros(len(m.state) + 1, np.uint64)
        return (self.mode, m, self.table, key, self.view(m.state), self.view(m.child), self.view(m.saved))

    def advance(self, stop_at: int) -> int:
        """Search; when a better solution was found, keep it and look only for still better ones."""
        outcome = super().advance(stop_at)
        if not self.mode.improves():
            return outcome
        if self.counters[IMPROVED]:
            self.keep_solution()
        return FOUND if outcome == EXHAUSTED and self.counters[INCUMBENT] != NONE else outcome

    def keep_solution(self) -> None:
        """Note the current path, and lower the threshold below its cost, also in what the stack knows of it."""
        c = self.counters
        c[IMPROVED] = 0
        self.moves, self.first = self.current_moves(), int(c[ROOT])
        lowered = c[THRESHOLD] - ((-1 if self.mode.maximises() else 1) * c[INCUMBENT] - 1)
        c[THRESHOLD] -= lowered
        c[REST] -= lowered
        self.memory.records[int(_REST) :: 1 << int(_TO_RECORD)] -= lowered

    def current_moves(self) -> tuple[int, ...]:
        """The moves from the start to the current state."""
        moves = self.memory.records[: self.counters[DEPTH] << int(_TO_RECORD) : 1 << int(_TO_RECORD)]
        return tuple(moves.tolist())

    def enlarge(self, room: int | None) -> bool:
        """Enlarge the table, or freeze it when there is no room for that; else double the stack."""
        m = self.memory
        if self.mode.remembers() and self.counters[REMEMBER] == GROWING and not self.table.has_room(1):
            if self.enlarge_table(0, room) is None:
                self.counters[REMEMBER] = FROZEN
            return True
        self.memory = m = m._replace(records=enlarged(m.records, 2 * len(m.records)))
        if len(m.saved) > 1:
            self.memory = m = m._replace(saved=enlarged(m.saved, 2 * len(m.saved)))
        if self.mode.learns():
            self.memory = m._replace(least=enlarged(m.least, 2 * len(m.least)))
        return room is None or self.bytes() <= room

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        cost = int(self.counters[INCUMBENT])
        if cost == NONE:
            return None
        if self.mode.improves():
            return cost, self.moves
        self.first = int(self.counters[ROOT])
        return cost, self.current_moves()

    def save(self) -> Snapshot:
        header, arrays = super().save()
        return Snapshot({**header, "first": self.first}, {**arrays, "moves": np.array(self.moves, np.int64)})

    def take(self, snapshot: Snapshot) -> None:
        arrays = dict(snapshot.arrays)
        self.moves = tuple(arrays.pop("moves").tolist())
        self.first = snapshot.header["first"]
        super().take(Snapshot(snapshot.header, arrays))
