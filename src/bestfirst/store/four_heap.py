"""A heap of (key, node) with four children to an entry: half as deep as a binary one, and four keys lie in one cache line.

It is for Dijkstra's algorithm on graphs larger than the cache: a node whose key falls is pushed again and its old entry skipped
when it comes up, because keeping track of where each node stands costs a cache miss for every entry moved.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bestfirst.kernel import Int, integer, structure, unsigned


@structure
class FourHeap(NamedTuple):
    """Smallest key first; among equal keys any, but always the same. `push` and `pop` O(log size).

    key (entries,) int64;  node (entries,) uint32;  numbers (1,) int64: the size
    """

    key: np.ndarray
    node: np.ndarray
    numbers: np.ndarray

    def size(self) -> Int:
        """Number of entries."""
        return self.numbers[0]

    def lowest(self) -> Int:
        """The smallest key; only when `size()` > 0."""
        return self.key[0]

    def put(self, i: Int, key: Int, node: Int) -> None:
        """Write entry `i`."""
        self.key[unsigned(i)] = key
        self.node[unsigned(i)] = node

    def push(self, key: Int, node: Int) -> None:
        """Add a node; there must be room."""
        i = self.numbers[0]
        self.numbers[0] = i + 1
        while i > 0:
            parent = (i - 1) >> 2
            above = self.key[unsigned(parent)]
            if above <= key:
                break
            self.put(i, above, self.node[unsigned(parent)])
            i = parent
        self.put(i, key, node)

    def pop(self) -> Int:
        """Remove and return a node with the smallest key; only when `size()` > 0."""
        top = integer(self.node[0])
        last = self.numbers[0] - 1
        self.numbers[0] = last
        key = self.key[unsigned(last)]
        node = self.node[unsigned(last)]
        i = integer(0)
        while True:
            child = 4 * i + 1
            if child >= last:
                break
            least = child
            lowest = self.key[unsigned(child)]
            for other in range(child + 1, min(child + 4, last)):
                if self.key[unsigned(other)] < lowest:
                    lowest = self.key[unsigned(other)]
                    least = other
            if lowest >= key:
                break
            self.put(i, lowest, self.node[unsigned(least)])
            i = least
        self.put(i, key, node)
        return top

    def clear(self) -> None:
        """Remove all entries. O(1)."""
        self.numbers[0] = 0


def four_heap(entries: int) -> FourHeap:
    """An empty heap with room for `entries`."""
    return FourHeap(np.zeros(entries, np.int64), np.zeros(entries, np.uint32), np.zeros(1, np.int64))


def check(heap: FourHeap) -> None:
    """Raise AssertionError unless the structure is sound."""
    n = int(heap.numbers[0])
    assert 0 <= n <= len(heap.node) == len(heap.key)
    keys = heap.key[:n].tolist()
    assert all(keys[(i - 1) // 4] <= keys[i] for i in range(1, n))
