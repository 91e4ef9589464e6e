"""The problem string rewriting: fewest steps as brute force finds them, proofs that add up, a checker, formats, pictures."""

import itertools
import random
import xml.etree.ElementTree as ET

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_rewriting as naive
from bestfirst.catalogue import string_rewriting as problem
from bestfirst.catalogue.string_rewriting_proof import farthest, remainder
from bestfirst.catalogue.string_rewriting_search import Bound, StringSearch, hash_of, mixed
from bestfirst.control import EXHAUSTED, FOUND, FULL, PAUSED
from bestfirst.formats.tokens import InputError
from bestfirst.plain import bidirectional_breadth_first
from bestfirst.render import string_rewriting as render
from bestfirst.result import Limits, Status

pytestmark = pytest.mark.slow  # compiles much

SAMPLE = "abcd xyz\nabc xu\nud y\ny yz\n"
SAMPLE_OUTPUT = "3\n"

words = st.text("abc", min_size=1, max_size=6)
rule_lists = st.lists(st.tuples(st.text("abc", min_size=1, max_size=3), st.text("abc", min_size=1, max_size=3)), max_size=5)


@st.composite
def instances(draw):
    rules = tuple(draw(rule_lists))
    source = target = draw(words)
    if draw(st.booleans()):
        target = draw(words)
    for _ in range(draw(st.integers(0, 7))):
        target = draw(st.sampled_from(sorted(naive.rewritings(target, rules)) or [target]))
    return problem.Instance(source=source, target=target, rules=rules, most=draw(st.sampled_from([10, 10, 3, 0, 7])))


def twin(instance, strings=3000):
    """The fewest steps, or None; "many" when it takes too many strings."""
    most = 100 if instance.most is None else instance.most
    try:
        return naive.fewest_steps(instance.source, instance.target, instance.rules, most, strings)
    except OverflowError:
        return "many"


# --- answers ------------------------------------------------------------------------------------------------------------


def test_sample():
    (instance,) = problem.read(SAMPLE)
    answer = problem.solve(instance)
    assert answer.steps == ((1, 1), (2, 2), (3, 2))
    assert problem.write(answer) == SAMPLE_OUTPUT
    assert problem.check(instance, answer) is None


@given(instances())
def test_the_steps_are_as_few_as_those_of_the_twin(instance):
    answer = problem.solve(instance)
    assert problem.check(instance, answer) is None
    expected = twin(instance)
    if expected != "many":
        assert answer.cost == expected
        assert (answer.status is Status.OPTIMAL) == (expected is not None)


@given(instances(), st.sampled_from([["proof"], ["weights"], ["proof", "weights"]]))
def test_prunings_do_not_change_the_number_of_steps(instance, without):
    if instance.most is not None and twin(instance) != "many":
        assert problem.solve(instance, without=without).cost == problem.solve(instance).cost


def test_prunings_are_named_and_save_work():
    rules = (("a", "b"), ("a", "c"), ("c", "b"), ("b", "c"))
    instance = problem.Instance(source="a" * 8, target="b" * 4 + "a" * 4, rules=rules, most=4)
    pruned, all_of_it = problem.search(instance), problem.search(instance, without=["weights"])
    assert pruned.cost == all_of_it.cost == 4
    assert 2 * pruned.stats.generated < all_of_it.stats.generated
    far = problem.Instance(source="aaa", target="aab", rules=(("a", "aa"),), most=3)
    assert (problem.search(far).engine, problem.search(far, without=["proof"]).engine) == (
        "weights of letters",
        "string_rewriting",
    )
    with pytest.raises(ValueError, match="no pruning luck; there are: proof, weights"):
        problem.search(instance, without=["luck"])


def test_larger_ones_are_as_the_generic_engine_finds_them():
    for seed in range(15):
        instance = problem.generate(seed, letters=3, rules=5, longest=2, length=12, steps=8)
        back = [(y, x) for x, y in instance.rules]
        plain = bidirectional_breadth_first(
            instance.source,
            lambda text, rules=instance.rules: [(made, made, 1) for made in sorted(naive.rewritings(text, rules))],
            instance.target,
            predecessors=lambda text, rules=back: [(made, made, 1) for made in sorted(naive.rewritings(text, rules))],
        )
        assert plain.cost <= 8
        assert problem.solve(instance).cost == plain.cost


