"""Exact cover: choose options so that every primary item is covered exactly once and every secondary item at most once.

item       what is to be covered: any hashable label
option     a set of items, given by its place in the input, 0, 1, 2, …

A depth-first search branches on the item with the fewest options left (the first of them in the order of the items) and tries
its options in ascending order. Two kernels walk this same tree, one with bit sets, one with dancing links; see their modules.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain
from time import perf_counter
from typing import Any, Unpack

import numpy as np

from bestfirst.control import FULL, PAUSED, RunOptions, next_slice, run, takes_run_options
from bestfirst.result import Solution
from bestfirst.search.compiled import GENERATED
from bestfirst.search.cover import COUNT, FIRST, LIST, Cover, CoverSearch
from bestfirst.search.cover_links import LinkSearch
from bestfirst.search.cover_masks import MaskSearch

Options = Iterable[Iterable[Hashable]]
Items = Iterable[Hashable]

_MAX_ENTRIES = (1 << 31) - 1


@takes_run_options
def exact_cover(
    options: Any, *, primary: Items | None = None, secondary: Items = (), **run_options: Unpack[RunOptions]
) -> Solution:
    """Find options that cover every primary item exactly once and every secondary item at most once.

    `options`: an iterable of options, each an iterable of items; or a SciPy CSR matrix with a row for each option and a column
    for each item, whose items are column numbers.
    `primary`: the items that must be covered. By default all that occur in options (all columns) and are not secondary; give them
    where some may occur in no option, since then there is no cover.
    `secondary`: the items that may be covered, but at most once.

    `solution.moves` are the chosen options, in the order in which the search took them; `solution.cost` is their number. The
    first cover met is returned: the order of items is that of `primary`, or else that of their first appearance (of the columns),
    the search branches on the first item among those with the fewest options left, and tries options in ascending order. So the
    answer is fixed, but it need not have the fewest options, nor be lexicographically first. `status` is `infeasible` when it is
    proved that there is no cover; `optimal` when no cover can have fewer options, as always when all options have equally many
    primary items; else `feasible`.

    Exponential time; memory O(options × depth × items / 64) with bit sets, O(entries) with dancing links. `solution.why` says
    which was used: bit sets where taking an option would touch at least as many entries of lists as the bit sets have words.

    Raises TypeError for options that are not iterables of hashable items; ValueError for an option that names an item twice or an
    unknown one, or that has no primary item (nothing would decide whether to take it); Interrupted on Ctrl-C.
    Source: D. E. Knuth, The Art of Computer Programming 7.2.2.1 (the problem, the branching rule, dancing links).
    """
    return run(_search(options, primary, secondary, FIRST, run_options), run_options)


@takes_run_options
def count_exact_covers(
    options: Any, *, primary: Items | None = None, secondary: Items = (), **run_options: Unpack[RunOptions]
) -> Solution:
    """Count the exact covers; arguments and errors as for `exact_cover`.

    `solution.count` is their number, or, when `solution.stopped_by` is set, the number met until then: a lower bound.
    `solution.moves` is a cover with the fewest options, the first of those in the order of the search (proved when not stopped).
    """
    return run(_search(options, primary, secondary, COUNT, run_options), run_options)


def exact_covers(
    options: Any, *, primary: Items | None = None, secondary: Items = (), compiled: bool | None = None
) -> Iterator[tuple[int, ...]]:
    """All exact covers, one after another, as `exact_cover` gives them in `moves`; arguments and errors as there.

    The search goes on while the iterator is asked for more. Two covers never consist of the same options.
    """
    return _listed(_search(options, primary, secondary, LIST, {"compiled": compiled}))


def _listed(search: CoverSearch) -> Iterator[tuple[int, ...]]:
    outcome, nodes = PAUSED, search.first_slice
    while outcome == PAUSED:
        before, clock = int(search.counters[GENERATED]), perf_counter()
        outcome = search.advance(before + nodes)
        nodes = next_slice(nodes, int(search.counters[GENERATED]) - before, perf_counter() - clock)
        if outcome == FULL:
            search.grow(None)
            outcome = PAUSED
        yield from search.listed()


def _search(options: Any, primary: Items | None, secondary: Items, mode: int, run_options: RunOptions) -> CoverSearch:
    cover = read_cover(options, primary, secondary)
    words = (len(cover.starts) - 1) * -(-cover.n // 64)
    search: CoverSearch
    if entries_touched(cover) >= words:
        search = MaskSearch(cover, mode, run_options)
        search.why = "bit sets: an option shares items with so many others that whole words are faster than single entries"
    else:
        search = LinkSearch(cover, mode, run_options)
        search.why = "dancing links: an option shares items with few others"
    return search


def entries_touched(cover: Cover) -> int:
    """About how many entries dancing links take out of their lists for one option, on the average, before any is chosen."""
    sizes = np.diff(cover.starts)
    option = cover.option_of_entry()
    of_item = np.bincount(cover.items, (sizes - 1)[option], minlength=cover.n)  # entries taken out when the item is covered
    return int(of_item[cover.items].sum()) // max(1, len(sizes))


# --- reading --------------------------------------------------------------------------------------------------------------


def read_cover(options: Any, primary: Items | None, secondary: Items) -> Cover:
    """Number the items, primary ones first, and check the options."""
    required = None if primary is None else _labels(primary, "primary")
    optional = _labels(secondary, "secondary")
    if required is not None and set(required) & set(optional):
        raise ValueError(f"the item {min(set(required) & set(optional), key=repr)!r} is both primary and secondary")
    if hasattr(options, "indptr"):
        rows, starts, known = _matrix(options)
        unknown = [label for label in chain(required or (), optional) if label not in range(known)]
        if unknown:
            raise ValueError(f"there is no column {unknown[0]!r}; the matrix has {known}")
        labels: list[Hashable] = list(range(known))
    else:
        rows, starts, labels = _rows(options)
    if required is None:
        required = [label for label in labels if label not in set(optional)]
    number = {label: i for i, label in enumerate(chain(required, optional))}
    n = len(number)
    if len(rows) + n > _MAX_ENTRIES:
        raise ValueError(f"{len(rows):,} items in options are too many; there can be {_MAX_ENTRIES:,}")
    renumbered = np.array([number.get(label, -1) for label in labels], np.int32)
    cover = Cover(renumbered[rows].astype(np.int32), starts, len(required), n)
    _check(cover, rows, labels)
    return cover


def _labels(value: Items, what: str) -> list[Hashable]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise TypeError(f"{what} is an iterable of items, not {type(value).__name__}")
    try:
        return list(dict.fromkeys(value))
    except TypeError as error:
        raise TypeError(f"the items of {what} must be hashable: {error}") from None


def _rows(options: Options) -> tuple[np.ndarray, np.ndarray, list[Hashable]]:
    """Options as entries and starts, with the items numbered in order of appearance; and the items."""
    if isinstance(options, (str, bytes)) or not isinstance(options, Iterable):
        raise TypeError(f"options must be an iterable of options, not {type(options).__name__}")
    number: dict[Hashable, int] = {}
    entries: list[int] = []
    starts = [0]
    for o, option in enumerate(options):
        if isinstance(option, (str, bytes)) or not isinstance(option, Iterable):
            raise TypeError(f"option {o} must be an iterable of items, not {type(option).__name__}")
        try:
            entries.extend(number.setdefault(item, len(number)) for item in option)
        except TypeError as error:
            raise TypeError(f"the items of option {o} must be hashable: {error}") from None
        starts.append(len(entries))
    return np.array(entries, np.int64), np.array(starts, np.int64), list(number)


def _matrix(matrix: Any) -> tuple[np.ndarray, np.ndarray, int]:
    """The same of a SciPy CSR matrix; and the number of columns."""
    if getattr(matrix, "format", None) != "csr":
        raise TypeError("the matrix must be in the CSR format: call its method tocsr()")
    option = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    is_stored = np.asarray(matrix.data) != 0
    sizes = np.bincount(option[is_stored], minlength=matrix.shape[0])
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return np.asarray(matrix.indices)[is_stored].astype(np.int64), starts, int(matrix.shape[1])


def _check(cover: Cover, rows: np.ndarray, labels: list[Hashable]) -> None:
    option = cover.option_of_entry()
    unknown = np.flatnonzero(cover.items < 0)
    if len(unknown):
        e = unknown[0]
        raise ValueError(f"option {option[e]} names the item {labels[rows[e]]!r}, which is neither primary nor secondary")
    order = np.lexsort((cover.items, option))
    again = np.flatnonzero((np.diff(option[order]) == 0) & (np.diff(cover.items[order]) == 0))
    if len(again):
        e = order[again[0]]
        raise ValueError(f"option {option[e]} names the item {labels[rows[e]]!r} twice")
    of_primary = np.bincount(option[cover.items < cover.primary], minlength=len(cover.starts) - 1)
    idle = np.flatnonzero(of_primary == 0)
    if len(idle):
        raise ValueError(f"option {idle[0]} has no primary item, so nothing would decide whether to take it")
