"""Tours and verdicts as JSON: one object, the same for every engine.

    board, piece, kind    specs, and "closed" or "open"; piece is null on a plain graph
    status                "found", "impossible" or "undecided"
    cells                 the names in order; null if there is no tour
    coords                the same cells as integers: level, row from the top, column, from 0; axial q, r on
                          a hexagon; the number of the vertex on a plain graph
    method, seed, seconds the engine, its seed and its time
    effort                what was tried: engine, outcome and seconds of each
    fewest                only if few turns or crossings were asked for: `what`, `count`, `at_least`, and
                          the `certificate` that no tour has fewer than that, or null
    reason                only if there is no tour: why
    proof, sentences,     only if that is proved: one word for the kind of reason, the proof in words,
    certificate           and as `certificate` writes it

A tour by itself has the first three, cells and coords. `answers.certificate` describes certificates.

A graph is node-link data, as networkx and D3 have it: `directed`, `nodes` with an `id` each, and `edges` or
`links` with `source` and `target`. Also read are adjacency data of networkx, with the list `adjacency` of the
neighbours of each node, `{"id": …}`, in place of the edges; pairs of nodes, `[[0, 1], …]`; and neighbours,
`{"a": ["b", "c"], …}`.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from cavalcade.answers.certificate import Certificate
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Verdict
from cavalcade.boards import Board
from cavalcade.formats.header import Claim, Look, graph_name, graph_spec
from cavalcade.formats.letters import joined, of_numbers, of_texts, repeated
from cavalcade.ground.errors import FormatError
from cavalcade.question.data import edges_of
from cavalcade.question.graph import MoveGraph
from cavalcade.question.pieces import Piece
from cavalcade.question.question import Question

BLOCK = 2**16  # rows written at a time
NO_CELLS: dict[str, Any] = {"cells": None, "coords": None}


def write(tour: Tour | Certificate | MoveGraph) -> str:
    """The tour, the certificate or the graph as an object on one line."""
    if isinstance(tour, MoveGraph):
        names = tour.names
        edges = [{"source": names[a], "target": names[b]} for a, b in tour.pairs()]
        graph = {"directed": tour.directed, "multigraph": False, "graph": {}}
        graph |= {"nodes": [{"id": name} for name in names], "edges": edges}
        return json.dumps(graph, ensure_ascii=False) + "\n"
    if not isinstance(tour, Tour):
        return tour.to_json()
    return with_cells(about(tour.board, tour.piece, tour.kind) | NO_CELLS, tour)


def with_cells(found: dict[str, Any], tour: Tour) -> str:
    """An object on a line, as `json.dumps` writes it, with the cells of a tour in place of `NO_CELLS`.

    They are written in blocks: with a million of them `json.dumps` would take a second.
    """
    names, rows = [], []
    called = np.array([] if tour.board.plain else tour.board.names, dtype=bytes)
    for begin in range(0, len(tour), BLOCK):
        cells, at = tour.cells[begin : begin + BLOCK], tour.coords[begin : begin + BLOCK]
        space, comma, mark = (repeated(sign, len(cells)) for sign in ' ,"')
        if not tour.board.plain:
            names.append(joined([mark, of_texts(called[cells]), mark, comma, space]))
        columns = [repeated("[", len(cells))]
        for axis in at.T:
            columns += [of_numbers(axis), comma, space]
        rows.append(joined([*columns[:-2], repeated("]", len(cells)), comma, space]))
    said = "".join(names)[:-2]
    if tour.board.plain:  # a label may hold anything
        said = json.dumps(tour.names, ensure_ascii=False)[1:-1]
    before, _, after = json.dumps(found, ensure_ascii=False).partition(json.dumps(NO_CELLS)[1:-1])
    return f'{before}"cells": [{said}], "coords": [{"".join(rows)[:-2]}]{after}\n'


def verdict_text(verdict: Verdict, question: Question) -> str:
    """The verdict on a question as an object on one line."""
    if isinstance(verdict, Found):
        return with_cells(_said(verdict, question) | NO_CELLS, verdict.tour)
    return json.dumps(verdict_json(verdict, question), ensure_ascii=False) + "\n"


def verdict_json(verdict: Verdict, question: Question) -> dict[str, Any]:
    """The verdict on a question as an object."""
    cells = NO_CELLS
    if isinstance(verdict, Found):
        cells = {"cells": verdict.tour.names, "coords": verdict.tour.coords.tolist()}
    return _said(verdict, question) | cells


def _said(verdict: Verdict, question: Question) -> dict[str, Any]:
    """The same without cells."""
    found = about(question.board, question.piece, question.kind) | {"status": verdict.status} | NO_CELLS
    found |= {"method": verdict.method, "seed": verdict.seed, "seconds": verdict.seconds}
    found["effort"] = [asdict(one) for one in verdict.effort]
    if isinstance(verdict, Found) and (few := verdict.fewest) is not None:
        proof = few.certificate and few.certificate.to_dict()
        found["fewest"] = {
            "what": few.what,
            "count": few.count,
            "at_least": few.at_least,
            "certificate": proof,
        }
    if not isinstance(verdict, Found):
        found["reason"] = verdict.reason
    if isinstance(verdict, Impossible) and verdict.certificate is not None:
        from cavalcade.explaining.sentences import sentences

        proof = verdict.certificate
        found |= {"proof": proof.reason, "sentences": sentences(proof), "certificate": proof.to_dict()}
    return found


def about(board: Board | MoveGraph, piece: Piece | None, kind: str) -> dict[str, Any]:
    """What an object says first: the board, the piece and the kind of tours."""
    spec = graph_spec(board) if board.plain else board.spec
    return {"board": spec, "piece": piece and piece.spec_on(board), "kind": kind}


def sniff(look: Look) -> bool:
    """Whether it begins like JSON, and not like a list of labels."""
    return look.first.startswith(("{", "[")) and (not look.names or '"cells"' in look.text)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = (text.splitlines() or [""])[min(error.lineno, len(text.splitlines())) - 1]
        near = line[max(error.colno - 21, 0) : error.colno + 19]
        raise FormatError(f"line {error.lineno}, near {near!r}: not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise FormatError(f"not JSON: {error}") from None


def parse(text: str, claim: Claim) -> Tour:
    """The tour in an object that `write` wrote, or that `verdict_json` made."""
    found = _loaded(text)
    if not isinstance(found, dict):
        raise FormatError(f"the JSON is a {type(found).__name__}, expected an object with 'cells'")
    if "certificate" in found and "cells" not in found:
        raise FormatError("it is a certificate that there is no tour, expected a tour")
    if found.get("status", "found") != "found":
        raise FormatError(f"there is no tour in it, its status is {found['status']!r}")
    header = {key: found.get(key) for key in ("board", "piece", "kind")}
    for key, value in header.items():
        if value is not None and not isinstance(value, str):
            raise FormatError(f"{key!r} is {str(value)[:40]!r}, expected text")
    if header["kind"] not in {"closed", "open", None}:
        raise FormatError(f"'kind' is {header['kind']!r}, expected 'closed' or 'open'")
    names = found.get("cells")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FormatError("'cells' is not a list of names")
    tour = claim.filled(**header).tour_of_names(names)
    if "coords" in found and found["coords"] != tour.coords.tolist():
        raise FormatError("'coords' and 'cells' disagree")
    return tour


def parse_graph(text: str, name: str = "", *, directed: bool | None = None) -> MoveGraph:
    """The graph in node-link data, pairs, or neighbours."""
    found = _loaded(text)
    if isinstance(found, dict) and isinstance(nodes := found.get("nodes"), list):
        return _linked(found, nodes, graph_name(name), directed)
    if isinstance(found, dict) and all(isinstance(near, list) for near in found.values()):
        found = {head: [str(one) for one in near] for head, near in found.items()}  # keys are always text
    elif not isinstance(found, list) or not all(isinstance(pair, list) for pair in found):
        raise FormatError("it is JSON, as tours and certificates are, expected a board or a graph")
    data = edges_of(found, directed)
    if data is None:
        raise FormatError("there is no edge in it, expected pairs of nodes")
    return MoveGraph.from_pairs(data.pairs, data.nodes, graph_name(name), directed=data.directed)


def _linked(found: dict[str, Any], nodes: list[Any], spec: str, directed: bool | None) -> MoveGraph:  # noqa: FBT001 - as above
    links = found.get("edges", found.get("links"))
    if isinstance(lists := found.get("adjacency"), list) and links is None:
        links = _links(nodes, lists)
    itself = found.get("directed", directed)
    if not isinstance(links, list) or not isinstance(itself, bool | None):
        raise FormatError("expected 'edges', 'links' or 'adjacency', a list, and 'directed', true or false")
    ids = [_node(node.get("id", i) if isinstance(node, dict) else node) for i, node in enumerate(nodes)]
    try:
        pairs = [(_node(link["source"]), _node(link["target"])) for link in links]
        known = {*ids}
        if lost := [node for pair in pairs for node in pair if node not in known]:
            raise FormatError(f"{str(lost[0])[:40]!r} is an end of an edge, but not in 'nodes'")
    except (KeyError, TypeError):
        raise FormatError("an edge lacks an end, expected 'source' and 'target' for each") from None
    if len(known) < len(ids):
        raise FormatError("two nodes have the same 'id'")
    return MoveGraph.from_pairs(pairs, ids, spec, directed=bool(itself))


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
    """A node: networkx writes a tuple as a list."""
    return tuple(map(_node, value)) if isinstance(value, list) else value
