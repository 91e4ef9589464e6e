"""Reading boards of letters: quickly or letter by letter, the same comes out; faults are named with their place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.formats.boards import letters_of, places_of, require_board, take_board
from bestfirst.formats.tokens import InputError, Tokens

LETTERS = ".*K"
BLANKS = ["\n", "\r\n", " ", "\n\n", " \n", "\t", "\r", "\x0b"]


@st.composite
def boards(draw, letters=LETTERS):
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    return [draw(st.text(letters, min_size=columns, max_size=columns)) for _ in range(rows)]


@given(boards(), st.sampled_from(BLANKS), st.sampled_from(["", "\n", " \n"]), st.data())
def test_any_white_space_and_what_follows_has_its_place(cells, between, end, data):
    tokens = Tokens(end + between.join(cells) + end)
    assert list(take_board(tokens, len(cells), len(cells[0]), LETTERS).cells) == cells
    assert tokens.at_end()
    text = "x" + between + between.join(cells) + between + "y"
    tokens = Tokens(text)
    tokens.take("x")
    board = take_board(tokens, len(cells), len(cells[0]), LETTERS)
    following = tokens.take("y")
    lines = text.splitlines()
    assert (following.line, following.column) == (len(lines), len(lines[-1]))
    row, column = data.draw(st.integers(0, len(cells) - 1)), data.draw(st.integers(0, len(cells[0]) - 1))
    with pytest.raises(InputError, match="wrong") as caught:
        board.fail(row, column, "wrong")
    line = caught.value.line - 1
    assert lines[line][caught.value.column - 1 :].startswith(cells[row][column:])


@given(boards(LETTERS + "?é"), st.sampled_from(["\n", "\r\n", " "]))
def test_strange_letters_are_found(cells, between):
    strange = next(((i, j) for i, row in enumerate(cells) for j, cell in enumerate(row) if cell in "?é"), None)
    tokens = Tokens(between.join(cells))
    if strange is None:
        take_board(tokens, len(cells), len(cells[0]), LETTERS)
        require_board(cells, LETTERS)
        return
    row, column = strange
    with pytest.raises(InputError, match=f"row {row + 1} of {len(cells)} has .*; cells are \\., \\* and K") as caught:
        take_board(tokens, len(cells), len(cells[0]), LETTERS)
    place = (1, row * (len(cells[0]) + 1) + column + 1) if between == " " else (row + 1, column + 1)
    assert (caught.value.line, caught.value.column) == place
    with pytest.raises(ValueError, match=f"row {row + 1}, column {column + 1} is"):
        require_board(cells, LETTERS)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("..\n", (1, 3), "row 2 of 2 of the board is expected"),
        ("..\n...\n", (2, 1), "row 2 of 2 has 3 cells, there must be 2"),
        ("..\n.\n", (2, 1), "row 2 of 2 has 1 cells"),
        ("..\r\n.\u2028.\r\n", (2, 1), "row 2 of 2 has 1 cells"),
        (".. ..x", (1, 6), "row 2 of 2 has 'x'"),
    ],
)
def test_faults_have_places(text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        take_board(Tokens(text), 2, 2, LETTERS)
    assert (caught.value.line, caught.value.column) == place


def test_cells_of_a_board():
    cells = ["K.", "*K"]
    assert places_of(cells, "K") == [(0, 0), (1, 1)]
    assert letters_of(cells).tolist() == [[75, 46], [42, 75]]
    for bad, message in (([], "empty"), ([""], "empty"), (["..", "."], "row 2 has 1 cells, row 1 has 2")):
        with pytest.raises(ValueError, match=message):
            require_board(bad, LETTERS)
