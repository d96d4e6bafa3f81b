"""Statistics of the moves of a tour and of consecutive moves: turns, angles, slopes, straight runs, windings.

An angle is measured between two consecutive moves at the cell where they meet; 180 degrees is straight ahead.
The knight on a flat board makes six angles, about 37, 53, 90, 127, 143 and 180 degrees (G. P. Jelliss,
Knight's Tour Notes; D. E. Knuth, The Art of Computer Programming, 7.2.2.4). Angles are compared exactly, by
the sign and the square of their cosine; floating-point numbers are used for their names only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from operator import add
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.measures import Angles, Counts, CountTable
from cavalcade.answers.tours import Tours
from cavalcade.boards import Board
from cavalcade.ground.errors import CavalcadeError
from cavalcade.ground.kernels import Ints, Mask
from cavalcade.question.graph import BLOCK
from cavalcade.question.moves import are_moves, graph_of
from cavalcade.question.pieces import Piece

Vector = tuple[int, ...]
Row = TypeVar("Row", NDArray[np.int64], NDArray[np.int32])

STRAIGHT = Fraction(-1)  # cosine of 180 degrees, squared with its sign kept


@dataclass(frozen=True)
class Directions:
    """Tables of the angles, slopes and turns of the moves of a piece on a board.

    Args:
        vectors: move vectors in ascending order, shape (k, d).
        passes: how the turn from one vector to another passes right, shape (k, k): 1 counterclockwise, -1
            clockwise, 0 if it does not, or unless the board has two dimensions.
        angle: index of the angle between two consecutive moves, shape (k, k); -1 for a move and its reverse.
        angles: names of the angles, in ascending order.
        straight: index of the straight angle, or -1.
        slope: index of the slope of each vector, shape (k,).
        slopes: names of the slopes.
    """

    vectors: NDArray[np.int64]
    passes: NDArray[np.int64]
    angle: NDArray[np.int64]
    angles: tuple[str, ...]
    straight: int
    slope: NDArray[np.int64]
    slopes: tuple[str, ...]


class WalkArrays:
    """Tours of one board with arrays that several statistics need, computed on first use.

    Attributes:
        tours: the tours, or walks that visit a part of the board.
        board: their board.
        starts: cell from which each move leads, shape (tours, moves).
        stops: cell to which each move leads, shape (tours, moves).
    """

    def __init__(self, tours: Tours) -> None:
        self.tours, self.board = tours, tours.board
        self.starts, self.stops = in_a_row(tours.cells, closed=tours.closed)

    @cached_property
    def table(self) -> Directions | None:
        """The table of directions; None if moves are not vectors."""
        board = self.board
        return None if board.plain or not board.family.flat else directions(board, self.tours.piece)

    @cached_property
    def coords(self) -> list[Ints]:
        """Coordinates of the cells in order, one array of shape (tours, cells) per dimension."""
        return [axis[self.tours.cells] for axis in self.board.coords.T.astype(np.int64, order="C")]

    @cached_property
    def ends(self) -> list[tuple[Ints, Ints]]:
        """Coordinates of the starts and stops of the moves, shape (tours, moves), per dimension."""
        return [in_a_row(axis, closed=self.tours.closed) for axis in self.coords]

    @cached_property
    def shoelaces(self) -> Ints:
        """Twice the signed area of the triangle between the origin and each move, shape (tours, moves)."""
        (row, end_row), (column, end_column) = self.ends
        areas = row * end_column
        areas -= column * end_row
        return areas

    @cached_property
    def kinds(self) -> Ints:
        """Indices of the vectors of the moves in the table, shape (tours, moves); -1 for an illegal move."""
        if self.table is None:
            return np.zeros((len(self.tours), 0), dtype=np.int64)
        vectors = self.table.vectors
        # Look the kind of a vector up in a box around the origin that contains all vectors.
        reach = np.abs(vectors).max(axis=0, initial=0)
        box = np.full(2 * reach + 1, -1, dtype=np.int32)
        box[tuple((vectors + reach).T)] = np.arange(len(vectors))
        kinds = np.full(self.starts.size, -1, dtype=np.int32)
        ends = [(starts.reshape(-1), stops.reshape(-1)) for starts, stops in self.ends]
        for begin in range(0, len(kinds), BLOCK):
            part = slice(begin, begin + BLOCK)
            steps = [stops[part] - starts[part] for starts, stops in ends]
            pairs = list(zip(steps, reach, strict=True))
            inside = np.logical_and.reduce([np.abs(step) <= most for step, most in pairs])
            kinds[part][inside] = box[tuple(step[inside] + most for step, most in pairs)]
        return np.asarray(kinds.reshape(self.starts.shape), dtype=np.int32)

    @cached_property
    def turn_kinds(self) -> Ints:
        """Code of each pair of consecutive moves, shape (tours, pairs): an index of a (k, k) table."""
        before, after = in_a_row(self.kinds, closed=self.tours.closed)
        return before * (0 if self.table is None else len(self.table.vectors)) + after

    @cached_property
    def turn_counts(self) -> Ints:
        """Number of pairs of consecutive moves of each code, shape (tours, k * k)."""
        return row_counts(self.turn_kinds, 0 if self.table is None else self.table.angle.size)

    @property
    def in_plane(self) -> bool:
        """Whether the moves are segments in the plane."""
        return self.table is not None and self.board.dimensions == 2

    @property
    def encloses(self) -> bool:
        """Whether the tours are closed curves in the plane."""
        return self.in_plane and self.tours.closed and self.starts.shape[1] > 0

    def assert_sound(self) -> None:
        """Validate the moves, and that no cell occurs twice.

        Raises:
            CavalcadeError: a cell occurs twice, or a move is illegal; the message names the first one.
        """
        tours, board, cells = self.tours, self.board, self.tours.cells
        # A cell that occurs again has a later step than the first one.
        twice = np.take_along_axis(tours.steps, cells, 1) != np.arange(1, cells.shape[1] + 1, dtype=np.int32)
        if twice.any():
            raise CavalcadeError(
                f"cannot measure a walk that visits {board.name(int(cells[twice][0]))} twice"
            )
        illegal = ~self._legal
        if illegal.any():
            row, step = np.argwhere(illegal)[0].tolist()
            ends = (board.name(int(cells[row, step])) for cells in (self.starts, self.stops))
            expected = "an edge" if board.plain else f"a {tours.piece.spec} move"
            raise CavalcadeError(
                f"cannot measure this walk: {' to '.join(ends)}, after step {step + 1}, is not {expected}"
            )

    @property
    def _legal(self) -> Mask:
        """Whether each move is legal, shape (tours, moves)."""
        if self.table is not None:
            return self.kinds >= 0
        # The graph answers many lookups faster than the geometry of a surface.
        graph = graph_of(self.board, self.tours.piece) if len(self.tours) > 1 else self.board
        legal = are_moves(graph, self.tours.piece, self.starts.ravel(), self.stops.ravel())
        return legal.reshape(self.starts.shape)


def row_counts(values: Ints, size: int) -> Ints:
    """Count the occurrences of 0, 1, …, size - 1 in each row; shape (rows, size)."""
    offsets = np.arange(len(values))[:, None] * size
    return np.bincount((values + offsets).ravel(), minlength=len(values) * size).reshape(len(values), size)


def count_table(kind: type[Counts], names: Sequence[str], numbers: Ints, kind_of: Ints) -> CountTable:
    """Add up numbers by kind.

    Args:
        kind: class of the value of one tour.
        names: names of the kinds.
        numbers: numbers of each code, shape (tours, codes).
        kind_of: kind of each code, or -1, shape (codes,).
    """
    members = kind_of[:, None] == np.arange(len(names))
    return CountTable(kind, tuple(names), numbers @ members.astype(np.int64))


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
    passes = [
        [(turn > 0 and v < u) - (turn < 0 and v > u) for turn, v in zip(row, headings, strict=True)]
        for row, u in zip(sense, headings, strict=False)
    ] or sense
    return Directions(
        np.array(vectors, dtype=np.int64).reshape(-1, d),
        np.array(passes, dtype=np.int64).reshape(len(vectors), -1),
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


def moves(walks: WalkArrays) -> Ints:
    """Number of moves."""
    return np.full(len(walks.tours), walks.starts.shape[1])


def turns(walks: WalkArrays) -> Ints | None:
    """Number of cells on which the direction changes."""
    unchanged = straight(walks)
    return None if unchanged is None else walks.turn_kinds.shape[1] - unchanged


def straight(walks: WalkArrays) -> Ints | None:
    """Number of cells on which the direction does not change."""
    if walks.table is None:
        return None
    return np.asarray(
        walks.turn_counts @ (walks.table.angle == walks.table.straight).ravel().astype(np.int64)
    )


def longest_run(walks: WalkArrays) -> Ints | None:
    """Largest number of consecutive moves in one direction."""
    if walks.table is None:
        return None
    number, pairs = walks.kinds.shape[1], walks.turn_kinds.shape[1]
    changes = np.flatnonzero((walks.table.angle != walks.table.straight).ravel()[walks.turn_kinds])
    first = np.searchsorted(changes, np.arange(len(walks.tours) + 1) * pairs)
    rows = np.flatnonzero(np.diff(first))  # tours that change their direction
    runs = np.full(len(walks.tours), number)
    if rows.size:
        # Runs between two changes of direction, and the run that contains the first move.
        lengths = np.diff(changes, prepend=0)
        before, after = (
            changes[first[rows]] - rows * pairs + 1,
            (rows + 1) * pairs - changes[first[rows + 1] - 1],
        )
        outer = before + after - 1 if walks.tours.closed else np.maximum(before, after)
        lengths[first[rows]] = outer
        runs[rows] = np.maximum.reduceat(lengths, first[rows])
    return runs


def angles(walks: WalkArrays) -> CountTable | None:
    """Number of angles of each size in degrees; `180` is straight ahead."""
    if (table := walks.table) is None:
        return None
    return count_table(Angles, table.angles, walks.turn_counts, table.angle.ravel())


def slopes(walks: WalkArrays) -> CountTable | None:
    """Number of moves of each slope."""
    if (table := walks.table) is None:
        return None
    return count_table(Counts, table.slopes, row_counts(walks.kinds, len(table.vectors)), table.slope)


def turning(walks: WalkArrays) -> Ints | None:
    """Absolute turning number of a closed tour in the plane: full rotations of its direction."""
    if not walks.encloses or walks.table is None:
        return None
    # Count how often the direction passes right, counterclockwise minus clockwise.
    return np.asarray(np.abs(walks.turn_counts @ walks.table.passes.ravel()))


def whirl(walks: WalkArrays) -> Ints | None:
    """Absolute difference between the numbers of counterclockwise and clockwise moves round the centre.

    A tour is whirling if this is the number of its moves (D. E. Knuth, The Art of Computer Programming,
    7.2.2.4).
    """
    if not walks.in_plane or walks.table is None or walks.board.family.centre is None:
        return None
    # The cross product of 2p - c and 2q - c, for a move from p to q; twice the centre is c.
    (rows, columns), (row, column) = walks.table.vectors.T, walks.board.family.centre
    seen = 4 * walks.shoelaces + (2 * (rows * column - columns * row))[walks.kinds]
    return np.asarray(np.abs(np.sign(seen).sum(axis=1)))


def winding(walks: WalkArrays) -> NDArray[np.float64] | None:
    """Absolute winding number of a closed tour in the plane round the centre of gravity of the cells.

    NaN if the tour passes through the centre.
    """
    if not walks.encloses:
        return None
    coords = walks.board.coords
    size, total = len(coords), np.array([axis.sum(dtype=np.int64) for axis in coords.T])
    scale = size // math.gcd(size, *total.tolist())  # makes the coordinates of the centre integers
    # Only moves that touch the row of the centre can pass through it, or cross a ray from it.
    centre = total * scale // size
    side_of_row = [np.sign(rows * scale - centre[0]).astype(np.int8) for rows in walks.ends[0]]
    touching = np.nonzero(side_of_row[0] * side_of_row[1] <= 0)
    (row, column), (end_row, end_column) = (
        [(axis[k][touching] * scale - middle) for axis, middle in zip(walks.ends, centre, strict=True)]
        for k in range(2)
    )
    side = end_column * row - end_row * column  # 0: the centre lies on the line of the move
    through = (side == 0) & (np.minimum(column, end_column) <= 0) & (np.maximum(column, end_column) >= 0)
    # Count the crossings of a ray from the centre, with their signs.
    down, up = (row <= 0) & (end_row > 0) & (side > 0), (end_row <= 0) & (row > 0) & (side < 0)
    windings = np.zeros(len(walks.tours))
    np.add.at(windings, touching[0], down.astype(np.float64) - up)
    windings[touching[0][through]] = np.nan
    return np.abs(windings)
