"""Pictures as PDF, for paper, written by fpdf2 (the extra `pdf`): one or many on a page, and worksheets.

The font is Helvetica, which every reader of PDF has; letters that it lacks become question marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cavalcade.answers.puzzles import Puzzle
from cavalcade.draw.pen import ANCHORS
from cavalcade.draw.pictures import picture, pictures
from cavalcade.draw.shapes import Disc, Letters, Picture, Plain, Plate, Polyline, flat
from cavalcade.draw.sheet import grid
from cavalcade.draw.styles import PAPERS, WHITE
from cavalcade.draw.worksheet import worksheet
from cavalcade.ground.errors import CavalcadeError, optional

if TYPE_CHECKING:
    from fpdf import FPDF

MARGIN = 0.06  # of the shorter side of the paper: 13 mm on A4


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
    document.set_creation_date(datetime.fromtimestamp(0, UTC))  # the same picture, the same bytes
    document.set_title(pages[0].title.encode("cp1252", "replace").decode("cp1252"))
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
        _paint(document, list(flat(page.shapes, x, y, scale)))
    return bytes(document.output())


def _paint(document: FPDF, shapes: Sequence[Plain]) -> None:
    """Put shapes on the page, first painted first."""
    k = 0
    while k < len(shapes):
        shape = shapes[k]
        if isinstance(shape, Letters):
            _write(document, shape)
            k += 1
            continue
        with document.drawing_context() as context:
            while k < len(shapes) and not isinstance(shape := shapes[k], Letters):
                context.add_item(_path(shape))
                k += 1


def _write(document: FPDF, letters: Letters) -> None:
    text = letters.text.encode("cp1252", "replace").decode("cp1252")
    document.set_font("helvetica", size=letters.size * document.k)  # k: points per millimetre
    document.set_text_color(letters.fill)
    wide = document.get_string_width(text)
    x, y = letters.x - wide * ANCHORS[letters.anchor], letters.y + 0.36 * letters.size
    if letters.upwards:
        with document.rotation(90, letters.x, letters.y):
            document.text(x, y, text)
    else:
        document.text(x, y, text)


def _path(shape: Polyline | Disc | Plate) -> Any:
    """A shape as a path of fpdf2's."""
    from fpdf.drawing import PaintedPath

    path = PaintedPath()
    style = path.style
    style.auto_close = False
    style.fill_color = shape.fill or None
    style.stroke_color = shape.stroke or None
    style.stroke_cap_style = style.stroke_join_style = "round"
    style.stroke_width = shape.width if shape.stroke else 0
    if isinstance(shape, Disc):
        path.circle(shape.x, shape.y, shape.r)
    elif isinstance(shape, Plate):
        path.rectangle(shape.x, shape.y, shape.wide, shape.high, shape.radius, shape.radius)
    else:
        style.fill_opacity = shape.opacity if shape.opacity < 1 else None
        style.stroke_dash_pattern = shape.dash or None
        for run in shape.drawn():
            path.move_to(*run[0])
            for place in run[1:]:
                path.line_to(*place)
            if shape.closed:
                path.close()
    return path
