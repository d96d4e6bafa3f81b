"""Links of the studio: `…#ask=closed+tour+of+8x8&tour=a1.…`, a statement, and perhaps a tour or a walk.

A walk is its first cell, a dot, and signs. A move is the index of the next cell among the sorted neighbours
of the last cell. A sign encodes the greatest number of moves that fits into 64 values, with the first move as
the lowest digit. If the last sign has fewer moves, their number follows after another dot.
"""

from __future__ import annotations

import string
from itertools import count
from urllib.parse import parse_qs

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.ground.errors import FormatError
from cavalcade.question.question import Question
from cavalcade.question.statement import read_statement

SIGNS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"


def is_link(text: str) -> bool:
    """Whether a text is a link of the studio."""
    return "#ask=" in text


def read(link: str) -> tuple[Question, Tour | None]:
    """The question of a link, and its tour, or the walk by hand where it has no tour.

    Raises:
        CavalcadeError: the link has no statement, or a walk that the board has not.
    """
    words = parse_qs(link.partition("#")[2])
    question, _ = read_statement(words["ask"][0])
    for key in ("tour", "walk"):
        if key in words:
            cells = np.array(_walk(question, words[key][0]), dtype=np.int32)
            closed = key == "tour" and question.closed
            return question, Tour(question.board, cells, closed, question.piece)
    return question, None


def _walk(question: Question, text: str) -> list[int]:
    """The cells of a walk.

    Raises:
        CavalcadeError: the text is no walk of the board.
    """
    graph = question.graph
    first, _, rest = text.partition(".")
    signs, _, odd = rest.partition(".")
    base = max(2, int(graph.degrees.max(initial=0)))
    moves = next(k for k in count() if base ** (k + 1) > len(SIGNS))
    walk = [question.board.cell(first)]
    wrong = FormatError(
        f"{text[:60]!r} is not a walk of {question.board.title}, as links of the studio have it"
    )
    if not set(signs) <= set(SIGNS) or not moves or odd not in {"", *map(str, range(1, moves))}:
        raise wrong
    for i, sign in enumerate(signs, 1):
        number = SIGNS.index(sign)
        for _ in range(int(odd) if odd and i == len(signs) else moves):
            number, which = divmod(number, base)
            neighbours = sorted(graph.neighbours(walk[-1]).tolist())
            if which >= len(neighbours):
                raise wrong
            walk.append(neighbours[which])
    if len(set(walk)) < len(walk):
        raise wrong
    return walk
