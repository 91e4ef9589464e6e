"""Arguments and options that several commands share, and how their values are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter, Token

if TYPE_CHECKING:
    from bestfirst.result import Limits

_SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_NUMBER = re.compile(r"(\d[\d_]*\.?\d*|\.\d+)(e\+?\d{1,2})?", re.IGNORECASE)


def seconds(text: str) -> float:
    """`30`, `0.5`, `10s`, `2m`, `1h` in seconds. Raises ValueError."""
    number, unit = _split(text)
    if unit not in _SECONDS:
        raise ValueError(f"{text!r} is no time; write 30 or 30s, 500ms, 2m, 1h")
    return number * _SECONDS[unit]


def byte_count(text: str) -> int:
    """`500M`, `2G`, `2GiB`, `1e9` in bytes; K, M, G and T are powers of 1024. Raises ValueError."""
    number, unit = _split(text)
    unit = unit.removesuffix("b").removesuffix("i")
    if unit not in _BYTES:
        raise ValueError(f"{text!r} is no amount of memory; write 500M, 2G, or a number of bytes")
    return int(number * _BYTES[unit])


def whole_number(text: str) -> int:
    """`1000000`, `1_000_000`, `1e6`. Raises ValueError."""
    number, unit = _split(text)
    if unit or number != int(number):
        raise ValueError(f"{text!r} is no whole number; write 1000000, 1_000_000 or 1e6")
    return int(text.replace("_", "")) if text.replace("_", "").isdigit() else int(number)


def _split(text: str) -> tuple[float, str]:
    """A number of 0 or more and the unit behind it, in small letters."""
    match = _NUMBER.match(text.strip())
    if match is None:
        raise ValueError(f"{text!r} does not begin with a number of 0 or more")
    return float(match.group().replace("_", "")), text.strip()[match.end() :].strip().lower()


def converter(parse: Callable[[str], Any]) -> Callable[[Any, Sequence[Token]], Any]:
    """What cyclopts calls for an option whose text is parsed so."""

    def convert(type_: Any, tokens: Sequence[Token]) -> Any:
        return parse(tokens[0].value)

    return convert


ProblemName = Annotated[str, Parameter(help="Number, name or Chinese title: 194, flood-it, 涂满它.")]
InputFile = Annotated[str, Parameter(help="Instances in judge format or JSON; - is standard input.")]
#: An option without a value.
Flag = Parameter(negative=(), show_default=False)
NoLeadingZeros = Annotated[
    bool,
    Parameter(negative=(), show_default=False, help="No word may begin with 0, where the problem has words that are numbers."),
]
Verbose = Annotated[bool, Parameter(name=["--verbose", "-v"], negative=(), show_default=False, help="Show log messages.")]


@Parameter(name="*", group="Limits")
@dataclass(frozen=True)
class LimitOptions:
    """Where a search must stop, for each case anew."""

    time: Annotated[float | None, Parameter(converter=converter(seconds), help="Seconds; or 500ms, 10s, 2m, 1h.")] = None
    nodes: Annotated[int | None, Parameter(converter=converter(whole_number), help="Generated nodes: 1000000 or 1e6.")] = None
    memory: Annotated[int | None, Parameter(converter=converter(byte_count), help="Memory of a search: 500M, 2G.")] = None

    def limits(self) -> Limits:
        """The same as the engines take it."""
        from bestfirst.result import Limits

        return Limits(time=self.time, nodes=self.nodes, memory=self.memory)
