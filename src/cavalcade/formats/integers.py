"""Any integers, one per cell, read as `cavalcade degrees` writes them.

Numbers on the board; wide variables like m11 m12 …; or two columns, a cell's name and its number.
"""

from __future__ import annotations

import os
import re

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.formats.files import about, called, read_file
from cavalcade.formats.header import ZERO, Claim, TextLine, misnamed, numbered
from cavalcade.formats.table import BY_NAME
from cavalcade.formats.text import numbers_in
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

NUMBER = re.compile(r"[0-9]{1,9}")


def read_numbers(path: str | os.PathLike[str], board: Board | MoveGraph | str) -> NDArray[np.int64]:
    """Any integers, one per cell, from a file: as `cavalcade degrees` writes them.

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
    lines = [line for line in numbered(text) if not line.text.lstrip().startswith(";")]
    rows = [
        line._replace(words=re.split(r"[\s,;]+", line.text.strip())) for line in lines if line.text.strip()
    ]
    named = rows and all(len(row.words) == 2 and not NUMBER.fullmatch(row.words[0]) for row in rows)
    if board.plain or named:
        return _pairs(rows, board)
    wide = BY_NAME["wide"].module
    if len(rows) == 2 and all(map(wide.place, rows[0].words)):
        names = wide.numbers_wide(board, np.zeros(board.size, dtype=np.int64)).split()[: board.size]
        if [name[1:] for name in names] != [name[1:] for name in rows[0].words]:
            raise rows[0].error(f"expected the variables of {board.title}, {names[0]} to {names[-1]}")
        return np.array([_integer(rows[1], word) for word in rows[1].words], dtype=np.int64)
    _, array = numbers_in(lines, Claim(board))
    if array.shape != board.shape:
        raise FormatError(f"the numbers do not fit {board.title}, expected {board.size:,}")
    values = array.ravel() if board.mask is None else array[board.mask]
    if ((values <= 0) & (values != ZERO)).any():
        bad = int(np.argmax((values <= 0) & (values != ZERO)))
        raise FormatError(f"there is no number on {board.name(bad)}")
    return np.where(values == ZERO, 0, values)


def _pairs(rows: list[TextLine], board: Board | MoveGraph) -> NDArray[np.int64]:
    """The numbers of a list of names and numbers, perhaps with titles above."""
    numbers = np.full(board.size, -1, dtype=np.int64)
    titled = bool(rows) and not NUMBER.fullmatch(rows[0].words[-1])
    for row in rows[titled:]:
        if error := misnamed(board, [(row, row.words[0])]):
            raise error
        cell = board.cell(row.words[0])
        if len(row.words) != 2 or numbers[cell] >= 0:
            raise row.error("expected each cell once, and its number")
        numbers[cell] = _integer(row, row.words[1])
    if (numbers < 0).any():
        raise FormatError(f"there is no number for {board.name(int(np.argmax(numbers < 0)))}")
    return numbers


def _integer(row: TextLine, word: str) -> int:
    if not NUMBER.fullmatch(word):
        raise row.error(f"{word[:40]!r} is not a number")
    return int(word)
