"""check_problem: one problem for each promise that can be broken, and none that keeps them all is accused."""

import random
from typing import NamedTuple

import numpy as np
import pytest

from bestfirst import check_problem
from problems import ILLEGAL, MAX_COST, UNREACHABLE, Pancakes, Switches, graph, numbers, problem, scrambled, shuffled, tiles

RIGHT = [
    (tiles(3, 2), scrambled(tiles(3, 2), random.Random(1), 30)),
    (Pancakes(4), shuffled(4, 1)),
    (Switches(np.array([1, 3, 6, 5]), np.array([1, 2, 1, 3]), 7), 0),
    (numbers(20, high=30), 5),
    (graph([[(1, 2), (0, 0)], [(2, 1)], []], {2}, [3, 1, 0]), 0),
]


@pytest.mark.parametrize(("instance", "start"), RIGHT, ids=lambda value: type(value).__name__)
def test_a_right_problem_is_not_accused(instance, start):
    report = check_problem(instance, start)
    assert report.ok
    assert report.errors == ()
    assert str(report).startswith(f"{report.states} states checked: no error found")
    assert check_problem(instance, start) == report or isinstance(start, np.ndarray)  # the same seed, the same report


class Walk(NamedTuple):
    """A right problem to be broken: a number from 0 to 20 in an array; up and down; goal 0."""

    top: int

    moves = 2

    def apply(self, state, move):
        if state[0] == (self.top if move == 0 else 0):
            return ILLEGAL
        state[0] += 1 if move == 0 else -1
        return 1

    def is_goal(self, state):
        return state[0] == 0


def lower_bound(self, state):
    return state[0]


def undo(self, state, move):
    state[0] += -1 if move == 0 else 1


def inverse(self, move):
    return 1 - move


def preview(self, state, move):
    if state[0] == (self.top if move == 0 else 0):
        return ILLEGAL, 0
    return 1, 1 if move == 0 else -1


def broken(**changes):
    """Walk with its optional operations, some of them changed or, with None, left out; and a start."""
    members = {"lower_bound": lower_bound, "undo": undo, "inverse": inverse, "preview": preview, **changes}
    cls = type("Broken", (Walk,), {name: member for name, member in members.items() if member is not None})
    return problem(cls)(20), np.array([10], np.int16)


def findings(**changes):
    instance, start = broken(**changes)
    return check_problem(instance, start)


def test_the_unbroken_walk_is_right():
    assert findings().findings == ()


def changing_illegal(self, state, move):
    state[0] = (state[0] + 1) % 21
    return ILLEGAL if move == 0 else 1


class Moody:
    calls = 0


def moody(self, state, move):
    Moody.calls += 1
    return 1 + Moody.calls % 2


def looks_and_touches(self, state):
    state[0] = max(0, state[0] - 1)
    return False


def costs(cost):
    def apply(self, state, move):
        state[0] = max(0, min(20, state[0] + (1 if move == 0 else -1)))
        return cost

    return apply


