"""String rewriting: the fewest applications of rules that turn one string into another.

A rule x → y replaces one occurrence of x, anywhere in the string, by y; occurrences may overlap, each can be chosen. The rules
may be applied in any order and as often as wanted, but at most 10 times in all (in JSON any number of times, or without limit).

    source, target   the strings A and B
    rules            pairs (x, y); they and places in a string are numbered from 1
    most             steps allowed; None for no limit
    steps            an answer: the rule and the place of each step; of the shortest ones any, but always the same
    proof            an answer: weights of letters that show that there is no answer, where such are known

The search is in `string_rewriting_search`, the proofs are in `string_rewriting_proof`; docs/problems/string-rewriting.md explains
both.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Unpack

import msgspec

from bestfirst.catalogue.prunings import Kind, Pruning, require_known
from bestfirst.catalogue.string_rewriting_proof import farthest, remainder
from bestfirst.catalogue.string_rewriting_search import MAX_LETTERS, UNLIMITED, Bound, StringSearch
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Tokens, shown
from bestfirst.result import Solution, Stats, Status
from bestfirst.search.explicit import finish

#: Steps allowed in the judge format.
STEPS = 10

#: The largest limit of steps.
MAX_STEPS = 1_000_000_000

PRUNINGS = {
    "proof": Pruning(
        Kind.FEASIBILITY,
        "before the search, weights of letters may show that the strings are too far apart for any steps, or those allowed",
        "no step gains more weight than the best rule; the checker adds the proof up",
    ),
    "weights": Pruning(
        Kind.BOUND,
        "a rule is not applied to a string where the same weights show that the steps left would not do",
        "the weight still missing divided by what the best rule gains is a lower bound of the steps",
    ),
}

CASES = "single"

#: How many strings `generate` tries for a wanted property.
TRIES = 300

_NO_ANSWER = "NO ANSWER!"

#: Best weights are computed for so many (letters × rules) at most: in fractions they take up to a second.
_MOST_ENTRIES = 2000

#: Weights of single letters bound the search for so many letters at most: of more, each says little.
_FEW_LETTERS = 8

#: Weights times the length of a side of a rule must stay below this, so that the search cannot leave 64 bits.
_MAX_WEIGHT = 1 << 30

Rule = tuple[str, str]


class Instance(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="string-rewriting", forbid_unknown_fields=True
):
    """Two strings and rules, none empty. Raises ValueError for an empty one, a bad limit, or too many different characters."""

    version: Literal[1] = 1
    source: str
    target: str
    rules: tuple[Rule, ...]
    most: int | None = STEPS

    def __post_init__(self) -> None:
        for what, text in (("source", self.source), ("target", self.target)):
            if not text:
                raise ValueError(f"the {what} is empty, it must have at least one character")
        for number, sides in enumerate(self.rules, 1):
            if not all(sides):
                raise ValueError(f"a side of rule {number} is empty, both must have at least one character")
        if self.most is not None and not 0 <= self.most <= MAX_STEPS:
            raise ValueError(f"{self.most} steps are allowed, it must be 0 to {MAX_STEPS}, or null for no limit")
        unprintable = next((letter for letter in _alphabet(self) if not letter.isprintable()), None)
        if unprintable is not None:
            raise ValueError(f"the strings have the character {unprintable!a}, which cannot be printed")
        different = len(_alphabet(self))
        if different > MAX_LETTERS:
            raise ValueError(f"there are {different} different characters, there can be {MAX_LETTERS}")


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """Why there is no answer: a weight for each character; a string weighs the sum of its characters.

    With `gain` no rule adds more than that to the weight, and the target is heavier than the source by more than the steps
    allowed can add (anything, when the gain is 0). With `modulus` every rule adds a multiple of it, and the difference of target
    and source is none.
    """

    weights: dict[str, int]
    gain: int | None = None
    modulus: int | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="string-rewriting"):
    """The number of steps and, when they are known, the steps."""

    version: Literal[1] = 1
    status: Status
    cost: int | None  #: number of steps
    bound: int | None  #: it takes no fewer; None when there is no answer
    steps: tuple[tuple[int, int], ...] | None
    proof: Proof | None = None


def _alphabet(instance: Instance) -> str:
    return "".join(
        sorted({*instance.source, *instance.target, *(one for rule in instance.rules for side in rule for one in side)})
    )


# --- formats ------------------------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Read A and B, then rules x y to the end of the text; all are parted by blanks or line ends.

    Raises InputError where the text is bad, also when it is empty.
    """
    tokens = Tokens(text)
    source, target = _take_string(tokens, "the string A"), _take_string(tokens, "the string B")
    rules: list[Rule] = []
    while not tokens.at_end():
        number = len(rules) + 1
        rules.append((_take_string(tokens, f"rule {number}"), _take_string(tokens, f"the right side of rule {number}")))
    yield Instance(source=source, target=target, rules=tuple(rules))


