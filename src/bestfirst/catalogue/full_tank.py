"""Full tank: the cheapest way to drive from one city to another when fuel has another price in every city.

The tank holds so many units and is empty at the start. Fuel is bought in whole units, in any city on the way; a road takes the
same fuel in both directions. At the end the tank may hold what it likes. Of the best plans it is any, but always the same one.

    prices     of a unit of fuel in each city; cities are numbered from 0
    roads      (u, v, fuel)
    queries    (capacity, start, end)
    costs      an answer: of each query the least cost, None where there is no way
    plans      an answer: of each query the steps, (units to buy, road to take then); roads are numbered from 1 in the order given

The search is in full_tank_search.py; docs/problems/full-tank.md explains it.
"""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.full_tank_search import MAX_NUMBER, Routes, TankSearch
from bestfirst.catalogue.prunings import Pruning
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens, shown
from bestfirst.graphs import Graph
from bestfirst.result import Interrupted, Solution, Status
from bestfirst.search.explicit import finish

MAX_CITIES, MAX_ROADS, MAX_QUERIES = 10_000_000, 100_000_000, 100_000_000

PRUNINGS: dict[str, Pruning] = {}

IMPOSSIBLE = "impossible"

Road = tuple[int, int, int]
Query = tuple[int, int, int]
Plan = tuple[tuple[int, int], ...]


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="full-tank", forbid_unknown_fields=True):
    """Cities, roads and queries. Raises ValueError where they do not fit together."""

    version: Literal[1] = 1
    prices: tuple[int, ...]
    roads: tuple[Road, ...]
    queries: tuple[Query, ...]

    def __post_init__(self) -> None:
        n = len(self.prices)
        if not 1 <= n <= MAX_CITIES:
            raise ValueError(f"there are {n} cities, there must be 1 to {MAX_CITIES}")
        for city, price in enumerate(self.prices):
            _require_number(f"the price in city {city}", price)
        for number, (u, v, fuel) in enumerate(self.roads, 1):
            if not (0 <= u < n and 0 <= v < n):
                raise ValueError(f"road {number} is between {u} and {v}, but cities are numbered from 0 to {n - 1}")
            _require_number(f"the fuel for road {number}", fuel)
        for number, (capacity, start, end) in enumerate(self.queries, 1):
            _require_number(f"the capacity of query {number}", capacity)
            if not (0 <= start < n and 0 <= end < n):
                raise ValueError(f"query {number} is from {start} to {end}, but cities are numbered from 0 to {n - 1}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="full-tank"):
    """Costs and plans; when the status is stopped, those of the first queries only. No plans when only costs are known."""

    version: Literal[1] = 1
    status: Status
    costs: tuple[int | None, ...]
    plans: tuple[Plan | None, ...] | None


def _require_number(what: str, value: int) -> None:
    if not 0 <= value <= MAX_NUMBER:
        raise ValueError(f"{what} is {value}, it must be from 0 to {MAX_NUMBER}")


def read(text: str) -> Iterator[Instance]:
    """Read n and m, n prices, m roads `u v d`, then q and q queries `C S E`; cities are numbered from 0.

    What follows is read as the next case. Raises InputError where the text is bad, also when there is no case at all.
    """
    tokens = Tokens(text)
    while True:
        n = tokens.take_integer("the number of cities n", 1, MAX_CITIES)
        m = tokens.take_integer("the number of roads m", 0, MAX_ROADS)
        prices = tokens.take_rows(n, "city", [("the price", 0, MAX_NUMBER)])
        city = 0, n - 1
        roads = tokens.take_rows(m, "road", [("the city u", *city), ("the city v", *city), ("the fuel d", 0, MAX_NUMBER)])
        q = tokens.take_integer("the number of queries q", 0, MAX_QUERIES)
        ends = ("the start S", *city), ("the end E", *city)
        queries = tokens.take_rows(q, "query", [("the capacity C", 0, MAX_NUMBER), *ends])
        yield Instance(prices=tuple(prices[:, 0].tolist()), roads=_triples(roads), queries=_triples(queries))
        if tokens.at_end():
            return


def _triples(rows: np.ndarray) -> tuple[tuple[int, int, int], ...]:
    return tuple(zip(*rows.T.tolist(), strict=True))


def write_instance(instance: Instance) -> str:
    """The judge format of an instance."""
    roads = "".join(f"{u} {v} {fuel}\n" for u, v, fuel in instance.roads)
    queries = "".join(f"{capacity} {start} {end}\n" for capacity, start, end in instance.queries)
    head = f"{len(instance.prices)} {len(instance.roads)}\n{' '.join(map(str, instance.prices))}\n"
    return f"{head}{roads}{len(instance.queries)}\n{queries}"


def write(answer: Answer) -> str:
    """A line for each query: the least cost, or `impossible`. Raises ValueError when the search was stopped."""
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the search was stopped: only the first {len(answer.costs)} queries have their answers")
    return "".join(f"{IMPOSSIBLE if cost is None else cost}\n" for cost in answer.costs)


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a cost or `impossible` for each query. Raises InputError where the text has another form, or says more."""
    tokens = Tokens(text)
    answers = []
    for instance in instances:
        costs = tuple(_read_cost(tokens, f"the cost of query {number}") for number in range(1, len(instance.queries) + 1))
        answers.append(Answer(status=Status.OPTIMAL, costs=costs, plans=None))
    tokens.require_end("expected the end: every query has its answer")
    return answers


def _read_cost(tokens: Tokens, what: str) -> int | None:
    token = tokens.peek()
    if token is None or token.text[0] in "+-0123456789":
        return tokens.take_integer(what, 0)
    if token.text != IMPOSSIBLE:
        token.fail(f"expected {what} or {IMPOSSIBLE}, found {shown(token.text)}")
    tokens.take(what)
    return None


def search(instance: Instance, **options: Unpack[RunOptions]) -> Solution:
    """Answer the queries; the `value` of the solution is a list of (cost, plan), None where it is impossible.

    A search that is stopped has the first of them. Time O(n · C) states a query at most, each with the roads of its city; mostly
    far fewer. Raises CostError when a plan costs more than 2^60, Interrupted (with what is known) on Ctrl-C.
    """
    roads = np.fromiter(itertools.chain.from_iterable(instance.roads), np.int64).reshape(-1, 3)
    queries = np.fromiter(itertools.chain.from_iterable(instance.queries), np.int64).reshape(-1, 3)
    order = np.argsort(roads[:, 2], kind="stable")
    graph = Graph.from_edges(*roads[order].T, vertices=len(instance.prices), directed=False)
    tank = TankSearch(graph, np.array(instance.prices, np.int64), queries, options)
    try:
        return _solution(order, *finish(tank, options))
    except Interrupted as stop:
        raise Interrupted(_solution(order, *stop.solution)) from None


def _solution(order: np.ndarray, found: Solution, routes: Routes, answered: int) -> Solution:
    """The routes as values; edge i is road order[i]."""
    used = int(routes.first[answered])
    steps = list(zip(routes.bought[:used].tolist(), (order[routes.edge[:used]] + 1).tolist(), strict=True))
    first = routes.first.tolist()
    value = [
        None if cost < 0 else (cost, tuple(steps[first[i] : first[i + 1]]))
        for i, cost in enumerate(routes.cost[:answered].tolist())
    ]
    return dataclasses.replace(found, cost=None, moves=None, bound=None, value=value)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    costs = tuple(None if route is None else route[0] for route in solution.value)
    plans = tuple(None if route is None else route[1] for route in solution.value)
    return Answer(status=solution.status, costs=costs, plans=plans)


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


def difference(answer: Answer, best: Answer) -> str | None:
    """The first query with another cost than in the best answer."""
    for number, (cost, least) in enumerate(zip(answer.costs, best.costs, strict=True), 1):
        if cost != least:
            claim = "that it is impossible" if cost is None else f"cost {cost}"
            return f"query {number}: it claims {claim}, but the best is {IMPOSSIBLE if least is None else least}"
    return None


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That a plan is cheapest, or that there is none, cannot be seen by following plans.
    """
    if answer.status not in (Status.OPTIMAL, Status.STOPPED):
        return f"the status is {answer.status}, but every query has its answer"
    count = len(instance.queries)
    if len(answer.costs) > count or (len(answer.costs) < count and answer.status is Status.OPTIMAL):
        return f"there are {len(answer.costs)} costs for {count} queries"
    for number, cost in enumerate(answer.costs, 1):
        if cost is not None and cost < 0:
            return f"query {number}: the cost is {cost}"
    if answer.plans is None:
        return None
    if len(answer.plans) != len(answer.costs):
        return f"there are {len(answer.plans)} plans for {len(answer.costs)} costs"
    for number, (query, cost, plan) in enumerate(zip(instance.queries, answer.costs, answer.plans, strict=False), 1):
        fault = _check_plan(instance, query, cost, plan)
        if fault is not None:
            return f"query {number}: {fault}"
    return None


def _check_plan(instance: Instance, query: Query, cost: int | None, plan: Plan | None) -> str | None:
    """Follow a plan."""
    if plan is None or cost is None:
        return None if plan is None and cost is None else "a cost and a plan belong together"
    capacity, at, end = query
    fuel = paid = 0
    for number, (bought, road) in enumerate(plan, 1):
        if bought < 0:
            return f"step {number}: {bought} units cannot be bought"
        fuel += bought
        paid += bought * instance.prices[at]
        if fuel > capacity:
            return f"step {number}: the tank would hold {fuel} units, it holds {capacity}"
        if not 1 <= road <= len(instance.roads):
            return f"step {number}: there is no road {road}"
        u, v, needed = instance.roads[road - 1]
        if at not in (u, v):
            return f"step {number}: road {road} is between {u} and {v}, but the car is in {at}"
        if needed > fuel:
            return f"step {number}: road {road} takes {needed} units, but there are {fuel}"
        fuel -= needed
        at = v if at == u else u
    if at != end:
        return f"the plan ends in {at}, not in {end}"
    return None if paid == cost else f"the plan costs {paid}, not {cost}"


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(
    seed: int,
    *,
    cities: int = 6,
    roads: int = 10,
    queries: int = 3,
    capacity: int = 12,
    longest: int = 9,
    dearest: int = 20,
    solvable: bool | None = None,
) -> Instance:
    """Random roads, prices and queries, the same for the same arguments.

    capacity: tanks hold 1 to this; longest, dearest: roads take 1 to this, a unit costs 1 to this. solvable=True: every query has
    a way (the cities hang together, and every tank is large enough for any road); False: none has (the cities are in two parts,
    and queries go from one to the other); None: either. Raises ValueError for numbers that this cannot be done with.
    """
    if min(cities, capacity, longest, dearest) < 1 or min(roads, queries) < 0:
        raise ValueError("cities, capacity, longest and dearest must be at least 1, roads and queries at least 0")
    if solvable and (roads < cities - 1 or capacity < longest):
        raise ValueError("that every query has a way takes as many roads as cities - 1, and a capacity of at least `longest`")
    if solvable is False and cities < 2 and queries:
        raise ValueError("that no query has a way takes at least 2 cities")
    rng = random.Random(seed)
    order = rng.sample(range(cities), cities)
    split = max(1, cities // 2) if solvable is False else cities
    parts = order[:split], order[split:]

    def road(number: int) -> Road:
        if solvable and number < cities - 1:
            u, v = order[number + 1], order[rng.randrange(number + 1)]
        else:
            part = parts[0] if rng.randrange(cities) < split else parts[1]
            u, v = rng.choice(part), rng.choice(part)
        return u, v, rng.randint(1, longest)

    def query() -> Query:
        start, end = rng.choice(parts[0]), rng.choice(parts[1] or parts[0])
        return rng.randint(longest if solvable else 1, capacity), start, end

    return Instance(
        prices=tuple(rng.randint(1, dearest) for _ in range(cities)),
        roads=tuple(map(road, range(roads))),
        queries=tuple(query() for _ in range(queries)),
    )


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """Where a car is: the query, the city, its fuel and what it has paid, what it bought before the road that led there."""

    query: int
    city: int
    fuel: int
    paid: int
    bought: int
    road: int | None  #: None at the start


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield, for every query with a plan, the start and where each road leads."""
    for number, (query, plan) in enumerate(zip(instance.queries, answer.plans or (), strict=False), 1):
        if plan is None:
            continue
        fuel, paid, city = 0, 0, query[1]
        yield Step(number, city, 0, 0, 0, None)
        for bought, road in plan:
            u, v, needed = instance.roads[road - 1]
            fuel, paid = fuel + bought - needed, paid + bought * instance.prices[city]
            city = v if city == u else u
            yield Step(number, city, fuel, paid, bought, road)
