"""Graphs from every form that is taken; graph_problem on every engine; complaints in one sentence."""

import random
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import bestfirst
from bestfirst import Graph, Limits, a_star, as_graph, breadth_first, distances, graph_problem, ida_star, solve
from naive_graphs import built, check_walk, odd_graphs, random_graph
from naive_graphs import distances as relaxed

pytestmark = pytest.mark.slow  # compiles for every engine


def edges_of(graph):
    """(source name, target name, weight, edge number) of every arc."""
    arcs = graph.arcs
    rows = zip(graph.source.tolist(), arcs.target.tolist(), arcs.weight.tolist(), graph.number.tolist(), strict=True)
    return [(graph.name(u), graph.name(v), w, number) for u, v, w, number in rows]


@given(odd_graphs())
def test_edges_keep_their_numbers_and_the_reverse_has_them_too(graph):
    n, edges = graph
    given_edges = sorted((u, v, w, number) for number, (u, v, w) in enumerate(edges))
    made = built(n, edges)
    assert (made.vertex_count, made.arc_count) == (n, len(edges))
    assert sorted(edges_of(made)) == given_edges
    assert made.source.tolist() == sorted(made.source.tolist())
    assert sorted((v, u, w, number) for u, v, w, number in edges_of(made.reversed())) == given_edges
    assert sorted(edges_of(made.reversed().reversed())) == given_edges


@given(odd_graphs())
def test_undirected_edges_may_be_walked_both_ways(graph):
    n, edges = graph
    both = sorted(
        {(u, v, w, number) for number, (u, v, w) in enumerate(edges)}
        | {(v, u, w, number) for number, (u, v, w) in enumerate(edges)}
    )
    assert sorted(edges_of(built(n, edges, directed=False))) == both


@given(odd_graphs(weights=(0, 1, 5)))
def test_scipy_matrices_with_stored_zeros_and_entries_stored_twice(graph):
    n, edges = graph
    rows, columns, data = zip(*edges, strict=True) if edges else ((), (), ())
    coo = scipy.sparse.coo_array((np.array(data, float), (np.array(rows, int), np.array(columns, int))), shape=(n, n))
    assert edges_of(as_graph(coo)) == edges_of(built(n, edges))
    order = np.argsort(np.array(rows, int), kind="stable")
    indptr = np.searchsorted(np.array(rows, int)[order], np.arange(n + 1))
    csr = scipy.sparse.csr_matrix((np.array(data, float)[order], np.array(columns, int)[order], indptr), shape=(n, n))
    assert [edge[:3] for edge in edges_of(as_graph(csr))] == [edge[:3] for edge in edges_of(built(n, edges))]
    assert as_graph(csr).number.tolist() == list(range(len(edges)))
    assert set(as_graph(csr, weight=None).arcs.weight.tolist()) <= {1}


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("seed", range(5))
def test_networkx_graphs(kind, seed):
    rng = random.Random(seed)
    theirs = kind()
    theirs.add_nodes_from("abcdef")
    theirs.add_node(("a", "tuple"))
    for _ in range(15):
        theirs.add_edge(*rng.choices(list(theirs), k=2), weight=rng.randint(0, 9), toll=rng.randint(0, 9))
    graph = as_graph(theirs, "toll")
    numbered = list(theirs.edges)
    for u, v, w, number in edges_of(graph):
        assert {numbered[number][0], numbered[number][1]} == {u, v}
        assert theirs.edges[numbered[number]]["toll"] == w
    found = distances(theirs, "a", weight="toll")
    lengths = nx.single_source_dijkstra_path_length(theirs, "a", weight="toll")
    assert {graph.name(v): d for v, d in enumerate(found.distance.tolist()) if d >= 0} == lengths
    hops = distances(theirs, "a", weight=None)
    assert {graph.name(v): d for v, d in enumerate(hops.distance.tolist()) if d >= 0} == nx.single_source_shortest_path_length(
        theirs, "a"
    )


# --- every engine -------------------------------------------------------------------------------------------------------


@given(odd_graphs(weights=(1, 1, 2, 5)), st.data())
def test_every_engine_finds_the_distance(graph, data):
    n, edges = graph
    source = data.draw(st.integers(0, n - 1))
    targets = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3))
    reached = [d for v, d in enumerate(relaxed(n, edges, [source])) if v in targets and d is not None]
    made = built(n, edges)
    exact = [min(costs, default=bestfirst.UNREACHABLE) for costs in zip(*per_target(n, edges, targets), strict=True)]
    calls = [(a_star, None), (a_star, exact), (solve, None), (ida_star, exact)]
    calls += [(ida_star, None)] if reached else []  # without a bound it never learns that there is no way
    for engine, bound in calls:
        solution = engine(*graph_problem(made, source, targets, bound=bound), limits=Limits(nodes=10**5))
        if solution.status == "stopped":  # depth first, where no goal can be reached
            assert not reached
            continue
        assert solution.cost == min(reached, default=None)
        if reached:
            walk = made.walk(solution)
            check_walk(edges, walk, source, walk.vertices[-1])
            assert walk.vertices[-1] in targets
            assert walk.cost == solution.cost


def per_target(n, edges, targets):
    backwards = [(v, u, w) for u, v, w in edges]
    return [[bestfirst.UNREACHABLE if d is None else d for d in relaxed(n, backwards, [t])] for t in targets]


