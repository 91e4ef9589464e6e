"""check_problem: one problem for each promise that can be broken, and none that keeps them all is accused."""

import random
import re
from typing import NamedTuple

import numpy as np
import pytest

from bestfirst import breadth_first, check_problem
from bestfirst.kernel import kernel
from problems import ILLEGAL, MAX_COST, UNREACHABLE, Pancakes, Switches, graph, numbers, problem, scrambled, shuffled, tiles

pytestmark = pytest.mark.slow  # compiles many problems

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
    (error,) = report.errors
    assert (error.operation, error.move) == ("apply", 0)
    assert "differs compiled" in error.message
    compiled, exact = (int(number) for number in re.findall(r"\[(-?\d+)\]", error.message))
    assert exact == error.state * ((1 << 61) + 3) % 1000003 != compiled


def no_change(self, state, move):
    state = state + 1
    return 1


def writes_fields(self, state, move):
    self.table[0] = state[0]
    return 1


def writes_fields_within(self, state):
    self.pair[1][0] += 1
    return False


class Fielded(NamedTuple):
    """Walk with arrays among its fields."""

    top: int
    table: np.ndarray
    pair: tuple

    moves = 2

    def apply(self, state, move):
        state[0] = self.table[(state[0] + move) % 4]
        return 1

    def is_goal(self, state):
        return state[0] == 0


def fielded(**changes):
    cls = type("Changed", (Fielded,), changes)
    return problem(cls)(20, np.array([1, 2, 3, 0], np.int16), (1, np.array([1]))), np.array([2], np.int16)


def test_fields_stay_as_they_are():
    assert check_problem(*fielded()).findings == ()
    for operation, member in [("apply", writes_fields), ("is_goal", writes_fields_within)]:
        instance, start = fielded(**{operation: member})
        (error,) = check_problem(instance, start).errors
        assert (error.operation, error.state.tolist()) == (operation, [2])
        assert "writes into an array of the problem's fields" in error.message
        assert instance.table.tolist() == [1, 2, 3, 0]
        assert instance.table.flags.writeable


