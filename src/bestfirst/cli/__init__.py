"""The command line. Importing it loads next to nothing; each command loads what it needs when it is called."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with these arguments and return the exit code.

    Without arguments this is the process: it takes those of the process, and ends it.
    """
    import gc
    import os
    import sys

    if arguments is None:
        gc.disable()  # loading libraries makes many objects and no garbage; a search turns it on again
    try:
        from bestfirst.cli import interrupts, streams

        streams.prepare()
        with interrupts.watching():
            from bestfirst.cli import program

            code = program.run(list(sys.argv[1:] if arguments is None else arguments))
            if arguments is None:
                streams.end_process(code)
    except KeyboardInterrupt:  # before `interrupts` is in charge
        os._exit(130)
    return code
