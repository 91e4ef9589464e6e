"""Two-register power (193): the fewest multiplications and divisions that make x^P in two registers.

At first A holds x and B holds 1. An operation multiplies or divides any two register values, a register with itself too, into
either register. Only exponents matter: operations add and subtract them; they stay at 0 or more.

    power        P
    operations   an answer: what is done, first to last, such as A = A * B
    state        a << BITS | b, the exponents of the registers, the larger one first

A single P is found by IDA*; `fewest` answers all P up to a limit: docs/problems/two-register-power.md.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue.prunings import Kind, Pruning, require_known
from bestfirst.catalogue.two_register_power_table import MAX_TABLE, table
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens, read_numbers
from bestfirst.operations import ILLEGAL, UNREACHABLE, problem
from bestfirst.result import Solution, Status
from bestfirst.search.ida_star import ida_star

#: Larger powers are refused. Smaller ones take 30 operations at most: written with digits -1, 0 and 1, no two of them beside
#: each other other than 0, P has 21 digits; squaring 20 times and multiplying or dividing by x 10 times does it.
MAX_POWER = (1 << 20) - 1

#: Bits of an exponent: i operations make none larger than 2^i.
BITS = 31
_LOW = (1 << BITS) - 1

PRUNINGS = {
    "doubling": Pruning(
        Kind.BOUND,
        "operations left by the larger exponent and P",
        "an operation at most doubles the larger exponent",
    ),
    "pair": Pruning(
        Kind.BOUND,
        "operations left by both exponents and P, where the larger one does not divide P",
        "k operations reach 2^(k-1) times the sum at most: proof on the page",
    ),
    "last": Pruning(
        Kind.BOUND,
        "two more operations at least where no single one makes P",
        "all results of one operation are tried",
    ),
    "divisor": Pruning(
        Kind.FEASIBILITY,
        "a state whose greatest common divisor does not divide P is left",
        "sums and differences of multiples are multiples",
    ),
    "useless": Pruning(
        Kind.EQUIVALENT,
        "no register is made 1 or equal to the other",
        "any other value in its place is as good: the pair has one value to work with, which stays",
    ),
}

CASES = "single"


class Operation(NamedTuple):
    """target = left · right, or left / right; registers are A and B."""

    target: Literal["A", "B"]
    left: Literal["A", "B"]
    sign: Literal["*", "/"]
    right: Literal["A", "B"]


class Instance(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="two-register-power", forbid_unknown_fields=True
):
    """A power from 1 to 2^20 - 1. Raises ValueError for others."""

    version: Literal[1] = 1
    power: int

    def __post_init__(self) -> None:
        if not 1 <= self.power <= MAX_POWER:
            raise ValueError(f"the power is {self.power}, it must be from 1 to {MAX_POWER}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="two-register-power"):
    """The operations and their number; no operations when only the number is known."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: how many operations
    bound: int | None  #: fewer do not do
    operations: tuple[Operation, ...] | None


# --- judge format -------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Read the power P, all that a text holds. Raises InputError where it is something else."""
    tokens = Tokens(text)
    yield Instance(power=tokens.take_integer("the power P", 1, MAX_POWER))
    tokens.require_end("expected the end of the text after the power P")


def write_instance(instance: Instance) -> str:
    """The power on a line."""
    return f"{instance.power}\n"


def write(answer: Answer) -> str:
    """The number of operations on a line. Raises ValueError when it is not known."""
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the number is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a number for each of these powers. Raises InputError where the text is something else, or says more."""
    costs = read_numbers(text, len(instances), "the number of operations", 0)
    return [Answer(status=Status.OPTIMAL, cost=cost, bound=cost, operations=None) for cost in costs]


# --- search -------------------------------------------------------------------------------------------------------------

#: What the moves 0 to 3, and 4 to 7, make: of the larger and the smaller value … (as in `_result`).
_SOURCES = (("larger", "*", "larger"), ("larger", "*", "smaller"), ("smaller", "*", "smaller"), ("larger", "/", "smaller"))


@problem(state=int)
class TwoRegisters(NamedTuple):
    """The exponents for the engines. Moves 0 to 3 replace the smaller one, 4 to 7 the larger one.

    Results: the larger one doubled, the sum, the smaller one doubled, the difference.
    """

    power: int
    doubling: int  #: 1: this pruning is on; the same for the others
    pair: int
    last: int
    divisor: int
    useless: int

    def move_count(self) -> int:
        """Four results, two registers."""
        return 8

    def apply(self, state: Any, move: Any) -> Any:
        """Put a result into a register."""
        a, b = state >> BITS, state & _LOW
        kind = move & 3
        made = 2 * a if kind == 0 else a + b if kind == 1 else 2 * b if kind == 2 else a - b
        kept = a if move < 4 else b
        if made > _LOW or (self.useless == 1 and (made * kept == 0 or made == kept)):
            return state, ILLEGAL
        return (max(made, kept) << BITS) | min(made, kept), 1

    def is_goal(self, state: Any) -> bool:
        """Whether a register holds the power."""
        return bool(state >> BITS == self.power or state & _LOW == self.power)

    def lower_bound(self, state: Any) -> int:
        """Operations left at least; see PRUNINGS."""
        a, b = state >> BITS, state & _LOW
        power = self.power
        if power in (a, b):
            return 0
        if a == 0:
            return UNREACHABLE
        if self.last == 1 and (a + b == power or 2 * a == power or 2 * b == power or a - b == power):
            return 1
        bound = 1 + self.last
        reach = a << bound
        if self.pair == 1 and power % a != 0 and bound == 2:
            reach = 2 * (a + b) if power % (a + b) == 0 else 4 * b if 4 * b > 2 * a + b and power % b == 0 else 2 * a + b
        if self.doubling == 1:
            while reach < power:
                reach *= 2
                bound += 1
        if self.divisor == 1 and power % self.common_divisor(a, b) != 0:
            return UNREACHABLE
        return bound

    def common_divisor(self, a: Any, b: Any) -> Any:
        """Euclid's algorithm."""
        while b != 0:
            a, b = b, a % b
        return a