def _take_string(tokens: Tokens, what: str) -> str:
    token = tokens.take(what)
    if not token.text.isprintable():
        token.fail(f"{what} has a character that cannot be printed: {token.text[:40]!a}")
    return token.text


def write_instance(instance: Instance) -> str:
    """The judge format of an instance. Raises ValueError for another limit than 10 steps, and for blanks in strings."""
    if instance.most != STEPS:
        raise ValueError(f"the judge format allows {STEPS} steps; JSON any number")
    pairs = ((instance.source, instance.target), *instance.rules)
    if any(len(side.split()) != 1 or side.strip() != side for pair in pairs for side in pair):
        raise ValueError("the judge format has no strings with blanks; JSON has")
    return "".join(f"{one} {other}\n" for one, other in pairs)


def write(answer: Answer) -> str:
    """The fewest steps on a line, or `NO ANSWER!` when as many as are allowed do not do.

    Raises ValueError when the search was stopped.
    """
    if answer.status is Status.INFEASIBLE:
        return f"{_NO_ANSWER}\n"
    if answer.status is not Status.OPTIMAL:
        raise ValueError(f"the number of steps is not known: the search was stopped, it is at least {answer.bound}")
    return f"{answer.cost}\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read a number or `NO ANSWER!` for each instance. Raises InputError where the text has another form, or says more."""
    tokens = Tokens(text)
    answers = []
    for case in range(1, len(instances) + 1):
        first = tokens.peek()
        if first is not None and first.text == "NO":
            tokens.take("NO")
            second = tokens.take("ANSWER!")
            if second.text != "ANSWER!":
                second.fail(f"expected ANSWER!, found {shown(second.text)}")
            answers.append(Answer(status=Status.INFEASIBLE, cost=None, bound=None, steps=None))
        else:
            cost = tokens.take_integer(f"the number of steps for case {case} or {_NO_ANSWER}", 0, MAX_STEPS)
            answers.append(Answer(status=Status.OPTIMAL, cost=cost, bound=cost, steps=None))
    tokens.require_end("expected the end: every case has its answer")
    return answers


# --- solver -------------------------------------------------------------------------------------------------------------


def search(instance: Instance, without: Collection[str] = frozenset(), **options: Unpack[RunOptions]) -> Solution:
    """Find the fewest steps, which are the `moves` of the solution: pairs of a rule and a place, from 1.

    Infeasible when the steps allowed do not do; `value` is then the Proof, if weights prove it. `without` names PRUNINGS to
    switch off; the number of steps stays the same.

    Raises ValueError for an unknown pruning, Interrupted on Ctrl-C.
    """
    require_known(without, PRUNINGS)
    letters = {letter: number for number, letter in enumerate(_alphabet(instance))}
    rules = [(_bytes(x, letters), _bytes(y, letters)) for x, y in instance.rules]
    source, target = _bytes(instance.source, letters), _bytes(instance.target, letters)
    changes = [_difference(x, y, len(letters)) for x, y in rules]
    wanted = _difference(source, target, len(letters))
    bounds = [Bound((1,) * len(letters), 0)]
    if len(letters) <= _FEW_LETTERS:
        bounds += [Bound(tuple(int(i == letter) for i in range(len(letters))), 0) for letter in range(len(letters))]
    bounds += [Bound(tuple(-weight for weight in bound.weights), 0) for bound in bounds]
    if len(letters) * len(rules) <= _MOST_ENTRIES:
        bounds.append(Bound(tuple(farthest(changes, wanted)[0]), 0))
    bounds = [bound._replace(gain=max([0, *(_dot(bound.weights, change) for change in changes)])) for bound in bounds]
    proof = None if "proof" in without else _proof(instance, bounds, changes, wanted)
    if proof is not None:
        return Solution(Status.INFEASIBLE, None, None, None, Stats(), "weights of letters", "they prove it", value=proof)
    longest = max((len(side) for rule in rules for side in rule), default=1)
    small = (bound for bound in bounds if any(bound.weights) and max(map(abs, bound.weights)) * longest < _MAX_WEIGHT)
    bounds = [] if "weights" in without else list(small)
    most = UNLIMITED if instance.most is None else instance.most
    found: Solution = finish(StringSearch(source, target, rules, len(letters), bounds, most, options), options)
    return found


