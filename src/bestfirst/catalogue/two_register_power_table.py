"""The fewest operations for all powers up to a limit: breadth-first through the pairs of exponents.

    most      the limit;  cap = 2 · most: larger exponents are not kept
    pair      a << 16 | b, a > b >= 0: the exponents of the registers
    known     (…,) uint64: a bit for each pair, number a (a - 1) / 2 + b
    fewest    (most + 1,) uint8: operations, or UNMET
    layer     (…,) uint32: the pairs that so many operations make, and no fewer

*What a cap may lose.* An exponent above the cap takes at least m = floor(log2 cap) + 1 operations, as each at most doubles. A
program that goes there and ends one operation later is not lost: the difference of the pair is looked at, though the pair is not
kept (no other result of it is up to `most` and new). All others take m + 2 operations or more. So numbers up to m + 2 are right;
`table` says where one is larger.

A generic engine would keep 8 bytes for each of 30 million states and more; this keeps bits, and has to number pairs with a cap.
"""

from __future__ import annotations

import numpy as np

from bestfirst.control import FULL, PAUSED
from bestfirst.kernel import Int, kernel, unsigned
from bestfirst.store import enlarged

UNMET = 255

#: The cap must stay below 2^16; the bits take 100 MB for this limit.
MAX_TABLE = 20_000

_MANY = 1 << 16  #: places for pairs at first

# Places in `ends`.
_TAKEN = 0  # how many pairs of the layer have been expanded
_MADE = 1  # how many pairs the next layer has
_LEFT = 2  # powers not met yet


@kernel
def note_results(fewest: np.ndarray, layer: np.ndarray, size: Int, depth: Int) -> Int:
    """Write down the powers that an operation makes of the pairs of a layer, `depth` operations in all; how many are new.

    Before the next layer is made: often it need not be.
    """
    most = fewest.shape[0] - 1
    new = 0
    for at in range(size):
        a, b = np.int64(layer[unsigned(at)] >> 16), np.int64(layer[unsigned(at)] & 0xFFFF)
        for made in (2 * a, a + b, 2 * b, a - b):
            if made <= most and fewest[unsigned(made)] > depth:
                new += fewest[unsigned(made)] == UNMET
                fewest[unsigned(made)] = depth
    return new


@kernel
def grow_layer(
    known: np.ndarray, fewest: np.ndarray, layer: np.ndarray, size: Int, following: np.ndarray, ends: np.ndarray, depth: Int
) -> Int:
    """Make the pairs that `depth` operations make; FULL when `following` has no room for those of another pair."""
    most = fewest.shape[0] - 1
    made_count = ends[_MADE]
    at = ends[_TAKEN]
    outcome = PAUSED
    while at < size:
        if made_count + 8 > following.shape[0]:
            outcome = FULL
            break
        a, b = np.int64(layer[unsigned(at)] >> 16), np.int64(layer[unsigned(at)] & 0xFFFF)
        at += 1
        for move in range(8):
            kind = move & 3
            made = 2 * a if kind == 0 else a + b if kind == 1 else 2 * b if kind == 2 else a - b
            kept = a if move < 4 else b
            if made * kept == 0 or made == kept:
                continue
            if made > 2 * most:
                if made - kept <= most and fewest[unsigned(made - kept)] == UNMET:
                    fewest[unsigned(made - kept)] = depth + 1
                    ends[_LEFT] -= 1
                continue
            large, small = max(made, kept), min(made, kept)
            number = unsigned(large * (large - 1) // 2 + small)
            bit = unsigned(1) << (number & unsigned(63))
            if known[number >> unsigned(6)] & bit == unsigned(0):
                known[number >> unsigned(6)] |= bit
                following[unsigned(made_count)] = large << 16 | small
                made_count += 1
    ends[_TAKEN] = at
    ends[_MADE] = made_count
    return outcome


def table(most: int) -> tuple[np.ndarray, np.ndarray]:
    """The fewest operations for 0 … `most`, and the powers for which the cap may have lost something (none up to MAX_TABLE).

    O(most^2) bits and about a tenth as many pairs.
    """
    cap = 2 * most
    known = np.zeros(cap * (cap + 1) // 128 + 1, np.uint64)
    fewest = np.full(most + 1, UNMET, np.uint8)
    fewest[:2] = 0
    layer, depth = np.array([1 << 16], np.uint32), 0
    ends = np.array([0, 0, most - 1], np.int64)
    while ends[_LEFT] > 0:
        depth += 1
        ends[_LEFT] -= note_results(fewest, layer, len(layer), depth)
        if ends[_LEFT] == 0:
            break
        following = np.zeros(max(_MANY, 2 * len(layer)), np.uint32)
        ends[:_LEFT] = 0
        while grow_layer(known, fewest, layer, len(layer), following, ends, depth) == FULL:
            following = enlarged(following, 2 * len(following))
        layer = following[: ends[_MADE]]
    return fewest, np.flatnonzero(fewest > cap.bit_length() + 2)
