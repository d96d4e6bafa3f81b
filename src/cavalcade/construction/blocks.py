"""Blocks: small boxes with closed tours, and the joins between two of them.

A tour of every block comes from `find.join`, the one function of another engine that is used here: in
milliseconds, and once for each shape. Two tours are *joined* by an exchange of edges: an edge of one and an
edge of the other give way to two moves between the blocks.

Tours of blocks with one side of 3 or 4, in two dimensions, are parts of something larger; `Block` says how.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.boards import Board
from cavalcade.find.join import join
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import BoardError
from cavalcade.ground.kernels import Cells
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import move_graph
from cavalcade.question.question import Question

Shape = tuple[int, ...]

REACH = 2  # of a knight
BLOCK_STEPS = 5_000_000  # to find a tour of a block; most take 5,000
FIRST_BLOCK_STEPS = 1_000_000  # likewise, from a given start, from which there may be none
HALVES = ("0", "1")
# row and column of the two ends beside a border of 3 x k
BORDER = {"<": ((1, 1), (2, 1)), ">": ((0, -1), (1, -1))}


class NoTemplateError(BoardError):
    """A board that cannot be built from blocks; the message says why."""


class Block(NamedTuple):
    """The kind of tour that a block needs.

    `part` is empty for a closed tour of all cells; `0` or `1` for one of the halves of 4 x k; and on 3 x k it
    names the sides, `<` and `>`, that are open: there the two squares of `BORDER` count as neighbours. The
    `seed` says which of the tours of this kind.
    """

    shape: Shape
    part: str
    seed: int = 0


class Entry(NamedTuple):
    """A block entered: its tour, the cell where it is entered, and whether it is walked on or backwards."""

    kind: Block
    cell: int
    way: int  # 1 or -1

    @property
    def edge(self) -> int:
        """The edge that the entry takes away: edge u runs from cell u to cell u + 1."""
        return (self.cell - (self.way == 1)) % len(cycle(self.kind))


class Join(NamedTuple):
    """Edge u of one tour and edge v of the next; crossed if the one's first cell reaches the other's last."""

    u: int
    v: int
    crossed: bool

    def entry(self, way: int, kind: Block) -> Entry:
        """How the next block is entered from edge u, walked this way."""
        onward = way if self.crossed else -way
        return Entry(kind, (self.v + (onward == 1)) % len(cycle(kind)), onward)


@dataclass(frozen=True)
class Loop:
    """A tour of a block: its cells, (n, d), and the edges that are no moves and must be joined."""

    cells: Cells
    gaps: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.cells)


@lru_cache(maxsize=4096)
def cycle(kind: Block) -> Loop:
    """A closed tour of a block.

    Raises:
        NoTemplateError: none was found.
    """
    shape, part, seed = kind
    board = Board.box(*shape)
    if part in HALVES:  # the outer squares of one colour, the inner ones of the other
        across = board.coords[:, shape.index(4)]
        inner = (across == 1) | (across == 2)
        board = board.without(np.flatnonzero((board.coords.sum(axis=1) + inner) % 2 != int(part)).tolist())
        part = ""
    found = join(Question(_graph(board, part)), Budget(BLOCK_STEPS), seed=seed)
    if isinstance(found, Undecided):
        raise NoTemplateError(f"the block {board.title} has no closed tour that we could find")
    return _loop(board, found)


def path(block: Block, start: Shape | None, *, closed: bool) -> Loop:
    """A tour of the first block, open or closed, from a given start or from any.

    Raises:
        NoTemplateError: none was found.
    """
    board = Board.box(*block.shape)
    first = None if start is None else int(np.ravel_multi_index(start, block.shape))
    question = Question(_graph(board, block.part), closed=closed, start=first)
    cells = join(question, Budget(FIRST_BLOCK_STEPS), seed=block.seed)
    if isinstance(cells, Undecided):
        raise NoTemplateError(f"the first block, {board.title}, has no tour that we could find")
    if closed and cells[-1] >= board.size:  # the gap must not be where the tour begins
        cells = np.concatenate([cells[:1], cells[:0:-1]])
    return _loop(board, cells)


@lru_cache(maxsize=64)
def _graph(board: Board, part: str) -> MoveGraph:
    """The moves of a block. A side that is open has an extra vertex between its two border squares."""
    graph = move_graph(board)
    if not part:
        return graph
    long = 1 - board.shape.index(3)
    edges, n = graph.edges().tolist(), board.size
    for i, side in enumerate(part):
        for row, column in BORDER[side]:
            at = (row, column % board.shape[long])
            edges.append((n + i, int(np.ravel_multi_index(at if long else at[::-1], board.shape))))
    return MoveGraph.from_edges(edges, n + len(part))


def _loop(board: Board, cells: Cells) -> Loop:
    """The tour of a block without the extra vertices."""
    real = cells < board.size
    gaps = np.cumsum(real)[~real] - 1
    return Loop(np.asarray(board.coords[cells[real]], dtype=np.int32), frozenset(gaps.tolist()))


def joins(first: Loop, second: Loop, offset: Shape) -> list[Join]:
    """All joins of two tours, the second moved by an offset, in the order of the first."""
    one, other = first.cells, second.cells + np.array(offset, dtype=np.int32)
    close = [
        np.all((a >= b.min(axis=0) - REACH) & (a <= b.max(axis=0) + REACH), axis=1)
        for a, b in ((one, other), (other, one))
    ]
    rows, columns = (np.flatnonzero(c) for c in close)
    step = np.abs(one[rows][:, None] - other[columns])
    linked = ((step**2).sum(axis=2) == 5) & (step.max(axis=2) == REACH)
    us, vs = (np.flatnonzero(c & np.roll(c, -1)) for c in close)  # edges, both ends near the border
    u0, u1 = np.searchsorted(rows, us)[:, None], np.searchsorted(rows, (us + 1) % len(one))[:, None]
    v0, v1 = np.searchsorted(columns, vs), np.searchsorted(columns, (vs + 1) % len(other))
    straight = linked[u0, v0] & linked[u1, v1]
    crossed = linked[u0, v1] & linked[u1, v0]
    found = [
        Join(int(us[i]), int(vs[j]), c)
        for c, both in ((False, straight), (True, crossed))
        for i, j in np.argwhere(both)
    ]
    if first.gaps or second.gaps:
        found = [one for one in found if one.u in first.gaps and one.v in second.gaps]
    return sorted(found)


@lru_cache(maxsize=2**14)
def block_joins(one: Block, other: Block, offset: Shape) -> list[Join]:
    """The same, of two blocks."""
    return joins(cycle(one), cycle(other), offset)
