"""Addition chains: lengths as twins and published tables give them, with every pruning off in turn, mutated answers, formats."""

import random

import msgspec
import numpy as np
import pytest

import naive_chains
from bestfirst import Limits, Status
from bestfirst.catalogue import addition_chain as chains
from bestfirst.catalogue import addition_chain_search as kernels
from bestfirst.control import run
from bestfirst.formats.tokens import InputError
from bestfirst.render import addition_chain as picture

SAMPLE = "5\n7\n12\n15\n77\n0\n"
SAMPLE_LENGTHS = [3, 4, 4, 5, 8]

#: The first number of each length (OEIS A003064), and how many numbers have that length (A003065).
FIRST = [1, 2, 3, 5, 7, 11, 19, 29, 47, 71, 127, 191, 379, 607, 1087, 1903, 3583]
HOW_MANY = [1, 1, 2, 3, 5, 9, 15, 26, 44, 78, 136]


def cost(n, **options):
    return chains.search(chains.Instance(n=n), **options).cost


def test_sample():
    instances = list(chains.read(SAMPLE))
    answers = [chains.solve(instance) for instance in instances]
    assert [answer.cost for answer in answers] == SAMPLE_LENGTHS
    assert [chains.check(*pair) for pair in zip(instances, answers, strict=True)] == [None] * 5
    assert chains.read_answers("".join(map(chains.write, answers)), instances) == answers


def test_lengths_by_the_twin():
    for n in range(1, 80):
        answer = chains.solve(chains.Instance(n=n))
        assert answer.cost == naive_chains.shortest(n)
        assert answer.status is Status.OPTIMAL
        assert chains.check(chains.Instance(n=n), answer) is None


def test_published_tables():
    table = chains.lengths(3600)
    assert [int(np.argmax(table[1:] == r)) + 1 for r in range(17)] == FIRST
    assert np.bincount(table[1:1025])[:11].tolist() == HOW_MANY
    assert table[382] == table[191] == 11  # doubling n need not make it longer
    assert table[0] == 0
    for n in random.Random(1).sample(range(1, 3600), 200):
        assert cost(n) == table[n]
    assert chains.lengths(0).tolist() == [0]
    with pytest.raises(ValueError, match="n is 4294967296"):
        chains.lengths(1 << 32)


def test_every_pruning_may_be_left_out():
    """Also all of them together, which leaves the star steps and the bounds out: an independent search."""
    rng = random.Random(2)
    for n in [*range(1, 260), *rng.sample(range(260, 1500), 25)]:
        best = cost(n)
        for without in (*([name] for name in chains.PRUNINGS), list(chains.PRUNINGS)[:-1] if n < 300 else []):
            solution = chains.search(chains.Instance(n=n), without=without)
            assert solution.cost == best, (n, without)
            assert chains.check(chains.Instance(n=n), chains.answer(chains.Instance(n=n), solution)) is None
    with pytest.raises(ValueError, match="no pruning magic"):
        chains.search(chains.Instance(n=5), without={"magic"})


def test_larger_numbers_by_two_searches():
    """12,509 is the first number whose shortest chains all have a step that does not add to the last term."""
    assert cost(12_509) == 17
    assert cost(12_509, without={"first-chain"}) == 17
    rng = random.Random(3)
    for n in rng.sample(range(12_510, 40_000), 4):
        assert cost(n) == cost(n, without={"slant", "one-addition", "commuting", "first-chain"})


def test_the_bounds_hold_for_all_shortest_chains():
    """Slant bounds and those for one addition, for the terms of every shortest chain that there is."""
    for n in range(5, 100):
        for chain in chains.all_shortest(n):
            r = len(chain) - 1
            assert r >= kernels.least_steps(n)
            for i in range(1, r - 1):
                v, before, k = chain[i], chain[i - 1], r - i
                if not any(n % term == 0 for term in chain[i:-1]):
                    assert n <= (v << (k - 1)) + before
                    if n % 2 and k >= 3 and n - (v << (k - 1)) not in chain[:i]:
                        assert n <= kernels.without_run(v, before, k)


def test_all_shortest_chains():
    assert list(chains.all_shortest(7)) == [(1, 2, 4, 6, 7), (1, 2, 4, 5, 7), (1, 2, 3, 6, 7), (1, 2, 3, 5, 7), (1, 2, 3, 4, 7)]
    for n in range(1, 20):
        found = list(chains.all_shortest(n))
        assert len(found) == len(set(found)) == naive_chains.count(n)
        assert set(map(len, found)) == {cost(n) + 1}


