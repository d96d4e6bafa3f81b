"""Tables of states written by hand."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cavalcade.states.patterns import Patterns


def side_of(key: int, ranks: ArrayLike, counts: ArrayLike) -> Patterns:
    """A table with the states of one degree pattern."""
    columns = np.array([np.diff(ranks, prepend=-1), counts], dtype="<i4")
    data = columns.T.copy().view(np.uint8).reshape(-1)
    starts = np.array([0, len(data)], dtype=np.int64)
    return Patterns(np.array([key], dtype=np.int64), starts, np.array([4 * 256 + 4], dtype=np.int16), data)
