"""The moves of a tour as vectors, and what follows from two moves in a row: turns, angles, straight runs.

An angle is the one between two moves at the cell where they meet: 180 degrees is straight on. The knight on a
flat board makes six, about 37, 53, 90, 127, 143 and 180 degrees (G. P. Jelliss, Knight's Tour Notes; D. E.
Knuth, The Art of Computer Programming, 7.2.2.4). Angles are distinguished exactly, by the sign and the square
of their cosine; floating-point numbers only name them.
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

STRAIGHT = Fraction(-1)  # the sign and the square of the cosine of 180 degrees


@dataclass(frozen=True)
class Directions:
    """What two moves of a piece on a board make with one another.

    Args:
        vectors: the moves, shape (k, d), in ascending order.
        rank: the place of each among the directions counterclockwise, in two dimensions; equal for parallel
            ones.
        sense: shape (k, k), the sign of the cross product of two moves, in two dimensions; else 0.
        angle: shape (k, k), the number of the angle from one move to the next.
        angles: the names of the angles, in ascending order.
        straight: the number of the straight angle.
        slope: the number of each move's slope.
        slopes: the names of the slopes.
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
    """A tour that is measured, with values that several statistics need, computed on first use."""

    def __init__(self, tour: Tour) -> None:
        self.tour, self.board = tour, tour.board
        cells = tour.cells.astype(np.int64)
        self.starts, self.stops = in_a_row(cells, closed=tour.closed)

    @cached_property
    def table(self) -> Directions | None:
        """The directions of its moves, where they have any."""
        board = self.board
        return None if board.plain or not board.family.flat else directions(board, self.tour.piece)

    @cached_property
    def kinds(self) -> NDArray[np.int64]:
        """The number of each move in the table."""
        if self.table is None:
            return np.zeros(0, dtype=np.int64)
        coords, vectors = self.board.coords.astype(np.int64), self.table.vectors
        steps = coords[self.stops] - coords[self.starts]
        radix = np.cumprod([1, *(2 * np.abs(vectors).max(axis=0) + 1)[:0:-1].tolist()])[::-1]
        codes = vectors @ radix
        order = np.argsort(codes)
        return np.asarray(order[np.searchsorted(codes, steps @ radix, sorter=order)], dtype=np.int64)

    @property
    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The number of each move, and that of the next one."""
        return in_a_row(self.kinds, closed=self.tour.closed)

    @property
    def in_plane(self) -> bool:
        """Whether its moves are lines in the plane."""
        return self.table is not None and self.board.dimensions == 2

    @property
    def encloses(self) -> bool:
        """Whether it is a closed line in the plane."""
        return self.in_plane and self.tour.closed and len(self.starts) > 0

    def assert_sound(self) -> None:
        """Refuse what is not a walk of the piece that visits no cell twice.

        Raises:
            CavalcadeError: it names the first thing that is wrong.
        """
        tour, board = self.tour, self.board
        if np.bincount(tour.cells, minlength=1).max() > 1:
            twice = int(np.bincount(tour.cells).argmax())
            raise CavalcadeError(f"cannot measure a walk that visits {board.name(twice)} twice")
        fine = are_moves(board, tour.piece, self.starts, self.stops)
        if not fine.all():
            step = int(np.flatnonzero(~fine)[0])
            move = f"{board.name(int(self.starts[step]))} to {board.name(int(self.stops[step]))}"
            who = "an edge" if board.plain else f"a {tour.piece.spec} move"
            raise CavalcadeError(f"cannot measure this walk: {move}, after step {step + 1}, is not {who}")


def in_a_row(each: Row, *, closed: bool) -> tuple[Row, Row]:
    """Each of these and the next one, which comes after the last if they are closed; of a row, or of rows."""
    if closed and each.shape[-1] > 1:
        return each, np.roll(each, -1, axis=-1)
    return each[..., :-1], each[..., 1:]


@lru_cache(maxsize=16)
def directions(board: Board, piece: Piece) -> Directions:
    """The table of a piece's moves on a board."""
    vectors = sorted({tuple(vector) for vector in piece.vectors(board).tolist()})
    d, hexagonal = board.dimensions, board.family.hexagonal

    def dot(u: Vector, v: Vector) -> int:  # on hexagons twice the product, in axial coordinates
        plain = sum(a * b for a, b in zip(u, v, strict=True))
        return 2 * plain + u[0] * v[1] + u[1] * v[0] if hexagonal else plain

    def cosine(u: Vector, v: Vector) -> Fraction:
        """The sign and the square of the cosine of the angle between the way back along u, and v."""
        scalar = -dot(u, v)
        return Fraction(scalar * abs(scalar), dot(u, u) * dot(v, v))

    table = [[cosine(u, v) for v in vectors] for u in vectors]
    apart = [(u, v) for u, v in product(vectors, repeat=2) if any(map(add, u, v))]  # v is not the way back
    kinds = sorted({cosine(u, v) for u, v in apart}, reverse=True)
    number = {kind: i for i, kind in enumerate(kinds)}
    names = _names([math.degrees(math.acos(math.copysign(math.sqrt(abs(kind)), kind))) for kind in kinds])
    angle = [[number.get(kind, -1) for kind in row] for row in table]
    # rows count downwards, so counterclockwise is positive like this
    sense = [[u[0] * v[1] - u[1] * v[0] if d == 2 else 0 for v in vectors] for u in vectors]
    slopes = [_slope(vector, flat=d == 2 and not hexagonal) for vector in vectors]
    kept = sorted(set(slopes), key=lambda name: (len(name[1]), name[1]))
    around = [_direction(vector) for vector in vectors] if d == 2 else []
    rank = [sorted(set(around)).index(one) for one in around] or [0] * len(vectors)
    return Directions(
        np.array(vectors, dtype=np.int64).reshape(-1, d),
        np.array(rank, dtype=np.int64),
        np.sign(np.array(sense, dtype=np.int64)).reshape(len(vectors), -1),
        np.array(angle, dtype=np.int64).reshape(len(vectors), -1),
        tuple(names),
        number.get(STRAIGHT, -1),
        np.array([kept.index(one) for one in slopes], dtype=np.int64),
        tuple(name for name, _ in kept),
    )


