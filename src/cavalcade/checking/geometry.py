"""The checker's own geometry: boards, one table entry for each family, and their symmetries.

A family of boards has *vectors*, the moves of a piece on an endless flat board. If the board is not flat, the
family also says how it is *folded*: which place of the board a place beyond the edge is. Places are indices
of the array of the board; cells are its places in order, without the holes.

Symmetries have the names that statements use. On flat rectangles and hexagonal cells the names are words. On
other boards they are formulas for the image of a cell, such as `(-row, column + 2)`. Several symmetries can
share a name; then `taking a8 to a8` distinguishes them.

The engines that find tours, proofs and symmetries share no code with this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.ground.arrays import distinct
from cavalcade.ground.errors import BoardError, CavalcadeError, PieceError
from cavalcade.ground.kernels import Mask
from cavalcade.question.pieces import Piece

Formula = list[tuple[int, int, int]]  # (axis, sign, shift), one per coordinate of the image

Ints = NDArray[np.int64]
Vectors = list[tuple[int, ...]]


def is_move(
    board: Board, piece: Piece, starts: NDArray[np.integer], ends: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Whether each pair of cells, from `starts` and `ends`, is a move. Time: linear for each vector."""
    places = _places(board)
    tails, heads = (places.take(cells, axis=1) for cells in (starts, ends))
    legal = np.zeros(len(starts), dtype=np.bool_)
    for target in _targets(board, piece, tails):
        legal |= (target == heads).all(axis=0)
    return np.asarray(legal & (starts != ends))


def all_moves(board: Board, piece: Piece) -> Ints:
    """All moves (a, b), each once or more; a < b if every move can be taken back. Time: linear per vector."""
    places, one_way = _places(board), is_one_way(board, piece)
    number = _numbers(places, board.shape)
    sides = np.array(board.shape)[:, None]
    moves = [np.zeros((0, 2), dtype=np.int64)]
    for target in _targets(board, piece, places):
        tails = np.flatnonzero(((target >= 0) & (target < sides)).all(axis=0))
        heads = number[tuple(target[:, tails])]
        kept = (heads >= 0) & (heads != tails) if one_way else heads > tails  # holes have the number -1
        moves.append(np.stack([tails[kept], heads[kept]], axis=1))
    return np.concatenate(moves)


