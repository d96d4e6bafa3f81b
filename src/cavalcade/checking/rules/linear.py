"""`linear`: numbers for cells and sets of cells that demand more than all moves supply: a contradiction.

A set has a number of at least 0; a single cell has any number. The value of a move is the sum of the numbers
of the sets that it leaves. A tour leaves every set at least twice, and a single cell exactly twice, if the
set has some cells but not all. So the values of its moves add up to at least twice the sum of all numbers,
the demand. A tour uses each move at most once, and it uses the forced moves. So the values of the forced
moves and of all other moves of positive value, the supply, must not be less than the demand (Dantzig,
Fulkerson and Johnson, Solution of a large-scale traveling-salesman problem, Operations Research 2, 1954, look
for the shortest tour in this way).

If the tour must have c coils, the coils can have a number of any sign, too: a term without cells. It is added
to the value of every move that begins a coil (from the lower half of the board to the upper half, see
`geometry.rising`), and c times that number to the demand. If moves go one way, the cells `c>` and `>c`, where
a tour leaves and arrives, have numbers of their own, like the potentials of an assignment (Kuhn, The
Hungarian method for the assignment problem, Naval Research Logistics Quarterly 2, 1955).
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from cavalcade.checking.constraints import of_coils
from cavalcade.checking.present import FORCED, OUT, Ints, PresentGraph, WrongError, counted

Terms: TypeAlias = list[tuple[int, Ints]]


def check(present: PresentGraph, terms: Terms) -> None:
    """Compare demand and supply."""
    limit = 1 << 31  # of the sum of the absolute numbers: the supply of 2**31 edges then fits into 64 bits
    if sum(abs(number) for number, _ in terms) >= limit:
        raise WrongError(f"its numbers add up to {limit:,} or more")
    for number, cells in terms:
        if not len(cells) and present.question.coils is not None:  # coils; nothing has been contracted then
            continue
        if not 0 < len(cells) < present.count:
            raise WrongError(f"it has a set of {len(cells)} cells, of {present.count}")
        if number < 0 and len(cells) > 1:
            raise WrongError(f"a set of {counted(len(cells), 'cell')} has the number {number}")
    demand, supply = totals(present, terms)
    if supply >= demand:
        raise WrongError(f"moves worth {supply:,} can be made, not fewer than {demand:,}")


def values(present: PresentGraph, terms: Terms) -> Ints:
    """The value of each edge, one per edge number."""
    weight = np.zeros(present.size, dtype=np.int64)
    for number, cells in terms:
        if len(cells) == 1:
            weight[cells] += number
    value = weight[present.edges].sum(axis=1)
    for number, cells in terms:
        if len(cells) > 1:
            present.mark[cells] = True
            value[present.mark[present.edges].sum(axis=1) == 1] += number
            present.mark[cells] = False
        elif not len(cells):
            value[of_coils(present.question, present.edges)] += number
    return np.asarray(value)


def totals(present: PresentGraph, terms: Terms) -> tuple[int, int]:
    """The demand of a tour, and the supply of the present moves."""
    value = values(present, terms)
    usable = np.where(present.status == FORCED, value, np.maximum(value, 0))
    demand = sum(number * (2 if len(cells) else present.question.coils or 0) for number, cells in terms)
    return demand, int(usable[present.status != OUT].sum())
