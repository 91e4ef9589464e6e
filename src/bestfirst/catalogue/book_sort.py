"""Book sort (180): the fewest moves of a block of books to another place that put a row of books in order.

    books    a permutation of 1 … n
    blocks   an answer: moves (i, j, k), places counted from 0: books i … j - 1 and j … k - 1 change places
    most     more moves than these are not wanted; None: as many as it takes
    state    four bits for each place: the book there, less 1; above bit 60: moves left

IDA* with the bound by odd cycles of the cycle graph: docs/problems/book-sort.md.
"""

from __future__ import annotations

import functools
import itertools
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
from bestfirst.search.ida_star import ida_star

#: The judge format asks for no more moves than this.
MOST_ASKED = 4

#: Books: four bits each.
MAX_BOOKS = 15

#: A limit can be at most this: three bits of a state hold it. (The farthest rows of 15 books take 9 moves.)
MAX_LIMIT = 7

MAX_CASES = 1_000_000

_TOO_MANY = ("5", "or", "more")

_ABOVE = 60  #: from this bit on a state holds the moves left
_ROW = (1 << _ABOVE) - 1

_TABLE_BYTES = 1 << 22

PRUNINGS = {
    "cycles": Pruning(
        Kind.BOUND,
        "moves left by the number of odd cycles of the cycle graph",
        "a move makes at most two more odd cycles, and in order there are n + 1 (Bafna and Pevzner)",
    ),
    "adjacencies": Pruning(
        Kind.EQUIVALENT,
        "books that follow each other are never parted",
        "they can be glued together and the distance stays the same (Christie)",
    ),
    "table": Pruning(
        Kind.MEMORY,
        "bounds proved for a row are kept for when it, or one that is the same when glued, is met again",
        "what is left to do depends on the row alone",
    ),
}

CASES = "counted"

Block = tuple[int, int, int]


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="book-sort", forbid_unknown_fields=True):
    """A row of 1 to 15 books, and the most moves. Raises ValueError unless it is a permutation of 1 … n."""

    version: Literal[1] = 1
    books: tuple[int, ...]
    most: int | None = MOST_ASKED

    def __post_init__(self) -> None:
        n = len(self.books)
        if not 1 <= n <= MAX_BOOKS:
            raise ValueError(f"there are {n} books, there must be 1 to {MAX_BOOKS}")
        for place, book in enumerate(self.books, 1):
            if not 1 <= book <= n:
                raise ValueError(f"book {place} is {book}, it must be from 1 to {n}")
            if book in self.books[: place - 1]:
                raise ValueError(f"book {place} is {book}, which is there already")
        if self.most is not None and not 0 <= self.most <= MAX_LIMIT:
            raise ValueError(f"most is {self.most}, it must be from 0 to {MAX_LIMIT}, or null")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="book-sort"):
    """The moves and their number; no moves when only the number is known, neither when more than `most` are needed."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: how many moves
    bound: int | None  #: fewer do not do; None when more than `most` are needed
    blocks: tuple[Block, ...] | None


# --- judge format -------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Read T, then T rows: n and a permutation of 1 … n. Raises InputError where the text is something else, or says more."""
    tokens = Tokens(text)
    count = tokens.take_integer("the number of cases T", 0, MAX_CASES)
    for case in range(1, count + 1):
        n = tokens.take_integer(f"the number of books n (case {case})", 1, MAX_BOOKS)
        books: list[int] = []
        for place in range(1, n + 1):
            token = tokens.peek()
            book = tokens.take_integer(f"book {place} of {n} (case {case})", 1, n)
            if book in books and token is not None:
                token.fail(f"book {book} is there already (case {case})")
            books.append(book)
        yield Instance(books=tuple(books))
    tokens.require_end(f"expected the end of the text after {count} cases")


def write_instance(instance: Instance) -> str:
    """The judge format of a row, as a text of one case. Raises ValueError for another limit than the judge format has."""
    if instance.most != MOST_ASKED:
        raise ValueError(f"the judge format asks for at most {MOST_ASKED} moves, not {instance.most}; JSON has other limits")
    return f"1\n{len(instance.books)}\n{' '.join(map(str, instance.books))}\n"


