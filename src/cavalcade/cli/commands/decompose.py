"""`cavalcade decompose`: all moves of a board split into closed tours."""

from __future__ import annotations

import cavalcade
from cavalcade.cli import ExitCode
from cavalcade.cli.command import verb
from cavalcade.cli.options import BoardSpec, GraphOptions, PieceSpec, SearchOptions, question_of
from cavalcade.cli.tour_lists import ListOptions
from cavalcade.cli.writing import fail, log


@verb(time_limit="10")
def command(
    board: BoardSpec,
    reading: GraphOptions,
    written: ListOptions,
    *,
    piece: PieceSpec | None = None,
    search: SearchOptions,
    memory: int | None = None,
) -> int:
    """Split all moves of BOARD, or the edges of a graph, into closed tours: a Hamiltonian decomposition.

    Every move is in exactly one of the tours, which are printed one after the other. Exit codes: 0 found, 1
    there is none, 2 bad input, 3 undecided.
    """
    question = question_of(reading.board(board, None), piece=piece)
    decomposition = cavalcade.decompose(question.board, piece=question.piece, **vars(search), memory=memory)
    how = decomposition.verification
    if not decomposition:
        checked = f" This is {how}." * (decomposition.status == "impossible")
        return fail(decomposition.status, decomposition.reason + checked)
    written.show_tours(map(cavalcade.Tours.of, decomposition.tours), {"verification": how})
    log(f"{decomposition.reason}, {how}")
    return ExitCode.FOUND
