"""Words and signs of `linear`."""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, Ints, PresentGraph
from cavalcade.checking.rules.linear import Terms, totals, values
from cavalcade.explaining.wording import Wording

LEGEND = {"named": "the number of a {cell}", "beside": "", "parts": "the {cells} of a set with a number"}


def sentence(words: Wording, terms: Terms) -> str:
    """The numbers, and what they add up to over a tour and over all moves."""
    present, nouns = words.present, words.nouns
    by_number: dict[int, list[int]] = {}
    for number, cells in terms:
        if len(cells) == 1:
            by_number.setdefault(number, []).append(int(cells[0]))
    numbers = [
        f"{number:,} to {words.cells_named(by_number[number])}" for number in sorted(by_number, reverse=True)
    ]
    sets = [
        f"{number:,} to the set of {words.count_cells(len(cells))} {words.cells_named(cells)}"
        for number, cells in terms
        if len(cells) > 1
    ]
    coils = sum(number for number, cells in terms if not len(cells))
    if coils:
        numbers.append(f"{coils:,} to coils")
    demand, supply = totals(present, terms)
    value = f"the sum of the numbers of its two {'ends' if present.question.board.plain else nouns.cells}"
    value += " and of the sets that it leaves" if sets else ""
    value += (
        f", plus the number of coils if it goes from the lower half of the {nouns.whole} to the upper half"
        if coils
        else ""
    )
    tour = f"A {nouns.tour} uses two {nouns.moves} at every {nouns.cell}"
    tour += ", and leaves every set at least twice" if sets else ""
    tour += f", and has {present.question.coils:,} coils" if coils else ""
    least = f"at least {demand:,}" if sets else f"exactly {demand:,}"
    must = (
        f" together with the {nouns.moves} that {words.every_tour} must use"
        if values(present, terms)[present.status == FORCED].any()
        else ""
    )
    return (
        f"Give these numbers: {'; '.join([*numbers, *sets])}. The value of "
        f"{'an' if nouns.move == 'edge' else 'a'} {nouns.move} is {value}. {tour}, so the values of its "
        f"{nouns.moves} add up to {least}. But all {nouns.moves} of positive value{must} add up to only "
        f"{supply:,}."
    )


def roles(present: PresentGraph, terms: Terms) -> dict[str, list[Ints]]:
    """The cells by the signs of their numbers, and the sets."""
    alone = [(number, present.cell_of(int(cells[0]))) for number, cells in terms if len(cells) == 1]
    return {
        "beside": [np.array([cell for number, cell in alone if number < 0], dtype=np.int64)],
        "named": [np.array([cell for number, cell in alone if number > 0], dtype=np.int64)],
        "parts": [cells for _, cells in terms if len(cells) > 1],
    }
