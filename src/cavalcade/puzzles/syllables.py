"""The Rösselsprung: a text whose syllables or words are on the cells of a board, along an open tour.

Such puzzles filled the magazines of the nineteenth century; the reader finds the tour by the sense of the
text. A board rarely has as many cells as the text has parts, so a walk on a larger one ends with the text,
and the remaining cells become holes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import chain

import numpy as np

from cavalcade.answers.puzzles import GOES_ON, Roesselsprung
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.ask.portfolio import answer
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.find.warnsdorff import walks
from cavalcade.ground.budget import assert_room, limits
from cavalcade.ground.errors import CavalcadeError, TooLargeError, optional, seconds_of
from cavalcade.question.graph import board_of
from cavalcade.question.pieces import Piece
from cavalcade.question.question import Question

BYTES_A_PART = 150  # its text, in two lists
CANDIDATES = 12  # boards tried; from sides of 5 on the first has an open tour
WALKS = 20  # tried before the search for a tour of the whole board


def roesselsprung(
    text: str,
    *,
    board: Board | str | None = None,
    piece: Piece | str | None = None,
    language: str | None = None,
    separator: str | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
) -> Roesselsprung | Impossible | Undecided:
    """A text along an open tour of a board, a word or a syllable on each cell.

    Args:
        text: the words, separated by white space; the rest of the layout is dropped.
        board: a board or its spec, with as many cells as there are parts, or more; by default one that fits.
        piece: a piece or its spec; by default the knight.
        language: split words where this language hyphenates them: `en`, `de`, `de_AT` or another that
            pyphen knows.
        separator: split words at this sign, which is removed.
        seed: of the tour.
        time_limit: seconds, by default ten.
        memory: bytes, or text such as "4G"; by default what the machine has.

    Raises:
        CavalcadeError: no words, an unknown language, both `language` and `separator`, a board that is too
            small.
        MissingExtraError: a language is given, and pyphen is not installed.

    Time: milliseconds for poems.

    Examples:
        >>> roesselsprung("a b c d e f g h i j k l").board.size
        12
    """
    parts = split(text, language=language, separator=separator)
    count = len(parts)
    given = None if board is None else board_of(board)
    if given is not None and given.size < count:
        why = f"expected {count:,} or more for the parts of the text"
        raise CavalcadeError(f"{given.title} has {given.size:,} cells, {why}")
    seconds = 10.0 if time_limit is None else seconds_of(time_limit)
    verdict: Tour | Impossible | Undecided = Undecided("", "puzzle", seed)
    try:
        with limits(seconds, memory):
            for one in fitting(count) if given is None else [given]:
                verdict = _along(one, count, piece, seed)
                if isinstance(verdict, Tour):
                    break
    except TimeoutError:
        return Undecided(f"no tour for {count:,} parts found in {seconds:g} s", "puzzle", seed)
    except TooLargeError as error:
        return Undecided(str(error), "puzzle", seed)
    if not isinstance(verdict, Tour):
        return verdict
    if not (checked := check(verdict)):
        raise AssertionError(f"the tour of the text is wrong: {checked.message}")
    return Roesselsprung(verdict, tuple(parts), seed)


def fitting(count: int) -> list[Board]:
    """Boards for so many cells, the best first: few holes, and sides of a like length."""
    side = max(5, math.isqrt(count - 1) + 1)
    sides = [
        (rows, columns)
        for rows in range(3, side + 1)
        for columns in range(rows, 2 * rows + 1)
        if rows * columns >= count
    ]
    sides.sort(key=lambda both: both[0] * both[1] + 2 * (both[1] - both[0]))
    return [Board.box(*both) for both in sides[:CANDIDATES]]


def _along(board: Board, count: int, piece: Piece | str | None, seed: int) -> Tour | Impossible | Undecided:
    """An open tour of so many cells of a board, by Warnsdorff's rule or else cut; the others become holes."""
    question = Question.of(board, piece=piece, open=True)
    starts = np.random.default_rng(abs(seed)).integers(board.size, size=WALKS).tolist()
    tried = walks(question.graph, starts, ties="random", seed=seed)
    cells = next((walk for walk in tried if len(walk) >= count), None)
    if cells is None:
        verdict = answer(question, seed)
        if not isinstance(verdict, Found):
            return verdict
        cells = verdict.tour.cells
    cells = cells[:count]
    left = board.without(sorted(set(range(board.size)).difference(cells.tolist())))
    names = [board.name(cell) for cell in cells.tolist()]
    return Tour.from_names(left, names, closed=False, piece=question.piece)


def split(text: str, *, language: str | None = None, separator: str | None = None) -> list[str]:
    """The parts of a text: its words, or their syllables, of which all but the last end in `GOES_ON`.

    Raises:
        CavalcadeError: there are none; an unknown language, an empty separator, or both.
        MissingExtraError: pyphen is not installed.
    """
    if language is not None and separator is not None:
        raise CavalcadeError(
            f"separator {separator!r} and language {language!r} exclude each other: drop one"
        )
    if separator is not None and len(separator.split()) != 1:
        raise CavalcadeError(f"{separator!r} is not a separator, expected a sign like | or -")
    words = text.replace(GOES_ON, "-").split()
    parts_at_most = len(words) + (text.count(separator) if separator else 0)
    assert_room(BYTES_A_PART * parts_at_most, f"a text of {parts_at_most:,} parts")
    every: Iterator[list[str]]
    if separator is not None:
        every = ([part for part in word.split(separator) if part] for word in words)
    elif language is not None:
        every = _hyphenated(words, language)
    else:
        every = ([word] for word in words)
    parts = list(chain.from_iterable([*(part + GOES_ON for part in word[:-1]), *word[-1:]] for word in every))
    if not parts:
        raise CavalcadeError("the text has no words")
    return parts


def _hyphenated(words: list[str], language: str) -> Iterator[list[str]]:
    """The syllables of every word, with the signs around its letters."""
    pyphen = optional("pyphen", "puzzles", otherwise="; or give a separator")
    known = pyphen.language_fallback(language)
    if known is None:
        raise CavalcadeError(f"unknown language {language!r}, expected one like en, de or fr_FR")
    dictionary = pyphen.Pyphen(lang=known)
    for word in words:
        match = re.search(r"[^\W\d_](.*[^\W\d_])?", word)
        if match is None:
            yield [word]
            continue
        cuts = [match.start() + at for at in dictionary.positions(match[0])]
        yield [word[a:b] for a, b in zip([0, *cuts], [*cuts, len(word)], strict=True)]
