"""Letter sums (184): which digit does each letter stand for, so that a sum of words comes out right?

The words are numbers in some base; a letter is the same digit everywhere, and different letters are different digits. The words
on the left side, some of them subtracted perhaps, must make as much together as those on the right side. A word may begin with 0
unless that is forbidden. Of several solutions it is any, but always the same one.

    base      of the numbers, 2 to 36
    left      words of the left side; one that begins with `-` is subtracted; `right` likewise
    letters   all letters that stand for digits, in the order of the answer: those of the words and perhaps more
    digits    an answer: the digit of each letter

The search is in letter_sum_search.py; docs/problems/letter-sum.md explains it.
"""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal, Unpack

import msgspec
import numpy as np

from bestfirst.catalogue import letter_sum_search
from bestfirst.catalogue.letter_sum_search import LetterSearch
from bestfirst.control import RunOptions
from bestfirst.formats.tokens import Token, Tokens, shown
from bestfirst.result import Interrupted, Solution, Status
from bestfirst.search.explicit import finish

PRUNINGS = letter_sum_search.PRUNINGS

#: The most solutions that can be counted.
MAX_COUNT = 1 << 60

MAX_BASE = 36

#: Letters of a word at most.
MAX_LENGTH = 100_000

#: The letters of the judge format in their order.
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"

#: How many puzzles `generate` tries for a wanted property.
TRIES = 300

_NO_SOLUTION = ("No", "solution")

_PIECE = re.compile(r"[-+=]|[^-+=]+")


class Instance(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="letter-sum", forbid_unknown_fields=True):
    """A puzzle. Raises ValueError where the base is out of range, a word is none, or a letter of the words is left out."""

    version: Literal[1] = 1
    base: int = 10
    left: tuple[str, ...]
    right: tuple[str, ...]
    letters: str = ""  #: left out: those of the words in alphabetical order
    leading_zeros: bool = True  #: whether a word of several letters may begin with 0

    def __post_init__(self) -> None:
        _require(2 <= self.base <= MAX_BASE, f"the base is {self.base}, it must be from 2 to {MAX_BASE}")
        for side, words in (("left", self.left), ("right", self.right)):
            _require(len(words) > 0, f"there is no word on the {side} side")
            for word in words:
                letters = word.removeprefix("-")
                _require(letters.isalpha(), f"{shown(word)} on the {side} side is no word of letters")
                _require(len(letters) <= MAX_LENGTH, f"a word has {len(letters)} letters, it must have at most {MAX_LENGTH}")
        if self.letters:
            _require(self.letters.isalpha(), f"the letters {shown(self.letters)} are not all letters")
            _require(len(set(self.letters)) == len(self.letters), f"a letter is twice in {shown(self.letters)}")
            missing = sorted(set("".join((*self.left, *self.right))) - {"-", *self.letters})
            _require(not missing, f"the words have {', '.join(missing)}, the letters {shown(self.letters)} do not")

    @property
    def terms(self) -> list[tuple[int, str]]:
        """The words with their signs as if all were on the left side."""
        sides = ((1, self.left), (-1, self.right))
        return [(-sign if word[0] == "-" else sign, word.removeprefix("-")) for sign, words in sides for word in words]

    @property
    def names(self) -> str:
        """The letters in the order of the answer."""
        return self.letters or "".join(sorted({letter for _, word in self.terms for letter in word}))


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="problem", tag="letter-sum"):
    """The digits of a solution; the number of solutions when it was asked for, of which a stopped search knows some."""

    version: Literal[1] = 1
    status: Status
    digits: tuple[int, ...] | None
    count: int | None = None


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


# --- judge format and puzzles -------------------------------------------------------------------------------------------


def read(text: str) -> Iterator[Instance]:
    """Read N and three words of N of the first N letters, the third the sum of the others; or a puzzle such as
    SEND + MORE = MONEY, after its base when that is not 10. More of either may follow.

    Letters are those from A to Z, then a to j, in puzzles any. Raises InputError, when it comes to it, where the text is bad.
    """
    pieces = _Pieces(text)
    yield _read_case(pieces)
    while pieces.peek() is not None:
        yield _read_case(pieces)


