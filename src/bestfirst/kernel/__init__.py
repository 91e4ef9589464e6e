"""The one place that knows Numba's internals: compiling, dispatch on named tuples, the cache of compiled kernels."""

from bestfirst.kernel.compile import (
    Int,
    Kernel,
    as_move,
    exact,
    integer,
    interpreting,
    is_interpreting,
    kernel,
    population_count,
    require_unchanged,
    structure,
    trailing_zeros,
    truth,
    unsigned,
    wrapping_multiply,
)
from bestfirst.kernel.failures import CompileError, promised, title

__all__ = [
    "CompileError",
    "Int",
    "Kernel",
    "as_move",
    "exact",
    "integer",
    "interpreting",
    "is_interpreting",
    "kernel",
    "population_count",
    "promised",
    "require_unchanged",
    "structure",
    "title",
    "trailing_zeros",
    "truth",
    "unsigned",
    "wrapping_multiply",
]
