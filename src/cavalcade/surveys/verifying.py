"""Checking a survey: every question has a row, and all that can be checked of the rows is correct.

Stored tours and certificates are verified, with the reason in words. Counts are repeated if that takes few
states. Other rows (verdicts without a stored tour or certificate, large counts, walks) are only checked for
consistency, and the result says so. How much is repeated depends on the questions, never on the rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count, islice
from typing import NamedTuple

from cavalcade.answers.certificate import from_json
from cavalcade.answers.tours import Tour
from cavalcade.checking.constraints import covers, unmet
from cavalcade.checking.tours import check
from cavalcade.counting.total import count_within
from cavalcade.explaining.sentences import verified_in_words
from cavalcade.ground.budget import assert_time
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.question import Question
from cavalcade.question.statement import statement
from cavalcade.surveys.batches import Survey
from cavalcade.surveys.families import Member
from cavalcade.surveys.rows import DECIDED, Row, digest, question_of, rule_of, statement_of

# States, over all steps, up to which a count is repeated: seconds. 7x8 in halves has 19 million.
RECOUNTED = 40_000_000


class BatchChecked(NamedTuple):
    """The result of checking a batch.

    Attributes:
        right: number of rows whose tour, certificate or count was checked and is right.
        error: the first error; "" if there is none.
        unchecked: number of rows that are consistent, but whose answer was not checked.
    """

    right: int
    error: str
    unchecked: int = 0


def check_survey(survey: Survey) -> Iterator[BatchChecked]:
    """Check a survey file by file, or check all parts of a `count_in_shards` and their sum.

    Args:
        survey: the survey, finished or not.

    Yields:
        The number of right answers of each batch, its first error or "", and the number of unchecked answers.

    Raises:
        CavalcadeError: a file of the family is missing. A wrong survey raises nothing.

    Examples:
        >>> rows = survey("5x{n} for n in 5..6", "fives", verb="prove", keep=True, workers=1)
        >>> list(check_survey(rows))
        [BatchChecked(right=2, error='', unchecked=0)]
    """
    try:
        done = set(survey.done)
    except CavalcadeError as error:
        yield BatchChecked(0, str(error))
        return
    questions, total = survey.family.questions(), 0
    sharded, complete = "shard" in survey.family.keys, True
    for number in count():
        members = list(islice(questions, survey.batch))
        if not members:
            break
        assert_time(f"the survey was checked up to batch {number:06}")
        rows: list[Row] = []
        try:
            if number in done:
                rows = survey.read(number)
                checked = _checked(survey, number, members, rows)
            else:
                checked = BatchChecked(0, f"batch {number:06} is missing")
        except CavalcadeError as error:
            checked = BatchChecked(0, f"batch {number:06}: {error}")
        yield checked
        complete = complete and not checked.error
        total += sum(int(str(row["count"])) for row in rows) if sharded and complete else 0
    if excess := [excess for excess in done if excess >= number]:
        yield BatchChecked(0, f"batch {min(excess):06} is not a part of the survey")
    elif sharded and complete:
        yield _checked_sum(question_of(next(survey.family.questions())), total)


def _checked_sum(question: Question, total: int) -> BatchChecked:
    """Compare the sum of all shards with a count of the whole board."""
    recount = count_within(question, RECOUNTED)
    if recount is None:
        return BatchChecked(0, "", 1)
    wrong = f"the shards add up to {total}, and a count of the whole board is {recount.count}"
    return BatchChecked(1, "") if recount.count == total else BatchChecked(0, wrong)


def _checked(survey: Survey, number: int, members: list[Member], rows: list[Row]) -> BatchChecked:
    kept, where = survey.kept(number), f"batch {number:06}"
    if len(rows) != len(members):
        return BatchChecked(0, f"{where} has {len(rows):,} rows, expected {len(members):,}")
    if survey.asking.keep and len(kept) != len(rows):
        return BatchChecked(0, f"{where} keeps {len(kept):,} answers, expected {len(rows):,}")
    right = unchecked = 0
    for i, (member, row) in enumerate(zip(members, rows, strict=True)):
        about = {**member.values, "board": member.board, "piece": member.piece, "kind": member.kind}
        if any(row[name] != value for name, value in about.items()):
            error = f"row {i + 1} is about {row['board']}, expected {member.board}"
            return BatchChecked(right, f"{where}, {error}", unchecked)
        verified, wrong = _verified(survey, member, row, kept[i] if kept else "")
        if wrong:
            return BatchChecked(right, f"{where}, row {i + 1}, {row['board']}: {wrong}", unchecked)
        right += verified is True
        unchecked += verified is False
    return BatchChecked(right, "", unchecked)


def _verified(survey: Survey, member: Member, row: Row, kept: str) -> tuple[bool | None, str]:
    """Check the answer of a row.

    Returns:
        Whether the answer was checked, None if there is none; and the error, or "".
    """
    verb, sharded = survey.asking.verb, "shard" in member.words
    if sharded and row["verdict"] != "counted":
        return False, f"it has no count, it is {row['verdict']}: {row['reason'] or 'count again'}"
    if row["verdict"] == "refused":
        try:
            question_of(member)
        except CavalcadeError as error:
            return None, "" if str(error) == row["reason"] else f"it is refused because {error}"
        return False, ""
    if row["verdict"] not in DECIDED:
        return None, ""
    question = question_of(member)
    if row["statement"] != (expected := statement_of(question, member, verb)):
        return False, f"it is about a {row['statement']}, expected a {expected}"
    if sharded:  # the shards of a count are checked together at the end
        return None, ""
    if verb == "count":
        return _recounted(question, row)
    if row["verdict"] == "counted":
        return False, "it is counted, but the survey does not count"
    if not kept:
        lost = survey.asking.keep and verb != "warnsdorff"
        return False, "its answer was not kept" if lost else ""
    wrong = _wrong(question, row, kept, measured=verb == "measure")
    return verb != "warnsdorff", wrong  # the numbers of walks and of tours among them are not checked


def _recounted(question: Question, row: Row) -> tuple[bool | None, str]:
    """Repeat the count of a row, as `_verified`."""
    tours = str(row["count"])
    if row["verdict"] != ("impossible" if tours == "0" else "found"):
        return False, f"it is {row['verdict']}, and the count is {tours[:40]!r}"
    recount = count_within(question, RECOUNTED)
    if recount is not None and recount.count != int(tours):
        return False, f"the count is {tours[:40]}, and counted again {recount.count}"
    return recount is not None, ""


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
    if certificate.at_most is not None or not covers(certificate.question, question):
        return f"its certificate says {certificate.claim}, expected no {statement(question)}"
    if row["rule"] != rule_of(certificate):
        return f"its proof is by {rule_of(certificate)}, not by {row['rule']}"
    checked, words = verified_in_words(certificate)
    if checked and row["reason"] != " ".join(words):
        return "its reason is not that of its certificate"
    return "" if checked else checked.message
