"""Pictures as PNG: those of `formats.svg`, as large as they need to be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cavalcade.formats import Thing


def write(thing: Thing | Sequence[Thing], *, size: int | None = None, **options: Any) -> bytes:  # noqa: ANN401 - as in formats.svg
    """The picture; `size` is the longer side in pixels, and options are those of `draw.pictures.picture`.

    Raises:
        MissingExtraError: resvg is not installed.
    """
    from cavalcade.draw.pictures import picture
    from cavalcade.draw.png import png

    return png(picture(thing, **options), size)