def test_good_chains_are_chains():
    rng = random.Random(4)
    for n in [*range(1, 300), *(rng.randrange(1, 1 << 32) for _ in range(50))]:
        for chain in (kernels.good_chain(n), kernels.binary_chain(n)):
            claimed = chains.Answer(status=Status.FEASIBLE, cost=len(chain) - 1, bound=0, chain=chain)
            assert chains.check(chains.Instance(n=n), claimed) is None
            assert len(chain) - 1 >= kernels.least_steps(n)


def test_a_stopped_search_has_a_chain_but_no_proof():
    instance = chains.Instance(n=1_048_573)
    stopped = chains.solve(instance, limits=Limits(nodes=1000))
    assert stopped.status is Status.FEASIBLE
    assert stopped.bound < stopped.cost
    assert chains.check(instance, stopped) is None
    with pytest.raises(ValueError, match="no chain is proved"):
        chains.write(stopped)


def test_a_search_goes_on_where_it_was_stopped(tmp_path):
    instance, file = chains.Instance(n=7612), tmp_path / "chain"
    whole = chains.search(instance)
    part = chains.search(instance, limits=Limits(nodes=5000), checkpoint=file)
    assert part.status is Status.FEASIBLE
    rest = chains.search(instance, resume=file)
    assert (rest.cost, rest.moves, rest.stats.generated) == (whole.cost, whole.moves, whole.stats.generated)


def test_interpreted_and_compiled_count_alike():
    for n in (127, 191, 379):
        compiled, interpreted = (run(kernels.ChainSearch(n, (), {"compiled": how}), {}) for how in (True, False))
        assert compiled.moves == interpreted.moves
        assert compiled.stats.generated == interpreted.stats.generated


def test_mutated_answers_are_caught_or_right():
    rng = random.Random(5)
    for seed in range(8):
        instance = chains.generate(seed, most=90)
        answer = chains.solve(instance)
        for _ in range(40):
            chain = list(answer.chain)
            chain[rng.randrange(len(chain))] += rng.choice((-2, -1, 1, 2))
            fault = chains.check(instance, msgspec.structs.replace(answer, chain=tuple(chain)))
            assert (fault is None) == (tuple(chain) in set(chains.all_shortest(instance.n)))
        for wrong in (
            {"cost": answer.cost + 1, "bound": answer.cost + 1},
            {"bound": answer.cost - 1},
            {"chain": answer.chain[:-1]},
            {"chain": None},
            {"status": Status.INFEASIBLE},
            {"chain": answer.chain[:-1], "cost": answer.cost - 1, "bound": answer.cost - 1},
        ):
            assert chains.check(instance, msgspec.structs.replace(answer, **wrong)) is not None


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("x", (1, 1), "n \\(case 1\\), a whole number, found 'x'"),
        ("5\n-3\n0", (2, 1), "n \\(case 2\\) is -3, it must be at least 0"),
        ("5 4294967296", (1, 3), "is 4294967296, it must be at most 4294967295"),
    ],
)
def test_bad_input_is_named(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        list(chains.read(text))
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize("text", ["", "x", "1 2 4 5", "1 2 4 5\n1 2 x", "1 2 4 5\n1 2\n1 2", "1 2 0 5\n1 2"])
def test_bad_answers_are_named(text):
    with pytest.raises(InputError):
        chains.read_answers(text, list(chains.read("5 2 0")))


def test_round_trips():
    assert list(chains.read("")) == []
    assert list(chains.read("5 7")) == [chains.Instance(n=5), chains.Instance(n=7)]
    for seed in range(20):
        instance = chains.generate(seed, least=1, most=300)
        assert list(chains.read("\ufeff" + chains.write_instance(instance).replace("\n", "\r\n"))) == [instance]
        answer = chains.solve(instance)
        assert msgspec.json.decode(msgspec.json.encode(instance), type=chains.Instance) == instance
        assert msgspec.json.decode(msgspec.json.encode(answer), type=chains.Answer) == answer
        assert chains.generate(seed, least=1, most=300) == instance
    with pytest.raises(ValueError, match="no number from 5 to 4"):
        chains.generate(1, least=5, most=4)
    for n in (0, 1 << 32):
        with pytest.raises(ValueError, match="n is"):
            chains.Instance(n=n)


def test_pictures():
    instance = chains.Instance(n=77)
    answer = chains.solve(instance)
    lines = list(picture.text_steps(instance, answer, color=False))
    assert len(lines) == answer.cost + 2
    assert "77" in lines[-1]
    assert "8 additions" in lines[0]
    assert "\x1b[1m" in picture.text(instance, color=True)
    assert picture.svg(instance, answer).count('class="term"') == answer.cost + 1
    assert picture.svg(instance).count('class="term"') == 2
    stopped = chains.solve(chains.Instance(n=1_048_573), limits=Limits(nodes=1000))
    assert "at least" in picture.svg(chains.Instance(n=1_048_573), stopped)
