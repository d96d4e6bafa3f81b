"""Worksheets: puzzles on pages of paper with room for a name, and the answer key on pages of its own.

Lengths are millimetres; a page has the size of the paper without its margins.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from urllib.parse import quote_plus

from cavalcade.answers.puzzles import Puzzle
from cavalcade.draw.pictures import picture
from cavalcade.draw.shapes import Group, Letters, Picture, Polyline, Shape, tiles
from cavalcade.draw.sheet import grid, wrapped
from cavalcade.draw.styles import BLACK, WHITE
from cavalcade.ground.errors import CavalcadeError, optional
from cavalcade.question.question import Question
from cavalcade.question.statement import statement

PER_PAGE, KEYS = 4, 12  # puzzles on a page, and solutions
HEAD, FOOT, CODE, GAP = 26.0, 9.0, 27.0, 6.0  # of a page, below a puzzle, the side of a code, between puzzles
TEXT, QUIET = 4.2, "#4d4d4d"


def worksheet(
    puzzles: Sequence[Puzzle], width: float, height: float, *, per_page: int = PER_PAGE, page: str = ""
) -> list[Picture]:
    """The pages: the puzzles, then their solutions with the same numbers.

    Args:
        puzzles: at least one.
        width: of a page.
        height: likewise.
        per_page: puzzles on a page.
        page: the address of a studio's page, for a QR code beside each puzzle that opens it there.

    Raises:
        CavalcadeError: the address is not one of a page.
        MissingExtraError: segno, which makes QR codes, is not installed.
    """
    if page and not page.startswith(("https://", "http://")):
        raise CavalcadeError(f"{page[:60]!r} is not the address of a page: try https://example.org/play/")
    parts = [range(k, min(k + per_page, len(puzzles))) for k in range(0, len(puzzles), per_page)]
    pages = [_page(puzzles, part, per_page, width, height, page) for part in parts]
    solved = [k for k, one in enumerate(puzzles) if one.solution is not None]
    for k in range(0, len(solved), KEYS):
        part = solved[k : k + KEYS]
        small = [picture(puzzles[one].solution, style="numbers", labels=False) for one in part]
        titles = [str(one + 1) for one in part]
        keys = grid(small, "Answer key", captions=titles, shape=width / (height - HEAD))
        shown: list[Shape] = [_title("Answer key"), _fit(keys, 0, HEAD, width, height - HEAD)]
        pages.append(Picture("Answer key", keys.desc, width, height, shown, WHITE))
    return pages


def _page(
    puzzles: Sequence[Puzzle], part: range, per_page: int, width: float, height: float, address: str
) -> Picture:
    """One page of puzzles."""
    first = puzzles[part[0]]
    columns = min(
        range(1, per_page + 1),
        key=lambda c: -min(width / c - GAP, (height - HEAD) / math.ceil(per_page / c) - GAP - FOOT),
    )
    rows = math.ceil(per_page / columns)
    foot = CODE if address else FOOT
    wide, high = (width - GAP * (columns - 1)) / columns, (height - HEAD - GAP * (rows - 1)) / rows
    title = f"Puzzles: {'' if first.closed else 'open '}tours of {first.board.title}"
    out: list[Shape] = [_title(title)]
    for x, word, far in ((0.46, "Name", 0.8), (0.82, "Date", 1.0)):
        start = x * width + 12
        out.append(Letters("words", x * width, 4, word, TEXT, QUIET, "start"))
        out.append(Polyline("line", [[(start, 6), (far * width, 6)]], QUIET, 0.3))
    for k, line in enumerate(wrapped(first.task, TEXT, width)):
        out.append(Letters("words", 0, 13 + 1.3 * TEXT * k, line, TEXT, BLACK, "start"))
    for slot, k in enumerate(part):
        x, y = slot % columns * (wide + GAP), HEAD + slot // columns * (high + GAP)
        one = puzzles[k]
        out.append(_fit(picture(one), x, y, wide, high - foot))
        grade = f", {one.grade}" if one.grade else ""
        out.append(Letters("words", x + 2, y + high - foot + 4, f"{k + 1}{grade}", TEXT, BLACK, "start"))
        if address:
            out.append(_code(link(one, address), x + wide - CODE, y + high - foot + 1, CODE - 2))
    return Picture(title, f"{len(part)} puzzles.", width, height, out, WHITE)


def link(puzzle: Puzzle, address: str) -> str:
    """A link that opens a puzzle on a studio's page, to be solved there."""
    n, closed = puzzle.board.size, puzzle.closed
    ends = {step: cell for step, cell in puzzle.given if step == 1 or (step == n and not closed)}
    rest = {step: cell for step, cell in puzzle.given if step not in ends}
    asked = Question.of(
        puzzle.board, piece=puzzle.piece, open=not closed, start=ends.get(1), end=ends.get(n), at=rest
    )
    return f"{address.partition('#')[0]}#ask={quote_plus(statement(asked), safe=',:;')}&part=walk"


def _title(text: str) -> Letters:
    return Letters("title", 0, 4, text, 1.3 * TEXT, BLACK, "start")


def _fit(one: Picture, x: float, y: float, width: float, height: float) -> Group:
    """A picture as large as a place allows, in its middle."""
    scale = min(width / one.width, height / one.height)
    x, y = x + (width - scale * one.width) / 2, y + (height - scale * one.height) / 2
    return Group(tuple(one.shapes), x, y, scale)


def _code(text: str, x: float, y: float, side: float) -> Group:
    """A QR code; its quiet zone is the paper."""
    segno = optional("segno", "puzzles", "segno, which a QR code needs,")
    rows = segno.make(text, error="l", micro=False, boost_error=False).matrix
    dark = [(float(j), float(i)) for i, row in enumerate(rows) for j, one in enumerate(row) if one]
    square = [(0.0, 0.0), (1.02, 0.0), (1.02, 1.02), (0.0, 1.02)]  # without hair lines between modules
    return Group((tiles("code", square, dark, BLACK),), x, y, side / len(rows))
