"""Push-box by brute force: a slow, obvious twin of bestfirst.catalogue.push_box.

A position is (man, box). Positions are settled in the order of (pushes, moves); then every answer that is as good as the best is
written out, and the first by the rule is taken.
"""

from __future__ import annotations

import heapq

LETTERS = {"n": (-1, 0), "s": (1, 0), "w": (0, -1), "e": (0, 1)}
ORDER = "nswe"


def parts(rows):
    """The floor as a set of cells, man, box, target."""
    cells = {(i, j): letter for i, row in enumerate(rows) for j, letter in enumerate(row) if letter != "#"}
    man, box, target = (next(cell for cell, letter in cells.items() if letter in one) for one in ("S+", "B*", "T+*"))
    return set(cells), man, box, target


def moves_from(floor, position):
    """All (letter, next position) from a position."""
    man, box = position
    for letter, (down, right) in LETTERS.items():
        ahead, beyond = (man[0] + down, man[1] + right), (man[0] + 2 * down, man[1] + 2 * right)
        if ahead == box and beyond in floor:
            yield letter.upper(), (ahead, beyond)
        elif ahead != box and ahead in floor:
            yield letter, (ahead, box)


def settled(rows):
    """The least (pushes, moves) of every position that can be reached."""
    floor, man, box, _ = parts(rows)
    cost, queue = {}, [((0, 0), (man, box))]
    while queue:
        (pushes, moves), position = heapq.heappop(queue)
        if position not in cost:
            cost[position] = pushes, moves
            for letter, after in moves_from(floor, position):
                heapq.heappush(queue, ((pushes + letter.isupper(), moves + 1), after))
    return cost


def best_cost(rows):
    """(pushes, moves) of the best answers; None when there is none."""
    target = parts(rows)[3]
    return min((cost for (_, box), cost in settled(rows).items() if box == target), default=None)


def best_answers(rows, most):
    """All best answers as texts; None when there are more than `most`. An empty list when there is none."""
    floor, man, box, target = parts(rows)
    cost, best = settled(rows), best_cost(rows)
    if best is None:
        return []
    # Backwards, so that only ways that end well are written out.
    before = {}
    for position in cost:
        for letter, after in moves_from(floor, position):
            if (cost[position][0] + letter.isupper(), cost[position][1] + 1) == cost[after]:
                before.setdefault(after, []).append((position, letter))
    answers, waiting = [], [(end, "") for end in cost if end[1] == target and cost[end] == best]
    while waiting:
        position, text = waiting.pop()
        if position == (man, box) and len(text) == best[1]:
            answers.append(text)
        waiting += [(earlier, letter + text) for earlier, letter in before.get(position, [])]
        if len(answers) + len(waiting) > most:
            return None
    return answers


def rank(text):
    """What the rule compares: the pushes, then the walks."""
    pushes = [ORDER.index(letter.lower()) for letter in text if letter.isupper()]
    return pushes, [ORDER.index(letter) for letter in text if letter.islower()]


def first_answer(rows, most=20_000):
    """The answer that the rule wants; an empty list for no answer, None when there are too many to look at."""
    answers = best_answers(rows, most)
    return min(answers, key=rank) if answers else answers
