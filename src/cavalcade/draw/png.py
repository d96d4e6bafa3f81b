"""Pictures as PNG: the SVG, rendered by resvg (the extra `png`).

Letters are drawn as lines, so that they show on a machine without fonts; the names of a plain graph's
vertices may need one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cavalcade.draw.svg import board_svg, tour_svg
from cavalcade.errors import MissingExtraError

if TYPE_CHECKING:
    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board
    from cavalcade.graph import MoveGraph


def tour_png(tour: Tour, **options: Any) -> bytes:  # noqa: ANN401 - draw.svg documents and checks them
    """A picture of a tour; the options are those of `tour_svg`, the longer side 1600 pixels.

    Raises:
        MissingExtraError: resvg is not installed.
        TooLargeError: as `tour_svg`.
    """
    return render(tour_svg(tour, **{"font": False, "size": 1600, **options}))


def board_png(board: Board | MoveGraph, **options: Any) -> bytes:  # noqa: ANN401 - as above
    """A picture of an empty board; the options are those of `board_svg`."""
    return render(board_svg(board, **{"font": False, "size": 1600, **options}))


def render(svg: str) -> bytes:
    """The PNG of an SVG.

    Raises:
        MissingExtraError: resvg is not installed.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise MissingExtraError(
            "a png needs resvg, which is not installed; pip install 'cavalcade[png]'"
        ) from None
    return bytes(svg_to_bytes(svg_string=svg))
