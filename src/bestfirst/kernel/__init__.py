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
    structure,
    trailing_zeros,
    unsigned,
    wrapping_multiply,
)

__all__ = [
    "Int",
    "Kernel",
    "as_move",
    "exact",
    "integer",
    "interpreting",
    "is_interpreting",
    "kernel",
    "population_count",
    "structure",
    "trailing_zeros",
    "unsigned",
    "wrapping_multiply",
]
