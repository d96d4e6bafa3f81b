"""`symmetry`: the required symmetry can neither shift nor reverse a tour: a contradiction.

A map g under which a cycle of N cells is symmetric either shifts the cycle along itself or reverses it. If it
shifts the cycle, all orbits of g have the same number of cells, k, and the shift is N / k steps times a
number coprime to k. If cells have two colours and every move changes the colour, then N is even and the shift
has the parity of N / k: so g changes colours if and only if N / k is odd. If g reverses the cycle, g
exchanges cells in pairs, except at two places: a cell that g fixes, or a move whose ends g exchanges. So g
fixes two cells; or it fixes none and exchanges the ends of two moves; or, if N is odd, there is one of each.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.constraints import vertex_map
from cavalcade.checking.present import OUT, Ints, PresentGraph, WrongError, counted


def check(present: PresentGraph, cells: Ints) -> None:
    """Look at the orbits, the colours and the mirrors."""
    if cells.size:
        raise WrongError("it is about no cell")
    if present.count < max(present.size, 3) or not (_no_turn(present) and _no_reversal(present)):
        raise WrongError("the symmetry may turn a tour or reverse it")


def sentence(present: PresentGraph, _: Ints) -> str:
    """Why it does neither."""
    return (
        "A symmetry of a tour shifts it along itself or reverses it. This one does not shift a tour: "
        f"{_no_turn(present)}. It does not reverse a tour: {_no_reversal(present)}."
    )


def _no_turn(present: PresentGraph) -> str:
    """Why the map turns no tour; nothing if it may."""
    image = _image(present)
    size = np.zeros(present.size, dtype=np.int64)
    at, step = image, 1
    while not size.all():
        size[(at == np.arange(present.size)) & (size == 0)] = step
        at, step = image[at], step + 1
    if len(np.unique(size)) > 1:
        few, many = int(np.argmin(size)), int(np.argmax(size))
        return (
            f"{present.name(few)} is back after {counted(int(size[few]), 'turn')}, but "
            f"{present.name(many)} after {size[many]}, and in a tour all are together"
        )
    step = present.size // int(size[0])
    even, odd = present.walks()
    colour = np.argmin([even, odd], axis=0)
    if (even == odd).any() or (colour != colour[image]).all() == step % 2:
        return ""
    does = "changes" if step % 2 == 0 else "keeps"
    return (
        f"it would move every cell on by {step:,} steps or an odd multiple, so that colours "
        f"{'stay' if step % 2 == 0 else 'change'}, but it {does} them"
    )


def _no_reversal(present: PresentGraph) -> str:
    """Why the map reverses no tour; nothing if it may."""
    image = _image(present)
    if (image[image] != np.arange(present.size)).any():
        return "twice done, it does not bring every cell back"
    fixed = int(np.count_nonzero(image == np.arange(present.size)))
    a, b = present.edges[present.status != OUT].T
    flipped = int(np.count_nonzero((image[a] == b) & (a != b)))
    if fixed > 2 or (fixed == 1) != present.size % 2:
        return f"it leaves {counted(fixed, 'cell')} in place"
    if flipped < 2 - fixed:
        places = f"it exchanges the ends of {flipped or 'no'} move{'s' * (flipped != 1)}"
        return f"{places}, and leaves {fixed or 'no'} cell{'s' * (fixed != 1)} in place"
    return ""


def _image(present: PresentGraph) -> Ints:
    """Where the symmetry takes each cell."""
    image = vertex_map(present.question, present.size)
    if image is None:
        raise WrongError("no symmetry is asked for")
    return image
