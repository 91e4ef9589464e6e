"""Distances against relaxing all edges, SciPy and NetworkX; the walks they come with; limits, checkpoints, interruption."""

import random

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph
from hypothesis import given
from hypothesis import strategies as st

import bestfirst
from bestfirst import CostError, Interrupted, Limits, distances
from naive_graphs import built, check_walk, odd_graphs, random_graph
from naive_graphs import distances as relaxed


def as_list(found):
    return [None if d < 0 else d for d in found.distance.tolist()]


@given(odd_graphs(), st.data())
def test_small_graphs_against_relaxing(graph, data):
    n, edges = graph
    sources = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3))
    found = distances(built(n, edges), sources)
    assert found.status == "optimal"
    assert as_list(found) == relaxed(n, edges, sources)
    for vertex, distance in enumerate(as_list(found)):
        walk = found.walk_to(vertex)
        if distance is None:
            assert walk is None
            assert found.edge[vertex] == -1
        else:
            check_walk(edges, walk, walk.vertices[0], vertex)
            assert walk.vertices[0] in sources
            assert walk.cost == distance
            assert found.edge[vertex] == (walk.edges[-1] if walk.edges else -1)


@pytest.mark.parametrize("seed", range(3))
def test_larger_graphs_against_scipy_and_networkx(seed):
    n, edges = random_graph(random.Random(seed), 2000, 6000, high=10**6, low=1)
    cheapest = {}
    for u, v, w in edges:
        cheapest[u, v] = min(w, cheapest.get((u, v), w))
    rows, columns = zip(*cheapest, strict=True)
    matrix = scipy.sparse.csr_array((list(cheapest.values()), (rows, columns)), shape=(n, n))
    found = distances(built(n, edges), 0)
    theirs = scipy.sparse.csgraph.dijkstra(matrix, indices=0)
    assert found.distance.tolist() == np.where(np.isinf(theirs), -1, theirs).astype(int).tolist()
    digraph = nx.MultiDiGraph()
    digraph.add_weighted_edges_from(edges)
    lengths = nx.single_source_dijkstra_path_length(digraph, 0)
    assert {v: d for v, d in enumerate(found.distance.tolist()) if d >= 0} == lengths
    assert found.stats.expanded == len(lengths)  # each vertex once


@given(odd_graphs())
def test_interpreted_and_compiled_agree_in_all_counts(graph):
    compiled, plain = (distances(built(*graph), 0, compiled=compiled) for compiled in (True, False))
    assert compiled.distance.tolist() == plain.distance.tolist()
    assert compiled.edge.tolist() == plain.edge.tolist()
    assert compiled.stats.generated == plain.stats.generated
    assert compiled.stats.expanded == plain.stats.expanded


def test_stopped_early_what_is_told_is_right():
    graph = built(*random_graph(random.Random(5), 300, 900))
    whole = distances(graph, 0)
    for nodes in range(0, whole.stats.generated, 37):
        part = distances(graph, 0, limits=Limits(nodes=nodes))
        assert (part.status, part.stopped_by) == ("stopped", "nodes")
        known = part.distance >= 0
        assert (part.distance[known] == whole.distance[known]).all()
        assert (whole.distance[~known & (whole.distance >= 0)] >= part.bound).all()
        assert all(part.walk_to(v).cost == part.distance[v] for v in np.flatnonzero(known).tolist())


def test_a_checkpoint_goes_on_with_the_same_answer_and_counts(tmp_path):
    graph = built(*random_graph(random.Random(6), 300, 900))
    whole = distances(graph, [0, 7])
    file = tmp_path / "search"
    part = distances(graph, [0, 7], limits=Limits(nodes=1), checkpoint=file)
    while part.status == "stopped":
        part = distances(graph, [0, 7], limits=Limits(nodes=part.stats.generated + 50), checkpoint=file, resume=file)
    assert part.distance.tolist() == whole.distance.tolist()
    assert (part.stats.generated, part.stats.expanded) == (whole.stats.generated, whole.stats.expanded)
    with pytest.raises(bestfirst.CheckpointError):
        distances(graph, 1, resume=file)
    with pytest.raises(bestfirst.CheckpointError, match="another problem"):
        distances(built(*random_graph(random.Random(7), 300, 900)), [0, 7], resume=file)


def test_an_interruption_carries_what_is_known():
    graph = built(*random_graph(random.Random(8), 300, 900))
    with pytest.raises(Interrupted) as stop:
        distances(graph, 0, interrupted=lambda: True)
    assert stop.value.solution.stopped_by == "interrupt"
    assert stop.value.solution.status == "stopped"


@pytest.mark.slow
def test_distances_beyond_2_to_the_60_are_refused():
    n = (1 << 20) + 3
    steps = np.arange(n - 1)
    graph = bestfirst.Graph.from_edges(steps, steps + 1, np.full(n - 1, bestfirst.MAX_COST))
    with pytest.raises(CostError, match=r"2\^60"):
        distances(graph, 0)
    assert distances(graph, 5).distance[-1] == (n - 6) * bestfirst.MAX_COST  # just below: exact


def test_no_vertex_to_start_from():
    graph = built(0, [])
    assert distances(graph, []).distance.tolist() == []
    with pytest.raises(ValueError, match="no vertex 0"):
        distances(graph, 0)
