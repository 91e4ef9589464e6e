"""The problem reachability: counts as a twin and NetworkX find them, a checker that misses nothing, formats, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import networkx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import naive_graphs as naive
from bestfirst.catalogue import reachability as problem
from bestfirst.formats.tokens import InputError
from bestfirst.render import reachability as render
from bestfirst.result import Limits, Status

SAMPLE = "10 10\n3 8\n2 3\n2 5\n5 9\n5 9\n2 3\n3 9\n4 8\n2 10\n4 9\n"
SAMPLE_OUTPUT = "1\n6\n3\n3\n2\n1\n1\n1\n1\n1\n"


@st.composite
def instances(draw, vertices=8, edges=16):
    n = draw(st.integers(0, vertices))
    vertex = st.integers(1, max(n, 1))
    return problem.Instance(vertices=n, edges=tuple(draw(st.lists(st.tuples(vertex, vertex), max_size=edges if n else 0))))


def twin(instance):
    edges = [(x - 1, y - 1, 1) for x, y in instance.edges]
    return tuple(len(naive.reached(instance.vertices, edges, vertex)) for vertex in range(instance.vertices))


def optimal(counts):
    return problem.Answer(status=Status.OPTIMAL, counts=tuple(counts))


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert problem.write(answer) == SAMPLE_OUTPUT
    assert problem.check(instance, answer) is None
    assert problem.read_answers(SAMPLE_OUTPUT, [instance]) == [answer]


@given(instances())
@example(problem.Instance(vertices=0, edges=()))
@example(problem.Instance(vertices=1, edges=((1, 1), (1, 1))))
def test_counts_are_those_of_the_twin_and_the_checker_agrees(instance):
    answer = problem.solve(instance)
    assert answer == optimal(twin(instance))
    assert problem.check(instance, answer) is None


@pytest.mark.parametrize("acyclic", [True, False])
@pytest.mark.parametrize("edges", [100, 300, 2000])
def test_middling_graphs_as_networkx_counts_them(edges, acyclic):
    instance = problem.generate(5, vertices=300, edges=edges, acyclic=acyclic)
    graph = networkx.DiGraph(instance.edges)
    graph.add_nodes_from(range(1, 301))
    expected = optimal(len(networkx.descendants(graph, vertex)) + 1 for vertex in range(1, 301))
    assert problem.solve(instance) == expected
    assert problem.check(instance, expected) is None


def test_a_long_way_and_a_long_ring():
    n = 5000
    way = tuple((i, i + 1) for i in range(1, n))
    assert problem.solve(problem.Instance(vertices=n, edges=way)).counts == tuple(range(n, 0, -1))
    ring = problem.Instance(vertices=n, edges=(*way, (n, 1)))
    assert problem.solve(ring).counts == (n,) * n
    assert problem.check(ring, optimal([n] * n)) is None


def test_the_method_is_named():
    sparse = problem.search(problem.generate(1, vertices=2000, edges=1000))
    dense = problem.search(problem.generate(1, vertices=2000, edges=20_000))
    assert (sparse.why, dense.why) == ("a search from each component", "many components are reached from each: rows of bits")


def test_stopped_counts_are_lower_bounds():
    instance = problem.generate(2, vertices=2000, edges=8000)
    solution = problem.search(instance, limits=Limits(nodes=100))
    answer = problem.answer(instance, solution)
    assert answer.status is Status.STOPPED
    assert solution.stopped_by == "nodes"
    assert problem.check(instance, answer) is None
    assert problem.check(instance, optimal(answer.counts)) is not None
    with pytest.raises(ValueError, match="only lower bounds"):
        problem.write(answer)


def test_resumed_counts_are_the_same(tmp_path):
    instance = problem.generate(2, vertices=2000, edges=8000)
    kept = tmp_path / "kept.npz"
    problem.search(instance, limits=Limits(nodes=5000), checkpoint=kept)
    assert problem.solve(instance, resume=kept) == problem.solve(instance)


# --- checker ------------------------------------------------------------------------------------------------------------


@given(instances(), st.randoms(use_true_random=False), st.booleans())
def test_checker_finds_every_fault(instance, rng, drop):
    counts = list(twin(instance))
    if not counts:
        return
    i = rng.randrange(len(counts))
    if drop:
        del counts[i]
    else:
        counts[i] += rng.choice((-1, 1, 7))
    assert problem.check(instance, optimal(counts)) is not None


@pytest.mark.parametrize("bits", [1, 7, 64])
def test_checker_counts_the_same_in_small_blocks(bits, monkeypatch):
    monkeypatch.setattr(problem, "_CHECKED_BITS", bits * 12)
    for seed in range(20):
        instance = problem.generate(seed, vertices=12, edges=seed, acyclic=bool(seed % 2))
        assert problem.check(instance, optimal(twin(instance))) is None


def test_checker_messages():
    instance = problem.Instance(vertices=3, edges=((1, 2), (2, 1)))
    for counts, message in (
        ((2, 2), "there are 2 counts for 3 vertices"),
        ((2, 1, 1), "vertex 2 reaches 2 vertices, itself included, not 1"),
        ((2, 2, 2), "vertex 3 reaches 1 vertex, itself included, not 2"),
        ((2, 2, 1), None),
    ):
        assert problem.check(instance, optimal(counts)) == message
    for status, counts, message in (
        (Status.STOPPED, (1, 2, 1), None),
        (Status.STOPPED, (1, 0, 1), "vertex 2 reaches itself, but its count is 0"),
        (Status.STOPPED, (3, 1, 1), "vertex 1 reaches 2 vertices, itself included, not 3"),
        (Status.INFEASIBLE, (2, 2, 1), "the status is infeasible, but every graph has its counts"),
    ):
        assert problem.check(instance, problem.Answer(status=status, counts=counts)) == message


# --- formats ------------------------------------------------------------------------------------------------------------


@given(instances(), instances())
def test_text_and_json_there_and_back(one, other):
    text = problem.write_instance(one) + problem.write_instance(other)
    assert list(problem.read(text)) == [one, other]
    assert list(problem.read("\ufeff" + text.replace("\n", "\r\n"))) == [one, other]
    assert list(problem.read(" ".join(text.split()))) == [one, other]
    answers = [problem.solve(one), problem.solve(other)]
    assert problem.read_answers("".join(map(problem.write, answers)), [one, other]) == answers
    assert msgspec.json.decode(msgspec.json.encode(one), type=problem.Instance) == one
    assert msgspec.json.decode(msgspec.json.encode(answers[0]), type=problem.Answer) == answers[0]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of vertices N is expected"),
        ("3\n", (1, 2), "the number of edges M is expected"),
        ("-1 0", (1, 1), "it must be at least 0"),
        ("2 -1", (1, 3), "it must be at least 0"),
        ("2.5 0", (1, 1), "a whole number"),
        ("999999999999 0", (1, 1), "it must be at most 100000000"),
        ("2 2\n1 2\n1", (3, 2), r"the vertex y \(edge 2 of 2\) is expected"),
        ("2 2\n1 2\n0 1", (3, 1), r"the vertex x \(edge 2 of 2\) is 0, it must be at least 1"),
        ("2 1\n1 3", (2, 3), "at most 2"),
        ("2 1\n1 x", (2, 3), "found 'x'"),
        ("0 1\n1 1", (2, 1), "at most 0"),
        ("1 0\n1 0\n1", (3, 2), "the number of edges M"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("1 2", (1, 4), "vertex 3 of 3"),
        ("1 2 1 1", (1, 7), "every vertex has its count"),
        ("1 -2 1", (1, 3), "at least 0"),
        ("1 two 1", (1, 3), "'two'"),
    ],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, [problem.Instance(vertices=3, edges=())])
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"vertices": -1, "edges": ()}, "there are -1 vertices"),
        ({"vertices": 10**30, "edges": ()}, "vertices"),
        ({"vertices": 2, "edges": ((1, 2), (0, 1))}, r"edge 2 is \(0, 1\)"),
        ({"vertices": 2, "edges": ((1, 2, 3),)}, "length 2"),
        ({"vertices": 2}, "edges"),
        ({"vertices": 2, "edges": (), "weights": ()}, "weights"),
        ({"version": 2, "vertices": 2, "edges": ()}, "version"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "reachability", **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(30):
        instance = problem.generate(seed, vertices=6, edges=9)
        assert instance == problem.generate(seed, vertices=6, edges=9)
        assert (instance.vertices, len(instance.edges)) == (6, 9)
        assert networkx.is_directed_acyclic_graph(networkx.DiGraph(instance.edges))
    assert len({problem.generate(seed) for seed in range(30)}) == 30
    assert any(x == y for x, y in problem.generate(1, vertices=2, edges=50, acyclic=False).edges)
    for bad in ({"vertices": -1}, {"edges": -1}, {"vertices": 1, "edges": 1}, {"vertices": 0, "edges": 1, "acyclic": False}):
        with pytest.raises(ValueError, match="no such graph"):
            problem.generate(1, **bad)


def test_pictures_show_every_vertex_and_edge():
    rng = random.Random(1)
    for _ in range(20):
        instance = problem.generate(rng.randrange(1000), vertices=rng.randint(1, 9), edges=rng.randint(0, 12), acyclic=False)
        answer = problem.solve(instance)
        for color in (False, True):
            lines = render.text(instance, color).splitlines()
            assert [len(line.split()) - 2 for line in lines] == [
                sum(x == vertex for x, _ in instance.edges) for vertex in range(1, instance.vertices + 1)
            ]
            (shown,) = render.text_steps(instance, answer, color)
            assert [int(line.split()[2]) for line in shown.splitlines()] == list(answer.counts)
            assert ("\x1b" in shown) == color
        for picture in (render.svg(instance), render.svg(instance, answer)):
            tags = [(element.tag.rpartition("}")[2], element.get("class")) for element in ET.fromstring(picture).iter()]
            assert tags.count(("path", "edge")) == len(instance.edges)
            assert tags.count(("rect", "vertex")) == instance.vertices


def test_pictures_of_many_vertices_none_and_a_stopped_count():
    large = problem.generate(1, vertices=1000, edges=3000)
    picture = render.svg(large, problem.solve(large))
    assert "the first 60 of 1000 vertices" in picture
    assert picture.count('class="vertex"') == 60
    empty = problem.Instance(vertices=0, edges=())
    assert render.text(empty, False) == ""
    ET.fromstring(render.svg(empty, problem.solve(empty)))
    stopped = problem.Answer(status=Status.STOPPED, counts=(1, 1))
    two = problem.Instance(vertices=2, edges=((1, 2),))
    assert next(render.text_steps(two, stopped, False)).startswith("at least")
    assert "≥ 1" in render.svg(two, stopped)
