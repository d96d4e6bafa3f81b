"""`cavalcade prove`: show that there is no tour."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cavalcade.cli import UNDECIDED
from cavalcade.cli.command import option, verb
from cavalcade.cli.graph_lines import answer_lines
from cavalcade.cli.options import (
    Engine,
    File,
    Json,
    Pick,
    QuestionOptions,
    Seed,
    Verbose,
)
from cavalcade.cli.writing import EXIT_CODES, log, log_effort, show, writable
from cavalcade.formats.table import STILL
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.question.question import Question

ENDINGS = (".proof", ".json", *(f".{kind}" for kind in STILL), ".cnf")


@verb(time_limit="60")
def command(
    asked: QuestionOptions,
    *,
    seed: Seed = 0,
    engine: Engine | None = None,
    json_: Json = False,
    output: Annotated[File | None, option("-o", "--output")] = None,
    verbose: Verbose = False,
    pick: Pick | None = None,
    time_limit: float | None = None,
) -> int:
    """Prove that BOARD has no closed tour, or no open one with --open.

    Prints the reason in words, and the theorem that agrees with it, if there is one. If there is a tour, it
    is printed. Exit codes: 1 no tour exists, 0 a tour was found, 2 bad input, 3 undecided.

    A file with one graph per line is answered line by line, as `tour` does, with the reason in words.

    Options:
        output: Write the certificate (.proof, .json) or a picture of it (.svg, .png, .pdf, .tikz) to FILE;
            .cnf writes a formula, and next to it a .drat proof, for public checkers.
    """
    from cavalcade.answers.verdict import Found, Impossible
    from cavalcade.ask.portfolio import prove
    from cavalcade.formats import save, write
    from cavalcade.formats.cnf import UnprovedError
    from cavalcade.formats.json import verdict_json

    search: dict[str, Any] = {"seed": seed, "time_limit": time_limit}
    code = answer_lines(asked, prove, pick=pick, json_=json_, sentences=True, engine=engine, **search)
    if code is not None:
        return code
    ending = Path(output or "a.proof").suffix.lower()
    if ending not in ENDINGS:
        raise FormatError(f"{output!r} does not name a certificate, expected {', '.join(ENDINGS)}")
    writable(output)
    question = asked.question()
    verdict = prove(question, engine=engine, **search)
    unwritten = ""
    if isinstance(verdict, Impossible) and verdict.certificate is not None and output is not None:
        try:
            save(verdict.certificate, output, **(search if ending == ".cnf" else {}))
        except UnprovedError as error:
            unwritten = str(error)
    if json_:
        found = json.loads(verdict_json(verdict, question.board, question.piece, question.kind))
        show(json.dumps(found | {"theorems": _theorems(question)}) + "\n")
    elif isinstance(verdict, Found):
        show(write(verdict.tour))
        log("there is a tour" + (f": {output} was not written" if output else ""))
    elif isinstance(verdict, Impossible):
        paragraphs = [verdict.reason]
        for law in _theorems(question):
            rest = "" if law["status"] == "literature" else f" ({law['status']})"
            paragraphs.append(f"This agrees with {law['name']}{rest}: {law['statement']} {law['citation']}.")
        show("\n".join(textwrap.fill(one, 100, break_on_hyphens=False) for one in paragraphs) + "\n")
    else:
        log(f"undecided: {verdict.reason}")
    if verbose:
        log_effort(verdict.effort)
    if unwritten:
        log(f"{output} was not written: {unwritten}")
        return UNDECIDED
    return EXIT_CODES[verdict.status]


def _theorems(question: Question) -> list[dict[str, str]]:
    """The theorem that states that there is no tour, if one does."""
    from cavalcade.theorems.literature import theorems

    keys = ("name", "because", "statement", "citation", "status")
    known = [one for one in theorems(question.board, question.piece, question.closed) if not one.exists]
    return [{key: getattr(one, key) for key in keys} for one in known[:1]]
