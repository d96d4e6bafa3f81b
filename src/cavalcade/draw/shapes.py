"""A picture as a list of plain shapes in the order of painting, which every writer of pictures reads.

Lengths are in the units of `layout`, 20 to the side of a square; x runs to the right and y down. Colours are
`#rrggbb`, and "" is none. A shape has a *role*, such as `move` or `cells`. In a moving picture it appears at
its `step`; 0 is the first cell, and -1 is always.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from cavalcade.ground.errors import CavalcadeError

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Polyline:
    """Runs of straight lines, polygons if they are closed; with `at`, one outline at many places."""

    role: str
    runs: Sequence[Sequence[Point]]
    stroke: str = ""
    width: float = 0.0
    fill: str = ""
    closed: bool = False
    dash: tuple[float, ...] = ()
    step: float = -1
    at: Sequence[Point] = ()
    opacity: float = 1.0

    def drawn(self) -> list[Sequence[Point]]:
        """All runs, each where it is drawn."""
        if not self.at:
            return list(self.runs)
        return [_placed(run, x, y, 1.0) for x, y in self.at for run in self.runs]


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle."""

    role: str
    x: float
    y: float
    r: float
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    step: float = -1


@dataclass(frozen=True, slots=True)
class Plate:
    """A rectangle with round corners; `note` is shown to a pointer over it."""

    role: str
    x: float
    y: float
    wide: float
    high: float
    radius: float = 0.0
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    note: str = ""
    step: float = -1


@dataclass(frozen=True, slots=True)
class Letters:
    """A short text, centred at a height of y; digits are 0.7 of its size high."""

    role: str
    x: float
    y: float
    text: str
    size: float
    fill: str = ""
    anchor: str = "middle"
    upwards: bool = False
    step: float = -1


Shape: TypeAlias = Polyline | Disc | Plate | Letters
LENGTHS: dict[type[Shape], tuple[str, ...]] = {  # the lengths of a shape, which are scaled with it
    Polyline: ("width",),
    Disc: ("r", "width"),
    Plate: ("wide", "high", "radius", "width"),
    Letters: ("size",),
}


@dataclass
class Picture:
    """Shapes on a sheet, with a description for screen readers."""

    title: str  # one line
    desc: str  # sentences
    width: float
    height: float
    shapes: list[Shape]  # in the order of painting
    paper: str = ""  # the colour of the sheet; "" is transparent
    route: list[Point] = field(default_factory=list)  # of a tour, the place of the piece at each step
    image: bytes = b""  # a PNG file as wide and as high, on the paper and below all shapes

    def scale(self, size: int | None, *, full: float, nice: float, tall: float) -> float:
        """Pixels per unit: at most `nice` and a longer side of `full` pixels, but numbers stay legible.

        Args:
            size: the longer side in pixels; overrides the others.
            full: pixels of the longer side.
            nice: largest number of pixels per unit.
            tall: smallest height of a digit, in pixels; overrides `full` and `nice`.
        """
        longer = max(math.ceil(self.width), math.ceil(self.height))
        if size is not None:
            return size / longer
        small = self.smallest
        return max(min(nice, full / longer), 120 / longer, tall / (0.7 * small) if small else 0)

    @property
    def smallest(self) -> float:
        """The size of the smallest numbers in cells, 0 where there are none."""
        numbers = (
            shape.size for shape in self.shapes if isinstance(shape, Letters) and shape.role == "number"
        )
        return min(numbers, default=0.0)

    def assert_moving(self) -> None:
        """Refuse to animate a picture that is not of a tour.

        Raises:
            CavalcadeError: it is not of a tour of at least 2 cells.
        """
        if len(self.route) < 2:
            raise CavalcadeError(f"{self.title} does not move: only tours can be animated")

    def until(self, step: float) -> Picture:
        """The picture at a step of a moving picture."""
        return replace(self, shapes=[shape for shape in self.shapes if shape.step <= step])


def tiles(
    role: str,
    outline: Sequence[Point],
    at: Sequence[Point],
    fill: str,
    stroke: str = "",
    width: float = 0.0,
    opacity: float = 1.0,
) -> Polyline:
    """One polygon at many places."""
    runs = [outline] if at else []
    return Polyline(role, runs, stroke, width, fill, closed=True, at=at, opacity=opacity)


def placed(shapes: Iterable[Shape], x: float = 0.0, y: float = 0.0, scale: float = 1.0) -> Iterator[Shape]:
    """The shapes, scaled and then moved."""
    for shape in shapes:
        lengths: dict[str, Any] = {name: scale * getattr(shape, name) for name in LENGTHS[type(shape)]}
        if isinstance(shape, Polyline):
            u, v = (0.0, 0.0) if shape.at else (x, y)
            runs = [_placed(run, u, v, scale) for run in shape.runs]
            dash = tuple(scale * part for part in shape.dash)
            yield replace(shape, runs=runs, at=_placed(shape.at, x, y, scale), dash=dash, **lengths)
        else:
            yield replace(shape, x=x + scale * shape.x, y=y + scale * shape.y, **lengths)


def _placed(run: Iterable[Point], x: float, y: float, scale: float) -> list[Point]:
    return [(x + scale * u, y + scale * v) for u, v in run]
