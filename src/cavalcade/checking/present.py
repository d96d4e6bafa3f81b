"""The present graph: which edges are forced and which are ruled out, while the steps of a proof are applied.

Two sets of edges grow: those *ruled out*, which no closed tour uses, and those *forced*, which every closed
tour uses. The *present graph* has all edges that are not ruled out. Everything that a rule counts is counted
here.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.checking.constraints import closed_graph
from cavalcade.checking.geometry import Ints as Ints  # noqa: PLC0414 - the rules import it from here
from cavalcade.checking.geometry import ascending
from cavalcade.checking.weights import weights_of
from cavalcade.ground.arrays import distinct
from cavalcade.ground.kernels import Mask
from cavalcade.question.question import Question
from cavalcade.question.statement import WeightLimit


class Status(IntEnum):
    """The status of an edge."""

    OPEN = 0  # undecided
    FORCED = 1  # every closed tour uses the edge
    OUT = 2  # no closed tour uses the edge


OPEN, FORCED, OUT = map(int, Status)  # plain integers, which NumPy compares without a conversion


class WrongError(Exception):
    """A step does not follow; the message says why."""


class Removal(NamedTuple):
    """The present graph without a set of cells.

    Attributes:
        parts: the number of connected components.
        paths: the number of paths into which a tour falls without the cells, at most: their number, less the
            forced edges inside the set.
        root: the smallest vertex of the component of each vertex, shape (size,).
        inside: the numbers of the present edges inside the set.
    """

    parts: int
    paths: int
    root: Ints
    inside: Ints


class PresentGraph:
    """The graph of a question, and the status of its edges.

    Edges are stored as rows of half-edges: half-edge i of vertex v, for `offsets[v] <= i < offsets[v + 1]`,
    leads to `heads[i]` along the edge `edge_of[i]`.

    Args:
        question: the question; some rules need its steps, symmetry or board.
        name: returns the name of a vertex, for messages.
        limit: a limit of the weight of the tours, or None.

    Attributes:
        size: the number of vertices.
        count: the number of vertices, where all vertices that were contracted to one count once.
        one_way: whether moves go one way; every cell c then has vertices `>c` and `c>`, too.
        ways: the number of cells if moves go one way, else `size`.
        representative: the vertex to which each vertex was contracted, shape (size,).
        mark: scratch space for sets of vertices, false between calls, shape (size,).
        steps: the number of steps that were begun.
        edges: the ends of each edge in ascending order, shape (m, 2).
        weights: the weights of the edges and their limit; None without a limit, or if cells were contracted.
        status: OPEN, FORCED or OUT for each edge, shape (m,).
        forced_degree: the number of forced edges at each vertex.
        other_end: for the ends of each path of forced edges, the other end.
        path_length: for the ends of each path of forced edges, the number of its vertices.
        history: the changes of arrays, to undo them: the array, the indices, and the values before.
        may_leave: whether a tour may go along each half-edge from its vertex.
        may_arrive: whether a tour may come along each half-edge to its vertex.
    """

    def __init__(
        self, question: Question, name: Callable[[int], str], limit: WeightLimit | None = None
    ) -> None:
        size, edges = closed_graph(question)
        self.weights = None if limit is None else weights_of(question, edges, limit)
        self.size, self.name, self.question, self.one_way = size, name, question, question.one_way
        self.ways = question.board.size if self.one_way else size
        self.count = size
        self.representative = np.arange(size)
        self.mark = np.zeros(size, dtype=np.bool_)
        self.steps = 0
        self._begin(edges)

    def _begin(self, edges: Ints) -> None:
        """Replace the edges; all of them become undecided."""
        size, self.edges = self.size, edges
        half_edges = np.concatenate([edges, edges[:, ::-1]])
        order = np.argsort(half_edges[:, 0], kind="stable")
        self.heads = half_edges[order, 1]
        self.edge_of = order % max(len(edges), 1)
        self.offsets = np.searchsorted(half_edges[order, 0], np.arange(size + 1))
        self.status = np.zeros(len(edges), dtype=np.int8)
        self.forced_degree = np.zeros(size, dtype=np.int64)
        self.other_end = np.arange(size)
        self.path_length = np.ones(size, dtype=np.int64)
        self.history: list[tuple[NDArray[Any], Ints, NDArray[Any]]] = []
        self.may_leave = self._may_leave()
        self.may_arrive = ~self.may_leave | self.may_leave.all()

    def contract(self, cells: Ints) -> None:
        """Contract cells to the first of them, which keeps the edges that leave the set.

        Raises:
            WrongError: some edges are decided already.
        """
        self._merge(cells)
        ends = self.representative[self.edges]
        self._begin(ascending(ends[ends[:, 0] != ends[:, 1]], self.size))

    def take_part(self, cells: Ints, extra: Ints) -> None:
        """Keep some cells, the edges between them, and extra edges; drop all other cells.

        The first end of the first extra edge represents the dropped cells.

        Raises:
            WrongError: some edges are decided already.
        """
        self.mark[cells] = True
        kept = self.mark[self.edges].all(axis=1)
        dropped = np.flatnonzero(~self.mark)
        self.mark[cells] = False
        self._merge(np.concatenate([extra[0, :1], dropped]))
        self._begin(ascending(np.concatenate([self.edges[kept], extra]), self.size))

    def _merge(self, cells: Ints) -> None:
        """Let the first of some cells represent all of them."""
        if self.history:
            raise WrongError("the graph is changed before anything else is done")
        self.weights = None
        merged = np.isin(self.representative, cells)
        self.representative = np.where(merged, cells[0], self.representative)
        self.count = int(np.count_nonzero(self.representative == np.arange(self.size)))

    # ---- decisions

    def assume(self, edge: int, status: int) -> int:
        """Begin a case of a branch, and return the argument for `take_back`."""
        since = len(self.history)
        self.decide(np.array([edge]), status)
        return since

    def take_back(self, since: int) -> None:
        """End a case: undo all changes since it began."""
        while len(self.history) > since:
            array, indices, before = self.history.pop()
            array[indices] = before

    def decide(self, edges: Ints, status: int) -> None:
        """Force edges, or rule them out. Forced edges join paths."""
        edges = distinct(edges[self.status[edges] != status])
        self._put(self.status, edges, status)
        if status == OUT:
            return
        for a, b in self.edges[edges].tolist():
            pair = np.array([a, b])
            self._put(self.forced_degree, pair, self.forced_degree[pair] + 1)
            x, y = int(self.other_end[a]), int(self.other_end[b])
            # The edge joins two paths unless it closes a cycle, or a or b is inside a path.
            if x != b and (self.forced_degree[pair] <= 2).all():
                ends = np.array([x, y])
                self._put(self.path_length, ends, self.path_length[x] + self.path_length[y])
                self._put(self.other_end, ends, ends[::-1].copy())

    def _put(self, array: NDArray[Any], indices: Ints, values: Ints | int) -> None:
        """Change an array so that `take_back` can undo it."""
        self.history.append((array, indices, array[indices].copy()))
        array[indices] = values

    # ---- the present graph

    def around(self, cells: Ints) -> tuple[Ints, Ints]:
        """The present half-edges of some cells, and the position in `cells` of the cell of each half-edge."""
        counts = self.offsets[cells + 1] - self.offsets[cells]
        begins = np.cumsum(counts) - counts
        half_edges = np.arange(counts.sum()) + np.repeat(self.offsets[cells] - begins, counts)
        owner = np.repeat(np.arange(len(cells)), counts)
        present = self.status[self.edge_of[half_edges]] != OUT
        return half_edges[present], owner[present]

    def edges_of(self, cells: Ints) -> Ints:
        """The numbers of the present edges of some cells."""
        return self.edge_of[self.around(cells)[0]]

    def _may_leave(self) -> Mask:
        """Whether a tour may go along each half-edge; true for all if moves go both ways.

        If moves go one way, a tour that once goes from `>c` over c to `c>` does so at every cell: it goes
        from `a>` to `>b` or `*`, and from `*` to some `>b`.
        """
        if not self.one_way:
            return np.ones(len(self.heads), dtype=np.bool_)
        tails = np.repeat(np.arange(self.size), np.diff(self.offsets))
        kind = np.arange(self.size) // self.ways  # 0 for cells, 1 for `>c`, 2 for `c>`, 3 for `*`
        allowed = np.zeros((4, 4), dtype=np.bool_)
        allowed[[1, 0, 2, 2, 3], [0, 2, 1, 3, 1]] = True
        return np.asarray(allowed[kind[tails], kind[self.heads]])

    def followers(self, cells: Ints) -> Ints:
        """The cells to which a tour may go from any of these cells."""
        half_edges, _ = self.around(cells)
        return distinct(self.heads[half_edges[self.may_leave[half_edges]]])

    def leaders(self, cells: Ints) -> Ints:
        """The cells from which a tour may come to any of these cells."""
        half_edges, _ = self.around(cells)
        return distinct(self.heads[half_edges[self.may_arrive[half_edges]]])

    def row(self, cell: int, *statuses: int) -> list[int]:
        """The neighbours of a cell along edges of the given statuses."""
        row = slice(self.offsets[cell], self.offsets[cell + 1])
        present = zip(self.heads[row].tolist(), self.status[self.edge_of[row]].tolist(), strict=True)
        return [neighbour for neighbour, status in present if status in statuses]

    def leaving(self, cells: Ints, targets: Ints) -> Ints:
        """The present edges along which a tour may come to `targets` from a cell not in `cells`."""
        half_edges, _ = self.around(targets)
        half_edges = half_edges[self.may_arrive[half_edges]]
        self.mark[cells] = True
        outside = half_edges[~self.mark[self.heads[half_edges]]]
        self.mark[cells] = False
        return distinct(self.edge_of[outside])

    def without(self, cells: Ints) -> Removal:
        """Remove some cells, and describe the rest."""
        self.mark[cells] = True
        inside = self.mark[self.edges].all(axis=1)
        dropped = self.mark[self.edges].any(axis=1) | (self.status == OUT)
        self.mark[cells] = False
        root = first_of_part(self.size, *self.edges[~dropped].T)
        root = root[self.representative]
        held = np.flatnonzero(inside & (self.status != OUT))
        # Each removed cell, without edges, is a component of its own.
        parts = int(np.count_nonzero(root == np.arange(self.size))) - len(cells)
        paths = len(cells) - int(np.count_nonzero(self.status[held] == FORCED))
        return Removal(parts, paths, root, held)

    def walks(self) -> tuple[Ints, Ints]:
        """Label every vertex by the components that even and odd walks from it reach.

        Consider the graph in which every vertex c occurs twice, as c and as c + n, and an edge a-b joins a to
        b + n and a + n to b. A walk from c ends at d after an even number of edges, and at d + n after an odd
        number.

        Returns:
            Labels of the components of c and of c + n, for each vertex c. Vertices an even number of moves
            apart have equal pairs of labels; an odd number swaps the pair. Equal labels mean that the
            component of c has an odd cycle.
        """
        n, (a, b) = self.size, self.edges[self.status != OUT].T
        root = first_of_part(2 * n, np.concatenate([a, a + n]), np.concatenate([b + n, b]))
        return root[:n], root[n:]

    # ---- the cells of a step

    def only(self, cells: Ints) -> int:
        """The single cell of a step."""
        if len(cells) != 1:
            raise WrongError(f"it is about one cell, not {len(cells)}")
        return int(cells[0])

    def edge(self, cells: Ints) -> int:
        """The number of the edge between the two cells of a step."""
        if len(cells) == 2:
            a, b = cells.tolist()
            row = slice(self.offsets[a], self.offsets[a + 1])
            position = np.flatnonzero(self.heads[row] == b)
            if position.size:
                return int(self.edge_of[row][position[0]])
        raise WrongError(f"there is no move {self.called(cells)}")

    def called(self, cells: Ints) -> str:
        """The names of the first six cells, for messages."""
        names = [self.name(cell) for cell in cells[:6].tolist()]
        return "-".join(names) + ("…" if len(cells) > 6 else "")

    def stop(self, vertex: int) -> str:
        """The name of the cell to which a vertex belongs."""
        return self.name(self.cell_of(vertex))

    def cell_of(self, vertex: int) -> int:
        """If moves go one way, the cell c of a vertex `>c` or `c>`; else the vertex itself."""
        return vertex % self.ways if self.one_way and vertex < 3 * self.ways else vertex


def counted(number: int, noun: str) -> str:
    """`1 cell`, `2 cells`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def first_of_part(size: int, a: Ints, b: Ints) -> Ints:
    """The smallest vertex in the component of each vertex.

    Every vertex points to the smallest vertex to which it is known to be connected, until no edge joins two
    vertices that point to different ones.

    Args:
        size: the number of vertices.
        a: one end of each edge.
        b: the other end of each edge.
    """
    root = np.arange(size)
    while True:
        low, high = np.minimum(root[a], root[b]), np.maximum(root[a], root[b])
        differ = low != high
        if not differ.any():
            return root
        a, b = a[differ], b[differ]
        np.minimum.at(root, high[differ], low[differ])
        # Pointer jumping: let every vertex point to the end of its chain.
        while (root[root] != root).any():
            root = root[root]
