"""The question: which tours of which board are wanted. It is read and validated once, here.

Engines work on Hamiltonian cycles alone: `Question.as_cycle` is a graph whose Hamiltonian cycles are the
tours, and `Question.cut` the way back (see `as_graph`).

A graph cannot express cells at steps and a symmetry of the tour: only some engines support them. A refutation
without them is a refutation of the question.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.ground.above import shown
from cavalcade.ground.errors import CavalcadeError, CellError, boolean
from cavalcade.question.as_graph import Encoding, same_edges, without_edges
from cavalcade.question.constraints import (
    DIRECTIONS,
    Constraints,
    QuestionWords,
    cell_of,
    coils_of,
    direction_of,
    moves_of,
    rising,
    steps_of,
    turning,
)
from cavalcade.question.graph import BoardLike, MoveGraph, board_or_graph, codes_of
from cavalcade.question.moves import graph_of, piece_on
from cavalcade.question.pieces import KNIGHT, Piece, PieceLike
from cavalcade.question.symmetry import Symmetry, images, symmetric_ends, symmetries_of, symmetry_called

Move = tuple[int, int]

# the keywords of public functions, for messages
WORDS = (*QuestionWords.__annotations__, "engine", "memory", "progress", "seed", "threads", "time_limit")
NEAREST = {"closed": "open"}  # keywords of another word for the same
BARE = re.compile(r"[A-Za-z0-9_.:]+")  # names that a statement writes as they are; others in quotation marks


@dataclass(frozen=True)
class Question:
    """Which tours of a board are wanted.

    Args:
        board: a board, or a plain graph that stands for one.
        piece: the piece; ignored on a plain graph.
        closed: closed tours; else open ones.
        start: the first cell, or None for any.
        end: the last cell of an open tour, or None for any.
        required: moves (a, b) that the tours make, in ascending order; a < b, but on a directed graph from a
            to b.
        forbidden: moves that they do not make, likewise.
        steps: (step, cell), in ascending order: cells at steps, from 1 on. A tour has them if it can be
            numbered so, in one of its directions and, if closed, from one of its cells. `start` and `end` are
            not repeated here.
        symmetry: a symmetry of the board, under which the tours are symmetric, as are `required` and
            `forbidden`.
        direction: `counterclockwise` or `clockwise`, if all moves go round the centre in that direction.
        coils: how often such closed tours go round the centre.

    Examples:
        >>> question = Question.of("5x5", open=True, start="a1")
        >>> count(question).count
        304
    """

    board: Board | MoveGraph
    piece: Piece = KNIGHT
    closed: bool = True
    start: int | None = None
    end: int | None = None
    required: tuple[Move, ...] = ()
    forbidden: tuple[Move, ...] = ()
    steps: tuple[tuple[int, int], ...] = ()
    symmetry: Symmetry | None = None
    direction: str | None = None
    coils: int | None = None

    def __post_init__(self) -> None:
        boolean(self.closed, "closed")

    _repr_html_ = shown

    @classmethod
    def of(cls, board: BoardLike | Question, **words: Unpack[QuestionWords]) -> Question:
        """The question that the arguments of a public function describe.

        Args:
            board: a board, its spec, a move graph, or a whole question, which is returned.
            words: `piece`, `open`, `start`, `end` and the constraints `with_`, `avoid`, `at`, `symmetry`,
                `moves` and `coils`, see `cavalcade.question.constraints`.

        Raises:
            CavalcadeError: an invalid spec, name or number, a piece for a plain graph, the end of a
                closed tour, ends that are the same cell, what is no move, words that contradict one
                another, a symmetry that the board has not, or arguments besides a question.
            TypeError: an unknown keyword; the message names the nearest.
        """
        for word in words:
            if word not in QuestionWords.__annotations__:
                known = get_close_matches(NEAREST.get(word, word), WORDS, 1, 0.0)[0]
                raise TypeError(f"unexpected keyword argument {word!r}, did you mean {known!r}?")
        if isinstance(board, Question):
            if given := [word for word, value in words.items() if value is not None and value is not False]:
                raise CavalcadeError(f"a Question is complete, but {', '.join(given)} came with it")
            return board
        board = board_or_graph(board)
        piece, closed = (
            piece_on(board, words.pop("piece", None)),
            not boolean(words.pop("open", False), "open"),
        )
        ends = (words.pop("start", None), words.pop("end", None))
        first, last = (None if cell is None else cell_of(board, cell) for cell in ends)
        if last is not None and closed:
            raise CellError("a closed tour has no end; ask for an open one")
        if first is not None and first == last and board.size > 1:
            raise CellError(f"an open tour cannot begin and end on the same cell, {board.name(first)}")
        question = cls(board, piece, closed, first, last)
        asked = any(words.values()) or words.get("coils") is not None
        return question._constrained(words) if asked or board.fixed else question

    def _constrained(self, words: Constraints) -> Question:
        """The same with the constraints that these words describe."""
        board, n, symmetry = self.board, self.board.size, words.get("symmetry")
        moves = (words.get("with_"), words.get("avoid"))
        required, forbidden = (set(moves_of(board, self.graph, given)) for given in moves)
        required.update(board.fixed)
        direction, name = direction_of(board, words.get("moves")), board.name
        given = dict(steps_of(board, words.get("at"), self.given))
        one = None if symmetry is None else symmetry_called(symmetry, board, self.graph)
        if one is not None:
            required, forbidden = (images(moves, one) for moves in (required, forbidden))
            if not self.closed and not {1, n}.isdisjoint(given):
                ends = symmetric_ends(board, one, given.get(1), given.get(n))
                given = dict(steps_of(board, given, dict(zip((1, n), ends, strict=True))))
        start = given.pop(1, None)
        end = None if self.closed else given.pop(n, None)
        if both := sorted(required & forbidden):
            names = [name(cell) for cell in both[0]]
            move = "-".join(names if self.graph.directed else sorted(names))
            raise CavalcadeError(f"{move} is both a move to use and a move to avoid")
        found = replace(
            self, start=start, end=end, required=tuple(sorted(required)), forbidden=tuple(sorted(forbidden)),
            steps=tuple(sorted(given.items())), symmetry=one, direction=direction,
            coils=coils_of(board, words.get("coils"), direction, closed=self.closed),
        )  # fmt: skip
        if direction is not None and one is not None and not replace(found, steps=()).invariant_under(one):
            raise CavalcadeError(f"moves {direction} are not symmetric under the {one.name}")
        if direction is not None and required:
            pairs = np.array(found.required)
            asked, allowed = (codes_of(some, n, both=True) for some in (pairs, found.moves))
            if not (fits := np.isin(asked, allowed)).all():
                a, b = pairs[~fits][0].tolist()
                raise CavalcadeError(f"{name(a)}-{name(b)} does not go {direction} in either direction")
        return found

    @property
    def kind(self) -> str:
        """`closed` or `open`."""
        return "closed" if self.closed else "open"

    @property
    def one_way(self) -> bool:
        """Whether moves go one way only: round the centre, or because the graph is directed."""
        return self.direction is not None or self.board.directed

    @property
    def ends(self) -> tuple[int, ...]:
        """The given ends of an open tour, the start first."""
        given = (cell for cell in (self.start, self.end) if cell is not None)
        return () if self.closed else tuple(given)

    @property
    def stepwise(self) -> bool:
        """Whether the given steps restrict the tours; a single step of a closed tour does not."""
        return bool(self.steps) and (not self.closed or len(self.given) > 1)

    @property
    def from_to(self) -> str:
        """The ends in the words of a statement: ` from a1 to c3`, or nothing."""
        first, last = self.given.get(1), None if self.closed else self.given.get(self.board.size)
        ends = (("from", first), ("to", last if self.board.size > 1 else None))
        return "".join(f" {word} {self._said(cell)}" for word, cell in ends if cell is not None)

    @property
    def constraints(self) -> str:
        """The rest of what is asked, likewise: `, with a1-b3, symmetric under the half turn`, or nothing."""
        order = tuple if self.board.directed else sorted
        said = ""
        for word, moves in (("with", self.required), ("without", self.forbidden)):
            named = ["-".join(order(map(self._said, move))) for move in moves]
            said += f", {word} {', '.join(named)}" if named else ""
        ends = {1} if self.closed else {1, self.board.size}
        said += "".join(
            f", {self._said(cell)} at step {step}" for step, cell in self.given.items() if step not in ends
        )
        said += f", symmetric under the {self.symmetry.name}" if self.symmetry else ""
        said += f", all moves {self.direction}" if self.direction else ""
        return said + (f" in {self.coils} coil{'s' * (self.coils > 1)}" if self.coils else "")

    def _said(self, cell: int) -> str:
        """The name of a cell in a statement."""
        name = self.board.name(cell)
        return name if BARE.fullmatch(name) else json.dumps(name)

    @property
    def relaxed(self) -> Question:
        """The same without what `as_cycle` cannot express: cells at steps, a symmetry, and coils."""
        return replace(self, start=None if self.closed else self.start, steps=(), symmetry=None, coils=None)

    @property
    def listed(self) -> bool:
        """Whether only a list tells which tours of `as_cycle` are meant: by given steps, or by coils."""
        return self.stepwise or self.coils is not None

    @property
    def reversible(self) -> bool:
        """Whether every tour with its cells at their steps also has them there when it is reversed."""
        n, given = self.board.size, self.given
        first = min(given, default=1)
        return all((2 * (step - first)) % n == 0 if self.closed else 2 * step == n + 1 for step in given)

    @cached_property
    def graph(self) -> MoveGraph:
        """The move graph, n cells: all moves of the piece."""
        return graph_of(self.board, self.piece)

    @cached_property
    def moves(self) -> NDArray[np.int32]:
        """The moves that may be made, (m, 2), each both ways if it may be made both ways."""
        every = self.allowed.arcs()
        if self.direction is not None and not self.board.plain:
            every = every[turning(self.board, every) == (1 if self.direction == DIRECTIONS[0] else -1)]
        return every

    @cached_property
    def allowed(self) -> MoveGraph:
        """The graph of the moves that may be made, n cells, whichever way they go round the centre."""
        if not self.forbidden:
            return self.graph
        return without_edges(self.graph, np.array(self.forbidden))

    @property
    def given(self) -> dict[int, int]:
        """The cells that are given at steps, those of `start` and `end` too, in ascending order of steps."""
        ends = ((1, self.start), (self.board.size, self.end))
        return dict(sorted([*self.steps, *((step, cell) for step, cell in ends if cell is not None)]))

    # ---- the graph of the engines

    @cached_property
    def encoding(self) -> Encoding:
        """The question as a graph, and the way back."""
        arcs = self.moves if self.one_way else None
        return Encoding(self.board, self.allowed, arcs, self.required, self.closed, self.start, self.end)

    @property
    def as_cycle(self) -> MoveGraph:
        """The graph whose Hamiltonian cycles are the tours."""
        return self.encoding.graph

    @property
    def apex(self) -> int | None:
        """The vertex `*` of `as_cycle`, which joins the ends of open tours."""
        return self.encoding.apex

    def cut(self, cycle: NDArray[np.int32]) -> NDArray[np.int32]:
        """The cells of the tour that a Hamiltonian cycle of `as_cycle` or `Encoding.digraph` stands for."""
        return self.encoding.cut(cycle)

    def invariant_under(self, g: Symmetry) -> bool:
        """Whether a symmetry of the board maps these tours to themselves, except for given ends."""
        if self.steps:
            return False
        if self.symmetry is not None:
            one = self.symmetry.cells
            turned = np.empty_like(one)
            turned[g.cells] = g.cells[one]  # g after the symmetry after the inverse of g
            if not np.array_equal(turned, one) and not np.array_equal(turned[one], np.arange(len(one))):
                return False
        if any(images(set(moves), g) != set(moves) for moves in (self.required, self.forbidden)):
            return False
        if self.direction is None:
            return True
        there = g.cells[self.moves]  # reversed by a reflection, as tours may be
        return any(same_edges(self.moves, image, self.board.size) for image in (there, there[:, ::-1]))

    def onward(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """Tours, one per row, each in the direction that its moves may be made: a reflection reverses it."""
        if not self.one_way or self.board.size < 2:
            return rows
        first, allowed = (codes_of(some, self.board.size, both=False) for some in (rows[:, :2], self.moves))
        return np.where(np.isin(first, allowed)[:, None], rows, rows[:, ::-1])

    def rising(self, moves: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Which moves, (k, 2), begin a coil; see `cavalcade.question.constraints.rising`."""
        assert isinstance(self.board, Board)  # noqa: S101 - for the type checker
        return rising(self.board, moves)

    def coiled(self, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Which tours, one per row, have the wanted number of coils; all of them if none is wanted."""
        if self.coils is None:
            return np.ones(len(rows), dtype=np.bool_)
        moves = np.stack([rows, np.roll(rows, -1, axis=1)], axis=2).reshape(-1, 2)
        return np.asarray(self.rising(moves).reshape(rows.shape).sum(axis=1) == self.coils)

    def numbered(self, cells: NDArray[np.int32]) -> NDArray[np.int32] | None:
        """The cells of a tour as `start`, `end` and `steps` number it; None if they number it otherwise."""
        given = list(self.given.items())
        if not given:
            return cells
        for one in (cells,) if self.one_way else (cells, cells[::-1]):
            step, cell = given[0]
            way = np.roll(one, step - 1 - int(np.flatnonzero(one == cell)[0])) if self.closed else one
            if all(way[step - 1] == cell for step, cell in given):
                return way
        return None


def degrees(board: BoardLike | Question, *, piece: PieceLike | None = None) -> NDArray[np.int32]:
    """How many moves every cell of a board has, in the order of the cells: the papers' KNIGHTMOVES.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        piece: a piece or its spec; by default the knight.

    Raises:
        CavalcadeError: an invalid spec, or a piece that does not fit the board.

    Examples:
        >>> degrees("3x4").tolist()
        [2, 3, 3, 2, 2, 2, 2, 2, 2, 3, 3, 2]
    """
    return Question.of(board, piece=piece).graph.degrees


def symmetries(board: BoardLike | Question, piece: PieceLike | None = None) -> list[Symmetry]:
    """The symmetries of a board, the identity first; holes and moves are taken into account.

    Maps of the cells, not of the space around them: two that do the same to every cell are one. A box has
    those that permute and reverse its axes, hexagonal cells turns and reflections, a surface shifts too. Each
    maps moves to moves.

    Args:
        board: a board, its spec, or a whole `Question`, whose constraints stay. A plain graph has no
            shape, and so no symmetry.
        piece: a piece or its spec; by default the knight.

    Raises:
        CavalcadeError: a spec that means nothing, a plain graph, or a piece that does not fit the board.
        TooLargeError: there are more than 100,000 candidates.

    Time: proportional to the candidates and the moves; 8x8 takes 1 ms, the torus of 8x8, which has 512, 50.

    Examples:
        >>> [one.name for one in symmetries("3x4")][-1]
        'half turn'
    """
    question = Question.of(board, piece=piece)
    return [one for one in symmetries_of(question.board, question.graph) if question.invariant_under(one)]
