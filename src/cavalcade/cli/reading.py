"""What a BOARD on the command line stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.ground.errors import BoardError

if TYPE_CHECKING:
    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph


def is_file(text: str) -> bool:
    """Whether a BOARD names a file, or standard input."""
    from cavalcade.question.graph import is_path

    return text == "-" or is_path(text)


def read_board(text: str, without: str | None = None) -> Board | MoveGraph:
    """The board of a spec or a picture, or the graph of a file."""
    from cavalcade import formats
    from cavalcade.boards.notation import parse_board, split_names

    board = formats.read_board(text) if is_file(text) else parse_board(text)
    if without is None:
        return board
    if board.plain:
        raise BoardError(f"{board.title} is a graph, and --without removes cells of boards: leave it out")
    return board.without(split_names(without))
