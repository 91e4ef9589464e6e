"""All optimal solutions: how many there are, and one after another in move order.

C         cost of the optimum
tight     a move from a state s to a state t with g(t) = g(s) + cost: it lies on a cheapest way to t
ways      (rows, D) uint32: the number of optimal ways on from each state, in D digits of 32 bits, lowest first; 0 until counted
mark      (rows,) uint8: how far each state is counted
path      (rows, 2) int64: number of the state, next move to try there
numbers   (2,) int64: length of the path (-1 once all is counted); 1 in the second place: the optimum is known, and is counted

First A* expands every state with f up to C. Then every state of every optimal solution is known with its least g, and has been
expanded: its f is at most C, because the bound is admissible. So the optimal solutions are exactly the sequences of tight moves
from the start, through states that were expanded, to a goal with g = C. (Such a sequence costs g of its last state, C.) Every
move is tried here, also those that `inverse` and `follows` spare the search; these spare moves, never states – should `follows`
break its promise and hide a state after all, a move to it is seen here, and refused.

Tight moves form a graph without cycles but for moves that cost nothing. Depth first, each state is entered once, and its number
of ways is the sum over its tight moves. A cycle is met when a move leads to a state on the path. If there are ways on from that
state in the end, one can go round and round on the way to a goal: the solutions are infinitely many. If there are none, none of
the states of the cycle is part of a solution. (That the ways are counted right, and that such a state is met for every cycle on
the way to a goal: the first state of a strongly connected component that a depth-first search enters is left last, has a move
leading back to it when the component has a cycle, and reaches all that the component reaches.)
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple, Unpack

import numpy as np

from bestfirst.checkpoint import Snapshot
from bestfirst.control import FOUND, FULL, HUGE_COST, NEGATIVE_COST, PAUSED, RunOptions, run, takes_run_options
from bestfirst.kernel import Int, as_move, kernel, unsigned
from bestfirst.operations import ILLEGAL, MAX_COST, UNREACHABLE, defines, problem_name
from bestfirst.replay import BrokenProblem
from bestfirst.result import Solution
from bestfirst.search.a_star import AStarMode, AStarSearch
from bestfirst.search.a_star import Memory as AStarMemory
from bestfirst.search.compiled import BOUND, INCUMBENT, KernelSearch
from bestfirst.store import enlarged
from bestfirst.store.state_table import StateTable

# Values of `mark`.
_NEW = np.uint8(0)
_ON_PATH = np.uint8(1)
_ON_CYCLE = np.uint8(2)  # on the path, and a move from further along leads back to it
_COUNTED = np.uint8(3)
_GOAL = np.uint8(4)  # counted: a solution ends here

# Places in `numbers`.
_DEPTH = 0
_COUNTING = 1

# Outcomes that this module keeps to itself.
_ENDLESS = 100
_HIDDEN = 101

_STEPS = 1 << 14
_DIGIT = 32
_DIGIT_MASK = (1 << _DIGIT) - 1


class CountMemory(NamedTuple):
    """The working memory of the counting; shapes in the legend above."""

    ways: np.ndarray
    mark: np.ndarray
    path: np.ndarray
    numbers: np.ndarray


@kernel
def count_ways(problem: Any, memory: AStarMemory, table: StateTable, count: CountMemory, pair: np.ndarray) -> Int:
    """Count the optimal ways on from every state, depth first from the start, for a while. O(states × moves × W) in all."""
    words = memory.words
    moves = problem._move_count()
    optimum = memory.counters[INCUMBENT]
    state = pair[0]
    child = pair[1]
    path = count.path
    mark = count.mark
    for _ in range(_STEPS):
        depth = count.numbers[_DEPTH]
        if depth < 0:
            return FOUND
        if depth + 1 == path.shape[0]:
            return FULL
        number = path[unsigned(depth), 0]
        for i in range(words.shape[1]):
            words[0, unsigned(i)] = table.states[unsigned(number), unsigned(i)]
        g = memory.g[unsigned(number)]
        deeper = False
        if mark[unsigned(number)] == _NEW:
            is_goal = g == optimum and problem._is_goal(state)
            mark[unsigned(number)] = _GOAL if is_goal else _ON_PATH
            count.ways[unsigned(number), 0] = 1 if is_goal else 0
        if mark[unsigned(number)] != _GOAL:
            for step in range(path[unsigned(depth), 1], moves):
                for i in range(words.shape[1]):
                    words[1, unsigned(i)] = words[0, unsigned(i)]
                cost = problem._apply(child, as_move(step))
                if cost < 0 or cost > MAX_COST:
                    if cost == ILLEGAL:
                        continue
                    return NEGATIVE_COST if cost < 0 else HUGE_COST
                known = table.number_at(table.locate(words[1], table.tag(words[1])))
                if known < 0 or memory.g[unsigned(known)] > g + cost:
                    h = problem._lower_bound(child)
                    if h < UNREACHABLE and g + cost + h <= optimum:
                        return _HIDDEN
                    continue
                if memory.g[unsigned(known)] != g + cost or memory.closed[unsigned(known)] == 0:
                    continue
                if mark[unsigned(known)] >= _COUNTED:
                    path[unsigned(depth), 1] = step + 1
                    if not add_ways(count.ways, number, known):
                        return FULL
                elif mark[unsigned(known)] == _NEW:
                    path[unsigned(depth), 1] = step + 1
                    path[unsigned(depth + 1), 0] = known
                    path[unsigned(depth + 1), 1] = 0
                    deeper = True
                    break
                else:
                    mark[unsigned(known)] = _ON_CYCLE
        if deeper:
            count.numbers[_DEPTH] = depth + 1
            continue
        if mark[unsigned(number)] == _ON_CYCLE and has_ways(count.ways, number):
            return _ENDLESS
        mark[unsigned(number)] = max(mark[unsigned(number)], _COUNTED)
        count.numbers[_DEPTH] = depth - 1
        if depth > 0 and not add_ways(count.ways, path[unsigned(depth - 1), 0], number):
            return FULL
    return PAUSED


@kernel
def add_ways(ways: np.ndarray, to: Int, number: Int) -> Any:
    """Add the ways on from one state to those of another; False when the sum has too many digits."""
    carry = np.int64(0)
    for digit in range(ways.shape[1]):
        carry += np.int64(ways[unsigned(to), unsigned(digit)]) + np.int64(ways[unsigned(number), unsigned(digit)])
        ways[unsigned(to), unsigned(digit)] = carry & _DIGIT_MASK
        carry >>= _DIGIT
    return carry == 0


@kernel
def has_ways(ways: np.ndarray, number: Int) -> Any:
    """Whether there are ways on from a state."""
    digits = unsigned(0)
    for digit in range(ways.shape[1]):
        digits |= unsigned(ways[unsigned(number), unsigned(digit)])
    return digits != 0


@kernel
def find_steps(
    problem: Any, memory: AStarMemory, table: StateTable, count: CountMemory, pair: np.ndarray, number: Int, found: np.ndarray
) -> Int:
    """Write the moves from a state that are parts of optimal solutions, and the states they lead to, into `found`; how many."""
    words = memory.words
    child = pair[1]
    steps = 0
    for step in range(problem._move_count()):
        for i in range(words.shape[1]):
            words[1, unsigned(i)] = table.states[unsigned(number), unsigned(i)]
        cost = problem._apply(child, as_move(step))
        if cost == ILLEGAL:
            continue
        known = table.number_at(table.locate(words[1], table.tag(words[1])))
        if known < 0 or memory.g[unsigned(known)] != memory.g[unsigned(number)] + cost:
            continue
        if count.mark[unsigned(known)] >= _COUNTED and has_ways(count.ways, known):
            found[unsigned(steps), 0] = step
            found[unsigned(steps), 1] = known
            steps += 1
    return steps


class OptimalSolutionsSearch(AStarSearch):
    """A* to all states with f up to the optimum, then the counting."""

    engine = "count_optimal"

    def __init__(self, problem: Any, start: Any, options: RunOptions) -> None:
        if defines(problem, "canonical"):
            name = problem_name(problem)
            raise TypeError(f"{self.engine} counts every state and cannot use canonical, which {name} defines")
        super().__init__(self.engine, AStarMode(), problem, start, options, ties="lexicographic")
        if len(self.roots) > 1:
            raise ValueError(f"{self.engine} counts from one start, not from {len(self.roots)}")
        self.count_memory = CountMemory(  # no room for states yet: how many they are is known after the search
            np.zeros((0, 1), np.uint32), np.zeros(0, np.uint8), np.zeros((64, 2), np.int64), np.zeros(2, np.int64)
        )

    def advance(self, stop_at: int) -> int:
        """Search; then count. Raises ValueError when the solutions are infinitely many."""
        if not self.count_memory.numbers[_COUNTING]:
            outcome = KernelSearch.advance(self, stop_at)
            if outcome != FOUND:
                return outcome
            self.counters[BOUND] = self.counters[INCUMBENT]
            self.count_memory.numbers[_COUNTING] = 1
        if len(self.count_memory.mark) == 0:
            return FULL
        outcome = self.call(count_ways, self.memory, self.table, self.count_memory, self.view(self.memory.words))
        if outcome == _ENDLESS:
            raise ValueError(
                "there are infinitely many optimal solutions: moves that cost 0 lead round in a cycle on the way to a goal "
                "(a_star finds one of them)"
            )
        if outcome == _HIDDEN:
            raise BrokenProblem(
                f"follows or inverse of {problem_name(self.problem)} refuses a move that leads to a state in no other way as "
                "cheaply: bestfirst.check_problem(problem, start) tells more"
            )
        if outcome == FOUND and not self.count():
            raise BrokenProblem(
                f"no cheapest way leads to the goal found; lower_bound of {problem_name(self.problem)} must be more than a true "
                "distance: bestfirst.check_problem(problem, start) tells more"
            )
        return outcome

    def is_counted(self) -> bool:
        """Whether the counting is over."""
        return bool(self.count_memory.numbers[_DEPTH] < 0)

    def enlarge(self, room: int | None) -> bool:
        m = self.count_memory
        if not m.numbers[_COUNTING]:
            return super().enlarge(room)
        path_is_full = m.numbers[_DEPTH] + 1 == len(m.path)
        states = int(self.table.used[0])
        digits = 2 * m.ways.shape[1]
        more = 2 * m.path.nbytes if path_is_full else states * (4 * digits + 1)
        if room is not None and self.bytes() + more > room:  # old and new exist side by side for a moment
            return False
        if path_is_full:
            self.count_memory = m._replace(path=enlarged(m.path, 2 * len(m.path)))
            return True
        numbers = np.array([0, 1], np.int64)  # with more digits the counting begins again
        self.count_memory = CountMemory(np.zeros((states, digits), np.uint32), np.zeros(states, np.uint8), m.path, numbers)
        m.path[0] = 0
        return True

    def bytes(self) -> int:
        return super().bytes() + sum(array.nbytes for array in self.count_memory)

    def count(self) -> int:
        if not self.is_counted():
            return int(self.count_memory.numbers[_COUNTING])
        return sum(int(digit) << (_DIGIT * place) for place, digit in enumerate(self.count_memory.ways[0]))

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        if self.is_counted():
            return int(self.counters[INCUMBENT]), next(self.solutions())
        return super().best()

    def solutions(self) -> Iterator[tuple[int, ...]]:
        """All optimal solutions in move order, once they are counted: each step taken is part of one."""
        mark = self.count_memory.mark
        if mark[0] == _GOAL:
            yield ()
            return
        known: dict[int, list[tuple[int, int]]] = {}
        moves: list[int] = []
        path = [iter(self.steps_from(0, known))]
        while path:
            move, child = next(path[-1], (None, 0))
            if move is None:
                path.pop()
                del moves[-1:]
            elif mark[child] == _GOAL:
                yield (*moves, move)
            else:
                moves.append(move)
                path.append(iter(self.steps_from(child, known)))

    def steps_from(self, number: int, known: dict[int, list[tuple[int, int]]]) -> list[tuple[int, int]]:
        """The moves from a state, and the states they lead to, that are parts of optimal solutions; kept in `known`."""
        if number not in known:
            found = np.zeros((self.problem._move_count(), 2), np.int64)
            pair = self.view(self.memory.words)
            steps = self.call(find_steps, self.memory, self.table, self.count_memory, pair, number, found)
            known[number] = [(move, child) for move, child in found[:steps].tolist()]
        return known[number]

    def save(self) -> Snapshot:
        header, arrays = super().save()
        return Snapshot(header, {**arrays, **{f"count_{name}": array for name, array in self.count_memory._asdict().items()}})

    def take(self, snapshot: Snapshot) -> None:
        arrays = dict(snapshot.arrays)
        self.count_memory = CountMemory(**{name: arrays.pop(f"count_{name}") for name in CountMemory._fields})
        super().take(Snapshot(snapshot.header, arrays))


@takes_run_options
def count_optimal(problem: Any, start: Any, **options: Unpack[RunOptions]) -> Solution:
    """Count the optimal solutions: `solution.count`, exact however large; `solution.moves` is the first in move order.

    Requires: apply, is_goal. Any costs of 0 or more. Uses: lower_bound (admissible, need not be consistent), inverse, follows.

    A solution is a sequence of moves that ends in the first goal it reaches. Two moves that lead to the same state make different
    solutions, and so do the two orders of moves that commute, also where `follows` and `inverse` spare the search one of them.
    Without a solution the count is 0. A search that is stopped has counted none, or 1 when the optimum is proved.

    Time as for `a_star` with `ties="lexicographic"`, and O(states × moves) for the counting, which begins again when the
    number has more digits than thought: 64 bits at first, then 128, 256 … Memory 9 bytes a state more than `a_star` (17, 33 …).

    Raises ValueError when moves that cost 0 make the solutions infinitely many; otherwise as `a_star`, and BrokenProblem when
    `follows` or `inverse` is seen to hide a state.
    """
    return run(OptimalSolutionsSearch(problem, start, options), options)


def all_optimal(
    problem: Any, start: Any, at_most: int | None = None, *, compiled: bool | None = None
) -> Iterator[tuple[int, ...]]:
    """All optimal solutions, or the first `at_most`, one after another in lexicographic order of their moves.

    Requires, uses, counts as different and raises what `count_optimal` does. The search is made when the first one is asked for;
    from then on none is looked for in vain: O(length) for each, and O(moves) once for each state that is part of one. Raises
    MemoryError when what is free does not hold the search.
    """
    if at_most is not None and operator.index(at_most) < 0:
        raise ValueError(f"at_most is {at_most}; it must be 0 or more, or None for all")
    search = OptimalSolutionsSearch(problem, start, {"compiled": compiled})
    return islice(_listed(search), at_most)


def _listed(search: OptimalSolutionsSearch) -> Iterator[tuple[int, ...]]:
    solution = run(search, {})
    if solution.stopped_by is not None:
        raise MemoryError("the free memory does not hold the search for all optimal solutions")
    if solution.moves is not None:
        yield from search.solutions()
