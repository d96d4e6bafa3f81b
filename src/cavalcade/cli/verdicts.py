"""How an answer to "is there a tour?" is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.cli.writing import EXIT_CODES, deliver, log, log_effort, show

if TYPE_CHECKING:
    from cavalcade.answers.verdict import Verdict
    from cavalcade.question.question import Question


def give(
    verdict: Verdict, question: Question, format_: str, output: str | None, *, beside: bool = False
) -> int:
    """Print the tour, or log why there is none, with the theorem that agrees; returns the exit code."""
    from cavalcade.answers.verdict import Found
    from cavalcade.formats.json import verdict_json
    from cavalcade.theorems.literature import citation, theorem

    asked = question.board, question.piece, question.closed
    if format_ == "json":
        show(verdict_json(verdict, question.board, question.piece, question.kind), output)
    elif isinstance(verdict, Found):
        deliver(verdict.tour, format_, output, beside=beside)
    else:
        law = theorem(*asked) if verdict.status == "impossible" else None
        cited = "" if law is None or law.exists else citation(*asked)
        log(f"{verdict.status}: {verdict.reason} {cited}".strip())
    return EXIT_CODES[verdict.status]


def log_search(verdict: Verdict, question: Question) -> None:
    """Log what was tried, what found the tour, and how fast."""
    from cavalcade.theorems.literature import citation

    asked = question.board, question.piece, question.closed
    if verdict.status == "found" and (cited := citation(*asked)):
        log(cited)
    log_effort(verdict.effort)
    log(
        f"{verdict.status}: {question.board.title}, {question.board.size:,} cells, by {verdict.method}, "
        f"seed {verdict.seed}, {verdict.seconds:.3f} s"
    )
