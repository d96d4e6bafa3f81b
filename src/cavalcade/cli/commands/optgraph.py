"""`cavalcade optgraph`: the summaries of PROC OPTGRAPH."""

from __future__ import annotations

from cavalcade.cli.command import verb
from cavalcade.cli.options import BoardSpec, GraphOptions, Json, Output, PieceSpec, SearchOptions, Without
from cavalcade.cli.writing import EXIT_CODES, show, show_json


@verb(time_limit="10")
def command(
    board: BoardSpec,
    *,
    piece: PieceSpec | None = None,
    without: Without | None = None,
    reading: GraphOptions,
    search: SearchOptions,
    output: Output | None = None,
    json_: Json = False,
) -> int:
    """Print the Problem Summary and the Solution Summary of PROC OPTGRAPH for BOARD.

    A closed tour is sought, and not printed. Exit codes: 0 found, 1 no tour exists, 2 bad input, 3 undecided.
    """
    from cavalcade.papers.summary import summary

    solution, verdict = summary(reading.board(board, without), piece=piece, **vars(search))
    if json_:
        show_json(vars(solution) | {"status": verdict.status}, output)
    else:
        show(solution.text(), output)
    return EXIT_CODES[verdict.status]
