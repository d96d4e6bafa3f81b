"""Worksheets: puzzles on pages of paper with room for a name, and the answer key on pages of its own.

Lengths are millimetres; a page has the size of the paper without its margins.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import quote_plus

from cavalcade.answers.puzzles import Puzzle
from cavalcade.draw.pictures import picture
from cavalcade.draw.shapes import Letters, Picture, Polyline, Shape, placed, tiles
from cavalcade.draw.sheet import grid, wrapped
from cavalcade.draw.styles import BLACK, WHITE
from cavalcade.ground.errors import CavalcadeError, optional
from cavalcade.question.statement import statement

QUIET = "#4d4d4d"


class _Measures(NamedTuple):
    """The measures of a page, in millimetres."""

    head: float = 26.0  # the height of the lines for title, name and task
    foot: float = 9.0  # the height of the space below a puzzle without a code
    code: float = 27.0  # the side of a QR code with its quiet zone
    gap: float = 6.0  # the distance between puzzles
    text: float = 4.2  # the height of letters
    solutions: int = 12  # on a page of the answer key


PAGE = _Measures()


def worksheet(
    puzzles: Sequence[Puzzle], width: float, height: float, *, per_page: int = 4, page: str = ""
) -> list[Picture]:
    """The pages: the puzzles, then their solutions with the same numbers.

    Args:
        puzzles: the puzzles, at least one.
        width: width of a page in millimetres.
        height: height of a page in millimetres.
        per_page: puzzles on a page.
        page: address of a studio page; if set, each puzzle has a QR code that opens the puzzle there.

    Raises:
        CavalcadeError: the address is not one of a page.
        MissingExtraError: segno, which makes QR codes, is not installed.
    """
    if page and not page.startswith(("https://", "http://")):
        raise CavalcadeError(f"{page[:60]!r} is not the address of a page: try https://example.org/play/")
    parts = [range(k, min(k + per_page, len(puzzles))) for k in range(0, len(puzzles), per_page)]
    pages = [_page(puzzles, part, per_page, width, height, page) for part in parts]
    solved = [k for k, index in enumerate(puzzles) if index.solution is not None]
    for k in range(0, len(solved), PAGE.solutions):
        part = solved[k : k + PAGE.solutions]
        small = [picture(puzzles[index].solution, style="numbers", labels=False) for index in part]
        titles = [str(index + 1) for index in part]
        keys = grid(small, "Answer key", captions=titles, shape=width / (height - PAGE.head))
        shown: list[Shape] = [_title("Answer key"), *_fit(keys, 0, PAGE.head, width, height - PAGE.head)]
        pages.append(Picture("Answer key", keys.desc, width, height, shown, WHITE))
    return pages


def _page(
    puzzles: Sequence[Puzzle], part: range, per_page: int, width: float, height: float, address: str
) -> Picture:
    """One page of puzzles."""
    first = puzzles[part[0]]
    body, foot = height - PAGE.head, PAGE.code if address else PAGE.foot
    columns = max(
        range(1, per_page + 1),
        key=lambda c: min(width / c, body / math.ceil(per_page / c) - PAGE.foot),
    )
    rows = math.ceil(per_page / columns)
    wide, high = ((width + PAGE.gap) / columns - PAGE.gap, (body + PAGE.gap) / rows - PAGE.gap)
    title = f"Puzzles: {'' if first.closed else 'open '}tours of {first.board.title}"
    out: list[Shape] = [_title(title)]
    for x, word, far in ((0.46, "Name", 0.8), (0.82, "Date", 1.0)):
        start = x * width + 12
        out.append(Letters("words", x * width, 4, word, PAGE.text, QUIET, "start"))
        out.append(Polyline("line", [[(start, 6), (far * width, 6)]], QUIET, 0.3))
    for k, line in enumerate(wrapped(first.task, PAGE.text, width)):
        out.append(Letters("words", 0, 13 + 1.3 * PAGE.text * k, line, PAGE.text, BLACK, "start"))
    for slot, k in enumerate(part):
        x, y = slot % columns * (wide + PAGE.gap), PAGE.head + slot // columns * (high + PAGE.gap)
        puzzle = puzzles[k]
        out += _fit(picture(puzzle), x, y, wide, high - foot)
        grade = f", {puzzle.grade}" if puzzle.grade else ""
        out.append(Letters("words", x + 2, y + high - foot + 4, f"{k + 1}{grade}", PAGE.text, BLACK, "start"))
        if address:
            out += _code(link(puzzle, address), x + wide - PAGE.code, y + high - foot + 1, PAGE.code - 2)
    return Picture(title, f"{len(part)} puzzles.", width, height, out, WHITE)


def link(puzzle: Puzzle, address: str) -> str:
    """A link that opens a puzzle on a studio's page, to be solved there."""
    n, closed, question = puzzle.board.size, puzzle.closed, puzzle.question
    if not puzzle.ordered:  # the first and the last number as ends of the tour
        ends = {step: cell for step, cell in puzzle.given if step == 1 or (step == n and not closed)}
        rest = tuple(pair for pair in puzzle.given if pair[0] not in ends)
        question = replace(question, start=ends.get(1), end=ends.get(n), steps=rest)
    return f"{address.partition('#')[0]}#ask={quote_plus(statement(question), safe=',:;')}&part=walk"


def _title(text: str) -> Letters:
    return Letters("title", 0, 4, text, 1.3 * PAGE.text, BLACK, "start")


def _fit(drawing: Picture, x: float, y: float, width: float, height: float) -> Iterator[Shape]:
    """A picture as large as a place allows, in its middle."""
    scale = min(width / drawing.width, height / drawing.height)
    x, y = x + (width - scale * drawing.width) / 2, y + (height - scale * drawing.height) / 2
    return placed(drawing.shapes, x, y, scale)


def _code(text: str, x: float, y: float, side: float) -> Iterator[Shape]:
    """A QR code; its quiet zone is the paper."""
    segno = optional("segno", "puzzles", "segno, which a QR code needs,")
    rows = segno.make(text, error="l", micro=False, boost_error=False).matrix
    dark = [(float(j), float(i)) for i, row in enumerate(rows) for j, is_dark in enumerate(row) if is_dark]
    square = [(0.0, 0.0), (1.02, 0.0), (1.02, 1.02), (0.0, 1.02)]  # without hair lines between modules
    return placed([tiles("code", square, dark, BLACK)], x, y, side / len(rows))
