"""What the engines share that grow states layer by layer, at moves of equal cost."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestfirst.control import FOUND, NEGATIVE_COST, PAUSED, UNEVEN_COST
from bestfirst.kernel import Int, as_move, kernel, unsigned
from bestfirst.kernel.fingerprint import fingerprint
from bestfirst.operations import ILLEGAL
from bestfirst.search.compiled import NONE, OWN, CompiledSearch
from bestfirst.store.state_table import StateTable

UNIT = OWN  #: the cost of every move, once one was made
VERIFIED = OWN + 1  #: the states of the layer before this one are known to have moves of equal cost only
OWN_OF_LAYERS = OWN + 2  #: the counters from here on belong to the engine

_VERIFY_STATES = 1 << 14


@kernel
def verify_costs(
    problem: Any, words: np.ndarray, table: StateTable, pair: np.ndarray, counters: np.ndarray, layer_end: Int
) -> Int:
    """Check that the rest of the last layer has no move of another cost, which might lead to a goal more cheaply."""
    state = pair[0]
    child = pair[1]
    for _ in range(_VERIFY_STATES):
        number = counters[VERIFIED]
        if number == layer_end:
            return FOUND
        for i in range(words.shape[1]):
            words[0, unsigned(i)] = table.states[unsigned(number), unsigned(i)]
        for step in range(problem._move_count()):
            for i in range(state.shape[0]):
                child[unsigned(i)] = state[unsigned(i)]
            cost = problem._apply(child, as_move(step))
            if cost != ILLEGAL and cost != counters[UNIT]:
                return NEGATIVE_COST if cost < 0 else UNEVEN_COST
        counters[VERIFIED] = number + 1
    return PAUSED


class SpaceWalk(CompiledSearch):
    """A walk through a whole space from its starts; the moves are those of `backward`."""

    backward: Any

    def best(self) -> None:
        return None

    def header(self) -> dict[str, Any]:
        return {**super().header(), "backward": fingerprint(type(self.backward), *self.backward)}

    @property
    def unit(self) -> int:
        """The cost of a move."""
        unit = int(self.counters[UNIT])
        return 1 if unit == NONE else unit
