"""Longest walks on a board whose moves do not cross, in the plane and in boxes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour
from cavalcade.answers.verification import Verification
from cavalcade.boards import Board
from cavalcade.boards.notation import grown, spelled
from cavalcade.checking import verification
from cavalcade.checking.tours import Checked
from cavalcade.checking.uncrossed import check_longest, check_uncrossed
from cavalcade.find.uncrossed import MOST, lengths, longest
from cavalcade.ground.budget import bounded
from cavalcade.ground.errors import BoardError, CavalcadeError, PieceError, whole
from cavalcade.ground.threads import ProgressCallback
from cavalcade.question.graph import BoardLike, MoveGraph, board_or_graph
from cavalcade.question.moves import graph_of
from cavalcade.question.pieces import Piece, PieceLike, piece_of
from cavalcade.question.words import validated


@dataclass(frozen=True)
class Uncrossed:
    """A longest walk without a crossing; in three or more dimensions, the longest known walk.

    Args:
        walk: the walk, closed or open, perhaps not through all cells; empty if there is no closed walk.
        length: number of its moves.
        states: largest number of states that the search held at once; 0 in a box.
        at_most: None if no walk is longer; if the time limit ended the search in a box, a number of moves
            that no walk exceeds.
        verification: how it was checked that no walk is longer.

    Examples:
        >>> uncrossed("6x6").length
        12
    """

    walk: Tour
    length: int
    states: int
    at_most: int | None = None
    verification: Verification = Verification.UNCHECKED


@dataclass(frozen=True)
class UncrossedLengths:
    """Lengths of the longest walks without a crossing on strips of a fixed width.

    Args:
        spec: spec of the boards, with a side n.
        piece: the piece.
        closed: whether the walks are closed.
        terms: number of moves of a longest walk for n = 1, 2, 3, …; 0 if there is no walk.
        rule: (n, p, q) if from n on, a side longer by p makes the longest walk longer by q; None if the terms
            do not show such a rule.

    Examples:
        >>> lengths = uncrossed_lengths("4xn")
        >>> lengths.rule, lengths.at(1_000_000)
        ((8, 3, 6), 1999996)
    """

    spec: str
    piece: Piece
    closed: bool
    terms: tuple[int, ...]
    rule: tuple[int, int, int] | None

    def at(self, n: int) -> int:
        """Return the number of moves of a longest walk, for any n that the terms or the rule cover.

        Raises:
            CavalcadeError: n is below 1, or beyond the terms and there is no rule.
        """
        if 1 <= n <= len(self.terms):
            return self.terms[n - 1]
        if self.rule is None or whole(n, "n") < 1:
            raise CavalcadeError(f"n = {n} is not among the {len(self.terms)} terms, and there is no rule")
        _, period, increase = self.rule
        periods = -(-(n - len(self.terms)) // period)
        return self.terms[n - periods * period - 1] + periods * increase


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
    """Find the length of a longest uncrossed walk on 4xn for n = 1, 2, 3, …, and a rule for these lengths.

    The search processes an endless strip row by row. If its states equal those p rows before, with all walks
    longer by q, they recur forever. So the rule holds for all n.

    Args:
        spec: spec of a rectangle with one side n, such as `4xn`.
        piece: a piece or its spec; by default the knight.
        open: open walks instead of closed ones.
        upto: last n of the search.
        memory: limit in bytes; by default half of the machine's memory.
        time_limit: seconds; by default none.
        progress: called with the finished fraction of the work, from 0 to 1.

    Raises:
        BoardError: the spec is not a rectangle with one side n.
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
    vectors = _vectors(_flat_board(grown(spelled(spec), 1)), mover)
    if sides[1] == "n":
        vectors = vectors[:, ::-1]
    with bounded(time_limit, memory):
        strip = lengths(
            int(numbers[0]),
            vectors,
            closed=not open,
            rows=whole(upto, "upto", least=1),
            progress=progress or (lambda _: None),
        )
    return UncrossedLengths(spelled(spec), mover, not open, tuple(strip.terms), strip.rule)


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
    """Find a longest walk that visits no cell twice and whose moves do not cross.

    In the plane the search is exhaustive, so no such walk is longer. OEIS A157416 (closed walks) and A003192
    (open walks) list these lengths for squares. In a box of three or more dimensions two moves cross if they
    have a point in common that is not an end of both. There a SAT solver finds longer and longer walks until
    it proves that none is longer, which `check_longest` checks, or until the time limit.

    Args:
        board: a rectangle, a board of hexagonal cells or a box, with or without holes, or its spec.
        piece: a piece or its spec; by default the knight.
        open: an open walk instead of a closed one.
        memory: limit in bytes; by default half of the machine's memory.
        time_limit: seconds; by default none.
        progress: called with the finished fraction of the work, from 0 to 1; not in a box.

    Raises:
        BoardError: moves on the board are no straight lines, as on a torus.
        PieceError: a move passes over the centres of other cells, where walks could touch.
        TooLargeError: a limit is reached; in a box, the memory limit.

    Time: grows about tenfold with each row of the shorter side, and linearly with the longer side. Closed
    walks of 8x8 2.4 s, 9x9 28 s and 0.9 GB; open walks of 7x7 2.8 s, 8x8 14 s and 0.6 GB; 4x100 a second.
    Proofs take seconds in boxes of up to 30 cells, and no time limit helps beyond 40.

    Examples:
        >>> longest_walk = uncrossed("3x10", open=True)
        >>> longest_walk.length, len(longest_walk.walk)
        (11, 12)
    """
    place, mover = _flat_board(board), piece_of(piece)
    vectors = _vectors(place, mover)
    with bounded(time_limit, memory):
        if place.dimensions > 2:
            return _in_box(place, mover, vectors, closed=not open)
        mask = np.ones(place.shape, dtype=np.bool_) if place.mask is None else place.mask
        result = longest(mask, vectors, closed=not open, progress=progress or (lambda _: None))
    walk = _checked(place, mover, result.cells, closed=not open)
    if len(walk) != result.length + (0 if walk.closed else 1):
        raise AssertionError(f"a walk of {result.length} moves has {len(walk)} cells")
    return Uncrossed(walk, result.length, result.states, verification=verification.longest(walk))


