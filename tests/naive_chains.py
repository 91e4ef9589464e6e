"""The slow twins of addition chains: every chain of each length in turn, by the rules and nothing else."""


def shortest(n):
    """The number of steps of a shortest chain: all chains, longer and longer, with no bound but that doubling is fastest."""
    length = 0
    while not can_reach((1,), n, length):
        length += 1
    return length


def can_reach(chain, n, steps):
    """Whether so many steps can lead on from a chain to n."""
    if steps == 0:
        return chain[-1] == n
    sums = {a + b for a in chain for b in chain}
    return any(can_reach((*chain, term), n, steps - 1) for term in sums if chain[-1] < term <= n <= term << (steps - 1))


def count(n):
    """How many shortest chains there are: grown from all sets of terms, as tuples, layer by layer."""
    layer = {(1,)}
    while True:
        found = sum(chain[-1] == n for chain in layer)
        if found:
            return found
        layer = {(*chain, a + b) for chain in layer for a in chain for b in chain if chain[-1] < a + b <= n}
