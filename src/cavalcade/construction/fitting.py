"""The questions that templates may answer, decided before anything is built."""

from __future__ import annotations

from cavalcade.question.pieces import KNIGHT
from cavalcade.question.question import Question


def no_template(question: Question) -> str:
    """Why no template fits a question; "" if one may fit."""
    if question.board.plain or question.piece != KNIGHT:
        return "templates are for knights on boards"
    if question.constraints:
        return f"templates do not support tours{question.constraints}"
    if question.board.holes:
        return f"{question.board.title} has holes"
    return "templates support one end, not two" if len(question.ends) == 2 else ""
