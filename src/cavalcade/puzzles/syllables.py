"""The Rösselsprung: a text whose syllables or words are placed on the cells of a board along an open tour.

Magazines of the nineteenth century printed such puzzles; the reader finds the tour by the meaning of the
text. The number of parts of the text is rarely the size of a suitable board. So the tour is a walk on a
larger board, and the remaining cells become holes.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator
from itertools import chain

import numpy as np

from cavalcade.answers.puzzles import GOES_ON, Roesselsprung
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Effort, Found, Impossible, Undecided
from cavalcade.ask.portfolio import TurnCallback, answer
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.find.warnsdorff import walks
from cavalcade.ground.budget import assert_room, because, limits, report
from cavalcade.ground.errors import CavalcadeError, TooLargeError, optional, seconds_of
from cavalcade.question.graph import board_of
from cavalcade.question.pieces import Piece
from cavalcade.question.question import Question
from cavalcade.question.words import validated


@validated
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
    progress: TurnCallback | None = None,
) -> Roesselsprung | Impossible | Undecided:
    """Place a text along an open tour of a board, one word or syllable per cell.

    Args:
        text: words separated by white space; other layout is ignored.
        board: a board or its spec, with at least one cell for each part; by default a board that fits.
        piece: a piece or its spec; by default the knight.
        language: hyphenate words by the rules of this language: `en`, `de`, `de_AT` or another language of
            pyphen.
        separator: split words at this sign, which is removed.
        seed: seed of the tour.
        time_limit: seconds, by default ten.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        progress: called with an `Effort` after the walks on each board, and after every run of an engine.

    Raises:
        CavalcadeError: the text has no words, the language is unknown, both `language` and `separator` are
            set, or the board is too small.
        MissingExtraError: a language is set, and pyphen is not installed.

    Time: milliseconds for poems.

    Examples:
        >>> roesselsprung("a b c d e f g h i j k l").board.size
        12
    """
    parts = split(text, language=language, separator=separator)
    count = len(parts)
    place = None if board is None else board_of(board)
    if place is not None and place.size < count:
        why = f"expected {count:,} or more for the parts of the text"
        raise CavalcadeError(f"{place.title} has {place.size:,} cells, {why}")
    seconds = 10.0 if time_limit is None else seconds_of(time_limit)
    verdict: Tour | Impossible | Undecided = Undecided("", "puzzle", seed)
    try:
        with limits(seconds, memory, progress):
            for candidate in fitting(count) if place is None else [place]:
                verdict = walk_of_length(candidate, count, piece, seed)
                if isinstance(verdict, Tour):
                    break
    except TimeoutError:
        return Undecided(because(f"no tour for {count:,} parts found", seconds), "puzzle", seed)
    except TooLargeError as error:
        return Undecided(str(error), "puzzle", seed)
    if not isinstance(verdict, Tour):
        return verdict
    if not (checked := check(verdict)):
        raise AssertionError(f"the tour of the text is wrong: {checked.message}")
    return Roesselsprung(verdict, tuple(parts), seed)


def fitting(count: int) -> Iterator[Board]:
    """Yield boards with at least `count` cells, the best first: few holes, sides of similar length."""
    side = max(5, math.isqrt(count - 1) + 1)
    sides = [
        (rows, columns)
        for rows in range(3, side + 1)
        for columns in range(rows, 2 * rows + 1)
        if rows * columns >= count
    ]
    sides.sort(key=lambda pair: pair[0] * pair[1] + 2 * (pair[1] - pair[0]))
    yield from (Board.box(*pair) for pair in sides)


def walk_of_length(
    board: Board, count: int, piece: Piece | str | None, seed: int
) -> Tour | Impossible | Undecided:
    """Find an open walk through a number of cells; the other cells become holes.

    Warnsdorff's rule is tried first; otherwise a tour of the whole board is cut off.
    """
    question = Question.of(board, piece=piece, open=True)
    attempted = 20  # walks before the search for a tour of the whole board
    starts = np.random.default_rng(abs(seed)).integers(board.size, size=attempted).tolist()
    began = time.perf_counter()
    attempts = walks(question.graph, starts, ties="random", seed=seed)
    cells = next((walk for walk in attempts if len(walk) >= count), None)
    outcome = "stuck" if cells is None else "found"
    report(Effort("warnsdorff", outcome, time.perf_counter() - began))
    if cells is None:
        verdict = answer(question, seed)
        if not isinstance(verdict, Found):
            return verdict
        cells = verdict.tour.cells
    cells = cells[:count]
    shrunk = board.without(sorted(set(range(board.size)).difference(cells.tolist())))
    names = [board.name(cell) for cell in cells.tolist()]
    return Tour.from_names(shrunk, names, closed=False, piece=question.piece)


def split(text: str, *, language: str | None = None, separator: str | None = None) -> list[str]:
    """Split a text into words, or into syllables, of which all but the last of a word end in `GOES_ON`.

    Raises:
        CavalcadeError: the text is empty, the language is unknown, the separator is invalid, or both are set.
        MissingExtraError: a language is set, and pyphen is not installed.
    """
    if language is not None and separator is not None:
        raise CavalcadeError(
            f"separator {separator!r} and language {language!r} exclude each other: drop one"
        )
    if separator is not None and len(separator.split()) != 1:
        raise CavalcadeError(f"{separator!r} is not a separator, expected a sign like | or -")
    words = text.replace(GOES_ON, "-").split()
    parts_at_most = len(words) + (text.count(separator) if separator else 0)
    bytes_per_part = 150  # in two lists
    assert_room(bytes_per_part * parts_at_most, f"a text of {parts_at_most:,} parts")
    syllables: Iterator[list[str]]
    if separator is not None:
        syllables = ([part for part in word.split(separator) if part] for word in words)
    elif language is not None:
        syllables = _hyphenated(words, language)
    else:
        syllables = ([word] for word in words)
    parts = list(
        chain.from_iterable([*(part + GOES_ON for part in word[:-1]), *word[-1:]] for word in syllables)
    )
    if not parts:
        raise CavalcadeError("the text has no words")
    return parts


def _hyphenated(words: list[str], language: str) -> Iterator[list[str]]:
    """Yield the syllables of each word; punctuation stays with the first and the last syllable."""
    pyphen = optional("pyphen", "puzzles", otherwise="; or give a separator")
    dictionary_name = pyphen.language_fallback(language)
    if dictionary_name is None:
        raise CavalcadeError(f"unknown language {language!r}, expected one like en, de or fr_FR")
    dictionary = pyphen.Pyphen(lang=dictionary_name)
    for word in words:
        match = re.search(r"[^\W\d_](.*[^\W\d_])?", word)
        if match is None:
            yield [word]
            continue
        cuts = [match.start() + position for position in dictionary.positions(match[0])]
        yield [word[a:b] for a, b in zip([0, *cuts], [*cuts, len(word)], strict=True)]
