"""Pictures of full tank: cities and roads as a list or on a circle, and the plans of an answer."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from bestfirst.catalogue.full_tank import IMPOSSIBLE, Answer, Instance, Step, steps
from bestfirst.render.circle import Edge, Vertex, graph_svg
from bestfirst.result import Status


def text(instance: Instance, color: bool) -> str:
    """One line for each city, road and query."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    lines = [f"{on}{len(instance.prices)} cities, {len(instance.roads)} roads, {len(instance.queries)} queries{off}"]
    lines += [f"city {city}   price {price}" for city, price in enumerate(instance.prices)]
    lines += [f"road {number}   {u} – {v}   fuel {fuel}" for number, (u, v, fuel) in enumerate(instance.roads, 1)]
    lines += [_question(instance, number) for number in range(1, len(instance.queries) + 1)]
    return "\n".join(lines) + "\n"


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """For each query its plan: a line for each city, with fuel and cost on arrival and what is bought for which road."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    shown: dict[int, list[str]] = {number: [] for number in range(1, len(answer.costs) + 1)}
    for step in steps(instance, answer):
        shown[step.query].append(_line(instance, step))
    for number, lines in shown.items():
        cost = answer.costs[number - 1]
        found = IMPOSSIBLE if cost is None else f"cost {cost}"
        yield "\n".join([f"{on}{_question(instance, number)}: {found}{off}", *lines]) + "\n"
    if answer.status is not Status.OPTIMAL:
        yield "the search was stopped: the other queries have no answer\n"


def _line(instance: Instance, step: Step) -> str:
    here = f"city {step.city}, fuel {step.fuel}, paid {step.paid}"
    if step.road is None:
        return here
    buy = f"bought {step.bought}, " if step.bought else ""
    return f"{here}   ({buy}road {step.road}, fuel {instance.roads[step.road - 1][2]})"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """Cities with their prices on a circle, roads with the fuel they take; with an answer the roads of the first plan in red."""
    every = [] if answer is None else list(steps(instance, answer))
    plan = [step for step in every if step.query == every[0].query]
    used = {step.road for step in plan}
    bought: dict[int, int] = {}
    for step, following in itertools.pairwise(plan):
        bought[step.city] = bought.get(step.city, 0) + following.bought
    title = f"Full tank: {len(instance.prices)} cities, {len(instance.roads)} roads, {len(instance.queries)} queries"
    if plan and answer is not None:
        title += f"; {_question(instance, plan[0].query)}: cost {answer.costs[plan[0].query - 1]}"
    ends = {plan[0].city, plan[-1].city} if plan else set()
    visited = {step.city for step in plan}
    vertices = [
        Vertex(
            f"{city}: {price}",
            f"buy {bought[city]}" if bought.get(city) else "",
            0.4 if city in visited else 0.0,
            city in ends,
        )
        for city, price in enumerate(instance.prices)
    ]
    edges = [Edge(u, v, str(fuel), number in used) for number, (u, v, fuel) in enumerate(instance.roads, 1)]
    return graph_svg(title, vertices, edges).replace("marker-end:url(#tip)", "").replace("marker-end:url(#marked-tip)", "")


def _question(instance: Instance, number: int) -> str:
    capacity, start, end = instance.queries[number - 1]
    return f"query {number}: from {start} to {end} with a tank of {capacity}"
