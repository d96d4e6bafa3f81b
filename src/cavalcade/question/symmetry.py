"""The symmetries of a board: maps of its cells that map moves to moves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.boards.family import Map
from cavalcade.ground.errors import BoardError, CavalcadeError
from cavalcade.ground.kernels import Cells, Ints
from cavalcade.question.graph import MoveGraph, codes_of
from cavalcade.question.moves import graph_of
from cavalcade.question.pieces import Piece

# Other names: names in image editors, turns in degrees, and a term of the literature on tours.
ALIASES = {
    "horizontal": "reflection, left to right", "vertical": "reflection, top to bottom", "180": "half turn",
    "180°": "half turn", "central": "half turn", "90": "quarter turn", "90°": "quarter turn",
    "diagonal": "reflection in a diagonal", "rot180": "half turn", "rot90": "quarter turn",
    "60": "turn by 60°", "120": "turn by 120°", "rotate180": "half turn", "rotate90": "quarter turn",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A symmetry of a board.

    Args:
        name: its name.
        cells: the image of each cell.
    """

    name: str
    cells: NDArray[np.int32]

    @property
    def order(self) -> int:
        """The least positive number of applications that map every cell to itself."""
        power, order = self.cells, 1
        while (power != np.arange(len(power))).any():
            power, order = self.cells[power], order + 1
        return order

    @property
    def fixed(self) -> int:
        """The number of cells that are mapped to themselves."""
        return int((self.cells == np.arange(len(self.cells))).sum())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Symmetry) and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash(self.cells.tobytes())


def symmetries_of(board: Board | MoveGraph, piece: Piece, name: str = "") -> list[Symmetry]:
    """The symmetries of a board: the maps of its family that map moves to moves, the identity first.

    Args:
        board: the board.
        piece: the piece.
        name: the name of the symmetries, in the form of `_plain`; by default all symmetries.

    Raises:
        BoardError: the board is a plain graph.
        TooLargeError: there are more than 100,000 candidates.
    """
    if board.plain:
        raise BoardError(f"{board.title} is a plain graph: it has no shape that could be symmetric")
    maps_moves = MovesTest(board, piece)
    symmetries: dict[bytes, Symmetry] = {}
    for map_name, image in board.family.maps(board.coords):
        if name and _plain(map_name) != name:
            continue
        cells = board.locate(image(board.coords))
        if cells.tobytes() not in symmetries and maps_moves(image, cells):
            symmetries[cells.tobytes()] = Symmetry(map_name, cells)
    return list(symmetries.values())


class MovesTest:
    """Whether maps of the cells of a board are permutations that map the moves of a piece to moves."""

    def __init__(self, board: Board, piece: Piece) -> None:
        self.board, self.piece = board, piece

    def __call__(self, image: Map, cells: NDArray[np.int32]) -> bool:
        """Test a map.

        Args:
            image: the map of coordinates.
            cells: the image of each cell, -1 where there is none.
        """
        if cells.min() < 0 or not np.bincount(cells, minlength=len(cells)).all():
            return False
        return (self.board.family.flat and self._maps_vectors(image)) or self._maps_edges(cells)

    def _maps_vectors(self, image: Map) -> bool:
        """Whether an affine map permutes the vectors of the moves; then it maps every move to a move."""
        points = np.vstack([np.zeros(self.board.dimensions), np.eye(self.board.dimensions)]).astype(np.int64)
        origin, *axes = image(points)
        vectors = self.piece.vectors(self.board)
        images = vectors @ (np.array(axes) - origin)
        return set(map(tuple, vectors.tolist())) == set(map(tuple, images.tolist()))

    @cached_property
    def _edges(self) -> tuple[Cells, Ints]:
        """The edges of the move graph, and their codes in ascending order."""
        graph = graph_of(self.board, self.piece)
        return graph.edges(), np.sort(codes_of(graph.edges(), graph.size, both=not graph.directed))

    def _maps_edges(self, cells: NDArray[np.int32]) -> bool:
        """Whether a permutation of the cells maps the edges of the move graph to edges."""
        edges, codes = self._edges
        undirected = not graph_of(self.board, self.piece).directed
        return np.array_equal(np.sort(codes_of(cells[edges], len(cells), both=undirected)), codes)


def symmetry_called(name: str, board: Board | MoveGraph, piece: Piece) -> Symmetry:
    """The first symmetry of a name: `half turn`, `half-turn`, or for boxes `horizontal` and `vertical`.

    If several symmetries share the name and are not inverses, such as the reflections in both diagonals, the
    name of the result includes the image of a cell: `reflection in a diagonal taking a8 to a8`. Such names
    are also read.

    Raises:
        CavalcadeError: the board has no such symmetry except the identity.
    """
    first, taking, images = name.partition(" taking ")
    plain = _plain(first)
    plain = _plain(ALIASES.get(plain) or _literature(plain, board, piece))
    everything = np.arange(board.size)  # such as the reflection of a single row in itself
    candidates = [
        symmetry for symmetry in symmetries_of(board, piece, plain) if (symmetry.cells != everything).any()
    ]
    pairs = [tuple(map(board.cell, pair.split(" to "))) for pair in images.split(" and ")] if taking else []
    fitting = [
        symmetry for symmetry in candidates if all((symmetry.cells[pair[0]],) == pair[1:] for pair in pairs)
    ]
    if not fitting:
        usual = {meant: alias for alias, meant in reversed(ALIASES.items()) if alias.isalpha()}
        usual |= {"half turn": "half-turn", "quarter turn": "quarter-turn"}
        names = [symmetry.name for symmetry in symmetries_of(board, piece)[1:]]
        names = list(dict.fromkeys(usual.get(name, name) for name in names))
        many = f"{'; '.join(names[:8])}{'; …' * (len(names) > 8)}" if names else "none but the identity"
        raise CavalcadeError(f"{name[:60]!r} is not a symmetry of {board.title}, which has {many}")
    return _distinguished(fitting[0], candidates, board)


