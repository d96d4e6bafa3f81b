"""`cavalcade connected`: from which cells to which there are open tours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import cavalcade
from cavalcade.answers.status import AnswerStatus
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import BoardSpec, GraphOptions, PieceSpec, SearchOptions
from cavalcade.cli.pictures import PICTURES
from cavalcade.cli.writing import Written, aligned, log, progress, show_parts
from cavalcade.formats.table import names_of


@dataclass(frozen=True)
class TableOptions(Written):
    """The options that set the format and the file of the table.

    Options:
        format_: Lines (text, the default), JSON, or a picture (default: the ending of FILE sets it).
    """

    format_: Annotated[str | None, option(choices=("text", "json", *names_of("Connections")))] = None
    kinds = ("Connections",)
    extra_formats = ("text", "json")


@verb(time_limit="60")
def command(
    board: BoardSpec,
    reading: GraphOptions,
    *,
    piece: PieceSpec | None = None,
    written: TableOptions,
    search: SearchOptions,
    memory: int | None = None,
) -> int:
    """Find out from which cells to which BOARD has open tours: a tour or a reason for every pair of cells.

    Pairs that a symmetry of the board maps to each other share a line: two cells, the number of these
    pairs, and `found` or the reason why there is no tour. With --json each line has the tour or the
    proof. With -o and a name that ends in .svg, .png, .pdf or .tex it draws a table, with a square for every
    pair in the colour of `found` or of the reason. Exit codes: 0 every pair is decided, 2 bad input, 3 some
    are undecided.
    """
    place = reading.board(board, None)
    with progress("pairs of cells") as report:
        connections = cavalcade.connected(place, piece=piece, **vars(search), memory=memory, progress=report)
    if written.format in PICTURES:
        written.show(connections)
    else:
        lines = _objects(connections) if written.format == "json" else _lines(connections)
        show_parts(lines, written.output)
    question, reasons = connections.question, connections.reasons
    refuted = [
        f"{number:,} by {name}"
        for name, number in sorted(reasons.items())
        if name not in {"found", "undecided"}
    ]
    counted = f"{connections.number:,} of {sum(reasons.values()):,} pairs of cells"
    log(
        f"{question.board.title}: {counted} are the ends of an open tour"
        + f"; {', '.join(refuted)} are not" * bool(refuted)
        + f"; {reasons.get('undecided', 0):,} are undecided" * ("undecided" in reasons)
        + f"; {connections.verification}"
    )
    return ExitCode.UNDECIDED if "undecided" in reasons else ExitCode.FOUND


def _lines(connections: cavalcade.Connections) -> list[str]:
    name = connections.question.board.name
    rows = [(name(pairs.start), name(pairs.end), pairs.size, pairs.answer) for pairs in connections.classes]
    return [aligned(rows, "<<><")]


def _objects(connections: cavalcade.Connections) -> Iterator[str]:
    board = connections.question.board
    if not connections.classes:
        yield (json.dumps({"status": AnswerStatus.COMPLETE, "reason": f"{board} has one cell"}) + "\n")
    name = board.name
    for pairs in connections.classes:
        verdict = pairs.verdict
        row: dict[str, Any] = {"from": name(pairs.start), "to": name(pairs.end), "pairs": pairs.size}
        undecided = verdict.status == "undecided"
        row |= {
            "status": verdict.status,
            "verification": None if undecided else connections.verification,
        }
        if isinstance(verdict, cavalcade.Found):
            row["tour"] = verdict.tour.names
        else:
            row["reason"] = verdict.reason
        if isinstance(verdict, cavalcade.Impossible) and verdict.certificate is not None:
            row["certificate"] = json.loads(verdict.certificate.to_json())
        yield json.dumps(row, ensure_ascii=False) + "\n"
