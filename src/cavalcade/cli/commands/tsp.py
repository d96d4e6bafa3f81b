"""`cavalcade tsp`: a tour of least total weight."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import cavalcade
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import NewFile, Positive, QuestionOptions, Seed
from cavalcade.cli.status import say
from cavalcade.cli.writing import TourOptions, fail, log, report_file, show
from cavalcade.ground.budget import seconds_left

if TYPE_CHECKING:
    from decimal import Decimal


@verb(time_limit="10")
def command(
    options: QuestionOptions,
    *,
    maximize: bool = False,
    proof: Annotated[NewFile | None, option("--proof", metavar="FILE")] = None,
    summary: Annotated[bool, option(excludes=["--json"])] = False,
    number: Annotated[
        Positive | None, option("-n", "--number", excludes=["--proof", "--summary", "--output"])
    ] = None,
    seed: Seed = 0,
    written: TourOptions,
    time_limit: float | None = None,
) -> int:
    """Find a tour of least total weight: the travelling salesman problem.

    BOARD may be a file with weights: a table of links (CSV, Excel, Parquet, SAS), a list of edges, a matrix,
    TSPLIB, or a format of graphs such as GraphML, GML, GEXF and JSON. Without weights, and on a board, every
    move has weight 1. Standard error gives the weight, and that it is the least, or a lower bound. --proof
    writes a proof that no tour weighs less, for `cavalcade check`. Exit codes: 0 found, 1 no tour exists,
    2 bad input, 3 undecided.

    Options:
        maximize: Find a tour of greatest weight.
        proof: Write the certificate of the least weight to FILE, if the search ends in time.
        summary: Also print the tables of PROC OPTGRAPH, which leaves out the cells of a board that have no
            move.
        number: Print the N tours of least weight, lightest first, if the search ends in time. A tour and its
            reverse are one.
    """
    from cavalcade.papers.summary import OptgraphTables, without_idle_cells

    question, weights = _read(options)
    if summary and isinstance(question.board, cavalcade.Board):
        linked = without_idle_cells(question.board, question.piece)
        if linked != question.board:
            log(f"{linked.title}: a cell without a move is in no link, so it is left out")
            question = options.of(linked)
    if number is not None:
        return _several(question, weights, number, maximize=maximize, seed=seed, written=written)
    began = time.process_time()
    least_tour = cavalcade.tsp(
        question, weights, maximize=maximize, seed=seed, time_limit=time_limit, progress=_progress
    )
    cpu_seconds = time.process_time() - began
    if isinstance(least_tour, cavalcade.LeastTour):
        decimals = {
            "weight": str(least_tour.weight),
            "bound": str(least_tour.bound),
        }  # decimal: nothing is lost
        about = {"status": "found", **decimals, "exact": least_tour.exact}
        about["verification"] = least_tour.verification
        if least_tour.certificate is not None:
            about["proved"] = least_tour.certificate.claim
        written.show(least_tour.tour, about)
    if summary:
        show(OptgraphTables.of(question.graph, least_tour, cpu_seconds).text())
    if not isinstance(least_tour, cavalcade.LeastTour):
        return fail(least_tour.status, least_tour.reason)
    superlative, comparative = ("the greatest", "more") if maximize else ("the least", "less")
    end = superlative if least_tour.exact else f"no tour weighs {comparative} than {least_tour.bound}"
    log(f"weight {least_tour.weight}: {end}, {least_tour.verification}")
    if proof is not None and least_tour.certificate is not None:
        cavalcade.save(least_tour.certificate, proof)
        report_file(proof, least_tour.certificate)
    elif proof is not None:
        log(f"{proof} was not written: {_unproved(least_tour)}")
    return ExitCode.FOUND


def _several(
    question: cavalcade.Question,
    weights: list[Decimal] | None,
    number: int,
    *,
    maximize: bool,
    seed: int,
    written: TourOptions,
) -> int:
    """Print the lightest tours, and return the exit code."""
    answer = cavalcade.lightest_tours(
        question, weights, number=number, maximize=maximize, seed=seed, time_limit=seconds_left()
    )
    for least in answer.tours:
        about = {"status": "found", "weight": str(least.weight), "verification": answer.verification}
        written.show(least.tour, about)
    listed = ", ".join(map(str, answer.weights))
    ranked = "heaviest" if maximize else "lightest"
    if not answer.complete:
        log(f"the {len(answer.tours)} {ranked} tours: {listed}; the search did not end in time")
        return ExitCode.UNDECIDED
    if not answer.tours:
        return fail("impossible", f"no tour exists, {answer.verification}")
    all_of_them = "" if len(answer.tours) == number else "; there are no others"
    log(f"weights {listed}: the {ranked}{all_of_them}, {answer.verification}")
    return ExitCode.FOUND


def _unproved(least_tour: cavalcade.LeastTour) -> str:
    """Why a tour of least weight has no certificate."""
    if least_tour.exact:
        return "a tour without moves needs no proof"
    return "the search did not end in time; try more with --time-limit"


def _progress(weight: Decimal, bound: Decimal) -> None:
    """Show the lightest tour so far and the bound in the status line."""
    say(f"weight {weight}, bound {bound}")


def _read(options: QuestionOptions) -> tuple[cavalcade.Question, list[Decimal] | None]:
    """Read a board, or a graph and the weights in its file."""
    from cavalcade.question.graph import is_path

    if not is_path(options.board):
        return options.question(), None
    place, weights = options.reading.weighted(options.board)
    if place.plain and weights is None:
        log(f"{options.board}: no weights were read from it, so every edge has weight 1")
    return options.of(place), weights
