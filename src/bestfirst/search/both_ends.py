"""What the engines share that search from both ends: the goals, the way back, the moves along the way back.

words   (states, W) uint64: states, one a row, as the tables hold them; `view` reads them in the dtype and length of the start
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from bestfirst.kernel import exact, interpreting
from bestfirst.operations import ILLEGAL, defines, problem_name
from bestfirst.replay import BrokenProblem
from bestfirst.search.compiled import require_operations

View = Callable[[np.ndarray], np.ndarray]

#: How many moves from either end are tried for a way back before a search begins.
_TRIED_MOVES = 64


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
        for move in range(min(problem._move_count(), _TRIED_MOVES)):
            child = row.copy()
            if forward._apply(exact(view(child)), move) >= 0:
                _move_between(backward, child, row, view, first=move)


def moves_along(problem: Any, rows: np.ndarray, view: View) -> tuple[int, ...]:
    """The moves from each state to the next, of several the first. Raises BrokenProblem where there is none."""
    with interpreting():
        exact_problem = exact(problem)
        return tuple(_move_between(exact_problem, rows[i], rows[i + 1], view, first=0) for i in range(len(rows) - 1))


def _move_between(problem: Any, row: np.ndarray, following: np.ndarray, view: View, first: int) -> int:
    """A move from one state to another, the one numbered `first` if possible; for the interpreter."""
    child = row.copy()
    state = exact(view(child))
    moves = problem._move_count()
    for move in (first, *range(moves)):
        child[:] = row
        if move < moves and problem._apply(state, move) != ILLEGAL and (child == following).all():
            return int(move)
    raise BrokenProblem(
        f"a move is not taken back by any of {problem_name(problem)}: inverse, or the reverse problem, breaks its promise"
    )
