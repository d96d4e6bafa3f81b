"""The board on paper: cells, holes, frames, the names of levels, files and ranks; pictures of boards alone.

- A *hole* with cells all around is a pit, dark and with a shadow. Elsewhere the frame follows the cells.
- Glued edges of a *surface* are dashed and have arrows, as in textbooks: edges with the same number of
  arrowheads are glued so that these agree. On a Möbius strip and a Klein bottle two of them are opposite.
- *Hexagonal* cells have three shades; neighbours differ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.answers.puzzles import GOES_ON, Puzzle, Roesselsprung
from cavalcade.boards import Board
from cavalcade.draw.layout import UNIT, Layout, lay_out
from cavalcade.draw.shapes import Disc, Letters, Picture, Plate, Point, Polyline, Shape, tiles
from cavalcade.draw.styles import BLACK, WHITE, Style, level, mixed, style_of
from cavalcade.ground.errors import CavalcadeError, TooLargeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.words import validated

FINE = 1_000  # cells up to which each move is a shape of its own, with gaps, dots and badges
MOST = 250_000  # cells of a picture: about 7 MB of SVG, hexagons twice that


@dataclass
class Ground:
    """A board on paper, on which a picture is painted."""

    board: Board | MoveGraph
    layout: Layout
    style: Style
    labels: bool = True  # whether files and ranks, or the vertices of a plain graph, have their names

    @classmethod
    @validated
    def of(
        cls,
        board: Board | MoveGraph,
        style: Style,
        positions: ArrayLike | None = None,
        *,
        labels: bool = True,
        view: str = "flat",
    ) -> Ground:
        """The board in this style; `positions` and `view` as for `lay_out`.

        Raises:
            TooLargeError: it has more than `MOST` cells.
            CavalcadeError: as `lay_out`.
        """
        if board.size > MOST:
            larger = "only tours of squares may have more, as .png or .svg"
            raise TooLargeError(
                f"{board.title} has {board.size:,} cells, and pictures show at most {MOST:,}: {larger}"
            )
        return cls(board, lay_out(board, positions, labels=labels and style.board, view=view), style, labels)

    def below(self) -> list[Shape]:
        """Shapes painted first; none in space, where `cells` paints one level at a time."""
        if self.layout.space:
            return []
        if self.board.plain:
            edges = self.board.edges()
            shown = self.style.board and len(edges) <= 20_000
            return self.layout.lines(edges, "edges", self.style.shades[1], 0.07 * UNIT) if shown else []
        return [*(self.cells() + self._pits() + self.frames() if self.style.board else []), *self._around()]

    def above(self) -> list[Shape]:
        """Shapes painted over the moves: arrows of glued edges, names of vertices or levels."""
        if self.board.plain:
            return self._vertex_names() if self.labels else []
        if self.layout.space:
            return self._around()
        return self._arrows(self.board) if self.board.family.glued and self.style.board else []

    def picture(self, title: str, desc: str, shapes: list[Shape]) -> Picture:
        """These shapes on a sheet of the layout's size."""
        return Picture(title, desc, self.layout.width, self.layout.height, shapes, self.style.paper)

    def cells(self, only: int | None = None, opacity: float = 1.0) -> list[Shape]:
        """Tiles for the cells of the board, or of one level."""
        out: list[Shape] = []
        layout, style = self.layout, self.style
        selection = slice(None) if only is None else layout.panel_of == only
        centres, shades = layout.centres[selection].round(2), layout.shades[selection]
        lined = self.board.family.hexagonal or layout.space
        if layout.space:  # the front edges of the tiles, which are 0.14 units thick
            below = [(x, y + 0.14 * UNIT) for x, y in centres.tolist()]
            out.append(tiles("side", layout.outline, below, style.frame, opacity=opacity))
        for shade, fill in enumerate(style.shades):
            places = list(zip(*centres[shades == shade].T.tolist(), strict=True))
            if places:
                line = (style.frame, 0.5) if style.numbers else (fill, 0.3) if lined else ("", 0.0)
                out.append(tiles("cells", layout.outline, places, fill, *line, opacity=opacity))
        return out

    def all_levels(self) -> list[Shape]:
        """In space the cells of all levels, from the lowest up; elsewhere nothing, as `below` has them."""
        levels = range(len(self.layout.panels) if self.layout.space else 0)
        return [shape for k in levels for shape in self.cells(k)]

    def alone(self) -> list[Shape]:
        """The board without a tour, and a disc on each vertex of a plain graph.

        Raises:
            CavalcadeError: the style is `lines`, which shows no board.
        """
        look = self.style
        if not look.board:
            raise CavalcadeError("style 'lines' shows no board, and there is nothing else to draw")
        shapes = self.below() + self.all_levels()
        if self.board.plain:
            fills = [look.shades[0] if look.paper else WHITE] * self.board.size
            shapes += dots(self.layout.places(), fills, 0.3 * UNIT, look.text)
        return shapes + self.above()

    @property
    def ink(self) -> str:
        """The colour of numbers and signs on cells without discs."""
        return self.style.text if self.style.paper or self.board.plain else self.style.digits

    def of_level(self, panel: int) -> str:
        """The colour of a level; in black and white the colour of text."""
        return self.style.text if self.style.moves else level(panel / len(self.layout.panels))

    def _pits(self) -> list[Shape]:
        """Holes with cells all around; square ones have a shadow from above and from the left."""
        pits, hole = self.layout.pits, self.style.hole
        if not pits:
            return []
        out: list[Shape] = [tiles("hole", self.layout.outline, pits, hole)]
        if len(self.layout.outline) == 4:
            pit_corners = {(round(x, 1), round(y, 1)) for x, y in pits}
            dark, deep, u = mixed(hole, BLACK, 0.75), 0.16 * UNIT, UNIT / 2
            for i, j, edge in (
                (0, -UNIT, [(-u, -u), (u, -u), (u, deep - u), (-u, deep - u)]),
                (-UNIT, 0, [(-u, -u), (deep - u, -u), (deep - u, u), (-u, u)]),
            ):
                lit = [(x, y) for x, y in pits if (round(x + i, 1), round(y + j, 1)) not in pit_corners]
                out.append(tiles("shadow", edge, lit, dark))
        return out

    def _around(self) -> list[Shape]:
        """The names of levels, each on its colour, and the names of files and ranks."""
        out: list[Shape] = []
        layout = self.layout
        for k, panel in enumerate(layout.panels if len(layout.panels) > 1 else []):
            width = (0.35 + 0.3 * len(panel.name)) * UNIT
            x, y = (panel.x, panel.y - 0.85 * UNIT)
            if layout.space:
                x, y = panel.at(panel.rows / 2, 0)
                x, y = x - width - 0.9 * UNIT, y - 0.325 * UNIT - 0.3 * UNIT
            out.append(Plate("level", x, y, width, 0.65 * UNIT, 0.2 * UNIT, self.of_level(k)))
            out.append(Letters("name", x + width / 2, y + 0.325 * UNIT, panel.name, 0.5 * UNIT, WHITE))
        if self.labels and self.style.board:
            out += [replace(label, fill=self.style.text) for label in layout.labels]
        return out

    def frames(self) -> list[Shape]:
        """A frame around each face of each level; edges that are glued to others are dashed."""
        family, ink = self.board.family, self.style.frame
        if family.hexagonal:
            return []
        if self.board.mask is not None and not family.wraps:
            return [Polyline("frame", self._borders(self.board.mask), ink, 1)]
        out: list[Shape] = []
        for panel, (row, column, rows, columns) in product(self.layout.panels, family.faces):
            corners = [
                panel.at(row + i * rows, column + j * columns) for i, j in ((0, 0), (0, 1), (1, 1), (1, 0))
            ]
            if not family.glued:
                out.append(Polyline("frame", [corners], ink, 1, closed=True))
                continue
            for side, edge in zip("0123", pairwise([*corners, corners[0]]), strict=True):
                dash = (3.0, 3.0) if side in family.glued else ()
                out.append(Polyline("frame", [edge], ink, 1, dash=dash))
        return out

    def _borders(self, mask: NDArray[np.bool_]) -> list[list[Point]]:
        """The sides of cells with no cell on the other side, joined where they are in line."""
        out: list[list[Point]] = []
        for panel, cells in zip(self.layout.panels, mask.reshape(-1, *mask.shape[-2:]), strict=True):
            for turned in (False, True):
                edge = np.diff(np.pad(cells.T if turned else cells, ((1, 1), (0, 0))).astype(int), axis=0)
                for i, row in enumerate(edge != 0):
                    ends = np.flatnonzero(np.diff(np.pad(row.astype(int), 1)))
                    out += [
                        [panel.at(end, i) if turned else panel.at(i, end) for end in run]
                        for run in ends.reshape(-1, 2).tolist()
                    ]
        return out

    def _arrows(self, board: Board) -> list[Shape]:
        """Arrowheads on glued edges: one on left and right, two above and below."""
        panel, family = self.layout.panels[0], board.family
        m, n = panel.rows, panel.columns
        edges = []
        if "1" in family.glued:
            edges += [(m / 2, 0.0, -1, 0, 1), (m / 2, n, 1 if getattr(family, "flips", False) else -1, 0, 1)]
        if "0" in family.glued:
            edges += [(0.0, n / 2, 0, 1, 2), (m, n / 2, 0, 1, 2)]
        half, back = 0.21, 0.4
        heads = []
        for row, column, i, j, count in edges:
            for k in range(count):
                along = 0.2 + 0.42 * (k - (count - 1) / 2)
                a, b = row + i * along, column + j * along
                c, d = a - i * back, b - j * back
                places = ((c + half * j, d + half * i), (a, b), (c - half * j, d - half * i))
                heads.append([panel.at(*place) for place in places])
        return [Polyline("glue", heads, self.style.shades[0], 0.05 * UNIT, self.style.text, closed=True)]

    def _vertex_names(self) -> list[Shape]:
        """The names of the vertices of a plain graph, a little outside."""
        out: list[Shape] = []
        centres = self.layout.centres if self.board.size <= FINE else self.layout.centres[:0]
        away = centres - np.array([self.layout.width, self.layout.height]) / 2
        away *= 0.75 * UNIT / np.maximum(np.hypot(*away.T), 1e-9)[:, None]
        for (x, y), name in zip((centres + away).tolist(), self.board.names, strict=False):
            out.append(Letters("vertex", x, y, name, 0.42 * UNIT, self.style.text))
        return out


