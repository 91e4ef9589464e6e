"""Flood-It (194): make a board one colour with the fewest recolourings.

A board is made of coloured cells, one of which is the start. The *taken region* is the start cell with every cell that is
joined to it by side-neighbours of one colour. A move picks a colour and gives it to the whole taken region, which then also
takes the regions of that colour beside it. The board is done when it has one colour.

    board       rows of colours, numbers from 0; any rectangle, any number of colours
    start       (row, column) from 0, top left unless said otherwise
    colours     an answer: the colours in the order they are picked; of the shortest answers the lexicographically first
    cell        (row, column); cells are lists and sets here, bits only in `flood_it_search`

The idea, the bound and the prunings are explained in docs/problems/flood-it.md.
"""

from __future__ import annotations

import contextlib
import dataclasses
import random
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from bestfirst.catalogue import flood_it_search
from bestfirst.formats.tokens import Tokens
from bestfirst.kernel import interpreting
from bestfirst.result import Interrupted, Solution, Status
from bestfirst.search.a_star import a_star
from bestfirst.search.breadth_first import breadth_first
from bestfirst.search.ida_star import ida_star

#: The largest number that may stand for a colour (not how many there may be): far above any use, far below 64 bits.
MAX_COLOUR = 10**9

#: How many boards `generate` tries for a wanted optimum.
TRIES = 2000

PRUNINGS = flood_it_search.PRUNINGS

TIES = "the lexicographically first colours"

_OWN_ENGINE = "flood_it"
_GENERIC_ENGINES: dict[str, Callable[..., Solution]] = {"a_star": a_star, "ida_star": ida_star, "breadth_first": breadth_first}
_TIES = ("lexicographic", "any")

Cell = tuple[int, int]
Colour = Annotated[int, msgspec.Meta(ge=0, le=MAX_COLOUR)]
Board = tuple[tuple[Colour, ...], ...]


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="flood-it", forbid_unknown_fields=True):
    """A board and where to start. Raises ValueError when it is not a rectangle of colours with the start on it."""

    version: Literal[1] = 1
    board: Board
    start: Cell = (0, 0)

    def __post_init__(self) -> None:
        if not self.board or not self.board[0]:
            raise ValueError("the board is empty, it must have at least one cell")
        rows, columns = len(self.board), len(self.board[0])
        for number, row in enumerate(self.board):
            if len(row) != columns:
                raise ValueError(f"row {number} of the board has {len(row)} cells, row 0 has {columns}")
            for colour in (min(row), max(row)):
                if not 0 <= colour <= MAX_COLOUR:
                    raise ValueError(f"row {number} of the board has colour {colour}, colours are 0 to {MAX_COLOUR}")
        if not (0 <= self.start[0] < rows and 0 <= self.start[1] < columns):
            raise ValueError(f"the start {self.start} is not on the board, which has {rows} rows and {columns} columns")


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="flood-it"):
    """The colours to pick and what is proved about them; `colours` is None when only their number is known."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: number of moves
    bound: int | None  #: no sequence is shorter
    colours: tuple[Colour, ...] | None


def read(text: str) -> Iterator[Instance]:
    """Yield the boards of a text: each N and N rows of N colours, until 0 or the end of the text.

    Line ends mean no more than blanks. Raises InputError, when it comes to it, where the text is something else.
    """
    tokens = Tokens(text)
    case = 0
    while not tokens.at_end():
        size = tokens.take_integer("the size of a board", 0)
        if size == 0:
            return
        case += 1
        yield Instance(board=tuple(_read_row(tokens, case, row, size) for row in range(1, size + 1)))


def _read_row(tokens: Tokens, case: int, row: int, size: int) -> tuple[int, ...]:
    what = f"a colour (board {case}, row {row} of {size})"
    return tuple(tokens.take_integer(what, 0, MAX_COLOUR) for _ in range(size))


def write_instance(instance: Instance) -> str:
    """The judge format of a board, without the final 0. Raises ValueError when it is not square or starts elsewhere."""
    if len(instance.board) != len(instance.board[0]):
        raise ValueError("the judge format has square boards only; JSON has any")
    if instance.start != (0, 0):
        raise ValueError("in the judge format the start is the top left cell; JSON has any start")
    return "\n".join((str(len(instance.board)), *(" ".join(map(str, row)) for row in instance.board))) + "\n"


def write(answer: Answer) -> str:
    """The number of moves on a line. Raises ValueError when it is not proved to be the smallest."""
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the smallest number of moves is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read one number for each instance, taken as the claim that it is the smallest; raises InputError."""
    tokens = Tokens(text)
    costs = [tokens.take_integer(f"the number of moves for board {case}", 0) for case in range(1, len(instances) + 1)]
    tokens.require_end(f"expected the end of the text after {len(instances)} answers")
    return [Answer(status=Status.OPTIMAL, cost=cost, bound=cost, colours=None) for cost in costs]


