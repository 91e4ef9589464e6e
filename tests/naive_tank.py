"""Slow, obvious twins of full tank: a city has a price, a road is (u, v, fuel), all numbered from 0."""

import functools
import heapq


def textbook(prices, roads, capacity, start, end):
    """Dijkstra's algorithm on (city, fuel), a unit at a time: the usual program for contests."""
    beside = [[] for _ in prices]
    for u, v, d in roads:
        beside[u].append((v, d))
        beside[v].append((u, d))
    best = {(start, 0): 0}
    queue = [(0, start, 0)]
    while queue:
        cost, city, fuel = heapq.heappop(queue)
        if city == end:
            return cost
        if cost > best[city, fuel]:
            continue
        following = [(cost, other, fuel - d) for other, d in beside[city] if d <= fuel]
        if fuel < capacity:
            following.append((cost + prices[city], city, fuel + 1))
        for more, other, left in following:
            if more < best.get((other, left), more + 1):
                best[other, left] = more
                heapq.heappush(queue, (more, other, left))
    return None


def by_rounds(prices, roads, capacity, start, end):
    """Costs of all (city, fuel) fall, in round after round, until none does: no queue, and any amount bought at once."""
    cost = {(start, 0): 0}
    while True:
        before = dict(cost)
        for (city, fuel), paid in before.items():
            for bought in range(capacity - fuel + 1):
                more = paid + bought * prices[city]
                cost[city, fuel + bought] = min(more, cost.get((city, fuel + bought), more))
        for u, v, d in roads:
            for here, there in ((u, v), (v, u)):
                for fuel in range(d, capacity + 1):
                    if (here, fuel) in cost:
                        paid = cost[here, fuel]
                        cost[there, fuel - d] = min(paid, cost.get((there, fuel - d), paid))
        if cost == before:
            return min((paid for (city, _), paid in cost.items() if city == end), default=None)


def follows(prices, roads, capacity, start, end, plan):
    """What a plan costs; None when it cannot be driven or ends elsewhere."""

    def step(state, bought_and_road):
        if state is None:
            return None
        city, fuel, paid = state
        bought, road = bought_and_road
        if bought < 0 or fuel + bought > capacity or not 1 <= road <= len(roads):
            return None
        u, v, d = roads[road - 1]
        if city not in (u, v) or d > fuel + bought:
            return None
        return u + v - city, fuel + bought - d, paid + bought * prices[city]

    last = functools.reduce(step, plan, (start, 0, 0))
    return last[2] if last is not None and last[0] == end else None
