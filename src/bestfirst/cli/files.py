"""Read instances and answers, in judge format or JSON, and write files whole or not at all.

JSON may be one value, a list, or values one after another (JSON lines); a text is JSON when it begins with `{` or `[`. Every
complaint names the file and the place in it.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import msgspec

from bestfirst.cli import streams
from bestfirst.cli.failures import Failure, cannot
from bestfirst.files import write_whole as write_atomically
from bestfirst.formats.tokens import InputError

#: Paths that stand for standard input, on every system.
STANDARD_INPUT = ("-", "/dev/stdin")

_BLANKS = re.compile(r"\s*")


class Text(NamedTuple):
    """What was read, the name of the file for messages, and whether --no-leading-zeros holds for all instances in it."""

    name: str
    text: str
    no_leading_zeros: bool

    @property
    def is_json(self) -> bool:
        """Whether it looks like JSON."""
        return self.text.lstrip()[:1] in ("{", "[")


class Case(NamedTuple):
    """An instance and its place in the input."""

    instance: Any
    number: int  #: from 1
    alone: bool  #: there is no other case
    file: str

    @property
    def name(self) -> str:
        """How messages call it."""
        return self.file if self.alone else f"{self.file}: case {self.number}"


def read_text(path: str, no_leading_zeros: bool = False) -> Text:
    """Read a file, or standard input when the path is `-`, as UTF-8; a byte order mark is dropped."""
    is_standard = path in STANDARD_INPUT
    name = "standard input" if is_standard else path
    try:
        content = streams.read_standard_input() if is_standard else pathlib.Path(path).read_bytes()
    except OSError as error:
        raise cannot(f"read {name}", error) from None
    except ValueError as error:  # a zero byte in the path
        raise Failure(f"cannot read {name!r}: {error}") from None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        message = f"byte 0x{content[error.start]:02x} is not UTF-8 text"
        raise Failure(f"{name}: {InputError(message, line, column)}") from None
    return Text(name, text.removeprefix("\ufeff"), no_leading_zeros)


def cases(module: ModuleType, source: Text) -> Iterator[Case]:
    """Yield the instances of a text; the complaint about a bad one comes when all before it have been yielded.

    Raises Failure for --no-leading-zeros where the problem knows nothing of it.
    """
    instances = _instances(module, source)
    if source.no_leading_zeros:
        if "leading_zeros" not in module.Instance.__struct_fields__:
            raise Failure(f"{module.Instance.__struct_config__.tag} has no --no-leading-zeros")
        instances = (msgspec.structs.replace(instance, leading_zeros=False) for instance in instances)
    following = next(instances, None)
    number, bad = 0, None
    while following is not None:
        instance, number = following, number + 1
        try:
            following = next(instances, None)
        except Failure as failure:
            following, bad = None, failure
        yield Case(instance, number, number == 1 and following is None and bad is None, source.name)
    if bad is not None:
        raise bad


def single_case(module: ModuleType, source: Text, why: str) -> Case:
    """The only instance of a text; a Failure, which says why one is needed, when there are more or none."""
    found = list(cases(module, source))
    if len(found) != 1:
        raise Failure(f"{source.name}: {why} needs exactly one case, here are {len(found)}")
    return found[0]


def answers(module: ModuleType, source: Text, instances: Sequence[Any]) -> list[Any]:
    """The answers of a text, one for each instance. Raises Failure where they are not."""
    if not source.is_json:
        try:
            found: list[Any] = module.read_answers(source.text, instances)
        except ValueError as error:
            raise Failure(f"{source.name}: {error}") from None
        return found
    known = {"problem", *module.Answer.__struct_fields__}
    found = []
    for value in _json_values(source):
        fields = {k: v for k, v in value.items() if k in known} if isinstance(value, dict) else value
        found.append(_convert(fields, module.Answer, f"{source.name}: answer {len(found) + 1}"))
    if len(found) != len(instances):
        raise Failure(f"{source.name}: there are {len(found)} answers for {len(instances)} cases")
    return found


def write_whole(path: str, text: str) -> None:
    """Write a file so that there is the whole one, or what was there before. Raises Failure."""
    target = pathlib.Path(path)
    if is_device(path):
        _write_plainly(target, text)
        return
    try:
        write_atomically(target, lambda file: file.write(text.encode()), private=False, durable=False)
    except OSError as error:
        raise cannot(f"write {path}", error) from None


def is_device(path: str) -> bool:
    """Whether the path is something that cannot be replaced by a file, such as /dev/null."""
    return os.path.exists(path) and not os.path.isfile(path)


def _write_plainly(target: pathlib.Path, text: str) -> None:
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise cannot(f"write {target}", error) from None


# --- instances ----------------------------------------------------------------------------------------------------------


def _instances(module: ModuleType, source: Text) -> Iterator[Any]:
    if source.is_json:
        for number, value in enumerate(_json_values(source), 1):
            yield _convert(value, module.Instance, f"{source.name}: case {number}")
        return
    try:
        yield from module.read(source.text)
    except ValueError as error:
        raise Failure(f"{source.name}: {error}") from None


def _convert(value: Any, kind: Any, name: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise Failure(f"{name}: {error}") from None
    except RecursionError:
        raise Failure(f"{name}: nested too deeply") from None


def _json_values(source: Text) -> Iterator[Any]:
    """The JSON values of a text, lists opened."""
    decoder, text = json.JSONDecoder(), source.text
    position = 0
    while True:
        position = _BLANKS.match(text, position).end()  # type: ignore[union-attr]  # it always matches
        if position == len(text):
            return
        try:
            value, position = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            raise Failure(f"{source.name}: {InputError(f'bad JSON: {error.msg}', error.lineno, error.colno)}") from None
        except ValueError as error:  # a number of thousands of digits
            raise Failure(f"{source.name}: bad JSON: {error}") from None
        except RecursionError:
            raise Failure(f"{source.name}: the JSON is nested too deeply") from None
        yield from value if isinstance(value, list) else [value]
