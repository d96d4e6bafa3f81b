"""Chains: tours of the levels one after the other, each connected by a move up from its last cell.

J. R. Gerlach and S. M. Gerlach, The Knight's Tour in 3-Dimensional Chess, 2019, Solution #1, there on
chessboards. A walk by Warnsdorff's rule depends only on its first cell. So a chain either gets stuck, or
returns to an earlier first cell and repeats itself forever. `chain` finds this period and stores only the
first cells; levels are walked on demand.

n is the number of cells of a level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.boards.stack import stacked
from cavalcade.find.warnsdorff import other, preference, walks
from cavalcade.ground.budget import bounded
from cavalcade.ground.errors import BoardError, CavalcadeError, PieceError
from cavalcade.ground.kernels import Cells
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import KNIGHT, Piece, parse_piece
from cavalcade.question.words import Ties, validated

# Maps the row and column of the last cell, and the rows and columns of a level, to the first cell of the next
# level; None if there is none.
Step: TypeAlias = "Callable[[int, int, int, int], tuple[int, int] | None]"
CACHED_CELLS = 5_000_000  # cells of cached walks: 20 MB


@dataclass(frozen=True, eq=False, repr=False)
class TourChain:
    """A complete or partial tour of a stack of equal boards, level by level.

    Args:
        board: one level.
        piece: the piece on the stack.
        levels: number of levels of the stack.
        begins: the first cells of the levels, up to a repetition or to the level where the chain is stuck.
        again: index in `begins` of the cell that follows the last one; None if no cell is repeated.
        walk: returns the walk on a level from a cell.

    Examples:
        >>> chain("6x6", 2).levels
        2
    """

    board: Board
    piece: Piece
    levels: int
    begins: tuple[int, ...]
    again: int | None
    walk: Callable[[int], Cells] = field(repr=False)

    def __repr__(self) -> str:
        return f"<TourChain of {self.stack.title}, {len(self):,} levels{'' if self.complete else ', stuck'}>"

    def __len__(self) -> int:
        """Number of levels that are reached."""
        return self.levels if self.again is not None else len(self.begins)

    @property
    def complete(self) -> bool:
        """Whether every level is visited completely."""
        return len(self) == self.levels and len(self.walk(self.begin(self.levels))) == self.board.size

    @property
    def endless(self) -> bool:
        """Whether a first cell is repeated: then the chain continues forever, whatever `levels` is."""
        return self.again is not None

    def begin(self, level: int) -> int:
        """The first cell of a level; levels count from 1."""
        index = level - 1
        if index >= len(self.begins) and self.again is not None:
            index = self.again + (index - self.again) % (len(self.begins) - self.again)
        return self.begins[index]

    def __iter__(self) -> Iterator[Tour]:
        """The walk on each level, from the lowest; the last one is partial if the chain is stuck."""
        for level in range(1, len(self) + 1):
            yield Tour(self.board, self.walk(self.begin(level)), closed=False, piece=self._flat)

    @cached_property
    def _flat(self) -> Piece:
        return _split(self.piece, self.board)[0]

    @cached_property
    def stack(self) -> Board:
        """The board of all levels together."""
        return stacked([self.board] * self.levels)

    def tour(self, first: int = 1, last: int | None = None) -> Tour:
        """Levels `first` to `last`, by default all, as one open tour of their stack."""
        last = len(self) if last is None else last
        complete = first == 1 and last == len(self)
        board = self.stack if complete else stacked([self.board] * (last + 1 - first))
        cells = [
            self.walk(self.begin(level)) + (level - first) * self.board.size
            for level in range(first, last + 1)
        ]
        return Tour(board, np.concatenate(cells), closed=False, piece=self.piece)


@validated
def chain(
    board: Board | MoveGraph | str,
    levels: int,
    *,
    piece: Piece | str | None = None,
    start: int | str = 0,
    ties: Ties = "first",
    step: Step | None = None,
    fall_back: bool = False,
    count_start: bool = True,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
) -> TourChain:
    """Tour a stack of equal boards level by level by Warnsdorff's rule; a move joins each level to the next.

    Args:
        board: one level, a box with or without holes, or its spec.
        levels: number of levels.
        piece: a piece or its spec; by default the knight. The moves of a piece of your own have a coordinate
            for the level.
        start: the first cell of the first level, by name or number.
        ties: one of `find.warnsdorff.TIES`.
        step: maps the last square of a flat level to the first one of the next level, as
            `papers.stacks.nxtcoord`. By default the first legal move, in the order of the moves, after which
            the walk visits the whole level.
        fall_back: whether a level on which the walk gets stuck is walked again by the other rule: the last
            of equals or, if that was the rule, the first.
        count_start: whether the start reduces the degrees of its neighbours; in the paper's program it does
            not.
        seed: seed for random ties.
        time_limit: seconds for the walks until a first cell is repeated; None for no limit.
        memory: bytes, or text such as "4G"; None for half of the machine's memory.

    Raises:
        CavalcadeError: an invalid spec, name or rule; a board or a piece that makes no stack.
        TooLargeError: a limit is reached.

    Time: O(n) for each level until a first cell is repeated, after n levels at the latest.

    Examples:
        >>> chain("8x8", 1000, start="b3", fall_back=True).endless
        True
    """
    level = parse_board(board) if isinstance(board, str) else board
    mover = parse_piece(piece) if isinstance(piece, str) else piece or KNIGHT
    if level.plain or not level.is_box:
        raise BoardError(f"{level.title} cannot be stacked, expected a box like 8x8, with or without holes")
    if levels < 1:
        raise CavalcadeError(f"{levels} levels make no chain, expected 1 or more")
    flat, up = _split(mover, level)
    if step and (not level.is_rectangle or level.holes):
        raise BoardError(f"steps to squares are for flat boards without holes, not {level.title}")
    if levels > 1 and not len(up):
        raise PieceError(f"{mover.spec} has no move from one level to the next, so it makes no chain")
    with bounded(time_limit, memory):
        graph = move_graph(level, flat)
        cache: dict[int, Cells] = {}

        def walk(begin: int) -> Cells:
            if begin in cache:
                return cache[begin]
            path = np.zeros(0, dtype=np.int32)
            for rule in (ties, other(ties))[: 2 if fall_back else 1]:
                preferred = preference(level, graph, rule, flat)
                options = {"ties": rule, "count_start": count_start, "seed": seed, "preference": preferred}
                path = max(path, next(walks(graph, [begin], **options)), key=len)  # type: ignore[arg-type]
                if len(path) == graph.size:
                    break
            if len(cache) * graph.size < CACHED_CELLS:
                cache[begin] = path
            return path

        def next_begin(path: Cells) -> int:
            """The first cell of the next level, -1 if there is none."""
            end = level.coords[path[-1]]
            legal = [cell for cell in level.locate(end + up).tolist() if cell >= 0]
            if step:
                (row, column), (m, n) = end.tolist(), level.shape
                to = step(row, column, m, n)
                target = -1 if to is None else int(level.locate(to))
                return target if target in legal else -1
            return next((cell for cell in legal if len(walk(cell)) == graph.size), legal[0] if legal else -1)

        begin = level.cell(start) if isinstance(start, str) else start
        level.name(begin)  # raises if there is no such cell
        begins: dict[int, int] = {}  # the first cells, and the index of each
        while begin >= 0 and begin not in begins:
            begins[begin] = len(begins)
            path = walk(begin)
            begin = next_begin(path) if len(path) == graph.size and len(begins) < levels else -1
        return TourChain(level, mover, levels, tuple(begins), begins.get(begin), walk)


def _split(piece: Piece, board: Board) -> tuple[Piece, Cells]:
    """The piece restricted to one level, and its moves to the next level."""
    vectors = piece.vectors(Board.box(2, *board.shape))
    within = vectors[vectors[:, 0] == 0][:, 1:]
    if not len(within):
        raise PieceError(f"{piece.spec} has no move within a level, so it makes no chain")
    flat = piece if piece.leaps else Piece(moves=tuple(tuple(move) for move in within.tolist()))
    return flat, vectors[vectors[:, 0] == 1][:, 1:]
