"""Fast tables of text: arrays of ASCII codes, one column per field.

A column is as wide as its widest entry. Shorter entries are padded with zeros, which `joined` drops.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.boards.board import MOST_CELLS

Letters = NDArray[np.uint8]

# Rows per call of `joined`: a row takes tens of bytes, so a block takes a few megabytes.
BLOCK = 2**16


def of_texts(texts: NDArray[np.bytes_]) -> Letters:
    """The letters of texts, one row for each text or row of texts."""
    return np.ascontiguousarray(texts).view(np.uint8).reshape(len(texts), -1)


def of_numbers(numbers: NDArray[np.integer]) -> Letters:
    """The digits of integers, one row per integer, with a minus sign if the integer is negative."""
    size = np.abs(numbers)[:, None]
    powers = 10 ** np.arange(len(str(size.max(initial=0))) - 1, -1, -1, dtype=size.dtype)
    letters = (size // powers % 10 + ord("0")).astype(np.uint8)
    letters[(size < powers) & (powers > 1)] = 0
    return np.hstack([np.where(numbers < 0, ord("-"), 0).astype(np.uint8)[:, None], letters])


def naming(board: Board) -> Callable[[NDArray[np.int32]], Letters]:
    """Return a function from cells of a board to the letters of their names, one row per cell."""
    if board.family.hexagonal:
        names = of_texts(np.array(board.names, dtype=bytes))
        return lambda cells: names[cells]
    files, rows = of_texts(np.array(board.files, dtype=bytes)), board.shape[-2]

    def letters(cells: NDArray[np.int32]) -> Letters:
        *levels, row, column = (board.coords[cells] + board.family.origin).T
        columns = [part for level in levels for part in (of_numbers(level + 1), repeated(":", len(cells)))]
        return np.hstack([*columns, files[column], of_numbers(rows - row)])

    return letters


def numbers_in(text: str, separator: str) -> NDArray[np.int64]:
    """The integers in a text, in order; they lie between separators, and other signs are skipped.

    Raises:
        ValueError: an integer has more digits than any coordinate.
    """
    numbers, begin = [np.zeros(0, dtype=np.int64)], 0
    while begin < len(text):
        end = text.find(separator, begin + 64 * BLOCK) + 1 or len(text)
        letters = np.frombuffer(text[begin:end].encode("ascii", "replace"), dtype=np.uint8)
        digits = letters - np.uint8(ord("0"))  # modulo 256, so that other signs are 10 or more
        bounds = np.flatnonzero(np.diff(digits < 10, prepend=False, append=False))
        starts, ends = bounds[::2], bounds[1::2]
        values, longest = np.zeros(len(starts), dtype=np.int64), int((ends - starts).max(initial=0))
        if longest > len(str(MOST_CELLS)):
            raise ValueError
        for k in range(longest):  # digit by digit, so the bound on `longest` also bounds the time
            inside = starts + k < ends
            values[inside] = 10 * values[inside] + digits[starts[inside] + k]
        negative = (letters[starts - 1] == ord("-")) & (starts > 0)
        numbers.append(np.where(negative, -values, values))
        begin = end
    return np.concatenate(numbers)


def joined(columns: list[Letters]) -> str:
    """The rows as one text."""
    table = np.hstack(columns)
    return str(table[table != 0].tobytes(), "ascii")


def repeated(sign: str, count: int) -> Letters:
    """A column that repeats a text of ASCII characters."""
    return np.tile(np.frombuffer(sign.encode("ascii"), dtype=np.uint8), (count, 1))
