"""Pictures of tours and of boards.

A tour is one line whose colour runs once around the wheel, so that a closed tour ends in the colour it began
with; that of an open one from blue to yellow. The first cell is a ring, the last of an open tour a disc, and
an arrowhead shows the direction. Where a walk can go nowhere it ends in a cross; cells that it did not visit
are small circles.

- *Levels* lie side by side. A move to another level leaves its cell as a stub towards the place where it
  lands, with a filled badge naming the level; there it arrives as a stub with an empty badge naming the
  level it came from. Every level has its colour. In space, moves between levels are lines.
- On a *surface* a move over the edge leaves the board, and comes in where that edge is glued on.
- A *plain graph* is a circle of its vertices, or they stand at given positions.

Above `ground.FINE` cells only the line is drawn. Boards of more than `ground.MOST` cells are not drawn: there
would be nothing to see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.draw.ground import above, assert_size, cells, dots, ground, vertex_names
from cavalcade.draw.layout import UNIT, Layout, lay_out
from cavalcade.draw.legend import LegendEntry, with_legend
from cavalcade.draw.line import TourLine
from cavalcade.draw.shapes import Disc, Letters, Picture, Plate, Polyline, Shape, tiles
from cavalcade.draw.styles import colour_of, style_of
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import move_graph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board

TOLD = 100  # cells of a tour that a screen reader is told one by one


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
        labels: files and ranks; on a plain graph the names of the vertices.
        colour: one colour for the whole line instead of the style's.
        thin: lines half as wide, without dots, none passing over others; by default only `lines` is so.
        arrows: an arrowhead on every move, True, or on none, False; by default on the first, but for `lines`.
        legend: say below what is what.
        view: `flat`, or `space`: the levels of a box one above another.
        positions: where the vertices of a plain graph stand, (x, y) with y upwards.

    Raises:
        TooLargeError: the board has more than `ground.MOST` cells.
        CavalcadeError: an unknown style, colour or view, or a view that this board has not.
    """
    board, look = tour.board, style_of(style)
    assert_size(board)
    layout = lay_out(board, positions, labels=labels and look.board, view=view)
    numbered = look.numbers if numbers is None else numbers
    line = TourLine(
        tour,
        layout,
        look,
        colour_of(colour) if colour else "",
        numbered,
        not look.board if thin is None else thin,
    )
    stuck = _is_stuck(tour)
    shapes = ground(board, layout, look, labels=labels)
    shapes += _unvisited(line)
    if look.line:
        shapes += line.moves()
    elif layout.space and not isinstance(board, MoveGraph):
        shapes += [one for k in range(len(layout.panels)) for one in cells(board, layout, look, k)]
    if look.line and (look.board if arrows is None else arrows):
        shapes += line.arrows(all_=bool(arrows))
    shapes += above(board, layout, look, labels=labels)
    if numbered:
        shapes += [*(_cross(line, 0.44 * UNIT) if stuck else []), *_numbers(line)]
    else:
        shapes += _marks(line, stuck=stuck)
    if isinstance(board, MoveGraph) and labels:
        shapes += vertex_names(board, layout, look)
    if look.line:
        shapes += line.badges()
    who = "" if isinstance(board, MoveGraph) else f", {tour.piece.spec}"
    end = f", stuck on {board.name(tour.end)}" if stuck else ""
    title = tour.title(board.title) + who + end
    route = [(float(x), float(y)) for x, y in layout.centres[tour.cells].round(1).tolist()]
    if tour.closed and len(tour) > 1:
        route.append(route[0])
    picture = Picture(title, _told(tour), layout.width, layout.height, shapes, look.paper, route)
    return with_legend(picture, _entries(line, stuck=stuck), look, label=title) if legend else picture


def board_picture(
    board: Board | MoveGraph,
    *,
    numbers: ArrayLike | None = None,
    style: str = "colour",
    labels: bool = True,
    view: str = "flat",
    positions: ArrayLike | None = None,
) -> Picture:
    """A picture of an empty board, or with an integer in every cell.

    Args:
        board: what is drawn.
        numbers: one integer a cell, for example its degree.
        style: as for `tour_picture`, and so are `labels`, `view` and `positions`.
        labels: files and ranks.
        view: flat or space.
        positions: of the vertices of a plain graph.

    Raises:
        TooLargeError: the board has more than `ground.MOST` cells.
        CavalcadeError: there is not one number a cell, or as for `tour_picture`.
    """
    texts = [] if numbers is None else [str(number) for number in np.asarray(numbers).tolist()]
    if numbers is not None and len(texts) != board.size:
        raise CavalcadeError(
            f"{len(texts):,} numbers do not fit {board.title}, which has {board.size:,} cells"
        )
    heights = [text_size(texts)] * len(texts)
    return texts_picture(board, texts, heights, style=style, labels=labels, view=view, positions=positions)


