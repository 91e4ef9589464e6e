"""The mistakes people make in methods of their own problems, and the sentence that each is answered with."""

import functools
import logging
import math
import random
import sys
import traceback
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst
from bestfirst.kernel import as_move, exact, interpreting, is_interpreting, kernel
from problems import ILLEGAL, problem

pytestmark = [pytest.mark.slow, pytest.mark.skipif(is_interpreting(), reason="nothing is compiled")]

START = np.array([0, 0], np.int16)

TABLE = {0: 1}
STEPS = [1, 2]
EARLIER = None  # set by a method below


def helper(x):
    return x + 1


@kernel
def right_kernel(x):
    return x + 1


@kernel
def wrong_kernel(x):
    return x + missing_in_kernel  # noqa: F821


@kernel
def every_operation(problem, state, child):
    """Calls what engines call: compiled in a third of the time that an engine takes."""
    move = as_move(1)
    follows = problem._follows(state, move, move) or problem._back(move) == move or problem._is_goal(state)
    cost, bound = problem._child_bound(state, move, problem._lower_bound(state), child)
    return problem._apply(state, move) + cost + bound + problem._move_count() if follows else cost


@kernel
def first_number(problem, state, move):
    problem._apply(state, as_move(move))
    return state[0]


def moved(instance, move, compiled):
    """What the first number of the state is after a move."""
    if compiled:
        return first_number(instance, START.copy(), move)
    with interpreting():
        return first_number(*exact((instance, START.copy())), move)


def a_problem(members, fields=(("size", 5),), integer=False):
    """An instance of a problem class with these members, right apart from them."""

    def apply(self, state, move):
        state[0] += 1
        return 1

    def apply_to_integer(self, state, move):
        return state + 1, 1

    def is_goal(self, state):
        return state == 5 if integer else state[0] == 5

    base = NamedTuple("Base", [(name, Any) for name, _ in fields])
    right = {"apply": apply_to_integer if integer else apply, "is_goal": is_goal, "moves": 2}
    cls = type("Mine", (base,), {**right, **members})
    return (problem(state=int) if integer else problem)(cls)(*[value for _, value in fields])


MISTAKES = []


def mistake(fault, remedy, line, *, operation="apply", integer=False, blamed=None, **members):
    """Register a method with the mistake that is in it: what is said of it, and a piece of the line that is shown."""

    def register(method):
        named = f"Mine.{operation}" if blamed is None else blamed
        example = ({operation: method, **members}, integer, f"{named} cannot be compiled: {fault}", remedy, line)
        MISTAKES.append(pytest.param(*example, id=method.__name__))
        return method

    return register


@mistake("it calls helper, which is a plain function", "put @kernel above it", "helper(state[0])")
def plain_function(self, state, move):
    state[0] = helper(state[0])
    return 1


@mistake("the name missing_in_kernel is not defined", "?", "x + missing", blamed="wrong_kernel")
def mistake_in_a_kernel(self, state, move):
    state[0] = wrong_kernel(state[0])
    return 1


@mistake(
    "move_names is a class attribute of Mine that compiled code cannot read, a str",
    "let anything else be a field",
    "names[move]",
    move_names="ab",
)
def class_attribute(self, state, move):
    state[0] += self.move_names[move] == "a"
    return 1


@mistake("it uses TABLE, a dict from outside the class", "make it a field", "TABLE[0]")
def global_dict(self, state, move):
    state[0] += TABLE[0]
    return 1


@mistake("it uses STEPS, a list from outside the class", "make it a tuple", "STEPS[move]")
def global_list(self, state, move):
    state[0] += STEPS[move]
    return 1


@mistake("it sets a global", "keep it in the state", "global EARLIER")
def sets_a_global(self, state, move):
    global EARLIER
    EARLIER = move
    return 1


@mistake("breakpoint does not exist in compiled code", "take it out; or run it as plain Python", "breakpoint()")
def stops(self, state, move):
    breakpoint()
    return 1


@mistake("it formats a string", "take it out", "print(f")
def formats(self, state, move):
    print(f"{state[0]:3d}")
    return 1