def search(instance: Instance, without: Collection[str] = frozenset(), **options: Unpack[RunOptions]) -> Solution:
    """Find fewest operations, moves of TwoRegisters. `without` names PRUNINGS to switch off; the number stays the same.

    Raises ValueError for an unknown pruning, Interrupted on Ctrl-C.
    """
    require_known(without, PRUNINGS)
    registers = TwoRegisters(instance.power, *(int(name not in without) for name in PRUNINGS))
    return ida_star(registers, 1 << BITS, **options)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the power, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    operations = None if solution.moves is None else tuple(_operations(solution.moves))
    return Answer(status=solution.status, cost=cost, bound=bound, operations=operations)


def _operations(moves: Sequence[int]) -> Iterator[Operation]:
    """The moves as operations on A and B."""
    values = {"A": 1, "B": 0}
    for move in moves:
        names = {"larger": max("AB", key=lambda name: values[name])}
        names["smaller"] = "B" if names["larger"] == "A" else "A"
        left, sign, right = _SOURCES[move & 3]
        operation = Operation(names["smaller" if move < 4 else "larger"], names[left], sign, names[right])  # type: ignore[arg-type]
        values[operation.target] = values[operation.left] + (1 if sign == "*" else -1) * values[operation.right]
        yield operation


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


def fewest(most: int) -> np.ndarray:
    """The fewest operations for each power up to `most`, at most 20,000: (most + 1,) uint8, by one breadth-first search.

    About two seconds and 300 MB for 20,000. Raises ValueError for other limits.
    """
    if not 1 <= most <= MAX_TABLE:
        raise ValueError(f"the limit is {most}, it must be from 1 to {MAX_TABLE}")
    found, unsure = table(most)
    for power in unsure.tolist():
        found[power] = search(Instance(power=power)).cost
    return found


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    The operations are made one by one. That fewer would not do cannot be seen by making them.
    """
    status, cost = answer.status, answer.cost
    if status in (Status.INFEASIBLE, Status.FEASIBLE):
        return f"the status is {status}, but every power can be made, and the first program found is a shortest one"
    if status is Status.STOPPED:
        return None if (cost, answer.operations) == (None, None) else "there is a program, but its status is stopped"
    if cost is None or cost != answer.bound:
        return f"the answer is called optimal, but it has {cost} operations and its bound is {answer.bound}"
    if answer.operations is None:
        return None
    if len(answer.operations) != cost:
        return f"it claims {cost} operations, but there are {len(answer.operations)}"
    return _check_operations(instance.power, answer.operations)


def _check_operations(power: int, operations: Sequence[Operation]) -> str | None:
    exponents = {"A": 1, "B": 0}
    for number, (target, left, sign, right) in enumerate(operations, 1):
        if target not in exponents or left not in exponents or right not in exponents or sign not in ("*", "/"):
            return f"operation {number}, {target} = {left} {sign} {right}, is none of two registers A and B"
        exponents[target] = exponents[left] + exponents[right] if sign == "*" else exponents[left] - exponents[right]
        if exponents[target] < 0:
            return f"operation {number} makes x^{exponents[target]}, a negative power"
    if power not in exponents.values():
        return f"at the end A holds x^{exponents['A']} and B holds x^{exponents['B']}, neither is x^{power}"
    return None


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, least: int = 1, most: int = 20_000) -> Instance:
    """A random power from `least` to `most`, the same for the same arguments. Raises ValueError for an empty or bad range."""
    if not 1 <= least <= most:
        raise ValueError(f"there is no power from {least} to {most}")
    return Instance(power=random.Random(seed).randint(least, most))


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """The exponents after an operation, which is None at the start."""

    operation: Operation | None
    exponents: tuple[int, int]


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield the registers at the start and after each operation."""
    exponents = {"A": 1, "B": 0}
    yield Step(None, (1, 0))
    for operation in answer.operations or ():
        right = exponents[operation.right]
        exponents[operation.target] = exponents[operation.left] + (right if operation.sign == "*" else -right)
        yield Step(operation, (exponents["A"], exponents["B"]))
