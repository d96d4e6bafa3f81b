"""Checking a survey: every question has its row, and each kept tour and certificate is right."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from cavalcade.answers.certificate import SatProof, from_json
from cavalcade.answers.tours import Tour
from cavalcade.checking.certificates import verify
from cavalcade.checking.constraints import unmet
from cavalcade.checking.tours import check
from cavalcade.ground.budget import assert_time
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.statement import statement
from cavalcade.surveys.rows import digest, question_of, rule_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.question.question import Question
    from cavalcade.surveys.batches import Survey
    from cavalcade.surveys.families import Member
    from cavalcade.surveys.rows import Row


def check_survey(survey: Survey) -> Iterator[tuple[int, str]]:
    """Check a survey, batch after batch.

    Args:
        survey: the survey, finished or not.

    Yields:
        For each batch the number of right tours and certificates, and the first fault, or "".

    Raises:
        CavalcadeError: a file of the family is missing; a wrong survey raises nothing.
    """
    questions = survey.family.questions()
    done, number = set(survey.done), 0
    while asked := list(islice(questions, survey.batch)):
        assert_time(f"the survey was checked up to batch {number:06}")
        if number not in done:
            yield 0, f"batch {number:06} is missing"
        else:
            try:
                yield _checked(survey, number, asked)
            except CavalcadeError as error:
                yield 0, f"batch {number:06}: {error}"
        number += 1


def _checked(survey: Survey, number: int, asked: list[Member]) -> tuple[int, str]:
    rows, kept = survey.read(number), survey.kept(number)
    where = f"batch {number:06}"
    if len(rows) != len(asked):
        return 0, f"{where} has {len(rows):,} rows, expected {len(asked):,}"
    if survey.asking.keep and len(kept) != len(rows):
        return 0, f"{where} keeps {len(kept):,} answers, expected {len(rows):,}"
    right = 0
    for i, (member, row) in enumerate(zip(asked, rows, strict=True)):
        about = {**member.values, "board": member.board, "piece": member.piece, "kind": member.kind}
        if any(row[name] != value for name, value in about.items()):
            return right, f"{where}, row {i + 1} is about {row['board']}, expected {member.board}"
        if row["verdict"] not in {"found", "impossible"}:
            continue
        question, wrong = question_of(member), ""
        if row["statement"] != (expected := statement(question)):
            wrong = f"it is about a {row['statement']}, expected a {expected}"
        elif survey.asking.verb == "count":
            wrong = _miscounted(row)
        elif kept:
            wrong = _wrong(question, row, kept[i])
            right += not wrong
        if wrong:
            return right, f"{where}, row {i + 1}, {row['board']}: {wrong}"
    return right, ""


def _miscounted(row: Row) -> str:
    """How a count and its verdict disagree, or ""."""
    number = str(row["count"])
    agree = number.isdigit() and (number == "0") == (row["verdict"] == "impossible")
    return "" if agree else f"it is {row['verdict']}, and the count is {number[:40]!r}"


def _wrong(question: Question, row: Row, kept: str) -> str:
    """What is wrong with the answer to a question, or ""."""
    if row["verdict"] == "found":
        try:
            names = json.loads(kept)["tour"]
        except (ValueError, KeyError, TypeError):
            return "its tour was not kept"
        tour = Tour.from_names(question.board, names, closed=question.closed, piece=question.piece)
        if not (checked := check(tour)):
            return checked.message
        if row["measures"] and row["measures"] != json.dumps(tour.measure().columns()):
            return "its tour has other measures"
        return unmet(question, tour)
    if digest(kept) != row["certificate"]:
        return "its certificate is not the one that was found"
    certificate = from_json(kept)
    bound = isinstance(certificate.proof, SatProof) and certificate.proof.at_most is not None
    if bound or not _asks_no_more(certificate.question, question):
        return f"its certificate says {certificate.claim}, expected no {statement(question)}"
    if row["rule"] != rule_of(certificate):
        return f"its proof is by {rule_of(certificate)}, not by {row['rule']}"
    checked = verify(certificate)
    return "" if checked else checked.message


def _asks_no_more(proved: Question, asked: Question) -> bool:
    """Whether there is no tour of the one question if there is none of the other."""
    same = (proved.board, proved.piece, proved.closed) == (asked.board, asked.piece, asked.closed)
    free = all(
        getattr(proved, name) in {None, getattr(asked, name)}
        for name in ("start", "end", "symmetry", "direction")
    )
    parts = all(
        set(getattr(proved, name)) <= set(getattr(asked, name)) for name in ("required", "forbidden", "steps")
    )
    return same and free and parts
