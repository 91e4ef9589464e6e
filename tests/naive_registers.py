"""The slow twin of two-register power: breadth-first through pairs of exponents by every operation, without a cap."""


def results(pair):
    """The pairs that one operation makes."""
    for one in pair:
        for other in pair:
            for made in (one + other, one - other):
                if made >= 0:
                    yield (made, pair[1])
                    yield (pair[0], made)


def fewest(layers):
    """For each power that up to so many operations make: how many it takes."""
    found, known, layer = {1: 0, 0: 0}, {(1, 0)}, {(1, 0)}
    for depth in range(1, layers + 1):
        layer = {child for pair in layer for child in results(pair)} - known
        known |= layer
        for pair in layer:
            for power in pair:
                found.setdefault(power, depth)
    return found
