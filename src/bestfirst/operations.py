"""How a problem is described: a NamedTuple class in plain Python, whose methods are its operations.

The class holds the instance (its fields are numbers and arrays); a *state* is a value apart from it, in one of two forms:

* an **array**: one dimension, fixed length, any integer dtype; `apply` changes it in place and returns the cost. Compiled code
  computes with 64-bit integers and does not look whether an index lies inside an array;
* an **integer** (`@problem(state=int)`): up to 63 bits; `apply` returns the next state and the cost.

Moves are numbered from 0. What the operations mean stands in `Operations`; each engine names the ones it requires.
The same class runs in the interpreter and, through `bestfirst.kernel`, compiled.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, overload

from bestfirst.kernel import as_move, integer, promised, structure, title, truth
from bestfirst.kernel.compile import function_methods

C = TypeVar("C", bound=type)

#: `apply` and `preview` return it as the cost of a move that is not allowed.
ILLEGAL = -(1 << 61)

#: `lower_bound` may return it when no goal can be reached from a state.
UNREACHABLE = 1 << 61

#: The largest cost of one move, and of a path; beyond, a search refuses rather than wraps.
MAX_COST = (1 << 40) - 1
MAX_TOTAL = 1 << 60

#: Stands for "the move before the first one".
NO_MOVE = (1 << 32) - 1


class Operations(Protocol):
    """The operations that a problem may define; `apply`, `is_goal` and a number of moves are always needed.

    The number of moves is given by one of the class attributes `move_names` (a string of letters, or a tuple of
    strings) and `moves` (an integer), or by the method `move_count` when it depends on the instance.
    """

    def move_count(self) -> int:
        """How many moves there are; only when neither `move_names` nor `moves` is given."""

    def move_name(self, move: int) -> str:
        """The name of a move, for people; runs in the interpreter only."""

    def draw(self, state: Any) -> str:
        """A picture of a state, for people: text, or an SVG document that starts with `<svg`; runs in the interpreter only.

        See `bestfirst.print_steps`, `bestfirst.save_svg`, `bestfirst.steps`; notebooks draw a Solution by it.
        """

    def apply(self, state: Any, move: int) -> Any:
        """Make `move`. Array: change `state` in place, return the cost (≥ 0). Integer: return (next state, cost).

        Return ILLEGAL as the cost, leaving an array as it was, when the move is not allowed.
        """

    def is_goal(self, state: Any) -> bool:
        """Whether the search may end here."""

    def lower_bound(self, state: Any) -> int:
        """Never more than the least cost from `state` to a goal (admissible); UNREACHABLE when there is no way."""

    def upper_bound(self, state: Any) -> int:
        """Never less than the largest gain from `state` to a goal; for engines that maximise, where `apply` returns gains."""

    def preview(self, state: Any, move: int) -> tuple[int, int]:
        """What `move` would cost and by how much it would change `lower_bound`, without making it; or (ILLEGAL, 0).

        Worth defining when the change of the bound can be told from what the move touches: most nodes of an
        iterative-deepening search are then cut before they are made.
        """

    def undo(self, state: Any, move: int) -> None:
        """Take back `move`, just made, in place (arrays only). Without it, depth-first engines keep copies."""

    def inverse(self, move: int) -> int:
        """The move that takes `move` straight back; engines do not try it directly after."""

    def follows(self, state: Any, last: int, move: int) -> bool:
        """Whether `move` need be tried in `state`, reached by `last`: of two moves that commute, one order is enough.

        To keep the lexicographically first solution, refuse `move` only when it is smaller than `last` and the same two
        moves in the other order lead to the same state at the same cost.
        """

    def canonical(self, state: Any) -> Any:
        """The representative of all states that are like `state` by symmetry. Array: change it in place. Integer: return it.

        Engines that remember states then remember one of each class; the moves of a solution are real ones all the same. Whether
        a state is a goal, and the costs of its moves in any order, must be the same in a whole class.
        """

    # Numbered states, for whole spaces: all three or none. `bestfirst.ranking` has functions for arrangements and combinations.

    def state_count(self) -> int:
        """How many numbers there are for states."""

    def rank(self, state: Any) -> int:
        """The number of a state, from 0 to `state_count` - 1; no two states that can be reached have the same."""

    def unrank(self, rank: int, state: Any) -> None:
        """Array: write the state with this number, each element, into `state`. Integer: `unrank(self, rank)` returns it."""


#: Operations that no kernel calls: they may be any Python, and a change to them compiles nothing anew.
_INTERPRETED = ("move_name", "draw")

_ARITY = {
    "move_count": 0,
    "move_name": 1,
    "draw": 1,
    "apply": 2,
    "is_goal": 1,
    "lower_bound": 1,
    "upper_bound": 1,
    "preview": 2,
    "undo": 2,
    "inverse": 1,
    "follows": 3,
    "canonical": 1,
    "state_count": 0,
    "rank": 1,
    "unrank": 2,
}

#: The operations that number states.
RANKING = ("state_count", "rank", "unrank")


@overload
def problem(cls: C) -> C: ...
@overload
def problem(*, state: type[int]) -> Callable[[C], C]: ...
def problem(cls: Any = None, *, state: type[int] | None = None) -> Any:
    """Make a NamedTuple class a problem; `@problem(state=int)` when its states are integers.

    Raises TypeError, naming what is wrong, when an operation is missing or has other parameters than it should.
    """
    if cls is None:
        return lambda cls: _make_problem(cls, integer_state=state is int)
    return _make_problem(cls, integer_state=False)


def _make_problem(cls: Any, integer_state: bool) -> Any:
    if not (isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")):
        raise TypeError("@problem needs a class of the form: class MyProblem(NamedTuple)")
    for name in ("moves", "move_names"):
        if name in cls._fields:
            raise TypeError(f"{cls.__name__}: {name} is for the class; to let it depend on the instance, define move_count")
    if not cls._fields:
        raise TypeError(f"{cls.__name__} has no field; give it one, such as `size: int`, for compiled code to pass it by")
    methods = function_methods(cls)
    _check_operations(cls, methods, integer_state)
    setattr(cls, "integer_state", integer_state)  # noqa: B010 (not a declared attribute of the class)
    setattr(cls, "_interpreted", _INTERPRETED)  # noqa: B010
    for name, implementation in _engine_view(cls, methods, integer_state).items():
        setattr(cls, name, implementation)
    return structure(cls)


def _check_operations(cls: type, methods: dict[str, Any], integer_state: bool) -> None:
    for needed in ("apply", "is_goal"):
        if needed not in methods:
            raise TypeError(f"{cls.__name__} does not define {needed}; see bestfirst.Operations")
    if not ("move_count" in methods or hasattr(cls, "move_names") or hasattr(cls, "moves")):
        raise TypeError(f"{cls.__name__} does not say how many moves there are: define move_names, moves or move_count")
    if integer_state and "undo" in methods:
        raise TypeError(f"{cls.__name__}: an integer state needs no undo, since apply does not change it")
    for name, count in _ARITY.items():
        expected = [*inspect.signature(getattr(Operations, name)).parameters][: count + 1]
        if name == "unrank" and integer_state:
            expected.remove("state")
        if name in methods and len(inspect.signature(methods[name]).parameters) != len(expected):
            raise TypeError(f"{cls.__name__}.{name} must have the parameters ({', '.join(expected)})")
    missing = [name for name in RANKING if name not in methods]
    if 0 < len(missing) < len(RANKING):
        raise TypeError(f"{cls.__name__} numbers its states only in part: {missing[0]} is missing (see bestfirst.Operations)")


def defines(problem: Any, operation: str) -> bool:
    """Whether the problem (or problem class) defines this operation."""
    return inspect.isfunction(getattr(problem if isinstance(problem, type) else type(problem), operation, None))


def problem_name(problem: Any) -> str:
    """The name of a problem's class as its author wrote it."""
    return title(type(problem))


