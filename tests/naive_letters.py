"""Slow, obvious twins of letter sums: all ways to give digits to the letters; and a model for CP-SAT."""

import itertools


def number(word, value, base):
    result = 0
    for letter in word.removeprefix("-"):
        result = base * result + value[letter]
    return -result if word[0] == "-" else result


def is_right(instance, digits):
    """Whether the digits of `instance.names` make the sum right, by the numbers themselves."""
    value = dict(zip(instance.names, digits, strict=True))
    words = [word.removeprefix("-") for word in (*instance.left, *instance.right)]
    if not instance.leading_zeros and any(len(word) > 1 and value[word[0]] == 0 for word in words):
        return False
    left, right = (sum(number(word, value, instance.base) for word in side) for side in (instance.left, instance.right))
    return left == right and len(set(digits)) == len(digits) and set(digits) <= set(range(instance.base))


def solutions(instance):
    every = itertools.permutations(range(instance.base), len(instance.names))
    return {digits for digits in every if is_right(instance, digits)}


def by_cp_sat(instance):
    """Digits, or None when there are none; leading zeros are allowed."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variable = {letter: model.new_int_var(0, instance.base - 1, letter) for letter in instance.names}
    model.add_all_different(variable.values())
    carry = 0
    longest = max(len(word) for word in (*instance.left, *instance.right))
    for column in range(longest):
        total = carry
        for words, sign in ((instance.left, 1), (instance.right, -1)):
            total += sum(sign * variable[word[-1 - column]] for word in words if column < len(word))
        carry = model.new_int_var(-9, 9, "") if column < longest - 1 else 0
        model.add(total == instance.base * carry)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return tuple(map(solver.value, variable.values())) if status == cp_model.OPTIMAL else None
