"""Adjacency lists: a vertex and its neighbours per line, `a b c` as networkx writes them, or `a: b c`.

Labels are text. What follows `#` is a comment. In lines like `a b c` an edge needs to be there from one end
only. Of lines like `a: b c` each edge must be there from either end, unless `directed` is set. Lines like
`a b c` are recognized if each label begins one line, and the lines cannot be edges with weights.
"""

from __future__ import annotations

import re

from cavalcade.formats.header import Look, assert_writable, graph_name, numbered
from cavalcade.ground.errors import FormatError
from cavalcade.question.data import edges_of
from cavalcade.question.graph import MoveGraph

COLON = re.compile(r"\s*([^\s:#]+):((?:\s+[^\s:#]+)*)\s*")


def sniff(look: Look) -> bool:
    """Return whether the lines are lists of neighbours.

    With colons, a label and a colon must begin every line, and a neighbour must have a line. Without colons,
    every label must begin one line, and the lines must have different lengths or more than three words.
    """
    lines = [line for line in look.text.splitlines() if line.strip() and line.lstrip()[0] != "#"]
    if lines and all(map(COLON.fullmatch, lines)):
        labels, neighbours = zip(*(line.split(":", 1) for line in lines), strict=True)
        heads = {label.strip() for label in labels}
        return any(not heads.isdisjoint(row.split()) for row in neighbours)
    if look.names or any(sign in look.first for sign in ",;\t"):
        return False
    heads = set()
    for line in lines:  # a long list of edges soon repeats a label, or has only lines of two or three words
        head = line.split(maxsplit=1)[0]
        if head in heads:
            return False
        heads.add(head)
    rows = [line.split() for line in lines]
    widths = {len(row) for row in rows}
    if len(widths) < 2 or max(widths) < 3:
        return False
    return all(heads.issuperset(row) and len({*row}) == len(row) for row in rows)


def write(graph: MoveGraph) -> str:
    """The graph, each edge once.

    Raises:
        FormatError: a label has a space or a '#' in it.
    """
    names = graph.names
    assert_writable(graph, re.compile(r"[^\s#]*[^\s#:]").fullmatch, "here: it has a space, a '#' or a ':'")
    rows: list[list[str]] = [[name] for name in names]
    for a, b in graph.pairs():
        rows[a].append(names[b])
    return "".join(" ".join(row) + "\n" for row in rows)


def parse_graph(text: str, name: str = "", *, directed: bool | None = None) -> MoveGraph:
    """The graph in such a file."""
    lists: dict[str, list[str]] = {}
    colons = 0
    for line in numbered(text):
        head, *neighbours = line.text.partition("#")[0].split() or [""]
        if not head:
            continue
        colons += head.endswith(":")
        head = head.removesuffix(":")
        if head in lists or head in neighbours:
            raise line.error("expected each vertex once, and its neighbours")
        lists[head] = neighbours
    if colons not in {0, len(lists)}:
        raise FormatError("some lines have a colon after the vertex, expected all or none")
    data = edges_of(lists, directed if colons or directed else False)
    if not lists or data is None:
        raise FormatError("there is no vertex in it, expected one and its neighbours per line")
    return MoveGraph.from_pairs(data.pairs, data.nodes, graph_name(name), directed=data.directed)
