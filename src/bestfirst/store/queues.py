"""Priority queues of node numbers, smallest key first: buckets for small integer keys, a binary heap for any.

Both have the same methods, so that a kernel is written once and compiled for either:

    push(key, order, node)    add a node; needs `has_room(key, 1)`
    pop() -> node             remove a node with the smallest key, of several one with the smallest order; only when `size()` > 0
    lowest() -> key           the smallest key; only when `size()` > 0
    top() -> node             what `pop` would return
    size() -> int
    has_room(key, more)       whether `more` nodes with keys up to `key` can be pushed

A node may be in a queue several times. The buckets remember where the lowest key is and look for the next one from there: where
no key falls below the last one popped (a monotone queue) that comes to one walk over the keys.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestfirst.kernel import Int, structure, unsigned
from bestfirst.store import enlarged

# Places in `numbers` of a BucketQueue.
_BASE = 0  # the key of bucket 0
_LOWEST = 1  # no bucket before this one holds anything
_SIZE = 2
_FREE = 3  # first unused entry + 1, a list through `following`; 0 = none
_USED = 4  # entries from here on were never used
_SHIFT = 5  # every key has 2^shift buckets, one for each order; the last one also takes all larger orders

#: More different keys than this are a heap's work.
MAX_BUCKETS = 1 << 20


@structure
class BucketQueue(NamedTuple):
    """A stack of entries for each key, or for each key and order; all operations O(1), `pop` amortised over the buckets passed.

    first      (buckets,) uint32: entry on top of the bucket + 1; 0 = empty
    node       (entries,) uint32
    following  (entries,) uint32: the entry below + 1
    numbers    (6,) int64: see above

    Among equals the node pushed last comes first, which drives the search deep into its last layer.
    """

    first: np.ndarray
    node: np.ndarray
    following: np.ndarray
    numbers: np.ndarray

    def size(self) -> Int:
        """Number of entries."""
        return self.numbers[_SIZE]

    def has_room(self, key: Int, more: Int) -> Any:
        """Whether `more` entries with keys up to `key` fit."""
        end = (key - self.numbers[_BASE] + 1) << self.numbers[_SHIFT]
        return end <= self.first.shape[0] and self.numbers[_SIZE] + more <= self.node.shape[0]

    def push(self, key: Int, order: Int, node: Int) -> None:
        """Add `node`; an order beyond the buckets of its key counts as the nearest."""
        numbers = self.numbers
        if numbers[_FREE] != 0:
            entry = numbers[_FREE] - 1
            numbers[_FREE] = self.following[unsigned(entry)]
        else:
            entry = numbers[_USED]
            numbers[_USED] = entry + 1
        shift = numbers[_SHIFT]
        bucket = ((key - numbers[_BASE]) << shift) + max(0, min(order, (1 << shift) - 1))
        self.node[unsigned(entry)] = node
        self.following[unsigned(entry)] = self.first[unsigned(bucket)]
        self.first[unsigned(bucket)] = entry + 1
        if bucket < numbers[_LOWEST] or numbers[_SIZE] == 0:
            numbers[_LOWEST] = bucket
        numbers[_SIZE] += 1

    def lowest_bucket(self) -> Int:
        """The first bucket that is not empty."""
        bucket = self.numbers[_LOWEST]
        while self.first[unsigned(bucket)] == 0:
            bucket += 1
        self.numbers[_LOWEST] = bucket
        return bucket

    def lowest(self) -> Int:
        """The smallest key."""
        return (self.lowest_bucket() >> self.numbers[_SHIFT]) + self.numbers[_BASE]

    def top(self) -> Int:
        """The node that `pop` would return."""
        return np.int64(self.node[unsigned(self.first[unsigned(self.lowest_bucket())] - 1)])

    def pop(self) -> Int:
        """Remove and return the node pushed last among those with the smallest key and order."""
        bucket = unsigned(self.lowest_bucket())
        entry = np.int64(self.first[bucket]) - 1
        self.first[bucket] = self.following[unsigned(entry)]
        self.following[unsigned(entry)] = self.numbers[_FREE]
        self.numbers[_FREE] = entry + 1
        self.numbers[_SIZE] -= 1
        return np.int64(self.node[unsigned(entry)])


@structure
class HeapQueue(NamedTuple):
    """A binary heap on (key, order); all operations O(log size), any keys.

    key, order  (entries,) int64;  node (entries,) uint32;  numbers (1,) int64: the size
    """

    key: np.ndarray
    order: np.ndarray
    node: np.ndarray
    numbers: np.ndarray

    def size(self) -> Int:
        """Number of entries."""
        return self.numbers[0]

    def has_room(self, key: Int, more: Int) -> Any:
        """Whether `more` entries fit."""
        return self.numbers[0] + more <= self.node.shape[0]

    def before(self, i: Int, key: Int, order: Int) -> Any:
        """Whether entry `i` comes before (key, order)."""
        return self.key[unsigned(i)] < key or (self.key[unsigned(i)] == key and self.order[unsigned(i)] < order)

    def put(self, i: Int, key: Int, order: Int, node: Int) -> None:
        """Write entry `i`."""
        self.key[unsigned(i)] = key
        self.order[unsigned(i)] = order
        self.node[unsigned(i)] = node

    def push(self, key: Int, order: Int, node: Int) -> None:
        """Add `node`; among equal keys the smaller `order` comes first."""
        i = self.numbers[0]
        self.numbers[0] = i + 1
        while i > 0:
            parent = (i - 1) >> 1
            above_key, above_order = self.key[unsigned(parent)], self.order[unsigned(parent)]
            if above_key < key or (above_key == key and above_order <= order):
                break
            self.put(i, above_key, above_order, self.node[unsigned(parent)])
            i = parent
        self.put(i, key, order, node)

    def lowest(self) -> Int:
        """The smallest key."""
        return self.key[0]

    def top(self) -> Int:
        """The node that `pop` would return."""
        return np.int64(self.node[0])

    def pop(self) -> Int:
        """Remove and return the first node."""
        top = np.int64(self.node[0])
        last = self.numbers[0] - 1
        self.numbers[0] = last
        key = self.key[unsigned(last)]
        order = self.order[unsigned(last)]
        i = np.int64(0)
        while True:
            child = 2 * i + 1
            if child >= last:
                break
            if child + 1 < last and self.before(child + 1, self.key[unsigned(child)], self.order[unsigned(child)]):
                child += 1
            if not self.before(child, key, order):
                break
            self.put(i, self.key[unsigned(child)], self.order[unsigned(child)], self.node[unsigned(child)])
            i = child
        self.put(i, key, order, self.node[unsigned(last)])
        return top


def bucket_queue(base: int, keys: int, entries: int, orders: int = 1) -> BucketQueue:
    """An empty queue for keys from `base` to `base + keys - 1`; it tells so many orders apart, a power of two."""
    return BucketQueue(
        np.zeros(keys * orders, np.uint32),
        np.zeros(entries, np.uint32),
        np.zeros(entries, np.uint32),
        np.array([base, 0, 0, 0, 0, orders.bit_length() - 1], np.int64),
    )


def heap_queue(entries: int) -> HeapQueue:
    """An empty heap."""
    return HeapQueue(
        np.zeros(entries, np.int64), np.zeros(entries, np.int64), np.zeros(entries, np.uint32), np.zeros(1, np.int64)
    )


def entries(queue: BucketQueue | HeapQueue) -> list[tuple[int, int, int]]:
    """All (key, order, node), bottom of each bucket first, so that pushing them in this order makes an equal queue."""
    if isinstance(queue, HeapQueue):
        n = int(queue.numbers[0])
        return list(zip(queue.key[:n].tolist(), queue.order[:n].tolist(), queue.node[:n].tolist(), strict=True))
    found = []
    base, shift = int(queue.numbers[_BASE]), int(queue.numbers[_SHIFT])
    for bucket in np.flatnonzero(queue.first).tolist():
        stack = []
        entry = int(queue.first[bucket])
        while entry:
            stack.append((base + (bucket >> shift), bucket & (1 << shift) - 1, int(queue.node[entry - 1])))
            entry = int(queue.following[entry - 1])
        found += stack[::-1]
    return found


def larger_queue(queue: BucketQueue | HeapQueue, highest: int, more: int) -> BucketQueue | HeapQueue:
    """The same entries with room for more; buckets up to the key `highest`, or a heap when they would be too many."""
    if isinstance(queue, HeapQueue):
        size = 2 * len(queue.node) + more
        return queue._replace(**{name: enlarged(getattr(queue, name), size) for name in ("key", "order", "node")})
    wanted = highest - int(queue.numbers[_BASE]) + 1 << int(queue.numbers[_SHIFT])
    room = len(queue.node) if queue.size() + more <= len(queue.node) else 2 * len(queue.node) + more
    if wanted <= MAX_BUCKETS:
        buckets = max(len(queue.first), 1 << (wanted - 1).bit_length())
        return queue._replace(
            first=enlarged(queue.first, buckets), node=enlarged(queue.node, room), following=enlarged(queue.following, room)
        )
    return as_heap(queue, room)


def as_heap(queue: BucketQueue, room: int) -> HeapQueue:
    """A heap of the same entries with room for `room`."""
    heap = heap_queue(room)
    rows = np.array(entries(queue), np.int64).reshape(-1, 3)
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]  # in order it is a heap
    for array, column in zip((heap.key, heap.order, heap.node), rows.T, strict=True):
        array[: len(rows)] = column
    heap.numbers[0] = len(rows)
    return heap


def check(queue: BucketQueue | HeapQueue) -> None:
    """Raise AssertionError unless the structure is sound."""
    if isinstance(queue, HeapQueue):
        n = int(queue.numbers[0])
        items = list(zip(queue.key[:n].tolist(), queue.order[:n].tolist(), strict=True))
        assert all(items[(i - 1) // 2] <= items[i] for i in range(1, n))
        return
    _, lowest, size, free, used, _ = queue.numbers.tolist()
    assert len(entries(queue)) == size
    assert not queue.first[:lowest].any() or size == 0
    unused = 0
    while free:
        unused += 1
        free = int(queue.following[free - 1])
    assert unused + size == used <= len(queue.node)
