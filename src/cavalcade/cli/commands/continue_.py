"""`cavalcade continue`: from a walk to a tour."""

from __future__ import annotations

from typing import Annotated

import cavalcade
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import ConstraintOptions, File, Open, PieceSpec, Positive, SearchOptions
from cavalcade.cli.writing import AnswerOptions, log


@verb(time_limit="10")
def command(
    walk: Annotated[File, option(metavar="WALK")],
    board: str | None = None,
    *,
    piece: PieceSpec | None = None,
    open_: Open = False,
    keep: Positive | None = None,
    constrained: ConstraintOptions,
    search: SearchOptions,
    written: AnswerOptions,
) -> int:
    """Continue the walk in the file WALK to a tour, and keep the longest possible beginning of the walk.

    BOARD is needed if the file does not name it. Standard error gives the first step that changed. Exit
    codes: 0 found, 1 no tour keeps the walk, 2 bad input, 3 undecided.

    Options:
        keep: Keep at least N steps of the walk.
    """
    begun = cavalcade.read_tour(walk, board=board, piece=piece)
    continuation = cavalcade.continue_walk(
        begun, open=open_, keep=keep, **vars(search), **constrained.keywords
    )
    question = cavalcade.Question.of(begun.board, piece=begun.piece, open=open_)
    code = written.give(continuation.verdict, question)
    if continuation.verdict.status == "found":
        log(str(continuation))
    return code
