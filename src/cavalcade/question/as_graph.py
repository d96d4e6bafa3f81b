"""A question as one graph whose Hamiltonian cycles are its tours, and the way back from a cycle to a tour.

There are two encodings: one where moves go both ways, and one where they go one way, on a directed graph or
round the centre of a board. The vertices of either are, in this order,

1. the n cells;
2. where moves go one way, for each cell c a vertex `>c`, where the tour arrives, and then for each a vertex
   `c>`, where it leaves: a move from a to b joins `a>` to `>b`, and c stands between `>c` and `c>`;
3. for open tours `*`, the apex, adjacent to every cell that may be an end (where moves go one way, to `>c` of
   those where the tour may start and `c>` of those where it may end): cut there, the cycle is the tour.
   Where just one end is given and moves go both ways also `**`, between that end and `*`, which forces the
   cycle through it;
4. where moves go both ways, for every move a-b that must be made, instead of its edge a path over two
   vertices, `a-b` and `b-a`. Where they go one way `a>` and `>b` have no other move instead.

Where moves go one way there is also a smaller graph, the digraph: the cells, and `*`. The tours are its
directed Hamiltonian cycles.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.ground.kernels import Cells
from cavalcade.question.graph import MoveGraph, codes_of

Move = tuple[int, int]

EXTRA = ("*", "**")  # the names of the vertices that open tours add


@dataclass(frozen=True, eq=False)
class Encoding:
    """What a question asks of the moves, as graphs.

    Args:
        board: the board, n cells.
        allowed: the moves that may be made, whichever way they go round the centre.
        arcs: where moves go one way, those that may be made, (m, 2), from tail to head; else None.
        required: the moves that must be made.
        closed: closed tours; else open ones.
        start: the first cell, or None for any.
        end: the last cell of an open tour, or None for any.
    """

    board: Board | MoveGraph
    allowed: MoveGraph
    arcs: Cells | None
    required: tuple[Move, ...]
    closed: bool
    start: int | None
    end: int | None

    @property
    def ends(self) -> list[int]:
        """The given ends of an open tour."""
        return [] if self.closed else [cell for cell in (self.start, self.end) if cell is not None]

    @property
    def apex(self) -> int | None:
        """The vertex `*`, which joins the ends of open tours."""
        if self.closed:
            return None
        return self.board.size * (1 if self.arcs is None else 3)

    @property
    def linked(self) -> bool:
        """Whether there is a vertex `**`."""
        return self.arcs is None and len(self.ends) == 1

    @cached_property
    def digraph(self) -> MoveGraph:
        """Where moves go one way, the digraph: n cells, and for open tours the apex, vertex n."""
        assert self.arcs is not None  # noqa: S101 - for the type checker
        n, moves, size = self.board.size, self.arcs, self.board.size
        if not self.closed:
            every, size = np.arange(n, dtype=np.int32), n + 1
            first, last = (every if cell is None else every[[cell]] for cell in (self.start, self.end))
            begin, end = (np.stack([some, np.full_like(some, n)], axis=1) for some in (first, last))
            moves = np.concatenate([moves, begin[:, ::-1], end])
        if self.required:
            both = not self.allowed.directed  # a required move of a board goes whichever way it may
            wanted, codes = (codes_of(some, size, both=both) for some in (np.array(self.required), moves))
            made = np.isin(codes, wanted)
            out, to = (np.bincount(moves[made, side], minlength=size)[moves[:, side]] for side in (0, 1))
            moves = moves[(made & (out == 1) & (to == 1)) | ((out == 0) & (to == 0))]
        moves = moves[np.argsort(moves[:, 0], kind="stable")]
        indptr = np.searchsorted(moves[:, 0], np.arange(size + 1)).astype(np.int32)
        return MoveGraph(indptr, np.ascontiguousarray(moves[:, 1]), directed=True)

    @cached_property
    def graph(self) -> MoveGraph:
        """The graph whose Hamiltonian cycles are the tours."""
        n, apex = self.board.size, self.apex
        cells = np.arange(n, dtype=np.int32)
        if self.arcs is not None:
            tails, heads = self.digraph.edges().T
            arcs = np.stack([tails + 2 * n, np.where(heads < n, heads + n, 3 * n)], axis=1)
            over = [np.stack([cells, cells + layer], axis=1) for layer in (n, 2 * n)]
            return _with_edges(MoveGraph.from_edges([], 3 * n), [*over, arcs], 3 * n + (apex is not None))
        base, edges = self.allowed, []
        if apex is not None:
            near = np.array(self.ends, dtype=np.int32) if self.ends else cells
            if self.linked:
                near = cells[cells != self.ends[0]]
                edges = [np.array([(self.ends[0], apex + 1), (apex, apex + 1)], dtype=np.int32)]
            edges = [np.stack([near, np.full_like(near, apex)], axis=1), *edges]
        if self.required:
            pairs = np.array(self.required, dtype=np.int32)
            middles = np.array(list(self.middles.values()), dtype=np.int32).reshape(-1, 2)
            path = np.concatenate([pairs[:, :1], middles, pairs[:, 1:]], axis=1)
            base = without_edges(base, pairs)
            edges += [path[:, i : i + 2] for i in range(3)]
        return _with_edges(base, edges, n + len(self.extra)) if edges else base

    @cached_property
    def middles(self) -> dict[Move, int]:
        """Of each required move, from either end, the new vertex next to that end; `a-b` before `b-a`."""
        if self.arcs is not None:
            return {}
        first = self.board.size + (0 if self.apex is None else 1 + self.linked)
        ways = (move for a, b in self.required for move in ((a, b), (b, a)))
        return {move: first + i for i, move in enumerate(ways)}

    @cached_property
    def extra(self) -> list[str]:
        """The names of the vertices that are no cells."""
        found, name = [], self.board.name
        if self.arcs is not None:
            names = self.board.names
            found = [*(f">{one}" for one in names), *(f"{one}>" for one in names)]
        if self.apex is not None:
            found += EXTRA[: 1 + self.linked]
        return found + [f"{name(a)}-{name(b)}" for a, b in self.middles]

    def edge(self, a: int, b: int) -> Move:
        """The edge that a tour uses if it makes the move a-b, smaller end first.

        A move to avoid has no edge, but also gets a pair of vertices.
        """
        n = self.board.size
        if self.arcs is None:
            return self.middles.get((a, b), min(a, b)), self.middles.get((b, a), max(a, b))
        if not self.allowed.directed and (a, b) not in self._arcs:
            a, b = b, a
        return b + n, a + 2 * n

    @cached_property
    def _arcs(self) -> set[Move]:
        """The moves that may be made, each in its directions."""
        return set() if self.arcs is None else {(a, b) for a, b in self.arcs.tolist()}

    def image(self, g: Cells) -> Cells:
        """A map of the cells under which the question is invariant, as a map of the vertices.

        One that reverses all moves, as reflections do, exchanges where tours arrive and where they leave.
        """
        n, layers = self.board.size, [g]
        if self.arcs is not None:
            same = same_edges(self.arcs, g[self.arcs], n)
            layers += [g + n, g + 2 * n] if same else [g + 2 * n, g + n]
        size = n * len(layers)
        joints = np.arange(size, size + (0 if self.apex is None else 1 + self.linked))
        middles = [self.middles[int(g[a]), int(g[b])] for a, b in self.middles]
        return np.concatenate([*layers, joints, middles]).astype(np.int32)

    def cycle(self, cells: Cells) -> Cells:
        """The Hamiltonian cycle of the graph that is a tour, if moves go both ways and none is required."""
        extra = np.arange(self.board.size, self.graph.size, dtype=np.int32)
        return np.concatenate([cells, extra[::-1] if cells[-1] in self.ends else extra])

    def cut(self, cycle: Cells) -> Cells:
        """The cells of the tour that a Hamiltonian cycle of the graph or the digraph stands for, in order.

        A closed tour begins at `start`, or where the cycle does.
        """
        n, apex = self.board.size, self.apex
        if self.arcs is not None and len(cycle) < 3 * n:  # of the digraph
            first = self.start if self.closed else n
            cells = cycle if first is None else np.roll(cycle, -int(np.flatnonzero(cycle == first)[0]))
            return cells[cells < n]
        if self.arcs is not None:  # from `>c` over c to `c>`
            at = int(np.flatnonzero(cycle < n)[0])
            if cycle[(at + 1) % len(cycle)] != cycle[at] + 2 * n:
                cycle = np.concatenate((cycle[:1], cycle[:0:-1]))  # reversed, from the same vertex
        if apex is None:
            path = cycle[cycle < n]
            return path if self.start is None else np.roll(path, -int(np.flatnonzero(path == self.start)[0]))
        at = int(np.flatnonzero(cycle == apex)[0])
        path = np.concatenate((cycle[at:], cycle[:at]))  # np.roll takes as long as all the rest
        path = path[path < n]
        given = ((self.start, path[0]), (self.end, path[-1]))
        backwards = any(wanted is not None and wanted != cell for wanted, cell in given)
        return path[::-1] if backwards else path


def same_edges(some: Cells, others: Cells, size: int) -> bool:
    """Whether two lists of directed edges hold the same ones."""
    one, two = (np.sort(codes_of(edges, size, both=False)) for edges in (some, others))
    return np.array_equal(one, two)


def without_edges(graph: MoveGraph, edges: NDArray[np.integer[Any]]) -> MoveGraph:
    """The graph without these edges."""
    both = not graph.directed
    every, removed = (codes_of(some, graph.size, both=both) for some in (graph.arcs(), edges))
    return graph.where(~np.isin(every, removed))


def _with_edges(graph: MoveGraph, edges: list[Cells], size: int) -> MoveGraph:
    """The graph with more edges, at the ends of its rows, and more vertices."""
    one_way = np.concatenate(edges)
    both = np.concatenate([one_way, one_way[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    old = both[:, 0] < graph.size
    inside = np.insert(graph.indices, graph.indptr[both[old, 0] + 1], both[old, 1])
    degrees = np.bincount(both[:, 0], minlength=size)
    degrees[: graph.size] += graph.degrees
    indptr = np.concatenate([[0], np.cumsum(degrees)])
    return MoveGraph(indptr.astype(np.int32), np.concatenate([inside, both[~old, 1]]))
