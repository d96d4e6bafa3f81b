"""The line between the cells of a board that are taken and the others, and the moves that cross it.

Cells are taken row by row. A move is *pending* while just one of its cells is taken: it crosses the line.
Each move that may be pending has its *place* in a state: a word of 64 bits, and the bits there that say of it
what the search wants to know. Two bits of each word are left for other uses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cavalcade.answers.measures.crossings import moves_cross
from cavalcade.ground.kernels import Cells, Ints, Mask, Vector
from cavalcade.states.tables import MULTIPLIERS, slot

USED = 58  # bits of a word


class Leaving(NamedTuple):
    """What it takes to take one cell.

    Args:
        into: the places of the moves that come into it, -1 for none: 64 times the word, and the bit.
        out: the places of those that leave it for a cell not yet taken, likewise.
        across: of each of these the bits of the moves that it would cross, a row of words each.
        order: the places of all moves that may be pending before, along the line.
        rank: of each move that leaves where it crosses the line afterwards.
    """

    into: Vector
    out: Vector
    across: Vector
    order: Vector
    rank: Vector


class Front:
    """Lines across a board, cell after cell.

    Args:
        mask: where the array has cells.
        vectors: the moves and their opposites, (k, 2), none of which leads over another cell's centre.
        bits: of a move in a state.
    """

    def __init__(self, mask: Mask, vectors: Cells, bits: int) -> None:
        self.mask, self.bits, self.held = mask, bits, USED // bits
        rows, self.columns = mask.shape
        self.size = rows * self.columns
        ahead = vectors[(vectors[:, 0] > 0) | ((vectors[:, 0] == 0) & (vectors[:, 1] > 0))]
        self.ahead = np.unique(ahead, axis=0)
        self.span = int((self.ahead @ (self.columns, 1)).max(initial=1))  # cells that a move leads on
        self.words = -(-self.span * max(1, len(self.ahead)) // self.held)

    def leaving(self, cell: int) -> Leaving:
        """What it takes to take a cell."""
        held, kinds, every = self.pending(cell), len(self.ahead), (1 << self.bits) - 1
        at = np.array(divmod(cell, self.columns))
        into, out, rank = np.full(kinds, -1), np.full(kinds, -1), np.zeros(kinds)
        across = np.zeros((kinds, self.words), dtype=np.int64)
        place, start, kind = (np.array([one[i] for one in held], dtype=np.int64) for i in (1, 2, 3))
        begin, end = np.stack([start // self.columns, start % self.columns], axis=1), self.ahead[kind]
        arrive = start + end @ (self.columns, 1) == cell
        into[kind[arrive]] = place[arrive]
        for k, vector in enumerate(self.ahead):
            if self._is_cell(at) and self._is_cell(at + vector):
                out[k], rank[k] = self.place(cell, k), self._crossing(cell, k, cell)
                crossed = moves_cross(at[None], at[None] + vector, begin, begin + end)[0]
                for one in place[crossed].tolist():
                    across[k, one >> 6] |= every << (one & 63)
        return Leaving(into, out, across.ravel(), place, np.argsort(np.argsort(rank)))

    def pending(self, cell: int) -> list[tuple[float, int, int, int]]:
        """The moves that may be pending before a cell, along the line: where, place, first cell and kind."""
        found = []
        for start in range(max(0, cell - self.span), cell):
            at = np.array(divmod(start, self.columns))
            for kind, vector in enumerate(self.ahead):
                there = at + vector
                if self._is_cell(at) and self._is_cell(there) and there @ (self.columns, 1) >= cell:
                    found.append(
                        (self._crossing(start, kind, cell - 1), self.place(start, kind), start, kind)
                    )
        return sorted(found)

    def place(self, start: int, kind: int) -> int:
        """The place of a move, by its last cell and its kind."""
        last = start + int(self.ahead[kind] @ (self.columns, 1))
        word, at = divmod(last % self.span * len(self.ahead) + kind, self.held)
        return 64 * word + self.bits * at

    def said(self, taken: int, words: Ints) -> Ints:
        """What states say of each move, after so many cells: the same wherever the line is."""
        held = np.arange(self.span * len(self.ahead))
        shifts = self.bits * (held % self.held)
        found = (words[:, held // self.held] >> shifts & ((1 << self.bits) - 1)).astype(np.int8)
        return np.roll(found, -(taken % self.span) * len(self.ahead), axis=1)

    def _is_cell(self, at: Ints) -> bool:
        row, column = at
        return 0 <= row < self.mask.shape[0] and 0 <= column < self.columns and bool(self.mask[row, column])

    def _crossing(self, start: int, kind: int, taken: int) -> float:
        """In which column a move crosses the line after a cell, which falls a little from right to left."""
        tilt = 1 / (4 * self.columns)
        row, column = divmod(start, self.columns)
        down, right = self.ahead[kind].tolist()
        line = taken // self.columns + tilt * (taken % self.columns + 0.5)
        return float(column + right * (line - row - tilt * column) / (down + tilt * right))


def is_free(words: Vector, begin: int, across: Vector, kind: int, size: int) -> bool:
    """Whether a move that leaves the cell crosses none that is pending: a helper of kernels."""
    for i in range(size):
        if words[begin + i] & across[kind * size + i]:
            return False
    return True


def found_at(key: Vector, words: Vector, length: Vector) -> int:
    """Where a state is in a hash table, or would be: a helper of kernels.

    `words` has a row as long as `key` for each place, and `length` is -1 where there is no state.
    """
    size, mask, h = len(key), len(length) - 1, 0
    for i in range(size):
        h = slot(key[i], h, 0x7FFFFFFF, MULTIPLIERS[0])
    s = h & mask
    while length[s] >= 0:
        same = True
        for i in range(size):
            same = same and words[s * size + i] == key[i]
        if same:
            break
        s = (s + 1) & mask
    return s
