"""GraphML files, `<graphml …><graph edgedefault="undirected"><node id="a"/> …`, read and written by networkx.

The identifiers name the vertices, or a key `label` if each has another one. `edgedefault` says whether edges
go one way. Loops are skipped (Brandes, Eiglsperger, Lerner & Pich, GraphML, 2013).
"""

from __future__ import annotations

import re
from decimal import Decimal

from cavalcade.formats.gml import PROLOGUE, assert_without_entities, named, read, read_weights
from cavalcade.ground.errors import optional
from cavalcade.question.graph import MoveGraph

FIRST = re.compile(rf"{PROLOGUE}<(?:\w+:)?graphml\b", re.DOTALL)
EDGE = re.compile(r"<(?:\w+:)?(?:hyper)?edge\b")


def write(graph: MoveGraph) -> str:
    """The graph with its labels."""
    return "\n".join([*optional("networkx", "networkx").generate_graphml(named(graph)), ""])


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """The graph in such a file."""
    xml = assert_without_entities(text)
    return read(lambda nx: nx.parse_graphml(xml), len(EDGE.findall(xml)), name)


def weights(text: str, graph: MoveGraph) -> list[Decimal] | None:
    """Return the weights of the edges of a graph, in the order of `graph.edges()`, or None."""
    xml = assert_without_entities(text)
    return read_weights(lambda nx: nx.parse_graphml(xml), len(EDGE.findall(xml)), graph)
