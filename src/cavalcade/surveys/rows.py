"""Answering one question of a survey: a row of its table.

Columns, after the names of the family:

    board, piece, kind    specs, and closed or open
    statement             the complete question in canonical words, see `question.statement`; for `count` with
                          the direction, and with the shard if it is one: `…, undirected; shard 3 of 8`
    verdict               found, impossible, undecided, counted (a shard), or refused (not a question; see
                          reason)
    method                the engine that answered
    rule                  rules of the contradictions of the proof; sat, or positions
    reason                why there is no tour or no answer, in words
    certificate           the SHA-256 of the certificate as JSON, without its line end
    count                 for `count`: the number of undirected tours, or the part of a shard; for
    `warnsdorff`:
                          the number of walks that are such tours
    bytes                 peak memory of the tables
    seconds               wall time
    version               of cavalcade
    measures              for `measure`: a JSON object with the measures of the tour; for `warnsdorff`: with
                          the numbers of walks, tours and closed tours
    seal                  digest of the row, its place, and the survey, see `ground.container`

The same survey has the same rows on every machine, except for `seconds` and for rows that are undecided
because of the time limit or the memory.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from dataclasses import dataclass
from typing import Any

from cavalcade.answers.certificate import Certificate, PositionProof, Step, StepProof
from cavalcade.answers.verdict import Found, Impossible
from cavalcade.ground import __version__
from cavalcade.ground.budget import assert_time, limits, machine_memory, seconds_left
from cavalcade.ground.errors import CavalcadeError, TooLargeError, whole
from cavalcade.question.question import Question
from cavalcade.question.statement import statement
from cavalcade.surveys.families import COLUMNS, OF_WALKS, Member

VERBS = ("tour", "prove", "count", "measure", "warnsdorff")
UNASKED = {"shard", *OF_WALKS}  # words that are not part of the question
DECIDED = {"found", "impossible", "counted"}  # verdicts that answer a question
VERDICTS = DECIDED | {"undecided", "refused"}
METHOD = "class"  # how shards are split; shards of different methods do not add up

Row = dict[str, "int | float | str"]


@dataclass(frozen=True)
class Asking:
    """Options for every question of a survey.

    Args:
        verb: `tour`, `prove`, `count`, `measure` (find a tour and measure it) or `warnsdorff` (walk).
        time_limit: seconds for each question; None for 10, or for no limit with counts and walks.
        seed: seed of the random choices.
        memory: bytes for each question; None for half of the machine's memory.
        keep: also return tours and certificates.
    """

    verb: str = "tour"
    time_limit: float | None = None
    seed: int = 0
    memory: int | None = None
    keep: bool = False


def answer(member: Member, asking: Asking) -> tuple[Row, str]:
    """Answer a question: return its row, and the tour or certificate to keep, as JSON."""
    began = time.perf_counter()
    row: Row = {**member.values, **dict.fromkeys(COLUMNS, "")}
    row |= {"board": member.board, "piece": member.piece, "kind": member.kind, "version": __version__}
    kept = ""
    solve = {"count": _counted, "warnsdorff": _walked}.get(asking.verb, _decided)
    default = 10.0 if solve is _decided else math.inf  # seconds for a tour or a proof
    seconds = default if asking.time_limit is None else asking.time_limit
    memory = machine_memory() // 2 if asking.memory is None else asking.memory
    try:
        with limits(seconds, memory):
            question = question_of(member)
            row["statement"] = statement_of(question, member, asking.verb)
            answers, kept = solve(question, member, asking)
        if answers["verdict"] == "undecided":
            assert_time("the whole survey ends")
        row |= answers
    except TimeoutError as error:
        if seconds_left() < 0:  # the limit of the whole survey: a resumed survey asks the question again
            raise
        row |= {"verdict": "undecided", "reason": f"no answer in {seconds:g} s: {error}"}
    except (TooLargeError, MemoryError) as error:
        row |= {"verdict": "undecided", "reason": str(error) or "there is not enough memory"}
    except CavalcadeError as error:
        row |= {"verdict": "refused", "reason": str(error)}
    row["seconds"] = round(time.perf_counter() - began, 4)
    return row, kept if asking.keep else ""


def question_of(member: Member) -> Question:
    """Return the question of a member, without its shard and the options of walks.

    Raises:
        CavalcadeError: the question is invalid.
    """
    words: dict[str, Any] = {
        "with_" if key == "with" else key: value for key, value in member.words.items() if key not in UNASKED
    }
    if str(words.get("coils", "")).isdecimal():  # templates produce text
        words["coils"] = int(words["coils"])
    piece = None if member.piece == "knight" else member.piece
    return Question.of(member.board, piece=piece, open=member.kind == "open", **words)


def statement_of(question: Question, member: Member, verb: str) -> str:
    """Return the statement of a row: of its question, and for a count of its direction and its shard."""
    text = statement(question)
    if verb == "count":
        text += ", directed" if question.ends or question.one_way else ", undirected"
    if shard := member.words.get("shard"):
        text += "; shard {} of {}".format(*shard_of(shard))
    return text


def walking(member: Member) -> tuple[str, bool, int | None]:
    """Return the options of walks: tie rule, whether the start counts as visited, and number; None for all.

    Raises:
        CavalcadeError: the tie rule or the number of walks is invalid, or the question has constraints.
    """
    from cavalcade.question.words import TIES

    if constraints := [word for word in member.words if word not in {*OF_WALKS, "start"}]:
        raise CavalcadeError(f"walks do not support {constraints[0]!r}: leave it out")
    ties, counted, most = (member.words.get(word) for word in OF_WALKS)
    if (ties := ties or TIES[0]) not in TIES:
        raise CavalcadeError(f"unknown ties {ties!r}, expected one of {', '.join(TIES)}")
    return ties, counted is None or bool(counted), None if most is None else whole(most, "walks", least=1)


def shard_of(text: str) -> tuple[int, int]:
    """Parse a shard such as `3/16`: its number, from 0, and the number of shards.

    Raises:
        CavalcadeError: the text is not a shard.
    """
    number, _, shards = text.partition("/")
    if not (number.isdigit() and shards.isdigit() and len(shards) < 7 and int(number) < int(shards)):
        raise CavalcadeError(f"{text[:40]!r} is not a shard, expected one like 3/16, from 0/16 to 15/16")
    return int(number), int(shards)


def _counted(question: Question, member: Member, asking: Asking) -> tuple[Row, str]:
    if shard := member.words.get("shard"):
        from cavalcade.counting.shards import count_shard
        from cavalcade.states.search import Progress

        record = Progress()
        number, size = count_shard(question, *shard_of(shard), record), record.peak_bytes
        method, verdict = METHOD, "counted"
    else:
        from cavalcade.counting.total import count

        total = count(question, memory=asking.memory)
        number, size, method = total.count, total.peak_bytes, "count"
        verdict = "found" if number else "impossible"
    return {"verdict": verdict, "method": method, "count": str(number), "bytes": size}, ""


def _walked(question: Question, member: Member, asking: Asking) -> tuple[Row, str]:
    """Walk by Warnsdorff's rule from all cells where a tour may begin, or from a sample."""
    import numpy as np

    from cavalcade.answers.tours import Tour
    from cavalcade.checking.tours import check
    from cavalcade.find.warnsdorff import preference, walks
    from cavalcade.question.parts import hopeful

    ties, counted, most = walking(member)
    starts = hopeful(question.graph) if question.start is None else np.array([question.start])
    if most is not None and most < len(starts):
        starts = np.random.default_rng(asking.seed).choice(starts, most, replace=False)
    preferred = preference(question.board, question.graph, ties, question.piece)
    tours, closed, kept = 0, 0, ""
    for path in walks(
        question.graph, starts, ties=ties, count_start=counted, seed=asking.seed, preference=preferred
    ):
        closes = bool(path[0] in question.graph.neighbours(int(path[-1])))
        tour = Tour(question.board, path, closed=question.closed or closes, piece=question.piece)
        if check(tour):
            tours += 1
            closed += tour.closed
            if asking.keep and not kept:
                kept = json.dumps({"tour": tour.names})
    row: Row = {"verdict": "found" if tours else "undecided", "method": "warnsdorff", "count": str(tours)}
    row["measures"] = json.dumps({"walks": len(starts), "tours": tours, "closed": closed})
    return row | ({} if tours else {"reason": f"none of {len(starts):,} walks is such a tour"}), kept


