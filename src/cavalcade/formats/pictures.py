"""Pictures as PNG, GIF, PDF and TikZ; `draw.svg` writes SVG. None can be read back.

Options are those of `draw.pictures.picture`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cavalcade.answers.tours import Tour
    from cavalcade.formats import Thing

PER_PAGE = 12  # pictures on a page of PDF, unless there is only one


def png(thing: Thing | Sequence[Thing], *, size: int | None = None, **options: Any) -> bytes:  # noqa: ANN401 - see above
    """The picture as PNG; `size` is the longer side in pixels.

    Raises:
        MissingExtraError: resvg is not installed.
    """
    from cavalcade.draw.pictures import picture
    from cavalcade.draw.png import png as painted

    return painted(picture(thing, **options), size)


def gif(tour: Tour, *, size: int | None = None, **options: Any) -> bytes:  # noqa: ANN401 - see above
    """The moving picture of a tour as GIF; `size` is the longer side in pixels.

    Raises:
        MissingExtraError: resvg or Pillow is not installed.
        CavalcadeError: the tour has less than two cells.
    """
    from cavalcade.draw.pictures import assert_moving, picture
    from cavalcade.draw.png import gif as painted

    drawn = picture(tour, **options)
    assert_moving(drawn)
    return painted(drawn, size)


def tikz(thing: Thing, **options: Any) -> str:  # noqa: ANN401 - see above
    """The picture as TikZ, for papers written with LaTeX."""
    from cavalcade.draw.pictures import picture
    from cavalcade.draw.tikz import tikz as drawn

    return drawn(picture(thing, **options))


def pdf(
    thing: Thing | Sequence[Thing],
    *,
    per_page: int | None = None,
    paper: str = "a4",
    **options: Any,  # noqa: ANN401 - see above
) -> bytes:
    """The pictures on pages of PDF: one thing fills its page, or is a worksheet if `per_page` repeats it.

    Args:
        thing: a tour, a board, a graph, a proof or a puzzle, or several.
        per_page: how many on a page: by default one alone, 12 of several.
        paper: `a4`, another of `draw.pdf.PAPERS`.
        options: those of `draw.pictures.picture`.

    Raises:
        MissingExtraError: fpdf2 is not installed.
        CavalcadeError: fewer than one on a page, or no such paper.
    """
    from cavalcade.draw.pdf import pdf as printed
    from cavalcade.draw.pictures import picture, pictures
    from cavalcade.draw.sheet import grid

    if per_page is not None and per_page < 1:
        raise CavalcadeError(f"{per_page} pictures on a page are too few, expected 1 or more")
    if not isinstance(thing, list | tuple) or len(thing) == 1:
        one = picture(thing, **options)
        page = one if per_page in {None, 1} else grid([one] * (per_page or 1), one.title, shape=0.72)
        return printed([page], paper)
    some, captions = pictures(thing, **options)
    count, title = per_page or PER_PAGE, some[0].title
    parts = [slice(k, k + count) for k in range(0, len(some), count)]
    sheets = [grid(some[k], title, captions=captions[k], shape=0.72, slots=count) for k in parts]
    return printed(sheets, paper)