def _names(degrees: list[float]) -> list[str]:
    """The angles in degrees, with as few decimals as tell them apart."""
    for decimals in range(12):
        names = [f"{one:.{decimals}f}" for one in degrees]
        if len(set(names)) == len(names):
            break
    return names


def _slope(vector: Vector, *, flat: bool) -> tuple[str, tuple[Fraction, ...]]:
    """A name for the line of a move, and a key to sort it: on flat boards its rise by its run."""
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


def _direction(vector: Vector) -> tuple[bool, Fraction | float]:
    """A key that sorts vectors counterclockwise from the direction to the right; parallel ones have one."""
    row, column = vector
    return row > 0 or (row == 0 and column < 0), Fraction(column, row) if row else -math.inf


# ---- the statistics


def moves(walk: Walk) -> int:
    """How many moves there are."""
    return len(walk.starts)


def turns(walk: Walk) -> int | None:
    """On how many cells the direction changes."""
    return None if (every := angles(walk)) is None else sum(every.values()) - (straight(walk) or 0)


def straight(walk: Walk) -> int | None:
    """On how many cells the direction does not change."""
    if walk.table is None or (every := angles(walk)) is None:
        return None
    return every[walk.table.angles[walk.table.straight]] if walk.table.straight >= 0 else 0


def longest_run(walk: Walk) -> int | None:
    """The most moves in a row in one direction."""
    if walk.table is None:
        return None
    before, after = walk.pairs
    changes = np.flatnonzero(walk.table.angle[before, after] != walk.table.straight)
    number = len(walk.kinds)
    if not changes.size:
        return number
    if walk.tour.closed:
        outer = [changes[0] + number - changes[-1]]
    else:
        outer = [changes[0] + 1, number - 1 - changes[-1]]
    return int(max([*outer, np.diff(changes).max(initial=0)]))


def angles(walk: Walk) -> Angles | None:
    """How many angles there are of each size in degrees; `180` is straight on."""
    if (table := walk.table) is None:
        return None
    found = table.angle[walk.pairs]
    return Angles(zip(table.angles, np.bincount(found, minlength=len(table.angles)).tolist(), strict=True))


def slopes(walk: Walk) -> Counts | None:
    """How many moves there are of each slope."""
    if (table := walk.table) is None:
        return None
    found = np.bincount(table.slope[walk.kinds], minlength=len(table.slopes)).tolist()
    return Counts(zip(table.slopes, found, strict=True))


def turning(walk: Walk) -> int | None:
    """How often the direction of a closed tour in the plane turns round in all, without a sign."""
    if not walk.encloses or (table := walk.table) is None:
        return None
    before, after = walk.pairs
    sense = table.sense[before, after]
    ranks, then = table.rank[before], table.rank[after]
    return abs(int(((sense > 0) & (then < ranks)).sum()) - int(((sense < 0) & (then > ranks)).sum()))


def whirl(walk: Walk) -> int | None:
    """The moves round the centre of the board in one direction less those in the other, unsigned.

    A tour is whirling if that is all of its moves (D. E. Knuth, The Art of Computer Programming, 7.2.2.4).
    """
    board = walk.board
    if board.plain or board.family.centre is None:
        return None
    moves = np.stack([walk.starts, walk.stops], axis=1).astype(np.int32)
    return abs(int(about_the_centre(board, moves).sum()))


def winding(walk: Walk) -> int | None:
    """How often a closed tour in the plane goes round the centre of gravity of the board's cells, unsigned.

    None if it passes through it.
    """
    if not walk.encloses:
        return None
    coords = walk.board.coords.astype(np.int64)
    size, total = len(coords), coords.sum(axis=0)
    scale = size // math.gcd(size, *total.tolist())
    starts, stops = walk.starts, walk.stops
    here = coords[starts] * scale - total * scale // size
    there = coords[stops] * scale - total * scale // size
    way = coords[stops] - coords[starts]
    side = way[:, 1] * here[:, 0] - way[:, 0] * here[:, 1]  # 0: the centre lies on the line of the move
    between = (np.minimum(here, there) <= 0).all(axis=1) & (np.maximum(here, there) >= 0).all(axis=1)
    if ((side == 0) & between).any():
        return None
    down = (here[:, 0] <= 0) & (there[:, 0] > 0)
    up = (there[:, 0] <= 0) & (here[:, 0] > 0)
    return abs(int((down & (side > 0)).sum()) - int((up & (side < 0)).sum()))
