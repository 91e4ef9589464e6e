"""Breadth-first search: fewest moves, every state once.

words     (2, W) uint64: the state being expanded and one of its children; `pair` is the same memory in the states' dtype
table     the states met, numbered in the order in which they were met – which is the order in which they are expanded,
          so that the table is the queue as well
parent    (capacity,) uint32: number of the state from which a state was first reached;  move: the move that did it
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
    path_type,
)
from bestfirst.search.graph import TableSearch
from bestfirst.search.layers import OWN_OF_LAYERS, UNIT, VERIFIED, verify_costs
from bestfirst.store import enlarged
from bestfirst.store.state_table import StateTable, state_table

HEAD = OWN_OF_LAYERS  #: number of the next state to expand
LAYER_END = OWN_OF_LAYERS + 1  #: the states from HEAD to here have depth DEPTH
GOAL = OWN_OF_LAYERS + 2  #: number of the goal state
STARTED = OWN_OF_LAYERS + 3  #: 1: the starts were tested for being goals
ROOTS = OWN_OF_LAYERS + 4  #: number of starts, which are the first states of the table


class Memory(NamedTuple):
    """The working memory beside the table; shapes in the legend above."""

    words: np.ndarray
    parent: np.ndarray
    move: np.ndarray
    counters: np.ndarray


@kernel
def search_layers(problem: Any, memory: Memory, table: StateTable, pair: np.ndarray) -> Int:
    """Advance until the node budget is used up; see `control` for the outcomes. O(moves × W) an expansion."""
    words = memory.words
    counters = memory.counters
    moves = problem._move_count()
    stop_at = counters[STOP_AT]
    state = pair[0]
    child = pair[1]
    state_words = words[0]
    child_words = words[1]
    if stop_at > 0 and counters[STARTED] == 0:
        counters[STARTED] = 1
        for root in range(counters[ROOTS]):
            for i in range(words.shape[1]):
                state_words[unsigned(i)] = table.states[unsigned(root), unsigned(i)]
            if problem._is_goal(state):
                counters[INCUMBENT] = 0
                counters[GOAL] = root
                return FOUND
    outcome = PAUSED
    generated = counters[GENERATED]
    duplicates = counters[DUPLICATES]
    head = counters[HEAD]
    while generated < stop_at:
        if head == counters[LAYER_END]:
            if head == table.used[0]:
                outcome = EXHAUSTED
                break
            counters[LAYER_END] = table.used[0]
            counters[DEPTH] += 1
            counters[BOUND] += counters[UNIT]
            if counters[BOUND] > MAX_TOTAL:
                outcome = HUGE_COST
                break
        if not table.has_room(moves):
            outcome = FULL
            break
        for i in range(words.shape[1]):
            state_words[unsigned(i)] = table.states[unsigned(head), unsigned(i)]
        last = as_move(NO_MOVE)
        if head >= counters[ROOTS] and not problem._is_symmetric():
            last = as_move(memory.move[unsigned(head)])
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
            problem._make_canonical(child)
            tag = table.tag(child_words)
            position = table.locate(child_words, tag)
            if table.number_at(position) >= 0:
                duplicates += 1
                continue
            number = table.insert(position, child_words, tag)
            memory.parent[unsigned(number)] = head
            memory.move[unsigned(number)] = move
            if problem._is_goal(child):
                counters[GOAL] = number
                counters[INCUMBENT] = (counters[DEPTH] + 1) * cost
                counters[VERIFIED] = head
                head += 1  # this state counts as expanded
                outcome = FOUND
                break
        if outcome != PAUSED:
            break
        head += 1
    counters[GENERATED] = generated
    counters[EXPANDED] = head
    counters[DUPLICATES] = duplicates
    counters[HEAD] = head
    return outcome


class BreadthFirstSearch(TableSearch):
    """Breadth-first search at work."""

    engine = "breadth_first"
    kernel = search_layers

    def __init__(self, problem: Any, start: Any, options: RunOptions) -> None:
        super().__init__(problem, start, options)
        c = np.zeros(COUNTERS, np.int64)
        c[INCUMBENT] = c[UNIT] = NONE
        capacity = 256 + problem._move_count() + len(self.roots)
        width = self.roots.shape[1]
        self.table = state_table(capacity, width)
        c[GENERATED] = c[LAYER_END] = c[ROOTS] = self.insert_roots()
        self.memory = Memory(
            words=np.zeros((2, width), np.uint64),
            parent=np.zeros(capacity, np.uint32),
            move=np.zeros(capacity, path_type(problem)),
            counters=c,
        )

    def advance(self, stop_at: int) -> int:
        """Search; once a goal is found, verify."""
        if self.counters[INCUMBENT] == NONE:
            outcome = super().advance(stop_at)
            if outcome != FOUND or self.counters[UNIT] == NONE:
                return outcome
        m = self.memory
        return self.call(verify_costs, m.words, self.table, self.view(m.words), m.counters, int(m.counters[LAYER_END]))

    def arguments(self) -> tuple[Any, ...]:
        return (self.memory, self.table, self.view(self.memory.words))

    def enlarge(self, room: int | None) -> bool:
        m = self.memory
        rows = self.enlarge_table(m.parent.itemsize + m.move.itemsize, room)
        if rows is None:
            return False
        self.memory = m._replace(parent=enlarged(m.parent, rows), move=enlarged(m.move, rows))
        return True

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        cost = int(self.counters[INCUMBENT])
        if cost == NONE:
            return None
        return cost, self.path_to(int(self.counters[GOAL]))


@takes_run_options
def breadth_first(problem: Any, start: Any, **options: Unpack[RunOptions]) -> Solution:
    """Find a solution with the fewest moves by looking at all states one layer after another.

    Requires: apply, is_goal. All moves cost the same.
    Uses: inverse, follows, canonical.

    `start`: a state, or a list of states; `solution.start` tells from which one the solution comes.

    The solution is the lexicographically first of the shortest in move order, for each start, unless
    `canonical` is defined. When a goal is met, the costs of all moves from the
    states of the last layer are still looked at, so that a cheaper way by an unequal move is never overlooked.

    Time O(states × moves). Memory W × 8 + 16 to W × 8 + 50 bytes a state (W words of 64 bits), by how full the arrays are;
    `stats.peak_bytes` tells.

    Raises TypeError for a missing operation or a start of the wrong form, CostError for unequal costs, Interrupted on Ctrl-C.
    Source: E. F. Moore, The shortest path through a maze (1959).
    """
    return run(BreadthFirstSearch(problem, start, options), options)
