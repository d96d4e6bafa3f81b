"""`sign`: every cover by cycles has an even number of cycles, so that none is a tour: a contradiction.

A cover gives every cell a next one, a different one for each: a permutation along present moves. Where every
cell has at most two next ones, and these have as many cells before them, the moves fall into groups: go from
a cell to a next one, from that back to its other cell before, and so on, until the group closes. In a group
of k cells one choice decides all. There are two choices, and one is the other followed by a cycle of k next
cells, which is an even permutation if k is odd. If all groups are odd, all covers have the same sign.
A permutation of n cells with c cycles has the sign (-1)^(n - c), so c is even for all covers or odd for all.
A tour is a cover with c = 1. So if one cover has an even number of cycles, there is no tour (R. A. Rankin, A
campanological problem in group theory, Mathematical Proceedings of the Cambridge Philosophical Society 44,
1948, for graphs of groups with two generators).

Where moves go one way, `>c` and c have one next place each, groups of one, so that groups are counted by c>.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph, WrongError, counted, first_of_part, listed

LEGEND = {"parts": "cells of one group: one choice decides all"}


def check(present: PresentGraph, cells: Ints) -> None:
    """Go around every group, and count the cycles of one cover."""
    if len(cells):
        raise WrongError(f"it is about all cells, and names {len(cells)}")
    groups, count = _cover(present)
    for group in groups:
        if len(group) % 2 == 0:
            raise WrongError(f"{present.stop(group[0])} is in a group of {len(group)} cells, an even number")
    if count % 2:
        raise WrongError(f"there is a cover by {count} cycles, an odd number, as a tour is by 1")


def sentence(present: PresentGraph, _: Ints) -> str:
    """The groups, and the cycles of one cover."""
    groups, count = _cover(present)
    sizes = sorted({len(group) for group in groups} - {1})
    loops = f"{count:,} loops; a tour would be a single one."
    if not sizes:
        return f"No cell has a choice of the next one, and the moves form {loops}"
    many = sum(len(group) > 1 for group in groups)
    of = listed(map(str, sizes)).replace(" and ", " or ")
    return (
        "Where a cell has a choice of the next one, it is between two, and one such choice decides all those "
        f"of its group: there {'is' if many == 1 else 'are'} {counted(many, 'group')}, of {of} cells each. "
        "The other choice of a group permutes the next cells in a cycle of odd length, which is an even "
        "permutation. So all choices give an even number of loops, or all an odd number. One gives "
        f"{loops}"
    )


def roles(present: PresentGraph, _: Ints) -> dict[str, list[Ints]]:
    """The groups of cells that have a choice."""
    groups = [group for group in _cover(present)[0] if len(group) > 1]
    return {"parts": [np.array([*map(present.cell_of, group)]) for group in groups]}


def _cover(present: PresentGraph) -> tuple[list[list[int]], int]:
    """The groups, each as the cells that it gives a next one, and how many cycles one cover has.

    Raises:
        WrongError: the moves do not fall into groups.
    """
    every = np.arange(present.size)
    places, tails = present.around(every)
    onward = present.onward[places]
    tails, heads = tails[onward], present.heads[places[onward]]
    out, into = (np.bincount(some, minlength=present.size) for some in (tails, heads))
    if (wrong := np.flatnonzero((out < 1) | (out > 2))).size:
        cell = int(wrong[0])
        raise WrongError(f"{counted(int(out[cell]), 'move')} lead from {present.stop(cell)}, not one or two")
    if (wrong := np.flatnonzero(out[tails] != into[heads])).size:
        one, other = int(tails[wrong[0]]), int(heads[wrong[0]])
        raise WrongError(
            f"{counted(int(out[one]), 'move')} lead from {present.stop(one)}, but {into[other]} "
            f"to {present.stop(other)}"
        )
    back = tails[np.argsort(heads, kind="stable")]
    after, before = _ends(heads, out), _ends(back, into)
    cover, groups = [-1] * present.size, []
    for cell in every.tolist():
        group, here, came = [], cell, -1
        while cover[here] < 0:
            group.append(here)
            came = cover[here] = _other(after, here, came)
            here = _other(before, came, here)
        if group:
            groups.append(group)
    root = first_of_part(present.size, every, np.array(cover))
    return groups, int(np.count_nonzero(root == every))


def _ends(values: Ints, counts: Ints) -> tuple[list[int], list[int]]:
    """The first and the last value of each row, of values that stand row by row."""
    end = np.cumsum(counts)
    return values[end - counts].tolist(), values[end - 1].tolist()


def _other(ends: tuple[list[int], list[int]], row: int, one: int) -> int:
    """The value of a row that is not this one, if there are two."""
    first, last = ends[0][row], ends[1][row]
    return last if first == one else first
