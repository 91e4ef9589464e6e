"""Make moves one by one in the interpreter, from the rules alone: for checking, for pictures, for stepping through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from bestfirst.kernel import exact, interpreting
from bestfirst.operations import ILLEGAL


class IllegalMove(ValueError):
    """A replayed move is not allowed in the state it is made in."""


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
