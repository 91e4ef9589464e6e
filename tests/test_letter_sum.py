"""The problem letter sum: solutions as slow twins find them, known puzzles, a checker, formats, generator, pictures."""

import random
import xml.etree.ElementTree as ET

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_letters as naive
from bestfirst.catalogue import letter_sum as problem
from bestfirst.catalogue.letter_sum_search import PRUNINGS, LetterSearch
from bestfirst.control import PAUSED
from bestfirst.formats.tokens import InputError
from bestfirst.kernel import is_interpreting
from bestfirst.render import letter_sum as render
from bestfirst.result import Interrupted, Limits, Status
from bestfirst.search.compiled import GENERATED

pytestmark = pytest.mark.slow  # compiles much


SAMPLE = "5\nABCED\nBDACE\nEBBAA\n"
SAMPLE_OUTPUT = "1 0 3 4 2\n"

#: Puzzles of the puzzle pages, each with its only solution without leading zeros.
KNOWN = {
    "SEND + MORE = MONEY": "DEMNORSY 75160892",
    "DONALD + GERALD = ROBERT": "ABDEGLNORT 4359186270",
    "CROSS + ROADS = DANGER": "ACDEGNORS 591478263",
    "SO+MANY+MORE+MEN+SEEM+TO+SAY+THAT+THEY+MAY+SOON+TRY+TO+STAY+AT+HOME+SO+AS+TO+SEE+OR+HEAR+THE+SAME+ONE+MAN+TRY+TO+MEET+THE"
    "+TEAM+ON+THE+MOON+AS+HE+HAS+AT+THE+OTHER+TEN = TESTS": "AEHMNORSTY 7052618394",
}

#: In base 26, all letters rarely together: of all that were tried the one that took longest.
HARD = "26\nRDEUQCKYOLPSICNIVMFGOLKJDU\nITZYQWXQSZOSPZAJEXGUSQOUGA\nLVRRTHYVHPWNBRZAZOVPHXPRXL\n"


def puzzle(text, **changes):
    (instance,) = problem.read(text)
    return msgspec.structs.replace(instance, **changes)


@st.composite
def small_puzzles(draw, most=5):
    """A few words, some subtracted, in a small base."""
    base = draw(st.integers(2, most))
    letters = problem.ALPHABET[: draw(st.integers(1, base))]
    word = st.tuples(st.sampled_from(["", "", "-"]), st.text(letters, min_size=1, max_size=4)).map("".join)
    sides = [tuple(draw(st.lists(word, min_size=1, max_size=3))) for _ in range(2)]
    beside = draw(st.sampled_from(["", problem.ALPHABET[:base]]))
    return problem.Instance(base=base, left=sides[0], right=sides[1], letters=beside, leading_zeros=draw(st.booleans()))


def small_sums(count):
    """Sums that come out right, and some that do not, in bases up to 7."""
    rng = random.Random(1)
    for seed in range(count):
        base = rng.randint(3, 7)
        instance = problem._random_sum(random.Random(seed), base, rng.randint(1, 3), rng.randint(2, base), rng.random() < 0.7)
        yield msgspec.structs.replace(instance, leading_zeros=rng.random() < 0.7)


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    instances = list(problem.read(SAMPLE))
    answers = [problem.solve(instance) for instance in instances]
    assert "".join(map(problem.write, answers)) == SAMPLE_OUTPUT
    assert problem.read_answers(SAMPLE_OUTPUT, instances) == answers
    assert problem.solve(instances[0], count=problem.MAX_COUNT).count == 1


def is_as_of_the_twin(instance):
    right = naive.solutions(instance)
    answer, counted = problem.solve(instance), problem.solve(instance, count=problem.MAX_COUNT)
    assert problem.check(instance, answer) is problem.check(instance, counted) is None
    assert (answer.status is Status.OPTIMAL) == bool(right)
    assert answer.digits is None or answer.digits in right
    assert (counted.digits, counted.count) == (answer.digits, len(right))
    return len(right)


@settings(max_examples=150)
@given(small_puzzles())
def test_any_small_puzzle_has_the_solutions_that_the_twin_finds(instance):
    is_as_of_the_twin(instance)


def test_small_sums_have_the_solutions_that_the_twin_finds():
    counts = [is_as_of_the_twin(instance) for instance in small_sums(300)]
    assert counts.count(0) > 30
    assert counts.count(1) > 30


