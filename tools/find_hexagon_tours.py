"""Find the tours of hexagons with a side of 2 or 3 in `cavalcade/data/hexagonal.json`, the entry `narrow`.

    python tools/find_hexagon_tours.py > out/narrow.json

Tours come from `cavalcade.tour` with the seams required. The seams are one of the four pairs of edges near
the corner that fit, chosen because all layers and hexagons have tours with it. The check, `cavalcade theorem
hexagons`, does not rely on this search. A new list needs its digest in `SHA256SUMS` and new tables in
`docs/proofs/glinski.md` (`tools/print_tours.py`).

Time: seconds.
"""

from __future__ import annotations

import json
import sys
from itertools import product

import cavalcade
from cavalcade.theorems.facts import packaged
from cavalcade.theorems.glinski import DEPTH, Cell, Edge, Tour, is_move, read
from cavalcade.theorems.narrow import (
    HEXAGONS,
    LAYER_SIDES,
    ONLY_OPEN,
    SHORTEST,
    cell_at,
    hexagon,
    last_seam,
    layer,
    reflected,
    up,
)

ENTER: Edge = cell_at(0, 2, 0), cell_at(0, 1, 2)
LEAVE: Edge = cell_at(0, 1, 2), cell_at(0, 0, 4)


def tour(cells: list[Cell], seams: list[Edge], *, is_open: bool = False) -> Tour:
    """Find a tour of some cells that uses the seams."""
    number = {cell: i for i, cell in enumerate(cells)}
    edges = [(number[a], number[b]) for a, b in product(cells, cells) if a < b and is_move(a, b)]
    graph = cavalcade.MoveGraph.from_edges(edges, len(cells))
    verdict = cavalcade.tour(
        graph, open=is_open, with_=[f"{number[a] + 1}-{number[b] + 1}" for a, b in seams]
    )
    if not isinstance(verdict, cavalcade.Found):
        raise TypeError(f"expected a tour, not {verdict}")
    return [cells[i] for i in verdict.tour.cells.tolist()]


def printed() -> str:
    """Return the entry as JSON, one tour per line."""
    pieces = read(packaged("glinski"))
    layers = {
        f"{a},{b}": tour(layer(a, b), [ENTER, LEAVE, last_seam(b, pieces)])
        for a, b in product(SHORTEST, LAYER_SIDES)
    }
    hexagons = {
        f"{a},{b},{c}": tour(
            hexagon(a, b, c), [up(LEAVE, c - DEPTH)] + [reflected(up(LEAVE, b - DEPTH))] * (b > SHORTEST[-1])
        )
        for a, b, c in HEXAGONS
    }
    opened = {"{},{},{}".format(*sides): tour(hexagon(*sides), [], is_open=True) for sides in ONLY_OPEN}
    lines = [f'  "enter": {json.dumps(ENTER)}', f'  "leave": {json.dumps(LEAVE)}']
    for part, tours in (("layers", layers), ("hexagons", hexagons), ("open", opened)):
        rows = ",\n".join(f"   {json.dumps(name)}: {json.dumps(cells)}" for name, cells in tours.items())
        lines.append(f"  {json.dumps(part)}: {{\n{rows}\n  }}")
    return ' "narrow": {\n' + ",\n".join(lines) + "\n }\n"


if __name__ == "__main__":
    sys.stdout.write(printed())
