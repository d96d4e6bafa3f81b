"""Moving pictures of tours as GIF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cavalcade.answers.tours import Tour


def write(tour: Tour, *, size: int | None = None, **options: Any) -> bytes:  # noqa: ANN401 - as in formats.svg
    """The moving picture; `size` is the longer side in pixels, options are those of `draw.tour.tour_picture`.

    Raises:
        MissingExtraError: resvg or Pillow is not installed.
        CavalcadeError: the tour has less than two cells.
    """
    from cavalcade.draw.pictures import assert_moving, picture
    from cavalcade.draw.png import gif

    drawn = picture(tour, **options)
    assert_moving(drawn)
    return gif(drawn, size)
