"""METIS files, `.metis`, `.graph`: `5 4`, the numbers of vertices and edges, then a line per vertex.

A line has the neighbours of its vertex, numbered from 1, so that each edge is there from either end; an empty
line is a vertex without neighbours. Lines that begin with `%` are comments. A third number on the first line
announces weights, which are skipped: digits for sizes of vertices, weights of vertices (as many as a fourth
number says), weights of edges (Karypis & Kumar, METIS, 4.1.1).
"""

from __future__ import annotations

import re
from collections import Counter

from cavalcade.formats.header import Look, TextLine, graph_name, numbered
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

NUMBERS = r"[ \t]*([0-9]{1,10})[ \t]+([0-9]{1,18})(?:[ \t]+([01]{1,3})(?:[ \t]+([0-9]{1,3}))?)?[ \t\r]*"
HEAD = re.compile(NUMBERS)
BEGINNING = re.compile(rf"(?:%[^\n]*\n)*{NUMBERS}\n")


def sniff(look: Look) -> bool:
    """Whether all of it is such a graph: nothing less tells it from a list of edges."""
    head, text = BEGINNING.match(look.text), look.text
    if (
        head is None
        or not text.rstrip().count("\n") - text.count("%") <= int(head[1]) <= text.count("\n") + 1
    ):
        return False
    try:
        parse_graph(text)
    except FormatError:
        return False
    return True


def write(graph: MoveGraph) -> str:
    """The graph, without its labels."""
    rows = (" ".join(map(str, (graph.neighbours(i) + 1).tolist())) for i in range(graph.size))
    return "\n".join([f"{graph.size} {graph.edge_count}", *rows, ""])


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """The graph in such a file; its labels are the numbers from 1."""
    lines = [line for line in numbered(text) if not line.text.startswith("%")]
    head = HEAD.fullmatch(lines[0].text) if lines else None
    if head is None:
        raise (lines[0] if lines else TextLine(1, "")).error("expected the numbers of vertices and edges")
    n, m = int(head[1]), int(head[2])
    sizes, weighted, weights = (digit == "1" for digit in (head[3] or "").zfill(3))
    skipped = sizes + (int(head[4] or 1) if weighted else 0)
    while len(lines) > n + 1 and not lines[-1].text.strip():
        lines.pop()
    if len(lines) != n + 1:
        raise FormatError(
            f"there are {len(lines) - 1:,} lines after the first, expected {n:,}, one per vertex"
        )
    edges: Counter[tuple[int, int]] = Counter()
    for vertex, line in enumerate(lines[1:]):
        words = line.text.split()
        if len(words) < skipped or (weights and (len(words) - skipped) % 2):
            raise line.error(f"{len(words)} numbers, expected those that {lines[0].text.strip()!r} announces")
        edges.update((vertex, neighbour) for neighbour in line.vertices(words[skipped :: 1 + weights], n))
        if edges[vertex, vertex]:
            raise line.error("a vertex is joined to itself")
    a, b = next(((a, b) for a, b in edges if edges[a, b] != 1 or edges[b, a] != 1), (0, 0))
    if (a, b) != (0, 0):
        raise lines[a + 1].error(f"{a + 1} has the neighbour {b + 1}, expected it once from either end")
    if len(edges) != 2 * m:
        raise lines[0].error(f"there are {len(edges) // 2:,} edges in it")
    return MoveGraph.from_edges(list(edges), n, range(1, n + 1), graph_name(name))
