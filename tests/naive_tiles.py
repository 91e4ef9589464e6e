"""Slow twins for sliding tiles: distances, first shortest ways and pattern distances by plain breadth-first search on tuples."""

from collections import deque

STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


def neighbours(tiles, rows, columns):
    """(letter, board) for each move, in the order u, d, l, r."""
    blank = tiles.index(0)
    row, column = divmod(blank, columns)
    for letter, (down, right) in STEPS.items():
        if 0 <= row + down < rows and 0 <= column + right < columns:
            cell = (row + down) * columns + column + right
            after = list(tiles)
            after[blank], after[cell] = after[cell], 0
            yield letter, tuple(after)


def distances(rows, columns):
    """Board -> moves to the ordered board, for all boards that can be ordered."""
    goal = (*range(1, rows * columns), 0)
    found, queue = {goal: 0}, deque([goal])
    while queue:
        board = queue.popleft()
        for _, after in neighbours(board, rows, columns):
            if after not in found:
                found[after] = found[board] + 1
                queue.append(after)
    return found


def first_way(tiles, rows, columns, distance):
    """The first of the shortest sequences, or None."""
    if tiles not in distance:
        return None
    way = ""
    while distance[tiles]:
        letter, tiles = next((m, t) for m, t in neighbours(tiles, rows, columns) if distance[t] < distance[tiles])
        way += letter
    return way


def pattern_distances(part, rows, columns):
    """Cells of the tiles of a part, in its order -> the fewest of their moves that bring them home, by a 0-1 search."""
    goal = tuple(t if t in part or t == 0 else -1 for t in (*range(1, rows * columns), 0))
    found, queue = {goal: 0}, deque([(0, goal)])
    best = {}
    while queue:
        near, board = queue.popleft()
        if near > found[board]:
            continue
        cells = tuple(board.index(t) for t in part)
        best[cells] = min(near, best.get(cells, near))
        blank = board.index(0)
        for _, after in neighbours(board, rows, columns):
            far = near + (after[blank] != -1)
            if far < found.get(after, far + 1):
                found[after] = far
                (queue.append if far > near else queue.appendleft)((far, after))
    return best
