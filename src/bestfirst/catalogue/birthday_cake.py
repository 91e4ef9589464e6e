"""Birthday cake (168): stacked cylinders of a given volume in all, with the smallest surface that is seen.

    volume     N: the layers hold Nπ together, that is Σr²h = N
    layers     M: how many cylinders there are; radius r and height h of each are whole numbers, both smaller than those below
    surface    Q: the cake shows Qπ, that is the square of the bottom radius (from above) and Σ2rh (sides)

The search is in `birthday_cake_search`; docs/problems/birthday-cake.md explains it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, Unpack

import msgspec

from bestfirst.catalogue.birthday_cake_search import MAX_VOLUME, search_cake
from bestfirst.catalogue.prunings import Kind, Pruning, require_known
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens
from bestfirst.result import Solution, Status

#: So many layers hold more than MAX_VOLUME: 79 × 80 / 2 squared is 9,985,600.
MAX_LAYERS = 79

PRUNINGS = {
    "limit": Pruning(
        Kind.ORDER,
        "cakes with a surface near the least bound are looked for first, the limit rises in steps of 4, 6, 9 …",
        "a limit is left only when no cake is below it, so the best cake below the first that has one is the best of all",
    ),
    "volume": Pruning(
        Kind.FEASIBILITY,
        "layers are left out that leave more volume, or less, than those above can hold",
        "k layers hold at least 1³ + … + k³, and at most r²h + (r - 1)²(h - 1) + … below the limits r and h",
    ),
    "penalty": Pruning(
        Kind.BOUND,
        "the bound of the side 2v / r, for a volume v within the radius r, takes into account that radii and heights decrease",
        "a layer of radius x and height y has the side 2x²y / r + 2xy(r - x) / r, and the second parts have a least sum",
    ),
    "multiplier": Pruning(
        Kind.BOUND,
        "larger numbers than the radius take its place in this bound where that raises it",
        "the side is split in the same way for any number that is at least x",
    ),
    "parity": Pruning(
        Kind.BOUND,
        "of cakes with the bottom radius R only surfaces that are R² + 2N modulo 4 are asked for",
        "r²h - rh is even, so Σrh is as odd or even as N is",
    ),
    "memory": Pruning(
        Kind.MEMORY,
        "what layers within the same limits and of the same volume need at least is kept, of a million states at most",
        "layers above depend on nothing else below them",
    ),
}


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="birthday-cake", forbid_unknown_fields=True):
    """The volume (over π) and the number of layers. Raises ValueError where one is out of range."""

    version: Literal[1] = 1
    volume: int
    layers: int

    def __post_init__(self) -> None:
        _require_within("volume", self.volume, MAX_VOLUME)
        _require_within("number of layers", self.layers, MAX_LAYERS)


class Layer(msgspec.Struct, frozen=True, kw_only=True):
    """A cylinder."""

    radius: int
    height: int


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="birthday-cake"):
    """The surface (over π) and, when they are known, the layers from the bottom up; without a cake both are None."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: the surface
    bound: int | None  #: no cake has a smaller one
    layers: tuple[Layer, ...] | None


# --- formats ------------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Read N and M. What follows is read as the next case.

    Raises InputError where the text is bad, also when there is no case at all.
    """
    tokens = Tokens(text)
    while True:
        volume = tokens.take_integer("the volume N", 1, MAX_VOLUME)
        layers = tokens.take_integer("the number of layers M", 1, MAX_LAYERS)
        yield Instance(volume=volume, layers=layers)
        if tokens.at_end():
            return


def write_instance(instance: Instance) -> str:
    """The judge format of an instance."""
    return f"{instance.volume}\n{instance.layers}\n"


def write(answer: Answer) -> str:
    """The least surface, 0 when there is no cake. Raises ValueError when that is not proved."""
    if answer.status is Status.INFEASIBLE:
        return "0\n"
    if answer.status is not Status.OPTIMAL:
        found = "no cake was found" if answer.cost is None else f"a cake with {answer.cost} was found"
        raise ValueError(f"the search was stopped: the surface is at least {answer.bound}, {found}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a number for each case; 0 says that there is no cake. Raises InputError for another text, or a longer one."""
    tokens = Tokens(text)
    answers = []
    for case in range(1, len(instances) + 1):
        cost = tokens.take_integer(f"the surface for case {case}", 0) or None
        status = Status.INFEASIBLE if cost is None else Status.OPTIMAL
        answers.append(Answer(status=status, cost=cost, bound=cost, layers=None))
    tokens.require_end("expected the end: every case has its answer")
    return answers


# --- solver -------------------------------------------------------------------------------------------------------------