def write(answer: Answer) -> str:
    """The number of moves on a line, or `5 or more`. Raises ValueError when it is not known."""
    if answer.status is Status.INFEASIBLE or (answer.bound is not None and answer.bound > MOST_ASKED):
        return " ".join(_TOO_MANY) + "\n"
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the number is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a number or `5 or more` for each of these rows. Raises InputError where the text is something else, or says more."""
    tokens = Tokens(text)
    answers = []
    for case in range(1, len(instances) + 1):
        cost = tokens.take_integer(f"the number of moves for case {case}, or `{' '.join(_TOO_MANY)}`", 0, MOST_ASKED + 1)
        if cost <= MOST_ASKED:
            answers.append(Answer(status=Status.OPTIMAL, cost=cost, bound=cost, blocks=None))
            continue
        for word in _TOO_MANY[1:]:
            token = tokens.take(f"`{' '.join(_TOO_MANY)}`")
            if token.text != word:
                token.fail(f"expected `{' '.join(_TOO_MANY)}`")
        answers.append(Answer(status=Status.INFEASIBLE, cost=None, bound=None, blocks=None))
    tokens.require_end("expected the end: every case has its answer")
    return answers


# --- search -------------------------------------------------------------------------------------------------------------


@problem(state=int)
class BookSort(NamedTuple):
    """The row for the engines; a move is the number of a triple i < j < k."""

    n: int
    triple: np.ndarray  #: (moves,) int64: i, j and k, eight bits each
    counted: int  #: 1: a state knows how many moves are left; 0: there is no limit
    cycles: int  #: 1: this pruning is on; the same for the other
    adjacencies: int

    def move_count(self) -> int:
        """One for each triple."""
        return len(self.triple)

    def apply(self, state: Any, move: Any) -> Any:
        """Let two neighbouring blocks change places."""
        triple = self.triple[move]
        i, j, k = triple & 255, (triple >> 8) & 255, triple >> 16
        left = state >> _ABOVE
        if left < self.counted:
            return state, ILLEGAL
        if self.adjacencies == 1 and not (self.parts(state, i) and self.parts(state, j) and self.parts(state, k)):
            return state, ILLEGAL
        row = state & _ROW
        outside = (1 << 4 * i) - 1 | (_ROW >> 4 * k << 4 * k)
        first = (row >> 4 * i) & ((1 << 4 * (j - i)) - 1)
        second = (row >> 4 * j) & ((1 << 4 * (k - j)) - 1)
        moved = (row & outside) | (second << 4 * i) | (first << 4 * (i + k - j))
        return ((left - self.counted) << _ABOVE) | moved, 1

    def parts(self, state: Any, place: Any) -> bool:
        """Whether the books before and at a place do not follow each other, with 0 before the first and n + 1 after the last."""
        before = -1 if place == 0 else (state >> 4 * (place - 1)) & 15
        after = self.n if place == self.n else (state >> 4 * place) & 15
        return bool(after != before + 1)

    def is_goal(self, state: Any) -> bool:
        """Whether the books are in order."""
        in_order = True
        for place in range(self.n):
            in_order = in_order and (state >> 4 * place) & 15 == place
        return in_order

    def lower_bound(self, state: Any) -> int:
        """Half of what n + 1 exceeds the number of odd cycles by.

        Cycle graph: place p, from 0 to n, stands for the gap before it; after gap p comes the gap before the book that follows
        the book before p.
        """
        if self.cycles == 0:
            return 0
        n = self.n
        gap_of = 0  # four bits for each book: the gap before it
        for place in range(n):
            gap_of |= place << 4 * ((state >> 4 * place) & 15)
        met, odd = 0, 0
        for first in range(n + 1):
            gap, length = first, 0
            while (met >> gap) & 1 == 0:
                met |= 1 << gap
                length += 1
                book = 0 if gap == 0 else ((state >> 4 * (gap - 1)) & 15) + 1
                gap = n if book == n else (gap_of >> 4 * book) & 15
            odd += length & 1
        bound = (n + 1 - odd) >> 1
        if self.counted == 1 and bound > state >> _ABOVE:
            return UNREACHABLE
        return bound

    def canonical(self, state: Any) -> Any:
        """The row with books that follow each other glued together, and books in their places at its end."""
        n = self.n
        heads = 0
        for place in range(n):
            if self.parts(state, place):
                heads |= 1 << ((state >> 4 * place) & 15)
        row, size = 0, 0
        for place in range(n):
            if self.parts(state, place):
                book = (state >> 4 * place) & 15
                rank = 0
                for smaller in range(book):
                    rank += (heads >> smaller) & 1
                row |= rank << 4 * size
                size += 1
        for place in range(size, n):
            row |= place << 4 * place
        return (state >> _ABOVE << _ABOVE) | row


@functools.cache
def _triples(n: int) -> np.ndarray:
    """All i < j < k, in the order in which they are tried."""
    return np.array([i | j << 8 | k << 16 for i, j, k in itertools.combinations(range(n + 1), 3)], np.int64)


def state_of(books: Sequence[int]) -> int:
    """The state of a row, with no moves left."""
    return sum((book - 1) << 4 * place for place, book in enumerate(books))


def search(instance: Instance, without: Collection[str] = frozenset(), **options: Unpack[RunOptions]) -> Solution:
    """Find fewest moves, numbers of triples; infeasible when more than `most` are needed.

    `without` names PRUNINGS to switch off; the number stays the same.

    Raises ValueError for an unknown pruning, Interrupted on Ctrl-C.
    """
    require_known(without, PRUNINGS)
    n, left = len(instance.books), instance.most
    switches = (int(name not in without) for name in ("cycles", "adjacencies"))
    game = BookSort(n, _triples(n), int(left is not None), *switches)
    start = (left or 0) << _ABOVE | state_of(instance.books)
    if left is not None and game.lower_bound(start) > left:  # most rows of contests: no engine is set up for them
        return Solution(Status.INFEASIBLE, None, None, None, Stats(), "bound", "the first bound is above the limit")
    table_bytes = _TABLE_BYTES if left is None and "table" not in without else 0
    return ida_star(game, start, table_bytes=table_bytes, **options)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the row, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    triples = _triples(len(instance.books)).tolist()
    blocks = None
    if solution.moves is not None:
        blocks = tuple((triples[move] & 255, triples[move] >> 8 & 255, triples[move] >> 16) for move in solution.moves)
    return Answer(status=solution.status, cost=cost, bound=bound, blocks=blocks)


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    The moves are made one by one. That fewer would not do cannot be seen by making them.
    """
    status, cost = answer.status, answer.cost
    if status is Status.OPTIMAL:
        if cost is None or answer.bound != cost:
            return f"the answer is called optimal, but it has {cost} moves and its bound is {answer.bound}"
        if instance.most is not None and cost > instance.most:
            return f"there are {cost} moves, but at most {instance.most} are wanted"
        return None if answer.blocks is None else _check_blocks(instance, answer.blocks, cost)
    if status is Status.FEASIBLE:
        return "the status is feasible, but the search has no way before it has a shortest one"
    if status is Status.INFEASIBLE and instance.most is None:
        return "the status is infeasible, but every row can be put in order"
    if cost is not None or answer.blocks is not None:
        return f"the answer has moves, but its status is {status}"
    return None


