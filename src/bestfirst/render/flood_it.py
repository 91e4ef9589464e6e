"""Pictures of Flood-It: boards for a terminal, and SVG with one board for each step.

Legend:
    shade       red, green and blue of a colour, 0–255; the same in every picture
    unit        pixels a cell; inside a board's group the unit of length is the cell
    panel       a board with its caption below
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Iterator

from bestfirst.catalogue.flood_it import Answer, Board, Cell, Instance, steps, taken_region
from bestfirst.result import Status

Shade = tuple[int, int, int]

#: Told apart with any kind of colour blindness: the set of M. Okabe and K. Ito, their black lightened.
_PALETTE: tuple[Shade, ...] = (
    (213, 94, 0),  # vermilion
    (86, 180, 233),  # sky blue
    (0, 158, 115),  # green
    (240, 228, 66),  # yellow
    (0, 114, 178),  # blue
    (204, 121, 167),  # purple
    (230, 159, 0),  # orange
    (68, 68, 68),  # grey
)

_GOLDEN = (math.sqrt(5) - 1) / 2

_PAPER, _INK, _SOFT_INK = "#fafaf7", "#161616", "#5a5a5a"
_MARGIN, _GAP, _TITLE, _CAPTION = 16, 14, 26, 20  # pixels
_NARROWEST = 56  # pixels: room for a caption below a narrow board
_LETTER = 9  # pixels: more than the mean letter of the title


def shade(colour: int) -> Shade:
    """The shade of a colour: of the palette, or a hue that falls evenly between those of the colours before it."""
    if colour < len(_PALETTE):
        return _PALETTE[colour]
    lightness = (0.42, 0.62, 0.78)[colour % 3]
    red, green, blue = colorsys.hls_to_rgb(colour * _GOLDEN % 1.0, lightness, 0.6)
    return round(255 * red), round(255 * green), round(255 * blue)


# --- terminal -----------------------------------------------------------------------------------------------------------


def text(instance: Instance, color: bool) -> str:
    """The board, one line a row, each cell its colour's number and `•` where the region of the start is; ends in a newline.

    With `color` the cells have 24-bit backgrounds as well.
    """
    return _board_text(instance.board, instance.start, color)


def text_steps(instance: Instance, answer: Answer, color: bool) -> Iterator[str]:
    """Yield the board at the start and after each move, under a line that names the move."""
    colours = answer.colours or ()
    headings = ["start", *(f"move {number}: colour {colour}" for number, colour in enumerate(colours, 1))]
    for heading, board in zip(headings, steps(instance, answer), strict=True):
        yield f"{heading}\n{_board_text(board, instance.start, color)}"


def _board_text(board: Board, start: Cell, color: bool) -> str:
    width = max(len(str(colour)) for row in board for colour in row)
    region = taken_region(board, start)
    lines = []
    for row, line in enumerate(board):
        cells = (_cell_text(colour, width, (row, column) in region, color) for column, colour in enumerate(line))
        lines.append("".join(cells).rstrip() + "\n")
    return "".join(lines)


def _cell_text(colour: int, width: int, taken: bool, color: bool) -> str:
    cell = f"{colour:>{width}}{'•' if taken else ' '}"
    if not color:
        return cell
    red, green, blue = shade(colour)
    dark = 299 * red + 587 * green + 114 * blue < 128_000  # luma, as in television
    ink = "255;255;255" if dark else "0;0;0"
    return f"\x1b[48;2;{red};{green};{blue};38;2;{ink}m{cell}\x1b[0m"


# --- SVG ----------------------------------------------------------------------------------------------------------------


def svg(instance: Instance, answer: Answer | None = None) -> str:
    """The board as a complete SVG document; with an answer the boards after all moves too. The taken region is outlined."""
    if answer is None:
        unit = _unit(instance, 1)
        board = _board_svg(instance.board, instance.start, unit)
        rows, columns = len(instance.board), len(instance.board[0])
        return _document(_size(instance), columns * unit, rows * unit, _placed(board, 0, 0))
    return _steps_svg(instance, answer)


def _steps_svg(instance: Instance, answer: Answer) -> str:
    boards = list(steps(instance, answer))
    unit = _unit(instance, len(boards))
    board_height = len(instance.board) * unit
    width = max(len(instance.board[0]) * unit, _NARROWEST) + _GAP
    height = board_height + _CAPTION + _GAP
    across = min(len(boards), math.ceil(math.sqrt(1.6 * len(boards) * height / width)))  # the whole about 16 : 10
    down = math.ceil(len(boards) / across)

    title = _title(instance, answer)
    parts = [f'<text x="{_MARGIN}" y="{_MARGIN + 12}" font-size="15" font-weight="600">{title}</text>']
    for number, (board, colour) in enumerate(zip(boards, (None, *(answer.colours or ())), strict=True)):
        panel = _board_svg(board, instance.start, unit) + "\n" + _caption_svg(number, colour, board_height)
        parts.append(_placed(panel, number % across * width, _TITLE + number // across * height))
    content_width = max(across * width - _GAP, _LETTER * len(title))
    return _document(title, content_width, _TITLE + down * height - _GAP, "\n".join(parts))


def _document(title: str, width: int, height: int, content: str) -> str:
    width, height = width + 2 * _MARGIN, height + 2 * _MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" font-family="system-ui, sans-serif" fill="{_INK}">\n'
        f"<title>{title}</title>\n"
        f'<rect class="paper" width="100%" height="100%" rx="8" fill="{_PAPER}"/>\n'
        f"{content}\n</svg>\n"
    )


def _placed(content: str, x: int, y: int) -> str:
    return f'<g transform="translate({_MARGIN + x} {_MARGIN + y})">\n{content}\n</g>'


def _unit(instance: Instance, boards: int) -> int:
    """Pixels a cell: one board may fill a page, many share it."""
    page, largest = (640, 32) if boards == 1 else (168, 16)
    return max(3, min(largest, page // max(len(instance.board), len(instance.board[0]))))


def _size(instance: Instance) -> str:
    colours = len({colour for row in instance.board for colour in row})
    return f"Flood-It, {len(instance.board)} × {len(instance.board[0])}, {_counted(colours, 'colour')}"


def _title(instance: Instance, answer: Answer) -> str:
    if answer.cost is None:
        return f"{_size(instance)}: at least {_counted(answer.bound or 0, 'move')}"
    proof = "" if answer.status is Status.OPTIMAL else f" (not proved, at least {answer.bound})"
    return f"{_size(instance)}: {_counted(answer.cost, 'move')}{proof}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _board_svg(board: Board, start: Cell, unit: int) -> str:
    """One path a colour, of one square a cell, and the outline of the region of the start."""
    squares: dict[int, list[str]] = {}
    for row, line in enumerate(board):
        for column, colour in enumerate(line):
            squares.setdefault(colour, []).append(f"M{column} {row}h1v1h-1z")
    outline = _outline(taken_region(board, start))
    cells = "\n".join(
        f'<path class="cells" fill="{_hex(colour)}" d="{"".join(path)}"><title>colour {colour}</title></path>'
        for colour, path in sorted(squares.items())
    )
    return (
        f'<g class="board" transform="scale({unit})">\n'
        f'<g stroke="{_PAPER}" stroke-width=".06">\n{cells}\n</g>\n'
        f'<g fill="none" stroke-linecap="square"><path d="{outline}" stroke="#fff" stroke-width="{5 / unit:.3f}"/>'
        f'<path class="outline" d="{outline}" stroke="{_INK}" stroke-width="{2.2 / unit:.3f}"/></g>\n'
        "</g>"
    )


def _outline(region: set[Cell]) -> str:
    """The sides of the region's cells that have no cell of the region beyond."""
    sides = []
    for row, column in sorted(region):
        for beyond, side in (
            ((row - 1, column), f"M{column} {row}h1"),
            ((row + 1, column), f"M{column} {row + 1}h1"),
            ((row, column - 1), f"M{column} {row}v1"),
            ((row, column + 1), f"M{column + 1} {row}v1"),
        ):
            if beyond not in region:
                sides.append(side)
    return "".join(sides)


def _caption_svg(number: int, colour: int | None, top: int) -> str:
    if colour is None:
        return f'<text class="caption" y="{top + 15}" font-size="11" fill="{_SOFT_INK}">start</text>'
    return (
        f'<text class="caption" y="{top + 15}" font-size="11">{number}.</text>'
        f'<rect class="swatch" x="24" y="{top + 6}" width="10" height="10" rx="2" fill="{_hex(colour)}"/>'
        f'<text x="38" y="{top + 15}" font-size="11" fill="{_SOFT_INK}">{colour}</text>'
    )


def _hex(colour: int) -> str:
    return "#{:02x}{:02x}{:02x}".format(*shade(colour))
