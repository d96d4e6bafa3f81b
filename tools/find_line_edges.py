"""How few turns the edges of `cavalcade.construction.lines` can have: `python tools/find_line_edges.py`.

An integer linear program (HiGHS, through scipy) finds the fewest turns of any pattern that goes on for ever
along an edge with some period, so many cells deep, with the lines beyond it; even loops are allowed.

Time: seconds.
"""

from __future__ import annotations

import sys
from typing import TypeAlias

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from cavalcade.construction.lines import STEPS

Cell: TypeAlias = tuple[int, int]


def ahead(cell: Cell, way: int) -> Cell:
    """Where a direction leads."""
    return cell[0] + STEPS[way][0], cell[1] + STEPS[way][1]


class Region:
    """Cells whose moves are free, and moves that come from elsewhere.

    Args:
        cells: the cells.
        given: at some cells directions that are used.
        wrap: for edges that go on for ever, the cell that a cell stands for.
    """

    def __init__(self, cells: list[Cell], given: dict[Cell, list[int]], wrap: dict[Cell, Cell]) -> None:
        self.cells, self.given, self.wrap = cells, given, wrap
        known = {*cells, *wrap}
        free = [(cell, way) for cell in cells for way in range(4) if ahead(cell, way) in known]
        self.number = {one: k for k, one in enumerate(free, 1)}

    def variable(self, cell: Cell, way: int) -> int:
        """The variable of a direction from a cell; 0 if there is no such move."""
        if way < 4:
            return self.number.get((cell, way), 0)
        other = ahead(cell, way)
        return self.number.get((self.wrap.get(other, other), way - 4), 0)

    def turns(self) -> list[tuple[list[int], list[tuple[int, int | None]]]]:
        """Of each cell its free moves, and of each move used its variable, 0 if given, and that straight on.

        A move that is straight on and given (None) makes no turn.
        """
        found = []
        for cell in self.cells:
            given = self.given.get(cell, [])
            moves = [k for way in range(8) if way not in given and (k := self.variable(cell, way))]
            pairs: list[tuple[int, int | None]] = []
            for way in range(8):
                one = 0 if way in given else self.variable(cell, way)
                on = None if way ^ 4 in given else self.variable(cell, way ^ 4)
                if one or way in given:
                    pairs.append((one, on))
            found.append((moves, pairs))
        return found


def edge(period: int, depth: int, *, upright: bool) -> int:
    """The fewest turns in a period of a left edge (upright) or a bottom edge."""
    if upright:
        cells = [(row, column) for row in range(period) for column in range(depth)]
        wrap = {(r + k * period, c): (r, c) for r, c in cells for k in (-1, 1)}
    else:
        cells = [(row, column) for row in range(-depth, 0) for column in range(period)]
        wrap = {(r, c + k * period): (r, c) for r, c in cells for k in (-1, 1)}
    inside = {*cells, *wrap}
    region = Region(cells, {cell: [0] for cell in cells if ahead(cell, 0) not in inside}, wrap)
    rows: list[np.ndarray] = []
    low: list[float] = []
    high: list[float] = []
    size = len(region.number) + len(cells)
    for i, (moves, pairs) in enumerate(region.turns()):
        row = np.zeros(size)
        np.add.at(row, np.array(moves) - 1, 1)
        need = 2 - len(region.given.get(cells[i], []))
        rows, low, high = [*rows, row], [*low, need], [*high, need]
        for one, on in pairs:  # one of them is used, and not that straight on: a turn
            if on is None:
                continue
            row = np.zeros(size)
            row[len(region.number) + i] = 1
            row[[k - 1 for k in (one,) if k]] -= 1
            row[[k - 1 for k in (on,) if k]] += 1
            rows, low, high = [*rows, row], [*low, 0 if one else 1], [*high, np.inf]
    cost = np.append(np.zeros(len(region.number)), np.ones(len(cells)))
    constraint = LinearConstraint(np.array(rows), low, high)
    done = milp(cost, constraints=constraint, integrality=np.ones(size), bounds=Bounds(0, 1))
    return int(np.rint(done.mip_dual_bound))


def main() -> None:
    """Say how few turns there can be."""
    for upright, name, period in ((False, "bottom", 4), (True, "left", 8), (True, "left", 16)):
        turns = edge(period, 6, upright=upright)
        sys.stdout.write(f"{name} edge, 6 deep, period {period}: at least {turns} turns\n")


if __name__ == "__main__":
    main()
