"""Exact cover by dancing links: lists of options per item, from which entries are taken out and put back in reverse order.

node        a number: items are nodes 0 … n - 1 (the heads of their lists), the root is node n, and entry e of `cover.items` is
            node n + 1 + e
up, down    (n + 1 + entries,) int32: the list of the options that cover an item, in ascending order, circular through its head
left, right (n + 1,) int32: the list of the uncovered primary items, circular through the root
size        (n,) int32: length of each item's list
item        (n + 1 + entries,) int32: the item of a node;  option: the option of an entry
first, after (n + 1 + entries,) int32: the nodes of an entry's option are first … after - 1
branch      (primary + 1,) int32 a level: the branching item;  at: the node of the option tried, or the head before the first

Source: D. E. Knuth, Dancing links, Millennial Perspectives in Computer Science (2000); The Art of Computer Programming 7.2.2.1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, PAUSED, RunOptions
from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.search.compiled import DEPTH, EXPANDED, GENERATED, PRUNED, STOP_AT
from bestfirst.search.cover import BRANCHED, GO_ON, Cover, CoverSearch, report


class Memory(NamedTuple):
    """The working memory; shapes in the legend above."""

    up: np.ndarray
    down: np.ndarray
    left: np.ndarray
    right: np.ndarray
    size: np.ndarray
    item: np.ndarray
    option: np.ndarray
    first: np.ndarray
    after: np.ndarray
    branch: np.ndarray
    at: np.ndarray
    chosen: np.ndarray
    fewest: np.ndarray
    listing: np.ndarray
    counters: np.ndarray


@kernel
def search_links(cover: Cover, memory: Memory) -> Int:
    """Advance until the node budget is used up; see `control` for the outcomes. O(entries taken out) a node."""
    counters = memory.counters
    first_entry = cover.n + 1
    while counters[GENERATED] < counters[STOP_AT]:
        depth = counters[DEPTH]
        if depth < 0:
            return EXHAUSTED
        if counters[BRANCHED] == 0:
            counters[BRANCHED] = 1
            item = _choose_item(cover, memory)
            if item == cover.n:
                outcome = report(memory.chosen, memory.fewest, memory.listing, counters)
                counters[DEPTH] = depth - 1
                if outcome != GO_ON:
                    return outcome
                continue
            if memory.size[item] == 0 and depth > 0:
                counters[PRUNED] += 1
                counters[DEPTH] = depth - 1
                continue
            counters[EXPANDED] += 1
            memory.branch[depth] = item
            memory.at[depth] = item
            _cover_item(cover, memory, item)
        node = memory.at[depth]
        if node >= first_entry:
            _take_back_option(cover, memory, node)
        node = memory.down[unsigned(node)]
        if node < first_entry:
            _uncover_item(cover, memory, node)
            counters[DEPTH] = depth - 1
            continue
        memory.at[depth] = node
        counters[GENERATED] += 1
        memory.chosen[depth] = memory.option[unsigned(node)]
        _take_option(cover, memory, node)
        counters[DEPTH] = depth + 1
        counters[BRANCHED] = 0
    return PAUSED


@kernel
def _choose_item(cover: Cover, memory: Memory) -> Int:
    """The first of the uncovered items with the fewest options; the root when all items are covered."""
    root: Int = cover.n
    best = root
    fewest: Int = 1 << 31
    item = memory.right[root]
    while item != root:
        size = memory.size[unsigned(item)]
        if size < fewest:
            best = integer(item)
            fewest = size
            if size == 0:
                break
        item = memory.right[unsigned(item)]
    return best


@kernel
def _cover_item(cover: Cover, memory: Memory, item: Int) -> None:
    """Take the item from the list of items, and the options that cover it from all other lists."""
    left = memory.left[unsigned(item)]
    right = memory.right[unsigned(item)]
    memory.right[unsigned(left)] = right
    memory.left[unsigned(right)] = left
    first_entry = cover.n + 1
    node = memory.down[unsigned(item)]
    while node >= first_entry:
        for other in range(memory.first[unsigned(node)], memory.after[unsigned(node)]):
            if other != node:
                up = memory.up[unsigned(other)]
                down = memory.down[unsigned(other)]
                memory.down[unsigned(up)] = down
                memory.up[unsigned(down)] = up
                memory.size[unsigned(memory.item[unsigned(other)])] -= 1
        node = memory.down[unsigned(node)]


@kernel
def _uncover_item(cover: Cover, memory: Memory, item: Int) -> None:
    """Undo `_cover_item`: the same steps in reverse order."""
    first_entry = cover.n + 1
    node = memory.up[unsigned(item)]
    while node >= first_entry:
        for other in range(memory.after[unsigned(node)] - 1, memory.first[unsigned(node)] - 1, -1):
            if other != node:
                memory.down[unsigned(memory.up[unsigned(other)])] = other
                memory.up[unsigned(memory.down[unsigned(other)])] = other
                memory.size[unsigned(memory.item[unsigned(other)])] += 1
        node = memory.up[unsigned(node)]
    memory.right[unsigned(memory.left[unsigned(item)])] = item
    memory.left[unsigned(memory.right[unsigned(item)])] = item


@kernel
def _take_option(cover: Cover, memory: Memory, node: Int) -> None:
    """Cover the items of the node's option but its own, which is covered already."""
    for other in range(memory.first[unsigned(node)], memory.after[unsigned(node)]):
        if other != node:
            _cover_item(cover, memory, memory.item[unsigned(other)])


