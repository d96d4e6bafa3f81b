"""Fast tables of text: arrays of ASCII codes, one column per field.

A column is as wide as its widest entry. Shorter entries are padded with zeros, which `joined` drops.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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


def joined(columns: list[Letters]) -> str:
    """The rows as one text."""
    table = np.hstack(columns)
    return str(table[table != 0].tobytes(), "ascii")


def repeated(sign: str, count: int) -> Letters:
    """A column that repeats a text of ASCII characters."""
    return np.tile(np.frombuffer(sign.encode("ascii"), dtype=np.uint8), (count, 1))
