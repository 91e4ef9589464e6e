"""Limits, pauses, Ctrl-C, progress: what a search says when it may not go on, and that stopping it changes nothing."""

import itertools
import random
import signal
import threading

import numpy as np
import pytest

import bestfirst
import naive
from bestfirst import CheckpointError, Interrupted, Limits, Status, checkpoint, control, plain
from bestfirst.control import EXHAUSTED, FOUND, FULL, PAUSED
from bestfirst.replay import cost_of
from bestfirst.search.a_star import AStarMode, AStarSearch
from bestfirst.search.breadth_first import BreadthFirstSearch
from bestfirst.search.contour import ContourSearch, ExactMode, FixedMode, IdaStarMode, UninformedMode
from problems import MAX_COST, graph, numbers, scrambled, tiles
from test_engines import answer, lexicographic_a_star

pytestmark = pytest.mark.slow  # compiles many problems

COMPILED = [bestfirst.a_star, lexicographic_a_star, bestfirst.ida_star, bestfirst.iterative_deepening, bestfirst.breadth_first]


def layered(rng, layers=12, width=4, most=3):
    """A graph in layers with many ways and costs of 1 to `most`, and a weak bound: every engine has something to do in it."""
    n = layers * width + 2
    edges = [[(1 + i, rng.randint(1, most)) for i in range(width)]]
    for vertex in range(1, n - 1):
        layer = (vertex - 1) // width + 1
        after = range(1 + layer * width, 1 + (layer + 1) * width) if layer < layers else [n - 1]
        edges.append([(rng.choice(after), rng.randint(1, most)) for _ in range(3)])
    edges.append([])
    return graph(edges, {n - 1}, [max(0, layers - (vertex + width - 1) // width) for vertex in range(n)])


def least(instance):
    successors, is_goal = naive.rules(instance, instance.degree)
    return naive.least_cost(0, successors, is_goal)


# --- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", COMPILED)
@pytest.mark.parametrize("limit", ["time", "nodes", "memory"])
def test_a_limit_of_0_stops_at_once(engine, limit):
    solution = engine(layered(random.Random(1)), 0, limits=Limits(**{limit: 0}))
    assert (solution.status, solution.stopped_by, solution.cost) == (Status.STOPPED, limit, None)
    assert solution.stats.generated == 1
    assert f"stopped ({limit})" in str(solution)


@pytest.mark.parametrize("engine", COMPILED)
def test_a_stopped_search_brackets_the_optimum(engine):
    instance = layered(random.Random(2), most=1 if engine is bestfirst.breadth_first else 3)
    optimum = least(instance)
    whole = engine(instance, 0)
    assert whole.cost == optimum
    for nodes in range(1, whole.stats.generated + 4, max(1, whole.stats.generated // 30)):
        solution = engine(instance, 0, limits=Limits(nodes=nodes))
        assert solution.bound <= optimum
        if solution.stopped_by is None:
            assert answer(solution) == answer(whole)
            continue
        assert solution.stopped_by == "nodes"
        assert nodes <= solution.stats.generated <= nodes + instance.degree  # one expansion too many at the most
        if solution.cost is None:
            assert solution.status is Status.STOPPED
        else:
            assert solution.status is Status.FEASIBLE
            assert solution.cost == cost_of(instance, 0, solution.moves) >= optimum


def test_a_memory_limit_ends_gracefully_and_is_kept():
    puzzle = tiles(3, 3)
    start = np.array([0, 2, 1, 3, 4, 5, 6, 7, 8, 0], np.int8)  # all 181,440 states are in reach, but no goal
    for engine in (bestfirst.breadth_first, bestfirst.a_star):
        solution = engine(puzzle, start, limits=Limits(memory=1_000_000))
        assert (solution.status, solution.stopped_by) == (Status.STOPPED, "memory")
        assert 200_000 < solution.stats.peak_bytes <= 1_000_000
        assert solution.stats.expanded > 1000


def test_a_time_limit_is_kept():
    solution = bestfirst.ida_star(endless(), 0, limits=Limits(time=0.3))
    assert solution.stopped_by == "time"
    assert 0.3 <= solution.stats.seconds < 1.3
    assert solution.stats.generated > 10_000


def endless():
    """A graph in which the depth-first engines are busy for ever: no goal, and ways without end."""
    return graph([[(0, 1), (1, 1)], [(0, 1), (1, 1)]], set(), [0, 0])


@pytest.mark.parametrize("limits", [{"time": -1}, {"nodes": -1}, {"memory": -1}, {"time": float("nan")}])
def test_limits_below_0_are_refused(limits):
    with pytest.raises(ValueError, match="must not be negative"):
        Limits(**limits)


# --- pausing: a search is data --------------------------------------------------------------------------------------


def searches():
    """A maker for every kind of compiled search, each with something in it that must survive a pause."""
    rng = random.Random(7)
    instance, low, even, dear = layered(rng), layered(rng, 5), layered(rng, most=1), layered(rng, most=MAX_COST)
    puzzle = tiles(3, 3)
    start = scrambled(puzzle, random.Random(3), 60)
    return {
        "breadth_first": lambda: BreadthFirstSearch(even, 0, {}),
        "a_star": lambda: AStarSearch("a_star", AStarMode(), instance, 0, {}),
        "a_star with a heap": lambda: AStarSearch("a_star", AStarMode(), dear, 0, {}),
        "a_star, both phases": lambda: AStarSearch("a_star", AStarMode(), instance, 0, {}, "lexicographic"),
        "ida_star": lambda: ContourSearch("ida_star", IdaStarMode(), instance, 0, {}),
        "iterative_deepening": lambda: ContourSearch("iterative_deepening", UninformedMode(), low, 0, {}),
        "depth_first": lambda: ContourSearch("depth_first", FixedMode(), instance, 0, {}, 15),
        "depth_first exact, with a table": lambda: ContourSearch("depth_first", ExactMode(), instance, 0, {}, 30),
        "ida_star on arrays": lambda: ContourSearch("ida_star", IdaStarMode(), puzzle, start, {}),
    }


SEARCHES = searches()


def advance(search, stop_at):
    while (outcome := search.advance(stop_at)) == FULL:
        assert search.grow(None)
    return outcome


@pytest.mark.parametrize("kind", SEARCHES)
def test_a_search_in_pieces_is_the_same_search(kind, tmp_path):
    make = SEARCHES[kind]
    whole = make()
    outcome = advance(whole, 1 << 40)
    assert outcome in (FOUND, EXHAUSTED)
    rng = random.Random(kind)
    pieces, pauses = make(), 0
    while (
        last := advance(pieces, pieces.progress().generated + rng.randint(1, max(2, whole.stats().generated // 15)))
    ) == PAUSED:
        pauses += 1
        checkpoint.store(pieces.save(), tmp_path / "search")
        pieces = make()
        pieces.restore(checkpoint.load(tmp_path / "search"))
    assert pauses > 3
    assert last == outcome
    assert pieces.best() == whole.best()
    assert pieces.stats() == whole.stats()
    assert pieces.progress()._replace(bytes=0) == whole.progress()._replace(bytes=0)


def test_the_second_phase_of_a_star_pauses_and_goes_on(monkeypatch, tmp_path):
    monkeypatch.setattr("bestfirst.search.a_star._WALK_STEPS", 3)
    instance = layered(random.Random(11), layers=70)
    expected = lexicographic_a_star(instance, 0)
    search = AStarSearch("a_star", AStarMode(), instance, 0, {"compiled": False}, "lexicographic")
    pauses = 0
    while advance(search, 1 << 40) == PAUSED:
        pauses += 1
        checkpoint.store(search.save(), tmp_path / "search")
        search = AStarSearch("a_star", AStarMode(), instance, 0, {"compiled": False}, "lexicographic")
        search.restore(checkpoint.load(tmp_path / "search"))
        assert cost_of(instance, 0, search.best()[1]) == expected.cost
    assert pauses > 10
    assert search.best() == (expected.cost, expected.moves)


def test_stop_and_resume_by_the_options(tmp_path):
    instance = layered(random.Random(4))
    file = tmp_path / "search"
    for engine in COMPILED[:3]:
        whole = engine(instance, 0)
        solution = engine(instance, 0, limits=Limits(nodes=20), checkpoint=file)
        rounds = 0
        while solution.stopped_by is not None:
            rounds += 1
            nodes = solution.stats.generated + 25
            before = solution.stats.seconds
            solution = engine(instance, 0, limits=Limits(nodes=nodes), checkpoint=file, resume=file)
            assert solution.stats.seconds > before  # the time of all processes together
        assert rounds > 1
        assert answer(solution) == answer(whole)


RESUME = """
import random, sys, bestfirst
from bestfirst import Limits
from test_control import layered
options = dict(limits=Limits(nodes=int(sys.argv[1]))) if len(sys.argv) > 1 else {}
instance = layered(random.Random(4))
solution = bestfirst.a_star(instance, 0, compiled=False, resume="FILE", checkpoint="FILE", limits=Limits(nodes=NODES))
print(solution.cost, solution.moves, solution.stats.generated, solution.stats.expanded)
"""


def test_resume_in_another_process(python, tmp_path):
    instance = layered(random.Random(4))
    file = str(tmp_path / "search")
    bestfirst.a_star(instance, 0, limits=Limits(nodes=30), checkpoint=file)
    python(RESUME.replace("FILE", file).replace("NODES", "60"))
    out = python(RESUME.replace("FILE", file).replace("NODES", "10**9"))
    whole = bestfirst.a_star(instance, 0)
    assert out == f"{whole.cost} {whole.moves} {whole.stats.generated} {whole.stats.expanded}\n"


# --- Ctrl-C ---------------------------------------------------------------------------------------------------------

CTRL_C = """
import signal, threading, time, bestfirst
from test_control import endless, layered
from problems import numbers
bestfirst.ENGINE(PROBLEM, 0, limits=bestfirst.Limits(nodes=1000), compiled=COMPILED)  # compiled from here on
def press():
    global pressed
    pressed = time.perf_counter()
    signal.raise_signal(signal.SIGINT)
timer = threading.Timer(0.3, press)
timer.start()
try:
    bestfirst.ENGINE(PROBLEM, 0, compiled=COMPILED)
except bestfirst.Interrupted as interrupted:
    waited, solution = time.perf_counter() - pressed, interrupted.solution
assert waited < 1, waited
assert (solution.status, solution.stopped_by) == ("stopped", "interrupt"), solution
assert solution.bound > 0 and solution.stats.generated > 1000, solution
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
print("stopped")
"""


@pytest.mark.parametrize(
    ("engine", "problem", "compiled"),
    [("ida_star", "endless()", True), ("ida_star", "endless()", False), ("breadth_first", "numbers(-1)", True)],
)
def test_ctrl_c_stops_soon_with_what_is_known(python, engine, problem, compiled):
    script = CTRL_C.replace("ENGINE", engine).replace("PROBLEM", problem).replace("COMPILED", str(compiled))
    assert python(script, BESTFIRST_CACHE_DIR=None).endswith("stopped\n")


def test_ctrl_c_is_not_lost_when_the_search_ends_in_the_same_moment():
    """Otherwise a loop over many short searches could not be stopped."""

    def successors(state):
        signal.raise_signal(signal.SIGINT)
        return [("go", state + 1, 1)]

    with pytest.raises(Interrupted) as caught:
        plain.breadth_first(0, successors, lambda state: state == 1)
    assert caught.value.solution.status is Status.OPTIMAL
    assert caught.value.solution.moves == ("go",)
    assert isinstance(caught.value, KeyboardInterrupt)


def test_pressed_twice_it_breaks_into_a_slow_function():
    def successors(state):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("not reached")

    with pytest.raises(KeyboardInterrupt) as caught:
        plain.breadth_first(0, successors, lambda state: state == 1)
    assert not isinstance(caught.value, Interrupted)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_handler_is_restored_and_a_foreign_one_left_alone():
    seen = []

    def foreign(number, frame):
        seen.append(number)

    def successors(state):
        signal.raise_signal(signal.SIGINT)
        return [("go", state + 1, 1)]

    bestfirst.a_star(layered(random.Random(1)), 0)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(ZeroDivisionError):
        plain.breadth_first(0, lambda state: 1 / 0, lambda state: False)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    before = signal.signal(signal.SIGINT, foreign)
    try:
        assert plain.breadth_first(0, successors, lambda state: state == 3).cost == 3
        assert signal.getsignal(signal.SIGINT) is foreign
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(seen) == 3


# --- threads --------------------------------------------------------------------------------------------------------


def in_threads(functions):
    results = [None] * len(functions)

    def work(i):
        results[i] = functions[i]()

    threads = [threading.Thread(target=work, args=[i]) for i in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_searches_in_other_threads_interpreted_and_compiled_at_once():
    """A thread that interprets must not make the others do so: 8-bit numbers would wrap, or a search take forty times as long."""
    instance = layered(random.Random(5), layers=20)
    expected = answer(bestfirst.a_star(instance, 0))
    functions = [lambda compiled=compiled: bestfirst.a_star(instance, 0, compiled=compiled) for compiled in [True, False] * 4]
    for _ in range(3):
        assert [answer(solution) for solution in in_threads(functions)] == [expected] * 8
    from bestfirst.kernel import is_interpreting

    assert not is_interpreting()


TOGETHER = """
import random, threading, bestfirst
from test_control import in_threads
from problems import numbers
solutions = in_threads([lambda: bestfirst.breadth_first(numbers(50), 0)] * 4)
print([solution.cost for solution in solutions])
"""


def test_the_first_call_may_come_from_several_threads_at_once(python):
    assert python(TOGETHER) == "[50, 50, 50, 50]\n"


# --- progress -------------------------------------------------------------------------------------------------------


def test_progress_is_reported_with_growing_counts(monkeypatch):
    monkeypatch.setattr(control, "_PROGRESS_SECONDS", 0.01)
    seen = []
    solution = bestfirst.ida_star(endless(), 0, progress=seen.append, limits=Limits(time=0.5))
    assert len(seen) > 3
    for before, after in itertools.pairwise(seen):
        assert before.generated < after.generated
        assert before.expanded <= after.expanded
        assert before.bound <= after.bound
        assert before.seconds < after.seconds
    last = seen[-1]
    assert (last.engine, last.incumbent) == ("ida_star", None)
    assert last.generated <= solution.stats.generated
    assert last.bytes > 0
    assert 0 <= last.depth <= 64


def test_an_error_in_the_progress_callback_comes_through(monkeypatch):
    monkeypatch.setattr(control, "_PROGRESS_SECONDS", 0.0)
    with pytest.raises(ZeroDivisionError):
        bestfirst.ida_star(endless(), 0, progress=lambda progress: 1 / 0)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_plain_values_cannot_be_kept_in_a_file_and_that_is_said_at_once(tmp_path):
    with pytest.raises(CheckpointError, match="cannot be saved"):
        plain.breadth_first(0, lambda state: [("go", state + 1, 1)], lambda state: False, checkpoint=tmp_path / "x")


def test_the_range_of_a_line_is_searched_to_its_end():
    solution = bestfirst.breadth_first(numbers(-1, high=1000), 0)
    assert (solution.status, solution.stats.expanded) == (Status.INFEASIBLE, 1001)


@pytest.mark.parametrize("limits", [{"nodes": 3.5}, {"memory": 1e6}, {"nodes": "a"}, {"time": "1s"}])
def test_limits_of_the_wrong_kind_are_refused(limits):
    with pytest.raises(TypeError, match="must be a"):
        Limits(**limits)