def search(instance: Instance, without: Collection[str] = (), **options: Unpack[RunOptions]) -> Solution:
    """Find the cake of least surface: `moves` are pairs of radius and height, from the bottom up; the surface is the `cost`.

    Of several best cakes any, but always the same. `without` names PRUNINGS to switch off; the surface stays the same.

    Exponential time; memory O(volume), at most 16 MiB more for states. Raises ValueError for an unknown pruning,
    Interrupted on Ctrl-C.
    """
    require_known(without, PRUNINGS)
    return search_cake(instance.volume, instance.layers, options, without)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the cake, as a value that can be kept."""
    layers = None
    if solution.moves is not None:
        layers = tuple(Layer(radius=radius, height=height) for radius, height in solution.moves)
    cost, bound = solution.whole_numbers()
    return Answer(status=solution.status, cost=cost, bound=bound, layers=layers)


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That no cake has a smaller surface cannot be seen from one, nor that there is none.
    """
    return _check_claim(answer) or _check_layers(instance, answer)


def _check_claim(answer: Answer) -> str | None:
    """Whether status, surface and bound fit together."""
    if answer.cost is None:
        if answer.layers is not None:
            return "there are layers, but no surface is claimed"
        if answer.status not in (Status.INFEASIBLE, Status.STOPPED):
            return f"the status is {answer.status}, but no surface is claimed"
        return None
    if answer.status not in (Status.OPTIMAL, Status.FEASIBLE):
        return f"the status is {answer.status}, but a surface is claimed"
    if answer.bound is None or answer.bound > answer.cost:
        return f"the bound is {answer.bound}, but the surface is {answer.cost}"
    if answer.status is Status.OPTIMAL and answer.bound != answer.cost:
        return f"the answer is called optimal with {answer.cost}, but its bound is {answer.bound}"
    return None


def _check_layers(instance: Instance, answer: Answer) -> str | None:
    """Measure the cake."""
    layers = answer.layers
    if layers is None:
        return None
    if len(layers) != instance.layers:
        return f"there are {len(layers)} layers, there must be {instance.layers}"
    for number, layer in enumerate(layers, 1):
        if layer.radius < 1 or layer.height < 1:
            return f"layer {number} has the radius {layer.radius} and the height {layer.height}, both must be at least 1"
    for number, (lower, upper) in enumerate(itertools.pairwise(layers), 2):
        if upper.radius >= lower.radius:
            return f"layer {number} has the radius {upper.radius}, it must be smaller than the {lower.radius} below"
        if upper.height >= lower.height:
            return f"layer {number} has the height {upper.height}, it must be smaller than the {lower.height} below"
    volume = sum(layer.radius**2 * layer.height for layer in layers)
    if volume != instance.volume:
        return f"the layers have the volume {volume}, it must be {instance.volume}"
    surface = layers[0].radius ** 2 + sum(2 * layer.radius * layer.height for layer in layers)
    return None if surface == answer.cost else f"the surface is {surface}, not {answer.cost}"


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, volume: int = 10_000, layers: int | None = None, solvable: bool | None = None) -> Instance:
    """A random instance, the same for the same arguments.

    volume: N is drawn from nine tenths of it up to it. layers: M; without, drawn from 2 up to what N can hold, at most 20.
    solvable: True draws a cake, of a volume up to `volume`; False makes an N that is too small for M layers.

    Raises ValueError for numbers out of range, or where there is no such instance.
    """
    _require_within("volume", volume, MAX_VOLUME)
    rng = random.Random(seed)
    if layers is None:
        most = max(k for k in range(1, 21) if _least_volume(k) <= volume)
        layers = rng.randint(min(2, most), most)
    _require_within("number of layers", layers, MAX_LAYERS)
    least = _least_volume(layers)
    if solvable is False:
        if layers == 1:
            raise ValueError("one layer can have any volume")
        return Instance(volume=rng.randint(1, min(volume, least - 1)), layers=layers)
    if solvable is None:
        return Instance(volume=rng.randint(-(-volume * 9 // 10), volume), layers=layers)
    if least > volume:
        raise ValueError(f"{layers} layers have at least the volume {least}, which is more than {volume}")
    radii, heights = list(range(layers, 0, -1)), list(range(layers, 0, -1))
    while True:  # all layers up to some one become wider, or higher
        grown = rng.choice((radii, heights))
        for place in range(rng.randint(1, layers)):
            grown[place] += 1
        larger = sum(r * r * h for r, h in zip(radii, heights, strict=True))
        if larger > volume:
            return Instance(volume=least, layers=layers)
        least = larger


def _least_volume(layers: int) -> int:
    """1³ + 2³ + … for so many layers."""
    return (layers * (layers + 1) // 2) ** 2


def _require_within(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise ValueError(f"the {name} is {value}, it must be from 1 to {most}")