def _literature(name: str, board: Board | MoveGraph, piece: Piece) -> str:
    """The name of the symmetry that a term of the literature on tours means on a board.

    A closed tour with a half turn is Eulerian if the turn maps step k to step k + n/2. Otherwise the turn
    reverses the tour, and maps a move to itself. An axial tour has a reflection.

    Raises:
        CavalcadeError: the term would mean more than one thing on the board.
    """
    if name == "eulerian":
        for turn in symmetries_of(board, piece, "half turn"):
            edges = graph_of(board, piece).edges()
            if (turn.cells[edges[:, 0]] == edges[:, 1]).any():
                raise CavalcadeError(
                    f"on {board.title} a tour with a half turn may also be traversed backwards, which is not "
                    "Eulerian: try half-turn for both kinds"
                )
        return "half turn"
    if name == "axial":
        reflections = ("horizontal", "vertical")
        axes = [axis for axis in reflections if symmetries_of(board, piece, _plain(ALIASES[axis]))]
        if len(axes) > 1:
            raise CavalcadeError(f"{board.title} has two axes: try horizontal (left to right) or vertical")
        return ALIASES[axes[0]] if axes else name
    return name


def called_apart(symmetries: list[Symmetry], board: Board | MoveGraph) -> list[Symmetry]:
    """The symmetries except the identity, by names with which `symmetry_called` finds them or their inverses.

    Args:
        symmetries: all symmetries of the board, the identity first.
        board: the board.
    """
    by_name: dict[str, Symmetry] = {}
    for symmetry in symmetries[1:]:
        namesakes = [namesake for namesake in symmetries if namesake.name == symmetry.name]
        distinguished = _distinguished(symmetry, namesakes, board)
        by_name.setdefault(distinguished.name, distinguished)
    return list(by_name.values())


def _distinguished(symmetry: Symmetry, namesakes: list[Symmetry], board: Board | MoveGraph) -> Symmetry:
    """The symmetry with a name that no other namesake has, except possibly its inverse."""
    cells, identity = symmetry.cells, np.arange(len(symmetry.cells))
    rivals = [
        namesake.cells
        for namesake in namesakes
        if (namesake.cells[cells] != identity).any() and not np.array_equal(namesake.cells, cells)
    ]
    pairs = []
    while rivals:  # add the image of the cell that excludes the most rivals
        cell = int(np.argmax((np.stack(rivals) != cells).sum(axis=0)))
        pairs.append(f"{board.name(cell)} to {board.name(int(cells[cell]))}")
        rivals = [rival for rival in rivals if rival[cell] == cells[cell]]
    return Symmetry(f"{symmetry.name} taking {' and '.join(pairs)}", cells) if pairs else symmetry


def _plain(name: str) -> str:
    """A name in lower case, without the commas and hyphens between words; a minus sign stays."""
    return " ".join(re.sub(r"(?<=\w)-(?=\w)|,", " ", name.lower()).split())


def first_images(moves: NDArray[np.int32], group: Iterable[Symmetry], size: int) -> NDArray[np.int64]:
    """The least image of each move under a group, as the code c * size + d of the move (c, d) with c < d.

    Moves have the same least image if and only if they are in the same orbit.
    """
    first = codes_of(moves, size)
    for symmetry in group:
        np.minimum(first, codes_of(symmetry.cells[moves], size), out=first)
    return first


def images(
    moves: set[tuple[int, int]], symmetry: Symmetry, *, directed: bool = False
) -> set[tuple[int, int]]:
    """The moves and all their images under the powers of a symmetry; a < b unless they are directed."""
    orbits: set[tuple[int, int]] = set()
    for a, b in moves:
        while (move := (a, b) if directed or a < b else (b, a)) not in orbits:
            orbits.add(move)
            a, b = int(symmetry.cells[a]), int(symmetry.cells[b])  # noqa: PLW2901 - along the orbit
    return orbits


def symmetric_ends(
    board: Board | MoveGraph, symmetry: Symmetry, start: int | None, end: int | None
) -> tuple[int, int]:
    """Both ends of a symmetric open tour; the symmetry reverses the tour, so it exchanges the ends.

    Raises:
        CavalcadeError: the symmetry does not exchange the ends.
    """
    cell = start if start is not None else end
    assert cell is not None  # noqa: S101 - for the type checker
    image = int(symmetry.cells[cell])
    unequal = start is not None and end is not None and end != image
    if unequal or image == cell or int(symmetry.cells[image]) != cell:
        what = f"takes {board.name(cell)} to {board.name(image)}"
        raise CavalcadeError(f"the {symmetry.name} {what}: a symmetric open tour cannot have these ends")
    return (cell, image) if start is not None else (image, cell)
