"""The problem k-th walk: lengths as two slow programs find them, walks that lead along their edges, formats, pictures."""

import heapq
import itertools
import random
import xml.etree.ElementTree as ET

import msgspec
import networkx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import naive_graphs as naive
from bestfirst.catalogue import kth_walk as problem
from bestfirst.formats.tokens import InputError
from bestfirst.operations import MAX_COST
from bestfirst.render import kth_walk as render
from bestfirst.result import Limits, Status

pytestmark = pytest.mark.slow  # compiles much

SAMPLE = "2 2\n1 2 5\n2 1 4\n1 2 2\n"
SAMPLE_OUTPUT = "14\n"


@st.composite
def instances(draw, simple=False):
    n, edges = draw(naive.odd_graphs(vertices=5, edges=10))
    if simple and n == 1:
        n = 2
    vertex = st.integers(1, n)
    source, target = draw(vertex), draw(vertex)
    if simple and source == target:
        target = source % n + 1
    lettered = tuple((u + 1, v + 1, w) for u, v, w in edges)
    return problem.Instance(vertices=n, edges=lettered, source=source, target=target, k=draw(st.integers(1, 12)), simple=simple)


def from_0(instance):
    return [(a - 1, b - 1, length) for a, b, length in instance.edges]


def twin(instance):
    """The k-th of the least sums; the empty walk, one of length 0, is taken away."""
    same = instance.source == instance.target
    ends = instance.source - 1, instance.target - 1
    costs = naive.walk_costs(instance.vertices, from_0(instance), *ends, instance.k + same)[same:]
    return costs[instance.k - 1] if len(costs) == instance.k else None


def textbook(instance):
    """Dijkstra's algorithm that takes each vertex k times; the start itself is no arrival."""
    following = {}
    for a, b, length in instance.edges:
        following.setdefault(a, []).append((b, length))
    queue = [(length, b) for b, length in following.get(instance.source, [])]
    heapq.heapify(queue)
    taken = dict.fromkeys(range(1, instance.vertices + 1), 0)
    while queue:
        cost, vertex = heapq.heappop(queue)
        if taken[vertex] == instance.k:
            continue
        taken[vertex] += 1
        if vertex == instance.target and taken[vertex] == instance.k:
            return cost
        for b, length in following.get(vertex, []):
            heapq.heappush(queue, (cost + length, b))
    return None


def is_right(instance, answer, length):
    """Whether the answer has this length (None: no such walk) and passes the checker."""
    assert problem.check(instance, answer) is None
    assert answer.status is (Status.INFEASIBLE if length is None else Status.OPTIMAL)
    assert answer.bound == answer.cost
    assert (answer.edges is None) == (length is None)
    return answer.cost == length


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == SAMPLE_OUTPUT
    assert answer.edges == (1, 2, 1)
    assert problem.check(instance, answer) is None


@given(instances())
@example(problem.Instance(vertices=1, edges=(), source=1, target=1, k=1))
@example(problem.Instance(vertices=1, edges=((1, 1, 0), (1, 1, 0)), source=1, target=1, k=12))
def test_lengths_are_those_of_two_slow_programs(instance):
    expected = twin(instance)
    assert textbook(instance) == expected
    assert is_right(instance, problem.solve(instance), expected)


@given(instances(simple=True))
def test_simple_paths_are_those_found_by_trying_all(instance):
    ends = instance.source - 1, instance.target - 1
    paths = naive.simple_paths(instance.vertices, from_0(instance), *ends)
    expected = paths[instance.k - 1][0] if len(paths) >= instance.k else None
    assert is_right(instance, problem.solve(instance), expected)


@pytest.mark.parametrize("acyclic", [True, False])
def test_middling_graphs_as_the_textbook_solves_them(acyclic):
    met = set()
    for seed in range(20):
        instance = problem.generate(seed, vertices=20, edges=80, longest=50, k=2 if acyclic else 40, acyclic=acyclic)
        expected = textbook(instance)
        assert is_right(instance, problem.solve(instance), expected)
        met.add(expected is None)
    assert met == {True, False}


