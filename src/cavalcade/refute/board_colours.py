"""Colours counted from the spec of a board, before its move graph exists: boards of any size are refuted."""

from __future__ import annotations

from math import gcd

from cavalcade.question.question import Question


def has_unequal_colours(question: Question) -> bool:
    """Whether the spec of a rectangle shows that one colour has more cells than the other.

    This is so if the number of cells is odd and every move changes the colour; then there is no closed tour.
    The piece must be a single leaper (r, s) on a board of at least (r + s) x 2s cells: the graph of its moves
    is connected (D. E. Knuth, Leaper graphs, 1994), so the proof also holds for the part of the graph around
    any cell.
    """
    board, leaps = question.board, question.piece.leaps
    if board.plain or not (question.closed and board.is_rectangle and board.mask is None and len(leaps) == 1):
        return False
    (r, s), (m, n) = sorted(leaps[0]), sorted(board.shape)
    connected = gcd(r, s) == 1 and (r + s) % 2 == 1 and m >= r + s and n >= 2 * s
    return connected and m % 2 == 1 and n % 2 == 1
