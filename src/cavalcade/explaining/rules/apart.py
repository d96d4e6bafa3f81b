"""Words and signs of `apart`."""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph
from cavalcade.checking.rules.apart import parts, sides
from cavalcade.explaining.wording import Wording

LEGEND = {"parts": "{cells} that only four {moves} leave"}


def sentence(words: Wording, cells: Ints) -> str:
    """The four edges, the two graphs, and which of them comes first."""
    present, nouns = words.present, words.nouns
    inside, outside = sides(present, cells)
    smaller, _ = parts(present, cells)
    a, p, b, q, c, r, d, s = map(present.name, cells.tolist())
    these, others = f"the {words.count_cells(len(inside))}", f"the other {words.count_cells(len(outside))}"
    return (
        f"Only {a}-{p}, {b}-{q}, {c}-{r} and {d}-{s} lead out of {these} {words.cells_named(inside)}. A "
        f"{nouns.tour} visits these {nouns.cells} in one path or in two. If one path joins {a} to {b} or {c} "
        f"to {d}, or two paths join {a} to {b} and {c} to {d}, then {others} have a {nouns.tour} as soon as "
        f"{p}-{q} and {r}-{s} are {nouns.moves}. In every other case {these} have a {nouns.tour} together "
        f"with two {nouns.cells} that are joined to each other: {p}, joined to {a} and {b}, and {r}, joined "
        f"to {c} and {d}. But neither of the two graphs has a {nouns.tour}. Look at the graph of "
        f"{words.count_cells(len(smaller.cells))} first."
    )


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The smaller side of the four edges, and the edges."""
    four = np.array([present.edge(move) for move in cells.reshape(4, 2)])
    return {"parts": [min(sides(present, cells), key=len)], "moves": [four]}
