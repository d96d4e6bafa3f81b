"""GEXF files of Gephi, `<gexf …><graph><nodes><node id="a"/> …`, read and written by networkx.

The attribute `label` names a vertex if the labels differ, else its identifier does. `defaultedgetype` states
whether edges are directed (GEXF Working Group, 2009).
"""

from __future__ import annotations

import io
import re
from decimal import Decimal

from cavalcade.formats.gml import PROLOGUE, assert_without_entities, named, read, read_weights
from cavalcade.ground.errors import optional
from cavalcade.question.graph import MoveGraph

FIRST = re.compile(rf"{PROLOGUE}<(?:\w+:)?gexf\b", re.DOTALL)
EDGE = re.compile(r"<(?:\w+:)?edge\b")
META = re.compile(r"\s*<meta\b.*?</meta>", re.DOTALL)


def write(graph: MoveGraph) -> str:
    """Write the graph with its labels, without the date that networkx adds."""
    text = "\n".join(optional("networkx", "networkx").generate_gexf(named(graph)))
    return META.sub("", text) + "\n"


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """Read the graph."""
    xml = assert_without_entities(text)
    return read(lambda nx: nx.read_gexf(io.BytesIO(xml.encode())), len(EDGE.findall(xml)), name)


def weights(text: str, graph: MoveGraph) -> list[Decimal] | None:
    """Return the weights of the edges of a graph, in the order of `graph.edges()`, or None."""
    xml = assert_without_entities(text)
    return read_weights(lambda nx: nx.read_gexf(io.BytesIO(xml.encode())), len(EDGE.findall(xml)), graph)
