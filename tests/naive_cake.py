"""Birthday cakes tried one by one: every radius and height that fits."""


def least_surface(volume, layers, largest=None):
    """The least surface of the layers from the bottom up, without the base; None when there is no such cake."""
    best = None
    limit = largest or (volume, volume)
    for radius in range(min(limit[0], int(volume**0.5)), 0, -1):
        for height in range(min(limit[1], volume // radius**2), 0, -1):
            rest = volume - radius**2 * height
            if layers == 1:
                above = 0 if rest == 0 else None
            else:
                above = least_surface(rest, layers - 1, (radius - 1, height - 1)) if rest else None
            if above is not None:
                surface = above + 2 * radius * height + (radius**2 if largest is None else 0)
                best = surface if best is None else min(best, surface)
    return best


def least_surfaces(volume, layers):
    """The same for all volumes up to `volume`, by tables: least[r][h][v] of the top layers below radius r and height h."""
    inf = 10**9
    widest = int(volume**0.5)
    least = {(r, h): [0] + [inf] * volume for r in range(1, widest + 2) for h in range(1, volume + 2)}
    for count in range(1, layers + 1):
        following = {}
        for r in range(1, widest + 2):
            for h in range(1, volume + 2):
                best = [inf] * (volume + 1)
                if r > 1 and h > 1:  # radius r - 1 and height h - 1 are the largest; without them the answer is known
                    below = zip(following[r - 1, h], following[r, h - 1], strict=True)
                    best = [min(pair) for pair in below]
                    used, side = (r - 1) ** 2 * (h - 1), 2 * (r - 1) * (h - 1)
                    above = least[r - 1, h - 1]
                    top = (r - 1) ** 2 if count == layers else 0
                    for v in range(used, volume + 1):
                        best[v] = min(best[v], above[v - used] + side + top)
                following[r, h] = best
        least = following
    return [None if one >= inf else one for one in least[widest + 1, volume + 1]]
