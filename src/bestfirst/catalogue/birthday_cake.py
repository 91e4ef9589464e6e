"""Birthday cake: M cylinders one on the other with the least outer surface.

A cake of N units of volume, times π, has M layers. Each is a cylinder whose radius and height are whole numbers, and both are
smaller than those of the layer below. Its outer surface – the sides of all layers, and what is seen from above – is Q, times π;
the base does not count. The smallest Q is wanted, or whether there is no such cake.

    N, M     volume and number of layers;  k  layers left, of which the lowest is chosen next
    r, h     radius and height of a layer
    V        volume left for k layers

The search is A* over what is left to do: the bound on the page fills the layers like an optimal liquid, and many beginnings lead
to the same rest, which is looked at once.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.prunings import Kind, Pruning, require_known
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens
from bestfirst.operations import ILLEGAL, UNREACHABLE, problem
from bestfirst.result import Solution, Stats, Status
from bestfirst.search.a_star import a_star

#: Larger cakes are refused: a move is a radius or a height, and these would be too many.
MAX_VOLUME = 10_000_000

#: With one layer more than this even the smallest cake is too large.
MAX_LAYERS = 200

PRUNINGS = {
    "filling": Pruning(
        Kind.BOUND,
        "the surface that the volume left needs at least, and whether it fits at all",
        "volume costs 2/r, least in the largest radius that a layer may have: proof on the page",
    ),
    "ranges": Pruning(
        Kind.FEASIBILITY,
        "radii and heights are kept below what the volume left allows",
        "the layers above need their least volume, and this one its least height, or radius, too",
    ),
    "last-layer": Pruning(
        Kind.FEASIBILITY,
        "the height of the last layer is computed",
        "its volume is known",
    ),
}


class Layer(NamedTuple):
    """A cylinder."""

    radius: int
    height: int


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="birthday-cake", forbid_unknown_fields=True):
    """The volume N, as a multiple of π, and the number of layers M. Raises ValueError for numbers out of range."""

    version: Literal[1] = 1
    volume: int
    layers: int

    def __post_init__(self) -> None:
        if not 1 <= self.volume <= MAX_VOLUME:
            raise ValueError(f"the volume is {self.volume}, it must be from 1 to {MAX_VOLUME}")
        if not 1 <= self.layers <= MAX_LAYERS:
            raise ValueError(f"the number of layers is {self.layers}, it must be from 1 to {MAX_LAYERS}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="birthday-cake"):
    """The least surface Q, as a multiple of π, and the layers from the bottom up when they are known."""

    version: Literal[1] = 1
    status: Status
    cost: int | None
    bound: int | None  #: no cake has a smaller surface
    layers: tuple[Layer, ...] | None


# --- judge format -------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Read N and M; what follows is read as the next case. Raises InputError where the text is bad, also when it is empty."""
    tokens = Tokens(text)
    while True:
        volume = tokens.take_integer("the volume N", 1, MAX_VOLUME)
        yield Instance(volume=volume, layers=tokens.take_integer("the number of layers M", 1, MAX_LAYERS))
        if tokens.at_end():
            return


def write_instance(instance: Instance) -> str:
    """N and M, a line each."""
    return f"{instance.volume}\n{instance.layers}\n"


