"""Statistics of the moves of a tour and of consecutive moves: turns, angles, slopes, straight runs, windings.

An angle is measured between two consecutive moves at the cell where they meet; 180 degrees is straight ahead.
The knight on a flat board makes six angles, about 37, 53, 90, 127, 143 and 180 degrees (G. P. Jelliss,
Knight's Tour Notes; D. E. Knuth, The Art of Computer Programming, 7.2.2.4). Angles are compared exactly, by
the sign and the square of their cosine; floating-point numbers are used for their names only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from operator import add
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.measures import Angles, Counts
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.constraints import turning as about_the_centre
from cavalcade.question.moves import are_moves
from cavalcade.question.pieces import Piece

Vector = tuple[int, ...]
Row = TypeVar("Row", NDArray[np.int64], NDArray[np.int32])

STRAIGHT = Fraction(-1)  # cosine of 180 degrees, squared with its sign kept


@dataclass(frozen=True)
class Directions:
    """Tables of the angles, slopes and turns of the moves of a piece on a board.

    Args:
        vectors: move vectors in ascending order, shape (k, d).
        rank: positions of the vectors among the directions, counterclockwise; equal for parallel vectors. All
            0 unless the board has two dimensions.
        sense: sign of the cross product of two vectors, shape (k, k); 0 unless the board has two dimensions.
        angle: index of the angle between two consecutive moves, shape (k, k); -1 for a move and its reverse.
        angles: names of the angles, in ascending order.
        straight: index of the straight angle, or -1.
        slope: index of the slope of each vector, shape (k,).
        slopes: names of the slopes.
    """

    vectors: NDArray[np.int64]
    rank: NDArray[np.int64]
    sense: NDArray[np.int64]
    angle: NDArray[np.int64]
    angles: tuple[str, ...]
    straight: int
    slope: NDArray[np.int64]
    slopes: tuple[str, ...]


class Walk:
    """A tour with values that several statistics need, computed on first use.

    Attributes:
        tour: the tour.
        board: its board.
        starts: cell from which each move leads, shape (moves,).
        stops: cell to which each move leads, shape (moves,).
    """

    def __init__(self, tour: Tour) -> None:
        self.tour, self.board = tour, tour.board
        cells = tour.cells.astype(np.int64)
        self.starts, self.stops = in_a_row(cells, closed=tour.closed)

    @cached_property
    def table(self) -> Directions | None:
        """The table of directions; None if moves are not vectors."""
        board = self.board
        return None if board.plain or not board.family.flat else directions(board, self.tour.piece)

    @cached_property
    def kinds(self) -> NDArray[np.int64]:
        """Indices of the vectors of the moves in the table, shape (moves,)."""
        if self.table is None:
            return np.zeros(0, dtype=np.int64)
        coords, vectors = self.board.coords.astype(np.int64), self.table.vectors
        steps = coords[self.stops] - coords[self.starts]
        # Encode each vector as one integer, in a mixed radix that is wide enough for all of them.
        radix = np.cumprod([1, *(2 * np.abs(vectors).max(axis=0) + 1)[:0:-1].tolist()])[::-1]
        codes = vectors @ radix
        order = np.argsort(codes)
        return np.asarray(order[np.searchsorted(codes, steps @ radix, sorter=order)], dtype=np.int64)

    @property
    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Vector indices of all moves that have a successor, and of their successors."""
        return in_a_row(self.kinds, closed=self.tour.closed)

    @property
    def in_plane(self) -> bool:
        """Whether the moves are segments in the plane."""
        return self.table is not None and self.board.dimensions == 2

    @property
    def encloses(self) -> bool:
        """Whether the tour is a closed curve in the plane."""
        return self.in_plane and self.tour.closed and len(self.starts) > 0

    def assert_sound(self) -> None:
        """Validate the moves, and that no cell occurs twice.

        Raises:
            CavalcadeError: a cell occurs twice, or a move is illegal; the message names the first one.
        """
        tour, board = self.tour, self.board
        if np.bincount(tour.cells, minlength=1).max() > 1:
            twice = int(np.bincount(tour.cells).argmax())
            raise CavalcadeError(f"cannot measure a walk that visits {board.name(twice)} twice")
        legal = are_moves(board, tour.piece, self.starts, self.stops)
        if not legal.all():
            step = int(np.flatnonzero(~legal)[0])
            move = f"{board.name(int(self.starts[step]))} to {board.name(int(self.stops[step]))}"
            expected = "an edge" if board.plain else f"a {tour.piece.spec} move"
            raise CavalcadeError(
                f"cannot measure this walk: {move}, after step {step + 1}, is not {expected}"
            )


