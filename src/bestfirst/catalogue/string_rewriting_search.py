"""The search behind string rewriting: breadth-first from both strings, the smaller layer first, on strings of any length.

One side applies the rules to A, the other one the reversed rules to B; a side is a set of strings, numbered in the order in which
they were met, layer by layer. The search ends when a string of one side becomes, in a step, one of the other side.

    letter        0 … K - 1;  rule  0 … R - 1, in the order of the first letters of their left sides
    letters       uint8: all strings of a side one after another; string i is letters[begin[i]] … letters[begin[i + 1] - 1]
    parent        uint32: number of the string from which it was met
    slots         uint64, size a power of two: 0 = empty, else tag << 32 | number + 1, as in `store.state_table`

*Hash.* A string s has the hash Σ (s[i] + 1) p^i modulo 2^64. With the sums of the beginnings at hand, the hash of what a rule
makes of s is known without making it – two products – and most of what is made was met before, or is only looked for on the
other side:

    prefix        prefix[i] = the sum over s[0] … s[i - 1], of the string at hand
    power         p^i
    right_hash    of the right side of a rule;  shift  p^(length of the right side - length of the left side)

*Bound.* A weight of letters gives each string a weight. If no rule adds more than `gain` to it, at least (weight of the end -
weight of s) / gain steps lead from s to the end. What a rule makes of a string has the same letters wherever it is applied, so
that a test for each string and rule is enough; a rule that leads too far away for the steps left is not applied.

    weight        (P × K,) int64: the weights of letters, P of them;  end  (P,) int64: the weight of the string to be reached
    gain          (P,) int64;  change  (P × R,) int64: what a rule adds
    allowed       (R,) uint8: 1 = the rule may be applied to the string at hand

The generic engines have states of a fixed length, or are several times slower: see docs/problems/string-rewriting.md.

Source of the search from both ends: I. Pohl, Bi-directional search, Machine Intelligence 6 (1971).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, FULL, PAUSED, RunOptions
from bestfirst.kernel import Int, integer, interpreting, kernel, unsigned, wrapping_multiply
from bestfirst.search.compiled import BOUND, DEPTH, DUPLICATES, EXPANDED, GENERATED, OWN, STOP_AT
from bestfirst.search.explicit import ArraySearch
from bestfirst.store import enlarged
from bestfirst.store.state_table import MAX_STATES, refill, slots_for

GROWING = OWN  #: the side whose layer is being grown: 0 that of A, 1 that of B
PLACE = OWN + 1  #: where to go on in the string at hand
RULE = OWN + 2  #: … and with which rule
MET_FORWARD = OWN + 3  #: the string of A's side that becomes, in a step, …
MET_BACKWARD = OWN + 4  #: … this one of B's side
MOST = OWN + 5  #: steps allowed

# Places in `numbers` of a Side.
_USED = 0  # how many strings there are
_HEAD = 1  # number of the next one to expand
_END = 2  # the strings from _HEAD to here are the rest of the layer
_DEPTH = 3  # steps from the end to that layer

#: Between two layers; an outcome that the kernels keep to themselves.
_GROWN = 100

#: For the steps allowed when there is no limit: more than any search makes.
UNLIMITED = 1 << 31

#: Letters are bytes.
MAX_LETTERS = 256

_BASE = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_MULTIPLIER = np.uint64(0xD6E8FEB86659FD93)
_TAG_MASK = np.uint64(0xFFFFFFFF00000000)
_NUMBER_MASK = np.uint64(0x00000000FFFFFFFF)
_SHIFT = np.uint64(32)


class Rules(NamedTuple):
    """The rules of one direction and the bounds; see the legend.

    left, right              uint8: the sides of all rules one after another
    left_begin, right_begin  (R + 1,) int64: where each begins
    by_letter                (K + 1,) int64: rules by_letter[c] … by_letter[c + 1] - 1 begin with letter c
    """

    left: np.ndarray
    left_begin: np.ndarray
    right: np.ndarray
    right_begin: np.ndarray
    by_letter: np.ndarray
    right_hash: np.ndarray
    shift: np.ndarray
    weight: np.ndarray
    end: np.ndarray
    gain: np.ndarray
    change: np.ndarray


class Side(NamedTuple):
    """The strings met from one end; `numbers` (4,) int64, the rest in the legend."""

    letters: np.ndarray
    begin: np.ndarray
    parent: np.ndarray
    slots: np.ndarray
    numbers: np.ndarray


class Work(NamedTuple):
    """What is known of the string at hand; see the legend."""

    prefix: np.ndarray
    power: np.ndarray
    allowed: np.ndarray


@kernel
def search_strings(ahead: Rules, back: Rules, forward: Side, backward: Side, work: Work, counters: np.ndarray) -> Int:
    """Grow layers until the budget is used up; see `control` for the outcomes. O(1) a rewriting, O(length) a new string."""
    while True:
        if counters[DEPTH] == counters[MOST]:
            return integer(EXHAUSTED)
        if counters[GROWING] == 0:
            outcome = grow_layer(ahead, forward, backward, work, counters)
        else:
            outcome = grow_layer(back, backward, forward, work, counters)
        if outcome != _GROWN:
            return outcome
        counters[DEPTH] += 1
        counters[BOUND] += 1
        ahead_of = forward.numbers[_END] - forward.numbers[_HEAD]
        behind = backward.numbers[_END] - backward.numbers[_HEAD]
        counters[GROWING] = 0 if ahead_of <= behind else 1


@kernel
def grow_layer(rules: Rules, side: Side, other: Side, work: Work, counters: np.ndarray) -> Int:
    """Expand the rest of a layer of `side`, until a string is known to `other`."""
    while side.numbers[_HEAD] < side.numbers[_END]:
        if counters[GENERATED] >= counters[STOP_AT]:
            return integer(PAUSED)
        outcome = expand(rules, side, other, work, counters)
        if outcome != PAUSED:
            return outcome
        side.numbers[_HEAD] += 1
        counters[EXPANDED] += 1
    if counters[GENERATED] >= counters[STOP_AT]:
        return integer(PAUSED)
    if side.numbers[_END] == side.numbers[_USED]:
        return integer(EXHAUSTED)
    side.numbers[_END] = side.numbers[_USED]
    side.numbers[_DEPTH] += 1
    return integer(_GROWN)


@kernel
def prepare(rules: Rules, side: Side, work: Work, left: Int) -> Int:
    """Fill `prefix` and `allowed` for the string at the head, `left` steps being left after the next one; its length."""
    begin = side.begin[unsigned(side.numbers[_HEAD])]
    length = side.begin[unsigned(side.numbers[_HEAD] + 1)] - begin
    letters = rules.by_letter.shape[0] - 1
    count = work.allowed.shape[0]
    total = unsigned(0)
    for i in range(length):
        work.prefix[unsigned(i)] = total
        letter = unsigned(side.letters[unsigned(begin + i)]) + unsigned(1)
        total = wrapping_multiply(total + wrapping_multiply(letter, work.power[unsigned(i)]), unsigned(1))
    work.prefix[unsigned(length)] = total
    for rule in range(count):
        work.allowed[unsigned(rule)] = 1
    for p in range(rules.end.shape[0]):
        gap = rules.end[unsigned(p)]
        for i in range(length):
            gap -= rules.weight[unsigned(p * letters + integer(side.letters[unsigned(begin + i)]))]
        most = rules.gain[unsigned(p)] * left
        for rule in range(count):
            if gap - rules.change[unsigned(p * count + rule)] > most:
                work.allowed[unsigned(rule)] = 0
    return length


@kernel(inline=True)
def probe(slots: np.ndarray, tag: Int, position: Int) -> Int:
    """The first slot from a position on that has this tag or is empty."""
    last = unsigned(slots.shape[0] - 1)
    position = position & last
    while slots[position] != 0 and (slots[position] & _TAG_MASK) != tag:
        position = (position + unsigned(1)) & last
    return position


@kernel
def is_made(rules: Rules, side: Side, other: Side, number: Int, rule: Int, place: Int) -> Any:
    """Whether string `number` of `other` is what a rule makes, at a place, of the string at the head of `side`."""
    begin = side.begin[unsigned(side.numbers[_HEAD])]
    end = side.begin[unsigned(side.numbers[_HEAD] + 1)]
    at = other.begin[unsigned(number)]
    right = rules.right_begin[unsigned(rule)]
    middle = rules.right_begin[unsigned(rule + 1)] - right
    after = begin + place + rules.left_begin[unsigned(rule + 1)] - rules.left_begin[unsigned(rule)]
    if other.begin[unsigned(number + 1)] - at != place + middle + end - after:
        return False
    same = True
    for i in range(place):
        same = same and other.letters[unsigned(at + i)] == side.letters[unsigned(begin + i)]
    for i in range(middle):
        same = same and other.letters[unsigned(at + place + i)] == rules.right[unsigned(right + i)]
    for i in range(end - after):
        same = same and other.letters[unsigned(at + place + middle + i)] == side.letters[unsigned(after + i)]
    return same


@kernel
def find(rules: Rules, side: Side, other: Side, tag: Int, rule: Int, place: Int) -> Int:
    """The slot in `other` of what a rule makes, or the empty slot where it belongs."""
    position = probe(other.slots, tag, unsigned(tag >> _SHIFT))
    while other.slots[position] != 0:
        number = integer(other.slots[position] & _NUMBER_MASK) - 1
        if is_made(rules, side, other, number, rule, place):
            break
        position = probe(other.slots, tag, position + unsigned(1))
    return position


@kernel
def insert(rules: Rules, side: Side, position: Int, tag: Int, rule: Int, place: Int) -> None:
    """Add what a rule makes of the string at the head to its side."""
    begin = side.begin[unsigned(side.numbers[_HEAD])]
    end = side.begin[unsigned(side.numbers[_HEAD] + 1)]
    after = begin + place + rules.left_begin[unsigned(rule + 1)] - rules.left_begin[unsigned(rule)]
    number = side.numbers[_USED]
    at = side.begin[unsigned(number)]
    for i in range(begin, begin + place):
        side.letters[unsigned(at)] = side.letters[unsigned(i)]
        at += 1
    for i in range(rules.right_begin[unsigned(rule)], rules.right_begin[unsigned(rule + 1)]):
        side.letters[unsigned(at)] = rules.right[unsigned(i)]
        at += 1
    for i in range(after, end):
        side.letters[unsigned(at)] = side.letters[unsigned(i)]
        at += 1
    side.begin[unsigned(number + 1)] = at
    side.parent[unsigned(number)] = side.numbers[_HEAD]
    side.slots[position] = tag | unsigned(number + 1)
    side.numbers[_USED] = number + 1


@kernel(inline=True)
def has_room(side: Side, work: Work, length: Int) -> Any:
    """Whether a string of this length can be added to a side and then be expanded."""
    used = side.numbers[_USED]
    rows = used + 1 < side.begin.shape[0] and 4 * (used + 1) <= 3 * side.slots.shape[0]
    letters = side.begin[unsigned(used)] + length <= side.letters.shape[0]
    return rows and letters and length < work.prefix.shape[0]


@kernel(inline=True)
def matches(rules: Rules, side: Side, rule: Int, at: Int, left: Int) -> Any:
    """Whether the left side of a rule stands at a place in `letters`, `left` letters before the end of the string."""
    begin = rules.left_begin[unsigned(rule)]
    length = rules.left_begin[unsigned(rule + 1)] - begin
    same = length <= left
    i = integer(1)  # the first letter is known to be equal
    while same and i < length:
        same = side.letters[unsigned(at + i)] == rules.left[unsigned(begin + i)]
        i += 1
    return same


@kernel
def expand(rules: Rules, side: Side, other: Side, work: Work, counters: np.ndarray) -> Int:
    """Apply every allowed rule at every place to the string at the head of `side`, from where FULL stopped it.

    What the last step allowed makes is only looked for on the other side, not kept.
    """
    keep = counters[DEPTH] + 1 < counters[MOST]
    length = prepare(rules, side, work, counters[MOST] - side.numbers[_DEPTH] - 1)
    first = side.begin[unsigned(side.numbers[_HEAD])]
    whole = work.prefix[unsigned(length)]
    from_rule = counters[RULE]
    for place in range(counters[PLACE], length):
        letter = unsigned(side.letters[unsigned(first + place)])
        low = max(from_rule, rules.by_letter[letter])
        from_rule = integer(0)
        for rule in range(low, rules.by_letter[letter + unsigned(1)]):
            if work.allowed[unsigned(rule)] == 0 or not matches(rules, side, rule, first + place, length - place):
                continue
            after = place + rules.left_begin[unsigned(rule + 1)] - rules.left_begin[unsigned(rule)]
            made = length - after + place + rules.right_begin[unsigned(rule + 1)] - rules.right_begin[unsigned(rule)]
            if keep and not has_room(side, work, made):
                counters[PLACE] = place
                counters[RULE] = rule
                return integer(FULL)
            tag = tag_of(rules, work, whole, rule, place, after)
            counters[GENERATED] += 1
            if keep:
                position = find(rules, side, side, tag, rule, place)
                if side.slots[position] != 0:
                    counters[DUPLICATES] += 1
                    continue
                insert(rules, side, position, tag, rule, place)
            met = find(rules, side, other, tag, rule, place)
            if other.slots[met] != 0:
                there = integer(other.slots[met] & _NUMBER_MASK) - 1
                counters[MET_FORWARD] = side.numbers[_HEAD] if counters[GROWING] == 0 else there
                counters[MET_BACKWARD] = there if counters[GROWING] == 0 else side.numbers[_HEAD]
                return integer(FOUND)
    counters[PLACE] = 0
    counters[RULE] = 0
    return integer(PAUSED)


@kernel(inline=True)
def tag_of(rules: Rules, work: Work, whole: Int, rule: Int, place: Int, after: Int) -> Int:
    """The tag of what a rule makes at a place; `after` is where its left side ends."""
    middle = wrapping_multiply(work.power[unsigned(place)], rules.right_hash[unsigned(rule)])
    rest = wrapping_multiply(whole - work.prefix[unsigned(after)], rules.shift[unsigned(rule)])
    return mixed(wrapping_multiply(work.prefix[unsigned(place)] + middle + rest, unsigned(1)))


@kernel(inline=True)
def mixed(total: Int) -> Int:
    """The tag of a string by its hash: 32 good bits in the upper half of a word."""
    word = wrapping_multiply(total ^ (total >> _SHIFT), _MULTIPLIER)
    return wrapping_multiply(word ^ (word >> _SHIFT), _MULTIPLIER) & _TAG_MASK


def hash_of(letters: Sequence[int]) -> int:
    """The hash of a string."""
    return sum((letter + 1) * pow(_BASE, i, 1 << 64) for i, letter in enumerate(letters)) & _MASK


class Bound(NamedTuple):
    """A weight for each letter, and the most that a rule adds to the weight of a string."""

    weights: tuple[int, ...]
    gain: int


Rule = tuple[bytes, bytes]


def weigh(weights: Sequence[int], word: bytes) -> int:
    """The weight of a string."""
    return sum(weights[letter] for letter in word)


def directed(rules: Sequence[Rule], letters: int, bounds: Sequence[Bound], end: bytes) -> Rules:
    """The arrays of rules that lead to `end`."""
    ordered = sorted(rules, key=lambda rule: rule[0][0])
    firsts = [left[0] for left, _ in ordered]
    change = [weigh(bound.weights, right) - weigh(bound.weights, left) for bound in bounds for left, right in ordered]
    return Rules(
        left=np.frombuffer(b"".join(left for left, _ in ordered), np.uint8),
        left_begin=np.cumsum([0, *(len(left) for left, _ in ordered)], dtype=np.int64),
        right=np.frombuffer(b"".join(right for _, right in ordered), np.uint8),
        right_begin=np.cumsum([0, *(len(right) for _, right in ordered)], dtype=np.int64),
        by_letter=np.searchsorted(firsts, np.arange(letters + 1)).astype(np.int64),
        right_hash=np.array([hash_of(right) for _, right in ordered], np.uint64),
        shift=np.array([pow(_BASE, len(right) - len(left), 1 << 64) for left, right in ordered], np.uint64),
        weight=np.array([weight for bound in bounds for weight in bound.weights], np.int64),
        end=np.array([weigh(bound.weights, end) for bound in bounds], np.int64),
        gain=np.array([bound.gain for bound in bounds], np.int64),
        change=np.array(change, np.int64),
    )


def _new_side(end: bytes) -> Side:
    """A side that knows its end only."""
    rows, letters = 1024, max(1 << 14, 2 * len(end))
    side = Side(
        letters=np.zeros(letters, np.uint8),
        begin=np.zeros(rows + 1, np.int64),
        parent=np.zeros(rows, np.uint32),
        slots=np.zeros(slots_for(rows), np.uint64),
        numbers=np.array([1, 0, 1, 0], np.int64),
    )
    side.letters[: len(end)] = np.frombuffer(end, np.uint8)
    side.begin[1] = len(end)
    tag = int(mixed(hash_of(end)))
    side.slots[(tag >> 32) % len(side.slots)] = tag | 1
    return side


class StringSearch(ArraySearch):
    """The search at work."""

    engine = "string_rewriting"
    parts = ("forward", "backward", "work")
    first_slice = 1 << 14

    def __init__(
        self,
        source: bytes,
        target: bytes,
        rules: Sequence[Rule],
        letters: int,
        bounds: Sequence[Bound],
        most: int,
        options: RunOptions,
    ) -> None:
        against = [Bound(tuple(-weight for weight in bound.weights), bound.gain) for bound in bounds]
        self.ahead = directed(rules, letters, bounds, target)
        self.back = directed([(right, left) for left, right in rules], letters, against, source)
        ends = [np.frombuffer(source, np.uint8), np.frombuffer(target, np.uint8), np.array([most])]
        super().__init__([*ends, *self.ahead, *self.back], options)
        self.rules = rules
        self.same = source == target
        self.forward, self.backward = _new_side(source), _new_side(target)
        self.work = Work(np.zeros(0, np.uint64), np.zeros(0, np.uint64), np.zeros(len(rules), np.uint8))
        self.lengthen(2 * max(len(source), len(target)) + 64)
        self.counters[MOST] = most
        self.counters[BOUND] = 0 if self.same else 1
        self.ended = False

    def lengthen(self, length: int) -> None:
        """Make room for strings of this length."""
        powers = [1]
        while len(powers) <= length:
            powers.append(powers[-1] * _BASE & _MASK)
        self.work = self.work._replace(prefix=np.zeros(length + 1, np.uint64), power=np.array(powers, np.uint64))

    def advance(self, stop_at: int) -> int:
        """Go on; equal strings need no search."""
        self.counters[STOP_AT] = stop_at
        if self.same and stop_at > 0:
            self.ended = True
            return FOUND
        arguments = (self.ahead, self.back, self.forward, self.backward, self.work)
        outcome = self.call(search_strings, *arguments, self.counters)
        self.ended = outcome == FOUND
        return outcome

    def grow(self, room: int | None) -> bool:
        """Enlarge what cannot take one string more; False where `room` is not enough."""
        name = "forward" if self.counters[GROWING] == 0 else "backward"
        side = getattr(self, name)
        used, head = (int(number) for number in side.numbers[[_USED, _HEAD]])
        longest = int(side.begin[head + 1] - side.begin[head]) + max(map(len, sum(self.rules, ())))
        rows, letters, length = len(side.parent), len(side.letters), len(self.work.prefix)
        more_rows = min(2 * rows, MAX_STATES) if used == rows else rows
        more_letters = 2 * letters + longest if side.begin[used] + longest > letters else letters
        more_length = 2 * longest if longest >= length else length
        added = 12 * (more_rows - rows) + 8 * slots_for(more_rows) - side.slots.nbytes + more_letters - letters
        if used == MAX_STATES or (room is not None and self.bytes() + added + 16 * (more_length - length) > room):
            return False
        if more_length > length:
            self.lengthen(more_length)
        slots = side.slots
        if more_rows > rows:
            slots = np.zeros(slots_for(more_rows), np.uint64)
            with nullcontext() if self.compiled else interpreting():
                refill(side.slots, slots)
        setattr(
            self,
            name,
            Side(
                letters=enlarged(side.letters, more_letters),
                begin=enlarged(side.begin, more_rows + 1),
                parent=enlarged(side.parent, more_rows),
                slots=slots,
                numbers=side.numbers,
            ),
        )
        return True

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """The number of steps, and the steps: the number of a rule and a place, both from 1."""
        if not self.ended:
            return None
        words = self.words()
        return len(words) - 1, tuple(self.step(before, after) for before, after in itertools.pairwise(words))

    def words(self) -> list[bytes]:
        """The strings from the first to the last."""
        if self.same:
            return [_word(self.forward, 0)]
        first = _way(self.forward, int(self.counters[MET_FORWARD]))
        return [*first[::-1], *_way(self.backward, int(self.counters[MET_BACKWARD]))]

    def step(self, before: bytes, after: bytes) -> tuple[int, int]:
        """The first rule, and its first place, that makes one string of another."""
        return next(
            (number, place + 1)
            for number, (left, right) in enumerate(self.rules, 1)
            for place in range(len(before) - len(left) + 1)
            if before.startswith(left, place) and before[:place] + right + before[place + len(left) :] == after
        )


def _word(side: Side, number: int) -> bytes:
    return side.letters[side.begin[number] : side.begin[number + 1]].tobytes()


def _way(side: Side, number: int) -> list[bytes]:
    """The strings from one to the end of its side."""
    words = [_word(side, number)]
    while number != 0:
        number = int(side.parent[number])
        words.append(_word(side, number))
    return words
