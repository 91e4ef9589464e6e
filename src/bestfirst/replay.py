"""Make moves one by one in the interpreter, from the rules alone: for checking, for pictures, for stepping through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from bestfirst.kernel import exact, interpreting
from bestfirst.operations import ILLEGAL, problem_name


class IllegalMove(ValueError):
    """A replayed move is not allowed in the state it is made in."""


class BrokenProblem(ValueError):
    """The moves that a search found do not lead to a goal at their cost: an operation of the problem breaks its promise."""


def step(problem: Any, state: Any, move: int) -> tuple[Any, int]:
    """Return the state that `move` leads to (a new value) and the cost of the move.

    Raises IllegalMove when the problem refuses the move.
    """
    with interpreting():
        if problem.integer_state:
            following, cost = exact(problem).apply(int(state), move)
        else:
            following = exact(np.array(state))
            cost = exact(problem).apply(following, move)
            following = np.asarray(following)
    if cost == ILLEGAL:
        raise IllegalMove(f"move {move} is not allowed here")
    return following, int(cost)


def replay(problem: Any, start: Any, moves: Iterable[int]) -> Iterator[Any]:
    """Yield `start` and the state after each move."""
    state = start if problem.integer_state else np.array(start)
    yield state
    for move in moves:
        state, _ = step(problem, state, move)
        yield state


def cost_of(problem: Any, start: Any, moves: Iterable[int]) -> int:
    """Total cost of the moves, made from `start`."""
    total, state = 0, start
    for move in moves:
        state, cost = step(problem, state, move)
        total += cost
    return total


def verify(problem: Any, start: Any, moves: Iterable[int], cost: Any, goals: np.ndarray | None = None) -> None:
    """Raise BrokenProblem unless the moves, made in the interpreter from the rules alone, lead to a goal at this cost.

    `goals`: the states, one a row, that are the goals instead of those of the problem.
    """
    try:
        with interpreting():
            exact_problem = exact(problem)
            state = int(start) if problem.integer_state else exact(np.array(start))
            for move in moves:
                if problem.integer_state:
                    state, paid = exact_problem.apply(state, move)
                else:
                    paid = exact_problem.apply(state, move)
                cost -= int(paid)
            is_goal = bool(exact_problem.is_goal(state)) if goals is None else bool((goals == state).all(axis=1).any())
            stands = cost == 0 and is_goal
    except (OverflowError, IndexError):  # what wraps, or is read beside an array, in compiled code
        stands = False
    if not stands:
        name = problem_name(problem)
        raise BrokenProblem(
            f"the moves found do not lead to a goal of {name} at their cost; an operation breaks its promise "
            f"(see bestfirst.Operations): bestfirst.check_problem(problem, start) tells which"
        )
