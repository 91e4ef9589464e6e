"""Slow, obvious twins of circuit repair, on boards that are strings of / and backslashes."""

import itertools


def is_joined(cells):
    """Whether a wire leads from the upper left corner to the lower right one: corners joined in groups, wire by wire."""
    rows, columns = len(cells), len(cells[0])
    group = {(i, j): {(i, j)} for i in range(rows + 1) for j in range(columns + 1)}
    for i, j in itertools.product(range(rows), range(columns)):
        ends = ((i, j), (i + 1, j + 1)) if cells[i][j] == "\\" else ((i, j + 1), (i + 1, j))
        joined = group[ends[0]] | group[ends[1]]
        for corner in joined:
            group[corner] = joined
    return (rows, columns) in group[0, 0]


def turned(cells, tiles):
    """The board with these tiles, (row, column) from 1, turned."""
    other = {"/": "\\", "\\": "/"}
    return tuple(
        "".join(other[cell] if (i, j) in tiles else cell for j, cell in enumerate(row, 1)) for i, row in enumerate(cells, 1)
    )


def fewest_turns(cells):
    """Try all sets of tiles, small ones first; None when none joins the corners."""
    tiles = [(i, j) for i in range(1, len(cells) + 1) for j in range(1, len(cells[0]) + 1)]
    for count in range(len(tiles) + 1):
        if any(is_joined(turned(cells, set(chosen))) for chosen in itertools.combinations(tiles, count)):
            return count
    return None
