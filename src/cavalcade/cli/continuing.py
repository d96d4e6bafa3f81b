"""`cavalcade tour --continue`: go on from a walk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.cli.common import format_for, log, read_tour, rendered, show

if TYPE_CHECKING:
    from cavalcade.answers.verdict import Verdict
    from cavalcade.question.constraints import Constraints


def go_on(
    walk: str,
    board: str | None,
    piece: str | None,
    constraints: Constraints,
    *,
    open_: bool,
    keep: int | None,
    seed: int,
    time_limit: float | None,
    format_: str | None,
    output: str | None,
    beside: bool,
) -> Verdict:
    """Print the tour, and what it changes."""
    format_ = format_for(format_, output)
    from cavalcade.answers.verdict import Found
    from cavalcade.ask.continuation import continue_walk
    from cavalcade.formats import verdict_json

    begun = read_tour(walk, board, piece)
    found = continue_walk(begun, open=open_, keep=keep, seed=seed, time_limit=time_limit, **constraints)
    if format_ == "json":
        show(verdict_json(found.verdict, begun.board, begun.piece, "open" if open_ else "closed"), output)
    elif isinstance(found.verdict, Found):
        show(rendered(found.verdict.tour, format_, beside=beside), output)
    log(str(found))
    return found.verdict
