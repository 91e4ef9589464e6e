"""Compiled kernels on disk, seen from separate processes: hit, miss, never stale, whole under races, damage and lack of room."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import bestfirst
from bestfirst.kernel import cache

pytestmark = pytest.mark.slow  # each test starts several processes that compile

#: A problem as a user has it: a file of one's own that imports another one, and a script that uses both.
MINE = """
from typing import NamedTuple
from bestfirst.kernel import kernel, structure
import helper

FACTOR = 10

@structure
class Thing(NamedTuple):
    size: int

    def value(self, x):
        return helper.scaled(x) * FACTOR + self.size  # what a thing is worth

@kernel
def work(thing, x):
    return thing.value(x)

def unrelated():
    return 1
"""

HELPER = """
from bestfirst.kernel import kernel

STEP = 100

@kernel
def scaled(x):
    return x + STEP

def other(x):
    return x
"""

SHOW = """
from bestfirst.kernel import cache
print(work(Thing(1), 5), "miss" if cache.counts.misses else "hit" if cache.counts.hits else "none")
"""

SCRIPT = "from mine import Thing, work" + SHOW

MISS, HIT, NONE = "miss", "hit", "none"


@pytest.fixture
def user(tmp_path):
    """A folder with the user's files."""
    folder = tmp_path / "user"
    folder.mkdir()
    (folder / "mine.py").write_text(MINE)
    (folder / "helper.py").write_text(HELPER)
    return folder


@pytest.fixture
def outcome(python, user):
    """What the script prints in a new process: the value, and whether anything had to be compiled for it."""

    def run(script=SCRIPT, path=(), **environment):
        return parsed(python(script, path=(*path, user), **environment))

    return run


def parsed(text):
    value, seen = text.split()
    return int(value), seen


