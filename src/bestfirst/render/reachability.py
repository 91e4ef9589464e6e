"""Pictures of reachability: each vertex with the vertices that its edges lead to, and with an answer how many it reaches."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.catalogue.reachability import Answer, Instance
from bestfirst.render.circle import Edge, Vertex, graph_svg
from bestfirst.result import Status

_BAR = 20  # letters


def text(instance: Instance, color: bool) -> str:
    """One line for each vertex: it, an arrow, and the ends of its edges in their order."""
    width = len(str(instance.vertices))
    ends = _ends(instance)
    return "".join(f"{vertex:{width}} → {' '.join(map(str, ends[vertex]))}".rstrip() + "\n" for vertex in ends)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The same with the counts, once as a bar: there are no steps on the way."""
    width = len(str(instance.vertices))
    on, off = ("\x1b[34m", "\x1b[0m") if color else ("", "")
    lines = [] if answer.status is Status.OPTIMAL else ["at least, since the counting was stopped:"]
    for (vertex, ends), count in zip(_ends(instance).items(), answer.counts, strict=True):
        bar = "█" * max(1, count * _BAR // instance.vertices)
        lines.append(f"{vertex:{width}} reaches {count:{width}} {on}{bar:{_BAR}}{off} → {' '.join(map(str, ends))}".rstrip())
    yield "\n".join(lines) + "\n"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The graph on a circle; with an answer each vertex with its count, darker the more it reaches."""
    n = instance.vertices
    title = f"Reachability: {n} vertices, {len(instance.edges)} edges"
    if answer is None:
        vertices = [Vertex(str(vertex)) for vertex in range(1, n + 1)]
    else:
        sign = "" if answer.status is Status.OPTIMAL else "≥ "
        vertices = [Vertex(str(vertex), f"{sign}{count}", count / n) for vertex, count in enumerate(answer.counts, 1)]
    return graph_svg(title, vertices, [Edge(x - 1, y - 1) for x, y in instance.edges])


def _ends(instance: Instance) -> dict[int, list[int]]:
    ends: dict[int, list[int]] = {vertex: [] for vertex in range(1, instance.vertices + 1)}
    for x, y in instance.edges:
        ends[x].append(y)
    return ends
