"""`bestfirst cache`: the compiled kernels on disk, and tables that problems keep beside them."""

from __future__ import annotations

import inspect
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from bestfirst import catalogue
from bestfirst.cli import interrupts, running, streams
from bestfirst.cli.failures import Failure

#: Enough nodes to have called what a search calls.
_NODES = 2000


def cache(
    action: Annotated[Literal["warm", "clear", "info"], Parameter(help="What to do.")],
    /,
    *problems: Annotated[str, Parameter(help="warm: only these problems.")],
) -> int:
    """Compile the kernels of the PROBLEMS (all when none is named) ahead of their first use; or delete all kernels and the tables
    kept beside them; or say how many there are and where.

    Example: bestfirst cache warm flood-it
    """
    if action == "warm":
        return _warm([catalogue.find(name) for name in problems] or list(catalogue.REGISTER))
    from bestfirst.kernel import cache as kernels

    try:
        info = kernels.clear() if action == "clear" else kernels.info()
    except OSError as error:
        raise Failure(str(error)) from None
    did = "deleted " if action == "clear" else ""
    kernels_there = f"{info.kernels} {'kernel' if info.kernels == 1 else 'kernels'}"
    tables_there = f", {info.tables} {'table' if info.tables == 1 else 'tables'}" if info.tables else ""
    amount = f"{kernels_there}{tables_there}, {running.short_bytes(info.bytes)}"
    streams.out(f"{did}{amount} in {info.folder or 'no folder: none can be written'}\n")
    return 0


def _warm(entries: list[catalogue.Entry]) -> int:
    from bestfirst.kernel import cache as kernels
    from bestfirst.result import Limits

    for entry in entries:
        hits, misses = kernels.counts.hits, kernels.counts.misses
        module = catalogue.module(entry)
        instance = module.generate(1)
        for options in _variants(module):
            running.search(module, instance, entry.slug, limits=Limits(nodes=_NODES), **options)
            if interrupts.exit_code() is not None:
                return interrupts.exit_code() or 130
        compiled, found = kernels.counts.misses - misses, kernels.counts.hits - hits
        streams.out(f"{entry.slug}: {compiled} compiled, {found} were there\n")
    return 0


def _variants(module: Any) -> list[dict[str, Any]]:
    """Ways to call the search that may need kernels of their own."""
    variants: list[dict[str, Any]] = [{}]
    if "ties" in inspect.signature(module.search).parameters:
        variants.append({"ties": "any"})
    return [*variants, *({"without": (name,)} for name in module.PRUNINGS)]
