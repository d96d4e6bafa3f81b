"""Kinds of moves, for statistics that add up along a tour: by slope, by class, by files."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.ground.errors import BoardError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import symmetries
from cavalcade.question.symmetry import first_images

if TYPE_CHECKING:
    from cavalcade.boards import Board
    from cavalcade.question.question import Question

    Edge = tuple[int, int]  # the smaller end first
    Kinds = dict[str, frozenset[Edge]]

STATISTICS = {
    "slope": "moves of each slope, ranks to files (boards of squares in the plane)",
    "class": "moves of each class under the symmetries of the board, named by one of them",
    "files": "moves by the number of files that they go (boards of squares)",
}


def kinds_of(question: Question, by: str) -> Kinds:
    """The moves of a board, sorted into kinds: each kind's name and its moves, in a fixed order.

    Raises:
        BoardError: an unknown statistic, or one that says nothing about this board.
    """
    board = question.board
    if by not in STATISTICS:
        raise BoardError(f"unknown statistic {by!r}, expected one of {', '.join(STATISTICS)}")
    if isinstance(board, MoveGraph):
        raise BoardError(f"{board.title} is a plain graph: its moves have no {by}")
    flat = board.kind == "box" and (by == "files" or board.dimensions == 2)
    if by != "class" and not flat:
        raise BoardError(f"moves of {board.title} have no {by}: that takes a board of squares; try class")
    edges = [(min(a, b), max(a, b)) for a, b in question.graph.edges().tolist()]
    names = _classes(question, edges) if by == "class" else [_name(board, edge, by) for edge in edges]
    order = dict.fromkeys(names) if by == "class" else sorted(set(names), key=_value)
    return {
        str(one): frozenset(e for e, name in zip(edges, names, strict=True) if name == one) for one in order
    }


def alike(question: Question, kinds: Kinds) -> dict[str, str]:
    """For each kind the first one that a symmetry of the question takes to it."""
    maps = [] if question.ends else [one.cells.tolist() for one in symmetries(question)]
    first: dict[str, str] = {}
    for name, edges in kinds.items():
        images = {frozenset(_image(edge, cells) for edge in edges) for cells in maps}
        first[name] = next((other for other in first.values() if kinds[other] in images), name)
    return first


def _image(edge: Edge, cells: list[int]) -> Edge:
    a, b = cells[edge[0]], cells[edge[1]]
    return min(a, b), max(a, b)


def _name(board: Board, edge: Edge, by: str) -> str:
    (*_, row, column), (*_, other_row, other_column) = board.coords[list(edge)].tolist()
    files = other_column - column
    if by == "files":
        return str(abs(files))
    return str(Fraction(row - other_row, files)) if files else "vertical"


def _value(name: str) -> tuple[bool, Fraction]:
    vertical = name == "vertical"
    return vertical, Fraction(0 if vertical else name)


def _classes(question: Question, edges: list[Edge]) -> list[str]:
    """For each move the name of the first in its class."""
    moves = np.array(edges, dtype=np.int32).reshape(-1, 2)
    first = first_images(moves, symmetries(question), question.board.size)
    ends = zip(*(some.tolist() for some in np.divmod(first, question.board.size)), strict=True)
    return [f"{question.board.name(a)}-{question.board.name(b)}" for a, b in ends]
