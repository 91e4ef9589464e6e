"""Breadth-first search from both ends: fewest moves, half as deep on either side.

side      as in `both_ends`; its table of the states met, in the order in which they were met, is also its queue
pair      the two states in `Memory.words`, in the states' dtype
F, B      how many whole layers the two sides have grown; c: the cost of every move

**Why the first meeting is a best one.** A side that has grown F layers knows exactly the states at most F moves from its end.
As long as no state is known to both sides, every solution has more than F + B moves: of one with L ≤ F + B moves, the state
after min(L, F) moves would be known to both. While the forward side grows its next layer, a state new to it has distance
F + 1; if the backward side knows it, at a distance b ≤ B, then there is a solution of F + 1 + b moves, which must be more than
F + B. So b = B, and F + B + 1 moves are the least that are possible – whichever state of the layer is the first to meet. The same
holds for the backward side. This is also the proved bound while the search runs: (F + B + 1) c. When a side has nothing left to
grow from, its states are all that can be reached, and none of them is known to the other side: there is no solution.

**Why unequal costs cannot hide a better solution.** Any solution has at least F + B + 1 moves. Its first F and its last B were
all tried, and so are, before the answer is given, those from the rest of the layer being grown: F + B + 1 different moves of
the solution that cost c each.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

import numpy as np

from bestfirst.control import (
    EXHAUSTED,
    FOUND,
    FULL,
    HUGE_COST,
    NEGATIVE_COST,
    PAUSED,
    UNEVEN_COST,
    RunOptions,
    run,
    takes_run_options,
)
from bestfirst.kernel import Int, as_move, kernel, unsigned
from bestfirst.operations import ILLEGAL, MAX_COST, MAX_TOTAL, NO_MOVE
from bestfirst.result import Solution
from bestfirst.search.both_ends import (
    BACKWARD,
    FORWARD,
    GROWING,
    MET_BACKWARD,
    MET_FORWARD,
    BothEndsSearch,
    Memory,
    ends_known,
    larger_side,
)
from bestfirst.search.compiled import (
    BOUND,
    DEPTH,
    DUPLICATES,
    EXPANDED,
    GENERATED,
    INCUMBENT,
    NONE,
    STOP_AT,
)
from bestfirst.search.layers import UNIT, VERIFIED, verify_costs
from bestfirst.store.state_table import StateTable

# Places in `numbers` of a Side.
_HEAD = 0  # number of the next state to expand
_LAYER_END = 1  # the states from _HEAD to here are the rest of the layer

#: Between two layers; an outcome that the kernel keeps to itself.
_GROWN = 100


class Side(NamedTuple):
    """The states met from one end; numbers (2,) int64, the rest in the legend above."""

    table: StateTable
    parent: np.ndarray
    move: np.ndarray
    numbers: np.ndarray


@kernel
def search_both_sides(problem: Any, reverse: Any, memory: Memory, forward: Side, backward: Side, pair: np.ndarray) -> Int:
    """Advance until the node budget is used up; see `control` for the outcomes. The smaller layer is grown."""
    counters = memory.counters
    while counters[INCUMBENT] == NONE:
        if counters[GROWING] == FORWARD:
            outcome = grow_layer(problem, memory, forward, backward, pair)
        else:
            outcome = grow_layer(reverse, memory, backward, forward, pair)
        if outcome == FOUND:
            break
        if outcome != _GROWN:
            return outcome
        ahead = forward.numbers[_LAYER_END] - forward.numbers[_HEAD]
        behind = backward.numbers[_LAYER_END] - backward.numbers[_HEAD]
        counters[GROWING] = FORWARD if ahead <= behind else BACKWARD
    if counters[GROWING] == FORWARD:
        return verify_costs(problem, memory.words, forward.table, pair, counters, forward.numbers[_LAYER_END])
    return verify_costs(reverse, memory.words, backward.table, pair, counters, backward.numbers[_LAYER_END])


@kernel
def grow_layer(problem: Any, memory: Memory, side: Side, other: Side, pair: np.ndarray) -> Int:
    """Expand the rest of a layer of `side`, until a state is known to `other`. O(moves × W) an expansion."""
    words = memory.words
    counters = memory.counters
    table = side.table
    moves = problem._move_count()
    state = pair[0]
    child = pair[1]
    state_words = words[0]
    child_words = words[1]
    outcome = PAUSED
    stop_at = counters[STOP_AT]
    generated = counters[GENERATED]
    duplicates = counters[DUPLICATES]
    head = side.numbers[_HEAD]
    layer_end = side.numbers[_LAYER_END]
    before = head
    while generated < stop_at:
        if head == layer_end:
            if table.used[0] == layer_end:
                outcome = EXHAUSTED
                break
            side.numbers[_LAYER_END] = table.used[0]
            counters[DEPTH] += 1
            counters[BOUND] += counters[UNIT]
            outcome = HUGE_COST if counters[BOUND] > MAX_TOTAL else _GROWN
            break
        if not table.has_room(moves):
            outcome = FULL
            break
        for i in range(words.shape[1]):
            state_words[unsigned(i)] = table.states[unsigned(head), unsigned(i)]
        last = as_move(NO_MOVE) if side.parent[unsigned(head)] == head else as_move(side.move[unsigned(head)])
        back = problem._back(last)
        for step in range(moves):
            move = as_move(step)
            if move == back or not problem._follows(state, last, move):
                continue
            for i in range(words.shape[1]):
                child_words[unsigned(i)] = state_words[unsigned(i)]
            cost = problem._apply(child, move)
            if cost == ILLEGAL:
                continue
            if cost != counters[UNIT] or cost > MAX_COST:
                if cost < 0 or cost > MAX_COST or counters[UNIT] != NONE:
                    outcome = NEGATIVE_COST if cost < 0 else HUGE_COST if cost > MAX_COST else UNEVEN_COST
                    break
                counters[UNIT] = cost
                counters[BOUND] = cost
            generated += 1
            tag = table.tag(child_words)
            position = table.locate(child_words, tag)
            if table.number_at(position) >= 0:
                duplicates += 1
                continue
            number = table.insert(position, child_words, tag)
            side.parent[unsigned(number)] = head
            side.move[unsigned(number)] = move
            met = other.table.number_at(other.table.locate(child_words, tag))
            if met >= 0:
                counters[INCUMBENT] = counters[BOUND]
                counters[MET_FORWARD] = number if counters[GROWING] == FORWARD else met
                counters[MET_BACKWARD] = met if counters[GROWING] == FORWARD else number
                counters[VERIFIED] = head
                head += 1  # this state counts as expanded
                outcome = FOUND
                break
        if outcome != PAUSED:
            break
        head += 1
    counters[GENERATED] = generated
    counters[EXPANDED] += head - before
    counters[DUPLICATES] = duplicates
    side.numbers[_HEAD] = head
    return outcome


class BidirectionalSearch(BothEndsSearch):
    """Breadth-first search from both ends at work."""

    engine = "bidirectional_breadth_first"
    kernel = search_both_sides

    def __init__(self, problem: Any, start: Any, goals: Any, reverse: Any, options: RunOptions) -> None:
        super().__init__(problem, start, goals, reverse, options)
        self.counters[UNIT] = NONE
        self.sides = [new_side(problem, self.roots), new_side(self.reverse, self.goals)]

    def enlarge(self, room: int | None) -> bool:
        growing = int(self.counters[GROWING])
        side = larger_side(self.sides[growing], ("parent", "move"), self.bytes(), room)
        if side is None:
            return False
        self.sides[growing] = side
        return True


def new_side(problem: Any, ends: np.ndarray) -> Side:
    """A side that knows its ends and has not grown."""
    return Side(*ends_known(problem, ends), np.array([0, len(ends)], np.int64))


@takes_run_options
def bidirectional_breadth_first(
    problem: Any, start: Any, goals: Any, *, reverse: Any = None, **options: Unpack[RunOptions]
) -> Solution:
    """Find a solution with the fewest moves by growing layers of states from the start and from the goals until they meet.

    Requires: apply, and one of
    * inverse: every move can be taken back, by `inverse(move)` – then the moves lead backward as well as forward; or
    * `reverse`, a problem on the same states whose moves lead from a state to each of those before it: move `m` takes the move
      `m` back, or, where a move leads to a state from several, the moves are numbered as you like.
    All moves cost the same, in both directions. Uses: follows, and inverse of `reverse`.

    goals   one state or several (a list, or a 2-D array with one in each row), of the form of the start. They alone are the
            goals; `is_goal` is not asked, so that any state can be a target.

    The side whose layer is smaller is grown. Which of several best solutions is found is determined, but it need not be the first
    in move order. With b moves a state and a solution of d moves, about 2 b^(d/2) states are met instead of b^d; where a space is
    not much wider in the middle than at the goals, `breadth_first` does as well. A `reverse` that leaves moves out can hide the
    best solution; a sample of moves from both ends, and those of the solution, are compared.

    Time O(states × moves). Memory as for `breadth_first`, on each side.

    Raises TypeError or ValueError for a missing operation or for a start or goal of the wrong form, CostError for unequal costs,
    BrokenProblem when a move is seen that is not taken back, Interrupted on Ctrl-C.
    Sources: I. Pohl, Bi-directional search, Machine Intelligence 6 (1971).
    """
    return run(BidirectionalSearch(problem, start, goals, reverse, options), options)
