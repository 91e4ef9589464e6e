"""Both queues against a sorted list, checked after every step; growth and the change from buckets to a heap lose nothing."""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bestfirst.kernel import exact, interpreting, kernel
from bestfirst.store.queues import MAX_BUCKETS, BucketQueue, HeapQueue, bucket_queue, check, entries, heap_queue, larger_queue


class QueueMachine(RuleBasedStateMachine):
    """Monotone use, as in A*: no key below the last one popped. Buckets tell some orders apart, or none."""

    @initialize(base=st.sampled_from([0, 7, 1 << 40]), capacity=st.integers(1, 4), orders=st.sampled_from([0, 1, 2, 4]))
    def begin(self, base, capacity, orders):
        heap = orders == 0
        self.queue = heap_queue(capacity) if heap else bucket_queue(base, 4, capacity, orders)
        self.orders = orders
        self.low = base
        self.stacked = {}  # key -> what was pushed with it, oldest first
        self.pushed = 0
        self.ordered = heap

    @rule(above=st.one_of(st.integers(0, 6), st.integers(0, 100)), order=st.integers(-3, 5))
    def push(self, above, order):
        self.push_key(self.low + above, order)

    @rule()
    def push_far(self):
        """Beyond what buckets can span: the queue becomes a heap."""
        self.push_key(self.low + MAX_BUCKETS + 10, 0)
        self.ordered = False  # among equal keys the old entries have no order

    def push_key(self, key, order):
        with interpreting():
            if not exact(self.queue).has_room(key, 1):
                self.queue = larger_queue(self.queue, key, 1)
            view = exact(self.queue)
            assert view.has_room(key, 1)
            view.push(key, order, self.pushed)
        self.stacked.setdefault(key, []).append((order, self.pushed))
        self.pushed += 1

    @precondition(lambda self: len(self.queue.node) < 500)  # a heap doubles each time
    @rule(more=st.integers(1, 10))
    def grow(self, more):
        self.queue = larger_queue(self.queue, self.low + 10, more)

    @precondition(lambda self: self.stacked)
    @rule()
    def pop(self):
        with interpreting():
            view = exact(self.queue)
            lowest, top, node = view.lowest(), view.top(), view.pop()
        key = min(self.stacked)
        here = self.stacked[key]
        assert (lowest, top) == (key, node)
        (entry,) = [entry for entry in here if entry[1] == node]
        if isinstance(self.queue, BucketQueue):
            apart = lambda entry: max(0, min(entry[0], self.orders - 1))  # noqa: E731
            assert entry == min(reversed(here), key=apart)  # the newest of the least order that is told apart
        elif self.ordered:
            assert entry[0] == min(order for order, _ in here)
        here.remove(entry)
        if not here:
            del self.stacked[key]
        self.low = key

    @invariant()
    def sound(self):
        with interpreting():
            view = exact(self.queue)
            check(view)
            assert view.size() == sum(map(len, self.stacked.values()))
            found = sorted((key, node) for key, _, node in entries(view))
        assert found == sorted((key, node) for key, here in self.stacked.items() for _, node in here)


TestQueue = QueueMachine.TestCase
TestQueue.settings = settings(max_examples=50, stateful_step_count=40)


def test_entries_are_listed_so_that_pushing_them_makes_an_equal_queue():
    with interpreting():
        queue = exact(bucket_queue(3, 8, 10))
        for node, key in enumerate((5, 3, 5, 5, 9)):
            queue.push(key, 0, node)
        copy = exact(bucket_queue(3, 8, 10))
        for entry in entries(queue):
            copy.push(*entry)
        assert [copy.pop() for _ in range(5)] == [queue.pop() for _ in range(5)] == [1, 3, 2, 0, 4]


@pytest.mark.parametrize("orders", [1, 64])
def test_there_are_a_million_buckets_and_no_more(orders):
    queue = bucket_queue(100, 4, 4, orders)
    assert isinstance(larger_queue(queue, 99 + MAX_BUCKETS // orders, 1), BucketQueue)
    assert isinstance(larger_queue(queue, 100 + MAX_BUCKETS // orders, 1), HeapQueue)


@kernel
def _use(queue, keys, popped):
    for i in range(keys.shape[0]):
        queue.push(keys[i], -i, i)
    for i in range(keys.shape[0]):
        popped[i] = queue.pop()


@pytest.mark.parametrize("make", [lambda: bucket_queue(0, 64, 500), lambda: heap_queue(500)])
def test_compiled_and_interpreted_pop_the_same(make):
    keys = np.random.default_rng(2).integers(0, 64, 500)
    popped = np.zeros((2, 500), np.int64)
    _use(make(), keys, popped[0])
    with interpreting():
        _use(*exact((make(), keys, popped[1])))
    assert (popped[0] == popped[1]).all()
    assert popped[0].tolist() == sorted(range(500), key=lambda i: (keys[i], -i))


def test_check_sees_damage():
    with interpreting():
        heap = exact(heap_queue(8))
        for key in (3, 1, 2):
            heap.push(key, 0, key)
        heap.key[0] = 9
        with pytest.raises(AssertionError):
            check(heap)
        queue = exact(bucket_queue(0, 4, 8))
        queue.push(2, 0, 1)
        queue.first[1] = queue.first[2]
        with pytest.raises(AssertionError):
            check(queue)
