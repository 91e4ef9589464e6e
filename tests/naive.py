"""Slow, obvious twins of the engines.

A problem is two functions here: successors(state) -> [(move, next state, cost), …] and is_goal(state).
"""

import numpy as np

from bestfirst.replay import IllegalMove, step


def rules(problem, moves):
    """The two functions of a @problem whose states are integers or arrays; array states become tuples."""

    def native(state):
        return state if problem.integer_state else problem.state(state)

    def successors(state):
        found = []
        for move in range(moves):
            try:
                following, cost = step(problem, native(state), move)
            except IllegalMove:
                continue
            found.append((move, following if problem.integer_state else tuple(following.tolist()), cost))
        return found

    return successors, lambda state: bool(problem.is_goal(native(state)))


def array_rules(problem, dtype):
    """The successors of a @problem whose states are arrays of this dtype; states become tuples."""

    def successors(state):
        found = []
        for move in range(problem._move_count()):
            try:
                following, cost = step(problem, np.array(state, dtype), move)
            except IllegalMove:
                continue
            found.append((move, tuple(following.tolist()), cost))
        return found

    return successors


def distances(start, successors):
    """Least cost from `start` to every state, by relaxing until nothing changes (costs of 0 or more)."""
    best = {start: 0}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        for _, child, cost in successors(state):
            if child not in best or best[state] + cost < best[child]:
                best[child] = best[state] + cost
                waiting.append(child)
    return best


def layers(start, successors):
    """Fewest moves from `start` to every state."""
    return distances(start, lambda state: [(move, child, 1) for move, child, _ in successors(state)])


def distances_to(goals, successors, states):
    """Least cost from every state to the nearest goal; states without a way are left out."""
    found = {state: distances(state, successors) for state in states}
    nearest = {state: [found[state][goal] for goal in goals if goal in found[state]] for state in states}
    return {state: min(costs) for state, costs in nearest.items() if costs}


def least_cost(start, successors, is_goal):
    """Cost of a cheapest solution; None when there is none."""
    return min((cost for state, cost in distances(start, successors).items() if is_goal(state)), default=None)


def first_solution(start, successors, is_goal, budget, exact=False):
    """The first solution, in the order of `successors`, that costs at most (exactly) `budget`; costs of 1 or more.

    With the least cost as the budget this is the lexicographically first of the best solutions.
    """
    failed = set()

    def first(state, left):
        if is_goal(state) and (left == 0 or not exact):
            return ()
        if (state, left) not in failed:
            for move, child, cost in successors(state):
                if cost <= left:
                    rest = first(child, left - cost)
                    if rest is not None:
                        return (move, *rest)
            failed.add((state, left))
        return None

    return first(start, budget)


def follow(start, successors, moves):
    """Make the moves; the state they lead to and their cost. Raises KeyError when one is not allowed."""
    total, state = 0, start
    for move in moves:
        state, cost = {label: (child, cost) for label, child, cost in successors(state)}[move]
        total += cost
    return state, total
