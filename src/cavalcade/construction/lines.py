"""Closed tours with few turns and crossings: long parallel lines, joined along the edges of the board.

Besa, Johnson, Mamano, Osegueda & Williams (Taming the knight's tour, Theoretical Computer Science 902, 2022)
lead four knights together along parallel lines and turn all of them at the edge; their tours of n x n have
9.25 n + O(1) turns and 12 n + O(1) crossings. The lines here are the same, but each edge repeats the pattern
with the fewest turns that a search over all patterns found, and the knights separate there. So a tour of
n x n has 8 n - 7 turns and about 9.5 n crossings.

Inside, the tour passes all cells straight in direction 0, two rows up and one column right, or back. The top
and bottom edges are two rows deep and turn once for each of their cells. That is the minimum, because every
line that ends there turns. The left and right edges are three columns deep, with a period of two rows. In
their two outer columns two zigzags run along the whole side, besides the ends of the lines. They turn twice
per row; for this direction of the lines, that is the minimum for all patterns that are six columns deep with
a period of up to 16 rows (by an integer linear program, `tools/find_line_edges.py`).

Number the lines that begin on even rows, and the lines that begin on odd rows, by the column in which they
meet the bottom pair of rows, on the board or beyond. At every edge, line c of one kind is joined to line
c - 2 of the other kind, so that a path advances by 4 from edge to edge. There are four paths, of the lines
with equal c modulo 4, and two zigzags at each side. The corners at the bottom left and the top right continue
the paths, and connect the two zigzags there. The other two corners connect the four paths in pairs, with the
zigzags in one of them: c with c + 2 at the top left, c with c + 1 or c - 1 at the bottom right. So there is
one cycle for all sizes.

A SAT solver found these corners: among corners of their size with these connections, they have the fewest
turns. Corners with other connections may be better.

Time: linear in the cells, half a second for a million.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.verdict import Undecided
from cavalcade.ground.budget import Budget, assert_room
from cavalcade.ground.kernels import Cells, Tier, Vector
from cavalcade.question.pieces import KNIGHT
from cavalcade.question.question import Question

Pattern = NDArray[np.uint8]  # (rows, columns, 2): the two directions in which a tour leaves each cell

STEPS = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))  # rows down, columns right
LEAST = (18, 17)  # least rows and columns, so that the corners do not overlap


def _pattern(text: str) -> Pattern:
    """A pattern from two digits per cell, indices in `STEPS`."""
    return np.array(
        [[list(map(int, cell)) for cell in row.split()] for row in text.split("\n")], dtype=np.uint8
    )


INSIDE = _pattern("04")
TOP = _pattern("24\n46")
BOTTOM = _pattern("05\n01")
LEFT = _pattern("03 47 05\n01 04 04")
RIGHT = _pattern("24 03 47\n04 04 46")
# The corners, as far as they differ from the edges that meet there.
TOP_LEFT = _pattern("""\
23 24 25 24 24
13 24 56 46 46
01 47 04 06 04
02 47 04 04 04
03 04 56 04 04""")
TOP_RIGHT = _pattern("""\
24 24 24 24 34 45
46 46 46 16 36 46
04 03 04 03 05 57
04 04 14 12 04 47
24 04 47 24 37 46
04 04 46 04 04 46""")
BOTTOM_LEFT = _pattern("""\
03 47 05 04 04 04 05
01 04 04 04 01 04 04
03 47 05 04 04 45 04
01 04 04 15 04 04 04
02 17 05 05 05 05 05
01 01 16 01 01 01 01""")
BOTTOM_RIGHT = _pattern("""\
04 04 04 24 04 47
04 04 04 04 03 46
04 04 04 04 03 45
04 04 04 15 04 57
04 01 04 12 03 47
04 04 45 04 34 46
15 05 25 25 05 57
01 01 01 01 06 67""")


def no_template(question: Question) -> str:
    """Why the template has no such tour; "" if it has one."""
    board = question.board
    if question.piece != KNIGHT or not board.is_rectangle:
        return "lines are for knights on boxes of two dimensions"
    if board.mask is not None:
        return f"{board.title} has holes"
    if not _placings(*board.shape):
        return f"the template has an even number of rows, at least {LEAST[0]}, and {LEAST[1]} columns or more"
    if (
        question.required
        or question.forbidden
        or question.steps
        or question.through
        or question.symmetry
        or question.direction
    ):
        return "templates support no conditions"
    return "templates do not support --to: leave it out" if question.end is not None else ""


def lines(question: Question, budget: Budget, *, seed: int = 0) -> Cells | Undecided:
    """The cells of a tour with few turns and crossings: an engine for knights on whole flat boards.

    An open tour is a closed one without its last move. It ends on a turn and, unless the start is given, also
    begins on one.
    """
    del budget
    board = question.board
    if (reason := no_template(question)) or board.plain:
        return Undecided(f"no template: {reason}", "lines", seed)
    # Checking a tour and counting its turns takes 150 bytes of memory per cell.
    assert_room(150 * board.size, f"the tour of {board.title}, held and checked,")
    rows, columns = board.shape
    height, width, transposed = min(_placings(rows, columns))
    leaving = directions(height, width)
    corner, turns = (height - 1) * width, leaving[..., 0] ^ leaving[..., 1] ^ 4
    tier = Tier(height * width)
    offsets = np.array([down * width + right for down, right in STEPS])
    cells = tier.full(height * width)
    tier(_follow)(corner, int(leaving[-1, 0, 0]), tier.vector(turns.ravel()), tier.vector(offsets), cells)
    tour = np.asarray(cells, dtype=np.int32)
    if transposed:
        tour = (tour % width) * columns + tour // width
    return tour if question.start is None else np.roll(tour, -int(np.flatnonzero(tour == question.start)[0]))


def _placings(rows: int, columns: int) -> list[tuple[int, int, bool]]:
    """Possible heights and widths of the template, and whether the board is transposed for them."""
    placings = [(rows, columns, False), (columns, rows, True)]
    return [size for size in placings if size[0] % 2 == 0 and size[0] >= LEAST[0] and size[1] >= LEAST[1]]


def directions(height: int, width: int) -> Pattern:
    """The two directions in which the tour leaves each cell, shape (height, width, 2)."""
    pattern = np.empty((height, width, 2), dtype=np.uint8)
    pattern[:] = INSIDE
    phase = np.arange(height) % 2
    pattern[:, :3], pattern[:, -3:] = LEFT[phase], RIGHT[phase]
    pattern[:2], pattern[-2:] = TOP, BOTTOM
    for corner, down, right in (
        (TOP_LEFT, 0, 0), (TOP_RIGHT, 0, 1), (BOTTOM_LEFT, 1, 0), (BOTTOM_RIGHT, 1, 1),
    ):  # fmt: skip
        rows, columns = corner.shape[:2]
        row, column = down * (height - rows), right * (width - columns)
        pattern[row : row + rows, column : column + columns] = corner
    return pattern


def _follow(cell: int, direction: int, turns: Vector, offsets: Vector, cells: Vector) -> None:
    """Write the cells of the cycle that leaves a cell in a direction.

    Opposite directions differ by 4. So the exclusive or of the direction in which the tour arrives with the
    turn of the cell, which is the exclusive or of its two directions and 4, is the direction in which it
    continues.
    """
    for k in range(len(cells)):
        cells[k] = cell
        cell += offsets[direction]
        direction ^= turns[cell]
