"""Pictures as SVG, drawn by `draw`; they cannot be read back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cavalcade.answers.certificate import Certificate
from cavalcade.answers.puzzles import Puzzle, Roesselsprung
from cavalcade.answers.tours import Tour

if TYPE_CHECKING:
    from cavalcade.formats import Thing


def write(thing: Thing, **options: Any) -> str:  # noqa: ANN401 - draw documents and checks them
    """The picture of a tour, an empty board, a graph, a proof or a puzzle.

    Options are those of `draw.svg.tour_svg`, `draw.svg.board_svg`, `draw.proof.proof_svg` and of the
    functions in `draw.puzzle`.
    """
    if isinstance(thing, Certificate):
        from cavalcade.draw.proof import proof_svg

        return proof_svg(thing, **options)
    if isinstance(thing, Puzzle | Roesselsprung):
        from cavalcade.draw.puzzle import puzzle_svg, roesselsprung_svg

        return (
            puzzle_svg(thing, **options) if isinstance(thing, Puzzle) else roesselsprung_svg(thing, **options)
        )
    from cavalcade.draw.svg import board_svg, tour_svg

    return tour_svg(thing, **options) if isinstance(thing, Tour) else board_svg(thing, **options)