@pytest.mark.parametrize(
    ("source", "target", "rules", "cost"),
    [
        ("ab", "ab", (), 0),
        ("ab", "ba", (), None),
        ("aaa", "bbb", (("aa", "bb"),), None),
        ("aaa", "bba", (("aa", "bb"),), 1),
        ("aaa", "abb", (("aa", "bb"),), 1),  # an occurrence that overlaps the first one
        ("a", "a" * 11, (("a", "aa"),), 10),
        ("a", "a" * 12, (("a", "aa"),), None),
        ("a", "b", (("a", "ac"), ("ac", "b"), ("b", "bb")), 2),
        ("a", "a" * 20, (("a", "aaa"), ("a", "aa")), 10),
    ],
)
def test_small_ones(source, target, rules, cost):
    assert problem.solve(problem.Instance(source=source, target=target, rules=rules)).cost == cost


def test_any_number_of_steps():
    rules = (("ab", "ba"),)
    sorting = problem.Instance(source="a" * 9 + "b" * 9, target="b" * 9 + "a" * 9, rules=rules, most=None)
    answer = problem.solve(sorting)
    assert answer.cost == 81
    assert problem.check(sorting, answer) is None
    # No weight of letters tells them apart: the search goes through all that can be reached.
    reversed_words = msgspec.structs.replace(sorting, source="b" * 9 + "a" * 9, target="a" * 9 + "b" * 9)
    assert problem.solve(reversed_words) == problem.Answer(status=Status.INFEASIBLE, cost=None, bound=None, steps=None)
    far = problem.Instance(source="a", target="a" * 3000, rules=(("a", "aa"),), most=5000)
    assert problem.solve(far, limits=Limits(nodes=100_000)).bound >= 1


def test_many_rules():
    for seed in range(3):
        instance = problem.generate(seed, letters=8, rules=60, longest=4, length=10, steps=3, solvable=True)
        answer = problem.solve(instance)
        assert problem.check(instance, answer) is None
        assert answer.cost == naive.fewest_steps(instance.source, instance.target, instance.rules, 3)


def test_interpreted_and_paused_anywhere_it_is_the_same():
    for seed in range(3):
        instance = problem.generate(seed, letters=2, rules=4, length=7, steps=5, solvable=True)
        whole, slow = problem.search(instance), problem.search(instance, compiled=False)
        assert whole.moves == slow.moves
        for field in ("generated", "expanded", "duplicates"):
            assert getattr(slow.stats, field) == getattr(whole.stats, field)


def search_without_bounds(instance):
    """The search itself, without any bound."""
    rules = [(x.encode(), y.encode()) for x, y in instance.rules]
    rules = [(bytes(one - 97 for one in x), bytes(one - 97 for one in y)) for x, y in rules]
    ends = (bytes(one - 97 for one in end.encode()) for end in (instance.source, instance.target))
    return StringSearch(*ends, rules, 3, [Bound((0, 0, 0), 0)], instance.most, {})


def test_growing_and_pausing_without_bounds():
    rng = random.Random(1)
    for seed in range(12):
        instance = problem.generate(seed, length=9, longest=2, rules=5, steps=7)
        search = search_without_bounds(instance)
        outcome, grown = PAUSED, 0
        while outcome in (PAUSED, FULL):
            outcome = search.advance(search.stats().generated + rng.randint(1, 300))
            if outcome == FULL:
                grown += 1
                assert search.grow(None)
        assert outcome in (FOUND, EXHAUSTED)
        best = search.best()
        assert (None if best is None else best[0]) == problem.solve(instance).cost
        for side in (search.forward, search.backward):
            require_sound(side)


def require_sound(side):
    """Every string is kept once, and found under its own number."""
    used = int(side.numbers[0])
    kept = [side.letters[side.begin[i] : side.begin[i + 1]].tobytes() for i in range(used)]
    assert len(set(kept)) == used
    slots = side.slots[side.slots != 0]
    assert sorted(int(slot) & 0xFFFFFFFF for slot in slots) == list(range(1, used + 1))
    for slot in slots:
        assert int(slot) >> 32 == int(mixed(hash_of(kept[(int(slot) & 0xFFFFFFFF) - 1]))) >> 32


