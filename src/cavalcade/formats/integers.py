"""Any integers, one per cell, in and out, as `cavalcade degrees` writes them.

Numbers on the board; wide variables like m11 m12 …; or two columns, a cell's name and its number.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.boards.notation import parse_board
from cavalcade.formats import about
from cavalcade.formats import text as on_board
from cavalcade.formats.files import called, read_file
from cavalcade.formats.header import line_error
from cavalcade.formats.table import BY_NAME
from cavalcade.ground.errors import CavalcadeError, FormatError

if TYPE_CHECKING:
    import os

    from numpy.typing import ArrayLike, NDArray

    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph

NUMBER = re.compile(r"[0-9]{1,9}")


def numbers(board: Board | MoveGraph, values: ArrayLike, format: str = "text", **options: Any) -> str:  # noqa: A002, ANN401
    """Any integers, one per cell, on their board: as `text`, or as `wide` variables.

    Options are `labels` and `beside` of `text.numbers_text`, `letter` of `wide.numbers_wide`.

    Raises:
        FormatError: there is no such format, or not one integer per cell.
    """
    if format not in {"text", "wide"}:
        raise FormatError(f"unknown format {format!r} for numbers, expected text or wide")
    return str(getattr(BY_NAME[format].module, f"numbers_{format}")(board, values, **options))


def read_numbers(path: str | os.PathLike[str], board: Board | MoveGraph | str) -> NDArray[np.int64]:
    """Any integers, one per cell, from a file: as `numbers` or `cavalcade degrees` writes them.

    Args:
        path: the file; `-` is standard input.
        board: the board or its spec, or a graph.

    Raises:
        FormatError: it does not have one number per cell.
    """
    text = read_file(path)
    with about(called(path)):
        return _parsed(text, parse_board(board) if isinstance(board, str) else board)


def _parsed(text: str, board: Board | MoveGraph) -> NDArray[np.int64]:
    """The numbers of a board in a text, in the order of the cells."""
    lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
    rows = [(at, line, re.split(r"[\s,;]+", line.strip())) for at, line in lines if line.lstrip()[0] != ";"]
    named = rows and all(len(row) == 2 and not NUMBER.fullmatch(row[0]) for _, _, row in rows)
    if board.plain or named:
        return _pairs(rows, board)
    wide = BY_NAME["wide"].module
    if len(rows) == 2 and all(wide.place(word) for word in rows[0][2]):
        names = wide.numbers_wide(board, np.zeros(board.size, dtype=np.int64)).split()[: board.size]
        if [name[1:] for name in names] != [name[1:] for name in rows[0][2]]:
            raise line_error(
                *rows[0][:2], f"expected the variables of {board.title}, {names[0]} to {names[-1]}"
            )
        return np.array([_integer(*rows[1][:2], word) for word in rows[1][2]], dtype=np.int64)
    return on_board.parse_numbers(text, board)


def _pairs(rows: list[tuple[int, str, list[str]]], board: Board | MoveGraph) -> NDArray[np.int64]:
    """The numbers of a list of names and numbers, perhaps with titles above."""
    found = np.full(board.size, -1, dtype=np.int64)
    for at, line, row in rows:
        if at == rows[0][0] and not NUMBER.fullmatch(row[-1]):
            continue
        try:
            cell = board.cell(row[0])
        except CavalcadeError as error:
            raise line_error(at, line, str(error)) from None
        if len(row) != 2 or found[cell] >= 0:
            raise line_error(at, line, "expected each cell once, and its number")
        found[cell] = _integer(at, line, row[1])
    if (found < 0).any():
        raise FormatError(f"there is no number for {board.name(int(np.argmax(found < 0)))}")
    return found


def _integer(at: int, line: str, word: str) -> int:
    if not NUMBER.fullmatch(word):
        raise line_error(at, line, f"{word[:40]!r} is not a number")
    return int(word)
