"""Blocks: small boxes with closed tours, and the joins between two of them.

`find.join` finds a tour of each block in milliseconds, once for each shape; no other function of another
engine is used. To *join* two tours, an exchange replaces one edge of each tour by two moves between the
blocks.

Flat blocks with a side of 3 or 4 have no closed tours that join; `Block` describes what they have instead.
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
from cavalcade.question.pieces import KNIGHT
from cavalcade.question.question import Question

Shape = tuple[int, ...]

REACH = max(KNIGHT.leaps[0])  # greatest distance of a knight's move in any dimension
# Work to find a tour of a block, 10 ms. Most blocks take 5,000; the first block may have no tour from its
# start.
BLOCK_STEPS = 1_000_000
HALVES = ("0", "1")
# Row and column of the two squares at which paths leave a block of 3 x k, for each open side.
BORDER = {"<": ((1, 1), (2, 1)), ">": ((0, -1), (1, -1))}


class NoTemplateError(BoardError):
    """A board that cannot be built from blocks; the message states why."""


class Block(NamedTuple):
    """A block and the kind of tour that it needs.

    Args:
        shape: sides of the block.
        part: empty for a closed tour of all cells; `0` or `1` for one of the two halves of 4 x k; on 3 x k
            the open sides, `<` and `>`, where the two squares of `BORDER` count as neighbours.
        seed: chooses one of the tours of this kind.
    """

    shape: Shape
    part: str
    seed: int = 0


class Entry(NamedTuple):
    """How a block is entered.

    Args:
        kind: the block and its tour.
        cell: index in the tour of the first cell visited.
        way: 1 if the tour is walked forwards, -1 if backwards.
    """

    kind: Block
    cell: int
    way: int

    @property
    def edge(self) -> int:
        """The edge that the entry removes: edge u runs from cell u to cell u + 1."""
        return (self.cell - (self.way == 1)) % len(cycle(self.kind))


class Join(NamedTuple):
    """A join of two tours.

    Args:
        u: edge of the first tour.
        v: edge of the second tour.
        crossed: whether the moves connect first cells with last cells, instead of first with first.
    """

    u: int
    v: int
    crossed: bool

    def entry(self, way: int, kind: Block) -> Entry:
        """The entry of the next block, if the first tour is walked this way."""
        onward = way if self.crossed else -way
        return Entry(kind, (self.v + (onward == 1)) % len(cycle(kind)), onward)


@dataclass(frozen=True)
class Loop:
    """A tour of a block: its cells, shape (n, d), and the edges that are not moves and must be joined."""

    cells: Cells
    gaps: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.cells)


@lru_cache(maxsize=4096)
def cycle(kind: Block) -> Loop:
    """A closed tour of a block.

    Raises:
        NoTemplateError: no tour was found.
    """
    shape, part, seed = kind
    board = Board.box(*shape)
    if part in HALVES:  # the outer squares of one colour, and the inner squares of the opposite colour
        across = board.coords[:, shape.index(4)]
        inner = (across == 1) | (across == 2)
        board = board.without(np.flatnonzero((board.coords.sum(axis=1) + inner) % 2 != int(part)).tolist())
        part = ""
    cells = join(Question(_graph(board, part)), Budget(BLOCK_STEPS), seed=seed)
    if isinstance(cells, Undecided):
        raise NoTemplateError(f"the block {board.title} has no closed tour that we could find")
    return _loop(board, cells)


def path(block: Block, start: Shape | None, *, closed: bool) -> Loop:
    """A tour of the first block, open or closed, from a given start or from any cell.

    Raises:
        NoTemplateError: no tour was found.
    """
    board = Board.box(*block.shape)
    first = None if start is None else int(np.ravel_multi_index(start, block.shape))
    question = Question(_graph(board, block.part), closed=closed, start=first)
    cells: Cells | Undecided | None
    cells = question.small_tour if question.is_small else join(question, Budget(BLOCK_STEPS), seed=block.seed)
    if cells is None or isinstance(cells, Undecided):
        raise NoTemplateError(f"the first block, {board.title}, has no tour that we could find")
    if closed and cells[-1] >= board.size:  # a tour must not begin at a gap
        cells = np.concatenate([cells[:1], cells[:0:-1]])
    return _loop(board, cells)


@lru_cache(maxsize=64)
def _graph(board: Board, part: str) -> MoveGraph:
    """The moves of a block. Each open side has an extra vertex between its two border squares."""
    graph = move_graph(board)
    if not part:
        return graph
    long = 1 - board.shape.index(3)
    edges, n = graph.edges().tolist(), board.size
    for i, side in enumerate(part):
        for row, column in BORDER[side]:
            square = (row, column % board.shape[long])
            edges.append((n + i, int(np.ravel_multi_index(square if long else square[::-1], board.shape))))
    return MoveGraph.from_edges(edges, n + len(part))


def _loop(board: Board, cells: Cells) -> Loop:
    """The tour of a block without the extra vertices."""
    real = cells < board.size
    gaps = np.cumsum(real)[~real] - 1
    return Loop(np.asarray(board.coords[cells[real]], dtype=np.int32), frozenset(gaps.tolist()))


def joins(first: Loop, second: Loop, offset: Shape) -> list[Join]:
    """All joins of two tours, the second one moved by an offset, in the order of the first tour."""
    a, b = first.cells, second.cells + np.array(offset, dtype=np.int32)
    # Only cells within reach of the other block matter.
    close = [
        np.all((x >= y.min(axis=0) - REACH) & (x <= y.max(axis=0) + REACH), axis=1)
        for x, y in ((a, b), (b, a))
    ]
    rows, columns = (np.flatnonzero(cells) for cells in close)
    step = np.abs(a[rows][:, None] - b[columns])
    linked = ((step**2).sum(axis=2) == 5) & (step.max(axis=2) == REACH)
    # Edges with both ends within reach, and the indices of their ends in `linked`.
    us, vs = (np.flatnonzero(cells & np.roll(cells, -1)) for cells in close)
    u0, u1 = np.searchsorted(rows, us)[:, None], np.searchsorted(rows, (us + 1) % len(a))[:, None]
    v0, v1 = np.searchsorted(columns, vs), np.searchsorted(columns, (vs + 1) % len(b))
    straight = linked[u0, v0] & linked[u1, v1]
    crossed = linked[u0, v1] & linked[u1, v0]
    pairs = [
        Join(int(us[i]), int(vs[j]), is_crossed)
        for is_crossed, fits in ((False, straight), (True, crossed))
        for i, j in np.argwhere(fits)
    ]
    if first.gaps or second.gaps:
        pairs = [pair for pair in pairs if pair.u in first.gaps and pair.v in second.gaps]
    return sorted(pairs)


@lru_cache(maxsize=2**14)
def block_joins(first: Block, second: Block, offset: Shape) -> list[Join]:
    """All joins of the tours of two blocks, as `joins`."""
    return joins(cycle(first), cycle(second), offset)
