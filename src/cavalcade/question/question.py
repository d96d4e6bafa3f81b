"""The question: which tours of which board are wanted. It is read and validated once, here.

Engines work on Hamiltonian cycles alone: `Question.as_cycle` is a graph whose Hamiltonian cycles are the
tours, and `Question.cut` the way back. Its vertices are, in this order,

1. the n cells;
2. where moves go one way only, for each cell c a vertex `>c`, where the tour arrives, and then for each a
   vertex `c>`, where it leaves: a move from a to b joins `a>` to `>b`, and c stands between `>c` and `c>`;
3. for open tours `*`, next to every cell that may be an end (where moves go one way only, to `>c` of those
   where the tour may begin and `c>` of those where it may end): cut there, the cycle is the tour. Where
   just one end is given and moves go both ways also `**`, between that end and `*`, which forces the cycle
   through it;
4. where moves go both ways, for every move a-b that must be made, instead of its edge a path over two
   vertices, `a-b` and `b-a`. Where they go one way `a>` and `>b` keep no other move instead.

Moves go one way on a directed graph, and where all of them go one way about the centre. There is a shorter
graph then, `Question.digraph`, whose directed Hamiltonian cycles are the tours: the cells, and `*`.

What a graph cannot say, cells at steps and a symmetry that keeps the tour, is left to the engines that know
them. A refutation that leaves it out is one all the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Unpack

import numpy as np

from cavalcade.ground.above import shown
from cavalcade.ground.errors import CavalcadeError, CellError
from cavalcade.question.constraints import Constraints, arcs, cell_of, direction_of, moves_of, steps_of
from cavalcade.question.graph import MoveGraph, board_or_graph
from cavalcade.question.moves import graph_of, piece_on
from cavalcade.question.pieces import KNIGHT, Piece
from cavalcade.question.symmetry import Symmetry, images, symmetric_ends, symmetries_of, symmetry_called

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.boards import Board
    from cavalcade.question.constraints import Moves, Steps
    from cavalcade.question.graph import BoardLike
    from cavalcade.question.pieces import PieceLike

    Move = tuple[int, int]

EXTRA = ("*", "**")  # the names of the vertices beside the cells of open tours


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
        steps: (step, cell), in ascending order: on which steps, from 1 on, the tours are where, as they are
            numbered in one of their directions and, if closed, from one of their cells. `start` and `end`
            are not repeated here.
        symmetry: a symmetry of the board that keeps the tours. It keeps `required` and `forbidden` too.
        direction: `counterclockwise` or `clockwise`, if all moves go round the centre in that direction.
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

    _repr_html_ = shown

    @classmethod
    def of(
        cls,
        board: BoardLike | Question,
        *,
        piece: PieceLike | None = None,
        open: bool = False,  # noqa: A002 - the field's word, and the command line's
        start: int | str | None = None,
        end: int | str | None = None,
        **constraints: Unpack[Constraints],
    ) -> Question:
        """The question that the arguments of a public function describe.

        Args:
            board: a board, its spec, a move graph, or a whole question, which is returned.
            piece: a piece or its spec; by default the knight.
            open: open tours instead of closed ones.
            start: the first cell, by name or number.
            end: the last cell of an open tour.
            constraints: what else is asked of the tours, see `cavalcade.question.constraints`.

        Raises:
            CavalcadeError: an invalid spec, name or number, a piece for a plain graph, the end of a
                closed tour, ends that are the same cell, what is no move, words that contradict one
                another, a symmetry that the board has not, or arguments besides a question.
        """
        if isinstance(board, Question):
            words = {"piece": piece, "open": open or None, "start": start, "end": end, **constraints}
            if given := [word for word, value in words.items() if value is not None]:
                raise CavalcadeError(f"a Question is complete, but {', '.join(given)} came with it")
            return board
        board = board_or_graph(board)
        piece = piece_on(board, piece)
        first, last = (None if cell is None else cell_of(board, cell) for cell in (start, end))
        if last is not None and not open:
            raise CellError("a closed tour has no end; ask for an open one")
        if first is not None and first == last and board.size > 1:
            raise CellError(f"an open tour cannot begin and end on the same cell, {board.name(first)}")
        question = cls(board, piece, not open, first, last)
        return question._constrained(**constraints) if any(constraints.values()) or board.fixed else question

    def _constrained(
        self,
        *,
        with_: Moves | None = None,
        avoid: Moves | None = None,
        at: Steps | None = None,
        symmetry: str | None = None,
        moves: str | None = None,
    ) -> Question:
        """The same with the constraints that these words describe."""
        board, n = self.board, self.board.size
        required, forbidden = (set(moves_of(board, self.graph, given)) for given in (with_, avoid))
        required.update(board.fixed)
        direction, name = direction_of(board, moves), board.name
        given = dict(steps_of(board, at, self.given))
        start = given.pop(1, None)
        end = None if self.closed else given.pop(n, None)
        kept = None if symmetry is None else symmetry_called(symmetry, board, self.graph)
        if kept is not None:
            required, forbidden = (images(moves, kept) for moves in (required, forbidden))
            if not self.closed and (start is not None or end is not None):
                start, end = symmetric_ends(board, kept, start, end)
        if both := sorted(required & forbidden):
            ends = [name(cell) for cell in both[0]]
            move = "-".join(ends if self.graph.directed else sorted(ends))
            raise CavalcadeError(f"{move} is a move to make and a move to avoid")
        found = replace(
            self, start=start, end=end, required=tuple(sorted(required)), forbidden=tuple(sorted(forbidden)),
            steps=tuple(sorted(given.items())), symmetry=kept, direction=direction,
        )  # fmt: skip
        if direction is not None and kept is not None and not found.invariant_under(kept):
            raise CavalcadeError(f"the {kept.name} does not keep moves {direction}")
        if direction is not None:
            allowed = {(min(a, b), max(a, b)) for a, b in found.moves.tolist()}
            if wrong := sorted(required - allowed):
                a, b = wrong[0]
                raise CavalcadeError(f"{name(a)}-{name(b)} does not go {direction}, either way")
        return found

    @property
    def kind(self) -> str:
        """`closed` or `open`."""
        return "closed" if self.closed else "open"

    @property
    def one_way(self) -> bool:
        """Whether moves go one way only: about the centre, or because the graph is directed."""
        return self.direction is not None or self.board.directed

    @property
    def ends(self) -> tuple[int, ...]:
        """The given ends of an open tour, the start first."""
        given = (cell for cell in (self.start, self.end) if cell is not None)
        return () if self.closed else tuple(given)

    @property
    def stepwise(self) -> bool:
        """Whether the given steps ask for more than where a closed tour begins to be counted."""
        return bool(self.steps) and (not self.closed or len(self.given) > 1)

    @property
    def constraints(self) -> str:
        """What is asked beside board, kind and ends: ` with a1-b3, kept by the half turn`, or nothing."""
        name = self.board.name
        order = tuple if self.one_way and self.direction is None else sorted
        parts = [
            word
            + ", ".join("-".join(order(map(name, move))) for move in moves[:8])
            + ", …" * (len(moves) > 8)
            for word, moves in (("with ", self.required), ("without ", self.forbidden))
            if moves
        ]
        numbers = [f"{name(cell)} at step {step}" for step, cell in self.steps[:8]]
        if self.steps:
            first = [f"{name(self.start)} at step 1"] if self.closed and self.start is not None else []
            parts.append("with " + ", ".join([*first, *numbers, *["…"] * (len(self.steps) > 8)]))
        parts += [f"kept by the {self.symmetry.name}"] if self.symmetry else []
        parts += [f"with all moves {self.direction}"] if self.direction else []
        return "".join(f" {part}" if not i else f", {part}" for i, part in enumerate(parts))

    @property
    def relaxed(self) -> Question:
        """The same without what `as_cycle` cannot say: cells at steps, and a symmetry."""
        return replace(self, start=None if self.closed else self.start, steps=(), symmetry=None)

    @cached_property
    def graph(self) -> MoveGraph:
        """The move graph, n cells: all moves of the piece."""
        return graph_of(self.board, self.piece)

    @cached_property
    def moves(self) -> NDArray[np.int32]:
        """The moves that may be made, (m, 2), each both ways if it may be made both ways."""
        every = _rows(self.allowed)
        if self.direction is None or self.board.plain:
            return every
        return every[arcs(self.board, self.allowed, self.direction)]

    @property
    def allowed(self) -> MoveGraph:
        """The graph of the moves that may be made, n cells, whichever way they go about the centre."""
        if not self.forbidden:
            return self.graph
        return _without(self.graph, np.array(self.forbidden))

    @property
    def given(self) -> dict[int, int]:
        """The cells that are given at steps, those of `start` and `end` too, in ascending order of steps."""
        ends = ((1, self.start), (self.board.size, self.end))
        return dict(sorted([*self.steps, *((step, cell) for step, cell in ends if cell is not None)]))

    # ---- the graph of the engines

    @property
    def hub(self) -> int | None:
        """The vertex `*` of `as_cycle`, which joins the ends of open tours."""
        if self.closed or self.board.size == 1:
            return None
        return self.board.size * (3 if self.one_way else 1)

    @cached_property
    def digraph(self) -> MoveGraph:
        """Where moves go one way, the digraph whose Hamiltonian cycles are the tours: n cells, perhaps `*`.

        From `*`, which is vertex n, edges lead to the cells where an open tour may begin, and back from those
        where it may end. A cell with a required move has no other that goes the same way.
        """
        n, moves, size = self.board.size, self.moves, self.board.size
        if not self.closed:
            every, size = np.arange(n, dtype=np.int32), n + 1
            first, last = (every if cell is None else every[[cell]] for cell in (self.start, self.end))
            begin, end = (np.stack([some, np.full_like(some, n)], axis=1) for some in (first, last))
            moves = np.concatenate([moves, begin[:, ::-1], end])
        if self.required:
            codes = _codes(np.array(self.required), size, directed=self.direction is None)
            made = np.isin(_codes(moves, size, directed=self.direction is None), codes)
            out, to = (np.bincount(moves[made, side], minlength=size)[moves[:, side]] for side in (0, 1))
            moves = moves[(made & (out == 1) & (to == 1)) | ((out == 0) & (to == 0))]
        moves = moves[np.argsort(moves[:, 0], kind="stable")]
        indptr = np.searchsorted(moves[:, 0], np.arange(size + 1)).astype(np.int32)
        return MoveGraph(indptr, np.ascontiguousarray(moves[:, 1]), directed=True)

    @cached_property
    def as_cycle(self) -> MoveGraph:
        """The graph whose Hamiltonian cycles are the tours."""
        graph, n, hub = self.graph, self.board.size, self.hub
        if n == 1 or (self.closed and not self.one_way and not self.required and not self.forbidden):
            return graph
        if self.one_way:
            tails, heads = self.digraph.edges().T
            arcs = np.stack([tails + 2 * n, np.where(heads < n, heads + n, 3 * n)], axis=1)
            cells = np.arange(n, dtype=np.int32)
            over = [np.stack([cells, cells + layer], axis=1) for layer in (n, 2 * n)]
            size = 3 * n + (hub is not None)
            return _with_edges(MoveGraph.from_edges([], 3 * n), np.concatenate([*over, arcs]), size)
        pairs = np.array(self.required, dtype=np.int32).reshape(-1, 2)
        edges: list[NDArray[np.int32]] = []
        size = n
        base = _without(self.allowed, pairs) if self.required else self.allowed
        if hub is not None:
            edges += self._to_hub(hub)
            size = hub + 1 + self._linked
        if self.required:
            beside = [(self._middle[a, b], self._middle[b, a]) for a, b in self.required]
            middles = np.array(beside, dtype=np.int32)
            path = np.concatenate([pairs[:, :1], middles, pairs[:, 1:]], axis=1)
            edges += [path[:, i : i + 2] for i in range(3)]
            size += 2 * len(pairs)
        return _with_edges(base, np.concatenate(edges), size) if edges else base

    @property
    def _linked(self) -> bool:
        """Whether there is a vertex `**`."""
        return not self.closed and not self.one_way and len(self.ends) == 1

    def _to_hub(self, hub: int) -> list[NDArray[np.int32]]:
        """The edges of `*` and `**`, where moves go both ways."""
        every = np.arange(self.board.size, dtype=np.int32)
        if self._linked:
            near = every[every != self.ends[0]]
        else:
            near = np.array(self.ends, dtype=np.int32) if self.ends else every
        found = [np.stack([near, np.full_like(near, hub)], axis=1)]
        if self._linked:
            found.append(np.array([(self.ends[0], hub + 1), (hub, hub + 1)], dtype=np.int32))
        return found

    @cached_property
    def _middle(self) -> dict[Move, int]:
        """Of each required move, from either end, the new vertex next to that end; `a-b` before `b-a`."""
        if self.one_way:
            return {}
        first = self.board.size + (0 if self.hub is None else 1 + self._linked)
        return {
            move: first + i for i, move in enumerate(m for one in self.required for m in (one, one[::-1]))
        }

    @property
    def vertices(self) -> list[str]:
        """The names of the vertices of `as_cycle`."""
        return [*self.board.names, *self.beside]

    @property
    def beside(self) -> list[str]:
        """The names of those that are no cells."""
        name, found = self.board.name, []
        if self.one_way:
            names = self.board.names
            found = [*(f">{one}" for one in names), *(f"{one}>" for one in names)]
        if self.hub is not None:
            found += EXTRA[: 1 + self._linked]
        return found + [f"{name(a)}-{name(b)}" for a, b in self._middle]

    def edge(self, a: int, b: int) -> Move:
        """The edge of `as_cycle` that a tour uses if it makes the move a-b, smaller end first.

        A move that may not be made has none there, but gets a pair of vertices, too.
        """
        n = self.board.size
        if self.one_way:
            if self.direction is not None and (a, b) not in self._arcs:
                a, b = b, a
            return b + n, a + 2 * n
        return self._middle.get((a, b), min(a, b)), self._middle.get((b, a), max(a, b))

    @cached_property
    def _arcs(self) -> set[Move]:
        """The moves that may be made, each in its directions."""
        return {(a, b) for a, b in self.moves.tolist()}

    def image(self, g: NDArray[np.int32]) -> NDArray[np.int32]:
        """A map of the cells that keeps the question, as one of the vertices of `as_cycle`."""
        n = self.board.size
        layers = [g, *([g + n, g + 2 * n] if self.one_way else [])]
        size = n * len(layers)
        hubs = np.arange(size, size + (0 if self.hub is None else 1 + self._linked))
        middles = [self._middle[int(g[a]), int(g[b])] for a, b in self._middle]
        return np.concatenate([*layers, hubs, middles]).astype(np.int32)

    def invariant_under(self, g: Symmetry) -> bool:
        """Whether a symmetry of the board maps these tours to themselves, but for given ends."""
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
        n = self.board.size
        here, there = self.moves.astype(np.int64), g.cells[self.moves].astype(np.int64)
        return np.array_equal(np.sort(here @ [n, 1]), np.sort(there @ [n, 1]))

    # ---- the way back

    def cut(self, cycle: NDArray[np.int32]) -> NDArray[np.int32]:
        """The cells of the tour that a Hamiltonian cycle of `as_cycle` stands for, in order.

        A closed tour begins at `start`, or where the cycle does.
        """
        n, hub = self.board.size, self.hub
        if n == 1:
            return cycle
        if self.one_way:  # from `>c` over c to `c>`
            at = int(np.flatnonzero(cycle < n)[0])
            if cycle[(at + 1) % len(cycle)] != cycle[at] + 2 * n:
                cycle = cycle[::-1]
        if hub is None:
            path = cycle[cycle < n]
            return path if self.start is None else np.roll(path, -int(np.flatnonzero(path == self.start)[0]))
        at = int(np.flatnonzero(cycle == hub)[0])
        path = np.concatenate((cycle[at:], cycle[:at]))  # np.roll takes as long as all the rest
        path = path[path < n]
        given = ((self.start, path[0]), (self.end, path[-1]))
        backwards = any(wanted is not None and wanted != cell for wanted, cell in given)
        return path[::-1] if backwards else path

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


def _codes(moves: NDArray[np.int32], size: int, *, directed: bool) -> NDArray[np.int64]:
    """A number for each move, from tail to head, or whichever way it goes."""
    ends = moves.astype(np.int64).reshape(-1, 2)
    one, two = (ends[:, 0], ends[:, 1]) if directed else (ends.min(axis=1), ends.max(axis=1))
    return np.asarray(one * size + two)


def _rows(graph: MoveGraph) -> NDArray[np.int32]:
    """Every edge from its tail, or from either end, in the order of the rows: (len(graph.indices), 2)."""
    tails = np.repeat(np.arange(graph.size, dtype=np.int32), graph.degrees)
    return np.stack([tails, graph.indices], axis=1)


def _without(graph: MoveGraph, moves: NDArray[np.int32]) -> MoveGraph:
    """The graph without these edges."""
    all_, gone = (_codes(some, graph.size, directed=graph.directed) for some in (_rows(graph), moves))
    kept = ~np.isin(all_, gone)
    indptr = np.concatenate([[0], np.cumsum(kept)])[graph.indptr]
    return MoveGraph(indptr.astype(np.int32), graph.indices[kept], directed=graph.directed)


def _with_edges(graph: MoveGraph, edges: NDArray[np.int32], size: int) -> MoveGraph:
    """The graph with more edges, at the ends of its rows, and more vertices."""
    both = np.concatenate([edges, edges[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    old = both[:, 0] < graph.size
    inside = np.insert(graph.indices, graph.indptr[both[old, 0] + 1], both[old, 1])
    degrees = np.bincount(both[:, 0], minlength=size)
    degrees[: graph.size] += graph.degrees
    indptr = np.concatenate([[0], np.cumsum(degrees)])
    return MoveGraph(indptr.astype(np.int32), np.concatenate([inside, both[~old, 1]]))


def degrees(board: BoardLike | Question, *, piece: PieceLike | None = None) -> NDArray[np.int32]:
    """How many moves every cell of a board has, in the order of the cells: the papers' KNIGHTMOVES.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        piece: a piece or its spec; by default the knight.

    Raises:
        CavalcadeError: an invalid spec, or a piece that does not fit the board.
    """
    return Question.of(board, piece=piece).graph.degrees


def symmetries(board: BoardLike | Question, piece: PieceLike | None = None) -> list[Symmetry]:
    """The symmetries of a board, the identity first; holes and moves are taken into account.

    Maps of the cells, not of the space around them: two that do the same to every cell are one. A box has
    those that permute and reverse its axes, hexagonal cells turns and reflections, a surface shifts too. Each
    maps moves to moves.

    Args:
        board: a board, its spec, or a whole `Question`, whose constraints are kept, too. A plain graph has no
            shape, and so no symmetry.
        piece: a piece or its spec; by default the knight.

    Raises:
        CavalcadeError: a spec that means nothing, a plain graph, or a piece that does not fit the board.
        TooLargeError: there are more than 100,000 candidates.

    Time: proportional to the candidates and the moves; 8x8 takes 1 ms, the torus of 8x8, which has 512, 50.
    """
    question = Question.of(board, piece=piece)
    return [one for one in symmetries_of(question.board, question.graph) if question.invariant_under(one)]
