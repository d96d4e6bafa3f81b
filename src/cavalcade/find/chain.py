"""Chain: a tour of one level after the other, and a move up from the last cell of each.

J. R. Gerlach and S. M. Gerlach, The Knight's Tour in 3-Dimensional Chess, 2019, Solution #1, there on
chessboards. A walk by Warnsdorff's rule depends on its first cell alone, so a chain comes to a first cell
that it has had before, and then repeats itself for ever; or it gets stuck. That is found out first, and it is
all that is kept: the levels are walked when they are asked for.

n is the number of cells of a level, k the number of levels.
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
from cavalcade.question.words import validated

# where to go on the next level, from row and column on a level of so many rows and columns; None for nowhere
Step: TypeAlias = "Callable[[int, int, int, int], tuple[int, int] | None]"
KEPT = 5_000_000  # cells of walks that are kept, 20 MB


@dataclass(frozen=True, eq=False, repr=False)
class TourChain:
    """A tour of a stack of equal boards, level by level; or as far as it came.

    Args:
        board: one level.
        piece: the piece on the stack.
        levels: how many levels were asked for.
        begins: the first cells of the levels, until one comes again or the walk gets stuck.
        again: which of `begins` follows the last of them; None if the chain ends before one comes again.
        walk: the walk on a level from a cell.

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
        """How many levels are reached."""
        return self.levels if self.again is not None else len(self.begins)

    @property
    def complete(self) -> bool:
        """Whether every level is toured."""
        return len(self) == self.levels and len(self.walk(self.begin(self.levels))) == self.board.size

    @property
    def endless(self) -> bool:
        """Whether a first cell comes again: then the chain goes on for ever, whatever `levels` is."""
        return self.again is not None

    def begin(self, level: int) -> int:
        """The first cell of a level, from 1."""
        k = level - 1
        if k >= len(self.begins) and self.again is not None:
            k = self.again + (k - self.again) % (len(self.begins) - self.again)
        return self.begins[k]

    def __iter__(self) -> Iterator[Tour]:
        """The walk on each level, from the lowest; the last is partial if the chain is stuck. O(n) each."""
        for level in range(1, len(self) + 1):
            yield Tour(self.board, self.walk(self.begin(level)), closed=False, piece=self._flat)

    @cached_property
    def _flat(self) -> Piece:
        return _split(self.piece, self.board)[0]

    @cached_property
    def stack(self) -> Board:
        """The board of all levels."""
        return stacked([self.board] * self.levels)

    def tour(self, first: int = 1, last: int | None = None) -> Tour:
        """Levels `first` to `last` as one open tour of their stack, held whole; all without them."""
        last = len(self) if last is None else last
        whole = first == 1 and last == len(self)
        board = self.stack if whole else stacked([self.board] * (last + 1 - first))
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
    ties: str = "first",
    step: Step | None = None,
    fall_back: bool = False,
    count_start: bool = True,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
) -> TourChain:
    """A tour of each level in turn by Warnsdorff's rule, and a move to the next level between two.

    Args:
        board: one level, a box with or without holes, or its spec.
        levels: how many levels.
        piece: a piece or its spec; by default the knight. Moves of its own have a coordinate for the level.
        start: the first cell of the first level, by name or number.
        ties: one of `find.warnsdorff.TIES`.
        step: where to go on the next level of a flat board, if a move leads there, as
            `papers.stacks.nxtcoord`; by default along the first legal move, in the order of the moves, after
            which the walk visits the whole level.
        fall_back: where the walk on a level gets stuck, walk it by the other rule: the last of equals, or the
            first where the last was the rule.
        count_start: whether the start takes one off its neighbours' degrees; the paper's program does not.
        seed: for random ties.
        time_limit: seconds for the walks until a first cell comes again; None is no limit.
        memory: bytes, or text such as "4G"; None is half of the machine's memory.

    Raises:
        CavalcadeError: an invalid spec, name or rule; a board or a piece that makes no stack.
        TooLargeError: a limit is reached.

    Time: a walk a level, O(n), until a first cell comes again: after n levels at the latest.

    Examples:
        >>> chain("8x8", 1000, start="b3", fall_back=True).endless
        True
    """
    place = parse_board(board) if isinstance(board, str) else board
    mover = parse_piece(piece) if isinstance(piece, str) else piece or KNIGHT
    if place.plain or not place.is_box:
        raise BoardError(f"{place.title} cannot be stacked, expected a box like 8x8, with or without holes")
    if levels < 1:
        raise CavalcadeError(f"{levels} levels make no chain, expected 1 or more")
    flat, up = _split(mover, place)
    if step and (not place.is_rectangle or place.holes):
        raise BoardError(f"steps to squares are for flat boards without holes, not {place.title}")
    if levels > 1 and not len(up):
        raise PieceError(f"{mover.spec} has no move from a level to the next, so that it makes no chain")
    with bounded(time_limit, memory):
        graph = move_graph(place, flat)
        kept: dict[int, Cells] = {}

        def walk(begin: int) -> Cells:
            if begin in kept:
                return kept[begin]
            path = np.zeros(0, dtype=np.int32)
            for rule in (ties, other(ties))[: 2 if fall_back else 1]:
                preferred = preference(place, graph, rule, flat)
                options = {"ties": rule, "count_start": count_start, "seed": seed, "preference": preferred}
                tried = next(walks(graph, [begin], **options))  # type: ignore[arg-type]
                path = tried if len(tried) > len(path) else path
                if len(path) == graph.size:
                    break
            if len(kept) * graph.size < KEPT:
                kept[begin] = path
            return path

        def above(path: Cells) -> int:
            """The first cell of the next level, -1 if there is none."""
            at = place.coords[path[-1]]
            legal = [cell for cell in place.locate(at + up).tolist() if cell >= 0]
            if step:
                (row, column), (m, n) = at.tolist(), place.shape
                to = step(row, column, m, n)
                return -1 if to is None else next((c for c in legal if c == int(place.locate(to))), -1)
            return next((cell for cell in legal if len(walk(cell)) == graph.size), legal[0] if legal else -1)

        at = place.cell(start) if isinstance(start, str) else start
        place.name(at)
        begins: dict[int, int] = {}  # the first cells, and the place of each among them
        while at >= 0 and at not in begins:
            begins[at] = len(begins)
            path = walk(at)
            at = above(path) if len(path) == graph.size and len(begins) < levels else -1
        return TourChain(place, mover, levels, tuple(begins), begins.get(at), walk)


def _split(piece: Piece, board: Board) -> tuple[Piece, Cells]:
    """A piece of the stack as one on a level, and its moves to the next level."""
    vectors = piece.vectors(Board.box(2, *board.shape))
    on = vectors[vectors[:, 0] == 0][:, 1:]
    if not len(on):
        raise PieceError(f"{piece.spec} has no move on a level, so that it makes no chain")
    flat = piece if piece.leaps else Piece(moves=tuple(tuple(move) for move in on.tolist()))
    return flat, vectors[vectors[:, 0] == 1][:, 1:]