def move_name(problem: Any, move: int) -> str:
    """The name of a move: by `move_names`, `move_name`, or its number."""
    if defines(problem, "move_name"):
        return str(problem.move_name(move))
    if hasattr(problem, "move_names"):
        return str(problem.move_names[move])
    return str(move)


# --- what engines call --------------------------------------------------------------------------------------------------
#
# Engines see every problem in one form: a state is an array (an integer is an array of one), every operation exists.
# The methods below are put on the class by @problem, chosen by what it defines, so that a kernel compiled for a problem
# contains only what that problem has. `promised` says what a method's result must be, for messages.

_COUNT = "the number of moves, a whole number"
_COST = "the cost, a whole number (ILLEGAL for a move that is not allowed)"
_STATE_AND_COST = "the next state and the cost, two whole numbers (state, ILLEGAL for a move that is not allowed)"
_TRUTH = "True or False"
_BOUND = "the bound, a whole number"
_COST_AND_CHANGE = "the cost and the change of the bound, two whole numbers"
_RANK = "the number of the state, a whole number"


def _engine_view(cls: Any, methods: dict[str, Any], integer_state: bool) -> dict[str, Any]:
    bound: Any = _zero_bound
    if "lower_bound" in methods:
        bound = _integer_bound if integer_state else _array_bound
    upper_bound: Any = _zero_bound
    if "upper_bound" in methods:
        upper_bound = _integer_upper_bound if integer_state else _array_upper_bound
    preview: Any = _preview_by_applying
    if "preview" in methods:
        preview = _integer_preview if integer_state else _array_preview
    if "follows" in methods:
        follows: Any = _integer_follows if integer_state else _array_follows
    else:
        follows = _always_follows
    canonical: Any = _no_canonical
    if "canonical" in methods:
        canonical = _integer_canonical if integer_state else _array_canonical
    ranking: dict[str, Any] = {}
    if "rank" in methods:
        ranking["_rank"] = _integer_rank if integer_state else _array_rank
        ranking["_unrank"] = _integer_unrank if integer_state else _array_unrank
    return ranking | {
        "_move_count": _count_method(cls, methods),
        "_apply": _integer_apply if integer_state else _array_apply,
        "_is_goal": _integer_is_goal if integer_state else _array_is_goal,
        "_lower_bound": bound,
        "_child_bound": preview,
        "_upper_bound": upper_bound,
        "_child_upper_bound": _child_upper_bound,
        "_back": _back_by_inverse if "inverse" in methods else _no_way_back,
        "_follows": follows,
        "_is_symmetric": _yes if "canonical" in methods else _no,
        "_make_canonical": canonical,
        "_save": _no_save if "undo" in methods else _save_copy,
        "_restore": _restore_by_undo if "undo" in methods else _restore_copy,
    }