def texts_picture(
    board: Board | MoveGraph,
    texts: Sequence[str],
    heights: Sequence[float],
    *,
    rings: Sequence[int] = (),
    title: str = "",
    style: str = "colour",
    labels: bool = True,
    view: str = "flat",
    positions: ArrayLike | None = None,
) -> Picture:
    """A picture of a board with a text in every cell.

    Args:
        board: what is drawn.
        texts: one a cell, or none at all.
        heights: of the letters of each.
        rings: cells with a ring.
        title: of the picture, by default the board's.
        style: as for `board_picture`, and so are the others.
        labels: files and ranks.
        view: flat or space.
        positions: of the vertices of a plain graph.

    Raises:
        TooLargeError: the board has more than `ground.MOST` cells.
        CavalcadeError: as for `tour_picture`.
    """
    look = style_of(style)
    if not look.board:
        raise CavalcadeError(f"style {style!r} shows no board, and there is nothing else to draw")
    assert_size(board)
    layout = lay_out(board, positions, labels=labels, view=view)
    shapes = ground(board, layout, look, labels=labels)
    if isinstance(board, MoveGraph):
        fill = look.shades[0] if look.paper else "#ffffff"
        shapes += dots(_points(layout), [fill] * board.size, 0.3 * UNIT, look.text)
        if labels:
            shapes += vertex_names(board, layout, look)
    elif layout.space:
        shapes += [one for k in range(len(layout.panels)) for one in cells(board, layout, look, k)]
    shapes += above(board, layout, look, labels=labels)
    at = _points(layout)
    ink = look.text if look.paper or isinstance(board, MoveGraph) else look.digits
    shapes += [Disc("ring", *at[cell], 0.45 * UNIT, stroke=ink, width=0.05 * UNIT) for cell in rings]
    shapes += [
        Letters("number", x, y, text, height, ink)
        for (x, y), text, height in zip(at, texts, heights, strict=False)
        if text
    ]
    desc = f"{board.title}: {board.size:,} cells." + (
        " There is a number or a text on each." if texts else ""
    )
    return Picture(title or board.title, desc, layout.width, layout.height, shapes, look.paper)


def text_size(texts: list[str]) -> float:
    """The size at which the longest of some numbers fits into a cell."""
    return UNIT * min(0.36, 1.0 / max(2, *map(len, ["", *texts])))


def _points(layout: Layout) -> list[tuple[float, float]]:
    return [(x, y) for x, y in layout.centres.round(2).tolist()]


# ---- the cells


def _is_stuck(tour: Tour) -> bool:
    """Whether a walk ends before the board is full, where no move leads to a new cell."""
    if not len(tour) or len(tour) >= tour.board.size or tour.closed:
        return False
    graph = tour.board if isinstance(tour.board, MoveGraph) else move_graph(tour.board, tour.piece)
    return bool((tour.steps[graph.neighbours(tour.end)] > 0).all())


def _unvisited(line: TourLine) -> list[Shape]:
    """The cells that a walk did not visit."""
    tour = line.tour
    left = np.flatnonzero(tour.steps == 0)
    if not len(left) or not len(tour):
        return []
    at = [(x, y) for x, y in line.layout.centres[left].round(2).tolist()]
    if line.fine:
        return [Disc("unvisited", x, y, 0.13 * UNIT, "", line.style.alarm, 0.04 * UNIT) for x, y in at]
    fill = line.style.alarm
    return [
        tiles("unvisited", line.layout.outline or [(-4, 0), (0, 4), (4, 0), (0, -4)], at, fill, opacity=0.5)
    ]


def _numbers(line: TourLine) -> list[Shape]:
    """The steps on their cells; the first and the last filled."""
    tour, layout, look = line.tour, line.layout, line.style
    texts = [str(i + 1) for i in range(len(tour))]
    many = max((len(panel.name) for panel in layout.panels), default=0) > 2
    radius = (0.34 if len(layout.panels) == 1 or layout.space else 0.22 if many else 0.28) * UNIT
    height = text_size(texts) * (radius / (0.34 * UNIT) if look.line else 0.9 if layout.space else 1.25)
    filled = {0} if tour.closed else {0, len(tour) - 1}
    out: list[Shape] = []
    for i, ((x, y), text) in enumerate(zip(layout.centres[tour.cells].tolist(), texts, strict=True)):
        write = look.digits
        if look.line:
            fill = line.ink(i) if i in filled else look.disc
            write = look.disc if i in filled else look.digits
            out.append(Disc("step", x, y, radius, fill, line.ink(i), 0.05 * UNIT, step=i))
        out.append(Letters("number", x, y, text, height, write, step=i))
    return out