def write(answer: Answer) -> str:
    """The surface on a line, 0 when there is no such cake. Raises ValueError when it is not known."""
    if answer.status is Status.INFEASIBLE:
        return "0\n"
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the surface is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a surface, or 0, for each instance. Raises InputError where the text is something else, or says more."""
    tokens = Tokens(text)
    surfaces = [tokens.take_integer(f"the surface of case {case}", 0) for case in range(1, len(instances) + 1)]
    tokens.require_end("expected the end: every case has its answer")
    return [
        Answer(status=Status.OPTIMAL if cost else Status.INFEASIBLE, cost=cost or None, bound=cost or None, layers=None)
        for cost in surfaces
    ]


# --- search -------------------------------------------------------------------------------------------------------------

# Places of a state: layers left, one more than the largest radius and height of the next one, volume left, its radius or 0.
_LEFT, _RADII, _HEIGHTS, _VOLUME, _CHOSEN = range(5)

#: Surfaces are added in units of 2^-20, each rounded down.
_UNIT = 20


@problem
class Cake(NamedTuple):
    """Layers from the bottom up. Move m takes the (m + 1)-th largest radius, then the (m + 1)-th largest height."""

    layers: int
    moves_at_most: int
    filling: int  #: 1: this pruning is on; the same for the others
    ranges: int
    last_layer: int

    def move_count(self) -> int:
        """Radii or heights, whichever are more."""
        return self.moves_at_most

    def apply(self, state: Any, move: Any) -> Any:
        """Choose the radius of the next layer, which costs its top if it is the lowest; or the height, which costs its side."""
        left, r = state[_LEFT], state[_CHOSEN]
        if left == 0:
            return ILLEGAL
        if r == 0:
            r = state[_RADII] - 1 - move
            if r < left:
                return ILLEGAL
            top = r * r if left == self.layers else 0
            if left > 1 or self.last_layer == 0:
                state[_CHOSEN] = r
                return top
            h = state[_VOLUME] // (r * r)
            if h * r * r != state[_VOLUME] or h >= state[_HEIGHTS]:
                return ILLEGAL
            return top + self.put(state, r, h)
        h = state[_HEIGHTS] - 1 - move
        rest = state[_VOLUME] - r * r * h
        if h < left or rest < self.least_volume(left - 1) or (left == 1 and rest != 0):
            return ILLEGAL
        return self.put(state, r, h)

    def put(self, state: Any, r: Any, h: Any) -> Any:
        """Put a layer, and return its side."""
        state[_LEFT] -= 1
        state[_VOLUME] -= r * r * h
        state[_RADII] = r
        state[_HEIGHTS] = h
        state[_CHOSEN] = 0
        if self.ranges == 1 and state[_LEFT] > 0:
            left = state[_LEFT]
            room = state[_VOLUME] - self.least_volume(left - 1)
            state[_HEIGHTS] = min(state[_HEIGHTS], room // (left * left) + 1)
            while state[_RADII] > left and (state[_RADII] - 1) * (state[_RADII] - 1) * left > room:
                state[_RADII] -= 1
        return 2 * r * h

    def least_volume(self, layers: Any) -> Any:
        """Of so many layers: their radii and heights are at least 1, 2, 3 … from the top, and 1³ + … + k³ = (1 + … + k)²."""
        return (layers * (layers + 1) // 2) * (layers * (layers + 1) // 2)

    def is_goal(self, state: Any) -> bool:
        """Whether all layers are put."""
        return bool(state[_LEFT] == 0)

    def lower_bound(self, state: Any) -> int:
        """The sides of the layers left at least; O(layers left)."""
        left = state[_LEFT]
        if self.filling == 0 or left == 0:
            return 0
        widest, tallest = state[_RADII] - 1, state[_HEIGHTS] - 1
        rest = state[_VOLUME] - self.least_volume(left)
        total = 0
        first = 0
        if state[_CHOSEN] != 0:  # of this layer the radius is known
            widest = state[_CHOSEN]
            least = widest * widest * left
            rest += left * left * left - least
            more = min(rest, widest * widest * tallest - least)
            if more < 0:
                return UNREACHABLE
            total += ((2 * (least + more)) << _UNIT) // widest
            rest -= more
            first = 1
        for place in range(first, left):
            r, h, level = widest - place, tallest - place, left - place
            if r < level or h < level or rest < 0:
                return UNREACHABLE
            least = level * level * level
            more = min(rest, r * r * h - least)
            total += ((2 * (least + more)) << _UNIT) // r
            rest -= more
        if rest > 0:
            return UNREACHABLE
        return -(-total >> _UNIT)


def search(instance: Instance, without: Collection[str] = frozenset(), **options: Unpack[RunOptions]) -> Solution:
    """Find the least surface, which is the cost; the moves are those of Cake. Infeasible when there is no such cake.

    `without` names PRUNINGS to switch off; the surface stays the same. Memory grows with the states met.

    Raises ValueError for an unknown pruning, Interrupted on Ctrl-C.
    """
    require_known(without, PRUNINGS)
    volume, layers = instance.volume, instance.layers
    room = volume - (layers * (layers - 1) // 2) ** 2  # for the lowest layer
    if room < layers**3:
        return Solution(
            Status.INFEASIBLE, None, None, None, Stats(), "least volume", "even the smallest layers are too large together"
        )
    widest, tallest = math.isqrt(room // layers), room // (layers * layers)
    heights = tallest if layers > 1 or "last-layer" in without else 1
    cake = Cake(layers, max(widest, heights), *(int(name not in without) for name in PRUNINGS))
    return a_star(cake, np.array([layers, widest + 1, tallest + 1, volume, 0], np.int64), **options)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the cake, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    layers = None if solution.moves is None else tuple(_layers(solution))
    return Answer(status=solution.status, cost=cost, bound=bound, layers=layers)


def _layers(solution: Solution) -> Iterator[Layer]:
    """The layers that the moves put, from the bottom up."""
    for state, move in zip(solution.states(), solution.moves or (), strict=False):
        if state[_CHOSEN] != 0:
            yield Layer(int(state[_CHOSEN]), int(state[_HEIGHTS]) - 1 - move)
        elif state[_LEFT] == 1 and solution.problem.last_layer:
            r = int(state[_RADII]) - 1 - move
            yield Layer(r, int(state[_VOLUME]) // (r * r))


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    The layers are measured. That no cake has a smaller surface cannot be seen from one.
    """
    status, cost, bound, layers = answer.status, answer.cost, answer.bound, answer.layers
    if status in (Status.INFEASIBLE, Status.STOPPED):
        return None if cost is None and layers is None else f"there is a cake, but the status is {status}"
    if cost is None or (status is Status.OPTIMAL and bound != cost):
        return f"the answer is called {status}, but its surface is {cost} and its bound {bound}"
    if bound is not None and bound > cost:
        return f"the surface is {cost}, but the bound is {bound}"
    return None if layers is None else _check_layers(instance, cost, layers)


