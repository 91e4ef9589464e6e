"""Breadth-first through a numbered space: two bits a state, no state is kept.

mark       of a state: UNSEEN; open (1 or 2: to be expanded at an even or odd depth); CLOSED
marks      (states div 32 + 1,) uint64: 32 marks a word, the first in the lowest bits
entries    (states div merge,) uint8, uint16 or uint32, or none: the least depth of the `merge` states with successive numbers
           that share an entry; its largest value: none of them was met
counts     (≥ depth + 1,) int64: how many states there are at each depth
children   (moves,) int64: the numbers of the states that moves lead to, -1 - number where the move costs 0: all are found before
           the marks of any are looked at, so that the memory fetches them side by side
farthest   (some,) int64: numbers of the first states that were expanded at the present depth
words      (2, W) uint64: the state being expanded and one of its children; `pair` is the same memory in the states' dtype

A layer is expanded by going through the marks in order. A move of cost 0 leads to a state of the same layer, which is marked open
at this depth: the walk steps back to it when it is near, and else goes through the marks once more.

Source: R. E. Korf, Minimizing disk I/O in two-bit breadth-first search (2008).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from bestfirst.checkpoint import CheckpointError, Snapshot
from bestfirst.control import EXHAUSTED, FULL, HUGE_COST, NEGATIVE_COST, PAUSED, UNEVEN_COST, ZERO_COST, RunOptions, free_memory
from bestfirst.kernel import Int, as_move, exact, interpreting, kernel, trailing_zeros, unsigned
from bestfirst.operations import ILLEGAL, MAX_COST, RANKING, problem_name
from bestfirst.replay import BrokenProblem
from bestfirst.result import Limits
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
from bestfirst.search.layers import OWN_OF_LAYERS, UNIT, SpaceWalk
from bestfirst.store import enlarged

STATES = OWN_OF_LAYERS  #: how many numbers there are
POSITION = OWN_OF_LAYERS + 1  #: the marks before this one were gone through at the present depth
AGAIN = OWN_OF_LAYERS + 2  #: 1: some before it are open again
WAITING = OWN_OF_LAYERS + 3  #: states that are open at the next depth
IN_LAYER = OWN_OF_LAYERS + 4  #: states that were expanded at the present depth
MERGE = OWN_OF_LAYERS + 5  #: states that share an entry
SEEKS_GOALS = OWN_OF_LAYERS + 6  #: 1: a goal at a depth above 0 is a mistake
ALLOWS_ZERO = OWN_OF_LAYERS + 7  #: 1: moves may cost 0 as well

UNSEEN = np.uint64(0)
CLOSED = np.uint64(3)

#: The largest number of states.
MAX_RANKED = 1 << 48

# What the kernel returns beside the outcomes of `control`.
_WRONG_RANK = 100
_MISSED_GOAL = 101

_LOW_BITS = np.uint64(0x5555555555555555)
_ALL_BITS = np.uint64(0xFFFFFFFFFFFFFFFF)

#: Words of marks gone through before the clock is looked at again.
_SCAN_WORDS = 1 << 22

#: The walk steps back by at most so many marks.
_NEAR = 1 << 10


class Memory(NamedTuple):
    """The working memory; shapes in the legend above."""

    words: np.ndarray
    marks: np.ndarray
    entries: np.ndarray
    counts: np.ndarray
    farthest: np.ndarray
    children: np.ndarray
    counters: np.ndarray


@kernel(inline=True)
def mark_of(marks: np.ndarray, number: Int) -> Int:
    """The mark of a state."""
    at = unsigned(number)
    return (marks[at >> unsigned(5)] >> ((at & unsigned(31)) << unsigned(1))) & CLOSED


@kernel(inline=True)
def set_mark(marks: np.ndarray, number: Int, mark: Int) -> None:
    """Give a state another mark."""
    at = unsigned(number)
    shift = (at & unsigned(31)) << unsigned(1)
    marks[at >> unsigned(5)] = (marks[at >> unsigned(5)] & (_ALL_BITS ^ (CLOSED << shift))) | (unsigned(mark) << shift)


@kernel
def first_marked(marks: np.ndarray, mark: Int, position: Int, words: Int) -> Int:
    """The first state from `position` on that has the mark, or the first of those not looked at: `words` words are."""
    pattern = unsigned(mark) * _LOW_BITS
    word = position >> 5
    last = min(marks.shape[0], word + words)
    wanted = _LOW_BITS & ((_ALL_BITS << unsigned((position & 31) << 1)) & _ALL_BITS)
    while word < last:
        difference = marks[unsigned(word)] ^ pattern
        hits = wanted & ((difference | (difference >> unsigned(1))) ^ _ALL_BITS)
        if hits != unsigned(0):
            return (word << 5) + np.int64(trailing_zeros(hits) >> unsigned(1))
        wanted = _LOW_BITS
        word += 1
    return word << 5


@kernel
def expand_layers(problem: Any, backward: Any, memory: Memory, pair: np.ndarray) -> Int:
    """Advance until the node budget is used up. `problem` numbers the states, `backward` makes the moves.

    Besides the outcomes of `control`: a number outside the space, a goal beyond depth 0. O(moves × W) an expansion,
    O(states div 32) a layer.
    """
    words = memory.words
    marks = memory.marks
    entries = memory.entries
    children = memory.children
    counters = memory.counters
    state = pair[0]
    child = pair[1]
    moves = backward._move_count()
    states = counters[STATES]
    merge = counters[MERGE]
    stop_at = counters[STOP_AT]
    unit = counters[UNIT]
    generated = counters[GENERATED]
    duplicates = counters[DUPLICATES]
    waiting = counters[WAITING]
    position = counters[POSITION]
    in_layer = counters[IN_LAYER]
    depth = counters[DEPTH]
    this_mark = unsigned(1 + (depth & 1))
    next_mark = CLOSED - this_mark
    scan = _SCAN_WORDS
    outcome = PAUSED
    while generated < stop_at:
        number = first_marked(marks, this_mark, position, scan)
        scan -= (number >> 5) - (position >> 5)
        position = number
        if number >= marks.shape[0] << 5:
            position = 0
            if counters[AGAIN] != 0:
                counters[AGAIN] = 0
                continue
            memory.counts[unsigned(depth)] = in_layer
            if waiting == 0:
                outcome = EXHAUSTED
                break
            has_room = entries.shape[0] == 0 or depth + 1 < (1 << (8 * entries.itemsize)) - 1
            if depth + 1 == memory.counts.shape[0] or not has_room:
                position = number
                outcome = FULL
                break
            depth += 1
            this_mark = unsigned(1 + (depth & 1))
            next_mark = CLOSED - this_mark
            waiting = 0
            in_layer = 0
            continue
        if scan <= 0:
            break
        problem._unrank(number, state)
        if counters[SEEKS_GOALS] != 0 and depth > 0 and problem._is_goal(state):
            outcome = _MISSED_GOAL
            break
        following = number + 1
        found = 0
        for step in range(moves):
            for i in range(words.shape[1]):
                words[1, unsigned(i)] = words[0, unsigned(i)]
            cost = backward._apply(child, as_move(step))
            if cost == ILLEGAL:
                continue
            if cost != unit:
                if cost < 0 or cost > MAX_COST or (cost > 0 and unit != NONE):
                    outcome = NEGATIVE_COST if cost < 0 else HUGE_COST if cost > MAX_COST else UNEVEN_COST
                    break
                if cost == 0 and counters[ALLOWS_ZERO] == 0:
                    outcome = ZERO_COST
                    break
                if cost > 0:
                    unit = cost
            reached = problem._rank(child)
            if reached < 0 or reached >= states:
                outcome = _WRONG_RANK
                break
            children[unsigned(found)] = reached if cost > 0 else -1 - reached
            found += 1
        if outcome != PAUSED:
            break
        generated += found
        for i in range(found):
            reached = children[unsigned(i)]
            is_free = reached < 0
            if is_free:
                reached = -1 - reached
            mark = mark_of(marks, reached)
            if is_free and mark in (UNSEEN, next_mark):
                waiting -= np.int64(mark == next_mark)
                set_mark(marks, reached, this_mark)
                if reached < following:
                    if following - reached <= _NEAR:
                        following = reached
                    else:
                        counters[AGAIN] = 1
            elif not is_free and mark == UNSEEN:
                set_mark(marks, reached, next_mark)
                waiting += 1
            else:
                duplicates += 1
        set_mark(marks, number, CLOSED)
        if entries.shape[0] > 0:
            entry = unsigned(number if merge == 1 else number // merge)
            entries[entry] = min(np.int64(entries[entry]), depth)
        if in_layer < memory.farthest.shape[0]:
            memory.farthest[unsigned(in_layer)] = number
        in_layer += 1
        position = following
        counters[EXPANDED] += 1
    counters[UNIT] = unit
    counters[GENERATED] = generated
    counters[DUPLICATES] = duplicates
    counters[WAITING] = waiting
    counters[POSITION] = position
    counters[IN_LAYER] = in_layer
    counters[DEPTH] = depth
    counters[BOUND] = depth if unit == NONE else depth * unit
    return outcome


class RankedSearch(SpaceWalk):
    """A walk through a numbered space from `starts`, by the moves of `backward` or of the problem itself."""

    kernel = expand_layers
    requires = ("apply", "is_goal", *RANKING)

    def __init__(
        self,
        engine: str,
        problem: Any,
        starts: tuple[Any, ...],
        options: RunOptions,
        *,
        backward: Any = None,
        keeps_depths: bool = False,
        merge: int = 1,
        seeks_goals: bool = False,
        allows_zero: bool = False,
        farthest: int = 0,
    ) -> None:
        self.engine = engine
        self.backward = problem if backward is None else backward
        settings = {"keeps_depths": keeps_depths, "merge": merge, "seeks_goals": seeks_goals, "allows_zero": allows_zero}
        super().__init__(problem, list(starts), options, **settings)
        self.states = states = count_states(problem)
        if states % merge:
            raise ValueError(f"{merge} states cannot share each entry: {states} is no multiple of {merge}")
        numbers = sorted({self.number(start) for start in starts})
        c = np.zeros(COUNTERS, np.int64)
        c[STATES] = states
        c[MERGE] = merge
        c[SEEKS_GOALS] = seeks_goals
        c[ALLOWS_ZERO] = allows_zero
        c[UNIT] = c[INCUMBENT] = NONE
        c[GENERATED] = len(numbers)
        entries = states // merge if keeps_depths else 0
        self.needed = states // 4 + entries
        limits = options.get("limits") or Limits()
        room = limits.memory if limits.memory is not None else free_memory()
        self.fits = room is None or self.needed <= room
        self.memory = Memory(
            words=np.zeros((2, self.roots.shape[1]), np.uint64),
            marks=np.zeros(states // 32 + 1 if self.fits else 0, np.uint64),
            entries=np.full(entries if self.fits else 0, 255, np.uint8),
            counts=np.zeros(64, np.int64),
            farthest=np.zeros(farthest, np.int64),
            children=np.zeros(self.backward._move_count(), np.int64),
            counters=c,
        )
        if self.fits:
            for number in numbers:
                with interpreting():
                    set_mark(exact(self.memory.marks), number, 1)

    def number(self, state: Any) -> int:
        """The number of a state, computed in the interpreter; BrokenProblem when it does not stand for the state."""
        words = self.words_of(state)
        with interpreting():
            number = int(exact(self.problem)._rank(exact(self.view(words))))
        if not 0 <= number < self.states:
            raise BrokenProblem(f"rank gives {number:,}, outside 0 … {self.states - 1:,}, for the state {state}")
        again = self.state(number)
        if (self.words_of(again) != words).any():
            raise BrokenProblem(
                f"unrank does not take rank back: the state {state} has number {number:,}, and that the state {again}"
            )
        return number

    def state(self, number: int) -> Any:
        """The state with this number, computed in the interpreter."""
        words = np.zeros(self.roots.shape[1], np.uint64)
        with interpreting():
            exact(self.problem)._unrank(int(number), exact(self.view(words)))
        return self.state_of(words)

    def advance(self, stop_at: int) -> int:
        if not self.fits:
            return FULL
        outcome = super().advance(stop_at)
        if outcome == _WRONG_RANK:
            raise BrokenProblem(
                f"rank of {problem_name(self.problem)} gives a number outside 0 … state_count - 1: "
                "bestfirst.check_problem(problem, start) tells for which state"
            )
        if outcome == _MISSED_GOAL:
            state = self.state(int(self.counters[POSITION]))
            raise ValueError(
                f"the state {state} is a goal as well: give {self.engine} all goals, or make is_goal true of the given ones only"
            )
        return outcome

    def arguments(self) -> tuple[Any, ...]:
        return (self.backward, self.memory, self.view(self.memory.words))

    def enlarge(self, room: int | None) -> bool:
        """Make room for more depths: longer counts, wider entries."""
        if not self.fits:
            return False
        m = self.memory
        if self.counters[DEPTH] + 1 == len(m.counts):
            self.memory = m._replace(counts=enlarged(m.counts, 2 * len(m.counts)))
            return True
        wider = np.uint16 if m.entries.itemsize == 1 else np.uint32
        if room is not None and self.bytes() + len(m.entries) * np.dtype(wider).itemsize > room:
            return False
        self.memory = m._replace(entries=widened(m.entries, wider))
        return True

    def save(self) -> Snapshot:
        if not self.fits:
            raise CheckpointError(f"{self.engine} needs {self.needed:,} bytes of memory, more than there are")
        return super().save()

    # what is known

    def layer_sizes(self, is_complete: bool) -> tuple[int, ...]:
        """How many states there are at each depth, as far as it is certain."""
        return tuple(self.memory.counts[: int(self.counters[DEPTH]) + is_complete].tolist())

    def farthest_states(self) -> tuple[Any, ...]:
        """Some of the states at the last depth, those with the smallest numbers."""
        return tuple(self.state(int(number)) for number in self.memory.farthest[: int(self.counters[IN_LAYER])])

    def depth_of(self, state: Any) -> int | None:
        """Depth of a state; None when it was not met."""
        depth = int(self.memory.entries[self.number(state)])
        return None if depth == unmet(self.memory.entries) else depth

    def states_at(self, depth: int) -> Iterator[Any]:
        """The states at a depth, by number."""
        block = 1 << 20
        for begin in range(0, len(self.memory.entries), block):
            for offset in np.flatnonzero(self.memory.entries[begin : begin + block] == depth):
                yield self.state(begin + int(offset))

    def finish(self) -> None:
        """Give back the memory that only the walk needed."""
        self.memory = self.memory._replace(marks=self.memory.marks[:0].copy())


def count_states(problem: Any) -> int:
    """How many states a problem numbers, computed in the interpreter. Raises ValueError when it is none or too many."""
    with interpreting():
        states = exact(problem).state_count()
    if isinstance(states, bool) or not isinstance(states, (int, np.integer)):
        raise TypeError(f"state_count of {problem_name(problem)} returns {type(states).__name__}, not a whole number")
    if not 1 <= states <= MAX_RANKED:
        raise ValueError(f"{problem_name(problem)} has {states:,} states; a numbered space can have 1 to {MAX_RANKED:,}")
    return int(states)


def unmet(entries: np.ndarray) -> int:
    """The entry of states that were not met."""
    return int(np.iinfo(entries.dtype).max)


def widened(entries: np.ndarray, dtype: type[np.unsignedinteger[Any]]) -> np.ndarray:
    """The same entries in a larger dtype."""
    wider = entries.astype(dtype)
    wider[entries == unmet(entries)] = np.iinfo(dtype).max
    return wider
