"""What the compiled engines share: the start state, the counters, running a kernel, saving and restoring its memory.

counters   (COUNTERS,) int64, the scalars of a search between two calls of its kernel; the first ones mean the same in every
           engine, those from OWN on belong to the engine.
"""

from __future__ import annotations

import abc
import copy
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, ClassVar, NamedTuple

import numpy as np

from bestfirst.checkpoint import CheckpointError, Snapshot, require_equal
from bestfirst.control import Progress, RunOptions, Search
from bestfirst.kernel import exact, interpreting, is_interpreting, require_unchanged, structure
from bestfirst.kernel.fingerprint import fingerprint
from bestfirst.operations import defines, problem_name
from bestfirst.result import Stats
from bestfirst.version import __version__

STOP_AT = 0  #: pause when `generated` reaches this
GENERATED = 1
EXPANDED = 2
DUPLICATES = 3
PRUNED = 4
REOPENED = 5
BOUND = 6  #: no solution costs less
DEPTH = 7
INCUMBENT = 8  #: cost of the best solution so far, or NONE
OWN = 9
COUNTERS = 24

MAX_MOVES = 1 << 24

#: "No such cost": larger than any.
NONE = 1 << 62


def search_mode(name: str, questions: tuple[str, ...], *answers: str) -> Any:
    """A type with a method for each question that says whether it is among the answers.

    The compiler sees constants: each mode is compiled on its own.
    """

    class Mode(NamedTuple):
        unused: int = 0  # a compiled structure needs a field

    Mode.__name__ = Mode.__qualname__ = name
    for question in questions:
        setattr(Mode, question, _constant(question in answers))
    return structure(Mode)


def _constant(answer: bool) -> Any:
    def constant(self: Any) -> Any:
        return answer

    return constant


class KernelSearch(Search):
    """An engine whose memory is a named tuple of arrays and whose loop is a kernel over (problem, memory…)."""

    kernel: ClassVar[Callable[..., Any]]

    memory: Any  #: named tuple of arrays, among them `counters`

    def __init__(self, problem: Any, start: Any, options: RunOptions, **settings: Any) -> None:
        self.problem = problem
        self.start = start
        self.settings = settings
        self.compiled = options.get("compiled") in (None, True) and not is_interpreting()

    def advance(self, stop_at: int) -> int:
        self.memory.counters[STOP_AT] = stop_at
        return self.call(type(self).kernel, *self.arguments())

    def call(self, kernel: Callable[..., Any], *arguments: Any) -> int:
        """Run a kernel on the problem, compiled or not as the search is."""
        if self.compiled:
            return int(kernel(self.problem, *arguments))
        with interpreting():
            return int(kernel(*exact((self.problem, *arguments))))

    def grow(self, room: int | None) -> bool:
        with nullcontext() if self.compiled else interpreting():
            return self.enlarge(room)

    @abc.abstractmethod
    def enlarge(self, room: int | None) -> bool:
        """What `grow` does; kernels called here run compiled or not as the search does."""

    def arguments(self) -> tuple[Any, ...]:
        """What the kernel takes after the problem."""
        return (self.memory,)

    @property
    def counters(self) -> np.ndarray:
        counters: np.ndarray = self.memory.counters
        return counters

    def bytes(self) -> int:
        """Size of the search's own arrays."""
        return sum(array.nbytes for array in self.memory)

    def progress(self) -> Progress:
        c = self.counters.tolist()
        incumbent = c[INCUMBENT] if c[INCUMBENT] != NONE else None
        return Progress(self.engine, c[BOUND], incumbent, c[DEPTH], c[EXPANDED], c[GENERATED], self.bytes(), 0.0)

    def stats(self) -> Stats:
        c = self.counters.tolist()
        return Stats(c[EXPANDED], c[GENERATED], c[DUPLICATES], c[PRUNED], c[REOPENED])

    def header(self) -> dict[str, Any]:
        return {
            "version": __version__,
            "engine": self.engine,
            "settings": {name: str(value) for name, value in self.settings.items()},
            "problem": fingerprint(type(self.problem), *self.problem),
            "start": fingerprint(self.start),
        }

    def save(self) -> Snapshot:
        return Snapshot(self.header(), self.memory._asdict())

    def restore(self, snapshot: Snapshot) -> None:
        require_equal(snapshot, self.header())
        try:
            self.take(snapshot)
        except (KeyError, TypeError):
            raise CheckpointError("the checkpoint is damaged: it does not hold the arrays that it should") from None

    def take(self, snapshot: Snapshot) -> None:
        """Make the arrays of a snapshot, known to be of this search, one's own."""
        self.memory = type(self.memory)(**snapshot.arrays)


