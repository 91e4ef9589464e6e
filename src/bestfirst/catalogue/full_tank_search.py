"""The search of full tank: plans in the order of their cost, with what a car with more fuel has done already left out.

    n, C         cities; units of fuel that the tank holds
    p            price of a unit in a city;  `cheapest`: the least price in any city that hangs together with the target
    label        a way to come to a city with some fuel: city, fuel on arrival, the label that it came from (`origin`), the last
                 arc (`via`), and `level`, the fuel in the tank now that units have been bought there one by one
    most         (n,) of a city: the most fuel that a car has had there so far, -1 when none was there
    to_target    (n,) of a city: the fuel that it takes from there by roads of at most C, _FAR at most
    stack        labels of the cost at hand that are still to be looked at: driving costs nothing
    queue        labels that are to buy another unit, by what they will have paid then
    ceiling      the least cost of a plan that is known: from some label buy what is missing and drive home

Costs never fall from one step to the next. That makes *dominance* simple: who comes to a city with no more fuel than somebody
before has paid at least as much, and finds nothing better. Hence one number a city stands for all its (city, fuel) states,
and no table of n · C entries is needed.

A label that must still buy to_target - fuel units, at the cheapest price at least, and so gets above the ceiling, is dropped.

docs/problems/full-tank.md has the proofs, and what the ceiling saves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, FULL, HUGE_COST, PAUSED, RunOptions
from bestfirst.graphs import Arcs, Graph
from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.operations import MAX_TOTAL
from bestfirst.result import Solution
from bestfirst.search.compiled import BOUND, DEPTH, DUPLICATES, EXPANDED, GENERATED, NONE, OWN, PRUNED, STOP_AT
from bestfirst.search.explicit import GraphSearch
from bestfirst.store import enlarged
from bestfirst.store.four_heap import FourHeap, four_heap

COUNT = OWN  #: labels
TOP = OWN + 1  #: labels on the stack
CEILING = OWN + 2
GOAL = OWN + 3  #: the label from which the fuel is enough
CHEAPEST = OWN + 4
STARTED = OWN + 5  #: 1: the query at hand has begun

#: Prices and amounts of fuel are at most this, so that the cost of a full tank fits.
MAX_NUMBER = 1 << 30

#: Where to_target is cut off, so that the bound made of it fits. No tank holds as much.
_FAR = 1 << 31

_ROOM = 1 << 12  #: labels at first


class Labels(NamedTuple):
    """See the legend; uint32."""

    city: np.ndarray
    fuel: np.ndarray
    level: np.ndarray
    origin: np.ndarray
    via: np.ndarray
    stack: np.ndarray


class Cities(NamedTuple):
    """See the legend; int64. `homeward`, uint32: the arc, taken backwards, that leads towards the target."""

    most: np.ndarray
    to_target: np.ndarray
    homeward: np.ndarray


class Routes(NamedTuple):
    """What was found: `cost` of each query, -1 when impossible; the steps of query i are those from first[i] to first[i + 1].

    A step: units bought, and the edge taken then.
    """

    cost: np.ndarray
    first: np.ndarray
    bought: np.ndarray
    edge: np.ndarray


@kernel
def measure(arcs: Arcs, cities: Cities, queue: FourHeap, target: Int, capacity: Int) -> Int:
    """Fill in to_target and homeward by Dijkstra's algorithm; how many cities hang together with the target. O(m log m)."""
    count = integer(0)
    cities.to_target[unsigned(target)] = 0
    queue.push(0, target)
    while queue.size() > 0:
        near = queue.lowest()
        city = queue.pop()
        if near > cities.to_target[unsigned(city)]:
            continue
        count += 1
        for arc in range(arcs.first[unsigned(city)], arcs.first[unsigned(city + 1)]):
            weight = arcs.weight[unsigned(arc)]
            beside = integer(arcs.target[unsigned(arc)])
            if weight <= capacity and near + weight < cities.to_target[unsigned(beside)]:
                cities.to_target[unsigned(beside)] = near + weight
                cities.homeward[unsigned(beside)] = arc
                queue.push(near + weight, beside)
    return count