def test_first_simple_paths_as_networkx_finds_them():
    for seed in range(10):
        instance = problem.generate(seed, vertices=12, edges=40, longest=50, k=7, solvable=True)
        if instance.source == instance.target:
            continue
        shortest = {}
        for a, b, length in sorted(instance.edges, key=lambda edge: -edge[2]):
            shortest[a, b] = length
        simple = msgspec.structs.replace(instance, simple=True, edges=tuple((*ends, x) for ends, x in shortest.items()))
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(1, 13))
        graph.add_weighted_edges_from(simple.edges)
        try:
            paths = list(
                itertools.islice(networkx.shortest_simple_paths(graph, simple.source, simple.target, weight="weight"), 7)
            )
        except networkx.NetworkXNoPath:
            paths = []
        expected = networkx.path_weight(graph, paths[6], "weight") if len(paths) == 7 else None
        assert is_right(simple, problem.solve(simple), expected)


@pytest.mark.parametrize(
    ("edges", "source", "target", "k", "length"),
    [
        (((1, 2, 3), (1, 2, 3), (1, 2, 4)), 1, 2, 2, 3),  # parallel edges are different walks
        (((1, 2, 3), (1, 2, 3), (1, 2, 4)), 1, 2, 3, 4),
        (((1, 2, 3), (1, 2, 3), (1, 2, 4)), 1, 2, 4, None),  # without cycles they are finitely many
        (((1, 2, 3),), 1, 1, 1, None),  # not to move is no walk
        (((1, 2, 3), (2, 1, 4)), 1, 1, 1, 7),
        (((1, 2, 3), (2, 1, 4)), 1, 1, 3, 21),
        (((1, 2, 3), (2, 2, 0)), 1, 2, 1000, 3),  # a cycle of length 0 goes on for ever
        (((1, 1, 2), (1, 2, 3)), 1, 2, 1000, 3 + 999 * 2),
        (((1, 2, MAX_COST), (2, 1, MAX_COST)), 1, 2, 1000, 1999 * MAX_COST),
        ((), 1, 2, 1, None),
    ],
)
def test_small_cases(edges, source, target, k, length):
    instance = problem.Instance(vertices=2, edges=edges, source=source, target=target, k=k)
    assert is_right(instance, problem.solve(instance), length)
    assert textbook(instance) == length


def test_walks_longer_than_can_be_counted_are_refused():
    instance = problem.Instance(vertices=2, edges=((1, 2, MAX_COST), (2, 1, MAX_COST)), source=1, target=2, k=1_000_000)
    with pytest.raises(ValueError, match="2\\^60"):
        problem.solve(instance)


def test_a_stopped_search_tells_a_bound():
    instance = problem.generate(1, vertices=200, edges=2000, longest=100, k=5000, solvable=True)
    length = problem.solve(instance).cost
    bounds = set()
    for nodes in (0, 100, 3000, 8000):
        solution = problem.search(instance, limits=Limits(nodes=nodes))
        answer = problem.answer(instance, solution)
        assert (answer.status, answer.cost, answer.edges, solution.stopped_by) == (Status.STOPPED, None, None, "nodes")
        assert answer.bound <= length
        assert problem.check(instance, answer) is None
        bounds.add(answer.bound)
        with pytest.raises(ValueError, match=f"at least {answer.bound}"):
            problem.write(answer)
    assert len(bounds) > 2


def test_a_resumed_search_gives_the_same(tmp_path):
    instance = problem.generate(1, vertices=200, edges=2000, longest=100, k=5000, solvable=True)
    kept = tmp_path / "kept.npz"
    problem.search(instance, limits=Limits(nodes=6000), checkpoint=kept)
    assert problem.solve(instance, resume=kept) == problem.solve(instance)


# --- checker ------------------------------------------------------------------------------------------------------------


def follows(instance, edges):
    """Whether the edges hang together from source to target; and their length."""
    ends = [instance.source]
    for number in edges:
        if not (1 <= number <= len(instance.edges) and instance.edges[number - 1][0] == ends[-1]):
            return None
        ends.append(instance.edges[number - 1][1])
    if len(ends) == 1 or ends[-1] != instance.target or (instance.simple and len(set(ends)) < len(ends)):
        return None
    return sum(instance.edges[number - 1][2] for number in edges)


def mutated(rng, edges):
    edges = list(edges)
    i = rng.randrange(len(edges))
    change = rng.randrange(5)
    if change == 0:
        edges[i] = rng.randint(0, 14)
    elif change == 1:
        del edges[i]
    elif change == 2:
        edges.insert(i, edges[i])
    elif change == 3:
        rng.shuffle(edges)
    else:
        edges = edges[i:]
    return tuple(edges)


