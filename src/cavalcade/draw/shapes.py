"""A picture as a list of plain shapes, first painted first: what every writer of pictures turns out.

Lengths are in the units of `layout`, 20 to the side of a square; x runs to the right and y down. Colours are
`#rrggbb`, and "" is none. A shape has a *role*, as `move` or `cells`; in a moving picture it is shown from
its `step` on, 0 being the first cell; -1 is always.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Polyline:
    """Runs of straight lines; closed ones are polygons."""

    role: str
    runs: Sequence[Sequence[Point]]
    stroke: str = ""
    width: float = 0.0
    fill: str = ""
    closed: bool = False
    dash: tuple[float, ...] = ()
    step: float = -1


@dataclass(frozen=True, slots=True)
class Tiles:
    """One polygon at many places."""

    role: str
    outline: Sequence[Point]
    at: Sequence[Point]
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    opacity: float = 1.0


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
    """A rectangle with round corners; `note` is what a pointer over it is told."""

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
    fill: str
    anchor: str = "middle"
    upwards: bool = False
    step: float = -1


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes moved to a place, and made smaller there; the same shapes may stand in many places."""

    shapes: tuple[Shape, ...]
    x: float
    y: float
    scale: float = 1.0


Plain: TypeAlias = Polyline | Tiles | Disc | Plate | Letters
Shape: TypeAlias = Plain | Group


@dataclass
class Picture:
    """Shapes on a sheet, with what a screen reader says of them.

    Args:
        title: what it shows, in a line.
        desc: the same in sentences.
        width: of the sheet.
        height: of the sheet.
        shapes: what is painted.
        paper: the colour of the sheet; "" lets the page show through.
        route: of a moving picture, where the piece is on each step.
    """

    title: str
    desc: str
    width: float
    height: float
    shapes: list[Shape]
    paper: str = ""
    route: list[Point] = field(default_factory=list)

    def scale(self, size: int | None, *, full: float, nice: float, tall: float) -> float:
        """Pixels a unit: as `nice` and a longer side of `full` pixels allow, but numbers are legible.

        Args:
            size: the longer side in pixels; it overrules the others.
            full: pixels of the longer side.
            nice: pixels a unit at most.
            tall: pixels of a digit's height at least.
        """
        longer = max(math.ceil(self.width), math.ceil(self.height))
        if size is not None:
            return size / longer
        small = self.smallest
        return max(min(nice, full / longer), 120 / longer, tall / (0.7 * small) if small else 0)

    @property
    def smallest(self) -> float:
        """The size of the smallest numbers in cells, 0 where there are none."""
        sizes = [one.size for one in every(self.shapes) if isinstance(one, Letters) and one.role == "number"]
        return min(sizes, default=0.0)

    def until(self, step: float) -> Picture:
        """What is shown on a step of a moving picture."""
        return replace(self, shapes=_until(self.shapes, step))


def _until(shapes: Iterable[Shape], step: float) -> list[Shape]:
    return [
        replace(one, shapes=tuple(_until(one.shapes, step))) if isinstance(one, Group) else one
        for one in shapes
        if isinstance(one, Group | Tiles) or one.step <= step
    ]


def every(shapes: Iterable[Shape]) -> Iterator[Plain]:
    """The shapes, those in groups too."""
    for one in shapes:
        if isinstance(one, Group):
            yield from every(one.shapes)
        else:
            yield one


def flat(shapes: Iterable[Shape], x: float = 0.0, y: float = 0.0, scale: float = 1.0) -> Iterator[Plain]:
    """The shapes without groups, moved and scaled."""
    for one in shapes:
        if isinstance(one, Group):
            yield from flat(one.shapes, x + scale * one.x, y + scale * one.y, scale * one.scale)
        elif isinstance(one, Polyline):
            runs = [_placed(run, x, y, scale) for run in one.runs]
            dash = tuple(scale * part for part in one.dash)
            yield replace(one, runs=runs, width=scale * one.width, dash=dash)
        elif isinstance(one, Tiles):
            outline, at = _placed(one.outline, 0, 0, scale), _placed(one.at, x, y, scale)
            yield replace(one, outline=outline, at=at, width=scale * one.width)
        else:
            [(u, v)] = _placed([(one.x, one.y)], x, y, scale)
            if isinstance(one, Letters):
                yield replace(one, x=u, y=v, size=scale * one.size)
            elif isinstance(one, Disc):
                yield replace(one, x=u, y=v, r=scale * one.r, width=scale * one.width)
            else:
                size, width = (scale * one.wide, scale * one.high, scale * one.radius), scale * one.width
                yield replace(one, x=u, y=v, wide=size[0], high=size[1], radius=size[2], width=width)


def _placed(run: Iterable[Point], x: float, y: float, scale: float) -> list[Point]:
    return [(x + scale * u, y + scale * v) for u, v in run]
