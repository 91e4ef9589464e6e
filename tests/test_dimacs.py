"""Reading `.gr` files: right graphs, and complaints at the right place."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.formats.dimacs import parse_graph, read_graph
from bestfirst.formats.tokens import InputError
from naive_graphs import built, odd_graphs


@given(odd_graphs())
def test_a_written_graph_is_read_again(graph):
    n, edges = graph
    lines = ["c a comment", "", f"p sp {n} {len(edges)}", *(f"a {u + 1} {v + 1} {w}" for u, v, w in edges), "c the end"]
    for text in ("\n".join(lines), "\ufeff" + "\r\n".join(lines) + "\r\n", "\n".join(lines).replace(" ", "\t  ")):
        made, expected = parse_graph(text), built(n, edges)
        assert made.vertex_count == n
        assert made.number.tolist() == expected.number.tolist()
        assert [array.tolist() for array in made.arcs] == [array.tolist() for array in expected.arcs]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "ends where"),
        ("c only a comment\n", 1, 1, "ends where"),
        ("a 1 1 1\n", 1, 1, "expected `p`"),
        ("p max 2 1\n", 1, 3, "expected `sp`"),
        ("p sp 2\n", 1, 7, "ends where the number of arcs is expected"),
        ("p sp x 1\n", 1, 6, "the number of vertices"),
        ("p sp 2 1 5\n", 1, 10, "should end here"),
        ("c\np sp 2 1\na 1 3 4\n", 3, 5, "the target of the arc is 3, it must be at most 2"),
        ("p sp 2 1\na 0 1 4\n", 2, 3, "the source of the arc is 0, it must be at least 1"),
        ("p sp 2 1\na 1 2 -4\n", 2, 7, "must be at least 0"),
        ("p sp 2 1\na 1 2 1.5\n", 2, 7, "a whole number, found '1.5'"),
        ("p sp 2 1\na 1 2 1_0\n", 2, 7, "a whole number, found '1_0'"),
        ("p sp 2 1\n  a 1 2 1099511627776\n", 2, 9, "must be at most 1099511627775"),
        ("p sp 2 1\na 1 2 " + "9" * 5000, 2, 7, "5000 digits"),
        ("p sp 2 1\na 1 2\n", 2, 6, "ends where the weight of the arc is expected"),
        ("p sp 2 1\na 1 2 3 4\n", 2, 9, "should end here"),
        ("p sp 2 1\ne 1 2 3\n", 2, 1, "not with 'e'"),
        ("p sp 2 1\np sp 2 1\n", 2, 1, "not with 'p'"),
        ("c\np sp 2 2\na 1 2 3\n", 2, 1, "announces 2 arcs and has 1"),
    ],
)
def test_complaints_name_the_place(text, line, column, message):
    with pytest.raises(InputError, match=message) as error:
        parse_graph(text)
    assert (error.value.line, error.value.column) == (line, column)


@given(st.text("psa 123\n-.", max_size=40))
def test_any_text_gives_a_graph_or_an_input_error(text):
    with contextlib.suppress(InputError):
        assert parse_graph(text).arc_count == text.count("a")


def test_a_file(tmp_path):
    file = tmp_path / "small.gr"
    file.write_bytes(b"c caf\xe9\np sp 2 1\na 1 2 7\n")  # comments are not always UTF-8
    assert read_graph(file).arcs.weight.tolist() == [7]
