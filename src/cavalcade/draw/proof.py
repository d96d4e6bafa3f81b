"""Pictures of proofs: the cells that a proof names, each with the sign of its role, and the proof in words.

- Moves that every tour uses are dark lines; moves that no tour uses are dashed. After a cut the remaining
  moves are thin lines, each inside a part and in its colour.
- A square is a cell of the contradiction: a member of a set with too few neighbours, or a cell of the larger
  of two colours, with its place in the count. A square with a cross is a removed cell of a cut.
- A blue disc is a neighbour of such a set, a cell of the smaller colour, or a cell alone after a cut. Discs
  of other colours, with numbers, are the other parts, except a large last one; or groups of cells in which
  one choice decides all.
- A ring is a cell whose moves are counted on the way; one with a number like +1, a cell with this number.
- Discs mark the cells that a SAT proof is about, if not all. On boards of more than 1,000 cells the picture
  shows only their surroundings, and names them.

Cases are not drawn, except their first move, a line in the colour of the squares; so are the four edges at
which a graph is taken apart. Vertices that an open tour adds to the board are not drawn.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.answers.certificate import Certificate, SatProof, Step, StepProof
from cavalcade.checking.certificates import follow, verify
from cavalcade.checking.present import FORCED, OUT, PresentGraph
from cavalcade.draw.board import FINE, Ground, cross, text_size
from cavalcade.draw.layout import UNIT, Layout, lay_out, runs
from cavalcade.draw.shapes import Disc, Letters, Picture, Plate, Polyline, Shape
from cavalcade.draw.sheet import LegendEntry, with_legend
from cavalcade.draw.styles import BLACK, BLUE, ORANGE, PARTS, WHITE, YELLOW, style_of
from cavalcade.explaining.rules import meanings, roles
from cavalcade.explaining.sentences import sentences
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.words import validated

LIGHT_BLUE = "#56a3d9"  # on dark cells
GREY = "#bdbdbd"  # parts in black and white
COUNTING = {"colours", "hall"}  # rules that count the cells of two kinds
DASH = 2.5  # length of the dashes, and of the gaps, of a move that no tour uses; an eighth of a square


@validated
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
    board, proof = certificate.question.board, certificate.proof
    look = style_of(style)._replace(board=True)
    about = proof.cells if isinstance(proof, SatProof) else None
    alone = [cell for cell in about or () if cell < board.size]
    cropped = bool(alone) and board.size > FINE and not board.plain
    if cropped:
        ground = Ground(board, _near(lay_out(board, positions, labels=labels), alone), look, labels)
    else:
        ground = Ground.of(board, look, positions, labels=labels)
    shapes = ground.below()
    entries: list[LegendEntry] = []
    if isinstance(proof, StepProof):
        drawn = _Drawn(certificate, ground)
        try:
            shapes += drawn.shapes(proof.steps)
        except Exception:
            # Pictures follow the steps without checking them, so a damaged proof can raise anything.
            if checked := verify(certificate):
                raise
            raise CavalcadeError(f"a wrong proof has no picture: {checked.message}") from None
        entries = drawn.entries()
    elif alone:
        size = (0.45 if cropped else 0.27) * UNIT
        centres = ground.layout.centres[: len(alone)] if cropped else ground.layout.centres[alone]
        for (x, y), cell in zip(centres.tolist(), alone, strict=True):
            shapes.append(Disc("named", x, y, size, look.alarm))
            if cropped and labels:
                shapes.append(Letters("part", x, y, certificate.name(cell), 0.3 * UNIT, look.shades[0]))
        disc = Disc("key", 0.9 * UNIT, 0, 0.27 * UNIT, look.alarm)
        entries = [LegendEntry((disc,), "the cells that the proof is about")]
    text = " ".join(sentences(certificate))
    picture = ground.picture(f"why there is {certificate.claim}", text, shapes + ground.above())
    if not legend:
        return picture
    most = 700  # characters of a proof shown below its picture
    shown_text = text if len(text) <= most else text[: text.rfind(". ", 0, most) + 1] + " ..."
    return with_legend(picture, entries, look, words=shown_text if words else "")


def _near(layout: Layout, cells: list[int]) -> Layout:
    """The part of a layout around these cells; they come first."""
    centres = layout.centres[cells]
    low, high = centres.min(axis=0) - 3 * UNIT, centres.max(axis=0) + 3 * UNIT
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
        panels=[replace(panel, x=panel.x - x, y=panel.y - y) for panel in layout.panels],
        width=width,
        height=height,
        labels=[],
        pits=inside,
    )


class _Drawn:
    """The signs and lines of the steps of one proof."""

    def __init__(self, certificate: Certificate, ground: Ground) -> None:
        self.present = PresentGraph(certificate.question, certificate.name, certificate.weight_limit)
        self.cells = certificate.question.board.size
        self.layout, self.style = ground.layout, ground.style
        self.marks: dict[int, tuple[str, int]] = {}  # of a cell: its role, and its part
        self.rings: dict[int, None] = {}
        self.numbers: dict[int, str] = {}  # of a cell: its own number
        self.places: dict[int, str] = {}  # of a cell that is counted against others: its place in the count
        self.marked: set[tuple[int, int]] = set()  # moves of the contradiction
        self.rule = ""

    @property
    def inside(self) -> NDArray[np.bool_]:
        """The moves between cells of the board; contracting cells changes them."""
        return self.present.edges[:, 1] < self.cells

    def shapes(self, steps: tuple[Step, ...]) -> list[Shape]:
        """The lines, rings, squares and discs."""
        drawn = set(map(id, steps))
        for step, _ in follow(self.present, steps):
            if id(step) not in drawn:  # of a case
                continue
            self.rule = step.rule
            self.numbers = {
                cells[0]: f"{number:+d}" for number, cells, odd in step.terms if len(cells) == 1 and not odd
            }
            self.show(roles(step, self.present))
            if step is steps[-1]:
                break
        edges, status = self.present.edges[self.inside], self.present.status[self.inside]
        marked = np.array(sorted(move for move in self.marked if move[1] < self.cells)).reshape(-1, 2)
        wide = UNIT * (0.12 if self.cells <= FINE else 0.2)
        style, alarm, text = self.style, self.style.alarm, self.style.text
        out: list[Shape] = [*self.within(0.5 * wide)] if self.rule == "cut" else []
        for moves, role, stroke, width, dash in (
            (edges[status == OUT], "out", alarm, 0.6 * wide, (DASH, DASH)),
            (edges[status == FORCED], "forced", text, 1.4 * wide, ()),
            (marked, "marked", alarm, 1.4 * wide, ()),
        ):
            out += self.layout.lines(moves, role, stroke, width, dash)
        for cell in [*(cell for cell in self.rings if cell not in self.marks), *self.marks]:
            if cell < self.cells:
                x, y = self.layout.centres[cell].tolist()
                out += self.sign(x, y, *self.marks.get(cell, ("counted", 0)), text=self.numbers.get(cell, ""))
                if place := self.places.get(cell, ""):
                    ink = style.shades[0] if self.marks[cell][0] == "named" else style.moves or WHITE
                    out.append(Letters("part", x, y, place, text_size(place, width=0.9), ink))
        return out

    def within(self, width: float) -> list[Polyline]:
        """The moves that remain after a cut, in the colours of their parts."""
        part = np.full(self.cells, len(PARTS))  # the largest part, whose cells may have no sign
        for cell, (role, k) in self.marks.items():
            if cell < self.cells:
                part[cell] = k % len(PARTS) if role == "parts" else -1
        edges = self.present.edges[self.inside & (self.present.status != OUT)]
        edges = edges[(part[edges] >= 0).all(axis=1)]
        return [
            Polyline("within", runs(self.layout.centres[moves]), GREY if self.style.moves else colour, width)
            for k, colour in enumerate([*PARTS, self.style.hole])
            if len(moves := edges[part[edges[:, 0]] == k])
        ]

    def sign(
        self, x: float, y: float, role: str, part: int, name: str = "named", text: str = ""
    ) -> list[Shape]:
        """The sign on a cell; a cell with a number has the number for its sign."""
        style, u = self.style, UNIT
        if text:
            coloured = role == "parts" and not style.moves
            fill = PARTS[part % len(PARTS)] if coloured else style.disc
            ring, ink = style.text if text[0] == "-" else style.alarm, WHITE if coloured else style.digits
            disc = Disc(name, x, y, 0.34 * u, fill, ring, 0.06 * u)
            return [disc, Letters("part", x, y, text, 0.3 * u, ink)]
        if role == "counted":
            return [Disc("ring", x, y, 0.2 * u, style.disc, style.text, 0.09 * u)]
        if role == "named":
            a = 0.29 * u
            removed = [Polyline("cross", cross(x, y, 0.13 * u), style.shades[0], 0.08 * u)]
            plate = Plate(name, x - a, y - a, 2 * a, 2 * a, 0.1 * u, style.alarm)
            return [plate, *(removed if self.rule == "cut" else ())]
        if role == "beside":
            fill = WHITE if style.moves else BLUE if style.lightness < 0.7 else LIGHT_BLUE
            return [Disc(name, x, y, 0.27 * u, fill, style.moves, 0.06 * u)]
        fill = GREY if style.moves else PARTS[part % len(PARTS)]
        ink = BLACK if style.moves or fill in {YELLOW, ORANGE} else WHITE
        return [Disc(name, x, y, 0.3 * u, fill), Letters("part", x, y, str(part + 1), 0.36 * u, ink)]

    def show(self, roles: dict[str, list[NDArray[np.int64]]]) -> None:
        """Note the roles of cells and moves, as defined in `checking.rules`."""
        for role, groups in roles.items():
            for k, group in enumerate(groups):
                if self.rule in COUNTING and role in {"named", "beside"}:
                    self.places.update((cell, str(i)) for i, cell in enumerate(group.tolist(), 1))
                if role == "counted":
                    self.rings.update(dict.fromkeys(group.tolist()))
                elif role == "moves":
                    self.marked.update((a, b) for a, b in self.present.edges[group].tolist())
                else:
                    self.marks.update(dict.fromkeys(group.tolist(), (role, k)))

    def entries(self) -> list[LegendEntry]:
        """The legend."""
        roles_shown = {mark for cell, mark in self.marks.items() if cell < self.cells}
        if any(cell not in self.marks and cell < self.cells for cell in self.rings):
            roles_shown.add(("counted", 0))
        out = []
        for role, meaning in meanings(self.rule, self.present.question).items():
            if role == "named" and self.numbers:
                number = next(iter(self.numbers.values()))
                out.append(LegendEntry(self.sign(0.9 * UNIT, 0, role, 0, "key", number), meaning))
            elif (parts := [part for shown_role, part in roles_shown if shown_role == role]) and meaning:
                out.append(LegendEntry(self.sign(0.9 * UNIT, 0, role, min(parts), "key"), meaning))
        run = [[(0.2 * UNIT, 0.0), (1.5 * UNIT, 0.0)]]
        if self.rule == "cut" and (thin := self.within(0.06 * UNIT)):
            out.append(LegendEntry([replace(thin[0], runs=run)], "a move inside a part"))
        for name, status, colour, dash, meaning in (
            ("forced", FORCED, self.style.text, (), "a move that every tour uses"),
            ("out", OUT, self.style.alarm, (DASH, DASH), "a move that no tour uses"),
        ):
            if (self.inside & (self.present.status == status)).any():
                out.append(LegendEntry([Polyline(name, run, colour, 0.12 * UNIT, dash=dash)], meaning))
        return out
