"""A digest of what a function *is*: its bytecode, its constants and, transitively, everything it refers to.

Two functions with the same fingerprint compile to the same machine code, wherever their source lies and however the
file was edited around them. This is what the kernel cache files its entries under, so an edit that matters is
always a miss, an edit that does not is a hit, and code typed into a notebook (no source file) is cached like any other.
"""

from __future__ import annotations

import builtins
import dis
import functools
import hashlib
import pickle
import sys
import sysconfig
import types
from typing import Any

import numpy as np

_STANDARD_LIBRARY = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))

#: Flag of a class made by a class statement.
_HEAP_TYPE = 1 << 9


class NotFingerprintable(TypeError):
    """Some value that the code refers to has no stable description, so the code must not be cached."""


def fingerprint(*values: Any) -> str:
    """Return a hexadecimal digest of `values`; functions and classes are followed into everything they use.

    Raises NotFingerprintable when a value can be neither described nor pickled.
    """
    walk = _Walk()
    for value in values:
        walk.feed(value)
    return walk.digest.hexdigest()


class _Walk:
    def __init__(self) -> None:
        self.digest = hashlib.sha256(sys.version.encode())
        self.seen: dict[int, int] = {}
        self.kept: list[Any] = []  # keeps the visited objects alive, so that their ids stay theirs

    def text(self, *parts: object) -> None:
        for part in parts:
            encoded = str(part).encode()
            self.digest.update(b"%d:" % len(encoded) + encoded)

    def feed(self, value: Any) -> None:
        if isinstance(value, (type(None), bool, int, float, complex, str, bytes)):
            self.text(type(value).__name__, repr(value))
            return
        if id(value) in self.seen:
            self.text("again", self.seen[id(value)])
            return
        self.seen[id(value)] = len(self.seen)
        self.kept.append(value)
        self.feed_object(value)

    def feed_object(self, value: Any) -> None:
        if hasattr(value, "__wrapped_kernel__"):
            self.feed(value.options)
        elif hasattr(value, "py_func"):  # a function that the user compiled with Numba
            self.feed(value.targetoptions)
        inner = getattr(value, "__wrapped_kernel__", None) or getattr(value, "py_func", None)
        if isinstance(inner, types.FunctionType):
            value = inner
        if isinstance(value, types.FunctionType):
            self.feed_function(value)
        elif isinstance(value, types.CodeType):
            self.feed_code(value)
        elif isinstance(value, types.ModuleType):
            self.feed_module(value)
        elif isinstance(value, (tuple, list)):
            self.text(type(value).__name__, len(value))
            if hasattr(value, "_fields"):
                self.feed(type(value))
            for item in value:
                self.feed(item)
        elif isinstance(value, (dict, types.MappingProxyType)):
            self.text("mapping", len(value))
            for key in sorted(value, key=repr):
                self.feed(key)
                self.feed(value[key])
        elif isinstance(value, (set, frozenset)):
            self.text("set", sorted(map(repr, value)))
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            self.text("array", value.dtype.str, value.shape)
            self.digest.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, type):
            self.feed_class(value)
        elif isinstance(value, (staticmethod, classmethod)):
            self.feed(value.__func__)
        elif isinstance(value, property):
            self.feed(value.fget)
        else:
            self.feed_other(value)

    def feed_function(self, function: types.FunctionType) -> None:
        if _is_stable(function):
            self.text("library", function.__module__, function.__qualname__)
            return
        self.text("function", function.__name__)
        self.feed_code(function.__code__)
        self.feed(function.__defaults__)
        self.feed(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            self.feed(cell.cell_contents)
        for path in sorted(global_paths(function.__code__)):
            self.text("global", *path)
            self.feed_global(function.__globals__, path)

    def feed_global(self, namespace: dict[str, Any], path: tuple[str, ...]) -> None:
        """Feed what `name.attribute…` means; modules of one's own are followed to the attribute that is used."""
        name, *attributes = path
        if name not in namespace:
            self.text("builtin" if hasattr(builtins, name) else "undefined", name)
            return
        value = namespace[name]
        while isinstance(value, types.ModuleType) and not _is_stable(value) and attributes:
            value = getattr(value, attributes.pop(0), None)
        self.feed(value)

    def feed_module(self, module: types.ModuleType) -> None:
        """A library is described by its version; a module of one's own, passed around whole, could be used in any way."""
        if not _is_stable(module):
            raise NotFingerprintable(
                f"the module {module.__name__} is used as a value; call its functions as {module.__name__}.f()"
            )
        self.text("module", module.__name__, getattr(module, "__version__", ""))

    def feed_code(self, code: types.CodeType) -> None:
        self.digest.update(code.co_code + code.co_exceptiontable)
        self.text(code.co_names, code.co_varnames, code.co_freevars, code.co_flags, code.co_argcount)
        for constant in code.co_consts:
            self.feed(constant)

    def feed_class(self, cls: type) -> None:
        self.text("class", cls.__qualname__)
        if _is_stable(cls):
            self.text(cls.__module__)
            return
        self.text(getattr(cls, "_fields", ()))
        left_out = getattr(cls, "_interpreted", ())  # methods that no kernel calls
        for base in cls.__bases__:
            self.feed(base)
        for name, member in sorted(vars(cls).items()):
            if name.startswith("__") or name in left_out or type(member).__name__.endswith(("_descriptor", "_tuplegetter")):
                continue
            self.text("member", name)
            self.feed(member)

    def feed_other(self, value: Any) -> None:
        if isinstance(value, (np.generic, np.dtype)):
            self.text(type(value).__name__, value.dtype.str if isinstance(value, np.generic) else value.str, repr(value))
        elif _is_stable(value):
            self.text("library", value.__module__, getattr(value, "__qualname__", getattr(value, "__name__", "")))
        else:
            try:
                self.text(type(value).__qualname__)
                self.digest.update(pickle.dumps(value, protocol=4))
            except Exception as error:
                raise NotFingerprintable(f"{type(value).__qualname__} has no stable description") from error


@functools.cache
def global_paths(code: types.CodeType) -> set[tuple[str, ...]]:
    """Every global name that the code reads, with the chain of attributes read from it."""
    paths: set[tuple[str, ...]] = set()
    current: tuple[str, ...] = ()
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_ATTR", "LOAD_METHOD") and current:
            current = (*current, instruction.argval)
        elif instruction.opname not in ("CACHE", "PUSH_NULL", "PRECALL", "EXTENDED_ARG"):
            paths.add(current)
            current = (instruction.argval,) if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME") else ()
    paths.discard(())
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            paths |= global_paths(constant)
    return paths


def _is_stable(value: Any) -> bool:
    """Whether `value` belongs to Python, NumPy or Numba: its name and version describe it."""
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    if name is None:
        return False
    if name == "builtins":  # what is typed in where no __name__ is set claims to be built in as well
        return not isinstance(value, types.FunctionType) and not (isinstance(value, type) and value.__flags__ & _HEAP_TYPE)
    root = str(name).partition(".")[0]
    if root in sys.builtin_module_names or root in ("numpy", "numba", "math", "typing"):
        return True
    if root == __name__.partition(".")[0]:
        return False  # this package is followed like the user's own code, wherever it is installed
    module = sys.modules.get(str(name))
    file = getattr(module, "__file__", None)
    if file is None or "site-packages" in file:
        return False
    return bool(file.startswith(_STANDARD_LIBRARY))
