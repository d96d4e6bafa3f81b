"""Boards without tours by the colours of their cells: nothing is searched, and the checker does the proof."""

from __future__ import annotations

from cavalcade.answers.certificate import Certificate, Step, StepProof
from cavalcade.answers.verdict import Impossible
from cavalcade.answers.verification import Verification
from cavalcade.checking.verification import refuted
from cavalcade.question.colours import colour_reason
from cavalcade.question.question import Question


def refuted_by_colours(question: Question) -> Verification | None:
    """Return how it was checked that there is no tour, if the colours of the cells show that; else None.

    Raises:
        AssertionError: the checker does not accept the proof.
    """
    if question.is_small or (reason := colour_reason(question)) is None:
        return None
    rule, cells = reason
    certificate = Certificate(question.relaxed, StepProof((Step(rule, tuple(cells.tolist())),)))
    return refuted(question, Impossible("unequal colours", "colours", 0, certificate=certificate))
