"""The question: which tours of which board are wanted. Words are read and validated once, here.

Engines search for Hamiltonian cycles only: the Hamiltonian cycles of `Question.as_cycle` are the tours, and
`Question.cut` turns a cycle back into a tour (see `as_graph`). A graph cannot express cells at steps, an
order of cells, symmetries or coils, which only some engines support. A refutation of the question without
them also refutes the question with them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, permutations
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.ground.above import shown
from cavalcade.ground.errors import CavalcadeError, CellError, boolean
from cavalcade.question.as_graph import Encoding, same_edges, without_edges
from cavalcade.question.constraints import (
    cell_of,
    coils_of,
    direction_of,
    moves_of,
    order_of,
    rising,
    steps_of,
    turning,
    without_cells,
)
from cavalcade.question.graph import BoardLike, MoveGraph, board_or_graph, codes_of
from cavalcade.question.moves import graph_of, piece_on
from cavalcade.question.pieces import KNIGHT, Piece, PieceLike
from cavalcade.question.symmetry import Symmetry, images, symmetric_ends, symmetries_of, symmetry_called
from cavalcade.question.words import CONSTRAINTS, DIRECTIONS, ROWS, Constraints, QuestionWords, validated

Move = tuple[int, int]

PLAIN_NAME = re.compile(r"[A-Za-z0-9_.:]+")  # names that a statement writes without quotation marks


@dataclass(frozen=True)
class Question:
    """A board, a piece, and conditions on its tours.

    Args:
        board: a board, or a plain graph.
        piece: the piece; ignored on a plain graph.
        closed: whether the tours are closed.
        start: the first cell, or None for any.
        end: the last cell of an open tour, or None for any.
        required: moves (a, b) that the tours use, in ascending order; a < b, except on a directed graph.
        forbidden: moves (a, b) that the tours do not use, in the same form.
        steps: pairs (step, cell) in ascending order: cells at steps, counted from 1. A tour satisfies them if
            it can be numbered in this way, in either direction and, if closed, from any cell. `start` and
            `end` are not repeated here.
        symmetry: a symmetry of the board that leaves the tours, `required` and `forbidden` unchanged.
        direction: `counterclockwise` or `clockwise` if all moves go round the centre in that direction.
        coils: how often such closed tours go round the centre.
        through: cells whose steps rise in this order, at least two, without `start` and `end`. A closed tour
            with such cells has a start.

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
    through: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        boolean(self.closed, "closed")

    _repr_html_ = shown

    @classmethod
    @validated
    def of(cls, board: BoardLike | Question, **words: Unpack[QuestionWords]) -> Question:
        """Return the question that the arguments of a public function describe.

        Args:
            board: a board, its spec, a move graph, or a whole question, which is returned unchanged.
            words: the words of the question, see `cavalcade.question.words`.

        Raises:
            CavalcadeError: an invalid spec, name or number, a piece for a plain graph, an end of a closed
                tour, equal ends, a move that the piece does not make, contradicting words, a symmetry that
                the board does not have, or words besides a whole question.
            TypeError: an unknown keyword; the message names the nearest.
        """
        if isinstance(board, Question):
            if extra := [word for word, value in words.items() if value is not None and value is not False]:
                raise CavalcadeError(f"a Question is complete, but {', '.join(extra)} came with it")
            return board
        board = without_cells(board_or_graph(board), words.get("avoid_cells"))
        piece, closed = piece_on(board, words.get("piece")), not words.get("open", False)
        piece.assert_fits(board)
        ends = (words.get("start"), words.get("end"))
        start, end = (None if cell is None else cell_of(board, cell) for cell in ends)
        if end is not None and closed:
            raise CellError("a closed tour has no end; ask for an open one")
        if start is not None and start == end and board.size > 1:
            raise CellError(f"an open tour cannot begin and end on the same cell, {board.name(start)}")
        question = cls(board, piece, closed, start, end)
        constrained = any(words.get(word) for word in CONSTRAINTS) or words.get("coils") is not None
        return question._constrained(words) if constrained or board.fixed else question

    def _constrained(self, words: Constraints) -> Question:
        """Return the question with the constraints that the words describe."""
        board, n, symmetry_name = self.board, self.board.size, words.get("symmetry")
        required, forbidden = (
            set(moves_of(board, self.graph, moves)) for moves in (words.get("with_"), words.get("avoid"))
        )
        required.update(board.fixed)
        direction = direction_of(board, words.get("moves"))
        steps = dict(steps_of(board, words.get("at"), self.given))
        if symmetry_name is not None:
            self.piece.assert_both_ways(board, "symmetric tours")
        symmetry = None if symmetry_name is None else symmetry_called(symmetry_name, board, self.piece)
        if symmetry is not None:
            required, forbidden = (images(moves, symmetry) for moves in (required, forbidden))
            if not self.closed and not {1, n}.isdisjoint(steps):
                ends = symmetric_ends(board, symmetry, steps.get(1), steps.get(n))
                steps = dict(steps_of(board, steps, dict(zip((1, n), ends, strict=True))))
        through = order_of(board, words.get("through"), steps, closed=self.closed)
        start = steps.pop(1, None)
        end = None if self.closed else steps.pop(n, None)
        if contradicting := sorted(required & forbidden):
            names = [board.name(cell) for cell in contradicting[0]]
            move = "-".join(names if self.graph.directed else sorted(names))
            raise CavalcadeError(f"{move} is both a move to use and a move to avoid")
        question = replace(
            self, start=start, end=end, required=tuple(sorted(required)), forbidden=tuple(sorted(forbidden)),
            steps=tuple(sorted(steps.items())), through=through, symmetry=symmetry, direction=direction,
            coils=coils_of(board, words.get("coils"), direction, closed=self.closed),
        )  # fmt: skip
        if direction is not None:
            question._assert_direction(direction)  # noqa: SLF001 - of the same class
        return question

    def _assert_direction(self, direction: str) -> None:
        """Make sure that the symmetry and the required moves fit the direction of the moves.

        Raises:
            CavalcadeError: the symmetry reverses the moves, or a required move goes the other way.
        """
        if self.symmetry is not None:
            image, n = self.symmetry.cells[self.moves], self.board.size
            # A reflection reverses every move; then the reversed tours are the image. An open tour that is
            # symmetric is its own reverse, because the symmetry swaps the ends.
            kept = same_edges(self.moves, image[:, ::-1], n) or (
                self.closed and same_edges(self.moves, image, n)
            )
            if not kept:
                why = "" if self.closed else ", which has to reverse an open tour"
                raise CavalcadeError(
                    f"moves {direction} are not symmetric under the {self.symmetry.name}{why}"
                )
        if self.required:
            pairs = np.array(self.required)
            either_way = not self.directed
            required, allowed = (
                codes_of(moves, self.board.size, both=either_way) for moves in (pairs, self.moves)
            )
            if not (fits := np.isin(required, allowed)).all():
                a, b = (self.board.name(cell) for cell in pairs[~fits][0].tolist())
                raise CavalcadeError(f"{a}-{b} does not go {direction}{' in either direction' * either_way}")

    @property
    def kind(self) -> str:
        """`closed` or `open`."""
        return "closed" if self.closed else "open"

    @property
    def one_way(self) -> bool:
        """Whether moves go one way only: round the centre, or because the moves are directed."""
        return self.direction is not None or self.directed

    @property
    def directed(self) -> bool:
        """Whether the move graph is directed: the graph is, or the piece cannot take every move back."""
        return self.piece.one_way_on(self.board)

    @property
    def given(self) -> dict[int, int]:
        """The cells at steps, including `start` and `end`, in ascending order of the steps."""
        ends = ((1, self.start), (self.board.size, self.end))
        return dict(sorted([*self.steps, *((step, cell) for step, cell in ends if cell is not None)]))

    @property
    def ends(self) -> tuple[int, ...]:
        """The given ends of an open tour, the start first."""
        return () if self.closed else tuple(cell for cell in (self.start, self.end) if cell is not None)

    @property
    def stepwise(self) -> bool:
        """Whether given steps or an order restrict the tours; a single step of a closed tour does not."""
        return bool(self.through) or (bool(self.steps) and (not self.closed or len(self.given) > 1))

    # ---- the words of a statement

    @property
    def from_to(self) -> str:
        """The clauses of the ends in a statement: ` from a1 to c3`, or nothing."""
        return self._clauses(("start", "end"))

    @property
    def constraints(self) -> str:
        """The clauses of the constraints in a statement: `, with a1-b3, symmetric under the half turn`."""
        return self._clauses(CONSTRAINTS)

    def _clauses(self, words: Iterable[str]) -> str:
        """Return the clauses of a statement about some words; a word that is not set has no clause."""
        values = self._values()
        return "".join(ROWS[word].clause.format(values[word]) for word in words if values.get(word))

    def _values(self) -> dict[str, str]:
        """Return the value of each word as a statement writes it; "" if it is not set."""

        def moves(pairs: Iterable[Move]) -> str:
            order = tuple if self.directed else sorted
            return ", ".join("-".join(order(map(self._quoted, move))) for move in pairs)

        ends = {1: "start"} if self.closed else {self.board.size: "end", 1: "start"}  # one cell is the start
        steps = {step: self._quoted(cell) for step, cell in self.given.items()}
        return {
            "start": "",
            "end": "",
            **{word: steps[step] for step, word in ends.items() if step in steps},
            "with_": moves(self.required),
            "avoid": moves(self.forbidden),
            "at": ", ".join(f"{cell} at step {step}" for step, cell in steps.items() if step not in ends),
            "through": ", ".join(map(self._quoted, self.through)),
            "symmetry": self.symmetry.name if self.symmetry else "",
            "moves": self.direction or "",
            "coils": f"{self.coils} coil{'s' * (self.coils > 1)}" if self.coils else "",
        }

    def _quoted(self, cell: int) -> str:
        """Return the name of a cell as a statement writes it: as JSON text if it has other signs."""
        name = self.board.name(cell)
        return name if PLAIN_NAME.fullmatch(name) else json.dumps(name)

    # ---- what the engines search

    @property
    def relaxed(self) -> Question:
        """The question without what `as_cycle` cannot express: steps, an order, a symmetry, and coils."""
        start = None if self.closed else self.start
        return replace(self, start=start, steps=(), through=(), symmetry=None, coils=None)

    @property
    def is_small(self) -> bool:
        """Whether the board has at most two cells; engines search for cycles, of at least three vertices."""
        return self.board.size <= 2

    @property
    def small_tour(self) -> NDArray[np.int32] | None:
        """A tour of a board with at most two cells, or None if there is none.

        One cell is a closed tour and an open tour. Two cells are an open tour if a move leads from the first
        to the second, and a closed tour if another move leads back: on undirected boards both moves are the
        same edge.
        """
        arcs = set(map(tuple, self.moves.tolist()))
        for cells in permutations(range(self.board.size)):
            made = set(pairwise(cells)) | (set(pairwise(cells[::-1])) if self.closed else set())
            edges = made if self.directed else {(min(move), max(move)) for move in made}
            legal = made <= arcs and (self.one_way or not (self.closed and made))
            if legal and self.fits_steps(cells) and edges.issuperset(self.required):
                return np.array(cells, dtype=np.int32)
        return None

    @property
    def listed(self) -> bool:
        """Whether steps, an order or coils select the tours from a list of the tours of `as_cycle`."""
        return self.stepwise or self.coils is not None

    @property
    def reversible(self) -> bool:
        """Whether the reverse of a tour has the given cells at the same steps, and no order excludes it."""
        if self.through:
            return False
        n, steps = self.board.size, self.given.keys()
        first = min(steps, default=1)
        return all((2 * (step - first)) % n == 0 if self.closed else 2 * step == n + 1 for step in steps)

    @cached_property
    def graph(self) -> MoveGraph:
        """The move graph: all moves of the piece."""
        return graph_of(self.board, self.piece)

    @cached_property
    def allowed(self) -> MoveGraph:
        """The graph of the moves that are not forbidden, in either direction round the centre."""
        if not self.forbidden:
            return self.graph
        return without_edges(self.graph, np.array(self.forbidden))

    @cached_property
    def moves(self) -> NDArray[np.int32]:
        """The allowed moves as arcs (tail, head), shape (m, 2); moves in both directions occur twice."""
        arcs = self.allowed.arcs()
        if self.direction is not None and not self.board.plain:
            arcs = arcs[turning(self.board, arcs) == (1 if self.direction == DIRECTIONS[0] else -1)]
        return arcs

    @cached_property
    def encoding(self) -> Encoding:
        """The question as a graph, and the way back from a cycle to a tour."""
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
        """Return the tour that a Hamiltonian cycle of `as_cycle` or `Encoding.digraph` stands for."""
        return self.encoding.cut(cycle)

    def invariant_under(self, g: Symmetry) -> bool:
        """Return whether a symmetry of the board maps these tours to themselves, except for given ends."""
        if self.steps or self.through:
            return False
        if self.symmetry is not None:
            # The tours that are symmetric under h are mapped to tours symmetric under g h g^-1.
            h = self.symmetry.cells
            conjugate = np.empty_like(h)
            conjugate[g.cells] = g.cells[h]
            if not np.array_equal(conjugate, h) and not np.array_equal(conjugate[h], np.arange(len(h))):
                return False
        kept = (set(self.required), set(self.forbidden))
        if any(images(moves, g, directed=self.directed) != moves for moves in kept):
            return False
        if self.direction is None:
            return True
        # A reflection reverses every move; then the reversed tours are the image.
        image = g.cells[self.moves]
        return any(same_edges(self.moves, arcs, self.board.size) for arcs in (image, image[:, ::-1]))

    # ---- tours

    def onward(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return tours, one per row, each in the direction of the allowed moves.

        Engines find undirected tours, and a symmetry that is a reflection reverses a tour.
        """
        if not self.one_way or self.board.size < 2:
            return rows
        first, allowed = (codes_of(moves, self.board.size, both=False) for moves in (rows[:, :2], self.moves))
        return np.where(np.isin(first, allowed)[:, None], rows, rows[:, ::-1])

    def rising(self, moves: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return a mask of the moves, shape (k, 2), that begin a coil; see `constraints.rising`."""
        assert isinstance(self.board, Board)  # noqa: S101 - for the type checker
        return rising(self.board, moves)

    def coiled(self, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return a mask of the tours, one per row, that have the required number of coils."""
        if self.coils is None:
            return np.ones(len(rows), dtype=np.bool_)
        moves = np.stack([rows, np.roll(rows, -1, axis=1)], axis=2).reshape(-1, 2)
        return np.asarray(self.rising(moves).reshape(rows.shape).sum(axis=1) == self.coils)

    def fits_steps(self, cells: Sequence[int] | NDArray[np.int32]) -> bool:
        """Whether a tour, numbered from its first cell, has the given cells at their steps and in order."""
        if any(cells[step - 1] != cell for step, cell in self.given.items()):
            return False
        wanted = set(self.through)
        return [cell for cell in cells if cell in wanted] == [*self.through] if wanted else True

    def numbered(self, cells: NDArray[np.int32]) -> NDArray[np.int32] | None:
        """Return the cells of a tour rotated or reversed to have the given steps; None if impossible."""
        if not (self.given or self.through):
            return cells
        for way in (cells,) if self.one_way else (cells, cells[::-1]):
            if self.closed:
                step, cell = next(iter(self.given.items()))
                way = np.roll(way, step - 1 - int(np.flatnonzero(way == cell)[0]))  # noqa: PLW2901
            if self.fits_steps(way):
                return way
        return None


def degrees(board: BoardLike | Question, *, piece: PieceLike | None = None) -> NDArray[np.int32]:
    """Count the moves from every cell of a board.

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
    """List the symmetries of a board, the identity first; each preserves the holes and the moves.

    A symmetry is a permutation of the cells: two maps of the space that permute the cells in the same way are
    one symmetry. A box has the maps that permute and reverse its axes, a board of hexagonal cells has turns
    and reflections, a surface has shifts too. Each symmetry maps moves to moves.

    Args:
        board: a board, its spec, or a whole `Question`, whose constraints stay. A plain graph has no
            shape, and so no symmetry.
        piece: a piece or its spec; by default the knight.

    Raises:
        CavalcadeError: an invalid spec, a plain graph, or a piece that does not fit the board.
        TooLargeError: there are more than 100,000 candidates.

    Time: proportional to the candidates and the moves; 8x8 takes 1 ms, the torus of 8x8, which has 512, 50.

    Examples:
        >>> [one.name for one in symmetries("3x4")][-1]
        'half turn'
    """
    question = Question.of(board, piece=piece)
    candidates = symmetries_of(question.board, question.piece)
    return [symmetry for symmetry in candidates if question.invariant_under(symmetry)]
