"""The heap against a sorted list, checked after every step."""

import heapq

from hypothesis import given
from hypothesis import strategies as st

from bestfirst.kernel import exact, interpreting
from bestfirst.store.four_heap import check, four_heap


@given(st.lists(st.one_of(st.none(), st.integers(0, 9), st.integers(0, 1 << 60)), max_size=60))
def test_pops_come_in_order(steps):
    """None pops; a number is pushed as a key."""
    heap, keys, of_node = four_heap(len(steps) + 1), [], {}
    for node, key in enumerate(steps):
        with interpreting():
            view = exact(heap)
            if key is not None:
                view.push(key, node)
                of_node[node] = key
                heapq.heappush(keys, key)
            elif keys:
                lowest = view.lowest()
                assert lowest == of_node.pop(view.pop()) == heapq.heappop(keys)
            check(heap)
            assert view.size() == len(keys)


def test_clear_leaves_nothing():
    heap = four_heap(3)
    with interpreting():
        exact(heap).push(5, 1)
        exact(heap).clear()
        exact(heap).push(7, 2)
        assert (exact(heap).size(), exact(heap).lowest(), exact(heap).pop()) == (1, 7, 2)
