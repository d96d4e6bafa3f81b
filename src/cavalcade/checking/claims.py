"""Whether a tour or a proof is about what somebody claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.answers.tours import Tour
from cavalcade.checking.constraints import unmet
from cavalcade.checking.events import count, why_uncounted
from cavalcade.question.question import Question
from cavalcade.question.statement import graph_name, read_statement, statement

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate


def other_than(claim: str, found: Tour | Certificate) -> str:
    """How a tour or a proof, found right, is about something else than a claim; nothing if it is about that.

    Args:
        claim: a statement, as `closed tour of 8x8, knight`; with `no` before it a proof is demanded, with `a`
            or `an` a tour.
        found: a tour that `check` finds right, or a certificate that `verify` finds right. A tour is also
            about all that it does: its ends, its moves, its symmetry.

    Raises:
        CavalcadeError: the claim is no statement.
    """
    article, _, rest = claim.partition(" ")
    text = rest if article in {"a", "an", "no"} else claim
    is_tour = isinstance(found, Tour)
    board = found.board if isinstance(found, Tour) else found.question.board
    known = Question(board, found.piece, found.closed) if isinstance(found, Tour) else found.question
    about = statement(known, None if isinstance(found, Tour) else found.at_most)
    named = f"{text} ".split(" of ", 1)[-1].startswith("graph:")
    if named and (not board.plain or graph_name(board) not in text):
        return f"it is about the {about}, not the {text}"
    question, bound = read_statement(text, board if board.plain and named else None)
    if article in ({"no"} if is_tour else {"a", "an"}):
        return f"it is {'a tour' if is_tour else 'a proof that there is no tour'}, not {claim}"
    asked = Question(question.board, question.piece, question.closed) if is_tour else question
    if about != statement(asked, None if is_tour else bound):
        return f"it is about the {about}, not the {text}"
    if not isinstance(found, Tour):
        return ""
    if wrong := unmet(question, found) or why_uncounted(asked, bound):
        return wrong
    many = 0 if bound is None else count(found, bound.what)
    return f"it has {many} {bound.what}" if bound is not None and many > bound.most else ""
