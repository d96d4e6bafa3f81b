"""The position formula: its models are the tours with given cells at given steps.

n is the number of cells, numbered from 0; steps are numbered from 1. Variable 1 + c n + (t - 1) says that
cell c has step t. The clauses, in this order:

1. every cell has a step: for each cell its n variables, by step;
2. every step has a cell: for each step its n variables, by cell;
3. no cell has two steps: for each cell, for all steps s < t by s and then t: not s, or not t;
4. no step has two cells: for each step, for all cells c < d by c and then d: not c, or not d;
5. the next step is on a neighbour: for each cell c, for each step t from 1 to n - 1: not (c, t), or
   (d, t + 1) for a neighbour d, in ascending order;
6. and so is the one before: for each cell c, for each step t from 2 to n: not (c, t), or (d, t - 1) for a
   neighbour d;
7. for closed tours, of n >= 3 cells, the same around: for each cell c: not (c, n), or (d, 1) for a
   neighbour d; then for each cell c: not (c, 1), or (d, n) for a neighbour d;
8. what is given: for each given step in ascending order, the variable of its cell;
9. for each move (a, b), a < b, that has to be made, in ascending order, for each step t from 1 to n: not
   (a, t), or (b, t - 1), or (b, t + 1); steps that there are not are left out, but in closed tours, of
   n >= 3 cells, step n is before step 1 and step 1 after step n.

A solution is forbidden by the clause of the negations of its n variables, in the order of the steps.

There are n³ + O(n (m + n)) clauses, m edges: 265,000 for 8x8. The encoding is the direct one of Prestwich
(2003) for Hamiltonian cycles, with both directions of 5.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cavalcade.question.graph import MoveGraph


def position_clauses(
    graph: MoveGraph, given: Mapping[int, int], *, closed: bool, required: Iterable[tuple[int, int]] = ()
) -> Iterator[list[int]]:
    """The clauses of the formula, in the order above.

    Args:
        graph: the move graph.
        given: step, from 1, to cell.
        closed: the cell of step n is next to that of step 1.
        required: moves that have to be made.
    """
    n = graph.size
    cells, steps = range(n), range(1, n + 1)
    of_cell = [list(range(c * n + 1, c * n + n + 1)) for c in cells]
    of_step = [[row[t - 1] for row in of_cell] for t in steps]
    near = [sorted(graph.neighbours(c).tolist()) for c in cells]
    yield from of_cell
    yield from of_step
    for row in (*of_cell, *of_step):
        yield from ([-a, -b] for a, b in combinations(row, 2))
    for first, last, step in ((0, n - 1, 1), (1, n, -1)):
        for c in cells:
            for t in range(first, last):
                yield [-of_cell[c][t], *(of_cell[d][t + step] for d in near[c])]
    if closed and n > 2:
        for here, there in ((n - 1, 0), (0, n - 1)):
            yield from ([-of_cell[c][here], *(of_cell[d][there] for d in near[c])] for c in cells)
    for t, c in sorted(given.items()):
        yield [of_cell[c][t - 1]]
    for a, b in sorted(required):
        for t in range(n):
            beside = [t - 1, t + 1]
            beside = [i % n for i in beside] if closed and n > 2 else [i for i in beside if 0 <= i < n]
            yield [-of_cell[a][t], *(of_cell[b][i] for i in beside)]


def forbidding(n: int, tour: Iterable[int]) -> list[int]:
    """The clause that forbids one solution, the cells of n steps in order."""
    return [-(1 + c * n + t) for t, c in enumerate(tour)]
