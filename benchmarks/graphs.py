"""Explicit graphs: distances, k shortest walks and simple paths, reachability, beside SciPy, NetworkX, rustworkx, igraph and C++."""

from __future__ import annotations

import itertools
import pathlib
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import igraph
import networkx
import numpy as np
import rustworkx
import scipy.sparse
import scipy.sparse.csgraph

from benchmarks.report import Table, compile_cpp, timed
from bestfirst import Graph, distances, reachability, shortest_simple_paths, shortest_walks
from bestfirst.formats.dimacs import read_graph

#: Peers are not asked for what would take them minutes.
LARGE = 200_000


def run(data: pathlib.Path | None) -> list[Table]:
    roads = []
    if data is not None and (data / "road" / "rome99.gr").exists():
        roads = [("Rome, 3,353 / 8,870", read_graph(data / "road" / "rome99.gr"), 0, 3352)]
    small = ("random, 20,000 / 100,000", *with_ends(random_graph(20_000, 100_000)))
    large = ("random, 1,000,000 / 3,000,000", *with_ends(random_graph(1_000_000, 3_000_000)))
    return [
        distance_table([*roads, small, large]),
        walk_table([*roads, small, large]),
        path_table([*roads, small, large]),
        reachability_table(),
    ]


def random_graph(n: int, m: int, acyclic: bool = False) -> Graph:
    """Edges between any two vertices, weights from 1 to 1000; acyclic: from the smaller number to the larger."""
    rng = np.random.default_rng(1)
    source, target, weight = rng.integers(0, n, m), rng.integers(0, n, m), rng.integers(1, 1001, m)
    if acyclic:
        source, target = np.minimum(source, target), np.maximum(source, target)
        kept = source != target
        source, target, weight = source[kept], target[kept], weight[kept]
    return Graph.from_edges(source, target, weight, vertices=n)


