"""Pictures of the k-th walk: the edges as a list or on a circle, and the walk along them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bestfirst.catalogue.kth_walk import Answer, Instance, steps
from bestfirst.render.circle import MOST_DRAWN, Edge, Vertex, graph_svg
from bestfirst.result import Status


def text(instance: Instance, color: bool) -> str:
    """The question, then one line for each edge."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    width, wide = len(str(len(instance.edges))), len(str(instance.vertices))
    lines = [f"{on}{_question(instance)}{off}"]
    for number, (a, b, length) in enumerate(instance.edges, 1):
        lines.append(f"edge {number:{width}}   {a:{wide}} → {b:{wide}}   length {length}")
    return "\n".join(lines) + "\n"


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The walk: one line for each vertex, with the length up to there and the edge that led there."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    width = len(str(answer.cost))
    lines = [f"{on}{_question(instance)}{_found(answer)}{off}"]
    for step in steps(instance, answer):
        by = "" if step.edge is None else f"   by edge {step.edge}, length {instance.edges[step.edge - 1][2]}"
        lines.append(f"{step.length:{width}}   vertex {step.vertex}{by}")
    yield "\n".join(lines) + "\n"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The graph on a circle with the lengths of its edges, both ends framed; with an answer its walk is red.

    Of a large graph the vertices of the walk come first.
    """
    walk = [] if answer is None else list(steps(instance, answer))
    visits = Counter(step.vertex for step in walk)
    used = {step.edge for step in walk}
    order = list(range(1, instance.vertices + 1))
    if len(order) > MOST_DRAWN:
        order = list(dict.fromkeys([*visits, instance.source, instance.target, *order]))
    place = {vertex: i for i, vertex in enumerate(order)}
    edges = [Edge(place[a], place[b], str(length), number in used) for number, (a, b, length) in enumerate(instance.edges, 1)]
    title = _question(instance) + ("" if answer is None else _found(answer))
    return graph_svg(title, [_vertex(instance, vertex, visits[vertex]) for vertex in order], edges)


def _vertex(instance: Instance, vertex: int, visits: int) -> Vertex:
    ends = [name for name, end in (("S", instance.source), ("T", instance.target)) if end == vertex]
    times = [f"{visits}×"] if visits > 1 else []
    return Vertex(str(vertex), " ".join([*ends, *times]), 0.4 if visits else 0.0, bool(ends))


def _question(instance: Instance) -> str:
    what = "simple path" if instance.simple else "walk"
    graph = f"{instance.vertices} vertices, {len(instance.edges)} edges"
    return f"{graph}: shortest {what} number {instance.k} from {instance.source} to {instance.target}"


def _found(answer: Answer) -> str:
    if answer.status is Status.INFEASIBLE:
        return ": there are fewer"
    return f": length {answer.cost}" if answer.cost is not None else f": at least {answer.bound}"
