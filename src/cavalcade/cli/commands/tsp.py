"""`cavalcade tsp`: a tour of least total weight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import cavalcade
from cavalcade import formats
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import BoardSpec, GraphOptions, Open, PieceSpec, SearchOptions
from cavalcade.cli.writing import TourOptions, fail, log, show

if TYPE_CHECKING:
    from decimal import Decimal


@verb(time_limit="10")
def command(
    what: Annotated[BoardSpec, option(metavar="LINKS|BOARD")],
    *,
    piece: PieceSpec | None = None,
    open_: Open = False,
    search: SearchOptions,
    summary: bool = False,
    reading: GraphOptions,
    written: TourOptions,
) -> int:
    """Find a tour of least total weight: the travelling salesman problem.

    LINKS is a file of links with weights, from, to, weight: as CSV, as a SAS data step or as a list of edges.
    Without weights, and on a BOARD, every link has weight 1. Needs the extra tsp (OR-tools) if weights
    differ. Standard error gives the weight, and that it is the least, or a lower bound.
    Exit codes: 0 found, 1 no tour exists, 2 bad input, 3 undecided.

    Options:
        summary: Also print the Problem Summary and the Solution Summary of PROC OPTGRAPH, which leaves
            out the cells of a board that have no move.
    """
    from cavalcade.papers.summary import STATUS, Summary, without_idle_cells

    question, weights = _read(what, reading, piece, open_=open_)
    if summary and isinstance(question.board, cavalcade.Board):
        linked = without_idle_cells(question.board, question.piece)
        if linked != question.board:
            log(f"{linked.title}: a cell without a move is in no link, so it is left out")
            question = cavalcade.Question.of(linked, piece=question.piece, open=open_)
    least_tour = cavalcade.tsp(question, weights, **vars(search))
    value = bound = None
    if isinstance(least_tour, cavalcade.LeastTour):
        value, bound = least_tour.weight, least_tour.bound
        status = "Optimal" if least_tour.exact else "Best found"
        # decimals as text, so that no digit is lost
        about = {"status": "found", "weight": str(value), "bound": str(bound), "exact": least_tour.exact}
        written.show(least_tour.tour, about)
    else:
        status = STATUS[least_tour.status]
    if summary and not written.json_:
        graph = question.graph
        show(Summary(graph.size, graph.edge_count, status, value, bound, least_tour.seconds).text())
    if not isinstance(least_tour, cavalcade.LeastTour):
        return fail(least_tour.status, least_tour.reason)
    least = "the least" if least_tour.exact else f"no tour weighs less than {bound}"
    by = "" if weights is None else ", according to the solver"
    log(f"weight {value}: {least}{by}")
    return ExitCode.FOUND


def _read(
    what: str, reading: GraphOptions, piece: str | None, *, open_: bool
) -> tuple[cavalcade.Question, list[Decimal] | None]:
    """Read a board, or a graph and its weights; only lists of edges and data steps have weights."""
    from cavalcade.papers.sas import weights
    from cavalcade.question.graph import is_path

    if not is_path(what):
        return cavalcade.Question.of(reading.board(what), piece=piece, open=open_), None
    text, weights_given = formats.read_file(what), None
    place = reading.parsed(text)
    if place.plain and (reading.input_format or formats.graph_format(text)) in {"edges", "sas"}:
        weights_given = weights(text, place)
    return cavalcade.Question.of(place, piece=piece, open=open_), weights_given
