"""Tours and verdicts as JSON: one object, the same for every engine.

    board, piece, kind    specs, and "closed" or "open"; piece is null on a plain graph
    digest                only on a plain graph: 32 hexadecimal digits made from its labels and edges
    status                "found", "impossible" or "undecided"
    cells                 the names in order; null if there is no tour
    coords                the same cells as integers: level, row from the top, column, from 0; axial q, r on
                          a hexagon; the number of the vertex on a plain graph
    method, seed, seconds the engine, its seed and its time
    effort                the engine, outcome and seconds of each attempt
    fewest                only in answers about few turns or crossings: `what`, `count`, `at_least`, its
                          `verification`, and the `certificate` that no tour has fewer, or null
    reason                only if there is no tour: why
    proof, sentences,     only if that is proved: one word for the kind of reason, the proof in words,
    certificate           and the object that `certificate` writes

    labels, edges,        only in the tour of a graph that has no name such as `petersen`, and at most
    directed              `MAX_EDGES` edges: its labels, its edges as pairs of positions in `labels`, from 0,
                          and true if they are directed
    wrong_turn            only in answers of `continue`, and in walks with `warnsdorff --explain`: see
                          `ask.wrong_turn`

A tour by itself has board, piece, kind, cells and coords, and the fields of a graph. `answers.certificate`
describes certificates.

A graph is written as node-link data, the form of networkx and D3: `directed`, `nodes` with an `id` each, and
`edges` or `links` with `source` and `target`. Three other forms are read: adjacency data of networkx, which
has lists of neighbours `{"id": …}` in `adjacency`; pairs of nodes, `[[0, 1], …]`; and a dict of neighbours,
`{"a": ["b", "c"], …}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from cavalcade.answers.certificate import Certificate
from cavalcade.answers.objects import graph_of
from cavalcade.answers.tours import Tour, Tours
from cavalcade.answers.verdict import Found, Impossible, Verdict
from cavalcade.boards import Board
from cavalcade.formats.header import Claim, Look, graph_name, graph_spec
from cavalcade.formats.letters import BLOCK, joined, of_numbers, of_texts, repeated
from cavalcade.ground.errors import FormatError
from cavalcade.question.data import edges_of
from cavalcade.question.graph import MoveGraph
from cavalcade.question.pieces import Piece
from cavalcade.question.question import Question
from cavalcade.question.statement import graph_digest

MAX_EDGES = 10_000  # edges of a graph in the file of its tour: about 150 kB of text
NO_CELLS: dict[str, Any] = {"cells": None, "coords": None}


def write(tour: Tour | Certificate | MoveGraph) -> str:
    """Write the tour, the certificate or the graph as an object on one line."""
    if isinstance(tour, MoveGraph):
        names = tour.names
        edges = [{"source": names[a], "target": names[b]} for a, b in tour.pairs()]
        graph = {"directed": tour.directed, "multigraph": False, "graph": {}}
        graph |= {"nodes": [{"id": name} for name in names], "edges": edges}
        return json.dumps(graph, ensure_ascii=False) + "\n"
    if not isinstance(tour, Tour):
        return tour.to_json()
    return with_cells(about(tour.board, tour.piece, tour.kind) | NO_CELLS | _edges(tour.board), tour)


def write_rows(tours: Tours, number: int) -> str:
    """Write a part of a list of tours, one object per line; the objects do not repeat the edges of a graph.

    Args:
        tours: the tours of the part.
        number: the number of the first of them in the whole list, which JSON does not show.
    """
    del number
    fields = about(tours.board, tours.piece, "closed" if tours.closed else "open") | NO_CELLS
    return "".join(with_cells(fields, tour) for tour in tours)


def with_cells(fields: dict[str, Any], tour: Tour) -> str:
    """Write an object on one line, with the cells of a tour in place of `NO_CELLS`.

    The text is that of `json.dumps`, which would take a second for a million cells.
    """
    names, rows = [], []
    board_names = np.array([] if tour.board.plain else tour.board.names, dtype=bytes)
    for begin in range(0, len(tour), BLOCK):
        cells, coords = tour.cells[begin : begin + BLOCK], tour.coords[begin : begin + BLOCK]
        space, comma, quote = (repeated(sign, len(cells)) for sign in ' ,"')
        if not tour.board.plain:
            names.append(joined([quote, of_texts(board_names[cells]), quote, comma, space]))
        columns = [repeated("[", len(cells))]
        for axis in coords.T:
            columns += [of_numbers(axis), comma, space]
        rows.append(joined([*columns[:-2], repeated("]", len(cells)), comma, space]))
    listed = "".join(names)[:-2]
    if tour.board.plain:  # labels may contain any character, so json.dumps escapes them
        listed = json.dumps(tour.names, ensure_ascii=False)[1:-1]
    before, _, after = json.dumps(fields, ensure_ascii=False).partition(json.dumps(NO_CELLS)[1:-1])
    return f'{before}"cells": [{listed}], "coords": [{"".join(rows)[:-2]}]{after}\n'


def verdict_text(verdict: Verdict, question: Question, further: Mapping[str, Any] = {}) -> str:
    """Write the verdict on a question, with further fields, as an object on one line."""
    if isinstance(verdict, Found):
        return with_cells({**_fields(verdict, question), **further, **_edges(question.board)}, verdict.tour)
    return json.dumps({**verdict_json(verdict, question), **further}, ensure_ascii=False) + "\n"


def verdict_json(verdict: Verdict, question: Question) -> dict[str, Any]:
    """The verdict on a question as an object."""
    fields = _fields(verdict, question)
    if isinstance(verdict, Found):
        fields |= {"cells": verdict.tour.names, "coords": verdict.tour.coords.tolist()}
        fields |= _edges(question.board)
    return fields


def _fields(verdict: Verdict, question: Question) -> dict[str, Any]:
    """The fields of a verdict; the cells are null."""
    fields = about(question.board, question.piece, question.kind) | {"status": verdict.status} | NO_CELLS
    fields |= {"method": verdict.method, "seed": verdict.seed, "seconds": verdict.seconds}
    fields["effort"] = [asdict(attempt) for attempt in verdict.effort]
    if isinstance(verdict, Found) and (few := verdict.fewest) is not None:
        proof = few.certificate and few.certificate.to_dict()
        fields["fewest"] = {
            "what": few.what,
            "count": few.count,
            "at_least": few.at_least,
            "verification": few.verification,
            "certificate": proof,
        }
    if not isinstance(verdict, Found):
        fields["reason"] = verdict.reason
    if isinstance(verdict, Impossible) and verdict.certificate is not None:
        from cavalcade.explaining.sentences import sentences

        proof = verdict.certificate
        fields |= {"proof": proof.reason, "sentences": sentences(proof), "certificate": proof.to_dict()}
    return fields


def about(board: Board | MoveGraph, piece: Piece | None, kind: str) -> dict[str, Any]:
    """The first fields of every object: the board, the piece and the kind of tours; a graph's digest."""
    if not board.plain:
        return {"board": board.spec, "piece": piece and piece.spec_on(board), "kind": kind}
    return {"board": graph_spec(board), "piece": None, "kind": kind, "digest": graph_digest(board)}