def in_a_row(values: Row, *, closed: bool) -> tuple[Row, Row]:
    """Return all values that have a successor, and their successors.

    Args:
        values: one sequence, or one per row.
        closed: whether the first value of a sequence follows the last.
    """
    if closed and values.shape[-1] > 1:
        return values, np.roll(values, -1, axis=-1)
    return values[..., :-1], values[..., 1:]


@lru_cache(maxsize=16)
def directions(board: Board, piece: Piece) -> Directions:
    """Compute the tables of the moves of a piece on a board."""
    vectors = sorted({tuple(vector) for vector in piece.vectors(board).tolist()})
    d, hexagonal = board.dimensions, board.family.hexagonal

    def dot(u: Vector, v: Vector) -> int:
        """Dot product; doubled on hexagonal cells, whose coordinates are axial."""
        plain = sum(a * b for a, b in zip(u, v, strict=True))
        return 2 * plain + u[0] * v[1] + u[1] * v[0] if hexagonal else plain

    def cosine(u: Vector, v: Vector) -> Fraction:
        """Square of the cosine of the angle between -u and v, with the sign of the cosine."""
        scalar = -dot(u, v)
        return Fraction(scalar * abs(scalar), dot(u, u) * dot(v, v))

    table = [[cosine(u, v) for v in vectors] for u in vectors]
    successive = [(u, v) for u, v in product(vectors, repeat=2) if any(map(add, u, v))]  # v does not undo u
    kinds = sorted({cosine(u, v) for u, v in successive}, reverse=True)
    number = {kind: i for i, kind in enumerate(kinds)}
    names = _names([math.degrees(math.acos(math.copysign(math.sqrt(abs(kind)), kind))) for kind in kinds])
    angle = [[number.get(kind, -1) for kind in row] for row in table]
    # Rows count downwards, so this cross product is positive for a counterclockwise turn.
    sense = [[u[0] * v[1] - u[1] * v[0] if d == 2 else 0 for v in vectors] for u in vectors]
    slopes = [_slope(vector, flat=d == 2 and not hexagonal) for vector in vectors]
    distinct_slopes = sorted(set(slopes), key=lambda slope: (len(slope[1]), slope[1]))
    headings = [_heading(vector) for vector in vectors] if d == 2 else []
    rank = [sorted(set(headings)).index(heading) for heading in headings] or [0] * len(vectors)
    return Directions(
        np.array(vectors, dtype=np.int64).reshape(-1, d),
        np.array(rank, dtype=np.int64),
        np.sign(np.array(sense, dtype=np.int64)).reshape(len(vectors), -1),
        np.array(angle, dtype=np.int64).reshape(len(vectors), -1),
        tuple(names),
        number.get(STRAIGHT, -1),
        np.array([distinct_slopes.index(slope) for slope in slopes], dtype=np.int64),
        tuple(name for name, _ in distinct_slopes),
    )


def _names(degrees: list[float]) -> list[str]:
    """Format angles with the smallest number of decimals that keeps them distinct."""
    for decimals in range(12):
        names = [f"{angle:.{decimals}f}" for angle in degrees]
        if len(set(names)) == len(names):
            break
    return names