def _bytes(text: str, letters: dict[str, int]) -> bytes:
    return bytes(letters[letter] for letter in text)


def _difference(before: bytes, after: bytes, letters: int) -> list[int]:
    """How many more of each letter there are."""
    return [after.count(letter) - before.count(letter) for letter in range(letters)]


def _dot(weights: Sequence[int], change: Sequence[int]) -> int:
    return sum(weight * number for weight, number in zip(weights, change, strict=True))


def _proof(instance: Instance, bounds: Sequence[Bound], changes: Sequence[list[int]], wanted: list[int]) -> Proof | None:
    """A proof that there is no answer, if one of these bounds or a remainder gives it; best that there is none at all."""
    letters = _alphabet(instance)
    for most in (None, instance.most):
        for bound in reversed(bounds):
            rise = _dot(bound.weights, wanted)
            if rise > 0 and (bound.gain == 0 or (most is not None and rise > bound.gain * most)):
                return Proof(weights=dict(zip(letters, bound.weights, strict=True)), gain=bound.gain)
        if most is None and (found := remainder(changes, wanted)) is not None:
            return Proof(weights=dict(zip(letters, found[0], strict=True)), modulus=found[1])
    return None


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the instance, as a value that can be kept."""
    cost, bound = solution.whole_numbers()
    return Answer(
        status=solution.status,
        cost=cost,
        bound=bound,
        steps=solution.moves,
        proof=solution.value,
    )


def solve(instance: Instance, **options: Any) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That fewer steps do not do cannot be seen by making them. A proof that there is no answer is checked by adding up.
    """
    return _check_claim(instance, answer) or _check_steps(instance, answer) or _check_proof(instance, answer)


def _check_claim(instance: Instance, answer: Answer) -> str | None:
    """Whether status, numbers and the rest fit together."""
    status, cost = answer.status, answer.cost
    if status is Status.FEASIBLE:
        return "the status is feasible, but the first way that is found is proved to be shortest"
    if answer.proof is not None and status is not Status.INFEASIBLE:
        return f"there is a proof that there is no answer, but the status is {status}"
    if status is not Status.OPTIMAL:
        return None if (cost, answer.steps) == (None, None) else f"there is an answer, but its status is {status}"
    if cost is None or cost != answer.bound:
        return f"the answer is called optimal, but it has {cost} steps and its bound is {answer.bound}"
    if instance.most is not None and cost > instance.most:
        return f"there are {cost} steps, but only {instance.most} are allowed"
    if answer.steps is not None and len(answer.steps) != cost:
        return f"it claims {cost} steps, but there are {len(answer.steps)}"
    return None


def _check_steps(instance: Instance, answer: Answer) -> str | None:
    """Make the steps."""
    if answer.steps is None:
        return None
    text = instance.source
    for number, (rule, place) in enumerate(answer.steps, 1):
        if not 1 <= rule <= len(instance.rules):
            return f"step {number}: there is no rule {rule}"
        left, right = instance.rules[rule - 1]
        if place < 1 or not text.startswith(left, place - 1):
            return f"step {number}: at place {place} of {shown(text)} there is no {shown(left)}"
        text = text[: place - 1] + right + text[place - 1 + len(left) :]
    return None if text == instance.target else f"after the last step the string is {shown(text)}, not {shown(instance.target)}"


