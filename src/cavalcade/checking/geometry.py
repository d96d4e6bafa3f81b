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

from cavalcade.errors import PieceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from cavalcade.boards import Board
    from cavalcade.pieces import Piece

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


def is_flat(board: Board) -> bool:
    """Whether a move is a vector from anywhere on the board."""
    return FAMILIES[board.kind].fold is None


def _places(board: Board) -> Ints:
    """The flat index of every cell in the board's array."""
    return np.arange(np.prod(board.shape)) if board.mask is None else np.flatnonzero(board.mask)


def _targets(board: Board, piece: Piece, here: Ints) -> Iterator[Ints]:
    """Where each move leads from these places; beyond the edge too."""
    family = FAMILIES[board.kind]
    moves = vectors(board, piece)
    if family.turns:  # around the surface once, a move is its mirror image
        moves = list(dict.fromkeys([*moves, *((-row, *rest) for row, *rest in moves)]))
    for vector in moves:
        there = here + np.array(vector)[:, None]
        yield there if family.fold is None else family.fold(board, there)


# ---- the families


class Family(NamedTuple):
    """What the checker knows of one family of boards."""

    leaps: Callable[[int, int, int], Iterator[tuple[int, ...]]]  # of d, a and b: the vectors of a leap
    fold: Callable[[Board, Ints], Ints] | None = None  # where places lie on the board; None if it is flat
    turns: bool = False  # whether a way around turns the board over


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


FAMILIES = {
    "box": Family(_straight),
    "hex": Family(_hexagonal),
    "cylinder": Family(_straight, partial(_folded, down=False, flip=False)),
    "torus": Family(_straight, partial(_folded, down=True, flip=False)),
    "mobius": Family(_straight, partial(_folded, down=False, flip=True), turns=True),
    "klein": Family(_straight, partial(_folded, down=True, flip=True), turns=True),
}
