"""`cavalcade uncrossed`: the longest walk whose moves do not cross."""

from __future__ import annotations

from typing import Annotated, Any

import cavalcade
from cavalcade.answers.status import AnswerStatus
from cavalcade.answers.verification import Verification
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, refuse, verb
from cavalcade.cli.options import BoardSpec, GraphOptions, Open, PieceSpec, Positive, Without, question_of
from cavalcade.cli.writing import TourOptions, fail, log, progress, show, show_json
from cavalcade.ground.errors import FormatError


@verb()
def command(
    board: BoardSpec,
    reading: GraphOptions,
    written: TourOptions,
    *,
    piece: PieceSpec | None = None,
    open_: Open = False,
    without: Without | None = None,
    terms: Annotated[Positive, option(metavar="K")] = 30,
    time_limit: float | None = None,
    memory: int | None = None,
) -> int:
    """Find the longest walk on BOARD that visits no cell twice and whose moves do not cross.

    Closed walks, or open ones with --open. In the plane every walk is searched, so none is longer. In a box,
    as 3x4x3, the search ends with a checked proof that no walk is longer, or at the time limit with the
    longest walk so far. With a side n, as in 4xn, it prints the lengths of the longest walks for n = 1, 2, 3,
    ..., and a rule for all n, if one is found. Exit codes: 0 found, 1 no move is possible, 2 bad input,
    3 undecided.

    Options:
        terms: With a side n: stop after K terms.
    """
    from cavalcade.boards.notation import grows

    words: dict[str, Any] = {"piece": piece, "open": open_, "memory": memory, "time_limit": time_limit}
    with progress("cells taken") as report:
        if grows(board):
            refuse("without", why=f"works only with one board, not with {board}")
            if written.format not in {"text", "json"}:
                why = "a picture or a file of one walk needs one board"
                raise FormatError(f"the lengths of {board} are text or JSON, not {written.format}: {why}")
            strip = cavalcade.uncrossed_lengths(board, upto=terms, progress=report, **words)
            return _show(strip, written)
        refuse("terms", why="works only with a side n, as in 4xn")
        place = reading.board(board, without)
        question_of(place, piece=words["piece"])
        uncrossed = cavalcade.uncrossed(place, progress=report, **words)
    kind, length = uncrossed.walk.kind, uncrossed.length
    at_most = length if uncrossed.at_most is None else uncrossed.at_most
    moves = f"{length:,} move{'s' * (length != 1)}"
    if not length:
        if at_most > 0:
            return fail(
                "undecided", f"no {kind} walk was found in time, and none has more than {at_most:,} moves"
            )
        why = f"no {kind} walk of {place.title} makes a move without a crossing"
        return fail("impossible", f"{why}: the search was exhaustive, {uncrossed.verification}")
    how = uncrossed.verification
    written.show(
        uncrossed.walk,
        {"status": AnswerStatus.FOUND, "moves": length, "at_most": at_most, "verification": how},
    )
    if length == at_most and how == Verification.UNCHECKED:
        log(f"{moves}: the longest {kind} walk that was found; the search for longer ones, {how}, found none")
    elif length == at_most:
        log(f"{moves}: no {kind} walk of {place.title} without a crossing has more, {how}")
    else:
        log(f"{moves}: the longest {kind} walk that was found; none has more than {at_most:,}")
    return ExitCode.FOUND


def _show(strip: cavalcade.UncrossedLengths, written: TourOptions) -> int:
    kind = "closed" if strip.closed else "open"
    if written.format == "json":
        about = {"board": strip.spec, "piece": strip.piece.spec, "kind": kind}
        show_json(about | {"terms": strip.terms, "rule": strip.rule}, written.output)
        return ExitCode.FOUND
    rows = [f"{n} {length}" for n, length in enumerate(strip.terms, 1)]
    rule = ["# no rule shows in these terms"]
    if strip.rule is not None:
        begin, period, growth = strip.rule
        rule = [f"# a(n + {period}) = a(n) + {growth} from n = {begin} on"]
        rule += ["# the states of the search repeat, so it is right for all n"]
    show("".join(f"{row}\n" for row in rows + rule), written.output)
    log(f"{strip.spec}, {strip.piece.spec}: the most moves of {kind} walks without a crossing")
    return ExitCode.FOUND
