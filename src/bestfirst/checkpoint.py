"""A search in a file: written atomically, checked when read, refused when it belongs to something else."""

from __future__ import annotations

import json
import pathlib
from typing import Any, NamedTuple

import numpy as np

from bestfirst.files import write_whole

#: Version of the file's layout; a file of another version is refused.
FORMAT = 1

INTERVAL_SECONDS = 60.0

_HEADER = "header"


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message says why."""


class Snapshot(NamedTuple):
    """A search as data: `header` is JSON-able and says what it belongs to, `arrays` is its working memory."""

    header: dict[str, Any]
    arrays: dict[str, np.ndarray]


def store(snapshot: Snapshot, path: pathlib.Path, *, private: bool = True) -> None:
    """Write a snapshot so that `path` holds either the old file or the whole new one. Raises OSError."""
    header = json.dumps({"format": FORMAT, **snapshot.header}).encode()
    arrays: dict[str, Any] = {_HEADER: np.frombuffer(header, np.uint8), **snapshot.arrays}
    write_whole(path, lambda file: np.savez(file, **arrays), private=private)


def load(path: pathlib.Path, what: str = "checkpoint") -> Snapshot:
    """Read a snapshot. Raises CheckpointError when the file is missing, damaged or of another version."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as members:
            arrays = {name: members[name] for name in members.files}
        header = dict(json.loads(arrays.pop(_HEADER).tobytes()))
    except FileNotFoundError:
        raise CheckpointError(f"there is no {what} {path}") from None
    except Exception:  # a damaged archive fails in a dozen ways, down to the tokenizer
        raise CheckpointError(f"{path} is not a bestfirst {what}, or is damaged") from None
    if header.get("format") != FORMAT:
        raise CheckpointError(f"{path} has format {header.get('format')}, this version of bestfirst reads {FORMAT}")
    return Snapshot(header, arrays)


def engine_of(path: pathlib.Path) -> str:
    """The engine that a checkpoint belongs to. Raises CheckpointError as `load` does."""
    return str(load(path).header.get("engine"))


def require_equal(snapshot: Snapshot, expected: dict[str, Any]) -> None:
    """Refuse a snapshot whose header differs from `expected` in any entry; the message names the first."""
    for name, value in expected.items():
        found = snapshot.header.get(name)
        if found != value:
            raise CheckpointError(
                _MISMATCH.get(name, "the checkpoint differs in {name}: {found!r}, not {value!r}").format(
                    name=name, found=found, value=value
                )
            )


_MISMATCH = {
    "version": "the checkpoint was written by bestfirst {found}, this is {value}: search anew",
    "engine": "the checkpoint belongs to the engine {found}, not {value}",
    "problem": "the checkpoint belongs to another problem (its rules or its data differ)",
    "start": "the checkpoint belongs to another start state",
}
