"""The checker's own geometry: boards, one table entry for each family, and their symmetries.

A family of boards is two things: its *vectors*, the moves of a piece on an endless flat board, and, where the
board is not flat, how it is *folded*: where a place beyond the edge lies on the board. Places are indices of
the board's array; cells are its places in order, without the holes.

Names of symmetries are those that statements have. On flat rectangles and hexagonal cells they are words,
elsewhere formulas: where the cell with these coordinates goes, as `(-row, column + 2)`. Several symmetries
can share words; then `taking a8 to a8` tells one from the others.

Nothing here is shared with what finds tours, proofs and symmetries (`boards`, `question`).
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

Formula = list[tuple[int, int, int]]  # of each coordinate of the image: its axis, its sign, what is added

Ints = NDArray[np.int64]
Vectors = list[tuple[int, ...]]


def is_move(
    board: Board, piece: Piece, starts: NDArray[np.integer], ends: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Whether each pair of cells, from `starts` and `ends`, is a move. Time: linear for each vector."""
    places = _places(board)
    here, there = (places.take(cells, axis=1) for cells in (starts, ends))
    legal = np.zeros(len(starts), dtype=np.bool_)
    for target in _targets(board, piece, here):
        legal |= (target == there).all(axis=0)
    return np.asarray(legal & (starts != ends))


def all_moves(board: Board, piece: Piece) -> Ints:
    """Every pair of cells (a, b) a move apart, a < b, once or more. Time: linear for each vector."""
    places = _places(board)
    number = _numbers(places, board.shape)
    sides = np.array(board.shape)[:, None]
    found = [np.zeros((0, 2), dtype=np.int64)]
    for target in _targets(board, piece, places):
        here = np.flatnonzero(((target >= 0) & (target < sides)).all(axis=0))
        there = number[tuple(target[:, here])]
        once = there > here  # every move comes with its way back
        found.append(np.stack([here[once], there[once]], axis=1))
    return np.concatenate(found)


def ascending(edges: Ints, size: int, *, one_way: bool = False) -> Ints:
    """Each edge once, smaller end first unless edges go one way, in ascending order."""
    a, b = edges.T if one_way else (np.minimum(*edges.T), np.maximum(*edges.T))
    keys = distinct(a * size + b)
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
    return np.ascontiguousarray(_places(board).T)


def points_of(board: Board) -> Ints:
    """Where every cell lies so that angles are true: (n, d), hexagons on the plane of sum 0 in space."""
    places = places_of(board)
    if FAMILIES[board.kind].leaps is not _hexagonal:
        return places
    return np.column_stack([places, -places.sum(axis=1)])


def is_flat(board: Board) -> bool:
    """Whether a move is a vector from anywhere on the board."""
    return not FAMILIES[board.kind].around and FAMILIES[board.kind].walk is None


def turning(board: Board, moves: Ints) -> Ints:
    """Which way moves go about the centre, as the board is drawn: 1 against the clock, -1 with it, else 0.

    Args:
        board: a box in two dimensions or a hexagon, with or without holes.
        moves: (k, 2), the cells from and to.
    """
    right, up = _from_centre(board)
    a, b = moves.T
    return np.asarray(np.sign(right[a] * up[b] - up[a] * right[b]))


def rising(board: Board, moves: Ints) -> Mask:
    """Which moves lead to a cell above the centre, or at its right, from one that is neither.

    Where all moves go about the centre in one direction, a closed tour has one such move in each coil: it
    passes from below to above once each time that it goes round.
    """
    right, up = _from_centre(board)
    low = (up < 0) | ((up == 0) & (right <= 0))
    return np.asarray(low[moves[:, 0]] & ~low[moves[:, 1]])


def _from_centre(board: Board) -> tuple[Ints, Ints]:
    """How far each cell lies right of the centre of the whole board, and above it, as the board is drawn."""
    row, column = _places(board)
    m, n = board.shape
    if board.kind == "hex":  # columns of hexagons, each half a hexagon lower than the one before it
        return 3 * (2 * row - m + 1), -(2 * (2 * column - n + 1) + (2 * row - m + 1))
    return 2 * column - n + 1, m - 1 - 2 * row


