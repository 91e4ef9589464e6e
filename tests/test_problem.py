"""The decorator: what it accepts, what it refuses and how it says so; replay; the Solution."""

import inspect
import pydoc
import random
import re
from typing import NamedTuple

import numpy as np
import pytest

import bestfirst
from bestfirst import Limits, Progress, Status, plain
from bestfirst.control import RunOptions
from bestfirst.replay import IllegalMove, cost_of, replay, step
from problems import Graph, Operations, Pancakes, Tiles, defines, graph, move_name, numbers, problem, scrambled, tiles

pytestmark = pytest.mark.slow  # compiles many problems


def test_what_a_class_must_have_is_named():
    class NoTuple:
        pass

    class Empty(NamedTuple):
        pass

    class NoGoal(NamedTuple):
        n: int
        moves = 2

        def apply(self, state, move):
            return 1

    class NoMoves(NamedTuple):
        n: int

        def apply(self, state, move):
            return 1

        def is_goal(self, state):
            return True

    class WrongParameters(NamedTuple):
        n: int
        moves = 2

        def apply(self, state):
            return 1

        def is_goal(self, state):
            return True

    class Undoing(NamedTuple):
        n: int
        moves = 2

        def apply(self, state, move):
            return state, 1

        def undo(self, state, move):
            pass

        def is_goal(self, state):
            return True

    for cls, message in [
        (NoTuple, "class MyProblem\\(NamedTuple\\)"),
        (Empty, "Empty has no field"),
        (NoGoal, "NoGoal does not define is_goal"),
        (NoMoves, "NoMoves does not say how many moves"),
        (WrongParameters, r"WrongParameters.apply must have the parameters \(self, state, move\)"),
    ]:
        with pytest.raises(TypeError, match=message):
            problem(cls)
    with pytest.raises(TypeError, match="an integer state needs no undo"):
        problem(state=int)(Undoing)


def test_every_operation_is_described():
    for name, member in vars(Operations).items():
        if inspect.isfunction(member) and not name.startswith("_"):
            assert member.__doc__, name


def test_defines():
    assert defines(Tiles, "undo")
    assert defines(tiles(2, 2), "undo")
    assert not defines(Graph, "lower_bound")
    assert not defines(Tiles, "cells")  # a field is no operation


def test_names_of_moves():
    assert [move_name(tiles(2, 2), move) for move in range(4)] == ["U", "L", "R", "D"]
    assert move_name(numbers(1), 1) == "back"
    assert move_name(Pancakes(3), 1) == "1"


@problem(state=int)
class Helped(NamedTuple):
    """Uses helper methods of its own, also of names that every tuple has; names its moves by a method."""

    size: int

    moves = 3

    def index(self, state, move):
        return (state + move * move) % self.size

    def count(self, move):
        return 1 + move

    def apply(self, state, move):
        return self.index(state, move), self.count(move)

    def is_goal(self, state):
        return state == self.size - 1

    def move_name(self, move):
        return f"+{move * move}"


def test_helper_methods_work_compiled():
    for compiled in (True, False):
        solution = bestfirst.a_star(Helped(12), 0, compiled=compiled)
        assert solution.cost == 12  # two moves of cost 3, three of cost 2
        assert sorted(solution.move_names) == ["+1", "+1", "+1", "+4", "+4"]


@problem
class Allocating(NamedTuple):
    """Makes an array in every operation, as one does at first; works on slices."""

    size: int

    moves = 2

    def apply(self, state, move):
        before = state.copy()
        for i in range(self.size):
            state[i] = before[(i - 1) % self.size] if move == 0 else before[self.size - 1 - i]
        return 1

    def is_goal(self, state):
        return (state == np.arange(self.size)).all()


def test_operations_may_make_arrays():
    start = np.array([2, 1, 0, 5, 4, 3], np.int8)
    compiled, interpreted = (bestfirst.breadth_first(Allocating(6), start, compiled=compiled) for compiled in (True, False))
    assert (compiled.status, compiled.cost, compiled.moves) == (interpreted.status, interpreted.cost, interpreted.moves)
    assert compiled.cost == 4


