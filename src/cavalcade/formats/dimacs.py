"""DIMACS files of undirected graphs, `.col`, `.edge`, `.dimacs`: `p edge 5 4`, then `e 1 2` for every edge.

The problem line gives the numbers of vertices and edges; `col` and `edges` may replace `edge`. Vertices are
numbered from 1. Lines that begin with c are comments; lines that begin with n, d, v
or x describe vertices and are skipped. Some files list each edge once from either end.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.formats.header import graph_name, line_error
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from cavalcade.formats.header import Look

PROBLEM = re.compile(r"p\s+(?:edges?|col)\s+([0-9]{1,10})\s+([0-9]{1,18})\s*")
EDGE = re.compile(r"e\s+([0-9]{1,10})\s+([0-9]{1,10})")
FIRST = re.compile(r"\s*(?:c(?:[ \t][^\n]*)?\n\s*)*p\s+(?:edges?|col)\s")
PASSED_OVER = ("c", "n", "d", "v", "x")


def sniff(look: Look) -> bool:
    """Whether the first line that is not a comment is a problem line."""
    return FIRST.match(look.text) is not None


def write(graph: MoveGraph) -> str:
    """The graph, without its labels."""
    edges = "".join(f"e {a} {b}\n" for a, b in (graph.edges() + 1).tolist())
    return f"p edge {graph.size} {graph.edge_count}\n{edges}"


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """The graph in such a file; its labels are the numbers from 1.

    Raises:
        FormatError: there is none in it; the message quotes the line that is wrong.
    """
    n, count = 0, 0
    edges: list[tuple[int, int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split()
        if not fields or fields[0] in PASSED_OVER:
            continue
        if fields[0] == "p":
            question = PROBLEM.fullmatch(line.strip())
            if n or question is None or not int(question[1]):
                raise line_error(number, line, "expected one problem line, like 'p edge 5 4'")
            n, count = int(question[1]), int(question[2])
        elif (edge := EDGE.fullmatch(line.strip())) is None:
            raise line_error(number, line, "expected an edge, like 'e 1 2'")
        else:
            a, b = int(edge[1]), int(edge[2])
            if not (1 <= a <= n and 1 <= b <= n):
                raise line_error(number, line, f"a number that is not a vertex, expected 1 to {n}")
            if a == b:
                raise line_error(number, line, "a vertex is joined to itself")
            edges.append((a - 1, b - 1))
    if not n:
        raise FormatError("there is no problem line in it, expected one like 'p edge 5 4'")
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    graph = MoveGraph.from_edges(ends, n, range(1, n + 1), graph_name(name))
    if len(edges) < count != 2 * graph.edge_count:
        raise FormatError(f"it has {len(edges):,} edges, its problem line says {count:,}")
    return graph
