"""Histograms, as SVG or as bars of text, and heat maps.

A *histogram* shows the frequency of each value. Whole numbers have a bar each if they span at most `BARS`
values; otherwise at most `BARS` classes have one width: 1, 2 or 5 times a power of ten. A class contains its
lower end. Texts have a bar each. For a sample the title gives the standard error of the mean, and each bar
has a line of one standard error up and down: for h values among n, the square root of h(1 - h/n), as in a
binomial distribution.

A *heat map* has a square for each pair of whole numbers, or of cells, in the colour of a class or of a size.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cavalcade.draw.pen import short
from cavalcade.draw.shapes import Letters, Picture, Plate, Polyline, Shape
from cavalcade.draw.styles import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, WHITE, YELLOW
from cavalcade.draw.svg import written
from cavalcade.ground.errors import CavalcadeError, TooLargeError
from cavalcade.question.words import validated

if TYPE_CHECKING:
    from cavalcade.ask.connections import Connections

Value = int | float | str
INK, GRID = "#4a4238", "#e7dac2"
BARS = 60  # bars at most: each is 9 pixels wide in a picture of 640


class _Frame(NamedTuple):
    """The size of a histogram and the margins around its bars, in pixels."""

    width: int = 640
    height: int = 400
    left: int = 70
    right: int = 20
    top: int = 40
    bottom: int = 60


FRAME = _Frame()


class _Bar(NamedTuple):
    """A bar: the label below its middle or its left edge, and its number of values."""

    label: str
    high: int
    middle: bool = True


@validated
def histogram(values: Iterable[Value], name: str, *, sample: bool = False, font: bool = True) -> str:
    """Draw a histogram of the values as SVG.

    Args:
        values: numbers or texts, for example `tour.measure().turns` of many tours.
        name: of the values; the label of the axis.
        sample: whether the values are a random sample: show standard errors.
        font: False draws letters as lines, for a machine without fonts.

    Raises:
        CavalcadeError: no values, or both numbers and texts.

    Examples:
        >>> histogram([3, 4, 4], "turns")[:4]
        '<svg'
    """
    return written(histogram_picture(values, name, sample=sample), font=font)


def histogram_picture(values: Iterable[Value], name: str, *, sample: bool = False) -> Picture:
    """The same as a picture, for PNG or PDF."""
    items = list(values)
    bars = _bars(items)
    most = max(bar.high for bar in bars)
    step = _nice(most / 5, whole=True)
    top = step * math.ceil(most / step)
    right, axis = FRAME.width - FRAME.right, FRAME.height - FRAME.bottom
    width = (right - FRAME.left) / len(bars)
    high = axis - FRAME.top
    title = _title(items, name, sample=sample)
    out: list[Shape] = [Letters("title", FRAME.width / 2, FRAME.top / 2, title, 15, INK)]
    for mark in range(0, int(top) + 1, int(step)):
        y = axis - high * mark / top
        out.append(Polyline("grid", [[(FRAME.left, y), (right, y)]], GRID, 1))
        out.append(Letters("mark", FRAME.left - 8, y, f"{mark:,}", 11, INK, "end"))
    label_step = max(1, math.ceil(max(len(bar.label) for bar in bars) * 7 / width))
    notes = [f"{bar.label}: {bar.high:,}" for bar in bars]
    for i, (bar, note) in enumerate(zip(bars, notes, strict=True)):
        x, tall = FRAME.left + i * width, high * bar.high / top
        out.append(Plate("bar", x + 0.06 * width, axis - tall, 0.88 * width, tall, fill=BLUE, note=note))
        if sample:
            low, up = (axis - high * (bar.high + way * _error(bar.high, len(items))) / top for way in (-1, 1))
            out.append(Polyline("error", [[(x + width / 2, low), (x + width / 2, up)]], INK, 1.5))
        if i % label_step == 0:
            out.append(Letters("mark", x + bar.middle * width / 2, axis + 14, bar.label, 11, INK))
    out += [
        Polyline("axis", [[(FRAME.left, FRAME.top), (FRAME.left, axis), (right, axis)]], INK, 1),
        Letters("name", (FRAME.left + right) / 2, FRAME.height - 16, name, 13, INK),
        Letters("name", 16, FRAME.top + high / 2, "tours", 13, INK, upwards=True),
    ]
    return Picture(title, "; ".join(notes), FRAME.width, FRAME.height, out, WHITE)


def text_bars(values: Iterable[Value], name: str, *, sample: bool = False) -> str:
    """The same as lines of text, one bar per line; for a sample with standard errors.

    Raises:
        CavalcadeError: as `histogram`.
    """
    items = list(values)
    bars = _bars(items)
    most = max(bar.high for bar in bars)
    wide, deep = max(len(bar.label) for bar in bars), len(f"{most:,}")
    lines = [_title(items, name, sample=sample)]
    for bar in bars:
        line = "#" * math.ceil(50 * bar.high / most)  # with its numbers a line fits into 80 columns
        error = f" ± {_error(bar.high, len(items)):<{deep},.0f}" if sample else ""
        lines.append(f"{bar.label:>{wide}}  {bar.high:>{deep},}{error}  {line}".rstrip())
    return "\n".join(lines) + "\n"


def _title(values: Sequence[Value], name: str, *, sample: bool) -> str:
    """How many values there are, and the mean of numbers."""
    title = f"{name} of {len(values):,} tours"
    numbers = [value for value in values if not isinstance(value, str)]
    if not numbers:
        return title
    mean = sum(numbers) / len(numbers)
    if not sample or len(numbers) < 2:
        return f"{title}, mean {mean:.4g}"
    spread = sum((value - mean) ** 2 for value in numbers) / (len(numbers) - 1)
    return f"{title}, mean {mean:.5g} ± {math.sqrt(spread / len(numbers)):.2g}"


def _error(high: int, number: int) -> float:
    """The standard error of a bar."""
    return math.sqrt(high * (1 - high / number))


def _bars(values: Sequence[Value]) -> list[_Bar]:
    """The bars in order, also empty ones between the least and the greatest number."""
    if not values:
        raise CavalcadeError("a histogram needs at least one value, and there is none")
    texts = [value for value in values if isinstance(value, str)]
    numbers = [value for value in values if not isinstance(value, str)]
    if texts:
        if numbers:
            raise CavalcadeError(f"{texts[0][:40]!r} is not a number, but other values are")
        return [_Bar(*pair) for pair in sorted(Counter(texts).items(), key=lambda pair: (-pair[1], pair[0]))]
    if not all(math.isfinite(number) for number in numbers):
        raise CavalcadeError("a histogram needs finite numbers")
    whole = all(number == int(number) for number in numbers)
    least, greatest = min(numbers), max(numbers)
    size = 1 if whole and greatest - least < BARS else _nice((greatest - least) / (BARS / 2), whole=whole)
    lowest = math.floor(least / size)
    counts = Counter(math.floor(number / size) - lowest for number in numbers)
    labels = [f"{(lowest + i) * size:.10g}" for i in range(max(counts) + 1)]
    return [_Bar(label, counts[i], whole and size == 1) for i, label in enumerate(labels)]


def _nice(least: float, *, whole: bool) -> float:
    """The smallest of 1, 2, 5, 10, 20, … that is not less; also fractions, unless whole."""
    if least <= 0:
        return 1
    power = 10.0 ** math.floor(math.log10(least))
    size = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))
    return max(1, round(size)) if whole else size


# ---- heat maps

Colours = dict[tuple[int, int], str]

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
    answers = [group.answer for group in connections.classes]
    if not answers:
        raise CavalcadeError(f"{board.title[:60]} has no two cells, and there is no table")
    values = {(a, b): answers[k] for (a, b), k in np.ndenumerate(connections.of) if k >= 0}
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
            x = SHEET.left + (along if upwards else -beside)
            y = SHEET.top + (-beside if upwards else along)
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
