"""Gliński's hexagon of every side from 4 on: a closed tour as a chain of blocks.

n is the side; the *ring* of radius R > 0 holds the 6R cells at distance R from the centre. *Arm* 0 holds the
cells (R - j, j) with 0 <= j < R, the arms 1 to 5 are turned by 60 degrees each; a cell of a ring is in one
arm. Write n = r + 5M with 4 <= r <= 8. Around the board of side r lie M *bands* of five rings. In an arm of
the band whose innermost ring is R = r + 5m, row i = 0, …, 4 is that of ring R + i, and the blocks are

    rhombus     the cells with 5k <= j < 5k + 5, for k = 0, …, m - 1: five rows of 5
    trapezoid   the rest, 5m <= j < 5m + r + i: rows of r, r + 1, …, r + 4

The chain begins with the trapezoid of arm 0 of the outermost band. Then come the rhombi of arm 1 and its
trapezoid, and so on; the band ends with the rhombi of arm 0, and the last of them lies beside the first
trapezoid of the next band. In the innermost band, which has no rhombi, the trapezoid of arm 5 lies beside
the board of side r, which ends the chain.

Every block's tour has the same edge, its *entrance*, where it is joined with the block before. It is left by
one of three: *along* the arm, around the *corner* to the next arm, *inward* to the next band or the board.
`hexagons.json` has the edges and the tours, found by `find.join`; `proofs.glinski` checks them, and
`docs/glinski.md` is the proof that this makes a tour of every side.

Time: linear in the lines, about M² log M; memory too.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.construction.chain import Chain, Line, Role
from cavalcade.errors import BoardError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cavalcade.boards import Board
    from cavalcade.construction.chain import Ints

METHOD = "template"
DATA = files("cavalcade.construction") / "hexagons.json"
DEPTH = 5  # rings in a band, and cells in a row of a rhombus
LEAST = 4  # the least side with a closed tour
TURN = np.array([[0, 1], [-1, 1]])  # (q, r) becomes (-r, q + r): from arm to arm
TURNS = np.array([np.linalg.matrix_power(TURN, arm) for arm in range(6)])

Cell = tuple[int, int]


@cache
def pieces() -> dict[str, Any]:
    """What `hexagons.json` holds."""
    found: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return found


def plan(board: Board, *, closed: bool = True, start: int | None = None) -> Chain | Undecided:
    """A knight's tour of a whole hexagon as a chain of blocks, or why there is no template for it.

    Args:
        board: a hexagon without holes.
        closed: whether the tour returns.
        start: the first cell; there are no templates with one.
    """
    reason = ""
    if board.kind != "hex" or board.holes:
        reason = "it is no whole hexagon"
    elif board.side < LEAST:
        reason = f"a side of {LEAST} is the least"
    elif start is not None:
        reason = "it would have to begin where the template begins"
    if reason:
        kind = "a closed tour" if closed else "an open tour"
        return Undecided(f"no template for {kind} of {board.title}: {reason}", METHOD)
    return chain(board.side, closed=closed)


def chain(side: int, *, closed: bool = True) -> Chain:
    """A closed tour of the hexagon of a side, as a chain of blocks; an open one is the same, cut.

    Places are array indices, as in `Tour.numbering`: (q + side - 1, r + side - 1).

    Raises:
        BoardError: the side is less than 4, and such a board has no closed tour.

    Time: 60 ms for hex:5000, 75 million cells.
    """
    if side < LEAST:
        raise BoardError(f"hex:{side} has no closed tour, expected a side of at least {LEAST}")
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
        # which line the trapezoid of each arm is, and how many lines the rhombi of an arm make
        self.trapezoid = np.zeros((self.bands, 6), dtype=np.int64)
        self.ones = np.array([m.bit_count() for m in range(self.bands + 1)], dtype=np.int64)

    def chain(self, *, closed: bool) -> Chain:
        """All lines, outside in."""
        for m in range(self.bands - 1, -1, -1):
            ring = self.least + DEPTH * m
            for arm in range(6):
                self.trapezoid[m, arm] = len(self.kinds)
                last = m == 0 and arm == 5
                self.add("trapezoid", "inward" if last else "corner", arm, ring, DEPTH * m)
                self.rhombi((arm + 1) % 6, ring, m)
        self.add("board", "", 5, 0, 0)
        count = len(self.kinds)
        ways = np.concatenate([2 * np.arange(count), 2 * np.arange(count)[::-1] + 1])
        width = 2 * self.side - 1
        origins = np.array(self.origins, dtype=np.int64) + self.side - 1
        return Chain.of(
            (width, width), self.roles, self.lines, self.kinds, origins, ways, self.find, closed=closed
        )

    def rhombi(self, arm: int, ring: int, m: int) -> None:
        """The lines of the m rhombi of an arm; the last of arm 0 leads inward."""
        along = max(m - 1, 0) if arm == 0 else m
        done = 0
        for power in range(along.bit_length() - 1, -1, -1):
            if along >> power & 1:
                self.add("rhombus", "along", arm, ring, DEPTH * done, 1 << power)
                done += 1 << power
        if along < m:
            self.add("rhombus", "inward", arm, ring, DEPTH * done)

    def add(self, block: str, leaving: str, arm: int, ring: int, place: int, length: int = 1) -> None:
        """A line of blocks, the first at this place of this ring of an arm."""
        key = block, leaving, arm, length
        if key not in self.line_of:
            if key[:3] not in self.role_of:
                self.role_of[key[:3]] = len(self.roles)
                self.roles.append(_role(block, leaving, arm, self.least))
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
        line = np.where(banded, 0, len(self.kinds) - 1)
        line[ring >= self.side] = -1
        block = np.zeros_like(line)
        m, k = (ring[banded] - self.least) // DEPTH, along[banded] // DEPTH
        arms = arm[banded]
        after = self.trapezoid[m, arms - 1] + 1  # the first line of the arm's rhombi
        count = np.maximum(m - (arms == 0), 0)
        # block k of `count` is in the line of the highest binary digit in which the two differ
        power = np.frexp((k ^ count).astype(np.float64))[1] - 1
        lines, blocks = after + self.ones[count >> (power + 1)], k & ((1 << np.maximum(power, 0)) - 1)
        last = k == count  # the rhombus that leads inward
        lines[last], blocks[last] = after[last] + self.ones[count[last]], 0
        ends = k >= m
        lines[ends], blocks[ends] = self.trapezoid[m, arms][ends], 0
        line[banded], block[banded] = lines, blocks
        return line[:, None], block[:, None]


def _axial(cells: ArrayLike, arm: int) -> NDArray[np.int64]:
    """Cells (row, place) of an arm as (q, r), relative to the cell (0, 0): a (k, 2) array."""
    row, place = np.asarray(cells, dtype=np.int64).reshape(-1, 2).T
    return np.asarray(np.stack([row - place, place], axis=1) @ TURNS[arm])


def _role(block: str, leaving: str, arm: int, least: int) -> Role:
    """A block that is entered by the entrance and left by the edge of this name."""
    data = pieces()
    if block == "board":
        cells = np.array(data["boards"][str(least)]) @ TURNS[arm]
        return Role(cells.astype(np.int32), len(cells))
    tour = data["rhombus"] if block == "rhombus" else data["trapezoids"][str(least)]
    first = data["edges"][leaving][0]
    if leaving == "corner":  # counted from the ends of the rows
        first = [first[0], first[1] + least + first[0]]
    return Role(_axial(tour, arm).astype(np.int32), tour.index(first) + 1)
