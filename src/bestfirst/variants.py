"""A problem with other goals, or with moves banned, without a change to its class: for all engines alike."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from bestfirst.kernel import exact, interpreting
from bestfirst.operations import ILLEGAL, defines, move_name, problem


def without_moves(instance: Any, moves: Iterable[int | str]) -> Any:
    """The problem with these moves banned, given by number or by name.

    The bound of the problem stays a bound: with fewer moves nothing gets cheaper. `inverse` is left out when some move can
    then no longer be taken back, `canonical` always: states that were alike may now differ in what they can do.

    Raises ValueError for a move that does not exist.
    """
    count = instance._move_count()
    allowed = np.ones(count, np.uint8)
    for move in moves:
        number = _by_name(instance, move) if isinstance(move, str) else move
        if not 0 <= number < count:
            raise ValueError(f"there is no move {move!r}; the moves are numbered from 0 to {count - 1}")
        allowed[number] = 0
    left_out = () if _is_closed(instance, allowed) else ("inverse",)
    cls: Any = type(instance)
    apply = _allowed_integer_apply if cls.integer_state else _allowed_array_apply
    return _variant(cls, "without_moves", left_out, "allowed", "apply", apply)(instance, allowed)


def with_goals(instance: Any, goals: Any) -> Any:
    """The problem with one state, or each of a list of states, as its goal.

    Its own bound and symmetries (`lower_bound`, `preview`, `canonical`) are left out, since they belong to its own goals.
    Testing a state takes O(log goals) comparisons.

    Raises ValueError when there is no goal, TypeError for states of different length.
    """
    several = goals if isinstance(goals, (list, tuple)) else [goals]
    if not several:
        raise ValueError("with_goals needs at least one goal")
    rows = [np.atleast_1d(np.asarray(goal)) for goal in several]
    if len({row.shape for row in rows}) > 1 or any(row.ndim != 1 or row.dtype.kind not in "iu" for row in rows):
        raise TypeError("goals are states: integers, or integer arrays of one dimension and one length")
    table = np.unique(np.stack(rows).astype(np.int64), axis=0)
    cls: Any = type(instance)
    is_among = _integer_is_among if cls.integer_state else _array_is_among
    left_out = ("lower_bound", "upper_bound", "preview")
    return _variant(cls, "with_goals", left_out, "goals", "is_goal", is_among)(instance, table)


def _is_closed(instance: Any, allowed: np.ndarray) -> bool:
    """Whether every allowed move can be taken back by an allowed one."""
    if not defines(instance, "inverse"):
        return False
    with interpreting():
        inverses = [int(exact(instance).inverse(int(move))) for move in np.flatnonzero(allowed)]
    return all(0 <= inverse < len(allowed) and allowed[inverse] for inverse in inverses)


def _by_name(instance: Any, name: str) -> int:
    names = [move_name(instance, move) for move in range(instance._move_count())]
    if name not in names:
        raise ValueError(f"there is no move {name!r}; the moves are {', '.join(names[:20])}")
    return names.index(name)


@functools.cache
def _variant(cls: Any, name: str, left_out: tuple[str, ...], field: str, operation: str, method: Callable[..., Any]) -> Any:
    """The class of such variants of a problem class: it hands on what the problem defines, but for what is left out.

    `operation` is replaced by `method`, which reads the array `field`.
    """
    variant: Any = NamedTuple(f"{cls.__name__}_{name}", [("problem", Any), (field, np.ndarray)])  # type: ignore[misc]
    methods = {op: handing_on for op, handing_on in _HANDED_ON.items() if defines(cls, op) and op not in left_out}
    if "rank" in methods:
        methods["unrank"] = _integer_unrank if cls.integer_state else _array_unrank
    methods |= {operation: method, "move_count": _move_count, "move_name": _move_name}
    for op, implementation in methods.items():
        setattr(variant, op, implementation)
    return problem(state=int)(variant) if cls.integer_state else problem(variant)


def _move_count(self: Any) -> Any:
    return self.problem._move_count()


def _move_name(self: Any, move: int) -> str:
    return move_name(self.problem, move)


def _allowed_array_apply(self: Any, state: Any, move: Any) -> Any:
    return self.problem.apply(state, move) if self.allowed[move] else ILLEGAL


def _allowed_integer_apply(self: Any, state: Any, move: Any) -> Any:
    following, cost = self.problem.apply(state, move)
    return following, cost if self.allowed[move] else ILLEGAL


def _integer_is_among(self: Any, state: Any) -> Any:
    low = 0
    high = self.goals.shape[0]
    while low < high:
        middle = (low + high) // 2
        if self.goals[middle, 0] < state:
            low = middle + 1
        else:
            high = middle
    return low < self.goals.shape[0] and self.goals[low, 0] == state


def _array_is_among(self: Any, state: Any) -> Any:
    low = 0
    high = self.goals.shape[0]
    while low < high:
        middle = (low + high) // 2
        order = 0
        for i in range(len(state)):
            if self.goals[middle, i] != state[i]:
                order = -1 if self.goals[middle, i] < state[i] else 1
                break
        if order == 0:
            return True
        if order < 0:
            low = middle + 1
        else:
            high = middle
    return False


def _draw(self: Any, state: Any) -> str:
    return str(self.problem.draw(state))


def _apply(self: Any, state: Any, move: Any) -> Any:
    return self.problem.apply(state, move)


def _is_goal(self: Any, state: Any) -> Any:
    return self.problem.is_goal(state)


def _lower_bound(self: Any, state: Any) -> Any:
    return self.problem.lower_bound(state)


def _upper_bound(self: Any, state: Any) -> Any:
    return self.problem.upper_bound(state)


def _preview(self: Any, state: Any, move: Any) -> Any:
    cost, change = self.problem.preview(state, move)
    return (cost, change) if self.allowed[move] else (ILLEGAL, 0)


def _undo(self: Any, state: Any, move: Any) -> None:
    self.problem.undo(state, move)


def _inverse(self: Any, move: Any) -> Any:
    return self.problem.inverse(move)


def _follows(self: Any, state: Any, last: Any, move: Any) -> Any:
    return self.problem.follows(state, last, move)


def _state_count(self: Any) -> Any:
    return self.problem.state_count()


def _rank(self: Any, state: Any) -> Any:
    return self.problem.rank(state)


def _array_unrank(self: Any, rank: Any, state: Any) -> None:
    self.problem.unrank(rank, state)


def _integer_unrank(self: Any, rank: Any) -> Any:
    return self.problem.unrank(rank)


#: What variants take from the problem. Its symmetry (`canonical`) is that of its own goals and of all its moves.
_HANDED_ON = {
    "draw": _draw,
    "state_count": _state_count,
    "rank": _rank,
    "apply": _apply,
    "is_goal": _is_goal,
    "lower_bound": _lower_bound,
    "upper_bound": _upper_bound,
    "preview": _preview,
    "undo": _undo,
    "inverse": _inverse,
    "follows": _follows,
}