def ascending(edges: Ints, size: int, *, one_way: bool = False) -> Ints:
    """Each edge once, smaller end first unless edges go one way, in ascending order."""
    a, b = edges.T if one_way else (np.minimum(*edges.T), np.maximum(*edges.T))
    keys = distinct(a * size + b)
    return np.stack([keys // size, keys % size], axis=1)


def vectors(board: Board, piece: Piece) -> Vectors:
    """The moves on an endless flat board: the listed moves of the piece, or sorted leaps.

    Raises:
        PieceError: the listed moves have more or fewer numbers than the board has dimensions.
    """
    if any(len(move) != board.dimensions for move in piece.moves):
        raise PieceError(f"the moves of {piece.spec} do not have {board.dimensions} numbers each")
    leaps = {vector for a, b in piece.leaps for vector in FAMILIES[board.kind].leaps(board.dimensions, a, b)}
    return list(dict.fromkeys([*piece.moves, *sorted(leaps)]))


def is_one_way(board: Board, piece: Piece) -> bool:
    """Whether a move of the piece has no move back, as a vector."""
    if not piece.moves or FAMILIES[board.kind].walk is not None:
        return False
    moves = {*_unfolded(board, piece)}
    return any(tuple(-x for x in move) not in moves for move in moves)


def places_of(board: Board) -> Ints:
    """Array indices of all cells, shape (n, d)."""
    return np.ascontiguousarray(_places(board).T)


def points_of(board: Board) -> Ints:
    """Coordinates of each cell that preserve angles, shape (n, d); hexagons on the plane x + y + z = 0."""
    places = places_of(board)
    if FAMILIES[board.kind].leaps is not _hexagonal:
        return places
    return np.column_stack([places, -places.sum(axis=1)])


def is_flat(board: Board) -> bool:
    """Whether moves are the same vectors everywhere on the board."""
    return not FAMILIES[board.kind].around and FAMILIES[board.kind].walk is None


def turning(board: Board, moves: Ints) -> Ints:
    """The direction of moves about the centre of the drawn board: 1 counterclockwise, -1 clockwise, else 0.

    Args:
        board: a box in two dimensions or a hexagon, with or without holes.
        moves: first and last cell of each move, shape (k, 2).
    """
    right, up = _from_centre(board)
    a, b = moves.T
    return np.asarray(np.sign(right[a] * up[b] - up[a] * right[b]))


def rising(board: Board, moves: Ints) -> Mask:
    """Which moves lead from the lower half of the board to the upper half.

    The upper half are the cells above the centre, and the cells level with it on the right. If all moves go
    about the centre in one direction, each coil of a closed tour has one such move.
    """
    right, up = _from_centre(board)
    low = (up < 0) | ((up == 0) & (right <= 0))
    return np.asarray(low[moves[:, 0]] & ~low[moves[:, 1]])


def _from_centre(board: Board) -> tuple[Ints, Ints]:
    """Coordinates of the cells from the centre of the drawn board: right and up, in fixed units."""
    row, column = _places(board)
    m, n = board.shape
    if board.kind == "hex":  # each column is half a hexagon lower than the column before it
        return 3 * (2 * row - m + 1), -(2 * (2 * column - n + 1) + (2 * row - m + 1))
    return 2 * column - n + 1, m - 1 - 2 * row


def _places(board: Board) -> Ints:
    """Array indices of all cells, shape (d, n).

    Raises:
        BoardError: the cells are not all cells of the family except the named holes.
    """
    inside = FAMILIES[board.kind].inside
    whole = np.ones(board.shape, dtype=np.bool_)
    if inside is not None:
        whole = inside(board.sides, *np.indices(board.shape, sparse=True))
    cells = np.ones_like(whole) if board.mask is None else board.mask
    if (cells & ~whole).any() or int(np.count_nonzero(whole & ~cells)) != len(board.holes):
        raise BoardError(f"{board.title} does not have the cells of its family")
    return np.stack(np.nonzero(cells))


def _numbers(places: Ints, shape: tuple[int, ...]) -> Ints:
    """An array with the position of each place in a list; -1 for all other places."""
    number = np.full(shape, -1, dtype=np.int64)
    number[tuple(places)] = np.arange(places.shape[1])
    return number


def _targets(board: Board, piece: Piece, places: Ints) -> Iterator[Ints]:
    """Yield the targets of all places for each move; on flat boards they may lie beyond the edge."""
    family = FAMILIES[board.kind]
    if family.walk is not None:
        yield from family.walk(board, piece, places)
        return
    for vector in _unfolded(board, piece):
        targets = places + np.array(vector)[:, None]
        yield _folded(board, targets) if family.around else targets


def _unfolded(board: Board, piece: Piece) -> Vectors:
    """The moves on an endless flat board; after one turn around a flipping surface, also mirror images."""
    moves = vectors(board, piece)
    mirrored = ((-row, *rest) for row, *rest in moves) if FAMILIES[board.kind].flip else ()
    return list(dict.fromkeys([*moves, *mirrored]))


# ---- the families


class FamilyGeometry(NamedTuple):
    """The geometry of one family of boards.

    Attributes:
        leaps: returns the vectors of an (a, b) leap in d dimensions, from d, a and b.
        around: the number of dimensions that wrap around, the last ones.
        flip: whether columns return upside down.
        walk: for boards on which vectors have no meaning, yields the targets of all places for each move.
        inside: whether places are cells, from the sides, rows and columns; None if all are.
    """

    leaps: Callable[[int, int, int], Iterator[tuple[int, ...]]]
    around: int = 0
    flip: bool = False
    walk: Callable[[Board, Piece, Ints], Iterator[Ints]] | None = None
    inside: Callable[..., NDArray[np.bool_]] | None = None


def _straight(dimensions: int, a: int, b: int) -> Iterator[tuple[int, ...]]:
    """Leaps of square cells: a along one axis and b along another."""
    for first, second in permutations(range(dimensions), 2):
        for x, y in product((a, -a), (b, -b)):
            yield tuple({first: x, second: y}.get(i, 0) for i in range(dimensions))


def _hexagonal(_: int, a: int, b: int) -> Iterator[tuple[int, ...]]:
    """Leaps of hexagonal cells: two of three coordinates that add up to 0."""
    for x, y, _ in permutations((a, b, -a - b)):
        yield from ((x, y), (-x, -y))


def _folded(board: Board, places: Ints) -> Ints:
    """Fold places onto a surface: columns wrap around, perhaps upside down, and perhaps rows too."""
    (m, n), (rows, columns), family = board.shape, places, FAMILIES[board.kind]
    turns = columns // n
    if family.flip:
        rows = np.where(turns % 2 == 1, m - 1 - rows, rows)
    return np.stack([rows % m if family.around == 2 else rows, columns - turns * n])


def _hexagon(sides: tuple[int, ...], rows: Ints, columns: Ints) -> NDArray[np.bool_]:
    """A hexagon of side n: all three coordinates from the centre are less than n."""
    q, r = rows - (sides[0] - 1), columns - (sides[0] - 1)
    return np.asarray(np.maximum(np.maximum(abs(q), abs(r)), abs(q + r)) < sides[0])


def _triangle(sides: tuple[int, ...], rows: Ints, columns: Ints) -> NDArray[np.bool_]:
    """A triangle of side n: row i of the array begins with n - i cells."""
    return np.asarray(rows < sides[0] - columns)


def _sided(sides: tuple[int, ...], rows: Ints, columns: Ints) -> NDArray[np.bool_]:
    """A hexagon of sides a, b and c: paths of a cells, from the points y B + z C with y < b and z < c."""
    a, b, c = sides
    cells = np.zeros((a + b - 1, b + c - 1), dtype=np.bool_)
    for y, z in product(range(b), range(c)):
        cells[b - 1 - y : b - 1 - y + a, y - z + c - 1] = True
    return cells[rows, columns]


def _cross(sides: tuple[int, ...], rows: Ints, columns: Ints) -> NDArray[np.bool_]:
    """A cross: the row or the column of a cell is in the middle third."""
    return np.asarray((rows // sides[0] == 1) | (columns // sides[0] == 1))


def _frame(sides: tuple[int, ...], rows: Ints, columns: Ints) -> NDArray[np.bool_]:
    """A frame: the distance from the nearest edge, in cells, is less than the width of the frame."""
    m, n, width = sides
    distance = np.minimum(np.minimum(rows, m - 1 - rows), np.minimum(columns, n - 1 - columns))
    return np.asarray(distance < width)


def _on_the_net(sides: tuple[int, ...], rows: Ints, columns: Ints) -> NDArray[np.bool_]:
    """The surface of a box: the cells of its six faces."""
    squares, _ = _net(sides)
    return np.asarray(_numbers(squares.T, np.broadcast_shapes(rows.shape, columns.shape)) >= 0)


def _net(sides: tuple[int, ...]) -> tuple[Ints, Ints]:
    """The squares of the net of a box, shape (c, 2), and their four corners in space, shape (c, 4, 3)."""
    k, m, n = sides if len(sides) == 3 else sides * 3
    squares, corners = [], []
    # For each face: its first row and column in the net, its numbers of rows and columns, and three points in
    # space: the first corner, the point one row below it, and the point one column to the right of it.
    for first, size, points in (
        ((0, m), (m, n), [(0, 0, 0), (0, 1, 0), (0, 0, 1)]),
        ((m, 0), (k, m), [(0, 0, 0), (1, 0, 0), (0, 1, 0)]),
        ((m, m), (k, n), [(0, m, 0), (1, m, 0), (0, m, 1)]),
        ((m, m + n), (k, m), [(0, m, n), (1, m, n), (0, m - 1, n)]),
        ((m, 2 * m + n), (k, n), [(0, 0, n), (1, 0, n), (0, 0, n - 1)]),
        ((m + k, m), (m, n), [(k, m, 0), (k, m - 1, 0), (k, m, 1)]),
    ):
        origin, down, right = np.array(points)
        offsets = np.indices(size).reshape(2, -1).T
        squares.append(offsets + first)
        around = offsets[:, None, :] + np.array([(0, 0), (0, 1), (1, 1), (1, 0)])
        corners.append(origin + around @ np.stack([down - origin, right - origin]))
    return np.concatenate(squares), np.concatenate(corners)


def _around_the_box(board: Board, piece: Piece, places: Ints) -> Iterator[Ints]:
    """Walk a leap on the surface of a box: one leg straight on, a turn, the other leg; either leg first.

    A straight walk leaves each square by the edge opposite to the edge by which it came. Edge 4 i + j is side
    j of square i, in the order top, right, bottom, left. Two edges are the same edge of the folded box if
    they have the same two corners in space.
    """
    if piece.moves:
        raise PieceError(f"the moves of {piece.spec} have no direction on {board.title}")
    squares, corners = _net(board.sides)
    points = corners @ np.array([10**12, 10**6, 1])
    ends = np.sort(np.stack([points, np.roll(points, -1, axis=1)], axis=2), axis=2).reshape(-1, 2)
    order = np.lexsort(ends.T)
    meets = np.empty(len(order), dtype=np.int64)
    meets[order] = order.reshape(-1, 2)[:, ::-1].ravel()
    start = 4 * _numbers(squares.T, board.shape)[tuple(places)]

    def opposite(edge: Ints, turn: int) -> Ints:
        return edge - edge % 4 + (edge + turn) % 4

    for legs in {legs for a, b in piece.leaps for legs in ((a, b), (b, a))}:
        for way, turn in product(range(4), (1, 3)):
            edge = start + way  # the edge by which the walk leaves the first square
            for leg, turned in zip(legs, (turn, 0), strict=True):
                for _ in range(leg):
                    edge = opposite(meets[edge], 2)
                edge = opposite(edge, turned)
            yield squares[edge // 4].T


FAMILIES = {
    "box": FamilyGeometry(_straight),
    "hex": FamilyGeometry(_hexagonal, inside=_hexagon),
    "cylinder": FamilyGeometry(_straight, around=1),
    "torus": FamilyGeometry(_straight, around=2),
    "mobius": FamilyGeometry(_straight, around=1, flip=True),
    "klein": FamilyGeometry(_straight, around=2, flip=True),
    "triangle": FamilyGeometry(_hexagonal, inside=_triangle),
    "parallelogram": FamilyGeometry(_hexagonal),
    "hexagon": FamilyGeometry(_hexagonal, inside=_sided),
    "surface": FamilyGeometry(_straight, walk=_around_the_box, inside=_on_the_net),
    "cube": FamilyGeometry(_straight, walk=_around_the_box, inside=_on_the_net),
    "plus": FamilyGeometry(_straight, inside=_cross),
    "frame": FamilyGeometry(_straight, inside=_frame),
}


# ---- symmetries

WORDS = {  # on a flat rectangle; rows are counted from the top
    "half turn": ["(-row, -column)"],
    "quarter turn": ["(column, -row)", "(-column, row)"],
    "reflection, top to bottom": ["(-row, column)"],
    "reflection, left to right": ["(row, -column)"],
    "reflection in a diagonal": ["(column, row)", "(-column, -row)"],
}
TURNS, SWAPS = ((1, 2, 0), (2, 0, 1)), ((0, 2, 1), (2, 1, 0), (1, 0, 2))
SIGNED = {  # on hexagonal cells: permutations of the three coordinates whose sum is 0, and a sign for all
    "turn by 60°": (TURNS, -1),
    "turn by 120°": (TURNS, 1),
    "half turn": (((0, 1, 2),), -1),
    "reflection, axis through sides": (SWAPS, 1),
    "reflection, axis through corners": (SWAPS, -1),
}


def maps_called(board: Board, piece: Piece, name: str) -> list[Ints]:
    """The symmetries with a name: the images of all cells under each map that maps moves to moves.

    Empty for an unknown name. Time: linear in the moves for each map.
    """
    words, taking, images = name.partition(" taking ")
    one_way = is_one_way(board, piece)
    places, moves = places_of(board), ascending(all_moves(board, piece), board.size, one_way=one_way)
    number = _numbers(places.T, board.shape)
    try:
        pairs = [[board.cell(cell) for cell in pair.split(" to ")] for pair in images.split(" and ")]
    except CavalcadeError:
        pairs = []
    maps = []
    for targets in _images(board, places, words):
        if ((targets < 0) | (targets >= board.shape)).any():
            continue
        cells = number[tuple(targets.T)]
        if (np.sort(cells) != np.arange(len(cells))).any():
            continue
        if not np.array_equal(ascending(cells[moves], len(cells), one_way=one_way), moves):
            continue
        if not taking or (pairs and all([int(cells[pair[0]])] == pair[1:] for pair in pairs)):
            maps.append(cells)
    return maps


def _images(board: Board, places: Ints, name: str) -> Iterator[Ints]:
    """Yield the images of the cells under each map with a name; they may lie beyond the board."""
    family, d = FAMILIES[board.kind], len(board.shape)
    if family.walk is not None:
        yield from _in_space(board, places, name)
    elif family.around:
        for formula in _formulas([name], ["row", "column"]):
            yield _folded(board, _moved(places, formula).T).T
    elif family.leaps is _hexagonal:
        cube = np.stack([*places.T, -places.sum(axis=1)], axis=1)
        orders, sign = SIGNED.get(name, ((), 1))
        for order in orders:
            yield _brought_back(sign * cube[:, order][:, :2], places)
    else:
        axes = ["level", "row", "column"][-d:] if d <= 3 else [f"axis {i + 1}" for i in range(d)]
        for formula in _formulas(WORDS.get(name, []) if d == 2 else [name], axes):
            yield _brought_back(_moved(places, formula), places)


def _formulas(texts: list[str], axes: list[str]) -> Iterator[Formula]:
    """Parse formulas in which each axis occurs once; skip all other texts."""
    part = re.compile(rf"(-?)({'|'.join(axes)})(?: \+ (-?[1-9][0-9]{{0,9}}))?")
    for text in texts:
        matches = [part.fullmatch(term) for term in text[1:-1].split(", ")]
        formula = [(axes.index(m[2]), -1 if m[1] else 1, int(m[3] or 0)) for m in matches if m]
        used = sorted(axis for axis, _, _ in formula)
        if text == f"({text[1:-1]})" and all(matches) and used == [*range(len(axes))]:
            yield formula


def _moved(places: Ints, formula: Formula) -> Ints:
    """The images of places under a formula."""
    return np.stack([sign * places[:, axis] + shift for axis, sign, shift in formula], axis=1)


def _brought_back(images: Ints, places: Ints) -> Ints:
    """Images, shifted so that they fill the same box as the cells."""
    return np.asarray(images - images.min(axis=0) + places.min(axis=0))


def _in_space(board: Board, places: Ints, name: str) -> Iterator[Ints]:
    """Yield the images of the cells of the surface of a box; the sum of its corners identifies a square."""
    squares, corners = _net(board.sides)
    middle = corners.sum(axis=1)
    box = middle.max(axis=0) + middle.min(axis=0)
    square = {tuple(point): place for point, place in zip(middle.tolist(), squares.tolist(), strict=True)}
    middle = middle[_numbers(squares.T, board.shape)[tuple(places.T)]]
    for formula in _formulas([name], ["level", "row", "column"]):
        axes, signs, shifts = map(list, zip(*formula, strict=True))
        if not any(shifts) and (box[axes] == box).all():
            images = np.where(np.array(signs) > 0, middle[:, axes], (box - middle)[:, axes])
            yield np.array([square[tuple(point)] for point in images.tolist()])
