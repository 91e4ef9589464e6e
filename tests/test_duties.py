"""What every problem of the catalogue must do, driven by the register: a problem is covered by being registered."""

import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest

from bestfirst.catalogue import REGISTER, module, renderer
from bestfirst.catalogue.prunings import Kind
from bestfirst.cli import running
from bestfirst.formats.tokens import InputError
from bestfirst.result import Limits, Status

ROOT = Path(__file__).parent.parent
PROVED = (Status.OPTIMAL, Status.INFEASIBLE)
EACH = pytest.mark.parametrize("entry", REGISTER, ids=lambda entry: entry.slug)

_solved = {}


def solved(entry):
    """The problem, and a few instances of it with their solutions and answers."""
    if entry.slug not in _solved:
        problem = module(entry)
        cases = []
        for seed in (1, 2, 3):
            instance = problem.generate(seed)
            solution = problem.search(instance)
            cases.append((instance, solution, problem.answer(instance, solution)))
        _solved[entry.slug] = problem, cases
    return _solved[entry.slug]


@EACH
def test_answers_are_proved_right_and_the_same_each_time(entry):
    problem, cases = solved(entry)
    for instance, _, answer in cases:
        assert answer.status in PROVED
        assert problem.check(instance, answer) is None
        assert running.difference(problem, answer, answer) is None
        assert problem.solve(instance) == answer
        assert problem.generate(1) == cases[0][0]


@EACH
def test_json_and_judge_format_round_trips(entry):
    problem, cases = solved(entry)
    for instance, _, answer in cases:
        for value in (instance, answer):
            text = msgspec.json.encode(value)
            assert msgspec.json.decode(text, type=type(value)) == value
            assert msgspec.json.decode(text)["problem"] == entry.slug
            assert msgspec.json.decode(text)["version"] >= 1
        text = problem.write_instance(instance)
        assert text.endswith("\n")
        for form in (text, "\ufeff" + text, text.replace("\n", "\r\n")):
            assert list(problem.read(form)) == [instance]
        output = problem.write(answer)
        for form in (output, output.replace("\n", "\r\n")):
            (again,) = problem.read_answers(form, [instance])
            assert problem.check(instance, again) is None
            assert running.difference(problem, again, answer) is None
            assert problem.write(again) == output
        assert not re.search(r"[ \t]\n", output)


@EACH
def test_what_is_broken_has_a_line_and_a_column(entry):
    """Texts cut short, with a letter changed, with a token too large: read in full, or one clear message."""
    problem, cases = solved(entry)
    rng = random.Random(entry.number)
    refused = []
    for instance, _, _ in cases:
        text = problem.write_instance(instance)[:2000]
        for _ in range(40):
            at = rng.randrange(len(text))
            broken = rng.choice(
                [text[:at], text[:at] + rng.choice("?x\0é-9 ") + text[at + 1 :], text[:at] + " 99999999999999999999 " + text[at:]]
            )
            try:
                list(problem.read(broken))
            except InputError as error:
                refused.append(error)
    assert refused
    assert all(error.line >= 1 and error.column >= 1 and "\n" not in str(error) for error in refused)


@EACH
def test_a_stopped_search_claims_nothing(entry):
    problem, cases = solved(entry)
    for instance, solution, answer in cases:
        for limits in (Limits(nodes=0), Limits(nodes=solution.stats.generated // 2), Limits(time=0)):
            stopped = problem.search(instance, limits=limits)
            known = problem.answer(instance, stopped)
            if stopped.stopped_by is None:
                assert running.difference(problem, known, answer) is None
                continue
            assert stopped.status not in PROVED
            assert known.status not in PROVED
            with pytest.raises(ValueError, match=r"stopped|not known|not proved|no .* is proved"):
                problem.write(known)
            ET.fromstring(renderer(entry).svg(instance, known))
            assert list(renderer(entry).text_steps(instance, known, False))
            if stopped.bound is not None and solution.cost is not None:
                sign = -1 if solution.maximised else 1
                assert sign * stopped.bound <= sign * solution.cost


@EACH
def test_pictures_are_whole(entry):
    _, cases = solved(entry)
    draw = renderer(entry)
    for instance, _, answer in cases:
        for svg in (draw.svg(instance), draw.svg(instance, answer)):
            root = ET.fromstring(svg)
            assert root.tag.endswith("svg")
            assert len(root) > 0
        plain = draw.text(instance, False)
        assert plain.strip()
        for picture in (plain, *draw.text_steps(instance, answer, False)):
            assert "\x1b" not in picture
        assert list(draw.text_steps(instance, answer, True))


@EACH
def test_prunings_lose_nothing(entry):
    problem, cases = solved(entry)
    for name, pruning in problem.PRUNINGS.items():
        assert pruning.kind in Kind
        assert pruning.what
        assert pruning.why
        for instance, _, answer in cases:
            solution = problem.search(instance, without={name}, limits=Limits(nodes=200_000))
            if solution.stopped_by is None:
                assert running.difference(problem, problem.answer(instance, solution), answer) is None
    if problem.PRUNINGS:
        with pytest.raises(ValueError, match=f"there is no pruning nonsense; there are: {next(iter(problem.PRUNINGS))}"):
            problem.search(cases[0][0], without={"nonsense"})


@EACH
def test_it_is_in_the_documents(entry):
    page = (ROOT / "docs" / "problems" / f"{entry.slug}.md").read_text(encoding="utf-8")
    assert entry.title_zh in page.splitlines()[0]
    for name in module(entry).PRUNINGS:
        assert re.search(rf"\b{name}\b", page)
    overview = (ROOT / "docs" / "problems" / "README.md").read_text(encoding="utf-8")
    row = overview.index(f"[{entry.title}]({entry.slug}.md)")
    for name in module(entry).PRUNINGS:
        row = overview.index(f"| {name} |", row)
    for readme in ("README.md", "README.zh-CN.md"):
        assert f"docs/problems/{entry.slug}.md" in (ROOT / readme).read_text(encoding="utf-8")
