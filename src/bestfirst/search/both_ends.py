"""What the engines share that search from both ends: the two sides, the goals, the way back, the solution through a meeting.

side    the forward one grows from the starts by the problem's moves, the backward one from the goals by moves that lead to the
        states before; an engine's named tuple, with at least the fields table, parent and move
parent  (capacity,) uint32: number of the state from which a state was reached, its own at an end;
        move: the move that did it
words   (states, W) uint64: states, one a row, as the tables hold them; `view` reads them in the dtype and length of the start
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np

from bestfirst.checkpoint import Snapshot
from bestfirst.control import FOUND, RunOptions
from bestfirst.kernel import exact, interpreting, require_unchanged
from bestfirst.kernel.fingerprint import fingerprint
from bestfirst.operations import ILLEGAL, defines, problem_name
from bestfirst.replay import BrokenProblem, verify
from bestfirst.search.compiled import COUNTERS, GENERATED, INCUMBENT, NONE, CompiledSearch, path_type, require_operations
from bestfirst.search.graph import insert_state, next_capacity
from bestfirst.search.layers import OWN_OF_LAYERS
from bestfirst.store import enlarged
from bestfirst.store.state_table import StateTable, grown, state_table

View = Callable[[np.ndarray], np.ndarray]
Side = TypeVar("Side", bound=Any)

GROWING = OWN_OF_LAYERS  #: the side being grown
MET_FORWARD = OWN_OF_LAYERS + 1  #: number of the state where the sides meet, in the forward table
MET_BACKWARD = OWN_OF_LAYERS + 2  #: … and in the backward one
ROOT = OWN_OF_LAYERS + 3  #: number of the start that the solution comes from
OWN_OF_BOTH_ENDS = OWN_OF_LAYERS + 4  #: the counters from here on belong to the engine

FORWARD = 0
BACKWARD = 1

#: How many moves from either end are tried for a way back before a search begins.
_TRIED_MOVES = 64


class Memory(NamedTuple):
    """What both sides share: words (2, W) uint64, the state being expanded and one of its children; the counters."""

    words: np.ndarray
    counters: np.ndarray


class BothEndsSearch(CompiledSearch):
    """A search from both ends at work; `sides` holds the forward and the backward one."""

    requires = ("apply",)

    sides: list[Any]

    def __init__(self, problem: Any, start: Any, goals: Any, reverse: Any, options: RunOptions) -> None:
        super().__init__(problem, start, options)
        self.reverse = way_back(self.engine, problem, reverse)
        if self.compiled:
            require_unchanged(type(self.reverse))
        different = first_of_each(self.roots)
        self.start, self.roots = [self.start[root] for root in different], self.roots[different]
        self.goals = goal_words(problem, goals, self.view, self.roots.shape[1])
        self.settings = {"goals": fingerprint(self.goals), "reverse": fingerprint(type(self.reverse), *self.reverse)}
        require_return(problem, self.reverse, self.roots[0], self.view)
        require_return(self.reverse, problem, self.goals[0], self.view)
        self.starts_in_goal = [root for root, words in enumerate(self.roots) if (self.goals == words).all(axis=1).any()]
        c = np.zeros(COUNTERS, np.int64)
        c[INCUMBENT] = NONE
        c[GENERATED] = len(self.roots) + len(self.goals)
        self.memory = Memory(np.zeros((2, self.roots.shape[1]), np.uint64), c)

    def advance(self, stop_at: int) -> int:
        """Search, unless a start is a goal."""
        if self.starts_in_goal and stop_at > 0:
            self.counters[INCUMBENT] = 0
            self.counters[MET_FORWARD] = self.starts_in_goal[0]
            self.counters[MET_BACKWARD] = int((self.goals == self.roots[self.starts_in_goal[0]]).all(axis=1).argmax())
            return FOUND
        return super().advance(stop_at)

    def arguments(self) -> tuple[Any, ...]:
        return (self.reverse, self.memory, *self.sides, self.view(self.memory.words))

    def bytes(self) -> int:
        return super().bytes() + sum(array.nbytes for side in self.sides for array in named_arrays("", side).values())

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        cost = int(self.counters[INCUMBENT])
        return None if cost == NONE else (cost, self.moves_from_start() + self.moves_to_goal())

    def moves_from_start(self) -> tuple[int, ...]:
        """The moves from a start to the state where the sides met."""
        side, number, moves = self.sides[FORWARD], int(self.counters[MET_FORWARD]), []
        while side.parent[number] != number:
            moves.append(int(side.move[number]))
            number = int(side.parent[number])
        self.counters[ROOT] = number
        return tuple(reversed(moves))

    def root(self) -> int:
        return int(self.counters[ROOT])

    def moves_to_goal(self) -> tuple[int, ...]:
        """The moves from the state where the sides met to the goal that it was reached from."""
        side, numbers = self.sides[BACKWARD], [int(self.counters[MET_BACKWARD])]
        while side.parent[numbers[-1]] != numbers[-1]:
            numbers.append(int(side.parent[numbers[-1]]))
        return moves_along(self.problem, side.table.states[numbers], self.view)

    def verify_moves(self, moves: tuple[Any, ...], cost: Any) -> None:
        verify(self.problem, self.start[self.root()], moves, cost, self.view(self.goals))

    def save(self) -> Snapshot:
        header, arrays = super().save()
        return Snapshot(
            header, arrays | named_arrays("forward", self.sides[FORWARD]) | named_arrays("backward", self.sides[BACKWARD])
        )

    def take(self, snapshot: Snapshot) -> None:
        arrays = dict(snapshot.arrays)
        sides = zip(("forward", "backward"), self.sides, strict=True)
        self.sides = [with_arrays(name, side, arrays) for name, side in sides]
        super().take(Snapshot(snapshot.header, arrays))


def ends_known(problem: Any, ends: np.ndarray) -> tuple[StateTable, np.ndarray, np.ndarray]:
    """Table, parent and move of a side that knows its ends, numbered from 0, and nothing else."""
    count = len(ends)
    capacity = 256 + count + problem._move_count()
    table = state_table(capacity, ends.shape[1])
    for words in ends:
        insert_state(table, words)
    parent = np.zeros(capacity, np.uint32)
    parent[:count] = np.arange(count)
    return table, parent, np.zeros(capacity, path_type(problem))


def larger_side(side: Side, by_state: tuple[str, ...], now: int, room: int | None) -> Side | None:
    """The side with room for more states, in its table and the fields `by_state`; None when `room` bytes do not allow it."""
    rows = next_capacity(side.table, now, sum(getattr(side, name).itemsize for name in by_state), room)
    if rows is None:
        return None
    more: Side = side._replace(table=grown(side.table, rows), **{name: enlarged(getattr(side, name), rows) for name in by_state})
    return more


def named_arrays(name: str, value: Any) -> dict[str, np.ndarray]:
    """All arrays of a named tuple, through those inside it, by name."""
    if isinstance(value, np.ndarray):
        return {name: value}
    found: dict[str, np.ndarray] = {}
    for field, part in value._asdict().items():
        found |= named_arrays(f"{name}_{field}", part)
    return found


def with_arrays(name: str, value: Any, arrays: dict[str, np.ndarray]) -> Any:
    """A named tuple of the same form with the arrays of these names, which are taken out of `arrays`."""
    if isinstance(value, np.ndarray):
        return arrays.pop(name)
    return type(value)(*(with_arrays(f"{name}_{field}", part, arrays) for field, part in value._asdict().items()))


def way_back(engine: str, problem: Any, reverse: Any) -> Any:
    """The problem whose moves lead backward: `reverse`, or the problem itself when its moves can be taken back.

    Raises TypeError when there is neither.
    """
    name = problem_name(problem)
    if reverse is None:
        if not defines(problem, "inverse"):
            raise TypeError(f"{engine} requires inverse, which {name} does not define, or a problem for the way back: reverse=…")
        return problem
    require_operations(f"{engine} (reverse)", reverse, ("apply",))
    if reverse.integer_state != problem.integer_state:
        raise TypeError(f"the states of {name} and of the reverse problem {problem_name(reverse)} differ: integers and arrays")
    return reverse


def goal_words(problem: Any, goals: Any, view: View, words: int) -> np.ndarray:
    """One goal or several as rows of words, each once, in the order given.

    Raises TypeError or ValueError when there is none, or one that does not have the form of the start state.
    """
    several = not (_is_whole(goals) if problem.integer_state else isinstance(goals, np.ndarray) and goals.ndim == 1)
    if several and (isinstance(goals, (str, bytes)) or not isinstance(goals, Iterable)):
        raise TypeError(f"goals must be a state of {problem_name(problem)} or several, not {type(goals).__name__}")
    given = list(goals) if several else [goals]
    if not given:
        raise ValueError("there is no goal; give at least one state")
    rows = np.zeros((len(given), words), np.uint64)
    states = view(rows)
    for k, goal in enumerate(given):
        _write_goal(problem, states[k], goal, f"goal {k}" if several else "the goal")
    different: np.ndarray = rows[first_of_each(rows)]
    return different


def first_of_each(rows: np.ndarray) -> np.ndarray:
    """The places of the rows that differ from all before them, ascending."""
    _, first = np.unique(rows, axis=0, return_index=True)
    places: np.ndarray = np.sort(first)
    return places


def _write_goal(problem: Any, state: np.ndarray, goal: Any, which: str) -> None:
    """Write a goal into a state after a look at its form."""
    name = problem_name(problem)
    if problem.integer_state:
        if not _is_whole(goal):
            raise TypeError(f"the states of {name} are integers; {which} is {type(goal).__name__}")
        if not -(1 << 63) <= int(goal) < 1 << 63:
            raise TypeError(f"{which}, {goal}, does not fit into 64 bits")
        state[0] = int(goal)
        return
    if not isinstance(goal, np.ndarray) or goal.dtype.kind not in "iu":
        kind = goal.dtype if isinstance(goal, np.ndarray) else type(goal).__name__
        raise TypeError(f"the states of {name} are arrays of whole numbers; {which} is {kind}")
    if goal.shape != state.shape:
        raise ValueError(f"{which} has the shape {goal.shape}, the start {state.shape}")
    if not np.array_equal(goal.astype(state.dtype), goal):
        raise ValueError(f"{which} holds a number that {state.dtype}, the dtype of the start, cannot hold")
    state[:] = goal


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def require_return(problem: Any, back: Any, row: np.ndarray, view: View) -> None:
    """Raise BrokenProblem unless every one of the first moves of `problem` from a state has a move of `back` that takes it back.

    It tells a wrong `reverse` or `inverse` early, and costs next to nothing when a move is taken back by the one of its number.
    """
    with interpreting():
        forward, backward = exact((problem, back))
        moves = range(backward._move_count())
        for move in range(min(problem._move_count(), _TRIED_MOVES)):
            child = row.copy()
            cost = forward._apply(exact(view(child)), move)
            if cost >= 0 and all(
                paid != cost for paid, _ in _ways(backward, child, row, view, chain(moves[move : move + 1], moves))
            ):
                raise _no_way_back(backward)


def moves_along(problem: Any, rows: np.ndarray, view: View) -> tuple[int, ...]:
    """The cheapest move from each state to the next, of several the first. Raises BrokenProblem where there is none."""
    moves = []
    with interpreting():
        exact_problem = exact(problem)
        for i in range(len(rows) - 1):
            ways = _ways(exact_problem, rows[i], rows[i + 1], view, range(problem._move_count()))
            cheapest = min(ways, default=None)
            if cheapest is None:
                raise _no_way_back(problem)
            moves.append(cheapest[1])
    return tuple(moves)


def _ways(problem: Any, row: np.ndarray, following: np.ndarray, view: View, moves: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Cost and number of those of the moves that lead from one state to the other; for the interpreter."""
    child = row.copy()
    state = exact(view(child))
    for move in moves:
        child[:] = row
        cost = problem._apply(state, move)
        if cost != ILLEGAL and (child == following).all():
            yield cost, move


def _no_way_back(problem: Any) -> BrokenProblem:
    return BrokenProblem(
        f"a move is not taken back by any of {problem_name(problem)} at its cost: "
        "inverse, or the reverse problem, breaks its promise"
    )
