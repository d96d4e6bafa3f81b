"""Tours up to symmetry: the symmetries of a board, the tours that each leaves as they are, Burnside's lemma.

Tours are in one class if a symmetry of the board maps one to the other. The number of classes is the mean,
over all symmetries, of how many tours each maps to itself (Burnside 1897, who names Frobenius). Symmetries
that are conjugate map equally many to themselves; so one of each *kind* is enough.

The words for tours are Jelliss's (Knight's Tour Notes, 2019). A symmetry that keeps a closed tour may keep
its direction or reverse it. A half turn that keeps it is Eulerian, one that reverses it is Bergholtian (the
tour runs through the centre, twice); a reflection that keeps it is Sulian, one that reverses it Murraian
(the tour meets the axis in two places). A quarter turn is quaternary, and always keeps the direction.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.boards import SURFACES
from cavalcade.boards.notation import parse_board
from cavalcade.counting.total import count
from cavalcade.counting.voltage import Fixed, fixed_tours
from cavalcade.errors import BoardError, TooLargeError
from cavalcade.graph import MoveGraph, move_graph
from cavalcade.pieces import KNIGHT, Piece, parse_piece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from cavalcade.boards import Board
    from cavalcade.counting.frontier import Progress

    Matrix = NDArray[np.int64]

MOST_CANDIDATES = 100_000
TURNS = {
    ((1, 0), (0, 1)): "identity",
    ((-1, 0), (0, -1)): "half turn",
    ((0, 1), (-1, 0)): "quarter turn",
    ((0, -1), (1, 0)): "quarter turn",
    ((-1, 0), (0, 1)): "reflection, top to bottom",
    ((1, 0), (0, -1)): "reflection, left to right",
    ((0, 1), (1, 0)): "reflection in a diagonal",
    ((0, -1), (-1, 0)): "reflection in a diagonal",
}
SIXTHS = {1: "turn by 60°", 2: "turn by 120°", 3: "half turn", 4: "turn by 120°", 5: "turn by 60°"}
TERMS = {
    "half turn": ("Eulerian", "Bergholtian"),
    "reflection": ("Sulian", "Murraian"),
    "quarter turn": ("quaternary", ""),
}


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A symmetry of a board: its name, and the cell to which it takes each cell."""

    name: str
    cells: NDArray[np.int32]


@dataclass(frozen=True)
class Kind:
    """Symmetries that are conjugate, and the tours that each of them maps to itself.

    Args:
        name: of one of them.
        symmetries: how many there are.
        order: how often one has to be repeated until every cell is back.
        forward: the tours that one of them maps to themselves, keeping their direction.
        backward: and those whose direction it reverses.
        classes: how many classes of tours have one of these symmetries and, but for its powers, no other;
            None where that is not known.
        terms: Jelliss's words for tours of either direction, empty where he has none.
    """

    name: str
    symmetries: int
    order: int
    forward: int
    backward: int
    classes: int | None = None
    terms: tuple[str, str] = ("", "")

    @property
    def fixed(self) -> int:
        """The tours that one of them maps to themselves."""
        return self.forward + self.backward

    @property
    def told(self) -> str:
        """The same with the words for them: `78 Eulerian`."""
        parts = [(n, term) for n, term in zip((self.forward, self.backward), self.terms, strict=True) if n]
        return " + ".join(f"{n} {term}".strip() for n, term in parts) or "0"


@dataclass(frozen=True)
class Classes:
    """Tours, all of them and up to symmetry."""

    count: int
    classes: int
    order: int
    fixed: tuple[Kind, ...]
    conventions: str


def symmetries(board: Board, piece: Piece = KNIGHT) -> list[Symmetry]:
    """The symmetries of a board, the identity first, holes and moves considered.

    Maps of the cells, not of the space around them: two that do the same to every cell are one. A box has
    those that permute and reverse its axes, a hexagon turns and reflections, a surface shifts too. Each
    maps moves to moves.

    Raises:
        TooLargeError: there are more than 100,000 candidates.
        PieceError: the piece does not fit the board.

    Time: proportional to the candidates and the moves; 8x8 takes 1 ms, the torus of 8x8, which has 512, 50.
    """
    graph = move_graph(board, piece)
    edges = graph.edges()
    pairs = np.unique(_codes(edges, board.size))
    found: dict[bytes, Symmetry] = {}
    for name, cells in _surface_maps(board) if board.kind in SURFACES else _flat_maps(board):
        if cells.tobytes() not in found and np.array_equal(
            np.unique(_codes(cells[edges], board.size)), pairs
        ):
            found[cells.tobytes()] = Symmetry(name, cells)
    return list(found.values())


