"""`sign`: every cover by cycles has an even number of cycles, so that none is a tour: a contradiction.

A *cover* maps every cell to a next cell, different cells to different ones, along present moves: it is a
permutation. Suppose that every cell has at most two next cells, and that each of these can follow equally
many cells. Then the moves fall into groups: go from a cell to one of its next cells, from that back to the
other cell before it, and so on, until the group closes. One choice decides a whole group of k cells. There
are two choices, and one is the other followed by a cycle of k next cells, which is an even permutation if k
is odd. So if all groups are odd, all covers have the same sign.

A permutation of n cells with c cycles has the sign (-1)^(n - c), so c is even for all covers or odd for all.
A tour is a cover with c = 1. So if one cover has an even number of cycles, there is no tour (Rankin, A
campanological problem in group theory, Mathematical Proceedings of the Cambridge Philosophical Society 44,
1948, for graphs of groups with two generators).

If moves go one way, `>c` and c each have only one next vertex, which makes groups of one; only vertices
`c>` form larger groups.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph, WrongError, counted, first_of_part


def check(present: PresentGraph, cells: Ints) -> None:
    """Find all groups, and count the cycles of one cover."""
    if len(cells):
        raise WrongError(f"it is about all cells, and names {len(cells)}")
    groups, count = cover(present)
    for group in groups:
        if len(group) % 2 == 0:
            raise WrongError(f"{present.stop(group[0])} is in a group of {len(group)} cells, an even number")
    if count % 2:
        raise WrongError(f"there is a cover by {count} cycles, an odd number, as a tour is by 1")


def cover(present: PresentGraph) -> tuple[list[list[int]], int]:
    """Build one cover, group by group.

    Returns:
        The groups, each a list of the cells whose next cells it decides, and the number of cycles of the
        cover.

    Raises:
        WrongError: the moves do not fall into groups.
    """
    vertices = np.arange(present.size)
    half_edges, tails = present.around(vertices)
    onward = present.may_leave[half_edges]
    tails, heads = tails[onward], present.heads[half_edges[onward]]
    out_degree, in_degree = (np.bincount(ends, minlength=present.size) for ends in (tails, heads))
    if (wrong := np.flatnonzero((out_degree < 1) | (out_degree > 2))).size:
        cell = int(wrong[0])
        raise WrongError(
            f"{counted(int(out_degree[cell]), 'move')} lead from {present.stop(cell)}, not one or two"
        )
    if (wrong := np.flatnonzero(out_degree[tails] != in_degree[heads])).size:
        tail, head = int(tails[wrong[0]]), int(heads[wrong[0]])
        raise WrongError(
            f"{counted(int(out_degree[tail]), 'move')} lead from {present.stop(tail)}, but {in_degree[head]} "
            f"to {present.stop(head)}"
        )
    # Edges are sorted by tail; a stable sort by head lists the tails of each head.
    after = _first_and_last(heads, out_degree)
    before = _first_and_last(tails[np.argsort(heads, kind="stable")], in_degree)
    successor, groups = [-1] * present.size, []
    for start in vertices.tolist():
        group, cell, taken = [], start, -1
        while successor[cell] < 0:
            # Give the cell a next cell that the cell before did not take, then go back by the other tail.
            group.append(cell)
            taken = successor[cell] = _other(after, cell, taken)
            cell = _other(before, taken, cell)
        if group:
            groups.append(group)
    root = first_of_part(present.size, vertices, np.array(successor))
    return groups, int(np.count_nonzero(root == vertices))


def _first_and_last(values: Ints, counts: Ints) -> tuple[list[int], list[int]]:
    """The first and the last value of each row, where row i is the next `counts[i]` entries of `values`."""
    end = np.cumsum(counts)
    return values[end - counts].tolist(), values[end - 1].tolist()


def _other(ends: tuple[list[int], list[int]], row: int, value: int) -> int:
    """The value of a row of at most two values that differs from `value`, if there is one."""
    first, last = ends[0][row], ends[1][row]
    return last if first == value else first
