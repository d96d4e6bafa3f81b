"""Frames: rectangles with a rectangular opening in the middle."""

from __future__ import annotations

from cavalcade.boards.family import Family
from cavalcade.ground.kernels import Mask


class Frame(Family):
    """The cells of an m x n rectangle that lie within k cells of its edge.

    If 2k is at least m or n, the opening is empty and the frame is the whole rectangle.
    """

    name = "frame"
    side_count = (3, 3)
    example = "8x8x2"

    @property
    def shape(self) -> tuple[int, ...]:
        """(m, n)."""
        return self.sides[:2]

    def cells(self) -> Mask:
        """All cells except the opening."""
        m, n, width = self.sides
        cells = ~self.no_cells()
        cells[width : m - width, width : n - width] = False
        return cells
