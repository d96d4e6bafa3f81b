"""Answers that a test relies on: the tour of a question, or the proof that the question has none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cavalcade

if TYPE_CHECKING:
    from cavalcade import Board, Certificate, MoveGraph, Question, Tour

    Subject = Board | MoveGraph | Question | str


def tour_of(board: Subject, **options: Any) -> Tour:
    """Find a tour with the options of `cavalcade.tour`; fail if there is none."""
    verdict = cavalcade.tour(board, **options)
    assert isinstance(verdict, cavalcade.Found), verdict
    return verdict.tour


def proof_of(board: Subject, **options: Any) -> Certificate:
    """Prove with the options of `cavalcade.prove` that there is no tour; fail if there is one."""
    verdict = cavalcade.prove(board, **options)
    assert isinstance(verdict, cavalcade.Impossible), verdict
    assert verdict.certificate is not None
    return verdict.certificate
