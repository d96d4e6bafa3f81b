"""Pictures of proofs: the cells that a proof names, each with the sign of its role, and the proof in words.

- Moves that every tour uses are dark lines; moves that no tour uses are dashed.
- A square with a cross is a cell of the contradiction: a removed cell of a cut, a member of a set with too
  few neighbours, or a cell of the larger of two colours.
- A blue disc is a neighbour of such a set, a cell of the smaller colour, or a cell alone after a cut. Discs
  of other colours, with numbers, are the other parts, except a large last one.
- A ring is a cell whose moves are counted on the way.
- Discs mark the cells that a SAT proof is about, if not all. On boards of more than 1,000 cells the picture
  shows only their surroundings, and names them.

Cases are not drawn, except their first move, a line in the colour of the squares. Vertices that an open tour
adds to the board are not drawn.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import SatProof, StepProof
from cavalcade.checking.certificates import closed_graph, take
from cavalcade.checking.present import FORCED, OUT, PresentGraph
from cavalcade.checking.rules import meanings, roles
from cavalcade.checking.sentences import sentences
from cavalcade.draw.ground import FINE, above, assert_size, cross, ground
from cavalcade.draw.layout import UNIT, Layout, lay_out
from cavalcade.draw.legend import LegendEntry, with_legend
from cavalcade.draw.shapes import Disc, Letters, Picture, Plate, Polyline, Shape
from cavalcade.draw.styles import BLUE, ORANGE, PARTS, YELLOW, style_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cavalcade.answers.certificate import Certificate, PositionProof, Step
    from cavalcade.draw.styles import Style

WORDS = 700  # letters of a proof that appear below its picture
DASH: tuple[float, ...] = (2.5, 2.5)  # of moves that no tour uses


def proof_picture(
    certificate: Certificate,
    *,
    style: str = "colour",
    labels: bool = True,
    legend: bool = True,
    words: bool = True,
    positions: ArrayLike | None = None,
) -> Picture:
    """A picture of the cells that a proof by steps names, or of the cells that a SAT proof is about.

    Args:
        certificate: one that `verify` accepts.
        style: one of `styles.STYLES`; in black and white, only numbers distinguish the parts.
        labels: files and ranks, or the names of the vertices of a plain graph.
        legend: add a legend and the proof in words below.
        words: with False only the legend.
        positions: of the vertices of a plain graph, (x, y) with y upwards.

    Raises:
        TooLargeError: the board is too large to be drawn.
        CavalcadeError: an unknown style.
    """
    board, look, proof = certificate.question.board, style_of(style), certificate.proof
    alone = [] if isinstance(proof, StepProof) else _alone(proof, board.size)
    near = bool(alone) and board.size > FINE and not board.plain
    if not near:
        assert_size(board)
    layout = lay_out(board, positions, labels=labels)
    if near:
        layout = _near(layout, alone)
    shapes = ground(board, layout, look._replace(board=True), labels=labels)
    entries: list[LegendEntry] = []
    if isinstance(proof, StepProof):
        drawn = _Drawn(certificate, layout, look)
        shapes += drawn.shapes(proof.steps)
        entries = drawn.entries()
    elif alone:
        size = (0.45 if near else 0.27) * UNIT
        centres = layout.centres[: len(alone)] if near else layout.centres[alone]
        for (x, y), cell in zip(centres.tolist(), alone, strict=True):
            shapes.append(Disc("named", x, y, size, look.alarm))
            if near and labels:
                shapes.append(Letters("part", x, y, certificate.name(cell), 0.3 * UNIT, look.shades[0]))
        disc = Disc("key", 0.9 * UNIT, 0, 0.27 * UNIT, look.alarm)
        entries = [LegendEntry((disc,), "the cells that the proof is about")]
    shapes += above(board, layout, look, labels=labels)
    title = f"why there is {certificate.claim}"
    said = " ".join(sentences(certificate))
    picture = Picture(title, said, layout.width, layout.height, shapes, look.paper)
    if not legend:
        return picture
    text = said if len(said) <= WORDS else said[: said.rfind(". ", 0, WORDS) + 1] + " ..."
    return with_legend(picture, entries, look, words=text if words else "")


def _alone(proof: SatProof | PositionProof, size: int) -> list[int]:
    """The cells that a SAT proof is about; none if it is about all."""
    cells = proof.cells if isinstance(proof, SatProof) else None
    return [cell for cell in cells or () if cell < size]


def _near(layout: Layout, cells: list[int]) -> Layout:
    """The part of a layout around these cells; they come first."""
    at = layout.centres[cells]
    low, high = at.min(axis=0) - 3 * UNIT, at.max(axis=0) + 3 * UNIT
    shown = ((layout.centres > low) & (layout.centres < high)).all(axis=1)
    shown[cells] = False
    kept = np.concatenate([np.array(cells, dtype=np.int64), np.flatnonzero(shown)])
    (x, y), (width, height) = low.tolist(), (high - low).tolist()
    inside = [(a - x, b - y) for a, b in layout.pits if 0 < a - x < width and 0 < b - y < height]
    return replace(
        layout,
        centres=layout.centres[kept] - low,
        shades=layout.shades[kept],
        panel_of=layout.panel_of[kept],
        panels=[replace(one, x=one.x - x, y=one.y - y) for one in layout.panels],
        width=width,
        height=height,
        labels=[],
        pits=inside,
    )


class _Drawn:
    """The signs and lines of the steps of one proof."""

    def __init__(self, certificate: Certificate, layout: Layout, style: Style) -> None:
        size, edges = closed_graph(certificate.question)
        self.present = PresentGraph(size, edges, certificate.name, certificate.question)
        self.cells = certificate.question.board.size
        self.layout, self.style = layout, style
        self.marks: dict[int, tuple[str, int]] = {}  # of a cell: its role, and its part
        self.rings: dict[int, None] = {}
        self.marked: list[int] = []  # moves of the contradiction
        self.rule = ""

    @property
    def inside(self) -> NDArray[np.bool_]:
        """The moves between cells of the board; contracting cells changes them."""
        return self.present.edges[:, 1] < self.cells

    def shapes(self, steps: tuple[Step, ...]) -> list[Shape]:
        """The lines, rings, squares and discs."""
        for step in steps:
            self.rule = step.rule
            self.show(roles(step, self.present))
            if not step.cases:
                take(self.present, step)
        edges, status = self.present.edges, self.present.status
        marked = np.isin(np.arange(len(edges)), self.marked)
        wide = UNIT * (0.12 if self.cells <= FINE else 0.2)
        alarm, text = self.style.alarm, self.style.text
        out: list[Shape] = []
        for some, role, stroke, width, dash in (
            (status == OUT, "out", alarm, 0.6 * wide, DASH),
            (status == FORCED, "forced", text, 1.4 * wide, ()),
            (marked, "marked", alarm, 1.4 * wide, ()),
        ):
            out += self.layout.lines(edges[some & self.inside], role, stroke, width, dash)
        for cell in [*(cell for cell in self.rings if cell not in self.marks), *self.marks]:
            if cell < self.cells:
                x, y = self.layout.centres[cell].tolist()
                out += self.sign(x, y, *self.marks.get(cell, ("counted", 0)))
        return out

    def sign(self, x: float, y: float, role: str, part: int, name: str = "named") -> list[Shape]:
        """The sign on a cell."""
        style, u = self.style, UNIT
        if role == "counted":
            return [Disc("ring", x, y, 0.2 * u, style.disc, style.text, 0.09 * u)]
        if role == "named":
            a = 0.29 * u
            return [
                Plate(name, x - a, y - a, 2 * a, 2 * a, 0.1 * u, style.alarm),
                Polyline("cross", cross(x, y, 0.13 * u), style.shades[0], 0.08 * u),
            ]
        if role == "beside":
            return [
                Disc(
                    name, x, y, 0.27 * u, "#ffffff" if style.moves else _beside(style), style.moves, 0.06 * u
                )
            ]
        plain = bool(style.moves)
        fill = "#bdbdbd" if plain else PARTS[part % len(PARTS)]
        ink = "#000000" if plain or fill in {YELLOW, ORANGE} else "#ffffff"
        return [
            Disc(name, x, y, 0.3 * u, fill),
            Letters("part", x, y, str(part + 1), 0.36 * u, ink),
        ]

    def show(self, roles: dict[str, list[NDArray[np.int64]]]) -> None:
        """Note the roles of cells and moves, as defined in `checking.rules`."""
        for role, groups in roles.items():
            for k, group in enumerate(groups):
                if role == "counted":
                    self.rings.update(dict.fromkeys(group.tolist()))
                elif role == "moves":
                    self.marked += group.tolist()
                else:
                    self.marks.update(dict.fromkeys(group.tolist(), (role, k)))

    def entries(self) -> list[LegendEntry]:
        """The legend."""
        here = {mark for cell, mark in self.marks.items() if cell < self.cells}
        if any(cell not in self.marks and cell < self.cells for cell in self.rings):
            here.add(("counted", 0))
        out = []
        for role, meaning in meanings(self.rule).items():
            if parts := [part for one, part in here if one == role]:
                out.append(LegendEntry(self.sign(0.9 * UNIT, 0, role, min(parts), "key"), meaning))
        run = [[(0.2 * UNIT, 0.0), (1.5 * UNIT, 0.0)]]
        for name, status, colour, dash, meaning in (
            ("forced", FORCED, self.style.text, (), "a move that every tour uses"),
            ("out", OUT, self.style.alarm, DASH, "a move that no tour uses"),
        ):
            if (self.inside & (self.present.status == status)).any():
                out.append(LegendEntry([Polyline(name, run, colour, 0.12 * UNIT, dash=dash)], meaning))
        return out


def _beside(style: Style) -> str:
    return BLUE if style.lightness < 0.7 else "#56a3d9"
