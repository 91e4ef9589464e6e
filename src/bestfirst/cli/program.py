"""The commands, and the one place where whatever goes wrong becomes a message and an exit code."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from bestfirst.cli import interrupts, streams
from bestfirst.cli.failures import ExitCode, Failure

if TYPE_CHECKING:
    from cyclopts import App


class Command(NamedTuple):
    """A command: the function that runs it (module:function, loaded when called), how to call it, what it does."""

    function: str
    usage: str
    help: str


COMMANDS = {
    "list": Command("bestfirst.cli.list_problems:list_problems", "[WORDS]", "the problems of the catalogue"),
    "show": Command("bestfirst.cli.show:show", "PROBLEM [FILE]", "the rules in short, or instances drawn"),
    "solve": Command("bestfirst.cli.solve:solve", "PROBLEM [FILE]", "best answers to the instances of a file"),
    "check": Command("bestfirst.cli.check:check", "PROBLEM INPUT OUTPUT", "is this output right, and is it best?"),
    "generate": Command("bestfirst.cli.generate:generate", "PROBLEM [OPTIONS]", "random instances, the same for the same seed"),
    "rate": Command("bestfirst.cli.rate:rate", "PROBLEM [FILE]", "how hard instances are, where the problem knows"),
    "explain": Command("bestfirst.cli.explain:explain", "PROBLEM [FILE]", "what each pruning saves"),
    "cache": Command("bestfirst.cli.cache:cache", "warm|clear|info", "the compiled kernels on disk"),
}

_START = """\
bestfirst finds best answers, and proves that there is none better.

Try first:
  bestfirst list                                    the problems that it knows
  bestfirst show flood-it                           what one of them is about
  bestfirst generate flood-it --seed 1 > board.txt  make an instance
  bestfirst solve flood-it board.txt --steps        solve it and watch

Then: bestfirst --help
"""


def run(arguments: Sequence[str]) -> int:
    """Run one command; return the exit code. Nothing is raised and no traceback printed."""
    try:
        return _run(arguments)
    except Failure as failure:
        streams.say(f"bestfirst: {failure}")
        return failure.code
    except BrokenPipeError:
        return ExitCode.CLOSED_PIPE
    except streams.OutputError as error:
        reason = os.strerror(error.__cause__.errno or 0) if isinstance(error.__cause__, OSError) else error.__cause__
        streams.say(f"bestfirst: cannot write to standard output: {reason}")
        return ExitCode.BAD_INPUT
    except KeyboardInterrupt:
        streams.say("bestfirst: interrupted")
        return interrupts.exit_code() or 130
    except MemoryError:
        streams.say("bestfirst: out of memory; with --memory 2G, say, a search stops in time and tells what it knows")
        return ExitCode.LIMIT
    except Exception as error:
        return _explain(error, "-v" in arguments or "--verbose" in arguments)
    finally:
        streams.erase_status()


def _run(arguments: Sequence[str]) -> int:
    if not arguments:
        streams.out(_START)
        return ExitCode.ANSWERED
    first = arguments[0]
    if first in ("--help", "-h", "help") and len(arguments) == 1:
        streams.out(_overview())
        return ExitCode.ANSWERED
    if first == "--version":
        from bestfirst import __version__

        streams.out(f"bestfirst {__version__}\n")
        return ExitCode.ANSWERED
    if first == "help":
        arguments = [arguments[1], "--help"]
    elif first.startswith("-") and first != "--install-completion":
        raise Failure(f"unknown option {first}; options come after the command, as in: bestfirst solve flood-it --stats")
    return _run_command(list(arguments))


def _run_command(arguments: list[str]) -> int:
    name = arguments[0]
    if name not in COMMANDS and not name.startswith("-"):
        import difflib

        near = difflib.get_close_matches(name, COMMANDS, n=2, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(COMMANDS)}"
        raise Failure(f"there is no command {name!r}; {hint}")
    commands = app()
    if name != "generate" and not {"--help", "-h"}.isdisjoint(arguments):
        streams.out(help_text(commands, [name]))
        return ExitCode.ANSWERED
    return call(commands, arguments, f"bestfirst {name}")


def call(app: App, arguments: list[str], name: str) -> int:
    """Parse the arguments and run the command; `name` stands in the complaint about bad ones."""
    from cyclopts import CycloptsError

    tokens = ["/dev/stdin" if argument == "-" else argument for argument in arguments]  # cyclopts takes - for an option
    try:
        code: int | None = app(tokens, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        message = " ".join(str(error).split())
        raise Failure(f"{message}{'' if message[-1:] in '.?' else '.'} See: {name} --help") from None
    return ExitCode.ANSWERED if code is None else code


def help_text(app: App, tokens: list[str]) -> str:
    """What --help prints for the command that the tokens name."""
    import inspect
    import io
    import shutil

    from rich.console import Console

    command = app[tokens[0]] if tokens else app
    command.help = _unwrapped(inspect.cleandoc(command.help))
    width = max(40, min(shutil.get_terminal_size((100, 24)).columns, 120))
    buffer = io.StringIO()
    app.help_print(tokens, console=Console(file=buffer, width=width))
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def _unwrapped(text: str) -> str:
    """The text with each paragraph on a line of its own, to be broken where the terminal ends."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def app() -> App:
    """All commands, none of them loaded: cyclopts parses, completes and writes help."""
    from cyclopts import App

    commands = App(
        name="bestfirst",
        help="Best answers, proved.",
        help_format="plaintext",
        version_flags=[],
        suppress_keyboard_interrupt=False,
    )
    for name, command in COMMANDS.items():
        if name == "generate":  # its --help depends on the problem
            commands.command(command.function, name=name, help_flags=[])
        else:
            commands.command(command.function, name=name)
    commands.command("bestfirst.cli.completion:install", name="--install-completion")
    return commands


def _overview() -> str:
    calls = [(f"{name} {command.usage}", command.help) for name, command in COMMANDS.items()]
    calls.append(("COMMAND --help", "the options of a command, with examples"))
    calls.append(("--version", "the version"))
    calls.append(("--install-completion", "let the shell complete commands and options"))
    lines = "".join(f"  bestfirst {call:28}  {what}\n" for call, what in calls)
    return (
        f"Usage: bestfirst COMMAND …\n\nBest answers, and the proof that there is none better.\n\n{lines}\n"
        "PROBLEM is a number, a name or a Chinese title: 194, flood-it, 涂满它. FILE is a path, or - for standard input.\n"
        "Exit codes: 0 answered, 1 a fault found, 2 bad usage or input, 3 stopped at a limit, 130 interrupted.\n"
    )


def _explain(error: Exception, verbose: bool) -> int:
    from bestfirst.catalogue import UnknownProblem

    if isinstance(error, UnknownProblem):
        streams.say(f"bestfirst: {error}")
        return ExitCode.BAD_INPUT
    streams.say(f"bestfirst: internal error: {type(error).__name__}: {error}")
    if verbose:
        import traceback

        streams.say("".join(traceback.format_exception(error)).rstrip())
    else:
        streams.say("bestfirst: this is a fault of bestfirst, not yours; -v shows where it is")
    return ExitCode.BUG