@pytest.mark.parametrize("simple", [False, True])
def test_checker_finds_every_fault(simple):
    rng = random.Random(1)
    verdicts = set()
    for seed in range(60):
        instance = problem.generate(seed, k=4, vertices=4, edges=13, solvable=True)
        if instance.source == instance.target and simple:
            continue
        instance = msgspec.structs.replace(instance, simple=simple, k=1 if simple else 4)
        best = problem.solve(instance)
        for _ in range(20):
            edges, cost = mutated(rng, best.edges), best.cost + rng.choice((0, 0, 0, 1, -1))
            answer = problem.Answer(status=Status.OPTIMAL, cost=cost, bound=cost, edges=edges)
            right = follows(instance, edges) == cost
            assert (problem.check(instance, answer) is None) == right
            verdicts.add((right, edges == best.edges))
    assert verdicts >= {(False, False), (False, True), (True, True)}
    assert simple or (True, False) in verdicts  # another walk of the same length


@pytest.mark.parametrize(
    ("status", "cost", "bound", "edges", "message"),
    [
        ("optimal", 14, 14, (), "the walk has no edge"),
        ("optimal", 14, 14, (1, 2, 3), "step 3: there is no edge 3"),
        ("optimal", 14, 14, (1, 1), "step 2: edge 1 begins at vertex 1, but the walk is at vertex 2"),
        ("optimal", 9, 9, (1, 2), "the walk ends at vertex 1, not at vertex 2"),
        ("optimal", 13, 13, (1, 2, 1), "the walk has length 14, not 13"),
        ("optimal", 14, 13, (1, 2, 1), "the length is 14, but the bound is 13"),
        ("optimal", None, None, None, "no length"),
        ("infeasible", 14, None, None, "the answer has a walk, but its status is infeasible"),
        ("stopped", None, 14, (1,), "the answer has a walk, but its status is stopped"),
        ("feasible", 14, 5, (1, 2, 1), "may not be the k-th"),
        ("optimal", 14, 14, (1, 2, 1), None),
        ("infeasible", None, None, None, None),
        ("stopped", None, 3, None, None),
    ],
)
def test_checker_messages(status, cost, bound, edges, message):
    (instance,) = problem.read(SAMPLE)
    fault = problem.check(instance, problem.Answer(status=Status(status), cost=cost, bound=bound, edges=edges))
    assert fault is None if message is None else message in fault


def test_checker_wants_simple_paths_simple():
    instance = problem.Instance(vertices=2, edges=((1, 2, 5), (2, 1, 4)), source=1, target=2, k=1, simple=True)
    answer = problem.Answer(status=Status.OPTIMAL, cost=14, bound=14, edges=(1, 2, 1))
    assert problem.check(instance, answer) == "step 2: vertex 1 is met again"


# --- formats ------------------------------------------------------------------------------------------------------------