def _edges(graph: Board | MoveGraph) -> dict[str, Any]:
    """The fields with the edges of a graph that has no name; none if they are many."""
    if not graph.plain or not graph_spec(graph).startswith("graph") or graph.edge_count > MAX_EDGES:
        return {}
    directed = {"directed": True} if graph.directed else {}
    return {"labels": graph.names, "edges": graph.edges().tolist()} | directed


def sniff(look: Look) -> bool:
    """Whether a text begins like JSON and is not a list of labels."""
    return look.first.startswith(("{", "[")) and (not look.names or '"cells"' in look.text)


def _loaded(text: str) -> Any:
    """Parse a JSON text.

    Raises:
        FormatError: the text is not JSON; the message quotes the place.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = (text.splitlines() or [""])[min(error.lineno, len(text.splitlines())) - 1]
        quote = line[max(error.colno - 21, 0) : error.colno + 19]
        raise FormatError(f"line {error.lineno}, near {quote!r}: not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise FormatError(f"not JSON: {error}") from None


def parse(text: str, claim: Claim) -> Tour:
    """Read the tour in an object of `write` or `verdict_json`."""
    fields = _loaded(text)
    if not isinstance(fields, dict):
        raise FormatError(f"the JSON is a {type(fields).__name__}, expected an object with 'cells'")
    if "certificate" in fields and "cells" not in fields:
        raise FormatError("it is a certificate that there is no tour, expected a tour")
    if fields.get("status", "found") != "found":
        raise FormatError(f"there is no tour in it, its status is {fields['status']!r}")
    header = {key: fields.get(key) for key in ("board", "piece", "kind", "digest")}
    for key, value in header.items():
        if value is not None and not isinstance(value, str):
            raise FormatError(f"{key!r} is {str(value)[:40]!r}, expected text")
    names = fields.get("cells")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FormatError("'cells' is not a list of names")
    if claim.board is None and "edges" in fields:
        claim = replace(
            claim, board=graph_of(fields, graph_name((header["board"] or "").removeprefix("graph:")))
        )
    tour = claim.filled(**header).tour_of_names(names)
    if "coords" in fields and fields["coords"] != tour.coords.tolist():
        raise FormatError("'coords' and 'cells' disagree")
    return tour


def parse_graph(text: str, name: str = "", *, directed: bool | None = None) -> MoveGraph:
    """Read a graph from node-link data, adjacency data, pairs of nodes, or a dict of neighbours."""
    graph = _loaded(text)
    if isinstance(graph, dict) and isinstance(nodes := graph.get("nodes"), list):
        return _linked(graph, nodes, graph_name(name), directed)
    if isinstance(graph, dict) and all(isinstance(neighbours, list) for neighbours in graph.values()):
        # JSON keys are always text, so the neighbours must be text, too.
        graph = {node: list(map(str, neighbours)) for node, neighbours in graph.items()}
    elif not isinstance(graph, list) or not all(isinstance(pair, list) for pair in graph):
        raise FormatError("it is JSON, as tours and certificates are, expected a board or a graph")
    data = edges_of(graph, directed)
    if data is None:
        raise FormatError("there is no edge in it, expected pairs of nodes")
    return MoveGraph.from_pairs(data.pairs, data.nodes, graph_name(name), directed=data.directed)


def _linked(data: dict[str, Any], nodes: list[Any], spec: str, directed: bool | None) -> MoveGraph:  # noqa: FBT001 - as above
    """Read a graph from node-link or adjacency data; `directed` is used if the data does not say it."""
    links = data.get("edges", data.get("links"))
    if isinstance(lists := data.get("adjacency"), list) and links is None:
        links = _links(nodes, lists)
    directed = data.get("directed", directed)
    if not isinstance(links, list) or not isinstance(directed, bool | None):
        raise FormatError("expected 'edges', 'links' or 'adjacency', a list, and 'directed', true or false")
    ids = [_node(node.get("id", i) if isinstance(node, dict) else node) for i, node in enumerate(nodes)]
    try:
        pairs = [(_node(link["source"]), _node(link["target"])) for link in links]
        distinct = {*ids}
        if missing := [node for pair in pairs for node in pair if node not in distinct]:
            raise FormatError(f"{str(missing[0])[:40]!r} is an end of an edge, but not in 'nodes'")
    except (KeyError, TypeError):
        raise FormatError("an edge lacks an end, expected 'source' and 'target' for each") from None
    if len(distinct) < len(ids):
        raise FormatError("two nodes have the same 'id'")
    return MoveGraph.from_pairs(pairs, ids, spec, directed=bool(directed))


def _links(nodes: list[Any], lists: list[Any]) -> list[Any]:
    """The edges of adjacency data: one list of neighbours, `{"id": …}`, per node."""
    try:
        return [
            {"source": node["id"], "target": neighbour["id"]}
            for node, neighbours in zip(nodes, lists, strict=True)
            for neighbour in neighbours
        ]
    except (KeyError, TypeError, ValueError):
        raise FormatError("'adjacency' needs a list of neighbours, each with an 'id', per node") from None


def _node(value: Any) -> Any:
    """A hashable node: networkx writes tuples as lists."""
    return tuple(map(_node, value)) if isinstance(value, list) else value
