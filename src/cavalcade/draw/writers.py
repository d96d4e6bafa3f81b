"""The writers of pictures, by the ending of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.draw.shapes import Picture

STILL = ("svg", "png", "pdf", "tikz")


def rendered(picture: Picture, kind: str, size: int | None = None) -> str | bytes:
    """A picture that stands still, as one of `STILL`; `size` is the longer side in pixels, of svg and png.

    Raises:
        MissingExtraError: what it needs is not installed.
        FormatError: there is no such kind.
    """
    if kind == "svg":
        from cavalcade.draw.svg import written

        return written(picture, picture.scale(size, full=1200, nice=2.4, tall=6))
    if kind == "png":
        from cavalcade.draw.png import png

        return png(picture, size)
    if kind == "pdf":
        from cavalcade.draw.pdf import pdf

        return pdf([picture])
    if kind == "tikz":
        from cavalcade.draw.tikz import tikz

        return tikz(picture)
    raise FormatError(f"{kind!r} does not name a picture, expected one of {', '.join(STILL)}")
