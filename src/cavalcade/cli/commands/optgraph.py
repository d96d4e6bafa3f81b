"""`cavalcade optgraph`: the tables of PROC OPTGRAPH with the TSP statement."""

from __future__ import annotations

from typing import Annotated

from cavalcade.cli.command import option, verb
from cavalcade.cli.options import BoardSpec, GraphOptions, Json, PieceSpec, SearchOptions, TextOutput, Without
from cavalcade.cli.writing import EXIT_CODES, log, show, show_json

# attributes of a summary that JSON does not have
UNPRINTED = {"tour", "verdict"}


@verb(time_limit="10")
def command(
    board: BoardSpec,
    *,
    tsp: Annotated[str, option("--tsp", metavar="OPTIONS")] = "",
    piece: PieceSpec | None = None,
    without: Without | None = None,
    reading: GraphOptions,
    search: SearchOptions,
    output: TextOutput | None = None,
    json_: Json = False,
) -> int:
    """Print the tables of PROC OPTGRAPH with the TSP statement for BOARD.

    The command finds a closed tour of least weight; cavalcade tsp prints the tour. BOARD may be a file of
    links with weights, as for tsp. Exit codes: 0 found, 1 no tour exists, 2 bad input, 3 undecided.

    Options:
        tsp: Options of the TSP statement, such as "maxtime=5 relobjgap=0.01". MAXTIME, at most --time-limit,
            MAXNODES, RELOBJGAP and ABSOBJGAP limit the search; standard error lists options that are ignored.
    """
    from cavalcade.papers.summary import optgraph
    from cavalcade.question.graph import is_path

    if is_path(board) and without is None:
        place, weights = reading.weighted(board)
        if place.plain and weights is None:
            log(f"{board}: no weights were read from it, so every edge has weight 1")
    else:
        place, weights = reading.board(board, without), None
    solution = optgraph(place, weights, options=tsp, piece=piece, **vars(search))
    if solution.ignored:
        log(f"ignored: {', '.join(solution.ignored)}, which control SAS's own search and output")
    if json_:
        numbers = {
            name: value if value is None or value % 1 else int(value)
            for name, value in vars(solution).items()
            if name in {"value", "bound"}
        }
        verdict = {"status": solution.verdict, "ignored": list(solution.ignored)}
        show_json({k: v for k, v in vars(solution).items() if k not in UNPRINTED} | numbers | verdict, output)
    else:
        show(solution.text(), output)
    return EXIT_CODES[solution.verdict]
