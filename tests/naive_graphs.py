"""Slow, obvious twins of the algorithms on explicit graphs. A graph is n and a list of edges (source, target, weight)."""

from hypothesis import strategies as st

from bestfirst.graphs import Graph


@st.composite
def odd_graphs(draw, vertices=6, edges=14, weights=(0, 0, 1, 2, 3, 7)):
    """Small graphs with loops, parallel edges, weights of 0, vertices out of reach; one vertex, no edge."""
    n = draw(st.integers(1, vertices))
    vertex = st.integers(0, n - 1)
    return n, draw(st.lists(st.tuples(vertex, vertex, st.sampled_from(weights)), max_size=edges))


def random_graph(rng, n, m, high=10, low=0):
    """n vertices, m edges between any two of them."""
    return n, [(rng.randrange(n), rng.randrange(n), rng.randint(low, high)) for _ in range(m)]


def built(n, edges, **options):
    """The same as a bestfirst.Graph; edge i of the list is edge number i."""
    source, target, weight = zip(*edges, strict=True) if edges else ((), (), ())
    return Graph.from_edges(source, target, weight, vertices=n, **options)


def distances(n, edges, sources):
    """By relaxing every edge n times; None where there is no way."""
    best = [0 if v in sources else None for v in range(n)]
    for _ in range(n):
        for u, v, w in edges:
            if best[u] is not None and (best[v] is None or best[u] + w < best[v]):
                best[v] = best[u] + w
    return best


def walk_costs(n, edges, source, target, k):
    """Costs of the k cheapest walks: for every vertex the k least sums (edge + a walk onwards), until nothing changes."""
    costs = [[] for _ in range(n)]
    while True:
        following = [[0] if v == target else [] for v in range(n)]
        for u, v, w in edges:
            following[u] += [w + c for c in costs[v]]
        following = [sorted(here)[:k] for here in following]
        if following == costs:
            return costs[source]
        costs = following


def simple_paths(n, edges, source, target):
    """All simple paths as (cost, edge numbers), cheapest first, by trying every way."""
    found = []

    def go(vertex, visited, cost, taken):
        if vertex == target:
            found.append((cost, taken))
            return
        for number, (u, v, w) in enumerate(edges):
            if u == vertex and v not in visited:
                go(v, visited | {v}, cost + w, (*taken, number))

    go(source, {source}, 0, ())
    return sorted(found)


def reached(n, edges, start):
    """The set of vertices that can be reached from `start`."""
    seen, waiting = {start}, [start]
    while waiting:
        u = waiting.pop()
        for a, b, _ in edges:
            if a == u and b not in seen:
                seen.add(b)
                waiting.append(b)
    return seen


def check_walk(edges, walk, source, target):
    """Raise AssertionError unless the walk leads from source to target along its edges at its cost."""
    assert walk.vertices[0] == source
    assert walk.vertices[-1] == target
    assert len(walk.vertices) == len(walk.edges) + 1
    for i, number in enumerate(walk.edges):
        assert edges[number][:2] == walk.vertices[i : i + 2]
    assert walk.cost == sum(edges[number][2] for number in walk.edges)
