"""`check_problem`: walk through random states of a problem in the interpreter and report every broken promise.

What an engine takes on trust – that `undo` undoes, that the bound never overestimates – is what makes its answers right. Each
promise in `Operations` is a method `check_…` here.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from bestfirst import plain
from bestfirst.kernel import CompileError, Int, as_move, exact, interpreting, is_interpreting, kernel
from bestfirst.operations import ILLEGAL, MAX_COST, NO_MOVE, UNREACHABLE, defines, move_name
from bestfirst.result import Limits, Status
from bestfirst.search.compiled import require_operations, state_words

#: States looked at to find a true distance.
_SEARCH_NODES = 20_000

#: States in which operations are run compiled and interpreted.
_COMPARED_STATES = 200

_WHOLE = (int, np.integer)


class Finding(NamedTuple):
    """A broken promise (`is_error`) or something worth knowing, with the state and the move where it shows."""

    is_error: bool
    operation: str
    message: str
    state: Any
    move: int | None = None

    def __str__(self) -> str:
        where = f"state {shown(self.state)}" + ("" if self.move is None else f", move {self.move}")
        return f"{'error' if self.is_error else 'note'}: {self.operation}: {self.message}; {where}"


class CheckReport(NamedTuple):
    """What `check_problem` found: at most one finding of each kind, the first met."""

    states: int
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that make answers wrong."""
        return tuple(finding for finding in self.findings if finding.is_error)

    @property
    def ok(self) -> bool:
        """Whether no error was found."""
        return not self.errors

    def __str__(self) -> str:
        count = len(self.errors)
        head = f"{self.states} states checked: " + (f"{count} error{'s' * (count > 1)}" if count else "no error found")
        return "\n".join([head, *map(str, self.findings)])


def check_problem(
    problem: Any, *starts: Any, walks: int = 20, length: int = 30, seed: int = 0, distances: int = 10
) -> CheckReport:
    """Make random walks from the start states and report what contradicts the promises in `Operations`.

    Errors: an `undo` that does not undo; a wrong `inverse`; a `canonical` that takes different states for alike; a `preview`
    that differs from `apply` and `lower_bound`; a `follows` that loses a state; a `rank` outside the space, or that `unrank`
    does not take back; a bound above the true distance (shown with both), above 0 in a goal, or negative; costs that are
    negative, huge or no whole numbers; numbers that do not fit into the state, or integer states beyond 64 bits; an operation
    that gives two results for one state, changes a state that it should only look at, writes into an array of the problem's
    fields, or raises an exception; an `apply` that changes the state of an illegal move, or never changes any; when nothing
    else is wrong, an operation that cannot be compiled or gives another result compiled than interpreted.
    Notes: a bound that is not consistent; numbers that reach the limit of the state's dtype.

    `walks` walks of `length` moves are made from each start; the true distance is searched, within 20,000 nodes, from
    `distances` states. Runs in the interpreter; takes seconds. The same seed gives the same report, and each finding holds the
    state and the move to try it with. Raises TypeError for what is not a problem, or a start of the wrong form.
    """
    require_operations("check_problem", problem, ("apply", "is_goal"))
    if not starts:
        raise ValueError("give check_problem at least one start state")
    for start in starts:
        state_words(problem, start)
    checker = _Checker(problem, random.Random(seed))
    with interpreting():
        for start in starts:
            for _ in range(walks):
                checker.walk(checker.own(start), length)
        checker.check_changes(checker.own(starts[0]))
        checker.check_distances(distances)
    if not is_interpreting() and not any(finding.is_error for finding in checker.findings.values()):
        checker.check_compiled(problem)
    return CheckReport(len(checker.seen), tuple(checker.findings.values()))


def shown(state: Any) -> str:
    """A state as short text."""
    return np.array2string(np.asarray(state), separator=", ", threshold=40) if isinstance(state, np.ndarray) else repr(state)


class _Broken(Exception):
    """An operation failed, and that was reported: the check at hand cannot go on."""


def _guarded(value: Any) -> Any:
    """A field of a problem as exact integers that cannot be written."""
    if isinstance(value, np.ndarray):
        view = exact(value)
        view.flags.writeable = False
        return view
    if isinstance(value, tuple):
        parts = map(_guarded, value)
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


