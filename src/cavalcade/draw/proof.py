"""Pictures of proofs: the cells that a proof names, each in the role it plays.

- Moves that every tour makes are dark lines, those that are ruled out dashed ones.
- Red: the cells of the contradiction; of a cut those that are taken away, and of a set with too few
  neighbours its members; of two colours the larger.
- Blue: the neighbours of a set, the smaller of two colours, cells that a cut leaves alone. Other colours:
  the other parts that it leaves, but for a large last one.
- A ring: a cell whose moves are counted on the way.

A SAT proof about some cells alone shows these in red; of boards of more than 1,000 cells it draws what is
around them, and names them.

Cases are not drawn, but for the move that they begin with, a red line. The places that an open tour adds to
the board are not drawn either.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import SatProof, StepProof
from cavalcade.checking.certificates import closed_graph, take
from cavalcade.checking.present import FORCED, OUT, PresentGraph
from cavalcade.checking.rules import RULES
from cavalcade.draw.layout import UNIT, Layout, lay_out
from cavalcade.draw.pen import hue, letters, points, short
from cavalcade.draw.svg import FINE, INK, _assert_size, _dots, _ground, _sheet, _vertex_names
from cavalcade.graph import MoveGraph

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cavalcade.answers.certificate import Certificate, Step

RED, BLUE = hue(25, 0.6, 0.19), hue(250, 0.6, 0.13)


def proof_svg(
    certificate: Certificate,
    *,
    labels: bool = True,
    size: int | None = None,
    positions: ArrayLike | None = None,
    font: bool = True,
) -> str:
    """A picture of what a proof by steps names; of a SAT proof the cells that it speaks of, if not of all.

    Args:
        certificate: one that `verify` accepts.
        labels: files and ranks; on a plain graph the names of the vertices.
        size: the longer side in pixels.
        positions: where the vertices of a plain graph stand, (x, y) with y upwards.
        font: False draws letters as lines, for a machine without fonts.

    Raises:
        TooLargeError: the board is too large to be drawn.
    """
    board, proof = certificate.problem.board, certificate.proof
    named: list[int] = []
    if isinstance(proof, SatProof) and proof.cells is not None:
        named = [cell for cell in proof.cells if cell < board.size]
    is_near = bool(named) and board.size > FINE and not isinstance(board, MoveGraph)
    if not is_near:
        _assert_size(board)
    layout = lay_out(board, positions, labels=labels)
    if is_near:
        layout = _around(layout, named)
    out = _ground(board, layout, labels=labels, font=font)
    if isinstance(proof, StepProof):
        out += _Picture(certificate, layout).drawn(proof.steps)
    at = layout.centres[: len(named)] if is_near else layout.centres[named]
    out += _dots(at, [RED] * len(named), (0.45 if is_near else 0.27) * UNIT, "none", "named")
    if is_near and labels:
        names = [certificate.name(cell) for cell in named]
        out += [
            letters(x, y, name, 0.3 * UNIT, "#fff", font=font)
            for (x, y), name in zip(at.tolist(), names, strict=True)
        ]
    if isinstance(board, MoveGraph) and labels:
        out += _vertex_names(board, layout, font=font)
    return _sheet(out, layout, f"why there is no {certificate.problem.kind} tour of {board.title}", size)


def _around(layout: Layout, cells: list[int]) -> Layout:
    """The part of a layout around these cells; they come first."""
    at = layout.centres[cells]
    low, high = at.min(axis=0) - 3 * UNIT, at.max(axis=0) + 3 * UNIT
    shown = ((layout.centres > low) & (layout.centres < high)).all(axis=1)
    shown[cells] = False
    kept = np.concatenate([np.array(cells, dtype=np.int64), np.flatnonzero(shown)])
    panels = [replace(one, x=one.x - low[0], y=one.y - low[1]) for one in layout.panels]
    width, height = (high - low).tolist()
    return Layout(
        layout.centres[kept] - low, layout.shades[kept], layout.panel_of[kept], panels, width, height
    )


class _Picture:
    """What the steps of one proof add to the picture."""

    def __init__(self, certificate: Certificate, layout: Layout) -> None:
        size, edges = closed_graph(certificate.problem)
        self.present = PresentGraph(size, edges, certificate.name, certificate.problem)
        self.cells = certificate.problem.board.size
        self.layout = layout
        self.discs: dict[int, str] = {}
        self.rings: dict[int, None] = {}
        self.marked: list[int] = []  # moves in red

    def drawn(self, steps: tuple[Step, ...]) -> list[str]:
        """The lines, rings and discs."""
        for step in steps:
            self.show(RULES[step.rule].roles(self.present, np.array(step.cells, dtype=np.int64)))
            if not step.cases:
                take(self.present, step)
        status, edges = self.present.status, self.present.edges
        wide = UNIT * (0.12 if self.cells <= FINE else 0.2)
        out = [
            *self.lines(edges[status == OUT], RED, 0.6 * wide, ' stroke-dasharray="2.5 2.5"', "out"),
            *self.lines(edges[status == FORCED], INK, 1.4 * wide, "", "forced"),
            *self.lines(edges[self.marked], RED, 1.4 * wide, "", "marked"),
        ]
        at = self.layout.centres
        rings = [cell for cell in self.rings if cell not in self.discs and cell < self.cells]
        out += _dots(at[rings], ["#fff"] * len(rings), 0.2 * UNIT, INK, "ring")
        discs = [cell for cell in self.discs if cell < self.cells]
        out += _dots(at[discs], [self.discs[cell] for cell in discs], 0.27 * UNIT, "none", "named")
        return out

    def show(self, roles: dict[str, list[NDArray[np.int64]]]) -> None:
        """Note what is to be painted; `checking.rules` says what the roles are."""
        for role, groups in roles.items():
            for k, group in enumerate(groups):
                if role == "counted":
                    self.rings.update(dict.fromkeys(group.tolist()))
                elif role == "moves":
                    self.marked += group.tolist()
                else:
                    other = hue(100 + 230 * k / len(groups), 0.64, 0.12)
                    colour = {"named": RED, "beside": BLUE}.get(role, other)
                    self.discs.update(dict.fromkeys(group.tolist(), colour))

    def lines(self, edges: NDArray[np.int64], colour: str, width: float, dash: str, name: str) -> list[str]:
        """Some moves on the board."""
        ends = self.layout.centres[edges[edges[:, 1] < self.cells]].reshape(-1, 4).tolist()
        if not ends:
            return []
        path = "".join(f"M{points([(a, b), (c, d)])}" for a, b, c, d in ends)
        ink = f'stroke="{colour}" stroke-width="{short(width)}" stroke-linecap="round"{dash}'
        return [f'<path class="{name}" fill="none" {ink} d="{path}"/>']
