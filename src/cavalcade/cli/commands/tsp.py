"""`cavalcade tsp`: a tour of least total weight."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cavalcade.cli import FOUND
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import Open, Output, PieceSpec, Seed, TourFormat
from cavalcade.cli.reading import is_file, read_board
from cavalcade.cli.writing import EXIT_CODES, deliver, format_for, log, show

if TYPE_CHECKING:
    from decimal import Decimal

    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph


@verb(time_limit="10")
def command(
    what: Annotated[str, option(metavar="LINKS|BOARD")],
    *,
    piece: PieceSpec | None = None,
    open_: Open = False,
    seed: Seed = 0,
    summary: bool = False,
    format_: TourFormat | None = None,
    output: Output | None = None,
    time_limit: float | None = None,
) -> int:
    """Find a tour of least total weight: the travelling salesman problem.

    LINKS is a file of links with weights, from, to, weight: as CSV, as a SAS data step or as a list of edges.
    On a BOARD every move has weight 1. Needs the extra tsp (OR-tools) where weights differ. Standard error
    gives the weight, and whether it is the least or how far below it the bound lies. Exit codes: 0 found, 1
    no tour exists, 2 bad input, 3 undecided.

    Options:
        summary: Also print the Problem Summary and the Solution Summary of PROC OPTGRAPH.
    """
    from cavalcade.answers.verdict import Impossible, Undecided
    from cavalcade.ask.salesman import tsp
    from cavalcade.papers.summary import Summary
    from cavalcade.question.moves import piece_on

    format_ = format_for(format_, output)
    place, weights = _read(what)
    mover = piece_on(place, piece)
    found = tsp(place, weights, piece=mover, open=open_, seed=seed, time_limit=time_limit)
    if isinstance(found, Impossible | Undecided):
        log(f"{found.status}: {found.reason}")
        return EXIT_CODES[found.status]
    deliver(found.tour, format_, output)
    if summary:
        from cavalcade.question.question import Question

        graph = Question.of(place, piece=mover).graph
        status = "Optimal" if found.exact else "Best found"
        sums = Summary(graph.size, graph.edge_count, status, found.weight, found.bound, found.seconds)
        show(sums.text())
    least = "the least" if found.exact else f"no tour weighs less than {found.bound}"
    by = "" if weights is None else ", according to the solver"
    log(f"weight {found.weight}: {least}{by}")
    return FOUND


def _read(what: str) -> tuple[Board | MoveGraph, list[Decimal] | None]:
    """A board, or a graph and its weights."""
    from cavalcade.formats import parse_graph, read_file
    from cavalcade.papers.sas import weights

    if not is_file(what) or Path(what).suffix.lower() in {".txt", ".hcp"}:
        return read_board(what), None
    text = read_file(what)
    graph = parse_graph(text, source=what, name=Path(what).stem)
    return graph, weights(text, graph)
