"""`cavalcade count 3xn`: the part of the command for boards with a side n."""

from __future__ import annotations

import json
import sys

from cavalcade.cli import FOUND, UNDECIDED
from cavalcade.cli.common import log, show, undecided_if_too_large

UPTO = 20
PRINTED = 60  # of a longer recurrence only the order is printed; --json has all of it


def grows(board: str) -> bool:
    """Whether a side of this spec is n."""
    return "n" in board.strip().lower().rpartition(":")[2].split("x")


def count_sequence(
    board: str,
    *,
    upto: int | None,
    piece: str | None,
    open_: bool,
    directed: bool,
    memory: int,
    time_limit: float | None,
    bfile: str | None,
    json_: bool,
) -> int:
    """Print `n a(n)` for n = 1, 2, …, each as it is found, and what generates them."""
    from cavalcade.counting.sequence import sequence
    from cavalcade.formats.files import write_file

    sys.set_int_max_str_digits(0)  # Python would print no more than 4,300
    with undecided_if_too_large():
        found = sequence(
            board,
            upto=upto or UPTO,
            piece=piece or "knight",
            open=open_,
            directed=directed,
            memory=memory,
            time_limit=time_limit,
            found=None if json_ else lambda n, term: show(f"{n} {term}\n"),
        )
    fraction = found.fraction
    if bfile is not None and found.terms:
        write_file(bfile, found.bfile)
    if json_:
        answer = {
            "board": found.spec,
            "piece": found.piece.spec,
            "kind": "open" if open_ else "closed",
            "offset": 1,
            "terms": found.terms,
            "conventions": found.conventions,
            "numerator": fraction and fraction.numerator,
            "denominator": fraction and fraction.denominator,
            "checked_terms": fraction and fraction.checked,
            "proved": fraction and fraction.proved,
            "states": found.states,
            "seconds": found.seconds,
        }
        show(json.dumps(answer) + "\n")
    if found.reason:
        log(f"undecided: {found.reason}")
        return UNDECIDED
    if json_:
        return FOUND
    if fraction is None:
        few = "so few terms of so wide a board were counted one by one"
        log(f"no recurrence: {'it would take more than a few seconds to find' if found.states else few}")
    else:
        for line in fraction.describe(PRINTED):
            show(f"# {line}\n")
    states = f", {found.states:,} states between slabs" * bool(found.states)
    log(f"{found.spec}, {found.piece.spec}: {found.conventions}; {found.seconds:.2f} s{states}")
    return FOUND
