"""String rewriting by brute force: a slow, obvious twin of bestfirst.catalogue.string_rewriting."""

from __future__ import annotations


def rewritings(text, rules):
    """What one step makes of a text."""
    return {text[:i] + y + text[i + len(x) :] for x, y in rules for i in range(len(text)) if text[i : i + len(x)] == x}


def fewest_steps(source, target, rules, most, strings=200_000):
    """Layer by layer from the source; None when `most` steps do not do. OverflowError when there are too many strings."""
    met = layer = {source}
    for steps in range(most + 1):
        if target in layer:
            return steps
        if not layer:
            return None
        if steps < most:
            layer = {made for text in layer for made in rewritings(text, rules)} - met
            met = met | layer
            if len(met) > strings:
                raise OverflowError
    return None
