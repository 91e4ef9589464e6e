"""Slow, obvious twins of cloud drift: a day is a string of 16 marks; a place is (row, column) of the cloud's upper left cell."""

import itertools


def covered(place):
    return [4 * (place[0] + i) + place[1] + j for i in (0, 1) for j in (0, 1)]


def following(place):
    return [(i, j) for i in range(3) for j in range(3) if i == place[0] or j == place[1]]


def is_possible(days):
    """All places with the dry days of all 16 cells, day by day."""
    states = {((1, 1), (0,) * 16)}
    for number, marks in enumerate(days):
        new = set()
        for place, dry in states:
            for other in following(place) if number else [place]:
                rain = covered(other)
                now = tuple(0 if cell in rain else dry[cell] + 1 for cell in range(16))
                if max(now) < 7 and all(marks[cell] == "0" for cell in rain):
                    new.add((other, now))
        states = new
    return bool(states)


def is_schedule(days, places):
    """Whether places, digits 3 · row + column, obey the rules."""
    if len(places) != len(days) or not set(places) <= set("012345678") or places[0] != "4":
        return False
    way = [divmod(int(place), 3) for place in places]
    if any(b not in following(a) for a, b in itertools.pairwise(way)):
        return False
    if any(marks[cell] == "1" for marks, place in zip(days, way, strict=True) for cell in covered(place)):
        return False
    weeks = [way[i : i + 7] for i in range(len(way) - 6)]
    return all({cell for place in week for cell in covered(place)} == set(range(16)) for week in weeks)


def by_trying(days):
    """All schedules, one after another."""

    def extended(places):
        if len(places) == len(days):
            return is_schedule(days, places)
        return is_schedule(days[: len(places)], places) and any(extended(places + digit) for digit in "012345678")

    return extended("4")
