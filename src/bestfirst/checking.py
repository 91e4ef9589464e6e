"""`check_problem`: walk through random states of a problem in the interpreter and report every broken promise.

What an engine takes on trust – that `undo` undoes, that the bound never overestimates – is what makes its answers right. Each
promise in `Operations` is a method `check_…` here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from bestfirst import plain
from bestfirst.kernel import exact, interpreting, is_interpreting
from bestfirst.operations import ILLEGAL, MAX_COST, UNREACHABLE, defines, move_name
from bestfirst.result import Limits, Status
from bestfirst.search.a_star import a_star
from bestfirst.search.ida_star import ida_star

#: States looked at to find a true distance.
_SEARCH_NODES = 20_000

#: Nodes of the searches that are run compiled and interpreted.
_COMPARED_NODES = 2_000


class Finding(NamedTuple):
    """A broken promise (`is_error`) or something worth knowing, with the state where it shows."""

    is_error: bool
    operation: str
    message: str
    state: Any

    def __str__(self) -> str:
        return f"{'error' if self.is_error else 'note'}: {self.operation}: {self.message}; state {shown(self.state)}"


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
        head = f"{self.states} states checked: " + ("no error found" if self.ok else f"{len(self.errors)} errors")
        return "\n".join([head, *map(str, self.findings)])


def check_problem(
    problem: Any, *starts: Any, walks: int = 20, length: int = 30, seed: int = 0, distances: int = 10
) -> CheckReport:
    """Make random walks from the start states and report what contradicts the promises in `Operations`.

    Reported: an `undo` that does not undo, a wrong `inverse`, a `preview` that differs from `apply` and `lower_bound`, an `apply`
    that is not deterministic or changes the state of an illegal move, operations that change a state they should only look at,
    negative, huge or non-integer costs, a bound above the true distance (shown with the state), a bound above 0 in a goal,
    a `follows` that loses a state, numbers that reach the limit of the dtype; when nothing else is wrong, other results of
    short searches compiled than interpreted; as a note, a bound that is not consistent.

    `walks` walks of `length` moves are made from each start; the true distance is searched, within 20,000 nodes, from
    `distances` states. Runs in the interpreter; takes seconds. The same seed gives the same report.
    """
    if not starts:
        raise ValueError("give check_problem at least one start state")
    checker = _Checker(problem, random.Random(seed))
    with interpreting():
        for start in starts:
            for _ in range(walks):
                checker.walk(checker.own(start), length)
        checker.check_distances(distances)
    if not is_interpreting() and not checker.findings:
        checker.check_compiled(problem, starts[0])
    return CheckReport(len(checker.seen), tuple(checker.findings.values()))


def shown(state: Any) -> str:
    """A state as short text."""
    return np.array2string(np.asarray(state), separator=", ", threshold=40) if isinstance(state, np.ndarray) else repr(state)


class _Checker:
    def __init__(self, problem: Any, random_: random.Random) -> None:
        self.problem = exact(problem)
        self.random = random_
        self.findings: dict[tuple[str, str], Finding] = {}
        self.seen: dict[Any, Any] = {}  # by key: the states of the walks
        self.met: dict[Any, Any] = {}  # by key: the states of the searches for distances
        self.has: Callable[[str], bool] = lambda operation: defines(problem, operation)

    # states: own copies, equality, keys

    def own(self, state: Any) -> Any:
        """A copy that may be changed, read as exact integers."""
        return int(state) if self.problem.integer_state else exact(np.array(state))

    def key(self, state: Any) -> Any:
        return state if self.problem.integer_state else np.asarray(state).tobytes()

    def report(self, operation: str, message: str, state: Any, is_error: bool = True) -> None:
        kind = (operation, message.partition(":")[0])
        self.findings.setdefault(
            kind, Finding(is_error, operation, message, np.array(state) if not isinstance(state, int) else state)
        )

    def look(self, operation: str, state: Any, *args: Any) -> Any:
        """Call an operation that must not change the state."""
        before = self.key(state)
        result = getattr(self.problem, operation)(state, *args)
        if self.key(state) != before:
            self.report(operation, "changes the state, which it may only look at", state)
        return result

    def apply(self, state: Any, move: int) -> tuple[Any, int]:
        """The next state as a new value, and the cost."""
        if self.problem.integer_state:
            following, cost = self.problem.apply(state, move)
            return int(following), cost
        following = self.own(state)
        try:
            cost = self.problem.apply(following, move)
        except OverflowError as error:
            self.report("apply", f"writes a number that the state cannot hold: {error}; compiled, it would wrap", state)
            return self.own(state), ILLEGAL
        return following, cost

    def legal_moves(self, state: Any) -> Iterator[tuple[int, Any, int]]:
        for move in range(self.problem._move_count()):
            following, cost = self.apply(state, move)
            if cost != ILLEGAL:
                yield move, following, cost

    # the checks

    def walk(self, state: Any, length: int) -> None:
        last = None
        for _ in range(length):
            self.check_state(state)
            steps = []
            for move in range(self.problem._move_count()):
                following, cost = self.apply(state, move)
                self.check_move(state, move, following, cost)
                if cost != ILLEGAL:
                    steps.append((move, following, cost))
            if last is not None and self.has("follows"):
                self.check_follows(last, state, [step[0] for step in steps])
            if not steps:
                return
            move, following, cost = self.random.choice(steps)
            last = (state, move, cost)
            state = following

    def check_state(self, state: Any) -> None:
        if self.key(state) in self.seen:
            return
        self.seen[self.key(state)] = state
        goal = self.look("is_goal", state)
        if self.has("lower_bound"):
            bound = self.look("lower_bound", state)
            if not isinstance(bound, (int, np.integer)):
                self.report("lower_bound", f"returns {type(bound).__name__}, not a whole number", state)
            elif bound < 0:
                self.report("lower_bound", f"is negative: {bound}", state)
            elif goal and bound > 0:
                self.report("lower_bound", f"is above 0 in a goal: {bound}", state)
        if not self.problem.integer_state:
            limits = np.iinfo(np.asarray(state).dtype)
            if limits.bits < 64 and (np.asarray(state) == limits.max).any() and limits.max > 255:
                self.report(
                    "apply", f"reaches {limits.max}: the limit of {limits.dtype}, beyond which numbers wrap", state, False
                )

    def check_move(self, state: Any, move: int, following: Any, cost: Any) -> None:
        name = move_name(self.problem, move)
        again, same_cost = self.apply(state, move)
        if same_cost != cost or (cost != ILLEGAL and self.key(again) != self.key(following)):
            self.report("apply", f"is not deterministic: move {name} gives two results", state)
        if cost == ILLEGAL:
            if self.key(following) != self.key(state):
                self.report("apply", f"changes the state and returns ILLEGAL: move {name}", state)
        elif not isinstance(cost, (int, np.integer)):
            self.report("apply", f"returns a cost that is not a whole number: {cost!r} for move {name}", state)
        elif not 0 <= cost <= MAX_COST:
            self.report("apply", f"returns a cost outside 0 … 2^40 - 1: {cost} for move {name}", state)
        else:
            self.check_way_back(state, move, following, name)
        if self.has("preview"):
            self.check_preview(state, move, following, cost, name)

    def check_way_back(self, state: Any, move: int, following: Any, name: str) -> None:
        if self.has("undo"):
            undone = self.own(following)
            self.problem.undo(undone, move)
            if self.key(undone) != self.key(state):
                self.report("undo", f"does not restore the state: move {name}", state)
        if self.has("inverse"):
            back = self.problem.inverse(move)
            returned, cost = self.apply(following, back) if 0 <= back < self.problem._move_count() else (None, ILLEGAL)
            if cost == ILLEGAL or self.key(returned) != self.key(state):
                self.report("inverse", f"does not lead back: move {name}, then {back}", state)

    def check_preview(self, state: Any, move: int, following: Any, cost: Any, name: str) -> None:
        previewed, change = self.look("preview", state, move)
        if previewed != cost:
            self.report("preview", f"differs from apply in cost: move {name}, {previewed} and {cost}", state)
        elif cost != ILLEGAL and self.has("lower_bound"):
            expected = self.problem.lower_bound(following) - self.problem.lower_bound(state)
            if change != expected:
                self.report("preview", f"differs from lower_bound in the change: move {name}, {change} and {expected}", state)

    def check_follows(self, last: tuple[Any, int, int], state: Any, moves: list[int]) -> None:
        """A refused move must be the smaller one of two that commute."""
        before, last_move, last_cost = last
        for move in moves:
            if self.look("follows", state, last_move, move):
                continue
            target, cost = self.apply(state, move)
            first, first_cost = self.apply(before, move)
            other, other_cost = (None, ILLEGAL) if first_cost == ILLEGAL else self.apply(first, last_move)
            commutes = other_cost != ILLEGAL and self.key(other) == self.key(target)
            if not commutes or first_cost + other_cost > last_cost + cost or move >= last_move:
                pair = f"{move_name(self.problem, last_move)}, {move_name(self.problem, move)}"
                self.report("follows", f"refuses a move that no other order replaces: {pair}", before)

    def check_compiled(self, problem: Any, start: Any) -> None:
        """Compare short searches, compiled and interpreted: compiled numbers have 64 bits, and nobody looks at indices."""
        engines = [a_star, ida_star] if self.has("lower_bound") else [a_star]
        for engine in engines:
            found: list[tuple[Any, ...]] = []
            for compiled in (True, False):
                try:
                    solution = engine(problem, start, limits=Limits(nodes=_COMPARED_NODES), compiled=compiled)
                except ValueError as error:
                    found.append((str(error),))
                else:
                    s = solution.stats
                    found.append((solution.status, solution.cost, solution.moves, solution.bound, s.expanded, s.generated))
            if found[0] != found[1]:
                message = f"{engine.__name__} gives other results compiled than interpreted: do numbers wrap, or leave an array?"
                self.report("compiled", message, start)

    def check_distances(self, count: int) -> None:
        """Compare the bound with true distances, found without any bound."""
        if not self.has("lower_bound") or any(f.is_error and f.operation == "apply" for f in self.findings.values()):
            return  # wrong moves tell no distance
        keys = sorted(self.seen, key=repr)
        for key in self.random.sample(keys, min(count, len(keys))):
            self.check_distances_from(self.seen[key])

    def check_distances_from(self, state: Any) -> None:
        solution = plain.a_star(
            self.remember(state),
            lambda key: [(move, self.remember(child), cost) for move, child, cost in self.legal_moves(self.met[key])],
            lambda key: bool(self.problem.is_goal(self.met[key])),
            limits=Limits(nodes=_SEARCH_NODES),
        )
        if solution.status is not Status.OPTIMAL or solution.moves is None or solution.cost is None:
            return
        remaining, current = int(solution.cost), state
        self.check_bound(current, remaining)
        for move in solution.moves:
            following, cost = self.apply(current, move)
            self.check_consistency(current, cost, following)
            remaining, current = remaining - cost, following
            self.check_bound(current, remaining)

    def check_bound(self, state: Any, distance: int) -> None:
        bound = self.problem.lower_bound(state)
        if bound > distance:
            what = "UNREACHABLE" if bound >= UNREACHABLE else bound
            self.report("lower_bound", f"is above the true distance: {what}, but a goal is {distance} away", state)

    def check_consistency(self, state: Any, cost: int, following: Any) -> None:
        bound, rest = self.problem.lower_bound(state), self.problem.lower_bound(following)
        if bound > cost + rest:
            message = f"is not consistent: {bound}, and after a move of cost {cost} only {rest} (allowed; A* reopens)"
            self.report("lower_bound", message, state, is_error=False)

    def remember(self, state: Any) -> Any:
        key = self.key(state)
        self.met.setdefault(key, state)
        return key
