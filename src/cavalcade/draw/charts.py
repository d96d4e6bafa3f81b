"""Charts: histograms, as SVG or as bars of text, and heat maps.

A *histogram* shows the frequency of each value. Whole numbers have a bar each if they span at most `BARS`
values; otherwise at most `BARS` classes have one width: 1, 2 or 5 times a power of ten. A class contains its
lower end. Texts have a bar each. For a sample the title gives the standard error of the mean, and each bar
has a line of one standard error up and down: for h values among n, the square root of h(1 - h/n), as in a
binomial distribution.

A *heat map* has a square for each pair of whole numbers, in the colour of a class or of a size.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from cavalcade.draw.pen import short
from cavalcade.draw.shapes import Letters, Picture, Plate, Polyline, Shape
from cavalcade.draw.styles import BLUE, ORANGE, PURPLE, SKY, WHITE
from cavalcade.draw.svg import written
from cavalcade.ground.errors import CavalcadeError

Value = int | float | str
Colours = dict[tuple[int, int], str]

INK, GRID = "#4a4238", "#e7dac2"

BARS = 60
WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 40, 60
TEXT_BAR = 50

SQUARE, STEP = 14, 15  # of a heat map: the side of a square, and from one to the next
BESIDE, ABOVE, LEGEND = 60, 62, 150  # the room for numbers, and for the legend
CLASSES = {"found": SKY, "impossible": "#3d3d3d", "undecided": ORANGE, "refused": PURPLE}
SHADES = ("#fdf6e3", "#f3d9a4", "#e6a85c", "#c8692d", "#8f3a14", "#4d1c08")  # for sizes, from small to large
LABELLED = 5  # one row or column in so many has its number


# ---- histograms


class _Bar(NamedTuple):
    """A bar: the label below its middle or its left edge, and its number of values."""

    label: str
    high: int
    middle: bool = True


def histogram(values: Iterable[Value], name: str, *, sample: bool = False, font: bool = True) -> str:
    """A picture of the frequency of each value, as SVG.

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
    given = list(values)
    bars = _bars(given)
    most = max(bar.high for bar in bars)
    step = _nice(most / 5, whole=True)
    top = step * math.ceil(most / step)
    width = (WIDTH - LEFT - RIGHT) / len(bars)
    axis = HEIGHT - BOTTOM
    high = axis - TOP
    title = _title(given, name, sample=sample)
    out: list[Shape] = [Letters("title", WIDTH / 2, TOP / 2, title, 15, INK)]
    for mark in range(0, int(top) + 1, int(step)):
        y = axis - high * mark / top
        out.append(Polyline("grid", [[(LEFT, y), (WIDTH - RIGHT, y)]], GRID, 1))
        out.append(Letters("mark", LEFT - 8, y, f"{mark:,}", 11, INK, "end"))
    every = max(1, math.ceil(max(len(bar.label) for bar in bars) * 7 / width))
    notes = [f"{bar.label}: {bar.high:,}" for bar in bars]
    for i, (bar, note) in enumerate(zip(bars, notes, strict=True)):
        x, tall = LEFT + i * width, high * bar.high / top
        out.append(Plate("bar", x + 0.06 * width, axis - tall, 0.88 * width, tall, fill=BLUE, note=note))
        if sample:
            low, up = (axis - high * (bar.high + way * _error(bar.high, len(given))) / top for way in (-1, 1))
            out.append(Polyline("error", [[(x + width / 2, low), (x + width / 2, up)]], INK, 1.5))
        if i % every == 0:
            out.append(Letters("mark", x + bar.middle * width / 2, axis + 14, bar.label, 11, INK))
    out += [
        Polyline("axis", [[(LEFT, TOP), (LEFT, axis), (WIDTH - RIGHT, axis)]], INK, 1),
        Letters("name", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, name, 13, INK),
        Letters("name", 16, TOP + high / 2, "tours", 13, INK, upwards=True),
    ]
    return Picture(title, "; ".join(notes), WIDTH, HEIGHT, out, WHITE)


def text_bars(values: Iterable[Value], name: str, *, sample: bool = False) -> str:
    """The same as lines of text, one bar per line; for a sample with standard errors.

    Raises:
        CavalcadeError: as `histogram`.
    """
    given = list(values)
    bars = _bars(given)
    most = max(bar.high for bar in bars)
    wide, deep = max(len(bar.label) for bar in bars), len(f"{most:,}")
    lines = [_title(given, name, sample=sample)]
    for bar in bars:
        line = "#" * math.ceil(TEXT_BAR * bar.high / most)
        error = f" ± {_error(bar.high, len(given)):<{deep},.0f}" if sample else ""
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
        return [_Bar(*one) for one in sorted(Counter(texts).items(), key=lambda one: (-one[1], one[0]))]
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


def heat_map(values: Mapping[tuple[int, int], str | float], title: str, names: tuple[str, str]) -> str:
    """A picture of values by two numbers, as SVG.

    Args:
        values: for each (row, column) one of `CLASSES`; or for each a number, whose logarithm gives the
            colour.
        title: of the picture.
        names: of the numbers of rows and of columns.

    Raises:
        CavalcadeError: there are no values.
    """
    if not values:
        raise CavalcadeError("there is nothing to show, expected at least one value")
    rows, columns = (sorted({at[i] for at in values}) for i in (0, 1))
    wide, high = ((numbers[-1] - numbers[0] + 1) * STEP for numbers in (columns, rows))
    colours, legend = _colours(values)
    width = max(BESIDE + wide + LEGEND, 460)
    height = max(ABOVE + high + 20, ABOVE + 20 * len(legend) + 20)
    out: list[Shape] = [
        Letters("title", BESIDE, 20, title, 15, INK, "start"),
        Letters("name", BESIDE + wide / 2, ABOVE - 26, names[1], 12, INK),
        Letters("name", 20, ABOVE + high / 2, names[0], 12, INK),
    ]
    for numbers in (rows, columns):
        for number in numbers:
            if number in (numbers[0], numbers[-1]) or number % LABELLED == 0:
                middle = (number - numbers[0]) * STEP + SQUARE / 2
                x, y = (BESIDE - 14, ABOVE + middle) if numbers is rows else (BESIDE + middle, ABOVE - 10)
                out.append(Letters("mark", x, y, str(number), 10, INK))
    for (row, column), value in values.items():
        x, y = BESIDE + (column - columns[0]) * STEP, ABOVE + (row - rows[0]) * STEP
        said = value if isinstance(value, str) else f"{value:.3g}"
        note = f"{names[0]} {row}, {names[1]} {column}: {said}"
        out.append(Plate("value", x, y, SQUARE, SQUARE, fill=colours[row, column], note=note))
    for i, (word, colour) in enumerate(legend):
        y = ABOVE + 20 * i
        out.append(Plate("key", BESIDE + wide + 16, y, SQUARE, SQUARE, 0, colour, INK, 0.4))
        out.append(Letters("key", BESIDE + wide + 38, y + 7, word, 12, INK, "start"))
    desc = f"{len(values):,} squares by {names[0]} and {names[1]}."
    return written(Picture(title, desc, width, height, out, WHITE))


def _colours(values: Mapping[tuple[int, int], str | float]) -> tuple[Colours, list[tuple[str, str]]]:
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
    starts = {i: math.exp(low + i * width) for i in used}
    digits = {i: f"{float(f'{one:.2g}'):g}" if one < 100 else short(round(one)) for i, one in starts.items()}
    return found, [(f"from {digits[i]}", SHADES[i]) for i in used]