@mistake("nothing says what the dict seen holds", "use an array of fixed length", "seen = {}")
def empty_dict(self, state, move):
    seen = {}
    return 1 if move else len(seen)


@mistake("nothing says what the list found holds", "use an array of fixed length", "found = []")
def empty_list(self, state, move):
    found = []
    return 1 if move else len(found)


@mistake("nothing says what the set met holds", "use an array of fixed length", "met = set()")
def empty_set(self, state, move):
    met = set()
    return 1 if move else len(met)


@mistake("it uses a generator expression", "write a loop", "sum(")
def generator_expression(self, state, move):
    state[0] = sum(x + 1 for x in state)
    return 1


@mistake("min(array, key=function) does not exist in compiled code", "write a loop", "key=lambda")
def unknown_argument(self, state, move):
    return min(state, key=lambda x: -x)


@mistake("it can end without a return", "it must return the cost, a whole number", "state[0] += 1")
def no_return(self, state, move):
    state[0] += 1


@mistake("it can end without a return", "it must return the cost", "if move == 0")
def return_forgotten_on_one_way(self, state, move):
    if move == 0:
        return 1


@mistake("it returns None", "it must return the cost", "return None")
def returns_none(self, state, move):
    return None


@mistake("it never returns", "it must return the cost", "def only_raises")
def only_raises(self, state, move):
    raise ValueError("not yet written")


@mistake("it returns a float", "use //", "return 1.5")
def float_cost(self, state, move):
    return 1.5


@mistake("it returns a string", "it must return the cost", 'return "1"')
def string_cost(self, state, move):
    return "1"


@mistake("it returns values of different kinds", "return the same kind everywhere", 'return "none"')
def two_kinds_of_results(self, state, move):
    if move == 0:
        return 1
    return "none"


@mistake("it returns a tuple (an array, a whole number)", "it must return the cost, a whole number", "return state, 1")
def array_problem_returns_the_state(self, state, move):
    return state, 1


@mistake("it returns a whole number", "it must return the next state and the cost, two whole numbers", "return 1", integer=True)
def integer_problem_returns_only_the_cost(self, state, move):
    return 1


@mistake("it returns a tuple (a whole number, a whole number, a whole number)", "two whole", "return state, 1, 2", integer=True)
def too_long_a_tuple(self, state, move):
    return state, 1, 2


@mistake("it returns a tuple (a float, a whole number)", "use //", "state / 2, 1", integer=True)
def float_state(self, state, move):
    return state / 2, 1


@mistake(
    "it returns a tuple (a float, a whole number)", "mixing unsigned 64-bit numbers with signed ones", "np.uint64", integer=True
)
def unsigned_meets_signed(self, state, move):
    return np.uint64(state) if move else state + 1, 1


@mistake(
    "it returns an unsigned 64-bit number in one place and a signed one elsewhere",
    "the bound",
    "return np.uint64(1)",
    operation="lower_bound",
)
def unsigned_or_signed_bound(self, state):
    if state[0] == 0:
        return np.uint64(1)
    return state[1]


@mistake("Mine has no field or method sizze; its fields are size", "did you mean size?", "self.sizze")
def misspelt_field(self, state, move):
    state[0] += self.sizze
    return 1


@mistake("Mine has no field or method weight; its fields are size", "add the field weight", "self.weight")
def unknown_field(self, state, move):
    state[0] += self.weight
    return 1


@mistake("an array has no attribute reversed in compiled code", "write a loop", "state.reversed")
def unknown_method_of_arrays(self, state, move):
    state.reversed()
    return 1


@mistake("it changes the field size; the fields of a problem never change", "keep what changes in the state", "self.size += 1")
def changes_a_field(self, state, move):
    self.size += 1
    return 1


@mistake("the name helpr is not defined", "did you mean helper?", "helpr(")
def undefined_name(self, state, move):
    return helpr(state[0])  # noqa: F821


@mistake("later is read before it has a value", "on every way", "now = later")
def used_before_set(self, state, move):
    now = later  # noqa: F821
    later = 1  # noqa: F841
    return now


@mistake("np.apply_along_axis does not exist in compiled code", "write a loop", "apply_along_axis")
def unknown_numpy_function(self, state, move):
    state[0] = np.apply_along_axis(state)
    return 1