def _count_method(cls: Any, methods: dict[str, Any]) -> Any:
    if "move_count" in methods:
        return _count_of_instance
    count = len(cls.move_names) if hasattr(cls, "move_names") else int(cls.moves)

    def constant(self: Any) -> Any:  # known to the compiler, which unrolls the loop over moves
        return count

    return constant


@promised("move_count", _COUNT)
def _count_of_instance(self: Any) -> Any:
    return integer(self.move_count())


@promised("apply", _COST)
def _array_apply(self: Any, state: Any, move: Any) -> Any:
    return integer(self.apply(state, move))


@promised("apply", _STATE_AND_COST, 2)
def _integer_apply(self: Any, state: Any, move: Any) -> Any:
    following, cost = self.apply(state[0], move)
    if cost >= 0:
        state[0] = integer(following)
    return integer(cost)


@promised("is_goal", _TRUTH)
def _array_is_goal(self: Any, state: Any) -> Any:
    return truth(self.is_goal(state))


@promised("is_goal", _TRUTH)
def _integer_is_goal(self: Any, state: Any) -> Any:
    return truth(self.is_goal(state[0]))


@promised("lower_bound", _BOUND)
def _array_bound(self: Any, state: Any) -> Any:
    return integer(self.lower_bound(state))


@promised("lower_bound", _BOUND)
def _integer_bound(self: Any, state: Any) -> Any:
    return integer(self.lower_bound(state[0]))


