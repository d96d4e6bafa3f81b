"""Graphs in compressed rows: which cells are a move apart. Engines see nothing else.

n is the number of vertices, m of edges. The neighbours of vertex i are
`indices[indptr[i]:indptr[i + 1]]`, in the order in which the piece tries its moves.
"""

from __future__ import annotations

import operator
import os
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.boards.plain import Plain
from cavalcade.ground.above import above, shown
from cavalcade.ground.arrays import distinct
from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.errors import (
    BoardError,
    CellError,
    GraphError,
    TooLargeError,
    boolean,
    optional,
    optional_boolean,
)
from cavalcade.question.data import edges_of, pairs_of
from cavalcade.question.named import named, spelled_out

if TYPE_CHECKING:
    import networkx as nx

BLOCK = 100_000  # edges per conversion to Python integers: about a tenth of a second of work
# a board, its spec, a path, sides, a graph, or a graph of another library: see `board_or_graph`
BoardLike: TypeAlias = "Board | MoveGraph | str | os.PathLike[str] | Sequence[int] | Any"


@dataclass(frozen=True, eq=False, repr=False)
class MoveGraph:
    """A simple graph, stored in compressed sparse rows (lists of neighbours).

    Args:
        indptr: offsets of the rows in `indices`, int32, shape (n + 1,), read-only.
        indices: neighbours by vertex, int32, read-only; shape (2m,), or for a directed graph the heads of the
            edges, shape (m,).
        labels: names of the vertices of a graph that is not a board; None for 1, 2, …, n.
        spec: name of the graph.
        directed: whether an edge goes one way only.
        fixed: edges (a, b), a < b, that every tour must use, as a file can say; `Question.of` requires them.

    A plain graph can stand for a board, and answers what a board answers: its vertices are cells in a row.

    Examples:
        >>> MoveGraph.of([("a", "b"), ("b", "c"), ("c", "a")]).names
        ['a', 'b', 'c']
    """

    plain: ClassVar[Literal[True]] = True
    is_box: ClassVar[bool] = False
    is_rectangle: ClassVar[bool] = False
    dimensions: ClassVar[int] = 1
    mask: ClassVar[None] = None
    holes: ClassVar[tuple[str, ...]] = ()

    indptr: NDArray[np.int32]
    indices: NDArray[np.int32]
    labels: tuple[Hashable, ...] | None = None
    spec: str = "graph"
    directed: bool = False
    fixed: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        boolean(self.directed, "directed")
        for name in ("indptr", "indices"):
            view = getattr(self, name).view()  # the array of the caller stays writable
            view.setflags(write=False)
            object.__setattr__(self, name, view)

    _repr_html_ = shown

    @property
    def size(self) -> int:
        """n, the number of vertices."""
        return len(self.indptr) - 1

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return (
            f"<MoveGraph {self.size:,} vertices, {self.edge_count:,} {'arcs' if self.directed else 'edges'}>"
        )

    @property
    def title(self) -> str:
        """What to call it in a sentence."""
        return self.spec

    @property
    def edge_count(self) -> int:
        """m, the number of edges."""
        return len(self.indices) // (1 if self.directed else 2)

    def assert_undirected(self, what: str) -> None:
        """Make sure that edges go both ways.

        Raises:
            GraphError: the graph is directed, which `what` does not support.
        """
        if self.directed:
            raise GraphError(
                f"{self.title} is directed, expected a graph whose edges go both ways for {what}"
            )

    @property
    def degrees(self) -> NDArray[np.int32]:
        """The number of neighbours of every vertex, of a directed graph of arcs that leave: KNIGHTMOVES."""
        return np.diff(self.indptr)

    def neighbours(self, vertex: int) -> NDArray[np.int32]:
        """The neighbours of a vertex, in the order of the moves."""
        return self.indices[self.indptr[vertex] : self.indptr[vertex + 1]]

    def edges(self) -> NDArray[np.int32]:
        """Every edge once, an array of shape (m, 2): smaller end first, or of a directed graph its tail."""
        arcs = self.arcs()
        return arcs if self.directed else arcs[arcs[:, 0] < arcs[:, 1]]

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The same edges as pairs of integers of Python, made in blocks; the clock may end it between two."""
        edges = self.edges()
        for first in range(0, len(edges), BLOCK):
            assert_time()
            yield from zip(*edges[first : first + BLOCK].T.tolist(), strict=True)

    @property
    def tails(self) -> NDArray[np.int32]:
        """The vertex in whose row each place of `indices` is."""
        return np.repeat(np.arange(self.size, dtype=np.int32), self.degrees)

    def arcs(self) -> NDArray[np.int32]:
        """Every edge from its tail, or from either end, in the order of `indices`: (len(indices), 2)."""
        return np.stack([self.tails, self.indices], axis=1)

    def where(self, kept: NDArray[np.bool_], *, directed: bool | None = None) -> MoveGraph:
        """The graph with only these places of `indices`; `directed` if they are not of whole edges."""
        optional_boolean(directed, "directed")
        indptr = np.concatenate([[0], np.cumsum(kept)])[self.indptr].astype(np.int32)
        return MoveGraph(indptr, self.indices[kept], directed=self.directed if directed is None else directed)

    @property
    def nodes(self) -> Sequence[Hashable]:
        """The vertices as a caller names them: the labels, or 0 … n - 1 where there are none."""
        return range(self.size) if self.labels is None else self.labels

    # ---- standing for a board

    @cached_property
    def family(self) -> Plain:
        """What is asked of a board's family."""
        return Plain((self.size,))

    @property
    def shape(self) -> tuple[int, ...]:
        """(n,)."""
        return (self.size,)

    @property
    def whole(self) -> MoveGraph:
        """The graph itself, which has no holes."""
        return self

    @property
    def coords(self) -> NDArray[np.int32]:
        """The numbers of the vertices, (n, 1)."""
        return np.arange(self.size, dtype=np.int32)[:, None]

    def locate(self, coords: ArrayLike) -> NDArray[np.int32]:
        """The vertices with these numbers, the last axis of length 1; -1 where there is none."""
        return np.asarray(self.family.index([np.asarray(coords)[..., 0]]))

    @cached_property
    def names(self) -> list[str]:
        """The names of all vertices; of labels that look alike, as 1 and "1", the names are 1 and '1'."""
        labels = self.labels or range(1, self.size + 1)
        names = [str(label) for label in labels]
        if len(set(names)) == len(names):
            return names
        alike = {name for name, count in Counter(names).items() if count > 1}
        return [repr(a) if name in alike else name for a, name in zip(labels, names, strict=True)]

    @cached_property
    def _by_name(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def name(self, vertex: int) -> str:
        """The name of a vertex.

        Raises:
            CellError: the number is not a vertex.
        """
        if not 0 <= vertex < self.size:
            raise CellError(f"{vertex} is not a vertex of {self.title}, expected 0 to {self.size - 1}")
        return self.names[vertex]

    def cell(self, name: str) -> int:
        """The vertex of this name.

        Raises:
            CellError: there is none.
        """
        if name.strip() not in self._by_name:
            raise CellError(
                f"{name[:60]!r} is not a vertex of {self.title}, expected one like {self.names[0]!r}"
            )
        return self._by_name[name.strip()]

    # ---- other libraries

    @classmethod
    def from_edges(
        cls,
        edges: ArrayLike | Iterable[tuple[int, int]],
        size: int | None = None,
        labels: Sequence[Hashable] | None = None,
        spec: str = "graph",
        *,
        directed: bool = False,
    ) -> MoveGraph:
        """The graph with these edges between vertices 0 … size - 1, from tail to head if it is directed.

        Neighbours are in ascending order. An edge given twice counts once; a loop, which no tour of two or
        more vertices uses, is omitted.

        Raises:
            GraphError: not whole numbers, an end outside 0 … size - 1, or no vertex.
            TooLargeError: the graph would not fit into this machine's memory.
        """
        boolean(directed, "directed")
        pairs = edges if isinstance(edges, np.ndarray) else pairs_of(list(edges))  # type: ignore[arg-type]
        if pairs.size and pairs.shape[1:] != (2,):
            raise GraphError(f"an array of shape {pairs.shape} has no edges, expected pairs of vertices")
        if pairs.size and pairs.dtype.kind not in "iu":
            raise GraphError(f"an array of {pairs.dtype} has no edges, expected whole numbers")
        pairs = pairs.reshape(-1, 2).astype(np.int64, copy=False)
        n = int(pairs.max(initial=-1)) + 1 if size is None else size
        if n < 1:
            raise GraphError("a graph without vertices, expected at least one")
        if pairs.size and (pairs.min() < 0 or pairs.max() >= n):
            bad = pairs[((pairs < 0) | (pairs >= n)).any(axis=1)][0].tolist()
            raise GraphError(f"edge {tuple(bad)} has an end outside 0 to {n - 1}")
        if n + len(pairs) > 1_000_000:
            assert_room(16 * n + 80 * len(pairs), f"a graph of {n:,} vertices")
        tails, heads = (pairs if (is_edge := pairs[:, 0] != pairs[:, 1]).all() else pairs[is_edge]).T
        codes = tails * n + heads
        codes = distinct(codes if directed else np.concatenate([codes, heads * n + tails]), n * n)
        if n >= 2**31 or len(codes) >= 2**31:
            raise TooLargeError(f"a graph of {n:,} vertices and {len(pairs):,} edges has too many to number")
        indptr = np.searchsorted(codes, np.arange(0, n * n + 1, n)).astype(np.int32)
        names = None if labels is None else tuple(labels)
        return cls(indptr, (codes % n).astype(np.int32), names, spec, directed)

    @classmethod
    def from_pairs(
        cls,
        pairs: Iterable[Sequence[Hashable]],
        nodes: Iterable[Hashable] = (),
        spec: str = "graph",
        *,
        directed: bool = False,
    ) -> MoveGraph:
        """The graph with these edges between nodes of any kind, which become the labels.

        Nodes are numbered as they come, `nodes` first. What is said of edges is as in `from_edges`.

        Raises:
            GraphError: a node that has no hash, as a list, or no node.
        """
        boolean(directed, "directed")
        try:
            number = {node: i for i, node in enumerate(nodes)}
            edges = [[number.setdefault(node, len(number)) for node in pair] for pair in pairs]
        except TypeError as error:
            raise GraphError(f"not a node: {error}") from None
        return cls.from_edges(edges, len(number), list(number), spec, directed=directed)

    @classmethod
    def of(cls, given: Any, *, directed: bool | None = None) -> MoveGraph:
        """The graph that a caller means: of a library, in a file, or as plain data.

        Args:
            given: as for `hamiltonian_cycle`.
            directed: whether edges go one way, where `given` leaves that open.

        Raises:
            CavalcadeError: it is no graph, it could be two, or it says itself whether edges go one way.

        >>> MoveGraph.of([("Oslo", "Rome"), ("Rome", "Bonn"), ("Bonn", "Oslo")], directed=True)
        <MoveGraph 3 vertices, 3 arcs>
        """
        graph = board_or_graph(given, directed=directed)
        if not graph.plain:
            raise GraphError(f"{graph.title} is a board, expected a graph; of a board ask `tour`")
        return graph

    @classmethod
    def from_networkx(cls, graph: Any) -> MoveGraph:
        """The move graph of any networkx graph; its nodes, in their order, become the labels.

        Parallel edges count once, loops not at all; edges of a directed graph keep their direction.

        Raises:
            GraphError: the graph has no node.
        """
        return cls.from_pairs(graph.edges(), graph.nodes, directed=graph.is_directed())

    @classmethod
    def from_rustworkx(cls, graph: Any) -> MoveGraph:
        """The move graph of a rustworkx PyGraph or PyDiGraph; its node indices become the labels.

        What is said of edges, and of a graph without any, is as in `from_networkx`.
        """
        directed = hasattr(graph, "successors")
        return cls.from_pairs(graph.edge_list(), graph.node_indices(), directed=directed)

    @classmethod
    def from_igraph(cls, graph: Any) -> MoveGraph:
        """The move graph of an igraph graph; its vertex numbers, from 0, become the labels.

        What is said of edges, and of a graph without any, is as in `from_networkx`.
        """
        return cls.from_pairs(graph.get_edgelist(), range(graph.vcount()), directed=graph.is_directed())

    @classmethod
    def from_matrix(cls, matrix: Any, *, directed: bool | None = None) -> MoveGraph:
        """The move graph of a sparse adjacency matrix of SciPy; row numbers, from 0, become the labels.

        Every stored entry is an edge, except loops on the diagonal. If the stored entries are symmetric, the
        graph is undirected; otherwise an entry in row a and column b is an edge from a to b. `directed`
        overrides this.

        Raises:
            GraphError: the matrix is not square, or has no row.
        """
        directed = optional_boolean(directed, "directed")
        if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
            shape = "x".join(map(str, matrix.shape))
            raise GraphError(f"the sparse matrix is {shape}, expected as many rows as columns")
        n, entries = matrix.shape[0], matrix.tocoo()
        edges = np.stack([entries.row, entries.col], axis=1).astype(np.int64)
        if directed is None:
            codes, reverses = (distinct(edges @ np.array(code)) for code in ((n, 1), (1, n)))
            directed = not np.array_equal(codes, reverses)
        return cls.from_edges(edges, n, range(n), directed=directed)

    def to_networkx(self) -> nx.Graph:
        """The graph as a networkx graph, a `DiGraph` if it is directed.

        Its nodes are the labels, or 0 … n - 1 if there are none.

        Raises:
            MissingExtraError: networkx is not installed.
        """
        nx, nodes = optional("networkx", "networkx"), self.nodes
        graph = nx.DiGraph() if self.directed else nx.Graph()
        graph.add_nodes_from(nodes)
        graph.add_edges_from((nodes[a], nodes[b]) for a, b in self.pairs())
        return graph


def codes_of(edges: ArrayLike, size: int, *, both: bool = True) -> NDArray[np.int64]:
    """An integer code for each edge; if `both` is true, an edge and its reverse have the same code."""
    ends = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
    if both:
        ends = np.sort(ends, axis=1)
    return np.asarray(ends[:, 0] * size + ends[:, 1])


def is_path(text: str) -> bool:
    """Whether a text names a file, or standard input (`-`): specs have neither dots nor slashes."""
    return text == "-" or not {".", "/", os.sep}.isdisjoint(text)


# The attributes by which a graph of another library is recognized, and the function that reads it.
_KINDS = (
    (("is_directed", "nodes", "edges"), MoveGraph.from_networkx),
    (("node_indices", "edge_list"), MoveGraph.from_rustworkx),
    (("is_directed", "get_edgelist"), MoveGraph.from_igraph),
)


def board_or_graph(given: Any, *, directed: bool | None = None) -> Board | MoveGraph:
    """The board or graph that a caller means.

    Args:
        given: a board or a move graph; a spec, or the path of a file, with a dot or a slash in it; sides like
            (8, 8); a graph of networkx, rustworkx or igraph, a sparse matrix of SciPy; an array of the shape
            (m, 2), one row an edge between vertices that are numbered from 0; or plain data as in `data`.
        directed: whether the edges of a graph are directed, if the object does not express it.

    No library is imported to recognize its objects.

    Raises:
        CavalcadeError: the object is none of these, or `directed` contradicts it.
    """
    directed = optional_boolean(directed, "directed")
    place = _meant(given, directed)
    assert_directed(place, directed)
    return place


def assert_directed(place: Board | MoveGraph, directed: bool | None) -> None:  # noqa: FBT001 - of the caller
    """Check that a graph is directed or undirected as required; None requires nothing.

    Raises:
        GraphError: the graph differs, or it is a board.
    """
    if directed is False and not place.plain:
        return  # the moves of most pieces can be taken back
    if directed is not None and not (place.plain and place.directed is directed):
        kind = "a board" if not place.plain else "directed" if place.directed else "undirected"
        raise GraphError(f"{place.title} is {kind}: leave out --directed (directed= in Python)")


def _meant(given: Any, directed: bool | None) -> Board | MoveGraph:  # noqa: FBT001 - as above
    if isinstance(given, Board | MoveGraph):
        return given
    if isinstance(given, os.PathLike) or (isinstance(given, str) and is_path(given)):
        read: Board | MoveGraph = above("read_board")(given, directed=directed)
        return read
    if isinstance(given, str):
        return _by_name(spelled_out(given))
    given = list(given) if hasattr(given, "__next__") else given
    for words, reader in _KINDS:
        if all(hasattr(given, word) for word in words):
            return reader(given)
    if hasattr(given, "tocoo") and hasattr(given, "shape"):
        return MoveGraph.from_matrix(given, directed=directed)
    if isinstance(given, np.ndarray) and given.ndim == 2 and given.shape != (2, 2) and given.shape[1] <= 2:
        graph = MoveGraph.from_edges(given, directed=bool(directed))
        if (lost := np.setdiff1d(np.arange(graph.size), given)).size:
            why = "expected edges between 0, 1, 2, …, or a list of pairs, whose nodes are those that occur"
            raise GraphError(f"no edge of the array has the node {lost[0]}: {why}")
        return replace(graph, labels=tuple(range(graph.size)))
    if (data := edges_of(given, directed)) is not None:
        return MoveGraph.from_pairs(data.pairs, data.nodes, directed=data.directed)
    try:
        sides = tuple(operator.index(side) for side in given)
    except TypeError:
        expected = "expected a Board, a spec like '8x8', sides like (8, 8), a file, or a graph"
        raise BoardError(f"{str(given)[:60]!r} is not a board, {expected}") from None
    if not sides:
        raise BoardError(f"{given!r} is empty, expected the sides of a board or the edges of a graph")
    return Board.box(*sides)


def _by_name(text: str) -> Board | MoveGraph:
    """The graph of a name, or the board of a spec."""
    if (graph := named(text)) is None:
        return parse_board(text)
    edges, size, labels, directed = graph
    return MoveGraph.from_edges(edges, size, labels, text.strip().lower(), directed=directed)


def board_of(given: object, why: str = "") -> Board:
    """The board that a caller means, which is not a graph; see `board_or_graph`.

    Args:
        given: as for `board_or_graph`.
        why: what a board is needed for, at the end of the error's sentence: `to count in shards`.

    Raises:
        CavalcadeError: it is none.
    """
    place = board_or_graph(given)
    if place.plain:
        raise GraphError(f"{place.title} is a graph, expected a board{why and ' '}{why}")
    return place