class _Checker:
    def __init__(self, problem: Any, random_: random.Random) -> None:
        self.problem = _guarded(problem)
        self.random = random_
        self.findings: dict[tuple[str, str], Finding] = {}
        self.seen: dict[Any, Any] = {}  # by key: the states of the walks
        self.last: dict[Any, int] = {}  # by key: the move that led there
        self.met: dict[Any, Any] = {}  # by key: the states of the searches for distances
        self.tried = self.changed = False  # whether a move was allowed; whether one led to another state
        self.has: Callable[[str], bool] = lambda operation: defines(problem, operation)

    # states: own copies, equality, keys

    def own(self, state: Any) -> Any:
        """A copy that may be changed, read as exact integers."""
        return int(state) if self.problem.integer_state else exact(np.array(state))

    def key(self, state: Any) -> Any:
        return state if self.problem.integer_state else np.asarray(state).tobytes()

    def report(self, operation: str, message: str, state: Any, move: int | None = None, is_error: bool = True) -> None:
        kind = (operation, message.partition(":")[0])
        state = np.array(state) if not isinstance(state, int) else state
        self.findings.setdefault(kind, Finding(is_error, operation, message, state, move))

    # calling operations

    def call(self, operation: str, before: Any, *args: Any, move: int | None = None) -> Any:
        """Call an operation; what it raises is reported, with the state as it was before."""
        try:
            return getattr(self.problem, operation)(*args)
        except OverflowError as error:
            self.report(operation, f"writes a number that the state cannot hold: {error}; compiled, it would wrap", before, move)
        except Exception as error:
            if "read-only" in str(error):
                message = "writes into an array of the problem's fields: all states share them"
            else:
                message = f"raises {type(error).__name__}: {error}"
            self.report(operation, message, before, move)
        raise _Broken

    def look(self, operation: str, state: Any, *args: Any, move: int | None = None) -> Any:
        """Call an operation that must not change the state, twice."""
        before = self.own(state)
        result = self.call(operation, before, state, *args, move=move)
        if self.key(state) != self.key(before):
            self.report(operation, "changes the state, which it may only look at", before, move)
            raise _Broken
        again = self.call(operation, before, state, *args, move=move)
        if repr(again) != repr(result):
            self.report(operation, f"is not deterministic: {result}, then {again}", before, move)
        return result

    def goal(self, state: Any) -> bool:
        result = self.look("is_goal", state)
        if not isinstance(result, (*_WHOLE, np.bool_)):
            self.report("is_goal", f"returns neither True nor False: {result!r}", state)
            raise _Broken
        return bool(result)

    def bound(self, state: Any) -> int:
        result = self.look("lower_bound", state)
        if not isinstance(result, _WHOLE):
            self.report("lower_bound", f"returns {type(result).__name__}, not a whole number", state)
            raise _Broken
        return int(result)

    def pair(self, operation: str, result: Any, what: str, state: Any, move: int) -> tuple[Any, Any]:
        if isinstance(result, tuple) and len(result) == 2:
            return result
        self.report(operation, f"must return two numbers, {what}: not {result!r}", state, move)
        raise _Broken

    def apply(self, state: Any, move: int) -> tuple[Any, int]:
        """The next state as a new value, and the cost."""
        following = self.own(state)
        cost = self.call("apply", state, following, move, move=move)
        if self.problem.integer_state:
            following, cost = self.pair("apply", cost, "the next state and the cost", state, move)
        if not isinstance(cost, _WHOLE):
            self.report("apply", f"returns a cost that is not a whole number: {cost!r}", state, move)
            raise _Broken
        if not self.problem.integer_state or cost == ILLEGAL:
            return (state if self.problem.integer_state else following), int(cost)
        if not isinstance(following, _WHOLE):
            self.report("apply", f"leads to a state that is no whole number: {following!r}", state, move)
            raise _Broken
        if not -(1 << 63) <= following < 1 << 63:
            self.report("apply", f"leads to a state that does not fit into 64 bits: {following}", state, move)
            raise _Broken
        return int(following), int(cost)

    def legal_moves(self, state: Any) -> Iterator[tuple[int, Any, int]]:
        for move in range(self.problem._move_count()):
            following, cost = self.apply(state, move)
            if cost != ILLEGAL:
                yield move, following, cost

    # the checks

    def walk(self, state: Any, length: int) -> None:
        last = None
        for _ in range(length):
            with contextlib.suppress(_Broken):
                self.check_state(state)
            steps = []
            for move in range(self.problem._move_count()):
                with contextlib.suppress(_Broken):
                    following, cost = self.apply(state, move)
                    if cost != ILLEGAL:
                        steps.append((move, following, cost))
                    self.check_move(state, move, following, cost)
            if last is not None and self.has("follows"):
                with contextlib.suppress(_Broken):
                    self.check_follows(last, state, [step[0] for step in steps])
            if not steps:
                return
            move, following, cost = self.random.choice(steps)
            last = (state, move, cost)
            state = following
            self.last.setdefault(self.key(state), move)

    def check_state(self, state: Any) -> None:
        if self.key(state) in self.seen:
            return
        self.seen[self.key(state)] = self.own(state)
        goal = self.goal(state)
        if self.has("lower_bound"):
            self.check_bound_alone(state, goal)
        if self.has("canonical"):
            self.check_canonical(state, goal)
        if self.has("rank"):
            self.check_rank(state)
        if not self.problem.integer_state:
            limits = np.iinfo(np.asarray(state).dtype)
            if limits.bits < 64 and (np.asarray(state) == limits.max).any() and limits.max > 255:
                message = f"reaches {limits.max}: the limit of {limits.dtype}, beyond which numbers wrap"
                self.report("apply", message, state, is_error=False)

    def check_rank(self, state: Any) -> None:
        """The number of a state must lead back to it, whatever the array held before."""
        number = self.look("rank", state)
        count = self.call("state_count", state)
        if not isinstance(number, _WHOLE) or not isinstance(count, _WHOLE):
            self.report("rank", f"rank and state_count must return whole numbers, not {number!r} and {count!r}", state)
        elif not 0 <= number < count:
            self.report("rank", f"is outside 0 … state_count - 1: {number}, state_count is {count}", state)
        elif self.problem.integer_state:
            again = self.call("unrank", state, int(number))
            if again != state:
                self.report("unrank", f"does not take rank back: the number is {number}, its state {again!r}", state)
        else:
            for fill in (0, 1):
                again = self.own(np.full_like(np.asarray(state), fill))
                self.call("unrank", state, int(number), again)
                if self.key(again) != self.key(state):
                    self.report("unrank", f"does not take rank back: the number is {number}, its state {shown(again)}", state)

    def check_bound_alone(self, state: Any, is_goal: bool) -> None:
        bound = self.bound(state)
        if bound < 0:
            self.report("lower_bound", f"is negative: {bound}", state)
        elif bound > UNREACHABLE:
            self.report("lower_bound", f"is above UNREACHABLE, 2^61: {bound}; compiled, it may wrap", state)
        elif is_goal and bound > 0:
            self.report("lower_bound", f"is above 0 in a goal: {bound}", state)

    def check_canonical(self, state: Any, is_goal: bool) -> None:
        """A state and its representative are both goals or neither; their moves lead to the same classes at the same costs."""
        like = self.representative(state)
        if self.key(self.representative(like)) != self.key(like):
            self.report("canonical", f"changes its own result: {shown(like)}", state)
        elif self.goal(like) != is_goal:
            self.report("canonical", f"takes a goal and another state for alike: {shown(like)}", state)
        elif self.classes_around(like) != self.classes_around(state):
            self.report("canonical", f"takes states for alike whose moves lead elsewhere or differ in cost: {shown(like)}", state)

    def representative(self, state: Any) -> Any:
        """The canonical form of a state, as a new value."""
        like = self.own(state)
        result = self.call("canonical", state, like)
        if not self.problem.integer_state:
            return like
        if not isinstance(result, _WHOLE):
            self.report("canonical", f"returns {type(result).__name__}, not a state", state)
            raise _Broken
        return int(result)

    def classes_around(self, state: Any) -> set[tuple[Any, int]]:
        """The classes that the moves lead to, each with the least cost."""
        least: dict[Any, int] = {}
        for _, following, cost in self.legal_moves(state):
            key = self.key(self.representative(following))
            least[key] = min(cost, least.get(key, cost))
        return set(least.items())

    def check_move(self, state: Any, move: int, following: Any, cost: Any) -> None:
        name = move_name(self.problem, move)
        again, same_cost = self.apply(state, move)
        if same_cost != cost or (cost != ILLEGAL and self.key(again) != self.key(following)):
            self.report("apply", f"is not deterministic: move {name} gives two results", state, move)
        if cost == ILLEGAL:
            if self.key(following) != self.key(state):
                self.report("apply", f"changes the state and returns ILLEGAL: move {name}", state, move)
        elif not 0 <= cost <= MAX_COST:
            self.report("apply", f"returns a cost outside 0 … 2^40 - 1: {cost} for move {name}", state, move)
        else:
            self.tried = True
            self.changed = self.changed or self.key(following) != self.key(state)
            self.check_way_back(state, move, following, name)
        if self.has("preview"):
            self.check_preview(state, move, following, cost, name)

    def check_changes(self, start: Any) -> None:
        if self.tried and not self.changed:
            how = (
                "return the next state" if self.problem.integer_state else "write into it, as in state[i] = …; state = … does not"
            )
            self.report("apply", f"never changes a state: {how}", start)

    def check_way_back(self, state: Any, move: int, following: Any, name: str) -> None:
        if self.has("undo"):
            undone = self.own(following)
            self.call("undo", following, undone, move, move=move)
            if self.key(undone) != self.key(state):
                self.report("undo", f"does not restore the state: move {name}", state, move)
        if self.has("inverse"):
            back = self.call("inverse", state, move, move=move)
            possible = isinstance(back, _WHOLE) and 0 <= back < self.problem._move_count()
            returned, cost = self.apply(following, int(back)) if possible else (None, ILLEGAL)
            if cost == ILLEGAL or self.key(returned) != self.key(state):
                self.report("inverse", f"does not lead back: move {name}, then {back}", state, move)

    def check_preview(self, state: Any, move: int, following: Any, cost: Any, name: str) -> None:
        result = self.look("preview", state, move, move=move)
        previewed, change = self.pair("preview", result, "the cost and the change of the bound", state, move)
        if previewed != cost:
            self.report("preview", f"differs from apply in cost: move {name}, {previewed} and {cost}", state, move)
        elif cost != ILLEGAL and self.has("lower_bound"):
            expected = self.bound(following) - self.bound(state)
            if change != expected:
                message = f"differs from lower_bound in the change: move {name}, {change} and {expected}"
                self.report("preview", message, state, move)

    def check_follows(self, last: tuple[Any, int, int], state: Any, moves: list[int]) -> None:
        """A refused move must be the smaller one of two that commute."""
        before, last_move, last_cost = last
        for move in moves:
            if self.look("follows", state, last_move, move, move=move):
                continue
            target, cost = self.apply(state, move)
            first, first_cost = self.apply(before, move)
            other, other_cost = (None, ILLEGAL) if first_cost == ILLEGAL else self.apply(first, last_move)
            commutes = other_cost != ILLEGAL and self.key(other) == self.key(target)
            if not commutes or first_cost + other_cost > last_cost + cost or move >= last_move:
                pair = f"{move_name(self.problem, last_move)}, then {move_name(self.problem, move)} ({move})"
                self.report("follows", f"refuses a move that no other order replaces: {pair}", before, last_move)

    def check_compiled(self, problem: Any) -> None:
        """Compare operations compiled and interpreted: compiled numbers have 64 bits, and nobody looks at indices."""
        for key, state in list(self.seen.items())[:_COMPARED_STATES]:
            last = self.last.get(key, NO_MOVE)
            for move in range(self.problem._move_count()):
                try:
                    compiled = _results(problem, state, last, move)
                    with interpreting():
                        interpreted = _results(self.problem, state, last, move)
                except CompileError as error:
                    self.report("compiled", str(error), state, move)
                    return
                except OverflowError as error:
                    self.report("compiled", f"a number leaves 64 bits: {error}", state, move)
                    return
                for operation, one, other in zip(_COMPARED, compiled, interpreted, strict=True):
                    if one != other and (operation != "preview" or self.has("preview")):
                        message = f"differs compiled: {one}, and interpreted {other}; do numbers wrap, or leave an array?"
                        self.report(operation, message, state, move)

    def check_distances(self, count: int) -> None:
        """Compare the bound with true distances, found without any bound."""
        if not self.has("lower_bound") or any(f.is_error and f.operation == "apply" for f in self.findings.values()):
            return  # wrong moves tell no distance
        keys = sorted(self.seen, key=repr)
        for key in self.random.sample(keys, min(count, len(keys))):
            with contextlib.suppress(_Broken):
                self.check_distances_from(self.seen[key])

    def check_distances_from(self, state: Any) -> None:
        solution = plain.a_star(
            self.remember(state),
            lambda key: [(move, self.remember(child), cost) for move, child, cost in self.legal_moves(self.met[key])],
            lambda key: self.goal(self.met[key]),
            limits=Limits(nodes=_SEARCH_NODES),
        )
        if solution.status is not Status.OPTIMAL or solution.moves is None or solution.cost is None:
            return
        remaining, current = int(solution.cost), state
        self.check_bound(current, remaining)
        for move in solution.moves:
            following, cost = self.apply(current, move)
            self.check_consistency(current, move, cost, following)
            remaining, current = remaining - cost, following
            self.check_bound(current, remaining)

    def check_bound(self, state: Any, distance: int) -> None:
        bound = self.bound(state)
        if bound > distance:
            what = "UNREACHABLE" if bound >= UNREACHABLE else bound
            self.report("lower_bound", f"is above the true distance: {what}, but a goal is {distance} away", state)

    def check_consistency(self, state: Any, move: int, cost: int, following: Any) -> None:
        bound, rest = self.bound(state), self.bound(following)
        if bound > cost + rest:
            message = f"is not consistent: {bound}, and after a move of cost {cost} only {rest} (allowed; A* reopens)"
            self.report("lower_bound", message, state, move, is_error=False)

    def remember(self, state: Any) -> Any:
        key = self.key(state)
        self.met.setdefault(key, state)
        return key