def _decided(question: Question, member: Member, asking: Asking) -> tuple[Row, str]:
    from cavalcade.ask.portfolio import answer as decide

    del member
    verdict = decide(question, asking.seed, proof=asking.verb == "prove")
    row: Row = {"verdict": verdict.status, "method": verdict.method}
    kept = ""
    if isinstance(verdict, Found):
        if asking.keep:
            kept = json.dumps({"tour": verdict.tour.names})
        if asking.verb == "measure":
            row["measures"] = json.dumps(verdict.tour.measure().columns())
    else:
        row["reason"] = verdict.reason
    if isinstance(verdict, Impossible) and verdict.certificate is not None:
        kept = verdict.certificate.to_json().strip()
        row |= {"rule": rule_of(verdict.certificate), "certificate": digest(kept)}
    return row, kept


def digest(certificate: str) -> str:
    """Return the value of the column `certificate`, given the certificate as JSON."""
    return hashlib.sha256(certificate.encode()).hexdigest()


def rule_of(certificate: Certificate) -> str:
    """Return the rules of the contradictions of a proof, and `branch` if it distinguishes cases."""
    if not isinstance(certificate.proof, StepProof):
        return "positions" if isinstance(certificate.proof, PositionProof) else "sat"
    ends = dict.fromkeys(_ends(certificate.proof.steps))
    return " ".join([*ends, *["branch"] * any(step.cases for step in certificate.proof.steps)])


def _ends(steps: tuple[Step, ...]) -> list[str]:
    last = steps[-1]
    return [rule for case in last.cases for rule in _ends(case)] if last.cases else [last.rule]
