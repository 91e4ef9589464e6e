"""Sudoku by trying digits in the first blank cell, with lists: slow and obvious."""


def fits(cells, box, at, digit):
    """Whether a digit is in no other cell of the row, column and box."""
    rows, columns = box
    n = rows * columns
    i, j = divmod(at, n)
    for other, there in enumerate(cells):
        x, y = divmod(other, n)
        together = x == i or y == j or (x // rows == i // rows and y // columns == j // columns)
        if other != at and there == digit and together:
            return False
    return True


def solutions(text, box, digits):
    """Yield all solutions as strings."""
    cells = list(text)
    if any(digit != "." and not fits(cells, box, at, digit) for at, digit in enumerate(cells)):
        return
    if "." not in cells:
        yield text
        return
    at = cells.index(".")
    for digit in digits:
        if fits(cells, box, at, digit):
            yield from solutions(text[:at] + digit + text[at + 1 :], box, digits)
