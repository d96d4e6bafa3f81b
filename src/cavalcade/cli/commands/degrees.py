"""`cavalcade degrees`: the papers' KNIGHTMOVES."""

from __future__ import annotations

import json
from typing import Literal

from cavalcade.cli.command import verb
from cavalcade.cli.options import Beside, BoardSpec, PieceSpec
from cavalcade.cli.reading import read_board
from cavalcade.cli.writing import show
from cavalcade.ground.errors import BoardError


@verb()
def command(
    board: BoardSpec,
    *,
    piece: PieceSpec | None = None,
    format_: Literal["text", "wide", "csv", "json"] = "text",
    beside: Beside = False,
) -> None:
    """Count the moves from every cell of BOARD: what the papers call KNIGHTMOVES.

    Options:
        format_: Numbers on the board, the papers' variables m11, m12, ..., one line per cell, or one JSON
            object.
    """
    from cavalcade.formats.integers import numbers
    from cavalcade.question.moves import graph_of, piece_on

    place = read_board(board)
    mover = piece_on(place, piece)
    if place.plain and format_ == "wide":
        raise BoardError(f"{place.title} has no rows and columns: use --format csv or json")
    degrees = graph_of(place, mover).degrees.tolist()
    if format_ == "csv":
        rows = [f"{name},{degree}\n" for name, degree in zip(place.names, degrees, strict=True)]
        show("".join(["name,degree\n", *rows]))
    elif format_ == "json":
        about = {"board": place.spec, "piece": mover.spec_on(place)}
        show(json.dumps(about | {"cells": place.names, "degrees": degrees}) + "\n")
    elif format_ == "wide":
        show(numbers(place, degrees, "wide", letter="m"))
    else:
        show(numbers(place, degrees, beside=beside))
