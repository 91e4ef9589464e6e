"""The k shortest walks against two slow methods, published lengths and NetworkX; odd cases; limits and checkpoints."""

import itertools
import math
import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst
from bestfirst import CostError, Interrupted, Limits, shortest_walks
from bestfirst.search.compiled import NONE
from bestfirst.search.explicit import NO_ARC, finish
from bestfirst.search.shortest_walks import ENTRIES, WalkSearch
from naive_graphs import built, check_walk, odd_graphs, random_graph, walk_costs


def check_answer(edges, found, source, target):
    """All walks are valid, different, and cost what is said."""
    for walk, cost in zip(found, found.costs.tolist(), strict=True):
        check_walk(edges, walk, source, target)
        assert walk.cost == cost
    assert len({walk.edges for walk in found}) == len(found)


@given(odd_graphs(), st.integers(1, 40), st.data())
def test_small_graphs_against_the_twin(graph, k, data):
    n, edges = graph
    source, target = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))
    found = shortest_walks(built(n, edges), source, target, k)
    expected = walk_costs(n, edges, source, target, k)
    assert found.costs.tolist() == expected
    assert found.status == ("optimal" if expected else "infeasible")
    check_answer(edges, found, source, target)
    following = walk_costs(n, edges, source, target, k + 1)[len(expected) :]
    assert (found.bound is None) == (not following)
    assert all(found.bound <= cost for cost in following)


@given(odd_graphs(), st.integers(1, 20))
def test_the_empty_walk_counts_only_when_asked_for(graph, k):
    n, edges = graph
    without = shortest_walks(built(n, edges), 0, 0, k, count_empty=False)
    assert without.costs.tolist() == walk_costs(n, edges, 0, 0, k + 1)[1:]
    check_answer(edges, without, 0, 0)
    assert all(walk.edges for walk in without)
    if n > 1:
        both = [shortest_walks(built(n, edges), 0, 1, k, count_empty=empty).costs.tolist() for empty in (True, False)]
        assert both[0] == both[1]


@pytest.mark.parametrize("seed", range(4))
def test_larger_graphs_against_the_twin(seed):
    rng = random.Random(seed)
    n, edges = random_graph(rng, 60, 200, high=rng.choice([0, 1, 50, 10**9]))
    found = shortest_walks(built(n, edges), 0, n - 1, 300)
    assert found.costs.tolist() == walk_costs(n, edges, 0, n - 1, 300)
    check_answer(edges, found, 0, n - 1)


@pytest.mark.parametrize("seed", range(6))
def test_acyclic_graphs_have_all_their_walks_listed(seed):
    rng = random.Random(seed)
    pairs = list(itertools.combinations(range(9), 2))
    edges = [(u, v, rng.randint(0, 9)) for u, v in rng.choices(pairs, k=22)]
    digraph = nx.MultiDiGraph()
    digraph.add_nodes_from(range(9))
    digraph.add_weighted_edges_from(edges)
    paths = nx.all_simple_edge_paths(digraph, 0, 8)
    costs = sorted(sum(digraph.edges[edge]["weight"] for edge in path) for path in paths)
    found = shortest_walks(built(9, edges), 0, 8, 10**6)
    assert found.costs.tolist() == costs
    assert found.bound is None
    check_answer(edges, found, 0, 8)


@pytest.mark.parametrize(
    ("source", "target", "lengths"),
    [
        (1, 3353, {1: 30305, 2: 30311, 5: 30325, 10: 30331, 20: 30339, 50: 30351, 100: 30359}),
        (2958, 1494, {1: 25450, 2: 25451, 5: 25482, 10: 25495, 20: 25517, 50: 25549, 100: 25575}),
        (1000, 2000, {1: 9576, 2: 9582, 5: 9606, 10: 9612, 20: 9628, 50: 9645, 100: 9662}),
    ],
)
def test_rome(rome, source, target, lengths):
    found = shortest_walks(rome, source - 1, target - 1, 100)
    assert {k: int(found.costs[k - 1]) for k in lengths} == lengths


@given(odd_graphs(), st.integers(1, 12))
def test_interpreted_and_compiled_agree_in_all_counts(graph, k):
    n = graph[0]
    compiled, plain = (shortest_walks(built(*graph), 0, n - 1, k, compiled=compiled) for compiled in (True, False))
    assert compiled.costs.tolist() == plain.costs.tolist()
    assert list(compiled) == list(plain)
    assert compiled.stats.generated == plain.stats.generated


@pytest.mark.parametrize("high", [3, 10**9])  # the queue is of buckets, or a heap
def test_pausing_and_resuming_changes_nothing(tmp_path, high):
    graph = built(*random_graph(random.Random(9), 40, 150, high=high))
    whole = shortest_walks(graph, 0, 39, 500)
    assert len(whole) == 500
    file = tmp_path / "search"
    part = shortest_walks(graph, 0, 39, 500, limits=Limits(nodes=1), checkpoint=file)
    rng, statuses = random.Random(1), set()
    while part.stopped_by is not None:
        statuses.add(str(part.status))
        assert part.costs.tolist() == whole.costs[: len(part)].tolist()
        assert part.bound <= whole.costs[len(part)]
        limits = Limits(nodes=part.stats.generated + rng.randint(1, 300))
        part = shortest_walks(graph, 0, 39, 500, limits=limits, checkpoint=file, resume=file)
    assert statuses == {"stopped", "feasible"}
    assert list(part) == list(whole)
    assert part.stats.generated == whole.stats.generated


