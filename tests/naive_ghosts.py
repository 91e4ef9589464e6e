"""Slow, obvious twins of ghost chase, on boards that are rows of . X M G Z."""

import itertools

STEPS = {"U": (-1, 0), "L": (0, -1), "R": (0, 1), "D": (1, 0)}


def places(cells, letter):
    return [(i, j) for i, row in enumerate(cells) for j, cell in enumerate(row) if cell == letter]


def is_free(cells, place, second):
    """Whether a person can be in a place in this second."""
    i, j = place
    if not (0 <= i < len(cells) and 0 <= j < len(cells[0])) or cells[i][j] == "X":
        return False
    return all(abs(i - a) + abs(j - b) > 2 * second for a, b in places(cells, "Z"))


def beside(cells, place, second):
    around = [(place[0] + di, place[1] + dj) for di, dj in STEPS.values()]
    return [other for other in around if is_free(cells, other, second)]


def earliest(cells):
    """All places where each of them can be, second after second, until they share one; None when one has no place left."""
    boy, girl = set(places(cells, "M")), set(places(cells, "G"))
    for second in itertools.count(1):
        boy, girl = ({place for place in people if is_free(cells, place, second)} for people in (boy, girl))
        for _ in range(3):
            boy |= {other for place in boy for other in beside(cells, place, second)}
        girl |= {other for place in girl for other in beside(cells, place, second)}
        if boy & girl:
            return second
        if not boy or not girl:
            return None


def together(cells):
    """The same as states of both at once: what can follow (second, place of the boy, place of the girl)."""

    def within(place, steps, second):
        found = {place}
        for _ in range(steps):
            found |= {other for one in found for other in beside(cells, one, second)}
        return found

    def successors(state):
        second, boy, girl = state[0] + 1, *state[1:]
        if is_free(cells, boy, second) and is_free(cells, girl, second):
            for both in itertools.product(sorted(within(boy, 3, second)), sorted(within(girl, 1, second))):
                yield both, (second, *both), 1

    return (0, *places(cells, "M"), *places(cells, "G")), successors


def follows(cells, boy, girl):
    """Whether these steps lead both to one place, safely."""
    people = [(places(cells, "M")[0], boy, 3), (places(cells, "G")[0], girl, 1)]
    ends = []
    for place, seconds, most in people:
        for second, steps in enumerate(seconds, 1):
            if not is_free(cells, place, second) or len(steps) > most:
                return False
            for step in steps:
                if step not in STEPS:
                    return False
                place = (place[0] + STEPS[step][0], place[1] + STEPS[step][1])  # noqa: PLW2901
                if not is_free(cells, place, second):
                    return False
        ends.append(place)
    return len(boy) == len(girl) and ends[0] == ends[1]
