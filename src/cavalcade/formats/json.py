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
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible
from cavalcade.formats.header import graph_spec
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate
    from cavalcade.answers.verdict import Verdict
    from cavalcade.boards import Board
    from cavalcade.formats.header import Claim, Look
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.pieces import Piece


def write(tour: Tour | Certificate) -> str:
    """The tour, or the certificate, as an object on one line."""
    if not isinstance(tour, Tour):
        return tour.to_json()
    return _line(_about(tour.board, tour.piece, tour.kind) | _cells(tour))


def verdict_json(verdict: Verdict, board: Board | MoveGraph, piece: Piece | None, kind: str) -> str:
    """The verdict as an object on one line.

    Args:
        verdict: any of the three.
        board: the board of the question.
        piece: the piece; without meaning on a plain graph.
        kind: `closed` or `open`.
    """
    found = _about(board, piece, kind) | {"status": verdict.status}
    found |= _cells(verdict.tour) if isinstance(verdict, Found) else {"cells": None, "coords": None}
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
        from cavalcade.checking.sentences import sentences

        proof = verdict.certificate
        found |= {"proof": proof.reason, "sentences": sentences(proof), "certificate": proof.to_dict()}
    return _line(found)


def _about(board: Board | MoveGraph, piece: Piece | None, kind: str) -> dict[str, Any]:
    spec = graph_spec(board) if board.plain else board.spec
    return {"board": spec, "piece": piece and piece.spec_on(board), "kind": kind}


def _cells(tour: Tour) -> dict[str, Any]:
    return {"cells": tour.names, "coords": tour.coords.tolist()}


def _line(found: dict[str, Any]) -> str:
    return json.dumps(found, ensure_ascii=False) + "\n"


def sniff(look: Look) -> bool:
    """Whether it begins like JSON, and not like a list of labels."""
    return look.first.startswith(("{", "[")) and (not look.names or '"cells"' in look.text)


def parse(text: str, claim: Claim) -> Tour:
    """The tour in an object that `write` or `verdict_json` wrote.

    Raises:
        FormatError: there is none in it.
    """
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        line = (text.splitlines() or [""])[min(error.lineno, len(text.splitlines())) - 1]
        near = line[max(error.colno - 21, 0) : error.colno + 19]
        raise FormatError(f"line {error.lineno}, near {near!r}: not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise FormatError(f"not JSON: {error}") from None
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
