"""`cavalcade fewest`: minimize turns, crossings, or angles of a kind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import cavalcade
from cavalcade.cli.command import verb
from cavalcade.cli.options import NewFile, QuestionOptions, SearchOptions, Verbose
from cavalcade.cli.writing import AnswerOptions, log, log_search, report_file
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.question.statement import Minimized

MINIMIZED: dict[str, Minimized] = {
    "turns": "turns",
    "crossings": "crossings",
    "acute": "acute angles",
    "right": "right angles",
    "obtuse": "obtuse angles",
}


@verb(time_limit="60")
def command(
    what: Literal["turns", "crossings", "acute", "right", "obtuse"],
    options: QuestionOptions,
    *,
    proof: NewFile | None = None,
    search: SearchOptions,
    written: AnswerOptions,
    verbose: Verbose = False,
) -> int:
    """Find a tour of BOARD with the fewest turns, crossings, or angles of a kind within the limit.

    Standard error gives their number and the proven lower bound. Exit codes: 0 found, 1 no tour exists, 2 bad
    input, 3 undecided.

    Options:
        proof: Write the proof that no tour has fewer.
    """
    if proof is not None and Path(proof).suffix.lower() not in {".proof", ".json"}:
        raise FormatError(f"the ending of {proof!r} does not name a proof, expected .proof or .json")
    question = options.question()
    verdict = cavalcade.tour(question, **vars(search), fewest=MINIMIZED[what])
    code = written.give(verdict, question)
    if verdict.status == "found" and (fewest := verdict.fewest) is not None:
        log(str(fewest))
        if proof is not None and fewest.certificate is not None:
            cavalcade.save(fewest.certificate, proof)
            report_file(proof, fewest.certificate)
        elif proof is not None:
            log(f"{proof} was not written: no proof was found")
    if verbose:
        log_search(verdict, question)
    return code
