"""The examples run, keep their promises, and give what is published about their problems."""

import itertools
import math
import pathlib
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from examples import eight_puzzle, pancakes, peg_solitaire, pocket_cube, towers_of_hanoi, water_jugs

import bestfirst
from bestfirst import Status

pytestmark = pytest.mark.slow  # solves them all

EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


def proved(solution):
    assert solution.status is Status.OPTIMAL
    return solution.cost


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("eight_puzzle", ["cost 31 (optimal, proved)"]),
        ("pancakes", ["7. turn 6", "cost 7 (optimal, proved)"]),
        ("peg_solitaire", ["cost 5 (optimal, proved)", "cost 9 (optimal, proved)", "cost 31 (optimal, proved)"]),
        ("pocket_cube", ["cost 6 (optimal, proved)", "in quarter turns: cost 8 (optimal, proved)"]),
        ("towers_of_hanoi", ["9. C to D", "10 discs: cost 49 (optimal, proved)"]),
        ("water_jugs", ["6. pour the 5-litre jug into the 3-litre jug", "cost 6 (optimal, proved)", "cost 7 (optimal, proved)"]),
    ],
)
def test_an_example_runs(name, words, tmp_path):
    command = [sys.executable, EXAMPLES / f"{name}.py"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    for word in words:
        assert word in printed
    assert (tmp_path / "eight_puzzle.svg").exists() is (name == "eight_puzzle")


@pytest.mark.parametrize(
    ("problem", "start"),
    [
        (eight_puzzle.EightPuzzle(24), eight_puzzle.board("806547231")),
        (pancakes.Pancakes(6), pancakes.stack(3, 0, 5, 2, 4, 1)),
        (peg_solitaire.triangle(4), 0b1111111110),
        (pocket_cube.cube(3), pocket_cube.solved()),
        (pocket_cube.cube(2), pocket_cube.solved()),
        (towers_of_hanoi.Hanoi(5), 0),
        (water_jugs.jugs(3, 5, wanted=4), np.array([0, 0])),
        (water_jugs.halving(8, 5, 3), np.array([8, 0, 0])),
    ],
)
def test_its_promises_are_kept(problem, start):
    report = bestfirst.check_problem(problem, start)
    assert report.ok, report


# Pancake numbers and the number of stacks at each distance: A058986, A092113.
@pytest.mark.parametrize(
    "counts",
    [
        [1],
        [1, 1],
        [1, 2, 2, 1],
        [1, 3, 6, 11, 3],
        [1, 4, 12, 35, 48, 20],
        [1, 5, 20, 79, 199, 281, 133, 2],
    ],
)
def test_pancakes(counts):
    size = {1: 1, 2: 2, 6: 3, 24: 4, 120: 5, 720: 6}[sum(counts)]
    puzzle = pancakes.Pancakes(size)
    stacks = (pancakes.stack(*stack) for stack in itertools.permutations(range(size)))
    assert Counter(proved(bestfirst.ida_star(puzzle, stack)) for stack in stacks) == dict(enumerate(counts))


@pytest.mark.parametrize(("size", "number"), list(enumerate([0, 1, 3, 4, 5, 7, 8, 9, 10], 1)))  # A058986
def test_pancake_numbers(size, number):
    found = bestfirst.explore(pancakes.Pancakes(size), pancakes.stack(*range(size)))
    assert (found.depth, found.total) == (number, math.factorial(size))


# P. D. A. Schofield, Complete solution of the eight puzzle (1967).
EIGHT_PUZZLE = (1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110,
                23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2)  # fmt: skip


def test_the_whole_8_puzzle():
    puzzle = eight_puzzle.EightPuzzle(24)
    found = bestfirst.explore(puzzle, eight_puzzle.board("012345678"))
    assert (found.counts, found.total, found.depth) == (EIGHT_PUZZLE, 181_440, 31)
    assert {tuple(board) for board in found.farthest} == {tuple(board) for board in eight_puzzle.HARDEST}
    for board in eight_puzzle.HARDEST:
        assert proved(bestfirst.a_star(puzzle, board)) == 31


def test_a_turn_of_the_upper_face_moves_its_row_round():
    assert pocket_cube.cube(3).draw(pocket_cube.scrambled("U")).splitlines() == [
        "   UU", "   UU", "FF RR BB LL", "LL FF RR BB", "   DD", "   DD",
    ]  # fmt: skip


def test_turns_of_the_pocket_cube_have_the_order_that_cubes_have():
    for name in ("U", "R", "F"):
        assert (pocket_cube.scrambled(" ".join([name] * 4)) == pocket_cube.solved()).all()
    commutator = "R U R' U' "  # (R U R' U')^6 is the identity, and no lower power
    orders = [k for k in range(1, 7) if (pocket_cube.scrambled(commutator * k) == pocket_cube.solved()).all()]
    assert orders == [6]


# G. I. Bell, Solving triangular peg solitaire (2008): A127500.
@pytest.mark.parametrize(("side", "moves"), [(4, 5), (5, 9), (6, 9)])
def test_fewest_moves_of_triangular_peg_solitaire(side, moves):
    puzzle = peg_solitaire.triangle(side)
    starts = [peg_solitaire.all_but(hole, puzzle) for hole in range(puzzle.holes)]
    assert proved(bestfirst.zero_one_breadth_first(puzzle, starts)) == moves


# J. Scherphuis, Triangular peg solitaire (jaapsch.net): positions after each jump, with a corner or an inner hole empty at first.
@pytest.mark.parametrize(
    ("hole", "positions"),
    [
        (0, (1, 2, 8, 35, 122, 293, 530, 679, 623, 414, 212, 75, 18, 4)),
        (4, (1, 2, 6, 21, 58, 139, 260, 350, 351, 261, 142, 49, 10, 1)),
    ],
)
def test_positions_of_triangular_peg_solitaire(hole, positions):
    puzzle = peg_solitaire.triangle(5, counts_moves=False)
    assert bestfirst.explore(puzzle, peg_solitaire.all_but(hole, puzzle)).counts == positions


def test_the_central_game_of_peg_solitaire():
    cross = peg_solitaire.english_cross()
    assert (cross.holes, len(cross.jumps)) == (33, 76)
    central = bestfirst.with_goals(cross, 1 << 16)
    solution = bestfirst.depth_first(central, peg_solitaire.all_but(16, cross), 31, exact=True)
    *_, last = solution.states()
    assert (proved(solution), last) == (31, 1 << 16)


@pytest.mark.parametrize(("discs", "moves"), list(enumerate([1, 3, 5, 9, 13, 17, 25, 33, 41, 49], 1)))  # A007664
def test_the_reves_puzzle(discs, moves):
    assert proved(bestfirst.a_star(towers_of_hanoi.Hanoi(discs), towers_of_hanoi.START)) == moves


def test_symmetry_halves_the_towers_of_hanoi():
    puzzle = towers_of_hanoi.Hanoi(5)
    alike = {puzzle.canonical(state) for state in range(4**5)}
    assert len(alike) == (4**5 + 2**5) // 2  # 2^5 states have nothing on the pegs B and C
    assert all(puzzle.canonical(state) == state for state in alike)


def test_water_jugs():
    assert proved(bestfirst.solve(water_jugs.jugs(3, 5, wanted=4), np.array([0, 0]))) == 6
    assert proved(bestfirst.solve(water_jugs.halving(8, 5, 3), np.array([8, 0, 0]))) == 7
    even = bestfirst.solve(water_jugs.jugs(4, 6, wanted=5), np.array([0, 0]))
    assert even.status is Status.INFEASIBLE
