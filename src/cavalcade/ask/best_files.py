"""Files of what comes closest to a tour: the walks, their number, and the certificates of its bound."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from cavalcade.answers.certificate import VERSION, from_json
from cavalcade.answers.objects import ObjectReader, list_of, question_keys, read_object, typed
from cavalcade.answers.tours import Tour
from cavalcade.ask.best import WANTED, BestWalks, assert_supported, kind_of_walks, removed
from cavalcade.checking.optima import Case, Place
from cavalcade.checking.tours import Checked
from cavalcade.checking.verification import optimum
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from cavalcade.question.statement import graph_digest, statement

KEYS = {"best", "statement", "what", "value", "bound", "visited", "moves", "walks", "cases"}


def write(best: BestWalks) -> str:
    """Return the walks and the proof as one JSON object on one line; `check_file` reads it."""
    place = best.place
    assert place is not None  # noqa: S101 - `best` sets it
    question, name = place.question, place.question.board.name
    keys: dict[str, Any] = {"best": VERSION, **question_keys(question), "what": best.what}
    keys |= {"value": str(best.value), "bound": str(best.bound)}
    keys["visited"] = [name(cell) for cell in sorted(place.visited)]
    if place.weights is not None:
        keys["moves"] = [[name(a), name(b), str(weight)] for (a, b), weight in sorted(place.weights.items())]
    keys["walks"] = [list(walk.names) for walk in best.walks]
    keys["cases"] = rows_of_cases(best)
    return json.dumps(keys, ensure_ascii=False) + "\n"


def rows_of_cases(best: BestWalks) -> list[dict[str, Any]]:
    """Return the cases of the proof, ready for JSON."""
    name = best.walk.board.name
    return [
        {
            "cells": [name(cell) for cell in case.cells],
            "root": None if case.root is None else name(case.root),
            "certificate": case.certificate.to_dict(),
        }
        for case in best.cases
    ]


def check_file(text: str) -> Checked:
    """Check the walks in a file, and that its certificates prove the bound.

    Raises:
        FormatError: the text is no such file; the message says why.
    """
    return read_object(text, "best", {VERSION}, KEYS, "find it again", _checked)


def _checked(reader: ObjectReader) -> Checked:
    """Check the object of a file."""
    question, what = reader.question, reader.get("what", str)
    if what not in WANTED:
        raise FormatError(f"'what' is {what[:40]!r}, expected one of {', '.join(WANTED)}")
    weights = None
    if "moves" in reader.values:
        rows = list_of(reader.values["moves"], "moves", list)
        weights = {_move(reader, row[:2]): _number(row[2:], "moves") for row in rows}
    try:
        assert_supported(question, {}, what, weighted=weights is not None)
    except CavalcadeError as error:
        raise FormatError(f"the statement has other constraints: {error}") from None
    place = Place(question, weights, _cells(reader, reader.values["visited"], "visited"))
    if weights is not None and weights.keys() != place.arcs:
        raise FormatError("'moves' are not the moves of the board")
    walks = [
        Tour(question.board, np.array(cells, dtype=np.int32), question.closed, question.piece, claimed=False)
        for names in list_of(reader.values["walks"], "walks", list)
        if (cells := _cells(reader, names, "walks"))
    ]
    cases = []
    for row in list_of(reader.values["cases"], "cases", dict):
        root = None if row["root"] is None else _cells(reader, [row["root"]], "root")[0]
        certificate = from_json(json.dumps(typed(row["certificate"], "certificate", dict)))
        about = certificate.question
        # Graphs are equal if they are the same object.
        if about.board.plain and question.board.plain and _digest(about) == _digest(question):
            certificate = replace(certificate, question=replace(about, board=question.board))
        cases.append(Case(certificate, tuple(_cells(reader, row["cells"], "cells")), root))
    try:
        value, bound, _ = optimum(place, kind_of_walks(what), walks, cases)
    except AssertionError as error:
        return Checked(ok=False, message=f"wrong: {error}")
    if what == "fewest removed":
        value, bound = removed(question, value), removed(question, bound)
    claim = f"{what} ({statement(question)}"
    if must := [question.board.name(cell) for cell in sorted(place.visited)]:
        claim += f"; visits {', '.join(must)}"
    for key, number in (("value", value), ("bound", bound)):
        if (stated := _number([reader.values[key]], key)) != number:
            return Checked(ok=False, message=f"wrong: the {key} for {claim}) is {number}, not {stated}")
    how = "which is best" if value == bound else f"and the proved bound is {bound}"
    return Checked(ok=True, message=f"{claim}): {value}, {how}")


def _digest(question: Question) -> str:
    """Return the digest of a question's graph."""
    assert isinstance(question.board, MoveGraph)  # noqa: S101 - for the type checker
    return graph_digest(question.board)


def _cells(reader: ObjectReader, names: Any, key: str) -> list[int]:
    """Return the numbers of the cells in a list of names; the extra vertices of a question are no cells."""
    cells = [*reader.vertices(names, key)]
    if any(cell >= reader.question.board.size for cell in cells):
        raise FormatError(f"{key!r} has a vertex that is no cell")
    return cells


def _move(reader: ObjectReader, names: list[Any]) -> tuple[int, int]:
    """Return the two cells of a move."""
    cells = _cells(reader, names, "moves")
    if len(cells) != 2:
        raise FormatError("'moves' are not pairs of cells with a weight")
    return cells[0], cells[1]


def _number(texts: list[Any], key: str) -> Decimal:
    """Return the only number in a list of texts."""
    try:
        (text,) = list_of(texts, key, str)
        number = Decimal(text)
    except (ValueError, InvalidOperation):
        raise FormatError(f"{key!r} is no number") from None
    if not number.is_finite():
        raise FormatError(f"{key!r} is no number")
    return number