def _check_layers(instance: Instance, cost: int, layers: Sequence[Layer]) -> str | None:
    if len(layers) != instance.layers:
        return f"there are {len(layers)} layers, there must be {instance.layers}"
    for number, layer in enumerate(layers, 1):
        if layer.radius < 1 or layer.height < 1:
            return f"layer {number} has radius {layer.radius} and height {layer.height}, both must be at least 1"
        if number > 1 and (layer.radius >= layers[number - 2].radius or layer.height >= layers[number - 2].height):
            return f"layer {number} is not smaller than the one below, in radius and in height"
    volume = sum(radius * radius * height for radius, height in layers)
    if volume != instance.volume:
        return f"the volume of the layers is {volume}, it must be {instance.volume}"
    surface = layers[0].radius ** 2 + sum(2 * radius * height for radius, height in layers)
    return None if surface == cost else f"the surface of the layers is {surface}, the answer says {cost}"


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, volume: int = 10_000, layers: int | None = None, solvable: bool | None = None) -> Instance:
    """A cake of a random volume up to `volume` and a random number of layers, the same for the same arguments.

    layers: this number instead. solvable=True: the volume is that of a cake which was made at random; False: a volume below that
    of the smallest layers; None: either. Raises ValueError where no cake is as wanted.
    """
    rng = random.Random(seed)
    most = 1
    while ((most + 1) * (most + 2) // 2) ** 2 <= volume:
        most += 1
    count = rng.randint(1, max(1, most)) if layers is None else layers
    least = (count * (count + 1) // 2) ** 2
    if solvable is None:
        return Instance(volume=rng.randint(max(1, volume // 2), max(1, volume)), layers=count)
    if solvable is False:
        if least == 1:
            count, least = 2, 9
        return Instance(volume=rng.randint(1, least - 1), layers=count)
    if least > volume:
        raise ValueError(f"no cake of {count} layers has a volume up to {volume}: the smallest has {least}")
    cake = [Layer(level, level) for level in range(count, 0, -1)]
    while True:
        place = rng.randrange(count)
        wider = rng.random() < 0.5  # this layer and all below grow, in radius or in height
        grown = [
            Layer(r + (wider and i <= place), h + (not wider and i <= place)) for i, (r, h) in enumerate(cake)
        ]  # fmt: skip
        if sum(r * r * h for r, h in grown) > volume:
            return Instance(volume=sum(r * r * h for r, h in cake), layers=count)
        cake = grown
