"""`bestfirst generate`: random instances; the options are the parameters of the problem's own generator."""

from __future__ import annotations

import inspect
import typing
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import Parameter

from bestfirst import catalogue
from bestfirst.cli import streams
from bestfirst.cli.failures import Failure
from bestfirst.cli.options import Flag

if TYPE_CHECKING:
    from cyclopts import App

_HELP = """\
Usage: bestfirst generate PROBLEM [OPTIONS]

Make random instances in judge format, the same for the same seed.

Example: bestfirst generate flood-it --seed 7 --rows 10 --count 3

The options depend on the problem: bestfirst generate PROBLEM --help
The problems: bestfirst list
"""


def generate(*arguments: Annotated[str, Parameter(allow_leading_hyphen=True)]) -> int | None:
    """Make random instances in judge format, the same for the same seed; --help after PROBLEM shows its options."""
    from bestfirst.cli import program

    if arguments[:1] in (("--help",), ("-h",)):
        streams.out(_HELP)
        return None
    if not arguments or arguments[0].startswith("-"):
        raise Failure("which problem? as in: bestfirst generate flood-it --seed 7")
    entry = catalogue.find(arguments[0])
    app = _app(entry, catalogue.module(entry))
    if not {"--help", "-h"}.isdisjoint(arguments):
        streams.out(program.help_text(app, []))
        return None
    return program.call(app, list(arguments[1:]), f"bestfirst generate {entry.slug}")


def _app(entry: catalogue.Entry, module: ModuleType) -> App:
    """A command whose options are ours and those of the problem's generator."""
    from cyclopts import App

    def command(**options: Any) -> None:
        _generate(module, **options)

    command.__signature__ = inspect.Signature([*_own_options().values(), *_parameters(module)])  # type: ignore[attr-defined]
    command.__doc__ = f"Make instances of {entry.slug} in judge format, the same for the same seed.\n\n{_description(module)}"
    app = App(
        name=f"bestfirst generate {entry.slug}",
        help_format="plaintext",
        help_flags=[],
        version_flags=[],
        suppress_keyboard_interrupt=False,
    )
    app.default(command)
    return app


def _own_options() -> dict[str, inspect.Parameter]:
    """The keyword parameters of `_generate`, which every problem has."""
    parameters = inspect.signature(_generate, eval_str=True).parameters.items()
    return {name: option for name, option in parameters if option.kind is inspect.Parameter.KEYWORD_ONLY}


def _parameters(module: ModuleType) -> list[inspect.Parameter]:
    """The parameters of the problem's generator as options."""
    kinds = typing.get_type_hints(module.generate, include_extras=True)
    own = _own_options()
    return [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=_option_kind(kinds[name]))
        for name, parameter in inspect.signature(module.generate).parameters.items()
        if name not in own
    ]


def _option_kind(kind: Any) -> Any:
    """`kind`, without the --empty-… that cyclopts adds for tuples; yes or no keeps its --no-…"""
    return kind if bool in (kind, *typing.get_args(kind)) else Annotated[kind, Parameter(negative=())]


def _description(module: ModuleType) -> str:
    """What the generator's docstring says beyond what it raises."""
    text = " ".join(inspect.cleandoc(module.generate.__doc__ or "").split())
    return text.split(" Raises ValueError")[0]


def _generate(
    module: ModuleType,
    *,
    seed: Annotated[int, Parameter(help="Chooses the instance.")] = 1,
    count: Annotated[int, Parameter(help="How many instances, with this seed and the following ones.")] = 1,
    json: Annotated[bool, Flag, Parameter(help="Print each instance as a line of JSON.")] = False,
    **parameters: Any,
) -> None:
    if count < 0:
        raise Failure(f"--count is {count}, it must not be negative")
    cases = "listed" if json else getattr(module, "CASES", "listed")
    if cases == "single" and count > 1:
        raise Failure("this judge format holds one case; generate several with --json, or one by one with --seed")
    if cases == "counted":
        streams.out(f"{count}\n")
    for number in range(seed, seed + count):
        try:
            instance = module.generate(number, **parameters)
            text = msgspec.json.encode(instance).decode() + "\n" if json else module.write_instance(instance)
        except ValueError as error:
            raise Failure(f"seed {number}: {error}") from None
        streams.out(text.partition("\n")[2] if cases == "counted" else text)
