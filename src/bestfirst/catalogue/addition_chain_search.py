"""The search for a shortest addition chain: for each length from a lower bound up, depth first, until one has a chain.

    n        the number to be reached;  r  steps tried for;  S  the terms so far
    term     term[i]: a_i, ascending from a_0 = 1;  k = r - i: steps left
    used     used[i]: a bit for each term that is a summand already, or need not be one
    owed     bits of terms that must still be a summand; the last term is always owed and never counted
    pick     pick[i]: a_i - a_(i-1) where that is a term, else ANY
    slots    a counter for each hash of terms: whether a number can be a term at all
    value, mask     what may follow at each level, and `used` then; `width` places for a level

The last two steps are never made: what they need is looked up. The proofs of the bounds: docs/problems/addition-chain.md.

Sources: E. G. Thurber, Efficient generation of minimal length addition chains, SIAM Journal on Computing 28 (1999), for the slant
bounds; H. Bahig, Star reduction among minimal length addition chains, Computing 91 (2011), for the star steps.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from bestfirst.catalogue.prunings import Kind, Pruning, require_known
from bestfirst.control import EXHAUSTED, FOUND, PAUSED, Progress, RunOptions
from bestfirst.kernel import Int, kernel, unsigned
from bestfirst.search.compiled import BOUND, DEPTH, EXPANDED, GENERATED, OWN, PRUNED, STOP_AT
from bestfirst.search.explicit import ArraySearch

LEVEL = OWN  #: i, of the term whose followers are being tried
NEW = OWN + 1  #: 1: the followers of this term are not listed yet

#: Larger numbers are refused: sums of terms times powers of two must stay within 64 bits.
MAX_N = 1 << 32

#: Every smaller number has a shortest chain of star steps alone (found by computation; D. E. Knuth, The Art of Computer
#: Programming, volume 2, section 4.6.3; the tests compare with the search that makes all steps).
FIRST_WITHOUT_STAR_CHAIN = 12_509

#: Steps at the end that can always be star steps (Bahig).
_STAR_ENDING = 4

#: For numbers below this the first chain is the binary one: to search takes less time than to find a better one.
_SMALL = 1 << 13

PRUNINGS = {
    "first-chain": Pruning(
        Kind.ORDER,
        "a good chain is built before the search, which then looks for shorter ones only",
        "a chain of the length that remains is at hand",
    ),
    "slant": Pruning(
        Kind.BOUND,
        "a term and the one before it must together be large enough",
        "if no later term divides n, n is at most 2^(k-1) times the term plus the one before (Thurber's slant bounds)",
    ),
    "one-addition": Pruning(
        Kind.BOUND,
        "where only doubling and one addition at the end are fast enough, the number to be added is looked up",
        "with any other step an odd n is at most 13/16 of what doubling alone gives: proof on the page",
    ),
    "unused": Pruning(
        Kind.FEASIBILITY,
        "terms that are not summands yet must all become so in the steps left",
        "a term that is never a summand could be left out; n is at least their sum, at most 2^(k - their number) times it",
    ),
    "star-ending": Pruning(
        Kind.EQUIVALENT,
        "the last four steps add to the last term, below 12,509 all steps do",
        "a shortest chain of this form exists (Bahig 2011; Knuth)",
    ),
    "commuting": Pruning(
        Kind.EQUIVALENT,
        "of two terms added one after the other the larger comes first, unless the sum between is used again",
        "in the other order they lead to the same term",
    ),
}

SLANT, ONE_ADDITION, UNUSED, STAR_ENDING, COMMUTING = (OWN + 2 + number for number in range(5))

_SWITCHES = {
    "slant": SLANT,
    "one-addition": ONE_ADDITION,
    "unused": UNUSED,
    "star-ending": STAR_ENDING,
    "commuting": COMMUTING,
}

ANY = 1 << 60
_STAR = 1 << 63  #: in a mask: the step adds to the last term
_SLOT_BITS = 12
_MULTIPLIER = 0x9E3779B1  #: of the hash: what it makes of numbers below 2^32 stays below 2^64


class Target(NamedTuple):
    """What is looked for; int64.

    size       (2,): n and r
    divisor    proper divisors of n, ascending;  steps  how many steps lead from there to n, at least
    """

    size: np.ndarray
    divisor: np.ndarray
    steps: np.ndarray


class Chain(NamedTuple):
    """The chain so far and what may follow; see the legend. int64, but `slots` uint8, `used` and `mask` uint64."""

    term: np.ndarray
    used: np.ndarray
    pick: np.ndarray
    slots: np.ndarray
    value: np.ndarray
    mask: np.ndarray
    begin: np.ndarray  #: (r + 1,): at each level the follower to try next …
    end: np.ndarray  #: … and the end of its list


@kernel(inline=True)
def slot_of(number: Int) -> Int:
    """Where a term is counted."""
    return ((unsigned(number) * unsigned(_MULTIPLIER)) >> unsigned(20)) & unsigned((1 << _SLOT_BITS) - 1)


@kernel(inline=True)
def is_term(chain: Chain, i: Int, number: Int) -> Int:
    """Whether a number is one of a_0 … a_i."""
    if number <= 0 or chain.slots[slot_of(number)] == 0:
        return 0
    found = 0
    for j in range(i + 1):
        if chain.term[unsigned(j)] == number:
            found = 1
    return found


@kernel(inline=True)
def passes_a_divisor(target: Target, v: Int, before: Int, k: Int) -> Int:
    """Whether v, or a later term, can be a proper divisor of n, k steps before n and with `before` the term before v."""
    found = 0
    for g in range(target.divisor.shape[0] - 1, -1, -1):
        d = target.divisor[unsigned(g)]
        rest = k - target.steps[unsigned(g)]
        if rest < 0 or d < v:
            break
        if d == v or (rest >= 1 and d <= (v << (rest - 1)) + before):
            found = 1
            break
    return found


@kernel(inline=True)
def without_run(v: Int, before: Int, k: Int) -> Int:
    """The most that an odd n can be in k >= 3 steps if not all but the last are doublings, and no term from v on divides n."""
    most = ((v + before) << (k - 2)) + v
    if k == 3:
        return max(most, 3 * v + before)
    return max(most, 7 * v if k == 4 else 13 * v << (k - 5))


@kernel(inline=True)
def list_followers(target: Target, chain: Chain, counters: np.ndarray, i: Int) -> Int:
    """List what may follow a_i, the largest sums first; FOUND when doubling and one addition complete the chain."""
    n, k = target.size[0], target.size[1] - i - 1
    x, p = chain.term[unsigned(i)], chain.pick[unsigned(i)]
    start = chain.end[unsigned(i - 1)] if i > 0 else 0
    low = max(x + 1, (n + (1 << k) - 1) >> k)  # doubling is fastest
    slant = (n - x + (1 << (k - 1)) - 1) >> (k - 1) if counters[SLANT] != 0 else 0
    if target.divisor.shape[0] == 0:
        low = max(low, slant)
    is_star = counters[STAR_ENDING] != 0 and (k < _STAR_ENDING or n < FIRST_WITHOUT_STAR_CHAIN)
    end = start
    for first in range(i, -1, -1):
        a = chain.term[unsigned(first)]
        if 2 * a < low or (is_star and first < i):
            break
        for second in range(first, -1, -1):
            b = chain.term[unsigned(second)]
            v = a + b
            if v < low:
                break
            mask = (unsigned(1) << unsigned(first)) | (unsigned(1) << unsigned(second))
            if first == i:
                if second < i and b > p:  # the other order comes first, unless a_i has another use
                    mask = unsigned(1) << unsigned(second)
                mask |= unsigned(_STAR)
            known = start
            while known < end and chain.value[unsigned(known)] != v:
                known += 1 if first < i else end  # sums with a_i all differ
            if known < end:
                chain.mask[unsigned(known)] |= mask
                continue
            if v >= n:
                continue
            if v < slant and not passes_a_divisor(target, v, x, k):
                counters[PRUNED] += 1
                continue
            if counters[ONE_ADDITION] != 0 and n % 2 == 1 and n > without_run(v, x, k):
                if is_term(chain, i, n - (v << (k - 1))):
                    finish_by_doubling(target, chain, i, v)
                    return FOUND
                if not passes_a_divisor(target, v, x, k):
                    counters[PRUNED] += 1
                    continue
            chain.value[unsigned(end)] = v
            chain.mask[unsigned(end)] = chain.used[unsigned(i)] | mask
            end += 1
    chain.begin[unsigned(i)] = start
    chain.end[unsigned(i)] = end
    return PAUSED


@kernel(inline=True)
def finish_by_doubling(target: Target, chain: Chain, i: Int, v: Int) -> Int:
    """Write the terms from v on: doubled, up to the last but one."""
    r = target.size[1]
    for place in range(i + 1, r):
        chain.term[unsigned(place)] = v << (place - i - 1)
    chain.term[unsigned(r)] = target.size[0]
    return 0


@kernel(inline=True)
def last_but_one(n: Int, chain: Chain, i: Int, y: Int, owed: Int, most: Int) -> Int:
    """The term between y and n that completes the chain after a_i and y; 0 when there is none.

    `most`: y = a_i + most, and numbers that are larger are not added next, as they would have come first.
    """
    rest = n - y
    if owed == unsigned(0):
        if rest - y == y or is_term(chain, i, rest - y):
            return 2 * y
        if rest <= 2 * most:
            for j in range(i, -1, -1):
                a = chain.term[unsigned(j)]
                if 2 * a < rest:
                    break
                if a <= most and is_term(chain, i, rest - a):
                    return y + a
        if n % 2 == 0 and (n == 4 * y or is_term(chain, i, n // 2 - y)):
            return n // 2
        return 0
    count, total = 0, 0
    one: Int = 0
    for j in range(i + 1):
        if (owed >> unsigned(j)) & unsigned(1) != unsigned(0):
            one = chain.term[unsigned(j)]
            total += one
            count += 1
    if count == 2 and total == rest:
        return y + one
    if count == 1:
        other = rest - one
        if other == y or is_term(chain, i, other):
            return y + max(one, other)
        if 2 * (y + one) == n:
            return y + one
    return 0


@kernel(inline=True)
def close_by_stars(target: Target, chain: Chain, counters: np.ndarray, i: Int) -> Int:
    """Look for three star steps that complete the chain: the sums with a_i need no list. PAUSED when there are none."""
    n, r = target.size[0], target.size[1]
    x, p = chain.term[unsigned(i)], chain.pick[unsigned(i)]
    low = max(x + 1, (n + 3) >> 2)
    slant = (n - x + 1) >> 1 if counters[SLANT] != 0 else 0
    if target.divisor.shape[0] == 0:
        low = max(low, slant)
    owed = ((unsigned(1) << unsigned(i)) - unsigned(1)) & ~chain.used[unsigned(i)]
    for j in range(i, -1, -1):
        a = chain.term[unsigned(j)]
        v = x + a
        if v < low:
            break
        if v >= n or (v < slant and not passes_a_divisor(target, v, x, 2)):
            continue
        counters[GENERATED] += 1
        still = owed & ~(unsigned(1) << unsigned(j))
        if j < i and a > p:
            still |= unsigned(1) << unsigned(i)
        end = last_but_one(n, chain, i, v, still, a if counters[COMMUTING] != 0 else ANY)
        if end != 0:
            chain.term[unsigned(r - 2)] = v
            chain.term[unsigned(r - 1)] = end
            chain.term[unsigned(r)] = n
            return FOUND
    chain.begin[unsigned(i)] = chain.end[unsigned(i)] = chain.end[unsigned(i - 1)]
    return PAUSED


@kernel(inline=True)
def can_be_used_up(n: Int, chain: Chain, i: Int, v: Int, owed: Int, k: Int) -> Int:
    """Whether v and the terms still owed can all become summands in k steps that lead to n."""
    count, total, rest, j = 0, v, owed, 0
    while rest != unsigned(0):
        if rest & unsigned(1) != unsigned(0):
            count += 1
            total += chain.term[unsigned(j)]
        rest >>= unsigned(1)
        j += 1
    return count <= k and total <= n <= total << (k - count)


@kernel
def search_chain(target: Target, chain: Chain, counters: np.ndarray) -> Int:
    """Look for a chain of r >= 4 steps until one is FOUND, there is none (EXHAUSTED) or the budget is used up."""
    n, r = target.size[0], target.size[1]
    i = counters[LEVEL]
    expanded = counters[EXPANDED]
    outcome = PAUSED
    while counters[GENERATED] < counters[STOP_AT]:
        if counters[NEW] != 0:
            counters[NEW] = 0
            expanded += 1
            if r - i == 3 and counters[STAR_ENDING] != 0:
                outcome = close_by_stars(target, chain, counters, i)
            else:
                outcome = list_followers(target, chain, counters, i)
            if outcome == FOUND:
                break
        place = chain.begin[unsigned(i)]
        if place == chain.end[unsigned(i)]:
            if i == 0:
                outcome = EXHAUSTED
                break
            chain.slots[slot_of(chain.term[unsigned(i)])] -= 1
            i -= 1
            continue
        chain.begin[unsigned(i)] = place + 1
        counters[GENERATED] += 1
        x, v, used, k = chain.term[unsigned(i)], chain.value[unsigned(place)], chain.mask[unsigned(place)], r - i - 1
        pick = v - x if used & unsigned(_STAR) != unsigned(0) and counters[COMMUTING] != 0 else ANY
        owed = ((unsigned(2) << unsigned(i)) - unsigned(1)) & ~used
        if owed != unsigned(0) and counters[UNUSED] != 0 and not can_be_used_up(n, chain, i, v, owed, k):
            counters[PRUNED] += 1
            continue
        if k > 2:
            i += 1
            chain.term[unsigned(i)] = v
            chain.used[unsigned(i)] = used & ~unsigned(_STAR)
            chain.pick[unsigned(i)] = pick
            chain.slots[slot_of(v)] += 1
            counters[NEW] = 1
            continue
        end = last_but_one(n, chain, i, v, owed, pick)
        if end != 0:
            chain.term[unsigned(r - 2)] = v
            chain.term[unsigned(r - 1)] = end
            chain.term[unsigned(r)] = n
            outcome = FOUND
            break
    counters[LEVEL] = counters[DEPTH] = i
    counters[EXPANDED] = expanded
    return outcome


# --- before the search --------------------------------------------------------------------------------------------------


def least_steps(n: int) -> int:
    """A lower bound of the length of a chain for n.

    Each step at most doubles. Thurber (1973) proved that n with v ones in binary takes floor(log2 n) + ceil(log2 v) steps for
    v <= 16; with more than 8 ones it takes at least 4 more than the logarithm.
    """
    return n.bit_length() - 1 + min(4, (n.bit_count() - 1).bit_length())


def binary_chain(n: int) -> tuple[int, ...]:
    """A chain by doubling, and adding 1 where n has a one: floor(log2 n) + ones - 1 steps."""
    terms = [n]
    while n > 1:
        n = n - 1 if n & 1 else n >> 1
        terms.append(n)
    return tuple(reversed(terms))


def good_chain(n: int) -> tuple[int, ...]:
    """A chain that is seldom more than a step too long.

    The method of continued fractions (F. Bergeron, J. Berstel, S. Brlek and C. Duboc, Addition chains using continued fractions,
    Journal of Algorithms 10, 1989) with the dyadic choice: the term before is some beginning of n in binary.
    """
    if n < 4:
        return binary_chain(n)
    return min((_chain_through(n, n >> shift) for shift in range(1, n.bit_length() - 1)), key=len)


@functools.lru_cache(1 << 16)
def _short_chain(n: int) -> tuple[int, ...]:
    if n & (n - 1) == 0 or n == 3:
        return binary_chain(n)
    half = (n.bit_length() + 1) // 2
    shifts = range(1, n.bit_length() - 1) if n < 1 << 10 else range(half - 2, half + 3)
    return min((_chain_through(n, n >> shift) for shift in shifts), key=len)


@functools.lru_cache(1 << 16)
def _chain_through(n: int, k: int) -> tuple[int, ...]:
    """A chain for n that holds k: one for q = n // k, times k, plus what remains, which the chain for k holds."""
    if k == 1:
        return _short_chain(n)
    q, rest = divmod(n, k)
    if rest == 0:
        head = _short_chain(k)
        return head + tuple(k * term for term in _short_chain(q)[1:])
    head = _chain_through(k, rest)
    return (*head, *(k * term for term in _short_chain(q)[1:]), n)