def _slope(vector: Vector, *, flat: bool) -> tuple[str, tuple[Fraction, ...]]:
    """Return the name and the sort key of the slope of a move: on flat boards, rise divided by run."""
    if flat:
        rise, run = -vector[0], vector[1]
        if run == 0:
            return "vertical", (Fraction(0), Fraction(0))
        slope = Fraction(rise, run)
        return str(slope), (-slope,)
    common = math.gcd(*vector)
    sign = 1 if next(x for x in vector if x) > 0 else -1
    line = [sign * x // common for x in vector]
    return ",".join(map(str, line)), tuple(map(Fraction, line))


def _heading(vector: Vector) -> tuple[bool, Fraction | float]:
    """Return a key that sorts vectors counterclockwise from the direction to the right."""
    row, column = vector
    return row > 0 or (row == 0 and column < 0), Fraction(column, row) if row else -math.inf


# ---- the statistics


def moves(walk: Walk) -> int:
    """Number of moves."""
    return len(walk.starts)


def turns(walk: Walk) -> int | None:
    """Number of cells on which the direction changes."""
    return None if (numbers := angles(walk)) is None else sum(numbers.values()) - (straight(walk) or 0)


def straight(walk: Walk) -> int | None:
    """Number of cells on which the direction does not change."""
    if (table := walk.table) is None or (numbers := angles(walk)) is None:
        return None
    return numbers[table.angles[table.straight]] if table.straight >= 0 else 0


def longest_run(walk: Walk) -> int | None:
    """Largest number of consecutive moves in one direction."""
    if walk.table is None:
        return None
    before, after = walk.pairs
    changes = np.flatnonzero(walk.table.angle[before, after] != walk.table.straight)
    number = len(walk.kinds)
    if not changes.size:
        return number
    # Runs between two changes of direction, and the run that contains the first move.
    if walk.tour.closed:
        outer = [changes[0] + number - changes[-1]]
    else:
        outer = [changes[0] + 1, number - 1 - changes[-1]]
    return int(max([*outer, np.diff(changes).max(initial=0)]))


def angles(walk: Walk) -> Angles | None:
    """Number of angles of each size in degrees; `180` is straight ahead."""
    if (table := walk.table) is None:
        return None
    numbers = np.bincount(table.angle[walk.pairs], minlength=len(table.angles)).tolist()
    return Angles(zip(table.angles, numbers, strict=True))


def slopes(walk: Walk) -> Counts | None:
    """Number of moves of each slope."""
    if (table := walk.table) is None:
        return None
    numbers = np.bincount(table.slope[walk.kinds], minlength=len(table.slopes)).tolist()
    return Counts(zip(table.slopes, numbers, strict=True))


def turning(walk: Walk) -> int | None:
    """Absolute turning number of a closed tour in the plane: full rotations of its direction."""
    if not walk.encloses or (table := walk.table) is None:
        return None
    before, after = walk.pairs
    sense = table.sense[before, after]
    # Count how often the direction passes right, counterclockwise minus clockwise.
    change = table.rank[after] - table.rank[before]
    return abs(int(((sense > 0) & (change < 0)).sum()) - int(((sense < 0) & (change > 0)).sum()))


def whirl(walk: Walk) -> int | None:
    """Absolute difference between the numbers of counterclockwise and clockwise moves round the centre.

    A tour is whirling if this is the number of its moves (D. E. Knuth, The Art of Computer Programming,
    7.2.2.4).
    """
    board = walk.board
    if board.plain or board.family.centre is None:
        return None
    moves = np.stack([walk.starts, walk.stops], axis=1).astype(np.int32)
    return abs(int(about_the_centre(board, moves).sum()))


def winding(walk: Walk) -> int | None:
    """Absolute winding number of a closed tour in the plane round the centre of gravity of the cells.

    None if the tour passes through the centre.
    """
    if not walk.encloses:
        return None
    coords = walk.board.coords.astype(np.int64)
    size, total = len(coords), coords.sum(axis=0)
    scale = size // math.gcd(size, *total.tolist())  # makes the coordinates of the centre integers
    starts, stops = (coords[cells] * scale - total * scale // size for cells in (walk.starts, walk.stops))
    way = stops - starts
    side = way[:, 1] * starts[:, 0] - way[:, 0] * starts[:, 1]  # 0: the centre lies on the line of the move
    between = (np.minimum(starts, stops) <= 0).all(axis=1) & (np.maximum(starts, stops) >= 0).all(axis=1)
    if ((side == 0) & between).any():
        return None
    # Count the crossings of a ray from the centre, with their signs.
    down = (starts[:, 0] <= 0) & (stops[:, 0] > 0)
    up = (stops[:, 0] <= 0) & (starts[:, 0] > 0)
    return abs(int((down & (side > 0)).sum()) - int((up & (side < 0)).sum()))
