"""Exact cover problems with known numbers of solutions."""

PENTOMINOES = {
    "F": ".XX XX. .X.",
    "I": "XXXXX",
    "L": "X... XXXX",
    "N": "XXX. ..XX",
    "P": "XX XX X.",
    "T": "XXX .X. .X.",
    "U": "X.X XXX",
    "V": "X.. X.. XXX",
    "W": "X.. XX. .XX",
    "X": ".X. XXX .X.",
    "Y": ".X.. XXXX",
    "Z": "XX. .X. .XX",
}


def orientations(rows):
    """The different ways to turn and flip a piece, each a sorted tuple of cells."""
    cells = [(r, c) for r, row in enumerate(rows.split()) for c, mark in enumerate(row) if mark == "X"]
    found = set()
    for _ in range(2):
        cells = [(r, -c) for r, c in cells]
        for _ in range(4):
            cells = [(c, -r) for r, c in cells]
            top, left = min(r for r, _ in cells), min(c for _, c in cells)
            found.add(tuple(sorted((r - top, c - left) for r, c in cells)))
    return sorted(found)


def pentominoes(height, width):
    """All placements of the twelve pentominoes in a box: the piece and its five cells."""
    return [
        [piece, *((top + r, left + c) for r, c in cells)]
        for piece, rows in PENTOMINOES.items()
        for cells in orientations(rows)
        for top in range(height - max(r for r, _ in cells))
        for left in range(width - max(c for _, c in cells))
    ]


def queens(n):
    """The options and the secondary items (the diagonals) of n queens."""
    options = [[("row", r), ("column", c), ("sum", r + c), ("difference", r - c)] for r in range(n) for c in range(n)]
    return options, [item for option in options for item in option[2:]]


def latin_square(n):
    return [[("cell", r, c), ("row", r, k), ("column", c, k)] for r in range(n) for c in range(n) for k in range(n)]


def langford(n):
    """Two of each number 1 … n in a row of 2n, with k numbers between the two k."""
    return [[k, ("place", i), ("place", i + k + 1)] for k in range(1, n + 1) for i in range(2 * n - k - 1)]


def dominoes(height, width):
    cells = [(r, c) for r in range(height) for c in range(width)]
    return [[(r, c), other] for r, c in cells for other in ((r, c + 1), (r + 1, c)) if other in cells]


def sudoku(clues):
    """The options of a Sudoku, and (row, column, digit) of each."""
    triples = [(r, c, k) for r in range(9) for c in range(9) for k in range(1, 10) if clues[9 * r + c] in (".", str(k))]
    return [[("cell", r, c), ("row", r, k), ("column", c, k), ("box", r // 3, c // 3, k)] for r, c, k in triples], triples