def _marks(line: TourLine, *, stuck: bool) -> list[Shape]:
    """Dots on cells, the first a ring, the last of an open tour a disc, of a stuck walk a cross."""
    tour, layout = line.tour, line.layout
    if not len(tour):
        return []
    at = [(x, y) for x, y in layout.centres[tour.cells].round(2).tolist()]
    last = len(tour) - 1
    out: list[Shape] = []
    if line.fine and not line.thin:
        out += dots(at, [line.ink(i) for i in range(len(tour))], 0.95 * line.width, first=0)
    radius = max((0.14 if line.thin else 0.2) * UNIT, max(layout.width, layout.height) / 150)
    if len(tour) > 1 and not tour.closed and not stuck:
        out += dots(at[-1:], [line.ink(last)], radius, line.style.disc, "end", last)
    if line.style.board or not tour.closed:
        out += dots(at[:1], [line.style.disc], radius, line.ink(0), "start", 0)
    if stuck:
        out += _cross(line, radius * 1.2)
    return out


def _cross(line: TourLine, radius: float) -> list[Shape]:
    """Where a walk is stuck."""
    x, y = line.layout.centres[line.tour.end].tolist()
    runs = [
        [(x - radius, y - radius), (x + radius, y + radius)],
        [(x - radius, y + radius), (x + radius, y - radius)],
    ]
    last = len(line.tour) - 1
    return [
        Polyline("stuck", runs, line.style.casing, 0.75 * radius, step=last),
        Polyline("stuck", runs, line.style.alarm, 0.4 * radius, step=last),
    ]


# ---- words


def _told(tour: Tour) -> str:
    """The tour in words, for those who do not see it."""
    board = tour.board
    if not len(tour):
        return f"The board {board.title}, and no cell is visited."
    names = tour.names
    if len(tour) > TOLD:
        return (
            f"It begins on {names[0]} and ends on {names[-1]}, after {len(tour):,} cells of {board.size:,}."
        )
    closes = " and back" if tour.closed else ""
    count = board.size - len(tour)
    left = f" {count:,} cells are not visited." if count > 1 else " One cell is not visited." if count else ""
    return f"From cell to cell: {', '.join(names)}{closes}.{left}"


def _entries(line: TourLine, *, stuck: bool) -> list[LegendEntry]:
    """What a legend says."""
    tour, u, look = line.tour, UNIT, line.style
    if not len(tour):
        return []
    name = tour.board.name
    ring = Disc("key", 0.7 * u, 0, 0.2 * u, look.disc, line.ink(0), 0.09 * u)
    out = [LegendEntry((ring,), f"first cell, {name(tour.start)}")]
    last = line.ink(len(tour) - 1)
    if stuck:
        runs = [[(0.45 * u, -0.2 * u), (0.95 * u, 0.2 * u)], [(0.45 * u, 0.2 * u), (0.95 * u, -0.2 * u)]]
        out.append(LegendEntry((Polyline("key", runs, look.alarm, 0.09 * u),), f"stuck on {name(tour.end)}"))
    elif not tour.closed:
        out.append(
            LegendEntry(
                (Disc("key", 0.7 * u, 0, 0.2 * u, last, look.disc, 0.09 * u),), f"last cell, {name(tour.end)}"
            )
        )
    if len(tour) < tour.board.size:
        key = Disc("key", 0.7 * u, 0, 0.13 * u, "", look.alarm, 0.04 * u)
        out.append(LegendEntry((key,), f"not visited ({tour.board.size - len(tour):,})"))
    if look.line and len(line.colours) > 1:
        parts = 12
        shapes = tuple(
            Polyline(
                "key",
                [[(1.4 * u * i / parts, 0), (1.4 * u * (i + 1) / parts, 0)]],
                line.ink(len(tour) * i // parts),
                0.12 * u,
            )
            for i in range(parts)
        )
        out.append(LegendEntry(shapes, f"steps 1 to {len(tour):,}"))
    if line.badges():
        plates = (
            Plate("key", 0.1 * u, -0.25 * u, 0.5 * u, 0.5 * u, 0.25 * u, look.text, look.text, 0.03 * u),
            Plate("key", 0.8 * u, -0.25 * u, 0.5 * u, 0.5 * u, 0.25 * u, "#ffffff", look.text, 0.03 * u),
        )
        out.append(LegendEntry(plates, "to that level; from that level"))
    return out
