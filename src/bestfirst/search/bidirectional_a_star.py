"""A* from both ends: near-optimal bidirectional search (NBS), for a cheapest solution at any costs and with a bound on each side.

side     as in `both_ends`, forward and backward; for each state met from its end
         g      (capacity,) int64: cost of the cheapest way found between it and the end
         stage  (capacity,) uint8: WAITING, READY, or CLOSED once expanded with its present g
         waiting, ready   queues of the open states: those with f > B by f, the others by g
h, f     lower bound of the way on, from a state to a goal or, on the backward side, from a start to it; g + h
B        the proved bound, `counters[BOUND]`: no solution costs less;  U: the incumbent's cost
pair     the two states in `Memory.words`, in the states' dtype

While a cheapest solution costs C < U, some open state u of the forward side and some v of the backward one have f(u), f(v) ≤ C
and g(u) + g(v) ≤ C: on a cheapest solution take the first state that the forward side has not expanded at its least g and the
last one that the backward side has not; when they come in the other order, a state between them is known to both sides at its
least g, and U = C already. So B may rise to the least of max(f(u), f(v), g(u) + g(v)) over all pairs. A pair that does not exceed
B is expanded on both sides: with consistent bounds a search from either end or both that is not told more must expand one of
the two, and so at most twice as many states are expanded as the least possible before B = C. The search ends when B ≥ U, or when
a side has no open state left. A state is opened again whenever a cheaper way to it turns up: no bound need be consistent.

Where `follows` leaves out one order of two moves, the same holds: were the sum of the least open g above C on all cheapest
solutions, each of their states would be expanded by the forward side or by the backward one; so a step between the two kinds was
left out, and the other order of its moves has such a step too, earlier on the way or by a later move. There is a last one.

Source: J. Chen, R. C. Holte, S. Zilles and N. R. Sturtevant, Front-to-End Bidirectional Heuristic Search with Near-Optimal Node
Expansions, IJCAI 2017. There, states with f = B are made ready one by one; here all at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

import numpy as np

from bestfirst.checkpoint import Snapshot
from bestfirst.control import EXHAUSTED, FOUND, FULL, HUGE_COST, NEGATIVE_COST, PAUSED, RunOptions, run, takes_run_options
from bestfirst.kernel import Int, as_move, exact, interpreting, kernel, unsigned
from bestfirst.operations import ILLEGAL, MAX_COST, MAX_TOTAL, NO_MOVE, UNREACHABLE, problem_name
from bestfirst.replay import cost_of
from bestfirst.result import Solution
from bestfirst.search.both_ends import (
    BACKWARD,
    FORWARD,
    GROWING,
    MET_BACKWARD,
    MET_FORWARD,
    OWN_OF_BOTH_ENDS,
    BothEndsSearch,
    Memory,
    ends_known,
    larger_side,
)
from bestfirst.search.compiled import (
    BOUND,
    DUPLICATES,
    EXPANDED,
    GENERATED,
    INCUMBENT,
    NONE,
    PRUNED,
    REOPENED,
    STOP_AT,
    search_mode,
)
from bestfirst.store.queues import BucketQueue, HeapQueue, as_heap, bucket_queue, heap_queue, larger_queue
from bestfirst.store.state_table import StateTable

CURRENT = OWN_OF_BOTH_ENDS  #: number of a state whose expansion was broken off for want of room, or -1
STEP = OWN_OF_BOTH_ENDS + 1  #: the move to go on with there
HIGHEST = OWN_OF_BOTH_ENDS + 2  #: the largest key that the queues must have room for

# Values of `stage`.
_WAITING = np.uint8(0)
_READY = np.uint8(1)
_CLOSED = np.uint8(2)

#: Larger keys are a heap's work. When the bound rises, the lowest g that is ready may fall, and buckets are walked anew.
_MAX_BUCKETS = 1 << 14

_BY_STATE = ("parent", "move", "g", "stage")

InformedSide = search_mode("InformedSide", ("is_informed",), "is_informed")
UninformedSide = search_mode("UninformedSide", ("is_informed",))


class Side(NamedTuple):
    """The states met from one end; shapes in the legend above."""

    table: StateTable
    parent: np.ndarray
    move: np.ndarray
    g: np.ndarray
    stage: np.ndarray
    waiting: Any
    ready: Any


@kernel
def search_both_sides(
    problem: Any, mode: Any, reverse: Any, back_mode: Any, memory: Memory, forward: Side, backward: Side, pair: np.ndarray
) -> Int:
    """Advance until the node budget is used up; see `control` for the outcomes. Of each pair the forward state comes first."""
    counters = memory.counters
    outcome = PAUSED
    while outcome == PAUSED and counters[GENERATED] < counters[STOP_AT]:
        if counters[GROWING] == FORWARD:
            if counters[CURRENT] < 0:
                outcome = find_pair(counters, forward, backward)
                if outcome != PAUSED:
                    break
            outcome = expand(problem, mode, memory, forward, backward, pair)
        else:
            outcome = expand(reverse, back_mode, memory, backward, forward, pair)
        if outcome == PAUSED:
            counters[GROWING] = BACKWARD if counters[GROWING] == FORWARD else FORWARD
    return outcome


@kernel
def find_pair(counters: np.ndarray, forward: Side, backward: Side) -> Int:
    """Raise the bound until the first states that are ready make a pair within it. Amortised O(1) or O(log states) a state."""
    while counters[BOUND] < counters[INCUMBENT]:
        bound = counters[BOUND]
        if not make_ready(forward, bound) or not make_ready(backward, bound):
            counters[HIGHEST] = max(counters[HIGHEST], bound)
            return FULL
        lowest = np.int64(NONE)
        if forward.ready.size() > 0 and backward.ready.size() > 0:
            lowest = forward.ready.lowest() + backward.ready.lowest()
        if lowest <= bound:
            return PAUSED
        if forward.waiting.size() > 0:
            lowest = min(lowest, forward.waiting.lowest())
        elif forward.ready.size() == 0:
            break
        if backward.waiting.size() > 0:
            lowest = min(lowest, backward.waiting.lowest())
        elif backward.ready.size() == 0:
            break
        counters[BOUND] = lowest
    if counters[INCUMBENT] == NONE:
        return EXHAUSTED
    counters[BOUND] = counters[INCUMBENT]
    return FOUND


@kernel
def make_ready(side: Side, bound: Int) -> Any:
    """Move all states with f up to the bound from `waiting` to `ready`, whose top is then no outdated entry; False: no room."""
    while side.waiting.size() > 0 and side.waiting.lowest() <= bound:
        if not side.ready.has_room(bound, 1):  # g ≤ f ≤ bound
            return False
        number = side.waiting.pop()
        if side.stage[unsigned(number)] == _WAITING:
            side.stage[unsigned(number)] = _READY
            side.ready.push(side.g[unsigned(number)], 0, number)
    while side.ready.size() > 0:
        number = side.ready.top()
        if side.stage[unsigned(number)] == _READY and side.g[unsigned(number)] == side.ready.lowest():
            break
        side.ready.pop()
    return True


@kernel
def expand(problem: Any, mode: Any, memory: Memory, side: Side, other: Side, pair: np.ndarray) -> Int:
    """Expand the first state that is ready; PAUSED when that is done. O(moves × W), plus the queues."""
    words = memory.words
    counters = memory.counters
    table = side.table
    moves = problem._move_count()
    state = pair[0]
    child = pair[1]
    state_words = words[0]
    child_words = words[1]
    bound = counters[BOUND]
    if not table.has_room(moves) or not side.waiting.has_room(bound, moves) or not side.ready.has_room(bound, moves):
        counters[HIGHEST] = max(counters[HIGHEST], bound)
        return FULL
    number = counters[CURRENT]
    first_step = counters[STEP]
    if number >= 0:
        counters[CURRENT] = -1
        counters[STEP] = 0
    else:
        number = side.ready.pop()
        side.stage[unsigned(number)] = _CLOSED
        counters[EXPANDED] += 1
    for i in range(words.shape[1]):
        state_words[unsigned(i)] = table.states[unsigned(number), unsigned(i)]
    last = as_move(NO_MOVE) if side.parent[unsigned(number)] == number else as_move(side.move[unsigned(number)])
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
        g = side.g[unsigned(number)] + cost
        if g > MAX_TOTAL:
            return HUGE_COST
        tag = table.tag(child_words)
        position = table.locate(child_words, tag)
        known = table.number_at(position)
        if known >= 0 and side.g[unsigned(known)] <= g:
            counters[GENERATED] += 1
            counters[DUPLICATES] += 1
            continue
        h = max(problem._lower_bound(child), np.int64(0)) if mode.is_informed() else np.int64(0)
        if h >= UNREACHABLE or g + h >= counters[INCUMBENT]:
            counters[GENERATED] += 1
            counters[PRUNED] += 1
            continue
        if g + h > bound and not side.waiting.has_room(g + h, 1):
            counters[HIGHEST] = max(counters[HIGHEST], g + h)
            counters[CURRENT] = number
            counters[STEP] = step
            return FULL
        counters[GENERATED] += 1
        if known < 0:
            known = table.insert(position, child_words, tag)
        elif side.stage[unsigned(known)] == _CLOSED:
            counters[REOPENED] += 1
        side.g[unsigned(known)] = g
        side.parent[unsigned(known)] = number
        side.move[unsigned(known)] = move
        if g + h > bound:
            side.stage[unsigned(known)] = _WAITING
            side.waiting.push(g + h, 0, known)
        else:
            side.stage[unsigned(known)] = _READY
            side.ready.push(g, 0, known)
        met = other.table.number_at(other.table.locate(child_words, tag))
        if met >= 0 and g + other.g[unsigned(met)] < counters[INCUMBENT]:
            counters[INCUMBENT] = g + other.g[unsigned(met)]
            counters[MET_FORWARD] = known if counters[GROWING] == FORWARD else met
            counters[MET_BACKWARD] = met if counters[GROWING] == FORWARD else known
    return PAUSED


class BidirectionalAStarSearch(BothEndsSearch):
    """NBS at work."""

    engine = "bidirectional_a_star"
    kernel = search_both_sides

    def __init__(self, problem: Any, start: Any, goals: Any, reverse: Any, options: RunOptions) -> None:
        super().__init__(problem, start, goals, reverse, options)
        self.mode = InformedSide()
        # The problem's own bound leads to the goals; backward it says nothing.
        self.back_mode = UninformedSide() if reverse is None else InformedSide()
        ahead = self.bounds_of(problem, self.roots)
        behind = self.bounds_of(self.reverse, self.goals) if self.back_mode.is_informed() else [0] * len(self.goals)
        self.require_zero(problem, self.goals, "goal")
        if self.back_mode.is_informed():
            self.require_zero(self.reverse, self.roots, "start")
        c = self.counters
        c[CURRENT] = -1
        c[BOUND] = max(bound for bound in (0, min(ahead), min(behind)) if bound < UNREACHABLE)
        c[HIGHEST] = max([bound for bound in ahead + behind if bound < UNREACHABLE], default=0)
        self.sides = [
            new_side(problem, self.roots, ahead, int(c[HIGHEST])),
            new_side(self.reverse, self.goals, behind, int(c[HIGHEST])),
        ]

    def bounds_of(self, problem: Any, states: np.ndarray) -> list[int]:
        """The lower bounds of states, computed in the interpreter; less than 0 says no more than 0."""
        with interpreting():
            return [max(0, int(exact(problem)._lower_bound(exact(self.view(words.copy()))))) for words in states]

    def require_zero(self, problem: Any, ends: np.ndarray, end: str) -> None:
        """Raise ValueError when the bound is not one for the ways to these ends."""
        wrong = max(self.bounds_of(problem, ends))
        if wrong > 0:
            raise ValueError(
                f"lower_bound of {problem_name(problem)} is {wrong} at a {end}, where it must be 0: "
                f"it has to be a bound for the ways to each {end} that is given"
            )

    def arguments(self) -> tuple[Any, ...]:
        return (self.mode, self.reverse, self.back_mode, self.memory, *self.sides, self.view(self.memory.words))

    def enlarge(self, room: int | None) -> bool:
        highest = int(self.counters[HIGHEST])
        if highest >= _MAX_BUCKETS:
            self.use_heaps()
        for k, problem in enumerate((self.problem, self.reverse)):
            moves = problem._move_count()
            if not self.sides[k].table.has_room(moves):
                side = larger_side(self.sides[k], _BY_STATE, self.bytes(), room)
                if side is None:
                    return False
                self.sides[k] = side
            for name in ("waiting", "ready"):
                queue = getattr(self.sides[k], name)
                if not queue.has_room(highest, moves):
                    self.sides[k] = self.sides[k]._replace(**{name: larger_queue(queue, highest, moves)})
        return room is None or self.bytes() <= room

    def use_heaps(self) -> None:
        """Turn all buckets into heaps: the kernel is compiled for queues of one kind."""
        for k, side in enumerate(self.sides):
            if isinstance(side.ready, BucketQueue):
                heaps = {name: as_heap(getattr(side, name), len(getattr(side, name).node)) for name in ("waiting", "ready")}
                self.sides[k] = side._replace(**heaps)

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        found = super().best()
        if found is None or self.counters[BOUND] >= found[0]:
            return found
        # Stopped early, a state on the way may have been reopened: its new cost is not yet passed on to the meeting.
        cost, moves = found
        return min(cost, cost_of(self.problem, self.start[self.root()], moves)), moves

    def save(self) -> Snapshot:
        header, arrays = super().save()
        return Snapshot({**header, "queue": type(self.sides[FORWARD].ready).__name__}, arrays)

    def take(self, snapshot: Snapshot) -> None:
        if snapshot.header["queue"] == HeapQueue.__name__:
            self.use_heaps()
        super().take(snapshot)


def new_side(problem: Any, ends: np.ndarray, bounds: list[int], highest: int) -> Side:
    """A side that knows its ends, which are open with these bounds; its queues have room for keys up to `highest`."""
    table, parent, move = ends_known(problem, ends)
    capacity = len(parent)
    queues: list[BucketQueue | HeapQueue] = []
    for _ in range(2):
        buckets = max(64, 1 << highest.bit_length())
        queues.append(bucket_queue(0, buckets, capacity) if highest < _MAX_BUCKETS else heap_queue(capacity))
    waiting, ready = queues
    with interpreting():
        for number, bound in enumerate(bounds):
            if bound < UNREACHABLE:
                exact(waiting).push(bound, 0, number)
    return Side(table, parent, move, np.zeros(capacity, np.int64), np.full(capacity, _WAITING), waiting, ready)


@takes_run_options
def bidirectional_a_star(problem: Any, start: Any, goals: Any, *, reverse: Any = None, **options: Unpack[RunOptions]) -> Solution:
    """Find a cheapest solution by searching from the start and from the goals, with a lower bound on each side.

    Requires: apply, and one of
    * inverse: every move can be taken back at the same cost, by `inverse(move)` – then the moves lead backward as well, and the
      backward side has no bound; or
    * `reverse`, a problem on the same states whose moves lead from a state to each of those before it, at the same cost: move `m`
      takes the move `m` back, or, where a move leads to a state from several, the moves are numbered as you like. Its
      `lower_bound` is never more than the least cost from a start to the state.
    Any costs of 0 or more. Uses: lower_bound (admissible, for the goals given here; states are reopened, so it need not be
    consistent; without any this is Dijkstra's algorithm from both ends), follows, and inverse of `reverse`.

    goals   one state or several (a list, or a 2-D array with one in each row), of the form of the start. They alone are the
            goals; `is_goal` is not asked, so that any state can be a target.

    Neither is `canonical`: of two states that are alike one may be a goal here and the other not. Which of several cheapest
    solutions is found is determined, but it need not be the first in move order. A `reverse` that leaves moves out can hide the
    cheapest solution; a sample of moves from both ends, and those of the solution, are compared.

    Until the bound reaches the optimum, at most twice as many states are expanded as by the best possible choice of what to
    expand from either end with the same bounds, if these are consistent. That may be more than a_star expands with a good bound.
    Time O(expansions × moves); while costs stay below 2^14 the queues are buckets, O(1), beyond heaps, O(log n). Memory
    W × 8 + 40 to W × 8 + 100 bytes a state and side (W words of 64 bits).

    Raises TypeError or ValueError for a missing operation, a start or goal of the wrong form, or a bound that is not 0 at an end;
    CostError for a negative or huge cost, BrokenProblem when a move is seen that is not taken back at its cost, Interrupted on
    Ctrl-C.
    Source: J. Chen, R. C. Holte, S. Zilles and N. R. Sturtevant, IJCAI 2017.
    """
    return run(BidirectionalAStarSearch(problem, start, goals, reverse, options), options)
