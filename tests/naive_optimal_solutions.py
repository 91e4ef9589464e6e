"""Slow, obvious twins of the engines for all optimal solutions."""

import naive


def all_optimal(start, successors, is_goal):
    """All optimal solutions in move order, by following every path; None when they are infinitely many.

    A path on the way to a solution that has as many moves as there are states has passed one of them twice, and can do so any
    number of times, as it is still a cheapest one.
    """
    states = naive.distances(start, successors)
    to_goal = {state: naive.least_cost(state, successors, is_goal) for state in states}
    found = []

    def follow(state, moves):
        if is_goal(state):
            found.append(moves)
            return True
        if len(moves) >= len(states):
            return False
        return all(
            follow(child, (*moves, move))
            for move, child, cost in successors(state)
            if to_goal[child] is not None and cost + to_goal[child] == to_goal[state]
        )

    return [] if to_goal[start] is None else found if follow(start, ()) else None


def count_optimal(start, successors, is_goal):
    """Their number when every cost is at least 1, state by state in order of distance from the start."""
    distance = naive.distances(start, successors)
    ways = dict.fromkeys(distance, 0)
    ways[start] = 1
    for state in sorted(distance, key=distance.get):
        if not is_goal(state):
            for _, child, cost in successors(state):
                if distance[child] == distance[state] + cost:
                    ways[child] += ways[state]
    goals = [state for state in distance if is_goal(state)]
    least = min((distance[goal] for goal in goals), default=None)
    return sum(ways[goal] for goal in goals if distance[goal] == least)