@kernel
def _take_back_option(cover: Cover, memory: Memory, node: Int) -> None:
    """Undo `_take_option`."""
    for other in range(memory.after[unsigned(node)] - 1, memory.first[unsigned(node)] - 1, -1):
        if other != node:
            _uncover_item(cover, memory, memory.item[unsigned(other)])


class LinkSearch(CoverSearch):
    """Exact cover by dancing links at work."""

    kernel = search_links

    def __init__(self, cover: Cover, mode: int, options: RunOptions) -> None:
        super().__init__(cover, mode, options)
        n, primary = cover.n, cover.primary
        up, down = item_lists(cover)
        option = cover.option_of_entry()

        def per_node(of_entries: np.ndarray) -> np.ndarray:
            return np.concatenate([np.zeros(n + 1, np.int32), of_entries.astype(np.int32)])

        left, right = np.arange(n + 1, dtype=np.int32), np.arange(n + 1, dtype=np.int32)
        ring = np.concatenate([np.arange(primary), [n]])
        right[ring] = np.roll(ring, -1)
        left[ring] = np.roll(ring, 1)
        self.memory = Memory(
            up=up,
            down=down,
            left=left,
            right=right,
            size=np.bincount(cover.items, minlength=n).astype(np.int32),
            item=np.concatenate([np.arange(n + 1), cover.items]).astype(np.int32),
            option=per_node(option),
            first=per_node(n + 1 + cover.starts[option]),
            after=per_node(n + 1 + cover.starts[option + 1]),
            branch=np.zeros(primary + 1, np.int32),
            at=np.zeros(primary + 1, np.int32),
            **self.common,
        )

    def enlarge(self, room: int | None) -> bool:
        return False  # nothing is ever full


def item_lists(cover: Cover) -> tuple[np.ndarray, np.ndarray]:
    """The links `up` and `down` of a problem in which nothing is covered."""
    nodes = cover.n + 1 + len(cover.items)
    up, down = np.arange(nodes, dtype=np.int32), np.arange(nodes, dtype=np.int32)
    item_of = np.concatenate([np.arange(cover.n), cover.items])
    node = np.concatenate([np.arange(cover.n), cover.n + 1 + np.arange(len(cover.items))])
    order = np.argsort(item_of, kind="stable")  # each head, then its entries in ascending order
    item_of, node = item_of[order], node[order]
    heads = np.flatnonzero(np.diff(item_of, prepend=-1))
    tails = np.append(heads[1:], len(node))[: len(heads)] - 1
    following, preceding = np.roll(node, -1), np.roll(node, 1)
    following[tails], preceding[heads] = node[heads], node[tails]
    down[node], up[node] = following, preceding
    return up, down
