"""Walks: by Warnsdorff's rule, and whether a walk by hand can be completed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible
from cavalcade.ask.portfolio import tour as find_tour
from cavalcade.checking.constraints import unmet
from cavalcade.checking.tours import check as check_tour
from cavalcade.find.numbered import numbered
from cavalcade.find.warnsdorff import warnsdorff as walk_by_rule
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import CellError
from cavalcade.ground.wording import say
from cavalcade.question.question import Question
from cavalcade.question.words import CONSTRAINTS, TIES, Ties, key_of
from cavalcade.studio.message import DRAWN, Message, places_of, question_of
from cavalcade.studio.tours import described
from cavalcade.theorems.literature import citation

COUNTED = 3_000_000  # work to count the continuations of a walk: about 0.03 s


def warnsdorff(message: Message) -> dict[str, Any]:
    """Return a walk by Warnsdorff's rule, and the rule that breaks ties."""
    question = message.parsed()
    ties = cast("Ties", message.text("ties", TIES[0]))  # `walk_by_rule` refuses others
    start = 0 if question.start is None else question.start
    place, piece, seed = question.board, question.piece, message.whole("seed", 0)
    verdict = walk_by_rule(place, start, piece=piece, ties=ties, seed=seed)
    if verdict.status == "found":
        tour = verdict.tour
        kind = "closed" if tour.closed else "open"
        sentence: str = say(f"warnsdorff.{kind}", size=place.size, board=place.title)
    elif verdict.partial is not None:
        tour, sentence = verdict.partial, f"{verdict.reason}."
    else:
        raise CellError(f"no walk of {place.title} starts there")
    return {
        "status": verdict.status,
        "message": sentence,
        "cells": places_of(place)[tour.cells],
        "closed": tour.closed,
        "equals": ties,
    }


def finish(message: Message) -> dict[str, Any]:
    """Return whether a walk can be completed to a tour, and the tour."""
    board = message.board
    walk = message.cells("walk", board)
    if not len(walk):
        raise CellError("the walk is empty, expected at least 1 cell")
    names = [board.name(int(cell)) for cell in walk]
    moves = ["-".join(pair) for pair in pairwise(names)]
    question = message.parsed(start=names[0], moves=moves)
    verdict = find_tour(question, seed=message.whole("seed", 0), time_limit=message.seconds(3.0))
    content = described(verdict, question)
    if isinstance(verdict, Found):
        tour = verdict.tour
        if len(walk) > 1 and not (tour.cells[: len(walk)] == walk).all():
            tour = tour.reversed() if tour.closed else tour
        content["cells"] = places_of(board)[tour.cells]
        content["message"] = say(f"finish.yes.{'closed' if tour.closed else 'open'}")
    elif verdict.status == "impossible":
        content |= {"message": say(f"finish.no.{question.kind}")}
        if not any(message.question[key_of(name)] for name in CONSTRAINTS):
            content |= _mistake(message, walk)
    else:
        content["message"] = say("finish.undecided", seconds=f"{verdict.seconds:.2g}")
    return content


def _mistake(message: Message, walk: NDArray[np.int32]) -> dict[str, Any]:
    """Return the step of a walk that was the mistake with its proof, or the proof that the board has no tour.

    Bisection finds the shortest beginning that cannot be completed. Its proof is about the remaining cells
    and the ends of the beginning: there is no open tour of these.
    """
    board, question = message.board, message.parsed()
    closed, seconds = question.closed, message.seconds(3.0)

    def rest(length: int, cell: int | None = None) -> Question:
        """The question after some steps; the last of them leads to another cell if one is named."""
        visited = walk[1 : length - 1] if closed else walk[: length - 1]
        ends = {
            "start": board.name(int(walk[length - 1]) if cell is None else cell),
            "end": message.question["end"],
        }
        if closed and length > 1:
            ends["end"] = board.name(int(walk[0]))
        words = message.question | ends | {"open": not closed or length > 1}
        return question_of(board.without(visited.tolist()), words)

    whole_verdict = find_tour(question, time_limit=seconds)
    if isinstance(whole_verdict, Impossible):
        sentence = say(f"finish.none.{question.kind}", board=board.title).then(citation(question))
        return described(whole_verdict, question) | {"message": sentence, "walk": []}
    longest_good, shortest_bad, verdicts = 0, len(walk), {}
    while shortest_bad not in verdicts or shortest_bad - longest_good > 1:
        middle = shortest_bad if shortest_bad not in verdicts else (longest_good + shortest_bad) // 2
        verdicts[middle] = find_tour(rest(middle), time_limit=seconds)
        if verdicts[middle].status == "impossible":
            shortest_bad = middle
        elif middle == shortest_bad:
            return {}
        else:
            longest_good = middle
    step = {"step": shortest_bad, "cell": board.name(int(walk[shortest_bad - 1]))}
    saving: list[int] = []
    if shortest_bad == 1:
        sentence = say(f"mistake.start.{question.kind}", **step)
    else:
        fixed = {i + 1: int(cell) for i, cell in enumerate(walk[: shortest_bad - 1])}
        if not closed and question.end is not None:
            fixed[board.size] = question.end
        ways = numbered(question.graph, fixed, Budget(COUNTED), closed=closed, most=DRAWN)
        sentence = say("mistake.ways" if ways.complete else "mistake.at-least", ways=len(ways.tours), **step)
        onward = question.graph.neighbours(int(walk[shortest_bad - 2])).tolist()
        saving = [
            cell
            for cell in sorted(set(onward) - set(walk[:shortest_bad].tolist()))
            if isinstance(find_tour(rest(shortest_bad, cell), time_limit=seconds), Found)
        ]
        if saving:
            sentence = sentence.then(say("mistake.saving", cells=[*map(board.name, saving)]))
    content = described(verdicts[shortest_bad], rest(shortest_bad))
    rest_of_walk = {"n": board.size - shortest_bad, "start": board.name(int(walk[0])), **step}
    goal = say(f"mistake.goal.{question.kind}", **rest_of_walk)
    story = [{"text": goal, "rule": "walk", "forced": [], "out": []}, *content.get("story", [])[:-1]]
    story.append({"text": say(f"mistake.end.{question.kind}", step=shortest_bad)})
    walked = places_of(board)[walk[:shortest_bad]]
    sentence = say(f"finish.no.{question.kind}").then(sentence)
    return content | {
        "message": sentence,
        "story": story,
        "walk": walked,
        "lost": shortest_bad,
        "saving": places_of(board)[saving],
    }


def check(message: Message) -> dict[str, Any]:
    """Return whether a walk is a tour, and meets the conditions of the question."""
    question = message.parsed()
    cells = message.cells("walk", message.board)
    tour = Tour(question.board, cells, question.closed, question.piece)
    checked = check_tour(tour)
    unmet_condition = "" if not checked else unmet(question, tour)
    if not checked or unmet_condition:
        return {"status": "wrong", "message": unmet_condition or checked.message}
    return {"status": "right", "message": say(f"check.{question.kind}", board=question.board.title)}
