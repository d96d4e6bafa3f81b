"""Find the tours of `cavalcade/data/rectangles.json`, which `cavalcade theorem rectangles` checks.

    python tools/find_rectangle_tours.py > src/cavalcade/data/rectangles.json

Tours come from `cavalcade.tour` with the seams required, and the paths of the strips from an exhaustive
search. The check does not rely on this search. A new list needs its digest in `SHA256SUMS`, new tables in
`docs/proofs/rectangles.md` (`tools/print_tours.py`) and in `formal/RectangleTables.v`
(`tools/formal_tables.py`).

Time: seconds.
"""

from __future__ import annotations

import json
import sys
from itertools import pairwise, product

import cavalcade
from cavalcade.theorems.rectangles import (
    CLOSED_BASES,
    OPEN_BASES,
    Cell,
    Edge,
    Width,
    crossed,
    from_right,
    is_move,
    mirrored,
)

# The columns of `LEAVE` are counted from the right. A closed tour has this edge, because (0, -1) is a corner.
LEAVE: Edge = (0, -1), (2, -2)
ENTER: Edge = (1, 1), (3, 0)


def tour(m: int, n: int, *, closed: bool) -> list[Cell]:
    """Find a tour with the seams that the proof needs."""
    seams = [from_right(LEAVE, n)]
    if m == 4:
        seams.append(mirrored(seams[0]))
    if m > 4:
        seams += [crossed(from_right(LEAVE, m))] + [ENTER, crossed(ENTER)] * closed
    board = cavalcade.Board.box(m, n)
    moves = ["-".join(board.name_at(cell) for cell in seam) for seam in seams]
    verdict = cavalcade.tour(board, open=not closed, with_=moves)
    if not isinstance(verdict, cavalcade.Found):
        raise TypeError(f"expected a tour, not {verdict}")
    cells = [(row, column) for row, column in board.coords[verdict.tour.cells].tolist()]
    if closed:  # a closed tour begins at a corner, so that no seam of the last column joins its ends
        cells = cells[cells.index((0, 0)) :] + cells[: cells.index((0, 0))]
    return cells


def strip(rows: int) -> list[Cell]:
    """Find a path of the cells of a strip, or with four rows of half of them, that continues the seam."""
    cells = [*product(range(rows), range(Width.STRIP))]
    first, last = from_right(LEAVE, 0)
    seam = set(from_right(LEAVE, Width.STRIP))
    paths = [[cell] for cell in cells if is_move(first, cell)]
    while paths:
        path = paths.pop()
        complete = len(path) == (len(cells) if rows == 3 else len(cells) // 2)
        if complete and is_move(path[-1], last) and any({a, b} == seam for a, b in pairwise(path)):
            return path
        used = {*path} | ({(rows - 1 - row, column) for row, column in path} if rows == 4 else set())
        paths += [[*path, cell] for cell in cells if is_move(path[-1], cell) and cell not in used]
    raise ValueError(f"no path continues the seam on {rows} rows")


def printed() -> str:
    """Return the list as JSON, one tour per line."""
    parts: dict[str, dict[str, object]] = {
        "seams": {"enter": ENTER, "leave": LEAVE},
        "closed": {f"{m}x{n}": tour(m, n, closed=True) for m, n in CLOSED_BASES},
        "open": {f"{m}x{n}": tour(m, n, closed=False) for m, n in OPEN_BASES},
        "strips": {str(rows): strip(rows) for rows in (3, 4)},
    }
    about = (
        "Tours of rectangles: docs/rectangles.md. Cells are [row, column]; the columns of leave count from "
        "the right."
    )
    lines = [f' "about": {json.dumps(about)}']
    for part, rows in parts.items():
        tours = ",\n".join(f"  {json.dumps(name)}: {json.dumps(cells)}" for name, cells in rows.items())
        lines.append(f" {json.dumps(part)}: {{\n{tours}\n }}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.stdout.write(printed())