def search(
    instance: Instance,
    without: Collection[str] = frozenset(),
    *,
    engine: str | None = None,
    ties: str = "lexicographic",
    **options: Any,
) -> Solution:
    """Find a shortest sequence of colours, which are the `moves` of the solution.

    engine  "flood_it" (the default, made for this problem), or one for any problem: "a_star", "ida_star", "breadth_first"
    ties    "lexicographic" for the first of the shortest sequences, "any" to save the time that this takes
    without prunings of the default engine to switch off, by their names in PRUNINGS

    Options are those of every engine (bestfirst.control.RunOptions).

    Raises ValueError for an unknown name, Interrupted on Ctrl-C.
    """
    if ties not in _TIES:
        raise ValueError(f"ties={ties!r} is not one of {', '.join(_TIES)}")
    with interpreting() if options.get("compiled") is False else contextlib.nullcontext():
        regions = flood_it_search.contract(np.array(instance.board, np.int64), *instance.start)
    if engine in (None, _OWN_ENGINE):
        return flood_it_search.solve_regions(
            regions, lexicographic=ties == "lexicographic", without=frozenset(without), **options
        )
    if engine not in _GENERIC_ENGINES:
        raise ValueError(f"engine={engine!r} is not one of {', '.join((_OWN_ENGINE, *_GENERIC_ENGINES))}")
    if without:
        raise ValueError(f"the engine {engine} has no prunings to switch off; those of PRUNINGS belong to {_OWN_ENGINE}")
    game = flood_it_search.FloodIt(regions)
    if engine == "a_star":
        options["ties"] = ties
    try:
        return _with_colours(_GENERIC_ENGINES[engine](game, game.start(), **options), regions)
    except Interrupted as interrupted:
        raise Interrupted(_with_colours(interrupted.solution, regions)) from None


