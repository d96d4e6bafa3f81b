"""Words and signs of `cut`, and the signs of `tight_cut`."""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, Ints, PresentGraph
from cavalcade.explaining.wording import Wording, capitalized

LEGEND = {"named": "removed", "beside": "alone"}


def sentence(words: Wording, cells: Ints) -> str:
    """The set, the parts, and the number of paths that can cover them."""
    present, nouns = words.present, words.nouns
    left = present.without(cells)
    question = present.question
    # An open tour that loses k cells falls into at most k + 1 paths; `*` is one of the removed cells then.
    apex = None if question.closed or question.ends else question.apex
    is_open = apex in cells.tolist() and left.paths == len(cells)
    shown = cells[cells != apex] if is_open else cells
    tour = words.open_tour if is_open else f"a {nouns.tour}"
    apart = words.falls_apart(left, cells)
    if not shown.size:
        return f"The {nouns.whole} {apart}. But {tour} would have to pass from one part to another."
    removed = words.count_cells(len(shown))
    paths = f"{left.paths:,} path{'s' * (left.paths != 1)}"
    leaves = f"Removing {removed} from {tour} leaves"
    held = left.inside[present.status[left.inside] == FORCED]
    if held.size:
        uses = f"{words.every_tour} uses {words.name_moves(held)}"
        removes = f"between two of the removed {nouns.cells}, so removing the {removed} leaves"
        leaves = f"{capitalized(uses)} {removes}"
    return (
        f"Remove {words.cells_named(shown)}. The rest of the {nouns.whole} {apart}. {leaves} at most "
        f"{paths}, and {paths} cannot cover {left.parts:,} separate parts."
    )


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The set and the parts, except the largest part if it has more than six cells."""
    root = present.without(cells).root
    root[np.isin(present.representative, cells)] = -1
    first, counts = np.unique(root[root >= 0], return_counts=True)
    order = np.argsort(counts, kind="stable")
    shown = first[order[:-1]] if counts.max(initial=0) > 6 else first[order]
    single = np.isin(root, first[counts == 1])
    return {
        "beside": [np.flatnonzero(single)],
        "parts": [np.flatnonzero(root == cell) for cell in shown[~single[shown]].tolist()],
        "named": [cells],
    }
