"""The k shortest simple paths against all of them, published lengths and NetworkX; odd cases; limits and checkpoints."""

import itertools
import random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst
from bestfirst import Limits, shortest_simple_paths, shortest_walks
from naive_graphs import built, check_walk, odd_graphs, random_graph, simple_paths


def check_answer(edges, found, source, target):
    """All paths are valid, simple, different, and cost what is said."""
    for path, cost in zip(found, found.costs.tolist(), strict=True):
        check_walk(edges, path, source, target)
        assert path.cost == cost
        assert len(set(path.vertices)) == len(path.vertices)
    assert len({path.edges for path in found}) == len(found)


@given(odd_graphs(vertices=6, edges=16), st.data())
def test_small_graphs_against_all_paths(graph, data):
    n, edges = graph
    source, target = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))
    every = simple_paths(n, edges, source, target)
    found = shortest_simple_paths(built(n, edges), source, target, 10**6)
    assert [(path.cost, path.edges) for path in sorted(found, key=lambda path: (path.cost, path.edges))] == every
    assert found.costs.tolist() == [cost for cost, _ in every]
    assert found.bound is None
    assert found.status == ("optimal" if every else "infeasible")
    check_answer(edges, found, source, target)
    for k in {1, max(1, len(every) // 2), max(1, len(every) - 1)}:
        some = shortest_simple_paths(built(n, edges), source, target, k)
        assert some.costs.tolist() == found.costs[:k].tolist()


@pytest.mark.parametrize("seed", range(30))
def test_dense_graphs_with_many_ties(seed):
    rng = random.Random(seed)
    n, edges = random_graph(rng, rng.randint(6, 9), rng.randint(20, 34), high=rng.choice([0, 1, 2, 20]))
    every = simple_paths(n, edges, 0, 1)
    found = shortest_simple_paths(built(n, edges), 0, 1, len(every) + 1)
    assert sorted((path.cost, path.edges) for path in found) == every
    assert found.costs.tolist() == [cost for cost, _ in every]


@pytest.mark.parametrize("seed", range(3))
def test_larger_graphs_against_networkx(seed):
    n, edges = random_graph(random.Random(seed), 80, 300, high=20, low=1)
    digraph = nx.DiGraph()
    digraph.add_nodes_from(range(n))
    for u, v, w in edges:
        digraph.add_edge(u, v, weight=w)  # the last of parallel edges
    theirs = itertools.islice(nx.shortest_simple_paths(digraph, 0, 1, weight="weight"), 60)
    costs = [nx.path_weight(digraph, path, "weight") for path in theirs]
    found = shortest_simple_paths(digraph, 0, 1, 60)
    assert found.costs.tolist() == costs


@pytest.mark.parametrize("seed", range(3))
def test_grids_against_filtered_walks(seed):
    """The simple ones among the k shortest walks are the shortest simple paths."""
    rng, side = random.Random(seed), 5
    steps = [
        (a, b) for a in range(side**2) for b in ((a + 1) if (a + 1) % side else None, a + side) if b is not None and b < side**2
    ]
    edges = [(u, v, rng.randint(1, 9)) for a, b in steps for u, v in ((a, b), (b, a))]
    graph = built(side**2, edges)
    walks = shortest_walks(graph, 0, side**2 - 1, 4000)
    simple = [walk.edges for walk in walks if len(set(walk.vertices)) == len(walk.vertices)]
    found = shortest_simple_paths(graph, 0, side**2 - 1, len(simple))
    assert found.costs[-1] == walks.costs[-1] or len(simple) > 50
    assert sum(found.costs.tolist()) == sum(sum(edges[e][2] for e in path) for path in simple)
    check_answer(edges, found, 0, side**2 - 1)


@pytest.mark.parametrize(
    ("source", "target", "lengths"),
    [
        (1, 3353, {1: 30305, 2: 30351, 5: 30425, 10: 30542, 20: 30615, 50: 30699, 100: 30761}),
        (2958, 1494, {1: 25450, 2: 25451, 5: 25548, 10: 25614, 20: 25653, 50: 25709, 100: 25778}),
        (1000, 2000, {1: 9576, 2: 9582, 5: 9608, 10: 9624, 20: 9643, 50: 9677, 100: 9708}),
    ],
)
def test_rome(rome, source, target, lengths):
    found = shortest_simple_paths(rome, source - 1, target - 1, 100)
    assert {k: int(found.costs[k - 1]) for k in lengths} == lengths


@given(odd_graphs(), st.integers(1, 12))
def test_interpreted_and_compiled_agree_in_all_counts(graph, k):
    n = graph[0]
    compiled, plain = (shortest_simple_paths(built(*graph), 0, n - 1, k, compiled=compiled) for compiled in (True, False))
    assert compiled.costs.tolist() == plain.costs.tolist()
    assert list(compiled) == list(plain)
    assert compiled.stats.generated == plain.stats.generated
    assert compiled.stats.expanded == plain.stats.expanded


def test_pausing_and_resuming_changes_nothing(tmp_path):
    graph = built(*random_graph(random.Random(9), 40, 150, high=5))
    whole = shortest_simple_paths(graph, 0, 39, 300)
    assert len(whole) == 300
    file = tmp_path / "search"
    part = shortest_simple_paths(graph, 0, 39, 300, limits=Limits(nodes=1), checkpoint=file)
    rng = random.Random(1)
    while part.stopped_by is not None:
        assert part.costs.tolist() == whole.costs[: len(part)].tolist()
        limits = Limits(nodes=part.stats.generated + rng.randint(1, 900))
        part = shortest_simple_paths(graph, 0, 39, 300, limits=limits, checkpoint=file, resume=file)
    assert list(part) == list(whole)
    assert (part.stats.generated, part.stats.expanded) == (whole.stats.generated, whole.stats.expanded)


def test_stopped_among_the_distances_the_bound_is_right():
    """The source is near the target, and the rest of the graph far."""
    graph = built(300, [(0, 1, 5), (0, 1, 6)] + [(v + 1, v, 100) for v in range(1, 299)])
    for nodes in range(0, 800, 7):
        part = shortest_simple_paths(graph, 0, 1, 2, limits=Limits(nodes=nodes))
        assert part.bound is None or part.bound <= (5, 6, 6)[len(part)]
    assert part.costs.tolist() == [5, 6]


def test_a_memory_limit_ends_it_gracefully():
    graph = built(*random_graph(random.Random(9), 40, 150))
    found = shortest_simple_paths(graph, 0, 39, 10**6, limits=Limits(memory=200_000))
    assert (found.status, found.stopped_by) == ("feasible", "memory")
    assert found.costs.tolist() == shortest_simple_paths(graph, 0, 39, len(found)).costs.tolist()


def test_source_and_target_the_same():
    found = shortest_simple_paths(built(2, [(0, 0, 0), (0, 1, 0), (1, 0, 0)]), 0, 0, 9)
    assert [path.edges for path in found] == [()]


def test_cycles_of_cost_0_are_not_walked():
    edges = [(0, 1, 0), (1, 2, 0), (2, 1, 0), (1, 3, 0), (2, 3, 1), (0, 2, 0)]
    every = simple_paths(4, edges, 0, 3)
    assert shortest_simple_paths(built(4, edges), 0, 3, 99).costs.tolist() == [cost for cost, _ in every]


def test_sums_are_exact_beyond_32_bits():
    cost = bestfirst.MAX_COST
    graph = built(3, [(0, 1, cost), (1, 2, cost), (0, 2, 3)])
    assert shortest_simple_paths(graph, 0, 2, 9).costs.tolist() == [3, 2 * cost]
