"""Pictures of proofs: the cells that a proof names, each in the role it plays.

- Moves that every tour makes are dark lines, those that are ruled out dashed ones.
- Red: the cells of the contradiction; of a cut those that are taken away, and of a set with too few
  neighbours its members; of two colours the larger.
- Blue: the neighbours of a set, the smaller of two colours, cells that a cut leaves alone. Other colours:
  the other parts that it leaves, but for a large last one.
- A ring: a cell whose moves are counted on the way.

Cases are not drawn, but for the move that they begin with, a red line. The places that an open tour adds to
the board are not drawn either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import StepProof
from cavalcade.checking.certificates import FORCED, OUT, Steps, closed_graph
from cavalcade.draw.layout import UNIT, Layout, lay_out
from cavalcade.draw.pen import hue, points, short
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
    """A picture of what a proof by steps names; of a SAT proof the board alone.

    Args:
        certificate: one that `proofs.verify` accepts.
        labels: files and ranks; on a plain graph the names of the vertices.
        size: the longer side in pixels.
        positions: where the vertices of a plain graph stand, (x, y) with y upwards.
        font: False draws letters as lines, for a machine without fonts.

    Raises:
        TooLargeError: the board is too large to be drawn.
    """
    board = certificate.problem.board
    _assert_size(board)
    layout = lay_out(board, positions, labels=labels)
    out = _ground(board, layout, labels=labels, font=font)
    if isinstance(certificate.proof, StepProof):
        out += _Picture(certificate, layout).drawn(certificate.proof.steps)
    if isinstance(board, MoveGraph) and labels:
        out += _vertex_names(board, layout, font=font)
    return _sheet(out, layout, f"why there is no {certificate.problem.kind} tour of {board.title}", size)


class _Picture:
    """What the steps of one proof add to the picture."""

    def __init__(self, certificate: Certificate, layout: Layout) -> None:
        self.steps = Steps(*closed_graph(certificate.problem), certificate.name)
        self.cells = certificate.problem.board.size
        self.layout = layout
        self.discs: dict[int, str] = {}
        self.rings: dict[int, None] = {}
        self.marked: list[int] = []  # moves in red

    def drawn(self, steps: tuple[Step, ...]) -> list[str]:
        """The lines, rings and discs."""
        for step in steps:
            cells = np.array(step.cells, dtype=np.int64)
            getattr(self, step.rule, self.counted)(cells)
            if not step.cases:
                self.steps.take(step)
        status, edges = self.steps.status, self.steps.edges
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

    def lines(self, edges: NDArray[np.int64], colour: str, width: float, dash: str, name: str) -> list[str]:
        """Some moves on the board."""
        ends = self.layout.centres[edges[edges[:, 1] < self.cells]].reshape(-1, 4).tolist()
        if not ends:
            return []
        path = "".join(f"M{points([(a, b), (c, d)])}" for a, b, c, d in ends)
        ink = f'stroke="{colour}" stroke-width="{short(width)}" stroke-linecap="round"{dash}'
        return [f'<path class="{name}" fill="none" {ink} d="{path}"/>']

    def paint(self, cells: NDArray[np.int64], colour: str) -> None:
        """Discs of one colour."""
        self.discs.update(dict.fromkeys(cells.tolist(), colour))

    def counted(self, cells: NDArray[np.int64]) -> None:
        """Cells that forced, full and early speak of, and those of the last contradictions."""
        self.rings.update(dict.fromkeys(cells.tolist()))

    def degree(self, cells: NDArray[np.int64]) -> None:
        """One cell, and what is left of its moves."""
        self.paint(cells, RED)
        self.marked += self.steps.number[self.steps.around(cells)[0]].tolist()

    three = degree

    def cycle(self, cells: NDArray[np.int64]) -> None:
        """A closed path."""
        self.paint(cells, RED)

    def branch(self, cells: NDArray[np.int64]) -> None:
        """The move that tells the cases apart."""
        self.marked.append(self.steps.edge(cells))

    def colours(self, cells: NDArray[np.int64]) -> None:
        """The cells around one, in two colours."""
        seen = np.zeros(self.steps.size, dtype=np.bool_)
        classes: list[list[int]] = [[], []]
        front, colour = cells, 0
        while front.size:
            seen[front] = True
            classes[colour] += front.tolist()
            colour = 1 - colour
            near = self.steps.neighbours(front)
            front = near[~seen[near]]
        for one, shade in zip(sorted(classes, key=len), (BLUE, RED), strict=True):
            self.paint(np.array(one, dtype=np.int64), shade)

    def hall(self, cells: NDArray[np.int64]) -> None:
        """A set and its neighbours."""
        self.paint(self.steps.neighbours(cells), BLUE)
        self.paint(cells, RED)

    tight = hall

    def cut(self, cells: NDArray[np.int64]) -> None:
        """A set, and the parts that are left."""
        root, _ = self.steps.parts_without(cells)
        root[cells] = -1
        first, counts = np.unique(root[root >= 0], return_counts=True)
        order = np.argsort(counts, kind="stable")
        shown = first[order[:-1]] if counts.max(initial=0) > 6 else first[order]
        single = np.isin(root, first[counts == 1])
        shown = shown[~single[shown]]
        self.paint(np.flatnonzero(single), BLUE)
        for k, cell in enumerate(shown.tolist()):
            self.paint(np.flatnonzero(root == cell), hue(100 + 230 * k / max(len(shown), 1), 0.64, 0.12))
        self.paint(cells, RED)

    spent = cut
