"""`apart`: four edges, a-a', b-b', c-c' and d-d', the only ones that lead out of a set with a, b, c and d.

A tour uses two of them, or all four. With two it visits the set on one path, with four on two paths. If the
ends of the one are a and b, or c and d, or if the two join a to b and c to d, then put edges a'-b' and c'-d'
in the place of these paths: the cells outside the set have a tour. In all other cases the set has a tour with
two cells for the rest, joined to each other, a' to a and b, and c' to c and d. So there is no tour if neither
graph has one. The one case of the step is about the graph with fewer cells, the steps after it are about the
other. Only the first steps of a proof, or of such a case, are of this kind or of `contract`.

The eight cells differ, so each side has at least four. The edge a'-b' may be there already, but a tour that
visits the set in such a way does not use it: on the other side one path leads from a' to b' and visits all
cells, or two paths lead from a' and b' to c' and d'. In the opposite direction two graphs make one, which is
called their dot product if they are cubic (Isaacs 1975).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph, WrongError, first_of_part

LEGEND = {"parts": "cells that only four moves leave"}


class Part(NamedTuple):
    """One of the two graphs: its cells, and the edges that it has besides those between them."""

    cells: Ints
    more: Ints


def check(present: PresentGraph, cells: Ints) -> None:
    """Look for another way out of the set."""
    if present.one_way:
        raise WrongError("moves go one way: no cells can be taken apart")
    if len(cells) != 8:
        raise WrongError(f"it is about the 8 cells of four moves, not {len(cells)}")
    inside, _ = _sides(present, cells)
    if (also := np.intersect1d(cells[1::2], inside)).size:
        raise WrongError(f"other moves lead to {present.cells_named(also)}, too")


def cases(present: PresentGraph, cells: Ints) -> Iterator[str]:
    """Keep the graph with fewer cells for the steps of the case, and the other one for those after it."""
    small, large = _parts(present, cells)
    before = vars(present).copy()
    present.take_part(*small)
    yield ""
    vars(present).update(before, steps=present.steps)
    present.take_part(*large)


def _sides(present: PresentGraph, cells: Ints) -> tuple[Ints, Ints]:
    """The cells that are connected to a, b, c or d without the four edges, and the others."""
    four = [present.edge(move) for move in cells.reshape(4, 2)]
    root = first_of_part(present.size, *np.delete(present.edges, four, axis=0).T)
    every = np.flatnonzero(present.block == np.arange(present.size))
    inside = np.isin(root[every], root[cells[::2]])
    return every[inside], every[~inside]


def _parts(present: PresentGraph, cells: Ints) -> list[Part]:
    """The two graphs, the one with fewer cells first."""
    inside, outside = _sides(present, cells)
    _, p, b, q, _, r, d, s = cells.tolist()
    both = Part(np.append(inside, [p, r]), np.array([(p, r), (p, b), (r, d)]))
    return sorted([both, Part(outside, np.array([(p, q), (r, s)]))], key=lambda part: len(part.cells))


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The four edges, the two graphs, and which is first."""
    (inside, outside), parts = _sides(present, cells), _parts(present, cells)
    a, p, b, q, c, r, d, s = map(present.name, cells.tolist())
    these, others = f"the {len(inside):,} cells", f"the other {len(outside):,} cells"
    return (
        f"Only {a}-{p}, {b}-{q}, {c}-{r} and {d}-{s} lead out of {these} {present.cells_named(inside)}. A "
        f"tour visits these cells on one path or on two. If one path joins {a} to {b} or {c} to {d}, or two "
        f"paths do both, then {others} have a tour once {p}-{q} and {r}-{s} are moves. If not, {these} have "
        f"one together with two adjacent cells: {p}, next to {a} and {b}, and {r}, next to {c} and {d}. "
        f"Neither graph has a tour. First take the graph of {len(parts[0].cells):,} cells."
    )


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The smaller side of the four edges, and these."""
    four = np.array([present.edge(move) for move in cells.reshape(4, 2)])
    return {"parts": [min(_sides(present, cells), key=len)], "moves": [four]}