def test_a_stopped_search_and_what_is_known_then(tmp_path):
    instance = problem.generate(22, letters=2, rules=6, longest=3, length=16, steps=10)
    whole = problem.search(instance)
    assert whole.stats.generated > 1_000_000
    kept = tmp_path / "kept.npz"
    for nodes in (0, 1000, 500_000):
        answer = problem.answer(instance, problem.search(instance, limits=Limits(nodes=nodes), checkpoint=kept))
        assert (answer.status, answer.steps) == (Status.STOPPED, None)
        assert answer.bound <= whole.cost
        assert problem.check(instance, answer) is None
        with pytest.raises(ValueError, match="stopped"):
            problem.write(answer)
    assert problem.search(instance, resume=kept).moves == whole.moves
    memory = problem.search(instance, limits=Limits(memory=3_000_000))
    assert (memory.stopped_by, memory.moves) == ("memory", None)
    assert memory.stats.peak_bytes <= 3_000_000


# --- proofs -------------------------------------------------------------------------------------------------------------


def least_sum(changes, wanted, most=7):
    """How many changes it takes to make `wanted`, by trying all of up to `most`; None when they do not."""
    for number in range(most + 1):
        for chosen in itertools.combinations_with_replacement(changes, number):
            if [sum(column) for column in zip(*chosen, [0] * len(wanted), strict=True)] == list(wanted):
                return number
    return None


def dot(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


@given(st.data())
def test_weights_prove_what_they_say(data):
    letters = data.draw(st.integers(1, 4))
    vector = st.lists(st.integers(-2, 2), min_size=letters, max_size=letters)
    changes, wanted = data.draw(st.lists(vector, min_size=1, max_size=4)), data.draw(vector)
    weights, gain = farthest(changes, wanted)
    assert max(dot(weights, change) for change in changes) <= gain
    assert dot(weights, wanted) > 0 or (gain > 0 and dot(weights, wanted) == 0)
    least = least_sum(changes, wanted)
    assert least is None or dot(weights, wanted) <= gain * least
    found = remainder(changes, wanted)
    if found is not None:
        weights, modulus = found
        assert least is None
        assert modulus >= 2
        assert all(dot(weights, change) % modulus == 0 for change in changes)
        assert dot(weights, wanted) % modulus != 0


def test_each_kind_of_proof_is_found():
    solve = problem.solve
    heavier = problem.Instance(source="aab", target="abb", rules=(("ab", "ba"), ("bb", "aab")))
    assert solve(heavier).proof.gain == 0
    odd = problem.Instance(source="a", target="aa", rules=(("a", "aaa"), ("aaa", "a")), most=None)
    assert solve(odd).proof == problem.Proof(weights={"a": 1}, modulus=2)
    far = problem.Instance(source="a" * 30, target="b" * 30, rules=(("aa", "bb"), ("a", "c"), ("c", "a")))
    assert solve(far).proof.gain > 0
    mixed_rules = problem.Instance(source="ab", target="cc", rules=(("ab", "bc"), ("bc", "ca"), ("ca", "ab")))
    for instance in (heavier, odd, far, mixed_rules):
        answer = solve(instance)
        assert answer.status is Status.INFEASIBLE
        assert problem.check(instance, answer) is None
        assert problem.write(answer) == "NO ANSWER!\n"


def test_best_weights_are_the_best_of_all_small_ones():
    rng = random.Random(1)
    for _ in range(30):
        changes = [[rng.randint(-1, 2) for _ in range(2)] for _ in range(3)]
        wanted = [rng.randint(0, 6) for _ in range(2)]
        weights, gain = farthest(changes, wanted)
        for other in itertools.product(range(-4, 5), repeat=2):
            most = max(0, *(dot(other, change) for change in changes))
            if gain:  # else nothing can be better
                assert dot(other, wanted) * gain <= dot(weights, wanted) * most


# --- checker ------------------------------------------------------------------------------------------------------------


@given(instances(), st.randoms(use_true_random=False))
def test_a_changed_answer_is_caught_or_also_right(instance, rng):
    answer = problem.solve(instance)
    for _ in range(4):
        if not answer.steps:
            return
        steps = list(answer.steps)
        at = rng.randrange(len(steps))
        steps[at] = rng.choice([(rng.randint(0, len(instance.rules) + 1), steps[at][1]), (steps[at][0], rng.randint(0, 8))])
        text = instance.source
        for rule, place in steps:
            x, y = instance.rules[rule - 1] if 1 <= rule <= len(instance.rules) else ("?", "?")
            fits = place >= 1 and text[place - 1 : place - 1 + len(x)] == x
            text = text[: place - 1] + y + text[place - 1 + len(x) :] if fits else "?"
        changed = msgspec.structs.replace(answer, steps=tuple(steps))
        assert (problem.check(instance, changed) is None) == (text == instance.target)


def optimal(steps, **changes):
    fields = {"status": Status.OPTIMAL, "cost": len(steps), "bound": len(steps), "steps": tuple(steps)}
    return problem.Answer(**{**fields, **changes})


def no_answer(**proof):
    return problem.Answer(status=Status.INFEASIBLE, cost=None, bound=None, steps=None, proof=problem.Proof(**proof))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (optimal([(1, 1), (1, 2), (1, 3)]), None),
        (optimal([(1, 3), (1, 1), (1, 2)]), None),
        (optimal([(1, 1), (1, 2)]), "after the last step the string is 'bba', not 'bbb'"),
        (optimal([(1, 1), (1, 1), (1, 3)]), "step 2: at place 1 of 'baa' there is no 'a'"),
        (optimal([(1, 0), (1, 1), (1, 3)]), "step 1: at place 0"),
        (optimal([(3, 1)] * 3), "step 1: there is no rule 3"),
        (optimal([(1, 1)] * 4), "there are 4 steps, but only 3 are allowed"),
        (optimal([(1, 1)] * 2, cost=3, bound=3), "it claims 3 steps, but there are 2"),
        (optimal([(1, 1)] * 2, bound=1), "the answer is called optimal"),
        (optimal([(1, 1)] * 2, status=Status.STOPPED), "there is an answer, but its status is stopped"),
        (optimal([(1, 1)] * 2, status=Status.FEASIBLE), "the status is feasible"),
        (optimal([(1, 1), (1, 2), (1, 3)], proof=problem.Proof(weights={}, gain=0)), "there is a proof that there is no answer"),
        (no_answer(weights={"b": 1}), "a proof has either"),
        (no_answer(weights={"b": 1}, gain=0), "rule 1 adds 1 to the weight, which is more than 0"),
        (no_answer(weights={"b": 1}, gain=1), "the target is heavier by 3, which the steps allowed may add"),
        (no_answer(weights={"b": 1}, gain=-1), "the gain of the proof is -1"),
        (no_answer(weights={"b": 1}, modulus=1), "the modulus of the proof is 1"),
        (no_answer(weights={"b": 1}, modulus=2), "rule 1 adds 1 to the weight, which is no multiple of 2"),
        (no_answer(weights={"b": 2}, modulus=2), "source and target differ by 6, a multiple of 2"),
    ],
)
def test_checker_messages(answer, message):
    instance = problem.Instance(source="aaa", target="bbb", rules=(("a", "b"), ("b", "a")), most=3)
    fault = problem.check(instance, answer)
    assert fault is None if message is None else fault.startswith(message)


