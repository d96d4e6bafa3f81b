"""A tour on one line: the names of its cells, `a1 b3 c5`, or its moves as UCI writes them, `a1b3 b3c5`.

A closed tour ends with its first cell, as a walk that returns. `text` reads both.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from cavalcade.answers.tours import Tour
from cavalcade.formats.header import assert_visits_once, describe
from cavalcade.ground.errors import FormatError
from cavalcade.question.words import validated

if TYPE_CHECKING:
    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph

UCI = re.compile("([a-z]+[1-9][0-9]*)([a-z]+[1-9][0-9]*)")


@validated
def write_names(tour: Tour, *, header: bool = True) -> str:
    """Write the names of the cells between spaces.

    Args:
        tour: the tour.
        header: whether to begin with the line of board, piece and kind.

    Raises:
        FormatError: the board is a graph, or the walk visits a cell twice.
    """
    return _line(tour, _walk(tour), header=header)


@validated
def write_uci(tour: Tour, *, header: bool = True) -> str:
    """Write each move as its two cells, as chess programs do.

    Args:
        tour: a tour of a board of one level, of at least two cells.
        header: whether to begin with the line of board, piece and kind.

    Raises:
        FormatError: a name is not a letter and a number, the tour has no move, or visits a cell twice.
    """
    assert_fits_uci(tour.board)
    moves = [a + b for a, b in pairwise(_walk(tour))]
    if not moves:
        raise FormatError(f"cannot write {tour.board.title} in moves: it has none, use names or text")
    return _line(tour, moves, header=header)


def assert_fits_names(board: Board | MoveGraph, _: object = None) -> None:
    """Refuse a graph, whose names may contain spaces.

    Raises:
        FormatError: the board is a graph.
    """
    if board.plain:
        raise FormatError(f"cannot write the names of {board.title} on one line: use text")


def assert_fits_uci(board: Board | MoveGraph, _: object = None) -> None:
    """Refuse a board whose cells are not named by a letter and a number.

    Raises:
        FormatError: there is such a cell.
    """
    if board.plain or not UCI.fullmatch(2 * board.name(0)):
        usable = "text" if board.plain else "names or text"
        raise FormatError(f"cannot write {board.title} in moves such as a1b3: use {usable}")


def _walk(tour: Tour) -> list[str]:
    """Return the names of the cells; the first is also the last of a closed tour."""
    assert_visits_once(tour)
    return [*tour.names, *(tour.names[:1] if tour.closed and len(tour) > 1 else [])]


def _line(tour: Tour, words: list[str], *, header: bool) -> str:
    """Return a header and one line of words."""
    assert_fits_names(tour.board)
    return (f"; {describe(tour)}\n" if header else "") + " ".join(words) + "\n"


def cells_of_moves(words: list[str]) -> list[str] | None:
    """Return the cells of moves such as `a1b3`; None if the words are not moves that follow one another."""
    moves = [UCI.fullmatch(word) for word in words]
    if not all(moves):
        return None
    ends = [(move[1], move[2]) for move in moves if move]
    linked = all(first[1] == second[0] for first, second in pairwise(ends))
    return [ends[0][0], *(end for _, end in ends)] if ends and linked else None
