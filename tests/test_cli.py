"""The command line as people meet it: the real program in processes of its own."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bestfirst.catalogue import REGISTER

COMMAND = [sys.executable, "-m", "bestfirst"]
SMALL = "2\n0 1\n1 1\n"  # one move
THREE = "3\n0 1 2\n1 2 0\n2 0 1\n"
GARBAGE = (
    "x",
    "3\n0 1",
    "-1",
    "2 0 1 1 99999999999999999999999999999999999",
    "{",
    "[1]",
    '{"a":',
    "[[",
    "\0\0",
    "2\n0 1\n1 1.5\n",
    "é",
)


def start(*arguments, **options):
    """Run the program to its end."""
    options = {"stderr": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8", "timeout": 300, **options}
    return subprocess.run([*COMMAND, *map(str, arguments)], check=False, **options)


def run(*arguments, stdin="", code=0, **options):
    """Run the program and expect this exit code; never is there a traceback."""
    done = start(*arguments, input=stdin, **options)
    assert "Traceback" not in done.stderr, done.stderr
    assert "internal error" not in done.stderr, done.stderr
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture(scope="module")
def big(tmp_path_factory):
    """A board that takes long; its kernels are compiled when this returns."""
    path = tmp_path_factory.mktemp("big") / "board.txt"
    path.write_text(run("generate", "flood-it", "--rows", 30, "--seed", 5).stdout)
    run("solve", "flood-it", path, "--nodes", 10, code=3)
    return path


# --- help, names, usage -------------------------------------------------------------------------------------------------


def test_help_is_light_and_says_what_to_try():
    for arguments, word in (
        ((), "Try first"),
        (("--help",), "Exit codes"),
        (("list",), "涂满它"),
        (("--version",), "bestfirst 0."),
    ):
        command = [sys.executable, "-X", "importtime", "-m", "bestfirst", *arguments]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
        assert word in done.stdout
        assert not re.search(r"\b(numba|numpy|msgspec)\b", done.stderr)


@pytest.mark.slow
def test_each_command_has_help_with_an_example():
    for command in ("list", "show", "solve", "check", "explain", "cache", "generate", "rate"):
        assert f"Example: bestfirst {command}" in run(command, "--help").stdout
    assert "--solvable" in run("generate", "mayan-game", "--help").stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["slove"], "did you mean solve"),
        (["solve", "flod-it"], "did you mean flood-it"),
        (["--frob"], "unknown option --frob"),
        (["solve", "flood-it", "--nodez", "3"], "--nodes"),
        (["solve", "flood-it", "--time", "soon"], "'soon'"),
        (["solve", "flood-it", "--memory", "2 pounds"], "'2 pounds'"),
        (["solve", "flood-it", "/no/such/file"], "No such file"),
        (["solve", "flood-it", "/"], "Is a directory"),
        (["solve", "mayan-game", "--ties", "any"], "mayan-game has no --ties"),
        (["solve", "flood-it", "--json", "--steps"], "do not go together"),
        (["check", "flood-it", "-", "-"], "standard input"),
        (["generate", "flood-it", "--rowz", "3"], "--rows"),
        (["generate", "flood-it", "--rows", "0"], "at least one row"),
        (["generate"], "which problem"),
        (["rate", "flood-it"], "flood-it has no ratings"),
        (["solve", "flood-it", "--count", "2"], "flood-it has no --count"),
    ],
)
def test_bad_usage(arguments, words):
    done = run(*arguments, code=2)
    assert words in done.stderr
    assert done.stdout == ""


def test_names_of_a_problem_and_other_locales():
    for name, locale in (("194", "C.UTF-8"), ("涂满它", "C"), ("Flood-It", "en_US.ISO-8859-1")):
        done = run("show", name, "-", stdin=SMALL, env={**os.environ, "LC_ALL": locale})
        assert "•" in done.stdout
    assert "块" not in run("show", "玛雅游戏").stderr


# --- solve --------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_answers_before_a_bad_case_stay(tmp_path):
    done = run("solve", "flood-it", "-", stdin=SMALL + "2\n0 1\n1 x\n" + SMALL, code=2)
    assert done.stdout == "1\n"
    assert re.fullmatch(r"bestfirst: standard input: line 6, column 3: .*'x'\n", done.stderr)
    bad = tmp_path / "bad.json"
    bad.write_text('[{"board": [[0, 1]]}, {"board": [[0, "x"]]}]')
    done = run("solve", "flood-it", bad, code=2)
    assert done.stdout == "1\n"
    assert f"{bad}: case 2: " in done.stderr
    assert "$.board[0][1]" in done.stderr


@pytest.mark.slow
def test_leading_zeros_and_counts(tmp_path):
    puzzle = tmp_path / "puzzle.txt"
    puzzle.write_text("SEND + MORE = MONEY\n")
    assert run("solve", "letter-sum", puzzle, "--count", 100).stdout == "25\n"
    assert run("solve", "letter-sum", puzzle, "--count", 100, "--no-leading-zeros").stdout == "1\n"
    answer = tmp_path / "answer.txt"
    answer.write_text(run("solve", "letter-sum", puzzle, "--no-leading-zeros").stdout)
    assert answer.read_text() == "7 5 1 6 0 8 9 2\n"
    assert "right and best" in run("check", "letter-sum", puzzle, answer, "--no-leading-zeros").stdout
    answer.write_text("3 8 0 7 9 2 1 5\n")
    assert "begins with 0" in run("check", "letter-sum", puzzle, answer, "--no-leading-zeros", code=1).stderr
    assert "narrowest" in run("explain", "letter-sum", puzzle, "--no-leading-zeros").stdout
    assert "SEND" in run("show", "letter-sum", puzzle, "--no-leading-zeros").stdout
    assert "flood-it has no --no-leading-zeros" in run("solve", "flood-it", "--no-leading-zeros", stdin=SMALL, code=2).stderr


def test_input_of_other_systems(tmp_path):
    file = tmp_path / "board.txt"
    file.write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
    assert run("solve", "flood-it", file).stdout == "1\n"
    file.write_bytes(b"2\n0 1\n1 \xff\n")
    assert "line 3, column 3: byte 0xff is not UTF-8" in run("solve", "flood-it", file, code=2).stderr


def test_json_there_and_back(tmp_path):
    instances = run("generate", "flood-it", "--rows", 4, "--columns", 5, "--count", 3, "--json").stdout
    assert len(instances.splitlines()) == 3
    (tmp_path / "in.jsonl").write_text(instances)
    (tmp_path / "in.json").write_text("[" + ",".join(instances.splitlines()) + "]")
    (tmp_path / "out.jsonl").write_text(run("solve", "flood-it", tmp_path / "in.jsonl", "--json").stdout)
    for line in (tmp_path / "out.jsonl").read_text().splitlines():
        answer = json.loads(line)
        assert answer["status"] == "optimal"
        assert answer["cost"] == answer["bound"] == len(answer["colours"])
        assert answer["stats"]["generated"] >= answer["stats"]["expanded"] >= 0
    assert "3 answers, right and best" in run("check", "flood-it", tmp_path / "in.json", tmp_path / "out.jsonl").stdout


@pytest.mark.slow
def test_limits_are_for_each_case(big, tmp_path):
    file = tmp_path / "three.txt"
    file.write_text(SMALL + big.read_text() + THREE)
    done = run("solve", "flood-it", file, "--nodes", "1e3", code=3)
    assert re.fullmatch(r"1\n\?\n\d+\n", done.stdout)  # so the third answer is not taken for the second
    assert re.search(r"case 2: stopped at the nodes limit .* the best so far costs \d+, none costs less than \d+", done.stderr)
    done = run("solve", "flood-it", file, "--nodes", "1_000", "--json", code=3)
    statuses = [json.loads(line)["status"] for line in done.stdout.splitlines()]
    assert statuses == ["optimal", "feasible", "optimal"]


def test_steps_stats_and_pictures(tmp_path):
    file = tmp_path / "boards.txt"
    file.write_text(THREE + SMALL)
    done = run("solve", "flood-it", file, "--steps", "--stats", "--svg", tmp_path / "out.svg")
    assert "case 2" in done.stdout
    assert "move 1: colour" in done.stdout
    assert "\x1b" not in done.stdout
    assert "proved best" in done.stdout
    assert "peak memory" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["boards.txt", "out-1.svg", "out-2.svg"]
    assert (tmp_path / "out-1.svg").read_text().startswith("<svg")


@pytest.mark.slow
def test_checkpoint_and_resume_give_the_same(tmp_path):
    file, kept = tmp_path / "board.txt", tmp_path / "kept.npz"
    file.write_text(run("generate", "flood-it", "--rows", 14, "--seed", 2).stdout)
    whole = json.loads(run("solve", "flood-it", file, "--json").stdout)
    half = whole["stats"]["generated"] // 2
    done = run("solve", "flood-it", file, "--nodes", half, "--checkpoint", kept, code=3)
    assert done.stdout == "?\n"
    assert f"--resume {kept}" in done.stderr
    resumed = json.loads(run("solve", "flood-it", file, "--resume", kept, "--json").stdout)
    for part in (whole, resumed):
        part["stats"].pop("seconds")
        part["stats"].pop("peak_bytes")
    assert resumed == whole
    other = tmp_path / "other.txt"
    other.write_text(THREE)
    assert "another problem" in run("solve", "flood-it", other, "--resume", kept, code=2).stderr
    other.write_text(THREE + SMALL)
    assert "exactly one case" in run("solve", "flood-it", other, "--resume", kept, code=2).stderr
    assert "No such file" in run("solve", "flood-it", file, "--checkpoint", "/no/such/folder/file", code=2).stderr


@pytest.mark.slow
@pytest.mark.parametrize("problem", [entry.slug for entry in REGISTER])
def test_from_an_instance_to_a_checked_answer(problem, tmp_path):
    (tmp_path / "in").write_text(run("generate", problem, "--seed", 2).stdout)
    for options in ((), ("--json",)):
        (tmp_path / "out").write_text(run("solve", problem, tmp_path / "in", *options).stdout)
        assert run("check", problem, tmp_path / "in", tmp_path / "out", "--strict").stdout == "1 answer, right and best\n"
    done = run("solve", problem, tmp_path / "in", "--steps", "--stats", "--svg", tmp_path / "out.svg")
    assert "proved" in done.stdout
    assert "engine" in done.stderr
    assert (tmp_path / "out.svg").read_text().startswith("<svg")
    assert "Input " in run("show", problem).stdout
    assert run("show", problem, tmp_path / "in").stdout


@pytest.mark.slow
@pytest.mark.parametrize("problem", [entry.slug for entry in REGISTER])
def test_garbage_is_refused_politely(problem, tmp_path):
    for number, text in enumerate(GARBAGE):
        if problem == "addition-chain" and "0" in text.split():
            continue  # a number and the 0 that ends the text; what follows is not read
        (tmp_path / "garbage").write_text(text)
        done = run("show", problem, tmp_path / "garbage", code=2)
        assert re.search(r"line \d+, column \d+|\$|case 1|nested", done.stderr), (number, done.stderr)


# --- check, explain, cache ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_check_names_the_first_fault(tmp_path):
    file, output = tmp_path / "in.txt", tmp_path / "out.txt"
    file.write_text(SMALL + THREE)
    best = run("solve", "flood-it", file).stdout.split()
    for answers, words in (
        ([best[0], str(int(best[1]) + 1)], "case 2: it claims cost"),
        ([best[0]], "the text ends"),
        ([*best, "7"], "expected the end"),
        (["one", best[1]], "'one'"),
    ):
        output.write_text("\n".join(answers))
        done = run("check", "flood-it", file, output, code=1)
        assert f"{output}: " in done.stderr
        assert words in done.stderr
    output.write_text("\n".join(best))
    assert run("check", "flood-it", file, output).stdout == "2 answers, right and best\n"
    assert "not known" in run("check", "flood-it", file, output, "--nodes", 0, code=3).stderr
    file.write_text("2 0")
    assert f"{file}: line 1, column 4" in run("check", "flood-it", file, output, code=2).stderr


def test_answers_without_a_cost(tmp_path):
    file, output = tmp_path / "in.txt", tmp_path / "out.txt"
    file.write_text("3 2\n1 2\n2 3\n")
    for answers, words, code in (
        ("3\n2\n1\n", "", 0),
        ("3\n1\n1\n", "vertex 2 reaches 2 vertices", 1),
        ("3 2", "vertex 3 of 3", 1),
    ):
        output.write_text(answers)
        assert words in run("check", "reachability", file, output, code=code).stderr
    done = run("solve", "reachability", file, "--nodes", 0, code=3)
    assert done.stdout == "?\n"  # keeps the places of other answers
    assert "no full answer" in done.stderr
    assert json.loads(run("solve", "reachability", file, "--nodes", 0, "--json", code=3).stdout)["status"] == "stopped"


def test_check_knows_the_tie_rule(tmp_path):
    file, output = tmp_path / "in.json", tmp_path / "out.jsonl"
    file.write_text('{"board": [[0, 1], [2, 0]]}')
    output.write_text('{"status": "optimal", "cost": 3, "bound": 3, "colours": [2, 1, 0]}')
    assert "tie rule" in run("check", "flood-it", file, output).stderr
    assert "tie rule" in run("check", "flood-it", file, output, "--strict", code=1).stderr


def test_explain_without_prunings():
    assert "no prunings" in run("explain", "reachability", code=2).stderr


@pytest.mark.slow
def test_explain_and_cache(tmp_path):
    done = run("explain", "mayan-game")
    assert "(all on)" in done.stdout
    assert "remember" in done.stdout
    (tmp_path / "board.txt").write_text(THREE)
    assert "move-order" in run("explain", "flood-it", tmp_path / "board.txt").stdout
    environment = {**os.environ, "BESTFIRST_CACHE_DIR": str(tmp_path / "cache")}
    assert "0 kernels" in run("cache", "info", env=environment).stdout
    (tmp_path / "cache" / "tiles.table.npy").write_bytes(bytes(1000))
    assert "0 kernels, 1 table, 1000 B in" in run("cache", "info", env=environment).stdout
    assert "deleted 0 kernels, 1 table" in run("cache", "clear", env=environment).stdout
    assert "deleted 0 kernels," in run("cache", "clear", env=environment).stdout
    assert '"warm", "clear", "info"' in run("cache", "worm", code=2).stderr


@pytest.mark.slow
def test_cache_warm(tmp_path):
    environment = {**os.environ, "BESTFIRST_CACHE_DIR": str(tmp_path)}
    first = run("cache", "warm", "mayan-game", env=environment).stdout
    assert re.search(r"mayan-game: [1-9]\d* compiled", first)
    assert "mayan-game: 0 compiled" in run("cache", "warm", "mayan-game", env=environment).stdout


# --- pipes, disks, signals ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_closed_pipe_and_full_disk(tmp_path):
    file = tmp_path / "in.txt"
    file.write_text(SMALL * 100)
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen([*COMMAND, "solve", "flood-it", str(file)], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert process.communicate(timeout=100)[1] == b""
    assert process.returncode == 141
    with open("/dev/full", "w") as full:
        done = start("solve", "flood-it", file, stdout=full)
        assert done.stderr == "bestfirst: cannot write to standard output: No space left on device\n"
        assert done.returncode == 2
        assert start("solve", "flod", stderr=full).returncode == 2
    file.write_text(SMALL)
    for target, words in (("/dev/full", "No space left"), ("/no/such/folder/out.svg", "No such file")):
        assert words in run("solve", "flood-it", file, "--svg", target, code=2).stderr


@pytest.mark.parametrize("streams", ["2>&-", ">&-", "<&-", "<&- >&- 2>&-"])
def test_closed_streams(streams):
    command = ["sh", "-c", f'"$@" {streams}', "sh", *COMMAND, "show", "flood-it", "-"]
    done = subprocess.run(command, check=False, input=SMALL, capture_output=True, encoding="utf-8")
    assert "Traceback" not in done.stderr
    assert done.returncode == (0 if streams == "2>&-" else 2)


def test_interrupt_before_the_search():
    process = subprocess.Popen(
        [*COMMAND, "solve", "flood-it"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(2)  # it waits for input now
    process.send_signal(signal.SIGINT)
    asked = time.monotonic()
    assert process.wait(timeout=100) == 130
    assert time.monotonic() - asked < 2
    assert process.communicate() == (b"", b"bestfirst: interrupted\n")


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_search_tells_what_it_knows(big, tmp_path, number, code):
    """Progress is seen on a terminal first; then the signal; the status line is erased and the partial result printed."""
    kept = tmp_path / "kept.npz"
    terminal, other_end = pty.openpty()
    command = [*COMMAND, "solve", "flood-it", str(big), "--checkpoint", str(kept)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=other_end, env={**os.environ, "COLUMNS": "200", "TERM": "xterm"}
    )
    os.close(other_end)
    shown = _read_until(terminal, "nodes")
    process.send_signal(number)
    asked = time.monotonic()
    assert process.wait(timeout=100) == code
    assert time.monotonic() - asked < 2
    assert re.search(r"flood_it  \d+ s  at least \d+  ", shown)
    shown += _read_until(terminal, None)
    assert "Traceback" not in shown
    message = shown.rpartition("\r\x1b[K")[2]
    assert re.match(r"bestfirst: .*: interrupted after .*: the best so far costs \d+, none costs less than \d+", message)
    assert f"--resume {kept}" in message
    assert kept.is_file()
    assert process.stdout is not None
    assert process.stdout.read() == b""
    process.stdout.close()
    os.close(terminal)


def _read_until(terminal: int, word: str | None) -> str:
    """What appears on a terminal until the word does, or until it is closed."""
    shown = ""
    while (word is None or word not in shown) and select.select([terminal], [], [], 100)[0]:
        try:
            shown += os.read(terminal, 4096).decode()
        except OSError:  # closed at the other end
            break
    return shown


def test_examples_are_answered():
    examples = Path(__file__).parent.parent / "examples"
    assert run("solve", "flood-it", examples / "flood-it.txt").stdout == "14\n12\n13\n6\n20\n"


@pytest.mark.slow
def test_check_knows_what_a_bound_rules_out(tmp_path):
    board, output = tmp_path / "board", tmp_path / "output"
    board.write_text(run("generate", "flood-it", "--rows", 20, "--seed", 1).stdout)
    output.write_text("6\n")
    result = run("check", "flood-it", board, output, "--nodes", 50, code=1)
    assert "it claims cost 6, but none costs less than" in result.stderr


def test_numbered_answers_and_a_second_cost(tmp_path):
    boards = tmp_path / "boards.txt"
    boards.write_text("1 4\nSB.T\n3 4\n....\nSB.T\n....\n0 0\n")
    solved = run("solve", "push-box", boards).stdout
    assert solved == "Maze #1\nEE\n\nMaze #2\nEE\n\n"
    output = tmp_path / "output.txt"
    output.write_text(solved.replace("#2\nEE", "#2\nnsEE"))
    assert "it claims total 4, but the best is 2" in run("check", "push-box", boards, output, code=1).stderr


@pytest.mark.slow
def test_many_grids_are_solved_at_once_up_to_a_bad_one():
    grid = "....1.5.61...38..2..6..............95.8..7......39..4....8....3......1...5.1.279."
    full = "329714586145638972876529314734281659598467231261395847917856423482973165653142798"
    none = "11" + "." * 79
    done = run("solve", "sudoku", stdin=f"{grid}\n{none}\nwhat\n{grid}\n", code=2)
    assert done.stdout == f"{full}\nNo solution\n"
    assert "line 3, column 1" in done.stderr
    assert run("solve", "sudoku", "--count", 5, stdin=f"{grid}\n{none}\n").stdout == f"{full} 1\nNo solution\n"
    assert run("solve", "sudoku", "--nodes", 0, stdin=f"{grid}\n{none}\n", code=3).stdout == "?\n?\n"
    assert run("rate", "sudoku", stdin=f"{grid}\n").stdout == "23 clues, minimal; hardest technique: trial; 3 nodes\n"
    assert json.loads(run("rate", "sudoku", "--json", stdin=grid).stdout)["clues"] == 23
