"""The trivial graph format, `.tgf`: a node per line, `1 Oslo`, a line `#`, and an edge per line, `1 2`.

A node is its identifier and perhaps a label, an edge two identifiers and perhaps a label. If all labels of
edges are numbers, they are weights. The labels of nodes name the vertices if no two are equal, else the
identifiers do. The format leaves open whether edges go one way.
"""

from __future__ import annotations

import re
from decimal import Decimal

from cavalcade.formats.header import Look, TextLine, graph_name, numbered
from cavalcade.formats.tables import WEIGHT, weight_of_value, weights_in_order
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

MIDDLE = re.compile(r"^[ \t]*#[ \t\r]*$", re.MULTILINE)
COMMENT = re.compile(r"^\s*#", re.MULTILINE)


def sniff(look: Look) -> bool:
    """Whether one line is `#`, after lines that are no comments.

    Raises:
        FormatError: it could also be an empty comment in a list of edges.
    """
    if len(COMMENT.findall(look.text)) != 1 or not (middle := MIDDLE.search(look.text)):
        return False
    nodes, edges = (
        [line.split() for line in part.splitlines() if line.strip()]
        for part in (look.text[: middle.start()], look.text[middle.end() :])
    )
    ids = {words[0] for words in nodes}
    fits = (
        bool(edges)
        and len(ids) == len(nodes)
        and all(len(words) > 1 and ids.issuperset(words[:2]) for words in edges)
    )
    joins = all(len(words) > 1 and words[1] in ids - {words[0]} for words in nodes)
    if all(len(words) > 1 for words in nodes) and nodes and (joins or not fits):
        why = (
            "between nodes and edges, or a comment? expected --input-format tgf or edges (format= in Python)"
        )
        line = look.text.count("\n", 0, middle.end()) + 1
        raise FormatError(f"line {line}, '#': {why}")
    return bool(nodes)


def write(graph: MoveGraph) -> str:
    """The graph, its labels as identifiers; where one of them is several words, after numbers."""
    ids = nodes = graph.names
    if any(len(name.split()) != 1 or "#" in name for name in nodes):
        ids = [str(i) for i in range(1, graph.size + 1)]
        nodes = [f"{i} {' '.join(name.split())}" for i, name in zip(ids, nodes, strict=True)]
    return "\n".join([*nodes, "#", *(f"{ids[a]} {ids[b]}" for a, b in graph.pairs()), ""])


def parse_graph(text: str, name: str = "", *, directed: bool | None = None) -> MoveGraph:
    """The graph in such a file."""
    node_lines, edge_lines = _parts(text)
    labels: dict[str, str] = {}
    for line in node_lines:
        if line.words[0] in labels:
            raise line.error("this node is there twice")
        labels[line.words[0]] = " ".join(line.words[1:])
    nodes = labels if "" in labels.values() or len({*labels.values()}) < len(labels) else labels.values()
    number = {node: i for i, node in enumerate(labels)}
    edges = [_edge(line, number) for line in edge_lines]
    return MoveGraph.from_edges(edges, len(labels), list(nodes), graph_name(name), directed=bool(directed))


def weights(text: str, graph: MoveGraph) -> list[Decimal] | None:
    """Return the weights of the edges of a graph, in the order of `graph.edges()`; None without weights."""
    node_lines, edge_lines = _parts(text)
    number = {line.words[0]: i for i, line in enumerate(node_lines)}
    labels = [" ".join(line.words[2:]) for line in edge_lines]
    if not all(map(WEIGHT.fullmatch, labels)):
        return None
    pairs = [_edge(line, number) for line in edge_lines]
    rows = ((*pair, weight_of_value(label)) for pair, label in zip(pairs, labels, strict=True))
    return weights_in_order(graph, rows)


def _parts(text: str) -> tuple[list[TextLine], list[TextLine]]:
    """Split a text into the lines of nodes and of edges."""
    lines = [line._replace(words=line.text.split()) for line in numbered(text) if line.text.strip()]
    middle = next((i for i, line in enumerate(lines) if line.words == ["#"]), None)
    if middle is None:
        raise FormatError("there is no line '#' between nodes and edges")
    return lines[:middle], lines[middle + 1 :]


def _edge(line: TextLine, number: dict[str, int]) -> tuple[int, int]:
    if len(line.words) < 2 or not number.keys() >= {*line.words[:2]} or line.words[0] == line.words[1]:
        raise line.error("expected two nodes of the list above '#'")
    return number[line.words[0]], number[line.words[1]]