class _Pieces:
    """The tokens of a text, split at the signs."""

    def __init__(self, text: str) -> None:
        self.tokens = Tokens(text)
        self.ahead: list[Token] = []

    def peek(self) -> Token | None:
        if not self.ahead and self.tokens.peek() is not None:
            token = self.tokens.take("")
            matches = _PIECE.finditer(token.text)
            self.ahead = [Token(match.group(), token.line, token.column + match.start()) for match in matches]
        return self.ahead[0] if self.ahead else None

    def take(self, what: str) -> Token:
        return self.ahead.pop(0) if self.peek() is not None else self.tokens.take(what)

    def take_word(self, what: str) -> Token:
        """A word of letters."""
        token = self.take(what)
        if not token.text.isalpha():
            token.fail(f"expected {what}, found {shown(token.text)}")
        if len(token.text) > MAX_LENGTH:
            token.fail(f"a word has {len(token.text)} letters, it must have at most {MAX_LENGTH}")
        return token

    def next_is(self, signs: str) -> bool:
        """Whether one of these signs follows."""
        token = self.peek()
        return token is not None and token.text in signs


def _read_case(pieces: _Pieces) -> Instance:
    what = "the base N, or a puzzle such as SEND + MORE = MONEY,"
    token = pieces.peek() or pieces.take(what)
    base = None
    if not token.text.isalpha() and token.text != "-":
        base = Tokens(token.text).take_integer(what) if token.text.isdecimal() and len(token.text) < 9 else None
        if base is None:
            token.fail(f"expected {what} found {shown(token.text)}")
        if not 2 <= base <= MAX_BASE:
            token.fail(f"the base N is {base}, it must be from 2 to {MAX_BASE}")
        pieces.take(what)
    first = None if pieces.next_is("-") else pieces.take_word("a word")
    if base is None or first is None or pieces.next_is("+-="):
        return _read_puzzle(pieces, first, base or 10)
    words = [first, pieces.take_word("the second word"), pieces.take_word("the third word, the sum,")]
    for word in words:
        _require_judge_word(word, base)
    a, b, c = (word.text for word in words)
    return Instance(base=base, left=(a, b), right=(c,), letters=_letters_beside(a + b + c, base))


def _require_judge_word(word: Token, base: int) -> None:
    letters = ALPHABET[:base]
    for place, letter in enumerate(word.text):
        if letter not in letters:
            where = Token(letter, word.line, word.column + place)
            where.fail(f"the letter {letter} is not one of the first {base}, {letters[0]} to {letters[-1]}")
    if len(word.text) != base:
        word.fail(f"the word has {len(word.text)} letters, it must have N = {base}")


def _letters_beside(used: str, base: int) -> str:
    """What `letters` must say so that the first `base` letters are meant."""
    return "" if len(set(used)) == base else ALPHABET[:base]


def _read_puzzle(pieces: _Pieces, first: Token | None, base: int) -> Instance:
    left = _read_side(pieces, first)
    equals = pieces.take("`=`")
    if equals.text != "=":
        equals.fail(f"expected `+`, `-` or `=`, found {shown(equals.text)}")
    return Instance(base=base, left=left, right=_read_side(pieces, None))


def _read_side(pieces: _Pieces, first: Token | None) -> tuple[str, ...]:
    """Words with + and - between them, of which the first has been taken perhaps."""
    if first is None:
        sign = pieces.take("").text if pieces.next_is("-") else ""
        words = [sign + pieces.take_word("a word").text]
    else:
        words = [first.text]
    while pieces.next_is("+-"):
        sign = pieces.take("").text.replace("+", "")
        words.append(sign + pieces.take_word("a word").text)
    return tuple(words)


def write_instance(instance: Instance) -> str:
    """The judge format where it will do, otherwise the puzzle on a line. Raises ValueError where neither can say it."""
    if not instance.leading_zeros:
        raise ValueError("in texts words may begin with 0; JSON can forbid it")
    base, words = instance.base, (*instance.left, *instance.right)
    is_judge = (len(instance.left), len(instance.right)) == (2, 1) and {len(word) for word in words} == {base}
    if is_judge and instance.names == ALPHABET[:base]:
        return "\n".join((str(base), *words)) + "\n"
    if len(instance.names) != len({letter for _, word in instance.terms for letter in word}):
        raise ValueError("a puzzle has no letters that are not in its words; JSON can have them")
    left, right = (" ".join(_with_signs(words)) for words in (instance.left, instance.right))
    is_clear = base == 10 and instance.left[0][0] != "-"  # a sign at the beginning would go on with the case before
    return f"{'' if is_clear else f'{base} '}{left} = {right}\n"


