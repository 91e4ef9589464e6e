"""Graphs in the `.gr` format of the 9th DIMACS implementation challenge.

    c any text                a comment
    p sp VERTICES ARCS        once, before the arcs
    a SOURCE TARGET WEIGHT    an arc; vertices are numbered from 1

A vertex of the file is one less as a vertex of the Graph; edges are numbered from 0 in the order of the file.
"""

from __future__ import annotations

import os
import pathlib
import re

import numpy as np

from bestfirst.formats.tokens import InputError, Tokens, shown
from bestfirst.graphs import MAX_SIZE, Graph
from bestfirst.operations import MAX_COST

_PLAIN_ARC = re.compile(r"a[ \t]+([0-9]{1,13})[ \t]+([0-9]{1,13})[ \t]+([0-9]{1,13})[ \t]*")


def read_graph(path: str | os.PathLike[str]) -> Graph:
    """Read a `.gr` file. Raises OSError, and InputError (a ValueError) that names line and column."""
    return parse_graph(pathlib.Path(path).read_text(encoding="utf-8", errors="replace"))


def parse_graph(text: str) -> Graph:
    """Read the text of a `.gr` file. O(length). Raises InputError, which names line and column."""
    lines = text.removeprefix("\ufeff").splitlines()
    at = 0
    while at < len(lines) and lines[at].split()[:1] in ([], ["c"]):
        at += 1
    n, m = _problem_line(lines, at)
    numbers: list[int] = []
    for number, line in enumerate(lines[at + 1 :], at + 2):
        plain = _PLAIN_ARC.fullmatch(line)
        arc = [*map(int, plain.groups())] if plain else []
        if arc and 0 < arc[0] <= n and 0 < arc[1] <= n and arc[2] <= MAX_COST:
            numbers += arc
        elif line.split()[:1] not in ([], ["c"]):
            numbers += _arc(line, number, n)
    if len(numbers) != 3 * m:
        raise InputError(f"the file announces {m} arcs and has {len(numbers) // 3}", at + 1, 1)
    columns = np.array(numbers, np.int64).reshape(-1, 3).T
    return Graph.from_edges(columns[0] - 1, columns[1] - 1, columns[2], vertices=n)


def _problem_line(lines: list[str], at: int) -> tuple[int, int]:
    if at == len(lines):
        raise InputError("the text ends where the line `p sp VERTICES ARCS` is expected", len(lines) or 1, 1)
    tokens = _tokens(lines[at], at + 1)
    for word in ("p", "sp"):
        token = tokens.take(f"`{word}` of the line `p sp VERTICES ARCS`")
        if token.text != word:
            token.fail(f"expected `{word}` of the line `p sp VERTICES ARCS`, found {shown(token.text)}")
    counts = tokens.take_integer("the number of vertices", 0, MAX_SIZE), tokens.take_integer("the number of arcs", 0, MAX_SIZE)
    _end(tokens)
    return counts


def _arc(line: str, number: int, n: int) -> list[int]:
    """The numbers of one line, checked in full; slow, so it is for lines with something unusual."""
    tokens = _tokens(line, number)
    kind = tokens.take("a line")
    if kind.text != "a":
        kind.fail(f"a line begins with `c` or `a` here, not with {shown(kind.text)}")
    ends = [tokens.take_integer(f"the {what} of the arc", 1, n) for what in ("source", "target")]
    weight = tokens.take_integer("the weight of the arc", 0, MAX_COST)
    _end(tokens)
    return [*ends, weight]


def _tokens(line: str, number: int) -> Tokens:
    """The tokens of one line, which is line `number` of the file."""
    return Tokens("\n" * (number - 1) + line)


def _end(tokens: Tokens) -> None:
    surplus = tokens.peek()
    if surplus is not None:
        surplus.fail(f"the line should end here, found {shown(surplus.text)}")
