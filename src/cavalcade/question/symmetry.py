"""The symmetries of a board: maps of its cells that map moves to moves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.ground.errors import BoardError, CavalcadeError
from cavalcade.question.graph import MoveGraph, codes_of

# shorter words for some names, as in programs that edit pictures
ALIASES = {"horizontal": "reflection, left to right", "vertical": "reflection, top to bottom"}


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A symmetry of a board: its name, and the cell to which it takes each cell."""

    name: str
    cells: NDArray[np.int32]

    @property
    def order(self) -> int:
        """How many times it must be applied to take every cell back to its place."""
        power, order = self.cells, 1
        while (power != np.arange(len(power))).any():
            power, order = self.cells[power], order + 1
        return order

    @property
    def fixed(self) -> int:
        """How many cells it leaves in place."""
        return int((self.cells == np.arange(len(self.cells))).sum())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Symmetry) and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash(self.cells.tobytes())


def symmetries_of(board: Board | MoveGraph, graph: MoveGraph, name: str = "") -> list[Symmetry]:
    """The symmetries of a board with this move graph, the identity first; or those of a name, see `_plain`.

    Raises:
        BoardError: a plain graph.
        TooLargeError: there are more than 100,000 candidates.
    """
    if board.plain:
        raise BoardError(f"{board.title} is a plain graph: it has no shape that could be symmetric")
    edges = graph.edges()
    pairs = np.sort(codes_of(edges, board.size))
    found: dict[bytes, Symmetry] = {}
    for one, images in board.family.maps(board.coords):
        if name and _plain(one) != name:
            continue
        cells = board.locate(images)
        if cells.tobytes() in found or not np.array_equal(np.sort(cells), np.arange(board.size)):
            continue
        if np.array_equal(np.sort(codes_of(cells[edges], board.size)), pairs):
            found[cells.tobytes()] = Symmetry(one, cells)
    return list(found.values())


def symmetry_called(name: str, board: Board | MoveGraph, graph: MoveGraph) -> Symmetry:
    """The first symmetry of this name: `half turn`, `half-turn`, or for boxes `horizontal` and `vertical`.

    Where symmetries that do not undo one another share it, as the reflections in both diagonals, the result
    is named with a cell that tells it from the others: `reflection in a diagonal taking a8 to a8`. Such names
    are also understood.

    Raises:
        CavalcadeError: the board has none of this name, or it is the identity.
    """
    first, taking, images = name.partition(" taking ")
    plain = _plain(first)
    plain = _plain(ALIASES.get(plain, plain))
    known = [] if plain == "identity" else symmetries_of(board, graph, plain)
    taken = [tuple(map(board.cell, pair.split(" to "))) for pair in images.split(" and ")] if taking else []
    fitting = [one for one in known if all((one.cells[pair[0]],) == pair[1:] for pair in taken)]
    if not fitting:
        names = list(dict.fromkeys(one.name for one in symmetries_of(board, graph)[1:]))
        many = f"{'; '.join(names[:8])}{'; …' * (len(names) > 8)}" if names else "none but the identity"
        raise CavalcadeError(f"{name[:60]!r} is not a symmetry of {board.title}, which has {many}")
    return _told_apart(fitting[0], known, board)


def called_apart(every: list[Symmetry], board: Board | MoveGraph) -> list[Symmetry]:
    """The same but the identity, each with the name by which `symmetry_called` finds it, or its inverse."""
    found: dict[str, Symmetry] = {}
    for one in every[1:]:
        named = _told_apart(one, [other for other in every if other.name == one.name], board)
        found.setdefault(named.name, named)
    return list(found.values())


def _told_apart(one: Symmetry, known: list[Symmetry], board: Board | MoveGraph) -> Symmetry:
    """The same with a name that no other of these has, except possibly its inverse."""
    cells = one.cells
    others = [other.cells for other in known if (other.cells[cells] != np.arange(len(cells))).any()]
    others = [other for other in others if not np.array_equal(other, cells)]
    pairs = []
    while others:
        cell = int(np.argmax((np.stack(others) != cells).sum(axis=0)))
        pairs.append(f"{board.name(cell)} to {board.name(int(cells[cell]))}")
        others = [other for other in others if other[cell] == cells[cell]]
    return Symmetry(f"{one.name} taking {' and '.join(pairs)}", cells) if pairs else one


def _plain(name: str) -> str:
    """A name without the marks that a command line makes hard to write; a minus stays."""
    return " ".join(re.sub(r"(?<=\w)-(?=\w)|,", " ", name.lower()).split())


def first_images(moves: NDArray[np.int32], group: Iterable[Symmetry], size: int) -> NDArray[np.int64]:
    """Of each move (a, b) the first that a symmetry takes it to: c * size + d with c < d.

    Moves of one class have the same first one.
    """
    first = codes_of(moves, size)
    for one in group:
        np.minimum(first, codes_of(one.cells[moves], size), out=first)
    return first


def images(moves: set[tuple[int, int]], symmetry: Symmetry) -> set[tuple[int, int]]:
    """The moves and all their images under the powers of a symmetry."""
    found: set[tuple[int, int]] = set()
    for move in moves:
        a, b = move
        while (min(a, b), max(a, b)) not in found:
            found.add((min(a, b), max(a, b)))
            a, b = int(symmetry.cells[a]), int(symmetry.cells[b])
    return found


def symmetric_ends(
    board: Board | MoveGraph, symmetry: Symmetry, start: int | None, end: int | None
) -> tuple[int, int]:
    """Both ends of an open tour that is symmetric: the symmetry reverses it, and so exchanges them.

    Raises:
        CavalcadeError: it does not exchange these.
    """
    given = start if start is not None else end
    assert given is not None  # noqa: S101 - for the type checker
    image = int(symmetry.cells[given])
    other = image if start is None or end is None else end
    if other != image or other == given or int(symmetry.cells[image]) != given:
        what = f"takes {board.name(given)} to {board.name(image)}"
        raise CavalcadeError(f"the {symmetry.name} {what}: a symmetric open tour cannot have these ends")
    return (given, other) if start is not None else (other, given)
