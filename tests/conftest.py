"""Settings for all tests, and what several files of them use."""

import os
import pathlib
import subprocess
import sys

import pytest
from hypothesis import settings

settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=60)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

TESTS = pathlib.Path(__file__).parent


def pytest_runtest_setup(item):
    from bestfirst.kernel import is_interpreting

    if is_interpreting() and item.get_closest_marker("compiled_only"):
        pytest.skip("takes minutes in the interpreter")


@pytest.fixture
def rome():
    """The road network of Rome of the 9th DIMACS challenge; BESTFIRST_DATA names the folder that has road/rome99.gr."""
    from bestfirst.formats.dimacs import read_graph

    file = pathlib.Path(os.environ.get("BESTFIRST_DATA", "")) / "road" / "rome99.gr"
    if not file.exists():
        pytest.skip("the folder BESTFIRST_DATA has no road/rome99.gr")
    return read_graph(file)


@pytest.fixture
def python(tmp_path):
    """Run a script in a process of its own, with a cache folder of its own; returns what it printed."""

    def run(script, *, expect=0, path=(), **environment):
        return finish(start(script, path=path, **environment), expect)

    started = []

    def start(script, *, path=(), **environment):
        folders = os.pathsep.join(map(str, (*path, TESTS, TESTS.parent / "src")))
        given = {"BESTFIRST_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": folders, **environment}
        variables = {name: value for name, value in {**os.environ, **given}.items() if value is not None}
        argument = [str(script)] if isinstance(script, pathlib.Path) else ["-c", script]
        command = [sys.executable, "-W", "error", *argument]
        process = subprocess.Popen(command, env=variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        started.append(process)
        return process

    def finish(process, expect=0):
        try:
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
        assert process.returncode == expect, err
        return out + err

    run.start, run.finish = start, finish
    yield run
    for process in started:  # after a failure in between
        if process.returncode is None:
            process.kill()
            process.communicate()
