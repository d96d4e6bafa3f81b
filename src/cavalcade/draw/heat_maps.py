"""Heat maps: a square for each pair of whole numbers, or of cells, in the colour of a class or of a size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cavalcade.draw.pen import short
from cavalcade.draw.shapes import Letters, Picture, Plate, Shape
from cavalcade.draw.styles import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, WHITE, YELLOW
from cavalcade.ground.errors import CavalcadeError, TooLargeError

if TYPE_CHECKING:
    from cavalcade.ask.connections import Connections

Colours = dict[tuple[int, int], str]

INK = "#4a4238"
CLASSES = {"found": SKY, "impossible": "#3d3d3d", "undecided": ORANGE, "refused": PURPLE}
REASONS = (VERMILION, PURPLE, GREEN, YELLOW, BLUE, "#3d3d3d", "#8c6d46", "#9a9a9a")  # one word each, in order
MOST_CELLS = 200  # of a table of connections: 40,000 squares
SHADES = ("#fdf6e3", "#f3d9a4", "#e6a85c", "#c8692d", "#8f3a14", "#4d1c08")  # for sizes, from small to large


class _Sheet(NamedTuple):
    """The measures of a heat map, in pixels."""

    square: int = 14  # the side of a square
    step: int = 15  # from a square to the next
    left: int = 60  # the width of the space for the numbers of rows
    top: int = 62  # the height of the space for the title and the numbers of columns
    legend: int = 150  # the width of the space for the legend
    letter: int = 8  # the width of a letter of the title
    name_letters: int = 6  # letters of the name of a cell that are shown
    labelled: int = 5  # rows and columns whose number is a multiple of it show their number


SHEET = _Sheet()


def connections_picture(connections: Connections) -> Picture:
    """A table of all pairs of cells: a square for each, in the colour of `found` or of the reason for none.

    In a directed graph tours lead from the cell of the row to that of the column.

    Raises:
        TooLargeError: more than 200 cells.
        CavalcadeError: there is no pair.
    """
    board = connections.question.board
    if board.size > MOST_CELLS:
        raise TooLargeError(
            f"{board.title[:60]} has more than {MOST_CELLS} cells, the most that a table shows"
        )
    if not connections.classes:
        raise CavalcadeError(f"{board.title[:60]} has no two cells, and there is no table")
    groups = connections.classes
    values = {pair: groups[k].answer for pair, k in np.ndenumerate(connections.of) if k >= 0}
    pairs = f"{connections.number:,} of {sum(connections.reasons.values()):,} pairs of cells"
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
    rows, columns = (sorted({position[i] for position in values}) for i in (0, 1))
    wide, high = ((numbers[-1] - numbers[0] + 1) * SHEET.step for numbers in (columns, rows))
    colours, legend = _colours(values)
    width = max(SHEET.left + wide + SHEET.legend, SHEET.left + SHEET.letter * len(title), 460)
    height = max(SHEET.top + high + 20, SHEET.top + 20 * len(legend) + 20)
    out: list[Shape] = [
        Letters("title", SHEET.left, 20, title, 15, INK, "start"),
        Letters("name", SHEET.left + wide / 2, SHEET.top - 26, names[1], 12, INK),
        Letters("name", 20, SHEET.top + high / 2, names[0], 12, INK),
    ]
    for numbers, upwards in ((rows, False), (columns, True)):
        for number in numbers:
            along = (number - numbers[0]) * SHEET.step + SHEET.square / 2
            beside = 6 if labels else 10 + 4 * (not upwards)
            across, down = (along, -beside) if upwards else (-beside, along)
            x, y = SHEET.left + across, SHEET.top + down
            if labels:
                name, anchor = labels[number][: SHEET.name_letters], "start" if upwards else "end"
                out.append(Letters("mark", x, y, name, 9, INK, anchor, upwards=upwards))
            elif number in (numbers[0], numbers[-1]) or number % SHEET.labelled == 0:
                out.append(Letters("mark", x, y, str(number), 10, INK))
    for (row, column), value in values.items():
        x, y = SHEET.left + (column - columns[0]) * SHEET.step, SHEET.top + (row - rows[0]) * SHEET.step
        text = value if isinstance(value, str) else f"{value:.3g}"
        first, second = (labels[row], labels[column]) if labels else (row, column)
        note = f"{names[0]} {first}, {names[1]} {second}: {text}"
        out.append(Plate("value", x, y, SHEET.square, SHEET.square, fill=colours[row, column], note=note))
    for i, (word, colour) in enumerate(legend):
        y = SHEET.top + 20 * i
        out.append(Plate("key", SHEET.left + wide + 16, y, SHEET.square, SHEET.square, 0, colour, INK, 0.4))
        out.append(Letters("key", SHEET.left + wide + 38, y + 7, word, 12, INK, "start"))
    desc = f"{len(values):,} squares by {names[0]} and {names[1]}."
    return Picture(title, desc, width, height, out, WHITE)


def _colours(values: Mapping[tuple[int, int], str | float]) -> tuple[Colours, list[tuple[str, str]]]:
    """The colour of each value, and the legend."""
    words = {value for value in values.values() if isinstance(value, str)}
    if words:
        reasons = sorted(words - CLASSES.keys())
        palette = CLASSES | {word: REASONS[i % len(REASONS)] for i, word in enumerate(reasons)}
        colours = {position: palette[str(value)] for position, value in values.items()}
        return colours, [(word, colour) for word, colour in palette.items() if word in words]
    sizes = {position: math.log(max(float(value), 1e-4)) for position, value in values.items()}
    low, high = min(sizes.values()), max(sizes.values())
    width = (high - low) / len(SHADES) or 1.0
    colours = {
        position: SHADES[min(int((size - low) / width), len(SHADES) - 1)] for position, size in sizes.items()
    }
    legend = []
    for i, shade in enumerate(SHADES):
        if shade in colours.values():
            start = math.exp(low + i * width)
            digits = f"{float(f'{start:.2g}'):g}" if start < 100 else short(round(start))
            legend.append((f"from {digits}", shade))
    return colours, legend
