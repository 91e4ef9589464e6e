"""Write files whole or not at all."""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
from collections.abc import Callable
from typing import BinaryIO


def write_whole(path: pathlib.Path, write: Callable[[BinaryIO], object], *, private: bool = True, durable: bool = True) -> None:
    """Let `write` fill a file beside `path`, then rename it: `path` holds what it held before or all of the new file.

    `private`: nobody else may read it; otherwise it gets the mode of any new file. `durable`: it lies on the disk before it takes
    the place of the old one, so that a power cut leaves one of them. Raises OSError, and what `write` raises.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if not private:
            os.chmod(temporary, _usual_mode())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _usual_mode() -> int:
    """The mode of a new file; a temporary one is private otherwise."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
