"""A*, and the searches that are A* with another f: the loop behind a_star, weighted_a_star, uniform_cost, zero_one_breadth_first.

    words       (3, W) uint64: the state being expanded, one of its children, scratch space; `rows` is the same memory in the
                states' dtype
    table       the states met, numbered
    g           (capacity,) int64: cost of the cheapest way found to each state
    parent      (capacity,) uint32: the state before it on that way;  move: the move between them
    closed      (capacity,) uint8: 1 once expanded with its present g; back to 0 when a cheaper way turns up (reopening)
    queue       the frontier, by f, then h: of equally promising states those that seem nearest to a goal come first
    h, f        lower bound of a state; g + h, raised to the parent's f where it is less (pathmax), so that f never falls.
                Weighted: g + w × h, rounded down. Uninformed: g
    incumbent   the cheapest goal met so far; its cost is an upper bound

The search ends when no f in the frontier is below the incumbent's cost, so it needs no consistent bound. With a weight w ≥ 1 the
incumbent then costs at most w times the optimum: of every cheapest solution a state is in the frontier at its least g (or it was
cut, when g + h reached the incumbent), and there f ≤ g + w × (optimum - g) ≤ w × optimum.

Sources: Hart, Nilsson and Raphael, IEEE Trans. Systems Science and Cybernetics 4 (1968); pathmax: L. Mérő, Artificial
Intelligence 23 (1984); weights: I. Pohl, Artificial Intelligence 1 (1970).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from bestfirst.checkpoint import Snapshot
from bestfirst.control import (
    EXHAUSTED,
    FOUND,
    FULL,
    HUGE_COST,
    NEGATIVE_COST,
    NOT_ZERO_ONE,
    PAUSED,
    RunOptions,
    run,
    takes_run_options,
)
from bestfirst.kernel import Int, as_move, kernel, unsigned
from bestfirst.operations import ILLEGAL, MAX_COST, MAX_TOTAL, NO_MOVE, UNREACHABLE, defines
from bestfirst.replay import cost_of
from bestfirst.result import Solution
from bestfirst.search.compiled import (
    BOUND,
    COUNTERS,
    DUPLICATES,
    EXPANDED,
    GENERATED,
    INCUMBENT,
    NONE,
    OWN,
    PRUNED,
    REOPENED,
    STOP_AT,
    path_type,
    search_mode,
)
from bestfirst.search.graph import TableSearch
from bestfirst.store import enlarged
from bestfirst.store.queues import BucketQueue, HeapQueue, bucket_queue, larger_queue
from bestfirst.store.state_table import StateTable, state_table

Ties = Literal["any", "lexicographic"]

GOAL = OWN  #: number of the incumbent goal state
ALL_TIES = OWN + 1  #: 1: expand also the states whose f equals the optimum
HIGHEST = OWN + 2  #: the largest f that the queue must have room for
STARTED = OWN + 3  #: 1 once the start is in the queue
CURRENT = OWN + 4  #: number of a state whose expansion was broken off for want of room, or -1
STEP = OWN + 5  #: the move to go on with there
CURRENT_F = OWN + 6
WALKING = OWN + 7  #: 1: the optimum is known, the second phase looks for the first path in move order
WALKED = OWN + 8  #: length of that path so far
ROOTS = OWN + 9  #: number of starts, which are the first states of the table
WEIGHT = OWN + 10  #: w = WEIGHT / WEIGHT_UNIT
NEAREST = OWN + 11  #: number of the first state with the least lower bound met so far
NEAREST_H = OWN + 12

WEIGHT_UNIT = 1 << 10
MAX_WEIGHT = 1 << 10

#: Bounds beyond it count as this much where they are multiplied by a weight: f may be too low, never too high.
_MAX_WEIGHTED = 1 << 40

# Values of `closed`; the last two are of the second phase.
_OPEN = np.uint8(0)
_CLOSED = np.uint8(1)
_ON_PATH = np.uint8(2)
_DEAD = np.uint8(3)  # no optimal solution goes through here

_ARRIVED = 2  # value of WALKING once that path is complete

_WALK_STEPS = 1 << 16

_ORDERS = 64  # values of h that buckets tell apart


_QUESTIONS = ("is_informed", "is_weighted", "is_zero_one", "maximises")

AStarMode = search_mode("AStarMode", _QUESTIONS, "is_informed")
WeightedMode = search_mode("WeightedMode", _QUESTIONS, "is_informed", "is_weighted")
UniformMode = search_mode("UniformMode", _QUESTIONS)
ZeroOneMode = search_mode("ZeroOneMode", _QUESTIONS, "is_zero_one")


class Memory(NamedTuple):
    """The working memory beside table and queue; shapes in the legend above."""

    words: np.ndarray
    g: np.ndarray
    parent: np.ndarray
    move: np.ndarray
    closed: np.ndarray
    counters: np.ndarray


@kernel
def search_best_first(problem: Any, mode: Any, memory: Memory, table: StateTable, queue: Any, rows: np.ndarray) -> Int:
    """Advance until the node budget is used up; see `control` for the outcomes. O(moves × W) an expansion, plus the queue."""
    words = memory.words
    counters = memory.counters
    moves = problem._move_count()
    stop_at = counters[STOP_AT]
    state = rows[0]
    child = rows[1]
    state_words = words[0]
    child_words = words[1]
    if stop_at > 0 and counters[STARTED] == 0:
        counters[STARTED] = 1
        for root in range(counters[ROOTS]):
            for i in range(words.shape[1]):
                state_words[unsigned(i)] = table.states[unsigned(root), unsigned(i)]
            h = problem._lower_bound(state) if mode.is_informed() else np.int64(0)
            if h < UNREACHABLE:
                queue.push(_weighted(mode, counters, h), h, root)
            if h < counters[NEAREST_H]:
                counters[NEAREST_H] = h
                counters[NEAREST] = root
            if counters[INCUMBENT] == NONE and problem._is_goal(state):
                counters[INCUMBENT] = 0
                counters[GOAL] = root
    while counters[GENERATED] < stop_at:
        number = counters[CURRENT]
        first_step = counters[STEP]
        f = counters[CURRENT_F]
        if number < 0:
            limit = counters[INCUMBENT] + counters[ALL_TIES]  # states with f below it are expanded
            if queue.size() == 0 or queue.lowest() >= limit:
                return EXHAUSTED if counters[INCUMBENT] == NONE else FOUND
            f = queue.lowest()
        if not table.has_room(moves) or not queue.has_room(f, moves):
            return FULL
        if number >= 0:
            counters[CURRENT] = -1
            counters[STEP] = 0
        else:
            number = queue.pop()
            if memory.closed[unsigned(number)] == _CLOSED:
                continue
            memory.closed[unsigned(number)] = _CLOSED
            counters[EXPANDED] += 1
            counters[BOUND] = max(counters[BOUND], min(_unweighted(mode, counters, f), counters[INCUMBENT]))
        for i in range(words.shape[1]):
            state_words[unsigned(i)] = table.states[unsigned(number), unsigned(i)]
        last = as_move(NO_MOVE)
        if number >= counters[ROOTS] and not problem._is_symmetric():
            last = as_move(memory.move[unsigned(number)])
        back = problem._back(last)
        for step in range(first_step, moves):
            move = as_move(step)
            if move == back or not problem._follows(state, last, move):
                continue
            for i in range(words.shape[1]):
                child_words[unsigned(i)] = state_words[unsigned(i)]
            cost = problem._apply(child, move)
            if cost < 0 or cost > MAX_COST:
                if cost == ILLEGAL:
                    continue
                return NEGATIVE_COST if cost < 0 else HUGE_COST
            if mode.is_zero_one() and cost > 1:
                return NOT_ZERO_ONE
            g = memory.g[unsigned(number)] + cost
            if g > MAX_TOTAL:
                return HUGE_COST
            problem._make_canonical(child)
            tag = table.tag(child_words)
            position = table.locate(child_words, tag)
            known = table.number_at(position)
            if known >= 0 and memory.g[unsigned(known)] <= g:
                counters[GENERATED] += 1
                counters[DUPLICATES] += 1
                continue
            h = problem._lower_bound(child) if mode.is_informed() else np.int64(0)
            child_f = max(f, g + _weighted(mode, counters, h))
            if (
                h >= UNREACHABLE
                or g + h >= counters[INCUMBENT] + counters[ALL_TIES]
                or child_f >= counters[INCUMBENT] + counters[ALL_TIES]
            ):
                counters[GENERATED] += 1
                counters[PRUNED] += 1
                continue
            if not queue.has_room(child_f, 1):
                counters[HIGHEST] = max(counters[HIGHEST], child_f)
                counters[CURRENT] = number
                counters[CURRENT_F] = f
                counters[STEP] = step
                return FULL
            counters[GENERATED] += 1
            if known < 0:
                known = table.insert(position, child_words, tag)
            elif memory.closed[unsigned(known)] == _CLOSED:
                memory.closed[unsigned(known)] = _OPEN
                counters[REOPENED] += 1
            memory.g[unsigned(known)] = g
            memory.parent[unsigned(known)] = number
            memory.move[unsigned(known)] = move
            if h < counters[NEAREST_H]:
                counters[NEAREST_H] = h
                counters[NEAREST] = known
            if h == 0 and g < counters[INCUMBENT] and problem._is_goal(child):
                counters[INCUMBENT] = g
                counters[GOAL] = known
            queue.push(child_f, h, known)
    return PAUSED


@kernel(inline=True)
def _weighted(mode: Any, counters: np.ndarray, h: Int) -> Int:
    """The share of the bound in f."""
    if mode.is_weighted() and h < UNREACHABLE:
        return min(h, _MAX_WEIGHTED) * counters[WEIGHT] // WEIGHT_UNIT
    return h


@kernel(inline=True)
def _unweighted(mode: Any, counters: np.ndarray, f: Int) -> Int:
    """What the optimum costs at least when all f in the frontier are at least `f`."""
    if mode.is_weighted():
        return -(-min(f, _MAX_WEIGHTED) * WEIGHT_UNIT // counters[WEIGHT])
    return f


@kernel
def walk_first_path(
    problem: Any, memory: Memory, table: StateTable, rows: np.ndarray, path: np.ndarray, trail: np.ndarray
) -> Int:
    """Find the lexicographically first optimal path among the states met, depth first.

    A step from a state with g to a known state with g + cost lies on a cheapest path to it; every state of every optimal
    solution is known with its least g, because all states with f up to the optimum were expanded. A state from which no goal
    was reached is marked, so each is entered once: O(states × moves × W) in all.

    path     (length, 2) int64: number of the state, next move to try there
    trail    (length, W) uint64: the state itself, which may differ from the one in the table by symmetry
    """
    words = memory.words
    counters = memory.counters
    moves = problem._move_count()
    state = rows[0]
    child = rows[1]
    for _ in range(_WALK_STEPS):
        depth = counters[WALKED]
        if depth < 0:
            return EXHAUSTED
        if depth + 1 == path.shape[0]:
            return FULL
        number = path[unsigned(depth), 0]
        for i in range(words.shape[1]):
            words[0, unsigned(i)] = trail[unsigned(depth), unsigned(i)]
        if memory.g[unsigned(number)] == counters[INCUMBENT] and problem._is_goal(state):
            counters[WALKING] = _ARRIVED
            return FOUND
        memory.closed[unsigned(number)] = _ON_PATH
        deeper = False
        for step in range(path[unsigned(depth), 1], moves):
            for i in range(words.shape[1]):
                words[1, unsigned(i)] = words[0, unsigned(i)]
            cost = problem._apply(child, as_move(step))
            if cost == ILLEGAL:
                continue
            for i in range(words.shape[1]):
                words[2, unsigned(i)] = words[1, unsigned(i)]
            problem._make_canonical(rows[2])
            known = table.number_at(table.locate(words[2], table.tag(words[2])))
            if known < 0 or memory.closed[unsigned(known)] >= _ON_PATH:
                continue
            if memory.g[unsigned(known)] == memory.g[unsigned(number)] + cost:
                path[unsigned(depth), 1] = step + 1
                path[unsigned(depth + 1), 0] = known
                path[unsigned(depth + 1), 1] = 0
                for i in range(words.shape[1]):
                    trail[unsigned(depth + 1), unsigned(i)] = words[1, unsigned(i)]
                deeper = True
                break
        if deeper:
            counters[WALKED] = depth + 1
        else:
            memory.closed[unsigned(number)] = _DEAD
            counters[WALKED] = depth - 1
    return PAUSED


class AStarSearch(TableSearch):
    """A* at work, in one of its modes."""

    kernel = search_best_first

    def __init__(
        self, engine: str, mode: Any, problem: Any, start: Any, options: RunOptions, ties: Ties = "any", weight: Any = 1
    ) -> None:
        if ties not in ("any", "lexicographic"):
            raise ValueError(f"ties must be 'any' or 'lexicographic', not {ties!r}")
        self.engine = engine
        self.mode = mode
        if mode.is_weighted():
            self.requires = ("apply", "is_goal", "lower_bound")
        super().__init__(problem, start, options, ties=ties, weight=weight)
        c = np.zeros(COUNTERS, np.int64)
        c[INCUMBENT] = c[NEAREST_H] = NONE
        c[CURRENT] = -1
        c[ALL_TIES] = ties == "lexicographic"
        c[WEIGHT] = weight * WEIGHT_UNIT
        bounds = self.root_bounds(mode)
        c[BOUND] = min(bounds)
        c[HIGHEST] = max([_weighted(mode, c, bound) for bound in bounds if bound < UNREACHABLE], default=0)
        capacity = 256 + problem._move_count() + len(self.roots)
        width = self.roots.shape[1]
        self.table = state_table(capacity, width)
        c[ROOTS] = c[GENERATED] = self.insert_roots()
        orders = _ORDERS if mode.is_informed() else 1
        lowest = int(_weighted(mode, c, int(c[BOUND])))
        self.queue: BucketQueue | HeapQueue = bucket_queue(lowest, 64, capacity, orders)
        if not self.queue.has_room(c[HIGHEST], len(self.roots)):
            self.queue = larger_queue(self.queue, int(c[HIGHEST]), len(self.roots))
        self.path = np.zeros((64, 2), np.int64)
        self.trail = np.zeros((64, width), np.uint64)
        self.memory = Memory(
            words=np.zeros((3, width), np.uint64),
            g=np.zeros(capacity, np.int64),
            parent=np.zeros(capacity, np.uint32),
            move=np.zeros(capacity, path_type(problem)),
            closed=np.zeros(capacity, np.uint8),
            counters=c,
        )

    def advance(self, stop_at: int) -> int:
        """Search; then, for the lexicographic tie rule, walk from each start that an optimal solution may come from."""
        c = self.counters
        if not c[WALKING]:
            outcome = super().advance(stop_at)
            if outcome == FOUND and self.mode.is_weighted():
                c[BOUND] = max(c[BOUND], _unweighted(self.mode, c, c[INCUMBENT]))
                self.proves_best = bool(c[BOUND] == c[INCUMBENT])
            if outcome != FOUND or not c[ALL_TIES]:
                return outcome
            c[WALKING] = 1
            self.begin_walk()
        outcome = self.call(walk_first_path, self.memory, self.table, self.view(self.memory.words), self.path, self.trail)
        if outcome == EXHAUSTED:  # no optimal solution from this start
            self.first += 1
            self.begin_walk()
            return PAUSED
        return outcome

    def begin_walk(self) -> None:
        """Put the walk at its start."""
        self.counters[WALKED] = 0
        self.path[0] = (self.first, 0)
        self.trail[0] = self.roots[self.first]

    def arguments(self) -> tuple[Any, ...]:
        return (self.mode, self.memory, self.table, self.queue, self.view(self.memory.words))

    def bytes(self) -> int:
        arrays: list[np.ndarray] = [*self.queue, self.path, self.trail]
        return super().bytes() + sum(array.nbytes for array in arrays)

    def enlarge(self, room: int | None) -> bool:
        moves = self.problem._move_count()
        m = self.memory
        if self.counters[WALKING]:
            self.path = enlarged(self.path, 2 * len(self.path))
            self.trail = enlarged(self.trail, len(self.path))
        elif not self.table.has_room(moves):
            by_state = ("g", "parent", "move", "closed")
            rows = self.enlarge_table(sum(getattr(m, name).itemsize for name in by_state), room)
            if rows is None:
                return False
            self.memory = m._replace(**{name: enlarged(getattr(m, name), rows) for name in by_state})
        else:
            smaller, self.queue = self.queue, larger_queue(self.queue, int(self.counters[HIGHEST]), moves)
            if room is not None and self.bytes() > room:
                self.queue = smaller
                return False
        return room is None or self.bytes() <= room

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        cost = int(self.counters[INCUMBENT])
        if cost == NONE:
            return None
        if self.counters[WALKING] == _ARRIVED:
            steps = self.path[: self.counters[WALKED], 1]
            return cost, tuple(int(step) - 1 for step in steps)
        moves = self.path_to(int(self.counters[GOAL]))
        # Stopped early, a state on the way may have been reopened: its new cost is not yet passed on to the goal.
        return cost_of(self.problem, self.start[self.first], moves), moves

    def nearest(self) -> tuple[Any, ...] | None:
        if not self.mode.is_informed() or not defines(self.problem, "lower_bound") or self.counters[NEAREST_H] >= UNREACHABLE:
            return None
        return self.path_to(int(self.counters[NEAREST]))

    def save(self) -> Snapshot:
        header, arrays = super().save()
        queue = {f"queue_{name}": array for name, array in self.queue._asdict().items()}
        kind = {"queue": type(self.queue).__name__, "first": self.first}
        return Snapshot({**header, **kind}, {**arrays, **queue, "path": self.path, "trail": self.trail})

    def take(self, snapshot: Snapshot) -> None:
        arrays = dict(snapshot.arrays)
        self.path, self.trail = arrays.pop("path"), arrays.pop("trail")
        self.first = snapshot.header["first"]
        kind = HeapQueue if snapshot.header["queue"] == "HeapQueue" else BucketQueue
        self.queue = kind(**{name: arrays.pop(f"queue_{name}") for name in kind._fields})
        super().take(Snapshot(snapshot.header, arrays))


@takes_run_options
def a_star(problem: Any, start: Any, *, ties: Ties = "any", **options: Unpack[RunOptions]) -> Solution:
    """Find a cheapest solution by expanding states in order of cost so far plus lower bound.

    Requires: apply, is_goal. Any costs of 0 or more.
    Uses: lower_bound (admissible; states are reopened, so it need not be consistent; without one this is uniform-cost search),
    inverse, follows, canonical.

    `start`: a state, or a list of states; `solution.start` tells from which one the solution comes.
    `ties="lexicographic"`: the lexicographically first of the cheapest solutions in move order (of the first start that has one),
    at the price of expanding every state whose f equals the optimum.

    When no goal can be reached, or none was found, `solution.nearest` leads to a state whose bound is least.

    Of equal f the state with the smaller bound is expanded first, of those the one met last.

    Time O(expansions × moves). While f spans less than 2^14 values the frontier is kept in buckets, O(1), which count all bounds
    from 63 on as equal; beyond, in a heap, O(log n). Memory W × 8 + 30 to
    W × 8 + 70 bytes a state (W words of 64 bits), by how full the arrays are; `stats.peak_bytes` tells.

    Raises TypeError for a missing operation or a start of the wrong form, CostError for a negative or huge cost,
    Interrupted on Ctrl-C.
    """
    return run(AStarSearch("a_star", AStarMode(), problem, start, options, ties), options)
