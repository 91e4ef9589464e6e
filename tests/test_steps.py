"""A solution step by step: drawn as text, as SVG, for a notebook; by problems that draw and by those that do not."""

import io
import xml.etree.ElementTree as ET
from typing import NamedTuple

import numpy as np
import pytest

import bestfirst
from bestfirst import ILLEGAL, Status, plain, variants
from bestfirst.kernel.fingerprint import fingerprint
from problems import Pancakes, numbers, problem


@problem
class Walk(NamedTuple):
    """Walk along a line of cells from one end to the other, by steps of one and two; a picture as text."""

    cells: int

    move_names = ("step", "jump <2>")

    def apply(self, state, move):
        if state[0] + move + 1 >= self.cells:
            return ILLEGAL
        state[0] += move + 1
        return 1

    def is_goal(self, state):
        return state[0] == self.cells - 1

    def draw(self, state):
        return "".join("<>"[cell == state[0]] for cell in range(self.cells))


def variant(draw, cells=6):
    """The same walk with another picture."""

    class Other(NamedTuple):
        cells: int

    for name in ("move_names", "apply", "is_goal"):
        setattr(Other, name, vars(Walk)[name])
    Other.draw = draw
    return problem(Other)(cells)


def square(self, state):
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30.5"><rect width="{state[0] + 1}" height="9"/></svg>'


def boxed(self, state):
    return "<svg viewBox='0 0 300 20'><circle r='4'/></svg>"


START = np.array([0], np.uint8)
PICTURES = ["><<<<<", "<><<<<", "<<<><<", "<<<<<>"]


def solved(instance):
    return bestfirst.breadth_first(instance, START, compiled=False)


def test_steps_name_the_moves_and_draw_the_states():
    steps = list(bestfirst.steps(solved(Walk(6))))
    assert [step.picture for step in steps] == PICTURES
    assert [step.move for step in steps] == [None, "step", "jump <2>", "jump <2>"]


def test_compiled_engines_do_not_mind_a_picture():
    def anything(self, state):
        with io.StringIO() as file:
            print({"cell": state[0] - 1}, file=file)
            return file.getvalue()

    solution = bestfirst.breadth_first(variant(anything), START)
    assert [step.picture for step in bestfirst.steps(solution)] == [f"{{'cell': {cell}}}\n" for cell in (-1, 0, 2, 4)]


def test_variants_hand_the_picture_on():
    one_way = variants.without_moves(Walk(6), ["jump <2>"])
    assert [step.picture for step in bestfirst.steps(solved(one_way))][-1] == "<<<<<>"
    assert len(list(bestfirst.steps(solved(variants.with_goals(Walk(6), np.array([2])))))) == 2


def test_a_problem_that_does_not_draw_shows_its_states():
    solution = bestfirst.breadth_first(numbers(2), 0, compiled=False)
    assert [step.picture for step in bestfirst.steps(solution)] == ["0", "1", "2"]
    stack = bestfirst.a_star(Pancakes(3), np.array([2, 1, 0], np.int8), compiled=False)
    assert list(bestfirst.steps(stack)) == [(None, "[2 1 0]"), ("1", "[0 1 2]")]


def test_print_steps(capsys):
    solution = solved(Walk(6))
    bestfirst.print_steps(solution)
    headings = ["start", "1. step", "2. jump <2>", "3. jump <2>"]
    expected = "".join(f"{heading}\n{picture}\n\n" for heading, picture in zip(headings, PICTURES, strict=True))
    assert capsys.readouterr().out == f"{expected}{solution}\n"
    other = io.StringIO()
    bestfirst.print_steps(solution, other)
    assert other.getvalue() == f"{expected}{solution}\n"


@pytest.mark.parametrize(("draw", "size"), [(square, (40, 30.5)), (boxed, (300, 20))])
def test_save_svg_places_every_step_without_overlap(tmp_path, draw, size):
    bestfirst.save_svg(solved(variant(draw)), tmp_path / "steps.svg")
    root = ET.parse(tmp_path / "steps.svg").getroot()
    prefix = "{http://www.w3.org/2000/svg}"
    panels = root.findall(f"{prefix}g")
    assert [panel.find(f"{prefix}text").text for panel in panels] == ["start", "1. step", "2. jump <2>", "3. jump <2>"]
    assert all(panel.find(f"{prefix}g/{prefix}svg") is not None for panel in panels)
    places = [tuple(map(float, panel.get("transform")[len("translate(") : -1].split())) for panel in panels]
    for i, (x, y) in enumerate(places):
        assert x + size[0] <= float(root.get("width"))
        assert y + size[1] <= float(root.get("height"))
        for other_x, other_y in places[:i]:
            assert abs(x - other_x) >= size[0] or abs(y - other_y) >= size[1]


def test_one_state_is_a_picture_too(tmp_path):
    bestfirst.save_svg(solved(variant(square, cells=1)), tmp_path / "one.svg")
    assert len(ET.parse(tmp_path / "one.svg").findall("{http://www.w3.org/2000/svg}g")) == 1


def test_what_cannot_be_drawn_is_said(tmp_path):
    svg, text = solved(variant(square)), solved(Walk(6))
    with pytest.raises(ValueError, match=r"draw of .* returns SVG, not text: use bestfirst.save_svg"):
        bestfirst.print_steps(svg)
    with pytest.raises(ValueError, match="Walk does not draw SVG"):
        bestfirst.save_svg(text, tmp_path / "text.svg")
    with pytest.raises(ValueError, match="gives no size"):
        bestfirst.save_svg(solved(variant(lambda self, state: "<svg></svg>")), tmp_path / "text.svg")
    with pytest.raises(TypeError, match="must return a string, not int"):
        next(bestfirst.steps(solved(variant(lambda self, state: 7))))
    assert not (tmp_path / "text.svg").exists()
    without = bestfirst.breadth_first(Walk(6), np.array([7], np.uint8), compiled=False)
    assert without.status is Status.INFEASIBLE
    for nothing in (without, plain.breadth_first(0, lambda state: [("on", state + 1, 1)], lambda state: state == 2)):
        with pytest.raises(ValueError, match="nothing to replay"):
            next(bestfirst.steps(nothing))


def test_draw_takes_a_state():
    with pytest.raises(TypeError, match=r"draw must have the parameters \(self, state\)"):
        variant(lambda self: "")


def test_a_notebook_shows_the_steps():
    page = solved(Walk(6))._repr_html_()
    ET.fromstring(f"<body>{page}</body>")  # well-formed, so all is escaped
    assert page.count("<pre>") == 4
    assert "jump &lt;2&gt;" in page
    assert "cost 3 (optimal, proved)" in page
    assert solved(variant(square))._repr_html_().count("<svg") == 4


def test_a_notebook_shows_what_is_known_where_nothing_is_drawn():
    stopped = bestfirst.breadth_first(Walk(6), START, compiled=False, limits=bestfirst.Limits(nodes=1))
    assert stopped._repr_html_().startswith("<p>stopped (nodes)")
    assert plain.breadth_first(0, lambda state: [], lambda state: True)._repr_html_().startswith("<p>cost 0 (optimal, proved)")


def test_a_notebook_is_not_flooded():
    page = bestfirst.breadth_first(numbers(250), 0, compiled=False)._repr_html_()
    assert page.count("<pre>") == 201  # the start, and 200 moves
    assert "… and 50 more moves" in page


def test_another_picture_compiles_nothing_anew():
    one, other = type(variant(square)), type(variant(boxed))
    assert fingerprint(one) == fingerprint(other)
    other.apply = Pancakes.apply
    assert fingerprint(one) != fingerprint(other)
