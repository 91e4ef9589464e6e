"""The table of states against a dictionary, checked after every step."""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bestfirst.kernel import exact, interpreting, kernel
from bestfirst.store.state_table import MAX_STATES, check, grown, slots_for, state_table

WORDS = st.one_of(st.integers(0, 5), st.integers(0, 2**64 - 1))


class TableMachine(RuleBasedStateMachine):
    @initialize(words=st.integers(1, 3), capacity=st.integers(1, 4))
    def begin(self, words, capacity):
        self.words = words
        self.table = state_table(capacity, words)
        self.numbers = {}

    def find(self, state):
        with interpreting():
            table, words = exact(self.table), exact(np.array(state, np.uint64))
            tag = table.tag(words)
            position = table.locate(words, tag)
            return table, words, tag, position

    @rule(data=st.data())
    def insert(self, data):
        state = data.draw(st.tuples(*[WORDS] * self.words))
        with interpreting():
            table, words, tag, position = self.find(state)
            assert table.number_at(position) == self.numbers.get(state, -1)
            if state not in self.numbers and table.has_room(1):
                assert table.insert(position, words, tag) == len(self.numbers)
                self.numbers[state] = len(self.numbers)

    @precondition(lambda self: self.numbers)
    @rule(data=st.data())
    def find_known(self, data):
        state = data.draw(st.sampled_from(sorted(self.numbers)))
        with interpreting():
            table, _, _, position = self.find(state)
            assert table.number_at(position) == self.numbers[state]

    @rule(more=st.integers(0, 40))
    def grow(self, more):
        self.table = grown(self.table, len(self.table.states) + more)

    @invariant()
    def sound(self):
        with interpreting():
            check(exact(self.table))
        assert self.table.has_room(0)


TestTable = TableMachine.TestCase
TestTable.settings = settings(max_examples=40, stateful_step_count=40)


@pytest.mark.parametrize("capacity", [*range(1, 100), 1023, 1024, 1025, MAX_STATES])
def test_a_table_has_slots_for_its_capacity_and_a_quarter_more(capacity):
    slots = slots_for(capacity)
    assert slots & (slots - 1) == 0
    assert 4 * capacity <= 3 * slots


def test_room_is_for_exactly_the_capacity():
    table = state_table(10, 1)
    assert table.has_room(10)
    assert not table.has_room(11)


@kernel
def _insert_all(table, rows, numbers):
    for i in range(rows.shape[0]):
        tag = table.tag(rows[i])
        position = table.locate(rows[i], tag)
        numbers[i] = table.number_at(position)
        if numbers[i] < 0:
            numbers[i] = table.insert(position, rows[i], tag)


def test_compiled_and_interpreted_make_the_same_table():
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 2**64, (300, 2), np.uint64)[rng.integers(0, 300, 900)]
    tables = [state_table(300, 2), state_table(300, 2)]
    numbers = np.zeros((2, 900), np.int64)
    _insert_all(tables[0], rows, numbers[0])
    with interpreting():
        _insert_all(*exact((tables[1], rows, numbers[1])))
    assert (numbers[0] == numbers[1]).all()
    for one, other in zip(*tables, strict=True):
        assert (one == other).all()
    known = {}
    for row, number in zip(rows.tolist(), numbers[0].tolist(), strict=True):
        assert known.setdefault(tuple(row), len(known)) == number


@kernel
def _tags(table, words, tags):
    for i in range(words.shape[0]):
        tags[i] = table.tag(words[i])


def test_states_with_the_same_hash_are_told_apart():
    words = np.random.default_rng(3).integers(0, 2**64, (400_000, 1), np.uint64)
    tags = np.zeros(len(words), np.uint64)
    _tags(state_table(4, 1), words, tags)
    order = np.argsort(tags)
    places = np.flatnonzero(np.diff(tags[order]) == 0)  # about 18 pairs have the same 32 bits
    assert len(places) > 3
    for place in places:
        pair = words[order[place : place + 2]]
        numbers = np.zeros(2, np.int64)
        _insert_all(state_table(4, 1), pair, numbers)
        assert numbers.tolist() == [0, 1]


def test_neighbouring_states_do_not_cluster():
    """Packed puzzles differ in a few bits of one word; a poor hash would send them all to the same slots."""
    with interpreting():
        for shift in (0, 20, 40, 52):
            table = state_table(1 << 12, 1)
            view = exact(table)
            home = set()
            for i in range(1 << 12):
                words = exact(np.array([i << shift], np.uint64))
                tag = view.tag(words)
                home.add((int(tag) >> 32) % len(table.slots))
            assert len(home) > 0.55 * (1 << 12)  # a random function of this size: about 0.79 of them


@pytest.mark.parametrize("damage", ["slot", "state", "used"])
def test_check_sees_damage(damage):
    table = state_table(10, 1)
    numbers = np.zeros(5, np.int64)
    with interpreting():
        _insert_all(*exact((table, np.arange(5, dtype=np.uint64).reshape(5, 1), numbers)))
        check(exact(table))
        if damage == "slot":
            table.slots[np.flatnonzero(table.slots)[0]] = 0
        elif damage == "state":
            table.states[2] = 77
        else:
            table[2][0] += 1
        with pytest.raises(AssertionError):
            check(exact(table))
