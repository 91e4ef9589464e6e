"""Compile plain Python functions with Numba, lazily, with methods of named tuples callable inside them.

`@kernel` marks a function; `@structure` marks a NamedTuple class whose methods kernels may call. Nothing here imports
Numba until a kernel is called, so that programs which only parse, check or draw start quickly.

Everything written for a kernel also runs in the interpreter with the same results: see `interpreting`.
"""

from __future__ import annotations

import contextlib
import inspect
import operator
import os
import sys
import threading
import types as python_types
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, ParamSpec, TypeVar, overload

import numpy as np

from bestfirst.kernel import failures
from bestfirst.kernel.fingerprint import global_paths

#: A whole number inside a kernel: a Python int when interpreted, an int64 or uint64 when compiled.
Int = Any

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=type)

#: Classes marked with @structure that Numba has not been told about yet.
_waiting: list[type] = []

#: Held while Numba is told about kernels and structures: two threads may call a new kernel at once.
_preparing = threading.RLock()


class _Mode(threading.local):
    """Whether kernels run as plain Python; each thread has its own answer."""

    interpreting = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


_mode = _Mode()


class Kernel:
    """A function that runs compiled when called from Python, and can be called from other kernels.

    An inline kernel exists only inside others; Python gets the plain function.
    """

    def __init__(self, function: Callable[..., Any], allocates: bool, inline: bool) -> None:
        self.__wrapped_kernel__ = function
        self.inline = inline
        self.options = {"error_model": "numpy", "nogil": True, "_nrt": allocates}
        if inline:
            self.options |= {"forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self._dispatcher: Any = None

    def __call__(self, *args: Any) -> Any:
        """Run compiled; or as plain Python inside `interpreting`."""
        if _mode.interpreting or self.inline:
            return self.__wrapped_kernel__(*args)
        if self._dispatcher is None or _waiting:
            self._prepare()
        try:
            return self._dispatcher(*args)
        except Exception as error:  # of Numba, or of its parts, which raise whatever they like; or of the kernel, which goes on
            ours = failures.compile_error(error)
            if ours is None:
                raise
            _forget_failures()
        raise ours  # outside the handler, so that pages of text do not precede it

    def _prepare(self) -> None:
        with _preparing:
            if self._dispatcher is None:
                self._dispatcher = _new_dispatcher(self.__wrapped_kernel__, self.options, is_cached=not self.inline)
            while _waiting:
                _register_structure(_waiting[-1])
                _waiting.pop()

    @property
    def _numba_type_(self) -> Any:
        """How Numba sees a kernel that another kernel calls."""
        from numba import types

        if self._dispatcher is None:
            self._prepare()
        return types.Dispatcher(self._dispatcher)


@overload
def kernel(function: Callable[P, R]) -> Callable[P, R]: ...
@overload
def kernel(*, allocates: bool = False, inline: bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def kernel(function: Any = None, *, allocates: bool = False, inline: bool = False) -> Any:
    """Make `function` a kernel: compiled on first call, cached on disk, run without the interpreter's lock.

    Raises CompileError, when it is called, for code that cannot be compiled.

    `allocates`: it creates arrays. Others do without counting references, which would cost up to a third of their time.
    `inline`: it is called in an inner loop of other kernels and becomes a part of them.
    """
    if function is None:
        return lambda function: Kernel(function, allocates, inline)
    return Kernel(function, allocates, inline)


def structure(cls: C) -> C:
    """Let kernels call the methods of this NamedTuple class."""
    if not (issubclass(cls, tuple) and hasattr(cls, "_fields")):
        raise TypeError(f"{cls.__name__} must be a typing.NamedTuple class")
    _waiting.append(cls)
    return cls


def function_methods(cls: type) -> dict[str, python_types.FunctionType]:
    """The methods that the classes of `cls` define in Python, by name; what a NamedTuple brings along is left out."""
    inherited = {name for base in (tuple, object) for name in vars(base) if name.startswith("__")}
    generated = {"_make", "_replace", "_asdict"}
    found: dict[str, python_types.FunctionType] = {}
    for base in reversed(cls.__mro__):
        for name, member in vars(base).items():
            if inspect.isfunction(member) and name not in inherited | generated:
                found[name] = member
    return found


def compiled_methods(cls: type) -> dict[str, python_types.FunctionType]:
    """The methods of `cls` that kernels may call: all but those that the class names in `_interpreted`."""
    return {name: method for name, method in function_methods(cls).items() if name not in getattr(cls, "_interpreted", ())}


def class_constants(cls: type) -> dict[str, Any]:
    """The numbers, and tuples of numbers, among the class attributes of `cls`, by name: kernels may read them as `self.NAME`."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        found |= {name: value for name, value in vars(base).items() if not name.startswith("_") and _is_constant(value)}
    return found


def _is_constant(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_constant, value))
    return isinstance(value, (bool, int, float, np.number, np.bool_))


class _Constant(NamedTuple):
    """A constant that methods read, with the value that it had when they were compiled."""

    shown: str
    namespace: Mapping[str, Any]  #: where it is looked up
    name: str
    value: Any


#: By class, from its first compiled use on.
_constants_read: dict[type, list[_Constant]] = {}


def require_unchanged(cls: type) -> None:
    """Raise TypeError when a constant that methods of `cls` read is another one than when kernels were first compiled for it.

    Constants are numbers, tuples of numbers and arrays, in class attributes or module globals: parts of the compiled code.
    """
    if cls not in _constants_read:
        _constants_read[cls] = list(_constants_of(cls))
    for constant in _constants_read[cls]:
        now = constant.namespace.get(constant.name)
        if now is not constant.value and not _is_same(now, constant.value):
            changed = f"{constant.shown}, which has changed from {constant.value!r} to {now!r} since its methods were compiled"
            raise TypeError(
                f"{failures.title(cls)} reads {changed}; compiled code would keep the old value: "
                f"make {constant.name} a field, or define the class again"
            )


def _is_same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and np.array_equal(one, other)


def _constants_of(cls: type) -> Iterator[_Constant]:
    for base in cls.__mro__:
        for name in class_constants(cls).keys() & vars(base).keys():
            yield _Constant(f"self.{name}", vars(base), name, vars(base)[name])
    functions: list[Any] = list(compiled_methods(cls).values())
    seen = set()
    while functions:
        function = functions.pop()
        if function in seen:
            continue
        seen.add(function)
        for name, *_ in global_paths(function.__code__):
            value = function.__globals__.get(name)
            if isinstance(value, Kernel):
                functions.append(value.__wrapped_kernel__)
            elif isinstance(value, np.ndarray):
                yield _Constant(name, function.__globals__, name, value.copy())
            elif _is_constant(value):
                yield _Constant(name, function.__globals__, name, value)


# --- running without compilation ----------------------------------------------------------------------------------------


@contextlib.contextmanager
def interpreting() -> Iterator[None]:
    """Run kernels as plain Python inside this block, in this thread; use it with arguments passed through `exact`."""
    before = _mode.interpreting
    _mode.interpreting = True
    try:
        with np.errstate(over="ignore"):
            yield
    finally:
        _mode.interpreting = before


def is_interpreting() -> bool:
    """Whether kernels run as plain Python now (also by the environment variable NUMBA_DISABLE_JIT=1)."""
    return _mode.interpreting


class ExactArray(np.ndarray):
    """An array whose single elements are read as Python integers, as compiled code reads them: without wrapping at 8 bits.

    As in compiled code, a float cannot be written into integers, which would cut it off.
    """

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        return value.item() if isinstance(value, np.generic) else value

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """What `sum()`, `all()` … return: a plain number where NumPy would give one."""
        return array.item() if return_scalar else super().__array_wrap__(array, context, return_scalar)

    def __setitem__(self, index: Any, value: Any) -> None:
        if self.dtype.kind in "iu" and (isinstance(value, float) or (hasattr(value, "dtype") and value.dtype.kind == "f")):
            raise TypeError(f"{failures.CUT_OFF}; {failures.DO_NOT_CUT_OFF}")
        super().__setitem__(index, value)


def exact(value: Any) -> Any:
    """Return `value` with every array in it (through tuples) as an ExactArray on the same memory."""
    if isinstance(value, np.ndarray):
        return value.view(ExactArray)
    if isinstance(value, tuple):
        parts = [exact(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


# --- operations that mean the same in both worlds ------------------------------------------------------------------------


def unsigned(value: Int) -> Int:
    """`value` (≥ 0) as an index: unsigned in compiled code, so that no test for negative indexes is made."""
    return int(value)


def as_move(value: Int) -> Int:
    """`value` as the number of a move: 32 bits unsigned in compiled code, where small types mix without surprises."""
    return int(value)


def integer(value: Int) -> Int:
    """`value` as a signed 64-bit integer; refuses anything that is not a whole number."""
    if isinstance(value, (int, np.integer, np.bool_)):
        return int(value)
    raise TypeError(failures.wrong_result(value, sys._getframe(1)))


def truth(value: Int) -> Int:
    """`value` as a truth value; refuses anything but truth values and whole numbers."""
    if isinstance(value, (int, np.integer, np.bool_)):
        return bool(value)
    raise TypeError(failures.wrong_result(value, sys._getframe(1)))


def population_count(word: Int) -> Int:
    """Number of one bits in an unsigned 64-bit word."""
    return int(word).bit_count()


def trailing_zeros(word: Int) -> Int:
    """Index of the lowest one bit of an unsigned 64-bit word that is not zero."""
    word = int(word)
    return (word & -word).bit_length() - 1


def wrapping_multiply(a: Int, b: Int) -> Int:
    """Product of two unsigned 64-bit words, modulo 2^64."""
    return (int(a) * int(b)) & 0xFFFFFFFFFFFFFFFF


# --- Numba --------------------------------------------------------------------------------------------------------------


#: What Numba compiles kernels with, to be told to forget what failed.
_dispatchers: weakref.WeakSet[Any] = weakref.WeakSet()


def _forget_failures() -> None:
    """Let the next call try again, so that it fails in the same place: Numba remembers only that it failed."""
    for dispatcher in _dispatchers:
        dispatcher._compiler._failed_cache.clear()


def _new_dispatcher(function: Callable[..., Any], options: dict[str, Any], is_cached: bool) -> Any:
    from numba import njit

    from bestfirst.kernel import cache

    _register_operations()
    dispatcher = njit(pipeline_class=failures.compiler_class(), **options)(function)
    if hasattr(dispatcher, "_cache"):  # with NUMBA_DISABLE_JIT it is the plain function
        _dispatchers.add(dispatcher)
        if is_cached:
            dispatcher._cache = cache.KernelCache(function, options, structure_types)
    return dispatcher


def structure_types(sig: Any) -> list[Any]:
    """The Numba types of structures in a signature, in order of first appearance."""
    from numba import types

    found: dict[Any, None] = {}

    def visit(t: Any) -> None:
        if isinstance(t, types.BaseNamedTuple):
            found.setdefault(t)
        for part in getattr(t, "types", ()):
            visit(part)

    for argument in getattr(sig, "args", sig):
        visit(argument)
    return list(found)


#: How many structures of each name Numba knows.
_names: dict[str, int] = {}


def _register_structure(cls: type) -> None:
    """Give the class a Numba type of its own and make its methods callable on it.

    A type per class, rather than methods on all named tuples, keeps equal method names in different classes apart.
    """
    from numba import types
    from numba.core.datamodel import models
    from numba.core.datamodel.registry import register_default
    from numba.core.typing.typeof import typeof, typeof_impl
    from numba.extending import overload_attribute, overload_method

    # Numba tells the classes of named tuples apart by name alone when it looks for a compiled version (a cell of a notebook run
    # again defines a second class), so a name that is taken gets a number.
    _names[cls.__name__] = _names.get(cls.__name__, 0) + 1
    if _names[cls.__name__] > 1:
        cls.__name__ = f"{cls.__name__}_{_names[cls.__name__]}"

    numba_type = type(f"{cls.__name__}Type", (types.NamedTuple,), {})
    register_default(numba_type)(models.TupleModel)

    @typeof_impl.register(cls)
    def _(value: Any, context: Any) -> Any:
        return numba_type([typeof(field, context.purpose) for field in value], cls)

    for name, function in compiled_methods(cls).items():
        may_allocate = str(function.__module__).partition(".")[0] != "bestfirst"  # a user's method may do as it likes
        options = {"error_model": "numpy", "_nrt": may_allocate, "forceinline": True}
        options["pipeline_class"] = failures.compiler_class()
        overload_method(numba_type, name, strict=False, jit_options=options)(_method_stub(function))
    for name, value in class_constants(cls).items():
        overload_attribute(numba_type, name, strict=False)(_constant_stub(value))


def _method_stub(function: Callable[..., Any]) -> Callable[..., Any]:
    def stub(*args: Any) -> Callable[..., Any]:
        return function

    stub.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return stub


def _constant_stub(value: Any) -> Callable[..., Any]:
    def stub(self: Any) -> Callable[..., Any]:
        return lambda self: value

    return stub


_registered = False


def _make_small_differences_signed() -> None:
    """Let the difference of two unsigned numbers of up to 32 bits be what it is in Python, not 2^64 less.

    Numba computes it as an unsigned 64-bit number, so that `state[0] - state[1] > 1` would be true of 3 and 4 in an array of
    bytes: a wrong answer that the interpreter does not give. This holds for all that Numba compiles in this process from now on.
    """
    from numba import types
    from numba.core.typing import builtins, signature
    from numba.extending import lower_builtin

    small = (types.uint8, types.uint16, types.uint32)
    pairs = [(a, b) for a in small for b in small]
    for template in builtins.BinOp.__subclasses__():
        if template.__name__ == "BinOpSub":  # two classes of this name: for a - b and for a -= b
            template.cases = [*(signature(types.int64, a, b) for a, b in pairs), *template.cases]

    def subtract(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        wide = context.get_value_type(types.int64)
        return builder.sub(*(builder.zext(value, wide) for value in args))

    for a, b in pairs:
        for operation in (operator.sub, operator.isub):
            lower_builtin(operation, a, b)(subtract)


def _register_operations() -> None:
    """Tell Numba, once, what the functions of the section above mean in compiled code."""
    global _registered
    if _registered:
        return
    _registered = True
    _make_small_differences_signed()
    from numba import types
    from numba.core.errors import TypingError
    from numba.extending import intrinsic
    from numba.extending import overload as overload_function

    @overload_function(unsigned, strict=False)
    def _(value: Any) -> Any:
        return lambda value: np.uint64(value)  # noqa: PLW0108 (Numba needs a function of the same parameters)

    @overload_function(as_move, strict=False)
    def _(value: Any) -> Any:
        return lambda value: np.uint32(value)  # noqa: PLW0108

    @overload_function(integer, strict=False)
    def _(value: Any) -> Any:
        if not isinstance(value, (types.Integer, types.Boolean)):
            raise TypingError(
                f"a whole number is needed here, not {value}; where an unsigned 64-bit value can meet a signed one, "
                "convert it with np.int64(...) first"
            )
        return lambda value: np.int64(value)  # noqa: PLW0108

    @overload_function(truth, strict=False)
    def _(value: Any) -> Any:
        if not isinstance(value, (types.Integer, types.Boolean)):
            raise TypingError(f"a truth value is needed here, not {value}")
        return lambda value: value != 0

    @overload_function(wrapping_multiply, strict=False)
    def _(a: Any, b: Any) -> Any:
        return lambda a, b: np.uint64(a) * np.uint64(b)

    @intrinsic
    def count_ones(typing_context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.uint64(types.uint64), generate

    @intrinsic
    def count_trailing(typing_context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.uint64(types.uint64), generate

    @overload_function(population_count, strict=False)
    def _(word: Any) -> Any:
        return lambda word: count_ones(np.uint64(word))

    @overload_function(trailing_zeros, strict=False)
    def _(word: Any) -> Any:
        return lambda word: count_trailing(np.uint64(word))