@kernel
def travel(
    arcs: Arcs,
    price: np.ndarray,
    labels: Labels,
    cities: Cities,
    queue: FourHeap,
    capacity: Int,
    room: Int,
    counters: np.ndarray,
) -> Int:
    """Look at labels, cheapest first, until the fuel is enough (FOUND), there are none, or the budget is used up.

    room: the largest number of arcs out of a city. The arcs of a city are sorted by weight.
    """
    count, top, cost, ceiling = counters[COUNT], counters[TOP], counters[BOUND], counters[CEILING]
    generated, expanded, dominated, pruned = counters[GENERATED], counters[EXPANDED], counters[DUPLICATES], counters[PRUNED]
    most, to_target, cheapest = cities.most, cities.to_target, counters[CHEAPEST]
    outcome = PAUSED
    while generated < counters[STOP_AT]:
        if count + room > labels.city.shape[0] or queue.size() == queue.node.shape[0]:
            outcome = FULL
            break
        is_new = top > 0
        if is_new:
            top -= 1
            label = integer(labels.stack[unsigned(top)])
            fuel = integer(labels.fuel[unsigned(label)])
        elif queue.size() > 0:
            cost = queue.lowest()
            if cost > MAX_TOTAL:
                outcome = HUGE_COST
                break
            label = queue.pop()
            fuel = integer(labels.level[unsigned(label)]) + 1
        else:
            outcome = EXHAUSTED
            break
        generated += 1
        city = integer(labels.city[unsigned(label)])
        if fuel <= most[unsigned(city)]:
            dominated += 1
            if is_new and label == count - 1:
                count -= 1
            continue
        expanded += 1
        most[unsigned(city)] = fuel
        labels.level[unsigned(label)] = fuel
        needed = to_target[unsigned(city)]
        if needed <= fuel:
            counters[GOAL] = label
            outcome = FOUND
            break
        unit = price[unsigned(city)]
        if needed <= capacity:
            ceiling = min(ceiling, cost + unit * (needed - fuel))
        if fuel < capacity:
            if cost + unit + cheapest * (needed - fuel - 1) <= ceiling:
                queue.push(cost + unit, label)
            else:
                pruned += 1
        for arc in range(arcs.first[unsigned(city)], arcs.first[unsigned(city + 1)]):
            left = fuel - arcs.weight[unsigned(arc)]
            if left < 0:
                break
            beside = integer(arcs.target[unsigned(arc)])
            if left <= most[unsigned(beside)]:
                continue
            if cost + cheapest * max(0, to_target[unsigned(beside)] - left) > ceiling:
                pruned += 1
                continue
            labels.city[unsigned(count)] = beside
            labels.fuel[unsigned(count)] = left
            labels.origin[unsigned(count)] = label
            labels.via[unsigned(count)] = arc
            labels.stack[unsigned(top)] = count
            count += 1
            top += 1
    counters[COUNT], counters[TOP], counters[BOUND], counters[CEILING] = count, top, cost, ceiling
    counters[GENERATED], counters[EXPANDED], counters[DUPLICATES], counters[PRUNED] = generated, expanded, dominated, pruned
    return outcome


