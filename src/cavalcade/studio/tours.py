"""Tours, proofs, counts and puzzles for the page."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.answers.puzzles import Puzzle
from cavalcade.answers.verdict import Found, Impossible
from cavalcade.ask.portfolio import prove as prove_none
from cavalcade.ask.portfolio import tour as find_tour
from cavalcade.counting.total import count as count_tours
from cavalcade.puzzles.making import puzzle as make_puzzle
from cavalcade.question.statement import statement
from cavalcade.studio.message import places_of
from cavalcade.studio.story import story
from cavalcade.theorems.literature import citation, citations

if TYPE_CHECKING:
    from collections.abc import Callable

    from cavalcade.answers.verdict import Verdict
    from cavalcade.frontier.search import Progress
    from cavalcade.question.question import Question
    from cavalcade.studio.message import Message

COUNT_MEMORY = 3 << 30  # bytes for the tables of a count
EVERY = 0.1  # seconds between two reports of progress
LARGE_PROOF = 2_000_000  # characters of a certificate that are not sent


def tour(message: Message) -> dict[str, Any]:
    """A tour, or a proof that there is none."""
    return _asked(message, find_tour, 10.0)


def prove(message: Message) -> dict[str, Any]:
    """A proof that there is no tour, or a tour."""
    return _asked(message, prove_none, 60.0)


def _asked(message: Message, ask: Callable[..., Verdict], seconds: float) -> dict[str, Any]:
    question = message.parsed()
    verdict = ask(question, seed=message.whole("seed", 0), time_limit=message.seconds(seconds))
    return described(verdict, question)


def described(verdict: Verdict, question: Question) -> dict[str, Any]:
    """A verdict as plain data: its words, and the tour or the proof step by step."""
    seconds = verdict.seconds
    took = f"by {verdict.method} in {seconds:.3g} s, seed {verdict.seed}"
    found: dict[str, Any] = {"status": verdict.status, "seconds": seconds}
    found |= {"method": verdict.method, "seed": verdict.seed}
    if isinstance(verdict, Found):
        cited = _cited(question)
        said = f"{'A' if question.closed else 'An'} {statement(question)}, found {took}, and checked."
        return found | {"message": f"{said} {cited}".strip(), **walked(verdict)}
    found["reason"] = verdict.reason
    if not isinstance(verdict, Impossible):
        return found | {"message": f"Undecided: {verdict.reason}."}
    found["message"] = f"Impossible: {verdict.reason} {_cited(question)}".strip()
    if verdict.certificate is not None:
        found["message"] = f"Impossible: there is {verdict.certificate.claim}. {_cited(question)}".strip()
        text = verdict.certificate.to_json()
        found["certificate"] = text if len(text) <= LARGE_PROOF else None
        found["story"] = story(verdict.certificate)
    return found


def _cited(question: Question) -> str:
    """The theorem that states it, if one is known."""
    return citation(question.board, question.piece, question.closed) if citations(question) else ""


def walked(verdict: Found) -> dict[str, Any]:
    """The tour of a verdict, by places."""
    tour = verdict.tour
    places = places_of(tour.board)
    return {"cells": places[tour.cells], "closed": tour.closed}


def count(message: Message) -> dict[str, Any]:
    """How many tours there are."""
    reported = 0.0

    def progress(now: Progress) -> None:
        nonlocal reported
        if time.perf_counter() - reported < EVERY:
            return
        reported = time.perf_counter()
        words = f"{now.taken:,} of {now.vertices:,} cells, {now.states:,} states, {now.bytes / 1e6:,.0f} MB"
        message.more({"type": "progress", "done": now.taken / max(now.vertices, 1), "message": words})

    found = count_tours(
        message.parsed(), memory=COUNT_MEMORY, time_limit=message.seconds(60.0), progress=progress
    )
    return {
        "status": "counted",
        "message": f"{found.count:,}: {found.conventions}. Counted in {found.seconds:.3g} s.",
        "count": str(found.count),
        "seconds": found.seconds,
    }


def puzzle(message: Message) -> dict[str, Any]:
    """A puzzle with one solution: the numbers that are given, and how hard it is."""
    seed = message.whole("seed", 0)
    question = message.parsed()
    if question.start is None:  # so that the first number is given
        start = int(np.random.default_rng(seed).integers(question.board.size))
        question = message.parsed(start=question.board.name(start))
    found = make_puzzle(question, seed=seed, fewest=message.flag("fewest"), time_limit=message.seconds(30.0))
    if not isinstance(found, Puzzle):
        return described(found, question)
    places = places_of(question.board)
    return {
        "status": "found",
        "message": f"{len(found.given)} of {question.board.size} numbers are given; "
        f"exactly one tour has them. The puzzle is {found.grade}.",
        "steps": np.array([step for step, _ in found.given], dtype=np.int32),
        "cells": places[[cell for _, cell in found.given]],
        "closed": found.closed,
    }
