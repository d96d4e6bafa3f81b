"""The words of `status`, which every JSON object that a command prints has."""

from __future__ import annotations

from enum import StrEnum


class AnswerStatus(StrEnum):
    """What an answer says, in one word.

    The last object that a command prints determines its exit code, which follows in parentheses.

    Attributes:
        FOUND: the object has a tour or a puzzle that fits the question (0).
        IMPOSSIBLE: no tour fits the question (1).
        UNDECIDED: a limit of time or memory ended the search (3).
        COMPLETE: the object is the whole answer, such as a count or the measures of a tour (0).
        PARTIAL: the cells are a walk that is not a tour, because it got stuck or has a wrong step (3 if the
            command made the walk, 0 if it was read from a file).
        RIGHT: `check` found nothing wrong (0).
        WRONG: `check` found an error (1).
        UNCHECKED: `check` found nothing wrong, but did not count everything again (4).
        PROVED: every fact of a theorem holds (0).
        FAULTY: a fact of a theorem does not hold (1).
        COUNTED: a row of a survey has the count of a shard (0).
        REFUSED: a row of a survey is about a board that does not fit the question (0).
        ERROR: bad input (2) or an internal error (70).
    """

    FOUND = "found"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"
    COMPLETE = "complete"
    PARTIAL = "partial"
    RIGHT = "right"
    WRONG = "wrong"
    UNCHECKED = "unchecked"
    PROVED = "proved"
    FAULTY = "faulty"
    COUNTED = "counted"
    REFUSED = "refused"
    ERROR = "error"
