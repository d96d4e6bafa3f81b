"""Checking a survey: every question has a row, and all stored tours and certificates are correct."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count, islice

from cavalcade.answers.certificate import from_json
from cavalcade.answers.tours import Tour
from cavalcade.checking.certificates import verify
from cavalcade.checking.constraints import unmet
from cavalcade.checking.tours import check
from cavalcade.ground.budget import assert_time
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.question import Question
from cavalcade.question.statement import statement
from cavalcade.surveys.batches import Survey
from cavalcade.surveys.families import Member
from cavalcade.surveys.rows import DECIDED, Row, digest, question_of, rule_of


def check_survey(survey: Survey) -> Iterator[tuple[int, str]]:
    """Check a survey, batch after batch.

    Args:
        survey: the survey, finished or not.

    Yields:
        The number of correct tours and certificates of each batch, and its first error, or "".

    Raises:
        CavalcadeError: a file of the family is missing. A wrong survey raises nothing.

    Examples:
        >>> rows = survey("5x{n} for n in 5..6", "fives", verb="prove", keep=True, workers=1)
        >>> list(check_survey(rows))
        [(2, '')]
    """
    questions, done = survey.family.questions(), set(survey.done)
    for number in count():
        members = list(islice(questions, survey.batch))
        if not members:
            return
        assert_time(f"the survey was checked up to batch {number:06}")
        try:
            yield (
                _checked(survey, number, members) if number in done else (0, f"batch {number:06} is missing")
            )
        except CavalcadeError as error:
            yield 0, f"batch {number:06}: {error}"


def _checked(survey: Survey, number: int, members: list[Member]) -> tuple[int, str]:
    rows, kept = survey.read(number), survey.kept(number)
    where = f"batch {number:06}"
    if len(rows) != len(members):
        return 0, f"{where} has {len(rows):,} rows, expected {len(members):,}"
    if survey.asking.keep and len(kept) != len(rows):
        return 0, f"{where} keeps {len(kept):,} answers, expected {len(rows):,}"
    correct = 0
    for i, (member, row) in enumerate(zip(members, rows, strict=True)):
        about = {**member.values, "board": member.board, "piece": member.piece, "kind": member.kind}
        if any(row[name] != value for name, value in about.items()):
            return correct, f"{where}, row {i + 1} is about {row['board']}, expected {member.board}"
        if row["verdict"] not in DECIDED:
            continue
        question, wrong = question_of(member), ""
        if row["statement"] != (expected := statement(question)):
            wrong = f"it is about a {row['statement']}, expected a {expected}"
        elif survey.asking.verb == "count":
            tours = str(row["count"])
            if not tours.isdigit() or (tours == "0") != (row["verdict"] == "impossible"):
                wrong = f"it is {row['verdict']}, and the count is {tours[:40]!r}"
        elif kept:
            wrong = _wrong(question, row, kept[i], measured=survey.asking.verb == "measure")
            correct += not wrong
        if wrong:
            return correct, f"{where}, row {i + 1}, {row['board']}: {wrong}"
    return correct, ""


def _wrong(question: Question, row: Row, kept: str, *, measured: bool) -> str:
    """Check the answer to a question; return the error, or ""."""
    if row["verdict"] == "found":
        try:
            names = json.loads(kept)["tour"]
        except (ValueError, KeyError, TypeError):
            return "its tour was not kept"
        tour = Tour.from_names(question.board, names, closed=question.closed, piece=question.piece)
        if not (checked := check(tour)):
            return checked.message
        if measured and row["measures"] != json.dumps(tour.measure().columns()):
            return "its tour has other measures"
        return unmet(question, tour)
    if digest(kept) != row["certificate"]:
        return "its certificate is not the one that was found"
    certificate = from_json(kept)
    if certificate.at_most is not None or not _covers(certificate.question, question):
        return f"its certificate says {certificate.claim}, expected no {statement(question)}"
    if row["rule"] != rule_of(certificate):
        return f"its proof is by {rule_of(certificate)}, not by {row['rule']}"
    checked = verify(certificate)
    return "" if checked else checked.message


def _covers(proved: Question, question: Question) -> bool:
    """Tell whether the proof that one question has no tour also proves it for another question."""
    same = (proved.board, proved.piece, proved.closed) == (question.board, question.piece, question.closed)
    free = all(
        getattr(proved, name) in {None, getattr(question, name)}
        for name in ("start", "end", "symmetry", "direction")
    )
    parts = all(
        set(getattr(proved, name)) <= set(getattr(question, name))
        for name in ("required", "forbidden", "steps")
    )
    return same and free and parts
