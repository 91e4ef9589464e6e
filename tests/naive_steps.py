"""Slow, obvious twins of fewest steps on boards: sets of places, one layer after another; and all shortest ways."""


def layers(start, neighbours):
    """Yield the set of places 0, 1, 2 … steps from the start, until there are none. A place can be anything hashable."""
    met, layer = {start}, {start}
    while layer:
        yield layer
        layer = {place for before in layer for place in neighbours(before)} - met
        met |= layer


def fewest(start, goal, neighbours):
    """The number of steps; None when there is no way."""
    return next((number for number, layer in enumerate(layers(start, neighbours)) if goal in layer), None)


def block_neighbours(cells):
    """Where a block can roll to: a place is the set of the one or two cells under it, found by turning a solid over its edges."""

    def neighbours(place):
        (top, left), (bottom, right) = min(place), max(place)
        height = 2 if len(place) == 1 else 1  # of the block, above the board
        tall, wide = bottom - top + 1, right - left + 1
        for rows, columns in (
            (range(top - height, top), range(left, left + wide)),
            (range(bottom + 1, bottom + 1 + height), range(left, left + wide)),
            (range(top, top + tall), range(left - height, left)),
            (range(top, top + tall), range(right + 1, right + 1 + height)),
        ):
            under = frozenset((i, j) for i in rows for j in columns)
            on = [cells[i][j] if 0 <= i < len(cells) and 0 <= j < len(cells[0]) else "#" for i, j in under]
            if "#" not in on and on != ["E"]:
                yield under

    return neighbours


def fewest_rolls(cells):
    """Fewest rolls from X to O; None when there is no way."""
    at = {letter: frozenset((i, j) for i, row in enumerate(cells) for j, c in enumerate(row) if c == letter) for letter in "XO"}
    return fewest(at["X"], at["O"], block_neighbours(cells))


def fewest_knight_moves(cells):
    """Fewest moves from K to H; None when there is no way."""
    at = {cell: (i, j) for i, row in enumerate(cells) for j, cell in enumerate(row) if cell in "KH"}
    free = {(i, j) for i, row in enumerate(cells) for j, cell in enumerate(row) if cell != "*"}

    def neighbours(place):
        return (other for other in free if (other[0] - place[0]) ** 2 + (other[1] - place[1]) ** 2 == 5)

    return fewest(at["K"], at["H"], neighbours)


def milkweed(cells, x, y):
    """The cells (row, column) taken in each week, as a list of sets."""
    grass = {(i, j) for i, row in enumerate(cells) for j, cell in enumerate(row) if cell == "."}

    def neighbours(place):
        return (other for other in grass if max(abs(other[0] - place[0]), abs(other[1] - place[1])) == 1)

    return list(layers((len(cells) - y, x - 1), neighbours))