@mistake("random.choices does not exist in compiled code", "write a loop", "random.choices")
def unknown_library_function(self, state, move):
    state[0] = random.choices(state)[0]
    return 1


@mistake("math has no clamp", "look for another name", "math.clamp")
def no_such_library_function(self, state, move):
    state[0] = math.clamp(state[0])
    return 1


@mistake("a float is written into an array of whole numbers", "divide with //", "state[0] / 2")
def float_into_the_state(self, state, move):
    state[0] = state[0] / 2
    return 1


@mistake("a float is written into an array of whole numbers", "divide with //", "state[:] = state / 2")
def floats_into_the_state(self, state, move):
    state[:] = state / 2
    return 1


@mistake("it indexes or writes in a way that compiled code does not know: array, float", "use whole numbers", "self.size / 2")
def float_index(self, state, move):
    return state[self.size / 2]


@mistake("it indexes or writes in a way that compiled code does not know: array, 'x'", "index by whole numbers", 'state["x"]')
def string_index(self, state, move):
    return state["x"]


@mistake("it catches an exception of one kind", "test for the condition with if", "except IndexError")
def catches(self, state, move):
    try:
        state[0] += 1
    except IndexError:
        return ILLEGAL
    return 1


@mistake("it uses with", "take it out", "with open")
def with_statement(self, state, move):
    with open("log") as file:
        file.write("x")
    return 1


@mistake("it imports a module", "at the top of the file", "import heapq")
def import_inside(self, state, move):
    import heapq

    return heapq.heappop(state)


@mistake("a value is, by the way taken, 1 or 'a'", "use two names", 'else "a"')
def value_of_two_kinds(self, state, move):
    x = 1 if move else "a"
    return x == 1


@mistake("it unpacks a value into a number of names that does not fit", "count both", "a, b, c =")
def unpacks(self, state, move):
    a, b, c = (1, 2)
    return a + b + c


def count_down(self, x):
    return 1 if x <= 0 else self.count_down(x - 1)


@mistake("count_down calls itself", "write a loop", "self.count_down", blamed="Mine.count_down", count_down=count_down)
def recursion(self, state, move):
    return self.count_down(state[0])


def even(self, x):
    return 1 if x <= 0 else self.odd(x - 1)


def odd(self, x):
    return 0 if x <= 0 else self.even(x - 1)


@mistake("even calls itself, directly or through", "write a loop", "def even", blamed="Mine.even", even=even, odd=odd)
def recursion_through_two_methods(self, state, move):
    return self.odd(state[0])


@mistake(
    "it calls a method with the wrong arguments (missing a required argument: 'x')",
    "that the method takes",
    "self.odd()",
    odd=odd,
)
def wrong_arguments(self, state, move):
    return self.odd()


@mistake("it can end without a return", "it must return True or False", "pass", operation="is_goal")
def goal_without_return(self, state):
    pass


@mistake("it returns an array", "it must return True or False", "state == 5", operation="is_goal")
def goal_of_a_whole_array(self, state):
    return state == 5


@mistake("it returns a float", "the bound, a whole number", "/ 2", operation="lower_bound")
def float_bound(self, state):
    return state[0] / 2


@mistake("it returns a whole number", "the cost and the change of the bound", "return 1", operation="preview")
def preview_without_change(self, state, move):
    return 1


@mistake("it can end without a return", "the number of a move", "pass", operation="inverse")
def inverse_without_return(self, move):
    pass


@mistake("it returns a string", "True or False", 'return "yes"', operation="follows")
def follows_as_text(self, state, last, move):
    return "yes"


@mistake("it returns a float", "the number of moves", "/ 2", operation="move_count")
def float_move_count(self):
    return self.size / 2


@mistake("it calls a method with arguments that compiled code does not know", "use fewer", "state.sort(key")
def unknown_argument_of_a_method(self, state, move):
    state.sort(key=3)
    return 1


@mistake("Numba fails on it (", "numbers, arrays and loops", "def what_numba_stumbles_over")
def what_numba_stumbles_over(self, state, move):
    state += 1.5
    return 1


def error_of(call, *args, **options):
    with pytest.raises(bestfirst.CompileError) as caught:
        call(*args, **options)
    return caught.value