def _with_signs(words: Sequence[str]) -> Iterator[str]:
    for number, word in enumerate(words):
        if number > 0 or word[0] == "-":
            yield "-" if word[0] == "-" else "+"
        yield word.removeprefix("-")


def write(answer: Answer) -> str:
    """The digits of the letters in alphabetical order, or `No solution`; the number of solutions when they were counted.

    Raises ValueError when it is not known.
    """
    if answer.status not in (Status.OPTIMAL, Status.INFEASIBLE):
        raise ValueError("it is not known: the search was stopped")
    if answer.count is not None:
        return f"{answer.count}\n"
    return " ".join(map(str, answer.digits) if answer.digits is not None else _NO_SOLUTION) + "\n"


def read_answers(text: str, instances: Sequence[Instance]) -> list[Answer]:
    """Read digits, or `No solution`, for each instance. Raises InputError where the text has another form, or says more."""
    tokens = Tokens(text)
    answers = [_read_answer(tokens, case, instance) for case, instance in enumerate(instances, 1)]
    tokens.require_end(f"expected the end of the text after {len(instances)} answers")
    return answers


def _read_answer(tokens: Tokens, case: int, instance: Instance) -> Answer:
    token = tokens.peek()
    if token is not None and token.text == _NO_SOLUTION[0]:
        for word in _NO_SOLUTION:
            token = tokens.take(f"`{' '.join(_NO_SOLUTION)}`")
            if token.text != word:
                token.fail(f"expected `{' '.join(_NO_SOLUTION)}`, found {shown(token.text)}")
        return Answer(status=Status.INFEASIBLE, digits=None)
    digits = tuple(tokens.take_integer(f"the digit of {letter} (case {case})", 0, instance.base - 1) for letter in instance.names)
    return Answer(status=Status.OPTIMAL, digits=digits)


# --- search -------------------------------------------------------------------------------------------------------------


def search(
    instance: Instance, without: Collection[str] = frozenset(), *, count: int | None = None, **options: Unpack[RunOptions]
) -> Solution:
    """Find a solution; its digits are the `value`. Infeasible when there is none.

    count     go on to so many solutions; the `count` of the solution is how many were met, all there are if it is less than this
    without   prunings to switch off, by their names in PRUNINGS

    Exponential time in the number of letters; memory O(letters × (letters + columns)). Raises ValueError for the name of a
    pruning that does not exist, Interrupted on Ctrl-C.
    """
    if count is not None and not 1 <= count <= MAX_COUNT:
        raise ValueError(f"count={count} must be from 1 to 2^60")
    job = LetterSearch(
        instance.base, _factors(instance), _not_zero(instance), options, counting=count or 0, without=frozenset(without)
    )
    try:
        return _solution(*finish(job, options))
    except Interrupted as stop:
        raise Interrupted(_solution(*stop.solution)) from None


def _solution(found: Solution, digits: np.ndarray | None) -> Solution:
    value = None if digits is None else tuple(digits.tolist())
    return dataclasses.replace(found, cost=None, moves=None, bound=None, value=value)


def _factors(instance: Instance) -> np.ndarray:
    """How often each letter is in each column, from the right, on the left side less on the right: (columns, letters) int64."""
    terms, place = instance.terms, {letter: number for number, letter in enumerate(instance.names)}
    factors = np.zeros((max(len(word) for _, word in terms), len(place)), np.int64)
    for sign, word in terms:
        factors[np.arange(len(word)), [place[letter] for letter in reversed(word)]] += sign
    return factors


def _not_zero(instance: Instance) -> np.ndarray:
    """Which letters may not be 0."""
    first = set() if instance.leading_zeros else {word[0] for _, word in instance.terms if len(word) > 1}
    return np.array([letter in first for letter in instance.names])


def answer(instance: Instance, solution: Solution) -> Answer:
    """What a solution says about the puzzle, as a value that can be kept."""
    return Answer(status=solution.status, digits=solution.value, count=solution.count)


def solve(instance: Instance, *, count: int | None = None, **options: Unpack[RunOptions]) -> Answer:
    """Search and answer; the options are those of `search`."""
    return answer(instance, search(instance, count=count, **options))