BROKEN = [
    ("undo does not undo", "undo", "does not restore the state", {"undo": lambda self, state, move: None}),
    ("wrong inverse", "inverse", "does not lead back", {"inverse": lambda self, move: move}),
    ("inverse out of range", "inverse", "does not lead back", {"inverse": lambda self, move: 7}),
    ("preview of the cost", "preview", "differs from apply in cost", {"preview": lambda self, state, move: (2, 0)}),
    (
        "preview allows",
        "preview",
        "differs from apply in cost",
        {"preview": lambda self, state, move: (1, 1 if move == 0 else -1)},
    ),
    (
        "preview of the bound",
        "preview",
        "differs from lower_bound",
        {"preview": lambda self, state, move: (preview(self, state, move)[0], 0)},
    ),
    (
        "bound too high",
        "lower_bound",
        "is above the true distance",
        {"lower_bound": lambda self, state: 2 * state[0], "preview": None},
    ),
    (
        "unreachable, in vain",
        "lower_bound",
        "above the true distance: UNREACHABLE",
        {"lower_bound": lambda self, state: UNREACHABLE if state[0] else 0, "preview": None},
    ),
    (
        "bound in a goal",
        "lower_bound",
        "is above 0 in a goal",
        {"lower_bound": lambda self, state: 1, "is_goal": lambda self, state: state[0] == 10, "preview": None},
    ),
    ("bound below 0", "lower_bound", "is negative", {"lower_bound": lambda self, state: -1, "preview": None}),
    ("bound no whole number", "lower_bound", "returns float", {"lower_bound": lambda self, state: state[0] / 2, "preview": None}),
    (
        "illegal but made",
        "apply",
        "changes the state and returns ILLEGAL",
        {"apply": changing_illegal, "lower_bound": None, "preview": None},
    ),
    (
        "not deterministic",
        "apply",
        "is not deterministic",
        {"apply": moody, "undo": None, "inverse": None, "preview": None, "lower_bound": None},
    ),
    (
        "negative cost",
        "apply",
        "cost outside 0 … 2^40 - 1: -1",
        {"apply": costs(-1), "undo": None, "inverse": None, "preview": None},
    ),
    ("huge cost", "apply", "cost outside", {"apply": costs(MAX_COST + 1), "undo": None, "inverse": None, "preview": None}),
    (
        "cost no whole number",
        "apply",
        "not a whole number: 1.5",
        {"apply": costs(1.5), "undo": None, "inverse": None, "preview": None},
    ),
    (
        "is_goal changes",
        "is_goal",
        "changes the state, which it may only look at",
        {"is_goal": looks_and_touches, "preview": None, "lower_bound": None},
    ),
    (
        "follows loses",
        "follows",
        "refuses a move that no other order replaces",
        {"follows": lambda self, state, last, move: move == last},
    ),
    (
        "follows loses a repeated move",
        "follows",
        "refuses a move that no other order replaces",
        {"follows": lambda self, state, last, move: move > last},
    ),
]


@pytest.mark.parametrize(("operation", "message", "changes"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_every_broken_promise_is_found(operation, message, changes):
    report = findings(**changes)
    assert not report.ok
    assert [finding for finding in report.errors if finding.operation == operation and message in finding.message], str(report)
    assert f"error: {operation}: " in str(report)


def test_an_inconsistent_bound_is_only_a_note():
    report = findings(lower_bound=lambda self, state: state[0] if state[0] % 2 else 0, preview=None)
    assert report.ok
    (note,) = report.findings
    assert "is not consistent" in note.message
    assert str(note).startswith("note: lower_bound")


def test_numbers_that_the_state_cannot_hold():
    instance, _ = broken()
    report = check_problem(instance._replace(top=1 << 20), np.array([32766], np.int16), distances=0, length=5, walks=3)
    (error,) = [finding for finding in report.errors if finding.operation == "apply"]
    assert "writes a number that the state cannot hold" in error.message
    (note,) = [finding for finding in report.findings if not finding.is_error]
    assert "32767: the limit of int16" in note.message


def test_the_finding_shows_the_state():
    report = findings(lower_bound=lambda self, state: 2 * state[0], preview=None)
    (finding,) = report.errors
    assert finding.state.shape == (1,)
    assert f"state [{finding.state[0]}]" in str(finding)


def test_a_start_is_needed():
    with pytest.raises(ValueError, match="at least one start"):
        check_problem(tiles(2, 2))


def test_nothing_is_changed():
    start = scrambled(tiles(3, 2), random.Random(5), 30)
    before = start.copy()
    check_problem(tiles(3, 2), start)
    assert (start == before).all()


def test_what_goes_wrong_only_when_compiled_is_found():
    """Integers of 64 bits wrap in compiled code; the interpreter's do not."""

    @problem(state=int)
    class Wraps(NamedTuple):
        factor: int

        moves = 1

        def apply(self, state, move):
            return state * self.factor % 1000003, 1

        def is_goal(self, state):
            return state == 1

    report = check_problem(Wraps((1 << 61) + 3), 7, walks=2, length=3)
    assert [finding.operation for finding in report.errors] == ["compiled"]
