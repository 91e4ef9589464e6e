"""Slow, obvious twins of the searches that divide weights."""


def fewest_bins(weights, capacity):
    """The fewest bins that hold all weights: each set of items is packed by adding one item to the last bin or to a new one."""
    best = {0: (0, 0)}  # set of items: bins that are closed or open, and the negative room in the open one
    for done in range(1 << len(weights)):
        bins, no_room = best[done]
        for i, weight in enumerate(weights):
            if not done >> i & 1:
                fits = weight <= -no_room
                packed = (bins, no_room + weight) if fits else (bins + 1, weight - capacity)
                best[done | 1 << i] = min(best.get(done | 1 << i, packed), packed)
    return best[(1 << len(weights)) - 1][0]


def heaviest_subset(weights, limit):
    """The largest weight of a set of items within a limit: the set of all weights that sets of items have."""
    sums = {0}
    for weight in weights:
        sums |= {total + weight for total in sums if total + weight <= limit}
    return max(sums)


def shortest_sticks(pieces):
    """The smallest length of equal sticks: for each length, which sets of pieces make some full sticks and a part of one."""
    total = sum(pieces)
    everything = (1 << len(pieces)) - 1
    for length in range(1, total + 1):
        made = {0: 0}  # set of pieces: length of the stick that is not full
        for done in range(everything if total % length == 0 else 0):
            if done in made:
                for i, piece in enumerate(pieces):
                    if not done >> i & 1 and made[done] + piece <= length:
                        made[done | 1 << i] = (made[done] + piece) % length
        if made.get(everything) == 0:
            return length
    return None