def _in_box(place: Board, mover: Piece, vectors: NDArray[np.int32], *, closed: bool) -> Uncrossed:
    """Find a long walk in a box; if no walk is longer, the proof is checked."""
    from cavalcade.refute.uncrossed import least_cells, long_walk

    graph = graph_of(place, mover)
    result = long_walk(graph, place.coords.astype(np.int64), vectors, closed=closed)
    walk, is_longest = _checked(place, mover, result.cells, closed=closed), result.ended
    how = Verification.UNCHECKED
    if result.proof is not None:
        cells = least_cells(len(walk), closed=closed)
        try:
            checked = check_longest(place, mover, result.proof, cells=cells, closed=closed)
        except TimeoutError:
            is_longest = False
        else:
            how = verification.proved(checked)
    elif result.ended and len(walk) == place.size:
        how = verification.proved(Checked(ok=True, message="the walk visits every cell"))
    if not (closed or result.cells):
        walk = _checked(place, mover, [0], closed=False)  # no move is possible
    fewer = 0 if closed else 1  # an open walk has one move fewer than cells
    most = None if is_longest else int((np.diff(graph.indptr) > 1 - fewer).sum()) - fewer
    return Uncrossed(walk, len(walk) - fewer, 0, most, how)


def _checked(place: Board, mover: Piece, cells: list[int], *, closed: bool) -> Tour:
    """Return a walk that the checker accepts."""
    walk = Tour(place, np.array(cells, dtype=np.int32), closed, mover)
    if not (checked := check_uncrossed(walk)):
        raise AssertionError(f"the walk that was found is wrong: {checked.message}")
    return walk


def _flat_board(board: BoardLike) -> Board:
    """Return a board of at least two dimensions on which moves are straight lines.

    Raises:
        BoardError: it is no such board.
    """
    place = board_or_graph(board)
    if isinstance(place, MoveGraph) or place.dimensions < 2 or not place.family.flat:
        raise BoardError(f"{place.title} is not flat, expected a rectangle, a hexagon or a box")
    return place


def _vectors(place: Board, mover: Piece) -> NDArray[np.int32]:
    """Return the moves of a piece on a flat board, in ascending order.

    Raises:
        PieceError: a move passes over other cells, the piece is one-way, or it has too many moves for the
            search in a plane.
    """
    mover.assert_both_ways(place, "walks without a crossing")
    vectors = mover.vectors(place)
    multiples = vectors[np.gcd.reduce(vectors, axis=1) > 1]
    if len(multiples):
        move = ",".join(map(str, multiples[0].tolist()))
        raise PieceError(f"the move {move} of {mover.spec} leads over other cells, where walks could touch")
    vectors = np.unique(vectors, axis=0)
    if place.dimensions == 2 and len(vectors) > 2 * MOST:
        raise PieceError(f"{mover.spec} has {len(vectors)} moves, expected at most {2 * MOST}")
    return vectors