@promised("upper_bound", _BOUND)
def _array_upper_bound(self: Any, state: Any) -> Any:
    return integer(self.upper_bound(state))


@promised("upper_bound", _BOUND)
def _integer_upper_bound(self: Any, state: Any) -> Any:
    return integer(self.upper_bound(state[0]))


def _child_upper_bound(self: Any, state: Any, move: Any, child: Any) -> Any:
    """Gain of `move` and minus the upper bound of the state it leads to; `child` is scratch space."""
    for i in range(state.shape[0]):
        child[i] = state[i]
    gain = self._apply(child, move)
    if gain < 0:
        return gain, integer(0)
    return gain, -self._upper_bound(child)


def _zero_bound(self: Any, state: Any) -> Any:
    return integer(0)


@promised("preview", _COST_AND_CHANGE, 2)
def _array_preview(self: Any, state: Any, move: Any, bound: Any, child: Any) -> Any:
    """Cost of `move` and the bound of the state it leads to; `bound` is that of `state`, `child` is scratch space."""
    cost, change = self.preview(state, move)
    return integer(cost), bound + integer(change)


@promised("preview", _COST_AND_CHANGE, 2)
def _integer_preview(self: Any, state: Any, move: Any, bound: Any, child: Any) -> Any:
    cost, change = self.preview(state[0], move)
    return integer(cost), bound + integer(change)


def _preview_by_applying(self: Any, state: Any, move: Any, bound: Any, child: Any) -> Any:
    for i in range(state.shape[0]):
        child[i] = state[i]
    cost = self._apply(child, move)
    if cost < 0:
        return cost, integer(0)
    return cost, self._lower_bound(child)


@promised("inverse", "the number of a move, a whole number")
def _back_by_inverse(self: Any, last: Any) -> Any:
    """The move that need not be tried after `last`, or NO_MOVE."""
    return as_move(NO_MOVE) if last == as_move(NO_MOVE) else as_move(integer(self.inverse(last)))


def _no_way_back(self: Any, last: Any) -> Any:
    return as_move(NO_MOVE)


@promised("follows", _TRUTH)
def _array_follows(self: Any, state: Any, last: Any, move: Any) -> Any:
    return last == as_move(NO_MOVE) or truth(self.follows(state, last, move))


@promised("follows", _TRUTH)
def _integer_follows(self: Any, state: Any, last: Any, move: Any) -> Any:
    return last == as_move(NO_MOVE) or truth(self.follows(state[0], last, move))


def _always_follows(self: Any, state: Any, last: Any, move: Any) -> Any:
    return True


def _yes(self: Any) -> Any:
    return True


def _no(self: Any) -> Any:
    return False


def _array_canonical(self: Any, state: Any) -> Any:
    self.canonical(state)


@promised("canonical", "a state, a whole number")
def _integer_canonical(self: Any, state: Any) -> Any:
    state[0] = integer(self.canonical(state[0]))


def _no_canonical(self: Any, state: Any) -> Any:
    pass


@promised("rank", _RANK)
def _array_rank(self: Any, state: Any) -> Any:
    return integer(self.rank(state))


@promised("rank", _RANK)
def _integer_rank(self: Any, state: Any) -> Any:
    return integer(self.rank(state[0]))


def _array_unrank(self: Any, rank: Any, state: Any) -> Any:
    self.unrank(rank, state)


@promised("unrank", "the state, a whole number")
def _integer_unrank(self: Any, rank: Any, state: Any) -> Any:
    state[0] = integer(self.unrank(rank))


def _save_copy(self: Any, state: Any, saved: Any, depth: Any) -> Any:
    for i in range(state.shape[0]):
        saved[depth, i] = state[i]


def _no_save(self: Any, state: Any, saved: Any, depth: Any) -> Any:
    pass


def _restore_copy(self: Any, state: Any, move: Any, saved: Any, depth: Any) -> Any:
    for i in range(state.shape[0]):
        state[i] = saved[depth, i]


def _restore_by_undo(self: Any, state: Any, move: Any, saved: Any, depth: Any) -> Any:
    self.undo(state, move)