def test_a_solution_replays_itself():
    puzzle = tiles(3, 2)
    start = scrambled(puzzle, random.Random(1), 25)
    solution = bestfirst.ida_star(puzzle, start, compiled=False)
    states = list(solution.states())
    assert len(states) == len(solution.moves) + 1
    assert (states[0] == start).all()
    assert states[-1].tolist() == [0, 1, 2, 3, 4, 5, 0]
    assert all(state.dtype == start.dtype and type(state) is np.ndarray for state in states)
    assert "".join(solution.move_names) == "".join("ULRD"[move] for move in solution.moves)
    assert cost_of(puzzle, start, solution.moves) == solution.cost


def test_an_illegal_move_is_not_replayed():
    line = numbers(3, high=3)
    assert list(replay(line, 2, [0, 1])) == [2, 3, 2]
    with pytest.raises(IllegalMove, match="move 0 is not allowed"):
        step(line, 3, 0)


def test_a_solution_says_what_is_proved():
    ways = graph([[(1, 1)], [(2, 1)], []], {2}, [0, 0, 0])
    assert str(bestfirst.a_star(ways, 0, compiled=False)).startswith("cost 2 (optimal, proved); a_star: ")
    assert str(bestfirst.depth_first(ways, 0, 5, compiled=False)).startswith("cost 2 (not proved: the optimum is at least 0)")
    nowhere = graph([[(0, 1)]], set(), [0])
    solution = bestfirst.a_star(nowhere, 0, compiled=False)
    assert str(solution).startswith("no solution (proved)")
    assert solution.move_names is None
    with pytest.raises(ValueError, match="nothing to replay"):
        solution.states()
    stopped = bestfirst.ida_star(nowhere, 0, compiled=False, limits=Limits(nodes=50))
    assert stopped.status is Status.STOPPED
    assert "any solution costs at least" in str(stopped)


def test_names_are_loaded_when_they_are_used():
    for name in bestfirst.__all__:
        assert getattr(bestfirst, name) is not None
    assert set(bestfirst.__all__) <= set(dir(bestfirst))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = bestfirst.nothing


def test_help_shows_the_options_of_every_engine():
    engines = [bestfirst.solve, bestfirst.a_star, bestfirst.breadth_first, bestfirst.depth_first, bestfirst.ida_star]
    engines += [bestfirst.iterative_deepening, plain.a_star, plain.breadth_first, plain.ida_star]
    for engine in engines:
        text = pydoc.render_doc(engine, renderer=pydoc.plaintext)
        for option in RunOptions.__annotations__:
            assert f"{option}:" in text.splitlines()[2], "in the signature"
            assert re.search(rf"^ +{option} {{2,}}\S", text, re.MULTILINE), "described"


def test_short_texts():
    solution = bestfirst.breadth_first(numbers(30_000), 0, compiled=False)
    assert repr(solution) == f"<Solution {solution}>"
    assert len(repr(solution)) < 120
    progress = Progress("a_star", 12, None, 8, 1234, 5678, 3 << 20, 1.25)
    assert str(progress) == "a_star: bound 12, depth 8; 1,234 expanded, 5,678 generated, 3.0 MiB, 1.2 s"
    assert repr(progress._replace(incumbent=15)) == (
        "<Progress a_star: bound 12, best 15, depth 8; 1,234 expanded, 5,678 generated, 3.0 MiB, 1.2 s>"
    )


def test_messages_name_a_class_as_its_author_did():
    """Kernels number the second class of a name; messages do not."""

    def make():
        @problem(state=int)
        class Twice(NamedTuple):
            size: int

            moves = 1

            def apply(self, state, move):
                return state + 1, 1

            def is_goal(self, state):
                return state == self.size

        return Twice(3)

    one, other = make(), make()
    assert bestfirst.breadth_first(one, 0).cost == bestfirst.breadth_first(other, 0).cost == 3
    for instance in (one, other):
        with pytest.raises(TypeError, match="states of Twice are integers"):
            bestfirst.breadth_first(instance, "0")