class CompiledSearch(KernelSearch):
    """An engine for a problem that is described by its operations."""

    #: Operations without which the engine cannot run.
    requires: tuple[str, ...] = ("apply", "is_goal")

    def __init__(self, problem: Any, start: Any, options: RunOptions, **settings: Any) -> None:
        require_operations(self.engine, problem, self.requires)
        starts = list(start) if _are_several(problem, start) else [start]
        if not starts:
            raise ValueError(f"{self.engine} needs at least one start state")
        super().__init__(problem, [copy.copy(one) for one in starts], options, **settings)
        self.roots, self.dtype, self.size = start_words(problem, starts)
        if self.compiled:
            require_unchanged(type(problem))

    def view(self, words: np.ndarray) -> np.ndarray:
        """Rows of words as states: the same memory, in the dtype and length of the start state."""
        return words.view(self.dtype)[..., : self.size]

    def header(self) -> dict[str, Any]:
        return {**super().header(), "start": fingerprint(*self.start)}

    def state_of(self, words: np.ndarray) -> Any:
        """The state that a row of words holds, as a value of its own."""
        return int(words.view(np.int64)[0]) if self.problem.integer_state else self.view(words).copy()

    def words_of(self, state: Any) -> np.ndarray:
        """Another state as words; TypeError unless it has the form of the start."""
        return words_like(self.problem, state, self.dtype, self.size)

    def context(self) -> tuple[Any, Any]:
        return self.problem, self.start[self.root()]

    def root(self) -> int:
        """From which of the starts the solution comes."""
        return 0


def _are_several(problem: Any, start: Any) -> bool:
    """Whether `start` is a list of states rather than one."""
    if not isinstance(start, (list, tuple)):
        return False
    return getattr(type(problem), "integer_state", False) or all(isinstance(one, np.ndarray) for one in start)


def require_operations(engine: str, problem: Any, operations: tuple[str, ...]) -> None:
    """Raise TypeError, naming the first missing operation, unless the problem defines all of them."""
    if not hasattr(type(problem), "integer_state"):
        raise TypeError(f"{problem_name(problem)} is not a problem: put @bestfirst.problem on its class")
    for name in operations:
        if not defines(problem, name):
            raise TypeError(f"{engine} requires {name}, which {problem_name(problem)} does not define")
    for name, value in zip(problem._fields, problem, strict=True):
        strange = _not_for_kernels(value)
        if strange is not None:
            raise TypeError(f"the field {name} is or holds {strange}; compiled code takes numbers, tuples and np.array(…)")
    count = problem._move_count()
    if not 0 <= count <= MAX_MOVES:
        raise ValueError(f"{problem_name(problem)} has {count} moves; there can be 0 to {MAX_MOVES:,}")


def _not_for_kernels(value: Any) -> str | None:
    """What in the value of a field kernels cannot take, in words; None when all is well."""
    if isinstance(value, tuple):
        return next(filter(None, map(_not_for_kernels, value)), None)
    if isinstance(value, np.ndarray):
        return None if value.dtype.kind in "biuf" else f"an array of {value.dtype}"
    if isinstance(value, int):
        return None if -(1 << 63) <= value < 1 << 64 else "a number beyond 64 bits"
    return None if value is None or isinstance(value, (float, np.number, np.bool_)) else f"a {type(value).__name__}"


def state_words(problem: Any, start: Any) -> tuple[np.ndarray, np.dtype[Any], int]:
    """The start state as 64-bit words, padded with zeros, and how to read them: dtype and length of the state.

    Raises TypeError when the start does not have the form that the problem's states have.
    """
    name = problem_name(problem)
    if problem.integer_state:
        if isinstance(start, bool) or not isinstance(start, (int, np.integer)):
            raise TypeError(f"the states of {name} are integers; the start is {type(start).__name__}")
        if not -(1 << 63) <= int(start) < 1 << 63:
            raise TypeError(f"the start state {start} does not fit into 64 bits")
        array = np.array([int(start)], np.int64)
    else:
        if not isinstance(start, np.ndarray):
            raise TypeError(f"the states of {name} are arrays; the start is {type(start).__name__}: use np.array(…, np.int16)")
        if start.ndim != 1:
            raise TypeError(
                f"a state has one dimension, the start has {start.ndim}: flatten it with start.ravel(), "
                "and find a cell at row * width + column"
            )
        if start.dtype.kind not in "iu":
            raise TypeError(
                f"a state holds whole numbers, the start {start.dtype}: use start.astype(np.int16) or another integer dtype"
            )
        if start.size == 0:
            raise TypeError("the start state is an empty array")
        array = start
    words = np.zeros(-(-array.nbytes // 8), np.uint64)
    words.view(array.dtype)[: array.size] = array
    return words, array.dtype, array.size


def start_words(problem: Any, starts: list[Any]) -> tuple[np.ndarray, np.dtype[Any], int]:
    """The start states as rows of words, and how to read them; see `state_words`."""
    words, dtype, size = state_words(problem, starts[0])
    return np.stack([words, *(words_like(problem, start, dtype, size) for start in starts[1:])]), dtype, size


def words_like(problem: Any, state: Any, dtype: np.dtype[Any], size: int) -> np.ndarray:
    """A state as words; TypeError unless it has this form."""
    words, its_dtype, its_size = state_words(problem, state)
    if (its_dtype, its_size) != (dtype, size):
        raise TypeError(f"all states must have the same form: {size} elements of {dtype}, not {its_size} of {its_dtype}")
    return words


def path_type(problem: Any) -> type[np.unsignedinteger[Any]]:
    """The smallest dtype for the number of a move, NO_MOVE excluded."""
    count = problem._move_count()
    return np.uint8 if count < 255 else np.uint16 if count < 65535 else np.uint32
