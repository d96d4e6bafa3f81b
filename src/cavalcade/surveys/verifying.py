"""Checking a survey: every question has its row, and each tour and certificate that was kept is right."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from cavalcade.answers.certificate import from_json
from cavalcade.answers.tours import Tour
from cavalcade.checking.certificates import verify
from cavalcade.checking.constraints import unmet
from cavalcade.checking.tours import check
from cavalcade.ground.errors import CavalcadeError
from cavalcade.surveys.rows import digest, question_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.question.question import Question
    from cavalcade.surveys.batches import Survey
    from cavalcade.surveys.families import Member
    from cavalcade.surveys.rows import Row


def check_survey(survey: Survey) -> Iterator[tuple[int, str]]:
    """Check a survey, batch after batch: how many of its tours and certificates are right, and what is wrong.

    Args:
        survey: one whose questions need not all be answered.

    Yields:
        For each batch the number of tours and certificates that were kept and are right, and the first thing
        that is wrong with it, or "".

    Raises:
        CavalcadeError: never for a wrong survey, which is said; a file of the family that is gone.
    """
    questions = survey.family.questions()
    done, number = set(survey.done), 0
    while asked := list(islice(questions, survey.batch)):
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
        values = tuple(row[name] for name in survey.family.names)
        if (*values, row["board"], row["piece"], row["kind"]) != (*member.values, *member[1:4]):
            return right, f"{where}, row {i + 1} is about {row['board']}, expected {member.board}"
        if kept and row["verdict"] in {"found", "impossible"} and row["method"] != "count":
            if wrong := _wrong(member, row, kept[i]):
                return right, f"{where}, row {i + 1}, {row['board']}: {wrong}"
            right += 1
    return right, ""


def _wrong(member: Member, row: Row, kept: str) -> str:
    """What is wrong with the answer to a question, or ""."""
    question = question_of(member)
    if row["verdict"] == "found":
        try:
            names = json.loads(kept)["tour"]
        except (ValueError, KeyError, TypeError):
            return "its tour was not kept"
        tour = Tour.from_names(question.board, names, closed=question.closed, piece=question.piece)
        checked = check(tour)
        return unmet(question, tour) if checked else checked.message
    if digest(kept) != row["certificate"]:
        return "its certificate is not the one that was found"
    certificate = from_json(kept)
    if not _asks_no_more(certificate.question, question):
        return "its certificate is about another question"
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
