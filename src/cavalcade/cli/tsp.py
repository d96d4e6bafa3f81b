"""`cavalcade tsp`: a tour of least total weight."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cavalcade.cli import FOUND, IMPOSSIBLE, UNDECIDED
from cavalcade.cli.common import (
    TOUR_FORMATS,
    deliver,
    format_for,
    is_file,
    log,
    output_option,
    piece_option,
    read_board,
    read_piece,
    read_text,
    seed_option,
    show,
    time_limit_option,
)

if TYPE_CHECKING:
    from decimal import Decimal

    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph


@click.command()
@click.argument("what", metavar="LINKS|BOARD")
@piece_option
@click.option("--open", "open_", is_flag=True, help="An open tour instead of a closed one.")
@seed_option
@time_limit_option(10)
@click.option(
    "--summary",
    is_flag=True,
    help="Print the Problem Summary and the Solution Summary of PROC OPTGRAPH too.",
)
@click.option(
    "--format", "format_", type=click.Choice(TOUR_FORMATS), help="Format of the tour (default: text)."
)
@output_option
def command(
    what: str,
    piece: str | None,
    *,
    open_: bool,
    seed: int,
    time_limit: float | None,
    summary: bool,
    format_: str | None,
    output: str | None,
) -> int:
    """Find a tour of least total weight: the travelling salesman's question.

    LINKS is a file of links with weights, from, to, weight: as CSV, as a SAS data step or as a list of edges.
    On a BOARD every move has the weight 1. Needs the extra tsp (OR-tools) where weights differ. Standard
    error says the weight, and whether it is the least or how far below it the bound lies.
    """
    from cavalcade.answers.verdict import Impossible, Undecided
    from cavalcade.ask.salesman import tsp
    from cavalcade.papers.summary import Summary

    format_ = format_for(format_, output)
    place, weights = _read(what)
    mover = None if piece is None else read_piece(piece, place)
    found = tsp(place, weights, piece=mover, open=open_, seed=seed, time_limit=time_limit)
    if isinstance(found, Impossible | Undecided):
        log(f"{found.status}: {found.reason}")
        return IMPOSSIBLE if isinstance(found, Impossible) else UNDECIDED
    deliver(found.tour, format_, output)
    if summary:
        from cavalcade.question.question import Question

        graph = Question.of(place, piece=mover).graph
        status = "Optimal" if found.exact else "Best found"
        sums = Summary(graph.size, graph.edge_count, status, found.weight, found.bound, found.seconds)
        show(sums.text())
    least = "the least" if found.exact else f"no tour weighs less than {found.bound}"
    says = "" if weights is None else ", says the solver"
    log(f"weight {found.weight}: {least}{says}")
    return FOUND


def _read(what: str) -> tuple[Board | MoveGraph, list[Decimal] | None]:
    """A board, or a graph and its weights."""
    from cavalcade.formats import parse_graph
    from cavalcade.papers.sas import weights

    if not is_file(what) or Path(what).suffix.lower() in {".txt", ".hcp"}:
        return read_board(what), None
    text = read_text(what)
    graph = parse_graph(text, source=what, name=Path(what).stem)
    return graph, weights(text, graph)
