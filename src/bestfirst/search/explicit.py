"""What the searches on explicit graphs share: counters, running a kernel, checkpoints, how a result is made; Dijkstra's loop.

counters   (COUNTERS,) int64 as in `compiled`; GENERATED counts the arcs looked at (or what stands for them)
distance   (n,) int64: the least cost found to each vertex, NONE while there is none
via        (n,) uint32: the last arc of a way of that cost, NO_ARC at sources and where there is none
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from bestfirst.checkpoint import CheckpointError, Snapshot, require_equal
from bestfirst.control import FOUND, HUGE_COST, PAUSED, Progress, RunOptions, Search, run
from bestfirst.graphs import MAX_SIZE, Arcs, Graph
from bestfirst.kernel import Int, exact, integer, interpreting, is_interpreting, kernel, unsigned
from bestfirst.kernel.fingerprint import fingerprint
from bestfirst.operations import MAX_TOTAL
from bestfirst.result import Interrupted, Solution, Stats
from bestfirst.search.compiled import BOUND, COUNTERS, DEPTH, DUPLICATES, EXPANDED, GENERATED, NONE, PRUNED, REOPENED, STOP_AT
from bestfirst.store.four_heap import FourHeap, four_heap
from bestfirst.store.queues import BucketQueue, HeapQueue
from bestfirst.version import __version__

#: "No arc": larger than the number of any.
NO_ARC = (1 << 32) - 1

_QUEUES = {kind.__name__: kind for kind in (BucketQueue, HeapQueue)}


class ArraySearch(Search):
    """A search on given arrays at work; `parts` names its attributes that hold memory, each a named tuple of arrays."""

    parts: ClassVar[tuple[str, ...]]

    def __init__(self, given: Iterable[np.ndarray], options: RunOptions, **settings: Any) -> None:
        self.given = given
        self.settings = settings
        self.compiled = options.get("compiled") in (None, True) and not is_interpreting()
        self.counters = np.zeros(COUNTERS, np.int64)

    def call(self, kernel: Any, *arguments: Any) -> int:
        """Run a kernel, compiled or not as the search is."""
        if self.compiled:
            return int(kernel(*arguments))
        with interpreting():
            return int(kernel(*exact(arguments)))

    def grow(self, room: int | None) -> bool:
        self.enlarge()
        return room is None or self.bytes() <= room

    def enlarge(self) -> None:
        """Enlarge what is full. Searches whose memory is known beforehand never ask for it."""
        raise NotImplementedError

    def result(self, solution: Solution) -> Any:
        """What the caller gets, given how the search ended: the solution, unless the search makes something else."""
        return solution

    def arrays(self) -> Iterable[tuple[str, np.ndarray]]:
        """All memory, by name."""
        yield "counters", self.counters
        for part in self.parts:
            for field, array in getattr(self, part)._asdict().items():
                yield f"{part}_{field}", array

    def bytes(self) -> int:
        """Size of the search's own arrays."""
        total: int = self.counters.nbytes + sum(array.nbytes for part in self.parts for array in getattr(self, part))
        return total

    def progress(self) -> Progress:
        c = self.counters.tolist()
        return Progress(self.engine, c[BOUND], None, c[DEPTH], c[EXPANDED], c[GENERATED], self.bytes(), 0.0)

    def stats(self) -> Stats:
        c = self.counters.tolist()
        return Stats(c[EXPANDED], c[GENERATED], c[DUPLICATES], c[PRUNED], c[REOPENED])

    def header(self) -> dict[str, Any]:
        """What a checkpoint belongs to."""
        return {
            "version": __version__,
            "engine": self.engine,
            "settings": {name: str(value) for name, value in self.settings.items()},
            "problem": fingerprint(*self.given),
        }

    def save(self) -> Snapshot:
        kinds = {part: type(getattr(self, part)).__name__ for part in self.parts}
        return Snapshot({**self.header(), "kinds": kinds}, dict(self.arrays()))

    def restore(self, snapshot: Snapshot) -> None:
        require_equal(snapshot, self.header())
        try:
            self.counters = snapshot.arrays["counters"]
            for part in self.parts:
                kind: Any = _QUEUES.get(snapshot.header["kinds"][part], type(getattr(self, part)))
                setattr(self, part, kind(**{field: snapshot.arrays[f"{part}_{field}"] for field in kind._fields}))
        except (KeyError, TypeError):
            raise CheckpointError("the checkpoint is damaged: it does not hold the arrays that it should") from None


