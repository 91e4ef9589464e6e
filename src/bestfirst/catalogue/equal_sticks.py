"""Equal sticks (167): the smallest length of equal sticks that were cut into the pieces.

    pieces    their lengths, whole numbers from 1; the pieces are numbered from 1
    sticks    an answer: the pieces of each stick, ascending; the sticks by their first piece. Of the ways to join them any, but
              always the same one

The judge format leaves out pieces longer than 50, as its source demands, and says so in a warning.

The search is in equal_sticks_search.py, on that of bin packing; docs/problems/equal-sticks.md explains it.
"""

from __future__ import annotations

import dataclasses
import logging
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Literal, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue import equal_sticks_search
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens, read_numbers
from bestfirst.result import Interrupted, Solution, Status
from bestfirst.search.explicit import finish

MAX_PIECES, MAX_TOTAL = 1_000_000, 100_000_000_000

#: Longer pieces are left out by the judge format.
LONGEST = 50

PRUNINGS = equal_sticks_search.PRUNINGS

log = logging.getLogger("bestfirst")


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="equal-sticks", forbid_unknown_fields=True):
    """The lengths of the pieces. Raises ValueError where there is none, or one is not positive, or they are too long together."""

    version: Literal[1] = 1
    pieces: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.pieces) <= MAX_PIECES:
            raise ValueError(f"there are {len(self.pieces)} pieces, there must be 1 to {MAX_PIECES}")
        if min(self.pieces) < 1:
            number = next(i for i, piece in enumerate(self.pieces, 1) if piece < 1)
            raise ValueError(f"piece {number} has length {self.pieces[number - 1]}, it must be at least 1")
        if sum(self.pieces) > MAX_TOTAL:
            raise ValueError(f"the pieces have length {sum(self.pieces)} together, it must be at most {MAX_TOTAL}")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="equal-sticks"):
    """The length of the sticks and the pieces of each; `sticks` is None when only the length is known."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: the length
    bound: int | None  #: they are no shorter
    sticks: tuple[tuple[int, ...], ...] | None


def read(text: str) -> Iterator[Instance]:
    """Read n and n lengths, again and again, until n is 0 or the text ends. Pieces longer than 50 are left out, with a warning.

    Raises InputError, when it comes to it, where the text is bad.
    """
    tokens = Tokens(text)
    case = 0
    while not tokens.at_end():
        first = tokens.peek()
        n = tokens.take_integer("the number of pieces n", 0, MAX_PIECES)
        if n == 0:
            return
        case += 1
        lengths = tokens.take_rows(n, "piece", (("the length", 1, MAX_TOTAL),)).ravel()
        kept = lengths[lengths <= LONGEST]
        if len(kept) < n:
            log.warning("case %d: pieces longer than %d are left out: %d of %d", case, LONGEST, n - len(kept), n)
        if len(kept) == 0 and first is not None:
            first.fail(f"all pieces of this case are longer than {LONGEST}, which the format leaves out")
        yield Instance(pieces=tuple(kept.tolist()))


def write_instance(instance: Instance) -> str:
    """The judge format of an instance, without the final 0. Raises ValueError for pieces that the format leaves out."""
    if max(instance.pieces) > LONGEST:
        raise ValueError(f"the judge format leaves out pieces longer than {LONGEST}; JSON has them")
    return f"{len(instance.pieces)}\n{' '.join(map(str, instance.pieces))}\n"


def write(answer: Answer) -> str:
    """The length on a line. Raises ValueError when it is not proved to be the smallest."""
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the smallest length is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read one number for each instance, taken as the claim that it is the smallest; raises InputError."""
    costs = read_numbers(text, len(instances), "the length", 1)
    return [Answer(status=Status.OPTIMAL, cost=cost, bound=cost, sticks=None) for cost in costs]


def search(instance: Instance, without: Collection[str] = (), **options: Unpack[RunOptions]) -> Solution:
    """Find the smallest length, the `cost`, and the sticks, the `moves` of the solution; `without` names prunings to switch off.

    Raises ValueError for the name of a pruning that does not exist, Interrupted on Ctrl-C.
    """
    pieces = np.array(instance.pieces, np.int64)
    at_work = equal_sticks_search.SticksSearch(pieces, options, without)
    try:
        return _solution(pieces, finish(at_work, options))
    except Interrupted as stop:
        raise Interrupted(_solution(pieces, stop.solution)) from None


