"""The line of a tour on paper: its moves in colours, also those to other levels and over edges.

Later moves pass over earlier ones. Up to `board.FINE` cells every move has its own colour; with more cells
moves share colours. The longer the moves, the thinner the lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.measures.moves import in_a_row
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.draw.board import FINE, Ground
from cavalcade.draw.layout import OVER, UNIT, Layout, runs
from cavalcade.draw.shapes import Letters, Plate, Point, Polyline, Shape
from cavalcade.draw.styles import COLOURS, WHITE, wheel
from cavalcade.ground.kernels import Cells
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import graph_of
from cavalcade.question.pieces import Piece

Run = list[Point]

LEAN, LEAN_LONG = math.radians(46), math.radians(84)  # smallest angle between two stubs of one cell
DART = (0, -1.3 + 0.45j, -1, -1.3 - 0.45j)  # corners of an arrowhead, the tip first; a notch marks its back


@dataclass
class TourLine:
    """The line of a tour on its board."""

    tour: Tour
    ground: Ground
    colour: str = ""  # of the whole line; empty for the colours of the style
    numbers: bool = False  # whether the cells show their steps
    thin: bool = False  # whether lines are half as wide and have no gaps where they cross

    def __post_init__(self) -> None:
        self.layout, self.style = self.ground.layout, self.ground.style
        self.fine = self.tour.board.size <= FINE  # each move is a shape of its own
        self.starts, self.ends = in_a_row(self.tour.cells, closed=self.tour.closed)

    @cached_property
    def stuck(self) -> bool:
        """Whether a walk ends before all cells are visited, and no move leads to a new cell."""
        tour = self.tour
        if not len(tour) or len(tour) >= tour.board.size or tour.closed:
            return False
        graph = graph_of(tour.board, tour.piece)
        return bool((tour.steps[graph.neighbours(tour.end)] > 0).all())

    @cached_property
    def colours(self) -> list[str]:
        """The colours of the line, in order."""
        if single := self.colour or self.style.moves:
            return [single]
        count = min(max(len(self.tour), 1), COLOURS)
        return [wheel((i + 0.5) / count, self.style, closed=self.tour.closed) for i in range(count)]

    def ink(self, step: int) -> str:
        """The colour of a step."""
        return self.colours[step * len(self.colours) // max(len(self.tour), 1)]

    @cached_property
    def width(self) -> float:
        """The width of the line, in units."""
        size = self.tour.board.size
        wide = UNIT * (0.11 if size <= FINE else 0.16 if size <= 20_000 else 0.24)
        if not self.tour.board.plain and not self.layout.space and self.runs:
            steps = [math.dist(*run) for part in self.runs.values() for run in part[:1]]
            wide *= min(1.0, 2.3 * UNIT / max(float(np.median(steps)), 1e-9))
        return wide * (0.5 if self.thin else 0.75 if self.style.moves else 1)

    # ---- the moves

    @cached_property
    def broken(self) -> dict[int, list[Run]]:
        """The moves that are drawn as two lines: to another level, or over an edge."""
        if self.tour.board.family.wraps:
            ends = self.layout.centres[np.stack([self.starts, self.ends], axis=1)]
            crossing = over_edges(self.tour.board, self.layout, self.tour.piece, self.starts, self.ends)
            return {i: runs(np.hstack([ends[i], ends[i] + legs])) for i, legs, _ in crossing}
        panel_of = self.layout.panel_of
        leave = np.flatnonzero(panel_of[self.starts] != panel_of[self.ends])
        return {} if self.layout.space or not len(leave) else self._stubs(leave)

    @cached_property
    def runs(self) -> dict[int, list[Run]]:
        """Each move as one line, or two."""
        straight = runs(self.layout.centres[np.stack([self.starts, self.ends], axis=1)])
        return {i: self.broken.get(i) or [run] for i, run in enumerate(straight)}

    def moves(self) -> list[Shape]:
        """The moves in order; in space from the lowest level up: its cells, its moves, those up from it."""
        if not self.layout.space:
            return [*self.strokes()]
        start_level, end_level = self.layout.panel_of[self.starts], self.layout.panel_of[self.ends]
        low = np.minimum(start_level, end_level)
        out: list[Shape] = []
        for k in range(len(self.layout.panels)):
            if self.style.board:
                out += self.ground.cells(k, 0.86)
            for selected in (start_level == end_level, start_level != end_level):
                out += self.strokes(np.flatnonzero((low == k) & selected).tolist())
        return out

    def strokes(self, moves: Iterable[int] | None = None) -> list[Polyline]:
        """Some or all moves; if there are many, successive moves of one colour are one shape."""
        moves = self.runs if moves is None else moves
        if self.fine:
            return [shape for i in moves for shape in self._move(i)]
        out: list[Polyline] = []
        for ink, same_ink in groupby(moves, self.ink):
            joined: list[Run] = []
            for i in same_ink:
                for run in self.runs[i]:
                    if joined and joined[-1][-1] == run[0]:
                        joined[-1].append(run[1])
                    else:
                        joined.append(list(run))
            out.append(Polyline("moves", joined, ink, self.width, step=i + 1))
        return out

    def _move(self, i: int) -> list[Polyline]:
        """One move, and a light gap around it where it crosses others."""
        out: list[Polyline] = []
        if i not in self.broken and not self.thin:
            (x, y), (u, v) = self.runs[i][0]
            cut = min((0.5 if self.numbers else 0.4) * UNIT / max(math.hypot(u - x, v - y), 1e-9), 0.5)
            inner = [(x + cut * (u - x), y + cut * (v - y)), (u - cut * (u - x), v - cut * (v - y))]
            wide = self.width * (1.6 if self.numbers else 1.9)
            out.append(Polyline("gap", [inner], self.style.casing, wide, step=i + 1))
        out.append(Polyline("move", self.runs[i], self.ink(i), self.width, step=i + 1))
        return out

    def arrows(self, *, all_: bool) -> list[Shape]:
        """An arrowhead on every move, or only on the first, near its cell."""
        out: list[Shape] = []
        size = UNIT * (
            (0.2 if all_ else 0.32) * (0.8 if self.thin else 1) * (1 if self.fine or self.numbers else 4)
        )
        for i in self.runs if all_ else [0] if self.runs else []:
            start, end = (complex(*place) for place in self.runs[i][0])
            long = abs(end - start)
            if long < 0.1:
                continue
            ahead = (end - start) / long
            middle = 0.75 if i in self.broken else 0.5
            along = min(middle * long + 0.5 * size, long) if all_ else min(0.45 * UNIT + size, long)
            corners = [start + ahead * (along + size * corner) for corner in DART]
            head = [(corner.real, corner.imag) for corner in corners]
            ink, width = self.ink(i) if all_ else self.style.digits, 0.05 * UNIT
            out.append(Polyline("arrow", [head], self.style.casing, width, ink, closed=True, step=i + 1))
        return out

    # ---- to other levels

    def _stubs(self, moves: NDArray[np.int64]) -> dict[int, list[Run]]:
        """The moves to other levels, each as two stubs, where it leaves and where it arrives.

        A stub points to the other cell as if both were on one level, or to the other panel if they have the
        same row and column. Two stubs of a cell with about the same direction lean apart.
        """
        layout = self.layout
        long = any(len(panel.name) > 2 for panel in layout.panels)
        length, lean = (0.32, LEAN_LONG) if long else (0.39 if self.numbers else 0.35, LEAN)
        corners = np.array([(panel.x, panel.y) for panel in layout.panels])
        angles = np.full((len(layout.centres), 2), np.nan)  # of the stubs in which cells are left and reached
        starts, ends = self.starts[moves], self.ends[moves]
        for side, (cells_here, cells_there) in enumerate(((starts, ends), (ends, starts))):
            away = corners[layout.panel_of[cells_there]] - corners[layout.panel_of[cells_here]]
            step = layout.centres[cells_there] - layout.centres[cells_here] - away
            step = np.where((np.abs(step) < 0.01 * UNIT).all(axis=1, keepdims=True), away, step)
            angles[cells_here, side] = np.arctan2(step[:, 1], step[:, 0])
        apart = np.angle(np.exp(1j * (angles[:, 0] - angles[:, 1])))
        close = np.abs(apart) < lean
        middle = angles[close, 1] + apart[close] / 2
        aside = np.where(apart[close] < -1e-9, -lean / 2, lean / 2)  # equal but for rounding
        angles[close] = np.stack([middle + aside, middle - aside], axis=1)
        tips = layout.centres[:, None, :] + length * UNIT * np.stack([np.cos(angles), np.sin(angles)], axis=2)
        leaves, arrives = (
            runs(np.hstack([layout.centres[cells], tips[cells, side]]))
            for side, cells in enumerate((starts, ends))
        )
        return {i: [*stubs] for i, *stubs in zip(moves.tolist(), leaves, arrives, strict=True)}

    def badges(self) -> list[Shape]:
        """The names of other levels at the ends of stubs: filled at departures, empty at arrivals."""
        if not self.fine or self.tour.board.family.wraps:
            return []
        out: list[Shape] = []
        for i, stubs in self.broken.items():
            levels = self.layout.panel_of[[self.ends[i], self.starts[i]]].tolist()
            for (_, (x, y)), level, leaves in zip(stubs, levels, (True, False), strict=True):
                name, colour = self.layout.panels[level].name, self.ground.of_level(level)
                high = (0.25 if len(name) < 3 else 0.14) * UNIT
                wide = max(high, (0.3 + 0.52 * len(name)) * high)
                fill, ink = (colour, WHITE) if leaves else (WHITE, colour)
                place = x - wide / 2, y - high / 2, wide, high, high / 2
                out.append(Plate("badge", *place, fill, colour, 0.03 * UNIT, step=i + 1))
                out.append(Letters("to", x, y, name, 0.9 * high, ink, step=i + 1))
        return out


def over_edges(
    board: Board | MoveGraph, layout: Layout, piece: Piece, starts: Cells, ends: Cells
) -> Iterator[tuple[int, list[NDArray[np.float64]], list[float]]]:
    """The moves of a surface that lead over an edge, if the move leads over an edge at both cells.

    Args:
        board: the surface; a plain graph has no such moves.
        layout: the board on paper.
        piece: the piece that moves.
        starts: first cell of each move.
        ends: second cell of each move.

    Yields:
        The index of a move; for both cells the line from the centre to a place beyond the edge; and for both
        the part of the line, from 0 to 1, that lies on the face of its cell.
    """
    if board.plain:
        return
    vectors = piece.vectors(board)
    steps = board.coords[ends] - board.coords[starts]
    straight = (steps[:, None, :] == vectors[None, :, :]).all(axis=2).any(axis=1)
    wraps = np.flatnonzero(~straight)
    panel, faces = layout.panels[0], np.array(board.family.faces)
    lows = np.array([panel.x, panel.y]) + UNIT * faces[:, [1, 0]]
    highs = lows + UNIT * faces[:, [3, 2]]
    sides = []
    for tails, heads in ((starts[wraps], ends[wraps]), (ends[wraps], starts[wraps])):
        lands = np.stack(list(board.reached(vectors, tails)), axis=1) == heads[:, None]
        step = np.where(lands.any(axis=1)[:, None], vectors[lands.argmax(axis=1)][:, ::-1] * UNIT, 0.0)
        centre = layout.centres[tails]
        face = ((lows < centre[:, None]) & (centre[:, None] < highs)).all(axis=2).argmax(axis=1)
        edge = np.where(step > 0, highs[face], lows[face]) - centre
        with np.errstate(divide="ignore", invalid="ignore"):
            to_edge, beyond = (
                np.where(step == 0, np.inf, reach / step).min(axis=1).clip(max=1.0)
                for reach in (edge, edge + OVER * np.sign(step))
            )
        sides.append((step, beyond, to_edge / beyond))
    for k, i in enumerate(wraps.tolist()):
        if all(step[k].any() for step, _, _ in sides):
            yield i, [step[k] * beyond[k] for step, beyond, _ in sides], [float(on[k]) for _, _, on in sides]
