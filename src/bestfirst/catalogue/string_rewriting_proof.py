"""Proofs that strings are far apart: weights of letters that rules cannot change enough.

    K, R       numbers of letters and of rules
    changes    for each rule, for each letter: how many more of it the right side has than the left side
    wanted     for each letter, how many more of it the target has than the source
    weights    for each letter a whole number; a string weighs the sum of its letters, a rule adds Σ weights · changes

Both kinds of proof are found exactly, in whole numbers and fractions, and each is checked by adding up.

* *Distance.* No rule adds more than `gain`, and the target weighs t more than the source: at least t / gain steps, and no way at
  all when gain is 0. The best weights are those of a linear program: the largest wanted · w such that changes · w ≤ 1 for each
  rule. They start from w = 0, so the simplex method needs no first phase; when it finds no largest value it gives a direction w
  with changes · w ≤ 0 and wanted · w > 0, which is a proof of gain 0. By duality nothing that looks at numbers of letters and
  at steps in fractions proves more.
* *Remainder.* Every rule adds a multiple of `modulus`, and the difference of source and target is none. There are such weights
  exactly when `wanted` is no sum of whole multiples of `changes` – seen from the Hermite normal form of the changes.

Sources: R. Bland, New finite pivoting rules for the simplex method, Mathematics of Operations Research 2 (1977); A. Schrijver,
Theory of Linear and Integer Programming (1986), chapter 4, for the normal form and its duality.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

Vector = Sequence[int]


def farthest(changes: Sequence[Vector], wanted: Vector) -> tuple[list[int], int]:
    """Weights and their gain that prove the most steps; (zeros, 1) when they prove none.

    The simplex method with Bland's rule on the differences of two non-negative vectors, w = u - v.
    """
    letters = len(wanted)
    rows = [[Fraction(n) for change in (row,) for n in (*change, *(-x for x in change), 1)] for row in changes]
    goal = [Fraction(n) for n in (*wanted, *(-x for x in wanted), 0)]
    # Rows are basic variables, columns are others: a basic one is its last entry minus the sum of entries times the others.
    columns = list(range(2 * letters))
    basis = [2 * letters + row for row in range(len(rows))]
    while True:
        entering = min((j for j in range(2 * letters) if goal[j] > 0), key=columns.__getitem__, default=None)
        if entering is None:
            values = dict(zip(basis, (row[-1] for row in rows), strict=True))
            return _whole([values.get(i, Fraction(0)) - values.get(letters + i, Fraction(0)) for i in range(letters)], 1)
        tight = [i for i, row in enumerate(rows) if row[entering] > 0]
        if not tight:
            values = dict(zip(basis, (-row[entering] for row in rows), strict=True))
            values[columns[entering]] = Fraction(1)
            return _whole([values.get(i, Fraction(0)) - values.get(letters + i, Fraction(0)) for i in range(letters)], 0)
        leaving = min(tight, key=lambda i: (rows[i][-1] / rows[i][entering], basis[i]))
        _pivot(rows, goal, leaving, entering)
        basis[leaving], columns[entering] = columns[entering], basis[leaving]


def _pivot(rows: list[list[Fraction]], goal: list[Fraction], leaving: int, entering: int) -> None:
    """Exchange a basic variable with another one."""
    row = rows[leaving]
    factor = row[entering]
    row[entering] = Fraction(1)
    row[:] = [entry / factor for entry in row]
    for other in (*(rows[:leaving]), *(rows[leaving + 1 :]), goal):
        factor = other[entering]
        if factor:
            other[entering] = Fraction(0)
            other[:] = [a - factor * b if b else a for a, b in zip(other, row, strict=True)]


def _whole(weights: Sequence[Fraction], gain: int) -> tuple[list[int], int]:
    """The same proof in whole numbers without a common factor."""
    common = math.lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * common) for weight in weights]
    factor = math.gcd(*whole, gain * common) or 1
    return [weight // factor for weight in whole], gain * common // factor


def remainder(changes: Sequence[Vector], wanted: Vector) -> tuple[list[int], int] | None:
    """Weights and a modulus of at least 2 that tell source and target apart for good; None when there are none.

    Where whole multiples of the changes cannot make `wanted` because not even fractions can, `farthest` has the proof.
    """
    rest = list(wanted)
    form = _hermite(changes, len(wanted))
    for number, (column, row) in enumerate(form):
        if any(rest[:column]):
            return None
        quotient, left = divmod(rest[column], row[column])
        if left:
            return _dual(form[: number + 1], len(wanted))
        rest = [a - quotient * b for a, b in zip(rest, row, strict=True)]
    return None


def _hermite(changes: Sequence[Vector], letters: int) -> list[tuple[int, list[int]]]:
    """Rows in echelon form, each with the column of its first entry, whose whole multiples make the same vectors."""
    rows, form = [list(change) for change in changes], []
    for column in range(letters):
        while sum(row[column] != 0 for row in rows) > 1:
            least = min((row for row in rows if row[column]), key=lambda row: abs(row[column]))
            for row in rows:
                if row is not least and row[column]:
                    quotient = row[column] // least[column]
                    row[:] = [a - quotient * b for a, b in zip(row, least, strict=True)]
        for row in rows:
            if row[column]:
                form.append((column, row))
        rows = [row for row in rows if not row[column]]
    return form


def _dual(form: Sequence[tuple[int, list[int]]], letters: int) -> tuple[list[int], int]:
    """Weights that give a multiple of the modulus on all rows: 1 / pivot on the last one, nothing on those before."""
    weights = [Fraction(0)] * letters
    column, row = form[-1]
    weights[column] = Fraction(1, row[column])
    for before, row in reversed(form[:-1]):
        weights[before] = -sum((weights[i] * row[i] for i in range(before + 1, letters)), Fraction(0)) / row[before]
    modulus = math.lcm(*(weight.denominator for weight in weights))
    return [int(weight * modulus) % modulus for weight in weights], modulus
