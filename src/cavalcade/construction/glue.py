"""Glue: closed tours one above another become one tour of their stack.

J. R. Gerlach and S. M. Gerlach, The Knight's Tour in 3-Dimensional Chess, 2019, Solution #2, there for copies
of one tour of the chessboard. A closed tour can begin on any cell, the *pivot* of its level, and then ends on
the one before it, from where a move leads up to the pivot of the next level. The paper numbers the steps
anew: it adds INCR1 to those from the pivot's on, and INCR2 to those before.

Here the tours may differ, also in their boards. Where a pivot cannot be reached otherwise, the lowest tour
begins elsewhere, and any tour may be walked backwards. Which cells can be pivots is found out from the top
down, in time linear in the cells; so a stack is found whenever there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.stack import stacked
from cavalcade.ground.errors import CavalcadeError, CellError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Cells = NDArray[np.int32]


@dataclass(frozen=True)
class GluedLevel:
    """How the tour of a level is numbered in the stack.

    Args:
        pivot: its first cell, named as on its own board.
        value: the step of the pivot in its own tour, which is numbered from 1.
        increments: what is added to the steps from `value` on, and to those before: INCR1 and INCR2.
        backwards: its own tour is walked backwards first, from the same cell.
    """

    pivot: str
    value: int
    increments: tuple[int, int]
    backwards: bool


@dataclass(frozen=True)
class Glued:
    """A stack of tours.

    Args:
        tour: the open tour of the stack.
        levels: one entry a level, from the lowest.
    """

    tour: Tour
    levels: tuple[GluedLevel, ...]


def glue(tours: Tour | Sequence[Tour], *, levels: int | None = None, pivots: Sequence[str] = ()) -> Glued:
    """Closed tours, one a level, as one open tour of their stack.

    Args:
        tours: closed tours of boxes, with or without holes; a single one is copied.
        levels: how many levels; the tours are taken again in turn. By default as many as there are tours, two
            for a single one.
        pivots: where the second level begins, the third, and so on. By default the first cell, in the order
            of the moves, to which the level below leads.

    Raises:
        CavalcadeError: a tour is open or partial, pieces differ, or there is no such stack.

    The tours are trusted: check them, or the result, with `cavalcade.check`. Linear time.
    """
    given = [tours] if isinstance(tours, Tour) else list(tours)
    count = levels if levels is not None else max(2, len(given)) if len(given) == 1 else len(given)
    if not given or count < len(given) or len(pivots) >= count:
        raise CavalcadeError(
            f"{len(given)} tours and {len(pivots)} pivots for {count} levels: expected no more tours than "
            "levels, and a pivot for each level but the first at most"
        )
    for one in given:
        if (
            isinstance(one.board, Board)
            and one.closed
            and len(one) == one.board.size
            and one.piece == given[0].piece
        ):
            continue
        raise CellError(f"{one!r} cannot be glued, expected closed tours of boxes by a {given[0].piece.spec}")
    every = [given[k % len(given)] for k in range(count)]
    chosen = _Stack(every, pivots).chosen()
    parts, found, below = [], [], 0
    for one, (pivot, backwards), offset in zip(every, chosen, _offsets(every), strict=True):
        own = one.reversed() if backwards else one
        turned = own.rotated(pivot)
        value = int(own.steps[pivot])
        first = below - value + 1
        found.append(GluedLevel(one.board.name(pivot), value, (first, first + len(one)), backwards))
        parts.append(turned.cells + offset)
        below += len(one)
    stack = stacked([one.board for one in every if isinstance(one.board, Board)])
    whole = Tour(stack, np.concatenate(parts), closed=False, piece=given[0].piece)
    return Glued(whole, tuple(found))


def _offsets(tours: Sequence[Tour]) -> list[int]:
    """The number of the first cell of each level in the stack."""
    return [0, *np.cumsum([len(one) for one in tours]).tolist()][: len(tours)]


class _Stack:
    """The tours of a stack, and which of their cells can be pivots."""

    def __init__(self, tours: Sequence[Tour], pivots: Sequence[str]) -> None:
        self.tours, self.offsets = tours, _offsets(tours)
        self.wanted = [None, *(one.board.cell(p) for p, one in zip(pivots, tours[1:], strict=False))]
        self.board = stacked([one.board for one in tours if isinstance(one.board, Board)])
        vectors = tours[0].piece.vectors(self.board)
        self.up = vectors[vectors[:, 0] == 1]
        # for each level: its ends from which the next level can be reached, None on the last
        self.ends: list[NDArray[np.bool_] | None] = [None] * len(tours)
        allowed = self._starts(len(tours) - 1)
        for level in range(len(tours) - 2, -1, -1):
            there = self._above(level)
            self.ends[level] = np.any((there >= 0) & allowed[there], axis=0)
            allowed = self._starts(level)
            if not allowed.any():
                one, wanted = (
                    tours[level + 1],
                    self.wanted[level + 1] if level + 1 < len(self.wanted) else None,
                )
                where = "" if wanted is None else f" at {one.board.name(wanted)}"
                raise CellError(
                    f"level {level + 2} cannot begin{where}: no tour of level {level + 1} leads there"
                )

    def _above(self, level: int) -> NDArray[np.int32]:
        """The cells of the next level that each move leads to from the cells of this one; -1 for none."""
        here = np.arange(self.offsets[level], self.offsets[level] + len(self.tours[level]))
        every = np.stack(list(self.board.reached(self.up, here)) or [np.full(len(here), -1, dtype=np.int32)])
        return np.where(every >= 0, every - self.offsets[level + 1], -1)

    def _good(self, level: int, cell: int, *, backwards: bool) -> bool:
        """Whether a tour that begins there ends where the next level can be reached."""
        ends, one = self.ends[level], self.tours[level]
        step = int(one.steps[cell]) - 1
        return ends is None or bool(ends[one.cells[(step + (1 if backwards else -1)) % len(one)]])

    def _starts(self, level: int) -> NDArray[np.bool_]:
        """The cells of a level that can be its first."""
        one, ends = self.tours[level], self.ends[level]
        allowed = np.ones(len(one), dtype=np.bool_)
        if ends is not None:
            along = ends[one.cells]
            allowed[one.cells] = np.roll(along, 1) | np.roll(along, -1)
        if level < len(self.wanted) and (wanted := self.wanted[level]) is not None:
            allowed &= np.arange(len(one)) == wanted
        return allowed

    def chosen(self) -> list[tuple[int, bool]]:
        """For each level its pivot, and whether its tour is walked backwards."""
        found: list[tuple[int, bool]] = []
        options = self.tours[0].cells
        for level, one in enumerate(self.tours):
            starts = self._starts(level)
            able = [int(cell) for cell in options if cell >= 0 and starts[cell]]
            choice = next(
                (cell, backwards)
                for backwards in (False, True)
                for cell in able
                if self._good(level, cell, backwards=backwards)
            )
            found.append(choice)
            if level + 1 < len(self.tours):
                cell, backwards = choice
                end = one.cells[(int(one.steps[cell]) - 1 + (1 if backwards else -1)) % len(one)]
                options = self._above(level)[:, end]
        return found
