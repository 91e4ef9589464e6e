"""Benchmarks: effort and time beside peers and hand-written C++, as JSON and as a page."""
