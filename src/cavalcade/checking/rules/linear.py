"""`linear`: sets of cells with whole numbers that ask for more than all moves are worth: a contradiction.

A set has a positive number or 0, a single cell any number. A move is worth the sum of the numbers of the
sets that it leaves. A tour leaves every set at least twice, and a single cell exactly twice, if some cells
are in the set and some are not. So its moves are worth twice the sum of all numbers or more. It makes every
move at most once, and those that are forced. So if the forced moves and those worth more than 0 are worth
less together, there is no tour (G. B. Dantzig, D. R. Fulkerson and S. M. Johnson, Solution of a large-scale
traveling-salesman problem, Operations Research 2, 1954: they look for the shortest tour in this way).

Where the tour is to have k coils, the coils can have a number, too, of any sign: a term without cells. Every
move that begins a coil (from the lower half of the board to the upper one, see `geometry.rising`) is worth as
much more, and all moves of a tour k times as much. Where moves go one way, the cells where a tour leaves and
arrives, `c>` and `>c`, have numbers of their own, the potentials of an assignment (H. W. Kuhn, The Hungarian
method for the assignment problem, Naval Research Logistics Quarterly 2, 1955).
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from cavalcade.checking.constraints import of_coils
from cavalcade.checking.present import FORCED, OUT, Ints, PresentGraph, WrongError, counted

LEGEND = {"named": "the number of a cell", "beside": "", "parts": "the cells of a set with a number"}
Terms: TypeAlias = list[tuple[int, Ints]]
LARGEST = 1 << 31  # of all numbers together: what moves are worth fits into 64 bits


def check(present: PresentGraph, terms: Terms) -> None:
    """Add up what a tour owes, and what there is."""
    if sum(abs(number) for number, _ in terms) >= LARGEST:
        raise WrongError(f"its numbers come to {LARGEST:,} or more")
    for number, cells in terms:
        if not len(cells) and present.question.coils is not None:  # and nothing is contracted
            continue
        if not 0 < len(cells) < present.count:
            raise WrongError(f"it has a set of {len(cells)} cells, of {present.count}")
        if number < 0 and len(cells) > 1:
            raise WrongError(f"a set of {counted(len(cells), 'cell')} has the number {number}")
    owed, most = _sums(present, terms)
    if most >= owed:
        raise WrongError(f"moves worth {most:,} can be made, not fewer than {owed:,}")


def sentence(present: PresentGraph, terms: Terms) -> str:
    """The numbers, and both sums."""
    alone: dict[int, list[int]] = {}
    for number, cells in terms:
        if len(cells) == 1:
            alone.setdefault(number, []).append(int(cells[0]))
    given = [f"{number:,} to {present.cells_named(alone[number])}" for number in sorted(alone, reverse=True)]
    sets = [
        f"{number:,} to the set of {len(cells):,} cells {present.cells_named(cells)}"
        for number, cells in terms
        if len(cells) > 1
    ]
    owed, most = _sums(present, terms)
    forced = present.status == FORCED
    coils = sum(number for number, cells in terms if not len(cells))
    if coils:
        given.append(f"{coils:,} to coils")
    return (
        f"Give the number {'; '.join([*given, *sets])}. A move is worth the sum of the numbers of its two "
        f"cells{', and of the sets that it leaves' if sets else ''}"
        f"{', and that of coils if it goes from the lower half of the board to the upper' if coils else ''}. "
        f"A tour makes two moves at every cell"
        f"{', and leaves every set at least twice' if sets else ''}"
        f"{f', and has {present.question.coils:,} coils' if coils else ''}: its moves are worth "
        f"{f'{owed:,} or more' if sets else f'exactly {owed:,}'}. But all moves worth more than 0"
        f"{' and those that a tour has to make' if _worth(present, terms)[forced].any() else ''} "
        f"are worth only {most:,} together."
    )


def roles(present: PresentGraph, terms: Terms) -> dict[str, list[Ints]]:
    """The cells by the signs of their numbers, and the sets."""
    alone = [(number, present.cell_of(int(cells[0]))) for number, cells in terms if len(cells) == 1]
    return {
        "beside": [np.array([cell for number, cell in alone if number < 0], dtype=np.int64)],
        "named": [np.array([cell for number, cell in alone if number > 0], dtype=np.int64)],
        "parts": [cells for _, cells in terms if len(cells) > 1],
    }


def _worth(present: PresentGraph, terms: Terms) -> Ints:
    """What each edge is worth."""
    weight = np.zeros(present.size, dtype=np.int64)
    for number, cells in terms:
        if len(cells) == 1:
            weight[cells] += number
    worth = weight[present.edges].sum(axis=1)
    for number, cells in terms:
        if len(cells) > 1:
            present.mark[cells] = True
            worth[present.mark[present.edges].sum(axis=1) == 1] += number
            present.mark[cells] = False
        elif not len(cells):
            worth[of_coils(present.question, present.edges)] += number
    return np.asarray(worth)


def _sums(present: PresentGraph, terms: Terms) -> tuple[int, int]:
    """What the moves of a tour are worth at least, and what all that there are are worth at most."""
    worth = _worth(present, terms)
    most = np.where(present.status == FORCED, worth, np.maximum(worth, 0))
    owed = sum(number * (2 if len(cells) else present.question.coils or 0) for number, cells in terms)
    return owed, int(most[present.status != OUT].sum())