@pytest.mark.parametrize(("members", "integer", "fault", "remedy", "line"), MISTAKES)
def test_a_mistake_is_named(members, integer, fault, remedy, line):
    state = np.array([0, 0], np.int64 if integer else np.int16)
    message = str(error_of(every_operation, a_problem(members, integer=integer), state, state.copy()))
    head, place, source, advice = message.split("\n")
    assert head.startswith(fault)
    assert place.startswith(f'  File "{__file__}", line ')
    assert line in source
    assert remedy in advice
    assert advice.endswith("or run it as plain Python, slowly, with compiled=False")


def test_every_engine_says_the_same_every_time():
    instance = a_problem({"apply": misspelt_field})
    engines = [bestfirst.breadth_first, bestfirst.breadth_first, bestfirst.a_star]
    assert len({str(error_of(engine, instance, START)) for engine in engines}) == 1
    instance = a_problem({"apply": mistake_in_a_kernel})
    assert (
        len({str(error_of(call, instance, START, *more)) for call, *more in [(every_operation, START), (first_number, 0)]}) == 1
    )


def test_the_traceback_is_short_and_the_long_message_is_logged(caplog):
    with caplog.at_level(logging.DEBUG, "bestfirst.kernel"):
        error = error_of(bestfirst.breadth_first, a_problem({"apply": misspelt_field}), START)
    lines = traceback.format_exception(error)
    assert len("".join(lines).splitlines()) < 40
    assert "site-packages" not in "".join(lines)
    assert "Unknown attribute" in caplog.text


def test_what_cannot_be_compiled_runs_interpreted():
    instance = a_problem({"apply": plain_function})
    error_of(bestfirst.breadth_first, instance, START)
    assert bestfirst.breadth_first(instance, START, compiled=False).cost == 5


def test_a_breakpoint_stops_in_the_interpreter(monkeypatch):
    stopped_in = []
    monkeypatch.setattr(sys, "breakpointhook", lambda: stopped_in.append(sys._getframe(1)))
    bestfirst.breadth_first(a_problem({"apply": stops}), START, compiled=False, limits=bestfirst.Limits(nodes=2))
    assert {frame.f_code.co_name for frame in stopped_in} == {"stops"}
    assert stopped_in[0].f_locals["state"].tolist() == [0, 0]


def test_a_problem_put_right_runs():
    error_of(bestfirst.breadth_first, a_problem({"apply": misspelt_field}), START)
    assert bestfirst.breadth_first(a_problem({}), START).cost == 5


def test_functions_marked_as_kernels_can_be_called():
    def apply(self, state, move):
        state[0] = right_kernel(state[0])
        return 1

    assert [moved(a_problem({"apply": apply}), 0, compiled) for compiled in (True, False)] == [1, 1]


def test_an_error_raised_by_a_method_stays_what_it_is():
    def apply(self, state, move):
        if move == 1:
            raise ValueError("one is not allowed")
        return 1

    instance = a_problem({"apply": apply})
    assert moved(instance, 0, True) == 0
    error_of(first_number, a_problem({"apply": misspelt_field}), START, 0)
    for compiled in (True, False):
        with pytest.raises(ValueError, match="one is not allowed"):
            moved(instance, 1, compiled)


@pytest.mark.parametrize(
    ("operation", "value", "says"),
    [
        ("apply", 1.5, r"Mine.apply returned 1.5; it must return the cost, a whole number"),
        ("apply", None, r"Mine.apply returned None; it must return the cost"),
        ("is_goal", None, r"Mine.is_goal returned None; it must return True or False"),
        ("lower_bound", 0.5, r"Mine.lower_bound returned 0.5; it must return the bound, a whole number"),
    ],
)
def test_wrong_results_are_named_in_the_interpreter_too(operation, value, says):
    instance = a_problem({operation: (lambda self, state: value) if operation != "apply" else (lambda self, state, move: value)})
    with pytest.raises(TypeError, match=says):
        bestfirst.a_star(instance, START, compiled=False)


