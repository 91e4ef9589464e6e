"""Slow, obvious twins of subset sum: all subsets."""

from itertools import chain, combinations


def all_subsets(numbers):
    """(sum, places) of all 2^n subsets."""
    places = range(len(numbers))
    for chosen in chain.from_iterable(combinations(places, k) for k in range(len(numbers) + 1)):
        yield sum(numbers[p] for p in chosen), chosen


def best_sum(numbers, target):
    return max(total for total, _ in all_subsets(numbers) if total <= target)


def count(numbers, target):
    return sum(total == target for total, _ in all_subsets(numbers))


def reachable(numbers, target):
    """All sums up to the target, as a set; for numbers that are many but small."""
    sums = {0}
    for number in numbers:
        sums |= {total + number for total in sums if total + number <= target}
    return sums
