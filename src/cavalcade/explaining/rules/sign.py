"""Words and signs of `sign`."""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph
from cavalcade.checking.rules.sign import cover
from cavalcade.explaining.wording import Wording, listed

LEGEND = {"parts": "{cells} of one group: one choice decides all"}


def sentence(words: Wording, _: Ints) -> str:
    """The groups, and the number of cycles of one cover."""
    nouns = words.nouns
    groups, count = cover(words.present)
    sizes = sorted({len(group) for group in groups} - {1})
    if not sizes:
        return (
            f"No {nouns.cell} has a choice of the next one, and the {nouns.moves} form {count:,} loops, an "
            f"even number of loops; a {nouns.tour} would be a single loop."
        )
    several = sum(len(group) > 1 for group in groups)
    of = listed(map(str, sizes)).replace(" and ", " or ")
    are = "is 1 group" if several == 1 else f"are {several:,} groups"
    return (
        f"Wherever the tour has a choice of the next {nouns.cell}, it is a choice between two, and one "
        f"choice decides all others in its group: there {are}, of {of} {nouns.cells} each. The other choice "
        f"of a group permutes its next {nouns.cells} in one cycle of odd length. That is an even "
        f"permutation, so it keeps the number of loops even or odd. One choice gives {count:,} loops, so "
        f"every choice gives an even number of loops. But a {nouns.tour} is a single loop."
    )


def roles(present: PresentGraph, _: Ints) -> dict[str, list[Ints]]:
    """The groups of cells that have a choice."""
    groups = [group for group in cover(present)[0] if len(group) > 1]
    return {"parts": [np.array([*map(present.cell_of, group)]) for group in groups]}
