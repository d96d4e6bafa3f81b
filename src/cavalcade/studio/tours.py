"""Tours, proofs step by step, counts and puzzles for the page."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import Certificate, Step
from cavalcade.answers.puzzles import Puzzle
from cavalcade.answers.verdict import Found, Impossible, Verdict
from cavalcade.ask.portfolio import prove as prove_none
from cavalcade.ask.portfolio import tour as find_tour
from cavalcade.checking.present import FORCED, OUT, PresentGraph
from cavalcade.checking.rules import DEDUCTIONS
from cavalcade.counting.cycles import BEGUN
from cavalcade.counting.total import count as count_tours
from cavalcade.explaining.rules import meanings, roles
from cavalcade.explaining.sentences import with_steps
from cavalcade.ground.budget import data_size
from cavalcade.ground.errors import TooLargeError
from cavalcade.puzzles.making import puzzle as make_puzzle
from cavalcade.question.question import Question
from cavalcade.question.statement import statement
from cavalcade.states.search import Progress
from cavalcade.studio.message import Message, lines, places_of
from cavalcade.theorems.literature import citation, known_counts

COUNT_MEMORY = 3 << 30  # bytes for the tables of a count
EVERY = 0.1  # seconds between two reports of progress
LARGE_PROOF = 2_000_000  # characters of a certificate that are not sent
MOST_MOVES = 5_000  # forced and excluded moves that are shown in one step of a proof


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
    found: dict[str, Any] = {"status": verdict.status, "seconds": seconds}
    found |= {"method": verdict.method, "seed": verdict.seed}
    if isinstance(verdict, Found):
        said = f"{'A' if question.closed else 'An'} {statement(question)}, found and checked."
        found["cells"] = places_of(verdict.tour.board)[verdict.tour.cells]
        return found | {"message": f"{said} {citation(question)}".strip(), "closed": verdict.tour.closed}
    found["reason"] = verdict.reason
    if not isinstance(verdict, Impossible):
        return found | {"message": f"Undecided: {verdict.reason}."}
    found["message"] = f"Impossible: {verdict.reason} {citation(question)}".strip()
    if verdict.certificate is not None:
        found["message"] = f"Impossible: there is {verdict.certificate.claim}. {citation(question)}".strip()
        text = verdict.certificate.to_json()
        found["certificate"] = text if len(text) <= LARGE_PROOF else None
        found["story"] = _story(verdict.certificate)
    return found


def _story(certificate: Certificate) -> list[dict[str, Any]]:
    """The sentences of a proof in order, each with what it highlights on the board.

    It has `text`, `rule` and, where the rule names cells or moves, their places:

    named       the cells that the step is about
    beside      their neighbours, or the other colour
    parts       the parts that remain, a list each
    counted     the cells whose moves are counted
    moves       the moves of the contradiction, as pairs
    forced      the moves that every tour uses, so far
    out         the moves that no tour uses, so far
    meanings    what these signs mean where this rule has words of its own
    """
    places = places_of(certificate.question.board)
    found: list[dict[str, Any]] = []
    for text, step, present in with_steps(certificate):
        one: dict[str, Any] = {"text": text}
        if step is not None and present is not None:
            one |= _highlighted(step, present, places)
            if found and found[-1].get("rule") in DEDUCTIONS:  # a move is drawn when it is ruled out
                found[-1] |= {role: one[role] for role in ("forced", "out")}
        found.append(one)
    return found


def _highlighted(step: Step, present: PresentGraph, places: NDArray[np.int32]) -> dict[str, Any]:
    found: dict[str, Any] = {"rule": step.rule, "meanings": meanings(step.rule, present.question)}
    for role, groups in roles(step, present).items():
        if role == "moves":
            found[role] = _moves(present.edges[np.concatenate([*groups, np.zeros(0, np.int64)])], places)
        elif role == "parts":
            found[role] = [cells for group in groups if (cells := _cells(group, places))]
        else:
            found[role] = [cell for group in groups for cell in _cells(group, places)]
    if step.rule == "cut":  # the largest part, too
        seen = {*found["named"], *found["beside"], *(cell for part in found["parts"] for cell in part)}
        if rest := [cell for cell in places.tolist() if cell not in seen]:
            found["parts"].append(rest)
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


def count(message: Message) -> dict[str, Any]:
    """How many tours there are: what is known at once, else counted, unless it will surely be too much."""
    question = message.parsed()
    if known := known_counts().get(statement(question)):
        number, source = known
        said = f"{number:,} {question.kind} tours: {source}."
        return {"status": "counted", "message": said, "count": str(number)}
    seconds = message.seconds(60.0)
    reported = 0.0

    def progress(now: Progress) -> None:
        nonlocal reported
        needs, lasts = now.expected_bytes, now.expected_seconds
        if now.states > BEGUN and (needs > COUNT_MEMORY or lasts > seconds):
            raise TooLargeError(
                f"this count needs about {data_size(needs)} and {lasts:,.0f} s, a question here may use "
                f"{data_size(COUNT_MEMORY)} and {seconds:g} s; in a shell: "
                + lines(message.question)["count"]["shell"]
            )
        if time.perf_counter() - reported < EVERY:
            return
        reported = time.perf_counter()
        message.more({"type": "progress", "done": now.taken / max(now.vertices, 1), "message": str(now)})

    with warnings.catch_warnings(action="ignore"):  # that it may not fit
        found = count_tours(question, memory=COUNT_MEMORY, time_limit=seconds, progress=progress)
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
    found = make_puzzle(
        question, seed=seed, fewest=message.flag("fewest"), level=message.text("level", "") or None,
        time_limit=message.seconds(30.0),
    )  # fmt: skip
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
        "grade": found.grade,
        "solution": None if found.solution is None else places[found.solution.cells],
    }
