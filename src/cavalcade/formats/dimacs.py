"""DIMACS files of undirected graphs, `.col`, `.edge`, `.dimacs`: `p edge 5 4`, then `e 1 2` for every edge.

The problem line gives the numbers of vertices and edges; `col` and `edges` may replace `edge`. Vertices are
numbered from 1. Lines that begin with c are comments; lines that begin with n, d, v
or x describe vertices and are skipped. Some files list each edge once from either end.
"""

from __future__ import annotations

import re

from cavalcade.formats.header import graph_name, numbered
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

PROBLEM = re.compile(r"p\s+(?:edges?|col)\s+([0-9]{1,10})\s+([0-9]{1,18})\s*")
FIRST = re.compile(r"\s*(?:c(?:[ \t][^\n]*)?\n\s*)*p\s+(?:edges?|col)(?:\s|$)")
PASSED_OVER = ("c", "n", "d", "v", "x")
EXPECTED = "problem line, like 'p edge 5 4'"


def write(graph: MoveGraph) -> str:
    """The graph, without its labels."""
    edges = "".join(f"e {a + 1} {b + 1}\n" for a, b in graph.pairs())
    return f"p edge {graph.size} {graph.edge_count}\n{edges}"


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """The graph in such a file; its labels are the numbers from 1."""
    n, count = 0, 0
    edges: list[list[int]] = []
    for line in numbered(text):
        kind, *ends = line.text.split() or PASSED_OVER[:1]
        if kind == "p":
            problem = PROBLEM.fullmatch(line.text.strip())
            if n or problem is None or not int(problem[1]):
                raise line.error(f"expected one {EXPECTED}")
            n, count = int(problem[1]), int(problem[2])
        elif kind not in PASSED_OVER:
            if kind != "e" or len(ends) != 2:
                raise line.error("expected an edge, like 'e 1 2'")
            if not n:
                raise line.error(f"expected a {EXPECTED} before it")
            edges.append(line.vertices(ends, n))
            if ends[0] == ends[1]:
                raise line.error("a vertex is joined to itself")
    if not n:
        raise FormatError(f"there is none, expected one {EXPECTED}")
    graph = MoveGraph.from_edges(edges, n, range(1, n + 1), graph_name(name))
    if len(edges) < count != 2 * graph.edge_count:
        raise FormatError(f"it has {len(edges):,} edges, its problem line says {count:,}")
    return graph
