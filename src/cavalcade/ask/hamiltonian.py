"""Hamiltonian cycles and paths of any graph, in the nodes of the library that it comes from.

These functions are `tour` for graphs: they take nodes where `tour` takes names and numbers of cells, and
`required` and `forbidden` where it takes `with_` and `avoid`. The portfolio answers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any

from cavalcade.answers.verdict import Verdict
from cavalcade.ask.portfolio import tour
from cavalcade.ground.errors import CellError, GraphError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.words import validated

Edges = Iterable[tuple[Hashable, Hashable]]


@validated
def hamiltonian_cycle(
    graph: Any,
    *,
    directed: bool | None = None,
    required: Edges = (),
    forbidden: Edges = (),
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
) -> Verdict:
    """A checked Hamiltonian cycle of a graph, or a checked proof that there is none.

    Args:
        graph: a graph of networkx, rustworkx or igraph; a sparse matrix of SciPy; an array of the shape
            (m, 2), one row an edge; a list of pairs, a dict of neighbours, a square matrix of 0 and 1, or a
            frame of two columns; a `MoveGraph`; or the path of a file with one graph, with a dot or a slash
            in it.
        directed: whether edges go one way, where the graph leaves that open. By default they do not; a dict
            or a matrix of which that is not true is then refused.
        required: edges that the cycle must use, as pairs of nodes.
        forbidden: edges that it must not use.
        seed: of the random choices.
        time_limit: seconds, by default ten; see `tour`.
        memory: bytes, or text such as "4G"; by default what the machine has.

    Returns:
        `Found`, with the nodes in order as `verdict.tour.nodes`, each once; `Impossible`, with a `reason` and
        a `certificate`; or `Undecided`. Nodes are those of networkx; the node indices of rustworkx; the
        numbers from 0 of igraph, of a matrix, an array, a `MoveGraph` without labels and a graph6 file; the
        numbers from 1 of TSPLIB and DIMACS; and text in a list of edges. In a reason and a certificate each
        is named by `str`, or by `repr` where two of them look alike, as 1 and "1".

    Raises:
        CavalcadeError: no such graph, a graph without nodes, or an edge that it has not.

    Parallel edges count once and loops not at all. One node is a cycle by itself, and two joined by edges are
    none, unless these are directed, one each way. Edges of a directed graph are followed from tail to head.

    Time: 0.1 ms for ten nodes, and about what `tour` takes for a board with as many cells.

    Examples:
        >>> hamiltonian_cycle([("a", "b"), ("b", "c"), ("c", "a")]).tour.nodes
        ['a', 'b', 'c']
    """
    return _answer(graph, directed, required, forbidden, seed=seed, time_limit=time_limit, memory=memory)


@validated
def hamiltonian_path(
    graph: Any,
    *,
    start: Hashable | None = None,
    end: Hashable | None = None,
    directed: bool | None = None,
    required: Edges = (),
    forbidden: Edges = (),
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
) -> Verdict:
    """A checked Hamiltonian path of a graph, or a checked proof that there is none.

    Args:
        graph: as for `hamiltonian_cycle`.
        start: the node where the path begins; by default any.
        end: the node where it ends; by default any.
        directed: as for `hamiltonian_cycle`.
        required: edges that the path must use, as pairs of nodes.
        forbidden: edges that it must not use.
        seed: of the random choices.
        time_limit: seconds, by default ten.
        memory: bytes, or text such as "4G"; by default what the machine has.

    Returns:
        As `hamiltonian_cycle`.

    Raises:
        CavalcadeError: as `hamiltonian_cycle`; or a node that the graph has not, or ends that are one node.

    Examples:
        >>> hamiltonian_path({"a": ["b"], "b": ["a", "c"], "c": ["b"]}, start="c").tour.nodes
        ['c', 'b', 'a']
    """
    options = {"seed": seed, "time_limit": time_limit, "memory": memory}
    return _answer(graph, directed, required, forbidden, start, end, open=True, **options)


def _answer(
    given: Any,
    directed: bool | None,  # noqa: FBT001 - as above
    required: Edges,
    forbidden: Edges,
    start: Hashable | None = None,
    end: Hashable | None = None,
    **options: Any,
) -> Verdict:
    """The verdict of `tour` on a graph, for a question in its nodes."""
    graph = MoveGraph.of(given, directed=directed)
    if graph.labels is None:
        graph = replace(graph, labels=tuple(range(graph.size)))  # what errors and proofs call the vertices
    number: dict[Hashable, int] = {}
    if required or forbidden or start is not None or end is not None:
        number = {node: i for i, node in enumerate(graph.nodes)}

    def vertex(node: Hashable) -> int:
        """The number of a node."""
        try:
            return number[node]
        except (KeyError, TypeError):
            one = f"expected one like {graph.nodes[0]!r}"
            raise CellError(f"{str(node)[:60]!r} is not a node of {graph.title}, {one}") from None

    def pairs(edges: Edges, word: str) -> list[tuple[int | str, int | str]]:
        """The edges as pairs of numbers."""
        try:
            return [(vertex(a), vertex(b)) for a, b in edges]
        except (TypeError, ValueError) as error:
            if isinstance(error, CellError):
                raise
            raise GraphError(f"{word} is {str(edges)[:60]!r}, expected pairs of nodes") from None

    return tour(
        graph,
        start=None if start is None else vertex(start),
        end=None if end is None else vertex(end),
        with_=pairs(required, "required"),
        avoid=pairs(forbidden, "forbidden"),
        **options,
    )
