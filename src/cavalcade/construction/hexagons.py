"""A closed tour of Gliński's hexagon of any side from 4 on, joined from the tours of blocks.

n is the side; the *ring* of radius R > 0 has the 6R cells at distance R from the centre. *Arm* 0 has the
cells (R - j, j) with 0 <= j < R; arms 1 to 5 follow by rotations of 60 degrees. Each cell of a ring belongs
to one arm. Write n = r + 5M with 4 <= r <= 8. Around the board of side r lie M *bands* of five rings. In an
arm of the band whose innermost ring is R = r + 5m, row i = 0, …, 4 is that of ring R + i, and the blocks are

    rhombus     the cells with 5k <= j < 5k + 5, for k = 0, …, m - 1: five rows of 5
    trapezoid   the other cells, 5m <= j < 5m + r + i: rows of r, r + 1, …, r + 4

The blocks form a comb. A tooth is a band: arm 0 from its rhombi to its trapezoid, then arm 1, and so on. The
*first* block of each band, at j = 0 of arm 0, is also joined inward, with the first block of the next band
or, in the innermost band, with the board of side r.

The tour of every block has an edge called *entrance*, by which it is joined with the block before, and three
edges by which the tour leaves it: *inward*, *along* the arm, and around the *corner* to the next arm. The
first block of a band is left twice and has two roles: one up to the inward edge (the spine of the comb), one
from there on (its tooth). `data/glinski.json` contains the edges and the tours, found by `find.join`;
`theorems.glinski` checks them, and `docs/proofs/glinski.md` proves that this makes a tour of every side.

Time and memory: linear in the number of lines, about M² log M.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cavalcade.construction.blocks import NoTemplateError
from cavalcade.construction.chain import Chain, Line, Role
from cavalcade.ground.budget import assert_time
from cavalcade.ground.kernels import Ints

DEPTH = 5  # rings in a band, and cells in a row of a rhombus
LEAST = 4  # least side with a closed tour
TURN = np.array([[0, 1], [-1, 1]])  # rotation by 60 degrees: (q, r) becomes (-r, q + r)
TURNS = np.array([np.linalg.matrix_power(TURN, arm) for arm in range(6)])

Cell = tuple[int, int]


@cache
def pieces(name: str = "glinski") -> dict[str, Any]:
    """The content of a file of tours of pieces, such as `data/glinski.json`."""
    content: dict[str, Any] = json.loads((files("cavalcade") / "data" / f"{name}.json").read_bytes())
    return content


def chain(side: int, *, closed: bool = True) -> Chain:
    """A closed tour of a hexagon as lines of blocks; an open tour is the same without its last move.

    Places are array indices, as in `Tour.numbering`: (q + side - 1, r + side - 1).

    Raises:
        NoTemplateError: the side is less than 4, and such a board has no closed tour.

    Time: 60 ms for hex:5000, 75 million cells.
    """
    if side < LEAST:
        raise NoTemplateError(f"the side must be at least {LEAST}")
    return _Plan(side).chain(closed=closed)


class _Plan:
    """The lines of one board, and the search for places in them.

    The rhombi of an arm form lines of 1, 2, 4, … blocks, largest first, so that few distinct lines serve all
    arms. Lines and roles are numbered in the order of their first use.
    """

    def __init__(self, side: int) -> None:
        self.side = side
        self.bands, self.least = divmod(side - LEAST, DEPTH)
        self.least += LEAST
        self.roles: list[Role] = []
        self.lines: list[Line] = []
        self.role_of: dict[tuple[str, str, int], int] = {}
        self.line_of: dict[tuple[str, str, int, int], int] = {}
        self.kinds: list[int] = []
        self.origins: list[Cell] = []
        # The line of the first block of each band, and of the trapezoid of each arm; the number of lines into
        # which 0, 1, 2, … rhombi are cut.
        self.first = np.zeros(self.bands, dtype=np.int64)
        self.trapezoid = np.zeros((self.bands, 6), dtype=np.int64)
        self.ones = np.array([m.bit_count() for m in range(self.bands + 1)], dtype=np.int64)

    def chain(self, *, closed: bool) -> Chain:
        """The spine from outside in, the central board, and the teeth from inside out, each out and back."""
        for m in range(self.bands - 1, -1, -1):
            self.add("rhombus" if m else "trapezoid", "spine", 0, self.least + DEPTH * m, 0)
        self.add("board", "", 0, 0, 0)
        lines = np.arange(self.bands + 1)
        ways = [2 * lines]  # their ways back are empty
        for m in range(self.bands):
            self.tooth(m)
            lines = np.arange(self.first[m], len(self.kinds))
            ways += [2 * lines, 2 * lines[::-1] + 1]
        ways.append(2 * np.arange(self.bands + 1) + 1)
        width, order = 2 * self.side - 1, np.concatenate(ways)
        origins = np.array(self.origins, dtype=np.int64) + self.side - 1
        kinds = np.array(self.kinds, dtype=np.int32)
        return Chain((width, width), closed, self.roles, self.lines, kinds, origins, order, self.find)

    def tooth(self, m: int) -> None:
        """The lines of a band."""
        assert_time("the time limit is reached while the tour is planned")
        ring = self.least + DEPTH * m
        self.first[m] = len(self.kinds)
        self.add("rhombus" if m else "trapezoid", "first", 0, ring, 0)
        for arm in range(6):
            placed = first = int(arm == 0)
            for power in range((m - first).bit_length() - 1 if m else -1, -1, -1):
                if (m - first) >> power & 1:
                    self.add("rhombus", "", arm, ring, DEPTH * placed, 1 << power)
                    placed += 1 << power
            self.trapezoid[m, arm] = len(self.kinds)
            if m or arm:
                self.add("trapezoid", "last" if arm == 5 else "", arm, ring, DEPTH * m)

    def add(self, block: str, part: str, arm: int, ring: int, place: int, length: int = 1) -> None:
        """Add a line of blocks of one role; the first block lies at this place of this ring of an arm."""
        key = block, part, arm, length
        if key not in self.line_of:
            if key[:3] not in self.role_of:
                self.role_of[key[:3]] = len(self.roles)
                self.roles.append(_role(block, part, arm, self.least))
            self.line_of[key] = len(self.lines)
            steps = DEPTH * np.arange(length)
            role = np.full(length, self.role_of[key[:3]])
            self.lines.append(Line.of(self.roles, role, _axial(np.stack([0 * steps, steps], 1), arm)))
        self.kinds.append(self.line_of[key])
        (q, r), turn = (ring - place, place), TURNS[arm].tolist()
        self.origins.append((q * turn[0][0] + r * turn[1][0], q * turn[0][1] + r * turn[1][1]))

    def find(self, places: Ints) -> tuple[Ints, Ints]:
        """The lines that may contain places, and the blocks in them, as `Chain.finder`."""
        # Ring, arm and place in the arm of each cell.
        cells = places - (self.side - 1)
        ring = np.abs(np.column_stack([cells, cells.sum(axis=1)])).max(axis=1)
        arm = np.zeros(len(cells), dtype=np.int64)
        along = arm.copy()
        for turn in range(6):
            q, r = (cells @ TURNS[-turn]).T
            mine = (q > 0) & (r >= 0)
            arm[mine], along[mine] = turn, r[mine]
        banded = (ring >= self.least) & (ring < self.side)
        line = np.full((len(cells), 2), -1, dtype=np.int64)
        line[ring < self.least, 0] = self.bands  # the central board
        block = np.zeros_like(line)
        m, k = (ring[banded] - self.least) // DEPTH, along[banded] // DEPTH
        arms = arm[banded]
        zero = arms == 0
        # The rhombi of the arm, without the first block of the band: their first line, their number, and the
        # index of this rhombus.
        first_line = np.where(zero, self.first[m], self.trapezoid[m, arms - 1]) + 1
        count, k = m - zero, k - zero
        # Rhombus k of `count` lies in the line of the highest binary digit in which k and `count` differ.
        power = np.frexp((k ^ count).astype(np.float64))[1] - 1
        lines, blocks = first_line + self.ones[count >> (power + 1)], k & ((1 << np.maximum(power, 0)) - 1)
        ends, first = k >= count, zero & ((k < 0) | (m == 0))
        lines[ends], blocks[ends] = self.trapezoid[m, arms][ends], 0
        lines[first], blocks[first] = self.first[m[first]], 0
        line[banded, 0], block[banded, 0] = lines, blocks
        line[banded, 1] = np.where(first, self.bands - 1 - m, -1)
        return line, block


def _axial(cells: ArrayLike, arm: int) -> Ints:
    """Cells (row, place) of an arm as (q, r), relative to the cell (0, 0), shape (k, 2)."""
    row, place = np.asarray(cells, dtype=np.int64).reshape(-1, 2).T
    return np.asarray(np.stack([row - place, place], axis=1) @ TURNS[arm])


def _role(block: str, part: str, arm: int, least: int) -> Role:
    """The role of a block that is entered by its entrance.

    Args:
        block: `board`, `rhombus` or `trapezoid`.
        part: `spine` for the part up to the inward edge; `first` for the part from there on, at the beginning
            of a tooth; `last` for a block that is not left; empty for a block that is left along the arm or
            around the corner.
        arm: number of the arm.
        least: side of the central board.
    """
    data = pieces()
    if block == "board":
        cells = np.array(data["boards"][str(least)]) @ TURNS[arm]
        return Role(cells.astype(np.int32), len(cells))
    tour = data["rhombus"] if block == "rhombus" else data["trapezoids"][str(least)]
    first = data["edges"]["along" if block == "rhombus" else "corner"][0]
    if block == "trapezoid":  # its corner edge is counted from the ends of the rows
        first = [first[0], first[1] + least + first[0]]
    inward, out = tour.index(data["edges"]["inward"][0]) + 1, tour.index(first) + 1
    cells = _axial(tour, arm).astype(np.int32)
    if part == "spine":
        return Role(cells[:inward], inward)
    if part == "first":
        return Role(cells[inward:], out - inward)
    return Role(cells, len(cells) if part == "last" else out)
