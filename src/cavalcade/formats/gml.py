"""GML files, `graph [ node [ id 0 label "a" ] … edge [ source 0 target 1 ] ]`, read and written by networkx.

The labels name the vertices if each has another one, else the identifiers do. `directed 1` says that edges go
one way. Loops are skipped (Himsolt, GML, 1997).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

from cavalcade.formats.header import graph_name
from cavalcade.formats.tables import weight_of_value, weights_in_order
from cavalcade.ground.errors import FormatError, optional
from cavalcade.question.graph import MoveGraph

FIRST = re.compile(r'(?:\s*(?:#[^\n]*\n|\w+[ \t]+(?:"[^"]*"|[^\s\[]+)\s*\n))*+\s*graph\s*\[')
EDGE = re.compile(r"\bedge\s*\[")
# What may precede the first element of an XML file: declarations, comments and a DOCTYPE.
PROLOGUE = r"(?:<\?[^>]*\?>|<!--.*?-->|<!DOCTYPE\b[^>\[]*(?:\[.*?\]\s*)?>|\s)*+"


def write(graph: MoveGraph) -> str:
    """The graph with its labels."""
    return "\n".join([*optional("networkx", "networkx").generate_gml(named(graph)), ""])


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """The graph in such a file."""
    return read(lambda nx: nx.parse_gml(text.split("\n"), label=None), len(EDGE.findall(text)), name)


def weights(text: str, graph: MoveGraph) -> list[Decimal] | None:
    """Return the weights of the edges of a graph, in the order of `graph.edges()`, or None."""
    return read_weights(lambda nx: nx.parse_gml(text.split("\n"), label=None), len(EDGE.findall(text)), graph)


def named(graph: MoveGraph) -> Any:
    """The graph for networkx, its nodes called as in files."""
    return replace(graph, labels=tuple(graph.names)).to_networkx()


def assert_without_entities(text: str) -> str:
    """Return the text of an XML file that declares no entities, which could expand to any size.

    Raises:
        FormatError: the DOCTYPE contains declarations.
    """
    if re.search(r"<!DOCTYPE\b[^>]*\[|<!ENTITY\b", text):
        raise FormatError("its DOCTYPE declares entities, which are not read: remove the part in brackets")
    return text


def read(reader: Callable[[Any], Any], edges: int, name: str) -> MoveGraph:
    """Read a graph with networkx; its vertices are named by their labels if these are distinct.

    Args:
        reader: a function that reads the text, from the module networkx.
        edges: the number of edges in the text.
        name: the name of the graph.

    Raises:
        FormatError: as `_by_networkx`.
    """
    graph = _by_networkx(reader, edges)
    labels = [str(label) for _, label in graph.nodes(data="label") if isinstance(label, str | int)]
    moves = replace(MoveGraph.from_networkx(graph), spec=graph_name(name))
    return replace(moves, labels=tuple(labels)) if len({*labels}) == moves.size else moves


def read_weights(reader: Callable[[Any], Any], edges: int, moves: MoveGraph) -> list[Decimal] | None:
    """Return the attribute `weight` of the edges of a graph, in the order of `moves.edges()`, or None.

    Args:
        reader: as for `read`.
        edges: as for `read`.
        moves: the graph that `read` returned.

    Raises:
        FormatError: as `_by_networkx`; or only some edges have a weight.
    """
    graph = _by_networkx(reader, edges)
    number = {node: i for i, node in enumerate(graph)}
    attributes = (
        (number[a], number[b], weight_of_value(value)) for a, b, value in graph.edges(data="weight")
    )
    return weights_in_order(moves, attributes)


def _by_networkx(reader: Callable[[Any], Any], edges: int) -> Any:
    """Read a graph with networkx.

    Raises:
        FormatError: networkx cannot read the text, or reads another number of edges.
    """
    networkx = optional("networkx", "networkx")
    try:
        graph = reader(networkx)
    except Exception as error:  # noqa: BLE001 - of networkx and the parsers below it, which name no base class
        why = " ".join(str(error).split())[:200] or type(error).__name__
        raise FormatError(f"networkx cannot read it: {why}") from None
    if graph.number_of_edges() != edges:
        raise FormatError(
            f"there are {edges:,} edges in it, of which networkx reads {graph.number_of_edges():,}"
        )
    return graph
