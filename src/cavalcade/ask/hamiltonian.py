"""Hamiltonian cycles and paths of any graph, as nodes of the library of the graph.

These functions are `tour` for graphs: they take nodes instead of names and numbers of cells, and `required`
and `forbidden` instead of `with_` and `avoid`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any

from cavalcade.answers.verdict import Verdict
from cavalcade.ask.portfolio import TurnCallback, tour
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
    progress: TurnCallback | None = None,
) -> Verdict:
    """Find a Hamiltonian cycle of a graph, or prove that there is none; check the answer.

    Args:
        graph: a graph of networkx, rustworkx or igraph; a sparse matrix of SciPy; an array of the shape
            (m, 2), one row an edge; a list of pairs, a dict of neighbours, a square matrix of 0 and 1, or a
            frame of two columns; a `MoveGraph`; or the path of a file with one graph, with a dot or a slash
            in it.
        directed: whether edges go one way, if the type of the graph does not say so. By default they do not,
            and an asymmetric dict or matrix is refused.
        required: edges that the cycle must use, as pairs of nodes.
        forbidden: edges that the cycle must not use, as pairs of nodes.
        seed: seed of the random choices.
        time_limit: seconds, by default ten; see `tour`.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        progress: called with an `Effort` after every run of an engine.

    Returns:
        `Found`, with the nodes in order as `verdict.tour.nodes`, each once; `Impossible`, with a `reason` and
        a `certificate`; or `Undecided`. The nodes are the nodes of networkx; the node indices of rustworkx;
        numbers from 0 for igraph, a matrix, an array, a `MoveGraph` without labels and a graph6 file; numbers
        from 1 for TSPLIB and DIMACS; and text for a list of edges. A reason or a certificate names a node by
        `str`, or by `repr` if two names would be equal, as of 1 and "1".

    Raises:
        CavalcadeError: not a graph, a graph without nodes, or an edge that the graph does not have.

    Parallel edges count once, and loops are ignored. One node is a cycle by itself. Two nodes are a cycle
    only if directed edges join them in both directions. Edges of a directed graph lead from tail to head.

    Time: 0.1 ms for ten nodes; otherwise the time of `tour` for a board of this size.

    Examples:
        >>> hamiltonian_cycle([("a", "b"), ("b", "c"), ("c", "a")]).tour.nodes
        ['a', 'b', 'c']
    """
    options = {"seed": seed, "time_limit": time_limit, "memory": memory, "progress": progress}
    return _answer(graph, directed, required, forbidden, **options)


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
    progress: TurnCallback | None = None,
) -> Verdict:
    """Find a Hamiltonian path of a graph, or prove that there is none; check the answer.

    Args:
        graph: a graph, as for `hamiltonian_cycle`.
        start: first node of the path; by default any.
        end: last node of the path; by default any.
        directed: whether edges go one way, as for `hamiltonian_cycle`.
        required: edges that the path must use, as pairs of nodes.
        forbidden: edges that the path must not use, as pairs of nodes.
        seed: seed of the random choices.
        time_limit: seconds, by default ten.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        progress: called with an `Effort` after every run of an engine.

    Returns:
        A verdict, as `hamiltonian_cycle`.

    Raises:
        CavalcadeError: as `hamiltonian_cycle`; or an end is not a node, or both ends are the same node.

    Examples:
        >>> hamiltonian_path({"a": ["b"], "b": ["a", "c"], "c": ["b"]}, start="c").tour.nodes
        ['c', 'b', 'a']
    """
    options = {"seed": seed, "time_limit": time_limit, "memory": memory, "progress": progress}
    return _answer(graph, directed, required, forbidden, start, end, open=True, **options)


def _answer(
    source: Any,
    directed: bool | None,  # noqa: FBT001 - as above
    required: Edges,
    forbidden: Edges,
    start: Hashable | None = None,
    end: Hashable | None = None,
    **options: Any,
) -> Verdict:
    """Return the verdict of `tour` on a graph, for constraints given as nodes."""
    graph = MoveGraph.of(source, directed=directed)
    if graph.labels is None:
        graph = replace(graph, labels=tuple(range(graph.size)))  # names of the vertices in errors and proofs
    number: dict[Hashable, int] = {}
    if required or forbidden or start is not None or end is not None:
        number = {node: i for i, node in enumerate(graph.nodes)}

    def vertex(node: Hashable) -> int:
        """Return the number of a node."""
        try:
            return number[node]
        except (KeyError, TypeError):
            expected = f"expected one like {graph.nodes[0]!r}"
            raise CellError(f"{str(node)[:60]!r} is not a node of {graph.title}, {expected}") from None

    def pairs(edges: Edges, word: str) -> list[tuple[int | str, int | str]]:
        """Return edges as pairs of numbers."""
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
