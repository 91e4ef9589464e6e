"""The search of bin packing: bin completion, helped by the linear program of patterns.

    n, T     numbers of items and of *types*, which are the different weights
    weight   (T,) int64, descending;  capacity, C: of a bin
    left     (T,) int64: how many items of each type are not packed yet
    K        bins to fill in a *task*: "can these items be packed into K bins?"
    slack    K × C less the weight of all items: what may be wasted

*Bin completion.* A node is a set of items left and a number of bins left. The heaviest item left, of type `first`, must go into
some bin; the children are the *completions* of this bin: sets of other items that fit in with it. They are made one after
another, each by putting in items of descending weight, and tried in chunks of CHUNK, the fullest first. See PRUNINGS for what is
left out.

    frames   (K + 1, …) int64 a node on the path, columns _FIRST to _SLACK
    made     (·, 3) int64 a completion: where its types begin in `parts`, how many there are, their weight
    parts    int32: the types of the completions
    path     int32: the completion being made of each node, one behind the other
    key      (W,) uint64: `left`, packed: the count of type t is in word `word[t]`, in units of `unit[t]`
    table    the keys of nodes whose items cannot be packed;  refuted: into how many bins not

*Patterns* stand in bin_packing_patterns.py. Items are packed in stages, in `PackingSearch.advance`: a search of few nodes, then
patterns of the linear program are fixed and what remains is searched, then the search without a limit.

Sources: S. Martello and P. Toth, Knapsack Problems (1990), chapter 8, for the bound L2 and dominance; R. E. Korf, AAAI 2002 and
IJCAI 2003, for bin completion; A. S. Fukunaga and R. E. Korf, J. Artificial Intelligence Research 28 (2007).
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from bestfirst.catalogue.bin_packing_patterns import FITS, TOO_MANY, Patterns, Program, improve, start
from bestfirst.catalogue.prunings import Kind, Pruning, require_known
from bestfirst.control import EXHAUSTED, FOUND, FULL, PAUSED, Progress, RunOptions
from bestfirst.kernel import Int, integer, kernel, unsigned
from bestfirst.search.compiled import BOUND, DEPTH, DUPLICATES, EXPANDED, GENERATED, INCUMBENT, OWN, STOP_AT
from bestfirst.search.explicit import ArraySearch
from bestfirst.store import enlarged
from bestfirst.store.state_table import StateTable, grown, state_table

PRUNINGS = {
    "patterns": Pruning(
        Kind.ORDER,
        "fixes the patterns of which the linear program wants most, before the search goes through everything",
        "what is found so is a packing; where nothing is found, the search goes on as without",
    ),
    "fullest-first": Pruning(
        Kind.ORDER,
        "tries the completions of a bin by descending weight",
        "all are tried in the end",
    ),
    "dominance": Pruning(
        Kind.EQUIVALENT,
        "leaves out a completion of which some items can be exchanged for a heavier, or one, item that fits",
        "in any packing with it the exchange can be made: the items it frees fit where that item was (Martello and Toth 1990)",
    ),
    "waste": Pruning(
        Kind.FEASIBILITY,
        "leaves out completions that waste more than the slack, also while they are made",
        "the items left would weigh more than the bins left can hold",
    ),
    "capacity": Pruning(
        Kind.FEASIBILITY,
        "lowers the capacity to the largest weight that items can have together",
        "no bin can be fuller",
    ),
    "table": Pruning(
        Kind.MEMORY,
        "keeps the sets of items that could not be packed into so many bins",
        "that does not depend on what is in the other bins",
    ),
}

CHUNK = 64

#: In completions of more items no three are exchanged for one: that there are so many ways to look at takes too long.
_MOST_FOR_TRIPLES = 16

#: Nodes of the first task, also where only a number of bins is in question, of one that looks for a better packing, and of one
#: after patterns were fixed.
_FIRST_NODES, _DECISION_NODES, _DESCENT_NODES, _DIVE_NODES = 1 << 20, 1 << 15, 1 << 16, 1 << 16

#: So many items are few enough to be searched after patterns were fixed; so often are other patterns tried.
_FEW_ITEMS, _ATTEMPTS = 60, 16

#: Sums of items are found up to so many items times capacity.
_MOST_BITS = 1 << 30

_NEVER = 1 << 62

_STATES, _PATH_ITEMS = 1 << 10, 1 << 10
_MOST_WORDS = 64  #: of a key; with more, states are not kept

#: Columns of `frames`.
_FIRST, _NEXT, _END, _BEGIN, _PARTS, _PATH, _LENGTH, _FROM, _ROOM, _FRESH, _DONE, _MADE, _SLACK = range(13)

# Counters.
FRAMES, BINS, TASK_END, STAGE, ATTEMPT = OWN, OWN + 1, OWN + 2, OWN + 3, OWN + 4
REMEMBER, DOMINANCE, WASTE, ORDERED = OWN + 5, OWN + 6, OWN + 7, OWN + 8

# Values of STAGE.
_START, _DESCENT, _QUICK, _PROGRAM, _DIVE, _LAST, _OVER = range(7)


class Items(NamedTuple):
    """What is to be packed; see the legend."""

    weight: np.ndarray
    word: np.ndarray
    unit: np.ndarray
    capacity: Int


class Memory(NamedTuple):
    """The working memory; see the legend."""

    left: np.ndarray
    key: np.ndarray
    frames: np.ndarray
    made: np.ndarray
    parts: np.ndarray
    path: np.ndarray
    refuted: np.ndarray


class Packing(NamedTuple):
    """The best packing so far: `bin_of` (n,) int64, the bin of each item, heaviest item first."""

    bin_of: np.ndarray


@kernel
def first_fit(weight: np.ndarray, count: np.ndarray, capacity: Int, room: np.ndarray, bin_of: np.ndarray) -> Int:
    """Put each item, heaviest first, into the first bin with room; how many bins are used. O(n log n).

    room   (2 × size,) int64, size a power of two ≥ n: a tree of the largest room, its leaves the bins
    """
    size = room.shape[0] // 2
    for i in range(room.shape[0]):
        room[unsigned(i)] = capacity
    used = integer(0)
    at = integer(0)
    for t in range(weight.shape[0]):
        w = weight[unsigned(t)]
        for _ in range(count[unsigned(t)]):
            node = integer(1)
            while node < size:
                node *= 2
                if room[unsigned(node)] < w:
                    node += 1
            bin_of[unsigned(at)] = node - size
            at += 1
            used = max(used, node - size + 1)
            room[unsigned(node)] -= w
            while node > 1:
                node //= 2
                room[unsigned(node)] = max(room[unsigned(2 * node)], room[unsigned(2 * node + 1)])
    return used


@kernel
def bins_needed(weight: np.ndarray, left: np.ndarray, capacity: Int) -> Int:
    """The bound L2 of Martello and Toth. O(T).

    For each weight a ≤ C/2 of an item: what is heavier than C - a shares a bin with nothing of a or more; other items above C/2
    need a bin each, too; the items of a … C/2 that do not fit into what these leave need more.
    """
    types = weight.shape[0]
    large = integer(0)  # items above C/2, with the types before `half`
    half = integer(0)
    while half < types and 2 * weight[unsigned(half)] > capacity:
        large += left[unsigned(half)]
        half += 1
    best = large
    free = integer(0)  # what the items above C/2 that something of a may join leave
    k = half
    small = integer(0)
    for t in range(half, types):
        a = weight[unsigned(t)]
        if left[unsigned(t)] == 0:
            continue
        small += a * left[unsigned(t)]
        while k > 0 and weight[unsigned(k - 1)] <= capacity - a:
            k -= 1
            free += left[unsigned(k)] * (capacity - weight[unsigned(k)])
        if small > free:
            best = max(best, large + (small - free + capacity - 1) // capacity)
    return best


@kernel
def first_at_most(weight: np.ndarray, most: Int) -> Int:
    """The first type whose weight is at most `most`. O(log T)."""
    low = integer(0)
    high = integer(weight.shape[0])
    while low < high:
        middle = (low + high) >> 1
        if weight[unsigned(middle)] <= most:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def is_exchangeable(weight: np.ndarray, left: np.ndarray, low: Int, high: Int) -> Int:
    """Whether an item is left whose weight is from low to high."""
    t = first_at_most(weight, high)
    while t < weight.shape[0] and weight[unsigned(t)] >= low:
        if left[unsigned(t)] > 0:
            return 1
        t += 1
    return 0


@kernel
def is_dominated(items: Items, memory: Memory, begin: Int, end: Int, room: Int) -> Int:
    """Whether one, two or three items of a completion path[begin … end) can be exchanged for an item left, as PRUNINGS says."""
    weight, left, path = items.weight, memory.left, memory.path
    triples = end - begin <= _MOST_FOR_TRIPLES
    for i in range(begin, end):
        if i > begin and path[unsigned(i)] == path[unsigned(i - 1)]:
            continue
        one = weight[unsigned(path[unsigned(i)])]
        if is_exchangeable(weight, left, one + 1, one + room):
            return 1
        for j in range(i + 1, end):
            two = one + weight[unsigned(path[unsigned(j)])]
            if two > weight[unsigned(0)] or (j > i + 1 and path[unsigned(j)] == path[unsigned(j - 1)]):
                continue
            if is_exchangeable(weight, left, two, two + room):
                return 1
            for k in range(j + 1, end if triples else j + 1):
                three = two + weight[unsigned(path[unsigned(k)])]
                if three <= weight[unsigned(0)] and is_exchangeable(weight, left, three, three + room):
                    return 1
    return 0


@kernel(inline=True)
def put(items: Items, memory: Memory, t: Int, more: Int) -> None:
    """More items (or less) of a type are left."""
    memory.left[unsigned(t)] += more
    word = unsigned(items.word[unsigned(t)])
    if more > 0:
        memory.key[word] += items.unit[unsigned(t)]
    else:
        memory.key[word] -= items.unit[unsigned(t)]


@kernel
def put_completion(items: Items, memory: Memory, row: Int, more: Int) -> None:
    """Put back (1) or take out (-1) the items of a completion."""
    begin = memory.made[unsigned(row), 0]
    for i in range(begin, begin + memory.made[unsigned(row), 1]):
        put(items, memory, integer(memory.parts[unsigned(i)]), more)


@kernel
def enter(items: Items, memory: Memory, table: StateTable, counters: np.ndarray) -> Int:
    """Put the items left on the path as a node: FOUND when there is none, EXHAUSTED when they cannot be packed, else PAUSED."""
    weight, left, frames = items.weight, memory.left, memory.frames
    depth = counters[FRAMES]
    first = frames[unsigned(depth - 1), _FIRST] if depth > 0 else integer(0)
    while first < weight.shape[0] and left[unsigned(first)] == 0:
        first += 1
    if first == weight.shape[0]:
        return FOUND
    bins = counters[BINS] - depth
    total = integer(0)
    for t in range(first, weight.shape[0]):
        total += weight[unsigned(t)] * left[unsigned(t)]
    if bins == 0:
        return EXHAUSTED
    if counters[REMEMBER] != 0:
        number = table.number_at(table.locate(memory.key, table.tag(memory.key)))
        if number >= 0 and memory.refuted[unsigned(number)] >= bins:
            counters[DUPLICATES] += 1
            return EXHAUSTED
    begin = parts = path = integer(0)
    if depth > 0:
        before = unsigned(depth - 1)
        begin = frames[before, _END]
        parts = memory.made[unsigned(begin - 1), 0] + memory.made[unsigned(begin - 1), 1]
        for row in range(frames[before, _BEGIN], begin):
            parts = max(parts, memory.made[unsigned(row), 0] + memory.made[unsigned(row), 1])
        path = frames[before, _PATH] + frames[before, _LENGTH]
    here = unsigned(depth)
    frames[here, _FIRST] = first
    frames[here, _NEXT] = frames[here, _END] = frames[here, _BEGIN] = begin
    frames[here, _PARTS] = parts
    frames[here, _PATH] = path
    frames[here, _LENGTH] = frames[here, _DONE] = frames[here, _MADE] = 0
    frames[here, _FROM] = first
    frames[here, _ROOM] = items.capacity - weight[unsigned(first)]
    frames[here, _FRESH] = 1
    frames[here, _SLACK] = bins * items.capacity - total if counters[WASTE] == 1 else items.capacity
    counters[FRAMES] = depth + 1
    counters[DEPTH] = depth
    counters[EXPANDED] += 1
    put(items, memory, first, -1)
    return PAUSED


@kernel
def fill(items: Items, memory: Memory, counters: np.ndarray, depth: Int) -> Int:
    """Make the next CHUNK completions of a node, or as many as the budget allows; FULL when there is no room for one."""
    weight, left, path, frame = items.weight, memory.left, memory.path, memory.frames[unsigned(depth)]
    begin, length, start = frame[_PATH], frame[_LENGTH], frame[_FROM]
    room, fresh, slack = frame[_ROOM], frame[_FRESH], frame[_SLACK]
    made = frame[_MADE]
    row = frame[_BEGIN] + made
    parts = frame[_PARTS]
    if made > 0:
        parts = memory.made[unsigned(row - 1), 0] + memory.made[unsigned(row - 1), 1]
    types = weight.shape[0]
    lightest = types - 1
    for i in range(begin, begin + length):
        left[unsigned(path[unsigned(i)])] -= 1
    while lightest >= 0 and left[unsigned(lightest)] == 0:
        lightest -= 1
    outcome = PAUSED
    while counters[GENERATED] < counters[STOP_AT] and made < CHUNK:
        if fresh == 1:
            while lightest >= 0 and left[unsigned(lightest)] == 0:
                lightest -= 1
            if lightest < 0 or weight[unsigned(lightest)] > room:  # nothing else fits in
                if room <= slack and (counters[DOMINANCE] == 0 or not is_dominated(items, memory, begin, begin + length, room)):
                    if row == memory.made.shape[0] or parts + length > memory.parts.shape[0]:
                        outcome = FULL
                        break
                    memory.made[unsigned(row), 0] = parts
                    memory.made[unsigned(row), 1] = length
                    memory.made[unsigned(row), 2] = items.capacity - room
                    for i in range(length):
                        memory.parts[unsigned(parts + i)] = path[unsigned(begin + i)]
                    parts += length
                    row += 1
                    made += 1
                start = types
            fresh = integer(0)
        t = start
        if t < types:
            if weight[unsigned(t)] > room:
                t = first_at_most(weight, room)
            while t < types and left[unsigned(t)] == 0:
                t += 1
            if t < types and weight[unsigned(t)] * (room // weight[unsigned(lightest)]) < room - slack:
                t = types  # as many as still fit in, none heavier than this one, would leave more than the slack
        if t < types:
            if begin + length == path.shape[0]:
                outcome = FULL
                break
            left[unsigned(t)] -= 1
            path[unsigned(begin + length)] = t
            length += 1
            room -= weight[unsigned(t)]
            start, fresh = t, integer(1)
            counters[GENERATED] += 1
        elif length > 0:
            length -= 1
            t = integer(path[unsigned(begin + length)])
            left[unsigned(t)] += 1
            room += weight[unsigned(t)]
            start = t + 1
            lightest = max(lightest, t)
        else:
            frame[_DONE] = 1
            break
    for i in range(begin, begin + length):
        left[unsigned(path[unsigned(i)])] += 1
    frame[_LENGTH], frame[_FROM], frame[_ROOM], frame[_FRESH], frame[_MADE] = length, start, room, fresh, made
    if made == CHUNK or frame[_DONE] == 1:
        if counters[ORDERED] == 1:
            sort_made(memory.made, frame[_BEGIN], row)
        frame[_NEXT], frame[_END], frame[_MADE] = frame[_BEGIN], row, 0
    return outcome


@kernel
def sort_made(made: np.ndarray, begin: Int, end: Int) -> None:
    """Order completions by descending weight, those of equal weight as they are."""
    for i in range(begin + 1, end):
        at, count, total = made[unsigned(i), 0], made[unsigned(i), 1], made[unsigned(i), 2]
        j = i
        while j > begin and made[unsigned(j - 1), 2] < total:
            for column in range(3):
                made[unsigned(j), column] = made[unsigned(j - 1), column]
            j -= 1
        made[unsigned(j), 0], made[unsigned(j), 1], made[unsigned(j), 2] = at, count, total


@kernel
def leave(items: Items, memory: Memory, table: StateTable, counters: np.ndarray, depth: Int) -> Int:
    """Take a node without untried completions off the path; FULL when the table must grow for it first."""
    first = memory.frames[unsigned(depth), _FIRST]
    put(items, memory, first, 1)
    if counters[REMEMBER] != 0:
        tag = table.tag(memory.key)
        position = table.locate(memory.key, tag)
        number = table.number_at(position)
        if number < 0 and counters[REMEMBER] == 1:
            if not table.has_room(1):
                put(items, memory, first, -1)
                return FULL
            number = table.insert(position, memory.key, tag)
            memory.refuted[unsigned(number)] = 0
        if number >= 0:
            memory.refuted[unsigned(number)] = max(integer(memory.refuted[unsigned(number)]), counters[BINS] - depth)
    counters[FRAMES] = depth
    if depth > 0:
        put_completion(items, memory, memory.frames[unsigned(depth - 1), _NEXT] - 1, 1)
    return PAUSED


@kernel
def complete_bins(items: Items, memory: Memory, table: StateTable, counters: np.ndarray) -> Int:
    """Go on with a task: FOUND, EXHAUSTED when the items cannot be packed into BINS bins, FULL, or PAUSED."""
    frames = memory.frames
    while counters[GENERATED] < counters[STOP_AT]:
        depth = counters[FRAMES] - 1
        if depth < 0:
            return EXHAUSTED
        here = unsigned(depth)
        if frames[here, _NEXT] < frames[here, _END]:
            row = frames[here, _NEXT]
            frames[here, _NEXT] = row + 1
            put_completion(items, memory, row, -1)
            counters[GENERATED] += 1
            outcome = enter(items, memory, table, counters)
            if outcome == FOUND:
                return FOUND
            if outcome == EXHAUSTED:
                put_completion(items, memory, row, 1)
        elif frames[here, _DONE] == 1:
            if leave(items, memory, table, counters, depth) == FULL:
                return FULL
        elif fill(items, memory, counters, depth) == FULL:
            return FULL
    return PAUSED


# --- from Python ---------------------------------------------------------------------------------------------------------


class PackingSearch(ArraySearch):
    """The packing of weights into bins of a capacity, all ≥ 1 and no weight above it; `without` names prunings to switch off.

    With `bins`, which must be at least (all weights) / capacity, it only asks whether so many bins are enough, and is over, by
    FOUND, when INCUMBENT is not above it, or BOUND is.
    """

    engine = "bin_packing"
    why = "bin completion, and patterns of the linear program"
    first_slice = 1 << 14
    parts = ("memory", "table", "packing", "program")

    def __init__(
        self,
        weights: np.ndarray,
        capacity: int,
        options: RunOptions,
        without: Collection[str] = (),
        bins: int | None = None,
    ) -> None:
        require_known(without, PRUNINGS)
        super().__init__([weights, np.array([capacity])], options, without=sorted(without), bins=bins)
        self.without = without
        self.bins = bins
        types, count = np.unique(weights, return_counts=True)
        self.weight, self.counts = types[::-1].copy(), count[::-1].astype(np.int64)
        self.capacity, self.n = capacity, len(weights)
        size = 1 << max(1, (self.n - 1).bit_length()) if self.n else 2
        self.packing = Packing(np.zeros(self.n, np.int64))
        c = self.counters
        room = np.zeros(2 * size, np.int64)
        c[INCUMBENT] = self.call(first_fit, self.weight, self.counts, capacity, room, self.packing.bin_of)
        c[BOUND] = self.call(bins_needed, self.weight, self.counts, capacity)
        for counter, name in ((DOMINANCE, "dominance"), (WASTE, "waste"), (ORDERED, "fullest-first")):
            c[counter] = name not in without
        self.memory, self.table = _NO_MEMORY, _NO_TABLE
        self.patterns: Patterns | None = None
        if self._is_over():
            c[STAGE] = _OVER
        else:
            self._prepare()

    def _is_over(self) -> bool:
        """Whether the best packing is known, or what is to be known of it."""
        bound, incumbent = self.counters[BOUND], self.counters[INCUMBENT]
        return bool(bound >= incumbent or (self.bins is not None and (bound > self.bins or incumbent <= self.bins)))

    def _prepare(self) -> None:
        """Make the arrays of the search, which an instance that the bound and the first packing settle does without."""
        if "capacity" not in self.without:
            self._reduce()
        bits = int(self.counts.max()).bit_length()
        fields = np.arange(len(self.weight))
        per_word = 64 // bits
        words = int(fields[-1]) // per_word + 1
        self.counters[REMEMBER] = "table" not in self.without and words <= _MOST_WORDS
        kept = bool(self.counters[REMEMBER])
        units = np.uint64(1) << (fields % per_word * bits).astype(np.uint64)
        self.items = Items(self.weight, fields // per_word, units, self.capacity)
        bins = int(self.counters[INCUMBENT])
        self.memory = Memory(
            left=self.counts.copy(),
            key=np.zeros(words, np.uint64),
            frames=np.zeros((bins + 1, 13), np.int64),
            made=np.zeros((4 * CHUNK, 3), np.int64),
            parts=np.zeros(16 * CHUNK, np.int32),
            path=np.zeros(_PATH_ITEMS, np.int32),
            refuted=np.zeros(_STATES if kept else 1, np.int32),
        )
        self.table = state_table(_STATES if kept else 1, words)
        self.counters[STAGE] = _START

    def _reduce(self) -> None:
        """Divide weights and capacity by their common divisor, and lower the capacity to what weights can have together."""
        unit = math.gcd(*self.weight.tolist())
        self.weight //= unit
        self.capacity //= unit
        if self.n * self.capacity <= _MOST_BITS:
            sums, mask = 1, (1 << (self.capacity + 1)) - 1
            for weight, count in zip(self.weight.tolist(), self.counts.tolist(), strict=True):
                for _ in range(min(count, self.capacity // weight)):
                    sums |= sums << weight & mask
            self.capacity = sums.bit_length() - 1
            self.counters[BOUND] = max(self.counters[BOUND], self.call(bins_needed, self.weight, self.counts, self.capacity))

    @property
    def program(self) -> Program:
        """The arrays of the linear program."""
        return _NO_PROGRAM if self.patterns is None else self.patterns.program

    @program.setter
    def program(self, program: Program) -> None:
        if len(program.left) == len(self.weight) and len(program.value) == self.capacity + 1:
            self.patterns = Patterns(self.weight, self.capacity, self.n)
            self.patterns.program = program

    # The stages. A task that has ended is judged by `_end_of_task`, the linear program by `_end_of_program`.

    def advance(self, stop_at: int) -> int:
        c = self.counters
        if stop_at == 0:
            self._compile()
        while c[GENERATED] < stop_at:
            if self._is_over():
                c[STAGE] = _OVER
            stage = int(c[STAGE])
            if stage == _OVER:
                return FOUND
            if stage == _START:
                self._begin_descent()
            elif stage == _PROGRAM:
                c[STOP_AT] = stop_at
                outcome = self.call(improve, self.weight, self.capacity, self.program, c)
                if outcome != PAUSED:
                    self._end_of_program(outcome)
            else:
                c[STOP_AT] = min(stop_at, c[TASK_END])
                outcome = self.call(complete_bins, self.items, self.memory, self.table, c)
                if outcome == FULL:
                    return FULL
                if outcome != PAUSED or c[GENERATED] >= c[TASK_END]:
                    self._end_of_task(outcome)
        return PAUSED

    def _compile(self) -> None:
        """Call the kernels with no budget: they do nothing."""
        c = self.counters
        c[STOP_AT] = 0
        if c[STAGE] != _OVER:
            self.call(complete_bins, self.items, self.memory, self.table, c)
        if c[STAGE] == _START:
            self._begin_task(self.counts, 0, None)
            self.call(start, _NO_WEIGHT, 1, _NO_PROGRAM)
            self.call(improve, _NO_WEIGHT, 1, _NO_PROGRAM, c)

    def _begin_task(self, left: np.ndarray, bins: int, nodes: int | None) -> int:
        """Ask whether these items can be packed into so many bins; the outcome, where that is seen at once."""
        c, m = self.counters, self.memory
        m.left[:] = left
        m.key[:] = 0
        np.add.at(m.key, self.items.word, self.items.unit * left.astype(np.uint64))
        c[FRAMES], c[BINS] = 0, bins
        c[TASK_END] = _NEVER if nodes is None else c[GENERATED] + nodes
        if bins >= len(m.frames):
            self.memory = m._replace(frames=enlarged(m.frames, bins + 1))
        return self.call(enter, self.items, self.memory, self.table, c)

    def _begin_stage(self, stage: int, left: np.ndarray, bins: int, nodes: int | None) -> None:
        self.counters[STAGE] = stage
        outcome = self._begin_task(left, bins, nodes)
        if outcome != PAUSED:
            self._end_of_task(outcome)

    def _begin_descent(self) -> None:
        """Look for a packing into one bin less; with only the bound left to reach, go on to that."""
        c = self.counters
        if c[INCUMBENT] - 1 > c[BOUND] and self.bins is None:
            self._begin_stage(_DESCENT, self.counts, int(c[INCUMBENT]) - 1, _DESCENT_NODES)
        else:
            self._begin_quick()

    def _begin_quick(self) -> None:
        if not self._is_over():
            nodes = _FIRST_NODES if self.bins is None else _DECISION_NODES
            may_go_on = "patterns" not in self.without and Patterns.is_for(self.weight, self.n, self.capacity)
            self._begin_stage(_QUICK, self.counts, int(self.counters[BOUND]), nodes if may_go_on else None)

    def _begin_program(self) -> None:
        if self.patterns is None:
            self.patterns = Patterns(self.weight, self.capacity, self.n)
        self.patterns.begin(self.counts, int(self.counters[BOUND]))
        self._go_on_with_program()

    def _go_on_with_program(self) -> None:
        """Set up the program of the items that are left."""
        self.counters[STAGE] = _PROGRAM
        self.call(start, self.weight, self.capacity, self.program)

    def _end_of_task(self, outcome: int) -> None:
        """FOUND, EXHAUSTED, or PAUSED at the end of the budget."""
        c, stage = self.counters, int(self.counters[STAGE])
        if outcome == FOUND:
            self._note()
            if stage == _DESCENT:
                self._begin_descent()
        elif stage == _DIVE:
            if outcome == EXHAUSTED:
                self._end_of_program(TOO_MANY)
            else:
                self._go_on_with_program()
        elif stage == _DESCENT:
            if outcome == EXHAUSTED:
                c[BOUND] = c[INCUMBENT]
            else:
                self._begin_quick()
        elif outcome == EXHAUSTED:
            c[BOUND] += 1
            self._begin_quick()
        else:
            self._begin_program()

    def _end_of_program(self, outcome: int) -> None:
        """The linear program of the items that are not in fixed patterns fits into the bins left, or does not, or is given up."""
        assert self.patterns is not None
        c, patterns = self.counters, self.patterns
        if outcome == FITS:
            left = patterns.fix(int(c[ATTEMPT]))
            if left.sum() <= _FEW_ITEMS:
                self._begin_stage(_DIVE, left, patterns.bins_left, _DIVE_NODES)
            else:
                self._go_on_with_program()
        elif outcome == TOO_MANY and patterns.is_whole:
            c[BOUND] += 1
            self._begin_quick()
        elif outcome == TOO_MANY and c[ATTEMPT] + 1 < _ATTEMPTS:
            c[ATTEMPT] += 1
            self._begin_program()
        else:
            self._begin_stage(_LAST, self.counts, int(c[BOUND]), None)

    def _note(self) -> None:
        """Keep the packing of the task that has found one."""
        c, m = self.counters, self.memory
        bins = self.patterns.fixed if self.patterns is not None and c[STAGE] == _DIVE else []
        for depth in range(int(c[FRAMES])):
            begin, length, _ = m.made[m.frames[depth, _NEXT] - 1]
            bins.append([int(m.frames[depth, _FIRST]), *m.parts[begin : begin + length].tolist()])
        place = np.concatenate([[0], np.cumsum(self.counts)])[:-1].tolist()
        for number, types in enumerate(bins):
            for t in types:
                self.packing.bin_of[place[t]] = number
                place[t] += 1
        c[INCUMBENT] = len(bins)

    def grow(self, room: int | None) -> bool:
        """Enlarge what is full; the table takes no more states when there is no room for that."""
        m = self.memory
        if self.counters[REMEMBER] == 1 and not self.table.has_room(1):
            rows = 2 * len(m.refuted)
            more = rows * (self.table.states.shape[1] * 8 + 4 + 24)
            if room is not None and self.bytes() + more > room:
                self.counters[REMEMBER] = 2
            else:
                self.table = grown(self.table, rows)
                self.memory = m._replace(refuted=enlarged(m.refuted, rows))
            return True
        made, parts, path = (enlarged(array, 2 * len(array)) for array in (m.made, m.parts, m.path))
        self.memory = m._replace(made=made, parts=parts, path=path)
        return room is None or self.bytes() <= room

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """The number of bins, and the bin of each item, heaviest first."""
        return int(self.counters[INCUMBENT]), tuple(self.packing.bin_of.tolist())

    def progress(self) -> Progress:
        return super().progress()._replace(incumbent=int(self.counters[INCUMBENT]))


_NO_MEMORY = Memory(*(np.zeros(0, np.int64) for _ in Memory._fields))
_NO_TABLE = state_table(1, 1)
_NO_WEIGHT = np.ones(1, np.int64)
_NO_PROGRAM = Patterns(_NO_WEIGHT, 1, 1).program
