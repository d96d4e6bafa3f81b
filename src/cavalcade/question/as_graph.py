"""A question as one graph whose Hamiltonian cycles are its tours, and the way back from a cycle to a tour.

There are two encodings: one where moves go both ways, and one where they go one way, on a directed graph or
round the centre of a board. The vertices of either are, in this order,

1. the n cells;
2. if moves go one way, a vertex `>c` for every cell c, where the tour arrives, and then a vertex `c>` for
   every cell c, where it leaves: a move from a to b joins `a>` to `>b`, and c stands between `>c` and `c>`;
3. for open tours the apex `*`, adjacent to every cell that may be an end. If moves go one way, it is adjacent
   to `>c` if the tour may start at c, and to `c>` if the tour may end at c. Cut at the apex, the cycle is the
   tour. If moves go both ways and exactly one end is given, also `**`, between that end and `*`, which forces
   the cycle through the end;
4. if moves go both ways, two vertices `a-b` and `b-a` for every required move a-b: a path over them replaces
   the edge a-b. If moves go one way, all other moves from `a>` and to `>b` are removed instead.

If moves go one way, there is also a smaller graph, the digraph, which consists of the cells and `*`. The
tours are its directed Hamiltonian cycles.
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
    """The conditions of a question on the moves, as graphs.

    Args:
        board: the board of n cells.
        allowed: the graph of the allowed moves, in either direction.
        arcs: the allowed moves if moves go one way, tails and heads, shape (m, 2); None if they go both ways.
        required: the moves that a tour must make.
        closed: whether the tours are closed.
        start: the first cell; None for any.
        end: the last cell of an open tour; None for any.
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
        """The digraph, if moves go one way: n cells, and for open tours the apex, vertex n."""
        assert self.arcs is not None  # noqa: S101 - for the type checker
        n, moves, size = self.board.size, self.arcs, self.board.size
        if not self.closed:
            cells, size = np.arange(n, dtype=np.int32), n + 1
            starts, ends = (cells if cell is None else cells[[cell]] for cell in (self.start, self.end))
            to_starts, from_ends = (
                np.stack([tips, np.full_like(tips, n)], axis=1) for tips in (starts, ends)
            )
            moves = np.concatenate([moves, to_starts[:, ::-1], from_ends])
        if self.required:
            undirected = not self.allowed.directed  # a required move of a board goes in its allowed direction
            required = codes_of(np.array(self.required), size, both=undirected)
            must = np.isin(codes_of(moves, size, both=undirected), required)
            # Required moves that leave the tail, or enter the head, of each move. A required move stays if it
            # is the only such move at both ends, and another move stays if there is none at either end.
            out, into = (np.bincount(moves[must, side], minlength=size)[moves[:, side]] for side in (0, 1))
            moves = moves[(must & (out == 1) & (into == 1)) | ((out == 0) & (into == 0))]
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
            layers = [np.stack([cells, cells + layer], axis=1) for layer in (n, 2 * n)]
            return _with_edges(MoveGraph.from_edges([], 3 * n), [*layers, arcs], 3 * n + (apex is not None))
        base, edges = self.allowed, []
        if apex is not None:
            ends = np.array(self.ends, dtype=np.int32) if self.ends else cells
            if self.linked:
                ends = cells[cells != self.ends[0]]
                edges = [np.array([(self.ends[0], apex + 1), (apex, apex + 1)], dtype=np.int32)]
            edges = [np.stack([ends, np.full_like(ends, apex)], axis=1), *edges]
        if self.required:
            pairs = np.array(self.required, dtype=np.int32)
            middles = np.array(list(self.middles.values()), dtype=np.int32).reshape(-1, 2)
            path = np.concatenate([pairs[:, :1], middles, pairs[:, 1:]], axis=1)
            base = without_edges(base, pairs)
            edges += [path[:, i : i + 2] for i in range(3)]
        return _with_edges(base, edges, n + len(self.extra)) if edges else base

    @cached_property
    def middles(self) -> dict[Move, int]:
        """The new vertex next to cell a for each required move (a, b), in both directions."""
        if self.arcs is not None:
            return {}
        first = self.board.size + (0 if self.apex is None else 1 + self.linked)
        ways = (move for a, b in self.required for move in ((a, b), (b, a)))
        return {move: first + i for i, move in enumerate(ways)}

    @cached_property
    def extra(self) -> list[str]:
        """The names of the vertices after the cells."""
        extra, name = [], self.board.name
        if self.arcs is not None:
            names = self.board.names
            extra = [*(f">{cell}" for cell in names), *(f"{cell}>" for cell in names)]
        if self.apex is not None:
            extra += EXTRA[: 1 + self.linked]
        return extra + [f"{name(a)}-{name(b)}" for a, b in self.middles]

    def edge(self, a: int, b: int) -> Move:
        """The edge of the graph for the move a-b, smaller end first.

        A forbidden move has no edge, but also gets a pair of vertices.
        """
        n = self.board.size
        if self.arcs is None:
            return self.middles.get((a, b), min(a, b)), self.middles.get((b, a), max(a, b))
        if not self.allowed.directed and (a, b) not in self._arcs:
            a, b = b, a
        return b + n, a + 2 * n

    @cached_property
    def _arcs(self) -> set[Move]:
        """The allowed moves from tail to head; empty if moves go both ways."""
        return set() if self.arcs is None else {(a, b) for a, b in self.arcs.tolist()}

    def image(self, g: Cells) -> Cells:
        """Extend a map of the cells under which the question is invariant to a map of the vertices.

        A map that reverses all one-way moves, such as a reflection, exchanges the vertices `>c` and `c>`.
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
        """The Hamiltonian cycle of a tour, in the graph."""
        n = self.board.size
        if self.arcs is not None:
            over = np.stack([cells + n, cells, cells + 2 * n], axis=1).ravel()
            return np.append(over, np.arange(3 * n, self.graph.size)).astype(np.int32)
        joints = np.arange(n, n + (0 if self.apex is None else 1 + self.linked), dtype=np.int32)
        cycle = np.concatenate([cells, joints[::-1] if cells[-1] in self.ends else joints])
        if not self.middles:
            return cycle
        path: list[int] = []
        for a, b in zip(cycle.tolist(), np.roll(cycle, -1).tolist(), strict=True):
            path += [a, self.middles[a, b], self.middles[b, a]] if (a, b) in self.middles else [a]
        return np.array(path, dtype=np.int32)

    def cut(self, cycle: Cells) -> Cells:
        """The cells of a tour in order, from its Hamiltonian cycle in the graph or the digraph.

        A closed tour begins at `start`; if there is none, it begins where the cycle begins.
        """
        n, apex = self.board.size, self.apex
        if self.arcs is not None and len(cycle) < 3 * n:  # a cycle of the digraph
            first = self.start if self.closed else n
            cells = cycle if first is None else np.roll(cycle, -int(np.flatnonzero(cycle == first)[0]))
            return cells[cells < n]
        if self.arcs is not None:
            cycle = self.forward(cycle[None])[0]
        if apex is None:
            path = cycle[cycle < n]
            return path if self.start is None else np.roll(path, -int(np.flatnonzero(path == self.start)[0]))
        index = int(np.flatnonzero(cycle == apex)[0])
        path = np.concatenate((cycle[index:], cycle[:index]))  # np.roll would double the time of this method
        path = path[path < n]
        ends = ((self.start, path[0]), (self.end, path[-1]))
        backwards = any(required is not None and required != cell for required, cell in ends)
        return path[::-1] if backwards else path

    def forward(self, cycles: Cells) -> Cells:
        """Reverse the cycles, one per row, that go against one-way moves; the first vertices stay."""
        n, size = self.board.size, cycles.shape[1]
        rows, index = np.arange(len(cycles)), (cycles < n).argmax(axis=1)
        # A cycle in the right direction goes from `>c` over c to `c>`.
        backwards = cycles[rows, (index + 1) % size] != cycles[rows, index] + 2 * n
        if backwards.any():
            cycles = np.where(backwards[:, None], cycles[:, -np.arange(size) % size], cycles)
        return cycles


def same_edges(edges: Cells, images: Cells, size: int) -> bool:
    """Whether two lists contain the same directed edges, in any order."""
    codes, image_codes = (np.sort(codes_of(pairs, size, both=False)) for pairs in (edges, images))
    return np.array_equal(codes, image_codes)


def without_edges(graph: MoveGraph, edges: NDArray[np.integer[Any]]) -> MoveGraph:
    """Remove edges from a graph."""
    undirected = not graph.directed
    codes, removed = (codes_of(pairs, graph.size, both=undirected) for pairs in (graph.arcs(), edges))
    return graph.where(~np.isin(codes, removed))


def _with_edges(graph: MoveGraph, edges: list[Cells], size: int) -> MoveGraph:
    """Append edges at the ends of a graph's rows, and vertices up to a size."""
    pairs = np.concatenate(edges)
    arcs = np.concatenate([pairs, pairs[:, ::-1]])
    arcs = arcs[np.argsort(arcs[:, 0], kind="stable")]
    old = arcs[:, 0] < graph.size  # arcs that leave a vertex of the graph
    inside = np.insert(graph.indices, graph.indptr[arcs[old, 0] + 1], arcs[old, 1])
    degrees = np.bincount(arcs[:, 0], minlength=size)
    degrees[: graph.size] += graph.degrees
    indptr = np.concatenate([[0], np.cumsum(degrees)])
    return MoveGraph(indptr.astype(np.int32), np.concatenate([inside, arcs[~old, 1]]))
