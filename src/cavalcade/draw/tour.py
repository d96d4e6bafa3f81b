"""Pictures of tours.

A tour is one line. The colours of a closed tour go once round the colour wheel, the colours of an open tour
from blue to yellow. The first cell has a ring, the last of an open tour a disc, and an arrowhead shows the
direction. A stuck walk ends in a cross, and small circles mark unvisited cells.

- *Levels* lie side by side. A move to another level is two stubs: it leaves with a filled badge that gives
  the level it moves to, and arrives with an empty badge that gives the level it came from. Every level has a
  colour. In space, moves between levels are lines.
- On a *surface* a move over an edge leaves the board and comes back at the edge glued to it.
- The vertices of a *plain graph* lie on a circle, or at given positions.

Above `board.FINE` cells only the line is drawn, above `board.MOST` a pixel for each cell: `pixels`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from cavalcade.answers.tours import Tour
from cavalcade.draw.board import Ground, cross, dots, text_size
from cavalcade.draw.layout import UNIT
from cavalcade.draw.line import TourLine
from cavalcade.draw.shapes import Disc, Letters, Picture, Plate, Polyline, Shape, tiles
from cavalcade.draw.sheet import LegendEntry, with_legend
from cavalcade.draw.styles import WHITE, colour_of, style_of
from cavalcade.ground.kernels import Ints
from cavalcade.question.words import validated


@validated
def tour_picture(
    tour: Tour,
    *,
    style: str = "colour",
    numbers: bool | None = None,
    labels: bool = True,
    colour: str | None = None,
    thin: bool | None = None,
    arrows: bool | None = None,
    legend: bool = False,
    view: str = "flat",
    positions: ArrayLike | None = None,
) -> Picture:
    """A picture of a tour, complete or partial.

    Args:
        tour: what is drawn.
        style: one of `styles.STYLES`.
        numbers: write the steps into the cells; by default only `numbers` does.
        labels: files and ranks, or the names of the vertices of a plain graph.
        colour: one colour for the whole line.
        thin: lines half as wide, without dots and gaps; by default only in the style `lines`.
        arrows: an arrowhead on every move, or on none; by default on the first, except in `lines`.
        legend: add a legend below.
        view: `flat`, or `space`: the levels of a box one above another.
        positions: of the vertices of a plain graph, (x, y) with y upwards.

    Raises:
        TooLargeError: the board has more than `board.MOST` cells.
        CavalcadeError: an unknown style, colour or view, or a view that the board does not have.
    """
    board, look = tour.board, style_of(style)
    ground = Ground.of(board, look, positions, labels=labels, view=view)
    numbers = look.numbers if numbers is None else numbers
    thin = not look.board if thin is None else thin
    line = TourLine(tour, ground, colour_of(colour) if colour else "", numbers, thin)
    shapes = ground.below() + _unvisited(line)
    shapes += line.moves() if look.line else ground.all_levels()
    if look.line and (look.board if arrows is None else arrows):
        shapes += line.arrows(all_=bool(arrows))
    shapes += ground.above()
    shapes += _numbers(line) if line.numbers else _marks(line)
    if look.line:
        shapes += line.badges()
    who = "" if board.plain else f", {tour.piece.spec}"
    end = f", stuck on {board.name(tour.end)}" if line.stuck else ""
    title = tour.title(board.title) + who + end
    picture = ground.picture(title, _told(tour), shapes)
    picture.route = ground.layout.places(tour.cells, 1)
    if tour.closed and len(tour) > 1:
        picture.route.append(picture.route[0])
    return with_legend(picture, _entries(line), look, label=title) if legend else picture


def remaining_picture(walk: Tour, remaining: Sequence[Ints], *, style: str = "colour") -> Picture:
    """A picture that moves: the walk, and on each free cell the number of its remaining moves.

    The number changes when the walk visits a neighbour. A visited cell shows its step instead.

    Args:
        walk: the walk.
        remaining: for each step, the number of remaining moves of each cell.
        style: one of `styles.STYLES`.

    Raises:
        TooLargeError: the board has more than `board.MOST` cells.
        CavalcadeError: an unknown style.
    """
    look = style_of(style)
    picture = tour_picture(walk, style=style, numbers=True)
    centres = Ground.of(walk.board, look, labels=True).layout.centres
    steps = np.where(walk.steps > 0, walk.steps, len(walk) + 1)
    shown = np.full(walk.board.size, -1, dtype=np.int64)
    numbers: list[Shape] = []
    for step, moves in enumerate(remaining):
        free = steps > step + 1
        for cell in np.flatnonzero(free & (moves != shown)).tolist():
            x, y = centres[cell].tolist()
            # The disc covers the number before.
            numbers.append(Disc("remaining", x, y, 0.24 * UNIT, look.disc, step=step))
            numbers.append(Letters("moves", x, y, str(moves[cell]), 0.34 * UNIT, look.alarm, step=step))
        shown = np.where(free, moves, shown)
    first = next(i for i, shape in enumerate(picture.shapes) if shape.role == "step")
    shapes = [*picture.shapes[:first], *numbers, *picture.shapes[first:]]
    desc = f"{picture.desc} Free cells show their remaining moves."
    return replace(picture, title=f"{picture.title}, with remaining moves", desc=desc, shapes=shapes)


# ---- the cells


def _unvisited(line: TourLine) -> list[Shape]:
    """Marks on unvisited cells."""
    unvisited = np.flatnonzero(line.tour.steps == 0)
    if not len(unvisited) or not len(line.tour):
        return []
    centres, alarm = line.layout.places(unvisited), line.style.alarm
    if line.fine:
        return [Disc("unvisited", x, y, 0.13 * UNIT, "", alarm, 0.04 * UNIT) for x, y in centres]
    outline = line.layout.outline or [(-4, 0), (0, 4), (4, 0), (0, -4)]
    return [tiles("unvisited", outline, centres, alarm, opacity=0.5)]


def _numbers(line: TourLine) -> list[Shape]:
    """The steps on their cells; the first and the last filled, on the cross of a stuck walk."""
    tour, layout, look = line.tour, line.layout, line.style
    texts = [str(i + 1) for i in range(len(tour))]
    many = max((len(panel.name) for panel in layout.panels), default=0) > 2
    radius = (0.34 if len(layout.panels) == 1 or layout.space else 0.22 if many else 0.28) * UNIT
    height = text_size(*texts) * (radius / (0.34 * UNIT) if look.line else 0.9 if layout.space else 1.25)
    filled = {0} if tour.closed else {0, len(tour) - 1}
    out = _cross(line, 0.36 * UNIT)
    for i, ((x, y), text) in enumerate(zip(layout.centres[tour.cells].tolist(), texts, strict=True)):
        write = look.digits
        if look.line:
            fill = line.ink(i) if i in filled else look.disc
            write = look.disc if i in filled else look.digits
            out.append(Disc("step", x, y, radius, fill, line.ink(i), 0.05 * UNIT, step=i))
        out.append(Letters("number", x, y, text, height, write, step=i))
    return out


def _marks(line: TourLine) -> list[Shape]:
    """Dots on cells, the first a ring, the last of an open tour a disc, of a stuck walk a cross."""
    tour, layout = line.tour, line.layout
    if not len(tour):
        return []
    centres = layout.places(tour.cells)
    last = len(tour) - 1
    out: list[Shape] = []
    if line.fine and not line.thin:
        out += dots(centres, [line.ink(i) for i in range(len(tour))], 0.95 * line.width, first=0)
    radius = max((0.14 if line.thin else 0.2) * UNIT, max(layout.width, layout.height) / 150)
    if len(tour) > 1 and not tour.closed and not line.stuck:
        out += dots(centres[-1:], [line.ink(last)], radius, line.style.disc, "end", last)
    if line.style.board or not tour.closed:
        out += dots(centres[:1], [line.style.disc], radius, line.ink(0), "start", 0)
    return out + _cross(line, radius * 1.2)


def _cross(line: TourLine, radius: float) -> list[Shape]:
    """Where a walk is stuck."""
    if not line.stuck:
        return []
    x, y = line.layout.centres[line.tour.end].tolist()
    last = len(line.tour) - 1
    return [
        Polyline("stuck", cross(x, y, radius), ink, wide * radius, step=last)
        for ink, wide in ((line.style.casing, 0.75), (line.style.alarm, 0.4))
    ]


# ---- words


def _told(tour: Tour) -> str:
    """The tour in words, for screen readers."""
    board = tour.board
    if not len(tour):
        return f"The board {board.title} without a visited cell."
    names = tour.names
    if len(tour) > 100:  # cells up to which all are named, as on 10x10
        return (
            f"It starts at {names[0]} and ends at {names[-1]}, after {len(tour):,} cells of {board.size:,}."
        )
    closes = " and back" if tour.closed else ""
    count = board.size - len(tour)
    rest = f" {count:,} cells are not visited." if count > 1 else " One cell is not visited." if count else ""
    return f"From cell to cell: {', '.join(names)}{closes}.{rest}"


def _entries(line: TourLine) -> list[LegendEntry]:
    """The legend."""
    tour, u, look = line.tour, UNIT, line.style
    if not len(tour):
        return []
    name, centre, last = tour.board.name, [(0.7 * u, 0.0)], line.ink(len(tour) - 1)
    ring = dots(centre, [look.disc], 0.2 * u, line.ink(0), "key")
    out = [LegendEntry(ring, f"first cell, {name(tour.start)}")]
    if line.stuck:
        sign = Polyline("key", cross(*centre[0], 0.2 * u), look.alarm, 0.09 * u)
        out.append(LegendEntry([sign], f"stuck on {name(tour.end)}"))
    elif not tour.closed:
        disc = dots(centre, [last], 0.2 * u, look.disc, "key")
        out.append(LegendEntry(disc, f"last cell, {name(tour.end)}"))
    if len(tour) < tour.board.size:
        circle = Disc("key", *centre[0], 0.13 * u, "", look.alarm, 0.04 * u)
        out.append(LegendEntry([circle], f"not visited ({tour.board.size - len(tour):,})"))
    if look.line and len(line.colours) > 1:
        segments = 12
        places = [(1.4 * u * i / segments, 0.0) for i in range(segments + 1)]
        parts = [
            Polyline("key", [run], line.ink(len(tour) * i // segments), 0.12 * u)
            for i, run in enumerate(pairwise(places))
        ]
        out.append(LegendEntry(parts, f"steps 1 to {len(tour):,}"))
    if line.badges():
        plates = [
            Plate("key", x * u, -0.25 * u, 0.5 * u, 0.5 * u, 0.25 * u, fill, look.text, 0.03 * u)
            for x, fill in ((0.1, look.text), (0.8, WHITE))
        ]
        out.append(LegendEntry(plates, "to that level; from that level"))
    return out
