"""`symmetry`: the required symmetry can neither shift nor reverse a tour: a contradiction.

If a map g maps a cycle of N cells to itself, it either shifts the cycle along itself or reverses it. If it
shifts the cycle, all orbits of g have the same number of cells, k, and the shift is N / k steps times a
number coprime to k. If cells have two colours and every move changes the colour, then N is even and the shift
has the parity of N / k: so g changes colours if and only if N / k is odd. If g reverses the cycle, g
exchanges cells in pairs, except at two places: a cell that g fixes, or a move whose ends g exchanges. So g
fixes two cells; or it fixes none and exchanges the ends of two moves; or, if N is odd, one of each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cavalcade.checking.constraints import vertex_map
from cavalcade.checking.present import OUT, Ints, PresentGraph, WrongError


class Obstacle(NamedTuple):
    """Why a map cannot shift a tour, or cannot reverse it.

    Attributes:
        kind: `orbits` or `colours` (of a shift); `order`, `fixed` or `flipped` (of a reversal).
        numbers: with `orbits` the sizes of two orbits; with `colours` the number of steps, and 0; with
            `fixed` and `flipped` the number of fixed cells, and of moves whose ends are exchanged.
        cells: with `orbits` a cell from each orbit.
    """

    kind: str
    numbers: tuple[int, int] = (0, 0)
    cells: tuple[int, int] = (0, 0)


def check(present: PresentGraph, cells: Ints) -> None:
    """Check that there is an obstacle to both."""
    if cells.size:
        raise WrongError("it is about no cell")
    if present.count < max(present.size, 3) or not (shift_obstacle(present) and reversal_obstacle(present)):
        raise WrongError("the symmetry may shift a tour or reverse it")


def shift_obstacle(present: PresentGraph) -> Obstacle | None:
    """Why the map cannot shift a tour along itself; None if it may."""
    image = _image(present)
    vertices = np.arange(present.size)
    orbit = np.zeros(present.size, dtype=np.int64)  # the size of the orbit of each cell
    power, exponent = image, 1
    while not orbit.all():
        orbit[(power == vertices) & (orbit == 0)] = exponent
        power, exponent = image[power], exponent + 1
    if len(np.unique(orbit)) > 1:
        few, many = int(np.argmin(orbit)), int(np.argmax(orbit))
        return Obstacle("orbits", (int(orbit[few]), int(orbit[many])), (few, many))
    steps = present.size // int(orbit[0])
    even, odd = present.walks()
    colour = np.argmin([even, odd], axis=0)
    # A shift by an even number of steps keeps colours. With an odd cycle in the graph there are no two
    # colours.
    if (even == odd).any() or (colour != colour[image]).all() == steps % 2:
        return None
    return Obstacle("colours", (steps, 0))


def reversal_obstacle(present: PresentGraph) -> Obstacle | None:
    """Why the map cannot reverse a tour; None if it may."""
    image = _image(present)
    vertices = np.arange(present.size)
    if (image[image] != vertices).any():
        return Obstacle("order")
    fixed = int(np.count_nonzero(image == vertices))
    a, b = present.edges[present.status != OUT].T
    flipped = int(np.count_nonzero((image[a] == b) & (a != b)))
    if fixed > 2 or (fixed == 1) != present.size % 2:
        return Obstacle("fixed", (fixed, flipped))
    return Obstacle("flipped", (fixed, flipped)) if flipped < 2 - fixed else None


def _image(present: PresentGraph) -> Ints:
    """Images of the vertices under the required symmetry."""
    image = vertex_map(present.question, present.size)
    if image is None:
        raise WrongError("no symmetry is asked for")
    return image
