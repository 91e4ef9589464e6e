"""Reading text as tokens: whatever the text, the only complaint is an InputError at the right place."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.formats.tokens import InputError, Tokens, shown


def taken(text):
    tokens = Tokens(text)
    found = []
    while not tokens.at_end():
        found.append(tokens.peek())
        assert tokens.take("a token") == found[-1]
    return found


def test_lines_and_columns_count_from_1():
    assert taken("ab  c\n\n  d") == [("ab", 1, 1), ("c", 1, 5), ("d", 3, 3)]


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter():
    assert taken("\ufeffab c\r\nd\r\n") == taken("ab c\nd\n") == [("ab", 1, 1), ("c", 1, 4), ("d", 2, 1)]


@given(st.lists(st.lists(st.text("ab1-é涂", min_size=1, max_size=4), max_size=4), max_size=4), st.sampled_from(["\n", "\r\n"]))
def test_every_token_stands_where_it_says(rows, line_end):
    text = line_end.join("  ".join(row) for row in rows)
    assert [token.text for token in taken(text)] == [word for row in rows for word in row]
    lines = text.split(line_end)
    for token in taken(text):
        assert lines[token.line - 1][token.column - 1 :].startswith(token.text)


@given(st.text())
def test_any_text_gives_integers_or_an_input_error(text):
    tokens = Tokens(text)
    while not tokens.at_end():
        token = tokens.peek()
        if re.fullmatch("[+-]?0*[0-5]", token.text) and len(token.text) < 30:
            assert tokens.take_integer("a number", -5, 5) == int(token.text)
            continue
        with pytest.raises(InputError) as caught:
            tokens.take_integer("a number", -5, 5)
        error = caught.value
        assert (error.line, error.column) == (token.line, token.column)
        assert str(error) == f"line {token.line}, column {token.column}: {error.message}"
        assert str(error).isprintable()


@given(st.integers(-(10**30) + 1, 10**30 - 1), st.sampled_from(["", "+", "00"]))
def test_whole_numbers(value, prefix):
    text = str(value) if value < 0 else prefix + str(value)
    if len(text.lstrip("+-")) <= 30:
        assert Tokens(text).take_integer("a number") == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "expected the size, a whole number, found 'x'"),
        ("1.5", "found '1.5'"),
        ("--3", "found '--3'"),
        ("-+3", "found '-\\+3'"),
        ("+-3", "found '\\+-3'"),
        ("1_000", "found '1_000'"),
        ("-", "found '-'"),
        ("٣", "found '٣'"),  # a digit to Python, not to us
        ("²", "found '²'"),
        ("9" * 5000, "5000 digits"),
        ("4", "it must be at least 5"),
        ("10", "it must be at most 9"),
        ("", "the text ends where the size is expected"),
        ("\x00", "found '\\\\x00'"),
    ],
)
def test_what_is_wrong_is_said(text, message):
    with pytest.raises(InputError, match=message) as caught:
        Tokens(text).take_integer("the size", 5, 9)
    assert (caught.value.line, caught.value.column) == (1, 1)


@pytest.mark.parametrize(("text", "place"), [("1 2", (1, 4)), ("1 2\n", (1, 4)), ("1\n2\n\n", (3, 1)), ("1 2  ", (1, 6))])
def test_the_end_is_where_the_text_ends(text, place):
    tokens = Tokens(text)
    tokens.take("a token")
    tokens.take("a token")
    with pytest.raises(InputError) as caught:
        tokens.take("a third one")
    assert (caught.value.line, caught.value.column) == place


@given(st.text())
def test_what_is_shown_of_a_text_is_short_and_printable(text):
    assert shown(text).isprintable()
    assert len(shown(text)) <= 42 or not text.isprintable() or "\\" in shown(text)


COLUMNS = (("a", -3, 5), ("b", 0, 9))


def rows_one_by_one(text, count):
    tokens = Tokens(text)
    try:
        return [
            [tokens.take_integer(f"{what} (row {number} of {count})", low, high) for what, low, high in COLUMNS]
            for number in range(1, count + 1)
        ], tokens.peek()
    except InputError as error:
        return str(error)


def rows_at_once(text, count):
    tokens = Tokens(text)
    try:
        return tokens.take_rows(count, "row", COLUMNS).tolist(), tokens.peek()
    except InputError as error:
        return str(error)


@given(
    st.lists(st.sampled_from(["0", "5", "007", "9", "+3", "-3", "10", "x", "1_0", "٣", "", "1" * 20]), max_size=9),
    st.lists(st.sampled_from([" ", "\n", "\r\n", "  ", "\t\n\n", "\x0b", "\u2028", "\xa0"]), min_size=9, max_size=9),
    st.integers(0, 4),
)
def test_rows_are_what_their_numbers_are_one_by_one(words, gaps, count):
    text = "".join(word + gap for word, gap in zip(words, gaps, strict=False))
    assert rows_at_once(text, count) == rows_one_by_one(text, count)


@pytest.mark.parametrize(("word", "place"), [("5", 0), ("x", 4001), ("-1", 2000), ("6", 5998), ("", 6000)])
def test_many_rows(word, place):
    words = ["5"] * 6001
    words[place] = word
    text = "\n".join(words)
    assert rows_at_once(text, 3000) == rows_one_by_one(text, 3000)


# --- boards -------------------------------------------------------------------------------------------------------------


@given(
    st.integers(1, 4),
    st.integers(1, 3),
    st.text("ab \n\r\tx1涂", max_size=30),
    st.sampled_from(["", " ", "\n", "\r\n", "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"]),
)
def test_a_board_is_what_the_tokens_say_one_by_one(rows, columns, text, before):
    words = taken(before + text)
    tokens = Tokens(before + text)
    good = next((i for i, word in enumerate(words[:rows]) if len(word.text) != columns or word.text.strip("ab")), None)
    if good is None and len(words) >= rows:
        assert tokens.take_board("the board", rows, columns, "ab") == tuple(word.text for word in words[:rows])
        assert tokens.peek() == (words[rows] if len(words) > rows else None)
        return
    with pytest.raises(InputError) as caught:
        tokens.take_board("the board", rows, columns, "ab")
    if good is not None:
        place = next((i for i, letter in enumerate(words[good].text) if letter not in "ab"), 0)
        assert (caught.value.line, caught.value.column) == (words[good].line, words[good].column + place)
        assert f"row {good + 1} of {rows}" in caught.value.message


def test_a_large_board_is_read_to_its_end_and_no_further():
    board = ("ab" * 50,) * 80
    for line_end in ("\n", "\r\n"):
        tokens = Tokens(line_end.join((*board, "end", "")))
        assert tokens.take_board("the board", 80, 100, "ab") == board
        assert tokens.peek() == ("end", 81, 1)
