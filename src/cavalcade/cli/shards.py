"""`cavalcade count BOARD --shards N`: a count as a sum of many."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cavalcade import __version__
from cavalcade.cli import FOUND, UNDECIDED
from cavalcade.cli.common import log, progress, show

if TYPE_CHECKING:
    from cavalcade.problem import Problem


def count_in_shards(
    problem: Problem, shards: int, output: str, *, directed: bool, memory: int, json_: bool
) -> int:
    """Print the sum of the counts of all shards, once all are there."""
    from cavalcade.errors import TooLargeError
    from cavalcade.surveys import sharding

    try:
        with progress("shards") as report:
            found = sharding.count_in_shards(
                problem, output, shards, directed=directed, memory=memory, progress=report
            )
    except TooLargeError as error:
        log(f"undecided: {error}")
        return UNDECIDED
    if json_:
        answer = {
            "board": problem.board.spec,
            "piece": problem.piece.spec,
            "kind": problem.kind,
            "count": found.count,
            "conventions": found.conventions,
            "shards": shards,
            "seconds": found.seconds,
            "peak_bytes": found.peak_bytes,
        }
        show(json.dumps(answer) + "\n")
        return FOUND
    show(f"{found.count}\n")
    log(
        f"{problem.board.title}, {problem.piece.spec}: {found.conventions}; the sum of {shards:,} shards, "
        f"{found.seconds:.2f} s, {found.peak_bytes / 2**20:,.0f} MiB for the largest; cavalcade {__version__}"
    )
    return FOUND
