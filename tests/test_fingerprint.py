"""The digest of a function changes with everything that its machine code depends on, and with nothing else."""

import sys
import types

import numpy as np
import pytest

from bestfirst.kernel.fingerprint import NotFingerprintable, fingerprint

BASE = """
import math
import numpy as np
from typing import NamedTuple
LIMIT = 7
TABLE = np.array([1, 2, 3])
class Pair(NamedTuple):
    a: int = 1
    b: int = 2
    def total(self):
        return self.a + self.b
PAIR = Pair()
def helper(x, y=1, *, z=2):
    return x + y + z
def unrelated(x):
    return x - 1
def target(x):
    '''What it does.'''
    total = 0
    for i in range(LIMIT):
        total += helper(i) * TABLE[i % 3] + math.floor(x)
    return total + PAIR.total()
"""


def digest(source, name="target", **given):
    namespace = {"__name__": "typed_in", **given}
    exec(source, namespace)
    return fingerprint(namespace[name])


def test_the_same_code_has_the_same_digest():
    assert digest(BASE) == digest(BASE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 7", "LIMIT = 8"),
        ("LIMIT = 7", "LIMIT = 7.0"),
        ("[1, 2, 3]", "[1, 2, 4]"),
        ("np.array([1, 2, 3])", "np.array([1, 2, 3], np.int8)"),
        ("return x + y + z", "return x + y - z"),
        ("y=1", "y=3"),
        ("z=2", "z=3"),
        ("total = 0", "total = 1"),
        ("math.floor", "math.ceil"),
        ("Pair()", "Pair(3)"),
        ("return self.a + self.b", "return self.a - self.b"),
        ("b: int = 2", "c: int = 2"),
    ],
)
def test_what_matters(old, new):
    assert old in BASE
    assert digest(BASE.replace(old, new).replace("self.b", "self.c" if "c:" in new else "self.b")) != digest(BASE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return x - 1", "return x - 2"),
        ("LIMIT = 7", "\n\n# a comment\nLIMIT = 7"),
        ("total = 0", "total = 0  # from here on"),
        ("import math", "import math, os"),
    ],
)
def test_what_does_not_matter(old, new):
    assert old in BASE
    assert digest(BASE.replace(old, new)) == digest(BASE)


def test_code_in_a_namespace_without_a_name_is_followed():
    """A class made there says that its module is `builtins`."""
    source = "class A:\n    def f(self):\n        return {}\ndef helper():\n    return {}\n"
    source += "def target():\n    return A().f() + helper()"
    digests = set()
    for a, b in ((1, 1), (2, 1), (1, 2)):
        namespace = {}
        exec(source.format(a, b), namespace)
        digests.add(fingerprint(namespace["target"]))
    assert len(digests) == 3


def test_a_module_of_ones_own_is_followed_to_what_is_used(monkeypatch):
    helper = types.ModuleType("my_helper")
    monkeypatch.setitem(sys.modules, "my_helper", helper)
    source = "import my_helper\ndef target(x):\n    return my_helper.FACTOR * x"
    helper.FACTOR, helper.OTHER = 1, 1
    before = digest(source)
    helper.OTHER = 2
    assert digest(source) == before
    helper.FACTOR = 2
    assert digest(source) != before


@pytest.mark.parametrize(
    "source",
    [
        "import my_helper\ndef target(x):\n    m = my_helper\n    return m.FACTOR * x",
        "import my_helper\ndef make(m):\n    def f(x):\n        return m.FACTOR * x\n    return f\ntarget = make(my_helper)",
        "import my_helper\ndef target(x):\n    m = my_helper\n    return m.FACTOR * my_helper.OTHER",
    ],
)
def test_a_module_used_as_a_value_cannot_be_followed(monkeypatch, source):
    helper = types.ModuleType("my_helper")
    helper.FACTOR, helper.OTHER = 1, 1
    monkeypatch.setitem(sys.modules, "my_helper", helper)
    with pytest.raises(NotFingerprintable, match="my_helper"):
        digest(source)


def test_many_names_do_not_hide_an_attribute(monkeypatch):
    """From the 256th name on, Python puts another instruction before the one that reads an attribute."""
    helper = types.ModuleType("my_helper")
    monkeypatch.setitem(sys.modules, "my_helper", helper)
    source = (
        "import my_helper\ndef target(x):\n" + "".join(f"    x.name{i}\n" for i in range(300)) + "    return my_helper.FACTOR"
    )
    helper.FACTOR = 1
    before = digest(source)
    helper.FACTOR = 2
    assert digest(source) != before


def test_a_try_block_that_ends_elsewhere():
    source = "def target(x):\n    try:\n        y = x + 1{}\n    except Exception:\n        return 0{}\n    return z"
    inside = source.format("\n        z = y + 1", "")
    outside = source.format("", "\n    z = y + 1")
    assert digest(inside) != digest(outside)


def test_recursion_and_functions_within_functions():
    source = "def target(n):\n    def inner(k):\n        return k + {}\n    return inner(n) + (target(n - 1) if n else 0)"
    assert digest(source.format(1)) == digest(source.format(1)) != digest(source.format(2))


def test_values():
    different = [
        1,
        1.0,
        True,
        "1",
        b"1",
        None,
        (1,),
        [1],
        np.int64(1),
        np.int8(1),
        np.array(1),
        np.array([1]),
        {1: 1},
        {1},
        -0.0,
        0.0,
    ]
    assert len({fingerprint(value) for value in different}) == len(different)
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    assert fingerprint({"a", "b"}) == fingerprint({"b", "a"})
    assert fingerprint("ab", "c") != fingerprint("a", "bc")
    assert fingerprint(np.arange(6)[::2]) == fingerprint(np.array([0, 2, 4]))


def test_what_cannot_be_described_is_refused():
    with pytest.raises(NotFingerprintable):
        fingerprint(i for i in range(3))


def test_options_of_a_compiled_helper_matter():
    numba = pytest.importorskip("numba")
    fast, exact = (numba.njit(fastmath=choice)(lambda x: x + 1.0) for choice in (True, False))
    assert fingerprint(fast) != fingerprint(exact)
