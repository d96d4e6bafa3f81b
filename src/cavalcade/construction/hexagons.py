"""Gliński's hexagon of every side from 4 on: a closed tour, joined from the tours of blocks.

n is the side; the *ring* of radius R > 0 holds the 6R cells at distance R from the centre. *Arm* 0 holds the
cells (R - j, j) with 0 <= j < R, the arms 1 to 5 are turned by 60 degrees each; a cell of a ring is in one
arm. Write n = r + 5M with 4 <= r <= 8. Around the board of side r lie M *bands* of five rings. In an arm of
the band whose innermost ring is R = r + 5m, row i = 0, …, 4 is that of ring R + i, and the blocks are

    rhombus     the cells with 5k <= j < 5k + 5, for k = 0, …, m - 1: five rows of 5
    trapezoid   the rest, 5m <= j < 5m + r + i: rows of r, r + 1, …, r + 4

The blocks make a comb. A tooth is a band: arm 0 from its rhombi to its trapezoid, then arm 1, and so on. The
*first* block of each band, at j = 0 of arm 0, is also joined inward: with the first block of the next band,
or, from the innermost band, with the board of side r.

Every block's tour has the same edge, its *entrance*, where it is joined with the block before. It is left by
three: *inward*, *along* the arm, around the *corner* to the next arm. The first block of a band, which is
left twice, plays two roles: until it is left inward (the spine of the comb), and from there on (its tooth).
`data/glinski.json` has the edges and the tours, found by `find.join`; `theorems.glinski` checks them, and
`docs/glinski.md` is the proof that this makes a tour of every side.

Time: linear in the lines, about M² log M; memory too.
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
LEAST = 4  # the least side with a closed tour
TURN = np.array([[0, 1], [-1, 1]])  # (q, r) becomes (-r, q + r): from arm to arm
TURNS = np.array([np.linalg.matrix_power(TURN, arm) for arm in range(6)])

Cell = tuple[int, int]


@cache
def pieces(name: str = "glinski") -> dict[str, Any]:
    """What a file of tours of pieces, such as `data/glinski.json`, holds."""
    found: dict[str, Any] = json.loads((files("cavalcade") / "data" / f"{name}.json").read_bytes())
    return found


def chain(side: int, *, closed: bool = True) -> Chain:
    """A closed tour of the hexagon of a side, as lines of blocks; an open one is the same, cut.

    Places are array indices, as in `Tour.numbering`: (q + side - 1, r + side - 1).

    Raises:
        NoTemplateError: the side is less than 4, and such a board has no closed tour.

    Time: 60 ms for hex:5000, 75 million cells.
    """
    if side < LEAST:
        raise NoTemplateError(f"the side must be at least {LEAST}")
    return _Plan(side).chain(closed=closed)


class _Plan:
    """The lines of one board, and where a place lies among them.

    The rhombi of an arm are lines of 1, 2, 4, … blocks, largest first, so that few kinds of lines serve all
    arms. Kinds of lines and roles are numbered as they are first used.
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
        # which line the first block of a band and the trapezoid of each arm are, and how many lines the
        # rhombi of an arm make
        self.first = np.zeros(self.bands, dtype=np.int64)
        self.trapezoid = np.zeros((self.bands, 6), dtype=np.int64)
        self.ones = np.array([m.bit_count() for m in range(self.bands + 1)], dtype=np.int64)

    def chain(self, *, closed: bool) -> Chain:
        """The spine, outside in; the board; and the teeth, inside out, each out and back."""
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
            done = first = int(arm == 0)
            for power in range((m - first).bit_length() - 1 if m else -1, -1, -1):
                if (m - first) >> power & 1:
                    self.add("rhombus", "", arm, ring, DEPTH * done, 1 << power)
                    done += 1 << power
            self.trapezoid[m, arm] = len(self.kinds)
            if m or arm:
                self.add("trapezoid", "last" if arm == 5 else "", arm, ring, DEPTH * m)

    def add(self, block: str, part: str, arm: int, ring: int, place: int, length: int = 1) -> None:
        """A line of blocks that play a part, the first at this place of this ring of an arm."""
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
        """The line and the block in it of each place, as `chain.Finder`."""
        at = places - (self.side - 1)
        ring = np.abs(np.column_stack([at, at.sum(axis=1)])).max(axis=1)
        arm = np.zeros(len(at), dtype=np.int64)
        along = arm.copy()
        for turn in range(6):
            q, r = (at @ TURNS[-turn]).T
            mine = (q > 0) & (r >= 0)
            arm[mine], along[mine] = turn, r[mine]
        banded = (ring >= self.least) & (ring < self.side)
        line = np.full((len(at), 2), -1, dtype=np.int64)
        line[ring < self.least, 0] = self.bands  # the board
        block = np.zeros_like(line)
        m, k = (ring[banded] - self.least) // DEPTH, along[banded] // DEPTH
        arms = arm[banded]
        zero = arms == 0
        # the rhombi of the arm but for the first block of the band: the first line of them, how many, which
        after = np.where(zero, self.first[m], self.trapezoid[m, arms - 1]) + 1
        count, k = m - zero, k - zero
        # block k of `count` is in the line of the highest binary digit in which the two differ
        power = np.frexp((k ^ count).astype(np.float64))[1] - 1
        lines, blocks = after + self.ones[count >> (power + 1)], k & ((1 << np.maximum(power, 0)) - 1)
        ends, first = k >= count, zero & ((k < 0) | (m == 0))
        lines[ends], blocks[ends] = self.trapezoid[m, arms][ends], 0
        lines[first], blocks[first] = self.first[m[first]], 0
        line[banded, 0], block[banded, 0] = lines, blocks
        line[banded, 1] = np.where(first, self.bands - 1 - m, -1)
        return line, block


def _axial(cells: ArrayLike, arm: int) -> Ints:
    """Cells (row, place) of an arm as (q, r), relative to the cell (0, 0): a (k, 2) array."""
    row, place = np.asarray(cells, dtype=np.int64).reshape(-1, 2).T
    return np.asarray(np.stack([row - place, place], axis=1) @ TURNS[arm])


def _role(block: str, part: str, arm: int, least: int) -> Role:
    """A block that is entered by the entrance.

    Its part is the `spine`, until it is left inward; the `first` of a tooth, from there on; the `last`, which
    is not left; or, if it is "", to be left along or around the corner.
    """
    data = pieces()
    if block == "board":
        cells = np.array(data["boards"][str(least)]) @ TURNS[arm]
        return Role(cells.astype(np.int32), len(cells))
    tour = data["rhombus"] if block == "rhombus" else data["trapezoids"][str(least)]
    first = data["edges"]["along" if block == "rhombus" else "corner"][0]
    if block == "trapezoid":  # counted from the ends of the rows
        first = [first[0], first[1] + least + first[0]]
    inward, out = tour.index(data["edges"]["inward"][0]) + 1, tour.index(first) + 1
    cells = _axial(tour, arm).astype(np.int32)
    if part == "spine":
        return Role(cells[:inward], inward)
    if part == "first":
        return Role(cells[inward:], out - inward)
    return Role(cells, len(cells) if part == "last" else out)