def test_an_interruption_carries_the_walks_found():
    graph = built(*random_graph(random.Random(9), 40, 150))
    calls = iter(range(10**6))
    with pytest.raises(Interrupted) as stop:
        shortest_walks(graph, 0, 39, 10**7, interrupted=lambda: next(calls) > 2)
    walks = stop.value.solution
    assert walks.status == "feasible"
    assert walks[len(walks) - 1].cost == walks.costs[-1] <= walks.bound


def test_stopped_among_the_distances_the_bound_is_right():
    """The source is near the target, and the rest of the graph far."""
    graph = built(300, [(0, 1, 5), (0, 1, 6)] + [(v + 1, v, 100) for v in range(1, 299)])
    for nodes in range(0, 800, 7):
        part = shortest_walks(graph, 0, 1, 2, limits=Limits(nodes=nodes))
        assert part.bound is None or part.bound <= (5, 6, 6)[len(part)]
    assert part.costs.tolist() == [5, 6]


def test_a_memory_limit_ends_it_gracefully():
    graph = built(*random_graph(random.Random(9), 40, 150))
    found = shortest_walks(graph, 0, 39, 10**7, limits=Limits(memory=200_000))
    assert (found.status, found.stopped_by) == ("feasible", "memory")
    assert found.costs.tolist() == shortest_walks(graph, 0, 39, len(found)).costs.tolist()


def test_a_cycle_of_cost_0_gives_any_number_of_walks():
    graph = built(3, [(0, 1, 0), (1, 0, 0), (1, 2, 5), (2, 2, 0)])
    assert shortest_walks(graph, 0, 2, 5000).costs.tolist() == [5] * 5000


def test_sums_are_exact_beyond_32_bits_and_refused_beyond_2_to_the_60():
    cost = bestfirst.MAX_COST
    graph = built(1, [(0, 0, cost)])
    found = shortest_walks(graph, 0, 0, (1 << 20) + 1)
    assert found.costs[-1] == cost << 20
    with pytest.raises(CostError, match=r"2\^60"):
        shortest_walks(graph, 0, 0, (1 << 20) + 3)
    assert shortest_walks(built(2, [(0, 1, cost), (1, 0, cost)]), 0, 1, 3).costs.tolist() == [cost, 3 * cost, 5 * cost]


@pytest.mark.parametrize("seed", range(4))
def test_the_heaps_are_leftist_and_hold_every_sidetrack_on_the_way(seed):
    graph = built(*random_graph(random.Random(seed), 60, 300, high=6))
    search = WalkSearch(graph, 0, 59, 2000, True, {})
    finish(search, {})
    heaps, tree, entries = search.heaps, search.tree, int(search.counters[ENTRIES])
    for entry in range(1, entries):
        left, right = heaps.left[entry], heaps.right[entry]
        assert heaps.rank[entry] == heaps.rank[right] + 1 <= heaps.rank[left] + 1
        assert all(child == 0 or heaps.delta[child] >= heaps.delta[entry] for child in (left, right))
    for vertex in np.flatnonzero(heaps.made):
        waiting, held = [heaps.root[vertex]], []
        while waiting:
            entry = waiting.pop()
            if entry:
                held.append(int(heaps.arc[entry]))
                waiting += [heaps.left[entry], heaps.right[entry]]
        expected, at = [], int(vertex)
        while True:
            out = range(graph.arcs.first[at], graph.arcs.first[at + 1])
            expected += [arc for arc in out if arc != tree.via[at] and tree.distance[graph.arcs.target[arc]] < NONE]
            if tree.via[at] == NO_ARC:
                break
            at = int(graph.arcs.target[tree.via[at]])
        assert sorted(held) == sorted(expected)


def test_costs_that_spread_beyond_what_buckets_span():
    found = shortest_walks(built(1, [(0, 0, 60_000), (0, 0, 59_999)]), 0, 0, 100_000)
    costs = [60_000 * i - j for i in range(17) for j in range(i, -1, -1) for _ in range(math.comb(i, j))]
    assert found.costs.tolist() == costs[:100_000]
    walks = shortest_walks(built(1, [(0, 0, 60_000)]), 0, 0, 60)
    assert walks.costs.tolist() == [60_000 * i for i in range(60)]
    assert [len(walk.edges) for walk in walks] == list(range(60))


def test_a_hub_with_many_parallel_edges():
    edges = [(0, 1, weight) for weight in range(3000, 0, -1)]
    found = shortest_walks(built(2, edges), 0, 1, 5000)
    assert found.costs.tolist() == list(range(1, 3001))
    assert [walk.edges for walk in found[:3]] == [(2999,), (2998,), (2997,)]


def test_a_way_of_many_vertices():
    n = 20_000
    graph = built(n, [(v, v + 1, 1) for v in range(n - 1)] + [(5, 5, 2), (n - 3, n - 3, 3)])
    found = shortest_walks(graph, 0, n - 1, 4)
    assert found.costs.tolist() == [n - 1, n + 1, n + 2, n + 3]
    assert len(found[3].edges) in (n + 1, n)


@pytest.mark.parametrize("k", [0, -1, True, 2.0, "3", 1 << 31])
def test_a_bad_k_is_refused(k):
    with pytest.raises((TypeError, ValueError), match="k is"):
        shortest_walks(built(1, []), 0, 0, k)


def test_indexing_is_that_of_a_sequence():
    found = shortest_walks(built(2, [(0, 1, 1), (0, 1, 2), (0, 1, 3)]), 0, 1, 3)
    assert found[-1] == found[2]
    assert found[::2] == [found[0], found[2]]
    with pytest.raises(IndexError):
        found[3]
