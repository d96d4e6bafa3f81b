"""Tours and verdicts as JSON: one object, the same for every engine.

`cavalcade schema tour` lists the fields of a verdict, from the classes of `cli.schemas`. A tour by itself has
board, piece, kind, status, cells and coords, and the fields of a graph. `answers.certificate` describes
certificates.

A graph is written as node-link data, the form of networkx and D3: `directed`, `nodes` with an `id` each, and
`edges` or `links` with `source` and `target`; `from` and `to`, and lists of both, are read, too. Other forms
are read: adjacency data of networkx, which has lists of neighbours `{"id": …}` in `adjacency`; data of
Cytoscape, which has `elements` with `nodes` and `edges`, each with `data`; records of a table,
`[{"from": "a", "to": "b", "weight": 3}, …]`; pairs of nodes, `[[0, 1], …]`, or triples with a weight; a
square matrix; and a dict of neighbours, `{"a": ["b", "c"], …}` or `{"a": {"b": 3}, …}`. All but pairs and
lists of neighbours have weights if each edge has a `weight`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from cavalcade.answers.certificate import Certificate
from cavalcade.answers.objects import graph_of
from cavalcade.answers.status import AnswerStatus
from cavalcade.answers.tours import Tour, Tours
from cavalcade.answers.verdict import Found, Impossible, Verdict
from cavalcade.boards import Board
from cavalcade.formats.csv import cells_at, spanned
from cavalcade.formats.header import ZERO, Claim, Look, graph_name, graph_spec, stated_kind
from cavalcade.formats.letters import BLOCK, joined, naming, numbers_in, of_numbers, repeated
from cavalcade.formats.tables import Columns, weight_of_value, weights_in_order
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.data import edges_of
from cavalcade.question.graph import MoveGraph
from cavalcade.question.pieces import Piece
from cavalcade.question.question import Question
from cavalcade.question.statement import graph_digest

NO_CELLS: dict[str, Any] = {"cells": None, "coords": None}
CELLS, COORDS = '"cells": [', '], "coords": ['  # before the items of both lists


def write(tour: Tour | Certificate | MoveGraph) -> str:
    """Write the tour, the certificate or the graph as an object on one line."""
    if isinstance(tour, MoveGraph):
        names = tour.names
        edges = [{"source": names[a], "target": names[b]} for a, b in tour.pairs()]
        graph = {"directed": tour.directed, "multigraph": False, "graph": {}}
        graph |= {"nodes": [{"id": name} for name in names], "edges": edges, "status": AnswerStatus.COMPLETE}
        return json.dumps(graph, ensure_ascii=False) + "\n"
    if not isinstance(tour, Tour):
        return tour.to_json()
    kind = stated_kind(tour)
    fields = about(tour.board, tour.piece, kind, _status(kind)) | NO_CELLS | _edges(tour.board)
    return with_cells(fields, tour)


def write_rows(tours: Tours, number: int) -> str:
    """Write a part of a list of tours, one object per line; the objects do not repeat the edges of a graph.

    Args:
        tours: the tours of the part.
        number: the number of the first of them in the whole list, which JSON does not show.
    """
    del number
    kind = stated_kind(next(iter(tours)))
    fields = about(tours.board, tours.piece, kind, _status(kind)) | NO_CELLS
    return "".join(with_cells(fields, tour) for tour in tours)


def _status(kind: str) -> AnswerStatus:
    """Return the status of a tour or a walk of a kind."""
    return AnswerStatus.PARTIAL if "walk" in kind else AnswerStatus.FOUND


def with_cells(fields: dict[str, Any], tour: Tour) -> str:
    """Write an object on one line, with the cells of a tour in place of `NO_CELLS`."""
    names, rows = _lists(tour)
    before, _, after = json.dumps(fields, ensure_ascii=False).partition(json.dumps(NO_CELLS)[1:-1])
    return f"{before}{CELLS}{names}{COORDS}{rows}]{after}\n"


def _lists(tour: Tour) -> tuple[str, str]:
    """Return the items of the lists of names and of coordinates.

    The text is that of `json.dumps`, which would take a second for a million cells.
    """
    names, rows, board_coords = [], [], tour.board.coords
    letters = None if tour.board.plain else naming(tour.board)
    for begin in range(0, len(tour), BLOCK):
        cells = tour.cells[begin : begin + BLOCK]
        space, comma, quote = (repeated(sign, len(cells)) for sign in ' ,"')
        if letters:
            names.append(joined([quote, letters(cells), quote, comma, space]))
        columns = [repeated("[", len(cells))]
        for axis in board_coords[cells].T:
            columns += [of_numbers(axis), comma, space]
        rows.append(joined([*columns[:-2], repeated("]", len(cells)), comma, space]))
    # labels of graphs may contain any character, so json.dumps escapes them
    listed = "".join(names)[:-2] if letters else json.dumps(tour.names, ensure_ascii=False)[1:-1]
    return listed, "".join(rows)[:-2]


def verdict_text(verdict: Verdict, question: Question, further: Mapping[str, Any] = {}) -> str:
    """Write the verdict on a question, with further fields, as an object on one line."""
    if isinstance(verdict, Found):
        return with_cells({**_fields(verdict, question), **further, **_edges(question.board)}, verdict.tour)
    return json.dumps({**verdict_json(verdict, question), **further}, ensure_ascii=False) + "\n"


def verdict_json(verdict: Verdict, question: Question) -> dict[str, Any]:
    """Return the verdict on a question as a dict that is ready for JSON, as `--json` prints it.

    Args:
        verdict: the answer.
        question: the question.

    Raises:
        AttributeError: the first argument is no verdict.

    Examples:
        >>> fields = verdict_json(tour("6x6"), Question.of("6x6"))
        >>> fields["status"], fields["cells"][:2]
        ('found', ['a6', 'c5'])
    """
    fields = _fields(verdict, question)
    if isinstance(verdict, Found):
        fields |= {"cells": verdict.tour.names, "coords": verdict.tour.coords.tolist()}
        fields |= _edges(question.board)
    return fields


def _fields(verdict: Verdict, question: Question) -> dict[str, Any]:
    """The fields of a verdict; the cells are null."""
    fields = about(question.board, question.piece, question.kind, AnswerStatus(verdict.status)) | NO_CELLS
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


def about(board: Board | MoveGraph, piece: Piece | None, kind: str, status: AnswerStatus) -> dict[str, Any]:
    """The first fields of an object: board, piece, kind of tours, the digest of a graph, and the status."""
    fields: dict[str, Any]
    if board.plain:
        fields = {"board": graph_spec(board), "piece": None, "kind": kind, "digest": graph_digest(board)}
    else:
        fields = {"board": board.spec, "piece": piece and piece.spec_on(board), "kind": kind}
    return fields | {"status": status.value}


def _edges(graph: Board | MoveGraph, max_edges: int = 10_000) -> dict[str, Any]:
    """Return the fields with the edges of a graph that has no name.

    Args:
        graph: a board or graph; boards and graphs with names need no such fields.
        max_edges: number of edges above which they are omitted; 10,000 edges are about 150 kB of text.
    """
    if not graph.plain or not graph_spec(graph).startswith("graph") or graph.edge_count > max_edges:
        return {}
    directed = {"directed": True} if graph.directed else {}
    return {"labels": graph.names, "edges": graph.edges().tolist()} | directed


def sniff(look: Look) -> bool:
    """Whether a text begins like JSON, and is neither a list of labels nor a game in PGN."""
    if look.first.startswith("[Event "):
        return False
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
    """Read the tour in an object of `write` or `verdict_json`, or in a list as on pages about programming."""
    if (tour := _as_written(text, claim)) is not None:
        return tour
    fields = _loaded(text)
    if isinstance(fields, list):
        return _listed_tour(fields, claim)
    if not isinstance(fields, dict):
        raise FormatError(f"the JSON is a {type(fields).__name__}, expected an object with 'cells'")
    if "certificate" in fields and "cells" not in fields:
        raise FormatError("it is a certificate that there is no tour, expected a tour")
    if fields.get("status", "found") != "found" and fields.get("cells") is None:
        raise FormatError(f"there is no tour in it, its status is {fields['status']!r}")
    header = {key: fields.get(key) for key in ("board", "piece", "kind", "digest")}
    for key, value in header.items():
        if value is not None and not isinstance(value, str):
            raise FormatError(f"{key!r} is {str(value)[:40]!r}, expected text")
    names = next((fields[key] for key in ("cells", "tour", "path", "squares") if key in fields), None)
    if names is None and "paths" in fields:
        raise FormatError("it has several paths, as `best --fewest-paths` writes them, expected a tour")
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


def parse_all(text: str, claim: Claim) -> Iterator[Tour]:
    """Read the tours in lines of objects, or the tour in any other text."""
    lines = [line for line in text.splitlines() if line.strip()]
    several = len(lines) > 1 and all(line.startswith("{") and line.endswith("}") for line in lines)
    yield from (parse(part, claim) for part in (lines if several else [text]))


def _as_written(text: str, claim: Claim) -> Tour | None:
    """Read a tour on a board from an object of `write`, without a Python object for each cell.

    Only the coordinates are parsed. The names and the coordinates are then written again and compared with
    the text. None for any other text, and for a text with an error.
    """
    first = text.find(CELLS)
    middle = text.find(COORDS, first)
    last = text.find("]]", middle)
    if min(first, middle, last) < 0:
        return None
    before, after = text[:first], text[last + 2 :]
    if "NaN" in before or "NaN" in after:
        return None
    names, rows = text[first + len(CELLS) : middle], text[middle + len(COORDS) : last + 1]
    try:  # the constant NaN stands for both lists, so that it is known where they lie in the object
        lists = f'"cells": NaN, "coords": NaN{after}'
        fields = json.loads(before + lists, parse_constant=lambda name: NO_CELLS if name == "NaN" else None)
        header = {key: fields.get(key) for key in ("board", "piece", "kind", "digest")}
        if "edges" in fields or not fields.get("cells") is fields.get("coords") is NO_CELLS:
            return None
        claim = claim.filled(**header)
        board = claim.needs_board()
        coords = numbers_in(rows, "]").reshape(-1, board.coords.shape[1])
        cells = board.locate(coords)
        tour = None if board.plain or (cells < 0).any() else claim.tour(cells)
    except (AttributeError, CavalcadeError, RecursionError, TypeError, ValueError):
        return None  # the general reader explains it
    return tour if tour is not None and _lists(tour) == (names, rows) else None


def _listed_tour(items: list[Any], claim: Claim) -> Tour:
    """Read a tour from a list: names, coordinates such as `[0, 0]`, or rows of steps from 0 or 1.

    Raises:
        FormatError: the list is none of these, or could be coordinates or steps.
    """
    if items and all(isinstance(item, str) for item in items):
        closes = len(items) > 2 and items[0] == items[-1]
        return replace(claim, closed=True).tour_of_names(items[:-1]) if closes else claim.tour_of_names(items)
    try:
        array = np.array(items)
    except ValueError:
        raise FormatError("its lists have different lengths, expected rows of steps or coordinates") from None
    if array.dtype.kind not in "iu" or array.ndim < 2 or not array.size:
        raise FormatError("expected a list of names, rows of steps, or coordinates of cells")
    array = array.astype(np.int64)
    steps = np.sort(array, axis=None)
    if (np.diff(steps) == 1).all() and steps[0] in {0, 1}:
        return claim.tour_of_steps(np.where(array == 0, ZERO, array))
    if array.ndim > 2 or array.shape[1] == array.shape[0]:
        raise FormatError("its numbers are not the steps 0, 1, 2, … or 1, 2, 3, …, each once")
    if (array < 0).any():
        raise FormatError("a coordinate is negative, expected coordinates from 0")
    if claim.board is None:
        claim = claim.filled(spanned(array, hexagon=False))
    if array.shape[1] != claim.needs_board().dimensions:
        raise FormatError(f"{array.shape[1]} numbers for each cell do not fit {claim.needs_board().title}")
    return claim.tour(cells_at(claim.needs_board(), array))


def parse_graph(text: str, name: str = "", *, directed: bool | None = None) -> MoveGraph:
    """Read a graph from any of the forms above."""
    graph = _loaded(text)
    if (linked := _linked(graph)) is not None:
        if linked.directed is not None:
            directed = linked.directed
        pairs = [(tail, head) for tail, head, _ in linked.links]
        return MoveGraph.from_pairs(pairs, linked.nodes, graph_name(name), directed=bool(directed))
    if isinstance(graph, dict) and all(isinstance(neighbours, list) for neighbours in graph.values()):
        # JSON keys are always text, so the neighbours must be text, too.
        graph = {node: list(map(str, neighbours)) for node, neighbours in graph.items()}
    elif not isinstance(graph, list) or not all(isinstance(pair, list) for pair in graph):
        raise FormatError("it is JSON, as tours and certificates are, expected a board or a graph")
    data = edges_of(graph, directed)
    if data is None:
        raise FormatError("there is no edge in it, expected pairs of nodes")
    return MoveGraph.from_pairs(data.pairs, data.nodes, graph_name(name), directed=data.directed)


def weights(text: str, graph: MoveGraph) -> list[Decimal] | None:
    """Return the weights of the edges of a graph, in the order of `graph.edges()`; None without weights."""
    linked = _linked(_loaded(text))
    if linked is None:
        return None
    number = {node: i for i, node in enumerate(linked.nodes)}
    links = ((number[tail], number[head], weight_of_value(weight)) for tail, head, weight in linked.links)
    return weights_in_order(graph, links)


class _Linked(NamedTuple):
    """The links of node-link, adjacency or Cytoscape data.

    Args:
        nodes: the identifiers of the nodes.
        links: tuples (tail, head, weight); the weight may be None.
        directed: whether the links are directed; None if the data does not say it.
    """

    nodes: list[Any]
    links: list[tuple[Any, Any, Any]]
    directed: bool | None


def _linked(data: Any) -> _Linked | None:
    """Return the links of node-link, adjacency or Cytoscape data; None for other data.

    Raises:
        FormatError: the data is incomplete.
    """
    if isinstance(data, list) and data and all(isinstance(record, dict) for record in data):
        return _recorded(data)
    if (linked := _bare_links(data)) is not None:
        return linked
    if not isinstance(data, dict):
        return None
    directed = data.get("directed")
    if isinstance(elements := data.get("elements"), dict):
        data = {key: _data_of(elements.get(key)) for key in ("nodes", "edges")}
    elif isinstance(elements, list):  # as Cytoscape.js: edges are the elements with a source
        items: list[Any] = _data_of(elements)
        data = {
            "nodes": [item for item in items if "source" not in item],
            "edges": [item for item in items if "source" in item],
        }
    nodes = data.get("nodes")
    if not isinstance(nodes, list):
        return None
    links = data.get("edges", data.get("links"))
    if isinstance(lists := data.get("adjacency"), list) and links is None:
        links = _links(nodes, lists)
    if not isinstance(links, list) or not isinstance(directed, bool | None):
        raise FormatError("expected 'edges', 'links' or 'adjacency', a list, and 'directed', true or false")
    ids = [_node(node.get("id", i) if isinstance(node, dict) else node) for i, node in enumerate(nodes)]
    try:
        triples = list(map(_link, links))
        distinct = {*ids}
        if missing := [node for pair in triples for node in pair[:2] if node not in distinct]:
            raise FormatError(f"{str(missing[0])[:40]!r} is an end of an edge, but not in 'nodes'")
    except (KeyError, TypeError, ValueError, AttributeError):
        raise FormatError("an edge lacks an end, expected 'source' and 'target' for each") from None
    if len(distinct) < len(ids):
        raise FormatError("two nodes have the same 'id'")
    return _Linked(ids, triples, directed)


def _bare_links(data: Any) -> _Linked | None:
    """Return the links of triples, of a matrix with weights or of a dict of dicts; None for other data."""
    if isinstance(data, dict) and data and all(isinstance(row, dict) for row in data.values()):
        links = [_link([node, end, weight]) for node, row in data.items() for end, weight in row.items()]
        return None if "elements" in data else _Linked(list(data), links, None)
    if not isinstance(data, list) or not data or not all(isinstance(row, list) for row in data):
        return None
    nodes = range(len(data))
    numbers = all(isinstance(entry, int | float) for row in data for entry in row)
    if numbers and {*map(len, data)} == {len(data)} and not any(data[k][k] for k in nodes):
        links = [(a, b, data[a][b]) for a in nodes for b in nodes if data[a][b]]
        return _Linked([*nodes], links, None) if any(weight != 1 for _, _, weight in links) else None
    if all(len(row) == 3 and isinstance(row[2], int | float | dict) for row in data):
        links = list(map(_link, data))
        return _Linked(list(dict.fromkeys(end for link in links for end in link[:2])), links, None)
    return None


def _link(link: Any) -> tuple[Any, Any, Any]:
    """Return the two ends of an edge and its weight or None."""
    if isinstance(link, list):
        tail, head, *data = link
        weight = data[0] if data else None
    else:
        tail, head = (link[end] for end in (("source", "target") if "source" in link else ("from", "to")))
        weight = link
    return _node(tail), _node(head), weight.get("weight") if isinstance(weight, dict) else weight


def _recorded(records: list[dict[str, Any]]) -> _Linked | None:
    """Return the links of a list of records, one per row of a table; None if no keys name the ends."""
    titles = list(map(str, records[0]))
    columns = Columns.of(titles)
    if columns is None:
        return None
    ends = [titles[columns.tail], titles[columns.head]]
    weight = None if columns.weight is None else titles[columns.weight]
    if any(not isinstance(record.get(end), str | int) for record in records for end in ends):
        raise FormatError(f"a record lacks an end, expected {ends[0]!r} and {ends[1]!r} in each")
    links = [(str(record[ends[0]]), str(record[ends[1]]), record.get(weight or "")) for record in records]
    return _Linked(list(dict.fromkeys(end for link in links for end in link[:2])), links, None)


def _data_of(elements: Any) -> list[Any]:
    """Return the `data` of elements of Cytoscape.

    Raises:
        FormatError: an element has no data.
    """
    if not isinstance(elements, list) or not all(isinstance(element, dict) for element in elements):
        raise FormatError("'elements' has no lists of nodes and edges, as Cytoscape writes them")
    data = [element.get("data") for element in elements]
    if not all(isinstance(item, dict) for item in data):
        raise FormatError("an element has no 'data', as Cytoscape writes them")
    # networkx writes the identifiers of nodes as text, and the ends of edges as they are.
    ends = ("id", "source", "target")
    return [{key: str(value) if key in ends else value for key, value in item.items()} for item in data]


def _links(nodes: list[Any], lists: list[Any]) -> list[Any]:
    """Return the edges of adjacency data: one list of neighbours, `{"id": …}`, per node."""
    try:
        return [
            {"source": node["id"], "target": neighbour["id"], "weight": neighbour.get("weight")}
            for node, neighbours in zip(nodes, lists, strict=True)
            for neighbour in neighbours
        ]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise FormatError("'adjacency' needs a list of neighbours, each with an 'id', per node") from None


def _node(value: Any) -> Any:
    """A hashable node: networkx writes tuples as lists."""
    return tuple(map(_node, value)) if isinstance(value, list) else value