def dots(
    centres: list[Point],
    fills: list[str],
    radius: float,
    stroke: str = "",
    role: str = "cell",
    first: int | None = None,
) -> list[Shape]:
    """Discs; with `first`, one appears with each step from there."""
    line = (stroke, 0.45 * radius) if stroke else ("", 0.0)
    return [
        Disc(role, x, y, radius, fill, *line, step=-1 if first is None else first + i)
        for i, ((x, y), fill) in enumerate(zip(centres, fills, strict=True))
    ]


def cross(x: float, y: float, radius: float) -> list[list[Point]]:
    """The runs of a cross about a place."""
    a, b, c, d = x - radius, x + radius, y - radius, y + radius
    return [[(a, c), (b, d)], [(a, d), (b, c)]]


# ---- boards alone


def board_picture(
    board: Board | MoveGraph, *, numbers: ArrayLike | None = None, style: str = "colour", **looks: Any
) -> Picture:
    """A picture of an empty board, or with an integer in every cell.

    Args:
        board: what is drawn.
        numbers: one integer per cell, for example its degree.
        style: one of `styles.STYLES` but `lines`.
        looks: `labels`, `view` and `positions`, as for `tour.tour_picture`.

    Raises:
        TooLargeError: the board has more than `MOST` cells.
        CavalcadeError: there is not one number per cell, or as for `tour.tour_picture`.
    """
    texts = [] if numbers is None else [str(number) for number in np.asarray(numbers).tolist()]
    if numbers is not None and len(texts) != board.size:
        raise CavalcadeError(
            f"{len(texts):,} numbers do not fit {board.title}, which has {board.size:,} cells"
        )
    ground = Ground.of(board, style_of(style), **looks)
    shapes, size = ground.alone(), text_size(*texts)
    for (x, y), text in zip(ground.layout.places() if texts else (), texts, strict=True):
        shapes.append(Letters("number", x, y, text, size, ground.ink))
    note = " There is a number or a text on each." if texts else ""
    return ground.picture(board.title, f"{board.title}: {board.size:,} cells.{note}", shapes)


