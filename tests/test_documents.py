"""What the documents show is run, and what they link to exists."""

import pathlib
import re
import runpy
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow  # runs every page

ROOT = pathlib.Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")])


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_readme_code_runs(name, capsys):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, name, "exec"), {"__name__": "readme"})
    assert "3 (1, 2, 1) optimal" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["exact-cover.md", "subset-sum.md", "whole-spaces.md", "pattern-databases.md"])
def test_page_code_runs(name):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / name).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    page = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, name, "exec"), page)


@pytest.mark.parametrize("name", ["graphs.md", "your-own-problem.md"])
def test_code_gives_what_its_comments_say(name, capsys):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / name).read_text(encoding="utf-8"), re.DOTALL)
    names = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, name, "exec"), names)
        assert capsys.readouterr().out.splitlines() == re.findall(r"^(?:print.*  )?# (.+)$", block, re.MULTILINE)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_own_problem_example_runs():
    output = subprocess.run(
        [sys.executable, ROOT / "examples" / "fifteen_puzzle.py"], capture_output=True, text=True, check=True
    ).stdout
    assert output.startswith("cost 45 (optimal, proved); ida_star")


def test_the_page_about_mistakes_tells_the_truth(tmp_path):
    """Its code is run, as one file, and prints what the page says that it prints."""
    page = (ROOT / "docs" / "when-something-is-wrong.md").read_text(encoding="utf-8")
    (tmp_path / "counter.py").write_text("\n\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL)), encoding="utf-8")
    expected = "".join(re.findall(r"prints\n\n((?:    .*\n)+)", page))
    printed = subprocess.run([sys.executable, "counter.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    output = printed.stdout.replace(f"{tmp_path}/", "")
    assert [line.strip() for line in output.splitlines()] == [line.strip() for line in expected.splitlines()], printed.stderr


def test_pictures_of_the_search_order_are_those_of_the_engines():
    script = runpy.run_path(str(ROOT / "docs" / "pictures" / "search_order.py"))
    for name in script["ENGINES"]:
        assert (ROOT / "docs" / "pictures" / f"{name}.svg").read_text(encoding="utf-8") == script["svg"](name)


def test_every_wish_has_a_test():
    page = (ROOT / "docs" / "what-people-ask-for.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d*) \|(.*)\|$", page, re.MULTILINE)
    assert [number for number, _ in rows if number] == [str(number) for number in range(1, 16)]
    for _, row in rows:
        (file, name), *others = re.findall(r"`(test_\w+\.py)::(test_\w+)`", row)
        assert not others
        assert f"\ndef {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), name


def test_the_page_about_the_command_line_shows_what_is_printed(tmp_path):
    """Its commands are run one after another; a `…` stands for the rest, and times are not compared."""
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    (tmp_path / "out.txt").write_text("5\n")
    (tmp_path / "bad.txt").write_text("7\n")
    sessions = re.findall(r"^    \$ (.+)\n((?:    (?!\$ ).*\n|\n(?=    (?!\$ )))*)", page, re.MULTILINE)
    assert len(sessions) > 10
    for command, shown in sessions:
        if "hard.txt" in command:  # where a limit of time stops it
            continue
        script = f"bestfirst() {{ '{sys.executable}' -m bestfirst \"$@\"; }}\n{command}"
        done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
        printed, expected = (
            [_without_times(line) for line in text.splitlines()] for text in (done.stdout + done.stderr, _unindented(shown))
        )
        while printed and not printed[-1]:
            printed.pop()
        if "…" in expected:
            expected = expected[: expected.index("…")]
            printed = printed[: len(expected)]
        assert printed == expected, command


def _unindented(text):
    return re.sub("^    ", "", text, flags=re.MULTILINE).rstrip("\n")


def _without_times(line):
    """The line without what another run measures otherwise."""
    line = re.sub(r'"seconds":[^}]*', "", line)
    line = re.sub(r"^(seconds|nodes a second) .*", r"\1", line)
    return re.sub(r"( \d+\.\d\d) +\d+\.\d{3}", r"\1", line).rstrip()  # explain: times, seconds