# --- checker ------------------------------------------------------------------------------------------------------------


def check(instance: Instance, answer: Answer) -> str | None:
    """The first thing that is wrong with an answer, from the rules alone; None when nothing is found.

    That there is no solution, or how many there are, cannot be seen from an answer.
    """
    return _check_claim(answer) or _check_digits(instance, answer.digits)


def _check_claim(answer: Answer) -> str | None:
    """Whether status, digits and count fit together."""
    status, count, has_digits = answer.status, answer.count, answer.digits is not None
    if status is Status.FEASIBLE and count is None:
        return "the status is feasible, but a solution is right or wrong"
    if (status in (Status.OPTIMAL, Status.FEASIBLE)) != has_digits:
        return f"the status is {status}, which does not go with {'' if has_digits else 'no '}digits"
    if count is not None and (count < 0 or (count > 0) != has_digits):
        return f"the count is {count}, which does not go with {'' if has_digits else 'no '}digits"
    return None


def _check_digits(instance: Instance, digits: tuple[int, ...] | None) -> str | None:
    if digits is None:
        return None
    if len(digits) != len(instance.names):
        return f"there are {len(digits)} digits for {len(instance.names)} letters"
    value = dict(zip(instance.names, digits, strict=True))
    letter_of: dict[int, str] = {}
    for letter, digit in value.items():
        if not 0 <= digit < instance.base:
            return f"{letter} is {digit}, digits are 0 to {instance.base - 1}"
        if digit in letter_of:
            return f"{letter_of[digit]} and {letter} are both {digit}"
        letter_of[digit] = letter
    if not instance.leading_zeros:
        for _, word in instance.terms:
            if len(word) > 1 and value[word[0]] == 0:
                return f"{shown(word)} begins with 0"
    carry = 0
    for column in range(max(len(word) for _, word in instance.terms)):
        carry += sum(sign * value[word[-1 - column]] for sign, word in instance.terms if column < len(word))
        if carry % instance.base != 0:
            return f"the sum is wrong in column {column + 1} from the right"
        carry //= instance.base
    return f"the sides differ: {abs(carry)} would have to be carried beyond the longest word" if carry else None


# --- generator ----------------------------------------------------------------------------------------------------------


def generate(
    seed: int, *, base: int = 10, words: int = 2, length: int | None = None, solvable: bool = True, unique: bool = False
) -> Instance:
    """A sum of random numbers of so many digits, with letters for digits; the same for the same arguments.

    The length is that of the judge format, the base, unless another is given. solvable=False: a letter of the sum is changed so
    that there is no solution; unique: there is one only. Raises ValueError for numbers that make no puzzle, and when none of
    TRIES is as wanted.
    """
    length = base if length is None else length
    if not (2 <= base <= MAX_BASE and words >= 1 and 1 <= length <= MAX_LENGTH):
        raise ValueError(f"there is no sum of {words} words of {length} digits in base {base}")
    rng = random.Random(seed)
    for _ in range(TRIES):
        instance = _random_sum(rng, base, words, length, solvable)
        if solvable and not unique:
            return instance
        solution = search(instance, count=2 if unique else None)
        if (solution.status is Status.OPTIMAL) == solvable and solution.count in (None, int(solvable)):
            return instance
    raise ValueError(f"none of {TRIES} sums is {'the only one' if solvable else 'impossible'}; try longer words")


def _random_sum(rng: random.Random, base: int, words: int, length: int, is_right: bool) -> Instance:
    """Addends so small that the sum is no longer."""
    most = base**length // words
    addends = [rng.randrange(most) if most else 0 for _ in range(words)]
    letters = rng.sample(ALPHABET[:base], base)
    *left, total = ([letters[digit] for digit in _digits(number, base, length)] for number in (*addends, sum(addends)))
    if not is_right:
        total[rng.randrange(length)] = rng.choice(letters)
    texts = ["".join(word) for word in (*left, total)]
    beside = _letters_beside("".join(texts), base) if (words, length) == (2, base) else ""
    return Instance(base=base, left=tuple(texts[:-1]), right=(texts[-1],), letters=beside)


def _digits(number: int, base: int, length: int) -> list[int]:
    digits = []
    for _ in range(length):
        number, digit = divmod(number, base)
        digits.append(digit)
    return digits[::-1]
