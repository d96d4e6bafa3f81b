"""Searches of sets of moves that do not cross, cell after cell: the line across the board, and their driver.

Cells are taken row by row. A move is *pending* while just one of its cells is taken: it crosses the line
between the taken cells and the others. Each move that may be pending has a *place* in a state: some bits of a
64-bit word, which say whether it is pending and whatever else a search needs. Two bits of each word remain
for other uses.

A search is a kernel that writes the successors of a state (see `LineSearch`); `states.tables` merges equal
states and keeps a longest one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from cavalcade.answers.measures.crossings import moves_cross
from cavalcade.ground.kernels import Cells, Ints, Mask, Tier, Vector
from cavalcade.states.tables import RecordLayout, Table, Trays, transform

# Bits of a word for moves. `uncrossed_bound` stores the number of ended paths in the two bits above.
BITS_USED = 58


class CellStep(NamedTuple):
    """The moves at a cell that is taken.

    A place is 64 times the index of the word plus the position of the lowest bit.

    Args:
        into: places of the moves from earlier cells, one for each kind of move; -1 for none.
        out: places of the moves to later cells, one for each kind of move; -1 for none.
        across: bits of the moves that each outgoing move would cross, one row of words for each kind.
        order: places of the moves that may be pending before the step, along the line.
        rank: positions of the outgoing moves along the line after the step, one for each kind.
    """

    into: Vector
    out: Vector
    across: Vector
    order: Vector
    rank: Vector


class Front:
    """Lines across a board, cell after cell.

    Args:
        mask: cells of the array that belong to the board.
        vectors: moves and their opposites, shape (k, 2); no move leads over the centre of another cell.
        bits: bits of a move in a state.
    """

    def __init__(self, mask: Mask, vectors: Cells, bits: int) -> None:
        self.mask, self.bits, self.moves_per_word = mask, bits, BITS_USED // bits
        rows, self.columns = mask.shape
        self.size = rows * self.columns
        forward = vectors[(vectors[:, 0] > 0) | ((vectors[:, 0] == 0) & (vectors[:, 1] > 0))]
        self.forward = np.unique(forward, axis=0)
        self.lengths = self.forward @ (self.columns, 1)  # of each kind of move, in cells
        self.span = int(self.lengths.max(initial=1))
        self.words = -(-self.span * max(1, len(self.forward)) // self.moves_per_word)

    def step(self, cell: int) -> CellStep:
        """The moves at a cell."""
        pending, kinds, move_mask = self.pending(cell), len(self.forward), (1 << self.bits) - 1
        position = np.array(divmod(cell, self.columns))
        into, out, crossing = np.full(kinds, -1), np.full(kinds, -1), np.zeros(kinds)
        across = np.zeros((kinds, self.words), dtype=np.int64)
        place, start, kind = (np.array([move[i] for move in pending], dtype=np.int64) for i in (1, 2, 3))
        begin, vector = np.stack([start // self.columns, start % self.columns], axis=1), self.forward[kind]
        arrives = start + self.lengths[kind] == cell
        into[kind[arrives]] = place[arrives]
        for k, ahead in enumerate(self.forward):
            if self._is_cell(position) and self._is_cell(position + ahead):
                out[k], crossing[k] = self.place(cell, k), self._crossing(cell, k, cell)
                crossed = moves_cross(position[None], position[None] + ahead, begin, begin + vector)[0]
                for crossed_place in place[crossed].tolist():
                    across[k, crossed_place >> 6] |= move_mask << (crossed_place & 63)
        return CellStep(into, out, across.ravel(), place, np.argsort(np.argsort(crossing)))

    def pending(self, cell: int) -> list[tuple[float, int, int, int]]:
        """The moves that may be pending before a cell, along the line.

        Returns a tuple for each: where it crosses the line, its place, its first cell, and its kind.
        """
        moves = []
        for start in range(max(0, cell - self.span), cell):
            position = np.array(divmod(start, self.columns))
            for kind, vector in enumerate(self.forward):
                target = position + vector
                if self._is_cell(position) and self._is_cell(target) and target @ (self.columns, 1) >= cell:
                    crossing = self._crossing(start, kind, cell - 1)
                    moves.append((crossing, self.place(start, kind), start, kind))
        return sorted(moves)

    def place(self, start: int, kind: int) -> int:
        """The place of a move, which depends on its last cell and its kind."""
        last = start + int(self.lengths[kind])
        word, index = divmod(last % self.span * len(self.forward) + kind, self.moves_per_word)
        return 64 * word + self.bits * index

    def relative(self, taken: int, words: Ints) -> Ints:
        """The bits of each move in some states after `taken` cells, in an order relative to the line."""
        index = np.arange(self.span * len(self.forward))
        shifts = self.bits * (index % self.moves_per_word)
        move_mask = (1 << self.bits) - 1
        values = (words[:, index // self.moves_per_word] >> shifts & move_mask).astype(np.int8)
        return np.roll(values, -(taken % self.span) * len(self.forward), axis=1)

    def _is_cell(self, position: Ints) -> bool:
        row, column = position
        return 0 <= row < self.mask.shape[0] and 0 <= column < self.columns and bool(self.mask[row, column])

    def _crossing(self, start: int, kind: int, taken: int) -> float:
        """The column in which a move crosses the line after a cell; the line falls a little to the left."""
        tilt = 1 / (4 * self.columns)
        row, column = divmod(start, self.columns)
        down, right = self.forward[kind].tolist()
        line = taken // self.columns + tilt * (taken % self.columns + 0.5)
        return float(column + right * (line - row - tilt * column) / (down + tilt * right))


class LineSearch:
    """A search of the states after each cell; each state keeps the greatest length with it.

    Args:
        front: the line.
        kernel: writes the successors of some states into trays, and returns the row where it stopped. Its
            arguments are `first`, `until`, `rows` and `layout` of the states, the `CellStep`, the vectors
            of `parameters`, `most`, scratch space for a record, and the trays.
        payload: words of a record after the state; the first is the length.
        parameters: vectors for the kernel.
        purpose: for error messages, what the states are for.

    Attributes:
        peak: the most states at once.
    """

    def __init__(
        self, front: Front, kernel: Callable[..., int], payload: int, parameters: list[Ints], purpose: str
    ) -> None:
        self.front, self.kernel, self.parameters, self.purpose = front, kernel, parameters, purpose
        self.layout = RecordLayout(front.words, front.words + payload, 0, 0)
        kinds = len(front.forward)
        self.most = 2 + kinds + kinds * (kinds + 1) // 2  # successors of a state
        self.peak, self.work = 1, 0

    def start(self) -> Table:
        """The state before the first cell."""
        return Table.of(Tier(0, compiled=False), np.zeros((1, self.layout.width), np.int64), self.layout)

    def after(self, cell: int, states: Table) -> Table:
        """The states after a cell, without empty rows."""
        step = self.front.step(cell)
        self.work += states.states * (20 + len(step.order))
        tier = Tier(self.work)
        states = states.moved(tier)
        moves = CellStep(*map(tier.words, step))
        parameters = [tier.words(vector) for vector in self.parameters]
        kernel, record = tier(self.kernel), tier.column(self.layout.width)

        def expand(trays: Trays, first: int, until: int) -> int:
            return int(
                kernel(first, until, states.rows, self.layout, moves, *parameters, self.most, record, trays)
            )

        where = f"{self.purpose}, after {cell:,} of {self.front.size:,} cells"
        table, _ = transform(
            states, expand, layout=self.layout, most=self.most, held=0, where=where, ordered=True
        )
        for kept, vector in zip(self.parameters, parameters, strict=True):
            kept[:] = vector
        self.peak = max(self.peak, table.states)
        return table.compact()


def is_free(words: Vector, begin: int, across: Vector, kind: int, size: int) -> bool:
    """Whether an outgoing move crosses no pending one: a helper of kernels."""
    for i in range(size):
        if words[begin + i] & across[kind * size + i]:
            return False
    return True