def test_breadth_first_counts_edges():
    made = built(*random_graph(random.Random(3), 200, 500, low=1, high=1))
    hops = distances(made, 0)
    for target in range(1, 200, 23):
        solution = breadth_first(*graph_problem(made, 0, target))
        assert solution.cost == (hops.distance[target] if hops.distance[target] >= 0 else None)


def test_names_come_back():
    theirs = nx.MultiDiGraph()
    theirs.add_edge("home", "work", weight=4)
    theirs.add_edge("home", "work", weight=3)
    theirs.add_edge("work", ("pub", 1), weight=2)
    graph = as_graph(theirs)
    solution = a_star(*graph_problem(graph, "home", ("pub", 1)))
    assert graph.walk(solution) == (5, ("home", "work", ("pub", 1)), (1, 2))
    assert a_star(*graph_problem(theirs, "home", ["work", ("pub", 1)])).cost == 3
    with pytest.raises(ValueError, match="no walk"):
        graph.walk(a_star(*graph_problem(graph, "work", "home")))


def test_a_graph_without_edges_is_a_problem_too():
    assert a_star(*graph_problem(built(1, []), 0, 0)).cost == 0
    assert a_star(*graph_problem(built(2, []), 0, 1)).status == "infeasible"


# --- complaints ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0], [1], [-1]), r"the weight of edge 0 is -1; it must be a whole number from 0 to 1099511627775"),
        (([0, 0], [1, 1], [1, 2.5]), r"the weight of edge 1 is 2\.5"),
        (([0], [1], [float("nan")]), r"the weight of edge 0 is nan"),
        (([0], [1], [float("inf")]), r"the weight of edge 0 is inf"),
        (([0], [1], [1 << 40]), r"the weight of edge 0 is 1099511627776"),
        (([0], [1], [1 << 80]), r"the weight of edge 0 is 1208925819614629174706176"),
        (([0], [1], np.array([1 << 63], np.uint64)), r"the weight of edge 0 is 9223372036854775808"),
        (([0], [1], ["3"]), r"the weight of edge … must be whole numbers, not <U1"),
        (([0], [1], [True]), r"whole numbers, not bool"),
        (([0], [[1]], [1]), r"the target of edge … must come in one dimension, not 2"),
        (([0, 1], [1], [1]), r"2 sources, 1 targets and 1 weights"),
        (([0], [1], []), r"1 sources, 1 targets and 0 weights"),
        (([-1], [1]), r"the source of edge 0 is -1"),
        (([0], [1 << 32]), r"the target of edge 0 is 4294967296"),
    ],
)
def test_bad_edges(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        Graph.from_edges(*arguments)


def test_other_mistakes():
    with pytest.raises(ValueError, match="the target of edge 1 is 2; it must be a whole number from 0 to 1"):
        Graph.from_edges([0, 0], [1, 2], vertices=2)
    with pytest.raises(ValueError, match="same name"):
        Graph.from_edges([0], [1], names=["a", "a"])
    with pytest.raises(ValueError, match="3 names for 2 vertices"):
        Graph.from_edges([0], [1], names="abc", vertices=2)
    with pytest.raises(ValueError, match="vertices, not -1"):
        Graph.from_edges([], [], vertices=-1)
    graph = Graph.from_edges([0], [1])
    for vertex in (True, "0", 0.0, None):
        with pytest.raises(TypeError, match="called by number"):
            graph.vertex(vertex)
    for vertex in (-1, 2):
        with pytest.raises(ValueError, match=f"no vertex {vertex}; there are 2"):
            graph_problem(graph, 0, vertex)
    named = Graph.from_edges([0], [1], names="ab")
    with pytest.raises(ValueError, match="no vertex 0"):
        distances(named, 0)
    with pytest.raises(TypeError, match="hashable"):
        named.vertex({})
    with pytest.raises(ValueError, match="1 bounds for 2 vertices"):
        graph_problem(graph, 0, 1, bound=[0])
    with pytest.raises(TypeError, match="not dict"):
        as_graph({0: [1]})
    with pytest.raises(TypeError, match="not ndarray"):
        as_graph(np.eye(3))
    with pytest.raises(ValueError, match=r"square, not of shape \(2, 3\)"):
        as_graph(scipy.sparse.csr_array((2, 3)))
    with pytest.raises(TypeError, match="tocsr"):
        as_graph(scipy.sparse.lil_array((2, 2)))
    theirs = nx.DiGraph([("a", "b")])
    with pytest.raises(ValueError, match="the edge 'a' – 'b' has no 'weight'; weight=None"):
        as_graph(theirs)


def test_a_graph_cannot_be_changed():
    weights = np.array([1, 2])
    graph = Graph.from_edges([0, 1], [1, 0], weights)
    weights[0] = 9
    assert graph.arcs.weight.tolist() == [1, 2]
    for array in (*graph.arcs, graph.number, graph.source, *graph.reversed_arcs[0]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_scipy_and_networkx_are_not_imported():
    script = (
        "import sys, bestfirst; bestfirst.distances(bestfirst.Graph.from_edges([0], [1]), 0, compiled=False);"
        "print([name for name in ('scipy.sparse', 'networkx') if name in sys.modules])"
    )
    variables = {"NUMBA_DISABLE_JIT": "1"}
    import os

    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={**os.environ, **variables}
    )
    assert run.stdout.strip() == "[]"
