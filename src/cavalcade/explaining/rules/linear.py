"""Words and signs of `linear`."""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, Ints, PresentGraph
from cavalcade.checking.rules.linear import Terms, totals, values
from cavalcade.explaining.wording import Wording, listed

LEGEND = {"named": "the number of a {cell}", "beside": "", "parts": "the {cells} of a set with a number"}


def sentence(words: Wording, terms: Terms) -> str:
    """The numbers, and what they add up to over a tour and over all moves."""
    present, nouns = words.present, words.nouns
    by_number: dict[int, list[int]] = {}
    for number, cells, odd in terms:
        if len(cells) == 1 and not len(odd):
            by_number.setdefault(number, []).append(int(cells[0]))
    numbers = [
        f"{number:,} to {words.cells_named(by_number[number])}" for number in sorted(by_number, reverse=True)
    ]
    sets = [
        f"{number:,} to the set of {words.count_cells(len(cells))} {words.cells_named(cells)}"
        + (
            f" with the odd {nouns.moves} {listed([present.called(move) for move in odd])}"
            if len(odd)
            else ""
        )
        for number, cells, odd in terms
        if len(cells) > 1 or len(odd)
    ]
    has_odd = any(len(term.odd) for term in terms)
    plain_sets = any(len(term.cells) > 1 and not len(term.odd) for term in terms)
    whole = sum(number for number, cells, _ in terms if not len(cells))
    weighed = present.weights is not None
    if whole:
        numbers.append(f"{whole:,} to {'the weight' if weighed else 'coils'}")
    demand, supply = totals(present, terms)
    value = f"the sum of the numbers of its two {'ends' if present.question.board.plain else nouns.cells}"
    value += " and of the sets that it leaves" if sets else ""
    value += f", minus twice the numbers of the sets that have it as an odd {nouns.move}" if has_odd else ""
    if whole and weighed:
        value += f", minus {'' if whole == -1 else f'{-whole:,} times '}its weight"
    elif whole:
        value += f", plus the number of coils if it goes from the lower half of the {nouns.whole} "
        value += "to the upper half"
    tour = f"A {nouns.tour} uses two {nouns.moves} at every {nouns.cell}"
    tour += ", and leaves every set at least twice" if plain_sets else ""
    if has_odd:
        tour += f", and leaves a set by another {nouns.move} if it uses all odd {nouns.moves} of the set, "
        tour += "because it leaves the set an even number of times"
    if whole:
        tour += (
            f", and weighs at most {present.weights.most:,}{_units(present)}" if present.weights is not None
            else f", and has {present.question.coils:,} coils"
        )  # fmt: skip
    least = f"at least {demand:,}" if sets or weighed else f"exactly {demand:,}"
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


def _units(present: PresentGraph) -> str:
    """Name the unit of the weights, unless it is 1."""
    assert present.weights is not None  # noqa: S101 - for the type checker
    return "" if present.weights.unit == 1 else f" units of {present.weights.unit:f}"


def roles(present: PresentGraph, terms: Terms) -> dict[str, list[Ints]]:
    """The cells by the signs of their numbers, and the sets."""
    alone = [
        (number, present.cell_of(int(cells[0])))
        for number, cells, odd in terms
        if len(cells) == 1 and not len(odd)
    ]
    return {
        "beside": [np.array([cell for number, cell in alone if number < 0], dtype=np.int64)],
        "named": [np.array([cell for number, cell in alone if number > 0], dtype=np.int64)],
        "parts": [cells for _, cells, _ in terms if len(cells) > 1],
    }
