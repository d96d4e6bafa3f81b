"""`apart`: four edges, a-a', b-b', c-c' and d-d', are the only edges that leave a set with a, b, c and d.

A tour uses two of the four edges, or all four. With two it visits the set in one path, with four in two
paths. First suppose that one path joins a to b or c to d, or that two paths join a to b and c to d. Replace
these paths by the edges a'-b' and c'-d'; the result is a tour of the cells outside the set. In every other
case the set has a tour together with two cells for the rest that are joined to each other: a', joined to a
and b, and c', joined to c and d. So if neither of these two graphs has a tour, the whole graph has none.

The single case of the step is about the graph with fewer cells; the steps after it are about the other graph.
Only the first steps of a proof, or of such a case, may be `apart` or `contract`.

The eight cells differ, so each side has at least four. The edge a'-b' may exist already. A tour that visits
the set as supposed does not use it: outside the set, either one path leads from a' to b' through all cells,
or two paths lead from a' and b' to c' and d'. The reverse construction joins two graphs into one; for cubic
graphs it is called the dot product (Isaacs 1975).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph, WrongError, first_of_part


class Part(NamedTuple):
    """One of the two graphs.

    Attributes:
        cells: its cells.
        extra: the edges that it has besides the present edges between its cells, shape (k, 2).
    """

    cells: Ints
    extra: Ints


def check(present: PresentGraph, cells: Ints) -> None:
    """Check that no other edge leaves the set. `cells` are a, a', b, b', c, c', d and d'."""
    if present.one_way:
        raise WrongError("moves go one way: no cells can be taken apart")
    if len(cells) != 8:
        raise WrongError(f"the step names {len(cells)} cells, not the 8 ends of four moves")
    inside, _ = sides(present, cells)
    if (also := np.intersect1d(cells[1::2], inside)).size:
        names = ", ".join(map(present.name, also.tolist()))
        raise WrongError(f"other moves lead to {names}, too")


def cases(present: PresentGraph, cells: Ints) -> Iterator[str]:
    """Keep the graph with fewer cells during the case, and the other graph afterwards."""
    smaller, larger = parts(present, cells)
    before = vars(present).copy()
    present.take_part(*smaller)
    yield ""
    vars(present).update(before, steps=present.steps)
    present.take_part(*larger)


def sides(present: PresentGraph, cells: Ints) -> tuple[Ints, Ints]:
    """The cells that are connected to a, b, c or d without the four edges, and all other cells."""
    four = [present.edge(move) for move in cells.reshape(4, 2)]
    root = first_of_part(present.size, *np.delete(present.edges, four, axis=0).T)
    kept = np.flatnonzero(present.representative == np.arange(present.size))
    inside = np.isin(root[kept], root[cells[::2]])
    return kept[inside], kept[~inside]


def parts(present: PresentGraph, cells: Ints) -> list[Part]:
    """The two graphs, the smaller first."""
    inside, outside = sides(present, cells)
    _, p, b, q, _, r, d, s = cells.tolist()
    with_rest = Part(np.append(inside, [p, r]), np.array([(p, r), (p, b), (r, d)]))
    return sorted([with_rest, Part(outside, np.array([(p, q), (r, s)]))], key=lambda part: len(part.cells))
