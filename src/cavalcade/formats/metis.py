"""METIS files, `.metis`, `.graph`: `5 4`, the numbers of vertices and edges, then a line per vertex.

A line has the neighbours of its vertex, numbered from 1, so that each edge is there from either end; an empty
line is a vertex without neighbours. Lines that begin with `%` are comments. A third number on the first line
announces weights: digits for sizes of vertices and weights of vertices (as many as a fourth number says),
which are skipped, and for weights of edges (Karypis & Kumar, METIS, 4.1.1).
"""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal

from cavalcade.formats.header import Look, TextLine, graph_name, numbered
from cavalcade.formats.tables import weight_of_value, weights_in_order
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
    n, edges = _read(text)
    return MoveGraph.from_edges(list(edges), n, range(1, n + 1), graph_name(name))


def weights(text: str, graph: MoveGraph) -> list[Decimal] | None:
    """Return the weights of the edges of a graph, in the order of `graph.edges()`, or None.

    Raises:
        FormatError: the two ends of an edge disagree about its weight.
    """
    edges = _read(text)[1].items()
    return weights_in_order(graph, ((a, b, weight_of_value(weight)) for (a, b), weight in edges))


def _read(text: str) -> tuple[int, dict[tuple[int, int], str | None]]:
    """Return the number of vertices, and the weight of each edge from either end; None for none."""
    lines = [line for line in numbered(text) if not line.text.startswith("%")]
    head = HEAD.fullmatch(lines[0].text) if lines else None
    if head is None:
        raise (lines[0] if lines else TextLine(1, "")).error("expected the numbers of vertices and edges")
    n, m = int(head[1]), int(head[2])
    sizes, weighted, edges_weigh = (digit == "1" for digit in (head[3] or "").zfill(3))
    skipped = sizes + (int(head[4] or 1) if weighted else 0)
    while len(lines) > n + 1 and not lines[-1].text.strip():
        lines.pop()
    if len(lines) != n + 1:
        raise FormatError(
            f"there are {len(lines) - 1:,} lines after the first, expected {n:,}, one per vertex"
        )
    edges: dict[tuple[int, int], str | None] = {}
    for vertex, line in enumerate(lines[1:]):
        words = line.text.split()
        if len(words) < skipped or (edges_weigh and (len(words) - skipped) % 2):
            raise line.error(f"{len(words)} numbers, expected those that {lines[0].text.strip()!r} announces")
        heads = line.vertices(words[skipped :: 1 + edges_weigh], n)
        edges.update(
            zip(((vertex, head) for head in heads), _weights_of(words[skipped:], heads), strict=True)
        )
        if vertex in heads:
            raise line.error("a vertex is joined to itself")
        if repeated := [head for head, number in Counter(heads).items() if number > 1]:
            raise line.error(f"{vertex + 1} has the neighbour {repeated[0] + 1}, expected it once")
    if one_way := next(((a, b) for a, b in edges if (b, a) not in edges), None):
        a, b = one_way
        raise lines[a + 1].error(f"{a + 1} has the neighbour {b + 1}, expected it from either end")
    if len(edges) != 2 * m:
        raise lines[0].error(f"there are {len(edges) // 2:,} edges in it")
    return n, edges


def _weights_of(words: list[str], heads: list[int]) -> list[str | None]:
    """Return the weights between the neighbours of a vertex; None for each if the file has none."""
    return [*words[1::2]] if len(words) > len(heads) else [None] * len(heads)