def _codes(edges: NDArray[np.int32], size: int) -> NDArray[np.int64]:
    """A number for each edge, whichever way it goes."""
    ends = edges.astype(np.int64)
    return np.asarray(ends.min(axis=1) * size + ends.max(axis=1))


def _is_permutation(cells: NDArray[np.int32]) -> bool:
    return bool(np.array_equal(np.sort(cells), np.arange(len(cells))))


def _flat_maps(board: Board) -> Iterator[tuple[str, NDArray[np.int32]]]:
    """Maps of boxes and hexagons: a matrix, and the shift that keeps the centre of gravity."""
    at = board.coords.astype(np.int64)
    centre = at.sum(axis=0)
    for name, matrix in _hexagon_matrices() if board.kind == "hex" else _box_matrices(board.shape):
        shift = centre - centre @ matrix.T
        if (shift % board.size).any():
            continue
        cells = board.locate(at @ matrix.T + shift // board.size)
        if _is_permutation(cells):
            yield name, cells


def _box_matrices(shape: tuple[int, ...]) -> Iterator[tuple[str, Matrix]]:
    """All that permute the axes and reverse some, the identity first.

    Sides need not be equal: with holes, what is left of a 3x5 board may well be a square.
    """
    d = len(shape)
    if math.factorial(d) * 2**d > MOST_CANDIDATES:
        raise TooLargeError(f"boards of {d} dimensions have too many symmetries to try")
    axes = ("level", "row", "column")[-d:] if d <= 3 else tuple(f"axis {i + 1}" for i in range(d))
    for order in itertools.permutations(range(d)):
        for signs in itertools.product((1, -1), repeat=d):
            matrix = np.zeros((d, d), dtype=np.int64)
            matrix[range(d), order] = signs
            name = TURNS[tuple(map(tuple, matrix.tolist()))] if d == 2 else _formula(axes, matrix)  # type: ignore[index]
            yield name, matrix


def _formula(axes: tuple[str, ...], matrix: Matrix, shift: tuple[int, ...] | None = None) -> str:
    """Where the cell with these coordinates goes: `(-row, column + 2)`."""
    parts = []
    for row, more in zip(matrix.tolist(), shift or (0,) * len(axes), strict=True):
        i = next(i for i, x in enumerate(row) if x)
        parts.append(("-" if row[i] < 0 else "") + axes[i] + (f" + {more}" if more else ""))
    return "identity" if ", ".join(parts) == ", ".join(axes) else f"({', '.join(parts)})"


def _hexagon_matrices() -> Iterator[tuple[str, Matrix]]:
    """Turns by 60° and reflections, on axial coordinates (q, r)."""
    turn, swap = np.array([[0, -1], [1, 1]]), np.array([[0, 1], [1, 0]])
    now = np.eye(2, dtype=np.int64)
    for i in range(6):
        yield SIXTHS.get(i, "identity"), now
        # the axis of the swap itself, q = r, runs through the middles of two sides
        yield f"reflection, axis through {'corners' if i % 2 else 'sides'}", now @ swap
        now = now @ turn


def _surface_maps(board: Board) -> Iterator[tuple[str, NDArray[np.int32]]]:
    """Maps of surfaces: shifts, reflections and, where both sides wrap alike, the axes exchanged.

    A map has to agree with the seams: a place and the same place met again beyond a seam go together.
    """
    m, n = board.shape
    flips, wraps = board.kind in {"mobius", "klein"}, board.kind in {"torus", "klein"}
    shifts = [(i, j) for i in range(m if wraps else 2 * m - 1) for j in range(2 * n if flips else n)]
    if 8 * len(shifts) > MOST_CANDIDATES:
        raise TooLargeError(f"{board.title} has too many symmetries to try")
    whole = board.whole
    cells, every = board.coords.astype(np.int64), whole.coords.astype(np.int64)
    beyond = every * (-1, 1) if flips else every
    again = [beyond + np.array([(m - 1) * flips, n])] + [every + np.array([m, 0])] * wraps
    for _, matrix in _box_matrices(board.shape):
        for shift in shifts:
            home = whole.locate(every @ matrix.T + shift)
            if all(np.array_equal(home, whole.locate(other @ matrix.T + shift)) for other in again):
                images = board.locate(cells @ matrix.T + shift)
                if _is_permutation(images):
                    yield _formula(("row", "column"), matrix, shift), images


def kinds(group: list[Symmetry]) -> list[list[int]]:
    """The conjugacy classes of a group, the identity's first. Time |group| * cells for each class."""
    every = np.array([s.cells for s in group])
    back = np.argsort(every, axis=1)
    number = {cells.tobytes(): i for i, cells in enumerate(every)}
    found: list[list[int]] = []
    seen: set[int] = set()
    for i, cells in enumerate(every):
        if i not in seen:
            conjugates = np.take_along_axis(every, cells[back], axis=1)
            found.append(sorted({number[c.tobytes()] for c in conjugates}))
            seen.update(found[-1])
    return found


def classes(
    board: Board | MoveGraph | str,
    piece: Piece | str = KNIGHT,
    *,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    total: int | None = None,
    memory: int = 4 << 30,
    progress: Callable[[Progress], None] | None = None,
) -> Classes:
    """The number of tours up to symmetry, and how many tours each kind of symmetry maps to themselves.

    Args:
        board: a board or its spec. A plain graph has no shape, and so no symmetry.
        piece: a piece or its spec.
        open: open tours instead of closed ones.
        total: the number of all tours, where it is known; then it is not counted again.
        memory: bytes the tables may take.
        progress: called after every cell while all tours are counted.

    Raises:
        CavalcadeError: a spec that means nothing, or a plain graph.
        TooLargeError: the board has too many symmetries to try, is too wide, or needs more memory.

    Time: counting all tours takes most of it. 8x8 with its total given takes a few seconds.
    """
    board = parse_board(board) if isinstance(board, str) else board
    piece = parse_piece(piece) if isinstance(piece, str) else piece
    if isinstance(board, MoveGraph):
        raise BoardError(f"{board.title} is a plain graph: it has no shape that could be symmetric")
    group = symmetries(board, piece)
    graph = move_graph(board, piece)
    powers = [_powers(group, s) for s in group]
    conjugates = kinds(group)
    fixed: dict[int, Fixed] = {}
    for members in conjugates[1:]:
        if members[0] not in fixed:
            found = fixed_tours(graph, group[members[0]].cells.tolist(), open=open, memory=memory)
            generators = {i for i in powers[members[0]] if powers[i] == powers[members[0]]}
            for same in conjugates:  # what generates the same subgroup fixes the same tours
                if not generators.isdisjoint(same):
                    fixed.update(dict.fromkeys(same, found))
    if total is None:
        total = count(board, piece=piece, open=open, memory=memory, progress=progress).count
    fixed[0] = Fixed(total, 0)
    mean, rest = divmod(sum(f.total for f in fixed.values()), len(group))
    if rest:
        raise BoardError(f"{board.title} has not {total} tours: that makes no whole number of classes")
    alone = _kept_alone(group, powers, fixed)
    told = tuple(
        Kind(
            group[i].name,
            len(members),
            len(powers[i]),
            *fixed[i],
            None if alone is None else _classes_of(alone, {powers[j] for j in members}, len(group)),
            ("", "") if open else _terms(group[i].name),
        )
        for i, members in ((members[0], members) for members in conjugates)
    )
    way = "open" if open else "closed"
    conventions = f"{way} tours, undirected, up to the {len(group)} symmetries of the board"
    return Classes(total, mean, len(group), told, conventions)


def _classes_of(alone: dict[frozenset[int], int], subgroups: set[frozenset[int]], order: int) -> int:
    return sum(alone[h] * len(h) for h in subgroups) // order


def _powers(group: list[Symmetry], s: Symmetry) -> frozenset[int]:
    """The numbers of the powers of a symmetry."""
    number = {other.cells.tobytes(): i for i, other in enumerate(group)}
    found, at = [0], s.cells
    while number[at.tobytes()]:
        found.append(number[at.tobytes()])
        at = s.cells[at]
    return frozenset(found)


def _terms(name: str) -> tuple[str, str]:
    """What Jelliss calls the closed tours that a symmetry of this name keeps, forward and backward."""
    return next((words for start, words in TERMS.items() if name.startswith(start)), ("", ""))


def _kept_alone(
    group: list[Symmetry], powers: list[frozenset[int]], fixed: dict[int, Fixed]
) -> dict[frozenset[int], int] | None:
    """For each cyclic subgroup the tours that it keeps and no other symmetry does.

    The symmetries that keep a tour turn or reverse it. The turns are the powers of one. So, unless there are
    two reversals, and then a turn that is their product, all are powers of one, and the tours of the larger
    cyclic subgroups can be taken away from those of the smaller. None where that cannot be ruled out.
    """
    number = {s.cells.tobytes(): i for i, s in enumerate(group)}
    reversals = [i for i in fixed if fixed[i].backward]
    for i, j in itertools.combinations(reversals, 2):
        if fixed[number[group[i].cells[group[j].cells].tobytes()]].forward:
            return None
    left: dict[frozenset[int], int] = {}
    for i in sorted(fixed, key=lambda i: -len(powers[i])):
        larger = sum(tours for subgroup, tours in left.items() if subgroup > powers[i])
        left[powers[i]] = fixed[i].total - larger
    return left
