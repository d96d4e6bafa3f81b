"""Move graphs: which cells are a move apart. Engines see nothing else.

n is the number of vertices, m of edges. The neighbours of vertex i are
`indices[indptr[i]:indptr[i + 1]]`, in the order in which the piece tries its moves.
"""

from __future__ import annotations

import operator
import os
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.errors import BoardError, CellError, GraphError, TooLargeError
from cavalcade.memory import assert_room
from cavalcade.pieces import piece_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from cavalcade.pieces import PieceLike


class NetworkxGraph(Protocol):
    """What is asked of a networkx graph, which need not be installed."""

    @property
    def nodes(self) -> Iterable[Hashable]:
        """Its vertices."""

    @property
    def edges(self) -> Iterable[tuple[Hashable, Hashable]]:
        """Its edges."""

    def is_directed(self) -> bool:
        """Whether they have directions."""


BoardLike: TypeAlias = "Board | str | os.PathLike[str] | Sequence[int]"  # a board, its spec, a path, sides
Place: TypeAlias = "BoardLike | MoveGraph | NetworkxGraph"


@dataclass(frozen=True, eq=False, repr=False)
class MoveGraph:
    """A simple graph in compressed rows.

    Args:
        indptr: n + 1 row starts, int32, read-only here.
        indices: the neighbours, int32, read-only here: 2m, every edge from either end; of a directed graph m,
            the heads of the edges that leave each vertex.
        labels: the vertices' names, for a graph that never was a board; None for 1, 2, …, n.
        spec: what it is called.
        directed: whether an edge goes one way only.

    A plain graph can stand for a board: it has `size`, `name`, `names`, `cell` and `spec` like a board.
    """

    indptr: NDArray[np.int32]
    indices: NDArray[np.int32]
    labels: tuple[Hashable, ...] | None = None
    spec: str = "graph"
    directed: bool = False

    def __post_init__(self) -> None:
        for name in ("indptr", "indices"):
            view = getattr(self, name).view()  # the caller's own array stays as it is
            view.setflags(write=False)
            object.__setattr__(self, name, view)

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
            GraphError: the graph is directed, which `what` does not know.
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
        tails = np.repeat(np.arange(self.size, dtype=np.int32), self.degrees)
        once = tails < (self.size if self.directed else self.indices)
        return np.stack([tails[once], self.indices[once]], axis=1)

    # ---- standing for a board

    @cached_property
    def names(self) -> list[str]:
        """The names of all vertices; of labels that look alike, as 1 and "1", the names are 1 and '1'."""
        labels = self.labels or range(1, self.size + 1)
        names = [str(label) for label in labels]
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

        Neighbours are in ascending order; an edge given twice counts once.

        Raises:
            GraphError: an edge is a loop, or an end lies outside 0 … size - 1.
        """
        pairs = np.asarray(edges if isinstance(edges, np.ndarray) else list(edges), dtype=np.int64)  # type: ignore[arg-type]
        if pairs.size and (pairs.ndim != 2 or pairs.shape[1] != 2):
            raise GraphError(f"an array of shape {pairs.shape} holds no edges, expected pairs of vertices")
        pairs = pairs.reshape(-1, 2)
        n = int(pairs.max(initial=-1)) + 1 if size is None else size
        if pairs.size and (pairs.min() < 0 or pairs.max() >= n):
            bad = pairs[((pairs < 0) | (pairs >= n)).any(axis=1)][0].tolist()
            raise GraphError(f"edge {tuple(bad)} has an end outside 0 to {n - 1}")
        if (loops := pairs[pairs[:, 0] == pairs[:, 1]]).size:
            raise GraphError(f"edge {tuple(loops[0].tolist())} is a loop, expected two different vertices")
        both = np.unique(pairs if directed else np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
        indptr = np.zeros(n + 1, dtype=np.int32)
        np.cumsum(np.bincount(both[:, 0], minlength=n), out=indptr[1:])
        names = None if labels is None else tuple(labels)
        return cls(indptr, both[:, 1].astype(np.int32), names, spec, directed)

    @classmethod
    def from_networkx(cls, graph: Any) -> MoveGraph:  # noqa: ANN401 - networkx is an optional library
        """The move graph of a networkx graph; its nodes, in their order, become the labels.

        Raises:
            GraphError: the graph is directed, has a loop, or no node.
        """
        if not len(graph):
            raise GraphError("the networkx graph has no node, expected at least one")
        if graph.is_directed():
            raise GraphError("the networkx graph is directed, expected an undirected one")
        nodes = list(graph.nodes)
        number = {node: i for i, node in enumerate(nodes)}
        return cls.from_edges([(number[a], number[b]) for a, b in graph.edges()], len(nodes), nodes)

    def to_networkx(self) -> Any:  # noqa: ANN401 - networkx is an optional library
        """The same as a networkx graph, a `DiGraph` if it is directed.

        Its nodes are the labels, or 0 … n - 1 where there are none.

        Raises:
            MissingExtraError: networkx is not installed.
        """
        try:
            import networkx as nx
        except ImportError:
            from cavalcade.errors import MissingExtraError

            raise MissingExtraError("networkx", "networkx") from None
        nodes = self.labels or range(self.size)
        graph = nx.DiGraph() if self.directed else nx.Graph()
        graph.add_nodes_from(nodes)
        graph.add_edges_from((nodes[a], nodes[b]) for a, b in self.edges().tolist())
        return graph


def is_path(text: str) -> bool:
    """Whether a text names a file: specs have neither dots nor slashes."""
    return not {".", "/", os.sep}.isdisjoint(text)


def place_of(given: Any) -> Board | MoveGraph:  # noqa: ANN401 - whatever a caller passes
    """The board or graph that a caller means.

    Args:
        given: a board or a move graph; a spec, or the path of a file, with a dot or a slash in it; sides like
            (8, 8); or a networkx graph.

    Raises:
        CavalcadeError: it is none of these.
    """
    if isinstance(given, Board | MoveGraph):
        return given
    if isinstance(given, os.PathLike) or (isinstance(given, str) and is_path(given)):
        from cavalcade.formats import read_board

        return read_board(given)
    if isinstance(given, str):
        return parse_board(given)
    if callable(getattr(given, "is_directed", None)) and hasattr(given, "nodes"):
        return MoveGraph.from_networkx(given)
    try:
        sides = tuple(operator.index(side) for side in given)
    except TypeError:
        expected = "expected a Board, a spec like '8x8', sides like (8, 8), a file or a graph"
        raise BoardError(f"{str(given)[:60]!r} is not a board, {expected}") from None
    return Board.box(*sides)


def board_of(given: object) -> Board:
    """The board that a caller means, which is not a graph; see `place_of`.

    Raises:
        CavalcadeError: it is none.
    """
    place = place_of(given)
    if isinstance(place, MoveGraph):
        raise GraphError(f"{place.title} is a graph, expected a board")
    return place


def move_graph(board: BoardLike, piece: PieceLike | None = None) -> MoveGraph:
    """The move graph of a piece on a board: one vertex a cell, one edge a move and its way back.

    Two cells are joined at most once and none to itself, also where a surface wraps twice around.
    Vectorised over the cells: 1000x1000 takes about 0.2 s and 200 bytes a cell while it is built.

    Args:
        board: a board or its spec.
        piece: a piece or its spec; by default the knight.

    Raises:
        CavalcadeError: a spec that means nothing, or a piece whose moves do not fit the board.
        TooLargeError: the graph would not fit into this machine's memory.
    """
    board, piece = board_of(board), piece_of(piece)
    vectors = piece.vectors(board)
    needed = board.size * (16 + 12 * board.dimensions + 10 * len(vectors))
    assert_room(needed, f"the move graph of {board.title}, {board.size:,} cells,")
    n = board.size
    targets = np.empty((n, len(vectors)), dtype=np.int32)
    for k, cells in enumerate(board.reached(vectors)):
        if board.family.wraps:
            again = cells == np.arange(n, dtype=np.int32)
            for j in range(k):
                again |= targets[:, j] == cells
            cells = np.where(again, np.int32(-1), cells)  # noqa: PLW2901 - the same, without what is there
        targets[:, k] = cells
    there = targets >= 0
    if np.count_nonzero(there) >= 2**31:
        raise TooLargeError(f"{board.title} has {board.size:,} cells: too many moves to number")
    indptr = np.zeros(n + 1, dtype=np.int32)
    np.cumsum(np.count_nonzero(there, axis=1), out=indptr[1:])
    return MoveGraph(indptr, targets[there])


LABELS = ("names", "i_j")


def links(board: Place, *, piece: PieceLike | None = None, labels: str = "names") -> MoveGraph:
    """The move graph with labels, for files that other programs read: the paper of 2020 calls edges links.

    Args:
        board: a board, its spec, or a move graph, which keeps the labels that it has.
        piece: a piece or its spec; by default the knight.
        labels: `names`, the cells' names, or `i_j`, the paper's places: row from the top, column and layer,
            from 1; on a hexagon r and q, from 0.

    Raises:
        CavalcadeError: a spec that means nothing, a piece that does not fit the board, or other labels.
    """
    if labels not in LABELS:
        raise GraphError(f"unknown labels {labels!r}, expected one of {', '.join(LABELS)}")
    if isinstance(board, MoveGraph):
        return board
    place = board_of(board)
    graph = move_graph(place, piece)
    if labels == "names":
        words = place.names
    else:
        at = place.coords + place.family.origin + (0 if place.family.hexagonal else 1)
        words = ["_".join(map(str, one)) for one in (at[:, ::-1] if place.family.hexagonal else at).tolist()]
    return MoveGraph(graph.indptr, graph.indices, tuple(words), f"graph:{place.spec}")
