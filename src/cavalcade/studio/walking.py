"""Walks: Warnsdorff's rule step by step, and what can still become of a walk by hand."""

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
from cavalcade.studio.asking import told
from cavalcade.studio.question import places_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cavalcade.question.question import Question
    from cavalcade.studio.question import Asked

EXPLAINED = 2_500  # steps of which each choice is told
EQUALS = {
    "first": "the first in the order of the moves is taken",
    "last": "the last in the order of the moves is taken",
    "random": "one is drawn at random",
    "pohl": "the one whose own free neighbours have the fewest moves in sum is taken",
    "lookahead": "the one from which the best next step has the fewest moves is taken",
    "roth": "the one farthest from the centre is taken",
    "squirrel-cull": "the order of the moves that Squirrel and Cull give for this part of the walk decides",
}


def warnsdorff(asked: Asked) -> dict[str, Any]:
    """A walk by Warnsdorff's rule, with the choice at every step."""
    question = asked.parsed()
    ties = asked.text("ties", TIES[0])
    start = 0 if question.start is None else question.start
    place, piece, seed = question.board, question.piece, asked.whole("seed", 0)
    verdict = walk_by_rule(place, start, piece=piece, ties=ties, seed=seed)
    tour = verdict.tour if isinstance(verdict, Found) else verdict.partial
    if tour is None:
        raise CellError(f"no walk of {place.title} begins there")
    places = places_of(place)
    if isinstance(verdict, Found):
        said = f"Warnsdorff's rule visits all {place.size:,} cells of {place.title}"
        said += (
            ", and the last is a move from the first: a closed tour." if tour.closed else ": an open tour."
        )
    else:
        said = f"{verdict.reason}."
    found = {
        "status": verdict.status, "message": said, "cells": places[tour.cells],
        "closed": tour.closed, "choices": [], "left_out": [],
    }  # fmt: skip
    if len(tour) > EXPLAINED:
        found["left_out"] = [f"On more than {EXPLAINED:,} cells the choices are not told one by one."]
        return found
    return found | {"choices": _choices(question, tour, EQUALS[ties], places)}


def _choices(question: Question, tour: Tour, equals: str, places: NDArray[np.int32]) -> list[dict[str, Any]]:
    """For every cell of a walk where one could go from there, how many moves each has on, and why where."""
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
        return f"{here} {'Every cell is visited' if k + 1 == size else 'No move is left'}."
    pairs = sorted(zip(counts, options, strict=True))
    listed = ", ".join(f"{name(cell)} ({degree})" for degree, cell in pairs)
    fewest = pairs[0][0]
    same = sum(degree == fewest for degree, _ in pairs)
    taken = name(cells[k + 1])
    if len(pairs) == 1:
        return f"{here} Only {taken} is left."
    why = f"{fewest} is the fewest" if same == 1 else f"{same} have the fewest, {fewest}; {equals}"
    return (
        f"{here} The next cells, with the moves on from there: {listed}. {why[0].upper()}{why[1:]}: {taken}."
    )


def finish(asked: Asked) -> dict[str, Any]:
    """Whether a walk can still become a tour, and how."""
    board = asked.board
    walk = asked.cells("walk", board)
    if not len(walk):
        raise CellError("the walk is empty, expected at least its first cell")
    names = [board.name(int(cell)) for cell in walk]
    moves = ["-".join(pair) for pair in pairwise(names)]
    question = asked.parsed(start=names[0], more=moves)
    verdict = find_tour(question, seed=asked.whole("seed", 0), time_limit=asked.seconds(3.0))
    found = told(verdict, question)
    if isinstance(verdict, Found):
        tour = verdict.tour
        if len(walk) > 1 and not (tour.cells[: len(walk)] == walk).all():
            tour = tour.reversed() if tour.closed else tour
        found["cells"] = places_of(board)[tour.cells]
        found["message"] = f"Yes: {'a closed' if tour.closed else 'an open'} tour begins with this walk."
    elif verdict.status == "impossible":
        found["message"] = f"No: no {question.kind} tour begins with this walk."
    else:
        found["message"] = f"Not decided in {verdict.seconds:.2g} s."
    return found


def check(asked: Asked) -> dict[str, Any]:
    """Whether a walk is a tour, and the one that was asked for."""
    question = asked.parsed()
    cells = asked.cells("walk", asked.board)
    tour = Tour(question.board, cells, question.closed, question.piece)
    checked = check_tour(tour)
    wrong = "" if not checked else unmet(question, tour)
    return {"status": "right" if checked and not wrong else "wrong", "message": wrong or checked.message}
