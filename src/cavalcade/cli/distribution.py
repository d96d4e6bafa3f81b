"""`cavalcade count BOARD --by slope`: how many tours use exactly k moves of a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.cli import FOUND
from cavalcade.cli.common import counting, log, show, show_count, undecided_if_too_large
from cavalcade.ground import __version__

if TYPE_CHECKING:
    from cavalcade.answers.counts import Distribution
    from cavalcade.question.question import Question


def count_by(
    question: Question, by: str, *, directed: bool, memory: int, time_limit: float | None, json_: bool
) -> int:
    """Print a line for each k that occurs, a column for each kind of moves."""
    from cavalcade.counting.distribution import distribution

    with undecided_if_too_large(), counting() as progress:
        found = distribution(
            question, by, directed=directed, memory=memory, time_limit=time_limit, progress=progress
        )
    if json_:
        show_count(question, found)
        return FOUND
    show(_table(found))
    log(
        f"{question.board.title}, {question.piece.spec}: {found.conventions}, {found.count} in all, "
        f"by {found.by} of their moves; {found.seconds:.2f} s, {found.peak_states:,} states at the peak, "
        f"{found.peak_bytes / 2**20:,.0f} MiB; cavalcade {__version__}"
    )
    return FOUND


def _table(found: Distribution) -> str:
    rows = [
        (str(k), *map(str, row)) for k, row in enumerate(zip(*found.tours.values(), strict=True)) if any(row)
    ]
    lines = [("moves", *found.tours), *rows]
    wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "".join(
        "  ".join(f"{cell:>{width}}" for cell, width in zip(line, wide, strict=True)) + "\n" for line in lines
    )
