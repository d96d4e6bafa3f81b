"""Pictures as PDF, for paper: one or several on a page, and worksheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cavalcade.formats import Thing

PER_PAGE = 12


def write(
    thing: Thing | Sequence[Thing],
    *,
    per_page: int | None = None,
    paper: str = "a4",
    **options: Any,  # noqa: ANN401 - as in formats.svg
) -> bytes:
    """The pictures on pages.

    Args:
        thing: a tour, a board, a graph, a proof or a puzzle, or several.
        per_page: how many on a page: by default one alone, 12 of several. One thing fills the page.
        paper: `a4`, another of `draw.pdf.PAPERS`.
        options: those of `draw.pictures.picture`.

    Raises:
        MissingExtraError: fpdf2 is not installed.
        CavalcadeError: less than one on a page, or no such paper.
    """
    from cavalcade.draw.pdf import pdf
    from cavalcade.draw.pictures import picture, pictures
    from cavalcade.draw.sheet import grid

    if per_page is not None and per_page < 1:
        raise CavalcadeError(f"{per_page} pictures on a page are too few, expected 1 or more")
    if not isinstance(thing, list | tuple) or len(thing) == 1:
        one = picture(thing, **options)
        page = one if per_page in {None, 1} else grid([one] * (per_page or 1), one.title, shape=0.72)
        return pdf([page], paper)
    some, captions = pictures(thing, **options)
    count = per_page or PER_PAGE
    starts = range(0, len(some), count)
    return pdf(
        [
            grid(
                some[k : k + count], some[0].title, captions=captions[k : k + count], shape=0.72, slots=count
            )
            for k in starts
        ],
        paper,
    )
