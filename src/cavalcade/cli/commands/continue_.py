"""`cavalcade continue`: from a walk to a tour."""

from __future__ import annotations

from cavalcade.cli.command import verb
from cavalcade.cli.options import (
    Beside,
    ConstraintOptions,
    Json,
    Open,
    Output,
    PieceSpec,
    Positive,
    Seed,
    TourFormat,
)
from cavalcade.cli.writing import EXIT_CODES, deliver, format_for, log, show


@verb(time_limit="10")
def command(
    walk: str,
    board: str | None = None,
    *,
    piece: PieceSpec | None = None,
    open_: Open = False,
    keep: Positive | None = None,
    constrained: ConstraintOptions,
    seed: Seed = 0,
    format_: TourFormat | None = None,
    json_: Json = False,
    beside: Beside = False,
    output: Output | None = None,
    time_limit: float | None = None,
) -> int:
    """Continue the walk in the file WALK to a tour, and keep as many of its first steps as possible.

    BOARD is needed if the file does not name it. Standard error gives the first step that changed. Exit
    codes: 0 found, 1 no tour keeps the walk, 2 bad input, 3 undecided.

    Options:
        keep: Keep at least N steps of the walk.
    """
    format_ = format_for("json" if json_ else format_, output)
    from cavalcade.answers.verdict import Found
    from cavalcade.ask.continuation import continue_walk
    from cavalcade.formats import read_tour
    from cavalcade.formats.json import verdict_json

    begun = read_tour(walk, board=board, piece=piece)
    found = continue_walk(begun, open=open_, keep=keep, seed=seed, time_limit=time_limit, **constrained.words)
    if format_ == "json":
        show(verdict_json(found.verdict, begun.board, begun.piece, "open" if open_ else "closed"), output)
    elif isinstance(found.verdict, Found):
        deliver(found.verdict.tour, format_, output, beside=beside)
    log(str(found))
    return EXIT_CODES[found.verdict.status]