def edit(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    # The same size and, perhaps, the same second: Python's own cache of bytecode must not hide the edit from this test.
    shutil.rmtree(file.parent / "__pycache__", ignore_errors=True)


def kernels(tmp_path):
    return sorted(file.name for file in (tmp_path / "cache").iterdir())


def test_miss_then_hit(outcome):
    assert outcome() == (1051, MISS)
    assert outcome() == (1051, HIT)
    assert outcome() == (1051, HIT)  # from bytecode on disk now


@pytest.mark.parametrize(
    ("file", "old", "new", "value"),
    [
        ("mine.py", "+ self.size", "- self.size", 1049),
        ("mine.py", "FACTOR = 10", "FACTOR = 20", 2101),
        ("helper.py", "x + STEP", "x - STEP", -949),
        ("helper.py", "STEP = 100", "STEP = 200", 2051),
    ],
)
def test_an_edit_that_matters_is_a_miss_and_never_stale(outcome, user, file, old, new, value):
    assert outcome() == (1051, MISS)
    edit(user / file, old, new)
    assert outcome() == (value, MISS)
    edit(user / file, new, old)
    assert outcome() == (1051, HIT)  # content-addressed: the old entry is still there


def test_an_edit_that_does_not_matter_is_a_hit(outcome, user):
    assert outcome() == (1051, MISS)
    edit(user / "mine.py", "# what a thing is worth", "# its price\n")
    edit(user / "mine.py", "return 1", "return 2")
    edit(user / "helper.py", "return x\n", "return -x\n")
    assert outcome() == (1051, HIT)


def test_an_edit_in_the_package_is_a_miss(outcome, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(pathlib.Path(bestfirst.__file__).parent, copy / "bestfirst", ignore=shutil.ignore_patterns("__pycache__"))
    script = """
import numpy as np
from bestfirst.kernel import cache, kernel
from bestfirst.store.state_table import state_table

@kernel
def work(table, words):
    return table.tag(words) >> np.uint64(40)

print(work(state_table(4, 1), np.ones(1, np.uint64)), "miss" if cache.counts.misses else "hit")
"""
    before, seen = outcome(script, path=[copy])
    assert seen == MISS
    assert outcome(script) == (before, HIT)  # the same code elsewhere
    edit(copy / "bestfirst" / "store" / "state_table.py", "0xD6E8FEB86659FD93", "0xD6E8FEB86659FD95")
    after, seen = outcome(script, path=[copy])
    assert seen == MISS
    assert after != before
    edit(copy / "bestfirst" / "kernel" / "compile.py", '"""Compile plain', '"""Compile  plain')
    assert outcome(script, path=[copy]) == (after, MISS)  # the compiling itself: any edit counts


@pytest.mark.slow
def test_processes_that_compile_at_once(python, user, outcome, tmp_path):
    started = [python.start(SCRIPT, path=[user]) for _ in range(4)]
    assert {parsed(python.finish(process))[0] for process in started} == {1051}
    assert [name.partition("-")[0] for name in kernels(tmp_path)] == ["scaled", "work"]
    assert all(name.endswith(".kernel") for name in kernels(tmp_path))
    assert outcome() == (1051, HIT)


@pytest.mark.slow
def test_damaged_entries_are_compiled_anew(outcome, tmp_path):
    assert outcome() == (1051, MISS)
    name = kernels(tmp_path)[1]
    file = tmp_path / "cache" / name
    whole = file.read_bytes()
    half = len(whole) // 2
    for damaged in (
        b"",
        whole[:30],
        whole[:half],
        whole[:half] + b"\x00" + whole[half + 1 :],
        whole + b"x",
        bytes(range(256)) * 40,
    ):
        file.write_bytes(damaged)
        assert outcome() == (1051, MISS)
        assert file.read_bytes() != damaged
    assert outcome() == (1051, HIT)


def test_every_changed_byte_is_seen(tmp_path):
    file = tmp_path / "x"
    cache._write(file, bytes(range(100)))
    assert cache._read(file) == bytes(range(100))
    whole = file.read_bytes()
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        assert cache._read(file) is None
    assert cache._read(tmp_path / "nothing") is None


VERBOSE = "import logging; logging.basicConfig(level=logging.INFO, format='%(name)s: %(message)s')\n"


def test_a_home_that_cannot_be_written(python, user, tmp_path):
    nowhere = {"BESTFIRST_CACHE_DIR": None, "HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/x", "TMPDIR": str(tmp_path)}
    for expected in (MISS, HIT):
        first, *log = python(VERBOSE + SCRIPT, path=[user], **nowhere).splitlines()
        assert parsed(first) == (1051, expected)
        (line,) = [line for line in log if line.startswith("bestfirst.kernel")]  # said once
        assert "/dev/null/x/bestfirst/kernels cannot be written, using" in line
        assert str(next(tmp_path.glob("bestfirst-*"))) in line


NO_TEMPORARY_FOLDER = """
import pathlib, tempfile
def none(*args, **kwargs):
    raise FileNotFoundError("no usable temporary directory")
def homeless(*args, **kwargs):
    raise RuntimeError("Could not determine home directory.")
tempfile.gettempdir = none
pathlib.Path.expanduser = homeless
"""


def test_nothing_can_be_written(python, user):
    nowhere = {"BESTFIRST_CACHE_DIR": "/dev/null/x", "XDG_CACHE_HOME": None}
    out = python(VERBOSE + NO_TEMPORARY_FOLDER + SCRIPT, path=[user], **nowhere)
    assert out.splitlines()[0] == "1051 miss"
    assert out.count("no folder can be written") == 1


def test_a_folder_that_others_may_write_is_not_trusted(outcome, tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    private = {"XDG_CACHE_HOME": str(tmp_path / "home")}
    assert outcome(**private) == (1051, MISS)
    assert kernels(tmp_path) == []
    (tmp_path / "cache").chmod(0o700)
    assert outcome(**private) == (1051, MISS)
    assert len(kernels(tmp_path)) == 2


def test_a_class_in_the_script_itself(python, user):
    script = user / "script.py"
    script.write_text(MINE + SHOW)
    assert parsed(python(script, path=[user])) == (1051, MISS)
    assert parsed(python(script, path=[user])) == (1051, HIT)
    edit(script, "+ self.size", "- self.size")
    assert parsed(python(script, path=[user])) == (1049, MISS)


@pytest.mark.slow
def test_code_that_was_typed_in(outcome):
    """As in a notebook: no file, and a cell may be run again with another definition of the same name."""
    cell = f"import helper\nmine = {MINE!r}\nnamespace = {{'__name__': '__main__'}}\nexec(mine, namespace)"
    cell += "\nwork, Thing = namespace['work'], namespace['Thing']"
    assert outcome(cell + SHOW) == (1051, MISS)
    assert outcome(cell + SHOW) == (1051, HIT)
    again = "\nassert work(Thing(1), 5) == 1051\nexec(mine.replace('+ self.size', '- self.size'), namespace)"
    again += "\nwork, Thing = namespace['work'], namespace['Thing']"
    assert outcome(cell + again + SHOW) == (1049, MISS)
    assert outcome(cell + again + SHOW) == (1049, HIT)
    nameless = cell.replace("'__name__': '__main__'", "")
    assert outcome(nameless + again + SHOW)[0] == 1049


def test_settings_of_numba_that_change_the_code(outcome):
    assert outcome() == (1051, MISS)
    assert outcome(NUMBA_BOUNDSCHECK="1") == (1051, MISS)
    assert outcome(NUMBA_BOUNDSCHECK="1") == (1051, HIT)
    assert outcome() == (1051, HIT)


def test_without_compilation(outcome, tmp_path):
    assert outcome(NUMBA_DISABLE_JIT="1") == (1051, NONE)
    script = """
import numpy as np, bestfirst
from problems import tiles, scrambled
import random
puzzle = tiles(3, 2)
start = scrambled(puzzle, random.Random(2), 20)
engines = (bestfirst.ida_star, bestfirst.a_star, bestfirst.breadth_first)
costs = {engine(puzzle, start, compiled=compiled).cost for engine in engines for compiled in (None, True, False)}
print(len(costs), "none")
"""
    assert outcome(script, NUMBA_DISABLE_JIT="1") == (1, NONE)
    assert not (tmp_path / "cache").exists()


def test_info_and_clear(outcome):
    assert outcome() == (1051, MISS)
    script = """
from bestfirst.kernel import cache
before = cache.clear()
assert (before.kernels, before.bytes > 1000) == (2, True)
assert cache.info()[1:] == (0, 0, 0)
print(1051, "none")
"""
    assert outcome(script) == (1051, NONE)
    assert outcome() == (1051, MISS)


def test_clear_deletes_nothing_elsewhere(tmp_path):
    """With a cache folder that cannot be used, the fallback in use is somebody's: it is left alone."""
    code = """
import os, sys
from bestfirst.kernel import cache
try:
    cache.clear()
except OSError as error:
    print(error)
"""
    environment = {**os.environ, "BESTFIRST_CACHE_DIR": "/dev/null", "XDG_CACHE_HOME": str(tmp_path)}
    keep = tmp_path / "bestfirst" / "kernels" / "mine.kernel"
    keep.parent.mkdir(parents=True)
    keep.write_bytes(b"kernel")
    output = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout
    assert "cannot be used" in output
    assert keep.exists()