MORE = [
    ("never changes", "apply", "never changes a state", {"apply": no_change, "undo": None, "inverse": None, "preview": None}),
    ("raises", "apply", "raises ZeroDivisionError", {"apply": lambda self, state, move: 1 // 0}),
    ("index beyond", "lower_bound", "raises IndexError", {"lower_bound": lambda self, state: state[1]}),
    ("cost None", "apply", "a cost that is not a whole number: None", {"apply": lambda self, state, move: None}),
    ("cost tuple", "apply", "not a whole number: (1, 2)", {"apply": lambda self, state, move: (1, 2)}),
    ("cost array", "apply", "not a whole number: ExactArray", {"apply": lambda self, state, move: state}),
    ("goal None", "is_goal", "returns neither True nor False: None", {"is_goal": lambda self, state: None}),
    ("goal array", "is_goal", "returns neither True nor False", {"is_goal": lambda self, state: state == 0}),
    ("bound beyond 64 bits", "lower_bound", "is above UNREACHABLE", {"lower_bound": lambda self, state: state[0] << 62}),
    ("preview one number", "preview", "must return two numbers", {"preview": lambda self, state, move: 1}),
    ("preview changes", "preview", "changes the state", {"preview": lambda self, state, move: (self.apply(state, move), 1)}),
    ("inverse None", "inverse", "does not lead back", {"inverse": lambda self, move: None}),
    ("float written", "apply", "a float is written", {"apply": lambda self, state, move: state.__setitem__(0, 0.5)}),
    (
        "undo overflows",
        "undo",
        "writes a number that the state cannot hold",
        {"undo": lambda self, state, move: state.fill(1 << 20)},
    ),
]


@pytest.mark.parametrize(("operation", "message", "changes"), [row[1:] for row in MORE], ids=[row[0] for row in MORE])
def test_more_broken_promises_are_found(operation, message, changes):
    report = findings(**changes)
    assert [finding for finding in report.errors if finding.operation == operation and message in finding.message], str(report)


def count_up():
    Moody.calls += 1
    return Moody.calls


@pytest.mark.parametrize(
    ("operation", "member"),
    [
        ("is_goal", lambda self, state: count_up() % 3 == 0),
        ("lower_bound", lambda self, state: count_up()),
        ("preview", lambda self, state, move: (1, count_up())),
        ("follows", lambda self, state, last, move: count_up() % 3 == 0),
    ],
)
def test_every_operation_must_be_deterministic(operation, member):
    report = findings(**{operation: member})
    assert [error for error in report.errors if error.operation == operation and "is not deterministic" in error.message]


@pytest.mark.parametrize(
    "row", [row for row in BROKEN if row[1] in ("undo", "inverse", "preview") or (row[1] == "apply" and "not det" not in row[2])]
)
def test_a_finding_can_be_tried_again(row):
    """The state and the move that are shown are those where the promise breaks."""
    _, operation, _, changes = row
    instance, start = broken(**changes)
    (error,) = [finding for finding in check_problem(instance, start).errors if finding.operation == operation]
    again = check_problem(instance, np.array(error.state), walks=1, length=1, distances=0)
    assert any(finding.move == error.move for finding in again.errors if finding.operation == operation)
    assert f"move {error.move}" in str(error)


def integers(apply):
    return problem(state=int)(
        type(
            "Integers",
            (NamedTuple("Base", [("n", int)]),),
            {"moves": 1, "apply": apply, "is_goal": lambda self, state: state == 7},
        )
    )(3)


@pytest.mark.parametrize(
    ("apply", "message"),
    [
        (lambda self, state, move: (state << 40, 1), "a state that does not fit into 64 bits"),
        (lambda self, state, move: (state / 2, 1), "a state that is no whole number: 0.5"),
        (lambda self, state, move: 1, "must return two numbers, the next state and the cost"),
        (lambda self, state, move: (1, 2, 3), "must return two numbers"),
        (lambda self, state, move: (state, 1), "never changes a state"),
        (lambda self, state, move: (state + 1, None), "not a whole number: None"),
    ],
)
def test_integer_states(apply, message):
    (error,) = check_problem(integers(apply), 1).errors
    assert (error.operation, message in error.message) == ("apply", True), str(error)


def is_exact(move):
    """Whether a product beyond 64 bits is what it is: true interpreted, false compiled."""
    return (move + (1 << 61)) * 8 > (1 << 62)


WRAPPING = {
    "lower_bound": lambda self, state: 0 if is_exact(state[0]) else 1,
    "preview": lambda self, state, move: (1, 0 if is_exact(move) else 1),
    "undo": lambda self, state, move: undo_by(state, move if is_exact(move) else 1 - move),
    "inverse": lambda self, move: 1 - move if is_exact(move) else move,
    "follows": lambda self, state, last, move: is_exact(move),
    "is_goal": lambda self, state: not is_exact(state[0]),
}


def undo_by(state, move):
    state[0] += -1 if move == 0 else 1


@pytest.mark.parametrize("operation", WRAPPING)
def test_the_operation_that_differs_compiled_is_named(operation, monkeypatch):
    def apply(self, state, move):
        state[0] += 1 if move == 0 else -1
        return 1

    for name in ("is_exact", "undo_by"):
        monkeypatch.setitem(globals(), name, kernel(globals()[name]))
    never = {"is_goal": lambda self, state: False, "lower_bound": None, "preview": None}
    instance, _ = broken(**{**never, "apply": apply, operation: WRAPPING[operation]})
    (error,) = check_problem(instance, np.array([10], np.int64), distances=0).errors
    assert (error.operation, "differs compiled" in error.message) == (operation, True), str(error)


def plain_step(state, move):
    state[0] = (state[0] + move) % 21


def test_what_cannot_be_compiled_is_a_finding():
    def apply(self, state, move):
        plain_step(state, move)
        return 1

    instance, start = broken(apply=apply, undo=None, inverse=None, preview=None, lower_bound=None)
    (error,) = check_problem(instance, start).errors
    assert error.operation == "compiled"
    assert "Broken.apply cannot be compiled: it calls plain_step" in str(error)


def test_only_problems_and_their_states_are_checked():
    with pytest.raises(TypeError, match="is not a problem"):
        check_problem(3, 1)
    with pytest.raises(TypeError, match="are arrays; the start is list"):
        check_problem(broken()[0], [1])


# --- symmetry -----------------------------------------------------------------------------------------------------------------


@problem(state=int)
class Signs(NamedTuple):
    """A number to bring to 0 by steps of 1; its sign does not matter."""

    limit: int
    fault: int  #: 0: right; 1: forgets a step; 2: takes 1 for 0; 3: never settles

    move_names = "+-"

    def apply(self, state, move):
        following = state + 1 - 2 * move
        return following, 1 if abs(following) <= self.limit else ILLEGAL

    def is_goal(self, state):
        return state == 0

    def canonical(self, state):
        if self.fault == 1 and state == 4:
            return 5
        if self.fault == 2 and state == 1:
            return 0
        if self.fault == 3:
            return -state
        return abs(state)


@pytest.mark.parametrize(
    ("fault", "message"),
    [(1, "whose moves lead elsewhere"), (2, "takes a goal and another state for alike"), (3, "changes its own")],
)
def test_a_wrong_canonical_is_found(fault, message):
    errors = check_problem(Signs(9, fault), 6).errors
    assert any(finding.operation == "canonical" and message in finding.message for finding in errors)


def test_a_right_canonical_is_not_blamed():
    assert check_problem(Signs(9, 0), 6).ok
    assert breadth_first(Signs(9, 0), -6).move_names == ("+",) * 6
