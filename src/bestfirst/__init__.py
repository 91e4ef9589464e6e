"""Exact search in Python: fewest, cheapest, best – proved."""

__version__ = "0.1.0"
