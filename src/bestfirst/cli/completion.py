"""`bestfirst --install-completion`: completion for the user's shell."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from bestfirst.cli import program, streams
from bestfirst.cli.failures import Failure, cannot


def install(
    shell: Annotated[Literal["zsh", "bash", "fish"] | None, Parameter(help="The shell, when it cannot be told.")] = None,
) -> None:
    """Write the completion script of your shell and load it when the shell starts."""
    try:
        path = program.app().install_completion(shell=shell, add_to_startup=True)
    except OSError as error:
        raise cannot("install the completion", error) from None
    except Exception as error:  # cyclopts: the shell is not known
        raise Failure(f"{error}; name it: bestfirst --install-completion --shell bash") from None
    streams.out(f"Completion is installed in {path}; it works in shells started from now on.\n")
