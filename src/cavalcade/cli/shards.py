"""`cavalcade count BOARD --shards N`: a count as a sum of many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.cli import FOUND
from cavalcade.cli.common import log, progress, show, show_count, undecided_if_too_large
from cavalcade.ground import __version__

if TYPE_CHECKING:
    from cavalcade.question.question import Question


def count_in_shards(
    question: Question, shards: int, output: str, *, directed: bool, memory: int, json_: bool
) -> int:
    """Print the sum of the counts of all shards, once all are there."""
    from cavalcade.surveys import sharding

    with undecided_if_too_large(), progress("shards") as report:
        found = sharding.count_in_shards(
            question, output, shards, directed=directed, memory=memory, progress=report
        )
    if json_:
        show_count(question, found, shards=shards)
        return FOUND
    show(f"{found.count}\n")
    log(
        f"{question.board.title}, {question.piece.spec}: {found.conventions}; the sum of {shards:,} shards, "
        f"{found.seconds:.2f} s, {found.peak_bytes / 2**20:,.0f} MiB for the largest; cavalcade {__version__}"
    )
    return FOUND
