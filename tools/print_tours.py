"""Prints the packaged lists of tours as tables, into the pages with the proofs.

    python tools/print_tours.py

Between `<!-- tables NAME -->` and `<!-- end -->`, the pages hold what `tables` has under this name. A number
is the step on which the tour is on the cell.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from cavalcade.theorems.boxes import TURNS, read
from cavalcade.theorems.facts import packaged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DOCS = Path(__file__).parent.parent / "docs"
PAGES = ("glinski.md", "box-tours.md")
BLOCK = re.compile(r"(?<=<!-- tables )(\w+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)


def tables() -> dict[str, str]:
    """All tables, by the names of their lists."""
    one, more = (json.loads(packaged(name)) for name in ("glinski", "hexagonal"))
    pieces = [("rhombus", one["rhombus"])]
    pieces += [(f"trapezoid {least}", tour) for least, tour in one["trapezoids"].items()]
    blocks = [(f"block {name.replace('x', ' x ')}", tour) for name, tour in more["blocks"].items()]
    boards = [(f"board of side {side}", tour) for side, tour in one["boards"].items()]
    triangles = [(f"triangle {side}", tour) for side, tour in more["triangles"].items()]
    triangles += [(f"triangle {side}, an open tour", tour) for side, tour in more["open"].items()]
    hexagons = [("layer", more["bent"]["tour"])]
    hexagons += [(f"hexagon {sides}", tour) for sides, tour in more["hexagons"].items()]
    return {
        "pieces": _text(_rows(name, tour) for name, tour in pieces),
        "boards": _text(_hexagonal(name, tour) for name, tour in boards),
        "triangles": _text(_rows(name, [[q + r, r] for q, r in tour]) for name, tour in triangles),
        "blocks": _text(_rows(name, tour) for name, tour in blocks),
        "hexagons": _text(_hexagonal(name, tour) for name, tour in hexagons),
        "boxes": _text(_levels()),
        "joins": _text(["\n".join(_joins())]),
    }


def _text(parts: Iterator[str] | list[str]) -> str:
    return "```text\n" + "\n\n".join(parts) + "\n```\n"


def _rows(name: str, tour: Sequence[Sequence[int]]) -> str:
    """Cells [row, place]: a line for each row, from its first place on."""
    rows: dict[int, dict[int, int]] = {}
    for step, (i, j) in enumerate(tour, 1):
        rows.setdefault(i, {})[j] = step
    return "\n".join(
        [name, *("".join(f"{row[j]:4}" for j in sorted(row)) for _, row in sorted(rows.items()))]
    )


def _hexagonal(name: str, tour: Sequence[Sequence[int]]) -> str:
    """Cells [q, r]: a line for each r, shifted so that a cell and its neighbours look like a hexagon."""
    steps = {(q, r): step for step, (q, r) in enumerate(tour, 1)}
    left = min(2 * q + r for q, r in steps)
    lines = [name]
    for r in sorted({r for _, r in steps}):
        line = ""
        for q in sorted(q for q, s in steps if s == r):
            line = line.ljust(2 * (2 * q + r - left)) + f"{steps[q, r]:4}"
        lines.append(line)
    return "\n".join(lines)


def _levels() -> Iterator[str]:
    """The tours of boxes: levels x side by side, rows y, places z."""
    tours = read(packaged("boxes"))
    for number, ((i, j, k), tour) in enumerate(zip(tours.blocks, tours.tours, strict=True)):
        steps = {cell: step for step, cell in enumerate(tour, 1)}
        lines = [
            "  ".join("".join(f"{steps[x, y, z]:4}" for z in range(k)) for x in range(i)) for y in range(j)
        ]
        yield "\n".join([f"tour {number}: {i} x {j} x {k}", *lines])


def _joins() -> Iterator[str]:
    """The joins, a line for each state."""
    tours = read(packaged("boxes"))
    for state in sorted({state for state, _ in tours.joins}):
        line = f"{state[0]}.{_edge(state[1])}:"
        for (one, (axis, way, part)), (u, turn, (other, v)) in sorted(tours.joins.items()):
            if one == state:
                axes = "".join("xyz"[at] for at in TURNS[turn])
                line += f"  {'xyz'[axis]}{'+' if way == 1 else '-'}{part} {u}/{other}.{v} {axes}"
        yield line


def _edge(edge: int) -> str:
    return "none" if edge < 0 else str(edge)


def printed(page: str) -> str:
    """A page with its tables as they are today."""
    every = tables()
    return BLOCK.sub(lambda found: found[1] + found[2] + every[found[1]], page)


if __name__ == "__main__":
    for name in PAGES:
        page = DOCS / name
        page.write_text(printed(page.read_text(encoding="utf-8")), encoding="utf-8")
