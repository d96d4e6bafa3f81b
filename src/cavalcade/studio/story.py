"""A certificate step by step: each sentence, and what it lights on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.checking.present import FORCED, OUT
from cavalcade.checking.rules import RULES
from cavalcade.checking.sentences import told
from cavalcade.studio.question import places_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.answers.certificate import Certificate, Step
    from cavalcade.checking.present import PresentGraph

MOST_MOVES = 5_000  # forced and excluded moves that are shown in one step


def story(certificate: Certificate) -> list[dict[str, Any]]:
    """The sentences in order, each with what it lights.

    It has `text` and, where it speaks of cells, by their places:

    named       those that the step is about
    beside      their neighbours, or the other colour
    parts       the parts that are left, a list each
    counted     those whose moves are counted
    moves       the moves that are looked at, as pairs
    forced      the moves that every tour makes, so far
    out         those that no tour makes, so far
    """
    places = places_of(certificate.question.board)
    found = []
    for text, step, present in told(certificate):
        one: dict[str, Any] = {"text": text}
        if step is not None and present is not None:
            one |= _lit(step, present, places)
        found.append(one)
    return found


def _lit(step: Step, present: PresentGraph, places: NDArray[np.int32]) -> dict[str, Any]:
    roles = RULES[step.rule].roles(present, np.array(step.cells, dtype=np.int64))
    found: dict[str, Any] = {"rule": step.rule}
    for role, groups in roles.items():
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
    """Those that are cells of the board, by their places."""
    found: list[int] = places[cells[cells < len(places)]].tolist()
    return found


def _moves(edges: NDArray[np.int64], places: NDArray[np.int32]) -> list[list[int]]:
    """Those between cells of the board."""
    inside = edges.astype(np.int64)[(edges < len(places)).all(axis=1)][:MOST_MOVES]
    found: list[list[int]] = places[inside].tolist()
    return found
