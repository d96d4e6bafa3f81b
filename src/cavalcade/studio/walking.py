"""Walks: Warnsdorff's rule step by step, and whether a walk by hand can be completed."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found
from cavalcade.ask.portfolio import tour as find_tour
from cavalcade.checking.constraints import unmet
from cavalcade.checking.tours import check as check_tour
from cavalcade.find.ties import warnsdorff as walk_by_rule
from cavalcade.find.warnsdorff import TIES
from cavalcade.ground.errors import CellError
from cavalcade.studio.message import places_of
from cavalcade.studio.tours import described

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cavalcade.question.question import Question
    from cavalcade.studio.message import Message

EXPLAINED = 2_500  # steps up to which each choice is explained
EQUALS = {
    "first": "the rule takes the first in the order of the moves",
    "last": "the rule takes the last in the order of the moves",
    "random": "the rule draws one at random",
    "pohl": "the rule takes the one whose free neighbours have the fewest moves in sum",
    "lookahead": "the rule takes the one whose best next step has the fewest moves",
    "roth": "the rule takes the one farthest from the centre",
    "squirrel-cull": "the order of moves that Squirrel and Cull give for this part of the walk decides",
}


def warnsdorff(message: Message) -> dict[str, Any]:
    """A walk by Warnsdorff's rule, with the choice at every step."""
    question = message.parsed()
    ties = message.text("ties", TIES[0])
    start = 0 if question.start is None else question.start
    place, piece, seed = question.board, question.piece, message.whole("seed", 0)
    verdict = walk_by_rule(place, start, piece=piece, ties=ties, seed=seed)
    tour = verdict.tour if isinstance(verdict, Found) else verdict.partial
    if tour is None:
        raise CellError(f"no walk of {place.title} starts there")
    places = places_of(place)
    if isinstance(verdict, Found):
        said = f"Warnsdorff's rule visits all {place.size:,} cells of {place.title}"
        said += (
            ", and a move leads from the last to the first: a closed tour."
            if tour.closed
            else ": an open tour."
        )
    else:
        said = f"{verdict.reason}."
    found = {
        "status": verdict.status, "message": said, "cells": places[tour.cells],
        "closed": tour.closed, "choices": [], "left_out": [],
    }  # fmt: skip
    if len(tour) > EXPLAINED:
        found["left_out"] = [f"Choices are explained on up to {EXPLAINED:,} cells."]
        return found
    return found | {"choices": _choices(question, tour, EQUALS[ties], places)}


def _choices(question: Question, tour: Tour, equals: str, places: NDArray[np.int32]) -> list[dict[str, Any]]:
    """For every cell of a walk the legal moves, the onward moves of each, and why one is chosen."""
    graph, name = question.graph, question.board.name
    free = graph.degrees.astype(np.int64).copy()
    seen = np.zeros(graph.size, dtype=np.bool_)
    found = []
    cells = tour.cells.tolist()
    for k, at in enumerate(cells):
        seen[at] = True
        near = graph.neighbours(at)
        free[near] -= 1
        options = near[~seen[near]]
        counts = free[options]
        found.append(
            {
                "options": places[options],
                "degrees": counts.astype(np.int32),
                "text": _choice(k, at, cells, options.tolist(), counts.tolist(), name, equals, graph.size),
            }
        )
    return found


def _choice(
    k: int,
    at: int,
    cells: list[int],
    options: list[int],
    counts: list[int],
    name: Callable[[int], str],
    equals: str,
    size: int,
) -> str:
    """One choice in words."""
    here = f"Step {k + 1}, {name(at)}."
    if not options:
        return f"{here} {'Every cell is visited' if k + 1 == size else 'No move remains'}."
    pairs = sorted(zip(counts, options, strict=True))
    listed = ", ".join(f"{name(cell)} ({degree})" for degree, cell in pairs)
    fewest = pairs[0][0]
    same = sum(degree == fewest for degree, _ in pairs)
    taken = name(cells[k + 1])
    if len(pairs) == 1:
        return f"{here} Only {taken} remains."
    why = f"{fewest} is the fewest" if same == 1 else f"{same} have the fewest, {fewest}; {equals}"
    return f"{here} The next cells, with their onward moves: {listed}. {why[0].upper()}{why[1:]}: {taken}."


def finish(message: Message) -> dict[str, Any]:
    """Whether a walk can be completed to a tour, and how."""
    board = message.board
    walk = message.cells("walk", board)
    if not len(walk):
        raise CellError("the walk is empty, expected at least 1 cell")
    names = [board.name(int(cell)) for cell in walk]
    moves = ["-".join(pair) for pair in pairwise(names)]
    question = message.parsed(start=names[0], more=moves)
    verdict = find_tour(question, seed=message.whole("seed", 0), time_limit=message.seconds(3.0))
    found = described(verdict, question)
    if isinstance(verdict, Found):
        tour = verdict.tour
        if len(walk) > 1 and not (tour.cells[: len(walk)] == walk).all():
            tour = tour.reversed() if tour.closed else tour
        found["cells"] = places_of(board)[tour.cells]
        found["message"] = f"Yes: {'a closed' if tour.closed else 'an open'} tour starts with this walk."
    elif verdict.status == "impossible":
        found["message"] = f"No: no {question.kind} tour starts with this walk."
    else:
        found["message"] = f"Undecided after {verdict.seconds:.2g} s."
    return found


def check(message: Message) -> dict[str, Any]:
    """Whether a walk is a tour, and meets the conditions of the question."""
    question = message.parsed()
    cells = message.cells("walk", message.board)
    tour = Tour(question.board, cells, question.closed, question.piece)
    checked = check_tour(tour)
    wrong = "" if not checked else unmet(question, tour)
    return {"status": "right" if checked and not wrong else "wrong", "message": wrong or checked.message}