def _places(board: Board) -> Ints:
    """Where every cell lies in the board's array: (d, n).

    Raises:
        BoardError: the cells are not those of the family without the holes that the board names.
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
    """The number of each of these places, -1 where there is none."""
    number = np.full(shape, -1, dtype=np.int64)
    number[tuple(places)] = np.arange(places.shape[1])
    return number


def _targets(board: Board, piece: Piece, here: Ints) -> Iterator[Ints]:
    """Where each move leads from these places; beyond the edge too."""
    family = FAMILIES[board.kind]
    if family.walk is not None:
        yield from family.walk(board, piece, here)
        return
    moves = vectors(board, piece)
    if family.flip:  # around the surface once, a move is its mirror image
        moves = list(dict.fromkeys([*moves, *((-row, *rest) for row, *rest in moves)]))
    for vector in moves:
        there = here + np.array(vector)[:, None]
        yield _folded(board, there) if family.around else there


# ---- the families


class FamilyGeometry(NamedTuple):
    """The geometry of one family of boards."""

    leaps: Callable[[int, int, int], Iterator[tuple[int, ...]]]  # of d, a and b: the vectors of a leap
    around: int = 0  # how many of its dimensions go around, the last ones
    flip: bool = False  # whether columns come back upside down
    walk: Callable[[Board, Piece, Ints], Iterator[Ints]] | None = (
        None  # the targets, where vectors lead nowhere
    )
    inside: Callable[..., NDArray[np.bool_]] | None = None  # of the sides, rows and columns: what is a cell


def _straight(dimensions: int, a: int, b: int) -> Iterator[tuple[int, ...]]:
    """Leaps of square cells: a along one axis and b along another."""
    for first, second in permutations(range(dimensions), 2):
        for x, y in product((a, -a), (b, -b)):
            yield tuple({first: x, second: y}.get(i, 0) for i in range(dimensions))


def _hexagonal(_: int, a: int, b: int) -> Iterator[tuple[int, ...]]:
    """Leaps of hexagonal cells: two of three coordinates that add up to 0."""
    for x, y, _ in permutations((a, b, -a - b)):
        yield from ((x, y), (-x, -y))


def _folded(board: Board, at: Ints) -> Ints:
    """Where places lie on a surface: columns go around, perhaps upside down each time, perhaps rows too."""
    (m, n), (rows, columns), family = board.shape, at, FAMILIES[board.kind]
    around = columns // n
    if family.flip:
        rows = np.where(around % 2 == 1, m - 1 - rows, rows)
    return np.stack([rows % m if family.around == 2 else rows, columns - around * n])


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


def _frame(sides: tuple[int, ...], rows: Ints, columns: Ints) -> NDArray[np.bool_]:
    """The distance from the nearest edge, counted in cells, is less than the width of the frame."""
    m, n, width = sides
    distance = np.minimum(np.minimum(rows, m - 1 - rows), np.minimum(columns, n - 1 - columns))
    return np.asarray(distance < width)


def _on_the_net(sides: tuple[int, ...], rows: Ints, columns: Ints) -> NDArray[np.bool_]:
    """Any of the six faces."""
    squares, _ = _net(sides)
    return np.asarray(_numbers(squares.T, np.broadcast_shapes(rows.shape, columns.shape)) >= 0)


def _net(sides: tuple[int, ...]) -> tuple[Ints, Ints]:
    """The squares of the net of a box, (c, 2), and the corners of each in space, (c, 4, 3), in turn.

    Of each face: its first row and column, its rows and columns, and three points in space: the first corner,
    and those one row down and one column to the right of it.
    """
    k, m, n = sides if len(sides) == 3 else sides * 3
    squares, corners = [], []
    for first, size, points in (
        ((0, m), (m, n), [(0, 0, 0), (0, 1, 0), (0, 0, 1)]),
        ((m, 0), (k, m), [(0, 0, 0), (1, 0, 0), (0, 1, 0)]),
        ((m, m), (k, n), [(0, m, 0), (1, m, 0), (0, m, 1)]),
        ((m, m + n), (k, m), [(0, m, n), (1, m, n), (0, m - 1, n)]),
        ((m, 2 * m + n), (k, n), [(0, 0, n), (1, 0, n), (0, 0, n - 1)]),
        ((m + k, m), (m, n), [(k, m, 0), (k, m - 1, 0), (k, m, 1)]),
    ):
        origin, down, right = np.array(points)
        at = np.indices(size).reshape(2, -1).T
        squares.append(at + first)
        around = at[:, None, :] + np.array([(0, 0), (0, 1), (1, 1), (1, 0)])
        corners.append(origin + around @ np.stack([down - origin, right - origin]))
    return np.concatenate(squares), np.concatenate(corners)


def _around_the_box(board: Board, piece: Piece, here: Ints) -> Iterator[Ints]:
    """Leave a square by an edge, and the next by the opposite one; turn; go on. Either leg comes first.

    Edge 4 i + j is side j of square i, in turn: top, right, bottom, left. Two edges meet when the net is
    folded that have the same two corner points in space.
    """
    if piece.moves:
        raise PieceError(f"the moves of {piece.spec} have no direction on {board.title}")
    squares, corners = _net(board.sides)
    points = corners @ np.array([10**12, 10**6, 1])
    ends = np.sort(np.stack([points, np.roll(points, -1, axis=1)], axis=2), axis=2).reshape(-1, 2)
    order = np.lexsort(ends.T)
    meets = np.empty(len(order), dtype=np.int64)
    meets[order] = order.reshape(-1, 2)[:, ::-1].ravel()
    start = 4 * _numbers(squares.T, board.shape)[tuple(here)]

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

WORDS = {  # on a flat rectangle, with rows from the top
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
    """Where the symmetries of this name take each cell: maps of the cells that map moves to moves.

    None for a name that is not known. Time: linear in the moves for each map.
    """
    words, taking, images = name.partition(" taking ")
    places, moves = places_of(board), ascending(all_moves(board, piece), board.size)
    number = _numbers(places.T, board.shape)
    try:
        wanted = [[board.cell(cell) for cell in pair.split(" to ")] for pair in images.split(" and ")]
    except CavalcadeError:
        wanted = []
    found = []
    for there in _images(board, places, words):
        if ((there < 0) | (there >= board.shape)).any():
            continue
        cells = number[tuple(there.T)]
        if (np.sort(cells) != np.arange(len(cells))).any():
            continue
        if not np.array_equal(ascending(cells[moves], len(cells)), moves):
            continue
        if not taking or (wanted and all([int(cells[pair[0]])] == pair[1:] for pair in wanted)):
            found.append(cells)
    return found


def _images(board: Board, places: Ints, name: str) -> Iterator[Ints]:
    """Where the places of the cells go, perhaps beyond the board."""
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
    """The formulas in these texts; none for a text that is no formula in which each axis occurs once."""
    part = re.compile(rf"(-?)({'|'.join(axes)})(?: \+ (-?[1-9][0-9]{{0,9}}))?")
    for text in texts:
        found = [part.fullmatch(one) for one in text[1:-1].split(", ")]
        read = [(axes.index(one[2]), -1 if one[1] else 1, int(one[3] or 0)) for one in found if one]
        if text == f"({text[1:-1]})" and all(found) and sorted(one[0] for one in read) == [*range(len(axes))]:
            yield read


def _moved(places: Ints, formula: Formula) -> Ints:
    return np.stack([sign * places[:, axis] + shift for axis, sign, shift in formula], axis=1)


def _brought_back(there: Ints, places: Ints) -> Ints:
    """Images shifted so that they fill the same box as the cells."""
    return np.asarray(there - there.min(axis=0) + places.min(axis=0))


def _in_space(board: Board, places: Ints, name: str) -> Iterator[Ints]:
    """On the surface of a box: each square by the sum of its four corners."""
    squares, corners = _net(board.sides)
    middle = corners.sum(axis=1)
    box = middle.max(axis=0) + middle.min(axis=0)
    square = {tuple(point): place for point, place in zip(middle.tolist(), squares.tolist(), strict=True)}
    middle = middle[_numbers(squares.T, board.shape)[tuple(places.T)]]
    for formula in _formulas([name], ["level", "row", "column"]):
        axes, signs, shifts = map(list, zip(*formula, strict=True))
        if not any(shifts) and (box[axes] == box).all():
            there = np.where(np.array(signs) > 0, middle[:, axes], (box - middle)[:, axes])
            yield np.array([square[tuple(point)] for point in there.tolist()])