@validated
def puzzle_picture(
    puzzle: Puzzle | Roesselsprung, *, style: str = "colour", labels: bool | None = None
) -> Picture:
    """A picture of a puzzle to be filled in or read.

    The first and the last cell are ringed where known; numbers of an order stand on discs.

    Args:
        puzzle: what is drawn.
        style: one of `styles.STYLES` but `lines`.
        labels: files and ranks; by default on a puzzle of numbers.

    Raises:
        TooLargeError: the board has more cells than pictures show.
        CavalcadeError: an unknown style.
    """
    board, n, look = puzzle.board, puzzle.board.size, style_of(style)
    shown = isinstance(puzzle, Puzzle) if labels is None else labels
    ground = Ground.of(board, look, labels=shown)
    shapes, centres, ink = ground.alone(), ground.layout.places(), ground.ink
    if isinstance(puzzle, Puzzle):
        title, ordered = puzzle.title(board.title), puzzle.ordered
        texts = [str(step or "") for step in puzzle.steps.tolist()]
        lengths = [len(str(n))] * n
        rings = [cell for step, cell in puzzle.given if step in {1, n} and not ordered]
        links, walls = puzzle.required, puzzle.forbidden
    else:
        title, ordered = f"Rösselsprung on {board.title}", False
        texts = [part.replace(GOES_ON, "-") for part in puzzle.on_cells]
        lengths = [len(text) for text in texts]
        rings, links, walls = sorted({puzzle.tour.start, puzzle.tour.end}), (), ()
    shapes += [Disc("ring", *centres[cell], 0.45 * UNIT, stroke=ink, width=0.05 * UNIT) for cell in rings]
    # A link is a dot in the middle of its move, a wall a bar across the middle.
    for a, b in links:
        (x, y), (u, v) = centres[a], centres[b]
        shapes.append(Disc("link", (x + u) / 2, (y + v) / 2, 0.12 * UNIT, fill=ink))
    bars = []
    for a, b in walls:
        (x, y), (u, v) = centres[a], centres[b]
        half = 0.48 * UNIT / math.hypot(u - x, v - y)
        across = ((y - v) * half, (u - x) * half)
        bars.append([((x + u) / 2 + sign * across[0], (y + v) / 2 + sign * across[1]) for sign in (-1, 1)])
    shapes += [Polyline("walls", bars, stroke=ink, width=0.12 * UNIT)] if bars else []
    for (x, y), text, length in zip(centres, texts, lengths, strict=True):
        if text and ordered:
            shapes.append(Disc("ring", x, y, 0.3 * UNIT, look.digits, look.disc, 0.05 * UNIT))
            shapes.append(Letters("number", x, y, text, text_size(text, width=0.9), look.disc))
        elif text:
            # A cell is as wide as 1.5 letters of full height, and short texts need not be higher.
            shapes.append(Letters("number", x, y, text, UNIT * min(0.38, 1.5 / (length + 1)), ink))
    desc = f"{board.title}: {n:,} cells. There is a number or a text on each."
    return ground.picture(f"{title}, {puzzle.piece.spec}", desc, shapes)


def text_size(*texts: str, width: float = 1.0) -> float:
    """The size at which the longest of some numbers fits into a part of its cell of this width."""
    return UNIT * min(0.36, width / max(2, *map(len, ("", *texts))))
