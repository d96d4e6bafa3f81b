"""`cavalcade continue`: from a walk to a tour."""

from __future__ import annotations

from typing import Annotated

import cavalcade
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import (
    ConstraintOptions,
    File,
    Open,
    PieceSpec,
    Positive,
    SearchOptions,
    question_of,
)
from cavalcade.cli.writing import AnswerOptions, log
from cavalcade.formats.table import STILL


@verb(time_limit="10")
def command(
    walk: Annotated[File, option(metavar="WALK")],
    board: str | None = None,
    *,
    piece: PieceSpec | None = None,
    open_: Open = False,
    keep: Positive | None = None,
    count_start: bool | None = None,
    constrained: ConstraintOptions,
    search: SearchOptions,
    written: AnswerOptions,
) -> int:
    """Continue the walk in the file WALK to a tour, and keep the longest possible beginning of the walk.

    BOARD is needed if the file does not name it. Standard error gives the first step that changed, whether it
    was a tie by Warnsdorff's rule, and which moves lead to a tour; a picture marks them. Exit codes: 0 found,
    1 no tour keeps the walk, 2 bad input, 3 undecided.

    Options:
        keep: Keep at least N steps of the walk.
        count_start: Whether the start reduces the onward moves of its neighbours, by which ties are
            found (default: it does; in the papers' programs it does not).
    """
    begun = cavalcade.read_tour(walk, board=board, piece=piece)
    turn = cavalcade.wrong_turn(
        begun,
        open=open_,
        keep=keep,
        count_start=count_start is not False,
        **vars(search),
        **constrained.keywords,
    )
    verdict = turn.continuation.verdict
    question = question_of(begun.board, piece=begun.piece, open=open_)
    if turn.choices and written.format in STILL:
        written.show(turn, tour=True)
        code = int(ExitCode.FOUND)
    else:
        code = written.give(verdict, question, {"wrong_turn": turn.to_dict()})
    if verdict.status == "found":
        log(str(turn.continuation))
        if turn.step is not None:
            log(str(turn))
    return code