# --- formats ------------------------------------------------------------------------------------------------------------


@given(instances())
def test_text_and_json_there_and_back(instance):
    answer = problem.solve(instance)
    assert msgspec.json.decode(msgspec.json.encode(instance), type=problem.Instance) == instance
    assert msgspec.json.decode(msgspec.json.encode(answer), type=problem.Answer) == answer
    (read_back,) = problem.read_answers(problem.write(answer), [instance])
    assert read_back == msgspec.structs.replace(answer, steps=None, proof=None)
    if instance.most == 10:
        text = problem.write_instance(instance)
        for form in (text, "\ufeff" + text.replace("\n", "\r\n"), " ".join(text.split())):
            assert list(problem.read(form)) == [instance]
    else:
        with pytest.raises(ValueError, match="allows 10 steps"):
            problem.write_instance(instance)


def test_blanks_are_for_json_only():
    instance = problem.Instance(source="a b", target="é", rules=(("a b", "é"),))
    assert problem.solve(instance).cost == 1
    with pytest.raises(ValueError, match="no strings with blanks"):
        problem.write_instance(instance)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the string A is expected"),
        ("abc", (1, 4), "the string B is expected"),
        ("a b\nx y\nz", (3, 2), "the right side of rule 2 is expected"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(problem.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the number of steps for case 1"),
        ("-1", (1, 1), "at least 0"),
        ("NO", (1, 3), "ANSWER! is expected"),
        ("NO WAY", (1, 4), "expected ANSWER!, found 'WAY'"),
        ("3\n4", (2, 1), "expected the end"),
    ],
)
def test_bad_answers_are_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        problem.read_answers(text, list(problem.read(SAMPLE)))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source": ""}, "the source is empty"),
        ({"rules": (("a", "b"), ("a", ""))}, "a side of rule 2 is empty"),
        ({"most": -1}, "-1 steps are allowed"),
        ({"most": 1 << 40}, "steps are allowed, it must be 0 to"),
        ({"source": "".join(map(chr, range(1000, 1300)))}, "different characters, there can be 256"),
        ({"limit": 3}, "limit"),
    ],
)
def test_bad_json_is_refused(changes, message):
    fields = {"problem": "string-rewriting", "source": "a", "target": "b", "rules": (("a", "b"),)}
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({**fields, **changes}, problem.Instance)


