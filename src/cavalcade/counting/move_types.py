"""Types of moves, for statistics that add up along a tour: by slope, by class, by files."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.ground.errors import BoardError
from cavalcade.question.question import symmetries
from cavalcade.question.symmetry import first_images

if TYPE_CHECKING:
    from cavalcade.boards import Board
    from cavalcade.question.question import Question

    Edge = tuple[int, int]  # the smaller end first
    MoveTypes = dict[str, frozenset[Edge]]

STATISTICS = {
    "slope": "moves of each slope, ranks to files (boards of squares in the plane)",
    "class": "moves of each class under the symmetries of the board, named by one of them",
    "files": "moves by the number of files they cross (boards of squares)",
}


def move_types(question: Question, by: str) -> MoveTypes:
    """The types of the moves of a board: the name of each and its moves, in a fixed order.

    Raises:
        BoardError: an unknown statistic, or one that is not defined on this board.
    """
    board = question.board
    if by not in STATISTICS:
        raise BoardError(f"unknown statistic {by!r}, expected one of {', '.join(STATISTICS)}")
    if board.plain:
        raise BoardError(f"{board.title} is a plain graph: its moves have no {by}")
    if by != "class" and not (board.is_rectangle or (board.is_box and by == "files")):
        raise BoardError(f"moves of {board.title} have no {by}, expected a board of squares: try class")
    edges = [(min(a, b), max(a, b)) for a, b in question.graph.edges().tolist()]
    names = _classes(question, edges) if by == "class" else [_name(board, edge, by) for edge in edges]
    order = dict.fromkeys(names) if by == "class" else sorted(set(names), key=_value)
    return {
        str(one): frozenset(e for e, name in zip(edges, names, strict=True) if name == one) for one in order
    }


def equivalent(question: Question, types: MoveTypes) -> dict[str, str]:
    """For each type the first one that a symmetry of the question maps to it."""
    maps = [] if question.ends else [one.cells.tolist() for one in symmetries(question)]
    first: dict[str, str] = {}
    for name, edges in types.items():
        images = {frozenset(_image(edge, cells) for edge in edges) for cells in maps}
        first[name] = next((other for other in first.values() if types[other] in images), name)
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
