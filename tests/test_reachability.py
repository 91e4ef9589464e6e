"""Counts of reachable vertices against searches from every vertex, by both methods; components against NetworkX."""

import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from bestfirst import Interrupted, Limits, reachability, strongly_connected_components
from bestfirst.search import reachability as module
from naive_graphs import built, odd_graphs, random_graph, reached


@pytest.fixture(params=["as chosen", "bit sets"])
def method(request, monkeypatch):
    """Small graphs never need the bit sets; no budget for searches makes them."""
    if request.param == "bit sets":
        monkeypatch.setattr(module, "_WORDS_PER_ARC", 1 << 40)
    return request.param


def counted(n, edges):
    return [len(reached(n, edges, v)) for v in range(n)]


def test_small_graphs_against_searches(method):
    @given(odd_graphs(vertices=9, edges=20))
    def check(graph):
        found = reachability(built(*graph))
        assert found.status == "optimal"
        assert found.count.tolist() == counted(*graph)

    check()


def random_acyclic(rng, n, m):
    """Most edges short, so that chains and arcs implied by others abound."""
    edges = []
    for _ in range(m):
        u, v = rng.randrange(n), min(n - 1, int(rng.expovariate(0.05)))
        u, v = sorted((u, min(n - 1, u + v)))
        if u != v:
            edges.append((u, v, 1))
    order = rng.sample(range(n), n)
    return n, [(order[u], order[v], w) for u, v, w in edges]


@pytest.mark.parametrize("seed", range(4))
def test_several_blocks_of_columns(method, seed):
    rng = random.Random(seed)
    n, edges = random_acyclic(rng, 1500, rng.choice([1500, 4000]))
    if seed % 2:  # some cycles, so that columns stand for several vertices
        edges += [(v, u, 1) for u, v, _ in rng.sample(edges, 300)]
    graph = built(n, edges)
    digraph = nx.DiGraph([(u, v) for u, v, _ in edges])
    digraph.add_nodes_from(range(n))
    found = reachability(graph)
    assert found.count.tolist() == [1 + len(nx.descendants(digraph, v)) for v in range(n)]


def test_one_large_component_between_what_leads_to_it_and_what_it_leads_to(method):
    n, edges = random_graph(random.Random(3), 1500, 2200)
    digraph = nx.DiGraph([(u, v) for u, v, _ in edges])
    digraph.add_nodes_from(range(n))
    assert reachability(built(n, edges)).count.tolist() == [1 + len(nx.descendants(digraph, v)) for v in range(n)]


def test_known_answers(method):
    ring = [(v, (v + 1) % 700, 1) for v in range(700)]
    assert reachability(built(700, ring)).count.tolist() == [700] * 700
    line = [(v, v + 1, 1) for v in range(1299)]
    assert reachability(built(1300, line)).count.tolist() == list(range(1300, 0, -1))
    assert reachability(built(3, [(0, 1, 0), (0, 1, 0), (1, 1, 0)])).count.tolist() == [2, 1, 1]
    every = [(u, v, 1) for u in range(80) for v in range(u)]
    assert reachability(built(80, every)).count.tolist() == list(range(1, 81))
    assert reachability(built(0, [])).count.tolist() == []


def test_a_graph_given_as_a_matrix():
    import scipy.sparse

    assert reachability(scipy.sparse.csr_array(np.array([[0, 2.5], [0, 0]]))).count.tolist() == [2, 1]  # weights do not matter


@given(odd_graphs(vertices=9, edges=20))
def test_components_against_networkx(graph):
    n, edges = graph
    component = strongly_connected_components(built(n, edges)).tolist()
    digraph = nx.DiGraph([(u, v) for u, v, _ in edges])
    digraph.add_nodes_from(range(n))
    theirs = {frozenset(members) for members in nx.strongly_connected_components(digraph)}
    assert {frozenset(v for v in range(n) if component[v] == c) for c in set(component)} == theirs
    assert sorted(set(component)) == list(range(len(theirs)))
    assert all(component[u] >= component[v] for u, v, _ in edges)


def test_components_of_a_deep_graph():
    n = 200_000
    line = np.arange(n - 1)
    from bestfirst import Graph

    assert strongly_connected_components(Graph.from_edges(line, line + 1)).tolist() == list(range(n - 1, -1, -1))


def test_pausing_and_resuming_changes_nothing(method, tmp_path):
    graph = built(*random_acyclic(random.Random(1), 1200, 3000))
    whole = reachability(graph)
    file = tmp_path / "search"
    part = reachability(graph, limits=Limits(nodes=1), checkpoint=file)
    rng, stops = random.Random(1), 0
    while part.stopped_by is not None:
        stops += 1
        assert (part.count <= whole.count).all()
        limits = Limits(nodes=part.stats.generated + rng.randint(1, 3000))
        part = reachability(graph, limits=limits, checkpoint=file, resume=file)
    assert stops > 3
    assert part.count.tolist() == whole.count.tolist()
    assert part.stats.generated == whole.stats.generated


def test_interpreted_and_compiled_agree(method):
    graph = built(*random_graph(random.Random(2), 600, 800))
    compiled, plain = (reachability(graph, compiled=compiled) for compiled in (True, False))
    assert compiled.count.tolist() == plain.count.tolist()
    assert compiled.stats.generated == plain.stats.generated


def test_an_interruption_carries_lower_bounds():
    graph = built(*random_acyclic(random.Random(1), 1200, 3000))
    with pytest.raises(Interrupted) as stop:
        reachability(graph, interrupted=lambda: True)
    assert stop.value.solution.status == "stopped"
    assert (stop.value.solution.count >= 1).all()
