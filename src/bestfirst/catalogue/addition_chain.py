"""Addition chains (170): the fewest additions that lead from 1 to n.

A chain 1 = a_0 < a_1 < … < a_r = n in which each term after the first is the sum of two earlier ones, which may be the same. Of
the shortest chains any is asked for; which one is given is determined.

    n        the number to be reached
    chain    an answer: the terms, from 1 to n
    cost     its length r, the number of additions

The search is in `addition_chain_search`; docs/problems/addition-chain.md explains it.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue import addition_chain_search
from bestfirst.catalogue.addition_chain_search import MAX_N, ChainSearch, least_steps
from bestfirst.control import RunOptions, run
from bestfirst.formats.tokens import Tokens
from bestfirst.result import Solution, Status

PRUNINGS = addition_chain_search.PRUNINGS


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="addition-chain", forbid_unknown_fields=True):
    """A number from 1 to 2^32 - 1. Raises ValueError for others."""

    version: Literal[1] = 1
    n: int

    def __post_init__(self) -> None:
        if not 1 <= self.n < MAX_N:
            raise ValueError(f"n is {self.n}, it must be from 1 to {MAX_N - 1}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="addition-chain"):
    """The chain, its length, and what is proved."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: additions
    bound: int | None  #: fewer do not do
    chain: tuple[int, ...] | None


# --- judge format -------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Yield the numbers of a text until 0 or its end. Raises InputError where it is something else."""
    tokens = Tokens(text)
    case = 0
    while not tokens.at_end():
        case += 1
        n = tokens.take_integer(f"n (case {case})", 0, MAX_N - 1)
        if n == 0:
            return
        yield Instance(n=n)


def write_instance(instance: Instance) -> str:
    """The number on a line, without the final 0."""
    return f"{instance.n}\n"


def write(answer: Answer) -> str:
    """The chain on a line. Raises ValueError when the search was stopped before it was proved to be a shortest one."""
    if answer.status is not Status.OPTIMAL or answer.chain is None:
        raise ValueError(f"no chain is proved to be shortest: the best so far has {answer.cost} steps, {answer.bound} are needed")
    return " ".join(map(str, answer.chain)) + "\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a chain, which is a line, for each of these numbers. Raises InputError where the text is something else."""
    tokens = Tokens(text)
    answers = []
    for case in range(1, len(instances) + 1):
        first = tokens.peek()
        chain = [tokens.take_integer(f"the chain for case {case}", 1, MAX_N)]
        while first is not None and (token := tokens.peek()) is not None and token.line == first.line:
            chain.append(tokens.take_integer(f"a term of the chain for case {case}", 1, MAX_N))
        length = len(chain) - 1
        answers.append(Answer(status=Status.OPTIMAL, cost=length, bound=length, chain=tuple(chain)))
    tokens.require_end("expected the end: every case has its chain")
    return answers


# --- search -------------------------------------------------------------------------------------------------------------


def search(instance: Instance, without: Collection[str] = frozenset(), **options: Unpack[RunOptions]) -> Solution:
    """Find a shortest chain; its terms after 1 are the `moves`. A search that is stopped has a chain, but no proof.

    `without` names PRUNINGS to switch off; the length stays the same.

    Raises ValueError for an unknown pruning, Interrupted on Ctrl-C.
    """
    return run(ChainSearch(instance.n, without, options), options)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the number, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    chain = None if solution.moves is None else (1, *solution.moves)
    return Answer(status=solution.status, cost=cost, bound=bound, chain=chain)


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


def lengths(most: int) -> np.ndarray:
    """The length of a shortest chain for each number up to `most`: (most + 1,) int64, with 0 for 0.

    One after another: a chain for n - 1 or n - 2, or those for two factors, give one for n; only a shorter one is searched for.
    Raises ValueError for a number that no Instance can have.
    """
    if most > 0:
        Instance(n=most)
    chains: list[tuple[int, ...]] = [(1,), (1,), (1, 2)]
    for n in range(3, most + 1):
        factor = next((d for d in range(2, int(n**0.5) + 1) if n % d == 0), n)
        ways = [(*chains[n - 1], n)]
        if n > 3:
            ways.append((*chains[n - 2], n))
        if factor < n:
            ways.append(chains[factor] + tuple(factor * term for term in chains[n // factor][1:]))
        shortest = min(ways, key=len)
        if len(shortest) - 1 > least_steps(n):
            solution = run(ChainSearch(n, (), {}, shortest), {})
            shortest = (1, *(solution.moves or ()))
        chains.append(shortest)
    return np.array([len(chain) - 1 for chain in chains[: most + 1]], np.int64)


def all_shortest(n: int) -> Iterator[tuple[int, ...]]:
    """Yield all shortest chains for n, those with larger terms first. In plain Python: for n up to a few thousand.

    Raises ValueError for a number that no Instance can have.
    """
    length = solve(Instance(n=n)).cost or 0
    yield from _extensions([1], n, length)


def _extensions(chain: list[int], n: int, length: int) -> Iterator[tuple[int, ...]]:
    """The chains of so many steps that begin so."""
    left = length - len(chain) + 1
    if left == 0:
        if chain[-1] == n:
            yield tuple(chain)
        return
    for term in sorted({a + b for a in chain for b in chain}, reverse=True):
        if chain[-1] < term <= n and term << (left - 1) >= n:
            yield from _extensions([*chain, term], n, length)


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That no chain is shorter cannot be seen by adding up.
    """
    status, cost, bound, chain = answer.status, answer.cost, answer.bound, answer.chain
    if status not in (Status.OPTIMAL, Status.FEASIBLE):
        return f"the status is {status}, but every number has a chain"
    if cost is None or bound is None or chain is None:
        return f"an answer needs a chain, a cost and a bound, not {chain}, {cost} and {bound}"
    if bound > cost or (status is Status.OPTIMAL and bound != cost):
        return f"the answer is called {status} with cost {cost}, but its bound is {bound}"
    if len(chain) != cost + 1:
        return f"the cost is {cost}, but the chain has {len(chain)} terms"
    return _check_chain(chain, instance.n)


def _check_chain(chain: Sequence[int], n: int) -> str | None:
    if chain[0] != 1:
        return f"the chain begins with {chain[0]}, it must begin with 1"
    for place, term in enumerate(chain[1:], 1):
        before = chain[:place]
        if term <= before[-1]:
            return f"term {place} is {term}, it must be larger than the one before, {before[-1]}"
        if not any(term - other in before for other in before):
            return f"term {place}, {term}, is no sum of two earlier ones"
    return None if chain[-1] == n else f"the chain ends with {chain[-1]}, it must end with {n}"


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, least: int = 1, most: int = 10_000) -> Instance:
    """A random number from `least` to `most`, the same for the same arguments. Raises ValueError for an empty or bad range."""
    if not 1 <= least <= most:
        raise ValueError(f"there is no number from {least} to {most} with a chain")
    return Instance(n=random.Random(seed).randint(least, most))


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A term and the places, from 0, of the two terms that it is the sum of; (-1, -1) for the first one."""

    term: int
    summands: tuple[int, int]


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield the terms; of several sums for a term, that with the largest summand."""
    chain = answer.chain or (1,)
    place_of = {term: place for place, term in enumerate(chain)}
    yield Step(chain[0], (-1, -1))
    for place, term in enumerate(chain[1:], 1):
        pairs = ((j, place_of[term - chain[j]]) for j in range(place - 1, -1, -1) if term - chain[j] in place_of)
        yield Step(term, next(pairs))
