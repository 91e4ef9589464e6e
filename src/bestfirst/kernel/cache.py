"""Compiled kernels on disk: content-addressed, written atomically, never stale.

One file holds one kernel for one signature; its name is the digest of everything the machine code depends on (see
`key`). There is no index, so there is nothing to lock: two processes that compile the same kernel at once write the same
file, and the second rename wins. A file that cannot be read back exactly as written counts as absent.

Why not Numba's own cache: it looks only at the file of the kernel itself, so that an edit in a helper elsewhere leaves stale
code behind (docs/decisions/0002-own-kernel-cache.md).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import logging
import os
import pathlib
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from bestfirst.files import write_whole
from bestfirst.kernel.fingerprint import NotFingerprintable, fingerprint

log = logging.getLogger("bestfirst.kernel")

_MAGIC = b"bestfirst kernel 1\n"
_SUFFIX = ".kernel"

#: Ending of the tables that problems keep in the same folder, so that they can be counted and deleted with the kernels.
TABLE_SUFFIX = ".table.npy"

#: Numba settings that change the machine code and that Numba's own signature does not show.
_SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX", "CPU_NAME")


class CacheInfo(NamedTuple):
    """What lies in the cache folder: its place, how many kernels and tables, the bytes of all."""

    folder: pathlib.Path | None
    kernels: int
    tables: int
    bytes: int


class Counts:
    """How often this process found a kernel on disk (`hits`) or had to compile it (`misses`)."""

    hits = 0
    misses = 0


counts = Counts()

#: Called with a kernel's name just before it is compiled (not when it is found in the cache).
compile_listeners: list[Callable[[str], None]] = []


# --- the folder ---------------------------------------------------------------------------------------------------------


@functools.cache
def folder() -> pathlib.Path | None:
    """The first usable of: $BESTFIRST_CACHE_DIR, the user's cache folder, a private temporary folder; else None."""
    wanted = list(_candidates())
    for position, candidate in enumerate(wanted):
        if _is_usable(candidate):
            if position:
                log.info("kernel cache: %s cannot be written, using %s", wanted[0], candidate)
            return candidate
    log.info("kernel cache: no folder can be written (%s): every process compiles anew", ", ".join(map(str, wanted)))
    return None


def _candidates() -> Iterator[pathlib.Path]:
    if os.environ.get("BESTFIRST_CACHE_DIR"):
        yield pathlib.Path(os.environ["BESTFIRST_CACHE_DIR"])
    with contextlib.suppress(RuntimeError):  # no home directory
        yield _user_folder()
    with contextlib.suppress(OSError):  # no temporary directory
        user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
        yield pathlib.Path(tempfile.gettempdir()) / f"bestfirst-{user}" / "kernels"


def _user_folder() -> pathlib.Path:
    if sys.platform == "win32":
        return pathlib.Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "bestfirst" / "kernels"
    if sys.platform == "darwin":
        return pathlib.Path("~/Library/Caches/bestfirst/kernels").expanduser()
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "bestfirst" / "kernels"


