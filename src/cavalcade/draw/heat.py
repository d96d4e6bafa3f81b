"""Heat maps: a square for each pair of whole numbers, in the colour of a class or of a size."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cavalcade.draw.pen import short
from cavalcade.draw.shapes import Letters, Picture, Plate, Shape
from cavalcade.draw.svg import written
from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Mapping

SQUARE, GAP, LEFT, TOP, LEGEND = 14, 1, 60, 62, 150
INK, PAPER = "#4a4238", "#ffffff"
# for classes; distinct for colour-blind eyes (Okabe & Ito 2008) and in grey
CLASSES = {"found": "#56b4e9", "impossible": "#3d3d3d", "undecided": "#e69f00", "refused": "#cc79a7"}
SHADES = ("#fdf6e3", "#f3d9a4", "#e6a85c", "#c8692d", "#8f3a14", "#4d1c08")  # for sizes, from small to large
LABELLED = 5  # one row or column in so many has its number


def heat_map(
    values: Mapping[tuple[int, int], str | float], title: str, names: tuple[str, str], *, font: bool = True
) -> str:
    """A picture of values by two numbers, as SVG.

    Args:
        values: for each (row, column) one of `found`, `impossible`, `undecided` and `refused`; or for each a
            number, whose logarithm gives the colour.
        title: of the picture.
        names: of the numbers of rows and of columns.
        font: False draws letters as lines, for a machine without fonts.

    Raises:
        CavalcadeError: there are no values.
    """
    if not values:
        raise CavalcadeError("there is nothing to show, expected at least one value")
    rows, columns = (sorted({at[i] for at in values}) for i in (0, 1))
    step = SQUARE + GAP
    first, top = columns[0], rows[0]
    wide, high = (columns[-1] - first + 1) * step, (rows[-1] - top + 1) * step
    colours, legend = _colours(values)
    width, height = max(LEFT + wide + LEGEND, 460), max(TOP + high + 20, TOP + 20 * len(legend) + 20)
    out: list[Shape] = [
        Letters("title", LEFT, 20, title, 15, INK, "start"),
        Letters("name", LEFT + wide / 2, TOP - 26, names[1], 12, INK),
        Letters("name", 20, TOP + high / 2, names[0], 12, INK),
    ]
    for numbers, low, along in ((rows, top, 1), (columns, first, 0)):
        for number in numbers:
            if number not in (numbers[0], numbers[-1]) and number % LABELLED:
                continue
            middle = (number - low) * step + SQUARE / 2
            x, y = (LEFT - 14, TOP + middle) if along else (LEFT + middle, TOP - 10)
            out.append(Letters("mark", x, y, str(number), 10, INK))
    for (row, column), value in values.items():
        x, y = LEFT + (column - first) * step, TOP + (row - top) * step
        said = value if isinstance(value, str) else f"{value:.3g}"
        note = f"{names[0]} {row}, {names[1]} {column}: {said}"
        out.append(Plate("value", x, y, SQUARE, SQUARE, fill=colours[row, column], note=note))
    for i, (word, colour) in enumerate(legend):
        y = TOP + 20 * i
        out.append(Plate("key", LEFT + wide + 16, y, SQUARE, SQUARE, 0, colour, INK, 0.4))
        out.append(Letters("key", LEFT + wide + 38, y + 7, word, 12, INK, "start"))
    desc = f"{len(values):,} squares by {names[0]} and {names[1]}."
    return written(Picture(title, desc, width, height, out, PAPER), font=font)


def _colours(
    values: Mapping[tuple[int, int], str | float],
) -> tuple[dict[tuple[int, int], str], list[tuple[str, str]]]:
    """The colour of each value, and the legend."""
    words = {value for value in values.values() if isinstance(value, str)}
    if words:
        found = {at: CLASSES[str(value)] for at, value in values.items()}
        return found, [(word, colour) for word, colour in CLASSES.items() if word in words]
    sizes = {at: math.log(max(float(value), 1e-4)) for at, value in values.items()}
    low, high = min(sizes.values()), max(sizes.values())
    width = (high - low) / len(SHADES) or 1.0
    found = {at: SHADES[min(int((size - low) / width), len(SHADES) - 1)] for at, size in sizes.items()}
    used = [i for i, shade in enumerate(SHADES) if shade in found.values()]
    return found, [(f"from {short3(math.exp(low + i * width))}", SHADES[i]) for i in used]


def short3(number: float) -> str:
    """A number with 2 significant digits."""
    return f"{float(f'{number:.2g}'):g}" if number < 100 else short(round(number))