def with_ends(graph: Graph) -> tuple[Graph, int, int]:
    """The graph, its first vertex that reaches more than half of the others, and the last that it reaches."""
    source = int(np.argmax(reachability(graph).count > graph.vertex_count // 2))
    return graph, source, int(np.flatnonzero(distances(graph, source).distance >= 0)[-1])


def best(function: Callable[[], Any], times: int = 5) -> tuple[Any, float]:
    """The result and the milliseconds of the fastest of some calls."""
    result, seconds = min((timed(function) for _ in range(times)), key=lambda measured: measured[1])
    return result, seconds * 1000


def edges_of(graph: Graph) -> list[tuple[int, int, int]]:
    return list(zip(graph.source.tolist(), graph.arcs.target.tolist(), graph.arcs.weight.tolist(), strict=True))


def as_rustworkx(graph: Graph) -> Any:
    theirs = rustworkx.PyDiGraph()
    theirs.add_nodes_from(range(graph.vertex_count))
    theirs.add_edges_from(edges_of(graph))
    return theirs


def as_igraph(graph: Graph) -> Any:
    theirs = igraph.Graph(n=graph.vertex_count, edges=[edge[:2] for edge in edges_of(graph)], directed=True)
    theirs.es["weight"] = graph.arcs.weight.tolist()
    return theirs


def in_cpp(graph: Graph, command: str, times: int = 3) -> tuple[int | None, float | None]:
    """The answer of benchmarks/cpp/graphs.cpp and its milliseconds."""
    program = compile_cpp("graphs", "-O2", "-march=native")
    if program is None:
        return None, None
    lines = "".join(f"{u} {v} {w}\n" for u, v, w in edges_of(graph))
    text = f"{graph.vertex_count} {graph.arc_count}\n{lines}{command}\n"
    outputs = [
        subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.split() for _ in range(times)
    ]
    return int(outputs[0][0]), min(float(seconds) for _, seconds in outputs) * 1000


def distance_table(cases: list[tuple[str, Graph, int, int]]) -> Table:
    rows = []
    for name, graph, source, _ in cases:
        distances(graph, source)
        found, ours = best(lambda g=graph, s=source: distances(g, s))
        total = int(found.distance[found.distance >= 0].sum())
        matrix = single_arcs(graph)
        theirs, scipy_ms = best(lambda m=matrix, s=source: scipy.sparse.csgraph.dijkstra(m, indices=s), 3)
        assert theirs[np.isfinite(theirs)].sum() == total
        rust_ms = igraph_ms = None
        if graph.vertex_count < LARGE:
            rust = as_rustworkx(graph)
            _, rust_ms = best(lambda g=rust, s=source: rustworkx.dijkstra_shortest_path_lengths(g, s, float), 3)
            other = as_igraph(graph)
            _, igraph_ms = best(lambda g=other, s=source: g.distances(s, weights="weight"), 3)
        answer, cpp_ms = in_cpp(graph, f"distances {source}")
        assert answer in (None, total)
        rows.append([name, ours, scipy_ms, rust_ms, igraph_ms, cpp_ms])
    notes = (
        "Dijkstra's algorithm from one vertex to all, milliseconds. Ours and igraph's also count making the result. On the smallest graph"
        " C++ and we are level, now the one and now the other ahead; on the largest SciPy and C++ are close behind. C++ is"
        " `std::priority_queue` over vectors of arcs, compiled by g++ -O2 -march=native, here and below."
    )
    return Table("Distances in a graph", notes, ["vertices / edges", "bestfirst", "scipy", "rustworkx", "igraph", "C++"], rows)


def single_arcs(graph: Graph) -> Any:
    """The cheapest of parallel edges only: SciPy would add them up."""
    order = np.lexsort((graph.arcs.weight, graph.arcs.target, graph.source))
    u, v, w = graph.source[order], graph.arcs.target[order], graph.arcs.weight[order]
    first = np.ones(len(u), bool)
    first[1:] = (u[1:] != u[:-1]) | (v[1:] != v[:-1])
    return scipy.sparse.csr_array((w[first], (u[first].astype(int), v[first].astype(int))), shape=(graph.vertex_count,) * 2)


def walk_table(cases: list[tuple[str, Graph, int, int]]) -> Table:
    rows = []
    for (name, graph, s, t), k in itertools.product(cases, (1, 100, 100_000, 1_000_000)):
        shortest_walks(graph, s, t, k)
        found, ours = best(lambda g=graph, s=s, t=t, k=k: shortest_walks(g, s, t, k), 3)
        rust_ms = cpp_ms = None
        if k <= 100 and graph.vertex_count < LARGE:
            rust = as_rustworkx(graph)
            lengths, rust_ms = best(lambda g=rust, s=s, t=t, k=k: rustworkx.digraph_k_shortest_path_lengths(g, s, k, float, t), 1)
            assert lengths[t] == found.costs[-1]
        if k <= 100_000:
            answer, cpp_ms = in_cpp(graph, f"walks {s} {t} {k}", 1)
            assert answer in (None, int(found.costs[-1]))
        rows.append([name, k, ours, rust_ms, cpp_ms, found.stats.peak_bytes / 2**20])
    notes = (
        "Costs of the k shortest walks between two vertices, milliseconds (best of three; the distances to the target"
        " included). rustworkx gives the k-th cost only, and for k = 1"
        " on a small graph is faster, since it stops at the target; C++ is A* on exact reverse distances that takes each vertex k times. MiB: our"
        " arrays beside the graph."
    )
    return Table("k shortest walks", notes, ["vertices / edges", "k", "bestfirst", "rustworkx", "C++", "MiB"], rows)


def path_table(cases: list[tuple[str, Graph, int, int]]) -> Table:
    rows = []
    for (name, graph, s, t), k in itertools.product(cases, (10, 100, 10_000)):
        shortest_simple_paths(graph, s, t, k)
        found, ours = best(lambda g=graph, s=s, t=t, k=k: shortest_simple_paths(g, s, t, k), 3)
        igraph_ms = networkx_ms = cpp_ms = None
        if k <= 100 and graph.vertex_count < LARGE:
            other = as_igraph(graph)
            _, igraph_ms = best(lambda g=other, s=s, t=t, k=k: g.get_k_shortest_paths(s, t, k=k, weights="weight"), 1)
            answer, cpp_ms = in_cpp(graph, f"paths {s} {t} {k}", 1)
            assert answer in (None, int(found.costs[-1]))
        if k <= 10 and graph.vertex_count < LARGE:
            theirs = networkx.DiGraph(single_arcs(graph))
            generator = networkx.shortest_simple_paths(theirs, s, t, weight="weight")
            _, networkx_ms = best(lambda g=generator, k=k: list(itertools.islice(g, k)), 1)
        rows.append([name, k, ours, igraph_ms, networkx_ms, cpp_ms])
    notes = (
        "The k shortest paths without repeated vertices between two vertices, milliseconds. igraph, NetworkX and the C++"
        " program use Yen's algorithm; the C++ one with Lawler's rule and A* on exact reverse distances. NetworkX has one of"
        " parallel edges only."
    )
    return Table("k shortest simple paths", notes, ["vertices / edges", "k", "bestfirst", "igraph", "NetworkX", "C++"], rows)


def reachability_table() -> Table:
    rows = []
    for n, m, acyclic in REACHABILITY_CASES:
        graph = random_graph(n, m, acyclic)
        found, ours = best(lambda g=graph: reachability(g), 1 if n > LARGE else 3)
        numpy_ms = igraph_ms = cpp_ms = None
        if n < LARGE and int(found.count.sum()) < 20_000_000:
            other = as_igraph(graph)
            sizes, igraph_ms = best(lambda g=other, n=n: g.neighborhood_size(order=n, mode="out"), 1)
            assert sizes == found.count.tolist()
        if n < LARGE and acyclic:
            counts, numpy_ms = best(lambda g=graph: rows_by_numpy(g), 1)
            assert counts.tolist() == found.count.tolist()
            answer, cpp_ms = in_cpp(graph, "reachability", 1)
            assert answer in (None, int(found.count.sum()))
        peak = peak_of(n, m, acyclic)
        kind = "acyclic" if acyclic else "any"
        rows.append([f"{kind}, {n:,} / {m:,}", int(found.count.sum()), ours, numpy_ms, igraph_ms, cpp_ms, peak])
    notes = (
        "How many vertices each vertex reaches; random edges, turned from the smaller number to the larger where acyclic. Milliseconds,"
        " components and condensation included. NumPy: a row of bits for each vertex, united in order. igraph: a search from each"
        " vertex (`neighborhood_size`), level with us where few are reached, and not asked where many are. C++: rows of `std::vector<uint64_t>`. MiB: highest resident size of a process that makes the"
        " graph and counts, Python and Numba included."
    )
    columns = ["kind, vertices / edges", "pairs", "bestfirst", "NumPy", "igraph", "C++", "MiB"]
    return Table("Reachability counts", notes, columns, rows)


#: Vertices, edges, acyclic.
REACHABILITY_CASES = (
    (30_000, 30_000, True),
    (20_000, 100_000, True),
    (20_000, 400_000, True),
    (20_000, 100_000, False),
    (1_000_000, 3_000_000, True),
    (1_000_000, 3_000_000, False),
    (1_000_000, 1_500_000, False),
)


def rows_by_numpy(graph: Graph) -> np.ndarray:
    n = graph.vertex_count
    rows = np.zeros((n, n // 64 + 1), np.uint64)
    first, target = graph.arcs.first.tolist(), graph.arcs.target.tolist()
    for v in range(n - 1, -1, -1):
        row = rows[v]
        row[v >> 6] |= np.uint64(1 << (v & 63))
        for t in target[first[v] : first[v + 1]]:
            row |= rows[t]
    return np.bitwise_count(rows).sum(axis=1)


def peak_of(n: int, m: int, acyclic: bool) -> float:
    """Highest resident size in MiB of a process of its own that does nothing else."""
    code = f"from benchmarks import graphs; graphs.print_peak({n}, {m}, {acyclic})"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def print_peak(n: int, m: int, acyclic: bool) -> None:
    reachability(random_graph(n, m, acyclic))
    status = pathlib.Path("/proc/self/status").read_text()  # ru_maxrss would include the process that started this one
    print(int(status.partition("VmHWM:")[2].split()[0]) / 1024)
