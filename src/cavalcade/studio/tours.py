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
from cavalcade.ground.wording import Said, say
from cavalcade.puzzles.making import puzzle as make_puzzle
from cavalcade.question.question import Question
from cavalcade.question.statement import statement
from cavalcade.states.search import Progress
from cavalcade.studio.message import DRAWN, KINDS, Message, lines, places_of, words_of
from cavalcade.studio.workers import LIMITS
from cavalcade.theorems.literature import citation, known_counts

COUNT_MEMORY = (
    LIMITS.memory - LIMITS.retained
)  # bytes for the tables of a count; the rest is for code and data


def tour(message: Message) -> dict[str, Any]:
    """Return a tour, or a proof that there is none."""
    return _asked(message, find_tour, 10.0)


def prove(message: Message) -> dict[str, Any]:
    """Return a proof that there is no tour, or a tour."""
    return _asked(message, prove_none, 60.0)


def _asked(message: Message, ask: Callable[..., Verdict], seconds: float) -> dict[str, Any]:
    question = message.parsed()
    verdict = ask(question, seed=message.whole("seed", 0), time_limit=message.seconds(seconds))
    return described(verdict, question)


def described(verdict: Verdict, question: Question) -> dict[str, Any]:
    """Return a verdict as plain data: its message, and the tour or the proof step by step."""
    seconds = verdict.seconds
    content: dict[str, Any] = {"status": verdict.status, "seconds": seconds}
    content |= {"method": verdict.method, "seed": verdict.seed}
    if isinstance(verdict, Found):
        content["cells"] = places_of(verdict.tour.board)[verdict.tour.cells]
        return content | {
            "message": say(f"found.{question.kind}", tour=tour_words(question)).then(citation(question)),
            "closed": verdict.tour.closed,
        }
    content["reason"] = verdict.reason
    if not isinstance(verdict, Impossible):
        return content | {"message": say("undecided", reason=verdict.reason)}
    content["message"] = say("impossible.reason", reason=verdict.reason).then(citation(question))
    if verdict.certificate is not None:
        content["message"] = say("impossible", tour=tour_words(question)).then(citation(question))
        text = verdict.certificate.to_json()
        # To save the proof, the page sends it back as a text.
        content["certificate"] = text if len(text) <= KINDS[str][1] else None
        content["story"] = _story(verdict.certificate)
    return content


def tour_words(question: Question) -> Said:
    """Return the statement of a question as a message."""
    return say(f"tour.{question.kind}", board=statement(question).partition(" tour of ")[2])


def _story(certificate: Certificate) -> list[dict[str, Any]]:
    """Return the sentences of a proof in order, each with the cells and moves that it highlights.

    An entry has `text`, `rule` and, if the rule names cells or moves, their places:

    named       cells that the step is about
    beside      neighbours of these cells, or the other colour
    parts       remaining parts, a list for each
    rest        largest part of a cut, if its cells have no sign
    counted     cells whose moves are counted
    moves       moves of the contradiction, as pairs
    forced      moves that every tour uses, up to this step
    out         moves that no tour uses, up to this step
    meanings    legend of these signs, if the rule has words of its own
    """
    places = places_of(certificate.question.board)
    story: list[dict[str, Any]] = []
    for text, step, present in with_steps(certificate):
        entry: dict[str, Any] = {"text": text}
        if step is not None and present is not None:
            entry |= _highlighted(step, present, places)
            if story and story[-1].get("rule") in DEDUCTIONS:  # a move is drawn when it is ruled out
                story[-1] |= {role: entry[role] for role in ("forced", "out")}
        story.append(entry)
    return story


def _highlighted(step: Step, present: PresentGraph, places: NDArray[np.int32]) -> dict[str, Any]:
    """Return the cells and moves of a step by role."""
    highlighted: dict[str, Any] = {"rule": step.rule, "meanings": meanings(step.rule, present.question)}
    for role, groups in roles(step, present).items():
        if role == "moves":
            highlighted[role] = _moves(
                present.edges[np.concatenate([*groups, np.zeros(0, np.int64)])], places
            )
        elif role == "parts":
            highlighted[role] = [cells for group in groups if (cells := _cells(group, places))]
        else:
            highlighted[role] = [cell for group in groups for cell in _cells(group, places)]
    if step.rule == "cut":
        seen = {
            *highlighted["named"],
            *highlighted["beside"],
            *(cell for part in highlighted["parts"] for cell in part),
        }
        highlighted["rest"] = [cell for cell in places.tolist() if cell not in seen]
    for role, status in (("forced", FORCED), ("out", OUT)):
        highlighted[role] = _moves(present.edges[present.status == status], places)
    return highlighted


