"""Pictures of string rewriting: the question, and the strings one below the other with what each rule takes and makes."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from bestfirst.catalogue.string_rewriting import Answer, Instance, Step, steps
from bestfirst.result import Status

#: Of more steps, and of longer strings, only so many are drawn as SVG.
MOST_STEPS, MOST_LETTERS = 200, 100

_LETTER, _LINE, _MARGIN, _LABEL = 12, 28, 14, 150  # pixels


def text(instance: Instance, color: bool) -> str:
    """The two strings, then one line for each rule."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    width = len(str(len(instance.rules)))
    lines = [f"{on}{_question(instance)}{off}"]
    lines += [f"rule {number:{width}}   {x} → {y}" for number, (x, y) in enumerate(instance.rules, 1)]
    return "\n".join(lines) + "\n"


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """The strings from the first to the last: what the next rule takes is in brackets; or why there is no answer."""
    on, off = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    lines = [f"{on}{_question(instance)}: {_found(instance, answer)}{off}"]
    if answer.steps is not None:
        lines += [f"{_label(instance, step):24}  {_marked(step, color)}" for step in steps(instance, answer)]
    yield "\n".join(lines) + "\n"


def _marked(step: Step, color: bool) -> str:
    place, length = step.taken
    before, taken, after = step.text[:place], step.text[place : place + length], step.text[place + length :]
    if not length:
        return step.text
    return f"{before}\x1b[7m{taken}\x1b[0m{after}" if color else f"{before}[{taken}]{after}"


def _label(instance: Instance, step: Step) -> str:
    if step.rule is None:
        return ""
    x, y = instance.rules[step.rule - 1]
    return f"rule {step.rule}: {_cut(x)} → {_cut(y)}"


def _cut(word: str) -> str:
    return word if len(word) <= 8 else word[:7] + "…"


def _question(instance: Instance) -> str:
    limit = "any number of steps" if instance.most is None else f"at most {instance.most} steps"
    return f"{instance.source} to {instance.target} in {limit}"


def _found(instance: Instance, answer: Answer) -> str:
    if answer.status is not Status.INFEASIBLE:
        return f"{answer.cost} steps" if answer.cost is not None else f"at least {answer.bound} (stopped)"
    proof = answer.proof
    if proof is None:
        return "no answer"
    weights = ", ".join(f"{letter} {weight}" for letter, weight in sorted(proof.weights.items()) if weight)
    if proof.modulus is not None:
        why = f"every rule adds a multiple of {proof.modulus} to the weight, the target differs by none"
    elif proof.gain == 0:
        why = "no rule adds to the weight, but the target is heavier"
    else:
        why = f"no rule adds more than {proof.gain} to the weight, but the target is heavier by more than that allows"
    return f"no answer. With the weights {weights}: {why}"


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """Both strings; with an answer all on the way: what a rule made is green, what the next one takes is framed in red."""
    title = _question(instance) + ("" if answer is None else f": {_found(instance, answer)}")
    if answer is None or answer.steps is None:
        shown = [Step(instance.source, None, (0, 0), (0, 0)), Step(instance.target, None, (0, 0), (0, 0))]
    else:
        shown = list(steps(instance, answer))
    drawn = shown[: MOST_STEPS + 1]
    if len(drawn) < len(shown):
        title += f" (drawn: the first {MOST_STEPS})"
    longest = max(min(len(step.text), MOST_LETTERS) for step in drawn)
    width = max(_LABEL + (longest + 1) * _LETTER, 8 * len(title)) + 2 * _MARGIN
    height = (len(drawn) + 1) * _LINE + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        "<style>text{font-family:ui-monospace,monospace;font-size:15px;text-anchor:middle;fill:#1a1a1a}"
        ".title,.rule{font-family:system-ui,sans-serif;font-size:13px;text-anchor:start}.title{font-weight:600}"
        ".made{fill:#c8e6c9}.taken{fill:none;stroke:#c62828;stroke-width:2}</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text class="title" x="{_MARGIN}" y="{_MARGIN + 12}">{escape(title)}</text>',
    ]
    for number, step in enumerate(drawn):
        parts.append(f'<g class="string" transform="translate({_MARGIN} {_MARGIN + (number + 1) * _LINE})">')
        parts.extend([*_line(step, escape(_label(instance, step))), "</g>"])
    return "\n".join([*parts, "</svg>"]) + "\n"


def _line(step: Step, label: str) -> Iterator[str]:
    for kind, (place, length) in (("made", step.made), ("taken", step.taken)):
        seen = min(place + length, MOST_LETTERS) - place
        if seen > 0:
            yield f'<rect class="{kind}" x="{_LABEL + place * _LETTER}" width="{seen * _LETTER}" height="{_LINE - 6}" rx="3"/>'
    yield f'<text class="rule" x="0" y="16">{label}</text>'
    letters = step.text[:MOST_LETTERS] + ("…" if len(step.text) > MOST_LETTERS else "")
    for place, letter in enumerate(letters):
        if letter.strip():
            yield f'<text x="{_LABEL + place * _LETTER + _LETTER // 2}" y="16">{escape(letter)}</text>'
