"""The PNG of an SVG, rendered by resvg (the extra `png`).

Letters are drawn as lines, so that they show on a machine without fonts; the names of a plain graph's
vertices may need one.
"""

from __future__ import annotations

from cavalcade.errors import MissingExtraError


def render(svg: str) -> bytes:
    """The PNG of an SVG.

    Raises:
        MissingExtraError: resvg is not installed.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise MissingExtraError("resvg, which a png needs,", "png") from None
    return bytes(svg_to_bytes(svg_string=svg))
