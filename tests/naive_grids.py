"""Slow, obvious twin of distances in a grid of 0, 1 and # (a wall)."""


def grid_distances(cells):
    """Every cell takes the least of its neighbours and 1, again and again until nothing changes; None: no way."""
    places = [(i, j) for i, row in enumerate(cells) for j, cell in enumerate(row) if cell != "#"]
    best = {place: 0 if cells[place[0]][place[1]] == "1" else None for place in places}
    changed = True
    while changed:
        changed = False
        for i, j in places:
            beside = [best.get(place) for place in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))]
            least = min((other + 1 for other in beside if other is not None), default=None)
            if least is not None and (best[i, j] is None or least < best[i, j]):
                best[i, j] = least
                changed = True
    return tuple(tuple(-1 if best.get((i, j)) is None else best[i, j] for j in range(len(row))) for i, row in enumerate(cells))
