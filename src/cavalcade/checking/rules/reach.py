"""`reach`: two cells a and b, and no present moves that lead from a to b: a contradiction.

A tour leads from every cell to every other. Where moves go one way, only the ways that a tour may go count:
a digraph with a Hamiltonian cycle is strongly connected.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cavalcade.checking.present import OUT, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Walk from the first cell as far as moves lead."""
    if len(cells) != 2:
        raise WrongError(f"it is about two cells, not {len(cells)}")
    if _reached(present, cells)[cells[1]]:
        raise WrongError(f"moves lead along {present.called(cells)}")


def sentence(present: PresentGraph, cells: Ints) -> str:
    """How far moves lead."""
    every = present.question.board.size
    reached = _reached(present, cells)[:every]
    still = " that are left" if (present.status == OUT).any() else ""
    a, b = (present.stop(cell) for cell in cells.tolist())
    return (
        f"From {a} the moves{still} lead to {int(reached.sum()):,} of the {every:,} cells, itself included, "
        f"but not to {b}, but a tour leads from every cell to every other."
    )


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """Both cells, and either the cells that are reached or the others, whichever are fewer."""
    reached = _reached(present, cells)
    return {"beside": [np.flatnonzero(reached == (2 * reached.sum() <= present.size))], "named": [cells]}


def _reached(present: PresentGraph, cells: Ints) -> NDArray[np.bool_]:
    """Which cells moves lead to from the first one."""
    reached = np.zeros(present.size, dtype=np.bool_)
    front = cells[:1]
    while front.size:
        reached[front] = True
        near = present.followers(front)
        front = near[~reached[near]]
    return reached
