"""Tables of text as arrays of letters: columns as wide as their widest entry; zeros are dropped at last."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Letters = NDArray[np.uint8]


def of_texts(texts: NDArray[np.bytes_]) -> Letters:
    """The letters of texts, a row for each text or each row of texts."""
    return np.ascontiguousarray(texts).view(np.uint8).reshape(len(texts), -1)


def of_numbers(numbers: NDArray[np.integer]) -> Letters:
    """The digits of integers, a row for each, after a minus sign if it has one."""
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
    """A column of the same sign."""
    return np.full((count, 1), ord(sign), dtype=np.uint8)
