"""Slow, obvious twins of square breaking: matches as pairs of points; every set of matches; and a model for CP-SAT."""

import itertools


def matches(size):
    """Pairs of points (row, column), in the order of their numbers."""
    found = []
    for row in range(size + 1):
        found += [((row, column), (row, column + 1)) for column in range(size)]
        if row < size:
            found += [((row, column), (row + 1, column)) for column in range(size + 1)]
    return found


def squares(size, missing):
    """The matches, by numbers from 1, of every complete square."""
    number = {match: i for i, match in enumerate(matches(size), 1)}
    found = []
    for side in range(1, size + 1):
        for top, left in itertools.product(range(size + 1 - side), repeat=2):
            points = [(top, left + i) for i in range(side)]
            points += [(top + i, left + side) for i in range(side)]
            points += [(top + side, left + side - i) for i in range(side)]
            points += [(top + side - i, left) for i in range(side)]
            border = {number[tuple(sorted(pair))] for pair in zip(points, points[1:] + points[:1], strict=True)}
            if not border & set(missing):
                found.append(border)
    return found


def breaks_all(size, missing, taken):
    return all(square & set(taken) for square in squares(size, missing))


def fewest(size, missing):
    """All sets of matches, small ones first."""
    complete = squares(size, missing)
    every = sorted(set().union(*complete))
    for count in itertools.count():
        for taken in itertools.combinations(every, count):
            if all(not square.isdisjoint(taken) for square in complete):
                return count


def fewest_by_cp_sat(size, missing):
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    taken = [model.new_bool_var("") for _ in range(len(matches(size)) + 1)]
    for square in squares(size, missing):
        model.add_bool_or([taken[match] for match in square])
    model.minimize(sum(taken))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value)