# --- compiled and interpreted -------------------------------------------------------------------------------------------

#: The operations whose results `_results` returns, in its order.
_COMPARED = ("apply", "apply", "undo", "preview", "preview", "lower_bound", "is_goal", "inverse", "follows", "upper_bound")


def _results(problem: Any, state: Any, last: int, move: int) -> list[Any]:
    """What the operations say about a move: compiled, or interpreted inside `interpreting`."""
    before = np.array([state]) if problem.integer_state else np.array(state)
    after, back = before.copy(), before.copy()
    numbers = np.zeros(8, np.int64)
    arguments = (problem, before, last, move, after, back, before.copy().reshape(1, -1), numbers)
    look_at_move(*(exact(arguments) if is_interpreting() else arguments))
    cost, *others = numbers.tolist()
    return [cost, after.tolist(), back.tolist(), *others]


@kernel
def look_at_move(problem: Any, state: Any, last: Int, move: Int, after: Any, back: Any, saved: Any, numbers: Any) -> None:
    """Call every operation as engines do. `after`: the state after `move`; `back`: the move undone; `numbers`: the results."""
    last, move = as_move(last), as_move(move)
    bound = problem._lower_bound(state)
    numbers[1], numbers[2] = problem._child_bound(state, move, bound, back)
    numbers[3] = bound
    numbers[4] = problem._is_goal(state)
    numbers[7] = problem._upper_bound(state)
    numbers[5] = move == problem._back(last)
    numbers[6] = problem._follows(state, last, move)
    problem._save(state, saved, 0)
    numbers[0] = problem._apply(after, move)
    for i in range(state.shape[0]):
        back[i] = after[i]
    if numbers[0] >= 0:
        problem._restore(back, move, saved, 0)
