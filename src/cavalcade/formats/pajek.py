"""Pajek's networks, `.net`: `*Vertices 3`, `1 "Oslo"` per vertex, `*Edges` or `*Arcs`, `1 2` per edge.

Vertices are numbered from 1; one that is not listed, or has no label, is called by its number. `*Edgeslist`
and `*Arcslist` have a vertex and its neighbours per line, `*Matrix` a row of numbers per vertex, where all
but 0 are arcs. With arcs the graph is directed, and each edge goes both ways. A third number is the weight
of an edge. What draws a picture and lines that begin with `%` are skipped (Batagelj & Mrvar, Pajek reference
manual, 5.3).
"""

from __future__ import annotations

import re
from decimal import Decimal

from cavalcade.boards.board import MOST_CELLS
from cavalcade.formats.header import assert_writable, graph_name, numbered
from cavalcade.formats.tables import weight_of_value, weights_in_order
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

FIRST = re.compile(r"(?:\s*(?:%|\*network\b)[^\n]*\n)*+\s*\*vertices\b", re.IGNORECASE)
VERTICES = re.compile(r"\*vertices\s+([0-9]{1,10})(\s+[0-9]+)?\s*", re.IGNORECASE)
WORD = re.compile(r'"([^"]*)"|(\S+)')
NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]*([eE][-+]?[0-9]+)?")
Edge = tuple[int, int, str | None]  # two vertices, and the weight as text
SECTIONS = ("*edges", "*arcs", "*edgeslist", "*arcslist", "*matrix")


def write(graph: MoveGraph) -> str:
    """The graph with its labels.

    Raises:
        FormatError: a label has a '"' in it, or an end of a line.
    """
    assert_writable(
        graph,
        lambda name: '"' not in name and len(name.splitlines()) == 1,
        "for Pajek: it has a quote or an end of a line",
    )
    nodes = [f'{i} "{name}"' for i, name in enumerate(graph.names, 1)]
    ends = [f"{a + 1} {b + 1}" for a, b in graph.pairs()]
    head = "*Arcs" if graph.directed else "*Edges"
    return "\n".join([f"*Vertices {graph.size}", *nodes, head, *ends, ""])


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """The graph in such a file."""
    names, directed, edges = _read(text)
    pairs = [(a, b) for a, b, _ in edges]
    return MoveGraph.from_edges(pairs, len(names), names, graph_name(name), directed=directed)


def weights(text: str, graph: MoveGraph) -> list[Decimal] | None:
    """Return the weights of the edges of a graph, in the order of `graph.edges()`, or None.

    Raises:
        FormatError: as `tables.weights_in_order`.
    """
    return weights_in_order(graph, ((a, b, weight_of_value(weight)) for a, b, weight in _read(text)[2]))


def _read(text: str) -> tuple[list[str], bool, list[Edge]]:
    """Return the names of the vertices, whether edges go one way, and the edges with their weights."""
    n, section = 0, ""
    labels: dict[int, str] = {}
    pairs: dict[str, list[Edge]] = {}
    for line in numbered(text):
        if not line.text.strip() or line.text.lstrip().startswith("%"):
            continue
        words = [quoted or word for quoted, word in WORD.findall(line.text)]
        if line.text.lstrip().startswith("*"):
            section = words[0].lower()
            if match := VERTICES.fullmatch(line.text.strip()):
                if n or not 0 < int(match[1]) <= MOST_CELLS:
                    raise line.error("expected one number of vertices, at least 1")
                n = int(match[1])
            elif section != "*network" and (not n or section not in SECTIONS):
                raise line.error(f"expected *Vertices with their number, then {', '.join(SECTIONS)}")
            elif section in SECTIONS and words[1:] and not words[1].startswith(":"):
                raise line.error(f"expected nothing after {words[0]}, or the number of a relation such as :1")
            pairs.setdefault(section, [])
        elif section == "*vertices":
            (vertex,) = line.vertices(words[:1], n)
            if vertex in labels:
                raise line.error("this vertex is there twice")
            labels[vertex] = words[1] if len(words) > 1 else words[0]
        elif section == "*matrix":
            if len(words) != n or (row := len(pairs[section])) >= n:
                raise line.error(f"expected {n} rows of {n} numbers")
            pairs[section].append((row, 0, None))
            try:
                arcs_of_row = ((row, b, word) for b, word in enumerate(words) if float(word))
                pairs.setdefault("*arcs", []).extend(arcs_of_row)
            except ValueError:
                raise line.error(f"expected {n} rows of {n} numbers") from None
        elif section in SECTIONS:
            listed = section.endswith("list")
            tail, *heads = line.vertices(words if listed else words[:2], n)
            if tail in heads or not (heads or listed) or not (listed or _weighs(words[2:4])):
                raise line.error("expected two vertices, and perhaps a weight")
            weight = words[2] if len(words) > 2 and not listed else None
            pairs[section].extend((tail, head, weight) for head in heads)
        else:
            raise line.error("expected *Vertices with their number")
    if not n:
        raise FormatError("there are no vertices in it, expected *Vertices with their number")
    if 0 < len(pairs.get("*matrix", ())) < n:
        raise FormatError(f"the matrix has {len(pairs['*matrix'])} rows, expected {n}")
    if pairs.keys().isdisjoint(SECTIONS):
        raise FormatError(f"it ends after the vertices, expected {', '.join(SECTIONS)}")
    if 0 < len(labels) < n:
        raise FormatError(f"{len(labels):,} of {n:,} vertices are listed, expected all or none")
    edges, arcs = ([*pairs.get(key, ()), *pairs.get(f"{key}list", ())] for key in ("*edges", "*arcs"))
    directed = bool(arcs) or pairs.keys().isdisjoint({"*edges", "*edgeslist"})
    names = [labels.get(i, str(i + 1)) for i in range(n)]
    if len({*names}) < n:
        names = [str(i + 1) for i in range(n)]
    if directed:
        edges = [*edges, *((b, a, weight) for a, b, weight in edges), *arcs]
    return names, directed, edges


def _weighs(words: list[str]) -> bool:
    """Whether the words after two ends are none, a weight, or a weight and a word of drawing."""
    return all(map(NUMBER.fullmatch, words[:1])) and not any(map(NUMBER.fullmatch, words[1:]))
