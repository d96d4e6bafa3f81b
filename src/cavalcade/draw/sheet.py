"""A sheet: the walks from every cell, each on a small board, and where those that got stuck ended.

The boards stand as their first cells do, a row of the board's cells a row of the sheet; of other boards, as
many in a row as make the sheet a square. A walk that is stuck has a red frame and ends in a red disc. Below
is the board once more: on each cell the number of walks that got stuck there.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from cavalcade.draw.layout import UNIT, lay_out
from cavalcade.draw.pen import FONT, letters, points, short
from cavalcade.draw.svg import MOST, board_svg
from cavalcade.errors import TooLargeError
from cavalcade.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from cavalcade.answers.tours import Tour

RED, LINE, INK = "#c22f2f", "#3d5a9e", "#5d5344"
GAP, CAPTION = 0.6 * UNIT, 1.1 * UNIT


def sheet_svg(walks: Sequence[Tour], *, name: str = "board", font: bool = True) -> str:
    """A picture of many walks on one board.

    Args:
        walks: complete or stuck, at least one, in the order of their first cells.
        name: of the board in the file; two sheets on one page need two.
        font: False draws letters as lines, for a machine without fonts.

    Raises:
        TooLargeError: the boards have more cells together than are drawn.
    """
    board = walks[0].board
    if board.size * len(walks) > MOST:
        raise TooLargeError(
            f"{len(walks):,} pictures of {board.title} are too many: {MOST:,} cells are drawn"
        )
    layout = lay_out(board, labels=False)
    ground = re.sub(
        r"^<svg.*?</title>\n|</svg>\n$", "", board_svg(board, labels=False, font=font), flags=re.DOTALL
    )
    columns = math.ceil(math.sqrt(len(walks) * layout.height / layout.width))
    if not isinstance(board, MoveGraph) and len(walks) == math.prod(board.shape):
        columns = board.shape[-1]
    wide, high = layout.width + GAP, layout.height + CAPTION + GAP
    out = [f'<defs><g id="{name}">{ground}</g></defs>']
    failed = [walk for walk in walks if len(walk) < board.size]
    for k, walk in enumerate(walks):
        x, y = GAP + k % columns * wide, GAP + k // columns * high
        out += [f'<g transform="translate({short(x)} {short(y)})">', *_panel(walk, layout.centres, name)]
        stuck = len(walk) < board.size
        if stuck:
            out.append(
                f'<rect x="1" y="1" width="{short(layout.width - 2)}" height="{short(layout.height - 2)}" '
                f'fill="none" stroke="{RED}" stroke-width="{short(0.18 * UNIT)}"/>'
            )
        text = board.name(walk.start) + (f", {len(walk)} of {board.size}" if stuck else "")
        ink = RED if stuck else INK
        out.append(
            letters(layout.width / 2, layout.height + 0.5 * CAPTION, text, 0.75 * UNIT, ink, font=font)
        )
        out.append("</g>")
    rows = math.ceil(len(walks) / columns)
    width, height = 2 * GAP + columns * wide - GAP, 2 * GAP + rows * high
    good = len(walks) - len(failed)
    title = f"{board.title}: {good} of {len(walks)} walks are tours"
    if failed:
        out += _ends(failed, layout.centres, (GAP, height), name, font=font)
        height += layout.height + CAPTION + GAP
        width = max(width, 2 * GAP + layout.width)
    size = f'width="{math.ceil(width)}" height="{math.ceil(height)}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {math.ceil(width)} {math.ceil(height)}" '
        f'{size} font-family="{FONT}">\n<title>{title}</title>\n<rect {size} fill="#ffffff"/>\n'
    )
    return head + "\n".join(out) + "\n</svg>\n"


def _panel(walk: Tour, centres: NDArray[np.float64], name: str) -> list[str]:
    """The board, the line, a ring at the start and a disc at the end, red if the walk is stuck."""
    at = [(float(x), float(y)) for x, y in centres[walk.cells].round(1).tolist()]
    stuck = len(walk) < walk.board.size
    (x, y), (u, v) = at[0], at[-1]
    return [
        f'<use href="#{name}"/>',
        (
            f'<path d="M{points(at)}{"z" if walk.closed else ""}" fill="none" stroke="{LINE}" '
            f'stroke-width="{short(0.09 * UNIT)}" stroke-linejoin="round"/>'
        ),
        (
            f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(0.26 * UNIT)}" fill="#fff" stroke="{LINE}" '
            f'stroke-width="{short(0.1 * UNIT)}"/>'
        ),
        (
            f'<circle cx="{short(u)}" cy="{short(v)}" r="{short((0.3 if stuck else 0.22) * UNIT)}" '
            f'fill="{RED if stuck else LINE}"/>'
        ),
    ]


def _ends(
    failed: Sequence[Tour],
    centres: NDArray[np.float64],
    place: tuple[float, float],
    name: str,
    *,
    font: bool,
) -> list[str]:
    """The board with the number of walks that got stuck on each cell."""
    ends = Counter(walk.end for walk in failed)
    out = [f'<g transform="translate({short(place[0])} {short(place[1])})"><use href="#{name}"/>']
    most = max(ends.values())
    for cell, count in sorted(ends.items()):
        x, y = centres[cell].tolist()
        out.append(
            f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(0.42 * UNIT)}" fill="{RED}" '
            f'opacity="{0.45 + 0.55 * count / most:.2f}"/>'
        )
        out.append(letters(x, y, str(count), 0.55 * UNIT, "#fff", font=font))
    wide = max(float(centres[:, 0].max()) + UNIT, 8.5 * UNIT)
    high = float(centres[:, 1].max()) + UNIT
    out.append(letters(wide / 2, high + 0.4 * CAPTION, "where walks get stuck", 0.75 * UNIT, INK, font=font))
    return [*out, "</g>"]
