"""Pictures as SVG, drawn by `draw`; they cannot be read back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cavalcade.answers.certificate import Certificate
from cavalcade.answers.tours import Tour

if TYPE_CHECKING:
    from cavalcade.formats import Thing


def write(thing: Thing, **options: Any) -> str:  # noqa: ANN401 - draw documents and checks them
    """The picture of a tour, an empty board, a graph or a proof.

    Options are those of `draw.svg.tour_svg`, `draw.svg.board_svg` and `draw.proof.proof_svg`.
    """
    if isinstance(thing, Certificate):
        from cavalcade.draw.proof import proof_svg

        return proof_svg(thing, **options)
    from cavalcade.draw.svg import board_svg, tour_svg

    return tour_svg(thing, **options) if isinstance(thing, Tour) else board_svg(thing, **options)
