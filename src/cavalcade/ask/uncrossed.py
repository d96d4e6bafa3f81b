"""The longest walk of a board whose moves do not cross."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.notation import grown, spelled
from cavalcade.checking.uncrossed import check_uncrossed
from cavalcade.find.uncrossed import MOST, lengths, longest
from cavalcade.ground.budget import bounded
from cavalcade.ground.errors import BoardError, CavalcadeError, PieceError, whole
from cavalcade.ground.threads import ProgressCallback
from cavalcade.question.graph import BoardLike, MoveGraph, board_or_graph
from cavalcade.question.pieces import Piece, PieceLike, piece_of
from cavalcade.question.words import validated


@dataclass(frozen=True)
class Uncrossed:
    """A longest walk without a crossing.

    Args:
        walk: it, closed or open; it may leave cells out. Closed and without any cell where there is none.
        length: how many moves it has; no other without a crossing has more.
        states: of the search, at the peak.

    Examples:
        >>> uncrossed("6x6").length
        12
    """

    walk: Tour
    length: int
    states: int


@dataclass(frozen=True)
class UncrossedLengths:
    """How long walks without a crossing can be on the boards of a strip.

    Args:
        spec: of the boards, with a side n.
        piece: that walks.
        closed: closed walks; else open ones.
        terms: the moves of a longest walk for n = 1, 2, 3, …; 0 where there is none.
        rule: (n, p, q) if from n on a side longer by p makes walks longer by q, for all n; None where the
            terms do not show it.

    Examples:
        >>> found = uncrossed_lengths("4xn")
        >>> found.rule, found.at(1_000_000)
        ((8, 3, 6), 1999996)
    """

    spec: str
    piece: Piece
    closed: bool
    terms: tuple[int, ...]
    rule: tuple[int, int, int] | None

    def at(self, n: int) -> int:
        """The moves of a longest walk for any n that the terms or the rule reach.

        Raises:
            CavalcadeError: there is no rule, or n is below 1.
        """
        if 1 <= n <= len(self.terms):
            return self.terms[n - 1]
        if self.rule is None or whole(n, "n") < 1:
            raise CavalcadeError(f"n = {n} is not among the {len(self.terms)} terms, and there is no rule")
        _, period, more = self.rule
        times = -(-(n - len(self.terms)) // period)
        return self.terms[n - times * period - 1] + times * more


@validated
def uncrossed_lengths(
    spec: str,
    *,
    piece: PieceLike | None = None,
    open: bool = False,
    upto: int = 30,
    memory: int | str | None = None,
    time_limit: float | None = None,
    progress: ProgressCallback | None = None,
) -> UncrossedLengths:
    """The lengths that `uncrossed` finds on 4xn for n = 1, 2, 3 and so on, and the rule that they follow.

    The search takes an endless strip row by row. Once it has the same states as some rows before, all of them
    longer by the same, this goes on for ever: so the rule is right for all n.

    Args:
        spec: of a rectangle with one side n, such as `4xn`.
        piece: as for `uncrossed`.
        open: likewise.
        upto: the last n that is searched.
        memory: likewise.
        time_limit: likewise.
        progress: likewise.

    Raises:
        BoardError: the spec is no rectangle with one side n.
        PieceError, TooLargeError: as for `uncrossed`.

    Time: closed 6xn to n = 40 2 s, 7xn to 25 15 s.

    Examples:
        >>> uncrossed_lengths("3xn", upto=12).terms
        (0, 0, 0, 0, 4, 6, 6, 6, 6, 10, 10, 10)
    """
    sides = spelled(spec).split("x")
    numbers = [side for side in sides if side.isdigit() and int(side) > 0]
    if len(sides) != 2 or sides.count("n") != 1 or len(numbers) != 1:
        raise BoardError(f"{spec!r} is not a rectangle with one side n, expected one such as 4xn")
    mover = piece_of(piece)
    vectors = _vectors(board_or_graph(grown(spelled(spec), 1)), mover)
    if sides[1] == "n":
        vectors = vectors[:, ::-1]
    with bounded(time_limit, memory):
        found = lengths(
            int(numbers[0]),
            vectors,
            closed=not open,
            rows=whole(upto, "upto", least=1),
            progress=progress or (lambda _: None),
        )
    return UncrossedLengths(spelled(spec), mover, not open, tuple(found.terms), found.rule)


@validated
def uncrossed(
    board: BoardLike,
    *,
    piece: PieceLike | None = None,
    open: bool = False,
    memory: int | str | None = None,
    time_limit: float | None = None,
    progress: ProgressCallback | None = None,
) -> Uncrossed:
    """Find a longest walk that visits no cell twice and whose moves do not cross, and that none is longer.

    All states of such walks are searched, so the length is exact. It is what OEIS A157416 (closed walks) and
    A003192 (open ones) list for squares.

    Args:
        board: a rectangle or a board of hexagonal cells, with or without holes, or its spec.
        piece: a piece or its spec; by default the knight.
        open: an open walk, in place of a closed one.
        memory: bytes that the search may take; by default half of the machine's memory.
        time_limit: seconds; by default none.
        progress: called with the part that is done, from 0 to 1.

    Raises:
        BoardError: the board does not lie in the plane.
        PieceError: the piece leads over the centres of other cells, where walks could touch.
        TooLargeError: a limit is reached.

    Time: grows with the shorter side, some tenfold for each row, and is linear in the longer one: closed 8x8
    2.4 s, 9x9 28 s and 0.9 GB; open 7x7 2.8 s, 8x8 14 s and 0.6 GB; 4x100 a second.

    Examples:
        >>> found = uncrossed("3x10", open=True)
        >>> found.length, len(found.walk)
        (11, 12)
    """
    place, mover = board_or_graph(board), piece_of(piece)
    vectors = _vectors(place, mover)
    with bounded(time_limit, memory):
        mask = np.ones(place.shape, dtype=np.bool_) if place.mask is None else place.mask
        found = longest(mask, vectors, closed=not open, progress=progress or (lambda _: None))
    walk = Tour(place, np.array(found.cells, dtype=np.int32), not open, mover)
    if not (right := check_uncrossed(walk)):
        raise AssertionError(f"the walk that was found is wrong: {right.message}")
    if len(walk) != found.length + (0 if walk.closed else 1):
        raise AssertionError(f"a walk of {found.length} moves has {len(walk)} cells")
    return Uncrossed(walk, found.length, found.states)


def _vectors(place: Board | MoveGraph, mover: Piece) -> NDArray[np.int32]:
    """The moves of a piece on a board in the plane, and back."""
    if place.plain or place.dimensions != 2 or not place.family.flat:
        raise BoardError(f"{place.title} does not lie in the plane, expected a rectangle or a hexagon")
    vectors = mover.vectors(place)
    over = vectors[np.gcd(vectors[:, 0], vectors[:, 1]) > 1]
    if len(over):
        down, right = over[0].tolist()
        raise PieceError(
            f"the move {down},{right} of {mover.spec} leads over other cells, where walks could touch"
        )
    vectors = np.unique(np.concatenate([vectors, -vectors]), axis=0)
    if len(vectors) > 2 * MOST:
        raise PieceError(f"{mover.spec} has {len(vectors)} moves, expected at most {2 * MOST}")
    return vectors
