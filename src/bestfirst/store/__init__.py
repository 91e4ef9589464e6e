"""Data structures of the engines: arrays with functions on them, usable inside kernels, each with a `check()`."""
