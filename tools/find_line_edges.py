"""Bound the number of turns at the edges of `cavalcade.construction.lines` from below.

    python tools/find_line_edges.py

An integer linear program (HiGHS, through scipy) minimises the turns of a periodic pattern along an edge, for
a given period and depth, with the straight lines beyond it. The relaxation allows loops.

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
    """Return the cell that a direction leads to."""
    return cell[0] + STEPS[way][0], cell[1] + STEPS[way][1]


class Region:
    """Cells with variable moves, surrounded by fixed moves.

    Args:
        cells: cells of the region.
        fixed: directions that are used at some cells, by cell.
        wrap: representative in `cells` of each cell of a neighbouring period.
    """

    def __init__(self, cells: list[Cell], fixed: dict[Cell, list[int]], wrap: dict[Cell, Cell]) -> None:
        self.cells, self.fixed, self.wrap = cells, fixed, wrap
        reachable = {*cells, *wrap}
        free = [(cell, way) for cell in cells for way in range(4) if ahead(cell, way) in reachable]
        self.number = {direction: k for k, direction in enumerate(free, 1)}

    def variable(self, cell: Cell, way: int) -> int:
        """Return the variable of a direction from a cell, from 1; 0 if there is no such move."""
        if way < 4:
            return self.number.get((cell, way), 0)
        target = ahead(cell, way)
        return self.number.get((self.wrap.get(target, target), way - 4), 0)

    def turns(self) -> list[tuple[list[int], list[tuple[int, int | None]]]]:
        """Return the variables of the moves of each cell, and the pairs that detect a turn.

        Returns:
            For each cell, the variables of its free moves; and for each possible move its variable (0 if it
            is fixed) with the variable of the opposite move (None if that is fixed: there is no turn).
        """
        rows = []
        for cell in self.cells:
            fixed_here = self.fixed.get(cell, [])
            moves = [k for way in range(8) if way not in fixed_here and (k := self.variable(cell, way))]
            pairs: list[tuple[int, int | None]] = []
            for way in range(8):
                used = 0 if way in fixed_here else self.variable(cell, way)
                straight_on = None if way ^ 4 in fixed_here else self.variable(cell, way ^ 4)
                if used or way in fixed_here:
                    pairs.append((used, straight_on))
            rows.append((moves, pairs))
        return rows


def edge(period: int, depth: int, *, upright: bool) -> int:
    """Return the fewest turns in a period of a left edge (`upright`) or of a bottom edge."""
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
        need = 2 - len(region.fixed.get(cells[i], []))
        rows, low, high = [*rows, row], [*low, need], [*high, need]
        for used, straight_on in pairs:  # a move is used and the opposite move is not: a turn
            if straight_on is None:
                continue
            row = np.zeros(size)
            row[len(region.number) + i] = 1
            row[[k - 1 for k in (used,) if k]] -= 1
            row[[k - 1 for k in (straight_on,) if k]] += 1
            rows, low, high = [*rows, row], [*low, 0 if used else 1], [*high, np.inf]
    cost = np.append(np.zeros(len(region.number)), np.ones(len(cells)))
    constraint = LinearConstraint(np.array(rows), low, high)
    done = milp(cost, constraints=constraint, integrality=np.ones(size), bounds=Bounds(0, 1))
    return int(np.rint(done.mip_dual_bound))


def main() -> None:
    """Print the lower bounds for the edges of the construction."""
    for upright, name, period in ((False, "bottom", 4), (True, "left", 8), (True, "left", 16)):
        turns = edge(period, 6, upright=upright)
        sys.stdout.write(f"{name} edge, 6 deep, period {period}: at least {turns} turns\n")


if __name__ == "__main__":
    main()
