"""The checker's own geometry: what it knows of boards, one place a family.

A family of boards is two things: its *vectors*, the moves of a piece on an endless flat board, and, where the
board is not flat, how it is *folded*: where a place beyond the edge lies on the board. Places are indices of
the board's array, one row a dimension; cells are its places in order, without the holes.

Nothing here is shared with what finds tours and proofs (`graph`, `Piece.vectors`, `Board.locate`).
"""

from __future__ import annotations

from functools import partial
from itertools import permutations, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.errors import BoardError, PieceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cavalcade.boards import Board
    from cavalcade.question.pieces import Piece

Ints = NDArray[np.int64]
Vectors = list[tuple[int, ...]]


def is_move(
    board: Board, piece: Piece, starts: NDArray[np.integer], ends: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Which cells of `starts` are a move from those of `ends`. Time: linear for each vector."""
    places = _places(board)
    here, there = (np.stack(np.unravel_index(places[cells], board.shape)) for cells in (starts, ends))
    legal = np.zeros(len(starts), dtype=np.bool_)
    for target in _targets(board, piece, here):
        legal |= (target == there).all(axis=0)
    return np.asarray(legal & (starts != ends))


def all_moves(board: Board, piece: Piece) -> Ints:
    """Every pair of cells (a, b) a move apart, a < b, once or more. Time: linear for each vector."""
    places = _places(board)
    number = np.full(int(np.prod(board.shape)), -1, dtype=np.int64)
    number[places] = np.arange(len(places))
    sides = np.array(board.shape)[:, None]
    found = [np.zeros((0, 2), dtype=np.int64)]
    for target in _targets(board, piece, np.stack(np.unravel_index(places, board.shape))):
        here = np.flatnonzero(((target >= 0) & (target < sides)).all(axis=0))
        there = number[np.ravel_multi_index(tuple(target[:, here]), board.shape)]
        once = there > here  # every move comes with its way back
        found.append(np.stack([here[once], there[once]], axis=1))
    return np.concatenate(found)


def ascending(edges: Ints, size: int) -> Ints:
    """Each edge once, smaller end first, in ascending order."""
    a, b = edges.T
    keys = np.sort(np.minimum(a, b) * size + np.maximum(a, b))
    keys = keys[np.append(True, keys[1:] != keys[:-1])] if keys.size else keys
    return np.stack([keys // size, keys % size], axis=1)


def vectors(board: Board, piece: Piece) -> Vectors:
    """The moves on an endless flat board: leaps in lexicographic order, given moves as given, then back.

    Raises:
        PieceError: the given moves have more or fewer numbers than the board has dimensions.
    """
    if any(len(move) != board.dimensions for move in piece.moves):
        raise PieceError(f"the moves of {piece.spec} do not have {board.dimensions} numbers each")
    given = [*piece.moves, *(tuple(-x for x in move) for move in piece.moves)]
    leaps = {vector for a, b in piece.leaps for vector in FAMILIES[board.kind].leaps(board.dimensions, a, b)}
    return list(dict.fromkeys([*given, *sorted(leaps)]))


def places_of(board: Board) -> Ints:
    """Where every cell lies in the board's array: (n, d)."""
    return np.stack(np.unravel_index(_places(board), board.shape), axis=1)


def is_flat(board: Board) -> bool:
    """Whether a move is a vector from anywhere on the board."""
    return FAMILIES[board.kind].fold is None and FAMILIES[board.kind].walk is None


def turning(board: Board, moves: Ints) -> Ints:
    """Which way moves go about the centre, as the board is drawn: 1 against the clock, -1 with it, else 0.

    Args:
        board: a box in two dimensions or a hexagon, with or without holes.
        moves: (k, 2), the cells from and to.
    """
    places = _places(board)
    row, column = np.stack(np.unravel_index(places, board.shape)).astype(np.int64)
    m, n = board.shape
    if board.kind == "hex":  # columns of hexagons, each half a hexagon lower than the one before it
        right, up = 3 * (2 * row - m + 1), -(2 * (2 * column - n + 1) + (2 * row - m + 1))
    else:
        right, up = 2 * column - n + 1, m - 1 - 2 * row
    a, b = moves.T
    return np.asarray(np.sign(right[a] * up[b] - up[a] * right[b]))


def _places(board: Board) -> Ints:
    """The flat index of every cell in the board's array.

    Raises:
        BoardError: the cells are not those of the family, but for the holes that the board names.
    """
    inside = FAMILIES[board.kind].inside
    whole = np.ones(board.shape, dtype=np.bool_)
    if inside is not None:
        whole = inside(board.sides, *np.indices(board.shape, sparse=True))
    cells = np.ones_like(whole) if board.mask is None else board.mask
    if (cells & ~whole).any() or int(np.count_nonzero(whole & ~cells)) != len(board.holes):
        raise BoardError(f"{board.title} does not have the cells of its family")
    return np.flatnonzero(cells)


def _targets(board: Board, piece: Piece, here: Ints) -> Iterator[Ints]:
    """Where each move leads from these places; beyond the edge too."""
    family = FAMILIES[board.kind]
    if family.walk is not None:
        yield from family.walk(board, piece, here)
        return
    moves = vectors(board, piece)
    if family.turns:  # around the surface once, a move is its mirror image
        moves = list(dict.fromkeys([*moves, *((-row, *rest) for row, *rest in moves)]))
    for vector in moves:
        there = here + np.array(vector)[:, None]
        yield there if family.fold is None else family.fold(board, there)


# ---- the families


class FamilyGeometry(NamedTuple):
    """What the checker knows of one family of boards."""

    leaps: Callable[[int, int, int], Iterator[tuple[int, ...]]]  # of d, a and b: the vectors of a leap
    fold: Callable[[Board, Ints], Ints] | None = None  # where places lie on the board; None if it is flat
    turns: bool = False  # whether a way around turns the board over
    walk: Callable[[Board, Piece, Ints], Iterator[Ints]] | None = (
        None  # the targets, where vectors lead nowhere
    )
    inside: Callable[..., NDArray[np.bool_]] | None = None  # of the sides, rows and columns: what is a cell

    @property
    def hexagonal(self) -> bool:
        """Whether cells have six neighbours."""
        return self.leaps is _hexagonal


def _straight(dimensions: int, a: int, b: int) -> Iterator[tuple[int, ...]]:
    """Leaps of square cells: a along one axis and b along another."""
    for first, second in permutations(range(dimensions), 2):
        for x, y in product((a, -a), (b, -b)):
            yield tuple({first: x, second: y}.get(i, 0) for i in range(dimensions))


def _hexagonal(_: int, a: int, b: int) -> Iterator[tuple[int, ...]]:
    """Leaps of hexagonal cells: two of three coordinates that add up to 0."""
    for x, y, _ in permutations((a, b, -a - b)):
        yield from ((x, y), (-x, -y))


def _folded(board: Board, at: Ints, *, down: bool, flip: bool) -> Ints:
    """Columns go around, with `flip` upside down each time; rows too with `down`."""
    (m, n), (rows, columns) = board.shape, at
    around = columns // n
    if flip:
        rows = np.where(around % 2 == 1, m - 1 - rows, rows)
    return np.stack([rows % m if down else rows, columns - around * n])


def _hexagon(sides: tuple[int, ...], rows: Ints, columns: Ints) -> NDArray[np.bool_]:
    """No coordinate, seen from the centre, is n or more."""
    q, r = rows - (sides[0] - 1), columns - (sides[0] - 1)
    return np.asarray(np.maximum(np.maximum(abs(q), abs(r)), abs(q + r)) < sides[0])


def _triangle(sides: tuple[int, ...], rows: Ints, columns: Ints) -> NDArray[np.bool_]:
    """Row i of the array has n - i cells, and begins where the array begins."""
    return np.asarray(rows < sides[0] - columns)


def _sided(sides: tuple[int, ...], rows: Ints, columns: Ints) -> NDArray[np.bool_]:
    """What is on the path of length x along A from some y B + z C, each below its side."""
    a, b, c = sides
    cells = np.zeros((a + b - 1, b + c - 1), dtype=np.bool_)
    for y, z in product(range(b), range(c)):
        cells[b - 1 - y : b - 1 - y + a, y - z + c - 1] = True
    return cells[rows, columns]


def _cross(sides: tuple[int, ...], rows: Ints, columns: Ints) -> NDArray[np.bool_]:
    """Not in a corner: rows and columns come in three thirds, and one of the two is the middle one."""
    return np.asarray((rows // sides[0] == 1) | (columns // sides[0] == 1))


def _net(sides: tuple[int, ...]) -> list[tuple[tuple[int, int], tuple[int, int], Ints]]:
    """The faces of an unfolded box: first row and column, rows and columns, and the corner points in space.

    The points are those at the first corner, one row down, and one column to the right of it.
    """
    k, m, n = sides if len(sides) == 3 else sides * 3
    faces = [
        ((0, m), (m, n), [(0, 0, 0), (0, 1, 0), (0, 0, 1)]),
        ((m, 0), (k, m), [(0, 0, 0), (1, 0, 0), (0, 1, 0)]),
        ((m, m), (k, n), [(0, m, 0), (1, m, 0), (0, m, 1)]),
        ((m, m + n), (k, m), [(0, m, n), (1, m, n), (0, m - 1, n)]),
        ((m, 2 * m + n), (k, n), [(0, 0, n), (1, 0, n), (0, 0, n - 1)]),
        ((m + k, m), (m, n), [(k, m, 0), (k, m - 1, 0), (k, m, 1)]),
    ]
    return [(corner, size, np.array(points)) for corner, size, points in faces]


def _on_the_net(sides: tuple[int, ...], rows: Ints, columns: Ints) -> NDArray[np.bool_]:
    """Any of the six faces."""
    found = np.zeros(np.broadcast_shapes(rows.shape, columns.shape), dtype=np.bool_)
    for (row, column), (m, n), _ in _net(sides):
        found |= (rows >= row) & (rows < row + m) & (columns >= column) & (columns < column + n)
    return found


def squares_of_the_net(sides: tuple[int, ...]) -> tuple[Ints, Ints]:
    """The squares of the net of a box, (c, 2), and the corners of each in space, (c, 4, 3), in turn."""
    squares, corners = [], []
    for first, size, (origin, down, right) in _net(sides):
        at = np.indices(size).reshape(2, -1).T
        squares.append(at + first)
        around = at[:, None, :] + np.array([(0, 0), (0, 1), (1, 1), (1, 0)])
        corners.append(origin + around @ np.stack([down - origin, right - origin]))
    return np.concatenate(squares), np.concatenate(corners)


def _edges_of_the_net(sides: tuple[int, ...]) -> tuple[Ints, Ints]:
    """The squares of the net, (c, 2), and for each of their edges the edge that it meets when it is folded.

    Edge 4 i + j is side j of square i, in turn: top, right, bottom, left. Two edges meet that have the same
    two corner points in space.
    """
    squares, corners = squares_of_the_net(sides)
    points = corners @ np.array([10**12, 10**6, 1])
    ends = np.sort(np.stack([points, np.roll(points, -1, axis=1)], axis=2), axis=2).reshape(-1, 2)
    order = np.lexsort(ends.T)
    meets = np.empty(len(order), dtype=np.int64)
    meets[order] = order.reshape(-1, 2)[:, ::-1].ravel()
    return squares, meets


def _around_the_box(board: Board, piece: Piece, here: Ints) -> Iterator[Ints]:
    """Leave a square by an edge, and the next by the opposite one; turn; go on. Either leg comes first."""
    if piece.moves:
        raise PieceError(f"the moves of {piece.spec} have no direction on {board.title}")
    squares, meets = _edges_of_the_net(board.sides)
    number = np.full(board.shape, -1, dtype=np.int64)
    number[tuple(squares.T)] = np.arange(len(squares))
    start = 4 * number[tuple(here)]

    def opposite(edge: Ints, turn: int) -> Ints:
        return edge - edge % 4 + (edge + turn) % 4

    for legs in {legs for a, b in piece.leaps for legs in ((a, b), (b, a))}:
        for way, turn in product(range(4), (1, 3)):
            edge = start + way  # by which one leaves
            for leg, turned in zip(legs, (turn, 0), strict=True):
                for _ in range(leg):
                    edge = opposite(meets[edge], 2)
                edge = opposite(edge, turned)
            yield squares[edge // 4].T


FAMILIES = {
    "box": FamilyGeometry(_straight),
    "hex": FamilyGeometry(_hexagonal, inside=_hexagon),
    "cylinder": FamilyGeometry(_straight, partial(_folded, down=False, flip=False)),
    "torus": FamilyGeometry(_straight, partial(_folded, down=True, flip=False)),
    "mobius": FamilyGeometry(_straight, partial(_folded, down=False, flip=True), turns=True),
    "klein": FamilyGeometry(_straight, partial(_folded, down=True, flip=True), turns=True),
    "triangle": FamilyGeometry(_hexagonal, inside=_triangle),
    "parallelogram": FamilyGeometry(_hexagonal),
    "hexagon": FamilyGeometry(_hexagonal, inside=_sided),
    "surface": FamilyGeometry(_straight, walk=_around_the_box, inside=_on_the_net),
    "cube": FamilyGeometry(_straight, walk=_around_the_box, inside=_on_the_net),
    "plus": FamilyGeometry(_straight, inside=_cross),
}
