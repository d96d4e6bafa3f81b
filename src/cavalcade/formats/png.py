"""Pictures as PNG: those of `formats.svg`, the longer side 1600 pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cavalcade.formats import svg

if TYPE_CHECKING:
    from cavalcade.formats import Thing


def write(thing: Thing, **options: Any) -> bytes:  # noqa: ANN401 - as in formats.svg
    """The picture, with the same options.

    Raises:
        MissingExtraError: resvg is not installed.
    """
    from cavalcade.draw.png import render

    return render(svg.write(thing, **{"font": False, "size": 1600, **options}))
