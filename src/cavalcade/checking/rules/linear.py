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

A set can have *odd moves*, an odd number of the moves that leave it. A tour leaves the set an even number of
times. So if it makes all k odd moves, it also leaves the set by another move; otherwise it makes at most
k - 1 of them. In both cases the moves that leave the set, less twice its odd moves, number at least 1 - k
(Edmonds, Maximum matching and a polyhedron with 0,1-vertices, 1965). Such a set adds its number to the value
of each move that leaves it, except that it subtracts it for the odd moves, and adds 1 - k times its number to
the demand.

If the tours may weigh at most w, the weight has a number p of at most 0, again a term without cells. It adds
p times its weight to the value of each move, and p times w to the demand.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from cavalcade.checking.constraints import of_coils
from cavalcade.checking.present import FORCED, OUT, Ints, PresentGraph, WrongError, counted


class ArrayTerm(NamedTuple):
    """A number for a set of cells, as `answers.certificate.Term`, with arrays.

    Attributes:
        number: the number.
        cells: the cells of the set; none if the number is that of coils or of the weight.
        odd: the odd moves, shape (k, 2).
    """

    number: int
    cells: Ints
    odd: Ints

    @property
    def demand(self) -> int:
        """The least value of a tour on account of this term, per unit of the number; not for coils."""
        return 1 - len(self.odd) if len(self.odd) else 2


Terms: TypeAlias = list[ArrayTerm]


def check(present: PresentGraph, terms: Terms) -> None:
    """Compare demand and supply."""
    limit = 1 << 62  # sums of 64 bits hold smaller values
    largest = 1 if present.weights is None else int(np.abs(present.weights.values).max(initial=1))
    # An edge has at most twice the number of a term, for its two ends or as an odd move, or its weight.
    value = sum(abs(term.number) * (2 if len(term.cells) else largest) for term in terms)
    if value * len(present.edges) >= limit:
        raise WrongError("its numbers are too large to add them up in 64 bits")
    for number, cells, odd in terms:
        whole = not len(cells) and not len(odd)  # a number for the coils or the weight
        if whole and present.question.coils is not None:  # nothing has been contracted then
            continue
        if whole and present.weights is not None:
            if number > 0:
                raise WrongError(f"the weight has the number {number}, and no tour must weigh more")
            continue
        if not 0 < len(cells) < present.count:
            raise WrongError(f"it has a set of {len(cells)} cells, of {present.count}")
        if number < 0 and (len(cells) > 1 or len(odd)):
            raise WrongError(f"a set of {counted(len(cells), 'cell')} has the number {number}")
        if len(odd):
            _check_odd(present, cells, odd)
    demand, supply = totals(present, terms)
    if supply >= demand:
        raise WrongError(f"moves worth {supply:,} can be made, not fewer than {demand:,}")


def _check_odd(present: PresentGraph, cells: Ints, odd: Ints) -> None:
    """Check that the odd moves of a set are different, leave the set, and are an odd number."""
    numbers = [present.edge(move) for move in odd]
    if len(set(numbers)) < len(numbers) or len(numbers) % 2 == 0:
        raise WrongError(f"a set has {counted(len(numbers), 'move')}, expected different ones, an odd number")
    inside = np.isin(present.edges[numbers], cells)
    if (inside.sum(axis=1) != 1).any():
        raise WrongError("an odd move of a set does not leave the set")


def values(present: PresentGraph, terms: Terms) -> Ints:
    """The value of each edge, one per edge number."""
    weight = np.zeros(present.size, dtype=np.int64)
    for number, cells, odd in terms:
        if len(cells) == 1 and not len(odd):
            weight[cells] += number
    value = weight[present.edges].sum(axis=1)
    for number, cells, odd in terms:
        if len(cells) > 1 or len(odd):
            present.mark[cells] = True
            value[present.mark[present.edges].sum(axis=1) == 1] += number
            present.mark[cells] = False
            value[[present.edge(move) for move in odd]] -= 2 * number
        elif not len(cells) and present.weights is not None:
            value += number * present.weights.values
        elif not len(cells):
            value[of_coils(present.question, present.edges)] += number
    return np.asarray(value)


def totals(present: PresentGraph, terms: Terms) -> tuple[int, int]:
    """The demand of a tour, and the supply of the present moves."""
    value = values(present, terms)
    usable = np.where(present.status == FORCED, value, np.maximum(value, 0))
    bound = present.question.coils or 0 if present.weights is None else present.weights.most
    demand = sum(term.number * (term.demand if len(term.cells) else bound) for term in terms)
    return demand, int(usable[present.status != OUT].sum())
