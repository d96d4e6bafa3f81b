"""A certificate step by step: each sentence, and what it highlights on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.checking.present import FORCED, OUT
from cavalcade.checking.rules import roles
from cavalcade.checking.sentences import with_steps
from cavalcade.studio.message import places_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.answers.certificate import Certificate, Step
    from cavalcade.checking.present import PresentGraph

MOST_MOVES = 5_000  # forced and excluded moves that are shown in one step


def story(certificate: Certificate) -> list[dict[str, Any]]:
    """The sentences in order, each with what it highlights.

    It has `text`, `rule` and, where the rule names cells or moves, their places:

    named       the cells that the step is about
    beside      their neighbours, or the other colour
    parts       the parts that remain, a list each
    counted     the cells whose moves are counted
    moves       the moves of the contradiction, as pairs
    forced      the moves that every tour uses, so far
    out         the moves that no tour uses, so far
    """
    places = places_of(certificate.question.board)
    found = []
    for text, step, present in with_steps(certificate):
        one: dict[str, Any] = {"text": text}
        if step is not None and present is not None:
            one |= _highlighted(step, present, places)
        found.append(one)
    return found


def _highlighted(step: Step, present: PresentGraph, places: NDArray[np.int32]) -> dict[str, Any]:
    found: dict[str, Any] = {"rule": step.rule}
    for role, groups in roles(step, present).items():
        if role == "moves":
            found[role] = _moves(present.edges[np.concatenate([*groups, np.zeros(0, np.int64)])], places)
        elif role == "parts":
            found[role] = [cells for group in groups if (cells := _cells(group, places))]
        else:
            found[role] = [cell for group in groups for cell in _cells(group, places)]
    for role, status in (("forced", FORCED), ("out", OUT)):
        found[role] = _moves(present.edges[present.status == status], places)
    return found


def _cells(cells: NDArray[np.int64], places: NDArray[np.int32]) -> list[int]:
    """The board cells among them, by place."""
    found: list[int] = places[cells[cells < len(places)]].tolist()
    return found


def _moves(edges: NDArray[np.int64], places: NDArray[np.int32]) -> list[list[int]]:
    """The moves between board cells, by place."""
    inside = edges.astype(np.int64)[(edges < len(places)).all(axis=1)][:MOST_MOVES]
    found: list[list[int]] = places[inside].tolist()
    return found