def test_a_float_is_not_cut_off_in_the_interpreter_either():
    for method in (float_into_the_state, floats_into_the_state):
        with pytest.raises(TypeError, match="a float is written into an array of whole numbers"):
            bestfirst.breadth_first(a_problem({"apply": method}), START, compiled=False)


# --- constants ------------------------------------------------------------------------------------------------------


def by_constants(self, state, move):
    state[0] += self.STEP if self.FORWARD else self.TABLE[1][move]
    return 1


@pytest.mark.parametrize(
    ("constants", "expected"),
    [
        ({"STEP": 2, "FORWARD": True, "TABLE": ((0, 0), (0, 0))}, [2, 2]),
        ({"STEP": 1, "FORWARD": False, "TABLE": ((0, 0), (3, 4))}, [3, 4]),
        ({"STEP": np.int8(5), "FORWARD": True, "TABLE": ((0, 0), (0, 0))}, [5, 5]),
    ],
)
def test_class_constants(constants, expected):
    instance = a_problem({"apply": by_constants, **constants})
    for compiled in (True, False):
        assert [moved(instance, move, compiled) for move in range(2)] == expected


def test_an_inherited_constant_is_overridden():
    first = type(a_problem({"apply": by_constants, "STEP": 1, "FORWARD": True, "TABLE": ((0, 0), (0, 0))}))
    second = problem(type("Mine", (first,), {"STEP": 5}))
    assert [moved(cls(5), 0, True) for cls in (first, second)] == [1, 5]


STRIDE = 1
TURNS = np.array([0, 1])


def by_global(self, state, move):
    state[0] += STRIDE + TURNS[0]
    return 1


def test_a_changed_constant_is_noticed(monkeypatch):
    instance = a_problem({"apply": by_global, "STEP": 3})
    assert bestfirst.breadth_first(instance, START).cost == 5
    monkeypatch.setitem(globals(), "STRIDE", 5)
    for engine in (bestfirst.breadth_first, bestfirst.a_star):
        with pytest.raises(TypeError, match="Mine reads STRIDE, which has changed from 1 to 5 since its methods were compiled"):
            engine(instance, START)
    assert bestfirst.breadth_first(instance, START, compiled=False).cost == 1
    assert bestfirst.breadth_first(a_problem({"apply": by_global}), START).cost == 1
    monkeypatch.setitem(globals(), "STRIDE", 1)
    assert bestfirst.breadth_first(instance, START).cost == 5
    TURNS[1] = 3
    with pytest.raises(TypeError, match="Mine reads TURNS, which has changed"):
        bestfirst.breadth_first(instance, START)
    TURNS[1] = 1
    assert bestfirst.breadth_first(instance, START).cost == 5
    type(instance).STEP = 4
    with pytest.raises(TypeError, match=r"Mine reads self.STEP, which has changed from 3 to 4"):
        bestfirst.breadth_first(instance, START)


# --- fields and starts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ([1], "a list"),
        ({1: 2}, "a dict"),
        ("text", "a str"),
        (functools, "a module"),
        ((1, [2]), "a list"),
        (np.array([None]), "an array of object"),
        (np.array(["a"]), "an array of <U1"),
        (1 << 64, "a number beyond 64 bits"),
    ],
)
def test_a_field_that_kernels_cannot_take_is_named(value, says):
    with pytest.raises(TypeError, match=f"the field thing is or holds {says}; compiled code takes numbers"):
        bestfirst.breadth_first(a_problem({}, fields=(("thing", value),)), START)


@pytest.mark.parametrize(
    ("start", "says"),
    [
        (np.zeros((2, 2), np.int8), r"a state has one dimension, the start has 2: flatten it with start.ravel\(\)"),
        (np.zeros(2), "a state holds whole numbers, the start float64"),
        (np.zeros(2, bool), "a state holds whole numbers, the start bool"),
        (np.array([None]), "a state holds whole numbers, the start object"),
        (np.zeros(0, np.int8), "the start state is an empty array"),
        ([0, 0], "the states of Mine are arrays; the start is list"),
        (0, "the states of Mine are arrays; the start is int"),
    ],
)
def test_a_start_of_the_wrong_form_is_named(start, says):
    with pytest.raises(TypeError, match=says):
        bestfirst.breadth_first(a_problem({}), start)
