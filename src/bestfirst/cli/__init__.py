"""The command line. Importing it loads next to nothing; each command loads what it needs when it is called."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with these arguments (those of the process when None) and return the exit code."""
    import sys

    from bestfirst.cli import interrupts, program, streams

    streams.prepare()
    with interrupts.watching():
        code = program.run(list(sys.argv[1:] if arguments is None else arguments))
    streams.finish()
    return code