@pytest.mark.compiled_only
def test_sums_as_cp_sat_finds_them():
    pytest.importorskip("ortools")
    found = set()
    for seed in range(12):
        base, words = 7 + seed % 4, 2 + seed % 2
        instance = problem._random_sum(random.Random(seed), base, words, base, seed % 3 > 0)
        other, answer = naive.by_cp_sat(instance), problem.solve(instance)
        assert (other is None) == (answer.status is Status.INFEASIBLE)
        for digits in (other, answer.digits):
            assert digits is None or naive.is_right(instance, digits)
        found.add(other is None)
    assert found == {False, True}


@pytest.mark.parametrize("text", KNOWN)
def test_known_puzzles(text):
    letters, digits = KNOWN[text].split()
    instance = puzzle(text, leading_zeros=False)
    answer = problem.solve(instance, count=problem.MAX_COUNT)
    assert (instance.names, "".join(map(str, answer.digits)), answer.count) == (letters, digits, 1)
    assert naive.is_right(instance, answer.digits)


@pytest.mark.compiled_only
def test_a_sum_of_26_letters_that_takes_long():
    instance = puzzle(HARD)
    answer = problem.solve(instance)
    assert naive.is_right(instance, answer.digits)


@pytest.mark.compiled_only
def test_the_largest_base_and_long_words():
    for instance in (
        problem.generate(2, base=36),
        problem.generate(1, words=40, length=60),
        problem.generate(1, length=5000),
    ):
        assert naive.is_right(instance, problem.solve(instance).digits)


def test_more_letters_than_digits_have_no_solution():
    for text in ("3 A + B = CD", "ABCDEFGHIJK = ABCDEFGHIJK"):
        answer = problem.solve(puzzle(text), count=problem.MAX_COUNT)
        assert (answer.status, answer.count, answer.digits) == (Status.INFEASIBLE, 0, None)


def test_letters_that_make_no_difference_have_all_digits_that_are_left():
    assert problem.solve(puzzle("ABCDE = ABCDE"), count=problem.MAX_COUNT).count == 10 * 9 * 8 * 7 * 6
    assert problem.solve(puzzle("36 ABCDEFGHIJKLM + N = N + ABCDEFGHIJKLM"), count=None).status is Status.OPTIMAL
    assert problem.solve(puzzle("ABCDE = ABCDE", leading_zeros=False), count=problem.MAX_COUNT).count == 9 * 9 * 8 * 7 * 6
    assert problem.solve(problem.Instance(base=4, left=("A",), right=("A",), letters="ABCD"), count=problem.MAX_COUNT).count == 24


def test_without_a_pruning_the_solutions_are_the_same():
    for instance in [
        *small_sums(8 if is_interpreting() else 60),
        puzzle("SEND + MORE = MONEY", leading_zeros=False),
        puzzle("7 A - B = C + DA"),
    ]:
        usual = problem.solve(instance, count=problem.MAX_COUNT)
        for names in [*((name,) for name in PRUNINGS), tuple(PRUNINGS)]:
            answer = problem.solve(instance, count=problem.MAX_COUNT, without=names)
            assert problem.check(instance, answer) is None
            assert (answer.status, answer.count) == (usual.status, usual.count)
    with pytest.raises(ValueError, match="no pruning speed"):
        problem.search(puzzle(SAMPLE), without=("speed",))


def test_limits_stop_and_a_stopped_search_goes_on(tmp_path):
    instance = puzzle("ABC + DEF = GHI")
    whole = problem.search(instance, count=problem.MAX_COUNT)
    kept = tmp_path / "kept.npz"
    stopped = problem.search(instance, count=problem.MAX_COUNT, limits=Limits(nodes=60), checkpoint=kept)
    assert (stopped.status, stopped.stopped_by) == (Status.FEASIBLE, "nodes")
    assert 0 < stopped.count < whole.count
    answer = problem.answer(instance, stopped)
    assert problem.check(instance, answer) is None
    with pytest.raises(ValueError, match="stopped"):
        problem.write(answer)
    again = problem.search(instance, count=problem.MAX_COUNT, resume=kept)
    assert (again.count, again.value, again.stats.generated) == (whole.count, whole.value, whole.stats.generated)
    assert problem.search(instance, limits=Limits(nodes=0)).status is Status.STOPPED
    with pytest.raises(Interrupted) as caught:
        problem.search(instance, interrupted=lambda: True)
    assert caught.value.solution.status is Status.STOPPED