def _check_proof(instance: Instance, answer: Answer) -> str | None:
    """Add up."""
    proof = answer.proof
    if proof is None:
        return None

    def rise(before: str, after: str) -> int:
        return sum(proof.weights.get(one, 0) for one in after) - sum(proof.weights.get(one, 0) for one in before)

    whole = rise(instance.source, instance.target)
    if (proof.gain is None) == (proof.modulus is None):
        return "a proof has either a gain or a modulus"
    if proof.modulus is not None:
        if proof.modulus < 2:
            return f"the modulus of the proof is {proof.modulus}, it must be at least 2"
        bad = next((number for number, rule in enumerate(instance.rules, 1) if rise(*rule) % proof.modulus), None)
        if bad is not None:
            return f"rule {bad} adds {rise(*instance.rules[bad - 1])} to the weight, which is no multiple of {proof.modulus}"
        return None if whole % proof.modulus else f"source and target differ by {whole}, a multiple of {proof.modulus}"
    gain = proof.gain or 0
    if gain < 0:
        return f"the gain of the proof is {gain}, it must not be negative"
    bad = next((number for number, rule in enumerate(instance.rules, 1) if rise(*rule) > gain), None)
    if bad is not None:
        return f"rule {bad} adds {rise(*instance.rules[bad - 1])} to the weight, which is more than {gain}"
    if whole > 0 and (gain == 0 or (instance.most is not None and whole > gain * instance.most)):
        return None
    return f"the target is heavier by {whole}, which the steps allowed may add"


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(
    seed: int,
    *,
    letters: int = 3,
    rules: int = 4,
    longest: int = 3,
    length: int = 8,
    steps: int = 5,
    solvable: bool | None = None,
) -> Instance:
    """A random string of so many letters, random rules with sides of up to `longest`, and what some random steps make of it.

    solvable=True: there is an answer of at most 10 steps; False: there is none, and the target is a random string; None: either.
    The same for the same arguments. Raises ValueError for numbers that make no instance, and when none of TRIES is as wanted.
    """
    if not (1 <= letters <= 26 and rules >= 1 and longest >= 1 and length >= 1 and steps >= 0):
        raise ValueError(f"there is no instance of {letters} letters, {rules} rules of up to {longest} and a string of {length}")
    rng = random.Random(seed)
    for _ in range(1 if solvable is None else TRIES):
        instance = _random_instance(rng, letters, rules, longest, length, None if solvable is False else steps)
        if solvable is None or solvable == (search(instance).status is Status.OPTIMAL):
            return instance
    raise ValueError(f"none of {TRIES} instances is {'solvable' if solvable else 'unsolvable'}")


def _random_instance(rng: random.Random, letters: int, rules: int, longest: int, length: int, steps: int | None) -> Instance:
    def word(most: int, least: int = 1) -> str:
        return "".join(rng.choice("abcdefghijklmnopqrstuvwxyz"[:letters]) for _ in range(rng.randint(least, most)))

    pairs = tuple((word(longest), word(longest)) for _ in range(rules))
    source = target = word(length, length)
    for _ in range(steps or 0):
        made = [target[:i] + y + target[i + len(x) :] for x, y in pairs for i in range(len(target)) if target.startswith(x, i)]
        target = rng.choice(made or [target])
    return Instance(source=source, target=word(length + 2, max(1, length - 2)) if steps is None else target, rules=pairs)


# --- pictures -----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A string on the way: what a rule made of the one before, and what the next rule will replace."""

    text: str
    rule: int | None  #: the rule that made it; None for the source
    made: tuple[int, int]  #: first place, from 0, and length of what the rule put there
    taken: tuple[int, int]  #: … of what the next rule takes away


def steps(instance: Instance, answer: Answer) -> Iterator[Step]:
    """Yield the source and the string after each step; only the source when no steps are known."""
    text, rule, made = instance.source, None, (0, 0)
    for following, place in answer.steps or ():
        left, right = instance.rules[following - 1]
        yield Step(text, rule, made, (place - 1, len(left)))
        text = text[: place - 1] + right + text[place - 1 + len(left) :]
        rule, made = following, (place - 1, len(right))
    yield Step(text, rule, made, (0, 0))