def _with_colours(solution: Solution, regions: flood_it_search.Regions) -> Solution:
    """A generic engine's solution with colours for moves, apart from the problem, whose moves are their ranks."""
    moves = None if solution.moves is None else tuple(regions.values[list(solution.moves)].tolist())
    return dataclasses.replace(solution, moves=moves, problem=None, start=None)


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    return Answer(status=solution.status, cost=cost, bound=bound, colours=solution.moves)


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That no shorter sequence exists cannot be seen by replaying one. What is found: a sequence that breaks the rules or does
    not finish, numbers that contradict each other, and a move that a shortest sequence would not have.
    """
    return _check_claim(answer) or _check_numbers(instance, answer) or _check_colours(instance, answer)


def _check_claim(answer: Answer) -> str | None:
    """Whether status, cost and colours fit together."""
    status, cost, colours = answer.status, answer.cost, answer.colours
    if status is Status.INFEASIBLE:
        return "the answer says that there is no solution, but every board can be made one colour"
    if status is Status.STOPPED and (cost is not None or colours is not None):
        return "the answer has a solution, but its status is stopped"
    if status is not Status.STOPPED and cost is None:
        return f"the status is {status}, but the cost is missing"
    if colours is not None and cost != len(colours):
        return f"the cost is {cost}, but there are {len(colours)} colours"
    return None


def _check_numbers(instance: Instance, answer: Answer) -> str | None:
    """Whether cost and bound are possible: every colour outside takes a move, each region takes no more than one."""
    cost, bound = answer.cost, answer.bound
    if answer.status is Status.OPTIMAL and bound != cost:
        return f"the answer is called optimal with cost {cost}, but its bound is {bound}"
    if bound is not None and cost is not None and bound > cost:
        return f"the bound is {bound}, but the cost is only {cost}"
    outside = len(_colours_outside(instance.board, taken_region(instance.board, instance.start)))
    if cost is not None and cost < outside:
        return f"the cost is {cost}, but {outside} colours lie outside the start region and each takes a move"
    most = _count_regions(instance.board) - 1
    if bound is not None and bound > most:
        return f"at least {bound} moves are said to be needed, but {most} are enough for the regions beside that of the start"
    return None


def _check_colours(instance: Instance, answer: Answer) -> str | None:
    """Replay the moves."""
    if answer.colours is None:
        return None
    on_board = {colour for row in instance.board for colour in row}
    board = instance.board
    for number, colour in enumerate(answer.colours, 1):
        move = f"move {number} (colour {colour})"
        if colour not in on_board:
            return f"{move}: there is no such colour on the board"
        taken = taken_region(board, instance.start)
        if colour == board[instance.start[0]][instance.start[1]]:
            return f"{move} changes nothing: the region has this colour already"
        board = _recoloured(board, taken, colour)
        if answer.status is Status.OPTIMAL and len(taken_region(board, instance.start)) == len(taken):
            return f"{move} takes no cell, so the sequence is shorter without it and not the best"
    left = sum(map(len, board)) - len(taken_region(board, instance.start))
    return f"after the last move {left} cells still have other colours" if left else None


def generate(
    seed: int,
    *,
    rows: int = 8,
    columns: int | None = None,
    colours: int = 6,
    start: Cell = (0, 0),
    optimum: int | None = None,
) -> Instance:
    """A board of random colours, the same for the same arguments; square unless `columns` is given.

    With `optimum`, boards are drawn until one needs that many moves. Raises ValueError for sizes that make no board, and
    when none of TRIES boards has the wanted optimum.
    """
    columns = rows if columns is None else columns
    if not (rows >= 1 and columns >= 1 and 1 <= colours <= MAX_COLOUR + 1):
        raise ValueError(f"a board needs at least one row, column and colour, not {rows}, {columns} and {colours}")
    rng = random.Random(seed)
    if optimum is None:
        return _random_board(rng, rows, columns, colours, start)
    met = set()
    for _ in range(TRIES):
        instance = _random_board(rng, rows, columns, colours, start)
        solution = search(instance, ties="any")
        if solution.cost == optimum:
            return instance
        met.add(str(solution.cost))
    raise ValueError(f"none of {TRIES} boards needs {optimum} moves; met were {', '.join(sorted(met, key=int))}")


def _random_board(rng: random.Random, rows: int, columns: int, colours: int, start: Cell) -> Instance:
    return Instance(board=tuple(tuple(rng.randrange(colours) for _ in range(columns)) for _ in range(rows)), start=start)


def steps(instance: Instance, answer: Answer) -> Iterator[Board]:
    """Yield the board before the first move and after each one; only the first when the colours are not known."""
    board = instance.board
    yield board
    for colour in answer.colours or ():
        board = _recoloured(board, taken_region(board, instance.start), colour)
        yield board


# --- the rules, on plain values -----------------------------------------------------------------------------------------


def taken_region(board: Board, start: Cell) -> set[Cell]:
    """The cells joined to `start` by side-neighbours of its colour."""
    colour = board[start[0]][start[1]]
    region, waiting = {start}, [start]
    while waiting:
        row, column = waiting.pop()
        for cell in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            on_board = 0 <= cell[0] < len(board) and 0 <= cell[1] < len(board[0])
            if on_board and cell not in region and board[cell[0]][cell[1]] == colour:
                region.add(cell)
                waiting.append(cell)
    return region


def _recoloured(board: Board, cells: set[Cell], colour: int) -> Board:
    return tuple(
        tuple(colour if (row, column) in cells else old for column, old in enumerate(line)) for row, line in enumerate(board)
    )


def _colours_outside(board: Board, cells: set[Cell]) -> set[int]:
    return {old for row, line in enumerate(board) for column, old in enumerate(line) if (row, column) not in cells}


def _count_regions(board: Board) -> int:
    left = {(row, column) for row, line in enumerate(board) for column in range(len(line))}
    count = 0
    while left:
        left -= taken_region(board, left.pop())
        count += 1
    return count
