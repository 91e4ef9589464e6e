"""The register of problems: complete, unambiguous, forgiving about names, and cheap to import."""

import msgspec
import pytest

from bestfirst.catalogue import GROUPS, REGISTER, UnknownProblem, find, module, renderer
from bestfirst.cli.failures import Failure
from bestfirst.cli.generate import generate

#: What every problem module must define; see the head of bestfirst.catalogue.
NAMES = (
    "Instance",
    "Answer",
    "read",
    "write",
    "read_answers",
    "search",
    "answer",
    "solve",
    "PRUNINGS",
    "check",
    "generate",
)

#: What the module that draws a problem must define.
PICTURES = ("text", "text_steps", "svg")


@pytest.mark.parametrize("entry", REGISTER, ids=lambda entry: entry.slug)
def test_a_problem_is_complete(entry):
    for name in NAMES:
        assert hasattr(module(entry), name), name
    for name in PICTURES:
        assert hasattr(renderer(entry), name), name
    assert entry.summary
    assert entry.summary[0].islower()


@pytest.mark.parametrize("entry", REGISTER, ids=lambda entry: entry.slug)
def test_generated_instances_read_back(entry, capsys):
    problem = module(entry)
    wanted = [problem.generate(seed) for seed in (4, 5, 6)]
    if getattr(problem, "CASES", "listed") == "single":
        with pytest.raises(Failure, match="holds one case"):
            generate(entry.slug, "--seed", "4", "--count", "3")
        generate(entry.slug, "--seed", "4")
        wanted = wanted[:1]
    else:
        generate(entry.slug, "--seed", "4", "--count", "3")
    assert list(problem.read(capsys.readouterr().out)) == wanted
    generate(entry.slug, "--seed", "4", "--count", "3", "--json")
    lines = capsys.readouterr().out.splitlines()
    assert [msgspec.json.decode(line, type=problem.Instance) for line in lines] == [problem.generate(s) for s in (4, 5, 6)]


@pytest.mark.parametrize("entry", REGISTER, ids=lambda entry: entry.slug)
def test_a_problem_is_found_by_any_of_its_names(entry):
    names = {
        str(entry.number),
        entry.slug,
        entry.slug.upper(),
        entry.module_name,
        entry.title,
        entry.title_zh,
        f" {entry.title} ",
    }
    names |= {entry.slug.replace("-", " "), entry.title_zh.rstrip("！"), entry.title_zh.replace("！", "!")}
    for name in names:
        assert find(name) is entry


def test_every_problem_is_in_one_group():
    numbers = [number for group in GROUPS.values() for number in group]
    assert len(numbers) == len(set(numbers)) == 32
    assert {entry.number for entry in REGISTER} <= set(numbers)
    assert all(list(group) == sorted(group) for group in GROUPS.values())


def test_no_two_problems_share_a_name():
    for column in zip(*REGISTER, strict=True):
        assert len(set(column)) == len(REGISTER)


@pytest.mark.parametrize(
    ("wrong", "offered"), [("flod-it", "flood-it"), ("FLOODIT", "flood-it"), ("mayan", "mayan-game"), ("玛雅", "玛雅游戏")]
)
def test_a_mistyped_name_gets_the_nearest_one(wrong, offered):
    with pytest.raises(UnknownProblem, match=f"no problem '{wrong}'; did you mean .*{offered}"):
        find(wrong)


@pytest.mark.parametrize("wrong", ["", "zzzz", "0", "一"])
def test_a_name_like_no_other_gets_the_list(wrong):
    with pytest.raises(UnknownProblem, match="bestfirst list"):
        find(wrong)


def test_neither_the_register_nor_the_package_loads_numba(python):
    out = python("import sys, bestfirst, bestfirst.catalogue, bestfirst.plain; print('numba' in sys.modules)")
    assert out == "False\n"
