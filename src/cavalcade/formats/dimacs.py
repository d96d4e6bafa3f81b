"""DIMACS files of graphs: `.col`, `.edge`, `.dimacs`, undirected; `.gr`, arcs with weights.

The first kind begins with `p edge 5 4`, and has `e 1 2` for every edge. The second, of the challenge on
shortest paths, begins with `p sp 5 8`, and has `a 1 2 7` for every arc: tail, head and weight. It is an
undirected graph if each arc also occurs in the other direction with the same weight.

The problem line gives the numbers of vertices and edges; `col` and `edges` may replace `edge`. A third number
of an edge is its weight. Vertices are numbered from 1. Lines that begin with c are comments; lines that begin
with n, d, v or x describe vertices and are skipped. Some files list each edge once from either end.
"""

from __future__ import annotations

import re
from decimal import Decimal

from cavalcade.formats.header import graph_name, numbered
from cavalcade.formats.tables import weight_of_value, weights_in_order
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

PROBLEM = re.compile(r"p\s+(edges?|col|sp)\s+([0-9]{1,10})\s+([0-9]{1,18})\s*")
FIRST = re.compile(r"\s*(?:c(?:[ \t][^\n]*)?\n\s*)*+p\s+(?:edges?|col|sp)(?:\s|$)")
WHOLE = re.compile(r"-?[0-9]{1,18}")
PASSED_OVER = ("c", "n", "d", "v", "x")
EXPECTED = "problem line, like 'p edge 5 4'"


def write(graph: MoveGraph) -> str:
    """The graph, without its labels."""
    edges = "".join(f"e {a + 1} {b + 1}\n" for a, b in graph.pairs())
    return f"p edge {graph.size} {graph.edge_count}\n{edges}"


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """Read a graph; its labels are the numbers from 1."""
    arcs, n, edges = _edges(text)
    pairs = [(a, b) for a, b, _ in edges]
    distinct = {*edges}
    directed = arcs and any((b, a, weight) not in distinct for a, b, weight in edges)
    return MoveGraph.from_edges(pairs, n, range(1, n + 1), graph_name(name), directed=directed)


def weights(text: str, graph: MoveGraph) -> list[Decimal] | None:
    """Return the weights of the edges of a graph, in the order of `graph.edges()`; None without weights."""
    rows = ((a, b, weight_of_value(weight)) for a, b, weight in _edges(text)[2])
    return weights_in_order(graph, rows)


def _edges(text: str) -> tuple[bool, int, list[tuple[int, int, int | None]]]:
    """Return whether the edges are arcs with weights, the number of vertices, and the edges.

    Raises:
        FormatError: a line is damaged, or the number of edges is not that of the problem line.
    """
    kind, n, count = "", 0, 0
    edges: list[tuple[int, int, int | None]] = []
    for line in numbered(text):
        sign, *ends = line.text.split() or PASSED_OVER[:1]
        if sign == "p":
            problem = PROBLEM.fullmatch(line.text.strip())
            if n or problem is None or not int(problem[2]):
                raise line.error(f"expected one {EXPECTED}")
            kind, n, count = problem[1], int(problem[2]), int(problem[3])
        elif sign not in PASSED_OVER:
            arc = kind == "sp"
            whole = len(ends) == 3 and WHOLE.fullmatch(ends[2])
            if not n and sign in {"a", "e"}:
                raise line.error(f"expected a {EXPECTED} before it")
            if sign != ("a" if arc else "e") or not (whole or (not arc and len(ends) == 2)):
                raise line.error(
                    f"expected an {'arc, like' if arc else 'edge, like'} {'a 1 2 7' if arc else 'e 1 2'!r}"
                )
            a, b = line.vertices(ends[:2], n)
            edges.append((a, b, int(ends[2]) if whole else None))
            if a == b and not arc:
                raise line.error("a vertex is joined to itself")
    if not n:
        raise FormatError(f"there is none, expected one {EXPECTED}")
    distinct = {(min(a, b), max(a, b)) for a, b, _ in edges}
    if len(edges) < count and (kind == "sp" or count != 2 * len(distinct)):
        raise FormatError(f"it has {len(edges):,} edges, its problem line says {count:,}")
    return kind == "sp", n, [edge for edge in edges if edge[0] != edge[1]]