# --- generator, pictures ------------------------------------------------------------------------------------------------


def test_generator():
    for seed in range(20):
        instance = problem.generate(seed)
        assert instance == problem.generate(seed)
        assert (len(instance.source), len(instance.rules)) == (8, 4)
        for solvable in (True, False):
            wanted = problem.generate(seed, length=5, longest=2, solvable=solvable)
            expected = twin(wanted)
            assert expected == "many" or (expected is not None) == solvable
    for bad in ({"letters": 0}, {"letters": 27}, {"rules": 0}, {"length": 0}, {"steps": -1}):
        with pytest.raises(ValueError, match="there is no instance"):
            problem.generate(1, **bad)


def test_steps_and_pictures():
    for seed in range(12):
        instance = problem.generate(seed, solvable=seed % 3 > 0)
        answer = problem.solve(instance)
        shown = list(problem.steps(instance, answer))
        assert len(shown) == 1 + (answer.cost or 0)
        assert shown[0].text == instance.source
        for before, after in itertools.pairwise(shown):
            assert after.text in naive.rewritings(before.text, instance.rules)
        assert answer.cost is None or shown[-1].text == instance.target
        for color in (False, True):
            assert len(render.text(instance, color).splitlines()) == 1 + len(instance.rules)
            (lines,) = render.text_steps(instance, answer, color)
            assert len(lines.splitlines()) == 1 + (len(shown) if answer.steps is not None else 0)
            assert ("\x1b" in lines) == color
        strings = len(shown) if answer.steps is not None else 2
        for picture, count in ((render.svg(instance), 2), (render.svg(instance, answer), strings)):
            kinds = [element.get("class") for element in ET.fromstring(picture).iter()]
            assert kinds.count("string") == count
        assert kinds.count("made") == kinds.count("taken") == (answer.cost or 0)


def test_pictures_of_proofs_of_long_answers_and_of_strange_letters():
    for instance, words_shown in (
        (problem.Instance(source="a", target="aa", rules=(("a", "aaa"),)), "a multiple of 2"),
        (problem.Instance(source="a", target="aa", rules=(("a", "b"),)), "no rule adds to the weight"),
        (problem.Instance(source="a", target="a" * 99, rules=(("a", "aa"),)), "more than 1 to the weight"),
    ):
        answer = problem.solve(instance)
        assert words_shown in next(render.text_steps(instance, answer, False))
        assert words_shown in render.svg(instance, answer)
    stopped = problem.Answer(status=Status.STOPPED, cost=None, bound=3, steps=None)
    strange = problem.Instance(source="<&>" + "x" * 200, target="é", rules=(("<", '"'),), most=None)
    assert "at least 3 (stopped)" in ET.fromstring(render.svg(strange, stopped))[0].text
    long = problem.Instance(source="a" * 18 + "b" * 18, target="b" * 18 + "a" * 18, rules=(("ab", "ba"),), most=None)
    steps = tuple((1, i - j + 18) for i in range(18) for j in range(18))
    answer = problem.Answer(status=Status.OPTIMAL, cost=324, bound=324, steps=steps)
    assert problem.check(long, answer) is None
    picture = render.svg(long, answer)
    assert "the first 200" in picture
    assert picture.count('class="string"') == 201
    assert np.array_equal(sorted({step.rule for step in problem.steps(long, answer)} - {None}), [1])


def test_characters_that_cannot_be_printed_are_refused():
    with pytest.raises(InputError, match=r"rule 1 has a character that cannot be printed: 'a\\x1b'") as caught:
        list(problem.read("ab cd\na\x1b b"))
    assert (caught.value.line, caught.value.column) == (2, 1)
    for letter in ("\ud800", "\x00", "\n"):
        with pytest.raises(ValueError, match="which cannot be printed"):
            problem.Instance(source="a" + letter, target="b", rules=())
