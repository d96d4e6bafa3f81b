"""Pictures as TikZ, for papers written with LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cavalcade.formats import Thing


def write(thing: Thing, **options: Any) -> str:  # noqa: ANN401 - as in formats.svg
    """The picture; options are those of `draw.pictures.picture`."""
    from cavalcade.draw.pictures import picture
    from cavalcade.draw.tikz import tikz

    return tikz(picture(thing, **options))