def _is_usable(path: pathlib.Path) -> bool:
    """Whether we may write here and nobody else may: a kernel is code, so a foreign folder must not be trusted."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=path):
            pass
        if hasattr(os, "getuid"):
            here, above = path.stat(), path.parent.stat()
            if here.st_uid != os.getuid() or here.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                return False
            if above.st_uid not in (0, os.getuid()) or (above.st_mode & stat.S_IWOTH and not above.st_mode & stat.S_ISVTX):
                return False  # somebody else could put another folder in this one's place
    except (OSError, RuntimeError):
        return False
    return True


def info() -> CacheInfo:
    """Count what is in the cache folder."""
    sizes: dict[str, list[int]] = {_SUFFIX: [], TABLE_SUFFIX: []}
    for suffix, found in sizes.items():
        for file in _files(suffix):
            with contextlib.suppress(FileNotFoundError):  # renamed or deleted by another process since
                found.append(file.stat().st_size)
    kernels, tables = sizes[_SUFFIX], sizes[TABLE_SUFFIX]
    return CacheInfo(folder(), len(kernels), len(tables), sum(kernels) + sum(tables))


def clear() -> CacheInfo:
    """Delete every cached kernel and table and return what was there.

    Raises OSError when the folder asked for is not the one in use.
    """
    wanted = os.environ.get("BESTFIRST_CACHE_DIR")
    if wanted and folder() != pathlib.Path(wanted):
        raise OSError(f"the cache folder {wanted} cannot be used; nothing is deleted elsewhere")
    before = info()
    for file in (*_files(_SUFFIX), *_files(TABLE_SUFFIX)):
        file.unlink(missing_ok=True)
    return before


def _files(suffix: str) -> list[pathlib.Path]:
    place = folder()
    return sorted(place.glob(f"*{suffix}*")) if place else []


# --- what Numba asks for ------------------------------------------------------------------------------------------------


class KernelCache:
    """Stands in for `Dispatcher._cache`: Numba asks it before compiling a signature and tells it afterwards."""

    def __init__(self, function: Any, options: dict[str, Any], structure_types: Any) -> None:
        self.function = function
        self.options = options
        self.structure_types = structure_types
        self.cache_path = str(folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled kernel for this signature, or None.

        Running machine code needs only Numba's runtime; the registries of what could be compiled take 0.3 s to load and
        are left until something is compiled.
        """
        from numba.core.runtime import rtsys

        rtsys.initialize(target_context)
        data = _read(self.path(sig, target_context.codegen()))
        result = None
        if data is not None:
            result = self.revive(data, sig, target_context)
        if result is None:
            counts.misses += 1
            for listener in compile_listeners:
                listener(self.function.__name__)
        else:
            counts.hits += 1
        return result

    def save_overload(self, sig: Any, result: Any) -> None:
        """Keep a kernel that has just been compiled."""
        path = self.path(sig, result.target_context.codegen())
        if path is None or result.lifted or result.library.has_dynamic_globals:
            return
        buffer = io.BytesIO()
        _pickler(buffer, self.structure_types(sig)).dump(result._reduce())
        _write(path, buffer.getvalue())

    def revive(self, data: bytes, sig: Any, target_context: Any) -> Any:
        """The compiled kernel from the bytes of a file, or None when they cannot be used."""
        from numba.core.compiler import CompileResult

        try:
            payload = _Unpickler(io.BytesIO(data), self.structure_types(sig)).load()
            return CompileResult._rebuild(target_context, *payload)
        except Exception as error:  # whatever is wrong with a file, compiling anew is right
            log.info("kernel cache: an entry for %s cannot be used (%s)", self.function.__qualname__, error)
            return None

    def path(self, sig: Any, codegen: Any) -> pathlib.Path | None:
        """Where the kernel for this signature lies; None when it cannot be cached."""
        place = folder()
        if place is None:
            return None
        try:
            digest = key(self.function, self.options, sig, self.structure_types(sig), codegen)
        except NotFingerprintable as error:
            log.info("kernel cache: %s is not cached: %s", self.function.__qualname__, error)
            return None
        return place / f"{self.function.__name__}-{digest[:32]}{_SUFFIX}"

    def enable(self) -> None:
        """Part of the interface that Numba expects; this cache is always on."""

    def disable(self) -> None:
        """Part of the interface that Numba expects; this cache is always on."""

    def flush(self) -> None:
        """Part of the interface that Numba expects; entries are written at once."""


def key(function: Any, options: dict[str, Any], sig: Any, structure_types: list[Any], codegen: Any) -> str:
    """Digest of all that decides the machine code: code, types, processor, settings, and the versions of the tools."""
    import llvmlite
    import numba

    classes = [t.instance_class for t in structure_types]
    settings = [(name, str(getattr(numba.config, name, None))) for name in _SETTINGS]
    about = (str(sig), str(codegen.magic_tuple()), settings, numba.__version__, llvmlite.__version__, _own_sources())
    return fingerprint(function, options, classes, *map(str, about))


@functools.cache
def _own_sources() -> str:
    """Digest of the files of this folder, which decide how kernels are compiled, unseen by a walk over the code."""
    digest = hashlib.sha256()
    for file in sorted(pathlib.Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


# --- files --------------------------------------------------------------------------------------------------------------


def _read(path: pathlib.Path | None) -> bytes | None:
    if path is None:
        return None
    try:
        content = path.read_bytes()
    except OSError:
        return None
    head, payload = content[: len(_MAGIC) + 32], content[len(_MAGIC) + 32 :]
    return payload if head == _MAGIC + hashlib.sha256(payload).digest() else None


def _write(path: pathlib.Path, payload: bytes) -> None:
    content = _MAGIC + hashlib.sha256(payload).digest() + payload
    try:
        write_whole(path, lambda file: file.write(content), durable=False)
    except OSError as error:  # a full disk costs us the cache, not the answer
        log.info("kernel cache: %s", error)


def _pickler(buffer: io.BytesIO, structure_types: list[Any]) -> Any:
    """A pickler that writes the signature's structure types as their position in it.

    They are made anew in every process, and their classes may live in `__main__`, where pickling by name cannot find them.
    """
    from numba.core.serialize import NumbaPickler

    positions = {id(value): position for position, t in enumerate(structure_types) for value in (t, t.instance_class, type(t))}
    kinds = {id(value): kind for t in structure_types for kind, value in enumerate((t, t.instance_class, type(t)))}

    class Pickler(NumbaPickler):
        def persistent_id(self, value: Any) -> Any:
            return (positions[id(value)], kinds[id(value)]) if id(value) in positions else None

    return Pickler(buffer, protocol=4)


class _Unpickler(pickle.Unpickler):
    def __init__(self, buffer: io.BytesIO, structure_types: list[Any]) -> None:
        super().__init__(buffer)
        self.structure_types = structure_types

    def persistent_load(self, reference: Any) -> Any:
        position, kind = reference
        t = self.structure_types[position]
        return (t, t.instance_class, type(t))[kind]
