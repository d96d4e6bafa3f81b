"""`cut`: a set S whose removal leaves more than k - f parts (two or more where S is empty): a contradiction.

A tour without k of its cells falls into at most k paths, and into at most k - f if f of its edges join two
of them; every part needs a path. Graphs without such a set are called tough (Chvátal 1973).
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, OUT, Ints, PresentGraph, WrongError, counted

LEGEND = {"named": "removed", "beside": "alone"}


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the parts."""
    left = present.without(cells)
    if left.parts <= max(left.able, 0 if len(cells) else 1):
        raise WrongError(
            f"without {len(cells)} cells there are {left.parts} parts, not more than {left.able}"
        )


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The set and the parts."""
    left = present.without(cells)
    parts = present.parts_named(left, cells)
    question = present.question
    hub = None if question.closed or question.ends else question.apex
    by_hub = hub in cells.tolist() and left.able == len(cells)
    shown = cells[cells != hub] if by_hub else cells
    if not shown.size:
        still = " that are left" if (present.status == OUT).any() else ""
        return (
            f"The moves{still} do not connect all cells: they fall into {left.parts:,} parts ({parts}), and "
            "a tour cannot come from one to another."
        )
    gone = f"{counted(len(shown), 'cell')}, {present.cells_named(shown)}"
    cut = f"Remove {gone}: {left.parts:,} parts remain ({parts}). "
    if by_hub:
        return (
            f"{cut}Without {len(shown):,} of its cells an open tour falls into at most {left.able:,} paths."
        )
    if left.able < len(cells):
        held = left.inside[present.status[left.inside] == FORCED]
        return (
            f"{cut}Without these cells a tour that uses {present.moves_named(held)} falls into at most "
            f"{counted(left.able, 'path')}, fewer than the parts."
        )
    these = "this cell" if len(cells) == 1 else f"these {len(cells):,} cells"
    most = counted(len(cells), "path")
    return f"{cut}Without {these} a tour falls into at most {most}, fewer than the parts."


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The set, and the parts that are left; not the largest, if it is large."""
    root = present.without(cells).root
    root[np.isin(present.block, cells)] = -1
    first, counts = np.unique(root[root >= 0], return_counts=True)
    order = np.argsort(counts, kind="stable")
    shown = first[order[:-1]] if counts.max(initial=0) > 6 else first[order]
    single = np.isin(root, first[counts == 1])
    return {
        "beside": [np.flatnonzero(single)],
        "parts": [np.flatnonzero(root == cell) for cell in shown[~single[shown]].tolist()],
        "named": [cells],
    }
