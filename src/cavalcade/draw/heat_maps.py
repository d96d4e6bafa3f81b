"""Heat maps: a square for each pair of whole numbers, or of cells, in the colour of a class or of a size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cavalcade.draw.pen import short
from cavalcade.draw.shapes import Letters, Picture, Plate, Shape
from cavalcade.draw.styles import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, WHITE, YELLOW
from cavalcade.ground.errors import CavalcadeError, TooLargeError

if TYPE_CHECKING:
    from cavalcade.ask.connections import Connections

Colours = dict[tuple[int, int], str]

INK = "#4a4238"
SQUARE, STEP = 14, 15  # of a heat map: the side of a square, and from one to the next
BESIDE, ABOVE, LEGEND = 60, 62, 150  # the room for numbers, and for the legend
CLASSES = {"found": SKY, "impossible": "#3d3d3d", "undecided": ORANGE, "refused": PURPLE}
REASONS = (VERMILION, PURPLE, GREEN, YELLOW, BLUE, "#3d3d3d", "#8c6d46", "#9a9a9a")  # one word each, in order
MOST_CELLS, LETTERS = 200, 6  # of a table of connections, and of the name of a cell in it
SHADES = ("#fdf6e3", "#f3d9a4", "#e6a85c", "#c8692d", "#8f3a14", "#4d1c08")  # for sizes, from small to large
LETTER = 8  # the room for one of the title
LABELLED = 5  # one row or column in so many has its number


def connections_picture(found: Connections) -> Picture:
    """A table of all pairs of cells: a square for each, in the colour of `found` or of the reason for none.

    In a directed graph tours lead from the cell of the row to that of the column.

    Raises:
        TooLargeError: more than 200 cells.
        CavalcadeError: there is no pair.
    """
    board = found.question.board
    if board.size > MOST_CELLS:
        raise TooLargeError(f"{board.title[:60]} has more than {MOST_CELLS} cells, as many as a table shows")
    if not found.classes:
        raise CavalcadeError(f"{board.title[:60]} has no two cells, and there is no table")
    said = [one.answer for one in found.classes]
    values = {(a, b): said[k] for a, row in enumerate(found.of.tolist()) for b, k in enumerate(row) if k >= 0}
    pairs = f"{found.number:,} of {sum(found.reasons.values()):,} pairs of cells"
    return heat_map(values, f"ends of open tours of {board.title}: {pairs}", ("start", "end"), board.names)


def heat_map(
    values: Mapping[tuple[int, int], str | float],
    title: str,
    names: tuple[str, str],
    labels: Sequence[str] = (),
) -> Picture:
    """A picture of values by two numbers.

    Args:
        values: for each (row, column) a word, in the colour of `CLASSES` if it is there; or for each a
            number, whose logarithm gives the colour.
        title: of the picture.
        names: of the numbers of rows and of columns.
        labels: of each number; by default some have themselves.

    Raises:
        CavalcadeError: there are no values.
    """
    if not values:
        raise CavalcadeError("there is nothing to show, expected at least one value")
    rows, columns = (sorted({at[i] for at in values}) for i in (0, 1))
    wide, high = ((numbers[-1] - numbers[0] + 1) * STEP for numbers in (columns, rows))
    colours, legend = _colours(values)
    width = max(BESIDE + wide + LEGEND, BESIDE + LETTER * len(title), 460)
    height = max(ABOVE + high + 20, ABOVE + 20 * len(legend) + 20)
    out: list[Shape] = [
        Letters("title", BESIDE, 20, title, 15, INK, "start"),
        Letters("name", BESIDE + wide / 2, ABOVE - 26, names[1], 12, INK),
        Letters("name", 20, ABOVE + high / 2, names[0], 12, INK),
    ]
    for numbers in (rows, columns):
        for number in numbers:
            middle = (number - numbers[0]) * STEP + SQUARE / 2
            x, y = (BESIDE - 14, ABOVE + middle) if numbers is rows else (BESIDE + middle, ABOVE - 10)
            if labels and numbers is rows:
                out.append(Letters("mark", x + 8, y, labels[number][:LETTERS], 9, INK, "end"))
            elif labels:
                out.append(Letters("mark", x, y + 4, labels[number][:LETTERS], 9, INK, "start", upwards=True))
            elif number in (numbers[0], numbers[-1]) or number % LABELLED == 0:
                out.append(Letters("mark", x, y, str(number), 10, INK))
    for (row, column), value in values.items():
        x, y = BESIDE + (column - columns[0]) * STEP, ABOVE + (row - rows[0]) * STEP
        said = value if isinstance(value, str) else f"{value:.3g}"
        one, two = (labels[row], labels[column]) if labels else (row, column)
        note = f"{names[0]} {one}, {names[1]} {two}: {said}"
        out.append(Plate("value", x, y, SQUARE, SQUARE, fill=colours[row, column], note=note))
    for i, (word, colour) in enumerate(legend):
        y = ABOVE + 20 * i
        out.append(Plate("key", BESIDE + wide + 16, y, SQUARE, SQUARE, 0, colour, INK, 0.4))
        out.append(Letters("key", BESIDE + wide + 38, y + 7, word, 12, INK, "start"))
    desc = f"{len(values):,} squares by {names[0]} and {names[1]}."
    return Picture(title, desc, width, height, out, WHITE)


def _colours(values: Mapping[tuple[int, int], str | float]) -> tuple[Colours, list[tuple[str, str]]]:
    """The colour of each value, and the legend."""
    words = {value for value in values.values() if isinstance(value, str)}
    if words:
        others = sorted(words - CLASSES.keys())
        known = CLASSES | {word: REASONS[i % len(REASONS)] for i, word in enumerate(others)}
        found = {at: known[str(value)] for at, value in values.items()}
        return found, [(word, colour) for word, colour in known.items() if word in words]
    sizes = {at: math.log(max(float(value), 1e-4)) for at, value in values.items()}
    low, high = min(sizes.values()), max(sizes.values())
    width = (high - low) / len(SHADES) or 1.0
    found = {at: SHADES[min(int((size - low) / width), len(SHADES) - 1)] for at, size in sizes.items()}
    used = [i for i, shade in enumerate(SHADES) if shade in found.values()]
    starts = {i: math.exp(low + i * width) for i in used}
    digits = {i: f"{float(f'{one:.2g}'):g}" if one < 100 else short(round(one)) for i, one in starts.items()}
    return found, [(f"from {digits[i]}", SHADES[i]) for i in used]