def test_a_search_stopped_again_and_again_misses_nothing():
    instance = puzzle("6 ABC + DE = FA", letters="ABCDEF")
    job = LetterSearch(
        6, problem._factors(instance), problem._not_zero(instance), {}, counting=problem.MAX_COUNT, without=frozenset()
    )
    while job.advance(int(job.counters[GENERATED]) + 1) == PAUSED:
        pass
    assert job.count() == len(naive.solutions(instance)) > 0


def test_interpreted_search_is_the_same():
    for instance in [*small_sums(10), puzzle("SEND + MORE = MONEY"), puzzle("-AAB + CD = E")]:
        compiled = problem.search(instance, count=problem.MAX_COUNT)
        interpreted = problem.search(instance, count=problem.MAX_COUNT, compiled=False)
        assert (interpreted.value, interpreted.count) == (compiled.value, compiled.count)
        assert interpreted.stats.generated == compiled.stats.generated


# --- checker ------------------------------------------------------------------------------------------------------------


def test_mutated_answers_are_faults_or_right():
    rng, right = random.Random(2), 0
    for seed in range(300):
        instance = problem.generate(seed, base=5, length=3)
        digits = list(problem.solve(instance).digits)
        a, b = rng.randrange(len(digits)), rng.randrange(len(digits))
        digits[a], digits[b] = rng.choice([(digits[b], digits[a]), (digits[a], rng.randint(-1, 5))])
        answer = problem.Answer(status=Status.OPTIMAL, digits=tuple(digits))
        assert (problem.check(instance, answer) is None) == naive.is_right(instance, tuple(digits))
        right += naive.is_right(instance, tuple(digits))
    assert 0 < right < 300


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, None),
        ({"digits": (9, 0, 3, 4, 2)}, "A is 9, digits are 0 to 4"),
        ({"digits": (1, 0, 3, 4, 1)}, "A and E are both 1"),
        ({"digits": (1, 0, 3, 4)}, "there are 4 digits for 5 letters"),
        ({"digits": (0, 1, 3, 4, 2)}, "the sum is wrong in column 1 from the right"),
        ({"digits": None}, "does not go with no digits"),
        ({"status": Status.INFEASIBLE}, "does not go with digits"),
        ({"status": Status.FEASIBLE}, "right or wrong"),
        ({"status": Status.FEASIBLE, "count": 3}, None),
        ({"count": 0}, "the count is 0"),
        ({"status": Status.INFEASIBLE, "digits": None, "count": 2}, "the count is 2, which does not go with no digits"),
        ({"status": Status.INFEASIBLE, "digits": None}, None),
        ({"status": Status.STOPPED, "digits": None}, None),
    ],
)
def test_checker_messages(changes, message):
    answer = problem.Answer(**{"status": Status.OPTIMAL, "digits": (1, 0, 3, 4, 2), **changes})
    fault = problem.check(puzzle(SAMPLE), answer)
    assert (fault is None) if message is None else (message in fault)


def test_the_checker_sees_a_leading_zero_and_a_last_carry():
    zero = problem.Answer(status=Status.OPTIMAL, digits=(1, 0, 3, 4, 2))
    assert "'BDACE' begins with 0" in problem.check(puzzle(SAMPLE, leading_zeros=False), zero)
    assert "1 would have to be carried" in problem.check(
        puzzle("3 A+B=C"), problem.Answer(status=Status.OPTIMAL, digits=(1, 2, 0))
    )


# --- formats ------------------------------------------------------------------------------------------------------------


def test_text_and_json_there_and_back():
    instances = [problem.generate(seed, base=2 + seed, words=1 + seed % 3, length=(None, 3)[seed % 2]) for seed in range(12)]
    instances += problem.read("SEND+MORE=MONEY 10 -a+b = c-d 16 x = y\n3 AAA BBB AAA")
    text = "".join(map(problem.write_instance, instances))
    assert list(problem.read(text)) == list(problem.read("\ufeff" + text.replace("\n", "\r\n"))) == instances
    assert instances[-1].names == "ABC"
    answers = [problem.solve(instance) for instance in instances]
    written = "".join(map(problem.write, answers))
    assert "No solution\n" in written
    assert problem.read_answers(written, instances) == answers
    assert problem.read_answers("\ufeff" + written.replace("\n", "\r\n"), instances) == answers
    for value in (*instances, *answers):
        assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value
    assert problem.write(problem.solve(puzzle("A = B"), count=problem.MAX_COUNT)) == "0\n"


