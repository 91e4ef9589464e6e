"""The search of birthday cake: cylinders of a given volume, stacked, with the smallest surface.

    n, m         the volume (without π) and the number of layers
    layer        a radius r and a height h, both smaller than those of the layer below; layers are searched from the bottom up
    level        how many layers are placed
    k            how many are still to come; v: their volume
    surface      the square of the bottom radius and 2rh of each layer placed
    cutoff       only cakes with a smaller surface are wanted: that of the best one, or a limit that rises from the least bound
    need         a proved lower bound of the surface that layers to come add
    ρ            a multiplier. Layers of radii at most ρ that hold the volume v have 2Σrh = (2v + Σ 2rh(ρ - r)) / ρ
    penalty      (ρ, k, r): the least Σ 2rh(ρ - r) of k layers of radii at most r ≤ ρ, which lowest layers attain: heights k … 1

So need = ⌈(2v + penalty) / ρ⌉ for any ρ from the largest radius on. For a given need, 2v + penalty(ρ) - need × ρ is concave
in ρ, being the least of linear functions: a climb from the ρ that was best for the layer below finds its maximum.

Why not a general engine: a state has hundreds of children, of which one comparison each leaves a few.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from bestfirst.control import EXHAUSTED, FOUND, PAUSED, Progress, RunOptions, run
from bestfirst.kernel import Int, integer, kernel, unsigned, wrapping_multiply
from bestfirst.result import Solution
from bestfirst.search.compiled import BOUND, DEPTH, DUPLICATES, EXPANDED, GENERATED, INCUMBENT, NONE, OWN, PRUNED, STOP_AT
from bestfirst.search.explicit import ArraySearch

LEVEL = OWN  #: layers placed, or -1: the search up to this limit is over
LIMIT = OWN + 1  #: the cutoff while there is no cake
STEP = OWN + 2  #: how much the limit rises next
LIMITS = OWN + 3  #: 1 where a pruning is on, also below
VOLUMES = OWN + 4
MULTIPLIERS = OWN + 5
MEMORY = OWN + 6
PARITY = OWN + 7
WAS_CUT = OWN + 8  #: 1 when something was left out for its surface since the limit was raised
MOST = OWN + 9  #: the surface of every cake is smaller

#: What LIMITS to PARITY switch.
_SWITCHES = ("limit", "volume", "multiplier", "memory", "parity")

#: Larger volumes make tables of the penalties that are too large; a state must fit into a word, see `_key`.
MAX_VOLUME = 10_000_000

_MOST_KEPT = 1 << 20
_HEIGHT_BITS, _RADIUS_BITS, _LAYER_BITS = 20, 12, 7


class Tables(NamedTuple):
    """What is known beforehand of k layers of radii at most r; `width` is one more than the largest radius."""

    least: np.ndarray  #: (m + 1,) int64: the least volume of k layers, 1³ + … + k³
    squares: np.ndarray  #: ((m + 1) × width,) int64: r² + (r - 1)² + …, k terms
    weighted: np.ndarray  #: the same, 0r² + 1(r - 1)² + …: layers of heights up to h hold at most h × squares - weighted
    penalty: np.ndarray  #: (multipliers × (m + 1) × width,) int64, filled in for a multiplier when it is first needed
    is_filled: np.ndarray  #: (multipliers,) uint8


class Memory(NamedTuple):
    """The working memory: of each level what is placed above it next, and the states that were searched."""

    radius: np.ndarray  #: (m + 1,) int64: of the layer placed, all of this shape
    height: np.ndarray  #: its height; 0: the radius is new
    volume: np.ndarray  #: v of the layers from here on
    surface: np.ndarray  #: of the layers below
    widest: np.ndarray  #: the largest radius allowed
    highest: np.ndarray  #: the largest height allowed
    multiplier: np.ndarray  #: ρ
    cut: np.ndarray  #: 1 when something above was left out for its surface
    key: np.ndarray  #: of the state
    best: np.ndarray  #: (2m,) int64: radii and heights of the best cake
    state: np.ndarray  #: (slots,) uint64: key of a state
    need: np.ndarray  #: (slots,) int64: its need; NONE: nothing can be placed on it


@kernel
def fill_volumes(tables: Tables, m: Int, width: Int) -> Int:
    """Fill in `least`, `squares` and `weighted`, of zeros. O(m × width)."""
    for k in range(1, m + 1):
        tables.least[unsigned(k)] = tables.least[unsigned(k - 1)] + k * k * k
        for r in range(k, width):
            at = k * width + r
            below = (k - 1) * width + r - 1
            tables.squares[unsigned(at)] = r * r + tables.squares[unsigned(below)]
            tables.weighted[unsigned(at)] = tables.squares[unsigned(below)] + tables.weighted[unsigned(below)]
    return 0


@kernel
def _fill_penalties(tables: Tables, rho: Int) -> None:
    """Fill in the penalties of a multiplier. O(m × ρ)."""
    m = tables.least.shape[0] - 1
    width = tables.squares.shape[0] // (m + 1)
    for k in range(1, m):
        row = (rho * (m + 1) + k) * width
        least = NONE
        for r in range(k, min(width, rho + 1)):
            least = min(least, 2 * r * k * (rho - r) + tables.penalty[unsigned(row - width + r - 1)])
            tables.penalty[unsigned(row + r)] = least
    tables.is_filled[unsigned(rho)] = 1


@kernel(inline=True)
def _penalty(tables: Tables, rho: Int, size: Int, at: Int) -> Int:
    """The penalty for a multiplier; `at` is k × width + r."""
    if tables.is_filled[unsigned(rho)] == 0:
        _fill_penalties(tables, rho)
    return tables.penalty[unsigned(rho * size + at)]


@kernel
def least_surface(tables: Tables, n: Int) -> Int:
    """A lower bound of all surfaces; NONE where there is no cake."""
    m = tables.least.shape[0] - 1
    width = tables.squares.shape[0] // (m + 1)
    most = width - 1
    while most >= m and most * most * m + tables.least[unsigned(m - 1)] > n:
        most -= 1
    found = NONE
    middle = min(most, int((1.0 * n) ** (1 / 3)))  # the least r² + 2n / r is here, so those farther off are worse
    for r in range(middle, m - 1, -1):
        if r * r + 2 * n // r >= found:
            break
        found = min(found, _least_above(tables, n, r))
    for r in range(max(m, middle + 1), most + 1):
        if r * r + 2 * n // r >= found:
            break
        found = min(found, _least_above(tables, n, r))
    return found


@kernel
def _least_above(tables: Tables, n: Int, r: Int) -> Int:
    """A lower bound of the surfaces of cakes with this bottom radius."""
    m = tables.least.shape[0] - 1
    size = tables.squares.shape[0]
    at = (m - 1) * (size // (m + 1)) + r - 1
    bound = 0
    for rho in range(r, tables.is_filled.shape[0]):
        side = 2 * r * m * (rho - r) + _penalty(tables, rho, size, at)
        now = (2 * n + side - 1) // rho + 1
        if now < bound:
            break
        bound = now
    return r * r + bound


@kernel
def search_layers(tables: Tables, memory: Memory, counters: np.ndarray) -> Int:
    """Search limit after limit until a cake is found that is proved best (FOUND) or there is none (EXHAUSTED).

    A node is a layer placed.
    """
    while counters[GENERATED] < counters[STOP_AT]:
        level = counters[LEVEL]
        if level < 0:
            if counters[INCUMBENT] < NONE:
                return FOUND
            if counters[WAS_CUT] == 0 or counters[LIMIT] == counters[MOST]:
                return EXHAUSTED
            _raise_limit(memory, counters)
        elif not _place_next(tables, memory, counters, level):
            _go_back(memory, counters, level)
    return PAUSED


@kernel(inline=True)
def _raise_limit(memory: Memory, counters: np.ndarray) -> None:
    """Begin anew: no cake is below the limit."""
    counters[BOUND] = counters[LIMIT]
    counters[LIMIT] = min(counters[MOST], counters[LIMIT] + counters[STEP]) if counters[LIMITS] == 1 else counters[MOST]
    counters[STEP] += max(1, counters[STEP] // 2)
    counters[WAS_CUT] = 0
    counters[LEVEL] = 0
    memory.radius[0] = memory.widest[0]
    memory.height[0] = 0
    memory.cut[0] = 0


@kernel(inline=True)
def _go_back(memory: Memory, counters: np.ndarray, level: Int) -> None:
    """All that can be placed at this level was: keep what that says of the state."""
    if level == 0:
        counters[WAS_CUT] = memory.cut[0]
    else:
        memory.cut[unsigned(level - 1)] |= memory.cut[unsigned(level)]
        if counters[MEMORY] == 1 and memory.key[unsigned(level)] != 0:
            key = unsigned(memory.key[unsigned(level)])
            slot = _slot(key, memory.state.shape[0])
            cutoff = _cutoff(memory, counters, integer(memory.radius[0]))
            memory.state[slot] = key
            memory.need[slot] = cutoff - memory.surface[unsigned(level)] if memory.cut[unsigned(level)] == 1 else NONE
    counters[LEVEL] = level - 1


@kernel(inline=True)
def _cutoff(memory: Memory, counters: np.ndarray, bottom: Int) -> Int:
    """The cutoff of cakes with this bottom radius: one more than a surface that is possible, in steps of 4.

    r²h - rh is even, so Σrh is as odd or even as n is, and the surface less bottom² is 2n modulo 4.
    """
    cutoff = min(counters[LIMIT], counters[INCUMBENT])
    if counters[PARITY] == 0:
        return cutoff
    return cutoff - (cutoff - 1 - bottom * bottom - 2 * memory.volume[0]) % 4


@kernel
def _place_next(tables: Tables, memory: Memory, counters: np.ndarray, level: Int) -> bool:
    """Place the next layer at this level that may lead to a cake below the cutoff; False when there is none."""
    m = memory.key.shape[0] - 1
    width = tables.squares.shape[0] // (m + 1)
    size = (m + 1) * width
    k = m - level
    row = k * width
    above = row - width
    v = memory.volume[unsigned(level)]
    surface = memory.surface[unsigned(level)]
    highest = memory.highest[unsigned(level)]
    least = tables.least[unsigned(k - 1)]
    r = integer(memory.radius[unsigned(level)])
    h = integer(memory.height[unsigned(level)])
    bottom = integer(memory.radius[0])
    while r >= k:
        cutoff = _cutoff(memory, counters, r if level == 0 else bottom)
        base = surface + r * r if level == 0 else surface
        rho = integer(r if level == 0 else memory.multiplier[unsigned(level)])
        # In units of 1/ρ: what the penalties from here on have to stay below.
        spare = (cutoff - base) * rho - 2 * v
        if h == 0:
            narrowest = r if level == 0 else k
            radius = r if spare > 0 else narrowest - 1
            if radius >= narrowest:
                radius = _next_radius(tables, rho, k, r, narrowest, spare)
            if radius < r:
                memory.cut[unsigned(level)] = 1
            if radius < narrowest:
                if level > 0:
                    return False
                r -= 1
                continue
            r = radius
        spare -= _penalty(tables, rho, size, above + r - 1)
        rise = 2 * r * (rho - r)
        last = min(highest, (v - least) // (r * r) if counters[VOLUMES] == 1 else v // (r * r))
        if h == 0:
            h = k - 1
            if counters[VOLUMES] == 1:
                lowest = (v + tables.weighted[unsigned(row + r)] - 1) // tables.squares[unsigned(row + r)] + 1
                if lowest > highest:  # narrower layers hold less still
                    return False
                h = max(h, lowest - 1)
        h += 1
        while h <= last:
            if spare <= rise * h:
                memory.cut[unsigned(level)] = 1
                break
            rest = v - r * r * h
            if _goes_on(tables, memory, counters, level, k, r, h, rest, base + 2 * r * h):
                memory.radius[unsigned(level)] = r
                memory.height[unsigned(level)] = h
                return True
            h += 1
        r -= 1
        h = integer(0)
    return False


@kernel
def _next_radius(tables: Tables, rho: Int, k: Int, r: Int, narrowest: Int, spare: Int) -> Int:
    """The largest radius up to r of a layer that has, with k - 1 above it, a penalty below `spare`; or narrowest - 1."""
    width = tables.squares.shape[0] // tables.least.shape[0]
    at = rho * tables.squares.shape[0] + (k - 1) * width - 1
    if tables.is_filled[unsigned(rho)] == 0:
        _fill_penalties(tables, rho)
    while r >= narrowest and 2 * k * r * (rho - r) + tables.penalty[unsigned(at + r)] >= spare:
        r -= 1
    return r


@kernel
def _goes_on(
    tables: Tables, memory: Memory, counters: np.ndarray, level: Int, k: Int, r: Int, h: Int, rest: Int, surface: Int
) -> bool:
    """Place a layer and begin the level above it, if there is a point in that; with the last but one the last as well."""
    cutoff = _cutoff(memory, counters, r if level == 0 else integer(memory.radius[0]))
    if k == 1:
        if rest != 0:
            return False
        if surface >= cutoff:
            memory.cut[unsigned(level)] = 1
            return False
        counters[GENERATED] += 1
        memory.radius[unsigned(level)] = r
        memory.height[unsigned(level)] = h
        _keep_cake(memory, counters, surface)
        return True
    if rest <= 0:
        return False
    m = memory.key.shape[0] - 1
    width = tables.squares.shape[0] // (m + 1)
    size = (m + 1) * width
    allowed = cutoff - surface
    at = (k - 1) * width + r - 1
    rho = r - 1
    margin = 2 * rest + _penalty(tables, rho, size, at) - allowed * rho
    if counters[MULTIPLIERS] == 1 and margin < 0:
        start = memory.multiplier[unsigned(level)] if level > 0 else r
        if start > rho:
            rho = start
            margin = 2 * rest + _penalty(tables, rho, size, at) - allowed * rho
        step = 1
        while margin < 0:
            other = rho + step
            better = margin - 1
            if other >= r - 1 and other < tables.is_filled.shape[0]:
                better = 2 * rest + _penalty(tables, other, size, at) - allowed * other
            if better > margin:
                margin = better
                rho = other
            elif step == 1 and rho == max(start, r - 1):
                step = -1
            else:
                break
    if margin >= 0:
        memory.cut[unsigned(level)] = 1
        counters[PRUNED] += 1
        return False
    widest = r - 1
    highest = h - 1
    if k == 2:
        counters[GENERATED] += 1
        top = _last_radius(memory, level, rest, widest, highest, allowed)
        if top > 0:
            up = unsigned(level + 1)
            memory.radius[unsigned(level)] = r
            memory.height[unsigned(level)] = h
            memory.radius[up] = top
            memory.height[up] = rest // (top * top)
            _keep_cake(memory, counters, surface + 2 * rest // top)
        return True
    key = unsigned(0)
    if counters[MEMORY] == 1:
        spare = rest - tables.least[unsigned(k - 2)]
        if counters[VOLUMES] == 1:
            highest = min(highest, spare // ((k - 1) * (k - 1)))
            while widest * widest * (k - 1) > spare:
                widest -= 1
        if highest < 1 << _HEIGHT_BITS:
            key = _key(rest, k, widest, highest)
            slot = _slot(key, memory.state.shape[0])
            if memory.state[slot] == key and memory.need[slot] >= allowed:
                counters[DUPLICATES] += 1
                if memory.need[slot] < NONE:
                    memory.cut[unsigned(level)] = 1
                return False
    counters[GENERATED] += 1
    counters[EXPANDED] += 1
    up = unsigned(level + 1)
    memory.radius[up] = widest
    memory.height[up] = 0
    memory.volume[up] = rest
    memory.surface[up] = surface
    memory.widest[up] = widest
    memory.highest[up] = highest
    memory.multiplier[up] = max(rho, widest)
    memory.cut[up] = 0
    memory.key[up] = key
    counters[LEVEL] = level + 1
    counters[DEPTH] = level + 1
    return True


@kernel
def _last_radius(memory: Memory, level: Int, v: Int, widest: Int, highest: Int, allowed: Int) -> Int:
    """The largest radius r of a top layer of volume v whose side 2v / r is below `allowed`, or 0."""
    r = min(widest, int(math.sqrt(v)))
    while r * allowed > 2 * v:
        if v % (r * r) == 0:
            return r if v <= r * r * highest else 0  # narrower ones are higher still
        r -= 1
    memory.cut[unsigned(level)] = 1
    return 0


@kernel
def _keep_cake(memory: Memory, counters: np.ndarray, surface: Int) -> None:
    """A cake that is better than all before. Below it, from now on, things are left out for their surface."""
    m = memory.key.shape[0] - 1
    counters[INCUMBENT] = surface
    for level in range(m):
        memory.best[unsigned(level)] = memory.radius[unsigned(level)]
        memory.best[unsigned(m + level)] = memory.height[unsigned(level)]
        memory.cut[unsigned(level)] = 1


@kernel(inline=True)
def _key(rest: Int, k: Int, widest: Int, highest: Int) -> Int:
    """A state in a word; never 0, since a volume is not."""
    word = (unsigned(rest) << unsigned(_LAYER_BITS)) | unsigned(k)
    word = (word << unsigned(_RADIUS_BITS)) | unsigned(widest)
    return (word << unsigned(_HEIGHT_BITS)) | unsigned(highest)


@kernel(inline=True)
def _slot(key: Int, slots: Int) -> Int:
    """Where a state is kept: `slots` is a power of two, at most 2^32."""
    return (wrapping_multiply(key, unsigned(0x9E3779B97F4A7C15)) >> unsigned(32)) & unsigned(slots - 1)


class CakeSearch(ArraySearch):
    """A cake being looked for. `without` names prunings to switch off, see `birthday_cake.PRUNINGS`."""

    engine = "birthday_cake"
    parts = ("memory",)

    def __init__(self, volume: int, layers: int, options: RunOptions, without: Collection[str] = ()) -> None:
        super().__init__((np.array([volume, layers]),), options, without=sorted(without))
        n, m = volume, layers
        # The bottom radius r leaves the least volume for m - 1 layers, and its own height is at least m.
        widest = max(m - 1, math.isqrt(max(0, n - (m * (m - 1) // 2) ** 2) // m))
        width = widest + 1
        multipliers = 1 + (widest if "multiplier" in without else 2 * widest)
        size = (m + 1) * width
        self.tables = Tables(
            least=np.zeros(m + 1, np.int64),
            squares=np.zeros(size, np.int64),
            weighted=np.zeros(size, np.int64),
            penalty=np.zeros(multipliers * size, np.int64),
            is_filled=np.full(multipliers, "penalty" in without, np.uint8),
        )
        self.call(fill_volumes, self.tables, m, width)
        slots = 1 << min(_MOST_KEPT.bit_length() - 1, max(8, n.bit_length() - 4)) if "memory" not in without else 1
        self.memory = Memory(
            **{name: np.zeros(m + 1, np.int64) for name in Memory._fields[:9]},
            best=np.zeros(2 * m, np.int64),
            state=np.zeros(slots, np.uint64),
            need=np.zeros(slots, np.int64),
        )
        self.memory.volume[0] = n
        self.memory.widest[0] = widest
        self.memory.highest[0] = n
        most = widest * widest + 2 * n + 1  # as 2rh ≤ 2r²h
        least = self.call(least_surface, self.tables, n)
        self.counters[[LEVEL, STEP, INCUMBENT, MOST, LIMIT]] = -1, 4, NONE, most, min(least, most - 1)
        self.counters[WAS_CUT] = least < NONE
        self.counters[LIMITS : PARITY + 1] = [name not in without for name in _SWITCHES]

    def advance(self, stop_at: int) -> int:
        """Go on with the search; see `search_layers`."""
        self.counters[STOP_AT] = stop_at
        return self.call(search_layers, self.tables, self.memory, self.counters)

    def bytes(self) -> int:
        """Size of the search's own arrays."""
        return super().bytes() + sum(array.nbytes for array in self.tables)

    def progress(self) -> Progress:
        """The best cake so far is the incumbent."""
        incumbent = int(self.counters[INCUMBENT])
        return super().progress()._replace(incumbent=incumbent if incumbent < NONE else None)

    def best(self) -> tuple[int, tuple[Any, ...]] | None:
        """The surface, and the layers from the bottom up: pairs of a radius and a height."""
        surface = int(self.counters[INCUMBENT])
        if surface == NONE:
            return None
        radii, heights = self.memory.best.reshape(2, -1).tolist()
        return surface, tuple(zip(radii, heights, strict=True))


def search_cake(volume: int, layers: int, options: RunOptions, without: Collection[str] = ()) -> Solution:
    """The cake of least surface: `moves` are its layers. Raises what `control.run` raises."""
    return run(CakeSearch(volume, layers, options, without), options)
