"""GEXF files of Gephi, `<gexf …><graph><nodes><node id="a"/> …`, read and written by networkx.

The attribute `label` names a vertex if the labels differ, else its identifier does. `defaultedgetype` states
whether edges are directed (GEXF Working Group, 2009).
"""

from __future__ import annotations

import io
import re

from cavalcade.formats.gml import named, read
from cavalcade.ground.errors import optional
from cavalcade.question.graph import MoveGraph

FIRST = re.compile(r"\s*(?:<\?[^>]*\?>|<!--.*?-->|\s)*<(?:\w+:)?gexf\b", re.DOTALL)
EDGE = re.compile(r"<(?:\w+:)?edge\b")
META = re.compile(r"\s*<meta\b.*?</meta>", re.DOTALL)


def write(graph: MoveGraph) -> str:
    """Write the graph with its labels, without the date that networkx adds."""
    text = "\n".join(optional("networkx", "networkx").generate_gexf(named(graph)))
    return META.sub("", text) + "\n"


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """Read the graph."""
    return read(lambda nx: nx.read_gexf(io.BytesIO(text.encode())), len(EDGE.findall(text)), name)