def _check_blocks(instance: Instance, blocks: Sequence[Block], cost: int) -> str | None:
    if len(blocks) != cost:
        return f"there are {len(blocks)} moves, but their number is said to be {cost}"
    row = list(instance.books)
    for number, (i, j, k) in enumerate(blocks, 1):
        if not 0 <= i < j < k <= len(row):
            return f"move {number}, ({i}, {j}, {k}), names no two blocks side by side"
        row[i:k] = row[j:k] + row[i:j]
    wrong = next((place for place, book in enumerate(row) if book != place + 1), None)
    return None if wrong is None else f"after the last move book {row[wrong]} stands at place {wrong + 1}"


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(seed: int, *, books: int = 15, moves: int | None = None, most: int | None = MOST_ASKED) -> Instance:
    """A row of so many books, the same for the same arguments: any row, or the row that so many random moves lead to.

    most: as in Instance. Raises ValueError for numbers that make no instance.
    """
    if not 1 <= books <= MAX_BOOKS or (moves is not None and moves < 0):
        raise ValueError(f"there is no row of {books} books after {moves} moves; books: 1 to {MAX_BOOKS}")
    rng = random.Random(seed)
    row = list(range(1, books + 1))
    if moves is None:
        rng.shuffle(row)
    for _ in range(moves or 0):
        if books > 1:
            i, j, k = sorted(rng.sample(range(books + 1), 3))
            row[i:k] = row[j:k] + row[i:j]
    return Instance(books=tuple(row), most=most)


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A row on the way, and the move that is made next; None at the end."""

    books: tuple[int, ...]
    move: Block | None


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield the row at the start and after each move; the start alone when no moves are known."""
    row = list(instance.books)
    for i, j, k in answer.blocks or ():
        yield Step(tuple(row), (i, j, k))
        row[i:k] = row[j:k] + row[i:j]
    yield Step(tuple(row), None)