def _cells(cells: NDArray[np.int64], places: NDArray[np.int32]) -> list[int]:
    """Return the places of the board cells among given vertices."""
    board_cells: list[int] = places[cells[cells < len(places)]].tolist()
    return board_cells


def _moves(edges: NDArray[np.int64], places: NDArray[np.int32]) -> list[list[int]]:
    """Return the places of the moves between board cells; more than `DRAWN` would hide the board."""
    inside = edges.astype(np.int64)[(edges < len(places)).all(axis=1)][:DRAWN]
    pairs: list[list[int]] = places[inside].tolist()
    return pairs


def count(message: Message) -> dict[str, Any]:
    """Return the number of tours: a known number, or a count that is given up if it exceeds the limits."""
    question = message.parsed()
    if known_count := known_counts().get(statement(question)):
        number, source = known_count
        sentence = say(f"count.known.{question.kind}", number=f"{number:,}", source=source)
        return {"status": "counted", "message": sentence, "count": str(number)}
    seconds = message.seconds(60.0)
    reported = 0.0

    def progress(now: Progress) -> None:
        nonlocal reported
        needs, lasts = now.expected_bytes, now.expected_seconds
        if now.states > BEGUN and (needs > COUNT_MEMORY or lasts > seconds):
            raise TooLargeError(
                say(
                    "count.needs",
                    bytes=data_size(needs),
                    seconds=f"{lasts:,.0f}",
                    memory=data_size(COUNT_MEMORY),
                    limit=f"{seconds:g}",
                    line=lines(message.question)["count"]["shell"],
                )
            )
        if time.perf_counter() - reported < LIMITS.beat:
            return
        reported = time.perf_counter()
        message.send({"type": "progress", "done": now.taken / max(now.vertices, 1), "message": str(now)})

    with warnings.catch_warnings(action="ignore"):  # that it may not fit
        counted = count_tours(question, memory=COUNT_MEMORY, time_limit=seconds, progress=progress)
    return {
        "status": "counted",
        "message": say(
            "count.counted",
            number=f"{counted.count:,}",
            conventions=counted.conventions,
            seconds=f"{counted.seconds:.3g}",
        ),
        "count": str(counted.count),
        "seconds": counted.seconds,
    }


def puzzle(message: Message) -> dict[str, Any]:
    """Return a puzzle with one solution as a question, with its solution and its grade."""
    seed, kind = message.whole("seed", 0), message.text("kind", "")
    options: dict[str, Any] = {  # `puzzle` refuses an unknown level or kind
        "seed": seed,
        "fewest": message.flag("fewest"),
        "level": message.text("level", "") or None,
        "time_limit": message.seconds(30.0),
    }
    question = message.parsed()
    if kind:
        made = make_puzzle(message.board, **options | {"kind": kind})
    else:
        if question.start is None:  # so that the first number is given
            question = _with_start(message, question, seed, options["time_limit"])
        made = make_puzzle(question, **options)
    if not isinstance(made, Puzzle):
        return described(made, question)
    text = say(
        "puzzle.made.walls" if made.ordered else "puzzle.made",
        given=len(made.given),
        size=made.board.size,
        walls=len(made.forbidden),
        grade=say(f"grade.{made.grade}"),
    )
    return {
        "status": "found",
        "message": text,
        "grade": made.grade,
        "question": words_of(made.question),
        "solution": None if made.solution is None else places_of(made.question.board)[made.solution.cells],
    }


def _with_start(message: Message, question: Question, seed: int, limit: float) -> Question:
    """Return a question with a random start at which a tour starts; without one if there is no open tour.

    Args:
        message: the message of the page.
        question: its question, which has no start.
        seed: seed of the random choices.
        limit: time limit of a search in seconds.
    """
    cells = np.random.default_rng(seed).permutation(question.board.size).tolist()
    candidates = (message.parsed(start=question.board.name(cell)) for cell in cells)
    if question.closed:  # it starts anywhere
        return next(candidates)

    def has_tour(candidate: Question) -> bool:
        return isinstance(find_tour(candidate, seed=seed, time_limit=limit), Found)

    return next(filter(has_tour, candidates), question) if has_tour(question) else question
