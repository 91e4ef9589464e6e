"""Slow, obvious twins of exact cover: all subsets of the options; and the search tree that the documentation promises."""

from itertools import chain, combinations


def primary_items(options, secondary):
    """The items that are not secondary, in order of appearance."""
    return [item for item in dict.fromkeys(chain.from_iterable(options)) if item not in secondary]


def is_cover(chosen, options, primary, secondary):
    items = [item for o in chosen for item in options[o]]
    return all(items.count(item) == 1 for item in primary) and all(items.count(item) <= 1 for item in secondary)


def all_covers(options, primary, secondary):
    """Every exact cover as an ascending tuple of options; looks at all 2^m subsets."""
    subsets = chain.from_iterable(combinations(range(len(options)), k) for k in range(len(options) + 1))
    return {chosen for chosen in subsets if is_cover(chosen, options, primary, secondary)}


def walk(options, primary):
    """The covers in the order of the search, and the number of options tried in all."""
    covers, tried = [], 0

    def search(left, live, chosen):
        nonlocal tried
        if not left:
            covers.append(chosen)
            return
        item = min(left, key=lambda item: sum(item in options[o] for o in live))  # the first of the least
        for o in live:
            if item in options[o]:
                tried += 1
                search(
                    [other for other in left if other not in options[o]],
                    [other for other in live if not set(options[other]) & set(options[o])],
                    (*chosen, o),
                )

    search(list(primary), list(range(len(options))), ())
    return covers, tried