# --- running ------------------------------------------------------------------------------------------------------------


class ChainSearch(ArraySearch):
    """The search for a shortest chain for n; the incumbent is a chain found by a rule."""

    engine = "addition_chain"
    why = "depth first for each length, with bounds for what the last steps can reach"
    parts = ("target", "chain")

    def __init__(self, n: int, without: Collection[str], options: RunOptions, known: tuple[int, ...] | None = None) -> None:
        """`known`: a chain to begin with."""
        require_known(without, PRUNINGS)
        super().__init__([np.array([n])], options, without=sorted(without))
        self.n = n
        self.known = known or (binary_chain(n) if n < _SMALL or "first-chain" in without else good_chain(n))
        for name, counter in _SWITCHES.items():
            self.counters[counter] = name not in without
        self.start(least_steps(n))

    def start(self, r: int) -> None:
        """Begin the search for a chain of r steps."""
        n = self.n
        width = (r + 1) * (r + 2) // 2 if n >= FIRST_WITHOUT_STAR_CHAIN or self.counters[STAR_ENDING] == 0 else r + 1
        divisor = _divisors(n)
        steps = [(n // d - 1).bit_length() for d in divisor]
        self.target = Target(*(np.array(row, np.int64) for row in ([n, r], divisor, steps)))
        numbers = [np.zeros(size, np.int64) for size in (r + 1, r + 1, r * width, r + 1, r + 1)]
        masks = [np.zeros(size, np.uint64) for size in (r + 1, r * width)]
        slots = np.zeros(1 << _SLOT_BITS, np.uint8)
        term, pick, value, begin, end = numbers
        self.chain = Chain(term, masks[0], pick, slots, value, masks[1], begin, end)
        term[0] = pick[0] = slots[int(slot_of(1))] = 1
        self.counters[BOUND] = min(r, len(self.known) - 1)
        self.counters[LEVEL] = 0
        self.counters[NEW] = 1

    def advance(self, stop_at: int) -> int:
        """Go on until `generated` reaches `stop_at`."""
        self.counters[STOP_AT] = stop_at
        while True:
            r = int(self.target.size[1])
            if r >= len(self.known) - 1:
                return FOUND
            outcome = self.call(search_chain, self.target, self.chain, self.counters)
            if outcome == FOUND:
                self.known = tuple(self.chain.term.tolist())
            elif outcome == EXHAUSTED:
                self.start(r + 1)
            else:
                return outcome

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """The best chain so far; its moves are its terms after 1."""
        return len(self.known) - 1, self.known[1:]

    def progress(self) -> Progress:
        return super().progress()._replace(incumbent=len(self.known) - 1)


def _divisors(n: int) -> list[int]:
    """Proper divisors of n but 1, ascending."""
    low = [d for d in range(2, math.isqrt(n) + 1) if n % d == 0]
    return low + [n // d for d in reversed(low) if d * d != n]
