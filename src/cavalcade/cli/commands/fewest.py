"""`cavalcade fewest`: as few turns, or crossings, as possible."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from cavalcade.cli.command import verb
from cavalcade.cli.options import (
    Beside,
    File,
    Json,
    Output,
    QuestionOptions,
    Seed,
    TourFormat,
    Verbose,
)
from cavalcade.cli.verdicts import give, log_search
from cavalcade.cli.writing import format_for, log, writable
from cavalcade.ground.errors import FormatError


@verb(time_limit="60")
def command(
    what: Literal["turns", "crossings"],
    asked: QuestionOptions,
    *,
    proof: File | None = None,
    seed: Seed = 0,
    format_: TourFormat | None = None,
    json_: Json = False,
    beside: Beside = False,
    output: Output | None = None,
    verbose: Verbose = False,
    time_limit: float | None = None,
) -> int:
    """Find a tour of BOARD with as few turns, or crossings, as are found within the limit.

    Standard error gives their number and the proven lower bound. Exit codes: 0 found, 1 no tour exists, 2 bad
    input, 3 undecided.

    Options:
        proof: Write the proof that no tour has fewer.
    """
    if proof is not None and Path(proof).suffix.lower() not in {".proof", ".json"}:
        raise FormatError(f"the ending of {proof!r} does not name a proof, expected .proof or .json")
    format_ = format_for("json" if json_ else format_, output)
    writable(proof)
    from cavalcade.answers.verdict import Found
    from cavalcade.ask.portfolio import tour
    from cavalcade.formats import save

    question = asked.question(begun=True)
    verdict = tour(question, seed=seed, time_limit=time_limit, fewest=what)
    code = give(verdict, question, format_, output, beside=beside)
    if isinstance(verdict, Found) and (fewest := verdict.fewest) is not None:
        log(str(fewest))
        if proof is not None and fewest.certificate is not None:
            save(fewest.certificate, proof)
        elif proof is not None:
            log(f"{proof} was not written: no proof was found")
    if verbose:
        log_search(verdict, question)
    return code
