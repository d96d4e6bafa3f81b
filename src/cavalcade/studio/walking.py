"""Walks: by Warnsdorff's rule, and whether a walk by hand can be completed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible
from cavalcade.ask.portfolio import tour as find_tour
from cavalcade.checking.constraints import unmet
from cavalcade.checking.tours import check as check_tour
from cavalcade.find.numbered import numbered
from cavalcade.find.warnsdorff import TIES
from cavalcade.find.warnsdorff import warnsdorff as walk_by_rule
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import CellError
from cavalcade.question.question import Question
from cavalcade.question.words import CONSTRAINTS, key_of
from cavalcade.studio.message import Message, places_of, question_of
from cavalcade.studio.tours import described
from cavalcade.theorems.literature import citation

COUNTED, WAYS = 3_000_000, 1_001  # work and ways to go on up to which they are counted
EQUALS = {
    "first": "the rule takes the first in the order of the moves",
    "last": "the rule takes the last in the order of the moves",
    "random": "the rule draws one at random",
    "pohl": "the rule takes the one whose free neighbours have the fewest moves in sum",
    "lookahead": "the rule takes the one whose best next step has the fewest moves",
    "roth": "the rule takes the one farthest from the centre",
    "squirrel-cull": "the order of moves that Squirrel and Cull give for this part of the walk decides",
    "best-order": "the best order of the moves decides",
}


def warnsdorff(message: Message) -> dict[str, Any]:
    """A walk by Warnsdorff's rule, and what decides between equal choices."""
    question = message.parsed()
    ties = message.text("ties", TIES[0])
    start = 0 if question.start is None else question.start
    place, piece, seed = question.board, question.piece, message.whole("seed", 0)
    verdict = walk_by_rule(place, start, piece=piece, ties=ties, seed=seed)
    if verdict.status == "found":
        tour = verdict.tour
        closing = ", and a move leads from the last to the first: a closed tour."
        said = f"Warnsdorff's rule visits all {place.size:,} cells of {place.title}"
        said += closing if tour.closed else ": an open tour."
    elif verdict.partial is not None:
        tour, said = verdict.partial, f"{verdict.reason}."
    else:
        raise CellError(f"no walk of {place.title} starts there")
    return {
        "status": verdict.status,
        "message": said,
        "cells": places_of(place)[tour.cells],
        "closed": tour.closed,
        "equals": EQUALS[ties],
    }


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
        found |= {"message": f"No: no {question.kind} tour starts with this walk."}
        if not any(message.question[key_of(name)] for name in CONSTRAINTS):
            found |= _mistake(message, walk)
    else:
        found["message"] = f"Undecided after {verdict.seconds:.2g} s."
    return found


def _mistake(message: Message, walk: NDArray[np.int32]) -> dict[str, Any]:
    """Which step of a walk was the mistake, and why; or why the board has no tour at all.

    The shortest beginning that cannot be completed is found by halving. Its proof is about the other cells
    and the ends of the beginning: an open tour of these is what is missing.
    """
    board, question = message.board, message.parsed()
    closed, seconds = question.closed, message.seconds(3.0)

    def rest(length: int) -> Question:
        gone = walk[1 : length - 1] if closed else walk[: length - 1]
        ends = {"start": board.name(int(walk[length - 1])), "end": message.question["end"]}
        if closed and length > 1:
            ends["end"] = board.name(int(walk[0]))
        words = message.question | ends | {"open": not closed or length > 1}
        return question_of(board.without(gone.tolist()), words)

    whole = find_tour(question, time_limit=seconds)
    if isinstance(whole, Impossible):
        said = f"No: {board.title} has no {question.kind} tour, wherever you begin. {citation(question)}"
        return described(whole, question) | {"message": said.strip(), "walk": []}
    last, lost, verdicts = 0, len(walk), {}
    while lost not in verdicts or lost - last > 1:
        middle = lost if lost not in verdicts else (last + lost) // 2
        verdicts[middle] = find_tour(rest(middle), time_limit=seconds)
        if verdicts[middle].status == "impossible":
            lost = middle
        elif middle == lost:
            return {}
        else:
            last = middle
    step = f"Step {lost}, {board.name(int(walk[lost - 1]))}, was the mistake"
    if lost == 1:
        said = f"{step}: no {question.kind} tour starts there."
    else:
        given = {i + 1: int(cell) for i, cell in enumerate(walk[: lost - 1])}
        if not closed and question.end is not None:
            given[board.size] = question.end
        ways = numbered(question.graph, given, Budget(COUNTED), closed=closed, most=WAYS)
        number = f"{'' if ways.complete else 'at least '}{len(ways.tours):,}"
        said = f"{step}: before it {number} {'way was' if number == '1' else 'ways were'} left."
    found = described(verdicts[lost], rest(lost))
    here, left = board.name(int(walk[lost - 1])), board.size - lost
    back = f" and come back to {board.name(int(walk[0]))}" if closed else ""
    goal = f"From {here} the walk must visit the other {left} cells{back}. It cannot:"
    story = [{"text": goal, "rule": "walk", "forced": [], "out": []}, *found.get("story", [])[:-1]]
    story.append({"text": f"So no {question.kind} tour goes on from step {lost}."})
    walked = places_of(board)[walk[:lost]]
    said = f"No: no {question.kind} tour starts with this walk. {said}"
    return found | {"message": said, "story": story, "walk": walked, "lost": lost}


def check(message: Message) -> dict[str, Any]:
    """Whether a walk is a tour, and meets the conditions of the question."""
    question = message.parsed()
    cells = message.cells("walk", message.board)
    tour = Tour(question.board, cells, question.closed, question.piece)
    checked = check_tour(tour)
    wrong = "" if not checked else unmet(question, tour)
    return {"status": "right" if checked and not wrong else "wrong", "message": wrong or checked.message}
