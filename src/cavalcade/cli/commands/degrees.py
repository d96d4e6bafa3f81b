"""`cavalcade degrees`: the papers' KNIGHTMOVES."""

from __future__ import annotations

import csv
import io
from typing import Literal

import cavalcade
from cavalcade.cli.command import refuse, verb
from cavalcade.cli.options import Beside, BoardSpec, FormatJson, GraphOptions, PieceSpec
from cavalcade.cli.writing import show, show_json
from cavalcade.ground.errors import BoardError


@verb()
def command(
    board: BoardSpec,
    *,
    piece: PieceSpec | None = None,
    format_: Literal["text", "wide", "csv", "json"] = "text",
    beside: Beside = False,
    json_: FormatJson = False,
    reading: GraphOptions,
) -> None:
    """Count the moves from every cell of BOARD: what the papers call KNIGHTMOVES.

    Options:
        format_: Numbers on the board, the papers' variables m11, m12, ..., one line per cell, or one JSON
            object.
    """
    from cavalcade.formats.labels import field_of
    from cavalcade.formats.text import numbers_text
    from cavalcade.papers.wide import numbers_wide

    question = cavalcade.Question.of(reading.board(board), piece=piece)
    place, degrees = question.board, question.graph.degrees.tolist()
    json_ = json_ or format_ == "json"
    if json_ or format_ != "text":
        refuse("beside", why=f"lays out text, and the output is {'json' if json_ else format_}")
    if format_ == "csv":
        table = io.StringIO()
        rows = zip(map(field_of, place.names), degrees, strict=True)
        csv.writer(table, lineterminator="\n").writerows([("name", "degree"), *rows])
        show(table.getvalue())
    elif json_:
        about = {"board": place.spec, "piece": question.piece.spec_on(place)}
        show_json(about | {"cells": place.names, "degrees": degrees})
    elif format_ == "wide":
        if place.plain:
            raise BoardError(f"{place.title} has no rows and columns: use --format csv or json")
        show(numbers_wide(place, degrees, letter="m"))
    else:
        show(numbers_text(place, degrees, beside=beside))
