"""`cavalcade degrees`: the papers' KNIGHTMOVES."""

from __future__ import annotations

import json

import click

from cavalcade.cli.common import beside_option, graph_of, piece_option, read_board, read_piece, show
from cavalcade.ground.errors import BoardError


@click.command()
@click.argument("board")
@piece_option
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "wide", "csv", "json")),
    default="text",
    show_default=True,
    help="Numbers on the board, the papers' variables m11, m12, …, one line a cell, or one JSON object.",
)
@beside_option
def command(board: str, piece: str | None, format_: str, *, beside: bool) -> None:
    """Count the moves from every cell of BOARD: what the papers call KNIGHTMOVES."""
    from cavalcade.formats import numbers
    from cavalcade.question.graph import MoveGraph

    place = read_board(board)
    mover = read_piece(piece, place)
    plain = isinstance(place, MoveGraph)
    if plain and format_ == "wide":
        raise BoardError(f"{place.title} has no rows and columns: use --format csv or json")
    degrees = graph_of(place, mover).degrees.tolist()
    if format_ == "csv":
        rows = [f"{name},{degree}\n" for name, degree in zip(place.names, degrees, strict=True)]
        show("".join(["name,degree\n", *rows]))
    elif format_ == "json":
        about = {"board": place.spec, "piece": None if plain else mover.spec}
        show(json.dumps(about | {"cells": place.names, "degrees": degrees}) + "\n")
    elif format_ == "wide":
        show(numbers(place, degrees, "wide", letter="m"))
    else:
        show(numbers(place, degrees, beside=beside))
