"""Pictures as PDF, for paper, written by fpdf2 (the extra `pdf`): one or many on a page, and worksheets.

The font is Helvetica, which every reader of PDF has; letters that it lacks become question marks.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cavalcade.draw.shapes import Disc, Letters, Picture, Plain, Plate, Polyline, flat
from cavalcade.ground.errors import CavalcadeError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fpdf import FPDF

PAPERS = {  # millimetres, upright
    "a0": (841, 1189),
    "a1": (594, 841),
    "a2": (420, 594),
    "a3": (297, 420),
    "a4": (210, 297),
    "a5": (148, 210),
    "letter": (215.9, 279.4),
}
MARGIN = 0.06  # of the shorter side
LARGEST = 0.8  # millimetres a unit at most, on a4: a square of 16
POINTS = 72 / 25.4


def pdf(pages: Sequence[Picture], paper: str = "a4") -> bytes:
    """Pictures as PDF, each as large as its page allows, in landscape format if it is wide.

    Args:
        pages: one picture per page.
        paper: one of `PAPERS`.

    Raises:
        CavalcadeError: an unknown paper.
        MissingExtraError: fpdf2 is not installed.
    """
    if paper not in PAPERS:
        raise CavalcadeError(f"unknown paper {paper!r}, expected one of {', '.join(PAPERS)}")
    try:
        from fpdf import FPDF
    except ImportError:
        raise MissingExtraError("fpdf2, which a pdf needs,", "pdf") from None
    short, long = PAPERS[paper]
    document = FPDF(unit="mm", format=PAPERS[paper])
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
        scale = min(scale, LARGEST * long / PAPERS["a4"][1])
        x, y = (width - scale * page.width) / 2, (height - scale * page.height) / 2
        if page.paper and page.paper != "#ffffff":
            document.set_fill_color(page.paper)
            document.rect(0, 0, width, height, style="F")
        _paint(document, list(flat(page.shapes, x, y, scale)))
    return bytes(document.output())


def _paint(document: FPDF, shapes: Sequence[Plain]) -> None:
    """Put shapes on the page, first painted first."""
    k = 0
    while k < len(shapes):
        one = shapes[k]
        if isinstance(one, Letters):
            _write(document, one)
            k += 1
            continue
        with document.drawing_context() as context:
            while k < len(shapes) and not isinstance(shape := shapes[k], Letters):
                context.add_item(_path(shape))
                k += 1


def _write(document: FPDF, one: Letters) -> None:
    text = one.text.encode("cp1252", "replace").decode("cp1252")
    document.set_font("helvetica", size=one.size * POINTS)
    document.set_text_color(one.fill)
    wide = document.get_string_width(text)
    x, y = one.x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[one.anchor], one.y + 0.36 * one.size
    if one.upwards:
        with document.rotation(90, one.x, one.y):
            document.text(x, y, text)
    else:
        document.text(x, y, text)


def _path(shape: Polyline | Disc | Plate) -> Any:  # noqa: ANN401 - fpdf2 has no types
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