def _solution(pieces: np.ndarray, found: Solution) -> Solution:
    """The solution with sticks of piece numbers for moves, given the stick of each piece, longest first."""
    sticks: dict[int, list[int]] = {}
    stick_of = np.zeros(len(pieces), np.int64)
    stick_of[np.argsort(-pieces, kind="stable")] = found.moves or ()
    for piece, number in enumerate(stick_of.tolist(), 1):
        sticks.setdefault(number, []).append(piece)
    return dataclasses.replace(found, moves=tuple(map(tuple, sticks.values())))


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    return Answer(status=solution.status, cost=cost, bound=bound, sticks=solution.moves)


def solve(instance: Instance, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of every engine."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That no shorter sticks are possible cannot be seen from some.
    """
    return _check_claim(instance, answer) or _check_sticks(instance, answer)


def _check_claim(instance: Instance, answer: Answer) -> str | None:
    """Whether status, numbers and sticks fit together."""
    status, cost, bound = answer.status, answer.cost, answer.bound
    if status is Status.INFEASIBLE:
        return "the answer says that there are no sticks, but all pieces make one"
    if status is Status.STOPPED:
        return None if cost is None and answer.sticks is None else "the answer has sticks, but its status is stopped"
    if cost is None:
        return f"the status is {status}, but the length is missing"
    if status is Status.OPTIMAL and bound != cost:
        return f"the answer is called optimal with length {cost}, but its bound is {bound}"
    if bound is not None and bound > cost:
        return f"the bound is {bound}, but the length is only {cost}"
    if cost < max(instance.pieces):
        return f"the length is {cost}, but there is a piece of length {max(instance.pieces)}"
    if sum(instance.pieces) % cost:
        return f"the length {cost} does not divide that of all pieces, {sum(instance.pieces)}"
    return None


def _check_sticks(instance: Instance, answer: Answer) -> str | None:
    """Join the pieces."""
    if answer.sticks is None:
        return None
    used = set()
    for number, pieces in enumerate(answer.sticks, 1):
        for piece in pieces:
            if not 1 <= piece <= len(instance.pieces):
                return f"stick {number}: there is no piece {piece}"
            if piece in used:
                return f"stick {number}: piece {piece} is used twice"
            used.add(piece)
        length = sum(instance.pieces[piece - 1] for piece in pieces)
        if length != answer.cost:
            return f"stick {number} has length {length}, not {answer.cost}"
    missing = next((piece for piece in range(1, len(instance.pieces) + 1) if piece not in used), None)
    return None if missing is None else f"piece {missing} is in no stick"


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, pieces: int = 24, longest: int = 50, sticks: int = 0, one: bool = False) -> Instance:
    """Pieces of random lengths up to the longest, the same for the same arguments.

    sticks: the pieces are cut from so many equal sticks, and may make shorter ones, too; 0: they are not. one: all pieces but the
    last have the longest length, so that no equal sticks are possible but one of all. Raises ValueError for numbers that make no
    pieces.
    """
    if pieces < max(1, sticks) or longest < 1 or sticks < 0 or pieces * longest > MAX_TOTAL:
        raise ValueError(f"there are no {pieces} pieces of up to {longest} from {sticks} sticks")
    rng = random.Random(seed)
    if one:
        if pieces < 2 or longest < 2 or sticks:
            raise ValueError("for one stick alone there must be two pieces, of a length up to 2 at least, and no other sticks")
        return Instance(pieces=(longest,) * (pieces - 1) + (rng.randint(1, longest - 1),))
    if not sticks:
        return Instance(pieces=tuple(rng.randint(1, longest) for _ in range(pieces)))
    counts = [pieces // sticks + (i < pieces % sticks) for i in range(sticks)]
    low, high = max(counts), min(counts) * longest
    if low > high:
        raise ValueError(f"{sticks} equal sticks cannot be cut into {pieces} pieces of up to {longest}")
    length = rng.randint(max(low, (low + high) // 2 - (high - low) // 4), max(low, (low + high) // 2))
    found = [piece for count in counts for piece in _cut(rng, length, count, longest)]
    rng.shuffle(found)
    return Instance(pieces=tuple(found))


def _cut(rng: random.Random, length: int, count: int, longest: int) -> list[int]:
    """So many pieces of a length together, each from 1 to the longest."""
    pieces = []
    for more in range(count - 1, -1, -1):
        pieces.append(rng.randint(max(1, length - more * longest), min(longest, length - more)))
        length -= pieces[-1]
    return pieces
