"""Print the packaged lists of tours as tables into the pages with the proofs.

    python tools/print_tours.py

The pages contain the entry NAME of `tables` between `<!-- tables NAME -->` and `<!-- end -->`. A number is
the step at which the tour visits the cell.
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

DOCS = Path(__file__).parent.parent / "docs" / "proofs"
PAGES = ("glinski.md", "box-tours.md", "rectangles.md")
BLOCK = re.compile(r"(?<=<!-- tables )(\w+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)


def tables() -> dict[str, str]:
    """Return all tables by name."""
    names = ("glinski", "hexagonal", "rectangles")
    glinski, hexagonal, rectangles = (json.loads(packaged(name)) for name in names)
    pieces = [("rhombus", glinski["rhombus"])]
    pieces += [(f"trapezoid {least}", tour) for least, tour in glinski["trapezoids"].items()]
    blocks = [(f"block {name.replace('x', ' x ')}", tour) for name, tour in hexagonal["blocks"].items()]
    boards = [(f"board of side {side}", tour) for side, tour in glinski["boards"].items()]
    triangles = [(f"triangle {side}", tour) for side, tour in hexagonal["triangles"].items()]
    triangles += [(f"triangle {side}, an open tour", tour) for side, tour in hexagonal["open"].items()]
    hexagons = [("layer", hexagonal["bent"]["tour"])]
    hexagons += [(f"hexagon {sides}", tour) for sides, tour in hexagonal["hexagons"].items()]
    narrow = hexagonal["narrow"]
    hexagons += [(f"layer of {sides}", tour) for sides, tour in narrow["layers"].items()]
    hexagons += [(f"hexagon {sides}", tour) for sides, tour in narrow["hexagons"].items()]
    hexagons += [(f"hexagon {sides}, an open tour", tour) for sides, tour in narrow["open"].items()]
    return {
        "pieces": _text(_rows(name, tour) for name, tour in pieces),
        "boards": _text(_hexagonal(name, tour) for name, tour in boards),
        "triangles": _text(_rows(name, [[q + r, r] for q, r in tour]) for name, tour in triangles),
        "blocks": _text(_rows(name, tour) for name, tour in blocks),
        "hexagons": _text(_hexagonal(name, tour) for name, tour in hexagons),
        "boxes": _text(_levels()),
        "rectangles_closed": _text(_rows(*row) for row in rectangles["closed"].items()),
        "rectangles_open": _text(_rows(*row) for row in rectangles["open"].items()),
        "rectangles_strips": _text(_strip(int(rows), path) for rows, path in rectangles["strips"].items()),
        "joins": _text(["\n".join(_joins())]),
    }


def _text(parts: Iterator[str] | list[str]) -> str:
    return "```text\n" + "\n\n".join(parts) + "\n```\n"


def _rows(name: str, tour: Sequence[Sequence[int]]) -> str:
    """Format a tour of cells [row, place]: a line for each row, from its first place."""
    rows: dict[int, dict[int, int]] = {}
    for step, (i, j) in enumerate(tour, 1):
        rows.setdefault(i, {})[j] = step
    return "\n".join(
        [name, *("".join(f"{row[j]:4}" for j in sorted(row)) for _, row in sorted(rows.items()))]
    )


def _strip(rows: int, path: Sequence[Sequence[int]]) -> str:
    """Format a path of four columns, with a dot for each cell that it leaves out."""
    steps = {(i, j): str(step) for step, (i, j) in enumerate(path, 1)}
    cells = ["".join(f"{steps.get((i, j), '.'):>4}" for j in range(4)) for i in range(rows)]
    return "\n".join([f"strip of {rows} rows", *cells])


def _hexagonal(name: str, tour: Sequence[Sequence[int]]) -> str:
    """Format a tour of cells [q, r]: a line for each r, shifted so that neighbours form a hexagon."""
    steps = {(q, r): step for step, (q, r) in enumerate(tour, 1)}
    left_edge = min(2 * q + r for q, r in steps)
    lines = [name]
    for r in sorted({r for _, r in steps}):
        line = ""
        for q in sorted(q for q, s in steps if s == r):
            line = line.ljust(2 * (2 * q + r - left_edge)) + f"{steps[q, r]:4}"
        lines.append(line)
    return "\n".join(lines)


def _levels() -> Iterator[str]:
    """Yield the tours of boxes, with levels x side by side, rows y and places z."""
    tours = read(packaged("boxes"))
    for number, ((i, j, k), tour) in enumerate(zip(tours.blocks, tours.tours, strict=True)):
        steps = {cell: step for step, cell in enumerate(tour, 1)}
        lines = [
            "  ".join("".join(f"{steps[x, y, z]:4}" for z in range(k)) for x in range(i)) for y in range(j)
        ]
        yield "\n".join([f"tour {number}: {i} x {j} x {k}", *lines])


def _joins() -> Iterator[str]:
    """Yield the joins, a line for each state."""
    tours = read(packaged("boxes"))
    for state in sorted({state for state, _ in tours.joins}):
        line = f"{state[0]}.{_edge(state[1])}:"
        for (join_state, (axis, way, part)), (u, turn, (other_tour, v)) in sorted(tours.joins.items()):
            if join_state == state:
                axes = "".join("xyz"[index] for index in TURNS[turn])
                line += f"  {'xyz'[axis]}{'+' if way == 1 else '-'}{part} {u}/{other_tour}.{v} {axes}"
        yield line


def _edge(edge: int) -> str:
    return "none" if edge < 0 else str(edge)


def printed(page: str) -> str:
    """Return a page with its tables renewed."""
    all_tables = tables()
    return BLOCK.sub(lambda match: match[1] + match[2] + all_tables[match[1]], page)


if __name__ == "__main__":
    for name in PAGES:
        page = DOCS / name
        page.write_text(printed(page.read_text(encoding="utf-8")), encoding="utf-8")
