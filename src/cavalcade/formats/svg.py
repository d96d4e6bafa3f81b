"""Pictures as SVG, drawn by `draw`; they cannot be read back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cavalcade.formats import Thing


def write(thing: Thing | Sequence[Thing], **options: Any) -> str:  # noqa: ANN401 - draw documents and checks them
    """The picture of a tour, an empty board, a graph, a proof or a puzzle, or a sheet of several.

    Options are those of `draw.svg.svg`.
    """
    from cavalcade.draw.svg import svg

    return svg(thing, **options)