def test_what_text_cannot_say():
    with pytest.raises(ValueError, match="may begin with 0"):
        problem.write_instance(puzzle("A = B", leading_zeros=False))
    with pytest.raises(ValueError, match="not in its words"):
        problem.write_instance(puzzle("A = B", letters="ABC"))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the base N, or a puzzle such as SEND \\+ MORE = MONEY, is expected"),
        ("1\nA A A", (1, 1), "the base N is 1, it must be from 2 to 36"),
        ("37 A = B", (1, 1), "the base N is 37"),
        ("3.5 A = B", (1, 1), "found '3.5'"),
        ("= A", (1, 1), "found '='"),
        ("99999999999999999999 A = B", (1, 1), "found '9999"),
        ("2\nAB BA", (2, 6), "the third word, the sum, is expected"),
        ("2\nAB BC AA", (2, 5), "the letter C is not one of the first 2, A to B"),
        ("2\nAB BAA AA", (2, 4), "the word has 3 letters, it must have N = 2"),
        ("A + = B", (1, 5), "expected a word, found '='"),
        ("A+B", (1, 4), "`=` is expected"),
        ("A+B C", (1, 5), "expected `\\+`, `-` or `=`, found 'C'"),
        ("A = B1", (1, 5), "expected a word, found 'B1'"),
        ("A = ", (1, 5), "a word is expected"),
        ("A = B\nC = D = E", (2, 7), "found '='"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the digit of A \\(case 1\\) is expected"),
        ("1 0 3 4", (1, 8), "the digit of E"),
        ("1 0 3 4 5", (1, 9), "it must be at most 4"),
        ("No way", (1, 4), "expected `No solution`, found 'way'"),
        ("1 0 3 4 2 1", (1, 11), "expected the end"),
    ],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, list(problem.read(SAMPLE)))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"base": 1}, "the base is 1"),
        ({"left": []}, "no word on the left side"),
        ({"right": ["A-"]}, "'A-' on the right side is no word"),
        ({"right": ["A" * 100_001]}, "a word has 100001 letters"),
        ({"letters": "AAB"}, "a letter is twice"),
        ({"letters": "A"}, "the words have B"),
        ({"letters": "A1"}, "are not all letters"),
        ({"version": 2}, "version"),
    ],
)
def test_bad_json_is_refused(values, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"problem": "letter-sum", "left": ["A"], "right": ["B"], **values}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(10):
        assert problem.generate(seed) == problem.generate(seed)
        assert problem.solve(problem.generate(seed, base=6, words=3)).status is Status.OPTIMAL
        assert problem.solve(problem.generate(seed, base=6, solvable=False)).status is Status.INFEASIBLE
        assert problem.solve(problem.generate(seed, base=6, unique=True), count=problem.MAX_COUNT).count == 1
    assert len({problem.generate(seed) for seed in range(10)}) == 10
    for wrong in ({"base": 1}, {"words": 0}, {"length": 0}):
        with pytest.raises(ValueError, match="there is no sum"):
            problem.generate(1, **wrong)
    with pytest.raises(ValueError, match="none of 300 sums"):
        problem.generate(1, words=1, length=1, unique=True)


def test_pictures():
    instance = puzzle("SEND + MORE = MONEY", leading_zeros=False)
    answer = problem.solve(instance)
    assert list(render.text_steps(instance, answer, False)) == [
        "   SEND\n+  MORE\n-------\n= MONEY\n",
        "   9567\n+  1085\n-------\n= 10652\n",
    ]
    assert render.text(puzzle("-A + B = C - DE"), True) == "-  A\n+  B\n----\n=  C\n- DE\n"
    impossible = puzzle("A = B")
    assert list(render.text_steps(impossible, problem.solve(impossible), False))[1] == "no solution\n"
    for solved, groups in ((None, 1), (answer, 2)):
        shown = ET.fromstring(render.svg(instance, solved))
        assert [element.get("class") for element in shown.iter()].count("board") == groups
    assert "1 solution" in render.svg(instance, problem.solve(instance, count=problem.MAX_COUNT))
    assert "at least 3 solutions" in render.svg(instance, problem.Answer(status=Status.FEASIBLE, digits=answer.digits, count=3))
    assert ET.fromstring(render.svg(problem.generate(1, length=2000))) is not None


def test_factors_of_columns():
    assert problem._factors(puzzle("AB - B = BA")).tolist() == [[-1, 0], [1, -1]]
    assert np.array_equal(problem._not_zero(puzzle("AB - B = BA")), [False, False])
    assert np.array_equal(problem._not_zero(puzzle("AB - B = C", leading_zeros=False)), [True, False, False])