@given(instances(), instances(), instances(simple=True))
def test_text_and_json_there_and_back(one, other, simple):
    text = problem.write_instance(one) + problem.write_instance(other)
    assert list(problem.read(text)) == [one, other]
    assert list(problem.read("\ufeff" + text.replace("\n", "\r\n"))) == [one, other]
    assert list(problem.read(" ".join(text.split()))) == [one, other]
    answers = [problem.solve(one), problem.solve(other)]
    read = problem.read_answers("".join(map(problem.write, answers)), [one, other])
    assert read == [msgspec.structs.replace(answer, edges=None) for answer in answers]
    for instance in (one, simple):
        assert msgspec.json.decode(msgspec.json.encode(instance), type=problem.Instance) == instance
        answer = problem.solve(instance)
        assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer
    with pytest.raises(ValueError, match="walks only"):
        problem.write_instance(simple)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of vertices N is expected"),
        ("0 0\n1 1 1", (1, 1), "at least 1"),
        ("2\n", (1, 2), "the number of edges M is expected"),
        ("2 2\n1 2 5\n2 1\n1 2 2", (4, 6), "the number K of the walk is expected"),
        ("2 1\n1 3 5\n1 2 2", (2, 3), r"the vertex B \(edge 1 of 1\) is 3, it must be at most 2"),
        ("2 1\n1 2 -5\n1 2 2", (2, 5), "at least 0"),
        ("2 1\n1 2 9999999999999\n1 2 2", (2, 5), f"at most {MAX_COST}"),
        ("2 1\n1 2 5.5\n1 2 2", (2, 5), "a whole number"),
        ("2 0\n3 2 2", (2, 1), "the first vertex S is 3"),
        ("2 0\n1 0 2", (2, 3), "the last vertex T is 0"),
        ("2 0\n1 2 0", (2, 5), "the number K of the walk is 0"),
        ("2 0\n1 2 2147483648", (2, 5), "at most 2147483647"),
        ("2 0\n1 2", (2, 4), "the number K of the walk is expected"),
        ("2 0\n1 2 1\nend", (3, 1), "found 'end'"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the length for case 1"),
        ("14 14", (1, 4), "every case has its answer"),
        ("-2", (1, 1), "at least -1"),
        ("x", (1, 1), "'x'"),
    ],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, list(problem.read(SAMPLE)))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"vertices": 0}, "there are 0 vertices"),
        ({"k": 0}, "k is 0"),
        ({"k": 2**31}, "k is 2147483648"),
        ({"source": 3}, "the source is 3"),
        ({"target": 0}, "the target is 0"),
        ({"edges": ((1, 2, 3), (1, 3, 3))}, "edge 2 is from 1 to 3"),
        ({"edges": ((1, 2, -1),)}, "edge 1 has length -1"),
        ({"edges": ((1, 2, 2**40),)}, "edge 1 has length 1099511627776"),
        ({"edges": ((1, 2),)}, "length 3"),
        ({"edges": ((1, 2, 0.5),)}, "float"),
        ({"target": 1, "simple": True}, "from a vertex to itself"),
        ({"weights": 1}, "weights"),
        ({"version": 2}, "version"),
    ],
)
def test_bad_json_is_refused(change, message):
    values = {"problem": "kth-walk", "vertices": 2, "edges": ((1, 2, 3),), "source": 1, "target": 2, "k": 1, **change}
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert(values, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(20):
        instance = problem.generate(seed, vertices=5, edges=9, longest=3, k=6, solvable=[True, False, None][seed % 3])
        assert instance == problem.generate(seed, vertices=5, edges=9, longest=3, k=6, solvable=[True, False, None][seed % 3])
        assert (instance.vertices, len(instance.edges), instance.k) == (5, 9, 6)
        assert all(0 <= length <= 3 for _, _, length in instance.edges)
        if seed % 3 < 2:
            assert (twin(instance) is not None) == (seed % 3 == 0)
        assert all(a < b for a, b, _ in problem.generate(seed, acyclic=True).edges)
    assert len({problem.generate(seed) for seed in range(30)}) == 30
    for bad in ({"vertices": 0}, {"edges": -1}, {"longest": -1}, {"vertices": 1, "acyclic": True}):
        with pytest.raises(ValueError, match="no such graph"):
            problem.generate(1, **bad)
    with pytest.raises(ValueError, match="k is 0"):
        problem.generate(1, k=0)
    with pytest.raises(ValueError, match="none of 300 graphs has 5 walks"):
        problem.generate(1, edges=0, solvable=True)
    with pytest.raises(ValueError, match="none of 300 graphs has fewer than 1 walks"):
        problem.generate(1, vertices=1, edges=1, k=1, solvable=False)


def test_pictures_show_edges_and_walk():
    for seed in range(20):
        instance = problem.generate(seed, solvable=[True, None][seed % 2])
        answer = problem.solve(instance)
        shown = list(problem.steps(instance, answer))
        for color in (False, True):
            lines = render.text(instance, color).splitlines()
            assert len(lines) == 1 + len(instance.edges)
            (walk,) = render.text_steps(instance, answer, color)
            assert len(walk.splitlines()) == 1 + len(shown)
            assert ("\x1b" in walk) == color
        if answer.edges is not None:
            assert (shown[-1].vertex, shown[-1].length) == (instance.target, answer.cost)
        for picture, used in ((render.svg(instance), set()), (render.svg(instance, answer), set(answer.edges or ()))):
            kinds = [element.get("class") for element in ET.fromstring(picture).iter()]
            assert kinds.count("edge marked") == len(used)
            assert kinds.count("edge") == len(instance.edges) - len(used)
            assert kinds.count("vertex marked") == len({instance.source, instance.target})


def test_of_a_large_graph_the_walk_is_drawn():
    instance = problem.generate(3, vertices=500, edges=2000, solvable=True)
    answer = problem.solve(instance)
    picture = render.svg(instance, answer)
    assert "the first 60 of 500 vertices" in picture
    assert picture.count('class="edge marked"') == len(set(answer.edges))
    stopped = problem.Answer(status=Status.STOPPED, cost=None, bound=7, edges=None)
    assert "at least 7" in next(render.text_steps(instance, stopped, False))
    assert "there are fewer" in render.svg(instance, problem.Answer(status=Status.INFEASIBLE, cost=None, bound=None, edges=None))