class TankSearch(GraphSearch):
    """The searches of all queries, one after another.

    graph     the roads, undirected; of a city the ones that take the least come first
    price     (n,) int64
    queries   (q, 3) int64: capacity, start, target
    """

    engine = "full_tank"
    why = "plans in the order of their cost; what a car with more fuel has done already is left out"
    parts = ("labels", "cities", "queue", "routes")

    def __init__(self, graph: Graph, price: np.ndarray, queries: np.ndarray, options: RunOptions) -> None:
        super().__init__(graph, options)
        self.given = [*graph.arcs, price, queries]
        self.price = price
        self.queries = queries.tolist()
        self.degree = int(np.diff(graph.arcs.first).max())
        n, count = len(price), len(queries)
        self.labels = Labels(*(np.zeros(_ROOM + self.degree, np.uint32) for _ in Labels._fields))
        self.cities = Cities(np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.uint32))
        self.queue = four_heap(graph.arc_count + 2)
        self.routes = Routes(
            np.zeros(count, np.int64), np.zeros(count + 1, np.int64), np.zeros(8, np.int64), np.zeros(8, np.int64)
        )

    def advance(self, stop_at: int) -> int:
        self.counters[STOP_AT] = stop_at
        while self.counters[DEPTH] < len(self.queries):
            capacity, start, target = self.queries[self.counters[DEPTH]]
            if not self.counters[STARTED]:
                self.begin(capacity, start, target)
            memory = self.labels, self.cities, self.queue
            outcome = self.call(travel, self.graph.arcs, self.price, *memory, capacity, self.degree, self.counters)
            if outcome not in (FOUND, EXHAUSTED):
                return outcome
            if outcome == FOUND:
                self.note(int(self.counters[BOUND]), self.plan(target))
            else:
                self.note(-1, [])
        return FOUND

    def begin(self, capacity: int, start: int, target: int) -> None:
        """Make the memory ready for a query; where there is no way, nothing is put on the stack."""
        most, to_target, _ = self.cities
        most.fill(-1)
        to_target.fill(NONE)
        self.queue.clear()
        self.call(measure, self.graph.arcs, self.cities, self.queue, target, capacity)
        hangs_together = to_target < NONE
        self.counters[[COUNT, TOP]] = 1 if hangs_together[start] else 0
        self.counters[BOUND] = 0
        self.counters[CEILING] = NONE
        self.counters[CHEAPEST] = self.price[hangs_together].min()
        np.minimum(to_target, _FAR, out=to_target)
        for array, value in zip(self.labels, (start, 0, 0, 0, 0, 0), strict=True):
            array[0] = value
        self.counters[STARTED] = 1

    def note(self, cost: int, steps: Sequence[tuple[int, int]]) -> None:
        """Write down the answer of the query at hand and go on to the next."""
        number = int(self.counters[DEPTH])
        begin = int(self.routes.first[number])
        end = begin + len(steps)
        if end > len(self.routes.edge):
            bought, edge = (enlarged(array, 2 * end) for array in (self.routes.bought, self.routes.edge))
            self.routes = self.routes._replace(bought=bought, edge=edge)
        self.routes.cost[number] = cost
        self.routes.first[number + 1] = end
        self.routes.bought[begin:end] = [bought for bought, _ in steps]
        self.routes.edge[begin:end] = [edge for _, edge in steps]
        self.counters[DEPTH] += 1
        self.counters[STARTED] = 0

    def plan(self, target: int) -> list[tuple[int, int]]:
        """What to buy and which edge to take then, step by step: along the labels, then straight home."""
        graph, labels, homeward = self.graph, self.labels, self.cities.homeward
        label = int(self.counters[GOAL])
        city, bought = int(labels.city[label]), int(labels.level[label]) - int(labels.fuel[label])
        home = []
        while city != target:
            home.append((bought, int(graph.number[homeward[city]])))
            city, bought = int(graph.source[homeward[city]]), 0
        way = []
        while label != 0:
            arc, before = int(labels.via[label]), int(labels.origin[label])
            level = int(labels.fuel[label]) + int(graph.arcs.weight[arc])
            way.append((level - int(labels.fuel[before]), int(graph.number[arc])))
            label = before
        return [*reversed(way), *home]

    def enlarge(self) -> None:
        key, node, numbers = self.queue
        if numbers[0] == len(node):
            self.queue = FourHeap(enlarged(key, 2 * len(key)), enlarged(node, 2 * len(node)), numbers)
        else:
            self.labels = Labels(*(enlarged(array, 2 * len(array)) for array in self.labels))

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        return (0, ()) if self.counters[DEPTH] == len(self.queries) else None

    def result(self, solution: Solution) -> tuple[Solution, Routes, int]:
        """How it ended, the routes, and how many queries have theirs."""
        return solution, self.routes, int(self.counters[DEPTH])
