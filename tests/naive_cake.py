"""The slow twins of birthday cake: all radii and heights tried out, and a table of all cakes by their top layers."""

import functools


def least_surface(volume, layers):
    """The least surface over all cakes, from the bottom up; None when there is none."""

    def surfaces(left, k, radius, height):
        if k == 0:
            if left == 0:
                yield 0
            return
        for r in range(1, radius):
            for h in range(1, min(height, left // (r * r) + 1)):
                for above in surfaces(left - r * r * h, k - 1, r, h):
                    yield above + 2 * r * h + (r * r if k == layers else 0)

    return min(surfaces(volume, layers, volume + 1, volume + 1), default=None)


@functools.cache
def _least_side(volume, k, r, h):
    """The least side of k layers of this volume, the lowest of radius r and height h; infinite when there are none."""
    left = volume - r * r * h
    if k == 1:
        return 2 * r * h if left == 0 else float("inf")
    if left <= 0:
        return float("inf")
    above = (_least_side(left, k - 1, a, b) for a in range(1, r) for b in range(1, min(h, left // (a * a) + 1)))
    return 2 * r * h + min(above, default=float("inf"))


def least_surface_by_table(volume, layers):
    """The same, each state looked at once."""
    lowest = ((r, h) for r in range(1, int(volume**0.5) + 1) for h in range(1, volume // (r * r) + 1))
    least = min((r * r + _least_side(volume, layers, r, h) for r, h in lowest), default=float("inf"))
    return None if least == float("inf") else least
