"""Histograms, as SVG or as bars of text.

A *histogram* shows the frequency of each value. Whole numbers have a bar each if they span at most `BARS`
values; otherwise at most `BARS` classes have one width: 1, 2 or 5 times a power of ten. A class contains its
lower end. Texts have a bar each. For a sample the title gives the standard error of the mean, and each bar
has a line of one standard error up and down: for h values among n, the square root of h(1 - h/n), as in a
binomial distribution.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cavalcade.draw.shapes import Letters, Picture, Plate, Polyline, Shape
from cavalcade.draw.styles import BLUE, WHITE
from cavalcade.draw.svg import written
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.words import validated

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
