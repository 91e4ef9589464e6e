"""A set of states, numbered in order of insertion, with constant-time search: the memory of every graph search.

    W        words (64 bits) of one state
    states   (capacity, W) uint64: state number i is row i
    slots    (size,) uint64, size a power of two: 0 = empty, else tag << 32 | number + 1
    used     (1,) int64: how many states there are

Open addressing with linear probing. A slot holds 32 bits of the state's hash beside the number, so that a probe that is not
the state looked for is almost always told without a look at the states, and growing reads the slots alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestfirst.kernel import Int, kernel, structure, unsigned, wrapping_multiply

#: The largest number of states: numbers are stored in 32 bits.
MAX_STATES = (1 << 32) - 2

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_FINISHER = np.uint64(0xD6E8FEB86659FD93)
_TAG_MASK = np.uint64(0xFFFFFFFF00000000)
_NUMBER_MASK = np.uint64(0x00000000FFFFFFFF)
_SHIFT = np.uint64(32)


@kernel(inline=True)
def hash_of(words: np.ndarray) -> Int:
    """Hash of a state; its upper 32 bits are the good ones. O(W)."""
    mixed = _MULTIPLIER
    for i in range(words.shape[0]):
        mixed = wrapping_multiply(mixed ^ words[unsigned(i)], _MULTIPLIER)
        mixed = mixed ^ (mixed >> _SHIFT)
    return wrapping_multiply(mixed, _FINISHER)


@structure
class StateTable(NamedTuple):
    """Numbered set of states. `locate` finds the slot of a state, `number_at` reads it, `insert` fills it."""

    states: np.ndarray
    slots: np.ndarray
    used: np.ndarray

    def tag(self, words: np.ndarray) -> Int:
        """Hash of a state, in the upper 32 bits of a word. O(W)."""
        return hash_of(words) & _TAG_MASK

    def locate(self, words: np.ndarray, tag: Int) -> Int:
        """Index of the slot that holds the state, or of the empty slot where it belongs. O(W) expected."""
        last = unsigned(self.slots.shape[0] - 1)
        position = unsigned(tag >> _SHIFT) & last
        while True:
            slot = self.slots[position]
            if slot == 0:
                return position
            if (slot & _TAG_MASK) == tag:
                row = unsigned((slot & _NUMBER_MASK) - unsigned(1))
                same = True
                for i in range(words.shape[0]):
                    if self.states[row, unsigned(i)] != words[unsigned(i)]:
                        same = False
                if same:
                    return position
            position = (position + unsigned(1)) & last

    def number_at(self, position: Int) -> Int:
        """Number of the state in a slot; -1 when the slot is empty."""
        return np.int64(self.slots[position] & _NUMBER_MASK) - 1

    def insert(self, position: Int, words: np.ndarray, tag: Int) -> Int:
        """Add a state in the empty slot that `locate` returned for it; its number. Needs `has_room(1)`."""
        number = self.used[0]
        for i in range(words.shape[0]):
            self.states[unsigned(number), unsigned(i)] = words[unsigned(i)]
        self.slots[position] = tag | unsigned(number + 1)
        self.used[0] = number + 1
        return number

    def has_room(self, more: Int) -> Any:
        """Whether `more` states can be inserted, leaving a quarter of the slots empty."""
        wanted = self.used[0] + more
        return wanted <= self.states.shape[0] and 4 * wanted <= 3 * self.slots.shape[0]


def state_table(capacity: int, words: int) -> StateTable:
    """An empty table with room for `capacity` states of `words` words."""
    return StateTable(
        np.zeros((capacity, words), np.uint64),
        np.zeros(slots_for(capacity), np.uint64),
        np.zeros(1, np.int64),
    )


def slots_for(capacity: int) -> int:
    """The smallest power of two that holds `capacity` states at no more than three quarters."""
    return 1 << max(2, (4 * capacity // 3).bit_length())


def grown(table: StateTable, capacity: int) -> StateTable:
    """The same states with the same numbers in a table with room for `capacity` states. O(capacity)."""
    size = slots_for(capacity)
    slots = table.slots
    if size != slots.shape[0]:
        slots = np.zeros(size, np.uint64)
        refill(table.slots, slots)
    states = np.empty((capacity, table.states.shape[1]), np.uint64)
    used = int(table.used[0])
    states[:used] = table.states[:used]
    return StateTable(states, slots, table.used)


@kernel
def refill(old: np.ndarray, new: np.ndarray) -> None:
    """Move the slots of a table into `new`, which is larger and empty. O(slots)."""
    last = unsigned(new.shape[0] - 1)
    for i in range(old.shape[0]):
        slot = old[unsigned(i)]
        if slot != 0:
            position = unsigned(slot >> _SHIFT) & last
            while new[position] != 0:
                position = (position + unsigned(1)) & last
            new[position] = slot


def check(table: StateTable) -> None:
    """Raise AssertionError unless every state is found under its own number, exactly once, and all else is empty."""
    count = int(table.used[0])
    assert 0 <= count <= table.states.shape[0]
    assert table.slots.shape[0] & (table.slots.shape[0] - 1) == 0
    assert 4 * count <= 3 * table.slots.shape[0]
    numbers = table.slots[table.slots != 0] & _NUMBER_MASK
    assert sorted(int(n) - 1 for n in numbers) == list(range(count))
    assert len({row.tobytes() for row in table.states[:count]}) == count
    for number in range(count):
        row = table.states[number]
        assert table.number_at(table.locate(row, table.tag(row))) == number
