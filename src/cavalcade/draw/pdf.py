"""Pictures as PDF, for paper: one or many on a page, and worksheets.

fpdf2 (the extra `pdf`) converts the SVG of a page. The font is Helvetica, which every reader of PDF has;
letters that it lacks become question marks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from cavalcade.answers.puzzles import Puzzle
from cavalcade.draw.pictures import picture, pictures
from cavalcade.draw.shapes import Picture
from cavalcade.draw.sheet import grid
from cavalcade.draw.styles import PAPERS, WHITE
from cavalcade.draw.svg import written
from cavalcade.draw.worksheet import worksheet
from cavalcade.ground.errors import CavalcadeError, optional

MARGIN = 0.06  # of the shorter side of the paper: 13 mm on A4
TITLES = re.compile(r"<(title|desc)\b.*?</\1>\n?", re.DOTALL)


def pdf(
    thing: Any, *, per_page: int | None = None, paper: str = "a4", page: str = "", **options: Any
) -> bytes:
    """Pictures on pages of PDF, each as large as its page allows, in landscape format if it is wide.

    Args:
        thing: what is drawn, or a list of several; one fills its page, or is a worksheet if `per_page`
            repeats it; several puzzles are a worksheet with its answer key.
        per_page: number of pictures on a page; by default 1 for one thing, 4 for puzzles, 12 otherwise.
        paper: one of `PAPERS`.
        page: address of a studio page for a worksheet; see `worksheet.worksheet`.
        options: options of `pictures.picture`.

    Raises:
        CavalcadeError: an unknown paper, or fewer than one on a page.
        MissingExtraError: fpdf2 is not installed.
    """
    if per_page is not None and per_page < 1:
        raise CavalcadeError(f"{per_page} pictures on a page are too few, expected 1 or more")
    if paper not in PAPERS:
        raise CavalcadeError(f"unknown paper {paper!r}, expected one of {', '.join(PAPERS)}")
    things = thing if isinstance(thing, list | tuple) else [thing]
    if isinstance(things[0], Puzzle) and (len(things) > 1 or page):
        short, long = PAPERS[paper]
        sides = [side - 2 * MARGIN * short for side in (short, long)]
        return _printed(worksheet(things, *sides, per_page=per_page or 4, page=page), paper)
    if len(things) == 1 and per_page in {None, 1}:
        return _printed([picture(things[0], **options)], paper)
    drawings, captions = pictures(things, **options)
    if len(things) == 1:
        drawings, captions = drawings * (per_page or 1), []
    count, title = per_page or 12, drawings[0].title
    parts = [slice(k, k + count) for k in range(0, len(drawings), count)]
    sheets = [grid(drawings[k], title, captions=captions[k], shape=0.72, slots=count) for k in parts]
    return _printed(sheets, paper)


def _printed(pages: Sequence[Picture], paper: str) -> bytes:
    """The document with these pages."""
    fpdf = optional("fpdf", "pdf", "fpdf2, which a pdf needs,")
    short, long = PAPERS[paper]
    document = fpdf.FPDF(unit="mm", format=PAPERS[paper])
    document.svg_limits = fpdf.svg.SVGLimits(None, None)  # limits are for pictures of unknown origin
    document.set_creation_date(datetime.fromtimestamp(0, UTC))  # the same picture, the same bytes
    document.set_title(printable(pages[0].title))
    document.set_lang("en")
    document.set_auto_page_break(auto=False)
    margin = MARGIN * short
    for page in pages:
        wide = page.width > page.height
        width, height = (long, short) if wide else (short, long)
        document.add_page(orientation="landscape" if wide else "portrait", format=(short, long))
        scale = min((width - 2 * margin) / page.width, (height - 2 * margin) / page.height)
        x, y = (width - scale * page.width) / 2, (height - scale * page.height) / 2
        if page.paper and page.paper != WHITE:
            document.set_fill_color(page.paper)
            document.rect(0, 0, width, height, style="F")
        # fpdf2 warns of titles and descriptions, which a page cannot show.
        svg = TITLES.sub("", printable(written(replace(page, paper=""))))
        document.image(BytesIO(svg.encode()), x, y, scale * math.ceil(page.width))
    return bytes(document.output())


def printable(text: str) -> str:
    """A text in the letters of the fonts of PDF, with question marks for others."""
    return text.encode("cp1252", "replace").decode("cp1252")