class GraphSearch(ArraySearch):
    """A search on a graph at work."""

    def __init__(self, graph: Graph, options: RunOptions, **settings: Any) -> None:
        super().__init__(graph.arcs, options, **settings)
        self.graph = graph


def finish(search: ArraySearch, options: RunOptions) -> Any:
    """Run a search to its end, or until it must stop; its result. Raises what `control.run` raises."""
    try:
        return search.result(run(search, options))
    except Interrupted as stop:
        raise Interrupted(search.result(stop.solution)) from None


# --- Dijkstra's algorithm, also the first phase of other searches -------------------------------------------------------


class Tree(NamedTuple):
    """Distances and the arcs they come by; see the legend."""

    distance: np.ndarray
    via: np.ndarray


def new_tree(graph: Graph, sources: Iterable[int]) -> tuple[Tree, FourHeap]:
    """A tree that holds the sources alone, and the queue to grow it with: every arc is pushed at most once."""
    n, starts = graph.vertex_count, sorted(set(sources))
    tree = Tree(np.full(n, NONE, np.int64), np.full(n, NO_ARC, np.uint32))
    queue = four_heap(graph.arc_count + len(starts))
    tree.distance[starts] = 0
    queue.node[: len(starts)] = starts
    queue.numbers[0] = len(starts)
    return tree, queue


@kernel
def settle(arcs: Arcs, tree: Tree, queue: FourHeap, counters: np.ndarray) -> Int:
    """Take vertices from the queue, nearest first, until it is empty (FOUND) or the budget is used up. O(m log m) in all.

    Vertices at most counters[BOUND] away have their final distance.
    """
    stop_at = counters[STOP_AT]
    generated = counters[GENERATED]
    expanded = counters[EXPANDED]
    outcome = PAUSED
    while generated < stop_at:
        if queue.size() == 0:
            outcome = FOUND
            break
        near = queue.lowest()
        counters[BOUND] = near
        if near > MAX_TOTAL:
            outcome = HUGE_COST
            break
        vertex = queue.pop()
        if near > tree.distance[unsigned(vertex)]:  # it was pushed again, nearer
            continue
        expanded += 1
        generated += 1
        for arc in range(arcs.first[unsigned(vertex)], arcs.first[unsigned(vertex + 1)]):
            generated += 1
            target = integer(arcs.target[unsigned(arc)])
            far = near + arcs.weight[unsigned(arc)]
            if far < tree.distance[unsigned(target)]:
                tree.distance[unsigned(target)] = far
                tree.via[unsigned(target)] = arc
                queue.push(far, target)
    counters[GENERATED] = generated
    counters[EXPANDED] = expanded
    return outcome


def forward_tree(graph: Graph, tree: Tree) -> Tree:
    """The same tree by the arcs of the graph itself: `via[v]` leads from v towards the target."""
    via = tree.via.copy()
    known = via != NO_ARC
    via[known] = graph.reversed_arcs[1][via[known]]
    return tree._replace(via=via)


def straight_on(graph: Graph, tree: Tree, vertex: int, end: int | None) -> list[int]:
    """The arcs of the tree from `vertex` to `end`, or to its root."""
    arcs = []
    while vertex != end and tree.via[vertex] != NO_ARC:
        arcs.append(int(tree.via[vertex]))
        vertex = int(graph.arcs.target[arcs[-1]])
    return arcs


def checked_size(rows: int) -> int:
    """`rows`, unless so many cannot be numbered in 32 bits; then MemoryError, which ends a search as a memory limit does."""
    if rows > MAX_SIZE:
        raise MemoryError
    return rows
