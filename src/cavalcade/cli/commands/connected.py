"""`cavalcade connected`: from which cells to which there are open tours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import cavalcade
from cavalcade.cli import FOUND, UNDECIDED
from cavalcade.cli.command import verb
from cavalcade.cli.options import BoardSpec, GraphOptions, Json, Output, PieceSpec, Seed
from cavalcade.cli.writing import log, progress, show_parts
from cavalcade.formats.table import STILL, format_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.ask.connections import Connections, Pairs


@verb(time_limit="60")
def command(
    board: BoardSpec,
    reading: GraphOptions,
    *,
    piece: PieceSpec | None = None,
    output: Output | None = None,
    json_: Json = False,
    seed: Seed = 0,
    time_limit: float | None = None,
    memory: int | None = None,
) -> int:
    """Find out from which cells to which BOARD has open tours: a tour or a reason for every pair of cells.

    Pairs that the symmetries of the board carry onto one another are one line: two cells, how many such
    pairs there are, and `found` or the reason why there is none. With --json each line has the tour or the
    proof. With -o and a name that ends in .svg, .png, .pdf or .tikz it draws a table, with a square for every
    pair in the colour of `found` or of the reason. Exit codes: 0 every pair is decided, 2 bad input, 3 some
    are undecided.
    """
    place = reading.board(board, None)
    with progress("pairs of cells") as told:
        found = cavalcade.connected(
            place, piece=piece, seed=seed, time_limit=time_limit, memory=memory, progress=told
        )
    if output is not None and not json_ and format_of(output) in STILL:
        cavalcade.save(found, output)
    else:
        show_parts(_objects(found) if json_ else _lines(found), output)
    question, reasons = found.question, found.reasons
    pairs = sum(reasons.values())
    others = [f"{number:,} by {name}" for name, number in sorted(reasons.items()) if name != "found"]
    log(
        f"{question.board.title}: {found.number:,} of {pairs:,} pairs of cells are the ends of an open tour"
        + f"; {', '.join(others)} are not" * bool(others)
    )
    return UNDECIDED if "undecided" in reasons else FOUND


def _lines(found: Connections) -> Iterator[str]:
    rows = [(*_names(found, one), f"{one.size}", one.answer) for one in found.classes]
    widths = [max((len(row[k]) for row in rows), default=0) for k in range(3)]
    for start, end, size, answer in rows:
        yield f"{start:<{widths[0]}}  {end:<{widths[1]}}  {size:>{widths[2]}}  {answer}\n"


def _objects(found: Connections) -> Iterator[str]:
    for one in found.classes:
        start, end = _names(found, one)
        verdict = one.verdict
        said: dict[str, Any] = {"from": start, "to": end, "pairs": one.size, "status": verdict.status}
        if isinstance(verdict, cavalcade.Found):
            said["tour"] = verdict.tour.names
        else:
            said["reason"] = verdict.reason
        if isinstance(verdict, cavalcade.Impossible) and verdict.certificate is not None:
            said["certificate"] = json.loads(verdict.certificate.to_json())
        yield json.dumps(said, ensure_ascii=False) + "\n"


def _names(found: Connections, one: Pairs) -> tuple[str, str]:
    board = found.question.board
    return board.name(one.start), board.name(one.end)
